"""Calibration of survival: the numbers of calibration_at_time, panels, what is unknown."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from survival_models import TIMES, ByFunctions, ByTimes, some_predictions, some_rows

from sklearn_ordinal_censored.metrics import calibration_at_time
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.plotting import SurvivalCalibrationDisplay
from sklearn_ordinal_censored.plotting._style import name_times
from sklearn_ordinal_censored.targets import interval_censored, right_censored

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

draw = SurvivalCalibrationDisplay.from_predictions


@pytest.mark.parametrize("n_bins", [1, 4, 10])
def test_numbers_are_those_of_the_metric(n_bins):
    y_true, y_proba = some_predictions()
    display = draw(y_true, y_proba, times=TIMES, n_bins=n_bins)
    assert len(display.axes_) == len(display.points_) == len(TIMES)
    for place, time in enumerate(TIMES):
        table = calibration_at_time(y_true, y_proba[:, place], time=time, n_bins=n_bins)
        assert_array_equal(display.prob_pred[place], table.predicted)
        assert_array_equal(display.prob_true[place], table.observed)
        assert_array_equal(display.counts[place], table.counts)
        drawn = display.points_[place].get_offsets()
        assert_array_equal(drawn, np.column_stack([table.predicted, table.observed]))


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_intervals_are_those_of_kaplan_meier(level):
    y_true, y_proba = some_predictions([0.6])
    display = draw(y_true, y_proba[:, 0], times=[0.6], n_bins=2, confidence_level=level)
    is_upper = y_proba[:, 0] > np.median(y_proba)
    for place, rows in enumerate([~is_upper, is_upper]):
        curve = KaplanMeier().fit(y_true[rows])
        row = np.searchsorted(curve.times_, 0.6, side="right") - 1
        expected = curve.confidence_interval(level)[row]
        assert_allclose(display.intervals[0][:, place], expected, rtol=1e-12)


def test_bars_are_the_intervals():
    display = draw(*some_predictions([0.6]), times=[0.6], n_bins=4)
    bars = display.axes_[0].collections[0].get_segments()
    assert_allclose([bar[:, 1] for bar in bars], display.intervals[0].T)


def test_no_interval_where_nobody_or_everybody_had_the_event():
    y_true = right_censored([1, 1, 0, 0], [1, 1, 5, 5])
    display = draw(y_true, [0.2, 0.2, 0.8, 0.8], times=[3], n_bins=2)
    assert_array_equal(display.prob_true[0], [0, 1])
    assert np.isnan(display.intervals[0]).all()
    assert_array_equal(display.points_[0].get_offsets(), [[0.2, 0], [0.8, 1]])


def test_unknown_bins_warn_and_are_counted_in_the_panel():
    y_true = right_censored([1, 0, 1, 0], [1, 2, 1, 9])
    with pytest.warns(UndefinedMetricWarning, match="1 of 2 bins"):
        display = draw(y_true, [0.2, 0.2, 0.8, 0.8], times=[3], n_bins=2)
    assert_array_equal(display.prob_true[0], [np.nan, 0.5])
    assert display.axes_[0].get_xlabel() == "predicted\n2 a bin\n1 of 2 unknown"


def test_bounds_have_points_and_no_bars():
    y_true = interval_censored([0, 3, 3, 6, 6, 9], [3, 6, 9, 9, np.inf, np.inf])
    y_proba = [0.2, 0.3, 0.4, 0.5, 0.8, 0.9]
    display = draw(y_true, y_proba, times=[6], n_bins=2)
    table = calibration_at_time(y_true, y_proba, time=6, n_bins=2)
    assert_array_equal(display.prob_true[0], table.observed)
    assert np.isnan(display.intervals[0]).all()


def test_containers_of_predictions():
    X, y_true = some_rows()
    frame = pd.DataFrame(np.exp(-np.outer(X[:, 0], TIMES)), columns=TIMES)
    expected = draw(y_true, frame.to_numpy(), times=TIMES, n_bins=5)
    functions = [lambda time, hazard=hazard: np.exp(-hazard * time) for hazard in X[:, 0]]
    for y_proba in (frame, functions):
        display = draw(y_true, y_proba, times=TIMES, n_bins=5)
        assert_allclose(display.prob_pred, expected.prob_pred)
        assert_array_equal(display.prob_true, expected.prob_true)


def test_panels_are_named_by_their_times():
    y_true, y_proba = some_predictions()
    display = draw(y_true, y_proba, times=TIMES)
    titles = [panel.get_title() for panel in display.axes_]
    assert titles == ["survival at 0.3", "survival at 1", "survival at 0.6"]
    named = draw(y_true, y_proba, times=TIMES, display_labels=["spring", "winter", "autumn"])
    assert named.axes_[0].get_title() == "survival at spring"


def test_titles_tell_times_apart():
    y_true = right_censored([1, 1, 0, 0], [1e6, 2e6, 3e6, 4e6])
    y_proba = np.tile([[0.5], [0.5], [0.75], [0.75]], 2)
    display = draw(y_true, y_proba, times=[2_000_001, 2_000_002], n_bins=2)
    titles = [panel.get_title() for panel in display.axes_]
    assert titles == ["survival at 2000001", "survival at 2000002"]


def test_zero_of_either_sign_is_one_time():
    assert name_times(np.array([-0.0, 0.0, 0.1]))[2] == "0.1"


def test_a_response_that_is_no_function_is_refused():
    X, y = some_rows()
    with pytest.raises(ValueError, match=r"^response='predict' must be a function"):
        SurvivalCalibrationDisplay.from_estimator(None, X, y, times=[1], response="predict")


def test_a_second_model_on_the_same_panels():
    y_true, y_proba = some_predictions()
    first = draw(y_true, y_proba, times=TIMES, name="first")
    options = {"ax": first.axes_, "name": "second", "color": "black", "marker": "s"}
    second = draw(y_true, y_proba**2, times=TIMES, **options)
    assert second.axes_.tolist() == first.axes_.tolist()
    assert second.figure_ is first.figure_
    assert second.ref_lines_ == []
    legend = [text.get_text() for text in first.axes_[-1].get_legend().get_texts()]
    assert legend == ["first", "second"]


@pytest.mark.parametrize("model", [ByTimes, ByFunctions])
def test_from_estimator(model):
    X, y = some_rows()
    fitted = model().fit(X, y)
    display = SurvivalCalibrationDisplay.from_estimator(
        make_pipeline(FunctionTransformer(), fitted).fit(X, y), X, y, times=[0.5], n_bins=4
    )
    if model is ByTimes:
        y_proba = fitted.predict_survival(X, [0.5])
    else:
        y_proba = fitted.predict_survival_function(X)
    expected = draw(y, y_proba, times=[0.5], n_bins=4)
    assert_array_equal(display.prob_pred, expected.prob_pred)
    assert_array_equal(display.prob_true, expected.prob_true)


def test_from_estimator_with_a_response_of_the_caller():
    X, y = some_rows()
    display = SurvivalCalibrationDisplay.from_estimator(
        None,
        X,
        y,
        times=[0.5],
        n_bins=2,
        response=lambda _, X, times: np.exp(-np.outer(X[:, 0], times)),
        name="own",
    )
    assert_array_equal(display.prob_pred, draw(y, np.exp(-X / 2), times=[0.5], n_bins=2).prob_pred)
    assert display.name == "own"


def test_an_estimator_without_curves_is_refused():
    X, y = some_rows()
    model = DummyRegressor().fit(X, y["time"])
    with pytest.raises(ValueError, match="DummyRegressor predicts no survival curves"):
        SurvivalCalibrationDisplay.from_estimator(model, X, y, times=[0.5])
    assert not plt.get_fignums()


TWO = right_censored([1, 0], [1, 2])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2], [0.5, 0.5]), {}, "y_true"),
        ((TWO, [0.5, 1.5]), {}, "y_proba must hold probabilities from 0 to 1"),
        ((TWO, [[0.5, 0.5], [0.5, 0.5]]), {}, r"y_proba must have the shape"),
        ((TWO, [0.5, 0.5]), {"times": 1}, r"give times=\[1\]"),
        ((TWO, [0.5, 0.5]), {"times": [np.inf]}, "times must be finite"),
        ((TWO, [0.5, 0.5]), {"n_bins": 0}, "n_bins=0"),
        ((TWO, [0.5, 0.5]), {"confidence_level": 95}, "confidence_level=95"),
        ((TWO, [0.5, 0.5]), {"display_labels": ["a", "b"]}, "2 names, but there are 1 times"),
        ((pd.DataFrame({"entry": [0, 0], "event": [1, 0], "time": [1, 2]}), [0.5, 0.5]), {}, "ent"),
    ],
)
def test_what_is_refused_leaves_no_figure(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        draw(*arguments, **{"times": [1.0], **options})
    assert not plt.get_fignums()


def test_a_wrong_number_of_panels_is_refused():
    _, panels = plt.subplots(1, 2)
    with pytest.raises(ValueError, match="ax holds 2 axes, but there are 3 times"):
        draw(*some_predictions(), times=TIMES, ax=panels)
