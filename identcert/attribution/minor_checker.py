"""The checker of minors: one file, standard library only.

    python -I minor_checker.py DIR

encloses [J | η] at the points that minor.json names, and confirms that the square submatrix of the
stated rows is regular: then J is injective over the coordinates (its dead ones left out), and η is
not in Im J. `SPEC.md` states format and rule. Exit codes: 0 verified, 1 rejected, 2 malformed.

Real numbers are enclosed by two integers over 2^bits; every operation rounds outwards.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

MAX_BYTES, MAX_MINOR, MAX_BITS, MAX_SUM = 2**25, 201, 8192, 4096
F0, F1 = Fraction(0), Fraction(1)
Place = tuple[int, int, int]


class Rejected(Exception):
    """The evidence does not prove the claim."""


def prove(condition: bool, message: str) -> None:
    """Refuse evidence unless the condition holds."""
    if condition is not True:
        raise Rejected(message)


def demand(condition: bool, message: str) -> None:
    """Refuse a file unless the condition holds."""
    if condition is not True:
        raise ValueError(message)


class Ball:
    """The real numbers between two integers over 2^bits."""

    bits = 64

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Ball:
        return Ball(-self.high, -self.low)

    def __mul__(self, other: Ball) -> Ball:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Ball(min(ends) >> Ball.bits, -(-max(ends) >> Ball.bits))

    def inverse(self) -> Ball:
        """Return the enclosure of 1/x; the ball must not contain 0."""
        one = 1 << 2 * Ball.bits
        return Ball(one // self.high, -(-one // self.low))

    def distance(self) -> int:
        """Return a lower bound of |x|·2^bits; 0 if the ball contains 0."""
        return max(self.low, -self.high, 0)


def ball(text: Any) -> Ball:
    """Return the enclosure of a rational, or of a text such as "-3/2"."""
    if not isinstance(text, Fraction):
        fits = isinstance(text, str) and re.fullmatch(
            r"-?\d{1,4000}(/[1-9]\d{0,3999})?", text, re.A
        )
        demand(bool(fits), f"{text!r:.40} is not a rational")
    value = Fraction(text)
    top = value.numerator << Ball.bits
    return Ball(top // value.denominator, -(-top // value.denominator))


def exponential(n: int) -> Ball:
    """Enclose e^x for x = n/2^bits ≥ 0: Taylor at x/2^k ≤ 1/2, then k squarings."""
    prove(n <= MAX_SUM << Ball.bits, "a neuron's sum is too large")
    k = max(n.bit_length() - Ball.bits + 1, 0)
    step, term, total, j = Ball(n >> k, -(-n >> k)), ball(F1), ball(F1), 0
    while term.high > 1 or j < 4:
        j += 1
        term = term * step * ball(Fraction(1, j))
        total += term
    total.high += 2 * term.high  # each term left out is at most half of the one before
    for _ in range(k):
        total = total * total
    return total


def logistic(z: Ball, factor: int) -> Ball:
    """Enclose 1/(1 + e^(−factor·z)), which increases, from the two ends of z."""
    ends = []
    for n in (z.low, z.high):
        small = (ball(F1) + exponential(abs(n) * factor)).inverse()
        ends.append(small if n < 0 else ball(F1) + -small)
    return Ball(ends[0].low, ends[1].high)


def neuron(sigma: Any, z: Ball) -> tuple[Ball, Ball]:
    """Enclose (σ(z), σ'(z))."""
    if isinstance(sigma, dict) and set(sigma) == {"polynomial"}:
        value, slope = ball(F0), ball(F0)
        for c in reversed(sigma["polynomial"]):
            value, slope = value * z + ball(c), slope * z + value
        return value, slope
    if sigma == "identity":
        return z, ball(F1)
    if sigma in ("tanh", "sigmoid"):
        s = logistic(z, 2 if sigma == "tanh" else 1)
        slope = s * (ball(F1) + -s)
        if sigma == "sigmoid":
            return s, slope
        return s + s + ball(-F1), slope * ball(Fraction(4))
    kinked = {"relu": F0, "abs": -F1}
    left = kinked.get(sigma) if isinstance(sigma, str) else sigma.get("leaky_relu")
    prove(left is not None, f"unknown activation {sigma!r:.40}")
    prove(z.distance() > 0, "a point lies on the kink of a neuron")
    slope = ball(F1 if z.low > 0 else left)
    return z * slope, slope


def affine(rows: Sequence[Sequence[Ball]], x: Sequence[Ball]) -> list[Ball]:
    """Enclose Ax + a for the rows (A|a)."""
    return [sum((w * h for w, h in zip(row, x, strict=False)), row[-1]) for row in rows]


def vector_field(spelling: Any, n: int) -> list[list[Ball]]:
    """Return the rows (A|a) of x ↦ Ax + a."""
    rows, shift = [["0"] * n] * n, ["0"] * n
    if spelling != "trivial":
        demand(set(spelling) <= {"matrix", "shift"}, "a vector field has other names")
        rows, shift = spelling["matrix"], spelling.get("shift", shift)
    found = [[*map(ball, row), ball(s)] for row, s in zip(rows, shift, strict=True)]
    demand([len(row) for row in found] == [n + 1] * n, "a vector field does not fit")
    return found


def check_format(network: Any, action: Any) -> None:
    """Refuse a network or an action with other names than those of the format, or not over Q."""
    head: dict[str, Any] = {"field": {"kind": "rational"}, "version": 1}
    demand(network["field"] == action["field"] == head["field"], "it is not over Q")
    for e in network["layers"]:
        demand(set(e) == {"activation", "bias", "kind", "weight"}, "a layer has other names")
        demand(e["kind"] == "dense", "a layer is not dense")
    stated = {"inputs": network["inputs"], "layers": network["layers"]}
    demand(network == {**head, **stated, "format": "identcert.network"}, "network.json: format")
    stated = {"infinitesimal": action["infinitesimal"]}
    demand(action == {**head, **stated, "format": "identcert.action"}, "action.json: format")


class Problem:
    """A network over Q in enclosures, one generator, and the coordinates of θ."""

    def __init__(self, network: Any, action: Any, minor: Any) -> None:
        check_format(network, action)
        rows = [row for e in network["layers"] for row in (*e["weight"], e["bias"])]
        demand(all(type(row) is list for row in rows), "a row is not a list")
        self.layers = [
            [[*map(ball, w), ball(b)] for w, b in zip(e["weight"], e["bias"], strict=True)]
            for e in network["layers"]
        ]
        self.zero = [[set(row) == {"0"} for row in zip(*e["weight"], strict=True)]
                     for e in network["layers"]]  # fmt: skip
        self.sigma = [e["activation"] for e in network["layers"]]
        self.sizes = [network["inputs"], *map(len, self.layers)]
        for n, layer in zip(self.sizes, self.layers, strict=False):
            demand({len(row) for row in layer} == {n + 1}, "the layers do not compose")
        sides = action["infinitesimal"][minor["generator"]]
        demand(set(sides) == {"input", "output"}, "a generator has other names")
        self.input = vector_field(sides["input"], self.sizes[0])
        self.output = vector_field(sides["output"], self.sizes[-1])
        self.coordinates = [
            {(k, i, j): ball(c) for k, i, j, c in terms} for terms in minor["coordinates"]
        ]
        places = [tuple(term[:3]) for terms in minor["coordinates"] for term in terms]
        demand(len(places) == len(set(places)), "coordinates share a place")
        demand(all(type(k) is int for place in places for k in place), "a place is no integer")
        for k, i, j in places:
            fits = 0 <= k < len(self.layers) and 0 <= i < self.sizes[k + 1]
            demand(fits and 0 <= j <= self.sizes[k], f"there is no place {k}, {i}, {j}")

    def is_dead(self, coordinate: int) -> bool:
        """Return whether all neurons that a coordinate moves have no outgoing weight."""
        places = self.coordinates[coordinate]
        return all(k + 1 < len(self.layers) and self.zero[k + 1][i] for k, i, _ in places)

    def rows(self, point: Sequence[Any]) -> list[list[Ball]]:
        """Enclose, output by output, the sensitivities to all coordinates and η at a point."""
        values, slopes = [[ball(v) for v in point]], []
        demand(len(point) == self.sizes[0], "a point does not fit")
        for sigma, layer in zip(self.sigma, self.layers, strict=True):
            pairs = [neuron(sigma, z) for z in affine(layer, values[-1])]
            values.append([value for value, _ in pairs])
            slopes.append([slope for _, slope in pairs])
        velocity = affine(self.input, values[0])
        pushed = affine([[*row[:-1], ball(F0)] for row in self.layers[0]], velocity)
        carried = affine(self.output, values[-1])
        found = []
        for output in range(self.sizes[-1]):
            gradients = self.gradients(slopes, output)
            entries = [self.entry(terms, gradients, values) for terms in self.coordinates]
            moved = sum((d * v for d, v in zip(gradients[0], pushed, strict=True)), ball(F0))
            found.append([*entries, carried[output] + -moved])
        return found

    def gradients(self, slopes: list[list[Ball]], output: int) -> list[list[Ball]]:
        """Enclose ∂f_output/∂z, layer by layer."""
        delta = [s if i == output else ball(F0) for i, s in enumerate(slopes[-1])]
        found = [delta]
        for k in range(len(self.layers) - 1, 0, -1):
            back = [
                sum((d * row[j] for d, row in zip(delta, self.layers[k], strict=True)), ball(F0))
                for j in range(self.sizes[k])
            ]
            delta = [s * g for s, g in zip(slopes[k - 1], back, strict=True)]
            found.insert(0, delta)
        return found

    def entry(
        self, terms: dict[Place, Ball], gradients: list[list[Ball]], values: list[list[Ball]]
    ) -> Ball:
        """Enclose the sensitivity to one coordinate."""
        total = ball(F0)
        for (k, i, j), c in terms.items():
            below = values[k][j] if j < len(values[k]) else ball(F1)
            total += c * gradients[k][i] * below
        return total


def is_regular(rows: list[list[Ball]]) -> bool:
    """Return whether elimination of an n×n matrix of enclosures finds n pivots ≠ 0."""
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: rows[i][k].distance())
        if not rows[best][k].distance():
            return False
        rows[k], rows[best] = rows[best], rows[k]
        inverse = rows[k][k].inverse()
        for i in range(k + 1, len(rows)):
            factor = -(rows[i][k] * inverse)
            rows[i] = [a + factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return True


def check_minor(trees: dict[str, Any]) -> str:
    """Check that the stated minor is regular, and return the claim in words."""
    minor = trees["minor"]
    claim, name, dropped = minor["claim"], minor["generator"], minor["dropped"]
    demand(claim in ("does_not_lift", "injective"), "unknown claim")
    demand(type(minor["bits"]) is int and 64 <= minor["bits"] <= MAX_BITS, "bits out of bounds")
    Ball.bits = minor["bits"]
    problem = Problem(trees["network"], trees["action"], minor)
    prove(all(problem.is_dead(k) for k in dropped), "a dropped coordinate is not dead")
    prove(claim == "does_not_lift" or dropped == [], "J with a dead coordinate is not injective")
    size = len(problem.coordinates)
    kept = [k for k in range(size + (claim == "does_not_lift")) if k not in dropped]
    keys = [(k, m) for k, m in minor["rows"]]
    prove(len(kept) == len(keys) == len(set(keys)) <= MAX_MINOR, "the submatrix is not square")
    rows = [problem.rows(point) for point in minor["points"]]
    matrix = [[rows[k][m][column] for column in kept] for k, m in keys]
    prove(is_regular(matrix), "a pivot is not certified to differ from 0")
    if claim == "injective":
        return f"J is injective over {size} coordinates of θ at this parameter"
    return f"the direction of {name} does not lift: no c over {size} coordinates of θ has Jc = η"


NAMES = sorted(
    [
        "action_sha256",
        "bits",
        "claim",
        "coordinates",
        "dropped",
        "format",
        "generator",
        "network_sha256",
        "points",
        "rows",
        "version",
    ]
)


def read(path: Path) -> tuple[Any, str]:
    """Return the JSON of a canonical file, and its digest; no name stands twice in it."""
    demand(path.stat().st_size <= MAX_BYTES, f"{path.name} is too large")
    content = path.read_bytes()
    text = json.dumps(tree := json.loads(content), sort_keys=True, separators=(",", ":"))
    demand(content == text.encode("ascii") + b"\n", f"{path.name} is not in canonical form")
    return tree, hashlib.sha256(content).hexdigest()


def check(directory: Path) -> str:
    """Return the verified claim in words."""
    files = {name: read(directory / f"{name}.json") for name in ("network", "action", "minor")}
    trees = {name: tree for name, (tree, _) in files.items()}
    head = (trees["minor"]["format"], trees["minor"]["version"])
    demand(head == ("identcert.minor", 1), "unknown format or version")
    demand(sorted(trees["minor"]) == NAMES, "minor.json: other names")
    for name in ("network", "action"):
        prove(
            trees["minor"][f"{name}_sha256"] == files[name][1], f"{name}.json is of other evidence"
        )
    return check_minor(trees)


def main(words: Sequence[str]) -> int:
    """Check a folder, print what was found, and return the exit code."""
    try:
        print("verified: " + check(Path(words[0])))
    except Rejected as refusal:
        print(f"rejected: {refusal}", file=sys.stderr)
        return 1
    except (ArithmeticError, LookupError, OSError, RecursionError, TypeError, ValueError) as fault:
        print(f"malformed: {type(fault).__name__}: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
