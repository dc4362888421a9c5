"""Concordance of censored targets: against loops over pairs, exact identities, other packages."""

import math
import tracemalloc
import warnings

import numpy as np
import oracles_censored as oracle
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError, UndefinedMetricWarning
from strategies import whole_weights
from strategies_censored import RIGHT_CENSORED, censored

from sklearn_ordinal_censored.metrics import concordance_index, concordance_index_ipcw
from sklearn_ordinal_censored.metrics._comparable import read_scored, sum_pairs
from sklearn_ordinal_censored.metrics._ipcw import censoring_survival
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored
from sklearn_ordinal_censored.targets._censored import parse_censored

UNDEFINED = -9.0  # stands for 0/0 on both sides
NOTHING_CENSORED = right_censored([1], [1.0])
every_metric = pytest.mark.parametrize("metric", [concordance_index, concordance_index_ipcw])


def close(value, expected):
    expected = UNDEFINED if math.isnan(expected) else expected
    return value == pytest.approx(expected, rel=1e-9, abs=1e-12)


def harrell(rows, **keywords):
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, **keywords}
    return concordance_index(rows.bounds, rows.pred, **keywords)


def uno(rows, **keywords):
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, **keywords}
    return concordance_index_ipcw(rows.event_time, rows.pred, **keywords)


def expected_sums(rows, strict_times=False):
    pairs = oracle.comparable_pairs(rows.lower, rows.upper, rows.stratum, rows.entry, strict_times)
    return oracle.pair_sums(pairs, rows.pred, rows.weight)


def untied(seed, n_rows=200, share=0.6):
    """Events, distinct times and distinct predictions that are related."""
    rng = np.random.default_rng(seed)
    time = rng.permutation(n_rows) + 1.0
    pred = time + rng.normal(0, n_rows / 3, n_rows)
    return rng.random(n_rows) < share, time, pred


# Harrell's concordance


@given(rows=censored(), strict_times=st.booleans())
@settings(max_examples=200)
def test_against_loops_over_pairs(rows, strict_times):
    expected = oracle.concordance(expected_sums(rows, strict_times))
    assert close(harrell(rows, strict_times=strict_times), expected)


@given(rows=censored(kinds=RIGHT_CENSORED), strict_times=st.booleans())
def test_right_censored_rows_as_events_and_times(rows, strict_times):
    expected = harrell(rows, strict_times=strict_times)
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, "strict_times": strict_times}
    assert concordance_index(rows.event_time, rows.pred, **keywords) == expected


@given(rows=censored(), strict_times=st.booleans())
def test_sums_of_pairs(rows, strict_times):
    scored = read_scored(rows.bounds, rows.pred, "time", rows.stratum, rows.weight)
    pairs = sum_pairs(scored, strict_times)
    own = 1 if scored.weight is None else scored.weight[pairs.rows]
    found = {
        "concordant": (own * pairs.concordant).sum(),
        "discordant": (own * pairs.discordant).sum(),
        "tied": (own * pairs.tied).sum(),
    }
    expected = expected_sums(rows, strict_times)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    if rows.weight is None:
        assert found == expected
        assert pairs.concordant.dtype == np.int64
    assert_array_equal(
        pairs.has_pair, (pairs.concordant > 0) | (pairs.discordant > 0) | (pairs.tied > 0)
    )


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED, weighting=whole_weights))
def test_whole_weights_repeat_rows(metric, rows):
    score = {concordance_index: harrell, concordance_index_ipcw: uno}[metric]
    assert close(score(rows), score(rows.repeated))


@given(rows=censored(weighting=whole_weights), strict_times=st.booleans())
def test_whole_weights_repeat_rows_of_any_kind(rows, strict_times):
    value = harrell(rows, strict_times=strict_times)
    assert value == harrell(rows.repeated, strict_times=strict_times)


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED), data=st.data())
def test_the_order_of_the_rows_is_of_no_account(metric, rows, data):
    order = data.draw(st.permutations(range(len(rows.lower))))
    shuffled = type(rows)(*(side and [side[row] for row in order] for side in rows))
    score = {concordance_index: harrell, concordance_index_ipcw: uno}[metric]
    assert close(score(shuffled), score(rows))


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED))
def test_the_unit_of_time_is_of_no_account(metric, rows):
    score = {concordance_index: harrell, concordance_index_ipcw: uno}[metric]
    days = (side and [365.25 * time for time in side] for side in (rows.lower, rows.upper))
    entry = rows.entry and [365.25 * time for time in rows.entry]
    lower, upper = days
    assert score(rows._replace(lower=lower, upper=upper, entry=entry)) == score(rows)


@given(rows=censored())
def test_any_increasing_map_of_the_bounds(rows):
    def stretched(times):
        return times and [time**3 - 20 for time in times]

    mapped = rows._replace(
        lower=stretched(rows.lower), upper=stretched(rows.upper), entry=stretched(rows.entry)
    )
    assert harrell(mapped) == harrell(rows)


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED))
def test_only_the_order_of_the_predictions_counts(metric, rows):
    score = {concordance_index: harrell, concordance_index_ipcw: uno}[metric]
    mapped = [math.exp(value) / 7 for value in rows.pred]
    assert score(rows._replace(pred=mapped)) == score(rows)


@every_metric
@given(rows=censored(kinds=RIGHT_CENSORED))
def test_a_prediction_and_its_reverse_add_up_to_one(metric, rows):
    score = {concordance_index: harrell, concordance_index_ipcw: uno}[metric]
    value = score(rows)
    assume(value != UNDEFINED)
    reverse = score(rows._replace(pred=[-value for value in rows.pred]))
    assert value + reverse == pytest.approx(1, abs=1e-12)
    assert score(rows, prediction="risk") == reverse


@given(rows=censored())
def test_a_constant_prediction_is_one_half(rows):
    value = harrell(rows._replace(pred=[2.0] * len(rows.pred)))
    assert value in (0.5, UNDEFINED)


@given(rows=censored(kinds=("exact",)))
def test_the_times_themselves_are_a_perfect_prediction(rows):
    rows = rows._replace(pred=rows.lower)
    assert harrell(rows) in (UNDEFINED, pytest.approx(1, abs=1e-12))
    backwards = harrell(rows, prediction="risk")
    assert backwards in (UNDEFINED, pytest.approx(0, abs=1e-12))


def test_bounds_of_any_kind_by_hand():
    # The exact 5 is not inside (5, 8], but is inside (2, 5]; (-inf, 4] came before it.
    y = interval_censored([5, 5, 2, -np.inf], [5, 8, 5, 4])
    sums = sum_pairs(read_scored(y, [1, 2, 3, 0]))
    pairs = dict(zip(sums.rows, sums.concordant + sums.discordant + sums.tied, strict=True))
    assert pairs == {0: 1, 1: 0, 2: 1, 3: 2}
    # 0 before 1 concordant, 2 before 1 discordant, 3 before 0 and 1 concordant
    assert concordance_index(y, [1, 2, 3, 0]) == 0.75
    # of those only the pairs of row 3 have bounds that differ
    assert concordance_index(y, [1, 2, 3, 0], strict_times=True) == 1.0


def test_strata_by_hand():
    y = right_censored([1, 1, 1, 1], [1, 2, 3, 4])
    assert concordance_index(y, [1, 4, 2, 3], strata=["a", "b", "a", "b"]) == 0.5
    assert concordance_index(y, [1, 4, 2, 3]) == pytest.approx(4 / 6)
    with pytest.warns(UndefinedMetricWarning, match="no comparable pair"):
        assert math.isnan(concordance_index(y, [1, 4, 2, 3], strata=[1, 2, 3, 4]))


@pytest.mark.parametrize(
    "strata",
    [
        np.array(["x", "y", "x"]),
        np.array(["x", "y", "x"], dtype=object),
        [True, False, True],
        np.array([2.5, -1, 2.5]),
        pd.Categorical(["x", "y", "x"]),
        pd.Series(["x", "y", "x"], dtype="string"),
    ],
    ids=["text", "objects", "booleans", "numbers", "categories", "strings"],
)
@every_metric
def test_strata_of_any_type(metric, strata):
    y = right_censored([1, 1, 1], [1, 2, 3])
    assert metric(y, [1, 9, 2], strata=strata) == 1.0


def test_entry_by_hand():
    # The second row came in when the first had gone, so only the third can be compared with it.
    y = np.array(
        [(True, 2.0, 0.0), (True, 4.0, 2.0), (False, 5.0, 1.0)],
        dtype=[("event", "?"), ("time", "f8"), ("entry", "f8")],
    )
    assert concordance_index(y, [2, 1, 3]) == 1.0
    assert concordance_index(y[["event", "time"]], [2, 1, 3]) == pytest.approx(2 / 3)


def test_a_row_that_entered_within_its_interval_takes_no_pair_from_others():
    y = np.array(
        [(3.0, 3.0, 0.0), (7.0, 7.0, 0.0), (0.0, 10.0, 5.0)],
        dtype=[("lower", "f8"), ("upper", "f8"), ("entry", "f8")],
    )
    assert concordance_index(y, [1, 2, 0]) == 1.0
    assert concordance_index(y, [1, 2, 0], strict_times=True) == 1.0


def test_near_ties_are_no_ties():
    time = [0.3, 0.1 + 0.2, 0.5]
    assert time[0] != time[1]
    y = right_censored([1, 1, 1], time)
    assert concordance_index(y, [1, 0, 2]) == pytest.approx(2 / 3)
    pred = [1.0, np.nextafter(1.0, 2.0), 2.0]
    assert concordance_index(y, pred) == 1.0


def test_large_numbers_do_not_merge():
    y = right_censored([1, 1, 1], [1e9, 1e9 + 1, 1e9 + 2])
    assert concordance_index(y, [0, 1, 2]) == 1.0


# Uno's concordance


def reference_survival(rows, reference):
    """G just before every row's time, from other data."""
    return [
        oracle.kaplan_meier(
            reference.lower,
            np.equal(reference.lower, reference.upper),
            time,
            reference.weight,
            reference.entry,
            reverse=True,
            left_limit=True,
        )
        for time in rows.lower
    ]


def expected_uno(rows, survival, tau=None):
    return oracle.ipcw_concordance(
        rows.lower,
        rows.upper,
        rows.pred,
        survival,
        math.inf if tau is None else tau,
        rows.stratum,
        rows.entry,
        rows.weight,
    )


taus = st.none() | st.integers(0, 7)


@given(rows=censored(kinds=RIGHT_CENSORED, max_size=16), tau=taus)
@settings(max_examples=200)
def test_uno_against_loops_over_pairs(rows, tau):
    survival = oracle.censoring_before(
        rows.lower, rows.upper, rows.stratum, rows.entry, rows.weight
    )
    assert close(uno(rows, tau=tau), expected_uno(rows, survival, tau))


@given(
    rows=censored(kinds=RIGHT_CENSORED),
    reference=censored(kinds=RIGHT_CENSORED),
    tau=taus,
)
@settings(max_examples=200)
def test_uno_with_the_censoring_of_other_data(rows, reference, tau):
    curve = KaplanMeier(reverse=True).fit(reference.event_time, reference.weight)
    expected = expected_uno(rows, reference_survival(rows, reference), tau)
    assert close(uno(rows, tau=tau, censoring=curve), expected)
    unweighted = reference._replace(weight=None)
    expected = expected_uno(rows, reference_survival(rows, unweighted), tau)
    for target in (unweighted.event_time, unweighted.bounds):
        assert close(uno(rows, tau=tau, censoring=target), expected)


@given(rows=censored(kinds=RIGHT_CENSORED))
def test_the_scored_data_as_their_own_reference(rows):
    alone = rows._replace(stratum=None)
    curve = KaplanMeier(reverse=True).fit(alone.event_time, alone.weight)
    assert uno(alone) == uno(alone, censoring=curve)
    bare = alone._replace(weight=None)
    assert uno(bare) == uno(bare, censoring=bare.event_time)


@given(rows=censored(kinds=("exact",)))
def test_without_censoring_uno_is_harrell(rows):
    assert close(uno(rows), harrell(rows))


@given(rows=censored(kinds=RIGHT_CENSORED), tau=taus)
def test_without_censoring_in_the_reference_only_tau_makes_a_difference(rows, tau):
    limit = math.inf if tau is None else tau
    kept = [
        (i, j)
        for i, j in oracle.comparable_pairs(rows.lower, rows.upper, rows.stratum, rows.entry)
        if rows.lower[i] < limit
    ]
    expected = oracle.concordance(oracle.pair_sums(kept, rows.pred, rows.weight))
    assert close(uno(rows, tau=tau, censoring=NOTHING_CENSORED), expected)


@given(rows=censored(kinds=RIGHT_CENSORED))
def test_a_tau_past_every_event_is_no_tau(rows):
    expected = uno(rows)
    assert uno(rows, tau=5.5) == uno(rows, tau=np.inf) == uno(rows, tau=np.float32(9)) == expected


def test_tau_keeps_events_before_it():
    y, pred = right_censored([1, 1, 0], [1, 2, 3]), [1, 3, 2]
    assert concordance_index_ipcw(y, pred, tau=2) == 1.0
    assert concordance_index_ipcw(y, pred, tau=np.nextafter(2, np.inf)) == pytest.approx(2 / 3)


def test_weights_of_uno_by_hand():
    # After one of three is censored at 2, G falls to 1/2: an event at 3 counts four times.
    y = right_censored([1, 0, 1, 1], [1, 2, 3, 4])
    assert_array_equal(censoring_survival(None, parse_censored("y", y)), [1, 1, 2 / 3, 2 / 3])
    value = concordance_index_ipcw(y, [2, 1, 3, 4])
    assert value == pytest.approx((2 + 9 / 4) / (3 + 9 / 4))


def test_censoring_curves_come_stratum_by_stratum():
    y = right_censored([1, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6])
    strata = ["a", "a", "a", "a", "b", "b"]
    survival = censoring_survival(
        None, parse_censored("y", y), stratum=np.array([0, 0, 0, 0, 1, 1])
    )
    assert_array_equal(survival, [1, 1, 2 / 3, 2 / 3, 1, 1])
    value = concordance_index_ipcw(y, [2, 1, 3, 4, 6, 5], strata=strata)
    assert value == pytest.approx((2 + 9 / 4) / (3 + 9 / 4 + 1))


def test_the_censoring_curve_is_read_only_where_it_is_needed():
    # G is 0 past 3, but the only event there has nobody to be compared with.
    reference = right_censored([1, 0], [1, 3])
    y = right_censored([1, 0, 1], [2, 2.5, 9])
    assert concordance_index_ipcw(y, [1, 2, 3], censoring=reference) == 1.0


@pytest.mark.parametrize(
    "reference",
    [right_censored([1, 0], [1, 3]), right_censored([1, 0, 1], [1, 2, 3])],
    ids=["zero", "unknown"],
)
def test_where_the_censoring_curve_ends_the_largest_tau_is_named(reference):
    y, pred = right_censored([1, 1, 1, 1], [2, 4, 5, 6]), [1, 2, 4, 3]
    told = r"is 0 or unknown before time 4.0; use tau=4.0. Use `replace_undefined_by`"
    with pytest.warns(UndefinedMetricWarning, match=told):
        assert math.isnan(concordance_index_ipcw(y, pred, censoring=reference))
    assert concordance_index_ipcw(y, pred, censoring=reference, replace_undefined_by=0.25) == 0.25
    assert concordance_index_ipcw(y, pred, censoring=reference, tau=4) == 1.0


def test_past_a_reference_without_censoring_the_curve_is_one():
    y, pred = right_censored([1, 1, 1], [2, 4, 5]), [1, 3, 2]
    value = concordance_index_ipcw(y, pred, censoring=NOTHING_CENSORED)
    assert value == concordance_index(y, pred)


def test_left_and_interval_censored_rows_have_no_weight():
    y = interval_censored([1, -np.inf, 2, 3], [1, 4, 5, np.inf])
    told = r"^y_true has 1 left-censored and 1 interval-censored rows, the first in row 1"
    with pytest.raises(ValueError, match=told):
        concordance_index_ipcw(y, [1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"^censoring has 1 left-censored and 1 interval-censored"):
        concordance_index_ipcw(NOTHING_CENSORED, [1], censoring=y)


def test_references_that_are_none():
    y = right_censored([1, 1], [1, 2])
    with pytest.raises(ValueError, match=r"curve of events; it must be KaplanMeier.reverse=True"):
        concordance_index_ipcw(y, [1, 2], censoring=KaplanMeier().fit(y))
    with pytest.raises(NotFittedError):
        concordance_index_ipcw(y, [1, 2], censoring=KaplanMeier(reverse=True))
    with pytest.raises(ValueError, match=r"^censoring is of shape \(2,\) and carries no censoring"):
        concordance_index_ipcw(y, [1, 2], censoring=[1.0, 2.0])


@pytest.mark.parametrize("tau", ["3", np.nan, -np.inf, True, [3.0]])
def test_taus_that_are_no_times(tau):
    with pytest.raises(ValueError, match=r"^tau=.* must be a number"):
        concordance_index_ipcw(NOTHING_CENSORED, [1], tau=tau)


# What every concordance does alike


@every_metric
@pytest.mark.parametrize(
    ("event", "time"),
    [([0, 1], [3, 5]), ([1, 1], [5, 5]), ([0, 0], [3, 5]), ([1], [3]), ([0, 1, 1], [3, 5, 5])],
    ids=["event last", "events at one time", "no event", "one row", "events at the last time"],
)
def test_without_a_comparable_pair(metric, event, time):
    y, pred = right_censored(event, time), np.arange(len(event))
    told = rf"^{metric.__name__} is undefined \(0/0\) and set to nan: there is no comparable pair "
    told += rf"among {len(event)} rows, {sum(event)} of them with an event"
    with pytest.warns(UndefinedMetricWarning, match=told):
        value = metric(y, pred)
    assert type(value) is float
    assert math.isnan(value)
    assert metric(y, pred, replace_undefined_by=0.5) == 0.5
    with pytest.raises(ValueError, match=r"^replace_undefined_by='half' must be a number"):
        metric(y, pred, replace_undefined_by="half")


@every_metric
def test_a_python_float_comes_out(metric):
    y = right_censored([1, 0, 1], [1, 2, 3])
    for keywords in ({}, {"sample_weight": [1, 2, 1]}, {"strata": [1, 1, 1]}):
        assert type(metric(y, [1, 2, 3], **keywords)) is float
    assert type(metric(y, np.array([1, 2, 3], dtype=np.float32))) is float


@every_metric
def test_rows_of_weight_zero_might_as_well_be_absent(metric):
    # The last row alone would end the censoring curve, and the third has a time of its own.
    y = right_censored([1, 1, 0, 1, 0], [1, 2, 2, 5, 1])
    weight = np.array([0.3, 0.7, 0, 1.1, 0])
    kept = weight > 0
    pred = np.array([2.0, 1, 9, 3, 0])
    value = metric(y, pred, sample_weight=weight)
    assert value == metric(y[kept], pred[kept], sample_weight=weight[kept])


# Other packages, where times and predictions are distinct


def tied(seed):
    rng = np.random.default_rng(seed)
    event, time = rng.random(100) < 0.6, rng.integers(1, 9, 100).astype(float)
    return event, time, rng.integers(0, 5, 100).astype(float)


def scikit_survival(event, time, pred):
    metrics = pytest.importorskip("sksurv.metrics")
    return metrics.concordance_index_censored(event, time, -pred)[0]


def lifelines(event, time, pred):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        utils = pytest.importorskip("lifelines.utils")
    return utils.concordance_index(time, pred, event)


@pytest.mark.parametrize("package", [scikit_survival, lifelines])
@pytest.mark.parametrize("make", [untied, tied], ids=["untied", "tied"])
@pytest.mark.parametrize("seed", range(5))
def test_harrell_of_other_packages(seed, make, package):
    event, time, pred = make(seed)
    value = concordance_index(right_censored(event, time), pred)
    assert value == pytest.approx(package(event, time, pred), rel=0, abs=1e-12)


@pytest.mark.parametrize("tau", [None, 50, 120.5])
@pytest.mark.parametrize("seed", range(5))
def test_uno_of_scikit_survival(seed, tau):
    sksurv = pytest.importorskip("sksurv.metrics")
    event, time, pred = untied(seed)
    event[time.argmax()] = True  # else scikit-survival needs G where nothing is compared
    y = right_censored(event, time)
    expected = sksurv.concordance_index_ipcw(y, y, -pred, tau=tau)[0]
    assert concordance_index_ipcw(y, pred, tau=tau) == pytest.approx(expected, abs=1e-12)
    train_event, train_time, _ = untied(seed + 100)
    train = right_censored(train_event, train_time + 0.5)
    expected = sksurv.concordance_index_ipcw(train, y, -pred, tau=tau or 150)[0]
    value = concordance_index_ipcw(y, pred, censoring=train, tau=tau or 150)
    assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ipcw", [False, True])
def test_memory_of_many_rows(ipcw):
    rng = np.random.default_rng(0)
    n_samples = 200_000
    y = right_censored(rng.random(n_samples) < 0.5, rng.exponential(1, n_samples))
    predicted, weight = rng.normal(size=n_samples), rng.random(n_samples)
    concordance_index(y[:100], predicted[:100], sample_weight=weight[:100])  # compiles
    tracemalloc.start()
    if ipcw:
        value = concordance_index_ipcw(y, predicted, tau=3.0, sample_weight=weight)
    else:
        value = concordance_index(y, predicted, sample_weight=weight)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert abs(value - 0.5) < 0.01
    assert peak < 300e6


@pytest.mark.parametrize("factor", [1e-160, 1e-200, 1e150, 1e200])
def test_tiny_and_huge_weights(factor):
    y_true = right_censored(event=[1, 1, 0, 1], time=[1, 2, 3, 4])
    weight, predicted = np.array([1.0, 3, 1, 2]), [2, 1, 4, 3]
    for metric in (concordance_index, concordance_index_ipcw):
        expected = metric(y_true, predicted, sample_weight=weight)
        value = metric(y_true, predicted, sample_weight=weight * factor)
        assert value == pytest.approx(expected, rel=1e-12)
