"""Representations of finitely presented groups by affine maps, and how they compose.

representation == a homomorphism ρ: G → Aff(n), given on generators
direct sum     == the action on pairs (x, y) by (ρ(g)x, τ(g)y)
copies         == ρ ⊗ trivial: a row of channels that each carry ρ
dual           == g ↦ ρ(g⁻¹)ᵀ
regular        == G permutes a basis (e_h) by left multiplication
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from identcert.errors import InputError, NotAHomomorphism
from identcert.exact.field import QQ, Element, Field
from identcert.exact.matrix import Matrix
from identcert.groups.action import Action, ActionSource, Generator
from identcert.groups.affine import AffineMap
from identcert.groups.closure import explore
from identcert.groups.group import Group
from identcert.groups.signed import SignedPermutation
from identcert.groups.words import Word, evaluate_word, word_text

MAX_REGULAR = 10_000


@dataclass(frozen=True, slots=True)
class Representation:
    """A homomorphism ρ: G → Aff(n, F), given by the images of the generators.

    Every instance is one: a map on generators extends to G exactly when it sends
    each relator to the identity (von Dyck), and construction checks that.

    Attributes
    ----------
    group : G.
    images : ρ(g) of each generator, in the order of ``group.generators``.

    Raises
    ------
    NotAHomomorphism
        If a relator is not sent to the identity; names it.

    Examples
    --------
    >>> from identcert.groups.group import cyclic_group
    >>> turn = Representation(cyclic_group(4), (AffineMap.from_permutation([1, 0], [-1, 1]),))
    >>> turn((("r", 2),)).is_identity()
    False
    """

    group: Group
    images: tuple[AffineMap, ...]

    def __post_init__(self) -> None:
        """Check that there is one image a generator, on one space, and every relator."""
        if len(self.images) != len(self.group.generators) or not self.images:
            raise InputError(f"a representation of {self.group.name} needs one map a generator")
        if len({(g.field, g.dim) for g in self.images}) > 1:
            raise InputError("the generators act on different spaces")
        for word in self.group.relators:
            if not self(word).is_identity():
                raise NotAHomomorphism(f"the relator {word_text(word)} is not the identity")

    @property
    def field(self) -> Field:
        """The coefficient field."""
        return self.images[0].field

    @property
    def dim(self) -> int:
        """The dimension n of the space."""
        return self.images[0].dim

    def __call__(self, word: Word) -> AffineMap:
        """Return ρ of a word."""
        images = dict(zip(self.group.generators, self.images, strict=True))
        return evaluate_word(word, images, AffineMap.identity(self.dim, self.field))

    def __add__(self, other: Representation) -> Representation:
        """Return the direct sum ρ ⊕ τ."""
        return direct_sum(self, other)

    def over(self, field: Field, embed: Callable[[Element], Element]) -> Representation:
        """Return the same representation over a larger field."""
        return Representation(self.group, tuple(g.over(field, embed) for g in self.images))


def trivial(group: Group, dim: int = 1, field: Field = QQ) -> Representation:
    """Return the representation in which every group element fixes every point."""
    return Representation(group, (AffineMap.identity(dim, field),) * len(group.generators))


def character(group: Group, signs: Iterable[int]) -> Representation:
    """Return the one-dimensional representation with the given signs ±1 of the generators.

    Raises
    ------
    NotAHomomorphism
        If a relator has sign −1.
    """
    return Representation(group, tuple(AffineMap.from_permutation([0], [s]) for s in signs))


def permutation_representation(group: Group, *permutations: Iterable[int]) -> Representation:
    """Return the representation by coordinate permutations, one a generator."""
    return Representation(group, tuple(map(AffineMap.from_permutation, permutations)))


def permutation_of_points(
    rho: Representation, points: Iterable[Sequence[object]]
) -> Representation:
    """Return the permutations of a finite set of points by a representation.

    (ρ(g)y)[k] = y[j] where v_j = g⁻¹v_k, so that x ↦ (⟨x, v_k⟩)_k is equivariant
    when the maps are orthogonal.

    Raises
    ------
    InputError
        If a generator moves a point out of the set.

    Examples
    --------
    >>> from identcert.groups.group import cyclic_group
    >>> turn = Representation(cyclic_group(4), (AffineMap.from_permutation([1, 0], [-1, 1]),))
    >>> corners = permutation_of_points(turn, [(1, 1), (-1, 1), (-1, -1), (1, -1)])
    >>> corners.images[0].linear.permutation
    (3, 0, 1, 2)
    """
    places = [tuple(map(rho.field, point)) for point in points]
    number = {place: k for k, place in enumerate(places)}
    permutations = []
    for g in rho.images:
        moved = map(g.inverse().apply, places)
        permutations.append([number.get(place, -1) for place in moved])
    if any(-1 in permutation for permutation in permutations):
        raise InputError("the group moves a point out of the set")
    rational = permutation_representation(rho.group, *permutations)
    return rational if rho.field == QQ else rational.over(rho.field, rho.field)


def determinant(rho: Representation) -> Representation:
    """Return the one-dimensional representation g ↦ det ρ(g)."""
    return Representation(
        rho.group, tuple(AffineMap.from_matrix(Matrix.of([[g.det()]], g.field)) for g in rho.images)
    )


def direct_sum(*summands: Representation) -> Representation:
    """Return ρ₁ ⊕ ρ₂ ⊕ …, which acts on blocks of coordinates.

    Examples
    --------
    >>> from identcert.groups.group import cyclic_group
    >>> sign = character(cyclic_group(2), [-1])
    >>> direct_sum(sign, trivial(sign.group)).images[0].linear
    SignedPermutation(permutation=(0, 1), signs=(-1, 1))
    """
    if not summands or len({(rho.group, rho.field) for rho in summands}) > 1:
        raise InputError("a direct sum needs representations of one group over one field")
    columns = zip(*(rho.images for rho in summands), strict=True)
    return Representation(summands[0].group, tuple(map(block_sum, columns)))


def copies(rho: Representation, number: int) -> Representation:
    """Return ρ ⊗ trivial: as many channels as given, each of which carries ρ.

    Coordinates are channel first, as in a row-major array of shape (number, n).
    """
    if number < 1:
        raise InputError(f"{number} copies of a representation make no space")
    return direct_sum(*(rho,) * number)


def dual(rho: Representation) -> Representation:
    """Return the dual g ↦ ρ(g⁻¹)ᵀ of a linear representation."""
    return Representation(rho.group, tuple(g.inverse().transpose() for g in rho.images))


def tensor(rho: Representation, tau: Representation) -> Representation:
    """Return ρ ⊗ τ of two linear representations, row-major in (coordinate of ρ, of τ)."""
    if rho.group != tau.group or rho.field != tau.field:
        raise InputError("a tensor product needs representations of one group over one field")
    pairs = zip(rho.images, tau.images, strict=True)
    return Representation(rho.group, tuple(kronecker(a, b) for a, b in pairs))


def regular(faithful: Representation, limit: int = MAX_REGULAR) -> Representation:
    """Return the regular representation of the finite group that a representation generates.

    G permutes the basis (e_h) by ρ(g)e_h = e_gh, with elements numbered by the
    lengths of their shortest words; the dimension is the order of ρ(G), which is
    the order of G when ρ is faithful.

    Examples
    --------
    >>> from identcert.groups.group import cyclic_group
    >>> turn = permutation_representation(cyclic_group(3), [1, 2, 0])
    >>> regular(turn).images[0].linear.permutation
    (2, 0, 1)
    """
    found = explore(faithful.group.generators, tuple((g,) for g in faithful.images), limit)
    if found is None:
        raise InputError(f"the group has more than {limit:,} elements")
    # (ρ(g)x)[h] = x[g⁻¹h]
    inverses = (found.find(((name, -1),)) for name in faithful.group.generators)
    return permutation_representation(faithful.group, *map(found.left_translation, inverses))


def pair(
    input: Representation,
    output: Representation,
    label: str | None = None,
    source: ActionSource | None = None,
) -> Action:
    """Return the action with the given representations of one group on inputs and outputs.

    Raises
    ------
    InputError
        If they are representations of different groups or over different fields.
    """
    if input.group != output.group or input.field != output.field:
        raise InputError("inputs and outputs carry different groups, or are over different fields")
    rows = zip(input.group.generators, input.images, output.images, strict=True)
    return Action(
        label or input.group.name,
        input.field,
        tuple(Generator(*row) for row in rows),
        input.group.relators,
        source=source,
    )


def block_sum(maps: Iterable[AffineMap]) -> AffineMap:
    """Return the map that acts by one map a block of coordinates."""
    blocks = tuple(maps)
    field, shift = blocks[0].field, tuple(chain.from_iterable(g.shift for g in blocks))
    linear_parts = [g.linear for g in blocks]
    permutation: list[int] = []
    signs: list[int] = []
    for part in linear_parts:
        if not isinstance(part, SignedPermutation):
            break
        permutation.extend(p + len(signs) for p in part.permutation)
        signs.extend(part.signs)
    else:
        return AffineMap.from_permutation(permutation, signs, shift, field)
    dims = [g.dim for g in blocks]
    rows = []
    for i, g in enumerate(blocks):
        zeros = [Matrix.zeros(g.dim, dim, field) for dim in dims]
        rows.append(Matrix.hstack([*zeros[:i], g.matrix(), *zeros[i + 1 :]]))
    return AffineMap.from_matrix(Matrix.vstack(rows), shift)


def kronecker(a: AffineMap, b: AffineMap) -> AffineMap:
    """Return the map A ⊗ B of two linear maps."""
    if not (a.is_linear and b.is_linear):
        raise InputError("a tensor product needs linear maps")
    if not (isinstance(a.linear, SignedPermutation) and isinstance(b.linear, SignedPermutation)):
        return AffineMap.from_matrix(a.matrix().kron(b.matrix()))
    permutation = [p * b.dim + q for p in a.linear.permutation for q in b.linear.permutation]
    signs = [s * t for s in a.linear.signs for t in b.linear.signs]
    return AffineMap.from_permutation(permutation, signs, None, a.field)
