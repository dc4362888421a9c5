"""Speed of standard errors of concordance, Brier score and AUC against a bootstrap.

Claim, as ratios of CPU time in one run on one thread: with 100 000 rows concordance_inference is at
least 30 times and compare_concordance, which has two predictions, 15 times as fast as 200 bootstrap
samples of concordance_index, and with 20 000 rows and 100 times brier_inference and auc_inference
are at least 20 times as fast as 200 samples of the estimates. The standard errors agree to 20 %.

Command: nice python tests/benchmarks/bench_concordance_inference.py [--repeats 2]
It needs numba.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits
from timing import RATIO_HEADER, compare, environment, markdown_table, ratio_row

from sklearn_ordinal_censored._kernels import pairs
from sklearn_ordinal_censored._kernels.pairs_fast import fenwick_sums
from sklearn_ordinal_censored.metrics import (
    auc_inference,
    brier_inference,
    censored_brier_score,
    compare_concordance,
    concordance_index,
    concordance_inference,
    cumulative_dynamic_auc,
)
from sklearn_ordinal_censored.targets import right_censored

N_RESAMPLES = 200
KERNELS = {"NumPy": pairs.wavelet_sums, "numba": fenwick_sums}


def random_rows(n_samples: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Return a target, half of it events, and two predictions without ties."""
    rng = np.random.default_rng(0)
    time = rng.exponential(1, n_samples)
    predicted = time + rng.normal(size=(2, n_samples))
    return right_censored(rng.random(n_samples) < 0.5, time), predicted, rng


def concordance_rows(repeats: int) -> Iterator[list[str]]:
    y, predicted, _ = random_rows(100_000)
    works = {
        "concordance_inference": (lambda: concordance_inference(y, predicted[0]), 30),
        "compare_concordance": (lambda: compare_concordance(y, *predicted), 15),
    }
    for name, kernel in KERNELS.items():
        with patch.object(pairs, "_implementation", lambda kernel=kernel: kernel):
            peer = functools.partial(bootstrap, concordance_index, y, predicted[0])
            agree(works["concordance_inference"][0]().standard_error, peer())
            for work, (ours, bar) in works.items():
                label = f"{work} ({name}), n = {len(y):,}"
                yield ratio_row(label, compare(peer, ours, repeats), bar)


def curve_rows(repeats: int) -> Iterator[list[str]]:
    y, predicted, rng = random_rows(20_000)
    times = np.quantile(y["time"], np.linspace(0.05, 0.9, 100))
    curves = np.exp(-np.exp(rng.normal(size=(len(y), 1))) * times)
    works = {
        "brier_inference": (censored_brier_score, brier_inference, curves),
        "auc_inference": (cumulative_dynamic_auc, auc_inference, predicted[0]),
    }
    for name, (metric, infer, values) in works.items():
        peer = functools.partial(bootstrap, metric, y, values, times=times)
        ours = functools.partial(infer, y, values, times=times)
        agree(ours().standard_error, peer())
        label = f"{name}, n = {len(y):,}, {len(times)} times"
        yield ratio_row(label, compare(peer, ours, repeats), 20)


def bootstrap(metric: Callable, y: np.ndarray, values: np.ndarray, **keywords: Any) -> np.ndarray:
    """Return the standard deviation over samples of the rows."""
    rng = np.random.default_rng(0)
    samples = (rng.integers(0, len(y), len(y)) for _ in range(N_RESAMPLES))
    return np.std([metric(y[rows], values[rows], **keywords) for rows in samples], axis=0)


def agree(error: np.ndarray, by_bootstrap: np.ndarray) -> None:
    np.testing.assert_allclose(error, by_bootstrap, rtol=0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    with threadpool_limits(1):
        rows = [*concordance_rows(options.repeats), *curve_rows(options.repeats)]
    print(environment(), end="\n\n")
    print(markdown_table(RATIO_HEADER, rows))


if __name__ == "__main__":
    main()
