"""The estimator: any model's score, graded with cut points learned from out-of-fold scores."""

from __future__ import annotations

from functools import partial
from numbers import Integral, Real
from typing import Any

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from sklearn_ordinal_censored._compat import HasMethods, Interval, StrOptions, fit_context
from sklearn_ordinal_censored._response import RESPONSES, latent_score
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray, OrdinalTarget
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.postprocessing._base import CrossFittedClassifier
from sklearn_ordinal_censored.postprocessing._crossfit import cross_fitted_score, fold_problem
from sklearn_ordinal_censored.postprocessing._objectives import Objective, resolve_objective
from sklearn_ordinal_censored.postprocessing._out_of_fold import OutOfFold
from sklearn_ordinal_censored.postprocessing._strategies import (
    STRATEGIES,
    place_cuts,
    warn_without_value,
)
from sklearn_ordinal_censored.postprocessing._thresholds import apply_cuts, bootstrap_spread
from sklearn_ordinal_censored.targets._inputs import check_floats


class OrdinalThresholdOptimizer(CrossFittedClassifier):
    """Classifier that grades the score of any model with optimised cut points.

    The cut points are learned from out-of-fold scores, so that they fit scores on new data; then
    the estimator is fitted on all rows.

    Parameters
    ----------
    estimator : estimator or None, default=None
        A regressor, fitted to the ranks 0, 1, ...; a classifier, fitted to the grades, whose
        expected rank is the score; a pipeline ending in one; or a ``FrozenEstimator``. None: ``X``
        is itself one column of scores.
    objective : str, array-like of shape (n_classes, n_classes) or callable, \
default="quadratic_weighted_kappa"
        What the cut points optimise: ``"quadratic_weighted_kappa"``, ``"linear_weighted_kappa"``,
        ``"accuracy"``, ``"mean_absolute_class_error"``, ``"macro_mean_absolute_class_error"``, a
        cost matrix (rows = truth), or a function ``f(y_true, y_pred)`` of which larger is better.
    strategy : {"smoothed", "exact", "frequency", "rounding"}, default="smoothed"
        See :func:`optimal_thresholds`. ``"rounding"`` cuts half-way between ranks, as plain
        rounding of a regressor does.
    smoothing : float, default=1000.0
        Number of rows for which the smooth probabilities of ``strategy="smoothed"`` count. Weights
        count as numbers of rows, so weights that sum to 1 leave the rows without a say.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}, default="auto"
        What of the estimator makes the score. ``"auto"`` is ``predict`` for regressors and the
        first of the three that a classifier has; ``decision_function`` works for two classes.
    cv : int, splitter, iterable, "prefit" or None, default=None
        How out-of-fold scores are made: an int stands for stratified folds, None for 5 of them.
        ``"prefit"``: the estimator is fitted already, on other rows than those given to ``fit``.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value. Text needs ``labels``.
    n_bootstraps : int, default=0
        Number of bootstrap samples for ``threshold_std_``.
    n_jobs : int or None, default=None
        Number of folds fitted at a time.
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstrap.
    verbose : int, default=0
        Above 0, folds, bootstrap and the local search for a function print how far they are: 1 for
        about ten lines each, above 1 for a line a fold and a sample.

    Attributes
    ----------
    estimator_ : estimator
        The estimator fitted on all rows; None without one.
    thresholds_ : ndarray of shape (n_classes - 1,)
        Cut points, non-decreasing; a score equal to one belongs to the upper grade.
    threshold_std_ : ndarray of shape (n_classes - 1,) or None
        Standard deviation of the cut points over bootstrap samples.
    classes_ : ndarray
        Sorted as scikit-learn requires: the grades seen in ``y``, or all of ``labels`` when given.
    ordered_classes_ : ndarray of shape (n_classes,)
        The scale, lowest grade first. Without ``labels``, a grade that has no training row of
        positive weight keeps its place here and in ``thresholds_``, but is never predicted.
    best_score_ : float
        The objective, higher is better (errors and costs negated), of the out-of-fold scores, where
        every fold is graded with cut points learned on the scores of the other folds. If those hold
        a single grade, it is what they predict. For ``cv="prefit"`` the in-sample value, which
        flatters.
    n_features_in_ : int
        Number of features seen by ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if they have any.

    See Also
    --------
    optimal_thresholds : The same for a score at hand.
    sklearn.model_selection.TunedThresholdClassifierCV : For two classes.

    Notes
    -----
    ``score`` is plain accuracy, as for every scikit-learn classifier: pass
    ``scoring=get_scorer("quadratic_weighted_kappa", labels=...)`` to judge by kappa.

    ``predict_proba`` is the estimator's own; ``predict`` is not its arg-max, by design.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer
    >>> X = [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9]]
    >>> y = ["low", "low", "low", "low", "mid", "mid", "mid", "mid", "high", "high"]
    >>> model = OrdinalThresholdOptimizer(Ridge(), labels=["low", "mid", "high"], cv=2)
    >>> model.fit(X, y).predict([[1], [5], [9]])
    array(['low', 'mid', 'high'], dtype='<U4')
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "estimator": [HasMethods(["fit", "predict"]), None],
        "objective": [str, callable, "array-like"],
        "strategy": [StrOptions(set(STRATEGIES))],
        "smoothing": [Interval(Real, 0, None, closed="left")],
        "response_method": [StrOptions({"auto", *RESPONSES})],
        "cv": ["cv_object", StrOptions({"prefit"})],
        "labels": ["array-like", None],
        "n_bootstraps": [Interval(Integral, 0, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        objective: Any = "quadratic_weighted_kappa",
        strategy: str = "smoothed",
        smoothing: float = 1000.0,
        response_method: str = "auto",
        cv: Any = None,
        labels: ArrayLike | None = None,
        n_bootstraps: int = 0,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.objective = objective
        self.strategy = strategy
        self.smoothing = smoothing
        self.response_method = response_method
        self.cv = cv
        self.labels = labels
        self.n_bootstraps = n_bootstraps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any
    ) -> OrdinalThresholdOptimizer:
        """Learn the cut points, and fit the estimator on all rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows; with ``estimator=None`` one column of scores.
        y : array-like of shape (n_samples,)
            Grades.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, for the estimator and for the cut points.
        **params : dict
            Metadata: arguments of the estimator's ``fit``, and of the splitter's ``split`` with
            metadata routing enabled.

        Returns
        -------
        OrdinalThresholdOptimizer
            The fitted estimator itself.
        """
        X, target, weight, grades = self._read_rows(X, y, sample_weight)
        goal = resolve_objective(self.objective, target.labels)
        scores = self._scores(X, target, sample_weight, params)
        problem = fold_problem(scores, target, weight, grades)
        progress = self._progress()
        self.thresholds_ = place_cuts(problem, goal, self.strategy, self.smoothing, progress)
        warn_without_value(problem, goal, self.thresholds_)
        if len(problem.scores) == 1:
            warn("The score is the same for every row, so one grade is predicted for all of them.")
        self.threshold_std_ = bootstrap_spread(
            problem,
            goal,
            self.strategy,
            self.smoothing,
            self.n_bootstraps,
            self.random_state,
            progress,
        )
        self.best_score_ = self._best_score(scores, target, weight, grades, goal)
        return self

    def _scores(
        self, X: Any, target: OrdinalTarget, sample_weight: Any, params: dict[str, Any]
    ) -> OutOfFold:
        """Set ``estimator_`` and return the scores to learn cut points from."""
        if self.estimator is not None:
            routed = self._fit_estimator(X, target, sample_weight, params)
            respond = partial(
                latent_score, response_method=self.response_method, labels=target.labels
            )
            return self._held_out(X, target, routed, respond)
        routed = self._route(sample_weight, params)
        score = self._one_column(validate_data(self, X))
        self.estimator_ = None
        if self.cv == "prefit":
            return OutOfFold.of_all(score)
        splits = self._splits(X, target.codes, routed.splitter.split)
        return OutOfFold.of_splits(splits, [score[test] for _, test in splits])

    def _best_score(
        self,
        scores: OutOfFold,
        target: OrdinalTarget,
        weight: FloatArray | None,
        grades: IntArray,
        goal: Objective,
    ) -> float:
        if self.cv == "prefit":
            predicted = apply_cuts(scores.output, self.thresholds_, target.labels)
            return goal.score(target.labels[target.codes], predicted, target.labels, weight)
        placing = {"strategy": self.strategy, "smoothing": self.smoothing}
        return cross_fitted_score(scores, target, weight, grades, goal, self._progress(), **placing)

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
        check_is_fitted(self, "thresholds_")
        return apply_cuts(self.latent_score(X), self.thresholds_, self.ordered_classes_)

    def latent_score(self, X: Any) -> FloatArray:
        """Return the score that the cut points act on.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Larger for higher grades.
        """
        check_is_fitted(self, "estimator_")
        if self.estimator_ is None:
            return self._one_column(validate_data(self, X, reset=False))
        return latent_score(self.estimator_, X, self.response_method, self.ordered_classes_)

    def _one_column(self, X: Any) -> FloatArray:
        if X.shape[1] != 1:
            raise ValueError(
                f"X has {X.shape[1]} columns, but estimator=None takes one column of scores; "
                "give an estimator that makes a score of them."
            )
        return check_floats("X", X[:, 0])
