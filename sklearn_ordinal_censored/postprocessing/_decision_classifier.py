"""The classifier that decides by what is to be gained, not by the most probable grade."""

from __future__ import annotations

from functools import partial
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal_censored._compat import HasMethods, Interval, StrOptions, fit_context
from sklearn_ordinal_censored._kernels.decisions import kappa_decisions
from sklearn_ordinal_censored._response import class_probabilities
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, Weights
from sklearn_ordinal_censored.postprocessing._base import CrossFittedClassifier
from sklearn_ordinal_censored.postprocessing._decisions import (
    DECISIONS,
    check_shares,
    decide,
    decision_costs,
)
from sklearn_ordinal_censored.postprocessing._out_of_fold import OutOfFold


class OrdinalDecisionClassifier(CrossFittedClassifier):
    """Classifier that turns the class probabilities of another one into the best grades.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``; or a pipeline ending in one, or a ``FrozenEstimator``.
    decision : {"argmax", "median", "mean", "cost", "kappa"}, default="kappa"
        What the grades are best for: accuracy, the absolute error, the squared error, costs or a
        weighted kappa; see :func:`optimal_decisions`.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        Disagreement of two grades, for ``decision="kappa"``; the others do not read it.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Costs, rows = truth, for ``decision="cost"``; the others do not read it.
    cv : int, splitter, iterable, "prefit" or None, default=None
        How the out-of-fold probabilities for ``decision="kappa"`` are made: an int stands for
        stratified folds, None for 5 of them. ``"prefit"``: the estimator is fitted already, on
        other rows than those given to ``fit``. The other decisions need no folds.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value. Text needs ``labels``.
    n_jobs : int or None, default=None
        Number of folds fitted at a time.
    verbose : int, default=0
        Above 0, the folds print how many are fitted: 1 for about ten lines, above 1 for every fold.

    Attributes
    ----------
    estimator_ : estimator
        The estimator fitted on all rows.
    cost_matrix_ : ndarray of shape (n_classes, n_classes)
        What ``predict`` minimises in expectation, rows = truth in the order of the scale. For kappa
        it is ``W - r * (prior_ @ W)``, with the disagreements ``W`` and the ratio ``r`` of the
        largest plug-in kappa, which is ``1 - r``, of the out-of-fold probabilities.
    prior_ : ndarray of shape (n_classes,) or None
        Mean of the out-of-fold probabilities for ``decision="kappa"``; None for the others.
    classes_ : ndarray
        Sorted as scikit-learn requires: the grades seen in ``y``, or all of ``labels`` when given.
    ordered_classes_ : ndarray of shape (n_classes,)
        The scale, lowest grade first. Without ``labels``, a grade that has no training row of
        positive weight keeps its place here, but is never predicted.
    n_features_in_ : int
        Number of features seen by ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if they have any.

    See Also
    --------
    optimal_decisions : The same for probabilities at hand.
    OrdinalThresholdOptimizer : Learns from grades, not only from probabilities.
    sklearn.model_selection.TunedThresholdClassifierCV : For two classes.

    Notes
    -----
    The decisions are as good as the probabilities: a model whose probabilities are off may do
    better with :class:`OrdinalThresholdOptimizer`, which looks at the true grades, or calibrated.

    The best kappa of a set of rows depends on all of them. What ties them together, the ratio and
    the prior, is learned in ``fit``, so that ``predict`` treats every row alone.

    ``score`` is plain accuracy, as for every scikit-learn classifier: pass
    ``scoring=get_scorer("quadratic_weighted_kappa", labels=...)`` to judge by kappa.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_ordinal_censored.postprocessing import OrdinalDecisionClassifier
    >>> X = [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9]]
    >>> y = ["low", "low", "low", "low", "mid", "mid", "mid", "mid", "high", "high"]
    >>> labels = ["low", "mid", "high"]
    >>> never_miss_high = [[0, 1, 1], [1, 0, 1], [50, 50, 0]]
    >>> model = OrdinalDecisionClassifier(
    ...     GaussianNB(), decision="cost", cost_matrix=never_miss_high, labels=labels
    ... )
    >>> model.fit(X, y).predict([[1], [5], [7]])
    array(['low', 'mid', 'high'], dtype='<U4')
    >>> model.estimator_.predict([[7]])
    array(['mid'], dtype='<U4')
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "estimator": [HasMethods(["fit", "predict_proba"])],
        "decision": [StrOptions(set(DECISIONS))],
        "weights": [
            StrOptions({"linear", "quadratic"}),
            Interval(Real, 0, None, closed="neither"),
            "array-like",
            None,
        ],
        "cost_matrix": ["array-like", None],
        "cv": ["cv_object", StrOptions({"prefit"})],
        "labels": ["array-like", None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        decision: str = "kappa",
        weights: Weights = "quadratic",
        cost_matrix: ArrayLike | None = None,
        cv: Any = None,
        labels: ArrayLike | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.decision = decision
        self.weights = weights
        self.cost_matrix = cost_matrix
        self.cv = cv
        self.labels = labels
        self.n_jobs = n_jobs
        self.verbose = verbose

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any
    ) -> OrdinalDecisionClassifier:
        """Fit the estimator on all rows, and learn how to decide.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Grades.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, for the estimator and for the decision.
        **params : dict
            Metadata: arguments of the estimator's ``fit``, and of the splitter's ``split`` with
            metadata routing enabled.

        Returns
        -------
        OrdinalDecisionClassifier
            The fitted estimator itself.
        """
        X, target, weight, self._grades = self._read_rows(X, y, sample_weight)
        cost = decision_costs(self.decision, target.labels, self.weights, self.cost_matrix)
        routed = self._fit_estimator(X, target, sample_weight, params)
        self.cost_matrix_ = cost
        self.prior_: FloatArray | None = None
        if self.decision == "kappa":
            respond = partial(class_probabilities, labels=target.labels)
            self._learn_kappa(cost, self._held_out(X, target, routed, respond), weight)
        return self

    def _learn_kappa(
        self, disagreement: FloatArray, held_out: OutOfFold, weight: FloatArray | None
    ) -> None:
        proba, weights = held_out.output, held_out.weights(weight)
        weights = np.ones(len(proba)) if weights is None else weights
        costs = disagreement[:, self._grades]
        prior = check_shares(weights @ proba / weights.sum(), costs)
        _, ratio = kappa_decisions(proba, costs, prior, weights)
        self.prior_ = prior
        self.cost_matrix_ = disagreement - ratio * (prior @ disagreement)

    def predict(self, X: Any) -> AnyArray:
        """Grade rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Grades, in the dtype of the training target.
        """
        check_is_fitted(self, "cost_matrix_")
        proba = class_probabilities(self.estimator_, X, self.ordered_classes_)
        ranks = decide(proba, self.decision, self.cost_matrix_, self._grades)
        return np.asarray(self.ordered_classes_[ranks])
