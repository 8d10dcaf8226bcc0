"""Runs the exact functions in local Spark, and prints a line for each result.

Arguments: the jar, a folder, and numbers of partitions separated by commas. The
folder has a file of 8-byte numbers for each column, and one of single bytes for
each column that has NULLs, which are 1 where a number is missing. A line holds
the number of partitions, the query and the result in hexadecimal, separated by
tabs.
"""

import pathlib
import struct
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession, functions

QUERIES = [
    "exact_sum(wide)", "exact_sum(money)", "exact_sum(single)", "exact_sum(big)",
    "exact_sum(holes)", "exact_sum(empty)", "exact_sum(zeros)", "exact_sum(infinite)",
    "exact_sum(nan)", "exact_sum(both)", "exact_avg(wide)", "exact_avg(holes)",
    "exact_avg(big)", "exact_dot(wide, money)", "exact_dot(holes, single)",
    "exact_state(wide)", "exact_state(holes)", "exact_digest(money)", "exact_state(empty)",
    "exact_finish(exact_state(wide))", "exact_finish(exact_state(empty))",
    "typed_sum(wide)", "typed_sum(holes)", "typed_sum(empty)",
    "exact_sum(wide) FILTER (WHERE key < 3)",
    "exact_sum(CAST(money AS DECIMAL(20, 2)) / 1.0D)", "sum(wide)",
]

REFUSED = [
    "exact_sum('1')", "exact_sum(CAST(1 AS DECIMAL(3, 1)))", "exact_sum(wide, money)",
    "exact_dot(wide)", "exact_dot(big, wide)", "exact_merge(wide)", "exact_merge(X'6c62')",
    "exact_finish(X'6c62')", "exact_finish(key)", "exact_finish()",
]


def read(folder):
    """Returns the columns of a folder as a table."""
    columns = {}
    for file in sorted(folder.glob("*.bin")):
        name = file.stem
        kind = {"big": "<i8", "key": "<i8"}.get(name, "<f8")
        numbers = np.fromfile(file, kind)
        if name == "single":
            numbers = numbers.astype(np.float32)
        holes = folder / (name + ".null")
        mask = np.fromfile(holes, np.uint8).astype(bool) if holes.exists() else None
        columns[name] = pa.array(numbers, mask=mask)
    return pa.table(columns)


def text(value):
    """Returns a result in hexadecimal."""
    if value is None or isinstance(value, str):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    return "NaN" if value != value else struct.pack(">d", value).hex()


def main():
    jar, folder, partitions = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3].split(",")
    pq.write_table(read(folder), folder / "data.parquet", row_group_size=10_000)
    spark = (SparkSession.builder.master("local[2]")
             .config("spark.jars", jar)
             .config("spark.sql.extensions", "lastbit.Extension")
             .config("spark.ui.enabled", "false")
             .config("spark.ui.showConsoleProgress", "false")
             # One compiler and one collector: much runs only once.
             .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
             .config("spark.sql.shuffle.partitions", "3")
             .config("spark.sql.adaptive.enabled", "false")
             .config("spark.log.level", "ERROR")
             .getOrCreate())
    sql = spark._jvm.org.apache.spark.sql
    spark._jsparkSession.udf().register("typed_sum", sql.functions.udaf(
        spark._jvm.lastbit.ExactSum(), sql.Encoders.DOUBLE()))
    data = spark.read.parquet(str(folder / "data.parquet"))
    for n in partitions:
        data.repartition(int(n)).createOrReplaceTempView("t")
        row = spark.sql("SELECT " + ", ".join(QUERIES) + " FROM t").first()
        for query, value in zip(QUERIES, row):
            print(n, query, text(value), sep="\t")
        frame = spark.table("t").agg(functions.call_function("exact_sum", "wide"))
        print(n, "frame", text(frame.first()[0]), sep="\t")
        distinct = spark.sql("SELECT exact_sum(DISTINCT key / 7) FROM t")
        print(n, "distinct", text(distinct.first()[0]), sep="\t")
        groups = spark.sql(
            "SELECT key, exact_sum(wide), exact_state(holes) FROM t GROUP BY key ORDER BY key")
        for key, total, state in groups.collect():
            print(n, f"key {key}", text(total) + " " + text(state), sep="\t")
        merged = spark.sql(
            "SELECT exact_merge(s) FROM (SELECT exact_state(holes) AS s FROM t GROUP BY key)")
        print(n, "exact_merge", text(merged.first()[0]), sep="\t")
        window = spark.sql("SELECT DISTINCT exact_sum(wide) OVER () FROM t")
        print(n, "window", " ".join(text(r[0]) for r in window.collect()), sep="\t")
    for query in REFUSED:
        try:
            spark.sql(f"SELECT {query} FROM t").collect()
            print("", query, "taken", sep="\t")
        except Exception as e:  # pylint: disable=broad-except
            print("", query, str(e).replace("\n", " ").replace("\t", " "), sep="\t")
    spark.stop()


main()
