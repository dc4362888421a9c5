"""Areas under the ROC curve of censored times: cumulative cases against dynamic controls."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.dynamic_auc import dynamic_auc
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.metrics._ipcw import (
    case_factors,
    censoring_curve,
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
from sklearn_ordinal_censored.targets._columns import read_array
from sklearn_ordinal_censored.targets._curves import as_functions, read_by_time
from sklearn_ordinal_censored.targets._inputs import check_floats, check_option, check_same_length
from sklearn_ordinal_censored.targets._undefined import replace_undefined


def cumulative_dynamic_auc(
    y_true: Any,
    y_pred: Any,
    *,
    times: ArrayLike,
    prediction: str = "time",
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatArray:
    """Area under the ROC curve of the events up to each time, weighted for censoring.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_times)
        Finite predictions, the same for all times or one column a time. Also a data frame whose
        columns or index are ``times``, or one step function a row.
    times : array-like of shape (n_times,)
        The times, in any order.
    prediction : {"time", "risk"}, default="time"
        Whether a larger prediction means a later or an earlier event. Survival probabilities are of
        the first kind. Nothing is flipped by itself: an area far below 0.5 suggests the other
        direction.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the area is undefined; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    ndarray of shape (n_times,)
        One area a time, in the order of ``times``: 1 for the right order throughout, 0.5 for no
        relation, 0 for the reverse; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    integrated_auc : One number for several times.
    concordance_index_ipcw : The order of all pairs.

    Notes
    -----
    At a time t the cases are the rows with an event at T <= t, weighted by ``1 / G(T-)``, and the
    controls those with T > t, whose common weight cancels [1]_. A row that was censored at t or
    before is neither. The area is the weighted share of pairs of a case and a control in which the
    prediction of the case is the earlier one, one half for equal predictions. G is the
    Kaplan-Meier curve of the censorings, where events come before censorings at a tied time. R's
    ``riskRegression`` does the same. scikit-survival takes G(T), which differs where an event and a
    censoring share a time.

    The area is undefined without a case, without a control, and where G is 0 or unknown for a case;
    the message names the times that can be used.

    The cost is O(n_samples) for each time, after one sort for predictions that do not depend on it,
    and one sort for each time else.

    References
    ----------
    .. [1] H. Uno, T. Cai, L. Tian, L. J. Wei. "Evaluating Prediction Rules for t-Year Survivors
       with Censored Regression Models." Journal of the American Statistical Association 102(478),
       2007. :doi:`10.1198/016214507000000149`

    Examples
    --------
    Until 3 there were events at 1 and at 3; G is 2/3 for the second, since one of three rows at
    risk was censored at 2. The row at 4 is the only control; it is predicted later than the first
    case and earlier than the second: 1 / (1 + 3/2) = 0.4.

    >>> from sklearn_ordinal_censored.metrics import cumulative_dynamic_auc
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1, 1], time=[1, 2, 3, 4])
    >>> cumulative_dynamic_auc(y_true, [1, 2, 6, 5], times=[1, 3])
    array([1. , 0.4])
    """
    scored = read_dynamic_predictions(y_true, y_pred, times, prediction, sample_weight)
    values, reason = auc_by_time(scored, prediction, censoring)
    return replace_undefined(values, "cumulative_dynamic_auc", reason, replace_undefined_by)


def integrated_auc(
    y_true: Any,
    y_pred: Any,
    *,
    times: ArrayLike,
    prediction: str = "time",
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Area under the ROC curve of the events up to each time, averaged over times.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_times)
        Finite predictions, the same for all times or one column a time. Also a data frame whose
        columns or index are ``times``, or one step function a row.
    times : array-like of shape (n_times,)
        The times, in any order.
    prediction : {"time", "risk"}, default="time"
        Whether a larger prediction means a later or an earlier event. Survival probabilities are of
        the first kind. Nothing is flipped by itself: an area far below 0.5 suggests the other
        direction.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where no time has an area; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        1 for the right order throughout, 0.5 for no relation, 0 for the reverse; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    Warns
    -----
    UserWarning
        If times with a weight are left out, with their number.

    See Also
    --------
    cumulative_dynamic_auc : One area a time.

    Notes
    -----
    The mean of :func:`cumulative_dynamic_auc` over the distinct times, each weighted by the drop of
    the Kaplan-Meier curve of the scored rows since the time before, and for the first time since
    the start [1]_. The mean area of scikit-survival is the same.

    Times at which the area is undefined are left out. Those before the first event have no weight
    anyway; a warning tells of others.

    References
    ----------
    .. [1] J. Lambert, S. Chevret. "Summary Measure of Discrimination in Survival Models Based on
       Cumulative/Dynamic Time-Dependent ROC Curves." Statistical Methods in Medical Research 25(5),
       2016. :doi:`10.1177/0962280213515571`

    Examples
    --------
    The areas are 1 and 0.4. Of four rows one has its event by 1, and of the two then left one more
    at 3: the curve drops by 1/4, and by 3/4 / 2 = 3/8. (1 * 1/4 + 0.4 * 3/8) / (5/8) = 0.64.

    >>> from sklearn_ordinal_censored.metrics import integrated_auc
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1, 1], time=[1, 2, 3, 4])
    >>> round(integrated_auc(y_true, [1, 2, 6, 5], times=[1, 3]), 12)
    0.64
    """
    scored = read_dynamic_predictions(y_true, y_pred, times, prediction, sample_weight)
    values, reason = auc_by_time(scored, prediction, censoring)
    value, lost = average_auc(scored, values)
    if lost:
        warn(f"integrated_auc uses {lost}: {reason}.")
    if not np.isnan(values).all():
        reason = "the Kaplan-Meier curve of the rows does not drop up to the times with an area"
    return float(replace_undefined(value, "integrated_auc", reason, replace_undefined_by))


def read_dynamic_predictions(
    y_true: Any, y_pred: Any, times: Any, prediction: str, sample_weight: ArrayLike | None
) -> ScoredCurves:
    """Read rows that are under observation from the start, with predictions of their order.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_times)
        Predictions, the same for all times or one column a time.
    times : array-like of shape (n_times,)
        The times of the columns.
    prediction : {"time", "risk"}
        Whether larger means later or earlier.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    ScoredCurves
        The rows of positive weight; ``curves`` has one dimension for predictions of one.

    Examples
    --------
    >>> read_dynamic_predictions([[2, 2], [3, 3]], [5, 4], [1], "time", None).curves
    array([5., 4.])
    """
    check_option("prediction", prediction, ("time", "risk"))
    return read_scored_curves(
        y_true, y_pred, times, sample_weight, parse=parse_without_entry, read=_read_predictions
    )


def _read_predictions(
    y_pred: Any, times: FloatArray, n_samples: int, _weight: FloatArray | None
) -> FloatArray:
    """Return one prediction a row, or one for each row and time."""
    if as_functions(y_pred) is not None or read_array("y_pred", y_pred).ndim != 1:
        return read_by_time("y_pred", y_pred, times, n_samples)
    score = check_floats("y_pred", y_pred)
    check_same_length(y_true=n_samples, y_pred=len(score))
    return score


def auc_by_time(scored: ScoredCurves, prediction: str, censoring: Any) -> tuple[FloatArray, str]:
    """Return the area at each time, and why it is undefined where it is.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and predictions.
    prediction : {"time", "risk"}
        Whether larger means later or earlier.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.

    Returns
    -------
    values : ndarray of shape (n_times,)
        Areas, NaN where they are undefined.
    reason : str
        Part of a message; empty where all are defined.

    Examples
    --------
    >>> scored = read_dynamic_predictions([[2, 2], [3, 3]], [5, 4], [2], "time", None)
    >>> auc_by_time(scored, "time", None)
    (array([0.]), '')
    """
    time, event, times = scored.target.lower, scored.target.is_exact, scored.times
    curve = censoring_curve(censoring, scored.target, scored.weight)
    case_factor = case_factors(curve, scored.target)
    sign = 1.0 if prediction == "time" else -1.0
    values = dynamic_auc(scored.curves, times, time, scored.own_weight, case_factor, sign)
    no_case = times < time[event].min(initial=np.inf)
    no_control = times >= time.max()
    unusable = np.isnan(values) & ~no_case & ~no_control
    span = usable_span(curve)
    problems = {
        "no event has happened": no_case,
        "no row is left": no_control & ~no_case,
        f"the censoring curve is 0 or unknown, it can be used {span}": unusable,
    }
    return values, tell_where(times, problems)


def average_auc(scored: ScoredCurves, values: FloatArray) -> tuple[float, str]:
    """Return the mean area, weighted by the drop of the Kaplan-Meier curve of the rows.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and times.
    values : ndarray of shape (n_times,)
        Areas.

    Returns
    -------
    mean : float
        NaN if no time has an area, or the curve does not drop up to those that have.
    used : str
        Which times are used if some with a weight are not; part of a message.

    Examples
    --------
    >>> rows = read_dynamic_predictions([[2, 2], [3, 3]], [5, 4], [1, 2], "time", None)
    >>> average_auc(rows, np.array([np.nan, 0.75]))
    (0.75, '')
    """
    columns = distinct_times(scored.times)
    times, values = scored.times[columns], values[columns]
    survival = KaplanMeier()._fit(scored.target, scored.weight).predict(times)
    is_used = ~np.isnan(values)
    if not is_used.any():
        return np.nan, ""
    survival_used = survival[is_used]
    used = ""
    if (~is_used & ~(survival >= survival_used[-1])).any():
        span = times[is_used]
        used = f"{is_used.sum()} of {len(times)} times, from {span[0]} to {span[-1]}"
    weights = -np.diff(survival_used, prepend=1.0)
    if not weights.any():  # the weight of the events is lost beside that of the other rows
        return np.nan, used
    return float(np.average(values[is_used], weights=weights)), used
