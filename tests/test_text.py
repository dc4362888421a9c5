"""Short texts of long values."""

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal_censored._text import short_text
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import right_censored


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        ("linear", "'linear'"),
        (0.5, "0.5"),
        (["low", "high"], "['low', 'high']"),
        (np.array([1.0, 2.0]), "array([1., 2.])"),
        (np.eye(2), "array([[1., 0.], [0., 1.]])"),
        (np.array(["low", "high"]), "array(['low', 'high'])"),
        (np.float64, "float64"),
        (KaplanMeier(reverse=True), "KaplanMeier(reverse=True)"),
        (pd.Index(["a", "b"], dtype=object), "Index(['a', 'b'], dtype='object')"),
        (
            right_censored(np.ones(20), np.arange(20)),
            "array([( True, 0.), ( True, 1.), ( True, 2.), ..., "
            "( True, 17.), ( True, 18.), ( True, 19.)])",
        ),
    ],
)
def test_values(value, text):
    assert short_text(value).replace("  ", " ") == text


@pytest.mark.parametrize(
    "value",
    [
        np.linspace(0, 1, 10**5),
        np.random.default_rng(0).random((900, 900)),
        right_censored(np.ones(10**5), np.linspace(0, 1, 10**5)),
        list(range(1000)),
        tuple(f"grade {number}" for number in range(1000)),
        pd.Series(np.arange(1000)),
        "x" * 10**5,
        dict.fromkeys(range(1000)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_long_values_are_one_short_line(value):
    text = short_text(value)
    assert len(text) < 600
    assert "\n" not in text
    assert "..." in text


def test_series_and_frames_are_one_line():
    assert short_text(pd.Series([1.0, 2.0])) == "Series(array([1., 2.]))"
    assert "\n" not in short_text(pd.DataFrame({"a": range(50), "b": range(50)}))
