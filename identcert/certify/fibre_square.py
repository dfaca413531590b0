"""Quadratic forms by as many squares as inputs: no parameter of the fibre suits a generator.

form     == xᵀS_k x = Σ_j a_kj (w_j·x)² for the outputs k of one hidden layer of z², n neurons
            on n inputs, hidden biases 0
monomial == one non-zero entry in every row and column; its characteristic polynomial is the
            product of t^l − ε over the cycles, ε the product of the entries of the cycle

If a combination S of the S_k is non-singular, S = W'ᵀDW' makes W' and D of every parameter of
the fibre invertible (and its hidden biases 0, since f has no linear part). Layerwise
equivariance means W'ρ = KW' with K monomial and, for a trivial output map, d_j α_j² = d_p(j),
so that ε² = 1 on every cycle. Hence the characteristic polynomial of ρ is a
product of factors t^l ∓ 1, or no parameter of the fibre is layerwise equivariant.

Source: theory of counterexample C0 (layerwise.md §7).
"""

from __future__ import annotations

from collections.abc import Iterator

from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, Generator
from identcert.nets.activation import activation
from identcert.nets.network import Network

SQUARE = activation("x^2")
MAX_INPUTS = 12

Cycles = tuple[tuple[int, int], ...]
"""The length and the sign of every cycle."""


def find_unsuitable(network: Network, action: Action) -> Generator | None:
    """Return a generator that no layerwise equivariant parameter of the fibre can have.

    Examples
    --------
    The sum of two squares, and a rotation that is no quarter turn (C0):

    >>> from identcert.groups.files import parse_action
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[1, 1]], None, "identity")])
    >>> turn = {"matrix": [["3/5", "-4/5"], ["4/5", "3/5"]]}
    >>> tree = {"format": "identcert.action", "version": 1,
    ...         "generators": {"g": {"input": turn, "output": "trivial"}}}
    >>> find_unsuitable(net, parse_action(tree, 2, 1, "turn")).name
    'g'
    """
    if not _is_square(network) or not _has_nonsingular_form(network):
        return None
    for generator in action.generators:
        is_plain = generator.input.is_linear and generator.output.is_identity()
        if is_plain and not _is_like_monomial(generator.input.matrix()):
            return generator
    return None


def _is_square(network: Network) -> bool:
    if len(network.layers) != 2 or not 0 < network.inputs <= MAX_INPUTS:
        return False
    hidden = network.layers[0]
    return hidden.activation == SQUARE and hidden.outputs == network.inputs and not any(hidden.bias)


def _has_nonsingular_form(network: Network) -> bool:
    """Return whether W is invertible and some combination of the outputs weighs every square.

    Over an infinite field a combination without zeros exists if no column of A is 0.
    """
    hidden, last = network.layers
    if hidden.weight.rank() < network.inputs:
        return False
    return all(any(column) for column in last.weight.T.to_rows())


def _is_like_monomial(rho: Matrix) -> bool:
    """Return whether the characteristic polynomial is a product of factors t^l ∓ 1."""
    size = rho.rows
    places = range(2, size + 3)  # n + 1 values determine a monic polynomial of degree n
    unit = Matrix.identity(size, rho.field)
    values = [(unit.scale(rho.field(t)) - rho).det() for t in places]
    return any(
        all(value == _value(cycles, t) for value, t in zip(values, places, strict=True))
        for cycles in _cycle_types(size, size)
    )


def _value(cycles: Cycles, t: int) -> int:
    product = 1
    for length, sign in cycles:
        product *= t**length - sign
    return product


def _cycle_types(total: int, longest: int) -> Iterator[Cycles]:
    """Yield the multisets of signed cycles of a total length, as descending tuples."""
    if total == 0:
        yield ()
    for length in range(min(total, longest), 0, -1):
        for sign in (1, -1):
            for rest in _cycle_types(total - length, length):
                if not rest or (length, sign) >= rest[0]:
                    yield ((length, sign), *rest)


def unsuitable_sentence(generator: Generator, inputs: int) -> str:
    """Return why no parameter of the fibre is layerwise equivariant, as a clause."""
    return (
        f"every parameter of these widths has {inputs} independent rows, so that generator "
        f"{generator.name} would be similar to a monomial matrix that keeps the form, but its "
        "characteristic polynomial is not a product of factors t^l - 1 and t^l + 1"
    )
