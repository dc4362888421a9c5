"""Any regressor on a right-censored target, by weights for the rows that censoring took away."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone, is_classifier
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, indexable

from sklearn_ordinal_censored._compat import (
    HasMethods,
    check_method_params,
    fit_context,
    num_samples,
    routing_enabled,
    safe_indexing,
)
from sklearn_ordinal_censored._meta import adopt_features, one_column
from sklearn_ordinal_censored._site import Documented
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.metrics._concordance import concordance_index
from sklearn_ordinal_censored.metrics._ipcw import censoring_survival, first_unusable
from sklearn_ordinal_censored.targets._censored import parse_right_censored
from sklearn_ordinal_censored.targets._inputs import check_same_length
from sklearn_ordinal_censored.targets._weights import check_weights


class IPCWRegressor(Documented, RegressorMixin, MetaEstimatorMixin, BaseEstimator):
    """Regressor of event times, fitted by inverse-probability-of-censoring weights.

    Parameters
    ----------
    estimator : estimator
        A regressor whose ``fit`` takes ``sample_weight``. A pipeline takes it with metadata routing
        only; otherwise put this estimator into the pipeline.
    log_time : bool, default=True
        Whether the estimator is fitted to the logarithm of time, and its prediction taken back. An
        event at time 0 is then refused.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from; None stands for the training rows.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator.
    n_features_in_ : int
        Number of features seen by ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if they have any.

    See Also
    --------
    sklearn_ordinal_censored.model_selection.CensoredCVSplitter : Splits for censored targets.

    Notes
    -----
    A row with its event at T has the weight ``1 / G(T-)``, times its ``sample_weight``; G is the
    Kaplan-Meier curve of the censorings. Censored rows have the weight 0 and are left out of the
    fit [1]_. With weights the rows that remain stand for those that censoring took away, if
    censoring does not depend on the features. Nothing stands for rows whose event would come after
    the last one seen: where many outlast the follow-up, predictions rank them, but are too short as
    forecasts. Left- and interval-censored rows are refused.

    The prediction is a time, larger for later. With ``log_time`` it is the exponential of a mean
    logarithm, below the mean time. ``score`` is the concordance index.

    References
    ----------
    .. [1] M. J. van der Laan, J. M. Robins. "Unified Methods for Censored Longitudinal Data and
       Causality." Springer, 2003. :doi:`10.1007/978-0-387-21700-0`

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_ordinal_censored.compose import IPCWRegressor
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> X, y = [[1], [2], [3], [4]], right_censored(event=[1, 1, 0, 1], time=[1, 2, 3, 4])
    >>> model = IPCWRegressor(LinearRegression(), log_time=False).fit(X, y)
    >>> model.predict([[3]]).round(6)
    array([3.])
    >>> model.score(X, y)
    1.0
    """

    _predict_risk_score = False

    _parameter_constraints: dict[str, Any] = {  # noqa: RUF012
        "estimator": [HasMethods(["fit", "predict"])],
        "log_time": ["boolean"],
        "censoring": "no_validation",
    }

    def __init__(self, estimator: Any, *, log_time: bool = True, censoring: Any = None) -> None:
        self.estimator = estimator
        self.log_time = log_time
        self.censoring = censoring

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any
    ) -> IPCWRegressor:
        """Fit the estimator to the rows with an event.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : censored target of shape (n_samples,)
            Exact and right-censored rows.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, for the censoring curve and for the fit.
        **params : dict
            Further arguments of the estimator's ``fit``.

        Returns
        -------
        IPCWRegressor
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If the target is refused, no event has weight, the censoring curve is unknown at an
            event, or the estimator takes no ``sample_weight``.
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        if is_classifier(self.estimator):
            raise ValueError(
                f"estimator={self.estimator!r} is a classifier; give a regressor of times."
            )
        target = parse_right_censored("y", y)
        (X,) = indexable(X)
        check_same_length(X=num_samples(X), y=len(target.lower))
        rows, weight = self._weights(target, check_weights(sample_weight, len(target.lower)))
        times = self._transform(target.lower[rows])
        fit_params = check_method_params(X, params=self._route(params).estimator.fit, indices=rows)
        self.estimator_ = clone(self.estimator).fit(
            safe_indexing(X, rows), times, sample_weight=weight, **fit_params
        )
        adopt_features(self, self.estimator_)
        return self

    def _weights(
        self, target: CensoredTarget, own: FloatArray | None
    ) -> tuple[IntArray, FloatArray]:
        """Return the rows with an event, and their weights."""
        own = np.ones(len(target.lower)) if own is None else own
        kept = np.flatnonzero(own)
        rows = kept[target.is_exact[kept]]
        if not rows.size:
            raise ValueError(
                f"y has no event of positive weight among {len(own)} rows; there is nothing to fit."
            )
        survival = np.full(len(own), np.nan)
        survival[kept] = censoring_survival(self.censoring, target.take(kept), own[kept])
        first = first_unusable(survival[rows], target.lower[rows])
        if first is not None:
            raise ValueError(
                f"The censoring curve is 0 or unknown before the event at {first}; give "
                "`censoring=` data with longer follow-up, or censor the training rows earlier."
            )
        return rows, own[rows] / survival[rows]

    def _transform(self, times: FloatArray) -> FloatArray:
        if not self.log_time:
            return times
        bad = times[times <= 0]
        if bad.size:
            raise ValueError(
                f"y has {bad.size} event(s) at or before time 0 (e.g. {bad[0]}), without a "
                "logarithm; use log_time=False or shift the times."
            )
        return np.asarray(np.log(times))

    def _route(self, params: dict[str, Any]) -> Any:
        # Behind `**params` routing finds who asked for the weights, as in a pipeline.
        passes_on = routing_enabled() and has_fit_parameter(self.estimator, "params")
        if not passes_on and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(
                f"{type(self.estimator).__name__}.fit takes no sample_weight, but weights for "
                "censoring need it. Put IPCWRegressor inside the pipeline, around its last step, "
                "or take another regressor."
            )
        if routing_enabled() and params:
            return process_routing(self, "fit", **params)
        return Bunch(estimator=Bunch(fit=params))

    def predict(self, X: Any) -> FloatArray:
        """Predict event times.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Times, in the unit of the training target.
        """
        check_is_fitted(self, "estimator_")
        predicted = one_column("estimator.predict(X)", self.estimator_.predict(X))
        if not self.log_time:
            return predicted
        with np.errstate(over="ignore"):
            times = np.exp(predicted)
        if np.isinf(times).any():
            raise ValueError(
                f"The estimator predicts a log time of {predicted.max()}, whose exponential is "
                "infinite: it extrapolates without bound; regularise it, or use log_time=False."
            )
        return np.asarray(times)

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the concordance index of the predicted times.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : censored target of shape (n_samples,)
            True times.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.

        Returns
        -------
        float
            Between 0 and 1; higher is better.
        """
        return concordance_index(y, self.predict(X), sample_weight=sample_weight)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how metadata reaches the estimator.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.regressor_tags.poor_score = True
        return tags
