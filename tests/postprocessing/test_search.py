"""Searches and cross-validation around `OrdinalThresholdOptimizer`, with the library's scorers."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.metrics import get_scorer
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer

LABELS = ["poor", "fair", "good"]
ALPHA = "ordinalthresholdoptimizer__estimator__alpha"
GRID = {ALPHA: [1e-3, 10.0, 1e5]}


def _data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12)) * 10.0 ** rng.integers(-2, 3, 12)
    latent = X @ (1 / X.std(axis=0)) * [1] + 2 * rng.normal(size=90)
    return X, np.digitize(latent, np.quantile(latent, [0.5, 0.8]))


X, CODES = _data()
Y = np.array(LABELS)[CODES]


def _model(**options):
    return make_pipeline(StandardScaler(), OrdinalThresholdOptimizer(Ridge(), cv=3, **options))


def _search(model, **options):
    scorer = get_scorer("quadratic_weighted_kappa", labels=LABELS)
    return GridSearchCV(model, GRID, scoring=scorer, cv=3, error_score="raise", **options)


def _slow_fold_scores(alpha):
    """Fit and score every fold by hand."""
    scores = []
    for train, test in StratifiedKFold(3).split(X, Y):
        model = clone(_model(labels=LABELS)).set_params(**{ALPHA: alpha}).fit(X[train], Y[train])
        scores.append(
            cohen_kappa_score(Y[test], model.predict(X[test]), labels=LABELS, weights="quadratic")
        )
    return scores


@pytest.fixture(scope="module")
def search():
    return _search(_model(labels=LABELS)).fit(X, Y)


def test_search_tunes_the_model_under_the_cut_points(search):
    slow = {alpha: _slow_fold_scores(alpha) for alpha in GRID[ALPHA]}
    for fold in range(3):
        expected = [slow[alpha][fold] for alpha in GRID[ALPHA]]
        assert_allclose(search.cv_results_[f"split{fold}_test_score"], expected)
    assert len(set(search.cv_results_["mean_test_score"])) == 3
    assert search.best_params_[ALPHA] == max(slow, key=lambda alpha: np.mean(slow[alpha]))
    assert set(search.predict(X)) <= set(LABELS)
    assert_array_equal(search.classes_, sorted(LABELS))


def test_search_in_parallel_gives_the_same_numbers(search):
    parallel = _search(_model(labels=LABELS), n_jobs=2).fit(X, Y)
    for key, values in search.cv_results_.items():
        if key.startswith(("split", "mean_test", "std_test", "rank")):
            assert_array_equal(parallel.cv_results_[key], values)
    assert parallel.best_params_ == search.best_params_


def test_search_with_an_ordered_categorical(search):
    y = pd.Series(pd.Categorical(Y, categories=LABELS, ordered=True))
    categorical = _search(_model()).fit(X, y)
    assert_array_equal(
        categorical.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"]
    )
    assert_array_equal(categorical.predict(X), search.predict(X))


def test_search_with_several_scorers():
    names = ["quadratic_weighted_kappa", "neg_mean_absolute_class_error"]
    scoring = get_scorer(names, labels=LABELS)
    several = GridSearchCV(
        _model(labels=LABELS),
        GRID,
        scoring=scoring,
        refit="neg_mean_absolute_class_error",
        cv=3,
        error_score="raise",
    ).fit(X, Y)
    for name in names:
        one = GridSearchCV(
            _model(labels=LABELS), GRID, scoring=get_scorer(name, labels=LABELS), cv=3
        ).fit(X, Y)
        assert_array_equal(
            several.cv_results_[f"mean_test_{name}"], one.cv_results_["mean_test_score"]
        )
    assert several.best_params_ == one.best_params_
    assert (several.cv_results_["mean_test_neg_mean_absolute_class_error"] < 0).all()


def test_search_over_the_settings_of_the_cut_points():
    grid = {"strategy": ["exact", "rounding"], "objective": ["accuracy", "linear_weighted_kappa"]}
    model = OrdinalThresholdOptimizer(Ridge(), labels=LABELS, cv=3)
    search = GridSearchCV(
        model,
        grid,
        scoring=get_scorer("linear_weighted_kappa", labels=LABELS),
        cv=3,
        error_score="raise",
    ).fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert set(search.best_params_) == set(grid)


def test_cross_validate_reports_the_scorers_and_plain_accuracy():
    model = _model(labels=LABELS)
    folds = StratifiedKFold(3)
    kappa = cross_validate(
        model, X, Y, cv=folds, scoring=get_scorer("quadratic_weighted_kappa", labels=LABELS)
    )
    assert_allclose(kappa["test_score"], _slow_fold_scores(1.0))
    plain = cross_validate(model, X, Y, cv=folds, return_estimator=True)
    for estimator, score, (_, test) in zip(
        plain["estimator"], plain["test_score"], folds.split(X, Y), strict=True
    ):
        assert score == (estimator.predict(X[test]) == Y[test]).mean()
