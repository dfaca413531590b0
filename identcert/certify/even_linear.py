"""Even-linear witnesses: latents that may reverse neurons of ReLU, GELU, SiLU, softplus.

even-linear == σ(z) = e(z) + mz with e even and m ≠ 0; then for a signed permutation S, or
               a signed monomial matrix if σ is positively homogeneous,
               σ(Sz) = |S|σ(z) + m(S − |S|)z with entrywise |S|
remainder   == m(S − |S|)z, a linear map of the layer below; the next layer must kill its
               linear part and takes its constant part into the bias
witness     == monomial maps S_1, S_2, … with z_i(ρ_in x) = S_i z_i(x) in every layer

With S ≥ 0 this is the ordinary intertwiner. Two choices of S remain where a row and a
negative multiple of it are both present, so rows are matched with backtracking; a failed
search decides nothing, and no homomorphism is claimed of the S.

Source: theory of Prop. 2′.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any

from identcert.certify.latents import Latents, monomial, transport, unmatched_row
from identcert.groups.action import Generator
from identcert.groups.monomial import MonomialMap
from identcert.nets.activation import Activation, activation
from identcert.nets.network import Layer, Network
from identcert.submodels.rows import KeyedRows, keyed_rows

MATCHINGS = 20_000

Rows = tuple[Any, tuple[Any, ...]]
"""A weight and a bias."""


def slope_of(sigma: Activation) -> Any:
    """Return the m of an even-linear σ(z) = e(z) + mz, and 0 for another σ.

    Examples
    --------
    >>> [slope_of(activation(name)) for name in ("relu", "gelu", "tanh", "abs")]
    [1/2, 1/2, 0, 0]
    """
    if is_homogeneous(sigma):
        return (sigma.pieces[0][0] + sigma.pieces[1][0]) / 2
    factor, slope, _ = sigma.flip or (0, 0, 0)
    return (sigma.centre - slope) / 2 if factor == 1 else sigma.centre * 0


def is_homogeneous(sigma: Activation) -> bool:
    """Return whether σ(αz) = ασ(z) for all α > 0, for a σ that is not affine."""
    return [str(kink) for kink in sigma.kinks] == ["0"] and not any(b for _, b in sigma.pieces)


def is_even_linear(sigma: Activation) -> bool:
    """Return whether σ(z) = e(z) + mz with e even and m ≠ 0, as far as is known."""
    return bool(slope_of(sigma))


class EvenLinearSearch:
    """The search for even-linear witnesses of one network.

    Parameters
    ----------
    network : a network without affine hidden layers.
    deadline : monotonic seconds at which a search stops.
    """

    def __init__(self, network: Network, deadline: float = float("inf")) -> None:
        self._network = network
        self._deadline = deadline
        self._left = MATCHINGS
        self._tables = [self._table(layer) for layer in network.layers[:-1]]

    def find(self, generator: Generator) -> Latents | None:
        """Return a witness of one generator, or None if the search ends without one.

        Raises
        ------
        UnsupportedError
            If a scaling has a sign that depends on parameters.
        """
        self._left = MATCHINGS
        first = self._network.layers[0]
        moved = generator.input.pull_back(first.weight, first.bias)
        return next(self._descend(0, moved, (), generator), None)

    def _table(self, layer: Layer) -> KeyedRows:
        """Return the rows classed up to every scaling that a witness may use."""
        sigma = layer.activation
        if slope_of(sigma):
            sigma = activation("abs" if is_homogeneous(sigma) else "tanh")
        return keyed_rows(layer.weight, layer.bias, sigma, self._network.field)

    def _descend(
        self, index: int, moved: Rows, chain: Latents, generator: Generator
    ) -> Iterator[Latents]:
        """Yield the witnesses that extend the latents of the layers below."""
        layers = self._network.layers
        layer = layers[index]
        if index == len(layers) - 1:
            if moved == generator.output.push_forward(layer.weight, layer.bias):
                yield chain
            return
        table = self._tables[index]
        placed = table.place(*moved)
        if layer.activation.affine is not None or unmatched_row(table, placed) is not None:
            return
        options = self._options(index, placed, generator)
        for permutation, scale in _matchings(placed, options):
            self._left -= 1
            if self._left < 0 or time.monotonic() > self._deadline:
                return
            latent = monomial(layer, permutation, scale, self._network.field)
            after = pass_through(layer, latent, layers[index + 1])
            if after is not None:
                yield from self._descend(index + 1, after, (*chain, latent), generator)

    def _options(
        self, index: int, placed: Sequence[tuple[int, Any]], generator: Generator
    ) -> list[list[tuple[int, Any]]]:
        """Return for every row its partners p and scales α.

        Below the output layer only those whose outgoing columns fit: column p of
        ρ_out W must be |α| times column i of W.
        """
        table = self._tables[index]
        partners = [
            [(p, alpha / table.scales[p]) for p in table.members[number]]
            for number, alpha in placed
        ]
        layer, last = self._network.layers[index], self._network.layers[-1]
        if index < len(self._network.layers) - 2:
            return partners
        wanted, _ = generator.output.push_forward(last.weight, last.bias)
        columns, found = wanted.T.to_rows(), last.weight.T.to_rows()
        return [
            [(p, a) for p, a in options if columns[p] == self._scaled(layer, found[i], a)]
            for i, options in enumerate(partners)
        ]

    def _scaled(self, layer: Layer, column: Sequence[Any], alpha: Any) -> tuple[Any, ...]:
        trivial = MonomialMap(self._network.field, (0,), (alpha,), (self._network.field.zero,))
        factor = even_part(layer, trivial).scale[0]
        return tuple([c * factor for c in column])


def even_part(layer: Layer, latent: MonomialMap) -> MonomialMap:
    """Return the R with σ(Sz) = Rσ(z) up to a remainder that is linear in z."""
    if not slope_of(layer.activation):
        return transport(layer, latent)
    field = latent.field
    sizes = tuple([a if field.sign(a) > 0 else -a for a in latent.scale])
    return MonomialMap(field, latent.permutation, sizes, latent.shift)


def pass_through(layer: Layer, latent: MonomialMap, following: Layer) -> Rows | None:
    """Return (W', b') with z'(ρx) = W'h(x) + b' for the next layer's pre-activation z'.

    None if a remainder is left that is not constant: (W, b) = ``following`` must satisfy
    W(S − |S|)W_i = 0 where S = ``latent`` acts on the pre-activations of ``layer``.
    """
    weight, bias = even_part(layer, latent).pull_back(following.weight, following.bias)
    slope, field = slope_of(layer.activation), latent.field
    reversed_rows = [i for i, a in enumerate(latent.scale) if slope and field.sign(a) < 0]
    if not reversed_rows:
        return weight, bias
    # row i of m(S − |S|)z is 2mα_i·z_{p_i} where α_i < 0, and 0 elsewhere
    factors = [latent.scale[i] * field(2 * slope) for i in reversed_rows]
    outgoing = following.weight.select_columns(reversed_rows).scale_columns(factors)
    partners = [latent.permutation[i] for i in reversed_rows]
    if not (outgoing @ layer.weight.select_rows(partners)).is_zero():
        return None
    entries = [layer.bias[p] for p in partners]
    rest = [
        sum((b * w for w, b in zip(row, entries, strict=True) if w), start=field.zero)
        for row in outgoing.to_rows()
    ]
    return weight, tuple(a + b for a, b in zip(bias, rest, strict=True))


def _matchings(
    placed: Sequence[tuple[int, Any]], options: Sequence[Sequence[tuple[int, Any]]]
) -> Iterator[tuple[list[int], list[Any]]]:
    """Yield every bijection of rows to partners among the options, with the scales."""
    classes: dict[int, list[int]] = {}
    for row, (number, _) in enumerate(placed):
        classes.setdefault(number, []).append(row)
    choices = [list(_bijections(rows, options)) for rows in classes.values()]
    for combination in itertools.product(*choices):
        found = dict(itertools.chain.from_iterable(combination))
        pairs = [found[row] for row in range(len(placed))]
        yield [p for p, _ in pairs], [a for _, a in pairs]


def _bijections(
    rows: Sequence[int], options: Sequence[Sequence[tuple[int, Any]]]
) -> Iterator[list[tuple[int, tuple[int, Any]]]]:
    """Yield the injective choices of one option a row."""
    if not rows:
        yield []
        return
    for choice in options[rows[0]]:
        rest = [[o for o in each if o[0] != choice[0]] for each in options]
        for others in _bijections(rows[1:], rest):
            yield [(rows[0], choice), *others]
