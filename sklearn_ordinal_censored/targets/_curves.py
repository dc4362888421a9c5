"""Predictions at several times: arrays, data frames or step functions in, one column a time out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.targets._columns import read_array, read_numbers
from sklearn_ordinal_censored.targets._inputs import (
    ROUNDING,
    check_floats,
    count_dimensions,
    preview,
)

_CELLS = 2**17  # of a block of rows, so that it stays in the cache


def read_times(times: Any, *, may_be_empty: bool = False) -> FloatArray:
    """Read the times at which curves are evaluated.

    Parameters
    ----------
    times : array-like of shape (n_times,)
        Finite numbers, or durations, which become days; in any order, perhaps repeated.
    may_be_empty : bool, default=False
        Whether there may be none.

    Returns
    -------
    ndarray of shape (n_times,)
        The times in the same order.

    Raises
    ------
    ValueError
        If there is none, or one is missing or infinite.

    Examples
    --------
    >>> read_times([5, 3, 5])
    array([5., 3., 5.])
    """
    if times is not None and not isinstance(times, str) and count_dimensions(times) == 0:
        raise ValueError(f"times={times!r} is a single value; give times=[{times!r}].")
    values = read_numbers("times", times)
    if values.size == 0 and not may_be_empty:
        raise ValueError("times is empty; give at least one time.")
    infinite = values[np.isinf(values)]
    if infinite.size:
        raise ValueError(f"times must be finite, but holds {preview(infinite)}.")
    return values


def read_curves(
    y_proba: Any,
    times: FloatArray,
    n_samples: int,
    weight: FloatArray | None = None,
    *,
    name: str = "y_proba",
) -> FloatArray:
    """Read predicted survival probabilities, one column a time.

    Parameters
    ----------
    y_proba : array-like of shape (n_samples, n_times)
        What :func:`read_by_time` reads: ``y_proba[:, k]`` is ``P(T > times[k])``.
    times : ndarray of shape (n_times,)
        The times, in any order.
    n_samples : int
        Number of rows.
    weight : ndarray of shape (n_samples,) or None, default=None
        Row weights.
    name : str, default="y_proba"
        The argument's name, for messages.

    Returns
    -------
    ndarray of shape (n_samples, n_times)
        The probabilities in the order of ``times``; the caller's array where it is one of float64.

    Raises
    ------
    ValueError
        If a value is no probability, or the shape or the labels do not fit ``times``.

    Notes
    -----
    Values beyond 0 and 1 by rounding, up to 1e-6, are taken as they are. Rows that increase with
    time by more than that come with a warning, unless their weight is 0.

    Examples
    --------
    >>> read_curves([[0.9, 0.4]], np.array([1.0, 2.0]), 1)
    array([[0.9, 0.4]])
    >>> read_curves([[0.9, 1.4]], np.array([1.0, 2.0]), 1)
    Traceback (most recent call last):
    ValueError: y_proba must hold probabilities from 0 to 1, but holds 1.4 in row 0 at time 2.0...
    """
    curves = _read_floats(name, y_proba, times, n_samples)
    _check_curves(name, curves, times, weight)
    _check_repeated(name, curves, times)
    return curves


def read_by_time(name: str, values: Any, times: FloatArray, n_samples: int) -> FloatArray:
    """Read finite predictions, one column a time.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    values : array-like of shape (n_samples, n_times)
        An array, one column a time; for a single time also of shape (n_samples,). Or a data frame
        whose columns are ``times``, or whose index is. Or one function of time a row, such as the
        step functions of scikit-survival.
    times : ndarray of shape (n_times,)
        The times.
    n_samples : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n_samples, n_times)
        The predictions in the order of ``times``.

    Raises
    ------
    ValueError
        If a value is missing or infinite, the shape is another one, the labels of a data frame are
        not ``times``, or a time is given twice with different values.

    Notes
    -----
    A function with a ``domain`` is evaluated inside it: before it at its first time, after it at
    its last. Step functions of scikit-survival end at the last training time, and raise beyond.

    Examples
    --------
    >>> import pandas as pd
    >>> by_row = pd.DataFrame([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]], index=[1.0, 2.0])
    >>> read_by_time("y_proba", by_row, np.array([1.0, 2.0]), 3)
    array([[0.9, 0.5],
           [0.8, 0.4],
           [0.7, 0.3]])
    >>> read_by_time("y_proba", [lambda t: 1 - t / 10], np.array([2.0, 4.0]), 1)
    array([[0.8, 0.6]])
    """
    array = _read_floats(name, values, times, n_samples)
    if not (np.isfinite(array.min()) and np.isfinite(array.max())):
        check_floats(name, array, ndim=2)
    _check_repeated(name, array, times)
    return array


def _read_floats(name: str, values: Any, times: FloatArray, n_samples: int) -> FloatArray:
    """Read predictions that may not be finite, without a copy where they are float64."""
    functions = as_functions(values)
    if functions is not None:
        array = np.array([_evaluate(name, function, times) for function in functions])
    else:
        array = _read_table(name, values, times)
    array = _check_shape(name, array, (n_samples, len(times)))
    if array.dtype != np.float64 or np.ma.is_masked(array):
        array = check_floats(name, array, ndim=2)
    return np.asarray(array)


def as_functions(values: Any) -> Sequence[Any] | None:
    """Return one function a row, or None for other predictions.

    Parameters
    ----------
    values : object
        Predictions.

    Returns
    -------
    sequence of callable or None
        The functions.

    Examples
    --------
    >>> as_functions([0.5, 0.7]) is None
    True
    """
    if getattr(values, "dtype", None) == np.dtype("O") and np.ndim(values) == 1:
        values = list(values)
    if not isinstance(values, (list, tuple)) or not values:
        return None
    return values if all(callable(item) for item in values) else None


def _evaluate(name: str, function: Any, times: FloatArray) -> FloatArray:
    domain = getattr(function, "domain", None)
    asked = times if domain is None else np.clip(times, *domain)
    found = np.ravel(np.asarray(function(asked)))
    if found.shape != times.shape:
        raise ValueError(
            f"{name} holds a function that returns {found.size} values for {times.size} times."
        )
    return found


def _read_table(name: str, values: Any, times: FloatArray) -> AnyArray:
    """Return an array as it is, and a data frame turned so that its times are columns."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, pandas.DataFrame):
        labels = {"columns": values.columns, "index": values.index}
        array: AnyArray = values.to_numpy()
        return array if _axis_of_times(name, labels, times) == "columns" else array.T
    frame = nw.from_native(values, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return read_array(name, values)
    _axis_of_times(name, {"columns": frame.columns}, times)
    return frame.to_numpy()


def _axis_of_times(name: str, labels: Mapping[str, Any], times: FloatArray) -> str:
    fitting = [axis for axis, names in labels.items() if _are_times(names, times)]
    # The row numbers of a frame without an index of its own may be the times by chance.
    is_default = type(labels.get("index")).__name__ == "RangeIndex"
    if fitting == ["index"] and is_default and len(labels["columns"]) == len(times):
        raise ValueError(
            f"The data frame {name} is square and its row numbers happen to be `times`, "
            f"{preview(times)}: its rows may be samples or times. Name its columns by the times, "
            "or give an array of shape (n_samples, n_times)."
        )
    if len(fitting) == 1:
        return fitting[0]
    found = "; ".join(f"its {axis}: {preview(list(names))}" for axis, names in labels.items())
    problem = "on both sides" if fitting else "nowhere"
    raise ValueError(
        f"The data frame {name} has `times`, {preview(times)}, {problem} ({found}). Its columns or "
        "its index must be exactly these times, in this order; or give an array of shape "
        "(n_samples, n_times)."
    )


def _are_times(names: Any, times: FloatArray) -> bool:
    if len(names) != len(times):
        return False
    try:
        numbers = read_numbers("labels", names)
    except ValueError:
        try:
            numbers = np.array([float(name) for name in names])
        except (TypeError, ValueError):
            return False
    return bool((numbers == times).all())


def _check_shape(name: str, array: AnyArray, shape: tuple[int, int]) -> AnyArray:
    if array.shape == shape[:1] and shape[1] == 1:
        return array[:, np.newaxis]
    if array.shape != shape:
        turned = array.shape == shape[::-1]
        hint = f" It has one column a row: give `{name}.T`." if turned else ""
        if array.shape == shape[:1]:
            hint = (
                " One time or risk a row is for cumulative_dynamic_auc (score='auc' in a display) "
                "and the concordances."
            )
        raise ValueError(
            f"{name} must have the shape (n_samples, n_times) = {shape}, but has {array.shape}."
            f"{hint}"
        )
    return array


def _check_repeated(name: str, array: FloatArray, times: FloatArray) -> None:
    order = np.argsort(times, kind="stable")
    for first, second in pairwise(order):
        if times[first] == times[second] and (array[:, first] != array[:, second]).any():
            raise ValueError(
                f"{name} has different values in columns {first} and {second}, but `times` is "
                f"{times[first]} for both."
            )


def _check_curves(
    name: str, curves: FloatArray, times: FloatArray, weight: FloatArray | None
) -> None:
    """Refuse values that are no probabilities, and warn of rows that increase with time."""
    order = np.argsort(times, kind="stable")
    is_sorted = bool((np.diff(order) > 0).all())
    n_rows, first = 0, None
    size = max(1, _CELLS // len(times))
    for start in range(0, len(curves), size):
        block = curves[start : start + size]
        if not (block.min() >= -ROUNDING and block.max() <= 1 + ROUNDING):
            check_probabilities(curves, times, name=name)
        step = np.diff(block if is_sorted else block[:, order])
        if step.max(initial=0.0) > ROUNDING:
            counts = True if weight is None else weight[start : start + size, np.newaxis] > 0
            rows, columns = np.nonzero((step > ROUNDING) & counts)
            n_rows += len(np.unique(rows))
            if rows.size:
                first = first or (start + rows[0], *order[columns[0] : columns[0] + 2])
    if first is not None:
        _warn_of_increase(name, curves, times, n_rows, first)


def check_probabilities(
    proba: FloatArray, times: FloatArray | None = None, *, name: str = "y_proba"
) -> None:
    """Refuse what is no probability, up to rounding.

    Parameters
    ----------
    proba : ndarray of shape (n_samples,) or (n_samples, n_columns)
        Survival probabilities.
    times : ndarray of shape (n_columns,) or None, default=None
        The times of the columns, for the message.
    name : str, default="y_proba"
        The argument's name, for messages.

    Examples
    --------
    >>> check_probabilities(np.array([0.4, 1.4]))
    Traceback (most recent call last):
    ValueError: y_proba must hold probabilities from 0 to 1, but holds 1.4 in row 1...
    """
    check_floats(name, proba, ndim=proba.ndim)
    outside = (proba < -ROUNDING) | (proba > 1 + ROUNDING)
    if outside.any():
        row, *column = np.argwhere(outside)[0]
        moment = "" if times is None else f" at time {times[column[0]]}"
        raise ValueError(
            f"{name} must hold probabilities from 0 to 1, but holds {proba[outside][0]} in row "
            f"{row}{moment} ({outside.sum()} of {proba.size} values). It is P(T > t), neither a "
            "risk nor a time."
        )


def _warn_of_increase(
    name: str, curves: FloatArray, times: FloatArray, n_rows: int, first: tuple[int, ...]
) -> None:
    row, before, after = first
    looks = "a survival curve cannot rise"
    if 2 * n_rows > len(curves):
        looks = "it looks like a distribution function, not a survival curve"
    square = f" Or its rows are times: give `{name}.T`." * (len(curves) == len(times))
    warn(
        f"{name} increases with time in {n_rows} of {len(curves)} rows, first in row {row} from "
        f"{curves[row, before]} at {times[before]} to {curves[row, after]} at {times[after]}: "
        f"{looks}. {name}[:, k] must be P(T > times[k]).{square}"
    )
