"""Input that no value could be right for: refused by name, with what was found and the cure."""

import datetime
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from optional import polars as pl
from registry import CASES

import sklearn_ordinal_censored as soc
from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    cumulative_auc,
    cumulative_brier,
    cumulative_scores,
    disagreement_matrix,
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_concordance_index,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
    ranked_probability_score,
    soft_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.targets import ordinal_decode, ordinal_encode

GOOD = [0, 1, 2]
OPTIONS = {"ordinal_cost": {"cost_matrix": np.eye(3)}}
DROP = "Drop or impute those rows first"
PASS_LABELS = "pass `labels` with the grades from lowest to highest"
DAYS = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="datetime64[D]")
CENSORED = np.array([(True, 1.0)] * 3, dtype=[("event", "?"), ("time", "f8")])
TENTHS = [0.1, 0.25, 2.0]

# What is wrong with a target, the bad value, what the message shows, what it says to do.
TARGETS = [
    ("nan", [0, np.nan, 1], "1 missing value(s), the first in row 1", DROP),
    ("None", [0, 1, None], "1 missing value(s), the first in row 2", DROP),
    ("NA", pd.Series([pd.NA, 1, pd.NA], dtype="Int64"), "2 missing value(s)", DROP),
    ("null", pl.Series([0, None, 2]), "1 missing value(s), the first in row 1", DROP),
    ("NaT", [pd.NaT, 1, 2], "1 missing value(s), the first in row 0", DROP),
    (
        "missing category",
        pd.Categorical(["a", None, "b"], ["a", "b"], ordered=True),
        "1 missing value(s), the first in row 1",
        DROP,
    ),
    ("masked", np.ma.array(GOOD, mask=[0, 0, 1]), "missing value(s), the first in row 2", DROP),
    ("infinite", [0, np.inf, -np.inf], "inf, -inf", "drop or mend those rows first"),
    ("scores", TENTHS, "0.1, 0.25", "strategy='rounding'"),
    (
        "nullable scores",
        pd.Series(TENTHS, dtype="Float64"),
        "0.1, 0.25",
        "OrdinalThresholdOptimizer",
    ),
    ("huge floats", [0.0, 1.0, 1e300], "1e+300", "OrdinalThresholdOptimizer"),
    ("text", ["low", "mid", "low"], "text ('low', 'mid')", PASS_LABELS),
    ("digits as text", ["1", "2", "10"], "text ('1', '2', '10')", PASS_LABELS),
    ("bytes", [b"low", b"mid", b"low"], "text (b'low', b'mid')", PASS_LABELS),
    ("dates as objects", DAYS.astype(object), "date (datetime.date(2020, 1, 1)", PASS_LABELS),
    (
        "categories without an order",
        pd.Categorical(["b", "a", "b"]),
        "a categorical without an order ('b', 'a')",
        PASS_LABELS,
    ),
    ("mixed", [0, "mid", 2], "text with other values (int, str)", "convert it"),
    ("dates", DAYS, "datetime64[D]", "give numbers or text"),
    ("durations", DAYS - DAYS[0], "timedelta64[D]", "give numbers or text"),
    ("dates of pandas", pd.Series(DAYS), "datetime64", "give numbers or text"),
    ("dates of polars", pl.Series([datetime.date(2020, 1, 1)] * 3), "datetime64", "give numbers"),
    ("complex", [0, 1j, 2], "complex128", "give numbers or text"),
    ("structured", CENSORED, "('event', '?'), ('time', '<f8')", "give numbers or text"),
    ("two columns", [[0, 1], [1, 2], [2, 0]], "(3, 2)", "Give one value a row"),
    ("frame", pd.DataFrame({"a": GOOD, "b": GOOD}), "(3, 2)", "Give one value a row"),
    ("column vector", np.array(GOOD)[:, np.newaxis], "(3, 1)", "y.ravel()"),
    (
        "several levels",
        pd.MultiIndex.from_product([["a"], GOOD]),
        "tuple (('a', 0), ('a', 1), ('a', 2))",
        PASS_LABELS,
    ),
    ("ragged", [[0], [1, 2], 2], "inhomogeneous", "must hold one value a row"),
    ("scalar", 1, "shape ()", "Give one value a row"),
    ("set", {0, 1, 2}, "shape ()", "Give one value a row"),
    ("string", "abc", "shape ()", "Give one value a row"),
    ("nothing", None, "is None", "give one value a row"),
    ("identifiers", [0, 1, 123456], "123457 grades", "Group it into grades, or pass `labels`"),
    ("too short", [0, 1], "{side} has 2 rows", "must have the same length"),
]
PROBA = np.array([[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])
LABEL_CASES = {name: case for name, case in CASES.items() if case.second.are_grades}
PROBABILITY_METRICS = [
    ranked_probability_score,
    soft_weighted_kappa,
    cost_weighted_log_loss,
    cumulative_brier,
    cumulative_auc,
]


def as_parameters(table):
    return pytest.mark.parametrize(
        ("value", "shown", "cure"), [pytest.param(*row[1:], id=row[0]) for row in table]
    )


def assert_told(error, *parts):
    """The message names, shows and cures; `parts` are plain text."""
    for part in parts:
        assert re.search(re.escape(part), str(error.value)), f"{part!r} not in {error.value!s}"


def good_rows(case):
    second = case.second.of_ranks(np.array(GOOD))
    if second.ndim == 2:
        second = PROBA
    options = OPTIONS.get(case.row.metric.__name__, {})
    return {"y_true": GOOD, case.second.name: second, **options}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
@as_parameters(TARGETS)
def test_true_grades(case, value, shown, cure):
    with pytest.raises(ValueError, match="y_true") as error:
        case.row.metric(**good_rows(case) | {"y_true": value})
    assert_told(error, shown.format(side="y_true"), cure)


@pytest.mark.parametrize("case", LABEL_CASES.values(), ids=list(LABEL_CASES))
@as_parameters(TARGETS)
def test_predicted_grades(case, value, shown, cure):
    with pytest.raises(ValueError, match="y_pred") as error:
        case.row.metric(**good_rows(case) | {"y_pred": value})
    assert_told(error, shown.format(side="y_pred"), cure)


PERCENT = "Divide percentages by 100"
PROBABILITIES = [
    ("percentages", PROBA * 100, "50.0, 30.0", PERCENT),
    ("negative", PROBA - [0.2, -0.1, -0.1], "-0.1", "between 0 and 1"),
    ("logits", np.log(PROBA), "-0.69", "turn raw scores into probabilities"),
    ("counts", PROBA / 2, "3 do not, the first row 0: [0.25, 0.15, 0.1]", "Divide every row by"),
    ("one row", PROBA * [[1], [0.9], [1]], "1 do not, the first row 1", "Divide every row by"),
    ("nan", np.where(PROBA == 0.7, np.nan, PROBA), "nan (1 of 9 values)", DROP),
    ("infinite", np.where(PROBA == 0.7, np.inf, PROBA), "inf (1 of 9 values)", DROP),
    ("two columns", np.full((3, 2), 0.5), "has 2 columns, but the scale has 3", "pass `labels`"),
    ("four columns", np.full((3, 4), 0.25), "has 4 columns, but the scale has 3", "one column a"),
    ("no column", np.ones((3, 0)), "has 0 columns, but the scale has 3", "one column a grade"),
    ("stack", PROBA[np.newaxis], "shape (1, 3, 3)", "must have 2 dimension(s)"),
    ("too short", PROBA[:2], "y_true has 3 rows, {name} has 2 rows", "the same length"),
    ("text", PROBA.astype(str), "'0.5'", "must hold plain real numbers"),
    ("masked", np.ma.array(PROBA, mask=np.eye(3)), "masked values", DROP),
    ("grades", [[0], [1], [2]], "has 1 column, but the scale has 3 grades", "one column a grade"),
    ("nothing", None, "shape ()", "must have 2 dimension(s)"),
]


@pytest.mark.parametrize("metric", PROBABILITY_METRICS)
@as_parameters(PROBABILITIES)
def test_probabilities(metric, value, shown, cure):
    name = "y_score" if metric is cumulative_auc else "y_proba"
    with pytest.raises(ValueError, match=name) as error:
        metric(GOOD, value)
    assert_told(error, shown.format(name=name), cure)
    with pytest.raises(ValueError, match=name):
        metric(GOOD, value, sample_weight=[1, 0, 1])


@pytest.mark.parametrize("metric", PROBABILITY_METRICS[:-1])
def test_one_column_for_more_than_two_grades(metric):
    with pytest.raises(ValueError, match="y_proba has 1 column, but the scale has 3 grades"):
        metric(GOOD, [0.1, 0.5, 0.9])


SCORES = [
    ("nan", [0.5, np.nan, 1], "nan (1 of 3 values)", DROP),
    ("infinite", [0.5, np.inf, -np.inf], "inf, -inf (2 of 3 values)", DROP),
    ("text", ["low", "mid", "high"], "'low', 'mid'", "must hold plain real numbers"),
    ("dates", DAYS, "2020, 1, 1", "must hold plain real numbers"),
    ("complex", [0, 1j, 2], "1j", "must hold plain real numbers"),
    ("masked", np.ma.array([0.5, 1, 2], mask=[0, 1, 0]), "masked values", DROP),
    ("too short", [0.5, 1], "y_true has 3 rows, y_score has 2 rows", "the same length"),
]


@pytest.mark.parametrize("metric", [ordinal_concordance_index, cumulative_auc])
@as_parameters(SCORES)
def test_scores(metric, value, shown, cure):
    with pytest.raises(ValueError, match="y_score") as error:
        metric(GOOD, value)
    assert_told(error, shown, cure)


def test_probabilities_are_no_scores():
    with pytest.raises(ValueError, match=r"y_score must have 1 dimension.*the expected rank of"):
        ordinal_concordance_index(GOOD, PROBA)


@pytest.mark.parametrize("read", [ordinal_encode, partial(ordinal_decode, encoding="labels")])
@as_parameters([row for row in TARGETS if row[0] != "too short"])
def test_targets_to_encode(read, value, shown, cure):
    with pytest.raises(ValueError, match=r"^y |^The scale of y ") as error:
        read(value)
    assert_told(error, shown, cure)


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_no_rows(case):
    empty = {name: np.array(rows)[:0] for name, rows in good_rows(case).items()}
    with pytest.raises(ValueError, match="y_true is empty; at least one row is needed"):
        case.row.metric(**empty | OPTIONS.get(case.row.metric.__name__, {}))


LABELS = [
    ("set", {0, 1, 2}, "labels={0, 1, 2} has no order", "give a list of grades, lowest first"),
    ("frozenset", frozenset(GOOD), "has no order", "give a list of grades, lowest first"),
    ("dict", {0: "a", 1: "b", 2: "c"}, "has no order", "give a list of grades, lowest first"),
    ("string", "012", "labels='012' has no order", "give a list of grades, lowest first"),
    ("duplicates", [0, 1, 2, 1, 2], "labels holds 1, 2 more than once", "list every grade once"),
    ("equal numbers", [0, 1, 2, 1.0], "labels holds 1.0 more than once", "list every grade once"),
    ("empty", [], "labels is empty", "list the grades, lowest first"),
    ("missing", [0, 1, 2, None], "labels has 1 missing value(s)", "Drop or impute"),
    ("nan", [0, 1, 2, np.nan], "labels has 1 missing value(s)", "Drop or impute"),
    ("infinite", [0, 1, 2, np.inf], "labels holds inf", "drop or mend"),
    ("mixed", [0, 1, "two"], "labels mixes text with other values (int, str)", "convert it"),
    ("two columns", [[0, 1], [2, 3]], "labels must be one-dimensional", "(2, 2)"),
    ("number", 3, "labels must be one-dimensional", "shape ()"),
    ("generator", iter(GOOD), "labels must be one-dimensional", "shape ()"),
    ("complex", [0, 1, 2j], "labels has dtype complex128", "give numbers or text"),
    ("too many", range(1001), "1001 grades, more than 1000", "Group it into grades"),
    ("too few", [0, 1], "y_true holds 2, which labels=[0, 1] does not list", "add it in its place"),
    ("text", ["0", "1", "2"], "y_true holds 0, 1, 2, which labels=['0', '1', '2']", "convert one"),
]


@as_parameters(LABELS)
def test_labels(value, shown, cure):
    for metric in (quadratic_weighted_kappa, mean_absolute_class_error):
        with pytest.raises(ValueError, match="labels") as error:
            metric(GOOD, GOOD, labels=value)
        assert_told(error, shown, cure)


@pytest.mark.parametrize("side", ["y_true", "y_pred"])
def test_values_outside_the_labels(side):
    arguments = {"y_true": ["low", "high"], "y_pred": ["low", "high"]}
    arguments[side] = ["lo", "high"]
    with pytest.raises(ValueError, match=rf"{side} holds 'lo', which labels=\['low', 'high'\]"):
        ordinal_accuracy(**arguments, labels=["low", "high"])
    arguments[side] = [0, 1]
    with pytest.raises(ValueError, match=rf"{side} holds 0, 1, .*One side is text"):
        ordinal_accuracy(**arguments, labels=["low", "high"])
    with pytest.raises(ValueError, match=rf"{side} holds 0.5, which are no grades"):
        ordinal_accuracy(**{"y_true": [1], "y_pred": [1], side: [0.5]}, labels=[0, 1])


WEIGHTS = [
    ("negative", [1, -1, -0.5], "must not be negative", "-1.0, -0.5"),
    ("nan", [1, np.nan, 1], "must be finite, but holds nan (1 of 3 values)", DROP),
    ("None", [1, None, 1], "must be finite, but holds nan (1 of 3 values)", DROP),
    ("NA", pd.Series([1, pd.NA, 1], dtype="Int64"), "nan (1 of 3 values)", DROP),
    ("infinite", [1, np.inf, 1], "must be finite, but holds inf", DROP),
    ("masked", np.ma.array([1, 1, 1], mask=[0, 1, 0]), "masked values", DROP),
    ("all zero", [0, 0, 0], "is zero for every row", "at least one row must count"),
    ("overflow", [1e308, 1e308, 1e308], "a sum of inf", "scale the weights by a constant"),
    ("underflow", [5e-324, 0, 0], "a sum of 5e-324", "scale the weights by a constant"),
    ("too short", [1, 1], "has 2 rows, the target has 3", "give one for each row"),
    ("two columns", np.ones((3, 2)), "(3, 2)", "must have 1 dimension(s)"),
    ("number", 2.0, "shape ()", "must have 1 dimension(s)"),
    ("text", ["1", "2", "3"], "'1', '2', '3'", "must hold plain real numbers"),
    ("text objects", np.array([1, "2", 3], dtype=object), "'2'", "must hold plain real numbers"),
    ("dates", DAYS, "2020, 1, 1", "must hold plain real numbers"),
    ("durations", DAYS - DAYS[0], "timedelta64", "must hold plain real numbers"),
    ("complex", [1, 1j, 1], "1j", "must hold plain real numbers"),
    ("structured", CENSORED, "True, 1.0", "must hold plain real numbers"),
]


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
@as_parameters(WEIGHTS)
def test_weights(case, value, shown, cure):
    with pytest.raises(ValueError, match=r"^sample_weight ") as error:
        case.row.metric(**good_rows(case), sample_weight=value)
    assert_told(error, shown, cure)


MATRICES = [
    ("too small", np.eye(2), "has shape (2, 2), but the scale has 3 grades", "give a 3 x 3 matrix"),
    ("not square", np.eye(3)[:2], "has shape (2, 3)", "or pass `labels` if grades are missing"),
    ("one row", [0, 1, 2], "shape (3,)", "must have 2 dimension(s)"),
    ("nan", np.full((3, 3), np.nan), "holds nan (9 of 9 values)", "must be finite"),
    ("infinite", np.diag([0, np.inf, 0]), "holds inf (1 of 9 values)", "must be finite"),
    ("complex", np.eye(3) * 1j, "1j", "must hold plain real numbers"),
    ("text", [["a"] * 3] * 3, "'a'", "must hold plain real numbers"),
    ("ragged", [[0, 1, 2], [0, 1]], "inhomogeneous", "must hold plain real numbers"),
    ("masked", np.ma.array(np.eye(3), mask=np.eye(3)), "masked values", "Drop or impute"),
]


@as_parameters(MATRICES)
def test_matrices(value, shown, cure):
    with pytest.raises(ValueError, match=r"^cost_matrix ") as error:
        ordinal_cost(GOOD, GOOD, cost_matrix=value)
    assert_told(error, shown, cure)
    with pytest.raises(ValueError, match=r"^weights ") as error:
        weighted_kappa(GOOD, GOOD, weights=value)
    assert_told(error, shown, cure)
    with pytest.raises(ValueError, match=r"^weights ") as error:
        disagreement_matrix(3, value)
    assert_told(error, shown, cure)


@as_parameters(
    [
        ("negative", [[0, 1, 2], [-1, 0, 1], [2, 1, 0]], "holds -1.0", "must not be negative"),
        ("diagonal", [[1, 1, 2], [1, 0, 1], [2, 1, 0]], "has 1.0, 0.0", "give disagreements"),
        (
            "agreements",
            np.eye(3),
            "must be 0 on the diagonal",
            "1 minus them, if you have agreements",
        ),
    ]
)
def test_matrices_that_are_no_disagreements(value, shown, cure):
    for call in (
        partial(weighted_kappa, GOOD, GOOD, weights=value),
        partial(disagreement_matrix, 3, value),
    ):
        with pytest.raises(ValueError, match=r"^weights ") as error:
            call()
        assert_told(error, shown, cure)


@pytest.mark.parametrize("metric", PROBABILITY_METRICS)
def test_options_of_other_functions_are_no_cure(metric):
    for bad in (np.log(PROBA), PROBA / 2):
        with pytest.raises(ValueError, match=r"^y_") as error:
            metric(GOOD, bad)
        assert not re.search("encoding|ordinal_decode|repair", str(error.value))


KAPPA = partial(weighted_kappa, GOOD, GOOD)
CHOICES = [
    ("kappa weights", KAPPA, {"weights": "cubic"}, "use one of 'linear', 'quadratic', None"),
    ("kappa power", KAPPA, {"weights": -1}, "must be a finite number, above 0"),
    ("kappa power zero", KAPPA, {"weights": 0}, "use None for unweighted kappa"),
    ("kappa power nan", KAPPA, {"weights": np.nan}, "must be a finite number"),
    ("kappa power bool", KAPPA, {"weights": True}, "must be a finite number"),
    ("replacement", KAPPA, {"replace_undefined_by": "zero"}, "must be a number, or nan to warn"),
    ("no replacement", KAPPA, {"replace_undefined_by": None}, "must be a number, or nan to warn"),
    (
        "error average",
        mean_absolute_class_error,
        {"average": "weighted"},
        "'micro', 'macro', 'max'",
    ),
    ("squared average", mean_squared_class_error, {"average": ["micro"]}, "'macro', 'max', None"),
    ("cumulative average", cumulative_scores, {"average": "max"}, "'macro', 'micro', None"),
    (
        "cumulative measure",
        cumulative_scores,
        {"measure": "auc"},
        "use one of 'recall', 'precision'",
    ),
    ("no measure", cumulative_scores, {"measure": None}, "use one of 'recall', 'precision'"),
    ("tolerance", ordinal_accuracy, {"tolerance": -1}, "must be a finite number, at least 0"),
    ("tolerance text", ordinal_accuracy, {"tolerance": "1"}, "must be a finite number, at least 0"),
    ("tolerance infinite", ordinal_accuracy, {"tolerance": np.inf}, "must be a finite number"),
    (
        "aggregation",
        partial(ordinal_cost, cost_matrix=np.eye(3)),
        {"aggregation": "mean"},
        "use one of 'exemplar', 'micro', 'macro'",
    ),
]


@pytest.mark.parametrize(
    ("call", "option", "cure"), [pytest.param(*row[1:], id=row[0]) for row in CHOICES]
)
def test_options(call, option, cure):
    if call is not KAPPA:
        call = partial(call, GOOD, GOOD)
    (name, value), *_ = option.items()
    with pytest.raises(ValueError, match=rf"^{name}={re.escape(repr(value))} ") as error:
        call(**option)
    assert_told(error, cure)


@pytest.mark.parametrize(
    ("metric", "option", "cure"),
    [
        (cost_weighted_log_loss, {"alpha": -1}, "must be a finite number, at least 0"),
        (cost_weighted_log_loss, {"alpha": np.nan}, "must be a finite number, at least 0"),
        (cost_weighted_log_loss, {"alpha": "1"}, "must be a finite number, at least 0"),
        (ranked_probability_score, {"normalize": 1}, "must be True or False"),
        (ranked_probability_score, {"normalize": "sum"}, "must be True or False"),
        (cumulative_auc, {"average": "micro"}, "use one of 'macro', None"),
        (cumulative_brier, {"average": ["macro"]}, "use one of 'macro', None"),
        (soft_weighted_kappa, {"weights": "cubic"}, "use one of 'linear', 'quadratic', None"),
        (soft_weighted_kappa, {"weights": 0}, "use None for unweighted kappa"),
    ],
)
def test_options_of_probabilities(metric, option, cure):
    ((name, value),) = option.items()
    with pytest.raises(ValueError, match=rf"^{name}={re.escape(repr(value))} ") as error:
        metric(GOOD, PROBA, **option)
    assert_told(error, cure)


@as_parameters(MATRICES)
def test_matrices_for_probabilities(value, shown, cure):
    with pytest.raises(ValueError, match=r"^cost_matrix ") as error:
        cost_weighted_log_loss(GOOD, PROBA, cost_matrix=value)
    assert_told(error, shown, cure)
    with pytest.raises(ValueError, match=r"^weights ") as error:
        soft_weighted_kappa(GOOD, PROBA, weights=value)
    assert_told(error, shown, cure)


def test_costs_that_would_reward_errors():
    with pytest.raises(ValueError, match=r"^cost_matrix must not be negative, but holds -1.0"):
        cost_weighted_log_loss(GOOD, PROBA, cost_matrix=-np.eye(3))


@pytest.mark.parametrize("metric", [soft_weighted_kappa, ordinal_concordance_index, cumulative_auc])
def test_replacements_of_nothing(metric):
    second = [0.1, 0.2] if metric is ordinal_concordance_index else [[1.0], [1.0]]
    with pytest.raises(ValueError, match=r"replace_undefined_by=None must be a number"):
        metric([1, 1], second, replace_undefined_by=None)


@pytest.mark.parametrize("make", [disagreement_matrix, ordinal_cost_matrix])
@pytest.mark.parametrize("n_classes", [0, -1, 2.5, "3", None, True, np.nan, np.inf])
def test_numbers_of_grades(make, n_classes):
    with pytest.raises(ValueError, match=rf"^n_classes={n_classes!r} must be a "):
        make(n_classes)


@pytest.mark.parametrize("name", ["power", "under", "over"])
@pytest.mark.parametrize("value", [-1, np.nan, np.inf, "1", None])
def test_factors_of_cost_matrices(name, value):
    with pytest.raises(ValueError, match=rf"^{name}={value!r} must be a finite number, at least 0"):
        ordinal_cost_matrix(3, **{name: value})


@pytest.mark.parametrize("options", [{"power": 1e4}, {"under": 1e308}, {"power": 1e4, "over": 0}])
def test_costs_that_overflow(options):
    with pytest.raises(ValueError, match=r"power=.* under=.* over=.* give an infinite cost"):
        ordinal_cost_matrix(5, **options)


def test_probabilities_given_as_grades_are_told_what_makes_grades_of_them():
    with pytest.raises(ValueError, match=r"y_pred .* \(3, 3\)\. .*OrdinalDecisionClassifier"):
        soc.quadratic_weighted_kappa([0, 1, 2], np.eye(3))
    with pytest.raises(ValueError, match=r"y_true .* \(3, 3\)\. .*`y\.ravel\(\)`"):
        soc.quadratic_weighted_kappa(np.eye(3), [0, 1, 2])
