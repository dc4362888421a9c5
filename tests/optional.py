"""Libraries that users may lack: where one is missing, the tests that touch it are skipped."""

from importlib import import_module

import pytest


class Missing:
    """Stands for a library that is not installed; any use skips the test at hand."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        if attribute.startswith(("_", "pytest")):  # pytest asks every name of a module for those
            raise AttributeError(attribute)
        pytest.skip(f"{self.name} is not installed", allow_module_level=True)


def load(name):
    try:
        return import_module(name)
    except ImportError:
        return Missing(name)


polars = load("polars")
pyarrow = load("pyarrow")
needs_pyarrow = pytest.mark.skipif(isinstance(pyarrow, Missing), reason="pyarrow is not installed")


def require(*libraries):
    """Skip the module whose tables of containers need all of these."""
    for library in libraries:
        if isinstance(library, Missing):
            pytest.skip(f"{library.name} is not installed", allow_module_level=True)
