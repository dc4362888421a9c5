"""Are two models different?
=========================

Intervals of two models may overlap although one is clearly better: both grade the same rows, and
much of what makes one kappa uncertain makes the other so, too. The paired difference tells.
"""
# quick

import sys

import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.datasets import load_anes96
from sklearn_ordinal_censored.metrics import compare_kappa, kappa_inference
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer

X, y = load_anes96(return_X_y=True)
ridge = make_pipeline(StandardScaler(), Ridge())
models = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "ridge, smoothed cuts": OrdinalThresholdOptimizer(ridge),
    "ridge, exact cuts": OrdinalThresholdOptimizer(ridge, strategy="exact"),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
graded = {name: cross_val_predict(model, X, y, cv=folds) for name, model in models.items()}
kappas = {name: kappa_inference(y, grades, labels=range(7)) for name, grades in graded.items()}
first, second, third = models
differences = {
    f"{a}\nminus {b}": compare_kappa(y, graded[a], graded[b], labels=range(7))
    for a, b in ((second, first), (second, third))
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
draw(top, kappas, [result.estimate for result in kappas.values()], "#0072B2")
top.set_xlabel("quadratic kappa of 944 voters, each graded out of fold, with 95 % intervals")
figure.suptitle("The intervals of the first two models overlap, but their difference is clear")
draw(bottom, differences, [result.difference for result in differences.values()], "#D55E00")
bottom.axvline(0, color="#999999", linestyle="--", zorder=0)
bottom.set_xlim(-0.02, 0.08)
bottom.set_xlabel("paired difference of kappas")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)

for name, result in differences.items():
    verdict = "differ" if result.pvalue < 0.05 else "are not told apart by these rows"
    print(
        f"{name.replace(chr(10), ' ')}: {result.difference:+.3f}, standard error "
        f"{result.standard_error:.3f}, p = {result.pvalue:.2g}: they {verdict}"
    )
