"""What the classifiers share that learn a rule from out-of-fold outputs of another estimator."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, indexable

from sklearn_ordinal_censored._compat import num_samples, routing_enabled
from sklearn_ordinal_censored._meta import adopt_features
from sklearn_ordinal_censored._progress import Progress
from sklearn_ordinal_censored._response import class_probabilities
from sklearn_ordinal_censored._site import Documented
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray, OrdinalTarget
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.postprocessing._crossfit import merge_rare
from sklearn_ordinal_censored.postprocessing._out_of_fold import OutOfFold, out_of_fold
from sklearn_ordinal_censored.targets._columns import single_column
from sklearn_ordinal_censored.targets._inputs import check_same_length
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal
from sklearn_ordinal_censored.targets._weights import check_weights


def _has_probabilities(self: Any) -> bool:
    return hasattr(getattr(self, "estimator_", self.estimator), "predict_proba")


def _takes_groups(estimator: Any) -> bool:
    """Whether groups may be for the estimator, such as a search with a splitter of its own."""
    known = inspect.signature(estimator.fit).parameters.values()
    return any(part.name == "groups" or part.kind is part.VAR_KEYWORD for part in known)


class CrossFittedClassifier(Documented, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Base of classifiers of ordered grades around another estimator.

    A subclass has the parameters ``estimator``, ``cv``, ``labels``, ``n_jobs`` and ``verbose``.

    Examples
    --------
    >>> from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer
    >>> issubclass(OrdinalThresholdOptimizer, CrossFittedClassifier)
    True
    """

    estimator: Any
    cv: Any
    labels: Any
    n_jobs: int | None
    verbose: int

    def _read_rows(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, OrdinalTarget, FloatArray | None, IntArray]:
        """Return checked rows, and the ranks that may be predicted; set the classes."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        target = parse_ordinal("y", single_column(y), self.labels)
        (X,) = indexable(X)
        check_same_length(X=num_samples(X), y=len(target.codes))
        weight = check_weights(sample_weight, len(target.codes))
        self.ordered_classes_ = target.labels
        seen = slice(None) if self.labels is not None else np.unique(target.codes)
        self.classes_ = np.sort(target.labels[seen])
        counted = target.codes if weight is None else target.codes[weight > 0]
        grades = np.unique(counted) if self.labels is None else np.arange(len(target.labels))
        return X, target, weight, grades

    def _splits(self, X: Any, codes: IntArray, params: dict[str, Any]) -> list[Any]:
        if self.cv is not None and not isinstance(self.cv, Integral):
            splits = list(check_cv(self.cv).split(X, codes, **params))
            if not splits:
                raise ValueError(f"cv={self.cv!r} holds no split; a generator serves only once.")
            rows = np.arange(len(codes))  # an iterable may hold masks
            return [(rows[train], rows[test]) for train, test in splits]
        # Strata of the ranks, joined where a grade is rarer than the folds.
        folds = StratifiedKFold(5 if self.cv is None else int(self.cv))
        return list(folds.split(X, merge_rare(codes, folds.n_splits), **params))

    def _fit_estimator(
        self, X: Any, target: OrdinalTarget, sample_weight: Any, params: dict[str, Any]
    ) -> Any:
        """Set ``estimator_`` and return the routed metadata."""
        routed = self._route(sample_weight, params)
        if self.cv == "prefit":
            check_is_fitted(self.estimator)
            self._set_fitted(self.estimator)
        else:
            y = self._inner_target(target)
            self._set_fitted(clone(self.estimator).fit(X, y, **routed.estimator.fit))
        return routed

    def _held_out(
        self,
        X: Any,
        target: OrdinalTarget,
        routed: Any,
        respond: Callable[[Any, Any], FloatArray],
    ) -> OutOfFold:
        """Return outputs for rows that the estimator behind them was not fitted on."""
        if self.cv == "prefit":
            return OutOfFold.of_all(respond(self.estimator_, X))
        splits = self._splits(X, target.codes, routed.splitter.split)
        return out_of_fold(
            self.estimator,
            X,
            self._inner_target(target),
            splits,
            routed.estimator.fit,
            respond,
            self.n_jobs,
            self._progress(),
        )

    def _progress(self) -> Progress:
        return Progress(type(self).__name__, int(self.verbose))

    def _inner_target(self, target: OrdinalTarget) -> AnyArray:
        is_graded = is_classifier(self.estimator)
        return target.labels[target.codes] if is_graded else target.codes.astype(np.float64)

    def _set_fitted(self, estimator: Any) -> None:
        self.estimator_ = estimator
        adopt_features(self, estimator)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the class probabilities of the estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        check_is_fitted(self, "estimator_")
        return class_probabilities(self.estimator_, X, self.classes_)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how metadata reaches the estimator and the splitter.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        if self._is_fitted_here:
            mapping = MethodMapping().add(caller="fit", callee="fit")
            router.add(estimator=self.estimator, method_mapping=mapping)
        return router.add(
            splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split")
        )

    @property
    def _is_fitted_here(self) -> bool:
        return self.estimator is not None and self.cv != "prefit"

    def _route(self, sample_weight: Any, params: dict[str, Any]) -> Any:
        if routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
            return routed if self._is_fitted_here else Bunch(splitter=routed.splitter)
        if params and not self._is_fitted_here:
            raise ValueError(
                f"fit got {sorted(params)}, but with estimator={self.estimator!r} and "
                f"cv={self.cv!r} nothing is fitted that could take them; leave them out."
            )
        if "groups" in params and not _takes_groups(self.estimator):
            raise ValueError(
                f"fit got groups, but {type(self.estimator).__name__}.fit takes none, and a "
                "splitter gets them by metadata routing only: call "
                "sklearn.set_config(enable_metadata_routing=True) first."
            )
        fit_params = dict(params)
        if sample_weight is not None and self._is_fitted_here:
            fit_params |= self._weight_for_estimator(sample_weight)
        return Bunch(estimator=Bunch(fit=fit_params), splitter=Bunch(split={}))

    def _weight_for_estimator(self, sample_weight: Any) -> dict[str, Any]:
        if has_fit_parameter(self.estimator, "sample_weight"):
            return {"sample_weight": sample_weight}
        if not isinstance(self.estimator, FrozenEstimator):
            warn(
                f"{type(self.estimator).__name__}.fit takes no sample_weight, so the weights "
                "only reach what is learned from its output; a pipeline passes them on with "
                "metadata routing."
            )
        return {}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self.estimator is not None:
            inner = get_tags(self.estimator)
            tags.input_tags.sparse = inner.input_tags.sparse
            tags.input_tags.pairwise = inner.input_tags.pairwise
            tags.input_tags.allow_nan = inner.input_tags.allow_nan
            if inner.classifier_tags is None:
                tags.classifier_tags.poor_score = True  # a regressor on two blobs is no classifier
            else:
                tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
                tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags
