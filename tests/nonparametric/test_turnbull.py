"""Turnbull's estimator: equal to Kaplan-Meier where that exists, by hand, to R, as an estimator."""

import csv
import json
import math
import pickle
from pathlib import Path

import numpy as np
import oracles_turnbull as oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from strategies import whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored._kernels import npmle
from sklearn_ordinal_censored.nonparametric import KaplanMeier, Turnbull
from sklearn_ordinal_censored.targets import (
    from_censoring_codes,
    interval_censored,
    right_censored,
)

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "turnbull.json").read_text())
INF = math.inf
TIMES = np.arange(-2, 20) / 2
# Two events in (2, 3], as many in (3, 4], and one after 6.
Y = interval_censored([1, 2, 2, 3, 3, 6], [3, 3, 4, 4, 5, INF])


def without_entry(rows):
    return rows._replace(entry=None)


# Equal to Kaplan-Meier


@pytest.mark.parametrize("left_limit", [False, True], ids=["at", "before"])
@given(rows=censored(kinds=RIGHT_CENSORED, max_size=20).map(without_entry))
@settings(max_examples=100)
def test_of_right_censored_rows_it_is_the_kaplan_meier_curve(left_limit, rows):
    curve = Turnbull().fit(rows.bounds, rows.weight)
    expected = KaplanMeier().fit(rows.event_time, rows.weight)
    found = curve.predict(TIMES, left_limit=left_limit)
    # NaN in the same places: past the last time, unless the curve has reached 0.
    assert_allclose(found, expected.predict(TIMES, left_limit=left_limit), rtol=1e-9, atol=1e-12)


def test_of_many_right_censored_rows_it_is_the_kaplan_meier_curve():
    rng = np.random.default_rng(0)
    y = right_censored(rng.random(4000) < 0.6, rng.weibull(1.5, 4000))
    weight = rng.exponential(1, 4000)
    curve, expected = Turnbull().fit(y, weight), KaplanMeier().fit(y, weight)
    assert_allclose(curve.predict(y["time"]), expected.predict(y["time"]), rtol=1e-9, atol=1e-12)


@given(times=st.lists(st.integers(0, 9), min_size=1, max_size=20))
def test_of_exact_rows_it_is_the_share_that_is_left(times):
    curve = Turnbull().fit(right_censored(np.ones(len(times)), times))
    assert_array_equal(curve.intervals_[:, 0], curve.intervals_[:, 1])
    expected = [np.mean(np.array(times) > at) for at in TIMES]
    assert_allclose(curve.predict(TIMES), expected, rtol=1e-12, atol=1e-15)
    assert_array_equal(curve.predict_bounds(TIMES).T, [curve.predict(TIMES)] * 2)


def test_current_status_is_the_isotonic_regression_of_events():
    # Shares of events by 1, 2, 3 are 1/2, 1/4, 3/4, of which the first two are pooled to 1/3.
    looks = np.repeat([1.0, 2.0, 3.0], [2, 4, 4])
    happened = np.array([1, 0, 1, 0, 0, 0, 1, 1, 1, 0])
    curve = Turnbull().fit(from_censoring_codes(looks, np.where(happened, -1, 1)))
    assert_array_equal(curve.intervals_, [[-INF, 1], [2, 3], [3, INF]])
    assert_allclose(curve.masses_, [1 / 3, 3 / 4 - 1 / 3, 1 / 4], rtol=1e-12)


# Weights and the order of rows


@given(rows=censored(weighting=whole_weights, max_size=16).map(without_entry))
def test_whole_weights_repeat_rows(rows):
    curve = Turnbull().fit(rows.bounds, rows.weight)
    repeated = Turnbull().fit(rows.repeated.bounds)
    for name in ("intervals_", "masses_", "n_iter_"):
        assert_array_equal(getattr(curve, name), getattr(repeated, name))
    assert_allclose(curve.log_likelihood_, repeated.log_likelihood_, rtol=1e-14)


@given(rows=censored(max_size=16).map(without_entry), data=st.data())
def test_the_order_of_rows_does_not_matter(rows, data):
    order = data.draw(st.permutations(range(len(rows.lower))))
    weight = np.ones(len(order)) if rows.weight is None else np.array(rows.weight, float)
    curve = Turnbull().fit(rows.bounds, weight)
    shuffled = Turnbull().fit(rows.bounds[order], weight[order])
    assert_array_equal(shuffled.intervals_, curve.intervals_)
    assert_allclose(shuffled.masses_, curve.masses_, rtol=1e-9)
    assert_allclose(shuffled.log_likelihood_, curve.log_likelihood_, rtol=1e-9, atol=1e-12)


@given(rows=censored(max_size=16).map(without_entry), factor=st.floats(0.01, 100))
def test_the_scale_of_the_weights_does_not_matter(rows, factor):
    weight = np.ones(len(rows.lower)) if rows.weight is None else np.array(rows.weight, float)
    curve, scaled = (Turnbull().fit(rows.bounds, weight * size) for size in (1, factor))
    assert_array_equal(scaled.intervals_, curve.intervals_)
    assert_allclose(scaled.masses_, curve.masses_, rtol=1e-9)
    assert_allclose(scaled.log_likelihood_, factor * curve.log_likelihood_, rtol=1e-9, atol=1e-9)


@given(rows=censored(max_size=16).map(without_entry))
def test_increasing_maps_of_time_move_the_intervals_only(rows):
    curve = Turnbull().fit(rows.bounds, rows.weight)
    lower, upper = (np.exp(np.array(side)) - 20 for side in (rows.lower, rows.upper))
    lower[np.isneginf(rows.lower)] = -INF
    moved = Turnbull().fit(interval_censored(lower, upper), rows.weight)
    assert_array_equal(moved.masses_, curve.masses_)
    known = np.isfinite(curve.intervals_)
    assert_allclose(moved.intervals_[known], np.exp(curve.intervals_[known]) - 20, rtol=1e-14)
    assert_array_equal(np.isfinite(moved.intervals_), known)


def test_rows_of_weight_zero_do_not_matter():
    curve = Turnbull().fit(Y, sample_weight=[1, 1, 1, 1, 1, 0])
    assert_array_equal(curve.masses_, Turnbull().fit(Y[:-1]).masses_)


# Values


def test_by_hand():
    curve = Turnbull().fit(Y)
    assert_array_equal(curve.intervals_, [[2, 3], [3, 4], [6, INF]])
    # p ** 2 * (p + q) * q ** 2 * r is largest for p = q and r = 1 / 6.
    assert_allclose(curve.masses_, [5 / 12, 5 / 12, 1 / 6], rtol=1e-12)
    expected = 4 * math.log(5 / 12) + math.log(5 / 6) + math.log(1 / 6)
    assert_allclose(curve.log_likelihood_, expected, rtol=1e-14)
    found = curve.predict([0, 2, 2.9, 3, 3.5, 4, 6, 6.1])
    assert_allclose(found, [1, 1, 1, 7 / 12, 7 / 12, 1 / 6, 1 / 6, np.nan])
    before = curve.predict([3, 4, 6], left_limit=True)
    assert_allclose(before, [1, 7 / 12, 1 / 6])
    bounds = curve.predict_bounds([2, 2.9, 3, 3.5, 4, 6, 6.1])
    assert_allclose(bounds[:, 0], [1, 7 / 12, 7 / 12, 1 / 6, 1 / 6, 1 / 6, 0])
    assert_allclose(bounds[:, 1], [1, 1, 7 / 12, 7 / 12, 1 / 6, 1 / 6, 1 / 6])


@given(rows=censored(max_size=16).map(without_entry))
def test_bounds_against_loops(rows):
    curve = Turnbull().fit(rows.bounds, rows.weight)
    expected = [oracle.bounds_at(curve.intervals_, curve.masses_, at) for at in TIMES]
    bounds = curve.predict_bounds(TIMES)
    assert_allclose(bounds, expected, rtol=1e-12, atol=1e-15)
    values = curve.predict(TIMES)
    known = ~np.isnan(values)
    assert_array_equal(values[known], bounds[known, 1])
    unbounded = curve.intervals_[-1, 1] == INF
    assert_array_equal(~known, unbounded & (curve.intervals_[-1, 0] < TIMES))


@pytest.mark.parametrize(
    ("bounds", "values", "ranges"),
    [
        ([(-INF, 4), (-INF, 6)], [1, 1, 0], [(0, 1), (0, 1), (0, 0)]),
        ([(0, 4), (0, 6)], [1, 1, 0], [(1, 1), (0, 1), (0, 0)]),
        ([(2, INF), (3, INF)], [1, 1, np.nan], [(1, 1), (1, 1), (0, 1)]),
        ([(-INF, 4), (4, INF)], [1, 1, 0.5], [(0.5, 1), (0.5, 1), (0.5, 0.5)]),
        ([(-9, -5), (-7, 4)], [0, 0, 0], [(0, 0), (0, 0), (0, 0)]),
        ([(3, 3), (-INF, 4)], [1, 0, 0], [(1, 1), (0, 0), (0, 0)]),
    ],
    ids=["left", "left of 0", "right", "both", "negative", "exact and left"],
)
def test_of_two_rows(bounds, values, ranges):
    curve = Turnbull().fit(interval_censored(*zip(*bounds, strict=True)))
    assert_allclose(curve.predict([0, 3, 4]), values)
    assert_allclose(curve.predict_bounds([0, 3, 4]), ranges)


def test_times_come_in_any_order_and_as_often_as_wanted():
    curve = Turnbull().fit(Y)
    assert_array_equal(curve.predict([4, 1, 4]), curve.predict([1, 4, 4])[[1, 0, 2]])
    assert curve.predict([]).shape == (0,)
    assert curve.predict_bounds([]).shape == (0, 2)
    assert_array_equal(curve.predict(pd.Series([1], dtype="Int64")), [1])


def test_curves_start_at_one_to_the_last_bit():
    rng = np.random.default_rng(0)
    for _ in range(20):
        lower = rng.uniform(0, 9, 50)
        curve = Turnbull().fit(interval_censored(lower, lower + rng.uniform(0, 2, 50)))
        assert curve.predict([-1])[0] == 1.0
        assert_array_equal(curve.predict_bounds([-1, 20]), [[1, 1], [0, 0]])


# R


def read_case(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {
        role: np.array([float(row[name]) for row in rows]) for role, name in case["columns"].items()
    }


def as_floats(values):
    return np.array([float(value) for value in values])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_values_of_r(case):
    columns, values = read_case(case), case["values"]
    y = interval_censored(columns["lower"], columns["upper"])
    curve = Turnbull().fit(y, sample_weight=columns.get("weights"))
    assert_allclose(curve.log_likelihood_, values["loglik"], rtol=1e-12)
    if "mass" in values:
        intervals = np.column_stack([as_floats(values["left"]), as_floats(values["right"])])
        assert_array_equal(curve.intervals_, intervals)
        assert_allclose(curve.masses_, values["mass"], rtol=1e-9)
        bounds = np.column_stack([values["S_lower"], values["S_upper"]])
        assert_allclose(curve.predict_bounds(values["grid"]), bounds, rtol=1e-9, atol=1e-12)


# As an estimator


def test_a_clone_keeps_its_fit():
    curve = Turnbull().fit(Y)
    copy = clone(curve)
    assert copy is not curve
    assert copy.get_params() == {"verbose": 0}
    assert_array_equal(copy.masses_, curve.masses_)
    assert repr(copy) == "Turnbull()"


def test_fit_returns_itself_and_forgets():
    curve = Turnbull()
    assert curve.fit(Y) is curve
    expected = Turnbull().fit(Y[:3]).masses_
    assert_array_equal(curve.fit(Y[:3]).masses_, expected)


def test_fitted_curves_can_be_pickled():
    curve = Turnbull().fit(Y)
    again = pickle.loads(pickle.dumps(curve))
    assert_array_equal(again.predict(TIMES), curve.predict(TIMES))


def test_nothing_comes_from_a_curve_that_is_not_fitted():
    with pytest.raises(NotFittedError):
        Turnbull().predict([1])
    with pytest.raises(NotFittedError):
        Turnbull().predict_bounds([1])


def test_late_entry_is_refused_with_the_cure():
    y = pd.DataFrame({"event": [1, 0], "time": [2, 3], "entry": [0, 1]})
    with pytest.raises(ValueError, match=r"^y has a field 'entry', but .* use KaplanMeier for exa"):
        Turnbull().fit(y)


@pytest.mark.parametrize("method", ["predict", "predict_bounds"])
@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([1, np.nan], "^times has 1 missing value"),
        (2.0, r"^times=2\.0 is a single value; give times="),
        (["1"], "^times must hold numbers, but"),
    ],
    ids=["nan", "number", "text"],
)
def test_times_that_are_none(method, times, told):
    with pytest.raises(ValueError, match=told):
        getattr(Turnbull().fit(Y), method)(times)


@pytest.mark.parametrize(
    ("weight", "told"),
    [
        ([1, 2], "has 2 rows, the target has 6"),
        ([1, 1, 1, 1, 1, -1], "must not be negative, but holds -1.0"),
        ([0] * 6, "is zero for every row"),
    ],
    ids=["short", "negative", "zero"],
)
def test_weights_that_are_none(weight, told):
    with pytest.raises(ValueError, match=f"^sample_weight {told}"):
        Turnbull().fit(Y, sample_weight=weight)


def test_targets_that_are_none():
    with pytest.raises(ValueError, match="carries no censoring information"):
        Turnbull().fit([1, 2, 3])


def test_what_has_not_converged_warns(monkeypatch):
    monkeypatch.setattr(npmle, "_MAX_ROUNDS", 0)
    with pytest.warns(ConvergenceWarning, match=r"^Turnbull has not converged after 0 iterations"):
        curve = Turnbull().fit(interval_censored([0, 1, 1, 0], [1, 2, 2, 2]))
    assert_allclose(curve.masses_.sum(), 1)


def test_inputs_are_only_read():
    y, weight, times = Y.copy(), np.arange(6.0), TIMES.copy()
    for array in (y, weight, times):
        array.flags.writeable = False
    curve = Turnbull().fit(y, sample_weight=weight)
    masses = curve.masses_.copy()
    curve.predict(times)[:] = -1
    curve.predict_bounds(times)[:] = -1
    assert_array_equal(curve.masses_, masses)
