"""The trusted checker of identcert: one file, standard library only, to be read in one sitting.

    python -I checker.py DIR [--model FILE]

reads DIR/network.json, action.json and witness.json, recomputes what the witness claims and
prints the verified claim in words. `witness/SPEC.md` states the formats and the rules; a rule is
one function here, with its name and side condition. Unknown keys, rules and activations are
refused; weights are read from network.json, never from the witness.

Glossary
--------
    (W|b)       == the rows of a layer, each with its bias as last entry: the map h ↦ Wh + b
    σ, c        == the activation of a hidden layer, applied entrywise, and its centre
    K(σ)        == the maps z_i ↦ α_i z_{p_i} + c(1−α_i), p a permutation, each α_i admitted by σ:
                   σ(αz + c(1−α)) = λσ(z) + ν
    latent      == the element of K(σ) by which a generator acts on a hidden layer
    ρ           == an invertible affine map x ↦ Ax + s of inputs, outputs or activations
    atom        == the formal number σ(b), left unevaluated, in a bias
    formal zero == zero by its spelling (coordinates, coefficients); such a number is zero
    certified   == proved by exact arithmetic or by an enclosure that excludes zero
    bits        == precision: integers (lo, hi) enclose the numbers of [lo, hi]/2^bits
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
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = Any
Scalar: TypeAlias = Any  # a number of the problem: a Fraction, or an Element if not rational
Rows: TypeAlias = Sequence[Sequence[Scalar]]
Interval: TypeAlias = tuple[int, int]
F0, F1 = Fraction(0), Fraction(1)

MAX_JSON_BYTES, MAX_TENSOR_BYTES = 2**26, 2**28
MAX_DIGITS = 4000  # of a numerator or denominator in a file
MAX_BITS = 200_000  # of a number that arithmetic produces
MAX_PRECISION = 4096
MAX_WEIGHTS, MAX_LAYERS, MAX_DEGREE = 4_000_000, 100, 1000
MAX_TERMS = 20_000  # of a polynomial in parameters, α and atoms
MAX_PRODUCTS = 200_000_000  # multiplications of one matrix product, and of rule polynomial
MAX_DENSE, MAX_LETTERS = 100, 1000  # rows of an action matrix, letters of a relator
MAX_GENERATORS, MAX_ELEMENTS = 100, 5000  # of the group; of its elements in rule G
MAX_POINTS = 200_000  # of rule polynomial


class CheckError(Exception):
    """The claim is not confirmed; `exit_code` says in which way."""

    exit_code = 1


class Rejected(CheckError):
    """The evidence does not prove the claim."""


class Malformed(CheckError):
    """A file is not of the format."""

    exit_code = 2


class UnsupportedVersion(CheckError):
    """A file states a version that this checker does not know."""

    exit_code = 3


class NothingClaimed(CheckError):
    """The verdict is `undecided`: well formed, and claims nothing."""

    exit_code = 4


class TooLarge(CheckError):
    """A limit of this checker is exceeded; nothing is said of the claim."""

    exit_code = 5


@dataclass(frozen=True)
class Verified:
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
    found = dict(pairs)
    demand(len(found) == len(pairs), "an object has the same key twice")
    return found


def read_json(data: bytes, name: str) -> tuple[dict[str, Json], bytes]:
    """Return an object of ASCII JSON and its canonical bytes; its readers check every leaf."""
    try:
        found = json.loads(data.decode("ascii"), object_pairs_hook=unique)
        text = json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n"
    except RecursionError as error:
        raise Malformed(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise Malformed(f"{name}: not ASCII JSON") from error
    demand(type(found) is dict, f"{name}: not an object")
    return found, text.encode("ascii")


def read_canonical(folder: Path, kind: str) -> tuple[dict[str, Json], str]:
    """Object and SHA-256 of the file `kind`.json of format identcert.`kind`, version 1."""
    name = f"{kind}.json"
    data = read_bytes(folder / name, MAX_JSON_BYTES)
    found, canonical = read_json(data, name)
    demand(found.get("format") == f"identcert.{kind}", f"{name}: format is not identcert.{kind}")
    demand(type(found.get("version")) is int, f"{name}: the version is not an integer")
    if found["version"] != 1:
        raise UnsupportedVersion(f"{name}: the version is not 1")
    demand(canonical == data, f"{name}: not in canonical form")
    return found, hashlib.sha256(data).hexdigest()


def take(value: Json, where: str, required: str, optional: str = "") -> Json:
    """Return an object that has exactly these keys, the optional ones or not."""
    demand(type(value) is dict, f"{where}: not an object")
    missing, allowed = set(required.split()) - value.keys(), f"{required} {optional}".split()
    wrong = sorted(missing | (value.keys() - set(allowed)))
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


def take_text(value: Json, where: str, pattern: str = r"[^\x00]*") -> str:
    """Return a string that matches the pattern as a whole."""
    fits = type(value) is str and re.fullmatch(pattern, value) is not None
    demand(fits, f"{where}: not a string of the form {pattern}")
    return str(value)


NAME = r"[A-Za-z_][A-Za-z0-9_]*"
RATIONAL = re.compile(r"(-?[1-9][0-9]*|0)(?:/([1-9][0-9]*))?")


@lru_cache(maxsize=2**16)
def spelled(text: str) -> Fraction | None:
    """Return the rational that the text spells in lowest terms, or None."""
    match = RATIONAL.fullmatch(text)
    if match is None:
        return None
    limit(max(len(match[1]), len(match[2] or "")), MAX_DIGITS, "digits of a number")
    n, d = int(match[1]), int(match[2] or "1")
    return Fraction(n, d) if match[2] is None or (d > 1 and math.gcd(n, d) == 1) else None


def rational(value: Json, where: str) -> Fraction:
    """Read a rational in lowest terms: `-3/4`, `7`, `0`."""
    found = spelled(value) if type(value) is str else None
    if found is None:
        raise Malformed(f"{where}: {str(value)[:40]!r} is not a rational in lowest terms")
    return found


# ------------------------------------------------------------------ numbers of the problem

Powers: TypeAlias = tuple[tuple[int, int], ...]  # (variable, exponent > 0), variables ascending
Polynomial: TypeAlias = dict[Powers, Fraction]  # no coefficient is zero
ONE: Polynomial = {(): F1}


def poly_add(p: Polynomial, q: Polynomial) -> Polynomial:
    """Sum of polynomials."""
    total = {e: p.get(e, F0) + q.get(e, F0) for e in p | q}
    return {e: c for e, c in total.items() if c}


def poly_mul(field: Field, p: Polynomial, q: Polynomial) -> Polynomial:
    """Product of polynomials, powers of α reduced by its minimal polynomial."""
    total: Polynomial = {}
    for (e, c), (f, d) in itertools.product(p.items(), q.items()):
        powers = dict(e)
        for variable, k in f:
            powers[variable] = powers.get(variable, 0) + k
        image_of = field.alpha[powers.pop(0, 0)] if field.alpha else {0: F1}
        rest = tuple(sorted(powers.items()))
        for j, a in image_of.items():
            g = ((0, j), *rest) if j else rest
            total[g] = total.get(g, F0) + a * c * d
        limit(len(total), MAX_TERMS, "terms of a polynomial")
    return {e: c for e, c in total.items() if c}


class Element:
    """num/den, polynomials over Q in α or the parameters, and in atoms; den in parameters only.

    `==` and `bool` are formal: they prove equality, never inequality.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, field: Field, num: Polynomial, den: Polynomial = ONE) -> None:
        self.field, self.num, self.den = field, num, den

    def lift(self, other: object) -> Element:
        """Return another number as an Element."""
        if isinstance(other, int | Fraction):
            return Element(self.field, {(): Fraction(other)} if other else {})
        return other  # type: ignore[return-value]

    def cross(self, other: object) -> tuple[Polynomial, Polynomial, Polynomial]:
        """Return two numerators over a common denominator, and that."""
        o, f = self.lift(other), self.field
        if self.den == o.den:
            return self.num, o.num, self.den
        p, q = poly_mul(f, self.num, o.den), poly_mul(f, o.num, self.den)
        return p, q, poly_mul(f, self.den, o.den)

    def __add__(self, other: object) -> Element:
        p, q, den = self.cross(other)
        return Element(self.field, poly_add(p, q), den)

    def __mul__(self, other: object) -> Element:
        o, f = self.lift(other), self.field
        den = ONE if self.den is ONE and o.den is ONE else poly_mul(f, self.den, o.den)
        return Element(f, poly_mul(f, self.num, o.num), den)

    def __neg__(self) -> Element:
        return self * -1

    def __sub__(self, other: object) -> Element:
        return self + self.lift(other) * -1

    def __rsub__(self, other: object) -> Element:
        return self * -1 + other

    def __eq__(self, other: object) -> bool:
        p, q, _ = self.cross(other)
        return p == q

    def __bool__(self) -> bool:
        return bool(self.num)

    __radd__, __rmul__ = __add__, __mul__

    def rational(self) -> Fraction | None:
        """Return the constant c with num = c·den formally, or None."""
        c = next(iter(self.num.values()), F0) / next(iter(self.den.values()))
        return c if self.num == {e: c * d for e, d in self.den.items() if c} else None

    def at(self, point: Sequence[Fraction]) -> Fraction:
        """Return the value at parameters where the denominator does not vanish."""
        num, den = (
            sum((c * math.prod(point[v] ** k for v, k in e) for e, c in p.items()), F0)
            for p in (self.num, self.den)
        )
        prove(den != 0, "a denominator vanishes at the stated parameters")
        return num / den


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
    """Q, Q(α) or Q(a, b, …) as the problem states it, and the atoms met so far.

    Q(α): p monic of degree 2 to 16 and squarefree, p(lo)p(hi) < 0 and, by Sturm's theorem, exactly
    one root α in (lo, hi). Irreducibility is not needed: formal arithmetic is in Q[t]/p.
    Variables: 0 is α, or 0, 1, … are the parameters; atoms follow.
    """

    def __init__(self, value: Json) -> None:
        self.kind = value.get("kind") if type(value) is dict else None
        demand(self.kind in ("rational", "algebraic", "parametric"), "field: unknown kind")
        self.alpha: list[dict[int, Fraction]] = []  # coordinates of α^k, k ≤ 2·degree − 2
        self.atoms: list[tuple[Activation, Scalar]] = []
        self.enclosures: dict[tuple[int, int], Interval] = {}
        keys = {"algebraic": "minpoly root symbol", "parametric": "names"}.get(str(self.kind), "")
        take(value, "field", f"kind {keys}")
        names = take_list(value.get("names", [value.get("symbol", "t")]), "field: names")
        self.names = [take_text(name, "field: names", NAME) for name in names]
        demand(0 < len(names) == len(set(names)) <= 100, "field: not 1 to 100 different names")
        if self.kind == "algebraic":
            self.read_root(value)

    def read_root(self, value: Json) -> None:
        """Read minpoly and isolating interval, and check the side conditions."""
        p = [rational(c, "field: minpoly") for c in take_list(value["minpoly"], "field: minpoly")]
        low, high = (rational(c, "field: root") for c in take_list(value["root"], "field: root", 2))
        demand(3 <= len(p) <= 17 and p[-1] == 1, "field: minpoly is not monic of degree 2 to 16")
        chain, changes = sturm_chain(p), []
        demand(len(chain[-1]) == 1, "field: minpoly is not squarefree")
        demand(low < high and horner(p, low) * horner(p, high) < 0, "field: no sign change on root")
        for x in (low, high):
            signs = [s for s in (sign_of(horner(q, x)) for q in chain) if s]
            changes.append(sum(s != t for s, t in itertools.pairwise(signs)))
        demand(changes[0] - changes[1] == 1, "field: root does not isolate one root of minpoly")
        self.minpoly, self.low, self.high, power = p, low, high, [F1] + [F0] * (len(p) - 2)
        for _ in range(2 * len(p) - 3):
            self.alpha.append({j: c for j, c in enumerate(power) if c})
            power = [a - power[-1] * c for a, c in zip([F0, *power], p, strict=False)][:-1]

    def read(self, value: Json, where: str) -> Scalar:
        """Read a number: a rational, coordinates over 1, α, …, or {"den":P,"num":P}."""
        if self.kind == "rational":
            return rational(value, where)
        if self.kind == "algebraic":
            stated = [rational(c, where) for c in take_list(value, where, len(self.minpoly) - 1)]
            found = Element(self, {((0, k),) if k else (): c for k, c in enumerate(stated) if c})
        else:
            take(value, where, "den num")
            num, den = (self.read_polynomial(value[side], where) for side in ("num", "den"))
            demand(den != {}, f"{where}: a denominator is zero")
            found = Element(self, num, ONE if den == ONE else den)
        constant = found.rational()
        return found if constant is None else constant

    def read_polynomial(self, value: Json, where: str) -> Polynomial:
        """Read terms [exponents, coefficient], ascending, no coefficient zero."""
        terms: dict[tuple[int, ...], Fraction] = {}
        for term in take_list(value, where):
            exponents, c = take_list(term, where, 2)
            stated = take_list(exponents, where, len(self.names))
            e = tuple(take_int(k, where, 0, MAX_DEGREE) for k in stated)
            demand(e > max(terms, default=()), f"{where}: the terms of a polynomial do not ascend")
            terms[e] = rational(c, where)
            demand(terms[e] != 0, f"{where}: a polynomial has a zero coefficient")
        return {tuple((v, k) for v, k in enumerate(e) if k): c for e, c in terms.items()}

    def sign(self, x: Scalar) -> int | None:
        """Return the certified sign of x, or None."""
        known = x if isinstance(x, Fraction) else x.rational()
        if known is not None:
            return sign_of(known)
        variables = {v for e in (*x.num, *x.den) for v, _ in e}
        if self.kind == "parametric" and not variables.isdisjoint(range(len(self.names))):
            return None
        for bits in (64, 256, 1024, MAX_PRECISION):
            lo, hi = self.enclose(x, bits)
            if lo > 0 or hi < 0:
                return sign_of(lo)
        return None

    def differs(self, x: Scalar) -> bool:
        """Whether x ≠ 0, certified either way; over parameters as a rational function."""
        if self.kind == "parametric" and not has_atoms(self, x):
            return bool(x)
        sign = self.sign(x)
        prove(sign is not None, "a number is not certified to differ from 0")
        return sign != 0

    def enclose(self, x: Scalar, bits: int) -> Interval:
        """Return an interval that contains x, a number without parameters."""
        if isinstance(x, Fraction):
            return times_rational(x, (1 << bits, 1 << bits))
        lo = hi = 0
        for e, c in x.num.items():
            power = (1 << bits, 1 << bits)
            for variable, k in e:
                for _ in range(k):
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
                if sigma.reflection is not None and b == -known:
                    s, t, u = sigma.reflection
                    return s * variable + t * known + u
        limit(len(self.atoms), MAX_DEGREE, "atoms")
        self.atoms.append((sigma, b))
        return self.atom(sigma, b)


def has_atoms(field: Field, x: Scalar) -> bool:
    """Whether an atom stands in x."""
    return isinstance(x, Element) and any(v >= len(field.names) for e in x.num for v, _ in e)


def number_key(x: Scalar) -> Hashable:
    """Return a key, equal exactly for formally equal numbers; no denominators in parameters."""
    constant = x if isinstance(x, Fraction) else x.rational()
    if constant is None and x.den != ONE:
        raise TooLarge("a closed group with denominators in the parameters")
    return frozenset(x.num.items()) if constant is None else constant


def integers(values: Sequence[Scalar]) -> tuple[list[int], int] | None:
    """Return integers n_i and one d > 0 with x_i = n_i/d if all x_i are rational."""
    if not all(type(x) is Fraction for x in values):
        return None
    d = math.lcm(*(x.denominator for x in values))
    numerators = [x.numerator * (d // x.denominator) for x in values]
    limit(max(map(int.bit_length, (d, *numerators))), MAX_BITS, "bits of a number")
    return numerators, d


def product(rows: Rows, columns: Rows) -> list[list[Scalar]]:
    """Return the matrix product; of rational rows and columns by integers."""
    work = len(columns) * sum(map(len, rows))
    limit(work, MAX_PRODUCTS, "multiplications")
    right, result = [integers(column) for column in columns], []
    for row in rows:
        entries, left = [], integers(row)
        for column, ints in zip(columns, right, strict=True):
            if left is not None and ints is not None:
                entries.append(Fraction(sum(map(mul, left[0], ints[0])), left[1] * ints[1]))
            else:
                pairs = zip(row, column, strict=True)
                entries.append(sum((x * y for x, y in pairs if x and y), F0))
        result.append(entries)
    return result


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


def series(first: Interval, ratio: Callable[[int], tuple[int, int]]) -> Interval:
    """Enclose Σ t_n with t_0 in `first` ≥ 0 and t_n = t_{n−1}·ratio(n), a fraction ≥ 0.

    Bound: floors give lower, ceilings upper bounds of every term. The sum stops where the upper
    term is ≤ 1 and the ratio ≤ 1/2. All ratios used here decrease or stay ≤ 1/2, so that the
    remainder is ≤ 1/2 + 1/4 + … = 1 unit.
    """
    (low, high), (total_low, total_high) = first, first
    for n in itertools.count(1):
        p, q = ratio(n)
        low, high = low * p // q, -(-high * p // q)
        total_low, total_high = total_low + low, total_high + high
        if high <= 1 and 2 * p <= q:
            break
    return total_low, total_high + 1


def exp_negative(z: int, bits: int) -> Interval:
    """Enclose e^−t for t = z/2^bits ≥ 0.

    Bound: e^−t < 2^−bits for t ≥ bits. Else e^y by `series` at y = t/2^k ≤ 1/2 exactly (y is the
    integer z at bits + k), then the reciprocal and k squarings, each rounded outward.
    """
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


def silu(z: int, bits: int) -> Interval:
    """Enclose t·sigmoid t. Bound: it is max(t, 0) up to |t|e^−|t| ≤ 2^−bits for |t| ≥ 2·bits."""
    if abs(z) >> bits >= 2 * bits:
        return max(z, 0) - 1, max(z, 0) + 1
    return times((z, z), sigmoid(z << 16, bits + 16), bits + 16)


def softplus(z: int, bits: int) -> Interval:
    """Enclose log(1 + e^t) = max(t, 0) + log(1 + u), u = e^−|t|.

    Bound: log(1 + u) = 2·artanh v, v = u/(2 + u) ≤ 1/3, by `series` of ratio < v² ≤ 1/9 at the
    lower end of u; the slope in u is ≤ 1, so the width of u is added above.
    """
    work = bits + 8
    u, upper = exp_negative(abs(z) << 8, work)
    d = (2 << work) + u
    first = (2 * u << work) // d, -(-(2 * u << work) // d)
    lo, hi = series(first, lambda n: (u * u * (2 * n - 1), d * d * (2 * n + 1)))
    lo, hi = outward((lo, hi + upper - u), 8)
    return max(z, 0) + lo, max(z, 0) + hi


def elu(z: int, bits: int) -> Interval:
    """Enclose t for t ≥ 0, e^t − 1 below."""
    lo, hi = exp_negative(max(-z, 0), bits)
    return (z, z) if z >= 0 else (lo - (1 << bits), hi - (1 << bits))


def arctan_fraction(p: int, q: int, bits: int) -> Interval:
    """Enclose arctan(p/q), 0 ≤ p ≤ q.

    Bound: Euler's series Σ 2^2n (n!)²/(2n+1)! · t^(2n+1)/(1+t²)^(n+1), all terms ≥ 0, ratio
    t²/(1+t²) · 2n/(2n+1) ≤ 1/2.
    """
    s = p * p + q * q
    first = (p * q << bits) // s, -(-(p * q << bits) // s)
    return series(first, lambda n: (p * p * 2 * n, s * (2 * n + 1)))


@lru_cache(maxsize=64)
def pi(bits: int) -> Interval:
    """Enclose π = 16·arctan(1/5) − 4·arctan(1/239) (Machin)."""
    a, b = arctan_fraction(1, 5, bits + 8), arctan_fraction(1, 239, bits + 8)
    return outward((16 * a[0] - 4 * b[1], 16 * a[1] - 4 * b[0]), 8)


def arctan(z: int, bits: int) -> Interval:
    """Enclose arctan t; for t > 1 it is π/2 − arctan(1/t), π/2 being π at one bit less."""
    a, one = abs(z), 1 << bits
    lo, hi = arctan_fraction(min(a, one), max(a, one), bits + 8)
    if a > one:
        lo, hi = pi(bits + 7)[0] - hi, pi(bits + 7)[1] - lo
    return odd(z, outward((lo, hi), 8))


def sin(z: int, bits: int) -> Interval:
    """Enclose sin t; [−1, 1] when t has more than 20,000 bits before the point.

    Bound: s = t − 2πn, |s| ≤ 4, with the lower end of π; the error |n|·2·width(π) is added
    (slope ≤ 1). sin s = Σ s^(4n+1)/(4n+1)! − Σ s^(4n+3)/(4n+3)!, both of decreasing ratio.
    """
    size = (abs(z) >> bits).bit_length()
    if size > 20_000:
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


@lru_cache(maxsize=64)
def gauss_factor(m: int, bits: int) -> Interval:
    """Enclose 2/√(πm) = √(4/(πm))."""
    low, high = ((4 << 3 * bits) // (m * x) for x in reversed(pi(bits)))
    return math.isqrt(low), math.isqrt(high) + 1


def erf_root(z: int, m: int, bits: int) -> Interval:
    """Enclose erf(t/√m), m = 1 or 2.

    Bound: with y² = t²/m, 1 − erf y ≤ e^−y² ≤ 2^−bits for y² ≥ bits. Else erf y is
    2/√(πm) · e^−y² · t·Σ (2y²)^n/(2n+1)!!, all terms ≥ 0, decreasing ratio. The sum is below
    t·e^y² ≤ t·2^(2y²): as many more bits keep the error of e^−y² small.
    """
    a, one = abs(z), 1 << bits
    if a * a >= (m * bits) << 2 * bits:
        return odd(z, (one - 1, one))
    grow = (a * a // m >> 2 * bits) + 1
    work = -(-(2 * bits + 2 * grow + 16) // 64) * 64
    decay, first = exp_negative(a * a << work - 2 * bits - (m - 1), work), a << work - bits
    total = series((first, first), lambda n: (2 * a * a, m * (2 * n + 1) << 2 * bits))
    lo, hi = outward(times(times(decay, total, work), gauss_factor(m, work), work), work - bits)
    return odd(z, (lo, min(hi, one)))


def erf(z: int, bits: int) -> Interval:
    """Enclose erf t."""
    return erf_root(z, 1, bits)


def gelu(z: int, bits: int) -> Interval:
    """Enclose t(1 + erf(t/√2))/2. Bound: max(t, 0) up to e^(−t²/2) ≤ 2^−bits for t² ≥ 2·bits."""
    if z * z >= (2 * bits) << 2 * bits:
        return max(z, 0) - 1, max(z, 0) + 1
    lo, hi = erf_root(z << 16, 2, bits + 16)
    return times((z, z), ((1 << bits + 16) + lo, (1 << bits + 16) + hi), bits + 17)


# -------------------------------------------------------------------------- activations


@dataclass(frozen=True)
class Activation:
    """σ, its group K(σ) and how it is evaluated: the table of SPEC.md.

    group: which α are admitted: affine (none: σ is folded by rule affine), one, sign (±1),
    positive, nonzero. minus: (λ, ν) of α = −1 in the group sign. reflection: (s, t, u) with
    σ(−z) = sσ(z) + tz + u. enclosure: of σ at a point, `slope` ≥ |σ′|. pieces: (slope, intercept)
    between the kinks. coefficients: of a polynomial, ascending.
    """

    name: str
    group: str
    minus: tuple[int | Fraction, int | Fraction] = (0, 0)
    reflection: tuple[int, Fraction, int] | None = None
    enclosure: Callable[[int, int], Interval] | None = None
    slope: int = 1
    centre: Fraction = F0
    kinks: tuple[int, ...] = ()
    pieces: tuple[tuple[Fraction, int], ...] = ()
    coefficients: tuple[Fraction, ...] = ()


ODD, EVEN_LINEAR = (-1, F0, 0), (1, -F1, 0)
CLAMP, RELU6 = ((F0, -1), (F1, 0), (F0, 1)), ((F0, 0), (F1, 0), (F0, 6))
TABLE = (
    Activation("identity", "affine", coefficients=(F0, F1)),
    Activation("tanh", "sign", (-1, 0), ODD, tanh),
    Activation("arctan", "sign", (-1, 0), ODD, arctan),
    Activation("erf", "sign", (-1, 0), ODD, erf, 2),
    Activation("sin", "sign", (-1, 0), ODD, sin),
    Activation("sigmoid", "sign", (-1, 1), (-1, F0, 1), sigmoid),
    Activation("softplus", "one", (0, 0), EVEN_LINEAR, softplus),
    Activation("silu", "one", (0, 0), EVEN_LINEAR, silu, 2),
    Activation("gelu", "one", (0, 0), EVEN_LINEAR, gelu, 2),
    Activation("elu", "one", (0, 0), None, elu),
    Activation("relu", "positive", (0, 0), EVEN_LINEAR, kinks=(0,), pieces=((F0, 0), (F1, 0))),
    Activation("abs", "nonzero", (0, 0), (1, F0, 0), kinks=(0,), pieces=((-F1, 0), (F1, 0))),
    Activation("hard_tanh", "sign", (-1, 0), ODD, kinks=(-1, 1), pieces=CLAMP),
    Activation("relu6", "sign", (-1, 6), centre=Fraction(3), kinks=(0, 6), pieces=RELU6),
)
ACTIVATIONS = {sigma.name: sigma for sigma in TABLE}


def leaky_relu(s: Fraction) -> Activation:
    """max(z, 0) + s·min(z, 0), s not 0, 1, −1."""
    demand(s not in (0, 1, -1), "activation: leaky_relu of slope 0, 1, -1 is relu, identity, abs")
    reflection, pieces = (1, -1 - s, 0), ((s, 0), (F1, 0))
    return Activation(f"leaky {s}", "positive", (0, 0), reflection, kinks=(0,), pieces=pieces)


def polynomial(coefficients: Sequence[Fraction]) -> Activation:
    """σ of degree r with centre c = −a_{r−1}/(r·a_r) and σ(z) = Σ p_k (z−c)^k; degree ≤ 1: affine.

    K: every α ≠ 0 if p_k = 0 for 0 < k < r: (α^r, p_0(1 − α^r)); ±1 if all k ≥ 1 with p_k ≠ 0
    have one parity: −1 ↦ (s, p_0(1 − s)), s = (−1)^r; else 1 only. `minus` is that of −1.
    """
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
    return Activation(name, group, minus, centre=centre, coefficients=found)


def read_activation(value: Json, where: str) -> Activation:
    """Read a name, {"leaky_relu":s} or {"polynomial":[c0,…]}."""
    if type(value) is str and value in ACTIVATIONS:
        return ACTIVATIONS[value]
    if type(value) is dict and value.keys() == {"leaky_relu"}:
        return leaky_relu(rational(value["leaky_relu"], where))
    demand(type(value) is dict and value.keys() == {"polynomial"}, f"{where}: unknown activation")
    return polynomial([rational(c, where) for c in take_list(value["polynomial"], where)])


def transport(field: Field, sigma: Activation, alpha: Scalar) -> tuple[Scalar, Scalar]:
    """(λ, ν) with σ(αz + c(1−α)) = λσ(z) + ν for all z; refused unless σ admits α."""
    if sigma.group != "affine" and alpha == F1:
        return F1, F0
    if sigma.group == "sign" and alpha == -F1:
        return Fraction(sigma.minus[0]), Fraction(sigma.minus[1])
    if sigma.group == "positive" and field.sign(alpha) == 1:
        return alpha, F0
    prove(sigma.group == "nonzero" and field.differs(alpha), "the activation admits no such scale")
    if sigma.pieces:
        sign = field.sign(alpha)
        prove(sign is not None, "the sign of a scale depends on the parameters")
        return alpha * sign, F0
    power: Scalar = F1
    for _ in sigma.coefficients[1:]:
        power = power * alpha
    return power, horner(sigma.coefficients, sigma.centre) * (1 - power)


def image(field: Field, sigma: Activation, x: Scalar) -> Scalar:
    """σ(x): evaluated where a rule does so, else an atom."""
    if sigma.coefficients and not has_atoms(field, x):
        size = x.denominator.bit_length() if isinstance(x, Fraction) else 0
        limit(len(sigma.coefficients) * size, MAX_BITS, "bits of a power")
        return horner(sigma.coefficients, x)
    signs = [field.sign(x - kink) for kink in sigma.kinks or (0,)]
    if sigma.pieces and None not in signs:
        slope, intercept = sigma.pieces[sum(s != -1 for s in signs)]
        return slope * x + intercept
    if sigma.name == "elu" and signs[0] in (0, 1):
        return x
    at_zero = {"sigmoid": Fraction(1, 2), "silu": F0, "gelu": F0}
    if not x and (sigma.reflection == ODD or sigma.name in at_zero):
        return at_zero.get(sigma.name, F0)
    return field.atom(sigma, x)


def enclose_activation(sigma: Activation, x: Interval, bits: int) -> Interval:
    """Enclose σ on an interval.

    Polynomials by Horner's rule. Piecewise-linear σ is extreme at ends and kinks. Else the value at
    the midpoint ± the radius times the bound of |σ′|.
    """
    lo, hi = x
    size = max(-lo, hi).bit_length() * max(1, len(sigma.coefficients))
    limit(size, MAX_BITS, "bits of an enclosure")
    if sigma.enclosure is not None:
        middle = (lo + hi) // 2
        bottom, top = sigma.enclosure(middle, bits)
        radius = sigma.slope * max(hi - middle, middle - lo)
        return bottom - radius, top + radius
    if sigma.pieces:
        ends = [lo, hi, *(k << bits for k in sigma.kinks if lo < k << bits < hi)]
        lines = [(z, sigma.pieces[sum(z >= k << bits for k in sigma.kinks)]) for z in ends]
        images = [(times_rational(a, (z, z)), b << bits) for z, (a, b) in lines]
        return min(y[0] + b for y, b in images), max(y[1] + b for y, b in images)
    value = (0, 0)
    for c in reversed(sigma.coefficients):
        product_of, constant = times(value, x, bits), times_rational(c, (1 << bits, 1 << bits))
        value = product_of[0] + constant[0], product_of[1] + constant[1]
    return value


# ------------------------------------------------------------------- affine maps, networks


@dataclass(frozen=True)
class Map:
    """x ↦ Ax + s: the rows of A by their non-zero entries (column, value), and s."""

    rows: list[list[tuple[int, Scalar]]]
    shift: list[Scalar]

    def apply(self, x: Sequence[Scalar]) -> list[Scalar]:
        """ρ(x)."""
        lines = zip(self.rows, self.shift, strict=True)
        return [sum((a * x[k] for k, a in row), s) for row, s in lines]

    def homogeneous(self) -> list[list[Scalar]]:
        """Full rows of (A|s; 0|1)."""
        full = [[F0] * len(self.rows) + [s] for s in [*self.shift, F1]]
        for line, row in zip(full, self.rows, strict=False):
            for k, a in row:
                line[k] = a
        return full

    def is_monomial(self) -> bool:
        """Whether every row of A, an invertible matrix, has one entry."""
        return all(len(row) == 1 for row in self.rows)

    def pull_back(self, rows: Rows) -> list[list[Scalar]]:
        """(W|b)∘ρ = (WA|Ws + b); for monomial A columns move and scale."""
        if not self.is_monomial():
            return product(rows, list(zip(*self.homogeneous(), strict=True)))
        order = sorted(range(len(self.rows)), key=lambda i: self.rows[i][0][0])
        moves = [(i, self.rows[i][0][1]) for i in order]
        shifts: Rows = [[F0]] * len(rows)
        if any(self.shift):
            shifts = product([row[:-1] for row in rows], [self.shift])
        return [
            [*(row[i] if a is F1 else row[i] * a for i, a in moves), row[-1] + s]
            for row, (s,) in zip(rows, shifts, strict=True)
        ]

    def push_forward(self, rows: Rows) -> list[list[Scalar]]:
        """ρ∘(W|b) = (AW|Ab + s); for monomial A rows move and scale."""
        if self.is_monomial():
            found = [[x if a is F1 else a * x for x in rows[k]] for ((k, a),) in self.rows]
        else:
            full = [line[:-1] for line in self.homogeneous()[:-1]]
            found = product(full, list(zip(*rows, strict=True)))
        return [[*row[:-1], row[-1] + s] for row, s in zip(found, self.shift, strict=True)]

    def key(self) -> Hashable:
        """Return a key, equal exactly for formally equal maps."""
        rows = tuple(frozenset((k, number_key(a)) for k, a in row) for row in self.rows)
        return rows, tuple(map(number_key, self.shift))


def monomial(order: Sequence[int], scale: Sequence[Scalar] | None = None) -> Map:
    """Return x ↦ (α_i x_{p_i})_i; all α_i are 1 if none are given."""
    scales = [F1] * len(order) if scale is None else scale
    return Map([[(k, a)] for k, a in zip(order, scales, strict=True)], [F0] * len(order))


def compose(rho: Map, tau: Map) -> Map:
    """ρ∘τ."""
    rows = []
    for row in rho.rows:
        total: dict[int, Scalar] = {}
        for k, a in row:
            for m, b in tau.rows[k]:
                total[m] = total[m] + a * b if m in total else a * b
        rows.append([(m, c) for m, c in total.items() if c])
    return Map(rows, rho.apply(tau.shift))


def rational_inverse(matrix: Rows, where: str) -> Rows:
    """Inverse over Q by Gauss–Jordan elimination of (A|I)."""
    rows = [[*row, *(Fraction(i == j) for j in range(len(matrix)))] for i, row in enumerate(matrix)]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            raise Malformed(f"{where}: the matrix is singular")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        top = rows[k] = [x / rows[k][k] for x in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [x - row[k] * y if y else x for x, y in zip(row, top, strict=True)]
    return [row[len(rows) :] for row in rows]


@dataclass
class Layer:
    """h ↦ σ(Wh + b), by the rows (W|b)."""

    rows: list[list[Scalar]]
    sigma: Activation


@dataclass
class Network:
    """Dense layers, the last one with σ = identity."""

    field: Field
    inputs: int
    layers: list[Layer]

    @property
    def hidden(self) -> list[Layer]:
        """All layers but the last."""
        return self.layers[:-1]

    def copy(self) -> Network:
        """Return a network whose weights may be changed in place."""
        layers = [Layer([list(row) for row in layer.rows], layer.sigma) for layer in self.layers]
        return replace(self, layers=layers)


@dataclass(frozen=True)
class Problem:
    """A network and the pairs (ρ_in, ρ_out) that generate the group."""

    network: Network
    generators: dict[str, tuple[Map, Map]]


Tensors: TypeAlias = dict[str, tuple[list[int], list[Fraction]]]


def read_tensors(folder: Path, value: Json) -> Tensors:
    """Floats of a safetensors file as exact dyadic rationals; the offsets cover the data."""
    take(value, "tensors", "file sha256")
    name = take_text(value["file"], "tensors: file", r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
    data = read_bytes(folder / name, MAX_TENSOR_BYTES)
    same = value["sha256"] == hashlib.sha256(data).hexdigest()
    prove(same, f"{name}: SHA-256 differs from that in network.json")
    end = 8 + int.from_bytes(data[:8], "little")
    demand(8 < end <= min(len(data), MAX_JSON_BYTES), f"{name}: the header is cut off")
    header, data, end = read_json(data[8:end], name)[0], data[end:], 0
    for entry in header.values():
        offsets = take_list(take(entry, name, "data_offsets dtype shape")["data_offsets"], name, 2)
        entry["span"] = [take_int(x, name, 0, len(data)) for x in offsets]
        shape = take_list(entry["shape"], name)
        entry["shape"] = [take_int(n, name, 1, MAX_WEIGHTS) for n in shape]
        demand(entry["dtype"] in ("F64", "F32"), f"{name}: dtype is not F64 or F32")
    tensors: Tensors = {}
    for key, entry in sorted(header.items(), key=lambda item: item[1]["span"]):
        (begin, stop), floats = entry["span"], array.array("d" if entry["dtype"] == "F64" else "f")
        fits = begin == end and stop - begin == math.prod(entry["shape"]) * floats.itemsize
        demand(fits, f"{name}: the offsets do not cover the data in order")
        limit((stop - begin) // floats.itemsize, MAX_WEIGHTS, f"{name}: numbers")
        floats.frombytes(data[begin:stop])
        if sys.byteorder == "big":
            floats.byteswap()
        demand(all(map(math.isfinite, floats)), f"{name}: a number is not finite")
        tensors[key], end = (entry["shape"], list(map(Fraction, floats))), stop
    demand(end == len(data), f"{name}: bytes after the last tensor")
    return tensors


def read_tensor(value: Json, tensors: Tensors, shape: list[int], where: str) -> list[Scalar]:
    """Return the numbers of the tensor {"tensor":name} of this shape; −1 fits any size."""
    name = take(value, where, "tensor")["tensor"]
    demand(type(name) is str and name in tensors, f"{where}: no such tensor")
    found, numbers = tensors[name]
    fits = len(found) == len(shape) and all(n in (-1, m) for n, m in zip(shape, found, strict=True))
    demand(fits, f"{where}: the shape of the tensor does not fit")
    return list(numbers)


def read_layer(field: Field, value: Json, inputs: int, tensors: Tensors, where: str) -> Layer:
    """Read one dense layer; weight and bias are lists of scalars or tensors."""
    take(value, where, "activation bias kind weight")
    demand(value["kind"] == "dense", f"{where}: kind is not dense")
    weight, bias = value["weight"], value["bias"]
    sigma = read_activation(value["activation"], where)
    if type(weight) is dict:
        numbers = read_tensor(weight, tensors, [-1, inputs], where)
        rows = [numbers[k : k + inputs] for k in range(0, len(numbers), inputs)]
    else:
        rows = read_rows(field, weight, f"{where}: weight", inputs)
    demand(len(rows) > 0, f"{where}: no neurons")
    if type(bias) is dict:
        entries = read_tensor(bias, tensors, [len(rows)], where)
    else:
        (entries,) = read_rows(field, [bias], f"{where}: bias", len(rows))
    return Layer([[*row, b] for row, b in zip(rows, entries, strict=True)], sigma)


def read_rows(field: Field, value: Json, where: str, width: int) -> list[list[Scalar]]:
    """Read rows of scalars, of this width."""
    lines = [take_list(line, where, width) for line in take_list(value, where)]
    return [[field.read(x, where) for x in line] for line in lines]


def read_network(field: Field, value: Json, folder: Path) -> Network:
    """Read the network of network.json."""
    where = "network.json"
    take(value, where, "field format inputs layers version", "name tensors")
    take_text(value.get("name", ""), f"{where}: name")
    inputs = width = take_int(value["inputs"], f"{where}: inputs", 1, MAX_WEIGHTS)
    demand("tensors" not in value or field.kind == "rational", "tensors: not over this field")
    tensors = read_tensors(folder, value["tensors"]) if "tensors" in value else {}
    layers, count = [], 0
    for i, entry in enumerate(take_list(value["layers"], f"{where}: layers")):
        limit(i, MAX_LAYERS, f"{where}: layers")
        layers.append(read_layer(field, entry, width, tensors, f"{where}: layer {i}"))
        count, width = count + width * len(layers[i].rows), len(layers[i].rows)
        limit(count, MAX_WEIGHTS, f"{where}: weights")
    last = layers[-1].sigma.name if layers else ""
    demand(last == "identity", f"{where}: no last layer with activation identity")
    return Network(field, inputs, layers)


def read_permutation(value: Json, where: str, n: int) -> list[int]:
    """Read a bijection of 0, …, n−1."""
    found = [take_int(k, where, 0, n - 1) for k in take_list(value, where, n)]
    demand(len(set(found)) == n, f"{where}: not a permutation")
    return found


def read_map(field: Field, value: Json, where: str, n: int) -> tuple[Map, Map]:
    """Read an invertible affine map of an n-dimensional space; returns it and its inverse."""
    if value == "trivial":
        return monomial(range(n)), monomial(range(n))
    demand(type(value) is dict, f"{where}: neither trivial nor an object")
    shift = [F0] * n
    if "shift" in value:
        (shift,) = read_rows(field, [value["shift"]], f"{where}: shift", n)
    if "permutation" in value:
        take(value, where, "permutation", "shift signs")
        order = read_permutation(value["permutation"], where, n)
        stated = take_list(value.get("signs", [1] * n), where, n)
        signs = [take_int(s, f"{where}: signs", -1, 1) for s in stated]
        demand(all(signs), f"{where}: a sign is 0")
        scale = [F1 if s == 1 else -F1 for s in signs]
        back = sorted(range(n), key=order.__getitem__)
        rho, inverse = monomial(order, scale), monomial(back, [scale[i] for i in back])
    else:
        limit(n, MAX_DENSE, f"{where}: rows of a matrix")
        take(value, where, "matrix" if field.kind == "rational" else "inverse matrix", "shift")
        matrix = read_rows(field, value["matrix"], where, n)
        demand(len(matrix) == n, f"{where}: the matrix is not square")
        other = rational_inverse(matrix, where) if field.kind == "rational" else None
        other = read_rows(field, value["inverse"], where, n) if other is None else other
        rho, inverse = (
            Map([[(k, a) for k, a in enumerate(row) if a] for row in rows], [F0] * n)
            for rows in (matrix, other)
        )
        one = compose(rho, inverse).key() == monomial(range(n)).key()
        demand(one, f"{where}: inverse is not the inverse of the matrix")
    return replace(rho, shift=shift), replace(inverse, shift=[-x for x in inverse.apply(shift)])


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


def read_action(field: Field, value: Json, sizes: tuple[int, int]) -> dict[str, tuple[Map, Map]]:
    """Read the pairs (ρ_in, ρ_out); every relator must hold on both sides."""
    where = "action.json"
    take(value, where, "field format generators version", "group relators")
    take_text(value.get("group", ""), f"{where}: group")
    stated = value["generators"]
    demand(type(stated) is dict and len(stated) > 0, f"{where}: no generators, nothing is claimed")
    limit(len(stated), MAX_GENERATORS, f"{where}: generators")
    words = take_list(value.get("relators", []), f"{where}: relators")
    relators = [letters(word) for word in words]
    sides: list[list[Map]] = []
    for side, n in zip(("input", "output"), sizes, strict=True):
        maps: dict[tuple[str, int], Map] = {}
        for name, entry in stated.items():
            place = f"{where}: {side} of generator {take_text(name, 'a generator', NAME)[:40]}"
            pair = read_map(field, take(entry, place, "input output")[side], place, n)
            maps[name, 1], maps[name, -1] = pair
        for i, word in enumerate(relators):
            result = one = monomial(range(n))
            for letter in word:
                demand(letter in maps, f"{where}: relator {i} names no generator")
                result = compose(result, maps[letter])
            demand(result.key() == one.key(), f"{where}: relator {i} fails on the {side}")
        sides.append([maps[name, 1] for name in stated])
    return dict(zip(stated, zip(*sides, strict=True), strict=True))


# ------------------------------------------------------------------------------- rules

Latents: TypeAlias = list[dict[str, Map]]  # for every hidden layer, by generator


def read_latent(field: Field, value: Json, width: int, where: str) -> Map:
    """Read p and α of an element of K; its shift c(1−α) is implied."""
    take(value, where, "permutation", "scale")
    order = read_permutation(value["permutation"], where, width)
    scale = read_rows(field, [value["scale"]], where, width)[0] if "scale" in value else None
    return monomial(order, scale)


def read_latents(problem: Problem, network: Network, value: Json) -> Latents:
    """One object {generator: latent} for each hidden layer."""
    names, stated = " ".join(problem.generators), take_list(value, "latents", len(network.hidden))
    return [
        {
            name: read_latent(network.field, latent, len(layer.rows), f"latents: layer {i}")
            for name, latent in take(entry, f"latents: layer {i}", names).items()
        }
        for i, (layer, entry) in enumerate(zip(network.hidden, stated, strict=True))
    ]


def multiple(sigma: Activation, row: Sequence[Scalar], alpha: Scalar) -> list[Scalar]:
    """(αw|αb + c(1−α)): the row that K carries (w|b) to."""
    found = [alpha * x for x in row]
    return [*found[:-1], found[-1] + sigma.centre * (1 - alpha)]


def push_through(field: Field, layer: Layer, rho: Map, latent: Map, where: str) -> Map:
    """Rule L. Carry the action ρ of one generator through one hidden layer.

    If (W|b)∘ρ = K∘(W|b), K: z_i ↦ α_i z_{p_i} + c(1−α_i), and σ admits every α_i, then
    σ∘(W|b)∘ρ = ρ′∘σ∘(W|b) with ρ′: h_i ↦ λ_i h_{p_i} + ν_i, which is computed here.
    """
    lines, shift = [], []
    pairs = zip(rho.pull_back(layer.rows), latent.rows, strict=True)
    for i, (row, ((p, alpha),)) in enumerate(pairs):
        factor, constant = transport(field, layer.sigma, alpha)
        carried = layer.rows[p] if alpha is F1 else multiple(layer.sigma, layer.rows[p], alpha)
        same = row == carried
        prove(same, f"{where}: row {i} of (W|b) after rho is not the scaled row {p} of (W|b)")
        lines.append([(p, factor)])
        shift.append(constant)
    return Map(lines, shift)


def check_layerwise(problem: Problem, network: Network, latents: Latents) -> None:
    """Rules L and O for every generator: each layer is equivariant under the latents.

    Rule O. In the last layer (W|b)∘ρ = ρ_out∘(W|b), formally.
    """
    last = network.layers[-1].rows
    for name, (rho, rho_out) in problem.generators.items():
        for i, (layer, latent) in enumerate(zip(network.hidden, latents, strict=True)):
            where = f"generator {name}, layer {i}"
            rho = push_through(network.field, layer, rho, latent[name], where)
        pairs = zip(rho.pull_back(last), rho_out.push_forward(last), strict=True)
        for i, (row, expected) in enumerate(pairs):
            prove(row == expected, f"generator {name}: row {i} breaks the output equation")


def is_equivalent(field: Field, sigma: Activation, *pair: Sequence[Scalar]) -> bool:
    """Whether w′ = αw and b′ − c = α(b − c), α admitted by σ; w ≠ 0; certified either way.

    α is n/d with d the first entry of w that is certified ≠ 0, n the entry of w′ there.
    """
    v, w = ([*row[:-1], row[-1] - sigma.centre] for row in pair)
    k = next(k for k, x in enumerate(v) if field.differs(x))
    ratios = [(F1, F1), (-F1, F1)][: 1 + (sigma.group == "sign")]
    if sigma.group not in ("one", "sign"):
        ratios = [(w[k], v[k])] if field.differs(w[k]) else []
    for n, d in ratios:
        if not any(field.differs(d * y - n * x) for x, y in zip(v, w, strict=True)):
            if sigma.group != "positive":
                return True
            sign = field.sign(ratio(field, n, d))
            prove(sign is not None, "the sign of the ratio of two rows depends on the parameters")
            return sign == 1
    return False


def ratio(field: Field, n: Scalar, d: Scalar) -> Scalar:
    """Return a number of the sign of n/d, d ≠ 0; over parameters n/d itself."""
    if isinstance(d, Element) and field.kind == "parametric":
        return Element(field, d.den, d.num) * n
    return n * d


def check_forced(field: Field, layer: Layer, where: str) -> None:
    """Rule F. σ is not affine; the rows have w ≠ 0 and are pairwise inequivalent.

    So a latent of this layer is unique if it exists. Over Q equivalent rows have one primitive
    integer vector w up to sign, which sorts them into classes.
    """
    prove(layer.sigma.group != "affine", f"{where}: the activation is affine")
    classes: dict[Hashable, list[int]] = {}
    for i, row in enumerate(layer.rows):
        prove(any(map(field.differs, row[:-1])), f"{where}: row {i} is zero")
        exact = integers(row[:-1]) if field.kind == "rational" else None
        vector = [1] if exact is None else exact[0]
        divisor = math.gcd(*vector) * next(sign_of(n) for n in vector if n)
        rivals = classes.setdefault(tuple(n // divisor for n in vector), [])
        for j in rivals:
            same = is_equivalent(field, layer.sigma, layer.rows[j], row)
            prove(not same, f"{where}: rows {j} and {i} are equivalent")
        rivals.append(i)


def check_reduced(network: Network) -> None:
    """Rule H. Rule F in every hidden layer, and no column of the next weight is zero.

    So nothing is left to reduce, and forced latents are a homomorphism of the generated group.
    """
    for i, (layer, following) in enumerate(itertools.pairwise(network.layers)):
        check_forced(network.field, layer, f"layer {i}")
        for j in range(len(layer.rows)):
            used = any(network.field.differs(row[j]) for row in following.rows)
            prove(used, f"layer {i}: neuron {j} is not used by the next layer")


# ------------------------------------------------------------------------------- steps


def locate(network: Network, step: Json, keys: str) -> tuple[int, Layer, Layer, list[int]]:
    """Return the index of the hidden layer of a step, it, the next one, and the stated neurons."""
    take(step, "steps", f"layer rule {keys}" + (" scale" if step["rule"] == "merge" else ""))
    i = take_int(step["layer"], "steps: layer", 0, len(network.hidden) - 1)
    top = len(network.layers[i].rows) - 1
    neurons = [take_int(step[key], f"steps: {key}", 0, top) for key in keys.split()]
    return i, network.layers[i], network.layers[i + 1], neurons


def remove_neuron(layer: Layer, following: Layer, j: int) -> None:
    """Delete row j of a layer and column j of the next weight."""
    del layer.rows[j]
    for row in following.rows:
        del row[j]


def step_affine(network: Network, step: Json) -> None:
    """Rule affine. σ = pz + q: two layers become one, (W′|b′)∘(pW|pb + q)."""
    i, layer, following, _ = locate(network, step, "")
    prove(layer.sigma.group == "affine", f"step affine: the activation of layer {i} is not affine")
    q, p = (*layer.sigma.coefficients, F0)[:2]
    inner = [[*(p * x for x in row[:-1]), p * row[-1] + q] for row in layer.rows]
    inner.append([F0] * (len(layer.rows[0]) - 1) + [F1])
    rows = product(following.rows, list(zip(*inner, strict=True)))
    network.layers[i : i + 2] = [Layer(rows, following.sigma)]


def step_drop(network: Network, step: Json) -> None:
    """Rule drop. Column j of the next weight is formally zero: neuron j goes."""
    i, layer, following, (j,) = locate(network, step, "neuron")
    unused = not any(row[j] for row in following.rows)
    prove(unused, f"step drop: neuron {j} of layer {i} is used by the next layer")
    remove_neuron(layer, following, j)


def step_fold(network: Network, step: Json) -> None:
    """Rule fold. Row j of W is formally zero: b′ += W′[:,j]·σ(b_j), neuron j goes."""
    i, layer, following, (j,) = locate(network, step, "neuron")
    prove(not any(layer.rows[j][:-1]), f"step fold: row {j} of layer {i} is not zero")
    constant = image(network.field, layer.sigma, layer.rows[j][-1])
    for row in following.rows:
        row[-1] = row[-1] + row[j] * constant
    remove_neuron(layer, following, j)


def step_merge(network: Network, step: Json) -> None:
    """Rule merge. Formally w_j = αw_i, b_j − c = α(b_i − c), i ≠ j, σ admits α.

    So σ(z_j) = λσ(z_i) + ν: W′[:,i] += λW′[:,j], b′ += νW′[:,j], neuron j goes.
    """
    layer_index, layer, following, (i, j) = locate(network, step, "keep drop")
    where = f"step merge, layer {layer_index}"
    alpha = network.field.read(step["scale"], "steps: scale")
    prove(i != j, f"{where}: a neuron is merged with itself")
    same = layer.rows[j] == multiple(layer.sigma, layer.rows[i], alpha)
    prove(same, f"{where}: row {j} is not the multiple of row {i}")
    factor, constant = transport(network.field, layer.sigma, alpha)
    for row in following.rows:
        row[i], row[-1] = row[i] + factor * row[j], row[-1] + constant * row[j]
    remove_neuron(layer, following, j)


def step_collapse(network: Network, step: Json) -> None:
    """Rule collapse. All hidden layers, at least one, have width 0: the last bias is left."""
    take(step, "steps", "rule")
    empty = len(network.hidden) > 0 and not any(layer.rows for layer in network.hidden)
    prove(empty, "step collapse: a hidden layer has neurons, or there is none")
    rows = [[*[F0] * network.inputs, b] for (b,) in network.layers[-1].rows]
    network.layers = [Layer(rows, network.layers[-1].sigma)]


STEPS: dict[str, Callable[[Network, Json], None]] = {
    "affine": step_affine,
    "drop": step_drop,
    "fold": step_fold,
    "merge": step_merge,
    "collapse": step_collapse,
}


def replay(network: Network, value: Json) -> tuple[Network, Network]:
    """Networks after the leading affine steps and after all steps: the same function."""
    network, base = network.copy(), None
    for step in take_list(value, "steps"):
        rule = step.get("rule") if type(step) is dict else None
        demand(type(rule) is str and rule in STEPS, "steps: unknown rule")
        demand(base is None or rule != "affine", "steps: affine steps come first")
        base = network.copy() if base is None and rule != "affine" else base
        STEPS[str(rule)](network, step)
    return base or network.copy(), network


def check_embedding(base: Network, reduced: Network, value: Json) -> None:
    """Rule E. Reduced neuron k of hidden layer l sits at positions[l][k] of the base width.

    All other neurons get zero row, bias and outgoing column, and K = 1: then rules L and O hold for
    the padded network because they hold for the reduced one.
    """
    where = "embedding: positions"
    stated = take_list(take(value, where, "positions")["positions"], where, len(reduced.hidden))
    for layer, small, entry in zip(base.hidden, reduced.hidden, stated, strict=True):
        found = take_list(entry, where, len(small.rows))
        found = [take_int(k, where, 0, len(layer.rows) - 1) for k in found]
        demand(all(k < m for k, m in itertools.pairwise(found)), f"{where} do not increase")


# ------------------------------------------------------- the given parameter, obstructions


def check_acts(problem: Problem, latents: Latents) -> int:
    """Rule G. Equal pairs (ρ_in, ρ_out) carry equal latents; returns the order of the group.

    All elements are products s·g of generators s. Elements that differ from 1 formally are
    certified to do so, so that formally different elements are different.
    """
    field = problem.network.field
    moves = [(*pair, *(k[name] for k in latents)) for name, pair in problem.generators.items()]
    one = tuple(monomial(range(len(rho.rows))) for rho in moves[0])
    unit = [rho.key() for rho in one]
    carried, queue = {tuple(unit[:2]): unit[2:]}, [one]
    for element, move in ((e, m) for e in queue for m in moves):
        found = tuple(compose(s, g) for s, g in zip(move, element, strict=True))
        keys = [rho.key() for rho in found]
        if tuple(keys[:2]) not in carried:
            different = any(differs_from_one(field, rho) for rho in found[:2])
            prove(different, "given: an element is not certified to differ from 1")
            carried[tuple(keys[:2])] = keys[2:]
            queue.append(found)
            within = len(carried) <= MAX_ELEMENTS
            prove(within, f"given: the group has more than {MAX_ELEMENTS} elements")
        same = carried[tuple(keys[:2])] == keys[2:]
        prove(same, "given: equal elements carry different latents")
    return len(carried)


def differs_from_one(field: Field, rho: Map) -> bool:
    """Whether ρ ≠ 1, certified."""
    entries = ((i, k, a) for i, row in enumerate(rho.rows) for k, a in row)
    moved = any(field.differs(a - F1 if i == k else a) for i, k, a in entries)
    return moved or any(map(field.differs, rho.shift))


def check_obstruction(problem: Problem, network: Network, value: Json) -> str:
    """Rule X. The network has no latents in K for the stated generator; returns this in words.

    Below layer i rule L holds with the stated latents and rule F, so these are the only ones.
    Hidden layer i: σ is not affine, w_r ≠ 0, and row r has not as many equivalent rows in (W|b)∘ρ
    as in (W|b); but K would permute and scale rows. Output layer: row r of (W|b)∘ρ is certified
    to differ from row r of ρ_out∘(W|b).
    """
    take(value, "obstruction", "generator latents layer row")
    name, field = value["generator"], network.field
    demand(type(name) is str and name in problem.generators, "obstruction: no such generator")
    rho, rho_out = problem.generators[name]
    i = take_int(value["layer"], "obstruction: layer", 0, len(network.hidden))
    sigma, rows = network.layers[i].sigma, network.layers[i].rows
    r = take_int(value["row"], "obstruction: row", 0, len(rows) - 1)
    stated = take_list(value["latents"], "obstruction: latents", i)
    for k, (below, entry) in enumerate(zip(network.layers[:i], stated, strict=True)):
        where = f"obstruction, layer {k}"
        check_forced(field, below, where)
        latent = read_latent(field, entry, len(below.rows), where)
        rho = push_through(field, below, rho, latent, where)
    moved = rho.pull_back(rows)
    if i == len(network.hidden):
        pairs = zip(moved[r], rho_out.push_forward(rows)[r], strict=True)
        broken = any(field.differs(x - y) for x, y in pairs)
        prove(broken, f"obstruction: row {r} satisfies the output equation")
        return f"under {name} the forced latents break row {r} of the output equation"
    fits = sigma.group != "affine" and any(map(field.differs, rows[r][:-1]))
    prove(fits, f"obstruction: row {r} of layer {i} is zero, or its activation affine")
    partners, clones = (
        sum(is_equivalent(field, sigma, rows[r], row) for row in lines) for lines in (moved, rows)
    )
    prove(partners != clones, f"obstruction: row {r} of layer {i} has its partners")
    return f"under {name} row {r} of layer {i} has {partners} partners, but {clones} are needed"


def check_given(problem: Problem, base: Network, evidence: Json) -> str:
    """Rules L, O and G, or rule X, for the given parameter after its affine steps."""
    if "given" not in evidence:
        return ""
    value = take(evidence["given"], "given", "value", "latents obstruction")
    if value["value"] is True:
        take(value, "given", "latents value")
        latents = read_latents(problem, base, value["latents"])
        check_layerwise(problem, base, latents)
        order = check_acts(problem, latents)
        return f" The group, of order {order}, acts layerwise on the given parameter too."
    demand(value["value"] is False, "given: value is not a boolean")
    take(value, "given", "obstruction value")
    words = check_obstruction(problem, base, value["obstruction"])
    return f" The given parameter is not layerwise equivariant through K: {words}."


# ----------------------------------------------------------- equivariance, and its failure


def evaluate(network: Network, points: Rows) -> list[list[Scalar]]:
    """Values f(x) at many points, exactly; all σ polynomial or piecewise linear."""
    values = [list(point) for point in points]
    for layer in network.layers:
        sums = zip(*product(layer.rows, [[*value, F1] for value in values]), strict=True)
        values = [[image(network.field, layer.sigma, z) for z in value] for value in sums]
    return values


def check_polynomial(problem: Problem) -> None:
    """Rule polynomial. f∘ρ_in = ρ_out∘f for every generator, all σ polynomial.

    Both sides have total degree ≤ D, the product of the degrees of the σ; a polynomial of total
    degree ≤ D that vanishes at all x in N^n with Σ x_i ≤ D is zero.
    """
    network, n = problem.network, problem.network.inputs
    fits = all(layer.sigma.coefficients for layer in network.hidden)
    prove(fits, "rule polynomial: an activation is not polynomial")
    degree = math.prod(len(layer.sigma.coefficients) - 1 for layer in network.hidden)
    limit(degree, MAX_DEGREE, "rule polynomial: degree")
    count = math.comb(n + degree, n)
    work = sum(len(row) for layer in network.layers for row in layer.rows)
    limit(count, MAX_POINTS, "rule polynomial: points")
    limit(count * work, MAX_PRODUCTS, "rule polynomial: multiplications")
    lattice = map(Counter, itertools.combinations_with_replacement(range(n + 1), degree))
    while chunk := list(itertools.islice(lattice, 1000)):
        points = [[Fraction(x[k]) for k in range(n)] for x in chunk]
        values = evaluate(network, points)
        for name, (rho, rho_out) in problem.generators.items():
            moved = evaluate(network, [rho.apply(x) for x in points])
            holds = moved == [rho_out.apply(y) for y in values]
            prove(holds, f"rule polynomial: the identity fails for generator {name}")


def substitute(problem: Problem, point: Sequence[Fraction]) -> Problem:
    """Return the problem over Q at these values of the parameters."""

    def at(x: Scalar) -> Fraction:
        return x.at(point) if isinstance(x, Element) else x

    def map_at(rho: Map) -> Map:
        return Map([[(k, at(a)) for k, a in row] for row in rho.rows], [*map(at, rho.shift)])

    layers = [Layer([[*map(at, row)] for row in x.rows], x.sigma) for x in problem.network.layers]
    pairs = {k: (map_at(rho), map_at(tau)) for k, (rho, tau) in problem.generators.items()}
    return Problem(Network(Field({"kind": "rational"}), problem.network.inputs, layers), pairs)


def enclose_sum(row: Iterable[Interval], values: Iterable[Interval], bits: int) -> Interval:
    """Enclose Σ w·h; the sum is rounded once."""
    lo = hi = 0
    for (p, q), (r, s) in zip(row, values, strict=True):
        corners = (p * r, p * s, q * r, q * s)
        lo, hi = lo + min(corners), hi + max(corners)
    return outward((lo, hi), bits)


def enclose_network(network: Network, points: Rows, bits: int) -> list[list[Interval]]:
    """Enclose the values f(x) at some points by arithmetic at `bits`, rounded outward."""
    field, one = network.field, (1 << bits, 1 << bits)
    values = [[field.enclose(x, bits) for x in point] for point in points]
    for layer in network.layers:
        images: list[list[Interval]] = [[] for _ in values]
        for row in layer.rows:
            weights = [field.enclose(x, bits) for x in row]
            for value, found in zip(values, images, strict=True):
                z = enclose_sum(weights, [*value, one], bits)
                found.append(enclose_activation(layer.sigma, z, bits))
        values = images
    return values


def check_refutation(problem: Problem, value: Json) -> None:
    """Rule R. |f(ρ_in x) − ρ_out f(x)|_j ≥ gap > 0 at a rational point x.

    Exactly over Q when all σ are polynomial or piecewise linear, else by enclosures at `bits`,
    doubled up to 4,096. Over parameters at stated values of these.
    """
    kind, hidden = problem.network.field.kind, problem.network.hidden
    enclosed = kind == "algebraic" or any(layer.sigma.enclosure for layer in hidden)
    keys = "component gap generator point" + (" bits" if enclosed else "")
    take(value, "evidence", keys + (" parameters" if kind == "parametric" else ""))
    if kind == "parametric":
        names = problem.network.field.names
        stated = take(value["parameters"], "parameters", " ".join(names))
        problem = substitute(problem, [rational(stated[name], "parameters") for name in names])
    network, field, name = problem.network, problem.network.field, value["generator"]
    demand(type(name) is str and name in problem.generators, "evidence: no such generator")
    coordinates = take_list(value["point"], "evidence: point", network.inputs)
    x = [rational(c, "evidence: point") for c in coordinates]
    j = take_int(value["component"], "evidence: component", 0, len(network.layers[-1].rows) - 1)
    gap = rational(value["gap"], "evidence: gap")
    prove(gap > 0, "evidence: the gap is not positive")
    rho, rho_out = problem.generators[name]
    points, row = [rho.apply(x), x], [*rho_out.rows[j], (-1, rho_out.shift[j])]
    if not enclosed:
        moved, still = evaluate(network, points)
        fails = abs(moved[j] - rho_out.apply(still)[j]) >= gap
        prove(fails, "evidence: the equation holds, or fails by less than the gap")
        return
    bits = take_int(value["bits"], "evidence: bits", 8, MAX_PRECISION)
    while bits <= MAX_PRECISION:
        there, here = enclose_network(network, points, bits)
        here.append((1 << bits, 1 << bits))
        weights = [field.enclose(a, bits) for _, a in row]
        lo, hi = enclose_sum(weights, [here[k] for k, _ in row], bits)
        if max(there[j][0] - hi, lo - there[j][1]) >= gap * 2**bits:
            return
        bits *= 2
    raise Rejected("evidence: the enclosures do not certify the gap")


# ----------------------------------------------------------------------------- verdicts


def widths(network: Network) -> str:
    """Return the hidden widths in words."""
    return ", ".join(str(len(layer.rows)) for layer in network.hidden) or "none"


def equivariance(problem: Problem) -> str:
    """Return the claim of equivariance in words."""
    network, names = problem.network, ", ".join(problem.generators)
    claim = (
        f"the network with {network.inputs} inputs, hidden widths {widths(network)} and "
        f"{len(network.layers[-1].rows)} outputs satisfies f(rho_in(g) x) = rho_out(g) f(x) for "
        f"all real x and all g of the group generated by {names}"
    )
    if network.field.kind == "parametric":
        claim += (
            f", for all real values of {', '.join(network.field.names)} at which no denominator "
            "vanishes (statements on layers: outside a proper algebraic subset of these)"
        )
    return claim


def verdict_layerwise(problem: Problem, evidence: Json) -> str:
    """Rules L, O and H for the given network."""
    take(evidence, "evidence", "latents")
    latents = read_latents(problem, problem.network, evidence["latents"])
    check_layerwise(problem, problem.network, latents)
    check_reduced(problem.network)
    return (
        f"{equivariance(problem)}; every hidden layer of this very parameter is equivariant under "
        "the stated latents, by which the group acts, and no neuron is inactive or cloned."
    )


def verdict_after_reduction(problem: Problem, evidence: Json) -> str:
    """At least one step; rules L, O and H for the reduced network; rule E."""
    take(evidence, "evidence", "latents steps", "embedding given")
    base, reduced = replay(problem.network, evidence["steps"])
    count = len(evidence["steps"])
    prove(count > 0, "steps: none, so that nothing was reduced")
    latents = read_latents(problem, reduced, evidence["latents"])
    check_layerwise(problem, reduced, latents)
    check_reduced(reduced)
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
    """Rule polynomial for the given network, rules H and X for the reduced one."""
    take(evidence, "evidence", "equivariance obstruction steps", "given")
    rule = take(evidence["equivariance"], "equivariance", "rule")["rule"]
    demand(rule == "polynomial", "equivariance: unknown rule")
    base, reduced = replay(problem.network, evidence["steps"])
    check_reduced(reduced)
    words = check_obstruction(problem, reduced, evidence["obstruction"])
    given = check_given(problem, base, evidence)
    check_polynomial(problem)
    return (
        f"{equivariance(problem)}; the reduced parameter, of hidden widths {widths(reduced)}, is "
        f"not layerwise equivariant through K: {words}.{given}"
    )


def verdict_not(problem: Problem, evidence: Json) -> str:
    """Rule R."""
    check_refutation(problem, evidence)
    sure = " identically in the parameters" if problem.network.field.kind == "parametric" else ""
    return (
        f"the network with {problem.network.inputs} inputs is not equivariant{sure}: at the stated "
        f"point, component {evidence['component']} of f(rho_in(g) x) - rho_out(g) f(x) for "
        f"generator {evidence['generator']} is at least the stated gap in absolute value."
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


VERDICTS: dict[str, Callable[[Problem, Json], str]] = {
    "layerwise": verdict_layerwise,
    "layerwise_after_reduction": verdict_after_reduction,
    "end_to_end_only": verdict_end_to_end,
    "not_equivariant": verdict_not,
    "undecided": verdict_undecided,
}


def check_source(value: Json, model: Path | None) -> None:
    """Check the form of `source` and, if a model file is given, its SHA-256."""
    take(value, "source", "action network")
    network = take(value["network"], "source: network", "format name sha256")
    take_text(network["format"], "source: format", "onnx|nnet|json|torch|python")
    for entry in (network, take(value["action"], "source: action", "name sha256")):
        take_text(entry["name"], "source: name")
        if entry["sha256"] is not None:
            take_text(entry["sha256"], "source: sha256", "[0-9a-f]{64}")
    if model is not None:
        digest = hashlib.sha256(read_bytes(model, MAX_TENSOR_BYTES)).hexdigest()
        prove(network["sha256"] == digest, "the model file is not the one that the witness names")


def check(directory: Path, model: Path | None = None) -> Verified:
    """Verify an evidence folder, and that it names this model file.

    Raises
    ------
    CheckError
        `Rejected`, `Malformed`, `UnsupportedVersion`, `NothingClaimed` or `TooLarge`.
    """
    try:
        network, network_sha = read_canonical(directory, "network")
        action, action_sha = read_canonical(directory, "action")
        witness, _ = read_canonical(directory, "witness")
        keys = "action_sha256 evidence format network_sha256 source verdict version"
        take(witness, "witness.json", keys)
        stated = witness["network_sha256"], witness["action_sha256"]
        prove(stated == (network_sha, action_sha), "witness.json: belongs to other files (SHA-256)")
        check_source(witness["source"], model)
        same = "field" in network and network["field"] == action.get("field")
        demand(same, "field: missing, or not the same in network.json and action.json")
        field = Field(network["field"])
        found = read_network(field, network, directory)
        sizes = found.inputs, len(found.layers[-1].rows)
        problem, verdict = Problem(found, read_action(field, action, sizes)), witness["verdict"]
        demand(type(verdict) is str and verdict in VERDICTS, "witness.json: unknown verdict")
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
