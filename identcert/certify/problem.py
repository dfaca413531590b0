"""Problems over one common field, and their canonical files.

A problem is a network with an action, or two networks with equal dimensions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from identcert.errors import InputError
from identcert.exact.join import join
from identcert.groups.action import Action
from identcert.groups.files import canonical_action, load_action
from identcert.nets.files import canonical_network
from identcert.nets.network import Network
from identcert.witness.codec import canonical_bytes, sha256


def bind(network: Network | str | Path, action: Action | str | Path) -> tuple[Network, Action]:
    """Return network and action over the smallest common field, their shapes checked.

    Raises
    ------
    InputError
        If a file is wrong or the dimensions do not fit.
    """
    net = _loaded(network)
    if not isinstance(action, Action):
        action = load_action(action, net.inputs, net.outputs)
    for side, wanted, stated in (
        ("inputs", net.inputs, action.inputs),
        ("outputs", net.outputs, action.outputs),
    ):
        if wanted != stated:
            raise InputError(
                f"the action is on {stated} {side}, the network has {wanted}",
                "action",
                "choose an action of the network's dimensions",
            )
    if net.field == action.field:
        return net, action
    field, embed_net, embed_action = join(net.field, action.field)
    return net.over(field, embed_net), action.over(field, embed_action)


def bind_networks(
    left: Network | str | Path, right: Network | str | Path
) -> tuple[Network, Network]:
    """Return two networks over the smallest common field, their dimensions checked.

    Raises
    ------
    InputError
        If a file is wrong or the dimensions differ.
    """
    first, second = _loaded(left), _loaded(right)
    for side, one, other in (
        ("inputs", first.inputs, second.inputs),
        ("outputs", first.outputs, second.outputs),
    ):
        if one != other:
            raise InputError(
                f"the first network has {one} {side}, the second one {other}",
                "networks",
                "compare networks of equal dimensions",
            )
    if first.field == second.field:
        return first, second
    field, embed_first, embed_second = join(first.field, second.field)
    return first.over(field, embed_first), second.over(field, embed_second)


def _loaded(network: Network | str | Path) -> Network:
    return network if isinstance(network, Network) else Network.load(network)


def problem_files(
    network: Network, action: Action, verdict: str, evidence: dict[str, Any]
) -> dict[str, bytes]:
    """Return the evidence folder's files by name, as canonical bytes."""
    files = dict(network_files(network))
    files["action.json"] = canonical_bytes(canonical_action(action))
    witness = {
        "format": "identcert.witness",
        "version": 1,
        "verdict": str(verdict),
        "network_sha256": sha256(files["network.json"]),
        "action_sha256": sha256(files["action.json"]),
        "source": {"network": _network_source(network), "action": _action_source(action)},
        "evidence": evidence,
    }
    files["witness.json"] = canonical_bytes(witness)
    return files


def equality_files(
    left: Network, right: Network, verdict: str, evidence: dict[str, Any]
) -> dict[str, bytes]:
    """Return the files of a comparison of two networks by name, as canonical bytes."""
    files = {**network_files(left), **network_files(right, "2")}
    witness = {
        "format": "identcert.witness",
        "version": 1,
        "verdict": str(verdict),
        "network_sha256": sha256(files["network.json"]),
        "network2_sha256": sha256(files["network2.json"]),
        "source": {"network": _network_source(left), "network2": _network_source(right)},
        "evidence": evidence,
    }
    files["witness.json"] = canonical_bytes(witness)
    return files


def network_files(network: Network, number: str = "") -> dict[str, bytes]:
    """Return ``network.json`` and, for large float networks, ``weights.safetensors``.

    Parameters
    ----------
    number : stands before the dots of both names, for a second network.
    """
    tree, tensors = canonical_network(network)
    files: dict[str, bytes] = {}
    if tensors is not None:
        tree["tensors"]["file"] = f"weights{number}.safetensors"
        files[f"weights{number}.safetensors"] = tensors
    files[f"network{number}.json"] = canonical_bytes(tree)
    return files


def _network_source(network: Network) -> dict[str, Any]:
    source = network.source
    if source is None:
        return {"format": "python", "name": "built in Python", "sha256": None}
    return {"format": source.format, "name": _ascii(source.name), "sha256": source.sha256}


def _action_source(action: Action) -> dict[str, Any]:
    source = action.source
    if source is None:
        return {"name": "built in Python", "sha256": None}
    return {"name": _ascii(source.name), "sha256": source.sha256}


def _ascii(name: str | None) -> str:
    return (name or "built in Python").encode("ascii", "replace").decode("ascii")
