"""Groups of equal scores."""

import numpy as np
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels.ranks import group_scores


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
