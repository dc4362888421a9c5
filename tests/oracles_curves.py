"""Slow and obvious references for predictions at several times: loops over rows, pairs and times.

Rows have a time and an event; a row of weight zero counts as if it were not there. The censoring
curve comes from a reference `(time, event, weight)`, which may be the rows themselves.
"""

import math
from itertools import pairwise

from oracles import unit_weights
from oracles_censored import comes_before, concordance, kaplan_meier, pair_sums


def censoring(reference, at, left_limit):
    """The censoring curve of a reference at one time, or just before it."""
    time, event, weight = reference
    return kaplan_meier(time, event, at, weight, reverse=True, left_limit=left_limit)


def brier(time, event, predicted, at, weight=None, reference=None):
    """The Brier score at one time; nan where a weight or the number of survivors is unknown."""
    weight = unit_weights(time, weight)
    reference = (time, event, weight) if reference is None else reference
    ends = [(end, not is_event) for end, is_event, w in zip(time, event, weight, strict=True) if w]
    last, ends_censored = max(ends)
    if at >= last and ends_censored and not censoring(reference, at, left_limit=False) > 0:
        return math.nan
    terms = []
    for end, is_event, share, w in zip(time, event, predicted, weight, strict=True):
        if w == 0 or (end <= at and not is_event):
            continue
        error = (1 - share) ** 2 if end > at else share**2
        survival = censoring(reference, min(end, at), left_limit=end <= at)
        terms.append(w * error / survival if survival > 0 else math.nan)
    return sum(terms) / sum(weight) if terms else math.nan


def marginal(time, event, at, weight=None):
    """The Kaplan-Meier curve of the rows at one time, once for each row."""
    return [kaplan_meier(time, event, at, weight)] * len(time)


def scaled(score, of_marginal):
    """Share of the Kaplan-Meier curve's score that is saved; nan where that has none."""
    return 1 - score / of_marginal if of_marginal > 0 else math.nan


def mean_by_trapezoids(times, values):
    """The mean over the distinct times before the first undefined value, by trapezoids."""
    known = []
    for at, value in sorted(dict(zip(times, values, strict=True)).items()):
        if math.isnan(value):
            break
        known.append((at, value))
    if len(known) < 2:
        return math.nan
    area = sum((t1 - t0) * (v0 + v1) / 2 for (t0, v0), (t1, v1) in pairwise(known))
    return area / (known[-1][0] - known[0][0])


def dynamic_auc(time, event, pred, at, weight=None, reference=None):
    """The share of pairs of a case and a control with the case predicted to be earlier."""
    weight = unit_weights(time, weight)
    reference = (time, event, weight) if reference is None else reference
    rows = [row for row in range(len(time)) if weight[row] > 0]
    cases = [row for row in rows if event[row] and time[row] <= at]
    controls = [row for row in rows if time[row] > at]
    factor = {row: censoring(reference, time[row], left_limit=True) for row in cases}
    if any(not survival > 0 for survival in factor.values()):
        return math.nan
    factor = {row: 1 / survival for row, survival in factor.items()}
    pairs = [(case, control) for case in cases for control in controls]
    return concordance(pair_sums(pairs, pred, weight, factor))


def mean_by_drops(times, values, survival):
    """The mean over the distinct times with a value, by the drop of a survival curve."""
    total = weights = 0.0
    before = 1.0
    for _, value, level in sorted(set(zip(times, values, survival, strict=True))):
        if not math.isnan(value):
            total += value * (before - level)
            weights += before - level
            before = level
    return total / weights if weights else math.nan


def step(times, values, at):
    """A step function that is known at some times; before all of them its first value."""
    known = sorted(zip(times, values, strict=True))
    found = known[0][1]
    for time, value in known:
        found = value if time <= at else found
    return found


def antolini(lower, upper, times, curves, entry=None, weight=None):
    """Concordance of curves, read at the time of the earlier row's event."""
    weight = unit_weights(lower, weight)
    sums = {"concordant": 0, "discordant": 0, "tied": 0}
    for i, at in enumerate(upper):
        later = [
            j
            for j in range(len(lower))
            if comes_before(lower, upper, i, j) and (entry is None or entry[j] < at)
        ]
        values = [step(times, curve, at) for curve in curves] if later else []
        for kind, weight_of_kind in pair_sums([(i, j) for j in later], values, weight).items():
            sums[kind] += weight_of_kind
    return concordance(sums)
