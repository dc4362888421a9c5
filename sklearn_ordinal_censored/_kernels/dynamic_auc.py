"""Area under the ROC curve of "event by then" against "none yet", time by time."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import FloatArray, IntArray


def dynamic_auc(
    pred: FloatArray,
    times: FloatArray,
    time: FloatArray,
    weight: FloatArray,
    case_factor: FloatArray,
    sign: float = 1.0,
) -> FloatArray:
    """Return the AUC at each time.

    Parameters
    ----------
    pred : ndarray of shape (n_samples,) or (n_samples, n_times)
        Predictions, the same for all times or one column a time.
    times : ndarray of shape (n_times,)
        The times.
    time : ndarray of shape (n_samples,)
        Each row's time.
    weight : ndarray of shape (n_samples,)
        Row weights.
    case_factor : ndarray of shape (n_samples,)
        Factor of a row as a case, from its time on: 0 for a censored one.
    sign : {1.0, -1.0}
        1 where a larger prediction means later, else -1.

    Returns
    -------
    ndarray of shape (n_times,)
        NaN where there is no case or no control, or a factor that is needed is NaN.

    Examples
    --------
    >>> one, time = np.ones(2), np.array([1.0, 3.0])
    >>> dynamic_auc(np.array([0.2, 0.7]), np.array([0.5, 2.0]), time, one, one)
    array([nan,  1.])
    """
    case_weight = weight * case_factor
    rank = dense_rank(sign * pred) if pred.ndim == 1 else None
    values = np.empty(len(times))
    for column, instant in enumerate(times):
        values[column] = _auc(
            dense_rank(sign * pred[:, column]) if rank is None else rank,
            np.where(time <= instant, case_weight, 0.0),
            np.where(time > instant, weight, 0.0),
        )
    return values


def _auc(rank: IntArray, case: FloatArray, control: FloatArray) -> float:
    cases, controls = np.bincount(rank, case), np.bincount(rank, control)
    from_here = np.cumsum(controls[::-1])[::-1]
    total = cases.sum()
    if total == 0 or from_here[0] == 0:
        return float("nan")
    # A share first, so that a perfect order gives 1 to the last bit.
    share = (from_here - controls / 2) / from_here[0]
    return float((cases * share).sum() / total)
