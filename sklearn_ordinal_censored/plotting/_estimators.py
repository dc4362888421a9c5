"""What displays ask of a fitted estimator beyond its responses."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal_censored._response import scale_of
from sklearn_ordinal_censored._typing import AnyArray


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
