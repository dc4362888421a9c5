"""Slow and obvious references: plain loops over rows and pairs of rows, straight from the formulas.

Grades are ranks, 0 for the lowest. A row of weight zero counts as if it were not there.
"""

import math


def unit_weights(rows, weight=None):
    """One weight a row, as Python numbers."""
    return [1] * len(rows) if weight is None else list(weight)


def ranks(values, labels):
    """Position of every value in the list of labels."""
    return [list(labels).index(value) for value in values]


def repeat_rows(values, weight):
    """Every value as many times as its whole weight says."""
    return [value for value, times in zip(values, weight, strict=True) for _ in range(int(times))]


def distance_matrix(n_classes, power):
    """Distance of every pair of ranks to a power; power 0 tells only equal from different."""
    return [
        [0.0 if i == j else float(abs(i - j)) ** power for j in range(n_classes)]
        for i in range(n_classes)
    ]


def kappa(true, pred, disagreement, weight=None):
    """One minus observed over expected disagreement, the latter over all pairs of rows."""
    weight = unit_weights(true, weight)
    observed = math.fsum(w * disagreement[t][p] for t, p, w in zip(true, pred, weight, strict=True))
    expected = math.fsum(
        w * v * disagreement[t][p]
        for t, w in zip(true, weight, strict=True)
        for p, v in zip(pred, weight, strict=True)
    ) / math.fsum(weight)
    return math.nan if expected == 0 else 1 - observed / expected


def accuracy(true, pred, tolerance=0, weight=None):
    """Weighted share of rows within `tolerance` ranks."""
    weight = unit_weights(true, weight)
    right = [w for t, p, w in zip(true, pred, weight, strict=True) if abs(t - p) <= tolerance]
    return math.fsum(right) / math.fsum(weight)


def class_errors(true, pred, n_classes, power, weight=None):
    """Mean distance to a power for every true grade, nan for a grade without weight."""
    weight = unit_weights(true, weight)
    errors = []
    for grade in range(n_classes):
        rows = [
            (abs(t - p) ** power, w)
            for t, p, w in zip(true, pred, weight, strict=True)
            if t == grade and w > 0
        ]
        total = math.fsum(w for _, w in rows)
        errors.append(math.fsum(e * w for e, w in rows) / total if rows else math.nan)
    return errors


def class_error(true, pred, n_classes, power, average, weight=None):
    """Micro, macro or largest class error."""
    if average == "micro":
        weight = unit_weights(true, weight)
        errors = [w * abs(t - p) ** power for t, p, w in zip(true, pred, weight, strict=True)]
        return math.fsum(errors) / math.fsum(weight)
    errors = class_errors(true, pred, n_classes, power, weight)
    present = [error for error in errors if not math.isnan(error)]
    return max(present) if average == "max" else math.fsum(present) / len(present)


def cost(true, pred, matrix, aggregation, weight=None):
    """Total cost; its mean over the rows; or the mean over predicted grades of their totals."""
    weight = unit_weights(true, weight)
    by_prediction = [0.0] * len(matrix)
    for t, p, w in zip(true, pred, weight, strict=True):
        by_prediction[p] += w * matrix[t][p]
    if aggregation == "macro":
        return math.fsum(by_prediction) / len(matrix)
    total = math.fsum(by_prediction)
    return total if aggregation == "micro" else total / math.fsum(weight)


def cumulative_counts(true, pred, n_classes, weight=None):
    """True negatives, false positives, false negatives, true positives of "above k", cut by cut."""
    weight = unit_weights(true, weight)
    cuts = []
    for cut in range(n_classes - 1):
        counts = {(False, False): 0, (False, True): 0, (True, False): 0, (True, True): 0}
        for t, p, w in zip(true, pred, weight, strict=True):
            counts[t > cut, p > cut] += w
        cuts.append(tuple(counts.values()))
    return cuts


def measure(name, tn, fp, fn, tp):
    """A measure of a two by two table, nan for 0/0."""

    def ratio(numerator, denominator):
        return numerator / denominator if denominator else math.nan

    recall, specificity = ratio(tp, tp + fn), ratio(tn, tn + fp)
    return {
        "recall": recall,
        "precision": ratio(tp, tp + fp),
        "specificity": specificity,
        "f1": ratio(2 * tp, 2 * tp + fp + fn),
        "accuracy": ratio(tp + tn, tn + fp + fn + tp),
        "balanced_accuracy": (recall + specificity) / 2,
    }[name]


def exceedance(proba):
    """P(y > k) from the class probabilities of one row."""
    return [math.fsum(proba[cut + 1 :]) for cut in range(len(proba) - 1)]


def decode(above, rule, threshold=0.5):
    """Grade of one row from its P(y > k)."""
    if rule == "median":
        return sum(p > threshold for p in above)
    if rule == "mean":
        return math.floor(math.fsum(above) + 0.5)
    ends = [1.0, *above, 0.0]
    proba = [ends[k] - ends[k + 1] for k in range(len(above) + 1)]
    return proba.index(max(proba))


def nearest_non_increasing(values):
    """Isotonic regression by its min-max formula."""
    n_values = len(values)

    def mean(first, last):
        return math.fsum(values[first : last + 1]) / (last + 1 - first)

    return [
        min(max(mean(first, last) for last in range(i, n_values)) for first in range(i + 1))
        for i in range(n_values)
    ]
