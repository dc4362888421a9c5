"""How often tests of calibration reject a model that is right, and one that is wrong.

Claim: at the 5 % level calibration_at_time rejects the true model in 3 to 7 % of samples, also with
few events in a bin, where the test with Greenwood's variances rejects it in 10 to 15 %; and
d_calibration rejects it in 3 to 7 % of samples without censoring, the more rarely the more rows are
censored.

The time is exponential with the log hazard `0.7 x`, the censoring exponential. The wrong model has
hazards that are a quarter higher. "Undefined" are samples in which a bin is not followed up to the
time, for Greenwood's variances also those with a bin without events.

Command: nice python tests/benchmarks/sim_calibration.py [--repeats 2000]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
from scipy.stats import chi2
from sklearn.exceptions import UndefinedMetricWarning
from timing import environment, markdown_table

from sklearn_ordinal_censored.metrics import calibration_at_time, d_calibration
from sklearn_ordinal_censored.targets import right_censored

AT_TIME = [  # rows, bins, time, hazard of censoring
    (2000, 10, 0.5, 1.0),
    (500, 10, 0.5, 1.0),
    (200, 5, 0.5, 1.0),
    (500, 10, 0.1, 1.0),
    (500, 10, 0.5, 0.0),
    (200, 5, 0.5, 2.0),
]
ALL_TIMES = [(200, 0.0), (200, 0.3), (200, 1.0), (200, 3.0), (2000, 1.0)]  # rows, hazard
WRONG = 1.25


def draw(n_samples: int, censoring: float, rng: np.random.Generator) -> tuple:
    """Return hazards, times and events."""
    hazard = np.exp(0.7 * rng.normal(size=n_samples))
    time = rng.exponential(size=n_samples) / hazard
    limit = rng.exponential(size=n_samples) / censoring if censoring else np.full(n_samples, np.inf)
    return hazard, np.minimum(time, limit), time <= limit


def at_time(setting: tuple, repeats: int) -> Iterator[str]:
    n_samples, n_bins, instant, censoring = setting
    rng = np.random.default_rng(0)
    pvalues, events = {"true": [], "greenwood": [], "wrong": []}, []
    for _ in range(repeats):
        hazard, time, event = draw(n_samples, censoring, rng)
        y = right_censored(event, time)
        keywords = {"time": instant, "n_bins": n_bins}
        true = calibration_at_time(y, np.exp(-hazard * instant), **keywords)
        wrong = calibration_at_time(y, np.exp(-WRONG * hazard * instant), **keywords)
        pvalues["true"].append(true.pvalue)
        pvalues["wrong"].append(wrong.pvalue)
        pvalues["greenwood"].append(greenwood(true))
        events.append(true.events.min())
    yield f"{n_samples} rows, {n_bins} bins, {100 * (1 - event.mean()):.0f} % censored"
    yield f"{np.mean(events):.1f}"
    for values in pvalues.values():
        yield share_below(np.array(values))


def greenwood(result) -> float:
    """Return the p-value with Greenwood's variances, NaN where one of them is 0."""
    if not (result.standard_error > 0).all():
        return np.nan
    statistic = (((result.observed - result.predicted) / result.standard_error) ** 2).sum()
    return chi2.sf(statistic, len(result.counts))


def share_below(pvalues: np.ndarray) -> str:
    undefined = np.isnan(pvalues).mean()
    rest = f" ({100 * undefined:.0f} % undefined)" if undefined > 0.005 else ""
    return f"{100 * np.mean(pvalues[~np.isnan(pvalues)] < 0.05):.1f} %{rest}"


def all_times(setting: tuple, repeats: int) -> Iterator[str]:
    n_samples, censoring = setting
    rng = np.random.default_rng(0)
    pvalues = {1.0: [], WRONG: []}
    for _ in range(repeats):
        hazard, time, event = draw(n_samples, censoring, rng)
        y = right_censored(event, time)
        for factor, values in pvalues.items():
            values.append(d_calibration(y, np.exp(-factor * hazard * time)).pvalue)
    yield f"{n_samples} rows, {100 * (1 - event.mean()):.0f} % censored"
    for values in pvalues.values():
        yield share_below(np.array(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=2000, help="samples of each kind")
    options = parser.parse_args()
    header = ("calibration_at_time", "least events", "true", "true, Greenwood", "wrong")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        rows = [list(at_time(setting, options.repeats)) for setting in AT_TIME]
    print(environment(), end="\n\n")
    print(markdown_table(header, rows), end="\n\n")
    rows = [list(all_times(setting, options.repeats)) for setting in ALL_TIMES]
    print(markdown_table(("d_calibration", "true", "wrong"), rows))


if __name__ == "__main__":
    main()
