"""Reliability of ``P(y > k)`` at every cut point of the scale."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal_censored._response import class_probabilities
from sklearn_ordinal_censored.metrics._graded_rows import read_probabilities
from sklearn_ordinal_censored.plotting._estimators import known_scale
from sklearn_ordinal_censored.plotting._matplotlib import import_pyplot
from sklearn_ordinal_censored.plotting._reliability import bin_reliability
from sklearn_ordinal_censored.plotting._reliability_panels import ReliabilityPanelsDisplay
from sklearn_ordinal_censored.plotting._style import read_names
from sklearn_ordinal_censored.targets._inputs import check_bins
from sklearn_ordinal_censored.targets._probabilities import exceedance_of


# The parameters are those of the base, where the lint does not look.
class CumulativeCalibrationDisplay(ReliabilityPanelsDisplay):  # numpydoc ignore=PR02
    """Reliability diagrams of the probabilities of more than each grade.

    One panel a cut point of the scale: in bins of about as many rows, the share of the rows above
    the grade against the mean of the predicted ``P(y > k)``. Points below the dotted diagonal mean
    predictions that are too high. Their size is the number of rows, the bars are 95 % confidence
    intervals of the shares.

    Parameters
    ----------
    prob_true : list of n_classes - 1 ndarrays of shape (n_bins,)
        Share of the rows above the grade, for every cut point.
    prob_pred : list of n_classes - 1 ndarrays of shape (n_bins,)
        Mean predicted probability.
    counts : list of n_classes - 1 ndarrays of shape (n_bins,)
        Number of rows, or their weight.
    intervals : list of n_classes - 1 ndarrays of shape (2, n_bins), default=None
        Ends of the confidence intervals.
    display_labels : sequence of shape (n_classes,), default=None
        Names of the grades; 0, 1, ... by default.
    name : str, default=None
        Name of the model, for a legend.

    Attributes
    ----------
    points_ : list of n_classes - 1 matplotlib PathCollection
        The points of every cut point.
    ref_lines_ : list of n_classes - 1 matplotlib Line2D
        The diagonals.
    axes_ : ndarray of shape (n_classes - 1,)
        The panels.
    ax_ : matplotlib Axes
        The axes in whose place the panels stand.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn_ordinal_censored.metrics.cumulative_brier : One number a cut point.
    sklearn.calibration.CalibrationDisplay : For two classes.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_ordinal_censored.plotting import CumulativeCalibrationDisplay
    >>> y_proba = [[0.8, 0.2], [0.8, 0.2], [0.4, 0.6], [0.4, 0.6]]
    >>> display = CumulativeCalibrationDisplay.from_predictions([0, 1, 0, 1], y_proba, n_bins=2)
    >>> display.prob_pred, display.prob_true
    ([array([0.2, 0.6])], [array([0.5, 0.5])])
    >>> plt.close()  # or plt.show()
    """

    _panel = "cut points"
    _title = "> {}"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 10,
        encoding: str = "class_probs",
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        display_labels: Any = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> CumulativeCalibrationDisplay:
        """Draw the reliability of an estimator's probabilities.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba``.
        X : array-like of shape (n_samples, n_features)
            Rows that it was not fitted on.
        y : array-like of shape (n_samples,)
            True grades.
        n_bins : int, default=10
            Number of bins, if a cut point has as many distinct probabilities.
        encoding : str, default="class_probs"
            What ``predict_proba`` returns, as in :func:`ordinal_decode`.
        labels : array-like of shape (n_classes,), default=None
            The grades from lowest to highest. By default the scale that the estimator was fitted
            with, if it has one, else that of ``y`` and the classes of the estimator.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights.
        display_labels : sequence of shape (n_classes,), default=None
            Names of the grades; the grades themselves by default.
        name : str, default=None
            Name of the model, for a legend.
        ax : matplotlib Axes or array of n_classes - 1 of them, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        CumulativeCalibrationDisplay
            The display.
        """
        import_pyplot(f"{cls.__name__}.from_estimator")
        scale = known_scale(estimator, y, labels)
        return cls.from_predictions(
            y,
            class_probabilities(estimator, X, scale, encoding),
            n_bins=n_bins,
            labels=scale,
            sample_weight=sample_weight,
            display_labels=display_labels,
            name=name,
            ax=ax,
            **plot_options,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: ArrayLike,
        *,
        n_bins: int = 10,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        display_labels: Any = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> CumulativeCalibrationDisplay:
        """Draw the reliability of class probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True grades.
        y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
            Class probabilities, columns in the order of the scale. With two grades one column will
            do: the probability of the upper one.
        n_bins : int, default=10
            Number of bins, if a cut point has as many distinct probabilities.
        labels : array-like of shape (n_classes,), default=None
            The grades from lowest to highest. By default the categories of an ordered categorical,
            or all consecutive integers from the smallest to the largest value seen. Text needs
            ``labels``.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights. Bins and shares read them as repeated rows; for the intervals every row
            counts as one.
        display_labels : sequence of shape (n_classes,), default=None
            Names of the grades; the grades themselves by default.
        name : str, default=None
            Name of the model, for a legend.
        ax : matplotlib Axes or array of n_classes - 1 of them, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        CumulativeCalibrationDisplay
            The display.

        Raises
        ------
        ValueError
            If an input is refused; the message shows the values.
        """
        import_pyplot(f"{cls.__name__}.from_predictions")
        n_bins = check_bins(n_bins)
        rows = read_probabilities(y_true, y_proba, labels, sample_weight)
        if len(rows.labels) < 2:
            raise ValueError(
                f"The scale has one grade only, {rows.labels.tolist()}, and no cut point; pass "
                "`labels` if grades are missing from the data."
            )
        bins = [
            bin_reliability(proba, rows.codes > cut, rows.weight, n_bins)
            for cut, proba in enumerate(exceedance_of(rows.predicted).T)
        ]
        display = cls(
            [cut.observed for cut in bins],
            [cut.predicted for cut in bins],
            [cut.counts for cut in bins],
            intervals=[cut.interval for cut in bins],
            display_labels=read_names(rows.labels, display_labels),
            name=name,
        )
        return display.plot(ax=ax, **plot_options)
