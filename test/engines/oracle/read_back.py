"""
Reads Oracle's SQL by sqlglot and says it for DuckDB: a list of statements in, a list of statements out, as JSON.

What sqlglot translates as if it were another thing is put right first: NUMBER has as many digits as it needs and its quotients have
fractions, NUMBER(1) is a boolean, the empty text is NULL, TRUNC of a time is a day, the seconds of a time have a fraction, and
ADD_MONTHS goes from a last day to a last day. DuckDB's tables have lists where Oracle's have documents of JSON: so the documents that
are made are read as lists, and the rows of JSON_TABLE are those of a list, each of which has the type that is asked for.
"""

import json
import re
import sys

import sqlglot
from sqlglot import exp

UNITS = {"YYYY": "year", "Q": "quarter", "MM": "month", "IW": "week", "DD": "day", "HH24": "hour", "MI": "minute"}
STEPS = {"DAY": "to_days", "HOUR": "to_hours", "MINUTE": "to_minutes", "SECOND": "to_seconds"}


def function(name, *arguments):
    return exp.Anonymous(this=name, expressions=[each.copy() if isinstance(each, exp.Expression) else each for each in arguments])


def present(text):
    """The empty text is NULL."""
    return exp.Nullif(this=text, expression=exp.Literal.string(""))


def parts_of(node):
    if isinstance(node, exp.DPipe):
        return [*parts_of(node.left), *parts_of(node.right)]
    return [node]


def place_of(node):
    """INSTR of the n-th of separators of one character."""
    text, separator, count = node.this, node.args["substr"], int(node.args["occurrence"].name)
    parts = function("string_split", text, separator)
    before = function("array_to_string", function("list_slice", parts, exp.Literal.number(1), exp.Literal.number(count)), separator)
    place = exp.Add(this=function("length", before), expression=exp.Literal.number(1))
    enough = exp.GT(this=function("len", parts), expression=exp.Literal.number(count))
    return exp.Paren(this=exp.Case(ifs=[exp.If(this=enough, true=place)], default=exp.Literal.number(0)))


def months_later(node):
    day, count = node.this, node.expression
    moved = exp.Paren(this=exp.Add(this=day.copy(), expression=function("to_months", exp.cast(count.copy(), "int"))))
    is_last = exp.EQ(this=function("last_day", day), expression=day.copy())
    later = exp.Case(ifs=[exp.If(this=is_last, true=function("last_day", moved))], default=exp.cast(moved.copy(), "date"))
    return exp.Paren(this=later)


def cut(text, unit):
    start = function("date_trunc", exp.Literal.string(UNITS[unit]), text)
    return start if unit in ("HH24", "MI") else exp.cast(start, "date")


def number_text(value, mask):
    if "EEEE" in mask:
        digits = "%.6g" if len(mask) < 12 else "%.15g"
        return function("printf", exp.Literal.string(digits), exp.cast(value.copy(), "double"))
    scale = len(mask.partition(".")[2])
    return exp.cast(exp.cast(value.copy(), f"decimal(38, {scale})"), "text")


PATTERN = re.compile(r'FM(?:Month|Day|MM|DD|HH24|HH12|MI|SS)FM|"[^"]*"|IYYY|YYYY|YY|MM|Month|MONTH|Mon|MON|DDD|Day|DAY|DD|Dy|DY|HH24|HH12|MI|SS|FF6|FF3|AM|PM|IW|Q|.')
STRFTIME = {
    "YYYY": "%Y", "IYYY": "%G", "YY": "%y", "MM": "%m", "Mon": "%b", "DDD": "%j", "DD": "%d", "Dy": "%a", "HH24": "%H",
    "HH12": "%I", "MI": "%M", "SS": "%S", "FF6": "%f", "FF3": "%g", "AM": "%p", "PM": "%p", "IW": "%V",
    "FMMonthFM": "%B", "FMDayFM": "%A", "FMMMFM": "%-m", "FMDDFM": "%-d", "FMHH24FM": "%-H", "FMHH12FM": "%-I",
    "FMMIFM": "%-M", "FMSSFM": "%-S",
}


NAMES = {"Month": "%B", "MONTH": "%B", "Day": "%A", "DAY": "%A", "MON": "%b", "DY": "%a"}


def time_text(value, mask):
    parts = []
    for token in PATTERN.findall(mask):
        if token in STRFTIME:
            parts.append(function("strftime", value, exp.Literal.string(STRFTIME[token])))
        elif token in NAMES:
            name = function("strftime", value, exp.Literal.string(NAMES[token]))
            name = function("upper", name) if token.isupper() else name
            is_short = token in ("MON", "DY")
            parts.append(name if is_short else function("rpad", name, exp.Literal.number(9), exp.Literal.string(" ")))
        elif token == "Q":
            parts.append(exp.cast(function("quarter", value), "text"))
        else:
            parts.append(exp.Literal.string(token.strip('"')))
    text = parts[0]
    for part in parts[1:]:
        text = exp.DPipe(this=text, expression=part, safe=False)
    return exp.Paren(this=text)


def is_number_mask(mask):
    return re.fullmatch(r"(FM)?[90]+(\.[90]+)?(EEEE)?", mask) is not None


def is_word(node, word):
    return isinstance(node, exp.Literal) and node.is_string and node.name == word


def is_clob(node):
    return isinstance(node, exp.Anonymous) and node.name.lower() == "to_clob"


def element_of(node):
    """What FORMAT JSON is written for: the digits of a decimal, or the word of a truth value."""
    if not isinstance(node, exp.FormatJson):
        return node
    return node.this.expressions[0] if isinstance(node.this, exp.Anonymous) else node.this.this


def both_of(node):
    """The documents that stand around CHR(1) in the innermost of three REPLACEs."""
    depth = 0
    while isinstance(node, exp.Replace):
        depth += 1
        node = node.this
    parts = parts_of(node)
    return [parts[0], parts[2]] if depth == 3 and len(parts) == 3 and isinstance(parts[1], exp.Chr) else None


def gathered(node):
    value = element_of(node.this)
    order = node.args.get("order")
    sorted_values = exp.Order(this=value.copy(), expressions=[each.copy() for each in order.expressions]) if order else value.copy()
    found = exp.ArrayAgg(this=sorted_values)
    if node.args.get("null_handling"):
        return found
    present_only = exp.Where(this=exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
    return exp.Filter(this=found, expression=present_only)


def opened(table):
    """FROM JSON_TABLE."""
    elements, kind = table.this.this, table.this.args["schema"].expressions[2].args["kind"]
    name = "string" if kind.this == exp.DataType.Type.VARCHAR else "number"
    rows = exp.Select(
        expressions=[
            exp.alias_(function("generate_subscripts", elements, exp.Literal.number(1)), "n"),
            exp.alias_(function("unnest", elements), "v"),
        ]
    )
    is_null = exp.Is(this=exp.column("v"), expression=exp.Null())
    told = exp.Case(ifs=[exp.If(this=is_null, true=exp.Literal.string("null"))], default=exp.Literal.string(name))
    items = [exp.column("n"), exp.alias_(told, "k"), exp.column("v")]
    inner = exp.Subquery(this=rows, alias=exp.TableAlias(this=exp.to_identifier("_rows")))
    return exp.Subquery(this=exp.Select(expressions=items, from_=exp.From(this=inner)), alias=table.args["alias"].copy())


def split_of(node):
    """The parts of a text: JSON_ARRAY in a REPLACE."""
    return function("string_split", node.this.expressions[0], node.expression)


def is_path(node, path):
    return isinstance(node, exp.JSONValue) and node.args["path"].name == path


def as_lists(node):
    if isinstance(node, exp.Case) and is_path(node.this, "$.type()") and "JSON_SERIALIZE" in node.sql("oracle"):
        return node.this.this
    if isinstance(node, exp.Coalesce) and isinstance(node.this, exp.Case) and "'!' || k" in node.sql("oracle"):
        return exp.column("v")
    if is_path(node, "$.size()") and node.args.get("on_condition"):
        return function("len", node.this)
    if isinstance(node, exp.JSONValue) and isinstance(node.this, exp.Case) and node.this.find(exp.JSONArrayAgg):
        place = int(node.args["path"].expressions[1].this) + 1
        return function("list_extract", node.this, exp.Literal.number(place))
    if isinstance(node, exp.Nullif) and is_word(node.expression, "[]"):
        return split_of(node.this)
    if isinstance(node, exp.Replace) and is_word(node.args.get("replacement"), '","'):
        return exp.Coalesce(this=split_of(node), expressions=[exp.Array(expressions=[])])
    if isinstance(node, exp.Replace):
        both = both_of(node)
        if both is not None:
            return function("list_concat", *both)
    if is_clob(node):
        return exp.Array(expressions=[]) if is_word(node.expressions[0], "[]") else node.expressions[0]
    if isinstance(node, exp.JSONArray) and node.args.get("null_handling"):
        return exp.Array(expressions=[element_of(each).copy() for each in node.expressions])
    if isinstance(node, exp.JSONArrayAgg):
        return gathered(node)
    if isinstance(node, exp.Table) and isinstance(node.this, exp.JSONTable):
        return opened(node)
    return node


def own_types(node):
    """Once: what is put right later has DuckDB's."""
    if isinstance(node, exp.Cast) and node.is_type("int") and isinstance(node.this.unnest(), (exp.Div, exp.Avg, exp.Mul)):
        node.set("this", function("round", node.this))
    if isinstance(node, exp.DataType):
        if node.this in (exp.DataType.Type.DECIMAL, exp.DataType.Type.BIGDECIMAL):
            lengths = [each.name for each in node.expressions]
            if lengths == ["1"]:
                return exp.DataType.build("boolean")
            return exp.DataType.build("double") if not lengths else node
        if node.this == exp.DataType.Type.INT:
            return exp.DataType.build("bigint")
        if node.this in (exp.DataType.Type.VARCHAR, exp.DataType.Type.NVARCHAR, exp.DataType.Type.TEXT) and node.expressions:
            return exp.DataType.build("text")
    return node


def put_right(node):
    if isinstance(node, exp.From) and isinstance(node.this, exp.Table) and node.this.name == "DUAL":
        return None
    if isinstance(node, exp.Join) and isinstance(node.this, exp.Lateral) and not node.args.get("on"):
        lateral = node.this.copy()
        side = None if lateral.args.get("cross_apply") else "LEFT"
        lateral.set("cross_apply", None)
        return exp.Join(this=lateral, side=side, on=exp.true())
    if isinstance(node, exp.With) and any(names_itself(table) for table in node.expressions):
        node.set("recursive", True)
    if isinstance(node, exp.Add) and is_day(node.left) and not isinstance(node.right, exp.Cast) and not node.right.name.startswith("to_"):
        return exp.Add(this=node.left, expression=exp.cast(node.right.copy(), "int"))
    if isinstance(node, exp.Trunc) and node.args.get("decimals") is None:
        return exp.cast(function("cut_off", node.this), "bigint")
    if isinstance(node, exp.GroupConcat) and node.args.get("separator") is None:
        node.set("separator", exp.Literal.string(""))
    if isinstance(node, exp.AddMonths):
        return months_later(node)
    if isinstance(node, (exp.StrToTime, exp.StrToDate)):
        return exp.cast(node.this.copy(), "date" if isinstance(node, exp.StrToDate) else "timestamp")
    if isinstance(node, exp.DateTrunc) and node.unit.name in UNITS:
        return cut(node.this, node.unit.name)
    if isinstance(node, exp.ToNumber):
        return exp.cast(node.this.copy(), "double")
    if isinstance(node, exp.Systimestamp):
        return sqlglot.parse_one("CAST(CURRENT_TIMESTAMP AS TIMESTAMP)", read="duckdb")
    if isinstance(node, exp.RegexpReplace) and node.args.get("occurrence") is not None:
        flags = ("is" if "i" in node.args["modifiers"].name else "cs") + ("g" if node.args["occurrence"].name == "0" else "")
        by = node.args["replacement"]
        by = exp.Literal.string("") if isinstance(by, exp.Null) else by
        return function("regexp_replace", node.this, node.expression, by, exp.Literal.string(flags))
    if isinstance(node, exp.RegexpSubstr):
        options = "is" if node.args.get("parameters") and "i" in node.args["parameters"].name else "s"
        group = node.args.get("group") or exp.Literal.number(0)
        return present(function("regexp_extract", node.this, node.expression, group, exp.Literal.string(options)))
    if isinstance(node, exp.Log):
        return function("log", *[each for each in (node.this, node.expression) if each is not None])
    if isinstance(node, exp.Extract) and node.name.lower() == "second":
        micro = exp.Extract(this=exp.var("microsecond"), expression=node.expression.copy())
        return exp.Paren(this=exp.Mul(this=micro, expression=exp.Literal.number("0.000001")))
    if isinstance(node, exp.Extract) and not node.meta.get("whole") and node.name.lower() != "microsecond":
        node.meta["whole"] = True
        return exp.cast(node.copy(), "int")
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PercentileCont):
        for item in node.expression.expressions:
            if not isinstance(item.this, exp.Cast):
                item.set("this", exp.cast(item.this.copy(), "double"))
    if isinstance(node, exp.StrPosition) and node.args.get("occurrence") is not None:
        return place_of(node)
    if isinstance(node, exp.RegexpLike) and node.args.get("flag") is not None:
        node.set("flag", exp.Literal.string("is" if "i" in node.args["flag"].name else "cs"))
    if isinstance(node, exp.Div) and not (isinstance(node.left, exp.Cast) and node.left.is_type("double")):
        return exp.Div(this=exp.cast(node.left.copy(), "double"), expression=node.right.copy(), typed=False, safe=False)
    if isinstance(node, exp.Anonymous):
        return anonymous(node, node.name.lower(), node.expressions)
    return node


def anonymous(node, name, values):
    if name == "numtodsinterval":
        unit = values[1].name
        kind = {"DAY": "int", "SECOND": "double"}.get(unit, "bigint")
        return function(STEPS[unit], exp.cast(values[0].copy(), kind))
    if name in ("sys_extract_utc", "from_tz"):
        return values[0]
    if name == "text_of":
        if len(values) == 1:
            return exp.cast(values[0].copy(), "text")
        mask = values[1].name
        return number_text(values[0], mask) if is_number_mask(mask) else time_text(values[0], mask)
    if name == "trunc" and len(values) == 1:
        return exp.cast(function("cut_off", values[0]), "bigint")
    if name == "lengthb":
        return function("strlen", values[0])
    return node


def texts(node):
    """Once, from the outside in: what is joined, cut or replaced is NULL where it is empty."""
    for child in list(node.iter_expressions()):
        texts(child)
    if isinstance(node, exp.Replace) and node.args.get("replacement") is None:
        node.set("replacement", exp.Literal.string(""))
    if isinstance(node, exp.DPipe) and not isinstance(node.parent, exp.DPipe):
        node.replace(present(function("concat", *parts_of(node))))
    elif isinstance(node, (exp.Substring, exp.Trim, exp.RegexpReplace, exp.Replace, exp.Translate)):
        node.replace(present(node.copy()))


def is_day(node):
    node = node.unnest()
    return isinstance(node, (exp.DateTrunc, exp.AddMonths)) or (isinstance(node, exp.Cast) and node.is_type("date"))


def names_itself(table):
    return any(read.name == table.alias for read in table.this.find_all(exp.Table))


def everywhere(tree, change):
    """Until nothing changes: what stands in for a node is not looked into."""
    before = None
    while tree != before:
        before, tree = tree, tree.transform(change)
    return tree


def read_back(sql):
    # sqlglot reads some of its formats, and leaves out what it does not know of others.
    sql = re.sub(r"""('(?:[^']|'')*'|"[^"]*")|\bto_char\(""", lambda found: found[1] or "text_of(", sql, flags=re.IGNORECASE)
    sql = sql.replace(" RETURNING CLOB ERROR ON ERROR)", ")")
    tree = sqlglot.parse_one(sql, read="oracle", error_level=sqlglot.ErrorLevel.RAISE)
    if isinstance(tree, exp.Command):
        raise ValueError("not a query")
    tree = everywhere(tree, as_lists)
    texts(tree)
    return everywhere(tree.transform(own_types), put_right).sql("duckdb").replace("CUT_OFF(", "TRUNC(")


if __name__ == "__main__":
    json.dump([read_back(sql) for sql in json.load(sys.stdin)], sys.stdout)
