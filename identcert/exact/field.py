"""The coefficient fields in one place: Q, Q(α), Q(a, b, …).

`Field` is the interface; `QQ`, `NumberField` and `FunctionField` implement it.
"""

from __future__ import annotations

from identcert.exact.algebraic_number import AlgebraicNumber as AlgebraicNumber
from identcert.exact.function_field import FunctionField as FunctionField
from identcert.exact.number_field import NumberField as NumberField
from identcert.exact.rational_field import QQ as QQ
from identcert.exact.rational_field import Element as Element
from identcert.exact.rational_field import Field as Field
from identcert.exact.rational_field import RationalField as RationalField
from identcert.exact.rational_field import as_fraction as as_fraction
from identcert.exact.rational_field import as_rational as as_rational
from identcert.exact.rational_function import RationalFunction as RationalFunction
