"""Libraries that users may lack: where one is missing, the tests that touch it are skipped."""

from importlib import import_module

import pytest


class Missing:
    """Stands for a library that is not installed, and for whatever is made of it.

    Tables of cases are built of it while tests are collected; a test that gets such a case, or
    that itself uses the library, is skipped.
    """

    is_collecting = True  # conftest.py says when the first test begins

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        if attribute.startswith(("_", "pytest")):  # pytest asks every name of a module for those
            raise AttributeError(attribute)
        return self if Missing.is_collecting else self.skip()

    def __call__(self, *args, **kwargs):
        return self if Missing.is_collecting else self.skip()

    def __getitem__(self, rows):
        return self if Missing.is_collecting else self.skip()

    def skip(self):
        pytest.skip(f"{self.name} is not installed")


def load(name):
    try:
        return import_module(name)
    except ImportError:
        return Missing(name)


polars = load("polars")
pyarrow = load("pyarrow")
needs_pyarrow = pytest.mark.skipif(isinstance(pyarrow, Missing), reason="pyarrow is not installed")


def with_pyarrow(make):
    """Return what a function makes of pandas columns that pyarrow holds."""
    return pyarrow if isinstance(pyarrow, Missing) else make()
