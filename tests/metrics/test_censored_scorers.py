"""Scorers of censored targets: direction, one prediction for several, undefined folds, routing."""

import pickle
from typing import ClassVar

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from folds import CONTAINERS, some_rows
from numpy.testing import assert_allclose, assert_array_equal
from registry import CENSORED_METRICS as CENSORED
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.metrics import (
    concordance_index,
    concordance_index_ipcw,
    get_scorer,
    get_scorer_names,
    observed_mae,
)
from sklearn_ordinal_censored.metrics._scorers import REGISTRY
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter, usable_tau
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored

POINTS = {name: row for name, row in CENSORED.items() if name != "interval_overlap_rate"}
REQUIRED = {
    "neg_censored_crps": {"scale": 1.5},
    "neg_censored_log_loss": {"scale": 1.5},
    "integrated_auc": {"times": [0.5, 1.0, 1.5]},
}
WITH_STRATA = ["concordance_index", "concordance_index_ipcw"]
THREE = ["concordance_index", "concordance_index_ipcw", "neg_observed_mae"]
CV = CensoredCVSplitter(3, random_state=0)


class Known(BaseEstimator):
    """Predicts its columns as they are, and counts how often any of its clones is asked."""

    asked: ClassVar[list[int]] = []

    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        self.asked.append(len(X))
        X = np.asarray(X, dtype=float) + self.shift
        return X[:, 0] if X.shape[1] == 1 else X


class KnownRisk(Known):
    """Says of itself that it predicts a risk."""

    _predict_risk_score = True


class Outer(BaseEstimator):
    """A meta-estimator of somebody else's."""

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        self.estimator_ = clone(self.estimator).fit(X, y)
        return self

    def predict(self, X):
        return self.estimator_.predict(X)


@pytest.fixture(scope="module")
def data():
    X, y = some_rows(60, seed=3)
    return X[:, :1] + 5, y


def predictions(name, X):
    """What the metric reads: a time, or an interval."""
    return np.column_stack([X, X + 1]) if name == "interval_overlap_rate" else X


def signed(name, *args, **options):
    row = REGISTRY[name]
    value = row.metric(*args, **REQUIRED.get(name, {}) | options)
    return value if row.greater_is_better else -value


def any_scorer(name, **options):
    return get_scorer(name, **REQUIRED.get(name, {}) | options)


# Names and values


def test_names():
    assert set(CENSORED) <= set(get_scorer_names())
    assert {*THREE, "interval_overlap_rate"} <= set(CENSORED)
    for name, row in CENSORED.items():
        assert name.removeprefix("neg_") == row.metric.__name__
        assert name.startswith("neg_") is not row.greater_is_better


@pytest.mark.parametrize("name", CENSORED)
def test_a_scorer_is_the_metric_with_its_sign(name, data):
    X, y = predictions(name, data[0]), data[1]
    model, scorer = Known().fit(X, y), any_scorer(name)
    expected = signed(name, y, model.predict(X))
    assert scorer(model, X, y) == scorer.score(model, X, y) == expected
    assert type(scorer(model, X, y)) is float
    weight = np.arange(len(y)) % 4
    weighted = signed(name, y, model.predict(X), sample_weight=weight)
    assert scorer(model, X, y, sample_weight=weight) == weighted != expected


@pytest.mark.parametrize("name", CENSORED)
def test_truth_scores_above_its_reversal(name):
    y = right_censored([1, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    truth = y["time"][:, np.newaxis]
    X, reversed_X = predictions(name, truth), predictions(name, truth[::-1])
    assert any_scorer(name)(Known(), X, y) > any_scorer(name)(Known(), reversed_X, y)


@pytest.mark.parametrize("name", ["neg_censored_crps", "neg_censored_log_loss"])
def test_a_model_may_predict_a_location_and_a_scale(name, data):
    X, y = data
    columns = np.column_stack([X, np.full(len(X), 1.5)])
    assert get_scorer(name)(Known(), columns, y) == any_scorer(name)(Known(), X, y)
    with pytest.raises(ValueError, match=r"^y_pred holds one number a row.* pass the scales as"):
        cross_val_score(Known(), X, y, cv=CV, scoring=get_scorer(name), error_score="raise")


@pytest.mark.parametrize("name", WITH_STRATA)
def test_strata_reach_the_metric(name, data):
    X, y = data
    strata = np.where(np.arange(60) % 3, "a", "b")
    expected = signed(name, y, X[:, 0], strata=strata)
    assert get_scorer(name)(Known(), X, y, strata=strata) == expected
    assert expected != get_scorer(name)(Known(), X, y)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("name", POINTS)
def test_containers_give_the_same_scores(name, container, data):
    X, y = data
    y = y.copy()
    y["time"] = np.ceil(9 * y["time"])  # whole numbers are the same in every container
    options = {"times": [5, 9, 14]} if "times" in REQUIRED.get(name, {}) else {}
    model, scorer = IPCWRegressor(Ridge()), any_scorer(name, **options)
    scores, expected = (
        cross_val_score(model, X, target, cv=3, scoring=scorer, error_score="raise")
        for target in (CONTAINERS[container](y), y)
    )
    assert_array_equal(scores, expected)


def test_options_reach_the_metric(data):
    X, y = data
    scorer = get_scorer("concordance_index_ipcw", tau=2.0, censoring=y[:30])
    expected = concordance_index_ipcw(y, X[:, 0], tau=2.0, censoring=y[:30])
    assert scorer(Known(), X, y) == expected
    assert expected != get_scorer("concordance_index_ipcw")(Known(), X, y)
    tied = right_censored([1, 0, 1], [2, 2, 3])
    scorer = get_scorer("concordance_index", strict_times=True)
    assert scorer(Known(), [[5], [1], [6]], tied) == 1.0
    assert get_scorer("concordance_index")(Known(), [[5], [1], [6]], tied) == 0.5


# A time or a risk

DIRECTION_Y = right_censored([1, 1, 0, 1, 0, 1], [2, 4, 6, 7, 9, 11])
DIRECTION_X = np.array([[3], [5], [5.5], [6], [12], [10]])


def wrappings(model):
    """The model, and where a search or a pipeline holds it."""
    steps = make_pipeline(StandardScaler(with_mean=False), model)
    yield from (model, steps, Outer(model), make_pipeline(Outer(steps)))
    for inner in (model, steps):
        yield GridSearchCV(inner, {}, cv=CV, scoring=get_scorer("concordance_index"))


@pytest.mark.filterwarnings("ignore:.*predicts a risk")
@pytest.mark.parametrize(("kind", "score"), [(Known, 1.0), (KnownRisk, 0.0)])
@pytest.mark.parametrize("name", WITH_STRATA)
def test_the_direction_is_read_from_the_estimator(kind, score, name):
    """Times in perfect order: as risks they would be in the reverse order throughout."""
    for model in wrappings(kind()):
        fitted = model.fit(DIRECTION_X, DIRECTION_Y)
        assert get_scorer(name)(fitted, DIRECTION_X, DIRECTION_Y) == score
        assert get_scorer([name])(fitted, DIRECTION_X, DIRECTION_Y) == {name: score}
        for direction, declared in (("time", 1.0), ("risk", 0.0)):
            scorer = get_scorer(name, prediction=direction)
            assert scorer(fitted, DIRECTION_X, DIRECTION_Y) == declared
            group = get_scorer([name, "neg_observed_mae"], prediction=direction)
            assert group(fitted, DIRECTION_X, DIRECTION_Y)[name] == declared


def test_the_direction_is_that_of_the_model_which_the_search_chose():
    search = GridSearchCV(
        Outer(Known()),
        {"estimator": [KnownRisk()]},
        cv=CV,
        scoring=get_scorer("concordance_index", replace_undefined_by=0.5),
    ).fit(DIRECTION_X, DIRECTION_Y)
    assert search.score(DIRECTION_X, DIRECTION_Y) == search.best_score_ == 0.0


def test_any_other_estimator_predicts_a_time():
    scorer = get_scorer("concordance_index")
    model = LinearRegression().fit(DIRECTION_X, DIRECTION_Y["time"])
    assert scorer(model, DIRECTION_X, DIRECTION_Y) == 1.0
    assert scorer(model, -DIRECTION_X, DIRECTION_Y) == 0.0  # nothing is flipped


def test_the_regressor_of_this_library_predicts_a_time():
    scorer = get_scorer("concordance_index")
    for model in wrappings(IPCWRegressor(Ridge())):
        fitted = model.fit(DIRECTION_X, DIRECTION_Y)
        score = scorer(fitted, DIRECTION_X, DIRECTION_Y)
        assert score == concordance_index(DIRECTION_Y, fitted.predict(DIRECTION_X)) > 0.5


def sksurv_model(path, **options):
    module, name = path.split(".")
    return getattr(pytest.importorskip(f"sksurv.{module}"), name)(**options)


COX = "linear_model.CoxPHSurvivalAnalysis"
RIDGE = "linear_model.IPCRidge"
TREES = "ensemble.GradientBoostingSurvivalAnalysis"
LINES = "ensemble.ComponentwiseGradientBoostingSurvivalAnalysis"
SVM = "svm.FastSurvivalSVM"


@pytest.mark.parametrize(
    ("path", "options", "direction"),
    [
        (COX, {}, "risk"),
        (RIDGE, {}, "time"),
        (TREES, {"n_estimators": 9, "loss": "coxph"}, "risk"),
        (TREES, {"n_estimators": 9, "loss": "ipcwls"}, "time"),
        (TREES, {"n_estimators": 9, "loss": "squared"}, "time"),
        (LINES, {"loss": "coxph"}, "risk"),
        (LINES, {"loss": "ipcwls"}, "time"),
        (SVM, {"random_state": 0}, "risk"),
        (SVM, {"random_state": 0, "rank_ratio": 0.0, "fit_intercept": True}, "time"),
    ],
)
def test_the_direction_of_scikit_survival(path, options, direction, data):
    """A model fitted to its own rows orders them well, if read the right way round."""
    X, y = data
    y = right_censored(y["event"], 1 + 9 * y["time"])
    scorer = get_scorer("concordance_index")
    for wrapped in wrappings(sksurv_model(path, **options)):
        fitted = wrapped.fit(X, y)
        score = scorer(fitted, X, y)
        assert score > 0.7
        assert score == concordance_index(y, fitted.predict(X), prediction=direction)
        other = {"risk": "time", "time": "risk"}[direction]
        assert get_scorer("concordance_index", prediction=other)(fitted, X, y) < 0.3


def test_the_score_of_a_cox_model_is_that_of_scikit_survival(data):
    X, y = data
    model = sksurv_model(COX).fit(X, y)
    assert get_scorer("concordance_index")(model, X, y) == pytest.approx(model.score(X, y))


# Several metrics at once


def test_several_metrics_read_one_prediction(data):
    X, y = data
    Known.asked.clear()
    scores = get_scorer(THREE)(Known(), X, y)
    assert Known.asked == [60]
    assert scores == {name: get_scorer(name)(Known(), X, y) for name in THREE}


def test_a_search_with_a_list_asks_once_a_fold(data):
    X, y = data
    search = GridSearchCV(
        Known(), {"shift": [0.0, 1.0]}, scoring=get_scorer(THREE), refit=THREE[1], cv=CV
    )
    Known.asked.clear()
    search.fit(X, y)
    assert Known.asked == [20] * 6
    for name in THREE:
        alone = cross_val_score(Known(), X, y, cv=CV, scoring=get_scorer(name))
        found = [search.cv_results_[f"split{fold}_test_{name}"][0] for fold in range(3)]
        assert_array_equal(found, alone)


def test_options_of_a_list_go_to_the_metrics_that_have_them(data):
    X, y = data
    scores = get_scorer(THREE, tau=2.0, prediction="risk")(Known(), X, y)
    assert scores == {
        "concordance_index": concordance_index(y, X[:, 0], prediction="risk"),
        "concordance_index_ipcw": concordance_index_ipcw(y, X[:, 0], prediction="risk", tau=2.0),
        "neg_observed_mae": -observed_mae(y, X[:, 0]),
    }


def test_weights_go_to_all_of_a_list_when_the_scorer_is_called(data):
    X, y = data
    weight = np.arange(60) % 4
    scores = get_scorer(THREE)(Known(), X, y, sample_weight=weight)
    assert scores == {name: get_scorer(name)(Known(), X, y, sample_weight=weight) for name in THREE}
    strata = np.arange(60) % 3
    scores = get_scorer(WITH_STRATA)(Known(), X, y, strata=strata)
    assert scores == {name: get_scorer(name)(Known(), X, y, strata=strata) for name in WITH_STRATA}


def test_train_scores_of_a_list(data):
    X, y = data
    results = cross_validate(
        Known(), X, y, cv=CV, scoring=get_scorer(THREE), return_train_score=True
    )
    for fold, (train, test) in enumerate(CV.split(X, y)):
        for name in THREE:
            assert results[f"train_{name}"][fold] == signed(name, y[train], X[train, 0])
            assert results[f"test_{name}"][fold] == signed(name, y[test], X[test, 0])


def scorings(y):
    """Three metrics as a dict with names of one's own, and as a list."""
    tau = usable_tau(CV, y)
    curve = KaplanMeier(reverse=True).fit(y)
    yield (
        {
            "c": get_scorer("concordance_index"),
            "uno": get_scorer("concordance_index_ipcw", censoring=curve, tau=tau),
            "mae": get_scorer("neg_observed_mae"),
        },
        ["c", "uno", "mae"],
    )
    yield get_scorer(THREE, censoring=curve, tau=tau), THREE


def searched(model, grid, data, scoring, refit, **options):
    return GridSearchCV(
        model, grid, scoring=scoring, refit=refit, cv=CV, error_score="raise", **options
    ).fit(*data)


@pytest.mark.filterwarnings("ignore:.*predicts a risk")
@pytest.mark.parametrize(
    ("path", "parameter", "direction"),
    [("own", "estimator__alpha", "time"), (COX, "alpha", "risk"), (RIDGE, "alpha", "time")],
)
def test_three_metrics_in_one_search(path, parameter, direction, data):
    """The model is passed as it is: its parameters keep their names, and it stays unfitted."""
    X, y = data
    model = IPCWRegressor(Ridge()) if path == "own" else sksurv_model(path)
    grid = {parameter: [1e-3, 1e3]}
    before = repr(vars(model))
    tables = []
    for scoring, names in scorings(y):
        search = searched(model, grid, data, scoring, names[1])
        assert list(search.best_params_) == [parameter]
        assert repr(vars(model)) == before
        table = [search.cv_results_[f"split{k}_test_{n}"] for k in range(3) for n in names]
        tables.append(np.transpose(table))
        means = search.cv_results_[f"mean_test_{names[1]}"]
        assert search.best_index_ == np.argmax(means)
        assert search.score(X, y) > 0.5
    assert_array_equal(tables[0], tables[1])
    by_hand, curve, tau = [], KaplanMeier(reverse=True).fit(y), usable_tau(CV, y)
    for value in grid[parameter]:
        for train, test in CV.split(X, y):
            one = clone(model).set_params(**{parameter: value}).fit(X[train], y[train])
            pair = y[test], one.predict(X[test])
            options = {"prediction": direction, "censoring": curve, "tau": tau}
            by_hand += [
                concordance_index(*pair, prediction=direction),
                concordance_index_ipcw(*pair, **options),
                -observed_mae(*pair),
            ]
    assert_array_equal(tables[0].ravel(), by_hand)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_two_jobs_give_the_same_numbers(data, backend):
    grid = {"estimator__alpha": [1e-3, 1e3]}
    for scoring, names in scorings(data[1]):
        one = searched(IPCWRegressor(Ridge()), grid, data, scoring, names[1])
        with joblib.parallel_config(backend=backend):
            two = searched(IPCWRegressor(Ridge()), grid, data, scoring, names[1], n_jobs=2)
        for key, values in one.cv_results_.items():
            if "test" in key:
                assert_array_equal(two.cv_results_[key], values)
        assert two.best_params_ == one.best_params_


def test_the_censoring_of_the_training_rows_can_be_passed(data):
    X, y = data
    train, test = next(CV.split(X, y))
    tau = usable_tau([(train, test)], y)
    scores = {
        "training rows": get_scorer("concordance_index_ipcw", censoring=y[train], tau=tau),
        "test rows": get_scorer("concordance_index_ipcw", tau=tau),
    }
    results = cross_validate(Known(), X, y, cv=[(train, test)], scoring=scores)
    for name, reference in (("training rows", y[train]), ("test rows", None)):
        expected = concordance_index_ipcw(y[test], X[test, 0], censoring=reference, tau=tau)
        assert results[f"test_{name}"] == [expected]
    assert results["test_training rows"] != results["test_test rows"]


# Folds without a value

SORTED = right_censored([1, 1, 1, 0, 0, 0], [1, 2, 3, 4, 5, 6])
SORTED_X = np.arange(6.0)[:, np.newaxis]


@pytest.mark.parametrize("name", WITH_STRATA)
@pytest.mark.parametrize("error_score", [np.nan, "raise"])
def test_an_undefined_fold_is_nan_and_says_why(name, error_score):
    message = rf"{name} is undefined.*no comparable pair among 3 rows, 0 of them with an event, "
    with pytest.warns(UndefinedMetricWarning, match=message + "with times from 4.0 to 6.0"):
        scores = cross_val_score(
            Known(), SORTED_X, SORTED, cv=2, scoring=get_scorer(name), error_score=error_score
        )
    assert_array_equal(scores, [1.0, np.nan])


@pytest.mark.parametrize("name", ["concordance_index", ["concordance_index"]], ids=str)
@pytest.mark.filterwarnings("ignore:One or more of the test scores:UserWarning")
def test_an_undefined_fold_is_heard_in_a_search(name):
    search = GridSearchCV(
        Known(),
        {"shift": [0.0, 1.0]},
        scoring=get_scorer(name),
        refit=False,
        cv=2,
        error_score="raise",
    )
    message = "0 of them with an event, with times from 4.0 to 6.0"
    with pytest.warns(UndefinedMetricWarning, match=message):
        search.fit(SORTED_X, SORTED)
    key = "score" if isinstance(name, str) else name[0]
    assert_array_equal(search.cv_results_[f"split0_test_{key}"], 1.0)
    assert_array_equal(search.cv_results_[f"split1_test_{key}"], np.nan)


def test_a_metric_without_a_value_does_not_silence_the_others():
    y = right_censored([1, 0, 0], [5, 1, 2])
    with pytest.warns(UndefinedMetricWarning, match="times from 1.0 to 5.0"):
        scores = get_scorer(["concordance_index", "neg_observed_mae"])(Known(), SORTED_X[:3], y)
    assert np.isnan(scores["concordance_index"])
    assert scores["neg_observed_mae"] == -5.0


def test_a_value_for_undefined_folds_lets_the_search_decide():
    scorer = get_scorer("concordance_index", replace_undefined_by=0.5)
    search = GridSearchCV(Known(), {"shift": [0.0, 1.0]}, scoring=scorer, cv=2)
    search.fit(SORTED_X, SORTED)
    assert_array_equal(search.cv_results_["split1_test_score"], 0.5)
    assert_array_equal(search.cv_results_["mean_test_score"], 0.75)


def test_weights_that_cannot_be_known_name_the_largest_tau():
    y = right_censored([1, 1, 1, 0], [1, 3, 4, 9])
    reference = right_censored([1, 0], [1, 2])
    scorer = get_scorer("concordance_index_ipcw", censoring=reference)
    with pytest.warns(UndefinedMetricWarning, match=r"unknown before time 3.0; use tau=3.0"):
        assert np.isnan(scorer(Known(), SORTED_X[:4], y))
    scorer = get_scorer("concordance_index_ipcw", censoring=reference, tau=3.0)
    assert scorer(Known(), SORTED_X[:4], y) == 1.0


# Weights and strata


def routed(scoring, data, **params):
    with sklearn.config_context(enable_metadata_routing=True):
        return cross_validate(
            Known(), *data, cv=KFold(3), scoring=scoring, params=params, error_score="raise"
        )


def expected_folds(name, data, **params):
    X, y = data
    return [
        signed(name, y[test], X[test, 0], **{key: part[test] for key, part in params.items()})
        for _, test in KFold(3).split(X)
    ]


def requesting(name, **requests):
    with sklearn.config_context(enable_metadata_routing=True):
        return any_scorer(name).set_score_request(**requests)


WEIGHT, STRATA = np.arange(60) % 4, np.where(np.arange(60) % 3, "a", "b")


@pytest.mark.parametrize("name", POINTS)
def test_weights_are_routed_to_a_scorer_that_asks(name, data):
    scores = routed(requesting(name, sample_weight=True), data, sample_weight=WEIGHT)
    expected = expected_folds(name, data, sample_weight=WEIGHT)
    assert_array_equal(scores["test_score"], expected)
    assert not np.allclose(expected, expected_folds(name, data))


@pytest.mark.parametrize("name", WITH_STRATA)
def test_strata_are_routed_to_a_scorer_that_asks(name, data):
    scorer = requesting(name, sample_weight=True, strata="center")
    scores = routed(scorer, data, sample_weight=WEIGHT, center=STRATA)
    expected = expected_folds(name, data, sample_weight=WEIGHT, strata=STRATA)
    assert_array_equal(scores["test_score"], expected)
    assert not np.allclose(expected, expected_folds(name, data, sample_weight=WEIGHT))


def test_each_of_several_scorers_gets_what_it_asks_for(data):
    scoring = {
        "both": requesting("concordance_index", sample_weight=True, strata=True),
        "strata": requesting("concordance_index_ipcw", sample_weight=False, strata=True),
        "weight": requesting("neg_observed_mae", sample_weight=True, strata=False),
    }
    scores = routed(scoring, data, sample_weight=WEIGHT, strata=STRATA)
    weight, strata = {"sample_weight": WEIGHT}, {"strata": STRATA}
    expected = {
        "both": expected_folds("concordance_index", data, **weight, **strata),
        "strata": expected_folds("concordance_index_ipcw", data, **strata),
        "weight": expected_folds("neg_observed_mae", data, **weight),
    }
    for name, folds in expected.items():
        assert_array_equal(scores[f"test_{name}"], folds)


def test_strata_pass_by_the_scorers_that_know_none(data):
    strata = {"strata": STRATA}
    with sklearn.config_context(enable_metadata_routing=True):
        together = get_scorer(["concordance_index", "neg_observed_mae"])
        together.set_score_request(strata=True)
    apart = {
        "concordance_index": requesting("concordance_index", strata=True),
        "neg_observed_mae": get_scorer("neg_observed_mae"),
    }
    for scoring in (together, apart):
        scores = routed(scoring, data, **strata)
        expected = expected_folds("concordance_index", data, **strata)
        assert_array_equal(scores["test_concordance_index"], expected)
        expected = expected_folds("neg_observed_mae", data)
        assert_array_equal(scores["test_neg_observed_mae"], expected)


def test_strata_are_refused_where_nobody_knows_them(data):
    with pytest.raises(TypeError, match="strata"):
        routed(get_scorer("neg_observed_mae"), data, strata=STRATA)
    with pytest.raises(ValueError, match=r"observed_mae takes no \['strata'\]"):
        requesting("neg_observed_mae", strata=True)(Known(), *data, strata=STRATA)


def test_weights_reach_a_search_and_its_score(data):
    X, y = data
    scorer = requesting("concordance_index", sample_weight=True)
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(Known(), {"shift": [0.0]}, scoring=scorer, cv=KFold(3))
        search.fit(X, y, sample_weight=WEIGHT)
        final = search.score(X, y, sample_weight=WEIGHT)
    expected = expected_folds("concordance_index", data, sample_weight=WEIGHT)
    assert search.best_score_ == pytest.approx(np.mean(expected))
    assert final == concordance_index(y, X[:, 0], sample_weight=WEIGHT)


@pytest.mark.parametrize(
    "scoring", [get_scorer("concordance_index"), get_scorer(THREE)], ids=["one", "list"]
)
def test_weights_that_nobody_asked_for_are_refused(scoring, data):
    for params in ({"sample_weight": WEIGHT}, {"strata": STRATA}):
        with pytest.raises((TypeError, ValueError), match=next(iter(params))):
            routed(scoring, data, **params)


def test_only_weights_and_strata_can_be_asked_for():
    with sklearn.config_context(enable_metadata_routing=True):
        for name in ("y_true", "estimator", "censoring", "tau", "prediction"):
            with pytest.raises(TypeError, match=name):
                get_scorer("concordance_index_ipcw").set_score_request(**{name: True})


# Copies


@pytest.mark.parametrize("name", [*POINTS, THREE], ids=str)
def test_copies_give_the_same_scores(name, data):
    X, y = data
    scorer = get_scorer(name) if name is THREE else any_scorer(name)
    expected = scorer(Known(), X, y)
    search = GridSearchCV(Known(), {}, scoring=scorer)
    copies = clone(scorer), pickle.loads(pickle.dumps(scorer)), clone(search).scoring
    for copy in copies:
        assert copy is not scorer
        assert copy(Known(), X, y) == expected
        assert repr(copy) == repr(scorer)


@pytest.mark.parametrize("reference", ["rows", "curve", "frame"])
def test_copies_keep_their_options(reference, data):
    X, y = data
    curve = KaplanMeier(reverse=True).fit(y[:30])
    censoring = {"rows": y[:30], "curve": curve, "frame": pd.DataFrame(y[:30])}[reference]
    for name in ("concordance_index_ipcw", WITH_STRATA):
        scorer = get_scorer(name, censoring=censoring, tau=2.0, prediction="risk")
        expected = scorer(Known(), X, y)
        assert clone(scorer)(Known(), X, y) == expected
        assert pickle.loads(pickle.dumps(scorer))(Known(), X, y) == expected


def test_copies_keep_their_requests(data):
    scorer = requesting("concordance_index", sample_weight=True, strata=False)
    expected = expected_folds("concordance_index", data, sample_weight=WEIGHT)
    with sklearn.config_context(enable_metadata_routing=True):
        copies = clone(scorer), pickle.loads(pickle.dumps(scorer))
    for copy in copies:
        assert_allclose(routed(copy, data, sample_weight=WEIGHT)["test_score"], expected)


def test_the_repr_names_metric_and_options():
    scorer = get_scorer("concordance_index_ipcw", tau=2.5, prediction="risk")
    assert repr(scorer) == "CensoredScorer(concordance_index_ipcw, tau=2.5, prediction='risk')"
    assert "observed_mae" in repr(get_scorer("neg_observed_mae"))
    assert "greater_is_better=False" in repr(get_scorer("neg_observed_mae"))
    assert all(name in repr(get_scorer(THREE)) for name in THREE)
    assert "concordance_index" in repr(GridSearchCV(Known(), {}, scoring=scorer))


# Options that are refused


@pytest.mark.parametrize("name", CENSORED)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [0, 1]}, r"takes no \['labels'\]; it takes \["),
        ({"strata": STRATA}, r"takes no \['strata'\].* Route \['strata'\] with set_score_request"),
        ({"sample_weight": WEIGHT}, r"takes no \['sample_weight'\].* Route .*set_score_request"),
        ({"y_pred": [1]}, r"takes no \['y_pred'\]"),
    ],
)
def test_options_that_the_metric_lacks_are_refused_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message):
        any_scorer(name, **options)
    with pytest.raises(ValueError, match=message):
        get_scorer([name], **options)


@pytest.mark.parametrize("direction", ["late", None])
def test_a_direction_is_checked_when_the_scorer_is_made(direction):
    told = f"prediction={direction!r} is not known; use one of 'time'"
    with pytest.raises(ValueError, match=told):
        get_scorer("concordance_index", prediction=direction)


@pytest.mark.parametrize(
    ("name", "option", "told"),
    [
        ("neg_censored_log_loss", {"family": "gauss"}, r"family='gauss' is not known; use one of"),
        (
            "neg_censored_log_loss",
            {"scale": 0},
            r"scale=0 must be a finite number, above 0; it is a",
        ),
        ("neg_censored_crps", {"scale": [1, 2]}, r"scale=\[1, 2\] must be a finite number"),
        ("neg_censored_quantile_loss", {"quantile": 90}, "quantile=90 must be a finite .*below 1"),
        ("integrated_auc", {"times": [1, np.nan]}, r"times has 1 missing value\(s\)"),
        ("integrated_auc", {"times": []}, "times is empty"),
    ],
)
def test_options_of_distributions_and_times_are_checked_when_the_scorer_is_made(name, option, told):
    """What is raised only in the folds, a search may swallow."""
    for asked in (name, [name, "concordance_index"]):
        with pytest.raises(ValueError, match=f"^{told}"):
            get_scorer(asked, **option)


def test_the_times_of_an_area_are_needed():
    told = r"get_scorer\('integrated_auc'\) needs \['times'\]; pass times="
    for name in ("integrated_auc", ["concordance_index", "integrated_auc"]):
        with pytest.raises(ValueError, match=told):
            get_scorer(name)


def test_errors_have_no_direction():
    with pytest.raises(ValueError, match=r"takes no \['prediction'\]"):
        get_scorer("neg_observed_mae", prediction="risk")


def test_arguments_of_a_call_that_nobody_knows_are_refused(data):
    X, y = data
    for scorer in (get_scorer("concordance_index"), get_scorer(THREE)):
        with pytest.raises(TypeError, match="weights"):
            scorer(Known(), X, y, weights=WEIGHT)


def test_errors_of_a_risk_are_called_meaningless():
    class Risk(BaseEstimator):
        _predict_risk_score = True

        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.zeros(len(X))

    y = right_censored([1, 1], [1, 2])
    with pytest.warns(UserWarning, match="Risk predicts a risk: the value has no meaning"):
        get_scorer("neg_observed_mae")(Risk(), [[0], [1]], y)


@pytest.mark.parametrize(
    "options", [{"tau": object()}, {"tau": np.nan}, {"censoring": "foo"}, {"censoring": [1]}]
)
def test_references_are_checked_when_the_scorer_is_made(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        get_scorer("concordance_index_ipcw", **options)


def test_requests_of_a_list_reach_those_that_read_them():
    group = get_scorer(["concordance_index", "neg_observed_mae"])
    with sklearn.config_context(enable_metadata_routing=True):
        group.set_score_request(sample_weight=True, strata=True)
    harrell, error = group.scorers.values()
    assert harrell.get_metadata_routing().score.requests["strata"] is True
    assert error.get_metadata_routing().score.requests["sample_weight"] is True


class LocationAndScale(BaseEstimator):
    """Predicts two columns, which are no predictions at two times."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.column_stack([np.asarray(X)[:, 0], np.ones(len(X))])


class ByTime(LocationAndScale):
    """Predicts a column for each time, and says so."""

    def predict(self, X):
        return pd.DataFrame(super().predict(X), columns=[1.0, 2.0])


@pytest.mark.parametrize("as_list", [False, True])
def test_columns_that_may_be_anything_are_no_predictions_at_times(as_list):
    y, X = right_censored([1, 1, 0], [1, 2, 3]), [[1.0], [2.0], [3.0]]
    name = "integrated_auc"
    scorer = get_scorer([name] if as_list else name, times=[1, 2])
    told = r"^LocationAndScale\.predict gives the shape \(3, 2\), but the scorer of integrated_auc"
    with pytest.raises(ValueError, match=told):
        scorer(LocationAndScale(), X, y)
    score = scorer(ByTime(), X, y)
    assert (score[name] if as_list else score) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"method": "km"}, "method='km' is not known"),
        ({"method": "ipcw", "normalize": True}, "normalize=True is not known"),
        ({"normalize": "horvitz_thompson"}, "normalize is for method='ipcw'"),
        ({"method": "margin", "censoring": right_censored([0, 1], [1, 2])}, "censoring is for"),
        ({"replace_undefined_by": "0"}, "replace_undefined_by='0' must be a number"),
    ],
)
def test_options_of_errors_are_checked_when_the_scorer_is_made(options, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        get_scorer("neg_censored_mae", **options)
