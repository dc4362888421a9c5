"""The distribution of largest likelihood for interval-censored times.

Its mass lies in the innermost intervals: from the start of one row to the next end of one, with no
other start or end between (Peto, Turnbull). A row holds a contiguous range of them, so that all
sums over rows and intervals are differences of running sums, and memory is O(n).

One round is a step of the iterative convex minorant, which opens and closes intervals, a Newton
step for the intervals with mass, and a step of self-consistency (EM), which keeps small masses
accurate. Each raises the likelihood, so the hybrid converges like that of Wellner and Zhan, and
Newton's method makes its end quadratic.

References
----------
R. Peto. "Experimental Survival Curves for Interval-Censored Data." Applied Statistics 22(1), 1973.
doi:10.2307/2346307
B. W. Turnbull. "The Empirical Distribution Function with Arbitrarily Grouped, Censored and
Truncated Data." Journal of the Royal Statistical Society B 38(3), 1976.
doi:10.1111/j.2517-6161.1976.tb01597.x
J. A. Wellner, Y. Zhan. "A Hybrid Algorithm for Computation of the Nonparametric Maximum Likelihood
Estimator from Censored Data." Journal of the American Statistical Association 92(439), 1997.
doi:10.1080/01621459.1997.10474049
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import isotonic_regression

from sklearn_ordinal_censored._kernels.laplacian import solve_laplacian
from sklearn_ordinal_censored._typing import FloatArray, IntArray

TOLERANCE = 1e-12
_MAX_ROUNDS = 1000
_EM_STEPS = 3  # before the first round
_SETTLING = 4  # rounds before Newton's method, while most intervals are still being closed
_HALVINGS = 50
_ARMIJO = 1e-4
_NO_PROMISE = 1e-26  # a gain that is nothing but rounding
_TRACE = 1e-12  # a mass that may be nothing but rounding
_LEAST_SHARE = 1e-15  # of the weight; less shows in no mass, but its inverse is squared


class Support(NamedTuple):
    """Innermost intervals, and the range of them that lies in every row.

    Attributes
    ----------
    intervals : ndarray of shape (n_intervals, 2)
        Bounds, ascending; open below, or a point where they are equal.
    start, stop : ndarray of shape (n_samples,)
        First interval in each row, and the first one after it.

    Examples
    --------
    >>> import numpy as np
    >>> innermost_intervals(np.array([1.0, 2.0]), np.array([3.0, 4.0])).intervals
    array([[2., 3.]])
    """

    intervals: FloatArray
    start: IntArray
    stop: IntArray


class Masses(NamedTuple):
    """Where the distribution of largest likelihood has its mass.

    Attributes
    ----------
    intervals : ndarray of shape (n_support, 2)
        Innermost intervals with mass.
    masses : ndarray of shape (n_support,)
        Positive, with a sum of one.
    log_likelihood : float
        Sum of the weights times the logarithms of the masses in the rows.
    n_rounds : int
        Number of rounds.
    violation : float
        How much the optimality conditions are violated.

    Examples
    --------
    >>> import numpy as np
    >>> npmle(np.array([1.0, 2.0]), np.array([1.0, np.inf])).masses
    array([0.5, 0.5])
    """

    intervals: FloatArray
    masses: FloatArray
    log_likelihood: float
    n_rounds: int
    violation: float


class _Rows(NamedTuple):
    """Distinct ranges of intervals in the order of their starts, with shares of the weight."""

    start: IntArray
    stop: IntArray
    weight: FloatArray
    by_stop: IntArray  # order of the stops
    begun: IntArray  # number of rows that start at each interval or before it
    over: IntArray  # number of rows that stop before each interval
    n_intervals: int


class _Point(NamedTuple):
    """Masses, the mass in every row, and the derivatives of the mean log-likelihood."""

    masses: FloatArray
    chance: FloatArray
    gradient: FloatArray


_Round: TypeAlias = tuple[_Point, int]
_Watch: TypeAlias = Callable[[Iterator[_Round]], Iterable[_Round]]


def innermost_intervals(lower: FloatArray, upper: FloatArray) -> Support:
    """Return the intervals that can have mass.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_samples,)
        Bounds of the rows ``(lower, upper]``; equal ones stand for an exact time.

    Returns
    -------
    Support
        The intervals, and those in every row.

    Examples
    --------
    An exact time at 5 lies in ``(2, 5]``, but not in ``(5, 8]``:

    >>> import numpy as np
    >>> innermost_intervals(np.array([2.0, 5.0, 5.0]), np.array([5.0, 5.0, 8.0]))
    Support(intervals=array([[5., 5.], [5., 8.]]), start=array([0, 0, 1]), stop=array([1, 1, 2]))
    """
    n_samples = len(lower)
    ends = np.concatenate([lower, upper])
    # At one time exact rows start, then rows end, then open intervals start.
    turn = np.concatenate([np.where(lower == upper, 0, 2), np.ones(n_samples, dtype=np.intp)])
    order = np.lexsort((turn, ends))
    is_end = order >= n_samples
    is_innermost = ~is_end[:-1] & is_end[1:]
    place = np.flatnonzero(is_innermost)
    before = np.empty(2 * n_samples, dtype=np.intp)
    before[order] = np.append(0, np.cumsum(is_innermost))
    intervals = ends[order[np.stack([place, place + 1], axis=1)]]
    return Support(intervals, before[:n_samples], before[n_samples:])


def npmle(
    lower: FloatArray,
    upper: FloatArray,
    weight: FloatArray | None = None,
    watch: _Watch = iter,
) -> Masses:
    """Return the nonparametric maximum-likelihood estimate of a distribution.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_samples,)
        Bounds of the rows ``(lower, upper]``; equal ones stand for an exact time.
    weight : ndarray of shape (n_samples,) or None
        Positive row weights.
    watch : callable, default=iter
        Gets the rounds, and returns them; it may tell how many there were.

    Returns
    -------
    Masses
        The estimate.

    Notes
    -----
    With ``P`` the mass in a row, ``d`` of an interval is the sum of ``weight / P`` over the rows
    that hold it, divided by the sum of the weights. The estimate is the optimum if and only if
    ``d`` is one where there is mass and at most one elsewhere; the mean log-likelihood is never
    more than ``max(d) - 1`` below its maximum. The violation is the larger one of ``max(d) - 1``
    over the intervals without mass and ten times the total mass ``sum(mass * |d - 1|)`` that a
    step of self-consistency would move; the rounds end when it is at most 1e-12.

    On a line the masses are unique: every innermost interval starts where a row starts and ends
    where one ends, so that the masses in the rows leave no freedom.

    Examples
    --------
    Two rows of three hold the interval ``(2, 3]``:

    >>> import numpy as np
    >>> npmle(np.array([1.0, 2.0, 5.0]), np.array([3.0, 4.0, 6.0])).masses.round(12)
    array([0.66666667, 0.33333333])
    """
    support = innermost_intervals(lower, upper)
    weight = np.ones(len(lower)) if weight is None else weight
    rows = _distinct(support, weight)
    point, n_rounds = _maximise(rows, watch)
    point = _without_traces(rows, point)
    held = point.masses > 0
    log_likelihood = float(weight.sum() * (rows.weight @ np.log(point.chance)))
    return Masses(
        support.intervals[held], point.masses[held], log_likelihood, n_rounds, _violation(point)
    )


def _distinct(support: Support, weight: FloatArray) -> _Rows:
    n_ends = len(support.intervals) + 1
    cells, group = np.unique(support.start * n_ends + support.stop, return_inverse=True)
    start, stop = cells // n_ends, cells % n_ends
    share = np.maximum(np.bincount(group, weight) / weight.sum(), _LEAST_SHARE)
    begun, over = (np.cumsum(np.bincount(turn, minlength=n_ends))[:-1] for turn in (start, stop))
    by_stop = np.argsort(stop, kind="stable")
    return _Rows(start, stop, share / share.sum(), by_stop, begun, over, n_ends - 1)


def _maximise(rows: _Rows, watch: _Watch) -> _Round:
    point = _at(rows, np.full(rows.n_intervals, 1 / rows.n_intervals))
    for _ in range(_EM_STEPS):
        point = _self_consistency(rows, point)
    last = deque(watch(_rounds(rows, point)), maxlen=1)
    return last.pop() if last else (point, 0)


def _rounds(rows: _Rows, point: _Point) -> Iterator[_Round]:
    for n_rounds in range(_MAX_ROUNDS):
        if _violation(point) <= TOLERANCE:
            return
        point = _climb(rows, point, _convex_minorant(rows, point))
        if n_rounds >= _SETTLING:
            point = _climb(rows, point, _newton(rows, point))
        point = _self_consistency(rows, point)
        yield point, n_rounds + 1


def _at(rows: _Rows, masses: FloatArray) -> _Point:
    chance = _chance(rows, masses)
    return _Point(masses, chance, _gradient(rows, rows.weight / chance))


def _chance(rows: _Rows, masses: FloatArray) -> FloatArray:
    sums, lost = _running_sums(masses)
    return (sums[rows.stop] - sums[rows.start]) + (lost[rows.stop] - lost[rows.start])


def _gradient(rows: _Rows, terms: FloatArray) -> FloatArray:
    """Return for every interval the sum of the terms of the rows that hold it."""
    begun, lost_begun = _running_sums(terms)
    over, lost_over = _running_sums(terms[rows.by_stop])
    rounded = begun[rows.begun] - over[rows.over]
    return rounded + (lost_begun[rows.begun] - lost_over[rows.over])


def _running_sums(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return running sums from zero on, and what rounding took from them (Knuth's two-sum)."""
    sums = np.append(0.0, np.cumsum(values))
    before, after = sums[:-1], sums[1:]
    added = after - before
    lost = (before - (after - added)) + (values - added)
    return sums, np.append(0.0, np.cumsum(lost))


def _violation(point: _Point) -> float:
    excess = point.gradient - 1
    moved = (point.masses * np.abs(excess)).sum()
    # A step of self-consistency would move this much mass, a part of the way only: hence tenfold.
    return float(max(excess[point.masses == 0].max(initial=0.0), 10 * moved))


def _self_consistency(rows: _Rows, point: _Point) -> _Point:
    masses = point.masses * point.gradient
    return _at(rows, masses / masses.sum())


def _climb(rows: _Rows, point: _Point, direction: FloatArray) -> _Point:
    """Go along a direction, bent at masses of zero, half as far until the likelihood rises."""
    step = 1.0
    for _ in range(_HALVINGS):
        masses = np.maximum(point.masses + step * direction, 0.0)
        masses /= masses.sum()
        change = masses - point.masses
        promise = ((point.gradient - 1) * change).sum()
        if promise <= _NO_PROMISE:
            break
        # From the change itself: a difference of likelihoods would drown it in rounding. For the
        # same reason what the rounded sum of the masses brings is taken away.
        growth = _chance(rows, change) / point.chance
        is_far = _chance(rows, masses) < rows.weight / 10  # the optimum has at least the weight
        if growth.min() > -1 and not is_far.any():
            gain = (rows.weight * np.log1p(growth)).sum() - change.sum()
            if gain >= _ARMIJO * promise:
                return _at(rows, masses)
        step /= 2
    return point


def _convex_minorant(rows: _Rows, point: _Point) -> FloatArray:
    """Return the way to the best distribution function if its values did not interact."""
    size = rows.n_intervals + 1
    bend = rows.weight / point.chance**2
    curvature = (np.bincount(rows.start, bend, size) + np.bincount(rows.stop, bend, size))[1:-1]
    wanted = np.cumsum(point.masses)[:-1] - np.diff(point.gradient) / curvature
    values = np.clip(isotonic_regression(wanted, weights=curvature).x, 0.0, 1.0)
    return np.asarray(np.diff(values, prepend=0.0, append=1.0) - point.masses)


def _newton(rows: _Rows, point: _Point) -> FloatArray:
    """Return Newton's step for the distribution function at the intervals with mass."""
    held = point.masses > 0
    node = np.append(0, np.cumsum(held))
    slope = -np.diff(point.gradient[held])
    bend = rows.weight / point.chance**2
    shift = solve_laplacian(node[rows.start], node[rows.stop], bend, slope)
    direction = np.zeros(rows.n_intervals)
    direction[held] = np.diff(shift, prepend=0.0, append=0.0)
    return direction


def _without_traces(rows: _Rows, point: _Point) -> _Point:
    """Take away masses that rounding has left, unless they are needed."""
    masses = np.where(point.masses > _TRACE, point.masses, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        trimmed = _at(rows, masses / masses.sum())
    return trimmed if _violation(trimmed) <= TOLERANCE else point
