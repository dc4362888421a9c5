"""Slow and obvious references for probabilities: loops over rows, pairs and all vectors of grades.

Grades are ranks. Probabilities are lists of rows; a row of weight zero counts as if absent.
"""

import math
from itertools import product

from oracles import exceedance, unit_weights


def mean(values, weight):
    """Weighted mean; rows of weight zero may hold anything, even infinities."""
    pairs = [(value, w) for value, w in zip(values, weight, strict=True) if w > 0]
    return math.fsum(value * w for value, w in pairs) / math.fsum(w for _, w in pairs)


def brier(true, proba, weight=None):
    """Mean squared error of P(y > k), cut by cut."""
    weight = unit_weights(true, weight)
    return [
        mean(
            [(exceedance(row)[cut] - (t > cut)) ** 2 for t, row in zip(true, proba, strict=True)],
            weight,
        )
        for cut in range(len(proba[0]) - 1)
    ]


def ranked_probability_score(true, proba, weight=None):
    """Mean over rows of the summed squared errors of P(y <= k)."""
    rows = []
    for t, row in zip(true, proba, strict=True):
        errors = [math.fsum(row[: cut + 1]) - (t <= cut) for cut in range(len(row) - 1)]
        rows.append(math.fsum(error**2 for error in errors))
    return mean(rows, unit_weights(true, weight))


def soft_kappa(true, proba, disagreement, weight=None):
    """One minus the disagreement of rows with themselves over that of all pairs of rows."""
    weight = unit_weights(true, weight)

    def disagree(t, row):
        return math.fsum(p * disagreement[t][k] for k, p in enumerate(row))

    observed = math.fsum(
        w * disagree(t, row) for t, row, w in zip(true, proba, weight, strict=True)
    )
    expected = math.fsum(
        w * v * disagree(t, row)
        for t, w in zip(true, weight, strict=True)
        for row, v in zip(proba, weight, strict=True)
    ) / math.fsum(weight)
    return math.nan if expected == 0 else 1 - observed / expected


def cost_log_loss(true, proba, cost, alpha, weight=None):
    """Mean of -log p of the true grade, times one plus alpha the cost of the most probable one."""
    rows = []
    for t, row in zip(true, proba, strict=True):
        loss = math.inf if row[t] == 0 else -math.log(row[t])
        rows.append(loss * (1 + alpha * cost[t][row.index(max(row))]))
    return mean(rows, unit_weights(true, weight))


def pairs_in_order(low, high, score, weight):
    """Weight of the pairs of a low and a high row in order, ties one half, and of all of them."""
    in_order = total = 0.0
    for i, j in product(low, high):
        pair = weight[i] * weight[j]
        total += pair
        in_order += pair * ((score[i] < score[j]) + (score[i] == score[j]) / 2)
    return in_order, total


def auc(true, score, cut, weight=None):
    """Share of the pairs across one cut that a score puts in order, nan without a pair."""
    weight = unit_weights(true, weight)
    low = [i for i, t in enumerate(true) if t <= cut]
    high = [i for i, t in enumerate(true) if t > cut]
    in_order, total = pairs_in_order(low, high, score, weight)
    return in_order / total if total else math.nan


def concordance(true, score, weight=None):
    """Share of the pairs of different grades that a score puts in order, nan without a pair."""
    weight = unit_weights(true, weight)
    in_order = total = 0.0
    for i, j in product(range(len(true)), repeat=2):
        if true[i] < true[j]:
            part, pair = pairs_in_order([i], [j], score, weight)
            in_order, total = in_order + part, total + pair
    return in_order / total if total else math.nan


def expected_cost(proba, decisions, cost, weight=None):
    """Mean cost of decisions if the probabilities are right."""
    rows = [
        math.fsum(p * cost[j][d] for j, p in enumerate(row))
        for row, d in zip(proba, decisions, strict=True)
    ]
    return mean(rows, unit_weights(proba, weight))


def least_expected_cost(proba, cost, weight=None):
    """The least expected cost of all vectors of grades."""
    vectors = product(range(len(cost[0])), repeat=len(proba))
    return min(expected_cost(proba, decisions, cost, weight) for decisions in vectors)


def mean_probabilities(proba, weight=None):
    """Weighted mean of the rows."""
    return [mean(column, unit_weights(proba, weight)) for column in zip(*proba, strict=True)]


def plug_in_kappa(proba, decisions, disagreement, prior, weight=None):
    """One minus expected over chance disagreement, nan for 0/0."""
    weight = unit_weights(proba, weight)
    chance = math.fsum(
        w * q * disagreement[j][d]
        for d, w in zip(decisions, weight, strict=True)
        for j, q in enumerate(prior)
    ) / math.fsum(weight)
    if chance == 0:
        return math.nan
    return 1 - expected_cost(proba, decisions, disagreement, weight) / chance


def largest_plug_in_kappa(proba, disagreement, prior, weight=None):
    """The largest plug-in kappa of all vectors of grades that have one."""
    weight, grades = unit_weights(proba, weight), range(len(disagreement))

    def column(shares):
        return [math.fsum(p * disagreement[j][k] for j, p in enumerate(shares)) for k in grades]

    rows, chance = [column(row) for row in proba], column(prior)
    best = -math.inf
    for decisions in product(grades, repeat=len(proba)):
        observed = sum(w * r[d] for r, d, w in zip(rows, decisions, weight, strict=True))
        expected = sum(w * chance[d] for d, w in zip(decisions, weight, strict=True))
        if expected > 0:
            best = max(best, 1 - observed / expected)
    return best
