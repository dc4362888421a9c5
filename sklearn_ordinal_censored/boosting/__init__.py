"""Evaluation metrics and objectives for LightGBM and XGBoost."""

from sklearn_ordinal_censored.boosting._metrics import lightgbm_metric, xgboost_metric
from sklearn_ordinal_censored.boosting._objectives import lightgbm_objective, xgboost_objective

__all__ = [
    "lightgbm_metric",
    "lightgbm_objective",
    "xgboost_metric",
    "xgboost_objective",
]
