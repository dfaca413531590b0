"""Every case with a known verdict gets it, and its evidence passes a lonely checker."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from identcert import certify, checker

ROOT = Path(__file__).resolve().parents[1]
CASES = sorted((ROOT.parent / "shared" / "cases").rglob("*.network.json"))


@pytest.fixture(scope="module")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checker in a folder of its own."""
    folder = tmp_path_factory.mktemp("lonely")
    return Path(shutil.copy(Path(checker.__file__), folder / "checker.py"))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.name.removesuffix(".network.json"))
def test_known_verdict_with_evidence(path: Path, tmp_path: Path, lonely: Path) -> None:
    stem = path.name.removesuffix(".network.json")
    wanted = (path.parent / f"{stem}.verdict").read_text().strip()
    result = certify(path, path.parent / f"{stem}.action.json")
    assert result.verdict == wanted
    directory = result.save(tmp_path / "evidence")
    assert checker.check(directory).verdict == wanted
    run = subprocess.run(
        [sys.executable, "-I", str(lonely), str(directory)],
        cwd=lonely.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert wanted in run.stdout


def test_the_corpus_is_there(shared: Path) -> None:
    assert len(CASES) >= 48
