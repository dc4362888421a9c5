"""The dominance sums by a Fenwick tree, compiled by numba; imported where numba is."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


def fenwick_sums(
    rank: IntArray,
    weight: FloatArray | None,
    start: IntArray,
    stop: IntArray,
    query: IntArray,
    n_ranks: int,
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return the dominance sums by a Fenwick tree.

    Parameters
    ----------
    rank, weight, start, stop, query : ndarray
        As in :func:`~sklearn_ordinal_censored._kernels.pairs.dominance_sums`.
    n_ranks : int
        One more than the largest rank.

    Returns
    -------
    below : ndarray of shape (n_queries,)
        Sums.
    equal : ndarray of shape (n_queries,)
        Likewise.
    above : ndarray of shape (n_queries,)
        Likewise.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.array([1])
    >>> fenwick_sums(np.array([0, 1]), None, np.array([0]), np.array([2]), one, 2)
    (array([1]), array([1]), array([0]))
    """
    # Items enter from the end of a stretch, so the queries come by falling end, then falling start.
    order = np.argsort(stop * len(rank) + start)[::-1]
    if weight is None:
        ones = np.ones(len(rank), dtype=np.int64)
        below, equal = _sweep(rank, ones, start, stop, query, order, n_ranks)
        return below, equal, stop - start - below - equal
    below, equal = _sweep(rank, weight, start, stop, query, order, n_ranks)
    # Swept again with the ranks turned round: a difference of weights would not be exactly 0.
    last = n_ranks - 1
    above, _ = _sweep(last - rank, weight, start, stop, last - query, order, n_ranks)
    return below, equal, above


@numba.njit(cache=True)
def _sweep(
    rank: Any, weight: Any, start: Any, stop: Any, query: Any, order: Any, n_ranks: int
) -> Any:  # pragma: no cover
    tree = np.zeros(n_ranks, dtype=weight.dtype)
    level = np.zeros(n_ranks, dtype=weight.dtype)
    below = np.zeros(len(query), dtype=weight.dtype)
    equal = np.zeros(len(query), dtype=weight.dtype)
    low, high = 0, 0
    for number in order:
        if stop[number] != high:
            _clear(tree, level, rank, low, high)
            low = high = stop[number]
        while low > start[number]:
            low -= 1
            level[rank[low]] += weight[low]
            node = rank[low] + 1
            while node < n_ranks:
                tree[node] += weight[low]
                node += node & -node
        equal[number] = level[query[number]]
        node = query[number]
        while node > 0:
            below[number] += tree[node]
            node -= node & -node
    return below, equal


@numba.njit(cache=True)
def _clear(tree: Any, level: Any, rank: Any, low: int, high: int) -> None:  # pragma: no cover
    """Empty the places that a finished stretch has touched, so that strata cost what they hold."""
    for item in range(low, high):
        level[rank[item]] = 0
        node = rank[item] + 1
        while node < len(tree):
            tree[node] = 0
            node += node & -node
