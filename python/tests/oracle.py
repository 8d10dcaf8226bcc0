"""Sums and statistics in rational numbers, rounded once."""

import math
from fractions import Fraction

# Bits of a significand, exponents of the smallest and the largest normal number.
FORMATS = {
    "float64": (53, -1022, 1023),
    "float32": (24, -126, 127),
    "float16": (11, -14, 15),
    "bfloat16": (8, -126, 127),
}


def rounded(x: Fraction, dtype: str, root: bool = False) -> float:
    """Return x, or its square root, rounded to nearest, ties to even."""
    precision, least, most = FORMATS[dtype]
    if x == 0:
        return 0.0
    sign, x = (-1, -x) if x < 0 else (1, x)
    # The last bit is far below the precision; a sticky bit follows it.
    e = (x.numerator.bit_length() - x.denominator.bit_length()) // (2 if root else 1)
    shift = max(precision, 64) + 8 - e
    n, d = x.numerator, x.denominator
    power = 2 * shift if root else shift
    if power >= 0:
        n <<= power
    else:
        d <<= -power
    if root:
        whole = math.isqrt(n // d)
        sticky = whole * whole * d != n
    else:
        whole, rest = divmod(n, d)
        sticky = rest != 0
    whole = whole << 1 | sticky
    shift += 1
    top = whole.bit_length() - 1 - shift  # the exponent
    drop = shift + max(top, least) - (precision - 1)
    q, rest = whole >> drop, whole & ((1 << drop) - 1)
    half = 1 << (drop - 1)
    if rest > half or rest == half and q & 1:
        q += 1
    if q.bit_length() > precision:
        top += 1
    if top > most:
        return sign * math.inf
    return sign * math.ldexp(q, drop - shift)


def special(values):
    """Return the sum if it is not a sum of finite numbers that are not all -0."""
    infinities = {x for x in values if math.isinf(x)}
    if any(math.isnan(x) for x in values) or len(infinities) == 2:
        return math.nan
    if infinities:
        return infinities.pop()
    if values and all(x == 0 and math.copysign(1, x) < 0 for x in values):
        return -0.0
    return None


def total(values, dtype: str) -> float:
    found = special(values)
    return rounded(sum(map(Fraction, values)), dtype) if found is None else found


def mean(values, dtype: str) -> float:
    if not values:
        return math.nan
    found = special(values)
    return rounded(sum(map(Fraction, values)) / len(values), dtype) if found is None else found


def variance(values, dtype: str, ddof: int, root: bool = False) -> float:
    if len(values) <= ddof or not all(map(math.isfinite, values)):
        return math.nan
    exact = list(map(Fraction, values))
    s, n = sum(exact), len(exact)
    return rounded((sum(x * x for x in exact) - s * s / n) / (n - ddof), dtype, root)


def norm(values, dtype: str) -> float:
    if any(math.isnan(x) for x in values):
        return math.nan
    if any(math.isinf(x) for x in values):
        return math.inf
    return rounded(sum(Fraction(x) ** 2 for x in values), dtype, root=True)
