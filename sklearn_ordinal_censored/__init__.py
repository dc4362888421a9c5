"""Score, grade and cross-validate ordinal and censored targets in scikit-learn."""

from sklearn_ordinal_censored.compose import (
    IPCWRegressor,
)
from sklearn_ordinal_censored.datasets import (
    load_anes96,
    load_gbsg2,
    make_censored,
    make_ordinal,
)
from sklearn_ordinal_censored.metrics import (
    censoring_rate,
    concordance_index,
    concordance_index_ipcw,
    cumulative_scores,
    disagreement_matrix,
    get_scorer,
    get_scorer_names,
    interval_overlap_rate,
    linear_weighted_kappa,
    mean_absolute_class_error,
    mean_squared_class_error,
    observed_mae,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
    tree_cost_matrix,
    weighted_kappa,
)
from sklearn_ordinal_censored.model_selection import (
    CensoredCVSplitter,
    censored_train_test_split,
    pooled_cross_val_score,
    usable_tau,
)
from sklearn_ordinal_censored.nonparametric import (
    KaplanMeier,
)
from sklearn_ordinal_censored.postprocessing import (
    OrdinalThresholdOptimizer,
    optimal_thresholds,
)
from sklearn_ordinal_censored.targets import (
    as_right_censored,
    from_censoring_codes,
    interval_censored,
    ordinal_decode,
    ordinal_encode,
    right_censored,
)

__version__ = "0.1.0.dev0"

__all__ = [
    "CensoredCVSplitter",
    "IPCWRegressor",
    "KaplanMeier",
    "OrdinalThresholdOptimizer",
    "as_right_censored",
    "censored_train_test_split",
    "censoring_rate",
    "concordance_index",
    "concordance_index_ipcw",
    "cumulative_scores",
    "disagreement_matrix",
    "from_censoring_codes",
    "get_scorer",
    "get_scorer_names",
    "interval_censored",
    "interval_overlap_rate",
    "linear_weighted_kappa",
    "load_anes96",
    "load_gbsg2",
    "make_censored",
    "make_ordinal",
    "mean_absolute_class_error",
    "mean_squared_class_error",
    "observed_mae",
    "optimal_thresholds",
    "ordinal_accuracy",
    "ordinal_cost",
    "ordinal_cost_matrix",
    "ordinal_decode",
    "ordinal_encode",
    "pooled_cross_val_score",
    "quadratic_weighted_kappa",
    "right_censored",
    "tree_cost_matrix",
    "usable_tau",
    "weighted_kappa",
]
