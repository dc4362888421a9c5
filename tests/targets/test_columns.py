"""One column out of any container: what is missing, and what is left as it is."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from optional import needs_pyarrow
from optional import polars as pl
from optional import pyarrow as pa
from sklearn.exceptions import DataConversionWarning

from sklearn_ordinal_censored.targets._columns import (
    read_column,
    read_numbers,
    read_plain,
    single_column,
    without_signals,
)

SIGNAL = Decimal("sNaN")
DAY = datetime.date(2026, 1, 1)

# Missing values


def test_signalling_decimals_of_a_table_become_gaps_of_their_own_cells():
    table = np.array([[Decimal(1), SIGNAL], [SIGNAL, Decimal("NaN")], [2, "a"]], dtype=object)
    found = without_signals(table)
    is_gap = [[item is None for item in row] for row in found]
    assert is_gap == [[False, True], [True, False], [False, False]]
    assert table[0, 1] is SIGNAL
    quiet = np.array([[Decimal("NaN"), 1]], dtype=object)
    assert without_signals(quiet) is quiet


@pytest.mark.parametrize("read", [read_column, read_plain])
def test_signalling_decimals_are_missing_values(read):
    with pytest.raises(ValueError, match=r"^y has 1 missing value\(s\), the first in row 1"):
        read("y", [Decimal(1), SIGNAL])


# Categories


@pytest.mark.parametrize(
    ("series", "categories"),
    [
        (pd.Series(pd.Categorical([2, 1], [2, 1], ordered=True)), (2, 1)),
        (pd.Series(pd.Categorical([0.5, 1], [1, 0.5], ordered=True)), (1.0, 0.5)),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "a"])), ("b", "a")),
    ],
)
def test_categories_are_values_of_python(series, categories):
    found = read_column("y", series).categories
    assert found == categories
    assert [type(item) for item in found] == [type(item) for item in categories]


@needs_pyarrow
def test_an_arrow_dictionary_is_a_categorical_without_an_order():
    column = read_column("y", pa.array(["b", "a", "b"]).dictionary_encode())
    assert column.is_nominal
    assert column.values.tolist() == ["b", "a", "b"]
    assert not read_column("y", pa.array(["b", "a", "b"])).is_nominal


@needs_pyarrow
@pytest.mark.parametrize("values", [["a", None], [1, None], [2.5, None], [True, None]])
def test_a_gap_in_an_arrow_dictionary_is_no_category(values):
    dictionary = pa.array(values).dictionary_encode()
    for data in (dictionary, pa.chunked_array([dictionary])):
        with pytest.raises(ValueError, match=r"^y has 1 missing value\(s\), the first in row 1"):
            read_column("y", data)


# What a column cannot hold


@pytest.mark.parametrize(
    ("name", "shape", "told"),
    [
        ("y_pred", (3, 2), "make grades of probabilities"),
        ("y_pred", (3, 1), r"e\.g\. `y\.ravel\(\)` of a single column"),
        ("y_pred", (3, 2, 2), r"e\.g\. `y\.ravel\(\)`"),
        ("y_true", (3, 2), r"e\.g\. `y\.ravel\(\)`"),
    ],
)
def test_only_predictions_of_several_columns_may_be_probabilities(name, shape, told):
    with pytest.raises(ValueError, match=rf"^{name} must be one-dimensional.*{told}"):
        read_column(name, np.ones(shape))


def test_lists_and_sets_are_no_single_values():
    values = np.empty(3, dtype=object)
    values[:] = [(1, 2), {1}, [2]]
    with pytest.raises(ValueError, match=r"^y holds \{1\}, \[2\], which are no single values"):
        read_column("y", values)
    assert read_column("y", values[:1]).values[0] == (1, 2)


def test_one_date_among_other_values_is_enough():
    values = np.array([DAY, 5], dtype=object)
    with pytest.raises(ValueError, match=r"^time holds dates; subtract"):
        read_plain("time", values)


def test_a_number_beside_a_duration_is_not_taken_for_microseconds():
    mixed = np.array([datetime.timedelta(1), 5], dtype=object)
    assert read_plain("time", mixed).dtype == object
    with pytest.raises(ValueError, match=r"^time must hold numbers, but has dtype object"):
        read_numbers("time", mixed)


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="no long doubles")
def test_long_doubles_beyond_float64_are_refused_and_infinities_are_not():
    values = np.array([1, np.longdouble(10) ** 400, np.inf], dtype=np.longdouble)
    with pytest.raises(
        ValueError, match=r"^time holds .*1e\+400.*, beyond float64; change the unit"
    ):
        read_numbers("time", values)
    assert read_numbers("time", values[[0, 2]]).tolist() == [1, np.inf]


# One column


def test_a_frame_of_one_column_is_a_series():
    frame = pd.DataFrame({"time": [5.0, 8.0]}, index=[7, 9])
    with pytest.warns(DataConversionWarning):
        pd.testing.assert_series_equal(single_column(frame), frame["time"])


def test_one_row_is_unpacked():
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        assert_array_equal(single_column([[3]]), [3])
