"""Squared errors of survival curves, row by row and in blocks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_ordinal_censored._kernels import brier


@pytest.mark.parametrize("n_cells", [1, 3, 20, 64])
def test_blocks_of_rows_make_no_difference(monkeypatch, n_cells):
    rng = np.random.default_rng(0)
    curves, times = rng.random((50, 4)), np.array([3.0, 1.0, 5.0, 3.0])
    time, weight = rng.integers(0, 7, 50).astype(float), rng.random(50)
    factors = np.where(rng.random(50) < 0.5, 1 + rng.random(50), 0.0), 1 + rng.random(4)
    rows = curves, times, time, weight, *factors
    whole = brier.weighted_squared_errors(*rows)
    monkeypatch.setattr(brier, "_CELLS", n_cells)
    assert_allclose(brier.weighted_squared_errors(*rows), whole, rtol=1e-14)
    expected = np.zeros(4)
    for curve, end, w, factor in zip(curves, time, weight, factors[0], strict=True):
        for k, at in enumerate(times):
            term = factors[1][k] * (1 - curve[k]) ** 2 if end > at else factor * curve[k] ** 2
            expected[k] += w * term
    assert_allclose(whole, expected / weight.sum(), rtol=1e-13)
