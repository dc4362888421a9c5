"""Reliability diagrams beside each other, one panel for each thing that may come true."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray
from sklearn_ordinal_censored.plotting._labels import draw_titles
from sklearn_ordinal_censored.plotting._matplotlib import (
    draw_model,
    holds_model,
    import_pyplot,
    open_panels,
    outer_width,
    text_size,
)
from sklearn_ordinal_censored.plotting._reliability import (
    Reliability,
    draw_diagonal,
    draw_reliability,
)
from sklearn_ordinal_censored.plotting._style import BLUE, count_range


class DrawnPanels(NamedTuple):
    """What was drawn, and where.

    Attributes
    ----------
    ax : matplotlib Axes
        The axes in whose place the panels stand.
    axes : ndarray of shape (n_panels,)
        The panels.
    points : list of n_panels matplotlib PathCollection
        The points of every panel.
    ref_lines : list of n_panels matplotlib Line2D
        The diagonals; none where another model has drawn them already.

    Examples
    --------
    >>> DrawnPanels(None, np.array([]), [], []).points
    []
    """

    ax: Any
    axes: AnyArray
    points: list[Any]
    ref_lines: list[Any]


def as_reliabilities(
    predicted: Sequence[Any], observed: Sequence[Any], counts: Sequence[Any], intervals: Any
) -> list[Reliability]:
    """Return the bins of every panel.

    Parameters
    ----------
    predicted, observed, counts : list of n_panels ndarrays of shape (n_bins,)
        The bins' mean predictions, shares and numbers of rows.
    intervals : list of n_panels ndarrays of shape (2, n_bins) or None
        Ends of the confidence intervals of the shares.

    Returns
    -------
    list of n_panels Reliability
        Without intervals these have no width.

    Examples
    --------
    >>> as_reliabilities([np.array([0.4])], [np.array([0.5])], [np.array([2])], None)[0].interval
    array([[0.5],
           [0.5]])
    """
    ends = intervals or [np.stack([shares, shares]) for shares in observed]
    return [
        Reliability(*map(np.asarray, panel))
        for panel in zip(predicted, observed, counts, ends, strict=True)
    ]


class ReliabilityPanelsDisplay:
    """Base of the displays of one reliability diagram a thing that may come true.

    Parameters
    ----------
    prob_true : list of n_panels ndarrays of shape (n_bins,)
        Shares, or estimated probabilities, of the bins.
    prob_pred : list of n_panels ndarrays of shape (n_bins,)
        Mean predicted probabilities.
    counts : list of n_panels ndarrays of shape (n_bins,)
        Numbers of rows.
    intervals : list of n_panels ndarrays of shape (2, n_bins), default=None
        Ends of the confidence intervals.
    display_labels : sequence of names, default=None
        For the titles, at least one a panel; 0, 1, ... by default.
    name : str, default=None
        Name of the model, for a legend.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> display = ReliabilityPanelsDisplay([np.array([0.5])], [np.array([0.4])], [np.array([2])])
    >>> display.plot().axes_[0].get_title()
    '0'
    >>> plt.close()
    """

    _panel = "panels"  # what has one panel each, for messages
    _title = "{}"

    def __init__(
        self,
        prob_true: Any,
        prob_pred: Any,
        counts: Any,
        *,
        intervals: Any = None,
        display_labels: Any = None,
        name: str | None = None,
    ) -> None:
        self.prob_true = prob_true
        self.prob_pred = prob_pred
        self.counts = counts
        self.intervals = intervals
        self.display_labels = display_labels
        self.name = name

    def plot(
        self, ax: Any = None, *, name: str | None = None, color: Any = BLUE, marker: str = "o"
    ) -> Self:
        """Draw one reliability diagram a panel.

        Parameters
        ----------
        ax : matplotlib Axes or array of n_panels of them, default=None
            Where to draw: axes that panels take the place of, or the panels themselves, such as the
            ``axes_`` of another model's display. A new figure by default.
        name : str, default=None
            Name of the model, for a legend; that of the display by default.
        color : matplotlib colour, default="#0072B2"
            Colour of the points.
        marker : str, default="o"
            Their shape, which tells two models apart in grey, too.

        Returns
        -------
        Display
            The display itself.
        """
        plt = import_pyplot(f"{type(self).__name__}.plot")
        n_panels = len(self.prob_true)
        names = range(n_panels) if self.display_labels is None else list(self.display_labels)
        drawn = draw_panels(
            plt,
            ax,
            as_reliabilities(self.prob_pred, self.prob_true, self.counts, self.intervals),
            [self._title.format(names[place]) for place in range(n_panels)],
            wanted=self._panel,
            style={"colour": color, "marker": marker, "label": name or self.name},
        )
        self.ax_, self.axes_, self.points_, self.ref_lines_ = drawn
        self.figure_ = self.ax_.figure
        return self


def draw_panels(
    plt: Any,
    ax: Any,
    bins: Sequence[Reliability],
    titles: Sequence[str],
    *,
    wanted: str,
    style: Mapping[str, Any],
) -> DrawnPanels:
    """Draw one reliability diagram a panel.

    Parameters
    ----------
    plt : module
        ``matplotlib.pyplot``.
    ax : matplotlib Axes, array of n_panels of them, or None
        Where to draw: axes that panels take the place of, or the panels themselves.
    bins : sequence of n_panels Reliability
        The bins of every panel.
    titles : sequence of n_panels str
        What may come true in each.
    wanted : str
        What there is one panel each of, for a message.
    style : dict
        Colour, marker and label of the model, as for :func:`draw_reliability`.

    Returns
    -------
    DrawnPanels
        What was drawn. The panels are described for the first model only.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> bins = as_reliabilities([np.array([0.4])], [np.array([0.5])], [np.array([2])], None)
    >>> drawn = draw_panels(plt, None, bins, ["> 0"], wanted="cuts", style={"colour": "black"})
    >>> drawn.axes[0].get_xlabel().splitlines()
    ['predicted', '2 a bin']
    >>> plt.close(drawn.ax.figure)
    """
    n_columns = math.ceil(math.sqrt(len(bins)))
    n_rows = math.ceil(len(bins) / n_columns)
    ax, panels = open_panels(
        plt,
        ax,
        (n_rows, n_columns),
        wanted,
        height=1.0 if len(bins) == 1 else 1.3 * n_rows / n_columns,
        n_panels=len(bins),
        spaces={"hspace": 0.6, "wspace": 0.15},
    )
    size = text_size(plt, outer_width(ax, *panels))
    is_first = not holds_model(panels[0])
    ref_lines = [draw_diagonal(panel, size) for panel in panels] if is_first else []
    points = [
        draw_model(draw_reliability(panel, own, size, **style))
        for panel, own in zip(panels, bins, strict=True)
    ]
    if is_first:
        _describe_panels(panels, bins, titles, size)
    if style.get("label"):
        panels[-1].legend(loc="best", fontsize=0.8 * size, handletextpad=0.2)
    return DrawnPanels(ax, panels, points, ref_lines)


def _describe_panels(
    panels: AnyArray, bins: Sequence[Reliability], titles: Sequence[str], size: float
) -> None:
    n_columns = len({round(panel.get_position().x0, 3) for panel in panels})
    ticks = {"ticks": [0, 0.5, 1], "labels": ["0", "0.5", "1"], "fontsize": 0.9 * size}
    for place, (panel, own) in enumerate(zip(panels, bins, strict=True)):
        is_lowest, is_leftmost = place + n_columns >= len(bins), place % n_columns == 0
        panel.set_xticks(**ticks)
        panel.set_yticks(**ticks)
        panel.tick_params(labelbottom=is_lowest, labelleft=is_leftmost)
        rows = _describe_bins(own)
        panel.set_xlabel(f"predicted\n{rows}" if is_lowest else rows, fontsize=0.9 * size)
        panel.set_ylabel("observed" if is_leftmost else "", fontsize=0.9 * size)
    draw_titles(panels, titles, size)


def _describe_bins(bins: Reliability) -> str:
    n_unknown = np.count_nonzero(np.isnan(bins.observed))
    unknown = f"\n{n_unknown} of {len(bins.observed)} unknown" if n_unknown else ""
    return f"{count_range(bins.counts)} a bin{unknown}"
