/** Statements for Spark and Databricks; `test/engines/spark-parity.test.ts` runs them on Spark. */
import { manifestOf, manifestOfTable } from "../../support/plan.ts";
import { over } from "./group.ts";

export const SPARK_TABLE = manifestOfTable({
  i: "INT",
  d: "DECIMAL(10,2)",
  r: "FLOAT",
  s: "STRING",
  j: "JSON",
  day: "DATE",
  at: "TIMESTAMP",
  seen: "TIMESTAMP_LTZ",
  clock: "TIME",
});

export const SPARK_RULED = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "ruled",
      tableReference: { table: "t" },
      columns: [
        { name: "i", type: "INTEGER" },
        { name: "q", type: "INTEGER", isCalculated: true, expression: "abs(i)" },
      ],
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "i > 1" }],
    },
  ],
});

export const SPARK = [
  ...over(SPARK_TABLE, {
    statements: [
      "SELECT i / 2 AS x FROM t",
      "SELECT d / i AS x FROM t",
      "SELECT CAST(d AS integer) AS x FROM t",
      "SELECT avg(i) AS x FROM t",
      // A subquery in Spark's ORDER BY can name selected columns only.
      "SELECT i, (SELECT count(*) FROM t AS u WHERE u.i = t.i) AS n FROM t ORDER BY n",
      // A default takes the type of the value there.
      "SELECT lag(i, 1, 0.5) OVER (ORDER BY i) AS x FROM t",
      "SELECT row_number() OVER () AS x FROM t",
      "SELECT i FROM t WHERE i NOT IN (SELECT i FROM t)",
      "SELECT at + INTERVAL '1 month' AS x FROM t",
      "VALUES (-1, DATE '2024-01-02'), (2, NULL)",
      // Spark's VALUES takes constants only.
      "SELECT x FROM t, LATERAL (VALUES (t.i), ((SELECT 1))) AS v(x)",
      // Beside grouping sets, Spark's HAVING and ORDER BY see only the select list.
      "SELECT coalesce(s, 'all') AS s, count(*) AS n FROM t GROUP BY ROLLUP (t.s) ORDER BY t.s",
      "SELECT i, (SELECT count(*) FROM t AS u WHERE u.i = t.i) AS n FROM t GROUP BY i",
      // The truncation of quotients does not decide how a half is rounded.
      "SELECT round(avg(d / i), 2) AS x FROM t",
      // Spark's grammar takes EXISTS as a condition, and not as a value that is compared.
      "SELECT (i > 1) IS DISTINCT FROM EXISTS (SELECT 1) AS x, NOT EXISTS (SELECT 1) AND i = 1 AS y FROM t",
      "SELECT regexp_substr(s, 'a?$') AS x FROM t",
      // The order of a cut table is kept where its rows are joined, filtered and grouped.
      "SELECT q.i FROM (SELECT i FROM t ORDER BY i LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.i = q.i)",
      "SELECT count(*) AS n FROM t GROUP BY ()",
      "SELECT grouping(i, s) AS x FROM t GROUP BY ROLLUP (i, s)",
    ],
  }),
  ...over(SPARK_RULED, {
    "over rows with an access rule": ["SELECT q FROM ruled WHERE i < 3", "SELECT count(*) AS c FROM ruled"],
  }),
];
