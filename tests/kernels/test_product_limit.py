"""The product-limit curve against loops over the risk sets."""

import math

import numpy as np
import oracles_censored as oracle
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored._kernels.product_limit import product_limit, survival_interval

either_curve = pytest.mark.parametrize("reverse", [False, True], ids=["events", "censorings"])


def positive(rows):
    """The rows that count, as arrays: time, event, weight, entry."""
    weight = np.ones(len(rows.lower)) if rows.weight is None else np.array(rows.weight, float)
    kept = weight > 0
    entry = None if rows.entry is None else np.array(rows.entry)[kept]
    time, upper = np.array(rows.lower)[kept], np.array(rows.upper)[kept]
    return time, time == upper, weight[kept], entry


@either_curve
@given(rows=censored(kinds=RIGHT_CENSORED, max_size=20))
@settings(max_examples=200)
def test_against_loops_over_risk_sets(reverse, rows):
    time, event, weight, entry = positive(rows)
    curve = product_limit(time, event, weight, entry, reverse=reverse)
    assert_array_equal(curve.times, sorted(set(time)))
    sets = [oracle.risk_set(time, event, at, weight, entry, reverse) for at in curve.times]
    assert_allclose(curve.at_risk, [at_risk for at_risk, _ in sets], rtol=1e-12, atol=1e-12)
    expected = [oracle.kaplan_meier(time, event, at, weight, entry, reverse) for at in curve.times]
    assert_allclose(curve.survival, expected, rtol=1e-9, atol=1e-12)
    assert ((curve.survival >= 0) & (curve.survival <= 1)).all()
    assert (np.diff(curve.survival) <= 0).all()


@either_curve
@given(rows=censored(kinds=RIGHT_CENSORED, max_size=20))
def test_greenwoods_sum(reverse, rows):
    time, event, weight, entry = positive(rows)
    curve = product_limit(time, event, weight, entry, reverse=reverse)
    expected = np.array(
        [oracle.greenwood(time, event, at, weight, entry, reverse) for at in curve.times]
    )
    sure = curve.survival > 0
    assert_allclose(curve.hazard_variance[sure], expected[sure], rtol=1e-6)
    assert not np.isfinite(curve.hazard_variance[~sure]).any()


@either_curve
@given(rows=censored(kinds=RIGHT_CENSORED))
def test_no_weights_are_weights_of_one(reverse, rows):
    time, event, weight, entry = positive(rows)
    found = product_limit(time, event, None, entry, reverse=reverse)
    expected = product_limit(time, event, np.ones(len(weight)), entry, reverse=reverse)
    for part, other in zip(found, expected, strict=True):
        assert_array_equal(part, other)


def test_a_curve_that_everybody_leaves_ends_at_an_exact_zero():
    rng = np.random.default_rng(0)
    for n_rows in range(1, 60):
        time = rng.integers(0, 9, n_rows).astype(float)
        weight = rng.uniform(0.001, 1000, n_rows)
        event = (time == time.max()) | (rng.random(n_rows) < 0.5)
        curve = product_limit(time, event, weight)
        assert curve.survival[-1] == 0.0
        assert curve.hazard_variance[-1] == math.inf
        reverse = product_limit(time, ~event, weight, reverse=True)
        assert_array_equal(reverse.survival[-1], 0.0)


def test_a_risk_set_that_empties_before_others_enter():
    time, event = np.array([1.0, 1.0, 1.0, 5.0, 5.0, 6.0]), np.ones(6, dtype=bool)
    weight = np.array([0.1, 0.2, 0.3, 0.7, 0.4, 0.6])
    curve = product_limit(time, event, weight, np.array([0.0, 0, 0, 2, 2, 2]))
    assert_array_equal(curve.survival, [0.0, 0.0, 0.0])
    assert_array_equal(curve.hazard_variance, [math.inf] * 3)


def test_uneven_weights_of_late_rows_leave_probabilities():
    """What is taken away may leave less than nothing."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        time, event = rng.integers(1, 7, 12).astype(float), rng.random(12) < 0.6
        entry, weight = time - rng.integers(1, 5, 12), 10 ** rng.uniform(-12, 12, 12)
        curve = product_limit(time, event, weight, entry)
        assert ((curve.survival >= 0) & (curve.survival <= 1)).all()
        assert (curve.at_risk >= 0).all()


def test_events_leave_before_censorings():
    time = np.array([1.0, 1.0, 1.0, 2.0])
    event = np.array([True, False, False, True])
    assert_allclose(product_limit(time, event).survival, [3 / 4, 0])
    assert_allclose(product_limit(time, event, reverse=True).survival, [1 / 3, 1 / 3])


def test_who_enters_at_a_time_is_at_risk_after_it():
    time, event = np.array([2.0, 3.0, 4.0]), np.array([True, True, False])
    curve = product_limit(time, event, entry=np.array([0.0, 2.0, 1.0]))
    assert_array_equal(curve.at_risk, [2, 2, 1])
    assert_array_equal(curve.survival, [0.5, 0.25, 0.25])


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_ends_of_intervals(level):
    survival, error = np.array([0.9, 0.5, 0.02]), np.array([0.01, 0.1, 0.015])
    distance = norm.ppf((1 + level) / 2)
    plain = survival_interval(survival, error, level, "plain")
    cut_off = [max(s - distance * e, 0) for s, e in zip(survival, error, strict=True)]
    assert_allclose(plain[:, 0], cut_off, rtol=1e-12)
    assert_allclose(plain[:, 1], survival + distance * error, rtol=1e-12)
    found = survival_interval(survival, error, level)
    for (low, high), s, e in zip(found, survival, error, strict=True):
        middle, half = math.log(-math.log(s)), distance * e / (s * -math.log(s))
        assert low == pytest.approx(math.exp(-math.exp(middle + half)), rel=1e-12)
        assert high == pytest.approx(math.exp(-math.exp(middle - half)), rel=1e-12)
        assert low < s < high


@pytest.mark.parametrize("method", ["log-log", "plain"])
def test_intervals_of_what_is_certain(method):
    survival, error = np.array([1.0, 0.0, 0.99]), np.array([0.0, math.nan, 1e9])
    found = survival_interval(survival, error, 0.95, method)
    assert_array_equal(found, [[1, 1], [math.nan, math.nan], [0, 1]])
    assert_array_equal(survival_interval(np.ones(1), np.full(1, 0.1), 0.9, method), [[1, 1]])
