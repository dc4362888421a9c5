"""Speed of Turnbull's estimator against plain self-consistency (EM).

Claim (the bars of the table), as ratios of CPU time in one run on one thread: Turnbull goes on
until the optimality conditions hold to 1e-12, self-consistency until the log-likelihood is known to
be less than 0.1 below its maximum. On rows without exact times Turnbull is the faster one, and from
1 000 rows on at least 15 times; with 3 % of exact rows at least twice. Where 30 % are exact, self-
consistency is fast by itself, and Turnbull takes at most 10 times as long. The peer is a good one:
it has the same innermost intervals, and sums in O(n) like ours; a matrix of rows and intervals
would need 17 GB for 100 000 rows. The last column shows by how much its log-likelihood is below
ours.

Command: nice python tests/benchmarks/bench_turnbull.py [--repeats 3] [--largest 100000]
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits
from timing import RATIO_HEADER, compare, environment, markdown_table, ratio_row

from sklearn_ordinal_censored._kernels.npmle import innermost_intervals
from sklearn_ordinal_censored.nonparametric import Turnbull
from sklearn_ordinal_censored.targets import interval_censored

BARS = {0.0: (1, 15), 0.03: (1, 2), 0.3: (0.1, 0.1)}  # by share of exact rows: 100 rows, more
SHORTFALL = 0.1


def two_looks(n_samples: int, share_exact: float) -> np.ndarray:
    """Return Weibull times of which two looks tell something, and some that are exact."""
    rng = np.random.default_rng(0)
    time = rng.weibull(1.5, n_samples)
    looks = np.sort(rng.uniform(0, 2.5, (n_samples, 2)), axis=1)
    ends = np.column_stack([np.full(n_samples, -np.inf), looks, np.full(n_samples, np.inf)])
    stretch = (time[:, np.newaxis] > looks).sum(axis=1)
    lower, upper = (ends[np.arange(n_samples), stretch + side] for side in (0, 1))
    is_exact = rng.random(n_samples) < share_exact
    return interval_censored(np.where(is_exact, time, lower), np.where(is_exact, time, upper))


def self_consistency(y: np.ndarray) -> float:
    """Return the log-likelihood that plain EM reaches."""
    support = innermost_intervals(y["lower"], y["upper"])
    size = len(support.intervals)
    masses = np.full(size, 1 / size)
    while True:
        sums = np.append(0.0, np.cumsum(masses))
        chance = sums[support.stop] - sums[support.start]
        terms = 1 / (len(y) * chance)
        change = np.bincount(support.start, terms, size + 1)
        change -= np.bincount(support.stop, terms, size + 1)
        gradient = np.cumsum(change)[:-1]
        if len(y) * (gradient.max() - 1) <= SHORTFALL:
            return float(np.log(chance).sum())
        masses = masses * gradient


def row(n_samples: int, share_exact: float, repeats: int) -> list[str]:
    y = two_looks(n_samples, share_exact)
    times = compare(partial(self_consistency, y), partial(Turnbull().fit, y), repeats)
    curve = Turnbull().fit(y)
    gain = curve.log_likelihood_ - self_consistency(y)
    name = f"n = {n_samples:,}, {share_exact:.0%} exact"
    bar = BARS[share_exact][n_samples > 100]
    return [*ratio_row(name, times, bar), f"{curve.n_iter_}", f"{gain:.2g}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--largest", type=int, default=100_000)
    options = parser.parse_args()
    sizes = [n for n in (100, 1000, 10_000, 100_000) if n <= options.largest]
    with threadpool_limits(1):
        # Without exact times the peer would need minutes for the largest sample.
        cases = [(n, share) for share in BARS for n in sizes if share or n <= 10_000]
        rows = [row(*case, options.repeats) for case in cases]
    print(environment(), end="\n\n")
    print(markdown_table([*RATIO_HEADER, "iterations", "gain in log-likelihood"], rows))


if __name__ == "__main__":
    main()
