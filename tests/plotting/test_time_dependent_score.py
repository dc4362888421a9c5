"""Scores over time: the numbers of the metrics, gaps, references, rows left."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from survival_models import TIMES, ByFunctions, ByTimes, Model, some_predictions, some_rows

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.metrics import (
    auc_inference,
    brier_inference,
    censored_brier_score,
    censored_report,
    get_scorer,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.plotting import TimeDependentScoreDisplay
from sklearn_ordinal_censored.targets import right_censored

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

draw = TimeDependentScoreDisplay.from_predictions
INFERENCE = {"brier": brier_inference, "auc": auc_inference}
every_score = pytest.mark.parametrize("score", INFERENCE)


class Silent:
    """Predicts a hazard, and does not say so."""

    def predict(self, X):
        return X[:, 0]


class AsRisk(Model):
    """Predicts a hazard."""

    _predict_risk_score = True

    def predict(self, X):
        return self.hazard(X)


def late(y_true):
    """Times beyond the last event and beyond the last row, and one between events."""
    return np.array([0.5, 1.0, y_true["time"].max() + 1, y_true["time"].max() + 2])


OPTIONS = {
    "plain": {},
    "weights": {"sample_weight": np.arange(200) % 3},
    "reference": {"censoring": right_censored(np.arange(200) % 2, np.linspace(0.1, 9, 200))},
}


@every_score
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_numbers_are_those_of_the_metric(score, options, level):
    y_true, y_pred = some_predictions()
    display = draw(y_true, y_pred, times=TIMES, score=score, confidence_level=level, **options)
    expected = INFERENCE[score](y_true, y_pred, times=TIMES, **options)
    assert_array_equal(display.times, TIMES)
    assert_array_equal(display.scores, expected.estimate)
    assert_array_equal(display.intervals, expected.confidence_interval(level))


def test_areas_of_risks():
    y_true, y_pred = some_predictions()
    risk = -y_pred[:, 0]
    display = draw(y_true, risk, times=TIMES, score="auc", prediction="risk")
    expected = auc_inference(y_true, risk, times=TIMES, prediction="risk")
    assert_array_equal(display.scores, expected.estimate)


@every_score
def test_lines_run_in_the_order_of_time(score):
    display = draw(*some_predictions(), times=TIMES, score=score)
    order = np.argsort(TIMES)
    assert_array_equal(display.line_.get_xdata(), TIMES[order])
    assert_array_equal(display.line_.get_ydata(), np.asarray(display.scores)[order])
    assert_array_equal(display.ref_line_.get_ydata(), np.asarray(display.reference)[order])
    corners = {tuple(corner) for corner in display.band_.get_paths()[0].vertices}
    for end in display.intervals:
        assert set(zip(TIMES, end, strict=True)) <= corners


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_reference_is_the_score_of_the_kaplan_meier_curve(options):
    y_true, y_pred = some_predictions()
    curve = KaplanMeier().fit(y_true, options.get("sample_weight")).predict(TIMES)
    everywhere = np.tile(curve, (len(y_true), 1))
    display = draw(y_true, y_pred, times=TIMES, **options)
    expected = censored_brier_score(y_true, everywhere, times=TIMES, **options)
    assert_allclose(display.reference, expected, rtol=1e-12)


def test_the_reference_of_areas_is_one_half():
    display = draw(*some_predictions(), times=TIMES, score="auc")
    assert_array_equal(display.reference, [0.5, 0.5, 0.5])


@pytest.mark.parametrize("weight", [None, np.arange(200) % 3], ids=["none", "some"])
def test_rows_left_are_those_of_the_report(weight):
    y_true, y_pred = some_predictions()
    times = np.append(TIMES, y_true["time"][:3])  # nobody is left of a row at its own time
    y_pred = np.exp(-np.outer(some_rows()[0][:, 0], times))
    display = draw(y_true, y_pred, times=times, sample_weight=weight)
    ones = np.ones(200) if weight is None else weight
    expected = [ones[y_true["time"] > time].sum() for time in times]
    assert_allclose(display.rows_left, expected)
    report = censored_report(y_true, y_proba=y_pred, times=times, sample_weight=weight)
    reported = report.xs("rows_left", level="measure")["value"]
    assert_allclose(sorted(reported), sorted(display.rows_left))


@every_score
def test_undefined_times_are_gaps_on_grey_ground(score):
    X, y_true = some_rows()
    y_true["time"][0], y_true["event"][0] = y_true["time"].max() + 0.5, False  # the last row
    times = late(y_true)
    y_pred = np.exp(-np.outer(X[:, 0], times))
    with pytest.warns(UndefinedMetricWarning, match=r"TimeDependentScoreDisplay: the .* at "):
        display = draw(y_true, y_pred, times=times, score=score)
    assert_array_equal(np.isnan(display.line_.get_ydata()), [False, False, True, True])
    (span,) = display.undefined_
    box = span.get_extents().transformed(display.axes_[0].transData.inverted())
    assert_allclose([box.x0, box.x1], [times[1], times[3]])
    low, high = display.axes_[0].get_xlim()
    assert low < times[0]
    assert high > times[3]
    legend = [text.get_text() for text in display.axes_[0].get_legend().get_texts()]
    assert "undefined" in legend


def test_scores_between_two_gaps_are_dots_with_bars():
    nan = np.nan
    display = TimeDependentScoreDisplay(
        [1, 2, 3, 4, 5, 6],
        [nan, 0.2, nan, 0.3, 0.4, nan],
        intervals=np.array([[nan, 0.1, nan, 0.2, 0.3, nan], [nan, 0.3, nan, 0.4, 0.5, nan]]),
    ).plot()
    assert display.dots_.get_xdata().tolist() == [2]
    assert [bar.tolist() for bar in display.bars_.get_segments()] == [[[2, 0.1], [2, 0.3]]]
    spans = [span.get_extents() for span in display.undefined_]
    inverse = display.axes_[0].transData.inverted()
    ends = [(box.transformed(inverse).x0, box.transformed(inverse).x1) for box in spans]
    assert_allclose(ends, [(1, 2), (2, 4), (5, 6)])


@every_score
def test_a_single_time_is_a_dot(score):
    display = draw(*some_predictions([0.6]), times=[0.6], score=score)
    assert display.dots_.get_ydata().tolist() == display.scores.tolist()
    assert len(display.bars_.get_segments()) == 1


def test_a_brier_score_is_drawn_from_zero_for_every_model():
    y_true, y_pred = some_predictions()
    first = draw(y_true, y_pred, times=TIMES)
    draw(y_true, 1 - np.cumsum(y_pred, axis=1) / 10, times=[1, 2, 3], ax=first.axes_)
    worse = draw(y_true, np.zeros_like(y_pred), times=TIMES, ax=first.axes_)
    low, high = first.axes_[0].get_ylim()
    assert low == 0
    assert high > worse.scores.max() > first.scores.max()


def test_a_second_model_on_the_same_panels():
    y_true, y_pred = some_predictions()
    first = draw(y_true, y_pred, times=TIMES, name="first", time_label="years")
    second = draw(
        y_true,
        y_pred**2,
        times=TIMES,
        ax=first.axes_,
        name="second",
        color="black",
        linestyle="--",
    )
    assert second.axes_.tolist() == first.axes_.tolist()
    assert second.figure_ is first.figure_
    assert second.ref_line_ is second.rows_left_ is None
    assert second.undefined_ == []
    legend = [text.get_text() for text in first.axes_[0].get_legend().get_texts()]
    assert legend == ["first", "second", "Kaplan-Meier curve"]
    assert first.axes_[1].get_xlabel() == "years"


def test_one_panel_without_the_rows_left():
    display = TimeDependentScoreDisplay([1, 2], [0.7, 0.8], score_name="area").plot()
    assert len(display.axes_) == 1
    assert display.band_ is display.bars_ is display.ref_line_ is display.rows_left_ is None
    assert display.axes_[0].get_ylabel() == "area"
    assert display.axes_[0].get_legend() is None


@pytest.mark.parametrize("model", [ByTimes, ByFunctions])
@every_score
def test_from_estimator(model, score):
    X, y = some_rows()
    fitted = model().fit(X, y)
    display = TimeDependentScoreDisplay.from_estimator(fitted, X, y, times=TIMES, score=score)
    if model is ByTimes:
        y_pred = fitted.predict_survival(X, TIMES)
    else:
        y_pred = fitted.predict_survival_function(X)
    assert_array_equal(display.scores, INFERENCE[score](y, y_pred, times=TIMES).estimate)


def test_an_estimator_without_curves_is_refused():
    X, y = some_rows()
    model = DummyRegressor().fit(X, y["time"])
    with pytest.raises(ValueError, match="DummyRegressor predicts no survival curves"):
        TimeDependentScoreDisplay.from_estimator(model, X, y, times=TIMES)
    assert not plt.get_fignums()


def without_curves(kind, X, y):
    """Fitted models that predict a time or a risk, and its direction."""
    if kind == "weighted regressor":
        return IPCWRegressor(LinearRegression()).fit(X, y), "time"
    model = (AsRisk() if kind == "risk" else Model()).fit(X, y)
    if kind == "pipeline":
        model = make_pipeline(FunctionTransformer(), Model()).fit(X, y)
    return model, "risk" if kind == "risk" else "time"


@pytest.mark.parametrize("kind", ["weighted regressor", "time", "risk", "pipeline"])
def test_areas_of_an_estimator_without_curves_are_those_of_the_scorer(kind):
    X, y = some_rows()
    model, prediction = without_curves(kind, X, y)
    options = {"times": np.sort(TIMES)}
    display = TimeDependentScoreDisplay.from_estimator(model, X, y, score="auc", **options)
    expected = auc_inference(y, model.predict(X), prediction=prediction, **options)
    assert_array_equal(display.scores, expected.estimate)
    mean = get_scorer("integrated_auc", **options)(model, X, y)
    assert min(display.scores) < mean < max(display.scores)


def test_curves_come_before_times_and_risks():
    X, y = some_rows()
    Model.asked.clear()
    TimeDependentScoreDisplay.from_estimator(ByTimes(), X, y, times=TIMES, score="auc")
    assert Model.asked == ["predict_survival"]


def test_areas_by_a_response_of_ones_own():
    X, y = some_rows()
    display = TimeDependentScoreDisplay.from_estimator(
        Model(),
        X,
        y,
        times=TIMES,
        score="auc",
        response=lambda model, X, times: np.exp(-np.outer(1 - model.hazard(X) / 9, times)),
    )
    assert (display.scores < 0.5).all()


@pytest.mark.parametrize("score", ["auc", "brier"])
def test_an_estimator_that_predicts_nothing_is_refused(score):
    X, y = some_rows()
    with pytest.raises(ValueError, match="StandardScaler predicts no survival curves"):
        TimeDependentScoreDisplay.from_estimator(StandardScaler(), X, y, times=TIMES, score=score)


def test_several_columns_of_predict_are_refused():
    X, y = some_rows()
    model = DummyRegressor().fit(X, np.zeros((200, 2)))
    told = r"DummyRegressor.predict gives the shape \(200, 2\), but the area .* from_predictions"
    with pytest.raises(ValueError, match=told):
        TimeDependentScoreDisplay.from_estimator(model, X, y, times=TIMES, score="auc")


TWO = right_censored([1, 1], [1, 3])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2], [0.5, 0.5]), {}, "y_true"),
        ((TWO, [0.5, 1.5]), {}, "y_pred must hold probabilities from 0 to 1"),
        ((TWO, [[0.5], [np.nan]]), {}, "y_pred must be finite"),
        ((TWO, [0.5]), {}, "y_pred"),
        ((TWO, [0.5]), {"score": "auc"}, "y_pred"),
        ((TWO, [0.5, 0.5]), {"times": []}, "times is empty"),
        (
            (TWO, [0.5, 0.5]),
            {"score": "ici"},
            "score='ici' is not known; use one",
        ),
        ((TWO, [0.5, 0.5]), {"prediction": "risk"}, "prediction='risk', but a Brier score needs"),
        ((TWO, [0.5, 0.5]), {"score": "auc", "prediction": "x"}, "prediction='x' is not known"),
        ((TWO, [0.5, 0.5]), {"sample_weight": [1, -1]}, "sample_weight"),
        ((TWO, [0.5, 0.5]), {"censoring": "train"}, "censoring"),
        ((TWO, [0.5, 0.5]), {"confidence_level": 95}, "confidence_level=95"),
        ((pd.DataFrame({"entry": [0, 0], "event": [1, 0], "time": [1, 2]}), [0.5, 0.5]), {}, "ent"),
    ],
)
def test_what_is_refused_leaves_no_figure(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        draw(*arguments, **{"times": [2.0], **options})
    assert not plt.get_fignums()


def test_the_warning_of_an_increase_names_the_argument():
    with pytest.warns(UserWarning, match=r"y_pred increases .* y_pred\[:, k\] must .*`y_pred.T`"):
        draw(TWO, [[0.5, 0.9], [0.8, 0.7]], times=[0.5, 1.5])


def test_a_wrong_number_of_panels_is_refused():
    _, panels = plt.subplots(1, 3)
    with pytest.raises(ValueError, match="ax holds 3 axes, but there are 2 panels"):
        draw(*some_predictions(), times=TIMES, ax=panels)


def test_the_direction_of_an_estimator_can_be_given():
    X, y = some_rows()
    model = Silent()
    as_times = TimeDependentScoreDisplay.from_estimator(model, X, y, times=TIMES, score="auc")
    as_risks = TimeDependentScoreDisplay.from_estimator(
        model, X, y, times=TIMES, score="auc", prediction="risk"
    )
    assert_allclose(as_times.scores, 1 - as_risks.scores)
    assert (as_risks.scores > 0.5).all()


def test_an_unknown_score_of_an_estimator_is_named():
    X, y = some_rows()
    with pytest.raises(ValueError, match=r"^score='AUC' is not known"):
        TimeDependentScoreDisplay.from_estimator(Silent(), X, y, times=TIMES, score="AUC")


class CurvesAndRisk(ByTimes):
    """Predicts curves, and a hazard, as the models of scikit-survival do."""

    def predict(self, X):
        return self.hazard(X)


def test_a_given_direction_is_that_of_predict_beside_curves():
    X, y = some_rows()
    model = CurvesAndRisk().fit(X, y)
    given = {"times": TIMES, "score": "auc"}
    of_curves = TimeDependentScoreDisplay.from_estimator(model, X, y, **given)
    of_risks = TimeDependentScoreDisplay.from_estimator(model, X, y, prediction="risk", **given)
    assert (of_curves.scores > 0.5).all()
    expected = auc_inference(y, model.predict(X), times=TIMES, prediction="risk").estimate
    assert_array_equal(of_risks.scores, expected)
    with pytest.raises(ValueError, match=r"prediction='risk' says .*, but `response=` is asked"):
        TimeDependentScoreDisplay.from_estimator(
            model,
            X,
            y,
            prediction="risk",
            response=lambda m, X, t: m.predict_survival(X, t),
            **given,
        )


def test_a_direction_without_predict_is_refused():
    class Curves:
        def predict_survival(self, X, times):
            return np.exp(-np.outer(X[:, 0], times))

    X, y = some_rows()
    with pytest.raises(ValueError, match=r"prediction='risk' says .*, but Curves has no `predict`"):
        TimeDependentScoreDisplay.from_estimator(
            Curves(), X, y, times=TIMES, score="auc", prediction="risk"
        )
