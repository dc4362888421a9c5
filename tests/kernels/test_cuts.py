"""Cut positions: the kernels against exhaustive search, and cut points between any two floats."""

from itertools import combinations_with_replacement, pairwise

import numpy as np
import oracles_cuts as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels import cuts
from sklearn_ordinal_censored._kernels.cuts import (
    cut_thresholds,
    maximise_kappa,
    minimise_cost,
)


def _random_table(rng, n_classes):
    """A table with empty grades and cells; two grades have weight, and every score has some."""
    while True:
        n_groups = int(rng.integers(1, 8))
        table = rng.integers(0, 4, (n_groups, n_classes)) * rng.choice([1.0, 0.37])
        table[:, rng.random(n_classes) < 0.2] = 0
        table = table[table.sum(axis=1) > 0]
        if np.count_nonzero(table.sum(axis=0)) > 1:
            return table


def _all_positions(n_groups, n_cuts):
    return combinations_with_replacement(range(n_groups + 1), n_cuts)


def _totals(table, positions, matrix):
    """Cost of the rows, and cost expected from the margins, by loops over the cells."""
    margin, total = table.sum(axis=0), table.sum()
    observed = expected = 0.0
    for u, cells in enumerate(table):
        k = sum(position <= u for position in positions)
        for j, mass in enumerate(cells):
            observed += mass * matrix[j][k]
            expected += cells.sum() * margin[j] / total * matrix[j][k]
    return observed, expected


@given(
    scores=st.lists(
        st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=True),
        min_size=1,
        max_size=6,
        unique=True,
    )
)
def test_cut_point_parts_any_two_floats(scores):
    scores = np.sort(np.array(scores))
    first, *inner, last = cut_thresholds(scores, np.arange(len(scores) + 1))
    assert (first, last) == (-np.inf, np.inf)
    assert (inner > scores[:-1]).all()
    assert (inner <= scores[1:]).all()


@given(
    start=st.floats(allow_nan=False, allow_infinity=False, min_value=-1e308, max_value=1e308),
    steps=st.integers(1, 3),
)
def test_cut_point_parts_neighbouring_floats(start, steps):
    upper = start
    for _ in range(steps):
        upper = np.nextafter(upper, np.inf)
    (cut,) = cut_thresholds(np.array([start, upper]), np.array([1]))
    assert start < cut <= upper


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        (0.0, 5e-324),
        (-5e-324, 0.0),
        (5e-324, 1e-323),
        (1.5e-323, 2e-323),
        (-1.7976931348623157e308, 1.7976931348623157e308),
        (1e308, 1.7976931348623157e308),
        (1.0, float(np.nextafter(np.float32(1), np.float32(2)))),
    ],
)
def test_cut_point_between_extreme_scores(lower, upper):
    (cut,) = cut_thresholds(np.array([lower, upper]), np.array([1]))
    assert lower < cut <= upper


def test_cut_point_is_the_middle_where_there_is_room():
    assert_array_equal(cut_thresholds(np.array([-1.0, 3.0, 4.0]), np.array([1, 1, 2])), [1, 1, 3.5])


def test_least_cost_equals_exhaustive_search():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n_classes, n_predicted = rng.integers(2, 5), rng.integers(1, 5)
        table = _random_table(rng, n_classes)
        cost = rng.normal(size=(n_classes, n_predicted))  # negative entries: gains are allowed
        positions = minimise_cost(table, cost)
        assert positions.shape == (n_predicted - 1,)
        assert (np.diff(positions) >= 0).all()
        best = min(
            _totals(table, candidate, cost)[0]
            for candidate in _all_positions(len(table), n_predicted - 1)
        )
        found = _totals(table, positions, cost)[0]
        assert found == pytest.approx(best, rel=1e-12, abs=1e-12), f"seed {seed}"


def _kappa(table, positions, matrix):
    observed, expected = _totals(table, positions, matrix)
    return 1 - observed / expected if expected > 0 else np.nan


def _check_kappa(table, matrix, hint):
    candidates = _all_positions(len(table), matrix.shape[1] - 1)
    values = [_kappa(table, candidate, matrix) for candidate in candidates]
    positions = maximise_kappa(table, matrix)
    assert (np.diff(positions) >= 0).all()
    found = _kappa(table, positions, matrix)
    if np.isnan(values).all():
        assert np.isnan(found), hint
    else:
        assert found == pytest.approx(np.nanmax(values), rel=0, abs=1e-12), hint


def _random_disagreement(rng, n_classes, kind):
    matrix = rng.random((n_classes, n_classes))
    if kind == "zeros":  # one-sided: an error is free in one direction and not in the other
        matrix *= rng.random((n_classes, n_classes)) < 0.5
    if kind == "integer":
        matrix = rng.integers(0, 3, (n_classes, n_classes)).astype(float)
    np.fill_diagonal(matrix, 0)
    return matrix


@pytest.mark.parametrize("kind", ["asymmetric", "zeros", "integer"])
def test_largest_kappa_equals_exhaustive_search(kind):
    for seed in range(300):
        rng = np.random.default_rng([seed, len(kind)])
        n_classes = int(rng.integers(2, 5))
        table = _random_table(rng, n_classes)
        _check_kappa(table, _random_disagreement(rng, n_classes, kind), f"seed {seed}")


@pytest.mark.parametrize("kind", ["asymmetric", "zeros", "integer"])
def test_coarse_start_loses_nothing(kind, monkeypatch):
    monkeypatch.setattr(cuts, "_COARSE", 2)  # small problems take the way of large ones
    for seed in range(150):
        rng = np.random.default_rng([seed, len(kind), 5])
        n_classes = int(rng.integers(2, 5))
        table = _random_table(rng, n_classes)
        _check_kappa(table, _random_disagreement(rng, n_classes, kind), f"seed {seed}")


@pytest.mark.parametrize("power", [0, 0.5, 1, 2, 3])
def test_largest_kappa_of_some_grades_only(power):
    for seed in range(60):
        rng = np.random.default_rng([seed, 17])
        table = _random_table(rng, 4)
        grades = np.sort(rng.permutation(4)[: rng.integers(1, 5)])
        _check_kappa(table, np.array(oracle.distances(4, power))[:, grades], f"seed {seed}")


def _segments(table, positions):
    """Confusion table of the positions."""
    bounds = [0, *positions, len(table)]
    return np.stack(
        [table[start:stop].sum(axis=0) for start, stop in pairwise(bounds)],
        axis=1,
    )


@pytest.mark.parametrize("n_groups", [900, 5000, 20_000])
@pytest.mark.parametrize("kind", ["quadratic", "asymmetric", "zeros"])
def test_largest_kappa_of_many_scores_leaves_nothing_to_gain(n_groups, kind):
    # Kappa is 1 - N/D. It is the largest one if no positions make N - (1 - kappa) D negative.
    rng = np.random.default_rng(n_groups)
    latent = np.linspace(0, 4, n_groups) + rng.normal(size=n_groups)
    codes = np.clip(latent, 0, 3).astype(int)
    table = np.eye(4)[codes] * rng.choice([0.5, 1.0, 3.0], n_groups)[:, np.newaxis]
    matrix = np.array(oracle.distances(4, 2))
    if kind != "quadratic":
        matrix = _random_disagreement(rng, 4, kind)
    chance = table.sum(axis=0) / table.sum() @ matrix
    confusion = _segments(table, maximise_kappa(table, matrix))
    ratio = (matrix * confusion).sum() / (chance * confusion.sum(axis=0)).sum()
    assert ratio < 1
    cost = matrix - ratio * chance
    best = (cost * _segments(table, minimise_cost(table, cost))).sum()
    assert best == pytest.approx(0, abs=1e-9 * n_groups)


def test_grade_that_costs_nothing_does_not_win_with_nothing():
    # Grade 2 never disagrees with the grades present: predicting it everywhere is 0/0, while the
    # cut between grades 0 and 1 is perfect.
    table = np.array([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    matrix = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    assert_array_equal(maximise_kappa(table, matrix), [1, 2])


def test_useless_score_gets_a_constant_prediction_with_defined_kappa():
    table = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    matrix = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    positions = maximise_kappa(table, matrix)
    assert _kappa(table, positions, matrix) == 0
