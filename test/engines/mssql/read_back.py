"""
Reads T-SQL by sqlglot and says it for DuckDB: a list of statements in, a list of statements out, as JSON.

What sqlglot translates as if it were another thing is put right first: FLOAT has 53 bits in T-SQL and REAL 24, BIT is a
boolean, texts are joined by +, LIKE has classes, ROUND may cut off, the microseconds of a time are without its seconds, and
the collations that fold nothing are DuckDB's own. DuckDB's tables have lists where SQL Server's have documents of JSON: so the
documents that are made are read as lists, and the rows of OPENJSON are those of a list.
"""

import json
import re
import sys

import sqlglot
from sqlglot import exp

TEXTS = (exp.DataType.Type.VARCHAR, exp.DataType.Type.NVARCHAR, exp.DataType.Type.TEXT)


def is_text(node):
    if isinstance(node, exp.Paren):
        return is_text(node.this)
    if isinstance(node, exp.Cast):
        return node.to.this in TEXTS
    if isinstance(node, (exp.Add, exp.DPipe)):
        return is_text(node.left) or is_text(node.right)
    return isinstance(node, (exp.Collate, exp.TimeToStr, exp.Left, exp.Substring, exp.National)) or (isinstance(node, exp.Literal) and node.is_string)


STATISTICS = {"var": "var_samp", "varp": "var_pop", "stdev": "stddev_samp", "stdevp": "stddev_pop"}


def cut_off(node):
    """ROUND with a third argument."""
    digits = int(node.args["decimals"].sql())
    factor = exp.Literal.number(10 ** abs(digits))
    up, down = (exp.Mul, exp.Div) if digits > 0 else (exp.Div, exp.Mul)
    moved = exp.Paren(this=up(this=node.this.copy(), expression=factor))
    cut = exp.Anonymous(this="trunc", expressions=[moved])
    return exp.Paren(this=down(this=cut, expression=factor.copy()))


def pattern_of(text, escape):
    """A pattern of LIKE with classes as a regular expression."""
    parts, index = [], 0
    while index < len(text):
        sign = text[index]
        if sign == escape:
            index += 1
            parts.append(re.escape(text[index]))
        elif sign == "[":
            end = text.index("]", index)
            parts.append(text[index : end + 1])
            index = end
        else:
            parts.append({"%": ".*", "_": "."}.get(sign, re.escape(sign)))
        index += 1
    return "(?s)" + "".join(parts)


def matched(like, escape):
    arguments = [like.this.copy(), exp.Literal.string(pattern_of(like.expression.name, escape))]
    found = exp.Anonymous(this="regexp_full_match", expressions=arguments)
    return exp.Paren(this=exp.Not(this=found)) if like.args.get("negate") else found


def place_of(pattern, operand):
    """PATINDEX: the characters before the first match, and one."""
    rest = pattern_of(pattern[1:] if pattern.startswith("%") else pattern, None)[4:]
    before = "(?s)^(.*?)" if pattern.startswith("%") else "(?s)^()"
    part = exp.Anonymous(this="regexp_extract", expressions=[operand.copy(), exp.Literal.string(before + rest + "$"), exp.Literal.number(1)])
    found = exp.Anonymous(this="regexp_full_match", expressions=[operand.copy(), exp.Literal.string(before + rest)])
    place = exp.Add(this=exp.Anonymous(this="length", expressions=[part]), expression=exp.Literal.number(1))
    return exp.Paren(this=exp.Case(ifs=[exp.If(this=found, true=place)], default=exp.Literal.number(0)))


def composite(node):
    """JSON_QUERY knows objects and arrays only."""
    part = exp.Anonymous(this="json_extract", expressions=[node.this.copy(), exp.Literal.string(node.expression.sql("duckdb")[1:-1])])
    kind = exp.Anonymous(this="json_type", expressions=[part])
    is_composite = exp.In(this=kind, expressions=[exp.Literal.string("OBJECT"), exp.Literal.string("ARRAY")])
    return exp.Paren(this=exp.Case(ifs=[exp.If(this=is_composite, true=exp.cast(part.copy(), "text"))]))


def names_itself(table):
    return any(read.name == table.alias for read in table.this.find_all(exp.Table))


def is_series(table):
    """GENERATE_SERIES has one column, and a name for it."""
    return isinstance(table, exp.Table) and isinstance(table.this, (exp.Func, exp.Anonymous)) and "generate_series" in table.this.sql("tsql").lower()


def parts_of(node):
    """The operands of additions, from the left."""
    return parts_of(node.left) + [node.right] if isinstance(node, exp.Add) else [node]


def is_word(node, word):
    return isinstance(node, exp.Literal) and node.is_string and node.name == word


def list_of(document):
    holds_texts = any('"' in each.name or each.name == "" for each in document.find_all(exp.Literal))
    elements = exp.Literal.string('["VARCHAR"]' if holds_texts else '["BIGINT"]')
    return exp.Anonymous(this="from_json", expressions=[exp.cast(document.copy(), "json"), elements])


def both_of(node):
    """The documents that stand around CHAR(1) in the innermost of three REPLACEs."""
    depth = 0
    while isinstance(node, (exp.Replace, exp.Collate, exp.Paren)):
        depth += isinstance(node, exp.Replace)
        node = node.this
    parts = parts_of(node)
    is_joined = depth == 3 and len(parts) == 3 and isinstance(parts[1], exp.Chr)
    return [parts[0], parts[2]] if is_joined else None


def escaped(text):
    shown = exp.cast(exp.Anonymous(this="to_json", expressions=[text.copy()]), "text")
    inner = exp.Sub(this=exp.Length(this=shown.copy()), expression=exp.Literal.number(2))
    return exp.Substring(this=shown, start=exp.Literal.number(2), length=inner)


def as_lists(node):
    if isinstance(node, exp.Case) and node.args["ifs"]:
        first = node.args["ifs"][0]
        if isinstance(first.this, exp.Like) and first.this.expression.name == "[[]%]":
            return first.args["true"].this
    if isinstance(node, exp.Collate) and isinstance(node.this, exp.Paren):
        inner = node.this.this
        if isinstance(inner, exp.Replace) and is_word(inner.expression, '[""]'):
            return list_of(inner)
        both = both_of(node.this)
        if both is not None:
            return exp.Anonymous(this="list_concat", expressions=[each.copy() for each in both])
    if isinstance(node, exp.Paren):
        parts = parts_of(node.this)
        if len(parts) == 3 and is_word(parts[0], "[") and is_word(parts[2], "]"):
            return list_of(exp.Paren(this=exp.DPipe(this=exp.DPipe(this=parts[0], expression=parts[1], safe=False), expression=parts[2], safe=False)))
    if isinstance(node, exp.Coalesce) and node.expressions and is_word(node.expressions[-1], "[]"):
        return exp.Coalesce(this=node.this.copy(), expressions=[exp.Array(expressions=[])])
    if isinstance(node, exp.Table) and isinstance(node.this, exp.OpenJSON):
        return opened(node)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "string_escape":
        return escaped(node.expressions[0])
    return node


def opened(table):
    """FROM OPENJSON: all types are taken for that of null, which every element may have."""
    elements = table.this.this
    places = exp.Sub(
        this=exp.Anonymous(this="generate_subscripts", expressions=[elements.copy(), exp.Literal.number(1)]),
        expression=exp.Literal.number(1),
    )
    values = exp.Anonymous(this="unnest", expressions=[elements.copy()])
    named = {"value": values, "key": places, "type": exp.Literal.number(0)}
    items = [exp.alias_(each, name, quoted=True) for name, each in named.items()]
    return exp.Subquery(this=exp.Select(expressions=items), alias=table.args["alias"].copy())


def put_right(node):
    if isinstance(node, exp.DataType):
        if node.this in TEXTS:
            return exp.DataType.build("text")
        if node.this == exp.DataType.Type.BIT:
            return exp.DataType.build("boolean")
    if isinstance(node, exp.Collate):
        return node.this
    if isinstance(node, exp.Escape) and isinstance(node.this, exp.Like) and "[" in node.this.expression.name:
        return matched(node.this, node.expression.name)
    if isinstance(node, exp.Like) and "[" in node.expression.name and not isinstance(node.parent, exp.Escape):
        return matched(node, None)
    if isinstance(node, exp.Round) and node.args.get("truncate") is not None:
        return cut_off(node)
    if isinstance(node, exp.Extract) and node.name.lower() == "microsecond" and not isinstance(node.parent, exp.Mod):
        return exp.Paren(this=exp.Mod(this=node.copy(), expression=exp.Literal.number(1000000)))
    if isinstance(node, exp.Join) and isinstance(node.this, exp.Lateral) and not node.args.get("on"):
        lateral = node.this.copy()
        side = None if lateral.args.get("cross_apply") else "LEFT"
        lateral.set("cross_apply", None)
        return exp.Join(this=lateral, side=side, on=exp.true())
    if isinstance(node, exp.JSONExtract) and node.args.get("json_query"):
        return composite(node)
    if isinstance(node, exp.JSONExtractScalar) and node.expression.name.startswith("strict "):
        return exp.Anonymous(this="json_value", expressions=[node.this.copy(), exp.Literal.string(node.expression.name[7:])])
    if isinstance(node, exp.NumberToStr):
        digits = "%.6g" if "E" in node.args["format"].name else "%.15g"
        return exp.Anonymous(this="printf", expressions=[exp.Literal.string(digits), node.this.copy()])
    if isinstance(node, exp.TableAlias) and is_series(node.parent) and not node.columns:
        return exp.TableAlias(this=node.this, columns=[exp.to_identifier("value")])
    if isinstance(node, exp.With) and any(names_itself(table) for table in node.expressions):
        node.set("recursive", True)
    if isinstance(node, exp.Anonymous):
        name = node.name.lower()
        if name == "patindex":
            return place_of(node.expressions[0].name, node.expressions[1])
        if name == "datalength":
            return exp.func("strlen", exp.cast(node.expressions[0].copy(), "text"))
        if name in STATISTICS:
            return exp.Anonymous(this=STATISTICS[name], expressions=node.expressions)
        if name == "eomonth":
            return exp.func("last_day", *node.expressions)
        if name == "switchoffset":
            return node.expressions[0]
        if name == "sysutcdatetime":
            return sqlglot.parse_one("CAST(CURRENT_TIMESTAMP AS TIMESTAMP)", read="duckdb")
        if name == "todatetimeoffset":
            return node.expressions[0]
    return node


def joined(node):
    if isinstance(node, exp.Add) and is_text(node):
        return exp.DPipe(this=node.left, expression=node.right, safe=False)
    return node


def everywhere(tree, change):
    """Until nothing changes: what stands in for a node is not looked into."""
    before = None
    while tree != before:
        before, tree = tree, tree.transform(change)
    return tree


def read_back(sql):
    # sqlglot reads both of these as one.
    sql = sql.replace(" AS FLOAT)", " AS DOUBLE)").replace(" AS REAL)", " AS FLOAT)")
    sql = sql.removesuffix(" OPTION (MAXRECURSION 0)")
    tree = sqlglot.parse_one(sql, read="tsql", error_level=sqlglot.ErrorLevel.RAISE)
    if isinstance(tree, exp.Command):
        raise ValueError("not a query")
    return everywhere(everywhere(everywhere(tree, as_lists), joined), put_right).sql("duckdb")


json.dump([read_back(sql) for sql in json.load(sys.stdin)], sys.stdout)
