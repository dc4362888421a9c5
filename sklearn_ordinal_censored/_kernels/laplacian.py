"""Newton's equations for masses on a line: Laplacians of weighted edges between grounded ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg.lapack import dpttrf, dpttrs

from sklearn_ordinal_censored._typing import FloatArray, IntArray

_ITERATIONS = 500
_REDUCTION = 1e-8  # of the error; an inexact Newton step only costs one more of them

_Map = Callable[[FloatArray], FloatArray]


def solve_laplacian(
    start: IntArray, stop: IntArray, weight: FloatArray, right: FloatArray
) -> FloatArray:
    """Solve for the inner nodes of a weighted graph whose two outer nodes are held at zero.

    Parameters
    ----------
    start, stop : ndarray of shape (n_edges,)
        Nodes of every edge, ``start < stop``, between 0 and ``n_inner + 1``; every inner node is
        joined with an outer one by a path.
    weight : ndarray of shape (n_edges,)
        Positive weights of the edges.
    right : ndarray of shape (n_inner,)
        Right-hand side.

    Returns
    -------
    ndarray of shape (n_inner,)
        ``x`` with ``sum(weight * (x[node] - x[neighbour])) = right[node]`` over the edges of every
        inner node, to about eight digits; ``right / sum(weight)`` if rounding has made the matrix
        singular.

    Notes
    -----
    Conjugate gradients in O(n_edges) memory. The preconditioner is the tridiagonal part of the
    matrix, which is all of it where the edges join neighbours.

    Examples
    --------
    Nodes 0 to 3 in a row: ``2 * x + (x - y) = 5`` and ``(y - x) + 3 * y = 2``.

    >>> import numpy as np
    >>> start, stop, weight = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([2.0, 1.0, 3.0])
    >>> solve_laplacian(start, stop, weight, np.array([5.0, 2.0])).round(9)
    array([2., 1.])
    """
    n_nodes = len(right) + 2
    degree = np.bincount(start, weight, n_nodes) + np.bincount(stop, weight, n_nodes)
    if n_nodes <= 3:
        return np.asarray(right / degree[1:-1])
    near = stop == start + 1
    beside = -np.bincount(stop[near], weight[near], n_nodes)[2:-1]
    diagonal, beside, failed = dpttrf(degree[1:-1], beside)
    if failed:
        return np.asarray(right / degree[1:-1])
    values = np.zeros(n_nodes)

    def _multiply(inner: FloatArray) -> FloatArray:
        values[1:-1] = inner
        flow = weight * (values[stop] - values[start])
        net = np.bincount(stop, flow, n_nodes) - np.bincount(start, flow, n_nodes)
        return np.asarray(net[1:-1], dtype=np.float64)

    def _precondition(inner: FloatArray) -> FloatArray:
        return np.asarray(dpttrs(diagonal, beside, inner)[0])

    return _conjugate_gradients(_multiply, _precondition, right)


def _conjugate_gradients(multiply: _Map, precondition: _Map, right: FloatArray) -> FloatArray:
    solution, rest = np.zeros(len(right)), right
    direction = precondition(rest)
    size = first = _dot(rest, direction)
    for _ in range(_ITERATIONS):
        if size <= _REDUCTION**2 * first:
            break
        image = multiply(direction)
        step = size / _dot(direction, image)
        solution, rest = solution + step * direction, rest - step * image
        descent = precondition(rest)
        size, last = _dot(rest, descent), size
        direction = descent + size / last * direction
    return solution


def _dot(left: FloatArray, right: FloatArray) -> float:
    # Not by BLAS, whose threads cost more than they bring here.
    return float(np.einsum("i,i->", left, right))
