"""Processes and threads: the same results, also from inputs in memory that may only be read."""

import tempfile
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from hostile import memory_mapped
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from registry_calls import TARGET, TRUE
from registry_public import CALLS, assert_equal_results, public_calls
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate

from sklearn_ordinal_censored import (
    CensoredCVSplitter,
    IPCWRegressor,
    OrdinalDecisionClassifier,
    OrdinalThresholdOptimizer,
    get_scorer,
)
from sklearn_ordinal_censored._kernels import pairs

N_REPEATS = 20
rng = np.random.default_rng(0)
X = np.tile(rng.normal(size=(24, 3)), (N_REPEATS, 1)) + rng.normal(size=(24 * N_REPEATS, 3)) / 4
GRADES = np.tile(TRUE, N_REPEATS)
TIMES = np.tile(TARGET, N_REPEATS)
ESTIMATORS = {
    "thresholds": OrdinalThresholdOptimizer(LinearRegression(), cv=3, random_state=0),
    "decisions": OrdinalDecisionClassifier(LogisticRegression(), cv=3),
}
BACKENDS = ["threading", "loky"]
CALCULATIONS = [name for name in public_calls() if not CALLS[name].pictures and CALLS[name].arrays]


def at_once(backend):
    """Two workers that get their arrays in files that may only be read."""
    options = {} if backend == "threading" else {"max_nbytes": 1, "mmap_mode": "r"}
    return parallel_config(backend=backend, n_jobs=2, **options)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=list(ESTIMATORS))
def test_estimators(estimator, backend):
    weight = np.arange(len(X)) % 3
    alone = clone(estimator).set_params(n_jobs=1).fit(X, GRADES, weight)
    with at_once(backend):
        together = clone(estimator).set_params(n_jobs=2).fit(X, GRADES, weight)
    assert_array_equal(together.predict(X), alone.predict(X))
    for name in ("thresholds_", "cost_matrix_"):
        if hasattr(alone, name):
            assert_array_equal(getattr(together, name), getattr(alone, name))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=list(ESTIMATORS))
def test_scorers_in_cross_validation(estimator, backend):
    scoring = {name: get_scorer(name) for name in ("quadratic_weighted_kappa", "ordinal_accuracy")}
    expected = cross_validate(estimator, X, GRADES, cv=3, scoring=scoring)
    with at_once(backend):
        found = cross_validate(estimator, X, GRADES, cv=3, scoring=scoring, n_jobs=2)
    for name in scoring:
        assert_allclose(found[f"test_{name}"], expected[f"test_{name}"], rtol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_search_over_censored_folds(backend):
    def _search(**options):
        return GridSearchCV(
            IPCWRegressor(LinearRegression()),
            {"log_time": [True, False]},
            scoring=get_scorer("concordance_index_ipcw"),
            cv=CensoredCVSplitter(3, random_state=0),
            **options,
        ).fit(X, TIMES)

    expected = _search().cv_results_["mean_test_score"]
    with at_once(backend):
        found = _search(n_jobs=2).cv_results_["mean_test_score"]
    assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", CALCULATIONS)
def test_inputs_in_files_that_may_only_be_read(name):
    call = CALLS[name]
    arrays = {argument: memory_mapped(array) for argument, array in call.arrays.items()}
    assert not any(array.flags.writeable for array in arrays.values())
    assert_equal_results(call(**arrays), call())


def test_arrays_that_joblib_has_mapped():
    with tempfile.TemporaryDirectory() as folder:
        joblib.dump({"X": X, "y": GRADES}, f"{folder}/rows.joblib")
        rows = joblib.load(f"{folder}/rows.joblib", mmap_mode="r")
        assert isinstance(rows["X"], np.memmap)
        for estimator in ESTIMATORS.values():
            mapped = clone(estimator).fit(rows["X"], rows["y"]).predict(rows["X"])
            assert_array_equal(mapped, clone(estimator).fit(X, GRADES).predict(X))


@pytest.mark.parametrize("way", ["compiled", "NumPy"])
@pytest.mark.parametrize("name", CALCULATIONS)
def test_several_threads_at_once(name, way, monkeypatch):
    call = CALLS[name]
    if way == "NumPy":
        monkeypatch.setattr(pairs, "_implementation", lambda: pairs.wavelet_sums)
    expected = call()
    with ThreadPoolExecutor(4) as pool:
        results = [future.result() for future in [pool.submit(call) for _ in range(4)]]
    for result in results:
        assert_equal_results(result, expected)
