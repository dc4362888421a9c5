"""Slow and obvious references for standard errors and for agreement of many raters.

Tables and matrices are lists of lists; a gap in the ratings is None.
"""

import cmath
import math

STEP = 1e-30  # of complex-step derivatives, which lose no digits by subtraction


def kappa_of_table(table, disagreement):
    """One minus observed over expected disagreement; entries of the table may be complex."""
    cells = [(i, j) for i in range(len(table)) for j in range(len(table))]
    total = sum(table[i][j] for i, j in cells)
    rows = [sum(line) for line in table]
    columns = [sum(line[j] for line in table) for j in range(len(table))]
    observed = sum(table[i][j] * disagreement[i][j] for i, j in cells)
    expected = sum(rows[i] * columns[j] * disagreement[i][j] for i, j in cells) / total
    return 1 - observed / expected if cmath.isfinite(expected) and expected else math.nan


def slope(table, disagreement, i, j):
    """Derivative of kappa when the count of one cell grows."""
    moved = [list(line) for line in table]
    moved[i][j] = complex(moved[i][j], STEP)
    return kappa_of_table(moved, disagreement).imag / STEP


def delta_error(table, disagreement):
    """Standard error by the delta method: slopes of kappa, covariances of multinomial counts."""
    cells = [(i, j) for i in range(len(table)) for j in range(len(table)) if table[i][j] > 0]
    total = math.fsum(table[i][j] for i, j in cells)
    slopes = {cell: slope(table, disagreement, *cell) for cell in cells}
    variance = 0.0
    for cell in cells:
        for other in cells:
            p, q = (table[i][j] / total for i, j in (cell, other))
            covariance = total * (p * (cell == other) - p * q)
            variance += slopes[cell] * slopes[other] * covariance
    return math.sqrt(max(variance, 0.0))


def independent(table):
    """The table of independent sides with the same margins."""
    total = sum(sum(line) for line in table)
    columns = [sum(line[j] for line in table) for j in range(len(table))]
    return [[sum(line) * column / total for column in columns] for line in table]


def published_error(table, disagreement, null=False):
    """The formulas of Fleiss, Cohen and Everitt (1969), in agreements."""
    size = range(len(table))
    total = sum(map(sum, table))
    top = max(map(max, disagreement))
    agreement = [[1 - disagreement[i][j] / top for j in size] for i in size]
    p = [[table[i][j] / total for j in size] for i in size]
    rows = [sum(p[i]) for i in size]
    columns = [sum(p[i][j] for i in size) for j in size]
    by_row = [sum(columns[j] * agreement[i][j] for j in size) for i in size]
    by_column = [sum(rows[i] * agreement[i][j] for i in size) for j in size]
    observed = sum(p[i][j] * agreement[i][j] for i in size for j in size)
    expected = sum(rows[i] * columns[j] * agreement[i][j] for i in size for j in size)
    if null:
        terms = sum(
            rows[i] * columns[j] * (agreement[i][j] - by_row[i] - by_column[j]) ** 2
            for i in size
            for j in size
        )
        return math.sqrt((terms - expected**2) / total) / (1 - expected)
    terms = sum(
        p[i][j]
        * (agreement[i][j] * (1 - expected) - (by_row[i] + by_column[j]) * (1 - observed)) ** 2
        for i in size
        for j in size
    )
    rest = (observed * expected - 2 * expected + observed) ** 2
    return math.sqrt((terms - rest) / total) / (1 - expected) ** 2


def table_of(true, pred, n_classes, weight):
    """The weighted table of two sides."""
    table = [[0.0] * n_classes for _ in range(n_classes)]
    for t, p, w in zip(true, pred, weight, strict=True):
        table[t][p] += w
    return table


def row_influences(true, pred, n_classes, disagreement):
    """Derivative of kappa by the weight of each row, one row after the other."""
    slopes = []
    for row in range(len(true)):
        weight = [complex(1, STEP) if other == row else 1 for other in range(len(true))]
        moved = kappa_of_table(table_of(true, pred, n_classes, weight), disagreement)
        slopes.append(moved.imag / STEP)
    return slopes


def infinitesimal_jackknife(true, preds, n_classes, disagreement):
    """Standard error of a kappa, or of the difference of two, from the rows' derivatives."""
    influences = [row_influences(true, pred, n_classes, disagreement) for pred in preds]
    rows = zip(*influences, strict=True)
    return math.sqrt(math.fsum((row[0] - sum(row[1:])) ** 2 for row in rows))


def delete_one_jackknife(true, preds, n_classes, disagreement):
    """Standard error from the values without one row each."""
    n_rows = len(true)
    values = []
    for left_out in range(n_rows):
        weight = [int(row != left_out) for row in range(n_rows)]
        first, *others = (
            kappa_of_table(table_of(true, pred, n_classes, weight), disagreement) for pred in preds
        )
        values.append(first - sum(others))
    mean = math.fsum(values) / n_rows
    return math.sqrt((n_rows - 1) / n_rows * math.fsum((value - mean) ** 2 for value in values))


def alpha(ratings, level):
    """Krippendorff's alpha from the table of coincidences, all pairs of values in loops."""
    units = [[value for value in unit if value is not None] for unit in ratings]
    units = [unit for unit in units if len(unit) >= 2]
    values = sorted({value for unit in units for value in unit})
    frequency = {value: sum(unit.count(value) for unit in units) for value in values}
    total = sum(frequency.values())

    def _difference(low, high):
        low, high = min(low, high), max(low, high)
        if level == "nominal":
            return float(low != high)
        if level == "interval":
            return (high - low) ** 2
        between = sum(frequency[value] for value in values if low <= value <= high)
        return (between - (frequency[low] + frequency[high]) / 2) ** 2

    observed = math.fsum(
        _difference(unit[i], unit[j]) / (len(unit) - 1)
        for unit in units
        for i in range(len(unit))
        for j in range(len(unit))
        if i != j
    )
    expected = math.fsum(
        frequency[a] * frequency[b] * _difference(a, b) for a in values for b in values
    )
    return 1 - observed * (total - 1) / expected if expected else math.nan


def gwet(ratings, grades, disagreement):
    """Gwet's AC2, pair of raters by pair of raters."""
    units = [[grades.index(value) for value in unit if value is not None] for unit in ratings]
    units = [unit for unit in units if unit]
    pairs = [
        [
            1 - disagreement[unit[i]][unit[j]]
            for i in range(len(unit))
            for j in range(len(unit))
            if i != j
        ]
        for unit in units
        if len(unit) >= 2
    ]
    if not pairs or not any(map(any, disagreement)):
        return math.nan
    observed = math.fsum(math.fsum(unit) / len(unit) for unit in pairs) / len(pairs)
    size = len(grades)
    shares = [[unit.count(k) / len(unit) for k in range(size)] for unit in units]
    share = [math.fsum(column) / len(units) for column in zip(*shares, strict=True)]
    agreements = math.fsum(1 - disagreement[k][m] for k in range(size) for m in range(size))
    expected = agreements * math.fsum(s * (1 - s) for s in share) / (size * (size - 1))
    return (observed - expected) / (1 - expected)
