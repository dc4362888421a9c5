"""Every container of a censored target, the rules for reading it, and the builders."""

import copy
import datetime
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal
from optional import polars as pl
from optional import pyarrow as pa
from optional import with_pyarrow
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored.targets import (
    as_right_censored,
    from_censoring_codes,
    interval_censored,
    right_censored,
)
from sklearn_ordinal_censored.targets._censored import (
    parse_censored,
    parse_right_censored,
    refuse_entry,
)

INF = math.inf
BUILDERS = r"right_censored\(event, time\) or interval_censored\(lower, upper\)"
DROP = "Drop or impute those rows first"

EVENT, TIME, ENTRY = [True, False, True], [5.0, 8.0, 3.5], [1.0, 2.5, -1.0]
LOWER, UPPER = [5.0, 8.0, -INF, 6.0], [5.0, INF, 4.0, 9.0]
HOURS = np.array([36, 60, 12], dtype="timedelta64[h]")
DAYS = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[D]")


def structured(**fields):
    """A structured array; a field is its values, or a pair of a dtype and values."""
    columns = {
        name: np.array(field[1], dtype=field[0]) if isinstance(field, tuple) else np.array(field)
        for name, field in fields.items()
    }
    array = np.empty(len(next(iter(columns.values()))), [(k, v.dtype) for k, v in columns.items()])
    for name, values in columns.items():
        array[name] = values
    return array


def frame(**columns):
    return pd.DataFrame(columns)


def spread(array):
    """The same records with others between them in memory."""
    return np.repeat(array, 2)[::2]


def record_array(**fields):
    return structured(**fields).view(np.recarray)


CONTAINERS = {
    "structured": structured(event=EVENT, time=TIME),
    "time first": structured(time=TIME, event=EVENT),
    "other names": structured(cens=EVENT, months=TIME),
    "names that contradict": structured(time=EVENT, event=TIME),
    "whole numbers": structured(status=[1, 0, 1], time=TIME),
    "bytes": structured(time=("f4", TIME), status=("u1", EVENT)),
    "floats": structured(status=("f8", EVENT), time=TIME),
    "big-endian": structured(status=(">i4", EVENT), time=(">f8", TIME)),
    "objects": structured(status=(object, EVENT), time=(object, TIME)),
    "not contiguous": spread(structured(event=EVENT, time=TIME)),
    "records": record_array(event=EVENT, time=TIME),
    "records from arrays": np.rec.fromarrays([TIME, [1, 0, 1]], names="t,e"),
    "records of a frame": frame(dead=EVENT, days=TIME).to_records(index=False),
    "pandas": frame(event=EVENT, time=TIME),
    "pandas, time first": frame(time=TIME, event=[1, 0, 1]),
    "pandas, any index": pd.DataFrame({"e": EVENT, "t": TIME}, index=[7, 7, 1]),
    "pandas, names that are numbers": pd.DataFrame({0: EVENT, 1: TIME}),
    "boolean": frame(e=pd.array(EVENT, dtype="boolean"), t=pd.array(TIME, dtype="Float64")),
    "nullable": frame(e=pd.array([1, 0, 1], dtype="Int64"), t=pd.array(TIME, dtype="Float32")),
    "arrow-backed": with_pyarrow(
        lambda: frame(
            e=pd.Series(EVENT, dtype="bool[pyarrow]"), t=pd.Series(TIME, dtype="double[pyarrow]")
        )
    ),
    "pandas objects": frame(e=np.array(EVENT, dtype=object), t=np.array(TIME, dtype=object)),
    "polars": pl.DataFrame({"event": EVENT, "time": TIME}),
    "polars, time first": pl.DataFrame({"time": TIME, "status": [1, 0, 1]}),
    "arrow": pa.table({"event": EVENT, "time": TIME}),
    "arrow, in chunks": pa.concat_tables(
        pa.table({"time": TIME[rows], "status": EVENT[rows]}) for rows in (slice(2), slice(2, 3))
    ),
}
BOUNDS = {
    "structured": structured(lower=LOWER, upper=UPPER),
    "upper first": structured(upper=UPPER, lower=LOWER),
    "floats of 32 bits": structured(lower=("f4", LOWER), upper=("f4", UPPER)),
    "records": record_array(lower=LOWER, upper=UPPER),
    "pandas": frame(lower=LOWER, upper=UPPER),
    "nullable": frame(
        upper=pd.array(UPPER, dtype="Float64"), lower=pd.array(LOWER, dtype="Float64")
    ),
    "polars": pl.DataFrame({"lower": LOWER, "upper": UPPER}),
    "arrow": pa.table({"upper": UPPER, "lower": LOWER}),
    "array": np.column_stack([LOWER, UPPER]),
    "array by columns": np.asfortranarray(np.column_stack([LOWER, UPPER])),
    "object array": np.column_stack([LOWER, UPPER]).astype(object),
    "list of pairs": list(zip(LOWER, UPPER, strict=True)),
    "list of arrays": [np.array(pair) for pair in zip(LOWER, UPPER, strict=True)],
}

NULLABLE = {bool: "boolean", int: "Int64", float: "Float64"}


def as_parameters(containers):
    return pytest.mark.parametrize("y", containers.values(), ids=list(containers))


# Containers


@as_parameters(CONTAINERS)
def test_an_event_and_a_time_in_any_container(y):
    target = parse_censored("y", y)
    assert_array_equal(target.lower, TIME)
    assert_array_equal(target.upper, [5.0, INF, 3.5])
    assert target.entry is None
    assert {target.lower.dtype, target.upper.dtype} == {np.dtype(float)}


@as_parameters(BOUNDS)
def test_bounds_in_any_container(y):
    target = parse_censored("y", y)
    assert_array_equal(target.lower, LOWER)
    assert_array_equal(target.upper, UPPER)
    assert target.entry is None


@pytest.mark.parametrize("make", [structured, record_array, frame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("kind", ["event and time", "bounds"])
def test_an_entry_time_in_any_place(make, kind, place):
    fields = {"status": [1, 0, 1], "t": TIME} if kind != "bounds" else {"lower": TIME}
    fields.setdefault("upper", [5.0, INF, 3.5])
    if kind != "bounds":
        del fields["upper"]
    names = list(fields)
    names.insert(place, "entry")
    columns = {name: fields.get(name, ENTRY) for name in names}
    target = parse_censored(
        "y", make(columns) if make in (pl.DataFrame, pa.table) else make(**columns)
    )
    assert_array_equal(target.lower, TIME)
    assert_array_equal(target.upper, [5.0, INF, 3.5])
    assert_array_equal(target.entry, ENTRY)


@as_parameters({**CONTAINERS, **{f"bounds, {name}": y for name, y in BOUNDS.items()}})
def test_targets_are_only_read(y):
    before = copy.deepcopy(y)
    target = parse_censored("y", y)
    target.lower[:] = -1
    target.upper[:] = -1
    if isinstance(y, pd.DataFrame):
        pd.testing.assert_frame_equal(y, before)
    elif isinstance(y, (pl.DataFrame, pa.Table)):
        assert y.equals(before)
    else:
        assert_array_equal(y, before)


@pytest.mark.parametrize("name", ["structured", "records", "floats", "object array", "array"])
def test_targets_may_be_read_only(name):
    y = {**BOUNDS, **CONTAINERS}[name].copy()
    expected = parse_censored("y", y)
    y.flags.writeable = False
    assert_array_equal(parse_censored("y", y).upper, expected.upper)


# Event and time


@pytest.mark.parametrize("kind", ["?", "i8", "u1", "f8", "f4", object])
@pytest.mark.parametrize("value", [0, 1])
def test_all_or_none_may_have_the_event(kind, value):
    y = structured(status=(kind, [value] * 3), time=TIME)
    assert_array_equal(parse_censored("y", y).upper, TIME if value else [INF] * 3)
    assert_array_equal(right_censored(y["status"], TIME)["event"], [bool(value)] * 3)


def test_the_one_boolean_field_is_the_event_even_beside_times_of_0_and_1():
    y = structured(days=[0, 1, 1], dead=EVENT)
    assert_array_equal(parse_censored("y", y).upper, [0, INF, 1])


def test_time_zero_is_a_time():
    target = parse_censored("y", structured(event=EVENT, time=[0.0, 0.0, 2.0]))
    assert_array_equal(target.upper, [0, INF, 2])


MICROSECONDS = HOURS.astype("m8[us]")


@pytest.mark.parametrize(
    "y",
    [
        structured(event=EVENT, time=HOURS),
        frame(event=EVENT, time=HOURS),
        with_pyarrow(
            lambda: frame(event=EVENT, time=pd.Series(HOURS).astype("duration[ns][pyarrow]"))
        ),
        frame(event=EVENT, time=pd.Series(MICROSECONDS.tolist(), dtype=object)),
        pl.DataFrame({"event": EVENT, "time": MICROSECONDS}),
        pa.table({"event": EVENT, "time": MICROSECONDS}),
    ],
    ids=["structured", "pandas", "arrow-backed", "python objects", "polars", "arrow"],
)
def test_durations_become_days(y):
    assert_array_equal(parse_censored("y", y).lower, [1.5, 2.5, 0.5])
    assert_array_equal(right_censored(EVENT, y["time"])["time"], [1.5, 2.5, 0.5])
    assert_array_equal(interval_censored(y["time"], y["time"])["upper"], [1.5, 2.5, 0.5])


def test_durations_of_python():
    time = [datetime.timedelta(hours=36), datetime.timedelta(days=2), datetime.timedelta(0)]
    assert_array_equal(right_censored(EVENT, time)["time"], [1.5, 2.0, 0.0])
    assert_array_equal(interval_censored(time, time)["upper"], [1.5, 2.0, 0.0])


@pytest.mark.parametrize(
    "dates",
    [
        DAYS,
        DAYS.astype("M8[ns]"),
        DAYS.astype(object),
        pd.Series(DAYS),
        pd.Series(DAYS).dt.tz_localize("UTC"),
        pl.Series(DAYS.astype(object).tolist()),
        pa.array(DAYS),
    ],
    ids=["days", "ns", "python", "pandas", "time zone", "polars", "arrow"],
)
def test_dates_are_refused(dates):
    told = "holds dates; subtract the date on which each row's clock starts"
    with pytest.raises(ValueError, match=f"^time {told}"):
        right_censored(EVENT, dates)
    with pytest.raises(ValueError, match=f"^lower {told}"):
        interval_censored(dates, TIME)
    if isinstance(dates, np.ndarray):
        y = structured(event=EVENT, time=dates)
    elif isinstance(dates, pd.Series):
        y = frame(event=EVENT, time=dates)
    else:
        make = pl.DataFrame if isinstance(dates, pl.Series) else pa.table
        y = make({"event": EVENT, "time": dates})
    with pytest.raises(ValueError, match=rf"^y\['time'\] {told}"):
        parse_censored("y", y)


@pytest.mark.parametrize(
    "time",
    [
        [-1.0, 2, 3],
        [1.0, -0.5, -2],
        np.array([-36, 12, 24], dtype="timedelta64[h]"),
    ],
    ids=["one", "two", "durations"],
)
def test_negative_times_are_refused(time):
    told = r"must be finite and not negative, but holds -.*right_censored\(t > 0, abs\(t\)\)"
    with pytest.raises(ValueError, match=rf"^time {told}"):
        right_censored(EVENT, time)
    with pytest.raises(ValueError, match=rf"^y\['months'\] {told}"):
        parse_censored("y", structured(months=time, dead=EVENT))


def test_signed_times_as_the_message_says():
    t = np.array([5, -8, 3])
    assert right_censored(t > 0, abs(t)).tolist() == [(True, 5.0), (False, 8.0), (True, 3.0)]


def test_negative_times_show_where_they_are():
    told = r"time .* holds -5\.0, -1\.0 in 2 row\(s\), the first in row 1\. Was a date subtracted"
    with pytest.raises(ValueError, match=told):
        right_censored(EVENT, [3, -5, -1])


def test_the_slip_in_a_column_of_digits_is_shown():
    for times in (["3", "14O", "5"], np.array([3, "14O", 5], dtype=object)):
        with pytest.raises(ValueError, match=r"^time .*'14O' in row 1; convert it|mixes text"):
            right_censored(EVENT, times)
    with pytest.raises(ValueError, match=r"^time must hold numbers, .* e\.g\. 1000+ in row 1;"):
        right_censored(EVENT, [3, 10**400, 5])
    with pytest.raises(ValueError, match=r"^time must hold numbers, .* '3'; convert it"):
        right_censored(EVENT, ["3", "4", "5"])


SWAPPED = "are event and time swapped"


def test_swapped_event_and_time_are_noticed():
    days = np.arange(12) + 0.5
    with pytest.raises(ValueError, match=rf"^event must .*; these look like times: {SWAPPED}"):
        right_censored(days, days > 3)
    with pytest.raises(ValueError, match=rf"^time holds booleans.*{SWAPPED}"):
        right_censored(days == 3.5, days > 3)


def test_booleans_named_after_an_event_in_time_are_no_times():
    y = np.zeros(4, [("lifetime_seen", "?"), ("t", "f8")])
    y["lifetime_seen"], y["t"] = [1, 1, 0, 1], [1, 1, 1, 0]
    assert parse_censored("y", y).has_event.tolist() == [True, True, False, True]
    frame = pd.DataFrame({"died_in_time": y["lifetime_seen"], "survival_time": y["t"]})
    assert parse_censored("y", frame).has_event.tolist() == [True, True, False, True]


def test_few_whole_times_beside_an_indicator_are_swapped():
    with pytest.raises(ValueError, match=rf"^event must .* holds 5, 7, 8; .*{SWAPPED}"):
        right_censored([5, 8, 7], [1, 0, 1])
    with pytest.raises(ValueError, match=r"holds 0, 2; compare it with .* `status == 2`"):
        right_censored([0, 2, 0], [1, 5, 1])


def test_either_of_two_words_may_mean_the_event():
    with pytest.raises(ValueError, match="seen: `status == 'left'` or `status == 'stayed'`"):
        right_censored(["stayed", "left", "stayed"], [1, 2, 3])


def test_dates_and_durations_are_no_events():
    days = [f"2026-01-{day:02}" for day in range(1, 13)]
    with pytest.raises(ValueError, match=SWAPPED):
        right_censored(days, [True] * 12)
    with pytest.raises(ValueError, match=r"^event has dtype .* Durations are read as times"):
        right_censored(pd.to_timedelta([1, 2], unit="D"), [1, 2])


def test_booleans_are_no_bounds():
    days = np.arange(12) + 0.5
    with pytest.raises(ValueError, match=r"^time holds booleans, which are no times; give numbers"):
        from_censoring_codes(days > 3, np.ones(12))
    with pytest.raises(
        ValueError, match=r"^upper holds booleans, which are no times; give numbers"
    ):
        interval_censored(days, days > 3)
    late = np.rec.fromarrays(
        [EVENT, [4.0, 5.0, 6.0], [True, False, True]], names="event,time,entry"
    )
    with pytest.raises(ValueError, match=r"^y\['entry'\] holds booleans"):
        parse_censored("y", late)


def test_integers_that_float64_cannot_tell_apart_are_refused():
    for build in (lambda t: right_censored(EVENT, t), lambda t: interval_censored(t, t)):
        with pytest.raises(ValueError, match=r"9007199254740993, integers beyond 2 .. 53"):
            build([2**53, 2**53 + 1, 2**53 - 1])


def test_a_largest_integer_that_stands_for_no_bound_is_refused_with_the_cure():
    with pytest.raises(ValueError, match=r"beyond 2 \*\* 53, .* no bound is inf as an upper"):
        interval_censored([1, 2], [5, np.iinfo(np.int64).max])


@pytest.mark.parametrize("empty", [[], np.empty(0, dtype=object), np.empty(0, dtype="U1")])
def test_empty_columns_are_refused_as_such(empty):
    for build in (right_censored, interval_censored):
        with pytest.raises(ValueError, match=r"no rows|empty"):
            build(empty, empty)


@pytest.mark.parametrize("value", [INF, -INF])
def test_infinite_times_are_refused(value):
    with pytest.raises(
        ValueError, match=rf"^time must be finite and not negative, .* {value} in 1 row"
    ):
        right_censored(EVENT, [1, value, 2])
    with pytest.raises(ValueError, match=rf"^y\['time'\] holds {value}; drop or mend those rows"):
        parse_censored("y", structured(event=EVENT, time=[1, value, 2]))


@pytest.mark.parametrize(
    ("codes", "shown"),
    [
        ([0, 1, 2], "0, 1, 2"),
        ([1, 2, 1], "1, 2"),
        ([-1, 1, 1], "-1, 1"),
        ([0, 1, 3], "0, 1, 3"),
        (["dead", "alive", "dead"], "'alive', 'dead'"),
        (["1", "0", "1"], "'0', '1'"),
    ],
    ids=str,
)
def test_event_codes_ask_for_the_event_of_interest(codes, shown):
    with pytest.raises(
        ValueError,
        match=rf"^event must hold booleans or 0 and 1, but holds {shown}; .* the event was seen",
    ):
        right_censored(codes, TIME)
    cure = r"competing risks\), choose the cause of interest: right_censored\(y\['s'\] == 1, y\['t'"
    if isinstance(codes[0], str):
        cure = rf"Compare 's' with the value of the event: .*\(y\['s'\] == '{max(codes)}', y"
    for y in (frame(s=codes, t=TIME), pl.DataFrame({"t": TIME, "s": codes})):
        with pytest.raises(ValueError, match=rf"'s' holds {shown}.*{cure}"):
            parse_censored("y", y)


@pytest.mark.parametrize(
    ("y", "shown"),
    [
        (structured(time=EVENT, status=[1, 0, 1]), r"'time' \(bool\) and 'status' \(int64\)"),
        (structured(status=[1.0, 0, 1], Days=EVENT), r"'status' \(float64\) and 'Days' \(bool\)"),
        (structured(event=("u1", [1]), Survival_time=[True]), r"'event' \(uint8\) and 'Surv"),
        (frame(time=EVENT, status=[1, 0, 1]), r"'time' \(bool\) and 'status' \(int64\)"),
    ],
    ids=["time first", "time last", "one row", "frame"],
)
def test_booleans_named_as_a_time_are_no_event_beside_0_and_1(y, shown):
    told = rf"^y has the fields {shown}.*{SWAPPED}.*right_censored\(event, time\)"
    with pytest.raises(ValueError, match=told):
        parse_censored("y", y)


def test_competing_risks_beside_a_boolean_or_whole_times():
    y = structured(status=[0, 1, 2, 2], days=[5, 80, 41, 7])
    cure = r"exactly one field of booleans or 0/1.*'status' holds 0, 1, 2"
    with pytest.raises(ValueError, match=cure):
        parse_censored("y", y)
    long = structured(status=np.arange(40) % 3, days=np.arange(40) + 7)
    with pytest.raises(ValueError, match=r"right_censored\(y\['status'\] == 1, y\['days'\]\)"):
        parse_censored("y", long)
    assert parse_censored("y", structured(event=long["status"] == 1, time=long["days"]))


@pytest.mark.parametrize(
    ("y", "shown"),
    [
        (structured(a=EVENT, b=EVENT), r"'a' holds False, True; 'b' holds False, True"),
        (structured(a=[0, 1, 1], b=[1.0, 0.0, 1.0]), r"'a' holds 0, 1; 'b' holds 0.0, 1.0"),
        (structured(a=[0.5, 1, 1], b=TIME), r"'a' holds 0.5, 1.0; 'b' holds 3.5, 5.0, 8.0"),
        (frame(low=LOWER[:2], high=[6.0, 9.0]), r"'low' holds 5.0, 8.0; 'high' holds 6.0, 9.0"),
        (frame(low=["a", "b"], high=["b", "c"]), r"'low' holds 'a', 'b'; 'high' holds 'b', 'c'"),
    ],
    ids=["two booleans", "two of 0 and 1", "shares", "bounds of other names", "text"],
)
def test_fields_that_could_be_read_in_two_ways(y, shown):
    with pytest.raises(
        ValueError,
        match=rf"^y must have exactly one field of booleans or 0/1, but {shown}.*{BUILDERS}",
    ):
        parse_censored("y", y)


@pytest.mark.parametrize(
    "y",
    [
        structured(event=EVENT, time=TIME, age=[50, 60, 70]),
        structured(time=TIME),
        structured(event=EVENT, entry=ENTRY),
        structured(lower=TIME, upper=TIME, event=EVENT),
        structured(lower=TIME, upper=TIME, entry=ENTRY, age=ENTRY),
        frame(event=EVENT, time=TIME).to_records(),
        frame(event=EVENT, time=TIME).reset_index(),
        pl.DataFrame({"time": TIME}),
    ],
    ids=["three", "one", "entry", "bounds", "four", "records with index", "index", "polars"],
)
def test_too_many_or_too_few_fields(y):
    names = list(y.dtype.names if isinstance(y, np.ndarray) else y.columns)
    shown = ", ".join(repr(name) for name in names if name != "entry")
    with pytest.raises(
        ValueError, match=rf"^y has the fields \[{shown}\], but needs two.*{BUILDERS}"
    ):
        parse_censored("y", y)


def test_a_frame_without_columns():
    with pytest.raises(ValueError, match=rf"^y has no columns; build .* with {BUILDERS}"):
        parse_censored("y", pd.DataFrame(index=[0, 1]))


@pytest.mark.parametrize("names", [("left", "right"), ("Start", "STOP"), ("stop", "start")])
def test_other_names_of_bounds_are_no_event_and_time(names):
    told = rf"^y has the fields \['{names[0]}', '{names[1]}'\], whose names are those of bounds"
    with pytest.raises(ValueError, match=told):
        parse_censored("y", frame(**dict(zip(names, [EVENT, TIME], strict=True))))


@pytest.mark.parametrize("codes", [["dead", "alive", "alive"], ["a", "dead", "b"]])
def test_the_last_of_the_sorted_codes_is_proposed_as_the_event(codes):
    with pytest.raises(ValueError, match=r"right_censored\(y\['s'\] == 'dead', y\['t'\]\)"):
        parse_censored("y", frame(s=codes, t=TIME))


# Missing values

MISSING = [
    ("NaN time", structured(event=EVENT, time=[1, np.nan, 3]), "time", 1, 1),
    ("NaN event", structured(event=[np.nan, 1, np.nan], time=TIME), "event", 2, 0),
    ("NaN entry", structured(event=EVENT, time=TIME, entry=[0, 1, np.nan]), "entry", 1, 2),
    ("NaT", structured(event=EVENT, time=np.array([1, "NaT", "NaT"], "m8[D]")), "time", 2, 1),
    ("NaT date", structured(event=EVENT, time=np.array([1, "NaT", 1], "M8[D]")), "time", 1, 1),
    ("None", structured(event=(object, [True, None, False]), time=TIME), "event", 1, 1),
    ("boolean", frame(event=pd.array([1, None, None], dtype="boolean"), time=TIME), "event", 2, 1),
    ("Int64", frame(event=EVENT, time=pd.array([None, 2, 3], dtype="Int64")), "time", 1, 0),
    ("Int64 event", frame(event=pd.array([None, 0, 1], dtype="Int64"), time=TIME), "event", 1, 0),
    ("pandas NaT", frame(event=EVENT, time=pd.to_timedelta([1, None, 3], unit="D")), "time", 1, 1),
    ("polars", pl.DataFrame({"event": [True, None, False], "time": TIME}), "event", 1, 1),
    ("polars time", pl.DataFrame({"event": EVENT, "time": [None, None, 2.5]}), "time", 2, 0),
    ("arrow", pa.table({"event": [None, True, False], "time": TIME}), "event", 1, 0),
    ("arrow time", pa.table({"event": EVENT, "time": [1.5, 2.5, None]}), "time", 1, 2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("y", "field", "count", "row"), [pytest.param(*case[1:], id=case[0]) for case in MISSING]
)
def test_missing_values_are_counted(y, field, count, row):
    told = rf"has {count} missing value\(s\), the first in row {row}. {DROP}"
    with pytest.raises(ValueError, match=rf"^y\['{field}'\] {told}"):
        parse_censored("y", y)


@pytest.mark.parametrize("value", [None, np.nan, pd.NA, pd.NaT])
@pytest.mark.parametrize("field", ["lower", "upper"])
def test_missing_bounds_are_counted(field, value):
    bounds = {"lower": [1.0, 2, 3], "upper": [1.0, 4, 5]}
    bounds[field][2] = value
    told = rf"has 1 missing value\(s\), the first in row 2. {DROP}"
    with pytest.raises(ValueError, match=rf"^{field} {told}"):
        interval_censored(**bounds)
    with pytest.raises(ValueError, match=rf"^{field} {told}"):
        parse_censored("y", frame(**bounds))
    pairs = np.empty((3, 2), dtype=object)
    pairs[:, 0], pairs[:, 1] = bounds.values()
    with pytest.raises(ValueError, match=rf"^y {told}"):
        parse_censored("y", pairs)


def test_masked_rows_are_missing():
    y = np.ma.array(structured(event=EVENT, time=TIME))
    assert_array_equal(parse_censored("y", y).lower, TIME)
    y["time"][1] = np.ma.masked
    with pytest.raises(ValueError, match=r"^y\['time'\] has 1 missing value\(s\), .* in row 1"):
        parse_censored("y", y)
    bounds = np.ma.array(np.column_stack([LOWER, UPPER]), mask=False)
    assert_array_equal(parse_censored("y", bounds).upper, UPPER)
    bounds[2, 0] = np.ma.masked
    with pytest.raises(ValueError, match=r"^y has 1 missing value\(s\), the first in row 2"):
        parse_censored("y", bounds)


# Bounds


@pytest.mark.parametrize(
    ("lower", "upper", "told"),
    [
        (
            [1, 5, 6],
            [1, 4, 5],
            r"^lower is above upper in 2 row\(s\), first in row 1: \(5.0, 4.0\]",
        ),
        (
            [1, -INF],
            [1, INF],
            r"^neither bound is finite in 1 row\(s\), first in row 1: \(-inf, inf",
        ),
        ([INF, 1], [INF, 1], r"^neither bound is finite in 1 row\(s\), first in row 0: \(inf, inf"),
        ([-INF, 1], [-INF, 1], r"^neither bound is finite .*row 0: \(-inf, -inf"),
        ([INF, 1], [3, 1], r"^lower is above upper in 1 row\(s\), first in row 0: \(inf, 3.0\]"),
        ([2, 1], [-INF, 1], r"^lower is above upper in 1 row\(s\), first in row 0: \(2.0, -inf\]"),
    ],
    ids=["crossed", "everything", "never", "always", "never until 3", "always after 2"],
)
def test_bounds_that_hold_nothing_or_everything(lower, upper, told):
    told += r".*Equal bounds stand for an exact time, an infinite upper one for right-censoring"
    with pytest.raises(ValueError, match=told):
        interval_censored(lower, upper)
    with pytest.raises(ValueError, match=told):
        parse_censored("y", frame(lower=lower, upper=upper))


def test_bounds_may_be_any_real_number():
    target = parse_censored("y", [[-3.5, -3.5], [-INF, -1], [-2, 4], [-7, INF]])
    assert_array_equal(target.lower, [-3.5, -INF, -2, -7])
    assert_array_equal(target.upper, [-3.5, -1, 4, INF])


@pytest.mark.parametrize(
    "y",
    [
        [[1, 5.0], [0, 8], [1, 3]],
        [[5.0, 1], [8, 1], [3, 1]],
        np.array([[0, 0], [0, 1], [1, 1]]),
        [(True, 5.0), (False, 8.0)],
        np.array([[1.0, INF], [0.0, 4.0]]),
    ],
    ids=["events first", "events last", "both", "rows of tuples", "bounds"],
)
def test_a_plain_column_of_0_and_1_may_be_either(y):
    with pytest.raises(ValueError, match=rf"^y has a column of 0 and 1 only.*{BUILDERS}"):
        parse_censored("y", y)


def test_named_bounds_of_0_and_1_are_bounds():
    target = parse_censored("y", frame(lower=[0, 0, 1], upper=[1, 0, 1]))
    assert_array_equal(target.upper, [1, 0, 1])


@pytest.mark.parametrize(
    "y",
    [
        TIME,
        np.array(TIME),
        pd.Series(TIME),
        pl.Series(TIME),
        pa.array(TIME),
        np.array([5, -8, 3]),
        [],
        np.ones((3, 1)),
        np.ones((3, 3)),
        np.ones((2, 2, 2)),
        3.0,
        "time",
        {"event": EVENT, "time": TIME},
        pl.DataFrame({"event": EVENT, "time": TIME}).lazy(),
        np.array([object()] * 3),
    ],
    ids=[
        *["list", "array", "pandas", "polars", "arrow", "signed", "empty", "one column"],
        *["three columns", "cube", "number", "text", "dict", "lazy", "objects"],
    ],
)
def test_what_carries_no_censoring_information(y):
    shape = r"\(.*\)"
    with pytest.raises(
        ValueError, match=rf"^y is of shape {shape} and carries no censoring.*{BUILDERS}"
    ):
        parse_censored("y", y)


@pytest.mark.parametrize("y", [(EVENT, TIME), (np.array(EVENT), np.array(TIME)), ((1, 2), (3, 4))])
def test_tuples_are_refused(y):
    with pytest.raises(ValueError, match=rf"^y is a tuple and carries no censoring.*{BUILDERS}"):
        parse_censored("y", y)


def test_nothing_at_all():
    with pytest.raises(ValueError, match=rf"^y is None; build .*{BUILDERS}"):
        parse_censored("y", None)


@pytest.mark.parametrize(
    "y",
    [
        structured(event=EVENT, time=TIME)[:0],
        structured(event=[1, 0], time=TIME[:2])[:0],
        frame(event=EVENT, time=TIME)[:0],
        pl.DataFrame({"event": EVENT, "time": TIME})[:0],
        np.empty((0, 2)),
        frame(lower=[], upper=[]),
    ],
    ids=["structured", "numbers", "pandas", "polars", "array", "bounds"],
)
def test_no_rows(y):
    with pytest.raises(ValueError, match=r"^y is empty; at least one row is needed"):
        parse_censored("y", y)


def test_rows_of_different_length():
    with pytest.raises(ValueError, match=r"^y must have rows of equal length, but they differ"):
        parse_censored("y", [[1, 2], [3]])


def test_text_is_no_time():
    with pytest.raises(ValueError, match=r"^y must hold numbers, but has dtype <U"):
        parse_censored("y", [["a", "b"], ["c", "d"]])
    with pytest.raises(ValueError, match=r"^y\['t'\] must hold numbers, but has dtype "):
        parse_censored("y", frame(e=EVENT, t=["a", "b", "c"]))
    with pytest.raises(
        ValueError, match=r"^time must hold numbers, but has dtype <U1, e.g. .* convert"
    ):
        right_censored([1], ["5"])
    with pytest.raises(ValueError, match=r"^time must hold numbers, but has dtype complex"):
        right_censored([1], [5j])


# Entry


@pytest.mark.parametrize(
    ("entry", "row", "against"),
    [
        ([1, 8, 1], 1, r"8.0 against 8.0"),
        ([5, 1, 4], 0, r"5.0 against 5.0"),
        ([1, 2, 9], 2, r"9.0 against 3.5"),
        ([-INF, 2, 1], 0, r"-inf against 5.0"),
        ([INF, 2, 1], 0, r"inf against 5.0"),
    ],
    ids=["at the censoring", "at the event", "after the event", "always", "never"],
)
def test_entry_is_finite_and_before_the_time(entry, row, against):
    y = structured(event=EVENT, time=TIME, entry=entry)
    told = rf"^y\['entry'\] must be finite and before the time.*first is row {row}: {against}"
    with pytest.raises(ValueError, match=told):
        parse_censored("y", y)
    bounds = structured(lower=TIME, upper=[5, INF, 3.5], entry=entry)
    with pytest.raises(ValueError, match=told):
        parse_censored("y", bounds)


def test_entry_is_before_the_end_of_an_interval():
    y = structured(lower=[0.0, -INF, 2.0], upper=[4.0, 4.0, INF], entry=[3.0, 3.9, 1.0])
    assert_array_equal(parse_censored("y", y).entry, [3.0, 3.9, 1.0])
    with pytest.raises(ValueError, match=r"in 2 row\(s\) is not, the first is row 0: 4.0 against"):
        parse_censored("y", structured(lower=[0.0, 2.0], upper=[4.0, INF], entry=[4.0, 2.0]))


def test_entry_as_a_duration_and_as_a_date():
    y = structured(event=EVENT, time=HOURS, entry=HOURS // 2)
    assert_array_equal(parse_censored("y", y).entry, [0.75, 1.25, 0.25])
    with pytest.raises(ValueError, match=r"^y\['entry'\] holds dates"):
        parse_censored("y", structured(event=EVENT, time=TIME, entry=DAYS))


def test_entry_is_refused_where_it_has_no_place():
    columns = {"event": EVENT, "time": TIME}
    refuse_entry("y", parse_censored("y", structured(**columns)), "nobody may enter late")
    target = parse_censored("y", structured(**columns, entry=ENTRY))
    told = "^y has a field 'entry', but nobody may enter late. Leave the field out if nobody"
    with pytest.raises(ValueError, match=told):
        refuse_entry("y", target, "nobody may enter late")


# Kinds of censoring


def test_kinds_of_rows():
    target = parse_censored("y", BOUNDS["array"])
    assert_array_equal(target.is_exact, [True, False, False, False])
    assert_array_equal(target.is_right, [False, True, False, False])
    assert_array_equal(target.is_left, [False, False, True, False])


def test_a_lower_bound_of_zero_is_left_censored_unless_times_go_below_zero():
    y = np.array([[0, 3], [2, 3], [0, 0], [0, INF], [2, 2]])
    assert_array_equal(parse_censored("y", y).is_left, [True, False, False, False, False])
    for negative in ([-1, 2], [-INF, -1]):
        below = parse_censored("y", np.vstack([y, [negative]]))
        assert_array_equal(below.is_left, [False] * 5 + [negative[0] == -INF])
    beside = parse_censored("y", np.vstack([y, [[-INF, 2]]]))
    assert_array_equal(beside.is_left, [True, False, False, False, False, True])


# Only exact and right-censored rows


def test_left_and_interval_censored_rows_are_counted_where_they_have_no_place():
    told = "^y has 1 left-censored and 1 interval-censored rows, the first in row 2; "
    with pytest.raises(ValueError, match=told):
        parse_right_censored("y", BOUNDS["array"])
    with pytest.raises(ValueError, match=told):
        as_right_censored(BOUNDS["pandas"])


@as_parameters(CONTAINERS)
def test_as_right_censored_from_any_container(y):
    found = as_right_censored(y)
    assert found.dtype == [("event", "?"), ("time", "f8")]
    assert_array_equal(found, right_censored(EVENT, TIME))


def test_as_right_censored_from_bounds_and_with_entry():
    found = as_right_censored(structured(lower=[5, 8], upper=[5, INF], entry=[1, 2]))
    assert found.dtype == [("event", "?"), ("time", "f8"), ("entry", "f8")]
    assert found.tolist() == [(True, 5.0, 1.0), (False, 8.0, 2.0)]


def test_as_right_censored_returns_what_other_functions_accept():
    with pytest.raises(ValueError, match=r"^y must be finite and not negative, but holds -1.0"):
        as_right_censored([[-1, -1], [5, 5]])


@given(rows=censored(kinds=RIGHT_CENSORED))
def test_two_forms_of_the_same_rows(rows):
    found = as_right_censored(rows.bounds)
    assert_array_equal(found, rows.event_time)
    assert_array_equal(as_right_censored(found), found)
    for one, other in zip(
        parse_censored("y", found), parse_censored("y", rows.bounds), strict=True
    ):
        assert_array_equal(one, other)


# Builders


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        lambda x: pd.Series(x, dtype=NULLABLE[type(x[0])]),
        pl.Series,
        pa.array,
        lambda x: pa.chunked_array([x[:1], x[1:]]),
    ],
    ids=["list", "tuple", "array", "pandas", "nullable", "polars", "arrow", "chunks"],
)
def test_builders_take_any_column(make):
    event_time = right_censored(make(EVENT), make(TIME))
    assert event_time.dtype == [("event", "?"), ("time", "f8")]
    assert event_time.tolist() == list(zip(EVENT, TIME, strict=True))
    bounds = interval_censored(make(LOWER), make(UPPER))
    assert bounds.dtype == [("lower", "f8"), ("upper", "f8")]
    assert bounds.tolist() == list(zip(LOWER, UPPER, strict=True))
    codes = from_censoring_codes(make(TIME), make([0, 1, -1]))
    assert codes.tolist() == [(5.0, 5.0), (8.0, INF), (-INF, 3.5)]


@given(rows=censored())
def test_what_is_built_is_read_back(rows):
    target = parse_censored("y", interval_censored(rows.lower, rows.upper))
    assert_array_equal(target.lower, rows.lower)
    assert_array_equal(target.upper, rows.upper)


@pytest.mark.parametrize("kind", [bool, int, float, np.uint8, object])
def test_events_may_be_booleans_or_0_and_1(kind):
    found = right_censored(np.array(EVENT).astype(kind), TIME)
    assert_array_equal(found["event"], EVENT)


def test_builders_refuse_unequal_lengths_and_no_rows():
    with pytest.raises(ValueError, match="event has 2 rows, time has 3 rows"):
        right_censored([0, 1], TIME)
    with pytest.raises(ValueError, match="lower has 3 rows, upper has 4 rows"):
        interval_censored(TIME, UPPER)
    with pytest.raises(ValueError, match="time has 3 rows, codes has 2 rows"):
        from_censoring_codes(TIME, [0, 1])
    for build in (right_censored, interval_censored, from_censoring_codes):
        with pytest.raises(ValueError, match="is empty; at least one row is needed"):
            build([], [])


def test_builders_refuse_missing_values_and_tables():
    for build, first in (
        (right_censored, "event"),
        (interval_censored, "lower"),
        (from_censoring_codes, "time"),
    ):
        with pytest.raises(
            ValueError, match=rf"^{first} has 1 missing value\(s\), .* row 1. {DROP}"
        ):
            build([1, None], [1, 2])
        with pytest.raises(ValueError, match=rf"^{first} must be one-dimensional"):
            build([[1, 0], [0, 1]], [1, 2])


@pytest.mark.parametrize("codes", [[0, 2, 1], [0, 0.5, 1], [-2, 0, 0]])
def test_censoring_codes_are_three(codes):
    stray = next(code for code in codes if code not in (-1, 0, 1))
    told = rf"^codes holds {float(stray)}; use 0 \(exact\), 1 \(right-censored\), -1 \(left-c"
    with pytest.raises(ValueError, match=told):
        from_censoring_codes(TIME, codes)


def test_censoring_codes_need_finite_times():
    with pytest.raises(ValueError, match=r"^time holds inf; give finite times"):
        from_censoring_codes([1, INF], [0, 1])
    assert from_censoring_codes([-1.5, -2.0], [0, -1]).tolist() == [(-1.5, -1.5), (-INF, -2.0)]


def test_targets_can_be_pickled_and_indexed():
    y = right_censored(EVENT, TIME)
    assert_array_equal(pickle.loads(pickle.dumps(y)), y)
    assert_array_equal(parse_censored("y", y[[2, 0]]).lower, [3.5, 5.0])


# The data sets of scikit-survival, as they are


@pytest.mark.parametrize(
    ("load", "event", "time", "n_events"),
    [
        ("load_gbsg2", "cens", "time", 299),
        ("load_whas500", "fstat", "lenfol", 215),
        ("load_veterans_lung_cancer", "Status", "Survival_in_days", 128),
        ("load_aids", "censor", "time", 96),
        ("load_flchain", "death", "futime", 2169),
        ("load_breast_cancer", "e.tdm", "t.tdm", 51),
    ],
)
def test_data_sets_of_scikit_survival(load, event, time, n_events):
    datasets = pytest.importorskip("sksurv.datasets")
    _, y = getattr(datasets, load)()
    target = parse_censored("y", y)
    assert_array_equal(target.lower, y[time])
    assert_array_equal(target.is_exact, y[event])
    assert int(target.is_exact.sum()) == n_events


@pytest.mark.parametrize("load", ["load_bmt", "load_cgvhd"])
def test_data_sets_with_competing_risks(load):
    datasets = pytest.importorskip("sksurv.datasets")
    _, y = getattr(datasets, load)()
    with pytest.raises(ValueError, match=r"competing risks\), choose the cause of interest"):
        parse_censored("y", y)
    assert parse_censored("y", right_censored(y["status"] == 1, y["ftime"])).is_exact.any()


def test_an_event_indicator_is_no_censoring_code():
    with pytest.raises(ValueError, match=r"codes holds booleans.*right_censored\(event, time\)"):
        from_censoring_codes([1.0, 2.0], [True, False])


def test_names_of_bounds_are_no_event_and_time():
    frame = pd.DataFrame({"start": [0, 0, 1], "stop": [2.0, 3.5, 4.0]})
    with pytest.raises(ValueError, match=r"interval_censored\(y\['start'\], y\['stop'\]\)"):
        as_right_censored(frame)


@pytest.mark.parametrize("unit", ["Y", "M", "generic"])
def test_durations_without_a_number_of_days_are_refused(unit):
    time = np.array([1, 2], "m8" if unit == "generic" else f"m8[{unit}]")
    with pytest.raises(ValueError, match="durations of no fixed number of days"):
        right_censored([1, 0], time)


def test_columns_of_the_same_name_are_refused():
    frame = pd.DataFrame([[1, 2.0], [0, 3.0]], columns=["a", "a"])
    with pytest.raises(ValueError, match="columns of the same name"):
        as_right_censored(frame)


def test_series_in_different_orders_are_refused():
    event, time = pd.Series([1, 0, 1]), pd.Series([5.0, 8.0, 3.0])
    with pytest.raises(
        ValueError, match=r"same index in different orders.*time\.loc\[event\.index\]"
    ):
        right_censored(event, time.sort_values())
    assert len(right_censored(event, time.set_axis([7, 8, 9]))) == 3
    with pytest.raises(ValueError, match=r"^lower and upper have the same index in different orde"):
        interval_censored(time, time.sort_values())


def test_blank_bounds_are_told_of_infinity():
    with pytest.raises(ValueError, match=r"upper has 1 missing.*inf as an upper"):
        interval_censored([1.0, 2.0], [3.0, np.nan])
    with pytest.raises(ValueError, match=r"^upper must hold numbers") as error:
        interval_censored([1.0, 2.0], ["a", "b"])
    assert "blank" not in str(error.value)


def test_times_as_text_are_told_of_dates():
    with pytest.raises(ValueError, match=r"'2020-01-01'.*to_datetime, then subtract"):
        right_censored([1], ["2020-01-01"])


def test_booleans_without_the_name_of_a_time_are_the_event():
    y = np.array([(True, 1.0), (False, 0.0)], dtype=[("seen", "?"), ("value", "f8")])
    target = parse_censored("y", y)
    assert target.has_event.tolist() == [True, False]
    assert target.lower.tolist() == [1, 0]


def test_the_cure_of_blanks_is_for_blanks_only():
    with pytest.raises(ValueError, match=r"^lower must hold numbers") as error:
        interval_censored(["a", "b"], [1, 2])
    assert "no bound" not in str(error.value)
