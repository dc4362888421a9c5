"""Calibration of survival predictions: loops over rows, true models, hand-made data."""

import math

import numpy as np
import oracles_calibration as oracle
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2, kstest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored._kernels import calibration
from sklearn_ordinal_censored.metrics import calibration_at_time, d_calibration
from sklearn_ordinal_censored.targets import interval_censored, right_censored

probabilities = st.integers(0, 64).map(lambda number: number / 64)


def exponential_rows(seed, n_rows, censored=True):
    """Times with known curves: the hazard of each row and what was seen of its time."""
    rng = np.random.default_rng(seed)
    hazard = np.exp(0.7 * rng.normal(size=n_rows))
    time = rng.exponential(size=n_rows) / hazard
    limit = rng.exponential(size=n_rows) if censored else np.full(n_rows, np.inf)
    return hazard, time <= limit, np.minimum(time, limit)


# Over all times


@given(
    rows=st.lists(st.tuples(st.booleans(), probabilities), min_size=1, max_size=12),
    n_bins=st.integers(2, 11),
)
def test_spread_of_right_censored_rows(rows, n_bins):
    event, proba = zip(*rows, strict=True)
    result = d_calibration(right_censored(event, np.ones(len(rows))), proba, n_bins=n_bins)
    spans = [(p if e else 0.0, p) for e, p in rows]
    statistic, proportions = oracle.d_calibration(spans, n_bins)
    assert_allclose(result.proportions, proportions, atol=1e-12)
    assert result.statistic == pytest.approx(statistic, abs=1e-9)
    assert result.pvalue == pytest.approx(chi2.sf(statistic, n_bins - 1))
    assert result.proportions.sum() == pytest.approx(1)


@given(
    rows=st.lists(st.tuples(probabilities, probabilities), min_size=1, max_size=12),
    n_bins=st.integers(2, 11),
)
def test_spread_of_interval_censored_rows(rows, n_bins):
    spans = [tuple(sorted(pair)) for pair in rows]
    y = interval_censored(np.ones(len(rows)), np.full(len(rows), 2.0))
    result = d_calibration(y, [pair[::-1] for pair in spans], n_bins=n_bins)
    statistic, proportions = oracle.d_calibration(spans, n_bins)
    assert_allclose(result.proportions, proportions, atol=1e-12)
    assert result.statistic == pytest.approx(statistic, abs=1e-9)


@given(rows=st.lists(st.tuples(st.booleans(), probabilities), min_size=1, max_size=12))
def test_one_column_or_two(rows):
    event, proba = (np.array(side) for side in zip(*rows, strict=True))
    y = right_censored(event, np.ones(len(rows)))
    single = d_calibration(y, proba)
    double = d_calibration(y, np.column_stack([proba, np.where(event, proba, 0.0)]))
    assert single.statistic == double.statistic
    assert_array_equal(single.proportions, double.proportions)


def test_ends_of_bins():
    y = right_censored(np.ones(11), np.ones(11))
    shares = d_calibration(y, np.arange(11) / 10).proportions
    # Each end counts upwards, and 1 in the last bin with 0.9.
    assert_allclose(11 * shares, [1] * 9 + [2])


def test_even_spread():
    y = right_censored(np.ones(20), np.ones(20))
    result = d_calibration(y, np.linspace(0.01, 0.96, 20))
    assert (result.statistic, result.pvalue) == (pytest.approx(0, abs=1e-12), pytest.approx(1))
    assert isinstance(result.statistic, float)
    assert isinstance(result.pvalue, float)


def test_pvalues_of_a_true_model_are_uniform():
    pvalues = []
    for seed in range(300):
        hazard, event, time = exponential_rows(seed, 200, censored=False)
        pvalues.append(d_calibration(right_censored(event, time), np.exp(-hazard * time)).pvalue)
    assert kstest(pvalues, "uniform").pvalue > 0.05
    assert 0.02 < np.mean(np.array(pvalues) < 0.05) < 0.08


def test_a_true_model_of_censored_times_passes_and_a_wrong_one_does_not():
    hazard, event, time = exponential_rows(0, 20_000)
    y = right_censored(event, time)
    true = d_calibration(y, np.exp(-hazard * time))
    assert_allclose(true.proportions, 0.1, atol=0.006)
    assert true.pvalue > 0.05
    assert d_calibration(y, np.exp(-1.2 * hazard * time)).pvalue < 1e-6


def test_a_true_model_of_interval_censored_times_passes():
    hazard, _, time = exponential_rows(0, 20_000, censored=False)
    lower, upper = np.floor(3 * time) / 3, np.floor(3 * time + 1) / 3
    upper[upper > 2] = np.inf
    lower = np.minimum(lower, 2.0)
    curves = np.exp(-hazard[:, np.newaxis] * np.column_stack([lower, upper]))
    result = d_calibration(interval_censored(lower, upper), curves)
    assert_allclose(result.proportions, 0.1, atol=0.01)


@pytest.mark.parametrize(
    ("bounds", "proba", "message"),
    [
        ([(5, 5)], [1.2], r"^y_proba must hold probabilities from 0 to 1, but holds 1\.2 in row 0"),
        ([(5, 5)], [-0.1], r"^y_proba must hold probabilities from 0 to 1, but holds -0\.1"),
        ([(5, 5)], [np.nan], r"^y_proba must be finite, but holds nan"),
        ([(5, 5)], [0.1, 0.2], r"^Inputs must have the same length, but y_true has 1 rows"),
        ([(5, 5)], [[0.1, 0.2, 0.3]], r"shape \(1,\), P\(T > t\) at each .* has \(1, 3\)"),
        ([(5, 7)], [0.5], r"^y_true has 1 left- or interval-censored rows, first row 0"),
        ([(5, 7)], [[0.5, 0.7]], r"^y_proba rises from the lower to the upper bound in 1 row"),
        ([(5, 5)], [[0.5, 0.4]], r"^y_proba differs between the equal bounds of an exact time"),
        ([(5, np.inf)], [[0.5, 0.4]], r"^y_proba is not 0 at an infinite upper bound in 1 row"),
        ([(-np.inf, 5)], [[0.9, 0.4]], r"^y_proba is not 1 at an infinite lower bound .* row 0"),
    ],
)
def test_refused_by_d_calibration(bounds, proba, message):
    y = interval_censored(*np.transpose(np.array(bounds, float)))
    with pytest.raises(ValueError, match=message):
        d_calibration(y, proba)


@pytest.mark.parametrize("n_bins", [1, 2.5, True])
def test_refused_numbers_of_bins(n_bins):
    with pytest.raises(ValueError, match=r"^n_bins=.* must be a whole number, at least 2"):
        d_calibration(right_censored([1], [2]), [0.5], n_bins=n_bins)


def test_ten_thousand_bins_are_the_most():
    y, proba = right_censored([True], [1.0]), [0.5]
    assert len(d_calibration(y, proba, n_bins=10_000).proportions) == 10_000
    with pytest.raises(ValueError, match=r"^n_bins=10001 must be a whole number from 2 to 10000"):
        d_calibration(y, proba, n_bins=10_001)


def test_probabilities_off_by_rounding():
    y = interval_censored([1, 2, -np.inf, 3], [1, np.inf, 2, 4])
    proba = np.array([[0.7, 0.7], [0.9, 0.0], [1.0, 0.4], [0.2, 0.2]])
    off = proba + 1e-7 * np.array([[1, 2], [-1, -1], [1, 1], [0, 1]])
    expected = d_calibration(y, proba, n_bins=3)
    assert d_calibration(y, off, n_bins=3).statistic == pytest.approx(expected.statistic, abs=1e-5)
    certain = right_censored([1, 1, 0, 0], [1, 2, 3, 4])
    result = calibration_at_time(certain, [-1e-9, 0, 1, 1 + 1e-9], time=2, n_bins=2)
    assert (result.predicted.tolist(), result.statistic) == ([0.0, 1.0], 0.0)


def test_late_entries_are_refused():
    y = pd.DataFrame({"event": [1, 0], "time": [5.0, 6.0], "entry": [2.0, 3.0]})
    with pytest.raises(ValueError, match=r"^y_true has a field 'entry', but a predicted"):
        d_calibration(y, [0.5, 0.5])
    with pytest.raises(ValueError, match=r"^y_true has a field 'entry', but a predicted"):
        calibration_at_time(y, [0.5, 0.5], time=4)


# At one time


@given(
    rows=st.lists(
        st.tuples(st.booleans(), st.integers(1, 6), st.integers(1, 63)), min_size=1, max_size=14
    ),
    moment=st.integers(1, 6),
    n_bins=st.integers(1, 5),
)
def test_against_loops(rows, moment, n_bins):
    event, time, proba = (list(side) for side in zip(*rows, strict=True))
    proba = [number / 64 for number in proba]
    assume(any(e and t <= moment for t, e in zip(time, event, strict=True)))
    for members in oracle.bins_of(proba, n_bins):
        own = [[values[row] for row in members] for values in (time, event)]
        assume(not math.isnan(oracle.kaplan_meier(*own, moment)))
    result = calibration_at_time(right_censored(event, time), proba, time=moment, n_bins=n_bins)
    bins, predicted, observed, errors, statistic = oracle.calibration(
        time, event, proba, moment, n_bins
    )
    assert result.counts.tolist() == [len(members) for members in bins]
    assert_allclose(result.predicted, predicted, rtol=1e-12)
    assert_allclose(result.observed, observed, rtol=1e-12, atol=1e-15)
    assert_allclose(result.standard_error, errors, rtol=1e-9, atol=1e-12)
    assert result.statistic == pytest.approx(statistic, rel=1e-9)
    assert result.pvalue == pytest.approx(chi2.sf(statistic, len(bins)))
    known = [sum(event[row] and time[row] <= moment for row in members) for members in bins]
    assert result.events.tolist() == known


def test_without_censoring_it_is_the_test_of_nam_and_d_agostino():
    hazard, event, time = exponential_rows(1, 300, censored=False)
    proba = np.exp(-0.5 * hazard)
    result = calibration_at_time(right_censored(event, time), proba, time=0.5)
    by_bin = np.argsort(proba).reshape(10, 30)
    observed, predicted = (time[by_bin] > 0.5).mean(axis=1), proba[by_bin].mean(axis=1)
    assert_allclose(result.observed, observed)
    assert_allclose(result.predicted, predicted)
    expected = ((observed - predicted) ** 2 / (predicted * (1 - predicted) / 30)).sum()
    assert result.statistic == pytest.approx(expected)
    assert_allclose(result.standard_error, np.sqrt(observed * (1 - observed) / 30))


@pytest.mark.parametrize(("n_rows", "n_bins"), [(300, 10), (80, 4)])
def test_pvalues_of_a_true_model_at_one_time(n_rows, n_bins):
    pvalues = []
    for seed in range(200):
        hazard, event, time = exponential_rows(seed, n_rows)
        y, proba = right_censored(event, np.minimum(time, 0.5)), np.exp(-0.3 * hazard)
        pvalues.append(calibration_at_time(y, proba, time=0.3, n_bins=n_bins).pvalue)
    assert kstest(pvalues, "uniform").pvalue > 0.01
    assert np.mean(np.array(pvalues) < 0.05) < 0.1


def test_a_wrong_model_is_found():
    hazard, event, time = exponential_rows(2, 2000)
    y = right_censored(event, time)
    assert calibration_at_time(y, np.exp(-0.3 * hazard), time=0.3).pvalue > 0.05
    assert calibration_at_time(y, np.exp(-0.4 * hazard), time=0.3).pvalue < 1e-4


def test_equal_predictions_share_a_bin():
    y = right_censored(np.ones(8), np.arange(1, 9))
    result = calibration_at_time(y, [0.5] * 6 + [0.9, 0.1], time=4)
    assert result.counts.tolist() == [1, 6, 1]
    assert_allclose(result.predicted, [0.1, 0.5, 0.9])
    constant = calibration_at_time(y, [0.5] * 8, time=4)
    assert (constant.observed.tolist(), constant.statistic) == ([0.5], 0.0)


def test_certain_predictions():
    y = right_censored(np.ones(4), np.arange(1, 5))
    right = calibration_at_time(y, [0, 0, 1, 1], time=2, n_bins=2)
    assert (right.statistic, right.pvalue) == (0.0, 1.0)
    assert right.standard_error.tolist() == [0.0, 0.0]
    wrong = calibration_at_time(y, [0, 0, 1, 1], time=3, n_bins=2)
    assert (wrong.statistic, wrong.pvalue) == (math.inf, 0.0)


def test_time_beyond_follow_up():
    y = right_censored([1, 0, 1, 1, 0, 0], [1, 3, 2, 5, 6, 7])
    proba = [0.2, 0.2, 0.2, 0.8, 0.8, 0.8]
    message = r"1 of 2 bins, .* at time=4\.0; all bins can be followed up to 3\.0\. Choose"
    with pytest.warns(UndefinedMetricWarning, match=message):
        result = calibration_at_time(y, proba, time=4, n_bins=2)
    assert_array_equal(result.observed, [np.nan, 1.0])
    assert_array_equal(result.standard_error, [np.nan, 0.0])
    assert np.isnan([result.statistic, result.pvalue]).all()
    assert not np.isnan(calibration_at_time(y, proba, time=3, n_bins=2).statistic)


def test_a_bin_whose_rows_all_had_their_event_is_known_for_ever():
    y = right_censored([1, 1, 1, 0], [1, 2, 5, 9])
    result = calibration_at_time(y, [0.1, 0.1, 0.8, 0.8], time=8, n_bins=2)
    assert result.observed.tolist() == [0.0, 0.5]
    assert np.isfinite(result.statistic)


def test_no_event_by_then():
    y = right_censored([1, 0, 1, 0], [5, 6, 7, 8])
    with pytest.warns(UndefinedMetricWarning, match=r"no event happened up to 4\.0"):
        result = calibration_at_time(y, [0.9, 0.8, 0.7, 0.6], time=4, n_bins=2)
    assert result.observed.tolist() == [1.0, 1.0]
    assert np.isnan(result.pvalue)


def test_bounds_that_are_times_or_nearly():
    hazard, event, time = exponential_rows(3, 400)
    proba = np.exp(-0.3 * hazard)
    exact = calibration_at_time(right_censored(event, time), proba, time=0.3, n_bins=4)
    upper = np.where(event, time, np.inf)
    bounds = calibration_at_time(interval_censored(time, upper), proba, time=0.3, n_bins=4)
    assert_array_equal(bounds.observed, exact.observed)
    assert bounds.statistic == exact.statistic
    nearly = interval_censored(np.where(event, time * (1 - 1e-9), time), upper)
    turnbull = calibration_at_time(nearly, proba, time=0.3, n_bins=4)
    assert_allclose(turnbull.observed, exact.observed, atol=1e-9)
    assert_array_equal(turnbull.events, exact.events)
    assert np.isnan(turnbull.standard_error).all()
    assert np.isnan([turnbull.statistic, turnbull.pvalue]).all()


def test_interval_censored_rows_by_hand():
    # At 2.5 the two events of the first bin are anywhere in (2, 3], those of the second are later.
    y = interval_censored([2, 2, 3, -np.inf, 5, 4], [3, 3, np.inf, 1, 6, np.inf])
    result = calibration_at_time(y, [0.2, 0.2, 0.2, 0.8, 0.8, 0.8], time=2.5, n_bins=2)
    assert_allclose(result.observed, [(1 + 1 / 3) / 2, 2 / 3])
    assert result.events.tolist() == [0, 1]


def test_interval_censored_rows_that_end_too_early():
    y = interval_censored([1, 2, 3, 3], [2, np.inf, 4, 5])
    with pytest.warns(UndefinedMetricWarning, match=r"1 of 2 bins, .* at time=2\.5; .* up to 2\.0"):
        result = calibration_at_time(y, [0.2, 0.2, 0.8, 0.8], time=2.5, n_bins=2)
    assert_array_equal(result.observed, [np.nan, 1.0])


def test_durations_are_days():
    time = np.array([24, 48, 72, 96], dtype="timedelta64[h]")
    y, proba = right_censored([1, 1, 1, 0], time), [0.3, 0.4, 0.5, 0.6]
    by_days = calibration_at_time(y, proba, time=2, n_bins=1)
    by_hours = calibration_at_time(y, proba, time=np.timedelta64(48, "h"), n_bins=1)
    assert by_days.statistic == by_hours.statistic
    assert by_days.observed.tolist() == [0.5]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"time": np.inf}, r"^time=inf must be finite"),
        ({"time": [1, 2]}, r"^time=\[1, 2\] must be one time"),
        ({"time": "soon"}, r"^time "),
        ({"time": 1, "n_bins": 0}, r"^n_bins=0 must be a whole number, at least 1"),
        ({"time": 1, "y_proba": [0.5, 1.5]}, r"^y_proba must hold probabilities .* holds 1\.5"),
        ({"time": 1, "y_proba": [0.5]}, r"^y_proba must have the shape .* = \(2, 1\), but has"),
    ],
)
def test_refused_by_calibration_at_time(keywords, message):
    keywords = {"y_true": right_censored([1, 0], [1, 2]), "y_proba": [0.5, 0.6], **keywords}
    with pytest.raises(ValueError, match=message):
        calibration_at_time(**keywords)


# Step functions


def test_step_functions_are_read_at_the_time():
    y, proba = right_censored([1, 1, 1, 0], [2, 4, 5, 6]), [0.5, 0.5, 0.8, 0.8]
    functions = [lambda times, p=p: np.where(np.asarray(times) < 3, 1.0, p) for p in proba]
    expected = calibration_at_time(y, proba, time=3, n_bins=2)
    found = calibration_at_time(y, functions, time=3, n_bins=2)
    assert_array_equal(found.predicted, expected.predicted)
    assert found.statistic == expected.statistic
    with pytest.raises(ValueError, match=r"^y_proba holds functions; give P\(T > t\) of each row"):
        d_calibration(y, functions)


def test_blocks_of_rows_make_no_difference(monkeypatch):
    upper = np.random.default_rng(0).random(50)
    lower = np.where(np.arange(50) % 3, upper * 0.4, upper)
    whole = calibration.spread_over_bins(lower, upper, 7)
    monkeypatch.setattr(calibration, "_CELLS", 20)
    assert calibration.spread_over_bins(lower, upper, 7) == pytest.approx(whole, rel=1e-14)
    assert whole.sum() == pytest.approx(50)


def test_no_time_is_refused():
    with pytest.raises(ValueError, match=r"^time=None must be one time, a number or a duration"):
        calibration_at_time([[1, 1], [2, 2]], [0.5, 0.6], time=None)
