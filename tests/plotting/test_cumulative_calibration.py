"""Reliability at every cut point: bins, intervals, panels."""

import numpy as np
import oracles_plotting as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from strategies import class_probabilities

from sklearn_ordinal_censored.plotting import CumulativeCalibrationDisplay

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

draw = CumulativeCalibrationDisplay.from_predictions


class Undrawn(CumulativeCalibrationDisplay):
    """Holds its numbers only, which is faster."""

    def plot(self, ax=None):
        return self


bins_of = Undrawn.from_predictions


def some_probabilities(n_samples=200, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    y_proba = rng.dirichlet(np.ones(n_classes), n_samples)
    y_true = np.array([rng.choice(n_classes, p=row) for row in y_proba])
    y_true[:n_classes] = np.arange(n_classes)
    return y_true, y_proba


@given(proba=class_probabilities(min_classes=2, max_size=15), data=st.data())
def test_bins_against_loops(proba, data):
    n_classes = len(proba[0])
    y_true = data.draw(
        st.lists(st.integers(0, n_classes - 1), min_size=len(proba), max_size=len(proba))
    )
    n_bins = data.draw(st.integers(1, 6))
    display = bins_of(y_true, proba, labels=range(n_classes), n_bins=n_bins)
    for cut in range(n_classes - 1):
        above = [sum(row[cut + 1 :]) for row in proba]
        came_true = [grade > cut for grade in y_true]
        expected = np.array(oracles.reliability(above, came_true, n_bins)).T
        found = display.prob_pred[cut], display.prob_true[cut], display.counts[cut]
        assert_allclose(found, expected, rtol=1e-12)


@given(proba=class_probabilities(min_classes=2, max_size=10), data=st.data())
def test_weights_repeat_rows(proba, data):
    n_samples, n_classes = len(proba), len(proba[0])
    grades = st.lists(st.integers(0, n_classes - 1), min_size=n_samples, max_size=n_samples)
    whole = st.lists(st.integers(0, 3), min_size=n_samples, max_size=n_samples).filter(any)
    y_true, weight = np.array(data.draw(grades)), np.array(data.draw(whole))
    options = {"labels": range(n_classes), "n_bins": 3}
    weighted = bins_of(y_true, proba, sample_weight=weight, **options)
    repeated = bins_of(np.repeat(y_true, weight), np.repeat(proba, weight, axis=0), **options)
    for name in ("prob_true", "prob_pred", "counts"):
        for one, other in zip(getattr(weighted, name), getattr(repeated, name), strict=True):
            assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("n_bins", [1, 4, 10])
def test_bins_of_scikit_learn(n_bins):
    y_true, y_proba = some_probabilities()
    display = bins_of(y_true, y_proba, n_bins=n_bins)
    for cut in range(3):
        above = y_proba[:, cut + 1 :].sum(axis=1)
        shares, predicted = calibration_curve(
            y_true > cut, above, n_bins=n_bins, strategy="quantile"
        )
        assert_allclose(display.prob_true[cut], shares)
        assert_allclose(display.prob_pred[cut], predicted)


def test_bins_differ_by_one_row_at_most():
    display = bins_of(*some_probabilities(203), n_bins=10)
    for counts in display.counts:
        assert counts.sum() == 203
        assert set(counts) == {20, 21}


def test_equal_probabilities_share_a_bin():
    y_true, y_proba = [0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.2, 0.9]
    display = bins_of(y_true, y_proba, n_bins=4)
    assert_array_equal(display.counts[0], [4, 1])
    assert_array_equal(display.prob_true[0], [0.5, 1])


@pytest.mark.parametrize("weight", [None, 0.01, 7.0])
def test_intervals_are_wilson_s_whatever_the_unit_of_the_weights(weight):
    y_true, y_proba = some_probabilities(60, 2)
    weights = None if weight is None else np.full(60, weight)
    display = bins_of(y_true, y_proba, n_bins=3, sample_weight=weights)
    for share, low, high in zip(display.prob_true[0], *display.intervals[0], strict=True):
        wilson = binomtest(round(share * 20), 20).proportion_ci(method="wilson")
        assert_allclose([low, high], wilson, atol=1e-9)


def test_one_column_of_two_grades():
    y_true, y_proba = some_probabilities(50, 2)
    one, two = bins_of(y_true, y_proba[:, 1]), bins_of(y_true, y_proba)
    assert_array_equal(one.prob_true, two.prob_true)
    assert_allclose(one.prob_pred, two.prob_pred)


@pytest.mark.parametrize("n_classes", [2, 3, 5, 6, 10])
def test_one_panel_a_cut_point(n_classes):
    display = draw(*some_probabilities(100, n_classes), n_bins=5)
    assert len(display.axes_) == len(display.points_) == len(display.ref_lines_) == n_classes - 1
    assert [panel.get_title() for panel in display.axes_] == [
        f"> {k}" for k in range(n_classes - 1)
    ]
    drawn = set(display.figure_.axes) - {display.ax_}
    assert drawn == set(display.axes_)  # none is left empty
    for panel, points, predicted, shares in zip(
        display.axes_, display.points_, display.prob_pred, display.prob_true, strict=True
    ):
        assert_array_equal(points.get_offsets(), np.column_stack([predicted, shares]))
        assert panel.get_xlabel().endswith("20 a bin")


def test_outer_panels_have_numbers_and_labels():
    display = draw(*some_probabilities(100, 6))  # five panels in two rows of three
    labelled = [panel.get_xlabel().startswith("predicted") for panel in display.axes_]
    assert labelled == [False, False, True, True, True]
    sides = [panel.get_ylabel() for panel in display.axes_]
    assert sides == ["observed", "", "", "observed", ""]


def test_points_grow_with_their_rows():
    y_true, y_proba = [0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.2, 0.9]
    display = draw(y_true, y_proba, n_bins=4)
    first, second = display.points_[0].get_sizes()
    assert first == pytest.approx(4 * second)
    assert display.axes_[0].get_xlabel() == "predicted\n1 to 4 a bin"


def test_a_second_model_on_the_same_panels():
    y_true, y_proba = some_probabilities()
    first = draw(y_true, y_proba, name="first")
    second = draw(y_true, y_proba**2 / (y_proba**2).sum(axis=1, keepdims=True))
    second.plot(ax=first.axes_, name="second", color="black", marker="s")
    assert second.axes_.tolist() == first.axes_.tolist()
    assert second.figure_ is first.figure_
    assert second.ref_lines_ == []
    legend = [text.get_text() for text in first.axes_[-1].get_legend().get_texts()]
    assert legend == ["first", "second"]


def test_panels_of_the_caller():
    figure, panels = plt.subplots(1, 3)
    display = draw(*some_probabilities(), ax=panels)
    assert display.axes_.tolist() == panels.tolist()
    assert display.figure_ is figure
    assert len(display.ref_lines_) == 3


def test_text_grades_and_long_names():
    y_true, y_proba = some_probabilities(n_classes=3)
    scale = ["low", "mid", "high"]
    display = draw(np.array(scale)[y_true], y_proba, labels=scale)
    assert [panel.get_title() for panel in display.axes_] == ["> low", "> mid"]
    named = draw(y_true, y_proba, display_labels=["$1 to $2", "more", "most"])
    assert named.axes_[0].get_title() == "> $1 to $2"
    assert not named.axes_[0].title.get_parse_math()


def test_from_estimator_asks_for_probabilities_in_the_order_of_the_scale():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(90, 2)), np.arange(90) % 3
    scale = np.array(["low", "mid", "high"])
    model = LogisticRegression().fit(X, scale[codes])
    display = CumulativeCalibrationDisplay.from_estimator(
        model, X, scale[codes], labels=scale, n_bins=4, name="model"
    )
    ordered = model.predict_proba(X)[:, [1, 2, 0]]
    expected = bins_of(scale[codes], ordered, labels=scale, n_bins=4)
    for one, other in zip(display.prob_pred, expected.prob_pred, strict=True):
        assert_allclose(one, other)
    assert display.name == "model"


def test_grades_that_the_estimator_has_not_seen():
    X, y = np.arange(8.0)[:, np.newaxis], np.array([0, 0, 0, 2, 2, 2, 2, 0])
    model = LogisticRegression().fit(X, y)
    display = CumulativeCalibrationDisplay.from_estimator(model, X, y, n_bins=2)
    assert len(display.prob_true) == 2
    assert_allclose(display.prob_pred[0], display.prob_pred[1])  # nobody is graded 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1], [[0.5, 0.4], [0.5, 0.5]]), {}, "must sum to 1"),
        (([0, 1], [[0.5, 0.5], [0.5, 0.5]]), {"n_bins": 0}, "n_bins=0"),
        (([0, 1], [[0.5, 0.5], [0.5, 0.5]]), {"labels": [0, 1, 2]}, "has 2 columns"),
        (([3, 3], [[1.0], [1.0]]), {}, r"one grade only, \[3\], and no cut point"),
        (([0, 1], [0.1, 0.9]), {"display_labels": ["no"]}, "display_labels has 1 names"),
    ],
)
def test_what_is_refused_leaves_no_figure(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        draw(*arguments, **options)
    assert not plt.get_fignums()


def test_a_wrong_number_of_panels_is_refused():
    _, panels = plt.subplots(1, 2)
    with pytest.raises(ValueError, match="ax holds 2 axes, but there are 3 cut points"):
        draw(*some_probabilities(), ax=panels)


def test_an_estimator_without_probabilities_is_refused():
    model = LinearSVC().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="LinearSVC has no predict_proba"):
        CumulativeCalibrationDisplay.from_estimator(model, [[0.0], [1.0]], [0, 1])
