"""The confusion table coloured by costs: its numbers, its colours and what is refused."""

import math

import numpy as np
import oracles_plotting as oracles
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from strategies import graded

from sklearn_ordinal_censored.metrics import (
    disagreement_matrix,
    ordinal_cost,
    ordinal_cost_matrix,
    weighted_kappa,
)
from sklearn_ordinal_censored.plotting import OrdinalConfusionDisplay
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

SCALE = ["low", "mid", "high"]
TRUE = ["low", "low", "low", "mid", "mid", "high", "high", "high"]
PRED = ["low", "low", "high", "mid", "low", "high", "mid", "low"]
draw = OrdinalConfusionDisplay.from_predictions


class Undrawn(OrdinalConfusionDisplay):
    """Holds its numbers only, which is faster."""

    def plot(self, ax=None):
        return self


def texts_of(artists):
    return [[text.get_text() for text in row] for row in artists]


def test_rows_are_true_grades_in_the_order_of_the_scale():
    display = draw(TRUE, PRED, labels=SCALE)
    assert_array_equal(display.confusion_matrix, confusion_matrix(TRUE, PRED, labels=SCALE))
    assert texts_of(display.text_) == [["2", "0", "1"], ["1", "1", "0"], ["1", "1", "1"]]
    for ticks in (display.ax_.get_xticklabels(), display.ax_.get_yticklabels()):
        assert [tick.get_text() for tick in ticks] == SCALE
    assert display.ax_.get_ylim()[0] > display.ax_.get_ylim()[1]  # the lowest grade is on top
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("predicted grade", "true grade")


@given(rows=graded(max_classes=4, max_size=12), data=st.data())
def test_contributions_against_loops(rows, data):
    n_classes = rows.n_classes
    cost = data.draw(
        st.lists(
            st.lists(st.integers(-9, 9), min_size=n_classes, max_size=n_classes),
            min_size=n_classes,
            max_size=n_classes,
        )
    )
    display = Undrawn.from_predictions(rows.y_true, rows.y_pred, cost_matrix=cost, **rows.keywords)
    expected = oracles.contributions(rows.y_true, rows.y_pred, rows.labels, cost, rows.weight)
    assert_allclose(display.contribution, expected, rtol=1e-12, atol=1e-12)
    mean = ordinal_cost(rows.y_true, rows.y_pred, cost_matrix=cost, **rows.keywords)
    assert display.score == pytest.approx(mean, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("weights", ["linear", "quadratic", None, 1.5, ordinal_cost_matrix(3)])
def test_the_score_is_the_kappa_of_the_weights(weights):
    display = draw(TRUE, PRED, labels=SCALE, weights=weights)
    assert display.score == weighted_kappa(TRUE, PRED, labels=SCALE, weights=weights)
    table = confusion_matrix(TRUE, PRED, labels=SCALE)
    assert_allclose(display.contribution, table * disagreement_matrix(3, weights) / 8)
    assert display.ax_.get_title() == f"{display.score_name} {display.score:.3g}"


def test_names_of_the_score():
    names = {"linear": "linear weighted kappa", None: "unweighted kappa", 2.0: "kappa with power 2"}
    for weights, name in names.items():
        assert draw(TRUE, PRED, labels=SCALE, weights=weights).score_name == name
    matrix = ordinal_cost_matrix(3)
    assert draw(TRUE, PRED, labels=SCALE, weights=matrix).score_name == "weighted kappa"
    assert draw(TRUE, PRED, labels=SCALE, cost_matrix=matrix).score_name == "mean cost"


def test_colours_and_small_numbers_are_shares_of_the_cost():
    display = draw(TRUE, PRED, labels=SCALE, cost_matrix=ordinal_cost_matrix(3, under=2))
    # Costs: 2 for low as high, 2 for mid as low, 2 for high as mid, 4 for high as low.
    assert_allclose(display.im_.get_array(), [[0, 0, 20], [20, 0, 0], [40, 20, 0]])
    shown = [["", "", "20 %"], ["20 %", "", ""], ["40 %", "20 %", ""]]
    assert texts_of(display.share_text_) == shown
    assert display.colorbar_.ax.get_ylabel() == "share of the total cost in %"


def test_colours_by_count():
    display = draw(TRUE, PRED, labels=SCALE, color_by="count")
    assert_array_equal(display.im_.get_array(), display.confusion_matrix)
    assert display.colorbar_.ax.get_ylabel() == "rows"
    assert display.im_.get_cmap().name == "Blues"
    assert display.share_text_ is None


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_normalised_tables_keep_the_contributions(normalize):
    display = draw(TRUE, PRED, labels=SCALE, normalize=normalize)
    expected = confusion_matrix(TRUE, PRED, labels=SCALE, normalize=normalize)
    assert_allclose(display.confusion_matrix, expected)
    assert_array_equal(display.contribution, draw(TRUE, PRED, labels=SCALE).contribution)


def test_shares_of_an_empty_row_are_shown_as_missing():
    display = draw([0, 2], [0, 1], labels=[0, 1, 2], normalize="true", color_by="count")
    assert np.isnan(display.confusion_matrix[1]).all()
    assert texts_of(display.text_)[1] == ["-", "-", "-"]
    assert {text.get_color() for text in display.text_[1]} == {"black"}  # on the white behind


def test_weights_repeat_rows():
    weight = [1, 2, 0, 3, 1, 1, 2, 1]
    weighted = draw(TRUE, PRED, labels=SCALE, sample_weight=weight)
    repeated = draw(np.repeat(TRUE, weight), np.repeat(PRED, weight), labels=SCALE)
    assert_array_equal(weighted.confusion_matrix, repeated.confusion_matrix)
    assert_array_equal(weighted.contribution, repeated.contribution)
    assert weighted.score == repeated.score
    assert weighted.values_name == "weight of rows"


def test_fractions_are_written_with_three_digits():
    display = draw([0, 1], [0, 1], sample_weight=[12.3456, 0.5])
    assert texts_of(display.text_) == [["12.3", "0"], ["0", "0.5"]]


def test_two_grades():
    display = draw([False, True, True], [False, True, False])
    assert display.im_.get_array().shape == (2, 2)
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["False", "True"]


def test_gains_have_a_colour_map_with_a_bright_middle():
    display = draw([0, 1, 1], [0, 1, 0], cost_matrix=[[-1, 2], [5, 0]])
    assert_allclose(display.im_.get_array(), [[-1 / 3, 0], [5 / 3, 0]])
    low, high = display.im_.get_clim()
    assert low == -high == pytest.approx(-5 / 3)
    assert display.share_text_ is None
    assert display.colorbar_.ax.get_ylabel() == "contribution to the mean cost"


def test_perfect_predictions_have_no_cost_to_share():
    display = draw([0, 1, 2], [0, 1, 2])
    assert display.score == 1.0
    assert display.share_text_ is None
    assert not display.im_.get_array().any()


def test_an_undefined_kappa_is_said_to_be_undefined():
    with pytest.warns(UndefinedMetricWarning, match="expected disagreement is 0"):
        display = draw([2, 2], [2, 2], labels=[1, 2, 3])
    assert math.isnan(display.score)
    assert display.ax_.get_title() == "quadratic weighted kappa undefined"


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("cmap", ["Oranges", "viridis", "cividis", "PuOr_r", "gray"])
def test_numbers_can_be_read_on_every_colour(cmap):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 8, (2, 300))
    display = draw(y_true, y_pred, cmap=cmap)
    colours = display.im_.to_rgba(display.im_.get_array())
    for text, colour in zip(display.text_.flat, colours.reshape(-1, 4), strict=True):
        behind, ink = luminance(colour), {"black": 0.0, "white": 1.0}[text.get_color()]
        assert (max(behind, ink) + 0.05) / (min(behind, ink) + 0.05) > 4.5


def test_options_reach_matplotlib():
    display = draw(
        TRUE,
        PRED,
        labels=SCALE,
        cmap="viridis",
        colorbar=False,
        values_format=".1f",
        xticks_rotation="vertical",
        im_kw={"vmax": 50},
        text_kw={"color": "red"},
    )
    assert display.colorbar_ is None
    assert len(display.figure_.axes) == 1
    assert display.im_.get_cmap().name == "viridis"
    assert display.im_.get_clim()[1] == 50
    assert display.text_[0, 0].get_text() == "2.0"
    assert display.text_[0, 0].get_color() == "red"
    assert {tick.get_rotation() for tick in display.ax_.get_xticklabels()} == {90}
    assert draw(TRUE, PRED, labels=SCALE, include_values=False).text_ is None


def test_a_plain_table_without_costs():
    display = OrdinalConfusionDisplay(np.array([[3, 1], [0, 2]])).plot()
    assert_array_equal(display.im_.get_array(), [[3, 1], [0, 2]])
    assert display.share_text_ is None
    assert display.ax_.get_title() == ""
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["0", "1"]


def test_names_with_dollars_are_no_formulas():
    names = ["$5 to $10", "under $5", r"$\alpha$"]
    display = draw([0, 1, 2], [0, 2, 1], display_labels=names)
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == names
    for tick in [*display.ax_.get_yticklabels(), *display.ax_.get_xticklabels()]:
        assert not tick.get_parse_math()


def test_the_grades_of_an_ordered_categorical():
    y_true, y_pred = (pd.Categorical(y, SCALE, ordered=True) for y in (TRUE, PRED))
    assert draw(y_true, y_pred).display_labels == SCALE


class Fixed(DummyClassifier):
    """Predicts what it is given as X."""

    def predict(self, X):
        return np.asarray(X)[:, 0]


def test_from_estimator_draws_its_predictions():
    model = Fixed().fit([[0]] * 3, SCALE)
    X = np.array(PRED)[:, np.newaxis]
    display = OrdinalConfusionDisplay.from_estimator(
        model, X, TRUE, labels=SCALE, sample_weight=np.arange(8), normalize="all", weights="linear"
    )
    expected = draw(
        TRUE, PRED, labels=SCALE, sample_weight=np.arange(8), normalize="all", weights="linear"
    )
    assert_array_equal(display.confusion_matrix, expected.confusion_matrix)
    assert display.score == expected.score


def test_classes_of_the_estimator_belong_to_the_scale():
    model = Fixed().fit([[0]] * 3, [1, 2, 5])
    display = OrdinalConfusionDisplay.from_estimator(model, [[1], [2]], [1, 2])
    assert display.display_labels == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: model,
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: GridSearchCV(
            make_pipeline(model), {"ordinalthresholdoptimizer__smoothing": [0.0]}, cv=2
        ),
    ],
    ids=["bare", "pipeline", "search"],
)
def test_the_scale_that_an_estimator_was_fitted_with(wrap):
    X = np.arange(30.0)[:, np.newaxis]
    y = np.repeat(SCALE, 10)
    model = wrap(OrdinalThresholdOptimizer(Ridge(), labels=SCALE, cv=2)).fit(X, y)
    display = OrdinalConfusionDisplay.from_estimator(model, X[:12], y[:12])
    assert display.display_labels == SCALE
    assert_array_equal(
        display.confusion_matrix, confusion_matrix(y[:12], model.predict(X[:12]), labels=SCALE)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalize": "rows"}, "normalize='rows' is not known"),
        ({"color_by": "share"}, "color_by='share' is not known"),
        ({"weights": "cubic"}, "weights='cubic' is not known"),
        ({"cost_matrix": np.eye(2)}, r"cost_matrix has shape \(2, 2\), but the scale has 3 grades"),
        ({"display_labels": ["a", "b"]}, "display_labels has 2 names, but there are 3 grades"),
        ({"labels": None}, "pass `labels`"),
        ({"labels": ["low", "mid"]}, "'high', which labels="),
        ({"sample_weight": [1]}, "sample_weight has 1 rows"),
    ],
)
def test_what_is_refused_leaves_no_figure(options, message):
    with pytest.raises(ValueError, match=message):
        draw(TRUE, PRED, **{"labels": SCALE} | options)
    assert not plt.get_fignums()


def test_scores_are_no_grades():
    model = LinearRegression().fit([[0.0], [1.0]], [0.0, 1.5])
    with pytest.raises(ValueError, match="OrdinalThresholdOptimizer"):
        OrdinalConfusionDisplay.from_estimator(model, [[0.0], [1.0]], [0, 1])


def test_costs_near_the_end_of_float64_do_not_overflow():
    cost = 1e308 * (1 - np.eye(2))
    display = OrdinalConfusionDisplay.from_predictions([0, 0, 1], [0, 1, 0], cost_matrix=cost)
    assert display.score == pytest.approx(2 / 3 * 1e308)
    assert_allclose(display._shares(), [[0, 50], [50, 0]])
