"""Numbers of three published walk-throughs of ordinal evaluation, reproduced.

300 patients with grades 0 to 4 and a classifier that is mostly one or two grades off; a small
example of weighted kappa with its weight table and its table of chance; and the scoring of class
logits as a neural network emits them.
"""

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import cohen_kappa_score, confusion_matrix, recall_score

from sklearn_ordinal_censored.metrics import (
    cumulative_scores,
    disagreement_matrix,
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
    tree_cost_matrix,
    weighted_kappa,
)
from sklearn_ordinal_censored.targets import ordinal_decode, ordinal_encode

HALF_A_DIGIT = 0.0005  # the published numbers are rounded to three decimals


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(1)
    true = rng.choice(5, 300, p=[0.45, 0.25, 0.15, 0.10, 0.05])
    pred = np.clip(true + rng.choice([-2, -1, 0, 0, 0, 1, 2], 300), 0, 4)
    return true, pred


def test_accuracy_of_the_patients(patients):
    assert ordinal_accuracy(*patients) == pytest.approx(0.617, abs=HALF_A_DIGIT)


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, 0.520), ({"power": 2}, 0.793), ({"power": 0}, 0.383), ({"under": 3}, 0.873)],
    ids=["absolute", "squared", "flat", "under-grading three times worse"],
)
def test_mean_costs_of_the_patients(patients, options, expected):
    cost = ordinal_cost(*patients, cost_matrix=ordinal_cost_matrix(5, **options))
    assert cost == pytest.approx(expected, abs=HALF_A_DIGIT)


def test_costs_are_errors_by_another_name(patients):
    assert mean_absolute_class_error(*patients) == pytest.approx(0.520, abs=HALF_A_DIGIT)
    assert mean_squared_class_error(*patients) == pytest.approx(0.793, abs=HALF_A_DIGIT)
    assert 1 - ordinal_accuracy(*patients) == pytest.approx(0.383, abs=HALF_A_DIGIT)


@pytest.mark.parametrize(("options", "expected"), [({"over": 0}, 44), ({"under": 0}, 71)])
def test_patients_graded_too_low_and_too_high(patients, options, expected):
    """A matrix of ones below or above the diagonal counts the misses on that side."""
    triangle = ordinal_cost_matrix(5, power=0, **options)
    assert ordinal_cost(*patients, cost_matrix=triangle, aggregation="micro") == expected


def test_aggregations_of_the_patients_differ_by_their_divisor(patients):
    cost = ordinal_cost_matrix(5)
    total = ordinal_cost(*patients, cost_matrix=cost, aggregation="micro")
    assert total == 156
    assert ordinal_cost(*patients, cost_matrix=cost) == total / 300
    assert ordinal_cost(*patients, cost_matrix=cost, aggregation="macro") == total / 5


def test_recall_at_the_four_cut_points(patients):
    recall = cumulative_scores(*patients, measure="recall", average=None)
    assert_allclose(recall, [133 / 159, 73 / 87, 31 / 38, 12 / 18])
    # The first is 0.83648, published as 0.837: rounded twice, by way of 0.8365.
    assert_allclose(np.round(recall, 4), [0.837, 0.839, 0.816, 0.667], atol=HALF_A_DIGIT + 1e-9)
    assert cumulative_scores(*patients) == pytest.approx(0.790, abs=HALF_A_DIGIT)


def test_recall_of_the_classes_gives_no_credit_for_near_misses(patients):
    macro = recall_score(*patients, average="macro")
    assert macro == pytest.approx(0.539, abs=HALF_A_DIGIT)
    assert cumulative_scores(*patients) > macro + 0.25


def test_patients_whose_truth_is_already_cumulative(patients):
    true, pred = patients
    decoded = ordinal_decode(ordinal_encode(true, labels=range(5)), encoding="cumulative_probs")
    assert_array_equal(decoded, true)
    assert cumulative_scores(decoded, pred) == pytest.approx(0.790, abs=HALF_A_DIGIT)


def test_a_prediction_of_two_for_a_three_is_wrong_at_one_cut_only():
    correct = cumulative_scores([3], [2], measure="accuracy", average=None, labels=range(5))
    assert_array_equal(correct, [1, 1, 0, 1])


def test_total_and_mean_loss_in_a_tree():
    tree = {"root": None, "A": "root", "B": "root", "a1": "A", "a2": "A", "b1": "B"}
    cost = tree_cost_matrix(tree)
    assert_array_equal(cost, [[0, 2, 4], [2, 0, 4], [4, 4, 0]])
    true, pred = [0, 0, 1, 2, 2, 1], [0, 1, 1, 0, 2, 2]
    assert ordinal_cost(true, pred, cost_matrix=cost, aggregation="micro") == 10.0
    assert ordinal_cost(true, pred, cost_matrix=cost) == pytest.approx(1.667, abs=HALF_A_DIGIT)


def test_the_small_example_of_quadratic_kappa():
    """Three misses by one grade; chance would give 28/3 squared ranks."""
    true, pred = [0, 0, 1, 1, 1, 2, 2, 2, 2], [0, 1, 1, 1, 2, 1, 2, 2, 2]
    assert_array_equal(confusion_matrix(true, pred), [[1, 1, 0], [0, 2, 1], [0, 1, 3]])
    value = quadratic_weighted_kappa(true, pred)
    assert value == pytest.approx(cohen_kappa_score(true, pred, weights="quadratic"), abs=1e-14)
    by_hand = oracles.kappa(true, pred, oracles.distance_matrix(3, 2))
    assert value == pytest.approx(by_hand, abs=1e-14)


def test_the_weight_table_of_three_grades():
    assert_array_equal(disagreement_matrix(3), [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]])


def test_predictions_that_match_the_table_of_chance_are_worth_nothing():
    """Both margins 50, 30 and 20 of 100: chance puts 25 rows in the first cell."""
    margin = np.array([50, 30, 20])
    chance = np.outer(margin, margin) / 100
    assert chance[0, 0] == 25
    true, pred = (rank.ravel() for rank in np.indices((3, 3)))
    for weights in ("quadratic", "linear", None, [[0, 1, 9], [4, 0, 2], [5, 7, 0]]):
        value = weighted_kappa(true, pred, weights=weights, sample_weight=chance.ravel())
        assert value == pytest.approx(0, abs=1e-15)
    disagreement = ordinal_cost(
        true,
        pred,
        cost_matrix=disagreement_matrix(3),
        aggregation="micro",
        sample_weight=chance.ravel(),
    )
    assert disagreement == pytest.approx(2 * (15 * 0.25 + 10 * 1 + 6 * 0.25))


def test_kappa_of_noise_of_near_misses_and_of_the_truth():
    rng = np.random.RandomState(42)  # the generator of the published draws
    true = rng.randint(0, 5, size=100)
    noise = rng.randint(0, 5, size=100)
    near = np.clip(true + rng.randint(-1, 2, size=100), 0, 4)
    kappas = [quadratic_weighted_kappa(true, pred) for pred in (noise, near, true)]
    peer = [cohen_kappa_score(true, pred, weights="quadratic") for pred in (noise, near, true)]
    assert_allclose(kappas, peer, atol=1e-13)
    assert abs(kappas[0]) < 0.2
    assert 0.8 < kappas[1] < kappas[2] == 1.0


def test_the_middle_grade_everywhere_does_not_raise_kappa():
    true = np.random.default_rng(0).integers(0, 5, 200)
    assert quadratic_weighted_kappa(true, np.full(200, 2)) == 0.0


def test_three_metrics_of_class_logits():
    rng = np.random.default_rng(0)
    logits, true = rng.normal(size=(64, 5)), rng.integers(0, 5, 64)
    pred = ordinal_decode(logits, encoding="class_logits", labels=range(5))
    best = [row.index(max(row)) for row in logits.tolist()]
    assert pred.tolist() == best
    assert ordinal_accuracy(true, pred) == np.mean(np.equal(best, true))
    assert mean_absolute_class_error(true, pred) == np.mean(np.abs(best - true))
    kappa = quadratic_weighted_kappa(true, pred, labels=range(5))
    expected = oracles.kappa(true.tolist(), best, oracles.distance_matrix(5, 2))
    assert kappa == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("rule", ["argmax", "median", "mean"])
def test_every_encoding_of_one_prediction_scores_the_same(rule):
    rng = np.random.default_rng(1)
    proba, true = rng.dirichlet(np.ones(5), 64), rng.integers(0, 5, 64)
    above = np.cumsum(proba[:, ::-1], axis=1)[:, -2::-1]
    outputs = {
        "class_probs": proba,
        "class_logits": np.log(proba) - rng.normal(size=(64, 1)),
        "cumulative_probs": above,
        "cumulative_logits": np.log(above) - np.log1p(-above),
    }
    kappas = {
        encoding: quadratic_weighted_kappa(
            true, ordinal_decode(output, encoding=encoding, rule=rule), labels=range(5)
        )
        for encoding, output in outputs.items()
    }
    assert len(set(kappas.values())) == 1, kappas
