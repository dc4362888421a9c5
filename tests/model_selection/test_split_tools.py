"""`CensoredCVSplitter` as `cv=` among scikit-learn's tools, and cases that users reported."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from folds import CONTAINERS, held_out, same_folds, some_rows
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
)

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.metrics import concordance_index, get_scorer
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.targets import right_censored

MODEL = IPCWRegressor(Ridge())
GRID = {"estimator__alpha": [0.1, 1.0, 100.0]}
CV = CensoredCVSplitter(4, random_state=0)
GROUPS = np.arange(60) // 3


def slow_scores(cv, X, y, groups=None, alpha=1.0):
    """Fit and score every fold by hand."""
    scores = []
    for train, test in cv.split(X, y, groups):
        model = IPCWRegressor(Ridge(alpha)).fit(X[train], y[train])
        scores.append(concordance_index(y[test], model.predict(X[test])))
    return scores


@pytest.mark.parametrize("container", [np.asarray, CONTAINERS["recarray"], pd.DataFrame])
def test_in_cross_validate(container):
    X, y = some_rows()
    results = cross_validate(
        MODEL,
        X,
        container(y),
        cv=CV,
        scoring=get_scorer("concordance_index"),
        return_indices=True,
        error_score="raise",
    )
    assert same_folds(results["indices"]["test"], held_out(CV, y))
    assert_array_equal(results["test_score"], slow_scores(CV, X, y))


@pytest.mark.parametrize("container", [np.asarray, CONTAINERS["recarray"], pd.DataFrame])
def test_in_a_grid_search(container):
    X, y = some_rows()
    search = GridSearchCV(MODEL, GRID, cv=CV, error_score="raise").fit(X, container(y))
    for place, alpha in enumerate(GRID["estimator__alpha"]):
        found = [search.cv_results_[f"split{fold}_test_score"][place] for fold in range(4)]
        assert_array_equal(found, slow_scores(CV, X, y, alpha=alpha))
    assert search.n_splits_ == 4


def test_in_a_learning_curve():
    X, y = some_rows()
    sizes, _, scores = learning_curve(
        MODEL, X, y, cv=CV, train_sizes=[0.6, 1.0], error_score="raise"
    )
    assert sizes.tolist() == [27, 45]
    assert_array_equal(scores[1], slow_scores(CV, X, y))


def test_in_cross_val_predict():
    X, y = some_rows()
    predicted = cross_val_predict(MODEL, X, y, cv=CV)
    for train, test in CV.split(X, y):
        expected = clone(MODEL).fit(X[train], y[train]).predict(X[test])
        assert_array_equal(predicted[test], expected)
    with pytest.raises(ValueError, match="only works for partitions"):
        cross_val_predict(MODEL, X, y, cv=CensoredCVSplitter(4, n_repeats=2))


def test_in_successive_halving_with_a_whole_number_as_seed():
    X, y = some_rows(120)
    options = {"factor": 3, "min_resources": 40, "random_state": 0, "error_score": "raise"}
    search = HalvingGridSearchCV(MODEL, GRID, cv=CV, **options).fit(X, y)
    assert search.n_resources_ == [40, 120]
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    for seed in (None, np.random.RandomState(0)):
        cv = CensoredCVSplitter(4, random_state=seed)
        with pytest.raises(ValueError, match=r"consistent folds.*random_state to an int"):
            HalvingGridSearchCV(MODEL, GRID, cv=cv, **options).fit(X, y)
    cv = CensoredCVSplitter(4, shuffle=False)
    HalvingGridSearchCV(MODEL, GRID, cv=cv, **options).fit(X, y)


def test_groups_by_their_argument():
    X, y = some_rows()
    expected = slow_scores(CV, X, y, GROUPS)
    assert_array_equal(cross_val_score(MODEL, X, y, cv=CV, groups=GROUPS), expected)
    search = GridSearchCV(MODEL, {"estimator__alpha": [1.0]}, cv=CV).fit(X, y, groups=GROUPS)
    assert search.best_score_ == pytest.approx(np.mean(expected))
    assert not np.array_equal(expected, slow_scores(CV, X, y))


def test_groups_by_metadata_routing():
    X, y = some_rows()
    expected = slow_scores(CV, X, y, GROUPS)
    with sklearn.config_context(enable_metadata_routing=True):
        params = {"groups": GROUPS}
        assert_array_equal(cross_val_score(MODEL, X, y, cv=CV, params=params), expected)
        search = GridSearchCV(MODEL, {"estimator__alpha": [1.0]}, cv=CV).fit(X, y, groups=GROUPS)
        predicted = cross_val_predict(MODEL, X, y, cv=CV, params=params)
    assert search.best_score_ == pytest.approx(np.mean(expected))
    for score, (_, test) in zip(expected, CV.split(X, y, GROUPS), strict=True):
        assert concordance_index(y[test], predicted[test]) == score


@pytest.mark.filterwarnings("ignore:time_support:UserWarning")
def test_what_is_no_partition_cannot_be_predicted_out_of_fold():
    X, y = some_rows(share=0.9)
    cv = CensoredCVSplitter(5, time_support="train", random_state=0)
    scores = cross_val_score(MODEL, X, y, cv=cv, error_score="raise")
    assert np.isfinite(scores).all()
    with pytest.raises(ValueError, match="only works for partitions"):
        cross_val_predict(MODEL, X, y, cv=cv)


# Cases that users reported


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("container", [np.asarray, CONTAINERS["recarray"], pd.DataFrame])
def test_cen_01_records_are_no_classes(container, seed):
    """StratifiedKFold takes every record for a class of its own."""
    plain, X = right_censored([1] * 10 + [0] * 10, range(1, 21)), np.arange(20.0).reshape(-1, 1)
    y = container(plain)
    with pytest.raises((ValueError, TypeError)):
        list(StratifiedKFold(5).split(X, y))
    cv = CensoredCVSplitter(5, random_state=seed)
    tests = [test for _, test in cv.split(X, y)]
    assert [plain["event"][test].sum() for test in tests] == [2] * 5
    assert [len(test) for test in tests] == [4] * 5
    for train, test in cv.split(X, y):
        assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(20))
    assert same_folds(tests, [test for _, test in cv.split(X, y)])


def test_cen_01_a_column_of_zeros_and_ones_could_be_a_bound():
    y = np.column_stack([[1] * 10 + [0] * 10, range(1, 21)])
    with pytest.raises(ValueError, match=r"right_censored\(event, time\) or interval_censored"):
        next(CensoredCVSplitter(5).split(np.zeros((20, 1)), y))


SORTED_X = np.array([[3], [2.5], [2.8], [1.9], [2.2], [1], [0.5], [0.8], [0.2], [0.9]])
SORTED_Y = right_censored([1] * 5 + [0] * 5, range(2, 12))


@pytest.mark.parametrize("seed", range(5))
def test_cen_03_data_sorted_by_event(seed):
    """Without shuffling two of five folds have no event and no score."""
    cv = CensoredCVSplitter(5, random_state=seed)
    assert [SORTED_Y["event"][test].sum() for test in held_out(cv, SORTED_Y)] == [1] * 5
    y = SORTED_Y.copy()
    y["event"][:2] = False
    search = GridSearchCV(MODEL, GRID, cv=cv, error_score="raise")
    with pytest.raises(ValueError, match=r"needs 5 events .* y has 3 events in 10 rows"):
        search.fit(SORTED_X, y)


def test_cen_03_a_search_on_data_sorted_by_event():
    linear_model = pytest.importorskip("sksurv.linear_model")
    search = GridSearchCV(
        linear_model.CoxPHSurvivalAnalysis(),
        {"alpha": [1000, 1]},
        scoring=get_scorer("concordance_index"),
        cv=CensoredCVSplitter(5, random_state=0),
        error_score="raise",
    ).fit(SORTED_X, SORTED_Y)
    for fold in range(5):
        assert np.isfinite(search.cv_results_[f"split{fold}_test_score"]).all()
    assert search.best_score_ == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_the_veterans(seed):
    datasets = pytest.importorskip("sksurv.datasets")
    _, y = datasets.load_veterans_lung_cancer()
    event = y["Status"]
    assert (event.sum(), (~event).sum()) == (128, 9)
    for test in held_out(CensoredCVSplitter(5, random_state=seed), y):
        assert event[test].sum() in (25, 26)
        assert (~event[test]).sum() in (1, 2)


DATA_SETS = {
    "gbsg2": ("cens", "time"),
    "whas500": ("fstat", "lenfol"),
    "veterans_lung_cancer": ("Status", "Survival_in_days"),
    "aids": ("censor", "time"),
    "flchain": ("death", "futime"),
    "breast_cancer": ("e.tdm", "t.tdm"),
}


@pytest.mark.parametrize("name", DATA_SETS)
def test_data_sets_of_scikit_survival_work_without_renaming(name):
    datasets = pytest.importorskip("sksurv.datasets")
    X, y = getattr(datasets, f"load_{name}")()
    event, time = DATA_SETS[name]
    assert y.dtype.names == (event, time)
    splits = list(CensoredCVSplitter(5, random_state=0).split(X, y))
    assert np.ptp([y[event][test].sum() for _, test in splits]) <= 1
    assert np.ptp([len(test) for _, test in splits]) <= 1


@pytest.mark.parametrize("name", ["bmt", "cgvhd"])
def test_competing_risks_are_refused(name):
    datasets = pytest.importorskip("sksurv.datasets")
    X, y = getattr(datasets, f"load_{name}")()
    with pytest.raises(ValueError, match="competing risks"):
        next(CensoredCVSplitter(5).split(X, y))


def test_in_a_randomized_search():
    X, y = some_rows()
    scorer = get_scorer("concordance_index")
    options = {"cv": CV, "scoring": scorer, "error_score": "raise"}
    search = RandomizedSearchCV(MODEL, GRID, n_iter=2, random_state=0, **options).fit(X, y)
    expected = np.mean(slow_scores(CV, X, y, alpha=search.best_params_["estimator__alpha"]))
    assert search.best_score_ == pytest.approx(expected)


def test_in_a_permutation_test():
    X, y = some_rows()
    scorer = get_scorer("concordance_index")
    score, permuted, pvalue = permutation_test_score(
        MODEL, X, y, cv=CV, scoring=scorer, n_permutations=9, random_state=0
    )
    assert score == pytest.approx(np.mean(slow_scores(CV, X, y)))
    assert np.isfinite(permuted).all()
    assert pvalue == (1 + (permuted >= score).sum()) / 10


def test_in_a_sequential_feature_selector():
    X, y = some_rows()
    noise = np.random.default_rng(0).normal(size=(len(X), 2))
    selector = SequentialFeatureSelector(
        MODEL,
        n_features_to_select=1,
        cv=CV,
        scoring=get_scorer("concordance_index"),
    )
    table = np.column_stack([noise, X])
    chosen = selector.fit(table, y).get_support(indices=True)
    scores = [np.mean(slow_scores(CV, table[:, [k]], y)) for k in range(table.shape[1])]
    assert chosen == [np.argmax(scores)]


def test_in_a_nested_search():
    X, y = some_rows()
    scorer = get_scorer("concordance_index")
    inner = GridSearchCV(MODEL, GRID, cv=CensoredCVSplitter(2, random_state=1), scoring=scorer)
    scores = cross_val_score(inner, X, y, cv=CV, scoring=scorer, error_score="raise")
    expected = [
        scorer(clone(inner).fit(X[train], y[train]), X[test], y[test])
        for train, test in CV.split(X, y)
    ]
    assert_array_equal(scores, expected)
