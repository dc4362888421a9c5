"""What holds for every display: where it draws, what it keeps, and that labels find room."""

import pickle
from itertools import pairwise, product

import numpy as np
import pytest
from survival_models import some_predictions

from sklearn_ordinal_censored import plotting
from sklearn_ordinal_censored.plotting import (
    CensoredSplitDisplay,
    CumulativeCalibrationDisplay,
    OrdinalConfusionDisplay,
    SurvivalCalibrationDisplay,
    ThresholdDisplay,
    TimeDependentScoreDisplay,
)
from sklearn_ordinal_censored.targets import right_censored

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
LONG = [f"{word}, but leaning strongly towards the other side of it" for word in WORDS]
PARTIES = ["strong Democrat", "independent Democrat", "independent Republican", "independent"]


def rows_of(n_classes):
    """Grades, predictions, scores and probabilities; the upper grades are rare."""
    rng = np.random.default_rng(n_classes)
    share = np.geomspace(1, 0.01, n_classes)
    y_true = np.sort(rng.choice(n_classes, 300, p=share / share.sum()))
    y_true[:n_classes] = np.arange(n_classes)
    y_score = y_true + rng.normal(size=300)
    y_pred = np.clip(np.rint(y_score), 0, n_classes - 1).astype(int)
    y_proba = np.exp(-((np.arange(n_classes) - y_score[:, np.newaxis]) ** 2) / 2)
    return y_true, y_pred, y_score, y_proba / y_proba.sum(axis=1, keepdims=True)


def confusion(ax=None, n_classes=3, **options):
    y_true, y_pred, *_ = rows_of(n_classes)
    return OrdinalConfusionDisplay.from_predictions(
        y_true, y_pred, labels=range(n_classes), ax=ax, **options
    )


def thresholds(ax=None, n_classes=3, **options):
    y_true, _, y_score, _ = rows_of(n_classes)
    return ThresholdDisplay.from_predictions(
        y_true, y_score, n_bootstraps=10, random_state=0, ax=ax, **options
    )


def calibration(ax=None, n_classes=3, **options):
    y_true, _, _, y_proba = rows_of(n_classes)
    return CumulativeCalibrationDisplay.from_predictions(y_true, y_proba, ax=ax, **options)


def splits(ax=None, n_splits=3):
    rng = np.random.default_rng(0)
    y = right_censored(rng.random(120) < 0.4, rng.exponential(1000.0, 120))
    return CensoredSplitDisplay.from_cv(n_splits, np.zeros((120, 1)), y, ax=ax)


def survival_calibration(ax=None, times=(0.3, 0.6), **options):
    return SurvivalCalibrationDisplay.from_predictions(
        *some_predictions(times), times=times, n_bins=5, ax=ax, **options
    )


def score_over_time(ax=None, times=(0.2, 0.4, 0.6), **options):
    return TimeDependentScoreDisplay.from_predictions(
        *some_predictions(times), times=times, ax=ax, **options
    )


GRADED = {"confusion": confusion, "thresholds": thresholds, "calibration": calibration}
CURVES = {"survival calibration": survival_calibration, "score over time": score_over_time}
DISPLAYS = GRADED | {"splits": splits} | CURVES
every_display = pytest.mark.parametrize("draw", DISPLAYS.values(), ids=DISPLAYS)
graded_displays = pytest.mark.parametrize("draw", GRADED.values(), ids=GRADED)


def test_every_public_display_is_tested_here():
    drawn = {type(draw()).__name__ for draw in DISPLAYS.values()}
    assert drawn == set(plotting.__all__)


@every_display
def test_a_new_figure_without_axes(draw):
    display = draw()
    assert plt.get_fignums() == [display.figure_.number]
    assert display.ax_.figure is display.figure_


@every_display
def test_the_axes_of_the_caller(draw):
    figure, (left, right) = plt.subplots(1, 2)
    plt.sca(right)
    other = plt.figure()  # and another figure is the current one
    display = draw(ax=left)
    assert display.ax_ is left
    assert display.figure_ is figure
    assert plt.get_fignums() == [figure.number, other.number]
    assert plt.gcf() is other
    assert figure.gca() is right
    assert not right.has_data()


PANELLED = {"thresholds": thresholds, "calibration": calibration} | CURVES


@pytest.mark.parametrize("draw", PANELLED.values(), ids=PANELLED)
def test_axes_whose_place_is_taken_are_refused(draw):
    first = draw()
    with pytest.raises(ValueError, match=r"^ax holds panels already; give the `axes_`"):
        draw(ax=first.ax_)
    assert all(panel.get_visible() for panel in first.axes_)


@pytest.mark.parametrize("draw", PANELLED.values(), ids=PANELLED)
def test_axes_whose_frame_is_hidden_are_taken(draw):
    _, ax = plt.subplots()
    ax.axis("off")
    assert draw(ax=ax).ax_ is ax


def test_a_picture_that_was_refused_leaves_the_axes_free():
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match="nocolour"):
        score_over_time(ax=ax, color="nocolour")
    display = score_over_time(ax=ax, color="red")
    assert [panel for panel in ax.figure.axes if panel.axison] == list(display.axes_)


@pytest.mark.parametrize("draw", [calibration, *CURVES.values()])
def test_what_the_caller_has_drawn_is_no_other_model(draw):
    alone = draw()
    _, axes = plt.subplots(1, len(alone.axes_))
    axes[0].axvline(0.3)
    axes[0].scatter([0.3], [0.5])
    display = draw(ax=axes)
    for panel, expected in zip(display.axes_, alone.axes_, strict=True):
        assert panel.get_ylabel() == expected.get_ylabel()
    assert [panel.get_title() for panel in axes] == [panel.get_title() for panel in alone.axes_]
    reference = getattr(display, "ref_line_", None) or display.ref_lines_[0]
    assert reference.axes is axes[0]


@pytest.mark.parametrize("draw", [calibration, *CURVES.values()])
def test_a_pickled_figure_still_holds_its_model(draw):
    figure = pickle.loads(pickle.dumps(draw().figure_))
    panels = [panel for panel in figure.axes if panel.axison]
    second = draw(ax=panels)
    assert second.axes_.tolist() == panels
    assert getattr(second, "ref_lines_", []) == []
    assert getattr(second, "ref_line_", None) is None


@every_display
def test_axes_without_a_grid_and_inside_a_subfigure(draw):
    figure = plt.figure(layout="constrained")
    upper, lower = figure.subfigures(2, 1)
    display = draw(ax=lower.add_subplot())
    assert display.figure_ is lower
    assert not upper.axes
    loose = plt.figure().add_axes((0.3, 0.4, 0.5, 0.3))
    place = loose.get_position()
    for panel in np.atleast_1d(getattr(draw(ax=loose), "axes_", loose)):
        box = panel.get_position()
        assert place.x0 - 0.01 < box.x0 < box.x1 < place.x1 + 0.01
        assert place.y0 - 0.01 < box.y0 < box.y1 < place.y1 + 0.01


@every_display
def test_a_grid_that_belongs_to_no_figure(draw):
    from matplotlib.gridspec import GridSpec

    figure = plt.figure()
    assert draw(ax=figure.add_subplot(GridSpec(2, 2)[0, 1])).figure_ is figure


@every_display
def test_a_display_can_be_drawn_again(draw):
    display = draw()
    first = display.figure_
    assert display.plot() is display
    assert display.figure_ is not first
    assert len(plt.get_fignums()) == 2


@every_display
def test_data_travel_without_the_artists(draw):
    display = draw()
    data = {name: value for name, value in vars(display).items() if not name.endswith("_")}
    copy = type(display)(**pickle.loads(pickle.dumps(data)))
    assert len(copy.plot().figure_.axes) == len(display.figure_.axes)


@every_display
def test_dark_backgrounds(draw):
    with plt.style.context("dark_background"):
        draw().figure_.draw_without_rendering()


@pytest.mark.parametrize("draw", [*GRADED.values(), *CURVES.values()], ids=[*GRADED, *CURVES])
def test_unknown_options_are_refused(draw):
    with pytest.raises(TypeError, match="colour_bar"):
        draw(colour_bar=False)
    assert not plt.get_fignums()


def visible_texts(figure):
    for ax in figure.axes:
        if ax.axison:
            yield from (ax.title, ax.xaxis.label, ax.yaxis.label)
            yield from ax.texts
            yield from ax.get_legend().get_texts() if ax.get_legend() else ()
            for axis in (ax.xaxis, ax.yaxis):
                low, high = sorted(axis.get_view_interval())
                for tick in axis.get_major_ticks():
                    if low <= tick.get_loc() <= high and tick.label1.get_visible():
                        yield tick.label1


def overlap(one, other):
    """Whether two boxes share more than their rims, in pixels."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return width > 1 and height > 1


SIZES = {"8 cm": (3.15, 2.6), "usual": (6.4, 4.8), "screen": (13.0, 8.0)}


def assert_texts_find_room(figure):
    """No text overlaps another or leaves the figure."""
    figure.draw_without_rendering()
    width, height = figure.get_size_inches() * figure.dpi
    level, turned = [], []
    for text in visible_texts(figure):
        if text.get_text():
            box = text.get_window_extent()
            is_inside = box.x0 > -3 and box.y0 > -3 and box.x1 < width + 3 and box.y1 < height + 3
            assert is_inside, text.get_text()
            (turned if text.get_rotation() == 45 else level).append((text, box))
    for (one, box), (other, next_box) in product(level, level):
        assert one is other or not overlap(box, next_box), (one.get_text(), other.get_text())
    # Turned names run beside each other, as far apart as their anchors across their direction.
    places = [text.get_transform().transform(text.get_position())[0] for text, _ in turned]
    for (text, _), (left, right) in zip(turned, pairwise(places), strict=False):
        lines = len(text.get_text().splitlines())
        assert lines * 1.1 * text.get_fontsize() * figure.dpi / 72 < (right - left) * np.sqrt(0.5)


@graded_displays
@pytest.mark.parametrize(
    ("size", "names"),
    [
        ("8 cm", LONG[:2]),
        ("8 cm", PARTIES),
        ("8 cm", LONG[:7]),
        ("8 cm", LONG),
        ("8 cm", WORDS),
        ("usual", PARTIES),
        ("usual", LONG),
        ("screen", LONG),
    ],
)
def test_names_of_any_length_find_room(draw, size, names):
    with plt.rc_context({"figure.figsize": SIZES[size]}):
        display = draw(n_classes=len(names), display_labels=names)
    assert_texts_find_room(display.figure_)


@pytest.mark.parametrize("n_splits", [2, 10, 60])
def test_numbers_of_folds_find_room(n_splits):
    with plt.rc_context({"figure.figsize": SIZES["8 cm"]}):
        assert_texts_find_room(splits(n_splits=n_splits).figure_)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("n_times", [1, 2, 5, 9])
def test_times_of_calibration_find_room(size, n_times):
    times = np.linspace(0.1, 0.7, n_times)
    names = [f"{k} years, {6 * k} months" for k in range(n_times)]
    with plt.rc_context({"figure.figsize": SIZES[size]}):
        for options in ({}, {"display_labels": names}):
            assert_texts_find_room(survival_calibration(times=times, **options).figure_)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("score", ["brier", "auc"])
def test_models_over_time_find_room(size, score):
    with plt.rc_context({"figure.figsize": SIZES[size]}):
        first = score_over_time(score=score, name="a linear model", time_label="years, at last")
        for name in ("trees", "trees and a linear model, together"):
            score_over_time(score=score, name=name, ax=first.axes_)
    assert_texts_find_room(first.figure_)


@pytest.mark.parametrize("n_classes", [2, 10])
@pytest.mark.parametrize("size", ["8 cm", "usual"])
@pytest.mark.parametrize("weight", [1, 999])
def test_numbers_stay_in_their_cells(n_classes, size, weight):
    with plt.rc_context({"figure.figsize": SIZES[size]}):
        display = confusion(n_classes=n_classes, sample_weight=np.full(300, weight))
    display.figure_.draw_without_rendering()
    to_pixels = display.ax_.transData.transform
    for row, column in np.ndindex(display.text_.shape):
        (x0, y1), (x1, y0) = to_pixels([(column - 0.5, row - 0.5), (column + 0.5, row + 0.5)])
        for texts in (display.text_, display.share_text_):
            if texts is not None:
                box = texts[row, column].get_window_extent()
                assert x0 <= box.x0 <= box.x1 <= x1
                assert y0 <= box.y0 <= box.y1 <= y1
    if display.share_text_ is not None:
        for one, other in zip(display.text_.flat, display.share_text_.flat, strict=True):
            both = one.get_window_extent(), other.get_window_extent()
            assert not other.get_text() or not overlap(*both)


def test_text_is_smaller_in_a_column_but_never_tiny():
    sizes = []
    for width in (2.0, 3.15, 6.4, 13.0):
        with plt.rc_context({"figure.figsize": (width, 3.0)}):
            sizes.append(confusion().ax_.xaxis.label.get_fontsize())
    assert sizes == sorted(sizes)
    assert sizes[0] == 6.0
    assert sizes[-1] == plt.rcParams["font.size"]


def test_scales_of_very_many_grades_name_some():
    display = confusion(n_classes=80)
    assert display.text_ is None or len(display.text_) == 80
    assert 5 < len(display.ax_.get_yticklabels()) < 80
