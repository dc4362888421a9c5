"""Standard errors, tests and differences of concordance: loops over pairs, permutations, R."""

import csv
import functools
import json
import math
from pathlib import Path

import numpy as np
import oracles_concordance_inference as oracle
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning
from strategies import whole_weights
from strategies_censored import censored

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored.metrics import (
    compare_concordance,
    concordance_index,
    concordance_inference,
)
from sklearn_ordinal_censored.metrics._comparable import read_scored, sum_pairs
from sklearn_ordinal_censored.metrics._row_pairs import sum_mirrored_pairs, sum_row_pairs
from sklearn_ordinal_censored.targets import interval_censored, right_censored

FOLDER = Path(__file__).parent.parent / "reference"
CASES = json.loads((FOLDER / "concordance_variance.json").read_text())
UNDEFINED = -9.0  # stands for 0/0 on both sides


def infer(rows, **keywords):
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED, **keywords}
    result = concordance_inference(rows.bounds, rows.pred, **keywords)
    assume(result.estimate != UNDEFINED)
    return result


def simulated(n_rows=60, seed=0, share=0.6):
    rng = np.random.default_rng(seed)
    time = rng.permutation(n_rows) + 1.0
    event = rng.random(n_rows) < share
    return right_censored(event, time), time + rng.normal(0, n_rows / 3, (2, n_rows)), rng


@functools.cache
def read_table(dataset):
    with (FOLDER / f"{dataset}.csv").open() as file:
        return list(csv.DictReader(file))


def read_case(case):
    """The target, and the further columns that a case names, by their role."""
    lines = [line for line in read_table(case["dataset"]) if line.get("case") == case.get("case")]
    columns = {
        role: np.array([float(line[name]) for line in lines])
        for role, name in case["columns"].items()
    }
    times = columns.pop("replicate", np.ones(len(lines))).astype(int)
    columns = {role: np.repeat(values, times) for role, values in columns.items()}
    time = columns.pop("stop" if "start" in columns else "time")
    fields = {"event": columns.pop("event") == 1, "time": time}
    if "start" in columns:
        fields["entry"] = columns.pop("start")
    y = np.empty(len(time), [(name, values.dtype) for name, values in fields.items()])
    for name, values in fields.items():
        y[name] = values
    if "weights" in columns:
        columns["sample_weight"] = columns.pop("weights")
    return y, columns


def cases(*kinds):
    chosen = [case for case in CASES if case["id"].split("/")[0] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


# Pairs of a row


@given(rows=censored())
@settings(max_examples=200)
def test_pairs_of_each_row(rows):
    scored = read_scored(rows.bounds, rows.pred, "time", rows.stratum, rows.weight)
    counted = np.ones(len(rows.pred), bool) if rows.weight is None else np.array(rows.weight) > 0
    for found, expected in zip(sum_row_pairs(scored), oracle.row_pairs(rows), strict=True):
        assert_allclose(found, np.array(expected)[counted], rtol=1e-9, atol=1e-9)


@given(rows=censored())
def test_the_later_rows_see_the_same_pairs(rows):
    scored = read_scored(rows.bounds, rows.pred, "time", rows.stratum)
    earlier, later = sum_pairs(scored), sum_mirrored_pairs(scored)
    for first, second in zip(earlier[2:], later[2:], strict=True):
        assert first.sum() == second.sum()
        assert second.dtype == np.int64


# One concordance


@given(rows=censored())
def test_the_estimate_and_the_pairs(rows):
    result = infer(rows)
    keywords = {**rows.keywords, "replace_undefined_by": UNDEFINED}
    assert result.estimate == concordance_index(rows.bounds, rows.pred, **keywords)
    expected = oracle.pair_sums(oracle.pairs_of(rows), rows.pred, rows.weight)
    found = (result.concordant, result.discordant, result.tied_score)
    assert found == pytest.approx(tuple(expected.values()), rel=1e-9, abs=1e-9)
    if rows.weight is None:
        assert all(isinstance(count, int) for count in found)


@given(rows=censored())
def test_the_standard_error_is_that_of_small_steps(rows):
    expected = oracle.jackknife_variance(oracle.jackknife_terms(rows, rows.pred))
    assert infer(rows).standard_error ** 2 == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.filterwarnings("ignore:The standard error of")  # clusters may cancel
@given(rows=censored(), data=st.data())
def test_clusters_are_added_up_before_they_are_squared(rows, data):
    size = len(rows.pred)
    cluster = data.draw(st.lists(st.sampled_from("xyz"), min_size=size, max_size=size))
    weight = [1] * size if rows.weight is None else rows.weight
    assume(len({name for name, w in zip(cluster, weight, strict=True) if w > 0}) > 1)
    terms = oracle.jackknife_terms(rows, rows.pred)
    expected = oracle.jackknife_variance(terms, cluster)
    error = infer(rows, cluster=cluster).standard_error
    assert error**2 == pytest.approx(expected, rel=1e-6, abs=1e-9)


@given(rows=censored(max_size=5))
def test_the_null_error_is_that_of_all_permutations(rows):
    result = infer(rows)
    values = oracle.dealt_concordances(rows)
    assert np.mean(values) == pytest.approx(0.5, abs=1e-12)
    assert result.null_standard_error == pytest.approx(np.std(values), rel=1e-7, abs=1e-9)


def test_the_null_error_is_that_of_a_score_test_without_ties():
    for seed in range(5):
        y, (pred, _), _ = simulated(seed=seed)
        result = concordance_inference(y, pred)
        upper = np.where(y["event"], y["time"], np.inf)
        expected = oracle.score_test_variance(y["time"], upper, pred)
        assert result.null_standard_error**2 == pytest.approx(expected, rel=1e-9)


@given(rows=censored())
def test_every_row_a_cluster_of_its_own_changes_nothing(rows):
    result = infer(rows)
    clustered = infer(rows, cluster=range(len(rows.pred))) if len(rows.pred) > 1 else result
    assert clustered.standard_error == pytest.approx(result.standard_error, rel=1e-9)
    assert clustered.null_standard_error == pytest.approx(result.null_standard_error, rel=1e-9)


def test_copies_in_clusters_count_as_one():
    y, (pred, _), _ = simulated()
    single = concordance_inference(y, pred)
    rows = np.repeat(np.arange(len(y)), 3)
    copied = concordance_inference(y[rows], pred[rows], cluster=rows)
    # A copy makes no comparable pair with its original but is tied with it at a censoring or so.
    assert copied.estimate == pytest.approx(single.estimate)
    assert copied.standard_error == pytest.approx(single.standard_error)
    assert copied.null_standard_error == pytest.approx(single.null_standard_error, rel=0.05)
    unaware = concordance_inference(y[rows], pred[rows])
    assert unaware.standard_error == pytest.approx(single.standard_error / math.sqrt(3))


def test_clusters_without_an_effect_leave_the_null_error():
    y, (pred, _), rng = simulated(300, share=0.8)
    single = concordance_inference(y, pred)
    ratios = [
        concordance_inference(y, pred, cluster=rng.permutation(300) % 15).null_standard_error
        / single.null_standard_error
        for _ in range(40)
    ]
    assert single.estimate > 0.6
    assert np.mean(ratios) == pytest.approx(1, abs=0.08)


def test_the_design_effect_is_that_of_the_standard_error():
    y, (pred, _), rng = simulated()
    cluster = rng.integers(0, 8, len(y))
    single, result = concordance_inference(y, pred), concordance_inference(y, pred, cluster=cluster)
    expected = single.null_standard_error * result.standard_error / single.standard_error
    assert result.null_standard_error == pytest.approx(expected)


def test_copies_of_rows_in_the_right_order_count_as_one():
    time = np.arange(1.0, 21.0)
    rows = np.repeat(np.arange(20), 5)
    y = right_censored(np.ones(100), time[rows])
    result = concordance_inference(y, time[rows], cluster=rows)
    assert (result.estimate, result.standard_error) == (1.0, 0.0)
    single = concordance_inference(y[::5], time)
    assert result.null_standard_error == pytest.approx(single.null_standard_error, rel=0.05)


def test_few_clusters_widen_intervals_and_raise_pvalues():
    y, (pred, other), rng = simulated()
    cluster = rng.permutation(len(y)) % 7
    quantile = student.ppf(0.975, 6) * math.sqrt(7 / 6)
    result = concordance_inference(y, pred, cluster=cluster)
    margin = quantile * result.standard_error
    expected = result.estimate - margin, result.estimate + margin
    assert result.confidence_interval(method="wald") == pytest.approx(expected)
    statistic = abs(result.statistic) * math.sqrt(6 / 7)
    assert result.pvalue == pytest.approx(2 * student.sf(statistic, 6))
    result = compare_concordance(y, pred, other, cluster=cluster)
    margin = quantile * result.standard_error
    expected = result.difference - margin, result.difference + margin
    assert result.confidence_interval() == pytest.approx(expected)
    statistic = abs(result.statistic) * math.sqrt(6 / 7)
    assert result.pvalue == pytest.approx(2 * student.sf(statistic, 6))


@pytest.mark.parametrize("unit", [2.0**-700, 2.0**500])
def test_the_unit_of_the_weights_does_not_matter(unit):
    y, (pred, other), rng = simulated()
    weight, cluster = rng.integers(1, 4, len(y)), rng.integers(0, 8, len(y))
    names = ("estimate", "standard_error", "null_standard_error", "statistic", "pvalue")
    one = concordance_inference(y, pred, sample_weight=weight, cluster=cluster)
    scaled = concordance_inference(y, pred, sample_weight=weight * unit, cluster=cluster)
    assert [getattr(scaled, name) for name in names] == [getattr(one, name) for name in names]
    assert scaled.concordant == one.concordant * unit * unit
    difference = compare_concordance(y, pred, other, sample_weight=weight * unit)
    assert difference == compare_concordance(y, pred, other, sample_weight=weight)


@given(rows=censored(weighting=whole_weights))
def test_weights_repeat_rows_for_the_estimate(rows):
    weighted, repeated = infer(rows), infer(rows.repeated)
    assert weighted.estimate == pytest.approx(repeated.estimate, abs=1e-12)
    counts = (weighted.concordant, weighted.discordant, weighted.tied_score)
    assert counts == (repeated.concordant, repeated.discordant, repeated.tied_score)


@given(rows=censored(weighting=whole_weights))
def test_rows_repeated_in_a_cluster_have_the_error_of_weights(rows):
    cluster = np.repeat(np.arange(len(rows.pred)), rows.weight)
    assume(len(set(cluster)) > 1)
    error = infer(rows.repeated, cluster=cluster).standard_error
    assert error == pytest.approx(infer(rows).standard_error, rel=1e-6, abs=1e-9)


@given(rows=censored())
def test_the_scale_of_the_weights_is_of_no_account(rows):
    assume(rows.weight is not None)
    result = infer(rows)
    scaled = infer(rows._replace(weight=[w * 2.0**-70 for w in rows.weight]))
    for name in ("estimate", "standard_error", "null_standard_error"):
        assert getattr(scaled, name) == pytest.approx(getattr(result, name), rel=1e-6, abs=1e-9)


@given(rows=censored())
def test_a_prediction_and_its_reverse(rows):
    result, reverse = infer(rows), infer(rows, prediction="risk")
    assert result.estimate + reverse.estimate == pytest.approx(1, abs=1e-12)
    assert reverse.standard_error == pytest.approx(result.standard_error, abs=1e-9)
    assert reverse.null_standard_error == result.null_standard_error
    assert (reverse.concordant, reverse.discordant) == (result.discordant, result.concordant)


def test_the_test_against_one_half():
    y, (pred, _), _ = simulated()
    result = concordance_inference(y, pred)
    assert result.statistic == (result.estimate - 0.5) / result.null_standard_error
    assert result.pvalue == pytest.approx(2 * norm.sf(abs(result.statistic)))
    assert 0 < result.pvalue < 0.01


def test_intervals():
    y, (pred, _), _ = simulated()
    result = concordance_inference(y, pred)
    value, error = result.estimate, result.standard_error
    z = norm.ppf(0.95)
    wald = result.confidence_interval(0.9, method="wald")
    assert wald == pytest.approx((value - z * error, value + z * error))
    margin = z * error / (value * (1 - value))
    expected = expit(logit(value) - margin), expit(logit(value) + margin)
    assert result.confidence_interval(0.9) == pytest.approx(expected)
    assert result.confidence_interval(0.9) == result.confidence_interval(0.9, "logit")
    assert all(isinstance(end, float) for end in wald)
    with pytest.raises(ValueError, match=r"^method='fisher' is not known; use one of 'logit', "):
        result.confidence_interval(method="fisher")


def test_a_perfect_order_has_no_interval():
    y, _, _ = simulated()
    result = concordance_inference(y, y["time"])
    assert (result.estimate, result.standard_error) == (1.0, 0.0)
    assert result.pvalue < 1e-6
    with pytest.warns(UndefinedMetricWarning, match="would claim certainty"):
        assert np.isnan(result.confidence_interval()).all()


def test_a_constant_prediction():
    y, _, _ = simulated()
    result = concordance_inference(y, np.zeros(len(y)))
    assert (result.estimate, result.standard_error) == (0.5, 0.0)
    assert (result.null_standard_error, result.statistic, result.pvalue) == (0.0, 0.0, 1.0)


def test_no_pair():
    y = right_censored([0, 0, 1], [1, 2, 3])
    message = "concordance_inference is undefined .* among 3 rows, 1 of them with an event"
    with pytest.warns(UndefinedMetricWarning, match=message):
        result = concordance_inference(y, [1, 2, 3])
    assert np.isnan(result.estimate)
    replaced = concordance_inference(y, [1, 2, 3], replace_undefined_by=0.5)
    assert replaced.estimate == 0.5
    assert np.isnan([replaced.standard_error, replaced.null_standard_error, replaced.pvalue]).all()
    assert (replaced.concordant, replaced.discordant, replaced.tied_score) == (0, 0, 0)


@pytest.mark.parametrize(
    ("cluster", "message"),
    [
        ([1, 1, 1], r"^cluster has one value only, .*1.*; a standard error needs two clusters"),
        ([1, 2], r"^Inputs must have the same length, but y_true has 3 rows, cluster has 2 rows"),
        ([1, 2, None], r"^cluster has 1 missing value"),
    ],
)
def test_refused_clusters(cluster, message):
    y = right_censored([1, 1, 0], [1, 2, 3])
    with pytest.raises(ValueError, match=message):
        concordance_inference(y, [1, 2, 3], cluster=cluster)
    with pytest.raises(ValueError, match=message):
        concordance_inference(y, [1, 2, 3], cluster=cluster, sample_weight=[1, 2, 0.5])


def test_a_cluster_without_weight_is_none():
    y = right_censored([1, 1, 0], [1, 2, 3])
    with pytest.raises(ValueError, match=r"^cluster has one value only"):
        concordance_inference(y, [1, 2, 3], cluster=["a", "a", "b"], sample_weight=[1, 1, 0])


def test_numpy_and_compiled_sums_agree(monkeypatch):
    y, (pred, _), rng = simulated()
    weight = rng.random(len(y))
    result = concordance_inference(y, pred, sample_weight=weight)
    monkeypatch.setattr(pairs, "_implementation", lambda: pairs.wavelet_sums)
    by_numpy = concordance_inference(y, pred, sample_weight=weight)
    for name in ("estimate", "standard_error", "null_standard_error"):
        assert getattr(by_numpy, name) == pytest.approx(getattr(result, name), rel=1e-12)


# Two concordances


@given(rows=censored(), data=st.data())
def test_the_difference_against_small_steps(rows, data):
    size = len(rows.pred)
    other = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    assume(oracle.pairs_of(rows))
    terms = (oracle.jackknife_terms(rows, pred) for pred in (rows.pred, other))
    expected = oracle.jackknife_variance([a - b for a, b in zip(*terms, strict=True)])
    assume(expected > 1e-9)
    result = compare_concordance(rows.bounds, rows.pred, other, **rows.keywords)
    assert result.standard_error**2 == pytest.approx(expected, rel=1e-6, abs=1e-9)
    first, second = (
        concordance_index(rows.bounds, pred, **rows.keywords) for pred in (rows.pred, other)
    )
    assert result.difference == first - second


def test_the_test_of_a_difference():
    y, (pred_a, pred_b), _ = simulated()
    result = compare_concordance(y, pred_a, pred_b)
    assert result.statistic == result.difference / result.standard_error
    assert result.pvalue == pytest.approx(2 * norm.sf(abs(result.statistic)))
    margin = norm.ppf(0.975) * result.standard_error
    expected = result.difference - margin, result.difference + margin
    assert result.confidence_interval() == pytest.approx(expected)
    turned = compare_concordance(y, pred_b, pred_a)
    assert (turned.difference, turned.pvalue) == (-result.difference, result.pvalue)


def test_clusters_strata_weights_and_direction_of_a_difference():
    y, (pred_a, pred_b), rng = simulated()
    cluster, strata = rng.integers(0, 20, len(y)), rng.integers(0, 2, len(y))
    keywords = {"strata": strata, "sample_weight": rng.integers(0, 3, len(y))}
    result = compare_concordance(y, pred_a, pred_b, cluster=cluster, **keywords)
    first, second = (concordance_index(y, pred, **keywords) for pred in (pred_a, pred_b))
    assert result.difference == first - second
    assert result.standard_error != compare_concordance(y, pred_a, pred_b, **keywords)
    reverse = compare_concordance(
        y, -pred_a, -pred_b, cluster=cluster, prediction="risk", **keywords
    )
    assert reverse == result


def test_predictions_of_the_same_order():
    y, (pred, _), _ = simulated()
    result = compare_concordance(y, pred, np.exp(pred / 10))
    assert (result.difference, result.standard_error) == (0.0, 0.0)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


def test_a_perfect_order_cannot_be_tested_against_none():
    y, _, _ = simulated()
    with pytest.warns(UndefinedMetricWarning, match=r"standard error of 0\.5 is 0"):
        result = compare_concordance(y, y["time"], np.zeros(len(y)))
    assert (result.difference, result.standard_error) == (0.5, 0.0)
    assert np.isnan([result.statistic, result.pvalue]).all()


def test_no_pair_to_compare():
    y = right_censored([0, 0, 1], [1, 2, 3])
    with pytest.warns(UndefinedMetricWarning, match=r"compare_concordance is undefined .* no comp"):
        result = compare_concordance(y, [1, 2, 3], [3, 2, 1])
    assert np.isnan([result.difference, result.standard_error, result.pvalue]).all()


def test_messages_name_the_prediction():
    y = interval_censored([1, 2], [1, 2])
    with pytest.raises(ValueError, match=r"^y_pred_b must be finite, but holds nan"):
        compare_concordance(y, [1, 2], [1, np.nan])
    with pytest.raises(ValueError, match=r"y_pred_a has 3 rows, y_pred_b has 2 rows"):
        compare_concordance(y, [1, 2, 3], [1, 2])


# R


@cases("concordance", "concordance_trunc")
def test_variance_of_r(case):
    y, columns = read_case(case)
    result = concordance_inference(
        y, columns.pop("score"), prediction="risk", replace_undefined_by=UNDEFINED, **columns
    )
    if case["values"]["concordance"] is None:
        assert result.estimate == UNDEFINED
        return
    assert result.estimate == pytest.approx(case["values"]["concordance"], rel=1e-9)
    assert result.standard_error**2 == pytest.approx(case["values"]["var"], rel=1e-9, abs=1e-15)
    if "cvar" in case["values"]:  # few event times are tied
        few = 1e-9 if case.get("case") == "basic" else 1e-3
        assert result.null_standard_error**2 == pytest.approx(case["values"]["cvar"], rel=few)


@cases("concordance_diff", "concordance_trunc_diff")
def test_difference_of_r(case):
    y, columns = read_case(case)
    scores = (columns.pop(name) for name in ("score1", "score2"))
    result = compare_concordance(y, *scores, prediction="risk", **columns)
    expected = case["values"]
    assert result.difference == pytest.approx(expected["diff"], rel=1e-9)
    assert result.standard_error**2 == pytest.approx(expected["var_diff"], rel=1e-9)
    if "z" in expected:
        assert result.statistic == pytest.approx(expected["z"], rel=1e-9)
        assert result.pvalue == pytest.approx(expected["p_two_sided"], rel=1e-9)


@cases("rcorr.cens")
def test_deviation_of_hmisc(case):
    y, columns = read_case(case)
    result = concordance_inference(y, columns["score"], prediction="risk")
    assert result.estimate == pytest.approx(case["values"]["c_index"], rel=1e-9)
    assert 2 * result.standard_error == pytest.approx(case["values"]["SD_Dxy"], rel=1e-9)


def test_every_reference_row_is_compared():
    kinds = {case["id"].split("/")[0] for case in CASES}
    expected = {"concordance", "concordance_trunc", "concordance_diff", "concordance_trunc_diff"}
    assert kinds == expected | {"rcorr.cens"}
    assert len(CASES) == len({case["id"] for case in CASES})
    assert all(case["package"] and case["call"] for case in CASES)


def test_there_is_no_bootstrap_to_configure():
    result = concordance_inference([[1, 1], [2, 2], [3, 3]], [1, 3, 2])
    with pytest.raises(TypeError, match="n_resamples"):
        result.confidence_interval(n_resamples=100)
