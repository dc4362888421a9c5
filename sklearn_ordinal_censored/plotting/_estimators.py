"""What displays ask of a fitted estimator beyond its responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal_censored._response import predicts_curves, scale_of, survival_curves
from sklearn_ordinal_censored._typing import AnyArray
from sklearn_ordinal_censored.metrics._censored_scorer import one_prediction, predicted_direction


def last_step(estimator: Any, X: Any) -> tuple[Any, Any]:
    """Return the last step of a search or pipeline, and the rows as it sees them.

    Parameters
    ----------
    estimator : fitted estimator
        Perhaps inside a pipeline or a search.
    X : array-like of shape (n_samples, n_features)
        Rows.

    Returns
    -------
    estimator : fitted estimator
        The last step.
    X : array-like of shape (n_samples, n_features)
        The rows, transformed by the steps before it.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X = [[1.0], [3.0]]
    >>> pipeline = make_pipeline(StandardScaler(), LinearRegression()).fit(X, [0, 1])
    >>> last_step(pipeline, X)[1].tolist()
    [[-1.0], [1.0]]
    """
    if hasattr(estimator, "best_estimator_"):
        return last_step(estimator.best_estimator_, X)
    if hasattr(estimator, "steps"):
        rows = estimator[:-1].transform(X) if len(estimator) > 1 else X
        return last_step(estimator[-1], rows)
    return estimator, X


def known_scale(estimator: Any, y_true: Any, labels: ArrayLike | None) -> AnyArray:
    """Return the scale: the caller's, the one that the estimator was fitted with, or the common.

    Parameters
    ----------
    estimator : fitted estimator
        ``ordered_classes_`` at its end are its scale.
    y_true : array-like of shape (n_samples,)
        Grades.
    labels : array-like of shape (n_classes,) or None
        The grades from lowest to highest.

    Returns
    -------
    ndarray of shape (n_classes,)
        The scale.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> known_scale(DummyClassifier().fit([[0], [0]], [1, 3]), [2, 2], None)
    array([1, 2, 3])
    """
    if labels is None:
        labels = _own_scale(estimator)
    return scale_of(estimator, y_true, labels)


def _own_scale(estimator: Any) -> ArrayLike | None:
    if hasattr(estimator, "best_estimator_"):
        return _own_scale(estimator.best_estimator_)
    if hasattr(estimator, "steps"):
        return _own_scale(estimator.steps[-1][1])
    scale: ArrayLike | None = getattr(estimator, "ordered_classes_", None)
    return scale


def curves_or_order(
    estimator: Any,
    X: Any,
    times: Any,
    response: Callable[..., Any] | None = None,
    prediction: str | None = None,
) -> tuple[Any, str]:
    """Return survival curves, or the times or risks of an estimator that has none.

    Parameters
    ----------
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
        Whether larger means later or earlier, as scorers read it from the estimator.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> curves_or_order(DummyRegressor().fit([[0]], [2]), [[0], [0]], [1])
    (array([2., 2.]), 'time')
    """
    if response is not None and prediction is not None:
        raise ValueError(
            f"prediction={prediction!r} says what predict(X) returns, which is not asked beside "
            "`response=`; leave one of the two out."
        )
    if prediction is None and not _has_order_only(estimator, response):
        return survival_curves(estimator, X, times, response), "time"
    predicted = one_prediction(estimator, X, "the area under the ROC curve", "from_predictions")
    return predicted, prediction or predicted_direction(estimator)


def curves_only(
    estimator: Any, X: Any, times: Any, response: Callable[..., Any] | None = None
) -> Any:
    """Return survival curves, which a Brier score needs.

    Parameters
    ----------
    estimator : fitted estimator
        Perhaps inside a pipeline or a search.
    X : array-like of shape (n_samples, n_features)
        Rows.
    times : array-like of shape (n_times,)
        The times of the curves.
    response : callable or None, default=None
        ``response(estimator, X, times)``, which returns P(T > times).

    Returns
    -------
    object
        Curves.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> curves_only(DummyRegressor(), [[0]], [1])
    Traceback (most recent call last):
    ValueError: DummyRegressor predicts no survival curves, which a Brier score needs. Give ...
    """
    if _has_order_only(estimator, response):
        raise ValueError(
            f"{type(estimator).__name__} predicts no survival curves, which a Brier score needs. "
            "Give score='auc', which takes predicted times and risks, or `response=`, a function "
            "(estimator, X, times) that returns P(T > times)."
        )
    return survival_curves(estimator, X, times, response)


def _has_order_only(estimator: Any, response: Any) -> bool:
    return response is None and hasattr(estimator, "predict") and not predicts_curves(estimator)
