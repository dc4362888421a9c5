"""The ways to place cut points on a score, all on one table of distinct scores and grades."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored._kernels.cuts import cut_thresholds
from sklearn_ordinal_censored._kernels.ranks import group_scores
from sklearn_ordinal_censored._progress import SILENT, Progress
from sklearn_ordinal_censored._text import short_text
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.postprocessing._local_search import search_positions
from sklearn_ordinal_censored.postprocessing._objectives import (
    Objective,
    named_objectives,
    resolve_objective,
)
from sklearn_ordinal_censored.postprocessing._smoothing import smooth_table

_MOST_BITS = 100  # of a sum of weights

STRATEGIES = ("exact", "smoothed", "frequency", "rounding")


class CutProblem(NamedTuple):
    """Distinct scores, the grades seen at each, and the grades that may be predicted.

    Attributes
    ----------
    scores : ndarray of shape (n_groups,)
        Distinct scores, ascending.
    table : ndarray of shape (n_groups, n_classes)
        Weight of every grade at every score; every score has some.
    labels : ndarray of shape (n_classes,)
        The scale.
    grades : ndarray of shape (n_predicted,)
        Ranks that may be predicted, ascending.
    is_weighted : bool
        Whether the weights are the caller's, not counts of rows.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1, 1])
    >>> problem = make_problem(np.array([0.2, 0.1, 0.9]), codes, np.array(["no", "yes"]))
    >>> problem.scores, problem.grades
    (array([0.1, 0.2, 0.9]), array([0, 1]))
    """

    scores: FloatArray
    table: FloatArray
    labels: AnyArray
    grades: IntArray
    is_weighted: bool

    def expand(self, positions: IntArray) -> IntArray:
        """Return positions for every cut of the scale from those between the predictable grades.

        Parameters
        ----------
        positions : ndarray of shape (n_predicted - 1,)
            Number of scores below each cut between neighbouring predictable grades.

        Returns
        -------
        ndarray of shape (n_classes - 1,)
            Number of scores below each cut.
        """
        bounds = np.concatenate([[0], positions, [len(self.scores)]])
        return bounds[np.searchsorted(self.grades, np.arange(len(self.labels) - 1), side="right")]


def make_problem(
    score: FloatArray,
    codes: IntArray,
    labels: AnyArray,
    weight: FloatArray | None = None,
    grades: IntArray | None = None,
) -> CutProblem:
    """Return the problem for rows of scores and ranks; rows of weight zero are left out.

    Parameters
    ----------
    score : ndarray of shape (n_samples,)
        Scores.
    codes : ndarray of shape (n_samples,)
        Ranks of the true grades.
    labels : ndarray of shape (n_classes,)
        The scale.
    weight : ndarray of shape (n_samples,) or None
        Row weights.
    grades : ndarray of shape (n_predicted,) or None
        Ranks that may be predicted; None stands for all.

    Returns
    -------
    CutProblem
        The problem.

    Examples
    --------
    >>> import numpy as np
    >>> make_problem(np.array([1.0, 1.0]), np.array([0, 1]), np.array([5, 6])).table
    array([[1., 1.]])
    """
    if weight is not None:
        rows = weight > 0
        score, codes, weight = score[rows], codes[rows], weight[rows]
        # Only ratios of weights matter where they dwarf smoothing and penalties; no product of two
        # of them may overflow.
        excess = np.frexp(weight.sum())[1] - _MOST_BITS
        weight = np.ldexp(weight, -max(0, excess))
    scores, table = group_scores(score, codes, len(labels), weight)
    grades = np.arange(len(labels)) if grades is None else grades
    return CutProblem(scores, table, labels, grades, weight is not None)


def place_cuts(
    problem: CutProblem,
    objective: Objective,
    strategy: str,
    smoothing: float,
    progress: Progress = SILENT,
) -> FloatArray:
    """Return the cut points of a strategy.

    Parameters
    ----------
    problem : CutProblem
        Scores and grades.
    objective : Objective
        What to optimise; read by the strategies "exact" and "smoothed".
    strategy : str
        One of ``STRATEGIES``.
    smoothing : float
        Weight of the smooth probabilities; read by "smoothed".
    progress : Progress
        Is told how far a local search is; the other ways are fast.

    Returns
    -------
    ndarray of shape (n_classes - 1,)
        Non-decreasing.

    Examples
    --------
    >>> import numpy as np
    >>> problem = make_problem(np.array([0.1, 0.4]), np.array([0, 1]), np.array([0, 1]))
    >>> place_cuts(problem, resolve_objective("accuracy", problem.labels), "exact", 0.0)
    array([0.25])
    """
    if strategy == "rounding":
        return _round_cuts(problem)
    if strategy == "frequency":
        positions = _match_frequencies(problem.table)
    elif objective.solve is None:
        positions = _search(problem, objective, progress)
    else:
        mixed = smooth_table(problem.table, smoothing if strategy == "smoothed" else 0.0)
        positions = problem.expand(objective.solve(mixed, problem.grades))
    return cut_thresholds(problem.scores, positions)


def _round_cuts(problem: CutProblem) -> FloatArray:
    """Return the middles between neighbouring grades that may be predicted."""
    _warn_of_label_scale(problem)
    ranks = np.concatenate([[-np.inf], problem.grades, [np.inf]])
    place = np.searchsorted(problem.grades, np.arange(len(problem.labels) - 1), side="right")
    return np.asarray((ranks[place] + ranks[place + 1]) / 2)


def _warn_of_label_scale(problem: CutProblem) -> None:
    """Warn where scores lie on the values of the labels, such as 1 to 5, instead of on ranks."""
    if problem.labels.dtype.kind not in "iuf" or problem.labels[0] == 0:
        return
    margin = problem.table.sum(axis=0)
    score = np.average(problem.scores, weights=problem.table.sum(axis=1))
    rank = np.average(np.arange(len(margin)), weights=margin)
    label = np.average(problem.labels.astype(np.float64), weights=margin)
    if abs(score - label) < abs(score - rank):
        warn(
            f"The scores have mean {score:.3g}, nearer to that of the labels ({label:.3g}) than to "
            f"that of their ranks ({rank:.3g}), but strategy='rounding' cuts half-way between the "
            f"ranks 0, 1, ...: subtract {problem.labels[0]} from the scores if that is their scale."
        )


def _match_frequencies(table: FloatArray) -> IntArray:
    below = np.concatenate([[0.0], np.cumsum(table.sum(axis=1))])
    wanted = np.cumsum(table.sum(axis=0))[:-1]
    right = np.clip(np.searchsorted(below, wanted), 1, len(table))
    # Half-way between two scores the cut goes to the lower one.
    return np.where(wanted - below[right - 1] <= below[right] - wanted, right - 1, right)


def _search(problem: CutProblem, objective: Objective, progress: Progress) -> IntArray:
    starts = []
    if np.count_nonzero(problem.table.sum(axis=0)) > 1:  # a kappa needs two grades
        named = [resolve_objective(name, problem.labels) for name in named_objectives()]
        starts = [
            problem.expand(start.solve(problem.table, problem.grades))
            for start in named
            if start.solve
        ]
    starts.append(_match_frequencies(problem.table))
    watched = progress.over(starts, "starts of the local search", len(starts))
    score_at = on_rows(problem, objective.score)
    return search_positions(score_at, watched, len(problem.scores))


def warn_without_value(problem: CutProblem, objective: Objective, thresholds: FloatArray) -> None:
    """Warn of a function that has no value at the cut points that were found.

    Parameters
    ----------
    problem : CutProblem
        Scores and grades.
    objective : Objective
        What was optimised; only functions are asked.
    thresholds : ndarray of shape (n_classes - 1,)
        The cut points.

    Examples
    --------
    >>> problem = make_problem(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 1]))
    >>> warn_without_value(problem, resolve_objective("accuracy", problem.labels), np.array([1.5]))
    """
    if objective.solve is not None:
        return
    positions = np.searchsorted(problem.scores, thresholds, side="left")
    if np.isnan(on_rows(problem, objective.score)(positions)):
        warn(
            f"objective={short_text(objective.metric)} is nan at the cut points, and at all others "
            "that were tried.",
            UndefinedMetricWarning,
        )


def on_rows(problem: CutProblem, evaluate: Callable[..., float]) -> Callable[[IntArray], float]:
    """Return what a function of grades gives, as a function of the cut points' positions.

    Parameters
    ----------
    problem : CutProblem
        Scores and grades.
    evaluate : callable
        ``evaluate(y_true, y_pred, labels, sample_weight)``, such as ``Objective.score``.

    Returns
    -------
    callable
        ``value(positions)``.

    Examples
    --------
    >>> from sklearn.metrics import accuracy_score
    >>> problem = make_problem(np.array([1.0, 2.0, 3.0]), np.array([0, 1, 1]), np.array([0, 1]))
    >>> value_at = on_rows(problem, lambda true, pred, labels, weight: accuracy_score(true, pred))
    >>> value_at(np.array([1])), round(value_at(np.array([2])), 2)
    (1.0, 0.67)
    """
    group, codes = np.nonzero(problem.table)
    weight: FloatArray | None = problem.table[group, codes]
    if not problem.is_weighted:
        # A function need not know sample_weight, so counts are spelled out.
        counts = problem.table[group, codes].astype(np.intp)
        group, codes, weight = np.repeat(group, counts), np.repeat(codes, counts), None
    y_true = problem.labels[codes]

    def _value(positions: IntArray) -> float:
        predicted = problem.labels[np.searchsorted(positions, group, side="right")]
        return evaluate(y_true, predicted, problem.labels, weight)

    return _value
