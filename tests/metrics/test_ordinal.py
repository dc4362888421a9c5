"""Accuracy within a tolerance, absolute and squared class errors."""

import math

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, mean_absolute_error, mean_squared_error
from strategies import graded

from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
)

ERRORS = {1: mean_absolute_class_error, 2: mean_squared_class_error}
powers = st.sampled_from(list(ERRORS))
averages = st.sampled_from(["micro", "macro", "max"])


@given(graded(), st.integers(0, 5))
def test_accuracy_against_row_loops(rows, tolerance):
    value = ordinal_accuracy(rows.y_true, rows.y_pred, tolerance=tolerance, **rows.keywords)
    expected = oracles.accuracy(rows.true_ranks, rows.pred_ranks, tolerance, rows.weight)
    assert value == pytest.approx(expected, abs=1e-14)


@given(graded(), powers, averages)
def test_class_error_against_row_loops(rows, power, average):
    value = ERRORS[power](rows.y_true, rows.y_pred, average=average, **rows.keywords)
    expected = oracles.class_error(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, power, average, rows.weight
    )
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-14)


@given(graded(), powers)
def test_class_error_of_every_grade_against_row_loops(rows, power):
    values = ERRORS[power](
        rows.y_true, rows.y_pred, average=None, replace_undefined_by=-7.0, **rows.keywords
    )
    expected = oracles.class_errors(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, power, rows.weight
    )
    assert_allclose(values, np.nan_to_num(expected, nan=-7.0), rtol=1e-12)


@given(graded())
def test_scikit_learn_gives_the_same_on_ranks(rows):
    true, pred, weight = rows.true_ranks, rows.pred_ranks, rows.weight
    ours = (rows.y_true, rows.y_pred)
    for metric, peer in (
        (ordinal_accuracy, accuracy_score),
        (mean_absolute_class_error, mean_absolute_error),
        (mean_squared_class_error, mean_squared_error),
    ):
        expected = peer(true, pred, sample_weight=weight)
        assert metric(*ours, **rows.keywords) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@given(graded(), powers)
def test_macro_lies_between_the_errors_of_the_grades(rows, power):
    macro, worst = (
        ERRORS[power](rows.y_true, rows.y_pred, average=average, **rows.keywords)
        for average in ("macro", "max")
    )
    assert 0 <= macro <= worst + 1e-12
    assert worst <= (rows.n_classes - 1) ** power + 1e-9


@given(graded())
def test_all_rows_right_is_exactly_one(rows):
    keywords = {"tolerance": rows.n_classes - 1, **rows.keywords}
    assert ordinal_accuracy(rows.y_true, rows.y_pred, **keywords) == 1.0


def test_a_fractional_tolerance_counts_whole_ranks():
    y_true, y_pred = [0, 1, 2, 3], [0, 2, 2, 1]
    assert ordinal_accuracy(y_true, y_pred, tolerance=1.5) == 0.75
    assert ordinal_accuracy(y_true, y_pred, tolerance=0.9) == 0.5


@pytest.mark.parametrize("metric", ERRORS.values())
def test_a_grade_without_true_rows_is_undefined(metric):
    y_true, y_pred, labels = [0, 0, 2], [0, 1, 1], [0, 1, 2, 3]
    with pytest.warns(UndefinedMetricWarning, match=rf"{metric.__name__} .*rank 1, 3 of"):
        values = metric(y_true, y_pred, average=None, labels=labels)
    assert_array_equal(values, [0.5, np.nan, 1.0, np.nan])
    replaced = metric(y_true, y_pred, average=None, labels=labels, replace_undefined_by=0)
    assert_array_equal(replaced, [0.5, 0.0, 1.0, 0.0])


@pytest.mark.parametrize("metric", ERRORS.values())
def test_averages_skip_absent_grades_without_a_warning(metric):
    labels = [0, 1, 2, 3]
    assert metric([0, 0, 2], [0, 1, 1], average="macro", labels=labels) == 0.75
    assert metric([0, 0, 2], [0, 1, 1], average="max", labels=labels) == 1.0


def test_one_grade_is_perfect_agreement():
    assert ordinal_accuracy([3, 3], [3, 3]) == 1.0
    for metric in ERRORS.values():
        for average in ("micro", "macro", "max"):
            assert metric([3, 3], [3, 3], average=average) == 0.0


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_the_unit_of_the_weights_is_of_no_account(scale):
    y_true, y_pred = [0, 1, 2, 2, 0], [0, 2, 0, 2, 1]
    weight = np.array([1.0, 2, 3, 4, 5])
    for metric in (ordinal_accuracy, *ERRORS.values()):
        value = metric(y_true, y_pred, sample_weight=weight * scale)
        assert value == pytest.approx(metric(y_true, y_pred, sample_weight=weight), rel=1e-14)


def test_one_row_may_outweigh_all_others():
    y_true, y_pred, weight = [0, 1, 2], [0, 2, 0], [1e16, 1.0, 1.0]
    accuracy = ordinal_accuracy(y_true, y_pred, sample_weight=weight)
    assert accuracy == pytest.approx(1, abs=1e-15)
    error = mean_absolute_class_error(y_true, y_pred, sample_weight=weight)
    assert error == pytest.approx(3e-16, rel=1e-12)  # not lost in a difference
    macro = mean_absolute_class_error(y_true, y_pred, sample_weight=weight, average="macro")
    assert macro == 1.0


def test_a_class_whose_weights_are_all_zero_is_absent():
    y_true, y_pred, weight = [0, 0, 1], [0, 1, 0], [1, 1, 0]
    assert mean_absolute_class_error(y_true, y_pred, sample_weight=weight, average="macro") == 0.5
    with pytest.warns(UndefinedMetricWarning, match="rank 1 "):
        values = mean_absolute_class_error(y_true, y_pred, sample_weight=weight, average=None)
    assert values[0] == 0.5
    assert math.isnan(values[1])


@pytest.mark.parametrize("n_rows", [1, 7, 1000])
def test_many_rows_and_grades(n_rows):
    rng = np.random.default_rng(n_rows)
    y_true, y_pred = rng.integers(0, 300, (2, n_rows))
    error = mean_absolute_class_error(y_true, y_pred, labels=range(300))
    assert error == pytest.approx(np.abs(y_true - y_pred).mean(), rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 5, 12, 40])
def test_perfect_accuracy_is_not_a_matter_of_rounding(n_classes):
    rng = np.random.default_rng(n_classes)
    grades, weight = rng.integers(0, n_classes, 500), rng.random(500)
    assert ordinal_accuracy(grades, grades, sample_weight=weight) == 1.0
    assert ordinal_accuracy(grades, grades[::-1], tolerance=40, sample_weight=weight) == 1.0
