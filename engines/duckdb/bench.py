"""Measures the extension against DuckDB's own sum, side by side.

    python3 bench.py EXTENSION [ROWS]
"""

import os
import sys
import tempfile
import time

import duckdb

EXTENSION, ROWS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10**7

db = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 2})
db.execute(f"LOAD '{EXTENSION}'")
db.execute("SELECT setseed(0.5)").fetchall()
db.execute(f"""CREATE TABLE t AS SELECT (random() * 2 - 1) * 1000 AS x, random() * 10 AS y,
    (random() * 2 - 1) * pow(10, (random() * 200 - 100)) AS wide,
    (i % 10)::INTEGER AS k10, (hash(i) % 1000000)::INTEGER AS k6 FROM range({ROWS}) t(i)""")
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "t.parquet")
db.execute(f"COPY t TO '{path}' (FORMAT parquet)")

CASES = [
    ("in memory", "SELECT {}(x) FROM t"),
    ("in memory, wide exponents", "SELECT {}(wide) FROM t"),
    ("10 keys", "SELECT k10, {}(x) FROM t GROUP BY k10"),
    ("10 keys, wide exponents", "SELECT k10, {}(wide) FROM t GROUP BY k10"),
    ("Parquet", f"SELECT {{}}(x) FROM '{path}'"),
    ("10^6 keys", "SELECT count(*), max(s) FROM (SELECT k6, {}(x) AS s FROM t GROUP BY k6)"),
]


def fastest(queries, rounds=5):
    """Return the shortest times of queries that take turns."""
    times = [[] for _ in queries]
    for _ in range(rounds):
        for q, t in zip(queries, times):
            begin = time.perf_counter()
            db.execute(q).fetchall()
            t.append(time.perf_counter() - begin)
    return [min(t) for t in times]


for name, query in CASES:
    own, ours = fastest([query.format("sum"), query.format("exact_sum")])
    print(f"{name:28s} sum {own * 1000:8.1f} ms  exact_sum {ours * 1000:8.1f} ms  ratio {ours / own:.2f}")
own, ours = fastest(["SELECT var_samp(x) FROM t", "SELECT exact_var_samp(x) FROM t"])
print(f"{'variance, in memory':28s} own {own * 1000:8.1f} ms  exact     {ours * 1000:8.1f} ms  ratio {ours / own:.2f}")
own, ours = fastest(["SELECT sum(x * y) FROM t", "SELECT exact_dot(x, y) FROM t"])
print(f"{'dot product, in memory':28s} own {own * 1000:8.1f} ms  exact     {ours * 1000:8.1f} ms  ratio {ours / own:.2f}")
