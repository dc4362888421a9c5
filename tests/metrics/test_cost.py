"""Costs of predictions, and cost matrices from distances and from taxonomies."""

import itertools

import oracles
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from strategies import cost_matrices, graded

from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    tree_cost_matrix,
)

TREE = {
    "any": None,
    "cold": "any",
    "warm": "any",
    "ice": "cold",
    "chill": "cold",
    "mild": "warm",
    "hot": "warm",
    "blaze": "hot",
}
LEAVES = ["ice", "chill", "mild", "blaze"]


@given(
    graded().flatmap(lambda rows: st.tuples(st.just(rows), cost_matrices(rows.n_classes))),
    st.sampled_from(["exemplar", "micro", "macro"]),
)
def test_cost_against_row_loops(case, aggregation):
    rows, matrix = case
    value = ordinal_cost(
        rows.y_true, rows.y_pred, cost_matrix=matrix, aggregation=aggregation, **rows.keywords
    )
    expected = oracles.cost(rows.true_ranks, rows.pred_ranks, matrix, aggregation, rows.weight)
    assert value == pytest.approx(expected, rel=1e-11, abs=1e-9)


@given(graded())
def test_special_matrices_give_the_other_metrics(rows):
    arguments, n_classes = (rows.y_true, rows.y_pred), rows.n_classes
    for matrix, expected in (
        (ordinal_cost_matrix(n_classes), mean_absolute_class_error(*arguments, **rows.keywords)),
        (
            ordinal_cost_matrix(n_classes, power=2),
            mean_squared_class_error(*arguments, **rows.keywords),
        ),
        (
            ordinal_cost_matrix(n_classes, power=0),
            1 - ordinal_accuracy(*arguments, **rows.keywords),
        ),
    ):
        cost = ordinal_cost(*arguments, cost_matrix=matrix, **rows.keywords)
        assert cost == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_rows_of_the_matrix_are_the_truth():
    cost = [[0, 1], [10, 0]]
    assert ordinal_cost([1, 0], [0, 0], cost_matrix=cost) == 5.0
    assert ordinal_cost([0, 0], [1, 0], cost_matrix=cost) == 0.5


def test_macro_counts_grades_that_were_never_predicted():
    cost = ordinal_cost_matrix(4)
    value = ordinal_cost([0, 3], [1, 1], cost_matrix=cost, aggregation="macro")
    assert value == 3 / 4


def test_a_matrix_may_be_a_frame():
    cost = pd.DataFrame([[0, 1], [10, 0]])
    assert ordinal_cost([1, 0], [0, 0], cost_matrix=cost) == 5.0


def test_weights_multiply_costs():
    cost = ordinal_cost_matrix(3, under=2)
    arguments = {"cost_matrix": cost, "sample_weight": [3, 0, 1]}
    y_true, y_pred = [2, 0, 0], [0, 2, 1]
    assert ordinal_cost(y_true, y_pred, aggregation="micro", labels=[0, 1, 2], **arguments) == 13
    assert ordinal_cost(y_true, y_pred, labels=[0, 1, 2], **arguments) == 13 / 4


@pytest.mark.parametrize("n_classes", [1, 2, 5])
@pytest.mark.parametrize("power", [0, 0.5, 1, 3])
@pytest.mark.parametrize(("under", "over"), [(1, 1), (3, 1), (0, 2.5)])
def test_cost_matrices_against_loops(n_classes, power, under, over):
    matrix = ordinal_cost_matrix(n_classes, power=power, under=under, over=over)
    for true, pred in itertools.product(range(n_classes), repeat=2):
        distance = abs(true - pred) ** power if true != pred else 0
        assert matrix[true, pred] == pytest.approx(distance * (under if pred < true else over))
    assert matrix.shape == (n_classes, n_classes)


def edges_between(tree, one, other):
    """Edges of the path from one node to another, by walking up to the first ancestor of both."""
    above = {one: 0}
    while tree[one] is not None:
        above[tree[one]] = above[one] + 1
        one = tree[one]
    steps = 0
    while other not in above:
        other, steps = tree[other], steps + 1
    return above[other] + steps


def test_tree_distances_against_a_walk():
    matrix = tree_cost_matrix(TREE)
    expected = [[edges_between(TREE, a, b) for b in LEAVES] for a in LEAVES]
    assert_array_equal(matrix, expected)
    assert matrix[0, 3] == 5  # ice, cold, any, warm, hot, blaze


def test_classes_of_a_tree_may_be_any_nodes_in_any_order():
    classes = ["blaze", "any", "cold"]
    expected = [[edges_between(TREE, a, b) for b in classes] for a in classes]
    assert_array_equal(tree_cost_matrix(TREE, classes=classes), expected)
    assert_array_equal(tree_cost_matrix(TREE, classes=(name for name in classes)), expected)


def test_a_lone_root_is_its_own_class():
    assert_array_equal(tree_cost_matrix({"all": None}), [[0.0]])


@pytest.mark.parametrize(
    ("tree", "classes", "message"),
    [
        ({}, None, r"tree must have one root .* not \[\]"),
        ({"a": None, "b": None}, None, r"tree must have one root .* not \['a', 'b'\]"),
        ({"a": None, "b": "c"}, None, r"tree is no tree: 'c' is a parent, but no key"),
        ({"a": None, "b": "c", "c": "b"}, None, r"tree is no tree: 'b' is its own ancestor"),
        ({"a": None, "b": "c", "c": "b"}, ["a"], r"tree is no tree: 'b' is its own ancestor"),
        ({"a": None, "b": "a"}, ["b", "z"], r"classes holds 'z', which are no nodes"),
    ],
    ids=["empty", "two roots", "orphan", "cycle", "cycle beside the classes", "unknown class"],
)
def test_what_is_no_tree_is_refused(tree, classes, message):
    with pytest.raises(ValueError, match=message):
        tree_cost_matrix(tree, classes=classes)
