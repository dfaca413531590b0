"""All measurements in one run, each beside its baseline, with every ratio.

A ratio is the baseline's time over ours, both the best of several runs on this machine in this
run: above 1, identcert is the faster one.
"""

from __future__ import annotations

import platform
import sys
import traceback
from importlib import metadata

import bench_attribution
import bench_cells
import bench_equality
import bench_import
import bench_polynomial
import bench_random_test
import bench_stages
import bench_submodels
from timing import Measured, show

PARTS = (
    bench_import,
    bench_polynomial,
    bench_random_test,
    bench_stages,
    bench_equality,
    bench_cells,
    bench_submodels,
    bench_attribution,
)


def main() -> int:
    """Print all tables, then all ratios again in short; 1 if a part could not be measured."""
    versions = ", ".join(f"{p} {metadata.version(p)}" for p in ("sympy", "python-flint", "numpy"))
    print(f"Python {platform.python_version()}, {versions}, {platform.machine()}")
    rows: list[Measured] = []
    failed = []
    for part in PARTS:
        try:
            measured = part.measure()
        except Exception:
            traceback.print_exc()
            failed.append(part.__name__)
            continue
        show(part.TITLE, measured)
        rows += measured
    print("\nRatios (baseline / identcert)")
    for row in rows:
        print(f"  {row.ratio:>10.3g}   {row.what.strip()} | {row.beside}")
    for name in failed:
        print(f"  not measured: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
