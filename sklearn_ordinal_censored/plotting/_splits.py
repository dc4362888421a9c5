"""Folds of a censored target: how many events each has, and how long its rows were followed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from sklearn_ordinal_censored._compat import num_samples
from sklearn_ordinal_censored._typing import AnyArray
from sklearn_ordinal_censored.model_selection._dealing import known_time
from sklearn_ordinal_censored.plotting._labels import draw_legend
from sklearn_ordinal_censored.plotting._matplotlib import (
    import_pyplot,
    open_axes,
    outer_width,
    size_in_points,
    split_axes,
    text_size,
)
from sklearn_ordinal_censored.plotting._ranges import draw_range
from sklearn_ordinal_censored.plotting._style import BLUE, GREY, VERMILLION
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._inputs import check_same_length

_OFFSET, _HEIGHT = 0.2, 0.34  # of events and of the other rows of a fold from its middle


class CensoredSplitDisplay:
    """Events and follow-up of the test folds of a censored target.

    The left panel shows how many rows of every test fold have an event and how many are censored,
    the right one when: the range of the times, their middle half and their median. Folds that
    differ here differ in how well a model can be scored on them.

    Parameters
    ----------
    event_times : list of n_splits ndarrays
        Times of the rows with an event, of every test fold.
    censored_times : list of n_splits ndarrays
        Times of the censored rows.

    Attributes
    ----------
    event_bars_, censored_bars_ : matplotlib BarContainer
        The numbers of rows.
    event_ranges_, censored_ranges_ : list of n_splits lists of matplotlib artists
        The times; empty for a fold without such rows.
    counts_text_ : list of matplotlib Text
        The numbers beside the bars; empty where rows are too narrow for them.
    axes_ : ndarray of shape (2,)
        The panels of the numbers and of the times.
    ax_ : matplotlib Axes
        The axes in whose place the panels stand.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn_ordinal_censored.model_selection.CensoredCVSplitter : Makes folds alike.
    sklearn_ordinal_censored.model_selection.usable_tau : How far scores can look.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from sklearn_ordinal_censored.plotting import CensoredSplitDisplay
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> X, y = np.zeros((6, 1)), right_censored([1, 1, 1, 0, 0, 0], [2, 3, 5, 4, 6, 7])
    >>> display = CensoredSplitDisplay.from_cv(2, X, y)
    >>> [times.tolist() for times in display.event_times]
    [[2.0, 3.0, 5.0], []]
    >>> plt.close()  # or plt.show()
    """

    def __init__(self, event_times: Any, censored_times: Any) -> None:
        self.event_times = event_times
        self.censored_times = censored_times

    @classmethod
    def from_cv(
        cls,
        cv: Any,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> CensoredSplitDisplay:
        """Split a censored target, and draw the test folds.

        Parameters
        ----------
        cv : int, splitter or iterable of (train, test)
            The splits. An int stands for what scikit-learn makes of it, folds of neighbouring rows.
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : censored target of shape (n_samples,)
            Any kind of censoring. Rows with a finite upper bound have an event; the time of a row
            between two finite bounds is the middle.
        groups : array-like of shape (n_samples,), default=None
            Groups, if the splitter reads them.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        CensoredSplitDisplay
            The display.

        Raises
        ------
        ValueError
            If there are no splits, or an input is refused.
        """
        import_pyplot(f"{cls.__name__}.from_cv")
        target = parse_censored("y", y)
        check_same_length(X=num_samples(X), y=len(target.lower))
        tests = [np.asarray(test) for _, test in check_cv(cv).split(X, y, groups)]
        if not tests:
            raise ValueError("cv yields no splits; give at least one.")
        times, events = known_time(target), target.has_event
        display = cls(
            [times[test][events[test]] for test in tests],
            [times[test][~events[test]] for test in tests],
        )
        return display.plot(ax=ax, **plot_options)

    def plot(self, ax: Any = None, *, time_label: str = "time") -> CensoredSplitDisplay:
        """Draw the numbers and the times of every fold.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; two panels take the place of the axes. A new figure by default.
        time_label : str, default="time"
            What the times are, such as ``"days"``.

        Returns
        -------
        CensoredSplitDisplay
            The display itself.
        """
        plt = import_pyplot(f"{type(self).__name__}.plot")
        ax = open_axes(plt, ax)
        width = outer_width(ax)
        size = text_size(plt, width)
        self.axes_ = split_axes(ax, 1, 2, width_ratios=(1, 2), wspace=0.05)[0]
        self.ax_, self.figure_ = ax, ax.figure
        numbers, times = self.axes_
        folds = np.arange(1, len(self.event_times) + 1)

        self.event_bars_, self.event_ranges_ = self._draw_rows(
            self.event_times, folds - _OFFSET, size, colour=VERMILLION, label="event"
        )
        self.censored_bars_, self.censored_ranges_ = self._draw_rows(
            self.censored_times, folds + _OFFSET, size, colour=BLUE, label="censored", filled=False
        )
        handles = [self.event_bars_, self.censored_bars_, *self._draw_median(times, size)]
        self._describe_panels(plt, size, time_label)
        draw_legend(times, handles, size, width)
        pitch = size_in_points(numbers)[1] / len(folds)
        for panel in self.axes_:
            panel.set_yticks(folds[:: math.ceil(1.5 * size / pitch)])
        # Two numbers a fold need room.
        self.counts_text_ = self._write_counts(numbers, size) if pitch > 2 * size else []
        return self

    def _draw_rows(
        self,
        parts: Any,
        rows: AnyArray,
        size: float,
        *,
        colour: str,
        label: str,
        filled: bool = True,
    ) -> tuple[Any, list[Any]]:
        """Draw the numbers and the times of one kind of rows."""
        numbers, times = self.axes_
        inside = colour if filled else numbers.get_facecolor()
        style = {"edgecolor": colour, "linewidth": 0.1 * size, "label": label}
        bars = numbers.barh(rows, [*map(len, parts)], _HEIGHT, color=inside, **style)
        options: dict[str, Any] = {"ends": (0.0, 1.0), "height": _HEIGHT, "filled": filled}
        ranges = [
            draw_range(times, row, np.asarray(part), colour, size, **options)
            for row, part in zip(rows, parts, strict=True)
        ]
        return bars, ranges

    def _draw_median(self, ax: Any, size: float) -> list[Any]:
        """Draw the median of all events, if there are any."""
        events = np.concatenate([np.asarray(part) for part in self.event_times])
        if not events.size:
            return []
        style = {"color": GREY, "linestyle": "--", "linewidth": 0.1 * size, "zorder": 0}
        return [ax.axvline(np.median(events), **style, label="median of all events")]

    def _describe_panels(self, plt: Any, size: float, time_label: str) -> None:
        numbers, times = self.axes_
        longest = max(len(part) for part in [*self.event_times, *self.censored_times])
        numbers.set_xlim(0, 1.35 * max(longest, 1))  # room for the numbers
        for panel, label in ((numbers, "rows"), (times, time_label)):
            panel.tick_params(labelsize=0.9 * size)
            panel.set_ylim(len(self.event_times) + 0.6, 0.4)
            n_ticks = 3 if panel is numbers else 5
            panel.xaxis.set_major_locator(plt.MaxNLocator(n_ticks, integer=panel is numbers))
            panel.set_xlabel(label, fontsize=size)
        numbers.set_ylabel("test fold", fontsize=size)
        times.tick_params(labelleft=False)

    def _write_counts(self, ax: Any, size: float) -> list[Any]:
        style = {"fontsize": 0.8 * size, "padding": 0.2 * size}
        return [
            text
            for bars in (self.event_bars_, self.censored_bars_)
            for text in ax.bar_label(bars, fmt="%d", **style)
        ]
