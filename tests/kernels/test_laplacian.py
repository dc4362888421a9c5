"""Laplacians between grounded ends: against a matrix made by loops, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_ordinal_censored._kernels.laplacian import solve_laplacian


def by_loops(start, stop, weight, right):
    matrix = np.zeros((len(right) + 2, len(right) + 2))
    for one, other, size in zip(start, stop, weight, strict=True):
        matrix[one, one] += size
        matrix[other, other] += size
        matrix[one, other] -= size
        matrix[other, one] -= size
    return np.linalg.solve(matrix[1:-1, 1:-1], right)


def random_edges(rng, n_inner, n_more):
    """Every inner node is joined with a lower one, so with the first; further edges at random."""
    stop = np.arange(1, n_inner + 1)
    start = rng.integers(0, stop)
    more = np.sort(rng.choice(n_inner + 2, (n_more, 2)), axis=1)
    more = more[more[:, 0] < more[:, 1]]
    start, stop = np.append(start, more[:, 0]), np.append(stop, more[:, 1])
    return start, stop, 10.0 ** rng.uniform(-2, 2, len(start))


@pytest.mark.parametrize("seed", range(20))
def test_against_a_matrix(seed):
    rng = np.random.default_rng(seed)
    n_inner = int(rng.integers(1, 30))
    edges = random_edges(rng, n_inner, int(rng.integers(0, 60)))
    right = rng.normal(size=n_inner)
    expected = by_loops(*edges, right)
    found = solve_laplacian(*edges, right)
    assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max())


@given(weight=st.lists(st.floats(0.01, 100), min_size=2, max_size=12))
def test_a_chain_is_solved_as_resistors_in_a_row(weight):
    nodes = np.arange(len(weight))
    right = np.zeros(len(weight) - 1)
    right[0] = 1.0
    found = solve_laplacian(nodes, nodes + 1, np.array(weight), right)
    resistance = 1 / np.array(weight)
    # A current of one enters after the first resistor and flows off to both ends.
    first = 1 / (1 / resistance[0] + 1 / resistance[1:].sum())
    share = np.cumsum(resistance[:0:-1])[::-1] / resistance[1:].sum()
    assert_allclose(found, first * share, rtol=1e-9)


def test_without_inner_nodes_there_is_nothing_to_solve():
    found = solve_laplacian(np.array([0]), np.array([1]), np.array([2.0]), np.array([]))
    assert_array_equal(found, [])


def test_a_right_side_of_zero():
    start, stop = np.array([0, 1, 0]), np.array([1, 2, 3])
    assert_array_equal(solve_laplacian(start, stop, np.ones(3), np.zeros(2)), [0, 0])


def test_a_matrix_that_rounding_has_made_singular_leaves_its_diagonal():
    start, stop = np.array([0, 1, 2]), np.array([1, 2, 3])
    found = solve_laplacian(start, stop, np.array([1.0, 1e30, 1.0]), np.array([2e30, -1e30]))
    assert_allclose(found, [2, -1])
