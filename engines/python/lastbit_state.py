#!/usr/bin/env python3
"""Reads, writes, merges and rounds lastbit's exact states.

An implementation of docs/reference/state.md in Python integers, written from
that page and not from package exact. It needs Python 3.9, and nothing else: this
file has the sums, and lastbit_statistics.py beside it the other kinds.

    >>> a = Sum()
    >>> for x in (1e300, 1.0, -1e300):
    ...     a.add(x)
    >>> a.float64()
    1.0
    >>> decode(a.to_bytes()).digest() == a.digest()
    True

As a program it reads a state from standard input and prints its results:

    python3 lastbit_state.py < state
"""

import hashlib
import math
import struct
import sys

__all__ = ["NotAState", "Sum", "decode"]

MAGIC = b"lbx"
VERSION = 1
SMALLEST = -1074  # every float64 is a multiple of 2^SMALLEST
MAX_INT64 = (1 << 63) - 1


class NotAState(ValueError):
    """These bytes are not a state. reason is a word of state.md."""

    def __init__(self, reason, text):
        super().__init__(text)
        self.reason = reason


# Numbers.

def bits_of(x):
    """Return the bits of a float64."""
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    """Return the float64 of some bits."""
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def double(x):
    """Return x as a float64 of the same value, or raise an error."""
    y = float(x)
    if hasattr(x, "__index__"):
        x = x.__index__()  # NumPy compares its integers as floats
    if y != x and x == x:
        raise ValueError("%.40r is not a float64" % (x,))
    return y


def integer(x):
    """Return a finite x as a multiple of 2^SMALLEST."""
    b = bits_of(x)
    e, m = b >> 52 & 0x7ff, b & ((1 << 52) - 1)
    if e:
        m = (m | 1 << 52) << (e - 1)
    return -m if b >> 63 else m


def is_negative(x):
    return math.copysign(1.0, x) < 0


# Formats: bits of a significand, exponents of the smallest normal number and of
# the largest number.
FLOAT64 = (53, -1022, 1023)
FLOAT32 = (24, -126, 127)


def pack(bits, form):
    """Return the float of some bits of a format."""
    if form is FLOAT64:
        return from_bits(bits)
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def rounded(num, den, exponent, form=FLOAT64):
    """Return num/den·2^exponent, rounded once, to nearest, ties to even.

    x/0 is ±inf, by the sign of num, and 0/0 is NaN.
    """
    precision, emin, emax = form
    if num == 0 or den == 0:
        return math.nan if num == den else 0.0 if num == 0 else math.inf if num > 0 else -math.inf
    negative = (num < 0) != (den < 0)
    num, den = abs(num), abs(den)
    top = num.bit_length() - den.bit_length()  # the quotient is in 2^(top ± 1)
    if (num << max(-top, 0)) < (den << max(top, 0)):
        top -= 1
    last = max(top + exponent, emin) - (precision - 1)  # the place that is rounded to
    shift = exponent - last
    q, rest = divmod(num << max(shift, 0), den << max(-shift, 0))
    den <<= max(-shift, 0)
    if 2 * rest > den or 2 * rest == den and q & 1:
        q += 1
    if q >> precision:
        q, last = q >> 1, last + 1
    hidden = 1 << (precision - 1)
    if last + precision - 1 > emax:
        bits = (2 * emax + 1) << (precision - 1)
    elif q < hidden:
        bits = q
    else:
        bits = (last + precision - 1 + emax) << (precision - 1) | (q - hidden)
    return -pack(bits, form) if negative else pack(bits, form)


def rounded_root(sign, num, den, exponent):
    """Return sign·√(num/den·2^exponent), rounded once. The root of a negative
    number and of 0/0 is NaN."""
    if num and (num < 0) != (den < 0):
        return math.nan  # also where the quotient underflows to −0
    if num == 0 or den == 0:
        return math.sqrt(rounded(num, den, exponent)) * sign
    num, den = abs(num), abs(den)
    shift = 140 + den.bit_length() - num.bit_length()
    shift += (exponent - shift) % 2
    q, rest = divmod(num << max(shift, 0), den << max(-shift, 0))
    root = math.isqrt(q)
    sticky = rest != 0 or root * root != q
    return rounded((2 * root + sticky) * sign, 1, (exponent - shift) // 2 - 1)


def divided(x, y):
    """Return x/y as IEEE 754 does."""
    if y != 0 or x != x:
        return x / y if y == y and y != 0 else math.nan
    if x == 0:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


# Bytes.

def uvarint(n):
    """Return an unsigned varint."""
    b = bytearray()
    while n >= 0x80:
        b.append(n & 0x7f | 0x80)
        n >>= 7
    b.append(n)
    return bytes(b)


def varint(n):
    """Return a signed varint."""
    return uvarint(2 * n if n >= 0 else -2 * n - 1)


class Reader:
    """Takes bytes apart."""

    def __init__(self, b):
        self.b, self.at = bytes(b), 0

    def take(self, n):
        if n > len(self.b) - self.at:
            raise NotAState("short", "they end too early")
        self.at += n
        return self.b[self.at - n:self.at]

    def uvarint(self):
        n = shift = 0
        while True:
            byte = self.take(1)[0]
            n |= (byte & 0x7f) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise NotAState("varint", "a number has more than 64 bits")
        if n >> 64 or byte == 0 and shift > 0:
            raise NotAState("varint", "a number is not in its shortest form")
        return n

    def varint(self):
        n = self.uvarint()
        return n >> 1 if n & 1 == 0 else -(n >> 1) - 1

    def float(self):
        return struct.unpack("<d", self.take(8))[0]

    def number(self, digits, multiple):
        """Return a sum of up to that many digits of 32 bits."""
        sign = self.take(1)[0]
        if sign == 0:
            return 0
        if sign > 2:
            raise NotAState("sign", "a sign is neither 0, 1 nor 2")
        first, n = self.uvarint(), self.uvarint()
        if first >= digits or n == 0 or n > digits - first:
            raise NotAState("range", "a number has too many digits, or none")
        b = self.take(4 * n)
        if b[:4] == bytes(4) or b[-4:] == bytes(4):
            raise NotAState("digits", "the first or the last digit is 0")
        z = int.from_bytes(b, "little") << (32 * first)
        if z >> (32 * (digits - 1) + 16):
            raise NotAState("range", "a number is too large")
        if z & ((1 << multiple) - 1):
            raise NotAState("multiple", "a number is not a multiple of its summands' unit")
        return -z if sign == 2 else z

    def end(self):
        if self.at < len(self.b):
            raise NotAState("long", "something follows them")


def number_bytes(z):
    """Return the bytes of a sum."""
    if z == 0:
        return b"\0"
    sign, z = (1, z) if z > 0 else (2, -z)
    first = ((z & -z).bit_length() - 1) // 32
    z >>= 32 * first
    n = (z.bit_length() + 31) // 32
    return bytes([sign]) + uvarint(first) + uvarint(n) + z.to_bytes(4 * n, "little")


def checked(n):
    """Return a count that an int64 holds."""
    if not -MAX_INT64 - 1 <= n <= MAX_INT64:
        raise OverflowError("a count is beyond 64 bits")
    return n


class State:
    """The base of the states that are counts and numbers."""

    kind = 0
    counts = 0
    # For each number the exponent of its unit, its digits, and the exponent,
    # above the unit, that it is a multiple of.
    layout = ()

    def __init__(self):
        self.count = [0] * self.counts
        self.number = [0] * len(self.layout)

    def counted(self):
        """Return the counts with one more summand. They become the state's when
        nothing can be refused any more."""
        return [checked(self.count[0] + 1)] + self.count[1:]

    def merged_counts(self, other, sign):
        """Return the counts that merge gives, or raise an OverflowError."""
        return [checked(a + sign * b) for a, b in zip(self.count, other.count)]

    def merge(self, other, sign=1):
        """Add every summand of another state, or with −1 remove it."""
        if type(other) is not type(self):
            raise TypeError("states of different kinds do not merge")
        self.count = self.merged_counts(other, sign)
        self.number = [a + sign * b for a, b in zip(self.number, other.number)]

    def sub(self, other):
        """Remove every summand of another state."""
        self.merge(other, -1)

    def to_bytes(self):
        b = MAGIC + bytes([self.kind, VERSION])
        b += b"".join(varint(n) for n in self.count)
        return b + b"".join(number_bytes(z) for z in self.number)

    @classmethod
    def read(cls, r):
        s = cls()
        s.count = [r.varint() for _ in s.count]
        s.number = [r.number(digits, multiple) for _, digits, multiple in cls.layout]
        r.end()
        return s

    def digest(self):
        """Return the SHA-256 hash of the bytes in hexadecimal."""
        return hashlib.sha256(self.to_bytes()).hexdigest()


def zero_class(all_, neg_zero):
    return -0.0 if all_ != 0 and all_ == neg_zero else 0.0


def special(nan, pos, neg):
    """Return the sum of infinities and NaN, or None if all are finite."""
    if nan or pos and neg:
        return math.nan
    return math.inf if pos else -math.inf if neg else None


def as_sign(count, z):
    """Return a sum if it is zero or not finite, otherwise its sign. The counts are
    of all, −0, NaN, +Inf and −Inf."""
    s = special(*count[2:])
    if s is not None:
        return s
    return zero_class(*count[:2]) if z == 0 else 1.0 if z > 0 else -1.0


def mean(count, z, unit):
    n, s = count[0], as_sign(count, z)
    if n == 0 or s == 0 or s - s != 0:
        return divided(s, float(n))
    return rounded(z, n, unit)


# The numbers of states: 2^63 summands of each have room.
VALUES = (2 * SMALLEST, 134, -SMALLEST)  # Σ x
PRODUCTS = (2 * SMALLEST, 134, 0)        # Σ x·y
CUBES = (3 * SMALLEST, 200, 0)
FOURTHS = (4 * SMALLEST, 266, 0)


def tally(count, x, at=1):
    """Count an x that is −0 or not finite. Return whether it is finite."""
    if x - x == 0:
        if x == 0 and is_negative(x):
            count[at] = checked(count[at] + 1)
        return True
    at += 1 if x != x else 2 if x > 0 else 3
    count[at] = checked(count[at] + 1)
    return False


class Sum(State):
    """Σ of numbers and of products."""

    kind, counts, layout = ord("a"), 5, (PRODUCTS,)

    def add(self, x):
        x, count = double(x), self.counted()
        if tally(count, x):
            self.number[0] += integer(x) << -SMALLEST
        self.count = count

    def add_product(self, x, y):
        x, y, count = double(x), double(y), self.counted()
        if x - x == 0 and y - y == 0:
            p = integer(x) * integer(y)
            if p == 0 and is_negative(x) != is_negative(y):
                tally(count, -0.0)
            self.number[0] += p
        else:
            tally(count, x * y)
        self.count = count

    def float64(self):
        return self.rounded(FLOAT64)

    def float32(self):
        return self.rounded(FLOAT32)

    def rounded(self, form):
        s = as_sign(self.count, self.number[0])
        if s - s != 0 or s == 0:
            return s
        return rounded(self.number[0], 1, 2 * SMALLEST, form)

    def mean(self):
        return mean(self.count, self.number[0], 2 * SMALLEST)

    def results(self):
        return {"float64": self.float64(), "float32": self.float32(), "mean": self.mean()}


def decode(b):
    """Return the state of some bytes. Bytes of any other form are NotAState."""
    r = Reader(b)
    head = r.take(5)
    if head[:3] != MAGIC:
        raise NotAState("magic", "they begin otherwise")
    kind = Sum if head[3] == Sum.kind else _statistics().get(head[3])
    if kind is None:
        raise NotAState("kind", "there is no kind %r" % chr(head[3]))
    if head[4] != VERSION:
        raise NotAState("version", "their version is %d, and 1 is known" % head[4])
    return kind.read(r)


def _statistics():
    """Return the kinds of lastbit_statistics, if that file is there."""
    try:
        import lastbit_statistics
    except ImportError:
        return {}
    return lastbit_statistics.KINDS


def main():
    try:
        state = decode(sys.stdin.buffer.read())
    except NotAState as e:
        print("not a state (%s): %s" % (e.reason, e), file=sys.stderr)
        return 2
    print("kind      ", type(state).__name__)
    for name, value in state.results().items():
        print("%-10s" % name, value)
    print("digest    ", state.digest())
    return 0


if __name__ == "__main__":
    sys.modules.setdefault("lastbit_state", sys.modules["__main__"])
    sys.exit(main())
