"""Squared errors of survival curves, weighted for censoring."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.blocks import row_blocks
from sklearn_ordinal_censored._typing import FloatArray

_CELLS = 2**16  # of a block of rows: half a megabyte an array, so that it stays in the cache


def weighted_squared_errors(
    curves: FloatArray,
    times: FloatArray,
    time: FloatArray,
    weight: FloatArray,
    case_factor: FloatArray,
    control_factor: FloatArray,
) -> FloatArray:
    """Return the weighted mean squared error of a curve against "still without event" at each time.

    Parameters
    ----------
    curves : ndarray of shape (n_samples, n_times)
        Predicted probabilities of no event up to each time.
    times : ndarray of shape (n_times,)
        The times of the columns.
    time : ndarray of shape (n_samples,)
        Each row's time.
    weight : ndarray of shape (n_samples,)
        Row weights.
    case_factor : ndarray of shape (n_samples,)
        Factor of a row from its time on: 0 for a censored one.
    control_factor : ndarray of shape (n_times,)
        Factor, at each time, of the rows whose time is later.

    Returns
    -------
    ndarray of shape (n_times,)
        Sums divided by the sum of ``weight``. NaN where a factor that is needed is NaN.

    Notes
    -----
    Rows are taken block by block, so that the extra memory does not depend on their number.

    Examples
    --------
    At time 2 the first row had its event, the second is still without:

    >>> one = np.ones(2)
    >>> curves, time = np.array([[0.5], [0.5]]), np.array([1.0, 3.0])
    >>> weighted_squared_errors(curves, np.array([2.0]), time, one, one, np.array([2.0]))
    array([0.375])
    """
    total = np.zeros(len(times))
    for rows in row_blocks(len(time), len(times), _CELLS):
        is_later = time[rows, np.newaxis] > times
        error = curves[rows] - is_later
        error *= error
        error *= np.where(is_later, control_factor, case_factor[rows, np.newaxis])
        total += weight[rows] @ error
    return np.asarray(total / weight.sum())
