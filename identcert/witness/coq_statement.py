"""The statement: ``Problem_<hash>.v``, which people read.

It depends on ``network.json`` and ``action.json`` alone, so that no witness can alter
what is claimed, and it contains nothing of why the claim is true.
"""

from __future__ import annotations

from collections.abc import Sequence

from identcert.witness.coq_numbers import AnyNumbers
from identcert.witness.coq_problem import STATEMENT, CoqLayer, Problem
from identcert.witness.coq_text import comment, imports


def layer_text(number: int, layer: CoqLayer, numbers: AnyNumbers) -> str:
    """Return the definitions of one layer, over one common denominator."""
    entries = [*(e for row in layer.weight for e in row), *layer.bias]
    shared = numbers.shared(entries)
    weight = numbers.matrix(layer.weight, shared, "  ")
    bias = numbers.vector(layer.bias, shared)
    return (
        f"Definition W{number} : list (list {numbers.type}) := {weight}.\n"
        f"Definition b{number} : list {numbers.type} := {bias}."
    )


def _cases(name: str, cases: Sequence[tuple[str, str]], kind: str) -> str:
    """Return a function of the generators, by cases."""
    lines = "".join(f"\n  | g_{generator} => {term}" for generator, term in cases)
    return f"Definition {name} (g : generator) : {kind} :=\n  match g with{lines}\n  end."


def problem_text(problem: Problem) -> str:
    """Return ``Problem_<hash>.v``: what is claimed, and nothing of why it is true."""
    numbers, n = problem.numbers, problem.inputs
    activations = [layer.activation for layer in problem.layers]
    extra = (*numbers.imports, *(("Erf",) if any(a.needs_erf for a in activations) else ()))
    net = "; ".join(f"Layer W{i} b{i} {a.function}" for i, a in enumerate(activations))
    widths = " - ".join(str(w) for w in (n, *(len(layer.weight) for layer in problem.layers)))
    v = numbers.value
    parts = [
        comment(f"A network of widths {widths} and an action on its inputs and outputs."),
        "From Coq Require Import List ZArith QArith Qreals Reals.\n"
        f"{imports(STATEMENT, extra)}\n"
        "Import ListNotations.\nLocal Open Scope Z_scope.",
        *(["\n".join(numbers.preamble())] if numbers.preamble() else []),
        *(layer_text(i, layer, numbers) for i, layer in enumerate(problem.layers)),
        f"Definition net : list (layer {numbers.type} R) :=\n  [{net}].\n"
        f"Fact net_is_shaped : shaped {n} net = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        f"Inductive generator := {' | '.join('g_' + g for g in problem.names())}.",
        _cases("rho_in", [(g, t) for g, t, _ in problem.generators], f"action {numbers.type}"),
        _cases("rho_out", [(g, t) for g, _, t in problem.generators], f"action {numbers.type}"),
        comment("The claim, for all words w in the generators and all real x of the right length."),
        f"Definition equivariant : Prop :=\n  {numbers.binders()}"
        f"forall (w : list generator) (x : list R), length x = {n}%nat ->\n"
        f"  network {v} net (word {v} rho_in w x)\n"
        f"  = word {v} rho_out w (network {v} net x).",
        comment("A stronger claim: actions on the hidden spaces make every layer equivariant."),
        f"Definition layer_by_layer : Prop :=\n  {numbers.binders()}"
        f"forall g : generator, exists hidden : list (action {numbers.type}),\n"
        f"  layerwise {v} net (rho_in g :: hidden ++ [rho_out g]).",
    ]
    return "\n\n".join(parts) + "\n"
