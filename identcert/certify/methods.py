"""The methods that decide where no latents were found, in the order of their use.

method == a function of the state and of the obstructions to latents that returns a
          candidate, or None; then it has written why into ``tried`` or ``limits``
"""

from __future__ import annotations

from collections.abc import Callable

from identcert.certify.identity import is_identity, is_polynomial
from identcert.certify.latents import Obstruction
from identcert.certify.state import Candidate, Search, end_to_end_only, refute, refuted
from identcert.errors import OutOfBudget

Method = Callable[[Search, list[Obstruction]], Candidate | None]
MORE_POINTS = 40
DEEP_BITS = (256, 1024)


def by_points(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Refute at more points, with more bits (Prop. 5)."""
    search.progress("looking for a counterexample at more points")
    for bits in DEEP_BITS:
        found = refute(search, MORE_POINTS, bits, offset=1)
        if found is not None:
            return refuted(found)
        search.tried.append(f"{MORE_POINTS} rational points at {bits} bits: no gap")
    return None


def by_polynomial(search: Search, obstructions: list[Obstruction]) -> Candidate | None:
    """Decide polynomial networks of any depth by expansion."""
    if not is_polynomial(search.network):
        return None
    search.progress("expanding polynomials")
    try:
        for generator in search.action.generators:
            if not is_identity(search.network, generator, search.deadline):
                return _point_of_nonzero_defect(search)
    except OutOfBudget as limit:
        search.limits.append(str(limit))
        return None
    return end_to_end_only(search, obstructions, {"rule": "polynomial"})


def _point_of_nonzero_defect(search: Search) -> Candidate | None:
    """Return a counterexample of a non-zero polynomial defect, from ever more points."""
    count = 64
    while not search.is_out_of_time:
        found = refute(search, count, 128, offset=count)
        if found is not None:
            return refuted(found)
        count *= 2
    search.limits.append("no point of the non-zero defect was found in time")
    return None


METHODS: tuple[Method, ...] = (by_points, by_polynomial)
