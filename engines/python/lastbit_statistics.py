"""Reads, writes, merges and rounds lastbit's states of statistics.

An implementation of docs/reference/state.md: see lastbit_state.

    >>> m = Moments()
    >>> for x in (1.0, 2.0, 4.0):
    ...     m.add(x)
    >>> m.results()["variance"]
    2.3333333333333335
"""

import math
import struct

from lastbit_state import (CUBES, FLOAT64, FOURTHS, MAGIC, MAX_INT64, PRODUCTS, SMALLEST, VALUES,
                           VERSION, NotAState, State, Sum, as_sign, bits_of, checked, divided,
                           double, integer, is_negative, mean, number_bytes, rounded,
                           rounded_root, tally, uvarint, varint)

__all__ = ["Extrema", "Histogram", "Moments", "Pairs", "WeightedMean", "WeightedMoments"]


def finite(*counts):
    return not any(counts)


def cross(n, x, y, xy):
    return n * xy - x * y


class Moments(State):
    """n, Σ x, Σ x², Σ x³ and Σ x⁴."""

    kind, counts, layout = ord("m"), 5, (VALUES, PRODUCTS, CUBES, FOURTHS)

    def add(self, x):
        x, count = double(x), self.counted()
        if tally(count, x):
            m = integer(x)
            powers = (m << -SMALLEST, m ** 2, m ** 3, m ** 4)
            self.number = [z + p for z, p in zip(self.number, powers)]
        self.count = count

    def central(self):
        n = self.count[0]
        s1, s2, s3, s4 = self.number[0] >> -SMALLEST, *self.number[1:]
        return (n, n * s2 - s1 ** 2, n * n * s3 - 3 * n * s1 * s2 + 2 * s1 ** 3,
                n ** 3 * s4 - 4 * n * n * s1 * s3 + 6 * n * s1 ** 2 * s2 - 3 * s1 ** 4)

    def results(self):
        names = ("variance", "stddev", "popvariance", "popstddev", "skew", "popskew", "exkurtosis",
                 "popexkurtosis")
        r = {"mean": mean(self.count, self.number[0], 2 * SMALLEST)}
        if not finite(*self.count[2:]):
            return {**r, **{name: math.nan for name in names}}
        n, m2, m3, m4 = self.central()
        sign = (m3 > 0) - (m3 < 0)
        kurtosis = m4 - 3 * m2 ** 2
        r["variance"] = rounded(m2, n * (n - 1), 2 * SMALLEST)
        r["stddev"] = rounded_root(1, m2, n * (n - 1), 2 * SMALLEST)
        r["popvariance"] = rounded(m2, n * n, 2 * SMALLEST)
        r["popstddev"] = rounded_root(1, m2, n * n, 2 * SMALLEST)
        r["skew"] = rounded_root(sign, m3 ** 2 * n * (n - 1), m2 ** 3 * (n - 2) ** 2, 0)
        r["popskew"] = rounded_root(sign, m3 ** 2, m2 ** 3, 0)
        r["exkurtosis"] = rounded((kurtosis * (n + 1) + 6 * m2 ** 2) * (n - 1),
                                  m2 ** 2 * (n - 2) * (n - 3), 0)
        r["popexkurtosis"] = rounded(kurtosis, m2 ** 2, 0)
        return r


class Pairs(State):
    """n, Σ x, Σ y, Σ x², Σ x·y and Σ y². The counts are n; −0, NaN, +Inf and −Inf
    of the x; and these of the y."""

    kind, counts, layout = ord("c"), 9, (VALUES, VALUES, PRODUCTS, PRODUCTS, PRODUCTS)

    def add(self, x, y):
        x, y, count = double(x), double(y), self.counted()
        is_x, is_y = tally(count, x), tally(count, y, 5)
        self.count = count
        m, k = integer(x) if is_x else 0, integer(y) if is_y else 0
        for i, z in enumerate((m << -SMALLEST, k << -SMALLEST, m * m, m * k, k * k)):
            self.number[i] += z

    def results(self):
        n, c = self.count[0], self.count
        x, y = self.number[0] >> -SMALLEST, self.number[1] >> -SMALLEST
        xx, xy, yy = self.number[2:]
        has_x, has_y = finite(*c[2:5]), finite(*c[6:9])
        r = {"mean_x": mean(c[:5], self.number[0], 2 * SMALLEST),
             "mean_y": mean(c[:1] + c[5:], self.number[1], 2 * SMALLEST)}

        def moment(known, num, den):
            return rounded(num, den, 2 * SMALLEST) if known else math.nan

        both = has_x and has_y
        sxx, sxy, syy = cross(n, x, x, xx), cross(n, x, y, xy), cross(n, y, y, yy)
        r["variance_x"] = moment(has_x, sxx, n * (n - 1))
        r["variance_y"] = moment(has_y, syy, n * (n - 1))
        r["covariance"] = moment(both, sxy, n * (n - 1))
        r["popcovariance"] = moment(both, sxy, n * n)
        if not both:
            sxx = sxy = syy = 0
        r["correlation"] = rounded_root((sxy > 0) - (sxy < 0), sxy ** 2, sxx * syy, 0)
        r["rsquared"] = rounded(sxy ** 2, sxx * syy, 0)
        r["slope"] = rounded(sxy, sxx, 0)
        r["intercept"] = math.nan if sxx == 0 else rounded(y * xx - x * xy, sxx, SMALLEST)
        r["residualstddev"] = rounded_root(1, sxx * syy - sxy ** 2, n * (n - 2) * sxx,
                                           2 * SMALLEST)
        return r


class WeightedMean(State):
    """n, Σ w and Σ w·x. The counts are n; −0, NaN, +Inf and −Inf of the w; and
    these of the products w·x."""

    kind, counts, layout = ord("w"), 9, (VALUES, PRODUCTS)

    def add(self, x, w):
        x, w, count = double(x), double(w), self.counted()
        is_weight = tally(count, w)
        is_product = w - w == 0 and x - x == 0
        p = integer(w) * integer(x) if is_product else 0
        if not is_product:
            tally(count, w * x, 5)
        elif p == 0 and is_negative(w) != is_negative(x):
            tally(count, -0.0, 5)
        self.count = count
        if is_weight:
            self.number[0] += integer(w) << -SMALLEST
        self.number[1] += p
        return is_product

    def mean(self, form=FLOAT64):
        w, wx = self.number[:2]
        s, t = as_sign(self.count[:1] + self.count[5:], wx), as_sign(self.count[:5], w)
        if abs(s * t) != 1:
            return divided(s, t)
        return rounded(wx, w, 0, form)

    def weight(self):
        s = as_sign(self.count[:5], self.number[0])
        return rounded(self.number[0], 1, 2 * SMALLEST) if abs(s) == 1 else s

    def results(self):
        return {"mean": self.mean(), "weight": self.weight()}


class WeightedMoments(WeightedMean):
    """n, Σ w, Σ w·x, Σ w² and Σ w·x²."""

    kind, layout = ord("v"), (VALUES, PRODUCTS, PRODUCTS, CUBES)

    def add(self, x, w):
        if super().add(x, w):
            self.number[2] += integer(w) ** 2
            self.number[3] += integer(w) * integer(x) ** 2

    def results(self):
        names = ("variance", "stddev", "popvariance", "popstddev", "reliability", "effective")
        r = super().results()
        if not finite(*self.count[2:5], *self.count[6:9]):
            return {**r, **{name: math.nan for name in names}}
        w, (wx, ww, wxx), one = self.number[0] >> -SMALLEST, self.number[1:], 1 << -SMALLEST
        c = cross(w, wx, wx, wxx) if w else 0
        r["variance"] = rounded(c, w * (w - one), 2 * SMALLEST)
        r["stddev"] = rounded_root(1, c, w * (w - one), 2 * SMALLEST)
        r["popvariance"] = rounded(c, w * w, 2 * SMALLEST)
        r["popstddev"] = rounded_root(1, c, w * w, 2 * SMALLEST)
        r["reliability"] = rounded(c, w * w - ww, 2 * SMALLEST) if w else math.nan
        r["effective"] = rounded(w * w, ww, 0)
        return r


def order(x):
    """Return an integer in the order of the numbers, −0 below +0."""
    b = bits_of(x)
    return -(b & MAX_INT64) - 1 if b >> 63 else b


class Extrema:
    """n, min x and max x."""

    kind = ord("e")

    def __init__(self):
        self.numbers = self.nan = 0
        self.min = self.max = math.nan

    def add(self, x):
        x = double(x)
        if x != x:
            self._put(1, 0, x, x)
        else:
            self._put(0, 1, x, x)

    def _put(self, nan, n, least, most):
        checked(self.numbers + self.nan + n + nan)
        self.nan += nan
        if n == 0:
            return
        if self.numbers == 0:
            self.min, self.max = least, most
        self.numbers += n
        self.min, self.max = min(self.min, least, key=order), max(self.max, most, key=order)

    def merge(self, other):
        self._put(other.nan, other.numbers, other.min, other.max)

    def to_bytes(self):
        b = MAGIC + bytes([self.kind, VERSION]) + varint(self.numbers) + varint(self.nan)
        return b + struct.pack("<dd", self.min, self.max) if self.numbers else b

    @classmethod
    def read(cls, r):
        s = cls()
        s.numbers, s.nan = r.varint(), r.varint()
        if s.numbers < 0 or s.nan < 0 or s.numbers + s.nan > MAX_INT64:
            raise NotAState("count", "a count is out of range")
        if s.numbers:
            s.min, s.max = r.float(), r.float()
            if s.min != s.min or s.max != s.max or order(s.min) > order(s.max) or \
                    s.numbers == 1 and order(s.min) != order(s.max):
                raise NotAState("extrema", "these are not two ends")
        r.end()
        return s

    digest = State.digest

    def results(self):
        if self.nan:
            return {"min": math.nan, "max": math.nan}
        return {"min": self.min, "max": self.max}


class Histogram:
    """The count, the count of −0 and the sum of the numbers in each bin."""

    kind = ord("h")
    outside = ("below", "above", "nan", "posinf", "neginf")

    def __init__(self, edges=()):
        self.edges = [double(x) + 0.0 for x in edges]  # −0 becomes +0
        if self.edges and not self._are_edges():
            raise ValueError("edges are two or more finite numbers in ascending order")
        self.out = dict.fromkeys(self.outside, 0)
        self.bins = [Sum() for _ in self.edges[1:]]

    def _are_edges(self):
        e = self.edges
        return len(e) >= 2 and all(x - x == 0 for x in e) and \
            not any(x == 0 and is_negative(x) for x in e) and \
            all(x < y for x, y in zip(e, e[1:]))

    def add(self, x):
        x, e = double(x), self.edges
        if x - x != 0:
            name = "nan" if x != x else "posinf" if x > 0 else "neginf"
        elif not e or x > e[-1]:
            name = "above"
        elif x < e[0]:
            name = "below"
        else:
            at = [i for i, low in enumerate(e[:-1]) if low <= x]
            self.bins[at[-1]].add(x)
            return
        self.out[name] = checked(self.out[name] + 1)

    def merge(self, other, sign=1):
        if list(map(bits_of, self.edges)) != list(map(bits_of, other.edges)):
            raise ValueError("the histograms have other edges")
        out = {name: checked(self.out[name] + sign * other.out[name]) for name in self.outside}
        for a, b in zip(self.bins, other.bins):
            a.merged_counts(b, sign)  # all of them, before the first changes
        self.out = out
        for a, b in zip(self.bins, other.bins):
            a.merge(b, sign)

    def sub(self, other):
        self.merge(other, -1)

    def to_bytes(self):
        b = MAGIC + bytes([self.kind, VERSION])
        b += b"".join(varint(self.out[name]) for name in self.outside)
        b += uvarint(len(self.edges)) + struct.pack("<%dd" % len(self.edges), *self.edges)
        for s in self.bins:
            b += varint(s.count[0]) + varint(s.count[1]) + number_bytes(s.number[0])
        return b

    @classmethod
    def read(cls, r):
        s = cls()
        s.out = {name: r.varint() for name in cls.outside}
        n = r.uvarint()
        if n > (len(r.b) - r.at) // 8:
            raise NotAState("short", "they end too early")
        s.edges = [r.float() for _ in range(n)]
        if n and not s._are_edges():
            raise NotAState("edges", "these are not edges")
        for _ in s.edges[1:]:
            b = Sum()
            b.count[:2] = r.varint(), r.varint()
            b.number[0] = r.number(VALUES[1], VALUES[2])
            s.bins.append(b)
        r.end()
        return s

    digest = State.digest

    def results(self):
        r = {name: n for name, n in self.out.items()}
        for i, s in enumerate(self.bins):
            r["count_%d" % i], r["sum_%d" % i] = s.count[0], s.float64()
        return r


KINDS = {k.kind: k for k in (Moments, Pairs, Extrema, WeightedMean, WeightedMoments, Histogram)}
