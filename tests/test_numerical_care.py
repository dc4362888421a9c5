"""Counts of very many pairs, and weights of very different or extreme size, against exact sums."""

import math
from fractions import Fraction

import numpy as np
import oracles
import pytest
from oracles_censored import comparable_pairs

from sklearn_ordinal_censored.metrics import (
    censored_brier_score,
    concordance_index,
    concordance_index_ipcw,
    cumulative_dynamic_auc,
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.metrics._comparable import read_scored, sum_pairs
from sklearn_ordinal_censored.targets import right_censored

RNG = np.random.default_rng(0)
N_ROWS = 60
GRADES, GUESSES = RNG.integers(0, 4, (2, N_ROWS))
TIME, RISK = RNG.permutation(N_ROWS) + 1.0, RNG.normal(size=N_ROWS)
EVENT = RNG.random(N_ROWS) < 0.6
TARGET = right_censored(EVENT, TIME)
AT = 30.5
SURVIVAL = RNG.random((N_ROWS, 1))
TINY_AND_LARGE = np.where(RNG.random(N_ROWS) < 0.5, 1e-8, 1e8) * RNG.uniform(1, 2, N_ROWS)

METRICS = {
    "accuracy": lambda w: ordinal_accuracy(GRADES, GUESSES, sample_weight=w),
    "absolute error": lambda w: mean_absolute_class_error(GRADES, GUESSES, sample_weight=w),
    "squared error": lambda w: mean_squared_class_error(GRADES, GUESSES, sample_weight=w),
    "kappa": lambda w: quadratic_weighted_kappa(GRADES, GUESSES, sample_weight=w),
    "harrell": lambda w: concordance_index(TARGET, -RISK, sample_weight=w),
    "uno": lambda w: concordance_index_ipcw(TARGET, -RISK, sample_weight=w),
    "brier": lambda w: censored_brier_score(TARGET, SURVIVAL, times=[AT], sample_weight=w)[0],
    "auc": lambda w: cumulative_dynamic_auc(TARGET, -RISK, times=[AT], sample_weight=w)[0],
}
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


# Exact sums in fractions, straight from the formulas


def censoring_before(weight):
    """The probability of being uncensored just before each time; no time occurs twice."""
    curve = []
    for t in TIME:
        value = Fraction(1)
        for i in np.flatnonzero(~EVENT & (t > TIME)):
            at_risk = sum(weight[j] for j in np.flatnonzero(TIME[i] <= TIME))
            value *= 1 - weight[i] / at_risk
        curve.append(value)
    return curve


def exact_concordance(weight, factor):
    pairs = comparable_pairs(TIME, np.where(EVENT, TIME, np.inf))
    sizes = {(i, j): weight[i] * weight[j] * factor[i] for i, j in pairs}
    return sum(s for (i, j), s in sizes.items() if RISK[i] > RISK[j]) / sum(sizes.values())


def exact_uno(weight):
    return exact_concordance(weight, [1 / g**2 if g else 0 for g in censoring_before(weight)])


def exact_brier(weight):
    g_before = censoring_before(weight)
    after = [i for i in range(N_ROWS) if TIME[i] > AT]
    first_after = min(after, key=lambda i: TIME[i])  # nothing happens between AT and its time
    total = Fraction(0)
    for i in range(N_ROWS):
        survival = Fraction(float(SURVIVAL[i, 0]))
        if i in after:
            total += weight[i] * (1 - survival) ** 2 / g_before[first_after]
        elif EVENT[i]:
            total += weight[i] * survival**2 / g_before[i]
    return total / sum(weight)


def exact_auc(weight):
    g_before = censoring_before(weight)
    cases = [i for i in range(N_ROWS) if TIME[i] <= AT and EVENT[i]]
    controls = [j for j in range(N_ROWS) if TIME[j] > AT]
    sizes = {(i, j): weight[i] * weight[j] / g_before[i] for i in cases for j in controls}
    return sum(s for (i, j), s in sizes.items() if RISK[i] > RISK[j]) / sum(sizes.values())


def exact_mean(values, weight):
    return sum(w * v for w, v in zip(weight, values.tolist(), strict=True)) / sum(weight)


def exact_kappa(weight):
    rows = list(zip(GRADES.tolist(), GUESSES.tolist(), weight, strict=True))
    observed = sum(w * (i - j) ** 2 for i, j, w in rows)
    expected = sum(w * v * (i - j) ** 2 for i, _, w in rows for _, j, v in rows)
    return 1 - observed * sum(weight) / expected


EXACT = {
    "accuracy": lambda w: exact_mean(GRADES == GUESSES, w),
    "absolute error": lambda w: exact_mean(abs(GRADES - GUESSES), w),
    "squared error": lambda w: exact_mean((GRADES - GUESSES) ** 2, w),
    "kappa": exact_kappa,
    "harrell": lambda w: exact_concordance(w, [1] * N_ROWS),
    "uno": exact_uno,
    "brier": exact_brier,
    "auc": exact_auc,
}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("weight", [np.ones(N_ROWS), TINY_AND_LARGE], ids=["equal", "mixed"])
def test_weights_of_very_different_size_lose_no_digits(name, weight):
    exact = EXACT[name]([Fraction(w) for w in weight.tolist()])
    assert METRICS[name](weight) == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


@every_metric
@pytest.mark.parametrize("factor", [1e-300, 1e-160, 1e-30, 1e30, 1e160, 1e300])
def test_a_common_factor_of_the_weights_is_of_no_account(metric, factor):
    weight = RNG.uniform(1, 2, N_ROWS)
    assert metric(weight * factor) == pytest.approx(metric(weight), rel=1e-12)


@every_metric
@pytest.mark.parametrize("exponent", [-900, 900])
def test_a_common_power_of_two_changes_no_bit(metric, exponent):
    weight = RNG.uniform(1, 2, N_ROWS)
    assert metric(np.ldexp(weight, exponent)) == metric(weight)


# Counts of pairs

N_MANY = 200_000  # 2e10 pairs, more than int32 holds and than float32 tells apart


def pairs_of_a_reversed_stretch(n_rows, n_reversed):
    """All rows have events; the predictions of the first ones are in reversed order."""
    time = np.arange(n_rows, dtype=np.float64)
    pred = time.copy()
    pred[:n_reversed] = pred[:n_reversed][::-1]
    return right_censored(np.ones(n_rows, dtype=bool), time), pred, math.comb(n_reversed, 2)


def test_more_pairs_than_int32_holds_are_counted_to_the_last_one():
    target, pred, discordant = pairs_of_a_reversed_stretch(N_MANY, 70_001)
    sums = sum_pairs(read_scored(target, pred))
    assert sums.concordant.dtype == np.int64
    assert int(sums.discordant.sum()) == discordant
    assert int(sums.concordant.sum()) == math.comb(N_MANY, 2) - discordant
    assert int(sums.tied.sum()) == 0
    share = Fraction(math.comb(N_MANY, 2) - discordant, math.comb(N_MANY, 2))
    assert concordance_index(target, pred) == float(share)


def test_a_tie_of_all_predictions_is_counted_to_the_last_one():
    target, _, _ = pairs_of_a_reversed_stretch(N_MANY, 0)
    sums = sum_pairs(read_scored(target, np.zeros(N_MANY)))
    assert int(sums.tied.sum()) == math.comb(N_MANY, 2)
    assert int(sums.concordant.sum()) == int(sums.discordant.sum()) == 0


def pair_counts_in_blocks(time, event, pred, weight, n_block=500):
    """Count by comparing all rows with some of them at a time, in int64."""
    counts = np.zeros(3, dtype=np.int64)
    for rows in np.array_split(np.flatnonzero(event), len(time) // n_block):
        later = time > time[rows, np.newaxis]
        sign = np.sign(pred - pred[rows, np.newaxis])
        for place, wanted in enumerate((1, -1, 0)):
            counts[place] += (weight[rows] * ((later & (sign == wanted)) @ weight)).sum()
    return counts.tolist()


@pytest.mark.parametrize("is_weighted", [False, True])
def test_counts_equal_those_of_a_loop_over_all_pairs(is_weighted):
    rng, n_rows = np.random.default_rng(1), 4000
    time, event = rng.permutation(n_rows), rng.random(n_rows) < 0.7
    pred = rng.integers(0, 1000, n_rows)
    weight = rng.integers(1, 1000, n_rows) if is_weighted else np.ones(n_rows, dtype=np.int64)
    expected = pair_counts_in_blocks(time, event, pred, weight)
    given = weight if is_weighted else None
    sums = sum_pairs(read_scored(right_censored(event, time), pred, sample_weight=given))
    own = weight[sums.rows]
    parts = (sums.concordant, sums.discordant, sums.tied)
    assert [int((own * part).sum()) for part in parts] == expected


def pair_counts_by_grade(time, event, pred, weight):
    """Count in integers, row by row from the last time on, by the few values of a prediction."""
    later, counts = np.zeros(pred.max() + 1, dtype=np.int64), [0, 0, 0]
    for row in np.argsort(-time):
        grade, own = pred[row], int(weight[row])
        if event[row]:
            below, level = int(later[:grade].sum()), int(later[grade])
            above = int(later.sum()) - below - level
            counts = [n + own * m for n, m in zip(counts, (above, below, level), strict=True)]
        later[grade] += own
    return counts


def many_rows(rng, n_rows=60_000, n_grades=300):
    """Rows of 1.3e9 comparable pairs."""
    time, event = rng.permutation(n_rows).astype(np.float64), rng.random(n_rows) < 0.7
    pred = np.clip(time * n_grades / n_rows + rng.normal(0, 80, n_rows), 0, n_grades - 1)
    return time, event, pred.astype(int), rng.integers(1, 1000, n_rows)


def test_both_ways_of_counting_pairs_agree():
    rows = tuple(part[:1500] for part in many_rows(np.random.default_rng(3)))
    assert pair_counts_by_grade(*rows) == pair_counts_in_blocks(*rows)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_varied_weights_of_a_thousand_million_pairs_are_summed_exactly(is_weighted):
    time, event, pred, weight = many_rows(np.random.default_rng(2))
    weight = weight if is_weighted else np.ones_like(weight)
    expected = pair_counts_by_grade(time, event, pred, weight)
    target, given = right_censored(event, time), weight if is_weighted else None
    sums = sum_pairs(read_scored(target, pred, sample_weight=given))
    own = weight[sums.rows]
    parts = (sums.concordant, sums.discordant, sums.tied)
    assert [sum((own * part).astype(np.int64).tolist()) for part in parts] == expected
    concordant, discordant, tied = expected
    assert is_weighted or sum(expected) > 1e9
    exact = Fraction(2 * concordant + tied, 2 * (concordant + discordant + tied))
    value = concordance_index(target, pred, sample_weight=given)
    assert value == pytest.approx(float(exact), rel=1e-15)


def test_the_area_of_very_many_pairs_of_varied_weight():
    time, _, pred, weight = many_rows(np.random.default_rng(4))
    is_case, pairs = time < 20_000, np.zeros(3, dtype=object)
    controls = np.bincount(pred[~is_case], weights=weight[~is_case], minlength=300)
    below = np.concatenate([[0], np.cumsum(controls)]).astype(np.int64)
    for grade, own in zip(pred[is_case].tolist(), weight[is_case].tolist(), strict=True):
        lower, upper = int(below[grade]), int(below[-1] - below[grade + 1])
        pairs += [own * upper, own * lower, own * int(below[-1] - lower - upper)]
    exact = Fraction(2 * pairs[0] + pairs[2], 2 * sum(pairs))
    target = right_censored(np.ones(len(time), dtype=bool), time)
    (value,) = cumulative_dynamic_auc(target, pred, times=[19_999.5], sample_weight=weight)
    assert value == pytest.approx(float(exact), rel=1e-14)


def test_whole_weights_of_very_many_pairs_are_summed_exactly():
    target, pred, _ = pairs_of_a_reversed_stretch(N_MANY, 70_001)
    weight = np.full(N_MANY, 3.0)
    sums = sum_pairs(read_scored(target, pred, sample_weight=weight))
    assert int(sums.discordant.sum()) == 3 * math.comb(70_001, 2)
    unweighted = concordance_index(target, pred)
    assert concordance_index(target, pred, sample_weight=weight) == pytest.approx(unweighted, 1e-15)


def test_the_kappa_of_very_many_rows_is_that_of_its_table():
    table = np.array([[10**9, 7], [3, 10**6 + 1]], dtype=object)
    true, pred = np.repeat([0, 1], 2), np.tile([0, 1], 2)
    weight = table.ravel().astype(np.float64)
    exact = oracles.kappa(true, pred, [[0, 1], [1, 0]], [Fraction(int(w)) for w in table.ravel()])
    value = quadratic_weighted_kappa(true, pred, sample_weight=weight)
    assert value == pytest.approx(float(exact), rel=1e-12)
