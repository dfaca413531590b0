"""Seeded networks with actions whose verdict follows from how they were built.

Every case starts from the equations of the theory, in exact rationals: weights are averaged over a
group onto the intertwiners of chosen latent (signed) permutation representations, then disguised
by random elements of the latent groups K, spelled at random in the file format, and told apart
only by what was done to them:

==============  =======================================================  =========================
family          what was done                                            verdict
==============  =======================================================  =========================
layerwise       nothing                                                  layerwise
degenerate      dead, constant and cloned neurons, affine layers         layerwise_after_reduction
moved           one weight moved by 1e-9 or 1e-12, and a gap found       not_equivariant
mismatched      another output action, and a gap found                   not_equivariant
exception       C0, C1, C2 of ``layerwise.md`` §7, even-linear tents     end_to_end_only
deep_exception  a layer or two on top of the invariant of an exception   end_to_end_only
algebraic       square roots in the weights of a layerwise case          layerwise
parametric      symbolic weights in a layerwise polynomial case          layerwise
==============  =======================================================  =========================

``python tests/make_networks.py FOLDER --count 40 --seed 7`` writes them as files.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle

Augmented = tuple[tuple[Fraction, ...], ...]  # [[A, c], [0, 1]]
Permutation = tuple[int, ...]
Rng = random.Random

ONE, ZERO = Fraction(1), Fraction(0)

ACTIVATIONS: tuple[Any, ...] = (
    "tanh", "sigmoid", "relu", "abs", "hard_tanh", "relu6", "softplus", "silu", "gelu", "sin",
    "elu", "arctan", "erf", "x^2", "x^3", "x^2 + x", "x^3 + x", "(x+1)^3 - 1", "x^4 - 2*x^2",
    "x^3 - 3*x^2 + 1", "-x^2/2 + 3", "x^5", {"leaky_relu": "1/10"}, {"leaky_relu": "-1/2"},
)  # fmt: skip
EVEN_LINEAR: tuple[Any, ...] = ("relu", "softplus", "silu", "gelu", {"leaky_relu": "1/10"})
IDENTITIES: tuple[Any, ...] = ("identity", {"leaky_relu": "1"}, "2*x + 1", "x", "3 - x")


@dataclass(frozen=True)
class Case:
    """A network, an action, the verdict that is right, and why."""

    name: str
    network: dict[str, Any]
    action: dict[str, Any]
    verdict: str
    story: str


class Unlucky(Exception):
    """A random choice that admits no such case; another one is tried."""


# --------------------------------------------------------------------------- exact matrices


def multiply(a: Augmented, b: Augmented) -> Augmented:
    columns = list(zip(*b, strict=True))
    return tuple(
        tuple(
            sum((x * y for x, y in zip(row, column, strict=True) if x and y), ZERO)
            for column in columns
        )
        for row in a
    )


def inverse(a: Augmented) -> Augmented:
    n = len(a)
    rows = [[*row, *(ONE if i == j else ZERO for j in range(n))] for i, row in enumerate(a)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            raise Unlucky("singular")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return tuple(tuple(row[n:]) for row in rows)


def augmented(matrix: Sequence[Sequence[Fraction]], shift: Sequence[Fraction]) -> Augmented:
    rows = [(*map(Fraction, row), Fraction(c)) for row, c in zip(matrix, shift, strict=True)]
    width = len(rows[0]) - 1 if rows else 0
    return (*rows, (*(ZERO,) * width, ONE))


def identity(n: int) -> Augmented:
    return tuple(tuple(ONE if i == j else ZERO for j in range(n + 1)) for i in range(n + 1))


def monomial(
    permutation: Sequence[int], scale: Sequence[Fraction], shift: Sequence[Fraction]
) -> Augmented:
    n = len(permutation)
    rows = [
        [a if j == p else ZERO for j in range(n)] for p, a in zip(permutation, scale, strict=True)
    ]
    return augmented(rows, shift)


def size(a: Augmented) -> int:
    return len(a) - 1


# ------------------------------------------------------------------- groups and representations


@dataclass(frozen=True)
class Group:
    """A finite group by permutations, and a presentation's relators."""

    name: str
    generators: dict[str, Permutation] = field(hash=False)
    relators: tuple[str, ...]

    def elements(self) -> list[Permutation]:
        return sorted(generated(list(self.generators.values())))


GROUPS = (
    Group("C2", {"s": (1, 0)}, ("s^2",)),
    Group("C3", {"r": (1, 2, 0)}, ("r^3",)),
    Group("C4", {"r": (1, 2, 3, 0)}, ("r^4",)),
    Group("V4", {"a": (1, 0, 3, 2), "b": (2, 3, 0, 1)}, ("a^2", "b^2", "(a b)^2")),
    Group("S3", {"s": (1, 0, 2), "r": (1, 2, 0)}, ("s^2", "r^3", "(s r)^2")),
    Group("D4", {"r": (1, 2, 3, 0), "s": (0, 3, 2, 1)}, ("r^4", "s^2", "(r s)^2", "r^-4")),
)


def compose(p: Permutation, q: Permutation) -> Permutation:
    """The product for which ρ(p)ρ(q) = ρ(compose(p, q)), with (ρ(p)x)[i] = x[p[i]]."""
    return tuple(q[i] for i in p)


def generated(generators: Sequence[Permutation]) -> frozenset[Permutation]:
    start = tuple(range(len(generators[0])))
    found, front = {start}, [start]
    while front:
        front = [h for g in front for s in generators if (h := compose(g, s)) not in found]
        found |= set(front)
    return frozenset(found)


Representation = dict[Permutation, Augmented]


def extend(group: Group, images: Mapping[str, Augmented]) -> Representation:
    """The representation with the given images of the generators, checked on all products."""
    n = size(next(iter(images.values())))
    unit = tuple(range(len(next(iter(group.generators.values())))))
    table, front = {unit: identity(n)}, [unit]
    while front:
        g = front.pop()
        for name, s in group.generators.items():
            h, image = compose(g, s), multiply(table[g], images[name])
            if h not in table:
                table[h] = image
                front.append(h)
            elif table[h] != image:
                raise ValueError(f"not a representation of {group.name}")
    return table


@functools.lru_cache
def subgroups(group: Group) -> list[frozenset[Permutation]]:
    pairs = itertools.combinations_with_replacement(group.elements(), 2)
    return sorted({generated(list(pair)) for pair in pairs}, key=sorted)


@functools.lru_cache
def characters(subgroup: frozenset[Permutation]) -> list[dict[Permutation, int]]:
    """All homomorphisms to ±1."""
    members = sorted(subgroup)
    tables = (
        dict(zip(members, signs, strict=True))
        for signs in itertools.product((1, -1), repeat=len(members))
    )
    return [
        t for t in tables if all(t[compose(g, h)] == t[g] * t[h] for g in members for h in members)
    ]


def induced(
    group: Group, subgroup: frozenset[Permutation], chi: Mapping[Permutation, int]
) -> Representation:
    """The signed permutation representation induced from a character of a subgroup."""
    representatives: list[Permutation] = []
    for g in group.elements():
        if all(g not in coset(r, subgroup) for r in representatives):
            representatives.append(g)
    table = {}
    for g in group.elements():
        permutation, signs = [0] * len(representatives), [ONE] * len(representatives)
        for c, r in enumerate(representatives):
            moved = compose(g, r)
            for d, target in enumerate(representatives):
                if moved in coset(target, subgroup):
                    h = next(h for h in subgroup if compose(target, h) == moved)
                    permutation[d], signs[d] = c, Fraction(chi[h])
        table[g] = monomial(permutation, signs, [ZERO] * len(signs))
    return table


def coset(g: Permutation, subgroup: frozenset[Permutation]) -> set[Permutation]:
    return {compose(g, h) for h in subgroup}


def direct_sum(a: Augmented, b: Augmented) -> Augmented:
    m, n = size(a), size(b)
    top = [[*a[i][:m], *(ZERO,) * n] for i in range(m)]
    bottom = [[*(ZERO,) * m, *b[i][:n]] for i in range(n)]
    return augmented(top + bottom, [a[i][m] for i in range(m)] + [b[i][n] for i in range(n)])


def signed_permutations(group: Group, rng: Rng, width: int, signs: bool) -> Representation:
    """A random sum of transitive signed permutation representations, of at least the width 1."""
    table: Representation | None = None
    while table is None or (size(table[group.elements()[0]]) < width and rng.random() < 0.8):
        subgroup = rng.choice(subgroups(group))
        choices = characters(subgroup)
        chi = rng.choice(choices) if signs else dict.fromkeys(subgroup, 1)
        part = induced(group, subgroup, chi)
        table = part if table is None else {g: direct_sum(table[g], part[g]) for g in part}
    return table


def conjugate(table: Representation, t: Augmented) -> Representation:
    back = inverse(t)
    return {g: multiply(multiply(t, m), back) for g, m in table.items()}


# -------------------------------------------------------------------------- sides of an action


@dataclass(frozen=True)
class Side:
    """The action on inputs or outputs, and image spellings of its generators where it has them."""

    table: Representation
    images: dict[str, dict[str, Any]]


IMAGE_ACTIONS: dict[str, tuple[tuple[list[int], dict[str, str]], ...]] = {
    "C2": (
        ([1, 2, 2], {"s": "fliplr"}), ([2, 2, 1], {"s": "flipud"}),
        ([1, 2, 2], {"s": "transpose"}), ([1, 3, 2], {"s": "fliplr"}),
    ),
    "C4": (([1, 2, 2], {"r": "rot90"}), ([1, 3, 3], {"r": "rot90"}), ([2, 2, 2], {"r": "rot90"})),
    "V4": (
        ([1, 2, 3], {"a": "fliplr", "b": "flipud"}), ([1, 2, 2], {"a": "fliplr", "b": "flipud"}),
    ),
    "D4": (
        ([1, 2, 2], {"r": "rot90", "s": "fliplr"}), ([1, 3, 3], {"r": "rot90", "s": "transpose"}),
    ),
}  # fmt: skip

MATRICES: dict[str, dict[str, list[list[int]]]] = {
    "C2": {"s": [[0, 1], [1, 0]]},
    "C3": {"r": [[0, -1], [1, -1]]},
    "C4": {"r": [[0, -1], [1, 0]]},
    "S3": {"r": [[0, -1], [1, -1]], "s": [[0, 1], [1, 0]]},
    "D4": {"r": [[0, -1], [1, 0]], "s": [[1, 0], [0, -1]]},
}


def random_side(group: Group, rng: Rng, width: int, images: bool) -> Side:
    kind = rng.choice(("signed", "signed", "matrix", "image" if images else "signed", "negative"))
    if kind == "image" and group.name in IMAGE_ACTIONS:
        shape, transforms = rng.choice(IMAGE_ACTIONS[group.name])
        spelled = {n: {"shape": shape, "transform": t} for n, t in transforms.items()}
        table = extend(
            group, {n: permuted(oracle.image_permutation(i)) for n, i in spelled.items()}
        )
        return Side(table, spelled)
    if kind == "matrix" and group.name in MATRICES:
        chosen = {n: augmented(m, [ZERO, ZERO]) for n, m in MATRICES[group.name].items()}  # type: ignore[arg-type]
        table = extend(group, chosen)
        if rng.random() < 0.5:
            table = conjugate(table, unipotent(2, rng))
    elif kind == "negative" and group.name == "C2":
        n = rng.randint(1, width)
        minus = monomial(range(n), [-ONE] * n, [ZERO] * n)
        table = extend(group, {"s": minus})
    else:
        table = signed_permutations(group, rng, width, signs=True)
    if rng.random() < 0.2:
        n = size(next(iter(table.values())))
        move = monomial(range(n), [ONE] * n, [Fraction(rng.randint(-2, 2), 2) for _ in range(n)])
        table = conjugate(table, move)
    return Side(table, {})


def permuted(permutation: Sequence[int]) -> Augmented:
    n = len(permutation)
    return monomial(permutation, [ONE] * n, [ZERO] * n)


def unipotent(n: int, rng: Rng) -> Augmented:
    rows = [
        [ONE if i == j else Fraction(rng.randint(-1, 2)) if j > i else ZERO for j in range(n)]
        for i in range(n)
    ]
    return augmented(rows, [ZERO] * n)


# ------------------------------------------------------------------------- equivariant networks

Q = oracle.Field()
Rows = list[list[Fraction]]


@dataclass(frozen=True)
class Net:
    """A network over Q under construction: affine maps as augmented matrices, spelled σ's."""

    maps: tuple[Augmented, ...]
    sigmas: tuple[Any, ...]

    @property
    def inputs(self) -> int:
        return len(self.maps[0][0]) - 1

    def parsed(self, at: int) -> oracle.Activation:
        return oracle.Activation.parse(self.sigmas[at])

    def network(self) -> oracle.Network:
        names = [*self.sigmas, "identity"]
        layers = tuple(
            oracle.Layer(
                tuple(row[:-1] for row in m[:-1]),
                tuple(row[-1] for row in m[:-1]),
                oracle.Activation.parse(s),
            )
            for m, s in zip(self.maps, names, strict=True)
        )
        return oracle.Network(self.inputs, layers, Q)


def random_entry(rng: Rng) -> Fraction:
    return Fraction(rng.randint(-5, 5), rng.choice((1, 1, 2, 3, 4)))


def random_map(rows: int, cols: int, rng: Rng) -> Augmented:
    matrix = [[random_entry(rng) for _ in range(cols)] for _ in range(rows)]
    return augmented(matrix, [random_entry(rng) for _ in range(rows)])


def averaged(m: Augmented, before: Representation, after: Representation) -> Augmented:
    """1/|G| Σ after(g)⁻¹ ∘ m ∘ before(g), the projection onto equivariant affine maps."""
    total = [[ZERO] * len(m[0]) for _ in m]
    for g in after:
        back = tuple(sorted(range(len(g)), key=g.__getitem__))
        part = multiply(multiply(after[back], m), before[g])
        total = [
            [x + y for x, y in zip(s, t, strict=True)] for s, t in zip(total, part, strict=True)
        ]
    return tuple(tuple(x / len(after) for x in row) for row in total)


def latent(
    table: Representation, sigma: oracle.Activation
) -> tuple[Representation, Representation]:
    """A signed permutation representation as K before σ, and as R after it."""
    before, after = {}, {}
    for g, m in table.items():
        n = size(m)
        pairs = [next((j, a) for j, a in enumerate(row[:n]) if a) for row in m[:n]]
        permutation, scale = [p for p, _ in pairs], [a for _, a in pairs]
        before[g] = intertwiner(permutation, scale, sigma)
        lam, nu = zip(*(sigma.transport(a, Q) for a in scale), strict=True)
        after[g] = monomial(permutation, lam, nu)
    return before, after


def intertwiner(
    permutation: Sequence[int], scale: Sequence[Fraction], sigma: oracle.Activation
) -> Augmented:
    """K: z_i ↦ scale_i z_{permutation_i} + c(1 − scale_i)."""
    return monomial(permutation, scale, [sigma.centre * (1 - a) for a in scale])


@dataclass(frozen=True)
class Built:
    """An equivariant network with its group, the two sides and the latents that made it so."""

    group: Group
    net: Net
    inputs: Side
    outputs: Side
    latents: tuple[Representation, ...]  # K, before σ


def choose_sigmas(rng: Rng, depth: int, pool: Sequence[Any]) -> tuple[Any, ...]:
    """One σ for all hidden layers, or one for each; the degree of the whole stays below 30."""
    same = rng.random() < 0.6
    first = rng.choice(pool)
    chosen = tuple(first if same else rng.choice(pool) for _ in range(depth))
    degree = 1
    for sigma in chosen:
        degree *= max(oracle.Activation.parse(sigma).degree, 1)
    return chosen if degree <= 27 else (*chosen[:-1], "tanh")


def build(rng: Rng, pool: Sequence[Any] = ACTIVATIONS, depth: int | None = None) -> Built:
    """An equivariant network to which no rule of reduction applies."""
    for _ in range(400):
        group = rng.choice(GROUPS)
        sigmas = choose_sigmas(rng, depth or rng.choice((1, 1, 2, 2, 3)), pool)
        inputs = random_side(group, rng, 4, images=True)
        outputs = random_side(group, rng, 3, images=False)
        latents, befores = [], [inputs.table]
        for name in sigmas:
            sigma = oracle.Activation.parse(name)
            table = signed_permutations(group, rng, rng.randint(2, 6), sigma.admits(-ONE, Q))
            before, after = latent(table, sigma)
            latents.append(before)
            befores.append(after)
        afters = [*latents, outputs.table]
        maps = tuple(
            averaged(random_map(size_of(a), size_of(b), rng), b, a)
            for b, a in zip(befores, afters, strict=True)
        )
        net = Net(maps, sigmas)
        if oracle.is_reduced(net.network()):
            return Built(group, net, inputs, outputs, tuple(latents))
    raise Unlucky("no reduced network found")


def size_of(table: Representation) -> int:
    return size(next(iter(table.values())))


# ----------------------------------------------------------------------------- disguises


SCALES = [Fraction(s) for s in ("1", "2", "1/2", "3", "1/3", "5/4", "-1", "-2", "-1/2", "-3/2")]


def disguise(net: Net, rng: Rng) -> Net:
    """The same function with random elements of K between the layers."""
    maps = list(net.maps)
    for at in range(len(net.sigmas)):
        sigma, n = net.parsed(at), size(maps[at])
        permutation = rng.sample(range(n), n)
        if sigma.is_affine:
            scale, lam, nu = [ONE] * n, [ONE] * n, [ZERO] * n
            shift = [ZERO] * n
        else:
            scale = [rng.choice([a for a in SCALES if sigma.admits(a, Q)]) for _ in range(n)]
            lam, nu = map(list, zip(*(sigma.transport(a, Q) for a in scale), strict=True))
            shift = [sigma.centre * (1 - a) for a in scale]
        maps[at] = multiply(monomial(permutation, scale, shift), maps[at])
        maps[at + 1] = multiply(maps[at + 1], inverse(monomial(permutation, lam, nu)))
    return replace(net, maps=tuple(maps))


# ---------------------------------------------------------------------------- degenerations


def split(m: Augmented) -> tuple[Rows, list[Fraction]]:
    return [list(row[:-1]) for row in m[:-1]], [row[-1] for row in m[:-1]]


def with_neuron(
    net: Net, at: int, row: Sequence[Fraction], bias: Fraction, column: Sequence[Fraction]
) -> Net:
    """One more neuron at the end of hidden layer ``at``."""
    (w, b), (v, d) = split(net.maps[at]), split(net.maps[at + 1])
    maps = list(net.maps)
    maps[at] = augmented([*w, list(row)], [*b, bias])
    maps[at + 1] = augmented([[*r, c] for r, c in zip(v, column, strict=True)], d)
    return replace(net, maps=tuple(maps))


def dead_out(net: Net, at: int, rng: Rng) -> Net:
    """A neuron that nothing listens to; sometimes with a neuron below that only it hears."""
    n, m = len(net.maps[at][0]) - 1, size(net.maps[at + 1])
    net = with_neuron(net, at, [random_entry(rng) for _ in range(n)], random_entry(rng), [ZERO] * m)
    if at and rng.random() < 0.4:
        height = size(net.maps[at])
        column = [ZERO] * (height - 1) + [ONE]
        width = len(net.maps[at - 1][0]) - 1
        row = [random_entry(rng) for _ in range(width)]
        net = with_neuron(net, at - 1, row, random_entry(rng), column)
    return net


def dead_in(net: Net, at: int, rng: Rng) -> Net:
    """Two constant neurons that cancel each other."""
    n, m = len(net.maps[at][0]) - 1, size(net.maps[at + 1])
    bias, column = random_entry(rng), [random_entry(rng) for _ in range(m)]
    net = with_neuron(net, at, [ZERO] * n, bias, column)
    return with_neuron(net, at, [ZERO] * n, bias, [-c for c in column])


def clone(net: Net, at: int, rng: Rng) -> Net:
    """A neuron split in two, the second scaled by an element of K."""
    sigma = net.parsed(at)
    (w, b), (v, d) = split(net.maps[at]), split(net.maps[at + 1])
    j = rng.randrange(len(b))
    alpha = rng.choice([a for a in SCALES if sigma.admits(a, Q)])
    lam, nu = sigma.transport(alpha, Q)
    extra = [random_entry(rng) for _ in v]
    for k, u in enumerate(extra):
        v[k][j] -= lam * u
        d[k] -= nu * u
    maps = list(net.maps)
    maps[at + 1] = augmented(v, d)
    row = [alpha * x for x in w[j]]
    bias = alpha * b[j] + sigma.centre * (1 - alpha)
    return with_neuron(replace(net, maps=tuple(maps)), at, row, bias, extra)


def affine_layer(net: Net, at: int, rng: Rng) -> Net:
    """A layer of affine activation before layer ``at``, undone there."""
    name = rng.choice(IDENTITIES)
    q, p = (*oracle.Activation.parse(name).coefficients, ZERO)[:2]
    n = len(net.maps[at][0]) - 1
    inner = multiply(unipotent(n, rng), identity(n))
    passed = multiply(monomial(range(n), [p] * n, [q] * n), inner)
    maps = (*net.maps[:at], inner, multiply(net.maps[at], inverse(passed)), *net.maps[at + 1 :])
    return Net(maps, (*net.sigmas[:at], name, *net.sigmas[at:]))


def constant_neuron(built: Built, at: int, rng: Rng) -> Net:
    """A constant neuron whose column is invariant, so that the constant σ(b) is absorbed."""
    net = built.net
    n, after = len(net.maps[at][0]) - 1, [*built.latents, built.outputs.table][at + 1]
    m = size_of(after)
    vector = [random_entry(rng) for _ in range(m)]
    column = [ZERO] * m
    for rho in after.values():
        for i in range(m):
            column[i] += sum((rho[i][j] * vector[j] for j in range(m)), ZERO) / len(after)
    return with_neuron(net, at, [ZERO] * n, random_entry(rng), column)


def degenerate(net: Net, rng: Rng, steps: int) -> tuple[Net, list[str]]:
    kinds: dict[str, Callable[[Net, int, Rng], Net]] = {
        "dead_out": dead_out, "dead_in": dead_in, "clone": clone, "affine_layer": affine_layer,
    }  # fmt: skip
    done = []
    for _ in range(steps):
        kind = rng.choice(list(kinds))
        choices = [k for k in range(len(net.sigmas)) if not net.parsed(k).is_affine]
        net = kinds[kind](net, rng.choice(choices), rng)
        done.append(kind)
    return net, done


# ------------------------------------------------------------------------------- exceptions


Exception_ = tuple[Net, dict[str, Augmented], dict[str, Augmented], str]


def rational_orthogonal(n: int, rng: Rng) -> Augmented:
    """(I − S)(I + S)⁻¹ for a random skew S."""
    skew = [[ZERO] * n for _ in range(n)]
    for i, j in itertools.combinations(range(n), 2):
        skew[i][j] = Fraction(rng.randint(1, 3) * rng.choice((1, -1)), rng.randint(1, 3))
        skew[j][i] = -skew[i][j]
    unit = identity(n)
    plus = [[unit[i][j] + skew[i][j] for j in range(n)] for i in range(n)]
    minus = [[unit[i][j] - skew[i][j] for j in range(n)] for i in range(n)]
    return multiply(augmented(minus, [ZERO] * n), inverse(augmented(plus, [ZERO] * n)))


def c0(rng: Rng) -> Exception_:
    """C0: |x|² by squares, invariant under a rational rotation."""
    n = rng.randint(2, 3)
    name = rng.choice(("x^2", "x^2", "x^2 - 1", "x^2 + 2*x", "3*x^2 - x"))
    centre = oracle.Activation.parse(name).centre
    first = rational_orthogonal(n, rng) if rng.random() < 0.5 else identity(n)
    first = augmented([row[:-1] for row in first[:-1]], [centre] * n)
    last = augmented([[c] * n for c in outgoing(rng)], [random_entry(rng) for _ in range(2)])
    generators = {f"g{k}": rational_orthogonal(n, rng) for k in range(rng.randint(1, 2))}
    return Net((first, last), (name,)), generators, {g: identity(2) for g in generators}, "C0"


def outgoing(rng: Rng) -> list[Fraction]:
    return [Fraction(rng.choice((-3, -2, 1, 2, 5)), rng.choice((1, 2, 3))) for _ in range(2)]


def c1(rng: Rng) -> Exception_:
    """C1: Σ a_j σ(w_j x) with Σ a_j w_j = 0 and even-linear σ is even."""
    n, k = rng.randint(2, 3), rng.randint(3, 4)
    rows = [[random_entry(rng) for _ in range(n)] for _ in range(k - 1)]
    weights = [Fraction(rng.choice((-2, -1, 1, 2, 3)), rng.choice((1, 2))) for _ in range(k)]
    rows.append(
        [
            -sum((weights[j] * rows[j][i] for j in range(k - 1)), ZERO) / weights[-1]
            for i in range(n)
        ]
    )
    last = augmented([[c * a for a in weights] for c in outgoing(rng)], [ZERO, random_entry(rng)])
    net = Net((augmented(rows, [ZERO] * k), last), (rng.choice(EVEN_LINEAR),))
    minus = monomial(range(n), [-ONE] * n, [ZERO] * n)
    return net, {"m": minus}, {"m": identity(2)}, "C1"


def tent(rng: Rng) -> Exception_:
    """F1, F2: a symmetric bump of even-linear neurons with Σ a_j = 0, under x ↦ −x or a mirror."""
    n = rng.randint(1, 3)
    direction = [Fraction(rng.randint(1, 3)), *(Fraction(rng.randint(-2, 2)) for _ in range(n - 1))]
    places = sorted(
        {Fraction(rng.randint(1, 6), rng.randint(1, 3)) for _ in range(rng.randint(1, 2))}
    )
    heights = [Fraction(rng.choice((1, 2, -1, 3))) for _ in places]
    middle = -2 * sum(heights, ZERO)
    biases = [*places, ZERO, *(-p for p in places)]
    weights = [*heights, middle, *heights]
    if not middle:
        raise Unlucky("no middle neuron")
    first = augmented([direction] * len(biases), biases)
    last = augmented([[c * a for a in weights] for c in outgoing(rng)], [ZERO, random_entry(rng)])
    minus = monomial(range(n), [-ONE] * n, [ZERO] * n)
    net = Net((first, last), (rng.choice(EVEN_LINEAR),))
    return net, {"m": minus}, {"m": identity(2)}, "tent"


def c2(rng: Rng) -> Exception_:
    """C2: ((x²+y²)², (x²−y²)²), whose two K-classes of parameters A swaps."""
    zero = [ZERO, ZERO]
    middle = augmented([[ONE, ONE], [ONE, -ONE]], zero)
    a = augmented([[ONE, -ONE], [ONE, ONE]], zero)
    b = augmented([[Fraction(4), ZERO], [Fraction(4), Fraction(-4)]], zero)
    t, s = unipotent(2, rng), unipotent(2, rng)
    net = Net((inverse(t), middle, s), ("x^2", "x^2"))
    moved = multiply(multiply(t, a), inverse(t)), multiply(multiply(s, b), inverse(s))
    return net, {"a": moved[0]}, {"a": moved[1]}, "C2"


def on_top(exception: Exception_, rng: Rng) -> Exception_:
    """Further layers on the invariant outputs of C0, C1 or a tent."""
    net, inputs, _, story = exception
    sigmas = tuple(
        rng.choice(("tanh", "relu", "x^2", "gelu", "sigmoid")) for _ in range(rng.randint(1, 2))
    )
    maps = list(net.maps)
    for _ in sigmas:
        maps[-1] = multiply(random_map(rng.randint(2, 3), size(maps[-1]), rng), maps[-1])
        maps.append(identity(size(maps[-1])))
    maps[-1] = random_map(2, size(maps[-1]), rng)
    return (
        Net(tuple(maps), (*net.sigmas, *sigmas)),
        inputs,
        {g: identity(2) for g in inputs},
        f"{story}, deep",
    )


# -------------------------------------------------------------------------------- spelling


def spell(value: Fraction, rng: Rng) -> Any:
    """A rational as a JSON integer, number or string of the grammar."""
    choices: list[Any] = [str(value), str(value)]
    if value.denominator == 1:
        choices += [int(value), f"{value}"]
    decimal = value * 10**6
    if decimal.denominator == 1 and abs(value) < 1000:
        text = f"{int(decimal) // 10**6 if value >= 0 else -(-int(decimal) // 10**6)}"
        digits = f"{abs(int(decimal)) % 10**6:06d}".rstrip("0")
        if digits:
            sign = "-" if value < 0 and text in ("0", "-0") else ""
            choices += [f"{sign}{text}.{digits}", float(f"{sign}{text}.{digits}")]
    if rng.random() < 0.1:
        choices += [f"({value.numerator})/{value.denominator}", f"{value} + 0", f"2*({value})/2"]
    return rng.choice(choices)


def network_document(net: Net, rng: Rng, name: str) -> dict[str, Any]:
    names = [*net.sigmas, "identity"]
    layers = []
    for m, sigma in zip(net.maps, names, strict=True):
        weight, bias = split(m)
        layer: dict[str, Any] = {
            "kind": "dense",
            "weight": [[spell(x, rng) for x in row] for row in weight],
            "bias": [spell(x, rng) for x in bias],
            "activation": sigma,
        }
        if not any(bias) and rng.random() < 0.5:
            del layer["bias"]
        layers.append(layer)
    return {
        "format": "identcert.network",
        "version": 1,
        "name": name,
        "inputs": net.inputs,
        "layers": layers,
    }


def spell_map(m: Augmented, rng: Rng, image: dict[str, Any] | None = None) -> Any:
    """An affine map as trivial, permutation with signs, matrix or image, with its shift."""
    matrix, shift = split(m)
    n = size(m)
    entries = [[(j, x) for j, x in enumerate(row) if x] for row in matrix]
    is_signed = all(len(e) == 1 and abs(e[0][1]) == 1 for e in entries)
    if m == identity(n) and rng.random() < 0.7:
        return "trivial"
    spelled: dict[str, Any]
    if image is not None and rng.random() < 0.7:
        spelled = {"image": image}
    elif is_signed and rng.random() < 0.7:
        spelled = {"permutation": [e[0][0] for e in entries]}
        signs = [int(e[0][1]) for e in entries]
        if min(signs) < 0 or rng.random() < 0.2:
            spelled["signs"] = signs
    else:
        spelled = {"matrix": [[spell(x, rng) for x in row] for row in matrix]}
    if any(shift):
        spelled["shift"] = [spell(x, rng) for x in shift]
    return spelled


def action_document(
    inputs: Mapping[str, Augmented],
    outputs: Mapping[str, Augmented],
    rng: Rng,
    images: Mapping[str, dict[str, Any]] | None = None,
    group: Group | None = None,
) -> dict[str, Any]:
    document: dict[str, Any] = {"format": "identcert.action", "version": 1}
    if group and rng.random() < 0.5:
        document["group"] = group.name
    document["generators"] = {
        name: {
            "input": spell_map(inputs[name], rng, (images or {}).get(name)),
            "output": spell_map(outputs[name], rng),
        }
        for name in inputs
    }
    if group and rng.random() < 0.5:
        document["relators"] = list(group.relators)
    return document


def built_action(built: Built, rng: Rng) -> dict[str, Any]:
    inputs = {n: built.inputs.table[g] for n, g in built.group.generators.items()}
    outputs = {n: built.outputs.table[g] for n, g in built.group.generators.items()}
    return action_document(inputs, outputs, rng, built.inputs.images, built.group)


# --------------------------------------------------------------------------------- families


def layerwise_case(rng: Rng, name: str) -> Case:
    built = build(rng)
    net = disguise(built.net, rng)
    story = f"{built.group.name}, {net.sigmas}"
    return Case(
        name, network_document(net, rng, name), built_action(built, rng), "layerwise", story
    )


def degenerate_net(built: Built, rng: Rng) -> tuple[Net, list[str]]:
    done = []
    net = built.net
    if rng.random() < 0.4:
        net = constant_neuron(built, rng.randrange(len(net.sigmas)), rng)
        done.append("constant")
    net, more = degenerate(net, rng, rng.randint(0 if done else 1, 3))
    return disguise(net, rng), done + more


def degenerate_case(rng: Rng, name: str) -> Case:
    built = build(rng)
    net, done = degenerate_net(built, rng)
    story = f"{built.group.name}, {net.sigmas}, {done}"
    verdict = "layerwise_after_reduction"
    return Case(name, network_document(net, rng, name), built_action(built, rng), verdict, story)


def moved_case(rng: Rng, name: str) -> Case:
    built = build(rng)
    net = disguise(built.net, rng) if rng.random() < 0.6 else degenerate_net(built, rng)[0]
    action = built_action(built, rng)
    for _ in range(60):
        at = rng.randrange(len(net.maps))
        rows = [list(row) for row in net.maps[at]]
        i, j = rng.randrange(len(rows) - 1), rng.randrange(len(rows[0]))
        rows[i][j] += rng.choice((1, -1)) * Fraction(1, 10 ** rng.choice((9, 12)))
        maps = (*net.maps[:at], tuple(map(tuple, rows)), *net.maps[at + 1 :])
        document = network_document(replace(net, maps=maps), rng, name)
        if oracle.find_gap(oracle.read_problem(document, action), count=3):
            story = f"{built.group.name}, {net.sigmas}, layer {at} entry ({i}, {j}) moved"
            return Case(name, document, action, "not_equivariant", story)
    raise Unlucky("no weight matters")


def mismatched_case(rng: Rng, name: str) -> Case:
    built = build(rng)
    net = disguise(built.net, rng)
    document = network_document(net, rng, name)
    for _ in range(60):
        other = random_side(built.group, rng, 3, images=False)
        if size_of(other.table) != size_of(built.outputs.table):
            continue
        action = built_action(replace(built, outputs=other), rng)
        if oracle.find_gap(oracle.read_problem(document, action), count=3):
            story = f"{built.group.name}, {net.sigmas}, another output action"
            return Case(name, document, action, "not_equivariant", story)
    raise Unlucky("no other output action")


def exception_case(rng: Rng, name: str) -> Case:
    return finish_exception(rng.choice((c0, c1, c2, tent))(rng), rng, name)


def deep_exception_case(rng: Rng, name: str) -> Case:
    return finish_exception(on_top(rng.choice((c0, c1, tent))(rng), rng), rng, name)


def finish_exception(exception: Exception_, rng: Rng, name: str) -> Case:
    """The exception in disguise; that no latents exist is confirmed by exhaustion."""
    net, inputs, outputs, story = exception
    generators = {
        g: tuple(
            oracle.Affine(tuple(map(tuple, w)), tuple(b))
            for w, b in map(split, (inputs[g], outputs[g]))
        )
        for g in inputs
    }
    if not oracle.is_reduced(net.network()) or oracle.is_layerwise(net.network(), generators):  # type: ignore[arg-type]
        raise Unlucky("degenerate by chance")
    if rng.random() < 0.3:
        net, done = degenerate(net, rng, rng.randint(1, 2))
        story = f"{story}, {done}"
    net = disguise(net, rng)
    action = action_document(inputs, outputs, rng)
    return Case(
        name, network_document(net, rng, name), action, "end_to_end_only", f"{story}, {net.sigmas}"
    )


def algebraic_case(rng: Rng, name: str) -> Case:
    """A layerwise case scaled by √2 or √2 + √3 where the activation lets it pass."""
    built = build(
        rng, ("relu", "abs", "x^2", "x^3", {"leaky_relu": "1/10"}), depth=rng.choice((1, 2))
    )
    net = disguise(built.net, rng)
    document = network_document(net, rng, name)
    for at in range(len(net.sigmas)):
        alpha = rng.choice(("sqrt(2)", "sqrt(2)/2", "(1 + sqrt(2))", "sqrt(3)", "sqrt(1/2)"))
        rescale(document, at, net.parsed(at), rng, alpha)
    story = f"{built.group.name}, {net.sigmas}, square roots"
    return Case(name, document, built_action(built, rng), "layerwise", story)


def parametric_case(rng: Rng, name: str) -> Case:
    """A layerwise case with neurons scaled by symbols."""
    built = build(rng, ("abs", "x^2", "x^3", "x^2"), depth=rng.choice((1, 2)))
    polynomial = all(oracle.Activation.parse(s).name == "polynomial" for s in built.net.sigmas)
    if not polynomial:
        raise Unlucky("the sign of a parameter is unknown")
    net = disguise(built.net, rng)
    document = network_document(net, rng, name)
    document["parameters"] = ["a", "b"]
    for at in range(len(net.sigmas)):
        rescale(document, at, net.parsed(at), rng, rng.choice(("a", "b", "(a+b)", "a/b", "2*a")))
    story = f"{built.group.name}, {net.sigmas}, parameters"
    return Case(name, document, built_action(built, rng), "layerwise", story)


def rescale(
    document: dict[str, Any], at: int, sigma: oracle.Activation, rng: Rng, alpha: str
) -> None:
    """One neuron scaled by α, its outgoing column by 1/λ(α), as text."""
    layer, after = document["layers"][at], document["layers"][at + 1]
    j = rng.randrange(len(layer["weight"]))
    power = max(sigma.degree, 1)
    layer["weight"][j] = [f"({x})*({alpha})" for x in layer["weight"][j]]
    if "bias" in layer:
        layer["bias"][j] = f"({layer['bias'][j]})*({alpha})"
    for row in after["weight"]:
        row[j] = f"({row[j]})/({alpha})^{power}"


FAMILIES: dict[str, Callable[[Rng, str], Case]] = {
    "layerwise": layerwise_case,
    "degenerate": degenerate_case,
    "moved": moved_case,
    "mismatched": mismatched_case,
    "exception": exception_case,
    "deep_exception": deep_exception_case,
    "algebraic": algebraic_case,
    "parametric": parametric_case,
}


def make_case(family: str, seed: int) -> Case:
    """The case of a family that a seed determines."""
    rng = random.Random(f"{family}-{seed}")
    while True:
        try:
            return FAMILIES[family](rng, f"{family}-{seed}")
        except Unlucky:
            continue


def cases(count: int, seed: int = 0, families: Sequence[str] = tuple(FAMILIES)) -> Iterator[Case]:
    """``count`` cases, the families in turn."""
    for k in range(count):
        yield make_case(families[k % len(families)], seed + k // len(families))


def write_case(case: Case, folder: Path) -> None:
    """The three files of a case, named like the corpus of known verdicts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{case.name}.network.json").write_text(json.dumps(case.network), encoding="utf-8")
    (folder / f"{case.name}.action.json").write_text(json.dumps(case.action), encoding="utf-8")
    (folder / f"{case.name}.verdict").write_text(case.verdict + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="write networks with known verdicts")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    chosen = parser.parse_args()
    for case in cases(chosen.count, chosen.seed, chosen.families):
        write_case(case, chosen.folder)
        print(f"{case.name}: {case.verdict} ({case.story})")


if __name__ == "__main__":
    main()
