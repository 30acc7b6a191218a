import { describe, expect, it } from "vitest";
import { transformExpression, transformQuery } from "../../../src/planner/syntax/rewrite.ts";
import type { Expression } from "../../../src/planner/syntax/tree.ts";
import {
  children,
  forEachChild,
  type SyntaxNode,
  someExpression,
  someNode,
  walk,
} from "../../../src/planner/syntax/walk.ts";
import { expression, printed, printedExpression, query } from "./parsing.ts";

/** One query with every kind of node and every place an expression can stand in. */
const EVERYTHING = `
  WITH c(x) AS MATERIALIZED (SELECT c1 FROM t1)
  SELECT DISTINCT ON (c2) c3 AS y, t2.*, * REPLACE (c4 AS z),
    CASE c5 WHEN c6 THEN c7 ELSE c8 END, -c9, c10 + c11, c12 AND c13, c14 LIKE c15 ESCAPE c16,
    c17 BETWEEN c18 AND c19, c20 IN (c21, c22), c23 IN (SELECT c24), c25 = ANY (c26), c27 = ANY (SELECT c28),
    EXISTS (SELECT c29), c30 IS NULL, c31::int, EXTRACT(year FROM c32),
    f(c33, n => c34 ORDER BY c35) WITHIN GROUP (ORDER BY c36) FILTER (WHERE c37)
      OVER (PARTITION BY c38 ORDER BY c39 ROWS BETWEEN c40 PRECEDING AND c41 FOLLOWING),
    ARRAY[c42], ARRAY(SELECT c43), c44[c45], c46[c47:c48], (c49).m, (c50, c51), (SELECT c52),
    c53 COLLATE "C", c54 AT TIME ZONE c55, INTERVAL (c56) DAY, 1, 's', TRUE, NULL, X'1F', DATE '2024-01-01'
  FROM t3, (SELECT c57) AS d, g(c58) AS h, (t4 JOIN t5 ON c59) AS j, (VALUES (c60))
  WHERE c61 GROUP BY c62, (c63, c64), GROUPING SETS (c65, (c66, c67), ROLLUP (c68)), ()
  HAVING c69 WINDOW w AS (PARTITION BY c70) QUALIFY c71
  UNION ((SELECT c72 LIMIT c73) ORDER BY c74 OFFSET c75)
  ORDER BY c76 LIMIT c77 OFFSET c78`;

function columns(visit: (see: (name: string) => void) => void): readonly string[] {
  const found: string[] = [];
  visit((name) => found.push(name));
  return found;
}

function nameOf(node: Expression): string {
  return node.kind === "column" ? (node.parts[0]?.name ?? "") : "";
}

const ALL_COLUMNS = Array.from({ length: 78 }, (_, i) => `c${i + 1}`);

describe("walking", () => {
  it("meets every expression once, in the order of the text", () => {
    const found = columns((see) =>
      walk(query(EVERYTHING), (node) => {
        if (node.kind === "column") {
          see(nameOf(node));
        }
        return true;
      }),
    );
    expect(found.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)))).toEqual(ALL_COLUMNS);
    expect(found.slice(0, 60)).toEqual(ALL_COLUMNS.slice(0, 60));
  });

  it("leaves out what is below a node when told so", () => {
    const found = columns((see) =>
      walk(query("SELECT a, (SELECT b), c"), (node) => {
        if (node.kind === "column") {
          see(nameOf(node));
        }
        return node.kind !== "scalar-query";
      }),
    );
    expect(found).toEqual(["a", "c"]);
  });

  it("gives direct children only", () => {
    const kinds: string[] = [];
    forEachChild(query("SELECT a + 1 FROM t ORDER BY b"), (child) => kinds.push(child.kind));
    expect(kinds).toEqual(["select", "column"]);
  });

  it("gives the expressions below an expression, and none of its queries", () => {
    expect(
      children(expression("f(a, b + 1, (SELECT c)) FILTER (WHERE d)")).map((child) => printedExpression(child)),
    ).toEqual(["a", "b + 1", "(SELECT c)", "d"]);
    expect(children(expression("(SELECT c)"))).toEqual([]);
  });

  it("finds an expression that satisfies a test, but not inside of queries", () => {
    const isCall = (node: Expression): boolean => node.kind === "call";
    expect(someExpression(expression("a + CASE WHEN b THEN f(c) END"), isCall)).toBe(true);
    expect(someExpression(expression("a + (SELECT f(c))"), isCall)).toBe(false);
    expect(someExpression(expression("f(a)"), isCall)).toBe(true);
  });

  it("finds a node that satisfies a test in queries, too, and asks none after it", () => {
    const tree = expression("a + (SELECT f(c))");
    expect(someNode(tree, ({ kind }) => kind === "call")).toBe(true);
    expect(someNode(tree, ({ kind }) => kind === "join")).toBe(false);
    const asked: string[] = [];
    someNode(expression("a + b"), (node) => asked.push(node.kind) === 2);
    expect(asked).toEqual(["binary", "column"]);
  });

  it("meets the nodes that rewriting meets", () => {
    const tree = query(EVERYTHING);
    const read = new Set<SyntaxNode>();
    walk(tree, (node) => {
      read.add(node);
      return true;
    });
    const rewritten = new Set<SyntaxNode>();
    const meet = <N extends SyntaxNode>(node: N): N => {
      rewritten.add(node);
      return node;
    };
    transformQuery(tree, { expression: meet, query: meet, body: meet, table: meet, item: meet });
    expect([...rewritten].filter((node) => !read.has(node))).toEqual([]);
    expect(rewritten.size).toBe(read.size);
  });
});

describe("rewriting", () => {
  it("gives the same object when nothing changed", () => {
    const tree = query(EVERYTHING);
    expect(transformQuery(tree, {})).toBe(tree);
    expect(transformQuery(tree, { expression: (node) => node, table: (node) => node })).toBe(tree);
    const single = expression("a + f(b)");
    expect(transformExpression(single, { query: (node) => node })).toBe(single);
  });

  it("reaches every expression", () => {
    const tree = transformQuery(query(EVERYTHING), {
      expression: (node) =>
        node.kind === "column" ? { ...node, parts: [{ ...node.parts[0]!, name: `${nameOf(node)}_` }] } : node,
    });
    const text = printed(tree);
    for (const column of ALL_COLUMNS) {
      expect(text).toMatch(new RegExp(`\\b${column}_(?!\\d)`));
    }
  });

  it("shares what did not change", () => {
    const tree = query("SELECT a, b FROM t WHERE c");
    const changed = transformQuery(tree, {
      expression: (node) => (nameOf(node) === "b" ? { kind: "null", span: node.span } : node),
    });
    expect(printed(changed)).toBe("SELECT a, NULL FROM t WHERE c");
    if (tree.body.kind === "select" && changed.body.kind === "select") {
      expect(changed.body.items[0]).toBe(tree.body.items[0]);
      expect(changed.body.from).toBe(tree.body.from);
      expect(changed.body.where).toBe(tree.body.where);
    }
    expect(changed.body).not.toBe(tree.body);
  });

  it("works from the inside out", () => {
    const order: string[] = [];
    transformExpression(expression("a + b * c"), {
      expression: (node) => {
        order.push(printedExpression(node));
        return node;
      },
    });
    expect(order).toEqual(["a", "b", "c", "b * c", "a + b * c"]);
  });

  it("rewrites tables, select items, bodies and queries", () => {
    const tree = transformQuery(query("SELECT a FROM t, (SELECT b FROM t) AS u"), {
      table: (node) => (node.kind === "table" ? { ...node, name: [{ ...node.name[0]!, name: "s" }] } : node),
      item: (node) => (node.kind === "item" ? { ...node, alias: { name: "x", quoted: false, span: node.span } } : node),
      body: (node) => (node.kind === "select" ? { ...node, distinct: [] } : node),
      query: (node) => ({ ...node, offset: { kind: "number", text: "0", span: node.span } }),
    });
    expect(printed(tree)).toBe("SELECT DISTINCT a AS x FROM s, (SELECT DISTINCT b AS x FROM s OFFSET 0) AS u OFFSET 0");
  });
});
