"""`usable_tau` and `pooled_cross_val_score`."""

from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from folds import CONTAINERS, some_rows
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    ShuffleSplit,
    cross_val_predict,
    cross_val_score,
)

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.metrics import (
    concordance_index,
    concordance_index_ipcw,
    get_scorer,
    observed_mae,
)
from sklearn_ordinal_censored.model_selection import (
    CensoredCVSplitter,
    pooled_cross_val_score,
    usable_tau,
)
from sklearn_ordinal_censored.nonparametric import KaplanMeier
from sklearn_ordinal_censored.targets import interval_censored, right_censored

# How far weights for censoring reach


def is_usable(rows, time):
    """Whether the training rows know the chance of being under observation just before a time."""
    survival = 1.0
    for when in sorted({t for event, t, _ in rows if not event and t < time}):
        at_risk = [
            e for e, t, entry in rows if entry < when and (t > when or (t == when and not e))
        ]
        lost = [t for event, t, _ in rows if t == when and not event]
        survival *= 1 - len(lost) / len(at_risk)
    return survival > 0 and time <= max(t for _, t, _ in rows)


def tau_oracle(splits, y):
    """The largest of all times, or infinity, before which every test event can be weighted."""
    rows = [(*row, -np.inf)[:3] for row in y.tolist()]
    return max(
        tau
        for tau in [*sorted({t for _, t, _ in rows}), np.inf]
        if all(
            is_usable([rows[i] for i in train], rows[j][1])
            for train, test in splits
            for j in test
            if rows[j][0] and rows[j][1] < tau
        )
    )


@st.composite
def targets(draw):
    """Right-censored rows with many equal times, perhaps with delayed entry."""
    row = st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 4))
    event, time, delay = map(
        np.array, zip(*draw(st.lists(row, min_size=4, max_size=14)), strict=True)
    )
    y = right_censored(event, time)
    if not draw(st.booleans()):
        return y
    late = np.empty(len(y), dtype=[*y.dtype.descr, ("entry", "f8")])
    late["event"], late["time"], late["entry"] = event, time, time - delay
    return late


@given(targets(), st.integers(2, 4), st.none() | st.integers(0, 100))
def test_tau_agrees_with_a_loop_over_all_candidates(y, n_splits, seed):
    cv = KFold(n_splits, shuffle=seed is not None, random_state=seed)
    splits = list(cv.split(y))
    expected = tau_oracle(splits, y)
    assert usable_tau(cv, y) == usable_tau(splits, y) == expected
    assert type(usable_tau(cv, y)) is float


@given(targets(), st.integers(0, 100))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_with_tau_the_weights_of_the_training_rows_are_known(y, seed):
    """Whatever can be scored without censoring can be scored in every fold."""
    cv = KFold(2, shuffle=True, random_state=seed)
    tau = usable_tau(cv, y)
    for train, test in cv.split(y):
        curve = KaplanMeier(reverse=True).fit(y[train])
        uncensored = KaplanMeier(reverse=True).fit(right_censored([1], [99]))
        options = {"y_pred": np.arange(len(test)), "tau": tau}
        score = concordance_index_ipcw(y[test], censoring=curve, **options)
        plain = concordance_index_ipcw(y[test], censoring=uncensored, **options)
        assert np.isnan(score) == np.isnan(plain)


@pytest.mark.parametrize(
    ("train", "expected"),
    [
        (right_censored([1, 1], [2, 9]), np.inf),  # nothing is beyond the training rows
        (right_censored([1, 1], [2, 6]), 7.0),  # follow-up ends before 7, with nothing censored
        (right_censored([1, 0], [2, 5]), 7.0),  # the curve has fallen to 0 at 5
        (right_censored([1, 0], [2, 7]), np.inf),  # it falls at 7, just after the event there
        (right_censored([0, 0], [3, 3]), 4.0),
        (right_censored([1, 1], [1, 2]), 4.0),
    ],
)
def test_tau_by_hand(train, expected):
    """Test events at 4 and 7, and a censoring that needs no weight."""
    test = right_censored([1, 1, 0], [7, 4, 99])
    assert usable_tau([([0, 1], [2, 3, 4])], np.concatenate([train, test])) == expected


def test_a_curve_that_falls_to_zero_before_others_enter():
    """At 2 the only one at risk is censored; those who enter later say nothing about before."""
    y = np.array(
        [(False, 2.0, 0.0), (True, 9.0, 3.0), (True, 2.0, 0.0), (True, 5.0, 4.0)],
        dtype=[("event", "?"), ("time", "f8"), ("entry", "f8")],
    )
    assert usable_tau([([0, 1], [2, 3])], y) == 5.0
    assert usable_tau([([0, 1], [2])], y) == np.inf


def test_tau_is_the_least_of_all_splits():
    y = right_censored([1, 1, 1, 1], [1, 2, 3, 4])
    splits = [([0, 1, 3], [2]), ([0, 1, 2], [3]), ([0], [1, 2])]
    assert [usable_tau([split], y) for split in splits] == [np.inf, 4.0, 2.0]
    assert usable_tau(splits, y) == 2.0


def test_masks_are_splits():
    y = right_censored([1, 1, 1, 1], [1, 2, 3, 4])
    mask = np.array([True, True, False, False])
    assert usable_tau([(mask, ~mask)], y) == 3.0


@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_give_the_same_tau(container):
    rng = np.random.default_rng(0)
    y = right_censored(rng.random(40) < 0.7, rng.permutation(40))
    y["event"][y["time"].argmax()] = True
    cv = CensoredCVSplitter(4, random_state=0)
    tau = usable_tau(cv, y)
    assert np.isfinite(tau)
    assert usable_tau(cv, CONTAINERS[container](y)) == tau


def test_tau_of_grouped_splits():
    y = right_censored(np.ones(6), [1, 2, 3, 4, 5, 6])
    groups = list("abccab")
    splits = list(GroupKFold(3).split(y, groups=groups))
    assert usable_tau(GroupKFold(3), y, groups=groups) == tau_oracle(splits, y) == 6.0
    with pytest.raises(ValueError, match="groups"):
        usable_tau(GroupKFold(3), y)
    cv = CensoredCVSplitter(3, random_state=0)
    assert usable_tau(cv, y, groups=groups) == tau_oracle(list(cv.split(y, y, groups)), y)


class ByFeature:
    """Splits that depend on the rows of X."""

    def split(self, X, y=None, groups=None):
        late = np.asarray(X)[:, 0] > 0
        yield np.flatnonzero(~late), np.flatnonzero(late)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 1


def test_tau_of_splits_that_read_the_rows():
    y = right_censored([1, 1, 1], [1, 2, 3])
    assert usable_tau(ByFeature(), y, X=[[0], [0], [1]]) == 3.0
    assert usable_tau(ByFeature(), y, X=pd.DataFrame({"a": [1, 0, 0]})) == np.inf


def test_follow_up_of_the_training_rows_leaves_no_limit():
    """Folds that keep to the training times need no tau where nothing falls to 0 before."""
    _, y = some_rows(share=0.6)
    kept = CensoredCVSplitter(3, time_support="train", random_state=0)
    every = CensoredCVSplitter(3, random_state=0)
    last = y["time"].argmax()
    y["event"][last] = True
    assert usable_tau(every, y) <= y["time"][last]
    with pytest.warns(UserWarning, match="time_support"):
        assert usable_tau(kept, y) == np.inf


def test_tau_needs_exact_and_right_censored_rows():
    y = interval_censored([1, 2, 3], [1, 4, np.inf])
    with pytest.raises(ValueError, match="0 left-censored and 1 interval-censored"):
        usable_tau(KFold(2), y)
    with pytest.raises(ValueError, match="carries no censoring information"):
        usable_tau(KFold(2), [1.0, 2.0, 3.0])


# Pooled scores

MODEL = IPCWRegressor(Ridge())


def test_a_pooled_score_is_the_metric_of_all_out_of_fold_predictions():
    X, y = some_rows()
    cv = CensoredCVSplitter(4, random_state=1)
    score = pooled_cross_val_score(MODEL, X, y, metric=concordance_index, cv=cv)
    assert score == concordance_index(y, cross_val_predict(MODEL, X, y, cv=cv))
    by_hand = np.empty(len(y))
    for train, test in cv.split(X, y):
        by_hand[test] = IPCWRegressor(Ridge()).fit(X[train], y[train]).predict(X[test])
    assert score == concordance_index(y, by_hand)
    assert type(score) is float
    assert not hasattr(MODEL, "estimator_")


def test_the_default_splits_are_those_of_the_censored_splitter():
    X, y = some_rows()
    first, again = (pooled_cross_val_score(MODEL, X, y, metric=concordance_index) for _ in "ab")
    cv = CensoredCVSplitter(random_state=0)
    assert first == again == pooled_cross_val_score(MODEL, X, y, metric=concordance_index, cv=cv)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_leave_one_out_has_a_pooled_score_and_no_score_in_any_fold():
    X, y = some_rows(20)
    scorer = get_scorer("concordance_index")
    alone = cross_val_score(MODEL, X, y, cv=LeaveOneOut(), scoring=scorer, error_score="raise")
    assert np.isnan(alone).all()
    pooled = pooled_cross_val_score(MODEL, X, y, metric=concordance_index, cv=LeaveOneOut())
    assert 0.5 < pooled <= 1


@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_give_the_same_pooled_score(container):
    X, y = some_rows()
    y["time"] = np.ceil(4 * y["time"])  # whole numbers are the same in every container
    scores = [
        pooled_cross_val_score(MODEL, X, target, metric=concordance_index, cv=3)
        for target in (y, CONTAINERS[container](y))
    ]
    assert scores[0] == scores[1]


def test_a_model_of_risks():
    linear_model = pytest.importorskip("sksurv.linear_model")
    X, y = some_rows()
    cv = CensoredCVSplitter(4, random_state=0)
    cox = linear_model.CoxPHSurvivalAnalysis()
    by_risk = partial(concordance_index, prediction="risk")
    score = pooled_cross_val_score(cox, X, y, metric=by_risk, cv=cv)
    assert score == by_risk(y, cross_val_predict(cox, X, y, cv=cv))
    assert score > 0.7
    wrong = pooled_cross_val_score(cox, X, y, metric=concordance_index, cv=cv)
    assert score + wrong == pytest.approx(1)
    alone = pooled_cross_val_score(cox, X, y, metric=by_risk, cv=LeaveOneOut())
    assert alone == pytest.approx(score, abs=0.05)


def test_a_level_that_shifts_between_folds_costs_a_pooled_score():
    """Each constant is fair in its fold, but pooled the smaller means belong to later times."""
    X, y = np.zeros((20, 1)), right_censored(np.ones(20), range(20))
    cv = KFold(4)
    mean = IPCWRegressor(DummyRegressor(), log_time=False)
    scorer = get_scorer("concordance_index")
    assert_array_equal(cross_val_score(mean, X, y, cv=cv, scoring=scorer), 0.5)
    assert pooled_cross_val_score(mean, X, y, metric=concordance_index, cv=cv) < 0.2


@pytest.mark.parametrize("routing", [False, True])
def test_groups_reach_the_splitter(routing):
    X, y = some_rows()
    groups = np.arange(60) // 3
    cv = CensoredCVSplitter(4, random_state=0)
    expected = cross_val_predict(MODEL, X, y, cv=list(cv.split(X, y, groups)))
    with sklearn.config_context(enable_metadata_routing=routing):
        score = pooled_cross_val_score(MODEL, X, y, metric=concordance_index, cv=cv, groups=groups)
        plain = pooled_cross_val_score(MODEL, X, y, metric=concordance_index, cv=cv)
    assert score == concordance_index(y, expected) != plain


def test_two_jobs_give_the_same_score():
    X, y = some_rows()
    with joblib.parallel_config(backend="threading"):
        one, two = (
            pooled_cross_val_score(MODEL, X, y, metric=concordance_index, n_jobs=n_jobs)
            for n_jobs in (1, 2)
        )
    assert one == two


def test_errors_keep_their_own_direction():
    X, y = some_rows()
    cv = CensoredCVSplitter(4, random_state=0)
    error = pooled_cross_val_score(MODEL, X, y, metric=observed_mae, cv=cv)
    assert error == observed_mae(y, cross_val_predict(MODEL, X, y, cv=cv)) > 0


def test_other_targets_and_methods():
    X, y = some_rows()
    time, event = y["time"], y["event"]
    cv = KFold(3)
    error = pooled_cross_val_score(LinearRegression(), X, time, metric=mean_absolute_error, cv=cv)
    expected = cross_val_predict(LinearRegression(), X, time, cv=cv)
    assert error == mean_absolute_error(time, expected)
    shape = pooled_cross_val_score(
        LogisticRegression(), X, event, metric=lambda y, p: p.shape, cv=cv, method="predict_proba"
    )
    assert shape == (60, 2)


@pytest.mark.parametrize(
    "cv",
    [
        ShuffleSplit(3, random_state=0),
        PredefinedSplit([-1, *[0, 1, 2] * 19, 0, 1]),
        CensoredCVSplitter(3, n_repeats=2, random_state=0),
    ],
)
def test_splits_that_are_no_partition_are_refused(cv):
    X, y = some_rows()
    with pytest.raises(ValueError, match="partition"):
        pooled_cross_val_score(MODEL, X, y, metric=concordance_index, cv=cv)


def test_a_metric_that_refuses_is_heard():
    X, y = some_rows()
    with pytest.raises(ValueError, match="prediction='late'"):
        pooled_cross_val_score(MODEL, X, y, metric=partial(concordance_index, prediction="late"))


@pytest.mark.parametrize("metric", ["concordance_index", get_scorer("concordance_index")])
def test_pooled_scores_need_a_metric_function(metric):
    with pytest.raises(ValueError, match="must be a metric function"):
        pooled_cross_val_score(IPCWRegressor(Ridge()), [[1]], [1], metric=metric)
