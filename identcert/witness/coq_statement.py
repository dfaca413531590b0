"""The statement: ``Problem_<hash>.v``, which people read.

It depends on ``network.json`` and ``action.json`` alone, so that no witness can alter
what is claimed, and it contains nothing of why the claim is true.
"""

from __future__ import annotations

from collections.abc import Sequence

from identcert.witness.coq_numbers import AnyNumbers
from identcert.witness.coq_problem import STATEMENT, CoqLayer, Problem
from identcert.witness.coq_text import comment, imports

GLOSSARY = (
    # (what must occur in the file, what to say)
    ("Q2R", "Q2R: a rational number as a real number"),
    ("at_root", "at_root alpha c: the real number c_0 + c_1 alpha + ...; K lists such c"),
    ("at_values", "at_values: the value of a rational function at the parameters"),
    ("over ", "over d M: the matrix M / d, by its rows; over1 d b: the vector b / d"),
    ("over2 ", "over2 d M: the matrix M / d, whose entries are lists of coordinates c"),
    ("", "Layer W b s: the map x |-> s(W x + b), with s applied to every entry"),
    ("", "network v net x: the output at x; v reads the numbers of net as real numbers"),
    (" permutation ", "permutation C p: the map x |-> (x_(p_0), x_(p_1), ...)"),
    (" signed ", "signed C p s: the map x |-> (s_0 x_(p_0), s_1 x_(p_1), ...)"),
    (" dense ", "dense C M: the map x |-> M x"),
    ("shifted ", "shifted C rho c: the map x |-> rho x + c"),
    ("", "word v rho w x: rho_(w_0) (rho_(w_1) (... x)) for a list w of generators"),
    ("", "layerwise v net [rho_0; rho_1; ...]: layer i carries rho_i to rho_(i+1)"),
)


def glossary(text: str) -> str:
    """Return a comment that explains the words of the library that a file uses."""
    used = [f"  {meaning}" for word, meaning in GLOSSARY if word in text]
    title = "The words of the library; their definitions are in Network.v, Rational.v, Actions.v."
    return comment(title, *used)


def layer_text(number: int, layer: CoqLayer, numbers: AnyNumbers) -> str:
    """Return the definitions of one layer, over one common denominator."""
    entries = [*(e for row in layer.weight for e in row), *layer.bias]
    shared = numbers.shared(entries)
    weight = numbers.matrix(layer.weight, shared, "  ")
    bias = numbers.vector(layer.bias, shared)
    return (
        f"Definition W{number} : list (list {numbers.type}) :=\n  {weight}.\n"
        f"Definition b{number} : list {numbers.type} :=\n  {bias}."
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
    v, reading = numbers.value, ""
    if v != "Q2R":
        v, reading = "v", f"let v := {v.strip('()')} in\n  "
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
        f"Definition equivariant : Prop :=\n  {numbers.binders()}{reading}"
        f"forall (w : list generator) (x : list R), length x = {n}%nat ->\n"
        f"  network {v} net (word {v} rho_in w x)\n"
        f"  = word {v} rho_out w (network {v} net x).",
        comment("A stronger claim: actions on the hidden spaces make every layer equivariant."),
        f"Definition layer_by_layer : Prop :=\n  {numbers.binders()}{reading}"
        f"forall g : generator, exists hidden : list (action {numbers.type}),\n"
        f"  layerwise {v} net (rho_in g :: hidden ++ [rho_out g]).",
    ]
    parts.insert(1, glossary("\n".join(parts)))
    return "\n\n".join(parts) + "\n"
