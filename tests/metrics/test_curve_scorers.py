"""Scorers of survival curves: what they ask of a model, and what they make of the answer."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from folds import some_rows
from numpy.testing import assert_array_equal
from registry import CURVE_METRICS
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from survival_models import ByFunctions, ByTimes, Model

from sklearn_ordinal_censored.metrics import get_scorer, get_scorer_names, integrated_brier_score
from sklearn_ordinal_censored.metrics._scorer import OnePrediction
from sklearn_ordinal_censored.metrics._scorers import REGISTRY
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored

BRIER, ANTOLINI = "neg_integrated_brier_score", "antolini_concordance_index"
FOUR = [BRIER, ANTOLINI, "integrated_auc", "concordance_index"]
TIMES = [0.25, 0.5, 1.0, 1.5]
CV = CensoredCVSplitter(3, random_state=0)
WEIGHT = np.arange(60) % 4


class Half(TransformerMixin, BaseEstimator):
    """A transformer that has nothing to learn, and leaves no attribute behind."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return np.asarray(X) / 2


@pytest.fixture(scope="module")
def data():
    X, y = some_rows(60, seed=3)
    return np.exp(-X[:, :1]), y


@pytest.fixture
def asked():
    Model.asked.clear()
    return Model.asked


def make(name, **options):
    return get_scorer(name, **{"times": TIMES} | options)


def signed(name, y, curves, **options):
    row = REGISTRY[name]
    value = row.metric(y, curves, **{"times": TIMES} | options)
    return value if row.greater_is_better else -value


every_name = pytest.mark.parametrize("name", CURVE_METRICS)
both_models = pytest.mark.parametrize("model", [ByTimes(), ByFunctions()], ids=lambda m: repr(m))

# Names and values


def test_names():
    assert set(CURVE_METRICS) == {BRIER, ANTOLINI} <= set(get_scorer_names())


@every_name
@both_models
def test_a_scorer_is_the_metric_with_its_sign(name, model, data):
    X, y = data
    fitted, scorer = clone(model).fit(X, y), make(name)
    curves = np.exp(-X * TIMES)  # steps at whole hundredths meet these times exactly
    expected = signed(name, y, curves)
    assert scorer(fitted, X, y) == scorer.score(fitted, X, y) == pytest.approx(expected, rel=1e-12)
    assert type(scorer(fitted, X, y)) is float
    weighted = signed(name, y, curves, sample_weight=WEIGHT)
    found = scorer(fitted, X, y, sample_weight=WEIGHT)
    assert found == pytest.approx(weighted, rel=1e-12) != expected


@every_name
def test_curves_in_the_right_order_score_above_their_reversal(name):
    y = right_censored([1, 1, 0, 1, 1], [0.2, 0.4, 0.8, 1.2, 1.6])
    X = 1 / y["time"][:, np.newaxis]
    model = ByTimes().fit(X, y)
    assert make(name)(model, X, y) > make(name)(model, X[::-1], y)


def test_the_censoring_reaches_the_metric(data):
    X, y = data
    other = some_rows(40, seed=8)[1]
    curves, model = np.exp(-X * TIMES), ByTimes().fit(X, y)
    expected = -integrated_brier_score(y, curves, times=TIMES, censoring=other)
    for censoring in (other, pd.DataFrame(other), KaplanMeier(reverse=True).fit(other)):
        assert make(BRIER, censoring=censoring)(model, X, y) == expected
    assert make(BRIER)(model, X, y) != expected


# What a model is asked for


@every_name
def test_step_functions_are_read_up_to_their_last_time(name, data):
    """A fold may be scored later than its training rows were observed."""
    X, y = data
    short = y[y["time"] < 0.6]
    model = ByFunctions().fit(X[: len(short)], short)
    late = [0.25, 0.5, 5.0]
    curves = np.exp(-X * np.floor(100 * np.minimum(late, model.last_)) / 100)
    assert make(name, times=late)(model, X, y) == pytest.approx(signed(name, y, curves, times=late))


def holders(model):
    """Pipelines and searches around a model, with what they do to its features."""
    yield make_pipeline(model), 1
    yield make_pipeline(Half(), model), 1 / 2
    yield make_pipeline(Half(), "passthrough", Half(), model), 1 / 4
    search = GridSearchCV(model, {"factor": [1.0]}, cv=CV, scoring=make(BRIER))
    yield search, 1
    yield make_pipeline(Half(), search), 1 / 2
    inner = make_pipeline(Half(), model)
    yield GridSearchCV(inner, {}, cv=CV, scoring=make(ANTOLINI)), 1 / 2
    yield make_pipeline(Half(), inner), 1 / 4


@both_models
@every_name
def test_the_model_is_found_in_pipelines_and_searches(name, model, data, monkeypatch):
    # scikit-survival adds the method to pipelines; what is tested is that it is not needed.
    monkeypatch.delattr(Pipeline, "predict_survival_function", raising=False)
    X, y = data
    for holder, factor in holders(model):
        fitted = holder.fit(X, y)
        expected = make(name)(clone(model).fit(X, y), factor * X, y)
        assert make(name)(fitted, X, y) == pytest.approx(expected, rel=1e-12)
        group = make([name, "concordance_index"])
        assert group(fitted, X, y)[name] == pytest.approx(expected, rel=1e-12)


@every_name
def test_pipelines_that_scikit_survival_has_added_to(name, data):
    pytest.importorskip("sksurv")
    X, y = data
    assert hasattr(make_pipeline(Half(), ByFunctions()), "predict_survival_function")
    assert not hasattr(make_pipeline(Half(), ByTimes()), "predict_survival_function")
    for model in (ByTimes(), ByFunctions()):
        for holder, factor in holders(model):
            expected = make(name)(clone(model).fit(X, y), factor * X, y)
            found = make(name)(holder.fit(X, y), X, y)
            assert found == pytest.approx(expected, rel=1e-12)


class WithBoth(ByTimes, ByFunctions):
    """Has both methods."""


def test_functions_come_before_a_method_that_takes_times(data, asked):
    X, y = data
    make(BRIER)(WithBoth().fit(X, y), X, y)
    assert asked == ["predict_survival_function"]


TOLD = r"^{} predicts no survival curves: it has neither predict_survival_function\(X\) nor "
TOLD += r"predict_survival\(X, times\)\. Give `response=`, a function \(estimator, X,"


@every_name
def test_a_model_without_curves_is_told_what_to_do(name, data):
    X, y = data
    model = LinearRegression().fit(X, y["time"])
    for fitted, called in (
        (model, "LinearRegression"),
        (make_pipeline(Half(), model), "LinearRegression"),
        (GridSearchCV(Model(), {}), "GridSearchCV"),
    ):
        for scorer in (make(name), make([name, "concordance_index"])):
            with pytest.raises(ValueError, match=TOLD.format(called)):
                scorer(fitted, X, y)


def test_a_search_says_why_a_model_without_curves_has_no_score(data):
    X, y = data
    with pytest.raises(ValueError, match=TOLD.format("Model")):
        cross_val_score(Model(), X, y, cv=CV, scoring=make(BRIER), error_score="raise")
    with pytest.warns(UserWarning, match=r"(?s)Scoring failed.*Model predicts no survival curves"):
        scores = cross_val_score(Model(), X, y, cv=CV, scoring=make(BRIER))
    assert np.isnan(scores).all()


RESPONSES = {
    "array": lambda model, X, times: np.exp(-np.outer(model.hazard(X), times)),
    "lists": lambda model, X, times: np.exp(-np.outer(model.hazard(X), times)).tolist(),
    "frame by times": lambda model, X, times: pd.DataFrame(
        np.exp(-np.outer(times, model.hazard(X))), index=times
    ),
    "frame by rows": lambda model, X, times: pd.DataFrame(
        np.exp(-np.outer(model.hazard(X), times)), columns=times
    ),
    "functions": lambda model, X, times: [
        lambda t, hazard=hazard: np.exp(-hazard * t) for hazard in model.hazard(X)
    ],
}


@every_name
@pytest.mark.parametrize("response", RESPONSES.values(), ids=list(RESPONSES))
def test_what_a_response_may_return(name, response, data):
    """A frame has the times as its index in lifelines and pycox."""
    X, y = data
    expected = signed(name, y, np.exp(-X * TIMES))
    for model in (Model().fit(X, y), ByFunctions().fit(X, y)):
        scorer = make(name, response=response)
        assert scorer(model, X, y) == pytest.approx(expected, rel=1e-12)


def test_a_frame_of_other_times_is_refused(data):
    X, y = data

    def _at_training_times(model, X, times):
        return pd.DataFrame(np.exp(-np.outer([1.0, 2.0], model.hazard(X))), index=[1.0, 2.0])

    with pytest.raises(ValueError, match=r"data frame y_proba has `times`, .* nowhere .*1.0, 2.0"):
        make(BRIER, response=_at_training_times)(Model().fit(X, y), X, y)


def test_a_model_of_lifelines(data):
    lifelines = pytest.importorskip("lifelines")
    X, y = data
    table = pd.DataFrame({"x": X[:, 0], "time": y["time"], "event": y["event"]})
    fitter = lifelines.WeibullAFTFitter().fit(table, "time", "event")
    curves = fitter.predict_survival_function(table[["x"]], times=TIMES)
    assert curves.shape == (4, 60)
    scorer = make(
        BRIER, response=lambda model, X, times: model.predict_survival_function(X, times=times)
    )
    expected = -integrated_brier_score(y, curves.to_numpy().T, times=TIMES)
    assert scorer(fitter, table[["x"]], y) == expected


# Several metrics at once


@both_models
def test_a_list_asks_for_each_response_once(model, data, asked):
    X, y = data
    fitted = clone(model).fit(X, y)
    scores = make(FOUR)(fitted, X, y)
    method = "predict_survival" if isinstance(model, ByTimes) else "predict_survival_function"
    assert sorted(asked) == sorted([method, "predict"])
    times = {"times": TIMES}
    alone = {name: get_scorer(name, **times)(fitted, X, y) for name in FOUR[:3]}
    assert scores == alone | {"concordance_index": get_scorer(FOUR[3])(fitted, X, y)}


def test_a_list_asks_a_pipeline_once(data, asked, monkeypatch):
    monkeypatch.delattr(Pipeline, "predict_survival_function", raising=False)
    X, y = data
    for model in (ByTimes(), ByFunctions()):
        for holder, _ in holders(model):
            fitted = holder.fit(X, y)
            asked.clear()
            make(FOUR[:2])(fitted, X, y)
            assert len(asked) == 1


def test_a_list_asks_a_response_once(data):
    X, y = data
    asked = []

    def _response(model, X, times):
        asked.append((model, times))
        return np.exp(-np.outer(model.hazard(X), times))

    model = ByFunctions().fit(X, y)
    scores = make(FOUR, response=_response)(model, X, y)
    [(found, times)] = asked
    assert found is model  # and nothing that stands in for it
    assert_array_equal(times, TIMES)
    assert scores == make(FOUR)(ByTimes().fit(X, y), X, y)


def test_a_search_with_a_list_asks_once_a_fold(data, asked):
    X, y = data
    search = GridSearchCV(
        ByTimes(), {"factor": [0.5, 1.0]}, scoring=make(FOUR), refit=BRIER, cv=CV
    ).fit(X, y)
    assert asked.count("predict_survival") == asked.count("predict") == 6
    assert len(asked) == 12
    for name in FOUR:
        scorer = make(name) if name in FOUR[:3] else get_scorer(name)
        alone = cross_val_score(ByTimes(0.5), X, y, cv=CV, scoring=scorer)
        found = [search.cv_results_[f"split{fold}_test_{name}"][0] for fold in range(3)]
        assert_array_equal(found, alone)


def test_other_rows_and_times_are_asked_for_anew(data, asked):
    X, y = data
    one = OnePrediction(ByTimes().fit(X, y))
    for rows in (X, X[:5], X[:5].copy()):
        for times in ([1.0], [1.0, 2.0], (1, 2)):
            assert_array_equal(one.survival_curves(rows, times, None), np.exp(-rows * times))
        assert_array_equal(one.predict(rows), 1 / rows[:, 0])
    assert asked == ["predict_survival", "predict_survival", "predict"] * 3


def test_train_scores_of_a_list(data):
    X, y = data
    results = cross_validate(
        ByTimes(), X, y, cv=CV, scoring=make(FOUR), return_train_score=True, error_score="raise"
    )
    for fold, (train, test) in enumerate(CV.split(X, y)):
        for rows, side in ((train, "train"), (test, "test")):
            expected = signed(BRIER, y[rows], np.exp(-X[rows] * TIMES))
            assert results[f"{side}_{BRIER}"][fold] == expected


# Copies and times


@pytest.mark.parametrize("name", [BRIER, ANTOLINI, FOUR], ids=str)
def test_copies_give_the_same_scores(name, data):
    X, y = data
    curve = KaplanMeier(reverse=True).fit(y)
    options = {} if name == ANTOLINI else {"censoring": curve}
    scorer = make(name, **options)
    model = ByFunctions().fit(X, y)
    expected = scorer(model, X, y)
    search = GridSearchCV(model, {}, scoring=scorer)
    for copy in (clone(scorer), pickle.loads(pickle.dumps(scorer)), clone(search).scoring):
        assert copy is not scorer
        assert copy(model, X, y) == expected
        assert repr(copy) == repr(scorer)


def test_copies_of_a_list_ask_once(data, asked):
    X, y = data
    model = ByTimes().fit(X, y)
    scorer = make(FOUR)
    for copy in (clone(scorer), pickle.loads(pickle.dumps(scorer))):
        asked.clear()
        copy(model, X, y)
        assert sorted(asked) == ["predict", "predict_survival"]


def test_times_are_copied_when_the_scorer_is_made(data):
    X, y = data
    model = ByTimes().fit(X, y)
    times = np.array(TIMES)
    scorer, group = make(BRIER, times=times), make(FOUR, times=times)
    expected = scorer(model, X, y), group(model, X, y)
    times += 1
    assert (scorer(model, X, y), group(model, X, y)) == expected


def test_times_are_handed_out_as_copies(data):
    X, y = data

    def _careless(model, X, times):
        assert times.dtype == np.float64
        curves = np.exp(-np.outer(model.hazard(X), times))
        times *= 2
        return curves

    expected, model = signed(BRIER, y, np.exp(-X * TIMES)), Model().fit(X, y)
    for times in (TIMES, np.array(TIMES)):
        scorer = make(BRIER, times=times, response=_careless)
        assert scorer(model, X, y) == scorer(model, X, y) == expected


def test_times_in_any_container_and_order(data):
    X, y = data
    model = ByTimes().fit(X, y)
    expected = make(BRIER)(model, X, y)
    days = pd.to_timedelta(TIMES, unit="D")
    for times in (tuple(TIMES), np.array(TIMES), pd.Series(TIMES), pd.Index(TIMES), days):
        assert make(BRIER, times=times)(model, X, y) == expected
    assert make(BRIER, times=TIMES[::-1])(model, X, y) == pytest.approx(expected, rel=1e-12)


def test_the_repr_names_metric_and_options():
    assert repr(make(BRIER)) == (
        "CurveScorer(integrated_brier_score, greater_is_better=False, times=[0.25, 0.5, 1.0, 1.5])"
    )
    assert "antolini_concordance_index" in repr(make(ANTOLINI))
    assert all(name in repr(make(FOUR)) for name in FOUR)
    assert "integrated_brier_score" in repr(GridSearchCV(Model(), {}, scoring=make(BRIER)))


# Options that are refused


@every_name
def test_the_times_are_needed(name):
    told = rf"get_scorer\('{name}'\) needs \['times'\]; pass times="
    for asked_for in (name, [name, "concordance_index"]):
        with pytest.raises(ValueError, match=told):
            get_scorer(asked_for)


@every_name
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"times": []}, "^times is empty"),
        ({"times": [1, np.inf]}, "^times must be finite"),
        ({"times": [1, np.nan]}, r"^times has 1 missing value\(s\)"),
        ({"times": ["a", "b"]}, "^times must hold numbers"),
        ({"times": None}, "^times"),
        (
            {"response": "predict_survival"},
            r"^response='predict_survival' must be a function \(est",
        ),
        ({"prediction": "risk"}, r"takes no \['prediction'\]"),
        ({"sample_weight": WEIGHT}, r"takes no \['sample_weight'\].* Route .*set_score_request"),
        ({"y_proba": [1]}, r"takes no \['y_proba'\]"),
        ({"labels": [0, 1]}, r"takes no \['labels'\]; it takes \["),
    ],
)
def test_options_are_checked_when_the_scorer_is_made(name, options, told):
    with pytest.raises(ValueError, match=told):
        make(name, **options)
    with pytest.raises(ValueError, match=told):
        make([name], **options)


@pytest.mark.parametrize("times", [[1.0], [1.0, 1.0], 2.0])
def test_an_integral_needs_two_times(times):
    with pytest.raises(ValueError, match=r"^times"):
        make(BRIER, times=times)


@pytest.mark.parametrize("censoring", ["foo", [1], KaplanMeier()])
def test_the_censoring_is_checked_when_the_scorer_is_made(censoring):
    with pytest.raises(ValueError, match=r"KaplanMeier instance|^censoring"):
        make(BRIER, censoring=censoring)


# Weights


def routed(scoring, data, **params):
    with sklearn.config_context(enable_metadata_routing=True):
        return cross_validate(
            ByTimes(), *data, cv=KFold(3), scoring=scoring, params=params, error_score="raise"
        )


def requesting(name, **requests):
    with sklearn.config_context(enable_metadata_routing=True):
        return make(name).set_score_request(**requests)


def folds_of(name, data, weight=None):
    X, y = data
    return [
        signed(
            name,
            y[test],
            np.exp(-X[test] * TIMES),
            sample_weight=None if weight is None else weight[test],
        )
        for _, test in KFold(3).split(X)
    ]


@every_name
def test_weights_are_routed_to_a_scorer_that_asks(name, data):
    scores = routed(requesting(name, sample_weight=True), data, sample_weight=WEIGHT)
    expected = folds_of(name, data, WEIGHT)
    assert_array_equal(scores["test_score"], expected)
    assert not np.allclose(expected, folds_of(name, data))


def test_weights_are_routed_to_all_of_a_list(data):
    scores = routed(requesting(FOUR, sample_weight=True), data, sample_weight=WEIGHT)
    for name in (BRIER, ANTOLINI):
        assert_array_equal(scores[f"test_{name}"], folds_of(name, data, WEIGHT))


@pytest.mark.parametrize("name", [BRIER, FOUR], ids=str)
def test_weights_that_nobody_asked_for_are_refused(name, data):
    with pytest.raises((TypeError, ValueError), match="sample_weight"):
        routed(make(name), data, sample_weight=WEIGHT)


@every_name
def test_only_weights_can_be_asked_for(name):
    with sklearn.config_context(enable_metadata_routing=True):
        for other in ("y_true", "estimator", "times", "censoring", "strata"):
            with pytest.raises(TypeError, match=other):
                make(name).set_score_request(**{other: True})


def test_an_array_without_times_is_refused():
    class Model:
        def predict_survival_function(self, X):
            return np.full((len(X), 2), 0.5)

    y = right_censored([1, 1, 1], [1, 2, 3])
    told = r"^Model.predict_survival_function\(X\) returns neither step functions .*`response=`"
    with pytest.raises(ValueError, match=told):
        get_scorer("neg_integrated_brier_score", times=[1.0, 2.0])(Model(), [[0]] * 3, y)
