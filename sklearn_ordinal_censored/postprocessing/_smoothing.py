"""Soft class memberships: what a smooth model of the grades given the score adds to the rows.

The best cut points for the rows at hand follow every accident of the sample. Mixing the 0/1
memberships with smooth class probabilities, as if ``smoothing`` further rows had been seen, leaves
the optimisation as it is and takes the accidents out of its input.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, ndtri

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._weights import scale_weights

_C = 10.0  # inverse strength of the ridge penalty, as scikit-learn counts it
_MAX_STEPS = 100
_SMALLEST_STEP = 1e-10
_CLOSE = 1e-7


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
    smooth = table.sum(axis=1, keepdims=True) * _smooth_probabilities(table)
    # By a power of two, so that nothing overflows and no digit changes.
    total, weight = scale_weights(np.array([table.sum(), smoothing]))
    return np.asarray((total * table + weight * smooth) / (total + weight))


def _smooth_probabilities(table: FloatArray) -> FloatArray:
    """Return smooth class probabilities, one cumulative logistic regression a cut."""
    mass = table.sum(axis=1)
    design = _design(mass)
    at_most = np.cumsum(table, axis=1)[:, :-1]
    above = np.cumsum(table[:, :0:-1], axis=1)[:, ::-1]
    cdf = np.ones_like(table)
    coef = np.zeros(design.shape[1])
    for k in range(at_most.shape[1]):
        if k and not table[:, k].any():
            cdf[:, k] = cdf[:, k - 1]  # exactly, or a macro average would count the difference
        elif above[:, k].any() and at_most[:, k].any():
            coef = _fit_logistic(design, at_most[:, k], mass, coef)  # from the last cut's
            cdf[:, k] = expit(design @ coef)
        else:
            cdf[:, k] = float(at_most[:, k].any())
    cdf = np.maximum.accumulate(cdf, axis=1)  # fitted one by one, the curves may cross
    return np.diff(cdf, axis=1, prepend=0.0)


def _design(mass: FloatArray) -> FloatArray:
    """Return powers of the normal scores of the mid-ranks: no other trace of the scores' scale."""
    # Each half of the mid-ranks is counted from its own end, where small shares are exact.
    below, above = np.cumsum(mass) - mass / 2, np.cumsum(mass[::-1])[::-1] - mass / 2
    z = np.where(below < above, 1.0, -1.0) * ndtri(np.minimum(below, above) / mass.sum())
    return np.column_stack([np.ones_like(z), z, z**2, z**3])


def _fit_logistic(
    design: FloatArray, success: FloatArray, mass: FloatArray, coef: FloatArray
) -> FloatArray:
    """Return the coefficients of a ridge logistic regression on shares of the mass.

    Newton's method with step halving. The solvers of scikit-learn reach the same minimum, but warn
    on separable data with large weights, and there is no thread-safe way to silence them.
    """
    penalty = np.full(design.shape[1], 1.0 / _C)
    penalty[0] = 0.0  # the intercept

    def _loss(coef: FloatArray, eta: FloatArray) -> float:
        misfit = mass @ np.logaddexp(0.0, eta) - success @ eta
        return float(misfit + penalty @ coef**2 / 2)

    eta = design @ coef
    loss = _loss(coef, eta)
    for _ in range(_MAX_STEPS):
        share = expit(eta)
        gradient = design.T @ (mass * share - success) + penalty * coef
        hessian = (design.T * (mass * share * (1 - share))) @ design + np.diag(penalty)
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        shift, size = design @ step, 1.0
        while size > _SMALLEST_STEP and _loss(coef - size * step, eta - size * shift) > loss:
            size /= 2
        coef, eta = coef - size * step, eta - size * shift
        loss = _loss(coef, eta)
        # Newton doubles the right digits: after a step this small the next one changes nothing.
        if np.abs(size * step).max() <= _CLOSE * (1 + np.abs(coef).max()):
            break
    return coef
