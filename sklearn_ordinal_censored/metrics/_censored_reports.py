"""The report of predicted times, risks and survival curves, in one data frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, FloatArray
from sklearn_ordinal_censored.metrics._censored_errors import censoring_rate, observed_mae
from sklearn_ordinal_censored.metrics._censored_mae import censored_mae
from sklearn_ordinal_censored.metrics._concordance import concordance_index_ipcw
from sklearn_ordinal_censored.metrics._concordance_inference import concordance_inference
from sklearn_ordinal_censored.metrics._curve_inference import (
    CurveEstimate,
    estimate_auc,
    estimate_brier,
)
from sklearn_ordinal_censored.metrics._dynamic_auc import average_auc
from sklearn_ordinal_censored.metrics._estimates import ConfidenceInterval
from sklearn_ordinal_censored.metrics._marginal_curve import (
    Curve,
    marginal_curve,
    median_time,
    survival_at,
)
from sklearn_ordinal_censored.metrics._report_frame import ReportRow, report_frame
from sklearn_ordinal_censored.metrics._reported_rows import ReportedRows, read_reported_rows
from sklearn_ordinal_censored.metrics._scored_curves import distinct_times
from sklearn_ordinal_censored.metrics._survival_curves import integrate_brier, marginal_brier
from sklearn_ordinal_censored.metrics._time_dependent_concordance import curve_concordance
from sklearn_ordinal_censored.nonparametric._kaplan_meier import KaplanMeier
from sklearn_ordinal_censored.targets._inputs import check_confidence_level
from sklearn_ordinal_censored.targets._undefined import warn_undefined
from sklearn_ordinal_censored.targets._weights import average

if TYPE_CHECKING:
    import pandas as pd

_UNDEFINED = np.inf  # stands for 0/0 until it is NaN, because metrics would warn of NaN
_NO_INTERVAL = ConfidenceInterval(np.nan, np.nan)
_BRIER = ("censored_brier_score", "kaplan_meier_brier_score", "scaled_brier_score")
_AUC = "cumulative_dynamic_auc"
_ORDERS = (
    "concordance_index",
    "concordance_index_ipcw",
    "antolini_concordance_index",
    "integrated_auc",
)


def censored_report(
    y_true: Any,
    y_pred: ArrayLike | None = None,
    *,
    prediction: str = "time",
    y_proba: Any = None,
    times: ArrayLike | None = None,
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Report how well times, risks or survival curves are predicted, and what there was to beat.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted times or risks, finite.
    prediction : {"time", "risk"}, default="time"
        Whether a larger ``y_pred`` means a later or an earlier event. Errors are reported of times
        only.
    y_proba : array-like of shape (n_samples, n_times), default=None
        Predicted survival: ``y_proba[:, k]`` is ``P(T > times[k])``. Also a data frame whose
        columns or index are ``times``, or one step function a row.
    times : array-like of shape (n_times,), default=None
        Times at which to look, in any order; ``y_proba`` needs them.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. Rows are counted by their weights; in the intervals a row is one
        independent unit whatever its weight.
    confidence_level : float, default=0.95
        Of the intervals, between 0 and 1.

    Returns
    -------
    DataFrame
        Columns ``value``, ``low`` and ``high``, all float; the latter two are NaN where there is no
        interval. The index has the levels ``section``, ``item`` and ``measure``. Its sections:

        ``"target"``
            Item ``"rows"``: the sum of the weights (``n``), the share of censored rows, the first
            and the last time, the median time, and the median follow-up, which is that of the
            reverse Kaplan-Meier curve.
        ``"censoring"``
            For each kind of row, ``"exact"``, ``"right"``, ``"left"`` and ``"interval"``: weight,
            share, first and last time. With predicted times also the shares of predictions that are
            too early, inside of what is known and too late, and their mean distance from it.
        ``"overall"``
            Item ``"prediction"``. Of ``y_pred`` the concordance, with an interval, the weight of
            its pairs, and the IPCW concordance, of the events before the last of ``times`` if these
            are given. Of predicted times :func:`observed_mae`, and :func:`censored_mae` by
            ``"hinge"`` and by ``"ipcw"``. Of ``y_proba`` Antolini's concordance, the integrated
            Brier score, and the number of times that it uses (``times_used``). The integrated area
            under the ROC curve, of what the next section says.
        ``"time"``
            For every distinct time the weight of the rows that had no event up to it and were
            followed beyond it (``rows_left``), that of those that surely had one (``events``), the
            probability of no event up to it in the data (``survival``) and the mean of the
            predicted ones; the Brier score, with an interval, that of the Kaplan-Meier curve, and
            the scaled Brier score; the area under the ROC curve, with an interval, of ``y_proba``,
            or else of ``y_pred``.
        ``"baseline"``
            Item ``"constant"``: the measures of ``"overall"`` for predictions that know nothing of
            the rows, the Kaplan-Meier curve everywhere, and its median as a time.

        Which rows the frame has depends on the arguments that are given, never on the data. A value
        is NaN, without a warning for each,

        - where the function of its name would be undefined, and for a median to which the curve
          does not come down, with the errors of the baseline;
        - where left- or interval-censored rows rule it out: the median follow-up, Antolini's
          concordance, and all that is weighted for censoring. The median and ``survival`` are then
          those of Turnbull's curve, where it is not unique in the middle of what it may be;
        - where late entries rule it out: all that is weighted for censoring but the IPCW
          concordance, and Turnbull's curve.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    Warns
    -----
    UserWarning
        If rows of ``y_proba`` increase with time.
    UndefinedMetricWarning
        Once, with the names of the measures of ``"overall"`` that are undefined for it, if no row
        has an event.

    See Also
    --------
    render_report : The report as text.
    concordance_inference : Standard error and test of a concordance.
    compare_concordance : Whether two predictions differ.

    Notes
    -----
    Values are those of the functions of the same names. Intervals are those of
    :func:`concordance_inference`, :func:`brier_inference` and :func:`auc_inference`, by their
    default methods; there is none where the standard error is 0, since one without width would
    claim certainty. They are too short where fewer than about 20 events or 20 rows are left.

    Integrated scores leave out the times at which there is no score. The integrated Brier score
    ends before the first time at which it or that of the Kaplan-Meier curve is undefined, so that
    prediction and baseline are compared over the same stretch.

    Examples
    --------
    The prediction for the event at 2 is right, that for the event at 7 comes too early, and nothing
    contradicts the third:

    >>> from sklearn_ordinal_censored.metrics import censored_report
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1, 0], time=[2, 7, 8])
    >>> report = censored_report(y_true, [2, 4, 9])
    >>> report.loc["overall"].loc["prediction", "value"]
    measure
    concordance_index         1.0
    comparable_pairs          3.0
    concordance_index_ipcw    1.0
    observed_mae              1.5
    hinge_mae                 1.0
    ipcw_mae                  1.5
    Name: value, dtype: float64
    >>> report.loc["censoring", "value"].unstack()[["n", "too_early", "hinge_mae"]]
    measure     n  too_early  hinge_mae
    item
    exact     2.0        0.5        1.5
    right     1.0        0.0        0.0
    left      0.0        NaN        NaN
    interval  0.0        NaN        NaN
    """
    level = check_confidence_level(confidence_level)
    rows = read_reported_rows(y_true, y_pred, prediction, y_proba, times, censoring, sample_weight)
    curve = marginal_curve(rows.target, rows.weight)
    scores = {**_brier_scores(rows), **_areas(rows)}
    order, interval = _order(rows, level)
    overall = {**order, **_errors(rows, rows.pred), **_integrals(rows, scores)}
    _warn_of_no_event(rows, overall)
    parts = [
        *_list("target", "rows", _target(rows, curve)),
        *_kinds(rows),
        *_list("overall", "prediction", overall, {"concordance_index": interval}),
        *_at_times(rows, curve, scores, level),
        *_list("baseline", "constant", _constant(rows, curve, scores, overall)),
    ]
    return report_frame(parts, confidence_level=level)


def _warn_of_no_event(rows: ReportedRows, overall: Mapping[str, float]) -> None:
    needs_event = overall.keys() - {"integrated_brier_score"}  # has a value without
    undefined = [name for name in overall if name in needs_event and np.isnan(overall[name])]
    if undefined and not rows.target.has_event.any():
        each = "each of " if len(undefined) > 1 else ""
        warn_undefined(f"{each}{', '.join(undefined)}", "no row of y_true has an event")


def _list(
    section: str,
    item: Any,
    values: Mapping[str, float],
    intervals: Mapping[str, ConfidenceInterval] = MappingProxyType({}),
) -> Iterator[ReportRow]:
    for name, value in values.items():
        yield ReportRow(section, item, name, float(value), *intervals.get(name, _NO_INTERVAL))


def _target(rows: ReportedRows, curve: Curve) -> dict[str, float]:
    followed = None
    if rows.target.is_right_censored:
        followed = KaplanMeier(reverse=True)._fit(rows.target, rows.weight)
    return {
        "n": rows.own_weight.sum(),
        "censoring_rate": censoring_rate(rows.y, sample_weight=rows.weight),
        **_span(rows.target),
        "median_time": median_time(curve),
        "median_follow_up": median_time(followed),
    }


def _span(target: CensoredTarget) -> dict[str, float]:
    bounds = np.concatenate([target.lower, target.upper])
    bounds = bounds[np.isfinite(bounds)]
    ends = (bounds.min(), bounds.max()) if bounds.size else (np.nan, np.nan)
    return dict(zip(("first_time", "last_time"), ends, strict=True))


def _kinds(rows: ReportedRows) -> Iterator[ReportRow]:
    target, weight = rows.target, rows.own_weight
    exact, right, left = target.is_exact, target.is_right, target.is_left
    kinds = {"exact": exact, "right": right, "left": left, "interval": ~(exact | right | left)}
    for kind, chosen in kinds.items():
        n = weight[chosen].sum()
        values = {"n": n, "share": n / weight.sum(), **_span(target.take(chosen))}
        for name, part in _misses(rows).items():
            values[name] = average(part[chosen], weight[chosen]) if n else np.nan
        yield from _list("censoring", kind, values)


def _misses(rows: ReportedRows) -> dict[str, AnyArray]:
    """Return on which side of what is known each predicted time lies, and how far off."""
    if rows.pred is None or rows.prediction == "risk":
        return {}
    late = rows.pred - np.clip(rows.pred, rows.target.lower, rows.target.upper)
    sides = {"too_early": late < 0, "inside": late == 0, "too_late": late > 0}
    return {**sides, "hinge_mae": np.abs(late)}


def _order(rows: ReportedRows, level: float) -> tuple[dict[str, float], ConfidenceInterval]:
    """Return concordances, and the interval of the first."""
    if rows.pred is None:
        return {}, _NO_INTERVAL
    options: dict[str, Any] = {
        "prediction": rows.prediction,
        "sample_weight": rows.weight,
        "replace_undefined_by": _UNDEFINED,
    }
    found = concordance_inference(rows.y, rows.pred, **options)
    weighted = np.nan
    if rows.target.is_right_censored:
        tau = rows.times.max() if rows.times.size else None
        options.update(censoring=rows.censoring, tau=tau)
        weighted = _mark_undefined(concordance_index_ipcw(rows.y, rows.pred, **options))
    values = {
        "concordance_index": _mark_undefined(found.estimate),
        "comparable_pairs": found.concordant + found.discordant + found.tied_score,
        "concordance_index_ipcw": weighted,
    }
    has_interval = found.standard_error > 0 and 0 < found.estimate < 1
    return values, found.confidence_interval(level) if has_interval else _NO_INTERVAL


def _errors(rows: ReportedRows, pred: FloatArray | None) -> dict[str, float]:
    """Return the errors of predicted times; there are none of risks."""
    if pred is None or rows.prediction == "risk":
        return {}
    options: dict[str, Any] = {"sample_weight": rows.weight, "replace_undefined_by": _UNDEFINED}
    weighted = np.nan
    if rows.can_be_weighted:
        options_ipcw = {"method": "ipcw", "censoring": rows.censoring, **options}
        weighted = _mark_undefined(censored_mae(rows.y, pred, **options_ipcw))
    return {
        "observed_mae": _mark_undefined(observed_mae(rows.y, pred, **options)),
        "hinge_mae": censored_mae(rows.y, pred, **options),
        "ipcw_mae": weighted,
    }


def _mark_undefined(value: float) -> float:
    return np.nan if value == _UNDEFINED else value


def _brier_scores(rows: ReportedRows) -> dict[str, CurveEstimate]:
    if rows.curves is None:
        return {}
    nothing = _nothing(rows)
    if not rows.can_be_weighted:
        return dict.fromkeys(_BRIER, nothing)
    scored = rows.scored(rows.curves)
    brier, _ = estimate_brier(scored, rows.censoring)
    reference = marginal_brier(scored, rows.censoring)
    ratio = np.full(len(reference), np.nan)
    np.divide(brier.estimate, reference, out=ratio, where=reference > 0)
    others = (replace(nothing, estimate=values) for values in (reference, 1 - ratio))
    return dict(zip(_BRIER, (brier, *others), strict=True))


def _areas(rows: ReportedRows) -> dict[str, CurveEstimate]:
    predicted = rows.pred if rows.curves is None else rows.curves
    if predicted is None or not rows.times.size:
        return {}
    if not rows.can_be_weighted:
        return {_AUC: _nothing(rows)}
    direction = rows.prediction if rows.curves is None else "time"
    return {_AUC: estimate_auc(rows.scored(predicted), direction, rows.censoring)[0]}


def _nothing(rows: ReportedRows) -> CurveEstimate:
    return CurveEstimate(rows.times, *np.full((2, len(rows.times)), np.nan))


def _integrals(rows: ReportedRows, scores: Mapping[str, CurveEstimate]) -> dict[str, float]:
    """Return what is asked of all times together."""
    values = {}
    if rows.curves is not None:
        is_known = rows.target.is_right_censored
        order = curve_concordance(rows.scored(rows.curves)) if is_known else np.nan
        values["antolini_concordance_index"] = order
        values["integrated_brier_score"], n_used = _integral(scores, _BRIER[0])
        values["times_used"] = n_used
    if _AUC in scores:
        areas = scores[_AUC].estimate
        is_known = not np.isnan(areas).all()
        values["integrated_auc"] = average_auc(rows.scored(areas), areas)[0] if is_known else np.nan
    return values


def _integral(scores: Mapping[str, CurveEstimate], name: str) -> tuple[float, int]:
    """Return an integrated Brier score over the times that model and baseline share, and these."""
    times = scores[name].times
    columns = distinct_times(times)
    is_shared = np.all([np.isfinite(scores[key].estimate) for key in _BRIER[:2]], axis=0)
    values = np.where(is_shared, scores[name].estimate, np.nan)
    return integrate_brier(times[columns], values[columns])


def _at_times(
    rows: ReportedRows,
    curve: Curve,
    scores: Mapping[str, CurveEstimate],
    level: float,
) -> Iterator[ReportRow]:
    target, weight = rows.target, rows.own_weight
    survival = survival_at(curve, rows.times)
    intervals = {
        name: _with_width(found).confidence_interval(level) for name, found in scores.items()
    }
    for column in np.sort(distinct_times(rows.times)):
        time = float(rows.times[column])
        # A row censored at the time was not followed beyond it, one between two visits was.
        is_between = (target.lower == time) & (target.upper > time) & target.has_event
        values = {
            "rows_left": weight[is_between | (target.lower > time)].sum(),
            "events": weight[target.upper <= time].sum(),
            "survival": survival[column],
        }
        if rows.curves is not None:
            values["mean_prediction"] = np.average(rows.curves[:, column], weights=weight)
        values.update({name: found.estimate[column] for name, found in scores.items()})
        ends = {
            name: ConfidenceInterval(low[column], high[column])
            for name, (low, high) in intervals.items()
        }
        yield from _list("time", int(time) if time.is_integer() else time, values, ends)


def _with_width(found: CurveEstimate) -> CurveEstimate:
    """Return scores without the standard errors of 0, of which an interval would warn."""
    errors = np.where(found.standard_error > 0, found.standard_error, np.nan)
    return replace(found, standard_error=errors)


def _constant(
    rows: ReportedRows,
    curve: Curve,
    scores: Mapping[str, CurveEstimate],
    overall: Mapping[str, float],
) -> dict[str, float]:
    """Return the measures of a prediction that is the same for all rows."""
    known, median = {}, median_time(curve)
    if np.isfinite(median):
        known = _errors(rows, np.full(len(rows.target.lower), median))
    if rows.curves is not None:
        known["integrated_brier_score"], _ = _integral(scores, _BRIER[1])
    # Equal predictions count one half wherever there is something to order.
    known.update({name: 0.5 + 0 * overall[name] for name in _ORDERS if name in overall})
    counts = ("comparable_pairs", "times_used")
    return {name: known.get(name, np.nan) for name in overall if name not in counts}
