"""Rows that belong together, and what few such clusters do to intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from sklearn_ordinal_censored._typing import IntArray
from sklearn_ordinal_censored.metrics._estimates import Comparison, normal_test
from sklearn_ordinal_censored.targets._columns import read_column
from sklearn_ordinal_censored.targets._groups import read_groups
from sklearn_ordinal_censored.targets._inputs import check_floats, check_same_length, preview


@dataclass(frozen=True)
class ClusteredComparison(Comparison):
    """The difference of two values on the same rows, some of which may belong together.

    Attributes
    ----------
    difference : float
        First value minus second value.
    standard_error : float
        Standard error of the difference.
    statistic : float
        Difference over standard error.
    pvalue : float
        Two-sided p-value of no difference.

    Examples
    --------
    >>> difference = ClusteredComparison(0.1, 0.05, *cluster_test(0.1, 0.05, 10), _n_clusters=10)
    >>> round(difference.pvalue, 4)
    0.0903
    >>> [round(end, 3) for end in difference.confidence_interval()]
    [-0.019, 0.219]
    """

    _n_clusters: float = field(default=np.inf, repr=False, compare=False, kw_only=True)

    def _quantile(self, level: float, method: str) -> float:
        return cluster_quantile(level, self._n_clusters)


def read_cluster(cluster: Any, sample_weight: ArrayLike | None, n_counted: int) -> IntArray | None:
    """Return the number of the cluster of each row of positive weight.

    Parameters
    ----------
    cluster : array-like of shape (n_samples,) or None
        Names of clusters.
    sample_weight : array-like of shape (n_samples,) or None
        Row weights.
    n_counted : int
        Number of rows of positive weight.

    Returns
    -------
    ndarray of shape (n_counted,) or None
        Numbers; None without clusters.

    Examples
    --------
    >>> read_cluster(["b", "a", "b", "c"], [1, 1, 1, 0], 3)
    array([1, 0, 1])
    """
    if cluster is None:
        return None
    names = read_groups("cluster", cluster)
    kept = np.ones(n_counted, dtype=bool)
    if sample_weight is not None:
        kept = check_floats("sample_weight", sample_weight) > 0
    check_same_length(y_true=len(kept), cluster=len(names))
    distinct, groups = np.unique(names[kept], return_inverse=True)
    if len(distinct) < 2:
        found = read_column("cluster", cluster).values[kept]
        raise ValueError(
            f"cluster has one value only, {preview(found)}; a standard error needs two clusters "
            "at least."
        )
    return np.asarray(groups, dtype=np.intp)


def count_clusters(groups: IntArray | None) -> float:
    """Return the number of clusters.

    Parameters
    ----------
    groups : ndarray of shape (n_samples,) or None
        Number of each row's cluster.

    Returns
    -------
    float
        Infinity without clusters, where the normal distribution is used.

    Examples
    --------
    >>> count_clusters(None)
    inf
    """
    return np.inf if groups is None else int(groups.max()) + 1


def cluster_quantile(level: float, n_clusters: float) -> float:
    """Return half the width of an interval in standard errors.

    Parameters
    ----------
    level : float
        Confidence level.
    n_clusters : float
        Number of clusters, or infinity.

    Returns
    -------
    float
        Student's quantile, larger by the root of ``K / (K - 1)`` for K clusters, whose sum of
        squares is too small.

    Examples
    --------
    >>> round(cluster_quantile(0.95, np.inf), 3), round(cluster_quantile(0.95, 15), 3)
    (1.96, 2.22)
    """
    return float(stdtrit(n_clusters - 1, (1 + level) / 2)) * _widening(n_clusters)


def cluster_test(deviation: float, error: float, n_clusters: float) -> tuple[float, float]:
    """Return the statistic and the two-sided p-value of a deviation.

    Parameters
    ----------
    deviation : float
        Distance from the value of the null hypothesis.
    error : float
        Its standard error.
    n_clusters : float
        Number of clusters, or infinity.

    Returns
    -------
    statistic : float
        Deviation over error.
    pvalue : float
        What belongs to the intervals of :func:`cluster_quantile`.

    Examples
    --------
    >>> [round(value, 4) for value in cluster_test(-0.3, 0.15, 15)]
    [-2.0, 0.0738]
    """
    statistic, pvalue = normal_test(deviation, error)
    if np.isinf(n_clusters):
        return statistic, pvalue
    return statistic, float(2 * stdtr(n_clusters - 1, -abs(statistic) / _widening(n_clusters)))


def _widening(n_clusters: float) -> float:
    return 1.0 if np.isinf(n_clusters) else float(np.sqrt(n_clusters / (n_clusters - 1)))
