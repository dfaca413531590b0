"""House rules that no linter of the project states: sizes, docstrings, no path of a machine."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "identcert"
MODULE_LINES, FUNCTION_LINES = 300, 40
# each is one file by design: it must run where nothing else is
EXEMPT = {
    Path("identcert/checker.py"),
    Path("identcert/attribution/lift_checker.py"),
    Path("identcert/attribution/minor_checker.py"),
}
TEXT = {".py", ".md", ".toml", ".cfg", ".json", ".yml", ".yaml", ".sh", ".v", ".ipynb", ".cff", ""}
MACHINE_PATH = re.compile(
    "|".join("/" + top + "/" for top in ("work", "home", "root", "Users", "tmp"))
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def code_lines(function: Function) -> int:
    """Lines of a function from ``def`` to its end, its docstring not counted."""
    doc = ast.get_docstring(function, clean=False)
    total = (function.end_lineno or function.lineno) - function.lineno + 1
    return total - (doc.count("\n") + 1 if doc else 0)


def public_functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Functions and methods whose names, and whose classes' names, have no leading underscore."""
    for node in body:
        if isinstance(node, Function) and not node.name.startswith("_") and not is_variant(node):
            yield prefix + node.name, node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{prefix}{node.name}.")


def is_variant(function: Function) -> bool:
    """Whether a function only adds to a documented one: an overload, a setter, a registration."""
    variants = {"overload", "setter", "deleter", "register", "override"}
    return any(variants & set(re.findall(r"\w+", ast.unparse(d))) for d in function.decorator_list)


def test_modules_are_short() -> None:
    counts = {path: text.count("\n") for path, text in modules() if path not in EXEMPT}
    long = [f"{path}: {n} lines" for path, n in counts.items() if n > MODULE_LINES]
    assert not long, "\n" + "\n".join(long)


def test_functions_are_short() -> None:
    long = [
        f"{path}:{f.lineno}: {f.name} has {code_lines(f)} lines"
        for path, text in modules()
        for f in functions(ast.parse(text))
        if code_lines(f) > FUNCTION_LINES
    ]
    assert not long, "\n" + "\n".join(long)


def test_public_functions_say_what_they_are() -> None:
    silent = [
        f"{path}:{f.lineno}: {name}"
        for path, text in modules()
        for name, f in public_functions(ast.parse(text).body)
        if not ast.get_docstring(f)
    ]
    assert not silent, "\n" + "\n".join(silent)


def test_modules_say_what_they_are() -> None:
    silent = [
        str(path)
        for path, text in modules()
        if text.strip() and not ast.get_docstring(ast.parse(text))
    ]
    assert not silent, "\n" + "\n".join(silent)


def tracked_files() -> list[Path]:
    """Text files under version control, or all of them where there is no repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        paths = [p for p in ROOT.rglob("*") if ".venv" not in p.parts and ".git" not in p.parts]
    return [p for p in paths if p.is_file() and p.suffix in TEXT]


def test_no_file_names_a_path_of_a_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tracked_files()
        for number, line in enumerate(path.read_text("utf-8", "replace").split("\n"), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert not found, "\n" + "\n".join(found)


def test_no_test_asserts_a_time() -> None:
    """Machines are noisy: benchmarks measure, tests do not."""
    clock = re.compile(r"assert .*(perf_counter|process_time|monotonic|time\.time)\(\)")
    folder = Path(__file__).resolve().parent
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(folder.glob("test_*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if clock.search(line) and path.name != "test_house.py"
    ]
    assert found == []
