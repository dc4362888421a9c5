"""Costs of grading errors, and the matrices that price them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal_censored._kernels.confusion import rank_distance
from sklearn_ordinal_censored._typing import FloatArray
from sklearn_ordinal_censored.metrics._confusion import read_table
from sklearn_ordinal_censored.targets._inputs import (
    check_count,
    check_number,
    check_option,
    preview,
)
from sklearn_ordinal_censored.targets._matrices import check_square_matrix
from sklearn_ordinal_censored.targets._ordinal import MAX_CLASSES
from sklearn_ordinal_censored.targets._weights import scale_weights


def ordinal_cost(
    y_true: Any,
    y_pred: Any,
    *,
    cost_matrix: ArrayLike,
    aggregation: str = "exemplar",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Cost of the predictions under a matrix that prices every kind of error.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True grades. Missing values and values outside the scale are refused.
    y_pred : array-like of shape (n_samples,)
        Predicted grades. Scores that are no grades are refused: see
        :class:`~sklearn_ordinal_censored.postprocessing.OrdinalThresholdOptimizer`.
    cost_matrix : array-like of shape (n_classes, n_classes)
        Entry ``[j, k]`` is the cost of predicting the ``k``-th grade when the ``j``-th is true;
        finite, and free otherwise: gains are negative costs.
    aggregation : {"exemplar", "micro", "macro"}, default="exemplar"
        ``"exemplar"``: mean cost a row. ``"micro"``: total cost. ``"macro"``: the total cost that
        falls on each predicted grade, averaged over all grades of the scale.
    labels : array-like of shape (n_classes,), default=None
        The grades from lowest to highest. By default the categories of an ordered categorical, or
        all consecutive integers from the smallest to the largest value seen. Text needs ``labels``.
    sample_weight : array-like of shape (n_samples,), default=None
        Row weights, not negative. A weight of 2 counts as two equal rows, a weight of 0 as none.

    Returns
    -------
    float
        In the unit of the matrix; lower is better.

    Raises
    ------
    ValueError
        If an input is refused; the message shows the values.

    See Also
    --------
    ordinal_cost_matrix : Costs that grow with the distance in ranks.
    tree_cost_matrix : Costs from a taxonomy.

    Notes
    -----
    With ``|j - k|`` the mean cost is the mean absolute class error, with ones off the diagonal it
    is one minus accuracy.

    References
    ----------
    .. [1] C. Elkan. "The Foundations of Cost-Sensitive Learning." IJCAI 2001.

    Examples
    --------
    Under-grading is three times as bad as over-grading; one row each:

    >>> from sklearn_ordinal_censored.metrics import ordinal_cost, ordinal_cost_matrix
    >>> cost = ordinal_cost_matrix(3, under=3)
    >>> ordinal_cost([0, 1, 2, 2], [1, 1, 1, 2], cost_matrix=cost)
    1.0
    >>> ordinal_cost([0, 1, 2, 2], [1, 1, 1, 2], cost_matrix=cost, aggregation="micro")
    4.0
    """
    check_option("aggregation", aggregation, ("exemplar", "micro", "macro"))
    table, scale = read_table(y_true, y_pred, labels, sample_weight)
    cells, whole = price_cells(table, check_square_matrix("cost_matrix", cost_matrix, scale))
    unit = whole / float(table.sum())
    divisor = {"exemplar": whole, "micro": unit, "macro": unit * len(table)}
    return float(cells.sum()) / divisor[aggregation]


def price_cells(table: FloatArray, cost: FloatArray) -> tuple[FloatArray, float]:
    """Return the cost of each cell of a table, and the weight of all rows in the same unit.

    Parameters
    ----------
    table : ndarray of shape (n_classes, n_classes)
        Weight of each pair of a true and a predicted grade.
    cost : ndarray of shape (n_classes, n_classes)
        Cost of each pair.

    Returns
    -------
    cells : ndarray of shape (n_classes, n_classes)
        Weight times cost. The unit is a power of two, so that large costs do not overflow.
    whole : float
        Weight of all rows.

    Examples
    --------
    >>> cells, whole = price_cells(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[0, 3], [1, 0]]))
    >>> cells / whole
    array([[0. , 1.5],
           [0. , 0. ]])
    """
    share = scale_weights(table)
    return np.asarray(share * cost), float(share.sum())


def ordinal_cost_matrix(
    n_classes: int, *, power: float = 1, under: float = 1.0, over: float = 1.0
) -> FloatArray:
    """Return costs that grow with the distance in ranks.

    Parameters
    ----------
    n_classes : int
        Number of grades.
    power : float, default=1
        Exponent of the distance; 0 prices every error of a kind the same.
    under : float, default=1.0
        Factor for predictions below the truth.
    over : float, default=1.0
        Factor for predictions above the truth.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Rows are true grades, columns predicted ones.

    Raises
    ------
    ValueError
        If an argument is negative or not finite.

    See Also
    --------
    ordinal_cost : What it is for.

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import ordinal_cost_matrix
    >>> ordinal_cost_matrix(3, under=3)
    array([[0., 1., 2.],
           [3., 0., 1.],
           [6., 3., 0.]])
    """
    n_classes = check_count("n_classes", n_classes, maximum=MAX_CLASSES)
    power = check_number("power", power, minimum=0)
    under = check_number("under", under, minimum=0)
    over = check_number("over", over, minimum=0)
    with np.errstate(over="ignore", invalid="ignore"):
        distance = rank_distance(n_classes, power)
        matrix = under * np.tril(distance) + over * np.triu(distance)
    if not np.isfinite(matrix).all():
        raise ValueError(f"power={power}, under={under} and over={over} give an infinite cost.")
    return matrix


def tree_cost_matrix(
    tree: Mapping[Any, Any], *, classes: Iterable[Hashable] | None = None
) -> FloatArray:
    """Return the number of edges between the classes of a taxonomy.

    Parameters
    ----------
    tree : mapping
        Parent of every node, None for the root; one root, no cycle.
    classes : iterable of nodes, default=None
        The classes, in the order of the scale; by default the leaves in the order of ``tree``.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Symmetric, zero on the diagonal.

    Raises
    ------
    ValueError
        If the mapping is no tree, or a class is no node of it.

    See Also
    --------
    ordinal_cost : What it is for.

    References
    ----------
    .. [1] C. N. Silla, A. A. Freitas. "A Survey of Hierarchical Classification across Different
       Application Domains." Data Mining and Knowledge Discovery 22, 2011.
       :doi:`10.1007/s10618-010-0175-9`

    Examples
    --------
    >>> from sklearn_ordinal_censored.metrics import tree_cost_matrix
    >>> tree_cost_matrix({"root": None, "A": "root", "a1": "A", "a2": "A", "b": "root"})
    array([[0., 2., 3.],
           [2., 0., 3.],
           [3., 3., 0.]])
    """
    paths = _paths_to_root(tree)
    inner = set(tree.values())
    leaves = [node for node in tree if node not in inner]
    nodes = leaves if classes is None else _read_nodes(classes)
    unknown = [node for node in nodes if node not in tree]
    if unknown:
        raise ValueError(f"classes holds {preview(unknown)}, which are no nodes of the tree.")
    # Edges that two paths to the root do not share.
    return np.array([[float(len(paths[a] ^ paths[b])) for b in nodes] for a in nodes])


def _paths_to_root(tree: Mapping[Any, Any]) -> dict[Any, set[Any]]:
    """Return the nodes from each one up to the root, itself among them."""
    if not isinstance(tree, Mapping):
        raise ValueError(f"tree={tree!r} must be a mapping: the parent of every node.")
    roots = [node for node, parent in tree.items() if parent is None]
    if len(roots) != 1:
        raise ValueError(f"tree must have one root (a node whose parent is None), not {roots!r}.")
    return {node: _path_to_root(tree, node) for node in tree}


def _read_nodes(classes: Any) -> list[Any]:
    try:
        nodes = [] if isinstance(classes, (str, bytes)) else list(classes)
        set(nodes)  # nodes are keys of the tree
    except (TypeError, ValueError):
        nodes = []
    if not nodes:
        raise ValueError(f"classes={classes!r} must be a list of nodes of the tree.")
    return nodes


def _path_to_root(tree: Mapping[Any, Any], node: Any) -> set[Any]:
    path: set[Any] = set()
    while node is not None:
        if node in path or node not in tree:
            problem = "is its own ancestor" if node in path else "is a parent, but no key"
            raise ValueError(f"tree is no tree: {node!r} {problem}.")
        path.add(node)
        node = tree[node]
    return path
