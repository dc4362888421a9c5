"""Summaries and errors of censored targets that need no survival curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._columns import read_array, read_numbers
from sklearn_ordinal_censored.targets._inputs import check_floats, check_option, check_same_length
from sklearn_ordinal_censored.targets._undefined import replace_undefined
from sklearn_ordinal_censored.targets._weights import average, check_weights


def censoring_rate(
    y_true: Any,
    y_pred: Any = None,
    *,
    kind: str = "any",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of rows whose time is censored.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : object, default=None
        Not read; it lets the function stand among metrics.
    kind : {"any", "right", "left", "interval"}, default="any"
        Which censoring to count. On a target without negative bounds a lower bound of 0 counts as
        left-censored.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.

    Returns
    -------
    float
        Between 0 and 1. It describes the data, not a model.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    observed_mae : Error on the rows that are not censored.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import censoring_rate
    >>> from sklearn_ordinal_censored.targets import from_censoring_codes
    >>> y_true = from_censoring_codes([0.4, 1.2, 1.3, 2.1], [0, 1, 0, -1])
    >>> censoring_rate(y_true), censoring_rate(y_true, kind="left")
    (0.5, 0.25)
    """
    check_option("kind", kind, ("any", "right", "left", "interval"))
    target = parse_censored("y_true", y_true)
    exact, right, left = target.is_exact, target.is_right, target.is_left
    rows = {"any": ~exact, "right": right, "left": left, "interval": ~(exact | right | left)}[kind]
    return float(np.average(rows, weights=check_weights(sample_weight, len(rows))))


def observed_mae(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Mean absolute error of predicted times on the rows whose time is known.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,)
        Predicted times, finite.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        In the unit of time; lower is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    concordance_index : Reads censored rows, too.

    Notes
    -----
    Known times are shorter than the others as a rule, since what lasts long is censored more often:
    a model that predicts too early looks good. Report it beside the censoring rate and the
    concordance.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import observed_mae
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> observed_mae(right_censored([1, 0, 1], [4, 9, 6]), [5, 1, 4])
    1.5
    """
    target = parse_censored("y_true", y_true)
    predicted = check_floats("y_pred", y_pred)
    n_samples = check_same_length(y_true=len(target.lower), y_pred=len(predicted))
    weight = check_weights(sample_weight, n_samples)
    weight = target.is_exact * (np.ones(n_samples) if weight is None else weight)
    # A censored row may have an infinite bound, so its distance is not formed at all.
    error = np.abs(np.where(target.is_exact, target.lower, 0.0) - predicted)
    value = average(error, weight) if weight.any() else np.nan
    reason = f"none of the {n_samples} rows has a known time"
    return float(replace_undefined(value, "observed_mae", reason, replace_undefined_by))


def interval_overlap_rate(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of rows whose predicted interval meets the interval that the time is known to lie in.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples, 2)
        Lower and upper ends of the predicted intervals, infinite ones allowed; lower above upper is
        refused.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.

    Returns
    -------
    float
        Between 0 and 1; higher is better, but wide intervals meet everything.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    censoring_rate : How many of the true intervals are wide.

    Notes
    -----
    Both intervals are read as closed, so that intervals which touch do meet.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import interval_overlap_rate
    >>> from sklearn_ordinal_censored.targets import interval_censored
    >>> interval_overlap_rate(interval_censored([1, 5], [2, 6]), [[2, 3], [7, 8]])
    0.5
    """
    target = parse_censored("y_true", y_true)
    lower, upper = _read_intervals(y_pred)
    n_samples = check_same_length(y_true=len(target.lower), y_pred=len(lower))
    meets = (upper >= target.lower) & (lower <= target.upper)
    return float(np.average(meets, weights=check_weights(sample_weight, n_samples)))


def _read_intervals(y_pred: ArrayLike) -> tuple[FloatArray, FloatArray]:
    values = read_array("y_pred", y_pred)
    if values.ndim != 2 or values.shape[1] != 2:
        raise ValueError(
            f"y_pred must have two columns, the lower and upper ends, but has shape {values.shape}."
        )
    lower, upper = read_numbers("y_pred", values[:, 0]), read_numbers("y_pred", values[:, 1])
    bad = np.flatnonzero(lower > upper)
    if bad.size:
        raise ValueError(
            f"y_pred has {bad.size} interval(s) whose lower end is above the upper one, first in "
            f"row {bad[0]}: {lower[bad[0]]} to {upper[bad[0]]}."
        )
    return lower, upper
