"""Tables of ratings with gaps: which numbers are ratings, and where they end."""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.targets._ratings import parse_ratings, read_ratings

NAN = np.nan


@pytest.mark.parametrize("value", [2**53, -(2**53), 2.0**53])
def test_ratings_may_reach_the_end_of_exact_integers(value):
    assert_array_equal(read_ratings([[value, None]]), [[value, NAN]])


@pytest.mark.parametrize("value", [2.0**54, -(2.0**54), np.inf, -np.inf])
def test_ratings_beyond_it_are_refused(value):
    told = (
        rf"^ratings holds {re.escape(str(value))}; ratings must be finite, and not beyond 2\*\*53"
    )
    with pytest.raises(ValueError, match=told):
        read_ratings([[1.0, value, NAN]])


def test_gaps_of_all_kinds():
    rows = [[1, 2.5], [Fraction(1, 2), None], [pd.NA, Decimal("sNaN")], [NAN, np.bool_(True)]]
    assert_array_equal(read_ratings(rows), [[1, 2.5], [0.5, NAN], [NAN, NAN], [NAN, 1]])
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [1, 0]])
    assert_array_equal(read_ratings(masked), [[1, NAN], [NAN, 4]])
    cells = np.ma.array([["low", Fraction(1, 2), None]], mask=[[True, False, False]])
    assert_array_equal(read_ratings(cells), [[NAN, 0.5, NAN]])


def test_text_and_gaps_alone_are_no_ratings():
    for values in (["low", "high"], np.array(["low", 1], dtype=object)):
        with pytest.raises(ValueError, match=r"^ratings holds 'low', which are no numbers"):
            read_ratings(np.ma.array([values], mask=[[False, True]]))
    masked = np.ma.array([["low"], ["high"]], mask=True)
    for table, shape in (
        ([[None, NAN]], (1, 2)),
        (pd.DataFrame(), (0, 0)),
        (masked, (2, 1)),
    ):
        told = f"ratings, of shape {shape}, holds no rating; give at least one."
        with pytest.raises(ValueError, match=re.escape(told)):
            read_ratings(table)


def test_ratings_beyond_floats_are_refused():
    with pytest.raises(ValueError, match=r"^ratings must hold plain real numbers: int too large"):
        read_ratings([[10**400, None]])


def test_only_what_is_no_number_is_shown():
    with pytest.raises(ValueError, match=r"^ratings holds 'low', which are no numbers"):
        read_ratings([[1, "low", 2, None]])


def test_a_gap_has_no_rank_and_makes_no_grade():
    ranks, labels = parse_ratings([[5, None], [3, 4]])
    assert_array_equal(ranks, [[2, NAN], [0, 1]])
    assert labels.tolist() == [3, 4, 5]
    assert labels.dtype == np.int64
