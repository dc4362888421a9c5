"""Brier scores and areas under ROC curves over time, with their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray
from sklearn_ordinal_censored.plotting._labels import draw_label, draw_legend
from sklearn_ordinal_censored.plotting._matplotlib import (
    draw_model,
    holds_model,
    import_pyplot,
    open_panels,
    outer_width,
    text_size,
)
from sklearn_ordinal_censored.plotting._scores import (
    find_gaps,
    predictions_to_score,
    score_over_time,
)
from sklearn_ordinal_censored.plotting._style import BLUE, GREY
from sklearn_ordinal_censored.targets._inputs import check_confidence_level
from sklearn_ordinal_censored.targets._undefined import warn_undefined


class TimeDependentScoreDisplay:
    """A score of predicted survival over time, beside what there is to beat.

    The upper panel shows the Brier score or the area under the ROC curve at each time, with
    pointwise confidence intervals. The dotted line is the Brier score that the Kaplan-Meier curve
    of the scored rows has, or the area of 0.5 for predictions without relation to the times. Where
    the score is undefined its line has a gap, and the ground is grey. The lower panel shows how
    many rows are left to be scored.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        The times, in any order.
    scores : ndarray of shape (n_times,)
        The score at each time, NaN where it is undefined.
    intervals : ndarray of shape (2, n_times), default=None
        Ends of the confidence intervals, NaN for none.
    reference : ndarray of shape (n_times,), default=None
        What there is to beat.
    rows_left : ndarray of shape (n_times,), default=None
        Number of rows, or their weight, that were followed beyond each time without an event.
    score_name : str, default=None
        Name of the score.
    reference_name : str, default=None
        Name of what there is to beat, for the legend.
    lowest : float, default=None
        Lower end of the axis of the score; by default where Matplotlib puts it.
    name : str, default=None
        Name of the model, for the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The score.
    dots_ : matplotlib Line2D
        The score at times between two at which it is undefined.
    band_ : matplotlib PolyCollection
        The intervals; None without.
    bars_ : matplotlib LineCollection
        The intervals of the dots; None without.
    ref_line_ : matplotlib Line2D
        What there is to beat; None without, or where another model has drawn it already.
    undefined_ : list of matplotlib artists
        One for each stretch of time in which the score is undefined.
    rows_left_ : matplotlib PolyCollection
        The numbers of rows; None without, or where another model has drawn them already.
    axes_ : ndarray of shape (n_panels,)
        The panel of the score, and that of the rows left, if these are known.
    ax_ : matplotlib Axes
        The axes in whose place the panels stand.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn_ordinal_censored.metrics.brier_inference : The numbers of Brier scores.
    sklearn_ordinal_censored.metrics.auc_inference : The numbers of areas.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_ordinal_censored.plotting import TimeDependentScoreDisplay
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1], time=[1, 3])
    >>> y_pred = [[0.9, 0.2], [0.8, 0.6]]
    >>> display = TimeDependentScoreDisplay.from_predictions(y_true, y_pred, times=[0.5, 2])
    >>> display.scores.round(6), display.reference
    (array([0.025, 0.1  ]), array([0.  , 0.25]))
    >>> plt.close()  # or plt.show()
    """

    def __init__(
        self,
        times: Any,
        scores: Any,
        *,
        intervals: Any = None,
        reference: Any = None,
        rows_left: Any = None,
        score_name: str | None = None,
        reference_name: str | None = None,
        lowest: float | None = None,
        name: str | None = None,
    ) -> None:
        self.times = times
        self.scores = scores
        self.intervals = intervals
        self.reference = reference
        self.rows_left = rows_left
        self.score_name = score_name
        self.reference_name = reference_name
        self.lowest = lowest
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        times: ArrayLike,
        score: str = "brier",
        prediction: str | None = None,
        censoring: Any = None,
        sample_weight: ArrayLike | None = None,
        response: Any = None,
        confidence_level: float = 0.95,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> TimeDependentScoreDisplay:
        """Draw a score of an estimator's survival curves, or of its predicted times or risks.

        Parameters
        ----------
        estimator : fitted estimator
            With ``predict_survival_function(X)``, as in scikit-survival, or with
            ``predict_survival(X, times)``, which returns an array; perhaps at the end of a pipeline
            or inside a search. For areas, ``predict`` will do where there is neither: a risk of
            models that say so or are scikit-survival's, a time of all others.
        X : array-like of shape (n_samples, n_features)
            Rows that it was not fitted on.
        y : censored target of shape (n_samples,)
            Exact and right-censored rows; others, and late entries, are refused.
        times : array-like of shape (n_times,)
            The times, in any order.
        score : {"brier", "auc"}, default="brier"
            The Brier score or the area under the ROC curve.
        prediction : {"time", "risk"}, default=None
            For areas, whether a larger ``predict(X)`` means a later or an earlier event; if given,
            ``predict`` is asked even of a model with curves. By default curves are taken where
            there are some, and else the direction that the scorers read from the estimator.
        censoring : None, censored target or fitted reverse KaplanMeier, default=None
            Where the censoring distribution comes from: the scored data themselves, with their
            weights, another data set, or a curve.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative.
        response : callable, default=None
            ``response(estimator, X, times)``, which returns P(T > times), instead of the methods.
        confidence_level : float, default=0.95
            Of the intervals, between 0 and 1.
        name : str, default=None
            Name of the model, for the legend.
        ax : matplotlib Axes or array of 2 of them, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        TimeDependentScoreDisplay
            The display.

        Raises
        ------
        ValueError
            If the estimator predicts nothing to score, or an input is refused.
        """
        import_pyplot(f"{cls.__name__}.from_estimator")
        y_pred, direction = predictions_to_score(
            score, estimator, X, times, response=response, prediction=prediction
        )
        return cls.from_predictions(
            y,
            y_pred,
            times=times,
            score=score,
            prediction=direction,
            censoring=censoring,
            sample_weight=sample_weight,
            confidence_level=confidence_level,
            name=name,
            ax=ax,
            **plot_options,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        times: ArrayLike,
        score: str = "brier",
        prediction: str = "time",
        censoring: Any = None,
        sample_weight: ArrayLike | None = None,
        confidence_level: float = 0.95,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> TimeDependentScoreDisplay:
        """Draw a score of predictions.

        Parameters
        ----------
        y_true : censored target of shape (n_samples,)
            Exact and right-censored rows; others, and late entries, are refused.
        y_pred : array-like of shape (n_samples, n_times) or (n_samples,)
            Predictions of a model that was fitted to other rows: the survival probabilities
            ``y_proba`` of :func:`censored_brier_score`, or whatever :func:`cumulative_dynamic_auc`
            takes for ``y_pred``.
        times : array-like of shape (n_times,)
            The times, in any order.
        score : {"brier", "auc"}, default="brier"
            The Brier score or the area under the ROC curve.
        prediction : {"time", "risk"}, default="time"
            For areas, whether a larger prediction means a later or an earlier event. Survival
            probabilities are of the first kind.
        censoring : None, censored target or fitted reverse KaplanMeier, default=None
            Where the censoring distribution comes from: the scored data themselves, with their
            weights, another data set, or a curve.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative. For the intervals a row is one unit whatever its weight.
        confidence_level : float, default=0.95
            Of the intervals, between 0 and 1. It holds for each time by itself.
        name : str, default=None
            Name of the model, for the legend.
        ax : matplotlib Axes or array of 2 of them, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        TimeDependentScoreDisplay
            The display.

        Raises
        ------
        ValueError
            If an input is refused; the message shows the values.

        Warns
        -----
        UndefinedMetricWarning
            If the score is undefined at some times, with the times and the reason, or has a
            standard error of 0 and so no interval.
        """
        import_pyplot(f"{cls.__name__}.from_predictions")
        level = check_confidence_level(confidence_level)
        scored = score_over_time(score, y_true, y_pred, times, prediction, censoring, sample_weight)
        if scored.reason:
            warn_undefined(f"{cls.__name__}: the {scored.name}", scored.reason)
        display = cls(
            scored.found.times,
            scored.found.estimate,
            intervals=np.stack(scored.found.confidence_interval(level)),
            reference=scored.reference,
            rows_left=scored.rows_left,
            score_name=scored.name,
            reference_name=scored.reference_name,
            lowest=scored.lowest,
            name=name,
        )
        return display.plot(ax=ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        color: Any = BLUE,
        linestyle: str = "-",
        time_label: str = "time",
    ) -> TimeDependentScoreDisplay:
        """Draw the score, what there is to beat, and the rows that are left.

        Parameters
        ----------
        ax : matplotlib Axes or array of n_panels of them, default=None
            Where to draw: axes that panels take the place of, or the panels themselves, such as the
            ``axes_`` of another model's display, which then has drawn all but score and intervals.
            A new figure by default.
        name : str, default=None
            Name of the model, for the legend; that of the display by default.
        color : matplotlib colour, default="#0072B2"
            Colour of the score.
        linestyle : str, default="-"
            Style of its line, which tells two models apart in grey, too.
        time_label : str, default="time"
            What the times are, such as ``"days"``.

        Returns
        -------
        TimeDependentScoreDisplay
            The display itself.
        """
        plt = import_pyplot(f"{type(self).__name__}.plot")
        n_panels = 1 if self.rows_left is None else 2
        self.ax_, self.axes_ = open_panels(
            plt,
            ax,
            (n_panels, 1),
            "panels",
            spaces={"hspace": 0.1},
            height_ratios=(4, 1)[:n_panels],
        )
        self.figure_ = self.ax_.figure
        width = outer_width(self.ax_, *self.axes_)
        size = text_size(plt, width)
        is_first = not holds_model(self.axes_[0])
        self._draw_score(self.axes_[0], size, color, linestyle, name or self.name)
        self._draw_surroundings(size, is_first)
        if is_first:
            self._describe_panels(plt, size, time_label)
        if self.lowest is not None:
            # None leaves room for another model.
            self.axes_[0].set_ylim(bottom=self.lowest, auto=None)
        if handles := self._legend_handles():
            draw_legend(self.axes_[0], handles, size, width)
        return self

    def _legend_handles(self) -> list[Any]:
        """Return what has a label: models first, then the stretches, then what there is to beat."""
        handles, _ = self.axes_[0].get_legend_handles_labels()
        kinds = {"undefined": 1, self.reference_name: 2}
        return sorted(handles, key=lambda handle: kinds.get(handle.get_label(), 0))

    def _draw_score(
        self, ax: Any, size: float, color: Any, linestyle: str, label: str | None
    ) -> None:
        times, scores = self._by_time(self.times), self._by_time(self.scores)
        beside = np.pad(np.isnan(scores), 1, constant_values=True)
        dots = np.flatnonzero(~beside[1:-1] & beside[:-2] & beside[2:])
        style = {"color": color, "linewidth": 0.15 * size}
        (line,) = ax.plot(times, scores, linestyle=linestyle, label=label, **style)
        self.line_ = draw_model(line)
        (self.dots_,) = ax.plot(times[dots], scores[dots], "o", color=color, ms=0.4 * size)
        self.band_ = self.bars_ = None
        if self.intervals is not None:
            low, high = (self._by_time(ends) for ends in self.intervals)
            self.band_ = ax.fill_between(times, low, high, color=color, alpha=0.15, linewidth=0)
            self.bars_ = ax.vlines(times[dots], low[dots], high[dots], **style)

    def _draw_surroundings(self, size: float, is_first: bool) -> None:
        """Draw what does not depend on the model, if it is not there yet."""
        self.ref_line_, self.undefined_, self.rows_left_ = None, [], None
        if not is_first:
            return
        ax, times = self.axes_[0], self._by_time(self.times)
        if self.reference is not None:
            style = {"color": GREY, "linestyle": ":", "linewidth": 0.15 * size, "zorder": 1}
            reference = self._by_time(self.reference)
            (self.ref_line_,) = ax.plot(times, reference, **style, label=self.reference_name)
        for place, (start, end) in enumerate(find_gaps(times, self._by_time(self.scores))):
            label = None if place else "undefined"
            span = ax.axvspan(start, end, color=GREY, alpha=0.2, linewidth=0, label=label)
            self.undefined_.append(span)
        if self.rows_left is not None:
            rows = self._by_time(self.rows_left)
            self.rows_left_ = self.axes_[1].fill_between(times, rows, color=GREY, linewidth=0)

    def _describe_panels(self, plt: Any, size: float, time_label: str) -> None:
        upper, lowest = self.axes_[0], self.axes_[-1]
        for panel in self.axes_:
            panel.tick_params(labelsize=0.9 * size)
            panel.xaxis.set_major_locator(plt.MaxNLocator(6))
        lowest.set_xlabel(time_label, fontsize=size)
        if lowest is not upper:
            lowest.sharex(upper)
            upper.tick_params(labelbottom=False)
            lowest.set_ylim(bottom=0)
            lowest.yaxis.set_major_locator(plt.MaxNLocator(2))
            lowest.set_ylabel("rows left", fontsize=size)
        draw_label(upper, "y", self.score_name or "score", size)

    def _by_time(self, values: Any) -> AnyArray:
        return np.asarray(values)[np.argsort(self.times, kind="stable")]
