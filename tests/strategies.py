"""Hypothesis strategies: graded rows on a scale, weights, probabilities."""

from typing import Any, NamedTuple

from hypothesis import strategies as st


class Graded(NamedTuple):
    """Truth and prediction as ranks and as labels, the scale, and weights or None."""

    true_ranks: list[int]
    pred_ranks: list[int]
    labels: list[Any]
    weight: list[float] | None

    @property
    def y_true(self):
        """The truth in the user's labels."""
        return [self.labels[rank] for rank in self.true_ranks]

    @property
    def y_pred(self):
        """The prediction in the user's labels."""
        return [self.labels[rank] for rank in self.pred_ranks]

    @property
    def n_classes(self):
        """Number of grades on the scale."""
        return len(self.labels)

    @property
    def keywords(self):
        """What a metric needs besides the two arrays."""
        return {"labels": self.labels, "sample_weight": self.weight}


def scales(min_classes=1, max_classes=6):
    """Distinct labels in any order: whole numbers or words."""
    numbers = st.integers(-100, 100)
    words = st.text("abcxyz", min_size=1, max_size=3)
    return st.one_of(
        st.lists(labels, min_size=min_classes, max_size=max_classes, unique=True)
        for labels in (numbers, words)
    )


def whole_weights(size):
    """Small whole weights, zeros among them, not all zero."""
    return st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)


def weights(size):
    """No weights, whole weights, or fractions; zeros among them, not all zero."""
    fractions = st.one_of(st.just(0.0), st.floats(0.01, 100))
    return st.one_of(
        st.none(),
        whole_weights(size),
        st.lists(fractions, min_size=size, max_size=size).filter(any),
    )


@st.composite
def graded(draw, min_classes=1, max_classes=6, max_size=25, weighting=weights):
    """Rows with a true and a predicted grade."""
    labels = draw(scales(min_classes, max_classes))
    rank = st.integers(0, len(labels) - 1)
    rows = draw(st.lists(st.tuples(rank, rank), min_size=1, max_size=max_size))
    true, pred = (list(side) for side in zip(*rows, strict=True))
    return Graded(true, pred, labels, draw(weighting(len(rows))))


@st.composite
def disagreements(draw, n_classes):
    """A K x K disagreement matrix, not symmetric as a rule."""
    size = n_classes * n_classes
    flat = draw(st.lists(st.integers(0, 20), min_size=size, max_size=size))
    return [
        [0 if i == j else flat[i * n_classes + j] for j in range(n_classes)]
        for i in range(n_classes)
    ]


@st.composite
def cost_matrices(draw, n_classes):
    """A K x K cost matrix; gains are negative, and being right may cost as well."""
    row = st.lists(st.integers(-20, 20), min_size=n_classes, max_size=n_classes)
    return draw(st.lists(row, min_size=n_classes, max_size=n_classes))


@st.composite
def class_probabilities(draw, min_classes=1, max_classes=6, max_size=10):
    """Rows of class probabilities that are whole multiples of 1/64, so that sums are exact."""
    n_classes = draw(st.integers(min_classes, max_classes))
    ends = st.lists(st.integers(0, 64), min_size=n_classes - 1, max_size=n_classes - 1).map(sorted)
    rows = draw(st.lists(ends, min_size=1, max_size=max_size))
    return [[(b - a) / 64 for a, b in zip([0, *row], [*row, 64], strict=True)] for row in rows]


class Forecast(NamedTuple):
    """Truth as ranks, class probabilities, one score a row, the scale, and weights or None."""

    true_ranks: list[int]
    proba: list[list[float]]
    score: list[float]
    labels: list[Any]
    weight: list[float] | None

    @property
    def y_true(self):
        """The truth in the user's labels."""
        return [self.labels[rank] for rank in self.true_ranks]

    @property
    def n_classes(self):
        """Number of grades on the scale."""
        return len(self.labels)

    @property
    def keywords(self):
        """What a metric needs besides the two arrays."""
        return {"labels": self.labels, "sample_weight": self.weight}


@st.composite
def forecasts(draw, min_classes=1, max_classes=6, max_size=12, weighting=weights):
    """Rows with a true grade, class probabilities, and a score that is often tied."""
    proba = draw(class_probabilities(min_classes, max_classes, max_size))
    n_classes, n_rows = len(proba[0]), len(proba)
    labels = draw(scales(n_classes, n_classes))
    rank = st.integers(0, n_classes - 1)
    value = st.one_of(st.integers(-2, 2).map(float), st.floats(-1e300, 1e300))
    true, score = (draw(st.lists(part, min_size=n_rows, max_size=n_rows)) for part in (rank, value))
    return Forecast(true, proba, score, labels, draw(weighting(n_rows)))
