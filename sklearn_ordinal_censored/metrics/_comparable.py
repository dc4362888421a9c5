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
from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, FloatArray, IntArray
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._columns import read_column
from sklearn_ordinal_censored.targets._inputs import (
    check_floats,
    check_option,
    check_same_length,
    check_weights,
)

_NOWHERE = np.iinfo(np.intp).max  # behind every stretch of items


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
        Row weights.

    Examples
    --------
    >>> read_scored([[1, 1], [2, 2]], [0.5, 0.1]).rank
    array([1, 0])
    """

    target: CensoredTarget
    rank: IntArray
    stratum: IntArray
    weight: FloatArray | None


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
        groups = read_column("strata", strata).values
        check_same_length(y_true=n_samples, strata=len(groups))
        stratum = np.unique(groups, return_inverse=True)[1]
    if weight is not None and not weight.all():
        rows = weight > 0
        target, score, stratum = target.take(rows), score[rows], stratum[rows]
        weight = weight[rows]
    rank = np.unique(score if prediction == "time" else -score, return_inverse=True)[1]
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
    target, stratum = scored.target, scored.stratum
    rows = np.flatnonzero(np.isfinite(target.upper))
    end = target.upper[rows]
    # On one grid of times the even places are exact bounds, the odd ones bounds that are not.
    grid = np.unique(np.concatenate([target.lower, end[~target.is_exact[rows]]]))
    span = 2 * len(grid)
    # A row known only to end after its entry is later than no event that it was at risk of.
    unseen = False if target.entry is None else target.entry >= target.lower
    place = stratum * span + 2 * np.searchsorted(grid, target.lower) + ~target.is_exact
    place = np.where(unseen, _NOWHERE, place)
    start = stratum[rows] * span + 2 * np.searchsorted(grid, end) + (1 if strict_times else 0)
    later = _split(scored, rows, place, start + 1, (stratum[rows] + 1) * span)
    if target.entry is not None:
        # Who had not yet entered when the event happened was not at risk of it.
        entries = np.unique(target.entry)
        span = len(entries) + 1
        place = np.where(unseen, _NOWHERE, stratum * span + np.searchsorted(entries, target.entry))
        start = stratum[rows] * span + np.searchsorted(entries, end)
        later = later - _split(scored, rows, place, start, (stratum[rows] + 1) * span)
    n_later, below, equal, above = np.where(later[0] > 0, np.maximum(later, 0), 0)
    return PairSums(rows, n_later > 0, concordant=above, discordant=below, tied=equal)


def _split(
    scored: ScoredTarget, rows: IntArray, place: IntArray, first: IntArray, end: IntArray
) -> AnyArray:
    """Return number of rows, and the weight of lower, equal and higher rank, from ``first`` on."""
    order = np.argsort(place, kind="stable")
    ordered = place[order]
    start, stop = np.searchsorted(ordered, first), np.searchsorted(ordered, end)
    weight = None if scored.weight is None else scored.weight[order]
    sums = dominance_sums(scored.rank[order], weight, start, stop, scored.rank[rows])
    return np.stack([stop - start, *sums])
