"""The named columns of structured arrays and data frames, and the order of their rows."""

from __future__ import annotations

import sys
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np


def read_frame(name: str, data: Any) -> dict[str, Any] | None:
    """Return the columns of a structured array or data frame, or None for other data.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    data : object
        A structured or record array, or a pandas, polars or pyarrow frame.

    Returns
    -------
    dict or None
        Columns by name, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> list(read_frame("y", np.zeros(2, dtype=[("event", "?"), ("time", "f8")])))
    ['event', 'time']
    """
    fields = getattr(getattr(data, "dtype", None), "names", None)
    if fields is not None:
        return _read_fields(name, data, fields)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame) and not data.columns.is_unique:
        raise ValueError(
            f"{name} is a data frame with columns of the same name: {data.columns.tolist()}."
        )
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    return {str(field): frame.get_column(field).to_native() for field in frame.columns}


def _read_fields(name: str, data: Any, fields: tuple[str, ...]) -> dict[str, Any]:
    if np.ndim(data) != 1:
        raise ValueError(
            f"{name} is a structured array of shape {np.shape(data)}; it must be one-dimensional."
        )
    plain = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    return {field: plain[field] for field in fields}


def check_row_order(**data: Any) -> None:
    """Refuse two pandas objects whose indexes hold the same rows in different orders.

    Parameters
    ----------
    **data : object
        Two arguments that are read row by row, under their names; only pandas objects have an
        index.

    Examples
    --------
    >>> import pandas as pd
    >>> event, time = pd.Series([1, 0]), pd.Series([5, 8])
    >>> check_row_order(event=event, time=time[::-1])
    Traceback (most recent call last):
    ValueError: event and time have the same index in different orders; ...
    """
    indexes: dict[str, Any] = {name: getattr(value, "index", None) for name, value in data.items()}
    (first, index), (second, other) = indexes.items()
    if not hasattr(index, "sort_values") or not hasattr(other, "sort_values"):
        return
    if not index.equals(other) and index.sort_values().equals(other.sort_values()):
        raise ValueError(
            f"{first} and {second} have the same index in different orders; rows are paired by "
            f"position, so give `{second}.loc[{first}.index]`, or reset the indexes."
        )
