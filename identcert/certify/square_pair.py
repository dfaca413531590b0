"""The two parameters of a network of two layers of squares with widths 2, 2.

pair == q_1 = u² + rv² and q_2 = u² − rv² up to factors, r > 0, for coordinates (u, v)
other pair == with u' = u − √r·v and v' = u + √r·v: q_1 = (u'² + v'²)/2 and q_2 = u'v', so
              q_1² and q_2² are combinations of (u'² + v'²)² and (u'² − v'²)²

So ((x² + y²)², (x² − y²)²) has two parameters, not related by permutations and scalings;
over the reals there are no others.

Source: theory of counterexample C2 (layerwise.md §7); Usevich, Dérand, Borsoi, Clausel,
Example 41.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from identcert.exact.field import Field, NumberField
from identcert.exact.join import join
from identcert.exact.matrix import Matrix
from identcert.exact.radicals import squarefree_root
from identcert.nets.activation import activation
from identcert.nets.network import Layer, Network

SQUARE = activation("x^2")


def other_square_pair(network: Network) -> Network | None:
    """Return the other parameter of a network of this kind, or None of another network.

    Its field is the one of the network with √r.

    Examples
    --------
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[1, 1], [1, -1]], None, "x^2"),
    ...                      ([[1, 0], [0, 1]], None, "identity")])
    >>> other_square_pair(net).layers[0].weight
    Matrix.of([[1, -1], [1, 1]])
    """
    if not _has_shape(network):
        return None
    first, second, last = network.layers
    rows, columns = second.weight.to_rows(), last.weight.T.to_rows()
    if network.field.sign(rows[0][0] * rows[0][1]) < 0:  # q_1 is the sum of squares
        rows, columns = rows[::-1], columns[::-1]
    root = square_root(rows[0][1] / rows[0][0], network.field)
    if root is None:
        return None
    field, s = root
    _, embed, _ = join(network.field, field)
    u, v = ([embed(x) for x in row] for row in first.weight.to_rows())
    outer = [[a - s * b for a, b in zip(u, v, strict=True)],
             [a + s * b for a, b in zip(u, v, strict=True)]]  # fmt: skip
    # q_1² = p²/4·y_1² and q_2² = p'²/4·(y_1² − y_2²) for y = u'² ± v'²
    sizes = [embed(row[0]) ** 2 / field(4) for row in rows]
    scaled = [[embed(a) * c for a in column] for column, c in zip(columns, sizes, strict=True)]
    mixed = [[a + b, -b] for a, b in zip(*scaled, strict=True)]
    layers = (
        _replaced(first, Matrix.of(outer, field)),
        _replaced(second, Matrix.of([[1, 1], [1, -1]], field)),
        replace(last, weight=Matrix.of(mixed, field), bias=tuple(map(embed, last.bias))),
    )
    return Network(network.inputs, layers, field)


def _has_shape(network: Network) -> bool:
    if network.widths[:3] != (2, 2, 2) or len(network.layers) != 3:
        return False
    first, second, last = network.layers
    plain = all(layer.activation == SQUARE and not any(layer.bias) for layer in (first, second))
    if not plain or not network.field.is_ordered or not last.has_plain_bias:
        return False
    (p, q), (s, t) = second.weight.to_rows()
    opposite = bool(p and q and s and t) and not p * t + s * q
    return opposite and first.weight.rank() == 2 and last.weight.rank() == 2


def _replaced(layer: Layer, weight: Matrix) -> Layer:
    return Layer(weight, (weight.field.zero,) * weight.rows, layer.activation, layer.has_bias)


def square_root(value: Any, field: Field) -> tuple[Field, Any] | None:
    """Return a field with √r and √r > 0 in it, for a rational r > 0; None for another r.

    Examples
    --------
    >>> from identcert.exact.field import QQ
    >>> square_root(QQ(9) / 4, QQ)[1], square_root(QQ(1) / 2, QQ)[1]
    (3/2, 1/2*sqrt(2))
    """
    if field.kind != "rational":
        return None
    factor, radicand = squarefree_root(value)
    if radicand == 1:
        return field, factor
    larger = NumberField.quadratic([radicand])
    _, embed, _ = join(field, larger)
    return larger, larger.radicals[radicand] * embed(factor)
