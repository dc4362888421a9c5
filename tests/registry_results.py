"""One of every kind of result, by the name of its class."""

import numpy as np
from registry_calls import CURVES, GROUPS, GUESS, OTHER, PRED, PROBA, SECOND_GUESS, TARGET, TRUE
from registry_censored import survival

from sklearn_ordinal_censored import (
    auc_inference,
    brier_inference,
    calibration_at_time,
    compare_concordance,
    compare_kappa,
    concordance_inference,
    d_calibration,
    kappa_inference,
    optimal_decisions,
    optimal_thresholds,
)

MANY = np.linspace(1.5, 4.5, 200)
RESULTS = {
    "KappaEstimate": lambda: kappa_inference(TRUE, PRED),
    "Comparison": lambda: compare_kappa(TRUE, PRED, OTHER),
    "Comparison-concordance": lambda: compare_concordance(TARGET, GUESS, SECOND_GUESS),
    "ConcordanceEstimate": lambda: concordance_inference(TARGET, GUESS),
    "ClusteredComparison": lambda: compare_concordance(TARGET, GUESS, SECOND_GUESS, cluster=GROUPS),
    "ConfidenceInterval": lambda: concordance_inference(TARGET, GUESS).confidence_interval(),
    "BrierEstimate": lambda: brier_inference(TARGET, survival(GUESS, MANY), times=MANY),
    "AucEstimate": lambda: auc_inference(TARGET, GUESS, times=MANY),
    "CurveInterval": lambda: auc_inference(TARGET, GUESS, times=MANY).confidence_interval(),
    "DCalibration": lambda: d_calibration(TARGET, CURVES[:, 0], n_bins=50),
    "CalibrationAtTime": lambda: calibration_at_time(TARGET, CURVES[:, 0], time=0.5, n_bins=20),
    "ThresholdResult": lambda: optimal_thresholds(np.arange(200), np.arange(200)),
    "DecisionResult": lambda: optimal_decisions(PROBA),
}
