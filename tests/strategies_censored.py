"""Hypothesis strategies: censored rows; few distinct times and predictions, so many ties."""

import math
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from strategies import weights

ANY_KIND = ("exact", "right", "left", "interval")
RIGHT_CENSORED = ("exact", "right")


class Censored(NamedTuple):
    """Bounds and predictions, and where drawn entries, strata and weights."""

    lower: list[float]
    upper: list[float]
    pred: list[float]
    entry: list[float] | None
    stratum: list[str] | None
    weight: list[float] | None

    @property
    def bounds(self):
        """The target as fields of bounds."""
        return self._structured(lower=self.lower, upper=self.upper)

    @property
    def event_time(self):
        """The target as an event and a time, for exact and right-censored rows."""
        return self._structured(event=np.equal(self.lower, self.upper), time=self.lower)

    @property
    def keywords(self):
        """What a metric needs besides the two arrays."""
        return {"strata": self.stratum, "sample_weight": self.weight}

    @property
    def repeated(self):
        """The rows as often as their whole weight says, without weights."""
        weight = [1] * len(self.lower) if self.weight is None else self.weight
        sides = (side if side is None else np.repeat(side, weight).tolist() for side in self[:-1])
        return Censored(*sides, None)

    def _structured(self, **fields):
        if self.entry is not None:
            fields["entry"] = self.entry
        dtype = [(name, np.asarray(values).dtype) for name, values in fields.items()]
        return np.array(list(zip(*fields.values(), strict=True)), dtype=dtype)


def bounds(kinds):
    """Lower and upper bound of one row."""
    time = st.integers(0, 5).map(float)
    strategies = {
        "exact": time.map(lambda t: (t, t)),
        "right": time.map(lambda t: (t, math.inf)),
        "left": time.map(lambda t: (-math.inf, t)),
        "interval": st.tuples(time, st.integers(1, 3)).map(lambda x: (x[0], x[0] + x[1])),
    }
    return st.one_of(strategies[kind] for kind in kinds)


@st.composite
def censored(draw, kinds=ANY_KIND, weighting=weights, max_size=12):
    """Censored rows with predictions, perhaps with delayed entry, strata and weights."""
    rows = draw(
        st.lists(st.tuples(bounds(kinds), st.integers(0, 3)), min_size=1, max_size=max_size)
    )
    lower, upper = ([bound[side] for bound, _ in rows] for side in (0, 1))
    size = len(rows)
    delay = draw(st.none() | st.lists(st.integers(1, 4), min_size=size, max_size=size))
    entry = None
    if delay is not None:
        ends = (low if high == math.inf else high for low, high in zip(lower, upper, strict=True))
        entry = [end - span for end, span in zip(ends, delay, strict=True)]
    stratum = draw(st.none() | st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    pred = [float(prediction) for _, prediction in rows]
    return Censored(lower, upper, pred, entry, stratum, draw(weighting(size)))


class Stretches(NamedTuple):
    """Items in stretches that do not overlap, and queries to the end of one of them."""

    rank: np.ndarray
    weight: np.ndarray | None
    start: np.ndarray
    stop: np.ndarray
    query: np.ndarray


@st.composite
def stretches(draw):
    """Ranks and weights of items, and queries; weights are quarters, so that sums are exact."""
    sizes = draw(st.lists(st.integers(0, 8), min_size=1, max_size=4))
    n_items = sum(sizes)
    rank = draw(st.lists(st.integers(0, 9), min_size=n_items, max_size=n_items))
    quarters = st.integers(0, 12).map(lambda quarter: quarter / 4)
    weight = draw(st.none() | st.lists(quarters, min_size=n_items, max_size=n_items))
    ends = np.cumsum(sizes)
    asked = st.tuples(st.integers(0, len(sizes) - 1), st.integers(0, 8), st.integers(0, 11))
    queries = draw(st.lists(asked, max_size=10))
    stop = [ends[stretch] for stretch, _, _ in queries]
    start = [ends[stretch] - min(sizes[stretch], length) for stretch, length, _ in queries]
    return Stretches(
        np.array(rank, dtype=np.intp),
        None if weight is None else np.array(weight),
        np.array(start, dtype=np.intp),
        np.array(stop, dtype=np.intp),
        np.array([level for _, _, level in queries], dtype=np.intp),
    )
