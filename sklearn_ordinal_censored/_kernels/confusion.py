"""Weighted confusion tables and disagreement matrices: all that label metrics are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import FloatArray, IntArray


def confusion_table(
    true: IntArray, pred: IntArray, n_classes: int, weight: FloatArray | None = None
) -> FloatArray:
    """Return the weight of every pair of true and predicted rank.

    Parameters
    ----------
    true, pred : ndarray of shape (n_samples,)
        Ranks from 0 to ``n_classes - 1``.
    n_classes : int
        Number of grades.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true ranks, columns predicted ones.

    Examples
    --------
    >>> import numpy as np
    >>> confusion_table(np.array([0, 1, 1]), np.array([0, 0, 1]), 2)
    array([[1., 0.],
           [1., 1.]])
    """
    cell = true * n_classes
    cell += pred
    counts = np.bincount(cell, weights=weight, minlength=n_classes**2)
    return counts.reshape(n_classes, n_classes).astype(np.float64, copy=False)


def rank_distance(n_classes: int, power: float = 1.0) -> FloatArray:
    """Return the distance of every pair of ranks, to a power.

    Parameters
    ----------
    n_classes : int
        Number of grades.
    power : float, default=1.0
        Exponent; 0 gives one for all pairs of different ranks.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        ``|i - j| ** power`` with a zero diagonal.

    Examples
    --------
    >>> rank_distance(3, 2)
    array([[0., 1., 4.],
           [1., 0., 1.],
           [4., 1., 0.]])
    """
    ranks = np.arange(n_classes, dtype=np.float64)
    distance = np.abs(ranks[:, np.newaxis] - ranks)
    return distance**power if power else (distance > 0).astype(np.float64)


def expected_disagreement(true_margin: FloatArray, disagreement: FloatArray) -> FloatArray:
    """Return the disagreement of every grade with a random draw from the truth.

    Parameters
    ----------
    true_margin : ndarray of shape (..., n_classes)
        Weight of every true grade.
    disagreement : ndarray of shape (n_classes, n_classes)
        Rows are true ranks.

    Returns
    -------
    ndarray of shape (..., n_classes)
        Mean disagreement of predicting each grade everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> expected_disagreement(np.array([1.0, 3.0]), rank_distance(2))
    array([0.75, 0.25])
    """
    return np.asarray((true_margin / true_margin.sum(axis=-1, keepdims=True)) @ disagreement)


def kappa_of_table(table: FloatArray, disagreement: FloatArray, is_constant: bool = False) -> float:
    """Return the weighted kappa of a table, NaN where it is 0/0.

    Parameters
    ----------
    table : ndarray of shape (n_classes, n_classes)
        Rows are true ranks, columns predicted ones.
    disagreement : ndarray of shape (n_classes, n_classes)
        Zero on the diagonal.
    is_constant : bool, default=False
        Whether a side is known to be constant beyond what the table shows: shares of rows may be.

    Returns
    -------
    float
        One minus observed over expected disagreement.

    Examples
    --------
    >>> import numpy as np
    >>> kappa_of_table(np.array([[1.0, 1.0], [0.0, 2.0]]), rank_distance(2))
    0.5
    """
    observed = (disagreement * table).sum()
    margins = table.sum(axis=1), table.sum(axis=0)
    return float(kappa_of_margins(observed, *margins, disagreement, is_constant))


def kappa_of_margins(
    observed: Any,
    true_margin: FloatArray,
    pred_margin: FloatArray,
    disagreement: FloatArray,
    is_constant: Any = False,
) -> FloatArray:
    """Return weighted kappas of observed disagreements and margins, NaN where they are 0/0.

    Parameters
    ----------
    observed : ndarray of shape (...)
        Sums of disagreements.
    true_margin, pred_margin : ndarray of shape (..., n_classes)
        Weight of every true and of every predicted grade.
    disagreement : ndarray of shape (n_classes, n_classes)
        Zero on the diagonal.
    is_constant : bool, default=False
        Whether a side is known to be constant.

    Returns
    -------
    ndarray of shape (...)
        One minus observed over expected disagreement.

    Examples
    --------
    Two tables of four rows; the second one has a single predicted grade:

    >>> import numpy as np
    >>> true_margin, pred_margin = np.array([2.0, 2.0]), np.array([[1.0, 3.0], [0.0, 4.0]])
    >>> kappa_of_margins(np.array([1.0, 2.0]), true_margin, pred_margin, rank_distance(2))
    array([0.5, 0. ])
    """
    expected = np.vecdot(expected_disagreement(true_margin, disagreement), pred_margin)
    expected = np.where(expected == 0, np.nan, expected)
    for margin in (true_margin, pred_margin):
        is_constant = is_constant | ((margin != 0).sum(axis=-1) == 1)
    # A constant side agrees as often as chance does, exactly.
    return np.where(is_constant & ~np.isnan(expected), 0.0, 1.0 - observed / expected)


def cumulative_counts(table: FloatArray) -> FloatArray:
    """Return the four counts of "above grade k" for every cut point.

    Parameters
    ----------
    table : ndarray of shape (n_classes, n_classes)
        Rows are true ranks, columns predicted ones.

    Returns
    -------
    ndarray of shape (4, n_classes - 1)
        True negatives, false positives, false negatives and true positives.

    Examples
    --------
    >>> import numpy as np
    >>> cumulative_counts(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1.],
           [2.],
           [3.],
           [4.]])
    """
    # Four running sums, one from each corner: nothing is subtracted, so nothing cancels.
    below, above = table, table[::-1]
    negatives = _corner(below).diagonal()[:-1], _corner(below[:, ::-1])[:, ::-1].diagonal(1)
    positives = (
        _corner(above)[::-1].diagonal(-1),
        _corner(above[:, ::-1])[::-1, ::-1].diagonal()[1:],
    )
    return np.stack([*negatives, *positives])


def _corner(table: FloatArray) -> FloatArray:
    return table.cumsum(axis=0).cumsum(axis=1)
