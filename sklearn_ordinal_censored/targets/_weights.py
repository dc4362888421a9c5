"""Row weights: checked at the door, scaled so that no sum of them overflows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._inputs import check_floats, preview


def check_weights(sample_weight: ArrayLike | None, n_samples: int) -> FloatArray | None:
    """Return row weights as float64, or None for equal weights.

    Parameters
    ----------
    sample_weight : array-like of shape (n_samples,) or None
        Finite and not negative, with a positive and finite sum.
    n_samples : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n_samples,) or None
        The weights.

    Examples
    --------
    >>> check_weights([1, 2], 2)
    array([1., 2.])
    >>> check_weights([0, 0], 2)
    Traceback (most recent call last):
    ValueError: sample_weight is zero for every row; at least one row must count.
    """
    if sample_weight is None:
        return None
    weight = check_floats("sample_weight", sample_weight)
    if len(weight) != n_samples:
        raise ValueError(
            f"sample_weight has {len(weight)} rows, the target has {n_samples}; give one for each "
            "row."
        )
    if (weight < 0).any():
        raise ValueError(
            f"sample_weight must not be negative, but holds {preview(weight[weight < 0])}."
        )
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total == 0:
        raise ValueError("sample_weight is zero for every row; at least one row must count.")
    if not np.finfo(np.float64).tiny <= total < math.inf:
        raise ValueError(
            f"sample_weight has a sum of {total}, which float64 cannot hold exactly enough; scale "
            "the weights by a constant."
        )
    return weight


def scale_weights(weight: FloatArray) -> FloatArray:
    """Return weights with a sum between one half and one, for ratios of sums.

    Parameters
    ----------
    weight : ndarray of any shape
        Weights of rows or of cells.

    Returns
    -------
    ndarray of the same shape
        Divided by a power of two, which is exact. Products of two neither vanish nor overflow.

    Examples
    --------
    >>> scale_weights(np.array([1.0, 2.0, 4.0]))
    array([0.125, 0.25 , 0.5  ])
    """
    return np.asarray(np.ldexp(weight, -np.frexp(weight.sum())[1]))


def average(values: FloatArray, weight: FloatArray | None) -> float:
    """Return the weighted mean, whose sums do not overflow.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Values.
    weight : ndarray of shape (n_samples,) or None
        Row weights with a positive sum; None for equal ones.

    Returns
    -------
    float
        The mean.

    Examples
    --------
    >>> average(np.array([1e308, 1e308]), None)
    1e+308
    """
    weight = np.ones(len(values)) if weight is None else weight
    return float(np.average(values, weights=scale_weights(weight)))
