"""Hypothesis strategies: right-censored rows with predictions at times, unsorted and repeated."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from strategies import weights

from sklearn_ordinal_censored.targets import right_censored


class Predicted(NamedTuple):
    """Rows, the times, one prediction for each row and time, and weights or None."""

    time: list[float]
    event: list[bool]
    times: list[float]
    values: list[list[float]]
    weight: list[float] | None

    @property
    def y(self):
        """The target."""
        return right_censored(self.event, self.time)

    @property
    def arguments(self):
        """What a metric takes."""
        return self.y, self.values

    @property
    def keywords(self):
        """What it needs besides."""
        return {"times": self.times, "sample_weight": self.weight}

    @property
    def columns(self):
        """The predictions of each time."""
        return [list(column) for column in zip(*self.values, strict=True)]

    @property
    def repeated(self):
        """The rows as often as their whole weight says, without weights."""
        rows = np.repeat(np.arange(len(self.time)), self.weight)
        sides = ([side[row] for row in rows] for side in (self.time, self.event, self.values))
        time, event, values = sides
        return Predicted(time, event, self.times, values, None)


@st.composite
def predicted(draw, weighting=weights, falling=True, max_size=10):
    """Few distinct times and predictions, so many ties; the curves of survival fall."""
    row = st.tuples(st.integers(0, 6).map(float), st.booleans())
    rows = draw(st.lists(row, min_size=1, max_size=max_size))
    halves = st.integers(-1, 14).map(lambda half: half / 2)
    times = draw(st.lists(halves, min_size=1, max_size=5))
    distinct = sorted(set(times))
    level = st.lists(st.integers(0, 4), min_size=len(distinct), max_size=len(distinct))
    curves = draw(st.lists(level, min_size=len(rows), max_size=len(rows)))
    ordered = [sorted(curve, reverse=True) if falling else curve for curve in curves]
    values = [[curve[distinct.index(at)] / 4 for at in times] for curve in ordered]
    time, event = (list(side) for side in zip(*rows, strict=True))
    return Predicted(time, event, times, values, draw(weighting(len(rows))))


def references(max_size=6):
    """Other rows, for the censoring curve."""
    row = st.tuples(st.integers(0, 7).map(float), st.booleans())
    return st.lists(row, min_size=1, max_size=max_size).map(
        lambda rows: ([time for time, _ in rows], [event for _, event in rows], None)
    )
