"""Means whose sums do not overflow."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._inputs import scale_weights


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
