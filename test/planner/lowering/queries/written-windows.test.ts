import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "main",
  models: [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "x", type: "INTEGER" }] }],
});

/** DuckDB keeps one list of window names for the whole statement, and these give one name to several: they are written out there. */
test.each<readonly [string, readonly unknown[]]>([
  ["SELECT (SELECT count(*) OVER w FROM t WINDOW w AS () LIMIT 1), (SELECT 7 WINDOW w AS ())", [[3, 7]]],
  [
    "SELECT sum(x) OVER w FROM t WINDOW w AS () UNION SELECT -sum(x) OVER w FROM t WINDOW w AS () ORDER BY 1",
    [[-6], [6]],
  ],
  [
    "SELECT x FROM t WINDOW W AS (ORDER BY x DESC) ORDER BY row_number() OVER w, (SELECT 1 WINDOW w AS ())",
    [[3], [2], [1]],
  ],
  ['SELECT x FROM t WINDOW "w" AS (ORDER BY x DESC) ORDER BY row_number() OVER W', [[3], [2], [1]]],
  [
    "SELECT x, sum(x) OVER (w ORDER BY x) AS s FROM t WINDOW w AS (PARTITION BY x > 1) ORDER BY 1",
    [
      [1, 1],
      [2, 2],
      [3, 5],
    ],
  ],
  [
    "SELECT x, sum(x) OVER (v ROWS UNBOUNDED PRECEDING) AS s FROM t WINDOW w AS (PARTITION BY x), v AS (w ORDER BY x) ORDER BY 1",
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  ],
  [
    "SELECT max(s) FROM (SELECT sum(x) OVER v AS s FROM t WINDOW w AS (PARTITION BY x), v AS (w)) AS d WINDOW w AS ()",
    [[3]],
  ],
])("%s", async (sql, expected) => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run("CREATE TABLE t AS SELECT i::INTEGER AS x FROM range(1, 4) AS r(i)");
    const rows = (await connection.runAndReadAll(planned(sql, manifest, { source: "duckdb" }).sql)).getRowsJson();
    expect(rows.map((row) => row.map(Number))).toEqual(expected);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});
