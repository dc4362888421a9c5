"""The checks that all arguments share: which value is refused, and which border belongs where."""

import datetime
import math

import numpy as np
import pytest

from sklearn_ordinal_censored.targets._inputs import (
    as_float,
    check_bins,
    check_confidence_level,
    check_count,
    check_floats,
    check_number,
    check_option,
    check_same_length,
    check_verbose,
    count_dimensions,
    inexact_integers,
    preview,
)


def test_five_values_are_shown_and_a_sixth_is_hinted_at():
    assert preview([1, 2, 3, 4, 5, 5]) == "1, 2, 3, 4, 5"
    assert preview(np.arange(6)) == "0, 1, 2, 3, 4, ..."


def test_numbers_beyond_floats_keep_their_sign():
    assert (as_float(10**400), as_float(-(10**400))) == (math.inf, -math.inf)
    with pytest.raises(ValueError, match="at least 0"):
        check_number("tolerance", -(10**400), minimum=0)


@pytest.mark.parametrize("value", [True, np.timedelta64(1), "1", None, 1j, [1]])
def test_what_is_no_number(value):
    assert math.isnan(as_float(value))


@pytest.mark.parametrize(
    ("closed", "inside", "outside"),
    [
        ("both", [1, 1.5, 2], [0.999, 2.001]),
        ("left", [1, 1.999], [0.999, 2]),
        ("neither", [1.001, 1.999], [1, 2]),
    ],
)
def test_ends_of_an_interval(closed, inside, outside):
    for value in inside:
        assert check_number("rate", value, minimum=1, maximum=2, closed=closed) == value
    ends = {
        "both": "at least 1 and at most 2",
        "left": "at least 1 and below 2",
        "neither": "above 1 and below 2",
    }
    for value in [*outside, math.inf, -math.inf, math.nan]:
        with pytest.raises(ValueError, match=rf"^rate={value} .*, {ends[closed]}\.$"):
            check_number("rate", value, minimum=1, maximum=2, closed=closed)


def test_no_upper_end_is_named_where_there_is_none():
    with pytest.raises(
        ValueError, match=r"^power=inf must be a finite number, at least 0; try 1\.$"
    ):
        check_number("power", math.inf, minimum=0, hint="; try 1")


@pytest.mark.parametrize("value", [np.timedelta64(1, "D"), datetime.timedelta(1)])
def test_durations_are_neither_numbers_nor_counts(value):
    for check in (check_number, check_count):
        with pytest.raises(ValueError, match=r"^n=.* is a duration; give a plain number"):
            check("n", value, minimum=0)


def test_ends_of_counts():
    assert check_count("n", 1) == 1
    assert check_count("n", np.int8(2), minimum=2, maximum=2) == 2
    assert type(check_count("n", np.int8(2))) is int
    for value in (0, True, 1.0, "1", None):
        with pytest.raises(ValueError, match=rf"^n={value!r} must be a whole number, at least 1"):
            check_count("n", value)
    assert check_count("n", 2**40) == 2**40
    with pytest.raises(
        ValueError, match=rf"^n={2**40 + 1} must be a whole number from 1 to {2**40}"
    ):
        check_count("n", 2**40 + 1)


def test_how_much_is_printed_is_a_truth_value_or_a_whole_number():
    assert [check_verbose(value) for value in (True, False, 0, 3)] == [1, 0, 0, 3]
    for value in (2.5, "1", -1, None, np.timedelta64(1, "D")):
        with pytest.raises(ValueError, match=r"^verbose="):
            check_verbose(value)


def test_a_confidence_level_lies_between_0_and_1():
    assert check_confidence_level(1e-9) == 1e-9
    for value in (0, 1):
        with pytest.raises(ValueError, match=rf"^confidence_level={value} must be between 0 and 1"):
            check_confidence_level(value)
    with pytest.raises(ValueError, match=r"^confidence_level=-1 must be .* at least 0"):
        check_confidence_level(-1)


def test_an_array_is_no_option():
    with pytest.raises(ValueError, match="is not known; use one of 'a', 'b'"):
        check_option("kind", np.array(["a", "b"]), ("a", "b"))


@pytest.mark.parametrize("values", [["1", "2"], [b"1"], np.array([1, "2"], dtype=object)])
def test_only_text_is_to_be_converted(values):
    with pytest.raises(ValueError, match=r"plain real numbers: .*; convert text with pandas"):
        check_floats("y_score", values)
    for other in ([1j], np.array(["2020"], dtype="datetime64[Y]")):
        with pytest.raises(ValueError, match=r"must hold plain real numbers: .*[^s]\.$") as error:
            check_floats("y_score", other)
        assert "convert text" not in str(error.value)


def test_whole_numbers_end_where_floats_tell_them_apart():
    for value in (2**53, -(2**53)):
        assert check_floats("y_score", [0, value]).tolist() == [0, value]
    for value in (2**53 + 2, -(2**53) - 2):
        with pytest.raises(ValueError, match=rf"^y_score must hold .*: {value} of integers beyond"):
            check_floats("y_score", [0, value])
        assert check_floats("y_score", [0, float(value)]).tolist() == [0, value]


def test_only_a_column_of_scores_is_told_of_expected_ranks():
    for name, ndim, told in (("y_score", 1, True), ("y_score", 2, False), ("y_pred", 1, False)):
        with pytest.raises(ValueError, match=f"must have {ndim} dimension") as error:
            check_floats(name, np.ones((1, 1, 1)), ndim=ndim)
        assert ("expected rank" in str(error.value)) is told


def test_infinite_predictions_alone_are_medians_beyond_a_curve():
    for name, values, told in (
        ("y_pred", [math.inf, 1], True),
        ("y_pred", [math.inf, math.nan], False),
        ("y_score", [math.inf, 1], False),
    ):
        with pytest.raises(ValueError, match=f"^{name} must be finite") as error:
            check_floats(name, values)
        assert ("restricted mean" in str(error.value)) is told
        assert ("Drop or impute" in str(error.value)) is not told


def test_dimensions_of_what_numpy_cannot_read():
    assert [count_dimensions(values) for values in (3, [3], [[1, 2]], [[1], [2, 3]])] == [
        0,
        1,
        2,
        1,
    ]


def test_one_row_is_enough():
    assert check_same_length(y_true=1, y_pred=1) == 1
    with pytest.raises(ValueError, match=r"^y_true is empty; at least one row"):
        check_same_length(y_true=0, y_pred=0)
    with pytest.raises(ValueError, match="y_true has 1 rows, y_pred has 0 rows"):
        check_same_length(y_true=1, y_pred=0)


@pytest.mark.parametrize("kind", ["i8", "u8"])
def test_integers_beyond_2_to_the_53rd_are_inexact(kind):
    values = np.array([0, 2**53, 2**53 + 1, 2**60], dtype=kind)
    assert inexact_integers(values).tolist() == [2**53 + 1, 2**60]
    assert inexact_integers(values.astype(float)).size == 0
    if kind == "i8":
        assert inexact_integers(-values).tolist() == [-(2**53) - 1, -(2**60)]
        assert inexact_integers(np.array([-(2**63)])).tolist() == [-(2**63)]


def test_ends_of_bins():
    assert [check_bins(n) for n in (1, 10_000)] == [1, 10_000]
    assert check_bins(2, minimum=2) == 2
    for n_bins, minimum in ((0, 1), (1, 2), (10_001, 1)):
        with pytest.raises(ValueError, match=rf"^n_bins={n_bins} must be a whole number"):
            check_bins(n_bins, minimum)
