"""Censored rows to split, the containers that they come in, and views of the folds."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from optional import polars as pl

from sklearn_ordinal_censored.targets import interval_censored, right_censored

STRATIFY = ["event+time", "event", None]


CONTAINERS = {
    "recarray": lambda y: y.view(np.recarray),
    "other names": lambda y: np.array(y.tolist(), dtype=[("cens", "?"), ("t", "f4")]),
    "pandas": lambda y: pd.DataFrame(y, index=np.arange(len(y))[::-1]),
    "polars": lambda y: pl.DataFrame(y[["time", "event"]]),
    "integers": lambda y: pd.DataFrame(y).astype("Int64"),
    "bounds": lambda y: np.column_stack([y["time"], np.where(y["event"], y["time"], np.inf)]),
    "structured bounds": lambda y: interval_censored(*CONTAINERS["bounds"](y).T),
}


def some_rows(n_samples=60, seed=0, share=0.4):
    """Features that say something about the time, and a right-censored target."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 2))
    time = np.exp(X[:, 0] + 0.5 * rng.normal(size=n_samples))
    return X, right_censored(rng.random(n_samples) < share, time)


def held_out(cv, y, groups=None):
    """Test rows of every fold."""
    return [test for _, test in cv.split(np.zeros((len(y), 1)), y, groups)]


def folds_of(cv, y, groups=None):
    """Number of the fold of every row, for one repeat that keeps every row."""
    fold = np.full(len(y), -1)
    for number, test in enumerate(held_out(cv, y, groups)):
        fold[test] = number
    assert (fold >= 0).all()
    return fold


def same_folds(one, other):
    return len(one) == len(other) and all(map(np.array_equal, one, other))


@st.composite
def any_censoring(draw, min_events=2):
    """Exact, right-, left- and interval-censored rows, with many equal times."""
    kind = st.sampled_from(["exact", "right", "left", "interval"])
    row = st.tuples(kind, st.integers(0, 9), st.integers(1, 4))
    events = st.lists(row.filter(lambda r: r[0] != "right"), min_size=min_events, max_size=20)
    others = st.lists(st.tuples(st.just("right"), st.integers(0, 9), st.just(1)), max_size=20)
    rows = draw(st.permutations([*draw(events), *draw(others)]))
    lower = [-np.inf if kind == "left" else time for kind, time, _ in rows]
    upper = [
        {"exact": time, "right": np.inf, "left": time, "interval": time + width}[kind]
        for kind, time, width in rows
    ]
    return interval_censored(lower, upper)
