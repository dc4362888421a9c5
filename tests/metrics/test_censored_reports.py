"""The report of censored times: every value against the function or formula it stands for."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from optional import polars as pl
from pandas.testing import assert_frame_equal
from sklearn.exceptions import UndefinedMetricWarning
from strategies import whole_weights
from strategies_censored import ANY_KIND, RIGHT_CENSORED, censored
from strategies_curves import predicted

from sklearn_ordinal_censored.datasets import load_gbsg2
from sklearn_ordinal_censored.metrics import (
    antolini_concordance_index,
    auc_inference,
    brier_inference,
    censored_brier_score,
    censored_mae,
    censored_report,
    censoring_rate,
    concordance_index,
    concordance_index_ipcw,
    concordance_inference,
    integrated_auc,
    integrated_brier_score,
    observed_mae,
    render_report,
    scaled_brier_score,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier, Turnbull
from sklearn_ordinal_censored.targets import interval_censored, right_censored

pytestmark = pytest.mark.filterwarnings("ignore:.* no row of y_true has an event")  # drawn ones

few = settings(max_examples=25)  # every one makes a data frame
UNDEFINED = -9.0  # no value of any measure
KINDS = ["exact", "right", "left", "interval"]
ORDER = ["concordance_index", "comparable_pairs", "concordance_index_ipcw"]
ERRORS = ["observed_mae", "hinge_mae", "ipcw_mae"]
BRIER = ["censored_brier_score", "kaplan_meier_brier_score", "scaled_brier_score"]

rng = np.random.default_rng(0)
X = rng.normal(size=80)
TIME = np.ceil(8 * rng.exponential(size=80) * np.exp(X))
LIMIT = np.ceil(12 * rng.exponential(size=80))
Y = right_censored(TIME <= LIMIT, np.minimum(TIME, LIMIT))
PRED = 6 * np.exp(X)
TIMES = [2.0, 12.5, 5.0]
CURVES = np.exp(-np.array(TIMES) / PRED[:, np.newaxis])
WEIGHT = rng.integers(0, 4, 80)
EDGES = np.array([[4, 4], [3, np.inf], [-np.inf, 5], [2, 6], [0, 3]], dtype=float)


def values_of(report, section, item):
    """Values of an item by measure; -9 for undefined ones."""
    return report["value"].fillna(UNDEFINED).loc[section].loc[item].to_dict()


def ends_of(report, *key):
    return tuple(report.loc[key, ["low", "high"]])


def present(rows):
    """The rows of positive weight; without them some functions refuse others' kinds."""
    kept = [k for k in range(len(rows.pred)) if rows.weight is None or rows.weight[k] > 0]
    return type(rows)(*(side if side is None else [side[k] for k in kept] for side in rows))


def is_right_censored(rows):
    bounds = zip(rows.lower, rows.upper, strict=True)
    return all(low == high or high == math.inf for low, high in bounds)


def ignoring_warnings(function, *arguments, **keywords):
    """Value of a function that tells which times it leaves out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **keywords)


def or_undefined(values):
    return np.nan_to_num(np.asarray(values, dtype=float), nan=UNDEFINED)


# --- order and errors of one prediction a row -----------------------------------------------


@few
@given(censored(), st.sampled_from(["time", "risk"]))
def test_order_is_that_of_the_functions(rows, prediction):
    report = censored_report(
        rows.bounds, rows.pred, prediction=prediction, sample_weight=rows.weight
    )
    rows = present(rows)
    options = {
        "prediction": prediction,
        "sample_weight": rows.weight,
        "replace_undefined_by": UNDEFINED,
    }
    values = values_of(report, "overall", "prediction")
    found = concordance_inference(rows.bounds, rows.pred, **options)
    assert values["concordance_index"] == pytest.approx(
        concordance_index(rows.bounds, rows.pred, **options), rel=1e-12
    )
    assert values["comparable_pairs"] == found.concordant + found.discordant + found.tied_score
    weighted = UNDEFINED
    if is_right_censored(rows):
        weighted = concordance_index_ipcw(rows.bounds, rows.pred, **options)
    assert values["concordance_index_ipcw"] == pytest.approx(weighted, rel=1e-12)
    ends = ends_of(report, "overall", "prediction", "concordance_index")
    if found.standard_error > 0:
        assert ends == tuple(found.confidence_interval())
    else:
        assert np.isnan(ends).all()


@few
@given(censored())
def test_errors_are_those_of_the_functions(rows):
    report = censored_report(rows.bounds, rows.pred, sample_weight=rows.weight)
    rows = present(rows)
    options = {"sample_weight": rows.weight, "replace_undefined_by": UNDEFINED}
    weighted = UNDEFINED
    if is_right_censored(rows) and rows.entry is None:
        weighted = censored_mae(rows.bounds, rows.pred, method="ipcw", **options)
    values = values_of(report, "overall", "prediction")
    assert [values[name] for name in ERRORS] == [
        observed_mae(rows.bounds, rows.pred, **options),
        censored_mae(rows.bounds, rows.pred, **options),
        weighted,
    ]
    risks = censored_report(rows.bounds, rows.pred, prediction="risk", sample_weight=rows.weight)
    assert list(values_of(risks, "overall", "prediction")) == ORDER
    assert "hinge_mae" not in risks.index.get_level_values("measure")


def test_a_risk_is_a_time_turned_round():
    as_risk = censored_report(Y, -PRED, prediction="risk", times=TIMES)
    as_time = censored_report(Y, PRED, times=TIMES)
    same = as_time.loc[as_risk.index]
    same.attrs = as_risk.attrs
    assert_frame_equal(as_risk, same)


# --- the target -----------------------------------------------------------------------------


@few
@given(censored())
def test_kinds_against_loops(rows):
    report = censored_report(rows.bounds, rows.pred, sample_weight=rows.weight)
    weight = [1.0] * len(rows.lower) if rows.weight is None else rows.weight
    total = math.fsum(weight)
    for kind in KINDS:
        values = values_of(report, "censoring", kind)
        chosen = [
            (low, high, pred, w)
            for low, high, pred, w in zip(rows.lower, rows.upper, rows.pred, weight, strict=True)
            if kind_of(low, high) == kind and w > 0
        ]
        n = math.fsum(w for *_, w in chosen)
        bounds = [end for low, high, *_ in chosen for end in (low, high) if math.isfinite(end)]
        expected = {
            "n": n,
            "share": n / total,
            "first_time": min(bounds, default=UNDEFINED),
            "last_time": max(bounds, default=UNDEFINED),
        }
        misses = {
            "too_early": [w * (pred < low) for low, _, pred, w in chosen],
            "inside": [w * (low <= pred <= high) for low, high, pred, w in chosen],
            "too_late": [w * (pred > high) for _, high, pred, w in chosen],
            "hinge_mae": [w * max(low - p, p - high, 0) for low, high, p, w in chosen],
        }
        for name, parts in misses.items():
            expected[name] = math.fsum(parts) / n if n else UNDEFINED
        assert values == pytest.approx(expected, rel=1e-12)


def kind_of(low, high):
    if low == high:
        return "exact"
    if high == math.inf:
        return "right"
    return "left" if low in (0, -math.inf) else "interval"  # no bound is negative


@few
@given(censored())
def test_rates_are_those_of_the_function(rows):
    report = censored_report(rows.bounds, sample_weight=rows.weight)
    rates = [censoring_rate(rows.bounds, kind=k, sample_weight=rows.weight) for k in KINDS[1:]]
    found = [values_of(report, "censoring", kind)["share"] for kind in KINDS]
    assert_allclose(found, [1 - sum(rates), *rates], atol=1e-12)
    rate = censoring_rate(rows.bounds, sample_weight=rows.weight)
    assert values_of(report, "target", "rows")["censoring_rate"] == pytest.approx(rate)


def test_target_by_hand():
    y = right_censored([1, 0, 1, 1, 0, 0], [1, 2, 3, 4, 5, 9])
    # 5/6 after 1, 5/6 * 3/4 after 3, 5/6 * 2/4 after 4; of censorings 4/5, 4/5 * 1/2, 0.
    assert values_of(censored_report(y), "target", "rows") == {
        "n": 6,
        "censoring_rate": 0.5,
        "first_time": 1,
        "last_time": 9,
        "median_time": 4,
        "median_follow_up": 5,
    }


def test_a_median_that_is_one_half_up_to_rounding():
    y, weight = right_censored([1] * 5, [1, 2, 3, 4, 5]), [0.2, 0.1, 0.1, 0.2, 0.2]
    assert 0.5 < KaplanMeier().fit(y, weight).predict([3])[0] < 0.5 + 1e-15
    report = censored_report(y, sample_weight=weight)
    assert values_of(report, "target", "rows")["median_time"] == 3


def test_a_curve_that_does_not_come_down_has_no_median():
    y = right_censored([1, 0, 0], [1, 2, 3])
    report = censored_report(y, [1, 2, 3])
    assert values_of(report, "target", "rows")["median_time"] == UNDEFINED
    baseline = values_of(report, "baseline", "constant")
    assert [baseline[name] for name in ERRORS] == [UNDEFINED] * 3
    assert baseline["concordance_index"] == 0.5


def test_median_and_survival_of_bounds_are_turnbulls():
    y = interval_censored([1, 2, 5], [3, 4, 6])  # 2/3 in (2, 3], 1/3 in (5, 6]
    report = censored_report(y, times=[2.5, 4, 6, 7])
    values = values_of(report, "target", "rows")
    assert (values["median_time"], values["median_follow_up"]) == (3, UNDEFINED)
    survival = [values_of(report, "time", time)["survival"] for time in (2.5, 4, 6, 7)]
    assert_allclose(survival, [(1 + 1 / 3) / 2, 1 / 3, 0, 0], atol=1e-9)


def test_turnbulls_curve_is_unknown_past_an_open_end():
    y = interval_censored([1, 2, 5], [3, 4, np.inf])
    report = censored_report(y, times=[4, 5, 6], sample_weight=[1, 1, 4])
    curve = Turnbull().fit(y, [1, 1, 4])
    survival = [values_of(report, "time", time)["survival"] for time in (4, 5, 6)]
    assert_allclose(survival, [curve.predict([4])[0], curve.predict([5])[0], UNDEFINED])
    assert values_of(report, "target", "rows")["median_time"] == UNDEFINED


# --- curves and times -----------------------------------------------------------------------


@few
@given(predicted(), st.sampled_from([0.9, 0.95]))
def test_scores_at_a_time_are_those_of_the_functions(rows, level):
    options = {"times": rows.times, "sample_weight": rows.weight}
    report = censored_report(rows.y, y_proba=rows.values, confidence_level=level, **options)
    options["replace_undefined_by"] = UNDEFINED
    brier = brier_inference(rows.y, rows.values, **options)
    area = auc_inference(rows.y, rows.values, **options)
    scaled = scaled_brier_score(rows.y, rows.values, **options)
    weight = [1] * len(rows.time) if rows.weight is None else rows.weight
    survival = KaplanMeier().fit(rows.y, sample_weight=rows.weight).predict(rows.times)
    for k, time in enumerate(rows.times):
        values = values_of(report, "time", time)
        assert list(values) == [
            "rows_left",
            "events",
            "survival",
            "mean_prediction",
            *BRIER,
            "cumulative_dynamic_auc",
        ]
        later = [w * (t > time) for t, _, w in of(rows, weight)]
        before = [w * (t <= time and e) for t, e, w in of(rows, weight)]
        assert values["rows_left"] == pytest.approx(math.fsum(later))
        assert values["events"] == pytest.approx(math.fsum(before))
        assert values["survival"] == or_undefined(survival)[k]
        mean = np.average(np.array(rows.values)[:, k], weights=weight)
        assert values["mean_prediction"] == pytest.approx(mean, rel=1e-12)
        assert values["censored_brier_score"] == brier.estimate[k]
        assert values["scaled_brier_score"] == scaled[k]
        assert values["cumulative_dynamic_auc"] == area.estimate[k]
        for name, found in ((BRIER[0], brier), ("cumulative_dynamic_auc", area)):
            ends = ends_of(report, "time", time, name)
            expected = (np.nan, np.nan)
            if found.standard_error[k] > 0:
                one = type(found)(*(part[[k]] for part in vars(found).values()))
                expected = [end[0] for end in one.confidence_interval(level)]
            assert_allclose(ends, expected)


def of(rows, weight):
    return zip(rows.time, rows.event, weight, strict=True)


@few
@given(predicted())
def test_integrals_are_those_of_the_functions(rows):
    options = {"times": rows.times, "sample_weight": rows.weight}
    report = censored_report(rows.y, y_proba=rows.values, **options)
    values = values_of(report, "overall", "prediction")
    options["replace_undefined_by"] = UNDEFINED
    order = antolini_concordance_index(rows.y, rows.values, **options)
    area = ignoring_warnings(integrated_auc, rows.y, rows.values, **options)
    brier = UNDEFINED
    if len(set(rows.times)) > 1:
        brier = ignoring_warnings(integrated_brier_score, rows.y, rows.values, **options)
    assert values == {
        "antolini_concordance_index": order,
        "integrated_brier_score": brier,
        "times_used": values["times_used"],
        "integrated_auc": area,
    }


def test_the_reference_is_the_brier_score_of_the_kaplan_meier_curve():
    report = censored_report(Y, y_proba=CURVES, times=TIMES, sample_weight=WEIGHT)
    curve = KaplanMeier().fit(Y, sample_weight=WEIGHT).predict(TIMES)
    everywhere = np.tile(curve, (80, 1))
    expected = censored_brier_score(Y, everywhere, times=TIMES, sample_weight=WEIGHT)
    table = report.loc["time", "value"].unstack()
    assert_allclose(table["kaplan_meier_brier_score"], expected, rtol=1e-12)
    saved = 1 - table["censored_brier_score"] / table["kaplan_meier_brier_score"]
    assert_allclose(table["scaled_brier_score"], saved, rtol=1e-12)


def test_areas_are_those_of_the_curves_or_else_of_the_other_prediction():
    areas = [
        censored_report(Y, pred, y_proba=curves, times=TIMES, prediction="risk")
        .xs("cumulative_dynamic_auc", level="measure")
        .to_numpy()
        for pred, curves in ((X, CURVES), (None, CURVES), (X, None))
    ]
    assert_allclose(areas[0], areas[1])
    found = auc_inference(Y, X, times=TIMES, prediction="risk")
    assert_allclose(areas[2].T, [found.estimate, *found.confidence_interval()])
    assert (areas[2][:, 0] < 0.5).all()
    assert (areas[0][:, 0] > 0.5).all()


def test_times_are_those_of_the_caller_and_none_is_repeated():
    report = censored_report(Y, y_proba=CURVES[:, [0, 1, 2, 0]], times=[*TIMES, 2.0])
    assert list(report.loc["time"].index.unique("item")) == [2, 12.5, 5]
    once = censored_report(Y, y_proba=CURVES, times=TIMES)
    assert_frame_equal(report, once)
    assert [type(item) for item in report.loc["time"].index.unique("item")] == [int, float, int]


def test_the_weighted_concordance_ends_with_the_last_time():
    report = censored_report(Y, PRED, times=TIMES)
    values = values_of(report, "overall", "prediction")
    assert values["concordance_index_ipcw"] == concordance_index_ipcw(Y, PRED, tau=12.5)
    assert values["concordance_index_ipcw"] != concordance_index_ipcw(Y, PRED)


@pytest.mark.parametrize("fitted", [True, False])
def test_another_censoring_curve(fitted):
    other = right_censored([1, 0, 1, 0, 0], [1, 4, 6, 11, 20])
    reference = KaplanMeier(reverse=True).fit(other) if fitted else other
    report = censored_report(Y, PRED, y_proba=CURVES, times=TIMES, censoring=reference)
    values = values_of(report, "overall", "prediction")
    options = {"times": TIMES, "censoring": other}
    mae = censored_mae(Y, PRED, method="ipcw", censoring=other, replace_undefined_by=UNDEFINED)
    assert values["ipcw_mae"] == mae
    weighted = concordance_index_ipcw(Y, PRED, censoring=other, tau=12.5)
    assert values["concordance_index_ipcw"] == weighted
    assert values["integrated_brier_score"] == integrated_brier_score(Y, CURVES, **options)
    assert values["integrated_auc"] == integrated_auc(Y, CURVES, **options)
    found = brier_inference(Y, CURVES, **options)
    scores = report.xs("censored_brier_score", level="measure").to_numpy()
    assert_allclose(scores.T, [found.estimate, *found.confidence_interval()])


def test_scores_end_where_the_censoring_curve_does():
    reference = right_censored([1, 0, 0], [1, 4, 7])
    times = [1.0, 3.0, 6.0, 8.0]
    curves = np.exp(-np.array(times) / PRED[:, np.newaxis])
    report = censored_report(Y, y_proba=curves, times=times, censoring=reference)
    scores = report.loc["time", "value"].unstack()["censored_brier_score"]
    assert np.isnan(scores).tolist() == [False, False, False, True]
    with pytest.warns(UserWarning, match="uses 3 of 4 times"):
        expected = integrated_brier_score(Y, curves, times=times, censoring=reference)
    assert values_of(report, "overall", "prediction")["integrated_brier_score"] == expected


# --- the baseline ---------------------------------------------------------------------------


@few
@given(censored(kinds=RIGHT_CENSORED))
def test_the_baseline_of_times_is_the_median_everywhere(rows):
    report = censored_report(rows.bounds, rows.pred, sample_weight=rows.weight)
    median = report.loc[("target", "rows", "median_time"), "value"]
    baseline = values_of(report, "baseline", "constant")
    constant = np.full(len(rows.pred), 0.0 if np.isnan(median) else median)
    of_constant = values_of(
        censored_report(rows.bounds, constant, sample_weight=rows.weight), "overall", "prediction"
    )
    if np.isnan(median):
        of_constant.update(dict.fromkeys(ERRORS, UNDEFINED))
    del of_constant["comparable_pairs"]
    assert baseline == pytest.approx(of_constant)


@few
@given(predicted())
def test_the_baseline_of_curves_is_the_kaplan_meier_curve_everywhere(rows):
    options = {"times": rows.times, "sample_weight": rows.weight}
    curve = KaplanMeier().fit(rows.y, sample_weight=rows.weight).predict(rows.times)
    report = censored_report(rows.y, y_proba=rows.values, **options)
    values = values_of(report, "baseline", "constant")
    everywhere = np.tile(np.nan_to_num(curve), (len(rows.time), 1))
    expected = values_of(
        censored_report(rows.y, y_proba=everywhere, **options), "overall", "prediction"
    )
    del expected["times_used"]
    assert values == pytest.approx(expected)


def test_both_integrals_end_where_the_curve_does():
    """At 6 a reference tells the score of the model, but not the Kaplan-Meier curve."""
    y = right_censored([1, 1, 0], [1, 3, 5])
    curves = np.full((3, 4), [0.8, 0.5, 0.4, 0.4])
    options = {"censoring": right_censored([1], [9])}
    report = censored_report(y, y_proba=curves, times=[1, 2, 4, 6], **options)
    options["times"] = [1, 2, 4]
    curve = np.tile(KaplanMeier().fit(y).predict([1, 2, 4]), (3, 1))
    of_model = values_of(report, "overall", "prediction")
    assert of_model["times_used"] == 3
    expected = integrated_brier_score(y, curves[:, :3], **options)
    assert of_model["integrated_brier_score"] == expected
    expected = integrated_brier_score(y, curve, **options)
    assert values_of(report, "baseline", "constant")["integrated_brier_score"] == expected


# --- every kind of rows ---------------------------------------------------------------------


def test_which_rows_there_are_depends_on_the_arguments_alone():
    targets = [
        right_censored([1, 0, 1, 1, 0], [2, 3, 4, 5, 6]),
        right_censored([0] * 5, [2, 3, 4, 5, 6]),
        right_censored([1] * 5, [3] * 5),
        EDGES,
        interval_censored([-np.inf] * 5, [1, 2, 3, 4, 5]),
        late_entries([1, 0, 1, 1, 0], [2, 3, 4, 5, 6], [0, 1, 1, 0, 2]),
    ]
    curves = np.linspace(0.9, 0.1, 10).reshape(2, 5).T
    options = [
        {"y_pred": [1, 3, 2, 5, 4]},
        {"y_pred": [1, 3, 2, 5, 4], "prediction": "risk", "times": [3, 5]},
        {"y_proba": curves, "times": [3, 5]},
        {"y_pred": [1, 3, 2, 5, 4], "y_proba": curves, "times": [3, 5]},
        {"times": [3]},
        {},
    ]
    for keywords in options:
        first, *others = (censored_report(y, **keywords) for y in targets)
        for other in others:
            assert other.index.equals(first.index)


def late_entries(event, time, entry):
    return pd.DataFrame({"event": np.array(event) == 1, "time": time, "entry": entry})


@few
@given(censored(kinds=ANY_KIND, max_size=6), st.sampled_from([None, "pred", "both"]))
def test_any_rows_are_reported_without_a_warning(rows, given_too):
    curves = np.tile([0.9, 0.5, 0.5], (len(rows.pred), 1)) if given_too == "both" else None
    pred = None if given_too is None else rows.pred
    report = censored_report(
        rows.bounds, pred, y_proba=curves, times=[0, 2, 8], sample_weight=rows.weight
    )
    assert report.index.is_unique
    assert not np.isinf(report.to_numpy()).any()
    assert render_report(report).isascii()


def test_without_an_event_there_is_nothing_to_score():
    y = right_censored([0, 0, 0], [1, 2, 3])
    report = censored_report(
        y, [1, 2, 4], y_proba=[[0.9, 0.8], [0.8, 0.8], [0.7, 0.5]], times=[0.5, 1.5]
    )
    values = values_of(report, "overall", "prediction")
    assert values.pop("hinge_mae") == 0
    assert values.pop("comparable_pairs") == 0
    assert values.pop("integrated_brier_score") > 0
    assert values.pop("times_used") == 2
    assert set(values.values()) == {UNDEFINED}


def test_bounds_leave_order_hinge_error_and_survival():
    report = censored_report(EDGES, [4, 4, 4, 4, 1], y_proba=np.full((5, 2), 0.5), times=[3.0, 5.0])
    values = values_of(report, "overall", "prediction")
    assert values.pop("times_used") == 0
    defined = {name for name, value in values.items() if value != UNDEFINED}
    assert defined == {"concordance_index", "comparable_pairs", "observed_mae", "hinge_mae"}
    at_three = values_of(report, "time", 3)
    assert {name for name, value in at_three.items() if value != UNDEFINED} == {
        "rows_left",
        "events",
        "survival",
        "mean_prediction",
    }
    assert (at_three["rows_left"], at_three["events"]) == (1, 1)


def test_rows_that_are_surely_left_or_gone():
    bounds = interval_censored([3, 3, 3, 2, 4, 0], [3, 5, np.inf, 4, 4, 3])
    values = values_of(censored_report(bounds, times=[3]), "time", 3)
    assert (values["rows_left"], values["events"]) == (2, 2)  # (2, 4] may be either


def test_late_entries_leave_both_concordances():
    y = late_entries([1, 0, 1, 1, 0, 1], [2, 3, 4, 5, 6, 7], [0, 1, 1, 0, 2, 3])
    curves = np.full((6, 2), 0.5)
    report = censored_report(y, [1, 3, 2, 5, 4, 6], y_proba=curves, times=[3.0, 5.0])
    values = values_of(report, "overall", "prediction")
    undefined = {name for name, value in values.items() if value == UNDEFINED}
    assert undefined == {"ipcw_mae", "integrated_brier_score", "integrated_auc"}
    assert values["times_used"] == 0
    options = {"times": [3, 5]}
    assert values["antolini_concordance_index"] == antolini_concordance_index(y, curves, **options)
    survival = [values_of(report, "time", time)["survival"] for time in (3, 5)]
    assert_allclose(survival, KaplanMeier().fit(y).predict([3, 5]))
    assert values_of(report, "target", "rows")["median_time"] == 5


def test_late_entries_among_bounds():
    y = pd.DataFrame({"lower": [1.0, 4, 2], "upper": [3.0, 4, np.inf], "entry": [0.0, 1, 1]})
    report = censored_report(y, [1, 2, 3], times=[2])
    assert values_of(report, "target", "rows")["median_time"] == UNDEFINED
    assert values_of(report, "time", 2)["survival"] == UNDEFINED
    assert values_of(report, "overall", "prediction")["comparable_pairs"] == 1


# --- weights, order of rows, containers -----------------------------------------------------


@few
@given(censored(weighting=whole_weights, max_size=8))
def test_weights_repeat_rows(rows):
    weighted = censored_report(rows.bounds, rows.pred, sample_weight=rows.weight, times=[1, 3])
    again = rows.repeated
    repeated = censored_report(again.bounds, again.pred, times=[1, 3])
    assert_frame_equal(weighted[["value"]], repeated[["value"]], rtol=1e-9)


def test_whole_weights_repeat_curves():
    weighted = censored_report(Y, PRED, y_proba=CURVES, times=TIMES, sample_weight=WEIGHT)
    rows = np.repeat(np.arange(80), WEIGHT)
    repeated = censored_report(Y[rows], PRED[rows], y_proba=CURVES[rows], times=TIMES)
    assert_frame_equal(weighted[["value"]], repeated[["value"]], rtol=1e-9)
    ends = weighted.xs("censored_brier_score", level="measure")
    narrower = repeated.xs("censored_brier_score", level="measure")
    assert (ends["high"] - ends["low"] > narrower["high"] - narrower["low"]).all()


def test_the_order_of_the_rows_is_of_no_account():
    order = rng.permutation(80)
    report = censored_report(Y, PRED, y_proba=CURVES, times=TIMES)
    again = censored_report(Y[order], PRED[order], y_proba=CURVES[order], times=TIMES)
    assert_frame_equal(report, again, rtol=1e-12)


def test_containers():
    report = censored_report(Y, PRED, y_proba=CURVES, times=TIMES)
    functions = [lambda at, mean=mean: np.exp(-at / mean) for mean in PRED]
    frames = [
        (pd.DataFrame(Y), pd.DataFrame(CURVES, columns=TIMES)),
        (interval_censored(Y["time"], np.where(Y["event"], Y["time"], np.inf)), functions),
    ]
    for y, curves in frames:
        found = censored_report(y, pd.Series(PRED), y_proba=curves, times=pd.Series(TIMES))
        assert_frame_equal(found, report, rtol=1e-12)


def test_polars():
    frame = pl.DataFrame({"seen": Y["event"], "days": Y["time"]})
    curves = pl.DataFrame({str(time): CURVES[:, k] for k, time in enumerate(TIMES)})
    found = censored_report(frame, pl.Series(PRED), y_proba=curves, times=pl.Series(TIMES))
    assert_frame_equal(found, censored_report(Y, PRED, y_proba=CURVES, times=TIMES))


# --- refused and warned of ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"y_proba": CURVES}, "y_proba is given without `times`"),
        ({"y_proba": CURVES, "times": [1, 2]}, r"\(80, 2\), but has \(80, 3\)"),
        ({"y_proba": CURVES + 1, "times": TIMES}, "must hold probabilities"),
        ({"y_pred": PRED[:9]}, "y_true has 80 rows, y_pred has 9 rows"),
        ({"y_pred": [np.nan] * 80}, "y_pred must be finite"),
        ({"y_pred": CURVES}, "y_pred must have 1 dimension"),
        ({"prediction": "hazard"}, "prediction='hazard' is not known"),
        ({"times": []}, "times is empty"),
        ({"sample_weight": [1, -1]}, "sample_weight has 2 rows"),
        ({"confidence_level": 95}, "confidence_level=95 must be between 0 and 1"),
        ({"censoring": KaplanMeier().fit(Y)}, "censoring is a KaplanMeier curve of events"),
    ],
)
def test_refused(keywords, message):
    with pytest.raises(ValueError, match=message):
        censored_report(Y, **keywords)


def test_a_target_without_censoring_is_refused():
    with pytest.raises(ValueError, match="carries no censoring information"):
        censored_report(Y["time"], PRED)


def test_curves_that_increase_come_with_one_warning():
    with pytest.warns(UserWarning, match="y_proba increases with time") as caught:
        censored_report(Y, y_proba=1 - CURVES, times=TIMES)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (
            {"y_pred": [1, 2, 3], "times": [2]},
            "each of concordance_index, concordance_index_ipcw, observed_mae, ipcw_mae, "
            "integrated_auc is",
        ),
        (
            {"y_proba": [[0.5]] * 3, "times": [2]},
            "each of antolini_concordance_index, integrated_auc is",
        ),
        ({"y_pred": [1, 2, 3], "prediction": "risk"}, "concordance_index, concordance_index_ipcw"),
    ],
)
def test_a_target_without_events_comes_with_one_warning(given, named):
    y = right_censored([0, 0, 0], [1, 3, 4])
    with pytest.warns(UndefinedMetricWarning, match=named) as caught:
        censored_report(y, **given)
    assert len(caught) == 1
    assert str(caught[0].message).endswith(
        "undefined and set to nan: no row of y_true has an event."
    )
    assert caught[0].filename == __file__


def test_nothing_is_said_of_a_target_without_events_alone():
    assert len(censored_report(right_censored([0, 0], [1, 3]), times=[2]))


# --- text -----------------------------------------------------------------------------------


def test_text():
    _, y = load_gbsg2(return_X_y=True)
    y, days = y[:200], y["time"][:200]
    report = censored_report(y, 900 + days[::-1] / 4, times=[365.25, 1826])
    assert report.attrs == {"confidence_level": 0.95}
    assert render_report(report) == TEXT


def test_text_of_curves_and_bounds():
    report = censored_report(EDGES, y_proba=np.full((5, 2), 0.5), times=[3.0, 5.0])
    assert render_report(report.loc[["censoring", "time"]]) == TEXT_OF_BOUNDS


TEXT = """\
target
                     rows
  n                   200
  censoring_rate    0.500
  first_time          113
  last_time          2563
  median_time        1528
  median_follow_up   1701

censoring
              n  share  first_time  last_time  too_early  inside  too_late  hinge_mae
  exact     100  0.500         113       2372      0.250   0.000     0.750    583.305
  right     100  0.500         148       2563      0.680   0.320     0.000    373.748
  left        0  0.000         nan        nan        nan     nan       nan        nan
  interval    0  0.000         nan        nan        nan     nan       nan        nan

overall [95 % interval]
                                      prediction
  concordance_index         0.558 [0.501, 0.612]
  comparable_pairs          12996
  concordance_index_ipcw    0.565
  observed_mae            583.305
  hinge_mae               478.526
  ipcw_mae                642.620
  integrated_auc            0.609

time [95 % interval]
                                                cumulative_
          rows_left  events  survival           dynamic_auc
  365.25        171      25     0.873  0.593 [0.488, 0.689]
  1826           32      95     0.440  0.614 [0.505, 0.712]

baseline
                          constant
  concordance_index          0.500
  concordance_index_ipcw     0.500
  observed_mae             805.840
  hinge_mae                496.775
  ipcw_mae                 714.757
  integrated_auc             0.500"""
TEXT_OF_BOUNDS = """\
censoring
            n  share  first_time  last_time
  exact     1  0.200           4          4
  right     1  0.200           3          3
  left      2  0.400           0          5
  interval  1  0.200           2          6

time
                                3      5
  rows_left                     1      0
  events                        1      3
  survival                  0.667  0.000
  mean_prediction           0.500  0.500
  censored_brier_score        nan    nan
  kaplan_meier_brier_score    nan    nan
  scaled_brier_score          nan    nan
  cumulative_dynamic_auc      nan    nan"""
