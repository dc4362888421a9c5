"""Metric functions, matrices and ready scorers."""

from sklearn_ordinal_censored.metrics._agreement import gwet_ac2, krippendorff_alpha
from sklearn_ordinal_censored.metrics._censored_errors import (
    censoring_rate,
    interval_overlap_rate,
    observed_mae,
)
from sklearn_ordinal_censored.metrics._concordance import concordance_index, concordance_index_ipcw
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
from sklearn_ordinal_censored.metrics._disagreement import disagreement_matrix
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

__all__ = [
    "censoring_rate",
    "compare_kappa",
    "concordance_index",
    "concordance_index_ipcw",
    "cost_weighted_log_loss",
    "cumulative_auc",
    "cumulative_brier",
    "cumulative_scores",
    "disagreement_matrix",
    "get_scorer",
    "get_scorer_names",
    "gwet_ac2",
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
    "soft_weighted_kappa",
    "tree_cost_matrix",
    "weighted_kappa",
]
