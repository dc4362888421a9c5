"""Standard errors, tests and intervals of weighted kappa, and of the difference of two."""

import math
import pickle

import numpy as np
import oracles
import oracles_inference
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from strategies import disagreements, graded, whole_weights

from sklearn_ordinal_censored._kernels.confusion import rank_distance
from sklearn_ordinal_censored._kernels.influence import (
    bootstrap_kappas,
    draw_counts,
    influence_error,
    kappa_influence,
)
from sklearn_ordinal_censored.metrics import compare_kappa, kappa_inference, weighted_kappa
from sklearn_ordinal_censored.metrics._estimates import ConfidenceInterval

POWERS = {"linear": 1, "quadratic": 2, None: 0, 0.5: 0.5, 3: 3}
METHODS = ("fisher", "wald", "bootstrap")
MISSED_IS_WORSE = [[0, 1, 2], [5, 0, 1], [9, 5, 0]]

rng = np.random.default_rng(0)
TRUE = np.r_[0:4, rng.integers(0, 4, 196)]
GOOD = np.clip(TRUE + rng.integers(-1, 2, 200) * (rng.random(200) < 0.5), 0, 3)
POOR = np.clip(TRUE + rng.integers(-2, 3, 200), 0, 3)


def with_matrix(rows):
    return st.tuples(st.just(rows), disagreements(rows.n_classes))


def table_of(rows):
    weight = oracles.unit_weights(rows.true_ranks, rows.weight)
    return oracles_inference.table_of(rows.true_ranks, rows.pred_ranks, rows.n_classes, weight)


def parts(result):
    return [getattr(result, name) for name in result.__dataclass_fields__ if name[0] != "_"]


def is_constant(table):
    return 1 in (np.count_nonzero(np.sum(table, axis=axis)) for axis in (0, 1))


# Standard errors


@given(graded(min_classes=2), st.sampled_from(list(POWERS)))
def test_errors_against_the_delta_method(rows, weights):
    table = table_of(rows)
    matrix = oracles.distance_matrix(rows.n_classes, POWERS[weights])
    assume(not math.isnan(oracles_inference.kappa_of_table(table, matrix)))
    result = kappa_inference(rows.y_true, rows.y_pred, weights=weights, **rows.keywords)
    error = oracles_inference.delta_error(table, matrix)
    null = oracles_inference.delta_error(oracles_inference.independent(table), matrix)
    assert result.standard_error == pytest.approx(error, rel=1e-6, abs=1e-7)
    assert result.null_standard_error == pytest.approx(null, rel=1e-6, abs=1e-7)


@given(graded(min_classes=2, max_classes=4).flatmap(with_matrix))
def test_errors_of_any_matrix_against_the_delta_method(case):
    rows, matrix = case
    table = table_of(rows)
    assume(not math.isnan(oracles_inference.kappa_of_table(table, matrix)))
    result = kappa_inference(rows.y_true, rows.y_pred, weights=matrix, **rows.keywords)
    null = oracles_inference.delta_error(oracles_inference.independent(table), matrix)
    error = oracles_inference.delta_error(table, matrix)
    size = max(1, abs(result.estimate))
    assert result.standard_error == pytest.approx(error, rel=1e-6, abs=1e-6 * size)
    assert result.null_standard_error == pytest.approx(null, rel=1e-6, abs=1e-6 * size)


@given(graded(min_classes=2, max_size=60), st.sampled_from(list(POWERS)))
def test_symmetric_weights_give_the_published_formulas(rows, weights):
    table = table_of(rows)
    assume(not is_constant(table))
    matrix = oracles.distance_matrix(rows.n_classes, POWERS[weights])
    result = kappa_inference(rows.y_true, rows.y_pred, weights=weights, **rows.keywords)
    for ours, null in ((result.standard_error, False), (result.null_standard_error, True)):
        try:
            published = oracles_inference.published_error(table, matrix, null)
        except ValueError:  # a negative variance, by rounding
            published = 0.0
        assert ours == pytest.approx(published, rel=1e-5, abs=1e-5)


@given(graded(min_classes=2, max_classes=4, weighting=lambda size: st.none()).flatmap(with_matrix))
def test_errors_are_the_infinitesimal_jackknife_of_the_rows(case):
    rows, matrix = case
    assume(not math.isnan(oracles_inference.kappa_of_table(table_of(rows), matrix)))
    result = kappa_inference(rows.y_true, rows.y_pred, weights=matrix, labels=rows.labels)
    jackknife = oracles_inference.infinitesimal_jackknife(
        rows.true_ranks, [rows.pred_ranks], rows.n_classes, matrix
    )
    size = max(1, abs(result.estimate))
    assert result.standard_error == pytest.approx(jackknife, rel=1e-8, abs=1e-10 * size)


@pytest.mark.parametrize("preds", [[GOOD], [GOOD, POOR]], ids=["one", "difference"])
@pytest.mark.parametrize("weights", ["quadratic", "linear", None])
def test_leaving_out_rows_gives_nearly_the_same_error(preds, weights):
    matrix = oracles.distance_matrix(4, POWERS[weights])
    jackknife = oracles_inference.delete_one_jackknife(TRUE, preds, 4, matrix)
    infer = kappa_inference if len(preds) == 1 else compare_kappa
    result = infer(TRUE, *preds, weights=weights)
    assert result.standard_error == pytest.approx(jackknife, rel=0.02)


def test_the_influence_tells_what_one_more_row_does():
    table = np.array([[30.0, 5, 2], [4, 20, 6], [1, 7, 25]])
    disagreement = np.array(MISSED_IS_WORSE) / 9
    influence = kappa_influence(table, disagreement)
    for cell in np.ndindex(3, 3):
        more = table.copy()
        more[cell] += 1e-4 * table.sum()
        change = oracles_inference.kappa_of_table(more, disagreement)
        change -= oracles_inference.kappa_of_table(table, disagreement)
        assert influence[cell] == pytest.approx(change / 1e-4, rel=2e-3)
    assert (influence * table).sum() == pytest.approx(0, abs=1e-12)


def test_the_error_of_a_mean():
    values = np.random.default_rng(0).normal(size=50)
    error = influence_error(values - values.mean(), np.ones(50))
    assert error == pytest.approx(values.std() / math.sqrt(50), rel=1e-12)


@given(graded())
def test_the_estimate_is_weighted_kappa(rows):
    keywords = {"replace_undefined_by": -9.0, **rows.keywords}
    for weights in POWERS:
        value = weighted_kappa(rows.y_true, rows.y_pred, weights=weights, **keywords)
        result = kappa_inference(rows.y_true, rows.y_pred, weights=weights, **keywords)
        assert result.estimate == value
        assert all(type(part) is float for part in parts(result))


@given(graded(min_classes=2, weighting=whole_weights))
def test_whole_weights_repeat_rows(rows):
    table = table_of(rows)
    assume(not is_constant(table))
    repeated = [oracles.repeat_rows(side, rows.weight) for side in (rows.y_true, rows.y_pred)]
    weighted = kappa_inference(rows.y_true, rows.y_pred, **rows.keywords)
    assert parts(weighted) == parts(kappa_inference(*repeated, labels=rows.labels))


def test_four_times_the_rows_halve_the_error():
    once = kappa_inference(TRUE, GOOD)
    fourfold = kappa_inference(np.tile(TRUE, 4), np.tile(GOOD, 4))
    assert fourfold.estimate == pytest.approx(once.estimate, rel=1e-14)
    assert fourfold.standard_error == pytest.approx(once.standard_error / 2, rel=1e-12)
    assert fourfold.null_standard_error == pytest.approx(once.null_standard_error / 2, rel=1e-12)
    assert fourfold.statistic == pytest.approx(once.statistic * 2, rel=1e-12)


@given(graded(min_classes=2))
def test_symmetric_weights_do_not_tell_truth_from_prediction(rows):
    assume(not is_constant(table_of(rows)))
    there = kappa_inference(rows.y_true, rows.y_pred, **rows.keywords)
    back = kappa_inference(rows.y_pred, rows.y_true, **rows.keywords)
    assert_allclose(parts(there), parts(back), rtol=1e-9, atol=1e-9)


def test_the_unit_of_a_matrix_is_of_no_account():
    first = kappa_inference(TRUE, GOOD, weights=rank_distance(4, 2))
    assert_allclose(parts(first), parts(kappa_inference(TRUE, GOOD)), rtol=1e-12)
    second = kappa_inference(TRUE, GOOD, weights=rank_distance(4, 2) * 1e6)
    assert_allclose(parts(second), parts(first), rtol=1e-12)


# Tests of no agreement


def test_statistic_and_pvalue_come_from_the_null_error():
    result = kappa_inference(TRUE, GOOD)
    assert result.statistic == result.estimate / result.null_standard_error
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(result.statistic), rel=1e-12)
    result = kappa_inference(TRUE, np.random.default_rng(3).permutation(GOOD))
    assert 0.05 < result.pvalue < 1


def test_agreement_below_chance_is_significant_too():
    below = kappa_inference(TRUE, 3 - GOOD)
    assert below.statistic < -5
    assert below.pvalue < 1e-6


def test_pvalues_are_uniform_without_a_relation():
    draws = np.random.default_rng(1)
    samples = draws.integers(0, 4, (500, 2, 100))
    pvalues = [kappa_inference(*sample, labels=range(4)).pvalue for sample in samples]
    assert stats.kstest(pvalues, "uniform").pvalue > 0.01


# Limits


@pytest.mark.parametrize("weights", ["quadratic", "linear", None, MISSED_IS_WORSE])
def test_perfect_agreement_has_no_interval(weights):
    result = kappa_inference([0, 1, 2] * 5, [0, 1, 2] * 5, weights=weights)
    assert (result.estimate, result.standard_error) == (1.0, 0.0)
    assert result.null_standard_error > 0
    assert result.pvalue < 1e-2
    for method in METHODS:
        with pytest.warns(UndefinedMetricWarning, match=r"standard_error is 0\.0.*certainty"):
            assert all(map(math.isnan, result.confidence_interval(method=method)))


@pytest.mark.parametrize("weights", ["quadratic", "linear", None, 0.7, MISSED_IS_WORSE])
def test_a_constant_side_speaks_neither_for_nor_against_chance(weights):
    grades = [0, 1, 2, 2, 1, 0, 0]
    for pair in ((grades, [1] * 7), ([1] * 7, grades)):
        result = kappa_inference(*pair, weights=weights)
        assert parts(result) == [0.0, 0.0, 0.0, 0.0, 1.0]
        with pytest.warns(UndefinedMetricWarning, match="a side is constant"):
            assert all(map(math.isnan, result.confidence_interval()))


def test_errors_of_zero_are_not_a_matter_of_rounding():
    """Linear distance is a sum of two parts where the sides do not overlap: kappa is 0 always."""
    true, pred = [0, 1, 1, 0, 1, 1, 0], [2, 3, 4, 2, 2, 3, 4]
    weights = np.random.default_rng(0).random((20, 7))
    results = [kappa_inference(true, pred, weights="linear", sample_weight=w) for w in weights]
    estimates = [result.estimate for result in results]
    assert 0 < max(map(abs, estimates)) < 1e-15
    for result in results:
        assert parts(result)[1:] == [0.0, 0.0, 0.0, 1.0]


def test_total_disagreement():
    result = kappa_inference([0, 1, 0, 1], [1, 0, 1, 0])
    assert (result.estimate, result.standard_error) == (-1.0, 0.0)
    assert result.null_standard_error == 0.5
    with pytest.warns(UndefinedMetricWarning, match="certainty"):
        result.confidence_interval()


def test_an_undefined_kappa_has_no_errors():
    with pytest.warns(UndefinedMetricWarning, match="kappa_inference is undefined") as caught:
        result = kappa_inference([2, 2], [2, 2])
    assert len(caught) == 1
    assert all(map(math.isnan, parts(result)))
    replaced = kappa_inference([2, 2], [2, 2], replace_undefined_by=1)
    assert replaced.estimate == 1.0
    assert type(replaced.estimate) is float
    assert all(map(math.isnan, parts(replaced)[1:]))
    with pytest.warns(UndefinedMetricWarning, match="standard_error is nan"):
        assert all(map(math.isnan, replaced.confidence_interval()))


def test_one_row():
    assert parts(kappa_inference([0], [1])) == [0.0, 0.0, 0.0, 0.0, 1.0]
    with pytest.warns(UndefinedMetricWarning, match="same constant"):
        assert math.isnan(kappa_inference([1], [1]).standard_error)


def test_a_kappa_below_minus_one_needs_another_interval():
    """Only the widest miss has a price, and it happens wherever both end grades occur."""
    true, pred = [0, 1, 1, 1, 1, 1, 0, 1, 1, 1], [2, 1, 1, 1, 1, 1, 1, 1, 1, 2]
    widest = [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    result = kappa_inference(true, pred, weights=widest)
    assert result.estimate == pytest.approx(1 - 0.1 / 0.04)
    with pytest.raises(ValueError, match=r"'fisher' needs a value between -1.0 and 1.0.*'wald' or"):
        result.confidence_interval()
    low, high = result.confidence_interval(method="wald")
    assert low < result.estimate < high


# Intervals


def test_the_default_interval_has_t_quantiles_on_the_scale_of_fisher():
    result = kappa_inference(TRUE, GOOD)
    low, high = interval = result.confidence_interval()
    assert type(interval) is ConfidenceInterval
    assert type(low) is type(high) is float
    centre = math.atanh(result.estimate)
    n = len(TRUE)
    error = result.standard_error * math.sqrt(n / (n - 1))
    margin = stats.t.ppf(0.975, n - 1) * error / (1 - result.estimate**2)
    assert_allclose([low, high], np.tanh([centre - margin, centre + margin]), rtol=1e-12)
    assert result.confidence_interval(method="fisher") == interval


def test_fisher_needs_two_rows():
    result = kappa_inference([0, 1, 1], [0, 1, 0], sample_weight=[0.2, 0.3, 0.5])
    with pytest.raises(
        ValueError, match=r"sample_weight sums to 1, but weights are numbers of rows"
    ):
        result.confidence_interval()


def test_the_wald_interval_is_symmetric():
    result = kappa_inference(TRUE, GOOD)
    low, high = result.confidence_interval(0.9, "wald")
    assert (low + high) / 2 == pytest.approx(result.estimate, rel=1e-12)
    assert (high - low) / 2 == pytest.approx(stats.norm.ppf(0.95) * result.standard_error)


@given(graded(min_classes=2))
def test_fisher_stays_between_minus_one_and_one(rows):
    table = table_of(rows)
    assume(not is_constant(table))
    result = kappa_inference(rows.y_true, rows.y_pred, **rows.keywords)
    assume(result.standard_error > 0 and -1 < result.estimate < 1 and np.sum(table) >= 2)
    low, high = result.confidence_interval()
    assert -1 <= low <= result.estimate <= high <= 1


@pytest.mark.parametrize("method", METHODS)
def test_a_higher_level_is_wider(method):
    result = kappa_inference(TRUE, GOOD)
    intervals = [result.confidence_interval(p, method, random_state=0) for p in (0.5, 0.9, 0.99)]
    lows, highs = zip(*intervals, strict=True)
    assert list(lows) == sorted(lows, reverse=True)
    assert list(highs) == sorted(highs)
    assert lows[0] < result.estimate < highs[0]


def test_all_methods_agree_on_many_rows():
    draws = np.random.default_rng(5)
    true = draws.integers(0, 4, 5000)
    pred = np.clip(true + draws.integers(-1, 2, 5000), 0, 3)
    result = kappa_inference(true, pred)
    reference = np.array(result.confidence_interval(method="wald"))
    for method in ("fisher", "bootstrap"):
        ends = result.confidence_interval(method=method, random_state=0)
        assert_allclose(ends, reference, atol=0.05 * (reference[1] - reference[0]))


def test_the_bootstrap_is_reproducible_and_may_be_longer():
    result = kappa_inference(TRUE, GOOD)
    first = result.confidence_interval(method="bootstrap", random_state=3)
    assert result.confidence_interval(method="bootstrap", random_state=3) == first
    assert result.confidence_interval(method="bootstrap", random_state=4) != first
    other = result.confidence_interval(method="bootstrap", n_resamples=50, random_state=3)
    assert other != first
    generator = np.random.RandomState(3)
    assert result.confidence_interval(method="bootstrap", random_state=generator) == first


def test_the_bootstrap_reads_weights_as_frequencies():
    repeated = kappa_inference(np.repeat(TRUE, 3), np.repeat(GOOD, 3))
    weighted = kappa_inference(TRUE, GOOD, sample_weight=np.full(200, 3))
    options = {"method": "bootstrap", "random_state": 0}
    assert weighted.confidence_interval(**options) == repeated.confidence_interval(**options)


def test_the_bootstrap_against_loops_over_rows():
    true, pred = [0, 0, 1, 2, 2, 2], [0, 1, 1, 2, 0, 2]
    matrix = np.array(MISSED_IS_WORSE) / 9
    draws = draw_counts(np.ones(6), 300, np.random.RandomState(0))
    kappas = bootstrap_kappas(draws, np.array(true), [np.array(pred)], matrix)[0]
    samples = np.random.RandomState(0).multinomial(6, np.full(6, 1 / 6), size=300)
    expected = [oracles.kappa(true, pred, matrix, sample.tolist()) for sample in samples]
    assert_allclose(kappas, expected, rtol=1e-12, atol=1e-12)


def test_bootstrap_samples_with_a_constant_side_have_a_kappa_of_exactly_zero():
    true, constant = np.arange(7), np.full(7, 3)
    for sides in ((true, constant), (constant, true)):
        draws = draw_counts(np.full(7, 30.0), 50, np.random.RandomState(0))
        kappas = bootstrap_kappas(draws, sides[0], [sides[1]], rank_distance(7, 1.7))
        assert (kappas == 0).all()


def test_the_bootstrap_in_batches_draws_the_same(monkeypatch):
    rows = TRUE, [GOOD, POOR], rank_distance(4)
    whole = bootstrap_kappas(draw_counts(np.ones(200), 100, np.random.RandomState(0)), *rows)
    monkeypatch.setattr("sklearn_ordinal_censored._kernels.influence._BATCH", 200 * 7)
    in_batches = bootstrap_kappas(draw_counts(np.ones(200), 100, np.random.RandomState(0)), *rows)
    assert whole.shape == in_batches.shape == (2, 100)
    assert_allclose(in_batches, whole, rtol=1e-13)


def test_undefined_bootstrap_samples_are_reported():
    result = kappa_inference([0, 0, 1, 0], [0, 0, 1, 1])
    with pytest.warns(UndefinedMetricWarning, match=r"\d+ of 500 bootstrap samples .* left out"):
        low, high = result.confidence_interval(method="bootstrap", n_resamples=500, random_state=0)
    assert low <= result.estimate <= high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"confidence_level": 95}, "confidence_level=95 must be between 0 and 1"),
        ({"confidence_level": 0}, "confidence_level=0 must be between 0 and 1"),
        ({"confidence_level": 1.0}, "confidence_level=1.0 must be"),
        ({"confidence_level": "95%"}, "confidence_level='95%' must be a finite number"),
        ({"confidence_level": math.nan}, "confidence_level=nan"),
        ({"method": "logit"}, "method='logit' is not known; use one of 'wald', 'fisher', 'boot"),
        ({"method": None}, "method=None is not known"),
        ({"method": "bootstrap", "n_resamples": 0}, "n_resamples=0 must be a whole number"),
        ({"method": "bootstrap", "n_resamples": 2.5}, "n_resamples=2.5"),
        ({"method": "bootstrap", "random_state": "x"}, "'x' cannot be used to seed"),
    ],
)
def test_bad_options_of_intervals(arguments, message):
    with pytest.raises(ValueError, match=message):
        kappa_inference(TRUE, GOOD).confidence_interval(**arguments)


def test_weights_of_less_than_one_row_cannot_be_drawn():
    result = kappa_inference(TRUE, GOOD, sample_weight=np.full(200, 0.002))
    assert result.standard_error > 0
    with pytest.raises(ValueError, match=r"sum of 0\.4\d*, less than one row"):
        result.confidence_interval(method="bootstrap")


# Results


@pytest.mark.parametrize(
    "result", [kappa_inference(TRUE, GOOD), compare_kappa(TRUE, GOOD, POOR)], ids=["one", "two"]
)
def test_results_are_frozen_shown_and_pickled(result):
    with pytest.raises(AttributeError):
        result.standard_error = 0.0
    assert "_resample" not in repr(result)
    assert f"pvalue={result.pvalue!r}" in repr(result)
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    options = {"method": "bootstrap", "n_resamples": 20, "random_state": 0}
    assert copied.confidence_interval(**options) == result.confidence_interval(**options)


# Two kappas


@st.composite
def three_columns(draw):
    rows = draw(graded(min_classes=2, max_classes=4, weighting=whole_weights))
    ranks = st.integers(0, rows.n_classes - 1)
    size = len(rows.true_ranks)
    second = draw(st.lists(ranks, min_size=size, max_size=size))
    return rows, second, draw(disagreements(rows.n_classes))


@given(three_columns())
def test_differences_against_the_jackknife_of_repeated_rows(case):
    rows, second, matrix = case
    true, first, second = (
        oracles.repeat_rows(ranks, rows.weight)
        for ranks in (rows.true_ranks, rows.pred_ranks, second)
    )
    kappas = [oracles.kappa(true, pred, matrix) for pred in (first, second)]
    assume(not any(map(math.isnan, kappas)))
    jackknife = oracles_inference.infinitesimal_jackknife(
        true, [first, second], rows.n_classes, matrix
    )
    assume(jackknife > 1e-6)
    labels = [[rows.labels[rank] for rank in ranks] for ranks in (case[0].pred_ranks, case[1])]
    result = compare_kappa(
        rows.y_true, *labels, weights=matrix, labels=rows.labels, sample_weight=rows.weight
    )
    size = max(1, *map(abs, kappas))
    assert result.difference == pytest.approx(kappas[0] - kappas[1], rel=1e-9, abs=1e-9 * size)
    assert result.standard_error == pytest.approx(jackknife, rel=1e-7)
    assert result.statistic == result.difference / result.standard_error


def test_exchanging_the_two_turns_the_sign():
    there, back = compare_kappa(TRUE, GOOD, POOR), compare_kappa(TRUE, POOR, GOOD)
    assert there.difference == -back.difference > 0
    assert there.standard_error == pytest.approx(back.standard_error, rel=1e-14)
    assert there.pvalue == pytest.approx(back.pvalue, rel=1e-12)
    low, high = there.confidence_interval()
    assert_allclose(back.confidence_interval(), [-high, -low], rtol=1e-12)


def test_differences_are_those_of_the_estimates():
    for weights in POWERS:
        first, second = (kappa_inference(TRUE, pred, weights=weights) for pred in (GOOD, POOR))
        result = compare_kappa(TRUE, GOOD, POOR, weights=weights)
        assert result.difference == first.estimate - second.estimate
        assert all(type(part) is float for part in parts(result))


def test_a_second_prediction_without_influence_leaves_the_error_of_the_first():
    """A perfect and a constant prediction do not vary with the rows."""
    error = kappa_inference(TRUE, GOOD).standard_error
    for other in (TRUE, np.full(200, 1)):
        assert compare_kappa(TRUE, GOOD, other).standard_error == pytest.approx(error, rel=1e-12)


def test_pairing_makes_the_difference_of_like_models_surer():
    flips = np.random.default_rng(2).random(200) < 0.1
    like = np.where(flips, POOR, GOOD)
    paired = compare_kappa(TRUE, GOOD, like).standard_error
    apart = [kappa_inference(TRUE, pred).standard_error for pred in (GOOD, like)]
    assert paired < 0.8 * math.hypot(*apart)


def test_equal_predictions_do_not_differ():
    result = compare_kappa(TRUE, GOOD, GOOD)
    assert parts(result) == [0.0, 0.0, 0.0, 1.0]
    with pytest.warns(UndefinedMetricWarning, match="certainty"):
        assert all(map(math.isnan, result.confidence_interval()))


def test_perfect_against_constant_has_no_test():
    with pytest.warns(UndefinedMetricWarning, match="standard error of 1.0 is 0"):
        result = compare_kappa([0, 1, 2], [0, 1, 2], [1, 1, 1])
    assert result.difference == 1.0
    assert math.isnan(result.pvalue)


def test_an_undefined_difference():
    with pytest.warns(UndefinedMetricWarning, match="compare_kappa is undefined") as caught:
        result = compare_kappa([1, 1], [1, 1], [1, 2])
    assert len(caught) == 1
    assert "replace_undefined_by" not in str(caught[0].message)
    assert all(map(math.isnan, parts(result)))


def test_the_three_columns_share_one_scale():
    """With a matrix for three grades, of which the first two columns hold two only."""
    result = compare_kappa([0, 1, 0, 1], [0, 1, 1, 1], [0, 2, 1, 1], weights=MISSED_IS_WORSE)
    kappas = [
        weighted_kappa([0, 1, 0, 1], pred, weights=MISSED_IS_WORSE, labels=range(3))
        for pred in ([0, 1, 1, 1], [0, 2, 1, 1])
    ]
    assert result.difference == pytest.approx(kappas[0] - kappas[1], rel=1e-14)


def test_bootstrap_of_a_difference():
    result = compare_kappa(TRUE, GOOD, POOR)
    low, high = result.confidence_interval(method="bootstrap", random_state=0)
    wald = result.confidence_interval(method="wald")
    assert result.confidence_interval() == wald
    assert_allclose([low, high], wald, atol=0.15 * (wald.high - wald.low))
    draws = np.random.RandomState(0).multinomial(200, np.full(200, 1 / 200), size=400)
    values = [
        weighted_kappa(TRUE, GOOD, sample_weight=count)
        - weighted_kappa(TRUE, POOR, sample_weight=count)
        for count in draws
    ]
    assert_allclose(np.quantile(values, [0.025, 0.975]), [low, high], atol=0.1 * (high - low))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0, 1], [0]), "y_true has 2 rows, y_pred_a has 2 rows, y_pred_b has 1 rows"),
        (([0, 1], [0, 1], [0, 0.5]), r"y_pred_b holds 0\.5.*no grades"),
        ((["a", "b"], ["a", "b"], ["a", "b"]), "y_true holds text.*pass `labels`"),
        (([0, 1], [0, None], [0, 1]), r"y_pred_a has 1 missing value\(s\)"),
    ],
)
def test_bad_columns(arguments, message):
    with pytest.raises(ValueError, match=message):
        compare_kappa(*arguments)


def test_bad_weights_of_kappa():
    with pytest.raises(ValueError, match="weights='cubic' is not known"):
        kappa_inference(TRUE, GOOD, weights="cubic")
    with pytest.raises(ValueError, match="diagonal"):
        compare_kappa(TRUE, GOOD, POOR, weights=np.eye(4))
    with pytest.raises(ValueError, match="sample_weight has 2 rows"):
        compare_kappa(TRUE, GOOD, POOR, sample_weight=[1, 2])
    with pytest.raises(ValueError, match="replace_undefined_by='0'"):
        kappa_inference(TRUE, GOOD, replace_undefined_by="0")


def test_rows_of_weight_zero_might_as_well_be_absent():
    weight = np.arange(200) % 3
    kept = weight > 0
    columns = TRUE, GOOD, POOR
    shorter = compare_kappa(*(y[kept] for y in columns), sample_weight=weight[kept])
    assert compare_kappa(*columns, sample_weight=weight) == shorter
    stray = [np.r_[y, 9] for y in columns]
    assert compare_kappa(*stray, sample_weight=np.r_[np.ones(200), 0]) == compare_kappa(*columns)


def test_containers_and_names_of_grades():
    words = np.array(["poor", "fair", "good", "best"])
    scale = {"categories": words, "ordered": True}
    categories = [pd.Categorical.from_codes(y, **scale) for y in (TRUE, GOOD, POOR)]
    expected = compare_kappa(TRUE, GOOD, POOR)
    assert compare_kappa(*categories) == expected
    assert compare_kappa(*(words[y] for y in (TRUE, GOOD, POOR)), labels=words) == expected
    assert compare_kappa(*(pd.Series(y, dtype="Int64") for y in (TRUE, GOOD, POOR))) == expected
    assert kappa_inference(*categories[:2]) == kappa_inference(TRUE.tolist(), GOOD.tolist())


@pytest.mark.parametrize("method", METHODS)
def test_an_undefined_kappa_has_no_interval_of_any_kind(method):
    result = kappa_inference([1, 1], [1, 1], replace_undefined_by=0.0)
    with pytest.warns(UndefinedMetricWarning, match="set to nan"):
        assert np.isnan(result.confidence_interval(method=method)).all()
