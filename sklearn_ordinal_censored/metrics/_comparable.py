"""Comparable pairs of censored rows: who surely came first, and whom the prediction put first.

Row i comes before row j when ``upper_i < lower_j``, or when the two are equal and j is not exact.
Sorted by the lower bound, exact rows first at a tie, the rows that come after i are the end of a
list, and one dominance sum counts those whose prediction is lower, equal or higher.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.pairs import dominance_sums
from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._groups import read_groups
from sklearn_ordinal_censored.targets._inputs import check_floats, check_option, check_same_length
from sklearn_ordinal_censored.targets._weights import check_weights, scale_weights


class ScoredTarget(NamedTuple):
    """Censored rows with a predicted order; rows of weight zero are left out.

    Attributes
    ----------
    target : CensoredTarget
        Bounds.
    rank : ndarray of shape (n_samples,)
        Rank of the prediction, larger for later; equal predictions share one.
    stratum : ndarray of shape (n_samples,)
        Number of the stratum.
    weight : ndarray of shape (n_samples,) or None
        Row weights, up to a common factor.

    Examples
    --------
    >>> read_scored([[1, 1], [2, 2]], [0.5, 0.1]).rank
    array([1, 0])
    """

    target: CensoredTarget
    rank: IntArray
    stratum: IntArray
    weight: FloatArray | None

    def own_weight(self, rows: IntArray) -> Any:
        """Return the weights of some rows, for ratios: up to a common factor.

        Parameters
        ----------
        rows : ndarray of shape (n_rows,)
            Row numbers.

        Returns
        -------
        ndarray of shape (n_rows,) or int
            Weights; a whole 1 for all rows without weights, which keeps counts whole.
        """
        return np.int64(1) if self.weight is None else scale_weights(self.weight)[rows]


class PairSums(NamedTuple):
    """For every row that surely came before others: what its pairs say.

    Attributes
    ----------
    rows : ndarray of shape (n_earlier,)
        Rows with a finite upper bound.
    has_pair : ndarray of shape (n_earlier,)
        Whether any row came after.
    concordant, discordant, tied : ndarray of shape (n_earlier,)
        Weight of the later rows with a later, an earlier and an equal prediction.

    Examples
    --------
    >>> sum_pairs(read_scored([[1, 1], [2, 2]], [0.1, 0.5])).concordant
    array([1, 0])
    """

    rows: IntArray
    has_pair: AnyArray
    concordant: AnyArray
    discordant: AnyArray
    tied: AnyArray

    def concordance(self, factor: Any) -> float:
        """Return the share of pairs in order, ties counting one half.

        Parameters
        ----------
        factor : ndarray of shape (n_earlier,) or scalar
            What the pairs of each earlier row count.

        Returns
        -------
        float
            NaN without a comparable pair.
        """
        concordant, discordant, tied = (
            (factor * part).sum() for part in (self.concordant, self.discordant, self.tied)
        )
        comparable = concordant + discordant + tied
        return float((concordant + tied / 2) / comparable) if comparable != 0 else float("nan")


def read_scored(
    y_true: Any,
    y_pred: ArrayLike,
    prediction: str = "time",
    strata: Any = None,
    sample_weight: ArrayLike | None = None,
    parse: Callable[[str, Any], CensoredTarget] = parse_censored,
) -> ScoredTarget:
    """Read a censored target with its predictions.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,)
        Finite predictions.
    prediction : {"time", "risk"}
        Whether larger means later or earlier.
    strata : array-like of shape (n_samples,) or None
        Pairs are formed inside strata only.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.
    parse : callable
        Reads the target; it may refuse some kinds of censoring.

    Returns
    -------
    ScoredTarget
        The rows of positive weight.

    Examples
    --------
    >>> read_scored([[1, 1], [2, 2]], [0.5, 0.1], prediction="risk").rank
    array([0, 1])
    """
    check_option("prediction", prediction, ("time", "risk"))
    target = parse("y_true", y_true)
    score = check_floats("y_pred", y_pred)
    n_samples = check_same_length(y_true=len(target.lower), y_pred=len(score))
    weight = check_weights(sample_weight, n_samples)
    stratum = np.zeros(n_samples, dtype=np.intp)
    if strata is not None:
        stratum = read_groups("strata", strata)
        check_same_length(y_true=n_samples, strata=len(stratum))
    if weight is not None:
        rows = weight > 0
        target, score, stratum = target.take(rows), score[rows], stratum[rows]
        weight = weight[rows]
    rank = dense_rank(score if prediction == "time" else -score)
    return ScoredTarget(target, rank, stratum, weight)


def sum_pairs(scored: ScoredTarget, strict_times: bool = False) -> PairSums:
    """Sum the pairs in which each row comes first.

    Parameters
    ----------
    scored : ScoredTarget
        Rows and predictions.
    strict_times : bool, default=False
        Whether bounds that are equal make no pair.

    Returns
    -------
    PairSums
        Sums of the later rows' weights, without the earlier row's own.

    Examples
    --------
    An event and a censoring at the same time: the event came first.

    >>> import numpy as np
    >>> scored = read_scored([[5, np.inf], [5, 5]], [0.9, 0.1])
    >>> sum_pairs(scored).concordant, sum_pairs(scored, strict_times=True).concordant
    (array([1]), array([0]))
    """
    target = scored.target
    rows = np.flatnonzero(target.has_event)
    wide = rows[~target.is_exact[rows]]  # their upper bound is no row's lower bound as a rule
    rank, last = _rank_times(scored, np.concatenate([target.lower, target.upper[wide]]), wide)
    end = rank[rows]
    end[~target.is_exact[rows]] = rank[len(target.lower) :]
    # Each time has two places: exact rows first, then those that are later than it.
    place = 2 * rank[: len(target.lower)] + ~target.is_exact
    first, stop = 2 * end + (2 if strict_times else 1), 2 * last[scored.stratum[rows]] + 2
    if target.entry is None:
        later = _split(scored, rows, np.arange(len(place)), place, first, stop)
    else:
        later = _split_those_present(scored, target.entry, rows, place, first, stop)
    n_later, below, equal, above = later
    return PairSums(rows, n_later > 0, concordant=above, discordant=below, tied=equal)


def _split_those_present(
    scored: ScoredTarget,
    entry: FloatArray,
    rows: IntArray,
    place: IntArray,
    first: IntArray,
    stop: IntArray,
) -> list[AnyArray]:
    """Split the later rows without those that had not yet entered when the event happened."""
    # A row known only to end after its entry is later than no event that it was at risk of.
    items = np.flatnonzero(entry < scored.target.lower)
    later = _split(scored, rows, items, place, first, stop)
    rank, last = _rank_times(scored, np.concatenate([entry, scored.target.upper[rows]]), rows)
    n_samples = len(entry)
    stop = last[scored.stratum[rows]] + 1
    absent = _split(scored, rows, items, rank[:n_samples], rank[n_samples:], stop)
    left = [np.maximum(part - gone, 0) for part, gone in zip(later, absent, strict=True)]
    # Heads are counted exactly, so that rounding leaves no weight where nobody is.
    return [np.where(left[0] > 0, part, 0) for part in left]


def _rank_times(
    scored: ScoredTarget, times: FloatArray, further: IntArray
) -> tuple[IntArray, IntArray]:
    """Return ranks of times, those of a stratum in one stretch, and the last rank of each.

    The times are one of every row, and then one of each of the ``further`` rows.
    """
    stratum = np.concatenate([scored.stratum, scored.stratum[further]])
    rank = dense_rank(times, stratum if stratum.any() else None)
    last = np.zeros(int(stratum.max()) + 1, dtype=np.intp)
    np.maximum.at(last, stratum, rank)
    return rank, last


def _split(
    scored: ScoredTarget,
    rows: IntArray,
    items: IntArray,
    place: IntArray,
    first: IntArray,
    stop: IntArray,
) -> list[AnyArray]:
    """Return how many items stand from ``first`` to ``stop``, and the weight of each outcome."""
    place = place[items]
    n_before = np.concatenate(
        [[0], np.cumsum(np.bincount(place, minlength=int(stop.max(initial=0))))]
    )
    begin, end = n_before[first], n_before[stop]
    order = items[np.argsort(place)]
    weight = None if scored.weight is None else scored.weight[order]
    sums = dominance_sums(scored.rank[order], weight, begin, end, scored.rank[rows])
    return [end - begin, *sums]
