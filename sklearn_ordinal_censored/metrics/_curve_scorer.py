"""Scorers of predicted survival curves."""

from __future__ import annotations

from typing import Any

from sklearn_ordinal_censored._response import survival_curves
from sklearn_ordinal_censored.metrics._scorer import MetricScorer, OnePrediction


class CurveScorer(MetricScorer):
    """Scorer of a metric ``metric(y_true, y_proba, *, times, ...)`` of survival curves.

    The parameters are those of :class:`MetricScorer`. ``options`` holds the keyword arguments of
    the metric, ``times`` among them, which are the same for every fold, and perhaps ``response``:
    a function ``(estimator, X, times)`` that returns the survival probabilities, by default the
    estimator's ``predict_survival_function`` or ``predict_survival``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal_censored.metrics import integrated_brier_score
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> def certain(estimator, X, times):
    ...     return (np.reshape(X, (-1, 1)) > times).astype(float)
    >>> options = {"times": [0.5, 1.5, 2.5], "response": certain}
    >>> scorer = CurveScorer(integrated_brier_score, False, options)
    >>> scorer(None, [1, 2, 3], right_censored(event=[1, 1, 1], time=[1, 2, 3]))
    -0.0
    """

    def _respond(
        self, estimator: Any, X: Any, y_true: Any, options: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        times, response = options["times"], options.pop("response", None)
        if isinstance(estimator, OnePrediction):
            return estimator.survival_curves(X, times, response), options
        return survival_curves(estimator, X, times, response), options
