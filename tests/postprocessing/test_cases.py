"""Situations that users of other tools have run into, with the values that are right."""

import numpy as np
import oracles_cuts as oracle
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import is_classifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    check_cv,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.metrics import get_scorer, quadratic_weighted_kappa
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer, optimal_thresholds

# --- cut points that a local search from half-way between ranks never moves

STUCK_Y = [0, 0, 1, 1, 2, 2, 3, 3]
STUCK = {
    "small": ([0.010, 0.012, 0.013, 0.016, 0.015, 0.021, 0.022, 0.030], 0.0),
    "shrunken": ([0.9, 1.0, 1.05, 1.2, 1.15, 1.3, 1.35, 1.5], 0.25),
}


@pytest.mark.parametrize("scale", sorted(STUCK))
def test_ord_13_scale_of_the_score_does_not_matter(scale):
    score, simplex = STUCK[scale]
    result = optimal_thresholds(STUCK_Y, score)
    assert result.objective_value == pytest.approx(0.95, abs=1e-12)
    rows, weight = oracle.one_hot(STUCK_Y, 4), np.ones(8)
    best = oracle.best_value("quadratic_weighted_kappa", rows, score, weight)
    assert best == pytest.approx(0.95, abs=1e-12)
    assert oracle.nelder_mead_kappa(STUCK_Y, score, 4) == pytest.approx(simplex, abs=1e-12)
    rounding = optimal_thresholds(STUCK_Y, score, strategy="rounding")
    assert rounding.objective_value == pytest.approx(simplex, abs=1e-12)
    for factor, shift in [(1e-6, 0), (100, -3), (7, 1e3)]:
        moved = factor * np.array(score) + shift
        again = optimal_thresholds(STUCK_Y, moved)
        assert again.objective_value == result.objective_value
        assert_array_equal(again.predict(moved), result.predict(score))


# --- cut points that cross

CROSSED_Y = [0, 1, 4, 2, 0, 1, 2, 3, 4, 3, 2, 0, 2, 3, 1, 4, 0, 2, 0, 0, 1, 4, 0, 3, 0]
CROSSED_SCORE = [
    *[2.61, 2.67, 3.1, 1.62, 0.96, 0.94, 2.88, 3.88, 2.12, 2.09, 2.77, 3.05, 3.73],
    *[4.84, 2.47, 3.44, 2.83, 1.04, 2.31, 1.47, 2.72, 2.47, 1.4, 1.49, 2.77],
]


def test_ord_14_cut_points_are_in_order_where_a_free_search_crosses_them():
    result = optimal_thresholds(CROSSED_Y, CROSSED_SCORE)
    assert result.thresholds.shape == (4,)
    assert (result.thresholds[1:] >= result.thresholds[:-1]).all()
    assert result.objective_value == pytest.approx(0.5562130177514792, abs=1e-12)
    assert result.certified
    model = OrdinalThresholdOptimizer(strategy="exact")
    model.fit(np.array(CROSSED_SCORE)[:, np.newaxis], CROSSED_Y)
    assert_array_equal(model.thresholds_, result.thresholds)


# --- labels, and scores on or next to a cut point


@pytest.mark.parametrize(
    ("y", "labels"),
    [
        (["low", "mid", "mid", "high"], ["low", "mid", "high"]),
        (np.array([3, 5, 5, 7]), [3, 5, 7]),
        (np.array([3, 5, 5, 7], dtype=np.int8), [3, 5, 7]),
        (np.array([3.0, 5.0, 5.0, 7.0], dtype=np.float32), [3, 5, 7]),
    ],
)
def test_ord_15_grades_come_back_as_they_went_in(y, labels):
    score = [0.5, 1.5, 1.5, 2.5]
    result = optimal_thresholds(y, score, labels=labels)
    predicted = result.predict(score)
    assert_array_equal(predicted, y)
    assert predicted.dtype == np.asarray(y).dtype
    assert result.objective_value == 1.0
    assert quadratic_weighted_kappa(y, predicted, labels=labels) == result.objective_value
    model = OrdinalThresholdOptimizer(labels=labels, strategy="exact", cv=2)
    rows = np.repeat(score, 3)[:, np.newaxis]
    fitted = model.fit(rows, np.repeat(y, 3))
    assert_array_equal(fitted.predict(rows), np.repeat(y, 3))
    assert fitted.predict(rows).dtype == np.asarray(y).dtype


def test_ord_15_halves_do_not_go_to_the_even_neighbour():
    result = optimal_thresholds([0, 1, 2, 3], [0.5, 1.5, 2.5, 3.5], strategy="rounding")
    assert_array_equal(result.predict([0.5, 1.5, 2.5]), [1, 2, 3])


def test_ord_15_neighbours_in_single_precision_are_told_apart():
    score = np.array([1, np.nextafter(np.float32(1), np.float32(2))], dtype=np.float32)
    result = optimal_thresholds([0, 1], score)
    assert_array_equal(result.predict(score), [0, 1])
    assert float(score[0]) < result.thresholds[0] <= float(score[1])


# --- more than two classes


def _five_grades(n=100):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    latent = X.sum(axis=1) + rng.normal(size=n)
    return X, np.digitize(latent, np.quantile(latent, [0.2, 0.4, 0.6, 0.8]))


@pytest.mark.parametrize(
    "estimator", [Ridge(), LogisticRegression(), make_pipeline(StandardScaler(), Ridge())]
)
def test_ord_17_five_classes_where_the_binary_tuner_gives_up(estimator):
    X, y = _five_grades()
    scorer = get_scorer("quadratic_weighted_kappa", labels=range(5))
    with pytest.raises(ValueError, match="Only binary classification"):
        TunedThresholdClassifierCV(LogisticRegression(), scoring=scorer).fit(X, y)
    model = OrdinalThresholdOptimizer(estimator).fit(X, y)
    assert model.thresholds_.shape == (4,)
    assert scorer(model, X, y) > 0.7
    key = "estimator__ridge__alpha" if hasattr(estimator, "steps") else "estimator__tol"
    grid = {key: [1e-4, 1e-3]}
    search = GridSearchCV(model, grid, scoring=scorer, cv=2, error_score="raise").fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


# --- whole-number cv on rows sorted by grade


def test_ord_18_folds_are_stratified_although_the_base_is_a_regressor():
    y = np.array([0] * 4 + [1] * 4 + [2] * 4)
    X = y[:, np.newaxis].astype(float)
    model = OrdinalThresholdOptimizer(Ridge(), cv=3)
    assert is_classifier(model)
    for _, test in check_cv(3, y, classifier=is_classifier(model)).split(X, y):
        assert set(y[test]) == {0, 1, 2}
    scorer = get_scorer("quadratic_weighted_kappa", labels=range(3))
    assert_array_equal(cross_val_score(model, X, y, cv=3, scoring=scorer), [1, 1, 1])
    # The folds inside are stratified as well: every one of them has cut points for three grades.
    assert model.fit(X, y).best_score_ == 1


# --- a grade with fewer rows than folds


@pytest.mark.filterwarnings("ignore:The least populated class in y:UserWarning")
@pytest.mark.parametrize(
    "estimator",
    [Ridge(), LogisticRegression(), RandomForestRegressor(n_estimators=5, random_state=0)],
)
def test_ord_19_a_rare_grade_keeps_its_place_in_every_fold(estimator):
    y = np.array([0] * 10 + [1] * 8 + [2] * 6 + [3])
    X = (y + np.random.default_rng(0).normal(scale=0.3, size=25))[:, np.newaxis]
    model = OrdinalThresholdOptimizer(estimator, labels=[0, 1, 2, 3])
    scorer = get_scorer("quadratic_weighted_kappa", labels=[0, 1, 2, 3])
    scores = cross_val_score(model, X, y, cv=5, scoring=scorer, error_score="raise")
    assert np.isfinite(scores).all()
    assert scores.mean() > 0.5
    for train, _ in check_cv(5, y, classifier=True).split(X, y):
        fitted = model.fit(X[train], y[train])
        assert fitted.thresholds_.shape == (3,)
        assert_array_equal(fitted.ordered_classes_, [0, 1, 2, 3])
        assert_array_equal(fitted.classes_, [0, 1, 2, 3])


def test_ord_19_a_rare_grade_raises_no_warning_inside():
    y = np.array([0] * 10 + [1] * 8 + [2] * 6 + [3])
    X = (y + np.random.default_rng(0).normal(scale=0.3, size=25))[:, np.newaxis]
    assert OrdinalThresholdOptimizer(Ridge()).fit(X, y).thresholds_.shape == (3,)
