"""Bins of predicted probabilities, and how far a right prediction may be from what is seen."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.blocks import row_blocks
from sklearn_ordinal_censored._kernels.product_limit import product_limit
from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray

_CELLS = 2**17  # of a block of rows, for the sake of memory


def spread_over_bins(lower: FloatArray, upper: FloatArray, n_bins: int) -> FloatArray:
    """Return how many rows are in each of some bins of equal width between 0 and 1.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_samples,)
        Ends of the stretch between 0 and 1 over which a row is spread evenly. A stretch without
        width belongs to the bin that begins there, or to the last.
    n_bins : int
        Number of bins.

    Returns
    -------
    ndarray of shape (n_bins,)
        Sums of the rows' shares; their sum is the number of rows.

    Examples
    --------
    >>> spread_over_bins(np.array([0.0, 0.5]), np.array([0.8, 0.5]), 2)
    array([0.625, 1.375])
    """
    edges = np.arange(n_bins + 1) / n_bins
    is_point = lower == upper
    bins = np.searchsorted(edges[1:-1], lower[is_point], side="right")
    counts = np.bincount(bins, minlength=n_bins).astype(np.float64)
    lower, upper = lower[~is_point, np.newaxis], upper[~is_point, np.newaxis]
    for rows in row_blocks(len(lower), n_bins, _CELLS):
        low, high = lower[rows], upper[rows]
        counts += (np.diff(np.clip(edges, low, high), axis=1) / (high - low)).sum(axis=0)
    return counts


def equal_bins(values: FloatArray, n_bins: int, weight: FloatArray | None = None) -> IntArray:
    """Return bins of about the same number of rows, in which equal values stay together.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Values.
    n_bins : int
        Number of bins, if there are as many values.
    weight : ndarray of shape (n_samples,) or None, default=None
        Positive row weights, read as repeated rows.

    Returns
    -------
    ndarray of shape (n_samples,)
        Number of each row's bin, that of the middle one of all rows with its value; none is empty.

    Examples
    --------
    >>> equal_bins(np.array([3.0, 1.0, 2.0, 4.0]), 2)
    array([1, 0, 0, 1])
    >>> equal_bins(np.array([1.0, 4.0]), 4, np.array([3.0, 1.0]))
    array([0, 1])
    """
    level = dense_rank(values)
    at_level = np.bincount(level, weights=weight)
    up_to = np.cumsum(at_level)
    bins = np.floor(n_bins * (up_to - at_level / 2) / up_to[-1])
    return dense_rank(np.minimum(bins, n_bins - 1))[level]  # weights may be lost in rounding


def event_pace(time: FloatArray, event: AnyArray, moment: float) -> tuple[FloatArray, FloatArray]:
    """Return the times of events up to a moment, and the share of the hazard up to each.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of shape (n_samples,)
        Whether each time is an event.
    moment : float
        The last time of interest.

    Returns
    -------
    times : ndarray of shape (n_times,)
        Distinct times of events, ascending; empty if there is none.
    pace : ndarray of shape (n_times,)
        Shares of the cumulative hazard; the last one is one.

    Examples
    --------
    One of three rows has its event at 1, and one of two at 2; 1/3 of 5/6 is 0.4.

    >>> time, event = np.array([1.0, 2.0, 3.0]), np.array([True, True, True])
    >>> event_pace(time, event, 2.5)
    (array([1., 2.]), array([0.4, 1. ]))
    """
    curve = product_limit(time, event)
    before = np.concatenate([[1.0], curve.survival[:-1]])
    hazard = 1 - curve.survival / before
    used = (hazard > 0) & (curve.times <= moment)
    total = np.cumsum(hazard[used])
    return curve.times[used], total / total[-1:]


def survival_variance(
    time: FloatArray, event: AnyArray, survival: float, times: FloatArray, pace: FloatArray
) -> float:
    """Return the variance of a Kaplan-Meier curve whose true value at a moment is known.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of shape (n_samples,)
        Whether each time is an event; the censorings are used only.
    survival : float
        True probability of no event up to the moment.
    times : ndarray of shape (n_times,)
        Times at which the true curve falls, ascending.
    pace : ndarray of shape (n_times,)
        Share of its cumulative hazard up to each of them; the last one is one.

    Returns
    -------
    float
        ``survival**2 / n * sum((1 / s_k - 1 / s_(k-1)) / G_k)`` with the true curve ``s`` and the
        censoring curve ``G`` before each time.

    Examples
    --------
    Without censoring it is that of a share:

    >>> time, event = np.array([1.0, 2.0, 3.0, 4.0]), np.full(4, True)
    >>> survival_variance(time, event, 0.8, np.array([1.0]), np.ones(1)).__round__(6)
    0.04
    """
    censoring = product_limit(time, event, reverse=True)
    place = np.searchsorted(censoring.times, times, side="left")
    remaining = np.concatenate([[1.0], censoring.survival])[place]
    # The square is multiplied in, so that a probability of 0 has the variance 0.
    steps = np.diff(survival ** (2 - np.concatenate([[0.0], pace])))
    return float((steps / remaining).sum() / len(time))
