"""Read one column from any container: list, NumPy, pandas, polars, pyarrow, anything array-like.

Data-frame libraries are read through narwhals, so that a nullable or dictionary-encoded column
means the same whichever of them it comes from. What comes out is a one-dimensional NumPy array of
numbers or of objects, without missing values, and the order of the categories where one is carried.
"""

from __future__ import annotations

import datetime
import sys
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.exceptions import DataConversionWarning

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.targets._inputs import count_dimensions, inexact_integers, preview


class Column(NamedTuple):
    """Values of one argument, and what its container says about their order.

    Attributes
    ----------
    name : str
        The argument's name, for messages.
    values : ndarray of shape (n_samples,)
        Numbers (bool, integer or float), text or objects.
    categories : tuple or None
        Categories of an ordered categorical, lowest first.
    is_nominal : bool
        Whether the container is a categorical without an order.

    Examples
    --------
    >>> import numpy as np
    >>> Column("y_true", np.array([1, 2])).is_nominal
    False
    """

    name: str
    values: AnyArray
    categories: tuple[Any, ...] | None = None
    is_nominal: bool = False


def read_column(name: str, data: Any) -> Column:
    """Read a one-dimensional argument.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    data : array-like of shape (n_samples,)
        A list, an array, a series, a categorical or any object with the array protocol. Missing
        and infinite values, dates, structured arrays and a mix of text and numbers are refused.

    Returns
    -------
    Column
        The plain column.

    Examples
    --------
    >>> import pandas as pd
    >>> grades = pd.Categorical(["low", "high"], categories=["low", "high"], ordered=True)
    >>> read_column("y_true", grades).categories
    ('low', 'high')
    >>> read_column("y_true", [1, None])
    Traceback (most recent call last):
    ValueError: y_true has 1 missing value(s), the first in row 1. Drop or impute those rows first.
    """
    if data is None:
        raise ValueError(f"{name} is None; give one value a row.")
    column = _read_any(name, data)
    values = column.values
    if values.ndim != 1:
        raise ValueError(
            f"{name} must be one-dimensional, but has shape {values.shape}. Give one value a row"
            f"{_cure_of_shape(name, values.shape)}"
        )
    return column._replace(values=_check_values(name, values))


def _cure_of_shape(name: str, shape: tuple[int, ...]) -> str:
    if name.startswith("y_pred") and len(shape) == 2 and shape[1] > 1:
        return "; optimal_decisions and OrdinalDecisionClassifier make grades of probabilities."
    return ", e.g. `y.ravel()` of a single column."


def _read_any(name: str, data: Any) -> Column:
    return Column(name, data) if type(data) is np.ndarray else _read_container(name, data)


def _read_container(name: str, data: Any) -> Column:
    if isinstance(data, np.ma.MaskedArray):
        _refuse_missing(name, np.ma.getmaskarray(data))
    if isinstance(data, (list, tuple)):
        return Column(name, _read_sequence(name, data))
    series = nw.from_native(_as_series(data), series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return Column(name, np.asarray(data))
    _refuse_missing(name, series.is_null().to_numpy())
    if isinstance(series.dtype, nw.Enum):  # an ordered pandas Categorical is one, too
        return Column(name, series.to_numpy(), tuple(series.cat.get_categories().to_list()))
    return Column(name, series.to_numpy(), is_nominal=series.dtype == nw.Categorical)


def _as_series(data: Any) -> Any:
    """Wrap the index and array types that carry a dtype but are no series."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is not None and isinstance(
        data, (pandas.Index, pandas.api.extensions.ExtensionArray)
    ):
        return data if isinstance(data, pandas.MultiIndex) else pandas.Series(data)
    if pyarrow is not None and isinstance(data, pyarrow.Array):
        return pyarrow.chunked_array([data])
    return data


def _read_sequence(name: str, data: list[Any] | tuple[Any, ...]) -> AnyArray:
    try:
        values = np.asarray(data)
    except ValueError as error:
        raise ValueError(
            f"{name} must hold one value a row, but its rows differ: {error}"
        ) from error
    # NumPy turns [1, "a"] and ["a", None] into text without a word.
    if values.dtype.kind in "US" and not all(isinstance(item, (str, bytes)) for item in data):
        return np.array(data, dtype=object)
    return values


def _check_values(name: str, values: AnyArray) -> AnyArray:
    kind = values.dtype.kind
    if kind in "biuUS":
        return values
    if kind in "OT":
        values = _check_objects(name, values.astype(object))
        return values if values.dtype == object else _check_values(name, values)
    if kind != "f":
        hint = {
            "V": "A structured array is a censored target.",
            "c": "Complex data not supported.",
            "m": "Durations are read as times only.",
        }
        raise ValueError(
            f"{name} has dtype {values.dtype}; give numbers or text. {hint.get(kind, '')}".rstrip()
        )
    _refuse_missing(name, np.isnan(values))
    infinite = np.isinf(values)
    if infinite.any():
        found = preview(values[infinite])
        raise ValueError(f"{name} holds {found}; drop or mend those rows first.")
    return values


def _check_objects(name: str, values: AnyArray) -> AnyArray:
    import pandas as pd

    _refuse_missing(name, np.asarray(pd.isna(without_signals(values))))
    if values.ndim != 1:
        return values
    if len(values) and all(isinstance(item, (Real, np.bool_)) for item in values):
        numbers = np.array(values.tolist())
        if numbers.dtype != object:  # fractions and integers beyond 64 bits stay objects
            return numbers
    _refuse_mixture(name, values)
    return values


def _refuse_mixture(name: str, values: AnyArray) -> None:
    n_text = sum(isinstance(item, (str, bytes)) for item in values)
    if 0 < n_text < len(values):
        kinds = sorted({type(item).__name__ for item in values})
        raise ValueError(f"{name} mixes text with other values ({', '.join(kinds)}); convert it.")
    loose = [] if n_text else [item for item in values if not _is_hashable(item)]
    if loose:
        raise ValueError(f"{name} holds {preview(loose)}, which are no single values; convert it.")


def without_signals(values: AnyArray) -> AnyArray:
    """Return objects with None for the signalling NaN of decimals, which refuses comparisons.

    Parameters
    ----------
    values : ndarray of objects
        Values.

    Returns
    -------
    ndarray of objects
        The same array where it holds none.

    Examples
    --------
    >>> without_signals(np.array([Decimal("sNaN"), 1], dtype=object))
    array([None, 1], dtype=object)
    """
    is_signal = [isinstance(item, Decimal) and item.is_snan() for item in values.flat]
    if any(is_signal):
        values = values.copy()
        values[np.reshape(is_signal, values.shape)] = None
    return values


def _is_hashable(item: Any) -> bool:
    try:
        hash(item)
    except TypeError:
        return False
    return True


def _refuse_missing(name: str, missing: AnyArray) -> None:
    if missing.any():
        rows = np.flatnonzero(missing)
        raise ValueError(
            f"{name} has {len(rows)} missing value(s), the first in row {rows[0]}. "
            "Drop or impute those rows first."
        )


def read_numbers(name: str, data: Any) -> FloatArray:
    """Read a one-dimensional argument of numbers or durations as float64.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    data : array-like of shape (n_samples,)
        Numbers, infinities included, or durations. Missing values, dates and text are refused.

    Returns
    -------
    ndarray of shape (n_samples,)
        Numbers; durations in days.

    Examples
    --------
    >>> import numpy as np
    >>> read_numbers("time", np.array([36, 60], dtype="timedelta64[h]"))
    array([1.5, 2.5])
    >>> read_numbers("time", np.array(["2026-01-01"], dtype="datetime64[D]"))
    Traceback (most recent call last):
    ValueError: time holds dates; subtract the date on which each row's clock starts.
    """
    values = read_plain(name, data)
    if values.dtype.kind == "m":
        if np.datetime_data(values.dtype)[0] in ("Y", "M", "generic"):
            raise ValueError(
                f"{name} has dtype {values.dtype}, durations of no fixed number of days."
            )
        return np.asarray(values / np.timedelta64(1, "D"))
    if not values.size:  # an empty list has no dtype of its own
        return np.empty(0)
    if values.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must hold numbers, but has dtype {values.dtype}, e.g. {_no_number(values)}; "
            "convert it (pandas.to_numeric; for dates as text pandas.to_datetime, then subtract)."
        )
    with np.errstate(over="ignore"):
        numbers = values.astype(np.float64)
    lost = np.isinf(numbers) & np.isfinite(values)
    if lost.any():
        raise ValueError(f"{name} holds {preview(values[lost])}, beyond float64; change the unit.")
    inexact = inexact_integers(values)
    if inexact.size:
        raise ValueError(
            f"{name} holds {preview(inexact)}, integers beyond 2 ** 53, which float64 cannot tell "
            "apart; subtract a constant, or change the unit."
        )
    return numbers


def _no_number(values: AnyArray) -> str:
    """Return the first value that is no number even as text, the first one if there is none."""
    for row, item in enumerate(values.tolist()):
        try:
            float(item)
        except (TypeError, ValueError, OverflowError):
            return f"{item!r} in row {row}"
    return f"{values[:1].tolist()[0]!r}"


def read_plain(name: str, data: Any) -> AnyArray:
    """Read a one-dimensional argument of numbers, durations or anything else but dates.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    data : array-like of shape (n_samples,)
        Values; missing ones and dates are refused, infinities are not.

    Returns
    -------
    ndarray of shape (n_samples,)
        The values in NumPy's own type where it has one, as for Python's durations.

    Examples
    --------
    >>> from datetime import timedelta
    >>> read_plain("time", [timedelta(hours=36), timedelta(days=2)]).dtype.kind
    'm'
    """
    values = _read_any(name, data).values
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, but has shape {values.shape}.")
    is_date = values.dtype.kind == "M"
    if values.dtype.kind == "O":
        values = _check_objects(name, values)
        is_date = any(isinstance(item, datetime.date) for item in values)
        if len(values) and all(isinstance(item, datetime.timedelta) for item in values):
            values = values.astype("timedelta64[us]")
    if values.dtype.kind in "mMf":
        _refuse_missing(name, np.isnan(values))
    if is_date:
        raise ValueError(f"{name} holds dates; subtract the date on which each row's clock starts.")
    return values


def read_array(name: str, data: Any) -> AnyArray:
    """Return an array of any shape, with its mask if it has one.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    data : array-like
        Rows of equal length.

    Returns
    -------
    ndarray
        The array.

    Examples
    --------
    >>> read_array("y", [[1, 2], [3]])
    Traceback (most recent call last):
    ValueError: y must have rows of equal length, but they differ: ...
    """
    if isinstance(data, np.ma.MaskedArray):
        return data
    try:
        return np.asarray(data)
    except ValueError as error:
        raise ValueError(
            f"{name} must have rows of equal length, but they differ: {error}"
        ) from error


def single_column(data: Any) -> Any:
    """Return the only column of a column vector, with scikit-learn's warning; else the data.

    Parameters
    ----------
    data : array-like
        A target. A frame or array of shape (n_samples, 1) is unpacked, so that an ordered
        categorical keeps its order.

    Returns
    -------
    array-like
        One value a row where that was possible.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     single_column([[1], [2]])
    array([1, 2])
    """
    if isinstance(data, (list, tuple)) and len(data) and count_dimensions(data[0]) == 1:
        data = read_array("y", data)
    shape: tuple[int, ...] = getattr(data, "shape", ())
    if len(shape) != 2 or shape[1] != 1:
        return data
    warn(
        "A column-vector y was passed when a 1d array was expected. Pass one value a row, "
        "e.g. with ravel().",
        DataConversionWarning,
    )
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return frame.get_column(frame.columns[0]).to_native()
    return data[:, 0]
