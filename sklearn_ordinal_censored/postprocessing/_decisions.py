"""The best grades for rows of class probabilities, by what is to be gained from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import rank_distance
from sklearn_ordinal_censored._kernels.decisions import (
    expected_costs,
    kappa_decisions,
    least_cost,
)
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray, Weights
from sklearn_ordinal_censored.metrics._disagreement import read_disagreement
from sklearn_ordinal_censored.targets._inputs import (
    ROUNDING,
    check_floats,
    check_option,
    check_same_length,
)
from sklearn_ordinal_censored.targets._matrices import check_names, check_square_matrix
from sklearn_ordinal_censored.targets._ordinal import check_scale
from sklearn_ordinal_censored.targets._probabilities import (
    RANK_RULES,
    check_class_probs,
    exceedance_of,
)
from sklearn_ordinal_censored.targets._weights import average, check_weights

DECISIONS = (*RANK_RULES, "cost", "kappa")


@dataclass(frozen=True, eq=False)  # arrays have no single truth value
class DecisionResult:
    """Grades decided from probabilities.

    Attributes
    ----------
    decisions : ndarray of shape (n_samples,)
        One grade a row.
    objective_value : float
        What the decisions are expected to reach if the probabilities are right: accuracy, mean
        absolute error, mean squared error, mean cost or kappa.
    certified : bool
        Whether the decisions are proven to be the best of all vectors of grades.

    Examples
    --------
    >>> optimal_decisions([[0.6, 0.4]], decision="argmax").objective_value
    0.6
    """

    decisions: AnyArray = field(repr=False)
    objective_value: float
    certified: bool


def optimal_decisions(
    y_proba: Any,
    *,
    decision: str = "kappa",
    weights: Weights = "quadratic",
    cost_matrix: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> DecisionResult:
    """Decide on the grades that are best given class probabilities.

    Parameters
    ----------
    y_proba : array-like of shape (n_samples, n_classes)
        Class probabilities, columns in the order of the scale, rows summing to one (within 1e-6).
        The columns of ``predict_proba`` follow the alphabet instead where grades are text.
    decision : {"argmax", "median", "mean", "cost", "kappa"}, default="kappa"
        ``"argmax"``: the most probable grade, for accuracy. ``"median"``: for the absolute error.
        ``"mean"``: the expected rank, rounded half up, for the squared error. ``"cost"``: the least
        expected cost. ``"kappa"``: the largest plug-in kappa of all rows together.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        Disagreement of two grades, for ``decision="kappa"``, as in
        :func:`~sklearn_ordinal_censored.metrics.weighted_kappa`.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost of predicting column ``k`` when row ``j`` is true, for ``decision="cost"``.
    prior : array-like of shape (n_classes,), default=None
        Shares of the true grades, for ``decision="kappa"``; by default the mean of ``y_proba``.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest; by default the integers from 0.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, for the mean of ``y_proba`` and the objective. Rows of weight 0 are decided,
        too.

    Returns
    -------
    DecisionResult
        With ``decisions``, ``objective_value`` and ``certified``.

    Raises
    ------
    ValueError
        If an input is refused, or the prior holds one grade only, of which kappa knows nothing.

    See Also
    --------
    OrdinalDecisionClassifier : The same around a classifier, row by row.
    optimal_thresholds : For a score instead of probabilities.

    Notes
    -----
    With probabilities ``P``, disagreements ``W`` and the prior ``q``, plug-in kappa is one minus
    the sum of ``(P @ W)[i, d_i]`` over the sum of ``(q @ W)[d_i]``. For a given ratio ``r`` of the
    two each row is best decided by the least ``(P @ W)[i, k] - r (q @ W)[k]``, and Dinkelbach's
    iteration [1]_ finds the ``r`` of the global optimum. At a tie the lowest grade is taken, by
    ``"mean"`` the upper one.

    References
    ----------
    .. [1] W. Dinkelbach. "On Nonlinear Fractional Programming." Management Science 13(7), 1967.
       :doi:`10.1287/mnsc.13.7.492`

    Examples
    --------
    The most probable grade is 0, the median 1; missing grade 2 costs ten times as much:

    >>> from sklearn_ordinal_censored.postprocessing import optimal_decisions
    >>> proba = [[0.45, 0.30, 0.25]]
    >>> optimal_decisions(proba, decision="argmax").decisions
    array([0])
    >>> optimal_decisions(proba, decision="median").decisions
    array([1])
    >>> cost = [[0, 1, 1], [1, 0, 1], [10, 10, 0]]
    >>> optimal_decisions(proba, decision="cost", cost_matrix=cost).decisions
    array([2])
    """
    check_option("decision", decision, DECISIONS)
    proba = check_class_probs("y_proba", check_floats("y_proba", y_proba, ndim=2))
    n_samples = check_same_length(y_proba=len(proba))
    scale = np.arange(proba.shape[1]) if labels is None else check_scale(labels)
    _check_columns(y_proba, proba, scale)
    for name, value, reader in (("cost_matrix", cost_matrix, "cost"), ("prior", prior, "kappa")):
        if value is not None and decision != reader:
            raise ValueError(f"{name} is read by decision={reader!r} only, not by {decision!r}.")
    weight = check_weights(sample_weight, n_samples)
    weight = np.ones(n_samples) if weight is None else weight
    cost = decision_costs(decision, scale, weights, cost_matrix)
    if decision == "kappa":
        shares = weight @ proba / weight.sum() if prior is None else _read_prior(prior, scale)
        ranks, ratio = kappa_decisions(proba, cost, check_shares(shares, cost), weight)
        return DecisionResult(scale[ranks], 1.0 - ratio, True)
    ranks = decide(proba, decision, cost, np.arange(len(scale)))
    costs = expected_costs(proba, cost)[np.arange(n_samples), ranks]
    expected = average(costs, weight)
    value = 1.0 - expected if decision == "argmax" else expected
    return DecisionResult(scale[ranks], value, True)


def decision_costs(
    decision: str, scale: AnyArray, weights: Weights, cost_matrix: ArrayLike | None
) -> FloatArray:
    """Return the costs whose expectation a decision minimises, for kappa its disagreements.

    Parameters
    ----------
    decision : str
        One of ``DECISIONS``.
    scale : ndarray of shape (n_classes,)
        The scale.
    weights : object
        Disagreement, for kappa.
    cost_matrix : array-like of shape (n_classes, n_classes) or None
        Costs, read for ``decision="cost"`` only.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true grades.

    Examples
    --------
    >>> decision_costs("median", np.arange(2), "quadratic", None)
    array([[0., 1.],
           [1., 0.]])
    """
    if decision == "kappa":
        return read_disagreement(scale, weights)
    if decision == "cost":
        if cost_matrix is None:
            raise ValueError(
                "cost_matrix is missing, but decision='cost' minimises it: give one, e.g. "
                "ordinal_cost_matrix(n_classes, under=3)."
            )
        return check_square_matrix("cost_matrix", cost_matrix, scale)
    return rank_distance(len(scale), {"argmax": 0, "median": 1, "mean": 2}[decision])


def check_shares(shares: FloatArray, disagreement: FloatArray) -> FloatArray:
    """Refuse shares of the true grades for which kappa is undefined whatever is predicted.

    Parameters
    ----------
    shares : ndarray of shape (n_classes,)
        Shares of the grades.
    disagreement : ndarray of shape (n_classes, n_classes)
        Rows are true grades.

    Returns
    -------
    ndarray of shape (n_classes,)
        The shares.

    Examples
    --------
    >>> check_shares(np.array([1.0, 0.0]), rank_distance(2))
    Traceback (most recent call last):
    ValueError: The shares of the true grades are [1.0, 0.0]: one class only, ...
    """
    if np.count_nonzero(shares) < 2 or not (shares @ disagreement).any():
        raise ValueError(
            f"The shares of the true grades are {shares.tolist()}: one class only, or classes that "
            "do not disagree, so kappa is undefined. Give rows, or a prior, of two grades "
            "at least, or use another decision."
        )
    return shares


def decide(proba: FloatArray, decision: str, cost: FloatArray, grades: IntArray) -> IntArray:
    """Return the best grade for every row.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    decision : str
        One of ``DECISIONS``.
    cost : ndarray of shape (n_classes, n_classes)
        Costs to minimise, for ``"cost"`` and ``"kappa"``.
    grades : ndarray of shape (n_grades,)
        Ranks that may be predicted, ascending.

    Returns
    -------
    ndarray of shape (n_samples,)
        Ranks.

    Examples
    --------
    >>> decide(np.array([[0.4, 0.0, 0.6]]), "mean", rank_distance(3), np.array([0, 2]))
    array([2])
    """
    if decision in RANK_RULES:
        return RANK_RULES[decision](proba, exceedance_of(proba), grades, 0.5)
    return np.asarray(grades[least_cost(proba, cost[:, grades])])


def _check_columns(y_proba: Any, proba: FloatArray, scale: AnyArray) -> None:
    if proba.shape[1] != len(scale):
        raise ValueError(
            f"y_proba has {proba.shape[1]} columns, but there are {len(scale)} labels, "
            f"{scale.tolist()}: give one column for each grade."
        )
    check_names("y_proba", y_proba, scale, ["columns"])


def _read_prior(prior: ArrayLike, scale: AnyArray) -> FloatArray:
    check_names("prior", prior, scale, ["index"])
    shares = check_floats("prior", prior)
    if len(shares) != len(scale):
        raise ValueError(
            f"prior has {len(shares)} shares, but the scale has {len(scale)} grades, "
            f"{scale.tolist()}: give one for each grade."
        )
    if shares.min() < -ROUNDING or abs(shares.sum() - 1) > ROUNDING:
        raise ValueError(
            f"prior={shares.tolist()} must not be negative and must sum to 1; divide counts by "
            "their sum."
        )
    return shares
