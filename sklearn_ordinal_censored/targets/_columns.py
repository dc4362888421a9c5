"""Read one column from any container: list, NumPy, pandas, polars, pyarrow, anything array-like.

Data-frame libraries are read through narwhals, so that a nullable or dictionary-encoded column
means the same whichever of them it comes from. What comes out is a one-dimensional NumPy array of
numbers or of objects, without missing values, and the order of the categories where one is carried.
"""

from __future__ import annotations

import sys
import warnings
from numbers import Real
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.exceptions import DataConversionWarning

from sklearn_ordinal_censored._typing import AnyArray


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
    column = Column(name, data) if type(data) is np.ndarray else _read_container(name, data)
    values = column.values
    if values.ndim != 1:
        raise ValueError(
            f"{name} must be one-dimensional, but has shape {values.shape}. Give one value a row, "
            "e.g. `y.ravel()` of a single column."
        )
    return column._replace(values=_check_values(name, values))


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
        return pandas.Series(data)
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
        return _check_objects(name, values.astype(object))
    if kind != "f":
        hint = {"V": "A structured array is a censored target.", "c": "Complex data not supported."}
        raise ValueError(
            f"{name} has dtype {values.dtype}; give numbers or text. {hint.get(kind, '')}".rstrip()
        )
    _refuse_missing(name, np.isnan(values))
    if np.isinf(values).any():
        raise ValueError(f"{name} holds an infinite value; mend or drop those rows first.")
    return values


def _check_objects(name: str, values: AnyArray) -> AnyArray:
    import pandas as pd

    _refuse_missing(name, np.asarray(pd.isna(values)))
    n_text = sum(isinstance(item, (str, bytes)) for item in values)
    if all(isinstance(item, (Real, np.bool_)) for item in values) and len(values):
        return _check_values(name, np.array(values.tolist()))
    if 0 < n_text < len(values):
        kinds = sorted({type(item).__name__ for item in values})
        raise ValueError(f"{name} mixes text with other values ({', '.join(kinds)}); convert it.")
    return values


def _refuse_missing(name: str, missing: AnyArray) -> None:
    if missing.any():
        rows = np.flatnonzero(missing)
        raise ValueError(
            f"{name} has {len(rows)} missing value(s), the first in row {rows[0]}. "
            "Drop or impute those rows first."
        )


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
    if isinstance(data, (list, tuple)) and len(data) and np.ndim(data[0]) == 1:
        data = np.asarray(data)
    shape: tuple[int, ...] = getattr(data, "shape", ())
    if len(shape) != 2 or shape[1] != 1:
        return data
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Pass one value a row, "
        "e.g. with ravel().",
        DataConversionWarning,
        stacklevel=3,
    )
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    return frame[frame.columns[0]].to_native() if isinstance(frame, nw.DataFrame) else data[:, 0]
