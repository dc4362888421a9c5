"""Brier scores and areas under ROC curves at several times, and what there is to beat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sklearn_ordinal_censored._response import predicts_curves, survival_curves
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.metrics._censored_scorer import one_prediction, predicted_direction
from sklearn_ordinal_censored.metrics._curve_inference import (
    CurveEstimate,
    estimate_auc,
    estimate_brier,
)
from sklearn_ordinal_censored.metrics._dynamic_auc import read_dynamic_predictions
from sklearn_ordinal_censored.metrics._ipcw import parse_without_entry
from sklearn_ordinal_censored.metrics._scored_curves import ScoredCurves, read_scored_curves
from sklearn_ordinal_censored.metrics._survival_curves import marginal_brier
from sklearn_ordinal_censored.targets._curves import read_curves
from sklearn_ordinal_censored.targets._inputs import check_option


class ScoreOverTime(NamedTuple):
    """A score at some times, and what there is to beat.

    Attributes
    ----------
    found : CurveEstimate
        The score and its errors.
    reason : str
        Why it is undefined at some times; empty if it is not.
    reference : ndarray of shape (n_times,)
        What there is to beat.
    rows_left : ndarray of shape (n_times,)
        Weight of the rows that were followed beyond each time.
    name, reference_name : str
        What the score, and what there is to beat, are called in a picture.
    lowest : float or None
        Where its axis starts.

    Examples
    --------
    >>> y_true, y_proba = [[1, 1], [3, 3]], [[0.2], [0.6]]
    >>> score_over_time("brier", y_true, y_proba, [2], "time", None, None).found.estimate.round(6)
    array([0.1])
    """

    found: CurveEstimate
    reason: str
    reference: FloatArray
    rows_left: FloatArray
    name: str
    reference_name: str
    lowest: float | None


def score_over_time(
    score: str,
    y_true: Any,
    y_pred: Any,
    times: Any,
    prediction: str,
    censoring: Any,
    sample_weight: Any,
) -> ScoreOverTime:
    """Score predictions at several times.

    Parameters
    ----------
    score : {"brier", "auc"}
        The Brier score or the area under the ROC curve.
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows.
    y_pred : array-like of shape (n_samples, n_times) or (n_samples,)
        Predictions.
    times : array-like of shape (n_times,)
        The times.
    prediction : {"time", "risk"}
        Whether a larger prediction means a later or an earlier event.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.

    Returns
    -------
    ScoreOverTime
        The scores.

    Examples
    --------
    >>> y_true, y_pred = [[1, 1], [3, 3]], [5, 8]
    >>> score_over_time("auc", y_true, y_pred, [2], "time", None, None).found.estimate
    array([1.])
    """
    check_option("score", score, tuple(_SCORES))
    check_option("prediction", prediction, ("time", "risk"))
    read, name, reference_name, lowest = _SCORES[score]
    rows, found, reason, reference = read(
        y_true, y_pred, times, prediction, censoring, sample_weight
    )
    left = _count_left(rows)
    return ScoreOverTime(found, reason, reference, left, name, reference_name, lowest)


def predictions_to_score(
    score: str,
    estimator: Any,
    X: Any,
    times: Any,
    *,
    response: Callable[..., Any] | None = None,
    prediction: str | None = None,
) -> tuple[Any, str]:
    """Return what an estimator predicts that has such a score, and the direction of it.

    Parameters
    ----------
    score : {"brier", "auc"}
        The first needs survival curves; for the second, times and risks will do.
    estimator : fitted estimator
        Perhaps inside a pipeline or a search.
    X : array-like of shape (n_samples, n_features)
        Rows.
    times : array-like of shape (n_times,)
        The times of the curves.
    response : callable or None, default=None
        ``response(estimator, X, times)``, which returns P(T > times).
    prediction : {"time", "risk"}, default=None
        What ``predict`` returns; if given, it is asked before any curves.

    Returns
    -------
    predicted : object
        Curves, or one time or risk a row.
    prediction : {"time", "risk"}
        Whether larger means later or earlier: as given, or as scorers read it from the estimator.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> model = DummyRegressor().fit([[0]], [2])
    >>> predictions_to_score("auc", model, [[0], [0]], [1])
    (array([2., 2.]), 'time')
    >>> predictions_to_score("brier", model, [[0], [0]], [1])
    Traceback (most recent call last):
    ValueError: DummyRegressor predicts no survival curves, which a Brier score needs. Give ...
    """
    check_option("score", score, tuple(_SCORES))
    has_order_only = _has_order_only(estimator, response)
    if score == "brier" and has_order_only:
        raise ValueError(
            f"{type(estimator).__name__} predicts no survival curves, which a Brier score needs. "
            "Give score='auc', which takes predicted times and risks, or `response=`, a function "
            "(estimator, X, times) that returns P(T > times)."
        )
    if score == "auc" and prediction is not None:
        _check_direction(estimator, response, prediction)
        return _predict(estimator, X), prediction
    if score == "auc" and has_order_only:
        return _predict(estimator, X), predicted_direction(estimator)
    curves = survival_curves(estimator, X, times, response)
    return curves, "time" if prediction is None else prediction


def _has_order_only(estimator: Any, response: Any) -> bool:
    return response is None and hasattr(estimator, "predict") and not predicts_curves(estimator)


def _check_direction(estimator: Any, response: Any, prediction: str) -> None:
    model = type(estimator).__name__
    if response is not None or not hasattr(estimator, "predict"):
        why = f"{model} has no `predict`" if response is None else "`response=` is asked instead"
        raise ValueError(
            f"prediction={prediction!r} says what predict(X) returns, but {why}; leave it out."
        )


def _predict(estimator: Any, X: Any) -> Any:
    return one_prediction(estimator, X, "the area under the ROC curve", "from_predictions")


def _score_brier(
    y_true: Any, y_pred: Any, times: Any, prediction: str, censoring: Any, sample_weight: Any
) -> tuple[ScoredCurves, CurveEstimate, str, FloatArray]:
    if prediction != "time":
        raise ValueError(
            f"prediction={prediction!r}, but a Brier score needs P(T > times), for which there is "
            "'time' only; score='auc' takes risks."
        )
    read = partial(read_curves, name="y_pred")
    rows = read_scored_curves(
        y_true, y_pred, times, sample_weight, parse=parse_without_entry, read=read
    )
    return rows, *estimate_brier(rows, censoring), marginal_brier(rows, censoring)


def _score_auc(
    y_true: Any, y_pred: Any, times: Any, prediction: str, censoring: Any, sample_weight: Any
) -> tuple[ScoredCurves, CurveEstimate, str, FloatArray]:
    rows = read_dynamic_predictions(y_true, y_pred, times, prediction, sample_weight)
    return rows, *estimate_auc(rows, prediction, censoring), np.full(len(rows.times), 0.5)


# A Brier score of 0 is perfect, but areas are read from one half on, to either side.
_SCORES: dict[str, tuple[Callable[..., Any], str, str, float | None]] = {
    "brier": (_score_brier, "Brier score", "Kaplan-Meier curve", 0.0),
    "auc": (_score_auc, "area under the ROC curve", "no relation", None),
}


def _count_left(rows: ScoredCurves) -> FloatArray:
    """Return the weight of the rows that were followed beyond each time."""
    weight = np.ones(len(rows.target.lower)) if rows.weight is None else rows.weight
    order = np.argsort(rows.target.lower)
    up_to = np.concatenate([[0.0], np.cumsum(weight[order])])
    place = np.searchsorted(rows.target.lower[order], rows.times, side="right")
    return np.asarray(up_to[-1] - up_to[place])


def find_gaps(times: FloatArray, scores: FloatArray) -> list[tuple[float, float]]:
    """Return the stretches without a score: from the time before each to the time after it.

    Parameters
    ----------
    times : ndarray of shape (n_times,)
        Times, ascending.
    scores : ndarray of shape (n_times,)
        Scores, NaN where there is none.

    Returns
    -------
    list of tuple
        Start and end of each stretch.

    Examples
    --------
    >>> find_gaps(np.array([1, 2, 3]), np.array([0.5, np.nan, 0.4])) == [(1, 3)]
    True
    """
    edges = np.diff(np.pad(np.isnan(scores), 1).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [
        (times[max(start - 1, 0)], times[min(end, len(times) - 1)])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
