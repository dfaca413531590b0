"""Times, and tables of them: what the benchmarks share.

A time is the best of several runs: other work on a machine only ever adds to it. Nothing here
compares a time with a limit; the tables are for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One measurement beside what it is compared with.

    ``ratio`` is the baseline's time over ours: above 1 means that identcert is faster.
    """

    what: str
    seconds: float
    beside: str
    baseline: float

    @property
    def ratio(self) -> float:
        return self.baseline / self.seconds


def best_of(work: Callable[[], object], runs: int = 5, seconds: float = 20.0) -> float:
    """The shortest of several runs, fewer of them when they take long."""
    times: list[float] = []
    while len(times) < runs and (not times or sum(times) < seconds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def show(title: str, rows: Iterable[Measured]) -> None:
    """Print a table with a ratio on every line."""
    print(f"\n{title}")
    for row in rows:
        print(
            f"  {row.what:<44} {text(row.seconds):>10}   "
            f"{row.beside:<38} {text(row.baseline):>10}   ×{row.ratio:.3g}"
        )


def text(seconds: float) -> str:
    """A time in a unit that suits it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
