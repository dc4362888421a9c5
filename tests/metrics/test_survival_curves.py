"""Brier scores of survival curves: against loops, identities, known traps, other packages."""

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
from strategies import whole_weights
from strategies_curves import predicted, references

from sklearn_ordinal_censored.metrics import (
    censored_brier_score,
    integrated_brier_score,
    scaled_brier_score,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored

UNDEFINED = -9.0  # stands for nan on both sides
NOTHING_CENSORED = right_censored([1], [1.0])
METRICS = [censored_brier_score, integrated_brier_score, scaled_brier_score]
every_metric = pytest.mark.parametrize("metric", METRICS)
some_reference = st.none() | references()

# Other tools refuse its times because each fold has another range.
TRAIN = right_censored([1, 0, 1, 1, 0, 1, 0], [10, 20, 30, 40, 50, 60, 90])
TEST = right_censored([1, 1, 0, 1], [15, 35, 45, 70])
TIMES = [5, 35, 70]
INSIDE = [20, 35, 60]  # where the Kaplan-Meier curve of the scored rows is between 0 and 1
CURVES = np.array([[0.95, 0.4, 0.1], [0.97, 0.55, 0.2], [0.98, 0.7, 0.4], [0.99, 0.8, 0.6]])


def evaluate(metric, rows, **keywords):
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, **keywords}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="integrated_brier_score uses")
        return metric(*rows.arguments, **keywords)


def expected_brier(rows, reference=None):
    return [
        oracle.brier(rows.time, rows.event, column, at, rows.weight, reference)
        for at, column in zip(rows.times, rows.columns, strict=True)
    ]


def expected_marginal(rows, reference=None):
    columns = [oracle.marginal(rows.time, rows.event, at, rows.weight) for at in rows.times]
    return expected_brier(rows._replace(values=zip(*columns, strict=True)), reference)


def assert_close(value, expected):
    expected = np.where(np.isnan(expected), UNDEFINED, expected)
    assert_allclose(value, expected, rtol=1e-11, atol=1e-13)


def as_censoring(reference):
    return reference and right_censored(reference[1], reference[0])


@given(predicted(), some_reference)
@settings(max_examples=150)
def test_against_loops_over_rows(rows, reference):
    value = evaluate(censored_brier_score, rows, censoring=as_censoring(reference))
    assert value.dtype == np.float64
    assert_close(value, expected_brier(rows, reference))


@given(predicted(), some_reference)
@settings(max_examples=150)
def test_the_scaled_score_against_loops_over_rows(rows, reference):
    score, of_marginal = expected_brier(rows, reference), expected_marginal(rows, reference)
    expected = [oracle.scaled(*pair) for pair in zip(score, of_marginal, strict=True)]
    value = evaluate(scaled_brier_score, rows, censoring=as_censoring(reference))
    assert_close(value, expected)


@given(predicted(), some_reference)
@settings(max_examples=150)
def test_the_integral_against_trapezoids(rows, reference):
    censoring = as_censoring(reference)
    if len(set(rows.times)) == 1:
        with pytest.raises(ValueError, match=r"^times holds .*, but an integral needs two differ"):
            evaluate(integrated_brier_score, rows, censoring=censoring)
        return
    expected = oracle.mean_by_trapezoids(rows.times, expected_brier(rows, reference))
    value = evaluate(integrated_brier_score, rows, censoring=censoring)
    assert type(value) is float
    assert_close(value, expected)


@given(predicted(), references(), st.booleans())
def test_a_fitted_curve_stands_for_its_data(rows, reference, as_bounds):
    y = as_censoring(reference)
    curve = KaplanMeier(reverse=True).fit(y)
    if as_bounds:
        bounds = np.where(y["event"], y["time"], np.inf)
        y = interval_censored(y["time"], bounds)
    for metric in (censored_brier_score, scaled_brier_score):
        value = evaluate(metric, rows, censoring=curve)
        assert_array_equal(value, evaluate(metric, rows, censoring=y))


@given(predicted())
def test_the_scored_data_as_their_own_reference(rows):
    curve = KaplanMeier(reverse=True).fit(rows.y, rows.weight)
    expected = evaluate(censored_brier_score, rows)
    assert_array_equal(evaluate(censored_brier_score, rows, censoring=curve), expected)


@every_metric
@given(predicted(weighting=whole_weights))
def test_whole_weights_repeat_rows(metric, rows):
    rows = rows._replace(times=[-2.0, *rows.times], values=[[1.0, *row] for row in rows.values])
    assert_close(evaluate(metric, rows), evaluate(metric, rows.repeated))


@every_metric
@given(predicted(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_times(metric, rows, random):
    rows = rows._replace(times=[-2.0, *rows.times], values=[[1.0, *row] for row in rows.values])
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
@given(predicted())
def test_the_unit_of_time_is_of_no_account(metric, rows):
    rows = rows._replace(times=[-2.0, *rows.times], values=[[1.0, *row] for row in rows.values])
    in_days = rows._replace(
        time=[365.25 * time for time in rows.time], times=[365.25 * at for at in rows.times]
    )
    assert_close(evaluate(metric, in_days), evaluate(metric, rows))


@given(predicted())
def test_without_censoring_it_is_the_mean_squared_error(rows):
    rows = rows._replace(event=[True] * len(rows.time))
    status = np.greater.outer(rows.time, rows.times)
    errors = (np.array(rows.values) - status) ** 2
    expected = np.average(errors, axis=0, weights=rows.weight)
    assert_close(evaluate(censored_brier_score, rows), expected)
    assert_close(evaluate(censored_brier_score, rows, censoring=NOTHING_CENSORED), expected)


@given(predicted())
def test_half_everywhere_is_a_quarter_of_the_weights(rows):
    one, zero = (
        evaluate(censored_brier_score, rows._replace(values=np.full_like(rows.values, share)))
        for share in (1.0, 0.0)
    )
    half = rows._replace(values=np.full_like(rows.values, 0.5))
    is_known = one != UNDEFINED
    value = evaluate(censored_brier_score, half)[is_known]
    assert_allclose(value, (one + zero)[is_known] / 4, rtol=1e-12)


@given(predicted())
def test_the_kaplan_meier_curve_scales_to_zero(rows):
    curve = KaplanMeier().fit(rows.y, rows.weight).predict(rows.times)
    marginal = rows._replace(values=np.tile(np.nan_to_num(curve), (len(rows.time), 1)))
    value = evaluate(scaled_brier_score, marginal)
    assert_allclose(value[value != UNDEFINED], 0, atol=1e-14)


def test_a_perfect_prediction():
    y = right_censored([1, 0, 1, 1], [1, 2, 3, 4])
    truth = np.greater.outer(y["time"], [1, 2.5, 3]).astype(float)
    assert_array_equal(censored_brier_score(y, truth, times=[1, 2.5, 3]), [0, 0, 0])
    assert integrated_brier_score(y, truth, times=[1, 2.5, 3]) == 0.0
    assert_array_equal(scaled_brier_score(y, truth, times=[1, 2.5, 3]), [1, 1, 1])


# Undefined values


def test_where_the_censoring_curve_ends_the_usable_times_are_named():
    reference = right_censored([1, 0], [1, 3])
    y, curves = right_censored([1, 1], [2, 5]), [[0.9, 0.5, 0.2, 0.1]] * 2
    told = r"^censored_brier_score is undefined .* at 3.0, 4.0 the censoring curve is 0 or unknown"
    told += r", it can be used before time 3.0. Use `replace_undefined_by`"
    keywords = {"times": [1, 4, 2, 3], "censoring": reference}
    curves = [[0.9, 0.1, 0.5, 0.2]] * 2
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = censored_brier_score(y, curves, **keywords)
    assert_allclose(value, [0.01, np.nan, 0.25, np.nan], rtol=1e-12)
    value = censored_brier_score(y, curves, replace_undefined_by=0.5, **keywords)
    assert_allclose(value, [0.01, 0.5, 0.25, 0.5], rtol=1e-12)


def test_past_a_reference_the_curve_is_unknown_unless_nothing_is_censored():
    y, curves = right_censored([1, 1], [2, 9]), [[0.5]] * 2
    reference = right_censored([1, 0, 1], [1, 2, 3])
    with pytest.warns(UndefinedMetricWarning, match=r"it can be used up to time 3.0"):
        assert np.isnan(censored_brier_score(y, curves, times=[4], censoring=reference))
    value = censored_brier_score(y, curves, times=[4], censoring=NOTHING_CENSORED)
    assert_array_equal(value, [0.25])


def test_where_every_row_is_censored_no_row_says_anything():
    y = right_censored([0, 0], [1, 2])
    told = r"at 2.0, 3.0 every row is censored by then\."
    keywords = {"times": [3, 1.5, 2], "censoring": NOTHING_CENSORED}
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = censored_brier_score(y, [[0.9] * 3] * 2, **keywords)
    assert_allclose(value, [np.nan, 0.005, np.nan], rtol=1e-12)


def test_past_a_censoring_nobody_knows_how_many_are_left():
    """Where no row is later than the time, a model that predicts 0 for all would score 0."""
    y, nobody_lives = right_censored([1, 0], [1, 4]), np.zeros((2, 3))
    keywords = {"times": [5, 3, 4]}
    told = r"at 4.0, 5.0 nobody was followed up to then, the score can be used before time 4.0\."
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = censored_brier_score(y, nobody_lives, **keywords)
    assert_array_equal(value, [np.nan, 0.5, np.nan])
    # A reference knows with which probability survivors would have been seen.
    value = censored_brier_score(y, nobody_lives, censoring=NOTHING_CENSORED, **keywords)
    assert_array_equal(value, [0, 0.5, 0])
    # An event at the end leaves nobody behind.
    value = censored_brier_score(right_censored([1, 1], [1, 4]), nobody_lives, **keywords)
    assert_array_equal(value, [0, 0.5, 0])


def test_what_cannot_be_scaled_is_told():
    y, curves = right_censored([1, 0, 0], [2, 3, 4]), np.full((3, 4), 0.5)
    told = r"^scaled_brier_score is undefined .* at 5.0 the Kaplan-Meier curve of the scored rows "
    told += r"is unknown; at 1.0 the Kaplan-Meier curve of the scored rows is right about every row"
    keywords = {"times": [1, 2, 3.5, 5], "censoring": NOTHING_CENSORED}
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = scaled_brier_score(y, curves, **keywords)
    assert_array_equal(np.isnan(value), [True, False, False, True])


def test_the_integral_says_which_times_it_uses():
    keywords = {"times": [5, 35, 70, 95], "censoring": TRAIN}
    y = right_censored([1, 1, 0, 1], [15, 35, 45, 99])
    curves = np.column_stack([CURVES, [0.0, 0.1, 0.1, 0.2]])
    told = r"^integrated_brier_score uses 3 of 4 times, from 5.0 to 70.0: at 95.0 the censoring "
    told += r"curve is 0 or unknown, it can be used before time 90.0"
    with pytest.warns(UserWarning, match=told):
        value = integrated_brier_score(y, curves, **keywords)
    first = integrated_brier_score(y, curves[:, :3], times=TIMES, censoring=TRAIN)
    assert value == first


def test_an_integral_over_fewer_than_two_times():
    y, curves = right_censored([1, 1], [2, 9]), [[0.9, 0.5, 0.4]] * 2
    keywords = {"times": [1, 5, 6], "censoring": right_censored([1, 0, 1], [1, 2, 3])}
    told = r"fewer than two of 3 times have a Brier score: at 5.0, 6.0 the censoring curve is 0 or"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(integrated_brier_score(y, curves, **keywords))
    assert integrated_brier_score(y, curves, replace_undefined_by=0.25, **keywords) == 0.25


@given(predicted(), some_reference)
def test_what_is_undefined_stays_so_at_later_times(rows, reference):
    value = evaluate(censored_brier_score, rows, censoring=as_censoring(reference))
    undefined = (value == UNDEFINED)[np.argsort(rows.times)]
    assert_array_equal(undefined, np.maximum.accumulate(undefined))


# What is refused


@every_metric
def test_left_and_interval_censored_rows_have_no_weight(metric):
    y = interval_censored([1, -np.inf, 2, 3], [1, 4, 5, np.inf])
    told = r"y_true has 1 left-censored and 1 interval-censored rows, the first in row 1"
    with pytest.raises(ValueError, match=f"^{told}"):
        metric(y, CURVES, times=TIMES)
    with pytest.raises(ValueError, match=r"^censoring has 1 left-censored and 1 interval-censored"):
        metric(TEST, CURVES, times=TIMES, censoring=y)


@every_metric
def test_late_entries_are_refused(metric):
    y = pd.DataFrame({"event": TEST["event"], "time": TEST["time"], "entry": [0, 1, 2, 3]})
    told = r"^y_true has a field 'entry', but weights by the censoring curve need rows that are"
    with pytest.raises(ValueError, match=told):
        metric(y, CURVES, times=TIMES)
    # In a reference they only make the risk sets smaller.
    value = metric(TEST, CURVES, times=INSIDE, censoring=y)
    assert np.isfinite(value).all()


@every_metric
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"times": []}, "times is empty"),
        ({"times": [5, 35, np.nan]}, "times has 1 missing value"),
        ({"times": [5, 35]}, r"y_proba must have the shape \(n_samples, n_times\) = \(4, 2\)"),
        ({"sample_weight": [1, 2]}, "sample_weight has 2 rows, the target has 4"),
        ({"sample_weight": [1, 2, -1, 0]}, "sample_weight must not be negative"),
        ({"censoring": KaplanMeier().fit(TRAIN)}, "censoring is a KaplanMeier curve of events"),
        ({"censoring": [1.0, 2.0]}, r"censoring is of shape \(2,\) and carries no censoring"),
    ],
    ids=["no times", "nan", "shape", "weights", "negative", "events", "times only"],
)
def test_options_that_are_refused(metric, options, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        metric(TEST, CURVES, **{"times": TIMES, **options})


@every_metric
def test_a_replacement_must_be_a_number(metric):
    y, times = right_censored([0, 0], [1, 2]), [3, 4]
    with pytest.raises(ValueError, match=r"^replace_undefined_by='zero' must be a number"):
        metric(y, [[0.5, 0.5]] * 2, times=times, replace_undefined_by="zero")


@every_metric
def test_rows_of_weight_zero_might_as_well_be_absent(metric):
    # The row left out alone would end the censoring curve.
    y = right_censored([1, 0, 1, 1, 0], [1, 2, 3, 5, 9])
    curves = np.array([[0.8, 0.2], [0.9, 0.5], [0.7, 0.4], [0.9, 0.6], [0.1, 0.1]])
    weight = np.array([0.3, 0.7, 1.5, 1.1, 0])
    without = metric(y[:4], curves[:4], times=[1.5, 3], sample_weight=weight[:4])
    assert_array_equal(metric(y, curves, times=[1.5, 3], sample_weight=weight), without)


@every_metric
def test_inputs_are_only_read(metric):
    arrays = [TEST.copy(), CURVES.copy()]
    for array in arrays:
        array.flags.writeable = False
    first = metric(*arrays, times=INSIDE, censoring=TRAIN)
    assert_array_equal(metric(TEST, CURVES, times=INSIDE, censoring=TRAIN), first)
    assert np.isfinite(first).all()


# Situations in which other tools go wrong, with the right value of each


def test_cen_12_an_event_and_a_censoring_at_one_time():
    y = right_censored([1, 0, 0, 1, 0, 1, 1, 0], [3, 3, 5, 6, 6, 9, 10, 12])
    curves = np.column_stack(
        [[0.4, 0.9, 0.8, 0.5, 0.7, 0.9, 0.8, 0.95], [0.2, 0.7, 0.6, 0.3, 0.5, 0.6, 0.7, 0.9]]
    )
    for censoring in (None, y, KaplanMeier(reverse=True).fit(y)):
        value = censored_brier_score(y, curves, times=[6.5, 9.5], censoring=censoring)
        assert_allclose(value, [0.076, 0.1280833333333333], rtol=0, atol=1e-15)


@pytest.mark.parametrize("last_event", [1, 0], ids=["event", "censored"])
def test_cen_14_a_time_past_the_reference_that_no_weight_needs(last_event):
    train = right_censored([1, 1, 0, 1, last_event], [1, 2, 3, 4, 5])
    test = right_censored([1, 1, 0, 1], [2, 3.5, 4.5, 7])
    curves = [[0.6, 0.3], [0.7, 0.4], [0.8, 0.6], [0.9, 0.7]]
    value = censored_brier_score(test, curves, times=[3, 4], censoring=train)
    assert_allclose(value, [0.1425, 0.17625], rtol=0, atol=1e-15)


def test_cen_16_times_outside_the_follow_up_of_the_scored_data():
    value = censored_brier_score(TEST, CURVES, times=TIMES, censoring=TRAIN)
    assert_allclose(value, [0.000975, 0.16975, 0.1765], rtol=0, atol=1e-15)
    value = integrated_brier_score(TEST, CURVES, times=TIMES, censoring=TRAIN)
    assert value == pytest.approx(0.1326192307692308, abs=1e-15)


CONTAINERS = {
    "functions": [lambda t, row=row: np.interp(t, TIMES, row) for row in CURVES],
    "objects": np.array([lambda t, row=row: np.interp(t, TIMES, row) for row in CURVES]),
    "index": pd.DataFrame(CURVES.T, index=TIMES),
    "columns": pd.DataFrame(CURVES, columns=TIMES),
}


@pytest.mark.parametrize("curves", CONTAINERS.values(), ids=list(CONTAINERS))
def test_cen_18_functions_and_frames(curves):
    value = censored_brier_score(TEST, curves, times=TIMES, censoring=TRAIN)
    assert_allclose(value, [0.000975, 0.16975, 0.1765], rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("curves", "told"),
    [
        (CURVES.T, r"must have the shape \(n_samples, n_times\) = \(4, 3\), but has \(3, 4\)"),
        (CURVES + 0.55, "must hold probabilities from 0 to 1, but holds 1.5 in row 0 at time 5.0"),
        (-CURVES, r"must hold probabilities from 0 to 1, but holds -0.95 in row 0 at time 5.0"),
    ],
    ids=["turned", "above 1", "negative"],
)
def test_cen_18_predictions_that_are_no_curves(curves, told):
    with pytest.raises(ValueError, match=f"^y_proba {told}"):
        censored_brier_score(TEST, curves, times=TIMES, censoring=TRAIN)


@every_metric
def test_cen_18_distribution_functions(metric):
    told = (
        r"^y_proba increases with time in 4 of 4 rows, first in row 0 from 0.6 at 35.0 to 0.9 at 60"
    )
    with pytest.warns(UserWarning, match=told) as caught:
        metric(TEST, 1 - CURVES[:, 1:], times=INSIDE[1:], censoring=TRAIN)
    assert "looks like a distribution function, not a survival curve" in str(caught[0].message)
    assert caught[0].filename == __file__


@pytest.fixture(scope="module")
def many_rows():
    """20 000 rows and 500 times: one array of them has 80 MB."""
    rng = np.random.default_rng(0)
    hazard, uniform = rng.random(20_000) + 0.1, rng.random(20_000)
    time = np.minimum(-np.log(uniform) / hazard, rng.exponential(2, 20_000))
    y = right_censored(rng.random(20_000) < 0.5, time)
    times = np.linspace(0.01, 2, 500)
    return y, np.exp(-np.outer(hazard, times)), times


def test_cen_20_memory_of_many_rows_and_times(many_rows):
    y, curves, times = many_rows
    tracemalloc.start()
    try:
        value = scaled_brier_score(y, curves, times=times)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert np.isfinite(value).all()
    assert peak < 20e6


def test_cen_24_without_censoring_it_is_the_plain_mean_squared_error():
    y = right_censored([1] * 5, [1, 2, 3, 4, 5])
    curves = [[0.1], [0.2], [0.3], [0.8], [0.9]]
    for censoring in (None, y):
        value = censored_brier_score(y, curves, times=[3], censoring=censoring)
        assert value == pytest.approx([0.038], abs=1e-15)


def test_cen_25_nobody_has_the_event():
    train, test = right_censored([0] * 4, [1, 2, 3, 4]), right_censored([1, 1, 0], [0.5, 2, 3])
    value = censored_brier_score(test, [[0.5]] * 3, times=[1.5], censoring=train)
    assert value == pytest.approx([0.3055555555555556], abs=1e-15)
    test = right_censored([0] * 4, [15, 35, 45, 70])
    value = censored_brier_score(test, [[0.9]] * 4, times=[30], censoring=TRAIN)
    assert value == pytest.approx([0.009], abs=1e-15)


# Another package, where no event and censoring share a time


def untied(seed, n_rows=200):
    """Distinct times, half of them censored, with curves."""
    rng = np.random.default_rng(seed)
    y = right_censored(rng.random(n_rows) < 0.5, rng.permutation(n_rows) + rng.random())
    times = np.sort(rng.uniform(2, 0.8 * n_rows, 20))
    return y, np.exp(-np.outer(rng.random(n_rows) / 50, times)), times


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("own_reference", [True, False], ids=["own", "other"])
def test_scores_of_scikit_survival(seed, own_reference):
    sksurv = pytest.importorskip("sksurv.metrics")
    y, curves, times = untied(seed)
    train = y if own_reference else untied(seed + 100, 250)[0]
    _, expected = sksurv.brier_score(train, y, curves, times)
    value = censored_brier_score(y, curves, times=times, censoring=train)
    assert_allclose(value, expected, rtol=0, atol=1e-12)
    expected = sksurv.integrated_brier_score(train, y, curves, times)
    value = integrated_brier_score(y, curves, times=times, censoring=train)
    assert value == pytest.approx(expected, abs=1e-12)


def test_step_functions_of_scikit_survival():
    linear_model = pytest.importorskip("sksurv.linear_model")
    rng = np.random.default_rng(0)
    y, _, times = untied(0)
    X = rng.normal(size=(200, 2)) - y["time"][:, np.newaxis] / 100
    model = linear_model.CoxPHSurvivalAnalysis().fit(X[:150], y[:150])
    functions = model.predict_survival_function(X[150:])
    curves = np.array([function(times) for function in functions])
    expected = censored_brier_score(y[150:], curves, times=times, censoring=y)
    found = censored_brier_score(y[150:], functions, times=times, censoring=y)
    assert_array_equal(found, expected)
