"""Nothing prints unless it is asked to, and what can be asked prints."""

import inspect
import re

import pytest
from numpy.testing import assert_array_equal
from registry_calls import BOUNDS, OTHER, PRED, SCORE, TRUE, X
from registry_public import CALLS, FITTED_OPTIMIZER, close_figures, public_calls
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, mean_absolute_error

import sklearn_ordinal_censored as package
from sklearn_ordinal_censored import (
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    Turnbull,
    compare_kappa,
    get_scorer,
    kappa_inference,
    optimal_thresholds,
    pooled_cross_val_score,
)


def draw(name, method, *args, **options):
    """Draw a display, where there is something to draw with."""
    plt = pytest.importorskip("matplotlib.pyplot")
    display = getattr(getattr(package, name), method)(*args, **options)
    plt.close("all")
    return display


# --- silence


@pytest.mark.parametrize("name", public_calls())
def test_calls_are_silent(name, capfd):
    CALLS[name]()
    close_figures()
    assert capfd.readouterr() == ("", "")


def test_scorers_are_silent(capfd):
    get_scorer("ordinal_concordance_index")(FITTED_OPTIMIZER, X, TRUE)
    assert capfd.readouterr() == ("", "")


# --- progress, for whoever asks

PROGRESS = {
    "OrdinalDecisionClassifier": lambda **asked: (
        OrdinalDecisionClassifier(LogisticRegression(), cv=2, **asked).fit(X, TRUE).cost_matrix_
    ),
    "OrdinalThresholdOptimizer": lambda **asked: (
        OrdinalThresholdOptimizer(Ridge(), cv=2, n_bootstraps=3, random_state=0, **asked)
        .fit(X, TRUE)
        .threshold_std_
    ),
    "Turnbull": lambda **asked: Turnbull(**asked).fit(BOUNDS).masses_,
    "optimal_thresholds": lambda **asked: (
        optimal_thresholds(TRUE, SCORE, n_bootstraps=3, random_state=0, **asked).threshold_std
    ),
    "pooled_cross_val_score": lambda **asked: pooled_cross_val_score(
        LinearRegression(), X, SCORE, metric=mean_absolute_error, cv=2, **asked
    ),
    "KappaEstimate": lambda **asked: kappa_inference(TRUE, PRED).confidence_interval(
        method="bootstrap", n_resamples=7, random_state=0, **asked
    ),
    "Comparison": lambda **asked: compare_kappa(TRUE, PRED, OTHER).confidence_interval(
        method="bootstrap", n_resamples=7, random_state=0, **asked
    ),
    "ThresholdDisplay": lambda **asked: (
        draw(
            "ThresholdDisplay",
            "from_predictions",
            TRUE,
            SCORE,
            n_bootstraps=3,
            random_state=0,
            **asked,
        ).threshold_std
    ),
}
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
    quiet = PROGRESS[name]()
    assert capfd.readouterr() == ("", "")
    assert_array_equal(PROGRESS[name](verbose=1), quiet)
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
    n_iter = Turnbull(verbose=1).fit(BOUNDS).n_iter_
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"[Turnbull] iterations: {n_iter} of {n_iter} after ")


def test_a_local_search_tells_its_starts_and_is_silent_inside_a_bootstrap(capsys):
    result = optimal_thresholds(TRUE, SCORE, objective=accuracy_score, verbose=1)
    out = capsys.readouterr().out
    assert "[optimal_thresholds] starts of the local search: 1 of " in out
    again = optimal_thresholds(TRUE, SCORE, objective=accuracy_score, n_bootstraps=2, verbose=1)
    assert_array_equal(again.thresholds, result.thresholds)
    out = re.sub(" after .*", "", capsys.readouterr().out)
    assert out.count("starts of the local search: 1 of") == 1
    assert out.endswith(
        "bootstrap samples: 1 of 2\n[optimal_thresholds] bootstrap samples: 2 of 2\n"
    )


def test_the_curves_of_a_fitted_estimator_tell_how_far_they_are(capsys):
    pytest.importorskip("matplotlib")
    model = OrdinalThresholdOptimizer(Ridge()).fit(X, TRUE)
    draw("ThresholdDisplay", "from_estimator", model, X, TRUE, verbose=True)
    assert "[ThresholdDisplay] curves: 3 of 3" in capsys.readouterr().out


@pytest.mark.parametrize("verbose", [-1, 0.5, "yes", None])
@pytest.mark.parametrize("name", PROGRESS)
def test_a_strange_verbose_is_refused(name, verbose):
    with pytest.raises(ValueError, match="verbose"):
        PROGRESS[name](verbose=verbose)
