"""What a splitter does to cross-validated concordance under heavy censoring.

Claim: on 100 simulated data sets (100 to 300 rows, exponential times and censoring, 70 to 90 %
censored, 5 folds) CensoredCVSplitter leaves no fold without an event, with time_support="train"
also no fold whose IPCW concordance is undefined or fails, and the mean over its folds is nearer to
the concordance of the full sample than that of a shuffled KFold.

The prediction is a fixed score, the same for all splitters, so that only the folds differ. IPCW
concordance takes its weights from the training rows, as scikit-survival does; with
time_support="train" they are known wherever a test fold needs them. The error is that of the mean
of the folds' concordance against the concordance of all rows.

Command: nice python tests/benchmarks/sim_splitting.py [--repeats 100]
It needs scikit-survival.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import KFold, StratifiedKFold
from sksurv.metrics import concordance_index_ipcw as scikit_survival_ipcw
from timing import environment, markdown_table

from sklearn_ordinal_censored.metrics import concordance_index, concordance_index_ipcw
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.targets import right_censored

N_SPLITS = 5
SPLITTERS = {
    "KFold, shuffled": lambda seed: KFold(N_SPLITS, shuffle=True, random_state=seed),
    "StratifiedKFold on the event": lambda seed: StratifiedKFold(
        N_SPLITS, shuffle=True, random_state=seed
    ),
    "CensoredCVSplitter": lambda seed: CensoredCVSplitter(N_SPLITS, random_state=seed),
    'CensoredCVSplitter, time_support="train"': lambda seed: CensoredCVSplitter(
        N_SPLITS, time_support="train", random_state=seed
    ),
}


def data_sets(repeats: int) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield seed, features, target and score of every data set."""
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        n_samples, rate = int(rng.integers(100, 301)), rng.uniform(0.7, 0.9)
        X = rng.normal(size=(n_samples, 3))
        time = np.exp(X.sum(axis=1) / 2) * rng.exponential(size=n_samples)
        limit = rng.exponential(size=n_samples)
        limit *= np.quantile(time / limit, 1 - rate)  # so that this share of rows is censored
        y = right_censored(time <= limit, np.minimum(time, limit))
        yield seed, X, y, X.sum(axis=1) + rng.normal(size=n_samples)


def folds_of(name: str, seed: int, X: np.ndarray, y: np.ndarray) -> list[tuple]:
    splitter = SPLITTERS[name](seed)
    target = y["event"] if name.startswith("Stratified") else y
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "time_support='train' leaves")
        return list(splitter.split(X, target))


def score_fold(y: np.ndarray, score: np.ndarray, train: np.ndarray, test: np.ndarray) -> dict:
    """Return the concordances of one fold, NaN where they are undefined or fail."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        harrell = concordance_index(y[test], score[test])
        ours = concordance_index_ipcw(y[test], score[test], censoring=y[train])
    return {"harrell": harrell, "ours": ours, "peer": _peer(y[train], y[test], score[test])}


def _peer(y_train: np.ndarray, y_test: np.ndarray, score: np.ndarray) -> float:
    # scikit-survival raises several kinds of errors for folds that it cannot score.
    try:
        return scikit_survival_ipcw(y_train, y_test, -score)[0]
    except ValueError:
        return np.nan


def simulate(name: str, repeats: int) -> list[str]:
    counts, errors = Counter(), []
    for seed, X, y, score in data_sets(repeats):
        folds = folds_of(name, seed, X, y)
        results = [score_fold(y, score, train, test) for train, test in folds]
        counts["no event"] += sum(not y["event"][test].any() for _, test in folds)
        for key in ("ours", "peer", "harrell"):
            values = np.array([result[key] for result in results])
            counts[key] += int(np.isnan(values).sum())
            # What a search with scikit-learn's default error score makes of it: one nan is enough.
            counts[f"{key} nan mean"] += bool(np.isnan(values).any())
        harrell = [result["harrell"] for result in results]
        errors.append(np.nanmean(harrell) - concordance_index(y, score))
    spread = np.std(errors, ddof=1) / np.sqrt(len(errors))
    return [
        name,
        f"{counts['no event']}",
        f"{counts['harrell']}",
        f"{counts['ours']} ({counts['ours nan mean']})",
        f"{counts['peer']} ({counts['peer nan mean']})",
        f"{np.mean(np.abs(errors)):.4f}",
        f"{np.mean(errors):+.4f} ± {spread:.4f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=100, help="data sets")
    options = parser.parse_args()
    header = (
        f"splitter, {options.repeats} data sets of {N_SPLITS} folds",
        "folds without an event",
        "Harrell undefined",
        "IPCW undefined (data sets)",
        "scikit-survival IPCW failing (data sets)",
        "mean absolute error",
        "mean error",
    )
    rows = [simulate(name, options.repeats) for name in SPLITTERS]
    print(environment(), end="\n\n")
    print(markdown_table(header, rows))


if __name__ == "__main__":
    main()
