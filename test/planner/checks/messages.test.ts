/** Texts of the checks' warnings: position, problem and fix, without anything that the caller may not see. */
import { describe, expect, test } from "vitest";
import { warningsOf } from "./shop.ts";

const OL = "FROM orders o JOIN line l ON l.order_id = o.id";

describe("a fan-out", () => {
  test("stands at the first aggregate, names join, side and aggregate, and says what to do", () => {
    const sql = `SELECT o.status, sum(o.total) ${OL} GROUP BY o.status`;
    expect(warningsOf(sql)).toEqual([
      {
        code: "FANOUT_RISK",
        message: 'the join with "l" may repeat rows of "o": sum(o.total) would count them more than once',
        span: { start: 17, end: 29 },
        hint: 'Aggregate "l" to one row per join key in a subquery first, or test it with EXISTS if it only filters.',
      },
    ]);
    expect(sql.slice(17, 29)).toBe("sum(o.total)");
  });

  test.each([
    [`SELECT count(o.id) ${OL}`, 'Write count(DISTINCT o.id) to count rows of "o".'],
    [
      "SELECT sum(i.total) FROM invoice i JOIN line l ON l.order_id = i.id",
      'Model "invoice" calculates "line_total" over "line" by itself.',
    ],
    [
      "SELECT count(*) FROM orders o JOIN payment p ON p.customer_id = o.customer_id",
      "Aggregate each of the two in a subquery of its own",
    ],
  ])("has a hint that fits: %s", (sql, hint) => {
    expect(warningsOf(sql)[0]?.hint).toContain(hint);
  });

  test("names no hidden column", () => {
    const vault = "SELECT count(v.code) FROM vault v JOIN orders o ON o.status = v.code";
    const invoice = "SELECT count(i.total) FROM invoice i JOIN line l ON l.order_id = i.id";
    for (const sql of [vault, invoice]) {
      const [warning] = warningsOf(sql);
      expect(warning?.code).toBe("FANOUT_RISK");
      expect(JSON.stringify(warning)).not.toMatch(/key\b(?! in)|v\.key|hidden_total/);
    }
  });

  test("shows long aggregates cut, on one line", () => {
    const [warning] = warningsOf(
      `SELECT sum(o.total +\n  ${Array.from({ length: 40 }, () => "o.total").join(" + ")}) ${OL}`,
    );
    expect(warning?.message).toMatch(/: sum\(o\.total \+ o\.total[^\n]{0,60}… would count/);
  });

  test("calls models inside of a view by their names, which are not the view's aliases", () => {
    const [warning] = warningsOf("SELECT sum(total) FROM order_lines");
    expect([warning?.message, warning?.hint]).toEqual([
      'the join with "line" inside of a view may repeat rows of "orders": sum(total) would count them more than once',
      'Query the models of the view, and aggregate "line" to one row per join key in a subquery first, or test it with EXISTS if it only filters.',
    ]);
  });

  test("calls a table without a name a subquery", () => {
    const [warning] = warningsOf(
      "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id FROM line) ON order_id = o.id",
    );
    expect(warning?.message).toContain("the join with a subquery may repeat");
  });
});

test("a row loss stands at the join, and says how to keep or to drop the rows", () => {
  const sql = "SELECT a.name, sum(t.hours) FROM ticket t JOIN agent a ON a.id = t.agent_id GROUP BY a.name";
  expect(warningsOf(sql)).toEqual([
    {
      code: "ROW_LOSS_POSSIBLE",
      message: 'the inner join with "a" leaves out rows of "t" without a match: sum(t.hours) does not see them',
      span: { start: sql.indexOf("agent a"), end: sql.indexOf(" ON") },
      hint: "Write LEFT JOIN to keep them, or add t.agent_id IS NOT NULL if they should not count.",
    },
  ]);
});

test("a hundred warnings are enough", () => {
  const branch = `SELECT sum(o.total) ${OL}`;
  expect(warningsOf(Array.from({ length: 120 }, () => branch).join(" UNION ALL "))).toHaveLength(100);
});

test.each([
  ["reads", (i: number) => `SELECT a.id, b.total FROM c${i} a JOIN c${i} b ON a.id = b.id`],
  ["unites", (i: number) => `SELECT id, total FROM c${i} UNION ALL SELECT id, total FROM c${i}`],
  ["multiplies", (i: number) => `SELECT a.id, a.total FROM c${i} a JOIN c${i} b ON a.total = b.total`],
])("a chain of common tables that %s the one before twice is looked at in no time", (_, step) => {
  const steps = Array.from({ length: 60 }, (__, i) => `c${i + 1} AS (${step(i)})`);
  const sql = `WITH c0 AS (SELECT id, total FROM orders), ${steps.join(", ")} SELECT sum(c60.total) FROM c60 JOIN customer c ON c.id = c60.id`;
  expect(warningsOf(sql).length).toBeLessThan(2);
});
