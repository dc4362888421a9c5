"""Objectives, called as the two libraries call them; neither is needed here."""

import copy
import inspect
import pickle
import re

import numpy as np
import oracles_boosting as oracles
import pandas as pd
import pytest
from boosters import DataSet, by_code
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.class_weight import compute_sample_weight

from sklearn_ordinal_censored.boosting import lightgbm_objective, xgboost_objective
from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    disagreement_matrix,
    soft_weighted_kappa,
)

FACTORIES = [lightgbm_objective, xgboost_objective]
NAMES = ["soft_weighted_kappa", "cost_weighted_log_loss"]
SCALE = ["low", "mid", "high", "top"]  # sorted: high, low, mid, top

rng = np.random.default_rng(0)
RANKS = np.r_[0:4, rng.integers(0, 4, 26)]
WEIGHT = rng.integers(1, 4, 30).astype(float)
SCORES = rng.normal(0, 1, (30, 4))
UNEVEN = np.array([[0.0, 1, 2, 9], [4, 0, 1, 2], [7, 3, 0, 1], [9, 8, 2, 0]])
GRADES = np.array(SCALE)[RANKS]


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_the_value_is_that_of_the_metric(factory, name, weight):
    codes, columns = by_code(SCALE, GRADES, SCORES)
    proba = np.exp(SCORES) / np.exp(SCORES).sum(axis=1, keepdims=True)
    total = 30 if weight is None else weight.sum()
    keywords = {"labels": SCALE, "sample_weight": weight}
    if name == "soft_weighted_kappa":
        objective = factory(name, weights=UNEVEN, labels=SCALE)
        expected = 1 - soft_weighted_kappa(GRADES, proba, weights=UNEVEN, **keywords)
    else:
        objective = factory(name, cost_matrix=UNEVEN, alpha=0.7, labels=SCALE)
        expected = cost_weighted_log_loss(GRADES, proba, cost_matrix=UNEVEN, alpha=0.7, **keywords)
    assert objective.loss(codes, columns, weight).value == pytest.approx(total * expected)


@pytest.mark.parametrize("name", NAMES)
def test_columns_stay_in_the_order_of_the_codes(name):
    codes, columns = by_code(SCALE, GRADES, SCORES)
    in_order = lightgbm_objective(name)(RANKS, SCORES, WEIGHT)
    for factory in FACTORIES:
        for found, expected in zip(
            factory(name, labels=SCALE)(codes, columns, WEIGHT), in_order, strict=True
        ):
            assert_allclose(found, by_code(SCALE, GRADES, expected)[1], rtol=1e-12)
            assert found.flags.c_contiguous
            assert found.dtype == np.float64


@pytest.mark.parametrize("name", NAMES)
def test_both_interfaces_give_the_same(name):
    objective = xgboost_objective(name)
    expected = objective(RANKS, SCORES, sample_weight=WEIGHT)
    native = objective(np.asfortranarray(SCORES), DataSet(RANKS.tolist(), pd.Series(WEIGHT)))
    assert_array_equal(native, expected)
    plain = objective(RANKS, SCORES)
    for nothing in (None, np.empty(0, np.float32)):  # as LightGBM and XGBoost say it
        assert_array_equal(objective(SCORES, DataSet(RANKS, nothing)), plain)
    assert not np.allclose(plain[0], expected[0])


@pytest.mark.parametrize("labels", [None, ["low", "mid"], ["mid", "low"], [2, 1]])
@pytest.mark.parametrize("name", NAMES)
def test_one_raw_score_is_the_logit_of_the_second_code(name, labels):
    codes, score = RANKS % 2, SCORES[:, 0]
    columns = np.column_stack([np.zeros(30), score])
    options = {"weights": UNEVEN[:2, :2]} if name == "soft_weighted_kappa" else {"alpha": 0.0}
    objective = lightgbm_objective(name, labels=labels, **options)
    gradient, hessian = objective(codes, score, WEIGHT)
    assert gradient.shape == hessian.shape == (30,)
    both = objective(codes, columns, WEIGHT)
    assert_allclose(gradient, both[0][:, 1], rtol=1e-12)
    assert_allclose(hessian, both[1][:, 1] / 2, rtol=1e-12)
    if name == "cost_weighted_log_loss":
        proba = 1 / (1 + np.exp(-score))
        assert_allclose(gradient, WEIGHT * (proba - codes), rtol=1e-12)
        assert_allclose(hessian, WEIGHT * proba * (1 - proba), rtol=1e-12)


def test_the_direction_of_the_scale_decides_which_error_is_dear():
    """Code 0 is "high": with the scale the other way round the matrix is read from the end."""
    codes = np.array([0, 1, 1])
    score = np.array([0.3, -0.2, 1.0])
    matrix = [[0, 1], [5, 0]]
    there = lightgbm_objective(weights=matrix, labels=["low", "high"])(codes, score)
    back = lightgbm_objective(weights=np.array(matrix)[::-1, ::-1], labels=["high", "low"])
    assert_allclose(there, back(codes, score), rtol=1e-12)
    slopes = oracles.slopes(
        lambda z: oracles.soft_kappa_loss(
            [[row[0], 0.0] for row in z], [1, 0, 0], [1.0] * 3, np.array(matrix) / 5
        ),
        score[:, np.newaxis].tolist(),
    )
    assert_allclose(there[0], np.ravel(slopes), atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_class_weights_multiply_row_weights(name, weight):
    factors = {"top": 3.0, "mid": 0.5}
    codes, columns = by_code(SCALE, GRADES, SCORES)
    weighted = lightgbm_objective(name, labels=SCALE, class_weight=factors)
    by_row = np.array([factors.get(grade, 1.0) for grade in GRADES])
    total = by_row if weight is None else by_row * weight
    plain = lightgbm_objective(name, labels=SCALE)
    assert_allclose(weighted(codes, columns, weight), plain(codes, columns, total), rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_balanced_class_weights(name):
    few = RANKS[:9] % 3  # the top grade is missing
    plain = xgboost_objective(name)
    balanced = xgboost_objective(name, class_weight="balanced")
    expected = plain(few, SCORES[:9], compute_sample_weight("balanced", few))
    assert_allclose(balanced(few, SCORES[:9]), expected, rtol=1e-12)
    times = np.arange(9) % 3 + 1  # weights repeat rows
    repeated = balanced(np.repeat(few, times), np.repeat(SCORES[:9], times, axis=0))
    first = np.cumsum(times) - times
    weighted = balanced(few, SCORES[:9], times)
    assert_allclose(np.array(weighted)[0], repeated[0][first] * times[:, np.newaxis], rtol=1e-9)


def test_defaults():
    assert_array_equal(
        lightgbm_objective()(RANKS, SCORES),
        lightgbm_objective(weights=disagreement_matrix(4))(RANKS, SCORES),
    )
    name = "cost_weighted_log_loss"
    assert_array_equal(
        lightgbm_objective(name)(RANKS, SCORES),
        lightgbm_objective(name, cost_matrix=disagreement_matrix(4), alpha=0.5)(RANKS, SCORES),
    )
    linear = lightgbm_objective(weights="linear")(RANKS, SCORES)
    assert not np.allclose(linear[0], lightgbm_objective()(RANKS, SCORES)[0])
    unweighted = lightgbm_objective(weights=None)
    assert_array_equal(
        unweighted(RANKS, SCORES), lightgbm_objective(weights=1 - np.eye(4))(RANKS, SCORES)
    )
    assert repr(unweighted) == "lightgbm_objective(objective='soft_weighted_kappa', weights=None)"


def test_rows_of_weight_zero_do_not_pull():
    weight = WEIGHT * (np.arange(30) > 4)
    weight[:4] = 0
    with_them = lightgbm_objective()(RANKS, SCORES, weight)
    without = lightgbm_objective()(RANKS[5:], SCORES[5:], weight[5:])
    assert_allclose(np.array(with_them)[:, 5:], without, rtol=1e-12)
    assert not with_them[0][:5].any()
    assert (with_them[1] > 0).all()


@pytest.mark.parametrize("factory", FACTORIES)
def test_objectives_can_be_copied_pickled_and_read(factory):
    objective = factory(
        "cost_weighted_log_loss", alpha=1.5, labels=SCALE, class_weight={"top": 2.0}
    )
    assert repr(objective) == (
        f"{factory.__name__}(objective='cost_weighted_log_loss', alpha=1.5, "
        f"labels={SCALE}, class_weight={{'top': 2.0}})"
    )
    for twin in (
        copy.copy(objective),
        copy.deepcopy(objective),
        pickle.loads(pickle.dumps(objective)),
    ):
        assert repr(twin) == repr(objective)
        assert twin.__name__ == "cost_weighted_log_loss"
        assert_array_equal(twin(RANKS, SCORES), objective(RANKS, SCORES))
    assert not hasattr(objective, "get_params")
    assert list(inspect.signature(objective).parameters) == ["y_true", "y_pred", "sample_weight"]


def test_later_changes_of_the_arguments_change_nothing():
    weights, factors = UNEVEN.copy(), {0: 2.0}
    objective = lightgbm_objective(weights=weights, class_weight=factors)
    before = objective(RANKS, SCORES)
    weights[:] = 0
    factors[0] = 7.0
    assert_array_equal(objective(RANKS, SCORES), before)


COST = {"objective": "cost_weighted_log_loss"}


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"objective": "quadratic_weighted_kappa"}, "use one of 'soft_weighted_kappa'"),
        ({"objective": None}, "objective=None is not known"),
        ({"alpha": 1.0}, "alpha is read by objective='cost_weighted_log_loss' only, not by"),
        ({"cost_matrix": UNEVEN}, "cost_matrix is read by objective='cost_weighted_log_loss'"),
        ({**COST, "weights": "linear"}, "weights is read by objective='soft_weighted_kappa' only"),
        ({**COST, "weights": UNEVEN}, "weights is read by objective='soft_weighted_kappa' only"),
        ({"weights": "cubic"}, "weights='cubic' is not known"),
        ({"weights": -UNEVEN}, "weights must not be negative"),
        ({"weights": UNEVEN[:3]}, "weights has shape (3, 4)"),
        ({"weights": UNEVEN, "labels": SCALE[:3]}, "weights has shape (4, 4), but the scale has 3"),
        (
            {"weights": pd.DataFrame(UNEVEN, SCALE[::-1], SCALE), "labels": SCALE},
            "weights has its index in the order ['top', 'high', 'mid', 'low']",
        ),
        ({**COST, "cost_matrix": -UNEVEN}, "cost_matrix must not be negative"),
        ({**COST, "alpha": -1}, "alpha=-1 must be a finite number, at least 0"),
        ({**COST, "alpha": "1"}, "alpha='1' must be a finite number"),
        ({"labels": ["low"]}, "list two grades at least"),
        ({"labels": {"low", "high"}}, "has no order"),
        ({"class_weight": "uniform"}, "class_weight='uniform' is not known"),
        ({"class_weight": [1, 2]}, "class_weight=[1, 2] is not known"),
        ({"class_weight": {0: -1.0}}, "class_weight[0]=-1.0 must be a finite number, at least 0"),
        ({"class_weight": {"med": 1}, "labels": SCALE}, "class_weight names 'med', but the grades"),
    ],
)
def test_bad_arguments(factory, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        factory(**arguments)


FREE = [[0, 1, 0], [1, 0, 0], [1, 1, 0]]  # nothing is lost by the top grade


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(
    ("arguments", "call", "message"),
    [
        ({}, ([0, 4], SCORES[:2]), "y_true holds 4.0, but the codes of 4 grades are 0 to 3"),
        ({}, ([0, 2], SCORES[:2, 0]), "y_true holds 2.0, but the codes of 2 grades are 0 to 1"),
        (
            {"labels": SCALE},
            ([0, 1], SCORES[:2, 0]),
            "y_pred has one raw score a row, which serves two grades, but the grades are ['low'",
        ),
        ({"labels": SCALE[:3]}, ([0, 1], SCORES[:2]), "y_pred has 4 column(s), but the grades are"),
        ({}, ([0, 1], SCORES[:3]), "y_true has 2 rows, y_pred has 3 rows"),
        ({}, ([0, 1], SCORES[:2] * np.inf), "y_pred must be finite"),
        ({}, ([1, 1], SCORES[:2]), "y_true holds one grade only (1), so kappa is undefined"),
        ({}, ([0, 1], SCORES[:2], [0, 1]), "y_true holds one grade only (1)"),
        (
            {"weights": FREE},
            ([0, 1], SCORES[:2, :3]),
            "weights puts no price on predicting 2, whatever the true grade",
        ),
        ({"weights": np.zeros((2, 2))}, ([0, 1], SCORES[:2, 0]), "weights puts no price on"),
        ({}, ([0, 1], SCORES[:2], [-1, 1]), "sample_weight must not be negative"),
        ({**COST, "class_weight": {0: 0, 1: 0}}, ([0, 1], SCORES[:2]), "is zero for every row"),
        ({"class_weight": {"low": 1}}, ([0, 1], SCORES[:2]), "class_weight names 'low', but the"),
        ({"weights": UNEVEN}, ([0, 1], SCORES[:2, :3]), "weights has shape (4, 4)"),
    ],
)
def test_bad_calls(factory, arguments, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        factory(**arguments)(*call)
