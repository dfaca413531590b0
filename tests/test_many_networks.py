"""Two thousand networks of known verdict: the product, the oracle and the construction agree.

All activations, depths 1 to 3; half are equivariant through latents, a third is degenerate, an
eighth refuted, a quarter equivariant without latents.  Run with ``--slow -s`` for the counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import make_networks
import oracle
import pytest

from identcert import certify

COUNT, DEGENERATE, FIRST_SEED, SECONDS = 1600, 400, 5_000, 30


def made() -> Iterator[make_networks.Case]:
    """All families in turn, and as many degenerate ones again as make a third."""
    return chain(
        make_networks.cases(COUNT, FIRST_SEED),
        make_networks.cases(DEGENERATE, FIRST_SEED + COUNT, ["degenerate"]),
    )


@pytest.mark.slow
def test_two_thousand_networks(tmp_path: Path) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    wrong, oracle_differs = [], []
    for case in made():
        make_networks.write_case(case, tmp_path)
        stem = tmp_path / case.name
        result = certify(f"{stem}.network.json", f"{stem}.action.json", budget=SECONDS)
        counts[case.verdict, str(result.verdict)] += 1
        if result.verdict != case.verdict:
            wrong.append((case.name, case.verdict, str(result.verdict), case.story))
        judged, judgement = oracle.verdict(oracle.read_problem(case.network, case.action))
        if judged != case.verdict:
            oracle_differs.append((case.name, judged, judgement))
    for (truth, verdict), number in sorted(counts.items()):
        print(f"\n{number:5d} {truth} → {verdict}", end="")
    assert sum(counts.values()) == COUNT + DEGENERATE
    assert wrong == [] and oracle_differs == []
