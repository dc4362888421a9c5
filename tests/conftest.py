"""Settings of the whole test suite."""

import re

from hypothesis import settings
from optional import Missing, pyarrow

# The same examples on every machine and in every run: a red test is a changed library.
settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("reproducible")


def pytest_runtest_setup(item):
    """Skip a test of a case that is made of a library which is not installed."""
    Missing.is_collecting = False
    params = item.callspec.params if hasattr(item, "callspec") else {}
    for value in params.values():
        if isinstance(value, Missing):
            value.skip()
    # Columns of pandas that pyarrow holds, by the names of their cases.
    if isinstance(pyarrow, Missing) and re.search(r"\[pyarrow\]|arrow-backed", item.name):
        pyarrow.skip()
