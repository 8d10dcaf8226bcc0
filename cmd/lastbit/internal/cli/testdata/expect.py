"""Reads lines of JSON, {"op", "x", "y"} with exact fractions as text, and writes the bits
of each result, computed with rational numbers and rounded once."""
import json, math, struct, sys
from fractions import Fraction
from math import isqrt

def rounded(q):
    try:
        return q.numerator / q.denominator
    except OverflowError:
        return math.inf if q > 0 else -math.inf

def root(q):
    shift = max(0, 200 + q.denominator.bit_length() - q.numerator.bit_length())
    shift += shift & 1
    m, rest = divmod(q.numerator << shift, q.denominator)
    r = isqrt(m)
    sticky = rest != 0 or r * r != m
    return rounded(Fraction(2 * r + sticky, 1 << (shift // 2 + 1)))

def variance(x, lost):
    n, mean = len(x), sum(x) / len(x)
    return sum((v - mean) ** 2 for v in x) / (n - lost)

ops = {
    "sum": lambda x, y: rounded(sum(x)),
    "mean": lambda x, y: rounded(sum(x) / len(x)),
    "asum": lambda x, y: rounded(sum(map(abs, x))),
    "norm": lambda x, y: root(sum(v * v for v in x)),
    "dot": lambda x, y: rounded(sum(a * b for a, b in zip(x, y))),
    "variance": lambda x, y: rounded(variance(x, 1)),
    "pvariance": lambda x, y: rounded(variance(x, 0)),
    "stdev": lambda x, y: root(variance(x, 1)),
    "pstdev": lambda x, y: root(variance(x, 0)),
}
for line in sys.stdin:
    c = json.loads(line)
    x, y = ([Fraction(v) for v in c[k]] for k in "xy")
    got = ops[c["op"]](x, y)
    if c["op"] == "sum" and all(Fraction(float(v)) == v for v in x):
        try:
            assert math.fsum(map(float, x)) == got
        except OverflowError:
            pass
    print(struct.pack(">d", got).hex())
