"""Soft class memberships: what a smooth model of the grades given the score adds to the rows.

The best cut points for the rows at hand follow every accident of the sample. Mixing the 0/1
memberships with smooth class probabilities, as if ``smoothing`` further rows had been seen, leaves
the optimisation as it is and takes the accidents out of its input.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from sklearn.linear_model import LogisticRegression

from sklearn_ordinal_censored._typing import FloatArray


def smooth_table(table: FloatArray, smoothing: float) -> FloatArray:
    """Mix the grades at every score with smooth probabilities of the grades.

    Parameters
    ----------
    table : ndarray of shape (n_groups, n_classes)
        Weight of every grade in every group of equal scores, ascending.
    smoothing : float
        Number of rows that the smooth probabilities count for.

    Returns
    -------
    ndarray of shape (n_groups, n_classes)
        Table with the same weight in every group; ``table`` itself for ``smoothing=0``.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[3.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
    >>> smooth_table(table, 7.0).round(1)
    array([[2.9, 0.1],
           [0.2, 0.8],
           [1. , 2. ]])
    """
    if smoothing == 0:
        return table
    total = table.sum()
    smooth = table.sum(axis=1, keepdims=True) * _smooth_probabilities(table)
    return np.asarray((total * table + smoothing * smooth) / (total + smoothing))


def _smooth_probabilities(table: FloatArray) -> FloatArray:
    """Return smooth class probabilities, one cumulative logistic regression a cut."""
    features = _features(table.sum(axis=1))
    at_most = np.cumsum(table, axis=1)[:, :-1]
    above = np.cumsum(table[:, :0:-1], axis=1)[:, ::-1]
    cdf = np.ones_like(table)
    for k in range(at_most.shape[1]):
        cdf[:, k] = _probability_at_most(features, at_most[:, k], above[:, k])
    cdf = np.maximum.accumulate(cdf, axis=1)  # fitted one by one, the curves may cross
    return np.diff(cdf, axis=1, prepend=0.0)


def _features(mass: FloatArray) -> FloatArray:
    """Return powers of the normal scores of the mid-ranks: no other trace of the scores' scale."""
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    z = ndtri(middle)
    return np.column_stack([z, z**2, z**3])


def _probability_at_most(
    features: FloatArray, at_most: FloatArray, above: FloatArray
) -> FloatArray:
    if not above.any() or not at_most.any():
        return np.full(len(features), float(at_most.any()))
    weight = np.concatenate([at_most, above])
    event = np.repeat([1, 0], len(features))
    rows = weight > 0
    model = LogisticRegression(C=10.0, solver="newton-cholesky", tol=1e-8)
    model.fit(np.vstack([features, features])[rows], event[rows], sample_weight=weight[rows])
    return np.asarray(model.predict_proba(features)[:, 1])
