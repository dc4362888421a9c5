"""Dinkelbach's iteration: the least ratio of two sums over choices, by a few linear problems.

References
----------
W. Dinkelbach. "On Nonlinear Fractional Programming." Management Science 13(7), 1967.
doi:10.1287/mnsc.13.7.492
"""

from __future__ import annotations

from collections.abc import Callable

from sklearn_ordinal_censored._typing import IntArray


def minimise_ratio(
    solve: Callable[[float], tuple[IntArray, float, float]], incumbent: IntArray, ratio: float
) -> tuple[IntArray, float]:
    """Return the choice of least ratio, and the ratio.

    Parameters
    ----------
    solve : callable
        ``solve(ratio)`` returns the choice that minimises ``numerator - ratio * denominator``, and
        both of its sums; the denominator is not negative.
    incumbent : ndarray
        A choice to improve on.
    ratio : float
        Its ratio.

    Returns
    -------
    choice : ndarray
        The best one; the incumbent where nothing is lower. A choice of 0/0 never replaces it.
    ratio : float
        Its ratio.

    Examples
    --------
    >>> import numpy as np
    >>> top, bottom = np.array([3.0, 1.0]), np.array([3.0, 2.0])
    >>> def solve(ratio):
    ...     best = int(np.argmin(top - ratio * bottom))
    ...     return np.array([best]), top[best], bottom[best]
    >>> minimise_ratio(solve, np.array([0]), 1.0)
    (array([1]), 0.5)
    """
    while True:
        choice, numerator, denominator = solve(ratio)
        if denominator <= 0 or not numerator / denominator < ratio:
            return incumbent, float(ratio)
        incumbent, ratio = choice, numerator / denominator
