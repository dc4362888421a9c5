"""Event indicators and times: what a column looks like when it is neither."""

import numpy as np
import pytest

from sklearn_ordinal_censored.targets._event_times import check_event, check_time, looks_like_codes


def test_ten_whole_numbers_are_codes_and_eleven_are_times():
    assert looks_like_codes(np.arange(10))
    assert looks_like_codes(np.arange(10.0).repeat(3))
    assert not looks_like_codes(np.arange(11))
    assert not looks_like_codes([0.5, 1.0])
    assert looks_like_codes(["dead", "alive"])
    assert looks_like_codes([True, False])


@pytest.mark.parametrize(
    ("values", "is_time"),
    [
        ([0.5, 1.5, 2.5], True),
        ([0.5, 1.5], True),
        (np.arange(1, 11), False),
        ([1, 2, 3], False),
        (np.arange(11), True),
        (["a", "b", "c"], False),
        (np.arange(11).astype(str), False),
    ],
)
def test_fractions_or_eleven_numbers_instead_of_an_event_look_like_times(values, is_time):
    with pytest.raises(ValueError, match=r"^event must hold booleans or 0 and 1") as error:
        check_event("event", values)
    assert ("are event and time swapped" in str(error.value)) is is_time
    assert ("if that is it" in str(error.value)) is not is_time


@pytest.mark.parametrize(
    ("values", "slip"),
    [([5, -1], True), ([-1, np.inf], True), ([0, np.inf], False), ([0.5, -np.inf], False)],
)
def test_only_a_finite_negative_time_may_be_a_slip(values, slip):
    with pytest.raises(ValueError, match=r"^time must be finite and not negative") as error:
        check_time("time", values)
    assert ("the wrong way round" in str(error.value)) is slip


def test_rows_of_bad_times_are_counted():
    told = r"holds -2\.0, inf in 3 row\(s\), the first in row 1"
    with pytest.raises(ValueError, match=told):
        check_time("time", [0, -2, np.inf, 3, -2])


def test_codes_beside_an_indicator_look_like_times():
    for time, is_swapped in (([1, 0, 1], True), ([True, False, True], True), ([1, 0, 2], False)):
        with pytest.raises(
            ValueError, match=r"^event must .* `status == 8` if that is it"
        ) as error:
            check_event("event", [5, 8, 7], time)
        assert ("are event and time swapped" in str(error.value)) is is_swapped
    with pytest.raises(ValueError, match=r"`status == 'a'` or `status == 'b'`"):
        check_event("event", ["a", "b"], [1, 0])
    with pytest.raises(ValueError, match="are event and time swapped"):
        check_event("event", ["2026-01-03", "2026-02-01", "2026-04-11"], [1, 0, 1])


def test_an_empty_indicator_is_one_of_booleans():
    assert check_event("event", []).dtype == bool


def test_two_words_beside_an_indicator_are_codes():
    with pytest.raises(ValueError, match=r"`status == 'b'`\.$"):
        check_event("event", ["a", "b"], [1, 0])
