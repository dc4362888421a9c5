"""Cut points for an objective of which only values are known.

Coordinate descent over the positions between distinct scores, from the exact solutions of the named
objectives and from the cut points that reproduce the grades' frequencies. Good, but not certified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from sklearn_ordinal_censored._typing import IntArray

Value = Callable[[IntArray], float]
_WIDTH = 32  # positions tried at once between two neighbouring cuts


def search_positions(value: Value, starts: Iterable[IntArray], n_groups: int) -> IntArray:
    """Return the best positions found from several starts.

    Parameters
    ----------
    value : callable
        Maps positions to the objective, larger is better; NaN is worse than any number.
    starts : iterable of ndarray of shape (n_cuts,)
        Non-decreasing positions to start from.
    n_groups : int
        Number of distinct scores.

    Returns
    -------
    ndarray of shape (n_cuts,)
        Non-decreasing positions.

    Examples
    --------
    >>> import numpy as np
    >>> search_positions(lambda p: -abs(p[0] - 3) - abs(p[1] - 5), [np.array([0, 9])], 9)
    array([3, 5])
    """
    known: dict[bytes, float] = {}

    def _cached(positions: IntArray) -> float:
        key = positions.tobytes()
        if key not in known:
            found = value(positions)
            known[key] = found if found == found else -np.inf
        return known[key]

    results = [_climb(_cached, start, n_groups) for start in starts]
    return max(results, key=_cached)


def _climb(value: Value, positions: IntArray, n_groups: int) -> IntArray:
    """Move one cut, or a run of cuts, at a time for as long as the objective rises."""
    best = value(positions)
    improved = True
    while improved:
        improved = False
        for candidate in _moves(value, positions, n_groups):
            found = value(candidate)
            if found > best:
                positions, best, improved = candidate, found, True
                break
    return positions


def _moves(value: Value, positions: IntArray, n_groups: int) -> Iterator[IntArray]:
    n_cuts = len(positions)
    for length in range(1, n_cuts + 1):
        for first in range(n_cuts - length + 1):
            yield _best_move(value, positions, slice(first, first + length), n_groups)


def _best_move(value: Value, positions: IntArray, run: slice, n_groups: int) -> IntArray:
    """Return the best common position of a run of cuts: all of them, or coarse to fine."""
    low = positions[run.start - 1] if run.start else 0
    high = positions[run.stop] if run.stop < len(positions) else n_groups
    while True:
        tried = np.unique(np.linspace(low, high, _WIDTH + 1).round().astype(np.intp))
        candidates = np.repeat(positions[np.newaxis], len(tried), axis=0)
        candidates[:, run] = tried[:, np.newaxis]
        best = int(np.argmax([value(candidate) for candidate in candidates]))
        if tried[-1] - tried[0] < len(tried):
            return np.asarray(candidates[best])
        low, high = tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)]
