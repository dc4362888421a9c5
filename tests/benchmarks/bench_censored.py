"""Speed of concordance and of censored splitting against what is used for them today.

Claim (the bars of the table), as ratios of CPU time in one run on one thread:

* concordance_index is at least 50 times (NumPy) and 150 times (numba) as fast as that of
  scikit-survival on 20 000 rows, and 8 times (NumPy) and 25 times (numba) as fast as that of
  lifelines on 200 000 rows, with the same value;
* CensoredCVSplitter takes at most twice the time of StratifiedKFold on the event (100 000 rows, 10
  splits), which is a ratio of at least 0.5.

Command: nice python tests/benchmarks/bench_censored.py [--repeats 5]
It needs scikit-survival, lifelines and numba.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import numpy as np
from lifelines.utils import concordance_index as lifelines_concordance
from sklearn.model_selection import StratifiedKFold
from sksurv.metrics import concordance_index_censored
from threadpoolctl import threadpool_limits
from timing import RATIO_HEADER, compare, environment, markdown_table, ratio_row

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored._kernels.pairs_fast import fenwick_sums
from sklearn_ordinal_censored.metrics import concordance_index
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.targets import right_censored

SCIKIT_SURVIVAL_BARS = {"NumPy": 50, "numba": 150}
LIFELINES_BARS = {"NumPy": 8, "numba": 25}
KERNELS = {"NumPy": pairs.wavelet_sums, "numba": fenwick_sums}


def random_rows(n_samples: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return events, of half of the rows, times and predictions without ties."""
    rng = np.random.default_rng(0)
    time = rng.exponential(1, n_samples)
    return rng.random(n_samples) < 0.5, time, time + rng.normal(size=n_samples)


def with_kernel(name: str, y: np.ndarray, predicted: np.ndarray) -> float:
    with patch.object(pairs, "_implementation", lambda: KERNELS[name]):
        return concordance_index(y, predicted)


def concordance_rows(repeats: int) -> Iterator[list[str]]:
    event, time, predicted = random_rows(20_000)
    peer = partial(_scikit_survival, event, time, predicted)
    yield from _against("scikit-survival", peer, (event, time, predicted), SCIKIT_SURVIVAL_BARS, 2)
    event, time, predicted = random_rows(200_000)
    peer = partial(lifelines_concordance, time, predicted, event)
    yield from _against("lifelines", peer, (event, time, predicted), LIFELINES_BARS, repeats)


def _scikit_survival(event: np.ndarray, time: np.ndarray, predicted: np.ndarray) -> float:
    return concordance_index_censored(event, time, -predicted)[0]


def _against(tool, peer, rows, bars, repeats):
    event, time, predicted = rows
    y = right_censored(event, time)
    for kernel, bar in bars.items():
        ours = partial(with_kernel, kernel, y, predicted)
        np.testing.assert_allclose(ours(), peer(), rtol=0, atol=1e-9)
        name = f"concordance_index ({kernel}) against {tool}, n = {len(y):,}"
        yield ratio_row(name, compare(peer, ours, repeats), bar)


def split_row(repeats: int) -> list[str]:
    event, time, _ = random_rows(100_000)
    X, y = np.zeros((len(time), 1)), right_censored(event, time)
    stratified = StratifiedKFold(10, shuffle=True, random_state=0)
    censored = CensoredCVSplitter(10, random_state=0)
    peer, ours = lambda: list(stratified.split(X, event)), lambda: list(censored.split(X, y))
    name = "CensoredCVSplitter against StratifiedKFold, n = 100,000, 10 splits"
    return ratio_row(name, compare(peer, ours, repeats), 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with threadpool_limits(1):
        rows = [*concordance_rows(options.repeats), split_row(options.repeats)]
    print(environment(), end="\n\n")
    print(markdown_table(RATIO_HEADER, rows))


if __name__ == "__main__":
    main()
