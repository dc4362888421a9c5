"""Whether intervals of Brier scores and of areas under ROC curves keep what they promise.

Claim, for 200 rows of which a third to a half are censored: the default 95 % intervals hold the
true value in 93 to 97 % of samples at times at which more than 20 rows are left.

The time is exponential with the log hazard x, the prediction that of a model with the log hazard
`0.8 * x`, and the censoring exponential. The true values are those of 400 000 rows without
censoring. "G fixed" are intervals whose standard error takes the censoring curve as exact, from a
reference of the same rows.

Command: nice python tests/benchmarks/sim_curve_intervals.py [--repeats 1000]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from timing import environment, markdown_table

from sklearn_ordinal_censored.metrics import (
    auc_inference,
    brier_inference,
    censored_brier_score,
    cumulative_dynamic_auc,
)
from sklearn_ordinal_censored.targets import right_censored

N_SAMPLES, N_TRUTH = 200, 400_000
TIMES = np.array([0.25, 0.6, 1.5])  # about the quartiles
SCORES = {"Brier": (brier_inference, "log"), "AUC": (auc_inference, "logit")}


def draw(n_samples: int, censoring: float, rng: np.random.Generator) -> tuple:
    """Return a target and the predicted curves; ``censoring`` is its hazard."""
    x = rng.normal(size=n_samples)
    time = rng.exponential(size=n_samples) * np.exp(-x)
    limit = rng.exponential(size=n_samples) / censoring if censoring else np.full(n_samples, np.inf)
    # Nobody is followed for longer than 3.
    limit = np.minimum(limit, 3.0) if censoring else limit
    curves = np.exp(-np.exp(0.8 * x)[:, np.newaxis] * TIMES)
    return right_censored(time <= limit, np.minimum(time, limit)), curves


def simulate(censoring: float, repeats: int) -> Iterator[list[str]]:
    rng = np.random.default_rng(0)
    y, curves = draw(N_TRUTH, 0.0, rng)
    truths = {
        "Brier": censored_brier_score(y, curves, times=TIMES),
        "AUC": cumulative_dynamic_auc(y, curves, times=TIMES),
    }
    samples = [draw(N_SAMPLES, censoring, rng) for _ in range(repeats)]
    share = 1 - np.mean([y["event"].mean() for y, _ in samples])
    left = np.mean([[(y["time"] > at).sum() for at in TIMES] for y, _ in samples], axis=0)
    for name, (infer, transformed) in SCORES.items():
        estimated = [infer(y, curves, times=TIMES) for y, curves in samples]
        fixed = [infer(y, curves, times=TIMES, censoring=y) for y, curves in samples]
        truth = truths[name]
        spread = np.std([result.estimate for result in estimated], axis=0)
        error = np.mean([result.standard_error for result in estimated], axis=0)
        held = {
            transformed: coverage(estimated, truth, transformed),
            "wald": coverage(estimated, truth, "wald"),
            "fixed": coverage(fixed, truth, "wald"),
        }
        for number, instant in enumerate(TIMES):
            yield [
                f"{name} at {instant}, {100 * share:.0f} % censored",
                f"{left[number]:.0f}",
                f"{truth[number]:.3f}",
                f"{error[number] / spread[number]:.2f}",
                *(f"{100 * values[number]:.1f} %" for values in held.values()),
            ]


def coverage(results: list, truth: np.ndarray, method: str) -> np.ndarray:
    """Return the share of intervals at each time that hold the truth."""
    ends = np.array([result.confidence_interval(method=method) for result in results])
    return np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1]), axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1000, help="samples of each kind")
    options = parser.parse_args()
    header = (
        "score",
        "rows left",
        "true value",
        "mean SE / SD",
        "log or logit",
        "wald",
        "wald, G fixed",
    )
    rows = [row for hazard in (0.5, 1.0) for row in simulate(hazard, options.repeats)]
    print(environment(), end="\n\n")
    print(markdown_table(header, rows))


if __name__ == "__main__":
    main()
