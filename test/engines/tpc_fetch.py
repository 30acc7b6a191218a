"""Writes the TPC-H and TPC-DS queries, table definitions and a little data.

The texts and the generators are DuckDB's own extensions, which PyPI carries as wheels: nothing of the TPC is kept in
the repository. Usage: python3 tpc_fetch.py <directory>; the directory gets `python/` (the wheels), `tpch/` and
`tpcds/` (a Parquet file per table, scale factor 0.01) and `corpus.json`.
"""

import glob
import json
import os
import subprocess
import sys

# One version for all three: an extension loads into the engine it was built for and into no other.
VERSION = "1.4.4"
PACKAGES = ["duckdb", "duckdb-extension-tpch", "duckdb-extension-tpcds"]
SCALE = 0.01


def install(target: str) -> None:
    wanted = [f"{package}=={VERSION}" for package in PACKAGES]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        + ["--root-user-action=ignore", "--only-binary=:all:", "--target", target]
        + wanted,
        check=True,
        timeout=300,
    )


def read(directory: str, packages: str, name: str, generate: str) -> dict:
    import duckdb

    connection = duckdb.connect()
    [extension] = glob.glob(f"{packages}/duckdb_extension_{name}/extensions/*/{name}.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
    queries = connection.execute(f"SELECT query FROM {name}_queries() ORDER BY query_nr").fetchall()
    connection.execute(f"CALL {generate}(sf = {SCALE})")
    data = os.path.join(directory, name)
    os.makedirs(data, exist_ok=True)
    tables = []
    for (table,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY table_name").fetchall():
        columns = connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index", [table]
        ).fetchall()
        tables.append({"name": table, "columns": columns})
        connection.execute(f"COPY {table} TO '{data}/{table}.parquet' (FORMAT parquet)")
    return {"queries": [text for (text,) in queries], "tables": tables}


def main(directory: str) -> None:
    packages = os.path.join(directory, "python")
    if not os.path.isdir(os.path.join(packages, "duckdb")):
        install(packages)
    sys.path.insert(0, packages)
    corpus = {
        "version": VERSION,
        "tpch": read(directory, packages, "tpch", "dbgen"),
        "tpcds": read(directory, packages, "tpcds", "dsdgen"),
    }
    path = os.path.join(directory, "corpus.json")
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(corpus, file)
    os.replace(path + ".part", path)


if __name__ == "__main__":
    main(sys.argv[1])
