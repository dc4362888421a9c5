"""Probabilities and scores of grades against loops, scikit-learn, scipy, and values by hand."""

import math

import numpy as np
import oracles
import oracles_probability as oracle
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import somersd
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from strategies import class_probabilities, disagreements, forecasts, graded

from sklearn_ordinal_censored.metrics import (
    cost_weighted_log_loss,
    cumulative_auc,
    cumulative_brier,
    cumulative_scores,
    disagreement_matrix,
    ordinal_accuracy,
    ordinal_concordance_index,
    quadratic_weighted_kappa,
    ranked_probability_score,
    soft_weighted_kappa,
    weighted_kappa,
)

POWERS = {"linear": 1, "quadratic": 2, None: 0, 0.5: 0.5, 3: 3}
OF_PROBABILITIES = [
    ranked_probability_score,
    soft_weighted_kappa,
    cost_weighted_log_loss,
    cumulative_brier,
]
RANKING = [cumulative_auc, ordinal_concordance_index]
UNDEFINED = -9.0  # stands for nan on both sides

rng = np.random.default_rng(0)
TRUE = np.r_[0:4, rng.integers(0, 4, 76)]
PROBA = rng.dirichlet(np.ones(4), 80) * 0.6 + 0.4 * np.eye(4)[np.clip(TRUE + 1, 0, 3)]
SCORE = np.round(TRUE + rng.normal(size=80), 1)
WEIGHT = rng.integers(0, 4, 80) * 0.7


def defined(values):
    return np.nan_to_num(np.asarray(values, dtype=float), nan=UNDEFINED, posinf=np.inf)


def with_matrix(rows):
    return st.tuples(st.just(rows), disagreements(rows.n_classes))


# --- against loops


@given(forecasts())
def test_ranked_probability_score_against_loops(rows):
    expected = oracle.ranked_probability_score(rows.true_ranks, rows.proba, rows.weight)
    value = ranked_probability_score(rows.y_true, rows.proba, normalize=False, **rows.keywords)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-14)
    normalized = ranked_probability_score(rows.y_true, rows.proba, **rows.keywords)
    assert normalized == pytest.approx(expected / max(rows.n_classes - 1, 1), rel=1e-12, abs=1e-14)


@given(forecasts())
def test_brier_score_of_every_cut_against_loops(rows):
    expected = oracle.brier(rows.true_ranks, rows.proba, rows.weight)
    values = cumulative_brier(rows.y_true, rows.proba, average=None, **rows.keywords)
    assert_allclose(values, expected, rtol=1e-12, atol=1e-14)
    macro = cumulative_brier(
        rows.y_true, rows.proba, replace_undefined_by=UNDEFINED, **rows.keywords
    )
    assert macro == pytest.approx(np.mean(expected) if expected else UNDEFINED, abs=1e-13)


@given(forecasts(), st.sampled_from(list(POWERS)))
def test_soft_kappa_of_named_weights_against_pair_loops(rows, weights):
    matrix = oracles.distance_matrix(rows.n_classes, POWERS[weights])
    expected = oracle.soft_kappa(rows.true_ranks, rows.proba, matrix, rows.weight)
    value = soft_weighted_kappa(
        rows.y_true,
        rows.proba,
        weights=weights,
        replace_undefined_by=UNDEFINED,
        **rows.keywords,
    )
    assert value == pytest.approx(float(defined(expected)), rel=1e-11, abs=1e-12)


@given(forecasts(min_classes=2, max_classes=4).flatmap(with_matrix))
def test_soft_kappa_of_any_matrix_against_pair_loops(case):
    rows, matrix = case
    expected = oracle.soft_kappa(rows.true_ranks, rows.proba, matrix, rows.weight)
    value = soft_weighted_kappa(
        rows.y_true, rows.proba, weights=matrix, replace_undefined_by=UNDEFINED, **rows.keywords
    )
    assert value == pytest.approx(float(defined(expected)), rel=1e-10, abs=1e-11)


@given(forecasts().flatmap(with_matrix), st.sampled_from([0, 0.5, 1.0, 3]))
def test_cost_weighted_log_loss_against_loops(case, alpha):
    rows, matrix = case
    given_costs = cost_weighted_log_loss(
        rows.y_true, rows.proba, cost_matrix=matrix, alpha=alpha, **rows.keywords
    )
    expected = oracle.cost_log_loss(rows.true_ranks, rows.proba, matrix, alpha, rows.weight)
    assert given_costs == pytest.approx(expected, rel=1e-12)
    quadratic = np.array(oracles.distance_matrix(rows.n_classes, 2))
    quadratic /= max(quadratic.max(), 1)
    default = cost_weighted_log_loss(rows.y_true, rows.proba, alpha=alpha, **rows.keywords)
    expected = oracle.cost_log_loss(rows.true_ranks, rows.proba, quadratic, alpha, rows.weight)
    assert default == pytest.approx(expected, rel=1e-12)


@given(forecasts(min_classes=2))
def test_area_under_the_curve_of_every_cut_against_pair_loops(rows):
    keywords = {"average": None, "replace_undefined_by": UNDEFINED, **rows.keywords}
    n_cuts = rows.n_classes - 1
    above = list(zip(*map(oracles.exceedance, rows.proba), strict=True))
    for y_score, scores in ((rows.proba, above), (rows.score, [rows.score] * n_cuts)):
        values = cumulative_auc(rows.y_true, y_score, **keywords)
        expected = [
            oracle.auc(rows.true_ranks, score, cut, rows.weight) for cut, score in enumerate(scores)
        ]
        assert_allclose(values, defined(expected), rtol=1e-11)


@given(forecasts())
def test_concordance_against_pair_loops(rows):
    value = ordinal_concordance_index(
        rows.y_true, rows.score, replace_undefined_by=UNDEFINED, **rows.keywords
    )
    expected = oracle.concordance(rows.true_ranks, rows.score, rows.weight)
    assert value == pytest.approx(float(defined(expected)), rel=1e-11)


# --- against other tools


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_scikit_learn_gives_the_same_log_loss_and_brier_score(weight):
    plain = cost_weighted_log_loss(TRUE, PROBA, alpha=0, sample_weight=weight)
    assert plain == pytest.approx(log_loss(TRUE, PROBA, sample_weight=weight), rel=1e-13)
    expected = [
        brier_score_loss(cut < TRUE, PROBA[:, cut + 1 :].sum(axis=1), sample_weight=weight)
        for cut in range(3)
    ]
    values = cumulative_brier(TRUE, PROBA, average=None, sample_weight=weight)
    assert_allclose(values, expected, rtol=1e-13)
    total = ranked_probability_score(TRUE, PROBA, normalize=False, sample_weight=weight)
    assert total == pytest.approx(sum(expected), rel=1e-13)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_scikit_learn_gives_the_same_area_at_every_cut(weight):
    for y_score, columns in ((SCORE, [SCORE] * 3), (PROBA, np.cumsum(PROBA[:, ::-1], 1).T[2::-1])):
        expected = [
            roc_auc_score(cut < TRUE, column, sample_weight=weight)
            for cut, column in enumerate(columns)
        ]
        values = cumulative_auc(TRUE, y_score, average=None, sample_weight=weight)
        assert_allclose(values, expected, rtol=1e-12)
        macro = cumulative_auc(TRUE, y_score, sample_weight=weight)
        assert macro == pytest.approx(np.mean(expected), rel=1e-12)


def test_scipy_gives_the_same_somers_d():
    expected = somersd(TRUE, SCORE).statistic
    assert 2 * ordinal_concordance_index(TRUE, SCORE) - 1 == pytest.approx(expected, rel=1e-12)


# --- values by hand


def test_a_published_example_of_the_ranked_probability_score():
    proba = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]]
    total = ranked_probability_score([1, 2], proba, labels=[1, 2, 3], normalize=False)
    assert total == pytest.approx(0.1, abs=1e-15)
    assert ranked_probability_score([1, 2], proba, labels=[1, 2, 3]) == pytest.approx(0.05)


def test_certain_forecasts_cost_their_distance():
    for true in range(5):
        for pred in range(5):
            score = ranked_probability_score([true], np.eye(5)[[pred]], labels=range(5))
            assert score == abs(true - pred) / 4


def test_log_loss_by_hand():
    """Grade 1 is most probable: right for the first row, one off for the second (cost 1/4)."""
    proba = [[0.25, 0.5, 0.25]] * 2
    expected = math.log(2) * (1 + 2 * (1 + 0.5 / 4)) / 2
    assert cost_weighted_log_loss([1, 2], proba, labels=range(3)) == pytest.approx(expected)
    cost = [[0, 9, 9], [9, 0, 9], [9, 4, 0]]
    expected = math.log(2) * (1 + 2 * (1 + 3 * 4)) / 2
    value = cost_weighted_log_loss([1, 2], proba, cost_matrix=cost, alpha=3, labels=range(3))
    assert value == pytest.approx(expected)


def test_the_lowest_of_equally_probable_grades_is_charged():
    cost = [[0, 1, 5], [0, 0, 0], [0, 0, 0]]
    proba = [[0.25, 0.25, 0.5], [0.2, 0.4, 0.4]]
    value = cost_weighted_log_loss([0, 0], proba, cost_matrix=cost, alpha=1, labels=range(3))
    assert value == pytest.approx((math.log(4) * 6 + math.log(5) * 2) / 2)


# --- what holds of the values


@given(graded(min_classes=2))
def test_soft_kappa_of_certain_rows_is_kappa_to_the_last_bit(rows):
    certain = np.eye(rows.n_classes)[rows.pred_ranks]
    for weights in POWERS:
        keywords = {"weights": weights, "replace_undefined_by": UNDEFINED, **rows.keywords}
        soft = soft_weighted_kappa(rows.y_true, certain, **keywords)
        assert soft == weighted_kappa(rows.y_true, rows.y_pred, **keywords)


@given(graded(min_classes=2))
def test_brier_scores_of_certain_rows_are_error_rates_of_the_cuts(rows):
    certain = np.eye(rows.n_classes)[rows.pred_ranks]
    accuracy = cumulative_scores(
        rows.y_true, rows.y_pred, measure="accuracy", average=None, **rows.keywords
    )
    brier = cumulative_brier(rows.y_true, certain, average=None, **rows.keywords)
    assert_allclose(brier, 1 - accuracy, atol=1e-12)


@given(forecasts(min_classes=2))
def test_the_mean_of_the_brier_scores_is_the_ranked_probability_score(rows):
    brier = cumulative_brier(rows.y_true, rows.proba, **rows.keywords)
    score = ranked_probability_score(rows.y_true, rows.proba, **rows.keywords)
    assert brier == pytest.approx(score, rel=1e-12, abs=1e-15)
    assert 0 <= score <= 1


@given(forecasts(min_classes=2))
def test_forecasts_that_do_not_tell_rows_apart_have_a_kappa_of_exactly_zero(rows):
    weight = oracles.unit_weights(rows.true_ranks, rows.weight)
    seen = {t for t, w in zip(rows.true_ranks, weight, strict=True) if w > 0}
    assume(len(seen) > 1)
    constant = [rows.proba[0]] * len(rows.proba)
    for weights in POWERS:
        assert soft_weighted_kappa(rows.y_true, constant, weights=weights, **rows.keywords) == 0.0


@pytest.mark.parametrize("n_classes", [3, 5, 9, 40])
def test_zero_is_not_a_matter_of_rounding(n_classes):
    generator = np.random.default_rng(n_classes)
    grades, weight = generator.integers(0, n_classes, 997), generator.random(997)
    constant = np.tile(generator.dirichlet(np.ones(n_classes)), (997, 1))
    spread = generator.dirichlet(np.ones(n_classes), 997)
    keywords = {"labels": range(n_classes), "sample_weight": weight}
    for weights in ("linear", "quadratic", None, 1.7):
        assert soft_weighted_kappa(grades, constant, weights=weights, **keywords) == 0.0
        assert soft_weighted_kappa(np.ones(997), spread, weights=weights, **keywords) == 0.0


two_rows = st.integers(2, 5).flatmap(
    lambda n_classes: st.tuples(*[class_probabilities(n_classes, n_classes, max_size=1)] * 2)
)


@given(two_rows)
def test_no_forecast_is_expected_to_beat_the_truth(rows):
    """Expectations over a grade drawn from `p`: one row a grade, weighted by `p`."""
    (p,), (q,) = rows
    grades = range(len(p))

    def expected(metric, forecast, **options):
        rows = [forecast] * len(p)
        return metric(grades, rows, sample_weight=p, labels=grades, **options)

    for metric, options in (
        (ranked_probability_score, {}),
        (cumulative_brier, {}),
        (cost_weighted_log_loss, {"alpha": 0}),
    ):
        honest = expected(metric, p, **options)
        assert honest <= expected(metric, q, **options) * (1 + 1e-12) + 1e-15


def test_soft_kappa_and_the_weighted_log_loss_can_be_beaten_by_a_lie():
    """Two rows with true probabilities 0.7 for one grade; certainty scores a higher kappa."""
    grades, weight = [0, 1, 0, 1], [0.7, 0.3, 0.3, 0.7]
    honest = [[0.7, 0.3]] * 2 + [[0.3, 0.7]] * 2
    bold = [[1, 0]] * 2 + [[0, 1]] * 2
    kappas = [soft_weighted_kappa(grades, p, sample_weight=weight) for p in (honest, bold)]
    assert kappas == pytest.approx([0.16, 0.4])
    # Missing grade 1 is dear, so it pays to call it the most probable one.
    options = {"cost_matrix": [[0, 0], [10, 0]], "alpha": 1, "sample_weight": [0.6, 0.4]}
    losses = [cost_weighted_log_loss([0, 1], [p] * 2, **options) for p in ([0.6, 0.4], [0.5, 0.5])]
    timid = cost_weighted_log_loss([0, 1], [[0.49, 0.51]] * 2, **options)
    assert timid < min(losses)


@given(forecasts(min_classes=2))
def test_concordance_reads_nothing_but_the_order(rows):
    keywords = {"replace_undefined_by": UNDEFINED, **rows.keywords}
    order = np.unique(rows.score, return_inverse=True)[1]
    for metric in RANKING:
        value = metric(rows.y_true, rows.score, **keywords)
        for score in (order, order**3 - 5.0, np.exp(order)):
            assert metric(rows.y_true, score, **keywords) == value


def test_concordance_of_two_grades_is_the_area_under_the_curve():
    above = TRUE > 1
    expected = roc_auc_score(above, SCORE, sample_weight=WEIGHT)
    for metric in RANKING:
        assert metric(above, SCORE, sample_weight=WEIGHT) == pytest.approx(expected, rel=1e-13)


def test_concordance_ignores_where_the_cuts_are_and_accuracy_does_not():
    shifted = SCORE + 100
    assert ordinal_concordance_index(TRUE, shifted) == ordinal_concordance_index(TRUE, SCORE)
    assert ordinal_accuracy(TRUE, np.clip(np.rint(shifted), 0, 3)) < 0.5


def test_zero_and_minus_zero_are_one_score():
    for metric in RANKING:
        assert metric([0, 1], [0.0, -0.0]) == 0.5


def test_grades_that_nobody_has_count_as_cuts_but_not_as_pairs():
    """Grade 1 of 0, 1, 2 has no row: both cuts part the same rows."""
    y_true, score = [0, 0, 2, 2], [0.1, 0.4, 0.3, 0.9]
    assert_array_equal(cumulative_auc(y_true, score, average=None), [0.75, 0.75])
    assert ordinal_concordance_index(y_true, score) == 0.75
    proba = [[0.5, 0.25, 0.25]] * 4
    assert cumulative_brier(y_true, proba, average=None).shape == (2,)


def test_rows_in_the_same_place_of_the_scale_are_one_forecast_more_or_less():
    doubled = np.repeat(PROBA, 2, axis=0)
    for metric in OF_PROBABILITIES:
        once, twice = metric(TRUE, PROBA), metric(np.repeat(TRUE, 2), doubled)
        assert twice == pytest.approx(once, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-9, 1e9, 1e160, 1e300])
@pytest.mark.parametrize("metric", [*OF_PROBABILITIES, *RANKING])
def test_the_unit_of_the_weights_is_of_no_account(metric, scale):
    second = SCORE if metric in RANKING else PROBA
    expected = metric(TRUE, second, sample_weight=WEIGHT)
    value = metric(TRUE, second, sample_weight=WEIGHT * scale)
    assert value == pytest.approx(expected, rel=1e-12)


def test_one_row_may_outweigh_all_others():
    assert ordinal_concordance_index([0, 1, 1], [1, 2, 0], sample_weight=[1e200, 1, 1]) == 0.5
    assert cumulative_auc([0, 1, 1], [1, 2, 0], sample_weight=[1, 1e200, 1]) == 1.0


# --- two grades, one column


@given(forecasts(min_classes=2, max_classes=2))
def test_one_column_is_the_probability_of_the_upper_grade(rows):
    upper = [row[1] for row in rows.proba]
    for metric in [*OF_PROBABILITIES, cumulative_auc]:
        options = {} if "log_loss" in metric.__name__ else {"replace_undefined_by": UNDEFINED}
        if metric is ranked_probability_score:
            options = {}
        both = metric(rows.y_true, rows.proba, **options, **rows.keywords)
        assert metric(rows.y_true, upper, **options, **rows.keywords) == both


def test_two_grades_have_the_brier_score():
    upper = PROBA[:, 2:].sum(axis=1)
    expected = brier_score_loss(TRUE > 1, upper)
    assert ranked_probability_score(TRUE > 1, upper) == pytest.approx(expected, rel=1e-13)


def test_one_column_is_checked_also_where_the_weight_is_zero():
    for metric in OF_PROBABILITIES:
        with pytest.raises(ValueError, match=r"between 0 and 1, but holds 1.5|holds -0.5, 1.5"):
            metric([0, 1, 1], [0.1, 0.2, 1.5], sample_weight=[1, 1, 0])


# --- probability 0, rounding


def test_a_true_grade_of_probability_zero_is_infinitely_bad():
    keywords = {"labels": range(3)}
    impossible = [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]
    assert cost_weighted_log_loss([2, 2], impossible, **keywords) == math.inf
    assert cost_weighted_log_loss([2, 2], impossible, sample_weight=[0, 1], **keywords) < 2
    assert cost_weighted_log_loss([2, 2], impossible, alpha=0, **keywords) == math.inf
    free = np.zeros((3, 3))
    assert cost_weighted_log_loss([2, 2], impossible, cost_matrix=free, **keywords) == math.inf


def test_certain_and_right_is_exactly_zero():
    for metric in (cost_weighted_log_loss, ranked_probability_score, cumulative_brier):
        value = metric([0, 1, 2], np.eye(3))
        assert value == 0.0
        assert math.copysign(1, value) == 1.0


def test_what_rounding_leaves_below_zero_or_above_one_counts_as_zero_or_one():
    """A probability of -1e-9 for the truth is an impossible truth; 1 + 4e-7 is certainty."""
    below = [[-1e-9, 1.0, 1e-9]]
    assert cost_weighted_log_loss([0], below, labels=range(3)) == math.inf
    above = [[1 + 4e-7, 0.0, -4e-7]]
    assert cost_weighted_log_loss([0], above, labels=range(3)) == 0.0


@pytest.mark.parametrize("metric", OF_PROBABILITIES)
def test_single_precision_is_precise_enough(metric):
    value = metric(TRUE, PROBA.astype(np.float32))
    assert value == pytest.approx(metric(TRUE, PROBA), rel=1e-5)


# --- without a value


@pytest.mark.parametrize("labels", [None, [1, 2, 3]])
def test_one_grade_has_no_pairs(labels):
    with pytest.warns(UndefinedMetricWarning, match="every row has the same grade, 2") as caught:
        assert math.isnan(ordinal_concordance_index([2, 2], [0.1, 0.5], labels=labels))
    assert len(caught) == 1
    keywords = {"labels": labels, "replace_undefined_by": 0.5}
    assert ordinal_concordance_index([2, 2], [0.1, 0.5], **keywords) == 0.5
    with pytest.warns(UndefinedMetricWarning, match="every row has the same grade, 'mid'"):
        ordinal_concordance_index(["mid"], [0.0], labels=["low", "mid", "high"])


def test_rows_of_weight_zero_make_no_pairs():
    with pytest.warns(UndefinedMetricWarning, match="every row has the same grade, 1"):
        value = ordinal_concordance_index([1, 1, 3], [1, 2, 3], sample_weight=[1, 1, 0])
    assert math.isnan(value)


def test_a_cut_with_an_empty_side_has_no_area():
    y_true, score = [0, 0, 1], [0.1, 0.5, 0.3]
    keywords = {"labels": range(4)}
    with pytest.warns(UndefinedMetricWarning, match=r"no value at cut point 1, 2 \(counted from"):
        values = cumulative_auc(y_true, score, average=None, **keywords)
    assert_array_equal(values, [0.5, np.nan, np.nan])
    with pytest.warns(UndefinedMetricWarning, match="undefined"):
        assert cumulative_auc(y_true, score, **keywords) == 0.5
    replaced = cumulative_auc(y_true, score, replace_undefined_by=1.0, **keywords)
    assert replaced == pytest.approx(2.5 / 3)
    with pytest.warns(UndefinedMetricWarning, match="undefined"):
        assert math.isnan(cumulative_auc([2, 2], [0, 1], labels=range(4)))


def test_a_scale_of_one_grade():
    only = [[1.0], [1.0]]
    assert ranked_probability_score([4, 4], only) == 0.0
    assert ranked_probability_score([4, 4], only, normalize=False) == 0.0
    assert cost_weighted_log_loss([4, 4], only) == 0.0
    for metric in (cumulative_auc, cumulative_brier):
        assert metric([4, 4], only, average=None).shape == (0,)
        assert metric([4, 4], only, average=None, sample_weight=[1, 2]).shape == (0,)
        assert metric([4, 4], only, replace_undefined_by=0) == 0.0
    reason = "the scale has one grade and no cut point"
    for metric in (cumulative_auc, cumulative_brier):
        with pytest.warns(UndefinedMetricWarning, match=reason):
            assert math.isnan(metric([4, 4], only))
    with pytest.warns(UndefinedMetricWarning, match="undefined"):
        assert math.isnan(soft_weighted_kappa([4, 4], only))


@pytest.mark.parametrize("labels", [None, [1, 2, 3]])
def test_soft_kappa_of_one_certain_grade_is_undefined(labels):
    proba = [[1.0]] * 2 if labels is None else [[0.0, 1.0, 0.0]] * 2
    with pytest.warns(UndefinedMetricWarning, match=r"undefined and set to nan.*same constant"):
        assert math.isnan(soft_weighted_kappa([2, 2], proba, labels=labels))
    assert soft_weighted_kappa([2, 2], proba, labels=labels, replace_undefined_by=1) == 1.0


def test_perfect_agreement_is_exactly_one():
    for weights in POWERS:
        assert soft_weighted_kappa(TRUE, np.eye(4)[TRUE], weights=weights) == 1.0
    assert quadratic_weighted_kappa(TRUE, TRUE) == 1.0


# --- input


def test_columns_in_another_order_than_the_scale_are_refused():
    scale = ["low", "mid", "high"]
    frame = pd.DataFrame([[0.1, 0.7, 0.2], [0.2, 0.2, 0.6]], columns=sorted(scale))
    for metric in [*OF_PROBABILITIES, cumulative_auc]:
        name = "y_score" if metric is cumulative_auc else "y_proba"
        with pytest.raises(ValueError, match=rf"{name} has its columns in the order .*reindex"):
            metric(["low", "mid"], frame, labels=scale)
        expected = metric(["low", "high"], frame[scale].to_numpy(), labels=scale)
        assert metric(["low", "high"], frame[scale], labels=scale) == expected


def test_the_matrix_of_the_caller_is_read_by_its_names():
    scale = ["low", "mid", "high"]
    matrix = pd.DataFrame(disagreement_matrix(3), index=scale, columns=scale)
    arguments = (["low", "high"], [[0.5, 0.3, 0.2]] * 2)
    turned = matrix.reindex(index=sorted(scale))
    with pytest.raises(ValueError, match="weights has its index in the order"):
        soft_weighted_kappa(*arguments, weights=turned, labels=scale)
    with pytest.raises(ValueError, match="cost_matrix has its index in the order"):
        cost_weighted_log_loss(*arguments, cost_matrix=turned, labels=scale)
