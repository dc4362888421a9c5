"""The Kaplan-Meier curve of events, and its reverse, that of the censorings."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal_censored._compat import fit_context
from sklearn_ordinal_censored._kernels.product_limit import product_limit, survival_interval
from sklearn_ordinal_censored._site import Documented
from sklearn_ordinal_censored._typing import CensoredTarget, FloatArray
from sklearn_ordinal_censored.targets._censored import parse_right_censored
from sklearn_ordinal_censored.targets._curves import read_times
from sklearn_ordinal_censored.targets._inputs import (
    check_confidence_level,
    check_flag,
    check_option,
)
from sklearn_ordinal_censored.targets._weights import check_weights


class KaplanMeier(Documented, BaseEstimator):
    """Kaplan-Meier estimator of a survival curve, or of the censoring curve.

    Parameters
    ----------
    reverse : bool, default=False
        False: the probability of no event up to a time. True: the probability of not being censored
        up to a time, as weights by the inverse probability of censoring need it. Where an event and
        a censoring share a time, the event comes first in both.

    Attributes
    ----------
    times_ : ndarray of shape (n_times,)
        Distinct times, ascending.
    survival_ : ndarray of shape (n_times,)
        The curve from each time on.
    at_risk_ : ndarray of shape (n_times,)
        Weight at risk at each time; for ``reverse=True`` without the events at that time.
    variance_ : ndarray of shape (n_times,)
        Greenwood's variance of ``survival_``, 0 where the curve is 0; weights are read as
        frequencies.

    See Also
    --------
    sklearn_ordinal_censored.metrics.concordance_index_ipcw : Takes a fitted reverse curve.

    Notes
    -----
    ``S(t) = prod(1 - d_k / r_k)`` over the times ``t_k <= t``, with ``d_k`` events among ``r_k`` at
    risk [1]_. A row with an ``entry`` time is at risk after it.

    References
    ----------
    .. [1] E. L. Kaplan, P. Meier. "Nonparametric Estimation from Incomplete Observations."
       Journal of the American Statistical Association 53(282), 1958.
       :doi:`10.1080/01621459.1958.10501452`

    Examples
    --------
    Of four rows one has its event at 1; of the two left after the censoring at 2 one has it at 3:

    >>> from sklearn_ordinal_censored.nonparametric import KaplanMeier
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> curve = KaplanMeier().fit(right_censored([1, 0, 1, 0], [1, 2, 3, 4]))
    >>> curve.predict([0.5, 1, 3, 3.5])
    array([1.   , 0.75 , 0.375, 0.375])
    >>> curve.predict([1, 3], left_limit=True)
    array([1.  , 0.75])
    """

    _parameter_constraints: dict[str, list[Any]] = {"reverse": ["boolean"]}  # noqa: RUF012

    def __init__(self, *, reverse: bool = False) -> None:
        self.reverse = reverse

    def __sklearn_clone__(self) -> KaplanMeier:
        # Curves are handed over as options, which scikit-learn clones with their holder; a curve
        # without its fit would be useless there.
        return copy(self)

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, y: Any, sample_weight: ArrayLike | None = None) -> KaplanMeier:
        """Estimate the curve.

        Parameters
        ----------
        y : censored target of shape (n_samples,)
            Exact and right-censored rows; others are refused.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative.

        Returns
        -------
        KaplanMeier
            The fitted curve.

        Raises
        ------
        ValueError
            If the target or the weights are refused.
        """
        target = parse_right_censored("y", y)
        return self._fit(target, check_weights(sample_weight, len(target.lower)))

    def _fit(self, target: CensoredTarget, weight: FloatArray | None) -> KaplanMeier:
        if weight is not None:
            target, weight = target.take(weight > 0), weight[weight > 0]
        curve = product_limit(
            target.lower, target.is_exact, weight, target.entry, reverse=self.reverse
        )
        self._fitted_reverse = self.reverse
        self.times_ = curve.times
        self.survival_ = curve.survival
        self.at_risk_ = curve.at_risk
        with np.errstate(invalid="ignore"):
            self.variance_ = np.where(
                curve.survival > 0, curve.survival**2 * curve.hazard_variance, 0.0
            )
        return self

    def predict(self, times: ArrayLike, *, left_limit: bool = False) -> FloatArray:
        """Return the curve at given times.

        Parameters
        ----------
        times : array-like of shape (n_times,)
            Finite times or durations, in any order.
        left_limit : bool, default=False
            Whether to return the value just before each time instead of the value at it.

        Returns
        -------
        ndarray of shape (n_times,)
            Probabilities, in the order of ``times``. Past the last time of the data the curve is
            unknown, NaN, unless it has reached 0, or is reverse and nothing was censored.

        Raises
        ------
        ValueError
            If a time is not finite.
        """
        check_is_fitted(self, "survival_")
        check_flag("left_limit", left_limit)
        times = read_times(times, may_be_empty=True)
        # Ascending times are found several times as fast: the search stays in the cache.
        order = np.argsort(times)
        place = np.searchsorted(self.times_, times[order], side="left" if left_limit else "right")
        values = np.empty(len(times))
        values[order] = np.concatenate([[1.0], self.survival_])[place]
        last = self.survival_[-1]
        if last > 0 and not (self._fitted_reverse and last == 1.0):
            values[times > self.times_[-1]] = np.nan
        return np.asarray(values)

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "log-log"
    ) -> FloatArray:
        """Return pointwise confidence intervals of ``survival_``.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        method : {"log-log", "plain"}, default="log-log"
            ``"log-log"`` stays between 0 and 1; ``"plain"`` is symmetric and cut off there.

        Returns
        -------
        ndarray of shape (n_times, 2)
            Lower and upper ends; NaN where the curve is 0, since Greenwood's variance ends there.
        """
        check_is_fitted(self, "survival_")
        check_option("method", method, ("log-log", "plain"))
        level = check_confidence_level(confidence_level)
        return survival_interval(self.survival_, np.sqrt(self.variance_), level, method)
