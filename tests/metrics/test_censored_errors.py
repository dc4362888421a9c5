"""Summaries and errors of censored targets: by hand, against plain loops, and where undefined."""

import math

import numpy as np
import oracles_censored as oracle
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optional import polars as pl
from sklearn.exceptions import UndefinedMetricWarning
from strategies import whole_weights
from strategies_censored import censored

from sklearn_ordinal_censored.metrics import censoring_rate, interval_overlap_rate, observed_mae
from sklearn_ordinal_censored.targets import (
    from_censoring_codes,
    interval_censored,
    right_censored,
)

INF = math.inf
KINDS = ("any", "right", "left", "interval")
MIXED = interval_censored([5, 8, -INF, 6, 5], [5, INF, 4, 9, 5])
OPEN = st.sampled_from([-INF, INF])


def kind_of(lower, upper):
    if lower == upper:
        return "exact"
    if upper == INF:
        return "right"
    return "left" if lower == -INF else "interval"


@st.composite
def scored_intervals(draw):
    """Censored rows and a predicted interval for each."""
    rows = draw(censored())
    ends = st.integers(-1, 8).map(float) | OPEN
    pairs = st.tuples(ends, ends).map(sorted)
    size = len(rows.lower)
    return rows, draw(st.lists(pairs, min_size=size, max_size=size))


# Censoring rate


@pytest.mark.parametrize("kind", KINDS)
@given(rows=censored())
def test_rates_against_plain_loops(kind, rows):
    # A bound below zero keeps a lower bound of zero from counting as left-censored.
    lower, upper = [*rows.lower, -1.0], [*rows.upper, -1.0]
    weight = rows.weight and [*rows.weight, 1.0]
    kinds = [kind_of(*pair) for pair in zip(lower, upper, strict=True)]
    counted = [found != "exact" if kind == "any" else found == kind for found in kinds]
    value = censoring_rate(interval_censored(lower, upper), kind=kind, sample_weight=weight)
    assert value == pytest.approx(oracle.mean(counted, weight))


def test_rates_by_hand():
    values = {kind: censoring_rate(MIXED, kind=kind) for kind in KINDS}
    assert values == {"any": 0.6, "right": 0.2, "left": 0.2, "interval": 0.2}
    assert censoring_rate(MIXED, sample_weight=[1, 0, 0, 2, 1]) == 0.5
    assert censoring_rate(right_censored([1, 1], [1, 2])) == 0.0
    assert censoring_rate(right_censored([0, 0], [1, 2])) == 1.0
    assert type(censoring_rate(MIXED)) is float


def test_a_lower_bound_of_zero_is_left_censored_unless_bounds_go_below():
    y = interval_censored([0, 0, 2, 0], [3, 0, 3, INF])
    values = {kind: censoring_rate(y, kind=kind) for kind in KINDS}
    assert values == {"any": 0.75, "right": 0.25, "left": 0.25, "interval": 0.25}
    below = interval_censored([0, -1], [3, 2])
    assert censoring_rate(below, kind="left") == 0.0
    assert censoring_rate(below, kind="interval") == 1.0


def test_a_rate_reads_no_prediction():
    assert censoring_rate(MIXED, object()) == censoring_rate(MIXED, None) == 0.6


@pytest.mark.parametrize("kind", ["upper", None, ["any"]])
def test_kinds_of_censoring_are_four(kind):
    with pytest.raises(ValueError, match=r"^kind=.* use one of 'any', 'right', 'left', 'interval'"):
        censoring_rate(MIXED, kind=kind)


# Mean absolute error where the time is known


@given(rows=censored())
def test_errors_against_plain_loops(rows):
    weight = oracle.unit_weights(rows.pred, rows.weight)
    known = [
        (abs(lower - pred), w)
        for lower, upper, pred, w in zip(rows.lower, rows.upper, rows.pred, weight, strict=True)
        if lower == upper
    ]
    expected = oracle.mean([error for error, _ in known], [w for _, w in known])
    expected = -1.0 if math.isnan(expected) else expected
    value = observed_mae(
        rows.bounds, rows.pred, sample_weight=rows.weight, replace_undefined_by=-1.0
    )
    assert value == pytest.approx(expected)


@given(rows=censored(weighting=whole_weights))
def test_whole_weights_repeat_rows(rows):
    again = rows.repeated
    value = observed_mae(
        rows.bounds, rows.pred, sample_weight=rows.weight, replace_undefined_by=-1.0
    )
    repeated = observed_mae(again.bounds, again.pred, replace_undefined_by=-1.0)
    assert value == pytest.approx(repeated)
    rate = censoring_rate(rows.bounds, sample_weight=rows.weight)
    assert rate == pytest.approx(censoring_rate(again.bounds))


def test_errors_by_hand():
    assert observed_mae(MIXED, [6, 0, 0, 0, 3]) == 1.5
    assert observed_mae(MIXED, [6, 0, 0, 0, 3], sample_weight=[3, 9, 9, 9, 1]) == 1.25
    assert type(observed_mae(MIXED, [5, 0, 0, 0, 5])) is float
    assert observed_mae(MIXED, [5, 0, 0, 0, 5]) == 0.0


@pytest.mark.parametrize(
    ("y", "weight"),
    [(right_censored([0, 0], [1, 2]), None), (right_censored([1, 0], [1, 2]), [0, 1])],
    ids=["none", "none that counts"],
)
def test_without_a_known_time(y, weight):
    told = r"^observed_mae is undefined and set to nan: none of the 2 rows has a known time"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(observed_mae(y, [1, 2], sample_weight=weight))
    assert observed_mae(y, [1, 2], sample_weight=weight, replace_undefined_by=7) == 7.0


# Overlap of intervals


@given(case=scored_intervals())
def test_overlap_against_plain_loops(case):
    rows, intervals = case
    meets = [
        high >= lower and low <= upper
        for lower, upper, (low, high) in zip(rows.lower, rows.upper, intervals, strict=True)
    ]
    value = interval_overlap_rate(rows.bounds, intervals, sample_weight=rows.weight)
    assert value == pytest.approx(oracle.mean(meets, rows.weight))


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ([2, 3], 1.0),
        ([0, 1], 1.0),
        ([0, 0.5], 0.0),
        ([4, 4], 1.0),
        ([4.5, 9], 0.0),
        ([-INF, INF], 1.0),
        ([-INF, 0], 0.0),
        ([5, INF], 0.0),
    ],
    ids=str,
)
def test_closed_ends_touch(interval, expected):
    assert interval_overlap_rate(interval_censored([1], [4]), [interval]) == expected


def test_overlap_by_hand():
    predicted = [[4, 6], [1, 7], [4, 5], [1, 5.5], [5, 5]]
    assert interval_overlap_rate(MIXED, predicted) == 0.6
    assert interval_overlap_rate(MIXED, predicted, sample_weight=[1, 2, 0, 0, 1]) == 0.5
    assert type(interval_overlap_rate(MIXED, predicted)) is float


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x,
        np.array,
        lambda x: np.asfortranarray(np.array(x, dtype=np.float32)),
        lambda x: np.array(x, dtype=object),
        lambda x: pd.DataFrame(x, columns=["low", "high"]),
        lambda x: pd.DataFrame(x, dtype="Float64"),
        lambda x: pl.DataFrame(x, orient="row"),
    ],
    ids=["list", "array", "floats of 32 bits", "objects", "pandas", "nullable", "polars"],
)
def test_containers_of_predicted_intervals(make):
    predicted = make([[4.0, 6.0], [1.0, 7.0], [4.0, 5.0], [1.0, INF], [5.0, 5.0]])
    assert interval_overlap_rate(MIXED, predicted) == 0.8


@pytest.mark.parametrize(
    ("predicted", "told"),
    [
        ([1, 2], r"must have two columns, the lower and upper ends, but has shape \(2,\)"),
        ([[1], [2]], r"must have two columns, the lower and upper ends, but has shape \(2, 1\)"),
        ([[1, 2, 3]] * 2, r"must have two columns, .* but has shape \(2, 3\)"),
        ([[1, 2], [3]], "must have rows of equal length"),
        ([[1, 2], [4, 3]], r"has 1 interval\(s\) whose lower end is above .* row 1: 4.0 to 3.0"),
        ([[1, 2], [np.nan, 3]], r"has 1 missing value\(s\), the first in row 1"),
        ([[1, 2], [None, 3]], r"has 1 missing value\(s\), the first in row 1"),
        (np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]]), r"has 1 missing value\(s\)"),
        ([["a", "b"], ["c", "d"]], "must hold numbers, but has dtype <U1"),
    ],
    ids=["flat", "one", "three", "ragged", "crossed", "nan", "None", "masked", "text"],
)
def test_predictions_that_are_no_intervals(predicted, told):
    with pytest.raises(ValueError, match=f"^y_pred {told}"):
        interval_overlap_rate(right_censored([1, 0], [1, 2]), predicted)


def test_a_target_of_left_and_right_censored_rows():
    y = from_censoring_codes([4, 6], [-1, 1])
    assert interval_overlap_rate(y, [[-9, -8], [99, 100]]) == 1.0
    assert interval_overlap_rate(y, [[5, 6], [1, 2]]) == 0.0
