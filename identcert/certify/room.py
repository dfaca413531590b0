"""Bits for the enclosures of a refutation: the checker itself says how many are enough.

Balls of the search are relative, the checker's enclosures are integers over 2^bits. So a
network with huge weights, or with a tiny difference, may ask for more bits than the search
took; the checker knows `MAX_PRECISION`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from identcert.certify.counterexample import Counterexample
from identcert.checker import MAX_PRECISION
from identcert.errors import EvidenceRejected
from identcert.witness.store import verify


def verify_counterexample(
    found: Counterexample, files_of: Callable[[Counterexample], dict[str, bytes]]
) -> tuple[str, dict[str, bytes], Counterexample]:
    """Return the claim that the checker verified, the files, and the bits that they state.

    Raises
    ------
    EvidenceRejected
        If no precision that the checker knows is enough.
    """
    refusal: EvidenceRejected | None = None
    for attempt in _attempts(found):
        files = files_of(attempt)
        try:
            return verify(files).claim, files, attempt
        except EvidenceRejected as error:
            refusal = error
    raise refusal or EvidenceRejected("a refutation without an attempt")


def _attempts(found: Counterexample) -> Iterator[Counterexample]:
    """Yield the counterexample with 1, 4, 16, … times its bits, as far as the checker goes."""
    if found.bits is None:
        yield found
        return
    bits = min(found.bits, MAX_PRECISION)
    yield replace(found, bits=bits)
    while bits < MAX_PRECISION:
        bits = min(4 * bits, MAX_PRECISION)
        yield replace(found, bits=bits)
