"""The binary problems "above grade k", and their averages."""

import math

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)
from strategies import graded

from sklearn_ordinal_censored._kernels.confusion import confusion_table, cumulative_counts
from sklearn_ordinal_censored.metrics import cumulative_scores
from sklearn_ordinal_censored.targets import ordinal_encode

MEASURES = ["recall", "precision", "specificity", "f1", "accuracy", "balanced_accuracy"]
measures = st.sampled_from(MEASURES)


def matthews(tn, fp, fn, tp):
    """Matthews correlation: a measure that is not built in."""
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


@given(graded(max_classes=8))
def test_counts_against_row_loops(rows):
    table = confusion_table(
        np.array(rows.true_ranks),
        np.array(rows.pred_ranks),
        rows.n_classes,
        None if rows.weight is None else np.array(rows.weight, dtype=float),
    )
    expected = oracles.cumulative_counts(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, rows.weight
    )
    counts = cumulative_counts(table)
    assert counts.shape == (4, rows.n_classes - 1)
    assert_allclose(counts.T, np.reshape(expected, (-1, 4)), rtol=1e-12, atol=1e-12)


@given(graded(min_classes=2), measures)
def test_values_of_the_cuts_against_row_loops(rows, measure):
    values = cumulative_scores(
        rows.y_true,
        rows.y_pred,
        measure=measure,
        average=None,
        replace_undefined_by=-9.0,
        **rows.keywords,
    )
    counts = oracles.cumulative_counts(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, rows.weight
    )
    expected = [oracles.measure(measure, *cut) for cut in counts]
    assert_allclose(values, np.nan_to_num(expected, nan=-9.0), rtol=1e-12)


@given(graded(min_classes=2), measures)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_macro_is_the_mean_of_the_defined_cuts(rows, measure):
    keywords = {"measure": measure, **rows.keywords}
    values = cumulative_scores(rows.y_true, rows.y_pred, average=None, **keywords)
    macro = cumulative_scores(rows.y_true, rows.y_pred, **keywords)
    defined = [value for value in values if not math.isnan(value)]
    expected = math.fsum(defined) / len(defined) if defined else math.nan
    assert macro == pytest.approx(expected, rel=1e-12, nan_ok=True)


@given(graded(min_classes=2), measures)
def test_micro_sums_the_counts_first(rows, measure):
    counts = oracles.cumulative_counts(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, rows.weight
    )
    expected = oracles.measure(
        measure, *(math.fsum(column) for column in zip(*counts, strict=True))
    )
    value = cumulative_scores(
        rows.y_true,
        rows.y_pred,
        measure=measure,
        average="micro",
        replace_undefined_by=-9.0,
        **rows.keywords,
    )
    assert value == pytest.approx(-9.0 if math.isnan(expected) else expected, rel=1e-12)


@pytest.mark.parametrize(
    ("measure", "peer"),
    [
        ("recall", recall_score),
        ("precision", precision_score),
        ("f1", f1_score),
        ("accuracy", accuracy_score),
        ("balanced_accuracy", balanced_accuracy_score),
        ("specificity", lambda *a, **k: recall_score(*a, pos_label=0, **k)),
        (matthews, matthews_corrcoef),
    ],
    ids=[*MEASURES[:2], "f1", "accuracy", "balanced_accuracy", "specificity", "a function"],
)
def test_scikit_learn_gives_the_same_on_the_indicators(measure, peer):
    rng = np.random.default_rng(2)
    y_true, y_pred = rng.integers(0, 5, (2, 200))
    weight = rng.integers(0, 4, 200)
    values = cumulative_scores(y_true, y_pred, measure=measure, average=None, sample_weight=weight)
    columns = zip(ordinal_encode(y_true).T, ordinal_encode(y_pred).T, strict=True)
    expected = [peer(true, pred, sample_weight=weight) for true, pred in columns]
    assert_allclose(values, expected, rtol=1e-12)


def test_recall_is_the_default_and_is_read_off_the_top():
    assert cumulative_scores([0, 1, 2, 2], [0, 1, 1, 2], average=None).tolist() == [1.0, 0.5]


def test_near_misses_earn_credit():
    """A miss by one grade is wrong at one cut of four, a miss by four at all of them."""
    keywords = {"measure": "accuracy", "labels": range(5)}
    assert cumulative_scores([3], [2], **keywords) == 0.75
    assert cumulative_scores([4], [0], **keywords) == 0.0


def test_a_cut_without_a_value_is_nan_and_left_out_of_the_mean():
    y_true, y_pred, labels = [0, 1, 1], [0, 1, 0], [0, 1, 2, 3]
    message = r"cumulative_scores is undefined .*cut point 1, 2 \(counted from 0\)"
    with pytest.warns(UndefinedMetricWarning, match=message):
        values = cumulative_scores(y_true, y_pred, average=None, labels=labels)
    assert_array_equal(values, [0.5, np.nan, np.nan])
    with pytest.warns(UndefinedMetricWarning, match=message):
        assert cumulative_scores(y_true, y_pred, labels=labels) == 0.5


def test_a_replacement_takes_part_in_the_mean():
    y_true, y_pred, labels = [0, 1, 1], [0, 1, 0], [0, 1, 2, 3]
    keywords = {"labels": labels, "replace_undefined_by": 1.0}
    values = cumulative_scores(y_true, y_pred, average=None, **keywords)
    assert_array_equal(values, [0.5, 1, 1])
    assert cumulative_scores(y_true, y_pred, **keywords) == pytest.approx(2.5 / 3)


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_no_cut_has_a_value(average):
    reason = {"macro": "no value at cut point 0", "micro": "of the summed counts has no value"}
    with pytest.warns(UndefinedMetricWarning, match=reason[average]):
        assert math.isnan(cumulative_scores([0, 0], [0, 1], average=average))
    assert cumulative_scores([0, 0], [0, 1], average=average, replace_undefined_by=0) == 0.0


def test_a_scale_of_one_grade_has_no_cut():
    assert cumulative_scores([4, 4], [4, 4], average=None).shape == (0,)
    for average in ("macro", "micro"):
        with pytest.warns(UndefinedMetricWarning, match="the scale has one grade and no cut point"):
            assert math.isnan(cumulative_scores([4, 4], [4, 4], average=average))


def divides_by_zero(tn, fp, fn, tp):
    """Infinite at the first cut of the data below, a plain number at the second."""
    return tp / fn


def test_a_function_that_divides_by_zero_is_undefined_there():
    with pytest.warns(UndefinedMetricWarning, match="cut point 0 "):
        values = cumulative_scores(
            [0, 1, 2, 2], [0, 1, 1, 2], measure=divides_by_zero, average=None
        )
    assert_array_equal(values, [np.nan, 1.0])


def test_a_function_of_the_sum_is_called_once_for_micro():
    calls = []

    def total(*counts):
        calls.append(counts)
        return sum(counts)

    assert cumulative_scores([0, 1, 2], [0, 2, 1], measure=total, average="micro") == 6.0
    assert calls == [(2, 1, 1, 2)]


def test_a_function_must_return_a_number():
    with pytest.raises(ValueError, match=r"measure must return one number a cut point.*\(4,\)"):
        cumulative_scores([0, 1], [0, 1], measure=lambda *counts: counts)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_unit_of_the_weights_is_of_no_account(scale, measure):
    y_true, y_pred, weight = [0, 1, 2, 2, 0], [0, 2, 0, 2, 1], np.array([1.0, 2, 3, 4, 5])
    expected = cumulative_scores(y_true, y_pred, measure=measure, sample_weight=weight)
    value = cumulative_scores(y_true, y_pred, measure=measure, sample_weight=weight * scale)
    assert value == pytest.approx(expected, rel=1e-13)


def test_a_light_row_beside_a_heavy_one_is_not_cancelled():
    y_true, y_pred, weight = [0, 1, 1], [0, 1, 0], [1e18, 1.0, 3.0]
    assert cumulative_scores(y_true, y_pred, sample_weight=weight) == 0.25
    precision = cumulative_scores(y_true, y_pred, measure="precision", sample_weight=weight)
    assert precision == 1.0
