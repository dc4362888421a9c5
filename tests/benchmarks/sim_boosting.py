"""Whether boosting for kappa beats log loss and the most probable grade on new rows.

Claim: with LightGBM and with XGBoost, the soft kappa decoded by the mean and the cost-weighted log
loss decoded by the median, both stopped early by the quadratic kappa of the validation rows, reach
a higher quadratic kappa on held-out rows than the log loss, stopped early by itself and decoded by
the most probable grade. Most of that is due to the decoding: the log loss gains by the median, too,
and with `optimal_decisions`, which maximise the expected kappa of all held-out rows together, its
probabilities do better than any of these.

Data: anes96, of which 30 % is held out and 35 % of the others validate; two kinds of `make_ordinal`
with 900 rows, of which 30 % validate, and 10 000 rows held out. Small trees, a learning rate of 0.1
and at most 300 rounds for all, stopped after 30 rounds without progress. The default Hessian
stand-in of the soft kappa was chosen on other splits and other simulated sets.

The last column is the mean paired difference to the first way with its standard error; on anes96
the splits share the same 944 rows, so that it speaks of the splits, not of other elections.

Command: OMP_NUM_THREADS=1 nice python tests/benchmarks/sim_boosting.py [--splits 20]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, NamedTuple

import lightgbm as lgb
import numpy as np
import xgboost as xgb
from scipy.special import softmax
from sklearn.model_selection import train_test_split
from timing import environment, markdown_table

from sklearn_ordinal_censored.boosting import (
    lightgbm_metric,
    lightgbm_objective,
    xgboost_metric,
    xgboost_objective,
)
from sklearn_ordinal_censored.datasets import load_anes96, make_ordinal
from sklearn_ordinal_censored.metrics import quadratic_weighted_kappa
from sklearn_ordinal_censored.postprocessing import optimal_decisions
from sklearn_ordinal_censored.targets import ordinal_decode

ROUNDS, PATIENCE, RATE = 300, 30, 0.1
HELD_OUT = 10_000
KINDS: dict[str, dict[str, Any]] = {
    "5 equal grades": {"n_classes": 5},
    "4 uneven grades": {"n_classes": 4, "class_weights": [6, 3, 2, 1]},
}


class Way(NamedTuple):
    """A way to train, to stop early and to decode."""

    objective: str | None
    stop: str
    rule: str

    @property
    def name(self) -> str:
        objective = {
            None: "log loss",
            "soft_weighted_kappa": "soft kappa",
            "cost_weighted_log_loss": "cost-weighted log loss",
        }[self.objective]
        return f"{objective}, stopped by {self.stop}, {self.rule}"


WAYS = (
    Way(None, "log loss", "argmax"),
    Way(None, "log loss", "optimal decisions"),
    Way(None, "kappa", "argmax"),
    Way(None, "kappa", "median"),
    Way(None, "kappa", "mean"),
    Way("soft_weighted_kappa", "kappa", "argmax"),
    Way("soft_weighted_kappa", "kappa", "mean"),
    Way("cost_weighted_log_loss", "kappa", "argmax"),
    Way("cost_weighted_log_loss", "kappa", "median"),
)


class Task(NamedTuple):
    """Rows to learn from, to stop by and to be judged on; grades 0, 1, ..."""

    train: tuple[np.ndarray, np.ndarray]
    valid: tuple[np.ndarray, np.ndarray]
    test: tuple[np.ndarray, np.ndarray]
    n_classes: int


def real_tasks(n_splits: int) -> Iterator[Task]:
    X, y = load_anes96(return_X_y=True)
    X = np.asarray(X, dtype=float)
    for seed in range(n_splits):
        rest, X_test, y_rest, y_test = train_test_split(
            X, y, test_size=0.3, stratify=y, random_state=seed
        )
        X_train, X_valid, y_train, y_valid = train_test_split(
            rest, y_rest, test_size=0.35, stratify=y_rest, random_state=seed
        )
        yield Task((X_train, y_train), (X_valid, y_valid), (X_test, y_test), 7)


def simulated_tasks(kind: str, n_sets: int) -> Iterator[Task]:
    for seed in range(n_sets):
        X, y = make_ordinal(900 + HELD_OUT, random_state=seed, **KINDS[kind])
        parts = [(X[rows], y[rows]) for rows in (slice(630), slice(630, 900), slice(900, None))]
        yield Task(*parts, KINDS[kind]["n_classes"])


def by_lightgbm(way: Way, task: Task) -> np.ndarray:
    """Return raw scores of the held-out rows."""
    params = {"num_leaves": 8, "learning_rate": RATE, "num_class": task.n_classes, "verbose": -1}
    params |= {"num_threads": 1, "seed": 0, "metric": "None"}
    params["objective"] = lightgbm_objective(way.objective) if way.objective else "multiclass"
    if way.stop == "log loss":
        params["metric"], metric = "multi_logloss", None
    else:
        metric = lightgbm_metric(rule=way.rule, encoding=encoding_of(way))
    booster = lgb.train(
        params,
        lgb.Dataset(*task.train),
        ROUNDS,
        valid_sets=[lgb.Dataset(*task.valid)],
        feval=metric,
        callbacks=[lgb.early_stopping(PATIENCE, verbose=False)],
    )
    return booster.predict(task.test[0], raw_score=True, num_iteration=booster.best_iteration)


def by_xgboost(way: Way, task: Task) -> np.ndarray:
    """Return raw scores of the held-out rows."""
    model = xgb.XGBClassifier(
        n_estimators=ROUNDS,
        max_depth=3,
        learning_rate=RATE,
        early_stopping_rounds=PATIENCE,
        n_jobs=1,
        random_state=0,
    )
    if way.objective:
        model.set_params(objective=xgboost_objective(way.objective))
    if way.stop == "kappa":
        model.set_params(eval_metric=xgboost_metric(rule=way.rule, encoding=encoding_of(way)))
    model.fit(*task.train, eval_set=[task.valid], verbose=False)
    return model.predict(task.test[0], output_margin=True)


def encoding_of(way: Way) -> str:
    return "class_logits" if way.objective else "class_probs"


LIBRARIES = {"LightGBM": by_lightgbm, "XGBoost": by_xgboost}


def held_out_kappa(library: str, way: Way, task: Task) -> float:
    raw = LIBRARIES[library](way, task)
    if way.rule == "optimal decisions":
        pred = optimal_decisions(softmax(raw, axis=1)).decisions
    else:
        pred = ordinal_decode(raw, encoding="class_logits", rule=way.rule)
    return quadratic_weighted_kappa(task.test[1], pred, labels=range(task.n_classes))


def report(data: str, tasks: list[Task]) -> None:
    rows = []
    for library in LIBRARIES:
        kappas = {
            way: np.array([held_out_kappa(library, way, task) for task in tasks]) for way in WAYS
        }
        for way, values in kappas.items():
            gain = values - kappas[WAYS[0]]
            error = gain.std(ddof=1) / np.sqrt(len(gain))
            shown = f"{gain.mean():+.3f} ± {error:.3f}" if way != WAYS[0] else ""
            spread = f"{values.std(ddof=1):.3f}"
            rows.append([f"{library}: {way.name}", f"{values.mean():.3f}", spread, shown])
    header = (f"{data}, {len(tasks)} splits", "held-out kappa", "spread", "gain")
    print(markdown_table(header, rows), flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--splits", type=int, default=20)
    n_splits = parser.parse_args().splits
    start = time.perf_counter()
    print(environment())
    print(f"lightgbm {version('lightgbm')}, xgboost-cpu {version('xgboost-cpu')}\n")
    report("anes96", list(real_tasks(n_splits)))
    for kind in KINDS:
        report(kind, list(simulated_tasks(kind, n_splits)))
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
