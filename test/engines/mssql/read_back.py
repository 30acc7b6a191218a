"""
Reads T-SQL by sqlglot and says it for DuckDB: a list of statements in, a list of statements out, as JSON.

What sqlglot translates as if it were another thing is put right first: FLOAT has 53 bits in T-SQL, BIT is a boolean, texts
are joined by +, and the collations that fold nothing are DuckDB's own.
"""

import json
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
    return isinstance(node, (exp.Collate, exp.TimeToStr)) or (isinstance(node, exp.Literal) and node.is_string)


def put_right(node):
    if isinstance(node, exp.DataType):
        if node.this in TEXTS:
            return exp.DataType.build("text")
        if node.this == exp.DataType.Type.FLOAT:
            return exp.DataType.build("double")
        if node.this == exp.DataType.Type.BIT:
            return exp.DataType.build("boolean")
    if isinstance(node, exp.Collate):
        return node.this
    if isinstance(node, exp.Join) and isinstance(node.this, exp.Lateral) and not node.args.get("on"):
        lateral = node.this.copy()
        side = None if lateral.args.get("cross_apply") else "LEFT"
        lateral.set("cross_apply", None)
        return exp.Join(this=lateral, side=side, on=exp.true())
    if isinstance(node, exp.Anonymous):
        name = node.name.lower()
        if name == "datalength":
            return exp.func("strlen", *node.expressions)
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
    tree = sqlglot.parse_one(sql, read="tsql", error_level=sqlglot.ErrorLevel.RAISE)
    if isinstance(tree, exp.Command):
        raise ValueError("not a query")
    return everywhere(everywhere(tree, joined), put_right).sql("duckdb")


json.dump([read_back(sql) for sql in json.load(sys.stdin)], sys.stdout)
