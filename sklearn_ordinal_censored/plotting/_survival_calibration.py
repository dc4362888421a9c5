"""Predicted survival against the survival that came true, at one time or several."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.product_limit import survival_interval
from sklearn_ordinal_censored._response import survival_curves
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.metrics._calibration import (
    CalibrationAtTime,
    calibrate,
    read_calibrated,
)
from sklearn_ordinal_censored.plotting._matplotlib import import_pyplot
from sklearn_ordinal_censored.plotting._reliability_panels import ReliabilityPanelsDisplay
from sklearn_ordinal_censored.plotting._style import name_times, read_names
from sklearn_ordinal_censored.targets._curves import read_curves, read_times
from sklearn_ordinal_censored.targets._inputs import check_bins, check_confidence_level


# The parameters are those of the base, where the lint does not look.
class SurvivalCalibrationDisplay(ReliabilityPanelsDisplay):  # numpydoc ignore=PR02
    """Calibration of predicted survival: who was predicted to survive a time, and who did.

    One panel a time: in bins of about as many rows, the Kaplan-Meier estimate of the probability of
    no event up to the time against the mean of the predicted one. Points below the dotted diagonal
    mean predictions that are too high. Their size is the number of rows, the bars are confidence
    intervals. The numbers are those of :func:`calibration_at_time`.

    Parameters
    ----------
    prob_true : list of n_times ndarrays of shape (n_bins,)
        Probability estimated from the times of the bin. NaN where its rows were not followed so
        far; the panel says how many bins are unknown.
    prob_pred : list of n_times ndarrays of shape (n_bins,)
        Mean predicted probability of no event up to each time.
    counts : list of n_times ndarrays of shape (n_bins,)
        Number of rows.
    intervals : list of n_times ndarrays of shape (2, n_bins), default=None
        Ends of the confidence intervals, NaN for none.
    display_labels : sequence of shape (n_times,), default=None
        Names of the times, such as ``["4 years"]``; 0, 1, ... by default.
    name : str, default=None
        Name of the model, for a legend.

    Attributes
    ----------
    points_ : list of n_times matplotlib PathCollection
        The points of every time.
    ref_lines_ : list of n_times matplotlib Line2D
        The diagonals; none where another model has drawn them already.
    axes_ : ndarray of shape (n_times,)
        The panels.
    ax_ : matplotlib Axes
        The axes in whose place the panels stand.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn_ordinal_censored.metrics.calibration_at_time : The numbers, with a test.
    CumulativeCalibrationDisplay : The same for grades.

    Notes
    -----
    The intervals are those of ``KaplanMeier.confidence_interval`` for the rows of a bin. A bin in
    which no row, or every row, had its event has none, nor have left- or interval-censored rows.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn_ordinal_censored.plotting import SurvivalCalibrationDisplay
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1, 1, 0], time=[2, 4, 5, 6])
    >>> y_proba = [0.5, 0.5, 0.8, 0.8]
    >>> display = SurvivalCalibrationDisplay.from_predictions(y_true, y_proba, times=[3], n_bins=2)
    >>> display.prob_pred, display.prob_true
    ([array([0.5, 0.8])], [array([0.5, 1. ])])
    >>> plt.close()  # or plt.show()
    """

    _panel = "times"
    _title = "survival at {}"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        times: ArrayLike,
        n_bins: int = 10,
        response: Any = None,
        confidence_level: float = 0.95,
        display_labels: Any = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> SurvivalCalibrationDisplay:
        """Draw the calibration of an estimator's survival curves.

        Parameters
        ----------
        estimator : fitted estimator
            With ``predict_survival_function(X)``, as in scikit-survival, or with
            ``predict_survival(X, times)``, which returns an array; perhaps at the end of a pipeline
            or inside a search.
        X : array-like of shape (n_samples, n_features)
            Rows that it was not fitted on.
        y : censored target of shape (n_samples,)
            Any kind of censoring; late entries are refused.
        times : array-like of shape (n_times,)
            The times, in any order.
        n_bins : int, default=10
            Number of bins, if there are as many distinct probabilities.
        response : callable, default=None
            ``response(estimator, X, times)``, which returns P(T > times), instead of the methods.
        confidence_level : float, default=0.95
            Of the intervals, between 0 and 1.
        display_labels : sequence of shape (n_times,), default=None
            Names of the times; the times themselves by default.
        name : str, default=None
            Name of the model, for a legend.
        ax : matplotlib Axes or array of n_times of them, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        SurvivalCalibrationDisplay
            The display.

        Raises
        ------
        ValueError
            If the estimator predicts no survival curves, or an input is refused.
        """
        import_pyplot(f"{cls.__name__}.from_estimator")
        return cls.from_predictions(
            y,
            survival_curves(estimator, X, times, response),
            times=times,
            n_bins=n_bins,
            confidence_level=confidence_level,
            display_labels=display_labels,
            name=name,
            ax=ax,
            **plot_options,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        times: ArrayLike,
        n_bins: int = 10,
        confidence_level: float = 0.95,
        display_labels: Any = None,
        name: str | None = None,
        ax: Any = None,
        **plot_options: Any,
    ) -> SurvivalCalibrationDisplay:
        """Draw the calibration of predicted survival probabilities.

        Parameters
        ----------
        y_true : censored target of shape (n_samples,)
            Any kind of censoring; late entries are refused.
        y_proba : array-like of shape (n_samples, n_times)
            ``y_proba[:, k]`` is the predicted ``P(T > times[k])`` of a model that was fitted to
            other rows. Also a data frame whose columns or index are ``times``, or one step function
            a row; for a single time also of shape (n_samples,).
        times : array-like of shape (n_times,)
            The times, in any order.
        n_bins : int, default=10
            Number of bins, if there are as many distinct probabilities.
        confidence_level : float, default=0.95
            Of the intervals, between 0 and 1.
        display_labels : sequence of shape (n_times,), default=None
            Names of the times; the times themselves by default.
        name : str, default=None
            Name of the model, for a legend.
        ax : matplotlib Axes or array of n_times of them, default=None
            Where to draw; a new figure by default.
        **plot_options : dict
            Options of :meth:`plot`.

        Returns
        -------
        SurvivalCalibrationDisplay
            The display.

        Raises
        ------
        ValueError
            If an input is refused; the message shows the values.

        Warns
        -----
        UndefinedMetricWarning
            As by :func:`calibration_at_time`: if the rows of a bin were not followed up to a time,
            or no row had its event up to it.
        """
        import_pyplot(f"{cls.__name__}.from_predictions")
        n_bins, level = check_bins(n_bins), check_confidence_level(confidence_level)
        moments = read_times(times)
        names = read_names(name_times(moments), display_labels, "time")
        target = read_calibrated(y_true)
        curves = read_curves(y_proba, moments, len(target.lower))
        results = [
            calibrate(target, proba, time, n_bins)
            for time, proba in zip(moments.tolist(), curves.T, strict=True)
        ]
        display = cls(
            [result.observed for result in results],
            [result.predicted for result in results],
            [result.counts for result in results],
            intervals=[_interval_of(result, level) for result in results],
            display_labels=names,
            name=name,
        )
        return display.plot(ax=ax, **plot_options)


def _interval_of(result: CalibrationAtTime, level: float) -> FloatArray:
    """Return the ends of the intervals; an error of 0 would claim certainty, and has none."""
    ends = survival_interval(result.observed, result.standard_error, level).T
    return np.where(result.standard_error > 0, ends, np.nan)
