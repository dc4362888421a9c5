"""Four decisions from the same probabilities
==========================================

One logistic regression gives every voter a row of probabilities. The most probable grade is best
for accuracy only; another metric wants another grade of the same row.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.datasets import load_anes96
from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.postprocessing import OrdinalDecisionClassifier

data = load_anes96()
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
folds = StratifiedKFold(5, shuffle=True, random_state=0)
predicted = {
    decision: cross_val_predict(
        OrdinalDecisionClassifier(model, decision=decision), data.data, data.target, cv=folds
    )
    for decision in ("argmax", "median", "mean", "kappa")
}
metrics = {
    "accuracy\n(higher is better)": (ordinal_accuracy, max),
    "absolute error\n(lower is better)": (mean_absolute_class_error, min),
    "squared error\n(lower is better)": (mean_squared_class_error, min),
    "quadratic kappa\n(higher is better)": (quadratic_weighted_kappa, max),
}

figure = plt.figure(figsize=(9, 6.5), layout="constrained")
top, bottom = figure.subfigures(2, 1, height_ratios=(1.2, 1))
axes = top.subplots(1, 4, sharey=True)
for axis, (title, (metric, best)) in zip(axes, metrics.items(), strict=True):
    values = [metric(data.target, grades) for grades in predicted.values()]
    winner = best(values)
    colours = ["#0072B2" if value == winner else "#BBBBBB" for value in values]
    bars = axis.barh(list(predicted), values, color=colours)
    axis.bar_label(bars, fmt="%.2f", padding=2, fontsize=9)
    axis.set_xlim(0, 1.25 * max(values))
    axis.set_xticks([])
    axis.set_title(title, fontsize=10)
axes[0].set_ylabel("decision")
axes[0].invert_yaxis()

axis = bottom.subplots()
width = 0.16
columns = {"truth": data.target, **predicted}
shades = ["#000000", "#E69F00", "#56B4E9", "#009E73", "#CC79A7"]
for k, ((name, grades), colour) in enumerate(zip(columns.items(), shades, strict=True)):
    counts = np.bincount(grades, minlength=7)
    axis.bar(np.arange(7) + (k - 2) * width, counts, width, label=name, color=colour)
axis.set_xticks(range(7), [name.replace(" ", "\n") for name in data.target_names], fontsize=9)
axis.set_ylabel("people")
axis.set_title("How often each grade is predicted", fontsize=10)
axis.legend(ncols=5, frameon=False, fontsize=9)

for title, (metric, best) in metrics.items():
    values = {name: metric(data.target, grades) for name, grades in predicted.items()}
    winner = best(values, key=values.get)
    print(f"{title.splitlines()[0]:15} {winner:6} {values[winner]:.3f}")
print("Each decision is the best by the metric that it is made for, and by no other.")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=150)
