"""The door of every label metric: two arrays in, one weighted confusion table out."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import confusion_table
from sklearn_ordinal_censored._typing import AnyArray, FloatArray
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal_pair


def read_table(
    y_true: Any,
    y_pred: Any,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[FloatArray, AnyArray]:
    """Return the weighted confusion table of two arrays of grades, and its scale.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Grades.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights.

    Returns
    -------
    table : ndarray of shape (n_classes, n_classes)
        Rows are true grades, columns predicted ones, in the order of the scale.
    labels : ndarray of shape (n_classes,)
        The scale.

    Examples
    --------
    >>> read_table(["low", "high"], ["low", "low"], labels=["low", "high"])[0]
    array([[1., 0.],
           [1., 0.]])
    """
    pair = parse_ordinal_pair(y_true, y_pred, labels, sample_weight)
    return confusion_table(pair.true, pair.pred, len(pair.labels), pair.weight), pair.labels
