"""Ranks and groups of equal numbers by fast sorts, with the same answer on every machine."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


def dense_rank(values: AnyArray, stratum: IntArray | None = None) -> IntArray:
    """Return ranks from 0 in which equal values of a stratum share one.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Numbers without NaN, at least one.
    stratum : ndarray of shape (n_samples,) or None
        Number of each value's stratum; the ranks of a stratum are one stretch.

    Returns
    -------
    ndarray of shape (n_samples,)
        Ranks.

    Examples
    --------
    >>> dense_rank(np.array([5.0, 2.0, 5.0]))
    array([1, 0, 1])
    >>> dense_rank(np.array([5.0, 2.0, 5.0]), np.array([0, 1, 1]))
    array([0, 1, 2])
    """
    # How an unstable sort orders ties is of no account here, since ties share a rank.
    order = np.argsort(values) if stratum is None else np.lexsort((values, stratum))
    ordered = values[order]
    is_new = ordered[1:] != ordered[:-1]
    if stratum is not None:
        is_new |= stratum[order][1:] != stratum[order][:-1]
    rank = np.empty(len(values), dtype=np.intp)
    rank[order] = np.concatenate([[0], np.cumsum(is_new)])
    return rank


def stable_order(rank: IntArray) -> IntArray:
    """Return the order of ranks, ties by position.

    Parameters
    ----------
    rank : ndarray of shape (n_samples,)
        Small whole numbers.

    Returns
    -------
    ndarray of shape (n_samples,)
        Positions, as of a stable sort.

    Examples
    --------
    >>> stable_order(np.array([1, 0, 1]))
    array([1, 0, 2])
    """
    # Distinct keys: NumPy's fast sort is not stable, and its ties differ between processors.
    return np.argsort(rank * len(rank) + np.arange(len(rank)))


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
    >>> scores, table = group_scores(np.array([2.0, 1.0, 2.0]), np.array([1, 0, 0]), 2, None)
    >>> scores, table
    (array([1., 2.]), array([[1., 0.], [1., 1.]]))
    """
    order = np.argsort(score)
    ordered = score[order]
    is_new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    scores = ordered[is_new]
    cell = (np.cumsum(is_new) - 1) * n_classes + codes[order]
    cells = np.bincount(
        cell,
        weights=None if weight is None else weight[order],
        minlength=len(scores) * n_classes,
    )
    return scores, cells.reshape(len(scores), n_classes).astype(np.float64, copy=False)
