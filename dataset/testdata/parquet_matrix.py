"""Writes parquet files by the libraries that people use, and what is in them.

    python3 parquet_matrix.py FOLDER [more]      every combination of options
    python3 parquet_matrix.py FOLDER random N SEED   N files of random options
    python3 parquet_matrix.py FOLDER spark           files of Spark
    python3 parquet_matrix.py read FILE…             what PyArrow reads of other files

Each line of standard output describes a file in JSON:

    {"file": "1.parquet", "about": "pyarrow lz4 …", "rows": 700,
     "sums": {column: {"count": 700, "sum": "31/8"}},
     "keys": {column: {text: rows}}}

A sum is the exact one, of Python's integers and fractions, or "NaN", "inf" or
"-inf". Columns of floats are also held against math.fsum here.
"""

import datetime
import decimal
import itertools
import json
import math
import os
import random
import sys
from fractions import Fraction

import duckdb
import numpy
import polars
import pyarrow
import pyarrow.parquet as pq

PATTERNS = ["none", "some", "all", "leading", "trailing", "runs"]


def with_nulls(values, pattern, r):
    n = len(values)
    if pattern == "none":
        return values
    if pattern == "all":
        return [None] * n
    if pattern == "leading":
        return [None] * (n // 3) + values[n // 3:]
    if pattern == "trailing":
        return values[:n - n // 3] + [None] * (n // 3)
    if pattern == "runs":
        return [None if i // 37 % 2 else v for i, v in enumerate(values)]
    return [None if r.random() < 0.3 else v for v in values]


def exact_sum(values):
    """The exact sum of numbers as a text."""
    if any(isinstance(v, float) and not math.isfinite(v) for v in values):
        return {"nan": "NaN", "inf": "inf", "-inf": "-inf"}[str(non_finite(values))]
    total = Fraction(0)
    if values and isinstance(values[0], float):
        total = sum_of_floats(values)
        assert float(total) == math.fsum(values)
    else:
        for v in values:
            total += Fraction(v)
    return str(total)


def non_finite(values):
    """The sum of numbers that are not all finite."""
    kinds = {str(v) for v in values if not math.isfinite(v)}
    return float("nan") if len(kinds) > 1 else float(kinds.pop())


def sum_of_floats(values):
    """The exact sum of floats, as one integer of units of 2^-1074."""
    total = 0
    for v in values:
        m, d = v.as_integer_ratio()
        total += m * ((1 << 1074) // d)
    return Fraction(total, 1 << 1074)


def decimals(r, n, digits, scale):
    """Numbers of up to some digits, more often short than long."""
    out = []
    for _ in range(n):
        m = r.randrange(10 ** r.randint(1, digits))
        out.append(decimal.Decimal(r.choice([m, -m])).scaleb(-scale, context=WIDE))
    return out


WIDE = decimal.Context(prec=200)
EPOCH = datetime.date(1970, 1, 1)
UNITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}


def timestamp_text(v, unit, zone):
    """A count of units since 1970 as a key shows it."""
    seconds, part = divmod(v, 10 ** UNITS[unit])
    t = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    fraction = f".{part:0{UNITS[unit]}d}".rstrip("0") if part else ""
    return t.isoformat() + fraction + ("+00:00" if zone else "")


class Column:
    """A column: its name, its Arrow type, its values, and its numbers or keys."""

    def __init__(self, name, kind, values, numbers=None, texts=None, raw=None):
        self.name, self.kind, self.values = name, kind, values
        self.numbers, self.texts, self.raw = numbers, texts, raw

    def array(self):
        if self.raw is not None:  # integers in the place of times
            base = pyarrow.int32() if self.kind.bit_width == 32 else pyarrow.int64()
            return pyarrow.array(self.values, base).view(self.kind)
        if isinstance(self.kind, pyarrow.DictionaryType):
            return pyarrow.array(self.values, self.kind.value_type).dictionary_encode()
        return pyarrow.array(self.values, self.kind)


def number_columns(r, n, wild):
    """The columns of numbers. Wild ones have NaN, infinities and −0."""
    yield "bool", pyarrow.bool_(), [r.random() < 0.7 for _ in range(n)]
    for bits in 8, 16, 32, 64:
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1
        yield f"i{bits}", getattr(pyarrow, f"int{bits}")(), integers(r, n, low, high)
        yield f"u{bits}", getattr(pyarrow, f"uint{bits}")(), integers(r, n, 0, (1 << bits) - 1)
    yield "same", pyarrow.int64(), [r.choice([7, -3])] * n
    yield "runs", pyarrow.int32(), [i // 100 for i in range(n)]
    yield "quarter", pyarrow.float64(), [i * 0.25 for i in range(1, n + 1)]
    f64 = [r.uniform(-1, 1) * 10.0 ** r.randint(-300, 300) for _ in range(n)]
    f32 = [float(numpy.float32(r.uniform(-1, 1) * 10.0 ** r.randint(-40, 38))) for _ in range(n)]
    f16 = [float(numpy.float16(r.uniform(-1, 1) * 10.0 ** r.randint(-7, 4))) for _ in range(n)]
    few = [r.choice([0.1, -0.25, 1e300, -0.0, 0.0]) for _ in range(n)]
    if wild:
        odd = [float("nan"), float("inf"), -0.0, 0.0, 5e-324]
        for v in f64, f32, f16, few:
            for _ in range(3):
                v[r.randrange(n)] = r.choice(odd[:4])
    yield "f64", pyarrow.float64(), f64
    yield "f32", pyarrow.float32(), f32
    yield "f16", pyarrow.float16(), f16
    yield "few", pyarrow.float64(), few
    for digits, scale in (1, 0), (5, 2), (9, 9), (10, 3), (18, 4), (19, 2), (38, 10):
        yield f"d{digits}", pyarrow.decimal128(digits, scale), decimals(r, n, digits, scale)
    for digits, scale in (39, 5), (76, 20):
        yield f"d{digits}", pyarrow.decimal256(digits, scale), decimals(r, n, digits, scale)


def integers(r, n, low, high):
    out = [r.randint(low, high) for _ in range(n)]
    for i in range(0, n, 5):
        out[i] = r.choice([low, high, max(low, -1), 1, 0])
    return out


def key_columns(r, n):
    """The columns of keys, with their texts."""
    some = lambda values: [r.choice(values) for _ in range(n)]
    words = some(["", "a", "b", "prefix-one", "prefix-two", "ünï"])
    yield Column("text", pyarrow.string(), words, texts=words)
    yield Column("wide", pyarrow.large_string(), words, texts=words)
    yield Column("cat", pyarrow.dictionary(pyarrow.int32(), pyarrow.string()), words, texts=words)
    fixed = some([b"abcd", b"wxyz"])
    yield Column("fixed", pyarrow.binary(4), fixed, texts=[v.decode() for v in fixed])
    days = some([0, 1, -1, 19000, -140000, 47482])
    texts = [(EPOCH + datetime.timedelta(days=v)).isoformat() for v in days]
    yield Column("date", pyarrow.date32(), days, texts=texts, raw=True)
    for unit, zone in itertools.product(UNITS, [None, "UTC", "Europe/Berlin"]):
        p = 10 ** UNITS[unit]
        v = some([0, p, -1, 1_700_000_000 * p + p // 2, -5_000_000_000 * p + 1, 86400 * p - 1])
        texts = [timestamp_text(x, unit, zone) for x in v]
        name = "ts_" + unit + (zone or "")[:3]
        yield Column(name, pyarrow.timestamp(unit, zone), v, texts=texts, raw=True)
    for unit, kind in (("ms", pyarrow.time32("ms")), ("us", pyarrow.time64("us")),
                       ("ns", pyarrow.time64("ns"))):
        v = some([0, 1, 43_200 * 10 ** UNITS[unit], 86_399 * 10 ** UNITS[unit] + 500])
        texts = [timestamp_text(x, unit, False)[len("1970-01-01T"):] for x in v]
        yield Column("time_" + unit, kind, v, texts=texts, raw=True)
    money = [decimal.Decimal(v).scaleb(-2) for v in some([0, 5, -150, 99999])]
    yield Column("money", pyarrow.decimal128(7, 2), money, texts=[f"{v:.2f}" for v in money])
    half = some([0.5, -0.25, 1.0, 65504.0])
    yield Column("half", pyarrow.float16(), half, texts=[plain(v) for v in half])
    whole = some([1, -1, 2 ** 63 - 1, -2 ** 63, 2 ** 53 + 1])
    yield Column("whole", pyarrow.int64(), whole, texts=[str(v) for v in whole])
    flags = some([True, False])
    yield Column("flag", pyarrow.bool_(), flags, texts=["1" if v else "0" for v in flags])


def plain(v):
    return str(int(v)) if v == int(v) else repr(v)


class Table:
    """Columns of n rows, with nulls in one pattern."""

    def __init__(self, n, pattern, seed, wild=False):
        r = random.Random(f"{n} {pattern} {seed} {wild}")
        self.n, self.pattern, self.columns = n, pattern, []
        for name, kind, values in number_columns(r, n, wild):
            self.add(Column(name, kind, values, numbers=values), r)
        for c in key_columns(r, n):
            self.add(c, r)
        self.describe()

    def add(self, c, r):
        c.values = with_nulls(c.values, self.pattern, r)
        if c.numbers is not None:
            c.numbers = [v for v in c.values if v is not None]
        if c.texts is not None:
            c.texts = [t if v is not None else None for t, v in zip(c.texts, c.values)]
        self.columns.append(c)

    def describe(self):
        self.sums, self.keys = {}, {}
        for c in self.columns:
            if c.numbers is not None:
                self.sums[c.name] = {"count": len(c.numbers), "sum": exact_sum(c.numbers)}
            else:
                self.keys[c.name] = tally(c.texts)

    def arrow(self, leave=()):
        columns = [c for c in self.columns if c.name not in leave]
        return pyarrow.table({c.name: c.array() for c in columns})

    def nested(self):
        """The table, a struct of some of its columns within a struct, and a list."""
        t = self.arrow()
        inner = pyarrow.StructArray.from_arrays(
            [t["f64"].combine_chunks(), t["i64"].combine_chunks()], ["x", "n"])
        hole = pyarrow.array([i % 7 == 3 for i in range(self.n)])
        struct = pyarrow.StructArray.from_arrays(
            [inner, t["text"].combine_chunks()], ["in", "key"], mask=hole)
        lists = pyarrow.array([[1.5] * (i % 4) if i % 5 else None for i in range(self.n)],
                              pyarrow.list_(pyarrow.float64()))
        kept = lambda name: [v for i, v in enumerate(self.column(name).values)
                             if v is not None and i % 7 != 3]
        sums = dict(self.sums)
        for path, name in ("s.in.x", "f64"), ("s.in.n", "i64"):
            sums[path] = {"count": len(kept(name)), "sum": exact_sum(kept(name))}
        return t.append_column("s", struct).append_column("list", lists), sums

    def column(self, name):
        return next(c for c in self.columns if c.name == name)


def tally(texts):
    out = {}
    for t in texts:
        out["" if t is None else "=" + t] = out.get("" if t is None else "=" + t, 0) + 1
    return out


class Folder:
    """Where the files go."""

    def __init__(self, path):
        self.path, self.n = path, 0

    def next(self):
        self.n += 1
        return f"{self.n}.parquet"

    def report(self, name, about, rows, sums, keys):
        print(json.dumps({"file": name, "about": about, "rows": rows, "sums": sums,
                          "keys": keys}))


ARROW_CODECS = ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]
INTS = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "same", "runs", "date", "whole"}
SPLIT = {"f64", "f32", "f16", "few", "quarter", "i32", "i64", "u64", "d38", "d76", "d18", "fixed",
         "half"}


def encodings(table, kind):
    """The encoding of every column of a table, or None for dictionaries."""
    if kind == "dictionary":
        return None
    out = {}
    for path in leaves(table.schema):
        field = path.split(".")[-1]
        out[path] = "PLAIN"
        if kind == "delta" and (field in INTS or field.startswith(("ts_", "time_"))):
            out[path] = "DELTA_BINARY_PACKED"
        if kind == "delta" and field in {"text", "fixed", "wide", "cat", "d38", "d76"}:
            out[path] = "DELTA_BYTE_ARRAY"
        if kind == "split" and field in SPLIT:
            out[path] = "BYTE_STREAM_SPLIT"
        if kind == "split" and field in {"text", "wide", "cat", "key"}:
            out[path] = "DELTA_LENGTH_BYTE_ARRAY"
        if kind == "split" and field in {"bool", "flag"}:
            out[path] = "RLE"
    return out


def leaves(schema, prefix=""):
    for f in schema:
        if pyarrow.types.is_struct(f.type):
            yield from leaves(f.type, prefix + f.name + ".")
        elif pyarrow.types.is_list(f.type):
            yield prefix + f.name + ".list.element"
        else:
            yield prefix + f.name


def arrow_file(folder, t, codec, page, encoding, group, nested=False, **more):
    """Writes a table by PyArrow."""
    table, sums = t.nested() if nested else (t.arrow(), t.sums)
    keys = t.keys
    if more.get("version", "2.6") != "2.6":  # has no nanoseconds
        table = table.drop_columns(NANOSECONDS)
        keys = {k: v for k, v in keys.items() if k not in NANOSECONDS}
    if more.get("use_deprecated_int96_timestamps"):  # has no zones
        keys = {k: {x.removesuffix("+00:00"): n for x, n in v.items()} for k, v in keys.items()}
    kind = encodings(table, encoding)
    name = folder.next()
    options = dict(compression=codec, data_page_version=page, row_group_size=group,
                   use_dictionary=kind is None, column_encoding=kind, data_page_size=600)
    options.update(more)
    pq.write_table(table, os.path.join(folder.path, name), **options)
    about = f"pyarrow {codec} page {page} {encoding} group {group} nulls {t.pattern} {more}"
    folder.report(name, about, t.n, sums, keys)


NANOSECONDS = ["ts_ns", "ts_nsUTC", "ts_nsEur", "time_ns"]

# DuckDB reads these from Arrow and writes others, or none.
NOT_DUCKDB = ["f16", "half", "d39", "d76", "ts_nsUTC", "ts_nsEur", "time_ms", "time_ns", "fixed",
              "time_us", "cat"]


def duckdb_file(folder, t, codec, version, group, leave=()):
    """Writes a table by DuckDB."""
    table = t.arrow(list(NOT_DUCKDB) + list(leave))
    name = folder.next()
    con = duckdb.connect()
    con.execute("SET threads = 1; SET preserve_insertion_order = true; SET TimeZone = 'UTC'")
    con.register("t", table)
    con.execute(f"COPY t TO '{folder.path}/{name}' (FORMAT parquet, CODEC '{codec}', "
                f"PARQUET_VERSION {version}, ROW_GROUP_SIZE {group})")
    con.close()
    here = set(table.column_names)
    folder.report(name, f"duckdb {codec} {version} group {group} nulls {t.pattern}", t.n,
                  {k: v for k, v in t.sums.items() if k in here},
                  {k: v for k, v in t.keys.items() if k in here})


NOT_POLARS = ["d39", "d76", "fixed", "cat", "time_ms", "time_us", "ts_s", "ts_sUTC", "ts_sEur"]


def polars_file(folder, t, codec, group, page, statistics=True):
    """Writes a table by Polars."""
    table = t.arrow(NOT_POLARS)
    name = folder.next()
    polars.from_arrow(table).write_parquet(
        os.path.join(folder.path, name), compression=codec, row_group_size=group,
        data_page_size=page, statistics="full" if statistics else False)
    here = set(table.column_names)
    folder.report(name, f"polars {codec} group {group} page {page} nulls {t.pattern}", t.n,
                  {k: v for k, v in t.sums.items() if k in here},
                  {k: v for k, v in t.keys.items() if k in here})


DUCKDB_CODECS = ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4", "lz4_raw"]
POLARS_CODECS = ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4"]


def all_files(folder, more):
    """Every combination of options, of fewer tables unless more are asked for."""
    n = 700
    tables = {p: Table(n, p, 1) for p in PATTERNS}
    wild = Table(n, "some", 2, wild=True)
    groups = [n, 64] if more else [n, 90]
    for i, (codec, page, encoding, pattern) in enumerate(itertools.product(
            ARROW_CODECS, ["1.0", "2.0"], ["dictionary", "plain", "delta", "split"], PATTERNS)):
        if not more and i % 5 > (codec in ("none", "lz4")):
            continue
        for group in groups if more else groups[i % 2:][:1]:
            arrow_file(folder, tables[pattern], codec, page, encoding, group, nested=i % 4 == 0,
                       write_page_checksum=i % 2 == 0)
    for i, (codec, page) in enumerate(itertools.product(ARROW_CODECS, ["1.0", "2.0"])):
        t = tables[PATTERNS[i % len(PATTERNS)]]
        arrow_file(folder, wild, codec, page, "dictionary", 150)
        arrow_file(folder, t, codec, page, "dictionary", n, dictionary_pagesize_limit=100)
        arrow_file(folder, t, codec, page, "dictionary", 100, store_decimal_as_integer=True)
        arrow_file(folder, t, codec, page, "delta", n, store_decimal_as_integer=True,
                   write_page_index=True)
        arrow_file(folder, t, codec, page, "plain", n, write_statistics=False)
        arrow_file(folder, t, codec, page, "dictionary", n, version="1.0")
        arrow_file(folder, t, codec, page, "split", n, version="2.4", store_schema=False)
        arrow_file(folder, t, codec, page, "dictionary", n, use_deprecated_int96_timestamps=True)
    for i, (codec, version, pattern) in enumerate(itertools.product(
            DUCKDB_CODECS, ["v1", "v2"], PATTERNS)):
        for t in [tables[pattern]] + [wild] * (i % 6 == 0):
            duckdb_file(folder, t, codec, version, 10000)
    for i, (codec, pattern) in enumerate(itertools.product(POLARS_CODECS, PATTERNS)):
        for t in [tables[pattern]] + [wild] * (i % 6 == 0):
            polars_file(folder, t, codec, [n, 80][i % 2], [None, 500][i // 2 % 2], i % 3)
    big = Table(9000, "some", 3)
    duckdb_file(folder, big, "lz4", "v2", 2048)
    duckdb_file(folder, big, "zstd", "v1", 2048)
    polars_file(folder, big, "lz4", 4000, 2000)
    arrow_file(folder, big, "lz4", "2.0", "delta", 5000)
    arrow_file(folder, big, "snappy", "1.0", "dictionary", 5000)


def random_files(folder, count, seed):
    """Files of random options and lengths."""
    r = random.Random(seed)
    for i in range(count):
        n = r.choice([1, 2, 3, 7, 8, 9, 31, 33, 127, 129, 500, 1025, 3000])
        t = Table(n, r.choice(PATTERNS), f"{seed} {i}", wild=r.random() < 0.2)
        group = r.choice([n, max(1, n // 3), r.randint(1, n), max(1, min(n, 8))])
        writer = r.choice(["pyarrow"] * 3 + ["duckdb", "polars"])
        if writer == "duckdb":
            duckdb_file(folder, t, r.choice(DUCKDB_CODECS), r.choice(["v1", "v2"]),
                        r.choice([2048, 10000]))
        elif writer == "polars":
            polars_file(folder, t, r.choice(POLARS_CODECS), group,
                        r.choice([None, 100, 1000, 100000]), r.random() < 0.7)
        else:
            kind = r.choice(["dictionary", "plain", "delta", "split"])
            more = dict(data_page_size=r.choice([1, 64, 300, 5000, 1 << 20]),
                        write_page_checksum=r.random() < 0.5,
                        store_decimal_as_integer=r.random() < 0.5,
                        write_batch_size=r.choice([1, 3, 64, 1024]),
                        write_statistics=r.random() < 0.8,
                        write_page_index=r.random() < 0.3,
                        version=r.choice(["1.0", "2.4", "2.6"]))
            if kind == "dictionary":
                more["dictionary_pagesize_limit"] = r.choice([1, 50, 1000, 1 << 20])
            arrow_file(folder, t, r.choice(ARROW_CODECS), r.choice(["1.0", "2.0"]), kind, group,
                       nested=r.random() < 0.3, **more)


def read_files(names):
    """Describes files that others wrote, as far as PyArrow reads numbers in them."""
    for name in names:
        try:
            table = pq.ParquetFile(name).read()
        except Exception as e:  # PyArrow refuses it
            print(f"{name}: {e}", file=sys.stderr)
            continue
        while any(pyarrow.types.is_struct(f.type) for f in table.schema):
            table = table.flatten()
        sums = {}
        for field in table.schema:
            if isinstance(field.type, (pyarrow.ListType, pyarrow.MapType)):
                continue
            if table.column_names.count(field.name) == 1 and is_number(field.type):
                values = [v for v in table[field.name].to_pylist() if v is not None]
                sums[field.name] = {"count": len(values), "sum": exact_sum(values)}
        print(json.dumps({"file": name, "about": os.path.basename(name),
                          "rows": table.num_rows, "sums": sums, "keys": {}}))


def is_number(kind):
    return (pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind) or
            pyarrow.types.is_boolean(kind) or pyarrow.types.is_decimal(kind))


def spark_files(folder):
    """Files of parquet-mr, by Spark."""
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.master("local[1]").config(
        "spark.ui.enabled", "false").config(
            "spark.ui.showConsoleProgress", "false").getOrCreate()
    t = Table(700, "some", 1)
    left = {"f16", "half", "d39", "d76", "cat", "fixed", "u64", "time_ms", "time_us", "time_ns",
            *NANOSECONDS, *(c.name for c in t.columns if c.name.startswith("ts_"))}
    source = os.path.join(folder.path, "source.parquet")
    pq.write_table(t.arrow(left), source)
    frame = spark.read.parquet(source)
    here = set(frame.columns)
    for codec, version, legacy in itertools.product(
            ["none", "snappy", "gzip", "zstd", "lz4", "lz4_raw"], ["v1", "v2"], [False, True]):
        spark.conf.set("spark.sql.parquet.writeLegacyFormat", str(legacy).lower())
        out = os.path.join(folder.path, "spark")
        writer = frame.coalesce(1).write.mode("overwrite").option("compression", codec)
        writer.option("parquet.writer.version", version).parquet(out)
        part = next(p for p in os.listdir(out) if p.endswith(".parquet"))
        name = folder.next()
        os.rename(os.path.join(out, part), os.path.join(folder.path, name))
        folder.report(name, f"spark {codec} {version} legacy {legacy}", t.n,
                      {k: v for k, v in t.sums.items() if k in here},
                      {k: v for k, v in t.keys.items() if k in here})


def main(folder, *args):
    if folder == "read":
        read_files(args)
    elif args == ("spark",):
        spark_files(Folder(folder))
    elif args[:1] == ("random",):
        random_files(Folder(folder), int(args[1]), int(args[2]))
    else:
        all_files(Folder(folder), args == ("more",))


if __name__ == "__main__":
    main(*sys.argv[1:])
