"""How every public function is called: rows, options, and what is only handed over.

A public name, or an argument of one, that no row mentions fails tests/test_hostile_input.py.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from boosters import DataSet
from registry import BLUR
from registry_censored import SCALE, TIMES, as_distributions, as_intervals, survival
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import GroupKFold

import sklearn_ordinal_censored as soc

rng = np.random.default_rng(0)
N_SAMPLES = 24
X = rng.integers(-8, 9, (N_SAMPLES, 3)) / 4
TRUE = np.tile(np.arange(4), 6)
PRED = np.clip(TRUE + rng.integers(-1, 2, N_SAMPLES), 0, 3)
OTHER = np.clip(TRUE + rng.integers(-1, 2, N_SAMPLES), 0, 3)
SCORE = TRUE / 2 + rng.integers(-2, 3, N_SAMPLES) / 4
PROBA = BLUR[PRED]
LABELS = np.arange(4)
WEIGHT = rng.integers(1, 4, N_SAMPLES).astype(float)
WEIGHT[5] = 0
GROUPS = np.arange(N_SAMPLES) // 2
COST = np.abs(np.subtract.outer(LABELS, LABELS)).astype(float)

TIME = rng.integers(2, 15, N_SAMPLES) / 2
EVENT = np.arange(N_SAMPLES) % 3 > 0
EVENT[TIME.argmax()] = False
TARGET = soc.right_censored(EVENT, TIME)
BOUNDS = soc.interval_censored(TIME, np.where(EVENT, TIME + TRUE / 2, np.inf))
GUESS = TIME + rng.integers(-4, 5, N_SAMPLES) / 2
SECOND_GUESS = TIME + rng.integers(-4, 5, N_SAMPLES) / 2
CURVES = survival(GUESS, TIMES)
LATE = np.array([1.5, 3.0, 4.5])  # inside the follow-up

EVENT_CURVE = soc.KaplanMeier().fit(TARGET)
TURNBULL = soc.Turnbull().fit(BOUNDS)
RIDGE = LinearRegression()
LOGISTIC = LogisticRegression()
TREE = {"root": None, "A": "root", "a1": "A", "a2": "A", "b": "root"}


class Call(NamedTuple):
    """One way to call a public name.

    `rows` are arrays, `options` single values or short lists that a caller may get wrong; what is
    `handed` over is not ours to check: axes, seeds, estimators, what matplotlib draws with.
    """

    function: Callable[..., Any]
    rows: dict[str, Any]
    options: Mapping[str, Any] = MappingProxyType({})
    handed: Mapping[str, Any] = MappingProxyType({})
    inner: tuple[str, ...] = ()  # rows that go on to an estimator, whose errors are its own
    pictures: bool = False

    def __call__(self, **changed):
        """The result, with some of the arguments in place of the usual ones."""
        return self.function(**self.arguments | changed)

    @property
    def arguments(self):
        """All arguments."""
        return {**self.rows, **self.options, **self.handed}

    @property
    def arrays(self):
        """The rows that are arrays; displays take lists of some."""
        return {name: rows for name, rows in self.rows.items() if isinstance(rows, np.ndarray)}


GRADES = {"y_true": TRUE, "y_pred": PRED, "labels": LABELS, "sample_weight": WEIGHT}
CHANCES = {"y_true": TRUE, "y_proba": PROBA, "labels": LABELS, "sample_weight": WEIGHT}
SCORES = {"y_true": TRUE, "y_score": SCORE, "labels": LABELS, "sample_weight": WEIGHT}
TIMED = {"y_true": TARGET, "y_pred": GUESS, "sample_weight": WEIGHT}
SURVIVAL = {"y_true": TARGET, "y_proba": CURVES, "times": np.array(TIMES), "sample_weight": WEIGHT}
RISKS = {"y_true": TARGET, "y_pred": GUESS, "times": LATE, "sample_weight": WEIGHT}
INTERVALS = {**TIMED, "y_true": BOUNDS}
KINDS = {"weights": "quadratic"}
UNDEFINED = {"replace_undefined_by": np.nan}
LEVEL = {"confidence_level": 0.9}
DIRECTION = {"prediction": "time"}
REFERENCE = {"censoring": TARGET}
STRATA = {"strata": GROUPS % 2}
CLUSTER = {"cluster": GROUPS}


def configured(make, *names):
    """A function that hands the named arguments to the maker, the others to what it made."""

    def _call(**arguments):
        made = make(**{name: arguments.pop(name) for name in names})
        return made(**arguments)

    return _call


def native(factory):
    """The callable of a boosting library with the library's own data set."""

    def _call(y_true, y_pred, sample_weight, **options):
        return factory(**options)(y_pred, DataSet(y_true, sample_weight))

    return _call


def train_test(X, y, more, **options):
    return soc.censored_train_test_split(X, y, more, **options)


BOOSTED = {"y_true": TRUE.astype(float), "y_pred": PROBA, "sample_weight": WEIGHT}
METRIC = {"metric": "quadratic_weighted_kappa", "n_classes": 4, "rule": "argmax"} | {
    "encoding": "class_probs"
}
OBJECTIVE = {"objective": "soft_weighted_kappa", "weights": "quadratic", "alpha": 0.5}
UNREAD = {"cost_matrix": None, "class_weight": None}
CUTS = {"objective": "quadratic_weighted_kappa", "strategy": "exact", "smoothing": 100.0}

FUNCTIONS: dict[str, Call] = {
    "antolini_concordance_index": Call(soc.antolini_concordance_index, SURVIVAL, UNDEFINED),
    "as_right_censored": Call(soc.as_right_censored, {"y": TARGET}),
    "auc_inference": Call(soc.auc_inference, RISKS | REFERENCE, DIRECTION | UNDEFINED),
    "brier_inference": Call(soc.brier_inference, SURVIVAL | REFERENCE, UNDEFINED),
    "calibration_at_time": Call(
        soc.calibration_at_time,
        {"y_true": TARGET, "y_proba": CURVES[:, 1]},
        {"time": 4.0, "n_bins": 2},
    ),
    "censored_brier_score": Call(soc.censored_brier_score, SURVIVAL | REFERENCE, UNDEFINED),
    "censored_crps": Call(soc.censored_crps, INTERVALS, {"scale": SCALE, "family": "normal"}),
    "censored_crps-columns": Call(
        soc.censored_crps,
        INTERVALS | {"y_pred": as_distributions(GUESS)},
        {"family": "logistic"},
        {"scale": None},
    ),
    "censored_log_loss": Call(
        soc.censored_log_loss,
        INTERVALS | {"scale": np.full(N_SAMPLES, SCALE)},
        {"family": "normal"},
    ),
    "censored_log_loss-number": Call(
        soc.censored_log_loss, INTERVALS, {"scale": SCALE, "family": "logistic"}
    ),
    "censored_mae": Call(soc.censored_mae, INTERVALS, {"method": "hinge"} | UNDEFINED),
    "censored_mae-weighted": Call(
        soc.censored_mae, TIMED | REFERENCE, {"method": "ipcw", "normalize": "hajek"} | UNDEFINED
    ),
    "censored_quantile_loss": Call(soc.censored_quantile_loss, INTERVALS, {"quantile": 0.5}),
    "censored_report": Call(
        soc.censored_report, {**SURVIVAL, **RISKS, **REFERENCE, "times": LATE}, DIRECTION | LEVEL
    ),
    "censored_train_test_split": Call(
        train_test,
        {"X": X, "y": TARGET, "more": WEIGHT, "groups": GROUPS},
        {"test_size": 0.25, "stratify": "event+time"},
        {"random_state": 0},
    ),
    "censoring_rate": Call(
        soc.censoring_rate,
        {"y_true": TARGET, "sample_weight": WEIGHT},
        {"kind": "any"},
        {"y_pred": None},
    ),
    "compare_concordance": Call(
        soc.compare_concordance,
        {
            "y_true": TARGET,
            "y_pred_a": GUESS,
            "y_pred_b": SECOND_GUESS,
            "sample_weight": WEIGHT,
            **STRATA,
            **CLUSTER,
        },
        DIRECTION,
    ),
    "compare_kappa": Call(
        soc.compare_kappa,
        {
            "y_true": TRUE,
            "y_pred_a": PRED,
            "y_pred_b": OTHER,
            "labels": LABELS,
            "sample_weight": WEIGHT,
        },
        KINDS,
    ),
    "concordance_index": Call(
        soc.concordance_index, INTERVALS | STRATA, {"strict_times": False} | DIRECTION | UNDEFINED
    ),
    "concordance_index_ipcw": Call(
        soc.concordance_index_ipcw, TIMED | STRATA | REFERENCE, {"tau": 5.0} | DIRECTION | UNDEFINED
    ),
    "concordance_inference": Call(
        soc.concordance_inference, INTERVALS | STRATA | CLUSTER, DIRECTION | UNDEFINED
    ),
    "cost_weighted_log_loss": Call(
        soc.cost_weighted_log_loss, CHANCES | {"cost_matrix": COST}, {"alpha": 0.5}
    ),
    "cumulative_auc": Call(soc.cumulative_auc, SCORES, {"average": "macro"} | UNDEFINED),
    "cumulative_auc-probabilities": Call(
        soc.cumulative_auc, SCORES | {"y_score": PROBA}, {"average": None} | UNDEFINED
    ),
    "cumulative_brier": Call(soc.cumulative_brier, CHANCES, {"average": "macro"} | UNDEFINED),
    "cumulative_dynamic_auc": Call(
        soc.cumulative_dynamic_auc, RISKS | REFERENCE, DIRECTION | UNDEFINED
    ),
    "cumulative_scores": Call(
        soc.cumulative_scores, GRADES, {"measure": "recall", "average": "macro"} | UNDEFINED
    ),
    "d_calibration": Call(
        soc.d_calibration, {"y_true": TARGET, "y_proba": CURVES[:, 1]}, {"n_bins": 3}
    ),
    "disagreement_matrix": Call(soc.disagreement_matrix, {}, {"n_classes": 4, **KINDS}),
    "disagreement_matrix-of_numbers": Call(
        soc.disagreement_matrix, {"weights": COST}, {"n_classes": 4}
    ),
    "from_censoring_codes": Call(soc.from_censoring_codes, {"time": TIME, "codes": TRUE % 3 - 1}),
    "get_scorer": Call(soc.get_scorer, {}, {"name": "quadratic_weighted_kappa"}),
    "get_scorer_names": Call(soc.get_scorer_names, {}),
    "gwet_ac2": Call(soc.gwet_ac2, {"ratings": np.column_stack([TRUE, PRED, OTHER])}, KINDS),
    "integrated_auc": Call(soc.integrated_auc, RISKS | REFERENCE, DIRECTION | UNDEFINED),
    "integrated_brier_score": Call(soc.integrated_brier_score, SURVIVAL | REFERENCE, UNDEFINED),
    "interval_censored": Call(soc.interval_censored, {"lower": TIME, "upper": TIME + TRUE / 2}),
    "interval_overlap_rate": Call(
        soc.interval_overlap_rate, INTERVALS | {"y_pred": as_intervals(GUESS)}
    ),
    "kappa_inference": Call(soc.kappa_inference, GRADES, KINDS | UNDEFINED),
    "krippendorff_alpha": Call(
        soc.krippendorff_alpha,
        {"ratings": np.column_stack([TRUE, PRED, OTHER])},
        {"level": "ordinal"},
    ),
    "lightgbm_metric": Call(
        configured(soc.lightgbm_metric, *METRIC, "labels"), BOOSTED, METRIC, {"labels": None}
    ),
    "lightgbm_objective": Call(
        configured(soc.lightgbm_objective, *OBJECTIVE, *UNREAD, "labels"),
        BOOSTED | {"labels": LABELS, "y_pred": PROBA * 4},
        OBJECTIVE,
        UNREAD,
    ),
    "linear_weighted_kappa": Call(soc.linear_weighted_kappa, GRADES, UNDEFINED),
    "load_anes96": Call(soc.load_anes96, {}, {"return_X_y": True, "as_frame": False}),
    "load_gbsg2": Call(soc.load_gbsg2, {}, {"return_X_y": True, "as_frame": True}),
    "make_censored": Call(
        soc.make_censored,
        {},
        {
            "n_samples": 30,
            "n_features": 3,
            "n_informative": 2,
            "censoring_rate": 0.25,
            "noise": 0.5,
            "return_time": True,
        },
        {"random_state": 0},
    ),
    "make_ordinal": Call(
        soc.make_ordinal,
        {"class_weights": np.array([1.0, 2.0, 1.0])},
        {
            "n_samples": 30,
            "n_features": 3,
            "n_informative": 2,
            "n_classes": 3,
            "noise": 0.5,
            "return_latent": True,
        },
        {"random_state": 0},
    ),
    "mean_absolute_class_error": Call(
        soc.mean_absolute_class_error, GRADES, {"average": "macro"} | UNDEFINED
    ),
    "mean_squared_class_error": Call(
        soc.mean_squared_class_error, GRADES, {"average": None} | UNDEFINED
    ),
    "observed_mae": Call(soc.observed_mae, INTERVALS, UNDEFINED),
    "optimal_decisions": Call(
        soc.optimal_decisions,
        {
            "y_proba": PROBA,
            "prior": np.full(4, 0.25),
            "labels": LABELS,
            "sample_weight": WEIGHT,
        },
        {"decision": "kappa", **KINDS},
    ),
    "optimal_decisions-costs": Call(
        soc.optimal_decisions, {"y_proba": PROBA, "cost_matrix": COST}, {"decision": "cost"}
    ),
    "optimal_thresholds": Call(
        soc.optimal_thresholds,
        SCORES,
        {**CUTS, "n_bootstraps": 3},
        {"random_state": 0, "verbose": 0},
    ),
    "optimal_thresholds-smoothed": Call(
        soc.optimal_thresholds, SCORES, {**CUTS, "strategy": "smoothed"}
    ),
    "ordinal_accuracy": Call(soc.ordinal_accuracy, GRADES, {"tolerance": 1}),
    "ordinal_concordance_index": Call(soc.ordinal_concordance_index, SCORES, UNDEFINED),
    "ordinal_cost": Call(
        soc.ordinal_cost, GRADES | {"cost_matrix": COST}, {"aggregation": "exemplar"}
    ),
    "ordinal_cost_matrix": Call(
        soc.ordinal_cost_matrix, {}, {"n_classes": 4, "power": 1, "under": 2.0, "over": 1.0}
    ),
    "ordinal_decode": Call(
        soc.ordinal_decode,
        {"y": PROBA, "labels": LABELS},
        {"encoding": "class_probs", "rule": "median", "threshold": 0.5, "repair": False},
    ),
    "ordinal_decode-labels": Call(
        soc.ordinal_decode, {"y": TRUE, "labels": LABELS}, {"encoding": "labels"}
    ),
    "ordinal_decode-logits": Call(
        soc.ordinal_decode, {"y": PROBA * 4, "labels": LABELS}, {"encoding": "class_logits"}
    ),
    "ordinal_decode-cumulative": Call(
        soc.ordinal_decode,
        {"y": PROBA[:, :0:-1].cumsum(axis=1)[:, ::-1]},
        {"encoding": "cumulative_probs", "repair": True},
    ),
    "ordinal_encode": Call(soc.ordinal_encode, {"y": TRUE, "labels": LABELS}),
    "ordinal_report": Call(soc.ordinal_report, GRADES | {"second_rater": OTHER}, LEVEL),
    "pooled_cross_val_score": Call(
        soc.pooled_cross_val_score,
        {"X": X, "y": TARGET["time"], "groups": GROUPS},
        {"method": "predict"},
        {
            "n_jobs": None,
            "verbose": 0,
            "estimator": RIDGE,
            "metric": mean_absolute_error,
            "cv": GroupKFold(2),
        },
    ),
    "quadratic_weighted_kappa": Call(soc.quadratic_weighted_kappa, GRADES, UNDEFINED),
    "ranked_probability_score": Call(soc.ranked_probability_score, CHANCES, {"normalize": True}),
    "render_report": Call(soc.render_report, {}, {"report": soc.ordinal_report(TRUE, PRED)}),
    "right_censored": Call(soc.right_censored, {"event": EVENT, "time": TIME}),
    "scaled_brier_score": Call(soc.scaled_brier_score, SURVIVAL | REFERENCE, UNDEFINED),
    "soft_weighted_kappa": Call(soc.soft_weighted_kappa, CHANCES, KINDS | UNDEFINED),
    "tree_cost_matrix": Call(
        soc.tree_cost_matrix, {"classes": np.array(["a1", "a2", "b"])}, {"tree": TREE}
    ),
    "usable_tau": Call(
        soc.usable_tau,
        {"y": TARGET, "X": X, "groups": GROUPS},
        {},
        {"cv": soc.CensoredCVSplitter(3, random_state=0)},
    ),
    "weighted_kappa": Call(soc.weighted_kappa, GRADES, KINDS | UNDEFINED),
    "weighted_kappa-matrix": Call(soc.weighted_kappa, GRADES | {"weights": COST}),
    "xgboost_metric": Call(native(soc.xgboost_metric), BOOSTED, METRIC, {"labels": None}),
    "xgboost_objective": Call(
        native(soc.xgboost_objective),
        BOOSTED | {"labels": LABELS, "y_pred": PROBA * 4},
        OBJECTIVE,
        UNREAD,
    ),
}
