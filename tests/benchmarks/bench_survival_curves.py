"""Speed and memory of the metrics of survival curves against scikit-survival.

Claim, for 20 000 rows and 500 times, in one run on one thread:

* censored_brier_score is faster than that of scikit-survival, with the same values, and takes less
  than 300 MB besides the 80 MB of the curves;
* cumulative_dynamic_auc takes less than 300 MB, for one prediction a row and for one each time.

Command: nice python tests/benchmarks/bench_survival_curves.py [--repeats 5]
It needs scikit-survival.
"""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sksurv.metrics import brier_score
from sksurv.metrics import cumulative_dynamic_auc as peer_auc
from threadpoolctl import threadpool_limits
from timing import RATIO_HEADER, compare, environment, markdown_table, ratio_row

from sklearn_ordinal_censored.metrics import (
    antolini_concordance_index,
    censored_brier_score,
    cumulative_dynamic_auc,
)
from sklearn_ordinal_censored.targets import right_censored

BAR_MB = 300
MEMORY_HEADER = ("extra memory", "peer", "ours", "bar")
Work = Callable[[], Any]


class Rows(NamedTuple):
    """Target, one risk a row, curves and the times of their columns."""

    y: np.ndarray
    risk: np.ndarray
    curves: np.ndarray
    times: np.ndarray


def random_rows(n_samples: int = 20_000, n_times: int = 500) -> Rows:
    """Return rows without tied times; nobody is at risk at the end of the censoring curve."""
    rng = np.random.default_rng(0)
    risk = rng.permutation(n_samples) / n_samples + 0.1  # scikit-survival merges near ties
    time, censoring = rng.exponential(1 / risk), rng.exponential(2, n_samples)
    y = right_censored(time <= censoring, np.minimum(time, censoring))
    y["event"][y["time"].argmax()] = True
    times = np.linspace(0.01, 2, n_times)
    return Rows(y, risk, np.exp(-np.outer(risk, times)), times)


def works(rows: Rows) -> dict[str, tuple[Work, Work]]:
    """Return what scikit-survival and we do for the same values."""
    y, risk, curves, times = rows
    by_time = np.outer(risk, times)
    return {
        "censored_brier_score": (
            lambda: brier_score(y, y, curves, times)[1],
            lambda: censored_brier_score(y, curves, times=times),
        ),
        "cumulative_dynamic_auc, one prediction a row": (
            lambda: peer_auc(y, y, risk, times)[0],
            lambda: cumulative_dynamic_auc(y, risk, times=times, prediction="risk"),
        ),
        "cumulative_dynamic_auc, one each time": (
            lambda: peer_auc(y, y, by_time, times)[0],
            lambda: cumulative_dynamic_auc(y, by_time, times=times, prediction="risk"),
        ),
    }


def memory_row(name: str, peer: Work | None, ours: Work) -> list[str]:
    sizes = ["" if work is None else f"{_peak_mb(work):.0f} MB" for work in (peer, ours)]
    return [name, *sizes, f"{BAR_MB} MB"]


def _peak_mb(work: Work) -> float:
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def ratio_rows(rows: Rows, repeats: int) -> Iterator[list[str]]:
    for name, (peer, ours) in works(rows).items():
        np.testing.assert_allclose(ours(), peer(), rtol=0, atol=1e-12)
        yield ratio_row(name, compare(peer, ours, repeats), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    rows = random_rows()
    with threadpool_limits(1):
        ratios = list(ratio_rows(rows, options.repeats))
        sizes = [memory_row(name, peer, ours) for name, (peer, ours) in works(rows).items()]
        antolini = partial(antolini_concordance_index, rows.y, rows.curves, times=rows.times)
        sizes.append(memory_row("antolini_concordance_index", None, antolini))
    print(environment(), end="\n\n")
    print(markdown_table(RATIO_HEADER, ratios), end="\n\n")
    print(markdown_table(MEMORY_HEADER, sizes))


if __name__ == "__main__":
    main()
