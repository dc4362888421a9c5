"""Objects are readable, as text and as HTML."""

import inspect
import pickle
import re
from functools import partial

import numpy as np
import pytest
from registry import CENSORED_METRICS, CURVE_METRICS
from registry_calls import (
    COST,
    CURVES,
    TARGET,
    TRUE,
    X,
)
from registry_censored import TIMES
from registry_results import RESULTS
from sklearn import set_config
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

import sklearn_ordinal_censored as package
from sklearn_ordinal_censored import (
    CensoredCVSplitter,
    IPCWRegressor,
    KaplanMeier,
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    Turnbull,
    _site,
    get_scorer,
    get_scorer_names,
    lightgbm_metric,
    lightgbm_objective,
    right_censored,
    xgboost_metric,
    xgboost_objective,
)

# --- repr

NEEDED = {"cost_matrix": COST, "times": TIMES, "scale": 1.0}


def make(name, **options):
    takes = inspect.signature(package.__dict__[name.removeprefix("neg_")]).parameters
    needed = {
        k: v for k, v in NEEDED.items() if k in takes and name != "neg_cost_weighted_log_loss"
    }
    return get_scorer(name, **needed | options)


SHOWN_IN_SEARCH = sorted({*CENSORED_METRICS, *CURVE_METRICS, "neg_ranked_probability_score"})


@pytest.mark.parametrize("name", get_scorer_names())
def test_scorers_name_their_metric_without_an_address(name):
    text = repr(make(name))
    assert name.removeprefix("neg_") in text
    assert ("greater_is_better=False" in text) == name.startswith("neg_")
    assert "0x" not in text


@pytest.mark.parametrize("name", SHOWN_IN_SEARCH)
@pytest.mark.parametrize("changed_only", [True, False])
def test_searches_show_scorers_as_they_are(name, changed_only):
    scorer = make(name)
    try:
        set_config(print_changed_only=changed_only)
        text = repr(GridSearchCV(Ridge(), {"alpha": [1.0]}, scoring=scorer))
    finally:
        set_config(print_changed_only=True)
    assert f"scoring={scorer!r}" in text


def test_searches_show_groups_of_scorers():
    group = get_scorer(["concordance_index", "neg_observed_mae"])
    assert repr(group) == (
        "ScorerGroup({'concordance_index': CensoredScorer(concordance_index), "
        "'neg_observed_mae': CensoredScorer(observed_mae, greater_is_better=False)})"
    )
    search = GridSearchCV(Ridge(), {"alpha": [1.0]}, scoring=group, refit=False)
    assert f"scoring={group!r}" in repr(search)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("concordance_index_ipcw", {"censoring": right_censored(np.ones(999), np.arange(999))}),
        ("neg_integrated_brier_score", {"times": np.linspace(0, 1, 1000)}),
        ("neg_ranked_probability_score", {"labels": np.arange(900)}),
        ("neg_ranked_probability_score", {"labels": list(range(900))}),
        ("neg_cost_weighted_log_loss", {"cost_matrix": np.ones((90, 90)) - np.eye(90)}),
    ],
)
def test_scorers_with_long_options_are_one_short_line(name, options):
    scorer = get_scorer(name, **options)
    for copy in (scorer, clone(scorer), pickle.loads(pickle.dumps(scorer))):
        assert len(repr(copy)) < 600
        assert "\n" not in repr(copy)
        assert "..." in repr(copy)


def predict_curves(estimator, X, times):
    return CURVES


def test_a_response_is_shown_by_its_name():
    scorer = get_scorer("neg_integrated_brier_score", times=TIMES, response=predict_curves)
    assert repr(scorer) == (
        "CurveScorer(integrated_brier_score, greater_is_better=False, times=[1.0, 2.5, 4.0], "
        "response=predict_curves)"
    )


def test_scorers_are_no_estimators():
    # A search prints an estimator's parameters, a metric with its address among them.
    for name in get_scorer_names():
        assert not isinstance(make(name), BaseEstimator)
    assert not isinstance(get_scorer(["concordance_index"]), BaseEstimator)


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_results_show_their_fields_in_one_short_line(name):
    result = RESULTS[name]()
    text = repr(result)
    assert text.startswith(f"{name.partition('-')[0]}(")
    assert len(text) < 700
    assert "\n" not in text
    for field in ("estimate", "difference", "standard_error", "pvalue", "thresholds", "low"):
        assert not hasattr(result, field) or f"{field}=" in text
    assert not re.search(r"\b_[a-z]", text)  # what is private stays so


FITTED = {
    "IPCWRegressor": lambda: IPCWRegressor(
        Ridge(), censoring=KaplanMeier(reverse=True).fit(TARGET)
    ).fit(X, TARGET),
    "KaplanMeier": lambda: KaplanMeier().fit(TARGET),
    "OrdinalDecisionClassifier": lambda: OrdinalDecisionClassifier(LogisticRegression()).fit(
        X, TRUE
    ),
    "OrdinalThresholdOptimizer": lambda: OrdinalThresholdOptimizer(
        make_pipeline(StandardScaler(), Ridge()), labels=np.arange(4)
    ).fit(X, TRUE),
    "Turnbull": lambda: Turnbull().fit(TARGET),
}
fitted = pytest.mark.parametrize("name", FITTED)


@fitted
def test_estimators_follow_the_configuration(name):
    estimator = FITTED[name]()
    try:
        set_config(print_changed_only=False)
        text = repr(estimator)
    finally:
        set_config(print_changed_only=True)
    for parameter in estimator.get_params(deep=False):
        assert f"{parameter}=" in text
    assert "verbose" not in repr(estimator)


@pytest.mark.parametrize(
    "estimator",
    [
        OrdinalThresholdOptimizer(Ridge(), labels=np.arange(1000), objective=np.ones((99, 99))),
        OrdinalDecisionClassifier(
            LogisticRegression(), decision="cost", cost_matrix=np.ones((99, 99))
        ),
        IPCWRegressor(Ridge(), censoring=right_censored(np.ones(5000), np.arange(5000))),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_long_parameters_are_shortened(estimator):
    assert len(repr(estimator)) < 2000
    assert "..." in repr(estimator)


def test_the_splitter_shows_its_parameters_as_others_do():
    text = " ".join(repr(CensoredCVSplitter(3, random_state=0)).split())
    assert text == (
        "CensoredCVSplitter(min_events=1, n_repeats=1, n_splits=3, random_state=0, shuffle=True, "
        "stratify='event+time', time_support='any')"
    )


@pytest.mark.parametrize(
    ("factory", "name"),
    [
        (lightgbm_metric, "quadratic_weighted_kappa"),
        (xgboost_metric, "minus_quadratic_weighted_kappa"),
        (lightgbm_objective, "soft_weighted_kappa"),
        (xgboost_objective, "soft_weighted_kappa"),
    ],
)
def test_functions_for_boosters_are_readable(factory, name):
    function = factory(labels=np.arange(50))
    for copy in (function, pickle.loads(pickle.dumps(function))):
        assert copy.__name__ == name
        assert repr(copy).startswith(f"{factory.__name__}(")
        assert "labels=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...]" in repr(copy)


# --- HTML

SEARCHES = {
    "pipeline": lambda model: make_pipeline(StandardScaler(), model),
    "search": partial(GridSearchCV, param_grid={"estimator__alpha": [1.0]}),
}


@fitted
@pytest.mark.parametrize("is_fitted", [True, False])
def test_html_names_the_estimator_and_those_inside(name, is_fitted):
    estimator = FITTED[name]()
    html = (estimator if is_fitted else clone(estimator))._repr_html_()
    assert name in html
    for inner in ("Ridge", "LogisticRegression", "StandardScaler"):
        assert (inner in repr(estimator)) == (inner in html)


def links(estimator):
    return re.findall(r'href="([^"#]*)', estimator_html_repr(estimator))


@fitted
def test_nothing_links_to_a_site_that_is_not_there(name):
    estimator = FITTED[name]()
    assert all(link.startswith("https://scikit-learn.org/") for link in links(estimator))


@pytest.mark.parametrize("around", SEARCHES)
@pytest.mark.parametrize("inner", [IPCWRegressor, OrdinalThresholdOptimizer])
def test_links_inside_pipelines_and_searches(inner, around, monkeypatch):
    outer = SEARCHES[around](inner(Ridge()))
    assert not [link for link in links(outer) if "scikit-learn.org" not in link]
    monkeypatch.setattr(_site, "SITE", "https://example.org/docs")
    own = {link for link in links(outer) if "scikit-learn.org" not in link}
    home = inner.__module__.rpartition("._")[0]
    expected = {f"https://example.org/docs/generated/{home}.{inner.__name__}.html"}
    assert own <= expected  # scikit-learn does not link every outer name
    assert "Ridge" in outer._repr_html_()
