"""Weighted dominance sums: how much of a stretch of items lies below, level with and above a query.

Items stand in the order of one variable and carry the rank of another. A wavelet matrix splits the
ranks bit by bit, from the highest, with a stable partition at each level; a stretch of items stays
a stretch; what leaves it with a 0 where the query has a 1 is smaller, and the reverse larger. That
takes O(log n) passes of plain NumPy and O(n) memory. Where numba is installed, a Fenwick tree does
the same in one compiled loop.

References
----------
F. Claude, G. Navarro, A. Ordóñez. "The Wavelet Matrix: An Efficient Wavelet Tree for Large
Alphabets." Information Systems 47, 2015. doi:10.1016/j.is.2014.06.002
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


def dominance_sums(
    rank: IntArray,
    weight: FloatArray | None,
    start: IntArray,
    stop: IntArray,
    query: IntArray,
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Sum the items of a stretch whose rank is below, equal to and above that of a query.

    Parameters
    ----------
    rank : ndarray of shape (n_items,)
        Ranks from 0, in the order of the items.
    weight : ndarray of shape (n_items,) or None
        Weights of the items; None counts them, exactly, in int64.
    start, stop : ndarray of shape (n_queries,)
        The stretch ``start:stop`` of items of every query; two stretches with different ends do not
        overlap.
    query : ndarray of shape (n_queries,)
        Rank of every query.

    Returns
    -------
    below : ndarray of shape (n_queries,)
        Sums; int64 for ``weight=None``. Exactly 0 where there is no such item.
    equal : ndarray of shape (n_queries,)
        Likewise.
    above : ndarray of shape (n_queries,)
        Likewise.

    Notes
    -----
    Counts are the same to the last bit whether numba is there or not. Weighted sums differ by
    rounding, in NumPy relative to the weight of all items, since prefix sums are subtracted.

    Examples
    --------
    >>> import numpy as np
    >>> rank = np.array([2, 0, 1, 1])
    >>> dominance_sums(rank, None, np.array([0, 1]), np.array([4, 4]), np.array([1, 1]))
    (array([1, 1]), array([2, 2]), array([1, 0]))
    """
    n_ranks = int(max(rank.max(initial=0), query.max(initial=0))) + 1
    below, equal, above = _implementation()(rank, weight, start, stop, query, n_ranks)
    return below, equal, above


@cache
def _implementation() -> Any:
    try:
        from sklearn_ordinal_censored._kernels.pairs_fast import fenwick_sums
    except ImportError:  # numba is optional, and may refuse the NumPy it finds
        return wavelet_sums
    return fenwick_sums


def wavelet_sums(
    rank: IntArray,
    weight: FloatArray | None,
    start: IntArray,
    stop: IntArray,
    query: IntArray,
    n_ranks: int,
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return the dominance sums in NumPy.

    Parameters
    ----------
    rank, weight, start, stop, query : ndarray
        As in :func:`dominance_sums`.
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
    >>> wavelet_sums(np.array([0, 1]), None, np.array([0]), np.array([2]), one, 2)
    (array([1]), array([1]), array([0]))
    """
    left, right = start, stop
    below: Any = np.zeros(len(query), dtype=np.int64 if weight is None else np.float64)
    above = below.copy()
    for bit in reversed(range((n_ranks - 1).bit_length())):
        is_zero = (rank >> bit) & 1 == 0
        zeros = _running(is_zero)
        zero_left, zero_right = zeros[left], zeros[right]
        goes_right = (query >> bit) & 1 == 1
        if weight is None:
            n_zero = zero_right - zero_left
            below += np.where(goes_right, n_zero, 0)
            above += np.where(goes_right, 0, right - left - n_zero)
        else:
            low, high = (
                _running(np.where(is_zero, weight, 0.0)),
                _running(np.where(is_zero, 0.0, weight)),
            )
            below += np.where(goes_right, low[right] - low[left], 0.0)
            above += np.where(goes_right, 0.0, high[right] - high[left])
        left = np.where(goes_right, zeros[-1] + left - zero_left, zero_left)
        right = np.where(goes_right, zeros[-1] + right - zero_right, zero_right)
        order = np.concatenate([np.flatnonzero(is_zero), np.flatnonzero(~is_zero)])
        rank = rank[order]
        weight = None if weight is None else weight[order]
    if weight is None:
        return below, (right - left).astype(np.int64), above
    mass = _running(weight)
    return below, mass[right] - mass[left], above


def _running(values: AnyArray) -> AnyArray:
    total = np.zeros(len(values) + 1, dtype=np.intp if values.dtype == bool else values.dtype)
    np.cumsum(values, out=total[1:])
    return total
