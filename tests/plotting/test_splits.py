"""Folds of a censored target in a picture."""

import folds as helpers
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.model_selection import GroupKFold, KFold

from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.plotting import CensoredSplitDisplay
from sklearn_ordinal_censored.targets import interval_censored, right_censored

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("agg")

draw = CensoredSplitDisplay.from_cv


class Undrawn(CensoredSplitDisplay):
    """Holds its numbers only, which is faster."""

    def plot(self, ax=None):
        return self


def no_events_in_the_first_fold():
    y = right_censored([0] * 15 + [1] * 10 + [0] * 5, range(30))
    return draw(KFold(2), np.zeros((30, 1)), y)


def test_times_of_every_test_fold():
    X, y = helpers.some_rows()
    cv = CensoredCVSplitter(3, random_state=0)
    display = draw(cv, X, y)
    for (_, test), events, others in zip(
        cv.split(X, y), display.event_times, display.censored_times, strict=True
    ):
        assert_array_equal(events, y["time"][test][y["event"][test]])
        assert_array_equal(others, y["time"][test][~y["event"][test]])
    numbers = [bar.get_width() for bar in display.event_bars_]
    assert numbers == [len(events) for events in display.event_times]
    written = [int(text.get_text()) for text in display.counts_text_]
    assert written == [len(part) for part in display.event_times + display.censored_times]


@given(y=helpers.any_censoring(), n_splits=st.integers(2, 3))
def test_any_censoring(y, n_splits):
    if len(y) < n_splits:
        return
    display = Undrawn.from_cv(KFold(n_splits), np.zeros((len(y), 1)), y)
    lower = np.where(np.isinf(y["lower"]), y["upper"], y["lower"])
    has_event = np.isfinite(y["upper"])
    middle = np.where(has_event, (lower + y["upper"]) / 2, lower)
    assert_array_equal(np.concatenate(display.event_times), middle[has_event])
    assert_array_equal(np.concatenate(display.censored_times), middle[~has_event])


@pytest.mark.parametrize("name", helpers.CONTAINERS)
def test_containers(name):
    X, y = helpers.some_rows()
    y["time"] = np.ceil(10 * y["time"])
    expected = Undrawn.from_cv(3, X, y)
    display = Undrawn.from_cv(3, X, helpers.CONTAINERS[name](y))
    for one, other in zip(display.event_times, expected.event_times, strict=True):
        assert_array_equal(one, other)


def test_an_int_is_what_scikit_learn_makes_of_it():
    X, y = helpers.some_rows(10)
    display = Undrawn.from_cv(2, X, y)
    assert_array_equal(display.event_times[0], y["time"][:5][y["event"][:5]])


def test_splits_of_the_caller_and_groups():
    X, y = helpers.some_rows(12)
    display = Undrawn.from_cv([([0, 1], [2, 3]), ([2, 3], [0])], X, y)
    sizes = [
        len(e) + len(c) for e, c in zip(display.event_times, display.censored_times, strict=True)
    ]
    assert sizes == [2, 1]
    groups = np.repeat([0, 1, 2], 4)
    display = Undrawn.from_cv(GroupKFold(3), X, y, groups=groups)
    assert len(display.event_times) == 3


def test_a_fold_without_events_shows_a_zero():
    display = no_events_in_the_first_fold()
    assert display.event_ranges_[0] == []
    assert [text.get_text() for text in display.counts_text_] == ["0", "10", "15", "5"]
    assert len(display.censored_ranges_[1]) == 1  # a few are drawn one by one


def test_no_event_at_all():
    display = draw(2, np.zeros((6, 1)), right_censored(np.zeros(6, int), range(6)))
    assert display.event_ranges_ == [[], []]
    legend = [text.get_text() for text in display.axes_[1].get_legend().get_texts()]
    assert legend == ["event", "censored"]


def test_ranges_reach_from_the_first_to_the_last_time():
    X, y = helpers.some_rows(200)
    display = draw(2, X, y)
    for times, (whole, (box,), middle) in zip(
        display.event_times, display.event_ranges_, strict=True
    ):
        ((ends,),) = [whole.get_segments()]
        assert (ends[0, 0], ends[1, 0]) == (times.min(), times.max())
        quartiles = np.quantile(times, [0.25, 0.5, 0.75], method="inverted_cdf")
        assert middle.get_segments()[0][0, 0] == quartiles[1]
        assert (box.get_x(), box.get_x() + box.get_width()) == (quartiles[0], quartiles[2])


def test_events_and_others_differ_in_grey_too():
    display = no_events_in_the_first_fold()
    inside = {bars[0].get_facecolor() for bars in (display.event_bars_, display.censored_bars_)}
    assert len(inside) == 2
    assert (1.0, 1.0, 1.0, 1.0) in inside


def test_of_many_folds_some_are_numbered():
    X, y = helpers.some_rows(300)
    display = draw(CensoredCVSplitter(5, n_repeats=12, random_state=0), X, y)
    assert display.counts_text_ == []
    ticks = display.axes_[0].get_yticks()
    assert ticks[0] == 1
    assert 5 < len(ticks) < 31
    assert len(display.event_bars_) == 60


def test_the_label_of_the_times():
    X, y = helpers.some_rows()
    display = draw(2, X, y, time_label="months")
    assert display.axes_[1].get_xlabel() == "months"
    assert display.axes_[0].get_xlabel() == "rows"


@pytest.mark.parametrize(
    ("cv", "X", "y", "message"),
    [
        ([], np.zeros((2, 1)), right_censored([1, 0], [1, 2]), "cv yields no splits"),
        (2, np.zeros((3, 1)), right_censored([1, 0], [1, 2]), "X has 3 rows, y has 2 rows"),
        (2, np.zeros((2, 1)), [1.0, 2.0], "no censoring information"),
        (
            CensoredCVSplitter(2),
            np.zeros((2, 1)),
            interval_censored([1, 2], [np.inf, np.inf]),
            "y has 0 events",
        ),
    ],
    ids=["no splits", "lengths", "plain", "no events"],
)
def test_what_is_refused_leaves_no_figure(cv, X, y, message):
    with pytest.raises(ValueError, match=message):
        draw(cv, X, y)
    assert not plt.get_fignums()
