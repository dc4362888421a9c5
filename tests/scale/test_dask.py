"""Searches on the workers of a Dask cluster give the scores of one process, bit for bit."""

import os

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from threadpoolctl import threadpool_limits

from sklearn_ordinal_censored.compose import IPCWRegressor
from sklearn_ordinal_censored.datasets import make_censored, make_ordinal
from sklearn_ordinal_censored.metrics import get_scorer
from sklearn_ordinal_censored.model_selection import CensoredCVSplitter
from sklearn_ordinal_censored.postprocessing import (
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
)

distributed = pytest.importorskip("distributed")

KAPPA = get_scorer(["quadratic_weighted_kappa", "neg_mean_absolute_class_error"], labels=range(5))
SEARCHES = {
    "thresholds": GridSearchCV(
        OrdinalThresholdOptimizer(Ridge(), cv=3, labels=range(5)),
        {"estimator__alpha": [0.1, 1000.0], "strategy": ["exact", "smoothed"]},
        scoring=KAPPA,
        refit="quadratic_weighted_kappa",
        cv=3,
        error_score="raise",
    ),
    "decisions": GridSearchCV(
        OrdinalDecisionClassifier(LogisticRegression(), cv=3, labels=range(5)),
        {"estimator__C": [1e-3, 1.0], "decision": ["kappa", "median"]},
        scoring=KAPPA,
        refit="quadratic_weighted_kappa",
        cv=3,
        error_score="raise",
    ),
    "censored": GridSearchCV(
        IPCWRegressor(Ridge()),
        {"estimator__alpha": [0.1, 10.0, 1000.0]},
        scoring=get_scorer("concordance_index"),
        cv=CensoredCVSplitter(4, random_state=0),
        error_score="raise",
    ),
}


@pytest.fixture(scope="module")
def client():
    """Two processes, which share no memory with this one, as other machines would not."""
    # Any free port for the dashboard: another suite may run beside this one.
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _rows(name):
    if name == "censored":
        return make_censored(150, random_state=0)
    return make_ordinal(200, random_state=0)


def _scores(search, X, y):
    results = search.fit(X, y).cv_results_
    return {key: values for key, values in results.items() if key.startswith("split")}


@pytest.mark.parametrize("name", SEARCHES)
def test_search_on_dask_equals_search_in_one_process(name, client):
    X, y = _rows(name)
    serial, distant = clone(SEARCHES[name]), clone(SEARCHES[name])
    with threadpool_limits(1):  # as in the workers: how BLAS splits a sum moves its last bit
        expected = _scores(serial, X, y)
    with parallel_config(backend="dask", wait_for_workers_timeout=60):
        scores = _scores(distant, X, y)
    assert scores.keys() == expected.keys()
    for key, values in scores.items():
        assert_array_equal(values, expected[key])
    assert len(np.unique(list(expected.values()))) > 4
    assert distant.best_params_ == serial.best_params_


def test_scores_are_made_by_the_workers(client):
    """Without this the comparison could be one of this process with itself."""
    X, y = _rows("thresholds")
    search = clone(SEARCHES["thresholds"]).set_params(
        scoring=lambda estimator, X, y: os.getpid(), refit=False
    )
    with parallel_config(backend="dask", wait_for_workers_timeout=60):
        scores = _scores(search, X, y)
    workers = set(client.run(os.getpid).values())
    assert len(workers) == 2
    assert set(np.ravel(list(scores.values()))) <= workers - {os.getpid()}
