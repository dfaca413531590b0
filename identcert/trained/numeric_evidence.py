"""Numeric evidence for networks that were not decided: sampled gaps, tolerance-matched latents.

gap     == |f(ρ_in x) − ρ_out f(x)| in float64, the largest component over random points
matched == transformed rows paired with rows of the layer so that the normalised distances
           are smallest in sum; scalings are those that the activation passes

Nothing here proves anything: small gaps occur for networks that are not equivariant, and
large distances for networks that are. Every string says that it is numeric.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from identcert.certify.problem import problem_files
from identcert.certify.result import Result, Verdict
from identcert.errors import UnsupportedError
from identcert.exact.field import QQ
from identcert.groups.action import Action, Generator
from identcert.nets.evaluation import float_layers
from identcert.nets.network import Network
from identcert.nets.numeric import float_of

POINTS = 2_000
SCALES = (0.1, 1.0, 10.0)
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Matching:
    """How nearly one generator has latents, in float64.

    Attributes
    ----------
    generator : its name.
    distances : per hidden layer the largest normalised distance of a matched row.
    output : the largest entry by which the output equation fails.
    """

    generator: str
    distances: tuple[float, ...]
    output: float

    def text(self, tolerance: float = TOLERANCE) -> str:
        """Return the matching in words."""
        layers = ", ".join(
            f"hidden layer {k}: {'within' if d <= tolerance else 'beyond'} {tolerance:g} "
            f"(largest distance {d:.3g})"
            for k, d in enumerate(self.distances, start=1)
        )
        layers = f"{layers}; " if layers else ""
        return f"numeric only, {layers}output equation off by at most {self.output:.3g}"


def with_numeric_evidence(result: Result, seed: int = 0) -> Result:
    """Return an undecided result with numeric evidence, which its witness then holds too."""
    if result.verdict is not Verdict.UNDECIDED:
        return result
    numeric = numeric_evidence(result.network, result.action, seed)
    if not numeric:
        return result
    evidence = json.loads(result.evidence["witness.json"])["evidence"]
    evidence["numeric"] = dict(numeric)
    files = problem_files(result.network, result.action, result.verdict, evidence)
    return replace(result, numeric=numeric, evidence=files)


def numeric_evidence(
    network: Network, action: Action, seed: int = 0
) -> tuple[tuple[str, str], ...]:
    """Return pairs of a name and a sentence; none for networks with symbolic weights.

    Examples
    --------
    >>> from identcert import Network, actions
    >>> net = Network.dense([([[1, 2]], None, "tanh"), ([[1]], None, "identity")])
    >>> [name for name, _ in numeric_evidence(net, actions.cyclic(2))]
    ['largest sampled gap for r', 'latents matched for r']
    """
    try:
        float_layers(network.layers, network.field)
    except UnsupportedError:
        return ()
    found = []
    for generator in action.generators:
        gap, size = largest_gap(network, generator, seed)
        found.append(
            (
                f"largest sampled gap for {generator.name}",
                f"numeric only, {gap:.3g} in float64 at {POINTS * len(SCALES)} random points, "
                f"where outputs reach {size:.3g}",
            )
        )
        matching = match_latents(network, generator)
        found.append((f"latents matched for {generator.name}", matching.text()))
    return tuple(found)


def largest_gap(network: Network, generator: Generator, seed: int = 0) -> tuple[float, float]:
    """Return the largest sampled |f(ρ_in x) − ρ_out f(x)| and the largest |f(x)|."""
    import numpy as np

    stream = np.random.default_rng(seed)
    inputs, shift_in = _float_map(generator.input)
    outputs, shift_out = _float_map(generator.output)
    gap = size = 0.0
    for scale in SCALES:
        points = scale * stream.standard_normal((POINTS, network.inputs))
        here = network.numpy_evaluate(points)
        left = network.numpy_evaluate(points @ inputs.T + shift_in)
        gap = max(gap, float(np.max(np.abs(left - (here @ outputs.T + shift_out)), initial=0.0)))
        size = max(size, float(np.max(np.abs(here), initial=0.0)))
    return gap, size


def match_latents(network: Network, generator: Generator) -> Matching:
    """Return how nearly a generator has latents: rows are paired layer by layer."""
    import numpy as np

    floats = float_layers(network.layers, network.field)
    linear, shift = _float_map(generator.input)
    distances = []
    for layer, (weight, bias) in zip(network.layers[:-1], floats, strict=False):
        moved = np.column_stack([weight @ linear, weight @ shift + bias])
        order, alpha, distance = _paired(layer, moved, np.column_stack([weight, bias]))
        distances.append(distance)
        factor, constant = _transported(layer.activation, alpha)
        linear = np.zeros((len(order), len(order)))
        linear[np.arange(len(order)), order] = factor
        shift = constant
    weight, bias = floats[-1]
    matrix, offset = _float_map(generator.output)
    left = np.column_stack([weight @ linear, weight @ shift + bias])
    right = np.column_stack([matrix @ weight, matrix @ bias + offset])
    output = float(np.max(np.abs(left - right), initial=0.0))
    return Matching(generator.name, tuple(distances), output)


def _paired(layer: Any, moved: Any, rows: Any) -> tuple[Any, Any, float]:
    """Return partners p, scales α with moved_i ≈ α_i·rows_p, and the largest distance."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    centre = float_of(layer.activation.centre)
    pair = [
        table - centre * np.eye(1, table.shape[1], table.shape[1] - 1) for table in (moved, rows)
    ]
    sizes = [np.linalg.norm(table, axis=1) for table in pair]
    shape = layer.activation.scalings
    if shape in ("positive", "nonzero"):
        pair = [t / np.where(s > 0, s, 1.0)[:, None] for t, s in zip(pair, sizes, strict=True)]
    apart = np.linalg.norm(pair[0][:, None] - pair[1][None], axis=2)
    signs = np.ones_like(apart)
    if shape in ("sign", "nonzero"):
        mirrored = np.linalg.norm(pair[0][:, None] + pair[1][None], axis=2)
        signs = np.where(mirrored < apart, -1.0, 1.0)
        apart = np.minimum(apart, mirrored)
    found, order = linear_sum_assignment(apart)
    alpha = signs[found, order]
    if shape in ("positive", "nonzero"):
        alpha = alpha * sizes[0] / np.where(sizes[1] > 0, sizes[1], 1.0)[order]
    return order, alpha, float(np.max(apart[found, order], initial=0.0))


def _transported(sigma: Any, alpha: Any) -> tuple[Any, Any]:
    """Return λ and ν with σ(αz + c(1 − α)) = λσ(z) + ν, in float64."""
    import numpy as np

    if sigma.scalings == "sign":
        pairs = [sigma.transport(QQ(1 if a > 0 else -1), QQ) for a in alpha]
        factor = np.array([float_of(f) for f, _ in pairs])
        return factor, np.array([float_of(c) for _, c in pairs])
    if sigma.name == "abs":
        return np.abs(alpha), np.zeros_like(alpha)
    if sigma.coefficients is None:
        return alpha, np.zeros_like(alpha)
    factor = alpha ** max(1, len(sigma.coefficients) - 1)
    at_centre = sigma.numpy(np.array(float_of(sigma.centre)))
    return factor, (1 - factor) * at_centre


def _float_map(affine: Any) -> tuple[Any, Any]:
    import numpy as np

    field = affine.field
    rows = [[_float(field, x) for x in row] for row in affine.matrix().to_rows()]
    return np.array(rows), np.array([_float(field, x) for x in affine.shift])


def _float(field: Any, x: Any) -> float:
    return float_of(x) if field.kind == "rational" else float(field.ball(x, 64))
