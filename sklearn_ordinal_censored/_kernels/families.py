"""Location-scale families: log probabilities of points, tails and intervals that hold far out.

Everything is in standard form, ``z = (t - location) / scale`` or, for the families of positive
times, ``z = (log t - location) / scale``. No probability is formed and then taken the log of, so
that what is as unlikely as ``exp(-1e5)`` keeps its digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, log_expit, log_ndtr, ndtr

from sklearn_ordinal_censored._typing import FloatArray

Function: TypeAlias = Callable[[FloatArray], FloatArray]

_LOG_TWO = np.log(2)
_LOG_ROOT_TWO_PI = np.log(2 * np.pi) / 2
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(10)


class Family(NamedTuple):
    """A distribution in standard form.

    Attributes
    ----------
    log_density, log_cdf, log_survival : callable
        Functions of z.
    log_interval : callable
        Log probability of an interval, from its finite ends and its width, which the ends alone
        would give with fewer digits.
    cdf : callable
        Function of z.
    bulk : tuple of float
        Below the first z the cdf, above the second the survival is lost beside 1.
    is_positive : bool
        Whether it is log t that has the distribution.

    Examples
    --------
    >>> float(FAMILIES["logistic"].log_survival(np.float64(50.0)))
    -50.0
    """

    log_density: Function
    log_cdf: Function
    log_survival: Function
    log_interval: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    cdf: Function
    bulk: tuple[float, float]
    is_positive: bool = False


def _log1mexp(x: FloatArray) -> FloatArray:
    """Return ``log(1 - exp(-x))`` for positive x."""
    large = np.maximum(x, _LOG_TWO)
    return np.asarray(np.where(x < _LOG_TWO, np.log(-np.expm1(-x)), np.log1p(-np.exp(-large))))


def _normal_density(z: FloatArray) -> FloatArray:
    return np.asarray(-z * z / 2 - _LOG_ROOT_TWO_PI)


def _normal_survival(z: FloatArray) -> FloatArray:
    return np.asarray(log_ndtr(-z))


def _normal_interval(low: FloatArray, high: FloatArray, width: FloatArray) -> FloatArray:
    # On the side of the lower tail, where the two probabilities do not both tend to 1.
    low, high = np.where(low + high > 0, (-high, -low), (low, high))
    upper = log_ndtr(high)
    wide = np.where(np.isneginf(upper), upper, upper + _log1mexp(upper - log_ndtr(low)))
    # Where the density hardly changes over the interval, its two ends have too many digits in
    # common: the density in the middle times the mean of what it is elsewhere, by Gauss's rule.
    middle = (low + high) / 2
    step = width[..., np.newaxis] / 2 * _NODES
    ratio = np.exp(-step * (middle[..., np.newaxis] + step / 2)) @ _NODE_WEIGHTS / 2
    narrow = _normal_density(middle) + np.log(width) + np.log(ratio)
    return np.asarray(np.where(width * np.maximum(np.abs(middle), 1) < 1, narrow, wide))


def _logistic_density(z: FloatArray) -> FloatArray:
    return np.asarray(log_expit(z) + log_expit(-z))


def _logistic_survival(z: FloatArray) -> FloatArray:
    return np.asarray(log_expit(-z))


def _logistic_interval(low: FloatArray, high: FloatArray, width: FloatArray) -> FloatArray:
    return np.asarray(log_expit(high) + log_expit(-low) + _log1mexp(width))


def _weibull_density(z: FloatArray) -> FloatArray:
    # Beyond 700 the first term is lost, and infinity less infinity would be none.
    return np.asarray(np.minimum(z, 700.0) - np.exp(z))


def _weibull_cdf(z: FloatArray) -> FloatArray:
    # exp(z) is the cumulative hazard; where it is small, so is the probability, and equal to it.
    return np.asarray(np.where(z < -37, z, _log1mexp(np.exp(z))))


def _weibull_survival(z: FloatArray) -> FloatArray:
    return np.asarray(-np.exp(z))


def _weibull_interval(low: FloatArray, high: FloatArray, width: FloatArray) -> FloatArray:
    # Survival up to the lower end, then an event before the hazard of the interval is used up.
    return -np.exp(low) + _weibull_cdf(high + _log1mexp(width))


def _weibull_probability(z: FloatArray) -> FloatArray:
    return np.asarray(-np.expm1(-np.exp(z)))


_NORMAL = Family(_normal_density, log_ndtr, _normal_survival, _normal_interval, ndtr, (-9.0, 9.0))
_LOGISTIC = Family(
    _logistic_density, log_expit, _logistic_survival, _logistic_interval, expit, (-40.0, 40.0)
)
_WEIBULL = Family(
    _weibull_density,
    _weibull_cdf,
    _weibull_survival,
    _weibull_interval,
    _weibull_probability,
    (-40.0, 4.0),
    is_positive=True,
)

FAMILIES = {
    "normal": _NORMAL,
    "logistic": _LOGISTIC,
    "lognormal": _NORMAL._replace(is_positive=True),
    "loglogistic": _LOGISTIC._replace(is_positive=True),
    "weibull": _WEIBULL,
}


def standardise(
    family: Family, bound: FloatArray, location: FloatArray, scale: FloatArray
) -> FloatArray:
    """Return bounds in standard form.

    Parameters
    ----------
    family : Family
        A family.
    bound : ndarray of shape (n_samples,)
        Times, infinite ones allowed. For positive times all from 0 down is minus infinity.
    location, scale : ndarray of shape (n_samples,)
        Parameters.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values of z.

    Examples
    --------
    >>> standardise(FAMILIES["weibull"], np.exp([3.0]), np.ones(1), np.ones(1))
    array([2.])
    """
    with np.errstate(divide="ignore", over="ignore"):
        if family.is_positive:
            bound = np.log(np.maximum(bound, 0.0))
        return np.asarray((bound - location) / scale)


def log_likelihood(
    family: Family,
    lower: FloatArray,
    upper: FloatArray,
    location: FloatArray,
    scale: FloatArray,
) -> FloatArray:
    """Return the log density of known times, and the log probability of intervals.

    Parameters
    ----------
    family : Family
        A family.
    lower, upper : ndarray of shape (n_samples,)
        Bounds, equal for a known time.
    location, scale : ndarray of shape (n_samples,)
        Parameters, of log t for the families of positive times. A density is always that of t.

    Returns
    -------
    ndarray of shape (n_samples,)
        Minus infinity for what cannot happen.

    Examples
    --------
    >>> zero, one = np.zeros(1), np.ones(1)
    >>> log_likelihood(FAMILIES["weibull"], one, np.array([np.inf]), zero, one)
    array([-1.])
    """
    low = standardise(family, lower, location, scale)
    high = standardise(family, upper, location, scale)
    exact = lower == upper
    right = np.isposinf(high) & ~exact
    left = np.isneginf(low) & ~exact & ~right
    inside = ~(exact | right | left)
    values = np.empty(len(low))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        values[exact] = family.log_density(low[exact]) - np.log(scale[exact])
        if family.is_positive:
            values[exact] -= np.log(lower[exact])
        values[right] = family.log_survival(low[right])
        values[left] = family.log_cdf(high[left])
        width = _width(family, lower[inside], upper[inside]) / scale[inside]
        values[inside] = family.log_interval(low[inside], high[inside], width)
    return values


def _width(family: Family, lower: FloatArray, upper: FloatArray) -> FloatArray:
    if not family.is_positive:
        return upper - lower
    share = (upper - lower) / lower
    return np.asarray(np.where(share < 1, np.log1p(share), np.log(upper) - np.log(lower)))
