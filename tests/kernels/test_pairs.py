"""Dominance sums: NumPy against the compiled loop and against plain loops, and their exactness."""

from importlib.util import find_spec

import numpy as np
import oracles_censored as oracle
import pytest
from hypothesis import example, given, settings
from numpy.testing import assert_array_equal
from strategies_censored import Stretches, stretches

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored._kernels.pairs import dominance_sums, wavelet_sums

NONE = np.array([], dtype=np.intp)
LARGE = 70_000  # n (n - 1) / 2 is beyond 2 ** 31


needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")


def fenwick_sums(*arguments):
    from sklearn_ordinal_censored._kernels.pairs_fast import fenwick_sums

    return fenwick_sums(*arguments)


both_ways = pytest.mark.parametrize(
    "sums", [wavelet_sums, pytest.param(fenwick_sums, marks=needs_numba)]
)


def n_ranks(case):
    return int(max(case.rank.max(initial=0), case.query.max(initial=0))) + 1


@both_ways
@given(case=stretches())
@settings(max_examples=200)
@example(case=Stretches(NONE, None, NONE, NONE, NONE))
@example(case=Stretches(NONE, None, np.array([0]), np.array([0]), np.array([3])))
@example(case=Stretches(np.array([2, 2]), np.array([0.5, 0.25]), NONE, NONE, NONE))
def test_against_plain_loops(sums, case):
    found = sums(*case, n_ranks(case))
    for part, expected in zip(found, oracle.dominance_sums(*case), strict=True):
        assert part.dtype == (np.int64 if case.weight is None else np.float64)
        assert_array_equal(part, np.array(expected, dtype=part.dtype))


@needs_numba
@given(case=stretches())
def test_with_and_without_numba(case):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "_implementation", lambda: wavelet_sums)
        expected = dominance_sums(*case)
    for part, other in zip(dominance_sums(*case), expected, strict=True):
        assert part.dtype == other.dtype
        assert_array_equal(part, other)


@pytest.mark.parametrize("rank", [NONE, np.array([0, 3])], ids=["no items", "items"])
@pytest.mark.parametrize("weight", [None, 1.0])
@both_ways
def test_nothing_asked(sums, weight, rank):
    weight = None if weight is None else np.full(len(rank), weight)
    for part in sums(rank, weight, NONE, NONE, NONE, 4):
        assert part.shape == (0,)


@both_ways
def test_ranks_that_no_item_has(sums):
    rank, every = np.array([1, 5, 5]), np.zeros(3, dtype=np.intp)
    found = sums(rank, None, every, every + 3, np.array([0, 3, 9]), 10)
    assert_array_equal(found, [[0, 1, 3], [0, 0, 0], [3, 2, 0]])


@both_ways
def test_stretches_see_nothing_of_each_other(sums):
    rank = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2])
    start, stop = np.array([0, 3, 4, 6, 9]), np.array([3, 6, 6, 9, 9])
    below, equal, above = sums(rank, None, start, stop, np.ones(5, dtype=np.intp), 3)
    assert_array_equal(below, [1, 1, 0, 1, 0])
    assert_array_equal(equal, [1, 1, 1, 1, 0])
    assert_array_equal(above, [1, 1, 1, 1, 0])


@both_ways
def test_queries_come_in_any_order(sums):
    rng = np.random.default_rng(0)
    rank, query = rng.integers(0, 20, 60), rng.integers(0, 20, 40)
    start = rng.integers(0, 60, 40)
    stop = np.where(start < 30, 30, 60)
    order = rng.permutation(40)
    found = sums(rank, None, start, stop, query, 20)
    shuffled = sums(rank, None, start[order], stop[order], query[order], 20)
    assert_array_equal(np.array(found)[:, order], shuffled)


@both_ways
def test_weights_that_do_not_count_leave_an_exact_zero(sums):
    rng = np.random.default_rng(1)
    rank, weight = rng.integers(0, 30, 500), rng.uniform(0.001, 1000, 500)
    start, query = rng.integers(450, 500, 200), rng.integers(0, 30, 200)
    stop = np.full(200, 500)
    found = np.array(sums(rank, weight, start, stop, query, 30))
    counts = np.array(oracle.dominance_sums(rank, None, start, stop, query))
    assert (counts == 0).any()
    assert_array_equal(found[counts == 0], 0.0)
    assert (found[counts > 0] > 0).all()


@both_ways
@pytest.mark.parametrize("kind", ["above", "equal"])
def test_counts_beyond_32_bits(sums, kind):
    places = np.arange(LARGE)
    rank = places if kind == "above" else np.zeros(LARGE, dtype=np.intp)
    stop = np.full(LARGE, LARGE)
    below, equal, above = sums(rank, None, places + 1, stop, rank, int(rank.max()) + 1)
    n_pairs = LARGE * (LARGE - 1) // 2
    assert n_pairs > 2**31
    counted, others = (above, equal) if kind == "above" else (equal, above)
    assert counted.dtype == np.int64
    assert int(counted.sum()) == n_pairs
    assert not below.any()
    assert not others.any()


@both_ways
@pytest.mark.parametrize("weight", [None, 0.5])
def test_inputs_are_only_read(sums, weight):
    rng = np.random.default_rng(2)
    case = Stretches(
        rng.integers(0, 9, 50),
        None if weight is None else np.full(50, weight),
        rng.integers(0, 50, 20),
        np.full(20, 50),
        rng.integers(0, 9, 20),
    )
    arrays = [array for array in case if array is not None]
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    sums(*case, 9)
    for array, copy in zip(arrays, copies, strict=True):
        assert_array_equal(array, copy)
