/** Refusals of MySQL and MariaDB; `test/sent-sql/dialects/mysql.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { MYSQL_DOCUMENTS, MYSQL_FLAGS, MYSQL_INTEGERS, MYSQL_TABLE } from "../../../sent-sql/dialects/mysql.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const sqlOf = (sql: string, manifest = MYSQL_TABLE): string => planned(sql, manifest, { source: "mysql" }).sql;

describe("refused", () => {
  test.each([
    ["SELECT * FROM t CROSS JOIN LATERAL (SELECT t.i AS n UNION SELECT t.i + 1) AS q", "LATERAL"],
    ["SELECT array_agg(j) AS x FROM t", "arrays"],
    ["SELECT sum(at - seen) AS x FROM t", "an interval as a value"],
    ["SELECT j = j AS x FROM t", "json"],
    ["SELECT CAST(CAST(f AS real) AS text) AS x FROM t", "the text of a real"],
    ["SELECT at AT TIME ZONE s AS x FROM t", "the time zone"],
    ["SELECT i FROM t LIMIT (SELECT 1)", "a computed LIMIT or OFFSET"],
    ["SELECT s FROM t WHERE s ~ u", "a computed regular expression"],
    ["SELECT regexp_substr(s, '(?:(a?){1,2}?a([ab]b*?)+)') AS x FROM t", "a pattern that may match more or less"],
    ["SELECT regexp_replace(s, '(a|ab)(c|bcd)?', '<\\1>') AS x FROM t", "a pattern that may match more or less"],
    ["SELECT CAST('x' AS integer) AS x FROM t", "'x' as a integer"],
    ["SELECT to_date(s, 'J') AS x FROM t", "reading a date by a format"],
    ["SELECT i << i AS x FROM t", "shifted bits"],
  ])("%s: %s", (sql, what) => {
    expect(() => sqlOf(sql)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: expect.stringContaining(what) }),
    );
  });
});

/** MySQL sorts documents by rules of its own, MariaDB sorts their texts, and arrays are documents on both. */
test.each([
  "SELECT a FROM t ORDER BY j",
  "SELECT a FROM t ORDER BY l",
  "SELECT j AS x FROM t ORDER BY x",
  "SELECT j FROM t UNION ALL SELECT j FROM t ORDER BY 1",
  "SELECT rank() OVER (ORDER BY j) FROM t",
  "SELECT string_agg('x', ',' ORDER BY l) FROM t",
  "SELECT min(j) FROM t",
  "SELECT max(l) OVER () FROM t",
  "SELECT greatest(j, j) FROM t",
  "SELECT least(l, l) FROM t",
])("%s has no order", (sql) => {
  expect(() => sqlOf(sql, MYSQL_DOCUMENTS)).toThrow(/a comparison of (json|arrays)/);
});

test("columns that cannot be BIT stay as they are", () => {
  const types = ["INT", "SMALLINT", "BIGINT", "TINYINT UNSIGNED", "INT2", "INT8", "DECIMAL(20, 0)", "NUMERIC"];
  for (const type of types) {
    expect(sqlOf("SELECT max(x) AS y FROM t", manifestOfTable({ x: type }))).not.toContain("+ 0");
  }
});

test("integers but tinyint(1) and bit(1) are no conditions", () => {
  expect(() => sqlOf("SELECT i FROM t WHERE n", MYSQL_FLAGS)).toThrow("WHERE needs a condition, not smallint");
  expect(() => sqlOf("SELECT i FROM t WHERE f + 1", MYSQL_FLAGS)).toThrow("WHERE needs a condition");
});

test("LIMIT in a correlated subquery of IN is refused", () => {
  const refused = () =>
    sqlOf("SELECT id FROM t WHERE id IN (SELECT u.n FROM t u WHERE u.id > t.id LIMIT 2)", MYSQL_INTEGERS);
  expect(refused).toThrow(PlannerError);
  expect(refused).toThrow(/LIMIT in a correlated subquery/);
});
