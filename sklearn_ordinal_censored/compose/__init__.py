"""Estimators around scikit-learn regressors."""

from sklearn_ordinal_censored.compose._ipcw_regressor import IPCWRegressor

__all__ = ["IPCWRegressor"]
