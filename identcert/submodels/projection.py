"""From a network to the parameter of one of its submodels, of the same function.

project == merge the clones of a pattern and remove its dead neurons; without a pattern,
           all that the reduction finds

A removed neuron must be unread or constant when its turn comes; removing one may make that
true of another, so that the neurons are visited until nothing changes.

Source: theory of submodels (§2 of the layerwise theorem) and reduction rules (§2.3).
"""

from __future__ import annotations

from identcert.errors import InputError
from identcert.nets.network import Network
from identcert.submodels.patterns import LayerPattern, Pattern
from identcert.submodels.reduction import reduce_network
from identcert.submodels.rows import layer_keys
from identcert.submodels.steps import DropStep, FoldStep, MergeStep, Step


def project(network: Network, pattern: Pattern | None = None) -> Network:
    """Return the submodel parameter of a network, of the same function.

    Parameters
    ----------
    pattern : a pattern that the network has, perhaps finer than its own; without it the
        network is reduced as far as it goes, cascades included.

    Raises
    ------
    InputError
        If the network does not have the pattern; it names the neuron.

    Examples
    --------
    >>> net = Network.dense([([[1], [-1]], None, "tanh"), ([[5, 2]], None, "identity")])
    >>> project(net).layers[1].weight, project(net, Pattern.parse("{0}{1}")) == net
    (Matrix.of([[3]]), True)
    """
    if pattern is None:
        return reduce_network(network).reduced
    if network.widths[1:-1] != pattern.hidden:
        raise InputError(f"the pattern {pattern.text()} does not fit {network!r}")
    left = [list(range(m)) for m in pattern.hidden]
    found = True
    while found:
        found = False
        for layer, own in enumerate(pattern.layers):
            step = _find_step(network, layer, own, left[layer])
            while step is not None:
                network, found = step.apply(network), True
                step = _find_step(network, layer, own, left[layer])
    for layer, own in enumerate(pattern.layers):
        extra = set(left[layer]) - {members[0][0] for members in own.classes}
        if extra:
            what = "unread or constant" if min(extra) in own.removed else "a clone as stated"
            raise InputError(f"neuron {min(extra)} is not {what}", f"hidden layer {layer + 1}")
    return network


def _find_step(network: Network, layer: int, own: LayerPattern, left: list[int]) -> Step | None:
    """Return a step that the pattern allows, and take its neuron off the list."""
    weight, following = network.layers[layer].weight, network.layers[layer + 1].weight
    for place, neuron in reversed(list(enumerate(left))):
        if own.labels[neuron] == 0:
            if not any(following.column(place)):
                del left[place]
                return DropStep(layer, place)
            if not any(weight.row(place)):
                del left[place]
                return FoldStep(layer, place)
    return _find_merge(network, layer, own, left)


def _find_merge(network: Network, layer: int, own: LayerPattern, left: list[int]) -> Step | None:
    sigma = network.layers[layer].activation
    keys = layer_keys(network.layers[layer])
    for members in own.classes:
        keep = left.index(members[0][0])
        for neuron, sign in members[1:]:
            if neuron not in left:
                continue
            drop = left.index(neuron)
            (key, scale), (first, unit) = keys[drop], keys[keep]
            fits = sigma.scalings != "sign" or scale / unit == sign
            if key == first and fits and any(network.layers[layer].weight.row(keep)):
                del left[drop]
                return MergeStep(layer, keep, drop, scale / unit, network.field)
    return None
