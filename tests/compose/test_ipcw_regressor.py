"""`IPCWRegressor`: its weights, what it refuses, and life among scikit-learn's tools."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin, clone, is_regressor
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.metrics import concordance_index, get_scorer
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored

Y = right_censored(event=[1, 0, 1, 1, 0, 1], time=[1, 2, 2, 4, 5, 6])
X = np.array([[1.0], [2.0], [2.5], [4.0], [4.5], [6.0]])
EVENTS = [0, 2, 3, 5]


class Recorder(RegressorMixin, BaseEstimator):
    """Keeps what it was fitted on, and predicts the weighted mean."""

    def fit(self, X, y, sample_weight=None, note=None):
        self.X_, self.y_, self.weight_, self.note_ = X, y, sample_weight, note
        self.mean_ = np.average(y, weights=sample_weight)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def not_censored_before(time, rows):
    """Product over the censorings before `time` of one minus their share of those at risk.

    Rows are (time, event, weight); at a tied time the events have left before the censorings.
    """
    survival = 1.0
    for when in sorted({t for t, event, _ in rows if not event and t < time}):
        lost = sum(w for t, event, w in rows if t == when and not event)
        at_risk = sum(w for t, event, w in rows if t > when or (t == when and not event))
        survival *= 1 - lost / at_risk
    return survival


def oracle_weights(y, weight=None, reference=None):
    """Weight of every row with an event and a positive weight of its own."""
    weight = np.ones(len(y)) if weight is None else weight
    rows = list(zip(y["time"], y["event"], weight, strict=True))
    reference = rows if reference is None else [(t, e, 1.0) for e, t in reference.tolist()]
    return [w / not_censored_before(t, reference) for t, event, w in rows if event and w > 0]


def fitted(y=Y, X=X, sample_weight=None, **options):
    return IPCWRegressor(Recorder(), log_time=False, **options).fit(X, y, sample_weight)


# What the estimator is fitted on


def test_weights_by_hand():
    """Censored are one of five at 2, where the event goes first, 1 of 4 left, and one of 2 at 5."""
    model = fitted().estimator_
    assert_array_equal(model.X_, X[EVENTS])
    assert_array_equal(model.y_, [1, 2, 4, 6])
    assert_allclose(model.weight_, [1, 1, 1 / (3 / 4), 1 / (3 / 4 * 1 / 2)])


rows_with_event = st.lists(
    st.tuples(st.integers(1, 6), st.booleans(), st.integers(0, 3)), min_size=1, max_size=20
).filter(lambda rows: any(event and weight for _, event, weight in rows))


@given(rows_with_event)
def test_weights_agree_with_the_oracle(rows):
    time, event, weight = map(np.array, zip(*rows, strict=True))
    y, X = right_censored(event, time), np.arange(len(rows))[:, np.newaxis]
    model = fitted(y, X, weight).estimator_
    assert_allclose(model.weight_, oracle_weights(y, weight))
    assert_array_equal(model.X_.ravel(), np.flatnonzero(event & (weight > 0)))
    if event.any():
        assert_allclose(fitted(y, X).estimator_.weight_, oracle_weights(y))


@given(rows_with_event)
def test_a_weight_stands_for_repeated_rows(rows):
    time, event, weight = map(np.array, zip(*rows, strict=True))
    y, X = right_censored(event, time), np.arange(len(rows))[:, np.newaxis]
    weighted = fitted(y, X, weight).estimator_
    repeated = fitted(np.repeat(y, weight), np.repeat(X, weight, axis=0)).estimator_
    kept = weight[weighted.X_.ravel()]
    assert_array_equal(repeated.X_, np.repeat(weighted.X_, kept, axis=0))
    assert_allclose(repeated.weight_, np.repeat(weighted.weight_ / kept, kept))
    assert weighted.mean_ == pytest.approx(repeated.mean_)


def test_a_real_regressor_takes_a_weight_for_repeated_rows():
    weight = [2, 1, 1, 3, 0, 2]
    weighted = IPCWRegressor(LinearRegression()).fit(X, Y, sample_weight=weight)
    repeated = IPCWRegressor(LinearRegression()).fit(np.repeat(X, weight, 0), np.repeat(Y, weight))
    assert_allclose(weighted.predict(X), repeated.predict(X))


def test_without_censoring_nothing_is_weighted():
    y = right_censored(np.ones(6), Y["time"])
    assert_array_equal(fitted(y).estimator_.weight_, np.ones(6))
    model = IPCWRegressor(LinearRegression(), log_time=False).fit(X, y)
    assert_allclose(model.predict(X), LinearRegression().fit(X, Y["time"]).predict(X))


def test_log_time_fits_logarithms_and_takes_the_prediction_back():
    assert IPCWRegressor(Recorder()).log_time is True
    model = IPCWRegressor(Recorder()).fit(X, Y)
    assert_allclose(model.estimator_.y_, np.log([1, 2, 4, 6]))
    assert_allclose(model.estimator_.weight_, oracle_weights(Y))
    mean = np.average(np.log([1, 2, 4, 6]), weights=oracle_weights(Y))
    assert_allclose(model.predict(X), np.exp(mean))


def test_times_may_be_negative_without_log_time():
    y = interval_censored([-2.0, -1.0, 3.0], [-2.0, np.inf, 3.0])
    model = IPCWRegressor(Recorder(), log_time=False).fit(X[:3], y)
    assert_array_equal(model.estimator_.y_, [-2, 3])
    assert_allclose(model.estimator_.weight_, [1, 2])


REFERENCE = right_censored([0, 1, 0, 0, 1], [1, 2, 3, 3.5, 8])


@pytest.mark.parametrize(
    "censoring", [REFERENCE, pd.DataFrame(REFERENCE), KaplanMeier(reverse=True).fit(REFERENCE)]
)
def test_censoring_from_elsewhere(censoring):
    model = fitted(censoring=censoring)
    assert_allclose(model.estimator_.weight_, oracle_weights(Y, reference=REFERENCE))
    assert not np.allclose(model.estimator_.weight_, oracle_weights(Y))
    weight = np.arange(6.0)
    model = fitted(sample_weight=weight, censoring=censoring)
    assert_allclose(model.estimator_.weight_, oracle_weights(Y, weight, REFERENCE))


def test_the_training_rows_may_be_given_as_their_own_reference():
    assert_array_equal(fitted(censoring=Y).estimator_.weight_, fitted().estimator_.weight_)


# What is refused


@pytest.mark.parametrize("kind", [LinearRegression(), Recorder()])
def test_an_event_at_time_zero_has_no_logarithm(kind):
    y = right_censored([1, 0, 1], [0, 0, 3])
    with pytest.raises(ValueError, match=r"1 event.* at or before time 0 .*log_time=False"):
        IPCWRegressor(kind).fit(X[:3], y)
    IPCWRegressor(kind, log_time=False).fit(X[:3], y)
    # A censoring at 0 takes no part in the fit, nor does an event without weight.
    IPCWRegressor(kind).fit(X[:3], right_censored([0, 1, 1], [0, 2, 3]))
    IPCWRegressor(kind).fit(X[:3], y, sample_weight=[0, 1, 1])


@pytest.mark.parametrize(
    ("bounds", "counts"),
    [
        (([1, -np.inf, 3], [1, 2, 3]), "1 left-censored and 0 interval-censored rows.* row 1"),
        (([1, 2, 3], [1, 4, 5]), "0 left-censored and 2 interval-censored rows.* row 1"),
    ],
)
def test_left_and_interval_censored_rows_are_refused(bounds, counts):
    with pytest.raises(ValueError, match=counts):
        IPCWRegressor(Ridge()).fit(X[:3], interval_censored(*bounds))
    with pytest.raises(ValueError, match=f"censoring has {counts}"):
        IPCWRegressor(Ridge(), censoring=interval_censored(*bounds)).fit(X, Y)


def test_a_curve_of_events_is_no_censoring_curve():
    model = IPCWRegressor(Ridge(), censoring=KaplanMeier().fit(Y))
    with pytest.raises(ValueError, match=r"must be KaplanMeier\(reverse=True\)"):
        model.fit(X, Y)


@pytest.mark.parametrize(
    ("reference", "time"),
    [
        (right_censored([1, 0, 1], [1, 3, 4]), "6.0"),  # it ends before the last event
        (right_censored([1, 0], [1, 3]), "4.0"),  # it has fallen to 0
    ],
)
def test_a_reference_that_does_not_reach_the_events_is_refused(reference, time):
    with pytest.raises(ValueError, match=f"0 or unknown before the event at {time}"):
        IPCWRegressor(Ridge(), censoring=reference).fit(X, Y)


@pytest.mark.parametrize("weight", [None, [0, 1, 0, 0, 1, 0]])
def test_without_an_event_there_is_nothing_to_fit(weight):
    y = right_censored(np.zeros(6), Y["time"]) if weight is None else Y
    with pytest.raises(ValueError, match=r"no event of positive weight among 6 rows"):
        IPCWRegressor(Ridge()).fit(X, y, sample_weight=weight)


@pytest.mark.parametrize("routing", [False, True])
def test_an_estimator_without_sample_weight_is_refused_with_the_cure(routing):
    with (
        sklearn.config_context(enable_metadata_routing=routing),
        pytest.raises(ValueError, match=r"KNeighborsRegressor.fit takes no sample_weight.*another"),
    ):
        IPCWRegressor(KNeighborsRegressor()).fit(X, Y)


def test_a_pipeline_inside_is_refused_with_the_cure():
    with pytest.raises(ValueError, match=r"Pipeline.fit .*Put IPCWRegressor inside the pipeline"):
        IPCWRegressor(make_pipeline(StandardScaler(), Ridge())).fit(X, Y)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"y": Y["time"]}, "carries no censoring information"),
        ({"y": None}, "y cannot be None|target y is None"),
        ({"y": Y[:5]}, "X has 6 rows, y has 5 rows"),
        ({"sample_weight": [1, 2]}, "sample_weight has 2 rows"),
        ({"sample_weight": [-1, 1, 1, 1, 1, 1]}, "must not be negative"),
        ({"X": np.where(X == 1, np.nan, X)}, "NaN"),
    ],
)
def test_bad_rows_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        IPCWRegressor(Ridge()).fit(**{"X": X, "y": Y, **changed})


@pytest.mark.parametrize(
    "options", [{"estimator": None}, {"estimator": StandardScaler()}, {"log_time": "yes"}]
)
def test_bad_parameters_are_refused(options):
    with pytest.raises(ValueError, match=f"'{next(iter(options))}' parameter"):
        IPCWRegressor(**{"estimator": Ridge(), **options}).fit(X, Y)


def test_prediction_needs_a_fit():
    with pytest.raises(NotFittedError):
        IPCWRegressor(Ridge()).predict(X)


# The estimator among scikit-learn's tools


def test_it_predicts_a_time_and_says_so():
    model = IPCWRegressor(Ridge())
    assert is_regressor(model)
    assert model._predict_risk_score is False
    predicted = model.fit(X, Y).predict(X)
    assert predicted.dtype == np.float64
    assert (np.diff(predicted) > 0).all()


@pytest.mark.parametrize("weight", [None, [1, 2, 0, 3, 1, 1]])
def test_score_is_the_concordance_index(weight):
    features = X[[2, 0, 1, 5, 4, 3]]
    model = IPCWRegressor(LinearRegression()).fit(X, Y)
    expected = concordance_index(Y, model.predict(features), sample_weight=weight)
    assert 0 < expected < 1
    assert model.score(features, Y, sample_weight=weight) == expected
    assert type(model.score(features, Y)) is float


def test_the_passed_estimator_is_left_alone():
    base = Ridge()
    model = IPCWRegressor(base).fit(X, Y)
    assert model.estimator is base
    assert not hasattr(base, "coef_")
    assert hasattr(model.estimator_, "coef_")
    assert model.n_features_in_ == 1


@pytest.mark.parametrize("censoring", [None, REFERENCE, KaplanMeier(reverse=True).fit(REFERENCE)])
def test_clone_and_pickle(censoring):
    model = IPCWRegressor(Ridge(), log_time=False, censoring=censoring).fit(X, Y)
    copy = clone(model)
    assert not hasattr(copy, "estimator_")
    assert copy.get_params()["log_time"] is False
    assert_array_equal(copy.fit(X, Y).predict(X), model.predict(X))
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert "Ridge()" in repr(model)
    assert copy.set_params(estimator__alpha=9.0).estimator.alpha == 9.0


def test_names_of_features_are_kept():
    frame = pd.DataFrame({"size": X[:, 0], "age": X[::-1, 0] ** 2}, index=list("uvwxyz"))
    y = pd.DataFrame(Y, index=list("fedcba"))  # rows are matched by place, not by index
    model = IPCWRegressor(Ridge()).fit(frame, y)
    assert model.feature_names_in_.tolist() == ["size", "age"]
    assert model.estimator_.feature_names_in_.tolist() == ["size", "age"]
    array = IPCWRegressor(Ridge()).fit(frame.to_numpy(), Y)
    assert_array_equal(model.predict(frame), array.predict(frame.to_numpy()))
    assert not hasattr(array, "feature_names_in_")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["age", "size"]])


def test_missing_features_where_the_estimator_takes_them():
    gaps = np.where(X == 4, np.nan, X)
    model = IPCWRegressor(HistGradientBoostingRegressor(max_iter=2)).fit(gaps, Y)
    assert np.isfinite(model.predict(gaps)).all()
    assert model.__sklearn_tags__().input_tags.allow_nan
    assert not IPCWRegressor(Ridge()).__sklearn_tags__().input_tags.allow_nan


def test_further_arguments_of_fit_reach_the_estimator():
    notes = np.arange(6)
    model = IPCWRegressor(Recorder()).fit(X, Y, note=notes)
    assert_array_equal(model.estimator_.note_, EVENTS)  # one value a row: cut like the rows
    with sklearn.config_context(enable_metadata_routing=True):
        base = Recorder().set_fit_request(note=True)
        model = IPCWRegressor(base).fit(X, Y, note=notes)
        assert_array_equal(model.estimator_.note_, EVENTS)
        with pytest.raises(ValueError, match="note"):
            IPCWRegressor(Recorder()).fit(X, Y, note=notes)


def test_inside_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), IPCWRegressor(Ridge(alpha=1e-9)))
    weight = np.array([1, 2, 1, 0, 3, 1])
    pipeline.fit(X, Y, ipcwregressor__sample_weight=weight)
    plain = IPCWRegressor(Ridge(alpha=1e-9)).fit(X, Y, sample_weight=weight)
    assert_allclose(pipeline.predict(X), plain.predict(X), rtol=1e-6)
    assert pipeline.score(X, Y) == plain.score(X, Y)


def test_around_a_pipeline_with_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        scale = StandardScaler().set_fit_request(sample_weight=False)
        base = make_pipeline(scale, Ridge(alpha=2.0).set_fit_request(sample_weight=True))
        model = IPCWRegressor(base).fit(X, Y)
    scaled = (X - X[EVENTS].mean()) / X[EVENTS].std()
    ridge = Ridge(alpha=2.0).fit(
        scaled[EVENTS], np.log(Y["time"][EVENTS]), sample_weight=oracle_weights(Y)
    )
    assert_allclose(model.predict(X), np.exp(ridge.predict(scaled)))
    assert model.n_features_in_ == 1


def _weighted_search():
    data = _simulated(60, seed=1)
    weight = np.arange(60) % 3
    cv = CensoredCVSplitter(3, random_state=0)
    return (*data[:2], weight, cv)


def test_weights_are_routed_to_the_fit_and_the_score():
    features, y, weight, cv = _weighted_search()
    with sklearn.config_context(enable_metadata_routing=True):
        model = IPCWRegressor(Ridge()).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        scores = cross_val_score(model, features, y, cv=cv, params={"sample_weight": weight})
    expected = []
    for train, test in cv.split(features, y):
        one = IPCWRegressor(Ridge()).fit(features[train], y[train], weight[train])
        expected.append(one.score(features[test], y[test], weight[test]))
    assert_allclose(scores, expected)


def test_a_search_tunes_the_estimator_inside():
    features, y, _, cv = _weighted_search()
    search = GridSearchCV(
        IPCWRegressor(Ridge()),
        {"estimator__alpha": [1e-3, 1.0], "log_time": [True, False]},
        scoring=get_scorer("concordance_index"),
        cv=cv,
        error_score="raise",
    ).fit(features, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.5
    assert search.predict(features).min() > 0


@pytest.mark.parametrize("censoring", [REFERENCE, KaplanMeier(reverse=True).fit(REFERENCE)])
def test_a_reference_survives_the_clones_of_a_search(censoring):
    model = IPCWRegressor(Recorder(), log_time=False, censoring=censoring)
    search = GridSearchCV(
        model, {"log_time": [False, True]}, cv=[(range(6), range(6))], error_score="raise"
    ).fit(X, Y)
    assert_allclose(
        search.best_estimator_.estimator_.weight_, oracle_weights(Y, reference=REFERENCE)
    )


# What the weights are for


def _simulated(n_samples, seed=0):
    """Times below 10, most of them lost to censoring that does not look at X."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n_samples, 1))
    time = 5 + features[:, 0] + rng.uniform(-3, 3, n_samples)
    limit = rng.exponential(5, n_samples)
    time = np.clip(time, 0.1, 10)
    return features, right_censored(time <= limit, np.minimum(time, limit)), time


def test_the_weighted_mean_is_unbiased_where_the_mean_of_events_is_not():
    features, y, time = _simulated(20_000)
    assert 0.55 < 1 - y["event"].mean() < 0.65
    weighted = fitted(y, features).estimator_.mean_
    assert weighted == pytest.approx(time.mean(), abs=0.05)
    assert y["time"][y["event"]].mean() < time.mean() - 0.7
    assert y["time"].mean() < time.mean() - 1.9


def test_the_weighted_regression_is_unbiased():
    features, y, time = _simulated(20_000)
    event = y["event"]
    full = LinearRegression().fit(features, time)
    weighted = IPCWRegressor(LinearRegression(), log_time=False).fit(features, y).estimator_
    events = LinearRegression().fit(features[event], y["time"][event])
    assert weighted.coef_ == pytest.approx(full.coef_, abs=0.05)
    assert weighted.intercept_ == pytest.approx(full.intercept_, abs=0.05)
    assert events.intercept_ < full.intercept_ - 0.5
