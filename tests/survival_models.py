"""Models of survival curves that have next to nothing to learn, and count what they are asked."""

from typing import ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator


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
