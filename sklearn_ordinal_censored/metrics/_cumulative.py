"""The cumulative view: one binary problem "above grade k" for every cut point of the scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import cumulative_counts
from sklearn_ordinal_censored._kernels.probability import area_under_curve, threshold_losses
from sklearn_ordinal_censored._typing import Average, FloatArray
from sklearn_ordinal_censored.metrics._confusion import read_table
from sklearn_ordinal_censored.metrics._graded_rows import read_probabilities, read_rankings
from sklearn_ordinal_censored.targets._inputs import check_option, preview
from sklearn_ordinal_censored.targets._probabilities import exceedance_of
from sklearn_ordinal_censored.targets._undefined import replace_undefined

Measure: TypeAlias = Callable[[Any, Any, Any, Any], Any]


def cumulative_scores(
    y_true: Any,
    y_pred: Any,
    *,
    measure: str | Measure = "recall",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | FloatArray:
    """Score "above grade k" as a binary problem at every cut point of the scale.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    measure : str or callable, default="recall"
        ``"recall"``, ``"precision"``, ``"specificity"``, ``"f1"``, ``"accuracy"``,
        ``"balanced_accuracy"``, or a function ``f(tn, fp, fn, tp)`` of the four weighted counts.
    average : {"macro", "micro"} or None, default="macro"
        ``"macro"``: mean over the cut points. ``"micro"``: the measure of the counts summed over
        the cut points. None: one value a cut point.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.
        At one cut point only, NaN is left out of the macro mean, another value takes part in it.
        A scale of one grade has no cut point: its mean is undefined, its array empty.

    Returns
    -------
    float or ndarray of shape (n_classes - 1,)
        Higher is better for the named measures. An array only for ``average=None``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    ordinal_accuracy : One number that ignores where on the scale errors happen.

    Notes
    -----
    At cut point ``k`` the positive class is "rank above ``k``". A prediction one grade off is wrong
    at one cut point and right at the others, so near misses get partial credit, and the values show
    where on the scale a model is weak.

    References
    ----------
    .. [1] E. Frank, M. Hall. "A Simple Approach to Ordinal Classification." ECML 2001.
       :doi:`10.1007/3-540-44795-4_13`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import cumulative_scores
    >>> y_true, y_pred = [0, 1, 2, 2], [0, 1, 1, 2]
    >>> cumulative_scores(y_true, y_pred, average=None)
    array([1. , 0.5])
    >>> cumulative_scores(y_true, y_pred)
    0.75
    >>> cumulative_scores(y_true, y_pred, average="micro")
    0.8
    """
    check_option("average", average, ("macro", "micro", None))
    if not callable(measure):
        check_option("measure", measure, tuple(_MEASURES))
        measure = _MEASURES[measure]
    table, _ = read_table(y_true, y_pred, labels, sample_weight)
    counts = cumulative_counts(table)
    if average == "micro" and counts.size:
        counts = counts.sum(axis=1, keepdims=True)
    values = _evaluate(measure, counts)
    return _reduce(values, average, "cumulative_scores", replace_undefined_by)


def cumulative_auc(
    y_true: Any,
    y_score: ArrayLike,
    *,
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | FloatArray:
    """Area under the ROC curve of "above grade k" at every cut point of the scale.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        One score a row, larger for higher grades, which serves every cut point; or class
        probabilities with columns in the order of the scale, which rank the rows by ``P(y > k)``.
    average : {"macro"} or None, default="macro"
        ``"macro"``: mean over the cut points. None: one value a cut point.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.
        At one cut point only, NaN is left out of the macro mean, another value takes part in it.
        A scale of one grade has no cut point: its mean is undefined, its array empty.

    Returns
    -------
    float or ndarray of shape (n_classes - 1,)
        0.5 for no relation, 1 for a perfect order; higher is better. An array only for
        ``average=None``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    ordinal_concordance_index : All pairs of different grades at once.
    cumulative_brier : Whether the probabilities are right, not only their order.

    Notes
    -----
    At cut point ``k`` the share of the pairs of one row above and one not above grade ``k`` that
    the score puts in order, ties counting one half [1]_. A cut point with no row on one side has no
    value. Odds that differ by rounding alone (ten decimals of the log odds) are ties.

    References
    ----------
    .. [1] J. A. Hanley, B. J. McNeil. "The Meaning and Use of the Area under a Receiver Operating
       Characteristic (ROC) Curve." Radiology 143(1), 1982. :doi:`10.1148/radiology.143.1.7063747`

    Examples
    --------
    Above 0 both pairs are in order; above 1 the pair (1, 2) is not:

    >>> from sklearn_ordinal_censored.metrics import cumulative_auc
    >>> cumulative_auc([0, 1, 2], [0.1, 0.9, 0.5], average=None)
    array([1. , 0.5])
    >>> cumulative_auc([0, 1, 2], [0.1, 0.9, 0.5])
    0.75
    """
    check_option("average", average, ("macro", None))
    rows = read_rankings(y_true, y_score, labels, sample_weight)
    areas = [
        area_under_curve(rows.codes > cut, score, rows.unit_weight)
        for cut, score in enumerate(rows.predicted.T)
    ]
    return _reduce(np.array(areas), average, "cumulative_auc", replace_undefined_by)


def cumulative_brier(
    y_true: Any,
    y_proba: ArrayLike,
    *,
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | FloatArray:
    """Brier score of "above grade k" at every cut point of the scale.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Class probabilities, columns in the order of the scale, rows summing to one (within 1e-6).
        With two grades one column will do: the probability of the upper one.
    average : {"macro"} or None, default="macro"
        ``"macro"``: mean over the cut points, the normalised ranked probability score if there are
        any. None: one value a cut point.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value of the mean for a scale of one grade, which has no cut point; NaN comes with an
        ``UndefinedMetricWarning``. With ``average=None`` the array is empty.

    Returns
    -------
    float or ndarray of shape (n_classes - 1,)
        Between 0 and 1; lower is better. An array only for ``average=None``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    ranked_probability_score : Their mean, or their sum.

    Notes
    -----
    At cut point ``k`` the mean of ``(P(y > k) - 1{y > k})^2`` [1]_. The values show where on the
    scale the probabilities are off.

    References
    ----------
    .. [1] G. W. Brier. "Verification of Forecasts Expressed in Terms of Probability." Monthly
       Weather Review 78(1), 1950. :doi:`10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import cumulative_brier
    >>> cumulative_brier([0, 2], [[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]], average=None)
    array([0.125  , 0.03125])
    """
    check_option("average", average, ("macro", None))
    rows = read_probabilities(y_true, y_proba, labels, sample_weight)
    losses = rows.average(threshold_losses(rows.codes, exceedance_of(rows.predicted)))
    return _reduce(losses, average, "cumulative_brier", replace_undefined_by)


def _reduce(
    values: FloatArray, average: Average | None, metric: str, replacement: float
) -> float | FloatArray:
    empty = preview(np.flatnonzero(np.isnan(values)))
    reason = f"the measure has no value at cut point {empty} (counted from 0)"
    if average == "micro":
        reason = "the measure of the summed counts has no value"
    if values.size == 0 and average is not None:
        values, reason = np.array([np.nan]), "the scale has one grade and no cut point"
    values = replace_undefined(values, metric, reason, replacement)
    if average is None:
        return values
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else float("nan")


def _evaluate(measure: Measure, counts: FloatArray) -> FloatArray:
    # NumPy scalars turn 0/0 into nan, where Python floats raise; both count as undefined.
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.array([measure(*column) for column in counts.T], dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(
            f"measure must return one number a cut point, not shape {values.shape[1:]}."
        )
    return np.where(np.isfinite(values), values, np.nan)


def _recall(tn: Any, fp: Any, fn: Any, tp: Any) -> Any:
    return tp / (tp + fn)


def _specificity(tn: Any, fp: Any, fn: Any, tp: Any) -> Any:
    return tn / (tn + fp)


_MEASURES: dict[str, Measure] = {
    "recall": _recall,
    "precision": lambda tn, fp, fn, tp: tp / (tp + fp),
    "specificity": _specificity,
    "f1": lambda tn, fp, fn, tp: 2 * tp / (2 * tp + fp + fn),
    "accuracy": lambda tn, fp, fn, tp: (tp + tn) / (tp + tn + fp + fn),
    "balanced_accuracy": lambda *counts: (_recall(*counts) + _specificity(*counts)) / 2,
}
