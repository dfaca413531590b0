"""Where a network came from, and how its numbers were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """What a network was read from.

    Attributes
    ----------
    name : the file's name, or the class of the Python object.
    sha256 : SHA-256 of the file's bytes, None without a file.
    format : ``json``, ``onnx``, ``nnet`` or ``torch``.
    """

    name: str
    sha256: str | None
    format: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How the weights and biases of a network were spelled; all were read exactly.

    Attributes
    ----------
    integers, fractions, decimals, expressions : how many numbers were written so.
    dyadic : pairs (float type, how many), for numbers stored as binary floats.

    Examples
    --------
    >>> Reading(integers=4, dyadic=(("float32", 6),)).sentence()
    '4 integers and 6 float32 numbers, read as the dyadic rationals that they store.'
    """

    integers: int = 0
    fractions: int = 0
    decimals: int = 0
    expressions: int = 0
    dyadic: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of_counts(cls, counts: Mapping[str, int]) -> Reading:
        """Return the reading from counts by ``integers``, … or by the name of a float type."""
        exact = {kind: counts.get(kind, 0) for kind in EXACT_KINDS}
        floats = sorted((kind, n) for kind, n in counts.items() if kind not in EXACT_KINDS and n)
        return cls(**exact, dyadic=tuple(floats))

    @property
    def total(self) -> int:
        """The number of weights and biases that were read."""
        exact = self.integers + self.fractions + self.decimals + self.expressions
        return exact + sum(n for _, n in self.dyadic)

    def sentence(self) -> str:
        """Return how the numbers were read, as one sentence for people."""
        parts = [
            _counted(self.integers, "integer", "integers"),
            _counted(self.fractions, "fraction", "fractions"),
            _counted(self.decimals, "decimal", "decimals", ", read as what its digits spell"),
            _counted(self.expressions, "exact expression", "exact expressions"),
        ]
        parts += [
            _counted(
                n,
                f"{dtype} number",
                f"{dtype} numbers",
                ", read as the dyadic rational that it stores",
            )
            for dtype, n in self.dyadic
        ]
        return _enumerated([part for part in parts if part]) + "."


EXACT_KINDS = ("integers", "fractions", "decimals", "expressions")


def _counted(number: int, one: str, many: str, remark: str = "") -> str:
    if number == 0:
        return ""
    if number == 1:
        return f"1 {one}{remark}"
    plural = remark.replace("its digits", "their digits")
    plural = plural.replace("rational that it stores", "rationals that they store")
    return f"{number} {many}{plural}"


def _enumerated(parts: list[str]) -> str:
    """Return "a", "a and b", or "a; b; c" where a part has a comma of its own."""
    if not parts:
        return "no numbers were read"
    if len(parts) <= 2:
        return " and ".join(parts)
    separator = "; " if any("," in part for part in parts[:-1]) else ", "
    return separator.join(parts[:-1]) + " and " + parts[-1]
