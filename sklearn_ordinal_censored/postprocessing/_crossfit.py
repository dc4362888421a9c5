"""Folds for grades, and the score of cut points on the folds that did not choose them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored._progress import SILENT, Progress
from sklearn_ordinal_censored._typing import FloatArray, IntArray, OrdinalTarget
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.postprocessing._objectives import Objective
from sklearn_ordinal_censored.postprocessing._out_of_fold import OutOfFold
from sklearn_ordinal_censored.postprocessing._strategies import CutProblem, make_problem, place_cuts
from sklearn_ordinal_censored.postprocessing._thresholds import apply_cuts


def merge_rare(codes: IntArray, least: int) -> IntArray:
    """Join neighbouring grades until each stratum has enough rows to be stratified.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Ranks.
    least : int
        Smallest number of rows of a stratum.

    Returns
    -------
    ndarray of shape (n_samples,)
        Number of each row's stratum.

    Examples
    --------
    >>> merge_rare(np.array([0, 0, 1, 2, 2, 3]), 2)
    array([0, 0, 1, 1, 1, 1])
    """
    counts = np.bincount(codes)
    stratum_of = np.empty(len(counts), dtype=np.intp)
    stratum, filled = 0, 0
    for rank, count in enumerate(counts):
        left = counts[rank:].sum()
        if filled >= least and left >= least:
            stratum, filled = stratum + 1, 0
        stratum_of[rank] = stratum
        filled += count
    return np.asarray(stratum_of[codes])


def fold_problem(
    scores: OutOfFold,
    target: OrdinalTarget,
    weight: FloatArray | None,
    grades: IntArray,
) -> CutProblem:
    """Return the problem of placing cut points on out-of-fold scores.

    Parameters
    ----------
    scores : OutOfFold
        Scores and their rows.
    target : OrdinalTarget
        True grades.
    weight : ndarray of shape (n_samples,) or None
        Row weights.
    grades : ndarray of shape (n_predicted,)
        Ranks that may be predicted.

    Returns
    -------
    CutProblem
        The problem.

    Examples
    --------
    >>> scores = OutOfFold(np.array([1, 0]), np.array([0.5, 0.1]), np.array([0, 1]))
    >>> target = OrdinalTarget(np.array([0, 1]), np.array(["low", "high"]))
    >>> fold_problem(scores, target, None, np.arange(2)).table
    array([[1., 0.],
           [0., 1.]])
    """
    codes = target.codes[scores.rows]
    return make_problem(scores.output, codes, target.labels, scores.weights(weight), grades)


def cross_fitted_score(
    scores: OutOfFold,
    target: OrdinalTarget,
    weight: FloatArray | None,
    grades: IntArray,
    objective: Objective,
    progress: Progress = SILENT,
    **placing: Any,
) -> float:
    """Return the objective when every fold is graded with cut points of the other folds.

    Parameters
    ----------
    scores : OutOfFold
        Scores and their rows.
    target : OrdinalTarget
        True grades.
    weight : ndarray of shape (n_samples,) or None
        Row weights; folds without weight do not count.
    grades : ndarray of shape (n_predicted,)
        Ranks that may be predicted.
    objective : Objective
        What to judge by.
    progress : Progress
        Is told how many folds are done.
    **placing : dict
        Arguments of :func:`place_cuts`.

    Returns
    -------
    float
        Higher is better; NaN, with a warning, if a fold has no others to learn from.

    Examples
    --------
    >>> from sklearn_ordinal_censored.postprocessing._objectives import resolve_objective
    >>> score, fold = np.array([1.0, 2.0, 1.1, 2.1]), np.array([0, 0, 1, 1])
    >>> target = OrdinalTarget(np.array([0, 1, 0, 1]), np.array([0, 1]))
    >>> goal = resolve_objective("accuracy", target.labels)
    >>> rows, grades = np.arange(4), np.arange(2)
    >>> placing = {"strategy": "exact", "smoothing": 0.0}
    >>> cross_fitted_score(OutOfFold(rows, score, fold), target, None, grades, goal, **placing)
    1.0
    """
    if weight is not None:
        scores = scores.take(weight[scores.rows] > 0)
    folds = np.unique(scores.fold)
    if len(folds) < 2:
        return _no_other_fold()
    predicted = np.empty(len(scores.rows), dtype=target.labels.dtype)
    for fold in progress.over(folds, "folds graded", len(folds)):
        held = scores.fold == fold
        # Splits may repeat rows: no score of a held-out row may choose its cut points.
        others = ~np.isin(scores.rows, scores.rows[held])
        if not others.any():
            return _no_other_fold()
        problem = fold_problem(scores.take(others), target, weight, grades)
        cuts = _cuts_of_others(problem, objective, **placing)
        predicted[held] = apply_cuts(scores.output[held], cuts, target.labels)
    true = target.labels[target.codes[scores.rows]]
    return objective.score(true, predicted, target.labels, scores.weights(weight))


def _no_other_fold() -> float:
    warn(
        "best_score_ is undefined (nan): fewer than two folds of cv have weight and rows of their "
        "own, so no fold can be graded with the cut points of others.",
        UndefinedMetricWarning,
    )
    return float("nan")


def _cuts_of_others(problem: CutProblem, objective: Objective, **placing: Any) -> FloatArray:
    present = np.flatnonzero(problem.table.sum(axis=0))
    if len(present) == 1:  # one grade only, of which kappa knows nothing: predict it
        return np.where(np.arange(len(problem.labels) - 1) < present[0], -np.inf, np.inf)
    return place_cuts(problem, objective, **placing)
