"""Influence of rows far apart in number or in size."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels.influence import (
    draw_counts,
    influence_error,
    kappa_influence,
)


def test_rows_that_move_kappa_beside_a_hundred_million_others_are_no_rounding():
    # Kappa is 1 - a * n / (r * c) of a = 1 costly row and r = c = 2, that is 1 - n / 4. A row more
    # in the first cell adds one to n, r and c; a costly one also to a; one elsewhere less.
    disagreement = np.array([[0.0, 1.0], [0.0, 0.0]])
    table = np.array([[1.0, 1.0], [1e8, 1.0]])
    n = table.sum()
    influence = kappa_influence(table, disagreement)
    expected = np.array([[n / 2 - 1, -1.0], [-1.0, n / 2 - 1]]) * n / 4
    assert influence == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_no_row_of_a_single_column_moves_kappa(seed):
    rng = np.random.default_rng(seed)
    disagreement = 10.0 ** rng.uniform(-6, 6, (5, 5)) * (1 - np.eye(5))
    column = 10.0 ** rng.uniform(-6, 9, 5)
    for place in range(5):
        table = np.zeros((5, 5))
        table[:, place] = column
        assert_array_equal(kappa_influence(table, disagreement)[:, place], np.zeros(5))
        assert_array_equal(kappa_influence(table.T, disagreement)[place], np.zeros(5))


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_error_follows_the_influence_to_any_size(size, sign):
    # Mean square of -3 and 1 in four rows: 3.
    error = influence_error(sign * size * np.array([-3.0, 1.0]), np.array([1.0, 3.0]))
    assert error == pytest.approx(size * np.sqrt(3) / 2, rel=1e-14, abs=0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_influence_whose_square_overflows_has_an_error(sign):
    # The mean square is 1e310 / 1e155, and 1 when divided by 1e155 rows once more.
    error = influence_error(sign * np.array([-1e155, 1.0]), np.array([1.0, 1e155]))
    assert error == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize(("each", "drawn"), [(0.9, 3), (1.1, 3), (0.7, 2)])
def test_as_many_rows_are_drawn_as_the_weights_sum_to_when_rounded(each, drawn):
    (sample,) = draw_counts(np.full(3, each), 4, np.random.RandomState(0))
    assert_array_equal(sample.sum(axis=1), np.full(4, drawn))
