"""The one path for undefined values: NaN with a warning, or what the caller puts in their place."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.targets._inputs import refuse_duration


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
    replacement = check_replacement(replacement)
    array = np.asarray(values, dtype=np.float64)
    missing = np.isnan(array)
    if not missing.any():
        return array
    if np.isnan(replacement):
        warn_undefined(metric, f"{reason}. Use `replace_undefined_by` to give another value")
    return np.where(missing, replacement, array)


def check_replacement(value: Any) -> float:
    """Return what stands for an undefined value.

    Parameters
    ----------
    value : object
        The caller's ``replace_undefined_by``.

    Returns
    -------
    float
        The number.

    Examples
    --------
    >>> check_replacement("zero")
    Traceback (most recent call last):
    ValueError: replace_undefined_by='zero' must be a number, or nan to warn.
    """
    refuse_duration("replace_undefined_by", value)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"replace_undefined_by={value!r} must be a number, or nan to warn.")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"replace_undefined_by={value!r} is a number beyond float64.") from None


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
