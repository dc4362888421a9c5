"""The search for objectives of which only values are known."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.postprocessing._local_search import search_positions


@pytest.mark.parametrize("n_groups", [1, 5, 32, 33, 1000, 100_000])
def test_peak_is_found_whatever_the_number_of_scores(n_groups):
    peak = np.array([0.2, 0.5, 0.9]) * n_groups // 1
    start = np.zeros(3, dtype=np.intp)
    found = search_positions(lambda p: -float(np.abs(p - peak).sum()), [start], n_groups)
    assert_array_equal(found, peak)


def test_long_range_costs_few_values():
    calls = []

    def _value(positions):
        calls.append(positions)
        return -abs(float(positions[0]) - 61_234)

    found = search_positions(_value, [np.array([0])], 100_000)
    assert_array_equal(found, [61_234])
    assert len(calls) < 500


def test_neighbouring_cuts_move_together():
    # Apart, the two cuts are worth nothing: neither can go first.
    def _value(positions):
        return -1000.0 * (positions[1] - positions[0]) - abs(positions[0] - 7)

    assert_array_equal(search_positions(_value, [np.array([2, 2])], 10), [7, 7])


def test_best_start_wins():
    # Two peaks with a plain between them.
    heights = np.array([1.0, 0, 0, 0, 0, 2, 0, 0, 0, 0])
    for starts in ([[0], [5]], [[5], [0]]):
        found = search_positions(
            lambda p: heights[p[0]], [np.array(start) for start in starts], len(heights) - 1
        )
        assert_array_equal(found, [5])


def test_positions_stay_in_order():
    seen = []

    def _value(positions):
        seen.append(positions.copy())
        return float(positions[0] - positions[1])  # would cross if it could

    found = search_positions(_value, [np.array([1, 4])], 6)
    assert found[0] == found[1]
    assert all(0 <= low <= high <= 6 for low, high in seen)
