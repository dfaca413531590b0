"""Float arrays and the rationals that they store are the same numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from identcert.errors import InputError
from identcert.exact.dyadic import exact_dyadic, from_exact

few = settings(max_examples=100, deadline=None)
dtypes = pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])


def as_fractions(values: list[Any]) -> list[Fraction]:
    return [Fraction(int(v.p), int(v.q)) for v in values]


@pytest.mark.parametrize("bits", [16, 32, 64])
@given(data=st.data())
@few
def test_every_finite_float_is_read_exactly(bits: int, data: st.DataObject) -> None:
    floats = st.floats(allow_nan=False, allow_infinity=False, width=bits)  # type: ignore[arg-type]
    array = np.array(data.draw(st.lists(floats, max_size=6)), dtype=f"float{bits}")
    values = exact_dyadic(array)
    assert all(type(v) is fmpq for v in values)
    assert as_fractions(values) == [Fraction(float(x)) for x in array]
    back = from_exact(values)
    assert back is not None and back.dtype == np.float64
    assert (back == array.astype(np.float64)).all()


@dtypes
def test_the_ends_of_the_range(dtype: Any) -> None:
    info = np.finfo(dtype)
    ends = [info.max, info.min, info.smallest_normal, info.smallest_subnormal, info.eps, -0.0]
    array = np.array(ends, dtype=dtype)
    assert as_fractions(exact_dyadic(array)) == [Fraction(float(x)) for x in array]


def test_order_shape_and_layout() -> None:
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 8
    expected = [Fraction(k, 8) for k in range(24)]
    assert as_fractions(exact_dyadic(array)) == expected
    assert as_fractions(exact_dyadic(np.asfortranarray(array))) == expected
    assert as_fractions(exact_dyadic(array.T)) == [Fraction(float(x)) for x in array.T.ravel()]
    assert as_fractions(exact_dyadic(array.astype(">f4"))) == expected
    assert exact_dyadic(np.zeros((0, 3))) == []
    assert exact_dyadic(np.float64(0.25)) == [fmpq(1, 4)]


@dtypes
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_real_number_is_named(dtype: Any, bad: float) -> None:
    array = np.ones((2, 3), dtype=dtype)
    array[1, 2] = bad
    with pytest.raises(
        InputError, match=r"^fc\.weight\[1, 2\]: the entry -?(nan|inf) is not a real"
    ):
        exact_dyadic(array, "fc.weight")
    with pytest.raises(InputError, match=r"^array\[4\]: "):
        exact_dyadic(array.T.ravel()[1:])


@pytest.mark.parametrize("dtype", [np.int64, np.complex128, np.bool_, object, np.longdouble])
def test_other_types_are_refused(dtype: Any) -> None:
    with pytest.raises(InputError, match="does not hold binary floats"):
        exact_dyadic(np.ones(2, dtype=dtype))


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (Fraction(1, 3), False),
        (Fraction(2**53), True),
        (Fraction(2**53 + 1), False),
        (Fraction(1, 2**1074), True),
        (Fraction(1, 2**1075), False),
        (Fraction(3, 2**1075), False),
        (Fraction(2**1024), False),
        (Fraction(2**1024 - 2**971), True),
        (Fraction(10**400), False),
        (Fraction(0), True),
    ],
)
def test_only_exact_floats_come_back(value: Fraction, fits: bool) -> None:
    array = from_exact([fmpq(1, 2), fmpq(value.numerator, value.denominator)])
    assert (array is not None) == fits
    assert array is None or Fraction(float(array[1])) == value


def test_no_values_make_an_empty_array() -> None:
    empty = from_exact([])
    assert empty is not None and empty.shape == (0,) and empty.dtype == np.float64
