"""Nothing outside the numeric packages decides by floating point, and nothing evaluates text.

The rules are read off the syntax tree, so that a comment or a docstring may name what it avoids.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "identcert"
NUMERIC = ("trained", "attribution", "report")

APPROXIMATE = {
    "isclose",
    "allclose",
    "assert_allclose",
    "assert_almost_equal",
    "array_almost_equal",
}
TOLERANCES = {"tol", "rtol", "atol", "abs_tol", "rel_tol", "tolerance", "tolerances", "eps"}
INEXACT = {"nsimplify"}
EVALUATORS = {"eval", "exec", "compile", "__import__"}
EVALUATING = {"sympify", "parse_expr", "literal_eval"}
STORED_CODE = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}


def modules() -> list[Path]:
    found = sorted(PACKAGE.rglob("*.py"))
    return [p for p in found if p.relative_to(PACKAGE).parts[0] not in NUMERIC]


def faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, what) of everything that the rules forbid."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for name in names(node):
            if name in APPROXIMATE | INEXACT:
                yield line, name
            if name in TOLERANCES:
                yield line, f"a tolerance named {name}"
            if name in EVALUATING:
                yield line, f"{name}, which evaluates text"
        yield from ((line, what) for what in constructs(node))


def names(node: ast.AST) -> list[str]:
    """Identifiers that a node introduces or uses."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return [name]
        case ast.keyword(arg=str(name)):
            return [name]
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [alias.name for alias in aliases]
    return []


def constructs(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Assert():
            yield "an assert statement"
        case ast.Call(func=ast.Name(id=name)) if name in EVALUATORS:
            yield f"a call of {name}"
        case ast.keyword(arg="allow_pickle", value=ast.Constant(value=True)):
            yield "allow_pickle"
        case ast.Import(names=aliases):
            yield from (f"import {a.name}" for a in aliases if a.name.split(".")[0] in STORED_CODE)
        case ast.ImportFrom(module=str(module)) if module.split(".")[0] in STORED_CODE:
            yield f"import from {module}"
        case ast.Compare(left=left, comparators=others):
            if any(is_float(side) for side in (left, *others)):
                yield "a comparison of floating-point numbers"


def is_float(node: ast.AST) -> bool:
    """Whether an operand contains a call of float or a literal with a point.

    Text and containers are not arithmetic: ``kind in ("float", …)`` is no such comparison.
    """
    match node:
        case ast.Call(func=ast.Name(id="float")):
            return True
        case ast.Constant(value=float()):
            return True
        case ast.BinOp(left=left, right=right):
            return is_float(left) or is_float(right)
        case ast.UnaryOp(operand=inner):
            return is_float(inner)
        case ast.Call(func=ast.Name(id="abs" | "max" | "min" | "sum" | "round"), args=args):
            return any(is_float(a) for a in args)
    return False


def test_no_floating_point_decides_and_no_text_is_evaluated() -> None:
    found = [
        f"{path.relative_to(PACKAGE.parent)}:{line}: {what}"
        for path in modules()
        for line, what in faults(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "assert x == 1",
        "numpy.allclose(a, b)",
        "from math import isclose",
        "float(x) < y",
        "abs(a - float(b)) <= c",
        "gap > 1e-9",
        "def f(x, tol=0): ...",
        "solve(x, rtol=0)",
        "sympy.nsimplify(x)",
        "eval(text)",
        "import pickle",
        "from pickle import loads",
        "numpy.load(p, allow_pickle=True)",
        "sympy.sympify(text)",
    ],
)
def test_the_rules_see(code: str) -> None:
    assert list(faults(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "model.eval()",
        "re.compile(pattern)",
        "x = float(y)",
        "seconds > budget",
        "kind == 'float'",
        "isinstance(x, float)",
        "'''isclose, tol and eval are not used'''",
    ],
)
def test_the_rules_let_pass(code: str) -> None:
    assert not list(faults(ast.parse(code)))
