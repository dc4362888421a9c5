"""`censored_train_test_split`: sizes, balance, order of the parts, refusals."""

import numpy as np
import pandas as pd
import pytest
from folds import CONTAINERS, STRATIFY, any_censoring, some_rows
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from sklearn_ordinal_censored.model_selection import censored_train_test_split
from sklearn_ordinal_censored.targets import as_right_censored, right_censored


@given(any_censoring(2).filter(lambda y: len(y) > 3), st.floats(0.05, 0.95), st.integers(0, 1000))
def test_a_split_parts_the_rows(y, test_size, seed):
    n_test = int(np.ceil(test_size * len(y)))
    if n_test == len(y):
        return
    X = np.arange(len(y))[:, np.newaxis]
    event = np.isfinite(y["upper"])
    for stratify in STRATIFY:
        parts = censored_train_test_split(
            X, y, test_size=test_size, stratify=stratify, random_state=seed
        )
        train, test = parts[0].ravel(), parts[1].ravel()
        assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
        assert len(test) == n_test
        assert_array_equal(parts[2], y[train])
        assert_array_equal(parts[3], y[test])
        if stratify is not None:
            assert abs(event[test].sum() - n_test * event.mean()) <= 1


def test_a_split_spreads_the_times():
    y = right_censored(np.ones(40), np.random.default_rng(0).permutation(40))
    for seed in range(10):
        test = censored_train_test_split(y, y, test_size=10, random_state=seed)[1]
        # One of every four times in their order.
        assert_array_equal(np.sort(test["time"]) // 4, np.arange(10))


@pytest.mark.parametrize(
    ("test_size", "n_test"), [(0.25, 15), (0.26, 16), (1, 1), (7, 7), (59, 59), (0.001, 1)]
)
@pytest.mark.parametrize("stratify", STRATIFY)
def test_sizes(test_size, n_test, stratify):
    X, y = some_rows()
    parts = censored_train_test_split(X, y, test_size=test_size, stratify=stratify)
    assert [len(part) for part in parts] == [60 - n_test, n_test] * 2


def test_a_quarter_is_the_default():
    assert len(censored_train_test_split(*some_rows())[1]) == 15


def test_pairs_come_in_the_order_of_the_inputs():
    X, y = some_rows()
    frame = pd.DataFrame(X, columns=["a", "b"], index=np.arange(60) + 100)
    names, weight = [f"row {row}" for row in range(60)], np.arange(60)
    parts = censored_train_test_split(frame, y, weight, names, random_state=0)
    assert len(parts) == 8
    for place in (0, 1):
        rows = parts[4 + place]
        assert_array_equal(parts[place].index, rows + 100)
        assert_array_equal(parts[2 + place], y[rows])
        assert parts[6 + place] == [f"row {row}" for row in rows]
        assert (np.diff(rows) > 0).all()
    assert isinstance(parts[0], pd.DataFrame)


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_split_keeps_the_container(container):
    rng = np.random.default_rng(0)
    plain = right_censored(rng.random(40) < 0.5, rng.integers(1, 99, 40))
    y, rows = CONTAINERS[container](plain), np.arange(40)
    train, test, y_train, y_test = censored_train_test_split(rows, y, random_state=3)
    assert type(y_train) is type(y_test) is type(y)
    assert_array_equal(as_right_censored(y_train), plain[train])
    assert_array_equal(as_right_censored(y_test), plain[test])
    assert_array_equal(train, censored_train_test_split(rows, plain, random_state=3)[0])


def test_the_seed_decides_one_split():
    X, y = some_rows()
    one, same, other = (censored_train_test_split(X, y, random_state=seed)[1] for seed in (1, 1, 2))
    assert_array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("stratify", STRATIFY)
@pytest.mark.parametrize("test_size", [0.2, 0.5, 15])
def test_a_split_keeps_groups_together(stratify, test_size):
    _, y = some_rows()
    groups = np.array([f"site {row // 3}" for row in range(60)])
    for seed in range(5):
        train, test, y_train, y_test = censored_train_test_split(
            groups, y, test_size=test_size, groups=groups, stratify=stratify, random_state=seed
        )
        assert not set(train) & set(test)
        wanted = test_size if test_size > 1 else test_size * 60
        assert abs(len(test) - wanted) <= 3
        if stratify is not None:
            assert abs(y_test["event"].mean() - y_train["event"].mean()) < 0.15


@pytest.mark.parametrize("test_size", [0, 60, 61, -1, 1.5, 0.999, "half", np.nan, None, True])
def test_bad_sizes_are_refused(test_size):
    X, y = some_rows()
    with pytest.raises(ValueError, match=r"test_size=.* must be"):
        censored_train_test_split(X, y, test_size=test_size)


def test_bad_arguments_of_a_split_are_refused():
    X, y = some_rows()
    with pytest.raises(ValueError, match="carries no censoring information"):
        censored_train_test_split(X, y["time"])
    with pytest.raises(ValueError, match="X has 60 rows, y has 9 rows"):
        censored_train_test_split(X, y[:9])
    with pytest.raises(ValueError, match="stratify='y' is not known"):
        censored_train_test_split(X, y, stratify="y")
    with pytest.raises(ValueError, match=r"X has 60 rows, arrays\[0\] has 60.*arrays\[1\] has 2"):
        censored_train_test_split(X, y, np.ones(60), [1, 2])
    with pytest.raises(ValueError, match="groups has 2 rows"):
        censored_train_test_split(X, y, groups=[1, 2])
    with pytest.raises(ValueError, match="leaves 60 training and 0 test rows"):
        censored_train_test_split(X, y, groups=np.zeros(60))


@pytest.mark.parametrize("test_size", [20, 0.03, 0.95])
def test_small_and_large_test_parts_of_groups_have_their_size(test_size):
    n_samples = 1000
    y = right_censored(np.arange(n_samples) % 2, np.arange(float(n_samples)))
    rows = np.arange(n_samples)
    _, test, *_ = censored_train_test_split(
        rows, y, groups=rows, test_size=test_size, random_state=0
    )
    wanted = test_size if test_size > 1 else test_size * n_samples
    assert abs(len(test) - wanted) <= 1
