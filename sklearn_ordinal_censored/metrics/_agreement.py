"""Agreement of any number of raters, some of whose ratings may be missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_ordinal_censored._kernels.ratings import gwet, krippendorff, rating_counts
from sklearn_ordinal_censored._typing import AnyArray, FloatArray, Weights
from sklearn_ordinal_censored.metrics._disagreement import read_disagreement
from sklearn_ordinal_censored.targets._inputs import check_option, count_dimensions
from sklearn_ordinal_censored.targets._ratings import parse_ratings, read_ratings
from sklearn_ordinal_censored.targets._undefined import warn_undefined

_LEVELS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(ratings: Any, *, level: str = "ordinal") -> float:
    """Compute Krippendorff's alpha: agreement of any number of raters beyond chance.

    Parameters
    ----------
    ratings : array-like or data frame of shape (n_units, n_raters)
        One row for every unit that was rated, one column a rater. Numbers; None, NaN, NA and masked
        values stand for missing ratings. Text is refused.
    level : {"nominal", "ordinal", "interval"}, default="ordinal"
        What the numbers mean: names, of which only equality counts; grades, of which the order
        counts; or measurements, of which the difference counts. At every level they may be any
        numbers, whole or not.

    Returns
    -------
    float
        1 for perfect agreement, 0 for the agreement of chance, below 0 for less; higher is better.
        NaN, with an ``UndefinedMetricWarning``, if no unit has two ratings, or all ratings of such
        units are equal.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    gwet_ac2 : Does not fall where nearly all ratings are alike.
    weighted_kappa : Two raters, with weights of rows.

    Notes
    -----
    With ``m`` ratings in a unit and ``n`` in all units that have at least two, alpha [1]_ is one
    minus observed over expected disagreement. Observed is the mean, over the ``n`` ratings, of the
    mean disagreement with the other ``m - 1`` of the unit; expected is the mean disagreement of all
    pairs of the ``n`` ratings. Two ratings disagree by 0 or 1 (nominal), by their squared
    difference (interval), or by the squared difference of their mid-ranks among the ``n`` ratings
    (ordinal). So the ordinal level reads the distance of two grades off the data: a grade that
    everybody uses is wide, one that nobody uses counts for nothing.

    Units with fewer than two ratings have no pair and do not count, neither for the observed nor
    for the expected disagreement, as in the published definition.

    The Python package ``krippendorff`` takes raters in rows: the transpose.

    References
    ----------
    .. [1] A. F. Hayes, K. Krippendorff. "Answering the Call for a Standard Reliability Measure for
       Coding Data." Communication Methods and Measures 1(1), 2007.
       :doi:`10.1080/19312450709336664`

    Examples
    --------
    The six ratings of the first three units count, 1, 1, 2, 3, 2, 2. The sum of squared differences
    within the units is 1, that of all 15 pairs 17, so that the means are 1/3 and 17/15:

    >>> from sklearn_ordinal_censored.metrics import krippendorff_alpha
    >>> ratings = [[1, 1, None], [2, None, 3], [2, 2, None], [None, None, 9]]
    >>> round(krippendorff_alpha(ratings, level="interval"), 4)  # 12 / 17
    0.7059
    >>> round(krippendorff_alpha(ratings), 4)  # mid-ranks 1, 3.5, 5.5: 7 / 9
    0.7778
    """
    check_option("level", level, _LEVELS)
    table = read_ratings(ratings)
    alpha = krippendorff(table, level)
    if np.isnan(alpha):
        reason = "all ratings of units with two or more are equal, or there is no such unit"
        warn_undefined("krippendorff_alpha", reason)
    return alpha


def gwet_ac2(ratings: Any, *, weights: Weights = "quadratic") -> float:
    """Compute Gwet's AC2: agreement of any number of raters, robust to skewed ratings.

    Parameters
    ----------
    ratings : array-like or data frame of shape (n_units, n_raters)
        One row for every unit that was rated, one column a rater. Whole numbers; None, NaN, NA and
        masked values stand for missing ratings. Text is refused.
    weights : {"linear", "quadratic"}, None, float or array-like, default="quadratic"
        How much a pair of grades disagrees, as for :func:`weighted_kappa`; a matrix must be
        symmetric, since no rater is the truth. None gives the coefficient AC1.

    Returns
    -------
    float
        1 for perfect agreement, 0 for the agreement of chance, below 0 for less; higher is better.
        NaN, with an ``UndefinedMetricWarning``, if no unit has two ratings, or only one grade was
        given.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    krippendorff_alpha : The other coefficient for many raters; its chance is that of the data.

    Notes
    -----
    The scale are all consecutive integers from the smallest to the largest rating, used or not, and
    the agreement of two grades is one minus their disagreement, which has a maximum of 1. With the
    mean agreement ``a`` of the pairs of ratings within units, the mean ``T`` of the agreements of
    all ``q`` grades with each other, themselves included, and the shares ``s`` of the grades, AC2
    [1]_ is ``(a - e) / (1 - e)`` with ``e = T * q / (q - 1) * sum(s * (1 - s))``. Expected
    agreement is largest where all grades are used alike; with kappa and alpha it is smallest there.
    So the value depends on the number of grades, and the coefficients differ most where one grade
    prevails.

    Units with one rating count for the shares only, as in the published definition; those without
    any do not count.

    References
    ----------
    .. [1] K. L. Gwet. "Computing Inter-Rater Reliability and Its Variance in the Presence of High
       Agreement." British Journal of Mathematical and Statistical Psychology 61(1), 2008.
       :doi:`10.1348/000711006X126600`

    Examples
    --------
    The pairs agree in 3 of 4 units. The grades have shares 3/8 and 5/8, so that chance agreement is
    2 * 3/8 * 5/8 = 15/32:

    >>> from sklearn_ordinal_censored.metrics import gwet_ac2
    >>> round(gwet_ac2([[1, 1], [1, 2], [2, 2], [2, 2]], weights=None), 4)  # 9 / 17
    0.5294
    """
    ranks, scale = parse_ratings(ratings)
    value = gwet(rating_counts(ranks, len(scale)), _read_symmetric(scale, weights))
    if np.isnan(value):
        reason = "no unit has two ratings, or there is one grade only, or all weights are 0"
        warn_undefined("gwet_ac2", reason)
    return value


def _read_symmetric(scale: AnyArray, weights: Any) -> FloatArray:
    if count_dimensions(weights) == 2 and np.shape(weights) != (len(scale), len(scale)):
        raise ValueError(
            f"weights has shape {np.shape(weights)}, but the ratings span the {len(scale)} grades "
            f"from {scale[0]} to {scale[-1]}."
        )
    disagreement = read_disagreement(scale, weights)
    if not np.array_equal(disagreement, disagreement.T):
        raise ValueError(
            "weights must be symmetric, since no rater is the truth; give (W + W.T) / 2 of your "
            "matrix W."
        )
    return disagreement
