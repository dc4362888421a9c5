"""Where the bulk of some numbers lies, drawn as a line that is thick in the middle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import FloatArray

_FEW = 10  # so many numbers are drawn one by one


def weighted_quantiles(
    values: FloatArray, quantiles: ArrayLike, weight: FloatArray | None = None
) -> FloatArray:
    """Return quantiles, each one of the values.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Numbers, one at least.
    quantiles : array-like of shape (n_quantiles,)
        Between 0 and 1.
    weight : ndarray of shape (n_samples,), default=None
        Positive weights.

    Returns
    -------
    ndarray of shape (n_quantiles,)
        The smallest value up to which the share of the weight is reached.

    Examples
    --------
    >>> weighted_quantiles(np.array([1.0, 2.0, 3.0]), [0.25, 0.5], np.array([1.0, 1.0, 2.0]))
    array([1., 2.])
    """
    return np.asarray(
        np.quantile(values, np.asarray(quantiles), weights=weight, method="inverted_cdf")
    )


def draw_range(
    ax: Any,
    row: float,
    values: FloatArray,
    colour: str,
    size: float,
    *,
    weight: FloatArray | None = None,
    ends: tuple[float, float] = (0.05, 0.95),
    height: float = 0.4,
    filled: bool = True,
) -> list[Any]:
    """Draw where numbers lie: a thin line, thick in their middle half, and their median.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    row : float
        Place on the y axis.
    values : ndarray of shape (n_samples,)
        Numbers; a few are drawn as points, none not at all.
    colour : str
        Colour.
    size : float
        Size of text in points, to which lines and points are proportioned.
    weight : ndarray of shape (n_samples,), default=None
        Positive weights.
    ends : tuple of float, default=(0.05, 0.95)
        Quantiles at the ends of the thin line.
    height : float, default=0.4
        Height of the thick part.
    filled : bool, default=True
        Whether the thick part is filled; two kinds of numbers differ by it also in grey.

    Returns
    -------
    list of matplotlib artists
        The points, or line, middle half and median.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> [len(draw_range(ax, 0, np.arange(n), "black", 10)) for n in (0, 3.0, 30.0)]
    [0, 1, 3]
    >>> plt.close(figure)
    """
    if len(values) == 0:
        return []
    thin, inside = 0.1 * size, colour if filled else ax.get_facecolor()
    if len(values) < _FEW:
        style = {"color": colour, "markerfacecolor": inside, "markersize": 0.3 * size}
        return list(ax.plot(values, np.full(len(values), row), "o", **style))
    low, lower, median, upper, high = weighted_quantiles(
        values, [ends[0], 0.25, 0.5, 0.75, ends[1]], weight
    )
    half = 0.5 * height
    return [
        ax.hlines(row, low, high, color=colour, linewidth=thin, zorder=0.9),  # behind the box
        ax.barh(row, upper - lower, height, lower, color=inside, edgecolor=colour, linewidth=thin),
        ax.vlines(
            median, row - half, row + half, color="white" if filled else colour, linewidth=thin
        ),
    ]
