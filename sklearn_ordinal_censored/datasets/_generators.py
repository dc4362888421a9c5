"""Artificial data whose distribution is known in closed form.

A linear score of normal features plus normal noise is itself normal, so that its quantiles, and
with them the cut points that give the wished shares of grades, need no estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri
from sklearn.utils import check_random_state

from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.targets._censored import right_censored
from sklearn_ordinal_censored.targets._inputs import (
    check_count,
    check_flag,
    check_floats,
    check_number,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_MOST_NOISE = 1e100  # its square must not overflow


def _check_class_weights(class_weights: ArrayLike | None, n_classes: int) -> FloatArray:
    """Return one weight a class, the largest being one."""
    if class_weights is None:
        return np.ones(n_classes)
    try:
        weights = check_floats("class_weights", class_weights)
    except ValueError:
        weights = np.empty(0)  # refused below, with the number of classes
    if len(weights) != n_classes or (weights < 0).any() or not weights.any():
        raise ValueError(
            f"class_weights={class_weights!r} is not usable: pass n_classes={n_classes} finite "
            "numbers, none negative and not all zero."
        )
    # Scaled by the largest, so that no sum of them overflows.
    scaled: FloatArray = weights / weights.max()
    return scaled


def _cut_points(weights: FloatArray, scale: float) -> FloatArray:
    """Return the quantiles that give a centred normal score the wished shares of grades."""
    cumulative = np.cumsum(weights)
    # Dividing by the last sum, not by another rounding of it, keeps the shares at most one.
    cuts: FloatArray = scale * ndtri(cumulative[:-1] / cumulative[-1])
    return cuts


def _unit_coefficients(n_informative: int, rng: np.random.RandomState) -> FloatArray:
    # Sizes bounded away from zero: a feature called informative has to be.
    coef = rng.uniform(0.5, 1.0, n_informative) * rng.choice([-1.0, 1.0], n_informative)
    unit: FloatArray = coef / np.linalg.norm(coef)
    return unit


def _draw_score(
    n_samples: int, n_features: int, n_informative: int | None, rng: np.random.RandomState
) -> tuple[FloatArray, FloatArray]:
    """Return standard normal features, and a linear score of some of them with unit variance."""
    n_samples = check_count("n_samples", n_samples)
    n_features = check_count("n_features", n_features)
    n_informative = n_features if n_informative is None else n_informative
    n_informative = check_count("n_informative", n_informative)
    if n_informative > n_features:
        raise ValueError(
            f"n_informative={n_informative} is more than n_features={n_features}; take fewer."
        )
    coef = _unit_coefficients(n_informative, rng)
    X = rng.standard_normal((n_samples, n_features))
    return X, np.asarray(X[:, :n_informative] @ coef)


def make_ordinal(
    n_samples: int = 100,
    n_features: int = 5,
    *,
    n_informative: int | None = None,
    n_classes: int = 5,
    class_weights: ArrayLike | None = None,
    noise: float = 1.0,
    random_state: int | np.random.RandomState | None = None,
    return_latent: bool = False,
) -> tuple[NDArray[Any], ...]:
    r"""Generate features and an ordinal target that cuts a latent score into grades.

    The rows follow the cumulative probit model: normal features, a linear score with normal
    noise, and grades that part the score at fixed cut points.

    Parameters
    ----------
    n_samples : int, default=100
        Number of rows, at least 1.
    n_features : int, default=5
        Number of features, at least 1.
    n_informative : int or None, default=None
        Number of features that the score depends on, from 1 to `n_features`. They are the first
        columns; the others are pure noise. None means all.
    n_classes : int, default=5
        Number of grades, at least 2.
    class_weights : array-like of shape (n_classes,) or None, default=None
        Expected share of each grade, from the lowest to the highest; divided by their sum. They
        are finite, not negative and not all zero; a grade of weight 0 never occurs. None gives
        every grade the same share.
    noise : float, default=1.0
        Standard deviation of the noise, finite and not negative. The noiseless score has standard
        deviation 1, so that a regression on the score can reach an R2 of
        ``1 / (1 + noise ** 2)``.
    random_state : int, RandomState instance or None, default=None
        Source of the random numbers. An int gives the same data at every call.
    return_latent : bool, default=False
        If True, return the latent score as well.

    Returns
    -------
    X : ndarray of float of shape (n_samples, n_features)
        Independent standard normal features.
    y : ndarray of int of shape (n_samples,)
        Grades 0 (lowest score) to ``n_classes - 1``.
    latent : ndarray of float of shape (n_samples,)
        The score that was cut, noise included. Only with ``return_latent=True``.

    See Also
    --------
    load_anes96 : Real data with an ordinal target.
    sklearn.datasets.make_classification : Artificial data with an unordered target.

    Notes
    -----
    With :math:`m` informative features the latent score of a row is

    .. math:: s = \sum_{j=1}^{m} \beta_j x_j + \sigma \varepsilon, \qquad \lVert\beta\rVert = 1,

    where :math:`\varepsilon` is standard normal and :math:`\sigma` is `noise`. The sizes of the
    coefficients are drawn uniformly from 0.5 to 1, their signs at random, before the scaling.

    The cut points are quantiles of the *population*: :math:`s` has variance
    :math:`1 + \sigma^2`, and grade :math:`k` starts at

    .. math:: \theta_k = \sqrt{1 + \sigma^2}\; \Phi^{-1}(w_0 + \dots + w_{k-1}).

    Rows are therefore independent, as quantiles of the sample would not leave them, and
    `class_weights` are the expected shares: the counts of a sample vary around them, and a rare
    grade may be absent from a small one. A score equal to a cut point belongs to the upper grade.

    References
    ----------
    .. [1] P. McCullagh, "Regression Models for Ordinal Data", Journal of the Royal Statistical
       Society: Series B 42 (2), 1980, pp. 109-127. :doi:`10.1111/j.2517-6161.1980.tb01109.x`

    Examples
    --------
    Two grades of equal weight part the score at its mean, zero.

    >>> import numpy as np
    >>> from sklearn_ordinal_censored.datasets import make_ordinal
    >>> X, y, latent = make_ordinal(n_classes=2, random_state=0, return_latent=True)
    >>> X.shape
    (100, 5)
    >>> np.array_equal(y, latent >= 0)
    True

    Class weights are shares of the population.

    >>> X, y = make_ordinal(100_000, n_classes=3, class_weights=[6, 3, 1], random_state=0)
    >>> (np.bincount(y) / 100_000).round(2)
    array([0.6, 0.3, 0.1])
    """
    n_classes = check_count("n_classes", n_classes, minimum=2)
    check_flag("return_latent", return_latent)
    noise = check_number("noise", noise, minimum=0, maximum=_MOST_NOISE)
    cuts = _cut_points(_check_class_weights(class_weights, n_classes), np.hypot(1.0, noise))
    rng = check_random_state(random_state)
    X, score = _draw_score(n_samples, n_features, n_informative, rng)
    latent = score + noise * rng.standard_normal(len(X))
    y = np.searchsorted(cuts, latent, side="right").astype(np.int64)
    return (X, y, latent) if return_latent else (X, y)


def make_censored(
    n_samples: int = 100,
    n_features: int = 5,
    *,
    n_informative: int | None = None,
    censoring_rate: float = 0.3,
    noise: float = 1.0,
    random_state: int | np.random.RandomState | None = None,
    return_time: bool = False,
) -> tuple[NDArray[Any], ...]:
    r"""Generate features and a right-censored target.

    Times are log-normal around a linear score, and censored independently of the features.

    Parameters
    ----------
    n_samples : int, default=100
        Number of rows, at least 1.
    n_features : int, default=5
        Number of features, at least 1.
    n_informative : int or None, default=None
        Number of features that the times depend on, from 1 to `n_features`. They are the first
        columns; the others are pure noise. None means all.
    censoring_rate : float, default=0.3
        Expected share of censored rows, from 0 to below 1. The share of a sample varies around it.
    noise : float, default=1.0
        Standard deviation of the noise of the log times, finite and not negative. The noiseless
        log times have standard deviation 1.
    random_state : int, RandomState instance or None, default=None
        Source of the random numbers. An int gives the same data at every call.
    return_time : bool, default=False
        If True, return the uncensored times as well.

    Returns
    -------
    X : ndarray of float of shape (n_samples, n_features)
        Independent standard normal features.
    y : structured ndarray of shape (n_samples,)
        Fields ``event`` (bool) and ``time`` (float).
    time : ndarray of float of shape (n_samples,)
        The times before censoring. Only with ``return_time=True``.

    See Also
    --------
    load_gbsg2 : Real data with a censored target.

    Notes
    -----
    With the score :math:`s` of :func:`make_ordinal`, before noise, and independent standard normal
    :math:`\varepsilon` and :math:`\delta`,

    .. math:: \log T = s + \sigma \varepsilon, \qquad \log C = \mu + \delta,

    where :math:`\sigma` is `noise`. The difference of the two is normal, so that
    :math:`\mu = -\sqrt{2 + \sigma^2}\; \Phi^{-1}(r)` gives the rate :math:`r` exactly. The row is
    observed at the smaller of the two times.

    Examples
    --------
    >>> from sklearn_ordinal_censored.datasets import make_censored
    >>> X, y = make_censored(100_000, censoring_rate=0.4, random_state=0)
    >>> round(1 - y["event"].mean(), 2)
    np.float64(0.4)
    """
    check_flag("return_time", return_time)
    noise = check_number("noise", noise, minimum=0, maximum=_MOST_NOISE)
    rate = check_number("censoring_rate", censoring_rate, minimum=0, maximum=1, closed="left")
    rng = check_random_state(random_state)
    X, score = _draw_score(n_samples, n_features, n_informative, rng)
    with np.errstate(over="ignore"):
        time = np.exp(score + noise * rng.standard_normal(len(X)))
    if np.isinf(time).any():
        raise ValueError(f"noise={noise} gives times beyond float64; take less.")
    # A rate of 0 puts the censoring at infinity.
    with np.errstate(over="ignore"):
        limit = np.exp(rng.standard_normal(len(X)) - np.sqrt(2 + noise**2) * ndtri(rate))
    y = right_censored(time <= limit, np.minimum(time, limit))
    return (X, y, time) if return_time else (X, y)
