"""Small changes of a source file, each of which some test should notice.

Left out are docstrings, annotations, decorators, the words of errors and warnings, and calls that
only help the type checker.
"""

import ast
import copy
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

SWAPPED_OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.RShift: ast.LShift,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
PAIRS = ["min max", "minimum maximum", "argmin argmax", "any all", "left right", "fmin fmax"]
SWAPPED_NAMES = {a: b for pair in PAIRS for a, b in (pair.split(), reversed(pair.split()))}
TYPES_ONLY = {"asarray", "cast", "float", "bool", "int", "str"}
MESSAGES = {"warn", "warn_user", "preview", "Exception", "ValueError", "TypeError"}
LIBRARIES = {"np", "sparse", "special", "nw", "pd", "warnings"}


class Mutant(NamedTuple):
    """One change, and the lines of the statement that it is in."""

    line: int
    column: int
    what: str
    lines: range
    at_import: bool
    change: Callable[[], ast.Module]

    @property
    def key(self):
        """What the change is called."""
        return f"{self.line}:{self.column}: {self.what}"


def mutants_of(source):
    """Return all mutants of a source text."""
    tree = ast.parse(source)
    found = list(_places(tree, range(1), True))
    for number, (node, *_) in enumerate(found):
        node.number = number
    return [
        Mutant(
            node.lineno,
            node.col_offset,
            f"{ast.unparse(node)[:70]} -> {what}",
            lines,
            at_import,
            change,
        )
        for node, lines, at_import in found
        for what, change in _changes(tree, node)
    ]


def _changes(tree, node):
    for new in _alternatives(node):
        what = "pass" if isinstance(new, ast.Pass) else ast.unparse(new)[:70]
        yield what, partial(_changed, tree, node.number, new)


def _changed(tree, number, new):
    return ast.fix_missing_locations(_Replace(number, new).visit(copy.deepcopy(tree)))


class _Replace(ast.NodeTransformer):
    def __init__(self, number, new):
        self.number, self.new = number, new

    def visit(self, node):
        if getattr(node, "number", None) == self.number:
            return ast.copy_location(copy.deepcopy(self.new), node)
        return self.generic_visit(node)


def _places(node, lines, at_import):
    """Yield the nodes that can be changed, the lines of their statements, and where they run."""
    if isinstance(node, ast.stmt):
        last = node.end_lineno if not hasattr(node, "body") else max(_header_lines(node))
        lines = range(node.lineno, last + 1)
    if _is_left_out(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node, lines, at_import
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases"):
            continue
        inside = isinstance(node, ast.FunctionDef) and field == "body"
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _places(child, lines, at_import and not inside)


def _header_lines(node):
    parts = (v for f, v in ast.iter_fields(node) if f not in ("body", "orelse", "handlers"))
    flat = (x for v in parts for x in (v if isinstance(v, list) else [v]))
    return [node.lineno, *(x.end_lineno for x in flat if hasattr(x, "end_lineno"))]


def _is_left_out(node):
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Call):
        return _name(node.func) in MESSAGES
    return isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom)


def _name(node):
    return getattr(node, "attr", getattr(node, "id", ""))


def _alternatives(node) -> list[Any]:
    """Return what can stand in the place of a node."""
    makers = {
        ast.Compare: _comparisons,
        ast.BinOp: _operators,
        ast.AugAssign: _operators,
        ast.BoolOp: _operators,
        ast.UnaryOp: lambda node: [node.operand],
        ast.Constant: _constants,
        ast.Name: _names,
        ast.Attribute: _names,
        ast.If: _negated,
        ast.IfExp: _negated,
        ast.While: _negated,
        ast.Call: _dropped_calls,
        ast.Expr: lambda node: [ast.Pass()] if isinstance(node.value, ast.Call) else [],
        ast.Raise: lambda _: [ast.Pass()],
        ast.Break: lambda _: [ast.Continue()],
        ast.Continue: lambda _: [ast.Break()],
    }
    maker = makers.get(type(node))
    return maker(node) if maker else []


def _with(node, **fields):
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _comparisons(node):
    swapped = [SWAPPED_OPERATORS.get(type(op)) for op in node.ops]
    return [
        _with(node, ops=[*node.ops[:i], new(), *node.ops[i + 1 :]])
        for i, new in enumerate(swapped)
        if new
    ]


def _operators(node):
    new = SWAPPED_OPERATORS.get(type(node.op))
    return [_with(node, op=new())] if new else []


def _constants(node):
    value = node.value
    if isinstance(value, bool):
        return [ast.Constant(not value)]
    if isinstance(value, int):
        return [ast.Constant(new) for new in ((value + 1, 0) if value == 1 else (value + 1,))]
    if isinstance(value, float):
        return [ast.Constant(2 * value if value else 1.0)]
    return [ast.Constant(SWAPPED_NAMES[value])] if value in ("left", "right") else []


def _names(node):
    new = SWAPPED_NAMES.get(_name(node))
    if not new or not isinstance(node.ctx, ast.Load) or new in ("left", "right"):
        return []
    return [_with(node, **{"attr" if isinstance(node, ast.Attribute) else "id": new})]


def _negated(node):
    if (
        isinstance(node.test, ast.UnaryOp | ast.Compare)
        and len(getattr(node.test, "ops", "1")) == 1
    ):
        return []  # changed by itself
    return [_with(node, test=ast.UnaryOp(ast.Not(), node.test))]


def _dropped_calls(node):
    """Return the first argument of a function, the object of a method."""
    if _name(node.func) in TYPES_ONLY:
        return []
    is_method = isinstance(node.func, ast.Attribute) and _name(node.func.value) not in LIBRARIES
    kept = [node.func.value] if is_method else node.args[:1]
    return [one for one in kept if not isinstance(one, ast.Starred)]
