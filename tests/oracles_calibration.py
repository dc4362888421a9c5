"""Slow and obvious references for the calibration of survival predictions: loops over rows."""

import math

from oracles_censored import greenwood, kaplan_meier


def bin_shares(smallest, largest, n_bins):
    """Share of a row in each bin, when its probability lies anywhere from smallest to largest."""
    edges = [number / n_bins for number in range(n_bins + 1)]
    shares = []
    for number in range(n_bins):
        low, high = edges[number], edges[number + 1]
        if smallest == largest:
            is_last = number == n_bins - 1
            shares.append(float(low <= smallest and (smallest < high or is_last)))
        else:
            overlap = max(0.0, min(high, largest) - max(low, smallest))
            shares.append(overlap / (largest - smallest))
    return shares


def d_calibration(spans, n_bins):
    """Pearson's statistic and the proportions of the bins."""
    rows = [bin_shares(smallest, largest, n_bins) for smallest, largest in spans]
    sums = [math.fsum(column) for column in zip(*rows, strict=True)]
    even = len(spans) / n_bins
    statistic = math.fsum((count - even) ** 2 / even for count in sums)
    return statistic, [count / len(spans) for count in sums]


def bins_of(proba, n_bins):
    """Lists of rows: each has the bin of the middle of all rows with its probability."""
    bins = {}
    for row, own in enumerate(proba):
        below = sum(other < own for other in proba)
        middle = below + sum(other == own for other in proba) / 2
        bins.setdefault(math.floor(n_bins * middle / len(proba)), []).append(row)
    return [bins[number] for number in sorted(bins)]


def null_variance(time, event, rows, predicted, moment):
    """Variance of the curve of some rows if it fell to the prediction in the pace of all rows."""
    steps = sorted({t for t, e in zip(time, event, strict=True) if e and t <= moment})
    hazard = [
        sum(e and t == step for t, e in zip(time, event, strict=True))
        / sum(t >= step for t in time)
        for step in steps
    ]
    own = [[values[row] for row in rows] for values in (time, event)]
    total, curve, before = 0.0, 1.0, 0.0
    for number, step in enumerate(steps):
        pace = math.fsum(hazard[: number + 1]) / math.fsum(hazard)
        after = predicted**pace
        uncensored = kaplan_meier(*own, min(step, max(own[0])), reverse=True, left_limit=True)
        total += (1 / after - 1 / curve) / uncensored
        curve, before = after, pace
    assert before == 1.0
    return predicted**2 * total / len(rows)


def calibration(time, event, proba, moment, n_bins):
    """Means, curves, Greenwood's errors of the bins, and the statistic."""
    bins = bins_of(proba, n_bins)
    predicted, observed, errors, variances = [], [], [], []
    for rows in bins:
        own = [[values[row] for row in rows] for values in (time, event)]
        predicted.append(math.fsum(proba[row] for row in rows) / len(rows))
        observed.append(kaplan_meier(*own, moment))
        known = observed[-1] > 0
        errors.append(observed[-1] * math.sqrt(greenwood(*own, moment)) if known else 0.0)
        variances.append(null_variance(time, event, rows, predicted[-1], moment))
    terms = zip(predicted, observed, variances, strict=True)
    return bins, predicted, observed, errors, math.fsum((p - o) ** 2 / v for p, o, v in terms)
