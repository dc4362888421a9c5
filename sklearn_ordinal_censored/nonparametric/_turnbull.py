"""Turnbull's curve, the Kaplan-Meier curve of times of which only bounds are known."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal_censored._kernels.npmle import TOLERANCE, Masses, npmle
from sklearn_ordinal_censored._progress import Progress
from sklearn_ordinal_censored._site import Documented
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.targets._censored import parse_censored, refuse_entry
from sklearn_ordinal_censored.targets._curves import read_times
from sklearn_ordinal_censored.targets._inputs import check_flag, check_verbose
from sklearn_ordinal_censored.targets._weights import check_weights


class Turnbull(Documented, BaseEstimator):
    """Nonparametric maximum-likelihood estimator of a survival curve from bounds of times.

    It takes exact, left-, right- and interval-censored rows in any mixture, on the whole line. For
    exact and right-censored rows it is the Kaplan-Meier curve.

    Parameters
    ----------
    verbose : int, default=0
        Above 0, ``fit`` prints how many iterations are done; for a million rows they may take half
        a minute.

    Attributes
    ----------
    intervals_ : ndarray of shape (n_support, 2)
        Where the events are, ascending: ``(lower, upper]``, or a point where the two are equal.
    masses_ : ndarray of shape (n_support,)
        Probability of an event in each of them, positive; unique.
    log_likelihood_ : float
        Sum of the weights times the logarithms of the estimated probabilities of the rows.
    n_iter_ : int
        Number of iterations.

    See Also
    --------
    KaplanMeier : For exact and right-censored rows, with variances and late entry.

    Notes
    -----
    The estimate maximises ``sum(weight * log(P))``, ``P`` the mass inside a row's interval. The
    mass lies in innermost intervals, which begin with the lower bound of a row and end with the
    next upper bound of one [1]_. Where inside an interval it lies the data cannot tell:
    :meth:`predict` puts it at the end, and :meth:`predict_bounds` returns both extremes.

    Iterations of the hybrid of Wellner and Zhan [2]_ with Newton steps end at the optimum and not
    where progress is slow. With ``d`` the sum of ``weight / P`` over the rows that hold an
    interval, divided by the sum of the weights, ``d`` is one where there is mass and at most one
    elsewhere [3]_, to 1e-12.

    References
    ----------
    .. [1] B. W. Turnbull. "The Empirical Distribution Function with Arbitrarily Grouped, Censored
       and Truncated Data." Journal of the Royal Statistical Society B 38(3), 1976.
       :doi:`10.1111/j.2517-6161.1976.tb01597.x`
    .. [2] J. A. Wellner, Y. Zhan. "A Hybrid Algorithm for Computation of the Nonparametric Maximum
       Likelihood Estimator from Censored Data." Journal of the American Statistical Association
       92(439), 1997. :doi:`10.1080/01621459.1997.10474049`
    .. [3] R. Gentleman, C. J. Geyer. "Maximum Likelihood for Interval Censored Data: Consistency
       and Computation." Biometrika 81(3), 1994. :doi:`10.1093/biomet/81.3.618`

    Examples
    --------
    Two of three events can have been in (2, 3], the third one was in (5, 6]:

    >>> from sklearn_ordinal_censored.nonparametric import Turnbull
    >>> from sklearn_ordinal_censored.targets import interval_censored
    >>> curve = Turnbull().fit(interval_censored([1, 2, 5], [3, 4, 6]))
    >>> curve.intervals_
    array([[2., 3.],
           [5., 6.]])
    >>> curve.predict([2, 2.5, 3, 6]).round(3)
    array([1.   , 1.   , 0.333, 0.   ])
    >>> curve.predict_bounds([2, 2.5, 3, 6]).round(3)
    array([[1.   , 1.   ],
           [0.333, 1.   ],
           [0.333, 0.333],
           [0.   , 0.   ]])
    """

    def __init__(self, *, verbose: int = 0) -> None:
        self.verbose = verbose

    def __sklearn_clone__(self) -> Turnbull:
        # As KaplanMeier: a curve is handed over with its fit.
        return copy(self)

    def fit(self, y: Any, sample_weight: ArrayLike | None = None) -> Turnbull:
        """Estimate the curve.

        Parameters
        ----------
        y : censored target of shape (n_samples,)
            Rows of any kind, without late entry.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative.

        Returns
        -------
        Turnbull
            The fitted curve.

        Raises
        ------
        ValueError
            If the target or the weights are refused.
        """
        target = parse_censored("y", y)
        why = "Turnbull does not know late entry; use KaplanMeier for exact and right-censored rows"
        refuse_entry("y", target, why)
        return self._fit(target, check_weights(sample_weight, len(target.lower)))

    def _fit(self, target: CensoredTarget, weight: FloatArray | None) -> Turnbull:
        if weight is not None:
            target, weight = target.take(weight > 0), weight[weight > 0]
        progress = Progress(type(self).__name__, check_verbose(self.verbose))
        watch = partial(progress.over, what="iterations")
        return self._keep(npmle(target.lower, target.upper, weight, watch))

    def _keep(self, estimate: Masses) -> Turnbull:
        if not estimate.violation <= TOLERANCE:
            warn(
                f"Turnbull has not converged after {estimate.n_rounds} iterations: its optimality "
                f"conditions are violated by {estimate.violation:.1g}. This can happen where "
                "weights differ by more than 1e15.",
                ConvergenceWarning,
            )
        self.intervals_ = estimate.intervals
        self.masses_ = estimate.masses
        self.log_likelihood_ = estimate.log_likelihood
        self.n_iter_ = estimate.n_rounds
        return self

    def predict(self, times: ArrayLike, *, left_limit: bool = False) -> FloatArray:
        """Return the curve, the probability of no event up to a time, at given times.

        Parameters
        ----------
        times : array-like of shape (n_times,)
            Finite times or durations, in any order.
        left_limit : bool, default=False
            Whether to return the value just before each time instead of the value at it.

        Returns
        -------
        ndarray of shape (n_times,)
            Probabilities, in the order of ``times``: the largest that the estimate allows, which
            fall at the upper ends of ``intervals_``. Past the lower end of an interval without an
            upper one the curve is unknown, NaN.
        """
        check_is_fitted(self, "masses_")
        check_flag("left_limit", left_limit)
        times = read_times(times, may_be_empty=True)
        place = np.searchsorted(self.intervals_[:, 1], times, "left" if left_limit else "right")
        values = self._remaining()[place]
        if np.isposinf(self.intervals_[-1, 1]):
            values[times > self.intervals_[-1, 0]] = np.nan
        return np.asarray(values)

    def predict_bounds(self, times: ArrayLike) -> FloatArray:
        """Return the range of the curves that have the estimated masses.

        Parameters
        ----------
        times : array-like of shape (n_times,)
            Finite times or durations, in any order.

        Returns
        -------
        ndarray of shape (n_times, 2)
            Smallest and largest probability of no event up to each time; they differ inside
            ``intervals_``. This is no confidence interval.
        """
        check_is_fitted(self, "masses_")
        times = read_times(times, may_be_empty=True)
        begun = np.searchsorted(self.intervals_[:, 0], times, "left")
        over = np.searchsorted(self.intervals_[:, 1], times, "right")
        # An open interval begins after its lower end; a point of mass is over at it.
        return np.asarray(self._remaining()[np.stack([np.maximum(begun, over), over], axis=1)])

    def _remaining(self) -> FloatArray:
        """Return the mass left when the first 0, 1, ... intervals are over."""
        later = np.append(np.cumsum(self.masses_[::-1])[::-1], 0.0)
        later[0] = 1.0
        return np.asarray(later)
