"""What an objective does while one cut point moves and the others stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sklearn_ordinal_censored._kernels.cuts import cut_thresholds
from sklearn_ordinal_censored._progress import SILENT, Progress
from sklearn_ordinal_censored._typing import FloatArray, IntArray
from sklearn_ordinal_censored.postprocessing._objectives import Objective
from sklearn_ordinal_censored.postprocessing._strategies import CutProblem, on_rows

_MOST_POINTS = 200  # of a curve: more than a picture can show


def objective_along_cuts(
    problem: CutProblem,
    objective: Objective,
    thresholds: FloatArray,
    progress: Progress = SILENT,
) -> list[FloatArray]:
    """Return the objective for every place of one cut point between its neighbours.

    Parameters
    ----------
    problem : CutProblem
        Scores and grades.
    objective : Objective
        What to evaluate, in the metric's own direction.
    thresholds : ndarray of shape (n_classes - 1,)
        Non-decreasing cut points.
    progress : Progress
        Is told how many curves are done.

    Returns
    -------
    list of ndarray of shape (2, n_points)
        For every cut its places, ascending, and the values there. There is one place in each gap
        between neighbouring scores, or in some of them where there are many; in its own gap it is
        the cut point itself.

    Examples
    --------
    The second of three scores is the first of the upper grade:

    >>> from sklearn_ordinal_censored.postprocessing._objectives import resolve_objective
    >>> from sklearn_ordinal_censored.postprocessing._strategies import make_problem
    >>> problem = make_problem(np.array([1.0, 2.0, 3.0]), np.array([0, 1, 1]), np.array([0, 1]))
    >>> goal = resolve_objective("accuracy", problem.labels)
    >>> objective_along_cuts(problem, goal, np.array([1.4]))[0].round(2)
    array([[1.  , 1.4 , 2.5 , 3.  ],
           [0.67, 1.  , 0.67, 0.33]])
    """
    value_at = _value_function(problem, objective)
    positions = np.searchsorted(problem.scores, thresholds, side="left")
    bounds = np.concatenate([[0], positions, [len(problem.scores)]])
    # A score on a cut point is above it: none is above the largest by a hair.
    ends = problem.scores[0], np.nextafter(problem.scores[-1], np.inf)
    curves = []
    for k, cut in enumerate(progress.over(thresholds, "curves", len(thresholds))):
        moved = _thinned(bounds[k], bounds[k + 1], bounds[k + 2])
        places = np.clip(cut_thresholds(problem.scores, moved), *ends)
        if np.isfinite(cut):
            places[moved == positions[k]] = cut
        values = [value_at(_replaced(positions, k, position)) for position in moved]
        curves.append(np.stack([places, values]))
    return curves


def _thinned(first: int, own: int, last: int) -> IntArray:
    """Return positions from the first to the last, its own among them, and not too many."""
    if last - first < _MOST_POINTS:
        return np.arange(first, last + 1)
    spread = np.linspace(first, last, _MOST_POINTS).astype(np.intp)
    return np.unique(np.append(spread, own))


def _replaced(positions: IntArray, k: int, position: int) -> IntArray:
    return np.concatenate([positions[:k], [position], positions[k + 1 :]])


def _value_function(problem: CutProblem, objective: Objective) -> Callable[[IntArray], float]:
    """Return the objective as a function of positions, on a K x K table where that is enough."""
    labels = problem.labels
    if objective.solve is None:
        return on_rows(problem, objective.value)
    below = np.vstack([np.zeros(len(labels)), np.cumsum(problem.table, axis=0)])
    true, predicted = np.indices((len(labels), len(labels)))

    def _value(positions: IntArray) -> float:
        ends = np.concatenate([[0], positions, [len(problem.scores)]])
        table = np.diff(below[ends], axis=0).T
        cells = table > 0
        grades = labels[true[cells]], labels[predicted[cells]]
        return objective.value(*grades, labels, table[cells])

    return _value
