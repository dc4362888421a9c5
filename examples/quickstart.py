"""Grade voters, rank patients
===========================

The 944 respondents of the 1996 American National Election Study place themselves on a scale from 0
(strong Democrat) to 6 (strong Republican). A regressor predicts a score, and the score must be cut
into grades. Three ways to cut it are compared on outer folds that none of them has seen.

The second half searches two models of a censored target with two scores at once.
"""
# quick
# sphinx_gallery_thumbnail_path = '_static/logo.svg'

from functools import partial
from time import perf_counter

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.datasets import load_anes96, load_gbsg2
from sklearn_ordinal_censored.metrics import (
    get_scorer,
    mean_absolute_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer

LABELS = list(range(7))
X, y = load_anes96(return_X_y=True)
outer = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))

regressors = {
    "ridge": (make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [1, 10, 100]}),
    "boosting": (
        GradientBoostingRegressor(learning_rate=0.1, n_estimators=50, random_state=0),
        {"max_depth": [2, 3]},
    ),
}


def nelder_mead_cuts(score, grade):
    """The customary recipe: a local search from k + 1/2, on out-of-fold scores."""

    def loss(cuts):
        return -quadratic_weighted_kappa(grade, np.digitize(score, np.sort(cuts)), labels=LABELS)

    return np.sort(minimize(loss, np.arange(6) + 0.5, method="Nelder-Mead").x)


def with_nelder_mead(model, grid, train, test):
    score = cross_val_predict(model, X[train], y[train], cv=5)
    cuts = nelder_mead_cuts(score, y[train])
    return np.digitize(clone(model).fit(X[train], y[train]).predict(X[test]), cuts)


def with_search(model, grid, train, test, strategy="smoothed"):
    search = GridSearchCV(
        OrdinalThresholdOptimizer(model, strategy=strategy, labels=LABELS),
        {f"estimator__{name}": values for name, values in grid.items()},
        scoring=get_scorer("quadratic_weighted_kappa", labels=LABELS),
        cv=3,
        error_score="raise",
    )
    return search.fit(X[train], y[train]).predict(X[test])


ways = {
    "rounding": partial(with_search, strategy="rounding"),
    "Nelder-Mead": with_nelder_mead,
    "OrdinalThresholdOptimizer": with_search,
}


def summary(truth, predicted, seconds):
    return {
        "QWK": quadratic_weighted_kappa(truth, predicted, labels=LABELS),
        "MACE": mean_absolute_class_error(truth, predicted, labels=LABELS),
        "macro MACE": mean_absolute_class_error(truth, predicted, labels=LABELS, average="macro"),
        "accuracy": ordinal_accuracy(truth, predicted, labels=LABELS),
        "seconds": seconds,
    }


rows, pooled = {}, {}
for name, (model, grid) in regressors.items():
    for way, grade in ways.items():
        print(f"{name}: {way}, 5 outer folds ...", flush=True)
        start = perf_counter()
        parts = [(y[test], grade(model, grid, train, test)) for train, test in outer]
        truth, predicted = (np.concatenate(part) for part in zip(*parts, strict=True))
        rows[name, way] = summary(truth, predicted, perf_counter() - start)
        pooled[name, way] = truth, predicted

print("\nHeld-out scores (higher QWK and accuracy, lower MACE are better)\n")
print(pd.DataFrame(rows).T.round(3).to_string())
print("\nSeconds are for all folds; all but Nelder-Mead also search the regressor's parameter.")
print("On one data set the two ways to learn cut points may come out in either order:")
print("docs/benchmarks.md has the means over many.")
print("\nRidge with OrdinalThresholdOptimizer: true grades in rows, predicted ones in columns\n")
print(pd.DataFrame(confusion_matrix(*pooled["ridge", "OrdinalThresholdOptimizer"])).to_string())

# %%
# A censored target
# -----------------
#
# Recurrence-free survival of 686 breast cancer patients: 299 events, the others censored. Any
# regressor learns from such a target by weights for the rows that censoring took away; a splitter
# that knows events keeps every fold usable.

X, y = load_gbsg2(return_X_y=True)
folds = CensoredCVSplitter(5, random_state=0)
tau = 5 * 365.25  # events of the first five years count
scoring = {
    "concordance": get_scorer("concordance_index"),
    # One reference for all folds: their weights for censoring then mean the same.
    "IPCW concordance": get_scorer("concordance_index_ipcw", censoring=y, tau=tau),
}
survivors = {
    "ridge": (make_pipeline(StandardScaler(), IPCWRegressor(Ridge())), "ipcwregressor__"),
    "boosting": (IPCWRegressor(GradientBoostingRegressor(n_estimators=60, random_state=0)), ""),
}
grids = {"ridge": {"alpha": [1, 100, 1000]}, "boosting": {"max_depth": [1, 2, 3]}}

rows = {}
for name, (model, prefix) in survivors.items():
    print(f"\n{name} on censored times, 5 folds ...", flush=True)
    start = perf_counter()
    search = GridSearchCV(
        model,
        {f"{prefix}estimator__{key}": values for key, values in grids[name].items()},
        scoring=scoring,
        refit="concordance",
        cv=folds,
        error_score="raise",
    ).fit(X, y)
    best = {
        score: search.cv_results_[f"mean_test_{score}"][search.best_index_] for score in scoring
    }
    rows[name] = best | {"best": search.best_params_, "seconds": perf_counter() - start}

print(f"\nCross-validated scores of the best candidate (tau = {tau:.0f} days; 0.5 is chance)\n")
print(pd.DataFrame(rows).T.to_string(float_format="{:.3f}".format))
