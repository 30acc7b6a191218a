/** Functions that people know from a source's manual are sent on to it: they were refused, or sent on with a warning. */
import { expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";

const columns = [
  { name: "x", type: "VARCHAR" },
  { name: "n", type: "BIGINT" },
  { name: "at", type: "TIMESTAMP" },
];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { table: "t" }, columns }],
});

function outcome(sql: string, source: DataSource): string {
  try {
    const { warnings } = planned(sql, manifest, { source });
    return warnings[0]?.code ?? "planned";
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

test.each([
  ["clickhouse", "SELECT toDate(at) AS day, count(*) FROM t GROUP BY toDate(at) ORDER BY 1"],
  ["clickhouse", "SELECT toStartOfHour(at) FROM t WHERE toDate(at) = '2024-01-01' AND toYYYYMM(at) = 202401"],
  ["clickhouse", "SELECT countIf(n > 3), uniqExact(x) FROM t"],
  ["bigquery", "SELECT datetime_add(at, INTERVAL 1 DAY), timestamp_millis(n) FROM t"],
  ["bigquery", "SELECT json_object('a', n) FROM t"],
  ["snowflake", "SELECT array_construct(n, n), get_path(parse_json(x), 'a.b') FROM t"],
  ["databricks", "SELECT get_json_object(x, '$.a') FROM t"],
  ["mssql", "SELECT eomonth(at), count(*) FROM t GROUP BY eomonth(at)"],
  ["oracle", "SELECT months_between(at, at), rawtohex(x) FROM t"],
  ["redshift", "SELECT strtol(x, 16) FROM t"],
  ["doris", "SELECT month_floor(at) FROM t"],
  ["duckdb", "SELECT dayname(at) FROM t"],
  ["trino", "SELECT url_extract_host(x) FROM t"],
] as const)("%s: %s", (source, sql) => expect(outcome(sql, source)).toBe("planned"));
