"""Scorers of censored targets: whether a prediction is a time or a risk is read from the model."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.metrics._scorer import MetricScorer, OnePrediction


class CensoredScorer(MetricScorer):
    """Scorer of a metric ``metric(y_true, y_pred, *, ...)`` for censored targets.

    The parameters are those of :class:`MetricScorer`. If the metric has ``prediction`` and the
    options do not fix it, the direction is read from the estimator.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import concordance_index
    >>> CensoredScorer(concordance_index, options={"prediction": "risk"})
    CensoredScorer(concordance_index, prediction='risk')
    """

    def score(
        self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None, strata: Any = None
    ) -> float:
        """Score a fitted estimator.

        Parameters
        ----------
        estimator : fitted estimator
            Its ``predict`` is scored.
        X : array-like of shape (n_samples, n_features)
            Rows.
        y_true : censored target of shape (n_samples,)
            True times.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        strata : array-like of shape (n_samples,), default=None
            Strata, for the metrics that have them.

        Returns
        -------
        float
            Higher is better.
        """
        return self._score(estimator, X, y_true, sample_weight=sample_weight, strata=strata)

    def _respond(
        self, estimator: Any, X: Any, y_true: Any, options: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        direction = predicted_direction(estimator)
        known = inspect.signature(self.metric).parameters
        model = type(getattr(estimator, "_estimator", estimator)).__name__
        if "prediction" in known:
            options.setdefault("prediction", direction)
        elif direction == "risk":
            warn(
                f"{self.metric.__name__} compares predicted with true times, but {model} predicts "
                "a risk: the value has no meaning. Score its concordance instead."
            )
        if "times" not in known:
            return estimator.predict(X), options
        reader = f"the scorer of {self.metric.__name__}"
        return one_prediction(estimator, X, reader, "the metric"), options


def one_prediction(estimator: Any, X: Any, reader: str, other_way: str) -> Any:
    """Return what an estimator predicts, which is to be one time or risk a row.

    Parameters
    ----------
    estimator : fitted estimator
        Its ``predict`` is asked.
    X : array-like of shape (n_samples, n_features)
        Rows.
    reader : str
        Who asks, for the message.
    other_way : str
        What takes predictions at several times, for the message.

    Returns
    -------
    array-like of shape (n_samples,)
        The predictions. A data frame is not looked into, since it says what its columns are.

    Raises
    ------
    ValueError
        If they are an array with columns.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> one_prediction(DummyRegressor().fit([[0]], [2]), [[0], [0]], "a display", "the metric")
    array([2., 2.])
    """
    predicted = estimator.predict(X)
    # Columns of an array may be anything, such as a location and a scale.
    if np.ndim(predicted) == 2 and not hasattr(predicted, "columns"):
        model = type(getattr(estimator, "_estimator", estimator)).__name__
        raise ValueError(
            f"{model}.predict gives the shape {np.shape(predicted)}, but {reader} reads one time "
            "or risk a row. Wrap the model so that `predict` returns one, or call "
            f"{other_way} with predictions at `times`."
        )
    return predicted


def predicted_direction(estimator: Any) -> str:
    """Return whether an estimator predicts a time or a risk.

    Parameters
    ----------
    estimator : estimator
        An estimator with ``_predict_risk_score``, or one of scikit-survival, which predicts a risk
        where it does not say otherwise; looked for at the end of pipelines and inside searches. Any
        other predicts a time.

    Returns
    -------
    {"time", "risk"}
        For ``prediction=``.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> predicted_direction(LinearRegression())
    'time'
    """
    if isinstance(estimator, OnePrediction):
        return predicted_direction(estimator._estimator)
    if hasattr(estimator, "steps"):
        return predicted_direction(estimator.steps[-1][1])
    for inner in ("best_estimator_", "estimator_", "regressor_", "estimator", "regressor"):
        if not hasattr(estimator, "_predict_risk_score") and hasattr(estimator, inner):
            return predicted_direction(getattr(estimator, inner))
    is_survival = any(cls.__module__.startswith("sksurv.") for cls in type(estimator).__mro__)
    return "risk" if getattr(estimator, "_predict_risk_score", is_survival) else "time"
