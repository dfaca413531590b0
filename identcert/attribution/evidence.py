"""Evidence folders of lifting: what `lift_checker.py` and `minor_checker.py` read.

A folder holds network.json and action.json in canonical form, and lift.json (a direction or a
functional) or minor.json (points and rows); `SPEC.md` states them. What is returned has been
checked: search proposes, the checker disposes.
"""

from __future__ import annotations

import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from flint import fmpq

from identcert.attribution import lift_checker, minor_checker
from identcert.attribution.exact_lift import Lift, Obstruction
from identcert.attribution.lift import LiftResult, PointObstruction, point_functional
from identcert.attribution.minor import Minor, find_minor
from identcert.attribution.parameters import Parametrisation
from identcert.attribution.system import System
from identcert.errors import EvidenceRejected, UnsupportedError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, InfinitesimalGenerator
from identcert.groups.files import canonical_action
from identcert.nets.canonical import check_plain
from identcert.nets.head import FORMAT, VERSION
from identcert.nets.network import Network
from identcert.witness.codec import canonical_bytes, sha256
from identcert.witness.store import remove_evidence, write_atomically

Files = dict[str, bytes]


def lift_evidence(result: LiftResult) -> Files:
    """Return the files of a decided question, verified by the checker.

    Raises
    ------
    UnsupportedError
        If nothing was decided, or the numbers are not rational.
    EvidenceRejected
        If the checker refuses: then the search was wrong.
    """
    if result.lifts is None:
        raise UnsupportedError("nothing was decided, so that there is no evidence")
    network = result.parametrisation.network
    is_plain = all(layer.has_plain_bias for layer in network.layers)
    rests = [row for layer in network.layers[:-1] for row in layer.weight.to_rows() if not any(row)]
    if result.rule == "dictionary" and (rests or not is_plain):
        raise UnsupportedError(
            "evidence of lifting is not written where a neuron is constant; remove it first "
            "(identcert reduce), and the same question has evidence"
        )
    if network.field.kind != "rational":
        raise UnsupportedError("evidence of lifting is written for rational numbers only")
    outcome = result.outcome
    if isinstance(outcome, Minor):
        return minor_evidence(result.parametrisation, result.generator, outcome)
    lift: dict[str, Any] = {"claim": "lifts" if result.lifts else "does_not_lift"}
    if isinstance(outcome, PointObstruction):
        lift |= _points_tree(outcome)
    elif isinstance(outcome, Obstruction):
        lift |= _functional_tree(outcome, result)
    else:
        direction = result.direction or ()
        lift["rule"] = result.rule if isinstance(outcome, Lift) else "structural"
        lift["direction"] = [_rational(c) for c in direction]
    return _checked(result.parametrisation, result.generator, "lift", lift)


def minor_evidence(
    parametrisation: Parametrisation, generator: InfinitesimalGenerator, minor: Minor
) -> Files:
    """Return the files of a certified minor: η does not lift, or J is injective."""
    tree = {
        "claim": "does_not_lift" if minor.with_target else "injective",
        "bits": minor.bits + 64,
        "points": [[str(x) for x in point] for point in minor.points],
        "rows": [list(row) for row in minor.rows],
        "dropped": list(minor.dropped),
    }
    return _checked(parametrisation, generator, "minor", tree)


def injectivity_evidence(
    parametrisation: Parametrisation, generator: InfinitesimalGenerator, seed: int = 0
) -> Files | None:
    """Return the files that prove ker J = 0, or None if no minor is found."""
    minor = find_minor(parametrisation, generator, False, seed)
    if minor is None or minor.dropped:  # a dead column: then J is not injective
        return None
    return minor_evidence(parametrisation, generator, minor)


def write_lift(result: LiftResult, directory: Path) -> Path:
    """Write the evidence folder of a decided question, and return it."""
    files = lift_evidence(result)
    remove_evidence(directory)
    for name, content in files.items():
        write_atomically(directory / name, content)
    return directory


def _checked(
    parametrisation: Parametrisation,
    generator: InfinitesimalGenerator,
    kind: str,
    tree: dict[str, Any],
) -> Files:
    """Return all files, after the checker of their kind has verified them."""
    network = parametrisation.network
    action = Action(None, network.field, (), (), (generator,))
    files = {
        "network.json": canonical_bytes(_network_tree(network)),
        "action.json": canonical_bytes(canonical_action(action)),
    }
    coordinates = [
        [[p.layer, p.row, p.column, _rational(c)] for p, c in coordinate.terms]
        for coordinate in parametrisation.coordinates
    ]
    head = {
        "format": f"identcert.{kind}",
        "version": 1,
        "generator": generator.name,
        "coordinates": coordinates,
        "network_sha256": sha256(files["network.json"]),
        "action_sha256": sha256(files["action.json"]),
    }
    files[f"{kind}.json"] = canonical_bytes(head | tree)
    program = lift_checker if kind == "lift" else minor_checker
    with tempfile.TemporaryDirectory(prefix="identcert-") as scratch:
        for name, content in files.items():
            (Path(scratch) / name).write_bytes(content)
        try:
            program.check(Path(scratch))
        except (lift_checker.Rejected, minor_checker.Rejected, ValueError) as refusal:
            raise EvidenceRejected(f"the checker refused the evidence: {refusal}") from refusal
    return files


def _network_tree(network: Network) -> dict[str, Any]:
    """Return the canonical network with all numbers inside, whatever its size."""
    check_plain(network)
    layers = [
        {
            "activation": layer.activation.encode(),
            "bias": [str(b) for b in layer.bias],
            "kind": "dense",
            "weight": [[str(w) for w in row] for row in layer.weight.to_rows()],
        }
        for layer in network.layers
    ]
    return {
        "field": network.field.describe(),
        "format": FORMAT,
        "inputs": network.inputs,
        "layers": layers,
        "version": VERSION,
    }


def _rational(value: Any) -> str:
    """Return the spelling of a rational number.

    Raises
    ------
    UnsupportedError
        If the number lies in another field, as the values of constant neurons do.
    """
    if not isinstance(value, fmpq):
        fix = "remove constant neurons first (identcert reduce)"
        raise UnsupportedError(f"evidence holds rational numbers only, not {value}; {fix}")
    return str(value)


def _points_tree(found: PointObstruction) -> dict[str, Any]:
    return {
        "rule": "points",
        "points": [[str(x) for x in point] for point in found.points],
        "functional": [[k, m, _rational(y)] for k, m, y in found.functional],
    }


def _functional_tree(outcome: Obstruction, result: LiftResult) -> dict[str, Any]:
    """Return the functional on the dictionary; on values at points for polynomials."""
    system = result.system
    if system is None:
        raise UnsupportedError("the functional has no functions to act on")
    if result.rule == "polynomial":
        network = result.parametrisation.network
        return _points_tree(as_points(outcome.functional, system, network))
    inputs = result.parametrisation.network.inputs
    functional = []
    for function, y in zip(system.functions, outcome.functional, strict=True):
        if y:
            powers = [name for name, _ in function.monomial]
            symbol = next((name for name in powers if name[0] in "vs"), "1")
            k = next((int(name[1:]) for name in powers if name[0] == "x"), inputs)
            functional.append([function.output, symbol, k, _rational(y)])
    return {"rule": "dictionary", "functional": functional}


def as_points(functional: tuple[Any, ...], system: System, network: Network) -> PointObstruction:
    """Return a functional on coefficients as one on values at lattice points.

    Values on the lattice Σ x_k ≤ d determine a polynomial of degree at most d.
    """
    inputs, outputs = network.inputs, network.outputs
    powers = [dict(f.monomial) for f in system.functions]
    degree = max(sum(power.values()) for power in powers)
    lattice = [p for p in product(range(degree + 1), repeat=inputs) if sum(p) <= degree]
    points = [tuple(fmpq(x) for x in point) for point in lattice]
    values = [
        [_value(power, point) * int(f.output == m)
         for f, power in zip(system.functions, powers, strict=True)]
        for point in points
        for m in range(outputs)
    ]  # fmt: skip
    matrix = Matrix.of(values, QQ, len(system.functions)).T
    weights = matrix.solve(Matrix.of([[y] for y in functional], QQ, 1))
    if weights is None:
        raise EvidenceRejected("values on the lattice do not determine the polynomials")
    return point_functional(points, weights.column(0), outputs)


def _value(power: dict[str, int], point: tuple[fmpq, ...]) -> fmpq:
    value = fmpq(1)
    for name, e in power.items():
        value = value * point[int(name[1:])] ** e
    return value
