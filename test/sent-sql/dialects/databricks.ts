/** Statements for Databricks, where it differs from Spark; `test/engines/spark-databricks.test.ts` reads the SQL back. */
import { manifestOfTable } from "../../support/plan.ts";
import { over } from "./group.ts";

export const DATABRICKS_TABLE = manifestOfTable({
  i: "INT",
  l: "BIGINT",
  d: "DECIMAL(15,2)",
  n: "DECIMAL",
  w: "DECIMAL(38,10)",
  f: "DOUBLE",
});

export const DATABRICKS = [
  ...over(DATABRICKS_TABLE, {
    decimals: [
      // The quotient has the rest of 38 digits behind its point.
      "SELECT d / i AS x FROM t",
      "SELECT d / 3 * 100 AS x FROM t",
      "SELECT sum(d) * 1.5 AS x FROM t",
      // Six digits behind the point are kept at any length.
      "SELECT coalesce(sum(d * (1 - d) * (1 + d)), 0) AS x FROM t",
      // Together the types have more than 38 digits: a sum has twenty before the point.
      "SELECT sum(d * d) / sum(d) AS x FROM t",
      "SELECT i FROM t GROUP BY i HAVING sum(d * d) > (SELECT sum(d * d) * 0.0001000000 FROM t)",
      "SELECT i FROM t WHERE d = (SELECT min(d) FROM t)",
      "SELECT i FROM t WHERE d < (SELECT 0.2 * avg(d) FROM t)",
      // Both sides of a sum have 37 digits at most, all values of a choice or a comparison 38.
      "SELECT i - avg(d) OVER () AS x FROM t",
      "SELECT w - w AS x FROM t",
      "SELECT w * 0.3127 AS x FROM t",
      "SELECT w / w AS x FROM t",
      "SELECT d * d * d * d AS x FROM t",
      "SELECT coalesce(round(d, 2), d / 3) AS x FROM t",
      "SELECT i FROM t WHERE round(d, 2) IN (1.5, 0.123)",
      "SELECT i FROM t WHERE d / 3 BETWEEN 1 AND round(d, 2)",
      "SELECT round(d, 2) AS x FROM t UNION ALL SELECT d / 3 FROM t",
      // A quotient without room for ten digits behind its point is computed with doubles.
      "SELECT avg(w) / avg(w) AS x FROM t",
      "SELECT sqrt(d) AS x FROM t",
      "SELECT n * f AS x FROM t",
      "SELECT d FROM t WHERE d > 1.5",
    ],
    // By the manual alone: Spark 4.0 has no recursive tables.
    "a recursive table": [
      // whole numbers and texts, with a cast in both SELECTs
      "WITH RECURSIVE r(n, x) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, x || 'b' FROM r WHERE n < 3) SELECT n, x FROM r",
      // the same column twice, which gets two names
      "WITH RECURSIVE r AS (SELECT i, i AS top FROM t UNION ALL SELECT t.i, r.top FROM t JOIN r ON t.l = r.i) SELECT top FROM r",
      // decimals of one length
      "WITH RECURSIVE r AS (SELECT 1 AS n, d FROM t UNION ALL SELECT n + 1, CAST(d * 1.05 AS numeric(15, 2)) FROM r WHERE n < 3) SELECT d + 1 AS x FROM r",
      // in front of a derived table
      "SELECT q.n FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r) AS q",
      // a common table under WITH RECURSIVE that does not name itself
      "WITH RECURSIVE c AS (SELECT i FROM t UNION ALL SELECT i FROM t) SELECT i FROM c",
    ],
  }),
];
