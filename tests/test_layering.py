"""The import graph: layers, no cycles, and who may import what."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import sklearn_ordinal_censored

NAME = sklearn_ordinal_censored.__name__
ROOT = Path(sklearn_ordinal_censored.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
LAYERS = [
    {"_compat", "_progress", "_site", "_text", "_typing", "_warn"},
    {"_kernels", "targets"},
    {"_meta", "datasets", "nonparametric"},
    {"_response"},
    {"metrics", "model_selection"},
    {"boosting", "compose"},
    {"postprocessing"},
    {"plotting"},
]
# numba is the optional extra that compiles some of them.
KERNEL_LIBRARIES = {"numpy", "scipy", "numba", *sys.stdlib_module_names}
LATE = {"matplotlib", "pandas"}  # imported inside the functions that need them


class Import(NamedTuple):
    """One imported module, or name of a module."""

    module: str
    name: str | None
    at_module_level: bool

    @property
    def target(self):
        """The file behind the import if it is one of ours, as a dotted module."""
        full = f"{self.module}.{self.name}"
        return full if full in MODULES else self.module

    @property
    def is_own(self):
        """Whether our package is imported."""
        return self.module.split(".")[0] == NAME


def module_of(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def imports_of(path):
    package = module_of(path).split(".")[: None if path.name == "__init__.py" else -1]

    def visit(node, at_module_level):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, None, at_module_level) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (Import(module, alias.name, at_module_level) for alias in node.names)
        inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            yield from visit(child, at_module_level and not inside)

    yield from visit(ast.parse(path.read_text()), True)


def component(module):
    return module.split(".")[1] if "." in module else None


def layer(module):
    return next(i for i, names in enumerate(LAYERS) if component(module) in names)


def is_private(dotted):
    return any(part.startswith("_") for part in dotted.split("."))


every_file = pytest.mark.parametrize(
    "path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in FILES]
)
code_files = pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=str(path.relative_to(ROOT)))
        for path in FILES
        if path.name != "__init__.py"
    ],
)


def test_the_graph_is_read_at_all():
    targets = {found.target for found in imports_of(ROOT / "metrics" / "_kappa.py")}
    assert {f"{NAME}._kernels.confusion", f"{NAME}.targets._undefined", "numpy"} <= targets


def test_no_cycles():
    graph = {
        module: {found.target for found in imports_of(path) if found.is_own}
        for module, path in MODULES.items()
    }
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert set(order) == set(MODULES)


@code_files
def test_nothing_is_imported_from_a_package(path):
    packages = {m for m, file in MODULES.items() if file.name == "__init__.py"}
    assert not [found for found in imports_of(path) if found.target in packages]


@code_files
def test_imports_point_down(path):
    module = module_of(path)
    for found in imports_of(path):
        if found.is_own and component(found.target) != component(module):
            assert layer(found.target) < layer(module), found


def test_every_component_has_a_layer():
    components = {component(module) for module in MODULES} - {None}
    assert components <= set().union(*LAYERS)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=str(path.relative_to(ROOT)))
        for path in FILES
        if path.name == "__init__.py"
    ],
)
def test_packages_only_export(path):
    for node in ast.parse(path.read_text()).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_name = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in (
            "__all__",
            "__version__",
        )
        assert is_docstring or is_name or isinstance(node, ast.ImportFrom), ast.unparse(node)
    assert all(found.is_own for found in imports_of(path))


@pytest.mark.parametrize("path", sorted((ROOT / "_kernels").glob("*.py")), ids=lambda p: p.name)
def test_kernels_are_plain_numpy(path):
    for found in imports_of(path):
        if found.is_own:
            assert component(found.target) in ("_kernels", "_typing"), found
        else:
            assert found.module.split(".")[0] in KERNEL_LIBRARIES, found


@every_file
def test_private_names_of_scikit_learn_come_through_one_file(path):
    private = [
        found
        for found in imports_of(path)
        if found.module.split(".")[0] == "sklearn"
        and is_private(f"{found.module}.{found.name or ''}")
    ]
    assert bool(private) == (module_of(path) == f"{NAME}._compat"), private


@every_file
def test_heavy_libraries_are_imported_where_they_are_used(path):
    early = [found for found in imports_of(path) if found.at_module_level]
    assert not [found for found in early if found.module.split(".")[0] in LATE]


@every_file
def test_libraries_with_other_licences_are_never_imported(path):
    assert not [found for found in imports_of(path) if found.module.split(".")[0] == "sksurv"]
