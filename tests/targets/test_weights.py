"""Row weights: which sums are held, and means that neither overflow nor vanish."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.targets._weights import average, check_weights, scale_weights

TINY, LARGEST = np.finfo(np.float64).tiny, np.finfo(np.float64).max


def test_the_sum_may_be_any_normal_float():
    for value in (TINY, 1.0, LARGEST):
        assert_array_equal(check_weights([0, value], 2), [0, value])
    for weights in ([TINY / 2], [LARGEST, LARGEST]):
        with pytest.raises(ValueError, match=r"^sample_weight has a sum of .*scale the weights"):
            check_weights(weights, len(weights))


@given(st.lists(st.floats(1e-100, 1e100), min_size=1, max_size=6))
def test_weights_are_scaled_by_a_power_of_two(weights):
    scaled = scale_weights(np.array(weights))
    assert 0.5 <= scaled.sum() < 1
    assert_array_equal(np.frexp(scaled)[0], np.frexp(weights)[0])
    exponents = np.frexp(scaled)[1] - np.frexp(weights)[1]
    assert len(set(exponents.tolist())) == 1


def test_means():
    assert average(np.array([1.0, 2.0, 6.0]), None) == 3
    assert average(np.array([1.0, 2.0]), np.array([3.0, 1.0])) == 1.25
    assert type(average(np.array([1.0]), None)) is float


@pytest.mark.parametrize("weight", [None, np.array([1.0, 1.0]), np.array([1e308, 7e307])])
def test_means_of_large_numbers_by_large_weights(weight):
    assert average(np.array([1e308, 1e308]), weight) == pytest.approx(1e308)
