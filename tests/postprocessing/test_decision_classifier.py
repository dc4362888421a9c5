"""`OrdinalDecisionClassifier`: what it learns out of fold, and how it decides."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, csr_matrix
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from sklearn_ordinal_censored.datasets import make_ordinal
from sklearn_ordinal_censored.metrics import (
    disagreement_matrix,
    get_scorer,
    ordinal_cost,
    ordinal_cost_matrix,
)
from sklearn_ordinal_censored.postprocessing import (
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    optimal_decisions,
)

NAMES = np.array(["poor", "fair", "good", "excellent"])  # not the order of the alphabet
LABELS = NAMES.tolist()
COST = np.array([[0, 1, 2, 9], [3, 0, 1, 4], [5, 2, 0, 1], [9, 5, 2, 0.0]])
DECISIONS = ["argmax", "median", "mean", "cost", "kappa"]


def _data(n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    latent = X @ [1, -1, 0] + rng.normal(size=n)
    return X, np.digitize(latent, np.quantile(latent, [0.4, 0.7, 0.9]))


X, CODES = _data()


class Counted(ClassifierMixin, BaseEstimator):
    """Remembers how many rows every one of its clones was fitted to."""

    sizes: ClassVar[list[int]] = []

    def fit(self, X, y):
        self.sizes.append(len(y))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.share_ = counts / len(y)
        return self

    def predict_proba(self, X):
        return np.tile(self.share_, (len(X), 1))

    def predict(self, X):
        return np.repeat(self.classes_[self.share_.argmax()], len(X))


def decider(estimator, decision, **options):
    cost = COST if decision == "cost" else None
    return OrdinalDecisionClassifier(
        estimator, **{"decision": decision, "cost_matrix": cost} | options
    )


def in_order(model, X, labels):
    """Probabilities with a column for each label, zero for those that the model has not seen."""
    proba, columns = model.predict_proba(X), model.classes_.tolist()
    return np.column_stack(
        [proba[:, columns.index(k)] if k in columns else np.zeros(len(X)) for k in labels]
    )


def held_out(estimator, X, y, splits, labels, weight=None):
    """Probabilities of models fitted to the other folds, fold after fold, and their rows."""
    parts, rows = [], []
    for train, test in splits:
        options = {} if weight is None else {"sample_weight": weight[train]}
        parts.append(in_order(clone(estimator).fit(X[train], y[train], **options), X[test], labels))
        rows.append(test)
    return np.vstack(parts), np.concatenate(rows)


def assert_learned(model, proba, weight=None, weights="quadratic"):
    """The prior, the ratio and the costs are those of the held-out probabilities."""
    prior = np.average(proba, axis=0, weights=weight)
    best = optimal_decisions(proba, weights=weights, sample_weight=weight)
    ratio = 1 - best.objective_value
    disagreement = disagreement_matrix(len(prior), weights)
    assert_allclose(model.prior_, prior, rtol=1e-12, atol=1e-15)
    expected = disagreement - ratio * (prior @ disagreement)
    assert_allclose(model.cost_matrix_, expected, rtol=1e-10, atol=1e-12)
    # At the ratio of the best vector no other has a difference below zero.
    least = (proba @ model.cost_matrix_).min(axis=1)
    assert np.average(least, weights=weight) == pytest.approx(0, abs=1e-10)


# --- what is learned


@pytest.mark.parametrize("weights", ["quadratic", "linear", None, 1.5, COST * (1 - np.eye(4))])
def test_kappa_is_learned_from_held_out_probabilities(weights):
    splits = list(StratifiedKFold(5).split(X, CODES))
    proba, _ = held_out(LogisticRegression(), X, NAMES[CODES], splits, LABELS)
    for cv in (None, 5, splits, StratifiedKFold(5)):
        model = OrdinalDecisionClassifier(
            LogisticRegression(), weights=weights, cv=cv, labels=LABELS
        ).fit(X, NAMES[CODES])
        assert_learned(model, proba, weights=weights)


@pytest.mark.parametrize(
    "cv",
    [
        KFold(4, shuffle=True, random_state=0),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(4, test_size=0.4, random_state=0),
        ShuffleSplit(1, test_size=0.5, random_state=0),
        [(np.arange(60), np.arange(40, 150)), (np.arange(60, 150), np.arange(80))],
    ],
)
def test_repeated_overlapping_and_single_splits(cv):
    splits = cv if isinstance(cv, list) else list(cv.split(X, CODES))
    proba, _ = held_out(GaussianNB(), X, CODES, splits, range(4))
    model = OrdinalDecisionClassifier(GaussianNB(), cv=cv, labels=range(4)).fit(X, CODES)
    assert_learned(model, proba)


def test_the_estimator_is_fitted_to_all_rows_and_the_given_one_to_none():
    estimator = LogisticRegression()
    for decision in DECISIONS:
        model = decider(estimator, decision, labels=LABELS).fit(X, NAMES[CODES])
        expected = LogisticRegression().fit(X, NAMES[CODES])
        assert_allclose(model.estimator_.coef_, expected.coef_)
    assert not hasattr(estimator, "coef_")


def test_only_kappa_needs_folds():
    for decision in DECISIONS:
        Counted.sizes.clear()
        decider(Counted(), decision, cv=3).fit(X, CODES)
        assert Counted.sizes == ([150, 100, 100, 100] if decision == "kappa" else [150])


def test_only_kappa_has_a_prior():
    model = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES)
    assert model.prior_.sum() == pytest.approx(1)
    model.set_params(decision="median").fit(X, CODES)
    assert model.prior_ is None


def test_the_costs_are_those_of_the_decision():
    for decision, expected in (
        ("argmax", 1 - np.eye(4)),
        ("median", ordinal_cost_matrix(4)),
        ("mean", ordinal_cost_matrix(4, power=2)),
        ("cost", COST),
    ):
        model = decider(GaussianNB(), decision, labels=LABELS).fit(X, NAMES[CODES])
        assert_array_equal(model.cost_matrix_, expected)


# --- how it decides


@pytest.mark.parametrize("decision", DECISIONS)
def test_decisions_are_those_of_the_probabilities(decision):
    model = decider(LogisticRegression(), decision, labels=LABELS).fit(X, NAMES[CODES])
    proba = in_order(LogisticRegression().fit(X, NAMES[CODES]), X, LABELS)
    options = {"cost_matrix": COST, "labels": LABELS, "decision": decision}
    if decision == "kappa":
        options |= {"decision": "cost", "cost_matrix": model.cost_matrix_}
    elif decision != "cost":
        options["cost_matrix"] = None
    assert_array_equal(model.predict(X), optimal_decisions(proba, **options).decisions)


@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(), GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)],
)
def test_the_most_probable_grade_is_what_the_estimator_predicts(estimator):
    model = decider(estimator, "argmax").fit(X, CODES)
    assert_array_equal(model.predict(X), model.estimator_.predict(X))


def test_kappa_is_nearly_the_best_of_all_rows_together():
    """On the rows that it learned from, the ratio is that of the best vector."""
    estimator = LogisticRegression().fit(X, CODES)
    new_X, new_codes = _data(200, seed=1)
    model = OrdinalDecisionClassifier(estimator, cv="prefit").fit(new_X, new_codes)
    together = optimal_decisions(estimator.predict_proba(new_X)).decisions
    assert_array_equal(model.predict(new_X), together)


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("estimator", [LogisticRegression(), KNeighborsClassifier(7)])
def test_every_row_is_graded_as_if_it_were_alone(decision, estimator):
    model = decider(estimator, decision, labels=LABELS).fit(X, NAMES[CODES])
    together = model.predict(X)
    assert_array_equal(np.concatenate([model.predict(row[None]) for row in X]), together)
    assert_array_equal(model.predict(X[::-1]), together[::-1])


def test_asymmetric_costs_pay_off_and_are_not_transposed():
    new_X, new_codes = _data(2000, seed=3)
    model = decider(LogisticRegression(), "cost").fit(X, CODES)
    wrong = decider(LogisticRegression(), "cost", cost_matrix=COST.T).fit(X, CODES)
    values = [ordinal_cost(new_codes, m.predict(new_X), cost_matrix=COST) for m in (model, wrong)]
    assert values[0] < values[1]
    accuracy = decider(LogisticRegression(), "argmax").fit(X, CODES)
    assert values[0] < ordinal_cost(new_codes, accuracy.predict(new_X), cost_matrix=COST)


# --- fitted already


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_fitted_estimator_is_left_as_it_is(decision):
    estimator = LogisticRegression().fit(X, NAMES[CODES])
    new_X, new_codes = _data(90, seed=2)
    options = {"cv": "prefit", "labels": LABELS}
    model = decider(estimator, decision, **options).fit(new_X, NAMES[new_codes])
    assert model.estimator_ is estimator
    assert model.n_features_in_ == 3
    frozen = decider(FrozenEstimator(estimator), decision, labels=LABELS)
    frozen.fit(new_X, NAMES[new_codes])
    assert_array_equal(frozen.predict(X), model.predict(X))
    if decision == "kappa":
        proba = in_order(estimator, new_X, LABELS)
        assert_learned(model, proba)
        assert_learned(frozen, proba)


def test_prefit_needs_a_fitted_estimator():
    with pytest.raises(NotFittedError, match="LogisticRegression"):
        OrdinalDecisionClassifier(LogisticRegression(), cv="prefit").fit(X, CODES)


def test_groups_without_routing_are_refused_with_the_cure():
    with pytest.raises(ValueError, match=r"fit got groups, but .*enable_metadata_routing=True"):
        OrdinalDecisionClassifier(GaussianNB(), cv=GroupKFold(3)).fit(X, CODES, groups=CODES)


def test_groups_without_routing_reach_the_splitter_of_a_search():
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9]}, cv=GroupKFold(3))
    groups = np.arange(len(CODES)) % 6
    model = OrdinalDecisionClassifier(search, cv=3)
    fitted = model.fit(X, CODES, groups=groups)
    assert fitted.estimator_.n_splits_ == 3


def test_groups_without_routing_reach_what_hands_on_all_it_is_given():
    search = GridSearchCV(Ridge(), {"alpha": [1.0, 2.0]}, cv=GroupKFold(3))
    groups = np.arange(len(CODES)) % 6
    wrapped = OrdinalThresholdOptimizer(TransformedTargetRegressor(search), cv=3)
    bare = OrdinalThresholdOptimizer(search, cv=3)
    found = [model.fit(X, CODES, groups=groups).thresholds_ for model in (wrapped, bare)]
    assert_allclose(*found)


def test_arguments_of_fit_that_nothing_would_read_are_refused():
    model = OrdinalDecisionClassifier(GaussianNB().fit(X, CODES), cv="prefit")
    with pytest.raises(ValueError, match=r"fit got \['groups'\].*leave them out"):
        model.fit(X, CODES, groups=CODES)


# --- grades


@pytest.mark.parametrize("container", [np.asarray, list, pd.Series])
@pytest.mark.parametrize("decision", DECISIONS)
def test_text_with_labels(container, decision):
    model = decider(GaussianNB(), decision, labels=LABELS).fit(X, container(NAMES[CODES]))
    ranks = decider(GaussianNB(), decision).fit(X, CODES)
    assert_array_equal(model.predict(X), NAMES[ranks.predict(X)])
    assert_array_equal(model.ordered_classes_, LABELS)
    assert_array_equal(model.classes_, sorted(LABELS))
    assert_allclose(model.cost_matrix_, ranks.cost_matrix_, rtol=1e-12, atol=1e-14)


def test_text_without_labels_is_refused():
    with pytest.raises(ValueError, match="pass `labels`"):
        OrdinalDecisionClassifier(GaussianNB()).fit(X, NAMES[CODES])


def test_an_ordered_categorical_brings_its_order():
    y = pd.Series(pd.Categorical(NAMES[CODES], categories=LABELS, ordered=True))
    for decision in DECISIONS:
        model = decider(GaussianNB(), decision).fit(X, y)
        labelled = decider(GaussianNB(), decision, labels=LABELS).fit(X, NAMES[CODES])
        assert type(model.predict(X)) is np.ndarray
        assert_array_equal(model.predict(X), labelled.predict(X))
        assert_array_equal(model.ordered_classes_, LABELS)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float64, np.float32])
def test_numbers_come_back_in_their_dtype(dtype):
    y = (CODES + 1).astype(dtype)
    model = OrdinalDecisionClassifier(GaussianNB()).fit(X, y)
    assert model.predict(X).dtype == model.classes_.dtype == dtype
    assert set(model.predict(X)) <= {1, 2, 3, 4}


def test_bools_come_back_as_bools():
    model = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES > 0)
    assert model.predict(X).dtype == bool
    assert (model.predict(X) == (CODES > 0)).mean() > 0.7


def test_numeric_labels_out_of_order():
    labels = [7, 3, 5, 1]
    model = OrdinalDecisionClassifier(GaussianNB(), labels=labels).fit(X, np.array(labels)[CODES])
    ranks = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES)
    assert_array_equal(model.predict(X), np.array(labels)[ranks.predict(X)])
    assert_array_equal(model.classes_, [1, 3, 5, 7])


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_grade_without_training_rows_is_never_predicted(decision):
    """Grade 3 of 0, 1, 2, 4 keeps its place in the costs, and would be the cheapest."""
    y = np.array([0, 1, 2, 4])[CODES]
    cost = ordinal_cost_matrix(5)
    cost[:, 3] = -1
    options = {"cost_matrix": cost if decision == "cost" else None}
    model = decider(GaussianNB(), decision, **options).fit(X, y)
    assert_array_equal(model.ordered_classes_, [0, 1, 2, 3, 4])
    assert_array_equal(model.classes_, [0, 1, 2, 4])
    assert model.cost_matrix_.shape == (5, 5)
    grid = np.linspace(-9, 9, 500)[:, np.newaxis] * [1, -1, 0]
    assert set(model.predict(grid)) <= {0, 1, 2, 4}
    y = pd.Categorical(NAMES[CODES], categories=[*LABELS[:2], "none", *LABELS[2:]], ordered=True)
    cost[:, [2, 3]] = cost[:, [3, 2]]
    named = decider(GaussianNB(), decision, **options).fit(X, pd.Series(y))
    assert "none" not in named.predict(grid)


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("lost", [0, 1, 3])
@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(9), DummyClassifier(strategy="uniform")]
)
@pytest.mark.filterwarnings("ignore:KNeighborsClassifier.fit takes no sample_weight:UserWarning")
def test_a_grade_without_weight_is_never_predicted(decision, lost, estimator):
    """The estimator has seen the grade and may find it probable."""
    cost = COST.copy()
    cost[:, lost] = -1
    options = {"cost_matrix": cost if decision == "cost" else None}
    model = decider(estimator, decision, **options)
    model.fit(X, CODES, sample_weight=(lost != CODES).astype(float))
    assert lost not in model.predict(X)
    assert_array_equal(model.classes_, [0, 1, 2, 3])
    # Of the others the one of least cost is taken.
    kept = [k for k in range(4) if k != lost]
    costs = model.predict_proba(X) @ model.cost_matrix_[:, kept]
    taken = [kept.index(k) for k in model.predict(X)]
    assert_allclose(costs[np.arange(len(X)), taken], costs.min(axis=1), atol=1e-12)


def test_one_grade_is_all_there_is():
    y = np.full(len(X), 7)
    for decision, cost in (("argmax", None), ("median", None), ("mean", None), ("cost", [[5]])):
        model = OrdinalDecisionClassifier(DummyClassifier(), decision=decision, cost_matrix=cost)
        assert_array_equal(model.fit(X, y).predict(X), y)
    with pytest.raises(ValueError, match="one class only"):
        OrdinalDecisionClassifier(DummyClassifier()).fit(X, y)


def test_grades_that_do_not_disagree_have_no_kappa():
    """Only the gap, grade 1, disagrees with the others, and it may not be predicted."""
    weights = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    with pytest.raises(ValueError, match="classes that do not disagree"):
        OrdinalDecisionClassifier(GaussianNB(), weights=weights).fit(X, 2 * (CODES > 1))


def test_an_absent_label_counts_as_a_class():
    labels = ["none", *LABELS]
    model = OrdinalDecisionClassifier(GaussianNB(), labels=labels).fit(X, NAMES[CODES])
    assert_array_equal(model.ordered_classes_, labels)
    assert_array_equal(model.classes_, sorted(labels))
    proba = model.predict_proba(X)
    assert_array_equal(proba, in_order(model.estimator_, X, model.classes_.tolist()))
    assert_array_equal(proba[:, sorted(labels).index("none")], 0)


def test_a_grade_missing_from_a_fold():
    """Grade 3 has one row, so that the model of one fold has never seen it."""
    rows = np.r_[np.flatnonzero(CODES < 3), np.flatnonzero(CODES == 3)[:1]]
    splits = list(KFold(5).split(rows))
    proba, _ = held_out(GaussianNB(), X[rows], CODES[rows], splits, range(4))
    model = OrdinalDecisionClassifier(GaussianNB(), cv=splits).fit(X[rows], CODES[rows])
    assert_learned(model, proba)
    assert model.prior_[3] < 0.1
    OrdinalDecisionClassifier(GaussianNB()).fit(X[rows], CODES[rows])  # joins rare strata


def test_a_column_vector_is_unpacked_with_a_warning():
    expected = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES).predict(X)
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES[:, np.newaxis])
    assert_array_equal(model.predict(X), expected)


# --- weights and metadata


@pytest.mark.parametrize("decision", DECISIONS)
def test_whole_weights_repeat_rows(decision):
    weight = np.random.default_rng(5).integers(0, 4, len(CODES))
    repeat = np.repeat(np.arange(len(CODES)), weight)
    splits = list(StratifiedKFold(4).split(X, CODES))
    repeated_splits = [
        tuple(np.flatnonzero(np.isin(repeat, part)) for part in split) for split in splits
    ]
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    weighted = decider(tree, decision, cv=splits).fit(X, CODES, sample_weight=weight)
    repeated = decider(tree, decision, cv=repeated_splits).fit(X[repeat], CODES[repeat])
    assert_allclose(weighted.cost_matrix_, repeated.cost_matrix_, rtol=1e-9, atol=1e-12)
    assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_weights_reach_the_estimator_the_prior_and_the_ratio():
    weight = np.random.default_rng(6).random(len(CODES)) + 0.01
    splits = list(KFold(4).split(X))
    proba, rows = held_out(LogisticRegression(), X, CODES, splits, range(4), weight)
    model = OrdinalDecisionClassifier(LogisticRegression(), cv=splits)
    model.fit(X, CODES, sample_weight=weight)
    assert_learned(model, proba, weight[rows])
    final = LogisticRegression().fit(X, CODES, sample_weight=weight)
    assert_allclose(model.estimator_.coef_, final.coef_)


@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(), make_pipeline(StandardScaler(), GaussianNB())]
)
def test_an_estimator_without_weights_is_told(estimator):
    weight = np.random.default_rng(7).random(len(CODES))
    splits = list(KFold(4).split(X))
    model = OrdinalDecisionClassifier(estimator, cv=splits)
    name = type(estimator).__name__
    with pytest.warns(UserWarning, match=f"{name}.fit takes no sample_weight, so the weights only"):
        model.fit(X, CODES, sample_weight=weight)
    proba, rows = held_out(estimator, X, CODES, splits, range(4))
    assert_learned(model, proba, weight[rows])


def test_weights_reach_a_pipeline_through_routing():
    weight = np.random.default_rng(8).random(len(CODES)) + 0.01
    splits = list(KFold(4).split(X))
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            GaussianNB().set_fit_request(sample_weight=True),
        )
        model = OrdinalDecisionClassifier(pipeline, cv=splits)
        model.fit(X, CODES, sample_weight=weight)
    parts = []
    for train, test in splits:
        fitted = make_pipeline(StandardScaler(), GaussianNB())
        fitted.fit(X[train], CODES[train], gaussiannb__sample_weight=weight[train])
        parts.append(fitted.predict_proba(X[test]))
    assert_learned(model, np.vstack(parts), weight)


def test_groups_reach_the_splitter_through_routing():
    groups = np.arange(len(CODES)) // 7
    splits = list(GroupKFold(3).split(X, CODES, groups))
    expected = OrdinalDecisionClassifier(GaussianNB(), cv=splits).fit(X, CODES)
    with config_context(enable_metadata_routing=True):
        model = OrdinalDecisionClassifier(GaussianNB(), cv=GroupKFold(3))
        model.fit(X, CODES, groups=groups)
        nested = cross_validate(
            OrdinalDecisionClassifier(GaussianNB(), cv=GroupKFold(3)),
            X,
            CODES,
            cv=GroupKFold(3),
            params={"groups": groups},
            error_score="raise",
        )
    assert_array_equal(model.cost_matrix_, expected.cost_matrix_)
    assert np.isfinite(nested["test_score"]).all()


def test_arguments_of_fit_are_sliced_without_routing():
    class Recorder(Counted):
        def fit(self, X, y, rows=None):
            assert_array_equal(rows, np.asarray(X)[:, 1])
            return super().fit(X, y)

    numbered = np.column_stack([X[:, 0], np.arange(len(X))])
    OrdinalDecisionClassifier(Recorder()).fit(numbered, CODES, rows=np.arange(len(X)))


def test_folds_without_weight_teach_nothing():
    splits = list(KFold(3).split(X))
    weight = np.ones(len(CODES))
    weight[splits[0][1]] = 0
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    with_zero = OrdinalDecisionClassifier(tree, cv=splits).fit(X, CODES, sample_weight=weight)
    without = OrdinalDecisionClassifier(tree, cv=splits[1:]).fit(X, CODES, sample_weight=weight)
    assert_allclose(with_zero.cost_matrix_, without.cost_matrix_, rtol=1e-12)
    model = OrdinalDecisionClassifier(tree, cv=splits[:1])
    with pytest.raises(ValueError, match="sample_weight is zero for every row that cv holds out"):
        model.fit(X, CODES, sample_weight=weight)


# --- in pipelines and searches


def test_a_search_over_the_decision_and_the_estimator():
    grid = {"decision": ["argmax", "median", "mean", "kappa"], "estimator__C": [1e-3, 1.0]}
    search = GridSearchCV(
        OrdinalDecisionClassifier(LogisticRegression(), labels=LABELS),
        grid,
        scoring=get_scorer("quadratic_weighted_kappa", labels=LABELS),
        cv=KFold(3),
        error_score="raise",
    ).fit(X, NAMES[CODES])
    assert len(search.cv_results_["params"]) == 8
    means = dict(
        zip(
            [tuple(p.values()) for p in search.cv_results_["params"]],
            search.cv_results_["mean_test_score"],
            strict=True,
        )
    )
    assert means["kappa", 1.0] > means["argmax", 1e-3]
    assert search.best_score_ == max(means.values())
    assert set(search.predict(X)) <= set(LABELS)


def test_a_search_over_decisions_of_which_one_reads_the_costs():
    """The cost matrix stays where it is, and only the decision by cost is moved by it."""
    model = OrdinalDecisionClassifier(LogisticRegression(), cost_matrix=COST)
    search = GridSearchCV(
        model,
        {"decision": DECISIONS},
        scoring=get_scorer("neg_ordinal_cost", cost_matrix=COST, labels=range(4)),
        cv=KFold(3),
        error_score="raise",
    ).fit(X, CODES)
    assert search.best_params_ == {"decision": "cost"}
    for decision in DECISIONS:
        found = clone(model).set_params(decision=decision).fit(X, CODES)
        alone = decider(LogisticRegression(), decision).fit(X, CODES)
        assert_array_equal(found.cost_matrix_, alone.cost_matrix_)


def test_in_a_pipeline():
    pipeline = make_pipeline(
        StandardScaler(), OrdinalDecisionClassifier(LogisticRegression(), labels=LABELS)
    )
    around = OrdinalDecisionClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), labels=LABELS
    )
    scoring = get_scorer(
        ["quadratic_weighted_kappa", "neg_ranked_probability_score"], labels=LABELS
    )
    for model in (pipeline, around):
        results = cross_validate(model, X, NAMES[CODES], scoring=scoring, error_score="raise")
        assert results["test_quadratic_weighted_kappa"].mean() > 0.4
        assert results["test_neg_ranked_probability_score"].mean() > -0.2


def test_decisions_win_their_metric_on_new_rows():
    X_many, codes_many = _data(3000, seed=9)
    model = OrdinalDecisionClassifier(LogisticRegression())
    scorers = {
        "kappa": get_scorer("quadratic_weighted_kappa", labels=range(4)),
        "median": get_scorer("neg_mean_absolute_class_error", labels=range(4)),
        "mean": get_scorer("neg_mean_squared_class_error", labels=range(4)),
    }
    for own, scoring in scorers.items():
        values = {
            decision: cross_val_score(
                clone(model).set_params(decision=decision), X_many, codes_many, scoring=scoring
            ).mean()
            for decision in ("argmax", "median", "mean", "kappa")
        }
        assert max(values, key=values.get) == own, values


def test_it_is_a_classifier_with_the_tags_of_its_estimator():
    tags = get_tags(OrdinalDecisionClassifier(LogisticRegression()))
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags.multi_class
    assert tags.input_tags.sparse
    assert not get_tags(OrdinalDecisionClassifier(GaussianNB())).input_tags.sparse


def test_score_is_accuracy():
    model = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES)
    assert model.score(X, CODES) == (model.predict(X) == CODES).mean()


# --- manners


def test_probabilities_come_in_the_order_of_the_classes():
    model = OrdinalDecisionClassifier(LogisticRegression(), labels=LABELS).fit(X, NAMES[CODES])
    expected = LogisticRegression().fit(X, NAMES[CODES]).predict_proba(X)
    assert_array_equal(model.predict_proba(X), expected)
    assert not hasattr(model, "decision_function")


def test_clone_parameters_and_pickle():
    model = decider(LogisticRegression(C=2), "cost", labels=LABELS, cv=3)
    copy = clone(model)
    assert copy.get_params()["estimator__C"] == 2
    assert copy.estimator is not model.estimator
    assert not hasattr(copy, "cost_matrix_")
    copy.set_params(estimator__C=50, decision="median", cost_matrix=None)
    assert (copy.estimator.C, model.estimator.C, model.decision) == (50, 2, "cost")
    for decision in DECISIONS:
        fitted = decider(GaussianNB(), decision, labels=LABELS).fit(X, NAMES[CODES])
        revived = pickle.loads(pickle.dumps(fitted))
        assert_array_equal(revived.predict(X), fitted.predict(X))
    assert "OrdinalDecisionClassifier(estimator=GaussianNB())" in repr(
        OrdinalDecisionClassifier(GaussianNB())
    )


def test_parallel_folds_give_the_same_result():
    one = OrdinalDecisionClassifier(GaussianNB(), labels=LABELS).fit(X, NAMES[CODES])
    two = OrdinalDecisionClassifier(GaussianNB(), labels=LABELS, n_jobs=2).fit(X, NAMES[CODES])
    assert_array_equal(one.cost_matrix_, two.cost_matrix_)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_verbose_prints_a_line_a_fold_and_silence_is_the_default(n_jobs, capsys):
    OrdinalDecisionClassifier(GaussianNB(), cv=3).fit(X, CODES)
    assert capsys.readouterr().out == ""
    OrdinalDecisionClassifier(GaussianNB(), cv=3, n_jobs=n_jobs, verbose=1).fit(X, CODES)
    lines = capsys.readouterr().out.splitlines()
    loops = ["folds fitted"]
    assert [line.split(" after ")[0] for line in lines] == [
        f"[OrdinalDecisionClassifier] {loop}: {number} of 3"
        for loop in loops
        for number in (1, 2, 3)
    ]


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_not_fitted(method):
    with pytest.raises(NotFittedError, match="OrdinalDecisionClassifier"):
        getattr(OrdinalDecisionClassifier(LogisticRegression()), method)(X)


@pytest.mark.parametrize("container", [csr_matrix, csr_array])
def test_sparse_rows(container):
    dense = OrdinalDecisionClassifier(LogisticRegression()).fit(X, CODES)
    sparse = OrdinalDecisionClassifier(LogisticRegression()).fit(container(X), CODES)
    assert_allclose(sparse.cost_matrix_, dense.cost_matrix_, rtol=1e-4, atol=1e-5)
    assert (sparse.predict(container(X)) == dense.predict(X)).mean() > 0.98


def test_frames_keep_their_names_until_the_next_fit():
    frame = pd.DataFrame(X, columns=["age", "dose", "noise"])
    model = OrdinalDecisionClassifier(GaussianNB()).fit(frame, CODES)
    assert_array_equal(model.feature_names_in_, frame.columns)
    expected = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES).predict(X)
    assert_array_equal(model.predict(frame), expected)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"age": "years"}))
    model.fit(X, CODES)
    assert not hasattr(model, "feature_names_in_")


def test_rows_as_lists():
    model = OrdinalDecisionClassifier(GaussianNB()).fit(X.tolist(), CODES.tolist())
    expected = OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES)
    assert_array_equal(model.predict(X.tolist()), expected.predict(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decision": "mode"}, "'decision' parameter"),
        ({"weights": "cubic"}, "'weights' parameter"),
        ({"weights": -1.0}, "'weights' parameter"),
        ({"weights": np.eye(4)}, "weights must be 0 on the diagonal"),
        ({"cv": "fitted"}, "'cv' parameter"),
        ({"decision": "cost"}, "cost_matrix is missing, but decision='cost'"),
        ({"decision": "cost", "cost_matrix": COST[:3, :3]}, r"cost_matrix has shape \(3, 3\)"),
        ({"labels": [0, 1, 2]}, r"y holds 3, which labels=\[0, 1, 2\]"),
        ({"estimator": RidgeClassifier()}, "'estimator' parameter"),
        ({"estimator": Ridge()}, "'estimator' parameter"),
        ({"estimator": None}, "'estimator' parameter"),
    ],
)
def test_bad_parameters_are_refused_in_fit(options, message):
    with pytest.raises(ValueError, match=message):
        OrdinalDecisionClassifier(**{"estimator": GaussianNB()} | options).fit(X, CODES)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(3), "sample_weight has 3 rows, the target has 150"),
        (-np.ones(150), "sample_weight must not be negative"),
        (np.zeros(150), "sample_weight is zero for every row"),
    ],
)
def test_bad_weights_are_refused(weight, message):
    with pytest.raises(ValueError, match=message):
        OrdinalDecisionClassifier(GaussianNB()).fit(X, CODES, sample_weight=weight)


def test_rows_of_x_and_y_must_match():
    with pytest.raises(ValueError, match="X has 149 rows, y has 150 rows"):
        OrdinalDecisionClassifier(GaussianNB()).fit(X[1:], CODES)
    with pytest.raises(ValueError, match="requires y to be passed"):
        OrdinalDecisionClassifier(GaussianNB()).fit(X, None)


def test_probabilities_that_are_none_are_refused():
    class Shifted(Counted):
        def predict_proba(self, X):
            return super().predict_proba(X) + 0.1

    with pytest.raises(ValueError, match=r"Shifted.predict_proba must sum to 1 in every row"):
        OrdinalDecisionClassifier(Shifted()).fit(X, CODES)


def test_folds_may_be_masks():
    X, y = make_ordinal(90, n_classes=3, random_state=0)
    numbers = list(StratifiedKFold(3).split(X, y))
    masks = [tuple(np.isin(np.arange(90), part) for part in split) for split in numbers]
    weight = np.linspace(1, 2, 90)
    models = [
        OrdinalDecisionClassifier(LogisticRegression(), cv=cv).fit(X, y, sample_weight=weight)
        for cv in (numbers, masks)
    ]
    assert_allclose(models[0].cost_matrix_, models[1].cost_matrix_)


def test_folds_must_be_there():
    X, y = make_ordinal(30, n_classes=3, random_state=0)
    with pytest.raises(ValueError, match=r"cv=\[\] holds no split; a generator serves only once"):
        OrdinalDecisionClassifier(LogisticRegression(), cv=[]).fit(X, y)
