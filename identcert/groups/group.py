"""Groups by finite presentations ⟨generators | relators⟩, and the classical ones.

presentation == generators and relators; the group is the free group modulo them
Cₙ, Dₙ, Sₙ, Bₙ == cyclic, dihedral of order 2n, symmetric, hyperoctahedral group
O, Oh, T, Td == rotations and all symmetries of the cube and of the tetrahedron
"""

from __future__ import annotations

from dataclasses import dataclass

from identcert.errors import InputError
from identcert.groups.words import NAME, Word, parse_word, word_text

MAX_SIGN_FLIPS = 32


@dataclass(frozen=True, slots=True)
class Group:
    """A finitely presented group.

    Attributes
    ----------
    name : what people call it.
    generators : distinct names.
    relators : words in them that are the identity and define the group.

    Examples
    --------
    >>> Group.of("D4", "r s", "r^4", "s^2", "(r s)^2").generators
    ('r', 's')
    """

    name: str
    generators: tuple[str, ...]
    relators: tuple[Word, ...]

    def __post_init__(self) -> None:
        """Refuse repeated or ill-formed names and relators in unknown names."""
        known = set(self.generators)
        if len(known) != len(self.generators) or not all(map(NAME.fullmatch, known)):
            raise InputError(f"the generators of {self.name} are not distinct names")
        for word in self.relators:
            if not {name for name, _ in word} <= known:
                raise InputError(f"the relator {word_text(word)} names an unknown generator")

    @classmethod
    def of(cls, name: str, generators: str, *relators: str) -> Group:
        """Return the group with generators and relators spelled as words."""
        return cls(name, tuple(generators.split()), tuple(map(parse_word, relators)))


def cyclic_group(n: int, generator: str = "r") -> Group:
    """Return Cₙ = ⟨r | rⁿ⟩."""
    return Group.of(f"C{n}", generator, f"{generator}^{n}")


def dihedral_group(n: int) -> Group:
    """Return Dₙ of order 2n, ⟨r, s | rⁿ, s², (rs)²⟩."""
    return Group.of(f"D{n}", "r s", f"r^{n}", "s^2", "(r s)^2")


def product_of_cyclic_groups(m: int, n: int) -> Group:
    """Return C_m × C_n = ⟨a, b | aᵐ, bⁿ, aba⁻¹b⁻¹⟩."""
    return Group.of(f"C{m} × C{n}", "a b", f"a^{m}", f"b^{n}", "a b a^-1 b^-1")


def symmetric_group(n: int) -> Group:
    """Return Sₙ with a transposition t of neighbours and an n-cycle c, n ≥ 2.

    The relators cⁿ, t², (ct)ⁿ⁻¹, (tc⁻¹tc)³ and (tc⁻ʲtcʲ)² for 2 ≤ j ≤ n/2 are those of
    Coxeter and Moser, *Generators and Relations for Discrete Groups*, §6.2.
    """
    if n == 2:
        return Group.of("S2", "t", "t^2")
    distant = [f"(t c^-{j} t c^{j})^2" for j in range(2, n // 2 + 1)]
    braid = ["(t c^-1 t c)^3"] if n > 3 else []
    relators = [f"c^{n}", "t^2", f"(c t)^{n - 1}", *braid, *distant]
    return Group.of(f"S{n}", "c t", *relators)


def sign_flip_group(n: int) -> Group:
    """Return C₂ⁿ with one generator a coordinate."""
    if n > MAX_SIGN_FLIPS:
        fix = "write an action file for more"
        raise InputError(f"sign flips are built in up to {MAX_SIGN_FLIPS} coordinates", None, fix)
    names = [f"e{i}" for i in range(n)]
    squares = [f"{a}^2" for a in names]
    commuting = [f"{a} {b} {a} {b}" for i, a in enumerate(names) for b in names[:i]]
    return Group.of(f"C2^{n}", " ".join(names), *squares, *commuting)


def hyperoctahedral_group(n: int) -> Group:
    """Return Bₙ = C₂ⁿ ⋊ Sₙ, the signed permutations, with a sign flip e of coordinate 0.

    To the relators of Sₙ come e², (et)⁴ and that e commutes with the transpositions
    of other neighbours, as in the Coxeter group of type B.
    """
    if n == 1:
        return Group.of("B1", "e", "e^2")
    symmetric = symmetric_group(n)
    relators = [word_text(word) for word in symmetric.relators] + ["e^2", "(e t)^4"]
    for k in range(1, n - 1):
        relators.append(f"(e c^-{k} t c^{k})^2")
    return Group.of(f"B{n}", " ".join((*symmetric.generators, "e")), *relators)


CUBE_ROTATIONS = Group.of("O", "a b", "a^4", "b^3", "(a b)^2")
CUBE = Group.of("Oh", "a b i", "a^4", "b^3", "(a b)^2", "i^2", "a i a^-1 i", "b i b^-1 i")
TETRAHEDRON_ROTATIONS = Group.of("T", "a b", "a^2", "b^3", "(a b)^3")
TETRAHEDRON = Group.of("Td", "a b", "a^4", "b^3", "(a b)^2")
