"""`optimal_decisions`: each decision is the best of all vectors of grades for its own metric."""

import dataclasses

import numpy as np
import oracles
import oracles_probability as oracle
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from strategies import class_probabilities, cost_matrices, disagreements, scales, weights

from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.postprocessing import optimal_decisions
from sklearn_ordinal_censored.targets import ordinal_decode

POWERS = {"linear": 1, "quadratic": 2, None: 0, 0.5: 0.5, 3: 3}
RULES = {"argmax": 0, "median": 1, "mean": 2}  # decision: power of the distance that it minimises
LABELS = ["low", "mid", "high"]

rng = np.random.default_rng(0)
PROBA = rng.dirichlet(np.full(4, 0.8), 60)
WEIGHT = rng.integers(0, 4, 60)


@st.composite
def problems(draw, max_classes=4, max_size=4):
    """Probabilities, labels in any order, and weights or None."""
    proba = draw(class_probabilities(1, max_classes, max_size))
    labels = draw(scales(len(proba[0]), len(proba[0])))
    return proba, {"labels": labels, "sample_weight": draw(weights(len(proba)))}


def ranks_of(result, labels):
    return [labels.index(grade) for grade in result.decisions.tolist()]


# --- the best of all vectors


@given(problems(), st.sampled_from(list(RULES)))
def test_rules_have_the_least_expected_loss_of_all_vectors(problem, decision):
    proba, keywords = problem
    loss = oracles.distance_matrix(len(proba[0]), RULES[decision])
    result = optimal_decisions(proba, decision=decision, **keywords)
    least = oracle.least_expected_cost(proba, loss, keywords["sample_weight"])
    ranks = ranks_of(result, keywords["labels"])
    reached = oracle.expected_cost(proba, ranks, loss, keywords["sample_weight"])
    assert reached == pytest.approx(least, abs=1e-12)
    value = 1 - least if decision == "argmax" else least
    assert result.objective_value == pytest.approx(value, abs=1e-12)
    assert type(result.objective_value) is float
    assert result.certified is True


@given(problems(), st.data())
def test_costs_are_the_least_of_all_vectors(problem, data):
    proba, keywords = problem
    cost = data.draw(cost_matrices(len(proba[0])))
    result = optimal_decisions(proba, decision="cost", cost_matrix=cost, **keywords)
    least = oracle.least_expected_cost(proba, cost, keywords["sample_weight"])
    ranks = ranks_of(result, keywords["labels"])
    reached = oracle.expected_cost(proba, ranks, cost, keywords["sample_weight"])
    assert reached == pytest.approx(least, abs=1e-11)
    assert result.objective_value == pytest.approx(least, abs=1e-11)


@given(problems(), st.data())
def test_kappa_is_the_largest_of_all_vectors(problem, data):
    proba, keywords = problem
    n_classes, weight = len(proba[0]), keywords["sample_weight"]
    name = data.draw(st.sampled_from([*POWERS, "matrix"]))
    matrix = (
        data.draw(disagreements(n_classes))
        if name == "matrix"
        else oracles.distance_matrix(n_classes, POWERS[name])
    )
    own = data.draw(st.one_of(st.none(), class_probabilities(n_classes, n_classes, max_size=1)))
    prior = oracle.mean_probabilities(proba, weight) if own is None else own[0]
    assume(np.count_nonzero(prior) > 1)
    assume(np.any(np.array(prior) @ np.array(matrix)))
    result = optimal_decisions(
        proba,
        weights=matrix if name == "matrix" else name,
        prior=None if own is None else prior,
        **keywords,
    )
    largest = oracle.largest_plug_in_kappa(proba, matrix, prior, weight)
    ranks = ranks_of(result, keywords["labels"])
    reached = oracle.plug_in_kappa(proba, ranks, matrix, prior, weight)
    assert reached == pytest.approx(largest, abs=1e-11)
    assert result.objective_value == pytest.approx(largest, abs=1e-11)
    assert result.certified is True


def test_plug_in_kappa_is_kappa_where_the_rows_are_certain():
    codes = np.r_[0:4, rng.integers(0, 4, 20)]
    for matrix in ("linear", "quadratic", None, rng.random((4, 4)) * (1 - np.eye(4))):
        result = optimal_decisions(np.eye(4)[codes], weights=matrix)
        assert_array_equal(result.decisions, codes)
        assert result.objective_value == weighted_kappa(codes, codes, weights=matrix) == 1.0


def test_plug_in_kappa_is_the_kappa_of_drawn_grades_in_expectation():
    """Every row once for each grade, weighted by its probability, is the expectation itself."""
    result = optimal_decisions(PROBA, weights="linear")
    truth = np.tile(np.arange(4), 60)
    repeated = np.repeat(result.decisions, 4)
    kappa = weighted_kappa(truth, repeated, weights="linear", sample_weight=PROBA.ravel())
    assert result.objective_value == pytest.approx(kappa, rel=1e-12)


# --- relations


@given(problems(max_classes=6, max_size=10))
def test_rules_are_those_of_ordinal_decode(problem):
    proba, keywords = problem
    for rule in RULES:
        decoded = ordinal_decode(
            proba, encoding="class_probs", rule=rule, labels=keywords["labels"]
        )
        result = optimal_decisions(proba, decision=rule, **keywords)
        assert_array_equal(result.decisions, decoded)


@given(problems(max_size=10))
def test_rules_are_the_costs_that_they_minimise(problem):
    proba, keywords = problem
    for rule, power in RULES.items():
        cost = ordinal_cost_matrix(len(proba[0]), power=power)
        by_cost = optimal_decisions(proba, decision="cost", cost_matrix=cost, **keywords)
        result = optimal_decisions(proba, decision=rule, **keywords)
        value = 1 - result.objective_value if rule == "argmax" else result.objective_value
        assert by_cost.objective_value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("decision", ["argmax", "median", "mean", "kappa"])
def test_whole_weights_repeat_rows(decision):
    weighted = optimal_decisions(PROBA, decision=decision, sample_weight=WEIGHT)
    repeated = optimal_decisions(np.repeat(PROBA, WEIGHT, axis=0), decision=decision)
    assert_array_equal(np.repeat(weighted.decisions, WEIGHT), repeated.decisions)
    assert weighted.objective_value == pytest.approx(repeated.objective_value, rel=1e-12)


def test_rows_of_weight_zero_are_decided_but_decide_nothing():
    kept = WEIGHT > 0
    result = optimal_decisions(PROBA, sample_weight=WEIGHT)
    without = optimal_decisions(PROBA[kept], sample_weight=WEIGHT[kept])
    assert_array_equal(result.decisions[kept], without.decisions)
    assert result.objective_value == pytest.approx(without.objective_value, rel=1e-12)
    assert len(result.decisions) == 60


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_the_unit_of_the_weights_is_of_no_account(scale):
    weight = WEIGHT + 0.5
    result = optimal_decisions(PROBA, sample_weight=weight)
    scaled = optimal_decisions(PROBA, sample_weight=weight * scale)
    assert_array_equal(scaled.decisions, result.decisions)
    assert scaled.objective_value == pytest.approx(result.objective_value, rel=1e-12)


@pytest.mark.parametrize("decision", ["argmax", "median", "mean", "kappa"])
def test_the_order_of_the_rows_is_of_no_account(decision):
    order = rng.permutation(60)
    result = optimal_decisions(PROBA, decision=decision)
    shuffled = optimal_decisions(PROBA[order], decision=decision)
    assert_array_equal(shuffled.decisions, result.decisions[order])
    assert shuffled.objective_value == pytest.approx(result.objective_value, rel=1e-12)


@pytest.mark.parametrize("decision", ["argmax", "median", "mean", "kappa"])
def test_turning_the_scale_around_turns_the_decisions(decision):
    """Without ties, which go to one side."""
    result = optimal_decisions(PROBA, decision=decision)
    turned = optimal_decisions(PROBA[:, ::-1], decision=decision)
    assert_array_equal(turned.decisions, 3 - result.decisions)


@pytest.mark.parametrize("factor", [1e-9, 3.0, 1e9])
def test_the_unit_of_costs_and_disagreements_is_of_no_account(factor):
    cost = rng.random((4, 4)) * (1 - np.eye(4))
    for options, scaled in (
        ({"decision": "cost", "cost_matrix": cost}, {"cost_matrix": cost * factor}),
        ({"decision": "kappa", "weights": cost}, {"weights": cost * factor}),
    ):
        result = optimal_decisions(PROBA, **options)
        assert_array_equal(optimal_decisions(PROBA, **options | scaled).decisions, result.decisions)


def test_the_prior_of_the_rows_is_their_mean():
    result = optimal_decisions(PROBA, sample_weight=WEIGHT)
    prior = np.average(PROBA, axis=0, weights=WEIGHT)
    given_prior = optimal_decisions(PROBA, sample_weight=WEIGHT, prior=prior)
    assert_array_equal(given_prior.decisions, result.decisions)
    assert given_prior.objective_value == pytest.approx(result.objective_value, rel=1e-12)


def test_a_prior_of_high_grades_draws_the_decisions_away_from_them():
    """Chance agrees on what is common, so that agreeing on it earns little."""
    high = optimal_decisions(PROBA, prior=[0.01, 0.01, 0.01, 0.97]).decisions
    low = optimal_decisions(PROBA, prior=[0.97, 0.01, 0.01, 0.01]).decisions
    assert high.mean() < low.mean()


# --- by hand


def test_ties_go_to_the_lowest_grade_and_half_way_goes_up():
    halves, thirds = [[0.5, 0.5]], [[1 / 3, 1 / 3, 1 / 3]]
    assert optimal_decisions(halves, decision="argmax").decisions.tolist() == [0]
    assert optimal_decisions(thirds, decision="argmax").decisions.tolist() == [0]
    assert optimal_decisions(halves, decision="median").decisions.tolist() == [0]
    assert optimal_decisions(halves, decision="mean").decisions.tolist() == [1]
    free = {"decision": "cost", "cost_matrix": np.zeros((2, 2))}
    assert optimal_decisions(halves, **free).decisions.tolist() == [0]


def test_a_row_that_every_rule_decides_in_its_own_way():
    proba = [[0.4, 0.15, 0.0, 0.0, 0.45]]
    decisions = {rule: optimal_decisions(proba, decision=rule).decisions[0] for rule in RULES}
    assert decisions == {"argmax": 4, "median": 1, "mean": 2}


def test_missing_the_worst_grade_may_cost_ten_times_as_much():
    cost = [[0, 1, 1], [1, 0, 1], [10, 10, 0]]
    proba = [[0.45, 0.30, 0.25], [0.9, 0.05, 0.05], [0.95, 0.04, 0.01]]
    result = optimal_decisions(proba, decision="cost", cost_matrix=cost, labels=LABELS)
    assert result.decisions.tolist() == ["high", "low", "low"]
    assert result.objective_value == pytest.approx((0.75 + 0.55 + 0.14) / 3)


def test_gains_are_negative_costs():
    result = optimal_decisions([[0.5, 0.5]], decision="cost", cost_matrix=[[-1, 0], [0, -3]])
    assert result.decisions.tolist() == [1]
    assert result.objective_value == -1.5


def test_rows_that_are_all_alike_have_no_kappa_to_gain():
    for row in ([0.5, 0.25, 0.25], [0.1, 0.2, 0.7]):
        result = optimal_decisions([row] * 5)
        assert result.objective_value == pytest.approx(0, abs=1e-12)
        assert len(set(result.decisions.tolist())) == 1


def test_one_grade():
    for decision in RULES:
        result = optimal_decisions([[1.0], [1.0]], decision=decision, labels=["only"])
        assert result.decisions.tolist() == ["only", "only"]
        assert result.objective_value == (1.0 if decision == "argmax" else 0.0)


# --- labels, containers, the result


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [(None, np.int64), ([5, 3, 9], np.int64), ([0.5, 1.5, 2.5], np.float64), (LABELS, np.str_)],
)
def test_decisions_are_labels(labels, dtype):
    proba = [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]
    result = optimal_decisions(proba, decision="argmax", labels=labels)
    assert_array_equal(result.decisions, np.array(labels or [0, 1, 2])[[0, 2]])
    assert isinstance(result.decisions, np.ndarray)
    assert np.issubdtype(result.decisions.dtype, dtype)


def test_containers():
    expected = optimal_decisions(PROBA)
    frame = pd.DataFrame(PROBA)
    for container in (PROBA.tolist(), frame, np.asfortranarray(PROBA), PROBA.astype(object)):
        result = optimal_decisions(container)
        assert_array_equal(result.decisions, expected.decisions)
    frozen = PROBA.copy()
    frozen.flags.writeable = False
    optimal_decisions(frozen)
    single = optimal_decisions(PROBA.astype(np.float32))
    assert single.objective_value == pytest.approx(expected.objective_value, rel=1e-5)


def test_results_of_arrays_are_compared_by_identity():
    results = [optimal_decisions(PROBA) for _ in range(2)]
    assert results[0] != results[1]
    assert len(set(results)) == 2


def test_the_result_is_frozen():
    result = optimal_decisions(PROBA)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.certified = False


# --- input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decision": "mode"}, "decision='mode' is not known; use one of 'argmax', 'median'"),
        ({"decision": None}, "decision=None is not known"),
        ({"decision": "cost"}, "cost_matrix is missing, but decision='cost'"),
        ({"cost_matrix": np.eye(3)}, "cost_matrix is read by decision='cost' only, not by 'kappa'"),
        ({"decision": "mean", "cost_matrix": np.eye(3)}, "cost_matrix is read by .* not by 'mean'"),
        ({"decision": "cost", "cost_matrix": np.eye(2)}, r"cost_matrix has shape \(2, 2\)"),
        ({"decision": "cost", "cost_matrix": [[np.nan] * 3] * 3}, "cost_matrix must be finite"),
        ({"decision": "median", "prior": [0.5, 0.3, 0.2]}, "prior is read by decision='kappa'"),
        ({"prior": [0.5, 0.5]}, r"prior has 2 shares, but the scale has 3 grades, \[0, 1, 2\]"),
        ({"prior": [0.5, 0.4, 0]}, r"prior=\[0.5, 0.4, 0.0\] must .* sum to 1; divide counts"),
        ({"prior": [1.5, -0.5, 0]}, r"prior=\[1.5, -0.5, 0.0\] must not be negative"),
        ({"prior": [[0.5, 0.3, 0.2]]}, r"prior must have 1 dimension.* shape \(1, 3\)\.$"),
        ({"prior": [0, 1, 0]}, r"shares of the true grades are \[0.0, 1.0, 0.0\]: one class only"),
        ({"weights": np.zeros((3, 3))}, "one class only, or classes that do not disagree"),
        ({"weights": "cubic"}, "weights='cubic' is not known"),
        ({"weights": np.eye(3)}, "weights must be 0 on the diagonal"),
        ({"labels": ["low", "high"]}, r"3 columns, but there are 2 labels, \['low', 'high'\]"),
        ({"labels": {1, 2, 3}}, "has no order"),
        ({"labels": [1, 2, 1]}, "labels holds 1 more than once"),
        ({"sample_weight": [1]}, "sample_weight has 1 rows, the target has 2"),
        ({"sample_weight": [0, 0]}, "sample_weight is zero for every row"),
        ({"sample_weight": [1, -1]}, "sample_weight must not be negative"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        optimal_decisions([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]], **options)


@pytest.mark.parametrize(
    ("proba", "message"),
    [
        ([0.5, 0.5], r"y_proba must have 2 dimension\(s\), but has shape \(2,\)"),
        ([[0.5, 0.6]], "y_proba must sum to 1 in every row"),
        ([[50, 50]], "Divide percentages by 100; turn raw scores into probabilities"),
        ([[0.5, np.nan]], "y_proba must be finite"),
        (np.ones((0, 3)), "y_proba is empty"),
        (np.ones((3, 0)), "y_proba must sum to 1"),
        ([["a", "b"]], "y_proba must hold plain real numbers"),
        ([[1.0, 0.0]] * 3, "one class only"),
    ],
)
def test_bad_probabilities_are_refused(proba, message):
    with pytest.raises(ValueError, match=message):
        optimal_decisions(proba)


def test_columns_in_another_order_than_the_scale_are_refused():
    frame = pd.DataFrame([[0.1, 0.7, 0.2]], columns=sorted(LABELS))
    with pytest.raises(ValueError, match=r"y_proba has its columns in the order .*reindex"):
        optimal_decisions(frame, decision="argmax", labels=LABELS)
    right = optimal_decisions(frame[LABELS], decision="argmax", labels=LABELS)
    assert right.decisions.tolist() == ["low"]


# --- where the probabilities are right


def draw_grades(cuts, n_rows, seed):
    """Probabilities of an ordered logit model, and grades drawn from them."""
    generator = np.random.default_rng(seed)
    latent = generator.normal(scale=1.5, size=n_rows)
    above = expit(latent[:, np.newaxis] - np.array(cuts))
    true = (generator.random(n_rows)[:, np.newaxis] < above).sum(axis=1)
    ends = np.ones((n_rows, 1)), np.zeros((n_rows, 1))
    return true, -np.diff(np.hstack([ends[0], above, ends[1]]), axis=1)


@pytest.mark.parametrize("cuts", [(-2.2, -0.7, 0.7, 2.2), (0.0, 1.5, 2.6, 3.6)])
def test_every_decision_wins_its_own_metric(cuts):
    true, proba = draw_grades(cuts, 60_000, seed=0)
    cost = ordinal_cost_matrix(5, under=4)
    decisions = {
        name: optimal_decisions(
            proba, decision=name, cost_matrix=cost if name == "cost" else None
        ).decisions
        for name in ("argmax", "median", "mean", "cost", "kappa")
    }
    metrics = {
        "argmax": ordinal_accuracy,
        "median": lambda *grades: -mean_absolute_class_error(*grades),
        "mean": lambda *grades: -mean_squared_class_error(*grades),
        "cost": lambda *grades: -ordinal_cost(*grades, cost_matrix=cost, labels=range(5)),
        "kappa": quadratic_weighted_kappa,
    }
    for own, metric in metrics.items():
        values = {name: metric(true, grades) for name, grades in decisions.items()}
        assert max(values, key=values.get) == own, values


def test_every_kappa_is_won_by_its_own_weights():
    true, proba = draw_grades((0.0, 1.5, 2.6, 3.6), 60_000, seed=1)
    asymmetric = ordinal_cost_matrix(5, under=6)
    names = ["linear", "quadratic", None]
    for own in (*names, asymmetric):
        others = [name for name in names if name is not own]
        values = [
            weighted_kappa(true, optimal_decisions(proba, weights=w).decisions, weights=own)
            for w in (own, *others)
        ]
        assert values[0] == max(values)


def test_objectives_are_what_the_decisions_reach():
    true, proba = draw_grades((-1.0, 0.5, 2.0), 60_000, seed=2)
    for decision, metric in (
        ("argmax", ordinal_accuracy),
        ("median", mean_absolute_class_error),
        ("mean", mean_squared_class_error),
        ("kappa", quadratic_weighted_kappa),
    ):
        result = optimal_decisions(proba, decision=decision)
        assert_allclose(metric(true, result.decisions), result.objective_value, atol=0.01)


def test_names_of_the_prior_are_read():
    proba, labels = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]], ["lo", "mid", "hi"]
    prior = pd.Series({"hi": 0.1, "mid": 0.2, "lo": 0.7})
    with pytest.raises(ValueError, match="prior has its index in the order"):
        optimal_decisions(proba, prior=prior, labels=labels)
    assert optimal_decisions(proba, prior=prior[labels], labels=labels).certified
