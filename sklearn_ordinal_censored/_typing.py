"""Type aliases, and the canonical forms in which targets travel through the library."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.intp]
AnyArray: TypeAlias = NDArray[Any]
Average: TypeAlias = Literal["micro", "macro", "max"]
Weights: TypeAlias = Literal["linear", "quadratic"] | float | ArrayLike | None


class OrdinalTarget(NamedTuple):
    """Grades as ranks on a scale.

    Attributes
    ----------
    codes : ndarray of shape (n_samples,)
        Rank of every row, 0 for the lowest grade.
    labels : ndarray of shape (n_classes,)
        The scale, lowest grade first.

    Examples
    --------
    >>> import numpy as np
    >>> OrdinalTarget(np.array([0, 1]), np.array(["low", "high"])).labels
    array(['low', 'high'], dtype='<U4')
    """

    codes: IntArray
    labels: AnyArray


class OrdinalPair(NamedTuple):
    """Truth and prediction as ranks on one scale, with the weights of the rows.

    Attributes
    ----------
    true, pred : ndarray of shape (n_samples,)
        Ranks, 0 for the lowest grade.
    labels : ndarray of shape (n_classes,)
        The scale, lowest grade first.
    weight : ndarray of shape (n_samples,) or None
        Row weights; None stands for a weight of one each.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1])
    >>> OrdinalPair(codes, codes, np.array(["low", "high"]), None).weight is None
    True
    """

    true: IntArray
    pred: IntArray
    labels: AnyArray
    weight: FloatArray | None
