"""Standard errors of Brier scores and areas under ROC curves: small steps, hand-made data, R."""

import csv
import inspect
import json
import math
from pathlib import Path

import numpy as np
import oracles_curves as oracle
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from oracles import unit_weights
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.exceptions import UndefinedMetricWarning
from strategies_curves import predicted, references

from sklearn_ordinal_censored.metrics import (
    auc_inference,
    brier_inference,
    censored_brier_score,
    cumulative_dynamic_auc,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "curve_errors.json").read_text())
UNDEFINED = -9.0  # stands for undefined values on both sides
METRICS = {brier_inference: censored_brier_score, auc_inference: cumulative_dynamic_auc}
ORACLES = {brier_inference: oracle.brier, auc_inference: oracle.dynamic_auc}
every_metric = pytest.mark.parametrize("metric", METRICS)


def infer(metric, rows, **keywords):
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, **keywords}
    return metric(*rows.arguments, **keywords)


def slopes(score, rows, column, at, reference=None, step=1e-6):
    """Weight of each row times the slope of the score in it, by a step to both sides."""
    weight = unit_weights(rows.time, rows.weight)

    def value(row, change):
        moved = [w * (1 + change * (i == row)) for i, w in enumerate(weight)]
        return score(rows.time, rows.event, column, at, moved, reference)

    return [
        (value(row, step) - value(row, -step)) / (2 * step) if w else 0.0
        for row, w in enumerate(weight)
    ]


def simulated(n_rows=200, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    time, limit = rng.exponential(size=n_rows) * np.exp(-x), rng.exponential(size=n_rows)
    times = np.array([0.6, 0.2, 0.9])
    curves = np.exp(-np.exp(x)[:, np.newaxis] * times)
    return right_censored(time <= limit, np.minimum(time, limit)), curves, times


@every_metric
@given(rows=predicted())
@settings(max_examples=60)
def test_the_standard_error_is_that_of_small_steps(metric, rows):
    result = infer(metric, rows)
    expected = []
    for at, column in zip(rows.times, rows.columns, strict=True):
        value = ORACLES[metric](rows.time, rows.event, column, at, rows.weight)
        terms = slopes(ORACLES[metric], rows, column, at) if not math.isnan(value) else [math.nan]
        expected.append(math.hypot(*terms))
    assert_allclose(result.standard_error, expected, rtol=1e-5, atol=1e-7)


@every_metric
@given(rows=predicted(), reference=references())
@settings(max_examples=60)
def test_a_curve_from_elsewhere_is_taken_as_exact(metric, rows, reference):
    y = right_censored(reference[1], reference[0])
    result = infer(metric, rows, censoring=y)
    expected = []
    for at, column in zip(rows.times, rows.columns, strict=True):
        value = ORACLES[metric](rows.time, rows.event, column, at, rows.weight, reference)
        defined = not math.isnan(value)
        terms = slopes(ORACLES[metric], rows, column, at, reference) if defined else [math.nan]
        expected.append(math.hypot(*terms))
    assert_allclose(result.standard_error, expected, rtol=1e-5, atol=1e-7)
    curve = KaplanMeier(reverse=True).fit(y)
    again = infer(metric, rows, censoring=curve)
    assert_array_equal(again.standard_error, result.standard_error)


@every_metric
@given(rows=predicted())
def test_the_estimates_are_those_of_the_metric(metric, rows):
    result = infer(metric, rows)
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED}
    assert_array_equal(result.estimate, METRICS[metric](*rows.arguments, **keywords))
    assert_array_equal(np.isnan(result.standard_error), result.estimate == UNDEFINED)
    assert_array_equal(result.times, rows.times)


@given(rows=predicted(falling=False))
def test_one_prediction_a_row(rows):
    single = rows.columns[0]
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED}
    result = auc_inference(rows.y, single, **keywords)
    repeated = np.repeat(np.array(single)[:, np.newaxis], len(rows.times), axis=1)
    expected = auc_inference(rows.y, repeated, **keywords)
    assert_array_equal(result.standard_error, expected.standard_error)


@given(rows=predicted(falling=False))
def test_the_direction_turns_the_area_round(rows):
    result, turned = infer(auc_inference, rows), infer(auc_inference, rows, prediction="risk")
    assert_allclose(result.standard_error, turned.standard_error, atol=1e-12)
    defined = result.estimate != UNDEFINED
    assert_allclose((result.estimate + turned.estimate)[defined], 1)


@every_metric
def test_the_scale_of_the_weights_is_of_no_account(metric):
    y, curves, times = simulated()
    weight = np.random.default_rng(1).random(len(y))
    result = metric(y, curves, times=times, sample_weight=weight)
    scaled = metric(y, curves, times=times, sample_weight=1000 * weight)
    assert_allclose(scaled.standard_error, result.standard_error, rtol=1e-9)
    plain = metric(y, curves, times=times)
    same = metric(y, curves, times=times, sample_weight=np.full(len(y), 3.0))
    assert_allclose(same.standard_error, plain.standard_error, rtol=1e-9)


def test_without_censoring_the_error_is_that_of_a_mean():
    y, curves, times = simulated()
    y = right_censored(np.ones(len(y)), y["time"])
    result = brier_inference(y, curves, times=times)
    squares = ((y["time"][:, np.newaxis] > times) - curves) ** 2
    assert_allclose(result.standard_error, squares.std(axis=0) / math.sqrt(len(y)))


def test_estimating_the_curve_makes_a_brier_score_more_exact():
    y, curves, times = simulated()
    own = brier_inference(y, curves, times=times).standard_error
    fixed = brier_inference(y, curves, times=times, censoring=y).standard_error
    assert (own < fixed).all()


@pytest.mark.parametrize(
    ("metric", "method", "forward", "backward", "slope"),
    [
        (brier_inference, "log", np.log, np.exp, lambda value: 1 / value),
        (auc_inference, "logit", logit, expit, lambda value: 1 / (value * (1 - value))),
    ],
)
def test_intervals(metric, method, forward, backward, slope):
    y, curves, times = simulated()
    result = metric(y, curves, times=times)
    value, error = result.estimate, result.standard_error
    z = norm.ppf(0.95)
    low, high = result.confidence_interval(0.9, method="wald")
    assert_allclose([low, high], [value - z * error, value + z * error])
    margin = z * error * slope(value)
    expected = backward(forward(value) - margin), backward(forward(value) + margin)
    assert_allclose(result.confidence_interval(0.9), expected)
    assert_array_equal(
        result.confidence_interval(0.9), result.confidence_interval(0.9, method=method)
    )
    with pytest.raises(ValueError, match=rf"^method='fisher' is not known; use one of '{method}',"):
        result.confidence_interval(method="fisher")
    with pytest.raises(ValueError, match=r"^confidence_level=1 must be between 0 and 1"):
        result.confidence_interval(1)


def test_no_interval_without_width():
    y = right_censored([1, 1, 1, 0], [1, 2, 3, 4])
    area = auc_inference(y, [1, 2, 3, 4], times=[2, 1])
    assert (area.estimate.tolist(), area.standard_error.tolist()) == ([1.0, 1.0], [0.0, 0.0])
    with pytest.warns(UndefinedMetricWarning, match=r"^standard_error is 0 at 1\.0, 2\.0\. An int"):
        assert np.isnan(area.confidence_interval()).all()
    half = brier_inference(y, np.full((4, 2), 0.5), times=[2, 3])
    assert half.standard_error.tolist() == [0.0, 0.0]


def test_a_constant_curve_of_one_half_has_no_error_with_censoring_either():
    y, _, times = simulated()
    result = brier_inference(y, np.full((len(y), 3), 0.5), times=times)
    assert_allclose(result.estimate, 0.25)
    assert result.standard_error.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("metric", "late", "reference", "reason"),
    [
        (brier_inference, 6, None, "nobody was followed up to then"),
        (brier_inference, 5, right_censored([1, 0], [1, 4]), "the censoring curve is 0 or unknown"),
        (auc_inference, 6, None, "no row is left"),
    ],
)
def test_undefined_times(metric, late, reference, reason):
    y = right_censored([1, 1, 0, 0], [1, 2, 3, 6])
    curves = np.array([[0.3, 0.1], [0.6, 0.2], [0.5, 0.4], [0.3, 0.2]])
    told = rf"^{metric.__name__} is undefined .*: at {late}\.0 {reason}"
    with pytest.warns(UndefinedMetricWarning, match=told):
        result = metric(y, curves, times=[2, late], censoring=reference)
    assert np.isnan(result.estimate).tolist() == [False, True]
    assert np.isnan(result.standard_error).tolist() == [False, True]
    low, high = result.confidence_interval()
    assert low[0] < result.estimate[0] < high[0]
    assert np.isnan([low[1], high[1]]).all()


@every_metric
def test_refused_rows(metric):
    with pytest.raises(ValueError, match=r"^y_true has 0 left-censored and 1 interval-censored"):
        metric([[1.5, 2], [3, 3]], [0.1, 0.2], times=[2])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_error_of_r(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        lines = list(csv.DictReader(file))
    time, event, score = (
        np.array([float(line[case["columns"][role]]) for line in lines])
        for role in ("time", "event", "score")
    )
    result = auc_inference(
        right_censored(event, time), score, times=case["times"], prediction="risk"
    )
    assert_allclose(result.estimate, case["values"]["auc"], rtol=1e-9)
    error = result.standard_error * math.sqrt(len(time) / (len(time) - 1))
    few_ties = case["dataset"] == "rand2000_a"
    assert_allclose(error, case["values"]["se"], rtol=1e-6 if few_ties else 4e-4)


def test_the_default_methods_are_those_of_the_signature():
    y, curves, times = simulated()
    for metric, method in ((brier_inference, "log"), (auc_inference, "logit")):
        result = metric(y, curves, times=times)
        assert_array_equal(result.confidence_interval(), result.confidence_interval(method=method))
        default = inspect.signature(result.confidence_interval).parameters["method"].default
        assert default == method


@pytest.mark.parametrize("unit", [2.0**-600, 2.0**510])
def test_the_unit_of_the_weights_does_not_matter(unit):
    generator = np.random.default_rng(0)
    y = right_censored(generator.random(30) < 0.6, generator.permutation(30) + 1.0)
    pred, weight = generator.random(30), generator.integers(1, 4, 30)
    for infer, values in ((brier_inference, pred[:, np.newaxis]), (auc_inference, pred)):
        one = infer(y, values, times=[12.5], sample_weight=weight)
        scaled = infer(y, values, times=[12.5], sample_weight=weight * unit)
        assert one.standard_error[0] > 0
        assert scaled.estimate[0] == pytest.approx(one.estimate[0], rel=1e-13)
        assert scaled.standard_error[0] == pytest.approx(one.standard_error[0], rel=1e-13)
