"""Ready scorers: names, options, routing, and life inside cross-validation and searches."""

import pickle

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from registry import LABEL_METRICS
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, cohen_kappa_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal_censored.datasets import make_ordinal
from sklearn_ordinal_censored.metrics import (
    disagreement_matrix,
    get_scorer,
    get_scorer_names,
    mean_absolute_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.metrics._scorers import REGISTRY

REQUIRED = {"neg_ordinal_cost": {"cost_matrix": disagreement_matrix(4)}}
PAIR = ["quadratic_weighted_kappa", "neg_mean_absolute_class_error"]
NO_GRADES = r"y_pred holds .* no grades .*OrdinalThresholdOptimizer"


class Counting(ClassifierMixin, BaseEstimator):
    """Predicts its only feature, and counts how often it is asked."""

    def __init__(self):
        self.n_predictions = 0

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        self.n_predictions += 1
        return np.asarray(X)[:, 0]


@pytest.fixture(scope="module")
def data():
    return make_ordinal(120, n_classes=4, noise=0.5, random_state=0)


def any_scorer(name, **options):
    return get_scorer(name, **{**REQUIRED.get(name, {}), **options})


def test_names_are_sorted_and_negated_exactly_where_lower_is_better():
    assert get_scorer_names() == sorted(REGISTRY)
    for name, row in REGISTRY.items():
        assert name == row.name
        assert name.removeprefix("neg_") == row.metric.__name__
        assert name.startswith("neg_") is not row.greater_is_better


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_a_scorer_is_the_metric_with_its_sign(name, data):
    X, y = data
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    row = REGISTRY[name]
    value = row.metric(y, model.predict(X), **REQUIRED.get(name, {}))
    score = any_scorer(name)(model, X, y)
    assert score == (value if row.greater_is_better else -value)
    assert type(score) is float
    weight = np.arange(len(y))
    weighted = row.metric(y, model.predict(X), sample_weight=weight, **REQUIRED.get(name, {}))
    score = any_scorer(name)(model, X, y, sample_weight=weight)
    assert score == (weighted if row.greater_is_better else -weighted)
    assert weighted != value


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_truth_scores_above_its_reversal(name):
    y = np.array([0, 1, 2, 3, 1])
    scorer, model = any_scorer(name), Counting().fit([[0]], [0])
    assert scorer(model, y[:, np.newaxis], y) > scorer(model, 3 - y[:, np.newaxis], y)


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_a_scorer_survives_pickling_and_cloning(name, data):
    X, y = data
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    scorer = any_scorer(name, labels=[0, 1, 2, 3])
    expected = scorer(model, X, y)
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == expected
    search = GridSearchCV(model, {"max_depth": [1]}, scoring=scorer)
    assert clone(search).scoring(model, X, y) == expected


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_the_repr_names_metric_and_options(name):
    text = repr(any_scorer(name, labels=["low", "mid", "high", "top"]))
    assert REGISTRY[name].metric.__name__ in text
    assert "labels=['low', 'mid', 'high', 'top']" in text
    assert " at 0x" not in text


@pytest.mark.parametrize("name", LABEL_METRICS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": [0, 1]}, r"takes no \['label'\]; it takes \[.*'labels'"),
        ({"sample_weight": [1]}, r"takes no \['sample_weight'\].*set_score_request"),
        ({"y_true": [1]}, r"takes no \['y_true'\]"),
        ({"labels": {"low", "high"}}, r"labels=.*has no order"),
        ({"labels": [1, 2, 1]}, r"labels holds 1 more than once"),
    ],
)
def test_options_that_the_metric_lacks_are_refused_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message):
        any_scorer(name, **options)


@pytest.mark.parametrize("name", ["neg_mean_absolute_class_error", "cumulative_scores"])
def test_a_scorer_has_one_value(name):
    with pytest.raises(ValueError, match=r"average=None .* choose an average"):
        get_scorer(name, average=None)
    with pytest.raises(ValueError, match="average=None"):
        get_scorer([name, "ordinal_accuracy"], average=None)


def test_a_missing_option_is_told():
    with pytest.raises(
        ValueError, match=r"get_scorer\('neg_ordinal_cost'\) needs \['cost_matrix'\]; pass cost"
    ):
        get_scorer("neg_ordinal_cost")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("weighted_kappa", {"weights": "cubic"}, r"weights='cubic' is not known"),
        ("weighted_kappa", {"weights": 0}, r"weights=0 must be .* above 0"),
        ("weighted_kappa", {"weights": [0, 1]}, r"weights must have 2 dimension"),
        ("weighted_kappa", {"weights": np.eye(2), "labels": [0, 1]}, r"weights must be 0 on the"),
        ("weighted_kappa", {"weights": np.eye(2), "labels": [0, 1, 2]}, r"weights has shape"),
        ("soft_weighted_kappa", {"weights": [["a"]]}, r"weights must hold plain real numbers"),
        ("neg_ordinal_cost", {"cost_matrix": [1, 2]}, r"cost_matrix must have 2 dimension"),
        ("neg_ordinal_cost", {"cost_matrix": np.eye(2), "labels": "abc"}, r"labels='abc' has no"),
        ("neg_ordinal_cost", {"cost_matrix": np.eye(2), "labels": [1, 2, 3]}, r"has shape \(2, 2"),
        ("neg_cost_weighted_log_loss", {"alpha": -1}, r"alpha=-1 must be .* at least 0"),
        ("neg_ranked_probability_score", {"normalize": 1}, r"normalize=1 must be True or False"),
        ("ordinal_accuracy", {"tolerance": "1"}, r"tolerance='1' must be a finite number"),
        ("concordance_index", {"strict_times": None}, r"strict_times=None must be True or False"),
    ],
)
def test_values_of_options_are_checked_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message):
        get_scorer(name, **options)
    with pytest.raises(ValueError, match=message):
        get_scorer([name, "linear_weighted_kappa"], **options)


@pytest.mark.parametrize("weights", ["linear", None, 1.5, [[0, 2], [1, 0]]])
def test_good_weights_pass_with_and_without_labels(weights):
    expected = weighted_kappa([0, 1, 1], [0, 1, 0], weights=weights)
    for labels in (None, [0, 1]):
        scorer = get_scorer("weighted_kappa", weights=weights, labels=labels)
        assert scorer(Counting().fit(None, [0, 1]), [[0], [1], [0]], [0, 1, 1]) == expected


@pytest.mark.parametrize("name", ["kappa", "mean_absolute_class_error", "", None, 3, {"kappa"}])
def test_an_unknown_name_lists_the_names(name):
    with pytest.raises(ValueError, match=r"No scorer is named .*'quadratic_weighted_kappa'"):
        get_scorer(name)
    with pytest.raises(ValueError, match=r"No scorer is named .*'quadratic_weighted_kappa'"):
        get_scorer(["ordinal_accuracy", name])


@pytest.mark.parametrize("names", [[], PAIR[:1] * 2])
def test_a_list_must_hold_different_names(names):
    with pytest.raises(ValueError, match=r"name=\[.* must be one name, or a list of different"):
        get_scorer(names)


def test_several_metrics_read_one_prediction():
    y = np.array([0, 1, 2, 3, 1])
    model = Counting().fit(y[:, np.newaxis], y)
    scorer = get_scorer([*PAIR, "ordinal_accuracy"], labels=range(5), tolerance=1)
    scores = scorer(model, np.array([[1], [1], [2], [1], [1]]), y)
    assert model.n_predictions == 1
    assert scores == {
        "quadratic_weighted_kappa": quadratic_weighted_kappa(y, [1, 1, 2, 1, 1], labels=range(5)),
        "neg_mean_absolute_class_error": -0.6,
        "ordinal_accuracy": 0.8,  # the tolerance goes to the metric that has one
    }


def test_several_metrics_survive_pickling(data):
    X, y = data
    model = DummyClassifier().fit(X, y)
    scorer = get_scorer(PAIR)
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)
    assert all(name in repr(scorer) for name in PAIR)


def test_metrics_are_accepted_by_make_scorer(data):
    X, y = data
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    plain = make_scorer(mean_absolute_class_error, greater_is_better=False, average="macro")
    ready = get_scorer("neg_mean_absolute_class_error", average="macro")
    assert plain(model, X, y) == ready(model, X, y)


def test_cross_validation_with_one_scorer(data):
    X, y = data
    cv = KFold(4, shuffle=True, random_state=1)
    scores = cross_val_score(
        LogisticRegression(), X, y, cv=cv, scoring=get_scorer(PAIR[0], labels=range(4))
    )
    expected = [
        cohen_kappa_score(
            y[test],
            LogisticRegression().fit(X[train], y[train]).predict(X[test]),
            labels=range(4),
            weights="quadratic",
        )
        for train, test in cv.split(X)
    ]
    assert_allclose(scores, expected, rtol=1e-12)


@pytest.mark.parametrize("as_dict", [False, True])
def test_cross_validation_with_several_scorers(data, as_dict):
    X, y = data
    scoring = {name: get_scorer(name) for name in PAIR} if as_dict else get_scorer(PAIR)
    results = cross_validate(
        LogisticRegression(), X, y, cv=3, scoring=scoring, return_train_score=True
    )
    for name in PAIR:
        alone = cross_val_score(LogisticRegression(), X, y, cv=3, scoring=get_scorer(name))
        assert_array_equal(results[f"test_{name}"], alone)
        assert f"train_{name}" in results


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_finds_the_best_by_one_scorer(data, n_jobs):
    X, y = data
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 4]},
        scoring=get_scorer("neg_mean_absolute_class_error", average="macro"),
        n_jobs=n_jobs,
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_ == {"max_depth": 4}
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) < 0
    assert search.score(X, y) == search.scorer_(search.best_estimator_, X, y)


@pytest.mark.parametrize("as_dict", [False, True])
@pytest.mark.parametrize("refit", PAIR)
def test_a_search_with_several_scorers_refits_by_one(data, as_dict, refit):
    X, y = data
    scoring = {name: get_scorer(name) for name in PAIR} if as_dict else get_scorer(PAIR)
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2, 4]},
        scoring=scoring,
        refit=refit,
        n_jobs=2 if as_dict else None,
        error_score="raise",
    ).fit(X, y)
    means = search.cv_results_[f"mean_test_{refit}"]
    assert search.best_index_ == np.argmax(means)
    assert {f"mean_test_{name}" for name in PAIR} <= set(search.cv_results_)


@pytest.mark.parametrize("name", [*LABEL_METRICS, PAIR], ids=str)
def test_a_bare_regressor_is_told_about_the_optimizer(name, data):
    X, y = data
    scorer = get_scorer(name) if isinstance(name, list) else any_scorer(name)
    with pytest.raises(ValueError, match=NO_GRADES):
        cross_validate(Ridge(), X, y, scoring=scorer, error_score="raise")
    search = GridSearchCV(Ridge(), {"alpha": [1]}, scoring=scorer, refit=False, error_score="raise")
    with pytest.raises(ValueError, match=NO_GRADES):
        search.fit(X, y)


def test_text_grades_with_labels(data):
    X, y = data
    names = np.array(["poor", "fair", "good", "best"])
    scores, ranks = (
        cross_val_score(
            LogisticRegression(),
            X,
            target,
            scoring=get_scorer("quadratic_weighted_kappa", labels=labels),
            cv=KFold(3),
        )
        for target, labels in ((names[y], names), (y, range(4)))
    )
    assert_array_equal(scores, ranks)


def weighted_folds(scoring, data):
    X, y = data
    weight = np.arange(len(y)) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        return cross_validate(
            model, X, y, cv=KFold(3), scoring=scoring, params={"sample_weight": weight}
        )


def expected_folds(metric, data, weigh=True):
    X, y = data
    weight = np.arange(len(y)) % 3
    return [
        metric(
            y[test],
            LogisticRegression().fit(X[train], y[train]).predict(X[test]),
            sample_weight=weight[test] if weigh else None,
        )
        for train, test in KFold(3).split(X)
    ]


def test_weights_are_routed_to_a_scorer_that_asks(data):
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer("ordinal_accuracy").set_score_request(sample_weight=True)
    scores = weighted_folds(scorer, data)["test_score"]
    assert_allclose(scores, expected_folds(accuracy_score, data))
    assert not np.allclose(scores, expected_folds(accuracy_score, data, weigh=False))


def test_weights_are_routed_to_each_of_several_scorers(data):
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = {
            name: get_scorer(name).set_score_request(sample_weight=weigh)
            for name, weigh in (("ordinal_accuracy", True), (PAIR[0], False))
        }
    results = weighted_folds(scoring, data)
    assert_allclose(results["test_ordinal_accuracy"], expected_folds(ordinal_accuracy, data))
    kappa = expected_folds(quadratic_weighted_kappa, data, weigh=False)
    assert_allclose(results[f"test_{PAIR[0]}"], kappa)


def test_weights_reach_a_search_that_routes_them(data):
    X, y = data
    weight = np.arange(len(y)) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer("ordinal_accuracy").set_score_request(sample_weight=True)
        search = GridSearchCV(
            LogisticRegression().set_fit_request(sample_weight=False),
            {"C": [1.0]},
            scoring=scorer,
            cv=KFold(3),
        ).fit(X, y, sample_weight=weight)
    assert search.best_score_ == pytest.approx(np.mean(expected_folds(accuracy_score, data)))


def test_weights_that_nobody_asked_for_are_refused(data):
    with pytest.raises((TypeError, ValueError), match="sample_weight"):
        weighted_folds(get_scorer("ordinal_accuracy"), data)


def test_weights_go_to_all_of_a_list_when_the_scorer_is_called(data):
    X, y = data
    model, weight = LogisticRegression().fit(X, y), np.arange(len(y)) % 3
    scores = get_scorer(PAIR)(model, X, y, sample_weight=weight)
    assert scores == {name: get_scorer(name)(model, X, y, sample_weight=weight) for name in PAIR}


def test_a_name_without_its_sign_is_hinted_at():
    with pytest.raises(ValueError, match=r"Did you mean 'neg_ordinal_cost'\?"):
        get_scorer("ordinal_cost")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("qwk", "quadratic_weighted_kappa"),
        ("ibs", "neg_integrated_brier_score"),
        ("concordance_indx", "concordance_index"),
    ],
)
def test_initials_and_slips_are_hinted_at(name, meant):
    with pytest.raises(ValueError, match=rf"Did you mean '{meant}'\?"):
        get_scorer(name)


def test_names_unlike_any_other_have_no_hint():
    with pytest.raises(ValueError, match=r"'weighted_kappa'\]\.$"):
        get_scorer("zzz")


def test_metadata_that_no_scorer_of_a_group_reads():
    group = get_scorer(["ordinal_accuracy", "quadratic_weighted_kappa"])
    with (
        sklearn.config_context(enable_metadata_routing=True),
        pytest.raises(ValueError, match=r"No scorer of .* reads \['strata'\]"),
    ):
        group.set_score_request(strata=True)
