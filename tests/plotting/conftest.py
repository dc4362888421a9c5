"""Every test of a picture closes its figures and leaves the settings of matplotlib alone."""

import sys

import pytest


@pytest.fixture(autouse=True)
def tidy_pictures():
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is None:
        yield
        return
    assert not plt.get_fignums()
    before = plt.rcParams.copy()
    yield
    plt.close("all")
    assert plt.rcParams == before
