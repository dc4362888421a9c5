"""Cumulative/dynamic AUC: against loops over pairs, identities, known traps, other packages."""

import math
import tracemalloc
import warnings

import numpy as np
import oracles_curves as oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score
from strategies import whole_weights
from strategies_curves import predicted, references

from sklearn_ordinal_censored.metrics import cumulative_dynamic_auc, integrated_auc
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored

UNDEFINED = -9.0  # stands for nan on both sides
NOTHING_CENSORED = right_censored([1], [1.0])
every_metric = pytest.mark.parametrize("metric", [cumulative_dynamic_auc, integrated_auc])
some_reference = st.none() | references()
markers = predicted(falling=False, max_size=14)


def evaluate(metric, rows, **keywords):
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, **keywords}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="integrated_auc uses")
        return metric(*rows.arguments, **keywords)


def first_column(rows):
    """The rows with one prediction each."""
    return rows._replace(values=[row[0] for row in rows.values])


def expected_auc(rows, reference=None, columns=None):
    columns = rows.columns if columns is None else columns
    return [
        oracle.dynamic_auc(rows.time, rows.event, column, at, rows.weight, reference)
        for at, column in zip(rows.times, columns, strict=True)
    ]


def assert_close(value, expected):
    expected = np.where(np.isnan(expected), UNDEFINED, expected)
    assert_allclose(value, expected, rtol=1e-11, atol=1e-13)


def as_censoring(reference):
    return reference and right_censored(reference[1], reference[0])


@given(markers, some_reference)
@settings(max_examples=150)
def test_predictions_of_each_time_against_loops_over_pairs(rows, reference):
    value = evaluate(cumulative_dynamic_auc, rows, censoring=as_censoring(reference))
    assert value.dtype == np.float64
    assert_close(value, expected_auc(rows, reference))


@given(markers, some_reference)
@settings(max_examples=150)
def test_one_prediction_a_row_against_loops_over_pairs(rows, reference):
    expected = expected_auc(rows, reference, [rows.columns[0]] * len(rows.times))
    rows = first_column(rows)
    value = evaluate(cumulative_dynamic_auc, rows, censoring=as_censoring(reference))
    assert_close(value, expected)


@given(markers, some_reference)
@settings(max_examples=150)
def test_the_mean_by_the_drop_of_the_curve(rows, reference):
    levels = [oracle.marginal(rows.time, rows.event, at, rows.weight)[0] for at in rows.times]
    expected = oracle.mean_by_drops(rows.times, expected_auc(rows, reference), levels)
    value = evaluate(integrated_auc, rows, censoring=as_censoring(reference))
    assert type(value) is float
    assert_close(value, expected)


@every_metric
@given(predicted(falling=False, weighting=whole_weights))
def test_whole_weights_repeat_rows(metric, rows):
    assert_close(evaluate(metric, rows), evaluate(metric, rows.repeated))


@every_metric
@given(markers, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_times(metric, rows, random):
    order = random.sample(range(len(rows.time)), len(rows.time))
    columns = random.sample(range(len(rows.times)), len(rows.times))
    shuffled = rows._replace(
        time=[rows.time[row] for row in order],
        event=[rows.event[row] for row in order],
        weight=rows.weight and [rows.weight[row] for row in order],
        times=[rows.times[column] for column in columns],
        values=[[rows.values[row][column] for column in columns] for row in order],
    )
    expected = np.asarray(evaluate(metric, rows))
    assert_close(evaluate(metric, shuffled), expected[columns] if expected.ndim else expected)


@every_metric
@given(markers)
def test_the_unit_of_time_is_of_no_account(metric, rows):
    in_days = rows._replace(
        time=[365.25 * time for time in rows.time], times=[365.25 * at for at in rows.times]
    )
    assert_close(evaluate(metric, in_days), evaluate(metric, rows))


@every_metric
@given(markers)
def test_only_the_order_of_the_predictions_counts(metric, rows):
    mapped = rows._replace(values=np.exp(rows.values) * 7 - 100)
    assert_array_equal(evaluate(metric, mapped), evaluate(metric, rows))


@every_metric
@given(markers)
def test_a_prediction_and_its_reverse_add_up_to_one(metric, rows):
    value = np.asarray(evaluate(metric, rows))
    reverse = np.asarray(evaluate(metric, rows._replace(values=np.negative(rows.values))))
    assert_allclose((value + reverse)[value != UNDEFINED], 1, atol=1e-12)
    assert_array_equal(evaluate(metric, rows, prediction="risk"), reverse)
    assert_array_equal(
        evaluate(metric, first_column(rows), prediction="risk"),
        evaluate(metric, rows._replace(values=[-row[0] for row in rows.values])),
    )


@every_metric
@given(markers)
def test_a_constant_prediction_is_one_half(metric, rows):
    value = np.asarray(evaluate(metric, rows._replace(values=[0.3] * len(rows.time))))
    assert_allclose(value[value != UNDEFINED], 0.5, rtol=1e-12)


@given(markers)
def test_the_times_themselves_are_perfect_to_the_last_bit(rows):
    rows = rows._replace(values=rows.time)
    assert set(evaluate(cumulative_dynamic_auc, rows)) <= {1.0, UNDEFINED}
    assert set(evaluate(cumulative_dynamic_auc, rows, prediction="risk")) <= {0.0, UNDEFINED}


@given(markers)
def test_without_censoring_it_is_the_area_of_scikit_learn(rows):
    rows = rows._replace(event=[True] * len(rows.time))
    value = evaluate(cumulative_dynamic_auc, rows)
    for at, column, found in zip(rows.times, rows.columns, value, strict=True):
        is_later = np.greater(rows.time, at)
        weight = np.ones(len(rows.time)) if rows.weight is None else np.array(rows.weight)
        if len(set(is_later[weight > 0])) == 1:
            assert found == UNDEFINED
        else:
            expected = roc_auc_score(is_later, column, sample_weight=weight)
            assert found == pytest.approx(expected, abs=1e-12)


@given(markers, references())
def test_a_fitted_curve_stands_for_its_data(rows, reference):
    y = as_censoring(reference)
    curve = KaplanMeier(reverse=True).fit(y)
    value = evaluate(cumulative_dynamic_auc, rows, censoring=curve)
    assert_array_equal(value, evaluate(cumulative_dynamic_auc, rows, censoring=y))


@given(markers)
def test_an_integral_of_one_time_is_its_area(rows):
    one = rows._replace(times=rows.times[:1], values=[row[:1] for row in rows.values])
    value = evaluate(integrated_auc, one)
    assert value == pytest.approx(evaluate(cumulative_dynamic_auc, one)[0], rel=1e-12)


# Containers

Y = right_censored([1, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6])
PRED = np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 5.0], [4.0, 4.0], [5.0, 3.0], [6.0, 9.0]])
TIMES = [1.5, 4.0]


@pytest.mark.parametrize(
    "values",
    [
        PRED.tolist(),
        PRED.astype("f4"),
        PRED.astype(int),
        pd.DataFrame(PRED, columns=TIMES),
        pd.DataFrame(PRED.T, index=TIMES),
        [lambda t, row=row: np.interp(t, TIMES, row) for row in PRED],
        np.array([lambda t, row=row: np.interp(t, TIMES, row) for row in PRED]),
    ],
    ids=["lists", "single", "whole", "columns", "index", "functions", "objects"],
)
def test_predictions_of_each_time_in_any_container(values):
    expected = cumulative_dynamic_auc(Y, PRED, times=TIMES)
    assert_array_equal(cumulative_dynamic_auc(Y, values, times=TIMES), expected)


@pytest.mark.parametrize("make", [list, tuple, pd.Series, lambda v: v.astype(object)])
def test_one_prediction_a_row_in_any_container(make):
    expected = cumulative_dynamic_auc(Y, np.repeat(PRED[:, :1], 2, axis=1), times=TIMES)
    assert_array_equal(cumulative_dynamic_auc(Y, make(PRED[:, 0]), times=TIMES), expected)


# Undefined values


def test_times_without_a_case_or_a_control():
    told = r"^cumulative_dynamic_auc is undefined .* at 0.5 no event has happened; at 6.0, 7.0 no "
    told += r"row is left\. Use `replace_undefined_by`"
    keywords = {"times": [7, 0.5, 1.5, 6]}
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = cumulative_dynamic_auc(Y, PRED[:, 0], **keywords)
    assert_array_equal(np.isnan(value), [True, True, False, True])
    value = cumulative_dynamic_auc(Y, PRED[:, 0], replace_undefined_by=0.5, **keywords)
    assert_array_equal(value[[0, 1, 3]], [0.5, 0.5, 0.5])


def test_where_the_censoring_curve_ends_the_usable_times_are_named():
    reference = right_censored([1, 0], [1, 3])
    told = r"at 4.0 the censoring curve is 0 or unknown, it can be used before time 3.0"
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = cumulative_dynamic_auc(Y, PRED, times=TIMES, censoring=reference)
    assert_array_equal(np.isnan(value), [False, True])


def test_the_censoring_curve_is_read_only_at_cases():
    # G is 0 from 3 on, but the last case has its event before.
    reference = right_censored([1, 0], [1, 3])
    y = right_censored([1, 1, 0], [1, 2, 9])
    value = cumulative_dynamic_auc(y, [1, 2, 3], times=[2, 5], censoring=reference)
    assert_array_equal(value, [1, 1])


def test_the_integral_leaves_out_times_without_a_word_where_they_weigh_nothing():
    y = right_censored([1, 0, 1, 1, 0, 0], Y["time"])  # at 6 the curve is where it was at 4
    value = integrated_auc(y, PRED[:, 0], times=[0.2, 0.5, *TIMES, 6])
    assert value == integrated_auc(y, PRED[:, 0], times=TIMES)
    with pytest.warns(UserWarning, match=r"uses 2 of 3 times, from 1.5 to 4.0: at 6.5 no row is"):
        assert integrated_auc(y, PRED[:, 0], times=[*TIMES, 6.5]) == value


def test_the_integral_says_which_times_it_uses():
    told = r"^integrated_auc uses 2 of 3 times, from 1.5 to 4.0: at 6.0 no row is left\."
    with pytest.warns(UserWarning, match=told):
        value = integrated_auc(Y, PRED[:, 0], times=[*TIMES, 6])
    assert value == integrated_auc(Y, PRED[:, 0], times=TIMES)


def test_an_integral_without_a_time():
    keywords = {"times": [0.2, 9]}
    told = r"^integrated_auc is undefined .*: at 0.2 no event has happened; at 9.0 no row is left"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(integrated_auc(Y, PRED[:, 0], **keywords))
    assert integrated_auc(Y, PRED[:, 0], replace_undefined_by=0.5, **keywords) == 0.5


# What is refused


@every_metric
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"prediction": "hazard"}, "prediction='hazard' is not known; use one of 'time', 'risk'"),
        ({"times": []}, "times is empty"),
        ({"times": [1, np.inf]}, "times must be finite"),
        ({"times": [1, 2, 3]}, r"y_pred must have the shape \(n_samples, n_times\) = \(6, 3\)"),
        ({"sample_weight": [1, 2]}, "sample_weight has 2 rows, the target has 6"),
        ({"censoring": KaplanMeier().fit(Y)}, "censoring is a KaplanMeier curve of events"),
    ],
    ids=["direction", "no times", "infinite", "shape", "weights", "events"],
)
def test_options_that_are_refused(metric, options, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        metric(Y, PRED, **{"times": TIMES, **options})


@every_metric
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_predictions(metric, value):
    for values in (PRED.copy(), PRED[:, 0].copy()):
        values[2] = value
        with pytest.raises(ValueError, match=f"^y_pred must be finite, but holds {value}"):
            metric(Y, values, times=TIMES)


@every_metric
def test_other_shapes(metric):
    with pytest.raises(ValueError, match=r"but y_true has 6 rows, y_pred has 5 rows"):
        metric(Y, PRED[:5, 0], times=TIMES)
    with pytest.raises(ValueError, match=r"It has one column a row: give `y_pred.T`"):
        metric(Y, PRED.T, times=TIMES)


@every_metric
def test_targets_that_have_no_weight(metric):
    y = interval_censored([1, -np.inf, 2, 3, 4, 5], [1, 4, 5, np.inf, 4, 5])
    with pytest.raises(ValueError, match=r"^y_true has 1 left-censored and 1 interval-censored"):
        metric(y, PRED, times=TIMES)
    late = pd.DataFrame({"event": Y["event"], "time": Y["time"], "entry": Y["time"] - 1})
    with pytest.raises(ValueError, match=r"^y_true has a field 'entry'"):
        metric(late, PRED, times=TIMES)


# Situations in which other tools go wrong


@pytest.mark.parametrize("last_event", [1, 0], ids=["event", "censored"])
def test_cen_14_a_time_past_the_reference_that_no_weight_needs(last_event):
    train = right_censored([1, 1, 0, 1, last_event], [1, 2, 3, 4, 5])
    test = right_censored([1, 1, 0, 1], [2, 3.5, 4.5, 7])
    keywords = {"times": [3, 4], "censoring": train, "prediction": "risk"}
    assert_array_equal(cumulative_dynamic_auc(test, [4, 3, 2, 1], **keywords), [1, 1])


@pytest.mark.parametrize("by_time", [False, True])
def test_cen_20_memory_of_many_rows_and_times(by_time):
    rng = np.random.default_rng(0)
    y = right_censored(rng.random(20_000) < 0.5, rng.exponential(1, 20_000))
    times = np.linspace(0.01, 2, 500)
    pred = rng.normal(size=(20_000, 500) if by_time else 20_000)
    tracemalloc.start()
    try:
        value = integrated_auc(y, pred, times=times)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert abs(value - 0.5) < 0.02
    assert peak < 20e6


def test_cen_24_without_censoring_it_is_the_plain_area():
    y, risk = right_censored([1] * 5, [1, 2, 3, 4, 5]), np.array([5, 3, 4, 1, 2])
    expected = roc_auc_score(y["time"] <= 2, risk)
    for censoring in (None, y):
        keywords = {"times": [2], "prediction": "risk", "censoring": censoring}
        value = cumulative_dynamic_auc(y, risk, **keywords)
        assert value == pytest.approx([expected], abs=1e-15)


# Another package, where no event and censoring share a time


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("own_reference", [True, False], ids=["own", "other"])
@pytest.mark.parametrize("by_time", [False, True])
def test_areas_of_scikit_survival(seed, own_reference, by_time):
    sksurv = pytest.importorskip("sksurv.metrics")
    rng = np.random.default_rng(seed)
    y = right_censored(rng.random(200) < 0.5, rng.permutation(200) + rng.random())
    y["event"][y["time"].argmax()] = True  # else scikit-survival needs G where nothing is a case
    other = right_censored(rng.random(300) < 0.5, rng.permutation(300) + rng.random())
    train = y if own_reference else other
    times = np.sort(rng.uniform(5, 150, 20))
    risk = rng.normal(size=(200, 20)) - y["time"][:, np.newaxis] / 100
    risk = risk if by_time else risk[:, 0]
    expected, mean = sksurv.cumulative_dynamic_auc(train, y, risk, times)
    keywords = {"times": times, "prediction": "risk", "censoring": train}
    value = cumulative_dynamic_auc(y, risk, **keywords)
    assert_allclose(value, expected, rtol=0, atol=1e-12)
    assert integrated_auc(y, risk, **keywords) == pytest.approx(mean, abs=1e-12)


def test_an_event_that_weighs_next_to_nothing():
    y = right_censored([1, 1, 1], [1, 2, 3])
    options = {"times": [1.5], "sample_weight": [1e-30, 1, 1]}
    told = r"^integrated_auc is undefined and set to nan: the Kaplan-Meier curve .* does not drop"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(integrated_auc(y, [1, 2, 3], **options))
    assert integrated_auc(y, [1, 2, 3], replace_undefined_by=0.5, **options) == 0.5


def test_a_curve_whose_drops_are_lost_weights_no_time():
    y = right_censored([1, 0, 0, 0, 0], [1, 2, 3, 4, 5])
    with pytest.warns(UndefinedMetricWarning, match="curve of the rows does not drop up to"):
        value = integrated_auc(y, [1, 2, 3, 4, 5], times=[1, 2], sample_weight=[1e-20, 1, 1, 1, 1])
    assert np.isnan(value)
