"""The survival curve of all rows together, whatever their censoring."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.nonparametric._turnbull import Turnbull

Curve: TypeAlias = KaplanMeier | Turnbull | None
_HALF = 0.5 + 1e-9  # a curve that is 1/2 up to rounding has come down to it


def marginal_curve(target: CensoredTarget, weight: FloatArray | None) -> Curve:
    """Return the curve of all rows.

    Parameters
    ----------
    target : CensoredTarget
        Rows of any kind.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    KaplanMeier, Turnbull or None
        Turnbull's curve for left- or interval-censored rows; None if these have entries, too.

    Examples
    --------
    >>> marginal_curve(CensoredTarget(np.array([2.0, 5.0]), np.array([2.0, 5.0])), None)
    KaplanMeier()
    >>> marginal_curve(CensoredTarget(np.array([2.0, 5.0]), np.array([3.0, 5.0])), None)
    Turnbull()
    """
    if target.is_right_censored:
        return KaplanMeier()._fit(target, weight)
    if target.entry is not None:
        return None
    return Turnbull()._fit(target, weight)


def median_time(curve: Curve) -> float:
    """Return the first time at which a curve is 1/2 or lower.

    Parameters
    ----------
    curve : KaplanMeier, Turnbull or None
        A fitted curve.

    Returns
    -------
    float
        NaN without such a time, and without a curve.

    Examples
    --------
    >>> median_time(KaplanMeier().fit([[2, 2], [4, 4], [5, 5]]))
    4.0
    """
    if curve is None:
        return np.nan
    ends = curve.times_ if isinstance(curve, KaplanMeier) else curve.intervals_[:, 1]
    ends = ends[np.isfinite(ends)]
    reached = ends[curve.predict(ends) <= _HALF]
    return float(reached[0]) if reached.size else np.nan


def survival_at(curve: Curve, times: FloatArray) -> FloatArray:
    """Return a curve at some times, where it is not unique in the middle of what it may be.

    Parameters
    ----------
    curve : KaplanMeier, Turnbull or None
        A fitted curve.
    times : ndarray of shape (n_times,)
        Times.

    Returns
    -------
    ndarray of shape (n_times,)
        Probabilities; NaN where the curve is unknown, and without a curve.

    Examples
    --------
    >>> curve = Turnbull().fit([[2, 3], [5, 6]])
    >>> survival_at(curve, np.array([2.5, 4.0]))
    array([0.75, 0.5 ])
    """
    if curve is None:
        return np.full(len(times), np.nan)
    survival = curve.predict(times)
    if isinstance(curve, KaplanMeier):
        return survival
    return np.where(np.isnan(survival), survival, curve.predict_bounds(times).mean(axis=1))
