"""How long a user waits for the package itself: import and help beside ``import sympy``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from timing import Measured, best_of, show

TITLE = "Start (fresh processes)"


def start(arguments: Sequence[str]) -> float:
    """Best time of a fresh process."""

    def run() -> None:
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return best_of(run, runs=7)


def measure() -> list[Measured]:
    python = sys.executable
    script = Path(python).with_name("identcert")
    help_command = [str(script)] if script.exists() else [python, "-m", "identcert"]
    nothing = start([python, "-c", "pass"])
    sympy = start([python, "-c", "import sympy"])
    package = start([python, "-c", "import identcert"])
    shown = start([*help_command, "--help"])
    return [
        Measured("import identcert", package, "import sympy", sympy),
        Measured("identcert --help", shown, "import sympy", sympy),
        Measured("import identcert", package, "an empty Python process", nothing),
    ]


if __name__ == "__main__":
    show(TITLE, measure())
