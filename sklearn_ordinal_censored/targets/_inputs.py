"""Checks that every family of metrics shares, and the one path for undefined values.

A check returns the canonical array or raises a ``ValueError`` that names the argument, shows
what was found and says what to do about it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored._warn import warn

_SHOWN = 5  # values quoted in a message
_EXACT = 2.0**53  # beyond it float64 no longer holds every integer


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
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
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
    is_number = isinstance(value, (int, float, np.integer, np.floating))
    excluded = {"both": (), "left": (maximum,), "neither": (minimum, maximum)}[closed]
    is_within = is_number and minimum <= value <= maximum and value not in (*excluded, math.inf)
    if not is_within or isinstance(value, bool):
        ends = f", {'above' if minimum in excluded else 'at least'} {minimum}"
        if maximum < math.inf:
            ends += f" and {'below' if maximum in excluded else 'at most'} {maximum}"
        raise ValueError(f"{name}={value!r} must be a finite number{ends}{hint}.")
    return float(value)


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


def check_count(name: str, value: Any, *, minimum: int = 1) -> int:
    """Return a whole number that is not below a minimum.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What the caller gave.
    minimum : int, default=1
        The smallest value allowed.

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
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise ValueError(f"{name}={value!r} must be a whole number, at least {minimum}.")
    return int(value)


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
    except (TypeError, ValueError) as error:
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
        raise TypeError(f"{preview(array.ravel())} of dtype {array.dtype}")
    numbers = array.astype(np.float64)
    if array.dtype.kind in "iu" and (np.abs(numbers) > _EXACT).any():
        raise ValueError(
            f"{preview(array[np.abs(numbers) > _EXACT])} of integers beyond 2 ** 53, which float64 "
            "cannot tell apart; subtract a constant"
        )
    return numbers


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


def check_weights(sample_weight: ArrayLike | None, n_samples: int) -> FloatArray | None:
    """Return row weights as float64, or None for equal weights.

    Parameters
    ----------
    sample_weight : array-like of shape (n_samples,) or None
        Finite and not negative, with a positive and finite sum.
    n_samples : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n_samples,) or None
        The weights.

    Examples
    --------
    >>> check_weights([1, 2], 2)
    array([1., 2.])
    >>> check_weights([0, 0], 2)
    Traceback (most recent call last):
    ValueError: sample_weight is zero for every row; at least one row must count.
    """
    if sample_weight is None:
        return None
    weight = check_floats("sample_weight", sample_weight)
    if len(weight) != n_samples:
        raise ValueError(
            f"sample_weight has {len(weight)} rows, the target has {n_samples}; give one a row."
        )
    if (weight < 0).any():
        raise ValueError(
            f"sample_weight must not be negative, but holds {preview(weight[weight < 0])}."
        )
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total == 0:
        raise ValueError("sample_weight is zero for every row; at least one row must count.")
    if not np.finfo(np.float64).tiny <= total < math.inf:
        raise ValueError(
            f"sample_weight has a sum of {total}, which float64 cannot hold exactly enough; scale "
            "the weights by a constant."
        )
    return weight


def scale_weights(weight: FloatArray) -> FloatArray:
    """Return weights with a sum between one half and one, for ratios of sums.

    Parameters
    ----------
    weight : ndarray of shape (n_samples,)
        Row weights.

    Returns
    -------
    ndarray of shape (n_samples,)
        Divided by a power of two, which is exact. Products of two neither vanish nor overflow.

    Examples
    --------
    >>> scale_weights(np.array([1.0, 2.0, 4.0]))
    array([0.125, 0.25 , 0.5  ])
    """
    return np.asarray(np.ldexp(weight, -np.frexp(weight.sum())[1]))


def check_names(name: str, data: Any, labels: AnyArray, axes: Sequence[str]) -> None:
    """Refuse a data frame that names the grades along an axis in another order than the scale.

    Parameters
    ----------
    name : str
        The argument's name.
    data : object
        What the caller gave; only data frames have names.
    labels : ndarray of shape (n_classes,)
        The scale.
    axes : sequence of {"columns", "index"}
        Where to look.

    Examples
    --------
    >>> import pandas as pd
    >>> proba = pd.DataFrame([[0.3, 0.7]], columns=["high", "low"])
    >>> check_names("y_proba", proba, np.array(["low", "high"]), ["columns"])
    Traceback (most recent call last):
    ValueError: y_proba has its columns in the order ['high', 'low'], but the scale is...
    """
    scale = labels.tolist()
    for axis in axes:
        given = getattr(data, axis, None)
        names = [] if given is None or callable(given) else list(given)
        words, grades = list(map(str, names)), list(map(str, scale))  # polars names are text
        if words != grades and sorted(words) == sorted(grades):
            raise ValueError(
                f"{name} has its {axis} in the order {names}, but the scale is {scale}. Put them "
                f"in the order of the scale, e.g. with `.reindex({axis}=labels)`."
            )


def check_square_matrix(name: str, matrix: ArrayLike, labels: AnyArray) -> FloatArray:
    """Return a finite K x K matrix as float64.

    Parameters
    ----------
    name : str
        The argument's name.
    matrix : array-like of shape (n_classes, n_classes)
        Rows are true grades, columns predicted grades; names of a data frame must be in the order
        of the scale.
    labels : ndarray of shape (n_classes,)
        The scale.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        The matrix.

    Examples
    --------
    >>> check_square_matrix("cost_matrix", [[0, 1]], np.arange(2))
    Traceback (most recent call last):
    ValueError: cost_matrix has shape (1, 2), but the scale has 2 grades: ...
    """
    array = check_floats(name, matrix, ndim=2)
    n_classes = len(labels)
    if array.shape != (n_classes, n_classes):
        raise ValueError(
            f"{name} has shape {array.shape}, but the scale has {n_classes} grades: give a "
            f"{n_classes} x {n_classes} matrix, or pass `labels` if grades are missing from the "
            "data."
        )
    check_names(name, matrix, labels, ("index", "columns"))
    return array


def replace_undefined(
    values: AnyArray | float, metric: str, reason: str, replacement: float
) -> FloatArray:
    """Replace NaN, the mark of an undefined value, by the caller's value, or warn that it stays.

    Parameters
    ----------
    values : float or ndarray
        Values of a metric, NaN where they are undefined.
    metric : str
        The metric's name for the message.
    reason : str
        Why the value is undefined.
    replacement : float
        The caller's ``replace_undefined_by``.

    Returns
    -------
    ndarray
        The values, of the same shape.

    Examples
    --------
    >>> float(replace_undefined(float("nan"), "weighted_kappa", "no disagreement", 1.0))
    1.0
    """
    check_replacement(replacement)
    array = np.asarray(values, dtype=np.float64)
    missing = np.isnan(array)
    if not missing.any():
        return array
    if np.isnan(replacement):
        warn_undefined(metric, f"{reason}. Use `replace_undefined_by` to give another value")
    return np.where(missing, replacement, array)


def check_replacement(value: Any) -> None:
    """Refuse what cannot stand for an undefined value.

    Parameters
    ----------
    value : object
        The caller's ``replace_undefined_by``.

    Examples
    --------
    >>> check_replacement("zero")
    Traceback (most recent call last):
    ValueError: replace_undefined_by='zero' must be a number, or nan to warn.
    """
    refuse_duration("replace_undefined_by", value)
    if not isinstance(value, Real):
        raise ValueError(f"replace_undefined_by={value!r} must be a number, or nan to warn.")


def warn_undefined(metric: str, reason: str) -> None:
    """Warn that a value is undefined and set to NaN.

    Parameters
    ----------
    metric : str
        What is undefined.
    reason : str
        Why, and what can be done about it.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_undefined("kappa", "there is no disagreement")
    >>> str(caught[0].message)
    'kappa is undefined and set to nan: there is no disagreement.'
    """
    warn(f"{metric} is undefined and set to nan: {reason}.", UndefinedMetricWarning)
