"""The columns of a censored target: an event indicator, and times."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.targets._columns import read_column, read_numbers, read_plain
from sklearn_ordinal_censored.targets._groups import distinct_values
from sklearn_ordinal_censored.targets._inputs import preview

_MAX_CODES = 10  # more distinct values are times rather than event codes


def looks_like_codes(values: Any) -> bool:
    """Return whether a column holds a few whole numbers, or no numbers at all.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        A column.

    Returns
    -------
    bool
        False for what looks like times.

    Examples
    --------
    >>> looks_like_codes([0, 1, 2]), looks_like_codes([0.5, 3.0])
    (True, False)
    """
    plain = read_plain("y", values)
    if plain.dtype.kind not in "iuf":
        return True
    distinct = np.unique(plain)
    return len(distinct) <= _MAX_CODES and bool((distinct % 1 == 0).all())


def check_event(name: str, event: Any, time: Any = None) -> AnyArray:
    """Return an event indicator as booleans.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    event : array-like of shape (n_samples,)
        Booleans, or 0 and 1.
    time : array-like of shape (n_samples,), default=None
        The times, which show in the message whether the two are swapped.

    Returns
    -------
    ndarray of shape (n_samples,)
        Booleans.

    Examples
    --------
    >>> check_event("event", [1, 0])
    array([ True, False])
    """
    values = read_column(name, event).values
    if not values.size:
        return values.astype(bool)
    if values.dtype.kind in "biuf" and np.isin(values, (0, 1)).all():
        return values.astype(bool)
    found = distinct_values(values)
    is_number = values.dtype.kind in "iuf"
    cure = _cure_of_codes(found)
    if is_number and not looks_like_codes(values):
        cure = "these look like times: are event and time swapped?"
    elif (is_number or len(found) > 2) and _is_indicator(time):
        cure += " Or, if these are times: are event and time swapped?"
    raise ValueError(f"{name} must hold booleans or 0 and 1, but holds {preview(found)}; {cure}")


def _cure_of_codes(found: list[Any]) -> str:
    if len(found) == 2:
        either = " or ".join(f"`status == {code!r}`" for code in found)
        return f"compare it with the one that means that the event was seen: {either}."
    return (
        "compare it with the code that means that the event was seen, e.g. "
        f"`status == {found[-1]!r}` if that is it."
    )


def _is_indicator(time: Any) -> bool:
    values = None if time is None else read_plain("time", time)
    return (
        values is not None and values.dtype.kind in "biuf" and bool(np.isin(values, (0, 1)).all())
    )


def read_bounds(name: str, time: Any, hint: str = "give numbers") -> FloatArray:
    """Read times or bounds, which are never booleans.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    time : array-like of shape (n_samples,)
        Numbers, infinities included, or durations.
    hint : str, default="give numbers"
        What to do about booleans, for the message.

    Returns
    -------
    ndarray of shape (n_samples,)
        Numbers; durations in days.

    Examples
    --------
    >>> read_bounds("lower", [True, False])
    Traceback (most recent call last):
    ValueError: lower holds booleans, which are no times; give numbers.
    """
    if read_plain(name, time).dtype.kind == "b":
        raise ValueError(f"{name} holds booleans, which are no times; {hint}.")
    return read_numbers(name, time)


def check_time(name: str, time: Any) -> FloatArray:
    """Return times that are finite and not negative.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    time : array-like of shape (n_samples,)
        Numbers or durations.

    Returns
    -------
    ndarray of shape (n_samples,)
        Numbers; durations in days.

    Examples
    --------
    >>> check_time("time", [5, 8])
    array([5., 8.])
    """
    values = read_bounds(name, time, "are event and time swapped? If not, give numbers")
    rows = np.flatnonzero((values < 0) | np.isinf(values))
    if rows.size:
        negative = ((values < 0) & np.isfinite(values)).any()
        slip = "Was a date subtracted the wrong way round, or is it a typo? " if negative else ""
        raise ValueError(
            f"{name} must be finite and not negative, but holds {preview(values[rows])} in "
            f"{rows.size} row(s), the first in row {rows[0]}. {slip}Signed times are "
            "right_censored(t > 0, abs(t)); other bounds go through interval_censored."
        )
    return values
