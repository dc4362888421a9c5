"""Censored targets, predictions and options that no value could be right for, and the cure told."""

import datetime
import inspect
import re

import numpy as np
import pandas as pd
import pytest
from optional import polars as pl
from registry_censored import CASES

import sklearn_ordinal_censored as soc
from sklearn_ordinal_censored.metrics import (
    censoring_rate,
    concordance_index,
    concordance_index_ipcw,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import as_right_censored, right_censored

INF = np.inf
EVENT, TIME = [True, False, True], [1.0, 2.0, 3.5]
GOOD = right_censored(EVENT, TIME)
PRED = [1.0, 2.0, 3.0]
DAYS = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[D]")
DROP = "Drop or impute those rows first"
BUILDERS = "right_censored(event, time) or interval_censored(lower, upper)"
BOUNDS = "Equal bounds stand for an exact time, an infinite upper one for right-censoring"
SIGNED = "Signed times are right_censored(t > 0, abs(t))"
DATES = "subtract the date on which each row's clock starts"


def structured(**fields):
    columns = {name: np.asarray(values) for name, values in fields.items()}
    dtype = [(name, values.dtype) for name, values in columns.items()]
    array = np.empty(3, dtype)
    for name, values in columns.items():
        array[name] = values
    return array


def frame(**columns):
    return pd.DataFrame(columns)


# What is wrong with a target, the bad value, the argument named, what is shown, what to do.
TARGETS = [
    ("nothing", None, "{y}", "is None", BUILDERS),
    ("times only", TIME, "{y}", "is of shape (3,) and carries no censoring information", BUILDERS),
    ("signed times", np.array([1, -2, 3]), "{y}", "is of shape (3,)", BUILDERS),
    ("series", pd.Series(TIME), "{y}", "is of shape (3,)", BUILDERS),
    ("tuple", (EVENT, TIME), "{y}", "is a tuple", BUILDERS),
    ("three columns", np.ones((3, 3)), "{y}", "is of shape (3, 3)", BUILDERS),
    ("text", "event", "{y}", "is of shape ()", BUILDERS),
    ("dict", {"event": EVENT, "time": TIME}, "{y}", "is of shape ()", BUILDERS),
    ("events or bounds", np.c_[EVENT, TIME], "{y}", "has a column of 0 and 1 only", BUILDERS),
    ("bounds or events", np.c_[TIME, EVENT], "{y}", "has a column of 0 and 1 only", BUILDERS),
    ("two booleans", structured(a=EVENT, b=EVENT), "{y}", "'a' holds False, True; 'b'", BUILDERS),
    ("two times", frame(a=TIME, b=[4.5, 3, 2]), "{y}", "'a' holds 1.0, 2.0, 3.5; 'b'", BUILDERS),
    ("three fields", structured(a=EVENT, b=TIME, c=TIME), "{y}", "['a', 'b', 'c']", BUILDERS),
    ("one field", frame(time=TIME), "{y}", "has the fields ['time'], but needs two", BUILDERS),
    ("shares", structured(a=[0.5, 1, 0], b=TIME), "{y}", "'a' holds 0.0, 0.5, 1.0", BUILDERS),
    (
        "competing risks",
        structured(cause=[0, 2, 1], t=TIME),
        "{y}",
        "'cause' holds 0, 1, 2",
        "choose the cause of interest: right_censored(y['cause'] == 1, y['t'])",
    ),
    ("codes", frame(s=[1, 2, 1], t=TIME), "{y}", "'s' holds 1, 2", "choose the cause of interest"),
    ("minus one", frame(s=[-1, 1, 1], t=TIME), "{y}", "'s' holds -1, 1", "the cause of interest"),
    ("words", frame(s=list("yny"), t=TIME), "{y}", "'s' holds 'n', 'y'", "y['s'] == 'y'"),
    ("NaN", structured(e=EVENT, t=[1, np.nan, 2]), "{y}['t']", "1 missing value(s), the f", DROP),
    ("NaN event", structured(e=[1, np.nan, 0], t=TIME), "{y}['e']", "1 missing value(s)", DROP),
    ("NA", frame(e=pd.array([1, None, None], "boolean"), t=TIME), "{y}['e']", "2 missing", DROP),
    ("null", pl.DataFrame({"e": EVENT, "t": [None, 1, 2]}), "{y}['t']", "in row 0", DROP),
    ("NaT", frame(e=EVENT, t=pd.to_timedelta([1, 2, None])), "{y}['t']", "in row 2", DROP),
    ("negative", structured(e=EVENT, t=[-1, 2, 3]), "{y}['t']", "but holds -1.0", SIGNED),
    ("infinite", structured(e=EVENT, t=[1, 2, INF]), "{y}['t']", "holds inf", "drop or mend"),
    ("dates", structured(e=EVENT, t=DAYS), "{y}['t']", "holds dates", DATES),
    ("python dates", frame(e=EVENT, t=DAYS.astype(object)), "{y}['t']", "holds dates", DATES),
    (
        "polars dates",
        pl.DataFrame({"e": EVENT, "t": [datetime.date(2026, 1, 1)] * 3}),
        "{y}['t']",
        "holds dates",
        DATES,
    ),
    ("time as text", frame(e=EVENT, t=list("abc")), "{y}['t']", "must hold numbers", "convert it"),
    ("crossed", [[3, 2], [1, 1], [2, 2]], "", "lower is above upper in 1 row(s)", BOUNDS),
    ("no bound", [[-INF, INF], [1, 1], [2, 2]], "", "neither bound is finite in 1 row(s)", BOUNDS),
    ("NaN bound", [[2, 3], [np.nan, 4], [5, 5]], "{y}", "1 missing value(s), the first", DROP),
    ("named NaN bound", frame(lower=[1, 2, None], upper=TIME), "lower", "1 missing value", DROP),
    (
        "late entry",
        structured(e=EVENT, t=TIME, entry=[0, 2, 1]),
        "{y}['entry']",
        "must be finite and before the time of its row",
        "first is row 1: 2.0 against 2.0",
    ),
    ("entry", structured(e=EVENT, t=TIME, entry=[0, np.nan, 1]), "{y}['entry']", "1 missing", DROP),
    ("ragged", [[1, 2], [3], [4, 5]], "{y}", "must have rows of equal length", "they differ"),
    ("letters", [["a", "b"]] * 3, "{y}", "must hold numbers, but has dtype <U1", "convert it"),
    ("no rows", GOOD[:0], "{y}", "is empty", "at least one row is needed"),
]


def as_parameters(table):
    return pytest.mark.parametrize(
        ("value", "argument", "shown", "cure"), [pytest.param(*row[1:], id=row[0]) for row in table]
    )


every_metric = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def assert_told(error, *parts):
    """The message names, shows and cures; `parts` are plain text."""
    for part in parts:
        assert re.search(re.escape(part), str(error.value)), f"{part!r} not in {error.value!s}"


@every_metric
@as_parameters(TARGETS)
def test_targets(case, value, argument, shown, cure):
    with pytest.raises(ValueError, match="^" + re.escape(argument.format(y="y_true"))) as error:
        case(value, PRED)
    assert_told(error, shown, cure)


@as_parameters(TARGETS)
def test_targets_of_other_functions(value, argument, shown, cure):
    for read in (as_right_censored, KaplanMeier().fit):
        with pytest.raises(ValueError, match="^" + re.escape(argument.format(y="y"))) as error:
            read(value)
        assert_told(error, shown, cure)
    with pytest.raises(ValueError, match="^" + re.escape(argument.format(y="y_true"))) as error:
        censoring_rate(value)
    assert_told(error, shown, cure)


@as_parameters([row for row in TARGETS if row[0] != "nothing"])
def test_references_of_the_censoring_distribution(value, argument, shown, cure):
    argument = argument.format(y="censoring")
    with pytest.raises(ValueError, match="^" + re.escape(argument)) as error:
        concordance_index_ipcw(GOOD, PRED, censoring=value)
    assert_told(error, shown, cure)


POINTS = {name: case for name, case in CASES.items() if case.form.is_one_column}
point_metrics = pytest.mark.parametrize("case", POINTS.values(), ids=list(POINTS))
PREDICTIONS = [
    ("NaN", [1, np.nan, 2], "y_pred", "must be finite, but holds nan (1 of 3 values)", DROP),
    (
        "infinite",
        [1, INF, -INF],
        "y_pred",
        "must be finite, but holds inf, -inf",
        "a restricted mean",
    ),
    ("None", [1, None, 2], "y_pred", "holds nan (1 of 3 values)", DROP),
    ("NA", pd.Series([1, pd.NA, 2], dtype="Int64"), "y_pred", "nan (1 of 3 values)", DROP),
    ("masked", np.ma.array(PRED, mask=[0, 1, 0]), "y_pred", "has masked values", DROP),
    ("text", ["1", "2", "3"], "y_pred", "'1', '2', '3'", "must hold plain real numbers"),
    ("dates", DAYS, "y_pred", "2026", "must hold plain real numbers"),
    ("complex", [1, 1j, 2], "y_pred", "1j", "must hold plain real numbers"),
    ("target", GOOD, "y_pred", "True, 1.0", "must hold plain real numbers"),
    (
        "short",
        [1.0, 2.0],
        "Inputs must have the same length",
        "y_true has 3 rows, y_pred has 2 rows",
        "same length",
    ),
]


@point_metrics
@as_parameters(PREDICTIONS)
def test_predictions(case, value, argument, shown, cure):
    with pytest.raises(ValueError, match=f"^{argument}") as error:
        case.metric(GOOD, value, **case.required())
    assert_told(error, shown, cure)


SHAPES = {  # told by metrics with one of these options, which also take more than one column
    (): "must have 1 dimension(s), but has shape {}",
    ("scale",): "two columns, location",
    ("times",): "must have the shape (n_samples, n_times) = (3, 3), but has {}",
}


@point_metrics
@pytest.mark.parametrize("value", [np.ones((3, 1)), np.ones((3, 2)), 1.0], ids=np.shape)
def test_shapes_of_predictions(case, value):
    with pytest.raises(ValueError, match=r"^y_pred ") as error:
        case.metric(GOOD, value, **case.required())
    assert_told(error, SHAPES[case.options].format(np.shape(value)))


@every_metric
def test_predictions_of_another_length(case):
    told = "but y_true has 3 rows, y_pred has 4 rows"
    if not case.form.is_in_time:
        told = r"^y_proba must have the shape \(n_samples, n_times\) = \(3, 3\), but has \(4, 3\)"
    with pytest.raises(ValueError, match=told):
        case(GOOD, [1, 2, 3, 4])


WEIGHTS = [
    ("negative", [1, -1, -0.5], "-1.0, -0.5", "must not be negative"),
    ("NaN", [1, np.nan, 1], "must be finite, but holds nan (1 of 3 values)", DROP),
    ("infinite", [1, INF, 1], "must be finite, but holds inf", DROP),
    ("masked", np.ma.array([1, 1, 1], mask=[0, 1, 0]), "masked values", DROP),
    ("all zero", [0, 0, 0], "is zero for every row", "at least one row must count"),
    ("overflow", [1e308, 1e308, 1e308], "a sum of inf", "scale the weights by a constant"),
    ("short", [1, 1], "has 2 rows, the target has 3", "give one for each row"),
    ("two columns", np.ones((3, 2)), "(3, 2)", "must have 1 dimension(s)"),
    ("text", ["1", "2", "3"], "'1', '2', '3'", "must hold plain real numbers"),
]


@every_metric
@pytest.mark.parametrize(
    ("value", "shown", "cure"), [pytest.param(*row[1:], id=row[0]) for row in WEIGHTS]
)
def test_weights(case, value, shown, cure):
    with pytest.raises(ValueError, match=r"^sample_weight ") as error:
        case(GOOD, PRED, sample_weight=value)
    assert_told(error, shown, cure)
    with pytest.raises(ValueError, match=r"^sample_weight ") as error:
        censoring_rate(GOOD, sample_weight=value)
    assert_told(error, shown, cure)


STRATA = [
    ("NaN", [1, np.nan, 2], "strata", "1 missing value(s), the first in row 1", DROP),
    ("None", ["a", "b", None], "strata", "1 missing value(s), the first in row 2", DROP),
    ("category", pd.Categorical(["a", None, "b"]), "strata", "1 missing value(s)", DROP),
    ("infinite", [1, INF, 2], "strata", "holds inf", "drop or mend those rows first"),
    ("mixed", ["a", 1, "b"], "strata", "mixes text with other values (int, str)", "convert it"),
    ("two columns", np.ones((3, 2)), "strata", "shape (3, 2)", "Give one value a row"),
    ("number", 1, "strata", "shape ()", "Give one value a row"),
    (
        "short",
        [1, 2],
        "Inputs must have the same length",
        "y_true has 3 rows, strata has 2 rows",
        "same length",
    ),
]


@pytest.mark.parametrize("metric", [concordance_index, concordance_index_ipcw])
@as_parameters(STRATA)
def test_strata(metric, value, argument, shown, cure):
    with pytest.raises(ValueError, match=f"^{argument}") as error:
        metric(GOOD, PRED, strata=value)
    assert_told(error, shown, cure)


@pytest.mark.parametrize("metric", [concordance_index, concordance_index_ipcw])
@pytest.mark.parametrize("prediction", ["hazard", "times", None, 1, ["time"]])
def test_directions(metric, prediction):
    with pytest.raises(ValueError, match=r"^prediction=") as error:
        metric(GOOD, PRED, prediction=prediction)
    assert_told(error, f"{prediction!r} is not known", "use one of 'time', 'risk'")


CURVE = KaplanMeier().fit(GOOD)


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ({"tau": "3"}, "tau='3' must be a number"),
        ({"tau": np.nan}, "tau=nan must be a number"),
        ({"censoring": CURVE}, r"censoring is a .* curve of events; it must be KaplanMeier\(rev"),
        ({"censoring": KaplanMeier(reverse=True)}, "This KaplanMeier instance is not fitted yet"),
        (
            {"censoring": KaplanMeier},
            "censoring=<class .* carries no censoring .* or give a fitted",
        ),
        ({"censoring": [[1, 3], [2, 2]]}, "censoring has 0 left-censored and 1 interval-censored"),
    ],
    ids=["text", "nan", "events", "not fitted", "class", "interval"],
)
def test_options_of_weights_for_censoring(option, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        concordance_index_ipcw(GOOD, PRED, **option)


WITH_REPLACEMENT = {
    name: case
    for name, case in CASES.items()
    if "replace_undefined_by" in inspect.signature(case.metric).parameters
}


@pytest.mark.parametrize("case", WITH_REPLACEMENT.values(), ids=list(WITH_REPLACEMENT))
@pytest.mark.parametrize("value", ["zero", None])
def test_replacements(case, value):
    with pytest.raises(ValueError, match=rf"^replace_undefined_by={value!r} must be a number, or"):
        case(right_censored([0], [1]), [1.0], replace_undefined_by=value)


def test_one_risk_a_row_is_told_where_it_belongs():
    y = soc.right_censored(EVENT, TIME)
    with pytest.raises(
        ValueError, match=r"has \(3,\)\. One time or risk a row is for cumulative_dyn"
    ):
        soc.censored_brier_score(y, [0.1, 0.2, 0.3], times=[1.5, 2.5])
