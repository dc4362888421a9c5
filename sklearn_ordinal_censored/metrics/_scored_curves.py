"""The door of the metrics of predictions at several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.targets._censored import parse_right_censored
from sklearn_ordinal_censored.targets._curves import read_curves, read_times
from sklearn_ordinal_censored.targets._inputs import preview
from sklearn_ordinal_censored.targets._weights import check_weights, scale_weights


class ScoredCurves(NamedTuple):
    """Exact and right-censored rows with their predictions; rows of weight zero are left out.

    Attributes
    ----------
    target : CensoredTarget
        Bounds.
    curves : ndarray of shape (n_samples, n_times)
        Predictions, one column a time.
    times : ndarray of shape (n_times,)
        The times of the columns, in the caller's order.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Examples
    --------
    >>> read_scored_curves([[2, 2], [3, 3]], [[0.9], [0.8]], [1]).curves
    array([[0.9],
           [0.8]])
    """

    target: CensoredTarget
    curves: FloatArray
    times: FloatArray
    weight: FloatArray | None

    @property
    def own_weight(self) -> FloatArray:
        """The weights for ratios, up to a common factor; one each where none were given.

        Returns
        -------
        ndarray of shape (n_samples,)
            Weights.
        """
        return (
            np.ones(len(self.target.lower)) if self.weight is None else scale_weights(self.weight)
        )


def read_scored_curves(
    y_true: Any,
    predicted: Any,
    times: Any,
    sample_weight: ArrayLike | None = None,
    *,
    parse: Callable[[str, Any], CensoredTarget] = parse_right_censored,
    read: Callable[[Any, FloatArray, int, FloatArray | None], FloatArray] = read_curves,
) -> ScoredCurves:
    """Read a censored target with predictions at several times.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows.
    predicted : array-like of shape (n_samples, n_times)
        What ``read`` takes.
    times : array-like of shape (n_times,)
        The times of the columns.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.
    parse : callable
        Reads the target; it may refuse more.
    read : callable
        Reads the predictions.

    Returns
    -------
    ScoredCurves
        The rows of positive weight.

    Examples
    --------
    >>> read_scored_curves([[2, 2], [3, 3]], [[0.9], [0.8]], [1], [0, 4]).weight
    array([4.])
    """
    target = parse("y_true", y_true)
    instants = read_times(times)
    n_samples = len(target.lower)
    weight = check_weights(sample_weight, n_samples)
    curves = read(predicted, instants, n_samples, weight)
    if weight is not None and not weight.all():
        rows = weight > 0
        target, curves, weight = target.take(rows), curves[rows], weight[rows]
    return ScoredCurves(target, curves, instants, weight)


def distinct_times(times: FloatArray) -> IntArray:
    """Return the columns of the distinct times, in the order of time.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        Times, perhaps repeated.

    Returns
    -------
    ndarray
        Column numbers.

    Examples
    --------
    >>> distinct_times(np.array([3.0, 1.0, 3.0]))
    array([1, 0])
    """
    return np.asarray(np.unique(times, return_index=True)[1])


def tell_where(times: FloatArray, problems: Mapping[str, AnyArray]) -> str:
    """Tell at which times something is wrong.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        Times.
    problems : dict
        For each problem the times that have it, as a mask.

    Returns
    -------
    str
        Part of a message; empty without problems.

    Examples
    --------
    >>> tell_where(np.array([1.0, 2.0]), {"no row is left": np.array([False, True])})
    'at 2.0 no row is left'
    """
    return "; ".join(
        f"at {preview(np.sort(times[mask]))} {problem}"
        for problem, mask in problems.items()
        if mask.any()
    )
