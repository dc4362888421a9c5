"""How exact scores at several times are: standard errors and intervals, time by time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal_censored._kernels.censoring_influence import (
    CensoringRisk,
    auc_errors,
    brier_errors,
    censoring_risk,
)
from sklearn_ordinal_censored._text import ShortRepr, short_repr
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.metrics._dynamic_auc import auc_by_time, read_dynamic_predictions
from sklearn_ordinal_censored.metrics._estimates import IDENTITY, LOG, LOGIT, Link
from sklearn_ordinal_censored.metrics._ipcw import case_factors, censoring_curve, inverse_survival
from sklearn_ordinal_censored.metrics._scored_curves import ScoredCurves
from sklearn_ordinal_censored.metrics._survival_curves import brier_by_time, read_survival_curves
from sklearn_ordinal_censored.targets._inputs import check_confidence_level, check_option, preview
from sklearn_ordinal_censored.targets._undefined import replace_undefined


class CurveInterval(NamedTuple):
    """The two ends of an interval at each time.

    Attributes
    ----------
    low, high : ndarray of shape (n_times,)
        Ends; NaN where there is no interval.

    Examples
    --------
    >>> low, high = CurveInterval(np.array([0.1]), np.array([0.3]))
    >>> high
    array([0.3])
    """

    low: FloatArray
    high: FloatArray

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, eq=False, repr=False)  # arrays have no single truth value
class CurveEstimate(ShortRepr):
    """A score at several times, and how far it may be from the true one.

    Attributes
    ----------
    times : ndarray of shape (n_times,)
        The times, in the caller's order.
    estimate : ndarray of shape (n_times,)
        The score at each time.
    standard_error : ndarray of shape (n_times,)
        Its standard error, NaN where the score is undefined.

    Examples
    --------
    >>> one = np.ones(1)
    >>> CurveEstimate(one, 0.2 * one, 0.1 * one).confidence_interval().high.round(3)
    array([0.396])
    """

    times: FloatArray
    estimate: FloatArray
    standard_error: FloatArray

    _links: ClassVar[Mapping[str, Link]] = {"wald": IDENTITY}

    def confidence_interval(
        self, confidence_level: float = 0.95, method: str = "wald"
    ) -> CurveInterval:
        """Return an interval for each time that holds the true score with a given probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. It holds for each time by itself, not for all of them together.
        method : {"wald"}, default="wald"
            Symmetric.

        Returns
        -------
        CurveInterval
            With ``low`` and ``high``. NaN where the standard error is undefined, and with an
            ``UndefinedMetricWarning`` where it is 0.

        Raises
        ------
        ValueError
            If an option is refused.
        """
        level = check_confidence_level(confidence_level)
        check_option("method", method, tuple(self._links))
        no_width = self.standard_error == 0
        if no_width.any():
            warn(
                f"standard_error is 0 at {preview(np.sort(self.times[no_width]))}. An interval "
                "without width would claim certainty: its ends are set to nan.",
                UndefinedMetricWarning,
            )
        return self._interval(self._links[method], ndtri((1 + level) / 2))

    def _interval(self, link: Link, quantile: float) -> CurveInterval:
        ends = np.full((2, len(self.times)), np.nan)
        for number in np.flatnonzero(self.standard_error > 0):
            value = float(self.estimate[number])
            if link.low < value < link.high:
                centre = link.forward(value)
                margin = quantile * self.standard_error[number] * link.slope(value)
                ends[:, number] = link.backward(centre - margin), link.backward(centre + margin)
        return CurveInterval(*ends)


class BrierEstimate(CurveEstimate):
    """A Brier score at several times, with intervals that stay above 0.

    Attributes
    ----------
    times, estimate, standard_error : ndarray of shape (n_times,)
        The times in the caller's order, the score at each, and its standard error or NaN.

    Examples
    --------
    >>> BrierEstimate(*np.array([[1], [0.2], [0.1]])).confidence_interval().low.round(3)
    array([0.075])
    """

    _links: ClassVar[Mapping[str, Link]] = {"log": LOG, "wald": IDENTITY}

    def confidence_interval(
        self, confidence_level: float = 0.95, method: str = "log"
    ) -> CurveInterval:
        """Return an interval for each time that holds the true score with a given probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. It holds for each time by itself, not for all of them together.
        method : {"log", "wald"}, default="log"
            ``"log"``: formed for the logarithm of the score, so that it stays above 0.
            ``"wald"``: symmetric.

        Returns
        -------
        CurveInterval
            With ``low`` and ``high``. NaN where the standard error is undefined, and with an
            ``UndefinedMetricWarning`` where it is 0.

        Raises
        ------
        ValueError
            If an option is refused.
        """
        return super().confidence_interval(confidence_level, method)


class AucEstimate(CurveEstimate):
    """An area under a ROC curve at several times, with intervals that stay between 0 and 1.

    Attributes
    ----------
    times, estimate, standard_error : ndarray of shape (n_times,)
        The times in the caller's order, the score at each, and its standard error or NaN.

    Examples
    --------
    >>> AucEstimate(*np.array([[1], [0.9], [0.1]])).confidence_interval().high.round(3)
    array([0.988])
    """

    _links: ClassVar[Mapping[str, Link]] = {"logit": LOGIT, "wald": IDENTITY}

    def confidence_interval(
        self, confidence_level: float = 0.95, method: str = "logit"
    ) -> CurveInterval:
        """Return an interval for each time that holds the true score with a given probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. It holds for each time by itself, not for all of them together.
        method : {"logit", "wald"}, default="logit"
            ``"logit"``: formed for the logarithm of the odds, so that it stays between 0 and 1.
            ``"wald"``: symmetric.

        Returns
        -------
        CurveInterval
            With ``low`` and ``high``. NaN where the standard error is undefined, and with an
            ``UndefinedMetricWarning`` where it is 0.

        Raises
        ------
        ValueError
            If an option is refused.
        """
        return super().confidence_interval(confidence_level, method)


def brier_inference(
    y_true: Any,
    y_proba: Any,
    *,
    times: ArrayLike,
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> BrierEstimate:
    """Compute Brier scores at given times with standard errors and intervals.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_proba : array-like of shape (n_samples, n_times)
        Survival probabilities of a model that was fitted to other rows, as for
        :func:`censored_brier_score`.
    times : array-like of shape (n_times,)
        The times, in any order.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A row is one independent unit whatever its weight.
    replace_undefined_by : float, default=np.nan
        Estimate where it is undefined; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    BrierEstimate
        With the arrays ``times``, ``estimate`` and ``standard_error``, and the method
        ``confidence_interval(confidence_level=0.95, method="log")``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    censored_brier_score : The estimates alone.
    auc_inference : Areas under ROC curves.

    Notes
    -----
    The standard error is that of the infinitesimal jackknife: its square is the sum of
    ``(w_i dB/dw_i)**2``, the slopes of the score in the weights of the rows. A row moves the score
    by its own error, and through the censoring curve, if that is estimated from the scored rows: a
    censoring raises the weight of all that come after. With ``censoring`` given the curve is taken
    as exact. Without weights this is the variance of the influence function [1]_.

    References
    ----------
    .. [1] P. Blanche, C. Proust-Lima, L. Loubère, C. Berr, J.-F. Dartigues, H. Jacqmin-Gadda.
       "Quantifying and Comparing Dynamic Predictive Accuracy of Joint Models for Longitudinal
       Marker and Time-to-Event in Presence of Censoring and Competing Risks." Biometrics 71(1),
       2015. :doi:`10.1111/biom.12232`

    Examples
    --------
    The squared errors are 0.04 and 0.16, each 0.06 from their mean; ``2 * 0.06**2 / 2**2`` is
    0.0018.

    >>> from sklearn_ordinal_censored.metrics import brier_inference
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1], time=[1, 3])
    >>> result = brier_inference(y_true, [[0.2], [0.6]], times=[2])
    >>> result.estimate.round(6), (result.standard_error**2).round(6)
    (array([0.1]), array([0.0018]))
    """
    scored = read_survival_curves(y_true, y_proba, times, sample_weight)
    found, reason = estimate_brier(scored, censoring)
    estimate = replace_undefined(found.estimate, "brier_inference", reason, replace_undefined_by)
    return replace(found, estimate=estimate)


def estimate_brier(scored: ScoredCurves, censoring: Any) -> tuple[BrierEstimate, str]:
    """Return Brier scores with their errors, and why they are undefined where they are.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and curves.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.

    Returns
    -------
    found : BrierEstimate
        Scores and errors, NaN where they are undefined.
    reason : str
        Part of a message; empty where all are defined.

    Examples
    --------
    >>> scored = read_survival_curves([[1, 1], [3, 3]], [[0.2], [0.6]], [2], None)
    >>> estimate_brier(scored, None)[0].estimate.round(6)
    array([0.1])
    """
    values, reason = brier_by_time(scored, censoring)
    weight, case_factor, risk = _weighting(scored, censoring)
    curve = censoring_curve(censoring, scored.target, scored.weight)
    control_factor = inverse_survival(curve, scored.times)
    errors = brier_errors(
        scored.curves,
        scored.times,
        scored.target.lower,
        weight,
        case_factor,
        risk,
        control_factor,
    )
    return BrierEstimate(scored.times, values, np.where(np.isnan(values), np.nan, errors)), reason


def auc_inference(
    y_true: Any,
    y_pred: Any,
    *,
    times: ArrayLike,
    prediction: str = "time",
    censoring: Any = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> AucEstimate:
    """Compute areas under the ROC curves at given times with standard errors and intervals.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Exact and right-censored rows; others, and late entries, are refused.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_times)
        Finite predictions of a model that was fitted to other rows, as for
        :func:`cumulative_dynamic_auc`.
    times : array-like of shape (n_times,)
        The times, in any order.
    prediction : {"time", "risk"}, default="time"
        Whether a larger prediction means a later or an earlier event.
    censoring : None, censored target or fitted reverse KaplanMeier, default=None
        Where the censoring distribution comes from: the scored data themselves, with their weights,
        another data set, or a curve.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A row is one independent unit whatever its weight.
    replace_undefined_by : float, default=np.nan
        Estimate where it is undefined; NaN comes with an ``UndefinedMetricWarning``.

    Returns
    -------
    AucEstimate
        With the arrays ``times``, ``estimate`` and ``standard_error``, and the method
        ``confidence_interval(confidence_level=0.95, method="logit")``.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    cumulative_dynamic_auc : The estimates alone.
    brier_inference : Brier scores.

    Notes
    -----
    The standard error is that of the infinitesimal jackknife: its square is the sum of
    ``(w_i dA/dw_i)**2``, the slopes of the area in the weights of the rows. A row moves the area as
    a case or a control, and through the censoring curve, if that is estimated from the scored rows.
    With ``censoring`` given the curve is taken as exact. Without weights this is the variance of
    the influence function [1]_; R's ``riskRegression`` divides it by n - 1 instead of n.

    References
    ----------
    .. [1] P. Blanche, J.-F. Dartigues, H. Jacqmin-Gadda. "Estimating and Comparing Time-Dependent
       Areas under Receiver Operating Characteristic Curves for Censored Event Times with Competing
       Risks." Statistics in Medicine 32(30), 2013. :doi:`10.1002/sim.5958`

    Examples
    --------
    Of the two cases one is on the right side of both controls, one on that of neither, each 1/2
    from the area: ``2 * (0.5 / 2)**2`` is 0.125. Each control is on the right side of one case, as
    the area says, and moves nothing.

    >>> from sklearn_ordinal_censored.metrics import auc_inference
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 1, 1, 1], time=[1, 1, 3, 3])
    >>> result = auc_inference(y_true, [2, 9, 5, 6], times=[2])
    >>> result.estimate, (result.standard_error**2).round(6)
    (array([0.5]), array([0.125]))
    """
    scored = read_dynamic_predictions(y_true, y_pred, times, prediction, sample_weight)
    found, reason = estimate_auc(scored, prediction, censoring)
    estimate = replace_undefined(found.estimate, "auc_inference", reason, replace_undefined_by)
    return replace(found, estimate=estimate)


def estimate_auc(scored: ScoredCurves, prediction: str, censoring: Any) -> tuple[AucEstimate, str]:
    """Return areas with their errors, and why they are undefined where they are.

    Parameters
    ----------
    scored : ScoredCurves
        Rows and predictions.
    prediction : {"time", "risk"}
        Whether larger means later or earlier.
    censoring : None, censored target or fitted reverse KaplanMeier
        Where the censoring distribution comes from.

    Returns
    -------
    found : AucEstimate
        Areas and errors, NaN where they are undefined.
    reason : str
        Part of a message; empty where all are defined.

    Examples
    --------
    >>> scored = read_dynamic_predictions([[1, 1], [3, 3]], [4, 5], [2], "time", None)
    >>> estimate_auc(scored, "time", None)[0].estimate
    array([1.])
    """
    values, reason = auc_by_time(scored, prediction, censoring)
    weight, case_factor, risk = _weighting(scored, censoring)
    sign = 1.0 if prediction == "time" else -1.0
    errors = auc_errors(
        scored.curves, scored.times, scored.target.lower, weight, case_factor, risk, sign
    )
    return AucEstimate(scored.times, values, np.where(np.isnan(values), np.nan, errors)), reason


def _weighting(
    scored: ScoredCurves, censoring: Any
) -> tuple[FloatArray, FloatArray, CensoringRisk | None]:
    """Return row weights, factors of the cases, and the risk sets behind an own censoring curve."""
    time, event = scored.target.lower, scored.target.is_exact
    curve = censoring_curve(censoring, scored.target, scored.weight)
    weight = scored.own_weight
    risk = censoring_risk(time, event, weight) if censoring is None else None
    return weight, case_factors(curve, scored.target), risk
