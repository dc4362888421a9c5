"""Means of Kaplan-Meier curves, and one pass of leaving out against curves made anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal_censored._kernels.product_limit import product_limit
from sklearn_ordinal_censored._kernels.restricted_mean import (
    conditional_means,
    pseudo_means,
    restricted_mean,
    tail_areas,
)


def mean_up_to(horizon, time, event, weight):
    """Mean of a curve, which stays at its last value up to the horizon."""
    kept = weight > 0
    curve = product_limit(time[kept], event[kept], weight[kept])
    return restricted_mean(curve) + (horizon - curve.times[-1]) * curve.survival[-1]


@given(st.integers(2, 300), st.integers(0, 2**31), st.sampled_from([1, 4, 0.25]))
def test_one_pass_equals_curves_made_anew(size, seed, grain):
    generator = np.random.default_rng(seed)
    time = generator.integers(-5, max(2, size // 3), size) / 2
    event = generator.random(size) < generator.random()
    weight = generator.integers(1, 6, size) * grain
    unit = min(1.0, weight.min())
    row = int(np.append(np.flatnonzero(~event), 0)[-1])
    event[row] = False
    curve = product_limit(time, event, weight)
    place = np.searchsorted(curve.times, time[row])
    value = pseudo_means(curve, time, event, weight, unit)[place]
    whole, total = mean_up_to(time.max(), time, event, weight), weight.sum()
    weight[row] -= unit
    rest = mean_up_to(time.max(), time, event, weight)
    expected = (total * whole - (total - unit) * rest) / unit
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert value >= whole - 1e-12  # a censored row is known to have lived for long


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30))
def test_without_censoring_means_are_plain(times):
    time = np.array(times, dtype=float)
    curve = product_limit(time, np.ones(len(time), dtype=bool))
    assert restricted_mean(curve) == pytest.approx(time.mean(), rel=1e-12, abs=1e-12)
    outlived = [time[time > at].mean() for at in curve.times[:-1]]
    assert conditional_means(curve)[:-1] == pytest.approx(outlived, rel=1e-12)
    assert np.isnan(conditional_means(curve)[-1])
    assert tail_areas(curve)[-1] == 0.0


def test_means_given_a_time_grow_with_it():
    generator = np.random.default_rng(0)
    time, event = generator.random(500), generator.random(500) < 0.3
    curve = product_limit(time, event)
    means = conditional_means(curve)
    assert (np.diff(means) >= -1e-12).all()
    assert (means >= curve.times).all()
    assert means[-1] == curve.times[-1]


def test_a_row_that_outlives_all_others_at_once():
    """Without it everybody leaves at 1, but rounding may say that more than everybody does."""
    for weight in np.random.default_rng(1).uniform(0.001, 1000, (500, 2)):
        time, event = np.array([1.0, 2.0]), np.array([True, False])
        curve = product_limit(time, event, weight)
        assert pseudo_means(curve, time, event, weight, weight[1])[1] == pytest.approx(2, rel=1e-9)


def test_rows_later_and_lighter_than_the_unit():
    """Without the row censored at 1, all of the others leave at 2 and 3."""
    time, event = np.array([1.0, 2.0, 3.0]), np.array([False, True, True])
    weight = np.array([2.0, 0.5, 0.5])
    curve = product_limit(time, event, weight)
    assert pseudo_means(curve, time, event, weight, 2.0)[0] == pytest.approx(2.5, rel=1e-12)
