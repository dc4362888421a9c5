"""The product-limit curve of weighted, right-censored and late-entering rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


class StepCurve(NamedTuple):
    """A right-continuous step function that starts at one.

    Attributes
    ----------
    times : ndarray of shape (n_times,)
        Distinct times, ascending.
    survival : ndarray of shape (n_times,)
        Value from each time on.
    at_risk : ndarray of shape (n_times,)
        Weight at risk at each time.
    hazard_variance : ndarray of shape (n_times,)
        Greenwood's sum, the variance of the log of the curve; infinite once the curve is 0.

    Examples
    --------
    >>> import numpy as np
    >>> product_limit(np.array([1.0, 2.0]), np.array([True, True])).survival
    array([0.5, 0. ])
    """

    times: FloatArray
    survival: FloatArray
    at_risk: FloatArray
    hazard_variance: FloatArray


def product_limit(
    time: FloatArray,
    event: AnyArray,
    weight: FloatArray | None = None,
    entry: FloatArray | None = None,
    *,
    reverse: bool = False,
) -> StepCurve:
    """Return the Kaplan-Meier curve of the events, or of the censorings.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of shape (n_samples,)
        Whether each time is an event.
    weight : ndarray of shape (n_samples,) or None
        Row weights.
    entry : ndarray of shape (n_samples,) or None
        A row is at risk at ``t`` if ``entry < t <= time``.
    reverse : bool, default=False
        Whether censorings are the event of interest. At a tied time the events leave first.

    Returns
    -------
    StepCurve
        The curve.

    Examples
    --------
    >>> import numpy as np
    >>> time, event = np.array([1.0, 1.0, 2.0]), np.array([True, False, False])
    >>> product_limit(time, event, reverse=True).survival
    array([0.5, 0. ])
    """
    weight = np.ones(len(time)) if weight is None else weight
    times, group = np.unique(time, return_inverse=True)
    at_risk, jumps = _risk_sets(times, group, event, weight, entry, reverse)
    stay = at_risk - jumps
    if entry is not None:
        # Taking weights away leaves a rest where nobody stays, so heads are counted as well.
        heads, leaving = _risk_sets(times, group, event, np.ones(len(time)), entry, reverse)
        stay = np.where(heads > leaving, np.maximum(stay, 0.0), 0.0)
        at_risk = stay + jumps
    with np.errstate(divide="ignore", invalid="ignore"):
        survival = np.asarray(np.cumprod(np.where(jumps > 0, stay / at_risk, 1.0)), np.float64)
        variance = np.cumsum(np.where(jumps > 0, jumps / at_risk / stay, 0.0))
    return StepCurve(times, survival, at_risk, variance)


def _risk_sets(
    times: FloatArray,
    group: IntArray,
    event: AnyArray,
    weight: FloatArray,
    entry: FloatArray | None,
    reverse: bool,
) -> tuple[FloatArray, FloatArray]:
    """Return the weight at risk at each time, and that of it which leaves."""
    events: FloatArray = np.bincount(group, weights=weight * event).astype(np.float64)
    censorings: FloatArray = np.bincount(group, weights=weight * ~event).astype(np.float64)
    leaving = events + censorings
    later: FloatArray = np.append(np.cumsum(leaving[:0:-1])[::-1], 0.0)
    # Added up, not taken away: at the last time the risk set then equals its jumps to the last bit.
    jumps = censorings if reverse else events
    at_risk = later + censorings if reverse else later + censorings + events
    if entry is not None:
        at_risk = at_risk - _not_yet_entered(times, entry, weight)
    return at_risk, jumps


def _not_yet_entered(times: FloatArray, entry: FloatArray, weight: FloatArray) -> FloatArray:
    order = np.argsort(entry)
    waiting = np.append(np.cumsum(weight[order][::-1])[::-1], 0.0)
    return np.asarray(waiting[np.searchsorted(entry[order], times, side="left")])


def survival_interval(
    survival: FloatArray, standard_error: FloatArray, level: float, method: str = "log-log"
) -> FloatArray:
    """Return confidence intervals of survival probabilities.

    Parameters
    ----------
    survival : ndarray of shape (n_times,)
        Probabilities.
    standard_error : ndarray of shape (n_times,)
        Their standard errors.
    level : float
        Confidence level.
    method : {"log-log", "plain"}, default="log-log"
        ``"log-log"`` stays between 0 and 1; ``"plain"`` is symmetric and cut off there.

    Returns
    -------
    ndarray of shape (n_times, 2)
        Lower and upper ends; one at a probability of 1, NaN at 0.

    Examples
    --------
    >>> survival_interval(np.array([0.5]), np.array([0.1]), 0.95).round(3)
    array([[0.295, 0.675]])
    """
    curve, error = survival[:, np.newaxis], standard_error[:, np.newaxis]
    sides = np.array([-1.0, 1.0])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        margin = ndtri((1 + level) / 2) * (error / curve)
        if method == "plain":
            ends = np.clip(curve * (1 + sides * margin), 0.0, 1.0)
        else:
            ends = curve ** np.exp(-sides * margin / np.abs(np.log(curve)))
    ends[survival == 1] = 1.0
    ends[survival == 0] = np.nan
    return np.asarray(ends)
