"""What cut points are to optimise: a name, a matrix or a function, made into one form.

Named objectives and cost matrices are sums over rows, or ratios of such sums, and have an exact
solver; a function of the predictions has none and goes through the local search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sklearn_ordinal_censored._kernels.confusion import rank_distance
from sklearn_ordinal_censored._kernels.cuts import maximise_kappa, minimise_cost
from sklearn_ordinal_censored._text import short_text
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored.metrics._cost import ordinal_cost
from sklearn_ordinal_censored.metrics._kappa import linear_weighted_kappa, quadratic_weighted_kappa
from sklearn_ordinal_censored.metrics._ordinal import mean_absolute_class_error, ordinal_accuracy
from sklearn_ordinal_censored.targets._matrices import check_square_matrix

_MAX_RANGE = 1e12  # of costs: what is left of 16 digits tells sums of many rows apart

Solver = Callable[[FloatArray, IntArray], IntArray]


class Objective(NamedTuple):
    """An objective for cut points.

    Attributes
    ----------
    metric : callable
        ``metric(y_true, y_pred, ...)``.
    greater_is_better : bool
        Whether a higher value of the metric is better.
    solve : callable or None
        ``solve(table, grades)`` returns the best positions of the cuts between the given grades;
        None if the metric is known by its values only.

    Examples
    --------
    >>> resolve_objective("accuracy", np.arange(3)).greater_is_better
    True
    """

    metric: Callable[..., Any]
    greater_is_better: bool
    solve: Solver | None

    def value(self, y_true: Any, y_pred: Any, labels: AnyArray, weight: FloatArray | None) -> float:
        """Return the metric's own value, in the metric's own direction.

        Parameters
        ----------
        y_true, y_pred : ndarray of shape (n_samples,)
            Grades.
        labels : ndarray of shape (n_classes,)
            The scale.
        weight : ndarray of shape (n_samples,) or None
            Row weights.

        Returns
        -------
        float
            The value.

        Raises
        ------
        ValueError
            If a function that is the objective returns no number.
        """
        options: dict[str, Any] = {} if weight is None else {"sample_weight": weight}
        if self.solve is not None:
            options["labels"] = labels
        value = self.metric(y_true, y_pred, **options)
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(
                f"objective={short_text(self.metric)} returned {short_text(value)}; it must return "
                "one number for (y_true, y_pred)."
            ) from None

    def score(self, y_true: Any, y_pred: Any, labels: AnyArray, weight: FloatArray | None) -> float:
        """Return the value, negated where lower is better.

        Parameters
        ----------
        y_true, y_pred : ndarray of shape (n_samples,)
            Grades.
        labels : ndarray of shape (n_classes,)
            The scale.
        weight : ndarray of shape (n_samples,) or None
            Row weights.

        Returns
        -------
        float
            The score.
        """
        value = self.value(y_true, y_pred, labels, weight)
        return value if self.greater_is_better else -value


def resolve_objective(objective: Any, labels: AnyArray) -> Objective:
    """Return an objective given by name, cost matrix or function.

    Parameters
    ----------
    objective : str, array-like of shape (n_classes, n_classes) or callable
        What the user gave.
    labels : ndarray of shape (n_classes,)
        The scale.

    Returns
    -------
    Objective
        Its canonical form.

    Examples
    --------
    >>> resolve_objective("mean_absolute_class_error", np.arange(3)).greater_is_better
    False
    >>> resolve_objective("f1", np.arange(3))
    Traceback (most recent call last):
    ValueError: objective='f1' is not known; use one of ['accuracy', ...
    """
    if callable(objective):
        return Objective(_check_function(objective), True, None)
    if isinstance(objective, str):
        if objective not in _NAMED:
            raise ValueError(
                f"objective={objective!r} is not known; use one of {sorted(_NAMED)}, a cost matrix "
                "or a function f(y_true, y_pred) of which larger is better."
            )
        return _NAMED[objective](labels)
    cost = _check_cost_range(check_square_matrix("objective", objective, labels))
    return _cost_objective(partial(ordinal_cost, cost_matrix=cost), cost, greater_is_better=False)


def _check_cost_range(cost: FloatArray) -> FloatArray:
    sizes = np.abs(cost[cost != 0])
    if sizes.size and sizes.max() > _MAX_RANGE * sizes.min():
        raise ValueError(
            f"objective has costs from {sizes.min():g} to {sizes.max():g}, too far apart to be "
            "summed in float64; to forbid an error, a cost a million times the others is enough."
        )
    return cost


def _check_function(function: Any) -> Callable[..., Any]:
    inner = function.func if isinstance(function, partial) else function
    name = getattr(inner, "__name__", type(inner).__name__)
    if name.endswith(("_loss", "_error", "_cost")) and not name.startswith("neg"):
        raise ValueError(
            f"objective={name} is lower-is-better by its name, but a function is maximised: give "
            f"`lambda y_true, y_pred: -{name}(y_true, y_pred)`, or a named objective."
        )
    if hasattr(function, "get_metadata_routing"):
        raise ValueError(
            f"objective={function!r} is a scorer, which needs an estimator; give the metric "
            "f(y_true, y_pred) itself."
        )
    return function  # type: ignore[no-any-return]


def _kappa_objective(metric: Callable[..., Any], power: int, labels: AnyArray) -> Objective:
    disagreement = rank_distance(len(labels), power)

    def _solve(table: FloatArray, grades: IntArray) -> IntArray:
        present = np.flatnonzero(table.sum(axis=0))
        if len(present) < 2:
            raise ValueError(
                f"The target holds one class only ({labels.tolist()[present[0]]!r}), so kappa is "
                "undefined. Give rows of two grades at least, or another objective."
            )
        return maximise_kappa(table, disagreement[:, grades])

    return Objective(metric, True, _solve)


def _cost_objective(
    metric: Callable[..., Any], cost: FloatArray, *, greater_is_better: bool
) -> Objective:
    return Objective(
        metric, greater_is_better, lambda table, grades: minimise_cost(table, cost[:, grades])
    )


def _macro_error_objective(labels: AnyArray) -> Objective:
    distance = rank_distance(len(labels))

    def _solve(table: FloatArray, grades: IntArray) -> IntArray:
        margin = table.sum(axis=0)
        share = np.divide(1.0, margin, out=np.zeros_like(margin), where=margin > 0)
        return minimise_cost(table, (share[:, np.newaxis] * distance)[:, grades])

    return Objective(partial(mean_absolute_class_error, average="macro"), False, _solve)


_NAMED: dict[str, Callable[[AnyArray], Objective]] = {
    "accuracy": lambda labels: _cost_objective(
        ordinal_accuracy, rank_distance(len(labels), 0), greater_is_better=True
    ),
    "linear_weighted_kappa": partial(_kappa_objective, linear_weighted_kappa, 1),
    "macro_mean_absolute_class_error": _macro_error_objective,
    "mean_absolute_class_error": lambda labels: _cost_objective(
        mean_absolute_class_error, rank_distance(len(labels)), greater_is_better=False
    ),
    "quadratic_weighted_kappa": partial(_kappa_objective, quadratic_weighted_kappa, 2),
}


def named_objectives() -> list[str]:
    """Return the names of the objectives with an exact solver.

    Returns
    -------
    list of str
        Sorted.

    Examples
    --------
    >>> "accuracy" in named_objectives()
    True
    """
    return sorted(_NAMED)
