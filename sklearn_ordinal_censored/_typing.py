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


class CensoredTarget(NamedTuple):
    """Times known up to an interval.

    An exact value has ``lower == upper``; anything else is the half-open interval
    ``(lower, upper]``, with an infinite end for one-sided censoring.

    Attributes
    ----------
    lower, upper : ndarray of shape (n_samples,)
        Bounds.
    entry : ndarray of shape (n_samples,) or None
        Time at which each row came under observation; None stands for the start.

    Examples
    --------
    >>> import numpy as np
    >>> CensoredTarget(np.array([2.0, 5.0]), np.array([2.0, np.inf])).is_exact
    array([ True, False])
    """

    lower: FloatArray
    upper: FloatArray
    entry: FloatArray | None = None

    @property
    def is_exact(self) -> NDArray[np.bool_]:
        """Whether the time is known.

        Returns
        -------
        ndarray of shape (n_samples,)
            True for exact rows.
        """
        return np.asarray(self.lower == self.upper)

    @property
    def has_event(self) -> NDArray[np.bool_]:
        """Whether the time has a finite upper bound: the event is known to have happened.

        Returns
        -------
        ndarray of shape (n_samples,)
            True for exact, left- and interval-censored rows.
        """
        return np.asarray(np.isfinite(self.upper))

    @property
    def is_right(self) -> NDArray[np.bool_]:
        """Whether the time is known to be above the lower bound only.

        Returns
        -------
        ndarray of shape (n_samples,)
            True for right-censored rows.
        """
        return np.asarray(np.isposinf(self.upper))

    @property
    def is_left(self) -> NDArray[np.bool_]:
        """Whether the time is known to be at most the upper bound only.

        On a target without negative bounds a lower bound of 0 says no more than minus infinity.

        Returns
        -------
        ndarray of shape (n_samples,)
            True for left-censored rows.
        """
        finite = np.concatenate([self.lower[np.isfinite(self.lower)], self.upper])
        unbounded = np.isneginf(self.lower)
        if not (finite < 0).any():
            unbounded = unbounded | (self.lower == 0)
        return np.asarray(unbounded & ~self.is_exact & ~self.is_right)

    @property
    def is_right_censored(self) -> bool:
        """Whether no row is left- or interval-censored.

        Returns
        -------
        bool
            True for exact and right-censored rows.
        """
        return bool((self.is_exact | self.is_right).all())

    def take(self, rows: AnyArray) -> CensoredTarget:
        """Return the chosen rows.

        Parameters
        ----------
        rows : ndarray
            Row numbers or a mask.

        Returns
        -------
        CensoredTarget
            Their target.
        """
        entry = None if self.entry is None else self.entry[rows]
        return CensoredTarget(self.lower[rows], self.upper[rows], entry)
