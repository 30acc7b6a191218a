"""
Reads Snowflake's SQL by sqlglot and says it for DuckDB: a list of statements in, a list of statements out, as JSON.

What sqlglot translates as if it were another thing is put right first: formats of dates, rows of a range, what json is, and
the base64 that is broken into lines.
"""

import json
import re
import sys

import sqlglot
from sqlglot import exp


def anonymous(name, *arguments):
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def text(value):
    return exp.Literal.string(value)


# By the pattern, of a timestamp.
FORMATTED = {
    "YYYY": "%Y",
    "YY": "%y",
    "MM": "%m",
    "MON": "%b",
    "MMMM": "%B",
    "DD": "%d",
    "DY": "%a",
    "HH24": "%H",
    "HH12": "%I",
    "MI": "%M",
    "SS": "%S",
    "FF6": "%f",
    "FF3": "%g",
    "AM": "%p",
}
PATTERN = re.compile('"([^"]*)"|' + "|".join(sorted(FORMATTED, key=len, reverse=True)))

# Under names that sqlglot does not know, so that it leaves them alone.
APART = {
    "to_char(": "as_format(",
    "TO_CHAR(": "as_format(",
    "typeof(": "as_kind(",
    "is_object(": "as_object(",
    "array_size(": "as_length(",
    "to_json(": "as_json(",
    "octet_length(": "as_bytes(",
    "GET(": "as_element(",
    "ARRAY_GENERATE_RANGE(": "as_range(",
    "DATE_TRUNC(": "as_start(",
    "DATEADD(microsecond, ": "as_moved(",
}


def calls_apart(sql):
    for name, apart in APART.items():
        sql = sql.replace(name, apart)
    return re.sub(r"\bget\(", "as_member(", sql)


def strftime(pattern):
    return PATTERN.sub(lambda found: found[1] if found[1] is not None else FORMATTED[found[0]], pattern.replace("%", "%%"))


def as_format(value, pattern=None):
    if pattern is None:
        return exp.cast(value.copy(), "text")
    if pattern.name == "HH24:MI:SS.FF6":
        value = exp.Add(this=exp.cast(text("1970-01-01"), "date"), expression=exp.cast(value.copy(), "time"))
    return anonymous("strftime", exp.cast(value.copy(), "timestamp"), text(strftime(pattern.name)))


def as_kind(value):
    kinds = {"NUMBER": "INTEGER", "BIGINT": "INTEGER", "UBIGINT": "INTEGER", "NULL": "NULL_VALUE"}
    case = exp.Case(this=anonymous("json_type", value))
    for own, name in kinds.items():
        case = case.when(text(own), text(name))
    return case.else_(anonymous("json_type", value))


def path(step):
    return text(f"$[{step.name}]" if step.is_number else f'$."{step.name}"')


OWN = {
    "as_format": as_format,
    "as_kind": as_kind,
    "as_object": lambda value: exp.EQ(this=anonymous("json_type", value), expression=text("OBJECT")),
    "as_length": lambda value: exp.Case()
    .when(exp.EQ(this=anonymous("json_type", value), expression=text("ARRAY")), anonymous("json_array_length", value)),
    "as_json": lambda value: anonymous("concat", value),
    "as_range": lambda *bounds: anonymous("range", *(exp.cast(bound.copy(), "bigint") for bound in bounds)),
    "as_start": lambda unit, value: exp.cast(anonymous("date_trunc", unit, exp.cast(value.copy(), "timestamp")), "timestamp"),
    "as_moved": lambda count, value: exp.Add(this=value.copy(), expression=anonymous("to_microseconds", count)),
    "as_bytes": lambda value: anonymous("strlen", value) if value.is_string or isinstance(value, exp.Column) else exp.ByteLength(this=value.copy()),
    "as_element": lambda array, place: anonymous("list_extract", array, exp.Add(this=place.copy(), expression=exp.Literal.number(1))),
    "as_member": lambda document, step: anonymous("json_extract", document, path(step)),
}


def is_member(node):
    if isinstance(node, exp.Case):
        return any(is_member(branch.args["true"]) for branch in node.args["ifs"])
    return isinstance(node, exp.Anonymous) and node.name in ("as_member", "json_extract")


def put_right(node):
    if isinstance(node, exp.Anonymous) and node.name.lower() in OWN:
        return OWN[node.name.lower()](*node.expressions)
    # The text of a member that is one is without quotes.
    if isinstance(node, exp.Cast) and node.to.is_type("text", "varchar") and is_member(node.this):
        return anonymous("json_extract_string", node.this, text("$"))
    return node


def flattened(sql, opening, closing):
    """FLATTEN as a query: of the elements of a list, and of their places, counted from 0."""
    start = sql.find(opening)
    while start >= 0:
        at = start + len(opening)
        depth, end = 1, at
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            end += 1
        rows = f'(SELECT as_rows("_l") AS "VALUE", generate_subscripts("_l", 1) - 1 AS "INDEX" FROM (SELECT {sql[at : end - 1]} AS "_l"))'
        sql = f"{sql[:start]}{closing}{rows}{sql[end + opening.count('(') - 1 :]}"
        start = sql.find(opening)
    return sql


def flat_rows(sql):
    sql = flattened(sql, "TABLE(FLATTEN(INPUT => ", "")
    return flattened(sql, "LATERAL FLATTEN(INPUT => ", "LATERAL ").replace("as_rows(", "unnest(")


def read_back(sql):
    tree = sqlglot.parse_one(flat_rows(calls_apart(sql)), read="snowflake", error_level=sqlglot.ErrorLevel.RAISE)
    if isinstance(tree, exp.Command):
        raise ValueError("not a query")
    # What replaces a call is not looked into by itself.
    before = None
    while tree != before:
        before, tree = tree, tree.transform(put_right)
    return tree.sql("duckdb")


if __name__ == "__main__":
    json.dump([read_back(sql) for sql in json.load(sys.stdin)], sys.stdout)
