"""Correctly rounded elementary functions of arrays.

A result is the real value of the function, rounded once, to nearest, ties to
even: the same bits on every machine, in arrays of any size and strides.

    lastbit.math.exp(x)          # a new array
    lastbit.math.exp(x, out=x)   # in place

An argument is an array as of ``lastbit.sum``, or a number, of float64, float32,
float16 or bfloat16, and the result has its dtype; integers and bool are
converted to float64 first. ``out`` is an array of the result's shape and dtype;
it may be the argument, or overlap it, and is returned. Two arguments are
broadcast as in NumPy and have one dtype; a number of Python's is rounded to the
dtype of the other.

Special values are those of IEEE 754 and C: NaN gives NaN, ``log(0.0)`` is -inf,
and ``log(-1.0)`` NaN, all without a warning. Large arrays in one piece use all
cores.

Raises ``lastbit.Error``: ``array-unsupported``, ``array-dtype``,
``array-device``, ``array-shape``, ``library-missing``.
"""

from typing import Any

from ._arrays import Result
from ._map import mapped

__all__ = [
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atanh", "atanpi",
    "cbrt", "cos", "cosh", "cospi", "erf", "erfc", "exp", "exp10", "exp10m1", "exp2", "exp2m1",
    "expm1", "gamma", "hypot", "log", "log10", "log10p1", "log1p", "log2", "log2p1", "pow",
    "rsqrt", "sin", "sinh", "sinpi", "tan", "tanh", "tanpi",
]


def exp(x: Any, out: Any = None) -> Result:
    """Return e**x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.exp(1.0)
    2.718281828459045
    """
    return mapped("exp", out, x)


def exp2(x: Any, out: Any = None) -> Result:
    """Return 2**x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.exp2(0.5)
    1.4142135623730951
    """
    return mapped("exp2", out, x)


def exp10(x: Any, out: Any = None) -> Result:
    """Return 10**x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.exp10(0.5)
    3.1622776601683795
    """
    return mapped("exp10", out, x)


def expm1(x: Any, out: Any = None) -> Result:
    """Return e**x - 1, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.expm1(1e-10)
    1.00000000005e-10
    """
    return mapped("expm1", out, x)


def log(x: Any, out: Any = None) -> Result:
    """Return the natural logarithm of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.log(10.0)
    2.302585092994046
    """
    return mapped("log", out, x)


def log2(x: Any, out: Any = None) -> Result:
    """Return the logarithm of x to base 2, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.log2(10.0)
    3.321928094887362
    """
    return mapped("log2", out, x)


def log10(x: Any, out: Any = None) -> Result:
    """Return the logarithm of x to base 10, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.log10(2.0)
    0.3010299956639812
    """
    return mapped("log10", out, x)


def log1p(x: Any, out: Any = None) -> Result:
    """Return the natural logarithm of 1 + x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.log1p(1e-10)
    9.999999999500001e-11
    """
    return mapped("log1p", out, x)


def sin(x: Any, out: Any = None) -> Result:
    """Return the sine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.sin(1.0)
    0.8414709848078965
    """
    return mapped("sin", out, x)


def cos(x: Any, out: Any = None) -> Result:
    """Return the cosine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.cos(1.0)
    0.5403023058681398
    """
    return mapped("cos", out, x)


def tan(x: Any, out: Any = None) -> Result:
    """Return the tangent of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.tan(1.0)
    1.5574077246549023
    """
    return mapped("tan", out, x)


def asin(x: Any, out: Any = None) -> Result:
    """Return the arc sine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.asin(0.5)
    0.5235987755982989
    """
    return mapped("asin", out, x)


def acos(x: Any, out: Any = None) -> Result:
    """Return the arc cosine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.acos(0.5)
    1.0471975511965979
    """
    return mapped("acos", out, x)


def atan(x: Any, out: Any = None) -> Result:
    """Return the arc tangent of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.atan(1.0)
    0.7853981633974483
    """
    return mapped("atan", out, x)


def sinh(x: Any, out: Any = None) -> Result:
    """Return the hyperbolic sine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.sinh(1.0)
    1.1752011936438014
    """
    return mapped("sinh", out, x)


def cosh(x: Any, out: Any = None) -> Result:
    """Return the hyperbolic cosine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.cosh(1.0)
    1.5430806348152437
    """
    return mapped("cosh", out, x)


def tanh(x: Any, out: Any = None) -> Result:
    """Return the hyperbolic tangent of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.tanh(1.0)
    0.7615941559557649
    """
    return mapped("tanh", out, x)


def asinh(x: Any, out: Any = None) -> Result:
    """Return the inverse hyperbolic sine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.asinh(1.0)
    0.881373587019543
    """
    return mapped("asinh", out, x)


def acosh(x: Any, out: Any = None) -> Result:
    """Return the inverse hyperbolic cosine of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.acosh(2.0)
    1.3169578969248168
    """
    return mapped("acosh", out, x)


def atanh(x: Any, out: Any = None) -> Result:
    """Return the inverse hyperbolic tangent of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.atanh(0.5)
    0.5493061443340549
    """
    return mapped("atanh", out, x)


def cbrt(x: Any, out: Any = None) -> Result:
    """Return the cube root of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.cbrt(2.0)
    1.2599210498948732
    """
    return mapped("cbrt", out, x)


def exp2m1(x: Any, out: Any = None) -> Result:
    """Return 2**x - 1, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.exp2m1(1e-10)
    6.931471805839679e-11
    """
    return mapped("exp2m1", out, x)


def exp10m1(x: Any, out: Any = None) -> Result:
    """Return 10**x - 1, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.exp10m1(1e-10)
    2.3025850932591407e-10
    """
    return mapped("exp10m1", out, x)


def log2p1(x: Any, out: Any = None) -> Result:
    """Return the logarithm of 1 + x to base 2, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.log2p1(1e-10)
    1.4426950408168288e-10
    """
    return mapped("log2p1", out, x)


def log10p1(x: Any, out: Any = None) -> Result:
    """Return the logarithm of 1 + x to base 10, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.log10p1(1e-10)
    4.342944818815371e-11
    """
    return mapped("log10p1", out, x)


def sinpi(x: Any, out: Any = None) -> Result:
    """Return the sine of pi*x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.sinpi(0.25)
    0.7071067811865476
    """
    return mapped("sinpi", out, x)


def cospi(x: Any, out: Any = None) -> Result:
    """Return the cosine of pi*x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.cospi(0.25)
    0.7071067811865476
    """
    return mapped("cospi", out, x)


def tanpi(x: Any, out: Any = None) -> Result:
    """Return the tangent of pi*x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.tanpi(0.125)
    0.41421356237309503
    """
    return mapped("tanpi", out, x)


def asinpi(x: Any, out: Any = None) -> Result:
    """Return the arc sine of x, divided by pi, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.asinpi(0.25)
    0.08043062325516624
    """
    return mapped("asinpi", out, x)


def acospi(x: Any, out: Any = None) -> Result:
    """Return the arc cosine of x, divided by pi, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.acospi(0.25)
    0.41956937674483374
    """
    return mapped("acospi", out, x)


def atanpi(x: Any, out: Any = None) -> Result:
    """Return the arc tangent of x, divided by pi, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.atanpi(2.0)
    0.35241638234956674
    """
    return mapped("atanpi", out, x)


def rsqrt(x: Any, out: Any = None) -> Result:
    """Return 1/sqrt(x), correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.rsqrt(2.0)
    0.7071067811865476
    """
    return mapped("rsqrt", out, x)


def erf(x: Any, out: Any = None) -> Result:
    """Return the error function of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.erf(0.5)
    0.5204998778130465
    """
    return mapped("erf", out, x)


def erfc(x: Any, out: Any = None) -> Result:
    """Return 1 minus the error function of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.erfc(0.5)
    0.4795001221869535
    """
    return mapped("erfc", out, x)


def gamma(x: Any, out: Any = None) -> Result:
    """Return the gamma function of x, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.gamma(0.5)
    1.772453850905516
    """
    return mapped("gamma", out, x)


def pow(x: Any, y: Any, out: Any = None) -> Result:
    """Return x**y, correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.pow(2.0, 0.5)
    1.4142135623730951
    """
    return mapped("pow", out, x, y)


def atan2(y: Any, x: Any, out: Any = None) -> Result:
    """Return the angle of the point (y, x), correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.atan2(1.0, 2.0)
    0.4636476090008061
    """
    return mapped("atan2", out, y, x)


def hypot(x: Any, y: Any, out: Any = None) -> Result:
    """Return sqrt(x**2 + y**2), correctly rounded.

    >>> import lastbit.math
    >>> lastbit.math.hypot(1.0, 2.0)
    2.23606797749979
    """
    return mapped("hypot", out, x, y)
