"""The same order, and other probabilities
=======================================

Two Cox models are fitted to half of the patients and judged on the other half. One is penalised far
too much. It puts the patients in nearly the same order, and the area under the ROC curve finds
little to choose between the two at any time. But it says nearly the same of everybody: its points
stand close together while what came true is spread widely, steeper than the diagonal, and its Brier
score is not much better than that of the Kaplan-Meier curve.

Whoever looks at orders alone does not see this.
"""
# quick

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sksurv.linear_model import CoxPHSurvivalAnalysis

from sklearn_ordinal_censored.datasets import load_gbsg2
from sklearn_ordinal_censored.metrics import calibration_at_time, integrated_auc, scaled_brier_score
from sklearn_ordinal_censored.model_selection import censored_train_test_split
from sklearn_ordinal_censored.plotting import SurvivalCalibrationDisplay, TimeDependentScoreDisplay

X, y = load_gbsg2(return_X_y=True)
X_train, X_test, y_train, y_test = censored_train_test_split(
    np.log1p(X), y, test_size=0.5, random_state=0
)
year = 365.25
times, moment = np.arange(180, 2000, 60), 4 * year
# Penalty, colour, shape of points and style of lines of each model.
models = {
    "little penalty": (1, "#0072B2", "o", "-"),
    "far too much": (2000, "#D55E00", "s", "--"),
}

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
figure.draw_without_rendering()  # text is fitted to the width that the layout leaves
panels = {"calibration": left, "brier": middle, "auc": right}
for name, (penalty, colour, marker, line) in models.items():
    model = make_pipeline(StandardScaler(), CoxPHSurvivalAnalysis(alpha=penalty))
    model.fit(X_train, y_train)
    calibration = SurvivalCalibrationDisplay.from_estimator(
        model,
        X_test,
        y_test,
        times=[moment],
        n_bins=5,
        display_labels=["4 years"],
        name=name,
        ax=panels["calibration"],
        color=colour,
        marker=marker,
    )
    panels["calibration"] = calibration.axes_
    for score in ("brier", "auc"):
        display = TimeDependentScoreDisplay.from_estimator(
            model,
            X_test,
            y_test,
            times=times,
            score=score,
            name=name,
            ax=panels[score],
            color=colour,
            linestyle=line,
            time_label="days",
        )
        panels[score] = display.axes_
    curves = model.predict_survival_function(X_test)
    area = integrated_auc(y_test, curves, times=times)
    saved = scaled_brier_score(y_test, curves, times=[moment])[0]
    test = calibration_at_time(y_test, curves, time=moment, n_bins=5)
    print(
        f"{name}: area {area:.2f}; at 4 years predicted {test.predicted.min():.2f} to "
        f"{test.predicted.max():.2f}, observed {test.observed.min():.2f} to "
        f"{test.observed.max():.2f} (p = {test.pvalue:.2g}), and {100 * saved:.0f} % of the Brier "
        "score of the Kaplan-Meier curve saved"
    )
print("The order is nearly the same, the probabilities are not.")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
