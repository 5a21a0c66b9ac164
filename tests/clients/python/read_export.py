"""Reads the Parquet files of an export with pyarrow and with DuckDB, and prints what both say as one line of JSON."""

import io
import json
import math
import sys
import zipfile

import duckdb
import pyarrow.parquet


def plain(value):
    """Times as ISO texts in UTC, bytes as hexadecimal digits, numbers that JSON has not as texts, everything else as it is."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def rows_of(table):
    return [{name: plain(value) for name, value in row.items()} for row in table.to_pylist()]


said = {}
duckdb.sql("SET TimeZone = 'UTC'")
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for name in archive.namelist():
        content = archive.read(name)
        table = pyarrow.parquet.read_table(io.BytesIO(content))
        path = archive.extract(name, sys.argv[2])
        by_duckdb = duckdb.sql(f"SELECT * FROM read_parquet('{path}')").to_arrow_table()
        said[name] = {
            "types": {field.name: str(field.type) for field in table.schema},
            "pyarrow": rows_of(table),
            "duckdb": rows_of(by_duckdb),
        }
print(json.dumps(said))
