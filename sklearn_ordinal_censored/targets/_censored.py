"""Censored targets: any container in, a lower and an upper bound for every time out.

An event at ``t`` is ``(t, t)``, a row censored at ``t`` is ``(t, inf)``. Fields are recognised by
what they hold, not by their place: of two fields, the one with booleans or 0/1 is the event. What
could be read in two ways is refused with the call that says which is meant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, FloatArray
from sklearn_ordinal_censored.targets._columns import (
    read_array,
    read_column,
    read_numbers,
    read_plain,
)
from sklearn_ordinal_censored.targets._event_times import (
    check_event,
    check_time,
    looks_like_codes,
    read_bounds,
)
from sklearn_ordinal_censored.targets._frames import check_row_order, read_frame
from sklearn_ordinal_censored.targets._groups import distinct_values
from sklearn_ordinal_censored.targets._inputs import check_same_length, preview

_BUILDERS = "right_censored(event, time) or interval_censored(lower, upper)"
_BOUND_NAMES = {frozenset(pair) for pair in (("left", "right"), ("start", "stop"))}
_TIME_NAMES = {"duration", "days", "weeks", "months", "years", "t"}


def right_censored(event: Any, time: Any) -> AnyArray:
    """Build a right-censored target.

    Parameters
    ----------
    event : array-like of shape (n_samples,)
        Whether the event was seen: booleans, or 0 and 1. Other codes are refused; choose the cause
        of interest among competing ones, e.g. ``status == 1``.
    time : array-like of shape (n_samples,)
        Time of the event or of the end of observation: finite, not negative. Durations become days;
        dates are refused.

    Returns
    -------
    structured ndarray of shape (n_samples,)
        Fields ``event`` (bool) and ``time`` (float).

    Raises
    ------
    ValueError
        If a value is missing or refused; the message shows it.

    See Also
    --------
    interval_censored : For bounds on both sides.

    Notes
    -----
    Delayed entry is a further field named ``entry``: in a data frame with an event and a time a
    third column of that name, in a structured array a field added to it.

    Examples
    --------
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> right_censored([1, 0], [5, 8])
    array([( True, 5.), (False, 8.)], dtype=[('event', '?'), ('time', '<f8')])
    """
    check_row_order(event=event, time=time)
    seen, times = check_event("event", event, time), check_time("time", time)
    check_same_length(event=len(seen), time=len(times))
    return _structured(event=seen, time=times)


def interval_censored(lower: Any, upper: Any) -> AnyArray:
    """Build a target of lower and upper bounds.

    Parameters
    ----------
    lower : array-like of shape (n_samples,)
        Lower bound, not part of the interval; minus infinity for left-censored rows.
    upper : array-like of shape (n_samples,)
        Upper bound, part of the interval; infinity for right-censored rows. Equal bounds stand for
        an exact time.

    Returns
    -------
    structured ndarray of shape (n_samples,)
        Fields ``lower`` and ``upper`` (float).

    Raises
    ------
    ValueError
        If a lower bound is above its upper bound, or neither is finite.

    See Also
    --------
    right_censored : For an event indicator and a time.

    Examples
    --------
    Exact, right-censored, left-censored, between 6 and 9:

    >>> import numpy as np
    >>> from sklearn_ordinal_censored.targets import interval_censored
    >>> interval_censored([5, 8, -np.inf, 6], [5, np.inf, 4, 9])["upper"]
    array([ 5., inf,  4.,  9.])
    """
    check_row_order(lower=lower, upper=upper)
    target = _from_bounds(lower, upper)
    return _structured(lower=target.lower, upper=target.upper)


def from_censoring_codes(time: Any, codes: Any) -> AnyArray:
    """Build a target from times and censoring codes.

    Parameters
    ----------
    time : array-like of shape (n_samples,)
        Finite times.
    codes : array-like of shape (n_samples,)
        0 for an exact time, 1 for right-censored (later), -1 for left-censored (at or before). This
        is not an event column, where 1 is an event: see :func:`right_censored`.

    Returns
    -------
    structured ndarray of shape (n_samples,)
        Fields ``lower`` and ``upper``.

    Raises
    ------
    ValueError
        If a code is none of the three, or a time is not finite.

    See Also
    --------
    interval_censored : From the bounds themselves.

    Examples
    --------
    >>> from sklearn_ordinal_censored.targets import from_censoring_codes
    >>> from_censoring_codes([2.0, 3.0, 4.0], [0, 1, -1]).tolist()
    [(2.0, 2.0), (3.0, inf), (-inf, 4.0)]
    """
    times, kind = read_bounds("time", time), read_numbers("codes", codes)
    if read_plain("codes", codes).dtype.kind == "b":
        raise ValueError(
            "codes holds booleans, which say whether an event was seen, not which kind of "
            "censoring it was; use right_censored(event, time)."
        )
    check_same_length(time=len(times), codes=len(kind))
    stray = kind[~np.isin(kind, (-1, 0, 1))]
    if stray.size:
        raise ValueError(
            f"codes holds {preview(stray)}; use 0 (exact), 1 (right-censored), -1 (left-censored)."
        )
    if np.isinf(times).any():
        raise ValueError(f"time holds {preview(times[np.isinf(times)])}; give finite times.")
    return interval_censored(np.where(kind < 0, -np.inf, times), np.where(kind > 0, np.inf, times))


def as_right_censored(y: Any) -> AnyArray:
    """Convert any censored target without left- or interval-censored rows to event and time.

    Parameters
    ----------
    y : censored target of shape (n_samples,)
        A structured array, a data frame or an array of bounds.

    Returns
    -------
    structured ndarray of shape (n_samples,)
        Fields ``event`` and ``time``, and ``entry`` if the target has it.

    Raises
    ------
    ValueError
        If rows are left- or interval-censored, or a time is negative; the message names them.

    See Also
    --------
    right_censored : From event and time.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal_censored.targets import as_right_censored
    >>> as_right_censored(np.array([[5, 5], [8, np.inf]])).tolist()
    [(True, 5.0), (False, 8.0)]
    """
    target = parse_right_censored("y", y)
    fields = {"event": target.is_exact, "time": check_time("y", target.lower)}
    return _structured(**fields, **({} if target.entry is None else {"entry": target.entry}))


def parse_censored(name: str, y: Any) -> CensoredTarget:
    """Read a censored target from any container.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    y : censored target of shape (n_samples,)
        A structured or record array or a data frame with an event and a time, or with ``lower`` and
        ``upper``, and perhaps ``entry``; or a plain array of bounds of shape (n_samples, 2).

    Returns
    -------
    CensoredTarget
        Bounds.

    Examples
    --------
    >>> import pandas as pd
    >>> parse_censored("y", pd.DataFrame({"months": [5, 8], "dead": [True, False]})).upper
    array([ 5., inf])
    """
    if y is None:
        raise ValueError(f"{name} is None; build a censored target with {_BUILDERS}.")
    columns = None if isinstance(y, (list, tuple)) else read_frame(name, y)
    if columns is None:
        return _from_matrix(name, y)
    if not columns:
        raise ValueError(f"{name} has no columns; build a censored target with {_BUILDERS}.")
    check_same_length(**{name: len(next(iter(columns.values())))})
    entry = columns.pop("entry", None)
    if set(columns) == {"lower", "upper"}:
        target = _from_bounds(columns["lower"], columns["upper"])
    else:
        event, time = _find_event(name, columns)
        times = check_time(f"{name}[{time!r}]", columns[time])
        seen = check_event(f"{name}[{event!r}]", columns[event])
        target = CensoredTarget(times, np.where(seen, times, np.inf))
    return target if entry is None else target._replace(entry=_check_entry(name, entry, target))


def refuse_entry(name: str, target: CensoredTarget, why: str) -> None:
    """Refuse rows that came under observation late.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    target : CensoredTarget
        Bounds.
    why : str
        What rules late entries out, and what to use instead.

    Examples
    --------
    >>> one = np.ones(1)
    >>> refuse_entry("y", CensoredTarget(one, one, 0 * one), "this knows no late entry")
    Traceback (most recent call last):
    ValueError: y has a field 'entry', but this knows no late entry. Leave the field out if nobody
    entered late.
    """
    if target.entry is not None:
        raise ValueError(
            f"{name} has a field 'entry', but {why}. Leave the field out if nobody entered late."
        )


def parse_right_censored(name: str, y: Any) -> CensoredTarget:
    """Read a censored target whose rows are exact or right-censored.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    y : censored target of shape (n_samples,)
        As :func:`parse_censored` reads it; left- and interval-censored rows are refused.

    Returns
    -------
    CensoredTarget
        Bounds.

    Examples
    --------
    >>> parse_right_censored("y", [[0, 4], [5, 5]])
    Traceback (most recent call last):
    ValueError: y has 1 left-censored and 0 interval-censored rows, the first in row 0...
    """
    target = parse_censored(name, y)
    stray = np.flatnonzero(~(target.is_exact | target.is_right))
    if stray.size:
        n_left = int(target.is_left.sum())
        raise ValueError(
            f"{name} has {n_left} left-censored and {stray.size - n_left} interval-censored rows, "
            f"the first in row {stray[0]}; here every row must be exact or right-censored."
        )
    return target


def _structured(**fields: AnyArray) -> AnyArray:
    dtype = [(name, values.dtype) for name, values in fields.items()]
    array = np.empty(len(next(iter(fields.values()))), dtype=dtype)
    for name, values in fields.items():
        array[name] = values
    return array


def _from_matrix(name: str, y: Any) -> CensoredTarget:
    values = read_array(name, y)
    if isinstance(y, tuple) or values.ndim != 2 or values.shape[1] != 2:
        found = "a tuple" if isinstance(y, tuple) else f"of shape {values.shape}"
        raise ValueError(
            f"{name} is {found} and carries no censoring information; build a target with "
            f"{_BUILDERS}."
        )
    check_same_length(**{name: len(values)})
    lower, upper = read_numbers(name, values[:, 0]), read_numbers(name, values[:, 1])
    if any(np.isin(column, (0, 1)).all() for column in (lower, upper)):
        raise ValueError(
            f"{name} has a column of 0 and 1 only, so it may hold events and times or bounds; say "
            f"which with {_BUILDERS}."
        )
    return _from_bounds(lower, upper)


def _from_bounds(lower: ArrayLike, upper: ArrayLike) -> CensoredTarget:
    try:
        low, high = read_bounds("lower", lower), read_bounds("upper", upper)
    except ValueError as error:
        if "missing value" not in str(error) and "2 ** 53" not in str(error):
            raise
        cure = "What stands for no bound is inf as an upper and -inf as a lower bound."
        raise ValueError(f"{error} {cure}") from None
    check_same_length(lower=len(low), upper=len(high))
    problems = {
        "lower is above upper": low > high,
        "neither bound is finite": np.isinf(low) & np.isinf(high),
        "lower is infinity": np.isposinf(low),
        "upper is minus infinity": np.isneginf(high),
    }
    for problem, bad in problems.items():
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise ValueError(
                f"{problem} in {bad.sum()} row(s), first in row {row}: ({low[row]}, {high[row]}]. "
                "Equal bounds stand for an exact time, an infinite upper one for right-censoring."
            )
    return CensoredTarget(low, high)


def _find_event(name: str, columns: dict[str, Any]) -> tuple[str, str]:
    """Return the names of the event and the time field."""
    if len(columns) != 2:
        raise ValueError(
            f"{name} has the fields {list(columns)}, but needs two, an event and a time (perhaps "
            f"'entry'), or 'lower' and 'upper'. Choose them with {_BUILDERS}."
        )
    if frozenset(field.lower() for field in columns) in _BOUND_NAMES:
        first, second = columns
        raise ValueError(
            f"{name} has the fields {[first, second]}, whose names are those of bounds; build the "
            f"target with interval_censored(y[{first!r}], y[{second!r}])."
        )
    kinds = {
        field: _kind_of_field(f"{name}[{field!r}]", values) for field, values in columns.items()
    }
    for wanted in ("bool", "binary"):
        events = [field for field, kind in kinds.items() if kind == wanted]
        if len(events) == 1:
            (time,) = set(columns) - set(events)
            if kinds[time] == "binary":
                _refuse_swapped(name, events[0], time, columns)
            return events[0], time
    raise ValueError(_ambiguous(name, columns))


def _refuse_swapped(name: str, event: str, time: str, columns: dict[str, Any]) -> None:
    """Refuse booleans with the name of a time beside a field of 0 and 1."""
    if not _names_a_time(event) or _names_a_time(time):
        return
    kinds = {field: np.asarray(values).dtype for field, values in columns.items()}
    shown = " and ".join(f"{field!r} ({kind})" for field, kind in kinds.items())
    raise ValueError(
        f"{name} has the fields {shown}: {event!r} holds booleans, which are no times, and "
        f"{time!r} only 0 and 1; are event and time swapped, or the times lost to a dtype? Build "
        "the target from the data with right_censored(event, time)."
    )


def _names_a_time(field: str) -> bool:
    name = field.lower()
    return name in _TIME_NAMES or name.endswith("_time") or name.startswith("time")


def _kind_of_field(name: str, values: Any) -> str:
    raw = read_plain(name, values)
    if raw.dtype.kind == "m":
        return "number"
    raw = read_column(name, raw).values
    if raw.dtype.kind == "b":
        return "bool"
    if raw.dtype.kind not in "iuf":
        return "other"
    return "binary" if ((raw == 0) | (raw == 1)).all() else "number"


def _ambiguous(name: str, columns: dict[str, Any]) -> str:
    shown = "; ".join(
        f"{field!r} holds {preview(distinct_values(np.asarray(values)))}"
        for field, values in columns.items()
    )
    text = f"{name} must have exactly one field of booleans or 0/1, but {shown}."
    codes = [field for field, values in columns.items() if looks_like_codes(values)]
    if len(codes) == 1:
        (time,) = set(columns) - set(codes)
        plain = read_plain(name, columns[codes[0]])
        if plain.dtype.kind not in "biuf":
            code = distinct_values(plain)[-1]
            return (
                f"{text} Compare {codes[0]!r} with the value of the event: "
                f"right_censored(y[{codes[0]!r}] == {code!r}, y[{time!r}]) if that is it."
            )
        return (
            f"{text} If {codes[0]!r} holds event codes (competing risks), choose the cause of "
            f"interest: right_censored(y[{codes[0]!r}] == 1, y[{time!r}]) if its code is 1."
        )
    return f"{text} Say which field is what with {_BUILDERS}."


def _check_entry(name: str, entry: Any, target: CensoredTarget) -> FloatArray:
    values = read_bounds(f"{name}['entry']", entry)
    end = np.where(target.is_right, target.lower, target.upper)
    bad = ~(values < end) | np.isinf(values)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"{name}['entry'] must be finite and before the time of its row, but in {bad.sum()} "
            f"row(s) is not, the first is row {row}: {values[row]} against {end[row]}."
        )
    return values
