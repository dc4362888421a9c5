"""What users of other tools for ordered classes do there, done here, one test a capability.

The names of the tests are the capabilities; the numbers come from loops and from other libraries.
"""

import numpy as np
import oracles
import oracles_probability
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax, softmax
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import (
    cohen_kappa_score,
    confusion_matrix,
    make_scorer,
    precision_score,
    recall_score,
)
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal_censored.datasets import make_ordinal
from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    cumulative_scores,
    disagreement_matrix,
    get_scorer,
    linear_weighted_kappa,
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
    ranked_probability_score,
    soft_weighted_kappa,
    tree_cost_matrix,
    weighted_kappa,
)
from sklearn_ordinal_censored.postprocessing import (
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    optimal_thresholds,
)
from sklearn_ordinal_censored.targets import ordinal_decode, ordinal_encode

GRADES = range(5)
rng = np.random.default_rng(0)
TRUE = rng.choice(5, 200, p=[0.4, 0.25, 0.15, 0.12, 0.08])
LOGITS = rng.normal(size=(200, 5)) - 0.8 * np.abs(np.arange(5) - TRUE[:, np.newaxis])
PROBA = softmax(LOGITS, axis=1)
PRED = LOGITS.argmax(axis=1)
ABOVE = PROBA[:, ::-1].cumsum(axis=1)[:, 3::-1]
OUTPUTS = {
    "labels": PRED,
    "class_logits": LOGITS,
    "class_probs": PROBA,
    "cumulative_logits": np.log(ABOVE) - np.log1p(-ABOVE),
    "cumulative_probs": ABOVE,
}


class Tensor:
    """An array of another library."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


@pytest.fixture(scope="module")
def data():
    return make_ordinal(300, n_classes=5, noise=1.0, random_state=0)


# --- metrics of the output of a network


@pytest.mark.parametrize("wrap", [np.asarray, Tensor], ids=["array", "tensor"])
@pytest.mark.parametrize("encoding", OUTPUTS)
def test_accuracy_class_error_and_kappa_of_every_encoding(encoding, wrap):
    pred = ordinal_decode(wrap(OUTPUTS[encoding]), encoding=encoding, labels=GRADES)
    true = wrap(TRUE)
    pairs = TRUE.tolist(), PRED.tolist()
    assert ordinal_accuracy(true, pred) == oracles.accuracy(*pairs)
    mace = mean_absolute_class_error(true, pred)
    assert mace == pytest.approx(oracles.class_error(*pairs, 5, 1, "micro"), rel=1e-12)
    kappa = quadratic_weighted_kappa(true, pred, labels=GRADES)
    expected = oracles.kappa(*pairs, oracles.distance_matrix(5, 2))
    assert kappa == pytest.approx(expected, abs=1e-13)


def test_accuracy_is_blind_to_distance_and_the_others_are_not():
    near, far = np.where(TRUE == 0, 1, TRUE), np.where(TRUE == 0, 4, TRUE)
    assert ordinal_accuracy(TRUE, near) == ordinal_accuracy(TRUE, far)
    share = np.mean(TRUE == 0)
    assert mean_absolute_class_error(TRUE, near) == pytest.approx(share)
    assert mean_absolute_class_error(TRUE, far) == pytest.approx(4 * share)
    assert quadratic_weighted_kappa(TRUE, near) > 0.5 > quadratic_weighted_kappa(TRUE, far)


# --- weighted kappa


def test_kappa_with_linear_and_quadratic_weights():
    for weights, metric in (
        ("linear", linear_weighted_kappa),
        ("quadratic", quadratic_weighted_kappa),
    ):
        expected = cohen_kappa_score(TRUE, PRED, labels=GRADES, weights=weights)
        assert metric(TRUE, PRED, labels=GRADES) == pytest.approx(expected, abs=1e-13)
        assert weighted_kappa(TRUE, PRED, weights=weights) == pytest.approx(expected, abs=1e-13)


def test_kappa_with_a_matrix_of_ones_own():
    """Calling the worst grade harmless is ten times as bad as the reverse."""
    matrix = disagreement_matrix(5, "linear")
    matrix[4, 0] *= 10
    value = weighted_kappa(TRUE, PRED, weights=matrix)
    expected = oracles.kappa(TRUE.tolist(), PRED.tolist(), matrix.tolist())
    assert value == pytest.approx(expected, abs=1e-13)
    with pytest.raises(ValueError, match="weights"):  # the peer takes names only
        cohen_kappa_score(TRUE, PRED, weights=matrix)


def test_a_confusion_matrix_beside_the_score():
    names = ["none", "mild", "moderate", "severe", "worst"]
    words = np.array(names)
    table = confusion_matrix(words[TRUE], words[PRED], labels=names)
    value = quadratic_weighted_kappa(words[TRUE], words[PRED], labels=names)
    rows, columns = np.indices((5, 5)).reshape(2, -1)
    assert quadratic_weighted_kappa(rows, columns, sample_weight=table.ravel()) == value
    assert ordinal_accuracy(rows, columns, sample_weight=table.ravel()) == np.trace(table) / 200


def test_the_majority_class_as_a_baseline(data):
    X, y = data
    majority = DummyClassifier(strategy="most_frequent").fit(X, y).predict(X)
    assert ordinal_accuracy(y, majority) == np.bincount(y).max() / len(y)
    assert quadratic_weighted_kappa(y, majority) == 0.0
    model = LogisticRegression().fit(X, y).predict(X)
    assert quadratic_weighted_kappa(y, model) > 0.5
    assert all(quadratic_weighted_kappa(y, np.full(len(y), k), labels=GRADES) == 0 for k in GRADES)


def test_human_agreement_as_a_baseline():
    """Two raters of the same rows: neither is the truth, and kappa does not ask which is."""
    generator = np.random.default_rng(1)
    first, second = (np.clip(TRUE + generator.integers(-1, 2, 200), 0, 4) for _ in range(2))
    between = quadratic_weighted_kappa(first, second, labels=GRADES)
    assert between == pytest.approx(quadratic_weighted_kappa(second, first, labels=GRADES))
    expected = cohen_kappa_score(first, second, labels=GRADES, weights="quadratic")
    assert between == pytest.approx(expected, abs=1e-13)
    # The truth agrees with each of them better than they agree with one another.
    assert min(quadratic_weighted_kappa(TRUE, rater) for rater in (first, second)) > between


# --- losses


def test_weighted_cross_entropy_of_class_logits():
    """Each row is weighed by one plus half the disagreement of truth and most probable grade."""
    penalty = 1 + 0.5 * np.array(oracles.distance_matrix(5, 2)) / 16
    losses = -log_softmax(LOGITS, axis=1)[np.arange(200), TRUE] * penalty[TRUE, PRED]
    assert cost_weighted_log_loss(TRUE, PROBA) == pytest.approx(losses.mean(), rel=1e-12)
    weight = rng.random(200)
    weighted = cost_weighted_log_loss(TRUE, PROBA, sample_weight=weight)
    assert weighted == pytest.approx(np.average(losses, weights=weight), rel=1e-12)


def test_soft_kappa_of_class_logits():
    expected = oracles_probability.soft_kappa(
        TRUE.tolist(), PROBA.tolist(), oracles.distance_matrix(5, 2)
    )
    assert soft_weighted_kappa(TRUE, PROBA) == pytest.approx(expected, abs=1e-12)
    hard = quadratic_weighted_kappa(TRUE, PRED, labels=GRADES)
    sharp = soft_weighted_kappa(TRUE, softmax(1e5 * LOGITS, axis=1))
    assert sharp == pytest.approx(hard, abs=1e-9)


# --- boosting


@pytest.fixture(scope="module")
def boosted():
    X, y = make_ordinal(200, n_classes=3, noise=0.5, random_state=1)
    return X[:120], y[:120], X[120:], y[120:]


@pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")
def test_lightgbm_with_kappa_as_evaluation_metric(boosted):
    lightgbm = pytest.importorskip("lightgbm")
    boosting = pytest.importorskip("sklearn_ordinal_censored.boosting")
    X, y, X_new, y_new = boosted
    model = lightgbm.LGBMClassifier(n_estimators=5, metric="None", verbose=-1, n_jobs=1)
    model.fit(X, y, eval_set=[(X_new, y_new)], eval_metric=boosting.lightgbm_metric())
    (history,) = model.evals_result_.values()
    kappa = quadratic_weighted_kappa(y_new, model.predict(X_new))
    assert history["quadratic_weighted_kappa"][-1] == pytest.approx(kappa)


def test_lightgbm_with_soft_kappa_as_objective(boosted):
    lightgbm = pytest.importorskip("lightgbm")
    boosting = pytest.importorskip("sklearn_ordinal_censored.boosting")
    X, y, X_new, y_new = boosted
    model = lightgbm.LGBMClassifier(
        n_estimators=20, objective=boosting.lightgbm_objective(), verbose=-1, n_jobs=1
    ).fit(X, y)
    raw = model.predict(X_new, raw_score=True)
    grades = ordinal_decode(raw, encoding="class_logits", rule="mean")
    assert quadratic_weighted_kappa(y_new, grades) > 0.4


def test_xgboost_with_kappa_as_evaluation_metric(boosted):
    xgboost = pytest.importorskip("xgboost")
    boosting = pytest.importorskip("sklearn_ordinal_censored.boosting")
    X, y, X_new, y_new = boosted
    model = xgboost.XGBClassifier(
        n_estimators=5, eval_metric=boosting.xgboost_metric(), n_jobs=1
    ).fit(X, y, eval_set=[(X_new, y_new)], verbose=False)
    (history,) = model.evals_result().values()
    kappa = quadratic_weighted_kappa(y_new, model.predict(X_new))
    assert history["minus_quadratic_weighted_kappa"][-1] == pytest.approx(-kappa)


def test_xgboost_with_soft_kappa_as_objective(boosted):
    xgboost = pytest.importorskip("xgboost")
    boosting = pytest.importorskip("sklearn_ordinal_censored.boosting")
    X, y, X_new, y_new = boosted
    model = xgboost.XGBClassifier(
        n_estimators=20, objective=boosting.xgboost_objective(), n_jobs=1
    ).fit(X, y)
    raw = model.predict(X_new, output_margin=True)
    grades = ordinal_decode(raw, encoding="class_logits", rule="mean")
    assert quadratic_weighted_kappa(y_new, grades) > 0.4


# --- scikit-learn


def test_make_scorer_takes_the_metric_functions_as_they_are(data):
    X, y = data
    scoring = {
        "kappa": make_scorer(quadratic_weighted_kappa),
        "own": make_scorer(weighted_kappa, weights=ordinal_cost_matrix(5, under=10)),
        "mace": make_scorer(mean_absolute_class_error, greater_is_better=False),
        "cost": make_scorer(
            ordinal_cost, greater_is_better=False, cost_matrix=ordinal_cost_matrix(5)
        ),
        "rps": make_scorer(
            ranked_probability_score,
            greater_is_better=False,
            response_method="predict_proba",
            labels=GRADES,
        ),
    }
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 5]},
        scoring=scoring,
        refit="kappa",
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_ == {"max_depth": 5}
    assert_allclose(search.cv_results_["mean_test_mace"], search.cv_results_["mean_test_cost"])
    ready = get_scorer("neg_ranked_probability_score", labels=GRADES)
    assert ready(search, X, y) == pytest.approx(scoring["rps"](search, X, y), rel=1e-12)


def test_thresholds_chosen_for_kappa_after_training(data):
    X, y = data
    held_out = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")
    score = held_out @ np.arange(5)
    result = optimal_thresholds(y, score)
    most_probable = ordinal_decode(held_out, encoding="class_probs", labels=GRADES)
    rounded = np.clip(np.rint(score), 0, 4)
    for other in (most_probable, rounded):
        assert result.objective_value >= quadratic_weighted_kappa(y, other)
    kappa = get_scorer("quadratic_weighted_kappa", labels=GRADES)
    for model in (
        OrdinalThresholdOptimizer(Ridge()),
        OrdinalThresholdOptimizer(LogisticRegression()),
        OrdinalDecisionClassifier(LogisticRegression()),
    ):
        scores = cross_validate(model, X, y, scoring=kappa, error_score="raise")["test_score"]
        assert scores.mean() > 0.4


# --- costs


def test_costs_by_micro_exemplar_and_macro_aggregation():
    cost = np.array(oracles.distance_matrix(5, 2))
    pairs = TRUE.tolist(), PRED.tolist()
    for aggregation in ("micro", "exemplar", "macro"):
        value = ordinal_cost(TRUE, PRED, cost_matrix=cost, aggregation=aggregation)
        expected = oracles.cost(*pairs, cost.tolist(), aggregation)
        assert value == pytest.approx(expected, rel=1e-12)
    assert ordinal_cost(TRUE, PRED, cost_matrix=cost) == pytest.approx(
        mean_squared_class_error(TRUE, PRED)
    )


def test_under_grading_may_cost_more_than_over_grading():
    cost = ordinal_cost_matrix(5, under=3)
    low, high = np.maximum(TRUE - PRED, 0), np.maximum(PRED - TRUE, 0)
    assert ordinal_cost(TRUE, PRED, cost_matrix=cost) == pytest.approx(np.mean(3 * low + high))
    by_hand = np.fromfunction(lambda j, k: np.where(k < j, 3 * (j - k), k - j), (5, 5))
    assert_array_equal(cost, by_hand)


def test_costs_decide(data):
    """A classifier that knows the costs pays less than one that goes for accuracy."""
    X, y = data
    cost = ordinal_cost_matrix(5, under=5)
    pay = get_scorer("neg_ordinal_cost", cost_matrix=cost, labels=GRADES)
    accurate = LogisticRegression()
    careful = OrdinalDecisionClassifier(accurate, decision="cost", cost_matrix=cost)
    scores = [cross_validate(m, X, y, scoring=pay)["test_score"] for m in (accurate, careful)]
    assert scores[0].mean() < scores[1].mean()


def test_distances_in_a_tree_as_costs():
    tree = {"animal": None, "bird": "animal", "cat": "animal"}
    tree |= {"owl": "bird", "crow": "bird", "lion": "cat", "lynx": "cat"}
    cost = tree_cost_matrix(tree, classes=["owl", "crow", "lion", "lynx"])
    assert_array_equal(cost, [[0, 2, 4, 4], [2, 0, 4, 4], [4, 4, 0, 2], [4, 4, 2, 0]])
    true, pred = ["owl", "owl", "lynx", "lion"], ["crow", "owl", "lion", "owl"]
    names = ["owl", "crow", "lion", "lynx"]
    assert ordinal_cost(true, pred, cost_matrix=cost, labels=names) == (2 + 0 + 2 + 4) / 4


# --- the cumulative view


def test_one_value_a_threshold_and_their_macro_average():
    for measure, peer in (("recall", recall_score), ("precision", precision_score)):
        values = cumulative_scores(TRUE, PRED, measure=measure, average=None)
        expected = [peer(cut < TRUE, cut < PRED) for cut in range(4)]
        assert_allclose(values, expected, rtol=1e-13)
        macro = cumulative_scores(TRUE, PRED, measure=measure)
        assert macro == pytest.approx(np.mean(expected))


def test_true_labels_that_are_already_cumulative_indicators():
    """Nobody here has the highest grade; the number of columns tells that there is one."""
    true = np.minimum(TRUE, 3)
    indicators = ordinal_encode(true, labels=GRADES)
    assert indicators.shape == (200, 4)
    assert_array_equal(indicators, np.less.outer(np.arange(4), true).T)
    decoded = ordinal_decode(indicators, encoding="cumulative_probs")
    assert_array_equal(decoded, true)
    accuracy = cumulative_scores(
        decoded, PRED, measure="accuracy", average=None, labels=range(indicators.shape[1] + 1)
    )
    above = PRED[:, np.newaxis] > np.arange(4)
    assert_allclose(accuracy, (indicators == above).mean(axis=0))
