"""An independent second opinion on every answer of identcert.

Nothing of the package is imported: only ``json``, ``fractions``, ``mpmath`` and ``sympy``. It is
slow, and it decides by other means than the product wherever there are two:

================  ==================================================================
product           oracle
================  ==================================================================
fmpq, own fields  ``Fraction``, SymPy's ``AlgebraicField`` and rational function fields
lattice of points expansion of the polynomial identity
formal atoms      Theorem 1's canonical form when shallow, 330-digit numbers when deep
hashed rows       exhaustion of every monomial matrix, by backtracking
intervals         330 digits, compared at 250
================  ==================================================================

A judgement says how it was reached: ``proved`` is true for an identity, an equality of canonical
forms or an exact gap, and false where only 250 digits at many points agree.

Glossary
--------
element  a value of the field of the problem: a ``Fraction``, or a SymPy domain element
K        z_i ↦ α_i z_{p_i} + c (1 − α_i), a symmetry of a hidden layer (c the centre of σ)
R        the affine map after σ that K turns into, h_i ↦ λ_i h_{p_i} + ν_i
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import random
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import sympy
from sympy.polys.rings import ring

DIGITS = 330  # working precision
AGREE = 250  # digits that count as equality where nothing exact is at hand
CTX = mpmath.mp.clone()
CTX.dps = DIGITS
TINY = CTX.mpf(10) ** -AGREE
MAX_TERMS = 20_000  # larger polynomial identities are tried at points instead
MAX_SYMBOLIC_TERMS = 60  # the same with parameters in the coefficients

Element = Any
Vector = tuple[Any, ...]
Rows = tuple[tuple[Any, ...], ...]


class OracleError(Exception):
    """Input that the oracle cannot read or does not cover."""


# ---------------------------------------------------------------------------------- scalars


TOKEN = re.compile(r"\s*(?:(\d+\.\d*|\.\d+|\d+)(?:e([+-]?\d+))?|([A-Za-z_]\w*)|([-+*/^()]))")
PLAIN = re.compile(r"-?\d+(/\d+)?\Z")


def tokens(text: str) -> list[tuple[str, Any]]:
    """Lexemes ``(kind, value)`` of a scalar: ``number``, ``name`` or the operator itself."""
    found, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if not match:
            raise OracleError(f"cannot read {text!r} at {at}")
        number, power, name, operator = match.groups()
        if number is not None:
            found.append(("number", Fraction(number) * Fraction(10) ** int(power or 0)))
        elif name is not None:
            found.append(("name", name))
        else:
            found.append((operator, None))
        at = match.end()
    return found


class Scalar:
    """One expression of the scalar grammar, evaluated while it is read.

    Parameters
    ----------
    text : the expression.
    const : embedding of a ``Fraction``.
    names : values of the names that may occur.
    root : value of sqrt(r) for a ``Fraction`` r.
    """

    def __init__(
        self,
        text: str,
        const: Callable[[Fraction], Element],
        names: Mapping[str, Element],
        root: Callable[[Fraction], Element],
    ) -> None:
        self.rest, self.text = tokens(text), text
        self.const, self.names, self.root = const, names, root

    def value(self) -> Element:
        result = self.expr()
        if self.rest:
            raise OracleError(f"left over in {self.text!r}: {self.rest}")
        return result

    def next_is(self, *kinds: str) -> bool:
        return bool(self.rest) and self.rest[0][0] in kinds

    def take(self, *kinds: str) -> Any:
        if not self.next_is(*kinds):
            raise OracleError(f"expected {kinds} in {self.text!r}, found {self.rest[:1]}")
        return self.rest.pop(0)

    def expr(self) -> Element:
        total = self.term()
        while self.next_is("+", "-"):
            sign, _ = self.take("+", "-")
            other = self.term()
            total = total + other if sign == "+" else total - other
        return total

    def term(self) -> Element:
        total = self.factor()
        while self.next_is("*", "/"):
            operator, _ = self.take("*", "/")
            other = self.factor()
            if operator == "/" and not other:
                raise OracleError(f"division by zero in {self.text!r}")
            total = total * other if operator == "*" else total / other
        return total

    def factor(self) -> Element:
        if self.next_is("-"):
            self.take("-")
            return -self.factor()
        base = self.atom()
        if self.next_is("^"):
            self.take("^")
            sign = -1 if self.next_is("-") and self.take("-") else 1
            power = sign * int(self.take("number")[1])
            if power < 0 and not base:
                raise OracleError(f"division by zero in {self.text!r}")
            base = base**power if power >= 0 else self.const(Fraction(1)) / base**-power
        return base

    def atom(self) -> Element:
        if self.next_is("number"):
            return self.const(self.take("number")[1])
        if self.next_is("name"):
            name = self.take("name")[1]
            if name == "sqrt":
                self.take("(")
                inner = self.rational()
                self.take(")")
                return self.root(inner)
            if name not in self.names:
                raise OracleError(f"unknown name {name!r} in {self.text!r}")
            return self.names[name]
        self.take("(")
        inner = self.expr()
        self.take(")")
        return inner

    def rational(self) -> Fraction:
        """The value under a root: a rational expression, read with rational arithmetic."""
        inner = Scalar("", Fraction, {}, no_root)
        inner.rest, inner.text = self.rest, self.text
        value: Fraction = inner.expr()
        self.rest = inner.rest
        return value


def no_root(value: Fraction) -> Element:
    raise OracleError(f"a nested root sqrt({value})")


# ------------------------------------------------------------------------------------ fields


def squarefree(value: Fraction) -> tuple[int, Fraction]:
    """(n, r) with √value = r·√n and n squarefree."""
    if value < 0:
        raise OracleError(f"sqrt of the negative {value}")
    inner, outer = 1, 1
    for prime, power in sympy.factorint(value.numerator * value.denominator).items():
        outer *= prime ** (power // 2)
        inner *= prime ** (power % 2)
    return (inner if value else 0), Fraction(outer, value.denominator)


def independent(radicands: set[int]) -> list[int]:
    """A largest subset of squarefree integers whose roots are independent modulo squares."""
    basis: list[int] = []
    spanned = {1}
    for n in sorted(radicands):
        if n in spanned or n == 0:
            continue
        basis.append(n)
        spanned |= {s * n // math.gcd(s, n) ** 2 for s in spanned}
    return basis


class Field:
    """The field of a problem: Q, a real number field, or Q(a, b, …).

    Elements are ``Fraction`` over Q and SymPy domain elements otherwise, so that + − * and
    ``==`` are exact; ``number`` embeds them into the reals at 330 digits.
    """

    def __init__(
        self,
        parameters: Sequence[str] = (),
        algebraic: Mapping[str, Any] | None = None,
        radicands: set[int] | None = None,
    ) -> None:
        self.names: dict[str, Element] = {}
        self.parameters = tuple(parameters)
        self.domain: Any = sympy.QQ
        self.kind = "rational"
        roots = [sympy.sqrt(n) for n in independent(radicands or set())]
        declared = real_root(algebraic) if algebraic else None
        if self.parameters and (roots or declared is not None):
            raise OracleError("parameters together with algebraic numbers")
        if self.parameters:
            self.kind = "parametric"
            self.domain = sympy.QQ.frac_field(*self.parameters)
            self.names = dict(zip(self.parameters, self.domain.gens, strict=True))
        elif roots or declared is not None:
            self.kind = "algebraic"
            extension = ([declared] if declared is not None else []) + roots
            self.domain = sympy.QQ.algebraic_field(*extension)
            self.generator = real_value(self.domain.ext.as_expr())
            if declared is not None and algebraic:
                self.names = {algebraic["symbol"]: self.embedded(declared)}

    def __call__(self, value: int | Fraction) -> Element:
        value = Fraction(value)
        if self.kind == "rational":
            return value
        return self.domain.convert(sympy.QQ(value.numerator, value.denominator))

    def embedded(self, expression: Any) -> Element:
        """The element that equals a real SymPy number, its embedding verified at 250 digits."""
        element = self.domain.from_sympy(expression)
        if abs(self.number(element) - real_value(expression)) > TINY:
            raise OracleError(f"SymPy placed {expression} at the wrong root")
        return element

    def sqrt(self, value: Fraction) -> Element:
        inner, outer = squarefree(value)
        if inner in (0, 1):
            return self(outer * inner)
        return self.embedded(sympy.sqrt(inner)) * self(outer)

    def parse(self, value: Any) -> Element:
        """The element that a JSON value spells, in any of the file formats."""
        if isinstance(value, bool) or value is None or isinstance(value, float):
            raise OracleError(f"not a scalar: {value!r}")
        if isinstance(value, int | Decimal):
            return self(Fraction(value))
        if isinstance(value, str):
            if PLAIN.match(value):
                return self(Fraction(value))
            return Scalar(value, self, self.names, self.sqrt).value()
        if isinstance(value, list):  # coordinates over 1, α, α², …
            (alpha,) = self.names.values()
            return sum((self(Fraction(c)) * alpha**k for k, c in enumerate(value)), self(0))
        return self.quotient(value["num"]) / self.quotient(value["den"])

    def quotient(self, terms: list[Any]) -> Element:
        total = self(0)
        for exponents, coefficient in terms:
            part = self(Fraction(coefficient))
            for name, power in zip(self.parameters, exponents, strict=True):
                part = part * self.names[name] ** power
            total = total + part
        return total

    def number(self, element: Element) -> Any:
        """The real number that an element is, at 330 digits."""
        if isinstance(element, CTX.mpf):
            return element
        if isinstance(element, Fraction):
            return CTX.mpf(element.numerator) / element.denominator
        if self.kind == "algebraic":
            total = CTX.mpf(0)
            for c in element.to_list():
                total = total * self.generator + CTX.mpf(int(c.numerator)) / int(c.denominator)
            return total
        return self.number(self.constant(element))

    def constant(self, element: Element) -> Fraction:
        """The rational value of a constant rational function."""
        numerator, denominator = element.numer, element.denom
        if not (numerator.is_ground and denominator.is_ground):
            raise OracleError(f"the sign of {element} depends on parameters")
        value = numerator.coeff(1) / denominator.coeff(1)
        return Fraction(int(value.numerator), int(value.denominator))

    def add(self, a: Element, b: Element) -> Element:
        """a + b, at 330 digits if one of them is such a number."""
        if isinstance(a, CTX.mpf) or isinstance(b, CTX.mpf):
            return self.number(a) + self.number(b)
        return a + b

    def times(self, a: Element, b: Element) -> Element:
        """a·b, at 330 digits if one of them is such a number."""
        if isinstance(a, CTX.mpf) or isinstance(b, CTX.mpf):
            return self.number(a) * self.number(b)
        return a * b

    def equal(self, a: Element, b: Element) -> bool:
        """a = b, at 250 digits if one of them is a 330-digit number."""
        if isinstance(a, CTX.mpf) or isinstance(b, CTX.mpf):
            return bool(abs(self.number(a) - self.number(b)) < TINY)
        return bool(a == b)

    def dot(self, row: Sequence[Element], x: Sequence[Element]) -> Element:
        """Σ row_k x_k; zero of the field when empty."""
        total = self(0)
        for w, v in zip(row, x, strict=True):
            if w:
                total = self.add(total, self.times(w, v))
        return total

    def sign(self, element: Element) -> int:
        if isinstance(element, Fraction):
            return (element > 0) - (element < 0)
        if isinstance(element, CTX.mpf):
            return 0 if abs(element) < TINY else (1 if element > 0 else -1)
        if not element:
            return 0
        value = self.number(element)
        if abs(value) < TINY:
            raise OracleError("a non-zero element too small for 250 digits")
        return 1 if value > 0 else -1

    def key(self, element: Element) -> tuple[Any, ...]:
        """A total order of elements that has nothing to do with the real one."""
        if isinstance(element, Fraction):
            return (element,)
        if self.kind == "algebraic":
            return tuple(Fraction(int(c.numerator), int(c.denominator)) for c in element.to_list())
        return (str(element),)

    def is_first(self, vector: Sequence[Element]) -> bool:
        """Whether the vector is the chosen one of the pair ±vector."""
        for x in vector:
            if x:
                return self.key(x) > self.key(-x)
        return True


def real_value(expression: Any) -> Any:
    return CTX.mpf(str(sympy.N(expression, DIGITS)))


def real_root(algebraic: Mapping[str, Any]) -> Any:
    """The real root that a declaration (minimal polynomial, isolating interval) singles out."""
    t = sympy.Symbol("t")
    coefficients = [plain(c) for c in algebraic["minpoly"]]
    low, high = (plain(c) for c in algebraic["root"])
    polynomial = sympy.Poly(
        [sympy.Rational(c.numerator, c.denominator) for c in reversed(coefficients)], t
    )
    inside = [
        root
        for root in polynomial.real_roots()
        if real_value(as_rational(low)) <= real_value(root) <= real_value(as_rational(high))
    ]
    if len(inside) != 1:
        raise OracleError(f"{len(inside)} roots in the isolating interval")
    return inside[0]


def as_rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def plain(value: Any) -> Fraction:
    """A rational scalar, whatever way it is spelled."""
    if isinstance(value, bool | float):
        raise OracleError(f"not a rational: {value!r}")
    if isinstance(value, int | Decimal):
        return Fraction(value)
    result: Fraction = Scalar(value, Fraction, {}, no_root).value()
    return result


# ------------------------------------------------------------------------------- activations

ODD = ("tanh", "arctan", "erf", "hard_tanh", "sin")
ONE_SIDED = ("softplus", "silu", "gelu", "elu")
EVEN_LINEAR = ("softplus", "silu", "gelu")  # σ(z) = σ(−z) + z
PIECEWISE = ("relu", "leaky_relu", "abs", "hard_tanh", "relu6")
NAMES = (*ODD, *ONE_SIDED, "sigmoid", "relu", "abs", "relu6", "identity")
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Activation:
    """σ, with the group K of one neuron (``theory/identifiability.md`` §2.1).

    ``coefficients`` (ascending) for polynomials, ``slope`` for leaky ReLU.
    """

    name: str
    coefficients: tuple[Fraction, ...] = ()
    slope: Fraction = Fraction(0)

    @staticmethod
    def parse(value: Any) -> Activation:
        if isinstance(value, dict) and "leaky_relu" in value:
            slope = plain(value["leaky_relu"])
            special = {1: "identity", 0: "relu", -1: "abs"}
            if slope in special:
                return Activation.parse(special[int(slope)])
            return Activation("leaky_relu", slope=slope)
        if isinstance(value, dict):
            return Activation.polynomial([plain(c) for c in value["polynomial"]])
        if value == "identity":
            return Activation.polynomial([Fraction(0), Fraction(1)])
        if value in NAMES:
            return Activation(value)
        x = ring("x", sympy.QQ)[0].gens[0]
        const = lambda q: x.ring(sympy.QQ(q.numerator, q.denominator))  # noqa: E731
        expanded = Scalar(value, const, {"x": x}, no_root).value()
        terms = {m[0]: c for m, c in expanded.terms()}
        return Activation.polynomial(
            [
                Fraction(int(c.numerator), int(c.denominator))
                for c in (terms.get(k, sympy.QQ(0)) for k in range(max(terms, default=0) + 1))
            ]
        )

    @staticmethod
    def polynomial(coefficients: Sequence[Fraction]) -> Activation:
        kept = list(coefficients)
        while kept and not kept[-1]:
            kept.pop()
        return Activation("polynomial", tuple(kept))

    @property
    def degree(self) -> int:
        return max(len(self.coefficients) - 1, 0)

    @property
    def is_affine(self) -> bool:
        return self.name == "polynomial" and self.degree <= 1

    @property
    def is_exact(self) -> bool:
        return self.name == "polynomial" or self.name in PIECEWISE

    @property
    def centre(self) -> Fraction:
        if self.name == "relu6":
            return Fraction(3)
        if self.name == "polynomial" and self.degree >= 2:
            return -self.coefficients[-2] / (self.degree * self.coefficients[-1])
        return Fraction(0)

    def exact(self, x: Element, f: Field) -> Element | None:
        """σ(x) when it lies in the field for an evident reason, else None."""
        if self.name == "polynomial":
            total = f(0)
            for c in reversed(self.coefficients):
                total = total * x + f(c)
            return total
        if self.name in PIECEWISE:
            return self.piece(x, f)
        if self.name == "elu" and f.sign(x) >= 0:
            return x
        if not x:
            return f(HALF) if self.name == "sigmoid" else None if self.name == "softplus" else f(0)
        return None

    def piece(self, x: Element, f: Field) -> Element:
        sign = f.sign(x)
        if self.name == "abs":
            return x if sign >= 0 else -x
        if self.name == "hard_tanh":
            return f(-1) if f.sign(x + f(1)) < 0 else f(1) if f.sign(x - f(1)) > 0 else x
        if self.name == "relu6":
            return f(0) if sign < 0 else f(6) if f.sign(x - f(6)) > 0 else x
        return x if sign >= 0 else x * f(self.slope)

    def number(self, x: Any) -> Any:
        """σ(x) of a 330-digit number."""
        if self.name == "polynomial":
            return CTX.polyval([as_mpf(c) for c in reversed(self.coefficients)], x)
        return REAL[self.name](x, self.slope)

    def admits(self, alpha: Element, f: Field) -> bool:
        """Whether z ↦ αz + c(1−α) passes through σ."""
        if not alpha:
            return False
        if self.name == "polynomial":
            return polynomial_transport(self, alpha, f) is not None
        if self.name == "abs":
            return True
        if alpha == f(1):
            return True
        if self.name in ("relu", "leaky_relu"):
            return f.sign(alpha) > 0
        return self.name not in ONE_SIDED and alpha == f(-1)

    def transport(self, alpha: Element, f: Field) -> tuple[Element, Element]:
        """(λ, ν) with σ(αz + c(1−α)) = λσ(z) + ν."""
        if self.name == "polynomial":
            pair = polynomial_transport(self, alpha, f)
            if pair is None:
                raise OracleError(f"{alpha} does not pass")
            return pair
        if self.name == "abs":
            return (alpha if f.sign(alpha) > 0 else -alpha), f(0)
        shift = {"sigmoid": 1, "relu6": 6}.get(self.name, 0)
        return alpha, f(shift) if alpha == f(-1) else f(0)


@functools.lru_cache(maxsize=4096)
def polynomial_transport(
    sigma: Activation, alpha: Element, f: Field
) -> tuple[Element, Element] | None:
    """(λ, ν) by comparing the coefficients of σ(αz + c(1−α)) and λσ(z) + ν."""
    if sigma.degree < 1:
        return None
    shift = f(sigma.centre) * (f(1) - alpha)
    moved = [f(0)] * (sigma.degree + 1)
    for k, c in enumerate(sigma.coefficients):
        for i in range(k + 1):
            part = f(c * math.comb(k, i)) * power(alpha, i, f) * power(shift, k - i, f)
            moved[i] = moved[i] + part
    scale = moved[-1] / f(sigma.coefficients[-1])
    wanted = [scale * f(c) for c in sigma.coefficients]
    if moved[1:] != wanted[1:]:
        return None
    return scale, moved[0] - wanted[0]


def power(x: Element, k: int, f: Field) -> Element:
    """x^k with 0^0 = 1, which SymPy's rational functions refuse."""
    return x**k if k else f(1)


def as_mpf(c: Fraction) -> Any:
    return CTX.mpf(c.numerator) / c.denominator


REAL: dict[str, Callable[[Any, Fraction], Any]] = {
    "tanh": lambda x, s: CTX.tanh(x),
    "sigmoid": lambda x, s: 1 / (1 + CTX.exp(-x)),
    "relu": lambda x, s: x if x > 0 else CTX.mpf(0),
    "leaky_relu": lambda x, s: x if x > 0 else x * as_mpf(s),
    "abs": lambda x, s: abs(x),
    "hard_tanh": lambda x, s: max(CTX.mpf(-1), min(CTX.mpf(1), x)),
    "relu6": lambda x, s: max(CTX.mpf(0), min(CTX.mpf(6), x)),
    "softplus": lambda x, s: CTX.log(1 + CTX.exp(-abs(x))) + max(CTX.mpf(0), x),
    "silu": lambda x, s: x / (1 + CTX.exp(-x)),
    "gelu": lambda x, s: x * (1 + CTX.erf(x / CTX.sqrt(2))) / 2,
    "sin": lambda x, s: CTX.sin(x),
    "elu": lambda x, s: x if x > 0 else CTX.expm1(x),
    "arctan": lambda x, s: CTX.atan(x),
    "erf": lambda x, s: CTX.erf(x),
}


# ---------------------------------------------------------------------- networks and actions


@dataclass(frozen=True)
class Layer:
    """x ↦ σ(Wx + b); bias entries are elements, or numbers after a transcendental fold."""

    weight: Rows
    bias: Vector
    sigma: Activation


@dataclass(frozen=True)
class Network:
    """A feed-forward network whose last layer has identity activation."""

    inputs: int
    layers: tuple[Layer, ...]
    field: Field

    @property
    def hidden(self) -> tuple[Layer, ...]:
        return self.layers[:-1]

    @property
    def widths(self) -> list[int]:
        return [self.inputs, *(len(layer.bias) for layer in self.layers)]

    @property
    def is_exact(self) -> bool:
        """Whether values at points of the field lie in the field."""
        exact_bias = all(not isinstance(b, CTX.mpf) for la in self.layers for b in la.bias)
        return exact_bias and all(layer.sigma.is_exact for layer in self.layers)


@dataclass(frozen=True)
class Affine:
    """x ↦ Ax + c."""

    matrix: Rows
    shift: Vector

    def __call__(self, x: Sequence[Element], f: Field) -> Vector:
        return tuple(
            f.add(f.dot(row, x), c) for row, c in zip(self.matrix, self.shift, strict=True)
        )


@dataclass(frozen=True)
class Problem:
    """A network and the generators (ρ_in, ρ_out) acting on it."""

    network: Network
    generators: dict[str, tuple[Affine, Affine]]
    documents: tuple[Any, Any] = field(repr=False, default=(None, None))

    @property
    def field(self) -> Field:
        return self.network.field


def read_json(source: Any) -> Any:
    if isinstance(source, str | Path):
        return json.loads(Path(source).read_text(encoding="utf-8"), parse_float=Decimal)
    return json.loads(json.dumps(source), parse_float=Decimal)


def find_field(documents: Sequence[Any], values: Mapping[str, Fraction] | None = None) -> Field:
    """The smallest field that holds every scalar of the documents."""
    parameters: list[str] = []
    algebraic = None
    radicands: set[int] = set()
    for document in documents:
        described = document.get("field", {})
        algebraic = document.get("algebraic") or algebraic
        if described.get("kind") == "algebraic":
            algebraic = described
        parameters += [*document.get("parameters", ()), *described.get("names", ())]
        for text in strings(document):
            at = 0
            while (at := text.find("sqrt(", at)) >= 0:
                scan = Scalar("", Fraction, {}, no_root)
                scan.rest, scan.text = tokens(text[at + 5 :]), text
                radicands.add(squarefree(scan.expr())[0])
                at += 5
    free = [p for p in dict.fromkeys(parameters) if p not in (values or {})]
    found = Field(free, algebraic, radicands)
    found.names = {**found.names, **{k: found(v) for k, v in (values or {}).items()}}
    found.parameters = tuple(dict.fromkeys(parameters))
    return found


def strings(value: Any) -> Iterator[str]:
    """Every string of a document that may be an irrational scalar."""
    if isinstance(value, str):
        if "sqrt" in value:
            yield value
    elif isinstance(value, dict):
        yield from itertools.chain.from_iterable(map(strings, value.values()))
    elif isinstance(value, list):
        yield from itertools.chain.from_iterable(map(strings, value))


def read_network(source: Any, f: Field | None = None) -> Network:
    """The network of a ``*.network.json`` (path or object), source or canonical spelling."""
    document = read_json(source)
    f = f or find_field([document])
    tensors = read_tensors(source, document)
    layers = []
    for layer in document["layers"]:
        weight = stored(layer["weight"], tensors, lambda row: [f.parse(x) for x in row])
        bias = stored(layer["bias"], tensors, f.parse) if "bias" in layer else [f(0)] * len(weight)
        layers.append(Layer(as_rows(weight), tuple(bias), Activation.parse(layer["activation"])))
    network = Network(document["inputs"], tuple(layers), f)
    return with_identity_end(network)


def as_rows(weight: Sequence[Sequence[Element]]) -> Rows:
    return tuple(tuple(row) for row in weight)


def stored(value: Any, tensors: Mapping[str, Any], read: Callable[[Any], Any]) -> list[Any]:
    """The entries of a list, read one by one, or of a named tensor."""
    if isinstance(value, dict):
        return list(tensors[value["tensor"]])
    return [read(x) for x in value]


def read_tensors(source: Any, document: Any) -> dict[str, Any]:
    """Tensors of the safetensors file beside a canonical network, as exact dyadic numbers."""
    if "tensors" not in document:
        return {}
    data = (Path(source).parent / document["tensors"]["file"]).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    found = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        size, code = {"F64": (8, "d"), "F32": (4, "f")}[entry["dtype"]]
        floats = struct.unpack(f"<{(end - begin) // size}{code}", data[begin:end])
        values = [Fraction(v) for v in floats]
        if len(entry["shape"]) == 2:
            rows, cols = entry["shape"]
            found[name] = [values[i * cols : (i + 1) * cols] for i in range(rows)]
        else:
            found[name] = values
    return found


def with_identity_end(network: Network) -> Network:
    last = network.layers[-1]
    if last.sigma == Activation.parse("identity"):
        return network
    n, f = len(last.bias), network.field
    end = Layer(identity_rows(n, f), (f(0),) * n, Activation.parse("identity"))
    return replace(network, layers=(*network.layers, end))


def identity_rows(n: int, f: Field) -> Rows:
    return tuple(tuple(f(int(i == j)) for j in range(n)) for i in range(n))


def read_map(value: Any, n: int, f: Field) -> Affine:
    if value == "trivial":
        return Affine(identity_rows(n, f), (f(0),) * n)
    shift = tuple(f.parse(c) for c in value["shift"]) if "shift" in value else (f(0),) * n
    if "matrix" in value:
        return Affine(as_rows([[f.parse(x) for x in row] for row in value["matrix"]]), shift)
    permutation = image_permutation(value["image"]) if "image" in value else value["permutation"]
    signs = value.get("signs", [1] * n)
    if sorted(permutation) != list(range(n)):
        raise OracleError(f"not a permutation of {n} points: {permutation}")
    rows = [[f(signs[i]) if j == p else f(0) for j in range(n)] for i, p in enumerate(permutation)]
    return Affine(as_rows(rows), shift)


def image_permutation(image: Mapping[str, Any]) -> list[int]:
    """The index table of an image transform on the row-major flattening.

    >>> image_permutation({"shape": [1, 2, 2], "transform": "rot90"})
    [1, 3, 0, 2]
    """
    channels, height, width = image["shape"]
    plane = [[r * width + c for c in range(width)] for r in range(height)]
    moved = {
        "rot90": [list(row) for row in zip(*plane, strict=True)][::-1],
        "fliplr": [row[::-1] for row in plane],
        "flipud": plane[::-1],
        "transpose": [list(row) for row in zip(*plane, strict=True)],
    }[image["transform"]]
    if len(moved) != height:
        raise OracleError("the transform changes the shape")
    flat = [index for row in moved for index in row]
    return [channel * height * width + index for channel in range(channels) for index in flat]


def read_problem(
    network: Any, action: Any, values: Mapping[str, Fraction] | None = None
) -> Problem:
    """The problem that two files (paths or objects) state, parameters fixed by ``values``."""
    documents = (read_json(network), read_json(action))
    f = find_field(documents, values)
    net = read_network(network, f)
    n, m = net.inputs, net.widths[-1]
    generators = {
        name: (read_map(pair["input"], n, f), read_map(pair["output"], m, f))
        for name, pair in documents[1]["generators"].items()
    }
    return Problem(net, generators, (network, action))


# ------------------------------------------------------------------------------- evaluation


@functools.lru_cache(maxsize=8)
def numeric(network: Network) -> Network:
    """The same network with every weight a 330-digit number."""
    number = network.field.number
    layers = tuple(
        Layer(
            tuple(tuple(map(number, row)) for row in layer.weight),
            tuple(map(number, layer.bias)),
            layer.sigma,
        )
        for layer in network.layers
    )
    return replace(network, layers=layers)


def numeric_map(rho: Affine, f: Field) -> Affine:
    return Affine(
        tuple(tuple(map(f.number, row)) for row in rho.matrix), tuple(map(f.number, rho.shift))
    )


def trace(network: Network, x: Sequence[Element]) -> list[Vector] | None:
    """Pre-activations of all layers at x, the last being the output.

    Exact for exact networks and points, 330 digits for ``numeric`` ones; None when some σ(z) is
    not an element.
    """
    found = []
    h: Sequence[Element] = x
    for layer in network.layers:
        z = Affine(layer.weight, layer.bias)(h, network.field)
        found.append(z)
        h = tuple(
            layer.sigma.number(v) if isinstance(v, CTX.mpf) else layer.sigma.exact(v, network.field)
            for v in z
        )
        if any(v is None for v in h):
            return None
    return found


def evaluate(network: Network, x: Sequence[Any]) -> Vector:
    """f(x): exact where the network is, otherwise at 330 digits."""
    f = network.field
    point = tuple(f(c) for c in x)
    if network.is_exact:
        found = trace(network, point)
    else:
        found = trace(numeric(network), tuple(map(f.number, point)))
    if found is None:
        raise OracleError("no value")
    return found[-1]


@dataclass(frozen=True)
class Gap:
    """A point where f(ρ_in x) ≠ ρ_out f(x): component and size of the difference."""

    generator: str
    point: tuple[Fraction, ...]
    component: int
    size: Any


def gap_at(problem: Problem, name: str, x: Sequence[Fraction]) -> Gap | None:
    """The largest component of f(ρ_in x) − ρ_out f(x), or None if it vanishes."""
    network, f = problem.network, problem.field
    rho_in, rho_out = problem.generators[name]
    point: Vector = tuple(f(c) for c in x)
    if network.is_exact:
        left, right = trace(network, rho_in(point, f)), trace(network, point)
    else:
        net = numeric(network)
        rho_in, rho_out = numeric_map(rho_in, f), numeric_map(rho_out, f)
        point = tuple(map(f.number, point))
        left, right = trace(net, rho_in(point, f)), trace(net, point)
    if left is None or right is None:
        raise OracleError("no value")
    gaps = [a - b for a, b in zip(left[-1], rho_out(right[-1], f), strict=True)]
    if f.kind == "parametric" and network.is_exact:
        worst = next((j for j, g in enumerate(gaps) if g), None)
        return None if worst is None else Gap(name, tuple(x), worst, gaps[worst])
    sizes = [abs(f.number(g)) if f.sign(g) else CTX.mpf(0) for g in gaps]
    worst = max(range(len(sizes)), key=sizes.__getitem__)
    return Gap(name, tuple(x), worst, gaps[worst]) if sizes[worst] else None


def points(n: int, count: int, seed: int = 0) -> Iterator[tuple[Fraction, ...]]:
    """0, the coordinate vectors, then small random rational points."""
    yield (Fraction(0),) * n
    for i in range(min(n, 4)):
        yield tuple(Fraction(int(i == j)) for j in range(n))
    rng = random.Random(seed)
    for k in range(count):
        scale = (1, 3, 1, 10)[k % 4]
        yield tuple(
            Fraction(rng.randint(-9, 9), rng.choice((1, 2, 3, 5, 7)) * scale) for _ in range(n)
        )


def find_gap(problem: Problem, count: int = 12, seed: int = 0) -> Gap | None:
    """A refutation at one of the first points, or None."""
    for x in points(problem.network.inputs, count, seed):
        for name in problem.generators:
            if gap := gap_at(problem, name, x):
                return gap
    return None


# -------------------------------------------------------------------------- the equation as such


@dataclass(frozen=True)
class Judgement:
    """Whether f is equivariant, how that is known, and a gap if it is not."""

    equivariant: bool
    proved: bool
    how: str
    gap: Gap | None = None


def judge(problem: Problem, count: int = 12, seed: int = 0) -> Judgement:
    """Decide f∘ρ_in = ρ_out∘f for all generators, by expansion, canonical form, or at points."""
    if problem.field.kind == "parametric":
        return judge_parametric(problem, count, seed)
    if gap := find_gap(problem, count, seed):
        return Judgement(False, True, "gap at a point", gap)
    network = fold_affine(problem.network)
    folded = replace(problem, network=network)
    sigmas = [layer.sigma for layer in network.hidden]
    if all(s.name == "polynomial" for s in sigmas) and is_expandable(network):
        if all(is_polynomial_identity(folded, name) for name in problem.generators):
            return Judgement(True, True, "polynomial identity")
        return Judgement(False, True, "polynomial identity fails")
    if len(sigmas) == 1 and sigmas[0].name != "polynomial":
        answers = [same_canonical_form(folded, name) for name in problem.generators]
        if all(a is True for a in answers):
            return Judgement(True, True, "canonical form")
        if any(a is False for a in answers):
            return Judgement(False, True, "canonical forms differ")
    if gap := find_gap(problem, 4 * count, seed + 1):
        return Judgement(False, True, "gap at a point", gap)
    how = "exact values" if problem.network.is_exact else f"{AGREE} digits"
    return Judgement(True, False, f"{how} at {4 * count} points")


def judge_parametric(problem: Problem, count: int, seed: int) -> Judgement:
    """Symbolic weights: an identity in the parameters, or agreement at several values of them."""
    network = fold_affine(problem.network)
    folded = replace(problem, network=network)
    polynomial = all(layer.sigma.name == "polynomial" for layer in network.hidden)
    if polynomial and is_expandable(network, MAX_SYMBOLIC_TERMS):
        same = all(is_polynomial_identity(folded, name) for name in problem.generators)
        return Judgement(same, True, "polynomial identity" + ("" if same else " fails"))
    rng = random.Random(seed)
    for _ in range(4):
        values = {
            p: Fraction(rng.randint(1, 9), rng.randint(1, 5)) for p in problem.field.parameters
        }
        verdict = judge(read_problem(*problem.documents, values), count, seed)
        if not verdict.equivariant:
            return verdict
    return Judgement(True, False, "several values of the parameters")


def is_expandable(network: Network, limit: int = MAX_TERMS) -> bool:
    """Whether a polynomial of the network's degree has at most ``limit`` terms."""
    degree = math.prod(layer.sigma.degree for layer in network.hidden)
    return math.comb(network.inputs + degree, degree) <= limit


def is_polynomial_identity(problem: Problem, name: str) -> bool:
    """Whether f∘ρ_in − ρ_out∘f expands to zero."""
    f, n = problem.field, problem.network.inputs
    if not n:
        return find_gap(problem) is None
    variables = ring([f"x{i}" for i in range(n)], f.domain)[0].gens
    const = variables[0].ring.ground_new
    lift = lambda c: const(f.domain.convert(to_domain(c, f)))  # noqa: E731
    rho_in, rho_out = problem.generators[name]

    def affine(rows: Rows, shift: Vector, h: Sequence[Any]) -> list[Any]:
        return [
            sum((lift(w) * v for w, v in zip(row, h, strict=True) if w), lift(c))
            for row, c in zip(rows, shift, strict=True)
        ]

    def value(h: Sequence[Any]) -> list[Any]:
        for layer in problem.network.layers:
            h = affine(layer.weight, layer.bias, h)
            h = [horner(layer.sigma.coefficients, z, lift) for z in h]
        return list(h)

    left = value(affine(rho_in.matrix, rho_in.shift, variables))
    right = affine(rho_out.matrix, rho_out.shift, value(variables))
    return all(not (a - b) for a, b in zip(left, right, strict=True))


def horner(coefficients: Sequence[Fraction], z: Any, lift: Callable[[Any], Any]) -> Any:
    total = lift(Fraction(0))
    for c in reversed(coefficients):
        total = total * z + lift(c)
    return total


def to_domain(c: Element, f: Field) -> Any:
    return sympy.QQ(c.numerator, c.denominator) if isinstance(c, Fraction) else c


# ------------------------------------------------------- Theorems 1 and 2: shallow canonical form


@dataclass
class Form:
    """f = constant + Σ atoms + linear·x + Σ coefficient · neuron(key), neurons independent."""

    constant: list[Element]
    linear: list[list[Element]]
    neurons: dict[Any, list[Element]]
    atoms: dict[Any, list[Element]]

    def nonzero(self, part: str) -> dict[Any, tuple[Element, ...]]:
        return {k: tuple(v) for k, v in getattr(self, part).items() if any(v)}


def accumulate(table: dict[Any, list[Element]], key: Any, column: Sequence[Element]) -> None:
    old = table.get(key)
    table[key] = list(column) if old is None else [a + b for a, b in zip(old, column, strict=True)]


def increase(total: list[Element], column: Sequence[Element]) -> None:
    for k, c in enumerate(column):
        total[k] = total[k] + c


def canonical_form(network: Network) -> Form:
    """CF of a network with one hidden layer that is not affine."""
    f = network.field
    hidden, last = network.layers
    m, n = len(last.bias), network.inputs
    form = Form(list(last.bias), [[f(0)] * n for _ in range(m)], {}, {})
    for j, (w, b) in enumerate(zip(hidden.weight, hidden.bias, strict=True)):
        a = [row[j] for row in last.weight]
        if not any(w):
            add_constant(form, hidden.sigma, b, a, f)
        elif hidden.sigma.name in PIECEWISE:
            add_kinks(form, hidden.sigma, w, b, a, f)
        else:
            add_neuron(form, hidden.sigma, w, b, a, f)
    return form


def add_constant(form: Form, sigma: Activation, b: Element, a: list[Element], f: Field) -> None:
    """A neuron a·σ(b): an exact value, or an atom with its sign normalised."""
    if (value := sigma.exact(b, f)) is not None:
        increase(form.constant, [c * value for c in a])
    elif f.is_first([b]) or sigma.name == "elu":
        accumulate(form.atoms, (b,), a)
    elif sigma.name in ODD:
        accumulate(form.atoms, (-b,), [-c for c in a])
    elif sigma.name == "sigmoid":
        accumulate(form.atoms, (-b,), [-c for c in a])
        increase(form.constant, a)
    else:
        accumulate(form.atoms, (-b,), a)
        increase(form.constant, [c * b for c in a])


def add_neuron(
    form: Form, sigma: Activation, w: Vector, b: Element, a: list[Element], f: Field
) -> None:
    """A neuron a·σ(w·x + b), oriented so that its key is the first of ±(w, b)."""
    if sigma.name == "elu" or f.is_first(w):
        accumulate(form.neurons, (w, b), a)
        return
    key = (tuple(-x for x in w), -b)
    if sigma.name in EVEN_LINEAR:  # σ(z) = σ(−z) + z
        accumulate(form.neurons, key, a)
        increase(form.constant, [c * b for c in a])
        for k, c in enumerate(a):
            increase(form.linear[k], [c * x for x in w])
        return
    accumulate(form.neurons, key, [-c for c in a])
    if sigma.name == "sigmoid":
        increase(form.constant, a)


def kinks(sigma: Activation) -> tuple[Fraction, Fraction, list[tuple[Fraction, Fraction]]]:
    """(m, c, [(τ, δ), …]) with σ(z) = mz + c + Σ δ|z − τ|."""
    s = sigma.slope
    zero, one = Fraction(0), Fraction(1)
    return {
        "relu": (HALF, zero, [(zero, HALF)]),
        "leaky_relu": ((1 + s) / 2, zero, [(zero, (1 - s) / 2)]),
        "abs": (zero, zero, [(zero, one)]),
        "hard_tanh": (zero, zero, [(-one, HALF), (one, -HALF)]),
        "relu6": (zero, Fraction(3), [(zero, HALF), (Fraction(6), -HALF)]),
    }[sigma.name]


def add_kinks(
    form: Form, sigma: Activation, w: Vector, b: Element, a: list[Element], f: Field
) -> None:
    """A piecewise-linear neuron as an affine part and one |ℓ_H| a kink."""
    slope, constant, breaks = kinks(sigma)
    increase(form.constant, [c * (f(slope) * b + f(constant)) for c in a])
    for k, c in enumerate(a):
        increase(form.linear[k], [f(slope) * c * x for x in w])
    kappa = next(x for x in w if x)
    size = kappa if f.sign(kappa) > 0 else -kappa
    for tau, delta in breaks:
        key = (tuple(x / kappa for x in w), (b - f(tau)) / kappa)
        accumulate(form.neurons, key, [f(delta) * size * c for c in a])


def same_canonical_form(problem: Problem, name: str) -> bool | None:
    """CF(f∘ρ_in) = CF(ρ_out∘f); None when only folded constants are in doubt at 250 digits."""
    f = problem.field
    hidden, last = problem.network.layers
    rho_in, rho_out = problem.generators[name]
    left = canonical_form(
        replace(problem.network, layers=(replace(hidden, **pulled(hidden, rho_in, f)), last))
    )
    right = canonical_form(
        replace(problem.network, layers=(hidden, replace(last, **pushed(last, rho_out, f))))
    )
    if left.linear != right.linear or left.nonzero("neurons") != right.nonzero("neurons"):
        return False
    if left.nonzero("atoms") == right.nonzero("atoms"):
        return left.constant == right.constant
    for k in range(len(last.bias)):
        total = f.number(left.constant[k]) - f.number(right.constant[k])
        for form, sign in ((left, 1), (right, -1)):
            for (b,), column in form.atoms.items():
                total += sign * f.number(column[k]) * hidden.sigma.number(f.number(b))
        if abs(total) > TINY:
            return False
    return None


def pulled(layer: Layer, rho: Affine, f: Field) -> dict[str, Any]:
    """Weight and bias of (W, b)∘ρ."""
    columns = list(zip(*rho.matrix, strict=True))
    weight = tuple(tuple(f.dot(row, column) for column in columns) for row in layer.weight)
    bias = tuple(
        f.add(f.dot(row, rho.shift), b) for row, b in zip(layer.weight, layer.bias, strict=True)
    )
    return {"weight": weight, "bias": bias}


def pushed(layer: Layer, rho: Affine, f: Field) -> dict[str, Any]:
    """Weight and bias of ρ∘(W, b)."""
    columns = list(zip(*layer.weight, strict=True))
    weight = tuple(tuple(f.dot(row, column) for column in columns) for row in rho.matrix)
    return {"weight": weight, "bias": rho(layer.bias, f)}


# -------------------------------------------------------------------------------- reduction


def fold_affine(network: Network) -> Network:
    """The same function without hidden layers of affine activation."""
    while (
        at := next((k for k, x in enumerate(network.hidden) if x.sigma.is_affine), None)
    ) is not None:
        network = fold_one(network, at)
    return network


def fold_one(network: Network, at: int) -> Network:
    """The same function with the affine hidden layer ``at`` composed into the next."""
    f = network.field
    layer, after = network.layers[at], network.layers[at + 1]
    q, p = (*layer.sigma.coefficients, Fraction(0), Fraction(0))[:2]
    inner = Affine(
        tuple(tuple(f(p) * x for x in row) for row in layer.weight),
        tuple(f.add(f.times(f(p), b), f(q)) for b in layer.bias),
    )
    if layer.bias:
        both = Layer(sigma=after.sigma, **pulled(after, inner, f))
    else:
        zero = (f(0),) * network.widths[at]
        both = Layer((zero,) * len(after.bias), after.bias, after.sigma)
    layers = (*network.layers[:at], both, *network.layers[at + 2 :])
    return replace(network, layers=layers)


def ratio(row: Vector, other: Vector) -> Element | None:
    """α with row = α·other for non-zero rows, or None."""
    at = next((k for k, x in enumerate(other) if x), None)
    if at is None or not row[at]:
        return None
    alpha = row[at] / other[at]
    return alpha if all(x == alpha * y for x, y in zip(row, other, strict=True)) else None


def moved_bias(alpha: Element, b: Element, sigma: Activation, f: Field) -> Element:
    """αb + c(1−α)."""
    return f.add(f.times(alpha, b), f(sigma.centre) * (f(1) - alpha))


def clone_scale(layer: Layer, keep: int, drop: int, f: Field) -> Element | None:
    """α with row_drop = α·row_keep about the centre, admitted by σ; None if inequivalent."""
    alpha = ratio(layer.weight[drop], layer.weight[keep])
    if alpha is None or not layer.sigma.admits(alpha, f):
        return None
    wanted = moved_bias(alpha, layer.bias[keep], layer.sigma, f)
    return alpha if f.equal(layer.bias[drop], wanted) else None


def is_reduced(network: Network) -> bool:
    """Whether no rule of reduction (affine, dead-out, dead-in, clone) applies."""
    return find_rule(network) is None


def find_rule(network: Network) -> tuple[str, int, int, int, Any] | None:
    f = network.field
    for at, layer in enumerate(network.hidden):
        if layer.sigma.is_affine:
            return ("affine", at, 0, 0, None)
        after = network.layers[at + 1].weight
        for j, row in enumerate(layer.weight):
            if not any(r[j] for r in after):
                return ("drop", at, j, j, None)
            if not any(row):
                return ("fold", at, j, j, None)
        for i, j in itertools.combinations(range(len(layer.bias)), 2):
            alpha = clone_scale(layer, i, j, f)
            if alpha is not None:
                return ("merge", at, i, j, alpha)
    return None


def reduce_network(network: Network) -> Network:
    """The network after all rules, applied to a fixed point.

    A transcendental constant σ(b) that is folded turns the next biases into 330-digit numbers;
    all weights remain exact.
    """
    while (rule := find_rule(network)) is not None:
        kind, at, i, j, alpha = rule
        network = fold_affine(network) if kind == "affine" else removed(network, at, i, j, alpha)
    return network


def removed(network: Network, at: int, i: int, j: int, alpha: Element | None) -> Network:
    """Neuron j of hidden layer ``at`` removed: folded (i = j) or merged into neuron i."""
    f = network.field
    layer, after = network.layers[at], network.layers[at + 1]
    rows = [list(row) for row in after.weight]
    bias = list(after.bias)
    for k, row in enumerate(rows):
        if not row[j]:
            continue
        if i == j:
            bias[k] = f.add(bias[k], f.times(row[j], constant_value(layer, j, f)))
        else:
            lam, nu = layer.sigma.transport(alpha, f)
            row[i] = row[i] + lam * row[j]
            bias[k] = f.add(bias[k], nu * row[j])
    smaller = replace(layer, weight=without(layer.weight, j), bias=without(layer.bias, j))
    larger = replace(after, weight=tuple(without(tuple(r), j) for r in rows), bias=tuple(bias))
    layers = (*network.layers[:at], smaller, larger, *network.layers[at + 2 :])
    return replace(network, layers=layers)


def constant_value(layer: Layer, j: int, f: Field) -> Element:
    b = layer.bias[j]
    value = None if isinstance(b, CTX.mpf) else layer.sigma.exact(b, f)
    return value if value is not None else layer.sigma.number(f.number(b))


def without(items: tuple[Any, ...], j: int) -> tuple[Any, ...]:
    return items[:j] + items[j + 1 :]


# ----------------------------------------------------------------- layerwise, by exhaustion


@dataclass(frozen=True)
class Monomial:
    """K: z_i ↦ scale_i z_{permutation_i} + c(1 − scale_i)."""

    permutation: tuple[int, ...]
    scale: Vector

    def after(self, sigma: Activation, f: Field) -> Affine:
        """R, with σ∘K = R∘σ."""
        n = len(self.permutation)
        pairs = [sigma.transport(a, f) for a in self.scale]
        matrix = tuple(
            tuple(lam if j == p else f(0) for j in range(n))
            for p, (lam, _) in zip(self.permutation, pairs, strict=True)
        )
        return Affine(matrix, tuple(nu for _, nu in pairs))

    def __call__(self, z: Vector, sigma: Activation, f: Field) -> Vector:
        return tuple(
            f.add(f.times(a, z[p]), f(sigma.centre) * (f(1) - a))
            for p, a in zip(self.permutation, self.scale, strict=True)
        )


def scales(layer: Layer, row: Vector, bias: Element, p: int, f: Field) -> Iterator[Element]:
    """Every α with (row, bias) = α·row_p about the centre."""
    if any(row) or any(layer.weight[p]):
        alpha = ratio(row, layer.weight[p])
        candidates = [] if alpha is None else [alpha]
    elif layer.sigma.name in ("relu", "leaky_relu", "abs") or layer.sigma.admits(f(2), f):
        raise OracleError("a zero row under a continuous group of scalings")
    else:
        candidates = [f(1), f(-1)]
    for alpha in candidates:
        wanted = moved_bias(alpha, layer.bias[p], layer.sigma, f)
        if layer.sigma.admits(alpha, f) and f.equal(bias, wanted):
            yield alpha


def monomials(layer: Layer, rho: Affine, f: Field) -> Iterator[Monomial]:
    """Every K with (W, b)∘ρ = K∘(W, b), found by exhausting permutations row by row."""
    moved = replace(layer, **pulled(layer, rho, f))
    n = len(layer.bias)
    options = [
        [(p, a) for p in range(n) for a in scales(layer, moved.weight[i], moved.bias[i], p, f)]
        for i in range(n)
    ]

    def extend(i: int, used: frozenset[int], chosen: tuple[Any, ...]) -> Iterator[Monomial]:
        if i == n:
            yield Monomial(tuple(p for p, _ in chosen), tuple(a for _, a in chosen))
            return
        for p, a in options[i]:
            if p not in used:
                yield from extend(i + 1, used | {p}, (*chosen, (p, a)))

    yield from extend(0, frozenset(), ())


def find_latents(
    network: Network, rho_in: Affine, rho_out: Affine
) -> Iterator[tuple[Monomial, ...]]:
    """Every tuple (K_1, …) that makes all layers equivariant under one generator."""
    f = network.field

    def descend(at: int, rho: Affine, chosen: tuple[Monomial, ...]) -> Iterator[Any]:
        layer = network.layers[at]
        if at == len(network.layers) - 1:
            if equal_maps(pulled(layer, rho, f), pushed(layer, rho_out, f), f):
                yield chosen
            return
        for k in monomials(layer, rho, f):
            yield from descend(at + 1, k.after(layer.sigma, f), (*chosen, k))

    yield from descend(0, rho_in, ())


def equal_maps(a: Mapping[str, Any], b: Mapping[str, Any], f: Field) -> bool:
    biases = zip(a["bias"], b["bias"], strict=True)
    return a["weight"] == b["weight"] and all(f.equal(x, y) for x, y in biases)


def is_layerwise(network: Network, generators: Mapping[str, tuple[Affine, Affine]]) -> bool:
    """Whether every generator has latents; for reduced networks they then form an action."""
    return all(next(find_latents(network, *pair), None) is not None for pair in generators.values())


def verdict(problem: Problem, count: int = 12, seed: int = 0) -> tuple[str, Judgement]:
    """The verdict that identcert should reach, and how its equivariance part is known."""
    judgement = judge(problem, count, seed)
    if not judgement.equivariant:
        return "not_equivariant", judgement
    reduced = reduce_network(problem.network)
    if not is_layerwise(reduced, problem.generators):
        return "end_to_end_only", judgement
    same = reduced.widths == problem.network.widths
    return ("layerwise" if same else "layerwise_after_reduction"), judgement


# --------------------------------------------------------------------------------- witnesses


def read_latents(value: Any, network: Network) -> list[dict[str, Monomial]]:
    """Latents of a witness: one table generator → K for each hidden layer."""
    f = network.field
    if len(value) != len(network.hidden):
        raise OracleError("latents do not fit the hidden layers")
    return [
        {
            name: Monomial(
                tuple(entry["permutation"]),
                tuple(map(f.parse, entry["scale"]))
                if "scale" in entry
                else (f(1),) * len(entry["permutation"]),
            )
            for name, entry in layer.items()
        }
        for layer in value
    ]


def latent_faults(
    network: Network,
    generators: Mapping[str, tuple[Affine, Affine]],
    latents: Sequence[Mapping[str, Monomial]],
    count: int = 3,
    seed: int = 0,
) -> list[str]:
    """Where z_i(ρ_in x) = K_i z_i(x) or the output equation fails at random points."""
    f = network.field
    faults = []
    exact = network.is_exact
    net = network if exact else numeric(network)
    for name, (rho_in, rho_out) in generators.items():
        for at, layer in enumerate(latents):
            k = layer[name]
            if sorted(k.permutation) != list(range(network.widths[at + 1])):
                return [f"layer {at}, {name}: not a permutation"]
            if not all(network.layers[at].sigma.admits(a, f) for a in k.scale):
                return [f"layer {at}, {name}: a scale that does not pass"]
        one, two = (rho_in, rho_out) if exact else (numeric_map(r, f) for r in (rho_in, rho_out))
        for x in points(network.inputs, count, seed):
            point: Vector = tuple(f(c) if exact else f.number(f(c)) for c in x)
            left, right = trace(net, one(point, f)), trace(net, point)
            if left is None or right is None:
                raise OracleError("no value")
            faults += [
                f"layer {at}, generator {name}, at {x}"
                for at, table in enumerate(latents)
                if not agree(left[at], table[name](right[at], network.layers[at].sigma, f), f)
            ]
            if not agree(left[-1], two(right[-1], f), f):
                faults.append(f"output, generator {name}, at {x}")
    return faults


def agree(left: Vector, right: Vector, f: Field) -> bool:
    return all(f.equal(a, b) for a, b in zip(left, right, strict=True))


def replay(network: Network, steps: Sequence[Mapping[str, Any]]) -> Network:
    """The network after the recorded steps of a witness, each step's side condition checked."""
    f = network.field
    for step in steps:
        kind, at = step["rule"], step.get("layer", 0)
        if kind == "affine":
            if not network.layers[at].sigma.is_affine:
                raise OracleError(f"layer {at} is not affine")
            network = fold_one(network, at)
        elif kind == "collapse":
            last = network.layers[-1]
            zero = tuple((f(0),) * network.inputs for _ in last.bias)
            network = replace(network, layers=(replace(last, weight=zero),))
        elif kind == "merge":
            alpha = clone_scale(network.layers[at], step["keep"], step["drop"], f)
            if alpha is None or alpha != f.parse(step["scale"]):
                raise OracleError(f"not a clone: {step}")
            network = removed(network, at, step["keep"], step["drop"], alpha)
        else:
            j = step["neuron"]
            rows = network.layers[at + 1].weight if kind == "drop" else ()
            if any(row[j] for row in rows) or (
                kind == "fold" and any(network.layers[at].weight[j])
            ):
                raise OracleError(f"side condition fails: {step}")
            network = removed(network, at, j, j, None)
    return network


def padded(original: Network, reduced: Network, positions: Sequence[Sequence[int]]) -> Network:
    """The reduced network at larger widths: other neurons have zero row, bias and column."""
    f = reduced.field
    layers = []
    before: Sequence[int] = range(reduced.inputs)
    width = reduced.inputs
    for at, layer in enumerate(reduced.layers):
        last = at == len(reduced.layers) - 1
        places = list(range(len(layer.bias))) if last else list(positions[at])
        height = len(layer.bias) if last else original.widths[at + 1]
        weight = [[f(0)] * width for _ in range(height)]
        bias: list[Element] = [f(0)] * height
        for i, place in enumerate(places):
            bias[place] = layer.bias[i]
            for j, column in enumerate(before):
                weight[place][column] = layer.weight[i][j]
        layers.append(Layer(as_rows(weight), tuple(bias), layer.sigma))
        before, width = places, height
    return replace(reduced, layers=tuple(layers))


def same_function(a: Network, b: Network, count: int = 4, seed: int = 7) -> bool:
    """Whether two networks agree at random points (250 digits where nothing exact is at hand)."""
    f = a.field
    exact = a.is_exact and b.is_exact
    for x in points(a.inputs, count, seed):
        point = tuple(f(c) if exact else f.number(f(c)) for c in x)
        left, right = (trace(net if exact else numeric(net), point) for net in (a, b))
        if left is None or right is None or not agree(left[-1], right[-1], f):
            return False
    return True


def witness_faults(folder: str | Path) -> list[str]:
    """What is wrong with an evidence folder, by direct evaluation; [] for a sound one.

    ``layerwise``: the latents at random points. ``layerwise_after_reduction``: the steps replayed,
    the function kept, the latents of the reduced network, the re-embedding. ``end_to_end_only``:
    equivariance decided anew, and no latents by exhaustion. ``not_equivariant``: the gap at the
    point. Not covered: the group law of ``given`` latents, and ``equal``.
    """
    folder = Path(folder)
    witness = read_json(folder / "witness.json")
    evidence, claimed = witness["evidence"], witness["verdict"]
    values = {k: Fraction(v) for k, v in evidence.get("parameters", {}).items()} or None
    problem = read_problem(folder / "network.json", folder / "action.json", values)
    try:
        return FAULTS[claimed](problem, evidence)
    except OracleError as fault:
        return [f"{claimed}: {fault}"]


def layerwise_faults(problem: Problem, evidence: Any) -> list[str]:
    latents = read_latents(evidence["latents"], problem.network)
    faults = latent_faults(problem.network, problem.generators, latents)
    if not is_reduced(problem.network):
        faults.append(f"not reduced: {find_rule(problem.network)}")
    return faults


def reduction_faults(problem: Problem, evidence: Any) -> list[str]:
    network = problem.network
    reduced = replay(network, evidence["steps"])
    faults = [] if same_function(network, reduced) else ["the steps change the function"]
    if not is_reduced(reduced):
        faults.append(f"not reduced: {find_rule(reduced)}")
    latents = read_latents(evidence["latents"], reduced)
    faults += latent_faults(reduced, problem.generators, latents)
    if "embedding" in evidence:
        shape = replay(network, [s for s in evidence["steps"] if s["rule"] == "affine"])
        larger = padded(shape, reduced, evidence["embedding"]["positions"])
        if not same_function(network, larger):
            faults.append("the re-embedded network is another function")
    return faults + given_faults(problem, evidence)


def given_faults(problem: Problem, evidence: Any) -> list[str]:
    given = evidence.get("given")
    if not given or not given["value"]:
        return []
    network = fold_affine(problem.network)
    return latent_faults(network, problem.generators, read_latents(given["latents"], network))


def end_to_end_faults(problem: Problem, evidence: Any) -> list[str]:
    reduced = replay(problem.network, evidence["steps"])
    faults = [] if same_function(problem.network, reduced) else ["the steps change the function"]
    judgement = judge(problem)
    if not judgement.equivariant:
        faults.append(f"not equivariant: {judgement.how}")
    if is_layerwise(reduced, problem.generators):
        faults.append("the reduced network is layerwise equivariant")
    return faults + given_faults(problem, evidence)


def refutation_faults(problem: Problem, evidence: Any) -> list[str]:
    point = [Fraction(c) for c in evidence["point"]]
    f = problem.field
    gap = gap_at(problem, evidence["generator"], point)
    if gap is None:
        return ["no gap at the point"]
    exact = component_gap(problem, evidence["generator"], point, evidence["component"])
    if abs(f.number(exact)) < as_mpf(Fraction(evidence["gap"])):
        return ["the gap is smaller than claimed"]
    return []


def component_gap(problem: Problem, name: str, x: Sequence[Fraction], j: int) -> Element:
    """Component j of f(ρ_in x) − ρ_out f(x)."""
    f, network = problem.field, problem.network
    rho_in, rho_out = problem.generators[name]
    point: Vector = tuple(f(c) for c in x)
    if not network.is_exact:
        network = numeric(network)
        rho_in, rho_out = numeric_map(rho_in, f), numeric_map(rho_out, f)
        point = tuple(map(f.number, point))
    left, right = trace(network, rho_in(point, f)), trace(network, point)
    if left is None or right is None:
        raise OracleError("no value")
    return left[-1][j] - rho_out(right[-1], f)[j]


FAULTS: dict[str, Callable[[Problem, Any], list[str]]] = {
    "layerwise": layerwise_faults,
    "layerwise_after_reduction": reduction_faults,
    "end_to_end_only": end_to_end_faults,
    "not_equivariant": refutation_faults,
    "undecided": lambda problem, evidence: [],
}
