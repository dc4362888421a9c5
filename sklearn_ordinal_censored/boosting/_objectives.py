"""Ordinal losses as objectives of LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray, Weights
from sklearn_ordinal_censored.boosting._losses import (
    Derivatives,
    cost_log_loss,
    margin_of,
    soft_kappa_loss,
)
from sklearn_ordinal_censored.boosting._rows import (
    BoosterFunction,
    GradeCodes,
    codes_themselves,
    grade_codes,
    match_codes,
    read_rows,
)
from sklearn_ordinal_censored.metrics._disagreement import read_costs, read_disagreement
from sklearn_ordinal_censored.targets._inputs import check_number, check_option, preview
from sklearn_ordinal_censored.targets._weights import check_weights

ClassWeight = Mapping[Any, float] | str | None
_READ_BY = {
    "soft_weighted_kappa": {"weights"},
    "cost_weighted_log_loss": {"cost_matrix", "alpha"},
}
_DEFAULTS: dict[str, Any] = {"weights": "quadratic", "cost_matrix": None, "alpha": 0.5}


class BoosterObjective(BoosterFunction):
    """What :func:`lightgbm_objective` and :func:`xgboost_objective` return.

    Parameters
    ----------
    factory : str
        Name of the public function that makes it.
    objective : str
        Name of the loss.
    **arguments : object
        The other arguments of the factory.

    Examples
    --------
    >>> lightgbm_objective().__name__
    'soft_weighted_kappa'
    """

    def __init__(self, factory: str, objective: str, **arguments: Any) -> None:
        check_option("objective", objective, tuple(_READ_BY))
        read = _READ_BY[objective] | {"labels", "class_weight"}
        _check_unread(objective, {k: v for k, v in arguments.items() if k not in read})
        given = {k: v for k, v in arguments.items() if k in read}
        super().__init__(factory, objective, objective=objective, **given)
        self.codes = grade_codes(arguments["labels"], None)
        _check_class_weight(arguments["class_weight"], self.codes)
        check_number("alpha", arguments["alpha"], minimum=0)
        self._matrix(self._some_scale())  # a bad matrix is refused at once

    def __call__(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> tuple[FloatArray, FloatArray]:
        loss = self.loss(y_true, y_pred, sample_weight)
        return loss.gradient, loss.hessian

    def loss(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Derivatives:
        """Compute the loss and its derivatives by the raw scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Codes of the true grades; or raw scores, when a data set follows.
        y_pred : array-like, Dataset or DMatrix
            Raw scores, one column a code; with two grades one column will do, for the second code.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.

        Returns
        -------
        Derivatives
            Arrays of the shape of the raw scores.
        """
        rows = read_rows(y_true, y_pred, sample_weight)
        one_score = rows.predicted.ndim == 1
        codes = match_codes(_two_grades(self.codes) if one_score else self.codes, rows.predicted)
        truth = codes.ranks_of_codes(rows.truth)
        weight = self._weights(truth, rows.weight, codes.labels)
        scores = rows.predicted
        if one_score:
            scores = np.column_stack([np.zeros(len(scores)), scores])
        loss = self._evaluate(codes.by_rank(scores), truth, weight, codes.labels)
        loss = Derivatives(loss.value, codes.by_code(loss.gradient), codes.by_code(loss.hessian))
        return loss.of_one_score() if one_score else loss

    def _evaluate(
        self, scores: FloatArray, truth: IntArray, weight: FloatArray, labels: AnyArray
    ) -> Derivatives:
        matrix = self._matrix(labels)
        if self.__name__ == "cost_weighted_log_loss":
            return cost_log_loss(scores, truth, weight, matrix, self.arguments["alpha"])
        _check_kappa(margin_of(truth, weight, len(labels)), matrix, labels)
        return soft_kappa_loss(scores, truth, weight, matrix)

    def _matrix(self, labels: AnyArray) -> FloatArray:
        if self.__name__ == "cost_weighted_log_loss":
            return read_costs(labels, self.arguments["cost_matrix"])
        return read_disagreement(labels, self.arguments["weights"])

    def _some_scale(self) -> AnyArray:
        """Return the scale, or one of the size of the matrix."""
        if self.codes is not None:
            return self.codes.labels
        matrices = [v for v in self.arguments.values() if np.ndim(v) == 2]
        return np.arange(len(matrices[0]) if matrices else 2)

    def _weights(self, truth: IntArray, weight: FloatArray | None, labels: AnyArray) -> FloatArray:
        """Return the weight of every row times the factor of its grade."""
        weight = np.ones(len(truth)) if weight is None else weight
        class_weight = self.arguments["class_weight"]
        if class_weight is None:
            return weight
        if isinstance(class_weight, Mapping):
            _check_keys(class_weight, labels)
            factors = np.array([float(class_weight.get(grade, 1.0)) for grade in labels.tolist()])
        else:
            factors = _balancing(margin_of(truth, weight, len(labels)))
        weight = weight * factors[truth]
        check_weights(weight, len(truth))
        return weight


def lightgbm_objective(
    objective: str = "soft_weighted_kappa",
    *,
    weights: Weights = "quadratic",
    cost_matrix: ArrayLike | None = None,
    alpha: float = 0.5,
    labels: ArrayLike | None = None,
    class_weight: ClassWeight = None,
) -> BoosterObjective:
    """Make an objective for LightGBM that knows how far off a grade is.

    Parameters
    ----------
    objective : {"soft_weighted_kappa", "cost_weighted_log_loss"}, default="soft_weighted_kappa"
        The metric of this name, as a loss: one minus the kappa, or the loss.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        Disagreements of the soft kappa, as in
        :func:`~sklearn_ordinal_censored.metrics.weighted_kappa`.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Costs of the log loss, not negative, true grades in rows; by default the quadratic
        disagreements.
    alpha : float, default=0.5
        How much the costs of the log loss count; 0 gives the plain log loss.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest, as they stand in the ``y`` that the model is fitted to.
        Needed where their sorted order is another, as for text: ``LGBMClassifier`` numbers the
        grades in sorted order. By default the grades are 0, 1, ..., as many as there are columns.
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by grade; grades that a dict does not name have a factor of 1.
        ``"balanced"`` gives every grade of the training rows the same total weight.

    Returns
    -------
    callable
        For ``objective=`` of ``LGBMClassifier`` and ``params["objective"]`` of ``lightgbm.train``.
        It returns the gradient and a positive stand-in for the second derivatives, and uses the
        weights of the rows. With two grades it serves models of one raw score a row as well.

    Raises
    ------
    ValueError
        If an argument is not known, or not read by this objective; when called, if the codes of the
        grades or the raw scores do not fit.

    See Also
    --------
    lightgbm_metric : What to stop early with.
    xgboost_objective : The same for XGBoost.
    sklearn_ordinal_censored.metrics.soft_weighted_kappa : The kappa of probabilities.
    sklearn_ordinal_censored.metrics.cost_weighted_log_loss : The other loss.

    Notes
    -----
    With a custom objective LightGBM knows no probabilities: ``predict`` and ``predict_proba``
    return the raw scores, one column for every grade in sorted order. With ``raw``, the result of
    ``model.predict(X, raw_score=True)``,
    ``ordinal_decode(raw, encoding="class_logits", rule="mean")`` gives the grades. With
    ``labels`` in another order than the sorted one, put the columns in that order first:
    ``raw[:, np.searchsorted(model.classes_, labels)]``. Metrics need ``encoding="class_logits"``,
    and the model ``metric="None"``, because the log loss that it watches by itself takes the raw
    scores for probabilities.

    Decode the soft kappa with ``rule="mean"``: the most probable grade is at the ends of the scale
    too often, above all after few rounds. For the cost-weighted log loss ``rule="median"`` gives a
    higher kappa than the most probable grade.

    Losses are sums over the rows, so that weights and learning rates mean what they mean for the
    log loss. The soft kappa [1]_ is not convex. In place of its second derivatives by the raw score
    of grade ``k`` it returns ``0.4 w p_k (1 - p_k) (max g - min g)``, where ``w g_l`` is the
    derivative by the probability ``p_l``; this is a fifth of an upper bound, and small enough for
    the training loss to fall with learning rates up to 0.17. The log loss has
    ``2 w p_k (1 - p_k)`` times its factor, which counts as a constant.

    References
    ----------
    .. [1] J. de la Torre, D. Puig, A. Valls. "Weighted Kappa Loss Function for Multi-Class
       Classification of Ordinal Data in Deep Learning." Pattern Recognition Letters 105, 2018.
       :doi:`10.1016/j.patrec.2017.05.018`

    Examples
    --------
    At the start all grades are equally probable. The true grade is 1, so that the scores of 0 and 2
    are to fall:

    >>> from sklearn_ordinal_censored.boosting import lightgbm_objective
    >>> objective = lightgbm_objective("cost_weighted_log_loss", alpha=0)
    >>> gradient, hessian = objective([1], [[0.0, 0.0, 0.0]])
    >>> gradient.round(2), hessian.round(2)
    (array([[ 0.33, -0.67,  0.33]]), array([[0.44, 0.44, 0.44]]))
    """
    return BoosterObjective(
        "lightgbm_objective",
        objective,
        weights=weights,
        cost_matrix=cost_matrix,
        alpha=alpha,
        labels=labels,
        class_weight=class_weight,
    )


def xgboost_objective(
    objective: str = "soft_weighted_kappa",
    *,
    weights: Weights = "quadratic",
    cost_matrix: ArrayLike | None = None,
    alpha: float = 0.5,
    labels: ArrayLike | None = None,
    class_weight: ClassWeight = None,
) -> BoosterObjective:
    """Make an objective for XGBoost that knows how far off a grade is.

    Parameters
    ----------
    objective : {"soft_weighted_kappa", "cost_weighted_log_loss"}, default="soft_weighted_kappa"
        The metric of this name, as a loss: one minus the kappa, or the loss.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        Disagreements of the soft kappa, as in
        :func:`~sklearn_ordinal_censored.metrics.weighted_kappa`.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Costs of the log loss, not negative, true grades in rows; by default the quadratic
        disagreements.
    alpha : float, default=0.5
        How much the costs of the log loss count; 0 gives the plain log loss.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. Needed where the codes 0, 1, ... that the model is fitted
        to number the grades in their sorted order and that is another one. By default the grades
        are 0, 1, ..., as many as there are columns.
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by grade; grades that a dict does not name have a factor of 1.
        ``"balanced"`` gives every grade of the training rows the same total weight.

    Returns
    -------
    callable
        For ``objective=`` of ``XGBClassifier`` and ``obj=`` of ``xgboost.train``.
        It returns the gradient and a positive stand-in for the second derivatives, and uses the
        weights of the rows. With two grades it serves models of one raw score a row as well.

    Raises
    ------
    ValueError
        If an argument is not known, or not read by this objective; when called, if the codes of the
        grades or the raw scores do not fit.

    See Also
    --------
    xgboost_metric : What to stop early with.
    lightgbm_objective : The same for LightGBM.
    sklearn_ordinal_censored.metrics.soft_weighted_kappa : The kappa of probabilities.
    sklearn_ordinal_censored.metrics.cost_weighted_log_loss : The other loss.

    Notes
    -----
    During training metrics see raw scores: give them ``encoding="class_logits"``. Afterwards
    ``XGBClassifier.predict_proba`` returns probabilities, the softmax of the raw scores, and
    ``predict`` the most probable code. ``Booster.predict`` returns probabilities if
    ``params["objective"]`` is ``"multi:softprob"`` besides ``obj``, by default the most probable
    code, and with ``output_margin=True`` the raw scores. From these or from probabilities,
    ``ordinal_decode(..., rule="mean")`` gives the grades.

    Decode the soft kappa with ``rule="mean"``: the most probable grade is at the ends of the scale
    too often, above all after few rounds. For the cost-weighted log loss ``rule="median"`` gives a
    higher kappa than the most probable grade.

    Losses are sums over the rows, so that weights and learning rates mean what they mean for the
    log loss. The soft kappa [1]_ is not convex. In place of its second derivatives by the raw score
    of grade ``k`` it returns ``0.4 w p_k (1 - p_k) (max g - min g)``, where ``w g_l`` is the
    derivative by the probability ``p_l``; this is a fifth of an upper bound, and small enough for
    the training loss to fall with learning rates up to 0.17. The log loss has
    ``2 w p_k (1 - p_k)`` times its factor, which counts as a constant.

    References
    ----------
    .. [1] J. de la Torre, D. Puig, A. Valls. "Weighted Kappa Loss Function for Multi-Class
       Classification of Ordinal Data in Deep Learning." Pattern Recognition Letters 105, 2018.
       :doi:`10.1016/j.patrec.2017.05.018`

    Examples
    --------
    At the start all grades are equally probable. The true grade is 1, so that the scores of 0 and 2
    are to fall:

    >>> from sklearn_ordinal_censored.boosting import xgboost_objective
    >>> objective = xgboost_objective("cost_weighted_log_loss", alpha=0)
    >>> gradient, hessian = objective([1], [[0.0, 0.0, 0.0]])
    >>> gradient.round(2), hessian.round(2)
    (array([[ 0.33, -0.67,  0.33]]), array([[0.44, 0.44, 0.44]]))
    """
    return BoosterObjective(
        "xgboost_objective",
        objective,
        weights=weights,
        cost_matrix=cost_matrix,
        alpha=alpha,
        labels=labels,
        class_weight=class_weight,
    )


def _two_grades(known: GradeCodes | None) -> GradeCodes:
    if known is not None and len(known.labels) != 2:
        raise ValueError(
            f"y_pred has one raw score a row, which serves two grades, but the grades are "
            f"{known.labels.tolist()}. Take a classifier; in `train` set num_class."
        )
    return codes_themselves(2) if known is None else known


def _balancing(margin: FloatArray) -> FloatArray:
    # As scikit-learn has it, for weighted rows: the total weight stays as it is.
    share = margin * (np.count_nonzero(margin) / margin.sum())
    return np.asarray(np.divide(1.0, share, out=np.zeros_like(share), where=share > 0))


def _check_kappa(margin: FloatArray, disagreement: FloatArray, labels: AnyArray) -> None:
    if np.count_nonzero(margin) < 2:
        raise ValueError(
            f"y_true holds one grade only ({preview(labels[margin > 0])}), so kappa is undefined. "
            "Train on rows of two grades at least."
        )
    is_free = margin @ disagreement == 0
    if is_free.any():
        raise ValueError(
            f"weights puts no price on predicting {preview(labels[is_free])}, whatever the true "
            "grade, so that kappa is undefined there. Give it a disagreement."
        )


def _check_unread(objective: str, unread: Mapping[str, Any]) -> None:
    for name, value in unread.items():
        default = _DEFAULTS[name]
        if value is not default and not (isinstance(value, (str, Real)) and value == default):
            reader = next(key for key, names in _READ_BY.items() if name in names)
            raise ValueError(f"{name} is read by objective={reader!r} only, not by {objective!r}.")


def _check_class_weight(class_weight: Any, codes: GradeCodes | None) -> None:
    if not isinstance(class_weight, Mapping):
        check_option("class_weight", class_weight, ("balanced", None))
        return
    for label, value in class_weight.items():
        check_number(f"class_weight[{label!r}]", value, minimum=0)
    if codes is not None:
        _check_keys(class_weight, codes.labels)


def _check_keys(class_weight: Mapping[Any, Any], labels: AnyArray) -> None:
    stray = [label for label in class_weight if label not in labels.tolist()]
    if stray:
        raise ValueError(
            f"class_weight names {preview(stray)}, but the grades are {labels.tolist()}."
        )
