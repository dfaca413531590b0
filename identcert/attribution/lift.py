"""Whether a generator direction lifts to parameters: which rule decides, and what follows.

rules, in this order
    polynomial  : coefficients of monomials, complete
    dictionary  : one hidden layer of tanh, sigmoid or one-kink units, complete
    structural  : the closed form of a full first and last layer, any depth and activation
    points      : values at rational points of a piecewise-linear network; refutes only
    minor       : a ball-certified minor, deep tanh and sigmoid; refutes only

The structural lift is reported apart from all rules: where it is present, every residual that is
computed numerically is an artefact of truncation. Source: theory of attribution §3 and §6.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from flint import fmpq

from identcert.attribution.exact_lift import Lift, Obstruction, decide_lift
from identcert.attribution.minor import Minor, find_minor
from identcert.attribution.parameters import Parametrisation, place_name
from identcert.attribution.point_system import PointOnKink, exact_ring, rows_at
from identcert.attribution.polynomial_system import polynomial_system
from identcert.attribution.shallow_system import is_shallow, shallow_system
from identcert.attribution.structural import StructuralLift, structural_lift
from identcert.attribution.system import System
from identcert.certify.identity import is_polynomial
from identcert.errors import OutOfBudget, UnsupportedError
from identcert.exact.field import QQ
from identcert.exact.matrix import Matrix
from identcert.groups.action import InfinitesimalGenerator

Rule = Literal["polynomial", "dictionary", "structural", "points", "minor", "none"]
MAX_ENTRIES = 250_000
"""The size of J, functions times coordinates, up to which it is eliminated exactly."""
MAX_SAMPLED = 150
ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class PointObstruction:
    """A functional Σ y·g(point, output) on functions g that kills Im J and is 1 on η."""

    points: tuple[tuple[fmpq, ...], ...]
    functional: tuple[tuple[int, int, fmpq], ...]


Outcome = Lift | Obstruction | PointObstruction | Minor | StructuralLift


@dataclass(frozen=True, slots=True)
class LiftResult:
    """Whether η ∈ Im J at a parameter, by which rule, with its certificate.

    Attributes
    ----------
    parametrisation, generator : the question.
    lifts : True or False where it is decided, None where it is not.
    rule : which rule decided.
    outcome : the certificate of the rule, or None.
    structural : the structural lift, present or not.
    system : J and η in independent functions, where a complete rule applies.
    is_injective : whether ker J = 0, or None if that is not known.
    why_not : why the complete rules do not apply; else "".
    """

    parametrisation: Parametrisation
    generator: InfinitesimalGenerator
    lifts: bool | None
    rule: Rule
    outcome: Outcome | None
    structural: StructuralLift
    system: System | None
    is_injective: bool | None
    why_not: str = ""

    @property
    def direction(self) -> tuple[Any, ...] | None:
        """An exact c with Jc = η in coordinates, or None."""
        if isinstance(self.outcome, Lift):
            return self.outcome.direction
        return self.structural.direction

    @property
    def kind(self) -> str:
        """The word of reports: ``structural``, ``exact`` or ``numeric``."""
        if self.structural.is_present:
            return "structural"
        return "numeric" if self.lifts is None else "exact"


def lift_of(
    parametrisation: Parametrisation,
    generator: InfinitesimalGenerator,
    seed: int = 0,
    injectivity: bool = False,
) -> LiftResult:
    """Return whether η lies in Im J, with the certificate of the first rule that decides.

    Parameters
    ----------
    injectivity : whether to look for a minor of J as well, where no complete rule applies.

    Examples
    --------
    >>> from identcert.attribution.generators import rotation
    >>> from identcert.nets.network import Network
    >>> net = Network.dense([([[1, 0], [0, 1]], None, "x^2"), ([[3, 1]], None, "identity")])
    >>> found = lift_of(Parametrisation.of(net, frozen=["W1"]), rotation(2, 1))
    >>> found.lifts, found.rule, found.outcome.functional
    (False, 'polynomial', (1/4, 0, 0))
    """
    structural = structural_lift(parametrisation, generator)
    system, why_not = _complete_system(parametrisation, generator)

    def result(
        lifts: bool | None, rule: Rule, outcome: Outcome | None, injective: bool | None
    ) -> LiftResult:
        return LiftResult(
            parametrisation, generator, lifts, rule, outcome, structural, system, injective,
            why_not,
        )  # fmt: skip

    if system is not None:
        outcome = decide_lift(system.jacobian, system.target)
        rule: Rule = "polynomial" if system.rule == "polynomial" else "dictionary"
        return result(isinstance(outcome, Lift), rule, outcome, not outcome.kernel)
    injective: bool | None = None
    if injectivity and _encloses(parametrisation):
        square = find_minor(parametrisation, generator, False, seed)
        injective = None if square is None else not square.dropped
    if structural.is_present:
        return result(True, "structural", structural, injective)
    if all(e.activation.is_piecewise_linear for e in parametrisation.network.layers):
        found = find_point_obstruction(parametrisation, generator, seed)
        if found is not None:
            return result(False, "points", found, injective)
    elif _encloses(parametrisation):
        minor = find_minor(parametrisation, generator, True, seed)
        if minor is not None:
            return result(False, "minor", minor, not minor.dropped)
    return result(None, "none", None, injective)


def _complete_system(
    parametrisation: Parametrisation, generator: InfinitesimalGenerator
) -> tuple[System | None, str]:
    """Return J and η where a complete rule applies within its budget, else the reason."""
    network = parametrisation.network
    make: Callable[[Parametrisation, InfinitesimalGenerator], System]
    if is_polynomial(network):
        make = polynomial_system
    elif is_shallow(network):
        make = shallow_system
    else:
        return None, "no complete rule is known for these layers"
    try:
        system = make(parametrisation, generator)
    except (OutOfBudget, UnsupportedError) as reason:
        return None, str(reason)
    size = system.jacobian.rows * system.jacobian.cols
    if size > MAX_ENTRIES:
        return None, f"J has {size} entries, more than {MAX_ENTRIES}"
    return system, ""


def _encloses(parametrisation: Parametrisation) -> bool:
    """Whether the slopes of all activations are enclosed by balls, over Q."""
    network = parametrisation.network
    return network.field.is_ordered and all(
        layer.activation.is_polynomial
        or layer.activation.name in ("tanh", "sigmoid")
        or list(layer.activation.kinks) == [0]
        for layer in network.layers
    )


def find_point_obstruction(
    parametrisation: Parametrisation, generator: InfinitesimalGenerator, seed: int = 0
) -> PointObstruction | None:
    """Return a functional on values at rational points that kills Im J and not η, if any is found.

    It refutes lifting for every function space that contains the sensitivities, since a
    combination Jc = η would hold at the points as well.
    """
    size = len(parametrisation.coordinates)
    if size > MAX_SAMPLED or parametrisation.network.field.kind != "rational":
        return None
    ring, draw = exact_ring(parametrisation.network.field), random.Random(seed)
    inputs = parametrisation.network.inputs
    points: list[tuple[fmpq, ...]] = []
    rows: list[list[Any]] = []
    for _ in range(ATTEMPTS * (size + 2)):
        if len(points) == size + 2:
            break
        point = tuple(fmpq(draw.randint(-32, 32), 16) for _ in range(inputs))
        try:
            rows += rows_at(parametrisation, generator, point, ring)
        except PointOnKink:
            continue
        points.append(point)
    if not points:
        return None  # a neuron rests at its kink everywhere
    jacobian = Matrix.of((row[:-1] for row in rows), QQ, size)
    target = Matrix.of(([row[-1]] for row in rows), QQ, 1)
    outcome = decide_lift(jacobian, target)
    if isinstance(outcome, Lift):
        return None
    return point_functional(points, outcome.functional, parametrisation.network.outputs)


def point_functional(
    points: list[tuple[fmpq, ...]], functional: tuple[Any, ...], outputs: int
) -> PointObstruction:
    """Return the functional without zeros, with the points that it uses."""
    terms = [(k // outputs, k % outputs, y) for k, y in enumerate(functional) if y]
    used = sorted({point for point, _, _ in terms})
    renamed = {point: k for k, point in enumerate(used)}
    return PointObstruction(
        tuple(points[k] for k in used), tuple((renamed[k], m, y) for k, m, y in terms)
    )


def identifiability_sentence(result: LiftResult) -> str:
    """Return what exact equivariance would mean at this parameter, in words.

    At an injective J with a structural lift, J c_struct = η, so that η = 0 exactly if
    c_struct = 0: the group acts trivially on what the network sees.
    """
    structural = result.structural
    if not structural.is_present:
        return "The structural lift is not available, so exact equivariance says nothing about it."
    if structural.vanishes:
        return "The structural lift vanishes: f is exactly equivariant under the connected group."
    place = min(structural.change)
    network = result.parametrisation.network
    entry = place_name(network, place)
    value = network.field.text(structural.change[place])
    if result.is_injective:
        return (
            "J is injective here, so f would be exactly equivariant only if the structural lift "
            f"vanished; its entry {entry} is {value}, so f is not."
        )
    if result.is_injective is False:
        return "J has a kernel here, so exact equivariance does not force the structural lift to 0."
    return (
        "If J is injective here (not decided), f is exactly equivariant only where the structural "
        f"lift vanishes; its entry {entry} is {value}."
    )
