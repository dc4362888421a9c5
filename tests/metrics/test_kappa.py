"""Weighted kappa under every kind of disagreement, and the matrices behind the names."""

import math

import numpy as np
import oracles
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score
from strategies import Graded, disagreements, graded

from sklearn_ordinal_censored.metrics import (
    disagreement_matrix,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_kappa,
)

POWERS = {"linear": 1, "quadratic": 2, None: 0, 0.5: 0.5, 3: 3}


def with_matrix(rows):
    return st.tuples(st.just(rows), disagreements(rows.n_classes))


@given(graded(), st.sampled_from(list(POWERS)))
def test_named_weights_against_pair_loops(rows, weights):
    matrix = oracles.distance_matrix(rows.n_classes, POWERS[weights])
    expected = oracles.kappa(rows.true_ranks, rows.pred_ranks, matrix, rows.weight)
    value = weighted_kappa(
        rows.y_true, rows.y_pred, weights=weights, replace_undefined_by=-9.0, **rows.keywords
    )
    assert value == pytest.approx(-9.0 if math.isnan(expected) else expected, abs=1e-12)


@given(graded(min_classes=2, max_classes=4).flatmap(with_matrix))
def test_any_matrix_against_pair_loops(case):
    rows, matrix = case
    expected = oracles.kappa(rows.true_ranks, rows.pred_ranks, matrix, rows.weight)
    value = weighted_kappa(
        rows.y_true, rows.y_pred, weights=matrix, replace_undefined_by=-9.0, **rows.keywords
    )
    assert value == pytest.approx(-9.0 if math.isnan(expected) else expected, rel=1e-11, abs=1e-12)


@given(graded(min_classes=2))
@example(Graded([0, 0, 1, 2], [0, 1, 1, 0], ["b", "a", "c"], [2, 0, 1, 1]))
def test_scikit_learn_gives_the_same_with_labels(rows):
    assume(len(set(rows.true_ranks) | set(rows.pred_ranks)) > 1)
    ranks = (rows.true_ranks, rows.pred_ranks)
    for weights, metric in (
        ("linear", linear_weighted_kappa),
        ("quadratic", quadratic_weighted_kappa),
        (None, lambda *args, **keywords: weighted_kappa(*args, weights=None, **keywords)),
    ):
        matrix = oracles.distance_matrix(rows.n_classes, POWERS[weights])
        if math.isnan(oracles.kappa(*ranks, matrix, rows.weight)):
            continue  # all that differs has weight zero
        expected = cohen_kappa_score(
            *ranks, labels=range(rows.n_classes), weights=weights, sample_weight=rows.weight
        )
        assert metric(rows.y_true, rows.y_pred, **rows.keywords) == pytest.approx(
            expected, abs=1e-12
        )


@given(graded())
def test_named_functions_are_the_weighted_kappa_of_their_name(rows):
    keywords = {"replace_undefined_by": -9.0, **rows.keywords}
    for metric, name in (
        (linear_weighted_kappa, "linear"),
        (quadratic_weighted_kappa, "quadratic"),
    ):
        named = weighted_kappa(rows.y_true, rows.y_pred, weights=name, **keywords)
        assert metric(rows.y_true, rows.y_pred, **keywords) == named
    assert weighted_kappa(rows.y_true, rows.y_pred, **keywords) == quadratic_weighted_kappa(
        rows.y_true, rows.y_pred, **keywords
    )


@given(graded(min_classes=2), st.floats(1e-3, 1e3))
def test_the_scale_of_a_matrix_is_of_no_account(rows, factor):
    matrix = np.array(oracles.distance_matrix(rows.n_classes, 2))
    values = [
        weighted_kappa(
            rows.y_true, rows.y_pred, weights=m, replace_undefined_by=-9.0, **rows.keywords
        )
        for m in (matrix, matrix * factor, "quadratic", 2, 2.0)
    ]
    assert_allclose(values, values[0], rtol=1e-12, atol=1e-14)


@given(graded(), st.sampled_from(list(POWERS)))
def test_symmetric_weights_do_not_tell_truth_from_prediction(rows, weights):
    keywords = {"weights": weights, "replace_undefined_by": -9.0, **rows.keywords}
    there = weighted_kappa(rows.y_true, rows.y_pred, **keywords)
    back = weighted_kappa(rows.y_pred, rows.y_true, **keywords)
    assert there == pytest.approx(back, abs=1e-12)


def test_the_transposed_matrix_belongs_to_exchanged_sides():
    y_true, y_pred, missed = [0, 0, 1, 2, 2], [0, 1, 1, 0, 2], [[0, 1, 2], [5, 0, 1], [9, 5, 0]]
    value = weighted_kappa(y_true, y_pred, weights=missed)
    assert value == pytest.approx(weighted_kappa(y_pred, y_true, weights=np.transpose(missed)))
    assert value != pytest.approx(weighted_kappa(y_true, y_pred, weights=np.transpose(missed)))


def test_quadratic_kappa_is_the_concordance_correlation_of_the_ranks():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 5, 80)
    pred = np.clip(true + rng.integers(-1, 2, 80), 0, 4)
    (var_true, cov), (_, var_pred) = np.cov(true, pred, bias=True)
    lin = 2 * cov / (var_true + var_pred + (true.mean() - pred.mean()) ** 2)
    assert quadratic_weighted_kappa(true, pred) == pytest.approx(lin, abs=1e-13)


@given(graded(min_classes=2).flatmap(with_matrix))
def test_a_constant_side_gives_exactly_zero(case):
    rows, matrix = case
    weight = [1] * len(rows.y_true) if rows.weight is None else rows.weight
    seen = {rank for rank, w in zip(rows.true_ranks, weight, strict=True) if w > 0}
    for grade, label in enumerate(rows.labels):
        constant = [label] * len(rows.y_true)
        for weights in ("linear", "quadratic", None, 0.7):
            if seen != {grade}:
                for pair in ((rows.y_true, constant), (constant, rows.y_true)):
                    assert weighted_kappa(*pair, weights=weights, **rows.keywords) == 0.0
        if sum(matrix[rank][grade] for rank in seen) > 0:
            assert weighted_kappa(rows.y_true, constant, weights=matrix, **rows.keywords) == 0.0


@pytest.mark.parametrize("n_classes", [3, 5, 9, 40])
@pytest.mark.parametrize("weights", ["linear", "quadratic", None, 1.7])
def test_zero_is_not_a_matter_of_rounding(n_classes, weights):
    rng = np.random.default_rng(n_classes)
    grades, weight = rng.integers(0, n_classes, 997), rng.random(997)
    middle = np.full(997, n_classes // 2)
    keywords = {"weights": weights, "labels": range(n_classes), "sample_weight": weight}
    assert weighted_kappa(grades, middle, **keywords) == 0.0
    assert weighted_kappa(middle, grades, **keywords) == 0.0


@pytest.mark.parametrize(
    "metric", [weighted_kappa, quadratic_weighted_kappa, linear_weighted_kappa]
)
@pytest.mark.parametrize("labels", [None, [1, 2, 3], [2]])
def test_the_same_constant_on_both_sides_is_undefined(metric, labels):
    with pytest.warns(UndefinedMetricWarning, match=r"undefined.*same constant") as caught:
        assert math.isnan(metric([2, 2], [2, 2], labels=labels))
    assert len(caught) == 1
    for value in (1.0, 0, -1, float("inf")):
        replaced = metric([2, 2], [2, 2], labels=labels, replace_undefined_by=value)
        assert replaced == value
        assert type(replaced) is float


def test_rows_of_weight_zero_do_not_define_kappa():
    with pytest.warns(UndefinedMetricWarning, match="undefined"):
        assert math.isnan(quadratic_weighted_kappa([1, 1, 2], [1, 1, 3], sample_weight=[1, 1, 0]))


def test_a_matrix_without_a_price_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match="expected disagreement is 0"):
        assert math.isnan(weighted_kappa([0, 1], [1, 0], weights=np.zeros((2, 2))))
    free_below = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]  # only predictions above the truth cost
    with pytest.warns(UndefinedMetricWarning, match="expected disagreement is 0"):
        assert math.isnan(weighted_kappa([1, 2], [0, 0], weights=free_below, labels=[0, 1, 2]))


@given(graded(min_classes=2, weighting=lambda size: st.none()))
def test_perfect_agreement_is_exactly_one(rows):
    assume(len(set(rows.true_ranks)) > 1)
    for weights in ("linear", "quadratic", None, 0.3):
        assert weighted_kappa(rows.y_true, rows.y_true, weights=weights, labels=rows.labels) == 1.0


def test_total_disagreement_of_two_even_grades_is_minus_one():
    assert quadratic_weighted_kappa([0, 1, 0, 1], [1, 0, 1, 0]) == -1.0


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_the_unit_of_the_weights_is_of_no_account(scale):
    y_true, y_pred, weight = [0, 1, 2, 2, 0], [0, 2, 0, 2, 1], np.array([1.0, 2, 3, 4, 5])
    expected = quadratic_weighted_kappa(y_true, y_pred, sample_weight=weight)
    value = quadratic_weighted_kappa(y_true, y_pred, sample_weight=weight * scale)
    assert value == pytest.approx(expected, rel=1e-13)


def test_one_row_may_outweigh_all_others():
    """Disagreement 1 and 4 of weight one, against chance pairs of the heavy row with each."""
    value = quadratic_weighted_kappa([0, 1, 2], [0, 2, 0], sample_weight=[1e12, 1, 1])
    assert value == pytest.approx(1 - 5 / 9, rel=1e-9)


def test_a_vast_weight_is_no_reason_for_a_constant_side():
    assert quadratic_weighted_kappa([0, 1], [0, 1], sample_weight=[1e200, 1e-100]) == 1.0


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ("linear", [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]),
        ("quadratic", [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]),
        (None, [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
        (1, [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]),
        (3.0, [[0, 0.125, 1], [0.125, 0, 0.125], [1, 0.125, 0]]),
        ([[0, 2, 4], [1, 0, 2], [8, 1, 0]], [[0, 0.25, 0.5], [0.125, 0, 0.25], [1, 0.125, 0]]),
        (np.zeros((3, 3)), np.zeros((3, 3))),
    ],
    ids=["linear", "quadratic", "unweighted", "power 1", "power 3", "matrix", "zeros"],
)
def test_disagreement_matrices_have_a_maximum_of_one(weights, expected):
    assert_array_equal(disagreement_matrix(3, weights), expected)


@pytest.mark.parametrize("weights", ["linear", "quadratic", None, 2.5])
def test_one_grade_has_nothing_to_disagree_about(weights):
    assert_array_equal(disagreement_matrix(1, weights), [[0.0]])


@pytest.mark.parametrize("n_classes", [2, 5, 9])
@pytest.mark.parametrize("power", [0.5, 1, 2, 7.5])
def test_disagreement_matrices_against_loops(n_classes, power):
    expected = np.array(oracles.distance_matrix(n_classes, power)) / (n_classes - 1) ** power
    assert_allclose(disagreement_matrix(n_classes, power), expected, rtol=1e-13)


def test_a_large_power_prices_the_widest_miss_alone():
    matrix = disagreement_matrix(5, 1e4)
    assert matrix[0, 4] == matrix[4, 0] == 1
    assert np.count_nonzero(matrix) == 2
    assert weighted_kappa([0, 4, 0, 4], [1, 4, 0, 3], weights=1e4) == 1.0


def test_the_matrix_of_the_caller_is_left_alone():
    weights = np.array([[0.0, 2], [4, 0]])
    weights.flags.writeable = False
    assert disagreement_matrix(2, weights)[1, 0] == 1
    assert_array_equal(weights, [[0, 2], [4, 0]])
