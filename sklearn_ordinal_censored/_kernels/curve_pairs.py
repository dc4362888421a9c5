"""Pairs of an event and a later row, ordered by their curves at the time of the event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


def split_later_rows(
    curves: FloatArray,
    column: IntArray,
    time: FloatArray,
    event: AnyArray,
    weight: FloatArray | None = None,
    entry: FloatArray | None = None,
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Sum, for every event, the later rows whose curve is higher, lower and equal then.

    Parameters
    ----------
    curves : ndarray of shape (n_samples, n_times)
        Predicted probabilities of no event so far.
    column : ndarray of shape (n_samples,)
        The column to read for an event of each row.
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of shape (n_samples,)
        Whether each time is an event; at a tied time the events come before the censorings.
    weight : ndarray of shape (n_samples,) or None
        Row weights; None counts rows, exactly.
    entry : ndarray of shape (n_samples,) or None
        Times after which each row is at risk.

    Returns
    -------
    higher : ndarray of shape (n_events,)
        Sums, in the order of the rows with an event.
    lower : ndarray of shape (n_events,)
        Likewise.
    equal : ndarray of shape (n_events,)
        Likewise.

    Notes
    -----
    O(n_events n_samples) in time, O(n_samples) in memory.

    Examples
    --------
    >>> curves, time = np.array([[0.3], [0.6], [0.3]]), np.array([1.0, 2.0, 3.0])
    >>> event = np.array([True, False, False])
    >>> split_later_rows(curves, np.zeros(3, dtype=int), time, event)
    (array([1]), array([0]), array([1]))
    """
    order = np.lexsort((~event, time))
    time, event, column = time[order], event[order], column[order]
    # A row is later than an event from behind all events at its time.
    rows = np.flatnonzero(event)
    same = np.searchsorted(time[rows], time[rows], side="right")
    start = rows[same - 1] + 1
    sums = np.zeros((3, len(rows)), dtype=np.int64 if weight is None else np.float64)
    weight = None if weight is None else weight[order]
    entry = None if entry is None else entry[order]
    read = None
    for place, row in enumerate(rows):
        if column[row] != read:  # columns follow the times, so each is read once
            read = column[row]
            values = curves[order, read]
        later = values[start[place] :]
        masks = later > values[row], later < values[row], later == values[row]
        sums[:, place] = _weigh(masks, start[place], weight, entry, time[row])
    back = np.argsort(order[rows])
    higher, lower, equal = sums[:, back]
    return higher, lower, equal


def _weigh(
    masks: Sequence[AnyArray],
    start: int,
    weight: FloatArray | None,
    entry: FloatArray | None,
    time: float,
) -> list[Any]:
    if entry is not None:
        is_there = entry[start:] < time
        masks = [mask & is_there for mask in masks]
    if weight is None:
        return [np.count_nonzero(mask) for mask in masks]
    return [weight[start:] @ mask for mask in masks]
