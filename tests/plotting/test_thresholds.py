"""Cut points in a picture: the scores, the spread, and the objective along each cut."""

import numpy as np
import oracles_plotting as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal_censored.metrics import (
    mean_absolute_class_error,
    ordinal_accuracy,
    ordinal_cost,
    ordinal_cost_matrix,
    quadratic_weighted_kappa,
)
from sklearn_ordinal_censored.plotting import ThresholdDisplay
from sklearn_ordinal_censored.postprocessing import OrdinalThresholdOptimizer, optimal_thresholds

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

draw = ThresholdDisplay.from_predictions


class Undrawn(ThresholdDisplay):
    """Holds its numbers only, which is faster."""

    def plot(self, ax=None):
        return self


def some_scores(n_samples=60, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    y_true = np.arange(n_samples) % n_classes
    return y_true, y_true + rng.normal(size=n_samples)


def test_cut_points_are_those_of_optimal_thresholds():
    y_true, y_score = some_scores()
    options = {"strategy": "smoothed", "n_bootstraps": 20, "random_state": 3}
    display = draw(y_true, y_score, **options)
    expected = optimal_thresholds(y_true, y_score, **options)
    assert_array_equal(display.thresholds, expected.thresholds)
    assert_array_equal(display.threshold_std, expected.threshold_std)
    assert display.objective_value == expected.objective_value
    assert [len(part) for part in display.scores] == [15] * 4
    for grade, part in enumerate(display.scores):
        assert_array_equal(part, y_score[y_true == grade])


COST = ordinal_cost_matrix(3, under=2)
OBJECTIVES = {
    "quadratic_weighted_kappa": quadratic_weighted_kappa,
    "accuracy": ordinal_accuracy,
    "mean_absolute_class_error": mean_absolute_class_error,
    "macro_mean_absolute_class_error": lambda *args, **options: mean_absolute_class_error(
        *args, average="macro", **options
    ),
    "cost": lambda *args, **options: ordinal_cost(*args, cost_matrix=COST, **options),
}


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 8), st.integers(1, 3)), min_size=2, max_size=12
    ).filter(lambda rows: len({grade for grade, _, _ in rows}) > 1),
    name=st.sampled_from([*OBJECTIVES, "function"]),
    weighted=st.booleans(),
)
def test_curves_against_grading_anew(rows, name, weighted):
    y_true, y_score, weight = (np.array(column) for column in zip(*rows, strict=True))
    weight = weight.astype(float) if weighted else None
    metric = OBJECTIVES.get(name, ordinal_accuracy)
    objective = {"cost": COST, "function": ordinal_accuracy}.get(name, name)
    display = Undrawn.from_predictions(
        y_true,
        y_score,
        objective=objective,
        labels=[0, 1, 2],
        sample_weight=weight,
        n_bootstraps=0,
    )
    labels = {} if name == "function" else {"labels": [0, 1, 2]}
    for k, (places, values) in enumerate(display.cut_curves):
        assert (np.diff(places) >= 0).all()
        for place, value in zip(places, values, strict=True):
            cuts = [*display.thresholds[:k], place, *display.thresholds[k + 1 :]]
            predicted = oracles.graded(y_score, cuts, [0, 1, 2])
            expected = metric(y_true, predicted, sample_weight=weight, **labels)
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_exact_cut_points_are_on_top_of_their_curves():
    display = draw(*some_scores(), n_bootstraps=0)
    for cut, (places, values) in zip(display.thresholds, display.cut_curves, strict=True):
        (value,) = values[places == cut]
        assert value == pytest.approx(display.objective_value, rel=1e-12)
        assert values.max() == pytest.approx(display.objective_value, rel=1e-12)


def test_a_cut_point_moves_between_its_neighbours():
    y_true, y_score = some_scores()
    display = Undrawn.from_predictions(y_true, y_score, n_bootstraps=0)
    ends = [y_score.min(), *display.thresholds, y_score.max()]
    for k, (places, _) in enumerate(display.cut_curves):
        assert_allclose([places[0], places[-1]], [ends[k], ends[k + 2]])


def test_long_curves_are_thinned_around_their_own_cut():
    y_true, y_score = some_scores(5000)
    display = Undrawn.from_predictions(y_true, y_score, n_bootstraps=0)
    for cut, (places, values) in zip(display.thresholds, display.cut_curves, strict=True):
        assert 190 < len(places) < 210
        (value,) = values[places == cut]
        assert value == pytest.approx(display.objective_value)


def test_weights_repeat_rows():
    y_true, y_score = some_scores(24)
    weight = np.arange(24) % 3
    weighted = draw(y_true, y_score, sample_weight=weight, n_bootstraps=0)
    repeated = draw(np.repeat(y_true, weight), np.repeat(y_score, weight), n_bootstraps=0)
    assert_array_equal(weighted.thresholds, repeated.thresholds)
    assert weighted.objective_value == repeated.objective_value
    for one, other in zip(weighted.cut_curves, repeated.cut_curves, strict=True):
        assert_allclose(one, other, rtol=1e-12)


def test_boxes_are_weighted_quantiles():
    y_true, y_score = [0] * 12 + [1] * 12, np.arange(24.0)
    weight = np.r_[np.zeros(5), np.ones(7), 5.0, np.ones(11)]
    display = draw(y_true, y_score, sample_weight=weight + 1, n_bootstraps=0)
    for grade, artists in enumerate(display.ranges_):
        rows = slice(12 * grade, 12 * grade + 12)
        spelled = np.sort(np.repeat(y_score[rows], (weight + 1)[rows].astype(int)))
        low, upper = (spelled[int(np.ceil(len(spelled) * q)) - 1] for q in (0.25, 0.75))
        (box,) = artists[1]
        assert (box.get_x(), box.get_x() + box.get_width()) == (low, upper)


def test_rare_grades_are_drawn_as_points():
    y_true = [0] * 20 + [1] * 3 + [3] * 20
    display = draw(y_true, np.arange(43.0), n_bootstraps=0)
    assert [len(artists) for artists in display.ranges_] == [3, 1, 0, 3]
    assert_array_equal(display.ranges_[1][0].get_xdata(), [20, 21, 22])


def test_steps_reach_from_cut_to_cut():
    display = draw(*some_scores(), n_bootstraps=0)
    left, right = display.axes_[0].get_xlim()
    edges = [left, *display.thresholds, right]
    for step, start, stop in zip(display.steps_, edges[:-1], edges[1:], strict=True):
        assert_allclose([step.get_x(), step.get_x() + step.get_width()], [start, stop])


def test_infinite_cut_points_are_not_drawn():
    y_true, y_score = [0] * 20 + [1] * 20, np.r_[np.arange(20.0), np.arange(20.0)]
    display = draw(y_true, y_score, labels=[0, 1, 2], objective="accuracy", n_bootstraps=5)
    assert np.isinf(display.thresholds[1])
    markers, _, _ = display.cuts_
    assert len(markers.get_xdata()) == np.isfinite(display.thresholds).sum()
    assert display.steps_[2].get_width() == 0


def test_spread_is_drawn_where_it_is_known():
    y_true, y_score = some_scores()
    display = draw(y_true, y_score, n_bootstraps=10, random_state=0)
    (bars,) = display.cuts_[2]
    widths = [segment[1, 0] - segment[0, 0] for segment in bars.get_segments()]
    assert_allclose(widths, 2 * display.threshold_std)
    assert draw(y_true, y_score, n_bootstraps=0).cuts_.has_xerr is False


@pytest.mark.parametrize(
    ("objective", "label"),
    [
        ("quadratic_weighted_kappa", "quadratic weighted kappa"),
        ("mean_absolute_class_error", "mean absolute class error (lower is better)"),
        (ordinal_cost_matrix(4), "mean cost (lower is better)"),
        (ordinal_accuracy, "ordinal_accuracy"),
    ],
    ids=["kappa", "error", "matrix", "function"],
)
def test_the_side_says_what_is_optimised_and_which_way(objective, label):
    display = draw(*some_scores(), objective=objective, n_bootstraps=0)
    assert display.objective_name == label
    assert display.axes_[1].get_ylabel().replace("\n", " ") == label


def test_two_grades():
    display = draw(*some_scores(n_classes=2), n_bootstraps=0)
    assert len(display.curves_) == len(display.thresholds) == 1
    assert [tick.get_text() for tick in display.axes_[0].get_yticklabels()] == ["0", "1"]


def test_text_grades_in_the_order_of_the_scale():
    y_true, y_score = some_scores(n_classes=3)
    scale = ["low", "mid", "high"]
    display = draw(np.array(scale)[y_true], y_score, labels=scale, n_bootstraps=0)
    assert [tick.get_text() for tick in display.axes_[0].get_yticklabels()] == scale
    assert_array_equal(display.thresholds, optimal_thresholds(y_true, y_score).thresholds)
    named = draw(y_true, y_score, n_bootstraps=0, display_labels=scale)
    assert [tick.get_text() for tick in named.axes_[0].get_yticklabels()] == scale


def test_a_scale_is_warned_of_once():
    y_true, y_score = some_scores(n_classes=3)
    with pytest.warns(UserWarning, match="lie a multiple of 10 apart") as caught:
        draw(10 * y_true, y_score, n_bootstraps=0)
    assert len(caught) == 1


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: model,
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: GridSearchCV(
            make_pipeline(StandardScaler(), model),
            {"ordinalthresholdoptimizer__smoothing": [100.0]},
            cv=2,
        ),
    ],
    ids=["bare", "pipeline", "search"],
)
def test_from_estimator_shows_the_learned_cut_points_on_new_rows(wrap):
    y, score = some_scores(120)
    X = np.column_stack([score, np.ones(120)])
    model = wrap(OrdinalThresholdOptimizer(Ridge(), n_bootstraps=5, random_state=0, cv=3))
    model.fit(X[:80], y[:80])
    display = ThresholdDisplay.from_estimator(model, X[80:], y[80:])
    inner = getattr(model, "best_estimator_", model)
    inner = inner[-1] if hasattr(inner, "steps") else inner
    assert_array_equal(display.thresholds, inner.thresholds_)
    assert_array_equal(display.threshold_std, inner.threshold_std_)
    expected = quadratic_weighted_kappa(y[80:], model.predict(X[80:]), labels=range(4))
    assert display.objective_value == pytest.approx(expected, rel=1e-12)


def test_from_estimator_with_a_score_as_its_only_feature():
    y, score = some_scores()
    model = OrdinalThresholdOptimizer(cv="prefit", strategy="exact").fit(score[:, np.newaxis], y)
    display = ThresholdDisplay.from_estimator(model, score[:, np.newaxis], y)
    assert_array_equal(np.sort(np.concatenate(display.scores)), np.sort(score))
    assert display.threshold_std is None


def test_a_score_equal_to_a_cut_point_belongs_to_the_upper_grade():
    model = OrdinalThresholdOptimizer(cv="prefit", strategy="exact", objective="accuracy")
    model.fit([[1.0], [2.0]], [0, 1])
    display = ThresholdDisplay.from_estimator(model, [[1.0], [1.5], [2.0]], [0, 1, 1])
    assert model.thresholds_.tolist() == [1.5]
    assert display.objective_value == 1.0
    highest = np.nextafter(2, 3)  # no score is above it
    expected = [[1, 1.5, 1.75, highest], [2 / 3, 1, 2 / 3, 1 / 3]]
    assert_array_equal(display.cut_curves[0], expected)


def test_an_estimator_without_cut_points_is_refused():
    model = Ridge().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="Ridge has no cut points; fit an OrdinalThreshold"):
        ThresholdDisplay.from_estimator(model, [[0.0], [1.0]], [0, 1])


def test_one_grade_is_refused():
    y, score = some_scores()
    model = OrdinalThresholdOptimizer(cv="prefit").fit(score[:, np.newaxis], y)
    with pytest.raises(ValueError, match=r"y_true holds one grade only, .*2"):
        ThresholdDisplay.from_estimator(model, score[:3, np.newaxis], [2, 2, 2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": "f1"}, "objective='f1' is not known"),
        ({"strategy": "best"}, "strategy='best' is not known"),
        ({"display_labels": ["a"]}, "display_labels has 1 names"),
        ({"labels": [0, 1]}, "does not list"),
        ({"n_bootstraps": -1}, "n_bootstraps=-1"),
    ],
)
def test_what_is_refused_leaves_no_figure(options, message):
    with pytest.raises(ValueError, match=message):
        draw(*some_scores(), **options)
    assert not plt.get_fignums()
