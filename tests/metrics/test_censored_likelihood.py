"""Likelihoods, scores and quantile losses of censored times: scipy, R, and what must hold."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import oracles_likelihood as oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from oracles_censored import mean
from scipy.optimize import minimize
from scipy.special import gamma
from sklearn.metrics import mean_absolute_error, mean_pinball_loss
from strategies import whole_weights
from strategies_censored import ANY_KIND, bounds, censored

from sklearn_ordinal_censored.metrics import (
    censored_crps,
    censored_log_loss,
    censored_mae,
    censored_quantile_loss,
    d_calibration,
)
from sklearn_ordinal_censored.targets import (
    from_censoring_codes,
    interval_censored,
    right_censored,
)

INF = math.inf
ANY_TIME = ("normal", "logistic")
POSITIVE = ("lognormal", "loglogistic", "weibull")
FAMILIES = ANY_TIME + POSITIVE
SCORES = (censored_log_loss, censored_crps)
FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "likelihood.json").read_text())
MIXED = interval_censored([2, 3, -INF, 1, 0], [2, INF, 1.5, 4, 3])
LOCATION = [0.5, 1, 1.5, 0, 0.7]

every_family = pytest.mark.parametrize("family", FAMILIES)
every_score = pytest.mark.parametrize("score", SCORES, ids=lambda score: score.__name__)


@st.composite
def predicted(draw, kinds=ANY_KIND, max_size=5, weighting=None):
    """Censored rows after time 0 with a location and a scale each, and weights."""
    rows = draw(st.lists(bounds(kinds), min_size=1, max_size=max_size))
    lower, upper = (np.array([row[side] + 0.5 for row in rows]) for side in (0, 1))
    parameters = st.tuples(st.floats(-1, 3), st.floats(0.2, 1.5))
    pred = draw(st.lists(parameters, min_size=len(rows), max_size=len(rows)))
    weight = None if weighting is None else draw(weighting(len(rows)))
    return lower, upper, np.array(pred), weight


def read_cases(kind):
    cases = [case for case in CASES if case["id"].split("/")[0] == kind]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


def read_columns(case):
    with (FOLDER / f"{case['dataset']}.csv").open() as file:
        table = list(csv.DictReader(file))
    return {
        role: np.array([float(row[name]) for row in table])
        for role, name in case["columns"].items()
    }


def family_of(case):
    return {"exponential": "weibull", "gaussian": "normal"}.get(case["dist"], case["dist"])


def row_by_row(score, y_true, y_pred, **keywords):
    rows = range(len(y_true))
    return np.array([score(y_true[[row]], y_pred[[row]], **keywords) for row in rows])


# Against definitions


@every_family
@given(case=predicted())
def test_likelihood_against_scipy(family, case):
    lower, upper, pred, _ = case
    rows = zip(lower, upper, *pred.T, strict=True)
    expected = np.array([oracle.negative_log_likelihood(family, *row) for row in rows])
    value = row_by_row(censored_log_loss, interval_censored(lower, upper), pred, family=family)
    known = np.isfinite(expected)  # scipy 1.13 loses the far tail of the Weibull distribution
    assert_allclose(np.asarray(value)[known], expected[known], rtol=1e-7, atol=1e-9)


@every_family
@settings(max_examples=12)
@given(case=predicted(max_size=2))
def test_scores_against_quadrature(family, case):
    lower, upper, pred, _ = case
    pred[:, 1] = np.minimum(pred[:, 1], 0.8)  # scipy's quadrature cannot follow heavier tails
    rows = zip(lower, upper, *pred.T, strict=True)
    expected = [oracle.crps(family, *row) for row in rows]
    value = row_by_row(censored_crps, interval_censored(lower, upper), pred, family=family)
    assert_allclose(value, expected, rtol=1e-9, atol=1e-11)


@every_family
@given(case=predicted(kinds=("exact",)))
def test_scores_of_known_times_are_the_closed_forms(family, case):
    time, _, pred, _ = case
    pred[:, 1] = np.minimum(pred[:, 1], 0.95)  # the printed form of the loglogistic needs a mean
    expected = [oracle.known_time_crps(family, *row) for row in zip(time, *pred.T, strict=True)]
    value = row_by_row(censored_crps, interval_censored(time, time), pred, family=family)
    assert_allclose(value, expected, rtol=1e-11, atol=1e-12)


@given(rows=censored(), quantile=st.sampled_from([0.05, 0.5, 0.8]))
def test_quantile_loss_against_loops(rows, quantile):
    losses = []
    for lower, upper, pred in zip(rows.lower, rows.upper, rows.pred, strict=True):
        distance = oracle.distance_to_interval(lower, upper, pred)
        losses.append(distance * (quantile if pred < lower else 1 - quantile))
    keywords = {"quantile": quantile, "sample_weight": rows.weight}
    value = censored_quantile_loss(rows.bounds, rows.pred, **keywords)
    assert value == pytest.approx(mean(losses, rows.weight), rel=1e-12)


@given(rows=censored())
def test_the_loss_of_the_median_is_half_the_hinge_error(rows):
    keywords = {"sample_weight": rows.weight}
    value = censored_quantile_loss(rows.bounds, rows.pred, **keywords)
    expected = censored_mae(rows.bounds, rows.pred, **keywords) / 2
    assert value == pytest.approx(expected, rel=1e-12)


def test_without_censoring_it_is_the_pinball_loss():
    time, pred, weight = np.random.default_rng(0).random((3, 50))
    y_true = right_censored(np.ones(50), time)
    value = censored_quantile_loss(y_true, pred, quantile=0.3, sample_weight=weight)
    expected = mean_pinball_loss(time, pred, alpha=0.3, sample_weight=weight)
    assert value == pytest.approx(expected, rel=1e-13)


# By hand


def test_likelihood_by_hand():
    y = interval_censored([2, 3, -INF, 1], [2, INF, 1.5, 4])
    exponential = [2, 3, -math.log(-math.expm1(-1.5)), -math.log(math.exp(-1) - math.exp(-4))]
    value = row_by_row(censored_log_loss, y, np.zeros(4), scale=1, family="weibull")
    assert_allclose(value, exponential, rtol=1e-14)
    # The odds of a loglogistic time of location 0 and scale 1 are the time itself.
    expected = [2 * math.log(3), math.log(4), math.log(2.5 / 1.5), -math.log(4 / 5 - 1 / 2)]
    value = row_by_row(censored_log_loss, y, np.zeros(4), scale=1, family="loglogistic")
    assert_allclose(value, expected, rtol=1e-14)
    assert censored_log_loss(y, np.zeros(4), scale=1, family="loglogistic") == pytest.approx(
        mean(expected)
    )


def test_gaussian_likelihood_of_censoring_codes():
    y = from_censoring_codes([0.4, 1.2, 1.3, 2.1], [0, 1, 0, -1])
    pred = [0.5, 1.0, 1.5, 2.0]
    density = [
        math.log(math.sqrt(2 * math.pi)) + (t - p) ** 2 / 2 for t, p in [(0.4, 0.5), (1.3, 1.5)]
    ]
    tails = [-math.log(math.erfc(z / math.sqrt(2)) / 2) for z in (1.2 - 1.0, 2.0 - 2.1)]
    expected = (sum(density) + sum(tails)) / 4
    assert censored_log_loss(y, pred, scale=1) == pytest.approx(expected, rel=1e-14)


def test_scores_by_hand():
    # For an exponential time of mean 1: F^2 up to 1 is 1 - 2 (1 - 1/e) + (1 - 1/e^2) / 2, and S^2
    # from 1 on 1 / (2 e^2).
    below = 1 - 2 * (1 - math.exp(-1)) + (1 - math.exp(-2)) / 2
    above = math.exp(-2) / 2
    y = interval_censored([1, 1, -INF], [1, INF, 1])
    value = row_by_row(censored_crps, y, np.zeros(3), scale=1, family="weibull")
    assert_allclose(value, [below + above, below, above], rtol=1e-14)


def test_python_floats_come_out():
    for score in SCORES:
        assert type(score(MIXED, LOCATION, scale=1)) is float
    assert type(censored_quantile_loss(MIXED, LOCATION)) is float


# What must hold


@every_score
@every_family
@given(case=predicted(weighting=whole_weights))
def test_whole_weights_repeat_rows(score, family, case):
    lower, upper, pred, weight = case
    y = interval_censored(lower, upper)
    value = score(y, pred, family=family, sample_weight=weight)
    repeated = score(np.repeat(y, weight), np.repeat(pred, weight, axis=0), family=family)
    assert value == pytest.approx(repeated, rel=1e-11)


@every_score
@every_family
def test_the_order_of_the_rows_is_of_no_account(score, family):
    order, weight = np.array([3, 0, 4, 1, 2]), np.arange(1.0, 6)
    pred, scale = np.array(LOCATION), np.linspace(0.5, 1.5, 5)
    value = score(MIXED, pred, scale=scale, family=family, sample_weight=weight)
    again = score(
        MIXED[order], pred[order], scale=scale[order], family=family, sample_weight=weight[order]
    )
    assert value == pytest.approx(again, rel=1e-14)


@every_score
def test_two_columns_say_the_same_as_two_arguments(score):
    scale = np.linspace(0.5, 1.5, 5)
    expected = score(MIXED, LOCATION, scale=scale)
    assert score(MIXED, np.column_stack([LOCATION, scale])) == expected
    constant = score(MIXED, np.column_stack([LOCATION, np.full(5, 2.0)]))
    assert (
        score(MIXED, LOCATION, scale=2) == score(MIXED, LOCATION, scale=np.float32(2)) == constant
    )


@every_score
@pytest.mark.parametrize(
    "make",
    [
        np.ndarray.tolist,
        np.asfortranarray,
        lambda x: x.astype(object),
        lambda x: pd.DataFrame(x, columns=["loc", "scale"]),
        lambda x: pd.DataFrame(x, dtype="Float64"),
        lambda x: pytest.importorskip("polars").DataFrame(x.tolist(), orient="row"),
    ],
    ids=["list", "by columns", "objects", "pandas", "nullable", "polars"],
)
def test_containers_of_two_columns(score, make):
    pred = np.column_stack([LOCATION, np.linspace(0.5, 1.5, 5)])
    assert score(MIXED, make(pred)) == score(MIXED, pred)


@every_score
@pytest.mark.parametrize("family", ANY_TIME)
def test_shift_and_unit_of_any_times(score, family):
    lower, upper = MIXED["lower"], MIXED["upper"]
    pred, factor = np.array(LOCATION), 365.25
    value = score(MIXED, pred, scale=0.8, family=family)
    moved = interval_censored(lower + 100, upper + 100)
    assert score(moved, pred + 100, scale=0.8, family=family) == pytest.approx(value, rel=1e-11)
    longer = interval_censored(factor * lower, factor * upper)
    again = score(longer, factor * pred, scale=factor * 0.8, family=family)
    n_known = (lower == upper).mean()
    expected = factor * value if score is censored_crps else value + n_known * math.log(factor)
    assert again == pytest.approx(expected, rel=1e-12)


@every_score
@pytest.mark.parametrize("family", POSITIVE)
def test_unit_of_positive_times(score, family):
    lower, upper, factor = MIXED["lower"], MIXED["upper"], 365.25
    value = score(MIXED, LOCATION, scale=0.8, family=family)
    longer = interval_censored(factor * lower, factor * upper)
    again = score(longer, np.array(LOCATION) + math.log(factor), scale=0.8, family=family)
    n_known = (lower == upper).mean()
    expected = factor * value if score is censored_crps else value + n_known * math.log(factor)
    assert again == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("family", "of_log"), [("normal", "lognormal"), ("logistic", "loglogistic")]
)
def test_families_of_the_log(family, of_log):
    lower, upper = np.array([2, 3, 0, 1, 0.5]), np.array([2, INF, 1.5, 4, 3])
    with np.errstate(divide="ignore"):
        logs = interval_censored(np.log(lower), np.log(upper))
    value = censored_log_loss(interval_censored(lower, upper), LOCATION, scale=0.8, family=of_log)
    expected = censored_log_loss(logs, LOCATION, scale=0.8, family=family) + math.log(2) / 5
    assert value == pytest.approx(expected, rel=1e-13)


@every_score
@every_family
def test_a_narrow_interval_tends_to_a_known_time(score, family):
    width = 1e-7
    pred = np.array([1.3, 0.2, -4])
    known = np.array([0.9, 2, 5])
    value = row_by_row(
        score, interval_censored(known, known + width), pred, scale=0.7, family=family
    )
    expected = row_by_row(score, interval_censored(known, known), pred, scale=0.7, family=family)
    expected = expected if score is censored_crps else expected - math.log(width)
    assert_allclose(value, expected, rtol=1e-5)


@every_score
@every_family
def test_wide_intervals_tend_to_one_sided_ones(score, family):
    pred = {"scale": 0.7, "family": family}
    pairs = {(2, 1e9): (2, INF), (1e-9, 2): (-INF, 2), (0, 2): (-INF, 2)}
    if family in ANY_TIME:
        pairs = {(2, 1e9): (2, INF), (-1e9, 2): (-INF, 2)}
    for wide, open_ended in pairs.items():
        values = [
            score(interval_censored([lower], [upper]), [1.0], **pred)
            for lower, upper in (wide, open_ended)
        ]
        assert values[0] == pytest.approx(values[1], rel=1e-7)


@every_family
def test_the_less_is_known_the_less_a_row_counts(family):
    y = interval_censored([2, 1.9, 1.5, 1, -INF], [2, 2.1, 2.5, 4, 4])
    values = row_by_row(censored_crps, y, np.full(5, 1.0), scale=0.5, family=family)
    assert (np.diff(values) < 0).all()
    values = row_by_row(censored_log_loss, y[1:], np.full(4, 1.0), scale=0.5, family=family)
    assert (np.diff(values) < 0).all()


@every_family
def test_the_score_of_a_sure_prediction_is_the_distance_to_the_interval(family):
    pred = np.array([1.5, 4, 2, 0.5, 5])
    location = pred if family in ANY_TIME else np.log(pred)
    for scale in (1e-9, 1e-100, 1e-300):
        value = censored_crps(MIXED, location, scale=scale, family=family)
        assert value == pytest.approx(censored_mae(MIXED, pred), rel=1e-8)


@every_score
def test_rows_of_weight_zero_might_as_well_be_absent(score):
    impossible = interval_censored([*MIXED["lower"], -5], [*MIXED["upper"], -4])
    pred, weight = [*LOCATION, 0], [1, 2, 3, 4, 5, 0]
    value = score(impossible, pred, scale=1, family="weibull", sample_weight=weight)
    assert value == score(MIXED, LOCATION, scale=1, family="weibull", sample_weight=weight[:5])


# Late entry


@pytest.mark.parametrize("family", FAMILIES)
def test_a_late_row_is_judged_given_that_it_entered(family):
    fields = [("lower", "f8"), ("upper", "f8"), ("entry", "f8")]
    y = np.array([(3, 3, 1), (3, INF, 1), (-INF, 3, 1), (0.5, 3, 1), (2, 3, 1)], fields)
    time = oracle.distribution(family, 0.9, 0.6)
    late = math.log(time.sf(1))
    share = math.log(time.cdf(3) - time.cdf(1))
    expected = [
        late - time.logpdf(3),
        late - time.logsf(3),
        late - share,
        late - share,
        late - math.log(time.cdf(3) - time.cdf(2)),
    ]
    value = row_by_row(censored_log_loss, y, np.full(5, 0.9), scale=0.6, family=family)
    assert_allclose(value, expected, rtol=1e-10)


def test_an_entry_from_the_start_says_nothing():
    fields = [("event", "?"), ("time", "f8"), ("entry", "f8")]
    y = np.array([(True, 3.0, 0.0), (False, 2.0, -1.0)], fields)
    value = censored_log_loss(y, [1, 2], scale=1, family="weibull")
    expected = censored_log_loss(right_censored([1, 0], [3, 2]), [1, 2], scale=1, family="weibull")
    assert value == expected
    with pytest.raises(ValueError, match=r"^y_true has a field 'entry', .* censored_log_loss does"):
        censored_crps(y, [1, 2], scale=1)
    assert censored_quantile_loss(y, [1, 2]) == 0.5


# Far out


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("family", ANY_TIME)
def test_the_sides_are_alike(sign, family):
    for z in (40.0, 1e3, 1e8):
        known = from_censoring_codes([sign * z], [sign])
        value = censored_log_loss(known, [0], scale=1, family=family)
        exponent = z * z / 2 + math.log(z * math.sqrt(2 * math.pi)) if family == "normal" else z
        assert value == pytest.approx(exponent, rel=1e-5 if z == 40 else 1e-9)


@every_family
def test_the_likelihood_of_a_sure_thing_is_one(family):
    far = 1e3 if family in ANY_TIME else math.exp(40)
    location = 0.0 if family in ANY_TIME else 1.0
    y = interval_censored([-far if family in ANY_TIME else 1 / far, -INF], [INF, far])
    assert 0 <= censored_log_loss(y, [location] * 2, scale=1, family=family) < 1e-15


@pytest.mark.parametrize("family", POSITIVE)
def test_what_cannot_happen_has_an_infinite_loss(family):
    never = interval_censored([-INF, -2], [0, -1])
    assert row_by_row(censored_log_loss, never, np.zeros(2), scale=1, family=family).tolist() == [
        INF,
        INF,
    ]
    both = interval_censored([-2, 3], [-1, INF])
    assert censored_log_loss(both, [0, 0], scale=1, family=family) == INF
    # The score grows with the distance from what can.
    values = row_by_row(censored_crps, never, np.zeros(2), scale=0.4, family=family)
    assert values[1] == pytest.approx(values[0] + 1, rel=1e-13)
    sure = interval_censored([-3, 0], [INF, INF])
    assert censored_log_loss(sure, [0, 0], scale=1, family=family) == 0.0
    assert censored_crps(sure, [0, 0], scale=1, family=family) == 0.0


def test_what_floats_cannot_hold_has_an_infinite_loss():
    for family in FAMILIES:
        y = interval_censored([5, 5, 3], [5, INF, 4])
        for value in row_by_row(censored_log_loss, y, np.zeros(3), scale=1e-320, family=family):
            assert value == INF
    assert censored_log_loss(interval_censored([5], [5]), [5], scale=1e-300) < -600


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e20, 1e200])
@pytest.mark.parametrize("family", ANY_TIME)
def test_tiny_and_huge_scales(family, scale):
    y = interval_censored([scale, scale, -INF, scale], [scale, INF, 2 * scale, 1.5 * scale])
    unit = interval_censored([1, 1, -INF, 1], [1, INF, 2, 1.5])
    for score, change in ((censored_log_loss, None), (censored_crps, scale)):
        value = row_by_row(score, y, np.zeros(4), scale=scale, family=family)
        expected = row_by_row(score, unit, np.zeros(4), scale=1, family=family)
        if change is None:
            expected += [math.log(scale), 0, 0, 0]
        assert_allclose(value, expected * (change or 1), rtol=1e-12)


def test_a_score_that_does_not_exist_is_infinite():
    y = interval_censored([1, 1, -INF], [1, INF, 1])
    for scale, exists in ((1.9, True), (2.0, False), (2.5, False), (50.0, False)):
        values = row_by_row(censored_crps, y, np.zeros(3), scale=scale, family="loglogistic")
        assert np.isfinite(values).tolist() == [exists, True, exists]
        assert not np.isnan(values).any()


def test_scores_are_not_negative_far_out():
    times = np.exp(np.linspace(-300, 300, 200))
    for family in FAMILIES:
        codes = np.resize([0, 1, -1], 200)
        y = from_censoring_codes(times, codes)
        values = row_by_row(censored_crps, y, np.zeros(200), scale=0.5, family=family)
        assert (values >= 0).all()
        assert np.isfinite(values).all()


# Which predictions are best


@every_family
def test_the_loss_is_least_near_the_truth(family):
    generator = np.random.default_rng(5)
    size, truth = 4000, (1.0, 0.6)
    time = oracle.distribution(family, *truth).rvs(size, random_state=generator)
    limit = generator.uniform(0.5, 6, size)
    start = np.floor(time * 2) / 2
    is_right = time > limit
    is_interval = ~is_right & (generator.random(size) < 0.5)
    lower = np.where(is_right, limit, np.where(is_interval, start, time))
    upper = np.where(is_right, INF, np.where(is_interval, start + 0.5, time))
    y = interval_censored(lower, upper)

    def loss(parameters):
        location, log_scale = parameters
        return censored_log_loss(
            y, np.full(size, location), scale=math.exp(log_scale), family=family
        )

    found = minimize(loss, [0.5, 0.0], method="Nelder-Mead", options={"xatol": 1e-4, "fatol": 1e-8})
    assert found.success
    assert found.x[0] == pytest.approx(truth[0], abs=0.05)
    assert math.exp(found.x[1]) == pytest.approx(truth[1], abs=0.04)


@every_family
def test_without_censoring_the_score_is_least_near_the_truth(family):
    generator = np.random.default_rng(6)
    truth = (1.0, 0.4)
    time = oracle.distribution(family, *truth).rvs(2000, random_state=generator)
    y = interval_censored(time, time)

    def score(location, scale):
        return censored_crps(y, np.full(2000, location), scale=scale, family=family)

    best = score(*truth)
    for step in (0.08, -0.08):
        assert score(truth[0] + step, truth[1]) > best
        assert score(truth[0], truth[1] + step) > best


def test_with_censoring_the_score_is_for_early_ends():
    generator = np.random.default_rng(7)
    time = generator.exponential(size=20_000)
    y = right_censored(time <= 1, np.minimum(time, 1))
    scores = {
        rate: censored_crps(y, np.full(20_000, -math.log(rate)), scale=1, family="weibull")
        for rate in (1.0, 1.3)
    }
    losses = {
        rate: censored_log_loss(y, np.full(20_000, -math.log(rate)), scale=1, family="weibull")
        for rate in (1.0, 1.3)
    }
    assert scores[1.3] < scores[1.0]
    assert losses[1.3] > losses[1.0]


def test_the_mean_score_of_the_truth_is_half_the_mean_difference():
    generator = np.random.default_rng(8)
    time = generator.normal(size=20_000)
    value = censored_crps(interval_censored(time, time), np.zeros(20_000), scale=1)
    assert value == pytest.approx(1 / math.sqrt(math.pi), rel=0.01)


# Against R


@read_cases("aft_nll")
def test_likelihoods_of_r(case):
    columns = read_columns(case)
    y, keywords = interval_censored(columns["lower"], columns["upper"]), {"family": family_of(case)}
    keywords["scale"] = case["scale"]
    value = censored_log_loss(y, columns["mu"], sample_weight=columns["weights"], **keywords)
    assert value == pytest.approx(case["values"]["weighted_mean_nll"], rel=1e-9)
    rows = row_by_row(censored_log_loss, y, columns["mu"], **keywords)
    assert_allclose(-rows, case["values"]["loglik"], rtol=1e-9)


@read_cases("survreg")
def test_likelihoods_of_r_are_greatest_at_its_estimates(case):
    columns, expected = read_columns(case), case["values"]
    with (FOLDER / "ic_mixed_a.csv").open() as file:
        x = np.array([float(row["x"]) for row in csv.DictReader(file)])
    y, weight = interval_censored(columns["lower"], columns["upper"]), columns["weights"]
    keywords = {"family": family_of(case), "sample_weight": weight}

    def log_likelihood(start, slope, scale):
        return -weight.sum() * censored_log_loss(y, start + slope * x, scale=scale, **keywords)

    estimates = (*expected["coef"], expected["scale"])
    best = log_likelihood(*estimates)
    assert best == pytest.approx(expected["loglik"], rel=1e-8)
    free = 2 if case["dist"] == "exponential" else 3
    for step in np.vstack([np.eye(3)[:free], -np.eye(3)[:free]]) * 0.01:
        assert log_likelihood(*(estimates + step)) < best


@read_cases("tails")
def test_tails_of_r(case):
    columns = read_columns(case)
    y = interval_censored(columns["lower"], columns["upper"])
    pred = np.column_stack([columns["mu"], columns["sigma"]])
    rows = row_by_row(censored_log_loss, y, pred, family=family_of(case))
    assert_allclose(-rows, case["values"]["loglik"], rtol=1e-6)


def test_every_reference_row_is_compared():
    kinds = {case["id"].split("/")[0] for case in CASES}
    assert kinds == {"aft_nll", "rmst", "survreg", "tails"}
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["package"] and case["call"] for case in CASES)


# What is refused

PAIRS = np.column_stack([LOCATION, np.ones(5)])


@every_score
@pytest.mark.parametrize(
    ("pred", "keywords", "told"),
    [
        (LOCATION, {}, "y_pred holds one number a row, the locations; pass the scales as `scale`"),
        (PAIRS, {"scale": 1}, "y_pred has two columns, locations and scales; leave `scale` out"),
        (PAIRS[:, :1], {"scale": 1}, r".*but has shape \(5, 1\)"),
        (np.ones((5, 3)), {}, r"y_pred must hold .* two columns, .* but has shape \(5, 3\)"),
        (PAIRS * [1, 0], {}, r"y_pred\[:, 1\] must be above 0, but holds 0.0 \(5 of 5 values\)"),
        (PAIRS * [1, -1], {}, r"y_pred\[:, 1\] must be above 0, but holds -1.0"),
        (PAIRS * [np.nan, 1], {}, "y_pred must be finite, but holds nan"),
        ([0, 1, 2, INF, 3], {"scale": 1}, "y_pred must be finite, but holds inf"),
        (
            LOCATION[:4],
            {"scale": 1},
            "Inputs must have the same length, but y_true has 5 rows, y_p",
        ),
        (LOCATION, {"scale": [1, 2]}, "Inputs must have the same length, but .* scale has 2 rows"),
        (LOCATION, {"scale": [1]}, "Inputs must have the same length, but .* scale has 1 rows"),
        (LOCATION, {"scale": 0}, r"scale=0 must be a finite number, above 0; it is a stand"),
        (LOCATION, {"scale": -1}, "scale=-1 must be a finite number"),
        (LOCATION, {"scale": INF}, "scale=inf must be a finite number"),
        (LOCATION, {"scale": "1"}, "scale='1' must be a finite number"),
        (LOCATION, {"scale": True}, "scale=True must be a finite number"),
        (LOCATION, {"scale": [1, 2, 3, 4, np.nan]}, "scale must be finite, but holds nan"),
        (
            PAIRS,
            {"family": "gamma"},
            "family='gamma' is not known; use one of 'normal', 'logistic'",
        ),
        (PAIRS, {"sample_weight": [1, -1, 1, 1, 1]}, "sample_weight must not be negative"),
        ([[1, 2], [3]], {}, "y_pred must have rows of equal length"),
        ([list("ab")] * 5, {}, "y_pred must hold plain real numbers"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(score, pred, keywords, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        score(MIXED, pred, **keywords)


@pytest.mark.parametrize("family", POSITIVE)
def test_a_known_time_of_zero_has_no_density(family):
    y = right_censored([1, 0, 1], [0, 0, 2])
    told = r"^y_true has 1 known time\(s\) that are not positive, e.g. 0.0, first in row 0. They h"
    for weight in (None, [0, 1, 1]):
        with pytest.raises(ValueError, match=told):
            censored_log_loss(y, [0, 0, 0], scale=1, family=family, sample_weight=weight)
    assert math.isfinite(censored_crps(y, [0, 0, 0], scale=1, family=family))
    assert math.isfinite(censored_log_loss(y, [0, 0, 0], scale=1))
    assert math.isfinite(censored_log_loss(y[1:], [0, 0], scale=1, family=family))


@pytest.mark.parametrize("quantile", [0, 1, -0.1, 1.5, math.nan, "0.5", None, [0.5], True])
def test_quantiles_that_are_refused(quantile):
    with pytest.raises(ValueError, match=r"^quantile="):
        censored_quantile_loss(MIXED, LOCATION, quantile=quantile)


def test_the_quantile_loss_of_many_is_least_at_the_quantile():
    generator = np.random.default_rng(9)
    time = generator.exponential(size=20_000)
    y = right_censored(np.ones(20_000), time)
    truth = -math.log(1 - 0.8)
    losses = [
        censored_quantile_loss(y, np.full(20_000, at), quantile=0.8)
        for at in (truth - 0.2, truth, truth + 0.2)
    ]
    assert losses[1] == min(losses)
    value = censored_quantile_loss(y, np.full(20_000, truth))
    assert value == pytest.approx(mean_absolute_error(time, np.full(20_000, truth)) / 2, rel=1e-12)


@pytest.mark.parametrize("quantile", [0.2, 0.5, 0.8])
def test_with_censoring_a_quantile_that_is_too_early_looks_best(quantile):
    draw = np.random.default_rng(0)
    time, limit = draw.exponential(size=100_000), draw.exponential(size=100_000)
    y = right_censored(time <= limit, np.minimum(time, limit))
    best = math.log(1 + 2 * quantile / (1 - quantile)) / 2
    assert best < -math.log(1 - quantile)
    losses = [
        censored_quantile_loss(y, np.full(len(y), at), quantile=quantile)
        for at in (0.9 * best, best, 1.1 * best)
    ]
    assert losses[1] == min(losses)


def test_a_score_beyond_the_largest_number_is_infinite():
    y = right_censored([1, 0], [1, 2])
    for family, location, scale in (
        ("lognormal", 0, 54),
        ("lognormal", 0, 1e300),
        ("lognormal", 800, 1),
        ("loglogistic", 0, 2),
        ("loglogistic", 800, 1),
        ("weibull", 0, 1e3),
        ("weibull", 800, 1),
    ):
        assert censored_crps(y, [location] * 2, scale=scale, family=family) == INF
        known = censored_crps(y[1:], [location], scale=scale, family=family)
        assert 0 <= known <= 2


@pytest.mark.parametrize("gap", [2.0**-10, 2.0**-20, 2.0**-40])
def test_loglogistic_scores_just_below_the_scale_without_one(gap):
    # The mean of the lesser of two is the integral of the squared survival: B(1 + s, 2 - s) / 1!.
    y = right_censored([1], [1e-12])
    value = censored_crps(y, [0], scale=2 - gap, family="loglogistic")
    assert value == pytest.approx(gamma(3 - gap) * gamma(gap), rel=1e-10)


def test_durations_are_no_numbers():
    for duration in (np.timedelta64(1, "D"), pd.Timedelta("1D")):
        with pytest.raises(ValueError, match=r"^scale=.* is a duration; give a plain number"):
            censored_crps(MIXED, LOCATION, scale=duration)
        with pytest.raises(ValueError, match=r"^n_bins=.* is a duration; give a plain number"):
            d_calibration([[2, 2]], [0.5], n_bins=duration)
