"""Scorers of predicted probabilities and scores of grades, in the order of the scale.

scikit-learn hands a metric the columns of a classifier in the order of the alphabet, and of two
classes the second one only. These scorers put them in the order of the scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sklearn_ordinal_censored._response import class_probabilities, latent_score, scale_of
from sklearn_ordinal_censored.metrics._scorer import MetricScorer


class OrdinalScorer(MetricScorer):
    """Scorer of a metric of probabilities or scores of grades.

    Parameters
    ----------
    metric : callable
        The metric function.
    greater_is_better : bool, default=True
        Whether a higher value is better; else the score is the negated value.
    options : dict or None, default=None
        Keyword arguments of the metric, and ``encoding``: what ``predict_proba`` returns, as in
        :func:`~sklearn_ordinal_censored.targets.ordinal_decode`.
    response : {"probabilities", "score", "ranking"}, default="probabilities"
        What the metric reads: class probabilities; one score a row, which is the expected rank of
        a classifier and the prediction of a regressor; or the former where there are any, else the
        latter.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_ordinal_censored.metrics import ranked_probability_score
    >>> scorer = OrdinalScorer(ranked_probability_score, False, {"labels": ["low", "high"]})
    >>> scorer
    OrdinalScorer(ranked_probability_score, greater_is_better=False, labels=['low', 'high'])
    >>> X, y = [[0]] * 4, ["low", "low", "low", "high"]
    >>> scorer(DummyClassifier().fit(X, y), X, y)
    -0.1875
    """

    def __init__(
        self,
        metric: Callable[..., Any],
        greater_is_better: bool = True,
        options: Mapping[str, Any] | None = None,
        response: str = "probabilities",
    ) -> None:
        super().__init__(metric, greater_is_better, options)
        self.response = response

    def _respond(
        self, estimator: Any, X: Any, y_true: Any, options: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        encoding = options.pop("encoding", "class_probs")
        options["labels"] = scale_of(estimator, y_true, options.get("labels"))
        has_probabilities = hasattr(estimator, "predict_proba")
        if self.response == "probabilities" or (self.response == "ranking" and has_probabilities):
            proba = class_probabilities(estimator, X, options["labels"], encoding)
            return proba, options
        if encoding != "class_probs" and not has_probabilities:
            raise ValueError(
                f"encoding={encoding!r} says what predict_proba returns, but the model has none; "
                "leave it out."
            )
        return latent_score(estimator, X, "auto", options["labels"], encoding), options

    def __repr__(self) -> str:
        text = super().__repr__()
        is_default = self.response == "probabilities"
        return text if is_default else f"{text[:-1]}, response={self.response!r})"
