"""What LightGBM and XGBoost hand over: rows with codes of grades, predictions and weights.

Neither library is imported. Both call a function in two ways: ``(y_true, y_pred, weight)`` from
their scikit-learn interface, ``(predictions, data set)`` from their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._text import short_text
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored.targets._inputs import (
    check_count,
    check_floats,
    check_same_length,
    count_dimensions,
    preview,
)
from sklearn_ordinal_censored.targets._ordinal import MAX_CLASSES, check_scale
from sklearn_ordinal_censored.targets._weights import check_weights


class BoosterRows(NamedTuple):
    """Rows of one call.

    Attributes
    ----------
    truth : ndarray of shape (n_samples,)
        Codes of the true grades, or the grades that a regressor was fitted to.
    predicted : ndarray of shape (n_samples,) or (n_samples, n_classes)
        Probabilities, raw scores or predictions.
    weight : ndarray of shape (n_samples,) or None
        Row weights.

    Examples
    --------
    >>> read_rows([0, 1], [[0.9, 0.1], [0.2, 0.8]]).weight is None
    True
    """

    truth: FloatArray
    predicted: FloatArray
    weight: FloatArray | None


def is_native(data: Any) -> bool:
    """Return whether the second argument of a call is a data set of one of the libraries.

    Parameters
    ----------
    data : object
        A ``Dataset``, a ``DMatrix``, or predictions.

    Returns
    -------
    bool
        Whether labels can be asked of it.

    Examples
    --------
    >>> is_native([0.5])
    False
    """
    return hasattr(data, "get_label")


def read_rows(first: Any, second: Any, sample_weight: Any = None) -> BoosterRows:
    """Read the arguments of a call in either way.

    Parameters
    ----------
    first : array-like
        The true codes, or predictions.
    second : array-like, Dataset or DMatrix
        Predictions, or the data set that knows the true codes and the weights.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, if there is no data set.

    Returns
    -------
    BoosterRows
        The rows, in double precision.

    Examples
    --------
    >>> read_rows([0, 1], [0.5])
    Traceback (most recent call last):
    ValueError: Inputs must have the same length, but y_true has 2 rows, y_pred has 1 rows.
    """
    if is_native(second):
        first, second, sample_weight = second.get_label(), first, second.get_weight()
    if count_dimensions(sample_weight) == 1 and len(sample_weight) == 0:
        sample_weight = None  # how XGBoost says that there are none
    truth = check_floats("y_true", first)
    predicted = check_floats("y_pred", second, ndim=2 if count_dimensions(second) == 2 else 1)
    n_samples = check_same_length(y_true=len(truth), y_pred=len(predicted))
    return BoosterRows(truth, predicted, check_weights(sample_weight, n_samples))


class GradeCodes(NamedTuple):
    """A scale, and where on it each code of a classifier stands.

    Attributes
    ----------
    labels : ndarray of shape (n_classes,)
        The scale, lowest grade first.
    ranks : ndarray of shape (n_classes,)
        Rank of every code. Classifiers number the grades in sorted order.

    Examples
    --------
    >>> codes = grade_codes(["low", "mid", "high"], None)
    >>> codes.ranks  # 0 is "high", 1 is "low", 2 is "mid"
    array([2, 0, 1])
    >>> codes.by_rank(np.array([[0.7, 0.2, 0.1]]))
    array([[0.2, 0.1, 0.7]])
    """

    labels: AnyArray
    ranks: IntArray

    def by_rank(self, columns: FloatArray) -> FloatArray:
        """Return columns of codes in the order of the scale.

        Parameters
        ----------
        columns : ndarray of shape (n_samples, n_classes)
            One column a code.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column a grade.
        """
        return np.take(columns, np.argsort(self.ranks), axis=1)

    def by_code(self, columns: FloatArray) -> FloatArray:
        """Return columns of the scale in the order of the codes.

        Parameters
        ----------
        columns : ndarray of shape (n_samples, n_classes)
            One column a grade.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column a code.
        """
        return np.take(columns, self.ranks, axis=1)

    def ranks_of_codes(self, truth: FloatArray) -> IntArray:
        """Return the rank of every row whose target is a code.

        Parameters
        ----------
        truth : ndarray of shape (n_samples,)
            Codes from 0 to ``n_classes - 1``.

        Returns
        -------
        ndarray of shape (n_samples,)
            Ranks.
        """
        n_classes = len(self.labels)
        stray = truth[~np.isin(truth, np.arange(n_classes))]
        if stray.size:
            raise ValueError(
                f"y_true holds {preview(stray)}, but the codes of {n_classes} grades are 0 to "
                f"{n_classes - 1}, in the sorted order of the grades. Number the grades so, for a "
                "regressor of two grades as well; "
                "LGBMClassifier does it by itself, but not for `eval_y` (LightGBM 4.7.0): pass "
                "`eval_set` there."
            )
        return np.asarray(self.ranks[truth.astype(np.intp)])

    def ranks_of_targets(self, truth: FloatArray) -> IntArray:
        """Return the rank of every row whose target is a number that a regressor was fitted to.

        Parameters
        ----------
        truth : ndarray of shape (n_samples,)
            Grades if the scale has numbers, else ranks.

        Returns
        -------
        ndarray of shape (n_samples,)
            Ranks.
        """
        grades = self._targets()
        place = np.searchsorted(grades, truth).clip(0, len(grades) - 1)
        stray = truth[grades[place] != truth]
        if stray.size:
            raise ValueError(
                f"y_true holds {preview(stray)}, but the targets of a regressor are "
                f"{preview(grades)} by `labels` or `n_classes`. Fit it to these, or mend `labels`."
            )
        return place

    def refuse_predicted_codes(self, scores: FloatArray) -> None:
        """Refuse codes of classes where the scores of a regressor are expected.

        Parameters
        ----------
        scores : ndarray of shape (n_samples,)
            Predictions. Whole numbers are no scores, and codes are no ranks, unless the grades are
            their own codes.
        """
        n_classes = len(self.labels)
        are_codes = np.isin(scores, np.arange(n_classes)).all()
        if are_codes and not np.array_equal(self.labels, np.arange(n_classes)):
            raise ValueError(
                f"y_pred holds whole numbers, {preview(scores)}, as objective='multi:softmax' of "
                "XGBoost predicts them, and codes of classes cannot be told from scores. Take "
                "'multi:softprob', which predicts probabilities."
            )

    def ranks_of_scores(self, scores: FloatArray) -> IntArray:
        """Return the rank of every score, cut half-way between the targets of a regressor.

        Parameters
        ----------
        scores : ndarray of shape (n_samples,)
            Predictions of the regressor.

        Returns
        -------
        ndarray of shape (n_samples,)
            Ranks; a score equal to a cut point belongs to the upper grade.
        """
        grades = self._targets()
        return np.searchsorted((grades[1:] + grades[:-1]) / 2, scores, side="right")

    def _targets(self) -> FloatArray:
        if self.labels.dtype.kind not in "iuf":
            return np.arange(len(self.labels), dtype=np.float64)
        # The libraries store targets in single precision.
        targets = self.labels.astype(np.float32).astype(np.float64)
        if (np.diff(targets) <= 0).any():
            raise ValueError(
                f"labels={self.labels.tolist()} does not increase, so that scores of a regressor "
                "cannot be cut half-way between grades. Fit the regressor to the ranks 0 to "
                f"{len(targets) - 1}, and pass n_classes={len(targets)} in place of `labels`."
            )
        return targets


def grade_codes(labels: ArrayLike | None, n_classes: int | None) -> GradeCodes | None:
    """Return the codes of a scale that the user gave, None if nothing was given.

    Parameters
    ----------
    labels : array-like of shape (n_classes,) or None
        The grades from lowest to highest.
    n_classes : int or None
        Their number, if the grades are the codes themselves.

    Returns
    -------
    GradeCodes or None
        At least two grades.

    Examples
    --------
    >>> grade_codes(None, 3).labels
    array([0, 1, 2])
    """
    if n_classes is not None:
        n_classes = check_count("n_classes", n_classes, minimum=2, maximum=MAX_CLASSES)
    if labels is None:
        return None if n_classes is None else codes_themselves(n_classes)
    scale = check_scale(labels)
    if len(scale) < 2 or n_classes not in (None, len(scale)):
        raise ValueError(
            f"labels={scale.tolist()} has {len(scale)} grade(s), n_classes={n_classes}: list two "
            "grades at least, and leave out n_classes."
        )
    return GradeCodes(scale, np.argsort(scale, kind="stable"))


def codes_themselves(n_classes: int) -> GradeCodes:
    """Return the scale of grades that are their own codes.

    Parameters
    ----------
    n_classes : int
        Number of grades.

    Returns
    -------
    GradeCodes
        Labels from 0 to ``n_classes - 1``.

    Examples
    --------
    >>> codes_themselves(2).ranks
    array([0, 1])
    """
    return GradeCodes(np.arange(n_classes), np.arange(n_classes))


def match_codes(known: GradeCodes | None, predicted: FloatArray) -> GradeCodes:
    """Return the codes behind predictions.

    Parameters
    ----------
    known : GradeCodes or None
        The scale that the user gave.
    predicted : ndarray of shape (n_samples,) or (n_samples, n_classes)
        Without a given scale the columns say how many grades there are.

    Returns
    -------
    GradeCodes
        As many as there are columns, if there are columns.

    Examples
    --------
    >>> match_codes(None, np.zeros((1, 3))).labels
    array([0, 1, 2])
    """
    if predicted.ndim == 1:
        if known is None:
            raise ValueError(
                "y_pred has one number a row, which does not tell how many grades there are: pass "
                "`labels` or `n_classes` (2 for a classifier of two grades)."
            )
        return known
    n_columns = predicted.shape[1]
    if n_columns < 2 or (known is not None and len(known.labels) != n_columns):
        scale = "two at least" if known is None else known.labels.tolist()
        raise ValueError(
            f"y_pred has {n_columns} column(s), but the grades are {scale}: a classifier has one "
            "column for every grade that it was trained on. Train it on rows of every grade, or "
            "mend `labels`."
        )
    return known if known is not None else codes_themselves(n_columns)


class BoosterFunction:
    """A function for both interfaces of a library that can be copied, pickled and read.

    It is no scikit-learn estimator on purpose: the libraries would take its parameters for their
    own.

    Parameters
    ----------
    factory : str
        Name of the public function that makes it.
    name : str
        What the library calls it.
    **arguments : object
        The arguments of the factory.

    Examples
    --------
    >>> BoosterFunction("lightgbm_metric", "ordinal_accuracy", metric="ordinal_accuracy")
    lightgbm_metric(metric='ordinal_accuracy')
    """

    def __init__(self, factory: str, name: str, **arguments: Any) -> None:
        self.__name__ = name
        self.factory = factory
        # What the caller changes later must change nothing.
        self.arguments = {key: _copied(key, value) for key, value in arguments.items()}

    def __repr__(self) -> str:
        return f"{self.factory}({_arguments_as_text(self.arguments)})"


def _copied(name: str, value: Any) -> Any:
    try:
        return deepcopy(value)
    except TypeError as error:  # a generator, an open file
        raise ValueError(f"{name}={value!r} cannot be copied ({error}); give a list.") from error


def _arguments_as_text(arguments: Mapping[str, Any]) -> str:
    given = [(k, v) for k, v in arguments.items() if v is not None or k == "weights"]
    return ", ".join(f"{name}={_as_text(value)}" for name, value in given)


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, (str, int, float, dict)):
        return repr(value)
    array = np.asarray(value)
    if array.ndim > 1:
        return f"<matrix of shape {array.shape}>"
    return short_text(array.tolist())
