"""Globally optimal cut points between sorted groups of equal scores.

A table holds the weight of every grade (column) in every group of equal scores (row, ascending). A
solution is a vector of positions: ``positions[k]`` groups lie below cut ``k``. For a loss that is a
sum over rows, a dynamic programme over the grades finds the best positions in O(groups x grades);
a weighted kappa is a ratio of two such sums, and Dinkelbach's iteration reduces it to a few passes.

References
----------
W. Dinkelbach. "On Nonlinear Fractional Programming." Management Science 13(7), 1967.
doi:10.1287/mnsc.13.7.492
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sklearn_ordinal_censored._kernels.confusion import expected_disagreement
from sklearn_ordinal_censored._typing import FloatArray, IntArray


def group_scores(
    score: FloatArray, codes: IntArray, n_classes: int, weight: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return the distinct scores, and the weight of every grade at each of them.

    Parameters
    ----------
    score : ndarray of shape (n_samples,)
        Scores.
    codes : ndarray of shape (n_samples,)
        Ranks of the true grades.
    n_classes : int
        Number of grades.
    weight : ndarray of shape (n_samples,) or None
        Positive row weights.

    Returns
    -------
    scores : ndarray of shape (n_groups,)
        Ascending.
    table : ndarray of shape (n_groups, n_classes)
        Weights.

    Examples
    --------
    >>> import numpy as np
    >>> scores, table = group_scores(np.array([2.0, 1.0, 2.0]), np.array([1, 0, 0]), 2, None)
    >>> scores, table
    (array([1., 2.]), array([[1., 0.], [1., 1.]]))
    """
    scores, group = np.unique(score, return_inverse=True)
    cells = np.bincount(
        group * n_classes + codes, weights=weight, minlength=len(scores) * n_classes
    )
    return scores, cells.reshape(len(scores), n_classes).astype(np.float64, copy=False)


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
    # prefix[k, u]: cost of giving the k-th prediction to the first u groups
    prefix = np.zeros((cost.shape[1], len(table) + 1))
    np.cumsum((table @ cost).T, axis=1, out=prefix[:, 1:])
    best = prefix[0]
    gains = np.empty_like(prefix)
    for k in range(1, len(prefix)):
        np.subtract(best, prefix[k], out=gains[k])
        best = prefix[k] + np.minimum.accumulate(gains[k])
    positions = np.empty(len(prefix) - 1, dtype=np.intp)
    end = len(table)
    for k in range(len(prefix) - 1, 0, -1):
        end = int(np.argmin(gains[k, : end + 1]))
        positions[k - 1] = end
    return positions


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
    positions = _best_constant(chance, len(table))
    # Kappa is 1 - ratio; every constant prediction has ratio 1. Only an improvement replaces the
    # incumbent: a grade that costs nothing against the grades present would win with 0/0.
    ratio = 1.0
    while True:
        candidate = minimise_cost(table, disagreement - ratio * chance)
        confusion = segment_table(table, candidate)
        expected = float(chance @ confusion.sum(axis=0))
        if expected <= 0:
            return positions
        challenge = float((disagreement * confusion).sum()) / expected
        if not challenge < ratio:
            return positions
        positions, ratio = candidate, challenge


def segment_table(table: FloatArray, positions: IntArray) -> FloatArray:
    """Return the confusion table that the positions lead to.

    Parameters
    ----------
    table : ndarray of shape (n_groups, n_classes)
        Weight of every true grade in every group.
    positions : ndarray of shape (n_predicted - 1,)
        Number of groups below each cut.

    Returns
    -------
    ndarray of shape (n_classes, n_predicted)
        Rows are true grades.

    Examples
    --------
    >>> import numpy as np
    >>> segment_table(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1]))
    array([[1., 0.],
           [0., 1.]])
    """
    bounds = [0, *positions.tolist(), len(table)]
    return np.stack([table[start:stop].sum(axis=0) for start, stop in pairwise(bounds)], axis=1)


def _best_constant(chance: FloatArray, n_groups: int) -> IntArray:
    """Return the positions that predict everywhere the grade of least positive disagreement."""
    grade = int(np.argmin(np.where(chance > 0, chance, np.inf)))
    return np.repeat([0, n_groups], [grade, len(chance) - 1 - grade]).astype(np.intp)
