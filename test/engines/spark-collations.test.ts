/** Columns whose texts have a collation, which Spark has from 4.0 on: texts are told apart by their letters all the same. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { manifestOf } from "../support/plan.ts";
import type { OpenedSource } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, isSpark35, WITHOUT_SPARK } from "../support/spark-server.ts";

const columns = Object.entries({ i: "INTEGER", s: "VARCHAR", u: "VARCHAR", a: "array<varchar>", j: "JSON" });
const table = {
  tableReference: { schema: "collated", table: "t" },
  columns: [
    ...columns.map(([name, type]) => ({ name, type })),
    { name: "x", type: "VARCHAR", expression: "substr(s, 1)" },
  ],
};
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    { name: "t", ...table },
    {
      name: "ruled",
      ...table,
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "s = 'A'" }],
    },
  ],
});

const TABLE = `CREATE TABLE collated.t (
  i INT, s STRING COLLATE UTF8_LCASE, u STRING COLLATE UNICODE_CI, a ARRAY<STRING COLLATE UTF8_LCASE>, j STRING COLLATE UTF8_LCASE
) USING parquet`;

const QUERIES: readonly (readonly [sql: string, rows: readonly (readonly unknown[])[]])[] = [
  ["SELECT i FROM t WHERE s = 'A'", [[2]]],
  ["SELECT i FROM t WHERE s IN ('A', 'x')", [[2]]],
  ["SELECT i FROM t WHERE s LIKE 'A%'", [[2]]],
  ["SELECT i FROM t WHERE x = 'A'", [[2]]],
  ["SELECT i FROM t WHERE s < 'a'", [[2]]],
  ["SELECT CASE s WHEN 'a' THEN 1 ELSE 2 END AS c FROM t ORDER BY i", [[1], [2]]],
  ["SELECT min(s), max(s), count(DISTINCT s), count(DISTINCT u) FROM t", [["A", "a", 2n, 2n]]],
  [
    "SELECT s, count(*) FROM t GROUP BY s ORDER BY s",
    [
      ["A", 1n],
      ["a", 1n],
    ],
  ],
  ["SELECT DISTINCT s FROM t ORDER BY s", [["A"], ["a"]]],
  [
    "SELECT i, rank() OVER (ORDER BY s) FROM t ORDER BY i",
    [
      [1, 2],
      [2, 1],
    ],
  ],
  [
    "SELECT l.i, r.i FROM t AS l JOIN t AS r ON l.s = r.u ORDER BY l.i",
    [
      [1, 1],
      [2, 2],
    ],
  ],
  ["SELECT s FROM t UNION SELECT u FROM t ORDER BY 1", [["A"], ["a"]]],
  ["SELECT i FROM t WHERE s IN (SELECT u FROM t WHERE i = 2)", [[2]]],
  ["SELECT i FROM t WHERE EXISTS (SELECT 1 FROM t AS o WHERE o.s = t.u AND o.i <> t.i)", []],
  ["SELECT i FROM t WHERE 'A' = ANY (a)", [[2]]],
  ["SELECT i FROM t WHERE j ->> 'k' = 'A'", [[2]]],
  [
    "SELECT replace(s, 'a', 'b'), position('a' IN s) FROM t ORDER BY i",
    [
      ["b", 1],
      ["A", 0],
    ],
  ],
  ["SELECT i FROM ruled", [[2]]],
];

const runs = hasSpark() && !isSpark35;

describe.skipIf(!runs)(runs ? "Spark" : isSpark35 ? "Spark 3.5 has no collations" : WITHOUT_SPARK, () => {
  let opened: OpenedSource;
  beforeAll(async () => {
    opened = await openSparkTables("collated", []);
    await runOnSpark(
      TABLE,
      `INSERT INTO collated.t VALUES (1, 'a', 'a', array('a'), '{"k": "a"}'), (2, 'A', 'A', array('A'), '{"k": "A"}')`,
    );
  });
  afterAll(() => opened?.close());

  test.each(QUERIES)("%s", async (sql, rows) => {
    const answer = await ask(sql, manifest, "spark", opened);
    expect("rows" in answer ? answer.rows : answer).toEqual(rows);
  });
});
