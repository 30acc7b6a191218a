"""
Reads Redshift's SQL by sqlglot and says it for DuckDB: a list of statements in, a list of statements out, as JSON.

What sqlglot translates as if it were another thing is put right first: texts of the greatest length are texts of any, the
collation that folds nothing is DuckDB's own, LISTAGG has no separator by itself, patterns of TO_CHAR that name quarters, weeks
and days are functions, and the fields of a date that are asked for are whole numbers.
"""

import json
import re
import sys

import sqlglot
from sqlglot import exp

TEXTS = (exp.DataType.Type.VARCHAR, exp.DataType.Type.TEXT)


def anonymous(name, *arguments):
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def text(value):
    return exp.Literal.string(value)


def as_text(node):
    return exp.cast(node, "text")


def two_digits(node):
    return anonymous("lpad", as_text(node), exp.Literal.number(2), text("0"))


def as_timestamp(node):
    return exp.cast(node.copy(), "timestamp")


# By the pattern, of a timestamp.
FORMATTED = {
    "YYYY": lambda value: anonymous("strftime", value, text("%Y")),
    "YY": lambda value: anonymous("strftime", value, text("%y")),
    "MM": lambda value: anonymous("strftime", value, text("%m")),
    "DD": lambda value: anonymous("strftime", value, text("%d")),
    "HH24": lambda value: anonymous("strftime", value, text("%H")),
    "HH12": lambda value: anonymous("strftime", value, text("%I")),
    "HH": lambda value: anonymous("strftime", value, text("%I")),
    "MI": lambda value: anonymous("strftime", value, text("%M")),
    "SS": lambda value: anonymous("strftime", value, text("%S")),
    "YYYY-MM-DD": lambda value: anonymous("strftime", value, text("%Y-%m-%d")),
    "Mon": lambda value: anonymous("strftime", value, text("%b")),
    "Dy": lambda value: anonymous("strftime", value, text("%a")),
    "Month": lambda value: anonymous("rpad", anonymous("monthname", value), exp.Literal.number(9), text(" ")),
    "Day": lambda value: anonymous("rpad", anonymous("dayname", value), exp.Literal.number(9), text(" ")),
    "Q": lambda value: as_text(anonymous("quarter", value)),
    "IW": lambda value: two_digits(anonymous("week", value)),
    "IYYY": lambda value: as_text(anonymous("isoyear", value)),
}


PATTERNS = re.compile('"[^"]*"|' + "|".join(sorted(FORMATTED, key=len, reverse=True)))


def formatted(value, pattern):
    """The patterns that are known, and the texts between them, which may stand in quotes."""
    joined, end = None, 0

    def join(part):
        nonlocal joined
        joined = part if joined is None else exp.DPipe(this=joined, expression=part)

    for found in PATTERNS.finditer(pattern):
        if found.start() > end:
            join(text(pattern[end : found.start()]))
        word = found.group()
        join(text(word[1:-1]) if word.startswith('"') else FORMATTED[word](value.copy()))
        end = found.end()
    if end < len(pattern):
        join(text(pattern[end:]))
    return exp.Paren(this=joined)


APART = {"to_char": "as_format", "listagg": "as_list", "date_trunc": "as_start", "octet_length": "as_bytes", "regexp_replace": "as_replaced", "regexp_substr": "as_match"}


def calls_apart(sql):
    """Under names that sqlglot does not know, so that it leaves them alone."""
    for name, apart in APART.items():
        sql = sql.replace(f"{name}(", f"{apart}(")
    return sql


def put_right(node):
    # DuckDB rounds no decimal to a computed number of digits, and doubles it does.
    if isinstance(node, exp.Round) and node.args.get("decimals") is not None and not node.args["decimals"].is_number:
        if not (isinstance(node.this, exp.Cast) and node.this.to.this == exp.DataType.Type.DOUBLE):
            rounded = exp.Round(this=exp.cast(node.this.copy(), "double"), decimals=node.args["decimals"].copy())
            return exp.cast(rounded, "decimal(38, 18)")
    if isinstance(node, exp.DataType) and node.this in TEXTS:
        return exp.DataType.build("text")
    if isinstance(node, exp.Collate):
        return node.this
    if isinstance(node, exp.Anonymous) and node.name.lower() == "as_format":
        value, pattern = node.expressions
        return formatted(as_timestamp(value), pattern.name)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "as_start":
        unit, value = node.expressions
        return as_timestamp(anonymous("date_trunc", unit, as_timestamp(value)))
    if isinstance(node, exp.Anonymous) and node.name.lower() == "as_bytes":
        return anonymous("strlen", *node.expressions)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "as_replaced":
        return replaced(*node.expressions)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "as_match":
        value, pattern, *options = node.expressions
        return anonymous("regexp_extract", value, pattern, exp.Literal.number(1 if options else 0), text("s"))
    if isinstance(node, exp.WithinGroup) and node.this.name.lower() == "as_list":
        return listed(node.this, node.expression)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "as_list" and not isinstance(node.parent, exp.WithinGroup):
        return listed(node, None)
    return node


def replaced(value, pattern, by, *options):
    """Perl's references, and its end of the text, which RE2 has by another name."""
    if options:
        pattern, by = text(pattern.name.replace("(?!.)", "$")), text(re.sub(r"\$(\d)", r"\\\1", by.name))
    return anonymous("regexp_replace", value, pattern, by, text("sg"))


def listed(call, order):
    value = call.expressions[0].copy()
    ordered = value if order is None else exp.Order(this=value, expressions=[each.copy() for each in order.expressions])
    return exp.GroupConcat(this=ordered, separator=text(""))


def read_back(sql):
    tree = sqlglot.parse_one(calls_apart(sql), read="redshift", error_level=sqlglot.ErrorLevel.RAISE)
    if isinstance(tree, exp.Command):
        raise ValueError("not a query")
    before = None
    while tree != before:
        before, tree = tree, tree.transform(put_right)
    return tree.sql("duckdb")


json.dump([read_back(sql) for sql in json.load(sys.stdin)], sys.stdout)
