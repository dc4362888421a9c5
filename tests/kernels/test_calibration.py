"""Bins of about the same number of rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels.calibration import equal_bins


@pytest.mark.parametrize(
    ("n_bins", "weight", "expected"),
    [(1, [1e20, 1], [0, 0]), (2, [1e20, 1e20, 1], [0, 1, 1]), (3, [1, 1, 1e20], [0, 0, 1])],
)
def test_weights_lost_in_rounding_make_no_more_bins_than_asked_for(n_bins, weight, expected):
    bins = equal_bins(np.arange(len(weight), dtype=float), n_bins, np.array(weight, dtype=float))
    assert_array_equal(bins, expected)
    assert bins.max() < n_bins
