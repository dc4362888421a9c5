"""Standard errors of scores that an estimated censoring curve weights: slopes, exact zeros."""

import math

import numpy as np
import oracles_curves as oracle
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels.censoring_influence import (
    auc_errors,
    brier_errors,
    censoring_risk,
)
from sklearn_ordinal_censored._kernels.product_limit import product_limit

AT = 3.0


def weighted_rows(seed, n_rows=25):
    """Tied times, predictions and censorings, and the factors of the rows and of the instant."""
    rng = np.random.default_rng(seed)
    time, event = rng.integers(0, 7, n_rows).astype(float), rng.random(n_rows) < 0.6
    weight, pred = rng.random(n_rows) + 0.1, rng.integers(0, 5, n_rows) / 4
    curve = product_limit(time, event, weight, reverse=True)
    survival = np.append(1.0, curve.survival)
    before = survival[np.searchsorted(curve.times, time, side="left")]
    case_factor = np.divide(1.0, before, out=np.zeros(n_rows), where=event)
    at = survival[np.searchsorted(curve.times, [AT], side="right")]
    return time, event, weight, pred, case_factor, 1 / at


def by_small_steps(score, time, event, pred, weight):
    def moved(row, change):
        factor = 1 + change * (np.arange(len(weight)) == row)
        return score(time.tolist(), event.tolist(), pred.tolist(), AT, (weight * factor).tolist())

    step = 1e-5
    rows = range(len(weight))
    return math.hypot(*((moved(row, step) - moved(row, -step)) / (2 * step) for row in rows))


@pytest.mark.parametrize("seed", range(5))
def test_errors_are_those_of_small_steps_in_the_weights(seed):
    time, event, weight, pred, case_factor, control_factor = weighted_rows(seed)
    risk, times = censoring_risk(time, event, weight), np.array([AT])
    found = auc_errors(pred, times, time, weight, case_factor, risk)
    expected = by_small_steps(oracle.dynamic_auc, time, event, pred, weight)
    assert found == pytest.approx([expected], rel=1e-7)
    curves = pred[:, np.newaxis]
    found = brier_errors(curves, times, time, weight, case_factor, risk, control_factor)
    expected = by_small_steps(oracle.brier, time, event, pred, weight)
    assert found == pytest.approx([expected], rel=1e-7)


def test_without_a_case_or_a_control_there_is_no_error():
    time, one = np.array([1.0, 3.0]), np.ones(2)
    for risk in (None, censoring_risk(time, np.array([True, True]), one)):
        errors = auc_errors(np.array([0.2, 0.7]), np.array([0.5, 2.0, 3.0]), time, one, one, risk)
        assert_array_equal(np.isnan(errors), [True, False, True])


@pytest.mark.parametrize("n_cases", [1, 2, 19_999, 20_000])
def test_a_perfect_order_has_no_error_however_few_the_cases_or_controls(n_cases):
    time = np.where(np.arange(20_001) < n_cases, 1.0, 3.0)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        weight, pred = rng.random(20_001), time + rng.random(20_001)
        error = auc_errors(pred, np.array([2.0]), time, weight, np.ones(20_001), None)
        assert_array_equal(error, [0])
