"""Read a table of ratings, one row a unit and one column a rater, with gaps."""

from __future__ import annotations

from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.targets._columns import (
    Column,
    read_array,
    without_signals,
)
from sklearn_ordinal_censored.targets._frames import read_frame
from sklearn_ordinal_censored.targets._inputs import (
    EXACT,
    check_floats,
    preview,
)
from sklearn_ordinal_censored.targets._ordinal import Cures, consecutive_ranks

_INTERVAL = "use krippendorff_alpha(ratings, level='interval') for measurements."
_CURES = Cures(
    f"Round them, or {_INTERVAL}",
    f"Group them, or {_INTERVAL}",
    "If they are none, number the grades 1, 2, 3, ...",
)


def read_ratings(ratings: Any) -> FloatArray:
    """Read ratings as numbers.

    Parameters
    ----------
    ratings : array-like or data frame of shape (n_units, n_raters)
        Numbers; None, NaN, NA and masked values are gaps. Text, categoricals and infinities are
        refused.

    Returns
    -------
    ndarray of shape (n_units, n_raters)
        Ratings, NaN where one is missing.

    Examples
    --------
    >>> read_ratings([[1, 2], [3, None]])
    array([[ 1.,  2.],
           [ 3., nan]])
    >>> read_ratings([["low", "high"]])
    Traceback (most recent call last):
    ValueError: ratings holds 'low', 'high', which are no numbers; ...
    """
    frame = read_frame("ratings", ratings)
    if frame is not None:
        columns = [_numbers(_unpack(name, values)) for name, values in frame.items()]
        array = np.column_stack(columns) if columns else np.empty((0, 0))
    else:
        array = _numbers(read_array("ratings", ratings))
    if array.ndim != 2:
        raise ValueError(
            f"ratings must have one row a unit and one column a rater, but has shape {array.shape}."
            " Put the raters side by side, e.g. with numpy.column_stack."
        )
    if np.isnan(array).all():
        raise ValueError(f"ratings, of shape {array.shape}, holds no rating; give at least one.")
    bad = array[np.abs(array) > EXACT]
    if bad.size:
        raise ValueError(
            f"ratings holds {preview(bad)}; ratings must be finite, and not beyond 2**53, where "
            "float64 no longer tells whole numbers apart."
        )
    return array


def parse_ratings(ratings: Any) -> tuple[FloatArray, AnyArray]:
    """Read ratings as ranks on the scale of all integers from the lowest to the highest rating.

    Parameters
    ----------
    ratings : array-like or data frame of shape (n_units, n_raters)
        Whole numbers, with gaps.

    Returns
    -------
    ranks : ndarray of shape (n_units, n_raters)
        Ranks, NaN where a rating is missing.
    labels : ndarray of shape (n_classes,)
        The scale.

    Examples
    --------
    >>> parse_ratings([[3, 1], [None, 3]])
    (array([[ 2.,  0.],
           [nan,  2.]]), array([1, 2, 3]))
    """
    table = read_ratings(ratings)
    is_given = ~np.isnan(table)
    column = Column("ratings", table[is_given])
    (table[is_given],), scale = consecutive_ranks([column], cures=_CURES)
    return table, scale.astype(np.int64)


def _unpack(name: str, values: Any) -> AnyArray:
    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return read_array("ratings", series)
    if series.dtype in (nw.Categorical, nw.Enum):
        raise ValueError(
            f"ratings has a categorical in column {name!r}; give numbers: its codes, with NaN for "
            "the code -1 of a missing value."
        )
    return series.to_numpy()


def _numbers(values: AnyArray) -> FloatArray:
    import pandas as pd

    if isinstance(values, np.ma.MaskedArray):
        numbers = np.full(values.shape, np.nan)
        if values.count():
            numbers[~np.ma.getmaskarray(values)] = _numbers(values.compressed())
        return numbers
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    if values.dtype.kind == "O":
        missing = np.asarray(pd.isna(without_signals(values)))
        given = values[~missing]
        if all(isinstance(item, (Real, np.bool_)) for item in given):
            numbers = np.full(values.shape, np.nan)
            numbers[~missing] = check_floats("ratings", given)
            return numbers
        values = np.array([item for item in given if not isinstance(item, Real)], dtype=object)
    raise ValueError(
        f"ratings holds {preview(values.ravel())}, which are no numbers; number the grades, lowest "
        "first, e.g. with the `replace` or `map` of a data frame."
    )
