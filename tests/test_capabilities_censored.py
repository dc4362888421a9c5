"""What users of other tools for censored regression do there, done here, one test a capability.

The names of the tests are the capabilities. The targets come as censoring codes: 0 for a known
value, 1 for right-, -1 for left-censored ones. The numbers come from formulas, loops and SciPy.
"""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import stats
from sklearn.base import BaseEstimator

from sklearn_ordinal_censored.metrics import (
    censored_brier_score,
    censored_log_loss,
    censored_report,
    censoring_rate,
    concordance_index,
    get_scorer,
    interval_overlap_rate,
    observed_mae,
    scaled_brier_score,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import (
    from_censoring_codes,
    interval_censored,
    right_censored,
)

PRED, TIME, CODE = [0.5, 1.0, 1.5, 2.0], [0.4, 1.2, 1.3, 2.1], [0, 1, 0, -1]

rng = np.random.default_rng(0)
MANY_TIME = rng.integers(1, 30, 200) / 2
MANY_PRED = np.round(MANY_TIME + rng.normal(0, 3, 200))
MANY_CODE = rng.choice([0, 1, -1], 200, p=[0.5, 0.3, 0.2])
MANY = from_censoring_codes(MANY_TIME, MANY_CODE)
RIGHT = right_censored(MANY_CODE == 0, MANY_TIME)
INF = np.inf


class Tensor:
    """An array of another library."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


wrapped = pytest.mark.parametrize("wrap", [list, np.asarray, pd.Series, Tensor])

# --- censoring rate


@wrapped
def test_censoring_rate_of_codes(wrap):
    assert censoring_rate(from_censoring_codes(wrap(TIME), wrap(CODE))) == 0.5
    rates = {"any": MANY_CODE != 0, "right": MANY_CODE == 1, "left": MANY_CODE == -1}
    y = from_censoring_codes(wrap(MANY_TIME), wrap(MANY_CODE))
    for kind, rows in rates.items():
        assert censoring_rate(y, kind=kind) == pytest.approx(rows.mean(), abs=1e-15)


def test_a_censoring_rate_says_nothing_about_a_model():
    y = from_censoring_codes(TIME, CODE)
    assert censoring_rate(y, PRED) == censoring_rate(y, PRED[::-1]) == censoring_rate(y)


# --- errors on the known values


@wrapped
def test_observed_mae_of_codes(wrap):
    y = from_censoring_codes(wrap(TIME), wrap(CODE))
    assert observed_mae(y, wrap(PRED)) == pytest.approx((0.1 + 0.2) / 2, abs=1e-15)
    known = MANY_CODE == 0
    expected = np.abs(MANY_TIME - MANY_PRED)[known].mean()
    assert observed_mae(MANY, wrap(MANY_PRED)) == pytest.approx(expected, rel=1e-14)


def test_an_error_on_the_known_values_does_not_see_the_others():
    far_off = np.where(MANY_CODE == 0, MANY_PRED, 1e6)
    assert observed_mae(MANY, far_off) == observed_mae(MANY, MANY_PRED)


# --- concordance


@wrapped
def test_concordance_index_of_left_and_right_codes(wrap):
    """The pair of 1.3 and the value somewhere below 2.1 is the only one that is left out."""
    y = from_censoring_codes(wrap(TIME), wrap(CODE))
    assert concordance_index(y, wrap(PRED)) == 1.0
    assert concordance_index(y, [0.5, 1.0, 0.4, 2.0]) == 1 / 2
    assert concordance_index(y, [0.5, 1.0, 1.5, 0.1]) == 1.0


def earlier_pairs(time, code):
    """Pairs of a known value and a later one that is known or right-censored."""
    rows = range(len(time))
    return [
        (i, j) for i in rows for j in rows if code[i] == 0 and time[i] < time[j] and code[j] >= 0
    ]


def test_concordance_index_by_its_formula():
    """Pairs are those with strictly different times; equal predictions count one half."""
    code = np.where(MANY_CODE == 0, 0, 1)
    pairs = earlier_pairs(MANY_TIME, code)
    right = [MANY_PRED[i] < MANY_PRED[j] for i, j in pairs]
    tied = [MANY_PRED[i] == MANY_PRED[j] for i, j in pairs]
    expected = (np.sum(right) + np.sum(tied) / 2) / len(pairs)
    assert np.any(tied)
    y = from_censoring_codes(MANY_TIME, code)
    assert concordance_index(y, MANY_PRED, strict_times=True) == pytest.approx(expected, rel=1e-14)


def test_a_concordance_index_reads_the_order_and_nothing_else():
    """Weeks for days: the order is the same, and no time is right."""
    assert concordance_index(MANY, MANY_PRED / 7) == concordance_index(MANY, MANY_PRED)
    assert observed_mae(MANY, MANY_PRED / 7) > 2 * observed_mae(MANY, MANY_PRED)


# --- predicted intervals


def test_interval_overlap_rate_by_its_formula():
    lower = rng.integers(0, 9, 50).astype(float)
    upper = lower + rng.integers(1, 4, 50)
    low = lower + rng.integers(-6, 7, 50)
    high = low + rng.integers(0, 4, 50)
    expected = np.mean([high[i] >= lower[i] and low[i] <= upper[i] for i in range(50)])
    y = interval_censored(lower, upper)
    assert 0 < expected < 1
    found = interval_overlap_rate(y, np.column_stack([low, high]))
    assert found == pytest.approx(expected, abs=1e-15)


def test_interval_overlap_rate_of_codes():
    y = from_censoring_codes(TIME, CODE)  # [0.4, 0.4], (1.2, inf], [1.3, 1.3], (-inf, 2.1]
    assert interval_overlap_rate(y, [[0.4, 1], [0, 1.2], [1.4, 9], [-5, -4]]) == 3 / 4
    assert interval_overlap_rate(y, [[-INF, INF]] * 4) == 1.0


# --- likelihoods


def scipy_loss(frozen, time, code):
    """Density of known values, survival of right-, distribution of left-censored ones."""
    terms = {0: frozen.logpdf(time), 1: frozen.logsf(time), -1: frozen.logcdf(time)}
    return -np.select([code == kind for kind in terms], list(terms.values())).mean()


@wrapped
def test_censored_gaussian_likelihood(wrap):
    expected = scipy_loss(stats.norm(PRED, 0.3), np.array(TIME), np.array(CODE))
    y = from_censoring_codes(wrap(TIME), wrap(CODE))
    assert censored_log_loss(y, wrap(PRED), scale=0.3) == pytest.approx(expected, rel=1e-12)
    scale = rng.uniform(0.5, 2, 200)
    expected = scipy_loss(stats.norm(MANY_PRED, scale), MANY_TIME, MANY_CODE)
    found = censored_log_loss(MANY, np.column_stack([MANY_PRED, scale]))
    assert found == pytest.approx(expected, rel=1e-12)


AFT = {
    "lognormal": lambda location, scale: stats.lognorm(scale, scale=np.exp(location)),
    "loglogistic": lambda location, scale: stats.fisk(1 / scale, scale=np.exp(location)),
    "weibull": lambda location, scale: stats.weibull_min(1 / scale, scale=np.exp(location)),
}


@pytest.mark.parametrize("family", AFT)
def test_accelerated_failure_time_likelihood(family):
    location, scale = np.log(np.abs(MANY_PRED) + 1), rng.uniform(0.5, 2, 200)
    expected = scipy_loss(AFT[family](location, scale), MANY_TIME, MANY_CODE)
    for found in (
        censored_log_loss(MANY, location, scale=scale, family=family),
        censored_log_loss(MANY, np.column_stack([location, scale]), family=family),
    ):
        assert found == pytest.approx(expected, rel=1e-12)


# --- several at once, and by kind of censoring


def test_several_metrics_from_one_prediction():
    class Mirror(BaseEstimator):
        def predict(self, X):
            return X[:, 0]

    names = ["concordance_index", "neg_observed_mae", "neg_censored_log_loss"]
    scores = get_scorer(names, scale=3.0)(Mirror(), MANY_PRED[:, np.newaxis], MANY)
    assert scores == {
        "concordance_index": concordance_index(MANY, MANY_PRED),
        "neg_observed_mae": -observed_mae(MANY, MANY_PRED),
        "neg_censored_log_loss": -censored_log_loss(MANY, MANY_PRED, scale=3.0),
    }


def test_report_of_several_metrics():
    report = censored_report(MANY, MANY_PRED)["value"]
    assert report["target", "rows", "censoring_rate"] == censoring_rate(MANY)
    overall = report["overall", "prediction"]
    assert overall["observed_mae"] == observed_mae(MANY, MANY_PRED)
    assert overall["concordance_index"] == concordance_index(MANY, MANY_PRED)


def test_report_by_kind_of_censoring():
    lower, upper = [3, 5, -INF, 2, 4, 1], [3, INF, 4, 6, 4, 3]
    pred = [2, 6, 5, 7, 6, 2]
    report = censored_report(interval_censored(lower, upper), pred).loc["censoring", "value"]
    distances = {"exact": [1, 2], "right": [0], "left": [1], "interval": [1, 0]}
    for kind, values in distances.items():
        assert report[kind, "n"] == len(values)
        assert report[kind, "share"] == pytest.approx(len(values) / 6)
        assert report[kind, "hinge_mae"] == pytest.approx(np.mean(values))
    codes = censored_report(MANY, MANY_PRED).loc["censoring", "value"]
    for kind, code in (("exact", 0), ("right", 1), ("left", -1)):
        assert codes[kind, "n"] == (code == MANY_CODE).sum()


# --- distributions over time


def test_evaluation_by_the_kaplan_meier_curve():
    """The curve of the rows themselves is the prediction to beat: its scaled score is 0."""
    times = [2, 5, 8]
    curve = KaplanMeier().fit(RIGHT).predict(times)
    everywhere = np.tile(curve, (200, 1))
    assert scaled_brier_score(RIGHT, everywhere, times=times) == pytest.approx([0, 0, 0], abs=1e-12)
    foreseen = (MANY_TIME[:, np.newaxis] > times).astype(float)
    assert_array_equal(censored_brier_score(RIGHT, foreseen, times=times), 0)
