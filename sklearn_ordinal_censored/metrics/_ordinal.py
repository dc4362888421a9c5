"""Agreement of predicted with true grades, in ranks.

Every metric is a sum over one weighted confusion table: parse the two arrays, form the table,
reduce it. A new metric is a new reduction, not a new loop over rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import rank_distance
from sklearn_ordinal_censored._typing import Average, FloatArray
from sklearn_ordinal_censored.metrics._confusion import read_table
from sklearn_ordinal_censored.targets._inputs import check_number, check_option, preview
from sklearn_ordinal_censored.targets._undefined import replace_undefined


def ordinal_accuracy(
    y_true: Any,
    y_pred: Any,
    *,
    tolerance: float = 0,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of rows predicted within a number of ranks of the truth.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    tolerance : float, default=0
        Largest distance in ranks that counts as right; 1 gives the "off by one" accuracy.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.

    Returns
    -------
    float
        Between 0 and 1; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    mean_absolute_class_error : How far off the predictions are.

    Notes
    -----
    The weighted mean of ``|rank(y_true) - rank(y_pred)| <= tolerance``. With tolerance 0 this is
    plain accuracy, for which a near miss is as wrong as a far one: report it beside a metric that
    knows the distance.

    References
    ----------
    .. [1] L. Gaudette, N. Japkowicz. "Evaluation Methods for Ordinal Classification." Advances in
       Artificial Intelligence, 2009. :doi:`10.1007/978-3-642-01818-3_25`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import ordinal_accuracy
    >>> ordinal_accuracy([0, 1, 2, 3], [0, 2, 2, 1])
    0.5
    >>> ordinal_accuracy([0, 1, 2, 3], [0, 2, 2, 1], tolerance=1)
    0.75
    """
    tolerance = check_number("tolerance", tolerance, minimum=0)
    table, _ = read_table(y_true, y_pred, labels, sample_weight)
    right = table * (rank_distance(len(table)) <= tolerance)  # summed in the order of the whole
    return float(right.sum() / table.sum())


def mean_absolute_class_error(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average | None = "micro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | FloatArray:
    """Mean distance in ranks between predicted and true grades.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    average : {"micro", "macro", "max"} or None, default="micro"
        ``"micro"``: mean over rows. ``"macro"``: mean over the true grades present, each weighing
        the same however rare. ``"max"``: the worst of them. None: one value a grade.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Ranks; 0 is perfect, lower is better. An array only for ``average=None``, where a grade
        without true rows is undefined.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    mean_squared_class_error : Far misses count more.
    quadratic_weighted_kappa : Corrected for chance.

    Notes
    -----
    The mean of ``|rank(y_true) - rank(y_pred)|``, so 10, 20 and 30 are one rank apart when they are
    the three ``labels``. The macro mean [1]_ does not let a frequent grade hide the errors on a
    rare one.

    References
    ----------
    .. [1] S. Baccianella, A. Esuli, F. Sebastiani. "Evaluation Measures for Ordinal Regression."
       ISDA 2009. :doi:`10.1109/ISDA.2009.230`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import mean_absolute_class_error
    >>> y_true, y_pred = [0, 0, 0, 1, 2], [0, 0, 1, 1, 0]
    >>> mean_absolute_class_error(y_true, y_pred)
    0.6
    >>> mean_absolute_class_error(y_true, y_pred, average=None)
    array([0.33333333, 0.        , 2.        ])
    >>> mean_absolute_class_error(y_true, y_pred, average="macro")
    0.7777777777777778
    """
    table, _ = read_table(y_true, y_pred, labels, sample_weight)
    return _class_error(table, 1, average, "mean_absolute_class_error", replace_undefined_by)


def mean_squared_class_error(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average | None = "micro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | FloatArray:
    """Mean squared distance in ranks between predicted and true grades.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    average : {"micro", "macro", "max"} or None, default="micro"
        ``"micro"``: mean over rows. ``"macro"``: mean over the true grades present. ``"max"``: the
        worst of them. None: one value a grade.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Squared ranks; 0 is perfect, lower is better. An array only for ``average=None``, where a
        grade without true rows is undefined.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    mean_absolute_class_error : In plain ranks, easier to explain.

    Notes
    -----
    The mean of ``(rank(y_true) - rank(y_pred)) ** 2``; one miss by three grades weighs as much as
    nine misses by one.

    References
    ----------
    .. [1] L. Gaudette, N. Japkowicz. "Evaluation Methods for Ordinal Classification." Advances in
       Artificial Intelligence, 2009. :doi:`10.1007/978-3-642-01818-3_25`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import mean_squared_class_error
    >>> mean_squared_class_error([0, 0, 0, 1, 2], [0, 0, 1, 1, 0])
    1.0
    """
    table, _ = read_table(y_true, y_pred, labels, sample_weight)
    return _class_error(table, 2, average, "mean_squared_class_error", replace_undefined_by)


def _class_error(
    table: FloatArray, power: int, average: Any, metric: str, replacement: float
) -> float | FloatArray:
    check_option("average", average, ("micro", "macro", "max", None))
    errors = (table * rank_distance(len(table), power)).sum(axis=1)
    margin = table.sum(axis=1)
    if average == "micro":
        return float(errors.sum() / margin.sum())
    present = margin > 0
    if average is None:
        by_class = np.divide(errors, margin, out=np.full(len(table), np.nan), where=present)
        reason = f"no true row has rank {preview(np.flatnonzero(~present))} of the scale"
        return replace_undefined(by_class, metric, reason, replacement)
    by_class = errors[present] / margin[present]
    return float(by_class.mean() if average == "macro" else by_class.max())
