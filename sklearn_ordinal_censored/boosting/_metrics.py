"""Ordinal metrics as evaluation metrics of LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.boosting._rows import (
    BoosterFunction,
    GradeCodes,
    grade_codes,
    is_native,
    match_codes,
    read_rows,
)
from sklearn_ordinal_censored.metrics._scorers import (
    REGISTRY,
    ScorerRow,
    check_metric_options,
)
from sklearn_ordinal_censored.targets._encoding import ordinal_decode
from sklearn_ordinal_censored.targets._inputs import check_option
from sklearn_ordinal_censored.targets._probabilities import check_class_probs, expected_rank

_RAW = "raw scores, as under a custom objective, need encoding='class_logits' in the metric"
_OWN = ("metric", "labels", "n_classes", "rule", "encoding")  # the others are the metric's
_ROWS = {
    row.metric.__name__: row for row in REGISTRY.values() if row.response not in ("time", "curve")
}


class BoosterMetric(BoosterFunction):
    """An ordinal metric that reads what a boosting library hands over.

    Parameters
    ----------
    factory : str
        Name of the public function that makes it.
    row : ScorerRow
        The metric.
    name : str
        What the library calls it.
    **arguments : object
        The other arguments of the factory.

    Examples
    --------
    >>> lightgbm_metric("ordinal_accuracy").value([0, 1], [[0.9, 0.1], [0.6, 0.4]])
    0.5
    """

    def __init__(self, factory: str, row: ScorerRow, name: str, **arguments: Any) -> None:
        super().__init__(factory, name, metric=row.metric.__name__, **arguments)
        self.row = row
        self.codes = grade_codes(arguments["labels"], arguments["n_classes"])
        self.options = {k: v for k, v in self.arguments.items() if k not in _OWN}

    def value(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> float:
        """Compute the metric.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Codes of the true grades; or predictions, when a data set follows.
        y_pred : array-like, Dataset or DMatrix
            Predictions, or a data set.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.

        Returns
        -------
        float
            In the metric's own direction.
        """
        rows = read_rows(y_true, y_pred, sample_weight)
        codes = match_codes(self.codes, rows.predicted)
        response: Any
        if rows.predicted.ndim == 1 and len(codes.labels) > 2:
            codes.refuse_predicted_codes(rows.predicted)
            truth = codes.ranks_of_targets(rows.truth)
            response = self._of_scores(rows.predicted, codes)
        else:
            truth = codes.ranks_of_codes(rows.truth)
            response = self._of_classes(rows.predicted, codes)
        given = {"labels": codes.labels, "sample_weight": rows.weight, **self.options}
        return float(self.row.metric(codes.labels[truth], response, **given))

    def _of_scores(self, scores: FloatArray, codes: GradeCodes) -> Any:
        if self.row.response == "grade":
            return codes.labels[codes.ranks_of_scores(scores)]
        if self.row.response == "probabilities":
            raise ValueError(
                f"{self.row.metric.__name__} reads probabilities, but y_pred has one number a row "
                f"for {len(codes.labels)} grades. Take a classifier, or a metric of grades."
            )
        return scores

    def _of_classes(self, predicted: FloatArray, codes: GradeCodes) -> Any:
        encoding, rule = self.arguments["encoding"], self.arguments["rule"]
        is_raw = encoding == "class_logits"
        if predicted.ndim == 1:
            predicted = np.column_stack([0 * predicted if is_raw else 1 - predicted, predicted])
        if not is_raw:
            check_class_probs("y_pred", predicted, _RAW)
        columns = codes.by_rank(predicted)
        if self.row.response == "grade":
            return ordinal_decode(columns, encoding=encoding, rule=rule, labels=codes.labels)
        proba = softmax(columns, axis=1) if is_raw else columns
        return expected_rank(proba) if self.row.response == "score" else proba


class LightGBMMetric(BoosterMetric):
    """What :func:`lightgbm_metric` returns.

    Examples
    --------
    >>> metric = lightgbm_metric("mean_absolute_class_error")
    >>> type(metric).__name__
    'LightGBMMetric'
    """

    def __call__(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> tuple[str, float, bool]:
        value = self.value(y_true, y_pred, sample_weight)
        return self.__name__, value, self.row.greater_is_better


class XGBoostMetric(BoosterMetric):
    """What :func:`xgboost_metric` returns.

    Examples
    --------
    >>> metric = xgboost_metric("mean_absolute_class_error")
    >>> type(metric).__name__
    'XGBoostMetric'
    """

    def __call__(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> float | tuple[str, float]:
        value = self.value(y_true, y_pred, sample_weight)
        loss = -value if self.row.greater_is_better else value
        return (self.__name__, loss) if is_native(y_pred) else loss


def lightgbm_metric(
    metric: str | Callable[..., Any] = "quadratic_weighted_kappa",
    *,
    labels: ArrayLike | None = None,
    n_classes: int | None = None,
    rule: str = "argmax",
    encoding: str = "class_probs",
    **options: Any,
) -> LightGBMMetric:
    """Make an evaluation metric for LightGBM.

    Parameters
    ----------
    metric : str or callable, default="quadratic_weighted_kappa"
        An ordinal metric of :mod:`sklearn_ordinal_censored.metrics`, or its name. Metrics of grades
        read decoded predictions, metrics of probabilities the probabilities; those of scores read
        the expected rank of a classifier, and the prediction of a regressor.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest, as they stand in the ``y`` that the model is fitted to.
        Needed where their sorted order is another, as for text: ``LGBMClassifier`` numbers the
        grades in sorted order. By default the grades are 0, 1, ..., as many as there are columns.
    n_classes : int, default=None
        Number of grades, for predictions of one number a row, when there are no ``labels``.
    rule : {"argmax", "median", "mean"}, default="argmax"
        How grades are read off probabilities, as in
        :func:`~sklearn_ordinal_censored.targets.ordinal_decode`.
    encoding : {"class_probs", "class_logits"}, default="class_probs"
        What a classifier predicts: probabilities, or raw scores, as with a custom objective. Of two
        grades it is one number a row, for the second code.
    **options : object
        Further arguments of the metric, such as ``weights`` or ``cost_matrix``.

    Returns
    -------
    callable
        For ``eval_metric=`` of ``LGBMClassifier.fit`` and ``LGBMRegressor.fit`` and for ``feval=``
        of ``lightgbm.train`` and ``lightgbm.cv``. It returns (name, value, whether higher is
        better), and uses the weights of the rows.

    Raises
    ------
    ValueError
        If an argument is not known; when called, if grades or predictions do not fit.

    See Also
    --------
    lightgbm_objective : What to train with.
    xgboost_metric : The same for XGBoost.

    Notes
    -----
    LightGBM stops early when any of its metrics does. For this one alone, set ``metric="None"`` as
    a parameter of the model.

    One number a row for three or more grades is the score of a regressor. It is fitted to the
    grades if they are numbers, else to their ranks, and its score is cut half-way between them. The
    end grades are open.

    The number of grades never depends on the rows that are evaluated. Kappa is undefined where
    truth and prediction are the same constant; pass ``replace_undefined_by=0.0`` for evaluation
    sets of a single grade.

    Probabilities of ``objective="multiclassova"`` do not sum to one; ``encoding="class_logits"``
    gives their ``"argmax"``.

    Examples
    --------
    Codes 0, 1, 2 are the sorted grades "high", "low", "mid", and so are the columns:

    >>> from sklearn_ordinal_censored.boosting import lightgbm_metric
    >>> metric = lightgbm_metric(labels=["low", "mid", "high"])
    >>> metric([0, 1, 2], [[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.2, 0.1, 0.7]])
    ('quadratic_weighted_kappa', 0.6666666666666667, True)
    """
    row = _read_metric(metric, labels, rule, encoding, options)
    return LightGBMMetric(
        "lightgbm_metric",
        row,
        row.metric.__name__,
        labels=labels,
        n_classes=n_classes,
        rule=rule,
        encoding=encoding,
        **options,
    )


def xgboost_metric(
    metric: str | Callable[..., Any] = "quadratic_weighted_kappa",
    *,
    labels: ArrayLike | None = None,
    n_classes: int | None = None,
    rule: str = "argmax",
    encoding: str = "class_probs",
    **options: Any,
) -> XGBoostMetric:
    """Make an evaluation metric for XGBoost, which minimises.

    Parameters
    ----------
    metric : str or callable, default="quadratic_weighted_kappa"
        An ordinal metric of :mod:`sklearn_ordinal_censored.metrics`, or its name. Metrics of grades
        read decoded predictions, metrics of probabilities the probabilities; those of scores read
        the expected rank of a classifier, and the prediction of a regressor.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. Needed where the codes 0, 1, ... that the model is fitted
        to number the grades in their sorted order and that is another one. By default the grades
        are 0, 1, ..., as many as there are columns.
    n_classes : int, default=None
        Number of grades, for predictions of one number a row, when there are no ``labels``.
    rule : {"argmax", "median", "mean"}, default="argmax"
        How grades are read off probabilities, as in
        :func:`~sklearn_ordinal_censored.targets.ordinal_decode`.
    encoding : {"class_probs", "class_logits"}, default="class_probs"
        What a classifier predicts during training: probabilities, or raw scores, as with a custom
        objective. Of two grades it is one number a row, for the second code.
    **options : object
        Further arguments of the metric, such as ``weights`` or ``cost_matrix``.

    Returns
    -------
    callable
        For ``eval_metric=`` of ``XGBClassifier`` and ``XGBRegressor`` and for ``custom_metric=`` of
        ``xgboost.train`` and ``xgboost.cv``. A metric of which higher is better is negated and
        called ``minus_...``. The weights of the rows are used.

    Raises
    ------
    ValueError
        If an argument is not known; when called, if grades or predictions do not fit.

    See Also
    --------
    xgboost_objective : What to train with.
    lightgbm_metric : The same for LightGBM, with more about regressors and undefined values.

    Notes
    -----
    XGBoost's early stopping takes a custom metric for one to be minimised, and watches the last
    metric of the last evaluation set. Leave ``maximize`` alone. It reads six decimals of a value.

    Examples
    --------
    >>> from sklearn_ordinal_censored.boosting import xgboost_metric
    >>> metric = xgboost_metric()
    >>> metric.__name__, metric([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    ('minus_quadratic_weighted_kappa', -1.0)
    """
    row = _read_metric(metric, labels, rule, encoding, options)
    name = row.metric.__name__
    return XGBoostMetric(
        "xgboost_metric",
        row,
        f"minus_{name}" if row.greater_is_better else name,
        labels=labels,
        n_classes=n_classes,
        rule=rule,
        encoding=encoding,
        **options,
    )


def _read_metric(
    metric: Any, labels: Any, rule: str, encoding: str, options: dict[str, Any]
) -> ScorerRow:
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", None)
    row = _ROWS.get(str(name))
    if row is None or (callable(metric) and metric is not row.metric):
        raise ValueError(
            f"metric={metric!r} is no ordinal metric of this library; use one of {sorted(_ROWS)}."
        )
    check_option("rule", rule, ("argmax", "median", "mean"))
    check_option("encoding", encoding, ("class_probs", "class_logits"))
    if rule != "argmax" and row.response != "grade":
        raise ValueError(f"rule={rule!r} is for metrics of grades; {name} reads no grades.")
    check_metric_options(row, {"labels": labels, **options}, f"The metric {name!r}")
    return row
