"""Pictures of graded predictions and of folds of censored targets."""

from sklearn_ordinal_censored.plotting._confusion import OrdinalConfusionDisplay
from sklearn_ordinal_censored.plotting._cumulative_calibration import CumulativeCalibrationDisplay
from sklearn_ordinal_censored.plotting._splits import CensoredSplitDisplay
from sklearn_ordinal_censored.plotting._survival_calibration import SurvivalCalibrationDisplay
from sklearn_ordinal_censored.plotting._thresholds import ThresholdDisplay
from sklearn_ordinal_censored.plotting._time_dependent_score import TimeDependentScoreDisplay

__all__ = [
    "CensoredSplitDisplay",
    "CumulativeCalibrationDisplay",
    "OrdinalConfusionDisplay",
    "SurvivalCalibrationDisplay",
    "ThresholdDisplay",
    "TimeDependentScoreDisplay",
]
