"""Network files: reading ``*.network.json`` strictly, and writing it for people.

human     == numbers as people write them, with ``parameters`` and ``algebraic`` declared
canonical == the spelling of evidence folders, with a stated ``field``

Both are read here. Every fault is one sentence with its place, such as
``net.network.json, layers[1].weight[0][2]: …``.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from identcert.errors import InputError, UnsupportedError
from identcert.groups.declarations import read_algebraic, read_parameters
from identcert.groups.json_text import check_keys, parse_json, read_bytes
from identcert.nets.activation import Activation
from identcert.nets.assembly import NumberReader, SpelledLayer, assembled
from identcert.nets.canonical import canonical_network as canonical_network
from identcert.nets.canonical_reader import CanonicalReader
from identcert.nets.head import check_kind, read_inputs
from identcert.nets.human import network_bytes as network_bytes
from identcert.nets.network import Network, Source

REQUIRED = ("format", "version", "inputs", "layers")
LAYER_KEYS = ("kind", "weight", "activation")


def read_network(path: str | Path) -> Network:
    """Return the network of a ``.network.json`` file, human or canonical.

    Raises
    ------
    InputError
        If the file is missing or deviates from its format.
    UnsupportedError
        If it has both parameters and algebraic numbers, or a field of too large degree.
    """
    content, name = read_bytes(path), Path(path).name
    source = Source(name, sha256(content).hexdigest(), "json")
    return parse_network(parse_json(content, name), name, source, Path(path).parent)


def parse_network(
    document: Any, where: str, source: Source | None = None, folder: Path | None = None
) -> Network:
    """Return the network that a JSON value spells.

    Parameters
    ----------
    where : what messages call the file.
    folder : where a canonical network has its tensor file.

    Raises
    ------
    InputError, UnsupportedError
        See `read_network`.

    Examples
    --------
    >>> layer = {"kind": "dense", "weight": [["1/2", 2]], "activation": "x^2"}
    >>> head = {"format": "identcert.network", "version": 1, "inputs": 2}
    >>> parse_network({**head, "layers": [layer]}, "net")
    Network(2 → 1 → 1, x^2)
    """
    is_canonical = isinstance(document, dict) and "field" in document
    if is_canonical:
        check_keys(document, where, (*REQUIRED, "field"), ("name", "tensors"))
    else:
        check_keys(document, where, REQUIRED, ("name", "parameters", "algebraic"))
    inputs = read_inputs(document, where)
    reader: NumberReader
    if is_canonical:
        reader = CanonicalReader.of_document(document, where, folder)
    else:
        reader = _human_reader(document, where)
    spelled: list[SpelledLayer] = []
    for index, layer in enumerate(document["layers"]):
        place = f"{where}, layers[{index}]"
        check_keys(layer, place, (*LAYER_KEYS, *["bias"][:is_canonical]), ("bias",))
        arriving = len(spelled[-1].weight) if spelled else inputs
        below = f"layers[{index - 1}]" if spelled else "the inputs"
        spelled.append(_read_layer(layer, arriving, below, reader, place))
    reader.check_complete(where)
    try:
        return assembled(inputs, spelled, reader, document.get("name"), source)
    except UnsupportedError as error:
        text = str(error)
        raise UnsupportedError(text if text.startswith(where) else f"{where}: {text}") from None


def _human_reader(document: dict[str, Any], where: str) -> NumberReader:
    parameters = read_parameters(document.get("parameters", []), f"{where}, parameters")
    algebraic = None
    if "algebraic" in document:
        algebraic = read_algebraic(document["algebraic"], f"{where}, algebraic")
    return NumberReader(parameters, algebraic)


def _read_layer(
    layer: Any, arriving: int, below: str, reader: NumberReader, where: str
) -> SpelledLayer:
    check_kind(layer, where)
    activation = Activation.parse(layer["activation"], f"{where}.activation")
    rows = reader.rows(layer["weight"], arriving, below, f"{where}.weight")
    bias = None
    if "bias" in layer:
        bias = reader.bias(layer["bias"], len(rows), f"{where}.bias")
    return SpelledLayer(rows, arriving, bias, activation)


def write_network(network: Network, path: str | Path) -> None:
    """Write a network as a file for people, which reads back as the same network.

    Raises
    ------
    InputError
        If the file cannot be written.
    UnsupportedError
        If a bias carries folded constants such as tanh(1/2).
    """
    content = network_bytes(network)
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        what = f"the file cannot be written ({error.strerror})"
        raise InputError(what, str(path), "choose another place") from None
