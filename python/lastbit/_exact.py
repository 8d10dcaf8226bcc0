"""Exact sums, products and statistics of arrays."""

import ctypes
import operator
from typing import Any

from . import _library as lib
from ._arrays import FLOATS, FORMATS, Axis, Output, Result, View, axes_of, dtype_of, view
from ._errors import Error


def sum(array: Any, axis: Axis = None, dtype: Any = None) -> Result:
    """Return the sum of the elements, rounded once.

    The result depends on the multiset of the elements only, not on their order,
    the strides, the number of threads or the machine: the promise *exact*.

    ``array`` is a NumPy array, a torch tensor on the CPU, a list of numbers, or
    anything with the buffer protocol or ``__dlpack__``, of any shape and
    strides; it is not copied. ``axis`` is None for all elements, or one axis or
    a tuple of them. The result has the dtype of the array, or ``dtype``, such as
    "float32", "f4" or ``numpy.float32``: rounded once to that from the exact sum.
    Integers and bool give int64, or uint64 if they are unsigned; a sum that does
    not fit is an error. It is a number or an array of the library that ``array``
    comes from: of NumPy for JAX, and memoryviews for arrays of Python's own.

    NaN, or +inf and -inf together, give NaN. An empty sum is 0. As in IEEE 754,
    a sum of -0.0 only is -0.0; NumPy gives 0.0 or -0.0, by its version. No
    intermediate sum overflows.

    Raises ``lastbit.Error``: ``array-unsupported``, ``array-dtype``,
    ``array-device``, ``array-axis``, ``integer-overflow``, ``library-missing``.

    >>> import array, lastbit
    >>> lastbit.sum(array.array("d", [1e300, 1.0, -1e300]))
    1.0
    """
    return _reduce(lib.SUM, array, axis, dtype)


def dot(a: Any, b: Any, axis: Axis = None, dtype: Any = None) -> Result:
    """Return the sum of the products of elements, rounded once.

    The products are exact too. Both arrays have one shape and one dtype. Arrays
    of two and more dimensions need an ``axis``, since ``numpy.dot`` of them is
    another operation. bool counts as 0 and 1. Otherwise as ``lastbit.sum``;
    inf*0 is NaN.

    Raises ``lastbit.Error``: ``array-shape``, and as ``lastbit.sum``.

    >>> import lastbit
    >>> lastbit.dot([1e200, 1.0, 1e200], [1e100, 1.0, -1e100])
    1.0
    """
    with view(a) as x, view(b) as y:
        if x.shape != y.shape or axis is None and len(x.shape) != 1:
            raise Error(
                "array-shape",
                f"dot takes two arrays of one shape, or of one dimension: {x.shape} and "
                f"{y.shape}",
                "give axis, the one that is summed; for matrix products see lastbit run",
            )
        if x.format != y.format:
            raise Error(
                "array-dtype",
                f"dot takes two arrays of one dtype: {FORMATS[x.format]} and "
                f"{FORMATS[y.format]}",
                "convert one of them",
            )
        return _reduced(lib.DOT, x, y, axis, dtype)


def mean(array: Any, axis: Axis = None, dtype: Any = None) -> Result:
    """Return the sum divided by the number of elements, rounded once.

    Integers and bool give float64. The mean of no elements is NaN, without a
    warning. Otherwise as ``lastbit.sum``.

    >>> import lastbit
    >>> lastbit.mean([1e308, 1e308, 1e308])
    1e+308
    """
    return _reduce(lib.MEAN, array, axis, dtype)


def var(array: Any, axis: Axis = None, dtype: Any = None, ddof: int = 0) -> Result:
    """Return the variance, rounded once: nothing cancels, over- or underflows.

    It is (sum of x**2 - (sum of x)**2/n) / (n - ddof) in real numbers. As in
    NumPy, ``ddof`` is 0; torch's default is 1. It is an integer. NaN if an
    element is not finite, and without a warning where n <= ddof. Otherwise as
    ``lastbit.mean``.

    >>> import lastbit
    >>> lastbit.var([1e9 + 1, 1e9 + 2, 1e9 + 3], ddof=1)
    1.0
    """
    return _reduce(lib.VAR, array, axis, dtype, ddof)


def std(array: Any, axis: Axis = None, dtype: Any = None, ddof: int = 0) -> Result:
    """Return the square root of the variance, rounded once.

    The root is taken of the real number that ``lastbit.var`` rounds. Otherwise
    as ``lastbit.var``.

    >>> import lastbit
    >>> lastbit.std([1.0, 3.0])
    1.0
    """
    return _reduce(lib.STD, array, axis, dtype, ddof)


def norm(array: Any, axis: Axis = None, dtype: Any = None) -> Result:
    """Return the square root of the sum of the squares, rounded once.

    An infinite element gives inf, unless one is NaN. Otherwise as
    ``lastbit.mean``; the norm of no elements is 0.

    >>> import lastbit
    >>> lastbit.norm([3 * 2.0**700, 4 * 2.0**700]) == 5 * 2.0**700
    True
    """
    return _reduce(lib.NORM, array, axis, dtype)


def _reduce(op: int, array: Any, axis: Axis, dtype: Any, ddof: int = 0) -> Result:
    with view(array) as x:
        return _reduced(op, x, None, axis, dtype, ddof)


def _degrees(ddof: Any) -> int:
    """Return a ddof, which the library takes in 64 bits."""
    whole = operator.index(ddof)
    if not -(2**63) <= whole < 2**63:
        raise OverflowError(f"ddof is {whole}, which does not fit 64 bits")
    return whole


def _reduced(op: int, x: View, y: "View | None", axis: Axis, dtype: Any,
             ddof: int = 0) -> Result:
    n = len(x.shape)
    format = _result_format(op, x.format, dtype_of(dtype))
    order: "tuple[int, ...] | None" = None
    shape: "tuple[int, ...]" = ()
    inner = n
    if axis is not None:
        axes = axes_of(axis, n)
        kept = [k for k in range(n) if k not in axes]
        order, shape, inner = (*kept, *axes), tuple(x.shape[k] for k in kept), len(axes)
    out = Output(x.owner, format, shape)
    first = x.array(order)
    second = y.array(order) if y is not None else None
    lib.call(
        "lastbit_reduce", op, ctypes.byref(first),
        ctypes.byref(second) if second is not None else None, inner, _degrees(ddof),
        format, out.at,
    )
    return out.result()


def _result_format(op: int, of: int, wanted: "int | None") -> int:
    """Return the format of a result."""
    is_float = of in FLOATS
    whole = (lib.INT64, lib.UINT64) if not is_float and op in (lib.SUM, lib.DOT) else ()
    if wanted is None:
        if is_float:
            return of
        if not whole:
            return lib.FLOAT64
        return lib.UINT64 if lib.UINT8 <= of <= lib.UINT64 else lib.INT64
    if wanted in FLOATS or wanted in whole:
        return wanted
    allowed = [FORMATS[f] for f in (*whole, *FLOATS)]
    raise Error(
        "array-dtype",
        f"elements of {FORMATS[of]} have no result of {FORMATS[wanted]} here",
        "give one of " + ", ".join(allowed),
    )
