"""Score, grade and cross-validate ordinal and censored targets in scikit-learn."""

from sklearn_ordinal_censored.datasets import (
    load_anes96,
    load_gbsg2,
    make_ordinal,
)
from sklearn_ordinal_censored.metrics import (
    cumulative_scores,
    disagreement_matrix,
    get_scorer,
    get_scorer_names,
    linear_weighted_kappa,
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
    tree_cost_matrix,
    weighted_kappa,
)
from sklearn_ordinal_censored.postprocessing import (
    OrdinalThresholdOptimizer,
    optimal_thresholds,
)
from sklearn_ordinal_censored.targets import (
    ordinal_decode,
    ordinal_encode,
)

__version__ = "0.1.0.dev0"

__all__ = [
    "OrdinalThresholdOptimizer",
    "cumulative_scores",
    "disagreement_matrix",
    "get_scorer",
    "get_scorer_names",
    "linear_weighted_kappa",
    "load_anes96",
    "load_gbsg2",
    "make_ordinal",
    "mean_absolute_class_error",
    "mean_squared_class_error",
    "optimal_thresholds",
    "ordinal_accuracy",
    "ordinal_cost",
    "ordinal_cost_matrix",
    "ordinal_decode",
    "ordinal_encode",
    "quadratic_weighted_kappa",
    "tree_cost_matrix",
    "weighted_kappa",
]
