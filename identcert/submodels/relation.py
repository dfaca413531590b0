"""Relations of two reduced parameters by the latent symmetries of their layers.

related == θ' = K·θ: (W', b')∘R = K∘(W, b) in every hidden layer, with R what σ makes of the
           K of the layer below; then the two functions are equal

The rows of a reduced layer are pairwise inequivalent, so that K is unique if it exists and
is found by looking rows up.

Source: theory of forced matchings (Prop. 3) and of soundness (Prop. 2).
"""

from __future__ import annotations

from identcert.errors import InputError
from identcert.groups.monomial import MonomialMap
from identcert.nets.layer import Layer
from identcert.nets.network import Network
from identcert.submodels.rows import keyed_rows

Relation = tuple[MonomialMap, ...]


def transported(layer: Layer, latent: MonomialMap) -> MonomialMap:
    """Return the map R with σ∘K = R∘σ for a latent map K of a layer.

    Raises
    ------
    InputError
        If σ does not pass one of the scalings of K.
    """
    field = latent.field
    pairs = [layer.activation.transport(alpha, field) for alpha in latent.scale]
    return MonomialMap(
        field,
        latent.permutation,
        tuple(factor for factor, _ in pairs),
        tuple(shift for _, shift in pairs),
    )


def find_relation(network: Network, other: Network) -> Relation | None:
    """Return the latent maps K with other = K·network, one a hidden layer; None without.

    Raises
    ------
    InputError
        If the first network has a constant or a cloned neuron.

    Examples
    --------
    >>> def net(row, out):
    ...     return Network.dense([([row], None, "tanh"), ([[out]], None, "identity")])
    >>> [latent.scale for latent in find_relation(net([1, 2], 3), net([-1, -2], -3))]
    [(-1,)]
    >>> find_relation(net([1, 2], 3), net([1, 2], 4)) is None
    True
    """
    field = network.field
    if (network.widths, field) != (other.widths, other.field):
        return None
    if [a.activation for a in network.layers] != [b.activation for b in other.layers]:
        return None
    carried = MonomialMap.identity(network.inputs, field)
    found = []
    for number, (own, its) in enumerate(zip(network.layers[:-1], other.layers, strict=False)):
        table = keyed_rows(own.weight, own.bias, own.activation, field)
        if not table.is_reduced:
            raise InputError("a neuron is constant or cloned", f"hidden layer {number + 1}")
        permutation, scale = [], []
        for key, alpha in table.match(*carried.pull_back(its.weight, its.bias)):
            partners = table.partners(key, alpha)
            if not partners:
                return None
            permutation.append(partners[0][0])
            scale.append(partners[0][1])
        if sorted(permutation) != list(range(len(permutation))):
            return None
        centre = field(own.activation.centre)
        shift = tuple(centre * (field.one - alpha) for alpha in scale)
        found.append(MonomialMap(field, tuple(permutation), tuple(scale), shift))
        carried = transported(own, found[-1])
    last = network.layers[-1]
    moved = carried.pull_back(other.layers[-1].weight, other.layers[-1].bias)
    return tuple(found) if moved == (last.weight, last.bias) else None
