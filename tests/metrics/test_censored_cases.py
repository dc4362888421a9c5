"""Situations in which other tools go wrong with censored times, with the right value of each.

No comparable pair, ties, direction, codings of events and containers, weights for censoring at tied
times and past the end of a reference, large data, values that are no times, files as they come; and
the numbers of a published walk-through of metrics for censored data.
"""

import io
import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_array_equal
from optional import polars as pl
from sklearn.base import BaseEstimator
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import cross_val_score

from sklearn_ordinal_censored.metrics import (
    censoring_rate,
    concordance_index,
    concordance_index_ipcw,
    get_scorer,
    interval_overlap_rate,
    observed_mae,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import (
    as_right_censored,
    from_censoring_codes,
    interval_censored,
    right_censored,
)

INF = math.inf
BUILDERS = r"right_censored\(event, time\) or interval_censored\(lower, upper\)"
both_concordances = pytest.mark.parametrize("metric", [concordance_index, concordance_index_ipcw])


def by_risk(y, risk, metric=concordance_index, **keywords):
    return metric(y, risk, prediction="risk", **keywords)


def structured(dtype, *columns):
    return np.array(list(zip(*columns, strict=True)), dtype=dtype)


class Mirror(BaseEstimator):
    """An estimator that predicts its only feature."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


@both_concordances
@pytest.mark.parametrize(
    ("event", "time"),
    [([0, 1], [3, 5]), ([1, 1], [5, 5]), ([0, 0], [3, 5]), ([1], [3]), ([0, 1, 1], [3, 5, 5])],
    ids=list("abcde"),
)
def test_cen_04_no_comparable_pair(metric, event, time):
    y, risk = right_censored(event, time), np.arange(1, len(event) + 1)
    with pytest.warns(UndefinedMetricWarning, match=rf"{metric.__name__} is undefined"):
        assert math.isnan(by_risk(y, risk, metric))
    assert by_risk(y, risk, metric, replace_undefined_by=0.5) == 0.5


def test_cen_05_tie_rules():
    assert by_risk(right_censored([1, 0], [5, 5]), [0.1, 0.9]) == 0.0
    y = right_censored([1, 0, 1, 1, 0], [5, 5, 5, 8, 9])
    value = by_risk(y, [0.1, 0.9, 0.4, 0.4, 0.2])
    assert value == pytest.approx(0.35714285714285715, abs=1e-15)  # (2 + 1 / 2) / 7


def test_cen_07_the_argument_says_what_is_predicted():
    y = right_censored([1, 1, 0, 1, 0, 1], [2, 4, 6, 7, 9, 11])
    times = np.array([3, 5, 5.5, 6, 12, 10])
    assert concordance_index(y, times) == 1.0
    assert concordance_index(y, times, prediction="time") == 1.0
    assert concordance_index(y, -times) == 0.0  # and is not turned round
    assert concordance_index(y, -times, prediction="risk") == 1.0
    assert concordance_index(y, times, prediction="risk") == 0.0


@pytest.mark.parametrize("kind", [bool, int, float, np.uint8])
def test_cen_09_events_of_0_and_1(kind):
    event = np.array([1, 1, 0, 1, 0, 1], dtype=kind)
    time, risk = np.array([2.0, 4, 6, 7, 9, 11]), [6, 5, 3, 4, 1, 2]
    targets = [
        right_censored(event, time),
        structured([("event", event.dtype), ("time", float)], event, time),
        pd.DataFrame({"event": event, "time": time}),
    ]
    assert [by_risk(y, risk) for y in targets] == [1.0] * 3


@pytest.mark.parametrize("kind", [bool, int, float, np.uint8])
def test_cen_09_everybody_and_nobody_had_the_event(kind):
    fields = [("event", kind), ("time", float)]
    time, risk = [2.0, 4.0, 6.0], [3, 2, 1]
    assert by_risk(structured(fields, np.ones(3, kind), time), risk) == 1.0
    with pytest.warns(UndefinedMetricWarning, match="3 rows, 0 of them with an event"):
        assert math.isnan(by_risk(structured(fields, np.zeros(3, kind), time), risk))


EVENT, TIME, RISK = [True, False, True], [5.0, 8.0, 3.0], [2, 1, 3]


@pytest.mark.parametrize(
    "y",
    [
        structured([("cens", "?"), ("months", "f8")], EVENT, TIME),
        structured([("time", "f8"), ("event", "?")], TIME, EVENT),
        structured([("status", "i8"), ("time", "f8")], EVENT, TIME),
        structured([("time", "?"), ("event", "f8")], EVENT, TIME),
        structured([("event", "?"), ("time", "f8")], EVENT, TIME).view(np.recarray),
        pd.DataFrame({"days": TIME, "dead": EVENT}),
        pl.DataFrame({"days": TIME, "dead": EVENT}),
    ],
    ids=["names", "order", "status", "contradiction", "records", "pandas", "polars"],
)
def test_cen_11_fields_are_known_by_what_they_hold(y):
    assert by_risk(y, RISK) == 1.0


@pytest.mark.parametrize(
    ("y", "told"),
    [
        ((np.array(EVENT), np.array(TIME)), rf"is a tuple.*{BUILDERS}"),
        (structured([("a", "?"), ("b", "?")], EVENT, EVENT), "'a' holds False, True; 'b' holds"),
        (structured([("a", int), ("b", float)], EVENT, EVENT), "'a' holds 0, 1; 'b' holds 0.0,"),
        (
            pd.DataFrame({"event": EVENT, "time": TIME}).to_records(),
            r"has the fields \['index', 'event', 'time'\], but needs two",
        ),
    ],
    ids=["tuple", "two booleans", "two of 0 and 1", "records with an index"],
)
def test_cen_11_what_could_be_read_in_two_ways_is_refused(y, told):
    with pytest.raises(ValueError, match=f"^y_true .*{told}"):
        by_risk(y, RISK)


def test_cen_12_an_event_and_a_censoring_at_one_time():
    y = right_censored([1, 0, 0, 1, 0, 1, 1, 0], [3, 3, 5, 6, 6, 9, 10, 12])
    risk = [0.2, 0.9, 0.1, 0.8, 0.3, 0.4, -0.1, -0.5]
    for censoring in (None, y, KaplanMeier(reverse=True).fit(y)):
        value = by_risk(y, risk, concordance_index_ipcw, censoring=censoring)
        assert value == pytest.approx(0.8418555614127571, abs=1e-15)


@pytest.mark.parametrize("last_event", [1, 0], ids=["event", "censored"])
def test_cen_14_a_time_past_the_reference_that_no_weight_needs(last_event):
    train = right_censored([1, 1, 0, 1, last_event], [1, 2, 3, 4, 5])
    test = right_censored([1, 1, 0, 1], [2, 3.5, 4.5, 7])
    value = by_risk(test, [4, 3, 2, 1], concordance_index_ipcw, censoring=train)
    assert value == 1.0


def test_cen_14_a_time_past_the_reference_that_is_needed():
    train = right_censored([1, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    test, risk = right_censored([1, 1, 1, 0], [2, 3.5, 7, 8]), [4, 3, 2, 1]
    with pytest.warns(UndefinedMetricWarning, match=r"before time 7.0; use tau=7.0"):
        assert math.isnan(by_risk(test, risk, concordance_index_ipcw, censoring=train))
    assert by_risk(test, risk, concordance_index_ipcw, censoring=train, tau=7.0) == 1.0


@pytest.fixture(scope="module")
def hundred_thousand():
    rng = np.random.default_rng(0)
    time, event = rng.exponential(1, 100_000), rng.random(100_000) < 0.5
    return right_censored(event, time), rng.normal(size=100_000)


def in_months(y, pred):
    """Few distinct times and predictions."""
    months = np.clip(np.ceil(20 * y["time"]), 1, 60)
    return right_censored(y["event"], months), pred.round(1)


def test_cen_20_the_value_of_large_data(hundred_thousand):
    value = by_risk(*hundred_thousand)
    assert value == pytest.approx(0.4993530194917605, abs=1e-15)


@both_concordances
@pytest.mark.parametrize("with_ties", [False, True], ids=["distinct", "tied"])
def test_cen_20_the_memory_of_large_data(hundred_thousand, metric, with_ties):
    y, pred = in_months(*hundred_thousand) if with_ties else hundred_thousand
    keywords = {"tau": 50.0 if with_ties else 2.5} if metric is concordance_index_ipcw else {}
    tracemalloc.start()
    try:
        value = metric(y, pred, **keywords)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.49 < value < 0.51
    assert peak < 200e6


NO_TIMES = [([-1, 2, 3], "not negative, but holds -1.0"), ([1, 2, INF], "holds inf")]
NO_TIMES += [([np.nan, 2, 3], r"has 1 missing value\(s\), the first in row 0")]
METRICS = [concordance_index, concordance_index_ipcw, observed_mae]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("time", "told"), NO_TIMES, ids=["negative", "infinite", "nan"])
def test_cen_21_values_that_are_no_times(metric, time, told):
    y = structured([("event", "?"), ("time", "f8")], [1, 1, 0], time)
    with pytest.raises(ValueError, match=rf"^y_true\['time'\] .*{told}"):
        metric(y, [3, 2, 1])
    with pytest.raises(ValueError, match=r"^y_true\['time'\] "):
        censoring_rate(y)
    with pytest.raises(ValueError, match=f"^time .*{told.replace('holds inf', '.*holds inf')}"):
        right_censored([1, 1, 0], time)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("value", [np.nan, INF, -INF])
def test_cen_21_values_that_are_no_predictions(metric, value):
    with pytest.raises(ValueError, match=f"^y_pred must be finite, but holds {value}"):
        metric(right_censored([1, 1, 0], [1, 2, 3]), [value, 2, 1])


def test_cen_21_zero_is_a_time():
    assert by_risk(right_censored([1, 1, 0], [0, 2, 3]), [3, 2, 1]) == 1.0


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (None, 0.8),
        ([1, 3, 1, 1], 0.7272727272727273),
        ([2, 1, 4, 1], 0.8823529411764706),
        ([1, 0, 1, 1], 1.0),
    ],
    ids=str,
)
def test_cen_22_weights_of_pairs(weight, expected):
    y, risk = right_censored([1, 1, 0, 1], [1, 2, 3, 4]), np.array([3, 4, 1, 2])
    assert by_risk(y, risk, sample_weight=weight) == pytest.approx(expected, abs=1e-15)
    repeats = [1] * 4 if weight is None else weight
    repeated = by_risk(np.repeat(y, repeats), np.repeat(risk, repeats))
    assert repeated == pytest.approx(expected, abs=1e-15)


def test_cen_22_weights_are_not_negative():
    y = right_censored([1, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"^sample_weight must not be negative, but holds -1.0"):
        by_risk(y, [3, 4, 1, 2], sample_weight=[1, -1, 1, 1])


def test_cen_22_weights_are_routed():
    y, X = right_censored([1, 1, 0, 1], [1, 2, 3, 4]), np.array([[3], [4], [1], [2]])
    rows = np.arange(4)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer("concordance_index", prediction="risk")
        scores = cross_val_score(
            Mirror(),
            X,
            y,
            scoring=scorer.set_score_request(sample_weight=True),
            cv=[(rows, rows)],
            params={"sample_weight": np.array([1, 3, 1, 1])},
        )
    assert scores == pytest.approx([8 / 11], abs=1e-15)


def test_cen_24_copies_of_a_row_are_no_pair():
    y = right_censored([1, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6])
    drawn = [0, 0, 0, 1, 2, 2, 4, 4]
    for metric in (concordance_index, concordance_index_ipcw):
        assert by_risk(y[drawn], -y["time"][drawn], metric) == 1.0


def test_cen_24_without_censoring_both_concordances_agree():
    y, risk = right_censored([1] * 5, [1, 2, 3, 4, 5]), np.array([5, 3, 4, 1, 2])
    assert by_risk(y, risk) == pytest.approx(0.8, abs=1e-15)
    assert by_risk(y, risk, concordance_index_ipcw) == pytest.approx(0.8, abs=1e-15)
    assert by_risk(y, risk, concordance_index_ipcw, censoring=y) == pytest.approx(0.8, abs=1e-15)
    assert by_risk(y, risk) + by_risk(y, -risk) == pytest.approx(1, abs=1e-15)
    assert by_risk(y[::-1], risk[::-1]) == by_risk(y, risk)
    in_days = right_censored(y["event"], y["time"] * 365.25)
    assert by_risk(in_days, risk) == by_risk(y, risk)


@pytest.mark.parametrize(
    ("test", "risk", "tau"),
    [
        (right_censored([1, 1, 0, 1], [15, 35, 45, 70]), [4, 3, 2, 1], 15),
        (right_censored([0, 1, 1], [12, 35, 45]), [3, 2, 1], 20),
    ],
    ids=["c", "d"],
)
def test_cen_25_a_tau_that_leaves_no_event(test, risk, tau):
    train = right_censored([1, 0, 1, 1, 0, 1, 0], [10, 20, 30, 40, 50, 60, 90])
    keywords = {"censoring": train, "tau": tau}
    with pytest.warns(UndefinedMetricWarning, match=f"no comparable pair before tau={tau}"):
        assert math.isnan(by_risk(test, risk, concordance_index_ipcw, **keywords))
    keywords["replace_undefined_by"] = 0.5
    assert by_risk(test, risk, concordance_index_ipcw, **keywords) == 0.5


def test_file_1_a_csv_file_with_a_status_of_0_and_1():
    text = "id,grade,months,status\n1,Medium,10,1\n2,Low,12,0\n3,High,3,1\n4,Low,24,0\n"
    text += "5,High,5,1\n6,Medium,9,0\n7,Medium,14,1\n8,Low,20,1\n"
    table = pd.read_csv(io.StringIO(text))
    risk = [4, 2, 6, 1, 9, 5, 3, 8]
    assert by_risk(table[["months", "status"]], risk) == pytest.approx(0.8, abs=1e-15)
    y = right_censored(table["status"], table["months"])
    assert by_risk(y, risk) == pytest.approx(0.8, abs=1e-15)


@pytest.mark.parametrize("kind", ["boolean", "Int64", "bool[pyarrow]"])
def test_file_3_nullable_columns(kind):
    status = pd.Series([1, 1, 0, 1, 0, 1], dtype="Int64").astype(kind)
    table = pd.DataFrame({"dead": status, "t": pd.array([2, 4, 6, 7, 9, 11], dtype="Int64")})
    risk = pd.Series([6, 5, 3, 4, 1, 2], dtype="Int64")
    assert by_risk(table, risk) == 1.0
    assert by_risk(right_censored(table["dead"], table["t"]), risk) == 1.0
    for column in ("dead", "t"):
        gap = table.copy()
        gap.loc[[1, 4], column] = pd.NA
        told = rf"^y_true\['{column}'\] has 2 missing value\(s\), the first in row 1"
        with pytest.raises(ValueError, match=told):
            by_risk(gap, risk)


def test_file_5_veterans():
    datasets = pytest.importorskip("sksurv.datasets")
    X, y = datasets.load_veterans_lung_cancer()
    risk = -X["Karnofsky_score"]
    assert by_risk(y, risk) == pytest.approx(0.7092798727850976, abs=1e-15)
    value = by_risk(y, risk, concordance_index_ipcw, tau=300)
    assert value == pytest.approx(0.7010069960315048, abs=1e-15)


@pytest.mark.parametrize(
    "load",
    ["gbsg2", "whas500", "veterans_lung_cancer", "aids", "flchain", "breast_cancer"],
)
def test_file_5_every_right_censored_data_set_as_it_is(load):
    datasets = pytest.importorskip("sksurv.datasets")
    _, y = getattr(datasets, f"load_{load}")()
    event, time = y.dtype.names
    # Who is censored at the time of an event has outlived it.
    assert concordance_index(y, y[time] + ~y[event] / 2) == 1.0
    assert censoring_rate(y) == pytest.approx(1 - y[event].mean())


@pytest.mark.parametrize("load", ["bmt", "cgvhd"])
def test_file_5_competing_risks_are_told(load):
    datasets = pytest.importorskip("sksurv.datasets")
    _, y = getattr(datasets, f"load_{load}")()
    with pytest.raises(ValueError, match=r"competing risks.*right_censored\(y\['status'\] == 1"):
        concordance_index(y, np.arange(len(y)))


BOUNDS = pd.DataFrame({"lower": [5, 8, 3, 0, 6], "upper": [5, INF, 3, 4, 9]})
CONVERTED = right_censored([1, 0, 1], [5, 8, 3])


def test_file_6_bounds_and_signed_times_become_events_and_times():
    assert_array_equal(as_right_censored(BOUNDS[:3]), CONVERTED)
    t = np.array([5, -8, 3])
    assert_array_equal(right_censored(t > 0, abs(t)), CONVERTED)


def test_file_6_left_and_interval_censored_rows_are_not_made_into_times():
    told = "1 left-censored and 1 interval-censored rows, the first in row 3"
    with pytest.raises(ValueError, match=told):
        as_right_censored(BOUNDS)


def test_file_6_all_rows_are_scored_by_concordance():
    # 5 came before 8 and (6, 9]; 3 and (0, 4] came before all of these, in which order is unknown.
    assert concordance_index(BOUNDS, [5, 8, 3, 2, 6]) == 1.0
    assert concordance_index(BOUNDS, [5, 8, 3, 7, 6]) == 6 / 8


@pytest.mark.parametrize(
    ("lower", "upper", "told"),
    [
        ([5, 8], [4, INF], "lower is above upper"),
        ([INF, 8], [INF, INF], "neither bound is finite"),
        ([-INF, 8], [INF, INF], "neither bound is finite"),
        ([-1, 8], [-1, INF], "not negative, but holds -1.0"),
    ],
    ids=["crossed", "infinite lower", "no bound", "negative"],
)
def test_file_6_bounds_that_are_no_events_and_times(lower, upper, told):
    with pytest.raises(ValueError, match=told):
        as_right_censored(pd.DataFrame({"lower": lower, "upper": upper}))


def test_file_6_signed_times_by_themselves_are_refused():
    with pytest.raises(ValueError, match=rf"^y_true is of shape \(3,\) and .*{BUILDERS}"):
        concordance_index([5, -8, 3], [1, 2, 3])
    with pytest.raises(ValueError, match=r"Signed times are right_censored\(t > 0, abs\(t\)\)"):
        right_censored([1, 0, 1], [5, -8, 3])


# The numbers of a published walk-through


def test_numbers_of_a_walk_through():
    y = from_censoring_codes([0.4, 1.2, 1.3, 2.1], [0, 1, 0, -1])
    predicted = [0.5, 1.0, 1.5, 2.0]
    assert censoring_rate(y) == 0.5
    assert observed_mae(y, predicted) == pytest.approx(0.15, abs=1e-15)
    assert concordance_index(y, predicted) == 1.0


def test_overlap_of_a_walk_through():
    y = interval_censored([0.1, 1.2, 1, 5, 4, 1], [0.6, 1.3, 1.5, INF, 4, 2])
    predicted = np.column_stack([[0, 1, 2, 3, 4, 0], [0.8, 1.4, 2.1, INF, 4, 1]])
    assert interval_overlap_rate(y, predicted) == pytest.approx(5 / 6, abs=1e-15)


def test_the_strict_rule_leaves_out_pairs_at_one_time():
    time, event = [4, 1, 1, 1, 1, 4, 4, 3, 1, 1, 2, 2], [1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0]
    y, risk = right_censored(event, time), [3, 3, 4, 1, 4, 0, 0, 4, 4, 1, 0, 1]
    assert by_risk(y, risk) == pytest.approx(39 / 68, abs=1e-15)
    assert by_risk(y, risk, strict_times=True) == pytest.approx(29 / 44, abs=1e-15)
