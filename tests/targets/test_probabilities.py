"""Expected ranks and the rules that read ranks off rows: ties are those on paper."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logit

from sklearn_ordinal_censored.postprocessing import optimal_decisions
from sklearn_ordinal_censored.targets import ordinal_decode
from sklearn_ordinal_censored.targets._probabilities import (
    RANK_RULES,
    ROUNDING,
    class_probs_of,
    exceedance_of,
    expected_rank,
    log_odds_of,
    read_columns,
    read_exceedance,
)


def shares(total, n_classes):
    """All ways to share a number of rows among grades."""
    for cuts in combinations(range(total + n_classes - 1), n_classes - 1):
        ends = (-1, *cuts, total + n_classes - 1)
        yield [stop - start - 1 for start, stop in pairwise(ends)]


@pytest.mark.parametrize("total", [3, 7, 10])
def test_expected_ranks_that_are_equal_on_paper_are_tied(total):
    counts = np.array(list(shares(total, 4)))
    on_paper = np.unique(counts @ np.arange(4), return_inverse=True)[1]
    found = np.unique(expected_rank(counts / total), return_inverse=True)[1]
    assert_array_equal(found, on_paper)


def test_small_probabilities_keep_their_order():
    tiny = np.array([1e-30, 1.1e-30, 1e-20, 1e-9])
    rank = expected_rank(np.column_stack([1 - tiny, tiny]))
    assert (np.diff(rank) > 0).all()


@pytest.mark.parametrize("total", [6, 10, 14])
def test_half_way_goes_up_on_paper(total):
    counts = np.array(list(shares(total, 4)))
    ranks = [Fraction(int(row @ np.arange(4)), total) for row in counts]
    expected = [floor(rank + Fraction(1, 2)) for rank in ranks]
    proba = counts / total
    assert_array_equal(ordinal_decode(proba, encoding="class_probs", rule="mean"), expected)
    above = proba[:, ::-1].cumsum(axis=1)[:, 2::-1]
    assert_array_equal(ordinal_decode(above, encoding="cumulative_probs", rule="mean"), expected)
    assert_array_equal(optimal_decisions(proba, decision="mean").decisions, expected)


def test_every_half_of_a_long_scale_is_exact():
    lower = np.arange(999)
    proba = np.zeros((999, 1000))
    proba[lower, lower] = proba[lower, lower + 1] = 0.5
    assert_array_equal(expected_rank(proba), lower + 0.5)
    assert_array_equal(ordinal_decode(proba, encoding="class_probs", rule="mean"), lower + 1)


def test_certain_rows_have_their_rank():
    assert_array_equal(expected_rank(np.eye(1000)), np.arange(1000))
    assert_array_equal(expected_rank(np.ones((2, 1))), [0, 0])


def test_a_turned_scale_turns_the_order_of_sure_rows():
    sure = np.array([[1e-13, 1 - 1e-13], [1e-14, 1 - 1e-14]])
    assert expected_rank(sure)[0] < expected_rank(sure)[1]
    assert expected_rank(sure[:, ::-1])[0] > expected_rank(sure[:, ::-1])[1]


def test_about_ten_digits_of_a_rank_count():
    off = np.array([0, 1e-12, 1e-10])
    first, second, third = expected_rank(np.column_stack([0.7 - off, 0.3 + off]))
    assert first == second < third


@pytest.mark.parametrize("total", [3, 7, 10])
def test_odds_that_are_equal_on_paper_are_tied(total):
    counts = np.array([row for row in shares(total, 4) if row[0] and row[-1]])
    above = counts[:, ::-1].cumsum(axis=1)[:, 2::-1]
    for odds, cut in zip(log_odds_of(counts / total).T, above.T, strict=True):
        assert_array_equal(np.unique(odds, return_inverse=True)[1], cut - 1)


def test_odds_keep_small_probabilities_at_both_ends():
    odds = log_odds_of(np.array([[1e-30, 1 - 2e-30, 1e-30], [1e-20, 1 - 2e-20, 1e-20]]))
    assert_allclose(odds, np.log([[1e30, 1e-30], [1e20, 1e-20]]))
    assert log_odds_of(np.array([[0.0, 1.0, 0.0]])).tolist() == [[np.inf, -np.inf]]


def test_ten_decimals_of_the_odds_count():
    off = np.array([0, 1e-11, 1e-10])
    first, second, third = log_odds_of(np.column_stack([0.5 - off, 0.5 + off]))
    assert first == second < third


def test_a_probability_below_zero_by_rounding_is_none():
    rows = np.array([[1 + ROUNDING, -ROUNDING], [-ROUNDING, 1 + ROUNDING]])
    assert log_odds_of(rows).tolist() == [[-np.inf], [np.inf]]


@given(st.lists(st.integers(0, 8), min_size=0, max_size=5))
def test_class_probabilities_and_exceedance_undo_each_other(eighths):
    above = np.array([sorted(eighths, reverse=True)]) / 8
    proba = class_probs_of(above)
    assert proba.shape == (1, len(eighths) + 1)
    assert proba.sum() == 1
    assert_array_equal(exceedance_of(proba), above)


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [
        ("class_probs", [[1, 0], [0.75, 0.25]]),
        ("class_logits", [[0, 0], [0, 0.25]]),
        ("cumulative_probs", [[0], [0.25]]),
        ("cumulative_logits", [[0], [0.25]]),
    ],
)
def test_one_number_a_row_is_that_of_the_upper_grade(encoding, columns):
    assert read_columns("y", [0, 0.25], encoding).tolist() == columns


def test_no_columns_are_one_grade_for_cuts_only():
    for encoding in ("class_probs", "class_logits"):
        with pytest.raises(ValueError, match=rf"^y with encoding='{encoding}' has no columns"):
            read_exceedance("y", np.ones((2, 0)), encoding)
    for encoding in ("cumulative_probs", "cumulative_logits"):
        assert read_exceedance("y", np.ones((2, 0)), encoding).shape == (2, 0)


def test_encodings_of_the_same_rows():
    proba = np.array([[0.25, 0.25, 0.5], [0.5, 0.375, 0.125]])
    above = [[0.75, 0.5], [0.5, 0.125]]
    assert read_exceedance("y", proba, "class_probs").tolist() == above
    logits = np.log(proba) + np.array([[5], [-700]])
    assert_allclose(read_exceedance("y", logits, "class_logits"), above)
    assert read_exceedance("y", above, "cumulative_probs").tolist() == above
    assert_allclose(read_exceedance("y", logit(above), "cumulative_logits"), above)


def test_a_rise_by_a_millionth_is_rounding():
    assert read_exceedance("y", [[0, ROUNDING]], "cumulative_probs").tolist() == [[0, ROUNDING]]
    with pytest.raises(ValueError, match=r"^y must not increase along a row.*the first row 0"):
        read_exceedance("y", [[0, 1.001 * ROUNDING]], "cumulative_probs")


@pytest.mark.parametrize(
    ("n_rising", "n_falling", "is_distribution"),
    [(3, 0, True), (3, 2, True), (3, 3, False), (3, 5, False), (2, 0, False), (1, 0, False)],
)
def test_three_rows_that_rise_and_are_the_most_look_like_a_distribution(
    n_rising, n_falling, is_distribution
):
    rows = [[0.2, 0.8]] * n_rising + [[0.8, 0.2]] * n_falling
    with pytest.raises(ValueError, match=rf"but {n_rising} rows do, the first row 0") as error:
        read_exceedance("y", rows, "cumulative_probs", repair=False)
    assert ("P(y <= k)" in str(error.value)) is is_distribution
    assert ("repair=True" in str(error.value)) is not is_distribution
    with pytest.raises(ValueError, match=r"Make the rows of the model non-increasing\.$"):
        read_exceedance("y", rows, "cumulative_probs")


def test_a_millionth_is_rounding_and_more_is_not():
    ends = [[1 + ROUNDING, -ROUNDING]]
    assert read_exceedance("y", ends, "cumulative_probs").tolist() == ends
    for row in ([1 + 1.001 * ROUNDING, 0], [1, -1.001 * ROUNDING]):
        with pytest.raises(ValueError, match=r"^y must hold probabilities between 0 and 1"):
            read_exceedance("y", [row], "cumulative_probs")
    for off in (0.999, -0.999):
        row = [0.5, 0.5 + off * ROUNDING]
        assert read_exceedance("y", [row], "class_probs").tolist() == [[row[1]]]
    for off in (1.001, -1.001):
        with pytest.raises(ValueError, match=r"^y must sum to 1 in every row"):
            read_exceedance("y", [[0.5, 0.5 + off * ROUNDING]], "class_probs")


@pytest.mark.parametrize("grades", [[0, 3], [0, 1, 3], [1, 2], [0, 1, 2, 3], [2]])
@pytest.mark.parametrize(("rule", "power"), [("median", 1), ("mean", 2)])
def test_rules_choose_the_cheapest_of_the_grades_that_may_be_given(grades, rule, power):
    counts = np.array(list(shares(8, 4)))  # eighths are exact
    ranks = np.array(grades)
    found = RANK_RULES[rule](counts / 8, exceedance_of(counts / 8), ranks, 0.5)
    costs = counts @ np.abs(np.arange(4)[:, np.newaxis] - ranks) ** power
    cheapest = costs == costs.min(axis=1, keepdims=True)
    last = len(grades) - 1 - cheapest[:, ::-1].argmax(axis=1)  # at a tie of the mean the upper one
    assert_array_equal(found, ranks[cheapest.argmax(axis=1) if rule == "median" else last])
