"""Rows of exponential times, and models that have next to nothing to learn of their curves."""

from typing import ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from sklearn_ordinal_censored.targets import right_censored

TIMES = np.array([0.3, 1.0, 0.6])


def some_rows():
    """Exponential times with hazards from 0.5 to 2, as predicted, and about 30 % censored."""
    rng = np.random.default_rng(0)
    X = rng.uniform(0.5, 2.0, (200, 1))
    time, end = rng.exponential(1 / X[:, 0]), rng.exponential(2.0, 200) + 0.5
    return X, right_censored(time <= end, np.minimum(time, end))


def some_predictions(times=TIMES):
    """The target of these rows, and their true curves at the times."""
    X, y_true = some_rows()
    return y_true, np.exp(-np.outer(X[:, 0], times))


class Model(BaseEstimator):
    """Exponential times whose hazard is the first feature; counts what its clones are asked."""

    asked: ClassVar[list[str]] = []

    def __init__(self, factor=1.0):
        self.factor = factor

    def fit(self, X, y):
        self.last_ = np.max(pd.DataFrame(y).iloc[:, 1])
        return self

    def hazard(self, X):
        return self.factor * np.asarray(X, dtype=float)[:, 0]

    def predict(self, X):
        self.asked.append("predict")
        return 1 / self.hazard(X)


class ByTimes(Model):
    """Takes the times."""

    def predict_survival(self, X, times):
        self.asked.append("predict_survival")
        return np.exp(-np.outer(self.hazard(X), times))


class Step:
    """Falls at whole hundredths, and is known up to the last training time only."""

    def __init__(self, hazard, last):
        self.hazard, self.domain = hazard, (0.0, last)

    def __call__(self, times):
        if np.max(times) > self.domain[1]:
            raise ValueError("beyond the last training time")
        return np.exp(-self.hazard * np.floor(100 * np.asarray(times)) / 100)


class ByFunctions(Model):
    """Returns functions, as scikit-survival does."""

    def predict_survival_function(self, X):
        self.asked.append("predict_survival_function")
        return np.array([Step(hazard, self.last_) for hazard in self.hazard(X)], dtype=object)
