"""The door of the metrics of predicted times and quantiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._inputs import check_floats, check_same_length
from sklearn_ordinal_censored.targets._weights import check_weights


class PredictedTimes(NamedTuple):
    """Censored rows with a predicted time; rows of weight zero are left out.

    Attributes
    ----------
    target : CensoredTarget
        Bounds.
    time : ndarray of shape (n_samples,)
        Predicted times.
    weight : ndarray of shape (n_samples,)
        Row weights, one each where none were given.

    Examples
    --------
    >>> read_predicted_times([[1, 1], [2, 2]], [0.5, 0.1]).time
    array([0.5, 0.1])
    """

    target: CensoredTarget
    time: FloatArray
    weight: FloatArray


def read_predicted_times(
    y_true: Any,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None = None,
    parse: Callable[[str, Any], CensoredTarget] = parse_censored,
) -> PredictedTimes:
    """Read a censored target with predicted times.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,)
        Finite times.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.
    parse : callable
        Reads the target; it may refuse some kinds of censoring.

    Returns
    -------
    PredictedTimes
        The rows of positive weight.

    Examples
    --------
    >>> read_predicted_times([[1, 1], [2, 2]], [0.5, 0.1], [0, 3]).weight
    array([3.])
    """
    target = parse("y_true", y_true)
    predicted = check_floats("y_pred", y_pred)
    n_samples = check_same_length(y_true=len(target.lower), y_pred=len(predicted))
    weight = check_weights(sample_weight, n_samples)
    if weight is None:
        return PredictedTimes(target, predicted, np.ones(n_samples))
    rows = weight > 0
    return PredictedTimes(target.take(rows), predicted[rows], weight[rows])
