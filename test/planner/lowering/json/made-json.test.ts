/** JSON that is made of values: which parts are planned, and what nothing may read. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  i: "INTEGER",
  s: "VARCHAR",
  d: "DECIMAL(10, 2)",
  f: "DOUBLE",
  b: "BOOLEAN",
  day: "DATE",
  moment: "TIMESTAMP WITH TIME ZONE",
  j: "JSON",
});

function sent(sql: string, source: DataSource): string {
  try {
    return planned(sql, manifest, { source }).sql;
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace(/^not supported on [^:]+: /, "refused: ");
    throw error;
  }
}

const SOURCES = [
  ...(["trino", "athena", "canner", "spark", "databricks", "bigquery", "clickhouse"] as const),
  ...(["snowflake", "mssql", "oracle", "redshift", "doris"] as const),
];
const MADE = "(SELECT i, jsonb_build_object('a', i) AS x FROM t) AS u";

describe.each(SOURCES)("%s", (source) => {
  test.each([
    "SELECT json_build_object('a', i, 'b', s, 'c', d, 'd', b, 'e', day, 'f', NULL) AS x FROM t",
    "SELECT jsonb_build_array(i, 'x', json_build_object()) AS x FROM t",
    "SELECT to_json(s) AS x, to_jsonb(d) AS y FROM t",
    "SELECT b, json_agg(i ORDER BY i DESC) AS x, jsonb_agg(s ORDER BY i DESC) AS y FROM t GROUP BY b",
    "SELECT json_object_agg(coalesce(s, '?'), i ORDER BY i) AS x FROM t",
    "SELECT coalesce(json_agg(i ORDER BY i), '[]'::json) AS x FROM t",
    "SELECT json_agg(u ORDER BY u.i) AS x FROM (SELECT i, d FROM t) AS u",
    `SELECT u.x, u.x IS NULL AS y, count(*) OVER () AS z, json_build_object('x', u.x) AS w FROM ${MADE}`,
    "SELECT json_build_array(i) AS x FROM t UNION ALL SELECT json_build_object('d', d) FROM t",
  ])("%s", (sql) => expect(sent(sql, source)).not.toMatch(/^refused: /));

  test("several orders are refused on SQL Server alone", () => {
    const sql = "SELECT b, json_agg(i ORDER BY i DESC) AS x, jsonb_agg(s ORDER BY i) AS y FROM t GROUP BY b";
    expect(/^refused: /.test(sent(sql, source))).toBe(source === "mssql");
  });

  test.each([
    ["json_build_object('a', f)", "json of type float"],
    ["json_build_array(moment)", "json of an instant"],
    ["json_build_object(s, i)", "json with a computed name"],
    ["json_agg(DISTINCT i)", "json of rows with DISTINCT or over a window"],
    ["json_agg(i) OVER ()", "json of rows with DISTINCT or over a window"],
    ["json_object_agg(s, i)", "json of rows whose name may be NULL"],
    ["json_object_agg(i, s)", "json of rows whose names are no texts"],
  ])("%s is refused", (made, message) => {
    expect(sent(`SELECT ${made} AS x FROM t`, source)).toBe(`refused: ${message}`);
  });

  test.each([
    "SELECT json_build_object('a', i) ->> 'a' AS x FROM t",
    "SELECT json_build_object('a', i)::text AS x FROM t",
    `SELECT u.x -> 'a' AS y FROM ${MADE}`,
    `SELECT u.i FROM ${MADE} WHERE u.x ? 'a'`,
    `SELECT count(DISTINCT u.x) AS n FROM ${MADE}`,
    `SELECT row_number() OVER (ORDER BY u.x) AS n FROM ${MADE}`,
    "SELECT coalesce(to_json(i), j) AS x FROM t",
    "SELECT CASE WHEN b THEN to_json(i) ELSE j END AS x FROM t",
    `SELECT DISTINCT u.x FROM ${MADE}`,
    `SELECT u.x FROM ${MADE} GROUP BY u.x`,
    `SELECT u.x FROM ${MADE} GROUP BY 1`,
    `SELECT u.x FROM ${MADE} ORDER BY u.x`,
    `SELECT u.x FROM ${MADE} UNION SELECT u.x FROM ${MADE}`,
    "SELECT json_build_array(i) AS x FROM t UNION ALL SELECT j FROM t",
  ])("%s is refused", (sql) => {
    expect(sent(sql, source)).toMatch(/^refused: /);
  });
});

test.each(["trino", "athena", "spark", "databricks", "bigquery", "clickhouse", "snowflake"] as const)(
  "json in json on %s",
  (source) => {
    expect(sent("SELECT json_build_object('a', j, 'b', j -> 'c') AS x FROM t", source)).not.toMatch(/^refused: /);
  },
);

test("a name of which an object has two", () => {
  expect(sent("SELECT jsonb_build_object('a', 1, 'b', 2, 'a', 3) AS x FROM t", "trino")).not.toContain(
    '"a": \' || CAST(1',
  );
  expect(sent("SELECT json_build_object('a', 1, 'a', 3) AS x FROM t", "trino").split('"a" : ')).toHaveLength(3);
});
