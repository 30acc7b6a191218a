/** Where nodes come from: spans nest, and the text of a span is the node again. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import type { Expression, Query } from "../../../src/planner/syntax/tree.ts";
import { forEachChild, type SyntaxNode, walk } from "../../../src/planner/syntax/walk.ts";
import { expression, query } from "./parsing.ts";
import { shape } from "./same-tree.ts";

interface Case {
  readonly sql?: string;
}

function texts(file: string, member: string): readonly string[] {
  const content = readFileSync(new URL(`../../cases/${file}`, import.meta.url), "utf8");
  const cases = (JSON.parse(content) as { readonly [name: string]: readonly Case[] })[member] ?? [];
  return cases.flatMap(({ sql }) => (sql && !/^(DELETE|SELEC )/.test(sql) ? [sql] : []));
}

const CORPUS: readonly string[] = [
  ...texts("analyst-queries.json", "queries"),
  ...texts("planner-cases.json", "cases"),
  "SELECT ((a) + (b)) * -(c), (a, b) = (SELECT 1, 2), (r).x[1:2].y FROM ((t JOIN (u) USING (x))) AS j, LATERAL f(1) AS g(h)",
  "WITH a(x) AS (SELECT 1), b AS (VALUES (1), (2)) (SELECT * FROM a LIMIT 1) UNION (SELECT 2 ORDER BY 1) ORDER BY 1 OFFSET 2",
  "SELECT a FROM t GROUP BY GROUPING SETS ((a, b), (c)) HAVING (a) > ((1)) QUALIFY rank() OVER (ORDER BY (a)) = 1",
];

describe("spans", () => {
  it.each(CORPUS)("nest: %s", (text) => {
    const check = (node: SyntaxNode): void => {
      expect(node.span.start, node.kind).toBeGreaterThanOrEqual(0);
      expect(node.span.end, node.kind).toBeGreaterThanOrEqual(node.span.start);
      expect(node.span.end, node.kind).toBeLessThanOrEqual(text.length);
      forEachChild(node, (child) => {
        expect(child.span.start, `${node.kind} > ${child.kind}`).toBeGreaterThanOrEqual(node.span.start);
        expect(child.span.end, `${node.kind} > ${child.kind}`).toBeLessThanOrEqual(node.span.end);
        check(child);
      });
    };
    check(query(text));
  });

  it.each(CORPUS)("hold the text of the node: %s", (text) => {
    let checked = 0;
    walk(query(text), (node) => {
      const own = text.slice(node.span.start, node.span.end);
      if (node.kind === "query") {
        expect(shape(query(own)), own).toBe(shape(node));
        checked++;
      } else if (isExpression(node) && own !== "") {
        expect(shape(expression(own)), own).toBe(shape(node));
        checked++;
      }
      return true;
    });
    expect(checked).toBeGreaterThan(0);
  });

  it("of operators cover their operands with the parentheses around them", () => {
    const text = "SELECT (a + b) * (c)";
    const spans: string[] = [];
    walk(query(text), (node) => {
      if (isExpression(node)) {
        spans.push(text.slice(node.span.start, node.span.end));
      }
      return true;
    });
    expect(spans).toEqual(["(a + b) * (c)", "a + b", "a", "b", "c"]);
  });
});

const NOT_EXPRESSIONS = new Set(
  "query select set values nested table derived function join aliased-join opaque-table item star".split(" "),
);

function isExpression(node: SyntaxNode): node is Expression {
  return !NOT_EXPRESSIONS.has(node.kind);
}

describe("origins", () => {
  /** The caller's text that each piece of the printed text stands for. */
  function pieces(text: string, tree: Query): readonly (readonly [printed: string, source: string])[] {
    const origins: number[] = [];
    const sql = print(tree, INPUT_LANGUAGE, { origins });
    const result: (readonly [string, string])[] = [];
    for (let i = 0; i < origins.length; i += 3) {
      const [offset, start, end] = origins.slice(i, i + 3) as [number, number, number];
      result.push([sql.slice(offset, origins[i + 3] ?? sql.length), text.slice(start, end)]);
    }
    return result;
  }

  it("map the printed text back piece by piece", () => {
    const text = "select  a.x+1  as y from t a where (b)";
    expect(pieces(text, query(text))).toEqual([
      ["SELECT ", text],
      ["a.x", "a.x"],
      [" + ", "a.x+1"],
      ["1", "1"],
      [" AS y", "a.x+1  as y"],
      [" FROM ", text],
      ["t AS a", "t a"],
      [" WHERE ", text],
      ["b", "b"],
    ]);
  });

  it.each(CORPUS)("ascend and stay inside both texts: %s", (text) => {
    const origins: number[] = [];
    const sql = print(query(text), INPUT_LANGUAGE, { origins });
    expect(origins.length % 3).toBe(0);
    for (let i = 0; i < origins.length; i += 3) {
      const [offset, start, end] = origins.slice(i, i + 3) as [number, number, number];
      expect(offset).toBeGreaterThanOrEqual(i === 0 ? 0 : (origins[i - 3] ?? 0) + 1);
      expect(offset).toBeLessThanOrEqual(sql.length);
      expect(start).toBeLessThanOrEqual(end);
      expect(end).toBeLessThanOrEqual(text.length);
    }
    expect(print(query(text), INPUT_LANGUAGE)).toBe(sql);
  });

  it("give text that nobody wrote to the construct it stands in", () => {
    const text = "SELECT a FROM t";
    const tree = query(text);
    const body = tree.body as Extract<Query["body"], { kind: "select" }>;
    const added: Expression = { kind: "boolean", value: true, span: { start: 0, end: 0 } };
    expect(pieces(text, { ...tree, body: { ...body, where: added } })).toEqual([
      ["SELECT ", text],
      ["a", "a"],
      [" FROM ", text],
      ["t", "t"],
      [" WHERE TRUE", text],
    ]);
  });

  it("leave unmapped what lies outside of every span", () => {
    const tree = query("SELECT a FROM t");
    const bare = { ...tree, span: { start: 0, end: 0 }, body: { ...tree.body, span: { start: 0, end: 0 } } };
    const origins: number[] = [];
    print(bare, INPUT_LANGUAGE, { origins });
    expect(origins).toEqual([7, 7, 8, 8, 0, 0, 14, 14, 15]);
  });
});
