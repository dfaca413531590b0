"""The proof: the evidence of a witness, translated to a term that Coq checks.

Witness_<hash>.v contains data and one theorem.  Nothing is computed here that the
proof relies on: if the evidence is wrong, its boolean check is not ``true`` and Coq
refuses the file at ``Qed``.
"""

from __future__ import annotations

from collections.abc import Sequence

from identcert.errors import InputError, UnsupportedError
from identcert.witness.coq_activations import Activation
from identcert.witness.coq_numbers import AnyNumbers
from identcert.witness.coq_problem import (
    STATEMENT,
    Problem,
)
from identcert.witness.coq_reading import parse_index, parse_indices, parse_list
from identcert.witness.coq_refutation import refutation_parts
from identcert.witness.coq_text import broken, comment, imports, listing, naturals

LIBRARY = "Law Activations ActivationFacts Classes Latents Reduction Certificate Theorems"
FORMAL_RULES = ("polynomial", "canonical_form", "normal_form", "even_linear", "latents")
MAX_TERMS = 3_000  # of the expansion of one output


def witness_text(problem: Problem, verdict: object, evidence: object) -> str:
    """Return ``Witness_<hash>.v``: the proof that the claim holds, or that it fails.

    Raises
    ------
    InputError
        If the evidence is malformed.
    UnsupportedError
        If Coq does not cover the verdict or its rule.
    """
    if not isinstance(evidence, dict):
        raise InputError("has no evidence", "witness.json")
    match verdict:
        case "layerwise" | "layerwise_after_reduction":
            modules, parts = LIBRARY, latent_parts(problem, evidence)
        case "end_to_end_only":
            modules, parts = LIBRARY + " Formal", formal_parts(problem, evidence)
        case "not_equivariant":
            modules, parts = refutation_parts(problem, evidence)
        case "undecided":
            raise UnsupportedError("The verdict undecided claims nothing that Coq could prove.")
        case _:
            raise InputError("is not a verdict", "witness.json, verdict")
    if any(layer.activation.needs_erf for layer in problem.layers):
        modules += " Erf"
    parts.append("Print Assumptions proof.")
    if verdict == "layerwise":
        parts.append(layers_theorem(problem))
    return "\n\n".join([*heading(problem, modules), *parts]) + "\n"


def heading(problem: Problem, modules: str) -> list[str]:
    """Return the comment and the imports of a proof."""
    known = {*STATEMENT, *problem.numbers.imports}
    extra = [name for name in modules.split() if name not in known]
    return [
        comment("The proof of what the problem file of the same name states."),
        "From Coq Require Import List ZArith QArith Qreals Reals.\n"
        f"{imports(STATEMENT, problem.numbers.imports, extra)}\n"
        f"Require Import Problem_{problem.key}.\n"
        "Import ListNotations.\nLocal Open Scope Z_scope.",
    ]


def distinct(activations: Sequence[Activation]) -> tuple[list[Activation], list[int]]:
    """Return the different activations, and for each layer its place among them."""
    different = list(dict.fromkeys(activations))
    return different, [different.index(a) for a in activations]


def class_definitions(problem: Problem) -> str:
    """Return the list of classes and the class of each layer."""
    different, places = distinct([layer.activation for layer in problem.layers])
    terms = broken([a.class_term("k") for a in different])
    return (
        f"Definition classes (k : real_coefficients) : list (class (@value k)) :=\n  {terms}.\n"
        f"Definition names : list nat := {naturals(places)}."
    )


def latent_parts(problem: Problem, evidence: dict[str, object]) -> list[str]:
    """Return steps, latents and the proof by them.

    Raises
    ------
    InputError
        If the evidence is malformed.
    """
    numbers = problem.numbers
    steps, affine, collapsed = parse_steps(evidence.get("steps", []), numbers)
    hidden = len(problem.layers) - 1 - affine
    layers = parse_list(evidence.get("latents"), "latents")
    if collapsed and layers:
        raise InputError("has latents after collapse", "witness.json")
    cases = ""
    for name in problem.names():
        terms = latents_of(name, layers, hidden, collapsed, numbers)
        cases += f"\n  | g_{name} => {broken(terms, '      ')}"
    t, real = numbers.type, numbers.real
    return [
        *numbers.real_definition(),
        class_definitions(problem),
        f"Definition steps : list (step {t}) := {broken(steps)}.",
        f"Definition latents (g : generator) : list (list (nat * {t})) :=\n"
        f"  match g with{cases}\n  end.",
        "Theorem proof : equivariant.\n"
        f"Proof.\n{numbers.introduction}"
        f"refine (by_latents {real} generator net rho_in rho_out {problem.inputs}\n"
        f"  (classes {real}) names steps latents eq_refl _).\n"
        "intros []; vm_cast_no_check (eq_refl true).\nQed.",
    ]


def layers_theorem(problem: Problem) -> str:
    """Return the theorem that every layer is equivariant."""
    numbers = problem.numbers
    return (
        "Theorem layers : layer_by_layer.\n"
        f"Proof.\n{numbers.introduction}"
        f"refine (layers_by_latents {numbers.real} generator net rho_in rho_out\n"
        f"  (classes {numbers.real}) names latents eq_refl _).\n"
        "intros []; vm_cast_no_check (eq_refl true).\nQed.\n\nPrint Assumptions layers."
    )


def latents_of(
    name: str, layers: Sequence[object], hidden: int, collapsed: bool, numbers: AnyNumbers
) -> list[str]:
    """Return the Coq terms of the latents of one generator; raises InputError."""
    if collapsed:
        return ["[]"] * hidden
    terms = []
    for place, layer in enumerate(layers):
        where = f"latents[{place}].{name}"
        latent = layer.get(name) if isinstance(layer, dict) else None
        if not isinstance(latent, dict):
            raise InputError("is missing", where)
        images = parse_indices(latent.get("permutation"), where)
        scale = [
            numbers.parse(entry, where) for entry in parse_list(latent.get("scale", []), where)
        ]
        if all(numbers.is_one(entry) for entry in scale) and (
            "scale" not in latent or len(scale) == len(images)
        ):
            terms.append(f"permuting {numbers.arithmetic} {naturals(images)}")
            continue
        factors = listing(numbers.literal(entry) for entry in scale)
        terms.append(f"scaling_by {numbers.arithmetic} {naturals(images)} {factors}")
    return terms


def parse_steps(value: object, numbers: AnyNumbers) -> tuple[list[str], int, bool]:
    """Return reduction steps in Coq, how many are affine, and whether all widths become 0.

    Raises
    ------
    InputError
        If a step is malformed.
    """
    terms: list[str] = []
    affine = 0
    collapsed = False
    for place, step in enumerate(parse_list(value, "steps")):
        where = f"steps[{place}]"
        if not isinstance(step, dict) or collapsed:
            raise InputError("is not a step", where)
        match step.get("rule"):
            case "affine":
                affine += 1
                terms.append(f"Affine {parse_index(step.get('layer'), where)}")
            case "drop" | "fold" as rule:
                layer, neuron = (parse_index(step.get(key), where) for key in ("layer", "neuron"))
                terms.append(f"{rule.capitalize()} {layer} {neuron}")
            case "merge":
                places = (parse_index(step.get(key), where) for key in ("layer", "keep", "drop"))
                scale = numbers.literal(numbers.parse(step.get("scale"), where))
                terms.append(f"Merge {' '.join(map(str, places))} {scale}")
            case "collapse":
                collapsed = True
            case _:
                raise InputError("has no known rule", where)
    return terms, affine, collapsed


def formal_parts(problem: Problem, evidence: dict[str, object]) -> list[str]:
    """Return the proof that both sides have equal formal values.

    Raises
    ------
    UnsupportedError
        If the rule needs a case distinction, or the expansion is too large.
    """
    rule = evidence.get("equivariance")
    if not isinstance(rule, dict) or not isinstance(rule.get("rule"), str):
        raise InputError("is missing", "evidence.equivariance")
    if rule["rule"] == "cells":
        raise UnsupportedError(
            "The Coq export does not cover the rule cells (covers of the input space by"
            " polyhedra); identcert check verifies such evidence."
        )
    if rule["rule"] not in FORMAL_RULES:
        raise InputError("is not a rule of equivariance", "evidence.equivariance")
    if rule["rule"].endswith("_form"):
        check_kinks(problem)
    check_expansion(problem)
    numbers = problem.numbers
    return [
        comment(
            "That the reduced parameter has no latents is checked by the Python checker alone."
        ),
        *numbers.real_definition(),
        class_definitions(problem),
        f"Theorem proof : equivariant.\nProof.\n{numbers.introduction}"
        f"refine (by_formal_values {numbers.real} generator net rho_in rho_out {problem.inputs}\n"
        f"  (classes {numbers.real}) names eq_refl _).\n"
        "intros []; vm_cast_no_check (eq_refl true).\nQed.",
    ]


def check_kinks(problem: Problem) -> None:
    """Refuse normal forms in which one activation is written by another; raises UnsupportedError.

    Notes
    -----
    hard_tanh and relu6 have two kinks each, and sigmoid(z) is 1/2 + tanh(z/2)/2.
    """
    stems = {layer.activation.stem for layer in problem.layers}
    if stems & {"hard_tanh", "relu6"} or {"tanh", "logistic"} <= stems:
        raise UnsupportedError(
            "The Coq export does not cover the rule normal_form where hard_tanh, relu6 or sigmoid"
            " occur that it may have to write by other activations; identcert check does."
        )


def check_expansion(problem: Problem) -> None:
    """Refuse expansions with too many terms; raises UnsupportedError."""
    terms, degree = problem.inputs + 1, 1
    for layer in problem.layers:
        degree *= max(layer.activation.degree, 1)
    for k in range(1, degree):
        terms = terms * (problem.inputs + 1 + k) // (k + 1)
        if terms > MAX_TERMS:
            raise UnsupportedError(
                f"The Coq export expands polynomials of at most {MAX_TERMS:,} terms;"
                f" these have degree {degree} in {problem.inputs} variables."
            )
