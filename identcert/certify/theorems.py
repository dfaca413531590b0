"""The catalogue of identifiability theorems, as data.

theorem    == an activation class, hypotheses that are predicates, and a conclusion
pointwise  == it speaks of every network that satisfies its hypotheses: it can certify
context    == it speaks of almost all parameters, or of some: it certifies nothing
identifiable == every parameter of the same widths and activations (and with biases at
             the same layers) that computes the same function is related to this one by
             the symmetries of the activations, in exactly one way

A theorem is named for a network only if every hypothesis holds on that very network.

Source: theory of identifiability (§2–§5, §12); "to be confirmed" marks what the theory
states from memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from identcert.certify.hypotheses import Evidence, Predicate
from identcert.nets.network import Network

Status = Literal["proved", "preprint", "conjectural"]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One hypothesis of a theorem: the sentence, and the predicate that evidences it."""

    statement: str
    check: Predicate


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem of the catalogue.

    Attributes
    ----------
    key : a short name that no other theorem has.
    name, reference : what people call it, and where it stands.
    activations : the activation class, in words.
    conclusion : what follows, in words.
    status : proved (also: proved in the theory pages), preprint, or conjectural.
    concerns : whether the theorem is about networks like this one at all.
    hypotheses : the hypotheses; none for a theorem of context.
    is_context : whether it is generic, and so certifies no network.
    to_confirm : what of the statement is quoted from memory, or None.
    coq : name of a formal proof, or None.
    """

    key: str
    name: str
    reference: str
    activations: str
    conclusion: str
    status: Status
    concerns: Callable[[Network], bool]
    hypotheses: tuple[Hypothesis, ...] = ()
    is_context: bool = False
    to_confirm: str | None = None
    coq: str | None = None

    def text(self) -> str:
        """Return name, place and conclusion in one line, with the caveats."""
        caveats = [f"{self.status}, not yet reviewed"] if self.status == "preprint" else []
        caveats += ["conjectural"] if self.status == "conjectural" else []
        caveats += [f"to be confirmed: {self.to_confirm}"] if self.to_confirm else []
        tail = f" [{'; '.join(caveats)}]" if caveats else ""
        return f"{self.name} ({self.reference}): {self.conclusion}{tail}"


@dataclass(frozen=True, slots=True)
class Trial:
    """A theorem tried on one network: the evidence of each hypothesis."""

    theorem: Theorem
    evidence: tuple[Evidence, ...]

    @property
    def holds(self) -> bool:
        """Whether every hypothesis holds, so that the conclusion does."""
        return all(item.holds is True for item in self.evidence)

    @property
    def missing(self) -> tuple[str, ...]:
        """The hypotheses that fail or are not decided, with their evidence."""
        pairs = zip(self.theorem.hypotheses, self.evidence, strict=True)
        return tuple(
            f"{hypothesis.statement}: {item.text}" for hypothesis, item in pairs if not item.holds
        )


def catalogue() -> tuple[Theorem, ...]:
    """Return all theorems, pointwise ones first, in the order in which they are tried.

    Examples
    --------
    >>> [t.key for t in catalogue() if not t.is_context][:3]
    ['affine', 'sussmann', 'albertini-sontag-maillot']
    """
    from identcert.certify.theorems_context import CONTEXT
    from identcert.certify.theorems_deep import DEEP
    from identcert.certify.theorems_polynomial import POLYNOMIAL
    from identcert.certify.theorems_shallow import SHALLOW

    return (*SHALLOW, *DEEP, *POLYNOMIAL, *CONTEXT)


def try_theorem(theorem: Theorem, network: Network) -> Trial:
    """Return a theorem with the evidence of its hypotheses on a network."""
    return Trial(theorem, tuple(h.check(network) for h in theorem.hypotheses))


def try_theorems(network: Network) -> tuple[Trial, ...]:
    """Return the trials of all pointwise theorems that concern a network.

    Examples
    --------
    >>> net = Network.dense([([[1, 2]], [1], "tanh"), ([[3]], [0], "identity")])
    >>> [(trial.theorem.key, trial.holds) for trial in try_theorems(net)]
    [('sussmann', True), ('vlacic-bolcskei-2021', True), ('fefferman', False)]
    """
    return tuple(
        try_theorem(theorem, network)
        for theorem in catalogue()
        if not theorem.is_context and theorem.concerns(network)
    )


def context_theorems(network: Network) -> tuple[Theorem, ...]:
    """Return the theorems of context about networks like this one."""
    return tuple(t for t in catalogue() if t.is_context and t.concerns(network))
