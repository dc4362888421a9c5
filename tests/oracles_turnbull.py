"""Slow and obvious references for bounds of times: sets of rows at every place of the line, EM.

A place is a value and a side: 0 is the value itself, 1 everything between it and the next value.
"""

import math
from itertools import groupby

import numpy as np


def holds(low, high, place):
    """Whether a place lies in (low, high], or is the value low if the two are equal."""
    if low == high:
        return place == (low, 0)
    return (low, 0) < place <= (high, 0)


def innermost(lower, upper):
    """Stretches of places whose set of rows is part of no other one, and these sets."""
    values = sorted({*lower, *upper, -math.inf, math.inf})
    places = [(value, side) for value in values for side in (0, 1)]
    rows = list(zip(lower, upper, strict=True))
    sets = [frozenset(i for i, row in enumerate(rows) if holds(*row, place)) for place in places]
    largest = {one for one in sets if one and not any(one < other for other in sets)}
    stretches = []
    for one, group in groupby(zip(sets, places, strict=True), key=lambda pair: pair[0]):
        if one in largest:
            _, held = zip(*group, strict=True)
            stretches.append(((held[0][0], held[-1][0]), sorted(one)))
    return [interval for interval, _ in stretches], [one for _, one in stretches]


def incidence(lower, upper):
    """Innermost intervals, and a matrix of rows times intervals: whether one holds the other."""
    intervals, sets = innermost(lower, upper)
    matrix = np.zeros((len(lower), len(intervals)))
    for column, rows in enumerate(sets):
        matrix[rows, column] = 1
    return intervals, matrix


def derivatives(matrix, weight, masses):
    """Derivative of the mean log-likelihood by every mass; the optimum has one, or less at 0."""
    return (weight / (matrix @ masses)) @ matrix / np.sum(weight)


def log_likelihood(matrix, weight, masses):
    """Weighted sum of the logarithms of the masses in the rows."""
    return float(np.sum(weight * np.log(matrix @ masses)))


def self_consistent(matrix, weight, n_steps):
    """Masses after many steps of self-consistency from equal ones."""
    masses = np.full(matrix.shape[1], 1 / matrix.shape[1])
    for _ in range(n_steps):
        masses = masses * derivatives(matrix, weight, masses)
    return masses


def bounds_at(intervals, masses, time):
    """Least and largest mass later than a time, if mass may lie anywhere in its interval."""
    sure = math.fsum(
        mass
        for (low, high), mass in zip(intervals, masses, strict=True)
        if low > time or (low == time and low != high)
    )
    possible = math.fsum(
        mass for (_, high), mass in zip(intervals, masses, strict=True) if high > time
    )
    return sure, possible
