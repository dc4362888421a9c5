"""Predicted probabilities and scores of grades.

A target with K grades is read as the K - 1 binary events "y is above grade k", or as one soft
confusion table. Columns follow the scale, not the alphabet: the scorers of
:func:`~sklearn_ordinal_censored.metrics.get_scorer` put those of a classifier in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import kappa_of_table
from sklearn_ordinal_censored._kernels.probability import soft_table, threshold_losses
from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import CensoredTarget, Weights
from sklearn_ordinal_censored.metrics._comparable import ScoredTarget, sum_pairs
from sklearn_ordinal_censored.metrics._disagreement import (
    NO_DISAGREEMENT,
    read_costs,
    read_disagreement,
)
from sklearn_ordinal_censored.metrics._graded_rows import read_probabilities, read_scores
from sklearn_ordinal_censored.targets._inputs import check_flag, check_number, preview
from sklearn_ordinal_censored.targets._probabilities import exceedance_of
from sklearn_ordinal_censored.targets._undefined import replace_undefined

_MOST = 1e300  # a factor of log probabilities, which are below 1000


def ranked_probability_score(
    y_true: Any,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the ranked probability score: squared error of the cumulative probabilities.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Class probabilities, columns in the order of the scale, rows summing to one (within 1e-6).
        With two grades one column will do: the probability of the upper one.
    normalize : bool, default=True
        Whether to divide the sum over the cut points by their number, ``n_classes - 1``, so that
        scales of different lengths compare and two grades give the Brier score.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.

    Returns
    -------
    float
        0 for certain and right predictions, 1 for certain ones at the wrong end of the scale;
        lower is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    cumulative_brier : One value a cut point.
    soft_weighted_kappa : Corrected for chance.

    Notes
    -----
    The mean over rows of ``sum_k (P(y <= k) - 1{y <= k})^2`` over the ``n_classes - 1`` cut points
    [1]_. It is proper: nothing but the true probabilities minimises its expectation. With one grade
    it is 0.

    References
    ----------
    .. [1] E. S. Epstein. "A Scoring System for Probability Forecasts of Ranked Categories." Journal
       of Applied Meteorology 8(6), 1969.
       :doi:`10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2`

    Examples
    --------
    The errors at the two cut points are 0.3 and 0.1, then 0.1 and 0.3:

    >>> from sklearn_ordinal_censored.metrics import ranked_probability_score
    >>> proba = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]]
    >>> round(ranked_probability_score([1, 2], proba, labels=[1, 2, 3]), 6)
    0.05
    >>> round(ranked_probability_score([1, 2], proba, labels=[1, 2, 3], normalize=False), 6)
    0.1
    """
    check_flag("normalize", normalize)
    rows = read_probabilities(y_true, y_proba, labels, sample_weight)
    losses = threshold_losses(rows.codes, exceedance_of(rows.predicted))
    total = float(rows.average(losses.sum(axis=1)))
    return total / max(losses.shape[1], 1) if normalize else total


def soft_weighted_kappa(
    y_true: Any,
    y_proba: ArrayLike,
    *,
    weights: Weights = "quadratic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the weighted kappa of probabilities: every row is shared among the grades.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Class probabilities, columns in the order of the scale, rows summing to one (within 1e-6).
        With two grades one column will do: the probability of the upper one.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        How much a pair of grades disagrees, as in :func:`weighted_kappa`.
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
        1 for certain and right predictions, 0 for the agreement of chance; higher is better. Equal
        to :func:`weighted_kappa` where every row is certain.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    weighted_kappa : Of grades.
    ranked_probability_score : A proper score.

    Notes
    -----
    Kappa of the table whose entry ``[j, k]`` is the sum of ``P(y = k)`` over the rows of true grade
    ``j`` [1]_. It is differentiable, hence of use as an objective, but it is not proper: more
    extreme probabilities than the true ones score higher. Predictions that are the same for every
    row have a kappa of exactly 0.

    References
    ----------
    .. [1] J. de la Torre, D. Puig, A. Valls. "Weighted Kappa Loss Function for Multi-Class
       Classification of Ordinal Data in Deep Learning." Pattern Recognition Letters 105, 2018.
       :doi:`10.1016/j.patrec.2017.05.018`

    Examples
    --------
    Observed disagreement (0 + 1/2)/2; by chance 1/4 * 1/2 + 3/4 * 1/2:

    >>> from sklearn_ordinal_censored.metrics import soft_weighted_kappa
    >>> soft_weighted_kappa([0, 1], [[0.5, 0.5], [0.0, 1.0]])
    0.5
    """
    rows = read_probabilities(y_true, y_proba, labels, sample_weight)
    disagreement = read_disagreement(rows.labels, weights)
    table = soft_table(rows.codes, rows.predicted, rows.unit_weight)
    is_constant = bool((rows.predicted == rows.predicted[0]).all())
    kappa = kappa_of_table(table, disagreement, is_constant)
    name = "soft_weighted_kappa"
    return float(replace_undefined(kappa, name, NO_DISAGREEMENT, replace_undefined_by))


def cost_weighted_log_loss(
    y_true: Any,
    y_proba: ArrayLike,
    *,
    cost_matrix: ArrayLike | None = None,
    alpha: float = 0.5,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the log loss with errors weighted by what they cost.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Class probabilities, columns in the order of the scale, rows summing to one (within 1e-6).
        With two grades one column will do: the probability of the upper one.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Entry ``[j, k]`` weighs the error of finding the ``k``-th grade most probable when the
        ``j``-th is true; not negative, and taken as it is. By default the quadratic
        :func:`disagreement_matrix`, whose largest entry is 1.
    alpha : float, default=0.5
        How much the costs count; 0 gives the plain log loss.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.

    Returns
    -------
    float
        In nats; 0 is perfect, lower is better. Infinite where a true grade was given probability 0:
        nothing is clipped.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    ranked_probability_score : Proper, and knows the distance.
    sklearn.metrics.log_loss : The plain log loss.

    Notes
    -----
    The weighted mean of ``-log p[y] * (1 + alpha * W[y, argmax p])``, the lowest grade at a tie.
    Neither this nor any loss that depends on the most probable grade is proper for ``alpha > 0``.

    Examples
    --------
    The second row finds grade 0 most probable, two grades off: log 2, and 2 log 2 times 1.5.

    >>> from math import log
    >>> from sklearn_ordinal_censored.metrics import cost_weighted_log_loss
    >>> loss = cost_weighted_log_loss([0, 2], [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]])
    >>> round(loss / log(2), 6)
    2.0
    """
    alpha = check_number("alpha", alpha, minimum=0)
    rows = read_probabilities(y_true, y_proba, labels, sample_weight)
    cost = read_costs(rows.labels, cost_matrix)
    with np.errstate(over="ignore"):
        penalty = 1 + alpha * cost[rows.codes, rows.predicted.argmax(axis=1)]
    if penalty.max() > _MOST:
        raise ValueError(
            f"alpha={alpha} and cost_matrix give a factor of {penalty.max()}; it must not exceed "
            f"{_MOST:g}: take a smaller alpha, or scale cost_matrix."
        )
    # Rounding may take a probability below 0 or above 1.
    proba = rows.predicted[np.arange(len(rows.codes)), rows.codes].clip(0, 1)
    with np.errstate(divide="ignore"):
        log_proba = np.log(proba)
    return float(rows.average(-log_proba * penalty)) + 0.0  # no minus zero


def ordinal_concordance_index(
    y_true: Any,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Share of the pairs of different grades that a score puts in the right order.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_score : array-like of shape (n_samples,)
        Finite scores, larger for higher grades.
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
        1 for the right order throughout, 0.5 for no relation, 0 for the reverse; higher is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    cumulative_auc : One value a cut point.
    concordance_index : For censored times.

    Notes
    -----
    Pairs of equal grades do not count, equal scores count one half. With two grades it is the area
    under the ROC curve; in general ``2 C - 1`` is Somers' D of the score given the grades [1]_. It
    judges the order alone, so cut points and calibration are out of account. The cost is
    O(n log n).

    References
    ----------
    .. [1] R. H. Somers. "A New Asymmetric Measure of Association for Ordinal Variables." American
       Sociological Review 27(6), 1962. :doi:`10.2307/2090408`

    Examples
    --------
    Of the three pairs two are in order:

    >>> from sklearn_ordinal_censored.metrics import ordinal_concordance_index
    >>> ordinal_concordance_index([0, 1, 2], [0.1, 0.9, 0.5])
    0.6666666666666666
    """
    rows = read_scores(y_true, y_score, labels, sample_weight)
    grade = rows.codes.astype(np.float64)
    stratum = np.zeros(len(grade), dtype=np.intp)
    exact = ScoredTarget(
        CensoredTarget(grade, grade), dense_rank(rows.predicted), stratum, rows.weight
    )
    pairs = sum_pairs(exact)
    value = pairs.concordance(exact.own_weight(pairs.rows))
    reason = f"every row has the same grade, {preview(rows.labels[rows.codes[:1]])}"
    return float(
        replace_undefined(value, "ordinal_concordance_index", reason, replace_undefined_by)
    )
