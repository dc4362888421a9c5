"""What holds for every metric of grades, driven by the registry of scorers."""

import inspect
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from optional import needs_pyarrow
from optional import polars as pl
from optional import pyarrow as pa
from registry import CASES, CENSORED_METRICS, LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS
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
    "ordinal_report",
    "render_report",
    "tree_cost_matrix",
}
COST = np.array([[0.0, 1, 2, 9], [4, -1, 1, 2], [7, 3, 0, 1], [9, 8, 2, 0.5]])
# Options that a metric cannot do without, and those that mean the same on the reversed scale.
OPTIONS = {"ordinal_cost": {"cost_matrix": COST}}
REVERSED = {
    "cost_weighted_log_loss": {},
    "cumulative_auc": {},
    "cumulative_brier": {},
    "cumulative_scores": {"measure": "specificity"},
    "linear_weighted_kappa": {},
    "mean_absolute_class_error": {},
    "mean_squared_class_error": {},
    "ordinal_accuracy": {},
    "ordinal_concordance_index": {},
    "ordinal_cost": {"cost_matrix": COST[::-1, ::-1]},
    "quadratic_weighted_kappa": {},
    "ranked_probability_score": {},
    "soft_weighted_kappa": {},
    "weighted_kappa": {},
}
WORDS = ["poor", "fair", "good", "best"]

rng = np.random.default_rng(0)
TRUE = np.r_[0:4, rng.integers(0, 4, 46)]
PRED = np.r_[3, 2, 1, 0, np.clip(TRUE[4:] + rng.integers(-1, 2, 46), 0, 3)]
WEIGHT = rng.integers(0, 4, 50)

every_metric = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def evaluate(case, y_true, y_second, **keywords):
    name = case.row.metric.__name__
    return case.row.metric(y_true, y_second, **{**OPTIONS.get(name, {}), **keywords})


def assert_same(case, value, expected):
    """To the last bit for predicted grades, within rounding for sums over rows."""
    assert_allclose(value, expected, rtol=case.rtol)


def series(values, **keywords):
    return (pd.Series if values.ndim == 1 else pd.DataFrame)(values, **keywords)


def arrow(values):
    if values.ndim == 1:
        return pa.array(values)
    return pa.table({f"grade {place}": column for place, column in enumerate(values.T)})


def test_every_public_metric_has_a_row():
    measured = {row.metric.__name__ for row in REGISTRY.values()}
    assert set(REVERSED) == {case.row.metric.__name__ for case in CASES.values()}
    assert measured | NO_METRICS == set(metrics.__all__)
    assert not measured & NO_METRICS


def test_every_row_is_of_one_kind():
    kinds = LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS, CENSORED_METRICS
    assert sorted(name for kind in kinds for name in kind) == sorted(REGISTRY)


@every_metric
def test_signature(case):
    parameters = list(inspect.signature(case.row.metric).parameters.values())
    assert [p.name for p in parameters[:2]] == ["y_true", case.second.name]
    assert all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters[:2])
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters[2:])
    assert {"labels", "sample_weight"} <= {p.name for p in parameters[2:]}


@every_metric
def test_a_python_float_comes_out(case):
    second = case.second.of_ranks(PRED)
    for keywords in ({}, {"sample_weight": WEIGHT}, {"labels": range(4)}):
        value = evaluate(case, TRUE, second, **keywords)
        assert type(value) is float
        assert math.isfinite(value)


@every_metric
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_rows_is_of_no_account(case, seed):
    second = case.second.of_ranks(PRED)
    order = np.random.default_rng(seed).permutation(len(TRUE))
    assert_same(case, evaluate(case, TRUE[order], second[order]), evaluate(case, TRUE, second))
    weight = WEIGHT + 0.1
    value = evaluate(case, TRUE[order], second[order], sample_weight=weight[order])
    expected = evaluate(case, TRUE, second, sample_weight=weight)
    assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_whole_weights_repeat_rows(case):
    assert (WEIGHT == 0).any()
    second = case.second.of_ranks(PRED)
    repeated = evaluate(case, np.repeat(TRUE, WEIGHT), np.repeat(second, WEIGHT, axis=0))
    assert_same(case, evaluate(case, TRUE, second, sample_weight=WEIGHT), repeated)


@every_metric
@given(rows=graded(min_classes=4, max_classes=4, weighting=whole_weights))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_whole_weights_repeat_rows_on_small_samples(case, rows):
    names = np.array(rows.labels)
    ranks = np.array(rows.pred_ranks)
    second = case.second.renamed(names.__getitem__, case.second.of_ranks(ranks))
    value = evaluate(case, rows.y_true, second.tolist(), **rows.keywords)
    repeated = (
        np.repeat(np.array(side), rows.weight, axis=0).tolist() for side in (rows.y_true, second)
    )
    assert_same(case, value, evaluate(case, *repeated, labels=rows.labels))


@every_metric
def test_rows_of_weight_zero_might_as_well_be_absent(case):
    kept = WEIGHT > 0
    weight = WEIGHT * 0.7
    second = case.second.of_ranks(PRED)
    without = evaluate(case, TRUE[kept], second[kept], sample_weight=weight[kept])
    assert evaluate(case, TRUE, second, sample_weight=weight) == without


@every_metric
def test_equal_weights_are_no_weights(case):
    second = case.second.of_ranks(PRED)
    expected = evaluate(case, TRUE, second)
    assert_same(case, evaluate(case, TRUE, second, sample_weight=np.ones(50)), expected)
    assert_same(case, evaluate(case, TRUE, second, sample_weight=[1] * 50), expected)
    value = evaluate(case, TRUE, second, sample_weight=np.full(50, 0.37))
    assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_names_of_the_grades_are_of_no_account(case):
    words = np.array(WORDS)
    encodings = {
        "shifted": (lambda y: y + 7, None),
        "negative": (lambda y: y - 9, None),
        "floats": (lambda y: y.astype(float), None),
        "integers with labels": (lambda y: y, [0, 1, 2, 3]),
        "spaced with labels": (lambda y: y * 10, [0, 10, 20, 30]),
        "descending labels": (lambda y: -y, [0, -1, -2, -3]),
        "words": (lambda y: words[y], WORDS),
        "objects": (lambda y: words[y].astype(object), WORDS),
        "categories": (lambda y: pd.Categorical(words[y], WORDS, ordered=True), None),
        "polars Enum": (lambda y: pl.Series(words[y], dtype=pl.Enum(WORDS)), None),
    }
    second = case.second.of_ranks(PRED)
    expected = evaluate(case, TRUE, second, sample_weight=WEIGHT)
    values = {
        name: evaluate(
            case,
            code(TRUE),
            case.second.renamed(code, second),
            labels=labels,
            sample_weight=WEIGHT,
        )
        for name, (code, labels) in encodings.items()
    }
    values["categories of one side"] = evaluate(
        case,
        pd.Categorical.from_codes(TRUE, WORDS, ordered=True),
        case.second.renamed(words.__getitem__, second),
        sample_weight=WEIGHT,
    )
    assert values == dict.fromkeys(values, expected)


@every_metric
def test_the_two_sides_may_come_in_different_dtypes(case):
    second = case.second.of_ranks(PRED)
    expected = evaluate(case, TRUE, second)
    assert evaluate(case, TRUE.astype(np.uint8), second.astype(np.float32)) == expected
    assert evaluate(case, TRUE.astype(object), second.astype(np.float64)) == expected
    assert evaluate(case, TRUE.astype(np.int16), second.astype(object)) == expected


@every_metric
def test_turning_the_scale_around(case):
    second = case.second.of_ranks(PRED)
    value = evaluate(case, TRUE, second, sample_weight=WEIGHT)
    mirrored = REVERSED[case.row.metric.__name__]
    renamed = case.second.renamed(lambda y: 3 - y, second)
    for y_true, y_second, labels in ((3 - TRUE, renamed, None), (TRUE, second, [3, 2, 1, 0])):
        turned = evaluate(
            case,
            y_true,
            case.second.turned(y_second),
            labels=labels,
            sample_weight=WEIGHT,
            **mirrored,
        )
        assert turned == pytest.approx(value, rel=1e-12)


@every_metric
@pytest.mark.parametrize(
    "make",
    [
        np.ndarray.tolist,
        lambda y: tuple(y.tolist()),
        lambda y: series(y, index=np.arange(len(y))[::-1]),
        lambda y: series(y).convert_dtypes(),
        pytest.param(
            lambda y: series(y).convert_dtypes(dtype_backend="pyarrow"), marks=needs_pyarrow
        ),
        lambda y: (pl.Series if y.ndim == 1 else pl.DataFrame)(y),
        arrow,
    ],
    ids=["list", "tuple", "pandas", "nullable", "arrow-backed", "polars", "arrow"],
)
def test_containers(case, make):
    second = case.second.of_ranks(PRED)
    expected = evaluate(case, TRUE, second, sample_weight=WEIGHT)
    assert evaluate(case, make(TRUE), make(second), sample_weight=make(WEIGHT)) == expected
    assert evaluate(case, make(TRUE), second, sample_weight=WEIGHT) == expected


@every_metric
def test_inputs_are_only_read(case):
    second = case.second.of_ranks(PRED)
    arrays = {"y_true": TRUE, case.second.name: second, "sample_weight": WEIGHT * 0.5}
    arrays |= {"labels": np.arange(4), **OPTIONS.get(case.row.metric.__name__, {})}
    expected = case.row.metric(**arrays)
    frozen = {name: array.copy() for name, array in arrays.items()}
    for array in frozen.values():
        array.flags.writeable = False
    assert case.row.metric(**frozen) == expected
    writable = {name: array.copy() for name, array in arrays.items()}
    assert case.row.metric(**writable) == expected
    for name, array in writable.items():
        assert_array_equal(array, frozen[name])


@every_metric
def test_arrays_need_not_be_contiguous(case):
    arrays = TRUE, case.second.of_ranks(PRED), WEIGHT
    y_true, second, weight = (np.repeat(array, 2, axis=0)[::2] for array in arrays)
    assert not second.flags.contiguous
    expected = evaluate(case, TRUE, arrays[1], sample_weight=WEIGHT)
    assert evaluate(case, y_true, second, sample_weight=weight) == expected
    backwards = (array[::-1].copy()[::-1] for array in arrays[:2])
    assert evaluate(case, *backwards, sample_weight=WEIGHT) == expected
    by_column = np.asfortranarray(arrays[1])
    assert evaluate(case, TRUE, by_column, sample_weight=WEIGHT) == expected


@every_metric
def test_functions_can_be_pickled(case):
    assert pickle.loads(pickle.dumps(case.row.metric)) is case.row.metric
