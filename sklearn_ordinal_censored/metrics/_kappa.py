"""Weighted kappa: agreement beyond chance, with any disagreement between grades."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import kappa_of_table
from sklearn_ordinal_censored._typing import FloatArray, Weights
from sklearn_ordinal_censored.metrics._confusion import read_table
from sklearn_ordinal_censored.metrics._disagreement import NO_DISAGREEMENT, read_disagreement
from sklearn_ordinal_censored.targets._undefined import replace_undefined


def weighted_kappa(
    y_true: Any,
    y_pred: Any,
    *,
    weights: Weights = "quadratic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Cohen's weighted kappa: agreement beyond chance, by how far grades differ.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        How much a pair of grades disagrees: the distance in ranks, its square, 1 for any two
        different grades (None), the distance to a power above 0, or a matrix of shape (n_classes,
        n_classes) with true grades in rows, a zero diagonal and no negative entry; it need not be
        symmetric.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        1 for perfect agreement, 0 for the agreement of chance, below 0 for less; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    quadratic_weighted_kappa : The customary weights.
    disagreement_matrix : The matrix behind the names.

    Notes
    -----
    With the observed shares ``O`` of the confusion table, their margins ``r`` and ``c`` and the
    disagreements ``W``, kappa [1]_ is ``1 - sum(W * O) / sum(W * outer(r, c))``.

    Where the expected disagreement is 0, kappa is undefined: for the usual weights when truth and
    prediction are one and the same constant. Any other constant prediction, the middle grade
    included, has a kappa of exactly 0. Quadratic kappa equals Lin's concordance correlation of the
    ranks [2]_, and nearly an intraclass correlation [3]_.

    References
    ----------
    .. [1] J. Cohen. "Weighted Kappa: Nominal Scale Agreement Provision for Scaled Disagreement or
       Partial Credit." Psychological Bulletin 70(4), 1968. :doi:`10.1037/h0026256`
    .. [2] L. I.-K. Lin. "A Concordance Correlation Coefficient to Evaluate Reproducibility."
       Biometrics 45(1), 1989. :doi:`10.2307/2532051`
    .. [3] J. L. Fleiss, J. Cohen. "The Equivalence of Weighted Kappa and the Intraclass Correlation
       Coefficient as Measures of Reliability." Educational and Psychological Measurement 33(3),
       1973. :doi:`10.1177/001316447303300309`

    Examples
    --------
    Observed disagreement 1/4; expected 1/2 * 1/4 + 1/2 * 3/4 = 1/2:

    >>> from sklearn_ordinal_censored.metrics import weighted_kappa
    >>> weighted_kappa([0, 0, 1, 1], [0, 1, 1, 1], weights="linear")
    0.5
    >>> missed_is_worse = [[0, 1], [3, 0]]
    >>> weighted_kappa([0, 0, 1, 1], [0, 1, 1, 1], weights=missed_is_worse)
    0.6666666666666667
    """
    table, scale = read_table(y_true, y_pred, labels, sample_weight)
    return _kappa("weighted_kappa", table, read_disagreement(scale, weights), replace_undefined_by)


def quadratic_weighted_kappa(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Cohen's kappa with quadratic weights (QWK).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        1 for perfect agreement, 0 for the agreement of chance; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    weighted_kappa : Other weights, the formula, and when it is undefined.
    linear_weighted_kappa : Far misses count less.

    References
    ----------
    .. [1] J. Cohen. "Weighted Kappa: Nominal Scale Agreement Provision for Scaled Disagreement or
       Partial Credit." Psychological Bulletin 70(4), 1968. :doi:`10.1037/h0026256`

    Examples
    --------
    Squared distances sum to 1; by chance they would sum to 5, and 1 - 1/5 = 0.8:

    >>> from sklearn_ordinal_censored.metrics import quadratic_weighted_kappa
    >>> quadratic_weighted_kappa([1, 2, 3, 3], [1, 2, 2, 3])
    0.8
    >>> quadratic_weighted_kappa(["low", "high"], ["low", "mid"], labels=["low", "mid", "high"])
    0.6666666666666667
    """
    table, scale = read_table(y_true, y_pred, labels, sample_weight)
    disagreement = read_disagreement(scale, "quadratic")
    return _kappa("quadratic_weighted_kappa", table, disagreement, replace_undefined_by)


def linear_weighted_kappa(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Cohen's kappa with linear weights.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.
    replace_undefined_by : float, default=np.nan
        Value where the metric is 0/0; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    float
        1 for perfect agreement, 0 for the agreement of chance; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    weighted_kappa : Other weights, the formula, and when it is undefined.
    quadratic_weighted_kappa : Far misses count more.

    References
    ----------
    .. [1] D. V. Cicchetti, T. Allison. "A New Procedure for Assessing Reliability of Scoring EEG
       Sleep Recordings." American Journal of EEG Technology 11(3), 1971.
       :doi:`10.1080/00029238.1971.11080840`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import linear_weighted_kappa
    >>> linear_weighted_kappa([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    table, scale = read_table(y_true, y_pred, labels, sample_weight)
    disagreement = read_disagreement(scale, "linear")
    return _kappa("linear_weighted_kappa", table, disagreement, replace_undefined_by)


def _kappa(metric: str, table: FloatArray, disagreement: FloatArray, replacement: float) -> float:
    kappa = kappa_of_table(table, disagreement)
    return float(replace_undefined(kappa, metric, NO_DISAGREEMENT, replacement))
