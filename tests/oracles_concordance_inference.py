"""Slow and obvious references for the spread of a concordance: pairs, small steps, all orders."""

import itertools
import math

from oracles import unit_weights
from oracles_censored import comparable_pairs, concordance, pair_sums


def row_pairs(rows):
    """For every row: right and all partners by weight, and those after less those before."""
    weight = unit_weights(rows.lower, rows.weight)
    right, comparable, balance = ([0.0] * len(weight) for _ in range(3))
    for i, j in pairs_of(rows):
        degree = 1 if rows.pred[i] < rows.pred[j] else rows.pred[i] == rows.pred[j] and 0.5
        for own, other, sign in ((i, j, 1), (j, i, -1)):
            right[own] += degree * weight[other]
            comparable[own] += weight[other]
            balance[own] += sign * weight[other]
    return right, comparable, balance


def pairs_of(rows):
    """Comparable pairs of rows of positive weight."""
    weight = unit_weights(rows.lower, rows.weight)
    pairs = comparable_pairs(rows.lower, rows.upper, rows.stratum, rows.entry)
    return [(i, j) for i, j in pairs if weight[i] * weight[j] > 0]


def jackknife_terms(rows, pred, step=1e-5):
    """Weight of each row times the slope of the concordance in it, by a step to both sides."""
    weight, pairs = unit_weights(rows.lower, rows.weight), pairs_of(rows)

    def value(row, change):
        moved = [w * (1 + change * (i == row)) for i, w in enumerate(weight)]
        return concordance(pair_sums(pairs, pred, moved))

    return [(value(row, step) - value(row, -step)) / (2 * step) for row in range(len(weight))]


def jackknife_variance(terms, cluster=None):
    """Sum of squared terms, those of a cluster added up first."""
    cluster = range(len(terms)) if cluster is None else cluster
    sums = dict.fromkeys(cluster, 0.0)
    for name, term in zip(cluster, terms, strict=True):
        sums[name] += term
    return math.fsum(value**2 for value in sums.values())


def dealt_concordances(rows):
    """Concordance for every way to deal the predictions to the rows of each stratum."""
    weight, pairs = unit_weights(rows.lower, rows.weight), pairs_of(rows)
    stratum = [None] * len(weight) if rows.stratum is None else rows.stratum
    strata = [
        [row for row, own in enumerate(stratum) if own == name and weight[row] > 0]
        for name in sorted(set(stratum), key=str)
    ]
    values = []
    for orders in itertools.product(*(itertools.permutations(members) for members in strata)):
        pred = list(rows.pred)
        for members, order in zip(strata, orders, strict=True):
            for row, source in zip(members, order, strict=True):
                pred[row] = rows.pred[source]
        values.append(concordance(pair_sums(pairs, pred, weight)))
    return values


def score_test_variance(lower, upper, pred):
    """Variance of a Cox score test, on the scale of a concordance, without ties in event times.

    At each event the rank of its prediction is one of those at risk, all equally likely.
    """
    total = 0.0
    n_pairs = len(comparable_pairs(lower, upper))
    for time in (low for low, high in zip(lower, upper, strict=True) if low == high):
        at_risk = [p for low, p in zip(lower, pred, strict=True) if low >= time]
        ranks = [
            sum((other < own) + (other == own) / 2 for other in at_risk) - 0.5 for own in at_risk
        ]
        mean = math.fsum(ranks) / len(ranks)
        total += math.fsum((rank - mean) ** 2 for rank in ranks) / len(ranks)
    return total / n_pairs**2
