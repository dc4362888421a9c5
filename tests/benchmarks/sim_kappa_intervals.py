"""How often the intervals of a quadratic kappa, and of a difference of two, hold the true value.

Claim: with 100 rows or more the default interval of kappa_inference ("fisher") and that of
compare_kappa ("wald") hold the true value in 93 to 97 of 100 samples on average, at a nominal 95;
with few rows "fisher" does so more often than "wald". The bootstrap is no better than "fisher".

Truth and predictions are normal variables, cut at the same points into 3 or 5 grades: equally
frequent ones, or each half as frequent as the one below ("skewed"). Their correlation is chosen
such that the kappa of the population, which is integrated numerically, is the one in the table.
For differences the errors of the two predictions are correlated by 0.5 besides.

An interval that there is none of (all rows agree) does not hold the value; the last column of part
A counts them. The standard error of a coverage of 0.95 from 2000 samples is 0.005.

Command: nice python tests/benchmarks/sim_kappa_intervals.py [--repeats 2000]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from sklearn.exceptions import UndefinedMetricWarning
from timing import environment, markdown_table

from sklearn_ordinal_censored.metrics import compare_kappa, kappa_inference, weighted_kappa

ROWS = (30, 100, 300)
KAPPAS = (0.4, 0.7, 0.9)
PAIRS = ((0.7, 0.7), (0.7, 0.6), (0.5, 0.3))
METHODS = ("wald", "fisher", "bootstrap")
N_RESAMPLES = 1000
ERROR_CORRELATION = 0.5
FAR = 8.5  # no normal variable lies beyond


class Scale(NamedTuple):
    """Cut points of a normal variable."""

    name: str
    cuts: np.ndarray

    def grade(self, latent: np.ndarray) -> np.ndarray:
        return np.digitize(latent, self.cuts)

    def table(self, correlation: float) -> np.ndarray:
        """Return the probability of every pair of grades of two correlated normal variables."""
        node, weight = np.polynomial.legendre.leggauss(200)
        ends = np.concatenate([[-FAR], self.cuts, [FAR]])
        table = []
        for low, high in pairwise(ends):
            z = (low + high) / 2 + (high - low) / 2 * node
            density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (high - low) / 2 * weight
            below = ndtr((ends[:, np.newaxis] - correlation * z) / np.sqrt(1 - correlation**2))
            table.append(np.diff(below @ density))
        return np.array(table)

    def kappa(self, correlation: float) -> float:
        table = self.table(correlation)
        true, pred = np.indices(table.shape).reshape(2, -1)
        return weighted_kappa(true, pred, sample_weight=table.ravel())

    def correlation(self, kappa: float) -> float:
        return brentq(lambda value: self.kappa(value) - kappa, 0.0, 0.9999)


def scales() -> Iterator[Scale]:
    for n_grades in (3, 5):
        for name, share in (
            ("balanced", np.ones(n_grades)),
            ("skewed", 0.5 ** np.arange(n_grades)),
        ):
            cuts = ndtri(np.cumsum(share / share.sum())[:-1])
            yield Scale(f"{n_grades} grades, {name}", cuts)


def draw(
    rng: np.random.Generator, n_rows: int, correlations: list[float]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return a latent truth, and predictions with errors that go together."""
    truth, common = rng.normal(size=(2, n_rows))
    predictions = []
    for correlation in correlations:
        error = np.sqrt(ERROR_CORRELATION) * common
        error += np.sqrt(1 - ERROR_CORRELATION) * rng.normal(size=n_rows)
        predictions.append(correlation * truth + np.sqrt(1 - correlation**2) * error)
    return truth, predictions


def holds(result: Any, method: str, value: float, seed: int) -> bool:
    low, high = result.confidence_interval(
        method=method, n_resamples=N_RESAMPLES, random_state=seed
    )
    return bool(low <= value <= high)


def one_kappa(scale: Scale, kappa: float, n_rows: int, repeats: int) -> np.ndarray:
    """Return the coverage of every method, and the share of samples without an interval."""
    correlation = scale.correlation(kappa)
    labels = range(len(scale.cuts) + 1)
    rng = np.random.default_rng(0)
    values = []
    for seed in range(repeats):
        truth, (prediction,) = draw(rng, n_rows, [correlation])
        result = kappa_inference(scale.grade(truth), scale.grade(prediction), labels=labels)
        inside = [holds(result, method, kappa, seed) for method in METHODS]
        values.append([*inside, not result.standard_error > 0])
    return np.mean(values, axis=0)


def two_kappas(scale: Scale, kappas: tuple[float, float], n_rows: int, repeats: int) -> np.ndarray:
    """Return the coverage of both methods, and the share of samples with a p-value below 0.05."""
    correlations = [scale.correlation(kappa) for kappa in kappas]
    labels = range(len(scale.cuts) + 1)
    rng = np.random.default_rng(0)
    values = []
    for seed in range(repeats):
        truth, predictions = draw(rng, n_rows, correlations)
        grades = [scale.grade(latent) for latent in (truth, *predictions)]
        result = compare_kappa(*grades, labels=labels)
        difference = kappas[0] - kappas[1]
        inside = [holds(result, method, difference, seed) for method in ("wald", "bootstrap")]
        values.append([*inside, result.pvalue < 0.05])
    return np.mean(values, axis=0)


def show(title: str, header: tuple[str, ...], lines: list[list[str]]) -> None:
    print(f"\n{title}\n\n{markdown_table(header, lines)}", flush=True)


def cells(name: str, values: np.ndarray) -> list[str]:
    return [name, *(f"{value:.3f}" for value in values)]


def part_a(repeats: int) -> None:
    lines, means = [], []
    for n_rows in ROWS:
        parts = []
        for scale in scales():
            for kappa in KAPPAS:
                parts.append(one_kappa(scale, kappa, n_rows, repeats))
                lines.append(cells(f"{n_rows} rows, {scale.name}, kappa {kappa}", parts[-1]))
        means.append(cells(f"**{n_rows} rows, mean**", np.mean(parts, axis=0)))
        means.append(cells(f"{n_rows} rows, worst", np.min(parts, axis=0)))
        means[-1][-1] = f"{np.max(parts, axis=0)[-1]:.3f}"
    header = (f"{repeats} samples each", *METHODS, "no interval")
    show("Part A: coverage of 95 % intervals of quadratic kappa", header, means)
    show("Part A, every population", header, lines)


def part_b(repeats: int) -> None:
    lines, means = [], []
    for n_rows in ROWS:
        parts = []
        for scale in scales():
            for pair in PAIRS:
                parts.append(two_kappas(scale, pair, n_rows, repeats))
                name = f"{n_rows} rows, {scale.name}, kappas {pair[0]} and {pair[1]}"
                lines.append(cells(name, parts[-1]))
        means.append(cells(f"**{n_rows} rows, mean**", np.mean(parts, axis=0))[:-1])
        means.append(cells(f"{n_rows} rows, worst", np.min(parts, axis=0))[:-1])
    header = (f"{repeats} samples each", "wald", "bootstrap", "p < 0.05")
    show("Part B: coverage of 95 % intervals of the difference of two", header[:-1], means)
    show("Part B, every population", header, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=2000, help="samples of every population")
    options = parser.parse_args()
    print(environment())
    # Few rows at times all agree, or leave bootstrap samples without a kappa.
    warnings.simplefilter("ignore", UndefinedMetricWarning)
    part_a(options.repeats)
    part_b(options.repeats)


if __name__ == "__main__":
    main()
