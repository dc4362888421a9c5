"""Between grades and what models emit: class or cumulative probabilities, logits, indicators.

Every encoding is first turned into the exceedance probabilities ``P(y > k)``; the class
probabilities are their differences, and each rule reads one of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression
from scipy.special import expit, softmax

from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.targets._inputs import (
    check_floats,
    check_names,
    check_number,
    check_option,
    check_same_length,
    preview,
)
from sklearn_ordinal_censored.targets._ordinal import check_scale, parse_ordinal

_ROUNDING = 1e-6  # what single-precision sums and differences may be off by


def ordinal_encode(y: Any, *, labels: ArrayLike | None = None) -> AnyArray:
    """Encode grades as cumulative indicators "y is above grade k".

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Grades. Missing values and values outside the scale are refused.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value of ``y``.

    Returns
    -------
    ndarray of shape (n_samples, n_classes - 1)
        Column ``k`` is 1 where ``y`` is above the ``k``-th grade, else 0.

    See Also
    --------
    ordinal_decode : The way back.

    Notes
    -----
    A target of ``K`` ordered classes is read as ``K - 1`` nested binary ones [1]_. The order of the
    rows of the result is that of ``y``.

    References
    ----------
    .. [1] E. Frank, M. Hall. "A Simple Approach to Ordinal Classification." ECML 2001.
       :doi:`10.1007/3-540-44795-4_13`

    Examples
    --------
    >>> from sklearn_ordinal_censored.targets import ordinal_encode
    >>> ordinal_encode(["low", "high", "mid"], labels=["low", "mid", "high"])
    array([[0, 0],
           [1, 1],
           [1, 0]])
    """
    target = parse_ordinal("y", y, labels)
    return (target.codes[:, np.newaxis] > np.arange(len(target.labels) - 1)).astype(np.int64)


def ordinal_decode(
    y: Any,
    *,
    encoding: str,
    rule: str = "argmax",
    threshold: float = 0.5,
    repair: bool = False,
    labels: ArrayLike | None = None,
) -> AnyArray:
    """Turn the output of a model, or an encoded target, into grades.

    Parameters
    ----------
    y : array-like
        Of shape (n_samples,) for ``encoding="labels"``; (n_samples, n_classes) for class
        probabilities or logits; (n_samples, n_classes - 1) for cumulative ones, where column ``k``
        stands for ``P(y > grade k)``. NaN is refused, and so are probabilities outside [0, 1],
        class probabilities that do not sum to one and cumulative ones that increase along a row
        (both within 1e-6).
    encoding : {"labels", "class_probs", "class_logits", "cumulative_probs", "cumulative_logits"}
        What ``y`` holds. Cumulative 0/1 indicators are ``"cumulative_probs"``.
    rule : {"argmax", "median", "mean"}, default="argmax"
        ``"argmax"``: the most probable grade, the lowest one at a tie. ``"median"``: the number of
        cuts with ``P(y > k) > threshold``, which is the median grade for the default threshold.
        ``"mean"``: the expected rank, rounded half up. Labels are returned as they are.
    threshold : float, default=0.5
        Between 0 and 1; read by ``rule="median"`` only.
    repair : bool, default=False
        Whether to replace cumulative rows that increase by the nearest non-increasing ones
        (isotonic regression) instead of raising.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest; by default the integers from 0, and for
        ``encoding="labels"`` the scale that ``y`` carries.

    Returns
    -------
    ndarray of shape (n_samples,)
        One grade a row.

    Raises
    ------
    ValueError
        If ``y`` does not fit the encoding; the message shows the rows.

    See Also
    --------
    ordinal_encode : Grades to cumulative indicators.

    Notes
    -----
    Argmax is the best guess for accuracy, the median for the absolute error, the rounded mean for
    the squared error.

    References
    ----------
    .. [1] J. S. Cardoso, R. Sousa. "Measuring the Performance of Ordinal Classification."
       International Journal of Pattern Recognition and Artificial Intelligence 25(8), 2011.
       :doi:`10.1142/S0218001411009093`

    Examples
    --------
    >>> from sklearn_ordinal_censored.targets import ordinal_decode
    >>> proba = [[0.4, 0.25, 0.35]]
    >>> for rule in ("argmax", "median", "mean"):
    ...     print(rule, ordinal_decode(proba, encoding="class_probs", rule=rule))
    argmax [0]
    median [1]
    mean [1]
    >>> ordinal_decode([[1, 1], [1, 0]], encoding="cumulative_probs", labels=["low", "mid", "high"])
    array(['high', 'mid'], dtype='<U4')
    """
    check_option("encoding", encoding, ("labels", *_EXCEEDANCE))
    check_option("rule", rule, tuple(_RULES))
    threshold = _check_threshold(threshold, rule)
    if encoding == "labels":
        target = parse_ordinal("y", y, labels)
        return target.labels[target.codes]
    values = check_floats("y", y, ndim=2)
    check_same_length(y=len(values))
    is_by_class = encoding in ("class_probs", "class_logits")
    if is_by_class and values.shape[1] == 0:
        raise ValueError(f"y with encoding={encoding!r} has no columns; give one a grade.")
    exceedance = _monotone(_EXCEEDANCE[encoding](values), repair)
    scale = _scale_of_columns(encoding, exceedance.shape[1] + 1, labels)
    if is_by_class:
        check_names("y", y, scale, ["columns"])
    if is_by_class and rule == "argmax":
        return np.asarray(scale[values.argmax(axis=1)])  # sums and differences would break ties
    return np.asarray(scale[_RULES[rule](exceedance, threshold)])


def _check_threshold(threshold: Any, rule: str) -> float:
    value = check_number("threshold", threshold, minimum=0.0)
    if value > 1 or (value != 0.5 and rule != "median"):
        raise ValueError(
            f"threshold={value} must be between 0 and 1, and is read by rule='median' only "
            f"(rule={rule!r})."
        )
    return value


def _scale_of_columns(encoding: str, n_classes: int, labels: ArrayLike | None) -> AnyArray:
    scale = np.arange(n_classes) if labels is None else check_scale(labels)
    if len(scale) != n_classes:
        raise ValueError(
            f"y with encoding={encoding!r} and {n_classes} grades does not fit the {len(scale)} "
            f"labels {scale.tolist()}."
        )
    return scale


def _from_class_probs(proba: FloatArray) -> FloatArray:
    _check_range(proba)
    off = np.abs(proba.sum(axis=1) - 1) > _ROUNDING
    if off.any():
        raise ValueError(
            f"y with encoding='class_probs' must sum to 1 in every row, but {off.sum()} do not, "
            f"the first row {np.flatnonzero(off)[0]}: {proba[off][0].tolist()} sums to "
            f"{proba[off][0].sum():.6g}. Divide every row by its sum if that is what they mean."
        )
    # P(y > k), summed from the top so that small upper probabilities are not lost.
    return np.cumsum(proba[:, :0:-1], axis=1)[:, ::-1]


def _from_cumulative_probs(exceedance: FloatArray) -> FloatArray:
    _check_range(exceedance)
    return exceedance


_EXCEEDANCE: dict[str, Callable[[FloatArray], FloatArray]] = {
    "class_probs": _from_class_probs,
    "class_logits": lambda logits: _from_class_probs(softmax(logits, axis=1)),
    "cumulative_probs": _from_cumulative_probs,
    "cumulative_logits": lambda logits: expit(logits),
}


def _check_range(proba: FloatArray) -> None:
    bad = proba[(proba < -_ROUNDING) | (proba > 1 + _ROUNDING)]
    if bad.size:
        raise ValueError(
            f"y must hold probabilities between 0 and 1, but holds {preview(bad)}. Divide "
            "percentages by 100; raw scores of a model are encoding='class_logits' or "
            "'cumulative_logits'."
        )


def _monotone(exceedance: FloatArray, repair: bool) -> FloatArray:
    bad = np.flatnonzero((np.diff(exceedance, axis=1) > _ROUNDING).any(axis=1))
    if len(bad) and not repair:
        raise ValueError(
            f"y must not increase along a row, since P(y > k) cannot, but {len(bad)} rows do, the "
            f"first row {bad[0]}: {exceedance[bad[0]].tolist()}. Use repair=True for "
            "the nearest non-increasing ones."
        )
    exceedance = exceedance.copy()
    for row in bad:
        exceedance[row] = isotonic_regression(exceedance[row], increasing=False).x
    return exceedance


def _argmax(exceedance: FloatArray, threshold: float) -> Any:
    ends = np.ones((len(exceedance), 1)), np.zeros((len(exceedance), 1))
    return np.argmax(-np.diff(np.hstack([ends[0], exceedance, ends[1]]), axis=1), axis=1)


def _median(exceedance: FloatArray, threshold: float) -> Any:
    return (exceedance > threshold).sum(axis=1)


def _mean(exceedance: FloatArray, threshold: float) -> Any:
    # Half up, as for scores at a cut point; NumPy's rounding goes to the even neighbour.
    return np.floor(exceedance.sum(axis=1) + 0.5).astype(np.intp)


_RULES: dict[str, Callable[[FloatArray, float], Any]] = {
    "argmax": _argmax,
    "median": _median,
    "mean": _mean,
}
