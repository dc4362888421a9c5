"""Class probabilities and exceedance probabilities ``P(y > k)``, and the ranks read off them.

Every encoding is first turned into exceedance probabilities; the class probabilities are their
differences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import expit, softmax

from sklearn_ordinal_censored._typing import FloatArray, IntArray
from sklearn_ordinal_censored.targets._inputs import (
    ROUNDING,
    check_floats,
    check_same_length,
    count_dimensions,
    preview,
)


def check_class_probs(
    name: str,
    proba: FloatArray,
    hint: str = "turn raw scores into probabilities, e.g. with scipy.special.softmax",
) -> FloatArray:
    """Return rows of probabilities that sum to one.

    Parameters
    ----------
    name : str
        What holds them, for messages.
    proba : ndarray of shape (n_samples, n_classes)
        Finite numbers.
    hint : str
        What to do if they are raw scores, for messages.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The same.

    Examples
    --------
    >>> check_class_probs("y_proba", np.array([[0.5, 0.4]]))
    Traceback (most recent call last):
    ValueError: y_proba must sum to 1 in every row, but 1 do not, the first row 0: ...
    """
    _check_range(name, proba, hint)
    off = np.abs(proba.sum(axis=1) - 1) > ROUNDING
    if off.any():
        raise ValueError(
            f"{name} must sum to 1 in every row, but {off.sum()} do not, the first row "
            f"{np.flatnonzero(off)[0]}: {proba[off][0].tolist()} sums to "
            f"{proba[off][0].sum():.6g}. Divide every row by its sum if that is what they mean; "
            f"{hint}."
        )
    return proba


def exceedance_of(proba: FloatArray) -> FloatArray:
    """Return ``P(y > k)`` for every cut point.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities in the order of the scale.

    Returns
    -------
    ndarray of shape (n_samples, n_classes - 1)
        Non-increasing along rows.

    Examples
    --------
    >>> exceedance_of(np.array([[0.5, 0.25, 0.25]]))
    array([[0.5 , 0.25]])
    """
    # Summed from the top so that small upper probabilities are not lost.
    return np.cumsum(proba[:, :0:-1], axis=1)[:, ::-1]


def expected_rank(proba: FloatArray) -> FloatArray:
    """Return the expected rank of every row.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities in the order of the scale.

    Returns
    -------
    ndarray of shape (n_samples,)
        Rounded to about ten significant digits, so that equal ranks are tied.

    Examples
    --------
    >>> expected_rank(np.array([[0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]))
    array([1.1, 1.1])
    """
    # From the nearer end of the scale, so that a turned scale gives the turned order.
    from_below = _settle(exceedance_of(proba).sum(axis=1))
    from_above = _settle(exceedance_of(proba[:, ::-1]).sum(axis=1))
    top = proba.shape[1] - 1
    return np.where(from_below <= from_above, from_below, top - from_above)


def _settle(ranks: FloatArray) -> FloatArray:
    # Equal expectations differ in their last bits, and ties must be ties. Digits, not decimals,
    # are kept: the order of confident models lies in small probabilities. Eleven hold every half
    # between two ranks below 1024 exactly.
    mantissa, exponent = np.frexp(ranks)
    return np.asarray(np.ldexp(np.round(mantissa, 11), exponent))


def log_odds_of(proba: FloatArray) -> FloatArray:
    """Return the log odds of ``y > k`` for every cut point, for ranking rows.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities in the order of the scale.

    Returns
    -------
    ndarray of shape (n_samples, n_classes - 1)
        Infinite where one side has probability 0. Rounded to ten decimals, so that rows of equal
        odds are tied: sums of probabilities differ in their last bits.

    Examples
    --------
    >>> log_odds_of(np.array([[0.3, 0.3, 0.4], [0.3, 0.1, 0.6]]))
    array([[ 0.84729786, -0.40546511],
           [ 0.84729786,  0.40546511]])
    """
    # Each side is summed from its own end, so that neither tail is lost.
    above, below = exceedance_of(proba), np.cumsum(proba[:, :-1], axis=1)
    with np.errstate(divide="ignore"):
        odds = np.log(above.clip(0)) - np.log(below.clip(0))
    return np.asarray(np.round(odds, 10))


def class_probs_of(exceedance: FloatArray) -> FloatArray:
    """Return class probabilities, the differences of exceedance probabilities.

    Parameters
    ----------
    exceedance : ndarray of shape (n_samples, n_classes - 1)
        Non-increasing along rows.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Probabilities in the order of the scale.

    Examples
    --------
    >>> class_probs_of(np.array([[0.5, 0.25]]))
    array([[0.5 , 0.25, 0.25]])
    """
    n_samples = len(exceedance)
    ends = np.ones((n_samples, 1)), np.zeros((n_samples, 1))
    return -np.diff(np.hstack([ends[0], exceedance, ends[1]]), axis=1)


def read_exceedance(name: str, y: Any, encoding: str, repair: bool | None = None) -> FloatArray:
    """Read exceedance probabilities out of the output of a model.

    Parameters
    ----------
    name : str
        What the output is, for messages.
    y : array-like of shape (n_samples, n_columns) or (n_samples,)
        One column a grade, or a cut point for the cumulative encodings; of two grades one number a
        row will do, for the upper one.
    encoding : {"class_probs", "class_logits", "cumulative_probs", "cumulative_logits"}
        What the columns hold.
    repair : bool or None, default=None
        Whether to replace rows that increase by the nearest non-increasing ones; None where the
        user has no such choice.

    Returns
    -------
    ndarray of shape (n_samples, n_classes - 1)
        ``P(y > k)``, non-increasing along rows within rounding.

    Examples
    --------
    >>> read_exceedance("y", [[0.5, 0.25, 0.25]], "class_probs")
    array([[0.5 , 0.25]])
    """
    return _monotone(name, ENCODINGS[encoding](name, read_columns(name, y, encoding)), repair)


def read_columns(name: str, y: Any, encoding: str) -> FloatArray:
    """Read the output of a model, one column a grade or a cut point.

    Parameters
    ----------
    name : str
        What the output is, for messages.
    y : array-like of shape (n_samples, n_columns) or (n_samples,)
        One number a row is that of the upper of two grades.
    encoding : str
        What the columns hold.

    Returns
    -------
    ndarray of shape (n_samples, n_columns)
        Finite numbers.

    Examples
    --------
    >>> read_columns("y", [0.25], "class_probs")
    array([[0.75, 0.25]])
    """
    values = check_floats(name, y, ndim=1 if count_dimensions(y) == 1 else 2)
    check_same_length(**{name: len(values)})
    is_by_class = encoding.startswith("class")
    if values.ndim == 1:
        lower = 1 - values if encoding == "class_probs" else 0 * values
        return np.column_stack([lower, values] if is_by_class else [values])
    if is_by_class and values.shape[1] == 0:
        raise ValueError(f"{name} with encoding={encoding!r} has no columns; give one a grade.")
    return values


_LOGITS = "raw scores of a model are encoding='class_logits' or 'cumulative_logits'"
ENCODINGS: dict[str, Callable[[str, FloatArray], FloatArray]] = {
    "class_probs": lambda name, proba: exceedance_of(check_class_probs(name, proba, _LOGITS)),
    "class_logits": lambda _, logits: exceedance_of(softmax(logits, axis=1)),
    "cumulative_probs": lambda name, exceedance: _check_range(name, exceedance, _LOGITS),
    "cumulative_logits": lambda _, logits: expit(logits),
}


def _check_range(name: str, proba: FloatArray, hint: str) -> FloatArray:
    bad = proba[(proba < -ROUNDING) | (proba > 1 + ROUNDING)]
    if bad.size:
        raise ValueError(
            f"{name} must hold probabilities between 0 and 1, but holds {preview(bad)}. Divide "
            f"percentages by 100; {hint}."
        )
    return proba


def _monotone(name: str, exceedance: FloatArray, repair: bool | None) -> FloatArray:
    bad = np.flatnonzero((np.diff(exceedance, axis=1) > ROUNDING).any(axis=1))
    if len(bad) and not repair:
        cure = "Use ordinal_decode(..., repair=True) for the nearest non-increasing ones."
        if len(bad) > 2 and len(exceedance) / 2 < len(bad):
            cure = f"If they are P(y <= k), take 1 - {name} of all columns but a last one of ones."
        raise ValueError(
            f"{name} must not increase along a row, since P(y > k) cannot, but {len(bad)} rows "
            f"do, the first row {bad[0]}: {exceedance[bad[0]].tolist()}. "
            f"{'Make the rows of the model non-increasing.' if repair is None else cure}"
        )
    for row in bad:
        exceedance[row] = isotonic_regression(exceedance[row], increasing=False).x
    return exceedance


def _most_probable(
    proba: FloatArray, exceedance: FloatArray, grades: IntArray, threshold: float
) -> IntArray:
    return np.asarray(grades[proba[:, grades].argmax(axis=1)])


def _median(
    proba: FloatArray, exceedance: FloatArray, grades: IntArray, threshold: float
) -> IntArray:
    # A step from one grade to the next pays where P(y > k) is above the threshold on the way.
    between = np.add.reduceat(exceedance[:, : grades[-1]], grades[:-1], axis=1) / np.diff(grades)
    return np.asarray(grades[(between > threshold).sum(axis=1)])


def _nearest_to_mean(
    proba: FloatArray, exceedance: FloatArray, grades: IntArray, threshold: float
) -> IntArray:
    half_way = (grades[:-1] + grades[1:]) / 2
    mean = _settle(exceedance.sum(axis=1))
    return np.asarray(grades[np.searchsorted(half_way, mean, side="right")])


# Class and exceedance probabilities, the ranks that may be given (ascending) and the threshold of
# the median -> one rank a row, at a tie the lowest, of the mean the upper one.
RANK_RULES: dict[str, Callable[[FloatArray, FloatArray, IntArray, float], IntArray]] = {
    "argmax": _most_probable,
    "median": _median,
    "mean": _nearest_to_mean,
}
