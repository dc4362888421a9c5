"""Between grades and what models emit: class or cumulative probabilities, logits, indicators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray
from sklearn_ordinal_censored.targets._inputs import check_flag, check_number, check_option
from sklearn_ordinal_censored.targets._matrices import check_names
from sklearn_ordinal_censored.targets._ordinal import check_scale, parse_ordinal
from sklearn_ordinal_censored.targets._probabilities import (
    ENCODINGS,
    RANK_RULES,
    class_probs_of,
    read_columns,
    read_exceedance,
)


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
        stands for ``P(y > grade k)``. Of two grades one number a row will do, for the upper one.
        NaN is refused, and so are probabilities outside [0, 1], class probabilities that do not sum
        to one and cumulative ones that increase along a row (both within 1e-6).
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
    check_option("encoding", encoding, ("labels", *ENCODINGS))
    check_option("rule", rule, RANK_RULES)
    threshold = check_number("threshold", threshold, minimum=0, maximum=1)
    if threshold != 0.5 and rule != "median":
        raise ValueError(f"threshold={threshold} is read by rule='median' only, not by {rule!r}.")
    check_flag("repair", repair)
    if encoding == "labels":
        target = parse_ordinal("y", y, labels)
        return target.labels[target.codes]
    exceedance = read_exceedance("y", y, encoding, repair)
    scale = _scale_of_columns(encoding, exceedance.shape[1] + 1, labels)
    if encoding in ("class_probs", "class_logits"):
        check_names("y", y, scale, ["columns"])
        proba = read_columns("y", y, encoding)  # differences of sums would break ties
    else:
        proba = class_probs_of(exceedance)
    return np.asarray(scale[RANK_RULES[rule](proba, exceedance, np.arange(len(scale)), threshold)])


def _scale_of_columns(encoding: str, n_classes: int, labels: ArrayLike | None) -> AnyArray:
    scale = np.arange(n_classes) if labels is None else check_scale(labels)
    if len(scale) != n_classes:
        raise ValueError(
            f"y with encoding={encoding!r} and {n_classes} grades does not fit the {len(scale)} "
            f"labels {scale.tolist()}."
        )
    return scale
