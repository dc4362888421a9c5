"""Nothing prints unless it is asked to, and what can be asked prints."""

import inspect
import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_validate

import sklearn_ordinal_censored as package
from sklearn_ordinal_censored import (
    CensoredCVSplitter,
    IPCWRegressor,
    KaplanMeier,
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    Turnbull,
    compare_kappa,
    concordance_index,
    get_scorer,
    kappa_inference,
    lightgbm_metric,
    lightgbm_objective,
    optimal_thresholds,
    pooled_cross_val_score,
    right_censored,
    xgboost_metric,
    xgboost_objective,
)

RNG = np.random.default_rng(0)
N = 60
SCORE = RNG.normal(size=N)
CODES = np.clip(np.round(SCORE + RNG.normal(size=N) + 1.5), 0, 3).astype(int)
GOOD = np.clip(np.round(SCORE + 1.5), 0, 3).astype(int)
POOR = np.roll(GOOD, 1)
PROBA = RNG.dirichlet(np.ones(4), N)
TIMES = [0.5, 1.0]
TIME = np.exp(SCORE)
Y = right_censored(RNG.random(N) < 0.7, TIME)
LATE = np.roll(TIME, 1)
CURVES = np.exp(-np.multiply.outer(1 / TIME, TIMES))
X = np.column_stack([SCORE, RNG.normal(size=N)])
COST = 1 - np.eye(4)


def draw(name, method, *args, **options):
    """Draw a display, where there is something to draw with."""
    plt = pytest.importorskip("matplotlib.pyplot")
    display = getattr(getattr(package, name), method)(*args, **options)
    plt.close("all")
    return display


def fit(estimator, *data):
    return estimator.fit(*data)


# One call of every public name: what a user does with it.
CALLS = {
    "CensoredCVSplitter": lambda: list(CensoredCVSplitter(3, random_state=0).split(X, Y)),
    "CensoredSplitDisplay": lambda: draw(
        "CensoredSplitDisplay", "from_cv", CensoredCVSplitter(3), X, Y
    ),
    "CumulativeCalibrationDisplay": lambda: draw(
        "CumulativeCalibrationDisplay", "from_predictions", CODES, PROBA
    ),
    "IPCWRegressor": lambda: fit(IPCWRegressor(Ridge()), X, Y),
    "KaplanMeier": lambda: fit(KaplanMeier(), Y),
    "OrdinalConfusionDisplay": lambda: draw(
        "OrdinalConfusionDisplay", "from_predictions", CODES, GOOD
    ),
    "OrdinalDecisionClassifier": lambda: fit(
        OrdinalDecisionClassifier(LogisticRegression()), X, CODES
    ),
    "OrdinalThresholdOptimizer": lambda: fit(
        OrdinalThresholdOptimizer(Ridge(), n_bootstraps=3), X, CODES
    ),
    "SurvivalCalibrationDisplay": lambda: draw(
        "SurvivalCalibrationDisplay", "from_predictions", Y, CURVES, times=TIMES, n_bins=2
    ),
    "TimeDependentScoreDisplay": lambda: draw(
        "TimeDependentScoreDisplay", "from_predictions", Y, CURVES, times=TIMES
    ),
    "ThresholdDisplay": lambda: draw("ThresholdDisplay", "from_predictions", CODES, SCORE),
    "Turnbull": lambda: fit(Turnbull(), Y),
    "antolini_concordance_index": (Y, CURVES, {"times": TIMES}),
    "as_right_censored": (Y,),
    "auc_inference": (Y, TIME, {"times": TIMES}),
    "brier_inference": (Y, CURVES, {"times": TIMES}),
    "calibration_at_time": (Y, CURVES[:, 0], {"time": 0.5, "n_bins": 2}),
    "censored_brier_score": (Y, CURVES, {"times": TIMES}),
    "censored_crps": (Y, TIME, {"scale": 1.0}),
    "censored_log_loss": (Y, TIME, {"scale": 1.0}),
    "censored_mae": (Y, LATE),
    "censored_quantile_loss": (Y, LATE),
    "censored_report": (Y, LATE),
    "censored_train_test_split": (X, Y),
    "censoring_rate": (Y,),
    "compare_concordance": (Y, TIME, LATE),
    "compare_kappa": lambda: compare_kappa(CODES, GOOD, POOR).confidence_interval(
        method="bootstrap", n_resamples=5
    ),
    "concordance_index": (Y, LATE),
    "concordance_index_ipcw": (Y, LATE),
    "concordance_inference": (Y, LATE),
    "cost_weighted_log_loss": (CODES, PROBA),
    "cumulative_auc": (CODES, SCORE),
    "cumulative_brier": (CODES, PROBA),
    "cumulative_dynamic_auc": (Y, TIME, {"times": TIMES}),
    "cumulative_scores": (CODES, GOOD),
    "d_calibration": (Y, CURVES[:, 0]),
    "disagreement_matrix": (4,),
    "from_censoring_codes": ([1.0, 2.0], [0, 1]),
    "get_scorer": lambda: cross_validate(
        Ridge(), X, CODES, scoring=get_scorer("ordinal_concordance_index"), cv=2
    ),
    "get_scorer_names": (),
    "gwet_ac2": (np.column_stack([CODES, GOOD]),),
    "integrated_auc": (Y, TIME, {"times": TIMES}),
    "integrated_brier_score": (Y, CURVES, {"times": TIMES}),
    "interval_censored": ([1.0, 2.0], [2.0, 3.0]),
    "interval_overlap_rate": (Y, np.column_stack([TIME - 1, TIME + 1])),
    "kappa_inference": lambda: kappa_inference(CODES, GOOD).confidence_interval(
        method="bootstrap", n_resamples=5
    ),
    "krippendorff_alpha": (np.column_stack([CODES, GOOD]),),
    "lightgbm_metric": lambda: lightgbm_metric(labels=range(4))(CODES, PROBA),
    "lightgbm_objective": lambda: lightgbm_objective(labels=range(4))(CODES, PROBA),
    "linear_weighted_kappa": (CODES, GOOD),
    "load_anes96": (),
    "load_gbsg2": (),
    "make_censored": (50,),
    "make_ordinal": (50,),
    "mean_absolute_class_error": (CODES, GOOD),
    "mean_squared_class_error": (CODES, GOOD),
    "observed_mae": (Y, LATE),
    "optimal_decisions": (PROBA,),
    "optimal_thresholds": (CODES, SCORE, {"objective": accuracy_score, "n_bootstraps": 2}),
    "ordinal_accuracy": (CODES, GOOD),
    "ordinal_concordance_index": (CODES, SCORE),
    "ordinal_cost": (CODES, GOOD, {"cost_matrix": COST}),
    "ordinal_cost_matrix": (4,),
    "ordinal_decode": (PROBA, {"encoding": "class_probs"}),
    "ordinal_encode": (CODES,),
    "ordinal_report": (CODES, GOOD),
    "pooled_cross_val_score": (IPCWRegressor(Ridge()), X, Y, {"metric": concordance_index}),
    "quadratic_weighted_kappa": (CODES, GOOD),
    "ranked_probability_score": (CODES, PROBA),
    "render_report": lambda: package.render_report(package.ordinal_report(CODES, GOOD)),
    "right_censored": ([1, 0], [1.0, 2.0]),
    "scaled_brier_score": (Y, CURVES, {"times": TIMES}),
    "soft_weighted_kappa": (CODES, PROBA),
    "tree_cost_matrix": ({"top": None, "a": "top", "b": "top"},),
    "usable_tau": (CensoredCVSplitter(3, random_state=0), Y),
    "weighted_kappa": (CODES, GOOD),
    "xgboost_metric": lambda: xgboost_metric(labels=range(4))(CODES, PROBA),
    "xgboost_objective": lambda: xgboost_objective(labels=range(4))(CODES, PROBA),
}


def call(name):
    how = CALLS[name]
    if callable(how):
        return how()
    options = how[-1] if how and isinstance(how[-1], dict) and len(how) > 1 else {}
    return getattr(package, name)(*(how[:-1] if options else how), **options)


# --- silence


def test_every_public_name_is_called():
    assert sorted(CALLS) == package.__all__


@pytest.mark.parametrize("name", CALLS)
def test_silence_is_the_default(name, capfd):
    call(name)
    assert capfd.readouterr() == ("", "")


# --- progress, for whoever asks

PROGRESS = {
    "OrdinalDecisionClassifier": lambda verbose: (
        OrdinalDecisionClassifier(LogisticRegression(), cv=2, verbose=verbose)
        .fit(X, CODES)
        .cost_matrix_
    ),
    "OrdinalThresholdOptimizer": lambda verbose: (
        OrdinalThresholdOptimizer(Ridge(), cv=2, n_bootstraps=3, random_state=0, verbose=verbose)
        .fit(X, CODES)
        .threshold_std_
    ),
    "Turnbull": lambda verbose: Turnbull(verbose=verbose).fit(INTERVALS).masses_,
    "optimal_thresholds": lambda verbose: (
        optimal_thresholds(
            CODES, SCORE, n_bootstraps=3, random_state=0, verbose=verbose
        ).threshold_std
    ),
    "pooled_cross_val_score": lambda verbose: pooled_cross_val_score(
        LinearRegression(), X, SCORE, metric=accuracy_of_signs, cv=2, verbose=verbose
    ),
    "KappaEstimate": lambda verbose: kappa_inference(CODES, GOOD).confidence_interval(
        method="bootstrap", n_resamples=7, random_state=0, verbose=verbose
    ),
    "Comparison": lambda verbose: compare_kappa(CODES, GOOD, POOR).confidence_interval(
        method="bootstrap", n_resamples=7, random_state=0, verbose=verbose
    ),
    "ThresholdDisplay": lambda verbose: (
        draw(
            "ThresholdDisplay",
            "from_predictions",
            CODES,
            SCORE,
            n_bootstraps=3,
            random_state=0,
            verbose=verbose,
        ).threshold_std
    ),
}
INTERVALS = np.column_stack([TIME, TIME + 0.3 + RNG.random(N)])
LAST_LINES = {
    "OrdinalDecisionClassifier": ["[OrdinalDecisionClassifier] folds fitted: 2 of 2"],
    "OrdinalThresholdOptimizer": [
        "[OrdinalThresholdOptimizer] folds fitted: 2 of 2",
        "[OrdinalThresholdOptimizer] bootstrap samples: 3 of 3",
        "[OrdinalThresholdOptimizer] folds graded: 2 of 2",
    ],
    "optimal_thresholds": ["[optimal_thresholds] bootstrap samples: 3 of 3"],
    "KappaEstimate": ["[KappaEstimate] bootstrap samples: 7 of 7"],
    "Comparison": ["[Comparison] bootstrap samples: 7 of 7"],
    "ThresholdDisplay": [
        "[optimal_thresholds] bootstrap samples: 3 of 3",
        "[ThresholdDisplay] curves: 3 of 3",
    ],
}


def accuracy_of_signs(y_true, y_pred):
    return float(np.mean((y_true > 0) == (y_pred > 0)))


def takes_verbose(public):
    """Whether a function, a class or one of its ways to make it has the argument."""
    makers = [public]
    if inspect.isclass(public):
        makers += [v for k, v in inspect.getmembers(public) if k.startswith("from_")]
    return any("verbose" in inspect.signature(maker).parameters for maker in makers)


def test_everything_with_verbose_is_tested():
    public = {name for name in package.__all__ if takes_verbose(getattr(package, name))}
    assert public == set(PROGRESS) & set(package.__all__)


@pytest.mark.parametrize("name", PROGRESS)
def test_verbose_prints_and_changes_nothing_else(name, capfd):
    quiet = PROGRESS[name](0)
    assert capfd.readouterr() == ("", "")
    assert_array_equal(PROGRESS[name](1), quiet)
    out, err = capfd.readouterr()
    if name == "pooled_cross_val_score":  # scikit-learn's own loop, and its own words
        assert "2 out of   2" in err
        return
    assert err == ""
    assert re.fullmatch(r"(\[\w+\] [a-z ]+: \d+( of \d+)? after \d+\.\d s\n)+", out)
    said = [line.split(" after ")[0] for line in out.splitlines()]
    assert set(LAST_LINES.get(name, [])) <= set(said)
    assert LAST_LINES.get(name, said)[-1] == said[-1]


def test_turnbull_counts_its_iterations(capsys):
    n_iter = Turnbull(verbose=1).fit(INTERVALS).n_iter_
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"[Turnbull] iterations: {n_iter} of {n_iter} after ")


def test_a_local_search_tells_its_starts_and_is_silent_inside_a_bootstrap(capsys):
    result = optimal_thresholds(CODES, SCORE, objective=accuracy_score, verbose=1)
    out = capsys.readouterr().out
    assert "[optimal_thresholds] starts of the local search: 1 of " in out
    again = optimal_thresholds(CODES, SCORE, objective=accuracy_score, n_bootstraps=2, verbose=1)
    assert_array_equal(again.thresholds, result.thresholds)
    out = re.sub(" after .*", "", capsys.readouterr().out)
    assert out.count("starts of the local search: 1 of") == 1
    assert out.endswith(
        "bootstrap samples: 1 of 2\n[optimal_thresholds] bootstrap samples: 2 of 2\n"
    )


def test_the_curves_of_a_fitted_estimator_tell_how_far_they_are(capsys):
    pytest.importorskip("matplotlib")
    model = OrdinalThresholdOptimizer(Ridge()).fit(X, CODES)
    draw("ThresholdDisplay", "from_estimator", model, X, CODES, verbose=True)
    assert "[ThresholdDisplay] curves: 3 of 3" in capsys.readouterr().out


@pytest.mark.parametrize("verbose", [-1, 0.5, "yes", None])
@pytest.mark.parametrize(
    "name", sorted(set(PROGRESS) - {"pooled_cross_val_score", "OrdinalDecisionClassifier"})
)
def test_a_strange_verbose_is_refused(name, verbose):
    with pytest.raises(ValueError, match="verbose"):
        PROGRESS[name](verbose)
