"""The distribution of largest likelihood: innermost intervals, optimality, against long EM."""

import math

import numpy as np
import oracles_turnbull as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies_censored import censored

from sklearn_ordinal_censored._kernels import npmle
from sklearn_ordinal_censored._kernels.npmle import innermost_intervals

INF = math.inf


def as_arrays(rows):
    """Bounds and weights of the rows that count."""
    weight = np.ones(len(rows.lower)) if rows.weight is None else np.array(rows.weight, float)
    kept = weight > 0
    return np.array(rows.lower)[kept], np.array(rows.upper)[kept], weight[kept]


def masses_of_all(intervals, estimate):
    """Masses of all innermost intervals, zeros among them."""
    found = dict(zip(map(tuple, estimate.intervals.tolist()), estimate.masses, strict=True))
    assert set(found) <= set(intervals)
    return np.array([found.get(interval, 0.0) for interval in intervals])


def many_rows(rng, n_rows, share_exact=0.3):
    """Rows of all kinds, mostly without ties."""
    time = rng.weibull(1.5, n_rows)
    looks = np.sort(rng.uniform(0, 2.5, (n_rows, 2)), axis=1)
    ends = np.column_stack([np.zeros(n_rows), looks, np.full(n_rows, INF)])
    stretch = (time[:, np.newaxis] > looks).sum(axis=1)
    lower, upper = (ends[np.arange(n_rows), stretch + side] for side in (0, 1))
    is_exact = rng.random(n_rows) < share_exact
    return np.where(is_exact, time, lower), np.where(is_exact, time, upper)


# Innermost intervals


@given(rows=censored(max_size=16))
@settings(max_examples=300)
def test_innermost_intervals_against_all_sets_of_rows(rows):
    support = innermost_intervals(np.array(rows.lower), np.array(rows.upper))
    intervals, matrix = oracle.incidence(rows.lower, rows.upper)
    assert_array_equal(support.intervals, intervals)
    columns = np.arange(len(intervals))
    held = (support.start[:, np.newaxis] <= columns) & (columns < support.stop[:, np.newaxis])
    assert_array_equal(held, matrix)


@pytest.mark.parametrize(
    ("rows", "intervals"),
    [
        ([(2, 2)], [(2, 2)]),
        ([(2, INF)], [(2, INF)]),
        ([(-INF, 2)], [(-INF, 2)]),
        ([(2, 5), (5, 5)], [(5, 5)]),
        ([(5, 5), (5, 8)], [(5, 5), (5, 8)]),
        ([(2, 5), (5, 8)], [(2, 5), (5, 8)]),
        ([(2, 2), (2, INF)], [(2, 2), (2, INF)]),
        ([(1, 9), (2, 4), (3, 6), (5, 8)], [(3, 4), (5, 6)]),
        ([(-INF, 3), (-2, INF), (0, 1)], [(0, 1)]),
        ([(0.0, 1), (-1, -0.0)], [(-1, 0), (0, 1)]),
    ],
)
def test_innermost_intervals_by_hand(rows, intervals):
    lower, upper = np.array(rows, dtype=float).T
    assert_array_equal(innermost_intervals(lower, upper).intervals, intervals)


# The optimum


@given(rows=censored(max_size=16))
@settings(max_examples=300)
def test_the_optimality_conditions_hold(rows):
    lower, upper, weight = as_arrays(rows)
    estimate = npmle.npmle(lower, upper, weight)
    intervals, matrix = oracle.incidence(lower, upper)
    masses = masses_of_all(intervals, estimate)
    assert (estimate.masses > 0).all()
    assert_allclose(masses.sum(), 1, rtol=1e-14)
    slope = oracle.derivatives(matrix, weight, masses)
    assert (slope[masses == 0] <= 1 + 1e-11).all()
    assert_allclose(masses * slope, masses, rtol=1e-9, atol=1e-12)
    likelihood = oracle.log_likelihood(matrix, weight, masses)
    assert_allclose(estimate.log_likelihood, likelihood, rtol=1e-12, atol=1e-12)
    assert estimate.violation <= npmle.TOLERANCE


@given(rows=censored(max_size=10))
def test_long_self_consistency_comes_close_from_below(rows):
    lower, upper, weight = as_arrays(rows)
    estimate = npmle.npmle(lower, upper, weight)
    intervals, matrix = oracle.incidence(lower, upper)
    expected = oracle.self_consistent(matrix, weight, 3000)
    likelihood = oracle.log_likelihood(matrix, weight, expected)
    slack = 1e-11 * weight.sum()
    assert likelihood - slack <= estimate.log_likelihood <= likelihood + 1e-3 * weight.sum()
    assert_allclose(masses_of_all(intervals, estimate), expected, atol=0.02)


def test_two_fifths_by_hand():
    # Masses p, 1 - p of (0, 1] and (1, 2]: p ** 2 * (1 - p) ** 3 is largest at 2 / 5.
    lower, upper = np.array([0.0, 0, 1, 1, 1, 0]), np.array([1.0, 1, 2, 2, 2, 2])
    estimate = npmle.npmle(lower, upper)
    assert_allclose(estimate.masses, [0.4, 0.6], rtol=1e-13)
    assert_allclose(estimate.log_likelihood, 2 * math.log(0.4) + 3 * math.log(0.6), rtol=1e-14)
    by_weight = npmle.npmle(lower[[0, 2]], upper[[0, 2]], np.array([2.0, 3.0]))
    assert_allclose(by_weight.masses, [0.4, 0.6], rtol=1e-13)


def test_one_interval_needs_no_round():
    estimate = npmle.npmle(np.array([1.0, 2.0]), np.array([INF, 3.0]))
    assert_array_equal(estimate.intervals, [[2, 3]])
    assert_array_equal(estimate.masses, [1])
    assert (estimate.log_likelihood, estimate.n_rounds, estimate.violation) == (0, 0, 0)


def test_intervals_that_could_have_mass_without_loss_have_none():
    # One of two had the event by 1, and one of two by 2: the derivative of (1, 2] is one.
    lower, upper = np.array([-INF, 1, -INF, 2]), np.array([1, INF, 2, INF])
    estimate = npmle.npmle(lower, upper)
    assert_array_equal(estimate.intervals, [[-INF, 1], [2, INF]])
    assert_allclose(estimate.masses, [0.5, 0.5], rtol=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_rounding_leaves_no_traces_of_mass(seed):
    # Many looks with equal shares of events, so that many derivatives are one without mass.
    rng = np.random.default_rng(seed)
    time, look = rng.exponential(15, 200), rng.integers(1, 40, 200).astype(float)
    estimate = npmle.npmle(np.where(time > look, look, -INF), np.where(time > look, INF, look))
    assert estimate.masses.min() > 1e-6
    assert estimate.violation <= npmle.TOLERANCE


@pytest.mark.parametrize("share_exact", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_optimality_conditions_of_many_rows(share_exact, weighted):
    rng = np.random.default_rng(0)
    lower, upper = many_rows(rng, 3000, share_exact)
    weight = rng.exponential(1, 3000) if weighted else np.ones(3000)
    estimate = npmle.npmle(lower, upper, weight)
    support = innermost_intervals(lower, upper)
    masses = masses_of_all(list(map(tuple, support.intervals.tolist())), estimate)
    slope = np.zeros(len(masses))
    chance = []
    for start, stop, row_weight in zip(support.start, support.stop, weight, strict=True):
        chance.append(math.fsum(masses[start:stop]))
        slope[start:stop] += row_weight / chance[-1] / weight.sum()
    assert (slope[masses == 0] <= 1 + 1e-11).all()
    assert_allclose(masses * slope, masses, rtol=1e-9, atol=1e-12)
    assert_allclose(estimate.log_likelihood, weight @ np.log(chance), rtol=1e-13)
    assert estimate.n_rounds < 15


def test_sums_of_many_rows_are_exact_enough():
    rng = np.random.default_rng(0)
    lower, upper = rng.weibull(1.5, (2, 100_000))
    upper = np.where(lower <= upper, lower, INF)
    estimate = npmle.npmle(np.minimum(lower, upper), upper)
    assert estimate.violation <= npmle.TOLERANCE
    assert estimate.n_rounds < 20


@pytest.mark.parametrize("seed", range(30))
def test_weights_of_very_different_size(seed):
    rng = np.random.default_rng(seed)
    lower, upper = many_rows(rng, 40)
    weight = 10.0 ** rng.uniform(-6, 6, 40)
    estimate = npmle.npmle(lower, upper, weight)
    assert estimate.violation <= npmle.TOLERANCE
    assert_allclose(estimate.masses.sum(), 1, rtol=1e-14)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("n_rows", "power"), [(40, 100), (1000, 8)])
def test_weights_that_no_sum_can_hold(n_rows, power, seed):
    rng = np.random.default_rng(seed)
    lower, upper = many_rows(rng, n_rows)
    estimate = npmle.npmle(lower, upper, 10.0 ** rng.uniform(-power, power, n_rows))
    assert estimate.violation <= npmle.TOLERANCE


@pytest.mark.parametrize("power", [-300, 300])
def test_weights_that_hardly_exist(power):
    lower, upper = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    estimate = npmle.npmle(lower, upper, np.array([1.0, 10.0**power, 1.0]))
    expected = [0.5, 0.0, 0.5] if power < 0 else [0.0, 1.0, 0.0]
    assert_allclose(estimate.masses, expected, atol=1e-14)
    assert math.isfinite(estimate.log_likelihood)


def test_rounds_that_do_not_reach_the_optimum_say_so(monkeypatch):
    monkeypatch.setattr(npmle, "_MAX_ROUNDS", 2)
    estimate = npmle.npmle(*many_rows(np.random.default_rng(2), 200))
    assert estimate.n_rounds == 2
    assert estimate.violation > npmle.TOLERANCE


def test_every_round_raises_the_likelihood(monkeypatch):
    rows = many_rows(np.random.default_rng(3), 300)
    likelihoods = []
    for n_rounds in range(8):
        monkeypatch.setattr(npmle, "_MAX_ROUNDS", n_rounds)
        likelihoods.append(npmle.npmle(*rows).log_likelihood)
    assert (np.diff(likelihoods) > -1e-10).all()
    assert likelihoods[-1] - likelihoods[0] > 1


@pytest.mark.parametrize(
    ("weight", "step", "reached"),
    [
        # 0.6 log(p) + 0.4 log(1 - p), the likelihood, is lower at 0.9 and 0.7 than at 0.5.
        (0.6, 0.4, 0.6),
        # The full step would end at 0.00001, less than a tenth of 0.001, and raise the likelihood.
        (0.999, 0.49999, 0.749995),
    ],
    ids=["lower likelihood", "less than a tenth of a weight"],
)
def test_a_step_that_goes_too_far_is_halved(weight, step, reached):
    lower, upper = np.array([0.0, 1.0]), np.array([1.0, 2.0])
    rows = npmle._distinct(innermost_intervals(lower, upper), np.array([weight, 1 - weight]))
    point = npmle._at(rows, np.array([0.5, 0.5]))
    found = npmle._climb(rows, point, np.array([step, -step]))
    assert_allclose(found.masses, [reached, 1 - reached], rtol=1e-14)


def test_a_step_that_is_bent_at_zero_ends_at_a_distribution():
    lower, upper = np.array([0.0, 1, 0, 2]), np.array([1.0, 3, 2, 3])
    rows = npmle._distinct(innermost_intervals(lower, upper), np.array([3.0, 1, 1, 3]))
    point = npmle._at(rows, np.array([0.3, 0.4, 0.3]))
    reached = npmle._climb(rows, point, np.array([0.3, -0.6, 0.3]))
    assert_allclose(reached.masses, [0.5, 0, 0.5], rtol=1e-15)


@given(values=st.lists(st.floats(-1e6, 1e6), max_size=30))
def test_running_sums_know_what_rounding_took(values):
    sums, lost = npmle._running_sums(np.array(values))
    expected = [math.fsum(values[:n]) for n in range(len(values) + 1)]
    scale = max(map(abs, values), default=0.0)
    assert_allclose(sums + lost, expected, rtol=1e-15, atol=1e-25 * scale)
