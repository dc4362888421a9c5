"""The continuous ranked probability score of what is known of a time.

A row is compared with the predicted distribution where its time is known not to be: it counts the
integral of the squared cdf F up to its lower bound, plus that of the squared survival S from its
upper bound on. For the normal and the logistic family both are closed forms. For positive times the
closed forms are differences that cancel, or do not exist, but for two of S; the others are
integrated over the log of time by Gauss's rule, on the stretch where the integrand counts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import (
    betainc,
    betaincc,
    erfcx,
    expit,
    gammaincc,
    gammaln,
    log_ndtr,
    ndtr,
)

from sklearn_ordinal_censored._kernels.families import FAMILIES, Family
from sklearn_ordinal_censored._typing import FloatArray

_CHUNK = 4096  # rows integrated at once, for the sake of memory
_LOST = 40.0  # exp(-40) is lost beside 1
_FAR = -400.0  # further out in the lower tail all squares underflow


def _composite_rule(n_panels: int, n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes between 0 and 1, and weights that sum to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    places = (nodes + 1) / 2 + np.arange(n_panels)[:, np.newaxis]
    return places.ravel() / n_panels, np.tile(weights / (2 * n_panels), n_panels)


_NODES, _WEIGHTS = _composite_rule(20, 12)


def censored_crps_scores(
    name: str, lower: FloatArray, upper: FloatArray, location: FloatArray, scale: FloatArray
) -> FloatArray:
    """Return the score of every row.

    Parameters
    ----------
    name : str
        A family.
    lower, upper : ndarray of shape (n_samples,)
        Bounds, equal for a known time.
    location, scale : ndarray of shape (n_samples,)
        Parameters, of log t for the families of positive times.

    Returns
    -------
    ndarray of shape (n_samples,)
        Scores in the unit of time.

    Examples
    --------
    The integral of the squared cdf up to the median is log(2) - 1/2:

    >>> zero, one = np.zeros(1), np.ones(1)
    >>> censored_crps_scores("logistic", zero, np.array([np.inf]), zero, one).round(6)
    array([0.193147])
    """
    family = FAMILIES[name]
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        if family.is_positive:
            below = _below(family, np.maximum(lower, 0.0), location, scale)
            above = _above(name, np.maximum(upper, 0.0), location, scale)
            # Nothing is predicted between an impossible upper bound and 0: S is 1 there.
            return np.where(np.isposinf(upper), 0.0, above + np.maximum(-upper, 0.0)) + below
        # Both families are symmetric, so that what is above the one side is below the other.
        sides = (lower - location, location - upper)
        below, above = (_mirrored(name, distance, scale) for distance in sides)
        return below + above


def _mirrored(name: str, distance: FloatArray, scale: FloatArray) -> FloatArray:
    """Integrate the squared cdf up to a distance from the location."""
    end = FAMILIES[name].bulk[1]
    area = _AREAS[name](np.clip(distance / scale, _FAR, end))
    return np.asarray(scale * area + np.maximum(distance - end * scale, 0.0))


def _normal_area(z: FloatArray) -> FloatArray:
    root = np.sqrt(np.pi)
    x = -np.minimum(z, 0.0) / np.sqrt(2)
    # With exp(-z^2) taken out, what cancels in the lower tail does so without loss of all digits.
    tail = erfcx(x) / np.sqrt(2 * np.pi) - x * erfcx(x) ** 2 / np.sqrt(8)
    tail = np.exp(-2 * x * x) * (tail - erfcx(np.sqrt(2) * x) / (2 * root))
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    area = ndtr(z) * (z * ndtr(z) + 2 * density) - ndtr(np.sqrt(2) * z) / root
    return np.asarray(np.where(z < 0, tail, area))


def _logistic_area(z: FloatArray) -> FloatArray:
    # log(1 + e^z) - expit(z), in the lower tail by the series of 2 artanh(s) = log(1 + e^z).
    s = expit(z) / (2 - expit(z))
    series = np.polyval(1 / np.arange(23.0, 1, -2), s * s)
    tail = 2 * s * s / (1 + s) + 2 * s**3 * series
    return np.asarray(np.where(z < -1, tail, np.logaddexp(0.0, z) - expit(z)))


_AREAS = {"normal": _normal_area, "logistic": _logistic_area}


def _below(
    family: Family, bound: FloatArray, location: FloatArray, scale: FloatArray
) -> FloatArray:
    """Integrate the squared cdf of a positive time up to a bound."""
    start, end = family.bulk
    distance = np.log(bound) - location
    top = np.clip(distance / scale, _FAR, end)
    # Down from the top F^2 falls at least as exp(-rate v) does, since log F is concave.
    rate = scale + 2 * np.exp(family.log_density(top) - family.log_cdf(top))
    # A square is lost at 0.7 of the way, if not more, to where the cdf is.
    length = np.minimum(_LOST / rate, np.maximum(top, 0.0) - 0.7 * start)

    def _integrand(v: FloatArray, top: FloatArray, scale: FloatArray) -> FloatArray:
        return np.asarray(family.cdf(top - v) ** 2 * (scale * np.exp(-scale * v)))

    mean = _integrate(_integrand, np.zeros_like(top), length, top, scale)
    gap = np.maximum(distance - end * scale, 0.0)  # where F is 1
    return np.asarray(bound * (np.exp(-gap) * mean - np.expm1(-gap)))


def _above(name: str, bound: FloatArray, location: FloatArray, scale: FloatArray) -> FloatArray:
    """Integrate the squared survival of a positive time from a bound on."""
    start = FAMILIES[name].bulk[0]
    distance = np.log(bound) - location
    gap = np.minimum(distance - start * scale, 0.0)  # where S is 1
    tail = _TAILS[name](np.maximum(distance / scale, start), location, scale)
    # Without a gap the factor may be infinite.
    plain = np.where(gap < 0, -np.exp(location + start * scale) * np.expm1(gap), 0.0)
    return np.asarray(tail + plain)


def _lognormal_tail(z: FloatArray, location: FloatArray, scale: FloatArray) -> FloatArray:
    # S^2 t has its peak below scale / 2; beyond it falls at least as exp(-rate v) does.
    rate = 2 * np.exp(FAMILIES["normal"].log_density(z) - log_ndtr(-z)) - scale
    stop = np.maximum(z, scale / 2) + np.where(rate * 9 > _LOST, _LOST / rate, 9.0)

    def _integrand(w: FloatArray, location: FloatArray, scale: FloatArray) -> FloatArray:
        power = 2 * log_ndtr(-w) + scale * w + location
        return np.asarray(scale * np.exp(np.where(np.isnan(power), np.inf, power)))

    return _integrate(_integrand, z, stop, location, scale)


def _loglogistic_tail(z: FloatArray, location: FloatArray, scale: FloatArray) -> FloatArray:
    # From a scale of 2 on the score is infinite, and these have no value.
    below, above = betaincc(scale, 2 - scale, expit(z)), betainc(2 - scale, scale, expit(-z))
    share = np.log(np.where(z < 0, below, above))
    total = np.exp(location + gammaln(1 + scale) + gammaln(2 - scale) + share)
    return np.asarray(np.where(scale < 2, total, np.inf))


def _weibull_tail(z: FloatArray, location: FloatArray, scale: FloatArray) -> FloatArray:
    share = np.log(gammaincc(scale, 2 * np.exp(z)))
    return np.asarray(np.exp(location - scale * np.log(2) + gammaln(1 + scale) + share))


_TAILS = {"lognormal": _lognormal_tail, "loglogistic": _loglogistic_tail, "weibull": _weibull_tail}


def _integrate(
    function: Callable[..., FloatArray], start: FloatArray, stop: FloatArray, *options: FloatArray
) -> FloatArray:
    """Integrate a function row by row, each over its own stretch."""
    values = np.empty(len(start))
    for first in range(0, len(start), _CHUNK):
        rows = slice(first, first + _CHUNK)
        length = stop[rows] - start[rows]
        columns = (option[rows, np.newaxis] for option in options)
        points = start[rows, np.newaxis] + length[:, np.newaxis] * _NODES
        values[rows] = length * (function(points, *columns) @ _WEIGHTS)
    return values
