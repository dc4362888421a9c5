"""Reliability of probabilities: bins of predictions, and what came true in each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from sklearn_ordinal_censored._kernels.calibration import equal_bins
from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.plotting._style import GREY

_LEVEL = 0.95


class Reliability(NamedTuple):
    """Bins of predicted probabilities, from low to high.

    Attributes
    ----------
    predicted : ndarray of shape (n_bins,)
        Mean predicted probability.
    observed : ndarray of shape (n_bins,)
        Share of the rows where it came true; NaN where nobody knows.
    counts : ndarray of shape (n_bins,)
        Weight of the rows.
    interval : ndarray of shape (2, n_bins)
        Ends of the confidence interval of the share; NaN where there is none.

    Examples
    --------
    >>> bin_reliability(np.array([0.2, 0.9]), np.array([False, True]), None, 2).counts
    array([1., 1.])
    """

    predicted: FloatArray
    observed: FloatArray
    counts: FloatArray
    interval: FloatArray


def bin_reliability(
    proba: FloatArray, came_true: AnyArray, weight: FloatArray | None, n_bins: int
) -> Reliability:
    """Return bins of nearly the same weight, in which equal probabilities stay together.

    Parameters
    ----------
    proba : ndarray of shape (n_samples,)
        Predicted probabilities.
    came_true : ndarray of shape (n_samples,)
        Whether it came true.
    weight : ndarray of shape (n_samples,) or None
        Positive row weights. For the intervals every row counts as one, whatever its weight.
    n_bins : int
        Number of bins, if there are as many distinct probabilities.

    Returns
    -------
    Reliability
        The bins, none of them empty.

    Examples
    --------
    >>> proba, came_true = np.array([0.1, 0.3, 0.3, 0.7]), np.array([False, False, True, True])
    >>> bins = bin_reliability(proba, came_true, None, 2)
    >>> bins.predicted.round(3), bins.observed.round(3)
    (array([0.1 , 0.433]), array([0.   , 0.667]))
    """
    bins = equal_bins(proba, n_bins, weight)
    ones = np.ones(len(proba)) if weight is None else weight
    counts, predicted, observed = (
        np.bincount(bins, weights=ones * values).astype(np.float64, copy=False)
        for values in (np.ones(len(proba)), proba, came_true)
    )
    # The root of the sum of squares, of which none overflows or vanishes.
    order = np.argsort(bins, kind="stable")
    root = np.hypot.reduceat(ones[order], np.searchsorted(bins[order], np.arange(len(counts))))
    shares = np.minimum(observed / counts, 1.0)
    interval = wilson_interval(shares, (counts / root) ** 2)
    return Reliability(predicted / counts, shares, counts, interval)


def wilson_interval(share: FloatArray, n_rows: FloatArray) -> FloatArray:
    """Return Wilson's 95 % confidence interval of shares.

    Parameters
    ----------
    share : ndarray of shape (n_bins,)
        Shares.
    n_rows : ndarray of shape (n_bins,)
        Number of independent rows behind each.

    Returns
    -------
    ndarray of shape (2, n_bins)
        Lower and upper ends; the share lies between them.

    References
    ----------
    .. [1] E. B. Wilson. "Probable Inference, the Law of Succession, and Statistical Inference."
       Journal of the American Statistical Association 22(158), 1927.
       :doi:`10.1080/01621459.1927.10502953`

    Examples
    --------
    >>> wilson_interval(np.array([0.5]), np.array([100.0])).round(3)
    array([[0.404],
           [0.596]])
    """
    squared = ndtri((1 + _LEVEL) / 2) ** 2
    centre = (share + squared / (2 * n_rows)) / (1 + squared / n_rows)
    margin = np.sqrt(squared * share * (1 - share) / n_rows + (squared / (2 * n_rows)) ** 2) / (
        1 + squared / n_rows
    )
    # Rounding must not leave a share of 0 or 1 outside of its own interval.
    return np.stack([np.minimum(centre - margin, share), np.maximum(centre + margin, share)])


def draw_reliability(
    ax: Any,
    bins: Reliability,
    size: float,
    *,
    colour: Any,
    marker: str = "o",
    label: str | None = None,
) -> Any:
    """Draw what came true against what was predicted, larger points for more rows.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    bins : Reliability
        The bins.
    size : float
        Size of text in points, to which lines and points are proportioned.
    colour : matplotlib colour
        Colour.
    marker : str, default="o"
        Shape of the points.
    label : str, default=None
        Name for a legend.

    Returns
    -------
    matplotlib PathCollection
        The points.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> bins = bin_reliability(np.array([0.2, 0.9]), np.array([False, True]), None, 2)
    >>> len(draw_reliability(ax, bins, 10, colour="black").get_offsets())
    2
    >>> plt.close(figure)
    """
    line = {"color": colour, "linewidth": 0.1 * size}
    ax.vlines(bins.predicted, *bins.interval, **line)
    ax.plot(bins.predicted, bins.observed, **line, alpha=0.5)
    areas = (0.45 * size) ** 2 * (bins.counts / bins.counts.mean())
    style = {"s": areas, "color": colour, "marker": marker, "linewidth": 0, "zorder": 3}
    return ax.scatter(bins.predicted, bins.observed, **style, label=label)


def draw_diagonal(ax: Any, size: float) -> Any:
    """Draw the line of perfect calibration, and limit the axes to probabilities.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    size : float
        Size of text in points.

    Returns
    -------
    matplotlib Line2D
        The line.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> draw_diagonal(ax, 10).get_xdata().tolist()
    [0, 1]
    >>> plt.close(figure)
    """
    ax.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.04))
    (line,) = ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=0.1 * size, zorder=1)
    return line
