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
from optional import needs_pyarrow, with_pyarrow
from optional import polars as pl
from optional import pyarrow as pa
from registry import CENSORED_METRICS, CURVE_METRICS
from registry_censored import CASES as WITH_SCORERS
from registry_censored import TIMES, CensoredCase
from strategies import whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored.metrics import censoring_rate
from sklearn_ordinal_censored.targets import interval_censored, right_censored

# A description of the target alone has no scorer, but takes the same targets.
CASES = {"censoring_rate": CensoredCase(censoring_rate, takes_any_kind=True), **WITH_SCORERS}

rng = np.random.default_rng(0)
TIME = rng.integers(1, 15, 60) / 2
EVENT = rng.random(60) < 0.7
EVENT[TIME.argmax()] = False  # so that the censoring curve ends at 0 where nothing needs it
PRED = np.round(TIME + rng.normal(0, 2, 60))
WEIGHT = rng.integers(0, 4, 60)
TARGET = right_censored(EVENT, TIME)

every_metric = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def with_entry(y):
    entry = y["time"] - rng.integers(1, 8, len(y)) / 2
    dtype = [*y.dtype.descr, ("entry", float)]
    return np.array([(*row, begin) for row, begin in zip(y.tolist(), entry, strict=True)], dtype)


def targets(case):
    return [TARGET, with_entry(TARGET)] if case.takes_entry else [TARGET]


def test_censoring_rate_has_no_scorer():
    assert not any("censoring_rate" in name for name in CENSORED_METRICS | CURVE_METRICS)


@every_metric
def test_signature(case):
    parameters = list(inspect.signature(case.metric).parameters.values())
    assert [p.name for p in parameters[:2]] == ["y_true", case.form.name]
    assert all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters[:2])
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters[2:])
    assert "sample_weight" in {p.name for p in parameters[2:]}
    assert "labels" not in {p.name for p in parameters[2:]}


@every_metric
def test_a_python_float_comes_out(case):
    for keywords in ({}, {"sample_weight": WEIGHT}):
        for y_true in targets(case):
            value = case(y_true, PRED, **keywords)
            assert type(value) is float
            assert math.isfinite(value)


@every_metric
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_rows_is_of_no_account(case, seed):
    order = np.random.default_rng(seed).permutation(len(TIME))
    for y_true in targets(case):
        expected = case(y_true, PRED)
        assert case(y_true[order], PRED[order]) == pytest.approx(expected, rel=1e-12)
        weight = WEIGHT + 0.1
        value = case(y_true[order], PRED[order], sample_weight=weight[order])
        expected = case(y_true, PRED, sample_weight=weight)
        assert value == pytest.approx(expected, rel=1e-12)


@every_metric
def test_whole_weights_repeat_rows(case):
    assert (WEIGHT == 0).any()
    for y_true in targets(case):
        repeated = case(np.repeat(y_true, WEIGHT), np.repeat(PRED, WEIGHT))
        value = case(y_true, PRED, sample_weight=WEIGHT)
        assert value == pytest.approx(repeated, rel=1e-12)


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED, weighting=whole_weights))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.filterwarnings("ignore:integrated_.* uses . of 3 times")
def test_whole_weights_repeat_rows_on_small_samples(case, rows):
    if not case.takes_entry:
        rows = rows._replace(entry=None)
    value = case(rows.event_time, rows.pred, sample_weight=rows.weight)
    repeated = case(rows.repeated.event_time, rows.repeated.pred)
    assert_allclose(value, repeated, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.takes_any_kind])
@given(rows=censored(weighting=whole_weights))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_whole_weights_repeat_rows_of_any_kind(name, rows):
    # One more row keeps the kinds of the others where it stands in for all that are left out.
    lower, upper = [*rows.lower, -1.0], [*rows.upper, -1.0]
    y_true, pred, weight = interval_censored(lower, upper), [*rows.pred, 0.0], [*rows.weight, 1]
    value = CASES[name](y_true, pred, sample_weight=weight)
    repeated = CASES[name](np.repeat(y_true, weight), np.repeat(pred, weight))
    assert_allclose(value, repeated, rtol=1e-12)


@every_metric
def test_kinds_of_rows_that_a_metric_takes(case):
    y_true = interval_censored([1, 2, 0, 3, 5], [1, np.inf, 4, 6, 5])
    pred = [1, 2, 0, 3, 5]
    if case.takes_any_kind:
        assert math.isfinite(case(y_true, pred))
    else:
        with pytest.raises(ValueError, match=r"^y_true has 1 left-censored and 1 interval-c"):
            case(y_true, pred)


@every_metric
def test_late_entries_that_cannot_be_taken_into_account_are_refused(case):
    if case.takes_entry:
        assert math.isfinite(case(with_entry(TARGET), PRED))
    else:
        with pytest.raises(ValueError, match=r"^y_true has a field 'entry'.* [Ll]eave the field"):
            case(with_entry(TARGET), PRED)


@every_metric
def test_rows_of_weight_zero_might_as_well_be_absent(case):
    kept = WEIGHT > 0
    weight = WEIGHT * 0.7
    without = case(TARGET[kept], PRED[kept], sample_weight=weight[kept])
    value = case(TARGET, PRED, sample_weight=weight)
    assert value == pytest.approx(without, rel=1e-12)


@every_metric
def test_equal_weights_are_no_weights(case):
    expected = case(TARGET, PRED)
    for weight in (np.ones(60), [1] * 60, np.full(60, 0.37)):
        assert case(TARGET, PRED, sample_weight=weight) == pytest.approx(expected, rel=1e-12)


@every_metric
@pytest.mark.parametrize("factor", [365.25, 1 / 52])
def test_the_unit_of_time_changes_only_what_is_measured_in_it(case, factor):
    for weight in (None, WEIGHT):
        value = case.metric(
            right_censored(EVENT, factor * TIME),
            case.form.in_unit(PRED, factor),
            sample_weight=weight,
            **case.required(factor),
        )
        expected = case(TARGET, PRED, sample_weight=weight)
        if case.is_in_units:
            expected *= factor
        elif case.is_density:
            expected += math.log(factor) * np.average(EVENT, weights=weight)
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
    "arrow-backed": with_pyarrow(
        lambda: pd.DataFrame({"e": EVENT, "t": TIME}).convert_dtypes(dtype_backend="pyarrow")
    ),
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
def test_containers_of_the_target(case, y_true):
    before = copy.deepcopy(y_true)
    expected = case(TARGET, PRED, sample_weight=WEIGHT)
    assert case(y_true, PRED, sample_weight=WEIGHT) == expected
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
def test_containers_of_predictions_and_weights(case, make):
    whole = PRED.astype(int)
    expected = case(TARGET, whole, sample_weight=WEIGHT)
    assert case(TARGET, whole, sample_weight=make(WEIGHT)) == expected
    if case.form.is_one_column:
        keywords = case.required() | {"sample_weight": make(WEIGHT)}
        assert case.metric(TARGET, make(whole), **keywords) == expected


SEVERAL_COLUMNS = {name: case for name, case in CASES.items() if not case.form.is_one_column}


@pytest.mark.parametrize("case", SEVERAL_COLUMNS.values(), ids=list(SEVERAL_COLUMNS))
@pytest.mark.parametrize(
    "make",
    [np.ndarray.tolist, lambda v: tuple(map(tuple, v)), pd.DataFrame, pl.DataFrame],
    ids=["list", "tuple", "pandas", "polars"],
)
def test_containers_of_several_columns(case, make):
    table = make(case.form.of_times(PRED))
    if isinstance(table, (pd.DataFrame, pl.DataFrame)) and not case.form.is_in_time:
        table.columns = [f"{time}" for time in TIMES]  # which say what the columns are
    assert case.metric(TARGET, table, **case.required()) == case(TARGET, PRED)


@every_metric
def test_types_of_predictions(case):
    expected = case(TARGET, PRED)
    for kind in case.form.types:
        values = case.form.of_times(PRED).astype(kind)
        assert case.metric(TARGET, values, **case.required()) == expected


@every_metric
def test_inputs_are_only_read(case):
    arrays = {
        "y_true": TARGET,
        case.form.name: case.form.of_times(PRED),
        "sample_weight": WEIGHT * 0.5,
        **case.required(),
    }
    expected = case.metric(**arrays)
    frozen = copy.deepcopy(arrays)
    for array in filter(np.ndim, frozen.values()):
        array.flags.writeable = False
    assert case.metric(**frozen) == expected
    writable = copy.deepcopy(arrays)
    assert case.metric(**writable) == expected
    for name, array in writable.items():
        assert_array_equal(array, frozen[name])


@every_metric
def test_arrays_need_not_be_contiguous(case):
    second = case.form.of_times(PRED)
    expected = case(TARGET, PRED, sample_weight=WEIGHT)
    spread = (np.repeat(array, 3, axis=0)[::3] for array in (TARGET, second, WEIGHT))
    y_true, y_second, weight = spread
    options = case.required()
    assert case.metric(y_true, y_second, sample_weight=weight, **options) == expected
    backwards = (array[::-1].copy()[::-1] for array in (TARGET, second))
    assert case.metric(*backwards, sample_weight=WEIGHT, **options) == expected
    by_column = np.asfortranarray(second)
    assert case.metric(TARGET, by_column, sample_weight=WEIGHT, **options) == expected


@every_metric
def test_functions_can_be_pickled(case):
    assert pickle.loads(pickle.dumps(case.metric)) is case.metric
