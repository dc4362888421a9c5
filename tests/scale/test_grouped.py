"""Metrics of counted rows, made by an engine from files, equal those of all rows to the last bit.

The code of DuckDB and of Dask is that of the guide, run as it stands there.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from optional import polars as pl

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored.metrics import (
    concordance_index,
    cumulative_scores,
    mean_absolute_class_error,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.targets import right_censored

pytest.importorskip("pyarrow")

GUIDE = Path(__file__).parents[2] / "docs" / "user_guide" / "scale.md"
LABELS = ["none", "mild", "moderate", "severe", "grave"]
N_ROWS = 4000


def blocks_of_the_guide(library, result):
    """Return the plain block of the guide that makes `result` with a library."""
    blocks = re.findall(r"^```python\n((?!>>>).*?)^```$", GUIDE.read_text(), re.M | re.S)
    (block,) = [b for b in blocks if f"import {library}" in b and f"\n{result} = " in b]
    return block


def from_the_guide(library, result):
    pytest.importorskip(library)
    names = {}
    exec(blocks_of_the_guide(library, result), names)
    return names[result]


def by_polars(pattern, keys):
    rows = pl.scan_parquet(pattern)
    return rows.group_by(keys).len("n").collect(engine="streaming")


GRADES, TIMES = ["truth", "prediction"], ["time", "event", "prediction"]
CELLS = {
    "duckdb": lambda: from_the_guide("duckdb", "cells"),
    "dask": lambda: from_the_guide("dask.dataframe", "cells"),
    "polars": lambda: by_polars("graded-*.parquet", GRADES),
}
DISTINCT = {
    "duckdb": lambda: from_the_guide("duckdb", "distinct"),
    "dask": lambda: from_the_guide("dask.dataframe", "distinct"),
    "polars": lambda: by_polars("follow-up-*.parquet", TIMES),
}


def _write(rows, name, folder):
    """Write three files of unequal length."""
    for part, piece in enumerate(np.split(np.arange(len(rows)), [100, 1700])):
        rows.iloc[piece].to_parquet(folder / f"{name}-{part}.parquet", index=False)


@pytest.fixture
def graded(tmp_path, monkeypatch):
    """Grades as text; the lowest is never predicted."""
    rng = np.random.default_rng(0)
    true = rng.choice(5, size=N_ROWS, p=[0.1, 0.4, 0.3, 0.15, 0.05])
    pred = np.clip(true + rng.integers(-1, 3, size=N_ROWS), 1, 4)
    rows = pd.DataFrame({"truth": np.take(LABELS, true), "prediction": np.take(LABELS, pred)})
    _write(rows, "graded", tmp_path)
    monkeypatch.chdir(tmp_path)
    return rows


@pytest.fixture
def follow_up(tmp_path, monkeypatch):
    """Whole days and predictions of two decimals, whose ties take part."""
    rng = np.random.default_rng(1)
    time = rng.integers(1, 40, size=N_ROWS)
    rows = pd.DataFrame(
        {
            "time": time,
            "event": rng.random(N_ROWS) < 0.3,
            "prediction": np.round(time / 40 + rng.normal(scale=0.3, size=N_ROWS), 1) / 7,
        }
    )
    _write(rows, "follow-up", tmp_path)
    monkeypatch.chdir(tmp_path)
    return rows


COST = ordinal_cost_matrix(5, under=3.0, over=0.1)
METRICS = {
    "kappa": (quadratic_weighted_kappa, {}),
    "error": (mean_absolute_class_error, {}),
    "cost": (ordinal_cost, {"cost_matrix": COST}),
    "macro cost": (ordinal_cost, {"cost_matrix": COST, "aggregation": "macro"}),
    "recall": (cumulative_scores, {"average": None}),
    "f1": (cumulative_scores, {"measure": "f1"}),
}


# Dask itself resets indexes in place, which pandas 3.1 deprecates.
ignore_in_place = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame")


@ignore_in_place
@pytest.mark.parametrize("engine", CELLS)
def test_metrics_of_counted_cells_equal_those_of_all_rows(engine, graded):
    cells = CELLS[engine]()
    assert len(cells) <= 25
    assert sum(cells["n"]) == N_ROWS
    for metric, options in METRICS.values():
        grouped = metric(
            cells["truth"],
            cells["prediction"],
            sample_weight=cells["n"],
            labels=LABELS,
            **options,
        )
        direct = metric(graded["truth"], graded["prediction"], labels=LABELS, **options)
        assert_array_equal(grouped, direct)


@ignore_in_place
@pytest.mark.parametrize("engine", DISTINCT)
@pytest.mark.parametrize("kernel", ["numpy", "numba"])
def test_concordance_of_counted_rows_equals_that_of_all_rows(
    engine, kernel, follow_up, monkeypatch
):
    if kernel == "numba":
        pytest.importorskip("numba")
    else:
        monkeypatch.setattr(pairs, "_implementation", lambda: pairs.wavelet_sums)
    distinct = DISTINCT[engine]()
    assert len(distinct) < N_ROWS / 2
    assert sum(distinct["n"]) == N_ROWS
    y = right_censored(distinct["event"], distinct["time"])
    grouped = concordance_index(y, distinct["prediction"], sample_weight=distinct["n"])
    all_rows = right_censored(follow_up["event"], follow_up["time"])
    assert grouped == concordance_index(all_rows, follow_up["prediction"])
    assert 0.6 < grouped < 0.9
