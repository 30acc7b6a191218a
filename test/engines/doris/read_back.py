"""
Reads Doris' SQL by sqlglot and says it for DuckDB: a list of statements in, a list of statements out, as JSON.

What sqlglot translates as if it were another thing is put right first: decimals have at most 38 digits on DuckDB, numbers of 128
bits are whole, and functions of texts and dates that it does not know for Doris are said here.
"""

import json
import re
import sys

import sqlglot
from sqlglot import exp

# Under names that sqlglot does not know, so that it leaves them alone.
APART = (
    "date_trunc locate datediff timestampdiff week weekday yearweek dayofweek dayofyear date_format length char_length now "
    "truncate days_add microseconds_add last_day substring_index left right lpad rpad trim ltrim rtrim"
).split()


def calls_apart(sql):
    for name in APART:
        sql = re.sub(rf"(?<![\w`'.]){name}\(", f"as_{name}(", sql, flags=re.IGNORECASE)
    return sql.replace(" AS LARGEINT)", " AS HUGEINT)")


def anonymous(name, *arguments):
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def text(value):
    return exp.Literal.string(value)


def number(value):
    return exp.Literal.number(value)


def as_text(node):
    return exp.cast(node.copy(), "text")


def as_timestamp(node):
    return exp.cast(node.copy(), "timestamp")


def as_day(node):
    return exp.cast(node.copy(), "date")


def minus(left, right):
    return exp.Paren(this=exp.Sub(this=exp.Paren(this=left.copy()), expression=exp.Paren(this=right.copy())))


FORMATS = {"%i": "%M", "%s": "%S", "%M": "%B", "%b": "%b", "%W": "%A", "%a": "%a", "%h": "%I", "%p": "%p", "%e": "%-d", "%c": "%-m"}


def formatted(value, pattern):
    said = re.sub(r"%.", lambda match: FORMATS.get(match.group(), match.group()), pattern.name)
    return anonymous("strftime", as_timestamp(value), text(said))


def between(unit, first, last):
    name = unit.name if isinstance(unit, (exp.Column, exp.Var, exp.Literal)) else str(unit)
    micro = anonymous("date_diff", text("microsecond"), as_timestamp(first), as_timestamp(last))
    per = {"SECOND": 1_000_000, "MINUTE": 60_000_000, "HOUR": 3_600_000_000}[name.upper()]
    return exp.Paren(this=exp.IntDiv(this=micro, expression=number(per)))


def cut(value, separator, count):
    parts = anonymous("string_split", value, separator)
    wanted = int(count.sql())
    kept = (
        anonymous("list_slice", parts, number(1), number(wanted))
        if wanted > 0
        else anonymous("list_slice", parts, number(wanted), number(-1))
    )
    return anonymous("array_to_string", kept, separator)


def padded(name):
    return lambda value, length, filling: anonymous(name, value, length, filling)


SAID = {
    "as_date_trunc": lambda value, unit: as_timestamp(anonymous("date_trunc", unit, as_timestamp(value))),
    "as_locate": lambda part, whole: anonymous("strpos", whole, part),
    "as_datediff": lambda later, earlier: exp.cast(minus(as_day(later), as_day(earlier)), "bigint"),
    "as_timestampdiff": between,
    "as_week": lambda value, mode: anonymous("week", value),
    "as_weekday": lambda value: minus(anonymous("isodow", value), number(1)),
    "as_yearweek": lambda value, mode: anonymous("yearweek", value),
    "as_dayofweek": lambda value: exp.Paren(this=exp.Add(this=anonymous("dayofweek", value), expression=number(1))),
    "as_dayofyear": lambda value: anonymous("dayofyear", value),
    "as_date_format": formatted,
    "as_length": lambda value: anonymous("strlen", value),
    "as_char_length": lambda value: anonymous("length", value),
    "as_now": lambda digits: as_timestamp(exp.Anonymous(this="now")),
    "as_truncate": lambda value, digits: anonymous("trunc", value, digits),
    "as_days_add": lambda value, count: as_day(exp.Add(this=as_day(value), expression=exp.Paren(this=exp.cast(count.copy(), "int")))),
    "as_microseconds_add": lambda value, count: exp.Paren(
        this=exp.Add(this=as_timestamp(value), expression=anonymous("to_microseconds", exp.cast(count.copy(), "bigint")))
    ),
    "as_last_day": lambda value: anonymous("last_day", value),
    "as_substring_index": cut,
    "as_left": lambda value, count: anonymous("left", value, count),
    "as_right": lambda value, count: anonymous("right", value, count),
    "as_lpad": padded("lpad"),
    "as_rpad": padded("rpad"),
    "as_trim": lambda value, characters: anonymous("trim", value, characters),
    "as_ltrim": lambda value, characters: anonymous("ltrim", value, characters),
    "as_rtrim": lambda value, characters: anonymous("rtrim", value, characters),
}


def put_right(node):
    # DuckDB rounds no decimal to a computed number of digits, and doubles it does.
    if isinstance(node, exp.Round) and node.args.get("decimals") is not None and not node.args["decimals"].is_number:
        if not (isinstance(node.this, exp.Cast) and node.this.to.this == exp.DataType.Type.DOUBLE):
            rounded = exp.Round(this=exp.cast(node.this.copy(), "double"), decimals=node.args["decimals"].copy())
            return exp.cast(rounded, "decimal(38, 18)")
    if isinstance(node, exp.Anonymous) and node.name.lower() in SAID:
        return SAID[node.name.lower()](*node.expressions)
    if isinstance(node, exp.Extract) and node.name.upper() == "MICROSECOND" and not isinstance(node.parent, exp.Mod):
        return exp.Paren(this=exp.Mod(this=node.copy(), expression=number(1_000_000)))
    if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.DECIMAL and node.expressions:
        precision, *scale = [int(each.sql()) for each in node.expressions]
        if precision > 38:
            digits = scale[0] if scale else 0
            return exp.DataType.build(f"DECIMAL(38, {digits})")
    if isinstance(node, exp.DataType) and node.this in (exp.DataType.Type.DATETIME, exp.DataType.Type.TIMESTAMP):
        return exp.DataType.build("TIMESTAMP") if node.expressions or node.this != exp.DataType.Type.TIMESTAMP else node
    return node


def read_back(sql):
    tree = sqlglot.parse_one(calls_apart(sql), read="doris", error_level=sqlglot.ErrorLevel.RAISE)
    if isinstance(tree, exp.Command):
        raise ValueError("not a query")
    before = None
    while tree != before:
        before, tree = tree, tree.transform(put_right)
    return tree.sql("duckdb")


json.dump([read_back(sql) for sql in json.load(sys.stdin)], sys.stdout)
