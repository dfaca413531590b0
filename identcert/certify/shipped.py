"""Is the evidence about the model that was shipped? Convert the model again and compare."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from identcert.errors import InputError
from identcert.exact.join import join
from identcert.nets.network import Network


def compare_with_model(directory: Path, model: Path) -> tuple[str, bool]:
    """Compare an evidence folder with a model file; return a sentence and the outcome.

    Both must agree: the SHA-256 that the witness records for its source file, and every
    weight of the network, converted from the model anew.

    Raises
    ------
    InputError
        If one of the files cannot be read.
    """
    try:
        content = model.read_bytes()
        witness = json.loads((directory / "witness.json").read_bytes())
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", str(error.filename), "give an existing file"
        ) from None
    recorded = witness["source"]["network"]["sha256"]
    same_file = recorded == hashlib.sha256(content).hexdigest()
    try:
        same_weights = _same_function_text(Network.load(directory / "network.json"), model)
    except InputError as error:
        if same_file:
            raise
        return f"rejected: {model} is not the file of this evidence ({error})", False
    if same_file and same_weights:
        return f"{model} is the file of this evidence, and its weights are those checked", True
    if same_weights:
        return (
            f"rejected: the bytes of {model} differ from the file of this evidence "
            "(SHA-256), though its weights are the same",
            False,
        )
    return f"rejected: the weights of {model} differ from those of this evidence", False


def _same_function_text(evidence: Network, model: Path) -> bool:
    shipped = Network.load(model)
    field, embed_evidence, embed_shipped = join(evidence.field, shipped.field)
    left, right = evidence.over(field, embed_evidence), shipped.over(field, embed_shipped)
    return left.inputs == right.inputs and [
        (layer.weight, layer.bias, layer.activation) for layer in left.layers
    ] == [(layer.weight, layer.bias, layer.activation) for layer in right.layers]
