"""How good are predicted survival curves, and when?
=================================================

Two models of the time to a recurrence are fitted to half of the patients, and judged on the other
half beside the Kaplan-Meier curve of the first, which knows nothing of the rows. On these patients
all eight features do better than the number of affected nodes alone, by both scores and at all
times; the intervals overlap, so that other patients may tell otherwise. In the first year neither
gains much in the Brier score although the order of the rows is as good as later: hardly anybody has
had an event, and a probability near one is right for nearly all.

The model is a log-logistic regression: a few lines on top of `censored_log_loss`.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.base import BaseEstimator

from sklearn_ordinal_censored.datasets import load_gbsg2
from sklearn_ordinal_censored.metrics import (
    auc_inference,
    brier_inference,
    censored_brier_score,
    censored_log_loss,
    integrated_brier_score,
)
from sklearn_ordinal_censored.model_selection import censored_train_test_split
from sklearn_ordinal_censored.nonparametric import KaplanMeier


class LogLogisticRegression(BaseEstimator):
    """The log of time is linear in the features, with logistic noise of one scale."""

    def fit(self, X, y):
        design = np.column_stack([np.ones(len(X)), X])

        def loss(theta):
            location, scale = design @ theta[:-1], np.exp(theta[-1])
            return censored_log_loss(y, location, scale=scale, family="loglogistic")

        start = np.zeros(design.shape[1] + 1)
        start[0] = np.log(np.median(y["time"]))
        self.theta_ = minimize(loss, start).x
        return self

    def predict_survival(self, X, times):
        location, scale = self.theta_[0] + X @ self.theta_[1:-1], np.exp(self.theta_[-1])
        return expit((location[:, np.newaxis] - np.log(times)) / scale)


X, y = load_gbsg2(return_X_y=True)
X_train, X_test, y_train, y_test = censored_train_test_split(
    np.log1p(X), y, test_size=0.5, random_state=0
)
times = np.arange(150, 2100, 75)
models = {"nodes alone": ([5], "#D55E00"), "all features": (list(range(8)), "#0072B2")}
curves = {}
for name, (columns, _) in models.items():
    model = LogLogisticRegression().fit(X_train[:, columns], y_train)
    curves[name] = model.predict_survival(X_test[:, columns], times)
everywhere = np.tile(KaplanMeier().fit(y_train).predict(times), (len(y_test), 1))

figure, axes = plt.subplots(
    3, figsize=(8, 7), sharex=True, height_ratios=(4, 4, 1.4), layout="constrained"
)
years = times / 365.25
scores = {"Brier score": brier_inference, "area under the ROC curve": auc_inference}
for panel, (label, infer) in zip(axes, scores.items(), strict=False):
    for name, (_, colour) in models.items():
        result = infer(y_test, curves[name], times=times)
        low, high = result.confidence_interval()
        panel.fill_between(years, low, high, color=colour, alpha=0.15, linewidth=0)
        panel.plot(years, result.estimate, color=colour, linewidth=2, label=name)
    panel.set_ylabel(label)
reference = censored_brier_score(y_test, everywhere, times=times)
axes[0].plot(years, reference, "--", color="#555555", label="Kaplan-Meier curve for everybody")
axes[1].axhline(0.5, linestyle="--", color="#555555")
axes[0].legend(loc="lower right")
axes[0].set_title("lower is better; bands are 95 % intervals at each time", fontsize="medium")
axes[1].set_title("higher is better", fontsize="medium")
left = [(y_test["time"] > time).sum() for time in times]
axes[2].fill_between(years, left, step="mid", color="#999999", linewidth=0)
axes[2].set_ylabel("rows left")
axes[2].set_ylim(0, len(y_test))
axes[2].set_xlabel("years")
figure.suptitle(f"Predicted survival of {len(y_test)} patients, held out of both models")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)

base = integrated_brier_score(y_test, everywhere, times=times)
print(f"integrated Brier score, {times[0]} to {times[-1]} days: Kaplan-Meier {base:.3f}")
for name, values in curves.items():
    score = integrated_brier_score(y_test, values, times=times)
    print(f"{name}: {score:.3f}, which saves {100 * (1 - score / base):.0f} % of it")
