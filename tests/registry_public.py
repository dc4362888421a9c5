"""How every public method is called, and all calls together."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal
from optional import Missing, load
from registry_calls import (
    BOUNDS,
    CHANCES,
    COST,
    CUTS,
    EVENT_CURVE,
    FUNCTIONS,
    GRADES,
    GROUPS,
    GUESS,
    KINDS,
    LABELS,
    LATE,
    LEVEL,
    LOGISTIC,
    REFERENCE,
    RIDGE,
    SCORE,
    SCORES,
    TARGET,
    TIME,
    TIMES,
    TRUE,
    TURNBULL,
    WEIGHT,
    Call,
    X,
    configured,
)
from registry_censored import survival
from sklearn.base import BaseEstimator

import sklearn_ordinal_censored as soc

OPTIMIZER = soc.OrdinalThresholdOptimizer(RIDGE, cv=2, random_state=0)
DECISIONS = soc.OrdinalDecisionClassifier(LOGISTIC, cv=2)
REGRESSOR = soc.IPCWRegressor(RIDGE)
FITTED_OPTIMIZER = soc.OrdinalThresholdOptimizer(RIDGE, cv=2, random_state=0).fit(X, TRUE)
FITTED_DECISIONS = soc.OrdinalDecisionClassifier(LOGISTIC, cv=2).fit(X, TRUE)
FITTED_REGRESSOR = soc.IPCWRegressor(RIDGE).fit(X, TARGET)
ROWS = {"X": X, "y": TRUE, "sample_weight": WEIGHT}
TIMED_ROWS = {"X": X, "y": TARGET, "sample_weight": WEIGHT}
DEALING = {"n_splits": 3, "n_repeats": 2, "stratify": "event+time", "time_support": "any"} | {
    "min_events": 1,
    "shuffle": True,
}


def same_curves(estimator, X, times):
    """Survival curves of whatever rows, as a caller's `response=` gives them."""
    with np.errstate(over="ignore"):
        return survival(GUESS[: len(X)], times)


DRAWN = {"ax": None, "display_labels": None}


def fitted(estimator, **more):
    """A function that fits a copy and returns what it learned or says."""
    method = more.pop("method", None)

    def _fit(**arguments):
        model = type(estimator)(**estimator.get_params(deep=False) | more)
        asked = {name: arguments.pop(name) for name in ("times",) if name in arguments}
        model.fit(**arguments)
        return model if method is None else getattr(model, method)(**asked)

    return _fit


def splits(n_splits, n_repeats, stratify, time_support, min_events, shuffle, random_state, **rows):
    cv = soc.CensoredCVSplitter(
        n_splits,
        n_repeats=n_repeats,
        stratify=stratify,
        time_support=time_support,
        min_events=min_events,
        shuffle=shuffle,
        random_state=random_state,
    )
    return list(cv.split(**rows))


METHODS: dict[str, Call] = {
    "CensoredCVSplitter.split": Call(
        splits,
        {"X": X, "y": TARGET, "groups": GROUPS},
        DEALING,
        {"random_state": 0},
    ),
    "CensoredCVSplitter.get_n_splits": Call(
        soc.CensoredCVSplitter(3).get_n_splits, {}, {}, {"X": X, "y": TARGET, "groups": None}
    ),
    "CensoredSplitDisplay.from_cv": Call(
        soc.CensoredSplitDisplay.from_cv,
        {"X": X, "y": TARGET, "groups": GROUPS},
        {},
        {"cv": soc.CensoredCVSplitter(3, random_state=0), "ax": None},
        pictures=True,
    ),
    "CensoredSplitDisplay.plot": Call(
        configured(
            lambda **parts: soc.CensoredSplitDisplay(**parts).plot, "event_times", "censored_times"
        ),
        {"event_times": [TIME[:5], TIME[5:9]], "censored_times": [TIME[9:12], TIME[12:]]},
        {},
        {"ax": None, "time_label": "time"},
        pictures=True,
    ),
    "CumulativeCalibrationDisplay.from_predictions": Call(
        soc.CumulativeCalibrationDisplay.from_predictions,
        CHANCES,
        {"n_bins": 3},
        {"name": "a", **DRAWN},
        pictures=True,
    ),
    "CumulativeCalibrationDisplay.from_estimator": Call(
        soc.CumulativeCalibrationDisplay.from_estimator,
        {**ROWS, "labels": LABELS},
        {"n_bins": 3, "encoding": "class_probs"},
        {"estimator": FITTED_DECISIONS, "name": "a", **DRAWN},
        pictures=True,
    ),
    "CumulativeCalibrationDisplay.plot": Call(
        configured(
            lambda **parts: soc.CumulativeCalibrationDisplay(**parts).plot,
            *("prob_true", "prob_pred", "counts", "intervals", "display_labels"),
        ),
        {
            "prob_true": [np.array([0.25, 0.5])] * 3,
            "prob_pred": [np.array([0.25, 0.75])] * 3,
            "counts": [np.array([4, 5])] * 3,
        },
        {},
        {"intervals": None, "name": None, "color": "k", "marker": "o", **DRAWN},
        pictures=True,
    ),
    "IPCWRegressor.fit": Call(fitted(REGRESSOR), TIMED_ROWS, {}, {}),
    "IPCWRegressor.fit-parameters": Call(
        lambda log_time, censoring: soc.IPCWRegressor(
            RIDGE, log_time=log_time, censoring=censoring
        ).fit(X, TARGET),
        REFERENCE,
        {"log_time": True},
    ),
    "IPCWRegressor.predict": Call(FITTED_REGRESSOR.predict, {"X": X}),
    "IPCWRegressor.score": Call(FITTED_REGRESSOR.score, TIMED_ROWS),
    "KaplanMeier.fit": Call(
        fitted(soc.KaplanMeier(), method="predict"),
        {"y": TARGET, "sample_weight": WEIGHT, "times": np.array(TIMES)},
    ),
    "KaplanMeier.fit-parameters": Call(
        lambda reverse: soc.KaplanMeier(reverse=reverse).fit(TARGET), {}, {"reverse": True}
    ),
    "KaplanMeier.predict": Call(
        EVENT_CURVE.predict, {"times": np.array(TIMES)}, {"left_limit": False}
    ),
    "KaplanMeier.confidence_interval": Call(
        EVENT_CURVE.confidence_interval, {}, {**LEVEL, "method": "log-log"}
    ),
    "OrdinalConfusionDisplay.from_predictions": Call(
        soc.OrdinalConfusionDisplay.from_predictions,
        GRADES,
        {"normalize": "true", **KINDS},
        {"cost_matrix": None, **DRAWN},
        pictures=True,
    ),
    "OrdinalConfusionDisplay.from_predictions-costs": Call(
        soc.OrdinalConfusionDisplay.from_predictions, {**GRADES, "cost_matrix": COST}, pictures=True
    ),
    "OrdinalConfusionDisplay.from_estimator": Call(
        soc.OrdinalConfusionDisplay.from_estimator,
        {**ROWS, "labels": LABELS},
        {"normalize": None, **KINDS},
        {"estimator": FITTED_DECISIONS, "cost_matrix": None, **DRAWN},
        pictures=True,
    ),
    "OrdinalConfusionDisplay.plot": Call(
        configured(
            lambda **parts: soc.OrdinalConfusionDisplay(**parts).plot,
            *("confusion_matrix", "contribution", "score", "score_name", "values_name"),
        ),
        {"confusion_matrix": COST + 1, "contribution": COST},
        {"color_by": "cost"},
        {
            "ax": None,
            "include_values": True,
            "values_format": None,
            "xticks_rotation": None,
            "cmap": None,
            "colorbar": True,
            "score": None,
            "score_name": None,
            "values_name": "rows",
            "im_kw": None,
            "text_kw": None,
        },
        pictures=True,
    ),
    "OrdinalDecisionClassifier.fit": Call(fitted(DECISIONS), ROWS),
    "OrdinalDecisionClassifier.fit-parameters": Call(
        lambda **options: soc.OrdinalDecisionClassifier(LOGISTIC, **options).fit(X, TRUE),
        {"labels": LABELS},
        {"decision": "kappa", "weights": "linear", "verbose": 0},
        {"cost_matrix": None, "cv": 2, "n_jobs": None},
    ),
    "OrdinalDecisionClassifier.predict": Call(FITTED_DECISIONS.predict, {"X": X}),
    "OrdinalDecisionClassifier.predict_proba": Call(FITTED_DECISIONS.predict_proba, {"X": X}),
    "OrdinalDecisionClassifier.score": Call(FITTED_DECISIONS.score, ROWS),
    "OrdinalThresholdOptimizer.fit": Call(fitted(OPTIMIZER), ROWS),
    "OrdinalThresholdOptimizer.fit-scores": Call(
        lambda **rows: soc.OrdinalThresholdOptimizer(strategy="exact").fit(**rows),
        {"X": SCORE[:, np.newaxis], "y": TRUE, "sample_weight": WEIGHT},
    ),
    "OrdinalThresholdOptimizer.fit-parameters": Call(
        lambda **options: soc.OrdinalThresholdOptimizer(RIDGE, **options).fit(X, TRUE),
        {"labels": LABELS},
        {
            **CUTS,
            "response_method": "auto",
            "n_bootstraps": 2,
            "verbose": 0,
        },
        {"random_state": 0, "cv": 2, "n_jobs": None},
    ),
    "OrdinalThresholdOptimizer.predict": Call(FITTED_OPTIMIZER.predict, {"X": X}),
    "OrdinalThresholdOptimizer.predict_proba": Call(
        soc.OrdinalThresholdOptimizer(LOGISTIC, cv=2).fit(X, TRUE).predict_proba, {"X": X}
    ),
    "OrdinalThresholdOptimizer.latent_score": Call(FITTED_OPTIMIZER.latent_score, {"X": X}),
    "OrdinalThresholdOptimizer.score": Call(FITTED_OPTIMIZER.score, ROWS),
    "SurvivalCalibrationDisplay.from_predictions": Call(
        soc.SurvivalCalibrationDisplay.from_predictions,
        {"y_true": TARGET, "y_proba": survival(GUESS, LATE), "times": LATE},
        {"n_bins": 2, **LEVEL},
        {"name": "a", **DRAWN},
        pictures=True,
    ),
    "SurvivalCalibrationDisplay.from_estimator": Call(
        soc.SurvivalCalibrationDisplay.from_estimator,
        {"X": X, "y": TARGET, "times": LATE},
        {"n_bins": 2, **LEVEL},
        {"estimator": None, "response": same_curves, "name": "a", **DRAWN},
        pictures=True,
    ),
    "SurvivalCalibrationDisplay.plot": Call(
        configured(
            lambda **parts: soc.SurvivalCalibrationDisplay(**parts).plot,
            *("prob_true", "prob_pred", "counts", "intervals", "display_labels"),
        ),
        {
            "prob_true": [np.array([0.25, 0.5])],
            "prob_pred": [np.array([0.25, 0.75])],
            "counts": [np.array([4, 5])],
        },
        {},
        {"intervals": None, "name": None, "color": "k", "marker": "o", **DRAWN},
        pictures=True,
    ),
    "TimeDependentScoreDisplay.from_predictions": Call(
        soc.TimeDependentScoreDisplay.from_predictions,
        {
            "y_true": TARGET,
            "y_pred": survival(GUESS, LATE),
            "times": LATE,
            "sample_weight": WEIGHT,
            **REFERENCE,
        },
        {"score": "brier", "prediction": "time", **LEVEL},
        {"name": "a", "ax": None},
        pictures=True,
    ),
    "TimeDependentScoreDisplay.from_estimator": Call(
        soc.TimeDependentScoreDisplay.from_estimator,
        {"X": X, "y": TARGET, "times": LATE, "sample_weight": WEIGHT, **REFERENCE},
        {"score": "brier", "prediction": "time", **LEVEL},
        {"estimator": None, "response": same_curves, "name": "a", "ax": None},
        pictures=True,
    ),
    "TimeDependentScoreDisplay.plot": Call(
        configured(
            lambda **parts: soc.TimeDependentScoreDisplay(**parts).plot,
            *("times", "scores", "intervals", "reference", "rows_left"),
            *("score_name", "reference_name", "lowest"),
        ),
        {"times": LATE, "scores": np.array([0.1, 0.2, 0.15])},
        {},
        {
            "intervals": None,
            "reference": None,
            "rows_left": None,
            "score_name": None,
            "reference_name": None,
            "lowest": 0.0,
            "name": None,
            "color": "k",
            "linestyle": "-",
            "time_label": "time",
            "ax": None,
        },
        pictures=True,
    ),
    "ThresholdDisplay.from_predictions": Call(
        soc.ThresholdDisplay.from_predictions,
        SCORES,
        {**CUTS, "n_bootstraps": 2},
        {"random_state": 0, "verbose": 0, **DRAWN},
        pictures=True,
    ),
    "ThresholdDisplay.from_estimator": Call(
        soc.ThresholdDisplay.from_estimator,
        ROWS,
        {},
        {"estimator": FITTED_OPTIMIZER, "verbose": 0, **DRAWN},
        pictures=True,
    ),
    "ThresholdDisplay.plot": Call(
        configured(
            lambda **parts: soc.ThresholdDisplay(**parts).plot,
            *("scores", "thresholds", "score_weights", "threshold_std", "display_labels"),
            *("cut_curves", "objective_name", "objective_value"),
        ),
        {
            "scores": [SCORE[grade == TRUE] for grade in range(4)],
            "thresholds": np.array([0.25, 0.75, 1.25]),
            "threshold_std": np.full(3, 0.125),
        },
        {},
        {
            "score_weights": None,
            "cut_curves": None,
            "objective_name": None,
            "objective_value": None,
            **DRAWN,
        },
        pictures=True,
    ),
    "Turnbull.fit": Call(
        fitted(soc.Turnbull(), method="predict"),
        {"y": BOUNDS, "sample_weight": WEIGHT, "times": np.array(TIMES)},
    ),
    "Turnbull.fit-parameters": Call(
        lambda **options: soc.Turnbull(**options).fit(BOUNDS), {}, {"verbose": 0}
    ),
    "Turnbull.predict": Call(TURNBULL.predict, {"times": np.array(TIMES)}, {"left_limit": False}),
    "Turnbull.predict_bounds": Call(TURNBULL.predict_bounds, {"times": np.array(TIMES)}),
}


def settled(name, call):
    """The row, without what goes on to an estimator, to scikit-learn or to matplotlib as it is."""
    place, _, method = name.partition("-")[0].partition(".")
    if method == "plot":
        return call._replace(rows={}, handed={**call.rows, **call.handed})
    if method == "from_cv":
        return call._replace(inner=("X",))
    if method == "score" or place == "pooled_cross_val_score":
        return call._replace(inner=tuple(call.rows))
    if method and "X" in call.rows and "Censored" not in place:
        return call._replace(inner=("X", "sample_weight") if method == "fit" else ("X",))
    return call


CALLS = {name: settled(name, call) for name, call in (METHODS | FUNCTIONS).items()}


def public_calls():
    """The names of the rows that can be called where this runs."""
    can_draw = not isinstance(load("matplotlib"), Missing)
    return [name for name, call in CALLS.items() if can_draw or not call.pictures]


def close_figures():
    """Close what a call has drawn, if matplotlib is there."""
    plt = load("matplotlib.pyplot")
    if not isinstance(plt, Missing):
        plt.close("all")


def parts_of(result):
    """What an object of ours has learned or found; other objects are not looked into."""
    kind = type(result)
    if hasattr(result, "_fields"):
        return dict(zip(result._fields, result, strict=True))
    if not kind.__module__.startswith("sklearn_ordinal_censored"):
        return {}
    learned = vars(result).items()
    if isinstance(result, BaseEstimator):  # its options are what was given
        learned = [(name, value) for name, value in learned if name.endswith("_")]
    return {
        name: value
        for name, value in learned
        if (isinstance(value, float) or getattr(value, "dtype", np.dtype("O")).kind != "O")
        and name != "feature_names_in_"
    }


def assert_equal_results(result, expected, exact=True):
    """Equal in type and, but for the last digits of sums, in value."""
    assert type(result) is type(expected)
    if isinstance(result, pd.DataFrame):
        plain = (frame.reset_index(drop=True) for frame in (result, expected))
        pd.testing.assert_frame_equal(*plain, check_dtype=False)
    elif isinstance(result, np.ndarray) and result.dtype.kind != "f":
        assert_array_equal(result, expected)
    elif isinstance(result, (float, np.ndarray)):
        rtol = 1e-9 if exact else 1e-5
        assert_allclose(result, expected, rtol=rtol, atol=rtol / 1000)
    elif isinstance(result, (list, tuple)) and not hasattr(result, "_fields"):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            assert_equal_results(one, other, exact)
    else:
        ours, theirs = parts_of(result), parts_of(expected)
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            assert_equal_results(value, theirs[name], exact)
