"""From scores and probabilities to grades: cut points and decisions, alone and in an estimator."""

from sklearn_ordinal_censored.postprocessing._decision_classifier import OrdinalDecisionClassifier
from sklearn_ordinal_censored.postprocessing._decisions import optimal_decisions
from sklearn_ordinal_censored.postprocessing._optimizer import OrdinalThresholdOptimizer
from sklearn_ordinal_censored.postprocessing._thresholds import optimal_thresholds

__all__ = [
    "OrdinalDecisionClassifier",
    "OrdinalThresholdOptimizer",
    "optimal_decisions",
    "optimal_thresholds",
]
