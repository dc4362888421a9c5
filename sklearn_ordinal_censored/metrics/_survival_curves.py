"""Brier scores of predicted survival curves, weighted for censoring."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.brier import weighted_squared_errors
from sklearn_ordinal_censored._typing import FloatArray, IntArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.metrics._ipcw import (
    case_factors,
    censoring_curve,
    inverse_survival,
    parse_without_entry,
    usable_span,
)
from sklearn_ordinal_censored.metrics._scored_curves import (
    ScoredCurves,
    distinct_times,
    read_scored_curves,
    tell_where,
)
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.targets._inputs import preview
from sklearn_ordinal_censored.targets._undefined import replace_undefined


def censored_brier_score(
    y_true: Any,
    y_proba: Any,
    *,
    times: ArrayLike,
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatArray:
    """Mean squared error of predicted survival at given times, weighted for censoring.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_proba : array-like of shape (n_samples, n_times)
        ``y_proba[:, k]`` is the predicted ``P(T > times[k])``. Also a data frame whose columns or
        index are ``times``, or one step function a row.
    times : array-like of shape (n_times,)
        The times, in any order.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the score is undefined; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    ndarray of shape (n_times,)
        One score a time, in the order of ``times``; lower is better. A constant prediction of 0.5
        has about 0.25.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    Warns
    -----
    UserWarning
        If rows of ``y_proba`` increase with time.

    See Also
    --------
    integrated_brier_score : One number for a stretch of time.
    scaled_brier_score : Relative to the Kaplan-Meier curve.

    Notes
    -----
    At a time t a row with its event at T <= t counts ``S(t)**2 / G(T-)``, a row with T > t counts
    ``(1 - S(t))**2 / G(t)``, a row that was censored at t or before counts 0; the sum is divided by
    the sum of all weights [1]_ [2]_. G is the Kaplan-Meier curve of the censorings, where events
    come before censorings at a tied time. R's ``pec`` and ``riskRegression`` do the same.
    scikit-survival takes G(T), which differs where an event and a censoring share a time.

    G is evaluated only where a weight is needed. Where it is 0 or unknown there, the score is
    undefined, and the message names the times that can be used. Past the last row no row needs
    G(t). If that row is an event, the score is defined, of the events alone. If it is a censoring,
    nobody knows how many survive: the score is undefined, unless ``censoring`` has a G(t) above 0,
    since survivors would then have been seen with this probability. It is undefined in any case
    where every row is censored at the time or before, and no row says anything.

    The score is proper in large samples: its expectation tends to one that is least for the true
    probabilities, if the censoring depends on neither time nor features or ``censoring`` is the
    right curve, and up to the end of the follow-up.

    Step functions are evaluated inside their domain: past its end at its last time.

    References
    ----------
    .. [1] E. Graf, C. Schmoor, W. Sauerbrei, M. Schumacher. "Assessment and Comparison of
       Prognostic Classification Schemes for Survival Data." Statistics in Medicine 18(17-18), 1999.
       :doi:`10.1002/(SICI)1097-0258(19990915/30)18:17/18<2529::AID-SIM274>3.0.CO;2-5`
    .. [2] T. A. Gerds, M. Schumacher. "Consistent Estimation of the Expected Brier Score in General
       Survival Models with Right-Censored Event Times." Biometrical Journal 48(6), 2006.
       :doi:`10.1002/bimj.200610301`

    Examples
    --------
    At 3 the first row has had its event, the second is censored. Of three rows at risk just before
    2 one was censored, so G is 2/3 for the event at 3 and for the row that is left:
    (0.2**2 + 0 + 0.4**2 * 3/2 + (1 - 0.6)**2 * 3/2) / 4 = 0.13.

    >>> from sklearn_ordinal_censored.metrics import censored_brier_score
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1, 1], time=[1, 2, 3, 4])
    >>> censored_brier_score(y_true, [[0.2], [0.5], [0.4], [0.6]], times=[3]).round(12)
    array([0.13])
    """
    scored = read_survival_curves(y_true, y_proba, times, sample_weight)
    values, reason = brier_by_time(scored, censoring)
    return replace_undefined(values, "censored_brier_score", reason, replace_undefined_by)


def integrated_brier_score(
    y_true: Any,
    y_proba: Any,
    *,
    times: ArrayLike,
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Brier score of predicted survival curves, averaged over a stretch of time.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_proba : array-like of shape (n_samples, n_times)
        ``y_proba[:, k]`` is the predicted ``P(T > times[k])``. Also a data frame whose columns or
        index are ``times``, or one step function a row.
    times : array-like of shape (n_times,)
        The times, in any order, at least two different ones.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where fewer than two times have a score; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        Lower is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    Warns
    -----
    UserWarning
        If times are left out, with their number, or rows of ``y_proba`` increase with time.

    See Also
    --------
    censored_brier_score : One score a time.

    Notes
    -----
    The trapezoid rule over :func:`censored_brier_score` at the distinct times, divided by the range
    of the times. The stretch ends before the first time at which that score is undefined; a warning
    says how many times are used.

    R's ``pec::crps`` and ``riskRegression`` integrate a step function from time 0 instead.

    Examples
    --------
    At 0 both rows are without event and the score is 0.2**2; at 2 one had it, and 0.4**2 is the
    error of both. The mean of the two is the trapezoid over its width:

    >>> from sklearn_ordinal_censored.metrics import integrated_brier_score
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1], time=[1, 3])
    >>> round(integrated_brier_score(y_true, [[0.8, 0.4], [0.8, 0.6]], times=[0, 2]), 12)
    0.1
    """
    scored = read_survival_curves(y_true, y_proba, times, sample_weight)
    columns = check_span(scored.times)
    values, reason = brier_by_time(scored, censoring)
    times = scored.times[columns]
    value, n_used = integrate_brier(times, values[columns])
    if 2 <= n_used < len(times):
        warn(
            f"integrated_brier_score uses {n_used} of {len(times)} times, from {times[0]} to "
            f"{times[n_used - 1]}: {reason}."
        )
    reason = f"fewer than two of {len(columns)} times have a Brier score: {reason}"
    return float(replace_undefined(value, "integrated_brier_score", reason, replace_undefined_by))


def scaled_brier_score(
    y_true: Any,
    y_proba: Any,
    *,
    times: ArrayLike,
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatArray:
    """Share of the Brier score of the Kaplan-Meier curve that a prediction saves.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_proba : array-like of shape (n_samples, n_times)
        ``y_proba[:, k]`` is the predicted ``P(T > times[k])``. Also a data frame whose columns or
        index are ``times``, or one step function a row.
    times : array-like of shape (n_times,)
        The times, in any order.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the score is undefined; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    ndarray of shape (n_times,)
        One score a time, in the order of ``times``; higher is better. 1 for a perfect prediction, 0
        for one as good as the Kaplan-Meier curve, below 0 for a worse one.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    Warns
    -----
    UserWarning
        If rows of ``y_proba`` increase with time.

    See Also
    --------
    censored_brier_score : The score itself.

    Notes
    -----
    ``1 - Brier / Brier of the Kaplan-Meier curve``, the index of prediction accuracy [1]_. The
    curve is that of the scored rows, with their weights, and the same for all of them.

    It is undefined where :func:`censored_brier_score` is, past the last row if that is a
    censoring, and where the Kaplan-Meier curve is right about every row, as before the first event.

    References
    ----------
    .. [1] M. W. Kattan, T. A. Gerds. "The Index of Prediction Accuracy: An Intuitive Measure Useful
       for Evaluating Risk Prediction Models." Diagnostic and Prognostic Research 2(7), 2018.
       :doi:`10.1186/s41512-018-0029-2`

    Examples
    --------
    One of two rows has its event by 2, so the Kaplan-Meier curve is 1/2 and its Brier score 0.25;
    that of the prediction is 0.16, and 1 - 0.16 / 0.25 = 0.36.

    >>> from sklearn_ordinal_censored.metrics import scaled_brier_score
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1], time=[1, 3])
    >>> scaled_brier_score(y_true, [[0.4], [0.6]], times=[2]).round(12)
    array([0.36])
    """
    scored = read_survival_curves(y_true, y_proba, times, sample_weight)
    values, reason = brier_by_time(scored, censoring)
    reference = marginal_brier(scored, censoring)
    curve = "the Kaplan-Meier curve of the scored rows"
    more = tell_where(
        scored.times,
        {
            f"{curve} is unknown": np.isnan(reference) & ~np.isnan(values),
            f"{curve} is right about every row": reference == 0,
        },
    )
    scaled = 1 - np.divide(values, reference, out=np.full(len(values), np.nan), where=reference > 0)
    reason = "; ".join(filter(None, (reason, more)))
    return replace_undefined(scaled, "scaled_brier_score", reason, replace_undefined_by)


def read_survival_curves(
    y_true: Any, y_proba: Any, times: Any, sample_weight: ArrayLike | None
) -> ScoredCurves:
    """Read rows that are under observation from the start, with predicted survival curves.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows.
    y_proba : array-like of shape (n_samples, n_times)
        Survival probabilities.
    times : array-like of shape (n_times,)
        The times of the columns.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    ScoredCurves
        The rows of positive weight.

    Examples
    --------
    >>> read_survival_curves([[2, 2], [3, 3]], [[0.9], [0.8]], [1], None).times
    array([1.])
    """
    return read_scored_curves(y_true, y_proba, times, sample_weight, parse=parse_without_entry)


def brier_by_time(scored: ScoredCurves, censoring: Any) -> tuple[FloatArray, str]:
    """Return the Brier score at each time, and why it is undefined where it is.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and curves.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.

    Returns
    -------
    values : ndarray of shape (n_times,)
        Scores, NaN where they are undefined.
    reason : str
        Part of a message; empty where all are defined.

    Examples
    --------
    >>> brier_by_time(read_survival_curves([[2, 2], [3, 3]], [[0.5], [0.5]], [2], None), None)
    (array([0.25]), '')
    """
    time, event, times = scored.target.lower, scored.target.is_exact, scored.times
    curve = censoring_curve(censoring, scored.target, scored.weight)
    case_factor = case_factors(curve, scored.target)
    control_factor = inverse_survival(curve, times)
    values = weighted_squared_errors(
        scored.curves, times, time, scored.own_weight, case_factor, control_factor
    )
    is_past = times >= time.max()
    is_lost = is_past & np.isnan(control_factor) & (time[~event].max(initial=-np.inf) == time.max())
    is_empty = is_past & ~is_lost & (times < time[event].min(initial=np.inf))
    span = usable_span(curve)
    problems = {
        f"nobody was followed up to then, the score can be used {span}": is_lost,
        "every row is censored by then": is_empty,
        f"the censoring curve is 0 or unknown, it can be used {span}": (
            np.isnan(values) & ~is_lost & ~is_empty
        ),
    }
    return np.where(is_lost | is_empty, np.nan, values), tell_where(times, problems)


def marginal_brier(scored: ScoredCurves, censoring: Any) -> FloatArray:
    """Return the Brier score that the Kaplan-Meier curve of the rows has at each time.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and times; the curves are not read.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.

    Returns
    -------
    ndarray of shape (n_times,)
        Scores, NaN where they are undefined or the curve is unknown.

    Examples
    --------
    >>> marginal_brier(read_survival_curves([[2, 2], [3, 3]], [[0.9], [0.8]], [2], None), None)
    array([0.25])
    """
    curve = KaplanMeier()._fit(scored.target, scored.weight).predict(scored.times)
    shape = (len(scored.target.lower), len(curve))
    return brier_by_time(scored._replace(curves=np.broadcast_to(curve, shape)), censoring)[0]


def check_span(times: FloatArray) -> IntArray:
    """Return the columns of the distinct times, which must span a stretch.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        Times, perhaps repeated.

    Returns
    -------
    ndarray
        Column numbers in the order of time.

    Examples
    --------
    >>> check_span(np.array([3.0, 1.0]))
    array([1, 0])
    >>> check_span(np.array([3.0, 3.0]))
    Traceback (most recent call last):
    ValueError: times holds 3.0, but an integral needs two different times; ...
    """
    columns = distinct_times(times)
    if len(columns) < 2:
        raise ValueError(
            f"times holds {preview(times)}, but an integral needs two different times; "
            "censored_brier_score takes a single one."
        )
    return columns


def integrate_brier(times: FloatArray, values: FloatArray) -> tuple[float, int]:
    """Return the mean over the times before the first NaN, and how many these are.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        Distinct times, ascending.
    values : ndarray of shape (n_times,)
        Scores.

    Returns
    -------
    mean : float
        NaN if fewer than two times are used.
    n_used : int
        Number of times before the first NaN.

    Examples
    --------
    >>> integrate_brier(np.array([0.0, 2.0, 3.0]), np.array([0.25, 0.75, np.nan]))
    (0.5, 2)
    """
    n_used = int(np.argmax(np.append(np.isnan(values), True)))
    if n_used < 2:
        return np.nan, n_used
    times, values = times[:n_used], values[:n_used]
    return float(np.trapezoid(values, times) / (times[-1] - times[0])), n_used
