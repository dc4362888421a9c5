"""Encoding grades as indicators, and decoding what models emit."""

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logit
from strategies import class_probabilities, graded

from sklearn_ordinal_censored.metrics import (
    cumulative_scores,
    mean_absolute_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.targets import ordinal_decode, ordinal_encode
from sklearn_ordinal_censored.targets._probabilities import read_exceedance

RULES = ["argmax", "median", "mean"]
SPREAD = [[0.4, 0.25, 0.35]]  # argmax 0, median 1, mean rank 0.95


def exceedance_rows(proba):
    """P(y > k) of every row, always of two dimensions."""
    rows = [oracles.exceedance(row) for row in proba]
    return np.array(rows).reshape(len(proba), len(proba[0]) - 1)


@given(graded())
def test_column_k_tells_whether_the_grade_is_above_k(rows):
    indicators = ordinal_encode(rows.y_true, labels=rows.labels)
    assert indicators.shape == (len(rows.y_true), rows.n_classes - 1)
    assert indicators.dtype == np.int64
    for row, rank in zip(indicators.tolist(), rows.true_ranks, strict=True):
        assert row == [int(rank > cut) for cut in range(rows.n_classes - 1)]


def test_encoding_without_labels_uses_the_scale_of_the_data():
    assert_array_equal(ordinal_encode([5, 3]), [[1, 1], [0, 0]])
    grades = pd.Categorical(["b"], ["a", "b", "c"], ordered=True)
    assert_array_equal(ordinal_encode(grades), [[1, 0]])


@given(graded(), st.sampled_from(RULES), st.sampled_from(["cumulative_probs", "labels"]))
def test_decoding_undoes_encoding_under_every_rule(rows, rule, encoding):
    labels = rows.labels
    encoded = ordinal_encode(rows.y_true, labels=labels) if encoding != "labels" else rows.y_true
    decoded = ordinal_decode(encoded, encoding=encoding, rule=rule, labels=labels)
    assert decoded.tolist() == rows.y_true


@given(graded(min_classes=2))
def test_metrics_are_the_same_for_truth_given_as_indicators(rows):
    """Truth that is already cumulative needs one decoding, after which nothing differs."""
    indicators = np.array(ordinal_encode(rows.y_true, labels=rows.labels), dtype=float)
    decoded = ordinal_decode(indicators, encoding="cumulative_probs", labels=rows.labels)
    for metric in (ordinal_accuracy, mean_absolute_class_error):
        assert metric(decoded, rows.y_pred, **rows.keywords) == metric(
            rows.y_true, rows.y_pred, **rows.keywords
        )
    for metric in (quadratic_weighted_kappa, cumulative_scores):
        keywords = {**rows.keywords, "replace_undefined_by": -9.0}
        assert metric(decoded, rows.y_pred, **keywords) == metric(
            rows.y_true, rows.y_pred, **keywords
        )


@given(class_probabilities(), st.sampled_from(RULES))
def test_class_probabilities_against_row_loops(proba, rule):
    expected = [
        row.index(max(row)) if rule == "argmax" else oracles.decode(oracles.exceedance(row), rule)
        for row in proba
    ]
    assert ordinal_decode(proba, encoding="class_probs", rule=rule).tolist() == expected


@given(class_probabilities(), st.sampled_from(RULES))
def test_cumulative_probabilities_against_row_loops(proba, rule):
    above = exceedance_rows(proba)
    expected = [oracles.decode(row, rule) for row in above.tolist()]
    assert ordinal_decode(above, encoding="cumulative_probs", rule=rule).tolist() == expected


@given(class_probabilities(), st.sampled_from([0.0, 0.25, 0.75, 0.9, 1.0]))
def test_the_threshold_moves_the_median(proba, threshold):
    above = exceedance_rows(proba)
    decoded = ordinal_decode(above, encoding="cumulative_probs", rule="median", threshold=threshold)
    assert decoded.tolist() == [oracles.decode(row, "median", threshold) for row in above.tolist()]


@pytest.mark.parametrize(("rule", "expected"), [("argmax", 0), ("median", 1), ("mean", 1)])
def test_rules_differ_where_they_should(rule, expected):
    decoded = {
        "class_probs": ordinal_decode(SPREAD, encoding="class_probs", rule=rule),
        "class_logits": ordinal_decode(np.log(SPREAD) + 3, encoding="class_logits", rule=rule),
        "cumulative_probs": ordinal_decode([[0.6, 0.35]], encoding="cumulative_probs", rule=rule),
        "cumulative_logits": ordinal_decode(
            logit([[0.6, 0.35]]), encoding="cumulative_logits", rule=rule
        ),
    }
    assert {encoding: grades.tolist() for encoding, grades in decoded.items()} == {
        encoding: [expected] for encoding in decoded
    }


@pytest.mark.parametrize("n_classes", range(1, 12))
@pytest.mark.parametrize("encoding", ["class_probs", "class_logits"])
def test_equal_class_probabilities_give_the_lowest_grade(n_classes, encoding):
    proba = np.full((1, n_classes), 1 / n_classes)
    assert ordinal_decode(proba, encoding=encoding).tolist() == [0]


def test_argmax_of_logits_that_softmax_cannot_tell_apart():
    assert ordinal_decode([[0.0, 1e-20]], encoding="class_logits").tolist() == [1]
    assert ordinal_decode([[800.0, -800.0, 801.0]], encoding="class_logits").tolist() == [2]


def test_the_mean_rank_is_rounded_half_up():
    halves = [[0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0.5, 0.5], [0, 0, 1, 0]]
    assert ordinal_decode(halves, encoding="class_probs", rule="mean").tolist() == [1, 2, 3, 2]


def test_the_median_of_an_even_split_is_the_lower_grade():
    assert ordinal_decode([[0.5, 0, 0.5]], encoding="class_probs", rule="median").tolist() == [0]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["low", "mid", "high"], ["high", "low"]),
        ([10, 20, 30], [30, 10]),
        ([3, 2, 1], [1, 3]),
        (pd.Series(["a", "b", "c"], dtype="string"), ["c", "a"]),
    ],
)
def test_grades_come_in_the_labels(labels, expected):
    decoded = ordinal_decode([[1, 1], [0, 0]], encoding="cumulative_probs", labels=labels)
    assert decoded.tolist() == expected


def test_labels_pass_through_on_the_scale_they_carry():
    grades = pd.Categorical(["high", "low"], ["low", "high"], ordered=True)
    assert ordinal_decode(grades, encoding="labels").tolist() == ["high", "low"]
    kept = ordinal_decode(np.array([3, 1], dtype=np.int8), encoding="labels")
    assert kept.tolist() == [3, 1]
    assert kept.dtype == np.int8
    with pytest.raises(ValueError, match=r"y holds 'top'.*labels=\['low', 'high'\]"):
        ordinal_decode(["top"], encoding="labels", labels=["low", "high"])


@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame, np.asfortranarray])
def test_containers_are_read_and_left_alone(make):
    proba = make([[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]])
    before = np.array(proba)
    decoded = ordinal_decode(proba, encoding="class_probs", rule="median")
    assert decoded.tolist() == [1, 0]
    assert_array_equal(np.asarray(proba), before)


def test_repair_leaves_the_input_alone():
    above = np.array([[0.2, 0.9]])
    above.flags.writeable = False
    assert ordinal_decode(above, encoding="cumulative_probs", repair=True).shape == (1,)


increasing = st.lists(
    st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=4, max_size=4), min_size=1, max_size=6
)


@given(increasing)
def test_repair_is_the_isotonic_regression_of_every_row(above):
    expected = [oracles.nearest_non_increasing(row) for row in above]
    assert_allclose(
        read_exceedance("y", above, "cumulative_probs", repair=True), expected, atol=1e-12
    )
    decoded = ordinal_decode(above, encoding="cumulative_probs", rule="median", repair=True)
    # A pooled value of one half may land on either side of the threshold by rounding.
    clear = [i for i, row in enumerate(expected) if all(abs(p - 0.5) > 1e-9 for p in row)]
    assert decoded[clear].tolist() == [oracles.decode(expected[i], "median") for i in clear]


def test_repair_changes_the_grade():
    above = [[0.2, 0.9, 0.1]]  # pooled to 0.55, 0.55, 0.1
    assert ordinal_decode(
        above, encoding="cumulative_probs", rule="median", repair=True
    ).tolist() == [2]


@pytest.mark.parametrize("encoding", ["cumulative_probs", "cumulative_logits"])
def test_rows_that_increase_are_refused_without_repair(encoding):
    with pytest.raises(ValueError, match=r"y must not increase .* first row 1: .*repair=True"):
        ordinal_decode([[0.5, 0.4], [0.2, 0.9]], encoding=encoding)


def test_single_precision_is_precise_enough():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(7), size=50)
    above = np.cumsum(proba[:, ::-1].astype(np.float32), axis=1)[:, -2::-1]
    assert_array_equal(
        ordinal_decode(above, encoding="cumulative_probs"),
        ordinal_decode(proba.astype(np.float32), encoding="class_probs"),
    )
    slightly_up = [[0.6, 0.6 + 5e-7]]
    assert ordinal_decode(slightly_up, encoding="cumulative_probs").tolist() == [2]


@pytest.mark.parametrize(
    ("proba", "encoding", "message"),
    [
        (
            [[0.5, 0.6]],
            "class_probs",
            r"y .*sum to 1 .*first row 0: \[0.5, 0.6\] sums to 1.1\. Divide",
        ),
        ([[1.0, 0.0], [0.2, 0.2]], "class_probs", r"y .*sum to 1 .*first row 1: \[0.2, 0.2\]"),
        ([[-0.5, 1.5]], "class_probs", r"y must hold probabilities .*-0.5, 1.5\. .*class_logits"),
        (
            [[2.0, 1.0]],
            "cumulative_probs",
            r"y must hold probabilities .*2.0\. .*cumulative_logits",
        ),
        ([[np.nan, 1.0]], "class_probs", r"y must be finite, but holds nan"),
        ([[np.nan, 1.0]], "class_logits", r"y must be finite, but holds nan"),
        ([[np.inf, 1.0]], "cumulative_logits", r"y must be finite, but holds inf"),
        ([[[0.5, 0.5]]], "class_probs", r"y must have 2 dimension\(s\), but has shape"),
        ([["a", "b"]], "class_probs", r"y must hold plain real numbers"),
        (np.empty((0, 3)), "class_probs", r"y is empty"),
        ([[0.5, 0.5]], "class_probabilities", r"encoding='class_probabilities' .*'class_probs'"),
        ([[0.5, 0.5]], None, r"encoding=None is not known; use one of 'labels'"),
    ],
)
def test_what_does_not_fit_the_encoding_is_refused(proba, encoding, message):
    with pytest.raises(ValueError, match=message):
        ordinal_decode(proba, encoding=encoding)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"rule": "mode"}, r"rule='mode' is not known; use one of 'argmax', 'median', 'mean'"),
        ({"threshold": 0.4}, r"threshold=0.4 .*rule='median' only, not by 'argmax'"),
        ({"rule": "median", "threshold": 1.5}, "threshold=1.5 must be .* at most 1"),
        ({"repair": 1}, r"repair=1 must be True or False"),
        ({"rule": "median", "threshold": -0.1}, r"threshold=-0.1 must be a finite number"),
        ({"rule": "median", "threshold": np.nan}, r"threshold=nan must be a finite number"),
        ({"labels": ["low", "high"]}, r"y with .*3 grades .*2 labels \['low', 'high'\]"),
        ({"labels": ["a", "b", "a"]}, r"labels holds 'a' more than once"),
        ({"labels": {"a", "b", "c"}}, r"labels=.* has no order"),
    ],
)
def test_options_that_make_no_sense_are_refused(keywords, message):
    with pytest.raises(ValueError, match=message):
        ordinal_decode(SPREAD, encoding="class_probs", **keywords)


def test_the_errors_of_the_scale_are_those_of_the_parser():
    with pytest.raises(ValueError, match=r"y holds text .*pass `labels`"):
        ordinal_encode(["low", "high"])
    with pytest.raises(ValueError, match=r"y holds 7, which labels=\[1, 2\] does not list"):
        ordinal_encode([1, 7], labels=[1, 2])


@pytest.mark.parametrize("encoding", ["class_probs", "class_logits", "cumulative_probs"])
def test_one_number_a_row_is_that_of_the_upper_of_two_grades(encoding):
    upper = [0.2, 0.7] if encoding != "class_logits" else [-1.0, 1.0]
    assert ordinal_decode(upper, encoding=encoding, labels=["b", "a"]).tolist() == ["b", "a"]


def test_rows_that_rise_may_be_distribution_functions():
    with pytest.raises(ValueError, match=r"If they are P\(y <= k\), take 1 - y of all columns"):
        ordinal_decode([[0.2, 0.9], [0.4, 0.6], [0.1, 0.3]], encoding="cumulative_probs")
