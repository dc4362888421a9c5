"""Which cut points grade new rows best, and how much in-sample cut points flatter.

Claim: cut points are learned from the scores of a few rows and judged on other rows. There,
"smoothed" is at least as good as "exact" on average, "exact" is better than Nelder-Mead from
half-way between ranks, and that is better than rounding. Kappa of cut points on the rows that they
were learned from is too high; `best_score_` of OrdinalThresholdOptimizer, which grades every fold
with cut points from the other folds, is not.

Part A, real data: load_anes96 with three targets. PID is the loader's own; selfLR and educ are
columns of its data: as the target a column leaves the predictors, and PID enters them. 100 or 300
rows, drawn at random and stratified, train; the others are held out.
Part B, simulation: make_ordinal, five kinds, 20 000 rows held out.
Part C: quadratic kappa of cut points that are learned from the scores of the model's own training
rows ("own") or from out-of-fold scores, as these rows see it, and on held-out rows. "Cross-fitted"
is `best_score_`.

In parts A and B a ridge regression makes the score: cut points are learned from its scores of the
rows held out by five stratified folds, and act on the scores of the model of all training rows. All
strategies get the same scores. On the first split of every table line this is checked against
OrdinalThresholdOptimizer, which does the same by itself. Nelder-Mead maximises the same kappa.

The error after "±" is the standard error of the mean of the paired differences; those in brackets
are differences to exact. On real data the splits share the same 944 rows, so that it speaks of the
splits, not of other elections.

Command: nice python tests/benchmarks/sim_strategies.py [--splits 100] [--scale 1.0]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from bench_ordinal import nelder_mead
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits
from timing import environment, markdown_table

from sklearn_ordinal_censored.datasets import load_anes96, make_ordinal
from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer, optimal_thresholds

QWK = "quadratic_weighted_kappa"
STRATEGIES = ("rounding", "Nelder-Mead", "frequency", "exact", "smoothed")
OBJECTIVES: dict[str, tuple[Callable[..., Any], int]] = {  # metric, and its direction
    "accuracy": (ordinal_accuracy, 1),
    "mean_absolute_class_error": (mean_absolute_class_error, -1),
    "macro_mean_absolute_class_error": (partial(mean_absolute_class_error, average="macro"), -1),
}
KINDS: dict[str, dict[str, Any]] = {
    "5 equal grades": {},
    "4 uneven grades": {"n_classes": 4, "class_weights": [6, 3, 2, 1]},
    "7 grades, less noise": {"n_classes": 7, "noise": 0.5},
    "5 grades, rare middle": {"class_weights": [4, 2, 1, 2, 4]},
    "5 equal grades, more noise": {"noise": 2.0},
}
TRAIN_ROWS = {100: 100, 400: 100, 2_000: 50, 10_000: 25}  # rows: data sets of every kind
HELD_OUT = 20_000
RIDGE = make_pipeline(StandardScaler(), Ridge())
FOLDS = StratifiedKFold(5)


class Task(NamedTuple):
    """Rows to learn from, rows to be judged on, and the number of grades 0, 1, ..."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    n_classes: int

    @property
    def labels(self) -> np.ndarray:
        return np.arange(self.n_classes)


class Scores(NamedTuple):
    """Out-of-fold scores of the training rows, and scores of the held-out rows."""

    train: np.ndarray
    test: np.ndarray


def anes96(target: str) -> tuple[np.ndarray, np.ndarray]:
    """Return predictors and grades 0, 1, ...; the target is no predictor."""
    frame = load_anes96(as_frame=True).frame
    grades = frame.pop(target).to_numpy()
    return frame.to_numpy(dtype=float), grades - grades.min()


def real_tasks(target: str, n_train: int, n_splits: int) -> Iterator[Task]:
    X, y = anes96(target)
    splitter = StratifiedShuffleSplit(n_splits, train_size=n_train, random_state=0)
    for train, test in splitter.split(X, y):
        yield Task(X[train], y[train], X[test], y[test], int(y.max()) + 1)


def simulated_tasks(kind: str, n_train: int, n_sets: int) -> Iterator[Task]:
    for seed in range(n_sets):
        options = KINDS[kind]
        X, y = make_ordinal(n_train + HELD_OUT, random_state=seed, **options)
        n_classes = options.get("n_classes", 5)
        yield Task(X[:n_train], y[:n_train], X[n_train:], y[n_train:], n_classes)


def scores_of(task: Task, model: Any) -> Scores:
    train = cross_val_predict(model, task.X, task.y, cv=FOLDS)
    return Scores(train, clone(model).fit(task.X, task.y).predict(task.X_test))


def learn_cuts(task: Task, score: np.ndarray, strategy: str, objective: str = QWK) -> np.ndarray:
    if strategy == "Nelder-Mead":
        kappa = partial(quadratic_weighted_kappa, labels=task.labels)
        return nelder_mead(task.y, score, task.n_classes, kappa)[0]
    options = {"objective": objective, "strategy": strategy, "labels": task.labels}
    return optimal_thresholds(task.y, score, **options).thresholds


def held_out(
    task: Task, scores: Scores, cuts: np.ndarray, metric: Callable[..., Any] | None = None
) -> float:
    metric = metric or quadratic_weighted_kappa
    return metric(task.y_test, np.digitize(scores.test, cuts), labels=task.labels)


def kappas(task: Task, scores: Scores) -> list[float]:
    """Return the held-out kappa of every strategy."""
    return [
        held_out(task, scores, learn_cuts(task, scores.train, strategy)) for strategy in STRATEGIES
    ]


def gains(task: Task, scores: Scores) -> list[float]:
    """Return the held-out values of exact and smoothed, for every other objective."""
    return [
        held_out(task, scores, learn_cuts(task, scores.train, strategy, objective), metric)
        for objective, (metric, _) in OBJECTIVES.items()
        for strategy in ("exact", "smoothed")
    ]


def check_against_optimizer(task: Task, scores: Scores) -> None:
    for strategy in ("exact", "smoothed"):
        model = OrdinalThresholdOptimizer(RIDGE, strategy=strategy, cv=FOLDS, labels=task.labels)
        cuts = model.fit(task.X, task.y).thresholds_
        np.testing.assert_allclose(cuts, learn_cuts(task, scores.train, strategy), rtol=1e-9)


def run(tasks: Iterable[Task], *measures: Callable[[Task, Scores], list[float]]) -> np.ndarray:
    """Return one line of values a task."""
    values = []
    for task in tasks:
        scores = scores_of(task, RIDGE)
        if not values:
            check_against_optimizer(task, scores)
        values.append([value for measure in measures for value in measure(task, scores)])
    return np.array(values)


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def average(lines: list[np.ndarray]) -> tuple[float, float]:
    """Return mean and standard error of the mean of independent lines, each of equal weight."""
    means, errors = np.array([mean_and_error(line) for line in lines]).T
    return float(means.mean()), float(np.sqrt((errors**2).sum()) / len(lines))


def kappa_line(name: str, parts: list[np.ndarray]) -> list[str]:
    """Return means of kappa, and the paired differences to exact."""
    exact = STRATEGIES.index("exact")
    cells = [name]
    for column, strategy in enumerate(STRATEGIES):
        mean, _ = average([part[:, column] for part in parts])
        difference = average([part[:, column] - part[:, exact] for part in parts])
        text = "" if strategy == "exact" else f" ({show_difference(difference)})"
        cells.append(f"{mean:.4f}{text}")
    return cells


def show_difference(difference: tuple[float, float]) -> str:
    return f"{difference[0]:+.4f} ± {difference[1]:.4f}"


def gain_lines(name: str, parts: list[np.ndarray]) -> Iterator[list[str]]:
    """Return means of the other objectives, and how much better smoothed is."""
    for number, (objective, (_, sign)) in enumerate(OBJECTIVES.items()):
        pairs = [part[:, 2 * number : 2 * number + 2] for part in parts]
        means = [average([pair[:, column] for pair in pairs])[0] for column in (0, 1)]
        gain = average([sign * (pair[:, 1] - pair[:, 0]) for pair in pairs])
        yield [f"{objective}, {name}", *(f"{m:.4f}" for m in means), show_difference(gain)]


def part_a(n_splits: int) -> None:
    lines, others = [], []
    for n_train in (100, 300):
        parts = []
        for target in ("PID", "selfLR", "educ"):
            parts.append(run(real_tasks(target, n_train, n_splits), kappas, gains))
            lines.append(kappa_line(f"{target}, {n_train} rows", [parts[-1][:, :5]]))
        lines.append(kappa_line(f"**mean, {n_train} rows**", [part[:, :5] for part in parts]))
        others += gain_lines(f"{n_train} rows", [part[:, 5:] for part in parts])
    show(f"Part A: held-out quadratic kappa on anes96, {n_splits} splits", kappa_header(), lines)
    header = ("objective, mean of the three targets", "exact", "smoothed", "gain of smoothed")
    show("Part A: other objectives, held-out; a gain is positive where better", header, others)


def part_b(scale: float) -> None:
    lines = []
    for n_train, n_sets in TRAIN_ROWS.items():
        n_sets = max(2, round(scale * n_sets))
        parts = [run(simulated_tasks(kind, n_train, n_sets), kappas) for kind in KINDS]
        for kind, part in zip(KINDS, parts, strict=True):
            lines.append(kappa_line(f"{kind}, {n_train:,} rows", [part]))
        lines.append(kappa_line(f"**mean, {n_train:,} rows** ({n_sets} sets each)", parts))
    show("Part B: held-out quadratic kappa, simulated data", kappa_header(), lines)


def kappa_header() -> tuple[str, ...]:
    return ("training rows", *STRATEGIES)


def flattery(task: Task, model: Any, strategy: str) -> list[float]:
    """Return kappa of cut points from the model's own training rows, and of out-of-fold ones."""
    options = {"strategy": strategy, "labels": task.labels}
    own = OrdinalThresholdOptimizer(clone(model).fit(task.X, task.y), cv="prefit", **options)
    own.fit(task.X, task.y)
    folds = OrdinalThresholdOptimizer(model, cv=FOLDS, **options).fit(task.X, task.y)
    score = cross_val_predict(model, task.X, task.y, cv=FOLDS)
    return [
        own.best_score_,
        kappa_of_model(task, own),
        optimal_thresholds(task.y, score, **options).objective_value,
        folds.best_score_,
        kappa_of_model(task, folds),
    ]


def kappa_of_model(task: Task, model: Any) -> float:
    return quadratic_weighted_kappa(task.y_test, model.predict(task.X_test), labels=task.labels)


def part_c(n_splits: int) -> None:
    boosting = HistGradientBoostingRegressor(max_iter=50, random_state=0)
    data = {
        "anes96 PID, 300 rows": list(real_tasks("PID", 300, n_splits)),
        "5 equal grades, 400 rows": list(simulated_tasks("5 equal grades", 400, n_splits)),
    }
    lines = []
    for name, tasks in data.items():
        for model_name, model in (("ridge", RIDGE), ("boosting", boosting)):
            for strategy in ("exact", "smoothed"):
                values = np.array([flattery(task, model, strategy) for task in tasks])
                cells = [f"{mean:.4f}" for mean in values.mean(axis=0)]
                pairs = ((3, 4), (1, 4))
                differences = [mean_and_error(values[:, i] - values[:, j]) for i, j in pairs]
                cells += [show_difference(difference) for difference in differences]
                lines.append([f"{name}, {model_name}, {strategy}", *cells])
    header = (
        f"mean of {n_splits} splits",
        "(1) own scores, in-sample",
        "(2) the same, held-out",
        "(3) out-of-fold scores, in-sample",
        "(4) the same, cross-fitted",
        "(5) the same, held-out",
        "(4) - (5)",
        "(2) - (5)",
    )
    show("Part C: quadratic kappa, as the training rows and as new rows see it", header, lines)


def show(title: str, header: tuple[str, ...], lines: list[list[str]]) -> None:
    print(f"\n{title}\n\n{markdown_table(header, lines)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=100, help="splits of part A")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for parts B and C")
    options = parser.parse_args()
    print(environment())
    # A grade may be rarer than the folds; its place on the scale is kept.
    warnings.filterwarnings("ignore", "The least populated class in y has only")
    with threadpool_limits(1):
        part_a(options.splits)
        part_b(options.scale)
        part_c(max(2, round(100 * options.scale)))


if __name__ == "__main__":
    main()
