"""The trusted checker of identcert: one file, standard library only, to be read in one sitting.

    python -I checker.py DIR [--model FILE]

reads DIR/network.json, action.json (or network2.json, a network to compare) and witness.json,
recomputes what the witness claims and prints the verified claim in words. `witness/SPEC.md`
states the formats, the words and the rules; a rule is one function here, with its name and side
condition; § names a section there. Unknown keys, rules and activations are refused; weights are
never read from the witness.

row == an affine form Σ a_k x_k + b, as {k: a_k, CONST: b} without formal zeros; an affine map is
its list of rows. bits == precision: integers (lo, hi) enclose the numbers of [lo, hi]/2^bits.
"""

from __future__ import annotations

import array
import hashlib
import itertools
import json
import math
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial, reduce
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = Any
Scalar: TypeAlias = Any  # a number of the problem: a Fraction, or an Element if not rational
Row: TypeAlias = dict[int, Scalar]
Affine: TypeAlias = list[Row]
Interval: TypeAlias = tuple[int, int]
F0, F1, CONST = Fraction(0), Fraction(1), -1

MAX_JSON_BYTES, MAX_TENSOR_BYTES = 2**26, 2**28
MAX_DIGITS, MAX_BITS = 4000, 200_000  # of a number in a file; of one that arithmetic produces
MAX_PRECISION, MAX_DEGREE, MAX_TERMS = 4096, 1000, 20_000
MAX_WEIGHTS, MAX_LAYERS, MAX_DENSE = 4_000_000, 100, 100  # MAX_DENSE: rows of an action matrix
MAX_GENERATORS, MAX_ELEMENTS, MAX_LETTERS = 100, 5000, 1000  # the group, rule G, a relator
MAX_POINTS, MAX_PRODUCTS = 200_000, 100_000_000  # of rule polynomial; MAX_POINTS also of rule F
MAX_WORK = 5_000_000  # products of numbers in maps of a group
MAX_ENCLOSING = 3 * 10**12  # cubes of bits of values of analytic activations
MAX_POWERS = 10**7  # bits of powers of parameters at a point
SPENT = [0]  # of MAX_ENCLOSING, since `check` began


class CheckError(Exception):
    """The claim is not confirmed; `exit_code` says in which way."""

    exit_code = 1


class Rejected(CheckError):
    """The evidence does not prove the claim."""


class Malformed(CheckError):
    """A file is not of the format."""


class UnsupportedVersion(CheckError):
    """A file states a version that this checker does not know."""


class NothingClaimed(CheckError):
    """The verdict is `undecided`: well formed, and claims nothing."""


class TooLarge(CheckError):
    """A limit of this checker is exceeded; nothing is said of the claim."""


Malformed.exit_code, UnsupportedVersion.exit_code, NothingClaimed.exit_code = 2, 3, 4
TooLarge.exit_code = 5


class Verified(NamedTuple):
    """A verdict that was checked, and its claim in words."""

    verdict: str
    claim: str


def prove(condition: bool, message: str) -> None:
    """Refuse evidence unless the condition holds."""
    if condition is not True:
        raise Rejected(message)


def demand(condition: bool, message: str) -> None:
    """Refuse a file unless the condition holds."""
    if condition is not True:
        raise Malformed(message)


def limit(size: int, bound: int, what: str) -> None:
    """Refuse work beyond a bound."""
    if size > bound:
        raise TooLarge(f"{what}: more than {bound}")


# ---------------------------------------------------------------- reading canonical files
def read_bytes(path: Path, bound: int) -> bytes:
    """Content of a regular file of at most `bound` bytes; symbolic links are refused."""
    try:
        demand(stat.S_ISREG(path.lstat().st_mode), f"{path.name}: not a regular file")
        with path.open("rb") as stream:
            data = stream.read(bound + 1)
    except OSError as error:
        raise Malformed(f"{path.name}: cannot be read ({error.strerror})") from error
    limit(len(data), bound, f"{path.name}: bytes")
    return data


def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return the object of these pairs, no key twice."""
    demand(len(dict(pairs)) == len(pairs), "an object has the same key twice")
    return dict(pairs)


def short(text: str) -> int:
    """Return a bare integer, which is an index, a sign or an exponent."""
    demand(len(text) <= 20, "a bare integer has more than 20 digits")
    return int(text)


def read_json(data: bytes, name: str) -> tuple[dict[str, Json], bytes]:
    """Return an object of ASCII JSON and its canonical bytes; its readers check every leaf."""
    try:
        found = json.loads(data.decode("ascii"), object_pairs_hook=unique, parse_int=short)
        text = json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n"
    except RecursionError as error:
        raise Malformed(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise Malformed(f"{name}: not ASCII JSON") from error
    demand(type(found) is dict, f"{name}: not an object")
    return found, text.encode("ascii")


def read_canonical(folder: Path, kind: str) -> tuple[dict[str, Json], str]:
    """Object and SHA-256 of the file `kind`.json of format identcert.`kind`, version 1."""
    name, wanted = f"{kind}.json", f"identcert.{kind.removesuffix('2')}"
    data = read_bytes(folder / name, MAX_JSON_BYTES)
    found, canonical = read_json(data, name)
    demand(found.get("format") == wanted, f"{name}: format is not {wanted}")
    demand(type(found.get("version")) is int, f"{name}: the version is not an integer")
    if found["version"] != 1:
        raise UnsupportedVersion(f"{name}: the version is not 1")
    demand(canonical == data, f"{name}: not in canonical form")
    return found, hashlib.sha256(data).hexdigest()


def take(value: Json, where: str, required: str, optional: str = "") -> Json:
    """Return an object that has exactly these keys, the optional ones or not."""
    demand(type(value) is dict, f"{where}: not an object")
    needed, allowed = set(required.split()), set(f"{required} {optional}".split())
    wrong = sorted((needed - value.keys()) | (value.keys() - allowed))
    demand(not wrong, f"{where}: key {''.join(wrong[:1])[:40]!r} is missing or unknown")
    return value


def take_list(value: Json, where: str, length: int | None = None) -> Json:
    """Return a list, of this length if one is given."""
    fits = type(value) is list and (length is None or len(value) == length)
    demand(fits, f"{where}: not a list" + ("" if length is None else f" of {length}"))
    return value


def take_int(value: Json, where: str, low: int, high: int) -> int:
    """Return an integer of [low, high]; `true` is none."""
    fits = type(value) is int and low <= value <= high
    demand(fits, f"{where}: not an integer of [{low}, {high}]")
    return int(value)


def take_ints(value: Json, where: str, length: int | None, low: int, high: int) -> list[int]:
    """Return a list of integers of [low, high], of this length if one is given."""
    return [take_int(k, where, low, high) for k in take_list(value, where, length)]


def take_text(value: Json, where: str, pattern: str = r"[^\x00]*") -> str:
    """Return a string that matches the pattern as a whole."""
    fits = type(value) is str and re.fullmatch(pattern, value) is not None
    demand(fits, f"{where}: not a string of the form {pattern}")
    return str(value)


def take_name(value: Json, where: str, names: Iterable[str]) -> str:
    """Return one of these names."""
    demand(type(value) is str and value in names, where)
    return str(value)


NAME = r"[A-Za-z_][A-Za-z0-9_]*"
RATIONAL = re.compile(r"(-?[1-9][0-9]*|0)(?:/([1-9][0-9]*))?")


def rational(value: Json, where: str) -> Fraction:
    """Read a rational in lowest terms: `-3/4`, `7`, `0`."""
    match = RATIONAL.fullmatch(value) if type(value) is str else None
    if match is not None:
        limit(max(len(match[1]), len(match[2] or "")), MAX_DIGITS, "digits of a number")
        n, d = int(match[1]), int(match[2] or "1")
        if match[2] is None or (d > 1 and math.gcd(n, d) == 1):
            return Fraction(n, d)
    raise Malformed(f"{where}: {str(value)[:40]!r} is not a rational in lowest terms")


def rationals(value: Json, where: str, length: int | None = None) -> list[Fraction]:
    """Read a list of rationals, of this length if one is given."""
    return [rational(x, where) for x in take_list(value, where, length)]


# ------------------------------------------------------------------ numbers of the problem

Powers: TypeAlias = tuple[tuple[int, int], ...]  # (variable, exponent > 0), variables ascending
Polynomial: TypeAlias = dict[Powers, Fraction]  # no coefficient is zero
ONE: Polynomial = {(): F1}


def poly_mul(field: Field, p: Polynomial, q: Polynomial) -> Polynomial:
    """Product of polynomials, powers of α reduced by its minimal polynomial."""
    total: Polynomial = {}
    for (e, c), (f, d) in itertools.product(p.items(), q.items()):
        powers = dict(e)
        for variable, k in f:
            powers[variable] = powers.get(variable, 0) + k
        reduced = field.alpha[powers.pop(0, 0)] if field.alpha else {0: F1}
        rest = tuple(sorted(powers.items()))
        for j, a in reduced.items():
            g = ((0, j), *rest) if j else rest
            total[g] = total.get(g, F0) + a * c * d
        limit(len(total), MAX_TERMS, "terms of a polynomial")
    return {e: c for e, c in total.items() if c}


class Element:
    """num/den in α or parameters, and atoms (den: parameters only); `==`, `bool` formal (§3)."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, field: Field, num: Polynomial, den: Polynomial = ONE) -> None:
        self.field, self.num, self.den = field, num, den

    def lift(self, x: Scalar) -> Element:
        """Return a number as an Element."""
        return x if isinstance(x, Element) else Element(self.field, {(): F1 * x} if x else {})

    def over(self, den: Polynomial) -> Polynomial:
        """Return the numerator over self.den·den, or over den if the two are equal."""
        return self.num if self.den == den else poly_mul(self.field, self.num, den)

    def __add__(self, other: Scalar) -> Element:
        o, f = self.lift(other), self.field
        p, q = self.over(o.den), o.over(self.den)
        total = {e: p.get(e, F0) + q.get(e, F0) for e in p | q}
        den = o.den if self.den == o.den else poly_mul(f, self.den, o.den)
        return Element(f, {e: c for e, c in total.items() if c}, den)

    def __mul__(self, other: Scalar) -> Element:
        o, f = self.lift(other), self.field
        den = ONE if self.den is ONE and o.den is ONE else poly_mul(f, self.den, o.den)
        return Element(f, poly_mul(f, self.num, o.num), den)

    def __sub__(self, other: Scalar) -> Element:
        return self + self.lift(other) * -1

    def __rsub__(self, other: Scalar) -> Element:
        return (self * -1).__add__(other)

    def __eq__(self, other: object) -> bool:
        o = self.lift(other)
        return self.over(o.den) == o.over(self.den)

    def __bool__(self) -> bool:
        return bool(self.num)

    __radd__, __rmul__ = __add__, __mul__


def as_rational(x: Scalar) -> Fraction | None:
    """Return x as a Fraction if it is one formally, else None."""
    if isinstance(x, Fraction):
        return x
    c = next(iter(x.num.values()), F0) / next(iter(x.den.values()))
    return c if x.num == {e: c * d for e, d in x.den.items() if c} else None


def sign_of(x: Fraction | int) -> int:
    """−1, 0 or 1."""
    return (x > 0) - (x < 0)


def horner(coefficients: Sequence[Fraction], x: Scalar) -> Scalar:
    """Value of a polynomial with ascending coefficients."""
    value: Scalar = F0
    for c in reversed(coefficients):
        value = value * x + c
    return value


def sturm_chain(p: list[Fraction]) -> list[list[Fraction]]:
    """p, p′ and the negated remainders; the last one is a greatest common divisor of p, p′."""
    chain = [p, [k * c for k, c in enumerate(p)][1:]]
    while chain[-1]:
        remainder, divisor = list(chain[-2]), chain[-1]
        while len(remainder) >= len(divisor):
            factor, offset = remainder.pop() / divisor[-1], len(remainder) - len(divisor) + 1
            for k, c in enumerate(divisor[:-1]):
                remainder[offset + k] -= factor * c
        while remainder and not remainder[-1]:
            remainder.pop()
        chain.append([-c for c in remainder])
    return chain[:-1]


class Field:
    """Q, Q(α) or Q(a, …), and its atoms. Variables: α is 0, or parameters 0, 1, …; then atoms."""

    def __init__(self, value: Json, point: Sequence[Fraction] = ()) -> None:
        self.point = point  # if given, numbers are read as their values at these parameters
        self.spent = 0  # of MAX_POWERS
        self.kind = value.get("kind") if type(value) is dict else None
        kinds = {"rational": "", "algebraic": "minpoly root symbol", "parametric": "names"}
        demand(self.kind in [*kinds], "field: unknown kind")
        self.alpha: list[dict[int, Fraction]] = []  # coordinates of α^k, k ≤ 2·degree − 2
        self.atoms: list[tuple[Activation, Scalar]] = []
        self.enclosures: dict[tuple[int, int], Interval] = {}
        take(value, "field", f"kind {kinds[str(self.kind)]}")
        names = take_list(value.get("names", [value.get("symbol", "t")]), "field: names")
        self.names = [take_text(name, "field: names", NAME) for name in names]
        demand(0 < len(names) == len(set(names)) <= 100, "field: not 1 to 100 different names")
        if self.kind == "algebraic":
            self.read_root(value)

    def read_root(self, value: Json) -> None:
        """Read α: minpoly monic, squarefree, of degree 2 to 16; just one root in (low, high)."""
        p = rationals(value["minpoly"], "field: minpoly")
        low, high = rationals(value["root"], "field: root", 2)
        demand(3 <= len(p) <= 17 and p[-1] == 1, "field: minpoly is not monic of degree 2 to 16")
        chain = sturm_chain(p)
        demand(len(chain[-1]) == 1, "field: minpoly is not squarefree")
        demand(low < high and horner(p, low) * horner(p, high) < 0, "field: no sign change on root")
        signs = [[s for q in chain if (s := sign_of(horner(q, x)))] for x in (low, high)]
        changes = [sum(s != t for s, t in itertools.pairwise(found)) for found in signs]
        demand(changes[0] - changes[1] == 1, "field: root does not isolate one root of minpoly")
        self.minpoly, self.low, self.high, power = p, low, high, [F1] + [F0] * (len(p) - 2)
        for _ in range(2 * len(p) - 3):
            self.alpha.append({j: c for j, c in enumerate(power) if c})
            power = [a - power[-1] * c for a, c in zip([F0, *power], p, strict=True)][:-1]

    def read(self, value: Json, where: str) -> Scalar:
        """Read a number: a rational, coordinates over 1, α, …, or {"den":P,"num":P}."""
        if self.kind == "rational":
            return rational(value, where)
        if self.kind == "algebraic":
            stated = rationals(value, where, len(self.minpoly) - 1)
            found = Element(self, {((0, k),) if k else (): c for k, c in enumerate(stated) if c})
        else:
            take(value, where, "den num")
            num, den = (self.read_polynomial(value[side], where) for side in ("num", "den"))
            demand(den != {}, f"{where}: a denominator is zero")
            if self.point:
                prove(self.value_at(den) != 0, "a denominator vanishes at the stated parameters")
                return self.value_at(num) / self.value_at(den)
            found = Element(self, num, ONE if den == ONE else den)
        return found if (constant := as_rational(found)) is None else constant

    def value_at(self, p: Polynomial) -> Fraction:
        """Value of a polynomial in the parameters at the point."""
        sizes = [max(map(int.bit_length, x.as_integer_ratio())) for x in self.point]
        self.spent += sum(sizes[v] * k for e in p for v, k in e)
        limit(self.spent, MAX_POWERS, "bits of powers of parameters")
        return sum((c * math.prod(self.point[v] ** k for v, k in e) for e, c in p.items()), F0)

    def read_polynomial(self, value: Json, where: str) -> Polynomial:
        """Read terms [exponents, coefficient], ascending, no coefficient zero."""
        terms: dict[tuple[int, ...], Fraction] = {}
        for term in take_list(value, where):
            exponents, c = take_list(term, where, 2)
            e = tuple(take_ints(exponents, where, len(self.names), 0, MAX_DEGREE))
            demand(e > next(reversed(terms), ()), f"{where}: terms of a polynomial do not ascend")
            terms[e] = rational(c, where)
            demand(terms[e] != 0, f"{where}: a polynomial has a zero coefficient")
        return {tuple((v, k) for v, k in enumerate(e) if k): c for e, c in terms.items()}

    def has_atoms(self, x: Scalar) -> bool:
        """Whether an atom stands in x."""
        return isinstance(x, Element) and any(v >= len(self.names) for e in x.num for v, _ in e)

    def sign(self, x: Scalar) -> int:
        """Return the certified sign of x; over parameters only constants have one."""
        if (known := as_rational(x)) is not None:
            return sign_of(known)
        for bits in (64, 256, 1024, MAX_PRECISION):
            lo, hi = self.enclose(x, bits)
            if lo > 0 or hi < 0:
                return sign_of(lo)
        raise Rejected("a number is not certified to differ from 0")

    def inverse(self, x: Scalar) -> tuple[Scalar, Scalar]:
        """Return (1/u, u) for u = |x|; over parameters or with atoms for a rational u > 0."""
        if (u := as_rational(x)) is None and (self.kind != "algebraic" or self.has_atoms(x)):
            u = x.num[min(x.num)]
        if u is not None:
            return 1 / abs(u), abs(u)
        x = x * self.sign(x)
        powers: list[Powers] = [((0, k),) if k else () for k in range(len(self.minpoly) - 1)]
        columns = [(x * Element(self, {e: F1})).num for e in powers]  # multiplication by x
        rows = [{k: p[e] for k, p in enumerate(columns) if e in p} for e in powers]
        solved = zip(powers, rational_inverse(rows, "field"), strict=True)
        return Element(self, {e: row[0] for e, row in solved if 0 in row}), x

    def differs(self, x: Scalar) -> bool:
        """Whether x ≠ 0, certified either way; over parameters as a rational function."""
        generic = self.kind == "parametric" and not self.has_atoms(x)
        return bool(x) if generic else self.sign(x) != 0

    def any_differs(self, numbers: Iterable[Scalar]) -> bool:
        """Whether one of the numbers is certified to differ from 0."""
        return any(map(self.differs, numbers))

    def enclose(self, x: Scalar, bits: int) -> Interval:
        """Return an interval that contains x."""
        if isinstance(x, Fraction):
            return times_rational(x, (1 << bits, 1 << bits))
        prove(x.den == ONE, "a sign or an inequality depends on the parameters")
        lo = hi = 0
        for e, c in x.num.items():
            power = (1 << bits, 1 << bits)
            for variable in (v for v, k in e for _ in range(k)):
                power = times(power, self.enclose_variable(variable, bits), bits)
            bottom, top = times_rational(c, power)
            lo, hi = lo + bottom, hi + top
        return lo, hi

    def enclose_variable(self, variable: int, bits: int) -> Interval:
        """Enclose α (bisection on the grid of 2^−bits) or an atom."""
        if (variable, bits) in self.enclosures:
            return self.enclosures[variable, bits]
        if variable >= len(self.names):
            sigma, argument = self.atoms[variable - len(self.names)]
            lo, hi = enclose_activation(sigma, self.enclose(argument, bits), bits)
        else:
            prove(self.kind == "algebraic", "a sign or an inequality depends on the parameters")
            below = sign_of(horner(self.minpoly, self.low))
            lo, hi = math.floor(self.low * 2**bits), math.ceil(self.high * 2**bits)
            while hi - lo > 1:
                x = Fraction(middle := (lo + hi) // 2, 2**bits)
                left = x < self.high and sign_of(horner(self.minpoly, x)) in (below, 0)
                lo, hi = (middle, hi) if x <= self.low or left else (lo, middle)
        self.enclosures[variable, bits] = lo, hi
        return lo, hi

    def atom(self, sigma: Activation, b: Scalar) -> Scalar:
        """σ(b) as a formal number; equal for formally equal b, reflected for opposite b."""
        for i, (other, known) in enumerate(self.atoms, len(self.names)):
            if other == sigma:
                variable = Element(self, {((i, 1),): F1})
                if b == known:
                    return variable
                if sigma.reflection is not None and b == -1 * known:
                    s, t, u = sigma.reflection
                    return s * variable + t * known + u
        limit(len(self.atoms), MAX_TERMS, "atoms")
        self.atoms.append((sigma, b))
        return self.atom(sigma, b)


def integers(values: Iterable[Scalar]) -> tuple[list[int], int] | None:
    """Return integers n_i and one d > 0 with x_i = n_i/d if all x_i are rational."""
    values = list(values)
    if not all(type(x) is Fraction for x in values):
        return None
    d = 1
    for x in values:
        if d % x.denominator:
            d = math.lcm(d, x.denominator)
            limit(d.bit_length(), MAX_BITS, "bits of a denominator")
    numerators = [x.numerator * (d // x.denominator) for x in values]
    limit(max(map(int.bit_length, (d, *numerators))), MAX_BITS, "bits of a number")
    return numerators, d


# ------------------------------------------------------------------- rows and affine maps
def combine(*terms: tuple[Scalar, Row]) -> Row:
    """Σ a·row, without formal zeros."""
    total: Row = {}
    for a, row in terms:
        for k, b in row.items():
            x = b if a is F1 else a if b is F1 else a * b
            total[k] = total[k] + x if k in total else x
    return {k: x for k, x in total.items() if x}


def difference(row: Row, other: Row) -> Row:
    """Return the difference of two rows."""
    return combine((F1, row), (-F1, other))


def shifted(row: Row, c: Scalar) -> Row:
    """Return row + c."""
    return combine((F1, row), (F1, {CONST: c}))


def compose(outer: Affine, inner: Affine) -> Affine:
    """Return the affine map outer∘inner."""
    lines = [*inner, {CONST: F1}]  # CONST is the index of the last entry
    return [combine(*((a, lines[k]) for k, a in row.items())) for row in outer]


def work(outer: Affine, inner: Affine) -> int:
    """Return the number of products in outer∘inner."""
    sizes = [len(row) for row in inner]
    return sum(1 if k == CONST else sizes[k] for row in outer for k in row)


def as_rows(matrix: Matrix, constants: Sequence[Scalar]) -> Affine:
    """Rows of x ↦ Ax + b."""
    pairs = zip(matrix, constants, strict=True)
    return [{k: a for k, a in enumerate((b, *row), CONST) if a} for row, b in pairs]


def identity(n: int) -> Affine:
    """Return the identity of an n-dimensional space."""
    return [{k: F1} for k in range(n)]


def apply(rho: Affine, x: Sequence[Scalar]) -> list[Scalar]:
    """ρ(x)."""
    point = [*x, F1]  # CONST is the index of the last entry
    return [sum((a * point[k] for k, a in row.items()), F0) for row in rho]


def linear(row: Row) -> list[Scalar]:
    """Return the non-zero weights of a row, by ascending index."""
    return [row[k] for k in sorted(row) if k != CONST]


def row_key(row: Row) -> Hashable:
    """Return a key of a row; equal keys mean formally equal rows."""
    known = ((k, as_rational(x), x) for k, x in row.items())
    parts = ((k, c, () if c is not None else (x.num.items(), x.den.items())) for k, c, x in known)
    return frozenset((k, c, *map(frozenset, pair)) for k, c, pair in parts)


def map_key(rho: Affine) -> Hashable:
    """Return a key, equal exactly for formally equal maps; no denominators in parameters."""
    for x in (x for row in rho for x in row.values()):
        if isinstance(x, Element) and x.den != ONE and as_rational(x) is None:
            raise TooLarge("given: a group of maps with denominators in the parameters")
    return tuple(map(row_key, rho))


# --------------------------------------------------------------- enclosures by integers
def outward(interval: Interval, drop: int) -> Interval:
    """Round outward to `drop` bits less."""
    return interval[0] >> drop, -(-interval[1] >> drop)


def times(x: Interval, y: Interval, bits: int) -> Interval:
    """Enclose the product."""
    corners = (x[0] * y[0], x[0] * y[1], x[1] * y[0], x[1] * y[1])
    return outward((min(corners), max(corners)), bits)


def times_rational(c: Fraction, x: Interval) -> Interval:
    """Enclose the multiple by an exact rational."""
    lo, hi = sorted((c.numerator * x[0], c.numerator * x[1]))
    return lo // c.denominator, -(-hi // c.denominator)


def odd(z: int, x: Interval) -> Interval:
    """Enclosure for z of an odd function, from the one for |z|."""
    return x if z >= 0 else (-x[1], -x[0])


def quotient(n: int, d: int) -> Interval:
    """Enclose n/d, d > 0, by integers."""
    return n // d, -(-n // d)


def series(first: Interval, ratio: Callable[[int], tuple[int, int]]) -> Interval:
    """Enclose Σ t_n, t_0 in `first` ≥ 0, t_n = t_{n−1}·ratio(n) ≥ 0, falling or ≤ 1/2 (§7)."""
    (low, high), (total_low, total_high) = first, first
    for n in itertools.count(1):
        p, q = ratio(n)
        low, high = low * p // q, -(-high * p // q)
        total_low, total_high = total_low + low, total_high + high
        if high <= 1 and 2 * p <= q:
            break
    return total_low, total_high + 1


def exp_negative(z: int, bits: int) -> Interval:
    """Enclose e^−t for t = z/2^bits ≥ 0: series at t/2^k, reciprocal, k squarings (§7)."""
    if z >> bits >= bits:
        return 0, 1
    k = (z >> bits).bit_length() + 1 + math.isqrt(bits) // 2
    work = bits + 2 * k + 8
    lo, hi = series((1 << work, 1 << work), lambda n: (z, n << bits + k))
    lo, hi = (1 << 2 * work) // hi, -(-(1 << 2 * work) // lo)
    for _ in range(k):
        lo, hi = outward((lo * lo, hi * hi), work)
    return outward((lo, hi), work - bits)


def tanh(z: int, bits: int) -> Interval:
    """Enclose tanh t = (1−e)/(1+e), e = e^−2t, decreasing in e, for t ≥ 0."""
    work, one = bits + 4, 1 << bits + 4
    lo, hi = exp_negative(abs(z) << 5, work)
    x = ((one - hi) << work) // (one + hi), -(-((one - lo) << work) // (one + lo))
    return odd(z, outward(x, 4))


def sigmoid(z: int, bits: int) -> Interval:
    """Enclose 1/(1 + e^−t) = (1 + tanh(t/2))/2; t/2 is the integer z at bits + 1."""
    lo, hi = tanh(z, bits + 1)
    return outward(((2 << bits) + lo, (2 << bits) + hi), 2)


def gated(z: int, bits: int, y: Interval) -> Interval:
    """Enclose t(1 + y)/2, y = tanh(t/2) or erf(t/√2) at bits + 16 (§7)."""
    if abs(z) >> bits >= 2 * bits:
        return max(z, 0) - 1, max(z, 0) + 1
    return times((z, z), ((1 << bits + 16) + y[0], (1 << bits + 16) + y[1]), bits + 17)


def softplus(z: int, bits: int) -> Interval:
    """Enclose log(1 + e^t) = max(t, 0) + 2·artanh(u/(2 + u)), u = e^−|t| (§7)."""
    work = bits + 8
    u, upper = exp_negative(abs(z) << 8, work)
    d = (2 << work) + u
    first = quotient(2 * u << work, d)
    lo, hi = series(first, lambda n: (u * u * (2 * n - 1), d * d * (2 * n + 1)))
    lo, hi = outward((lo, hi + upper - u), 8)
    return max(z, 0) + lo, max(z, 0) + hi


def elu(z: int, bits: int) -> Interval:
    """Enclose t for t ≥ 0, e^t − 1 below."""
    lo, hi = exp_negative(max(-z, 0), bits)
    return (z, z) if z >= 0 else (lo - (1 << bits), hi - (1 << bits))


def arctan_fraction(p: int, q: int, bits: int) -> Interval:
    """Enclose arctan(p/q), 0 ≤ p ≤ q, by Euler's series of ratio ≤ 1/2 (§7)."""
    s = p * p + q * q
    return series(quotient(p * q << bits, s), lambda n: (p * p * 2 * n, s * (2 * n + 1)))


@lru_cache(maxsize=64)
def pi(bits: int) -> Interval:
    """Enclose π = 16·arctan(1/5) − 4·arctan(1/239) (Machin)."""
    a, b = arctan_fraction(1, 5, bits + 20), arctan_fraction(1, 239, bits + 20)
    return outward((16 * a[0] - 4 * b[1], 16 * a[1] - 4 * b[0]), 20)


def arctan(z: int, bits: int) -> Interval:
    """Enclose arctan t; for t > 1 it is π/2 − arctan(1/t), π/2 being π at one bit less."""
    a, one = abs(z), 1 << bits
    lo, hi = arctan_fraction(min(a, one), max(a, one), bits + 8)
    if a > one:
        lo, hi = pi(bits + 7)[0] - hi, pi(bits + 7)[1] - lo
    return odd(z, outward((lo, hi), 8))


def sin(z: int, bits: int) -> Interval:
    """Enclose sin t, reduced by multiples of 2π; [−1, 1] when t has more than 5,000 bits (§7)."""
    size = (abs(z) >> bits).bit_length()
    if size > 5_000:
        return -1 << bits, 1 << bits
    work = bits + size + 16
    low, high = pi(work)
    n = ((z << work - bits) + low) // (2 * low)
    s, slack = (z << work - bits) - 2 * n * low, 2 * abs(n) * (high - low)
    a, four, scale = abs(s), s**4, 4 * work
    cube = a**3 // (6 << 2 * work)
    plus = series((a, a), lambda n: (four, math.prod(range(4 * n - 2, 4 * n + 2)) << scale))
    minus = series((cube, cube + 1), lambda n: (four, math.prod(range(4 * n, 4 * n + 4)) << scale))
    lo, hi = odd(s, (plus[0] - minus[1], plus[1] - minus[0]))
    return outward((lo - slack, hi + slack), work - bits)


def erf_root(z: int, m: int, bits: int) -> Interval:
    """Enclose erf(t/√m), m = 1 or 2, by 2/√(πm)·e^−y²·t·Σ (2y²)^n/(2n+1)!!, y² = t²/m (§7)."""
    a, one = abs(z), 1 << bits
    if a * a >= (m * bits) << 2 * bits:
        return odd(z, (one - 1, one))
    grow = (a * a // m >> 2 * bits) + 1
    work = -(-(2 * bits + 2 * grow + 16) // 64) * 64
    decay, first = exp_negative(a * a << work - 2 * bits - (m - 1), work), a << work - bits
    total = series((first, first), lambda n: (2 * a * a, m * (2 * n + 1) << 2 * bits))
    low, high = ((4 << 3 * work) // (m * x) for x in reversed(pi(work)))
    factor = math.isqrt(low), math.isqrt(high) + 1  # of 2/√(πm) = √(4/(πm))
    lo, hi = outward(times(times(decay, total, work), factor, work), work - bits)
    return odd(z, (lo, min(hi, one)))


# -------------------------------------------------------------------------- activations
class Activation(NamedTuple):
    """σ, its group K(σ) and how it is evaluated: the table of §7.

    group: which α are admitted: affine (none: σ is folded by rule affine), one, sign (±1),
    positive, nonzero. minus: (λ, ν) of α = −1 in the group sign. reflection: (s, t, u) with
    σ(−z) = sσ(z) + tz + u. enclosure: of σ at a point, `slope` ≥ |σ′|. pieces: (slope, intercept)
    between the kinks. coefficients: of a polynomial, ascending.
    """

    name: str
    group: str
    minus: tuple[int | Fraction, int | Fraction] = (0, 0)
    reflection: tuple[int, int | Fraction, int] | None = None
    at_zero: Fraction | None = None
    enclosure: Callable[[int, int], Interval] | None = None
    slope: int = 1
    centre: Fraction = F0
    kinks: tuple[int, ...] = ()
    pieces: tuple[tuple[int | Fraction, int], ...] = ()
    coefficients: tuple[Fraction, ...] = ()


ODD, EVEN_LINEAR, HALF = (-1, 0, 0), (1, -1, 0), Fraction(1, 2)
CLAMP, TO_SIX = ((0, -1), (1, 0), (0, 1)), ((0, 0), (1, 0), (0, 6))


def silu(z: int, bits: int) -> Interval:
    """Enclose t·sigmoid t = t(1 + tanh(t/2))/2."""
    return gated(z, bits, tanh(z << 15, bits + 16))


def gelu(z: int, bits: int) -> Interval:
    """Enclose t(1 + erf(t/√2))/2."""
    return gated(z, bits, erf_root(z << 16, 2, bits + 16))


TABLE = (
    Activation("identity", "affine", coefficients=(F0, F1)),
    Activation("tanh", "sign", (-1, 0), ODD, F0, tanh),
    Activation("arctan", "sign", (-1, 0), ODD, F0, arctan),
    Activation("erf", "sign", (-1, 0), ODD, F0, lambda z, bits: erf_root(z, 1, bits), 2),
    Activation("sin", "sign", (-1, 0), ODD, F0, sin),
    Activation("sigmoid", "sign", (-1, 1), (-1, 0, 1), HALF, sigmoid),
    Activation("softplus", "one", (0, 0), EVEN_LINEAR, None, softplus),
    Activation("silu", "one", (0, 0), EVEN_LINEAR, F0, silu, 2),
    Activation("gelu", "one", (0, 0), EVEN_LINEAR, F0, gelu, 2),
    Activation("elu", "one", enclosure=elu, kinks=(0,)),
    Activation("relu", "positive", (0, 0), EVEN_LINEAR, kinks=(0,), pieces=((0, 0), (1, 0))),
    Activation("abs", "nonzero", (0, 0), (1, 0, 0), kinks=(0,), pieces=((-1, 0), (1, 0))),
    Activation("hard_tanh", "sign", (-1, 0), ODD, kinks=(-1, 1), pieces=CLAMP),
    Activation("relu6", "sign", (-1, 6), centre=3 * F1, kinks=(0, 6), pieces=TO_SIX),
)
ACTIVATIONS = {sigma.name: sigma for sigma in TABLE}


def polynomial(coefficients: Sequence[Fraction]) -> Activation:
    """σ of degree r with centre c = −a_{r−1}/(r·a_r) and σ(z) = Σ p_k (z−c)^k, and its K (§7)."""
    p, r, name = list(coefficients), len(coefficients) - 1, ",".join(map(str, coefficients))
    demand(r == 0 or (r > 0 and p[r] != 0), "activation: the leading coefficient is zero")
    demand(p != [F0, F1], "activation: the identity is spelled identity")
    limit(r, MAX_DEGREE, "degree of an activation")
    if r <= 1:
        return Activation(name, "affine", coefficients=tuple(coefficients))
    centre, s = -p[r - 1] / (r * p[r]), (-1) ** r
    for k in range(r if centre else 0):  # Taylor shift
        for j in range(r - 1, k - 1, -1):
            p[j] += centre * p[j + 1]
    one_parity = len({k % 2 for k in range(1, r + 1) if p[k]}) == 1
    group = "nonzero" if not any(p[1:r]) else "sign" if one_parity else "one"
    minus, found = (s, p[0] * (1 - s)), tuple(coefficients)
    reflection = None if any(found[::2]) else ODD
    return Activation(name, group, minus, reflection, centre=centre, coefficients=found)


def read_activation(value: Json, where: str) -> Activation:
    """Read a name, {"leaky_relu":s} or {"polynomial":[c0,…]}."""
    if type(value) is str and value in ACTIVATIONS:
        return ACTIVATIONS[value]
    if type(value) is dict and value.keys() == {"leaky_relu"}:
        s = rational(value["leaky_relu"], where)
        demand(s not in (0, 1, -1), f"{where}: this leaky_relu is relu, identity or abs")
        return ACTIVATIONS["relu"]._replace(reflection=(1, -1 - s, 0), pieces=((s, 0), (1, 0)))
    demand(type(value) is dict and value.keys() == {"polynomial"}, f"{where}: unknown activation")
    return polynomial(rationals(value["polynomial"], where))


def transport(field: Field, sigma: Activation, alpha: Scalar) -> tuple[Scalar, Scalar]:
    """(λ, ν) with σ(αz + c(1−α)) = λσ(z) + ν for all z; refused unless σ admits α."""
    if sigma.group != "affine" and alpha == F1:
        return F1, F0
    if sigma.group == "sign" and alpha == -F1:
        return Fraction(sigma.minus[0]), Fraction(sigma.minus[1])
    if sigma.group == "positive" and field.sign(alpha) > 0:
        return alpha, F0
    prove(sigma.group == "nonzero" and field.differs(alpha), "the activation admits no such scale")
    if sigma.pieces:
        return alpha * field.sign(alpha), F0
    power = math.prod([alpha] * (len(sigma.coefficients) - 1), start=F1)
    return power, horner(sigma.coefficients, sigma.centre) * (1 - power)


def image(field: Field, sigma: Activation, x: Scalar) -> Scalar:
    """σ(x): evaluated where a rule does so, else an atom; sigmoid(x) is 1/2 + tanh(x/2)/2 (§7)."""
    if sigma.name == "sigmoid":
        return image(field, ACTIVATIONS["tanh"], x * HALF) * HALF + HALF
    if sigma.coefficients and not field.has_atoms(x):
        size = x.denominator.bit_length() if isinstance(x, Fraction) else 0
        limit(len(sigma.coefficients) * size, MAX_BITS, "bits of a power")
        return horner(sigma.coefficients, x)
    with suppress(Rejected):  # if a sign is not certified
        above = sum(field.sign(x - kink) >= 0 for kink in sigma.kinks)
        if sigma.pieces or above:
            slope, intercept = sigma.pieces[above] if sigma.pieces else (1, 0)
            return slope * x + intercept
    if not x and sigma.at_zero is not None:
        return sigma.at_zero
    if isinstance(x, Element) and field.has_atoms(x) and sigma.group in ("nonzero", "positive"):
        moved = x - sigma.centre  # a rational multiple of it has the same atom
        alpha = moved.num[min(moved.num)]
        alpha = alpha if sigma.group == "nonzero" else abs(alpha)
        factor, constant = transport(field, sigma, alpha)
        return field.atom(sigma, moved * (1 / alpha) + sigma.centre) * factor + constant
    return field.atom(sigma, x)


def enclose_activation(sigma: Activation, x: Interval, bits: int) -> Interval:
    """Enclose σ on an interval: midpoint ± radius·slope, ends and kinks, or Horner's rule."""
    (lo, hi), one = x, 1 << bits
    size = max(-lo, hi).bit_length() * max(1, len(sigma.coefficients))
    limit(size, MAX_BITS, "bits of an enclosure")
    if sigma.enclosure is not None:
        SPENT[0] += max(bits, max(-lo, hi).bit_length() if sigma.name == "sin" else 0) ** 3
        limit(SPENT[0], MAX_ENCLOSING, "work of enclosures: cubes of bits")
        middle = (lo + hi) // 2
        bottom, top = sigma.enclosure(middle, bits)
        radius = sigma.slope * max(hi - middle, middle - lo)
        return bottom - radius, top + radius
    if sigma.pieces:
        ends = [lo, hi, *(k << bits for k in sigma.kinks if lo < k << bits < hi)]
        lines = [(z, sigma.pieces[sum(z >= k << bits for k in sigma.kinks)]) for z in ends]
        images = [(times_rational(F1 * a, (z, z)), b << bits) for z, (a, b) in lines]
        return min(y[0] + b for y, b in images), max(y[1] + b for y, b in images)
    value = (0, 0)
    for c in reversed(sigma.coefficients):
        scaled, constant = times(value, x, bits), times_rational(c, (one, one))
        value = scaled[0] + constant[0], scaled[1] + constant[1]
    return value


# ---------------------------------------------------------------------------- problems
class Layer(NamedTuple):
    """h ↦ σ(Wh + b), by the rows of (W|b)."""

    rows: Affine
    sigma: Activation


class Network(NamedTuple):
    """Dense layers, the last one with σ = identity."""

    inputs: int
    layers: list[Layer]

    @property
    def hidden(self) -> list[Layer]:
        """All layers but the last."""
        return self.layers[:-1]


class Problem(NamedTuple):
    """A network and the pairs (ρ_in, ρ_out) that generate the group, or two networks."""

    field: Field
    network: Network
    generators: dict[str, tuple[Affine, Affine]]
    other: Network | None
    files: tuple[Path, Json, Json]


Matrix: TypeAlias = list[list[Scalar]]
Tensors: TypeAlias = dict[str, tuple[list[int], list[Fraction]]]


def read_tensors(folder: Path, value: Json) -> Tensors:
    """Floats of a safetensors file as exact dyadic rationals; the offsets cover the data."""
    take(value, "tensors", "file sha256")
    name = take_text(value["file"], "tensors: file", r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
    data = read_bytes(folder / name, MAX_TENSOR_BYTES)
    digest = hashlib.sha256(data).hexdigest()
    prove(value["sha256"] == digest, f"{name}: SHA-256 differs from that in network.json")
    end = 8 + int.from_bytes(data[:8], "little")
    demand(8 < end <= min(len(data), MAX_JSON_BYTES), f"{name}: the header is cut off")
    header, data, end = read_json(data[8:end], name)[0], data[end:], 0
    for entry in header.values():
        take(entry, name, "data_offsets dtype shape")
        take_ints(entry["data_offsets"], name, 2, 0, len(data))
        take_ints(entry["shape"], name, None, 1, MAX_WEIGHTS)
        demand(entry["dtype"] in ("F64", "F32"), f"{name}: dtype is not F64 or F32")
    tensors: Tensors = {}
    for key, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        (begin, stop), shape = entry["data_offsets"], entry["shape"]
        floats = array.array("d" if entry["dtype"] == "F64" else "f")
        fits = begin == end and stop - begin == math.prod(shape) * floats.itemsize
        demand(fits, f"{name}: the offsets do not cover the data in order")
        limit((stop - begin) // floats.itemsize, MAX_WEIGHTS, f"{name}: numbers")
        floats.frombytes(data[begin:stop])
        if sys.byteorder == "big":
            floats.byteswap()
        demand(all(map(math.isfinite, floats)), f"{name}: a number is not finite")
        tensors[key], end = (shape, list(map(Fraction, floats))), stop
    demand(end == len(data), f"{name}: bytes after the last tensor")
    return tensors


def read_matrix(field: Field, value: Json, where: str, width: int, tensors: Tensors) -> Matrix:
    """Read rows of scalars, of this width: a list of lists or {"tensor":name}."""
    if type(value) is dict:
        name = take(value, where, "tensor")["tensor"]
        shape, numbers = tensors[take_name(name, f"{where}: no such tensor", tensors)]
        demand(shape in ([len(numbers) // width, width], [width]), f"{where}: the shape differs")
        return [numbers[k : k + width] for k in range(0, len(numbers), width)]
    return [read_vector(field, line, where, width) for line in take_list(value, where)]


def read_vector(field: Field, value: Json, where: str, width: int) -> list[Scalar]:
    """Read a list of scalars, of this width."""
    return [field.read(x, where) for x in take_list(value, where, width)]


def read_network(field: Field, value: Json, folder: Path) -> Network:
    """Read the network of network.json."""
    where = "network.json"
    take(value, where, "field format inputs layers version", "name tensors")
    take_text(value.get("name", ""), f"{where}: name")
    count, inputs = 0, take_int(value["inputs"], f"{where}: inputs", 1, MAX_WEIGHTS)
    demand("tensors" not in value or field.kind == "rational", "tensors: not over this field")
    tensors = read_tensors(folder, value["tensors"]) if "tensors" in value else {}
    layers, width = list[Layer](), inputs
    for i, entry in enumerate(take_list(value["layers"], f"{where}: layers")):
        limit(i, MAX_LAYERS, f"{where}: layers")
        place = f"{where}: layer {i}"
        take(entry, place, "activation bias kind weight")
        demand(entry["kind"] == "dense", f"{place}: kind is not dense")
        weight = read_matrix(field, entry["weight"], f"{place}: weight", width, tensors)
        demand(len(weight) > 0, f"{place}: no neurons")
        stated = entry["bias"] if type(entry["bias"]) is dict else [entry["bias"]]
        biases = read_matrix(field, stated, f"{place}: bias", len(weight), tensors)
        demand(len(biases) == 1, f"{place}: not one bias")
        sigma = read_activation(entry["activation"], place)
        layers.append(Layer(as_rows(weight, biases[0]), sigma))
        count, width = count + width * len(weight), len(weight)
        limit(count, MAX_WEIGHTS, f"{where}: weights")
    last = layers[-1].sigma.name if layers else ""
    demand(last == "identity", f"{where}: no last layer with activation identity")
    return Network(inputs, layers)


def read_permutation(value: Json, where: str, n: int) -> list[int]:
    """Read a bijection of 0, …, n−1."""
    found = take_ints(value, where, n, 0, n - 1)
    demand(len(set(found)) == n, f"{where}: not a permutation")
    return found


def read_map(field: Field, value: Json, where: str, n: int) -> tuple[Affine, Affine]:
    """Read an invertible affine map of an n-dimensional space; returns it and its inverse."""
    if value == "trivial":
        return identity(n), identity(n)
    demand(type(value) is dict, f"{where}: neither trivial nor an object")
    zeros, stated = [F0] * n, value.get("shift")
    shift = read_vector(field, stated, f"{where}: shift", n) if "shift" in value else zeros
    if "permutation" in value:
        take(value, where, "permutation", "shift signs")
        order = read_permutation(value["permutation"], where, n)
        signs = take_ints(value.get("signs", [1] * n), f"{where}: signs", n, -1, 1)
        demand(0 not in signs, f"{where}: a sign is 0")
        scale = [F1 if s == 1 else -F1 for s in signs]
        rho = [{k: s} for k, s in zip(order, scale, strict=True)]
        inverse = [{i: scale[i]} for i in sorted(range(n), key=order.__getitem__)]
    else:
        limit(n, MAX_DENSE, f"{where}: rows of a matrix")
        names = ["matrix"] if field.kind == "rational" else ["matrix", "inverse"]
        take(value, where, " ".join(names), "shift")
        found = [read_matrix(field, value[name], where, n, {}) for name in names]
        demand(all(len(rows) == n for rows in found), f"{where}: a matrix is not square")
        rho, inverse = as_rows(found[0], zeros), as_rows(found[-1], zeros)
        inverse = inverse if found[1:] else rational_inverse(rho, where)
        one = compose(rho, inverse) == identity(n)
        demand(one, f"{where}: inverse is not the inverse of the matrix")
    back = [shifted({k: F1}, -1 * c) for k, c in enumerate(shift)]
    return list(map(shifted, rho, shift)), compose(inverse, back)


def rational_inverse(matrix: Affine, where: str) -> Affine:
    """Inverse over Q by Gauss–Jordan elimination of (A|I)."""
    n = len(matrix)
    rows = [row | {n + i: F1} for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if k in rows[i]), None)
        if pivot is None:
            raise Malformed(f"{where}: the matrix is singular")
        top = combine((1 / rows[pivot][k], rows[pivot]))
        rows[pivot] = rows[k]
        rows = [combine((F1, row), (-row[k], top)) if k in row else row for row in rows]
        rows[k] = top
    return [{k - n: a for k, a in row.items() if k >= n} for row in rows]


def letters(word: Json) -> list[tuple[str, int]]:
    """Return the letters (generator, ±1) of a word such as `r s^-1 (r s)^2`."""
    demand(type(word) is str, "relators: not a word")
    tokens = re.findall(rf"{NAME}|\^-?[1-9][0-9]{{0,3}}|[()]", word[: 10 * MAX_LETTERS])
    demand("".join(tokens) == word.replace(" ", ""), "relators: not a word")
    stack: list[list[list[tuple[str, int]]]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            demand(len(stack) > 1, "relators: not a word")
            group = list(itertools.chain(*stack.pop()))
            stack[-1].append(group)
        elif token[0] == "^":
            demand(len(stack[-1]) > 0, "relators: not a word")
            base, n = stack[-1].pop(), int(token[1:])
            limit(len(base) * abs(n), MAX_LETTERS, "letters of a relator")
            back = [(name, -s) for name, s in reversed(base)]
            stack[-1].append((base if n > 0 else back) * abs(n))
        else:
            stack[-1].append([(token, 1)])
    demand(len(stack) == 1, "relators: not a word")
    return list(itertools.chain(*stack[0]))


def check_relators(
    words: list[list[tuple[str, int]]], maps: dict[tuple[str, int], Affine], n: int, side: str
) -> None:
    """Every word is the identity; refused beforehand if products could be too many."""
    spent, longest = 0, {key: max(map(len, rho)) for key, rho in maps.items()}
    for i, word in enumerate(words):
        width = 1  # bound of the entries of a row
        for letter in word:
            demand(letter in maps, f"action.json: relator {i} names no generator")
            spent += n * width * longest[letter]
            width = min(width * longest[letter], n + 1)
    limit(spent, MAX_WORK, "action.json: products in relators")
    for i, word in enumerate(words):
        result = reduce(compose, [maps[letter] for letter in word], identity(n))
        demand(result == identity(n), f"action.json: relator {i} fails on the {side}")


def read_action(field: Field, value: Json, sizes: tuple[int, int]) -> dict[str, Any]:
    """Read the pairs (ρ_in, ρ_out); every relator must hold on both sides."""
    where = "action.json"
    take(value, where, "field format generators version", "group relators")
    take_text(value.get("group", ""), f"{where}: group")
    stated, sides = value["generators"], []
    demand(type(stated) is dict and len(stated) > 0, f"{where}: no generators, nothing is claimed")
    limit(len(stated), MAX_GENERATORS, f"{where}: generators")
    words = [letters(word) for word in take_list(value.get("relators", []), f"{where}: relators")]
    for side, n in zip(("input", "output"), sizes, strict=True):
        entries = [entry.get(side) for entry in stated.values() if type(entry) is dict]
        dense = sum(type(entry) is dict and "matrix" in entry for entry in entries)
        limit(dense * n**3, MAX_WORK, f"{where}: products in inverses")
        maps: dict[tuple[str, int], Affine] = {}
        for name, entry in stated.items():
            place = f"{where}: {side} of generator {take_text(name, 'a generator', NAME)[:40]}"
            pair = read_map(field, take(entry, place, "input output")[side], place, n)
            maps[name, 1], maps[name, -1] = pair
        check_relators(words, maps, n, side)
        sides.append([maps[name, 1] for name in stated])
    return dict(zip(stated, zip(*sides, strict=True), strict=True))


# ------------------------------------------------------------------------------- rules
class Claim(NamedTuple):
    """The claim left∘ρ = ρ′∘right for two networks and maps, and its name."""

    left: Network
    right: Network
    rho: Affine
    tau: Affine
    where: str


def read_latent(field: Field, value: Json, width: int, where: str) -> Affine:
    """Read p and α of an element of K; its shift c(1−α) is implied."""
    take(value, where, "permutation", "scale")
    order, ones = read_permutation(value["permutation"], where, width), [F1] * width
    scale = read_vector(field, value["scale"], where, width) if "scale" in value else ones
    return [{k: a} for k, a in zip(order, scale, strict=True)]


def multiple(sigma: Activation, row: Row, alpha: Scalar) -> Row:
    """(αw|αb + c(1−α)): the row that K carries (w|b) to."""
    return row if alpha is F1 else shifted(combine((alpha, row)), (1 - alpha) * sigma.centre)


def pass_scale(field: Field, sigma: Activation, row: Row, p: int, alpha: Scalar, even: bool) -> Row:
    """σ(αz + c(1−α)), z the row of neuron p: λh_p + ν; by rule even_linear also for α < 0 (§8)."""
    s, t, u = sigma.reflection or (0, F0, 0)
    if not even or (s, u) != (1, 0) or not t or alpha == F1:
        factor, constant = transport(field, sigma, alpha)
        return shifted({p: factor}, constant)
    sign = Fraction(field.sign(alpha))
    fits = sign != 0 if sigma.group == "positive" else alpha == sign
    prove(fits, "even_linear: the activation does not pass a scale")
    below = {k if k == CONST else -2 - k: a for k, a in row.items()}
    return combine((alpha * sign, {p: F1}), (F1 * t / 2 * (alpha * sign - alpha), below))


def push_through(
    field: Field, layer: Layer, moved: Affine, latent: Affine, where: str, even: bool = False
) -> Affine:
    """Rule L. `moved`, the rows of (W|b)∘ρ, are K∘(W|b), all α admitted; returns ρ′ (§8)."""
    result: Affine = []
    for i, (row, image_of) in enumerate(zip(moved, latent, strict=True)):
        ((p, alpha),) = image_of.items()
        result.append(pass_scale(field, layer.sigma, layer.rows[p], p, alpha, even))
        same = row == multiple(layer.sigma, layer.rows[p], alpha)
        prove(same, f"{where}: row {i} of (W|b)rho is not the scaled row {p} of (W|b)")
    return result


def check_latents(field: Field, claim: Claim, value: Json, even: bool = False) -> list[Affine]:
    """Rules latents, even_linear: L in hidden layers, O, (W|b)∘ρ = ρ′∘(W|b), in the last (§8)."""
    left, right, rho, tau, where = claim
    shapes = [[(len(layer.rows), layer.sigma) for layer in f.hidden] for f in (left, right)]
    prove(shapes[0] == shapes[1], "the widths or activations of the networks differ")
    pairs = zip(right.hidden, take_list(value, "latents", len(right.hidden)), strict=True)
    latents = [read_latent(field, entry, len(f.rows), "latents") for f, entry in pairs]
    for i, (above, layer) in enumerate(zip(left.hidden, right.hidden, strict=True)):
        moved, place = compose(above.rows, rho), f"{where}, layer {i}"
        rho = push_through(field, layer, moved, latents[i], place, even)
    found, wanted = compose(left.layers[-1].rows, rho), compose(tau, right.layers[-1].rows)
    for i, (row, expected) in enumerate(zip(found, wanted, strict=True)):
        prove(row == expected, f"{where}: row {i} breaks the output equation")
    return latents


def check_layerwise(problem: Problem, network: Network, value: Json) -> dict[str, list[Affine]]:
    """Rules L and O for every generator: each layer is equivariant under the latents."""
    stated, latents = take_list(value, "latents", len(network.hidden)), {}
    for i, entry in enumerate(stated):
        take(entry, f"latents: layer {i}", " ".join(problem.generators))
    for name, maps in problem.generators.items():
        claim = Claim(network, network, *maps, f"generator {name}")
        latents[name] = check_latents(problem.field, claim, [entry[name] for entry in stated])
    return latents


def is_equivalent(field: Field, sigma: Activation, *pair: Row) -> bool:
    """Whether w′ = αw, b′ − c = α(b − c), α = n/d admitted by σ; w ≠ 0; certified either way."""
    v, w = (shifted(row, -sigma.centre) for row in pair)
    k = next(k for k, x in v.items() if k != CONST and field.differs(x))
    ratios = [(F1, F1), (-F1, F1)][: 1 + (sigma.group == "sign")]
    if sigma.group not in ("one", "sign"):
        ratios = [(w[k], v[k])] if field.differs(w.get(k, F0)) else []
    for n, d in ratios:
        if not field.any_differs(combine((d, w), (-1 * n, v)).values()):
            if field.kind == "parametric" and isinstance(d, Element):
                n, d = Element(field, d.den, d.num) * n, F1
            return sigma.group != "positive" or field.sign(n * d) > 0
    return False


def check_forced(field: Field, layer: Layer, where: str) -> None:
    """Rule F. σ is not affine; the rows have w ≠ 0 and are pairwise inequivalent (§8)."""
    prove(layer.sigma.group != "affine", f"{where}: the activation is affine")
    classes, pairs = dict[str, dict[str, list[int]]](), 0
    for i, row in enumerate(layer.rows):
        prove(field.any_differs(linear(row)), f"{where}: row {i} is zero")
        vector = integers(linear(row)) if field.kind == "rational" else None
        numbers, size = vector or ([1], 1)
        divisor = math.gcd(*numbers) * sign_of(numbers[0])
        shift = integers([(row.get(CONST, F0) - layer.sigma.centre) * size]) if vector else None
        unit = "" if shift is None else spelled([Fraction(shift[0][0], shift[1] * divisor)])
        rivals = classes.setdefault(spelled([n // divisor for n in numbers]), {})
        near = [*rivals] if shift is None else ["", unit]
        for j in itertools.chain.from_iterable(rivals.get(key, []) for key in near):
            pairs += 1
            limit(pairs, MAX_POINTS, f"{where}: comparisons of rows")
            same = is_equivalent(field, layer.sigma, layer.rows[j], row)
            prove(not same, f"{where}: rows {j} and {i} are equivalent")
        rivals.setdefault(unit, []).append(i)


def spelled(numbers: Sequence[int | Fraction]) -> str:
    """Return a key of rationals as text, since texts are hashed with a secret and numbers not."""
    return " ".join(f"{x.numerator:x}/{x.denominator:x}" for x in numbers)


def check_reduced(field: Field, network: Network) -> None:
    """Rule H. Rule F in every hidden layer; no column of the next weight is zero (§8)."""
    for i, (layer, following) in enumerate(itertools.pairwise(network.layers)):
        check_forced(field, layer, f"layer {i}")
        for j in range(len(layer.rows)):
            used = any(field.differs(row[j]) for row in following.rows if j in row)
            prove(used, f"layer {i}: neuron {j} is not used by the next layer")


# ------------------------------------------------------------------------------- steps
def step_affine(field: Field, layer: Layer, following: Layer, step: Json) -> list[Layer]:
    """Rule affine. σ = pz + q: two layers become one, (W′|b′)∘(pW|pb + q)."""
    prove(layer.sigma.group == "affine", "step affine: the activation is not affine")
    q, p = (*layer.sigma.coefficients, F0)[:2]
    rows = compose(following.rows, [shifted(combine((p, row)), q) for row in layer.rows])
    return [Layer(rows, following.sigma)]


def step_drop(field: Field, layer: Layer, following: Layer, step: Json) -> list[Layer]:
    """Rule drop. Column j of the next weight is formally zero: neuron j goes."""
    j = take_int(step["neuron"], "steps: neuron", 0, len(layer.rows) - 1)
    prove(all(j not in row for row in following.rows), f"step drop: neuron {j} is used")
    return without(layer, following, j, {})


def step_fold(field: Field, layer: Layer, following: Layer, step: Json) -> list[Layer]:
    """Rule fold. Row j of W is formally zero: b′ += W′[:,j]·σ(b_j), neuron j goes."""
    j = take_int(step["neuron"], "steps: neuron", 0, len(layer.rows) - 1)
    prove(layer.rows[j].keys() <= {CONST}, f"step fold: row {j} is not zero")
    constant = image(field, layer.sigma, layer.rows[j].get(CONST, F0))
    return without(layer, following, j, {CONST: constant})


def step_merge(field: Field, layer: Layer, following: Layer, step: Json) -> list[Layer]:
    """Rule merge. (w_j|b_j − c) = α(w_i|b_i − c), i ≠ j: σ(z_j) = λσ(z_i) + ν, neuron j goes."""
    top, alpha = len(layer.rows) - 1, field.read(step["scale"], "steps: scale")
    i, j = (take_int(step[key], f"steps: {key}", 0, top) for key in ("keep", "drop"))
    prove(i != j, f"step merge: neuron {i} is merged with itself")
    same = layer.rows[j] == multiple(layer.sigma, layer.rows[i], alpha)
    prove(same, f"step merge: row {j} is not the multiple of row {i}")
    factor, constant = transport(field, layer.sigma, alpha)
    return without(layer, following, j, {i: factor, CONST: constant})


def without(layer: Layer, following: Layer, j: int, moved: Row) -> list[Layer]:
    """Delete neuron j, whose value is the row `moved` of the other values."""
    rows = (combine((F1, row), (row[j], moved)) if j in row else row for row in following.rows)
    rest = [{k - (k > j): a for k, a in row.items() if k != j} for row in rows]
    kept = layer.rows[:j] + layer.rows[j + 1 :]
    return [Layer(kept, layer.sigma), Layer(rest, following.sigma)]


def collapse(network: Network) -> Network:
    """Rule collapse. All hidden layers, at least one, have width 0: the last bias is left."""
    empty = len(network.hidden) > 0 and not any(layer.rows for layer in network.hidden)
    prove(empty, "step collapse: a hidden layer has neurons, or there is none")
    return Network(network.inputs, network.layers[-1:])


STEPS: dict[str, tuple[str, Callable[[Field, Layer, Layer, Json], list[Layer]]]] = {
    "affine": ("layer rule", step_affine),
    "drop": ("layer neuron rule", step_drop),
    "fold": ("layer neuron rule", step_fold),
    "merge": ("drop keep layer rule scale", step_merge),
}


def replay(field: Field, network: Network, value: Json) -> tuple[Network, Network]:
    """Networks after the leading affine steps and after all steps: the same function."""
    base = None
    for step in take_list(value, "steps"):
        rule = step.get("rule") if type(step) is dict else None
        demand(rule == "collapse" or rule in [*STEPS], "steps: unknown rule")
        demand(base is None or rule != "affine", "steps: affine steps come first")
        base = network if rule != "affine" and base is None else base
        if rule == "collapse":
            take(step, "steps", "rule")
            network = collapse(network)
            continue
        keys, replacement = STEPS[str(rule)]
        take(step, "steps", keys)
        i = take_int(step["layer"], "steps: layer", 0, len(network.hidden) - 1)
        before, (layer, following, *after) = network.layers[:i], network.layers[i:]
        found = replacement(field, layer, following, step)
        network = Network(network.inputs, [*before, *found, *after])
    return base or network, network


def check_embedding(base: Network, reduced: Network, value: Json) -> None:
    """Rule E. Reduced neuron k of hidden layer l sits at positions[l][k] of the base width (§8)."""
    where = "embedding: positions"
    stated = take_list(take(value, where, "positions")["positions"], where, len(reduced.hidden))
    for layer, small, entry in zip(base.hidden, reduced.hidden, stated, strict=True):
        found = take_ints(entry, where, len(small.rows), 0, len(layer.rows) - 1)
        demand(all(k < m for k, m in itertools.pairwise(found)), f"{where} do not increase")


# ------------------------------------------------------- the given parameter, obstructions
def check_acts(problem: Problem, latents: dict[str, list[Affine]]) -> int:
    """Rule G. Equal pairs (ρ_in, ρ_out) carry equal latents; returns the group's order (§8)."""
    moves = [(*pair, *latents[name]) for name, pair in problem.generators.items()]
    one = tuple(identity(len(rho)) for rho in moves[0])
    carried = {tuple(map(map_key, one[:2])): tuple(map(map_key, one[2:]))}
    queue, spent = [one], 0
    for element, move in ((e, m) for e in queue for m in moves):
        spent += sum(map(work, move, element))
        limit(spent, MAX_WORK, "given: products in the group")
        found = tuple(compose(s, g) for s, g in zip(move, element, strict=True))
        pair, latent = tuple(map(map_key, found[:2])), tuple(map(map_key, found[2:]))
        if pair not in carried:
            rows = ((row, {i: F1}) for rho in found[:2] for i, row in enumerate(rho))
            moved = any(problem.field.any_differs(difference(*pair).values()) for pair in rows)
            prove(moved, "given: an element is not certified to differ from 1")
            prove(len(carried) < MAX_ELEMENTS, f"given: more than {MAX_ELEMENTS} group elements")
            carried[pair] = latent
            queue.append(found)
        prove(carried[pair] == latent, "given: equal elements carry different latents")
    return len(carried)


def generator(problem: Problem, value: Json, where: str) -> tuple[str, Affine, Affine]:
    """Return a generator by the name that evidence states: name, ρ_in, ρ_out."""
    name = take_name(value, f"{where}: no such generator", problem.generators)
    return name, *problem.generators[name]


def check_obstruction(problem: Problem, network: Network, value: Json) -> str:
    """Rule X. There are no latents in K for the stated generator (§8); returns this in words."""
    take(value, "obstruction", "generator latents layer row")
    name, rho, rho_out = generator(problem, value["generator"], "obstruction")
    field = problem.field
    i = take_int(value["layer"], "obstruction: layer", 0, len(network.hidden))
    sigma, rows = network.layers[i].sigma, network.layers[i].rows
    r = take_int(value["row"], "obstruction: row", 0, len(rows) - 1)
    stated = take_list(value["latents"], "obstruction: latents", i)
    for k, (below, entry) in enumerate(zip(network.layers[:i], stated, strict=True)):
        where = f"obstruction, layer {k}"
        check_forced(field, below, where)
        latent = read_latent(field, entry, len(below.rows), where)
        rho = push_through(field, below, compose(below.rows, rho), latent, where)
    moved = compose(rows, rho)
    if i == len(network.hidden):
        broken = field.any_differs(difference(moved[r], compose(rho_out, rows)[r]).values())
        prove(broken, f"obstruction: row {r} satisfies the output equation")
        return f"under {name} the forced latents break row {r} of the output equation"
    fits = sigma.group != "affine" and field.any_differs(linear(rows[r]))
    prove(fits, f"obstruction: row {r} of layer {i} is zero, or its activation affine")
    is_alike = partial(is_equivalent, field, sigma, rows[r])
    partners, clones = sum(map(is_alike, moved)), sum(map(is_alike, rows))
    prove(partners != clones, f"obstruction: row {r} of layer {i} has its partners")
    return f"under {name} row {r} of layer {i} has {partners} partners, but {clones} are needed"


def check_given(problem: Problem, base: Network, evidence: Json) -> str:
    """Rules L, O and G, or rule X or C, for the given parameter after its affine steps."""
    if "given" not in evidence:
        return ""
    value = take(evidence["given"], "given", "value", "collision latents obstruction")
    demand(type(value["value"]) is bool, "given: value is not a boolean")
    key = "latents" if value["value"] else "collision" if "collision" in value else "obstruction"
    take(value, "given", f"{key} value")
    if key == "collision":
        return f" On the given parameter {check_collision(problem, base, value[key])}."
    if key == "obstruction":
        words = check_obstruction(problem, base, value[key])
        return f" The given parameter is not layerwise equivariant through K: {words}."
    order = check_acts(problem, check_layerwise(problem, base, value[key]))
    return f" The group, of order {order}, acts layerwise on the given parameter too."


# ----------------------------------------------------------- equivariance, and its failure
def evaluate(field: Field, network: Network, points: Iterable[list[Scalar]]) -> list[list[Scalar]]:
    """Values f(x), exactly, over Q by integers; all σ polynomial or piecewise linear."""
    values = [*points]
    for layer in network.layers:
        lines = [(row, [*row], integers(row.values())) for row in layer.rows]
        for t, value in enumerate(values):
            point = [*value, F1]  # CONST is the index of the last entry
            numbers, sums = integers(point), []
            for row, keys, exact in lines:
                if exact is None or numbers is None:
                    sums.append(sum((a * point[k] for k, a in row.items()), F0))
                else:
                    total = sum(n * numbers[0][k] for k, n in zip(keys, exact[0], strict=True))
                    sums.append(Fraction(total, exact[1] * numbers[1]))
            values[t] = [image(field, layer.sigma, z) for z in sums]
    return values


def check_polynomial(field: Field, claim: Claim, value: Json) -> None:
    """Rule polynomial. left∘ρ = ρ′∘right, of degree ≤ D, at all x in N^n with Σ x_i ≤ D (§8)."""
    left, right, rho, tau, where = claim
    both, n = (left, right), left.inputs
    fits = all(layer.sigma.coefficients for network in both for layer in network.hidden)
    prove(fits, "rule polynomial: an activation is not polynomial")
    degree = max(math.prod(len(x.sigma.coefficients) - 1 for x in f.hidden) for f in both)
    limit(degree, MAX_DEGREE, "rule polynomial: degree")
    count = math.comb(n + degree, n)
    limit(count, MAX_POINTS, "rule polynomial: points")
    size = sum(len(row) for network in both for layer in network.layers for row in layer.rows)
    limit(count * size, 2 * MAX_PRODUCTS, "rule polynomial: multiplications")
    lattice = map(Counter, itertools.combinations_with_replacement(range(n + 1), degree))
    while chunk := list(itertools.islice(lattice, 1000)):
        points = [[Fraction(x[k]) for k in range(n)] for x in chunk]
        found = evaluate(field, left, (apply(rho, x) for x in points))
        holds = found == [apply(tau, y) for y in evaluate(field, right, points)]
        prove(holds, f"rule polynomial: the identity fails for {where}")


def enclose_sum(field: Field, row: Row, values: Sequence[Interval], bits: int) -> Interval:
    """Enclose a row at enclosed x; the sum is rounded once."""
    lo = hi = 0
    for k, a in row.items():
        (p, q), (r, s) = field.enclose(a, bits), values[k] if k != CONST else (1 << bits, 1 << bits)
        corners = (p * r, p * s, q * r, q * s)
        lo, hi = lo + min(corners), hi + max(corners)
    return outward((lo, hi), bits)


def enclose_network(field: Field, f: Network, x: list[Scalar], bits: int) -> list[Interval]:
    """Enclose f(x) by arithmetic at `bits`, rounded outward."""
    values = [field.enclose(c, bits) for c in x]
    for layer in f.layers:
        sums = [enclose_sum(field, row, values, bits) for row in layer.rows]
        values = [enclose_activation(layer.sigma, z, bits) for z in sums]
    return values


def check_refutation(problem: Problem, value: Json) -> None:
    """Rule R. |left(ρx) − ρ′right(x)|_j ≥ gap > 0 at a rational x, exactly or enclosed (§8)."""
    kind, left, right = problem.field.kind, problem.network, problem.other or problem.network
    enclosed = kind == "algebraic" or any(x.sigma.enclosure for x in left.hidden + right.hidden)
    keys = "component gap point" + (" generator" if problem.other is None else "")
    keys += " bits" if enclosed else ""
    take(value, "evidence", keys + (" parameters" if kind == "parametric" else ""))
    if kind == "parametric":
        stated = take(value["parameters"], "parameters", " ".join(problem.field.names))
        point = [rational(stated[name], "parameters") for name in problem.field.names]
        problem = read_problem(problem.files, point)
        left, right = problem.network, problem.other or problem.network
    field = problem.field
    _, rho, rho_out = generator(problem, value.get("generator", ""), "evidence")
    x: list[Scalar] = [*rationals(value["point"], "evidence: point", left.inputs)]
    j = take_int(value["component"], "evidence: component", 0, len(left.layers[-1].rows) - 1)
    gap = rational(value["gap"], "evidence: gap")
    prove(gap > 0, "evidence: the gap is not positive")
    if not enclosed:
        (there,), (here,) = evaluate(field, left, [apply(rho, x)]), evaluate(field, right, [x])
        fails = abs(there[j] - apply(rho_out, here)[j]) >= gap
        prove(fails, "evidence: the equation holds, or fails by less than the gap")
        return
    least = take_int(value["bits"], "evidence: bits", 8, MAX_PRECISION)
    for bits in (least, min(2 * least, MAX_PRECISION), min(4 * least, MAX_PRECISION)):
        one = enclose_network(field, left, apply(rho, x), bits)[j]
        other = enclose_sum(field, rho_out[j], enclose_network(field, right, x, bits), bits)
        if max(one[0] - other[1], other[0] - one[1]) >= gap * 2**bits:
            return
    raise Rejected("evidence: the enclosures do not certify the gap")


# ------------------------------------------------------- equivariance by normal forms, cells

Kinks: TypeAlias = dict[tuple[int, ...], Row]  # z − τ by side, layer, neuron, index of τ


class Forms:
    """Formal values: rows over 1, inputs, products, atoms |v| (in `bends`) and σ(v) (§8)."""

    def __init__(self, field: Field, inputs: int) -> None:
        self.field, self.inputs = field, inputs
        self.keys: dict[Hashable, int] = {}
        self.bends: dict[int, Row] = {}
        self.factors: dict[int, tuple[int, ...]] = {CONST: ()}

    def key(self, name: Hashable) -> int:
        """Return the key of an atom or product, a new one for a new name."""
        limit(len(self.keys), MAX_TERMS, "formal values")
        return self.keys.setdefault(name, self.inputs + len(self.keys))

    def atom(self, name: str, v: Row) -> tuple[int, Fraction]:
        """Return the key of the atom of sign·v, and this sign: −1 if only −v is known."""
        names = [(name, row_key(combine((sign, v)))) for sign in (F1, -F1)]
        sign = -F1 if names[1] in self.keys and names[0] not in self.keys else F1
        return self.key(names[sign < 0]), sign

    def bend(self, v: Row) -> Row:
        """|v| = u|v/u|, u > 0 such that multiples of v share v/u, over parameters rational ones."""
        lower = v.keys() - {CONST}
        if not lower:
            return combine((Fraction(self.field.sign(v.get(CONST, F0))), v))
        size, lead = self.field.inverse(v[min(lower)])
        v = combine((size, v))
        key, sign = self.atom("", v)
        self.bends.setdefault(key, combine((sign, v)))
        return {key: lead}

    def times(self, v: Row, w: Row) -> Row:
        """Product of two rows."""
        limit(len(v) * len(w), MAX_TERMS, "terms of a product of formal values")
        terms = []
        for (j, a), (k, b) in itertools.product(v.items(), w.items()):
            factors = tuple(sorted(self.factors.get(j, (j,)) + self.factors.get(k, (k,))))
            key = self.key(factors) if len(factors) > 1 else (*factors, CONST)[0]
            self.factors.setdefault(key, factors)
            terms.append((a, {key: b}))
        return combine(*terms)

    def image(self, sigma: Activation, v: Row) -> Row:
        """σ(v); piecewise-linear σ as mz + c + Σ δ|z − τ|."""
        if v.keys() <= {CONST}:
            return shifted({}, image(self.field, sigma, v.get(CONST, F0)))
        if sigma.name == "sigmoid":
            inner = self.image(ACTIVATIONS["tanh"], combine((HALF, v)))
            return shifted(combine((HALF, inner)), HALF)
        if sigma.pieces:
            slopes = [F1 * slope for slope, _ in sigma.pieces]
            total = shifted(combine(((slopes[0] + slopes[-1]) / 2, v)), F1 * sigma.pieces[0][1])
            for kink, (a, b) in zip(sigma.kinks, itertools.pairwise(slopes), strict=True):
                bent = shifted(self.bend(shifted(v, F1 * -kink)), F1 * -kink)
                total = combine((F1, total), ((b - a) / 2, bent))
            return total
        if sigma.coefficients:
            total = {}
            for c in reversed(sigma.coefficients):
                total = shifted(self.times(total, v), c)
            return total
        if sigma.reflection is None:
            return {self.key((sigma.name, row_key(v))): F1}
        (s, t, u), (key, sign) = sigma.reflection, self.atom(sigma.name, v)
        return {key: F1} if sign > 0 else shifted(combine((F1 * s, {key: F1}), (-t, v)), F1 * u)

    def outputs(self, network: Network, start: Affine, side: int, kinks: Kinks) -> Affine:
        """f∘start; the rows z − τ of its neurons join `kinks`."""
        values = start
        for i, layer in enumerate(network.layers):
            sums, taus = compose(layer.rows, values), enumerate(layer.sigma.kinks)
            for (k, tau), (j, z) in itertools.product(taus, enumerate(sums)):
                kinks[side, i, j, k] = shifted(z, F1 * -tau)
            values = [self.image(layer.sigma, z) for z in sums]
        return values

    def restrict(self, v: Row, signs: dict[int, Fraction], known: dict[int, Row]) -> Row:
        """Return v where the rows of some atoms |v| have these signs; `known` is a memory."""
        for key in (key for key in v if key in self.bends and key not in known):
            inner = self.restrict(self.bends[key], signs, known)
            bent = combine((signs[key], inner)) if key in signs else self.bend(inner)
            done = key in signs or bent == {key: F1}
            known[key] = bent if done else self.restrict(bent, signs, known)
        return combine(*((a, known.get(k, {k: F1})) for k, a in v.items()))


def take_kink(kinks: Kinks, place: Json) -> Row:
    """Read side, layer, neuron and index of a kink; returns z − τ."""
    found = tuple(take_ints(place, "cells: kink", 4, 0, MAX_WEIGHTS))
    demand(found in kinks, "cells: kink: there is none such")
    return kinks[found]


def check_tree(
    forms: Forms, kinks: Kinks, rest: Affine, cuts: Affine, signs: dict[int, Fraction], tree: Json
) -> None:
    """Rule cells. The rows `rest` vanish on the cell where all `cuts` are > 0 (§8)."""
    if tree == "equal":
        prove(not any(rest), "cells: the outputs differ formally on a cell")
        return
    v = take_kink(kinks, take(tree, "cells", "above below neuron")["neuron"])
    halves = [(F1, tree["above"]), (-F1, tree["below"])]
    leaves = [type(half) is dict and "infeasible" in half for _, half in halves]
    affine = bool(v) and all(k < forms.inputs for k in v)
    prove(affine or any(leaves), "cells: a kink that is split is not affine, or zero")
    prove(not all(leaves), "cells: no half of a cell is left")
    for (sign, half), is_leaf in zip(halves, leaves, strict=True):
        side = combine((sign, v))
        if is_leaf:
            check_empty(forms, kinks, [*cuts, side], half)
            continue
        now, known = {**signs}, dict[int, Row]()
        for key, size in forms.bend(v).items():
            if key in forms.bends:
                now[key] = F1 if combine((size, forms.bends[key])) == side else -F1
        inside = {place: forms.restrict(row, now, known) for place, row in kinks.items()}
        left = [forms.restrict(row, now, known) for row in rest]
        check_tree(forms, inside, left, cuts if any(leaves) else [*cuts, side], now, half)


def check_empty(forms: Forms, kinks: Kinks, cuts: Affine, leaf: Json) -> None:
    """Rule Farkas. No point has all `cuts` > 0, by multipliers of them and of |v| ± v ≥ 0 (§8)."""
    take(leaf, "cells", "infeasible", "triangles")
    field, where = forms.field, "cells: infeasible"
    factors = read_vector(field, leaf["infeasible"], where, len(cuts))
    signs, terms = [field.sign(x) for x in factors], list(zip(factors, cuts, strict=True))
    for entry in take_list(leaf.get("triangles", []), "cells: triangles"):
        *place, sign, factor = take_list(entry, "cells: triangles", 6)
        v = take_kink(kinks, place)
        bound = combine((F1, forms.bend(v)), (Fraction(take_int(sign, "cells: sign", -1, 1)), v))
        terms.append((field.read(factor, "cells: triangles"), bound))
    negative = any(field.sign(factor) < 0 for factor, _ in terms)
    prove(not negative, "cells: a multiplier is negative")
    total = combine(*terms)
    sign = field.sign(total.pop(CONST, F0))
    empty = not total and (sign < 0 or (sign == 0 and any(signs)))
    prove(empty, "cells: the multipliers do not show that a half is empty")


def check_forms(field: Field, claim: Claim, tree: Json) -> None:
    """Rules normal_form and cells. left∘ρ = ρ′∘right as formal values, or so on dense cells."""
    forms, kinks, n = Forms(field, claim.left.inputs), Kinks(), claim.right.inputs
    found = forms.outputs(claim.left, claim.rho, 0, kinks)
    wanted = compose(claim.tau, forms.outputs(claim.right, identity(n), 1, kinks))
    check_tree(forms, kinks, list(map(difference, found, wanted)), [], {}, tree)


Rule: TypeAlias = Callable[[Field, Claim, Json], object]
RULES: dict[str, tuple[str, Rule]] = {
    "canonical_form": ("", check_forms),
    "normal_form": ("", check_forms),
    "cells": ("tree", check_forms),
    "polynomial": ("", check_polynomial),
    "latents": ("latents", check_latents),
    "even_linear": ("latents", partial(check_latents, even=True)),
}


def check_rule(problem: Problem, left: Network, right: Network, value: Json, where: str) -> None:
    """left∘ρ = ρ′∘right for all pairs (ρ, ρ′) of the problem, by the stated rule and its data."""
    rule = value.get("rule") if type(value) is dict else None
    demand(rule in [*RULES], f"{where}: unknown rule")
    key, check_pair = RULES[str(rule)]
    key = "generators" if key and problem.other is None else key
    take(value, where, f"{key} rule")
    data: Json = dict.fromkeys(problem.generators, value.get(key, "equal"))
    if key == "generators":
        data = take(value[key], where, " ".join(problem.generators))
    for name, maps in problem.generators.items():
        place = f"generator {name}" if problem.other is None else "the networks"
        check_pair(problem.field, Claim(left, right, *maps, place), data[name])


def check_collision(problem: Problem, network: Network, value: Json) -> str:
    """Rule C. Formally F(x) = F(y), certified F(gx) ≠ F(gy), F = f_i∘…∘f_1; in words."""
    take(value, "collision", "generator layer x y")
    (name, rho, _), n = generator(problem, value["generator"], "collision"), network.inputs
    field = problem.field
    i = take_int(value["layer"], "collision: layer", 0, len(network.hidden) - 1)
    points = [read_vector(field, value[k], f"collision: {k}", n) for k in "xy"]
    points += [apply(rho, x) for x in points]
    x, y, gx, gy = evaluate(field, Network(n, network.layers[: i + 1]), points)
    prove(x == y, "collision: the two points differ in the stated layer")
    apart = field.any_differs(a - b for a, b in zip(gx, gy, strict=True))
    prove(apart, "collision: the moved points agree in the stated layer")
    return f"in layer {i} two points have one image, but not after {name}: no action there at all"


# ----------------------------------------------------------------------------- verdicts
def widths(network: Network) -> str:
    """Return the hidden widths in words."""
    return ", ".join(str(len(layer.rows)) for layer in network.hidden) or "none"


def summary(problem: Problem) -> str:
    """Return the network, or the two, in words."""
    f, g = problem.network, problem.other
    sizes = widths(f) + (f" and {widths(g)}" if g else "")
    many, outputs = "s" if g else "", len(f.layers[-1].rows)
    return f"the network{many} with {f.inputs} inputs, hidden widths {sizes} and {outputs} outputs"


def equivariance(problem: Problem) -> str:
    """Return the claim of equivariance in words."""
    claim = (
        f"{summary(problem)} satisfies f(rho_in(g) x) = rho_out(g) f(x) for all real x and all g "
        f"of the group generated by {', '.join(problem.generators)}"
    )
    if problem.field.kind != "parametric":
        return claim
    return (
        f"{claim}, for all real values of {', '.join(problem.field.names)} at which no denominator "
        "vanishes (statements on layers: outside a proper algebraic subset of these)"
    )


def verdict_layerwise(problem: Problem, evidence: Json) -> str:
    """Rules L, O and H for the given network."""
    take(evidence, "evidence", "latents")
    check_layerwise(problem, problem.network, evidence["latents"])
    check_reduced(problem.field, problem.network)
    return (
        f"{equivariance(problem)}; every hidden layer of this very parameter is equivariant under "
        "the stated latents, by which the group acts, and no neuron is inactive or cloned."
    )


def verdict_after_reduction(problem: Problem, evidence: Json) -> str:
    """At least one step; rules L, O and H for the reduced network; rule E."""
    take(evidence, "evidence", "latents steps", "embedding given")
    base, reduced = replay(problem.field, problem.network, evidence["steps"])
    count = len(evidence["steps"])
    prove(count > 0, "steps: none, so that nothing was reduced")
    check_layerwise(problem, reduced, evidence["latents"])
    check_reduced(problem.field, reduced)
    given = check_given(problem, base, evidence)
    claim = f"{equivariance(problem)}; {count} steps that keep the function reduce it to "
    if evidence["steps"][-1]["rule"] == "collapse":
        demand("embedding" not in evidence, "embedding: a collapsed network has none")
        return f"{claim}a constant.{given}"
    check_embedding(base, reduced, evidence.get("embedding"))
    return (
        f"{claim}hidden widths {widths(reduced)}, where every layer is equivariant under the "
        "stated latents, by which the group acts; so is its re-embedding at the original widths."
        f"{given}"
    )


def verdict_end_to_end(problem: Problem, evidence: Json) -> str:
    """Check a rule of equivariance, rules H and X for the reduced network, and perhaps rule C."""
    take(evidence, "evidence", "equivariance obstruction steps", "collision given")
    base, reduced = replay(problem.field, problem.network, evidence["steps"])
    check_reduced(problem.field, reduced)
    words = check_obstruction(problem, reduced, evidence["obstruction"])
    given = check_given(problem, base, evidence)
    if "collision" in evidence:
        words += f"; {check_collision(problem, reduced, evidence['collision'])}"
    check_rule(problem, reduced, reduced, evidence["equivariance"], "equivariance")
    return (
        f"{equivariance(problem)}; the reduced parameter, of hidden widths {widths(reduced)}, is "
        f"not layerwise equivariant through K: {words}.{given}"
    )


def verdict_refuted(problem: Problem, evidence: Json) -> str:
    """Rule R, for an action or for two networks."""
    check_refutation(problem, evidence)
    words, defect = "compute different functions", "f(x) - g(x)"
    if problem.other is None:
        words = "is not equivariant"
        defect = f"f(rho_in(g) x) - rho_out(g) f(x) for generator {evidence['generator']}"
    some = " at some values of the parameters" if problem.field.kind == "parametric" else ""
    return (
        f"{summary(problem)} {words}{some}: at the stated point component {evidence['component']} "
        f"of {defect} is at least the stated gap in absolute value."
    )


def verdict_undecided(problem: Problem, evidence: Json) -> str:
    """Refuse to confirm: nothing is claimed."""
    take(evidence, "evidence", "budget reason tried", "numeric")
    numeric = evidence.get("numeric", {})
    demand(type(numeric) is dict, "evidence: numeric is not an object")
    budget = [] if evidence["budget"] is None else [evidence["budget"]]
    tried = take_list(evidence["tried"], "evidence: tried")
    for text in (evidence["reason"], *budget, *tried, *numeric.values()):
        take_text(text, "evidence")
    raise NothingClaimed(f"undecided: {evidence['reason'][:200]}")


def verdict_equal(problem: Problem, evidence: Json) -> str:
    """Check a rule for the two networks f, g after their steps: g∘1 = 1∘f."""
    take(evidence, "evidence", "equality steps steps2")
    first = replay(problem.field, problem.network, evidence["steps"])[1]
    second = replay(problem.field, problem.other or problem.network, evidence["steps2"])[1]
    check_rule(problem, second, first, evidence["equality"], "equality")
    names = ", ".join(problem.field.names) if problem.field.kind == "parametric" else ""
    values = f", for all real values of {names} at which no denominator vanishes" if names else ""
    return f"{summary(problem)} compute the same function: f(x) = g(x) for all real x{values}."


VERDICTS: dict[str, Callable[[Problem, Json], str]] = {
    "layerwise": verdict_layerwise,
    "layerwise_after_reduction": verdict_after_reduction,
    "end_to_end_only": verdict_end_to_end,
    "not_equivariant": verdict_refuted,
    "equal": verdict_equal,
    "different": verdict_refuted,
    "undecided": verdict_undecided,
}


def check_source(value: Json, second: str, model: Path | None) -> None:
    """Check the form of `source` and, if a model file is given, its SHA-256."""
    take(value, "source", f"network {second}")
    for name, entry in value.items():
        take(entry, f"source: {name}", "name sha256" + (" format" if name != "action" else ""))
        take_text(entry.get("format", "json"), "source: format", "onnx|nnet|json|torch|python")
        take_text(entry["name"], "source: name")
        if entry["sha256"] is not None:
            take_text(entry["sha256"], "source: sha256", "[0-9a-f]{64}")
    if model is not None:
        digest = hashlib.sha256(read_bytes(model, MAX_TENSOR_BYTES)).hexdigest()
        same = value["network"]["sha256"] == digest
        prove(same, "the model file is not the one that the witness names")


def read_problem(files: tuple[Path, Json, Json], point: Sequence[Fraction] = ()) -> Problem:
    """Read the field, the network, and the action or the second network."""
    folder, network, other = files
    second = "action" if other["format"] == "identcert.action" else "network2"
    same = "field" in network and network["field"] == other.get("field")
    demand(same, f"field: missing, or not the same in network.json and {second}.json")
    field = Field(network["field"], point)
    left = read_network(field, network, folder)
    n, outputs = left.inputs, len(left.layers[-1].rows)
    if second == "action":
        return Problem(field, left, read_action(field, other, (n, outputs)), None, files)
    right = read_network(field, other, folder)
    same = (n, outputs) == (right.inputs, len(right.layers[-1].rows))
    demand(same, "network2.json: the dimensions are not those of network.json")
    return Problem(field, left, {"": (identity(n), identity(outputs))}, right, files)


def check(directory: Path, model: Path | None = None) -> Verified:
    """Verify an evidence folder, and that it names this model file; raises a `CheckError`."""
    SPENT[0] = 0
    try:
        network, network_sha = read_canonical(directory, "network")
        second = "network2" if (directory / "network2.json").exists() else "action"
        other, other_sha = read_canonical(directory, second)
        witness, _ = read_canonical(directory, "witness")
        keys = f"evidence format network_sha256 {second}_sha256 source verdict version"
        take(witness, "witness.json", keys)
        stated = witness["network_sha256"], witness[f"{second}_sha256"]
        prove(stated == (network_sha, other_sha), "witness.json: belongs to other files (SHA-256)")
        check_source(witness["source"], second, model)
        problem = read_problem((directory, network, other))
        compared = {"equal", "different"}
        names = VERDICTS.keys() - compared if second == "action" else {*compared, "undecided"}
        verdict = take_name(witness["verdict"], "witness.json: unknown verdict", names)
        return Verified(verdict, VERDICTS[verdict](problem, witness["evidence"]))
    except (RecursionError, MemoryError) as error:
        raise TooLarge("the evidence exhausts the stack or the memory") from error


def main(argv: Sequence[str] | None = None) -> int:
    """Run `checker.py DIR [--model FILE]`; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if len(arguments) not in (1, 3) or arguments[1:2] not in ([], ["--model"]):
        sys.stderr.write("usage: checker.py DIR [--model FILE]\n")
        return Malformed.exit_code
    try:
        verified = check(Path(arguments[0]), Path(arguments[2]) if len(arguments) == 3 else None)
    except CheckError as error:
        text = f"{type(error).__name__}: {error}\n"
        sys.stderr.write(text.encode("ascii", "backslashreplace").decode("ascii"))
        return error.exit_code
    sys.stdout.write(f"verified {verified.verdict}: {verified.claim}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
