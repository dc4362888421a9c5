"""`OrdinalThresholdOptimizer` around regressors, classifiers, pipelines and bare scores."""

import pickle

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ThreadingBackend
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, csr_matrix
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.exceptions import DataConversionWarning, NotFittedError, UndefinedMetricWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import accuracy_score, cohen_kappa_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer, optimal_thresholds

NAMES = np.array(["poor", "fair", "good", "excellent"])  # not the order of the alphabet
LABELS = NAMES.tolist()
OBJECTIVES = {  # name: (metric of codes on four grades, weighted), higher is better
    "quadratic_weighted_kappa": lambda t, p, w: cohen_kappa_score(
        t, p, labels=range(4), weights="quadratic", sample_weight=w
    ),
    "accuracy": lambda t, p, w: accuracy_score(t, p, sample_weight=w),
    "mean_absolute_class_error": lambda t, p, w: -np.average(np.abs(t - p), weights=w),
    "macro_mean_absolute_class_error": lambda t, p, w: (
        -np.mean(
            [
                np.average(np.abs(t - p)[t == k], weights=None if w is None else w[t == k])
                for k in np.unique(t)
            ]
        )
    ),
}
COST = np.array([[0, 1, 2, 9], [3, 0, 1, 4], [5, 2, 0, 1], [9, 5, 2, 0]])


def _data(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    latent = X @ [2, -1, 0] + rng.normal(size=n)
    return X, np.digitize(latent, np.quantile(latent, [0.3, 0.6, 0.85]))


X, CODES = _data()
FRAME = pd.DataFrame(X, columns=["age", "dose", "noise"])


class Latent(RegressorMixin, BaseEstimator):
    """A regressor without anything to learn: the first column is the score."""

    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


def _expected_rank(model, X, labels):
    """Mean rank under the model's probabilities, by loops."""
    rank = {label: k for k, label in enumerate(labels)}
    ranks = [rank[label] for label in model.classes_]
    return np.array(
        [sum(p * r for p, r in zip(row, ranks, strict=True)) for row in model.predict_proba(X)]
    )


def _cross_fit(scores, codes, splits, objective, strategy="smoothed", weight=None):
    """Grade every fold with cut points from other folds' scores of other rows, and pool."""
    folds = [np.asarray(test) for _, test in splits]
    graded = []
    for number, test in enumerate(folds):
        others = [k for k in range(len(folds)) if k != number]
        rows = np.concatenate([folds[k] for k in others])
        unseen = np.array([row not in set(test.tolist()) for row in rows])
        rows = rows[unseen]
        result = optimal_thresholds(
            codes[rows],
            np.concatenate([scores[k] for k in others])[unseen],
            objective=objective,
            strategy=strategy,
            labels=range(4),
            sample_weight=None if weight is None else weight[rows],
        )
        graded += zip(test, result.predict(scores[number]), strict=True)
    rows, predicted = np.array(graded).T
    return codes[rows], predicted, None if weight is None else weight[rows]


def _ridge_scores(X, codes, splits, weight=None):
    scores = []
    for train, test in splits:
        part = None if weight is None else weight[train]
        scores.append(Ridge().fit(X[train], codes[train], sample_weight=part).predict(X[test]))
    return scores


# --- what the estimator is, and what it is fitted to


def test_regressor_is_fitted_to_ranks_on_all_rows():
    model = OrdinalThresholdOptimizer(Ridge(), labels=LABELS).fit(X, NAMES[CODES])
    assert_allclose(model.estimator_.coef_, Ridge().fit(X, CODES).coef_)
    assert_allclose(model.latent_score(X), Ridge().fit(X, CODES).predict(X))


def test_given_estimator_is_left_unfitted():
    estimator = Ridge()
    OrdinalThresholdOptimizer(estimator).fit(X, CODES)
    assert not hasattr(estimator, "coef_")


def test_cut_points_are_those_of_the_out_of_fold_scores():
    splits = list(StratifiedKFold(5).split(X, CODES))
    score = np.empty(len(CODES))
    for (_, test), part in zip(splits, _ridge_scores(X, CODES, splits), strict=True):
        score[test] = part
    for cv in (None, 5, splits, StratifiedKFold(5)):
        for strategy in ("exact", "smoothed", "frequency", "rounding"):
            model = OrdinalThresholdOptimizer(Ridge(), cv=cv, strategy=strategy).fit(X, CODES)
            expected = optimal_thresholds(CODES, score, strategy=strategy).thresholds
            assert_allclose(model.thresholds_, expected, rtol=1e-12)


def test_predictions_are_the_scores_cut():
    model = OrdinalThresholdOptimizer(Ridge(), labels=LABELS).fit(X, NAMES[CODES])
    ranks = [sum(cut <= s for cut in model.thresholds_) for s in model.latent_score(X)]
    assert_array_equal(model.predict(X), NAMES[ranks])


def test_classifier_gives_its_expected_rank_in_ordinal_order():
    model = OrdinalThresholdOptimizer(LogisticRegression(), labels=LABELS).fit(X, NAMES[CODES])
    base = LogisticRegression().fit(X, NAMES[CODES])
    assert_array_equal(base.classes_, ["excellent", "fair", "good", "poor"])
    assert_allclose(model.latent_score(X), _expected_rank(base, X, LABELS), rtol=1e-9)
    assert cohen_kappa_score(NAMES[CODES], model.predict(X), labels=LABELS, weights="linear") > 0.6


def test_pipeline_passes_through():
    pipeline = make_pipeline(StandardScaler(), Ridge())
    model = OrdinalThresholdOptimizer(pipeline, labels=LABELS).fit(X, NAMES[CODES])
    assert_allclose(model.latent_score(X), clone(pipeline).fit(X, CODES).predict(X))
    classifier = make_pipeline(StandardScaler(), LogisticRegression())
    model = OrdinalThresholdOptimizer(classifier, labels=LABELS).fit(X, NAMES[CODES])
    expected = _expected_rank(clone(classifier).fit(X, NAMES[CODES]), X, LABELS)
    assert_allclose(model.latent_score(X), expected, rtol=1e-9)


def test_is_a_classifier_that_stratifies_and_forwards_tags():
    tags = get_tags(OrdinalThresholdOptimizer(Ridge()))
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags.multi_class
    assert tags.classifier_tags.poor_score
    assert tags.input_tags.sparse
    assert not get_tags(OrdinalThresholdOptimizer(LogisticRegression())).classifier_tags.poor_score
    assert not get_tags(OrdinalThresholdOptimizer(Latent())).input_tags.sparse
    assert not get_tags(OrdinalThresholdOptimizer()).input_tags.sparse


# --- fitted already


def test_frozen_estimator_is_not_fitted_again():
    frozen = FrozenEstimator(Ridge().fit(X, CODES))
    new_X, new_codes = _data(90, seed=1)
    splits = list(StratifiedKFold(5).split(new_X, new_codes))
    model = OrdinalThresholdOptimizer(frozen).fit(new_X, new_codes)
    score = frozen.predict(new_X)
    assert_array_equal(model.latent_score(new_X), score)
    expected = optimal_thresholds(new_codes, score, strategy="smoothed").thresholds
    assert_allclose(model.thresholds_, expected, rtol=1e-12)
    parts = _cross_fit(
        [score[test] for _, test in splits], new_codes, splits, "quadratic_weighted_kappa"
    )
    assert model.best_score_ == pytest.approx(OBJECTIVES["quadratic_weighted_kappa"](*parts))
    assert model.n_features_in_ == 3


def test_prefit_uses_all_rows_and_its_score_is_in_sample():
    estimator = Ridge().fit(X, CODES)
    new_X, new_codes = _data(90, seed=2)
    model = OrdinalThresholdOptimizer(estimator, cv="prefit").fit(new_X, new_codes)
    assert model.estimator_ is estimator
    result = optimal_thresholds(new_codes, estimator.predict(new_X), strategy="smoothed")
    assert_array_equal(model.thresholds_, result.thresholds)
    assert model.best_score_ == result.objective_value


def test_prefit_classifier_with_its_own_labels():
    estimator = LogisticRegression().fit(X, NAMES[CODES])
    model = OrdinalThresholdOptimizer(estimator, cv="prefit", labels=LABELS)
    model.fit(X, NAMES[CODES])
    assert_allclose(model.latent_score(X), _expected_rank(estimator, X, LABELS), rtol=1e-9)
    assert_array_equal(model.predict_proba(X), estimator.predict_proba(X))


def test_prefit_needs_a_fitted_estimator():
    with pytest.raises(NotFittedError, match="Ridge"):
        OrdinalThresholdOptimizer(Ridge(), cv="prefit").fit(X, CODES)


# --- one column of scores


@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, np.ndarray.tolist])
def test_without_estimator_the_column_is_the_score(container):
    score = (CODES + np.random.default_rng(3).normal(size=len(CODES)))[:, np.newaxis]
    column = container(score)
    if isinstance(column, pd.DataFrame):
        column.columns = ["score"]
    model = OrdinalThresholdOptimizer(strategy="exact").fit(column, CODES)
    result = optimal_thresholds(CODES, score[:, 0])
    assert model.estimator_ is None
    assert_array_equal(model.thresholds_, result.thresholds)
    assert_array_equal(model.latent_score(column), score[:, 0])
    assert_array_equal(model.predict(column), result.predict(score[:, 0]))
    assert model.n_features_in_ == 1
    splits = list(StratifiedKFold(5).split(score, CODES))
    parts = _cross_fit(
        [score[test, 0] for _, test in splits],
        CODES,
        splits,
        "quadratic_weighted_kappa",
        strategy="exact",
    )
    assert model.best_score_ == pytest.approx(OBJECTIVES["quadratic_weighted_kappa"](*parts))


def test_without_estimator_other_shapes_are_refused():
    with pytest.raises(ValueError, match="X has 3 columns, but estimator=None takes one column"):
        OrdinalThresholdOptimizer().fit(X, CODES)
    model = OrdinalThresholdOptimizer().fit(X[:, :1], CODES)
    with pytest.raises(ValueError, match="X has 3 features"):
        model.predict(X)
    with pytest.raises(ValueError, match="NaN"):
        model.predict([[np.nan]])


# --- what makes the score


def test_decision_function_is_turned_where_the_alphabet_reverses_the_grades():
    y = np.where(CODES > 1, "high", "low")  # scikit-learn's positive class is "low"
    options = {"labels": ["low", "high"], "response_method": "decision_function"}
    model = OrdinalThresholdOptimizer(LogisticRegression(), **options).fit(X, y)
    base = LogisticRegression().fit(X, y)
    assert_array_equal(base.classes_, ["high", "low"])
    assert_allclose(model.latent_score(X), -base.decision_function(X))
    assert (model.predict(X) == y).mean() > 0.8
    # RidgeClassifier has no probabilities, so "auto" takes its decision function.
    model = OrdinalThresholdOptimizer(RidgeClassifier(), labels=["low", "high"]).fit(X, y)
    assert_allclose(model.latent_score(X), -RidgeClassifier().fit(X, y).decision_function(X))
    in_order = OrdinalThresholdOptimizer(RidgeClassifier()).fit(X, y == "high")
    assert_allclose(in_order.latent_score(X), model.latent_score(X))


@pytest.mark.parametrize(
    "model",
    [
        OrdinalThresholdOptimizer(LogisticRegression(), response_method="decision_function"),
        OrdinalThresholdOptimizer(RidgeClassifier()),
    ],
)
def test_decision_function_of_several_columns_is_refused(model):
    with pytest.raises(ValueError, match="decision_function gives 4 columns, no single score"):
        model.fit(X, CODES)


def test_predicted_grades_as_score():
    model = OrdinalThresholdOptimizer(
        RidgeClassifier(), response_method="predict", labels=LABELS
    ).fit(X, NAMES[CODES])
    base = RidgeClassifier().fit(X, NAMES[CODES])
    assert_array_equal(NAMES[model.latent_score(X).astype(int)], base.predict(X))


@pytest.mark.parametrize(
    ("estimator", "method"), [(RidgeClassifier(), "predict_proba"), (Ridge(), "predict_proba")]
)
def test_missing_response_method_is_refused(estimator, method):
    message = f"response_method='{method}', but {type(estimator).__name__} has"
    with pytest.raises(ValueError, match=message):
        OrdinalThresholdOptimizer(estimator, response_method=method).fit(X, CODES)


def test_regressor_with_a_column_as_prediction():
    model = OrdinalThresholdOptimizer(LinearRegression()).fit(X, CODES)
    model.estimator_ = LinearRegression().fit(X, CODES[:, np.newaxis])  # predicts (n, 1)
    assert_allclose(model.latent_score(X), LinearRegression().fit(X, CODES).predict(X))


# --- grades: containers, dtypes, order, gaps


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float64, np.float32])
def test_numbers_come_back_in_their_dtype(dtype):
    y = (CODES + 1).astype(dtype)
    for estimator in (Ridge(), LogisticRegression()):
        model = OrdinalThresholdOptimizer(estimator).fit(X, y)
        assert model.predict(X).dtype == model.classes_.dtype == dtype
        assert_array_equal(model.ordered_classes_, [1, 2, 3, 4])
        assert set(model.predict(X)) <= {1, 2, 3, 4}


def test_bools_come_back_as_bools():
    model = OrdinalThresholdOptimizer(Ridge()).fit(X, CODES > 1)
    assert model.predict(X).dtype == bool
    assert_array_equal(model.classes_, [False, True])
    assert (model.predict(X) == (CODES > 1)).mean() > 0.8


@pytest.mark.parametrize("container", [np.asarray, list, pd.Series])
def test_text_with_labels(container):
    y = container(NAMES[CODES])
    model = OrdinalThresholdOptimizer(Ridge(), labels=LABELS).fit(X, y)
    reference = OrdinalThresholdOptimizer(Ridge()).fit(X, CODES)
    assert_array_equal(model.predict(X), NAMES[reference.predict(X)])
    assert_array_equal(model.thresholds_, reference.thresholds_)
    assert model.best_score_ == reference.best_score_
    assert_array_equal(model.ordered_classes_, LABELS)
    assert_array_equal(model.classes_, sorted(LABELS))


def test_text_without_labels_is_refused():
    with pytest.raises(ValueError, match="pass `labels`"):
        OrdinalThresholdOptimizer(Ridge()).fit(X, NAMES[CODES])


def test_ordered_categorical_brings_its_order():
    y = pd.Series(pd.Categorical(NAMES[CODES], categories=LABELS, ordered=True))
    for estimator in (Ridge(), LogisticRegression()):
        model = OrdinalThresholdOptimizer(estimator).fit(X, y)
        labelled = OrdinalThresholdOptimizer(estimator, labels=LABELS).fit(X, NAMES[CODES])
        assert type(model.predict(X)) is np.ndarray
        assert_array_equal(model.predict(X), labelled.predict(X))
        assert_array_equal(model.ordered_classes_, LABELS)
        assert_array_equal(model.classes_, sorted(LABELS))


def test_unused_category_keeps_its_place_but_is_never_predicted():
    categories = ["none", *LABELS]
    y = pd.Series(pd.Categorical(NAMES[CODES], categories=categories, ordered=True))
    model = OrdinalThresholdOptimizer(Ridge()).fit(X, y)
    assert_array_equal(model.ordered_classes_, categories)
    assert_array_equal(model.classes_, sorted(LABELS))
    assert model.thresholds_[0] == -np.inf
    assert np.isfinite(model.thresholds_[1:]).all()


@pytest.mark.parametrize("strategy", ["exact", "smoothed", "frequency", "rounding"])
@pytest.mark.parametrize("estimator", [Ridge(), LogisticRegression()])
def test_gap_grade_keeps_its_place_but_is_never_predicted(strategy, estimator):
    y = np.array([0, 1, 2, 4])[CODES]
    model = OrdinalThresholdOptimizer(estimator, strategy=strategy).fit(X, y)
    assert_array_equal(model.ordered_classes_, [0, 1, 2, 3, 4])
    assert_array_equal(model.classes_, [0, 1, 2, 4])
    assert model.thresholds_.shape == (4,)
    assert model.thresholds_[2] == model.thresholds_[3]
    grid = np.linspace(-10, 10, 1001)[:, np.newaxis] * [2, -1, 0]
    assert_array_equal(np.unique(model.predict(grid)), [0, 1, 2, 4])
    # Ranks count the gap: a regressor is fitted to 0, 1, 2, 4.
    if isinstance(estimator, Ridge):
        assert_allclose(model.estimator_.coef_, Ridge().fit(X, y).coef_)
    if strategy == "rounding":
        assert_array_equal(model.thresholds_, [0.5, 1.5, 3, 3])


def test_gap_grade_is_left_out_of_the_best_cuts():
    score = np.arange(12.0)
    y = [0, 0, 0, 0, 1, 2, 0, 1, 3, 3, 3, 3]
    with_gap = [4 if grade == 3 else grade for grade in y]
    options = {"objective": "accuracy", "strategy": "exact", "cv": 3}
    plain = OrdinalThresholdOptimizer(**options).fit(score[:, np.newaxis], y)
    gap = OrdinalThresholdOptimizer(**options).fit(score[:, np.newaxis], with_gap)
    assert_array_equal(gap.thresholds_, [*plain.thresholds_, plain.thresholds_[-1]])
    assert gap.best_score_ == plain.best_score_


def test_absent_label_counts_as_a_class():
    labels = ["none", *LABELS, "perfect"]
    model = OrdinalThresholdOptimizer(LogisticRegression(), labels=labels).fit(X, NAMES[CODES])
    assert_array_equal(model.ordered_classes_, labels)
    assert_array_equal(model.classes_, sorted(labels))
    assert model.thresholds_.shape == (5,)
    proba = model.predict_proba(X)
    base = LogisticRegression().fit(X, NAMES[CODES])
    for column, name in enumerate(model.classes_):
        expected = (
            base.predict_proba(X)[:, base.classes_.tolist().index(name)] if name in LABELS else 0
        )
        assert_array_equal(proba[:, column], np.broadcast_to(expected, len(X)))


def test_numeric_labels_out_of_order():
    labels = [7, 3, 5, 1]  # a scale that goes neither up nor down
    y = np.array(labels)[CODES]
    model = OrdinalThresholdOptimizer(Ridge(), labels=labels).fit(X, y)
    reference = OrdinalThresholdOptimizer(Ridge()).fit(X, CODES)
    assert_array_equal(model.predict(X), np.array(labels)[reference.predict(X)])
    assert_array_equal(model.classes_, [1, 3, 5, 7])


@pytest.mark.parametrize("base", ["regressor", "classifier"])
def test_grade_missing_from_a_fold(base):
    # Grade 3 has one row: the model of one fold never saw it, and four folds do not hold it out.
    rows = np.concatenate([np.flatnonzero(CODES < 3), np.flatnonzero(CODES == 3)[:1]])
    X_rare, y = X[rows], CODES[rows]
    estimator = Ridge() if base == "regressor" else LogisticRegression()
    model = OrdinalThresholdOptimizer(estimator, labels=range(4)).fit(X_rare, y)
    assert model.thresholds_.shape == (3,)
    splits = list(StratifiedKFold(5).split(X_rare, np.minimum(y, 2)))
    model = OrdinalThresholdOptimizer(estimator, labels=range(4), cv=splits).fit(X_rare, y)
    if base == "regressor":
        scores = _ridge_scores(X_rare, y, splits)
    else:
        fitted = [LogisticRegression().fit(X_rare[train], y[train]) for train, _ in splits]
        assert {len(m.classes_) for m in fitted} == {3, 4}
        scores = [
            _expected_rank(m, X_rare[test], range(4))
            for m, (_, test) in zip(fitted, splits, strict=True)
        ]
    parts = _cross_fit(scores, y, splits, "quadratic_weighted_kappa")
    expected = OBJECTIVES["quadratic_weighted_kappa"](*parts)
    assert model.best_score_ == pytest.approx(expected, rel=1e-9)


def test_column_vector_is_unpacked_with_a_warning():
    expected = OrdinalThresholdOptimizer(Ridge()).fit(X, CODES).predict(X)
    for y in (CODES[:, np.newaxis], pd.DataFrame({"grade": CODES}), CODES[:, np.newaxis].tolist()):
        with pytest.warns(DataConversionWarning, match="column-vector y"):
            model = OrdinalThresholdOptimizer(Ridge()).fit(X, y)
        assert_array_equal(model.predict(X), expected)


# --- best_score_


@pytest.mark.parametrize("objective", [*sorted(OBJECTIVES), "cost"])
@pytest.mark.parametrize("strategy", ["exact", "smoothed", "frequency"])
@pytest.mark.parametrize("weighted", [False, True])
def test_best_score_equals_a_slow_cross_fit(objective, strategy, weighted):
    weight = np.random.default_rng(4).integers(0, 4, len(CODES)) * 0.5 if weighted else None
    splits = list(KFold(4, shuffle=True, random_state=0).split(X))
    metric = OBJECTIVES.get(objective, lambda t, p, w: -np.average(COST[t, p], weights=w))
    given = COST if objective == "cost" else objective
    model = OrdinalThresholdOptimizer(Ridge(), objective=given, strategy=strategy, cv=splits)
    model.fit(X, CODES, sample_weight=weight)
    scores = _ridge_scores(X, CODES, splits, weight)
    parts = _cross_fit(scores, CODES, splits, given, strategy, weight)
    assert model.best_score_ == pytest.approx(metric(*parts), rel=1e-9)
    assert type(model.best_score_) is float
    assert (model.best_score_ < 0) == (objective == "cost" or "error" in objective)


def test_best_score_of_a_function_is_its_own_value():
    splits = list(KFold(3).split(X))

    def _within_one(y_true, y_pred):
        return float(np.mean(np.abs(y_true - y_pred) <= 1))

    model = OrdinalThresholdOptimizer(Ridge(), objective=_within_one, cv=splits).fit(X, CODES)
    parts = _cross_fit(_ridge_scores(X, CODES, splits), CODES, splits, _within_one)
    assert model.best_score_ == _within_one(*parts[:2])


@pytest.mark.parametrize(
    "cv",
    [
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(4, test_size=0.4, random_state=0),
        [(np.arange(60), np.arange(40, 120)), (np.arange(60, 120), np.arange(80))],
    ],
)
def test_repeated_and_overlapping_splits(cv):
    splits = cv if isinstance(cv, list) else list(cv.split(X, CODES))
    model = OrdinalThresholdOptimizer(Ridge(), cv=cv).fit(X, CODES)
    scores = _ridge_scores(X, CODES, splits)
    held = np.concatenate([test for _, test in splits])
    pooled = optimal_thresholds(CODES[held], np.concatenate(scores), strategy="smoothed")
    assert_allclose(model.thresholds_, pooled.thresholds, rtol=1e-9)
    parts = _cross_fit(scores, CODES, splits, "quadratic_weighted_kappa")
    expected = OBJECTIVES["quadratic_weighted_kappa"](*parts)
    assert model.best_score_ == pytest.approx(expected, rel=1e-9)


def test_repeats_of_a_row_do_not_choose_its_own_cut_points():
    rng = np.random.default_rng(0)
    values = []
    for seed in range(10):
        score, noise = rng.normal(size=(60, 1)), rng.integers(0, 4, 60)
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=seed)
        model = OrdinalThresholdOptimizer(strategy="exact", cv=cv)
        values.append(model.fit(score, noise).best_score_)
    assert np.mean(values) < 0.05


def test_single_split_has_cut_points_but_no_score():
    cv = ShuffleSplit(1, test_size=0.5, random_state=0)
    model = OrdinalThresholdOptimizer(Ridge(), cv=cv)
    with pytest.warns(UndefinedMetricWarning, match="best_score_ is undefined .*two folds"):
        model.fit(X, CODES)
    assert np.isnan(model.best_score_)
    ((train, test),) = cv.split(X)
    score = Ridge().fit(X[train], CODES[train]).predict(X[test])
    expected = optimal_thresholds(CODES[test], score, strategy="smoothed").thresholds
    assert_allclose(model.thresholds_, expected, rtol=1e-9)


def test_fold_whose_other_folds_hold_a_single_grade_gets_that_grade():
    score, y = np.arange(1.0, 7.0)[:, np.newaxis], [1, 1, 1, 0, 1, 1]
    splits = [([3, 4, 5], [0, 1, 2]), ([0, 1, 2], [3, 4, 5])]
    model = OrdinalThresholdOptimizer(objective="accuracy", strategy="exact", cv=splits)
    model.fit(score, y)
    # The cut at 4.5 sends the first fold (1, 1, 1) to 0; the second (0, 1, 1) is graded 1, 1, 1.
    assert model.best_score_ == pytest.approx(2 / 6)


# --- weights and metadata


def test_integer_weights_equal_repeated_rows():
    weight = np.random.default_rng(5).integers(0, 4, len(CODES))
    repeat = np.repeat(np.arange(len(CODES)), weight)
    splits = list(StratifiedKFold(4).split(X, CODES))
    repeated_splits = [
        tuple(np.flatnonzero(np.isin(repeat, part)) for part in split) for split in splits
    ]
    for strategy in ("exact", "smoothed", "frequency", "rounding"):
        options = {"strategy": strategy, "n_bootstraps": 4, "random_state": 0}
        weighted = OrdinalThresholdOptimizer(Ridge(), cv=splits, **options)
        weighted.fit(X, CODES, sample_weight=weight)
        repeated = OrdinalThresholdOptimizer(Ridge(), cv=repeated_splits, **options)
        repeated.fit(X[repeat], CODES[repeat])
        assert_allclose(weighted.thresholds_, repeated.thresholds_, rtol=1e-9)
        assert_array_equal(weighted.predict(X), repeated.predict(X))
        assert weighted.best_score_ == pytest.approx(repeated.best_score_, rel=1e-9)


@pytest.mark.parametrize("strategy", ["exact", "smoothed", "frequency", "rounding"])
def test_grade_without_weight_is_never_predicted(strategy):
    score = CODES[:, np.newaxis] + np.random.default_rng(6).normal(size=(len(CODES), 1))
    keep = CODES != 2
    weighted = OrdinalThresholdOptimizer(strategy=strategy, cv=3)
    weighted.fit(score, CODES, sample_weight=keep.astype(float))
    without = OrdinalThresholdOptimizer(strategy=strategy, cv=3).fit(score[keep], CODES[keep])
    assert_array_equal(weighted.thresholds_, without.thresholds_)
    assert_array_equal(np.unique(weighted.predict(score)), [0, 1, 3])
    assert_array_equal(weighted.classes_, [0, 1, 2, 3])  # a base classifier has seen all four
    assert_array_equal(without.classes_, [0, 1, 3])


def test_fold_without_weight_counts_as_no_fold():
    score = CODES[:, np.newaxis] + np.random.default_rng(7).normal(size=(len(CODES), 1))
    splits = list(KFold(3).split(score))
    weight = np.ones(len(CODES))
    weight[splits[2][1]] = 0
    model = OrdinalThresholdOptimizer(cv=splits).fit(score, CODES, sample_weight=weight)
    assert model.best_score_ == (
        OrdinalThresholdOptimizer(cv=splits[:2]).fit(score, CODES).best_score_
    )
    weight[splits[1][1]] = 0
    model = OrdinalThresholdOptimizer(cv=splits)
    with pytest.warns(UndefinedMetricWarning, match="best_score_ is undefined"):
        model.fit(score, CODES, sample_weight=weight)
    assert np.isnan(model.best_score_)
    weight = 1 - weight
    with pytest.raises(ValueError, match="sample_weight is zero for every row that cv holds out"):
        OrdinalThresholdOptimizer(cv=splits[:1]).fit(score, CODES, sample_weight=weight)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(3), "sample_weight has 3 rows, the target has 120"),
        (-np.ones(120), "sample_weight must not be negative"),
        (np.zeros(120), "sample_weight is zero for every row"),
        (np.full(120, np.nan), "sample_weight must be finite, but holds nan"),
    ],
)
def test_bad_weights_are_refused(weight, message):
    with pytest.raises(ValueError, match=message):
        OrdinalThresholdOptimizer(Ridge()).fit(X, CODES, sample_weight=weight)


def test_weights_reach_a_pipeline_through_routing():
    weight = np.random.default_rng(8).random(len(CODES)) + 0.01
    splits = list(KFold(4).split(X))
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            Ridge().set_fit_request(sample_weight=True),
        )
        model = OrdinalThresholdOptimizer(pipeline, cv=splits)
        model.fit(X, CODES, sample_weight=weight)
    scores = []
    for train, test in splits:
        fitted = make_pipeline(StandardScaler(), Ridge())
        fitted.fit(X[train], CODES[train], ridge__sample_weight=weight[train])
        scores.append(fitted.predict(X[test]))
    parts = _cross_fit(scores, CODES, splits, "quadratic_weighted_kappa", weight=weight)
    expected = OBJECTIVES["quadratic_weighted_kappa"](*parts)
    assert model.best_score_ == pytest.approx(expected, rel=1e-9)
    final = make_pipeline(StandardScaler(), Ridge()).fit(X, CODES, ridge__sample_weight=weight)
    assert_allclose(model.estimator_[-1].coef_, final[-1].coef_)


def test_groups_reach_the_splitter_through_routing():
    groups = np.arange(len(CODES)) // 7
    splits = list(GroupKFold(3).split(X, CODES, groups))
    expected = OrdinalThresholdOptimizer(Ridge(), cv=splits).fit(X, CODES)
    with config_context(enable_metadata_routing=True):
        model = OrdinalThresholdOptimizer(Ridge(), cv=GroupKFold(3)).fit(X, CODES, groups=groups)
        nested = cross_validate(
            OrdinalThresholdOptimizer(Ridge(), cv=GroupKFold(3)),
            X,
            CODES,
            cv=GroupKFold(3),
            params={"groups": groups},
            error_score="raise",
        )
        score_only = OrdinalThresholdOptimizer(cv=GroupKFold(3))
        score_only.fit(model.latent_score(X)[:, np.newaxis], CODES, groups=groups)
    assert model.best_score_ == expected.best_score_
    assert_array_equal(model.thresholds_, expected.thresholds_)
    assert np.isfinite(nested["test_score"]).all()
    assert score_only.thresholds_.shape == (3,)


def test_arguments_of_fit_are_sliced_without_routing():
    class Recorder(Latent):
        def fit(self, X, y, rows=None):
            assert_array_equal(rows, np.asarray(X)[:, 1])
            return super().fit(X, y)

    numbered = np.column_stack([X[:, 0], np.arange(len(X))])
    OrdinalThresholdOptimizer(Recorder()).fit(numbered, CODES, rows=np.arange(len(X)))


@pytest.mark.parametrize(
    "estimator", [KNeighborsRegressor(), make_pipeline(StandardScaler(), Ridge())]
)
def test_estimator_without_weights_is_told(estimator):
    weight = np.random.default_rng(9).random(len(CODES))
    model = OrdinalThresholdOptimizer(estimator)
    name = type(estimator).__name__
    with pytest.warns(UserWarning, match=f"{name}.fit takes no sample_weight, so the weights"):
        model.fit(X, CODES, sample_weight=weight)
    unweighted = OrdinalThresholdOptimizer(estimator).fit(X, CODES)
    assert_array_equal(model.latent_score(X), unweighted.latent_score(X))
    assert not np.array_equal(model.thresholds_, unweighted.thresholds_)


# --- manners


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_verbose_prints_a_line_a_fold_and_silence_is_the_default(n_jobs, capsys):
    OrdinalThresholdOptimizer(Ridge(), cv=3).fit(X, CODES)
    assert capsys.readouterr().out == ""
    OrdinalThresholdOptimizer(Ridge(), cv=3, n_jobs=n_jobs, verbose=1).fit(X, CODES)
    lines = capsys.readouterr().out.splitlines()
    loops = ["folds fitted", "folds graded"]
    assert [line.split(" after ")[0] for line in lines] == [
        f"[OrdinalThresholdOptimizer] {loop}: {number} of 3"
        for loop in loops
        for number in (1, 2, 3)
    ]


class AllAtOnce(ThreadingBackend):
    """A parallel backend that cannot hand over results one by one."""

    supports_return_generator = False


def test_verbose_needs_no_more_of_a_parallel_backend_than_silence(capsys):
    register_parallel_backend("all-at-once", AllAtOnce)
    with parallel_config(backend="all-at-once"):
        OrdinalThresholdOptimizer(Ridge(), cv=3, n_jobs=2, verbose=1).fit(X, CODES)
    assert "folds fitted: 3 of 3" in capsys.readouterr().out


def test_constant_score_warns_and_predicts_one_grade():
    model = OrdinalThresholdOptimizer(Latent())
    with pytest.warns(UserWarning, match="score is the same for every row"):
        model.fit(np.ones((len(CODES), 1)), CODES)
    assert len(set(model.predict(X * 0 + 1))) == 1
    with pytest.warns(UserWarning, match="score is the same for every row"):
        OrdinalThresholdOptimizer().fit(np.ones((len(CODES), 1)), CODES)


def test_parallel_folds_give_the_same_result():
    options = {"labels": LABELS, "n_bootstraps": 3, "random_state": 0}
    one = OrdinalThresholdOptimizer(Ridge(), **options).fit(X, NAMES[CODES])
    two = OrdinalThresholdOptimizer(Ridge(), n_jobs=2, **options).fit(X, NAMES[CODES])
    assert_array_equal(one.thresholds_, two.thresholds_)
    assert_array_equal(one.threshold_std_, two.threshold_std_)
    assert one.best_score_ == two.best_score_


def test_bootstrap_spread_follows_the_seed():
    options = {"n_bootstraps": 10, "strategy": "exact"}
    spreads = [
        OrdinalThresholdOptimizer(Ridge(), random_state=seed, **options)
        .fit(X, CODES)
        .threshold_std_
        for seed in (0, 0, 1)
    ]
    assert spreads[0].shape == (3,)
    assert (spreads[0] > 0).all()
    assert_array_equal(spreads[0], spreads[1])
    assert not np.array_equal(spreads[0], spreads[2])
    assert OrdinalThresholdOptimizer(Ridge()).fit(X, CODES).threshold_std_ is None


def test_clone_parameters_and_pickle():
    model = OrdinalThresholdOptimizer(Ridge(alpha=2), labels=LABELS, objective=COST, cv=3)
    copy = clone(model)
    assert copy.get_params()["estimator__alpha"] == 2
    assert copy.estimator is not model.estimator
    assert not hasattr(copy, "thresholds_")
    copy.set_params(estimator__alpha=50, strategy="exact")
    assert (copy.estimator.alpha, copy.strategy, model.estimator.alpha) == (50, "exact", 2)
    model.fit(X, NAMES[CODES])
    revived = pickle.loads(pickle.dumps(model))
    assert_array_equal(revived.predict(X), model.predict(X))
    assert clone(OrdinalThresholdOptimizer()).estimator is None
    assert "OrdinalThresholdOptimizer(estimator=Ridge())" in repr(
        OrdinalThresholdOptimizer(Ridge())
    )


def test_probabilities_only_where_the_estimator_has_them():
    assert not hasattr(OrdinalThresholdOptimizer(), "predict_proba")
    assert not hasattr(OrdinalThresholdOptimizer(Ridge()), "predict_proba")
    assert not hasattr(OrdinalThresholdOptimizer(RidgeClassifier()), "predict_proba")
    assert not hasattr(OrdinalThresholdOptimizer(Ridge()).fit(X, CODES), "predict_proba")
    model = OrdinalThresholdOptimizer(LogisticRegression(), labels=LABELS)
    assert hasattr(model, "predict_proba")
    proba = model.fit(X, NAMES[CODES]).predict_proba(X)
    assert_array_equal(proba, LogisticRegression().fit(X, NAMES[CODES]).predict_proba(X))
    assert not hasattr(model, "decision_function")


@pytest.mark.parametrize("method", ["predict", "predict_proba", "latent_score"])
def test_not_fitted(method):
    with pytest.raises(NotFittedError, match="OrdinalThresholdOptimizer"):
        getattr(OrdinalThresholdOptimizer(LogisticRegression()), method)(X)


@pytest.mark.parametrize("container", [csr_matrix, csr_array])
def test_sparse_rows(container):
    ridge = Ridge(solver="sparse_cg", tol=1e-12)
    dense = OrdinalThresholdOptimizer(ridge).fit(X, CODES)
    sparse = OrdinalThresholdOptimizer(ridge).fit(container(X), CODES)
    assert_allclose(sparse.thresholds_, dense.thresholds_, rtol=1e-6)
    assert_array_equal(sparse.predict(container(X)), dense.predict(X))


def test_frames_keep_their_names_until_the_next_fit():
    model = OrdinalThresholdOptimizer(Ridge()).fit(FRAME, CODES)
    assert_array_equal(model.feature_names_in_, FRAME.columns)
    assert model.n_features_in_ == 3
    assert_array_equal(
        model.predict(FRAME), OrdinalThresholdOptimizer(Ridge()).fit(X, CODES).predict(X)
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(FRAME.rename(columns={"age": "years"}))
    model.fit(X, CODES)
    assert not hasattr(model, "feature_names_in_")


def test_rows_as_lists():
    model = OrdinalThresholdOptimizer(Ridge()).fit(X.tolist(), CODES.tolist())
    reference = OrdinalThresholdOptimizer(Ridge()).fit(X, CODES)
    assert_array_equal(model.predict(X.tolist()), reference.predict(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "best"}, "'strategy' parameter"),
        ({"smoothing": -1}, "'smoothing' parameter"),
        ({"response_method": "score"}, "'response_method' parameter"),
        ({"n_bootstraps": -1}, "'n_bootstraps' parameter"),
        ({"cv": "fitted"}, "'cv' parameter"),
        ({"objective": "f1"}, "objective='f1' is not known"),
        ({"objective": [[0, 1], [1, 0]]}, r"objective has shape \(2, 2\)"),
        ({"labels": [0, 1, 2]}, r"y holds 3, which labels=\[0, 1, 2\]"),
    ],
)
def test_bad_parameters_are_refused_in_fit(options, message):
    with pytest.raises(ValueError, match=message):
        OrdinalThresholdOptimizer(Ridge(), **options).fit(X, CODES)


def test_estimator_must_fit_and_predict():
    with pytest.raises(ValueError, match="'estimator' parameter"):
        OrdinalThresholdOptimizer(StandardScaler()).fit(X, CODES)


def test_rows_of_x_and_y_must_match():
    with pytest.raises(ValueError, match="X has 119 rows, y has 120 rows"):
        OrdinalThresholdOptimizer(Ridge()).fit(X[1:], CODES)


def test_single_grade_has_no_kappa():
    with pytest.raises(ValueError, match="one class only"):
        OrdinalThresholdOptimizer(Ridge()).fit(X, np.zeros(len(X), dtype=int))


@pytest.mark.parametrize("options", [{"estimator": None}, {"cv": "prefit"}])
def test_arguments_of_fit_that_nothing_would_read_are_refused(options):
    model = OrdinalThresholdOptimizer(
        **{"estimator": Ridge().fit([[0.0], [1.0]], [0, 1])} | options
    )
    with pytest.raises(ValueError, match=r"fit got \['groups'\].*leave them out"):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], groups=[0, 0, 1, 1])


def test_an_objective_without_a_value_is_not_put_down_to_the_folds():
    model = OrdinalThresholdOptimizer(Ridge(), objective=lambda y_true, y_pred: np.nan)
    with pytest.warns(UndefinedMetricWarning, match="is nan at the cut points") as caught:
        assert np.isnan(model.fit(X, CODES).best_score_)
    assert not any("fold" in str(warning.message) for warning in caught)
