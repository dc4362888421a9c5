"""What predicted probabilities and scores of grades are reduced to: soft tables, areas, losses."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.ranks import group_scores
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


def soft_table(codes: IntArray, proba: FloatArray, weight: FloatArray | None = None) -> FloatArray:
    """Return the confusion table whose columns share every row by its probabilities.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        True ranks.
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true ranks.

    Examples
    --------
    >>> import numpy as np
    >>> soft_table(np.array([0, 1, 1]), np.array([[0.5, 0.5], [0.0, 1.0], [0.25, 0.75]]))
    array([[0.5 , 0.5 ],
           [0.25, 1.75]])
    """
    n_classes = proba.shape[1]
    shares = proba if weight is None else proba * weight[:, np.newaxis]
    columns = [np.bincount(codes, weights=share, minlength=n_classes) for share in shares.T]
    return np.column_stack(columns)


def threshold_losses(codes: IntArray, exceedance: FloatArray) -> FloatArray:
    """Return the squared error of ``P(y > k)`` for every row and cut point.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        True ranks.
    exceedance : ndarray of shape (n_samples, n_classes - 1)
        Probabilities.

    Returns
    -------
    ndarray of shape (n_samples, n_classes - 1)
        Between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> threshold_losses(np.array([1]), np.array([[0.5, 0.25]]))
    array([[0.25  , 0.0625]])
    """
    above = codes[:, np.newaxis] > np.arange(exceedance.shape[1])
    return np.square(above - exceedance)


def area_under_curve(is_above: AnyArray, score: FloatArray, weight: FloatArray | None) -> float:
    """Return the area under the ROC curve, NaN where one of the two sides is empty.

    Parameters
    ----------
    is_above : ndarray of shape (n_samples,)
        Which rows are positive.
    score : ndarray of shape (n_samples,)
        Scores.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    float
        Share of the pairs that the score puts in order; ties count one half.

    Examples
    --------
    >>> import numpy as np
    >>> area_under_curve(np.array([False, True, True]), np.array([1.0, 1.0, 2.0]), None)
    0.75
    """
    _, table = group_scores(score, is_above, 2, weight)
    below, above = table.T
    pairs = below.sum() * above.sum()
    if pairs == 0:
        return float("nan")
    return float((above * (np.cumsum(below) - below / 2)).sum() / pairs)
