"""Means of a Kaplan-Meier curve up to its last time, and what stands for a censored time there."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.product_limit import StepCurve
from sklearn_ordinal_censored._typing import AnyArray, FloatArray


def tail_areas(curve: StepCurve) -> FloatArray:
    """Return the area under a curve from each of its times to the last one.

    Parameters
    ----------
    curve : StepCurve
        A survival curve.

    Returns
    -------
    ndarray of shape (n_times,)
        Areas; 0 at the last time.

    Examples
    --------
    >>> from sklearn_ordinal_censored._kernels.product_limit import product_limit
    >>> tail_areas(product_limit(np.array([1.0, 2.0, 4.0]), np.ones(3, dtype=bool)))
    array([1.33333333, 0.66666667, 0.        ])
    """
    steps = curve.survival[:-1] * np.diff(curve.times)
    return np.append(np.cumsum(steps[::-1])[::-1], 0.0)


def restricted_mean(curve: StepCurve) -> float:
    """Return the mean time, cut off at the last time of the curve.

    Parameters
    ----------
    curve : StepCurve
        A survival curve.

    Returns
    -------
    float
        The first time plus the area from there on, which is the area from 0 on for times that are
        not negative.

    Examples
    --------
    >>> from sklearn_ordinal_censored._kernels.product_limit import product_limit
    >>> round(restricted_mean(product_limit(np.array([1.0, 2.0, 6.0]), np.ones(3, dtype=bool))), 9)
    3.0
    """
    return float(curve.times[0] + tail_areas(curve)[0])


def conditional_means(curve: StepCurve) -> FloatArray:
    """Return the mean time given no event up to each time of a curve, cut off at the last one.

    Parameters
    ----------
    curve : StepCurve
        A survival curve.

    Returns
    -------
    ndarray of shape (n_times,)
        Times; NaN where the curve is 0.

    Examples
    --------
    >>> from sklearn_ordinal_censored._kernels.product_limit import product_limit
    >>> curve = product_limit(np.array([1.0, 2.0, 4.0]), np.array([True, False, False]))
    >>> conditional_means(curve)
    array([4., 4., 4.])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(curve.times + tail_areas(curve) / curve.survival)


def pseudo_means(
    curve: StepCurve, time: FloatArray, event: AnyArray, weight: FloatArray, unit: float
) -> FloatArray:
    """Return the jackknife pseudo-observation of the restricted mean for a censoring at each time.

    Parameters
    ----------
    curve : StepCurve
        The Kaplan-Meier curve of the rows, all of them at risk from the start.
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of shape (n_samples,)
        Whether each time is an event.
    weight : ndarray of shape (n_samples,)
        Row weights.
    unit : float
        The weight that is left out, at most that of the censored row.

    Returns
    -------
    ndarray of shape (n_times,)
        With weight n in all and the mean m, ``(n m - (n - unit) m_out) / unit``; of use at times
        with a censoring.

    Notes
    -----
    Without the unit the curve is ``S_k prod(1 - unit d_j / ((r_j - unit) (r_j - d_j)))``, the
    product over the times up to k and up to the censoring, with ``d_j`` of ``r_j`` leaving. So one
    pass serves all censorings, and the difference of the means is a sum of positive terms.

    Examples
    --------
    Without the row censored at 2 the curve falls to 2/3 at 1 and to 1/3 at 3, and its mean up to 4
    from 23/8 to 8/3; 4 times the one minus 3 times the other is 7/2.

    >>> from sklearn_ordinal_censored._kernels.product_limit import product_limit
    >>> time, event = np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, False, True, False])
    >>> curve = product_limit(time, event)
    >>> pseudo_means(curve, time, event, np.ones(4), 1.0)[[1, 3]]
    array([3.5, 4.5])
    """
    place = np.searchsorted(curve.times, time)
    jumps = np.bincount(place, weights=weight * event, minlength=len(curve.times))
    stay = curve.at_risk - jumps
    with np.errstate(divide="ignore", invalid="ignore"):
        share = unit / (curve.at_risk - unit) * (jumps / stay)
        # At most 1, but for rounding; where nobody stays, no censoring comes that would ask.
        change = np.where((jumps > 0) & (stay > 0), np.log1p(-np.minimum(share, 1.0)), 0.0)
    lost = -np.expm1(np.cumsum(change))
    steps = (lost * curve.survival)[:-1] * np.diff(curve.times)
    difference = np.append(0.0, np.cumsum(steps)) + lost * tail_areas(curve)
    with np.errstate(over="ignore", invalid="ignore"):
        means = restricted_mean(curve) + (weight.sum() - unit) / unit * difference
    return np.where(np.isfinite(means), means, np.nan)  # a unit too light beside the others
