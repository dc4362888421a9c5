"""The same seed gives the same result, and leaves NumPy's global generator alone."""

import copy
import inspect
import pickle

import numpy as np
import pytest
from registry_public import CALLS, assert_equal_results, close_figures, public_calls

import sklearn_ordinal_censored

SEEDED = [name for name in public_calls() if "random_state" in CALLS[name].arguments]
GLOBAL = np.random.get_state  # what users of `np.random.seed` rely on


def test_everything_with_a_seed_is_here():
    places = {name.partition("-")[0].partition(".")[0] for name in CALLS}
    assert places == set(sklearn_ordinal_censored.__all__)
    wanted = set()
    for place in places:
        public = getattr(sklearn_ordinal_censored, place)
        methods = inspect.getmembers(public, callable) if inspect.isclass(public) else []
        functions = [public, *(method for name, method in methods if not name.startswith("_"))]
        if any("random_state" in inspect.signature(function).parameters for function in functions):
            wanted.add(place)
    seeded = {name for name, call in CALLS.items() if "random_state" in call.arguments}
    assert wanted == {name.partition("-")[0].partition(".")[0] for name in seeded}


@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.parametrize("make", [lambda: 3, lambda: np.random.RandomState(3)], ids=["int", "rng"])
def test_the_same_seed_gives_the_same_result(name, make):
    call = CALLS[name]
    results = [call(random_state=make()) for _ in range(2)]
    close_figures()
    assert_equal_results(*results)


@pytest.mark.parametrize("name", SEEDED)
def test_a_number_is_the_seed_of_a_fresh_generator(name):
    call = CALLS[name]
    results = [call(random_state=seed) for seed in (3, np.random.RandomState(3))]
    close_figures()
    assert_equal_results(*results)


@pytest.mark.parametrize("name", SEEDED)
def test_another_seed_gives_another_result(name):
    call = CALLS[name]
    results = [call(random_state=seed) for seed in (3, 4)]
    close_figures()
    with pytest.raises(AssertionError):
        assert_equal_results(*results)


@pytest.mark.parametrize("name", public_calls())
def test_the_global_generator_is_left_alone(name):
    before = copy.deepcopy(GLOBAL())
    results = [CALLS[name]() for _ in range(2)]
    close_figures()
    assert pickle.dumps(GLOBAL()) == pickle.dumps(before)
    assert_equal_results(*results)
