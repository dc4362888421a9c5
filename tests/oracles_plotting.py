"""Slow and obvious versions of what the displays compute: loops straight from the definitions."""

import numpy as np


def contributions(y_true, y_pred, labels, cost, weight=None):
    """What each cell adds to the mean cost of a row."""
    weight = [1.0] * len(y_true) if weight is None else weight
    table = [[0.0] * len(labels) for _ in labels]
    for true, pred, w in zip(y_true, y_pred, weight, strict=True):
        i, j = labels.index(true), labels.index(pred)
        table[i][j] += w * cost[i][j] / sum(weight)
    return table


def bins_of_rows(values, n_bins):
    """Bin of every row: that of the middle one of all rows with its value."""
    ordered = sorted(values)
    numbers = []
    for value in values:
        places = [place for place, other in enumerate(ordered) if other == value]
        middle = (places[0] + places[-1] + 1) / 2
        numbers.append(min(int(n_bins * middle / len(values)), n_bins - 1))
    return numbers


def reliability(values, came_true, n_bins):
    """Mean prediction, observed share and number of rows of every bin that is not empty."""
    numbers = bins_of_rows(values, n_bins)
    bins = []
    for number in sorted(set(numbers)):
        rows = [row for row, own in enumerate(numbers) if own == number]
        bins.append(
            (
                sum(values[row] for row in rows) / len(rows),
                sum(came_true[row] for row in rows) / len(rows),
                len(rows),
            )
        )
    return bins


def graded(scores, cuts, labels):
    """Grade of every score; a score equal to a cut point belongs to the upper grade."""
    return np.array([labels[sum(cut <= score for cut in cuts)] for score in scores])
