"""Boosting for kappa
==================

Under the log loss the most probable grade has a poor kappa, however long the training. Trees that
are grown for the soft kappa, decoded by the mean grade, climb more slowly to a higher one, and lose
some of it again: early stopping on the kappa itself finds the round.
"""
# quick

import sys

import lightgbm as lgb
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_ordinal_censored.boosting import lightgbm_metric, lightgbm_objective
from sklearn_ordinal_censored.datasets import load_anes96
from sklearn_ordinal_censored.metrics import quadratic_weighted_kappa
from sklearn_ordinal_censored.targets import ordinal_decode

ROUNDS = 150
X, y = load_anes96(return_X_y=True)
X, y = np.asarray(X, dtype=float), np.asarray(y)
X_rest, X_test, y_rest, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
X_train, X_valid, y_train, y_valid = train_test_split(
    X_rest, y_rest, test_size=0.35, stratify=y_rest, random_state=0
)


def kappas(objective, rule):
    """Kappa of the validation rows after every round, and of the test rows after the best one."""
    encoding = "class_probs" if isinstance(objective, str) else "class_logits"
    record = {}
    params = {"objective": objective, "num_class": 7, "num_leaves": 8, "metric": "None"}
    booster = lgb.train(
        params | {"verbose": -1, "num_threads": 1, "seed": 0},
        lgb.Dataset(X_train, y_train),
        ROUNDS,
        valid_sets=[lgb.Dataset(X_valid, y_valid)],
        feval=lightgbm_metric(rule=rule, encoding=encoding),
        callbacks=[lgb.record_evaluation(record), lgb.early_stopping(ROUNDS, verbose=False)],
    )
    raw = booster.predict(X_test, raw_score=True, num_iteration=booster.best_iteration)
    grades = ordinal_decode(raw, encoding="class_logits", rule=rule)
    test = quadratic_weighted_kappa(y_test, grades, labels=range(7))
    return record["valid_0"]["quadratic_weighted_kappa"], booster.best_iteration, test


ways = {
    "log loss, most probable grade": ("multiclass", "argmax", "#999999"),
    "log loss, median grade": ("multiclass", "median", "#E69F00"),
    "soft kappa, mean grade": (lightgbm_objective("soft_weighted_kappa"), "mean", "#0072B2"),
}
figure, axes = plt.subplots(figsize=(8, 4.4), layout="constrained")
held_out = {}
for name, (objective, rule, colour) in ways.items():
    values, best, held_out[name] = kappas(objective, rule)
    axes.plot(range(1, ROUNDS + 1), values, color=colour, label=name)
    axes.plot(best, values[best - 1], "o", color=colour, markersize=8)
    axes.axvline(best, color=colour, linestyle=":", linewidth=1)
axes.set_xlabel("boosting round")
axes.set_ylabel("quadratic kappa of the validation rows")
axes.set_title("Party identification in 7 grades (anes96), LightGBM; dots: where training stops")
axes.legend(loc="lower right")
axes.grid(alpha=0.3)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
for name, value in held_out.items():
    print(f"{name}: kappa of the test rows {value:.2f}")
