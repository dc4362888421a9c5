"""Metric functions, matrices and ready scorers."""

from sklearn_ordinal_censored.metrics._agreement import gwet_ac2, krippendorff_alpha
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
from sklearn_ordinal_censored.metrics._censored_reports import censored_report
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
from sklearn_ordinal_censored.metrics._cumulative import (
    cumulative_auc,
    cumulative_brier,
    cumulative_scores,
)
from sklearn_ordinal_censored.metrics._curve_inference import auc_inference, brier_inference
from sklearn_ordinal_censored.metrics._disagreement import disagreement_matrix
from sklearn_ordinal_censored.metrics._dynamic_auc import cumulative_dynamic_auc, integrated_auc
from sklearn_ordinal_censored.metrics._inference import compare_kappa, kappa_inference
from sklearn_ordinal_censored.metrics._kappa import (
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    weighted_kappa,
)
from sklearn_ordinal_censored.metrics._ordinal import (
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
)
from sklearn_ordinal_censored.metrics._probability import (
    cost_weighted_log_loss,
    ordinal_concordance_index,
    ranked_probability_score,
    soft_weighted_kappa,
)
from sklearn_ordinal_censored.metrics._report_frame import render_report
from sklearn_ordinal_censored.metrics._reports import ordinal_report
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
    "censored_report",
    "censoring_rate",
    "compare_concordance",
    "compare_kappa",
    "concordance_index",
    "concordance_index_ipcw",
    "concordance_inference",
    "cost_weighted_log_loss",
    "cumulative_auc",
    "cumulative_brier",
    "cumulative_dynamic_auc",
    "cumulative_scores",
    "d_calibration",
    "disagreement_matrix",
    "get_scorer",
    "get_scorer_names",
    "gwet_ac2",
    "integrated_auc",
    "integrated_brier_score",
    "interval_overlap_rate",
    "kappa_inference",
    "krippendorff_alpha",
    "linear_weighted_kappa",
    "mean_absolute_class_error",
    "mean_squared_class_error",
    "observed_mae",
    "ordinal_accuracy",
    "ordinal_concordance_index",
    "ordinal_cost",
    "ordinal_cost_matrix",
    "ordinal_report",
    "quadratic_weighted_kappa",
    "ranked_probability_score",
    "render_report",
    "scaled_brier_score",
    "soft_weighted_kappa",
    "tree_cost_matrix",
    "weighted_kappa",
]
