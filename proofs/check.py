"""Builds the Coq libraries and holds every file of this folder to its promise.

    python3 proofs/check.py [--coqchk | --ready]

1. No source contains a word that could hide a gap (`FORBIDDEN`).
2. The libraries compile.
3. The theorems of ``axioms.allow`` rest on exactly the axioms that it lists.
4. Every example compiles, and its theorem too rests on exactly the listed axioms.
5. Every file of ``mustfail`` is refused, with the message of its first line.
6. With ``--coqchk``: Coq's independent checker accepts the compiled libraries.

Prints one line a file; ends with exit code 0 if all is well or if Coq is missing, else 1.
With --ready it only says, also by its exit code, whether Coq and its libraries are there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|native_compute"
    r"|bypass_check|Unset\s+Guard|Unset\s+Positivity|Unset\s+Universe|type_in_type)\b"
)
PROMISE = re.compile(r"\(\* must fail: (.*?)\s*\*\)")
LOAD_PATH = ("-R", str(HERE / "checker"), "Identcert", "-R", str(HERE / "theory"))
JOBS = 2
LIBRARIES = {
    "coq-interval": "From Interval Require Import Float.Specific_stdz.",
    "MathComp": "From mathcomp Require Import all_ssreflect fingroup all_algebra.",
}


def sources(folder: str) -> list[Path]:
    """Return the Coq files below one of the folders, in order."""
    return sorted((HERE / folder).rglob("*.v"))


def say(good: bool, name: str, remark: str = "") -> bool:
    """Print one line and return whether it is a good one."""
    print(f"{'ok  ' if good else 'FAIL'} {name}{': ' + remark if remark else ''}", flush=True)
    return good


def run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it prints, as one text of one line a line."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def coqc(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compile one file with both libraries and the folder on the load path."""
    return run(["coqc", "-q", *LOAD_PATH, "IdentcertTheory", "-Q", ".", "", str(path)], folder)


def squeezed(text: str) -> str:
    """Return a text without quotation marks, with all white space made single blanks."""
    return " ".join(text.replace('"', "").split())


def assumptions(output: str) -> str:
    """Return the axioms that ``Print Assumptions`` lists, sorted, or ``closed``."""
    _, _, listed = output.partition("Axioms:")
    names = re.findall(r"^([A-Za-z_][\w.']*)", listed, re.MULTILINE)
    return " ".join(sorted({name.rpartition(".")[2] for name in names} - {"Axioms"})) or "closed"


def allowed() -> dict[str, str]:
    """Return the axioms of every theorem and example, from ``axioms.allow``."""
    lines = (HERE / "axioms.allow").read_text(encoding="ascii").splitlines()
    entries = [line.partition(":") for line in lines if line.strip() and not line.startswith("#")]
    return {name.strip(): " ".join(sorted(axioms.split())) for name, _, axioms in entries}


def check_words() -> bool:
    """Refuse words that could hide a gap in a proof, comments included."""
    good = True
    for path in (p for folder in ("theory", "checker", "examples") for p in sources(folder)):
        found = FORBIDDEN.search(path.read_text(encoding="utf-8"))
        if found:
            good = say(False, str(path.relative_to(HERE)), f"contains {found.group()}")
    return good


def check_build() -> bool:
    """Compile the libraries by make, in place."""
    result = run(["make", f"JOBS={JOBS}"], HERE)
    good = True
    for path in [*sources("checker"), *sources("theory")]:
        compiled = path.with_suffix(".vo")
        good &= say(compiled.exists(), str(path.relative_to(HERE)))
    if result.returncode:
        good = say(False, "make", squeezed(result.stderr)[-500:])
    return good


def check_theorems(promises: Mapping[str, str], scratch: Path) -> bool:
    """Compare the assumptions of the theorems of the libraries with the promises."""
    names = [name for name in promises if "/" not in name]
    modules = sorted({name.rpartition(".")[0] for name in names})
    lines = [f"Require {module}." for module in modules]
    for name in names:
        lines += [f'Goal True. idtac "@ {name}". exact I. Qed.', f"Print Assumptions {name}."]
    path = scratch / "Assumptions.v"
    path.write_text("\n".join(lines), encoding="ascii")
    result = coqc(path, scratch)
    if result.returncode:
        return say(False, "axioms.allow", squeezed(result.stderr)[:500])
    blocks = [block.partition("\n") for block in result.stdout.split("@ ")[1:]]
    good = len(blocks) == len(names)
    for name, _, output in blocks:
        good &= compare(name.strip(), assumptions(output), promises)
    return good


def compare(name: str, found: str, promises: Mapping[str, str], remark: str = "") -> bool:
    """Compare the assumptions of one theorem with its promise."""
    promise = promises.get(name)
    if promise is None:
        return say(False, name, f"is not in axioms.allow; it assumes {found}")
    if promise != found:
        return say(False, name, f"assumes {found}, but axioms.allow says {promise}")
    return say(True, name, f"{found}{remark}")


def check_example(folder: Path, promises: Mapping[str, str], scratch: Path) -> bool:
    """Compile the files of one example, the problem first."""
    name = f"examples/{folder.name}"
    start = time.monotonic()
    output = ""
    for path in sorted(folder.glob("*.v")):
        shutil.copy(path, scratch)
        result = coqc(Path(path.name), scratch)
        output += result.stdout
        if result.returncode:
            return say(False, f"{name}/{path.name}", squeezed(result.stderr)[:500])
    seconds = f" ({time.monotonic() - start:.1f} s)"
    return compare(name, assumptions(output), promises, seconds)


def check_refusal(path: Path, scratch: Path) -> bool:
    """Demand that Coq refuses a file with the message that its first line promises."""
    name = f"mustfail/{path.name}"
    promise = PROMISE.match(path.read_text(encoding="ascii"))
    if promise is None:
        return say(False, name, "its first line promises no message")
    shutil.copy(path, scratch)
    result = coqc(Path(path.name), scratch)
    if result.returncode == 0:
        return say(False, name, "is accepted")
    if promise.group(1) not in squeezed(result.stderr):
        return say(False, name, f"fails otherwise: {squeezed(result.stderr)[:300]}")
    return say(True, name, "refused as promised")


def check_coqchk() -> bool:
    """Run Coq's independent checker, which has no virtual machine, on the libraries."""
    modules = [f"Identcert.{p.stem}" for p in sources("checker")]
    modules += [f"IdentcertTheory.{p.stem}" for p in sources("theory")]
    result = run(["coqchk", "-silent", "-o", *LOAD_PATH, "IdentcertTheory", *modules], HERE)
    return say(result.returncode == 0, "coqchk", squeezed(result.stderr)[-300:])


def verdicts(scratch: Path) -> Iterator[bool]:
    """Run all checks in order; later ones need earlier ones."""
    promises = allowed()
    yield check_words()
    yield check_build()
    yield check_theorems(promises, scratch)
    examples = [path for path in sorted((HERE / "examples").iterdir()) if path.is_dir()]
    unknown = {f"examples/{path.name}" for path in examples}.symmetric_difference(
        name for name in promises if "/" in name
    )
    for name in sorted(unknown):
        yield say(False, name, "is not both in examples and in axioms.allow")
    with ThreadPoolExecutor(JOBS) as pool:
        yield from pool.map(lambda path: check_example(path, promises, scratch), examples)
        yield from pool.map(lambda path: check_refusal(path, scratch), sources("mustfail"))


def find_missing() -> str | None:
    """Return what of Coq and the libraries is not installed."""
    if shutil.which("coqc") is None:
        return "coqc"
    with tempfile.TemporaryDirectory() as scratch:
        for needed, line in LIBRARIES.items():
            path = Path(scratch, "needed.v")
            path.write_text(line, encoding="ascii")
            if run(["coqc", "-q", path.name], path.parent).returncode:
                return needed
    return None


def main(arguments: Sequence[str]) -> int:
    """Run the checks and return the exit code."""
    missing = find_missing()
    if "--ready" in arguments:
        print("Coq is ready" if missing is None else f"{missing} is not installed")
        return 0 if missing is None else 1
    if missing is not None:
        print(f"skipped: {missing} is not installed, so the proofs were not checked by Coq")
        return 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        good = all(list(verdicts(Path(scratch))))
    if "--coqchk" in arguments:
        good &= check_coqchk()
    print(
        f"{'all proofs hold' if good else 'some checks failed'} ({time.monotonic() - start:.0f} s)"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
