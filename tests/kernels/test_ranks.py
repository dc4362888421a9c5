"""Ranks, their order, and groups of equal scores."""

import numpy as np
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels.ranks import dense_rank, group_scores, stable_order


def test_groups_are_sorted_and_hold_the_weights():
    score, codes = np.array([0.5, -1.0, 0.5, 2.0]), np.array([1, 0, 2, 1])
    scores, table = group_scores(score, codes, 3, np.array([0.5, 1.0, 0.25, 3.0]))
    assert_array_equal(scores, [-1.0, 0.5, 2.0])
    assert_array_equal(table, [[1, 0, 0], [0, 0.5, 0.25], [0, 3, 0]])
    assert table.dtype == group_scores(score, codes, 3, None)[1].dtype == np.float64


def test_zero_and_minus_zero_are_one_score():
    scores, table = group_scores(np.array([0.0, -0.0]), np.array([0, 1]), 2, None)
    assert len(scores) == 1
    assert_array_equal(table, [[1, 1]])


def test_equal_values_share_a_rank():
    assert_array_equal(dense_rank(np.array([5.0, 2.0, 9.0, 5.0])), [1, 0, 2, 1])


def test_strata_follow_each_other():
    values, stratum = np.array([5.0, 5.0, 2.0, 5.0, 7.0]), np.array([1, 0, 1, 0, 0])
    assert_array_equal(dense_rank(values, stratum), [3, 0, 2, 0, 1])


def test_order_puts_the_first_of_a_tie_first():
    assert_array_equal(stable_order(np.array([2, 0, 2, 1, 0, 2])), [1, 4, 3, 0, 2, 5])
    rank = np.arange(1000) * 7 % 3  # short arrays are sorted by insertion, which is stable
    assert_array_equal(stable_order(rank), np.argsort(rank, kind="stable"))
