"""Class probabilities and exceedance probabilities ``P(y > k)``, out of any encoding of them.

Every encoding is first turned into exceedance probabilities; the class probabilities are their
differences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import expit, softmax

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._inputs import check_floats, check_same_length, preview

_ROUNDING = 1e-6  # what single-precision sums and differences may be off by


def check_class_probs(name: str, proba: FloatArray) -> FloatArray:
    """Return rows of probabilities that sum to one.

    Parameters
    ----------
    name : str
        What holds them, for messages.
    proba : ndarray of shape (n_samples, n_classes)
        Finite numbers.

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
    _check_range(name, proba)
    off = np.abs(proba.sum(axis=1) - 1) > _ROUNDING
    if off.any():
        raise ValueError(
            f"{name} must sum to 1 in every row, but {off.sum()} do not, the first row "
            f"{np.flatnonzero(off)[0]}: {proba[off][0].tolist()} sums to "
            f"{proba[off][0].sum():.6g}. Divide every row by its sum if that is what they mean."
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


def read_exceedance(name: str, y: Any, encoding: str, repair: bool = False) -> FloatArray:
    """Read exceedance probabilities out of the output of a model.

    Parameters
    ----------
    name : str
        What the output is, for messages.
    y : array-like of shape (n_samples, n_columns)
        One column a grade, or a cut point for the cumulative encodings.
    encoding : {"class_probs", "class_logits", "cumulative_probs", "cumulative_logits"}
        What the columns hold.
    repair : bool, default=False
        Whether to replace rows that increase by the nearest non-increasing ones.

    Returns
    -------
    ndarray of shape (n_samples, n_classes - 1)
        ``P(y > k)``, non-increasing along rows within rounding.

    Examples
    --------
    >>> read_exceedance("y", [[0.5, 0.25, 0.25]], "class_probs")
    array([[0.5 , 0.25]])
    """
    values = check_floats(name, y, ndim=2)
    check_same_length(**{name: len(values)})
    if encoding.startswith("class") and values.shape[1] == 0:
        raise ValueError(f"{name} with encoding={encoding!r} has no columns; give one a grade.")
    return _monotone(name, ENCODINGS[encoding](name, values), repair)


ENCODINGS: dict[str, Callable[[str, FloatArray], FloatArray]] = {
    "class_probs": lambda name, proba: exceedance_of(check_class_probs(name, proba)),
    "class_logits": lambda _, logits: exceedance_of(softmax(logits, axis=1)),
    "cumulative_probs": lambda name, exceedance: _check_range(name, exceedance),
    "cumulative_logits": lambda _, logits: expit(logits),
}


def _check_range(name: str, proba: FloatArray) -> FloatArray:
    bad = proba[(proba < -_ROUNDING) | (proba > 1 + _ROUNDING)]
    if bad.size:
        raise ValueError(
            f"{name} must hold probabilities between 0 and 1, but holds {preview(bad)}. Divide "
            "percentages by 100; raw scores of a model are encoding='class_logits' or "
            "'cumulative_logits'."
        )
    return proba


def _monotone(name: str, exceedance: FloatArray, repair: bool) -> FloatArray:
    bad = np.flatnonzero((np.diff(exceedance, axis=1) > _ROUNDING).any(axis=1))
    if len(bad) and not repair:
        raise ValueError(
            f"{name} must not increase along a row, since P(y > k) cannot, but {len(bad)} rows "
            f"do, the first row {bad[0]}: {exceedance[bad[0]].tolist()}. Use repair=True of "
            "ordinal_decode for the nearest non-increasing ones."
        )
    exceedance = exceedance.copy()
    for row in bad:
        exceedance[row] = isotonic_regression(exceedance[row], increasing=False).x
    return exceedance
