"""Expected ranks and the rules that read ranks off rows: ties are those on paper."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import floor

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.postprocessing import optimal_decisions
from sklearn_ordinal_censored.targets import ordinal_decode
from sklearn_ordinal_censored.targets._probabilities import expected_rank


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


def test_half_way_goes_up_on_paper():
    counts = np.array(list(shares(10, 4)))
    ranks = [
        sum(rank * Fraction(int(count), 10) for rank, count in enumerate(row)) for row in counts
    ]
    expected = [floor(rank + Fraction(1, 2)) for rank in ranks]
    proba = counts / 10
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
    sure = np.array([[1e-11, 1 - 1e-11], [1e-12, 1 - 1e-12]])
    assert expected_rank(sure)[0] < expected_rank(sure)[1]
    assert expected_rank(sure[:, ::-1])[0] > expected_rank(sure[:, ::-1])[1]
