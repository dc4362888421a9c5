"""Is one model of times better than the other?
============================================

The intervals of all three models overlap, and yet one difference is beyond doubt. It is the smaller
one. A model with all features and one that lacks the number of nodes order most pairs of patients
alike, so what is luck in one is luck in the other, and the rest is sure. The nodes alone order the
patients in another way: their concordance differs by twice as much, and may do so by chance.

No model has seen the patients whose order it predicts.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.datasets import load_gbsg2
from sklearn_ordinal_censored.metrics import compare_concordance, concordance_inference
from sklearn_ordinal_censored.model_selection import censored_train_test_split

X, y = load_gbsg2(return_X_y=True)
X_train, X_test, y_train, y_test = censored_train_test_split(
    np.log1p(X), y, test_size=0.5, random_state=2
)
models = {"nodes alone": [5], "all but nodes": [0, 1, 2, 3, 4, 6, 7], "all features": range(8)}
predicted = {}
for name, columns in models.items():
    model = make_pipeline(StandardScaler(), IPCWRegressor(Ridge()))
    model.fit(X_train[:, list(columns)], y_train)
    predicted[name] = model.predict(X_test[:, list(columns)])
single = {name: concordance_inference(y_test, time) for name, time in predicted.items()}
pairs = {
    f"all features\nminus {name}": compare_concordance(
        y_test, predicted["all features"], predicted[name]
    )
    for name in ("nodes alone", "all but nodes")
}


def draw(axes, results, values, colour):
    """Draw a dot and its interval for every result, the first on top."""
    for row, (result, value) in enumerate(zip(results.values(), values, strict=True)):
        low, high = result.confidence_interval()
        axes.plot([low, high], [row, row], color=colour, linewidth=3, solid_capstyle="butt")
        axes.plot(value, row, "o", color=colour, markersize=8)
        axes.annotate(
            f"{value:.3f}  ({low:.3f} to {high:.3f})",
            (value, row),
            (0, 9),
            textcoords="offset points",
            ha="center",
        )
    axes.set_yticks(range(len(results)), results)
    axes.set_ylim(len(results) - 0.5, -0.7)


figure, (top, bottom) = plt.subplots(2, figsize=(8, 5), height_ratios=(3, 2), layout="constrained")
draw(top, single, [result.estimate for result in single.values()], "#0072B2")
events = int(y_test["cens"].sum())
top.set_xlabel(f"concordance of {len(y_test)} patients, {events} with an event; 95 % intervals")
draw(bottom, pairs, [result.difference for result in pairs.values()], "#D55E00")
bottom.axvline(0, color="#999999", linestyle="--", zorder=0)
bottom.set_xlabel("paired difference of concordances")
figure.suptitle("The smaller difference is the sure one")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)

for name, result in pairs.items():
    verdict = "differ" if result.pvalue < 0.05 else "are not told apart by these rows"
    print(
        f"{name.replace(chr(10), ' ')}: {result.difference:+.3f}, standard error "
        f"{result.standard_error:.3f}, p = {result.pvalue:.2g}: they {verdict}"
    )
