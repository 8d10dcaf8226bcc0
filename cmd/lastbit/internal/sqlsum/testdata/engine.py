"""Runs queries in an engine, for tests.

It reads a JSON object from standard input: the engine, tables with the bits of
their numbers, and queries with the format of their rows. It prints a list with,
for each query, the file of its rows or the error; and math.fsum of every column
of doubles without special values.
"""

import json
import math
import os
import struct
import sys
import tempfile
from decimal import Decimal

import pyarrow
import pyarrow.parquet

TYPES = {
    "double": pyarrow.float64(),
    "float": pyarrow.float32(),
    "int32": pyarrow.int32(),
    "int64": pyarrow.int64(),
    "text": pyarrow.string(),
    "decimal": pyarrow.decimal128(18, 2),
    "wide": pyarrow.decimal128(38, 2),
}


# The columns of a result.
NAMES = "lastbit, total, part, place, n, l0, l1, l2, l3, top, chk"


def value(kind, v):
    """Returns a value of a column: floats come as their bits."""
    if v is None:
        return None
    if kind == "double":
        return struct.unpack("<d", struct.pack("<Q", int(v, 16)))[0]
    if kind == "float":
        return struct.unpack("<f", struct.pack("<I", int(v, 16)))[0]
    if kind in ("int32", "int64"):
        return int(v)
    return Decimal(v) if kind in ("decimal", "wide") else v


def columns(table):
    for c in table["columns"]:
        yield c, [value(c["type"], v) for v in c["values"] or []]


def write(table, folder):
    """Writes a table as a parquet file, whose path it returns."""
    fields, arrays = [], []
    for c, values in columns(table):
        fields.append(pyarrow.field(c["name"], TYPES[c["type"]], not c.get("required")))
        arrays.append(pyarrow.array(values, TYPES[c["type"]]))
    path = os.path.join(folder, table["name"] + ".parquet")
    pyarrow.parquet.write_table(pyarrow.table(arrays, pyarrow.schema(fields)), path)
    return path


class DuckDB:
    def __init__(self):
        import duckdb

        self.connection = duckdb.connect()
        # A user's macros, which DuckDB prefers to its own functions.
        for macro in ("sum(x)", "max(x)", "abs(x)", "hex(x)", "typeof(x)", "trunc(x)"):
            self.connection.execute(f"CREATE MACRO {macro} AS 7")

    def load(self, name, path):
        self.connection.execute(f"CREATE TABLE \"{name}\" AS SELECT * FROM read_parquet('{path}')")

    def run(self, sql, format, path):
        if format == "values":
            rows = self.connection.execute(sql).fetchall()
            return [[v if v is None else float(v).hex() for v in row] for row in rows]
        options = {
            "csv": "FORMAT CSV, HEADER",
            "tsv": "FORMAT CSV, HEADER, DELIMITER '\t'",
            "json": "FORMAT JSON",
            "parquet": "FORMAT PARQUET",
        }[format]
        if format == "parquet":  # with names in capital letters
            sql = f"SELECT * FROM (\n{sql}\n) AS r({NAMES.upper()})"
        self.connection.execute(f"COPY ({sql}\n) TO '{path}' ({options})")


class ClickHouse:
    def __init__(self):
        from chdb import session

        self.session = session.Session()

    def load(self, name, path):
        self.session.query(
            f"CREATE TABLE `{name}` ENGINE = Memory AS SELECT * FROM file('{path}', Parquet)"
        )

    def run(self, sql, format, path):
        name = {"csv": "CSVWithNames", "tsv": "TSV", "json": "JSONEachRow", "parquet": "Parquet"}
        with open(path, "wb") as out:
            out.write(self.session.query(sql, name[format]).bytes())


def write_csv(names, rows, path):
    """Writes integers and texts without quotes."""
    with open(path, "w") as out:
        print(",".join(names), file=out)
        for row in rows:
            print(",".join(str(v) for v in row), file=out)


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.driver.memory", "2g")
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("OFF")

    def load(self, name, path):
        frame = self.session.read.parquet(path)
        frame.repartition(4).createOrReplaceTempView(f"`{name}`")

    def run(self, sql, format, path):
        # Without ANSI mode an overflow is no error.
        self.session.conf.set("spark.sql.ansi.enabled", str(format in ("tsv", "parquet")))
        frame = self.session.sql(sql)
        write_csv(frame.columns, frame.collect(), path)


class DataFusion:
    def __init__(self):
        import datafusion

        self.context = datafusion.SessionContext()

    def load(self, name, path):
        self.context.register_parquet(f'"{name}"', path)

    def run(self, sql, format, path):
        batches = self.context.sql(sql).collect()
        rows = [tuple(r.values()) for b in batches for r in b.to_pylist()]
        names = batches[0].schema.names if batches else []
        write_csv(names, rows, path)


def main():
    request = json.load(sys.stdin)
    folder = request["folder"]
    engine = {
        "duckdb": DuckDB,
        "clickhouse": ClickHouse,
        "spark": Spark,
        "datafusion": DataFusion,
    }[request["engine"]]()
    sums = {}
    for table in request["tables"]:
        engine.load(table["name"], write(table, folder))
        for c, values in columns(table):
            finite = [v for v in values if v is not None]
            if c["type"] == "double" and all(map(math.isfinite, finite)):
                try:
                    sums[table["name"] + "." + c["name"]] = math.fsum(finite).hex()
                except OverflowError:
                    pass
    results = []
    for i, query in enumerate(request["queries"]):
        path = os.path.join(folder, f"rows{i}")
        try:
            values = engine.run(query["sql"], query["format"], path)
            results.append({"file": path, "values": values})
        except Exception as e:  # every engine has its own
            results.append({"error": f"{type(e).__name__}: {e}"})
    with open(os.path.join(folder, "results.json"), "w") as out:
        json.dump({"results": results, "fsum": sums}, out)


main()
