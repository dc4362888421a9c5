"""Estimates with their standard errors: tests and intervals, whatever it is that is estimated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from sklearn_ordinal_censored._progress import Progress
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.targets._inputs import (
    check_confidence_level,
    check_count,
    check_option,
    check_verbose,
)

# (number of samples, source of the draws, who is told how far it is) -> one value a sample, NaN
# where it is undefined
Resample: TypeAlias = Callable[[int, Any, Progress], FloatArray]
_ROUNDING = 1e-12


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval.

    Attributes
    ----------
    low, high : float
        Ends; NaN where there is no interval.

    Examples
    --------
    >>> low, high = ConfidenceInterval(0.2, 0.6)
    >>> low
    0.2
    """

    low: float
    high: float


class Link(NamedTuple):
    """A scale on which an estimate is nearer to normal than on its own.

    Attributes
    ----------
    low, high : float
        Values between these two, ends excluded, have a place on the scale.
    forward, backward : callable
        From a value to its place, and back.
    slope : callable
        Derivative of ``forward``.

    Examples
    --------
    >>> float(LOG.backward(LOG.forward(1.0)))
    1.0
    """

    low: float
    high: float
    forward: Callable[[float], float]
    backward: Callable[[float], float]
    slope: Callable[[float], float]


IDENTITY = Link(-np.inf, np.inf, float, float, lambda value: 1.0)
LOG = Link(0, np.inf, np.log, np.exp, lambda value: 1 / value)
LOGIT = Link(0, 1, logit, expit, lambda value: 1 / (value * (1 - value)))


class WithInterval:
    """What an estimate and a difference have in common: a value, its error, and intervals.

    A class says in ``_links`` which intervals there are besides the bootstrap.

    Examples
    --------
    >>> isinstance(Comparison(0.1, 0.05, 2.0, 0.0455), WithInterval)
    True
    """

    standard_error: float
    _resample: Resample | None
    _links: ClassVar[Mapping[str, Link]] = {"wald": IDENTITY}

    @property
    def _value(self) -> float:
        raise NotImplementedError

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        method: str = "wald",
        *,
        n_resamples: int = 2000,
        random_state: Any = None,
        verbose: int = 0,
    ) -> ConfidenceInterval:
        """Return an interval that holds the true value with about the given probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        method : str, default="wald"
            ``"wald"``: normal quantiles times the standard error. ``"bootstrap"``: quantiles of
            bootstrap samples of the rows. Others as the class says.
        n_resamples : int, default=2000
            Number of bootstrap samples.
        random_state : int, RandomState instance or None, default=None
            Seed of the bootstrap.
        verbose : int, default=0
            Above 0, the bootstrap prints how far it is.

        Returns
        -------
        ConfidenceInterval
            With ``low`` and ``high``. NaN, with an ``UndefinedMetricWarning``, where the standard
            error is 0 or undefined.

        Raises
        ------
        ValueError
            If an option is refused, or the method has no interval for this value.
        """
        level = check_confidence_level(confidence_level)
        check_option("method", method, self._methods())
        n_resamples = check_count("n_resamples", n_resamples)
        progress = Progress(type(self).__name__, check_verbose(verbose))
        if not self.standard_error > 0:
            warn(
                f"standard_error is {self.standard_error}, as where all rows agree or a side is "
                "constant. An interval without width would claim certainty: its ends are set to "
                "nan.",
                UndefinedMetricWarning,
            )
            return ConfidenceInterval(np.nan, np.nan)
        if method == "bootstrap" and self._resample is not None:
            values = self._resample(n_resamples, check_random_state(random_state), progress)
            return _percentiles(values, level)
        return self._normal_interval(level, method)

    def _methods(self) -> tuple[str, ...]:
        return (*self._links, *(() if self._resample is None else ("bootstrap",)))

    def _normal_interval(self, level: float, method: str) -> ConfidenceInterval:
        link = self._links[method]
        if not link.low < self._value < link.high:
            others = " or ".join(repr(other) for other in self._methods() if other != method)
            raise ValueError(
                f"method={method!r} needs a value between {link.low} and {link.high}, but it is "
                f"{self._value}; use {others}."
            )
        centre = link.forward(self._value)
        margin = self._quantile(level, method) * self.standard_error * link.slope(self._value)
        ends = (link.backward(centre - margin), link.backward(centre + margin))
        return ConfidenceInterval(*map(float, ends))

    def _quantile(self, level: float, method: str) -> float:
        """Return half the width of an interval in standard errors."""
        return float(ndtri((1 + level) / 2))


def _percentiles(values: FloatArray, level: float) -> ConfidenceInterval:
    defined = values[~np.isnan(values)]
    if len(defined) < len(values):
        warn(
            f"{len(values) - len(defined)} of {len(values)} bootstrap samples have no defined "
            "value and are left out of the interval.",
            UndefinedMetricWarning,
        )
    if not len(defined):
        return ConfidenceInterval(np.nan, np.nan)
    return ConfidenceInterval(*np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist())


@dataclass(frozen=True)
class Estimate(WithInterval):
    """A value read off a sample, how far it may be from the true one, and a test.

    Attributes
    ----------
    estimate : float
        The value.
    standard_error : float
        Its standard error.
    null_standard_error : float
        Its standard error if there were no relation between the two sides.
    statistic : float
        Distance from the value without a relation, in null standard errors.
    pvalue : float
        Two-sided p-value of no relation.

    Examples
    --------
    >>> estimate = Estimate(0.5, 0.1, 0.2, statistic=2.5, pvalue=0.0124)
    >>> [round(end, 3) for end in estimate.confidence_interval()]
    [0.304, 0.696]
    """

    estimate: float
    standard_error: float
    null_standard_error: float
    statistic: float
    pvalue: float
    _resample: Resample | None = field(default=None, repr=False, compare=False, kw_only=True)

    @property
    def _value(self) -> float:
        return self.estimate


@dataclass(frozen=True)
class Comparison(WithInterval):
    """The difference of two values on the same rows, and a test of no difference.

    Attributes
    ----------
    difference : float
        First value minus second value.
    standard_error : float
        Standard error of the difference, for values of the same rows.
    statistic : float
        Difference over standard error.
    pvalue : float
        Two-sided p-value of no difference.

    Examples
    --------
    >>> difference = Comparison(0.1, 0.05, statistic=2.0, pvalue=0.0455)
    >>> [round(end, 3) for end in difference.confidence_interval()]
    [0.002, 0.198]
    """

    difference: float
    standard_error: float
    statistic: float
    pvalue: float
    _resample: Resample | None = field(default=None, repr=False, compare=False, kw_only=True)

    @property
    def _value(self) -> float:
        return self.difference


def normal_test(deviation: float, error: float) -> tuple[float, float]:
    """Return the statistic and the two-sided p-value of a deviation that is normal.

    Parameters
    ----------
    deviation : float
        Distance from the value of the null hypothesis.
    error : float
        Its standard error. Where both are 0, nothing speaks against the null hypothesis.

    Returns
    -------
    statistic : float
        Deviation over error; NaN for NaN, and with a warning where only the error is 0.
    pvalue : float
        Probability of a deviation at least as large in either direction.

    Examples
    --------
    >>> normal_test(0.0, 0.0)
    (0.0, 1.0)
    >>> [round(value, 4) for value in normal_test(-0.3, 0.15)]
    [-2.0, 0.0455]
    """
    if error == 0 and abs(deviation) < _ROUNDING:
        return 0.0, 1.0
    if error == 0:
        warn(
            f"The standard error of {deviation} is 0, so that there is no test: its statistic and "
            "p-value are set to nan.",
            UndefinedMetricWarning,
        )
        return np.nan, np.nan
    statistic = deviation / error
    return statistic, float(2 * ndtr(-abs(statistic)))
