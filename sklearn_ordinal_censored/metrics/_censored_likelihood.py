"""Scores of predicted distributions and quantiles when some of the true times are censored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.crps import censored_crps_scores
from sklearn_ordinal_censored._kernels.families import FAMILIES, log_likelihood, standardise
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.metrics._distributions import (
    PredictedDistributions,
    read_distributions,
)
from sklearn_ordinal_censored.metrics._predicted_times import read_predicted_times
from sklearn_ordinal_censored.targets._censored import refuse_entry
from sklearn_ordinal_censored.targets._inputs import check_number
from sklearn_ordinal_censored.targets._weights import average


def censored_log_loss(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    scale: float | ArrayLike | None = None,
    family: str = "normal",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean negative log-likelihood of predicted distributions.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,) or (n_samples, 2)
        Predicted locations, or locations and scales. For the last three families they are those of
        the log of time.
    scale : float or array-like of shape (n_samples,), default=None
        Predicted scales, above 0, if ``y_pred`` holds locations only.
    family : {"normal", "logistic", "lognormal", "loglogistic", "weibull"}, default="normal"
        Distribution of the time, or for the last three of a positive time whose log has location
        and scale. A Weibull time has the shape ``1 / scale`` and the scale ``exp(location)``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.

    Returns
    -------
    float
        Lower is better; it can be negative. Infinite if something happened that had probability 0.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values. Known times that are not positive are,
        for families of positive times.

    See Also
    --------
    censored_crps : In the unit of time, and kinder to outliers.

    Notes
    -----
    A known time counts the log of its density, a censored row that of the probability of its
    interval: S(lower) for right-censored, F(upper) for left-censored rows, else the difference. The
    density is always that of the time itself, so that families can be compared with each other; for
    the log of time the value would be lower by the mean log of the known times. In a target with an
    ``entry`` field a row is judged given that its time is after its entry.

    The loss is proper: if the censoring is independent of the time given the features, its
    expectation is least for the true distribution. That cannot be said of the survival CRPS [1]_;
    of :func:`censored_brier_score` only for large samples, if the censoring depends on neither time
    nor features or ``censoring`` is the right curve, and up to the end of the follow-up. Tails keep
    their digits however unlikely they are, and nothing is cut off.

    References
    ----------
    .. [1] D. Rindt, R. Hu, D. Steinsaltz, D. Sejdinovic. "Survival Regression with Proper Scoring
       Rules and Monotonic Neural Networks." Proceedings of Machine Learning Research 151
       (AISTATS), 2022. :doi:`10.48550/arXiv.2103.14755`

    Examples
    --------
    With the mean time exp(0) = 1 an exponential time, which is a Weibull time of scale 1, has the
    density and the survival exp(-t): the mean of 2 and 3.

    >>> from sklearn_ordinal_censored.metrics import censored_log_loss
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0], time=[2, 3])
    >>> censored_log_loss(y_true, [0, 0], scale=1, family="weibull")
    2.5
    """
    rows = read_distributions(y_true, y_pred, scale, family, sample_weight, of_density=True)
    return average(-_log_likelihood(family, rows), rows.weight)


def _log_likelihood(family: str, rows: PredictedDistributions) -> FloatArray:
    lower, upper, entry = rows.target
    if entry is None:
        return log_likelihood(FAMILIES[family], lower, upper, rows.location, rows.scale)
    lower = np.where(rows.target.is_exact, lower, np.maximum(lower, entry))
    value = log_likelihood(FAMILIES[family], lower, upper, rows.location, rows.scale)
    start = standardise(FAMILIES[family], entry, rows.location, rows.scale)
    with np.errstate(invalid="ignore"):
        given = value - FAMILIES[family].log_survival(start)
    return np.where(np.isneginf(value), value, given)


def censored_crps(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    scale: float | ArrayLike | None = None,
    family: str = "normal",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean continuous ranked probability score of predicted distributions.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,) or (n_samples, 2)
        Predicted locations, or locations and scales. For the last three families they are those of
        the log of time.
    scale : float or array-like of shape (n_samples,), default=None
        Predicted scales, above 0, if ``y_pred`` holds locations only.
    family : {"normal", "logistic", "lognormal", "loglogistic", "weibull"}, default="normal"
        Distribution of the time, or for the last three of a positive time whose log has location
        and scale. A Weibull time has the shape ``1 / scale`` and the scale ``exp(location)``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.

    Returns
    -------
    float
        In the unit of time, not negative; lower is better. It is infinite where the score does not
        exist, for a loglogistic time with a scale of 2 or more, or is too large for float64, as for
        a lognormal time with a scale above 53; right-censored rows have a score all the same.

    Raises
    ------
    ValueError
        If an input is refused, targets with delayed entries among them.

    See Also
    --------
    censored_log_loss : Of the two the one to compare models with when many rows are censored.

    Notes
    -----
    With the predicted cdf F and survival S = 1 - F a row whose time lies in ``(lower, upper]``
    counts

    ``integral of F(t)^2 up to lower + integral of S(t)^2 from upper on``,

    that is, the distance of F from a step at the time, squared and integrated where it is known.
    For a known time this is the CRPS [1]_, which tends to the absolute error as the scale tends to
    0; for a right-censored row it is the survival CRPS [2]_.

    Without censoring the score is proper: its expectation is least for the true distribution. With
    censoring it is not [3]_: after a censoring all is forgiven, while an event is compared with all
    of F, so that it is in favour of distributions which end too early. :func:`censored_log_loss` is
    proper if the censoring is independent of the time given the features. By closed forms and
    quadrature the mean has about 12 digits.

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery. "Strictly Proper Scoring Rules, Prediction, and Estimation."
       Journal of the American Statistical Association 102(477), 2007.
       :doi:`10.1198/016214506000001437`
    .. [2] A. Avati, T. Duan, S. Zhou, K. Jung, N. H. Shah, A. Y. Ng. "Countdown Regression: Sharp
       and Calibrated Survival Predictions." Proceedings of Machine Learning Research 115 (UAI),
       2020. :doi:`10.48550/arXiv.1806.08324`
    .. [3] D. Rindt, R. Hu, D. Steinsaltz, D. Sejdinovic. "Survival Regression with Proper Scoring
       Rules and Monotonic Neural Networks." Proceedings of Machine Learning Research 151
       (AISTATS), 2022. :doi:`10.48550/arXiv.2103.14755`

    Examples
    --------
    For an exponential time of mean 1 the score of a row censored at c is the integral of
    (1 - exp(-t))^2 up to c, which is c - 3/2 + 2 exp(-c) - exp(-2c) / 2:

    >>> from sklearn_ordinal_censored.metrics import censored_crps
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[0], time=[2.5])
    >>> round(censored_crps(y_true, [0], scale=1, family="weibull"), 5)
    1.1608
    """
    rows = read_distributions(y_true, y_pred, scale, family, sample_weight)
    why = "the score cannot take it into account; censored_log_loss does"
    refuse_entry("y_true", rows.target, why)
    lower, upper, _ = rows.target
    scores = censored_crps_scores(family, lower, upper, rows.location, rows.scale)
    return average(scores, rows.weight)


def censored_quantile_loss(
    y_true: Any,
    y_pred: ArrayLike,
    *,
    quantile: float = 0.5,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean pinball loss of a predicted quantile of the time.

    Parameters
    ----------
    y_true : censored target of shape (n_samples,)
        Any kind of censoring.
    y_pred : array-like of shape (n_samples,)
        Predicted quantiles, finite.
    quantile : float, default=0.5
        Which quantile, between 0 and 1.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative.

    Returns
    -------
    float
        In the unit of time; lower is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    censored_mae : Twice the loss of the median, by ``method="hinge"``, and other ways.

    Notes
    -----
    A prediction p counts the pinball loss [1]_ against the point t of the row's interval that is
    nearest to it: ``quantile (t - p)`` if p is too early, ``(1 - quantile) (p - t)`` if it is too
    late, and nothing if it lies in the interval. For a right-censored row this is the loss of
    censored quantile regression [2]_, which compares what one would see of either time. That paper
    also cuts p off at the time when an event would have been censored, which is not known here;
    where p is later than that, the two differ.

    With censoring the loss is least for a quantile that is too early: of exponential times with a
    mean of 1 and a hazard c of censoring for ``log(1 + (1 + c) q / (1 - q)) / (1 + c)`` in place of
    ``-log(1 - q)``, with q for ``quantile``.

    References
    ----------
    .. [1] R. Koenker, G. Bassett. "Regression Quantiles." Econometrica 46(1), 1978.
       :doi:`10.2307/1913643`
    .. [2] J. L. Powell. "Censored Regression Quantiles." Journal of Econometrics 32(1), 1986.
       :doi:`10.1016/0304-4076(86)90016-3`

    Examples
    --------
    The first prediction is too early by 2, the second is after the censoring, the third is too late
    by 1: (0.9 x 2 + 0 + 0.1 x 1) / 3.

    >>> from sklearn_ordinal_censored.metrics import censored_quantile_loss
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y_true = right_censored(event=[1, 0, 1], time=[4, 3, 5])
    >>> round(censored_quantile_loss(y_true, [2, 7, 6], quantile=0.9), 6)
    0.633333
    """
    check_quantile(quantile)
    rows = read_predicted_times(y_true, y_pred, sample_weight)
    late = rows.time - np.clip(rows.time, rows.target.lower, rows.target.upper)
    loss = np.where(late > 0, (1 - quantile) * late, -quantile * late)
    return average(loss, rows.weight)


def check_quantile(quantile: Any) -> None:
    """Refuse what is no number between 0 and 1.

    Parameters
    ----------
    quantile : object
        What the caller gave.

    Examples
    --------
    >>> check_quantile(1)
    Traceback (most recent call last):
    ValueError: quantile=1 must be a finite number, above 0 and below 1.
    """
    check_number("quantile", quantile, minimum=0, maximum=1, closed="neither")
