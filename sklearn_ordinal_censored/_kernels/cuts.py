"""Globally optimal cut points between sorted groups of equal scores.

A table holds the weight of every grade (column) in every group of equal scores (row, ascending). A
solution is a vector of positions: ``positions[k]`` groups lie below cut ``k``. For a loss that is a
sum over rows, a dynamic programme over the grades finds the best positions in O(groups x grades);
a weighted kappa is a ratio of two such sums, which takes a few passes.
"""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.confusion import expected_disagreement
from sklearn_ordinal_censored._kernels.ratio import minimise_ratio
from sklearn_ordinal_censored._typing import FloatArray, IntArray

_COARSE = 500  # groups of the coarse problem that a large one starts from


def cut_thresholds(scores: FloatArray, positions: IntArray) -> FloatArray:
    """Return cut points between the scores on either side of every position.

    Parameters
    ----------
    scores : ndarray of shape (n_groups,)
        Distinct scores, ascending.
    positions : ndarray of shape (n_cuts,)
        Number of scores below each cut.

    Returns
    -------
    ndarray of shape (n_cuts,)
        Strictly above the lower and at most equal to the upper of two scores; infinite at the ends.

    Examples
    --------
    >>> import numpy as np
    >>> cut_thresholds(np.array([1.0, 2.0]), np.array([0, 1, 2]))
    array([-inf,  1.5,  inf])
    """
    below = np.concatenate([[-np.inf], scores])[positions]
    above = np.concatenate([scores, [np.inf]])[positions]
    with np.errstate(invalid="ignore"):
        # Halves first: the sum of two huge scores would overflow.
        middle = below / 2 + above / 2
    # Between neighbouring floats, and subnormal ones, the middle may round onto the lower score.
    return np.where((middle > below) | np.isinf(below), middle, above)


def minimise_cost(table: FloatArray, cost: FloatArray) -> IntArray:
    """Return the positions of least total cost.

    Parameters
    ----------
    table : ndarray of shape (n_groups, n_classes)
        Weight of every true grade in every group.
    cost : ndarray of shape (n_classes, n_predicted)
        Cost of predicting each grade, in the order of the cuts, for every true grade.

    Returns
    -------
    ndarray of shape (n_predicted - 1,)
        Non-decreasing positions between 0 and ``n_groups``.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> minimise_cost(table, np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([2])
    """
    running = _running_costs(table, cost)
    return _best_positions(running, np.empty_like(running))


def maximise_kappa(table: FloatArray, disagreement: FloatArray) -> IntArray:
    """Return the positions of the largest weighted kappa.

    Parameters
    ----------
    table : ndarray of shape (n_groups, n_classes)
        Weight of every true grade in every group; two grades at least have weight.
    disagreement : ndarray of shape (n_classes, n_predicted)
        Not negative.

    Returns
    -------
    ndarray of shape (n_predicted - 1,)
        Non-decreasing positions between 0 and ``n_groups``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal_censored._kernels.confusion import rank_distance
    >>> table = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    >>> maximise_kappa(table, rank_distance(3, 2))
    array([1, 1])
    """
    chance = expected_disagreement(table.sum(axis=0), disagreement)
    observed = _running_costs(table, disagreement)
    expected = chance[:, np.newaxis] * np.append(0.0, np.cumsum(table.sum(axis=1)))
    loss, buffer = np.empty_like(observed), np.empty_like(observed)

    def _solve(ratio: float) -> tuple[IntArray, float, float]:
        np.multiply(expected, -ratio, out=loss)
        np.add(loss, observed, out=loss)
        positions = _best_positions(loss, buffer)
        return positions, _total(observed, positions), _total(expected, positions)

    first = _first_incumbent(table, disagreement, chance, observed, expected)
    return minimise_ratio(_solve, *first)[0]


def _first_incumbent(
    table: FloatArray,
    disagreement: FloatArray,
    chance: FloatArray,
    observed: FloatArray,
    expected: FloatArray,
) -> tuple[IntArray, float]:
    """Return positions to improve on, and one minus their kappa.

    Every constant prediction has ratio 1. Only a lower one replaces it: a grade that costs nothing
    against the grades present would win with 0/0. A large problem starts from the solution of a
    coarse one, which saves about half of the passes.
    """
    positions = _best_constant(chance, len(table))
    if len(table) > 2 * _COARSE:
        edges = np.linspace(0, len(table), _COARSE + 1).astype(np.intp)
        coarse = maximise_kappa(np.add.reduceat(table, edges[:-1], axis=0), disagreement)
        cost, by_chance = _total(observed, edges[coarse]), _total(expected, edges[coarse])
        if cost < by_chance:
            return edges[coarse], cost / by_chance
    return positions, 1.0


def _running_costs(table: FloatArray, cost: FloatArray) -> FloatArray:
    """Return the cost of giving each prediction (row) to the first 0, 1, ... groups (column)."""
    below = np.zeros((table.shape[1], len(table) + 1))
    np.cumsum(table.T, axis=1, out=below[:, 1:])
    # Not a matrix product: for so few grades BLAS threads cost more than they bring.
    return np.asarray(np.einsum("jk,ju->ku", cost, below))


def _best_positions(running: FloatArray, gains: FloatArray) -> IntArray:
    """Return the positions of least cost; ``gains`` is a buffer, to reuse memory."""
    best = running[0].copy()
    for k in range(1, len(running)):
        np.subtract(best, running[k], out=gains[k])
        np.minimum.accumulate(gains[k], out=best)
        best += running[k]
    positions = np.empty(len(running) - 1, dtype=np.intp)
    end = running.shape[1] - 1
    for k in range(len(running) - 1, 0, -1):
        end = int(np.argmin(gains[k, : end + 1]))
        positions[k - 1] = end
    return positions


def _total(running: FloatArray, positions: IntArray) -> float:
    """Return the cost of the segments between the positions."""
    grades = np.arange(len(running))
    start, stop = np.append(0, positions), np.append(positions, running.shape[1] - 1)
    return float((running[grades, stop] - running[grades, start]).sum())


def _best_constant(chance: FloatArray, n_groups: int) -> IntArray:
    """Return the positions that predict everywhere the grade of least positive disagreement."""
    grade = int(np.argmin(np.where(chance > 0, chance, np.inf)))
    return np.repeat([0, n_groups], [grade, len(chance) - 1 - grade]).astype(np.intp)
