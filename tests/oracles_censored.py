"""Slow and obvious references for censored times: loops over pairs of rows and over times.

Rows are given by their bounds: `lower == upper` is a known time, anything else says that the time
lies in `(lower, upper]`. A row of weight zero counts as if it were not there.
"""

import math

from oracles import unit_weights


def dominance_sums(rank, weight, start, stop, query):
    """Weight of the items `start:stop` whose rank is below, equal to and above each query."""
    weight = unit_weights(rank, weight)
    sums = ([], [], [])
    for begin, end, level in zip(start, stop, query, strict=True):
        items = [(rank[item], weight[item]) for item in range(begin, end)]
        sums[0].append(sum(w for r, w in items if r < level))
        sums[1].append(sum(w for r, w in items if r == level))
        sums[2].append(sum(w for r, w in items if r > level))
    return sums


def comes_before(lower, upper, i, j, strict_times=False):
    """Whether row i surely came before row j."""
    if upper[i] < lower[j]:
        return True
    return upper[i] == lower[j] and lower[j] != upper[j] and not strict_times


def comparable_pairs(lower, upper, stratum=None, entry=None, strict_times=False):
    """All pairs of an earlier row and a later one that was at risk of the earlier row's event."""
    n_rows = len(lower)
    return [
        (i, j)
        for i in range(n_rows)
        for j in range(n_rows)
        if comes_before(lower, upper, i, j, strict_times)
        and (stratum is None or stratum[i] == stratum[j])
        and (entry is None or entry[j] < upper[i])
    ]


def pair_sums(pairs, pred, weight=None, factor=None):
    """Weight of the pairs that are concordant, discordant and tied in the prediction."""
    weight = unit_weights(pred, weight)
    sums = {"concordant": 0, "discordant": 0, "tied": 0}
    for i, j in pairs:
        kind = "tied" if pred[i] == pred[j] else "concordant" if pred[i] < pred[j] else "discordant"
        sums[kind] += weight[i] * weight[j] * (1 if factor is None else factor[i])
    return sums


def concordance(sums):
    """Share of concordant pairs, equal predictions as halves; nan without a pair."""
    total = sum(sums.values())
    return (sums["concordant"] + sums["tied"] / 2) / total if total else math.nan


def risk_set(time, event, at, weight=None, entry=None, reverse=False):
    """Weight at risk at a time and weight that leaves then; events leave before censorings."""
    weight = unit_weights(time, weight)
    entry = [-math.inf] * len(time) if entry is None else entry
    at_risk = leaving = 0
    for end, is_event, w, begin in zip(time, event, weight, entry, strict=True):
        if begin < at <= end and not (reverse and is_event and end == at):
            at_risk += w
            leaving += w if end == at and bool(is_event) != reverse else 0
    return at_risk, leaving


def kaplan_meier(time, event, at, weight=None, entry=None, reverse=False, left_limit=False):
    """The product-limit curve at one time, or just before it; nan where the data cannot tell."""
    weight = unit_weights(time, weight)
    counted = [(t, e) for t, e, w in zip(time, event, weight, strict=True) if w > 0]
    value = 1.0
    for step in sorted({t for t, _ in counted}):
        if step < at or (step == at and not left_limit):
            at_risk, leaving = risk_set(time, event, step, weight, entry, reverse)
            value *= (at_risk - leaving) / at_risk if leaving else 1
    nothing_censored = reverse and all(e for _, e in counted)
    if at > max(t for t, _ in counted) and value > 0 and not nothing_censored:
        return math.nan
    return value


def greenwood(time, event, at, weight=None, entry=None, reverse=False):
    """Greenwood's sum up to a time: the variance of the log of the curve."""
    weight = unit_weights(time, weight)
    total = 0.0
    for step in sorted({t for t, w in zip(time, weight, strict=True) if w > 0 and t <= at}):
        at_risk, leaving = risk_set(time, event, step, weight, entry, reverse)
        if leaving:
            stays = at_risk - leaving
            total += leaving / (at_risk * stays) if stays else math.inf
    return total


def censoring_before(lower, upper, stratum=None, entry=None, weight=None):
    """For every row, the censoring curve of the rows of its stratum just before its own time."""
    weight = unit_weights(lower, weight)
    stratum = [0] * len(lower) if stratum is None else stratum
    survival = []
    for own_stratum, own_time in zip(stratum, lower, strict=True):
        rows = [row for row, other in enumerate(stratum) if other == own_stratum]
        if not any(weight[row] for row in rows):
            survival.append(math.nan)
            continue
        survival.append(
            kaplan_meier(
                [lower[row] for row in rows],
                [lower[row] == upper[row] for row in rows],
                own_time,
                [weight[row] for row in rows],
                None if entry is None else [entry[row] for row in rows],
                reverse=True,
                left_limit=True,
            )
        )
    return survival


def ipcw_concordance(
    lower, upper, pred, survival, tau=math.inf, stratum=None, entry=None, weight=None
):
    """Concordance of the pairs with an event before `tau`, weighted by 1 / G(T-) ** 2."""
    weight = unit_weights(lower, weight)
    pairs = [
        (i, j)
        for i, j in comparable_pairs(lower, upper, stratum, entry)
        if lower[i] < tau and weight[i] * weight[j] > 0
    ]
    if any(not survival[i] > 0 for i, _ in pairs):
        return math.nan
    factor = {i: 1 / survival[i] ** 2 for i, _ in pairs}
    return concordance(pair_sums(pairs, pred, weight, factor))


def mean(values, weight=None):
    """Weighted mean; nan without weight."""
    weight = unit_weights(values, weight)
    total = math.fsum(weight)
    products = (w * v for w, v in zip(weight, values, strict=True))
    return math.fsum(products) / total if total else math.nan
