"""Dealing rows, or groups of rows, to folds so that every fold looks like the whole.

Rows are put in the order of their time and dealt out like cards: every deck holds each fold once,
in random order, and what is left of a deck goes to the next kind of row. So the numbers of events,
of other rows and of all rows differ by one at most between folds, and every stretch of time is
spread over all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._kernels.ranks import dense_rank, stable_order
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray, IntArray

_TIME_BINS = 5  # stretches of time that groups are balanced over, for events and for other rows


def known_time(target: CensoredTarget) -> FloatArray:
    """Return the finite bound of every row, the middle where both are finite.

    Parameters
    ----------
    target : CensoredTarget
        Bounds.

    Returns
    -------
    ndarray of shape (n_samples,)
        Times to sort by.

    Examples
    --------
    >>> import numpy as np
    >>> known_time(CensoredTarget(np.array([1.0, 2.0, -np.inf]), np.array([3.0, np.inf, 4.0])))
    array([2., 2., 4.])
    """
    lower = np.where(np.isfinite(target.lower), target.lower, target.upper)
    upper = np.where(np.isfinite(target.upper), target.upper, target.lower)
    return np.asarray(lower / 2 + upper / 2)


def row_order(target: CensoredTarget, stratify: str | None, rng: Any) -> IntArray:
    """Return the rows in the order in which they are dealt.

    Parameters
    ----------
    target : CensoredTarget
        Bounds.
    stratify : {"event+time", "event", None}
        What folds are balanced for.
    rng : RandomState or None
        Breaks ties, and orders what is not stratified; None keeps the order of the rows.

    Returns
    -------
    ndarray of shape (n_samples,)
        Row numbers; rows with an event come first unless ``stratify`` is None.

    Examples
    --------
    >>> import numpy as np
    >>> target = CensoredTarget(np.array([3.0, 1.0, 2.0]), np.array([3.0, np.inf, 2.0]))
    >>> row_order(target, "event+time", None)
    array([2, 0, 1])
    """
    n_samples = len(target.lower)
    rows = np.arange(n_samples) if rng is None else rng.permutation(n_samples)
    if stratify is None:
        return rows
    rank = (~target.has_event).astype(np.intp)
    if stratify == "event+time":
        times = dense_rank(known_time(target))
        rank = rank * n_samples + times
    return np.asarray(rows[stable_order(rank[rows])])


def deal_rows(order: IntArray, n_first: int, n_folds: int, rng: Any) -> IntArray:
    """Deal ordered rows to folds.

    Parameters
    ----------
    order : ndarray of shape (n_samples,)
        Row numbers.
    n_first : int
        Number of rows of the first kind.
    n_folds : int
        Number of folds.
    rng : RandomState or None
        Shuffles every deck; None deals in turn.

    Returns
    -------
    ndarray of shape (n_samples,)
        Fold of every row.

    Examples
    --------
    >>> import numpy as np
    >>> deal_rows(np.array([2, 0, 1]), 1, 2, None)
    array([1, 0, 0])
    """
    n_decks = -(-len(order) // n_folds)
    decks = np.tile(np.arange(n_folds), (n_decks, 1))
    if rng is not None:
        decks = np.argsort(rng.random_sample(decks.shape), axis=1)
        # The odd rows of the second kind go first to the folds that have an odd row of the first.
        odd = decks[min(n_first // n_folds, n_decks - 1), : n_first % n_folds]
        decks[-1] = decks[-1][np.argsort(~np.isin(decks[-1], odd), kind="stable")]
    fold = np.empty(len(order), dtype=np.intp)
    fold[order] = decks.ravel()[: len(order)]
    return fold


def deal_groups(
    target: CensoredTarget, groups: IntArray, n_folds: int, stratify: str | None, rng: Any
) -> IntArray:
    """Deal whole groups to folds, the largest first, each to the fold that it balances best.

    Parameters
    ----------
    target : CensoredTarget
        Bounds.
    groups : ndarray of shape (n_samples,)
        Number of every row's group.
    n_folds : int
        Number of folds.
    stratify : {"event+time", "event", None}
        What folds are balanced for, beside their size.
    rng : RandomState or None
        Orders groups of equal size; None keeps their order.

    Returns
    -------
    ndarray of shape (n_samples,)
        Fold of every row.

    Examples
    --------
    >>> import numpy as np
    >>> target = CensoredTarget(np.arange(4.0), np.arange(4.0))
    >>> deal_groups(target, np.array([0, 0, 1, 1]), 2, "event", None)
    array([0, 0, 1, 1])
    """
    n_groups = int(groups.max()) + 1
    features = _balance_features(target, stratify)
    counts = np.zeros((n_groups, features.shape[1]))
    np.add.at(counts, groups, features)
    # Each feature sums to one over all rows, so that rare ones weigh as much as frequent ones.
    counts /= np.maximum(counts.sum(axis=0), 1)
    tie = np.arange(n_groups) if rng is None else rng.permutation(n_groups)
    order = np.lexsort((tie, -np.bincount(groups, minlength=n_groups)))
    load = np.zeros((n_folds, counts.shape[1]))
    fold_of = np.empty(n_groups, dtype=np.intp)
    for group in order:
        # Adding c to fold f raises the sum of squared loads by 2 load_f c + c c: least where it
        # fits.
        fold_of[group] = np.argmin(load @ counts[group])
        load[fold_of[group]] += counts[group]
    return np.asarray(fold_of[groups])


def _balance_features(target: CensoredTarget, stratify: str | None) -> FloatArray:
    """Return indicator columns: every row; rows with an event; either kind by stretch of time."""
    event = target.has_event
    columns = [np.ones(len(event))]
    if stratify is not None:
        columns += [event.astype(float)]
    if stratify == "event+time":
        for kind in (event, ~event):
            rank = np.empty(len(event))
            rank[np.lexsort((known_time(target), ~kind))] = np.arange(len(event))
            bins = np.floor(rank * _TIME_BINS / max(kind.sum(), 1))
            columns += [(kind & (bins == k)).astype(float) for k in range(_TIME_BINS)]
    return np.column_stack(columns)
