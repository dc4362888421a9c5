"""Metric functions, matrices and ready scorers."""

from sklearn_ordinal_censored.metrics._calibration import calibration_at_time, d_calibration
from sklearn_ordinal_censored.metrics._censored_errors import (
    censoring_rate,
    interval_overlap_rate,
    observed_mae,
)
from sklearn_ordinal_censored.metrics._censored_likelihood import (
    censored_crps,
    censored_log_loss,
    censored_quantile_loss,
)
from sklearn_ordinal_censored.metrics._censored_mae import censored_mae
from sklearn_ordinal_censored.metrics._concordance import concordance_index, concordance_index_ipcw
from sklearn_ordinal_censored.metrics._concordance_inference import (
    compare_concordance,
    concordance_inference,
)
from sklearn_ordinal_censored.metrics._cost import (
    ordinal_cost,
    ordinal_cost_matrix,
    tree_cost_matrix,
)
from sklearn_ordinal_censored.metrics._cumulative import cumulative_scores
from sklearn_ordinal_censored.metrics._curve_inference import auc_inference, brier_inference
from sklearn_ordinal_censored.metrics._dynamic_auc import cumulative_dynamic_auc, integrated_auc
from sklearn_ordinal_censored.metrics._kappa import (
    disagreement_matrix,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.metrics._ordinal import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
)
from sklearn_ordinal_censored.metrics._scorers import get_scorer, get_scorer_names
from sklearn_ordinal_censored.metrics._survival_curves import (
    censored_brier_score,
    integrated_brier_score,
    scaled_brier_score,
)
from sklearn_ordinal_censored.metrics._time_dependent_concordance import antolini_concordance_index

__all__ = [
    "antolini_concordance_index",
    "auc_inference",
    "brier_inference",
    "calibration_at_time",
    "censored_brier_score",
    "censored_crps",
    "censored_log_loss",
    "censored_mae",
    "censored_quantile_loss",
    "censoring_rate",
    "compare_concordance",
    "concordance_index",
    "concordance_index_ipcw",
    "concordance_inference",
    "cumulative_dynamic_auc",
    "cumulative_scores",
    "d_calibration",
    "disagreement_matrix",
    "get_scorer",
    "get_scorer_names",
    "integrated_auc",
    "integrated_brier_score",
    "interval_overlap_rate",
    "linear_weighted_kappa",
    "mean_absolute_class_error",
    "mean_squared_class_error",
    "observed_mae",
    "ordinal_accuracy",
    "ordinal_cost",
    "ordinal_cost_matrix",
    "quadratic_weighted_kappa",
    "scaled_brier_score",
    "tree_cost_matrix",
    "weighted_kappa",
]
