"""Searches of survival models by several scores at once, on folds of heavily censored rows."""

import pickle

import joblib
import numpy as np
import pytest
from folds import some_rows
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from survival_models import ByFunctions, ByTimes

from sklearn_ordinal_censored.datasets import make_censored
from sklearn_ordinal_censored.metrics import (
    antolini_concordance_index,
    concordance_index,
    concordance_index_ipcw,
    get_scorer,
    integrated_auc,
    integrated_brier_score,
)
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter, usable_tau
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored

BRIER, ANTOLINI = "neg_integrated_brier_score", "antolini_concordance_index"
FOUR = [BRIER, ANTOLINI, "integrated_auc", "concordance_index"]
THREE = [BRIER, "integrated_auc", "concordance_index_ipcw"]
TIMES = [0.25, 0.5, 1.0, 1.5]
CV = CensoredCVSplitter(3, random_state=0)


def cox(**options):
    linear_model = pytest.importorskip("sksurv.linear_model")
    return linear_model.CoxPHSurvivalAnalysis(**options)


def forest(**options):
    ensemble = pytest.importorskip("sksurv.ensemble")
    return ensemble.RandomSurvivalForest(n_estimators=9, random_state=0, n_jobs=1, **options)


MODELS = {"cox": (cox, {"alpha": [0.1, 10.0]}), "forest": (forest, {"min_samples_leaf": [3, 9]})}
every_model = pytest.mark.parametrize(("make", "grid"), MODELS.values(), ids=list(MODELS))
STAND_INS = {kind.__name__: (kind, {"factor": [1e-3, 1e3]}) for kind in (ByTimes, ByFunctions)}
ANY_MODEL = {"cox": (cox, {"alpha": [1e-3, 1e3]}), **STAND_INS}
any_model = pytest.mark.parametrize(("make", "grid"), ANY_MODEL.values(), ids=list(ANY_MODEL))


@pytest.fixture(scope="module")
def data():
    X, y = some_rows(60, seed=3, share=0.6)
    return np.exp(-X), y


def curves_of(fitted, X, times=TIMES):
    """Survival at the times, read up to the end of step functions."""
    if isinstance(fitted, ByTimes):
        return fitted.predict_survival(X, times)
    functions = fitted.predict_survival_function(X)
    return [function(np.clip(times, *function.domain)) for function in functions]


def four_by_hand(model, X, y, train, test, censoring=None):
    """Scores of one fold of a model of risks, each metric by itself."""
    fitted = clone(model).fit(X[train], y[train])
    curves, risk = curves_of(fitted, X[test]), fitted.predict(X[test])
    options = {"times": TIMES, "censoring": censoring}
    return [
        -integrated_brier_score(y[test], curves, **options),
        antolini_concordance_index(y[test], curves, times=TIMES),
        integrated_auc(y[test], risk, prediction="risk", **options),
        concordance_index(y[test], risk, prediction="risk"),
    ]


@every_model
def test_four_scores_in_cross_validation(make, grid, data):
    X, y = data
    scoring = get_scorer(FOUR, times=TIMES)
    scores = cross_validate(make(), X, y, cv=CV, scoring=scoring, error_score="raise")
    for fold, (train, test) in enumerate(CV.split(X, y)):
        expected = four_by_hand(make(), X, y, train, test)
        assert [scores[f"test_{name}"][fold] for name in FOUR] == pytest.approx(expected, rel=1e-12)
        if make is cox:  # whose curves do not cross, so that they say what its risk says
            assert expected[1] == expected[3]


@every_model
@pytest.mark.parametrize("reference", ["rows", "curve"])
def test_four_scores_in_a_search(make, grid, reference, data):
    """The parameters keep their names; the model that was passed stays as it is."""
    X, y = data
    model = make()
    before = repr(vars(model))
    censoring = y if reference == "rows" else KaplanMeier(reverse=True).fit(y)
    search = GridSearchCV(
        model,
        grid,
        scoring=get_scorer(FOUR, times=TIMES, censoring=censoring),
        refit=BRIER,
        cv=CV,
        error_score="raise",
    ).fit(X, y)
    assert list(search.best_params_) == list(grid)
    assert repr(vars(model)) == before
    [(parameter, values)] = grid.items()
    for place, value in enumerate(values):
        for fold, (train, test) in enumerate(CV.split(X, y)):
            one = make(**{parameter: value})
            expected = four_by_hand(one, X, y, train, test, censoring)
            found = [search.cv_results_[f"split{fold}_test_{name}"][place] for name in FOUR]
            assert found == pytest.approx(expected, rel=1e-12)
    assert search.best_index_ == np.argmax(search.cv_results_[f"mean_test_{BRIER}"])
    assert search.score(X, y) == get_scorer(BRIER, times=TIMES, censoring=y)(search, X, y)


@pytest.mark.parametrize("patched", [True, False])
def test_a_pipeline_in_a_search_and_a_search_in_a_pipeline(patched, data, monkeypatch):
    model = cox()
    if not patched:
        monkeypatch.delattr(Pipeline, "predict_survival_function")
    X, y = data
    scoring = get_scorer(FOUR, times=TIMES)
    settings = {"scoring": scoring, "refit": BRIER, "cv": CV, "error_score": "raise"}
    inside = GridSearchCV(
        make_pipeline(StandardScaler(), model), {"coxphsurvivalanalysis__alpha": [1.0]}, **settings
    )
    around = make_pipeline(StandardScaler(), GridSearchCV(model, {"alpha": [1.0]}, **settings))
    expected = scoring(make_pipeline(StandardScaler(), cox(alpha=1.0)).fit(X, y), X, y)
    for search in (inside, around):
        assert scoring(search.fit(X, y), X, y) == pytest.approx(expected, rel=1e-12)
    nested = cross_validate(inside, X, y, cv=KFold(2), scoring=scoring, error_score="raise")
    assert all(np.isfinite(nested[f"test_{name}"]).all() for name in FOUR)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_two_jobs_give_the_same_numbers(backend, data):
    settings = {"scoring": get_scorer(FOUR, times=TIMES), "refit": BRIER, "cv": CV}
    one, two = (
        GridSearchCV(cox(), MODELS["cox"][1], n_jobs=n_jobs, error_score="raise", **settings)
        for n_jobs in (1, 2)
    )
    one.fit(*data)
    with joblib.parallel_config(backend=backend):
        two.fit(*data)
    for key, values in one.cv_results_.items():
        if "test" in key:
            assert_array_equal(two.cv_results_[key], values)


def test_a_model_without_curves_of_scikit_survival(data):
    linear_model = pytest.importorskip("sksurv.linear_model")
    model = linear_model.IPCRidge()
    with pytest.raises(ValueError, match=r"^IPCRidge predicts no survival curves: .* `response="):
        cross_val_score(
            model, *data, cv=CV, scoring=get_scorer(BRIER, times=TIMES), error_score="raise"
        )


# Situations in which other tools go wrong


@any_model
@pytest.mark.filterwarnings("ignore:integrated_brier_score uses")
def test_cen_16_one_grid_of_times_serves_every_fold(make, grid, data):
    """Each fold has another follow-up; none of them ends where the grid does."""
    X, y = data
    times = [y["time"].min() / 2, np.median(y["time"]), y["time"].max()]
    cv = CensoredCVSplitter(5, random_state=0)
    tests = [test for _, test in cv.split(X, y)]
    assert len({y["time"][test].max() for test in tests}) == 5
    for censoring in (None, y):
        scorer = get_scorer(BRIER, times=times, censoring=censoring)
        scores = cross_val_score(make(), X, y, cv=cv, scoring=scorer, error_score="raise")
        for score, (train, test) in zip(scores, cv.split(X, y), strict=True):
            curves = curves_of(make().fit(X[train], y[train]), X[test], times)
            expected = integrated_brier_score(y[test], curves, times=times, censoring=censoring)
            assert score == pytest.approx(-expected, rel=1e-12)


@any_model
@pytest.mark.parametrize("as_list", [True, False], ids=["list", "dict"])
def test_cen_19_three_metrics_in_one_search(as_list, make, grid, data):
    X, y = data
    cv = CensoredCVSplitter(5, random_state=0)
    options = {"censoring": KaplanMeier(reverse=True).fit(y)}
    names = dict(zip(("c", "uno", "ibs"), ("concordance_index", THREE[2], BRIER), strict=True))
    if as_list:
        tau = usable_tau(cv, y)
        scoring = get_scorer(list(names.values()), times=TIMES, tau=tau, **options)
        names = {name: name for name in names.values()}
    else:
        options_of = {"c": {}, "uno": options, "ibs": {"times": TIMES, **options}}
        scoring = {key: get_scorer(name, **options_of[key]) for key, name in names.items()}
    model, refit = make(), THREE[2] if as_list else "uno"
    before = repr(vars(model))
    searches = [
        GridSearchCV(
            model,
            grid,
            scoring=pickle.loads(pickle.dumps(scoring)),
            refit=refit,
            cv=cv,
            n_jobs=n_jobs,
            error_score="raise",
        ).fit(X, y)
        for n_jobs in (1, 2)
    ]
    assert repr(vars(model)) == before
    for key in names:
        found, again = (search.cv_results_[f"mean_test_{key}"] for search in searches)
        assert np.isfinite(found).all()
        assert_array_equal(found, again)
    for search in searches:
        assert list(search.best_params_) == list(grid)
        assert search.best_index_ == np.argmax(search.cv_results_[f"mean_test_{refit}"])


@any_model
def test_cen_19_the_censoring_of_the_training_rows_can_be_passed(make, grid, data):
    X, y = data
    train, test = next(CV.split(X, y))
    scorer = get_scorer(THREE, times=TIMES, censoring=y[train], tau=1.5)
    model = make().fit(X[train], y[train])
    scores = cross_validate(make(), X, y, cv=[(train, test)], scoring=scorer, error_score="raise")
    curves, pred = curves_of(model, X[test]), model.predict(X[test])
    options = {"censoring": y[train]}
    ordered = {**options, "prediction": "risk" if make is cox else "time"}
    expected = [
        -integrated_brier_score(y[test], curves, times=TIMES, **options),
        integrated_auc(y[test], pred, times=TIMES, **ordered),
        concordance_index_ipcw(y[test], pred, tau=1.5, **ordered),
    ]
    assert [scores[f"test_{name}"][0] for name in THREE] == pytest.approx(expected, rel=1e-12)
    others = get_scorer(THREE, times=TIMES, tau=1.5)(model, X[test], y[test])
    assert all(others[name] != value for name, value in zip(THREE, expected, strict=True))


@pytest.mark.parametrize("load", ["veterans_lung_cancer", "aids", "breast_cancer"])
def test_file_5_data_sets_as_they_are(load):
    """Their fields are named as they please."""
    datasets = pytest.importorskip("sksurv.datasets")
    table, y = getattr(datasets, f"load_{load}")()
    X = StandardScaler().fit_transform(table.select_dtypes("number"))
    event, time = y.dtype.names
    times = np.quantile(y[time][y[event]], np.linspace(0.1, 0.9, 9))
    scorer = get_scorer([*THREE, ANTOLINI], times=times, censoring=y)
    scores, plain = (
        cross_validate(cox(alpha=1.0), X, target, cv=CV, scoring=scorer, error_score="raise")
        for target in (y, right_censored(y[event], y[time]))
    )
    for name in (*THREE, ANTOLINI):
        assert np.isfinite(scores[f"test_{name}"]).all()
        assert_array_equal(scores[f"test_{name}"], plain[f"test_{name}"])


# Heavy censoring


def heavily_censored(seed):
    rng = np.random.default_rng(seed)
    n_samples, rate = int(rng.integers(60, 101)), rng.uniform(0.8, 0.9)
    X, y = make_censored(n_samples, 3, censoring_rate=rate, random_state=seed)
    assert 0.7 < 1 - y["event"].mean() < 0.97
    return np.exp(-X), y


@pytest.mark.parametrize("time_support", ["any", "train"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.filterwarnings("ignore:time_support='train' leaves")
@pytest.mark.filterwarnings("ignore:integrated_(auc|brier_score) uses")
def test_no_mean_score_is_missing_where_folds_have_two_events(seed, time_support):
    """With two events a fold has a pair to compare; with their times as the grid, a case."""
    X, y = heavily_censored(seed)
    n_events = int(y["event"].sum())
    n_splits = max(2, min(5, n_events // 2 - (time_support == "train")))
    search = GridSearchCV(
        ByTimes(),
        {"factor": [0.1, 1.0, 3.0]},
        scoring=get_scorer(THREE, times=np.unique(y["time"][y["event"]])),
        refit=THREE[2],
        cv=CensoredCVSplitter(n_splits, min_events=2, time_support=time_support, random_state=seed),
        error_score="raise",
    ).fit(X, y)
    for name in THREE:
        assert np.isfinite(search.cv_results_[f"mean_test_{name}"]).all()


@pytest.mark.filterwarnings("ignore:integrated_auc uses 1 of 3 times")
def test_times_that_end_before_the_events_of_a_fold():
    """Why the times are those of the events: another grid may miss all of a fold."""
    y = right_censored([1, 0, 1, 0, 1, 0], [1, 2, 3, 4, 5, 6])
    X = np.ones((6, 1))
    folds = [([0, 1, 2, 3], [4, 5]), ([2, 3, 4, 5], [0, 1])]
    settings = {"cv": folds, "error_score": "raise"}
    early = get_scorer("integrated_auc", times=[1.5, 2.5, 3.5])
    told = r"integrated_auc is undefined .* no event has happened"
    with pytest.warns(UndefinedMetricWarning, match=told):
        scores = cross_val_score(ByTimes(), X, y, scoring=early, **settings)
    assert_array_equal(scores, [np.nan, 0.5])
    at_events = get_scorer("integrated_auc", times=[1, 3, 5])
    scores = cross_val_score(ByTimes(), X, y, scoring=at_events, **settings)
    assert_array_equal(scores, [0.5, 0.5])
