"""Hostile evidence folders: the checker, alone in a process, refuses each within a second or so."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import make_corpus
import pytest

from identcert import checker

EXAMPLE = Path(__file__).resolve().parent / "corpus" / "accepted" / "worked_example"
FILES = ("network", "action", "witness")
SECONDS = 3  # of processor time, start-up of Python included; a shared machine may be slow
MEMORY = 2**31
Content = Callable[[bytes], bytes]


def refusal(folder: Path, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Exit code and the one line on stderr of the checker, under limits of time and memory."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    done = subprocess.run(
        [sys.executable, checker.__file__, str(folder)],
        capture_output=True, text=True, preexec_fn=limits, timeout=60,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    return done.returncode, done.stderr


def nested(opening: bytes, closing: bytes, depth: int) -> Content:
    return lambda data: b'{"a":' + opening * depth + b"1" + closing * depth + b"}\n"


def numbered(digits: bytes) -> Content:
    return lambda data: data.replace(b'"version":1', b'"version":' + digits)


HOSTILE: dict[str, Content] = {
    "lists_that_never_close": lambda data: b"[" * 10**6,
    "deep_lists": nested(b"[", b"]", 10**5),
    "deep_objects": nested(b'{"a":', b"}", 10**5),
    "deep_in_the_version": numbered(b"[" * 10**5 + b"]" * 10**5),
    "integer_of_ten_million_digits": numbered(b"7" * 10**7),
    "negative_integer": numbered(b"-" + b"7" * 10**7),
    "decimal_of_ten_million_digits": numbered(b"7." + b"7" * 10**7),
    "enormous_exponent": numbered(b"1e" + b"9" * 10**6),
    "not_utf_8": lambda data: data.replace(b"identcert", b"\xff\xfe\x80"),
    "utf_16": lambda data: data.decode().encode("utf-16"),
    "latin_1": lambda data: data.replace(b"version", b"versi\xf3n"),
    "byte_zero": lambda data: data.replace(b"version", b"versi\x00n"),
    "half_a_surrogate": lambda data: data.replace(b"version", b"versi\\ud800n"),
    "too_large": lambda data: b" " * (2**26 + 1),
    "one_long_text": lambda data: b'{"a":"' + b"x" * (2**26 - 100) + b'"}\n',
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("key", HOSTILE)
def test_files_that_are_no_evidence(tmp_path: Path, key: str, file: str) -> None:
    folder = tmp_path / "evidence"
    shutil.copytree(EXAMPLE, folder)
    place = folder / f"{file}.json"
    place.write_bytes(HOSTILE[key](place.read_bytes()))
    code, message = refusal(folder)
    assert code in (2, 5), message
    assert message.isascii() and len(message) < 300


def test_long_integers_without_the_limit_of_python(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    shutil.copytree(EXAMPLE, folder)
    place = folder / "witness.json"
    place.write_bytes(HOSTILE["integer_of_ten_million_digits"](place.read_bytes()))
    assert refusal(folder, {"PYTHONINTMAXSTRDIGITS": "0"})[0] == 2


def problem(layers: list[Any], inputs: int = 2, relators: Any = (), maps: Any = None) -> Any:
    """A network and an action that leaves outputs alone, claimed layerwise without latents."""
    network = make_corpus.network(inputs, *layers)
    pair = (maps or "trivial", "trivial")
    action = make_corpus.action(s=pair, **({"relators": relators} if relators else {}))
    return make_corpus.Folder(network, action, "layerwise", {"latents": []})


LAST = make_corpus.layer("identity", [["1", "1"]], ["0"])
SQUARE = make_corpus.layer("tanh", [["1", "0"], ["0", "1"]], ["0", "0"])
BIG = "7" * 10**7
FULL = [["2" if i == j else "1" for j in range(50)] for i in range(50)]
WIDE = make_corpus.layer("identity", [["1"] * 50], ["0"])
LARGE: dict[str, Callable[[], Any]] = {
    "layers": lambda: problem([*[SQUARE] * 10**5, LAST]),
    "inputs": lambda: problem([SQUARE, LAST], inputs=10**18),
    "numerator": lambda: problem([make_corpus.layer("identity", [[BIG, "1"]], ["0"])]),
    "denominator": lambda: problem([make_corpus.layer("identity", [[f"1/{BIG}", "1"]], ["0"])]),
    "denominators": lambda: problem(
        [make_corpus.layer("tanh", [[f"1/{10**3900 + k}" for k in range(1, 1000)]], ["0"]),
         make_corpus.layer("identity", [["1"]], ["0"])], inputs=999),
    "power": lambda: problem(
        [make_corpus.layer({"polynomial": ["0"] * 10**5 + ["1"]}, SQUARE["weight"], ["0", "0"]),
         LAST]),
    "relators": lambda: problem([WIDE], 50, ["s^1000"] * 100, {"matrix": FULL}),
    "nested_relator": lambda: problem([LAST], 2, ["(" * 10**5 + "s" + ")" * 10**5]),
    "relator_of_powers": lambda: problem([LAST], 2, ["(((((s^999)^999)^999)^999)^999)^999"]),
}  # fmt: skip


@pytest.mark.parametrize("key", LARGE)
def test_problems_that_are_too_large(tmp_path: Path, key: str) -> None:
    LARGE[key]().write(tmp_path / "evidence")
    code, message = refusal(tmp_path / "evidence")
    assert code in (1, 2, 5), message
    assert len(message) < 300


PRIME = 2**61 - 1  # Python's hash of every multiple of it is 0


@pytest.mark.parametrize(
    ("rows", "bias"),
    [
        ([[str(k * PRIME), "1"] for k in range(1, 8001)], ["1"] * 8000),
        ([["1", "0"]] * 8000, [str(k) for k in range(1, 8001)]),
        ([["1", "0"]] * 8000, [f"{k * PRIME}" for k in range(1, 8001)]),
        ([["1", "0"]] * 8000, [f"1/{k}" for k in range(2, 8002)]),
    ],
    ids=["weights", "equal_weights", "biases", "reciprocals"],
)
def test_rows_that_collide_take_no_time(tmp_path: Path, rows: Any, bias: Any) -> None:
    """Rows are compared only where they can be equivalent, and their keys cannot meet by design."""
    width = len(rows)
    layers = [
        make_corpus.layer("tanh", rows, bias),
        make_corpus.layer("identity", [["1"] * width], ["0"]),
    ]
    network = make_corpus.network(2, *layers)
    latents = [{"s": make_corpus.latent(list(range(width)))}]
    action = make_corpus.action(s=("trivial", "trivial"))
    folder = make_corpus.Folder(network, action, "layerwise", {"latents": latents})
    folder.write(tmp_path / "evidence")
    done = subprocess.run(
        [sys.executable, checker.__file__, str(tmp_path / "evidence")],
        capture_output=True, text=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither to an endless device nor to a file elsewhere nor in a circle."""
    for target in ("/dev/zero", EXAMPLE / "network.json", "network.json"):
        folder = tmp_path / "evidence"
        shutil.copytree(EXAMPLE, folder)
        (folder / "network.json").unlink()
        (folder / "network.json").symlink_to(target)
        assert refusal(folder)[0] == 2
        shutil.rmtree(folder)


def test_a_source_name_of_half_a_surrogate(tmp_path: Path) -> None:
    """Names of source files are not printed as they are."""
    folder = tmp_path / "evidence"
    shutil.copytree(EXAMPLE, folder)
    witness = json.loads((folder / "witness.json").read_text())
    witness["source"]["network"]["name"] = "\ud800\x1b[31m"
    (folder / "witness.json").write_bytes(make_corpus.canonical(witness))
    done = subprocess.run(
        [sys.executable, checker.__file__, str(folder)], capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
