"""Matplotlib is optional: without it displays hold their data, and say what is missing to draw."""

import subprocess
import sys

SCRIPT = """
import inspect
import sys
sys.modules["matplotlib"] = None
import numpy as np
import sklearn_ordinal_censored
from sklearn_ordinal_censored.plotting import (
    CensoredSplitDisplay, CumulativeCalibrationDisplay, OrdinalConfusionDisplay,
    SurvivalCalibrationDisplay, ThresholdDisplay, TimeDependentScoreDisplay,
)
from sklearn_ordinal_censored.targets import right_censored

class Model:
    def predict(self, X):
        raise AssertionError("asked before the import was tried")
    predict_proba = latent_score = predict_survival_function = predict

X, y, half = np.zeros((2, 1)), right_censored([1, 0], [1, 2]), [np.array([0.5])]
calls = {
    OrdinalConfusionDisplay(np.eye(2)).plot: (),
    OrdinalConfusionDisplay.from_predictions: ([0, 1], [0, 1]),
    OrdinalConfusionDisplay.from_estimator: (Model(), X, [0, 1]),
    ThresholdDisplay([half[0], half[0]], [0.5]).plot: (),
    ThresholdDisplay.from_predictions: ([0, 1], [0.0, 1.0]),
    ThresholdDisplay.from_estimator: (Model(), X, [0, 1]),
    CumulativeCalibrationDisplay(half, half, half).plot: (),
    CumulativeCalibrationDisplay.from_predictions: ([0, 1], [0.0, 1.0]),
    CumulativeCalibrationDisplay.from_estimator: (Model(), X, [0, 1]),
    SurvivalCalibrationDisplay(half, half, half).plot: (),
    SurvivalCalibrationDisplay.from_predictions: (y, half[0]),
    SurvivalCalibrationDisplay.from_estimator: (Model(), X, y),
    TimeDependentScoreDisplay(half[0], half[0]).plot: (),
    TimeDependentScoreDisplay.from_predictions: (y, half[0]),
    TimeDependentScoreDisplay.from_estimator: (Model(), X, y),
    CensoredSplitDisplay(half, half).plot: (),
    CensoredSplitDisplay.from_cv: (2, X, y),
}
for call, arguments in calls.items():
    try:
        needs_times = "times" in inspect.signature(call).parameters
        call(*arguments, **({"times": [1]} if needs_times else {}))
    except ImportError as error:
        owner = getattr(call.__self__, "__name__", type(call.__self__).__name__)
        print(f"{owner}.{call.__name__}", error, sep="|")
"""


def test_drawing_without_matplotlib_names_the_extra():
    command = [sys.executable, "-W", "error", "-c", SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split("|") for line in done.stdout.splitlines()]
    assert len(lines) == SCRIPT.count(": (")
    for caller, message in lines:
        assert message.startswith(f"{caller} draws with matplotlib, which cannot be imported")
        assert "sklearn_ordinal_censored[plot]" in message
