"""Exact aggregates in DuckDB.

>>> import duckdb, lastbit.duckdb
>>> db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
>>> lastbit.duckdb.load(db)
>>> db.execute("SELECT exact_sum(x) FROM (VALUES (1e300), (1.0), (-1e300)) t(x)").fetchall()
[(1.0,)]

DuckDB loads an extension without a signature only in a database that was opened
so. docs/use/engines.md lists the functions.
"""

import os
from typing import Any

from ._errors import Error

__all__ = ["load", "path"]

_FILE = "lastbit.duckdb_extension"


def path() -> str:
    """Return the extension's file, for ``LOAD`` and for DuckDB in other languages.

    The environment variable LASTBIT_DUCKDB names another one.
    """
    name = os.environ.get("LASTBIT_DUCKDB") or os.path.join(os.path.dirname(__file__), "lib", _FILE)
    if not os.path.exists(name):
        raise Error(
            "duckdb-extension",
            f"there is no extension of DuckDB at {name}",
            "install a wheel of lastbit for this platform, or build the extension with make duckdb "
            "and set LASTBIT_DUCKDB to it",
        )
    return name


def load(connection: Any) -> None:
    """Load the exact aggregates into the database of a connection.

    It has to allow unsigned extensions, which it does from the moment it is opened
    or not at all: ``duckdb.connect(config={"allow_unsigned_extensions": "true"})``.
    """
    ((allowed,),) = connection.execute(
        "SELECT current_setting('allow_unsigned_extensions')"
    ).fetchall()
    if not allowed:
        raise Error(
            "duckdb-unsigned",
            "this database does not load unsigned extensions",
            'open it with duckdb.connect(…, config={"allow_unsigned_extensions": "true"})',
        )
    quoted = path().replace("'", "''")
    connection.execute(f"LOAD '{quoted}'")
