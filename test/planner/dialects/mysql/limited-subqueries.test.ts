/** MySQL and MariaDB refuse LIMIT in a subquery of IN, ANY and ALL: it stands in a derived table. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INTEGER", n: "INTEGER" });
const sqlOf = (where: string): string => planned(`SELECT id FROM t WHERE ${where}`, manifest, { source: "mysql" }).sql;

describe("a derived table around", () => {
  test.each([
    [
      "id IN (SELECT n FROM t ORDER BY n LIMIT 2)",
      /IN \(SELECT `_limited`\.`c1` FROM \(SELECT .* LIMIT 2\) AS `_limited`\)/,
    ],
    [
      "id NOT IN (SELECT n FROM t LIMIT 2 OFFSET 1)",
      /IN \(SELECT `_limited`\.`c1` FROM \(SELECT .* LIMIT 2 OFFSET 1\) AS `_limited`\)/,
    ],
    [
      "id > ALL (SELECT n FROM t ORDER BY n LIMIT 2)",
      /ALL \(SELECT `_limited`\.`c1` FROM \(SELECT .* LIMIT 2\) AS `_limited`\)/,
    ],
    ["(id, n) IN (SELECT id, n FROM t LIMIT 2)", /IN \(SELECT `_limited`\.`c1`, `_limited`\.`c2` FROM/],
    ["id IN ((SELECT n FROM t) UNION (SELECT id FROM t) LIMIT 2)", /IN \(SELECT `_limited`\.`c1` FROM \(/],
  ])("%s", (where, printed) => expect(sqlOf(where)).toMatch(printed));
});

test.each(["id IN (SELECT n FROM t)", "EXISTS (SELECT n FROM t LIMIT 1)", "id = (SELECT n FROM t LIMIT 1)"])(
  "none around %s",
  (where) => expect(sqlOf(where)).not.toContain("_limited"),
);

test("a correlated subquery is refused with its position", () => {
  const refused = (): string => sqlOf("id IN (SELECT u.n FROM t u WHERE u.id > t.id LIMIT 2)");
  expect(refused).toThrow(PlannerError);
  expect(refused).toThrow(/LIMIT in a correlated subquery/);
});
