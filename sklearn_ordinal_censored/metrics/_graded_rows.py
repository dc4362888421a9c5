"""The door of metrics that read probabilities or scores: grades, one or more numbers, weights.

Unlike predicted grades these cannot be reduced to one table, so the rows themselves are kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored.targets._inputs import (
    check_floats,
    check_same_length,
    count_dimensions,
)
from sklearn_ordinal_censored.targets._matrices import check_names
from sklearn_ordinal_censored.targets._ordinal import parse_ordinal_columns
from sklearn_ordinal_censored.targets._probabilities import check_class_probs, log_odds_of
from sklearn_ordinal_censored.targets._weights import scale_weights


class GradedRows(NamedTuple):
    """Rows of positive weight with a true rank and what was predicted for them.

    Attributes
    ----------
    codes : ndarray of shape (n_samples,)
        Rank of the true grade.
    labels : ndarray of shape (n_classes,)
        The scale.
    predicted : ndarray of shape (n_samples, ...)
        Class probabilities, or scores.
    weight : ndarray of shape (n_samples,) or None
        Row weights, up to a common factor.

    Examples
    --------
    >>> read_probabilities([0, 1], [0.2, 0.7]).predicted
    array([[0.8, 0.2],
           [0.3, 0.7]])
    """

    codes: IntArray
    labels: AnyArray
    predicted: FloatArray
    weight: FloatArray | None

    @property
    def unit_weight(self) -> FloatArray | None:
        """Row weights with a sum between one half and one, for ratios of sums.

        Returns
        -------
        ndarray of shape (n_samples,) or None
            The weights up to a power of two.
        """
        return None if self.weight is None else scale_weights(self.weight)

    def average(self, values: FloatArray) -> Any:
        """Return the weighted mean over the rows.

        Parameters
        ----------
        values : ndarray of shape (n_samples, ...)
            One value a row, or one row of values.

        Returns
        -------
        float or ndarray
            The mean.
        """
        if self.weight is None:
            return values.mean(axis=0)  # np.average divides by the number of columns, maybe 0
        return np.average(values, axis=0, weights=self.unit_weight)


def read_probabilities(
    y_true: Any,
    y_proba: Any,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    name: str = "y_proba",
) -> GradedRows:
    """Read grades with the probabilities of all grades of their scale.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Grades.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Columns in the order of the scale. With two grades one column will do: the probability of
        the upper one.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights.
    name : str, default="y_proba"
        What the metric calls the probabilities, for messages.

    Returns
    -------
    GradedRows
        The rows of positive weight.

    Examples
    --------
    >>> read_probabilities([0, 1], [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]])
    Traceback (most recent call last):
    ValueError: y_proba has 3 columns, but the scale has 2 grades, [0, 1]: ...
    """
    one_column = count_dimensions(y_proba) == 1
    proba = check_floats(name, y_proba, ndim=1 if one_column else 2)
    rows = _read(y_true, name, proba, labels, sample_weight)
    if one_column and len(rows.labels) == 2:
        check_class_probs(name, np.column_stack([1 - proba, proba]))
        return rows._replace(predicted=np.column_stack([1 - rows.predicted, rows.predicted]))
    n_columns = 1 if one_column else proba.shape[1]
    if one_column or n_columns != len(rows.labels):
        raise ValueError(
            f"{name} has {n_columns} column{'s' * (n_columns != 1)}, but the scale has "
            f"{len(rows.labels)} grades, {rows.labels.tolist()}: give one column a grade, and pass "
            "`labels` if grades are missing from the data."
        )
    check_names(name, y_proba, rows.labels, ["columns"])
    check_class_probs(name, proba)
    return rows


def read_scores(
    y_true: Any,
    y_score: Any,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> GradedRows:
    """Read grades with one score a row, larger for higher grades.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Grades.
    y_score : array-like of shape (n_samples,)
        Finite numbers.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights.

    Returns
    -------
    GradedRows
        The rows of positive weight.

    Examples
    --------
    >>> read_scores([0, 1], [0.5, 3], sample_weight=[0, 1]).predicted
    array([3.])
    """
    return _read(y_true, "y_score", check_floats("y_score", y_score), labels, sample_weight)


def read_rankings(
    y_true: Any,
    y_score: Any,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> GradedRows:
    """Read grades with a score for "above grade k" at every cut point.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Grades.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        One score, which serves every cut point, or class probabilities, which give log odds.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights.

    Returns
    -------
    GradedRows
        With scores of shape (n_samples, n_classes - 1).

    Examples
    --------
    >>> read_rankings([0, 1, 2], [0.5, 3, 1]).predicted
    array([[0.5, 0.5],
           [3. , 3. ],
           [1. , 1. ]])
    """
    if count_dimensions(y_score) == 1:
        rows = read_scores(y_true, y_score, labels, sample_weight)
        n_cuts = len(rows.labels) - 1
        return rows._replace(predicted=np.repeat(rows.predicted[:, np.newaxis], n_cuts, axis=1))
    rows = read_probabilities(y_true, y_score, labels, sample_weight, name="y_score")
    return rows._replace(predicted=log_odds_of(rows.predicted))


def _read(
    y_true: Any,
    name: str,
    predicted: FloatArray,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> GradedRows:
    (codes,), scale, weight = parse_ordinal_columns({"y_true": y_true}, labels, sample_weight)
    if weight is None:
        check_same_length(y_true=len(codes), **{name: len(predicted)})
        return GradedRows(codes, scale, predicted, None)
    counts = np.asarray(sample_weight) > 0
    check_same_length(y_true=len(counts), **{name: len(predicted)})
    return GradedRows(codes, scale, predicted[counts], weight)
