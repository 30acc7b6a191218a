"""
Runs Snowflake's SQL on fakesnow, which is DuckDB behind Snowflake's own connector: a statement a line in, as JSON, and its rows or what
was wrong with it a line out. The tables are files of Parquet, {name: file} as the only argument. It ends with its input, and nothing is
asked of a network.
"""

import datetime
import decimal
import json
import sys
import warnings

warnings.simplefilter("ignore")

import fakesnow  # noqa: E402
import snowflake.connector  # noqa: E402


def shown(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return {"double": repr(value)}
    if isinstance(value, (int, decimal.Decimal)):
        return {"decimal": format(value, "f") if isinstance(value, decimal.Decimal) else str(value)}
    if isinstance(value, datetime.datetime):
        zoned = value.tzinfo is not None
        local = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if zoned else value
        return {"instant" if zoned else "timestamp": local.isoformat()}
    if isinstance(value, datetime.date):
        return {"date": value.isoformat()}
    if isinstance(value, datetime.time):
        return {"time": value.isoformat()}
    if isinstance(value, (bytes, bytearray)):
        return {"binary": bytes(value).hex()}
    if isinstance(value, list):
        return json.dumps(value)
    return str(value)


def answer(cursor, sql):
    try:
        rows = cursor.execute(sql).fetchall()
    except Exception as error:
        return {"error": str(error)[:500]}
    return {"rows": [[shown(value) for value in row] for row in rows]}


def main():
    with fakesnow.patch():
        connection = snowflake.connector.connect(database="D", schema="PUBLIC")
        tables = connection._duck_conn
        for name, file in json.loads(sys.argv[1]).items():
            columns = tables.execute(f"DESCRIBE SELECT * FROM read_parquet('{file}')").fetchall()
            items = ", ".join(f'"{column[0]}" AS "{column[0].upper()}"' for column in columns)
            tables.execute(f"CREATE TABLE \"{name.upper()}\" AS SELECT {items} FROM read_parquet('{file}')")
        cursor = connection.cursor()
        for line in sys.stdin:
            print(json.dumps(answer(cursor, json.loads(line))), flush=True)


main()
