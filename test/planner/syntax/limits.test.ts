/** Nesting, length and time: whatever the text, the answer is a tree or a clean error, on an ordinary stack and in linear time. */
import { describe, expect, it } from "vitest";
import { INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import { transformQuery } from "../../../src/planner/syntax/rewrite.ts";
import type { Expression, Query } from "../../../src/planner/syntax/tree.ts";
import { walk } from "../../../src/planner/syntax/walk.ts";
import { errorOf, expression, printed, query } from "./parsing.ts";
import { shape } from "./same-tree.ts";

/** Texts that nest `n` levels, one per construct that can nest. */
const NESTED: { readonly [construct: string]: (n: number) => string } = {
  parentheses: around("SELECT ", "(", "1", ")"),
  rows: around("SELECT ", "(1, ", "1", ")"),
  "CASE results": around("SELECT ", "CASE WHEN a THEN ", "1", " END"),
  "CASE operands": around("SELECT ", "CASE ", "1", " WHEN 1 THEN 1 END"),
  "scalar queries": around("SELECT ", "(SELECT ", "1", ")"),
  "scalar queries in sums": around("SELECT ", "((SELECT ", "1", ") + 1)"),
  EXISTS: around("SELECT 1 WHERE ", "EXISTS (SELECT 1 WHERE ", "a", ")"),
  "IN queries": around("SELECT 1 WHERE ", "a IN (SELECT 1 WHERE ", "b", ")"),
  "derived tables": around("", "SELECT * FROM (", "SELECT 1", ") AS t"),
  "lateral tables": around("", "SELECT * FROM t, LATERAL (", "SELECT 1", ") AS t"),
  "common tables": around("", "WITH a AS (", "SELECT 1", ") SELECT 1"),
  "VALUES in VALUES": around("", "VALUES ((", "SELECT 1", "))"),
  NOT: around("SELECT ", "NOT ", "1", ""),
  minus: around("SELECT ", "- ", "1", ""),
  tilde: around("SELECT ", "~ ", "1", ""),
  arrays: around("SELECT ", "ARRAY[", "1", "]"),
  "arrays without ARRAY": around("SELECT ARRAY", "[", "1", "]"),
  "array queries": around("SELECT ", "ARRAY(SELECT ", "1", ")"),
  calls: around("SELECT ", "f(", "1", ")"),
  "table functions": around("SELECT 1 FROM ", "f((SELECT 1 FROM ", "t", "))"),
  sums: around("SELECT 1", " + 1", "", ""),
  concatenations: around("SELECT a", " || a", "", ""),
  powers: around("SELECT 1", " ^ 1", "", ""),
  "sums to the right": around("SELECT ", "1 + (", "1", ")"),
  "sums to the left": around("SELECT ", "(", "1", " + 1)"),
  UNION: around("SELECT 1", " UNION ALL SELECT 1", "", ""),
  INTERSECT: around("SELECT 1", " INTERSECT SELECT 1", "", ""),
  "UNION to the right": around("", "SELECT 1 UNION (", "SELECT 1", ")"),
  "queries in parentheses": around("", "(", "SELECT 1", ")"),
  "limited queries": around("", "(", "SELECT 1", " LIMIT 1)"),
  joins: around("SELECT 1 FROM t", " JOIN t ON a", "", ""),
  "joins in parentheses": around("SELECT 1 FROM ", "(t JOIN ", "t", " ON a)"),
  "joins to the left": around("SELECT 1 FROM ", "(", "t", " JOIN t ON a)"),
  "joins before their conditions": around("SELECT 1 FROM t", " JOIN t", "", " ON a"),
  "aliased joins": around("SELECT 1 FROM ", "(", "t", " JOIN u ON a) AS j"),
  "casts with ::": around("SELECT 1", "::int", "", ""),
  "CAST calls": around("SELECT ", "CAST(", "1", " AS int)"),
  subscripts: around("SELECT a", "[1]", "", ""),
  "subscripts in subscripts": around("SELECT ", "a[", "1", "]"),
  "dotted names": around("SELECT a", ".a", "", ""),
  members: around("SELECT (a)", ".a", "", ""),
  "array types": around("SELECT 1::", "array<", "int", ">"),
  "struct types": around("SELECT 1::", "struct<a ", "int", ">"),
  dimensions: around("SELECT 1::int", "[]", "", ""),
  COLLATE: around("SELECT a", " COLLATE c", "", ""),
  "AT TIME ZONE": around("SELECT a", " AT TIME ZONE 'x'", "", ""),
  "IS NULL": around("SELECT a", " IS NULL", "", ""),
  BETWEEN: around("SELECT ", "a BETWEEN (", "1", ") AND 2"),
  "IN lists": around("SELECT ", "a IN (", "b", ")"),
  ANY: around("SELECT ", "a = ANY (", "b", ")"),
  LIKE: around("SELECT ", "a LIKE (", "b", ")"),
  FILTER: around("SELECT ", "f(1) FILTER (WHERE ", "b", ")"),
  "AND and OR": around("SELECT ", "(a AND b OR ", "1", ")"),
  windows: around("SELECT ", "f() OVER (ORDER BY ", "a", ")"),
  "grouping sets": around("SELECT 1 FROM t GROUP BY ", "GROUPING SETS (", "a", ")"),
  EXTRACT: around("SELECT ", "EXTRACT(year FROM ", "a", ")"),
  POSITION: around("SELECT ", "POSITION(", "a", " IN b)"),
  intervals: around("SELECT ", "INTERVAL (", "1", ") DAY"),
};

function around(head: string, open: string, core: string, close: string): (n: number) => string {
  return (n) => head + open.repeat(n) + core + close.repeat(n);
}

describe("nesting", () => {
  it.each(Object.keys(NESTED))("of %s ten thousand times is refused", (construct) => {
    expect(errorOf(() => query(NESTED[construct]!(10_000))).reason).toMatch(/^LIMIT_(DEPTH|SIZE)$/);
  });

  it.each(Object.keys(NESTED))("of %s sixty times parses, prints, and can be walked", (construct) => {
    const tree = query(NESTED[construct]!(60));
    expect(shape(query(printed(tree)))).toBe(shape(tree));
  });

  it.each(Object.keys(NESTED))("of %s as deep as accepted fits the stack of every step", (construct) => {
    const tree = query(NESTED[construct]!(deepest(NESTED[construct]!)));
    let nodes = 0;
    walk(tree, () => {
      nodes++;
      return true;
    });
    expect(nodes).toBeGreaterThan(0);
    expect(transformQuery(tree, { expression: (node) => ({ ...node }) })).not.toBe(tree);
    expect(() => print(tree, INPUT_LANGUAGE, { origins: [] })).not.toThrow();
  });

  it("counts a chain on top of a nested first operand", () => {
    const chains = (levels: number, length: number): string =>
      `SELECT ${"(".repeat(levels)}1${`${" + 1".repeat(length)})`.repeat(levels)}`;
    expect(errorOf(() => query(chains(40, 40))).reason).toBe("LIMIT_DEPTH");
    expect(() => query(chains(20, 20))).not.toThrow();
  });

  it("does not count what is wide: AND, OR, IN, VALUES, arguments, CASE branches, CTEs, FROM items", () => {
    for (const text of [
      `SELECT 1 WHERE a${" AND a".repeat(10_000)}`,
      `SELECT 1 WHERE a${" OR a = 1".repeat(10_000)}`,
      `SELECT a IN (1${", 1".repeat(10_000)})`,
      `VALUES (1)${", (1)".repeat(10_000)}`,
      `SELECT f(1${", 1".repeat(10_000)})`,
      `SELECT CASE${" WHEN a THEN b".repeat(10_000)} END`,
      `WITH a AS (SELECT 1)${", b AS (SELECT 2)".repeat(5_000)} SELECT 1`,
      `SELECT 1 FROM t${", t".repeat(10_000)}`,
      `SELECT ${"/*".repeat(10_000)}${"*/".repeat(10_000)} 1`,
    ]) {
      const tree = query(text);
      expect(shape(query(printed(tree)))).toBe(shape(tree));
    }
  });

  it("follows the limit it is given", () => {
    expect(() => query("SELECT ((((1))))", { depth: 10 })).not.toThrow();
    const error = errorOf(() => query("SELECT ((((((((((1))))))))))", { depth: 10 }));
    expect(error.reason).toBe("LIMIT_DEPTH");
    expect(error.span).toBeDefined();
  });
});

/** The greatest number of levels that the parser accepts. */
function deepest(text: (n: number) => string): number {
  let low = 60;
  let high = 600;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    try {
      query(text(middle));
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  return low;
}

describe("printing", () => {
  const span = { start: 0, end: 0 };
  const core = { kind: "number", text: "1", span } satisfies Expression;

  it.each<[string, (inner: Expression) => Expression]>([
    ["binary", (inner) => ({ kind: "binary", operator: "-", left: core, right: inner, span })],
    ["unary", (inner) => ({ kind: "unary", operator: "not", operand: inner, span })],
    ["array", (inner) => ({ kind: "array", elements: [inner], span })],
    [
      "case",
      (inner) => ({
        kind: "case",
        operand: undefined,
        branches: [{ when: core, then: inner }],
        otherwise: undefined,
        span,
      }),
    ],
    [
      "scalar query",
      (inner) => {
        const tree = query("SELECT 1");
        const body = tree.body.kind === "select" ? tree.body : undefined;
        const items = [{ kind: "item", expression: inner, alias: undefined, span } as const];
        return { kind: "scalar-query", span, query: { ...tree, body: { ...body!, items } } };
      },
    ],
    [
      "window",
      (inner) => {
        const call = expression("f() OVER (ORDER BY a ROWS 1 PRECEDING)");
        const over = call.kind === "call" ? call.over! : undefined;
        return {
          ...(call as Expression & { kind: "call" }),
          over: { ...over!, orderBy: [{ expression: inner, direction: undefined, nulls: undefined, span }] },
        };
      },
    ],
  ])("of a tree of %s nodes is refused beyond its limit and never overflows the stack", (_kind, wrap) => {
    let tree: Expression = core;
    let refused = false;
    const text = query("SELECT 1");
    for (let level = 0; level < 3000; level++) {
      tree = wrap(tree);
      if (level % 100 === 99) {
        const items = [{ kind: "item", expression: tree, alias: undefined, span } as const];
        const whole = { ...text, body: { ...(text.body as Extract<Query["body"], { kind: "select" }>), items } };
        try {
          print(whole, INPUT_LANGUAGE);
          expect(refused).toBe(false);
        } catch (error) {
          expect(error).toMatchObject({ reason: "LIMIT_DEPTH" });
          refused = true;
        }
      }
    }
    expect(refused).toBe(true);
  });
});

describe("sizes", () => {
  it("refuses a text, a name or more tokens than allowed", () => {
    expect(errorOf(() => query(`SELECT 1${" ".repeat(100)}`, { sqlLength: 100 })).reason).toBe("LIMIT_SIZE");
    expect(errorOf(() => query("SELECT 1, 2, 3", { tokens: 5 })).reason).toBe("LIMIT_SIZE");
    for (const name of ["x".repeat(1025), `"${"x".repeat(1025)}"`]) {
      const error = errorOf(() => query(`SELECT ${name}`));
      expect(error.reason).toBe("LIMIT_SIZE");
      expect(error.span).toEqual({ start: 7, end: 7 + name.length });
    }
    expect(() => query(`SELECT ${"x".repeat(1024)}`)).not.toThrow();
  });

  it("reads a list of a hundred thousand values", () => {
    const tree = query(`SELECT a FROM t WHERE b IN (${Array.from({ length: 100_000 }, (_, i) => i).join(", ")})`);
    expect(printed(tree).length).toBeGreaterThan(600_000);
  });

  /** Texts of a megabyte that make careless scanners quadratic; each would take minutes then. */
  it.each<[string, string]>([
    ["opening parentheses", "("],
    ["plus and minus signs", "+-"],
    ["question marks", "?"],
    ["tildes", "~"],
    ["empty strings", "''"],
    ["comments", "/**/"],
    ["line comments", "--\n"],
    ["dollar signs", "$a"],
    ["qualified stars", "a.b.c.d.*,"],
    ["unclosed calls", "f(a "],
    ["MINUS and parentheses", "minus ("],
  ])("a megabyte of %s takes no time", (_what, part) => {
    const text = `SELECT a FROM t ${part.repeat(DEFAULT_LIMITS.sqlLength / part.length)}`.slice(
      0,
      DEFAULT_LIMITS.sqlLength,
    );
    try {
      query(text);
    } catch (error) {
      expect(error).toMatchObject({ name: "PlannerError" });
    }
  });

  it("keeps long chains in nested parentheses linear", () => {
    query(`SELECT ${"(".repeat(200)}a${" AND a".repeat(100_000)}${" AND a)".repeat(200)}`);
  });
});
