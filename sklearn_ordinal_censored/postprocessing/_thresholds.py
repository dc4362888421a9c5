"""Cut points for a score: the function, its result, and how far a bootstrap moves them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from sklearn_ordinal_censored._progress import SILENT, Progress
from sklearn_ordinal_censored._text import ShortRepr
from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.postprocessing._objectives import Objective, resolve_objective
from sklearn_ordinal_censored.postprocessing._strategies import (
    STRATEGIES,
    CutProblem,
    make_problem,
    place_cuts,
    warn_without_value,
)
from sklearn_ordinal_censored.targets._inputs import (
    EXACT,
    check_count,
    check_floats,
    check_number,
    check_option,
    check_same_length,
    check_verbose,
)
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal
from sklearn_ordinal_censored.targets._weights import check_weights

_MAX_REDRAWS = 1000


@dataclass(frozen=True, eq=False, repr=False)  # arrays have no single truth value
class ThresholdResult(ShortRepr):
    """Cut points, and what they reach on the rows that they were learned from.

    Attributes
    ----------
    thresholds : ndarray of shape (n_classes - 1,)
        Non-decreasing. A score equal to a cut point belongs to the upper grade; two equal cut
        points mean that the grade between them is never predicted, an infinite one that an end
        grade is not.
    labels : ndarray of shape (n_classes,)
        The scale, lowest grade first.
    objective_value : float
        The metric's own value for these cut points, in the metric's own direction.
    certified : bool
        Whether no other cut points are better on these rows.
    threshold_std : ndarray of shape (n_classes - 1,) or None
        Standard deviation of the finite cut points over bootstrap samples, NaN where fewer than two
        are finite; None without bootstraps.

    See Also
    --------
    optimal_thresholds : The function that returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal_censored.postprocessing import optimal_thresholds
    >>> optimal_thresholds([0, 1], [0.2, 0.6]).predict([0.3, 0.4, 0.5])
    array([0, 1, 1])
    """

    thresholds: FloatArray
    labels: AnyArray
    objective_value: float
    certified: bool
    threshold_std: FloatArray | None = None

    def predict(self, y_score: ArrayLike) -> AnyArray:
        """Grade scores with these cut points.

        Parameters
        ----------
        y_score : array-like of shape (n_samples,)
            Finite scores.

        Returns
        -------
        ndarray of shape (n_samples,)
            Grades in the dtype of the labels.
        """
        return apply_cuts(check_floats("y_score", y_score), self.thresholds, self.labels)


def optimal_thresholds(
    y_true: Any,
    y_score: ArrayLike,
    *,
    objective: Any = "quadratic_weighted_kappa",
    strategy: str = "exact",
    smoothing: float = 1000.0,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_bootstraps: int = 0,
    random_state: Any = None,
    verbose: int = 0,
) -> ThresholdResult:
    """Find the cut points that turn a score into grades.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades.
    y_score : array-like of shape (n_samples,)
        Finite scores, larger for higher grades. Scores of rows that a model was not fitted on: with
        scores of its own training rows the cut points flatter it.
    objective : str, array-like of shape (n_classes, n_classes) or callable, \
default="quadratic_weighted_kappa"
        ``"quadratic_weighted_kappa"``, ``"linear_weighted_kappa"``, ``"accuracy"``,
        ``"mean_absolute_class_error"``, ``"macro_mean_absolute_class_error"``, a cost matrix (rows
        = truth), or a function ``f(y_true, y_pred)`` of which larger is better. The function also
        gets ``sample_weight=`` when weights are given.
    strategy : {"exact", "smoothed", "frequency", "rounding"}, default="exact"
        ``"exact"``: the global optimum on these rows. ``"smoothed"``: the global optimum after the
        grades are mixed with smooth probabilities, better on new data. ``"frequency"``: predicted
        grades as frequent as the true ones. ``"rounding"``: cuts half-way between ranks, for scores
        on the scale of ranks 0, 1, ... The last two do not read the objective.
    smoothing : float, default=1000.0
        Number of rows for which the smooth probabilities count; 0 gives the exact cut points.
        Weights count as numbers of rows, so weights that sum to 1 leave the rows without a say.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.
    n_bootstraps : int, default=0
        Number of bootstrap samples for ``threshold_std``. Weights count as frequencies.
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstrap.
    verbose : int, default=0
        Above 0, the bootstrap and the local search for a function print how far they are: 1 for
        about ten lines each, above 1 for a line a sample.

    Returns
    -------
    ThresholdResult
        With ``thresholds``, ``labels``, ``objective_value``, ``certified``, ``threshold_std`` and
        ``predict(y_score)``.

    Raises
    ------
    ValueError
        If an input is refused, or a kappa is asked for and only one grade has weight.

    See Also
    --------
    OrdinalThresholdOptimizer : The same around an estimator, with scores from cross-validation.

    Notes
    -----
    A loss that is a sum over rows is minimised over all cut points between distinct scores by
    dynamic programming, in one pass a grade. A weighted kappa is one minus a ratio of two such
    sums, which Dinkelbach's iteration [1]_ solves in a few passes. Both reach the global optimum,
    ties and weights included. A function as objective has no such structure: it goes through a
    local search from several starts, on the rows as they are, and ``certified`` is False.

    References
    ----------
    .. [1] W. Dinkelbach. "On Nonlinear Fractional Programming." Management Science 13(7), 1967.
       :doi:`10.1287/mnsc.13.7.492`

    Examples
    --------
    >>> from sklearn_ordinal_censored.postprocessing import optimal_thresholds
    >>> y_true, y_score = [0, 0, 1, 1, 2, 2], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    >>> result = optimal_thresholds(y_true, y_score)
    >>> result.thresholds
    array([0.25, 0.45])
    >>> result.objective_value, result.certified
    (1.0, True)
    """
    check_option("strategy", strategy, STRATEGIES)
    smoothing = check_number("smoothing", smoothing, minimum=0)
    n_bootstraps = check_count("n_bootstraps", n_bootstraps, minimum=0)
    progress = Progress("optimal_thresholds", check_verbose(verbose))
    target = parse_ordinal("y_true", y_true, labels)
    score = check_floats("y_score", y_score)
    n_samples = check_same_length(y_true=len(target.codes), y_score=len(score))
    weight = check_weights(sample_weight, n_samples)
    if weight is not None and not weight.all():
        counts = weight > 0
        target = parse_ordinal("y_true", y_true, labels, counts)
        score, weight = score[counts], weight[counts]
    goal = resolve_objective(objective, target.labels)

    problem = make_problem(score, target.codes, target.labels, weight)
    thresholds = place_cuts(problem, goal, strategy, smoothing, progress)
    warn_without_value(problem, goal, thresholds)
    predicted = apply_cuts(score, thresholds, target.labels)
    is_exact = strategy == "exact" or (strategy == "smoothed" and smoothing == 0)
    return ThresholdResult(
        thresholds=thresholds,
        labels=target.labels,
        objective_value=goal.value(target.labels[target.codes], predicted, target.labels, weight),
        certified=is_exact and goal.solve is not None,
        threshold_std=bootstrap_spread(
            problem, goal, strategy, smoothing, n_bootstraps, random_state, progress
        ),
    )


def apply_cuts(score: FloatArray, thresholds: FloatArray, labels: AnyArray) -> AnyArray:
    """Return the grade of every score.

    Parameters
    ----------
    score : ndarray of shape (n_samples,)
        Finite scores.
    thresholds : ndarray of shape (n_classes - 1,)
        Non-decreasing cut points.
    labels : ndarray of shape (n_classes,)
        The scale.

    Returns
    -------
    ndarray of shape (n_samples,)
        Grades; a score equal to a cut point belongs to the upper one.

    Examples
    --------
    >>> import numpy as np
    >>> apply_cuts(np.array([0.4, 0.5]), np.array([0.5]), np.array(["low", "high"]))
    array(['low', 'high'], dtype='<U4')
    """
    return labels[np.searchsorted(thresholds, score, side="right")]


def bootstrap_spread(
    problem: CutProblem,
    objective: Objective,
    strategy: str,
    smoothing: float,
    n_bootstraps: int,
    random_state: Any,
    progress: Progress = SILENT,
) -> FloatArray | None:
    """Return the standard deviation of the cut points over bootstrap samples.

    Parameters
    ----------
    problem : CutProblem
        Scores and grades.
    objective : Objective
        What to optimise.
    strategy : str
        How the cut points are placed.
    smoothing : float
        Weight of the smooth probabilities.
    n_bootstraps : int
        Number of samples.
    random_state : int, RandomState instance or None
        Seed.
    progress : Progress
        Is told how far the bootstrap is.

    Returns
    -------
    ndarray of shape (n_classes - 1,) or None
        NaN where fewer than two samples have a finite cut point; None for no samples.

    Examples
    --------
    >>> import numpy as np
    >>> problem = make_problem(np.arange(4.0), np.array([0, 0, 1, 1]), np.array([0, 1]))
    >>> goal = resolve_objective("accuracy", problem.labels)
    >>> bootstrap_spread(problem, goal, "rounding", 0.0, 3, 0)
    array([0.])
    """
    if not check_count("n_bootstraps", n_bootstraps, minimum=0):
        return None
    if problem.table.sum() > EXACT:
        raise ValueError(
            "sample_weight has a sum beyond 2 ** 53, the number of rows that each bootstrap sample "
            "would have; scale the weights, or set n_bootstraps=0."
        )
    rng = check_random_state(random_state)
    samples = (_resample(problem, rng) for _ in range(n_bootstraps))
    watched = progress.over(samples, "bootstrap samples", n_bootstraps)
    cuts = np.array([place_cuts(sample, objective, strategy, smoothing) for sample in watched])
    spread = np.full(cuts.shape[1], np.nan)
    for k, column in enumerate(cuts.T):
        finite = column[np.isfinite(column)]
        if len(finite) > 1:
            spread[k] = finite.std(ddof=1)
    return spread


def _resample(problem: CutProblem, rng: Any) -> CutProblem:
    """Draw as many rows as the weights sum to, anew until two grades are there (for kappa)."""
    total = problem.table.sum()
    share = (problem.table / total).ravel()
    n_grades = min(2, int(np.count_nonzero(problem.table.sum(axis=0))))
    for _ in range(_MAX_REDRAWS):
        table = rng.multinomial(round(total), share).reshape(problem.table.shape)
        if np.count_nonzero(table.sum(axis=0)) >= n_grades:
            rows = table.sum(axis=1) > 0
            return problem._replace(
                scores=problem.scores[rows], table=table[rows].astype(np.float64), is_weighted=False
            )
    raise ValueError(
        f"No bootstrap sample of {round(total)} rows out of {_MAX_REDRAWS} held two grades: the "
        "weights (sample_weight) are read as frequencies; rescale them, or set n_bootstraps=0."
    )
