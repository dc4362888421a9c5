"""Cross-validation splitter and train-test split for censored targets."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state

from sklearn_ordinal_censored._compat import num_samples, safe_indexing
from sklearn_ordinal_censored._typing import AnyArray, CensoredTarget, IntArray
from sklearn_ordinal_censored._warn import warn
from sklearn_ordinal_censored.model_selection._dealing import (
    deal_groups,
    deal_rows,
    known_time,
    row_order,
)
from sklearn_ordinal_censored.targets._censored import parse_censored
from sklearn_ordinal_censored.targets._groups import read_groups
from sklearn_ordinal_censored.targets._inputs import (
    check_count,
    check_flag,
    check_number,
    check_option,
    check_same_length,
)

_STRATIFY = ("event+time", "event", None)
_MOST_FOLDS = 10  # a test part of whole groups is some of so many folds, or one of more
_TRIES = 20  # deals until every test fold has a comparable pair


class CensoredCVSplitter(BaseCrossValidator):
    """Stratified cross-validation for censored targets, as ``cv=`` anywhere in scikit-learn.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    n_repeats : int, default=1
        How often the data are split anew; more than one needs ``shuffle=True``.
    stratify : {"event+time", "event", None}, default="event+time"
        ``"event+time"``: every fold gets the same share of events, of every stretch of time.
        ``"event"``: the same share of events. None: folds of equal size. An event is any row with a
        finite upper bound, so left- and interval-censored rows count.
    time_support : {"any", "train"}, default="any"
        ``"train"`` leaves out of every test fold the events that are not before the last time of
        the training rows, and other rows that are after it, with a warning that counts them.
        Weights for censoring estimated on the training rows are then known at each test event. The
        folds are no partition any more: ``cross_val_predict`` and ``pooled_cross_val_score`` need
        ``"any"``.
    min_events : int, default=1
        Smallest number of events that every test fold must have.
    shuffle : bool, default=True
        Whether rows are dealt at random. Without, the folds follow from the order of the rows.
    random_state : int, RandomState instance or None, default=None
        Seed. Searches that split more than once, such as successive halving, need an int.

    See Also
    --------
    censored_train_test_split : One split.
    usable_tau : How far weights for censoring reach in every split.

    Notes
    -----
    Rows with an event, then the others, are put in the order of their time, ties at random, and
    dealt to the folds; each deck of folds is shuffled. Numbers of events, of other rows and of all
    rows differ by at most one between folds. Whole ``groups`` go, largest first, to the fold that
    they balance best. A deal that leaves a test fold without a comparable pair is dealt again, up
    to 20 times.

    A splitter balances what there is. It cannot give a fold follow-up that the data do not have:
    values that depend on the last times, such as weights for censoring, need a ``tau``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
    >>> from sklearn_ordinal_censored.targets import right_censored
    >>> y = right_censored(event=[1] * 4 + [0] * 6, time=range(10))
    >>> for train, test in CensoredCVSplitter(2, random_state=0).split(np.zeros((10, 1)), y):
    ...     print(len(test), y["event"][test].sum())
    5 2
    5 2
    """

    # scikit-learn requests groups from splitters that say so.
    __metadata_request__split: ClassVar[dict[str, bool]] = {"groups": True}

    def __init__(
        self,
        n_splits: int = 5,
        *,
        n_repeats: int = 1,
        stratify: str | None = "event+time",
        time_support: str = "any",
        min_events: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.stratify = stratify
        self.time_support = time_support
        self.min_events = min_events
        self.shuffle = shuffle
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object, default=None
            Not read.

        Returns
        -------
        int
            ``n_splits * n_repeats``.
        """
        return self.n_splits * self.n_repeats

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the rows of every split.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Only its length is read.
        y : censored target of shape (n_samples,)
            Any kind of censoring.
        groups : array-like of shape (n_samples,), default=None
            Rows of one group stay together.

        Yields
        ------
        train : ndarray
            Row numbers, ascending.
        test : ndarray
            Row numbers, ascending.

        Raises
        ------
        ValueError
            If there are too few rows, events or groups with events; before the first split.
        """
        self._check_parameters()
        target, numbers = _read_rows(X, y, groups)
        self._check_events(target, numbers)
        rng = check_random_state(self.random_state) if self.shuffle else None
        # Every repeat is dealt, and refused, before the first fold leaves.
        deals = [self._deal(target, numbers, rng) for _ in range(self.n_repeats)]
        for fold, kept in deals:
            for number in range(self.n_splits):
                in_test = fold == number
                self._warn_of_loss(int(in_test[~kept].sum()))
                yield np.flatnonzero(~in_test), np.flatnonzero(in_test & kept)

    def _check_parameters(self) -> None:
        check_option("stratify", self.stratify, _STRATIFY)
        check_option("time_support", self.time_support, ("any", "train"))
        check_flag("shuffle", self.shuffle)
        check_count("n_splits", self.n_splits, minimum=2)
        check_count("n_repeats", self.n_repeats)
        check_count("min_events", self.min_events, minimum=0)
        if not self.shuffle and (self.n_repeats > 1 or self.random_state is not None):
            raise ValueError(
                f"n_repeats={self.n_repeats!r} and random_state={self.random_state!r} "
                "need shuffling; set shuffle=True or leave them."
            )

    def _check_events(self, target: CensoredTarget, groups: IntArray | None) -> None:
        event = target.has_event
        n_samples, n_events = len(event), int(event.sum())
        needed = self.n_splits * self.min_events
        if n_samples < self.n_splits or n_events < needed:
            raise ValueError(
                f"n_splits={self.n_splits} with min_events={self.min_events} needs {needed} events "
                f"and {self.n_splits} rows at least, but y has {n_events} events in {n_samples} "
                "rows; take fewer splits."
            )
        if groups is None:
            return
        n_groups, n_with = len(np.unique(groups)), len(np.unique(groups[event]))
        if n_groups < self.n_splits or (self.min_events and n_with < self.n_splits):
            raise ValueError(
                f"n_splits={self.n_splits} with min_events={self.min_events} needs as many groups "
                f"{'with events' if self.min_events else 'as splits'}, but y has {n_with} groups "
                f"with events among {n_groups}; take fewer splits."
            )

    def _deal(
        self, target: CensoredTarget, groups: IntArray | None, rng: Any
    ) -> tuple[IntArray, AnyArray]:
        """Return the fold of every row, and which rows stay in a test fold."""
        most, best = -1, None
        for _ in range(1 if rng is None else _TRIES):
            fold = self._deal_once(target, groups, rng)
            kept = self._within_support(target, fold)
            tests = [target.take((fold == number) & kept) for number in range(self.n_splits)]
            counts = [int(test.has_event.sum()) for test in tests]
            is_usable = min(counts) >= self.min_events and min(map(_size, tests)) > 0
            n_paired = sum(map(_has_pair, tests)) if is_usable else -1
            if n_paired > most:
                most, best = n_paired, (fold, kept)
            if most == self.n_splits:
                break
        if best is None:
            raise self._no_deal(counts)
        return best

    def _no_deal(self, counts: list[int]) -> ValueError:
        cure = "stratify by event" if self.time_support == "any" else "time_support='any'"
        return ValueError(
            f"No deal gave every fold rows and min_events={self.min_events} events; the last "
            f"had {counts}. Take fewer splits, or {cure}."
        )

    def _deal_once(self, target: CensoredTarget, groups: IntArray | None, rng: Any) -> IntArray:
        if groups is not None:
            return deal_groups(target, groups, self.n_splits, self.stratify, rng)
        order = row_order(target, self.stratify, rng)
        n_first = 0 if self.stratify is None else int(target.has_event.sum())
        return deal_rows(order, n_first, self.n_splits, rng)

    def _within_support(self, target: CensoredTarget, fold: IntArray) -> AnyArray:
        """Return the rows that lie inside the follow-up of the rows of the other folds."""
        kept = np.ones(len(fold), dtype=bool)
        if self.time_support == "any":
            return kept
        event = target.has_event
        time = np.where(event, target.upper, known_time(target))
        for number in range(self.n_splits):
            test = fold == number
            last = time[~test].max()
            kept[test] = np.where(event[test], time[test] < last, time[test] <= last)
        return kept

    def _warn_of_loss(self, n_lost: int) -> None:
        if n_lost:
            warn(
                f"time_support='train' leaves {n_lost} test row(s) out, not before the last "
                "training time; what needs every row, such as cross_val_predict, needs "
                "time_support='any'.",
            )


def censored_train_test_split(
    X: Any,
    y: Any,
    *arrays: Any,
    test_size: float = 0.25,
    groups: Any = None,
    stratify: str | None = "event+time",
    random_state: Any = None,
) -> list[Any]:
    """Split rows into a training and a test part with alike events and times.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Rows.
    y : censored target of shape (n_samples,)
        Any kind of censoring.
    *arrays : array-like of shape (n_samples, ...)
        More to split the same way, such as weights.
    test_size : float, default=0.25
        Share of the rows for the test part, between 0 and 1, or their number, a whole number above
        1. With groups it is met as closely as whole groups allow.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group stay together.
    stratify : {"event+time", "event", None}, default="event+time"
        What both parts are balanced for.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    list
        Training and test part of every input, in the order of the inputs: ``X_train, X_test,
        y_train, y_test, ...``.

    Raises
    ------
    ValueError
        If a part would be empty, or an input is refused.

    See Also
    --------
    CensoredCVSplitter : Several splits.

    Examples
    --------
    >>> from sklearn_ordinal_censored.datasets import load_gbsg2
    >>> from sklearn_ordinal_censored.model_selection import censored_train_test_split
    >>> X, y = load_gbsg2(return_X_y=True)
    >>> parts = censored_train_test_split(X, y, random_state=0)
    >>> [len(part) for part in parts]
    [514, 172, 514, 172]
    """
    check_option("stratify", stratify, _STRATIFY)
    target, numbers = _read_rows(X, y, groups)
    check_same_length(
        X=len(target.lower),
        **{f"arrays[{k}]": _count(f"arrays[{k}]", a) for k, a in enumerate(arrays)},
    )
    n_samples = len(target.lower)
    n_test = _number_of_test_rows(test_size, n_samples)
    rng = check_random_state(random_state)
    if numbers is None:
        is_test = _draw_rows(row_order(target, stratify, rng), n_test, rng)
    else:
        is_test = _draw_groups(target, numbers, n_test, stratify, rng)
    train, test = np.flatnonzero(~is_test), np.flatnonzero(is_test)
    if not len(train) or not len(test):
        raise ValueError(
            f"test_size={test_size!r} leaves {len(train)} training and {len(test)} test rows."
        )
    return [safe_indexing(data, rows) for data in (X, y, *arrays) for rows in (train, test)]


def _read_rows(X: Any, y: Any, groups: Any) -> tuple[CensoredTarget, IntArray | None]:
    target = parse_censored("y", y)
    lengths = {"X": _count("X", X), "y": len(target.lower)}
    if groups is None:
        check_same_length(**lengths)
        return target, None
    numbers = read_groups("groups", groups)
    check_same_length(**lengths, groups=len(numbers))
    return target, numbers


def _count(name: str, data: Any) -> int:
    try:
        return int(num_samples(data))
    except TypeError as error:
        raise ValueError(f"{name} has no rows to split: {error}.") from error


def _size(target: CensoredTarget) -> int:
    return len(target.lower)


def _has_pair(target: CensoredTarget) -> bool:
    """Return whether some row surely came before another."""
    if not len(target.lower):
        return False
    first, last = target.upper.min(), target.lower.max()
    at_last = ~target.is_exact[target.lower == last]
    return bool(first < last or (first == last and at_last.any()))


def _number_of_test_rows(test_size: Any, n_samples: int) -> int:
    size = check_number("test_size", test_size, minimum=0)
    is_number = isinstance(test_size, Integral)
    n_test = int(size) if is_number else int(np.ceil(min(size, 1.0) * n_samples))
    if not 0 < n_test < n_samples:
        raise ValueError(
            f"test_size={test_size!r} must be a share between 0 and 1 or an int, and leave "
            f"training and test rows of the {n_samples}."
        )
    return n_test


def _draw_rows(order: IntArray, n_test: int, rng: Any) -> AnyArray:
    """Draw one row at random from each of ``n_test`` equal stretches of the order."""
    edges = np.linspace(0, len(order), n_test + 1).round().astype(np.intp)
    is_test = np.zeros(len(order), dtype=bool)
    is_test[order[rng.randint(edges[:-1], edges[1:])]] = True
    return is_test


def _draw_groups(
    target: CensoredTarget, groups: IntArray, n_test: int, stratify: str | None, rng: Any
) -> AnyArray:
    """Deal the groups to folds of which a few together have the size of the test part."""
    share = n_test / len(groups)
    finest = max(_MOST_FOLDS, round(1 / min(share, 1 - share)))
    most = min(len(np.unique(groups)), finest)
    n_folds = min(range(2, max(most, 2) + 1), key=lambda k: abs(share - _whole(share, k) / k))
    fold = deal_groups(target, groups, n_folds, stratify, rng)
    sizes = np.bincount(fold, minlength=n_folds)
    n_taken = _whole(share, n_folds)
    taken = np.argsort(np.abs(sizes - n_test / n_taken), kind="stable")[:n_taken]
    return np.isin(fold, taken)


def _whole(share: float, n_folds: int) -> int:
    """Return how many of the folds come closest to a share, one at least and not all."""
    return min(max(round(share * n_folds), 1), n_folds - 1)
