"""Where the cut points fall
=========================

A regressor's scores are drawn towards the middle, so cutting them half-way between ranks hardly
ever predicts the end grades. The learned cut points follow the scores.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.datasets import load_anes96
from sklearn_ordinal_censored.postprocessing import optimal_thresholds

data = load_anes96()
folds = StratifiedKFold(5, shuffle=True, random_state=0)
score = cross_val_predict(
    make_pipeline(StandardScaler(), Ridge()),
    data.data,
    data.target,
    cv=folds.split(data.data, data.target),
)
cuts = {
    strategy: optimal_thresholds(
        data.target,
        score,
        strategy=strategy,
        n_bootstraps=100 if strategy == "smoothed" else 0,
        random_state=0,
    )
    for strategy in ("rounding", "smoothed")
}

figure, axes = plt.subplots(figsize=(8, 4.2), layout="constrained")
parts = [score[data.target == grade] for grade in range(7)]
axes.boxplot(parts, orientation="horizontal", whis=(5, 95), showfliers=False, widths=0.6)
axes.set_yticks(range(1, 8), data.target_names)
colours = {"rounding": "#999999", "smoothed": "#0072B2"}
for strategy, result in cuts.items():
    label = f"{strategy}: in-sample QWK {result.objective_value:.2f}"
    for k, cut in enumerate(result.thresholds):
        axes.axvline(
            cut,
            color=colours[strategy],
            linestyle="--" if strategy == "rounding" else "-",
            label=label if k == 0 else None,
        )
    if result.threshold_std is not None:
        for cut, spread in zip(result.thresholds, result.threshold_std, strict=True):
            axes.axvspan(
                cut - spread, cut + spread, color=colours[strategy], alpha=0.12, linewidth=0
            )
axes.set_xlabel("out-of-fold score of a ridge regression on the ranks 0 to 6 (box: 25 to 75 %)")
axes.set_title("Cut points on the score; bands show one bootstrap standard deviation")
figure.legend(loc="outside lower center", ncols=2)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
ends = [0, 6]
print(f"{np.isin(data.target, ends).sum()} people stand at the two ends of the scale.")
for strategy, result in cuts.items():
    graded = np.isin(result.predict(score), ends).sum()
    print(f"{strategy:8} puts {graded} there, cut points {np.round(result.thresholds, 2).tolist()}")
