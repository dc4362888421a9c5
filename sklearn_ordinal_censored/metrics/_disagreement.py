"""How much two grades disagree: what kappa weighs errors with."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import rank_distance
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, Weights
from sklearn_ordinal_censored.targets._inputs import (
    check_count,
    check_number,
    check_option,
    preview,
)
from sklearn_ordinal_censored.targets._matrices import check_square_matrix
from sklearn_ordinal_censored.targets._ordinal import MAX_CLASSES

# Why a kappa is undefined.
NO_DISAGREEMENT = "the expected disagreement is 0, e.g. because both sides are the same constant"


def disagreement_matrix(n_classes: int, weights: Weights = "quadratic") -> FloatArray:
    """Return the disagreement of every pair of grades, as weighted kappa reads it.

    Parameters
    ----------
    n_classes : int
        Number of grades.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        The distance in ranks, its square, 1 for any two different grades (None), the distance to a
        power above 0, or a matrix of shape (n_classes, n_classes).

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true grades; divided by the largest entry, so that the maximum is 1.

    Raises
    ------
    ValueError
        If ``n_classes`` is no whole number of at least 1, or a matrix has the wrong shape, a
        negative or non-finite entry or a diagonal that is not zero.

    See Also
    --------
    weighted_kappa : What it is for.
    ordinal_cost_matrix : Costs in ranks, symmetric or not.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import disagreement_matrix
    >>> disagreement_matrix(3)
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 0.25],
           [1.  , 0.25, 0.  ]])
    """
    return read_disagreement(
        np.arange(check_count("n_classes", n_classes, maximum=MAX_CLASSES)), weights
    )


def read_disagreement(scale: AnyArray, weights: Weights) -> FloatArray:
    """Return the disagreement of the grades of a scale, with a maximum of 1.

    Parameters
    ----------
    scale : ndarray of shape (n_classes,)
        The scale.
    weights : {"linear", "quadratic"}, None, float or array-like
        As for :func:`disagreement_matrix`.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true grades.

    Examples
    --------
    >>> read_disagreement(np.array(["low", "mid", "high"]), "linear")
    array([[0. , 0.5, 1. ],
           [0.5, 0. , 0.5],
           [1. , 0.5, 0. ]])
    """
    powers = {"linear": 1.0, "quadratic": 2.0, None: 0.0}
    n_classes = len(scale)
    if weights is None or isinstance(weights, str):
        check_option("weights", weights, tuple(powers))
        matrix = rank_distance(n_classes, powers[weights])
    elif isinstance(weights, Real):
        hint = "; use None for unweighted kappa"
        power = check_number("weights", weights, minimum=0, closed="neither", hint=hint)
        # Divided first, because a large power of a distance overflows.
        matrix = (rank_distance(n_classes) / max(n_classes - 1, 1)) ** power
    else:
        matrix = _check_disagreement(check_square_matrix("weights", weights, scale))
    largest = matrix.max(initial=0.0)
    return matrix / largest if largest > 0 else matrix


def read_costs(scale: AnyArray, cost_matrix: ArrayLike | None) -> FloatArray:
    """Return costs that are not negative, by default the quadratic disagreement.

    Parameters
    ----------
    scale : ndarray of shape (n_classes,)
        The scale.
    cost_matrix : array-like of shape (n_classes, n_classes) or None
        Rows are true grades.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true grades.

    Examples
    --------
    >>> read_costs(np.array(["low", "high"]), [[0, 1], [-3, 0]])
    Traceback (most recent call last):
    ValueError: cost_matrix must not be negative, but holds -3.0.
    """
    if cost_matrix is None:
        return read_disagreement(scale, "quadratic")
    cost = check_square_matrix("cost_matrix", cost_matrix, scale)
    if (cost < 0).any():
        raise ValueError(f"cost_matrix must not be negative, but holds {preview(cost[cost < 0])}.")
    return cost


def _check_disagreement(matrix: FloatArray) -> FloatArray:
    if (matrix < 0).any():
        raise ValueError(f"weights must not be negative, but holds {preview(matrix[matrix < 0])}.")
    if matrix.diagonal().any():
        raise ValueError(
            f"weights must be 0 on the diagonal, but has {preview(matrix.diagonal())}: give "
            "disagreements, not agreements (1 minus them, if you have agreements)."
        )
    return matrix
