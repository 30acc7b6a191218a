"""
fakesnow's server, which speaks the protocol of sessions to Snowflake's own connectors: its address a line out, until its input ends. The
tables are files of Parquet, {name: file} as the only argument. Nothing is asked of a network.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")

from fakesnow import server as serve  # noqa: E402
from fakesnow.server import shared_fs  # noqa: E402


def load(files):
    connection = shared_fs.connect("D", "PUBLIC")
    tables = connection._duck_conn
    for name, file in files.items():
        columns = tables.execute(f"DESCRIBE SELECT * FROM read_parquet('{file}')").fetchall()
        items = ", ".join(f'"{column[0]}" AS "{column[0].upper()}"' for column in columns)
        tables.execute(f"CREATE TABLE \"{name.upper()}\" AS SELECT {items} FROM read_parquet('{file}')")


with serve() as address:
    load(json.loads(sys.argv[1]))
    print(f"http://127.0.0.1:{address['port']}", flush=True)
    sys.stdin.read()
