"""Equivariance as equality of two networks.

pair == (f∘ρ_in, ρ_out∘f) for one generator: the map before the first layer and the map
        after the last one are absorbed into those layers

f is equivariant under the generator if and only if the two networks of the pair compute
the same function. Neurons stay non-zero and distinct, since ρ_in is invertible.

Source: theory of transport (Prop. 1).
"""

from __future__ import annotations

from dataclasses import replace

from identcert.groups.action import Generator
from identcert.nets.network import Network


def equivariance_pair(network: Network, generator: Generator) -> tuple[Network, Network]:
    """Return (f∘ρ_in, ρ_out∘f), two networks with the widths and activations of f.

    Examples
    --------
    >>> from identcert import Network, actions
    >>> net = Network.dense([([[1, 2]], [3], "tanh"), ([[1], [5]], None, "identity")])
    >>> swap = actions.cyclic(2, output="permutation").generators[0]
    >>> left, right = equivariance_pair(net, swap)
    >>> left.layers[0].weight, right.layers[1].weight
    (Matrix.of([[2, 1]]), Matrix.of([[5], [1]]))
    """
    first, last = network.layers[0], network.layers[-1]
    weight, bias = generator.input.pull_back(first.weight, first.bias)
    before = replace(first, weight=weight, bias=bias, has_bias=first.has_bias or any(bias))
    weight, bias = generator.output.push_forward(last.weight, last.bias)
    after = replace(last, weight=weight, bias=bias, has_bias=last.has_bias or any(bias))
    return (
        replace(network, layers=(before, *network.layers[1:])),
        replace(network, layers=(*network.layers[:-1], after)),
    )
