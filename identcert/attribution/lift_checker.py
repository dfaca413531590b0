"""The checker of exact lifting evidence: one file, standard library only.

    python -I lift_checker.py DIR

recomputes what lift.json claims of network.json and action.json: a c with Jc = η, or a y with
yᵀJ = 0 and yᵀη = 1. `SPEC.md` states the rules. Exit codes: 0 verified, 1 rejected, 2 malformed.
Derivatives come from one pass with dual numbers: f_{θ+εθ̇}(x + εẋ) = f(x) + ε(Jθ̇ + Df·ẋ)(x).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod
from pathlib import Path
from typing import Any

MAX_BYTES, MAX_COORDINATES, MAX_POINTS = 2**25, 20_000, 20_000
F0, F1 = Fraction(0), Fraction(1)
Vector = list[Fraction]
Change = dict[tuple[int, int, int], Fraction]
"""A direction θ̇ by place (layer, row, column of (W|b)), without zeros."""
Parts = dict[tuple[Any, ...], Fraction]
"""Coefficients by function of the dictionary."""


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


def rational(text: Any) -> Fraction:
    """Return the rational that a text such as "-3/2" spells."""
    fits = isinstance(text, str) and re.fullmatch(r"-?\d{1,4000}(/[1-9]\d{0,3999})?", text, re.A)
    demand(bool(fits), f"{text!r:.40} is not a rational")
    return Fraction(text)


def spelled(sigma: Any) -> tuple[str, Vector]:
    """Return ``polynomial`` with coefficients, ``kink`` with the slopes beside 0, or a name."""
    if isinstance(sigma, dict):
        ((name, numbers),) = sigma.items()
        if name == "polynomial":
            return name, [rational(c) for c in numbers]
        return ("kink", [rational(numbers), F1]) if name == "leaky_relu" else (str(name), [])
    slopes = {"relu": F0, "abs": -F1}
    if sigma in slopes:
        return "kink", [slopes[sigma], F1]
    return ("polynomial", [F0, F1]) if sigma == "identity" else (str(sigma), [])


def neuron(sigma: tuple[str, Vector], z: Fraction) -> tuple[Fraction, Fraction]:
    """Return (σ(z), σ'(z)) where both are rational."""
    kind, numbers = sigma
    prove(kind in ("polynomial", "kink"), f"{kind} has no rational values; use rule dictionary")
    if kind == "kink":
        prove(z != 0, "a point lies on the kink of a neuron")
        return z * numbers[z > 0], numbers[z > 0]
    value, slope = F0, F0
    for c in reversed(numbers):
        value, slope = value * z + c, slope * z + value
    return value, slope


def affine(rows: Sequence[Vector], x: Vector) -> Vector:
    """Return Ax + a for the rows (A|a)."""
    return [sum((w * h for w, h in zip(r, x, strict=False) if w), r[-1]) for r in rows]


def combined(row: Vector, rows: Sequence[Vector]) -> Vector:
    """Return Σ_k row[k]·rows[k] over all given rows."""
    total = [F0] * len(rows[0])
    for w, other in zip(row, rows, strict=False):
        total = [t + w * v for t, v in zip(total, other, strict=True)]
    return total


def vector_field(spelling: Any, n: int) -> list[Vector]:
    """Return the rows (A|a) of x ↦ Ax + a."""
    rows, shift = [["0"] * n] * n, ["0"] * n
    if spelling != "trivial":
        demand(set(spelling) <= {"matrix", "shift"}, "a vector field has other names")
        rows, shift = spelling["matrix"], spelling.get("shift", shift)
    found = [[*map(rational, row), rational(s)] for row, s in zip(rows, shift, strict=True)]
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
    """A network over Q, one generator x ↦ Ax + a, y ↦ By + b, and the coordinates of θ."""

    def __init__(self, network: Any, action: Any, lift: Any) -> None:
        check_format(network, action)
        rows = [row for e in network["layers"] for row in (*e["weight"], e["bias"])]
        demand(all(type(row) is list for row in rows), "a row is not a list")
        self.layers = [
            [[*map(rational, w), rational(b)] for w, b in zip(e["weight"], e["bias"], strict=True)]
            for e in network["layers"]
        ]
        self.sigma = [spelled(e["activation"]) for e in network["layers"]]
        self.sizes = [network["inputs"], *map(len, self.layers)]
        for n, layer in zip(self.sizes, self.layers, strict=False):
            demand({len(row) for row in layer} == {n + 1}, "the layers do not compose")
        demand(self.sigma[-1] == ("polynomial", [F0, F1]), "the last layer has an activation")
        sides = action["infinitesimal"][lift["generator"]]
        demand(set(sides) == {"input", "output"}, "a generator has other names")
        self.input = vector_field(sides["input"], self.sizes[0])
        self.output = vector_field(sides["output"], self.sizes[-1])
        self.coordinates = [coordinate(terms) for terms in lift["coordinates"]]
        places = [place for change in self.coordinates for place in change]
        demand(len(places) == len(set(places)) <= MAX_COORDINATES, "coordinates share a place")
        for k, i, j in places:
            fits = 0 <= k < len(self.layers) and 0 <= i < self.sizes[k + 1]
            demand(fits and 0 <= j <= self.sizes[k], f"there is no place {k}, {i}, {j}")

    def along(self, numbers: Sequence[Any]) -> Change:
        """Return Tφ by place."""
        pairs = zip(self.coordinates, map(rational, numbers), strict=True)
        return {place: c * t for change, c in pairs for place, t in change.items() if c}

    def structural(self) -> Change:
        """Return (−W_1 A, −W_1 a, 0, …, B W_L, B b_L + b); over all of θ, η is J of it."""
        change: Change = {}
        for i, row in enumerate(self.layers[0]):
            for j, moved in enumerate(combined(row, self.input)):
                change[0, i, j] = -moved
        last = len(self.layers) - 1
        for i, row in enumerate(self.output):
            carried = combined(row, self.layers[last])
            carried[-1] += row[-1]
            for j, moved in enumerate(carried):
                change[last, i, j] = change.get((last, i, j), F0) + moved
        return {place: value for place, value in change.items() if value}

    def forward(self, change: Change, x: Vector, dx: Vector) -> tuple[Vector, Vector]:
        """Return f(x) and Jθ̇ + Df·ẋ at a point."""
        for index, layer in enumerate(self.layers):
            moved = affine([[*row[:-1], F0] for row in layer], dx)
            for (k, i, j), c in change.items():
                if k == index:
                    moved[i] += c * (x[j] if j < len(x) else F1)
            pairs = [neuron(self.sigma[index], z) for z in affine(layer, x)]
            x = [value for value, _ in pairs]
            dx = [slope * d for (_, slope), d in zip(pairs, moved, strict=True)]
        return x, dx

    def sensitivity(self, change: Change, x: Vector) -> Vector:
        """Return Jθ̇ at a point."""
        return self.forward(change, x, [F0] * len(x))[1]

    def target(self, x: Vector) -> Vector:
        """Return η = Bf + b − Df·(Ax + a) at a point."""
        f, moved = self.forward({}, x, affine(self.input, x))
        return [y - d for y, d in zip(affine(self.output, f), moved, strict=True)]

    def at_points(self, change: Change | None, points: list[Vector]) -> Parts:
        """Return Jθ̇, or η for no θ̇, by (point, output)."""
        rows = [self.target(x) if change is None else self.sensitivity(change, x) for x in points]
        return {(k, m): v for k, row in enumerate(rows) for m, v in enumerate(row)}

    def units(self) -> list[tuple[Parts, Parts]]:
        """Return σ(z_i) and σ'(z_i) in the symbols of the first neuron with an equivalent z.

        Equivalent: equal up to sign, or for a kink up to scale. Over inequivalent neurons j the
        functions 1, x_k, σ(z_j), σ'(z_j), x_k·σ'(z_j) are linearly independent for tanh and the
        sigmoid, and 1, x_k, step(z_j), x_k·step(z_j) for a kink.
        """
        (kind, numbers), n, found = self.sigma[0], self.sizes[0], []
        prove(len(self.layers) == 2 and kind in ("tanh", "sigmoid", "kink"), "no dictionary")
        leaders: dict[Any, tuple[int, bool]] = {}
        for i, row in enumerate(self.layers[0]):
            lead = next((w for w in row[:n] if w), F0)
            prove(lead != 0, f"rule dictionary: neuron {i} has no weights")
            unit = lead if kind == "kink" else lead / abs(lead)
            j, is_up = leaders.setdefault(tuple(w / unit for w in row), (i, lead > 0))
            is_same = is_up == (lead > 0)
            slope: Parts = {(f"s{j}",): F1}
            value: Parts = {(f"v{j}", n): F1 if is_same else -F1}
            if kind == "kink":
                left, right = numbers if is_same else numbers[::-1]
                slope = {("1",): left, (f"s{j}",): right - left}
                value = {(*head, k): c * w for head, c in slope.items() for k, w in enumerate(row)}
            elif kind == "sigmoid" and not is_same:
                value["1", n] = F1
            found.append((value, slope))
        return found

    def dictionary(self, change: Change) -> Parts:
        """Return Jθ̇ by (output, symbol, k), with a factor x_k, or none for k = inputs."""
        units, total = self.units(), dict[tuple[Any, ...], Fraction]()
        for (layer, i, j), c in change.items():
            parts: Parts = {(i, "1", self.sizes[0]): c}
            if layer == 0:
                weights = [(m, row[i]) for m, row in enumerate(self.layers[1])]
                slope = units[i][1].items()
                parts = {(m, *head, j): c * w * s for m, w in weights for head, s in slope}
            elif j < self.sizes[1]:
                parts = {(i, *key): c * v for key, v in units[j][0].items()}
            for key, v in parts.items():
                total[key] = total.get(key, F0) + v
        return {key: v for key, v in total.items() if v}


def coordinate(terms: Any) -> Change:
    """Return the direction of one coordinate, such as [[0, 1, 2, "1"]]."""
    change = {(k, i, j): rational(c) for k, i, j, c in terms}
    demand(len(change) == len(terms) > 0 and all(change.values()), "a coordinate is malformed")
    demand(all(type(index) is int for place in change for index in place), "a place is malformed")
    return change


def check_lifts(problem: Problem, lift: Any) -> None:
    """Check that the stated direction c has Jc = η."""
    change, structural, rule = problem.along(lift["direction"]), problem.structural(), lift["rule"]
    if rule == "structural":
        is_it = {place: value for place, value in change.items() if value} == structural
        prove(is_it, "the direction is not the structural lift")
    elif rule == "dictionary":
        prove(problem.dictionary(change) == problem.dictionary(structural), "Jc differs from η")
    else:
        is_polynomial = {kind for kind, _ in problem.sigma} == {"polynomial"}
        prove(rule == "polynomial" and is_polynomial, "the rule proves no lift of this network")
        # a polynomial of degree at most d is 0 if it is 0 on the lattice points with Σ x_k ≤ d
        n, degree = problem.sizes[0], prod(max(len(c) - 1, 1) for _, c in problem.sigma)
        prove(comb(n + degree, n) <= MAX_POINTS, "the degree is too large for this checker")
        for stars in itertools.combinations(range(n + degree), n):
            x = [Fraction(b - a - 1) for a, b in zip((-1, *stars), stars, strict=False)]
            prove(problem.sensitivity(change, x) == problem.target(x), "Jc differs from η")


def check_does_not_lift(problem: Problem, lift: Any) -> None:
    """Check a functional y, on values at points or on the dictionary: yᵀJ = 0, yᵀη = 1."""
    y = {tuple(key): rational(v) for *key, v in lift["functional"]}
    demand(len(y) == len(lift["functional"]), "a functional names a function twice")
    moves = [*problem.coordinates, None]
    if lift["rule"] == "dictionary":
        images = [problem.dictionary(problem.structural() if c is None else c) for c in moves]
    else:
        prove(lift["rule"] == "points", "the rule refutes no lift")
        points = [[rational(v) for v in point] for point in lift["points"]]
        demand({len(point) for point in points} == {problem.sizes[0]}, "a point does not fit")
        images = [problem.at_points(c, points) for c in moves]
    values = [sum((v * image.get(key, F0) for key, v in y.items()), F0) for image in images]
    prove(not any(values[:-1]), "the functional does not vanish on a sensitivity")
    prove(values[-1] == 1, "the functional is not 1 on the generator direction")


HEAD = [
    "action_sha256",
    "claim",
    "coordinates",
    "format",
    "generator",
    "network_sha256",
    "rule",
    "version",
]
CLAIMS = {
    "lifts": (check_lifts, "the direction of {} lifts: Jc = η for the stated c"),
    "does_not_lift": (check_does_not_lift, "the direction of {} does not lift: no c has Jc = η"),
}


def read(path: Path) -> tuple[Any, str]:
    """Return the JSON of a canonical file, and its digest; no name stands twice in it."""
    demand(path.stat().st_size <= MAX_BYTES, f"{path.name} is too large")
    content = path.read_bytes()
    text = json.dumps(tree := json.loads(content), sort_keys=True, separators=(",", ":"))
    demand(content == text.encode("ascii") + b"\n", f"{path.name} is not in canonical form")
    return tree, hashlib.sha256(content).hexdigest()


def check(directory: Path) -> str:
    """Return the verified claim in words."""
    names = ("network", "action", "lift")
    files = [read(directory / f"{name}.json") for name in names]
    (network, action, lift), digests = zip(*files, strict=True)
    demand((lift["format"], lift["version"]) == ("identcert.lift", 1), "unknown format or version")
    demand(set(lift) - set(HEAD) <= {"direction", "functional", "points"}, "lift.json: other names")
    for name, digest in zip(names[:2], digests, strict=False):
        prove(lift[f"{name}_sha256"] == digest, f"{name}.json is not the file of this evidence")
    rule, words = CLAIMS[lift["claim"]]
    rule(Problem(network, action, lift), lift)
    count = f"{len(lift['coordinates'])} coordinates of θ, rule {lift['rule']}"
    return f"{words.format(lift['generator'])} ({count})"


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
