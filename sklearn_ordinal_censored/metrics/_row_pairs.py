"""What the pairs of a row say in both of its roles, as the earlier and as the later one.

The later role is the earlier one in a mirror. Sorted by falling upper bound, the rows that came
before row j are the end of a list, and one dominance sum counts those whose prediction is lower,
equal or higher.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sklearn_ordinal_censored._kernels.pairs import dominance_sums
from sklearn_ordinal_censored._kernels.ranks import dense_rank
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray
from sklearn_ordinal_censored.metrics._comparable import PairSums, ScoredTarget, sum_pairs


class RowPairs(NamedTuple):
    """For every row: the weight of the rows it can be compared with.

    Attributes
    ----------
    right : ndarray of shape (n_samples,)
        Partners that the prediction puts on the right side; equal predictions count one half.
    comparable : ndarray of shape (n_samples,)
        All partners.
    balance : ndarray of shape (n_samples,)
        Partners that came after less those that came before.

    Examples
    --------
    >>> import numpy as np
    >>> RowPairs(np.array([1.0]), np.array([2.0]), np.array([0.0])).right
    array([1.])
    """

    right: FloatArray
    comparable: FloatArray
    balance: FloatArray


def sum_row_pairs(scored: ScoredTarget, as_earlier: PairSums | None = None) -> RowPairs:
    """Sum the pairs of each row in both of its roles.

    Parameters
    ----------
    scored : ScoredTarget
        Rows and predictions.
    as_earlier : PairSums, default=None
        The sums of :func:`sum_pairs`, where they are known already.

    Returns
    -------
    RowPairs
        Sums of the partners' weights, without the row's own.

    Examples
    --------
    The second row came after the first, as predicted, and before the third, against prediction:

    >>> from sklearn_ordinal_censored.metrics._comparable import read_scored
    >>> sum_row_pairs(read_scored([[1, 1], [2, 2], [3, 3]], [0, 5, 4])).right
    array([2., 1., 1.])
    """
    as_earlier = sum_pairs(scored) if as_earlier is None else as_earlier
    right, comparable, balance = np.zeros((3, len(scored.rank)))
    for sign, part in ((1, as_earlier), (-1, sum_mirrored_pairs(scored))):
        all_partners = part.concordant + part.discordant + part.tied
        right[part.rows] += part.concordant + part.tied / 2
        comparable[part.rows] += all_partners
        balance[part.rows] += sign * all_partners
    return RowPairs(right, comparable, balance)


def sum_mirrored_pairs(scored: ScoredTarget) -> PairSums:
    """Sum the pairs in which each row comes second.

    Parameters
    ----------
    scored : ScoredTarget
        Rows and predictions.

    Returns
    -------
    PairSums
        The rows that can come second, and sums of the earlier rows' weights.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics._comparable import read_scored
    >>> sum_mirrored_pairs(read_scored([[1, 1], [2, 2], [3, 3]], [0, 5, 4])).concordant
    array([0, 1, 1])
    """
    target, entry = scored.target, scored.target.entry
    items = np.flatnonzero(target.has_event)
    # A row known only to end after its entry is later than no event that it was at risk of.
    late = np.isfinite(target.lower) if entry is None else entry < target.lower
    rows = np.flatnonzero(late)
    times = [target.upper[items], target.lower[rows]] + ([] if entry is None else [entry[rows]])
    owner = np.concatenate([items, rows] if entry is None else [items, rows, rows])
    stratum = scored.stratum[owner]
    rank = dense_rank(np.concatenate(times), stratum if stratum.any() else None)
    ends, bounds, entries = np.split(rank, [len(items), len(items) + len(rows)])
    order = np.argsort(ends)
    ends, items = ends[order], items[order]
    # Ranks are lowest first, the list runs from the highest: it is turned round at the very end.
    first = np.searchsorted(scored.stratum[items], scored.stratum[rows])
    # An event at an exact time did not come before another one, but before a censoring there.
    last = np.searchsorted(ends, bounds + ~target.is_exact[rows])
    sums = _split_reversed(scored, items, rows, first, last)
    if entry is not None:
        gone = _split_reversed(scored, items, rows, first, np.searchsorted(ends, entries, "right"))
        left = [np.maximum(part - absent, 0) for part, absent in zip(sums, gone, strict=True)]
        # Heads are counted exactly, so that rounding leaves no weight where nobody is.
        sums = [np.where(left[0] > 0, part, 0) for part in left]
    heads, below, equal, above = sums
    return PairSums(rows, heads > 0, concordant=below, discordant=above, tied=equal)


def _split_reversed(
    scored: ScoredTarget, items: IntArray, rows: IntArray, first: IntArray, last: IntArray
) -> list[AnyArray]:
    """Return how many items stand from ``first`` to ``last``, and the weight of each outcome."""
    weight = None if scored.weight is None else scored.weight[items[::-1]]
    rank, total = scored.rank[items[::-1]], len(items)
    sums = dominance_sums(rank, weight, total - last, total - first, scored.rank[rows])
    return [last - first, *sums]
