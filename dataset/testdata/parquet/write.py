"""Writes the files of this folder, by PyArrow 26.0.1, DuckDB 2.0.0, Polars
2.1.0 and fastparquet 2026.9.0. README.md describes them."""

import decimal

import duckdb
import fastparquet
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq

n = 60
amount = [i * 0.25 for i in range(1, n + 1)]
table = pa.table({
    "amount": amount,
    "some": pa.array([None if i % 7 == 0 else i * 1000003 for i in range(n)], pa.int64()),
    "flag": [i % 3 > 0 for i in range(n)],
    "key": ["key%d" % (i % 4) for i in range(n)],
    "money": pa.array([decimal.Decimal(i * 1001 - 7).scaleb(-2) for i in range(n)],
                      pa.decimal128(30, 2)),
})

pq.write_table(pa.table({"amount": [i * .25 for i in range(1, 1001)]}), "lz4.parquet",
               compression="lz4")
pq.write_table(pa.table({"flag": [True] * 8}), "booleans.parquet", data_page_version="2.0")
pq.write_table(table, "checked.parquet", compression="none", write_page_checksum=True,
               use_dictionary=["key"], row_group_size=40, store_schema=False)
pq.write_table(table, "packed.parquet", compression="lz4", data_page_version="2.0",
               write_page_checksum=True, use_dictionary=False, store_schema=False,
               column_encoding={"amount": "BYTE_STREAM_SPLIT", "some": "DELTA_BINARY_PACKED",
                                "key": "DELTA_BYTE_ARRAY", "money": "DELTA_BYTE_ARRAY",
                                "flag": "RLE"})
pq.write_table(table.select(["amount", "some"]), "plain.parquet", compression="none",
               use_dictionary=False, store_schema=False)
con = duckdb.connect()
con.register("t", table)
con.execute("COPY t TO 'duckdb.parquet' (FORMAT parquet, CODEC 'zstd', PARQUET_VERSION v2)")
con.execute("COPY (SELECT unnest([-2147483648, 2147483647, -2147483648, 5, -9, 2147483647])::INT "
            "AS i) TO 'differences.parquet' (FORMAT parquet, PARQUET_VERSION v2)")
polars.from_arrow(table).write_parquet("polars.parquet", compression="gzip")
frame = table.drop_columns(["money"]).to_pandas().astype(
    {"some": "Int64", "key": "category"})
frame["none"] = frame["key"].where(frame["amount"] < 0)
frame["rank"] = pandas.Categorical([[3, 1, 2][i % 3] for i in range(n)], categories=[3, 1, 2])
fastparquet.write("fastparquet.parquet", frame, compression="SNAPPY", write_index=False,
                  stats=True)
