"""Good order, bad probabilities
=============================

Two models of party identification put people in nearly the same order, so their areas under the
curve hardly differ. But the boosted trees are too sure of themselves: their probabilities are
worse at every cut point, and the ranked probability score says so.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.datasets import load_anes96
from sklearn_ordinal_censored.metrics import (
    cumulative_auc,
    cumulative_brier,
    ranked_probability_score,
)

data = load_anes96()
models = {
    "share of each grade": DummyClassifier(strategy="prior"),
    "boosted trees": HistGradientBoostingClassifier(max_iter=60, random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
proba = {
    name: cross_val_predict(model, data.data, data.target, cv=folds, method="predict_proba")
    for name, model in models.items()
}

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharex=True)
styles = dict(zip(models, [("#999999", "o"), ("#D55E00", "s"), ("#0072B2", "^")], strict=True))
cuts = np.arange(6)
for name, columns in proba.items():
    colour, marker = styles[name]
    for axis, metric in zip(axes, (cumulative_auc, cumulative_brier), strict=True):
        values = metric(data.target, columns, average=None)
        axis.plot(cuts, values, color=colour, marker=marker, label=name)
axes[0].set_title("Area under the ROC curve (higher is better)")
axes[1].set_title("Brier score (lower is better)")
axes[0].set_xticks(cuts, [f"> {k}" for k in cuts])
for axis in axes:
    axis.set_xlabel("cut point of the scale 0 to 6")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)

for name, columns in proba.items():
    print(
        f"{name:19}  AUC {cumulative_auc(data.target, columns):.3f}   "
        f"ranked probability score {ranked_probability_score(data.target, columns):.3f}"
    )
print("The order of the trees is nearly as good, their probabilities are not.")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=150)
