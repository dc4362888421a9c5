"""Slow, obvious references for cut points: every solution is tried, every metric is a loop.

A row is a list of class memberships (1 for its grade, 0 elsewhere; soft rows hold fractions), so
that one set of loops serves rows as they are and rows mixed with smooth probabilities.
"""

from itertools import combinations_with_replacement

import numpy as np
from scipy.optimize import minimize
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score


def one_hot(codes, n_classes):
    return [[float(k == code) for k in range(n_classes)] for code in codes]


def distances(n_classes, power):
    if power == 0:
        return [[float(j != k) for k in range(n_classes)] for j in range(n_classes)]
    return [[float(abs(j - k) ** power) for k in range(n_classes)] for j in range(n_classes)]


def margins(rows, weight):
    """Weight of every grade."""
    totals = [0.0] * len(rows[0])
    for row, w in zip(rows, weight, strict=True):
        for j, share in enumerate(row):
            totals[j] += w * share
    return totals


def mean_cost(rows, predicted, weight, cost):
    total = 0.0
    for row, p, w in zip(rows, predicted, weight, strict=True):
        for j, share in enumerate(row):
            total += w * share * cost[j][p]
    return total / sum(weight)


def kappa(rows, predicted, weight, disagreement):
    """Weighted kappa, NaN where the expected disagreement is 0."""
    truth = margins(rows, weight)
    total = sum(weight)
    expected = 0.0
    for p, w in zip(predicted, weight, strict=True):
        for j, mass in enumerate(truth):
            expected += w / total * mass / total * disagreement[j][p]
    if expected == 0:
        return float("nan")
    return 1 - mean_cost(rows, predicted, weight, disagreement) / expected


def macro_error(rows, predicted, weight):
    """Mean over the grades present of the mean distance in ranks."""
    truth = margins(rows, weight)
    errors = [0.0] * len(truth)
    for row, p, w in zip(rows, predicted, weight, strict=True):
        for j, share in enumerate(row):
            errors[j] += w * share * abs(j - p)
    means = [error / mass for error, mass in zip(errors, truth, strict=True) if mass > 0]
    return sum(means) / len(means)


def value(objective, rows, predicted, weight):
    """An objective in the metric's own direction; anything but a name is a cost matrix."""
    n_classes = len(rows[0])
    if not isinstance(objective, str):
        return mean_cost(rows, predicted, weight, objective)
    if objective == "accuracy":
        return 1 - mean_cost(rows, predicted, weight, distances(n_classes, 0))
    if objective == "mean_absolute_class_error":
        return mean_cost(rows, predicted, weight, distances(n_classes, 1))
    if objective == "macro_mean_absolute_class_error":
        return macro_error(rows, predicted, weight)
    power = {"linear_weighted_kappa": 1, "quadratic_weighted_kappa": 2}[objective]
    return kappa(rows, predicted, weight, distances(n_classes, power))


def sign(objective):
    """One where a larger value is better, else minus one."""
    higher = ("accuracy", "linear_weighted_kappa", "quadratic_weighted_kappa")
    return 1 if isinstance(objective, str) and objective in higher else -1


def all_predictions(score, n_classes):
    """Every way to cut the sorted distinct scores: a predicted rank for every row."""
    distinct = sorted(set(score))
    for positions in combinations_with_replacement(range(len(distinct) + 1), n_classes - 1):
        rank = {
            s: sum(position <= place for position in positions) for place, s in enumerate(distinct)
        }
        yield [rank[s] for s in score]


def best_value(objective, rows, score, weight):
    """The best value that any cut points reach; 0/0 never counts."""
    s = sign(objective)
    found = (
        s * value(objective, rows, predicted, weight)
        for predicted in all_predictions(score, len(rows[0]))
    )
    return s * max(v for v in found if v == v)


def nelder_mead_kappa(codes, score, n_classes, weights="quadratic"):
    """The customary recipe: a simplex search from 0.5, 1.5, ... on scikit-learn's kappa."""

    def _loss(cuts):
        predicted = np.digitize(score, np.sort(cuts))
        return -cohen_kappa_score(codes, predicted, labels=range(n_classes), weights=weights)

    found = minimize(_loss, np.arange(n_classes - 1) + 0.5, method="Nelder-Mead")
    return -found.fun


def smooth_probabilities(codes, score, n_classes, weight):
    """Cumulative logistic regressions on normal scores of the mid-ranks, row by row."""
    score, weight = np.asarray(score), np.asarray(weight)
    total = weight.sum()
    z = np.array(
        [norm.ppf((weight[score < s].sum() + weight[score == s].sum() / 2) / total) for s in score]
    )
    features = np.column_stack([z, z**2, z**3])
    cdf = np.ones((len(score), n_classes))
    for k in range(n_classes - 1):
        below = np.array([code <= k for code in codes])
        if below.all() or not below.any():
            cdf[:, k] = below[0]
            continue
        model = LogisticRegression(C=10, tol=1e-12, max_iter=100_000)
        model.fit(features, below, sample_weight=weight)
        cdf[:, k] = model.predict_proba(features)[:, 1]
    for k in range(1, n_classes):
        cdf[:, k] = np.maximum(cdf[:, k], cdf[:, k - 1])
    return np.column_stack([cdf[:, 0], cdf[:, 1:] - cdf[:, :-1]])


def soft_rows(codes, score, n_classes, weight, smoothing):
    """Rows mixed with the smooth probabilities, as if ``smoothing`` more rows had been seen."""
    n = sum(weight)
    smooth = smooth_probabilities(codes, score, n_classes, weight)
    hard = np.array(one_hot(codes, n_classes))
    return ((n * hard + smoothing * smooth) / (n + smoothing)).tolist()


def random_problem(rng, max_rows=9):
    """Draw a small problem with ties, empty grades and weights of every kind; two grades count."""
    while True:
        n_classes = int(rng.integers(2, 5))
        n = int(rng.integers(2, max_rows + 1))
        used = rng.permutation(n_classes)[: rng.integers(2, n_classes + 1)]
        codes = rng.choice(used, n)
        noise = rng.normal(size=n) * rng.choice([0.3, 1, 3])
        score = codes + noise if rng.random() < 0.6 else rng.integers(0, 4, n).astype(float)
        weight = {
            "none": np.ones(n),
            "fractional": rng.random(n) + 0.01,
            "integer": rng.integers(0, 4, n).astype(float),
            "zeros": rng.random(n) * rng.integers(0, 2, n),
        }[str(rng.choice(["none", "fractional", "integer", "zeros"]))]
        if len(set(codes[weight > 0])) > 1:
            return codes, score, weight, n_classes
