"""Agreement of any number of raters: disagreements within units against those expected by chance.

A gap in the ratings is NaN. A unit with fewer than two ratings has no pair of them.
"""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._typing import AnyArray, FloatArray, IntArray


def krippendorff(ratings: FloatArray, level: str) -> float:
    """Return Krippendorff's alpha, NaN where it is 0/0.

    No matrix of values is needed: the disagreements of all pairs of numbers are a sum of squares
    about their mean, and the ordinal metric is the difference of mid-ranks.

    Parameters
    ----------
    ratings : ndarray of shape (n_units, n_raters)
        Numbers, NaN where one is missing.
    level : {"nominal", "ordinal", "interval"}
        What the numbers mean.

    Returns
    -------
    float
        One minus observed over expected disagreement.

    Examples
    --------
    Four pairable ratings; of their 6 pairs 3 differ by chance, and 1 of 2 pairs within a unit:

    >>> round(krippendorff(np.array([[1.0, 1.0], [1.0, 2.0]]), "nominal"), 6)
    0.0
    """
    is_given = ~np.isnan(ratings)
    is_given &= is_given.sum(axis=1, keepdims=True) >= 2
    unit, _ = np.nonzero(is_given)
    _, unit, size = np.unique(unit, return_inverse=True, return_counts=True)
    values, codes, frequency = np.unique(ratings[is_given], return_inverse=True, return_counts=True)
    if len(values) < 2:
        return float("nan")
    everything = np.zeros_like(unit)
    if level == "nominal":
        within, total = (_unequal_pairs(codes, group) for group in (unit, everything))
    else:
        scale = np.cumsum(frequency) - frequency / 2 if level == "ordinal" else values
        within, total = (_squared_pairs(scale[codes], group) for group in (unit, everything))
    return 1.0 - (len(codes) - 1) * float((within / (size - 1)).sum() / total[0])


def _squared_pairs(values: FloatArray, group: IntArray) -> FloatArray:
    """Return the sum of squared differences of all pairs within each group."""
    size = np.bincount(group)
    deviation = values - (np.bincount(group, weights=values) / size)[group]
    return np.asarray(size * np.bincount(group, weights=deviation**2))


def _unequal_pairs(codes: IntArray, group: IntArray) -> FloatArray:
    """Return the number of ordered pairs of different codes within each group."""
    n_codes = int(codes.max()) + 1
    cell, count = np.unique(group * n_codes + codes, return_counts=True)
    equal = np.bincount(cell // n_codes, weights=count.astype(np.float64) ** 2)
    return np.bincount(group).astype(np.float64) ** 2 - equal


def rating_counts(ranks: FloatArray, n_classes: int) -> AnyArray:
    """Return how many raters gave each grade to each unit.

    Parameters
    ----------
    ranks : ndarray of shape (n_units, n_raters)
        Ranks, NaN where a rating is missing.
    n_classes : int
        Number of grades.

    Returns
    -------
    ndarray of shape (n_units, n_classes)
        Counts.

    Examples
    --------
    >>> rating_counts(np.array([[0.0, 0.0], [2.0, np.nan]]), 3)
    array([[2, 0, 0],
           [0, 0, 1]])
    """
    unit, rater = np.nonzero(~np.isnan(ranks))
    cell = unit * n_classes + ranks[unit, rater].astype(np.intp)
    return np.bincount(cell, minlength=len(ranks) * n_classes).reshape(len(ranks), n_classes)


def gwet(counts: AnyArray, disagreement: FloatArray) -> float:
    """Return Gwet's chance-corrected agreement AC2, NaN where it is 0/0.

    Parameters
    ----------
    counts : ndarray of shape (n_units, n_classes)
        Number of raters who gave each grade to each unit.
    disagreement : ndarray of shape (n_classes, n_classes)
        Symmetric, zero on the diagonal, with a maximum of 1.

    Returns
    -------
    float
        Agreement beyond chance over its largest value.

    Examples
    --------
    Observed agreement 1/2; shares 3/4 and 1/4, chance agreement 2 * 3/4 * 1/4 = 3/8:

    >>> round(gwet(np.array([[2, 0], [1, 1]]), 1 - np.eye(2)), 6)
    0.2
    """
    size = counts.sum(axis=1)
    is_paired = size >= 2
    if not is_paired.any() or not disagreement.any():
        return float("nan")
    paired, n_raters = counts[is_paired], size[is_paired]
    pairs = ((paired @ disagreement) * paired).sum(axis=1)
    observed = float((pairs / (n_raters * (n_raters - 1))).mean())
    share = (counts[size > 0] / size[size > 0, np.newaxis]).mean(axis=0)
    n_classes = len(disagreement)
    agreement = (1 - disagreement).sum() / (n_classes * (n_classes - 1))
    by_chance = agreement * float((share * (1 - share)).sum())
    return 1.0 - observed / float(1.0 - by_chance)
