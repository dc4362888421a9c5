"""Whether a search under heavy censoring has scores to choose by.

Claim: on 60 simulated data sets (60 to 100 rows, 80 to 90 % censored) no mean score of a search is
NaN if its scorers are this library's, its folds have two events each, and its times are those of
the events. Searches by scikit-survival's wrappers have NaN for many of them.

Three scores of a Cox model are asked for: the integrated Brier score, the integrated area under the
ROC curve, and the concordance with weights for censoring. Why two events: the later one of them has
outlived the earlier one, so that every fold has a pair to compare, and at the time of the earlier
one a case and a control. Why the times of the events: a grid that ends before a fold's only events,
or has no time between them and the fold's last row, finds no case or no control.

The number of folds is the largest one up to five for which every fold can have the events asked
for. Refused are data sets of which the splitter says, before any fit, that it cannot be done. A NaN
counts once for a data set and score, whichever candidate has it; scikit-learn ranks such candidates
last, and if it is all of them, returns the first one.

Command: nice python tests/benchmarks/sim_search.py [--repeats 60]
It needs scikit-survival.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import (
    as_concordance_index_ipcw_scorer,
    as_cumulative_dynamic_auc_scorer,
    as_integrated_brier_score_scorer,
)
from timing import environment, markdown_table

from sklearn_ordinal_censored.datasets import make_censored
from sklearn_ordinal_censored.metrics import get_scorer
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter

NAMES = ["neg_integrated_brier_score", "integrated_auc", "concordance_index_ipcw"]
ALPHAS = [0.1, 1.0, 10.0]


def event_times(y: np.ndarray) -> np.ndarray:
    return np.unique(y["time"][y["event"]])


def inner_grid(y: np.ndarray) -> np.ndarray:
    """Return ten times over the middle 80 % of the events, as many guides have it."""
    return np.linspace(*np.quantile(y["time"][y["event"]], [0.1, 0.9]), 10)


def plain(y: np.ndarray, seed: int) -> Any:
    return KFold(5, shuffle=True, random_state=seed)


def dealt(min_events: int, **options: Any) -> Callable[[np.ndarray, int], Any]:
    """Return a maker of folds that have this many events."""

    def _splitter(y: np.ndarray, seed: int) -> CensoredCVSplitter:
        n_splits = max(2, min(5, int(y["event"].sum()) // min_events))
        return CensoredCVSplitter(n_splits, min_events=min_events, random_state=seed, **options)

    return _splitter


def by_list(X: np.ndarray, y: np.ndarray, times: np.ndarray, cv: Any) -> list[np.ndarray]:
    """Return the mean scores of one search with three scorers of this library."""
    search = GridSearchCV(
        CoxPHSurvivalAnalysis(),
        {"alpha": ALPHAS},
        scoring=get_scorer(NAMES, times=times),
        refit=False,
        cv=cv,
        error_score="raise",
    ).fit(X, y)
    return [search.cv_results_[f"mean_test_{name}"] for name in NAMES]


def by_wrappers(X: np.ndarray, y: np.ndarray, times: np.ndarray, cv: Any) -> list[np.ndarray]:
    """Return the mean scores of three searches with scikit-survival's wrapped models."""
    model = CoxPHSurvivalAnalysis()
    wrapped = [
        as_integrated_brier_score_scorer(model, times),
        as_cumulative_dynamic_auc_scorer(model, times),
        as_concordance_index_ipcw_scorer(model),
    ]
    grid = {"estimator__alpha": ALPHAS}
    searches = [GridSearchCV(one, grid, refit=False, cv=cv).fit(X, y) for one in wrapped]
    return [search.cv_results_["mean_test_score"] for search in searches]


class Way(NamedTuple):
    """Scorers, folds and times of a search."""

    search: Callable[..., list[np.ndarray]]
    splitter: Callable[[np.ndarray, int], Any]
    times: Callable[[np.ndarray], np.ndarray]


WAYS = {
    "wrappers, KFold(5, shuffle), inner grid": Way(by_wrappers, plain, inner_grid),
    'wrappers, one event a fold, time_support="train", inner grid': Way(
        by_wrappers, dealt(1, time_support="train"), inner_grid
    ),
    "our scorers, KFold(5, shuffle), inner grid": Way(by_list, plain, inner_grid),
    "our scorers, one event a fold, inner grid": Way(by_list, dealt(1), inner_grid),
    "our scorers, one event a fold, event times": Way(by_list, dealt(1), event_times),
    "our scorers, two events a fold, event times": Way(by_list, dealt(2), event_times),
    'the same, time_support="train"': Way(by_list, dealt(2, time_support="train"), event_times),
}


def data_sets(repeats: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield seed, features and target of every data set."""
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        n_samples, rate = int(rng.integers(60, 101)), rng.uniform(0.8, 0.9)
        yield seed, *make_censored(n_samples, 3, censoring_rate=rate, random_state=seed)


def simulate(name: str, repeats: int) -> list[str]:
    way, counts = WAYS[name], Counter()
    for seed, X, y in data_sets(repeats):
        cv = way.splitter(y, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                next(iter(cv.split(X, y)))
            except ValueError:  # too few events, said before the first fold
                counts["refused"] += 1
                continue
            means = way.search(X, y, way.times(y), cv)
        for score, values in zip(NAMES, means, strict=True):
            counts[score] += bool(np.isnan(values).any())
            counts["all"] += bool(np.isnan(values).all())
    return [name, *(f"{counts[key]}" for key in ("refused", *NAMES, "all"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=60, help="data sets")
    options = parser.parse_args()
    header = (
        f"search, {options.repeats} data sets",
        "refused",
        "NaN: Brier score",
        "NaN: area",
        "NaN: IPCW concordance",
        f"all candidates NaN, of {3 * options.repeats}",
    )
    rows = [simulate(name, options.repeats) for name in WAYS]
    print(environment(), end="\n\n")
    print(markdown_table(header, rows))


if __name__ == "__main__":
    main()
