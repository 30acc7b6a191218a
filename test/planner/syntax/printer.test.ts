/** Trees that no text has: made by rewrites, and printed so that they read back as the same. Dialects: what they can change. */
import { describe, expect, it } from "vitest";
import { defineDialect, INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { MSSQL_LEXICAL } from "../../../src/planner/dialects/mssql/lexical.ts";
import { LEVEL } from "../../../src/planner/syntax/precedence.ts";
import { printCall } from "../../../src/planner/syntax/print-calls.ts";
import { print, printExpression } from "../../../src/planner/syntax/printer.ts";
import type { Expression, Identifier, Query, Span, TableExpression } from "../../../src/planner/syntax/tree.ts";
import { errorOf, expression, printed, printedExpression, query } from "./parsing.ts";
import { shape } from "./same-tree.ts";

const span: Span = { start: 3, end: 4 };

function name(text: string, quoted = false): Identifier {
  return { name: text, quoted, span };
}

const a: Expression = { kind: "column", parts: [name("a")], span };
const b: Expression = { kind: "column", parts: [name("b")], span };
const one: Expression = { kind: "number", text: "1", span };
const negative: Expression = { kind: "number", text: "-1", span };
const scalar: Expression = { kind: "scalar-query", query: query("SELECT 1"), span };

function fromTable(table: TableExpression): Query {
  const tree = query("SELECT * FROM t");
  return { ...tree, body: { ...(tree.body as Extract<Query["body"], { kind: "select" }>), from: [table] } };
}

it("refuses a name of a lowering's own that the dialect has no words for", () => {
  const at = { kind: "call", arguments: [], star: false, distinct: false, orderBy: [], withinGroup: [] } as const;
  const node: Expression = {
    ...at,
    name: [name("age between")],
    filter: undefined,
    nulls: undefined,
    over: undefined,
    span,
  };
  expect(errorOf(() => printExpression(node, INPUT_LANGUAGE))).toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE", span });
});

describe("rewritten expressions", () => {
  it.each<[string, Expression]>([
    ["a - -1", { kind: "binary", operator: "-", left: a, right: negative, span }],
    ["-(-1)", { kind: "unary", operator: "-", operand: negative, span }],
    ["(-1) ^ 2", { kind: "binary", operator: "^", left: negative, right: { ...one, text: "2" } as Expression, span }],
    ["(-1)[1]", { kind: "subscript", operand: negative, index: one, span }],
    ["INTERVAL (-1) DAY", { kind: "interval", value: negative, unit: "day", toUnit: undefined, span }],
    [
      "INTERVAL ('1 x') WEEK",
      { kind: "interval", value: { kind: "string", value: "1 x", span }, unit: "week", toUnit: undefined, span },
    ],
    ["a = (SELECT 1)", { kind: "in-list", negated: false, operand: a, list: [scalar], span }],
    ["a <> (SELECT 1)", { kind: "in-list", negated: true, operand: a, list: [scalar], span }],
    [
      "(a = b) = b",
      {
        kind: "binary",
        operator: "=",
        left: { kind: "binary", operator: "=", left: a, right: b, span },
        right: b,
        span,
      },
    ],
    [
      "a = (NOT b)",
      { kind: "binary", operator: "=", left: a, right: { kind: "unary", operator: "not", operand: b, span }, span },
    ],
    [
      "(a AND b) AND a",
      {
        kind: "logical",
        operator: "and",
        operands: [{ kind: "logical", operator: "and", operands: [a, b], span }, a],
        span,
      },
    ],
    [
      "(NOT a) IS NULL",
      { kind: "is", negated: false, test: "null", operand: { kind: "unary", operator: "not", operand: a, span }, span },
    ],
    [
      "a BETWEEN (b COLLATE x) AND 1",
      {
        kind: "between",
        negated: false,
        symmetric: false,
        operand: a,
        low: { kind: "collate", operand: b, collation: [name("x")], span },
        high: one,
        span,
      },
    ],
    ["(c_name || 'x')", { kind: "opaque", text: "c_name || 'x'", owner: "o", span }],
    ["EXTRACT('odd field' FROM a)", { kind: "extract", field: "odd field", operand: a, span }],
    ['"my t"."Col"', { kind: "bound", column: { relation: { printedAlias: "my t" }, printedName: "Col" }, span }],
    ["t.col", { kind: "bound", column: { relation: { printedAlias: "t" }, printedName: "col" }, span }],
    [
      "(t.col).x",
      {
        kind: "field",
        field: name("x"),
        operand: { kind: "bound", column: { relation: { printedAlias: "t" }, printedName: "col" }, span },
        span,
      },
    ],
  ])("%s", (text, tree) => {
    expect(printedExpression(tree)).toBe(text);
    expect(() => expression(text)).not.toThrow();
  });

  it("refuses an array that only a sub-query gives under ANY", () => {
    const tree: Expression = {
      kind: "quantified",
      operator: "=",
      quantifier: "any",
      operand: a,
      query: undefined,
      array: scalar,
      span,
    };
    const error = errorOf(() => printedExpression(tree));
    expect(error.reason).toBe("INVALID_QUERY");
    expect(error.span).toEqual(span);
  });

  it.each(["a\0b", "a\ud800"])("refuses %j as a string and as a name", (text) => {
    const literal: Expression = { kind: "string", value: text, span };
    const column: Expression = { kind: "column", parts: [name(text)], span };
    for (const tree of [literal, column]) {
      const error = errorOf(() => printedExpression(tree));
      expect(error.reason).toBe("UNSUPPORTED_ON_SOURCE");
      expect(error.span).toEqual(span);
    }
  });

  it.each<[string, Identifier]>([
    ["abc", name("abc")],
    ["abc", name("abc", true)],
    ["ABC", name("ABC")],
    ['"ABC"', name("ABC", true)],
    ['"a b"', name("a b")],
    ['"1a"', name("1a")],
    ['"a""b"', name('a"b')],
    ['"select"', name("select")],
    ['"Order"', name("Order")],
    ['"left"', name("left")],
    ['""', name("")],
    ["größe", name("größe")],
    ['"größe"', name("größe", true)],
    ["position", name("position")],
  ])("writes the name %s", (text, identifier) => {
    expect(printedExpression({ kind: "column", parts: [identifier], span })).toBe(text);
  });

  it("keeps a quoted function name from becoming grammar", () => {
    for (const text of ['"position"(a, b)', '"current_date"()', '"exists"(a)', '"ROW"(a)', '"date"(a)']) {
      const tree = expression(text);
      expect(tree.kind).toBe("call");
      expect(shape(expression(printedExpression(tree)))).toBe(shape(tree));
    }
  });
});

describe("rewritten queries", () => {
  const t: TableExpression = { kind: "table", name: [name("t")], alias: undefined, span };
  const u: TableExpression = { kind: "table", name: [name("u")], alias: undefined, span };
  const bare = { kind: "join", natural: false, left: t, right: u, on: undefined, using: [], span } as const;

  it.each<[string, TableExpression]>([
    ["SELECT * FROM t CROSS JOIN u", { ...bare, join: "inner" }],
    ["SELECT * FROM t LEFT JOIN u ON TRUE", { ...bare, join: "left" }],
    [
      "SELECT * FROM (SELECT x) AS t(a)",
      { kind: "opaque-table", text: "SELECT x", owner: "o", alias: { name: name("t"), columns: [name("a")] }, span },
    ],
    ["SELECT * FROM t CROSS JOIN (t CROSS JOIN u)", { ...bare, join: "cross", right: { ...bare, join: "cross" } }],
  ])("%s", (text, table) => {
    expect(printed(fromTable(table))).toBe(text);
  });

  it("put set operations on the right, and of another strength, in parentheses", () => {
    for (const text of [
      "SELECT 1 UNION (SELECT 2 UNION SELECT 3)",
      "SELECT 1 INTERSECT (SELECT 2 UNION SELECT 3)",
      "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3",
      "(SELECT 1 INTERSECT SELECT 2) UNION SELECT 3",
      "SELECT 1 EXCEPT SELECT 2 UNION ALL SELECT 3",
      "(SELECT 1 LIMIT 1) UNION (SELECT 2 ORDER BY 1)",
    ]) {
      expect(printed(query(text))).toBe(text);
    }
  });

  it("quote window names that would begin a clause of the window", () => {
    const text = 'SELECT sum(a) OVER ("rows" ORDER BY b) FROM t WINDOW rows AS (PARTITION BY c)';
    const tree = query(text);
    expect(shape(query(printed(tree)))).toBe(shape(tree));
  });
});

describe("a dialect", () => {
  const dialect = defineDialect({
    name: "test",
    lexical: { ...MSSQL_LEXICAL, backslashEscapes: true },
    booleans: ["0", "1"],
    nullTreatment: "inside",
    functions: {
      coalesce: "IFNULL",
      now: (printer) => printer.write("GETDATE()"),
      date_diff: (printer, node) =>
        printCall(printer, { ...node, arguments: [...node.arguments].reverse() }, "DATEDIFF"),
    },
    operators: {
      "||": "+",
      "->": (printer, node) => {
        printer.write("JSON_VALUE(");
        printer.expressions([node.left, node.right]);
        printer.write(")");
      },
    },
    types: { text: "NVARCHAR", timestamptz: "TIMESTAMP WITH TIME ZONE" },
    levels: { "%": { self: LEVEL.or, left: LEVEL.primary, right: LEVEL.primary } },
    printers: {
      is: (printer, node) => {
        printer.write("IS_");
        INPUT_LANGUAGE.printers.is(printer, node);
      },
      limit: (printer, node) => {
        if (node.limit !== undefined) {
          printer.write(" FETCH ");
          printer.expression(node.limit.count);
        }
      },
      alias: (printer, node) => {
        printer.write(" ");
        printer.name(node.name);
      },
    },
  });

  it.each<[string, string]>([
    ["SELECT a FROM t AS x LIMIT 5", "SELECT [a] FROM [t] [x] FETCH 5"],
    ["SELECT coalesce(a, TRUE)", "SELECT IFNULL([a], 1)"],
    ["SELECT lag(a ORDER BY b) IGNORE NULLS OVER w", "SELECT lag([a] ORDER BY [b] IGNORE NULLS) OVER [w]"],
    ["SELECT now(), date_diff('day', a)", "SELECT GETDATE(), DATEDIFF([a], 'day')"],
    ["SELECT a || b -> 'c'", "SELECT JSON_VALUE([a] + [b], 'c')"],
    [
      "SELECT a::text, a::timestamptz(3), a::int",
      "SELECT CAST([a] AS NVARCHAR), CAST([a] AS TIMESTAMP(3) WITH TIME ZONE), CAST([a] AS INT)",
    ],
    ["SELECT a % b + 1", "SELECT ([a] % [b]) + 1"],
    ["SELECT a IS NULL", "SELECT IS_[a] IS NULL"],
    ["SELECT 'a\\b''c'", "SELECT 'a\\\\b''c'"],
    ['SELECT "a]b"', "SELECT [a]]b]"],
    ['SELECT "coalesce"(a)', "SELECT [coalesce]([a])"],
    ["SELECT constructor(a), toString()", "SELECT constructor([a]), tostring()"],
    ["SELECT a::constructor", "SELECT CAST([a] AS CONSTRUCTOR)"],
  ])("%s", (text, expected) => {
    expect(print(query(text), dialect)).toBe(expected);
  });

  it("leaves the language it is based on as it was", () => {
    expect(print(query("SELECT coalesce(a, TRUE) || b"), INPUT_LANGUAGE)).toBe("SELECT coalesce(a, TRUE) || b");
  });

  it("can be based on another dialect", () => {
    const derived = defineDialect({ name: "derived", functions: { nvl: "COALESCE" } }, dialect);
    expect(printExpression(expression("nvl(now(), TRUE)"), derived)).toBe("COALESCE(GETDATE(), 1)");
  });
});
