"""Confusion tables of ordered grades, coloured by the errors that make the metric."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import kappa_of_table
from sklearn_ordinal_censored._typing import FloatArray, Weights
from sklearn_ordinal_censored.metrics._confusion import read_table
from sklearn_ordinal_censored.metrics._cost import price_cells
from sklearn_ordinal_censored.metrics._disagreement import NO_DISAGREEMENT, read_disagreement
from sklearn_ordinal_censored.plotting._estimators import known_scale
from sklearn_ordinal_censored.plotting._labels import draw_names
from sklearn_ordinal_censored.plotting._matplotlib import (
    import_pyplot,
    open_axes,
    outer_width,
    text_size,
)
from sklearn_ordinal_censored.plotting._style import read_names
from sklearn_ordinal_censored.plotting._table import (
    colour_scale,
    draw_lattice,
    draw_numbers,
)
from sklearn_ordinal_censored.targets._inputs import check_option
from sklearn_ordinal_censored.targets._matrices import check_square_matrix
from sklearn_ordinal_censored.targets._undefined import replace_undefined

_SHARES = {"true": "share of the row", "pred": "share of the column", "all": "share of all rows"}


class OrdinalConfusionDisplay:
    """Confusion table of ordered grades, coloured by what each cell costs.

    Rows are true grades and columns predicted ones, in the order of the scale. A plain table shows
    where the errors are frequent; this one shows which of them make the metric: the colour, and the
    small number in a cell, is its share of the total cost, its count times its cost.

    Parameters
    ----------
    confusion_matrix : ndarray of shape (n_classes, n_classes)
        The numbers to show.
    contribution : ndarray of shape (n_classes, n_classes), default=None
        What each cell adds to the mean cost of a row; None for a plain table.
    score : float, default=None
        Value of the metric, for the title.
    score_name : str, default=None
        Name of the metric.
    display_labels : sequence of shape (n_classes,), default=None
        Names of the grades; 0, 1, ... by default.
    values_name : str, default="rows"
        What the numbers are, for the scale of the colours.

    Attributes
    ----------
    im_ : matplotlib AxesImage
        The cells.
    text_ : ndarray of shape (n_classes, n_classes) or None
        The numbers of ``confusion_matrix``, matplotlib Text.
    share_text_ : ndarray of shape (n_classes, n_classes) or None
        The shares of the total cost; None where there is no room for them, or colours show counts.
    colorbar_ : matplotlib Colorbar or None
        The scale of the colours.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn_ordinal_censored.metrics.weighted_kappa : The metric of ``weights``.
    sklearn_ordinal_censored.metrics.ordinal_cost : The metric of ``cost_matrix``.
    sklearn.metrics.ConfusionMatrixDisplay : For classes without an order.

    Notes
    -----
    With the counts ``n[i, j]`` and the costs ``C[i, j]`` a cell contributes
    ``n[i, j] * C[i, j] / n`` to the mean cost. For a weighted kappa ``C`` are the disagreements,
    divided by the largest; kappa is one minus the mean cost over that expected by chance.

    Examples
    --------
    Three errors; the one by two grades costs four times as much as the others:

    >>> import matplotlib.pyplot as plt
    >>> from sklearn_ordinal_censored.plotting import OrdinalConfusionDisplay
    >>> y_true, y_pred = [1, 1, 1, 2, 2, 3], [1, 1, 2, 2, 1, 1]
    >>> display = OrdinalConfusionDisplay.from_predictions(y_true, y_pred)
    >>> 6 * display.contribution
    array([[0.  , 0.25, 0.  ],
           [0.25, 0.  , 0.  ],
           [1.  , 0.  , 0.  ]])
    >>> plt.close()  # or plt.show()
    """

    def __init__(
        self,
        confusion_matrix: Any,
        *,
        contribution: Any = None,
        score: float | None = None,
        score_name: str | None = None,
        display_labels: Any = None,
        values_name: str = "rows",
    ) -> None:
        self.confusion_matrix = confusion_matrix
        self.contribution = contribution
        self.score = score
        self.score_name = score_name
        self.display_labels = display_labels
        self.values_name = values_name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        normalize: str | None = None,
        weights: Weights = "quadratic",
        cost_matrix: ArrayLike | None = None,
        display_labels: Any = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> OrdinalConfusionDisplay:
        """Draw the table of an estimator's predictions.

        Parameters
        ----------
        estimator : fitted classifier
            Its ``predict`` gives grades.
        X : array-like of shape (n_samples, n_features)
            Rows that it was not fitted on.
        y : array-like of shape (n_samples,)
            True grades.
        labels : array-like of shape (n_classes,), default=None
            The grades from lowest to highest. By default the scale that the estimator was fitted
            with, if it has one, else that of ``y`` and the classes of the estimator.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        normalize : {"true", "pred", "all"} or None, default=None
            Whether to show counts, or shares of the row, of the column or of all.
        weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
            How much a pair of grades disagrees, as in :func:`weighted_kappa`.
        cost_matrix : array-like of shape (n_classes, n_classes), default=None
            Costs, as in :func:`ordinal_cost`, in the place of ``weights``.
        display_labels : sequence of shape (n_classes,), default=None
            Names of the grades; the grades themselves by default.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        OrdinalConfusionDisplay
            The display.
        """
        import_pyplot(f"{cls.__name__}.from_estimator")
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=known_scale(estimator, y, labels),
            sample_weight=sample_weight,
            normalize=normalize,
            weights=weights,
            cost_matrix=cost_matrix,
            display_labels=display_labels,
            ax=ax,
            **plot_options,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        normalize: str | None = None,
        weights: Weights = "quadratic",
        cost_matrix: ArrayLike | None = None,
        display_labels: Any = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> OrdinalConfusionDisplay:
        """Draw the table of true and predicted grades.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True grades.
        y_pred : array-like of shape (n_samples,)
            Predicted grades.
        labels : array-like of shape (n_classes,), default=None
            The grades from lowest to highest. By default the categories of an ordered categorical,
            or all consecutive integers from the smallest to the largest value seen. Text needs
            ``labels``.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        normalize : {"true", "pred", "all"} or None, default=None
            Whether to show counts, or shares of the row, of the column or of all.
        weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
            How much a pair of grades disagrees, as in :func:`weighted_kappa`.
        cost_matrix : array-like of shape (n_classes, n_classes), default=None
            Costs, as in :func:`ordinal_cost`, in the place of ``weights``.
        display_labels : sequence of shape (n_classes,), default=None
            Names of the grades; the grades themselves by default.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        OrdinalConfusionDisplay
            The display.

        Raises
        ------
        ValueError
            If an input is refused; the message shows the values.
        """
        import_pyplot(f"{cls.__name__}.from_predictions")
        check_option("normalize", normalize, (*_SHARES, None))
        table, scale = read_table(y_true, y_pred, labels, sample_weight)
        if cost_matrix is None:
            cost, name = read_disagreement(scale, weights), _kappa_name(weights)
            cells, whole = price_cells(table, cost)
            kappa = kappa_of_table(table, cost)
            score = float(replace_undefined(kappa, "weighted_kappa", NO_DISAGREEMENT, np.nan))
        else:
            cost, name = check_square_matrix("cost_matrix", cost_matrix, scale), "mean cost"
            cells, whole = price_cells(table, cost)
            score = float(cells.sum()) / whole
        counted = "rows" if sample_weight is None else "weight of rows"
        display = cls(
            _normalized(table, normalize),
            contribution=cells / whole,
            score=score,
            score_name=name,
            display_labels=read_names(scale, display_labels),
            values_name=counted if normalize is None else _SHARES[normalize],
        )
        return display.plot(ax=ax, **plot_options)

    def plot(
        self,
        ax: Any = None,
        *,
        color_by: str = "cost",
        include_values: bool = True,
        values_format: str | None = None,
        xticks_rotation: float | str | None = None,
        cmap: Any = None,
        colorbar: bool = True,
        im_kw: Mapping[str, Any] | None = None,
        text_kw: Mapping[str, Any] | None = None,
    ) -> OrdinalConfusionDisplay:
        """Draw the table.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        color_by : {"cost", "count"}, default="cost"
            Whether the colour shows what a cell contributes to the cost, or its number.
        include_values : bool, default=True
            Whether to write the numbers into the cells.
        values_format : str, default=None
            Format of the numbers, such as ``".2f"``.
        xticks_rotation : {"vertical", "horizontal"}, float or None, default=None
            Rotation of the names below the columns; None turns them where they are too long.
        cmap : str or matplotlib Colormap, default=None
            Colours; by default one that gets steadily darker, or one with a bright middle where
            some costs are negative.
        colorbar : bool, default=True
            Whether to add a scale of the colours.
        im_kw : dict, default=None
            Options of ``imshow``.
        text_kw : dict, default=None
            Options of the numbers in the cells.

        Returns
        -------
        OrdinalConfusionDisplay
            The display itself.
        """
        plt = import_pyplot(f"{type(self).__name__}.plot")
        check_option("color_by", color_by, ("cost", "count"))
        ax = open_axes(plt, ax, 1.1)
        self.ax_, self.figure_ = ax, ax.figure
        values = np.asarray(self.confusion_matrix, dtype=np.float64)
        shares = self._shares() if color_by == "cost" else None
        width = outer_width(ax)
        size = text_size(plt, width)

        colours, meaning = self._colours(values, shares, color_by)
        style = colour_scale(colours, "Blues" if color_by == "count" else "Oranges")
        style |= {} if cmap is None else {"cmap": cmap}
        self.im_ = ax.imshow(colours, **style | dict(im_kw or {}))
        draw_lattice(plt, ax, len(values))
        self._write_titles(size)
        self.colorbar_ = self._add_colorbar(meaning, size) if colorbar else None
        names = range(len(values)) if self.display_labels is None else self.display_labels
        draw_names(ax, list(names), size, width, xticks_rotation)
        self.text_ = self.share_text_ = None
        if include_values:
            self.text_, self.share_text_ = draw_numbers(
                self.im_, values, shares, size, values_format, text_kw
            )
        return self

    def _shares(self) -> FloatArray | None:
        """Return the shares of the total cost in percent, None where there is none to share."""
        if self.contribution is None:
            return None
        parts = np.asarray(self.contribution, dtype=np.float64)
        total = parts.sum()
        return None if (parts < 0).any() or total == 0 else np.asarray(100 * (parts / total))

    def _colours(
        self, values: FloatArray, shares: FloatArray | None, color_by: str
    ) -> tuple[FloatArray, str]:
        """Return the numbers behind the colours, and what they are."""
        if shares is not None:
            return shares, "share of the total cost in %"
        if color_by == "count" or self.contribution is None:
            return values, self.values_name
        return np.asarray(self.contribution, dtype=np.float64), "contribution to the mean cost"

    def _write_titles(self, size: float) -> None:
        self.ax_.set_xlabel("predicted grade", fontsize=size)
        self.ax_.set_ylabel("true grade", fontsize=size)
        if self.score is not None:
            value = "undefined" if np.isnan(self.score) else f"{self.score:.3g}"
            self.ax_.set_title(f"{self.score_name or 'score'} {value}", fontsize=size)

    def _add_colorbar(self, meaning: str, size: float) -> Any:
        bar = self.figure_.colorbar(self.im_, ax=self.ax_, fraction=0.046, pad=0.03)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=0.9 * size)
        bar.set_label(meaning, fontsize=size)
        return bar


def _normalized(table: FloatArray, normalize: str | None) -> FloatArray:
    """Return counts or shares; NaN for the shares of an empty row or column."""
    axes: dict[str | None, int | None] = {"true": 1, "pred": 0, "all": None}
    if normalize is None:
        return table
    total = np.broadcast_to(table.sum(axis=axes[normalize], keepdims=True), table.shape)
    return np.asarray(np.divide(table, total, out=np.full(table.shape, np.nan), where=total > 0))


def _kappa_name(weights: Weights) -> str:
    if weights is None:
        return "unweighted kappa"
    if isinstance(weights, str):
        return f"{weights} weighted kappa"
    return f"kappa with power {weights:g}" if isinstance(weights, Real) else "weighted kappa"
