"""Weighted confusion tables and disagreement matrices: all that label metrics are made of."""

from __future__ import annotations

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
    true_margin : ndarray of shape (n_classes,)
        Weight of every true grade.
    disagreement : ndarray of shape (n_classes, n_classes)
        Rows are true ranks.

    Returns
    -------
    ndarray of shape (n_classes,)
        Mean disagreement of predicting each grade everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> expected_disagreement(np.array([1.0, 3.0]), rank_distance(2))
    array([0.75, 0.25])
    """
    return np.asarray((true_margin / true_margin.sum()) @ disagreement)


def kappa_of_table(table: FloatArray, disagreement: FloatArray) -> float:
    """Return the weighted kappa of a table, NaN where it is 0/0.

    Parameters
    ----------
    table : ndarray of shape (n_classes, n_classes)
        Rows are true ranks, columns predicted ones.
    disagreement : ndarray of shape (n_classes, n_classes)
        Zero on the diagonal.

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
    true_margin, pred_margin = table.sum(axis=1), table.sum(axis=0)
    expected = float(expected_disagreement(true_margin, disagreement) @ pred_margin)
    if expected == 0:
        return float("nan")
    if np.count_nonzero(true_margin) == 1 or np.count_nonzero(pred_margin) == 1:
        return 0.0  # a constant side agrees as often as chance does, exactly
    return 1.0 - float((disagreement * table).sum()) / expected


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
