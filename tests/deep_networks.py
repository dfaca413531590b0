"""Deep piecewise-linear networks whose symmetry no permutation of neurons shows."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

Layers = list[tuple[Any, Any, Any]]


def plus_minus(rows: list[list[Any]]) -> list[list[Any]]:
    """The rows and their negatives: relu(v) − relu(−v) = v carries v to the next layer."""
    return [row for v in rows for row in (v, [-a for a in v])]


def maximum(forms: list[list[Any]], junk: int = 0) -> Layers:
    """The maximum of linear forms, one comparison a layer: max(a, b) = b + relu(a − b).

    ``junk`` more neurons a hidden layer never fire, and are read by the next layer.
    """
    first = [[a - b for a, b in zip(forms[0], forms[1], strict=True)], *plus_minus(forms[1:])]
    layers: Layers = [(first, [0] * len(first), "relu")]
    left = len(forms) - 1
    while left > 1:
        width, layer = 2 * left + 1, len(layers)
        extra = len(layers[-1][0]) - width

        def read(position: int, width: int = width, extra: int = extra) -> list[int]:
            row = [0] * (width + extra)
            row[1 + 2 * position], row[2 + 2 * position] = 1, -1
            return row

        best = read(0)
        best[0] = 1
        compared = [a - b for a, b in zip(best, read(1), strict=True)]
        rows = [compared, *plus_minus([read(k) for k in range(1, left)])]
        silent = [[-1 - (k + layer) % 2] * (width + extra) for k in range(junk)]
        rows = [[*row[:width], *[1] * extra] if extra else row for row in rows]
        layers.append((rows + silent, [0] * len(rows) + [-1] * junk, "relu"))
        left -= 1
    extra = len(layers[-1][0]) - 3
    return [*layers, ([[1, 1, -1] + [2] * extra], [0], "identity")]


THREE_LINES = [[1, 0], [0, 1], [-1, -1]]
"""The forms x, y, −x − y, which the matrix [[0, 1], [−1, −1]] permutes in a cycle."""

TURN = {"matrix": [[0, 1], [-1, -1]]}


def two_six_six_one() -> Layers:
    """2-6-6-1: max(x, y, −x − y) by a chain, beside neurons that never fire and spare ones."""
    first = [[1, -1], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1]]
    second = [
        [1, 1, -1, 1, -1, 0],
        [0, 0, 0, -1, 1, 0],
        [0, 0, 0, 1, -1, 0],
        [1, 0, 0, 0, 0, 1],
        [0, 1, 0, 0, 0, 0],
        [0, 0, -1, 0, 0, -1],
    ]
    last = [[1, 1, -1, 0, 0, 5]]
    return [
        (first, [0, 0, 0, 0, 0, 2], "relu"),
        (second, [0, 0, 0, 1, 0, -1], "relu"),
        (last, [0], "identity"),
    ]


def three_five_five_two() -> Layers:
    """3-5-5-2: max(x, y, z) and thrice it by a chain, beside two neurons that never fire."""
    first = [[1, -1, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    best, third = [1, 1, -1, 0, 0], [0, 0, 0, 1, -1]
    compared = [a - b for a, b in zip(best, third, strict=True)]
    second = [compared, *plus_minus([third]), [-1, -1, 0, -2, 0], [-1, 0, -3, 0, -1]]
    last = [[1, 1, -1, 5, 1], [3, 3, -3, 0, -2]]
    return [
        (first, [0] * 5, "relu"),
        (second, [0, 0, 0, -1, -2], "relu"),
        (last, [0, 1], "identity"),
    ]


def number(stream: random.Random) -> Fraction:
    return Fraction(stream.randint(-4, 4), stream.choice((1, 2, 3)))


def random_layers(stream: random.Random, widths: list[int], sigmas: list[Any]) -> Layers:
    names = [*sigmas, "identity"]
    return [
        (
            [[number(stream) for _ in range(n)] for _ in range(m)],
            [number(stream) for _ in range(m)],
            sigma,
        )
        for n, m, sigma in zip(widths, widths[1:], names, strict=False)
    ]


def repeated(layers: Layers, at: int) -> Layers:
    """The same function: ReLU of ReLU, |z| or ReLU6 is itself."""
    width = len(layers[at][0])
    rows = [[int(i == j) for j in range(width)] for i in range(width)]
    return [*layers[: at + 1], (rows, [0] * width, "relu"), *layers[at + 1 :]]


def with_silent_neuron(layers: Layers, at: int) -> Layers:
    """The same function: a neuron above non-negative values that never fires."""
    (weight, bias, sigma), (out, shift, name) = layers[at + 1 : at + 3]
    silent = [-1 - k % 2 for k in range(len(layers[at][0]))]
    below = ([*weight, silent], [*bias, Fraction(-1, 2)], sigma)
    above = ([[*row, Fraction(3)] for row in out], shift, name)
    return [*layers[: at + 1], below, above, *layers[at + 3 :]]


def with_far_bump(layers: Layers) -> Layers:
    """Another function: a tent of height 1 far away, in the first hidden ReLU layer."""
    (weight, bias, sigma), (out, shift, name) = layers[:2]
    row = [1] + [0] * (len(weight[0]) - 1)
    below = ([*weight, row, row, row], [*bias, -100, -101, -102], sigma)
    return [below, ([[*line, 1, -2, 1] for line in out], shift, name), *layers[2:]]
