"""Scores by grade, the cut points between them, and how much depends on each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._progress import Progress
from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.metrics._graded_rows import GradedRows, read_scores
from sklearn_ordinal_censored.plotting._cut_curves import objective_along_cuts
from sklearn_ordinal_censored.plotting._estimators import last_step
from sklearn_ordinal_censored.plotting._labels import draw_label, draw_legend, draw_row_names
from sklearn_ordinal_censored.plotting._matplotlib import (
    import_pyplot,
    open_axes,
    outer_width,
    split_axes,
    text_size,
)
from sklearn_ordinal_censored.plotting._ranges import draw_range
from sklearn_ordinal_censored.plotting._style import BLUE, GREY, PALE, VERMILLION, read_names
from sklearn_ordinal_censored.postprocessing._objectives import Objective, resolve_objective
from sklearn_ordinal_censored.postprocessing._strategies import make_problem
from sklearn_ordinal_censored.postprocessing._thresholds import optimal_thresholds
from sklearn_ordinal_censored.targets._inputs import check_verbose


class ThresholdDisplay:
    """Scores by true grade with their cut points, and the objective along each of them.

    In the upper panel every true grade has a row with the range of its scores; the pale step in the
    row reaches from one cut point to the next, so that scores on it are graded right. The lower
    panel shows the objective while one cut point moves between its neighbours and the others stay;
    on the dotted line all are in their places. Where a curve passes the line to the better side,
    another place would have been better on these rows; where it is flat, the place matters little.

    Parameters
    ----------
    scores : list of n_classes ndarrays
        Scores of the rows of every true grade, lowest grade first.
    thresholds : ndarray of shape (n_classes - 1,)
        Cut points, non-decreasing; infinite ones are not drawn.
    score_weights : list of n_classes ndarrays, default=None
        Weights of the rows.
    threshold_std : ndarray of shape (n_classes - 1,), default=None
        Standard deviations of the cut points.
    cut_curves : list of n_classes - 1 ndarrays of shape (2, n_points), default=None
        Places of each cut point and the values of the objective there.
    objective_value : float, default=None
        The objective with all cut points in their places.
    objective_name : str, default=None
        Name of the objective.
    display_labels : sequence of shape (n_classes,), default=None
        Names of the grades; 0, 1, ... by default.

    Attributes
    ----------
    ranges_ : list of n_classes matplotlib artists
        For every grade the artists that show its scores.
    steps_ : matplotlib BarContainer
        The scores that are graded as each row's grade.
    cuts_ : matplotlib ErrorbarContainer
        The cut points and their spread.
    curves_ : list of n_classes - 1 matplotlib Line2D
        The objective along each cut point.
    axes_ : ndarray of shape (2,)
        The panels of the scores and of the objective.
    ax_ : matplotlib Axes
        The axes in whose place the panels stand.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn_ordinal_censored.postprocessing.optimal_thresholds : Where cut points come from.
    sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer : The same with an estimator.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_ordinal_censored.plotting import ThresholdDisplay
    >>> y_true, y_score = [0, 0, 1, 1, 2, 2], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    >>> display = ThresholdDisplay.from_predictions(y_true, y_score, n_bootstraps=0)
    >>> display.thresholds, display.objective_value
    (array([0.25, 0.45]), 1.0)

    The first cut point between the lowest score and the second cut point:

    >>> display.cut_curves[0].round(2)
    array([[0.1 , 0.15, 0.25, 0.35, 0.45],
           [0.67, 0.86, 1.  , 0.89, 0.8 ]])
    >>> plt.close()  # or plt.show()
    """

    def __init__(
        self,
        scores: Any,
        thresholds: Any,
        *,
        score_weights: Any = None,
        threshold_std: Any = None,
        cut_curves: Any = None,
        objective_value: float | None = None,
        objective_name: str | None = None,
        display_labels: Any = None,
    ) -> None:
        self.scores = scores
        self.thresholds = thresholds
        self.score_weights = score_weights
        self.threshold_std = threshold_std
        self.cut_curves = cut_curves
        self.objective_value = objective_value
        self.objective_name = objective_name
        self.display_labels = display_labels

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: ArrayLike | None = None,
        display_labels: Any = None,
        ax: Any = None,
        verbose: int = 0,
    ) -> ThresholdDisplay:
        """Draw the cut points that an estimator has learned, on given rows.

        Parameters
        ----------
        estimator : fitted OrdinalThresholdOptimizer
            Or a pipeline or search that ends in one. Its ``threshold_std_`` is the spread.
        X : array-like of shape (n_samples, n_features)
            Rows that it was not fitted on.
        y : array-like of shape (n_samples,)
            True grades.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        display_labels : sequence of shape (n_classes,), default=None
            Names of the grades; the grades themselves by default.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        verbose : int, default=0
            Above 0, the curves, which take long for a function as objective, print how many are
            done.

        Returns
        -------
        ThresholdDisplay
            The display.

        Raises
        ------
        ValueError
            If the estimator has no cut points, or an input is refused.
        """
        import_pyplot(f"{cls.__name__}.from_estimator")
        model, rows = last_step(estimator, X)
        if not hasattr(model, "thresholds_"):
            raise ValueError(
                f"{type(model).__name__} has no cut points; fit an OrdinalThresholdOptimizer, or "
                "give a score to from_predictions(y_true, y_score)."
            )
        graded = read_scores(y, model.latent_score(rows), model.ordered_classes_, sample_weight)
        display = cls._of_rows(
            graded,
            model.thresholds_,
            model.threshold_std_,
            model.objective,
            display_labels,
            verbose,
        )
        return display.plot(ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: ArrayLike,
        *,
        objective: Any = "quadratic_weighted_kappa",
        strategy: str = "exact",
        smoothing: float = 1000.0,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        n_bootstraps: int = 100,
        random_state: Any = None,
        display_labels: Any = None,
        ax: Any = None,
        verbose: int = 0,
    ) -> ThresholdDisplay:
        """Find the cut points of a score, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True grades.
        y_score : array-like of shape (n_samples,)
            Finite scores, larger for higher grades.
        objective : str, array-like of shape (n_classes, n_classes) or callable, \
default="quadratic_weighted_kappa"
            As for :func:`optimal_thresholds`.
        strategy : {"exact", "smoothed", "frequency", "rounding"}, default="exact"
            As for :func:`optimal_thresholds`.
        smoothing : float, default=1000.0
            As for :func:`optimal_thresholds`.
        labels : array-like of shape (n_classes,), default=None
            The grades from lowest to highest. By default the categories of an ordered categorical,
            or all consecutive integers from the smallest to the largest value. Text needs
            ``labels``.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        n_bootstraps : int, default=100
            Number of bootstrap samples for the spread; 0 for none.
        random_state : int, RandomState instance or None, default=None
            Seed of the bootstrap.
        display_labels : sequence of shape (n_classes,), default=None
            Names of the grades; the grades themselves by default.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        verbose : int, default=0
            Above 0, the search for cut points, the bootstrap and the curves print how far they
            are, as for :func:`optimal_thresholds`.

        Returns
        -------
        ThresholdDisplay
            The display.

        Raises
        ------
        ValueError
            If an input is refused; the message shows the values.
        """
        import_pyplot(f"{cls.__name__}.from_predictions")
        graded = read_scores(y_true, y_score, labels, sample_weight)
        result = optimal_thresholds(
            graded.labels[graded.codes],
            graded.predicted,
            objective=objective,
            strategy=strategy,
            smoothing=smoothing,
            labels=graded.labels,
            sample_weight=graded.weight,
            n_bootstraps=n_bootstraps,
            random_state=random_state,
            verbose=verbose,
        )
        display = cls._of_rows(
            graded, result.thresholds, result.threshold_std, objective, display_labels, verbose
        )
        return display.plot(ax=ax)

    @classmethod
    def _of_rows(
        cls,
        rows: GradedRows,
        thresholds: FloatArray,
        threshold_std: FloatArray | None,
        objective: Any,
        display_labels: Any,
        verbose: int,
    ) -> ThresholdDisplay:
        """Return the display of cut points on rows, not drawn yet."""
        progress = Progress(cls.__name__, check_verbose(verbose))
        names = read_names(rows.labels, display_labels)
        goal = resolve_objective(objective, rows.labels)
        problem = make_problem(rows.predicted, rows.codes, rows.labels, rows.weight)
        if np.count_nonzero(problem.table.sum(axis=0)) < 2:
            raise ValueError(
                f"y_true holds one grade only, {rows.labels[rows.codes[0]]!r}; cut points need "
                "rows of two grades at least."
            )
        predicted = np.searchsorted(thresholds, rows.predicted, side="right")
        return cls(
            _by_grade(rows.predicted, rows),
            thresholds,
            score_weights=None if rows.weight is None else _by_grade(rows.weight, rows),
            threshold_std=threshold_std,
            cut_curves=objective_along_cuts(problem, goal, thresholds, progress),
            objective_value=goal.value(
                rows.labels[rows.codes], rows.labels[predicted], rows.labels, rows.weight
            ),
            objective_name=_name_of(objective, goal),
            display_labels=names,
        )

    def plot(self, ax: Any = None) -> ThresholdDisplay:
        """Draw the scores, the cut points and the objective.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; two panels take the place of the axes. A new figure by default.

        Returns
        -------
        ThresholdDisplay
            The display itself.
        """
        plt = import_pyplot(f"{type(self).__name__}.plot")
        n_classes = len(self.scores)
        ax = open_axes(plt, ax, 1.2)
        width = outer_width(ax)
        size = text_size(plt, width)
        ratios = [1 + 0.15 * n_classes, 1]
        self.axes_ = split_axes(ax, 2, 1, height_ratios=ratios, hspace=0.05)[:, 0]
        self.ax_, self.figure_ = ax, ax.figure
        upper, lower = self.axes_
        lower.sharex(upper)

        self._draw_scores(upper, size)
        self._draw_curves(lower, size)
        for panel in self.axes_:
            panel.tick_params(labelsize=0.9 * size)
        upper.tick_params(labelbottom=False)
        upper.set_ylabel("true grade", fontsize=size)
        draw_legend(upper, self._legend_handles(plt), size, width)
        draw_label(lower, "x", "score, or place of a cut point", size)
        draw_label(lower, "y", self.objective_name or "objective", size)
        names = range(n_classes) if self.display_labels is None else self.display_labels
        draw_row_names(upper, list(names), size, width)
        return self

    def _draw_scores(self, ax: Any, size: float) -> None:
        weights = self.score_weights or [None] * len(self.scores)
        self.ranges_ = [
            draw_range(ax, row, score, BLUE, size, weight=weight)
            for row, (score, weight) in enumerate(zip(self.scores, weights, strict=True))
        ]
        cuts, rows = np.asarray(self.thresholds, dtype=np.float64), np.arange(len(self.scores))
        shown = np.isfinite(cuts)
        spread = None if self.threshold_std is None else np.nan_to_num(self.threshold_std)[shown]
        line = 0.2 * size
        style = {"ms": 0.8 * size, "mew": line, "elinewidth": line, "capsize": line, "zorder": 3}
        self.cuts_ = ax.errorbar(
            cuts[shown], rows[:-1][shown] + 0.5, xerr=spread, fmt="|", color=VERMILLION, **style
        )
        left, right = ax.get_xlim()
        edges = np.clip(np.concatenate([[left], cuts, [right]]), left, right)
        self.steps_ = ax.barh(rows, np.diff(edges), 0.9, edges[:-1], color=PALE, zorder=0)
        ax.set(xlim=(left, right), ylim=(-0.6, len(rows) - 0.4))

    def _draw_curves(self, ax: Any, size: float) -> None:
        # Neighbouring curves share places, so they differ in colour and in line.
        other = ax.xaxis.label.get_color()
        styles = [{"color": BLUE, "linestyle": "-"}, {"color": other, "linestyle": "--"}]
        self.curves_ = [
            ax.plot(*curve, linewidth=0.12 * size, **styles[k % 2])[0]
            for k, curve in enumerate(self.cut_curves or [])
        ]
        if self.objective_value is not None:
            cuts = np.asarray(self.thresholds, dtype=np.float64)
            shown = cuts[np.isfinite(cuts)]
            ax.axhline(self.objective_value, color=GREY, linewidth=0.8, linestyle=":")
            ax.plot(
                shown,
                np.full(len(shown), self.objective_value),
                "o",
                color=VERMILLION,
                ms=0.4 * size,
            )

    def _legend_handles(self, plt: Any) -> list[Any]:
        spread = "" if self.threshold_std is None else " ± SD (bootstrap)"
        return [
            plt.Line2D([], [], color=BLUE, linewidth=4, label="scores: 5, 25, 50, 75, 95 %"),
            plt.Rectangle((0, 0), 1, 1, color=PALE, label="graded as this row"),
            plt.Line2D([], [], color=VERMILLION, linewidth=2, label=f"cut point{spread}"),
        ]


def _by_grade(values: FloatArray, rows: GradedRows) -> list[AnyArray]:
    return [values[rows.codes == grade] for grade in range(len(rows.labels))]


def _name_of(objective: Any, goal: Objective) -> str:
    if isinstance(objective, str):
        name = objective.replace("_", " ")
    elif callable(objective):
        name = getattr(objective, "__name__", "objective")
    else:
        name = "mean cost"
    return name if goal.greater_is_better else f"{name} (lower is better)"
