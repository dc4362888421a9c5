"""Which rows belong together, and which values there are, also where they cannot be sorted."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, IntArray
from sklearn_ordinal_censored.targets._columns import read_column
from sklearn_ordinal_censored.targets._inputs import preview


def read_groups(name: str, data: Any) -> IntArray:
    """Read a one-dimensional argument that says which rows belong together.

    Parameters
    ----------
    name : str
        The argument's name, for messages.
    data : array-like of shape (n_samples,)
        Anything that can be sorted.

    Returns
    -------
    ndarray of shape (n_samples,)
        The number of each row's group, in sorted order.

    Examples
    --------
    >>> read_groups("groups", ["b", "a", "b"])
    array([1, 0, 1])
    """
    values = read_column(name, data).values
    try:
        return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} holds {preview(values)}, which cannot be sorted ({error}); number the groups."
        ) from error


def distinct_values(values: AnyArray) -> list[Any]:
    """Return the distinct values, sorted where they can be, for messages.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Values.

    Returns
    -------
    list
        The same without repetitions.

    Examples
    --------
    >>> distinct_values(np.array([2, 1, 2]))
    [1, 2]
    """
    try:
        found: list[Any] = np.unique(values).tolist()
    except (TypeError, ValueError):
        found = list({repr(item): item for item in values}.values())
    return found
