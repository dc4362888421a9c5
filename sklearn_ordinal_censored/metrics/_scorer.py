"""What scikit-learn's own scorers cannot express: scorers that ask more of an estimator.

A subclass of :class:`MetricScorer` says what of an estimator its metric reads. For several scorers
that are asked for together each response of the estimator is computed once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial, wraps
from typing import Any, ClassVar, Self

from sklearn.metrics import check_scoring
from sklearn.utils.metadata_routing import UNUSED

from sklearn_ordinal_censored._compat import MetadataRequester, scored_metric
from sklearn_ordinal_censored._response import survival_curves
from sklearn_ordinal_censored._text import short_text
from sklearn_ordinal_censored.targets._curves import read_times


class _AnyScorer:
    """What scikit-learn asks of every scorer."""

    def _accept_sample_weight(self) -> bool:
        return True

    def __sklearn_clone__(self) -> Self:
        # A scorer has no parameters that clone could read, and carries its metadata requests.
        return deepcopy(self)


class MetricScorer(_AnyScorer, MetadataRequester):
    """Base of scorers of a metric ``metric(y_true, response, *, ...)``.

    A subclass says in ``_respond`` what the response is. As scikit-learn's own scorers it is no
    estimator, which a search would print in a way of its own.

    Parameters
    ----------
    metric : callable
        The metric function.
    greater_is_better : bool, default=True
        Whether a higher value is better; else the score is the negated value.
    options : dict or None, default=None
        Keyword arguments of the metric.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import get_scorer
    >>> isinstance(get_scorer("concordance_index"), MetricScorer)
    True
    """

    # Of the arguments of `score`, only the weights of rows and the like can be requested.
    __metadata_request__score: ClassVar[dict[str, Any]] = {"estimator": UNUSED, "y_true": UNUSED}

    def __init__(
        self,
        metric: Callable[..., Any],
        greater_is_better: bool = True,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.metric = metric
        self.greater_is_better = greater_is_better
        self.options = options

    def __call__(self, estimator: Any, X: Any, y: Any, **metadata: Any) -> float:
        return self.score(estimator, X, y, **metadata)

    def score(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:
        """Score a fitted estimator.

        Parameters
        ----------
        estimator : fitted estimator
            What is scored.
        X : array-like of shape (n_samples, n_features)
            Rows.
        y_true : array-like of shape (n_samples,)
            Truth.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.

        Returns
        -------
        float
            Higher is better.
        """
        return self._score(estimator, X, y_true, sample_weight=sample_weight)

    def _score(self, estimator: Any, X: Any, y_true: Any, **metadata: Any) -> float:
        given = {name: value for name, value in metadata.items() if value is not None}
        known = inspect.signature(self.metric).parameters
        if not set(given) <= set(known):
            raise ValueError(f"{self.metric.__name__} takes no {sorted(set(given) - set(known))}.")
        response, options = self._respond(estimator, X, y_true, dict(self.options or {}))
        value = float(self.metric(y_true, response, **options, **given))
        return value if self.greater_is_better else -value

    def _respond(
        self, estimator: Any, X: Any, y_true: Any, options: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """Return what the metric reads of the estimator, and the options for the metric."""
        raise NotImplementedError

    def _get_metadata_request(self) -> Any:
        request = super()._get_metadata_request()
        for name in request.score.requests.keys() - inspect.signature(self.metric).parameters:
            # A search passes on what other scorers ask for; unset, it would be refused here.
            if request.score.requests[name] is None:
                request.score.add_request(param=name, alias=False)
        return request

    def __repr__(self) -> str:
        sign = "" if self.greater_is_better else ", greater_is_better=False"
        given = (self.options or {}).items()
        options = "".join(f", {name}={short_text(value)}" for name, value in given)
        return f"{type(self).__name__}({self.metric.__name__}{sign}{options})"


class ScorerGroup(_AnyScorer):
    """Several scorers for which each response is computed once, for ``scoring=`` in a search.

    Parameters
    ----------
    scorers : dict
        Scorers by name.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import get_scorer
    >>> ScorerGroup({"c": get_scorer("concordance_index")})
    ScorerGroup({'c': CensoredScorer(concordance_index)})
    """

    def __init__(self, scorers: Mapping[str, Any]) -> None:
        self.scorers = scorers

    def __call__(self, estimator: Any, X: Any, y: Any, **metadata: Any) -> dict[str, float]:
        scores: dict[str, float] = self._multimetric()(OnePrediction(estimator), X, y, **metadata)
        return scores

    def _multimetric(self) -> Any:
        return check_scoring(scoring=dict(self.scorers))

    def set_score_request(self, **requests: Any) -> ScorerGroup:
        """Request metadata for every scorer of the group that reads them.

        Parameters
        ----------
        **requests : bool, str or None
            ``sample_weight`` and ``strata``, as for a single scorer.

        Returns
        -------
        ScorerGroup
            The group itself.
        """
        read = set()
        for scorer in self.scorers.values():
            metric = scorer.metric if isinstance(scorer, MetricScorer) else scored_metric(scorer)
            known = {k: v for k, v in requests.items() if k in inspect.signature(metric).parameters}
            scorer.set_score_request(**known)
            read |= set(known)
        if set(requests) - read:
            raise ValueError(f"No scorer of {self!r} reads {sorted(set(requests) - read)}.")
        return self

    def get_metadata_routing(self) -> Any:
        """Return what the scorers request.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        return self._multimetric().get_metadata_routing()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.scorers)!r})"


_RESPONSES = (
    "predict",
    "predict_proba",
    "decision_function",
    "predict_survival",
    "predict_survival_function",
)


class OnePrediction:
    """A fitted estimator that computes each response to the same rows once.

    Parameters
    ----------
    estimator : fitted estimator
        The estimator that answers.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> model = OnePrediction(DummyRegressor().fit([[0]], [1.0]))
    >>> X = [[0], [0]]
    >>> model.predict(X) is model.predict(X)
    True
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._known: dict[str, tuple[tuple[Any, ...], Any]] = {}

    def __getattr__(self, name: str) -> Any:
        if name == "_estimator":  # not there yet while a copy is made
            raise AttributeError(name)
        attribute = getattr(self._estimator, name)
        if name not in _RESPONSES:
            return attribute

        @wraps(attribute)  # scikit-learn keeps predictions by the name of the method
        def _respond(*asked: Any) -> Any:
            return self._once(name, attribute, asked)

        return _respond

    def survival_curves(self, X: Any, times: Any, response: Callable[..., Any] | None) -> Any:
        """Return predicted survival as :func:`survival_curves` does, from the estimator itself.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        times : array-like of shape (n_times,)
            The times.
        response : callable or None
            What to ask instead of the methods of the estimator.

        Returns
        -------
        object
            Step functions, an array or a data frame.
        """
        asked = X, tuple(read_times(times)), response  # copies of a scorer have their own times
        return self._once("", partial(survival_curves, self._estimator), asked)

    def _once(self, name: str, ask: Callable[..., Any], asked: tuple[Any, ...]) -> Any:
        known = self._known.get(name)
        if known is None or len(known[0]) != len(asked) or not all(map(_is_same, known[0], asked)):
            self._known[name] = known = asked, ask(*asked)
        return known[1]


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (isinstance(one, tuple) and isinstance(other, tuple) and one == other)
