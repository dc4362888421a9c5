"""How exact a concordance is: standard errors, tests and intervals, and differences of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import FloatArray, IntArray
from sklearn_ordinal_censored.metrics._clusters import (
    ClusteredComparison,
    cluster_quantile,
    cluster_test,
    count_clusters,
    read_cluster,
)
from sklearn_ordinal_censored.metrics._comparable import (
    ScoredTarget,
    read_scored,
    sum_pairs,
)
from sklearn_ordinal_censored.metrics._concordance import no_pair
from sklearn_ordinal_censored.metrics._estimates import (
    IDENTITY,
    LOGIT,
    Comparison,
    ConfidenceInterval,
    Estimate,
    Link,
    normal_test,
)
from sklearn_ordinal_censored.metrics._row_pairs import RowPairs, sum_row_pairs
from sklearn_ordinal_censored.targets._inputs import check_floats, check_same_length
from sklearn_ordinal_censored.targets._undefined import replace_undefined, warn_undefined
from sklearn_ordinal_censored.targets._weights import scale_weights

_ROUNDING = 64 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ConcordanceEstimate(Estimate):
    """A concordance, how far it may be from the true one, and a test of no relation.

    Attributes
    ----------
    estimate : float
        Concordance.
    standard_error : float
        Its standard error, by the infinitesimal jackknife.
    null_standard_error : float
        Its standard deviation if the predictions were dealt to the rows at random.
    statistic : float
        Distance from one half, in null standard errors.
    pvalue : float
        Two-sided p-value of no relation.
    concordant, discordant, tied_score : int or float
        Number (weight) of comparable pairs that the prediction puts in the right order, in the
        wrong one, and in none.

    Examples
    --------
    >>> result = concordance_inference([[1, 1], [2, 2], [3, 3]], [1, 3, 2])
    >>> result.concordant, result.discordant, result.tied_score
    (2, 1, 0)
    """

    concordant: float
    discordant: float
    tied_score: float
    _n_clusters: float = field(default=np.inf, repr=False, compare=False, kw_only=True)

    _links: ClassVar[Mapping[str, Link]] = {"logit": LOGIT, "wald": IDENTITY}

    def confidence_interval(  # type: ignore[override]  # there is no bootstrap
        self, confidence_level: float = 0.95, method: str = "logit"
    ) -> ConfidenceInterval:
        """Return an interval that holds the true concordance with about the given probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        method : {"logit", "wald"}, default="logit"
            ``"logit"``: formed for the logarithm of the odds, so that it stays between 0 and 1.
            ``"wald"``: symmetric.

        Returns
        -------
        ConfidenceInterval
            With ``low`` and ``high``. NaN, with an ``UndefinedMetricWarning``, where the standard
            error is 0 or undefined, as for a concordance of 1.

        Raises
        ------
        ValueError
            If an option is refused.
        """
        return super().confidence_interval(confidence_level, method)

    def _quantile(self, level: float, method: str) -> float:
        return cluster_quantile(level, self._n_clusters)


def concordance_inference(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    prediction: str = "time",
    strata: Any = None,
    cluster: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> ConcordanceEstimate:
    """Compute the concordance with its standard error, a test, and intervals.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring, as for :func:`concordance_index`.
    y_pred : array-like of shape (n_samples,)
        Finite predictions of a model that was fitted to other rows.
    prediction : {"time", "risk"}, default="time"
        Whether a larger prediction means a later or an earlier event. Nothing is flipped by itself.
    strata : array-like of shape (n_samples,), default=None
        Only rows of the same stratum make pairs.
    cluster : array-like of shape (n_samples,), default=None
        Rows of one cluster, such as the two eyes of a patient, are not independent. They make pairs
        like others.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A row is one independent unit whatever its weight.
    replace_undefined_by : float, default=np.nan
        Estimate where there is no comparable pair; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    ConcordanceEstimate
        With ``estimate``, ``standard_error``, ``null_standard_error``, ``statistic``, ``pvalue``,
        the pair counts ``concordant``, ``discordant`` and ``tied_score``, and the method
        ``confidence_interval(confidence_level=0.95, method="logit")``.

    Raises
    ------
    ValueError
        If an input is refused, or there is one cluster only.

    See Also
    --------
    concordance_index : The estimate alone.
    compare_concordance : The difference of two predictions.

    Notes
    -----
    The standard error is that of the infinitesimal jackknife [1]_, the one of R's ``concordance``:
    with the weights ``w_i`` of the rows, its square is ``sum((w_i dC/dw_i)**2)``, where

    ``dC/dw_i = (right_i - C comparable_i) / (weight of all comparable pairs)``

    and ``comparable_i`` is the weight of all rows that row i can be compared with, as the earlier
    or the later one, ``right_i`` that of the rows on the right side of it, ties counting one half.
    The terms of a cluster are summed before they are squared.

    The test asks for any relation at all. ``null_standard_error`` is the standard deviation of the
    concordance over all ways to deal the predictions to the rows of each stratum. It has a closed
    form [2]_ for every kind of censoring, keeps its size in samples with few events, where the
    standard error of the jackknife is too small, and equals that of a Cox model's score test for
    right-censored times without ties. With clusters its square is multiplied by the design effect:
    the square of ``standard_error`` over what it would be without clusters.

    With K clusters, intervals and p-values use Student's t with ``K - 1`` degrees of freedom, and
    a standard error larger by the root of ``K / (K - 1)``. ``standard_error`` itself is R's.

    Both take the predictions as given, not as fitted to the same rows. With fewer than about 20
    events intervals are too short. The cost is O(n log n).

    References
    ----------
    .. [1] T. M. Therneau, D. A. Watson. "The Concordance Statistic and the Cox Model." Technical
       Report 85, Department of Health Science Research, Mayo Clinic, 2017.
    .. [2] H. E. Daniels. "The Relation Between Measures of Correlation in the Universe of Sample
       Permutations." Biometrika 33(2), 1944. :doi:`10.1093/biomet/33.2.129`

    Examples
    --------
    Of three pairs the last is wrong. The first row has two right ones, the others one of two:
    ``(2 - 2/3 * 2) / 3`` is 2/9 for it and ``(1 - 2/3 * 2) / 3`` is -1/9 for the others.

    >>> from sklearn_ordinal_censored.metrics import concordance_inference
    >>> result = concordance_inference([[1, 1], [2, 2], [3, 3]], [1, 3, 2])
    >>> round(result.estimate, 4), round(result.standard_error**2, 4)
    (0.6667, 0.0741)

    The six ways to deal three predictions have concordances 0, 1/3, 1/3, 2/3, 2/3 and 1:

    >>> round(result.null_standard_error**2, 4)
    0.1019
    """
    scored = read_scored(y_true, y_pred, prediction, strata, sample_weight)
    groups = read_cluster(cluster, sample_weight, len(scored.rank))
    found = _jackknife(scored)
    if found is None:
        value = replace_undefined(
            np.nan, "concordance_inference", no_pair(scored.target), replace_undefined_by
        )
        return ConcordanceEstimate(float(value), *[np.nan] * 4, *[0] * 3)
    null_error = _null_error(found, groups)
    n_clusters = count_clusters(groups)
    test = cluster_test(found.estimate - 0.5, null_error, n_clusters)
    error = _root_of_squares(found.terms, groups)
    return ConcordanceEstimate(
        found.estimate, error, null_error, *test, *found.counts, _n_clusters=n_clusters
    )


def compare_concordance(
    y_true: Any,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    *,
    prediction: str = "time",
    strata: Any = None,
    cluster: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Comparison:
    """Compare the concordance of two predictions for the same rows.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring, as for :func:`concordance_index`.
    y_pred_a, y_pred_b : array-like of shape (n_samples,)
        Finite predictions of two models that were fitted to other rows.
    prediction : {"time", "risk"}, default="time"
        Whether larger predictions, of both models, mean a later or an earlier event.
    strata : array-like of shape (n_samples,), default=None
        Only rows of the same stratum make pairs.
    cluster : array-like of shape (n_samples,), default=None
        Rows of one cluster are not independent.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A row is one independent unit whatever its weight.

    Returns
    -------
    Comparison
        With ``difference`` (a less b), ``standard_error``, ``statistic``, ``pvalue`` and the method
        ``confidence_interval(confidence_level=0.95, method="wald")``.

    Raises
    ------
    ValueError
        If an input is refused, or there is one cluster only.

    See Also
    --------
    concordance_inference : One prediction.

    Notes
    -----
    The terms ``w_i dC/dw_i`` of the infinitesimal jackknife [1]_ are subtracted row by row, so
    that what the two predictions share cancels. R's ``concordance(y ~ a + b)`` does the same. With
    fewer than about 20 events p-values are too small. With K clusters, intervals and p-values use
    Student's t with ``K - 1`` degrees of freedom, and a standard error larger by the root of
    ``K / (K - 1)``.

    References
    ----------
    .. [1] T. M. Therneau, D. A. Watson. "The Concordance Statistic and the Cox Model." Technical
       Report 85, Department of Health Science Research, Mayo Clinic, 2017.

    Examples
    --------
    Of three pairs the first prediction has two right, the second one:

    >>> from sklearn_ordinal_censored.metrics import compare_concordance
    >>> result = compare_concordance([[1, 1], [2, 2], [3, 3]], [1, 3, 2], [2, 3, 1])
    >>> round(result.difference, 4), round(result.standard_error**2, 4)
    (0.3333, 0.0741)
    """
    given = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    predicted = {name: check_floats(name, values) for name, values in given.items()}
    check_same_length(**{name: len(values) for name, values in predicted.items()})
    both = [
        read_scored(y_true, values, prediction, strata, sample_weight)
        for values in predicted.values()
    ]
    groups = read_cluster(cluster, sample_weight, len(both[0].rank))
    found_a, found_b = (_jackknife(scored) for scored in both)
    if found_a is None or found_b is None:
        warn_undefined("compare_concordance", no_pair(both[0].target))
        return Comparison(np.nan, np.nan, np.nan, np.nan)
    difference = found_a.estimate - found_b.estimate
    error = _root_of_squares(found_a.terms - found_b.terms, groups)
    if groups is None:
        return Comparison(difference, error, *normal_test(difference, error))
    n_clusters = count_clusters(groups)
    test = cluster_test(difference, error, n_clusters)
    return ClusteredComparison(difference, error, *test, _n_clusters=n_clusters)


class _Jackknife(NamedTuple):
    """A concordance, its pair counts, and how much each row adds to it: ``w_i dC/dw_i``.

    The rows, their pairs and the number of pairs have scaled weights, the counts the caller's.
    """

    estimate: float
    counts: list[float]
    terms: FloatArray
    scored: ScoredTarget
    pairs: RowPairs
    n_pairs: float


def _jackknife(scored: ScoredTarget) -> _Jackknife | None:
    """Return the concordance and its terms, or None without a comparable pair."""
    weight = scored.weight
    scored = scored if weight is None else scored._replace(weight=scale_weights(weight))
    as_earlier = sum_pairs(scored)
    own = scored.own_weight(as_earlier.rows)
    sums = (as_earlier.concordant, as_earlier.discordant, as_earlier.tied)
    counts = [(own * part).sum().item() for part in sums]
    n_pairs = sum(counts)
    if n_pairs == 0:
        return None
    estimate = (counts[0] + counts[2] / 2) / n_pairs
    pairs = sum_row_pairs(scored, as_earlier)
    terms = _excess(scored, pairs, estimate) / n_pairs
    return _Jackknife(estimate, _in_unit(counts, weight), terms, scored, pairs, n_pairs)


def _in_unit(counts: list[float], weight: FloatArray | None) -> list[float]:
    """Return sums of products of two scaled weights in the unit of the weights."""
    if weight is None:
        return counts
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(counts, 2 * np.frexp(weight.sum())[1]).tolist()  # type: ignore[no-any-return]


def _excess(scored: ScoredTarget, pairs: RowPairs, expected: float) -> FloatArray:
    """Return by how much the pairs of each row are more often right than expected."""
    excess = pairs.right - expected * pairs.comparable
    # Where all rows are right to the same degree, they are so exactly.
    excess[np.abs(excess) <= _ROUNDING * pairs.comparable.max()] = 0.0
    return excess if scored.weight is None else scored.weight * excess


def _root_of_squares(terms: FloatArray, groups: IntArray | None) -> float:
    sums = terms if groups is None else np.bincount(groups, weights=terms)
    # Where the terms of a cluster cancel, they do so exactly.
    sums = np.where(np.abs(sums) <= _ROUNDING * np.abs(terms).max(), 0.0, sums)
    return float(np.sqrt((sums**2).sum()))


def _null_error(found: _Jackknife, groups: IntArray | None) -> float:
    """Return the standard deviation of the concordance over all ways to deal the predictions.

    Daniels' formula for ``sum(a_ij b_ij)`` over ordered pairs: a is plus or minus the product of
    the weights, by which row came first, and b the sign of the difference in prediction.
    """
    scored = found.scored
    size = np.bincount(scored.stratum).astype(np.float64)
    by_row, by_pair = _order_sums(scored, found.pairs)
    sign_by_row, sign_by_pair = _sign_sums(scored, size)
    by_row, sign_by_row = by_row - by_pair, sign_by_row - sign_by_pair
    pairs = np.maximum(size * (size - 1), 1)
    triples = np.maximum(pairs * (size - 2), 1)
    variance = (4 * by_row * sign_by_row / triples + 2 * by_pair * sign_by_pair / pairs).sum()
    error = np.sqrt(np.maximum(variance, 0.0)) / (4 * found.n_pairs)
    return float(error * _design_effect(found, groups))


def _order_sums(scored: ScoredTarget, pairs: RowPairs) -> tuple[FloatArray, FloatArray]:
    """Return, for each stratum, the sum of squared row sums of a, and that of squares."""
    if scored.weight is None:
        own, squares = np.ones(len(scored.rank)), pairs.comparable
    else:
        own = scored.weight
        squares = sum_row_pairs(scored._replace(weight=own**2)).comparable
    row_sums = own * pairs.balance
    return _by_stratum(scored, row_sums**2), _by_stratum(scored, own**2 * squares)


def _sign_sums(scored: ScoredTarget, size: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return, for each stratum, the sum of squared row sums of b, and that of squares."""
    level = dense_rank(scored.rank, scored.stratum)
    n_level = np.bincount(level)
    # Of all rows in the order of strata and predictions, so those of earlier strata come off.
    n_below = (np.cumsum(n_level) - n_level)[level] - (np.cumsum(size) - size)[scored.stratum]
    n_equal, n_rows = n_level[level], size[scored.stratum]
    row_sums = 2 * n_below + n_equal - n_rows
    return _by_stratum(scored, row_sums**2), _by_stratum(scored, n_rows - n_equal)


def _by_stratum(scored: ScoredTarget, values: FloatArray) -> FloatArray:
    return np.bincount(scored.stratum, weights=values).astype(np.float64)


def _design_effect(found: _Jackknife, groups: IntArray | None) -> float:
    """Return how many times larger the standard error is with clusters than without."""
    if groups is None:
        return 1.0
    terms = found.terms
    if not terms.any():  # all pairs agree, and only the distance from one half is left
        terms = _excess(found.scored, found.pairs, 0.5)
    without = _root_of_squares(terms, None)
    return _root_of_squares(terms, groups) / without if without else 1.0
