"""Makes one Parquet file of numbers that are hard to add.

Columns: k, the name of a group; x, doubles; f, floats; i, 64-bit integers below
2^51; d, DECIMAL(18, 2); with NULLs in each. Groups of x and f are

    wide    exponents of nearly all sizes
    cancel  numbers that cancel except for a few
    money   cents below 10^5
    mixed   NaN, both infinities, zeros of both signs, the largest number
    inf     money with +Inf
    minus   -0 only
"""

import os

import numpy
import pyarrow
import pyarrow.parquet

GROUPS = ["wide", "cancel", "money", "mixed", "inf", "minus"]
SHARES = [0.32, 0.3, 0.3, 0.04, 0.03, 0.01]
# Groups whose sums are finite numbers other than zero.
FINITE = GROUPS[:3]
# Each column holds as many NULLs, at places of its own.
NULLS = 0.03


def wide(rng, n, span):
    """Returns numbers with exponents from -span to span."""
    return rng.choice([-1.0, 1.0], n) * numpy.ldexp(1 + rng.random(n), rng.integers(-span, span, n))


def cancelling(rng, n, low):
    """Returns numbers below 2^20, each with its negative except every 500th."""
    half = numpy.ldexp(rng.random(n // 2) - 0.5, rng.integers(low, 20, n // 2))
    rest = rng.random(n - 2 * len(half))
    x = numpy.concatenate([half, -half, rest])
    x[::500] = rng.random(len(x[::500]))
    return rng.permutation(x)


def money(rng, n):
    return rng.integers(0, 10**7, n) / 100


def floats(rng, group, kind):
    """Returns a column of floats for the groups' numbers."""
    info = numpy.finfo(kind)
    span = 900 if kind == numpy.float64 else 100
    special = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, float(info.max), float(info.tiny), 1.5]
    x = numpy.full(len(group), -0.0)
    for number, make in enumerate([
        lambda n: wide(rng, n, span),
        lambda n: cancelling(rng, n, -45),
        lambda n: money(rng, n),
        lambda n: rng.choice(special, n),
        lambda n: numpy.where(rng.random(n) < 0.1, numpy.inf, money(rng, n)),
    ]):
        at = group == number
        x[at] = make(numpy.count_nonzero(at))
    return x.astype(kind)


def write(path, rows, parts):
    """Writes the file, and the same rows as several files; returns the table."""
    rng = numpy.random.default_rng(32)
    group = rng.choice(len(GROUPS), rows, p=SHARES)
    columns = {
        "x": pyarrow.array(floats(rng, group, numpy.float64), mask=rng.random(rows) < NULLS),
        "f": pyarrow.array(floats(rng, group, numpy.float32), mask=rng.random(rows) < NULLS),
        "i": pyarrow.array(rng.integers(-(2**51), 2**51, rows), mask=rng.random(rows) < NULLS),
        "d": decimals(rng.integers(-(10**14), 10**14, rows), rng.random(rows) < NULLS),
    }
    names = pyarrow.array(numpy.array(GROUPS)[group])
    table = pyarrow.table({"k": names, **columns})
    size = max(rows // 80, 100)
    pyarrow.parquet.write_table(table, path, row_group_size=size, store_decimal_as_integer=True)
    os.makedirs(parts, exist_ok=True)
    for number in range(4):
        begin, end = rows * number // 4, rows * (number + 1) // 4
        pyarrow.parquet.write_table(
            table.slice(begin, end - begin), os.path.join(parts, f"{number}.parquet"),
            row_group_size=size, store_decimal_as_integer=True)
    return table


def decimals(units, missing):
    """Returns integers of hundredths as decimals: the bytes of 128-bit integers."""
    words = numpy.empty((len(units), 2), numpy.int64)
    words[:, 0], words[:, 1] = units, units >> 63
    valid = pyarrow.array(~missing).buffers()[1]
    return pyarrow.Array.from_buffers(
        pyarrow.decimal128(18, 2), len(units), [valid, pyarrow.py_buffer(words)])
