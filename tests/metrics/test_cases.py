"""Situations in which other tools go wrong, with the right value of each.

Constant folds, grades that a fold lacks, text grades, grades outside the scale, scores of a
regressor, classes without rows, spaced grades, columns of probabilities, weights, signs of scorers,
columns from files.
"""

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from optional import needs_pyarrow
from registry import LABEL_METRICS
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score

from sklearn_ordinal_censored.metrics import (
    disagreement_matrix,
    get_scorer,
    get_scorer_names,
    linear_weighted_kappa,
    mean_absolute_class_error,
    ordinal_accuracy,
    quadratic_weighted_kappa,
    ranked_probability_score,
)

SIZES = ["Low", "Medium", "High"]
NO_GRADES = r"y_pred holds .* no grades .*OrdinalThresholdOptimizer.*strategy='rounding'"

ARROW = pytest.param("int64[pyarrow]", marks=needs_pyarrow)


def macro_error(y_true, y_pred, **keywords):
    return mean_absolute_class_error(y_true, y_pred, average="macro", **keywords)


def within_one(y_true, y_pred, **keywords):
    return ordinal_accuracy(y_true, y_pred, tolerance=1, **keywords)


class Mirror(BaseEstimator):
    """An estimator that predicts its only feature."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


class Stored(ClassifierMixin, BaseEstimator):
    """A classifier whose features are its probabilities, in the order of ``classes_``."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.asarray(X)


def test_ord_01_constant_folds():
    labels = [0, 1, 2, 3, 4]
    with pytest.warns(UndefinedMetricWarning, match="undefined"):
        assert math.isnan(quadratic_weighted_kappa([2] * 4, [2] * 4, labels=labels))
    replaced = quadratic_weighted_kappa([2] * 4, [2] * 4, labels=labels, replace_undefined_by=1.0)
    assert replaced == 1.0
    assert quadratic_weighted_kappa([2] * 4, [2, 2, 1, 3], labels=labels) == 0.0


def test_ord_02_a_grade_that_both_sides_lack_keeps_its_place():
    t, p = [1, 2, 5, 5, 1, 2], [1, 5, 5, 2, 2, 2]
    for labels in (None, [1, 2, 3, 4, 5]):
        quadratic = quadratic_weighted_kappa(t, p, labels=labels)
        assert quadratic == pytest.approx(0.41237113402061865, abs=1e-15)
        linear = linear_weighted_kappa(t, p, labels=labels)
        assert linear == pytest.approx(0.3225806451612903, abs=1e-15)
    assert quadratic_weighted_kappa(t, p, labels=[1, 2, 5]) == pytest.approx(4 / 7, abs=1e-15)


@pytest.mark.parametrize("labels", [[1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6, 7]])
def test_ord_02_a_scorer_measures_every_fold_with_one_ruler(labels):
    X, y = np.array([[1], [5], [5], [2], [2], [2]]), np.array([1, 2, 5, 5, 1, 2])
    value = get_scorer("linear_weighted_kappa", labels=labels)(Mirror(), X, y)
    assert value == pytest.approx(0.3225806451612903, abs=1e-15)


def test_ord_03_text_grades_are_not_sorted_by_the_alphabet():
    t = ["Low", "Low", "Medium", "High", "High", "Medium", "Low", "High"]
    p = ["Low", "Medium", "Medium", "High", "Low", "Low", "Medium", "Medium"]
    assert quadratic_weighted_kappa(t, p, labels=SIZES) == pytest.approx(0.2, abs=1e-15)
    assert macro_error(t, p, labels=SIZES) == pytest.approx(0.7222222222222222, abs=1e-15)
    assert within_one(t, p, labels=SIZES) == 0.875
    assert mean_absolute_class_error(t, p, labels=SIZES) == 0.75
    for metric in (quadratic_weighted_kappa, macro_error, within_one):
        with pytest.raises(ValueError, match=r"y_true holds text .*pass `labels`"):
            metric(t, p)
    ordered = pd.Categorical(t, SIZES, ordered=True)
    assert quadratic_weighted_kappa(ordered, p) == pytest.approx(0.2, abs=1e-15)
    with pytest.raises(ValueError, match=r"y_true is a categorical without an order .*`labels`"):
        quadratic_weighted_kappa(pd.Categorical(t), p)


def test_ord_05_grades_outside_the_labels_are_not_dropped():
    t, p = [0, 1, 2, 3, 3, 0, 2], [0, 1, 1, 3, 0, 1, 2]
    with pytest.raises(ValueError, match=r"y_true holds 3, which labels=\[0, 1, 2\] does not list"):
        quadratic_weighted_kappa(t, p, labels=[0, 1, 2])
    value = quadratic_weighted_kappa(t, p, labels=[0, 1, 2, 3])
    assert value == pytest.approx(0.384, abs=1e-15)


def test_ord_07_scores_of_a_regressor_are_no_grades():
    t, scores = [0, 1, 2, 3, 1], [0.1, 1.2, 2.0, 2.6, 1.4]
    whole = quadratic_weighted_kappa(t, [0.0, 1.0, 2.0, 2.0, 1.0])
    assert whole == pytest.approx(0.8780487804878049, abs=1e-15)
    with pytest.raises(ValueError, match=NO_GRADES):
        quadratic_weighted_kappa(t, scores)
    with pytest.raises(ValueError, match=NO_GRADES):
        quadratic_weighted_kappa(t, scores, labels=[0, 1, 2, 3])
    with pytest.raises(ValueError, match=r"y_pred has 1 missing value\(s\), the first in row 4"):
        quadratic_weighted_kappa(t, [*scores[:-1], np.nan])


@pytest.mark.parametrize(
    "scoring",
    [
        make_scorer(quadratic_weighted_kappa),
        get_scorer("quadratic_weighted_kappa", labels=range(3)),
    ],
    ids=["make_scorer", "get_scorer"],
)
def test_ord_07_a_bare_regressor_never_wins_a_search(scoring):
    X, y = np.arange(12.0).reshape(-1, 1), np.repeat([0, 1, 2], 4)
    with pytest.raises(ValueError, match=NO_GRADES):
        scoring(Ridge().fit(X, y), X, y)
    search = GridSearchCV(Ridge(), {"alpha": [1, 10]}, scoring=scoring, error_score="raise", cv=3)
    with pytest.raises(ValueError, match=NO_GRADES):
        search.fit(X, y)
    with pytest.warns(UserWarning, match="OrdinalThresholdOptimizer"):
        values = cross_val_score(Ridge(), X, y, scoring=scoring, cv=2)
    assert np.isnan(values).all()


def test_ord_08_macro_error_is_over_the_grades_of_the_truth():
    assert macro_error([0, 0, 1, 1], [0, 2, 1, 1]) == 0.5
    assert macro_error([0, 0, 2, 2], [0, 1, 2, 1]) == 0.5
    assert mean_absolute_class_error([0, 0, 1, 1], [0, 2, 1, 1], average="max") == 1.0


def test_ord_10_spaced_grades_are_one_rank_apart():
    t, p, labels = [10, 20, 30, 30], [10, 30, 20, 30], [10, 20, 30]
    assert macro_error(t, p, labels=labels) == 0.5
    assert mean_absolute_class_error(t, p, labels=labels) == 0.5
    assert within_one(t, p, labels=labels) == 1.0
    spaced = quadratic_weighted_kappa(t, p, labels=labels)
    assert spaced == quadratic_weighted_kappa([1, 2, 3, 3], [1, 3, 2, 3])
    with pytest.warns(UserWarning, match=r"10, 20, 30 .*labels=\[10, 20, 30\]"):
        assert macro_error(t, p) == 5.0
    with pytest.warns(UserWarning, match="10, 20, 30"):
        assert quadratic_weighted_kappa(t, p) == pytest.approx(spaced, abs=1e-15)


def test_ord_12_columns_belong_to_the_grades_of_the_scale():
    proba = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]]
    score = partial(ranked_probability_score, normalize=False)
    assert score([1, 2], proba, labels=[1, 2, 3]) == pytest.approx(0.1, abs=1e-12)
    with pytest.raises(ValueError, match="y_proba"):
        score([1, 2], proba)  # two grades, three columns


def test_ord_12_a_scorer_reads_the_order_of_the_columns_from_the_classifier():
    proba = np.array([[0.1, 0.7, 0.2], [0.2, 0.2, 0.6], [0.8, 0.0, 0.2]])  # High, Low, Medium
    y = ["Low", "Medium", "High"]
    scorer = get_scorer("neg_ranked_probability_score", labels=SIZES, normalize=False)
    assert scorer(Stored().fit(proba, y), proba, y) == pytest.approx(-0.22 / 3, abs=1e-12)
    in_order = proba[:, [1, 2, 0]]
    value = ranked_probability_score(y, in_order, labels=SIZES)
    assert value == pytest.approx(0.11 / 3, abs=1e-12)  # the mean over the two cuts


def test_ord_20_weights_repeat_rows():
    t, p, weight = [0, 0, 1, 1, 2], [0, 1, 1, 0, 2], [3, 1, 1, 1, 2]
    kappa = quadratic_weighted_kappa(t, p, sample_weight=weight)
    assert kappa == pytest.approx(0.8181818181818181, abs=1e-15)
    repeated = quadratic_weighted_kappa(np.repeat(t, weight), np.repeat(p, weight))
    assert kappa == repeated
    assert macro_error(t, p, sample_weight=weight) == 0.25
    assert macro_error(t, p, sample_weight=[1, 1, 1, 1, 0]) == 0.5


@pytest.mark.parametrize("metric", [quadratic_weighted_kappa, macro_error, within_one])
def test_ord_20_weights_that_make_no_sense_are_refused(metric):
    t, p = [0, 0, 1, 1, 2], [0, 1, 1, 0, 2]
    with pytest.raises(ValueError, match="sample_weight is zero for every row"):
        metric(t, p, sample_weight=[0] * 5)
    with pytest.raises(ValueError, match=r"sample_weight must not be negative, but holds -1\.0"):
        metric(t, p, sample_weight=[3, 1, -1, 1, 2])


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_ord_21_higher_is_better_for_every_scorer(name):
    options = {"cost_matrix": disagreement_matrix(4)} if name == "neg_ordinal_cost" else {}
    scorer, y = get_scorer(name, **options), np.array([0, 1, 2, 3, 0])
    perfect = scorer(Mirror(), y.reshape(-1, 1), y)
    reversed_ = scorer(Mirror(), (3 - y).reshape(-1, 1), y)
    assert perfect > reversed_
    if name.startswith("neg_"):
        assert perfect == 0
        assert reversed_ < 0


def test_ord_21_names_are_told():
    assert get_scorer("quadratic_weighted_kappa") is not None
    with pytest.raises(ValueError, match=r"'kappa'; there are \[.*'quadratic_weighted_kappa'"):
        get_scorer("kappa")
    losses = [name for name in get_scorer_names() if name.endswith(("_error", "_cost", "_loss"))]
    assert losses
    assert all(name.startswith("neg_") for name in losses)
    kappas = {name for name in get_scorer_names() if "kappa" in name}
    assert {"linear_weighted_kappa", "quadratic_weighted_kappa"} <= kappas


@pytest.fixture
def survey(tmp_path):
    rows = ["Medium", "Low", "High", "Low", "High", "Medium", "Medium", "Low"]
    path = tmp_path / "survey.csv"
    path.write_text("id,grade\n" + "\n".join(f"{i},{row}" for i, row in enumerate(rows, 1)))
    return path


@pytest.mark.parametrize("dtype", ["str", "string", "object", "category"])
def test_file_1_text_grades_of_a_file(survey, dtype):
    t = pd.read_csv(survey, dtype={"grade": dtype})["grade"]
    p = ["Medium", "Low", "High", "Medium", "Medium", "Medium", "Low", "Low"]
    kappa = quadratic_weighted_kappa(t, p, labels=SIZES)
    assert kappa == pytest.approx(0.6470588235294117, abs=1e-15)
    assert macro_error(t, p, labels=SIZES) == pytest.approx(0.3888888888888889, abs=1e-15)
    assert mean_absolute_class_error(t, p, labels=SIZES) == 0.375
    with pytest.raises(ValueError, match="pass `labels`"):
        quadratic_weighted_kappa(t, p)


def test_file_1_digits_read_as_text_are_text():
    t, p = ["1", "2", "10", "10", "2", "1"], ["1", "10", "10", "2", "2", "2"]
    kappa = quadratic_weighted_kappa(t, p, labels=["1", "2", "10"])
    assert kappa == pytest.approx(0.5714285714285714, abs=1e-15)
    with pytest.raises(ValueError, match="y_true holds text"):
        quadratic_weighted_kappa(t, p)
    with pytest.raises(ValueError, match=r"y_true holds '1', '2', '10'.*One side is text"):
        quadratic_weighted_kappa(t, p, labels=[1, 2, 10])


@pytest.mark.parametrize("dtype", ["Int64", "int64", "Float64", ARROW, "object"])
def test_file_3_nullable_columns(dtype):
    t, p = pd.Series([0, 1, 2, 2], dtype=dtype), pd.Series([0, 2, 2, 1], dtype=dtype)
    assert quadratic_weighted_kappa(t, p) == pytest.approx(0.6363636363636364, abs=1e-15)


@pytest.mark.parametrize("dtype", ["Int64", "Float64", ARROW, "object"])
def test_file_3_missing_values_are_counted(dtype):
    t = pd.Series([0, None, 2, pd.NA], dtype=dtype)
    with pytest.raises(ValueError, match=r"y_true has 2 missing value\(s\), the first in row 1"):
        quadratic_weighted_kappa(t, [0, 2, 2, 1])
    with pytest.raises(ValueError, match=r"y_pred has 2 missing value\(s\)"):
        quadratic_weighted_kappa([0, 2, 2, 1], t)


def test_file_3_a_missing_category_is_no_class_below_the_lowest():
    t = pd.Series(pd.Categorical(["Low", None, "High"], SIZES, ordered=True))
    with pytest.raises(ValueError, match=r"y_true has 1 missing value\(s\), the first in row 1"):
        quadratic_weighted_kappa(t, ["Low", "Low", "High"])
    complete = t.dropna()
    assert quadratic_weighted_kappa(complete, ["Low", "High"]) == 1.0
