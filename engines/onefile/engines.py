"""Runs the sums of one engine on the file, for check.py.

    python3 engines.py ENGINE

The standard input is the request of check.py. The standard output has a line
for each run: a JSON list of the method, its digests, and the engine's own sums
of the column x, by group.
"""

import csv
import hashlib
import io
import json
import os
import subprocess
import sys

import data

COLUMNS = ["x", "f", "i", "d"]
SCALE = 2  # of the column d
# The bound of sums by folds: groups with larger numbers go by bits.
BOUND = "1e6"
# The digest of no numbers: docs/reference/state.md.
EMPTY = hashlib.sha256(b"lbxa\x01" + bytes(6)).digest()


def report(method, digests, own=None):
    """Prints a run. Keys of the digests are columns and groups."""
    lists = [[column, group, digest] for (column, group), digest in digests.items()]
    print(json.dumps([method, lists, own and {k: v.hex() for k, v in own.items()}]), flush=True)


def of_units(digest):
    """Returns the digest of decimals from the digest of their integers."""
    return hashlib.sha256(EMPTY + bytes([SCALE]) + bytes.fromhex(digest)).hexdigest()


def digests_of(rows, names=COLUMNS):
    """Returns the digests of rows of a group and a digest for each column."""
    return {(name, row[0]): digest for row in rows for name, digest in zip(names, row[1:])}


class Queries:
    """The queries of lastbit sql for a dialect."""

    def __init__(self, request, dialect, table, *flags):
        self.lastbit = request["lastbit"]
        command = [self.lastbit, "sql", "--dialect", dialect, *table, "--by", "k", "--decimals",
                   f"d={SCALE}", *flags]
        self.text = subprocess.run(command + [f"sum({c})" for c in COLUMNS], check=True,
                                   capture_output=True, text=True).stdout

    def finish(self, names, rows):
        """Returns the digests of a query's rows."""
        text = io.StringIO()
        csv.writer(text).writerows([names, *rows])
        return self.finish_text(text.getvalue())

    def finish_text(self, text):
        out = subprocess.run([self.lastbit, "sql", "--finish", "-", "--digest", "--json"],
                             check=True, input=text, capture_output=True, text=True).stdout
        return {(r["column"], r["key"]): r["digest"] for r in json.loads(out)}


def own_sums(table):
    """Returns the query of the engine's own sums, of groups where they are finite:
    PostgreSQL ends others by an error."""
    groups = ", ".join(f"'{g}'" for g in data.FINITE)
    return f"SELECT k, sum(x) FROM {table} WHERE k IN ({groups}) GROUP BY k"


def sums(rows):
    return {row[0]: float(row[1]) for row in rows if row[1] is not None}


def duckdb(request):
    import duckdb

    path = request["file"]
    bits = Queries(request, "duckdb", ["--from", path])
    folds = Queries(request, "duckdb", ["--from", path], "--max", BOUND)
    digests = ", ".join(f"exact_digest({c})" for c in COLUMNS)
    for threads in (1, 2):
        db = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": threads})
        db.execute(f"LOAD '{request['extension']}'")
        of = f"{threads} thread" + "s" * (threads > 1)
        for _ in range(request["runs"]):
            own = sums(db.execute(own_sums(f"'{path}'")).fetchall())
            rows = db.execute(f"SELECT k, {digests} FROM '{path}' GROUP BY k").fetchall()
            report(f"DuckDB, exact_digest, {of}", digests_of(rows), own)
            for name, query in [("by bits", bits), ("by folds", folds)]:
                result = db.execute(query.text)
                names = [d[0] for d in result.description]
                report(f"DuckDB, SQL {name}, {of}", query.finish(names, result.fetchall()), own)


def clickhouse(request):
    from chdb import session

    path = request["file"]
    db = session.Session()
    table = ["--query", f"SELECT * FROM file('{path}', Parquet)"]
    queries = [("by bits", Queries(request, "clickhouse", table)),
               ("by folds", Queries(request, "clickhouse", table, "--max", BOUND))]
    for _ in range(request["runs"]):
        text = str(db.query(own_sums(f"file('{path}', Parquet)"), "CSV"))
        own = sums(csv.reader(io.StringIO(text)))
        for name, query in queries:
            rows = str(db.query(query.text, "CSVWithNames"))
            report(f"ClickHouse, SQL {name}", query.finish_text(rows), own)


def datafusion(request):
    import datafusion

    context = datafusion.SessionContext()
    context.register_parquet("t", request["file"])
    query = Queries(request, "datafusion", ["--from", "t"])

    def rows_of(sql):
        return [tuple(r.values()) for b in context.sql(sql).collect() for r in b.to_pylist()]

    for _ in range(request["runs"]):
        own = sums(rows_of(own_sums("t")))
        batches = context.sql(query.text).collect()
        rows = [tuple(r.values()) for b in batches for r in b.to_pylist()]
        report("DataFusion, SQL by bits", query.finish(batches[0].schema.names, rows), own)


def postgres(request):
    address = request["postgres"]

    def psql(*commands):
        arguments = [a for c in commands for a in ("--command", c)]
        return subprocess.run(
            ["psql", "--no-psqlrc", "--quiet", "--csv", "--set=ON_ERROR_STOP=1",
             "--dbname=" + address, *arguments], check=True, capture_output=True, text=True).stdout

    psql("CREATE TABLE t (k text, x double precision, f real, i bigint, d numeric(18, 2))",
         f"\\copy t FROM '{request['csv']}' WITH (FORMAT csv, HEADER)", "ANALYZE t")
    query = Queries(request, "postgres", ["--from", "t"])
    for _ in range(request["runs"]):
        rows = csv.reader(io.StringIO(psql(own_sums("t"))))
        own = sums(list(rows)[1:])
        report("PostgreSQL, SQL by bits", query.finish_text(psql(query.text)), own)


def spark(request):
    from pyspark.sql import SparkSession

    spark = (SparkSession.builder.master("local[2]")
             .config("spark.jars", request["jar"])
             .config("spark.sql.extensions", "lastbit.Extension")
             .config("spark.ui.enabled", "false")
             .config("spark.ui.showConsoleProgress", "false")
             .config("spark.driver.memory", "4g")
             .config("spark.sql.shuffle.partitions", "2")
             .config("spark.sql.adaptive.enabled", "false")
             .config("spark.log.level", "ERROR")
             .getOrCreate())
    # exact_digest takes no DECIMAL: its integers are summed.
    units = f"exact_digest(CAST(d * {10 ** SCALE} AS BIGINT))"
    digests = ", ".join([f"exact_digest({c})" for c in COLUMNS[:3]] + [units])
    for partitions in (1, 2, 8):
        frame = spark.read.parquet(request["file"]).repartition(partitions).cache()
        frame.createOrReplaceTempView("t")
        name = f"Spark, exact_digest, {partitions} partition" + "s" * (partitions > 1)
        for _ in range(request["runs"]):
            own = sums(spark.sql(own_sums("t")).collect())
            rows = spark.sql(f"SELECT k, {digests} FROM t GROUP BY k").collect()
            report(name, digests_of((*r[:4], of_units(r[4])) for r in rows), own)
        frame.unpersist()
    spark.stop()


def beam(request):
    output = os.path.join(request["folder"], "digests")
    for _ in range(request["runs"]):
        subprocess.run([request["beam"], "-key", "k", "-columns", ",".join(COLUMNS), "-output",
                        output, os.path.join(request["parts"], "*.parquet")],
                       check=True, capture_output=True)
        found, own = {}, {}
        with open(output) as lines:
            for line in lines:
                column, group, digest, bits = line.rstrip("\n").split("\t")
                found[column, group] = of_units(digest) if column == "d" else digest
                if column == "x":
                    own[group] = float.fromhex(bits)
        report("Beam, ExactState", found, own)


if __name__ == "__main__":
    globals()[sys.argv[1]](json.load(sys.stdin))
