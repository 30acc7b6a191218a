"""
Judges statements by sqlparser-rs' parser of a dialect: {dialect, statements} in, for each statement what is wrong with it or null
out, as JSON.
"""

import json
import sys

import sqloxide


def fault_of(statement, dialect):
    try:
        (parsed,) = sqloxide.parse_sql(sql=statement, dialect=dialect)
    except ValueError as fault:
        return str(fault)
    return None if "Query" in parsed else "no query"


def main():
    asked = json.load(sys.stdin)
    json.dump([fault_of(statement, asked["dialect"]) for statement in asked["statements"]], sys.stdout)


main()
