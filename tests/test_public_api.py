"""What users can import, and what importing costs them."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import sklearn_ordinal_censored

SUBPACKAGES = [
    importlib.import_module(f"{sklearn_ordinal_censored.__name__}.{module.name}")
    for module in pkgutil.iter_modules(sklearn_ordinal_censored.__path__)
    if not module.name.startswith("_")
]
PACKAGES = [sklearn_ordinal_censored, *SUBPACKAGES]
PUBLIC = sorted({name for package in SUBPACKAGES for name in package.__all__})

# Reports every attempt to import a banned library, installed or not.
IMPORT_SPY = """
import sys

class Spy:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in {banned}:
            print(name)

sys.meta_path.insert(0, Spy)
import sklearn_ordinal_censored
{statement}
"""


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_exports_are_sorted_and_exist(package):
    assert package.__all__ == sorted(set(package.__all__))
    assert all(hasattr(package, name) for name in package.__all__)


def test_the_top_level_exports_the_union_of_the_subpackages():
    assert len(SUBPACKAGES) >= 4
    assert sklearn_ordinal_censored.__all__ == PUBLIC
    for package in SUBPACKAGES:
        for name in package.__all__:
            assert getattr(package, name) is getattr(sklearn_ordinal_censored, name)


def test_no_name_is_exported_twice():
    names = [name for package in SUBPACKAGES for name in package.__all__]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("package", SUBPACKAGES, ids=lambda package: package.__name__)
def test_subpackages_export_what_they_define(package):
    for name in package.__all__:
        assert getattr(package, name).__module__.startswith(f"{package.__name__}._")


@pytest.mark.parametrize(
    ("package", "name"),
    [pytest.param(package, name, id=name) for package in SUBPACKAGES for name in package.__all__],
)
def test_every_public_object_has_an_example(package, name):
    _, _, examples = inspect.getdoc(getattr(package, name)).partition("\nExamples\n--------\n")
    assert ">>> " in examples


def test_the_version_is_a_version():
    major, minor, *_ = sklearn_ordinal_censored.__version__.split(".")
    assert int(major) >= 0
    assert int(minor) >= 0


def attempted_imports(banned, statement=""):
    code = IMPORT_SPY.format(banned=set(banned), statement=statement)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_importing_the_package_leaves_optional_libraries_alone():
    assert not attempted_imports(["lightgbm", "matplotlib", "sksurv", "xgboost"])


def test_the_spy_sees_an_import():
    assert attempted_imports(["colorsys"], "import colorsys") == ["colorsys"]


def test_the_import_loads_no_optional_library():
    code = (
        "import sys, pandas, sklearn, narwhals\n"
        "before = set(sys.modules)\n"
        "import sklearn_ordinal_censored\n"
        "optional = {'sksurv', 'numba', 'matplotlib', 'polars', 'pyarrow', 'lifelines'}\n"
        "optional |= {'lightgbm', 'xgboost'}\n"
        "print(sorted(optional & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
