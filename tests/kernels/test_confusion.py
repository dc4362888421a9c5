"""Tables, and kappas of many margins at once."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_ordinal_censored._kernels.confusion import (
    confusion_table,
    cumulative_counts,
    expected_disagreement,
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


def test_distances_to_the_power_of_nothing_are_floats_too():
    distance = rank_distance(3, 0)
    assert distance.dtype == np.float64
    assert_array_equal(distance, 1 - np.eye(3))


def test_margins_at_once_are_margins_one_by_one():
    margins, distance = np.random.default_rng(0).uniform(0, 9, (4, 5, 3)), rank_distance(3, 2)
    found = expected_disagreement(margins, distance)
    for place in np.ndindex(4, 5):
        alone = expected_disagreement(margins[place], distance)
        assert_allclose(found[place], alone, rtol=1e-14)
        shares = margins[place] / margins[place].sum()
        assert_allclose(alone, [(shares * distance[:, grade]).sum() for grade in range(3)])


def test_four_counts_of_every_cut():
    rng = np.random.default_rng(1)
    for n_classes in range(1, 7):
        table = rng.integers(0, 50, (n_classes, n_classes)) / 4
        cuts = range(1, n_classes)
        expected = [
            [table[:cut, :cut].sum() for cut in cuts],
            [table[:cut, cut:].sum() for cut in cuts],
            [table[cut:, :cut].sum() for cut in cuts],
            [table[cut:, cut:].sum() for cut in cuts],
        ]
        found = cumulative_counts(table)
        assert found.shape == (4, n_classes - 1)
        assert_array_equal(found, expected)
