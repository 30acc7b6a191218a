/** Names, settings and refusals of Snowflake; `test/sent-sql/dialects/snowflake.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { SNOWFLAKE_TABLE } from "../../../sent-sql/dialects/snowflake.ts";
import { manifestOf, planned } from "../../../support/plan.ts";

function refusal(sql: string): string {
  try {
    return `sent: ${planned(sql, SNOWFLAKE_TABLE, { source: "snowflake" }).sql}`;
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Snowflake: ", "");
    throw error;
  }
}

describe("names", () => {
  const model = (tableReference: object, column: object): string =>
    planned(
      "SELECT x FROM m",
      manifestOf({
        catalog: "c",
        schema: "s",
        models: [{ name: "m", tableReference, columns: [{ name: "x", type: "INT", ...column }] }],
      }),
      { source: "snowflake" },
    ).sql;
  test.each<[tableReference: object, column: object, sql: string]>([
    [{ table: "orders" }, {}, 'SELECT "m"."X" AS "x" FROM "ORDERS" AS "m"'],
    [{ schema: "sales", table: "Orders" }, {}, 'SELECT "m"."X" AS "x" FROM "SALES"."Orders" AS "m"'],
    // Reserved: a table can have that name between quotes alone.
    [{ table: "order" }, {}, 'SELECT "m"."X" AS "x" FROM "order" AS "m"'],
    [{ table: "größe" }, {}, 'SELECT "m"."X" AS "x" FROM "größe" AS "m"'],
    [{ table: "T" }, { expression: "o_id" }, 'SELECT "m"."O_ID" AS "x" FROM "T" AS "m"'],
    [{ table: "T" }, { expression: "OrderId" }, 'SELECT "m"."ORDERID" AS "x" FROM "T" AS "m"'],
    [{ table: "T" }, { expression: '"o_id"' }, 'SELECT "m"."o_id" AS "x" FROM "T" AS "m"'],
  ])("%j with %j", (tableReference, column, sql) => {
    expect(model(tableReference, column)).toBe(sql);
  });
});

test("settings of the statement", () => {
  const { session } = planned("SELECT id FROM t", SNOWFLAKE_TABLE, { source: "snowflake" });
  expect(session).toEqual([
    { name: "TIMEZONE", value: "UTC" },
    { name: "ROWS_PER_RESULTSET", value: "0" },
    { name: "BINARY_OUTPUT_FORMAT", value: "HEX" },
  ]);
});

/** Without the full join, the subqueries would become joins. */
test.each([
  [
    "SELECT (SELECT x.s FROM t AS x WHERE x.id = t.id ORDER BY x.n LIMIT 1) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
    "LIMIT or OFFSET in a subquery that names columns of the query around it",
  ],
  [
    "SELECT (SELECT max(x.n) FROM t AS x WHERE x.id < t.id) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
    "a condition but the comparison of two columns in a subquery that names columns of the query around it",
  ],
  [
    "SELECT (SELECT max(x.n) + t.n FROM t AS x WHERE x.id = t.id) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
    "a value computed with these in a subquery that names columns of the query around it",
  ],
  [
    "SELECT EXISTS (SELECT 1 FROM t AS x WHERE x.id = t.id) AS e FROM t FULL JOIN t AS f ON f.id = t.id",
    "EXISTS or IN of the rows around it as a value",
  ],
  [
    "SELECT t.id FROM t LEFT JOIN LATERAL (SELECT t.id AS y UNION SELECT t.id + 1) AS l ON true",
    "LATERAL in an outer join",
  ],
  ["SELECT s ~ '\\w+' AS x FROM t", "the regular expression"],
  ["SELECT regexp_replace(s, '(a)(?:b)', '\\1') AS x FROM t", "the regular expression"],
  ["SELECT (regexp_match(s, 'a(b*)'))[1] AS x FROM t", "a group that may be empty"],
  ["SELECT regexp_match(s, 'a(b)') AS x FROM t", "all groups of a match"],
  ["SELECT regexp_substr(s, 'a+?') AS x FROM t", "the regular expression"],
  ["SELECT initcap(s) AS x FROM t", "initcap"],
  ["SELECT array_agg(id / 2.0) AS x FROM t", "arrays"],
  [
    "SELECT sum(n) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS x FROM t",
    "a RANGE frame with a distance",
  ],
  ["SELECT lag(n) OVER () AS x FROM t", "lag of rows in no order"],
  ["SELECT m * m * 1 AS x FROM t", "a product with 20 digits behind the point"],
  ["SELECT f % 2 AS x FROM t", "% of doubles"],
])("%s is refused", (sql, what) => {
  expect(refusal(sql)).toBe(what);
});

test.each(["system$wait(1)", "get_ddl('table', 't')", "get_presigned_url('@s', 'f')", "result_scan('x')", "seq4()"])(
  "%s is never sent",
  (call) => {
    expect(() => planned(`SELECT ${call} AS x FROM t`, SNOWFLAKE_TABLE, { source: "snowflake" })).toThrow(PlannerError);
  },
);
