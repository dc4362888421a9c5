"""The deal of `CensoredCVSplitter`: balance in events and time, groups, follow-up, refusals."""

import pickle

import numpy as np
import pandas as pd
import pytest
from folds import CONTAINERS, STRATIFY, any_censoring, folds_of, held_out, same_folds, some_rows
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from optional import polars as pl
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold

from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.targets import (
    from_censoring_codes,
    interval_censored,
    right_censored,
)


def spread(values, n_values):
    """Largest minus smallest count of the values 0, 1, ..."""
    return np.ptp(np.bincount(values, minlength=n_values))


def time_of(y):
    """The finite bound of every row, the middle of two."""
    pairs = [[bound for bound in row if np.isfinite(bound)] for row in y.tolist()]
    return np.array([sum(pair) / len(pair) for pair in pairs])


seeds = st.integers(0, 1000)
n_splits = st.integers(2, 6)


# The deal


@given(n_splits.flatmap(lambda k: st.tuples(st.just(k), any_censoring(k))), seeds)
def test_folds_part_the_rows_evenly(case, seed):
    k, y = case
    X, event = np.zeros((len(y), 1)), np.isfinite(y["upper"])
    for stratify in STRATIFY[:2]:
        cv = CensoredCVSplitter(k, stratify=stratify, random_state=seed)
        splits = list(cv.split(X, y))
        assert len(splits) == k
        for train, test in splits:
            assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
            assert (np.diff(train) > 0).all()
            assert (np.diff(test) > 0).all()
        fold = folds_of(cv, y)
        assert spread(fold, k) <= 1
        assert spread(fold[event], k) <= 1
        assert spread(fold[~event], k) <= 1


@given(n_splits.flatmap(lambda k: st.tuples(st.just(k), any_censoring(k))), st.none() | seeds)
def test_every_stretch_of_time_is_spread_over_the_folds(case, seed):
    """Up to any time the events of two folds differ by one at most, and so do all rows dealt."""
    k, y = case
    event, time = np.isfinite(y["upper"]), time_of(y)
    fold = folds_of(CensoredCVSplitter(k, shuffle=seed is not None, random_state=seed), y)
    for limit in np.unique(time):
        assert spread(fold[event & (time <= limit)], k) <= 1
        assert spread(fold[event | (time <= limit)], k) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_consecutive_events_go_to_different_folds(seed):
    y = right_censored(np.arange(43) % 3 > 0, np.random.default_rng(seed).permutation(43))
    order = np.lexsort((y["time"], ~y["event"]))
    dealt = folds_of(CensoredCVSplitter(5, random_state=seed), y)[order]
    for start in range(0, 40, 5):
        assert set(dealt[start : start + 5]) == set(range(5))


def test_balance_on_random_draws():
    """Event counts of two folds never differ by more than one, whatever the data."""
    worst = dict.fromkeys(STRATIFY, 0)
    rng = np.random.default_rng(0)
    for seed in range(200):
        n_samples, k = rng.integers(30, 120), rng.integers(2, 11)
        time = rng.choice([rng.exponential(1, n_samples), rng.integers(1, 9, n_samples)])
        y = right_censored(np.arange(n_samples) < rng.integers(k, n_samples), time)
        for stratify in STRATIFY:
            cv = CensoredCVSplitter(k, stratify=stratify, min_events=0, random_state=seed)
            fold = folds_of(cv, y)
            assert spread(fold, k) <= 1
            worst[stratify] = max(worst[stratify], spread(fold[y["event"]], k))
    assert worst["event+time"] == worst["event"] == 1
    assert worst[None] > 5


def test_stratifying_by_event_alone_leaves_time_to_chance():
    y = right_censored(np.ones(40), range(40))
    by_time = folds_of(CensoredCVSplitter(4, random_state=0), y)
    by_event = folds_of(CensoredCVSplitter(4, stratify="event", random_state=0), y)
    assert spread(by_time[:8], 4) == 0
    assert spread(by_event[:8], 4) > 1


@pytest.mark.parametrize("stratify", STRATIFY)
def test_the_seed_decides(stratify):
    _, y = some_rows()
    cv = CensoredCVSplitter(4, stratify=stratify, random_state=7)
    assert same_folds(held_out(cv, y), held_out(cv, y))
    assert same_folds(held_out(cv, y), held_out(clone(cv, safe=False), y))
    other = CensoredCVSplitter(4, stratify=stratify, random_state=8)
    assert not same_folds(held_out(cv, y), held_out(other, y))
    anew = CensoredCVSplitter(4, stratify=stratify, random_state=np.random.RandomState(7))
    assert same_folds(held_out(cv, y), held_out(anew, y))
    assert not same_folds(held_out(cv, y), held_out(anew, y))  # the generator has moved on


@pytest.mark.parametrize("stratify", STRATIFY)
def test_without_shuffling_the_order_decides(stratify):
    y = right_censored([1, 0, 1, 0, 1, 0], [6, 5, 1, 3, 4, 2])
    cv = CensoredCVSplitter(2, stratify=stratify, min_events=0, shuffle=False)
    fold = folds_of(cv, y)
    expected = {
        "event+time": [0, 1, 0, 0, 1, 1],  # events at 1, 4, 6, then the others at 2, 3, 5
        "event": [0, 1, 1, 0, 0, 1],  # in the order of the rows, events first
        None: [0, 1, 0, 1, 0, 1],
    }
    assert_array_equal(fold, expected[stratify])


def test_repeats_split_anew():
    _, y = some_rows()
    cv = CensoredCVSplitter(3, n_repeats=4, random_state=0)
    tests = held_out(cv, y)
    assert len(tests) == cv.get_n_splits() == 12
    repeats = [tests[start : start + 3] for start in range(0, 12, 3)]
    for repeat in repeats:
        assert_array_equal(np.sort(np.concatenate(repeat)), np.arange(len(y)))
        assert np.ptp([y["event"][test].sum() for test in repeat]) <= 1
    assert not any(same_folds(repeats[0], other) for other in repeats[1:])
    assert same_folds(repeats[0], held_out(CensoredCVSplitter(3, random_state=0), y))


def test_left_and_interval_censored_rows_count_as_events():
    y = from_censoring_codes(range(1, 25), [-1, 0, 1] * 8)
    y["lower"][3], y["upper"][3] = 2, 8
    fold = folds_of(CensoredCVSplitter(8, min_events=2, random_state=0), y)
    assert spread(fold[np.isfinite(y["upper"])], 8) == 0
    with pytest.raises(ValueError, match="y has 16 events in 24 rows"):
        held_out(CensoredCVSplitter(8, min_events=3), y)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("groups", [None, np.arange(40) // 2])
def test_containers_give_the_same_folds(container, groups):
    rng = np.random.default_rng(0)
    y = right_censored(rng.random(40) < 0.5, rng.integers(1, 99, 40))
    cv = CensoredCVSplitter(4, random_state=0)
    assert same_folds(held_out(cv, y, groups), held_out(cv, CONTAINERS[container](y), groups))


def test_delayed_entry_is_borne():
    y = np.array(
        [(True, 3.0, 1.0), (False, 5.0, 2.0)] * 6,
        dtype=[("event", "?"), ("time", "f8"), ("entry", "f8")],
    )
    fold = folds_of(CensoredCVSplitter(3, random_state=0), y)
    assert_array_equal(np.bincount(fold[y["event"]]), [2, 2, 2])


# Test folds that cannot be scored


def has_pair(y):
    """Whether any two rows can be put in order, by trying all."""
    lower, upper = np.asarray(y["lower"]), np.asarray(y["upper"])
    return any(
        upper[i] < lower[j] or (upper[i] == lower[j] and upper[j] > lower[j])
        for i in range(len(y))
        for j in range(len(y))
        if i != j
    )


UNEVEN = interval_censored([5, 5, 4, 4, 5, 6], [5, 5, np.inf, np.inf, np.inf, np.inf])


@pytest.mark.parametrize("groups", [None, np.arange(6)])
def test_folds_without_a_comparable_pair_are_avoided(groups):
    """Of the deals that chance has, one in three leaves a fold with its event last."""
    for seed in range(30):
        cv = CensoredCVSplitter(2, stratify="event", random_state=seed)
        assert all(has_pair(UNEVEN[test]) for test in held_out(cv, UNEVEN, groups))


@given(any_censoring(4), seeds)
def test_as_many_folds_as_possible_can_be_scored(y, seed):
    """Two folds of rows that some deal of twenty can part well are parted well."""
    rng, tries = np.random.default_rng(seed), 40
    halves = (rng.permutation(len(y)) for _ in range(tries))
    good = sum(has_pair(y[h[::2]]) and has_pair(y[h[1::2]]) for h in halves)
    cv = CensoredCVSplitter(2, stratify=None, min_events=0, random_state=seed)
    if good > tries / 2:
        assert all(has_pair(y[test]) for test in held_out(cv, y))


def test_a_fold_without_a_comparable_pair_is_kept_where_it_must_be():
    """The event at 9 is the last of all; those at 5 need a row at 6 beside them."""
    y = right_censored([1] * 3 + [0] * 6, [9, 5, 5, 4, 4, 4, 6, 6, 6])
    for seed in range(20):
        tests = held_out(CensoredCVSplitter(3, stratify="event", random_state=seed), y)
        assert [y["event"][test].sum() for test in tests] == [1, 1, 1]
        assert sorted(y["time"][test].max() for test in tests) == [6, 6, 9]


# Too few events


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"n_splits=5 with min_events=1 needs 5 events .* y has 4 events in 20 rows"),
        ({"n_splits": 3, "min_events": 2}, r"needs 6 events .* y has 4 events in 20 rows"),
        ({"n_splits": 21, "min_events": 0}, r"needs 0 events and 21 rows .* in 20 rows"),
    ],
)
def test_too_few_events_are_refused_before_the_first_fold(options, message, shuffle):
    y = right_censored([1] * 4 + [0] * 16, range(20))
    cv = CensoredCVSplitter(**options, shuffle=shuffle)
    with pytest.raises(ValueError, match=message):
        next(cv.split(np.zeros((20, 1)), y))


def test_a_deal_without_events_in_every_fold_is_refused_before_the_first_fold():
    y = right_censored([1] * 5 + [0] * 5, range(10))
    cv = CensoredCVSplitter(5, stratify=None, shuffle=False)
    y_sorted = y[[0, 5, 6, 7, 8, 1, 2, 3, 4, 9]]  # dealt in turn: both events of a fold meet
    with pytest.raises(ValueError, match=r"min_events=1 events.*\[2, 1, 1, 1, 0\].*stratify"):
        next(cv.split(np.zeros((10, 1)), y_sorted))
    cv = CensoredCVSplitter(5, stratify=None, min_events=0, shuffle=False)
    assert [y_sorted["event"][test].sum() for test in held_out(cv, y_sorted)] == [2, 1, 1, 1, 0]


def test_folds_without_events_are_allowed_where_asked_for():
    y = right_censored([1, 1] + [0] * 10, range(12))
    tests = held_out(CensoredCVSplitter(4, min_events=0, random_state=0), y)
    assert sorted(y["event"][test].sum() for test in tests) == [0, 0, 1, 1]


def test_the_smallest_number_of_events_is_met_by_dealing_again():
    y = right_censored([1] * 12 + [0] * 12, range(24))
    for seed in range(20):
        cv = CensoredCVSplitter(3, stratify=None, min_events=3, random_state=seed)
        assert min(y["event"][test].sum() for test in held_out(cv, y)) >= 3


# Groups


@given(
    n_splits.flatmap(lambda k: st.tuples(st.just(k), any_censoring(k))),
    st.lists(st.integers(0, 12), min_size=40, max_size=40),
    st.sampled_from(STRATIFY),
    seeds,
)
def test_groups_are_never_split(case, numbers, stratify, seed):
    k, y = case
    groups = np.array(numbers[: len(y)])
    groups[np.flatnonzero(np.isfinite(y["upper"]))[:k]] = 100 + np.arange(k)
    cv = CensoredCVSplitter(k, stratify=stratify, min_events=0, random_state=seed)
    fold = folds_of(cv, y, groups)
    for group in np.unique(groups):
        assert len(set(fold[groups == group])) == 1
    assert set(fold) == set(range(k))


def test_groups_are_balanced():
    """In sizes and events better than by the splitter for classes, and in times where asked."""
    found = {"event+time": [], "event": [], "classes": []}
    for seed in range(30):
        rng = np.random.default_rng(seed)
        groups = np.concatenate([np.arange(40), rng.integers(0, 40, 260)])
        level = rng.normal(size=40)[groups]
        event = rng.random(300) < 1 / (1 + np.exp(-level))
        y = right_censored(event, rng.exponential(np.exp(level)))
        early = event & (y["time"] < np.median(y["time"][event]))
        for name in found:
            cv = CensoredCVSplitter(5, stratify=name, random_state=seed)
            if name == "classes":
                cv = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
            fold = folds_of(cv, event if name == "classes" else y, groups)
            found[name].append([spread(fold[rows], 5) for rows in (event | True, event, early)])
    size, events, early = np.transpose([np.mean(found[name], axis=0) for name in found])
    assert size[1] < size[2]
    assert events[1] < events[2]
    assert early[0] < min(early[1:])


def test_groups_are_balanced_over_time_where_asked_for():
    """Forty groups that differ in their times, not in their events."""
    groups = np.repeat(np.arange(40), 4)
    y = right_censored([1, 0] * 80, np.repeat(np.arange(40), 4))
    y["time"] += np.tile([0.1, 0.2, 0.3, 0.4], 40)
    late = y["time"] >= 32
    worst = {"event+time": 0, "event": 0}
    for stratify in worst:
        for seed in range(10):
            cv = CensoredCVSplitter(4, stratify=stratify, random_state=seed)
            fold = folds_of(cv, y, groups)
            assert spread(fold, 4) == spread(fold[y["event"]], 4) == 0
            worst[stratify] = max(worst[stratify], spread(fold[late], 4))
    assert worst["event+time"] == 0 < worst["event"]


@pytest.mark.parametrize("shuffle", [True, False])
def test_too_few_groups_with_events_are_refused_before_the_first_fold(shuffle):
    y = right_censored([1, 1, 1, 0, 0, 0, 0, 0, 0, 1], range(10))
    groups = list("aabccddeff")
    cv = CensoredCVSplitter(4, shuffle=shuffle)
    with pytest.raises(ValueError, match=r"n_splits=4 .* y has 3 groups with events among 6"):
        next(cv.split(np.zeros((10, 1)), y, groups))
    assert len(held_out(CensoredCVSplitter(3, shuffle=shuffle), y, groups)) == 3


def test_no_fold_is_empty_for_want_of_groups():
    y = right_censored([1] * 10, range(10))
    with pytest.raises(ValueError, match=r"as many groups as splits, but y has 2 groups"):
        held_out(CensoredCVSplitter(3, min_events=0), y, np.arange(10) % 2)


@pytest.mark.parametrize("container", [list, np.array, pd.Series, pl.Series, pd.Categorical])
def test_containers_of_groups(container):
    _, y = some_rows()
    numbers = np.arange(60) % 12
    names = container([f"site {number:02}" for number in numbers])
    cv = CensoredCVSplitter(3, random_state=0)
    assert same_folds(held_out(cv, y, names), held_out(cv, y, numbers))


def test_groups_must_be_known():
    _, y = some_rows()
    with pytest.raises(ValueError, match="groups has 1 missing"):
        held_out(CensoredCVSplitter(3), y, [None, *"abcde"] + ["f"] * 54)
    with pytest.raises(ValueError, match="groups has 3 rows"):
        held_out(CensoredCVSplitter(3), y, list("abc"))


# The follow-up of the training rows


def kept_oracle(y, train, rows):
    """Events strictly before, other rows not after, the last training time."""
    time = [lower if np.isinf(upper) else upper for lower, upper in y.tolist()]
    last = max(time[row] for row in train)
    return [r for r in rows if time[r] < last or (time[r] == last and np.isinf(y["upper"][r]))]


@pytest.mark.parametrize("n_repeats", [1, 2])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.filterwarnings("ignore:time_support:UserWarning")
def test_events_past_the_training_times_are_left_out(grouped, n_repeats):
    rng = np.random.default_rng(0)
    n_lost = 0
    for seed in range(30):
        time, width = rng.integers(1, 12, 24), rng.choice([0, 0, 3, np.inf], 24)
        y = interval_censored(time, time + width)
        groups = np.arange(24) // 2 if grouped else None
        cv = CensoredCVSplitter(3, n_repeats=n_repeats, time_support="train", random_state=seed)
        for train, test in cv.split(np.zeros((24, 1)), y, groups):
            rest = np.setdiff1d(np.arange(24), train)
            assert_array_equal(test, kept_oracle(y, train, rest))
            n_lost += len(rest) - len(test)
    assert n_lost > 5


def test_the_warning_counts_what_is_left_out_and_says_what_needs_a_partition():
    y = right_censored([1] * 6 + [0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 9, 9])
    X = np.zeros((9, 1))
    found = []
    for seed in range(10):
        cv = CensoredCVSplitter(3, time_support="train", random_state=seed)
        with pytest.warns(UserWarning, match=r"leaves 1 test row.*cross_val_predict") as record:
            splits = list(cv.split(X, y))
        # Two events share the last time, in folds of their own: each is at it, not before it.
        lost = [3 - len(test) for _, test in splits]
        assert sorted(lost) == [0, 1, 1]
        assert len(record) == 2
        assert all(warning.filename == __file__ for warning in record)
        found.append(tuple(lost))
    assert len(set(found)) > 1


def test_nothing_is_said_where_nothing_is_left_out():
    y = right_censored([1] * 6 + [0] * 6, [*range(6), *[9] * 6])
    for seed in range(5):
        kept, every = (
            CensoredCVSplitter(3, time_support=support, random_state=seed)
            for support in ("train", "any")
        )
        assert same_folds(held_out(kept, y), held_out(every, y))


@pytest.mark.parametrize("seed", range(8))
def test_too_few_events_within_the_training_times_are_refused_before_the_first_fold(seed):
    y = right_censored([1, 0, 0, 1], [1, 3, 4, 9])
    cv = CensoredCVSplitter(2, time_support="train", random_state=seed)
    with pytest.raises(ValueError, match=r"min_events=1 .*\[(0, 1|1, 0)\].*time_support='any'"):
        next(cv.split(np.zeros((4, 1)), y))


def test_folds_are_dealt_again_for_events_within_the_training_times():
    y = right_censored([1, 1, 1, 0, 0, 0], [1, 2, 9, 3, 4, 5])
    for seed in range(20):
        cv = CensoredCVSplitter(2, stratify=None, time_support="train", random_state=seed)
        with pytest.warns(UserWarning, match="leaves 1 test row"):
            tests = held_out(cv, y)
        assert min(y["event"][test].sum() for test in tests) == 1


def test_repr_and_pickle():
    cv = CensoredCVSplitter(3, n_repeats=2, stratify="event", min_events=2, random_state=5)
    text = repr(cv)
    for part in ("n_splits=3", "n_repeats=2", "stratify='event'", "min_events=2", "random_state=5"):
        assert part in text
    rebuilt = eval(text, {"CensoredCVSplitter": CensoredCVSplitter})
    _, y = some_rows()
    for other in (rebuilt, pickle.loads(pickle.dumps(cv)), clone(cv, safe=False)):
        assert repr(other) == text
        assert same_folds(held_out(cv, y), held_out(other, y))


# Parameters and rows that are refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_splits": 1}, "n_splits=1 must be .* at least 2"),
        ({"n_splits": 2.5}, "n_splits=2.5 must be a whole number"),
        ({"n_splits": 5.0}, "n_splits=5.0 must be a whole number"),
        ({"n_splits": "5"}, "n_splits='5' must be"),
        ({"n_splits": True}, "n_splits=True must be"),
        ({"n_repeats": 0}, "n_repeats=0 must be .* at least 1"),
        ({"min_events": -1}, "min_events=-1 must be .* at least 0"),
        ({"stratify": "time"}, "stratify='time' is not known; use one of 'event.time', 'event'"),
        ({"time_support": None}, "time_support=None is not known; use one of 'any', 'train'"),
        ({"shuffle": False, "n_repeats": 2}, "n_repeats=2 .* need shuffling"),
        ({"shuffle": False, "random_state": 0}, "random_state=0 need shuffling"),
        ({"random_state": "seed"}, "cannot be used to seed"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    X, y = some_rows()
    with pytest.raises(ValueError, match=message):
        next(CensoredCVSplitter(**options).split(X, y))


def test_integers_of_numpy_are_integers():
    _, y = some_rows()
    cv = CensoredCVSplitter(np.int64(4), min_events=np.int8(2), random_state=np.int64(0))
    expected = CensoredCVSplitter(4, min_events=2, random_state=0)
    assert same_folds(held_out(cv, y), held_out(expected, y))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y is None; build a censored target"),
        (np.arange(60.0), "carries no censoring information"),
        (np.ones((60, 2)), "right_censored.* or interval_censored"),
        (right_censored([1], [1]), "X has 60 rows, y has 1 rows"),
        (right_censored([1], [1])[:0], "empty|y has 0 rows"),
    ],
)
def test_bad_rows_are_refused(y, message):
    X, _ = some_rows()
    with pytest.raises(ValueError, match=message):
        next(CensoredCVSplitter().split(X, y))
