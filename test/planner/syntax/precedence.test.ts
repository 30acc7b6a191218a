/** Which of two operators without parentheses binds tighter: PostgreSQL's table, written down here once more. */
import { describe, expect, it } from "vitest";
import type { Expression } from "../../../src/planner/syntax/tree.ts";
import { errorOf, expression, printedExpression } from "./parsing.ts";
import { shape } from "./same-tree.ts";

/** From loosest to tightest. `chains` false: two of the level without parentheses are an error. */
const TABLE: readonly { readonly operators: readonly string[]; readonly chains: boolean }[] = [
  { operators: ["OR"], chains: true },
  { operators: ["AND"], chains: true },
  { operators: ["IS DISTINCT FROM", "IS NOT DISTINCT FROM"], chains: false },
  { operators: ["=", "<>", "<", "<=", ">", ">="], chains: false },
  { operators: ["LIKE", "NOT LIKE", "ILIKE", "SIMILAR TO"], chains: false },
  {
    operators: [
      ...["||", "->", "->>", "#>", "#>>", "&", "|", "#", "<<", ">>", "@>", "<@", "?", "?|", "?&", "&&", "^@"],
      ...["~", "~*", "!~", "!~*"],
    ],
    chains: true,
  },
  { operators: ["+", "-"], chains: true },
  { operators: ["*", "/", "//", "%"], chains: true },
  { operators: ["^"], chains: true },
  { operators: ["AT TIME ZONE"], chains: true },
];

interface Operator {
  readonly sign: string;
  readonly level: number;
  readonly chains: boolean;
}

const OPERATORS: readonly Operator[] = TABLE.flatMap(({ operators, chains }, level) =>
  operators.map((sign) => ({ sign, level, chains })),
);

function groupingOf(first: Operator, second: Operator): "left" | "right" | "error" {
  return first.level > second.level ? "left" : first.level < second.level ? "right" : first.chains ? "left" : "error";
}

describe("two operators without parentheses", () => {
  it.each(OPERATORS)("a $sign b, followed by any other", (first) => {
    for (const second of OPERATORS) {
      const text = `a ${first.sign} b ${second.sign} c`;
      const grouping = groupingOf(first, second);
      if (grouping === "error") {
        const error = errorOf(() => expression(text));
        expect(error.reason, text).toBe("SYNTAX");
        expect(error.span?.start, text).toBe(`a ${first.sign} b `.length);
        continue;
      }
      const left = shape(expression(`(a ${first.sign} b) ${second.sign} c`));
      const right = shape(expression(`a ${first.sign} (b ${second.sign} c)`));
      expect(left, text).not.toBe(right);
      const flat = first.sign === second.sign && (first.sign === "AND" || first.sign === "OR");
      expect(shape(expression(text)), text).toBe(flat ? shape(flattened(text)) : grouping === "left" ? left : right);
    }
  });

  it.each(OPERATORS)("(a $sign b) and any other keep their meaning in print", (first) => {
    for (const second of OPERATORS) {
      for (const text of [`(a ${first.sign} b) ${second.sign} c`, `a ${first.sign} (b ${second.sign} c)`]) {
        const tree = expression(text);
        expect(shape(expression(printedExpression(tree))), text).toBe(shape(tree));
      }
    }
  });
});

/** AND and OR chains are one node. */
function flattened(text: string): Expression {
  const tree = expression(text);
  expect(tree).toMatchObject({
    kind: "logical",
    operands: [{ kind: "column" }, { kind: "column" }, { kind: "column" }],
  });
  return tree;
}

describe("signs, NOT and forms that end in a word or bracket", () => {
  it.each([
    ["-a ^ b", "(-a) ^ b"],
    ["-a * b", "(-a) * b"],
    ["- a::int", "-(a::int)"],
    ["-a[1]", "-(a[1])"],
    ["-a COLLATE c", "(-a) COLLATE c"],
    ["-a AT TIME ZONE b", "(-a) AT TIME ZONE b"],
    ["- - a", "-(-a)"],
    ["+ - a", "+(-a)"],
    ["~ a + b", "~ (a + b)"],
    ["~ a || b", "(~ a) || b"],
    ["a * ~ b + c", "a * (~ (b + c))"],
    ["NOT a = b", "NOT (a = b)"],
    ["NOT a AND b", "(NOT a) AND b"],
    ["NOT a IS NULL", "NOT (a IS NULL)"],
    ["NOT NOT a", "NOT (NOT a)"],
    ["a + NOT b = c", "a + (NOT (b = c))"],
    ["a = b IS NULL", "(a = b) IS NULL"],
    ["a IS NULL = b", "(a IS NULL) = b"],
    ["a IS NULL IS NULL", "(a IS NULL) IS NULL"],
    ["a ISNULL AND b NOTNULL", "(a IS NULL) AND (b IS NOT NULL)"],
    ["a IS DISTINCT FROM b = c", "a IS DISTINCT FROM (b = c)"],
    ["a = b LIKE c", "a = (b LIKE c)"],
    ["a LIKE b = c", "(a LIKE b) = c"],
    ["a LIKE b || c", "a LIKE (b || c)"],
    ["a LIKE b ESCAPE c || d", "a LIKE b ESCAPE (c || d)"],
    ["a = b BETWEEN c AND d", "a = (b BETWEEN c AND d)"],
    ["a BETWEEN b AND c = d", "(a BETWEEN b AND c) = d"],
    ["a BETWEEN b AND c AND d", "(a BETWEEN b AND c) AND d"],
    ["a BETWEEN b = c AND d", "a BETWEEN (b = c) AND d"],
    ["a BETWEEN b IS DISTINCT FROM c AND d", "a BETWEEN (b IS DISTINCT FROM c) AND d"],
    ["a BETWEEN b AND c + d", "a BETWEEN b AND (c + d)"],
    ["a IN (b) IN (c)", "(a IN (b)) IN (c)"],
    ["a IN (b) = c", "(a IN (b)) = c"],
    ["a = b IN (c)", "a = (b IN (c))"],
    ["a = ANY (b) = c", "(a = ANY (b)) = c"],
    ["a = ANY (b) || c", "(a = ANY (b)) || c"],
    ["a || b = ANY (c)", "(a || b) = ANY (c)"],
    ["a ~~ b || c", "(a ~~ b) || c"],
    ["a || b ~~ c", "(a || b) ~~ c"],
    ["a::int::text", "(a::int)::text"],
    ["a + b::int", "a + (b::int)"],
    ["a ^ b::int", "a ^ (b::int)"],
    ["a COLLATE b AT TIME ZONE c", "(a COLLATE b) AT TIME ZONE c"],
    ["a AT TIME ZONE b COLLATE c", "a AT TIME ZONE (b COLLATE c)"],
    ["a OR b AND c OR d", "a OR (b AND c) OR d"],
  ])("%s is %s", (text, grouped) => {
    const tree = expression(text);
    expect(shape(tree)).toBe(shape(expression(grouped)));
    expect(shape(expression(printedExpression(tree)))).toBe(shape(tree));
  });

  it.each([
    "a < b < c",
    "a = b <> c",
    "a LIKE b LIKE c",
    "a BETWEEN b AND c BETWEEN d AND e",
    "a IS DISTINCT FROM b IS NULL",
  ])("%s is refused", (text) => {
    expect(errorOf(() => expression(text)).reason).toBe("SYNTAX");
  });
});
