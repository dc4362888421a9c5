"""What holds for every metric of censored targets, driven by the registry of scorers."""

import copy
import inspect
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from optional import needs_pyarrow, require
from optional import polars as pl
from optional import pyarrow as pa
from registry import CENSORED_METRICS
from strategies import whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored.metrics import censoring_rate
from sklearn_ordinal_censored.targets import interval_censored, right_censored

require(pl, pa)

# A description of the target alone has no scorer, but takes the same targets.
METRICS = {"censoring_rate": censoring_rate}
METRICS |= {row.metric.__name__: row.metric for row in CENSORED_METRICS.values()}
PREDICTS_INTERVALS = {"interval_overlap_rate"}
IN_UNITS_OF_TIME = {"observed_mae"}
TAKES_ANY_KIND = {"censoring_rate", "concordance_index", "interval_overlap_rate", "observed_mae"}

rng = np.random.default_rng(0)
TIME = rng.integers(1, 15, 60) / 2
EVENT = rng.random(60) < 0.7
EVENT[TIME.argmax()] = False  # so that the censoring curve ends at 0 where nothing needs it
PRED = np.round(TIME + rng.normal(0, 2, 60))
WEIGHT = rng.integers(0, 4, 60)
TARGET = right_censored(EVENT, TIME)

every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=list(METRICS))


def predicted(metric, pred):
    """The prediction in the form that the metric scores."""
    if metric.__name__ in PREDICTS_INTERVALS:
        return np.column_stack([np.asarray(pred) - 1, np.asarray(pred) + 1])
    return np.asarray(pred)


def evaluate(metric, y_true, pred, **keywords):
    return metric(y_true, predicted(metric, pred), **keywords)


def with_entry(y):
    entry = y["time"] - rng.integers(1, 8, len(y)) / 2
    dtype = [*y.dtype.descr, ("entry", float)]
    return np.array([(*row, begin) for row, begin in zip(y.tolist(), entry, strict=True)], dtype)


def test_censoring_rate_has_no_scorer():
    assert not any("censoring_rate" in name for name in CENSORED_METRICS)


@every_metric
def test_signature(metric):
    parameters = list(inspect.signature(metric).parameters.values())
    assert [p.name for p in parameters[:2]] == ["y_true", "y_pred"]
    assert all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters[:2])
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters[2:])
    assert "sample_weight" in {p.name for p in parameters[2:]}
    assert "labels" not in {p.name for p in parameters[2:]}


@every_metric
def test_a_python_float_comes_out(metric):
    for keywords in ({}, {"sample_weight": WEIGHT}):
        for y_true in (TARGET, with_entry(TARGET)):
            value = evaluate(metric, y_true, PRED, **keywords)
            assert type(value) is float
            assert math.isfinite(value)


@every_metric
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_rows_is_of_no_account(metric, seed):
    order = np.random.default_rng(seed).permutation(len(TIME))
    for y_true in (TARGET, with_entry(TARGET)):
        expected = evaluate(metric, y_true, PRED)
        assert evaluate(metric, y_true[order], PRED[order]) == pytest.approx(expected, rel=1e-12)
        weight = WEIGHT + 0.1
        value = evaluate(metric, y_true[order], PRED[order], sample_weight=weight[order])
        expected = evaluate(metric, y_true, PRED, sample_weight=weight)
        assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_whole_weights_repeat_rows(metric):
    assert (WEIGHT == 0).any()
    for y_true in (TARGET, with_entry(TARGET)):
        repeated = evaluate(metric, np.repeat(y_true, WEIGHT), np.repeat(PRED, WEIGHT))
        value = evaluate(metric, y_true, PRED, sample_weight=WEIGHT)
        assert value == pytest.approx(repeated, rel=1e-12)


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED, weighting=whole_weights))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_whole_weights_repeat_rows_on_small_samples(metric, rows):
    value = evaluate(metric, rows.event_time, rows.pred, sample_weight=rows.weight)
    repeated = evaluate(metric, rows.repeated.event_time, rows.repeated.pred)
    assert_allclose(value, repeated, rtol=1e-12)


@pytest.mark.parametrize("name", sorted(TAKES_ANY_KIND))
@given(rows=censored(weighting=whole_weights))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_whole_weights_repeat_rows_of_any_kind(name, rows):
    # One more row keeps the kinds of the others where it stands in for all that are left out.
    lower, upper = [*rows.lower, -1.0], [*rows.upper, -1.0]
    y_true, pred, weight = interval_censored(lower, upper), [*rows.pred, 0.0], [*rows.weight, 1]
    value = evaluate(METRICS[name], y_true, pred, sample_weight=weight)
    repeated = evaluate(METRICS[name], np.repeat(y_true, weight), np.repeat(pred, weight))
    assert_allclose(value, repeated, rtol=1e-12)


@every_metric
def test_kinds_of_rows_that_a_metric_takes(metric):
    y_true = interval_censored([1, 2, 0, 3, 5], [1, np.inf, 4, 6, 5])
    pred = [1, 2, 0, 3, 5]
    if metric.__name__ in TAKES_ANY_KIND:
        assert math.isfinite(evaluate(metric, y_true, pred))
    else:
        with pytest.raises(ValueError, match=r"^y_true has 1 left-censored and 1 interval-c"):
            evaluate(metric, y_true, pred)


@every_metric
def test_rows_of_weight_zero_might_as_well_be_absent(metric):
    kept = WEIGHT > 0
    weight = WEIGHT * 0.7
    without = evaluate(metric, TARGET[kept], PRED[kept], sample_weight=weight[kept])
    value = evaluate(metric, TARGET, PRED, sample_weight=weight)
    assert value == pytest.approx(without, rel=1e-12)


@every_metric
def test_equal_weights_are_no_weights(metric):
    expected = evaluate(metric, TARGET, PRED)
    for weight in (np.ones(60), [1] * 60, np.full(60, 0.37)):
        value = evaluate(metric, TARGET, PRED, sample_weight=weight)
        assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_the_unit_of_time_changes_only_what_is_measured_in_it(metric):
    factor = 365.25 if metric.__name__ in IN_UNITS_OF_TIME else 1
    expected = factor * evaluate(metric, TARGET, PRED)
    y_pred = 365.25 * predicted(metric, PRED)
    value = metric(right_censored(EVENT, 365.25 * TIME), y_pred)
    assert value == pytest.approx(expected, rel=1e-12)


UPPER = np.where(EVENT, TIME, np.inf)
CONTAINERS = {
    "time first": np.array(list(zip(TIME, EVENT, strict=True)), [("t", "f8"), ("e", "?")]),
    "whole numbers": np.array(list(zip(EVENT, TIME, strict=True)), [("cens", "i8"), ("t", "f4")]),
    "records": TARGET.view(np.recarray),
    "spread in memory": np.repeat(TARGET, 2)[::2],
    "backwards in memory": TARGET[::-1].copy()[::-1],
    "pandas": pd.DataFrame({"months": TIME, "dead": EVENT}, index=np.arange(60)[::-1]),
    "nullable": pd.DataFrame({"e": pd.array(EVENT, dtype="boolean"), "t": TIME}),
    "arrow-backed": pd.DataFrame({"e": EVENT, "t": TIME}).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame({"event": EVENT, "time": TIME}),
    "arrow": pa.table({"event": EVENT, "time": TIME}),
    "durations": pd.DataFrame({"e": EVENT, "t": pd.to_timedelta(TIME, unit="D")}),
    "bounds": interval_censored(TIME, UPPER),
    "bounds in a frame": pd.DataFrame({"upper": UPPER, "lower": TIME}),
    "bounds in polars": pl.DataFrame({"lower": TIME, "upper": UPPER}),
    "bounds as an array": np.column_stack([TIME, UPPER]),
    "bounds by columns": np.asfortranarray(np.column_stack([TIME, UPPER])),
    "bounds as a list": np.column_stack([TIME, UPPER]).tolist(),
}


@every_metric
@pytest.mark.parametrize("y_true", CONTAINERS.values(), ids=list(CONTAINERS))
def test_containers_of_the_target(metric, y_true):
    before = copy.deepcopy(y_true)
    expected = evaluate(metric, TARGET, PRED, sample_weight=WEIGHT)
    assert evaluate(metric, y_true, PRED, sample_weight=WEIGHT) == expected
    if isinstance(y_true, pd.DataFrame):
        pd.testing.assert_frame_equal(y_true, before)
    elif isinstance(y_true, (pl.DataFrame, pa.Table)):
        assert y_true.equals(before)
    else:
        assert_array_equal(y_true, before)


@every_metric
@pytest.mark.parametrize(
    "make",
    [
        np.ndarray.tolist,
        lambda y: tuple(y.tolist()),
        lambda y: pd.Series(y, index=np.arange(len(y))[::-1]),
        lambda y: pd.Series(y, dtype="Int64"),
        pytest.param(lambda y: pd.Series(y, dtype="int64[pyarrow]"), marks=needs_pyarrow),
        lambda y: y.astype(object),
        pl.Series,
        pa.array,
    ],
    ids=["list", "tuple", "pandas", "nullable", "arrow-backed", "objects", "polars", "arrow"],
)
def test_containers_of_predictions_and_weights(metric, make):
    whole = PRED.astype(int)
    expected = evaluate(metric, TARGET, whole, sample_weight=WEIGHT)
    assert evaluate(metric, TARGET, whole, sample_weight=make(WEIGHT)) == expected
    if metric.__name__ not in PREDICTS_INTERVALS:
        assert metric(TARGET, make(whole), sample_weight=make(WEIGHT)) == expected


@every_metric
@pytest.mark.parametrize("kind", ["f4", "f8", "i4", ">f8"])
def test_types_of_predictions(metric, kind):
    expected = evaluate(metric, TARGET, PRED)
    assert metric(TARGET, predicted(metric, PRED).astype(kind)) == expected


@every_metric
def test_inputs_are_only_read(metric):
    arrays = {"y_true": TARGET, "y_pred": predicted(metric, PRED), "sample_weight": WEIGHT * 0.5}
    expected = metric(**arrays)
    frozen = {name: array.copy() for name, array in arrays.items()}
    for array in frozen.values():
        array.flags.writeable = False
    assert metric(**frozen) == expected
    writable = {name: array.copy() for name, array in arrays.items()}
    assert metric(**writable) == expected
    for name, array in writable.items():
        assert_array_equal(array, frozen[name])


@every_metric
def test_arrays_need_not_be_contiguous(metric):
    y_pred = predicted(metric, PRED)
    expected = metric(TARGET, y_pred, sample_weight=WEIGHT)
    spread = (np.repeat(array, 3, axis=0)[::3] for array in (TARGET, y_pred, WEIGHT))
    y_true, y_pred, weight = spread
    assert metric(y_true, y_pred, sample_weight=weight) == expected
    backwards = (array[::-1].copy()[::-1] for array in (TARGET, predicted(metric, PRED)))
    assert metric(*backwards, sample_weight=WEIGHT) == expected


@every_metric
def test_functions_can_be_pickled(metric):
    assert pickle.loads(pickle.dumps(metric)) is metric
