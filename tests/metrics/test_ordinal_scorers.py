"""Scorers of probabilities and scores: columns in the order of the scale, one prediction."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from registry import PROBABILITY_METRICS, SCORE_METRICS
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.datasets import make_ordinal
from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    cumulative_auc,
    get_scorer,
    ordinal_concordance_index,
    quadratic_weighted_kappa,
    ranked_probability_score,
)
from sklearn_ordinal_censored.metrics._scorers import REGISTRY
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer

SCORERS = PROBABILITY_METRICS | SCORE_METRICS
OF_PROBABILITIES = [*PROBABILITY_METRICS, "cumulative_auc"]
OF_SCORES = list(SCORE_METRICS)
RPS = "neg_ranked_probability_score"
MIXED = [*SCORERS, "quadratic_weighted_kappa", "neg_mean_absolute_class_error"]
NAMES = np.array(["poor", "fair", "good", "best"])  # in the alphabet: best, fair, good, poor
LABELS = NAMES.tolist()


class Known(ClassifierMixin, BaseEstimator):
    """Answers with its rows as they are, and notes what any of its clones is asked."""

    asked: ClassVar[list[str]] = []

    def __init__(self, classes=None):
        self.classes = classes

    def fit(self, X, y):
        self.classes_ = np.unique(y) if self.classes is None else np.array(self.classes)
        return self

    def predict(self, X):
        self.asked.append("predict")
        return self.classes_[np.asarray(X).argmax(axis=1)]

    def predict_proba(self, X):
        self.asked.append("predict_proba")
        return np.asarray(X)


class Flat(Known):
    """Gives one column for two classes."""

    def predict_proba(self, X):
        return np.asarray(X)[:, 0]


def known(classes, kind=Known):
    return kind(classes).fit(None, classes)


@pytest.fixture(scope="module")
def data():
    return make_ordinal(150, n_classes=4, noise=1.0, random_state=0)


@pytest.fixture(scope="module")
def fitted(data):
    """A model of text grades, and its probabilities in the order of the scale."""
    X, y = data
    model = LogisticRegression().fit(X, NAMES[y])
    assert model.classes_.tolist() == sorted(LABELS)
    return model, model.predict_proba(X)[:, [3, 1, 2, 0]]


def response_to(row, proba):
    """What the metric of a row reads of a classifier with these probabilities."""
    return proba @ np.arange(proba.shape[1]) if row.response == "score" else proba


def signed(row, value):
    return value if row.greater_is_better else -value


# --- the order of the columns


def test_columns_in_the_order_of_the_alphabet_are_put_in_that_of_the_scale():
    proba = [[0.1, 0.7, 0.2], [0.2, 0.2, 0.6], [0.8, 0.0, 0.2]]
    model = known(["High", "Low", "Medium"])
    scorer = get_scorer(RPS, labels=["Low", "Medium", "High"], normalize=False)
    score = scorer(model, proba, ["Low", "Medium", "High"])
    assert score == pytest.approx(-0.22 / 3, abs=1e-15)


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_is_the_metric_with_its_sign(name, data, fitted):
    X, y = data
    row, (model, proba) = SCORERS[name], fitted
    response = response_to(row, proba)
    scorer = get_scorer(name, labels=LABELS)
    score = scorer(model, X, NAMES[y])
    assert score == pytest.approx(signed(row, row.metric(y, response)), rel=1e-9)
    assert type(score) is float
    weight = np.arange(len(y)) % 4
    weighted = signed(row, row.metric(y, response, sample_weight=weight))
    assert scorer(model, X, NAMES[y], sample_weight=weight) == pytest.approx(weighted, rel=1e-9)
    assert weighted != pytest.approx(score, rel=1e-6)


@pytest.mark.parametrize("name", SCORERS)
def test_text_ranks_and_ordered_categories_score_the_same(name, data, fitted):
    X, y = data
    expected = get_scorer(name, labels=LABELS)(fitted[0], X, NAMES[y])
    ranks = get_scorer(name)(LogisticRegression().fit(X, y), X, y)
    assert ranks == pytest.approx(expected, rel=1e-4)  # fitted to another order of classes
    for target in (
        pd.Series(pd.Categorical(NAMES[y], LABELS, ordered=True)),
        pd.Categorical(NAMES[y], LABELS, ordered=True),
    ):
        assert get_scorer(name)(fitted[0], X, target) == expected


@pytest.mark.parametrize("name", SCORERS)
def test_text_without_an_order_is_refused(name, data, fitted):
    with pytest.raises(ValueError, match="pass `labels` with the grades from lowest to highest"):
        get_scorer(name)(fitted[0], data[0], NAMES[data[1]])


@pytest.mark.parametrize("name", SCORERS)
def test_the_upper_of_two_grades_may_come_first_in_the_alphabet(name, data):
    X, y = data
    grades = np.where(y > 1, "high", "low")
    model = LogisticRegression().fit(X, grades)
    assert model.classes_.tolist() == ["high", "low"]
    row, proba = SCORERS[name], model.predict_proba(X)[:, ::-1]
    score = get_scorer(name, labels=["low", "high"])(model, X, grades)
    expected = signed(row, row.metric(y > 1, response_to(row, proba)))
    assert score == pytest.approx(expected, rel=1e-9)
    turned = get_scorer(name, labels=["high", "low"])(model, X, grades)
    assert turned == pytest.approx(score, rel=1e-9)


@pytest.mark.parametrize("name", ["cumulative_auc", "ordinal_concordance_index"])
def test_two_grades_have_the_area_under_the_curve(name, data):
    X, y = data
    grades = np.where(y > 1, "high", "low")
    model = LogisticRegression().fit(X, grades)
    expected = roc_auc_score(y > 1, model.predict_proba(X)[:, 0])
    score = get_scorer(name, labels=["low", "high"])(model, X, grades)
    assert score == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", OF_PROBABILITIES)
def test_one_column_is_the_second_class_of_the_model(name):
    """`classes_` is high, low, so the column is the probability of low."""
    y, low = ["low", "high", "low", "high"], np.array([[0.9], [0.3], [0.4], [0.6]])
    both = np.hstack([1 - low, low])
    options = {"labels": ["low", "high"]}
    expected = get_scorer(name, **options)(known(["high", "low"]), both, y)
    assert get_scorer(name, **options)(known(["high", "low"], Flat), low, y) == expected


@pytest.mark.parametrize("name", SCORERS)
def test_a_grade_that_the_model_has_not_seen_has_probability_zero(name):
    proba = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7]])
    whole = np.insert(proba, 2, 0.0, axis=1)
    row, y = SCORERS[name], [0, 1, 3]
    expected = signed(row, row.metric(y, response_to(row, whole), labels=range(5)[:4]))
    score = get_scorer(name, labels=range(4))(known([0, 1, 3]), proba, y)
    assert score == pytest.approx(expected, rel=1e-12)
    # Without labels the classes of the model fill the scale, as the true grades do.
    assert get_scorer(name)(known([0, 1, 3]), proba, y) == score


def test_a_fold_without_a_grade_in_training_or_in_test(data):
    X, y = data
    rare = np.flatnonzero(y == 3)
    keep = np.r_[np.flatnonzero(y < 3)[:60], rare[:2]]
    X, y = X[keep], NAMES[y[keep]]
    splits = [(np.arange(60), np.arange(40, 62)), (np.arange(20, 62), np.arange(20))]
    scores = cross_val_score(
        LogisticRegression(), X, y, cv=splits, scoring=get_scorer(RPS, labels=LABELS)
    )
    for score, (train, test) in zip(scores, splits, strict=True):
        model = LogisticRegression().fit(X[train], y[train])
        frame = pd.DataFrame(model.predict_proba(X[test]), columns=model.classes_)
        proba = frame.reindex(columns=LABELS, fill_value=0.0)
        expected = ranked_probability_score(y[test], proba, labels=LABELS)
        assert score == pytest.approx(-expected, rel=1e-12)
    lost = get_scorer("neg_cost_weighted_log_loss", labels=LABELS)
    assert cross_val_score(LogisticRegression(), X, y, cv=splits, scoring=lost)[0] == -np.inf


@pytest.mark.filterwarnings("ignore:cumulative_auc is undefined")
@pytest.mark.parametrize("name", SCORERS)
def test_without_labels_the_scale_is_that_of_the_model_and_the_truth(name):
    proba, y = np.full((3, 4), 0.25), [0, 1, 0]
    row = SCORERS[name]
    expected = row.metric(y, response_to(row, proba), labels=range(4))
    assert get_scorer(name)(known(range(4)), proba, y) == signed(row, expected)


# --- what else a model may say


@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize("encoding", ["cumulative_probs", "cumulative_logits", "class_logits"])
def test_other_encodings_score_like_the_probabilities(name, encoding):
    rng = np.random.default_rng(0)
    proba, y = rng.dirichlet(np.ones(4), 40), NAMES[rng.integers(0, 4, 40)]
    above = proba[:, ::-1].cumsum(axis=1)[:, 2::-1]
    in_alphabet = proba[:, [3, 1, 2, 0]]
    outputs = {
        "cumulative_probs": above,
        "cumulative_logits": logit(above),
        "class_logits": np.log(in_alphabet) + rng.normal(size=(40, 1)),
    }
    model = known(sorted(LABELS))
    expected = get_scorer(name, labels=LABELS)(model, in_alphabet, y)
    scorer = get_scorer(name, labels=LABELS, encoding=encoding)
    assert scorer(model, outputs[encoding], y) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("encoding", ["cumulative_probs", "cumulative_logits"])
def test_cumulative_columns_must_be_one_a_cut_point(encoding):
    scorer = get_scorer(RPS, labels=LABELS, encoding=encoding)
    with pytest.raises(ValueError, match=r"Known.predict_proba has 4 columns, .* the 3 cut points"):
        scorer(known(sorted(LABELS)), [[0.9, 0.5, 0.2, 0.1]], ["good"])


def test_cumulative_columns_must_not_increase():
    scorer = get_scorer(RPS, labels=range(3), encoding="cumulative_probs")
    message = "Known.predict_proba must not increase along a row.* rows of the model non-increasing"
    with pytest.raises(ValueError, match=message) as error:
        scorer(known(range(3)), [[0.2, 0.6]], [1])
    assert "repair" not in str(error.value)  # which is an option of ordinal_decode alone


def test_columns_must_be_those_of_the_classes():
    with pytest.raises(ValueError, match=r"predict_proba has 2 columns, but classes_ are 0, 1, 2"):
        get_scorer(RPS)(known(range(3)), [[0.5, 0.5]], [1])
    with pytest.raises(ValueError, match=r"Known.predict_proba must sum to 1 in every row"):
        get_scorer(RPS)(known(range(3)), [[0.5, 0.5, 0.5]], [1])
    with pytest.raises(ValueError, match=r"estimator.classes_ holds 3, which labels=\[0, 1, 2\]"):
        get_scorer(RPS, labels=range(3))(known(range(4)), [[0.25] * 4], [1])


@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize("encoding", ["labels", "probabilities", None, ["class_probs"]])
def test_an_unknown_encoding_is_refused_when_the_scorer_is_made(name, encoding):
    with pytest.raises(ValueError, match=r"encoding=.* is not known; use one of 'class_probs'"):
        get_scorer(name, encoding=encoding)


def test_a_scorer_of_grades_has_no_encoding():
    with pytest.raises(ValueError, match=r"takes no \['encoding'\]"):
        get_scorer("quadratic_weighted_kappa", encoding="class_logits")


# --- scores


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_regressor_is_scored_by_its_prediction(name, data):
    X, y = data
    row, model = SCORERS[name], Ridge().fit(X, y)
    expected = row.metric(y, model.predict(X))
    assert get_scorer(name)(model, X, y) == expected
    column = LinearRegression().fit(X, y[:, np.newaxis])
    flat = LinearRegression().fit(X, y)
    assert get_scorer(name)(column, X, y) == get_scorer(name)(flat, X, y)
    text = get_scorer(name, labels=LABELS)(model, X, NAMES[y])
    assert text == expected


@pytest.mark.parametrize("name", PROBABILITY_METRICS)
@pytest.mark.parametrize("model", [Ridge(), RidgeClassifier(), OrdinalThresholdOptimizer(Ridge())])
def test_a_model_without_probabilities_is_told(name, model, data):
    kind = type(model).__name__
    message = f"{kind} has no predict_proba, and probabilities are needed: .*CalibratedClassifierCV"
    with pytest.raises(ValueError, match=message):
        get_scorer(name)(clone(model).fit(*data), *data)
    with pytest.raises(ValueError, match=message):
        cross_validate(model, *data, scoring=get_scorer(name), error_score="raise")


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_decision_function_points_to_the_upper_grade(name, data):
    X, y = data
    grades = np.where(y > 1, "high", "low")  # the positive class of scikit-learn is "low"
    model = RidgeClassifier().fit(X, grades)
    expected = roc_auc_score(y > 1, -model.decision_function(X))
    score = get_scorer(name, labels=["low", "high"])(model, X, grades)
    assert score == pytest.approx(expected, rel=1e-12)
    assert score > 0.7


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_decision_function_of_several_columns_is_no_score(name, data):
    X, y = data
    with pytest.raises(ValueError, match=r"gives 4 columns, no single score.*CalibratedClassifier"):
        get_scorer(name)(RidgeClassifier().fit(X, y), X, y)
    calibrated = CalibratedClassifierCV(RidgeClassifier(), cv=3).fit(X, y)
    assert get_scorer(name)(calibrated, X, y) > 0.7


@pytest.mark.parametrize("name", OF_SCORES)
def test_grades_alone_are_ranked_by_their_place(name, data):
    X, y = data
    model = make_pipeline(OrdinalThresholdOptimizer(Ridge(), labels=LABELS)).fit(X, NAMES[y])
    ranks = [LABELS.index(grade) for grade in model.predict(X)]
    expected = SCORERS[name].metric(y, ranks)
    assert get_scorer(name, labels=LABELS)(model, X, NAMES[y]) == expected


@pytest.mark.parametrize("n_neighbors", [5, 7, 10])
def test_ties_are_not_broken_by_rounding(n_neighbors):
    """Shares of neighbours are counted in whole numbers, which have the ties that are meant."""
    X, y = make_ordinal(300, n_classes=5, noise=2.0, random_state=0)
    model = KNeighborsClassifier(n_neighbors).fit(X[:150], y[:150])
    X, y = X[150:], y[150:]
    counts = np.rint(model.predict_proba(X) * n_neighbors).astype(int)
    rank = counts @ np.arange(5)
    expected = ordinal_concordance_index(y, rank)
    assert get_scorer("ordinal_concordance_index")(model, X, y) == expected
    above = counts[:, ::-1].cumsum(axis=1)[:, 3::-1]
    areas = [roc_auc_score(y > cut, column) for cut, column in enumerate(above.T)]
    proba = model.predict_proba(X)
    assert_allclose(cumulative_auc(y, proba, average=None), areas, rtol=1e-12)
    assert get_scorer("cumulative_auc")(model, X, y) == pytest.approx(np.mean(areas))


def test_the_order_of_very_small_probabilities_counts():
    """Two confident rows at either end are in order, though 1 - 1e-20 is 1 to the computer."""
    low, high = np.array([1e-20, 1e-18, 1e-3]), np.array([1e-3, 1e-18, 1e-20])
    proba = np.vstack([np.column_stack([1 - low, low]), np.column_stack([high, 1 - high])])
    assert cumulative_auc([0, 0, 0, 1, 1, 1], proba) == 1.0
    assert cumulative_auc([0, 1, 1, 1, 1, 1], proba) == 1.0
    assert cumulative_auc([0, 0, 0, 0, 0, 1], proba) == 1.0
    score = get_scorer("ordinal_concordance_index")
    assert score(known([0, 1]), proba, [0, 1, 1, 1, 1, 1]) == 1.0


# --- what scorers do


@pytest.mark.parametrize("name", SCORERS)
def test_truth_scores_above_its_reversal(name):
    y = np.array([0, 1, 2, 3, 1])
    proba = 0.9 * np.eye(4)[y] + 0.025
    scorer, model = get_scorer(name), known(range(4))
    assert scorer(model, proba, y) > scorer(model, proba[:, ::-1], y)


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_survives_pickling_and_cloning(name, data, fitted):
    X, y = data[0], NAMES[data[1]]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer(name, labels=LABELS).set_score_request(sample_weight=True)
    expected = scorer(fitted[0], X, y)
    search = GridSearchCV(LogisticRegression(), {"C": [1]}, scoring=scorer)
    for copy in (pickle.loads(pickle.dumps(scorer)), clone(scorer), clone(search).scoring):
        assert copy(fitted[0], X, y) == expected
        assert repr(copy) == repr(scorer)
        requests = copy.get_metadata_routing().score.requests
        assert requests["sample_weight"] is True


@pytest.mark.parametrize("name", SCORERS)
def test_the_repr_names_metric_and_options(name):
    text = repr(get_scorer(name, labels=LABELS, encoding="class_logits"))
    row = SCORERS[name]
    assert text.startswith(f"OrdinalScorer({row.metric.__name__}")
    assert ("greater_is_better=False" in text) is not row.greater_is_better
    assert f"labels={LABELS}" in text
    assert "encoding='class_logits'" in text
    assert (f"response={row.response!r}" in text) is (row.response != "probabilities")
    assert " at 0x" not in text


def test_the_options_of_a_scorer_are_its_own(data, fitted):
    labels = list(LABELS)
    scorer = get_scorer(RPS, labels=labels)
    expected = scorer(fitted[0], data[0], NAMES[data[1]])
    labels.reverse()
    assert scorer(fitted[0], data[0], NAMES[data[1]]) == expected
    assert scorer.options == {"labels": LABELS}


@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": [0, 1]}, r"takes no \['label'\]; it takes \[.*'encoding'.*'labels'"),
        ({"sample_weight": [1]}, r"takes no \['sample_weight'\].*set_score_request"),
        ({"y_true": [1]}, r"takes no \['y_true'\]"),
        ({"labels": {"low", "high"}}, r"labels=.*has no order"),
        ({"labels": [1, 2, 1]}, r"labels holds 1 more than once"),
    ],
)
def test_options_that_the_metric_lacks_are_refused_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message):
        get_scorer(name, **options)


@pytest.mark.parametrize("name", ["cumulative_auc", "neg_cumulative_brier"])
def test_a_scorer_has_one_value(name):
    with pytest.raises(ValueError, match=r"average=None .* choose an average"):
        get_scorer(name, average=None)


@pytest.mark.parametrize("name", SCORERS)
def test_metadata_that_the_metric_does_not_read_is_refused(name, data, fitted):
    with pytest.raises(TypeError, match="strata"):
        get_scorer(name, labels=LABELS)(fitted[0], *data, strata=data[1])


def test_several_metrics_read_one_prediction_of_each_kind():
    y = np.array([0, 1, 2, 3, 1])
    proba = 0.8 * np.eye(4)[[1, 1, 2, 3, 2]] + 0.05
    scorer = get_scorer(MIXED, labels=range(4), alpha=1.0)
    Known.asked.clear()
    scores = scorer(known(range(4)), proba, y)
    assert sorted(Known.asked) == ["predict", "predict_proba"]
    for name in MIXED:
        options = {"alpha": 1.0} if name == "neg_cost_weighted_log_loss" else {}
        alone = get_scorer(name, labels=range(4), **options)
        assert scores[name] == alone(known(range(4)), proba, y)


def test_several_metrics_ask_once_a_fold():
    y = np.tile(np.arange(4), 10)
    X = 0.8 * np.eye(4)[(y + (np.arange(40) % 3 == 0)) % 4] + 0.05
    Known.asked.clear()
    results = cross_validate(
        Known(), X, y, cv=KFold(4), scoring=get_scorer(MIXED, labels=range(4)), error_score="raise"
    )
    assert sorted(Known.asked) == ["predict"] * 4 + ["predict_proba"] * 4
    for name in MIXED:
        alone = get_scorer(name, labels=range(4))
        expected = cross_val_score(Known(), X, y, cv=KFold(4), scoring=alone)
        assert_array_equal(results[f"test_{name}"], expected)


def test_several_metrics_need_no_more_than_what_they_ask_for(data):
    scorer = get_scorer(["ordinal_concordance_index", "cumulative_auc"])
    scores = scorer(Ridge().fit(*data), *data)
    assert set(scores) == {"ordinal_concordance_index", "cumulative_auc"}
    with pytest.raises(ValueError, match="Ridge has no predict_proba"):
        get_scorer([RPS, "cumulative_auc"])(Ridge().fit(*data), *data)


@pytest.mark.parametrize("name", SCORERS)
def test_a_search_finds_the_best_by_one_scorer(name, data):
    X, y = data[0], NAMES[data[1]]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [1e-9, 1.0]},
        scoring=get_scorer(name, labels=LABELS),
        cv=KFold(3),
        n_jobs=2 if name == RPS else None,
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    # The search is a model itself, and so is its pipeline.
    score = search.score(X, y)
    assert score == search.scorer_(search, X, y) == search.scorer_(search.best_estimator_, X, y)


@pytest.mark.parametrize("refit", [RPS, "quadratic_weighted_kappa"])
def test_a_search_with_several_scorers_refits_by_one(refit, data):
    X, y = data[0], NAMES[data[1]]
    search = GridSearchCV(
        LogisticRegression(),
        {"C": [1e-9, 1.0]},
        scoring=get_scorer([RPS, "quadratic_weighted_kappa"], labels=LABELS),
        cv=KFold(3),
        refit=refit,
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_ == {"C": 1.0}
    assert {f"mean_test_{RPS}", "mean_test_quadratic_weighted_kappa"} <= set(search.cv_results_)


# --- weights


def weighted_folds(scoring, data):
    X, y = data
    weight = np.arange(len(y)) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        return cross_validate(
            model, X, y, cv=KFold(3), scoring=scoring, params={"sample_weight": weight}
        )


def expected_folds(metric, data, method, weigh=True):
    X, y = data
    weight = np.arange(len(y)) % 3
    return [
        metric(
            y[test],
            getattr(LogisticRegression().fit(X[train], y[train]), method)(X[test]),
            sample_weight=weight[test] if weigh else None,
            labels=range(4),
        )
        for train, test in KFold(3).split(X)
    ]


def test_weights_are_routed_to_a_scorer_that_asks(data):
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer(RPS, labels=range(4)).set_score_request(sample_weight=True)
    scores = weighted_folds(scorer, data)["test_score"]
    expected = expected_folds(ranked_probability_score, data, "predict_proba")
    assert_allclose(-scores, expected)
    unweighted = expected_folds(ranked_probability_score, data, "predict_proba", weigh=False)
    assert not np.allclose(expected, unweighted)


def test_weights_are_routed_to_every_metric_of_a_list(data):
    names = [RPS, "neg_cost_weighted_log_loss", "cumulative_auc", "quadratic_weighted_kappa"]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer(names, labels=range(4)).set_score_request(sample_weight=True)
    results = weighted_folds(scorer, data)
    for name, metric, method in [
        (RPS, ranked_probability_score, "predict_proba"),
        ("neg_cost_weighted_log_loss", cost_weighted_log_loss, "predict_proba"),
        ("cumulative_auc", cumulative_auc, "predict_proba"),
        ("quadratic_weighted_kappa", quadratic_weighted_kappa, "predict"),
    ]:
        expected = expected_folds(metric, data, method)
        assert_allclose(results[f"test_{name}"], [signed(REGISTRY[name], v) for v in expected])


def test_weights_that_nobody_asked_for_are_refused(data):
    with pytest.raises((TypeError, ValueError), match="sample_weight"):
        weighted_folds(get_scorer(RPS), data)


def test_only_weights_can_be_requested():
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer(RPS)
        assert set(scorer.get_metadata_routing().score.requests) == {"sample_weight"}
        with pytest.raises(TypeError, match="labels"):
            scorer.set_score_request(labels=True)


def test_rows_of_weight_zero_do_not_count(data, fitted):
    X, y = data[0], NAMES[data[1]]
    weight = np.arange(len(y)) % 2
    kept = weight > 0
    for name in SCORERS:
        scorer = get_scorer(name, labels=LABELS)
        weighted = scorer(fitted[0], X, y, sample_weight=weight)
        assert weighted == pytest.approx(scorer(fitted[0], X[kept], y[kept]), rel=1e-12)


def test_a_model_of_one_grade():
    model = DummyClassifier().fit([[0], [0]], ["low", "low"])
    score = get_scorer(RPS, labels=["low", "high"])(model, [[0], [0]], ["low", "high"])
    assert score == -0.5


def test_cut_scores_are_ranked_by_the_score_and_not_by_the_grade():
    X, y = make_ordinal(120, n_classes=3, noise=3, random_state=0)
    model = OrdinalThresholdOptimizer(Ridge()).fit(X, y)
    expected = ordinal_concordance_index(y, model.latent_score(X))
    assert get_scorer("ordinal_concordance_index")(model, X, y) == expected
    assert expected > ordinal_concordance_index(y, model.predict(X))
