"""What holds for every metric of predicted grades, driven by the registry of scorers."""

import inspect
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal
from optional import polars as pl
from optional import pyarrow as pa
from registry import CENSORED_METRICS, LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS
from strategies import graded, whole_weights

from sklearn_ordinal_censored import metrics
from sklearn_ordinal_censored.metrics._scorers import REGISTRY

# Public names that need no scorer: matrices, makers of scorers, descriptions of a target alone,
# inference, agreement of raters.
NO_METRICS = {
    "censoring_rate",
    "compare_kappa",
    "disagreement_matrix",
    "get_scorer",
    "get_scorer_names",
    "gwet_ac2",
    "kappa_inference",
    "krippendorff_alpha",
    "ordinal_cost_matrix",
    "tree_cost_matrix",
}
COST = np.array([[0.0, 1, 2, 9], [4, -1, 1, 2], [7, 3, 0, 1], [9, 8, 2, 0.5]])
# Options that a metric cannot do without, and those that mean the same on the reversed scale.
OPTIONS = {"ordinal_cost": {"cost_matrix": COST}}
REVERSED = {
    "cumulative_scores": {"measure": "specificity"},
    "linear_weighted_kappa": {},
    "mean_absolute_class_error": {},
    "mean_squared_class_error": {},
    "ordinal_accuracy": {},
    "ordinal_cost": {"cost_matrix": COST[::-1, ::-1]},
    "quadratic_weighted_kappa": {},
    "weighted_kappa": {},
}
WORDS = ["poor", "fair", "good", "best"]

rng = np.random.default_rng(0)
TRUE = np.r_[0:4, rng.integers(0, 4, 46)]
PRED = np.r_[3, 2, 1, 0, np.clip(TRUE[4:] + rng.integers(-1, 2, 46), 0, 3)]
WEIGHT = rng.integers(0, 4, 50)

every_metric = pytest.mark.parametrize("row", LABEL_METRICS.values(), ids=list(LABEL_METRICS))


def evaluate(row, y_true, y_pred, **keywords):
    return row.metric(y_true, y_pred, **{**OPTIONS.get(row.metric.__name__, {}), **keywords})


def test_every_public_metric_has_a_row():
    measured = {row.metric.__name__ for row in REGISTRY.values()}
    assert set(REVERSED) == {row.metric.__name__ for row in LABEL_METRICS.values()}
    assert measured | NO_METRICS == set(metrics.__all__)
    assert not measured & NO_METRICS


def test_every_row_is_of_one_kind():
    kinds = LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS, CENSORED_METRICS
    assert sorted(name for kind in kinds for name in kind) == sorted(REGISTRY)


@every_metric
def test_signature(row):
    parameters = list(inspect.signature(row.metric).parameters.values())
    assert [p.name for p in parameters[:2]] == ["y_true", "y_pred"]
    assert all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters[:2])
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters[2:])
    assert {"labels", "sample_weight"} <= {p.name for p in parameters[2:]}


@every_metric
def test_a_python_float_comes_out(row):
    for keywords in ({}, {"sample_weight": WEIGHT}, {"labels": range(4)}):
        value = evaluate(row, TRUE, PRED, **keywords)
        assert type(value) is float
        assert math.isfinite(value)


@every_metric
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_rows_is_of_no_account(row, seed):
    order = np.random.default_rng(seed).permutation(len(TRUE))
    assert evaluate(row, TRUE[order], PRED[order]) == evaluate(row, TRUE, PRED)
    weight = WEIGHT + 0.1
    value = evaluate(row, TRUE[order], PRED[order], sample_weight=weight[order])
    expected = evaluate(row, TRUE, PRED, sample_weight=weight)
    assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_whole_weights_repeat_rows(row):
    assert (WEIGHT == 0).any()
    repeated = evaluate(row, np.repeat(TRUE, WEIGHT), np.repeat(PRED, WEIGHT))
    assert evaluate(row, TRUE, PRED, sample_weight=WEIGHT) == repeated


@every_metric
@given(rows=graded(min_classes=4, max_classes=4, weighting=whole_weights))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_whole_weights_repeat_rows_on_small_samples(row, rows):
    value = evaluate(row, rows.y_true, rows.y_pred, **rows.keywords)
    repeated = (
        np.repeat(np.array(side), rows.weight).tolist() for side in (rows.y_true, rows.y_pred)
    )
    assert_array_equal(value, evaluate(row, *repeated, labels=rows.labels))


@every_metric
def test_rows_of_weight_zero_might_as_well_be_absent(row):
    kept = WEIGHT > 0
    weight = WEIGHT * 0.7
    without = evaluate(row, TRUE[kept], PRED[kept], sample_weight=weight[kept])
    assert evaluate(row, TRUE, PRED, sample_weight=weight) == without


@every_metric
def test_equal_weights_are_no_weights(row):
    expected = evaluate(row, TRUE, PRED)
    assert evaluate(row, TRUE, PRED, sample_weight=np.ones(50)) == expected
    assert evaluate(row, TRUE, PRED, sample_weight=[1] * 50) == expected
    value = evaluate(row, TRUE, PRED, sample_weight=np.full(50, 0.37))
    assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_names_of_the_grades_are_of_no_account(row):
    words = np.array(WORDS)
    encodings = {
        "shifted": (TRUE + 7, PRED + 7, None),
        "negative": (TRUE - 9, PRED - 9, None),
        "floats": (TRUE.astype(float), PRED.astype(float), None),
        "integers with labels": (TRUE, PRED, [0, 1, 2, 3]),
        "spaced with labels": (TRUE * 10, PRED * 10, [0, 10, 20, 30]),
        "descending labels": (-TRUE, -PRED, [0, -1, -2, -3]),
        "words": (words[TRUE], words[PRED], WORDS),
        "objects": (words[TRUE].astype(object), words[PRED].astype(object), WORDS),
        "categories": (
            *(pd.Categorical(words[y], WORDS, ordered=True) for y in (TRUE, PRED)),
            None,
        ),
        "categories of one side": (
            pd.Categorical.from_codes(TRUE, WORDS, ordered=True),
            words[PRED],
            None,
        ),
        "polars Enum": (
            *(pl.Series(words[y], dtype=pl.Enum(WORDS)) for y in (TRUE, PRED)),
            None,
        ),
    }
    expected = evaluate(row, TRUE, PRED, sample_weight=WEIGHT)
    values = {
        name: evaluate(row, y_true, y_pred, labels=labels, sample_weight=WEIGHT)
        for name, (y_true, y_pred, labels) in encodings.items()
    }
    assert values == dict.fromkeys(encodings, expected)


@every_metric
def test_the_two_sides_may_come_in_different_dtypes(row):
    expected = evaluate(row, TRUE, PRED)
    assert evaluate(row, TRUE.astype(np.uint8), PRED.astype(np.float32)) == expected
    assert evaluate(row, TRUE.astype(object), PRED.astype(np.int16)) == expected


@every_metric
def test_turning_the_scale_around(row):
    value = evaluate(row, TRUE, PRED, sample_weight=WEIGHT)
    mirrored = REVERSED[row.metric.__name__]
    for y_true, y_pred, labels in ((3 - TRUE, 3 - PRED, None), (TRUE, PRED, [3, 2, 1, 0])):
        turned = evaluate(row, y_true, y_pred, labels=labels, sample_weight=WEIGHT, **mirrored)
        assert turned == pytest.approx(value, rel=1e-12)


@every_metric
@pytest.mark.parametrize(
    "make",
    [
        np.ndarray.tolist,
        lambda y: tuple(y.tolist()),
        lambda y: pd.Series(y, index=np.arange(len(y))[::-1]),
        lambda y: pd.Series(y, dtype="Int64"),
        lambda y: pd.Series(y, dtype="int64[pyarrow]"),
        pl.Series,
        pa.array,
    ],
    ids=["list", "tuple", "pandas", "nullable", "arrow-backed", "polars", "arrow"],
)
def test_containers(row, make):
    expected = evaluate(row, TRUE, PRED, sample_weight=WEIGHT)
    assert evaluate(row, make(TRUE), make(PRED), sample_weight=make(WEIGHT)) == expected
    assert evaluate(row, make(TRUE), PRED, sample_weight=WEIGHT) == expected


@every_metric
def test_inputs_are_only_read(row):
    arrays = {"y_true": TRUE, "y_pred": PRED, "sample_weight": WEIGHT * 0.5, "labels": np.arange(4)}
    options = OPTIONS.get(row.metric.__name__, {})
    expected = row.metric(**arrays, **options)
    frozen = {name: array.copy() for name, array in {**arrays, **options}.items()}
    for array in frozen.values():
        array.flags.writeable = False
    assert row.metric(**frozen) == expected
    writable = {name: array.copy() for name, array in {**arrays, **options}.items()}
    assert row.metric(**writable) == expected
    for name, array in writable.items():
        assert_array_equal(array, frozen[name])


@every_metric
def test_arrays_need_not_be_contiguous(row):
    table = np.column_stack([TRUE, PRED, WEIGHT])
    expected = evaluate(row, TRUE, PRED, sample_weight=WEIGHT)
    assert evaluate(row, table[:, 0], table[:, 1], sample_weight=table[:, 2]) == expected
    backwards = (y[::-1].copy()[::-1] for y in (TRUE, PRED))
    assert evaluate(row, *backwards, sample_weight=WEIGHT) == expected


@every_metric
def test_functions_can_be_pickled(row):
    assert pickle.loads(pickle.dumps(row.metric)) is row.metric
