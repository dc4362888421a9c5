"""Splitting and validation of censored targets."""

from sklearn_ordinal_censored.model_selection._split import (
    CensoredCVSplitter,
    censored_train_test_split,
)
from sklearn_ordinal_censored.model_selection._validation import (
    pooled_cross_val_score,
    usable_tau,
)

__all__ = [
    "CensoredCVSplitter",
    "censored_train_test_split",
    "pooled_cross_val_score",
    "usable_tau",
]
