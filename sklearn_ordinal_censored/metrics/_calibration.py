"""Calibration of predicted survival: are the probabilities those that come true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from sklearn_ordinal_censored._kernels.calibration import (
    equal_bins,
    event_pace,
    spread_over_bins,
    survival_variance,
)
from sklearn_ordinal_censored._text import ShortRepr
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.nonparametric._turnbull import Turnbull
from sklearn_ordinal_censored.targets._censored import parse_censored, refuse_entry
from sklearn_ordinal_censored.targets._columns import read_array, read_numbers
from sklearn_ordinal_censored.targets._curves import (
    as_functions,
    check_probabilities,
    read_curves,
)
from sklearn_ordinal_censored.targets._inputs import (
    ROUNDING,
    check_bins,
    check_floats,
    check_same_length,
    count_dimensions,
)
from sklearn_ordinal_censored.targets._undefined import warn_undefined


@dataclass(frozen=True, eq=False, repr=False)  # arrays have no single truth value
class DCalibration(ShortRepr):
    """How the predicted probabilities of the own times are spread, and a test of an even spread.

    Attributes
    ----------
    statistic : float
        Pearson's statistic, 0 for an even spread.
    pvalue : float
        Probability of one as large for a model with the true probabilities, in large samples:
        exact without censoring, an upper bound with censored rows.
    proportions : ndarray of shape (n_bins,)
        Share of the rows in each bin, from the lowest probabilities to the highest.

    Examples
    --------
    >>> d_calibration([[1, 1], [2, 2]], [0.9, 0.2], n_bins=2).proportions
    array([0.5, 0.5])
    """

    statistic: float
    pvalue: float
    proportions: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationAtTime(ShortRepr):
    """What was predicted for a time and what came true, bin by bin, and a test of the difference.

    Attributes
    ----------
    predicted : ndarray of shape (n_bins,)
        Mean predicted probability of no event up to the time; rising.
    observed : ndarray of shape (n_bins,)
        Probability estimated from the times of the bin; NaN where they cannot tell.
    standard_error : ndarray of shape (n_bins,)
        Greenwood's standard error of ``observed``; 0 where no row, or every row, had its event, NaN
        with left- or interval-censored rows.
    counts : ndarray of shape (n_bins,)
        Number of rows.
    events : ndarray of shape (n_bins,)
        Number of rows whose event surely happened up to the time.
    statistic : float
        Sum of squared differences over their variances.
    pvalue : float
        Probability of one as large for a model with the true probabilities.

    Examples
    --------
    >>> y_true = [[1, 1], [2, 2], [3, 3], [4, 4]]
    >>> calibration_at_time(y_true, [0.2, 0.4, 0.6, 0.6], time=2.5, n_bins=2).observed
    array([0., 1.])
    """

    predicted: FloatArray
    observed: FloatArray
    standard_error: FloatArray
    counts: IntArray
    events: IntArray
    statistic: float
    pvalue: float


def d_calibration(y_true: Any, y_proba: ArrayLike, *, n_bins: int = 10) -> DCalibration:
    """Test whether the predicted probabilities of the own times are spread evenly.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring; late entries are refused.
    y_proba : array-like of shape (n_samples,) or (n_samples, 2)
        Predicted probability P(T > t) of each row at its own time t, that of the event or of the
        censoring. With left- or interval-censored rows two columns: at the lower and at the upper
        bound. Then a right-censored row has a 0 in the second, an exact one twice the same. Values
        beyond 0 and 1 by rounding, up to 1e-6, count as 0 and 1.
    n_bins : int, default=10
        Number of bins of equal width between 0 and 1, at least 2.

    Returns
    -------
    DCalibration
        With ``statistic``, ``pvalue`` and ``proportions``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    calibration_at_time : Calibration of the probabilities at one time.

    Notes
    -----
    If the model is right, S(T) is uniform. A row with a known time counts in the bin of its
    probability, the lower end included. A censored row is spread evenly over the probabilities that
    its time may have: from 0 to S(t) for a right-censored one [1]_, from S(upper) to S(lower) in
    general. With the sums ``N_b`` of n rows in K bins, ``sum((N_b - n/K)**2) / (n/K)`` is compared
    with a chi-squared distribution with ``K - 1`` degrees of freedom.

    Spread rows make the bins more alike, so that with much censoring the test rejects too rarely: a
    low p-value is evidence, a high one is little. Nor does the test see which rows the model is
    wrong about; a model that gives all rows the curve of the population passes.

    References
    ----------
    .. [1] H. Haider, B. Hoehn, S. Davis, R. Greiner. "Effective Ways to Build and Evaluate
       Individual Survival Distributions." Journal of Machine Learning Research 21(85), 2020.
       https://jmlr.org/papers/v21/18-772.html

    Examples
    --------
    The first row counts in the upper half, the second in the lower. The third, censored when 0.8
    of such rows should be left, has 0.5/0.8 in the lower half and 0.3/0.8 in the upper.

    >>> from sklearn_ordinal_censored.metrics import d_calibration
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1, 0], time=[2, 7, 3])
    >>> result = d_calibration(y_true, [0.9, 0.3, 0.8], n_bins=2)
    >>> 3 * result.proportions
    array([1.625, 1.375])
    >>> round(result.statistic, 6)
    0.020833
    """
    target = read_calibrated(y_true)
    upper, lower = _read_span(target, y_proba)
    n_bins = check_bins(n_bins, minimum=2)
    counts = spread_over_bins(lower, upper, n_bins)
    expected = len(lower) / n_bins
    statistic = float(((counts - expected) ** 2).sum() / expected)
    return DCalibration(statistic, float(chdtrc(n_bins - 1, statistic)), counts / len(lower))


def calibration_at_time(
    y_true: Any, y_proba: Any, *, time: float, n_bins: int = 10
) -> CalibrationAtTime:
    """Compare the probabilities predicted for a time with what came true by then.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring; late entries are refused.
    y_proba : array-like of shape (n_samples,)
        Predicted probability ``P(T > time)`` of each row, of a model that was fitted to other rows;
        or one step function a row. Values beyond 0 and 1 by rounding, up to 1e-6, count as 0 and 1.
    time : float
        The time, or a duration, which becomes days.
    n_bins : int, default=10
        Number of bins with nearly the same number of rows, in the order of the probabilities. Equal
        probabilities share a bin, so that there may be fewer.

    Returns
    -------
    CalibrationAtTime
        With ``predicted`` and ``observed``, the points of a calibration curve, ``standard_error``,
        ``counts``, ``events``, ``statistic`` and ``pvalue``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    Warns
    -----
    UndefinedMetricWarning
        If a bin's rows were not followed up to ``time``; its ``observed`` is NaN, and so is the
        test. Likewise if no event happened up to ``time``, but for ``observed``.

    See Also
    --------
    d_calibration : Calibration over all times.

    Notes
    -----
    What came true is the Kaplan-Meier curve of the rows of a bin. With left- or interval-censored
    rows it is Turnbull's, in the middle of what the rows allow; then there is neither a standard
    error nor a test, and both are NaN.

    The statistic is ``sum((observed - predicted)**2 / variance)`` over the bins, compared with a
    chi-squared distribution that has as many degrees of freedom as there are bins: the predictions
    are not fitted to these rows. It is the test of Nam and D'Agostino, whose ``variance`` is
    ``p (1 - p) / n`` for a bin of n rows with the mean prediction p, with n less what censoring
    takes:

    ``variance = p**2 / n * sum((1 / s_k - 1 / s_(k-1)) / G_k)``

    over the times of events, where the curve ``s_k`` leads from 1 to p in the pace of all rows'
    cumulative hazard, and ``G_k`` is the bin's censoring curve before the time. Greenwood's
    variance in its place, as in the test of Greenwood, Nam and D'Agostino [1]_, is 0 without an
    event, and too small with few of them; the test then rejects true models far too often.

    References
    ----------
    .. [1] O. V. Demler, N. P. Paynter, N. R. Cook. "Tests of Calibration and Goodness-of-Fit in the
       Survival Setting." Statistics in Medicine 34(10), 2015. :doi:`10.1002/sim.6428`

    Examples
    --------
    Of the two rows with a prediction of 0.5 one had its event by 3, and of those with 0.8 none. The
    variances are 0.5 * 0.5 / 2 and 0.8 * 0.2 / 2, and 0.2**2 / 0.08 is 0.5.

    >>> from sklearn_ordinal_censored.metrics import calibration_at_time
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1, 1, 0], time=[2, 4, 5, 6])
    >>> result = calibration_at_time(y_true, [0.5, 0.5, 0.8, 0.8], time=3, n_bins=2)
    >>> result.observed
    array([0.5, 1. ])
    >>> round(result.statistic, 6)
    0.5
    """
    target, moment = read_calibrated(y_true), _read_time(time)
    proba = read_curves(y_proba, np.array([moment]), len(target.lower))[:, 0]
    return calibrate(target, proba, moment, check_bins(n_bins))


def calibrate(
    target: CensoredTarget, proba: FloatArray, moment: float, n_bins: int
) -> CalibrationAtTime:
    """Compare checked probabilities for a time with what came true by then.

    Parameters
    ----------
    target : CensoredTarget
        Any kind of censoring, without late entries.
    proba : ndarray of shape (n_samples,)
        Predicted probability of no event up to the time.
    moment : float
        The time.
    n_bins : int
        Number of bins.

    Returns
    -------
    CalibrationAtTime
        The bins and the test.

    Examples
    --------
    >>> target = read_calibrated([[1, 1], [2, 2], [3, 3], [4, 4]])
    >>> calibrate(target, np.array([0.2, 0.4, 0.6, 0.6]), 2.5, 2).predicted.round(6)
    array([0.3, 0.6])
    """
    proba = np.clip(proba, 0.0, 1.0)
    bins = equal_bins(proba, n_bins)
    counts = np.bincount(bins)
    predicted = np.bincount(bins, weights=proba) / counts
    events = np.bincount(bins[target.upper <= moment], minlength=len(counts))
    parts = [target.take(bins == number) for number in range(len(counts))]
    observe = _kaplan_meier_at if target.is_right_censored else _turnbull_at
    observed, error = np.transpose([observe(part, moment) for part in parts])
    _warn_unknown(parts, observed, moment)
    is_tested = target.is_right_censored and not np.isnan(observed).any()
    statistic = _compare(target, parts, predicted, observed, moment) if is_tested else np.nan
    pvalue = float(chdtrc(len(counts), statistic))
    return CalibrationAtTime(predicted, observed, error, counts, events, statistic, pvalue)


def read_calibrated(y_true: Any) -> CensoredTarget:
    """Return a target of any kind of censoring, without late entries.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        As the caller gave it.

    Returns
    -------
    CensoredTarget
        The target.

    Examples
    --------
    >>> read_calibrated([[1, 1], [2, 3]]).upper
    array([1., 3.])
    """
    target = parse_censored("y_true", y_true)
    refuse_entry("y_true", target, "a predicted probability of no event holds from the start")
    return target


def _read_span(target: CensoredTarget, y_proba: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the largest and the smallest probability that the time of each row may have."""
    if as_functions(y_proba) is not None:
        raise ValueError(
            "y_proba holds functions; give P(T > t) of each row at its own time, such as "
            "[function(time) for function, time in zip(y_proba, times)]."
        )
    n_dimensions = read_array("y_proba", y_proba).ndim
    proba = check_floats("y_proba", y_proba, ndim=min(max(n_dimensions, 1), 2))
    n_samples = len(target.lower)
    check_same_length(y_true=n_samples, y_proba=len(proba))
    check_probabilities(proba)
    proba = np.clip(proba, 0.0, 1.0)
    if n_dimensions == 1:
        _check_right_censored(target)
        return proba, np.where(target.is_exact, proba, 0.0)
    if proba.shape[1] != 2:
        raise ValueError(
            f"y_proba must have the shape ({n_samples},), P(T > t) at each row's time, or "
            f"({n_samples}, 2), at its two bounds, but has {proba.shape}."
        )
    _check_ends(target, proba)
    return proba.max(axis=1), proba.min(axis=1)


def _check_right_censored(target: CensoredTarget) -> None:
    stray = np.flatnonzero(~(target.is_exact | target.is_right))
    if stray.size:
        raise ValueError(
            f"y_true has {stray.size} left- or interval-censored rows, first row {stray[0]}. "
            "Give y_proba two columns, P(T > t) at the lower and at the upper bound."
        )


def _check_ends(target: CensoredTarget, proba: FloatArray) -> None:
    lower, upper = proba.T
    problems = {
        "rises from the lower to the upper bound": upper - lower > ROUNDING,
        "differs between the equal bounds of an exact time": (
            target.is_exact & (lower - upper > ROUNDING)
        ),
        "is not 0 at an infinite upper bound": target.is_right & (upper > ROUNDING),
        "is not 1 at an infinite lower bound": (np.isneginf(target.lower) & (lower < 1 - ROUNDING)),
    }
    for problem, bad in problems.items():
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise ValueError(
                f"y_proba {problem} in {bad.sum()} row(s), first in row {row}: {lower[row]} at "
                f"{target.lower[row]}, {upper[row]} at {target.upper[row]}. It is P(T > t) at the "
                "two bounds."
            )


def _read_time(time: Any) -> float:
    if time is None or count_dimensions(time) != 0:
        raise ValueError(f"time={time!r} must be one time, a number or a duration.")
    moment = float(read_numbers("time", [time])[0])
    if not np.isfinite(moment):
        raise ValueError(f"time={time!r} must be finite.")
    return moment


def _kaplan_meier_at(target: CensoredTarget, moment: float) -> tuple[float, float]:
    """Return the probability of no event up to a time, and its standard error."""
    curve = KaplanMeier()._fit(target, None)
    place = np.searchsorted(curve.times_, moment, side="right")
    variance = np.concatenate([[0.0], curve.variance_])[place]
    survival = float(curve.predict([moment])[0])
    return survival, float(np.sqrt(variance)) if np.isfinite(survival) else np.nan


def _turnbull_at(target: CensoredTarget, moment: float) -> tuple[float, float]:
    """Return the middle of the probabilities that the estimate allows, and no standard error."""
    curve = Turnbull()._fit(target, None)
    is_known = np.isfinite(curve.predict([moment])[0])
    return float(curve.predict_bounds([moment]).mean()) if is_known else np.nan, np.nan


def _warn_unknown(parts: list[CensoredTarget], observed: FloatArray, moment: float) -> None:
    unknown = np.flatnonzero(np.isnan(observed))
    if unknown.size:
        end = min(parts[number].lower.max() for number in unknown)
        warn_undefined(
            f"calibration_at_time: `observed` of {unknown.size} of {len(parts)} bins, and with it "
            "the test,",
            f"no row is left at time={moment}; all bins can be followed up to {end}. Choose an "
            "earlier time or fewer bins",
        )


def _compare(
    target: CensoredTarget,
    parts: list[CensoredTarget],
    predicted: FloatArray,
    observed: FloatArray,
    moment: float,
) -> float:
    """Return the statistic of the test, NaN without an event."""
    times, pace = event_pace(target.lower, target.is_exact, moment)
    if not times.size:
        warn_undefined("The test of calibration_at_time", f"no event happened up to {moment}")
        return np.nan
    variance = np.array(
        [
            survival_variance(part.lower, part.is_exact, survival, times, pace)
            for part, survival in zip(parts, predicted, strict=True)
        ]
    )
    difference = observed - predicted
    # A certain prediction adds nothing where it came true, and refutes the model where not.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return float(np.where(difference == 0, 0.0, difference**2 / variance).sum())
