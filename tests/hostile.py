"""Kinds of input that nobody should give, and forms of good input that nobody thinks of.

Every kind is a function of the good array. One that does not apply to it returns `ABSENT`.
"""

import datetime
import math
from collections import OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
from optional import Missing
from optional import polars as pl
from optional import pyarrow as pa
from scipy import sparse

ABSENT = object()
DAY = datetime.date(2026, 1, 1)
HUGE = 10**400


class Odd:
    """An object of which no array can be made."""


def items(v):
    """The rows as Python objects."""
    return np.asarray(v).tolist()


def generator(values):
    yield from values


# In place of any argument. Each is made anew, as some can be read only once.
ONE_SHOT = {
    "generator": lambda v: generator(items(v)),
    "iterator": lambda v: iter(items(v)),
    "map": lambda v: map(float, range(np.size(v))),
    "zip": lambda v: zip(items(v), strict=True),
}
WHOLE = {
    "text": lambda v: "abc",
    "empty text": lambda v: "",
    "bytes": lambda v: b"abc",
    "whole number": lambda v: 3,
    "number": lambda v: 2.5,
    "nan": lambda v: math.nan,
    "integer beyond floats": lambda v: HUGE,
    "complex number": lambda v: 1j,
    "flag": lambda v: True,
    "object": lambda v: Odd(),
    "class": lambda v: Odd,
    "function": lambda v: len,
    "module": lambda v: math,
    "path": lambda v: Path("a"),
    "dict": lambda v: {"a": 1},
    "empty dict": lambda v: {},
    "ordered dict": lambda v: OrderedDict(enumerate(items(v))),
    "set": lambda v: set(range(len(items(v)))) if np.ndim(v) else {1},
    "frozenset": lambda v: frozenset("ab"),
    "values of a dict": lambda v: dict(enumerate(np.ravel(items(v)).tolist())).values(),
    "empty deque": lambda v: deque(),
    "date": lambda v: DAY,
    "duration": lambda v: datetime.timedelta(1),
    "NumPy duration": lambda v: np.timedelta64(1, "D"),
    "NA": lambda v: pd.NA,
    "NaT": lambda v: pd.NaT,
    "masked": lambda v: np.ma.masked,
    "ellipsis": lambda v: ...,
    "slice": lambda v: slice(3),
    "memory": lambda v: memoryview(b"abc"),
    "bytearray": lambda v: bytearray(b"abc"),
    "decimal": lambda v: Decimal("0.5"),
    "fraction": lambda v: Fraction(1, 2),
    "void": lambda v: np.void(b"abc"),
    "no dimension": lambda v: np.array(2.0),
    "no dimension, object": lambda v: np.array(None),
    "no dimension, structured": lambda v: np.zeros((), [("event", "?"), ("time", "f8")]),
    **ONE_SHOT,
}

# Other shapes of the same array.
SHAPES = {
    "no rows": lambda v: v[:0],
    "no rows of a list": lambda v: [],
    "empty float": lambda v: np.empty(0),
    "empty object": lambda v: np.empty(0, dtype=object),
    "empty text": lambda v: np.empty(0, dtype="U1"),
    "no rows, three columns": lambda v: np.empty((0, 3)),
    "no columns": lambda v: np.empty((len(v), 0)),
    "one row": lambda v: v[:1],
    "one row short": lambda v: v[:-1],
    "one row more": lambda v: np.concatenate([v, v[:1]]),
    "column": lambda v: v[:, np.newaxis],
    "row": lambda v: v[np.newaxis],
    "three dimensions": lambda v: np.repeat(v[np.newaxis, np.newaxis], 2, axis=0),
    "turned": lambda v: v.T if v.ndim == 2 else np.column_stack([v, v]).T,
    "two columns": lambda v: np.column_stack([v, v]) if v.dtype.names is None else ABSENT,
    "ragged": lambda v: [[1, 2], [3]] * (len(v) // 2),
    "mixed depth": lambda v: [1, [2, 3]] * (len(v) // 2),
    "empty lists": lambda v: [[] for _ in v],
    "list of arrays": lambda v: [np.arange(k) for k in range(len(v))],
    "empty frame": lambda v: pd.DataFrame(),
    "frame of no columns": lambda v: pd.DataFrame(index=range(len(v))),
    "frame of one column": lambda v: pd.DataFrame({"a": np.arange(len(v))}),
    "same names": lambda v: pd.DataFrame(np.ones((len(v), 2)), columns=["a", "a"]),
    "several levels": lambda v: pd.MultiIndex.from_product([["a"], range(len(v))]),
    "levels of columns": lambda v: pd.DataFrame(
        np.ones((len(v), 2)), columns=pd.MultiIndex.from_product([["a"], [0, 1]])
    ),
    "no fields": lambda v: np.zeros(len(v), dtype=[]),
    "nested fields": lambda v: np.zeros(len(v), [("event", "?"), ("time", [("a", "f8")])]),
    "fields of arrays": lambda v: np.zeros(len(v), [("event", "?"), ("time", "f8", (2,))]),
    "sparse": lambda v: sparse.csr_array(np.ones((len(v), 2))),
    "sparse matrix": lambda v: sparse.csr_matrix(np.ones((len(v), 1))),
    "matrix": lambda v: np.asmatrix(np.ones((len(v), 2))),
}


def objects(*values):
    """An array of objects with these among its rows."""

    def _make(v):
        array = np.empty(len(v), dtype=object)
        array[:] = 1
        for row, value in enumerate(values):
            array[row % len(v)] = value
        return array

    return _make


# One column of something else.
TYPES = {
    "words": lambda v: np.array(["abc"] * len(v)),
    "digits": lambda v: np.array(["1"] * len(v)),
    "empty words": lambda v: [""] * len(v),
    "bytes": lambda v: np.array([b"1"] * len(v)),
    "complex": lambda v: np.full(len(v), 1 + 1j),
    "imaginary part of zero": lambda v: np.full(len(v), 1 + 0j),
    "dates": lambda v: np.full(len(v), "2026-01-01", dtype="datetime64[D]"),
    "durations": lambda v: np.full(len(v), 2, dtype="timedelta64[D]"),
    "durations without a unit": lambda v: np.full(len(v), 2, dtype="timedelta64"),
    "no dates": lambda v: np.full(len(v), "NaT", dtype="datetime64[ns]"),
    "months": lambda v: pd.period_range("2026-01", periods=len(v), freq="M"),
    "intervals": lambda v: pd.interval_range(0, len(v)),
    "time zone": lambda v: pd.date_range("2026", periods=len(v), tz="Europe/Rome"),
    "void": lambda v: np.zeros(len(v), dtype="V4"),
    "categories": lambda v: pd.Categorical(["a", "b"] * (len(v) // 2)),
    "ordered categories": lambda v: pd.Categorical(["a", "b"] * (len(v) // 2), ordered=True),
    "missing category": lambda v: pd.Categorical([None, "b"] * (len(v) // 2), ordered=True),
    "nullable": lambda v: pd.array([1, None] * (len(v) // 2), dtype="Int64"),
    "nullable flags": lambda v: pd.array([True, None] * (len(v) // 2), dtype="boolean"),
    "nullable floats": lambda v: pd.array([0.5, None] * (len(v) // 2), dtype="Float64"),
    "sparse column": lambda v: pd.arrays.SparseArray([0, 1] * (len(v) // 2)),
    "masked": lambda v: np.ma.array(np.ones(len(v)), mask=np.arange(len(v)) % 2),
    "None": objects(None),
    "NA": objects(pd.NA, pd.NaT, np.nan),
    "decimals": objects(*[Decimal("0.5")] * 9),
    "fractions": objects(*[Fraction(1, 3)] * 9),
    "decimals that are none": objects(Decimal("NaN"), Decimal("sNaN")),
    "integers beyond floats": objects(HUGE, -HUGE),
    "integers beyond 64 bits": objects(2**63, 2**64, -(2**63)),
    "dicts": objects({}, {"a": 1}),
    "lists": objects([1, 2], []),
    "arrays": objects(np.ones(2), np.ones(3)),
    "sets": objects({1}),
    "odd objects": objects(Odd(), Odd),
    "functions": objects(len, math.exp),
    "words among numbers": objects("a", b"b"),
    "dates among numbers": objects(DAY, datetime.timedelta(1)),
    "complex among numbers": objects(1j),
    "only dates": lambda v: [DAY] * len(v),
    "only long durations": lambda v: [datetime.timedelta.max] * len(v),
    "only None": lambda v: [None] * len(v),
    "only generators": lambda v: [generator([1]) for _ in v],
    "only long doubles": lambda v: np.full(len(v), np.longdouble("1e4000")),
}

# One value among good ones, or everywhere.
VALUES = {
    "nan": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "minus zero": -0.0,
    "smallest": 5e-324,
    "smallest normal": 2.2250738585072014e-308,
    "largest": 1.7976931348623157e308,
    "1e308": 1e308,
    "-1e308": -1e308,
    "1e200": 1e200,
    "1e-200": 1e-200,
    "2**63": 2.0**63,
    "2**53 + 2": 2.0**53 + 2,
    "negative": -1.0,
    "fraction": 0.1,
    "zero": 0.0,
    "one": 1.0,
    "1e6": 1e6,
}


def with_value(v, value, everywhere):
    """A copy as floats with the value in one row or in all; of a target, in its last field."""
    fields = v.dtype.names
    array = v.copy() if fields else v.astype(np.float64)
    place = array[fields[-1]] if fields else array
    place[slice(None) if everywhere else len(v) // 2] = value
    return array


def cast(kind):
    """The same values in another type, where it holds them all; of a target, of each field."""

    def _cast(v):
        if v.dtype.kind in "US":
            return ABSENT
        fields = v.dtype.names
        with np.errstate(all="ignore"):
            if not fields:
                other = v.astype(kind)
                return other if (other == v).all() else ABSENT
            columns = {name: v[name].astype(kind) for name in fields}
        if not all((columns[name] == v[name]).all() for name in fields):
            columns = {fields[0]: v[fields[0]], fields[1]: columns[fields[1]]}
            if not (columns[fields[1]] == v[fields[1]]).all():
                return ABSENT
        dtype = [(name, column.dtype) for name, column in columns.items()]
        return np.array(list(zip(*columns.values(), strict=True)), dtype=dtype)

    return _cast


def memory_mapped(v):
    """The array in a file that may only be read."""
    import tempfile

    if v.dtype.hasobject:
        return ABSENT
    with tempfile.TemporaryFile() as file:
        file.write(v.tobytes())
        file.flush()
        return np.memmap(file, dtype=v.dtype, mode="r", shape=v.shape)


def read_only(v):
    copy = v.copy()
    copy.flags.writeable = False
    return copy


def indexed(make_index):
    def _make(v):
        if v.dtype.names:
            return pd.DataFrame(v, index=make_index(len(v)))
        if v.ndim == 1:
            return pd.Series(v, index=make_index(len(v)))
        return pd.DataFrame(v, index=make_index(len(v))) if v.ndim == 2 else ABSENT

    return _make


def in_polars(v):
    if isinstance(pl, Missing) or v.ndim > 2:
        return ABSENT
    if v.dtype.names:
        return pl.DataFrame({name: v[name].copy() for name in v.dtype.names})
    return pl.Series(v) if v.ndim == 1 else pl.DataFrame(v)


def in_arrow(v):
    if isinstance(pa, Missing) or v.ndim > 1:
        return ABSENT
    if v.dtype.names:
        return pa.table({name: v[name].copy() for name in v.dtype.names})
    return pa.array(v)


def plain(make):
    """Of arrays without fields."""
    return lambda v: ABSENT if v.dtype.names else make(v)


# The same values with names of rows or columns, which are read where they are times or grades.
LABELLED = {
    "strings as an index": indexed(lambda n: [f"row {k}" for k in range(n)]),
    "repeated index": indexed(lambda n: [7] * n),
    "unsorted index": indexed(lambda n: np.arange(n)[::-1]),
    "dates as an index": indexed(lambda n: pd.date_range("2026", periods=n)[::-1]),
    "polars": in_polars,
}

# The same values, so the same result.
FORMS = {
    **{
        kind: cast(kind)
        for kind in ("?", "i1", "u8", ">i4", "f2", "f4", ">f8", "longdouble", "object")
    },
    "list": plain(np.ndarray.tolist),
    "tuple": plain(lambda v: tuple(v.tolist())),
    "read-only": read_only,
    "memory-mapped": memory_mapped,
    "backwards": lambda v: v[::-1].copy()[::-1],
    "spread": lambda v: np.repeat(v, 3, axis=0)[::3],
    "by column": np.asfortranarray,
    "view": lambda v: np.concatenate([v[:1], v, v[:1]])[1:-1],
    "misaligned": lambda v: (
        np.frombuffer(b"x" + v.tobytes(), v.dtype, offset=1).reshape(v.shape)
        if not v.dtype.hasobject
        else ABSENT
    ),
    "masked nowhere": np.ma.array,
    "masked nowhere, with a mask": lambda v: np.ma.array(v, mask=np.zeros(v.shape, bool)),
    "records": lambda v: v.view(np.recarray) if v.dtype.names else ABSENT,
    "subclass": lambda v: v.view(type("Own", (np.ndarray,), {})),
    "arrow": in_arrow,
    **LABELLED,
}

# In place of a single value.
SINGLE = {
    **WHOLE,
    "None": lambda v: None,
    "minus one": lambda v: -1,
    "zero": lambda v: 0,
    "minus zero": lambda v: -0.0,
    "infinity": lambda v: math.inf,
    "minus infinity": lambda v: -math.inf,
    "smallest": lambda v: 5e-324,
    "1e308": lambda v: 1e308,
    "2**63": lambda v: 2**63,
    "2**31": lambda v: 2**31,
    "NumPy float": lambda v: np.float32(0.5),
    "NumPy half": lambda v: np.float16(0.5),
    "NumPy nan": lambda v: np.float64("nan"),
    "NumPy integer": lambda v: np.int8(3),
    "NumPy unsigned": lambda v: np.uint64(2**64 - 1),
    "NumPy flag": lambda v: np.bool_(True),
    "NumPy text": lambda v: np.str_("abc"),
    "long double": lambda v: np.longdouble("1e4000"),
    "small long double": lambda v: np.longdouble("1e-4000"),
    "list": lambda v: [3],
    "list of text": lambda v: ["quadratic"],
    "empty list": lambda v: [],
    "array of one": lambda v: np.array([3]),
    "array of several": lambda v: np.array([1, 2, 3]),
    "series": lambda v: pd.Series([1, 2]),
    "frame": lambda v: pd.DataFrame({"a": [1, 2]}),
    "object array": lambda v: np.array([None, "a"], dtype=object),
}
