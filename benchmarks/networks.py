"""Networks for the benchmarks: exactly equivariant, in disguise, of any size.

A signed permutation ρ is a pair of arrays (p, s) with (ρx)[i] = s[i]·x[p[i]]. A weight W with
W ρ = K W is filled orbit by orbit: W[q_i, p_a] = t_i s_a W[i, a], one free number an orbit, so
that float64 weights with all their 53 bits are equivariant exactly; nothing is averaged or
rounded. The disguise permutes neurons and flips signs, which float64 does exactly as well.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

Signed = tuple[np.ndarray, np.ndarray]
Draw = Callable[[], Any]


@dataclass(frozen=True)
class Benchmark:
    """A network as (W, b, σ) triples and its action, for identcert and for NumPy.

    ``inputs`` and ``outputs`` hold the signed permutations of the generators.
    """

    name: str
    layers: tuple[tuple[Any, Any, str], ...]
    inputs: dict[str, Signed]
    outputs: dict[str, Signed]

    def write_action(self, folder: Path) -> Path:
        """The action as a file."""
        generators = {
            name: {"input": spelled(self.inputs[name]), "output": spelled(self.outputs[name])}
            for name in self.inputs
        }
        path = folder / "benchmark.action.json"
        document = {"format": "identcert.action", "version": 1, "generators": generators}
        path.write_text(json.dumps(document), encoding="utf-8")
        return path


def spelled(rho: Signed) -> dict[str, Any]:
    return {"permutation": rho[0].tolist(), "signs": rho[1].tolist()}


def image(channels: int, size: int, signs: Sequence[tuple[int, int]]) -> dict[str, Signed]:
    """D4 on square images: r turns by 90°, s mirrors, a character (χ(r), χ(s)) a channel."""
    plane = np.arange(size * size).reshape(size, size)
    moved = {"r": np.rot90(plane).ravel(), "s": np.fliplr(plane).ravel()}
    offsets = [size * size * c for c in range(channels)]
    return {
        name: (
            np.concatenate([p + o for o in offsets]),
            np.repeat([chi[k] for chi in signs], size * size),
        )
        for k, (name, p) in enumerate(moved.items())
    }


def trivial(n: int, names: Sequence[str]) -> dict[str, Signed]:
    return {name: (np.arange(n), np.ones(n, dtype=int)) for name in names}


def cycles(name: str, lengths: Sequence[int]) -> dict[str, Signed]:
    """One generator that turns cycles of the given lengths."""
    permutation, start = [], 0
    for n in lengths:
        permutation += [start + (i + 1) % n for i in range(n)]
        start += n
    return {name: (np.array(permutation), np.ones(start, dtype=int))}


def tied(
    rows: dict[str, Signed], cols: dict[str, Signed], draw: Draw, zero: Any
) -> list[list[Any]]:
    """A weight W with W ρ = K W for all generators: one free number for each orbit of entries."""
    m, n = (len(next(iter(side.values()))[0]) for side in (rows, cols))
    moves = [(*map(np.ndarray.tolist, (*rows[g], *cols[g])),) for g in rows]
    weight: list[list[Any]] = [[None] * n for _ in range(m)]
    for start in ((i, a) for i in range(m) for a in range(n)):
        if weight[start[0]][start[1]] is not None:
            continue
        orbit, front, consistent = {start: 1}, [start], True
        while front:
            i, a = front.pop()
            for q, t, p, s in moves:
                place, sign = (q[i], p[a]), orbit[i, a] * t[i] * s[a]
                if place not in orbit:
                    orbit[place] = sign
                    front.append(place)
                consistent &= orbit[place] == sign
        value = draw() if consistent else zero
        for (i, a), sign in orbit.items():
            weight[i][a] = value if sign > 0 else -value
    return weight


def bias(rows: dict[str, Signed], draw: Draw, zero: Any) -> list[Any]:
    return [row[0] for row in tied(rows, trivial(1, list(rows)), draw, zero)]


def float_network(name: str, sides: Sequence[dict[str, Signed]], seed: int = 0) -> Benchmark:
    """A tanh network with float64 weights, the hidden neurons permuted and flipped."""
    rng = np.random.default_rng(seed)
    maps = [
        (
            np.array(tied(after, before, rng.standard_normal, 0.0)),
            np.array(bias(after, rng.standard_normal, 0.0)),
        )
        for before, after in itertools.pairwise(sides)
    ]
    layers = []
    order, flips = np.arange(maps[0][0].shape[1]), np.ones(maps[0][0].shape[1])
    for k, (w, b) in enumerate(maps):
        w = (w[:, order] * flips) / 2.0 ** np.round(np.log2(w.shape[1]) / 2)
        order, flips = np.arange(len(b)), np.ones(len(b))
        if k < len(maps) - 1:
            order, flips = rng.permutation(len(b)), rng.choice([-1.0, 1.0], len(b))
        w, b = w[order] * flips[:, None], b[order] * flips
        layers.append((w, b, "tanh" if k < len(maps) - 1 else "identity"))
    return Benchmark(name, tuple(layers), dict(sides[0]), dict(sides[-1]))


def small_image() -> Benchmark:
    """16-32-32-4 under D4 on 4×4 images, the outputs being the corners of a square."""
    hidden = image(2, 4, [(1, 1), (-1, 1)])
    sides = [image(1, 4, [(1, 1)]), hidden, hidden, image(1, 2, [(1, 1)])]
    return float_network("tanh 16-32-32-4, D4 on 4×4 images", sides)


def large_image() -> Benchmark:
    """64-128-128-10 under D4 on 8×8 images, invariant outputs as of a classifier."""
    first = image(8, 4, [(1, 1), (-1, 1), (1, -1), (-1, -1)] * 2)
    second = image(8, 4, [(1, 1)] * 8)  # others would be deaf to invariant outputs
    sides = [image(1, 8, [(1, 1)]), first, second, trivial(10, ["r", "s"])]
    return float_network("tanh 64-128-128-10, D4 on 8×8 images", sides)


def cubic() -> Benchmark:
    """4-6-6-2 with x^3 and small rational weights under C4, the neurons rescaled."""
    rng = np.random.default_rng(1)
    hidden = cycles("r", [4, 2])
    sides = [cycles("r", [4]), hidden, hidden, cycles("r", [2])]

    def draw() -> Fraction:
        return Fraction(
            int(rng.integers(1, 10)) * int(rng.choice([-1, 1])), int(rng.integers(1, 4))
        )

    layers, scales = [], [Fraction(1)] * 4
    for k, (before, after) in enumerate(itertools.pairwise(sides)):
        w, b = tied(after, before, draw, Fraction(0)), bias(after, draw, Fraction(0))
        last = k == len(sides) - 2
        alphas = [Fraction(1) if last else draw() for _ in b]
        w = [
            [a * x / c**3 for x, c in zip(row, scales, strict=True)]
            for a, row in zip(alphas, w, strict=True)
        ]
        b = [a * x for a, x in zip(alphas, b, strict=True)]
        layers.append((w, b, "identity" if last else "x^3"))
        scales = alphas
    return Benchmark("x^3 4-6-6-2, C4", tuple(layers), dict(sides[0]), dict(sides[-1]))
