"""Holds the extension against exact sums in Python integers.

    python3 check.py EXTENSION LASTBIT FOLDER

LASTBIT is the command, FOLDER one for files.
"""

import json
import math
import os
import random
import struct
import subprocess
import sys
from fractions import Fraction

import duckdb
import pyarrow

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import lastbit_state as states
import lastbit_statistics as statistics

EXTENSION, LASTBIT, FOLDER = sys.argv[1:4]


def bits(x):
    return "nan" if x != x else struct.pack(">d", x).hex()


def connect(threads):
    db = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": threads})
    db.execute(f"LOAD '{EXTENSION}'")
    return db


def draw(rng, wide):
    k = rng.randrange(400)
    if k == 0:
        return rng.choice([0.0, -0.0, 5e-324, -1e-310] + [1.7e308, -1.7e308] * wide)
    spread = 300 if wide else 20
    x = math.ldexp(1 + rng.random(), rng.randrange(-spread, spread))
    return x if rng.random() < 0.5 else -x


def sum_of(rows):
    s = states.Sum()
    for x in rows:
        if x is not None:
            s.add(x)
    return s


def equal(name, got, want):
    if isinstance(got, float) and isinstance(want, float):
        got, want = bits(got), bits(want)
    assert got == want, f"{name}: {got}, not {want}"


def table(db, name, rows):
    """Make a table (i, k, x) of numbers, with NULL for None."""
    frame = pyarrow.table({
        "i": range(len(rows)), "k": [i % 7 for i in range(len(rows))],
        "x": pyarrow.array(rows, pyarrow.float64()),
    })
    db.register("frame", frame)
    db.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT i::BIGINT AS i, k::BIGINT AS k, x FROM frame")
    db.unregister("frame")


def cases():
    rng = random.Random(5)
    yield "near", [draw(rng, False) for _ in range(20000)]
    yield "wide", [draw(rng, True) for _ in range(20000)]
    yield "nulls", [None if rng.random() < 0.3 else draw(rng, True) for _ in range(20000)]
    x = [draw(rng, True) for _ in range(8000)]
    mixed = x + [-v for v in x]
    rng.shuffle(mixed)
    yield "cancelled", mixed + [1.0]
    yield "subnormal", [math.ldexp(rng.randrange(-2**40, 2**40), -1074) for _ in range(5000)]
    yield "largest", [1.7e308, 1.7e308, -1.7e308, -1.7e308, 3.0]
    yield "overflow", [1.7e308] * 3
    yield "nan", [1.0, math.nan, 2.0]
    yield "infinite", [1.0, math.inf, None, 2.0]
    yield "infinities", [math.inf, 1.0, -math.inf]
    yield "zeros", [-0.0, -0.0, None]
    yield "zero", [-0.0, 0.0]
    yield "empty", []
    yield "onlynull", [None, None]


def check_sums(db):
    for name, rows in cases():
        table(db, name, rows)
        s, present = sum_of(rows), [x for x in rows if x is not None]
        answers = set()
        for _ in range(10):
            answers.add(repr(db.execute(
                f"SELECT exact_sum(x), exact_avg(x), exact_digest(x), exact_state(x) FROM {name}"
            ).fetchall()[0]))
        equal(name + ", runs", len(answers), 1)
        got = db.execute(f"SELECT exact_sum(x), exact_avg(x), exact_digest(x), exact_state(x), "
                         f"exact_finish(exact_state(x)) FROM {name}").fetchall()[0]
        if not present:
            equal(name, got, (None,) * 5)
            continue
        equal(name, got[0], s.float64())
        if name != "zeros":  # fsum has no −0
            check_fsum(name, got[0], present)
        equal(name + ", avg", got[1], s.mean())
        equal(name + ", digest", got[2], s.digest())
        equal(name + ", state", bytes(got[3]), s.to_bytes())
        equal(name + ", finish", got[4], s.float64())
        check_products(db, name, present)
        check_groups(db, name, rows)


def check_fsum(name, got, x):
    """Compare with Python's sum, where it does not overflow on the way."""
    try:
        want = math.fsum(x)
    except (OverflowError, ValueError):
        assert name != "near", "fsum has no sum"
        return
    equal(name + ", fsum", got, want)


def check_products(db, name, x):
    got = db.execute(f"SELECT exact_dot(x, x), exact_norm(x), exact_var_samp(x), exact_var_pop(x), "
                     f"exact_stddev(x) FROM {name}").fetchall()[0]
    s, m = states.Sum(), statistics.Moments()
    for v in x:
        s.add_product(v, v)
        m.add(v)
    r = m.results()
    norm = math.sqrt(s.float64()) if not math.isfinite(s.float64()) or s.number[0] == 0 else \
        states.rounded_root(1, s.number[0], 1, 2 * states.SMALLEST)
    if s.count[2]:
        norm = math.nan
    elif s.count[3]:
        norm = math.inf
    equal(name + ", dot", got[0], s.float64())
    equal(name + ", norm", got[1], norm)
    few = len(x) < 2
    equal(name + ", var_samp", got[2], None if few else r["variance"])
    equal(name + ", var_pop", got[3], r["popvariance"])
    equal(name + ", stddev", got[4], None if few else r["stddev"])


def check_groups(db, name, rows):
    got = dict(db.execute(f"SELECT k, exact_digest(x) FROM {name} GROUP BY k").fetchall())
    for k in got:
        part = sum_of(rows[k::7])
        equal(f"{name}, group {k}", got[k], part.digest() if part.count[0] else None)
    merged = db.execute(f"SELECT exact_merge(s), exact_finish(exact_merge(s)), exact_digest(s) FROM "
                        f"(SELECT exact_state(x) AS s FROM {name} GROUP BY k)").fetchall()[0]
    s = sum_of(rows)
    equal(name + ", merged", bytes(merged[0]), s.to_bytes())
    equal(name + ", merged sum", merged[1], s.float64())
    equal(name + ", merged digest", merged[2], s.digest())
    if len(rows) < 100:
        return
    got = db.execute(f"SELECT exact_sum(x) FILTER (x > 0), exact_sum(DISTINCT floor(x / 1e3)) "
                     f"FROM {name} WHERE isfinite(x) AND abs(x) < 1e15").fetchall()[0]
    kept = [x for x in rows if x is not None and abs(x) < 1e15]
    equal(name + ", filter", got[0], sum_of([x for x in kept if x > 0]).float64())
    equal(name + ", distinct", got[1], sum_of({math.floor(x / 1e3) for x in kept}).float64())
    got = db.execute(f"SELECT exact_sum(x) OVER (ORDER BY i ROWS BETWEEN 30 PRECEDING AND 5 FOLLOWING) "
                     f"FROM {name} WHERE i < 3000 ORDER BY i").fetchall()
    for i in range(0, min(3000, len(rows)), 37):
        frame = sum_of(rows[max(0, i - 30):min(i + 6, 3000)])
        equal(f"{name}, window {i}", got[i][0], frame.float64() if frame.count[0] else None)


def check_types(db):
    rng = random.Random(6)
    for name, low, high in [("TINYINT", -128, 127), ("SMALLINT", -2**15, 2**15 - 1),
                            ("INTEGER", -2**31, 2**31 - 1), ("BIGINT", -2**63, 2**63 - 1),
                            ("HUGEINT", -2**127, 2**127 - 1), ("UTINYINT", 0, 255),
                            ("USMALLINT", 0, 2**16 - 1), ("UINTEGER", 0, 2**32 - 1),
                            ("UBIGINT", 0, 2**64 - 1), ("UHUGEINT", 0, 2**128 - 1)]:
        x = [low, high, 0] + [rng.randrange(low, high + 1) for _ in range(300)]
        db.execute(f"CREATE OR REPLACE TABLE t (x {name})")
        db.execute("INSERT INTO t VALUES " + ", ".join(f"('{v}')" for v in x) + ", (NULL)")
        got = db.execute("SELECT exact_sum(x), exact_avg(x), exact_dot(x, x), exact_var_pop(x), "
                         "exact_state(x), exact_dot(x, x::DOUBLE) FROM t").fetchall()[0]
        n, s, ss = len(x), sum(x), sum(v * v for v in x)
        equal(name, got[0], states.rounded(s, 1, 0))
        equal(name + ", avg", got[1], states.rounded(s, n, 0))
        equal(name + ", dot", got[2], states.rounded(ss, 1, 0))
        equal(name + ", var", got[3], states.rounded(n * ss - s * s, n * n, 0))
        state = states.Sum()
        state.count[0], state.number[0] = n, s << 2148
        equal(name + ", state", bytes(got[4]), state.to_bytes())
        mixed = sum(Fraction(v) * Fraction(float(v)) for v in x)
        equal(name + ", mixed", got[5], states.rounded(mixed.numerator, mixed.denominator, 0))
    x = [struct.unpack("<f", struct.pack("<f", rng.uniform(-1, 1) * 2.0 ** rng.randrange(-99, 99)))[0]
         for _ in range(500)]
    db.execute("CREATE OR REPLACE TABLE t (x FLOAT)")
    db.executemany("INSERT INTO t VALUES (?)", [[v] for v in x])
    equal("FLOAT", db.execute("SELECT exact_digest(x) FROM t").fetchall()[0][0], sum_of(x).digest())
    for width, scale in [(4, 2), (9, 2), (18, 6), (38, 10), (38, 38), (18, 0)]:
        top = 10 ** width - 1
        units = [top, -top, 1, 0] + [rng.randrange(-top, top + 1) for _ in range(200)]
        x = [f"{'-' * (u < 0)}{abs(u) // 10 ** scale}.{abs(u) % 10 ** scale:0{scale or 1}d}"
             for u in units]
        db.execute(f"CREATE OR REPLACE TABLE t (x DECIMAL({width}, {scale}))")
        db.execute("INSERT INTO t VALUES " + ", ".join(f"('{v}')" for v in x))
        got = db.execute("SELECT exact_sum(x), exact_avg(x), exact_dot(x, x), exact_norm(x), "
                         "exact_var_samp(x), exact_stddev(x) FROM t").fetchall()[0]
        n, s, ss, unit = len(x), sum(units), sum(u * u for u in units), 10 ** scale
        var = n * ss - s * s, n * (n - 1) * unit ** 2
        for what, g, w in zip(("sum", "avg", "dot", "norm", "var", "stddev"), got, (
                states.rounded(s, unit, 0), states.rounded(s, n * unit, 0),
                states.rounded(ss, unit ** 2, 0), states.rounded_root(1, ss, unit ** 2, 0),
                states.rounded(*var, 0), states.rounded_root(1, *var, 0))):
            equal(f"DECIMAL({width}, {scale}) {what}", g, w)


    zeros = db.execute("SELECT exact_dot(x, y), exact_dot(x::DECIMAL(4, 2), y), exact_dot(y, x::DECIMAL(4, 2)) "
                       "FROM (VALUES (0, -5.0::DOUBLE), (2, '-0.0'::DOUBLE)) t(x, y)").fetchall()[0]
    equal("zeros", [bits(v) for v in zeros], [bits(-0.0)] * 3)


def check_refusals(db):
    for query, words in [
        ("SELECT exact_sum('a')", "numbers"),
        ("SELECT exact_sum(DATE '2026-01-01')", "numbers"),
        ("SELECT exact_state(1.25)", "digits after the point"),
        ("SELECT exact_finish('lbxa'::BLOB)", "too early"),
        ("SELECT exact_merge('nonsense'::BLOB)", "not a state"),
    ]:
        try:
            db.execute(query).fetchall()
        except duckdb.Error as e:
            assert words in str(e), f"{query}: {e}"
        else:
            raise AssertionError(query + " is taken")
    equal("NULL", db.execute("SELECT exact_sum(NULL), exact_finish(NULL)").fetchall()[0], (None, None))


def check_command(db):
    """Compare with lastbit sum --digest, on Parquet files."""
    for name, column in [("near", "x"), ("wide", "x"), ("nan", "x"), ("infinities", "x"),
                         ("near", "CASE WHEN abs(x) < 1e9 THEN x::DECIMAL(18, 4) END AS x"),
                         ("near", "CASE WHEN abs(x) < 1e9 THEN (x * 1e8)::BIGINT END AS x")]:
        path = os.path.join(FOLDER, "t.parquet")
        db.execute(f"COPY (SELECT {column} FROM {name} WHERE x IS NOT NULL) TO '{path}' (FORMAT parquet)")
        out = subprocess.run([LASTBIT, "sum", "--digest", "--json", "--skip-empty", path],
                             capture_output=True, text=True)
        assert out.returncode == 0, out.stderr
        line = json.loads(out.stdout)
        line = line["results"][0] if "results" in line else line[0] if isinstance(line, list) else line
        got = db.execute(f"SELECT exact_digest(x), exact_sum(x) FROM '{path}'").fetchall()[0]
        equal(f"{name}, {column}: digest", got[0], line["digest"])
        if isinstance(line["value"], float):
            equal(f"{name}, {column}: sum", got[1], line["value"])


def main():
    for threads in (1, 2):
        db = connect(threads)
        check_sums(db)
        check_types(db)
        check_refusals(db)
        if threads == 2:
            check_command(db)
        groups = db.execute("SELECT count(*), sum(s) FROM (SELECT exact_sum(i % 3) AS s FROM range(200000) t(i) "
                            "GROUP BY i % 50000)").fetchall()[0]
        equal("many groups", groups, (50000, float(sum(i % 3 for i in range(200000)))))
    print("held")


if __name__ == "__main__":
    main()
