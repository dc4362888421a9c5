"""Slow and obvious references for errors, likelihoods and scores of censored times.

Curves are exact fractions made by loops over times and rows; leaving a row out means starting again
without it. Distributions are those of scipy, and integrals are taken by its quadrature, without
regard to tails. `lower == upper` is a known time, anything else says that the time lies in
`(lower, upper]`.
"""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
from oracles import unit_weights
from oracles_censored import censoring_before, mean
from scipy import stats
from scipy.integrate import quad


def distance_to_interval(lower, upper, point):
    """How far a point is from an interval."""
    return max(lower - point, 0.0) + max(point - upper, 0.0)


def survival_steps(time, event, weight=None, entry=None):
    """Times and the exact Kaplan-Meier curve from each of them on."""
    weight = [Fraction(w) for w in unit_weights(time, weight)]
    entry = [-math.inf] * len(time) if entry is None else entry
    value, steps = Fraction(1), []
    for at in sorted({t for t, w in zip(time, weight, strict=True) if w > 0}):
        rows = list(zip(time, event, weight, entry, strict=True))
        at_risk = sum(w for t, _, w, begin in rows if begin < at <= t)
        leaving = sum(w for t, is_event, w, begin in rows if t == at and is_event)
        value *= 1 - leaving / at_risk if leaving else 1
        steps.append((Fraction(at), value))
    return steps


def survival_at(steps, at):
    """Value of a step curve."""
    return ([Fraction(1)] + [value for time, value in steps if time <= at])[-1]


def area(steps, start, stop):
    """Area under a step curve."""
    cuts = [Fraction(start), *(t for t, _ in steps if start < t < stop), Fraction(stop)]
    return sum(survival_at(steps, a) * (b - a) for a, b in pairwise(cuts))


def restricted_mean(time, event, weight=None, horizon=None):
    """Mean of the times up to a horizon, the last time by default; no time is below zero."""
    weight = unit_weights(time, weight)
    horizon = (
        max(t for t, w in zip(time, weight, strict=True) if w > 0) if horizon is None else horizon
    )
    return area(survival_steps(time, event, weight), 0, horizon)


def margin_time(time, event, at, weight=None, entry=None):
    """Mean time of those who outlived a censoring; None where the curve is 0."""
    steps = survival_steps(time, event, weight, entry)
    alive = survival_at(steps, at)
    return Fraction(at) + area(steps, at, steps[-1][0]) / alive if alive else None


def pseudo_time(time, event, row, weight=None, unit=1):
    """Jackknife pseudo-observation of the restricted mean, by a second curve without the unit."""
    weight = [Fraction(w) for w in unit_weights(time, weight)]
    horizon = max(t for t, w in zip(time, weight, strict=True) if w > 0)
    total, unit = sum(weight), Fraction(unit)
    whole = restricted_mean(time, event, weight, horizon)
    if total == unit:
        return whole
    weight[row] -= unit
    rest = restricted_mean(time, event, weight, horizon)
    return (total * whole - (total - unit) * rest) / unit


def imputed_mae(time, event, pred, target_of, weight=None, entry=None):
    """Mean error with targets for the censored rows, which count one less the curve."""
    weight = unit_weights(time, weight)
    steps = survival_steps(time, event, weight, entry)
    errors, factors = [], []
    for row, (t, is_event, w) in enumerate(zip(time, event, weight, strict=True)):
        factor = 1 if is_event else 1 - survival_at(steps, t)
        if w > 0 and factor > 0:
            target = Fraction(t) if is_event else target_of(row)
            if target is None:
                return math.nan
            errors.append(float(abs(target - Fraction(pred[row]))))
            factors.append(float(w * factor))
    return mean(errors, factors)


def margin_mae(time, event, pred, weight=None, entry=None):
    """Mean error, censored rows against the mean time of those who outlived them."""
    return imputed_mae(
        time,
        event,
        pred,
        lambda row: margin_time(time, event, time[row], weight, entry),
        weight,
        entry,
    )


def pseudo_mae(time, event, pred, weight=None):
    """Mean error, censored rows against pseudo-observations."""
    own = unit_weights(time, weight)
    return imputed_mae(
        time,
        event,
        pred,
        lambda row: pseudo_time(time, event, row, weight, min(1, own[row])),
        weight,
    )


def ipcw_mae(lower, upper, pred, weight=None, normalize="hajek", survival=None):
    """Mean error of the events, weighted by one over the censoring curve just before them."""
    weight = unit_weights(lower, weight)
    survival = censoring_before(lower, upper, weight=weight) if survival is None else survival
    rows = [
        (abs(low - p), w / g, w)
        for low, high, p, w, g in zip(lower, upper, pred, weight, survival, strict=True)
        if low == high and w > 0
    ]
    if not rows:
        return math.nan
    total = sum(weight) if normalize == "horvitz_thompson" else sum(factor for _, factor, _ in rows)
    return math.fsum(error * factor for error, factor, _ in rows) / total


def distribution(family, location, scale):
    """The distribution of the time as scipy names it."""
    return {
        "normal": lambda: stats.norm(location, scale),
        "logistic": lambda: stats.logistic(location, scale),
        "lognormal": lambda: stats.lognorm(scale, scale=math.exp(location)),
        "loglogistic": lambda: stats.fisk(1 / scale, scale=math.exp(location)),
        "weibull": lambda: stats.weibull_min(1 / scale, scale=math.exp(location)),
    }[family]()


def negative_log_likelihood(family, lower, upper, location, scale):
    """Of one row, by differences of probabilities."""
    time = distribution(family, location, scale)
    if lower == upper:
        return -time.logpdf(lower)
    if upper == math.inf:
        return -time.logsf(lower)
    if lower == -math.inf:
        return -time.logcdf(upper)
    below, above = time.cdf([lower, upper]), time.sf([lower, upper])
    share = below[1] - below[0] if below[0] < 0.5 else above[0] - above[1]
    return -math.log(share) if share > 0 else math.inf


def crps(family, lower, upper, location, scale):
    """Of one row: the squared cdf up to the lower bound, the squared survival from the upper on."""
    time = distribution(family, location, scale)
    first, last = time.ppf(1e-13), time.isf(1e-13)  # what is beyond is squared and lost
    below = integral(lambda t: time.cdf(t) ** 2, min(first, lower), lower, time)
    if upper == math.inf:
        return below
    return below + integral(lambda t: time.sf(t) ** 2, upper, max(last, upper), time)


def integral(function, start, stop, time):
    """Sum over the stretches between quantiles, so that quadrature misses no feature."""
    if not start < stop:
        return 0.0
    shares = np.concatenate([np.logspace(-12, -1, 12), np.linspace(0.2, 0.5, 4)])
    quantiles = np.concatenate([time.ppf(shares), time.isf(shares)])
    cuts = [start, *sorted({q for q in quantiles if start < q < stop}), stop]
    spread = time.ppf(0.75) - time.ppf(0.25)
    return math.fsum(
        quad(function, a, b, epsabs=1e-12 * spread, epsrel=1e-9)[0] for a, b in pairwise(cuts)
    )


def known_time_crps(family, time, location, scale):
    """Closed form of the score of a known time; for positive times by way of E|T - time|."""
    z = ((time if family in ("normal", "logistic") else math.log(time)) - location) / scale
    if family == "normal":
        terms = (z * (2 * stats.norm.cdf(z) - 1), 2 * stats.norm.pdf(z), -1 / math.sqrt(math.pi))
        return scale * math.fsum(terms)
    if family == "logistic":
        return scale * (z - 2 * stats.logistic.logcdf(z) - 1)
    median = math.exp(location)
    if family == "lognormal":
        whole = median * math.exp(scale**2 / 2)
        early = whole * stats.norm.cdf(z - scale)
        least = 2 * whole * stats.norm.sf(scale / math.sqrt(2))
    elif family == "loglogistic":
        whole = median * math.gamma(1 + scale) * math.gamma(1 - scale)
        early = whole * stats.beta.cdf(stats.logistic.cdf(z), 1 + scale, 1 - scale)
        least = whole * (1 - scale)
    else:
        whole = median * math.gamma(1 + scale)
        early = whole * stats.gamma.cdf(math.exp(z), 1 + scale)
        least = whole * 2**-scale
    # Of two times the mean, the mean up to `time`, and the mean of the lesser one.
    share = distribution(family, location, scale).cdf(time)
    return time * (2 * share - 1) - 2 * early + least
