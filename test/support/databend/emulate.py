"""
Runs Snowflake's SQL on Databend: a statement a line in, as JSON, and its rows or what was wrong with it a line out. The tables are files of
Parquet, {name: file} as the only argument. It ends with its input, and nothing is asked of a network.
"""

import datetime
import decimal
import json
import re
import sys
import warnings

warnings.simplefilter("ignore")

from databend import SessionContext  # noqa: E402

# The same by other names.
NAMES = [
    (re.compile(r"\bNUMBER\("), "DECIMAL("),
    (re.compile(r"\bIFF\("), "IF("),
    (re.compile(r"\bTO_CHAR\("), "TO_VARCHAR("),
    (re.compile(r"\bTO_TIMESTAMP_NTZ\(('[^']*'), 'YYYY-MM-DD HH24:MI:SS(?:\.FF\d)?'\)"), r"TO_TIMESTAMP(\1)"),
    (re.compile(r"\bTO_DATE\(('[^']*'), 'YYYY-MM-DD'\)"), r"TO_DATE(\1)"),
    (re.compile(r"\bDATEADD\("), "DATE_ADD("),
    (re.compile(r"\btrunc\("), "truncate("),
    (re.compile(r"\bcharindex\(", re.I), "locate("),
    (re.compile(r"\bTIMESTAMP_(?:NTZ|TZ|LTZ)(?:\(\d\))?"), "TIMESTAMP"),
    (re.compile(r"\bCOLUMN(\d+)\b"), lambda found: f"col{int(found.group(1)) - 1}"),
]


def named(sql):
    for name, other in NAMES:
        sql = name.sub(other, sql)
    return sql


def shown(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return {"double": repr(value)}
    if isinstance(value, decimal.Decimal):
        return {"decimal": format(value, "f")}
    if isinstance(value, int):
        return {"decimal": str(value)}
    if isinstance(value, datetime.datetime):
        return {"timestamp": value.replace(tzinfo=None).isoformat()}
    if isinstance(value, datetime.date):
        return {"date": value.isoformat()}
    if isinstance(value, (bytes, bytearray)):
        return {"binary": bytes(value).hex()}
    if isinstance(value, list):
        return json.dumps(value)
    return str(value)


def rows(context, sql):
    batches = context.sql(sql).to_py_arrow()
    return [row for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns))]


def answer(context, sql):
    try:
        return {"rows": [[shown(value) for value in row] for row in rows(context, named(sql))]}
    except BaseException as error:
        return {"error": str(error)[:500]}


def main():
    context = SessionContext()
    rows(context, 'CREATE DATABASE "PUBLIC"')
    for name, file in json.loads(sys.argv[1]).items():
        context.register_parquet(name, file)
        items = ", ".join(f'{column[0]} AS "{column[0].upper()}"' for column in rows(context, f"DESC {name}"))
        rows(context, f'CREATE VIEW "PUBLIC"."{name.upper()}" AS SELECT {items} FROM default.{name}')
    for line in sys.stdin:
        print(json.dumps(answer(context, json.loads(line))), flush=True)


main()
