"""Slow and obvious references for losses of raw scores: loops over rows and grades."""

import math


def softmax(scores):
    """Probabilities of one row."""
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def soft_kappa_loss(rows, true, weight, disagreement):
    """Observed over expected disagreement of shared-out rows, times the sum of the weights."""
    probabilities = [softmax(row) for row in rows]
    total = math.fsum(weight)
    grades = range(len(disagreement))
    observed = math.fsum(
        w * p[k] * disagreement[t][k]
        for t, w, p in zip(true, weight, probabilities, strict=True)
        for k in grades
    )
    expected = math.fsum(
        w * v * p[k] * disagreement[t][k] / total
        for t, v in zip(true, weight, strict=True)
        for w, p in zip(weight, probabilities, strict=True)
        for k in grades
    )
    return total * observed / expected


def cost_log_loss(rows, true, weight, cost, alpha):
    """Log loss times one plus alpha times the cost of the first most probable grade."""
    loss = 0.0
    for row, t, w in zip(rows, true, weight, strict=True):
        p = softmax(row)
        loss -= w * math.log(p[t]) * (1 + alpha * cost[t][p.index(max(p))])
    return loss


def slopes(function, rows, step=1e-5):
    """Central differences of a function of rows of numbers, one for every number."""

    def shifted(i, k, by):
        return [
            [x + by * (i == j and k == c) for c, x in enumerate(row)] for j, row in enumerate(rows)
        ]

    return [
        [
            (function(shifted(i, k, step)) - function(shifted(i, k, -step))) / (2 * step)
            for k in range(len(row))
        ]
        for i, row in enumerate(rows)
    ]
