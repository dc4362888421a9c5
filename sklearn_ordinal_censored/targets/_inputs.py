"""Checks that every family of metrics shares, and the one path for undefined values.

A check returns the canonical array or raises a ``ValueError`` that names the argument, shows
what was found and says what to do about it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from datetime import timedelta
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, FloatArray

_SHOWN = 5  # values quoted in a message
EXACT = 2**53  # beyond it float64 no longer holds every integer
ROUNDING = 1e-6  # what sums and differences of probabilities in single precision may be off by
_MOST = 2**40  # rows, samples or repeats
_MAX_BINS = 10_000  # more look like a number of rows, and no picture shows them


def preview(values: Iterable[Any] | AnyArray) -> str:
    """Return the first few distinct values as text for a message.

    Parameters
    ----------
    values : iterable
        The offending values.

    Returns
    -------
    str
        At most five distinct values, comma separated.

    Examples
    --------
    >>> preview([3, 3, 1])
    '3, 1'
    """
    items = values.tolist() if isinstance(values, np.ndarray) else values
    distinct = list(dict.fromkeys(repr(item) for item in items))
    return ", ".join(distinct[:_SHOWN]) + (", ..." if len(distinct) > _SHOWN else "")


def check_option(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Refuse a keyword that is none of the allowed choices.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What the caller gave.
    allowed : collection
        The choices.

    Examples
    --------
    >>> check_option("average", "weighted", ("micro", "macro"))
    Traceback (most recent call last):
    ValueError: average='weighted' is not known; use one of 'micro', 'macro'.
    """
    # An array compares element by element, so it must not reach the `in` test.
    if not isinstance(value, (str, type(None))) or value not in allowed:
        raise ValueError(f"{name}={value!r} is not known; use one of {preview(list(allowed))}.")


def check_flag(name: str, value: Any) -> bool:
    """Return a truth value.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What the caller gave.

    Returns
    -------
    bool
        The value.

    Examples
    --------
    >>> check_flag("normalize", 1)
    Traceback (most recent call last):
    ValueError: normalize=1 must be True or False.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}={value!r} must be True or False.")
    return bool(value)


def check_number(
    name: str,
    value: Any,
    *,
    minimum: float,
    maximum: float = math.inf,
    closed: str = "both",
    hint: str = "",
) -> float:
    """Return a finite number within an interval.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What the caller gave.
    minimum, maximum : float
        Ends of the interval.
    closed : {"both", "left", "neither"}, default="both"
        Which of the ends are allowed themselves.
    hint : str, default=""
        What to add to the message.

    Returns
    -------
    float
        The number.

    Examples
    --------
    >>> check_number("tolerance", 1, minimum=0)
    1.0
    >>> check_number("censoring_rate", 1, minimum=0, maximum=1, closed="left")
    Traceback (most recent call last):
    ValueError: censoring_rate=1 must be a finite number, at least 0 and below 1.
    """
    refuse_duration(name, value)
    number = as_float(value)
    excluded = {"both": (), "left": (maximum,), "neither": (minimum, maximum)}[closed]
    if not minimum <= number <= maximum or number in (*excluded, math.inf):
        ends = f", {'above' if minimum in excluded else 'at least'} {minimum}"
        if maximum < math.inf:
            ends += f" and {'below' if maximum in excluded else 'at most'} {maximum}"
        raise ValueError(f"{name}={value!r} must be a finite number{ends}{hint}.")
    return number


def as_float(value: Any) -> float:
    """Return a number as float64, NaN where it is none.

    Parameters
    ----------
    value : object
        What the caller gave; a truth value is no number.

    Returns
    -------
    float
        The number, infinite where it is beyond float64.

    Examples
    --------
    >>> as_float(10**400), as_float("1")
    (inf, nan)
    """
    if not isinstance(value, Real) or isinstance(value, (bool, np.timedelta64)):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # whole numbers of Python have no end
        number: Any = value
        return math.inf if number > 0 else -math.inf


def refuse_duration(name: str, value: Any) -> None:
    """Refuse a duration where a plain number is needed.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What the caller gave. To NumPy a duration is a whole number.

    Examples
    --------
    >>> refuse_duration("scale", np.timedelta64(2, "D"))
    Traceback (most recent call last):
    ValueError: scale=...2...'D'... is a duration; give a plain number.
    """
    if isinstance(value, (np.timedelta64, timedelta)):
        raise ValueError(f"{name}={value!r} is a duration; give a plain number.")


def check_count(name: str, value: Any, *, minimum: int = 1, maximum: int = _MOST) -> int:
    """Return a whole number within bounds.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What the caller gave.
    minimum, maximum : int
        The smallest and the largest value allowed; by default 1, and what memory could hold.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> check_count("n_classes", 5)
    5
    >>> check_count("n_classes", 2.5)
    Traceback (most recent call last):
    ValueError: n_classes=2.5 must be a whole number, at least 1.
    """
    refuse_duration(name, value)
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if is_whole and minimum <= value <= maximum:
        return int(value)
    is_high = is_whole and value > maximum
    ends = f" from {minimum} to {maximum}" if is_high else f", at least {minimum}"
    raise ValueError(f"{name}={value!r} must be a whole number{ends}.")


def check_bins(n_bins: Any, minimum: int = 1) -> int:
    """Return a number of bins.

    Parameters
    ----------
    n_bins : object
        What the caller gave.
    minimum : int, default=1
        The smallest number allowed.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> check_bins(20_000)
    Traceback (most recent call last):
    ValueError: n_bins=20000 must be a whole number from 1 to 10000.
    """
    return check_count("n_bins", n_bins, minimum=minimum, maximum=_MAX_BINS)


def check_verbose(verbose: Any) -> int:
    """Return how much is to be printed of the progress of a long loop.

    Parameters
    ----------
    verbose : object
        What the caller gave: a bool, or a whole number from 0 on, as for scikit-learn.

    Returns
    -------
    int
        0 for silence.

    Examples
    --------
    >>> check_verbose(-1)
    Traceback (most recent call last):
    ValueError: verbose=-1 must be a whole number, at least 0.
    """
    is_flag = isinstance(verbose, (bool, np.bool_))
    return int(verbose) if is_flag else check_count("verbose", verbose, minimum=0)


def check_confidence_level(confidence_level: Any) -> float:
    """Return a confidence level, which lies between 0 and 1.

    Parameters
    ----------
    confidence_level : object
        What the caller gave.

    Returns
    -------
    float
        The level.

    Examples
    --------
    >>> check_confidence_level(95)
    Traceback (most recent call last):
    ValueError: confidence_level=95 must be between 0 and 1, e.g. 0.95.
    """
    level = check_number("confidence_level", confidence_level, minimum=0)
    if not 0 < level < 1:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be between 0 and 1, e.g. 0.95."
        )
    return level


def check_floats(name: str, values: ArrayLike, *, ndim: int = 1) -> FloatArray:
    """Return finite numbers as a float64 array of the wanted number of dimensions.

    Parameters
    ----------
    name : str
        The argument's name.
    values : array-like
        Numbers; NaN, infinities and text are refused.
    ndim : int, default=1
        Number of dimensions that the array must have.

    Returns
    -------
    ndarray of float64
        The same numbers.

    Examples
    --------
    >>> check_floats("y_score", [0.5, 1])
    array([0.5, 1. ])
    >>> check_floats("y_score", [0.5, float("nan")])
    Traceback (most recent call last):
    ValueError: y_score must be finite, but holds nan (1 of 2 values)...
    """
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values. Drop or impute those rows first.")
    try:
        array = _real_numbers(np.asarray(values))
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold plain real numbers: {error}.") from error
    if array.ndim != ndim:
        raise ValueError(
            f"{name} must have {ndim} dimension(s), but has shape {array.shape}."
            + " Give the expected rank of probabilities." * (name == "y_score" and ndim == 1)
        )
    bad = array[~np.isfinite(array)]
    if bad.size:
        raise ValueError(
            f"{name} must be finite, but holds {preview(bad)} ({bad.size} of {array.size} values). "
            f"{_cure(name, bad)}"
        )
    return array


def count_dimensions(values: Any) -> int:
    """Return the number of dimensions of an array-like.

    Parameters
    ----------
    values : array-like
        What the caller gave.

    Returns
    -------
    int
        The number; 1 for ragged rows, which a check then refuses under the argument's name.

    Examples
    --------
    >>> count_dimensions([[1, 2]]), count_dimensions([[1], [2, 3]])
    (2, 1)
    """
    try:
        return int(np.ndim(values))
    except (TypeError, ValueError):
        return 1


def _cure(name: str, bad: FloatArray) -> str:
    if name.startswith("y_pred") and np.isinf(bad).all():
        return (
            "A median beyond the end of a curve has no finite value: predict a restricted mean or "
            "another finite time."
        )
    return "Drop or impute those rows first."


def _real_numbers(array: AnyArray) -> FloatArray:
    # NumPy would convert digits in text, dates and complex numbers without an error.
    is_text = array.dtype == object and any(isinstance(item, (str, bytes)) for item in array.flat)
    if is_text or array.dtype.kind not in "biufO":
        text = (
            "; convert text with pandas.to_numeric" if is_text or array.dtype.kind in "US" else ""
        )
        raise TypeError(f"{preview(array.ravel())} of dtype {array.dtype}{text}")
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes an infinity
        numbers = array.astype(np.float64)
    lost = inexact_integers(array)
    if lost.size:
        raise ValueError(
            f"{preview(lost)} of integers beyond 2 ** 53, which float64 cannot tell apart; "
            "subtract a constant"
        )
    return numbers


def inexact_integers(values: AnyArray) -> AnyArray:
    """Return the integers that float64 may not tell from their neighbours.

    Parameters
    ----------
    values : ndarray
        Numbers of any type.

    Returns
    -------
    ndarray of shape (n_found,)
        None of them where the numbers are no integers.

    Examples
    --------
    >>> inexact_integers(np.array([2**53, 2**53 + 1]))
    array([9007199254740993])
    """
    if values.dtype.kind not in "iu" or values.itemsize < 8:
        return np.empty(0)
    number = values.dtype.type  # NumPy 2.0.0 crashes where a number does not fit the dtype
    low, high = number(0 if values.dtype.kind == "u" else -EXACT), number(EXACT)
    return np.asarray(values[(values < low) | (values > high)])


def check_same_length(**lengths: int) -> int:
    """Return the common length of several arguments.

    Parameters
    ----------
    **lengths : int
        Length of every argument under its name.

    Returns
    -------
    int
        The common length, at least one.

    Examples
    --------
    >>> check_same_length(y_true=3, y_pred=2)
    Traceback (most recent call last):
    ValueError: Inputs must have the same length, but y_true has 3 rows, y_pred has 2 rows.
    """
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} has {n} rows" for name, n in lengths.items())
        raise ValueError(f"Inputs must have the same length, but {shown}.")
    name, n_samples = next(iter(lengths.items()))
    if n_samples == 0:
        raise ValueError(f"{name} is empty; at least one row is needed.")
    return n_samples
