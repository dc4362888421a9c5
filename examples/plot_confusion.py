"""Which errors make the kappa
===========================

Most errors of a model of party identification miss by one grade. They are the ones that a table of
counts shows, but they are cheap: in quadratic weighted kappa a miss by three grades weighs as much
as nine misses by one. Coloured by what they cost, the same table points at other cells, and one can
look at the people in them.
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
from sklearn_ordinal_censored.plotting import OrdinalConfusionDisplay
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer

data = load_anes96()
model = OrdinalThresholdOptimizer(make_pipeline(StandardScaler(), Ridge()))
folds = StratifiedKFold(5, shuffle=True, random_state=0)
predicted = cross_val_predict(model, data.data, data.target, cv=folds)

figure, axes = plt.subplots(1, 2, figsize=(12, 6), layout="compressed")
for ax, colour in zip(axes, ("count", "cost"), strict=True):
    display = OrdinalConfusionDisplay.from_predictions(
        data.target, predicted, display_labels=data.target_names, ax=ax, color_by=colour
    )
axes[0].set_title("coloured by the number of rows")
axes[1].set_title(f"coloured by the share of the cost, kappa {display.score:.2f}")
axes[1].set(ylabel="", yticklabels=[])

distance = np.abs(np.subtract.outer(np.arange(7), np.arange(7)))
errors = display.confusion_matrix[distance > 0].sum()
for name, cells in {"one grade": distance == 1, "three and more": distance >= 3}.items():
    rows = display.confusion_matrix[cells].sum() / errors
    cost = display.contribution[cells].sum() / display.contribution.sum()
    print(f"misses by {name:14}  {rows:4.0%} of the errors, {cost:4.0%} of the cost")

row, column = np.unravel_index(np.argmax(display.contribution), distance.shape)
print(
    f"The costliest cell: {display.confusion_matrix[row, column]:.0f} times "
    f"{data.target_names[row]} was taken for {data.target_names[column]}."
)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
