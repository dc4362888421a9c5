"""Decisions row by row and all together, against loops over every vector of grades."""

from itertools import product

import numpy as np
import oracles_probability as oracle
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from strategies import class_probabilities, cost_matrices, disagreements

from sklearn_ordinal_censored._kernels.decisions import (
    expected_costs,
    kappa_decisions,
    least_cost,
)
from sklearn_ordinal_censored._kernels.ratio import minimise_ratio


@st.composite
def kappa_problems(draw, max_size=5):
    """Probabilities of rows, disagreements, a prior with some chance disagreement, weights."""
    proba = draw(class_probabilities(min_classes=2, max_classes=4, max_size=max_size))
    n_classes = len(proba[0])
    matrix = draw(disagreements(n_classes))
    prior = draw(class_probabilities(n_classes, n_classes, max_size=1))[0]
    assume(np.any(np.array(prior) @ np.array(matrix)))
    weight = draw(st.lists(st.integers(0, 4), min_size=len(proba), max_size=len(proba)))
    assume(any(weight))
    return proba, matrix, prior, weight


@given(class_probabilities(), st.data())
def test_least_cost_against_loops(proba, data):
    cost = data.draw(cost_matrices(len(proba[0])))
    expected = [
        [sum(p * cost[j][k] for j, p in enumerate(row)) for k in range(len(row))] for row in proba
    ]
    costs = expected_costs(np.array(proba), np.array(cost, dtype=float))
    assert_array_equal(costs, expected)  # multiples of 1/64: no rounding
    decisions = least_cost(np.array(proba), np.array(cost, dtype=float))
    assert_array_equal(decisions, [row.index(min(row)) for row in expected])


def test_the_lowest_grade_is_taken_at_a_tie():
    indifferent = np.ones((3, 3))
    assert_array_equal(least_cost(np.full((2, 3), 1 / 3), indifferent), [0, 0])
    assert_array_equal(least_cost(np.array([[0.0, 0.5, 0.5]]), 1 - np.eye(3)), [1])


@pytest.mark.parametrize("n_classes", [3, 5, 8])
def test_a_row_is_decided_as_if_it_were_alone(n_classes):
    """Sevenths and tenths make ties that rounding breaks; it must break them alike."""
    rng = np.random.default_rng(n_classes)
    proba = rng.multinomial(7, np.ones(n_classes) / n_classes, size=3000) / 7
    cost = rng.integers(0, 10, (n_classes, n_classes)) / 10
    together = least_cost(proba, cost)
    assert_array_equal(together, np.concatenate([least_cost(row[None], cost) for row in proba]))
    assert_array_equal(together[7:300], least_cost(proba[7:300], cost))


@given(kappa_problems())
@example(([[1.0, 0.0]], [[0, 1], [1, 0]], [0.5, 0.5], [1]))
@example(([[0.5, 0.5], [0.5, 0.5]], [[0, 1], [0, 0]], [0.5, 0.5], [1, 1]))
@example(([[0.0, 0.0, 1.0]], [[0, 1, 0], [1, 0, 0], [10, 10, 0]], [0.5, 0.5, 0.0], [1]))
def test_kappa_is_the_largest_of_all_vectors(problem):
    proba, matrix, prior, weight = problem
    arrays = [np.array(part, dtype=float) for part in problem]
    ranks, ratio = kappa_decisions(*arrays)
    expected = oracle.largest_plug_in_kappa(proba, matrix, prior, weight)
    assert 1 - ratio == pytest.approx(expected, rel=1e-11, abs=1e-11)
    reached = oracle.plug_in_kappa(proba, ranks.tolist(), matrix, prior, weight)
    assert reached == pytest.approx(expected, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_kappa_is_the_largest_of_all_vectors_of_seven_rows(seed):
    rng = np.random.default_rng(seed)
    n_classes = 4 if seed else 2
    proba = rng.dirichlet(np.full(n_classes, 0.7), 7)
    matrix = rng.random((n_classes, n_classes)) * (1 - np.eye(n_classes))
    prior = proba.mean(axis=0) if seed % 2 else rng.dirichlet(np.ones(n_classes))
    weight = rng.random(7)
    ranks, ratio = kappa_decisions(proba, matrix, prior, weight)
    expected = oracle.largest_plug_in_kappa(proba, matrix, prior, weight)
    assert 1 - ratio == pytest.approx(expected, rel=1e-12)
    reached = oracle.plug_in_kappa(proba, ranks, matrix, prior, weight)
    assert reached == pytest.approx(expected, rel=1e-12)


@given(kappa_problems())
def test_the_ratio_is_where_the_best_difference_vanishes(problem):
    """No vector has expected minus ratio times chance below zero, and one reaches it."""
    proba, matrix, prior, weight = [np.array(part, dtype=float) for part in problem]
    _, ratio = kappa_decisions(proba, matrix, prior, weight)
    differences = (proba @ matrix - ratio * (prior @ matrix)).min(axis=1)
    assert weight @ differences == pytest.approx(0, abs=1e-10)


def test_a_grade_that_costs_nothing_by_chance_does_not_win_by_nothing_over_nothing():
    """Grade 2 never disagrees with 0 or 1, so that deciding 2 everywhere is 0/0."""
    matrix = np.array([[0.0, 1, 0], [1, 0, 0], [1, 1, 0]])
    proba = np.array([[0.75, 0.25, 0], [0.25, 0.75, 0]])
    ranks, ratio = kappa_decisions(proba, matrix, proba.mean(axis=0), np.ones(2))
    assert_array_equal(ranks, [0, 1])
    assert ratio == 0.5


# --- ratios in general


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_the_least_ratio_of_sums_over_choices(tables):
    """One pair of a numerator and a denominator is chosen from every table."""

    def solve(ratio):
        choice = [int(np.argmin([a - ratio * b for a, b in table])) for table in tables]
        picked = [table[k] for table, k in zip(tables, choice, strict=True)]
        return np.array(choice), sum(a for a, _ in picked), sum(b for _, b in picked)

    ratios = {}
    for choice in product(*(range(len(table)) for table in tables)):
        picked = [table[k] for table, k in zip(tables, choice, strict=True)]
        numerator, denominator = sum(a for a, _ in picked), sum(b for _, b in picked)
        if denominator > 0:
            ratios[choice] = numerator / denominator
    assume(ratios)
    first = next(iter(ratios))
    choice, ratio = minimise_ratio(solve, np.array(first), ratios[first])
    assert ratio == pytest.approx(min(ratios.values()), rel=1e-12)
    assert ratios[tuple(choice.tolist())] == ratio


def test_the_incumbent_stays_where_nothing_is_lower():
    incumbent = np.array([3])
    for rival in [(1.0, 1.0), (0.0, 0.0), (2.0, 1.0)]:
        choice, ratio = minimise_ratio(lambda _, r=rival: (np.array([0]), *r), incumbent, 1.0)
        assert choice is incumbent
        assert ratio == 1.0
