"""The report of predicted grades: every value against the function or formula it stands for."""

import math
from functools import partial
from itertools import permutations

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from optional import load
from pandas.testing import assert_frame_equal
from scipy.stats import binomtest, norm
from sklearn.metrics import (
    classification_report,
    confusion_matrix,
    precision_recall_fscore_support,
)
from strategies import graded, whole_weights

from sklearn_ordinal_censored.metrics import (
    kappa_inference,
    linear_weighted_kappa,
    mean_absolute_class_error,
    mean_squared_class_error,
    ordinal_accuracy,
    ordinal_report,
    quadratic_weighted_kappa,
)

few = settings(max_examples=20)  # every one makes a data frame
UNDEFINED = -9.0  # no value of any measure
OVERALL = {
    "quadratic_weighted_kappa": partial(quadratic_weighted_kappa, replace_undefined_by=UNDEFINED),
    "linear_weighted_kappa": partial(linear_weighted_kappa, replace_undefined_by=UNDEFINED),
    "accuracy": ordinal_accuracy,
    "accuracy_within_one": partial(ordinal_accuracy, tolerance=1),
    "mean_absolute_class_error": mean_absolute_class_error,
    "macro_mean_absolute_class_error": partial(mean_absolute_class_error, average="macro"),
    "mean_squared_class_error": mean_squared_class_error,
}
KAPPAS = ["quadratic_weighted_kappa", "linear_weighted_kappa"]
ACCURACIES = {"accuracy": 0, "accuracy_within_one": 1}
ERRORS = {"mean_absolute_class_error": 1, "mean_squared_class_error": 2}
MACRO = "macro_mean_absolute_class_error"
WORDS = ["poor", "fair", "good", "best"]

rng = np.random.default_rng(0)
TRUE = np.r_[0:4, rng.choice(4, 56, p=[0.5, 0.3, 0.15, 0.05])]
PRED = np.clip(TRUE + rng.integers(-2, 3, 60), 0, 3)
WEIGHT = rng.integers(0, 4, 60)


def report_of(rows, **options):
    return ordinal_report(rows.y_true, rows.y_pred, **rows.keywords, **options)


def values_of(report, section, item=None):
    """Values of a section, as item -> measure -> value, or of one item; -9 for undefined ones."""
    table = {}
    for (_, name, measure), value in report.loc[[section], "value"].fillna(UNDEFINED).items():
        table.setdefault(name, {})[measure] = value
    return table if item is None else table[item]


def overall_by_functions(y_true, y_pred, **keywords):
    return {name: metric(y_true, y_pred, **keywords) for name, metric in OVERALL.items()}


def interval(report, measure):
    return tuple(report.loc[("overall", "prediction", measure), ["low", "high"]])


def weights_of(rows):
    return np.array(oracles.unit_weights(rows.y_true, rows.weight), dtype=float)


# --- values ---------------------------------------------------------------------------------


@few
@given(graded())
def test_overall_values_are_those_of_the_functions(rows):
    values = values_of(report_of(rows), "overall", "prediction")
    assert values.pop("n") == pytest.approx(weights_of(rows).sum(), rel=1e-12)
    assert values == overall_by_functions(rows.y_true, rows.y_pred, **rows.keywords)


@few
@given(graded(min_classes=2))
def test_confusion_is_the_weighted_table_with_the_truth_in_rows(rows):
    report = report_of(rows)
    expected = confusion_matrix(
        rows.true_ranks,
        rows.pred_ranks,
        labels=range(rows.n_classes),
        sample_weight=weights_of(rows),
    )
    table = report.loc["confusion", "value"].unstack()
    assert list(table.index) == rows.labels
    assert list(table.columns) == [f"predicted {label}" for label in rows.labels]
    assert_allclose(table.to_numpy(), expected, rtol=1e-12)


@few
@given(graded())
def test_classes_against_scikit_learn(rows):
    values = values_of(report_of(rows), "class")
    scores = partial(
        precision_recall_fscore_support,
        rows.true_ranks,
        rows.pred_ranks,
        labels=range(rows.n_classes),
        sample_weight=weights_of(rows),
        zero_division=np.nan,
    )
    names = ["precision", "recall", "f1", "support"]
    expected = np.nan_to_num(np.array(scores()), nan=UNDEFINED)
    found = [[values[label][name] for label in rows.labels] for name in names]
    assert_allclose(found, expected, rtol=1e-12)
    mean = [values["macro mean"][name] for name in names[:3]]
    assert_allclose(mean, scores(average="macro")[:3], rtol=1e-12)


def test_classes_against_the_classification_report():
    expected = classification_report(TRUE, PRED, output_dict=True, sample_weight=WEIGHT)
    values = values_of(ordinal_report(TRUE, PRED, sample_weight=WEIGHT), "class")
    for item, name in [*((k, str(k)) for k in range(4)), ("macro mean", "macro avg")]:
        for ours, theirs in (("precision",) * 2, ("recall",) * 2, ("f1", "f1-score")):
            assert values[item][ours] == pytest.approx(expected[name][theirs], rel=1e-12)
    assert [values[k]["support"] for k in range(4)] == [
        expected[str(k)]["support"] for k in range(4)
    ]


@few
@given(graded())
def test_errors_of_the_classes_against_row_loops(rows):
    values = values_of(report_of(rows), "class")
    expected = oracles.class_errors(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, 1, rows.weight
    )
    found = [values[label]["mean_absolute_class_error"] for label in rows.labels]
    assert_allclose(found, np.nan_to_num(expected, nan=UNDEFINED), rtol=1e-12)
    assert values["macro mean"]["mean_absolute_class_error"] == pytest.approx(
        np.nanmean(expected), rel=1e-12
    )
    assert "support" not in values["macro mean"]


@few
@given(graded(min_classes=2))
def test_cuts_against_row_loops(rows):
    values = values_of(report_of(rows), "cut")
    assert list(values) == [f"above {label}" for label in rows.labels[:-1]]
    counts = oracles.cumulative_counts(
        rows.true_ranks, rows.pred_ranks, rows.n_classes, rows.weight
    )
    for label, cut in zip(rows.labels, counts, strict=False):
        assert list(values[f"above {label}"]) == ["recall", "precision", "specificity"]
        for name, value in values[f"above {label}"].items():
            expected = oracles.measure(name, *cut)
            assert value == pytest.approx(UNDEFINED if math.isnan(expected) else expected)


# --- baselines ------------------------------------------------------------------------------


@few
@given(graded())
def test_constant_baselines_are_constant_predictions(rows):
    values = values_of(report_of(rows), "baseline")
    weight = weights_of(rows)
    shares = [weight[np.array(rows.true_ranks) == k].sum() for k in range(rows.n_classes)]
    below = np.cumsum(shares)
    median = next(k for k in range(rows.n_classes) if below[k] >= sum(shares) / 2)
    for name, rank in (("most frequent", int(np.argmax(shares))), ("median", median)):
        constant = [rows.labels[rank]] * len(rows.y_true)
        expected = overall_by_functions(rows.y_true, constant, **rows.keywords)
        assert values[name] == pytest.approx(expected, rel=1e-12)


@few
@given(graded(min_classes=2))
def test_no_constant_beats_the_constant_baselines_at_what_they_are_for(rows):
    values = values_of(report_of(rows), "baseline")
    constants = [
        overall_by_functions(rows.y_true, [label] * len(rows.y_true), **rows.keywords)
        for label in rows.labels
    ]
    best = max(constant["accuracy"] for constant in constants)
    assert values["most frequent"]["accuracy"] == pytest.approx(best, rel=1e-12)
    least = min(constant["mean_absolute_class_error"] for constant in constants)
    assert values["median"]["mean_absolute_class_error"] == pytest.approx(least, rel=1e-12)


def test_of_two_grades_that_tie_the_baseline_is_the_lower():
    values = values_of(ordinal_report([0, 0, 2, 2], [0, 1, 2, 2], labels=range(3)), "baseline")
    for name in ("most frequent", "median"):
        assert values[name] == overall_by_functions([0, 0, 2, 2], [0, 0, 0, 0], labels=range(3))


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [([0, 0, 1, 2, 2, 3], [0, 1, 1, 3, 2, 2]), ([0, 1, 1, 3], [3, 3, 0, 0]), ([0, 1], [1, 1])],
)
def test_the_random_baseline_is_the_mean_over_all_orders_of_the_prediction(y_true, y_pred):
    drawn = [overall_by_functions(y_true, order, labels=range(4)) for order in permutations(y_pred)]
    values = values_of(ordinal_report(y_true, y_pred, labels=range(4)), "baseline", "random")
    for name, value in values.items():
        expected = math.fsum(values[name] for values in drawn) / len(drawn)
        assert value == pytest.approx(expected, abs=1e-12), name


@few
@given(graded())
def test_the_random_baseline_against_loops_over_pairs_of_rows(rows):
    values = values_of(report_of(rows), "baseline", "random")
    weight = weights_of(rows)
    pairs = [
        (true, pred, float(w * v / weight.sum()))
        for true, w in zip(rows.true_ranks, weight, strict=True)
        for pred, v in zip(rows.pred_ranks, weight, strict=True)
    ]
    true, pred, share = (list(part) for part in zip(*pairs, strict=True))
    for name, tolerance in ACCURACIES.items():
        expected = oracles.accuracy(true, pred, tolerance, share)
        assert values[name] == pytest.approx(expected, rel=1e-9)
    for name, power in ERRORS.items():
        expected = oracles.class_error(true, pred, rows.n_classes, power, "micro", share)
        assert values[name] == pytest.approx(expected, rel=1e-9)
    expected = oracles.class_error(true, pred, rows.n_classes, 1, "macro", share)
    assert values[MACRO] == pytest.approx(expected, rel=1e-9)


@few
@given(graded())
def test_nothing_that_ignores_the_rows_agrees_beyond_chance(rows):
    report = report_of(rows)
    kappas = report.loc["baseline", "value"].unstack()[KAPPAS]
    weight = weights_of(rows)
    constant = [
        {rank for rank, w in zip(side, weight, strict=True) if w > 0}
        for side in (rows.true_ranks, rows.pred_ranks)
    ]
    undefined = constant[0] == constant[1] and len(constant[0]) == 1
    for kappa in kappas.loc["random"]:
        assert math.isnan(kappa) if undefined else kappa == 0.0
        assert math.copysign(1, kappa) == 1 or undefined
    for kappa in kappas.loc[["most frequent", "median"]].to_numpy().ravel():
        assert math.isnan(kappa) if len(constant[0]) == 1 else kappa == 0.0


def test_the_second_rater_is_one_more_baseline():
    second = np.clip(TRUE + rng.integers(-1, 2, 60), 0, 3)
    report = ordinal_report(TRUE, PRED, second_rater=second, sample_weight=WEIGHT)
    expected = overall_by_functions(TRUE, second, sample_weight=WEIGHT)
    assert values_of(report, "baseline", "second rater") == expected
    without = ordinal_report(TRUE, PRED, sample_weight=WEIGHT)
    assert list(values_of(without, "baseline")) == ["most frequent", "median", "random"]
    assert_frame_equal(report.drop("second rater", level="item"), without)


def test_the_second_rater_shares_the_scale():
    report = ordinal_report([1, 2, 2], [1, 1, 2], second_rater=[1, 2, 4])
    assert list(values_of(report, "confusion")) == [1, 2, 3, 4]
    assert report.loc[("baseline", "second rater", "mean_absolute_class_error"), "value"] == 2 / 3


# --- intervals ------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_kappas_have_the_intervals_of_the_inference(level):
    keywords = {"sample_weight": WEIGHT, "labels": range(5)}
    report = ordinal_report(TRUE, PRED, confidence_level=level, **keywords)
    for name, weights in zip(KAPPAS, ("quadratic", "linear"), strict=True):
        expected = kappa_inference(TRUE, PRED, weights=weights, **keywords)
        assert_allclose(interval(report, name), expected.confidence_interval(level), rtol=1e-13)
    assert report.attrs == {"confidence_level": level}


@few
@given(graded(weighting=whole_weights), st.sampled_from([0.8, 0.95]))
def test_accuracies_have_wilsons_interval(rows, level):
    report = report_of(rows, confidence_level=level)
    for name, tolerance in ACCURACIES.items():
        right = [
            w * (abs(t - p) <= tolerance)
            for t, p, w in zip(rows.true_ranks, rows.pred_ranks, rows.weight, strict=True)
        ]
        expected = binomtest(sum(right), sum(rows.weight)).proportion_ci(level, method="wilson")
        assert_allclose(interval(report, name), expected, atol=1e-12)
        low, high = interval(report, name)
        assert 0 <= low <= high <= 1


@pytest.mark.parametrize("share", [1e-9, 1e-10, 1e-12, 1e-14, 1 - 1e-15])
@pytest.mark.parametrize("n", [0.01, 0.05, 0.3, 7, 1e5])
def test_wilsons_interval_is_not_pushed_over_an_end_by_rounding(share, n):
    weight = np.array([share, 1 - share]) * n
    report = ordinal_report([0, 1], [0, 2], sample_weight=weight)
    low, high = interval(report, "accuracy")
    assert 0 <= low <= high <= 1


@few
@given(graded(min_classes=3, weighting=whole_weights), st.sampled_from([0.8, 0.95]))
def test_mean_errors_have_the_normal_interval_of_the_repeated_rows(rows, level):
    report = report_of(rows, confidence_level=level)
    true, pred = (np.repeat(side, rows.weight) for side in (rows.true_ranks, rows.pred_ranks))
    for name, power in ERRORS.items():
        error = np.abs(true - pred) ** power
        if len(error) < 2 or np.ptp(error) == 0:
            assert np.isnan(interval(report, name)).all()
        else:
            scale = error.std(ddof=1) / np.sqrt(len(error))
            expected = norm.interval(level, error.mean(), scale)
            assert_allclose(interval(report, name), expected, rtol=1e-10, atol=1e-12)


def test_statsmodels_gives_the_same_intervals():
    weightstats, proportion = (
        load(f"statsmodels.stats.{module}") for module in ("weightstats", "proportion")
    )
    weight = WEIGHT + 0.25
    report = ordinal_report(TRUE, PRED, sample_weight=weight, confidence_level=0.9)
    distance = np.abs(TRUE - PRED)
    for name, power in ERRORS.items():
        described = weightstats.DescrStatsW(distance**power, weight)
        assert_allclose(interval(report, name), described.zconfint_mean(0.1), rtol=1e-12)
    for name, tolerance in ACCURACIES.items():
        right = weight[distance <= tolerance].sum()
        expected = proportion.proportion_confint(right, weight.sum(), 0.1, method="wilson")
        assert_allclose(interval(report, name), expected, rtol=1e-12)


def test_the_macro_error_is_a_mean_of_independent_means():
    """Its variance adds up over the grades; n / (n - 1) as for the mean error."""
    weight = WEIGHT + 0.25
    report = ordinal_report(TRUE, PRED, sample_weight=weight)
    variances = []
    for grade in range(4):
        rows = np.equal(TRUE, grade)
        error = np.abs(TRUE - PRED)[rows]
        mean = np.average(error, weights=weight[rows])
        spread = np.average((error - mean) ** 2, weights=weight[rows])
        variances.append(spread / weight[rows].sum())
    n = weight.sum()
    scale = np.sqrt(sum(variances) / 16 * n / (n - 1))
    mean = mean_absolute_class_error(TRUE, PRED, average="macro", sample_weight=weight)
    assert_allclose(interval(report, MACRO), norm.interval(0.95, mean, scale), rtol=1e-12)


def test_the_macro_error_has_the_standard_error_of_the_infinitesimal_jackknife():
    """Each row in turn weighs a little more, and the macro error is measured again."""
    macro = partial(mean_absolute_class_error, TRUE, PRED, average="macro")
    step, n = 1e-6, len(TRUE)
    moved = [macro(sample_weight=1 + step * (np.arange(n) == row)) for row in range(n)]
    influence = (np.array(moved) - macro()) / step
    scale = np.sqrt((influence**2).sum() * n / (n - 1))
    report = ordinal_report(TRUE, PRED)
    assert_allclose(interval(report, MACRO), norm.interval(0.95, macro(), scale), rtol=1e-5)


def test_with_one_grade_present_macro_and_micro_are_the_same():
    report = ordinal_report([1, 1, 1, 1], [1, 2, 0, 3])
    assert_allclose(interval(report, MACRO), interval(report, "mean_absolute_class_error"))
    assert np.isfinite(interval(report, MACRO)).all()


def test_the_intervals_hold_the_truth_about_as_often_as_they_say():
    proba = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.0, 0.3, 0.7]])
    share = np.array([0.6, 0.3, 0.1])
    table = proba * share[:, np.newaxis]
    true, pred = np.indices((3, 3)).reshape(2, -1)
    truth = overall_by_functions(true, pred, sample_weight=table.ravel())
    hits = dict.fromkeys(truth, 0)
    draws = np.random.default_rng(1).multinomial(300, table.ravel(), size=200)
    for draw in draws:
        report = ordinal_report(true, pred, labels=range(3), sample_weight=draw).loc["overall"]
        for (_, name), (_, low, high) in report.iloc[1:].iterrows():
            hits[name] += low <= truth[name] <= high
    for name, hit in hits.items():
        assert 0.9 < hit / 200 < 0.995, name  # 0.95 and three standard errors of the simulation


# --- where there is nothing to tell -----------------------------------------------------------


def test_undefined_values_are_nan_without_a_warning():
    report = ordinal_report([0, 0, 2, 2], [0, 0, 2, 0], labels=range(4))
    undefined = {
        *(("class", k, "precision") for k in (1, 3)),
        *(("class", k, "recall") for k in (1, 3)),
        *(("class", k, "f1") for k in (1, 3)),
        *(("class", k, "mean_absolute_class_error") for k in (1, 3)),
        ("cut", "above 2", "recall"),
        ("cut", "above 2", "precision"),
    }
    assert set(report.index[report["value"].isna()]) == undefined
    assert report.loc[("class", "macro mean", "recall"), "value"] == 0.75


def test_one_grade_leaves_kappa_undefined_and_nothing_to_cut():
    report = ordinal_report([2, 2, 2], [2, 2, 2])
    sections = list(dict.fromkeys(report.index.get_level_values("section")))
    assert sections == ["overall", "confusion", "class", "baseline"]
    undefined = report.index[report["value"].isna()]
    assert set(undefined.get_level_values("measure")) == set(KAPPAS)
    assert len(undefined) == 2 * 4  # the prediction and three baselines
    assert report.loc[("confusion", 2, "predicted 2"), "value"] == 3


def test_rows_that_are_all_right_have_no_interval_but_wilsons():
    overall = ordinal_report([0, 1, 2, 2], [0, 1, 2, 2]).loc["overall"].loc["prediction"]
    with_interval = set(overall.index[overall["low"].notna()])
    assert with_interval == set(ACCURACIES)
    assert overall.loc["quadratic_weighted_kappa", "value"] == 1


@pytest.mark.parametrize("weight", [[0.1, 0.2, 0.7], [1e-9, 2e-9, 1e-9], [1, 0, 0]])
def test_less_than_two_rows_do_not_vary(weight):
    report = ordinal_report([0, 1, 2], [0, 2, 1], sample_weight=weight)
    for name in [*ERRORS, MACRO]:
        assert np.isnan(interval(report, name)).all()
    for name in ACCURACIES:
        assert np.isfinite(interval(report, name)).all()


def test_a_kappa_that_rounds_to_one_has_no_interval():
    report = ordinal_report([0, 1, 0], [0, 1, 1], sample_weight=[1e17, 1e17, 1])
    assert report.loc[("overall", "prediction", KAPPAS[0]), "value"] == 1
    assert np.isnan(interval(report, KAPPAS[0])).all()


def test_errors_that_are_all_the_same_have_no_interval():
    report = ordinal_report([0, 1, 2, 3], [3, 4, 5, 6], sample_weight=[0.1, 0.7, 1.3, 0.9])
    for name in [*ERRORS, MACRO]:
        assert np.isnan(interval(report, name)).all()


# --- weights, scales, shape -------------------------------------------------------------------


@few
@given(graded(weighting=whole_weights))
def test_whole_weights_repeat_rows(rows):
    sides = (oracles.repeat_rows(side, rows.weight) for side in (rows.y_true, rows.y_pred))
    repeated = ordinal_report(*sides, labels=rows.labels)
    assert_frame_equal(report_of(rows), repeated, check_exact=True)


def test_names_of_the_grades_change_the_names_alone():
    words = np.array(WORDS)
    expected = ordinal_report(TRUE, PRED, sample_weight=WEIGHT)
    encodings = {
        "words": (words[TRUE], words[PRED], WORDS),
        "categories": (
            *(pd.Categorical(words[y], WORDS, ordered=True) for y in (TRUE, PRED)),
            None,
        ),
        "floats": (TRUE.astype(float), PRED.astype(float), None),
        "spaced": (TRUE * 10, PRED * 10, [0, 10, 20, 30]),
        "descending": (-TRUE, -PRED, [0, -1, -2, -3]),
    }
    for y_true, y_pred, labels in encodings.values():
        report = ordinal_report(y_true, y_pred, labels=labels, sample_weight=WEIGHT)
        assert_array_equal(report.to_numpy(), expected.to_numpy())


@pytest.mark.parametrize(
    "scale", [[False, True], [0.0, 1.0], ["low", "high"], [5, 3], [b"low", b"high"]]
)
def test_items_are_the_grades_of_the_user(scale):
    y_true, y_pred = [scale[0], scale[1], scale[1]], [scale[0], scale[0], scale[1]]
    report = ordinal_report(y_true, y_pred, labels=scale)
    for section in ("confusion", "class"):
        items = list(values_of(report, section))[:2]
        assert items == scale
        assert [type(item) for item in items] == [type(grade) for grade in scale]
    assert report.loc[("class", scale[1], "recall"), "value"] == 0.5
    assert report.loc[("cut", f"above {scale[0]}", "recall"), "value"] == 0.5


@pytest.mark.parametrize("library", ["list", "pandas", "polars"])
def test_containers(library):
    make = list if library == "list" else pytest.importorskip(library).Series
    sides = {name: make(side.tolist()) for name, side in {"y_true": TRUE, "y_pred": PRED}.items()}
    report = ordinal_report(**sides, second_rater=sides["y_pred"], sample_weight=make(WEIGHT))
    expected = ordinal_report(TRUE, PRED, second_rater=PRED, sample_weight=WEIGHT)
    assert_frame_equal(report, expected)


def test_the_frame_is_convenient():
    words = np.array(WORDS)
    report = ordinal_report(words[TRUE], words[PRED], labels=WORDS)
    assert report.index.names == ["section", "item", "measure"]
    assert list(report.columns) == ["value", "low", "high"]
    assert (report.dtypes == np.float64).all()
    assert report.index.is_unique
    sections = list(dict.fromkeys(report.index.get_level_values("section")))
    assert sections == ["overall", "confusion", "class", "cut", "baseline"]
    # Not in alphabetical order, and without a warning of pandas that it had to search.
    assert list(report.loc["class"].loc["good"].index)[:2] == ["precision", "recall"]
    assert_frame_equal(report.loc[("class", "good")], report.loc["class"].loc["good"])
    assert list(report.loc["confusion", "value"].unstack().index) == WORDS
    has_interval = report["low"].notna()
    assert set(has_interval[has_interval].index.get_level_values("section")) == {"overall"}
    assert (report["low"].notna() == report["high"].notna()).all()


def test_a_csv_file_holds_the_report(tmp_path):
    words = np.array(WORDS)
    report = ordinal_report(words[TRUE], words[PRED], labels=WORDS)
    report.to_csv(tmp_path / "report.csv")
    again = pd.read_csv(tmp_path / "report.csv", index_col=[0, 1, 2])
    assert_frame_equal(again, report, check_index_type=False, check_column_type=False)


@pytest.mark.parametrize("n_classes", [2, 20])
def test_short_and_long_scales(n_classes):
    grades = np.arange(n_classes)
    report = ordinal_report(grades, grades[::-1])
    rows = 8 + n_classes**2 + (5 * n_classes + 4) + 3 * (n_classes - 1) + 3 * 7
    assert len(report) == rows
    assert report.loc[("overall", "prediction", "quadratic_weighted_kappa"), "value"] == -1


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1, math.nan, "0.95", None, 95])
def test_levels_that_are_none_are_refused(level):
    for y_pred in ([0, 1, 1], [0, 0, 1]):  # whether or not there is an interval for kappa
        with pytest.raises(ValueError, match=r"confidence_level=.*must be"):
            ordinal_report([0, 1, 1], y_pred, confidence_level=level)


def test_a_second_rater_is_checked_like_the_others():
    with pytest.raises(ValueError, match="y_true has 2 rows, y_pred has 2 rows, second_rater has"):
        ordinal_report([0, 1], [0, 1], second_rater=[0])
    with pytest.raises(ValueError, match=r"second_rater has 1 missing value"):
        ordinal_report([0, 1], [0, 1], second_rater=[0, None])
    with pytest.raises(ValueError, match=r"second_rater holds 7, which labels"):
        ordinal_report([0, 1], [0, 1], second_rater=[0, 7], labels=[0, 1])


def test_missing_predictions_are_refused():
    with pytest.raises(ValueError, match="y_pred"):
        ordinal_report([0, 1], None)


def test_a_grade_with_the_name_of_a_row_is_refused():
    with pytest.raises(ValueError, match=r"labels holds 'macro mean'.*rename"):
        ordinal_report(["a", "macro mean"], ["a", "a"], labels=["a", "macro mean"])
    report = ordinal_report(["random", "n"], ["n", "n"], labels=["random", "n"])
    assert report.index.is_unique
