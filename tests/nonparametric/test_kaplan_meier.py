"""The Kaplan-Meier estimator: against loops, by hand, its intervals, and as an estimator."""

import math
import pickle
import warnings

import numpy as np
import oracles_censored as oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from strategies import whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored.metrics import concordance_index_ipcw
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored

TIMES = np.arange(-1, 9) / 1.25
# At 2 one of five has the event and one is censored; at 4 one of two has the event.
Y = right_censored([0, 1, 0, 1, 0], [1, 2, 2, 4, 6])

either_curve = pytest.mark.parametrize("reverse", [False, True], ids=["events", "censorings"])


@either_curve
@pytest.mark.parametrize("left_limit", [False, True], ids=["at", "before"])
@given(rows=censored(kinds=RIGHT_CENSORED, max_size=16))
@settings(max_examples=100)
def test_against_loops(reverse, left_limit, rows):
    curve = KaplanMeier(reverse=reverse).fit(rows.event_time, rows.weight)
    times = np.concatenate([TIMES, np.arange(7)])
    event = np.equal(rows.lower, rows.upper)
    expected = [
        oracle.kaplan_meier(
            rows.lower, event, at, rows.weight, rows.entry, reverse=reverse, left_limit=left_limit
        )
        for at in times
    ]
    found = curve.predict(times, left_limit=left_limit)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@either_curve
@given(rows=censored(kinds=RIGHT_CENSORED, max_size=16))
def test_attributes(reverse, rows):
    curve = KaplanMeier(reverse=reverse).fit(rows.bounds, rows.weight)
    assert_array_equal(curve.predict(curve.times_), curve.survival_)
    event = np.equal(rows.lower, rows.upper)
    sets = [
        oracle.risk_set(rows.lower, event, at, rows.weight, rows.entry, reverse)
        for at in curve.times_
    ]
    assert_allclose(curve.at_risk_, [at_risk for at_risk, _ in sets], rtol=1e-9, atol=1e-12)
    sums = [
        oracle.greenwood(rows.lower, event, at, rows.weight, rows.entry, reverse)
        for at in curve.times_
    ]
    sure = curve.survival_ > 0
    expected = curve.survival_[sure] ** 2 * np.array(sums)[sure]
    assert_allclose(curve.variance_[sure], expected, rtol=1e-6, atol=1e-12)
    assert_array_equal(curve.variance_[~sure], 0.0)


@either_curve
@given(rows=censored(kinds=RIGHT_CENSORED, weighting=whole_weights, max_size=16))
def test_whole_weights_repeat_rows(reverse, rows):
    curve = KaplanMeier(reverse=reverse).fit(rows.event_time, rows.weight)
    repeated = KaplanMeier(reverse=reverse).fit(rows.repeated.event_time)
    for name in ("times_", "survival_", "at_risk_", "variance_"):
        assert_array_equal(getattr(curve, name), getattr(repeated, name))


@given(rows=censored(kinds=RIGHT_CENSORED, max_size=16))
def test_the_two_curves_multiply_to_the_share_that_is_still_there(rows):
    rows = rows._replace(entry=None)
    curves = [KaplanMeier(reverse=side).fit(rows.event_time, rows.weight) for side in (False, True)]
    weight = np.array(oracle.unit_weights(rows.lower, rows.weight), dtype=float)
    times = curves[0].times_
    left = [weight[np.array(rows.lower) > at].sum() / weight.sum() for at in times]
    product = curves[0].survival_ * curves[1].survival_
    assert_allclose(product, left, rtol=1e-9, atol=1e-12)


def test_events_by_hand():
    curve = KaplanMeier().fit(Y)
    assert_array_equal(curve.times_, [1, 2, 4, 6])
    assert_array_equal(curve.at_risk_, [5, 4, 2, 1])
    assert_array_equal(curve.survival_, [1, 0.75, 0.375, 0.375])
    assert_allclose(curve.variance_, [0, 0.75**2 / 12, 0.375**2 * 7 / 12, 0.375**2 * 7 / 12])
    assert_array_equal(curve.predict([0, 2, 3, 4, 6]), [1, 0.75, 0.75, 0.375, 0.375])


def test_censorings_by_hand():
    curve = KaplanMeier(reverse=True).fit(Y)
    assert_array_equal(curve.at_risk_, [5, 3, 1, 1])
    assert_allclose(curve.survival_, [4 / 5, 8 / 15, 8 / 15, 0])
    assert_allclose(curve.predict([2, 4], left_limit=True), [4 / 5, 8 / 15])


def test_times_come_in_any_order_and_as_often_as_wanted():
    curve = KaplanMeier().fit(Y)
    assert_array_equal(curve.predict([4, 1, 4, 2.5]), [0.375, 1, 0.375, 0.75])
    assert curve.predict([]).shape == (0,)
    assert_array_equal(curve.predict(pd.Series([2], dtype="Int64")), [0.75])


def test_left_limits():
    curve = KaplanMeier().fit(Y)
    assert_array_equal(curve.predict([1, 2, 4, 6], left_limit=True), [1, 1, 0.75, 0.375])
    above = np.nextafter([1, 2, 4], np.inf)
    assert_array_equal(curve.predict(above, left_limit=True), curve.predict([1, 2, 4]))


def test_past_the_last_time_the_curve_is_unknown():
    curve = KaplanMeier().fit(Y)
    assert_array_equal(curve.predict([6, 6.01, 99]), [0.375, np.nan, np.nan])
    assert_array_equal(curve.predict([6.01], left_limit=True), [np.nan])


def test_unless_it_has_reached_zero():
    curve = KaplanMeier().fit(right_censored([0, 1], [1, 2]))
    assert_array_equal(curve.predict([2, 99]), [0, 0])
    reverse = KaplanMeier(reverse=True).fit(right_censored([1, 0], [1, 2]))
    assert_array_equal(reverse.predict([2, 99]), [0, 0])


def test_or_is_the_censoring_curve_of_data_without_censoring():
    reverse = KaplanMeier(reverse=True).fit(right_censored([1, 1], [1, 2]))
    assert_array_equal(reverse.predict([0, 2, 99]), [1, 1, 1])
    nobody = KaplanMeier().fit(right_censored([0, 0], [1, 2]))
    assert_array_equal(nobody.predict([0, 2, 99]), [1, 1, np.nan])


def test_weights_of_zero_do_not_stretch_the_curve():
    curve = KaplanMeier().fit(Y, sample_weight=[1, 1, 1, 1, 0])
    assert_array_equal(curve.times_, [1, 2, 4])
    assert_array_equal(curve.predict([4, 5]), [0, 0])


def test_delayed_entry_by_hand():
    y = np.array(
        [(True, 2.0, 0.0), (True, 3.0, 2.0), (False, 5.0, 1.0)],
        dtype=[("event", "?"), ("time", "f8"), ("entry", "f8")],
    )
    curve = KaplanMeier().fit(y)
    assert_array_equal(curve.at_risk_, [2, 2, 1])
    assert_array_equal(curve.survival_, [0.5, 0.25, 0.25])


# Confidence intervals


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_intervals_by_their_formulas(level):
    curve = KaplanMeier().fit(Y)
    z = norm.ppf((1 + level) / 2)
    survival, error = np.array([0.75, 0.375]), np.sqrt([1 / 12, 7 / 12])
    plain = curve.confidence_interval(level, method="plain")
    assert_array_equal(plain[0], [1, 1])
    expected = np.clip(np.outer(survival, [1, 1]) + np.outer(survival * error, [-z, z]), 0, 1)
    assert_allclose(plain[1:3], expected)
    ends = np.log(-np.log(survival))[:, None] + np.outer(error / np.log(survival), [-z, z])
    log_log = curve.confidence_interval(level)
    assert_array_equal(log_log[0], [1, 1])
    assert_allclose(log_log[1:3], np.exp(-np.exp(ends)))
    assert log_log.shape == (4, 2)


@pytest.mark.parametrize("method", ["log-log", "plain"])
@either_curve
@given(rows=censored(kinds=RIGHT_CENSORED, max_size=16))
def test_intervals_hold_the_curve(method, reverse, rows):
    curve = KaplanMeier(reverse=reverse).fit(rows.event_time, rows.weight)
    lower, upper = curve.confidence_interval(method=method).T
    known = curve.survival_ > 0
    assert_array_equal(np.isnan(lower), ~known)
    assert_array_equal(np.isnan(upper), ~known)
    slack = 1e-12
    assert (lower[known] >= 0).all()
    assert (upper[known] <= 1).all()
    assert (lower[known] <= curve.survival_[known] + slack).all()
    assert (upper[known] >= curve.survival_[known] - slack).all()
    wide = curve.confidence_interval(0.99, method=method)
    assert (wide[known, 0] <= lower[known] + slack).all()
    assert (wide[known, 1] >= upper[known] - slack).all()


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, np.nan, "0.9", None])
def test_levels_are_between_0_and_1(level):
    with pytest.raises(ValueError, match=r"^confidence_level=.* must be"):
        KaplanMeier().fit(Y).confidence_interval(level)


def test_methods_are_two():
    with pytest.raises(ValueError, match=r"^method='log' is not known; use one of 'log-log', 'pl"):
        KaplanMeier().fit(Y).confidence_interval(method="log")


@pytest.mark.parametrize("seed", range(3))
def test_other_packages(seed):
    nonparametric = pytest.importorskip("sksurv.nonparametric")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lifelines = pytest.importorskip("lifelines")
    rng = np.random.default_rng(seed)
    event, time = rng.random(120) < 0.6, rng.integers(1, 20, 120).astype(float)
    curve = KaplanMeier().fit(right_censored(event, time))
    times, survival, interval = nonparametric.kaplan_meier_estimator(
        event, time, conf_type="log-log"
    )
    assert_array_equal(curve.times_, times)
    assert_allclose(curve.survival_, survival, rtol=1e-12)
    known = survival > 0
    assert_allclose(curve.confidence_interval()[known], interval.T[known], rtol=1e-9)
    fitter = lifelines.KaplanMeierFitter().fit(time, event)
    assert_allclose(curve.survival_, fitter.survival_function_.to_numpy()[1:, 0], rtol=1e-9)
    known = (survival > 0) & (survival < 1)
    assert_allclose(
        curve.confidence_interval()[known],
        fitter.confidence_interval_.to_numpy()[1:][known],
        rtol=1e-6,
    )


@pytest.mark.parametrize("seed", range(3))
def test_censoring_curve_of_scikit_survival_without_ties(seed):
    nonparametric = pytest.importorskip("sksurv.nonparametric")
    rng = np.random.default_rng(seed)
    y = right_censored(rng.random(80) < 0.6, rng.permutation(80) + 1.0)
    expected = nonparametric.CensoringDistributionEstimator().fit(y).predict_proba(y["time"])
    curve = KaplanMeier(reverse=True).fit(y)
    assert_allclose(curve.predict(y["time"]), expected, rtol=1e-12)


# As an estimator


def test_a_clone_keeps_its_fit_because_curves_are_handed_over_as_options():
    curve = KaplanMeier(reverse=True).fit(Y)
    copy = clone(curve)
    assert copy.get_params() == {"reverse": True}
    assert_array_equal(copy.survival_, curve.survival_)
    assert copy is not curve
    assert repr(copy) == "KaplanMeier(reverse=True)"
    assert repr(KaplanMeier()) == "KaplanMeier()"
    assert not copy.set_params(reverse=False).reverse


def test_fit_returns_itself_and_forgets():
    curve = KaplanMeier()
    assert curve.fit(Y) is curve
    expected = KaplanMeier().fit(Y[:3]).survival_
    assert_array_equal(curve.fit(Y[:3]).survival_, expected)


def test_fitted_curves_can_be_pickled():
    curve = KaplanMeier(reverse=True).fit(Y)
    again = pickle.loads(pickle.dumps(curve))
    assert_array_equal(again.predict(TIMES), curve.predict(TIMES))
    assert_array_equal(again.confidence_interval(), curve.confidence_interval())


def test_nothing_comes_from_a_curve_that_is_not_fitted():
    with pytest.raises(NotFittedError):
        KaplanMeier().predict([1])
    with pytest.raises(NotFittedError):
        KaplanMeier().confidence_interval()


@either_curve
def test_rows_of_other_kinds_are_refused(reverse):
    y = interval_censored([1, -math.inf, 2, 3], [1, 4, 5, math.inf])
    told = "^y has 1 left-censored and 1 interval-censored rows, the first in row 1; "
    with pytest.raises(ValueError, match=told):
        KaplanMeier(reverse=reverse).fit(y)


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([1, np.nan], "^times has 1 missing value"),
        ([1, np.inf], "^times must be finite, but holds inf"),
        (2.0, r"^times=2\.0 is a single value; give times="),
        ([[1, 2]], r"^times must be one-dimensional, but has shape \(1, 2\)"),
        (["1"], "^times must hold numbers, but"),
    ],
    ids=["nan", "infinite", "number", "table", "text"],
)
def test_times_that_are_none(times, told):
    with pytest.raises(ValueError, match=told):
        KaplanMeier().fit(Y).predict(times)


@pytest.mark.parametrize(
    ("weight", "told"),
    [
        ([1, 2], "has 2 rows, the target has 5"),
        ([1, 1, 1, 1, -1], "must not be negative, but holds -1.0"),
        ([0] * 5, "is zero for every row"),
    ],
    ids=["short", "negative", "zero"],
)
def test_weights_that_are_none(weight, told):
    with pytest.raises(ValueError, match=f"^sample_weight {told}"):
        KaplanMeier().fit(Y, sample_weight=weight)


def test_inputs_are_only_read():
    y, weight, times = Y.copy(), np.arange(5.0), TIMES.copy()
    for array in (y, weight, times):
        array.flags.writeable = False
    curve = KaplanMeier().fit(y, sample_weight=weight)
    values = curve.predict(times)
    values[:] = -1
    curve.predict(curve.times_)[:] = -1
    assert (curve.survival_ >= 0).all()


def test_a_curve_of_events_stays_one_when_its_parameter_changes():
    curve = KaplanMeier().fit(Y).set_params(reverse=True)
    with pytest.raises(ValueError, match="censoring is a KaplanMeier curve of events"):
        concordance_index_ipcw(Y, np.arange(len(Y)), censoring=curve)


def test_durations_are_days_as_in_the_target():
    days = pd.to_timedelta(["1D", "2D"])
    curve = KaplanMeier().fit(right_censored([1, 1], days))
    assert_array_equal(curve.predict(pd.to_timedelta(["12h", "36h"])), [1, 0.5])
