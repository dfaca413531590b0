"""What the theory says of the parameter itself: whether it is identifiable, and why.

identifiable        == every parameter of the same function is related to it by the
                       latent symmetry groups
weakly identifiable == it comes from an identifiable parameter of a submodel

Only theorems whose hypotheses were checked on this very network are named; what no
theorem of the catalogue covers is ``open``. Theorems about almost all parameters say
nothing about a given one and are never named here.
"""

from __future__ import annotations

from typing import Any

from identcert.certify.result import Result
from identcert.nets.network import Network

SUSSMANN = (
    "Sussmann 1992, Neural Networks 5: an irreducible network with one hidden tanh layer is "
    "unique up to signed permutations of its neurons"
)
SIGMOID = (
    "Sussmann 1992 through 2 sigmoid(z) - 1 = tanh(z/2): an irreducible network with one hidden "
    "sigmoid layer is unique up to permutations and reflections of its neurons"
)


def identifiability(result: Result) -> dict[str, Any]:
    """Return status, theorem and the evidenced hypotheses for a result's network."""
    reduced = result.reduction.reduced
    theorem = _theorem(reduced)
    hypotheses = [
        {"hypothesis": "one hidden layer", "holds": len(reduced.layers) == 2,
         "evidence": f"the reduced network has {len(reduced.layers) - 1} hidden layers"},
        {"hypothesis": "hidden activation tanh or sigmoid",
         "holds": all(a in ("tanh", "sigmoid") for a in _activations(reduced)),
         "evidence": ", ".join(_activations(reduced)) or "no hidden layer"},
        {"hypothesis": "no inactive and no cloned neuron is left",
         "holds": True, "evidence": "reduction reached its fixed point; replayed by the checker"},
    ]  # fmt: skip
    if theorem is None:
        return {"status": "open", "theorem": None, "hypotheses": hypotheses}
    status = "weakly_identifiable" if result.reduction.steps else "identifiable"
    return {"status": status, "theorem": theorem, "hypotheses": hypotheses}


def _activations(network: Network) -> list[str]:
    return sorted({layer.activation.text() for layer in network.layers[:-1]})


def _theorem(reduced: Network) -> str | None:
    if len(reduced.layers) != 2 or reduced.field.kind == "parametric":
        return None
    return {"tanh": SUSSMANN, "sigmoid": SIGMOID}.get(reduced.layers[0].activation.key)
