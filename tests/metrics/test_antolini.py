"""Time-dependent concordance of curves: against loops over pairs and against Harrell's."""

import math
import tracemalloc

import numpy as np
import oracles_curves as oracle
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from strategies import weights, whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored._kernels.curve_pairs import split_later_rows
from sklearn_ordinal_censored.metrics import antolini_concordance_index, concordance_index
from sklearn_ordinal_censored.targets import interval_censored, right_censored

UNDEFINED = -9.0  # stands for 0/0 on both sides
LEVELS = np.array([1.0, 0.75, 0.5, 0.25, 0.0])


@st.composite
def rows_with_curves(draw, weighting=weights):
    """Censored rows, perhaps with late entries, with times and a falling curve each."""
    rows = draw(censored(kinds=RIGHT_CENSORED, weighting=weighting))
    times = draw(st.lists(st.integers(-1, 6), min_size=1, max_size=5))
    distinct = sorted(set(times))
    level = st.lists(st.integers(0, 4), min_size=len(distinct), max_size=len(distinct))
    drawn = draw(st.lists(level, min_size=len(rows.lower), max_size=len(rows.lower)))
    place = [distinct.index(at) for at in times]
    return rows, times, np.array([LEVELS[np.sort(curve)[place]] for curve in drawn])


def evaluate(rows, curves, times, **keywords):
    keywords = {
        "sample_weight": rows.weight,
        "replace_undefined_by": UNDEFINED,
        "times": times,
        **keywords,
    }
    return antolini_concordance_index(rows.event_time, curves, **keywords)


def close(value, expected):
    expected = UNDEFINED if math.isnan(expected) else expected
    return value == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(rows_with_curves())
@settings(max_examples=150)
def test_against_loops_over_pairs(drawn):
    rows, times, curves = drawn
    expected = oracle.antolini(
        rows.lower, rows.upper, times, curves.tolist(), rows.entry, rows.weight
    )
    value = evaluate(rows, curves, times)
    assert type(value) is float
    assert close(value, expected)


@given(rows_with_curves(weighting=whole_weights))
def test_whole_weights_repeat_rows(drawn):
    rows, times, curves = drawn
    repeated = evaluate(rows.repeated, np.repeat(curves, rows.weight, axis=0), times)
    assert close(evaluate(rows, curves, times), repeated)


@given(rows_with_curves(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_times(drawn, random):
    rows, times, curves = drawn
    order = random.sample(range(len(curves)), len(curves))
    columns = random.sample(range(len(times)), len(times))
    shuffled = type(rows)(*(side and [side[row] for row in order] for side in rows))
    value = evaluate(shuffled, curves[order][:, columns], [times[column] for column in columns])
    assert close(value, evaluate(rows, curves, times))


@given(rows_with_curves())
def test_the_unit_of_time_is_of_no_account(drawn):
    rows, times, curves = drawn
    lower, upper, entry = (
        side and [365.25 * time for time in side] for side in (rows.lower, rows.upper, rows.entry)
    )
    in_days = rows._replace(lower=lower, upper=upper, entry=entry)
    value = evaluate(in_days, curves, [365.25 * at for at in times])
    assert value == evaluate(rows, curves, times)


@given(censored(kinds=RIGHT_CENSORED))
def test_curves_that_do_not_cross_have_harrells_concordance(rows):
    times = [0, 1, 2, 3, 4, 5]
    curves = np.exp(-np.outer(4 - np.array(rows.pred), np.add(times, 1)) / 10)
    expected = concordance_index(
        rows.event_time, rows.pred, sample_weight=rows.weight, replace_undefined_by=UNDEFINED
    )
    assert close(evaluate(rows, curves, times), expected)


@given(rows_with_curves())
def test_one_time_has_harrells_concordance_of_its_column(drawn):
    rows, times, curves = drawn
    expected = concordance_index(
        rows.event_time, curves[:, 0], sample_weight=rows.weight, replace_undefined_by=UNDEFINED
    )
    assert close(evaluate(rows, curves[:, :1], times[:1]), expected)


@given(rows_with_curves())
def test_curves_and_one_minus_curves_add_up_to_one(drawn):
    rows, times, curves = drawn
    value = evaluate(rows, curves[:, :1], times[:1])
    assume(value != UNDEFINED)
    reverse = evaluate(rows, 1 - curves[:, :1], times[:1])
    assert value + reverse == pytest.approx(1, abs=1e-12)


def test_columns_are_read_from_their_time_on_and_the_first_one_before():
    curves = [[0.5, 0.2], [0.6, 0.1]]
    for time, expected in ((1, 1.0), (5, 1.0), (7, 1.0), (9, 0.0), (99, 0.0)):
        y = right_censored([1, 0], [time, 100])
        assert antolini_concordance_index(y, curves, times=[5, 9]) == expected


def test_curves_that_cross():
    # The first row is the worst at first and the best later, and so it falls out.
    y = right_censored([1, 1, 1], [1, 4, 5])
    curves = np.array([[0.3, 0.3], [0.9, 0.1], [0.9, 0.2]])
    assert antolini_concordance_index(y, curves, times=[1, 4]) == 1.0
    assert concordance_index(y, curves[:, 1]) == pytest.approx(1 / 3)


def test_counts_are_whole_numbers():
    curves, time = np.array([[0.3], [0.6], [0.3]]), np.array([2.0, 1.0, 2.0])
    event = np.array([True, True, False])
    higher, lower, equal = split_later_rows(curves, np.zeros(3, dtype=int), time, event)
    assert higher.dtype == lower.dtype == equal.dtype == np.int64
    assert (higher.tolist(), lower.tolist(), equal.tolist()) == ([0, 0], [0, 2], [1, 0])


def test_late_entries_make_no_pairs_with_earlier_events():
    y = np.array(
        [(True, 2.0, 0.0), (True, 4.0, 2.0), (False, 5.0, 1.0)],
        dtype=[("event", "?"), ("time", "f8"), ("entry", "f8")],
    )
    curves = [[0.5], [0.2], [0.9]]
    assert antolini_concordance_index(y, curves, times=[1]) == 1.0
    value = antolini_concordance_index(y[["event", "time"]], curves, times=[1])
    assert value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("event", "time"), [([0, 1], [3, 5]), ([1, 1], [5, 5]), ([0, 0], [3, 5]), ([1], [3])]
)
def test_without_a_comparable_pair(event, time):
    curves = np.full((len(event), 1), 0.5)
    told = r"^antolini_concordance_index is undefined and set to nan: there is no comparable"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(
            antolini_concordance_index(right_censored(event, time), curves, times=[4])
        )


def test_frames_and_functions():
    y, curves = right_censored([1, 1, 0], [1, 4, 5]), np.array([[0.3, 0.1], [0.9, 0.2], [0.8, 0.1]])
    expected = antolini_concordance_index(y, curves, times=[1, 4])
    frame = pd.DataFrame(curves.T, index=[1, 4])
    assert antolini_concordance_index(y, frame, times=frame.index) == expected
    functions = [lambda t, row=row: np.interp(t, [1, 4], row) for row in curves]
    assert antolini_concordance_index(y, functions, times=[1, 4]) == expected


def test_what_is_refused():
    y = right_censored([1, 1], [1, 2])
    with pytest.raises(ValueError, match=r"^y_proba must hold probabilities from 0 to 1"):
        antolini_concordance_index(y, [[0.5], [1.5]], times=[1])
    with pytest.raises(ValueError, match=r"^y_proba must have the shape \(n_samples, n_times\)"):
        antolini_concordance_index(y, [[0.5, 0.4]], times=[1, 2])
    with pytest.raises(ValueError, match=r"^y_true has 0 left-censored and 1 interval-censored"):
        antolini_concordance_index(interval_censored([-2, 1], [3, 1]), [[0.5], [0.5]], times=[1])
    with pytest.warns(UserWarning, match="looks like a distribution function"):
        antolini_concordance_index(y, [[0.1, 0.4], [0.2, 0.5]], times=[1, 2])


@pytest.mark.parametrize("weighted", [False, True])
def test_cen_20_memory_of_many_rows(weighted):
    rng = np.random.default_rng(0)
    y = right_censored(rng.random(5000) < 0.5, rng.exponential(1, 5000))
    times = np.linspace(0.1, 2, 50)
    curves = np.exp(-np.outer(rng.random(5000), times))
    weight = rng.random(5000) if weighted else None
    tracemalloc.start()
    try:
        value = antolini_concordance_index(y, curves, times=times, sample_weight=weight)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert abs(value - 0.5) < 0.03
    assert peak < 4e6


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**1000])
def test_the_unit_of_the_weights_does_not_matter(unit):
    y, weight = [[1, 1], [2, 2], [4, 4]], np.array([1, 2, 3])
    proba = [[0.6, 0.5], [0.7, 0.6], [0.9, 0.3]]
    one = antolini_concordance_index(y, proba, times=[1, 2], sample_weight=weight)
    scaled = antolini_concordance_index(y, proba, times=[1, 2], sample_weight=weight * unit)
    assert 0 < one == scaled < 1
