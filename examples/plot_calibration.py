"""Do as many survive as predicted?
================================

A model of the time to a recurrence is fitted to half of the patients and judged on the other half,
and so are two bad ones. One is too sure of itself: its locations are half again as far from their
mean as those of the fitted model. The other took censored rows for events, and sees everybody fail
too early. In the upper row stand what was predicted for fifths of the rows and what came true; the
lower one shows D-calibration, for which the predicted survival at the own time should be spread
evenly.

D-calibration overlooks the model that is too sure. It adds up all rows, so that what is too low for
some is made up for by others; and a censored row, of which there are more than half, is spread over
many bins. The comparison at one time sees it. Both see the model without censoring.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.base import BaseEstimator

from sklearn_ordinal_censored.datasets import load_gbsg2
from sklearn_ordinal_censored.metrics import calibration_at_time, censored_log_loss, d_calibration
from sklearn_ordinal_censored.model_selection import censored_train_test_split
from sklearn_ordinal_censored.targets import right_censored


class LogLogisticRegression(BaseEstimator):
    """The log of time is linear in the features, with logistic noise of one scale."""

    def fit(self, X, y):
        design = np.column_stack([np.ones(len(X)), X])

        def loss(theta):
            location, scale = design @ theta[:-1], np.exp(theta[-1])
            return censored_log_loss(y, location, scale=scale, family="loglogistic")

        start = np.zeros(design.shape[1] + 1)
        start[0] = np.log(np.median(y["time"]))
        *self.coef_, log_scale = minimize(loss, start).x
        self.scale_ = np.exp(log_scale)
        return self

    def predict(self, X):
        """Return the location of the log of time."""
        return self.coef_[0] + X @ self.coef_[1:]

    def survival(self, location, times):
        """Return P(T > time) of each row."""
        return expit((location - np.log(times)) / self.scale_)


X, y = load_gbsg2(return_X_y=True)
X_train, X_test, y_train, y_test = censored_train_test_split(
    np.log1p(X), y, test_size=0.5, random_state=0
)
moment = 4 * 365.25

model = LogLogisticRegression().fit(X_train, y_train)
location = model.predict(X_test)
middle = location.mean()
all_seen = right_censored(np.ones(len(y_train)), y_train["time"])
careless = LogLogisticRegression().fit(X_train, all_seen)
models = {
    "as fitted": (model, location, "#0072B2"),
    "too sure of itself": (model, middle + 1.5 * (location - middle), "#D55E00"),
    "censored rows as events": (careless, careless.predict(X_test), "#009E73"),
}

figure, axes = plt.subplots(2, 3, figsize=(10, 6.5), layout="constrained", height_ratios=(3, 2))
for (name, (fitted, places, colour)), (top, bottom) in zip(models.items(), axes.T, strict=True):
    result = calibration_at_time(y_test, fitted.survival(places, moment), time=moment, n_bins=5)
    top.plot([0, 1], [0, 1], "--", color="#555555", linewidth=1)
    top.errorbar(
        result.predicted,
        result.observed,
        1.96 * result.standard_error,
        fmt="o",
        color=colour,
        capsize=3,
    )
    top.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="predicted survival at 4 years")
    top.set_title(f"{name}\np = {result.pvalue:.2g}")
    spread = d_calibration(y_test, fitted.survival(places, y_test["time"]))
    bottom.stairs(spread.proportions, np.linspace(0, 1, 11), fill=True, color=colour, alpha=0.4)
    bottom.axhline(0.1, linestyle="--", color="#555555", linewidth=1)
    bottom.set(xlim=(0, 1), ylim=(0, 0.3), xlabel="predicted survival at the own time")
    bottom.set_title(f"D-calibration: p = {spread.pvalue:.2g}")
    print(f"{name}: p = {result.pvalue:.2g} at 4 years, {spread.pvalue:.2g} over all times")
axes[0, 0].set_ylabel("survival that came true, 95 % interval")
axes[1, 0].set_ylabel("share of rows")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
