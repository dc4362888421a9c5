"""Evaluation metrics of grades, called as the two libraries call them; neither is needed here."""

import copy
import inspect
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from boosters import DataSet, by_code
from hypothesis import given
from hypothesis import strategies as st
from optional import polars as pl
from registry import CENSORED_METRICS, LABEL_METRICS, PROBABILITY_METRICS, SCORE_METRICS
from strategies import forecasts

from sklearn_ordinal_censored.boosting import lightgbm_metric, xgboost_metric
from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    ordinal_accuracy,
    ordinal_concordance_index,
    quadratic_weighted_kappa,
    ranked_probability_score,
    soft_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.targets import ordinal_decode

FACTORIES = [lightgbm_metric, xgboost_metric]
ROWS = LABEL_METRICS | PROBABILITY_METRICS | SCORE_METRICS
REPLACED = {"replace_undefined_by": -9.0}


def options_of(row, n_classes):
    """What a metric cannot do without, and a value where it is undefined."""
    options = {"cost_matrix": np.arange(float(n_classes**2)).reshape(n_classes, n_classes)}
    known = inspect.signature(row.metric).parameters
    return {k: v for k, v in (options | REPLACED).items() if k in known and k != "alpha"}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
@given(data=forecasts(min_classes=2), rule=st.sampled_from(["argmax", "median", "mean"]))
def test_columns_in_any_order_give_the_metric_of_the_scale(row, data, rule):
    codes, columns = by_code(data.labels, data.y_true, data.proba)
    options = options_of(row, data.n_classes)
    rule = rule if row.response == "grade" else "argmax"
    if row.response == "grade":
        seen = ordinal_decode(data.proba, encoding="class_probs", rule=rule, labels=data.labels)
    else:
        seen = data.proba
        if row.response == "score":  # the expected rank
            seen = [sum(k * p for k, p in enumerate(r)) for r in data.proba]
    expected = row.metric(data.y_true, seen, **data.keywords, **options)
    ours = lightgbm_metric(row.metric, labels=data.labels, rule=rule, **options)
    name, value, is_higher_better = ours(codes, columns, data.weight)
    assert (name, is_higher_better) == (row.metric.__name__, row.greater_is_better)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert type(value) is float
    theirs = xgboost_metric(row.metric.__name__, labels=data.labels, rule=rule, **options)
    loss = theirs(codes, columns, sample_weight=data.weight)
    assert loss == (-value if row.greater_is_better else value)
    assert theirs.__name__ == ("minus_" if row.greater_is_better else "") + name


@given(forecasts(min_classes=2))
def test_both_interfaces_give_the_same(data):
    codes, columns = by_code(data.labels, data.y_true, data.proba)
    sets = [DataSet(codes, data.weight)]
    if data.weight is None:
        sets.append(DataSet(codes, np.empty(0, np.float32)))  # XGBoost without weights
    for factory in FACTORIES:
        metric = factory("ordinal_accuracy", labels=data.labels)
        expected = metric(codes, columns, data.weight)
        for data_set in sets:
            found = metric(columns, data_set)
            if factory is xgboost_metric:
                assert found == ("minus_ordinal_accuracy", expected)
            else:
                assert found == expected


@given(forecasts(min_classes=2))
def test_without_labels_the_grades_are_the_codes(data):
    metric = lightgbm_metric("mean_absolute_class_error")
    columns = np.array(data.proba)
    expected = mean_absolute_class_error(
        data.true_ranks,
        columns.argmax(axis=1),
        labels=range(data.n_classes),
        sample_weight=data.weight,
    )
    assert metric(data.true_ranks, columns, data.weight)[1] == expected


@given(forecasts(min_classes=2), st.sampled_from(["argmax", "median", "mean"]))
def test_raw_scores_are_decoded_like_their_probabilities(data, rule):
    scores = np.round(np.array(data.proba) * 64 % 7)
    scores += np.arange(data.n_classes) / 16  # no ties, which rounding might break
    proba = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    for name in ("mean_absolute_class_error", "ranked_probability_score"):
        given_rule = rule if name == "mean_absolute_class_error" else "argmax"
        raw = xgboost_metric(name, rule=given_rule, encoding="class_logits")
        plain = xgboost_metric(name, rule=given_rule)
        assert raw(data.true_ranks, scores) == pytest.approx(
            plain(data.true_ranks, proba), abs=1e-12
        )


def test_the_scale_does_not_depend_on_the_rows():
    """Grade 2 is missing from the truth and from the predictions, yet the scale has it."""
    proba = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.6, 0.3, 0.1]])
    value = lightgbm_metric("cumulative_scores", average="micro")([0, 1, 1], proba)[1]
    assert value == 0.5  # above 0 one of two, above 1 none of none
    power = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
    value = lightgbm_metric("ordinal_cost", cost_matrix=power, aggregation="macro")
    assert value([0, 1, 1], proba)[1] == 1  # 3 on the lowest of three grades


TWO = [0, 1, 1, 0, 1]
UPPER = np.array([0.2, 0.7, 0.5, 0.6, 0.9])


@pytest.mark.parametrize(
    ("labels", "grades"),
    [(None, [0, 1]), (["low", "high"], ["high", "low"]), ([1, 2], [1, 2]), ([2, 1], [1, 2])],
    ids=["codes", "text", "numbers", "downwards"],
)
def test_one_probability_of_two_grades_is_that_of_the_second_code(labels, grades):
    """A tie goes to the lower grade, which for text is the second code."""
    scale = grades if labels is None else labels
    is_second = UPPER > 0.5 if scale[0] == grades[0] else UPPER >= 0.5
    y_true, y_pred = np.array(grades)[TWO], np.array(grades)[is_second.astype(int)]
    expected = quadratic_weighted_kappa(y_true, y_pred, labels=scale)
    keywords = {"n_classes": 2} if labels is None else {"labels": labels}
    assert lightgbm_metric(**keywords)(TWO, UPPER)[1] == expected
    logits = np.log(UPPER / (1 - UPPER))
    assert lightgbm_metric(encoding="class_logits", **keywords)(TWO, logits)[1] == expected
    columns = np.column_stack([1 - UPPER, UPPER])
    assert lightgbm_metric(labels=labels)(TWO, columns)[1] == expected


def test_one_probability_of_two_grades_for_metrics_of_probabilities():
    metric = lightgbm_metric("ranked_probability_score", labels=["low", "high"])  # 0 is "high"
    expected = ranked_probability_score([1, 0, 0, 1, 0], 1 - UPPER)
    assert metric(TWO, UPPER)[1] == pytest.approx(expected, rel=1e-14)
    metric = lightgbm_metric("ordinal_concordance_index", n_classes=2)
    assert metric(TWO, UPPER)[1] == ordinal_concordance_index(TWO, UPPER)


SCORES = np.array([-3, 0.49, 0.5, 1.2, 1.5, 2.5, 2.49, 9])
RANKS = np.array([0, 0, 1, 1, 2, 3, 2, 3])


@pytest.mark.parametrize(
    ("keywords", "grades"),
    [
        ({"n_classes": 4}, [0, 1, 2, 3]),
        ({"labels": range(4)}, [0, 1, 2, 3]),
        ({"labels": [1, 2, 3, 4]}, [1, 2, 3, 4]),
        ({"labels": [10.0, 20.0, 30.0, 40.0]}, [10, 20, 30, 40]),
        ({"labels": [0.1, 0.2, 0.3, 0.4]}, np.float32([0.1, 0.2, 0.3, 0.4])),
        ({"labels": ["none", "mild", "bad", "awful"]}, [0, 1, 2, 3]),
    ],
    ids=["number", "ranks", "grades", "tens", "tenths", "text"],
)
def test_scores_of_regressors_are_cut_half_way(keywords, grades):
    grades = np.array(grades, dtype=float)
    truth = np.array([0, 1, 1, 2, 2, 3, 1, 3])
    step = grades[1] - grades[0]
    scores = grades[0] + SCORES * step
    scores[SCORES % 1 == 0.5] += 1e-6  # half-way between tenths is not exact
    expected = ordinal_accuracy(truth, RANKS, labels=range(4))
    assert lightgbm_metric("ordinal_accuracy", **keywords)(grades[truth], scores)[1] == expected
    order = ordinal_concordance_index(truth, SCORES)
    assert lightgbm_metric("ordinal_concordance_index", **keywords)(grades[truth], scores)[
        1
    ] == pytest.approx(order)


def test_a_score_equal_to_a_cut_point_belongs_to_the_upper_grade():
    metric = xgboost_metric("ordinal_accuracy", n_classes=4)
    assert metric([1, 2, 3], [0.5, 1.5, 2.5]) == -1.0


def test_options_reach_the_metric():
    rng = np.random.default_rng(0)
    truth, proba = rng.integers(0, 4, 60), rng.dirichlet(np.ones(4), 60)
    pred = proba.argmax(axis=1)
    for weights in ("linear", 3, [[0, 1, 2, 3], [2, 0, 1, 2], [5, 2, 0, 1], [9, 5, 2, 0]]):
        value = lightgbm_metric(weighted_kappa, weights=weights)(truth, proba)[1]
        assert value == weighted_kappa(truth, pred, weights=weights)
        value = lightgbm_metric("soft_weighted_kappa", weights=weights)(truth, proba)[1]
        assert value == soft_weighted_kappa(truth, proba, weights=weights)
    value = lightgbm_metric("ordinal_accuracy", tolerance=1)(truth, proba)[1]
    assert value == ordinal_accuracy(truth, pred, tolerance=1)


def test_an_undefined_value_can_be_replaced():
    proba = [[0.9, 0.1], [0.8, 0.2]]
    with pytest.warns(UserWarning, match="undefined"):
        assert np.isnan(xgboost_metric()([0, 0], proba))
    assert lightgbm_metric(replace_undefined_by=0.0)([0, 0], proba)[1] == 0.0


@pytest.mark.parametrize(
    "wrap", [list, pd.Series, lambda v: pl.Series(v)], ids=["list", "pandas", "polars"]
)
def test_labels_and_weights_of_a_data_set_may_be_of_any_type(wrap):
    """LightGBM returns what the user gave."""
    data_set = DataSet(wrap([0, 1, 1]), wrap([1.0, 2.0, 1.0]))
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])
    assert lightgbm_metric("ordinal_accuracy")(proba, data_set)[1] == 0.75


@pytest.mark.parametrize("factory", FACTORIES)
def test_metrics_can_be_copied_pickled_and_read(factory):
    metric = factory("weighted_kappa", labels=["low", "mid", "high"], weights="linear")
    assert repr(metric) == (
        f"{factory.__name__}(metric='weighted_kappa', labels=['low', 'mid', 'high'], "
        "rule='argmax', encoding='class_probs', weights='linear')"
    )
    arguments = [0, 1, 2, 2], np.eye(3)[[0, 1, 2, 1]]
    for twin in (copy.copy(metric), copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert repr(twin) == repr(metric)
        assert twin.__name__ == metric.__name__
        assert twin(*arguments) == metric(*arguments)
    assert not hasattr(metric, "get_params")  # the libraries would take them for their own
    assert "<matrix of shape (3, 3)>" in repr(factory("ordinal_cost", cost_matrix=np.eye(3)))
    assert list(inspect.signature(metric).parameters) == ["y_true", "y_pred", "sample_weight"]


def test_later_changes_of_the_arguments_change_nothing():
    labels, cost = ["low", "mid", "high"], np.ones((3, 3))
    metric = lightgbm_metric("ordinal_cost", labels=labels, cost_matrix=cost)
    labels.reverse()
    cost[:] = 5
    assert metric([0, 1], np.eye(3)[[0, 0]])[1] == 1.0


PROBA = np.array([[0.7, 0.2, 0.1], [0.1, 0.7, 0.2]])


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "kappa"}, "metric='kappa' is no ordinal metric of this library; use one of"),
        ({"metric": "neg_ordinal_cost"}, "use one of ['cost_weighted_log_loss'"),
        ({"metric": "concordance_index"}, "is no ordinal metric"),
        ({"metric": max}, "metric=<built-in function max> is no ordinal metric"),
        ({"metric": None}, "metric=None is no ordinal metric"),
        ({"rule": "mode"}, "rule='mode' is not known; use one of 'argmax', 'median', 'mean'"),
        ({"encoding": "labels"}, "use one of 'class_probs', 'class_logits'"),
        (
            {"metric": "ranked_probability_score", "rule": "mean"},
            "rule='mean' is for metrics of grades; ranked_probability_score reads no grades",
        ),
        ({"weights": "linear"}, "takes no ['weights']"),
        ({"metric": "ordinal_cost"}, "needs ['cost_matrix']"),
        ({"metric": "cumulative_scores", "average": None}, "choose an average"),
        ({"sample_weight": [1, 2]}, "takes no ['sample_weight']"),
        ({"labels": ["low", "low"]}, "labels holds 'low' more than once"),
        ({"labels": ["low"]}, "list two grades at least"),
        ({"labels": ["low", "high"], "n_classes": 3}, "leave out n_classes"),
        ({"n_classes": 1}, "n_classes=1 must be a whole number, at least 2"),
        ({"n_classes": 2.5}, "n_classes=2.5 must be a whole number"),
    ],
)
def test_bad_arguments(factory, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        factory(**arguments)


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(
    ("arguments", "call", "message"),
    [
        ({}, ([0, 3], PROBA), "y_true holds 3.0, but the codes of 3 grades are 0 to 2"),
        ({}, ([0, 0.5], PROBA), "y_true holds 0.5, but the codes of 3 grades"),
        ({}, ([1, 2, 3], np.eye(3)), "pass `eval_set` there"),
        ({}, ([0], PROBA), "y_true has 1 rows, y_pred has 2 rows"),
        ({}, ([0, np.nan], PROBA), "y_true must be finite"),
        ({}, ([0, 1], PROBA * np.nan), "y_pred must be finite"),
        ({}, ([0, 1], PROBA[:, :, np.newaxis]), "y_pred must have 1 dimension(s)"),
        ({}, ([0, 1], PROBA, [1, -1]), "sample_weight must not be negative"),
        ({}, (PROBA, DataSet([0, 1], [0, 0])), "sample_weight is zero for every row"),
        (
            {},
            ([0, 1], PROBA * 2),
            "raw scores, as under a custom objective, need encoding='class_logits' in",
        ),
        ({}, ([0, 1], PROBA / 2), "must sum to 1 in every row"),
        ({}, ([0, 1], [0.2, 0.7]), "pass `labels` or `n_classes` (2 for a classifier"),
        ({}, ([0, 1], [[1.0], [1.0]]), "y_pred has 1 column(s), but the grades are two at least"),
        (
            {"labels": ["low", "mid", "high", "top"]},
            ([0, 1], PROBA),
            "y_pred has 3 column(s), but the grades are ['low', 'mid', 'high', 'top']",
        ),
        ({"n_classes": 2}, ([0, 1], [0.2, 1.7]), "must hold probabilities between 0 and 1"),
        ({"n_classes": 2}, ([0, 2], [0.2, 0.7]), "y_true holds 2.0, but the codes of 2 grades"),
        ({"n_classes": 3}, ([1, 3], [0.2, 0.7]), "y_true holds 3.0, but the targets of a"),
        ({"labels": [1, 2, 3]}, ([0, 3], [0.2, 0.7]), "are 1.0, 2.0, 3.0 by `labels`"),
        ({"labels": [3, 2, 1]}, ([1, 3], [0.2, 0.7]), "labels=[3, 2, 1] does not increase"),
        (
            {"metric": "soft_weighted_kappa", "n_classes": 3},
            ([1, 2], [0.2, 0.7]),
            "soft_weighted_kappa reads probabilities, but y_pred has one number a row",
        ),
    ],
)
def test_bad_calls(factory, arguments, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        factory(**arguments)(*call)


@pytest.mark.parametrize("row", CENSORED_METRICS.values(), ids=list(CENSORED_METRICS))
def test_censored_metrics_are_refused(row):
    with pytest.raises(ValueError, match="is no ordinal metric"):
        lightgbm_metric(row.metric)


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_no_name_makes_xgboost_maximise(row):
    """XGBoost maximises what begins so when nobody says what to do."""
    name = xgboost_metric(row.metric, **options_of(row, 3)).__name__
    assert not name.startswith(("auc", "aucpr", "pre", "map", "ndcg"))


def test_predicted_codes_are_no_scores():
    metric = xgboost_metric("mean_absolute_class_error", labels=["low", "mid", "high"])
    with pytest.raises(ValueError, match=r"y_pred holds whole numbers, 1.0, .*'multi:softprob'"):
        metric([0], [1.0])
    assert xgboost_metric("mean_absolute_class_error", n_classes=3)([0, 2], [1.0, 2.0]) == 0.5
