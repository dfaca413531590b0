"""The README's example is run word for word, and its commands exist."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def test_example_prints_what_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    output = re.search(r"prints\n\n```text\n(.*?)```", README, re.DOTALL)
    assert code is not None and output is not None
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code.group(1), "README.md", "exec"), {})
    assert printed.getvalue().strip() == output.group(1).strip()
    assert (tmp_path / "evidence" / "witness.json").is_file()


def test_commands_of_the_readme_exist() -> None:
    from identcert.cli.app import app

    names = {command.name or command.callback.__name__ for command in app.registered_commands}
    mentioned = set(re.findall(r"identcert ([a-z]+)\b", README)) & {
        "certify", "equal", "check", "identify", "reduce", "submodels", "coq", "convert",
        "attribute", "report", "actions", "demo",
    }  # fmt: skip
    assert mentioned <= names
