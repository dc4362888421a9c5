"""The best grade for every row, given its class probabilities."""

from __future__ import annotations

import numpy as np

from sklearn_ordinal_censored._kernels.ratio import minimise_ratio
from sklearn_ordinal_censored._typing import FloatArray, IntArray


def expected_costs(proba: FloatArray, cost: FloatArray) -> FloatArray:
    """Return the expected cost of every grade for every row.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    cost : ndarray of shape (n_classes, n_grades)
        Rows are true grades.

    Returns
    -------
    ndarray of shape (n_samples, n_grades)
        The costs.

    Examples
    --------
    >>> import numpy as np
    >>> expected_costs(np.array([[0.25, 0.75]]), np.array([[0.0, 2.0], [1.0, 0.0]]))
    array([[0.75, 0.5 ]])
    """
    # Not `@`: the rounding of a matrix product, and so a tie, depends on the other rows.
    return np.asarray(np.einsum("ij,jk->ik", proba, cost))


def least_cost(proba: FloatArray, cost: FloatArray) -> IntArray:
    """Return the grade of least expected cost, the lowest one at a tie.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    cost : ndarray of shape (n_classes, n_classes)
        Rows are true grades.

    Returns
    -------
    ndarray of shape (n_samples,)
        Ranks.

    Examples
    --------
    >>> import numpy as np
    >>> least_cost(np.array([[0.4, 0.6]]), np.array([[0.0, 2.0], [1.0, 0.0]]))
    array([0])
    """
    return np.asarray(np.argmin(expected_costs(proba, cost), axis=1))


def kappa_decisions(
    proba: FloatArray, disagreement: FloatArray, prior: FloatArray, weight: FloatArray
) -> tuple[IntArray, float]:
    """Return the grades of largest plug-in kappa, and one minus it.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    disagreement : ndarray of shape (n_classes, n_classes)
        Not negative; rows are true grades.
    prior : ndarray of shape (n_classes,)
        Shares of the true grades; some disagreement with them is positive.
    weight : ndarray of shape (n_samples,)
        Row weights.

    Returns
    -------
    ranks : ndarray of shape (n_samples,)
        The optimum over all label vectors.
    ratio : float
        Expected over chance disagreement.

    Examples
    --------
    >>> import numpy as np
    >>> proba, W = np.array([[0.75, 0.25], [0.5, 0.5]]), 1 - np.eye(2)
    >>> kappa_decisions(proba, W, proba.mean(axis=0), np.ones(2))
    (array([0, 1]), 0.75)
    """
    expected = expected_costs(proba, disagreement)
    chance = prior @ disagreement
    rows = np.arange(len(proba))

    def _solve(ratio: float) -> tuple[IntArray, float, float]:
        ranks = np.argmin(expected - ratio * chance, axis=1)
        return ranks, float(weight @ expected[rows, ranks]), float(weight @ chance[ranks])

    # Constants all have ratio 1 where the prior is the mean of the rows.
    by_constant = np.full(len(chance), np.inf)
    np.divide(weight @ expected, weight.sum() * chance, out=by_constant, where=chance > 0)
    constant = int(np.argmin(by_constant))
    return minimise_ratio(_solve, np.full(len(proba), constant), by_constant[constant])
