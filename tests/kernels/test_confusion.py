"""Tables, and kappas of many margins at once."""

import numpy as np
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored._kernels.confusion import (
    confusion_table,
    kappa_of_margins,
    rank_distance,
)


def test_a_constant_side_is_one_of_its_own_table():
    true_margin, pred_margin = np.array([2.0, 2.0]), np.array([[1.0, 3.0], [0.0, 4.0]])
    kappa = kappa_of_margins(np.array([1.0, 2.0]), true_margin, pred_margin, rank_distance(2))
    assert_array_equal(kappa, [0.5, 0.0])


def test_a_table_without_weights_is_of_floats_too():
    ranks = np.array([0, 1, 1])
    assert confusion_table(ranks, ranks, 2).dtype == np.float64
