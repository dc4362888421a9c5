"""From any container to ranks: which containers are read, and where the scale comes from."""

import copy
import datetime
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from optional import polars as pl
from optional import pyarrow as pa
from optional import with_pyarrow
from strategies import graded

from sklearn_ordinal_censored.targets._columns import single_column
from sklearn_ordinal_censored.targets._ordinal import (
    cast_scale,
    check_scale,
    common_scale,
    parse_ordinal,
    parse_ordinal_pair,
)

GRADES = [2, 4, 3, 4]  # ranks 0, 2, 1, 2 on the scale 2, 3, 4
RANKS = [0, 2, 1, 2]
WORDS = ["low", "mid", "high"]
TEXT = ["low", "high", "mid", "high"]


class Tensor:
    """What a tensor of another library shows NumPy."""

    def __init__(self, values):
        self.values = np.array(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


def numpy_containers():
    names = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    names += ["float16", "float32", "float64", "longdouble", "object"]
    return {name: lambda values, name=name: np.array(values, dtype=name) for name in names}


def pandas_containers(names):
    return {
        f"pandas {name}": lambda values, name=name: pd.Series(values, dtype=name) for name in names
    }


INTEGER_CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "list of floats": lambda values: [float(value) for value in values],
    "list of NumPy scalars": lambda values: list(np.array(values, dtype=np.int16)),
    "objects of mixed number types": lambda values: np.array(
        [values[0], float(values[1]), *map(np.int8, values[2:])], dtype=object
    ),
    "array protocol": Tensor,
    **numpy_containers(),
    "not contiguous": lambda values: np.repeat(values, 2)[::2],
    "big endian": lambda values: np.array(values, dtype=">i4"),
    "masked array without a mask": np.ma.masked_array,
    **pandas_containers(
        ["int64", "int8", "uint8", "float64", "object", "Int64", "UInt8", "Float64"]
    ),
    **pandas_containers(["int32[pyarrow]", "float[pyarrow]"]),
    "pandas index": pd.Index,
    "pandas other index": lambda values: pd.Series(values, index=[7, 7, 0, -1]),
    "pandas extension array": lambda values: pd.array(values, dtype="Int32"),
    "pandas sparse array": lambda values: pd.arrays.SparseArray(values, fill_value=2),
    "polars Int64": pl.Series,
    "polars UInt8": lambda values: pl.Series(values, dtype=pl.UInt8),
    "polars Float32": lambda values: pl.Series(values, dtype=pl.Float32),
    "arrow array": pa.array,
    "arrow chunked array": lambda values: pa.chunked_array([values[:1], values[1:]]),
}

TEXT_CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "array protocol": Tensor,
    "object array": lambda values: np.array(values, dtype=object),
    "StringDType": lambda values: np.array(values, dtype=np.dtypes.StringDType()),
    **pandas_containers(["str", "string", "object", "category", "string[pyarrow]"]),
    "pandas arrow text": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index,
    "pandas extension array": lambda values: pd.array(values, dtype="string"),
    "pandas Categorical": pd.Categorical,
    "polars String": pl.Series,
    "polars Categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "arrow array": pa.array,
    "arrow dictionary": lambda values: pa.array(values).dictionary_encode(),
}

ORDERED_CONTAINERS = {
    "pandas Categorical": lambda values: pd.Categorical(values, WORDS, ordered=True),
    "pandas Series": lambda values: pd.Series(values, dtype=pd.CategoricalDtype(WORDS, True)),
    "pandas CategoricalIndex": lambda values: pd.CategoricalIndex(values, WORDS, ordered=True),
    "polars Enum": lambda values: pl.Series(values, dtype=pl.Enum(WORDS)),
}


def as_parameters(containers):
    return pytest.mark.parametrize(
        "make", [pytest.param(f, id=name) for name, f in containers.items()]
    )


@as_parameters(INTEGER_CONTAINERS)
def test_whole_numbers_are_read_from_any_container(make):
    codes, labels = parse_ordinal("y", make(GRADES))
    assert_array_equal(codes, RANKS)
    assert codes.dtype == np.intp
    assert labels.tolist() == [2, 3, 4]


@as_parameters(TEXT_CONTAINERS)
def test_text_with_labels_is_read_from_any_container(make):
    codes, labels = parse_ordinal("y", make(TEXT), WORDS)
    assert_array_equal(codes, RANKS)
    assert labels.tolist() == WORDS


@as_parameters(TEXT_CONTAINERS)
def test_text_without_labels_is_refused(make):
    with pytest.raises(ValueError, match=r"^y .*'low', 'high', 'mid'.* pass `labels`"):
        parse_ordinal("y", make(TEXT))


@as_parameters(ORDERED_CONTAINERS)
def test_ordered_categories_are_the_scale(make):
    codes, labels = parse_ordinal("y", make(["mid", "low"]))
    assert_array_equal(codes, [1, 0])
    assert labels.tolist() == WORDS  # "high" keeps its place without a row


@as_parameters(TEXT_CONTAINERS)
def test_labels_may_come_in_any_container(make):
    codes, _ = parse_ordinal("y", ["high", "low"], make(WORDS))
    assert_array_equal(codes, [2, 0])


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        lambda values: pd.Series(values, dtype="boolean"),
        lambda values: pd.array(values, dtype="bool[pyarrow]"),
        lambda values: np.array(values, dtype=object),
        pl.Series,
        pa.array,
    ],
    ids=["list", "array", "boolean", "arrow-backed", "object", "polars", "arrow"],
)
def test_booleans_are_the_grades_false_and_true(make):
    codes, labels = parse_ordinal("y", make([True, False, True]))
    assert_array_equal(codes, [1, 0, 1])
    assert labels.tolist() == [False, True]
    assert labels.dtype == bool


@given(graded())
def test_rank_is_the_position_in_labels(rows):
    pair = parse_ordinal_pair(rows.y_true, rows.y_pred, rows.labels, rows.weight)
    weight = [1.0] * len(rows.y_true) if rows.weight is None else rows.weight
    counted = [row for row, w in enumerate(weight) if w > 0]
    assert_array_equal(pair.true, [rows.true_ranks[row] for row in counted])
    assert_array_equal(pair.pred, [rows.pred_ranks[row] for row in counted])
    assert pair.labels.tolist() == rows.labels
    if rows.weight is None:
        assert pair.weight is None
    else:
        assert_array_equal(pair.weight, [weight[row] for row in counted])


@given(
    st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=1),
    st.sampled_from([np.int8, np.int64, np.float32, np.float64, object]),
)
@pytest.mark.filterwarnings("ignore:The grades .* apart; the integers")
def test_without_labels_the_scale_is_every_integer_in_between(rows, dtype):
    y_true, y_pred = (np.array(side, dtype=dtype) for side in zip(*rows, strict=True))
    low, high = min(map(min, rows)), max(map(max, rows))
    pair = parse_ordinal_pair(y_true, y_pred)
    assert pair.labels.tolist() == list(range(low, high + 1))
    assert_array_equal(pair.true, y_true.astype(int) - low)
    assert_array_equal(pair.pred, y_pred.astype(int) - low)


def test_labels_win_over_ordered_categories():
    y_true = pd.Categorical(["low", "high"], WORDS, ordered=True)
    pair = parse_ordinal_pair(y_true, y_true, labels=["high", "mid", "low"])
    assert_array_equal(pair.true, [2, 0])


@pytest.mark.parametrize("side", [0, 1])
@as_parameters(ORDERED_CONTAINERS)
def test_categories_of_one_side_serve_both(make, side):
    inputs = [["high", "low"], ["high", "low"]]
    inputs[side] = make(["high", "low"])
    pair = parse_ordinal_pair(*inputs)
    assert_array_equal(pair.true, [2, 0])
    assert_array_equal(pair.pred, [2, 0])
    assert pair.labels.tolist() == WORDS


def test_the_same_categories_from_two_libraries_agree():
    pair = parse_ordinal_pair(
        pd.Categorical(["high"], WORDS, ordered=True), pl.Series(["low"], dtype=pl.Enum(WORDS))
    )
    assert (pair.true[0], pair.pred[0]) == (2, 0)


@pytest.mark.parametrize("other", [["high", "mid", "low"], ["low", "high"], [*WORDS, "top"]])
def test_different_orders_are_refused(other):
    y_true = pd.Categorical(["low"], WORDS, ordered=True)
    y_pred = pd.Categorical(["low"], other, ordered=True)
    told = rf"y_true and y_pred .*different.*: {re.escape(f'{WORDS} and {other}')}\. Pass `labels`"
    with pytest.raises(ValueError, match=told):
        parse_ordinal_pair(y_true, y_pred)


def test_ordered_categories_need_not_be_text_or_sorted():
    codes, labels = parse_ordinal("y", pd.Categorical([1, 3], [3, 2, 1], ordered=True))
    assert_array_equal(codes, [2, 0])
    assert labels.tolist() == [3, 2, 1]
    bands = pd.cut([0.5, 2.5], [0, 1, 2, 3])
    assert_array_equal(parse_ordinal("y", bands).codes, [0, 2])


@pytest.mark.parametrize(
    "values",
    [
        pd.Categorical([1, 2], [1, 2]),
        pd.Series([1, 2], dtype="category"),
        pl.Series(["1", "2"], dtype=pl.Categorical),
    ],
    ids=["pandas", "pandas series", "polars"],
)
def test_categories_without_an_order_are_refused(values):
    with pytest.raises(ValueError, match=r"y is a categorical without an order .*pass `labels`"):
        parse_ordinal("y", values)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([3, 2, 1], [2, 0]),
        ([2, 1, 3], [1, 2]),
        ([1, 2, 3, 4], [0, 2]),
        ([1.0, 2.0, 3.0], [0, 2]),
        ([1, 10, 3], [0, 2]),
        ([3, 0.5, 1], [2, 0]),
        (np.array([1, 2, 3], dtype=np.uint8), [0, 2]),
        (range(1, 4), [0, 2]),
    ],
)
@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64, np.float32, object])
def test_numeric_labels_are_looked_up_in_any_order_and_dtype(labels, expected, dtype):
    assert_array_equal(parse_ordinal("y", np.array([1, 3], dtype=dtype), labels).codes, expected)


@pytest.mark.parametrize(
    "labels", [[0, 1, 3], [3, 0, 1], [3, 1, 0], [0, 1, 2, 4], [1, 3], [1, 2, 3], [3, 1, 2], [2]]
)
def test_a_number_in_a_gap_between_labels_is_refused(labels):
    assert_array_equal(parse_ordinal("y", labels, labels).codes, np.arange(len(labels)))
    for value in {-1, 0, 2, 4, 5} - set(labels):
        with pytest.raises(ValueError, match=rf"^y holds {value}, which labels=.* does not list"):
            parse_ordinal("y", [*labels, value], labels)


@given(
    st.lists(st.integers(-2, 2), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(-3, 3), min_size=1, max_size=3),
)
def test_numbers_are_on_the_scale_or_refused(labels, values):
    stray = [value for value in dict.fromkeys(values) if value not in labels]
    if stray:
        with pytest.raises(ValueError, match=f"^y holds {str(stray)[1:-1]}, which labels="):
            parse_ordinal("y", values, labels)
    else:
        expected = [labels.index(value) for value in values]
        assert parse_ordinal("y", values, labels).codes.tolist() == expected


@pytest.mark.parametrize(("y", "labels"), [(["0", "1"], [0, 1]), ([0, 1], ["0", "1"])])
def test_digits_are_no_numbers(y, labels):
    with pytest.raises(ValueError, match=r"^y holds .* does not list.*One side is text, the other"):
        parse_ordinal("y", y, labels)


def test_whole_floats_end_where_they_tell_integers_apart():
    for sign in (1, -1):
        y = sign * np.array([2.0**53, 2.0**53 - 2, 2.0**53 - 1])
        assert sorted(parse_ordinal("y", y).codes) == [0, 1, 2]
        with pytest.raises(ValueError, match=r"^y holds .*, which are no grades"):
            parse_ordinal("y", [*y, sign * (2.0**53 + 2)])


def test_no_rows_have_no_scale():
    with pytest.raises(ValueError, match=r"^y is empty; at least one row is needed"):
        parse_ordinal("y", [], [1, 2])
    with pytest.raises(ValueError, match=r"^classes is empty"):
        common_scale(y=[1], classes=np.array([], dtype=int))


def test_a_common_scale_needs_no_common_length():
    assert common_scale(a=[1, 2, 2], b=[4]).tolist() == [1, 2, 3, 4]
    assert common_scale(["b", "a"], a=["a", "a"], b=["b"]).tolist() == ["b", "a"]
    with pytest.raises(ValueError, match=r"^b holds 'c', which labels="):
        common_scale(["b", "a"], a=["a", "a"], b=["c"])


def test_labels_are_a_copy():
    given_labels = np.array([3, 1, 2])
    scale = check_scale(given_labels)
    given_labels[:] = 0
    assert scale.tolist() == [3, 1, 2]


def test_one_fraction_among_stray_numbers_is_no_grade():
    with pytest.raises(ValueError, match=r"^y holds 7\.0, 0\.5, which are no grades"):
        parse_ordinal("y", [1.0, 7.0, 0.5], [0, 1])
    with pytest.raises(ValueError, match=r"^y holds 7\.0, which labels=\[0, 1\] does not list"):
        parse_ordinal("y", [1.0, 7.0], [0, 1])


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.int64, np.float32, object])
@pytest.mark.parametrize("labels", [None, [0, 1], [1, 0], [0, 1, 5]])
def test_ranks_are_of_the_type_of_indices(dtype, labels):
    assert parse_ordinal("y", np.array([0, 1, 1], dtype=dtype), labels).codes.dtype == np.intp
    assert parse_ordinal("y", ["a", "b"], ["b", "a"]).codes.dtype == np.intp
    top = np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64)
    assert parse_ordinal("y", top, top if labels else None).codes.dtype == np.intp


def test_labels_may_be_numbers_that_are_no_integers():
    assert_array_equal(parse_ordinal("y", [1.5, 0.5], [0.5, 1.0, 1.5]).codes, [2, 0])


def test_labels_may_be_other_objects():
    days = [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]
    assert_array_equal(parse_ordinal("y", days[::-1], days).codes, [1, 0])
    amounts = [Decimal("0.1"), Decimal("0.2")]
    assert_array_equal(parse_ordinal("y", amounts[::-1], amounts).codes, [1, 0])
    moments = [datetime.date(2020, 1, 1), pd.Timestamp("2020-01-01", tz="UTC")]
    assert_array_equal(parse_ordinal("y", moments[1:], moments).codes, [1])
    shares = [Fraction(1, 3), Fraction(2, 3)]
    assert_array_equal(parse_ordinal("y", shares[::-1], shares).codes, [1, 0])


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.float32, np.float64])
def test_labels_keep_the_dtype_of_the_target(dtype):
    y = np.array([1, 3], dtype=dtype)
    assert parse_ordinal("y", y).labels.dtype == dtype
    assert parse_ordinal_pair(y, [1, 2]).labels.dtype == dtype
    assert parse_ordinal("y", y, [1, 2, 3]).labels.dtype == dtype


def test_labels_that_the_dtype_cannot_hold_keep_their_own():
    pair = parse_ordinal_pair(np.array([1, 100], dtype=np.int8), [1, 131])
    assert pair.labels.tolist() == list(range(1, 132))
    assert cast_scale(np.array([0.5, 1.5]), np.dtype(np.int64)).tolist() == [0.5, 1.5]
    for dtype in ("<U9", "<U1", "S3", "i8"):
        assert cast_scale(np.array(["10", "9"]), np.dtype(dtype)).dtype == "<U2"
    assert cast_scale(np.array([1, 2]), np.dtype("<U1")).dtype == np.int64
    assert cast_scale(np.array(["a", "b"]), np.dtype(object)).dtype == object
    assert cast_scale(np.array([0, 2]), np.dtype(bool)).tolist() == [0, 2]


def test_integers_at_the_end_of_the_64_bit_range():
    low = 2**63 - 1
    codes, labels = parse_ordinal("y", np.array([low, low + 2, low + 1], dtype=np.uint64))
    assert_array_equal(codes, [0, 2, 1])
    assert labels.tolist() == [low, low + 1, low + 2]
    top = np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64)
    assert_array_equal(parse_ordinal("y", top).codes, [1, 0])
    pair = parse_ordinal_pair(np.array([1, 2], dtype=np.uint64), [-1, 0])
    assert_array_equal(pair.true, [2, 3])
    assert_array_equal(pair.pred, [0, 1])
    bottom = np.array([-(2**63), -(2**63) + 1])
    assert_array_equal(parse_ordinal("y", bottom).codes, [0, 1])


@pytest.mark.parametrize("values", [[2**70, 2**70 + 1], [Fraction(1), Fraction(2)], [Decimal(1)]])
def test_numbers_that_no_array_dtype_holds_need_labels(values):
    with pytest.raises(ValueError, match=r"y holds .* pass `labels`"):
        parse_ordinal("y", values)


@pytest.mark.parametrize("grades", [[10, 20, 30], [0, 2, 4], [-3, 0, 6], [5, 10, 100]])
def test_grades_on_steps_raise_a_warning_that_proposes_labels(grades):
    with pytest.warns(UserWarning, match=rf"grades .*labels=\[{grades[0]}, {grades[1]}") as caught:
        _, labels = parse_ordinal("y", grades)
    assert len(caught) == 1
    assert labels.tolist() == list(range(grades[0], grades[-1] + 1))


def test_the_divisor_is_sought_in_both_inputs():
    with pytest.warns(UserWarning, match="10, 20, 30"):
        parse_ordinal_pair([10, 20], [20, 30])
    assert len(parse_ordinal_pair([10, 20], [20, 23]).labels) == 14


@pytest.mark.parametrize("grades", [[10, 20], [1, 5], [7], [1, 2, 5], [0, 4, 7], [1, 4, 6, 9]])
def test_two_grades_or_no_common_divisor_raise_no_warning(grades):
    assert len(parse_ordinal("y", grades).labels) == grades[-1] - grades[0] + 1


def test_a_late_row_settles_the_divisor():
    even = [0, 2, 4] * 1000
    assert len(parse_ordinal("y", [*even, 1]).labels) == 5
    with pytest.warns(UserWarning, match="multiple of 2 apart"):
        parse_ordinal("y", [*even, 6])


def test_labels_silence_the_warning():
    assert_array_equal(parse_ordinal("y", [10, 30, 20], [10, 20, 30]).codes, [0, 2, 1])


def test_a_thousand_grades_is_the_limit():
    assert len(parse_ordinal("y", [0, 999]).labels) == 1000
    assert len(parse_ordinal("y", [0], np.arange(1000)).labels) == 1000
    for y, labels in (([0, 1000], None), ([0], np.arange(1001))):
        with pytest.raises(
            ValueError, match=r"1001 grades, more than 1000: .*Group it into grades"
        ):
            parse_ordinal("y", y, labels)


def test_rows_of_weight_zero_are_left_out():
    pair = parse_ordinal_pair([0, 1, 9], [0, 2, 9], sample_weight=[1, 2, 0])
    assert pair.labels.tolist() == [0, 1, 2]
    assert_array_equal(pair.true, [0, 1])
    assert_array_equal(pair.pred, [0, 2])
    assert_array_equal(pair.weight, [1, 2])


@pytest.mark.parametrize(
    ("value", "message"),
    [(np.nan, "y_true has 1 missing"), (0.5, "y_true holds 0.5"), (9, "y_true holds 9")],
)
def test_rows_of_weight_zero_are_checked_all_the_same(value, message):
    labels = [0, 1] if value == 9 else None
    with pytest.raises(ValueError, match=message):
        parse_ordinal_pair([0, 1, value], [0, 1, 1], labels=labels, sample_weight=[1, 1, 0])


@pytest.mark.parametrize(
    "values",
    [
        [1, None, np.nan],
        [1.0, np.nan, np.nan],
        np.array([1, np.nan, None], dtype=object),
        np.ma.array([1, 2, 3], mask=[False, True, True]),
        pd.Series([1, pd.NA, None], dtype="Int64"),
        with_pyarrow(lambda: pd.Series([1, None, None], dtype="int64[pyarrow]")),
        pd.Series([True, pd.NA, None], dtype="boolean"),
        pd.Series([1, pd.NA, pd.NaT], dtype=object),
        pl.Series([1, None, None]),
        pl.Series([1.0, float("nan"), float("nan")]),
        pa.array([1, None, None]),
        ["low", None, None],
        np.array(["low", None, None], dtype=object),
        np.array(["low", np.nan, np.nan], dtype=np.dtypes.StringDType(na_object=np.nan)),
        pd.Series(["low", None, None], dtype="string"),
        pd.Series(["low", None, None], dtype="str"),
        pd.Categorical(["low", None, None], WORDS, ordered=True),
        pl.Series(["low", None, None], dtype=pl.Enum(WORDS)),
        pl.Series(["low", None, None], dtype=pl.Categorical),
    ],
    ids=lambda values: f"{type(values).__module__}-{getattr(values, 'dtype', 'list')}",
)
def test_missing_values_are_counted_and_located(values):
    for labels in (None, WORDS, [1, 2, 3]):
        with pytest.raises(ValueError, match=r"y has 2 missing value\(s\), the first in row 1"):
            parse_ordinal("y", values, labels)


@given(graded())
def test_inputs_stay_as_they_are(rows):
    y_true, y_pred = np.array(rows.y_true), pd.Series(rows.y_pred)
    weight = None if rows.weight is None else np.array(rows.weight)
    originals = [y_true, y_pred, rows.labels, weight]
    before = copy.deepcopy(originals)
    parse_ordinal_pair(*originals)
    assert_array_equal(y_true, before[0])
    pd.testing.assert_series_equal(y_pred, before[1])
    assert rows.labels == before[2]
    assert_array_equal(weight, before[3])


@given(graded(min_classes=2))
def test_read_only_arrays_are_read(rows):
    assume(rows.weight is not None)
    arrays = [np.array(a) for a in (rows.y_true, rows.y_pred, rows.labels, rows.weight)]
    for array in arrays:
        array.flags.writeable = False
    assert_array_equal(parse_ordinal_pair(*arrays).labels, rows.labels)


@pytest.mark.parametrize(
    "column",
    [
        [[1], [2]],
        np.array([[1], [2]]),
        pd.DataFrame({"grade": [1, 2]}),
        pl.DataFrame({"grade": [1, 2]}),
    ],
    ids=["list", "array", "pandas", "polars"],
)
def test_a_column_vector_is_refused_until_unpacked(column):
    with pytest.raises(ValueError, match="y must be one-dimensional"):
        parse_ordinal("y", column)
    with pytest.warns(match="column-vector y"):
        unpacked = single_column(column)
    assert_array_equal(parse_ordinal("y", unpacked).codes, [0, 1])


def test_an_unpacked_frame_keeps_the_order_of_its_categories():
    frame = pd.DataFrame({"grade": pd.Categorical(["high", "low"], WORDS, ordered=True)})
    with pytest.warns(match="column-vector y"):
        codes, _ = parse_ordinal("y", single_column(frame))
    assert_array_equal(codes, [2, 0])


@pytest.mark.parametrize("data", [[1, 2], np.array([1, 2]), np.ones((2, 3)), pd.Series([1])])
def test_unpacking_leaves_other_shapes_alone(data):
    assert single_column(data) is data


def test_labels_that_contradict_their_own_categories_are_refused():
    grades = pd.Series(
        pd.Categorical(["high", "low"], categories=["low", "mid", "high"], ordered=True)
    )
    with pytest.raises(ValueError, match=r"contradicts the order of its own categories"):
        parse_ordinal("y", grades, grades.unique())
    assert parse_ordinal("y", grades, grades.unique().tolist()).codes.tolist() == [0, 1]
