"""Names of finite groups: recognised for people, and read from labels.

Cₙ  == cyclic of order n                      Dₙ == dihedral of order 2n
Sₙ, Aₙ == symmetric and alternating groups    V4 == C2 × C2, Q8 == quaternion group

Recognition is an aid for readers and carries no claim. It is right all the same:
each name is given only when a complete characterisation holds.
"""

from __future__ import annotations

import re
from collections import Counter
from math import factorial, prod

from identcert.groups.closure import FiniteClosure, Table

MAX_ORDER_FOR_NAMES = 512

# Order statistics that determine the group: order, element order, number of such elements
_BY_STATISTICS = {
    "A4": (12, {1: 1, 2: 3, 3: 8}),
    "S4": (24, {1: 1, 2: 9, 3: 8, 4: 6}),
    "A5": (60, {1: 1, 2: 15, 3: 20, 5: 24}),
    "S5": (120, {1: 1, 2: 25, 3: 20, 4: 30, 5: 24, 6: 20}),
}

_POINT_GROUPS = {"T": 12, "Td": 24, "Th": 24, "O": 24, "Oh": 48, "I": 60, "Ih": 120}
_OTHERS = {"V4": 4, "V": 4, "K4": 4, "Q8": 8, "Q16": 16, "SL(2,3)": 24, "GL(2,3)": 48}
_FAMILY = re.compile(r"([CZDSAB])_?\{?([0-9]{1,4})\}?|Z/\(?([0-9]{1,4})Z?\)?")


def group_name(group: FiniteClosure, subgroup: frozenset[int] | None = None) -> str:
    """Return what people call a finite group, or the subgroup with the given elements.

    Examples
    --------
    >>> from identcert.groups.closure import close
    >>> from identcert.groups.library import cube, symmetric
    >>> group_name(close(symmetric(3))), group_name(close(cube()))
    ('S3', 'S4 × C2')
    """
    if subgroup is None:
        if group.order > 1 and group.order in map(group.element_order, group.right[0]):
            return f"C{group.order}"
        subgroup = frozenset(range(group.order))
    if len(subgroup) > MAX_ORDER_FOR_NAMES:
        return f"group of order {len(subgroup)}"
    return name_of_table(group.subgroup_table(subgroup))


def name_of_table(table: Table) -> str:
    """Return what people call the group with a multiplication table, 0 being the identity.

    Examples
    --------
    >>> name_of_table(tuple(tuple(i ^ j for j in range(8)) for i in range(8)))
    'C2 × C2 × C2'
    """
    order, orders = len(table), _element_orders(table)
    statistics = Counter(orders)
    if order == 1:
        return "trivial group"
    if max(orders) == order:
        return f"C{order}"
    if all(table[i][j] == table[j][i] for i in range(order) for j in range(i)):
        return "V4" if order == 4 else _abelian_name(statistics, order)
    if order == 6:
        return "S3"
    if _is_dihedral(table, orders):
        return f"D{order // 2}"
    if order == 8:
        return "Q8"  # the one non-abelian group of order 8 beside D4
    for name, characterisation in _BY_STATISTICS.items():
        if (order, dict(statistics)) == characterisation:
            return name
    factor = _factor_beside_c2(table, orders)
    return f"{factor} × C2" if factor else f"group of order {order}"


def known_order(label: str) -> int | None:
    """Return the order of the group that a label names, or None if it names none for sure.

    Dₙ has order 2n here; products are written with ``x`` or ``×``, powers with ``^``.

    Examples
    --------
    >>> [known_order(label) for label in ("C4", "D4", "S3", "Z/4", "Oh", "C2^3 x S3", "hand")]
    [4, 8, 6, 4, 48, 48, None]
    """
    orders = [_factor_order(part) for part in re.split(r"\s*[x×]\s*", label.strip())]
    found = [order for order in orders if order is not None]
    return prod(found) if len(found) == len(orders) else None


def _factor_order(label: str) -> int | None:
    """Return the order of one factor of a product, with its exponent."""
    base, power, exponent = label.partition("^")
    if power:
        order = _factor_order(base)
        return order ** int(exponent) if order and re.fullmatch("[1-9][0-9]?", exponent) else None
    if label in ("1", "trivial", "trivial group"):
        return 1
    known = (_POINT_GROUPS | _OTHERS).get(label)
    match = _FAMILY.fullmatch(label)
    if known is not None or match is None:
        return known
    family, n = match[1] or "Z", int(match[2] or match[3])
    if n == 0 or (family in "SAB" and n > 1000):
        return None
    match family:
        case "A":
            return max(1, factorial(n) // 2)
        case "B":
            return int(2**n) * factorial(n)
        case "D":
            return 2 * n
        case "S":
            return factorial(n)
    return n


def _element_orders(table: Table) -> list[int]:
    """Return the order of every element."""
    orders = []
    for i in range(len(table)):
        n, power = 1, i
        while power:
            n, power = n + 1, table[power][i]
        orders.append(n)
    return orders


def _is_dihedral(table: Table, orders: list[int]) -> bool:
    """Return whether some r has index 2 and some involution s outside ⟨r⟩ inverts it."""
    half = len(table) // 2
    if len(table) % 2 or half < 3 or half not in orders:
        return False
    # in Dₙ with n ≥ 3 any two cyclic subgroups of order n ≥ 3 agree, so one r is enough
    r = orders.index(half)
    rotations, power = {0}, r
    while power:
        rotations.add(power)
        power = table[power][r]
    return any(
        orders[s] == 2 and table[table[table[s][r]][s]][r] == 0
        for s in range(len(table))
        if s not in rotations
    )


def _abelian_name(statistics: Counter[int], order: int) -> str:
    """Return the product of cyclic groups, each order dividing the next.

    For a prime p the number of elements of order dividing p^k is p^(Σ min(k, eᵢ)).
    """
    factors: list[int] = []
    for p in (d for d in range(2, order + 1) if order % d == 0 and _has_one_prime(d)):
        sizes, k = [], 1
        while order % p**k == 0:
            count = sum(n for d, n in statistics.items() if p**k % d == 0)
            sizes.append(count)
            k += 1
        # the number of factors of order ≥ p^k is log_p of the growth from p^(k−1) to p^k
        growth = [b // a for a, b in zip([1, *sizes], sizes, strict=False)]
        parts = [sum(1 for g in growth if g >= p**i) for i in range(1, order.bit_length() + 1)]
        for position, exponent in enumerate(e for e in parts if e):
            if position == len(factors):
                factors.append(1)
            factors[position] *= p**exponent
    return " × ".join(f"C{d}" for d in reversed(factors))


def _has_one_prime(d: int) -> bool:
    """Return whether d is a prime number."""
    return all(d % q for q in range(2, d))


def _factor_beside_c2(table: Table, orders: list[int]) -> str | None:
    """Return the name of H when the group is H × C2 and H has a name of its own."""
    order = len(table)
    central = [
        z
        for z in range(1, order)
        if orders[z] == 2 and all(table[z][i] == table[i][z] for i in range(order))
    ]
    for kernel in _index_two_subgroups(table) if central else ():
        if not set(central) <= kernel:
            members = sorted(kernel)
            number = {element: i for i, element in enumerate(members)}
            rows = (tuple(number[table[i][j]] for j in members) for i in members)
            name = name_of_table(tuple(rows))
            if not name.startswith("group of order"):
                return name
    return None


def _index_two_subgroups(table: Table) -> list[set[int]]:
    """Return the kernels of the homomorphisms onto {1, −1}.

    They contain the subgroup generated by squares; the quotient by it is C2^k, and
    each kernel is a hyperplane of that.
    """
    squares = _generated(table, {table[i][i] for i in range(len(table))})
    basis: list[int] = []
    covered = set(squares)
    for i in range(len(table)):
        if i not in covered:
            basis.append(i)
            covered = _generated(table, squares | set(basis))
    kernels = []
    for mask in range(1, 2 ** len(basis)):
        odd = [b for k, b in enumerate(basis) if mask >> k & 1]
        even = [b for b in basis if b not in odd]
        pairs = {table[odd[0]][b] for b in odd[1:]}
        kernels.append(_generated(table, squares | set(even) | pairs))
    return kernels


def _generated(table: Table, elements: set[int]) -> set[int]:
    """Return the subgroup that some elements generate."""
    reached, queue = {0}, [0]
    for i in queue:
        for j in elements:
            k = table[i][j]
            if k not in reached:
                reached.add(k)
                queue.append(k)
    return reached
