/**
 * Construct by construct, what each target is sent, or that it is refused: complete by type, so that a new target says something
 * about each. That the answers are right is for `test/parity` and `test/engines` to show, quoting for `escapes.test.ts`.
 */
import { describe, expect, test } from "vitest";
import { type PlannedSource, targetOf } from "../../../src/planner/dialects/targets.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";

/** These are sent what the root of their dialect is sent, but for what is said of them. */
const MEMBERS = { athena: "trino", canner: "trino", databricks: "spark" } as const satisfies Partial<
  Record<PlannedSource, PlannedSource>
>;
type Member = keyof typeof MEMBERS;

type Expected = string | { readonly refused: string };

/** Files are DuckDB's. */
type Said = Readonly<Record<Exclude<PlannedSource, "local_file" | Member>, Expected>> &
  Readonly<Partial<Record<Member, Expected>>>;

const manifest = manifestOfTable({
  i: "INTEGER",
  d: "DECIMAL(10,2)",
  s: "VARCHAR",
  b: "BOOLEAN",
  day: "DATE",
  at: "DATETIME",
});

/** Without quotes, and without the table that all columns are of; `EXACT` is a collation that folds nothing. */
const COLLATIONS = /\/\*!80017 utf8mb4_0900_bin \*\/ \/\*M! utf8mb4_nopad_bin \*\/|Latin1_General_100_BIN2_UTF8/g;

function plain(sql: string): string {
  return sql
    .replaceAll(COLLATIONS, "EXACT")
    .replaceAll(/`(\w+)`|\[(_?[a-z]\w*)\]|"(\w+)"/g, "$1$2$3")
    .replaceAll(/\bt (?:AS )?t\b/g, "t")
    .replaceAll(/\bt\.(?=["\w])/g, "");
}

const CONSTRUCTS: readonly (readonly [name: string, sql: string, said: Said])[] = [
  [
    "FULL JOIN",
    "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
    {
      bigquery: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      clickhouse: "SELECT a.i AS i, c.d AS d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      oracle: "SELECT a.i, c.d FROM t a FULL JOIN t c ON a.i = c.i",
      postgres: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      doris: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      duckdb: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      mysql:
        "SELECT _j1.i, _j1.d FROM (SELECT a.i, c.d, c.i AS i_2 FROM t AS a LEFT JOIN t AS c ON a.i = c.i UNION ALL SELECT NULL AS i, c.d, c.i AS i_2 FROM t AS c WHERE NOT EXISTS (SELECT 1 AS _x FROM t AS a WHERE a.i = c.i)) AS _j1",
      mssql: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      snowflake: "SELECT a.I AS i, c.D AS d FROM T AS a FULL JOIN T AS c ON a.I = c.I",
      spark: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      redshift: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
      trino: "SELECT a.i, c.d FROM t AS a FULL JOIN t AS c ON a.i = c.i",
    },
  ],
  [
    "a condition as a value",
    "SELECT i > 1 AS x FROM t",
    {
      bigquery: "SELECT i > 1 AS x FROM t",
      clickhouse: "SELECT CAST(i > 1 AS Bool) AS x FROM t",
      oracle: "SELECT CAST(CASE WHEN i > 1 THEN 1 WHEN NOT (i > 1) THEN 0 END AS NUMBER(1)) AS x FROM t",
      postgres: "SELECT i > 1 AS x FROM t",
      doris: "SELECT i > 1 AS x FROM t",
      duckdb: "SELECT i > 1 AS x FROM t",
      mysql: "SELECT i > 1 AS x FROM t",
      mssql: "SELECT CAST(CASE WHEN i > 1 THEN 1 WHEN NOT (i > 1) THEN 0 END AS BIT) AS x FROM t",
      snowflake: "SELECT I > 1 AS x FROM T AS t",
      spark: "SELECT i > 1 AS x FROM t",
      redshift: "SELECT i > 1 AS x FROM t",
      trino: "SELECT i > 1 AS x FROM t",
    },
  ],
  [
    "a value as a condition",
    "SELECT i FROM t WHERE b",
    {
      bigquery: "SELECT i FROM t WHERE b",
      clickhouse: "SELECT i FROM t WHERE b",
      oracle: "SELECT i FROM t WHERE b = 1",
      postgres: "SELECT i FROM t WHERE b",
      doris: "SELECT i FROM t WHERE b",
      duckdb: "SELECT i FROM t WHERE b",
      mysql: "SELECT i FROM t WHERE b",
      mssql: "SELECT i FROM t WHERE b = 1",
      snowflake: "SELECT I AS i FROM T AS t WHERE B",
      spark: "SELECT i FROM t WHERE b",
      redshift: "SELECT i FROM t WHERE b",
      trino: "SELECT i FROM t WHERE b",
    },
  ],
  [
    "where NULLs sort",
    "SELECT i FROM t ORDER BY i DESC",
    {
      bigquery: "SELECT i FROM t ORDER BY i DESC",
      clickhouse: "SELECT i FROM t ORDER BY i DESC",
      oracle: "SELECT i FROM t ORDER BY i DESC NULLS LAST",
      postgres: "SELECT i FROM t ORDER BY i DESC NULLS LAST",
      doris: "SELECT i FROM t ORDER BY i DESC",
      duckdb: "SELECT i FROM t ORDER BY i DESC",
      mysql: "SELECT i FROM t ORDER BY i DESC",
      mssql: "SELECT i FROM t ORDER BY i DESC",
      snowflake: "SELECT I AS i FROM T AS t ORDER BY I DESC NULLS LAST",
      spark: "SELECT i FROM t ORDER BY i DESC",
      redshift: "SELECT i FROM t ORDER BY i DESC NULLS LAST",
      trino: "SELECT i FROM t ORDER BY i DESC",
    },
  ],
  [
    "NULLS FIRST",
    "SELECT i FROM t ORDER BY i NULLS FIRST",
    {
      bigquery: "SELECT i FROM t ORDER BY i",
      clickhouse: "SELECT i FROM t ORDER BY i NULLS FIRST",
      oracle: "SELECT i FROM t ORDER BY i NULLS FIRST",
      postgres: "SELECT i FROM t ORDER BY i NULLS FIRST",
      doris: "SELECT i FROM t ORDER BY i",
      duckdb: "SELECT i FROM t ORDER BY i NULLS FIRST",
      mysql: "SELECT i FROM t ORDER BY i",
      mssql: "SELECT i FROM t ORDER BY i",
      snowflake: "SELECT I AS i FROM T AS t ORDER BY I NULLS FIRST",
      spark: "SELECT i FROM t ORDER BY i",
      redshift: "SELECT i FROM t ORDER BY i NULLS FIRST",
      trino: "SELECT i FROM t ORDER BY i NULLS FIRST",
    },
  ],
  [
    "the quotient of integers",
    "SELECT i / 2 AS x FROM t",
    {
      bigquery: "SELECT div(i, 2) AS x FROM t",
      clickhouse: "SELECT accurateCast(intDiv(toInt128(i), toInt128(2)), 'Int64') AS x FROM t",
      oracle: "SELECT trunc(i / 2) AS x FROM t",
      postgres: "SELECT i / 2 AS x FROM t",
      doris: "SELECT i DIV 2 AS x FROM t",
      duckdb: "SELECT i // 2 AS x FROM t",
      mysql: "SELECT i DIV 2 AS x FROM t",
      mssql: "SELECT i / 2 AS x FROM t",
      snowflake: "SELECT CAST(trunc(CAST(I AS NUMBER(38, 19)) / 2) AS BIGINT) AS x FROM T AS t",
      spark: "SELECT i DIV 2 AS x FROM t",
      redshift: "SELECT i / 2 AS x FROM t",
      trino: "SELECT i / 2 AS x FROM t",
    },
  ],
  [
    "LIMIT and OFFSET",
    "SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 2",
    {
      bigquery: "SELECT i FROM t ORDER BY i NULLS LAST LIMIT 3 OFFSET 2",
      clickhouse: "SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 2",
      oracle: "SELECT i FROM t ORDER BY i OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
      postgres: "SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 2",
      doris: "SELECT i FROM t ORDER BY i NULLS LAST LIMIT 3 OFFSET 2",
      duckdb: "SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 2",
      mysql: "SELECT i FROM t ORDER BY i IS NULL, i LIMIT 3 OFFSET 2",
      mssql:
        "SELECT i FROM t ORDER BY CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT), i OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
      snowflake: "SELECT I AS i FROM T AS t ORDER BY I NULLS LAST LIMIT 3 OFFSET 2",
      spark: "SELECT i FROM t ORDER BY i NULLS LAST LIMIT 3 OFFSET 2",
      redshift: "SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 2",
      trino: "SELECT i FROM t ORDER BY i OFFSET 2 LIMIT 3",
    },
  ],
  [
    "OFFSET alone",
    "SELECT i FROM t OFFSET 2",
    {
      bigquery: "SELECT i FROM t LIMIT 9223372036854775807 OFFSET 2",
      clickhouse: "SELECT i FROM t OFFSET 2",
      oracle: "SELECT i FROM t OFFSET 2 ROWS",
      postgres: "SELECT i FROM t OFFSET 2",
      doris: "SELECT i FROM t LIMIT 9223372036854775807 OFFSET 2",
      duckdb: "SELECT i FROM t OFFSET 2",
      mysql: "SELECT i FROM t LIMIT 18446744073709551615 OFFSET 2",
      mssql: "SELECT i FROM t ORDER BY (SELECT NULL) OFFSET 2 ROWS",
      snowflake: "SELECT I AS i FROM T AS t LIMIT NULL OFFSET 2",
      spark: "SELECT i FROM t OFFSET 2",
      redshift: "SELECT i FROM t OFFSET 2",
      trino: "SELECT i FROM t OFFSET 2",
    },
  ],
  [
    "WITH TIES",
    "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
    {
      bigquery:
        "SELECT _q.i FROM (SELECT i AS i, rank() OVER (ORDER BY i IS NULL, i) <= 2 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i NULLS LAST",
      clickhouse:
        "SELECT _q.i FROM (SELECT i AS i, toInt64(rank() OVER (ORDER BY i)) <= 2 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i",
      oracle: "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
      postgres: "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
      doris:
        "SELECT _q.i FROM (SELECT i AS i, rank() OVER (ORDER BY i NULLS LAST) <= 2 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i NULLS LAST",
      duckdb: "SELECT i FROM t QUALIFY rank() OVER (ORDER BY i) <= 2 ORDER BY i",
      mysql:
        "SELECT _q.i FROM (SELECT i AS i, CAST(rank() OVER (ORDER BY i IS NULL, i) AS SIGNED) <= 2 AS _w1, i IS NULL AS _o2 FROM t) AS _q WHERE _q._w1 ORDER BY _q._o2, _q.i",
      mssql:
        "SELECT _q.i FROM (SELECT i AS i, CAST(CASE WHEN rank() OVER (ORDER BY CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT), i) <= 2 THEN 1 ELSE 0 END AS BIT) AS _w1, CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT) AS _o2 FROM t) AS _q WHERE _q._w1 = 1 ORDER BY _q._o2, _q.i",
      snowflake: "SELECT I AS i FROM T AS t QUALIFY rank() OVER (ORDER BY I NULLS LAST) <= 2 ORDER BY I NULLS LAST",
      spark:
        "SELECT _q.i FROM (SELECT i AS i, rank() OVER (ORDER BY i NULLS LAST) <= 2 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY 1 NULLS LAST",
      redshift:
        "SELECT _q.i FROM (SELECT i AS i, rank() OVER (ORDER BY i) <= 2 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i",
      trino: "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
      athena:
        "SELECT _q.i FROM (SELECT i AS i, rank() OVER (ORDER BY i) <= 2 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i",
    },
  ],
  [
    "a computed LIMIT",
    "SELECT i FROM t LIMIT 1 + 1",
    {
      bigquery: { refused: "a computed LIMIT or OFFSET" },
      clickhouse: { refused: "a computed LIMIT or OFFSET" },
      oracle: { refused: "a computed LIMIT or OFFSET" },
      postgres: "SELECT i FROM t LIMIT 1 + 1",
      doris: { refused: "a computed LIMIT or OFFSET" },
      duckdb: "SELECT i FROM t LIMIT 1 + 1",
      mysql: { refused: "a computed LIMIT or OFFSET" },
      mssql: { refused: "a computed LIMIT or OFFSET" },
      snowflake: { refused: "a computed LIMIT or OFFSET" },
      spark: { refused: "a computed LIMIT or OFFSET" },
      redshift: { refused: "a computed LIMIT or OFFSET" },
      trino: { refused: "a computed LIMIT or OFFSET" },
    },
  ],
  [
    "FILTER",
    "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
    {
      bigquery: "SELECT sum(CAST(CASE WHEN b THEN i END AS NUMERIC)) AS x FROM t",
      clickhouse: "SELECT accurateCast(sum(toInt128(i)) FILTER (WHERE b), 'Int64') AS x FROM t",
      oracle: "SELECT sum(CASE WHEN b = 1 THEN i END) AS x FROM t",
      postgres: "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
      doris: "SELECT CAST(sum(CAST(CASE WHEN b THEN i END AS LARGEINT)) AS BIGINT) AS x FROM t",
      duckdb: "SELECT CAST(sum(i) FILTER (WHERE b) AS BIGINT) AS x FROM t",
      mysql: "SELECT sum(CASE WHEN b THEN i END) AS x FROM t",
      mssql: "SELECT sum(CAST(CASE WHEN b = 1 THEN i END AS BIGINT)) AS x FROM t",
      snowflake: "SELECT sum(CASE WHEN B THEN I END) AS x FROM T AS t",
      spark: "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
      redshift: "SELECT sum(CASE WHEN b THEN i END) AS x FROM t",
      trino: "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
    },
  ],
  [
    "DISTINCT ON",
    "SELECT DISTINCT ON (i) i, d FROM t ORDER BY i, d",
    {
      bigquery:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, row_number() OVER (PARTITION BY i ORDER BY i IS NULL, i, d IS NULL, d) = 1 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i NULLS LAST, _q.d NULLS LAST",
      clickhouse:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, toInt64(row_number() OVER (PARTITION BY i ORDER BY i, d)) = 1 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i, _q.d",
      oracle:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, CAST(CASE WHEN row_number() OVER (PARTITION BY i ORDER BY i, d) = 1 THEN 1 ELSE 0 END AS NUMBER(1)) AS _w1 FROM t) _q WHERE _q._w1 = 1 ORDER BY _q.i, _q.d",
      postgres: "SELECT DISTINCT ON (i) i, d FROM t ORDER BY i, d",
      doris:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, row_number() OVER (PARTITION BY i ORDER BY i NULLS LAST, d NULLS LAST) = 1 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i NULLS LAST, _q.d NULLS LAST",
      duckdb: "SELECT DISTINCT ON (i) i, d FROM t ORDER BY i, d",
      mysql:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, CAST(row_number() OVER (PARTITION BY i ORDER BY i IS NULL, i, d IS NULL, d) AS SIGNED) = 1 AS _w1, i IS NULL AS _o2, d IS NULL AS _o3 FROM t) AS _q WHERE _q._w1 ORDER BY _q._o2, _q.i, _q._o3, _q.d",
      mssql:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, CAST(CASE WHEN row_number() OVER (PARTITION BY i ORDER BY CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT), i, CAST(CASE WHEN d IS NULL THEN 1 ELSE 0 END AS BIT), d) = 1 THEN 1 ELSE 0 END AS BIT) AS _w1, CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT) AS _o2, CAST(CASE WHEN d IS NULL THEN 1 ELSE 0 END AS BIT) AS _o3 FROM t) AS _q WHERE _q._w1 = 1 ORDER BY _q._o2, _q.i, _q._o3, _q.d",
      snowflake:
        "SELECT I AS i, D AS d FROM T AS t QUALIFY row_number() OVER (PARTITION BY I ORDER BY I NULLS LAST, D NULLS LAST) = 1 ORDER BY I NULLS LAST, D NULLS LAST",
      spark:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, row_number() OVER (PARTITION BY i ORDER BY i NULLS LAST, d NULLS LAST) = 1 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY 1 NULLS LAST, 2 NULLS LAST",
      redshift:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, row_number() OVER (PARTITION BY i ORDER BY i, d) = 1 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i, _q.d",
      trino:
        "SELECT _q.i, _q.d FROM (SELECT i AS i, d AS d, row_number() OVER (PARTITION BY i ORDER BY i, d) = 1 AS _w1 FROM t) AS _q WHERE _q._w1 ORDER BY _q.i, _q.d",
    },
  ],
  [
    "ROLLUP",
    "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
    {
      bigquery:
        "SELECT _g1.i, _g1.a AS n FROM (SELECT i, count(*) AS a FROM t GROUP BY i UNION ALL SELECT NULL AS i, count(*) AS a FROM t) AS _g1",
      clickhouse:
        "SELECT _g1.i, _g1.a AS n FROM (SELECT i, toInt64(count(*)) AS a FROM t GROUP BY i UNION ALL SELECT NULL AS i, toInt64(count(*)) AS a FROM t) AS _g1",
      oracle: "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
      postgres: "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
      doris:
        "SELECT _g1.i, _g1.a AS n FROM (SELECT i, count(*) AS a FROM t GROUP BY i UNION ALL SELECT NULL AS i, count(*) AS a FROM t) AS _g1",
      duckdb: "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
      mysql:
        "SELECT _g1.i, _g1.a AS n FROM (SELECT i, count(*) AS a FROM t GROUP BY i UNION ALL SELECT NULL AS i, count(*) AS a FROM t) AS _g1",
      mssql: "SELECT i, count_big(*) AS n FROM t GROUP BY ROLLUP (i)",
      snowflake:
        "SELECT _g1.I AS i, _g1.a AS n FROM (SELECT I, count(*) AS a FROM T AS t GROUP BY I UNION ALL SELECT NULL AS I, count(*) AS a FROM T AS t) AS _g1",
      spark: "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
      redshift:
        "SELECT _g1.i, _g1.a AS n FROM (SELECT i, count(*) AS a FROM t GROUP BY i UNION ALL SELECT NULL AS i, count(*) AS a FROM t) AS _g1",
      trino: "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
    },
  ],
  [
    "QUALIFY",
    "SELECT i FROM t QUALIFY row_number() OVER (ORDER BY i) = 1",
    {
      bigquery:
        "SELECT _q.i FROM (SELECT i AS i, row_number() OVER (ORDER BY i IS NULL, i) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      clickhouse:
        "SELECT _q.i FROM (SELECT i AS i, toInt64(row_number() OVER (ORDER BY i)) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      oracle:
        "SELECT _q.i FROM (SELECT i AS i, CAST(CASE WHEN row_number() OVER (ORDER BY i) = 1 THEN 1 ELSE 0 END AS NUMBER(1)) AS _w1 FROM t) _q WHERE _q._w1 = 1",
      postgres: "SELECT _q.i FROM (SELECT i AS i, row_number() OVER (ORDER BY i) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      doris:
        "SELECT _q.i FROM (SELECT i AS i, row_number() OVER (ORDER BY i NULLS LAST) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      duckdb: "SELECT i FROM t QUALIFY row_number() OVER (ORDER BY i) = 1",
      mysql:
        "SELECT _q.i FROM (SELECT i AS i, CAST(row_number() OVER (ORDER BY i IS NULL, i) AS SIGNED) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      mssql:
        "SELECT _q.i FROM (SELECT i AS i, CAST(CASE WHEN row_number() OVER (ORDER BY CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT), i) = 1 THEN 1 ELSE 0 END AS BIT) AS _w1 FROM t) AS _q WHERE _q._w1 = 1",
      snowflake: "SELECT I AS i FROM T AS t QUALIFY row_number() OVER (ORDER BY I NULLS LAST) = 1",
      spark:
        "SELECT _q.i FROM (SELECT i AS i, row_number() OVER (ORDER BY i NULLS LAST) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      redshift: "SELECT _q.i FROM (SELECT i AS i, row_number() OVER (ORDER BY i) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
      trino: "SELECT _q.i FROM (SELECT i AS i, row_number() OVER (ORDER BY i) = 1 AS _w1 FROM t) AS _q WHERE _q._w1",
    },
  ],
  [
    "WINDOW",
    "SELECT sum(i) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
    {
      bigquery: "SELECT sum(CAST(i AS NUMERIC)) OVER (PARTITION BY b) AS x FROM t",
      clickhouse: "SELECT accurateCast(sum(toInt128(i)) OVER w, 'Int64') AS x FROM t WINDOW w AS (PARTITION BY b)",
      oracle: "SELECT sum(i) OVER (PARTITION BY b) AS x FROM t",
      postgres: "SELECT sum(i) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
      doris: "SELECT CAST(sum(CAST(i AS LARGEINT)) OVER (PARTITION BY b) AS BIGINT) AS x FROM t",
      duckdb: "SELECT CAST(sum(i) OVER (PARTITION BY b) AS BIGINT) AS x FROM t",
      mysql: "SELECT sum(i) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
      mssql: "SELECT sum(CAST(i AS BIGINT)) OVER (PARTITION BY b) AS x FROM t",
      snowflake: "SELECT sum(I) OVER (PARTITION BY B) AS x FROM T AS t",
      spark: "SELECT sum(i) OVER (PARTITION BY b) AS x FROM t",
      redshift: "SELECT sum(i) OVER (PARTITION BY b) AS x FROM t",
      trino: "SELECT sum(i) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
    },
  ],
  [
    "a frame of GROUPS",
    "SELECT sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS x FROM t",
    {
      bigquery: { refused: "a frame of GROUPS" },
      clickhouse: { refused: "a frame of GROUPS" },
      oracle: { refused: "a frame of GROUPS" },
      postgres: "SELECT sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS x FROM t",
      doris: { refused: "a frame of GROUPS" },
      duckdb: "SELECT CAST(sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS BIGINT) AS x FROM t",
      mysql: { refused: "a frame of GROUPS" },
      mssql: { refused: "a frame of GROUPS" },
      snowflake: { refused: "a frame of GROUPS" },
      spark: { refused: "a frame of GROUPS" },
      redshift: { refused: "a frame of GROUPS" },
      trino: { refused: "a frame of GROUPS" },
    },
  ],
  [
    "EXCLUDE",
    "SELECT sum(i) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS x FROM t",
    {
      bigquery: { refused: "EXCLUDE in a frame" },
      clickhouse: { refused: "EXCLUDE in a frame" },
      oracle: { refused: "EXCLUDE in a frame" },
      postgres: "SELECT sum(i) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS x FROM t",
      doris: { refused: "EXCLUDE in a frame" },
      duckdb:
        "SELECT CAST(sum(i) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS BIGINT) AS x FROM t",
      mysql: { refused: "EXCLUDE in a frame" },
      mssql: { refused: "EXCLUDE in a frame" },
      snowflake: { refused: "EXCLUDE in a frame" },
      spark: { refused: "EXCLUDE in a frame" },
      redshift: { refused: "EXCLUDE in a frame" },
      trino: { refused: "EXCLUDE in a frame" },
    },
  ],
  [
    "INTERSECT ALL",
    "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
    {
      bigquery: { refused: "INTERSECT ALL" },
      clickhouse:
        "SELECT _s3.c1 AS i FROM (SELECT _s1.c1 AS c1, toInt64(row_number() OVER (PARTITION BY _s1.c1)) AS c2 FROM (SELECT i AS c1 FROM t) AS _s1 INTERSECT SELECT _s2.c1, toInt64(row_number() OVER (PARTITION BY _s2.c1)) AS c2 FROM (SELECT i AS c1 FROM t) AS _s2) AS _s3",
      oracle: { refused: "INTERSECT ALL" },
      postgres: "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
      doris: { refused: "INTERSECT ALL" },
      duckdb: "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
      mysql: "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
      mssql: { refused: "INTERSECT ALL" },
      snowflake: { refused: "INTERSECT ALL" },
      spark: "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
      redshift: { refused: "INTERSECT ALL" },
      trino: "SELECT i FROM t INTERSECT ALL SELECT i FROM t",
    },
  ],
  [
    "LATERAL",
    "SELECT a.i, q.n FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS n FROM t AS c WHERE c.i = a.i) AS q",
    {
      bigquery:
        "SELECT _l1.i, _l1.n FROM (SELECT _o1.i, count(_x1.m) AS n FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.i FROM t AS c) AS _x1 ON _x1.i = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
      clickhouse:
        "SELECT _l1.i, _l1.n FROM (SELECT _o1.i AS i, toInt64(count(_x1.m)) AS n FROM (SELECT a.i, toInt64(row_number() OVER ()) AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.i FROM t AS c) AS _x1 ON _x1.i = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
      oracle: "SELECT a.i, q.n FROM t a CROSS APPLY (SELECT count(*) AS n FROM t c WHERE c.i = a.i) q",
      postgres:
        "SELECT a.i, q.n FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS n FROM t AS c WHERE c.i = a.i) AS q",
      doris:
        "SELECT _l1.i, _l1.n FROM (SELECT _o1.i, count(_x1.m) AS n FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.i FROM t AS c) AS _x1 ON _x1.i = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
      duckdb: "SELECT a.i, q.n FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS n FROM t AS c WHERE c.i = a.i) AS q",
      mysql:
        "SELECT _l1.i, _l1.n FROM (SELECT _o1.i, count(_x1.m) AS n FROM (SELECT a.i, CAST(row_number() OVER (/*M! PARTITION BY RAND() < 0 */) AS SIGNED) AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.i FROM t AS c LIMIT 18446744073709551615) AS _x1 ON _x1.i = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
      mssql: "SELECT a.i, q.n FROM t AS a CROSS APPLY (SELECT count_big(*) AS n FROM t AS c WHERE c.i = a.i) AS q",
      snowflake:
        "SELECT _l1.I AS i, _l1.n FROM (SELECT _o1.I, count(_x1.m) AS n FROM (SELECT a.I, row_number() OVER (ORDER BY NULL) AS k FROM T AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.I FROM T AS c) AS _x1 ON _x1.I = _o1.I GROUP BY _o1.k, _o1.I) AS _l1",
      spark: "SELECT a.i, q.n FROM t AS a CROSS JOIN LATERAL (SELECT count(*) AS n FROM t AS c WHERE c.i = a.i) AS q",
      redshift:
        "SELECT _l1.i, _l1.n FROM (SELECT _o1.i, count(_x1.m) AS n FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.i FROM t AS c) AS _x1 ON _x1.i = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
      trino:
        "SELECT _l1.i, _l1.n FROM (SELECT _o1.i, count(_x1.m) AS n FROM (SELECT a.i, row_number() OVER () AS k FROM t AS a) AS _o1 LEFT JOIN (SELECT 1 AS m, c.i FROM t AS c) AS _x1 ON _x1.i = _o1.i GROUP BY _o1.k, _o1.i) AS _l1",
    },
  ],
  [
    "WITH in a subquery",
    "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT i FROM c) AS q",
    {
      bigquery: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      clickhouse: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      oracle: "WITH c AS (SELECT i FROM t) SELECT q.i FROM (SELECT c.i FROM c) q",
      postgres: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      doris: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      duckdb: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      mysql: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      mssql: "WITH c AS (SELECT i FROM t) SELECT q.i FROM (SELECT c.i FROM c) AS q",
      snowflake: "WITH c AS (SELECT I AS i FROM T AS t) SELECT q.i FROM (SELECT c.i FROM c) AS q",
      spark: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
      redshift: "WITH c AS (SELECT i FROM t) SELECT q.i FROM (SELECT c.i FROM c) AS q",
      trino: "SELECT q.i FROM (WITH c AS (SELECT i FROM t) SELECT c.i FROM c) AS q",
    },
  ],
  [
    "WITH RECURSIVE",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
    {
      bigquery:
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT r.n + 1 AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      clickhouse:
        "WITH RECURSIVE r(n) AS (SELECT 1 AS column1 UNION ALL SELECT accurateCast(toInt128(r.n) + toInt128(1), 'Int64') AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      oracle:
        "WITH r(n) AS (SELECT CAST(1 AS INTEGER) AS column1 FROM SYS.DUAL UNION ALL SELECT CAST(r.n + 1 AS INTEGER) AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      postgres:
        "WITH RECURSIVE r(n) AS (SELECT 1 AS column1 UNION ALL SELECT r.n + 1 AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      doris: { refused: "a common table that names itself" },
      duckdb:
        "WITH RECURSIVE r(n) AS (SELECT 1 AS column1 UNION ALL SELECT r.n + 1 AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      mysql:
        "WITH RECURSIVE r(n) AS (SELECT 1 AS column1 UNION ALL SELECT r.n + 1 AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      mssql:
        "WITH r(n) AS (SELECT CAST(1 AS INT) AS column1 UNION ALL SELECT CAST(r.n + 1 AS INT) AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r OPTION (MAXRECURSION 0)",
      snowflake:
        "WITH RECURSIVE r(n) AS (SELECT CAST(1 AS INTEGER) AS column1 UNION ALL SELECT CAST(r.n + 1 AS INTEGER) AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      spark: { refused: "a common table that names itself" },
      databricks:
        "WITH RECURSIVE r(n) AS (SELECT CAST(1 AS INT) AS column1 UNION ALL SELECT CAST(r.n + 1 AS INT) AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      redshift:
        "WITH RECURSIVE r(n) AS (SELECT CAST(1 AS INTEGER) AS column1 UNION ALL SELECT CAST(r.n + 1 AS INTEGER) AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
      trino:
        "WITH RECURSIVE r(n) AS (SELECT 1 AS column1 UNION ALL SELECT r.n + 1 AS column1 FROM r WHERE r.n < 3) SELECT r.n FROM r",
    },
  ],
  [
    "VALUES",
    "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
    {
      bigquery: "SELECT v.n FROM (SELECT 1 AS n UNION ALL SELECT 2) AS v",
      clickhouse: "SELECT v.n FROM (SELECT 1 AS n UNION ALL SELECT 2) AS v",
      oracle: "SELECT v.n FROM (SELECT 1 AS n FROM SYS.DUAL UNION ALL SELECT 2 FROM SYS.DUAL) v",
      postgres: "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
      doris: "SELECT v.n FROM (SELECT 1 AS n UNION ALL SELECT 2) AS v",
      duckdb: "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
      mysql: "SELECT v.n FROM (SELECT 1 AS n UNION ALL VALUES /*!80019 ROW*/(2)) AS v",
      mssql: "SELECT v.n FROM (SELECT 1 AS column1 UNION ALL SELECT 2) AS v(n)",
      snowflake: "SELECT v.n FROM (SELECT 1 AS n UNION ALL SELECT 2) AS v",
      spark: "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
      redshift: "SELECT v.n FROM (SELECT 1 AS column1 UNION ALL SELECT 2) AS v(n)",
      trino: "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
    },
  ],
  [
    "the columns of an alias",
    "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
    {
      bigquery: "SELECT q.n FROM (SELECT i AS n FROM t) AS q",
      clickhouse: "SELECT q.n FROM (SELECT i AS n FROM t) AS q",
      oracle: "SELECT q.n FROM (SELECT i AS n FROM t) q",
      postgres: "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
      doris: "SELECT q.n FROM (SELECT i AS n FROM t) AS q",
      duckdb: "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
      mysql: "SELECT q.n FROM (SELECT i AS n FROM t) AS q",
      mssql: "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
      snowflake: "SELECT q.n FROM (SELECT I AS n FROM T AS t) AS q",
      spark: "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
      redshift: "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
      trino: "SELECT q.n FROM (SELECT i FROM t) AS q(n)",
    },
  ],
  [
    "equal texts",
    "SELECT i FROM t WHERE s = 'a'",
    {
      bigquery: "SELECT i FROM t WHERE s = 'a'",
      clickhouse: "SELECT i FROM t WHERE s = 'a'",
      oracle: "SELECT i FROM t WHERE s = 'a'",
      postgres: "SELECT i FROM t WHERE s = 'a'",
      doris: "SELECT i FROM t WHERE s = 'a'",
      duckdb: "SELECT i FROM t WHERE s = 'a'",
      mysql: "SELECT i FROM t WHERE s = 'a' AND CONVERT(s USING utf8mb4) COLLATE EXACT = 'a'",
      mssql: "SELECT i FROM t WHERE s = 'a' AND (s + '.') COLLATE EXACT = 'a.'",
      snowflake: "SELECT I AS i FROM T AS t WHERE S = 'a'",
      spark: "SELECT i FROM (SELECT CAST(_s.s AS STRING) AS s, _s.i AS i FROM t AS _s) AS t WHERE s = 'a'",
      redshift: "SELECT i FROM t WHERE s = 'a' AND COLLATE(s || '.', 'case_sensitive') = 'a.'",
      trino: "SELECT i FROM t WHERE s = 'a'",
    },
  ],
  [
    "texts as keys",
    "SELECT s, count(*) AS n FROM t GROUP BY s",
    {
      bigquery: "SELECT s, count(*) AS n FROM t GROUP BY s",
      clickhouse: "SELECT s, count(*) AS n FROM t GROUP BY s",
      oracle: "SELECT s, count(*) AS n FROM t GROUP BY s",
      postgres: "SELECT s, count(*) AS n FROM t GROUP BY s",
      doris: "SELECT s, count(*) AS n FROM t GROUP BY s",
      duckdb: "SELECT s, count(*) AS n FROM t GROUP BY s",
      mysql:
        "SELECT CONVERT(s USING utf8mb4) COLLATE EXACT AS s, count(*) AS n FROM t GROUP BY CONVERT(s USING utf8mb4) COLLATE EXACT",
      mssql:
        "SELECT (s) COLLATE EXACT AS s, count_big(*) AS n FROM t GROUP BY (s) COLLATE EXACT, datalength((s) COLLATE EXACT)",
      snowflake: "SELECT S AS s, count(*) AS n FROM T AS t GROUP BY S",
      spark: "SELECT s, count(*) AS n FROM (SELECT CAST(_s.s AS STRING) AS s FROM t AS _s) AS t GROUP BY s",
      redshift:
        "SELECT COLLATE(s, 'case_sensitive') AS s, count(*) AS n FROM t GROUP BY COLLATE(s, 'case_sensitive'), len(COLLATE(s, 'case_sensitive'))",
      trino: "SELECT s, count(*) AS n FROM t GROUP BY s",
    },
  ],
  [
    "a date and an interval",
    "SELECT day + INTERVAL '1 month' AS x FROM t",
    {
      bigquery: "SELECT DATETIME_ADD(CAST(day AS DATETIME), INTERVAL 1 MONTH) AS x FROM t",
      clickhouse:
        "SELECT if(ifNull(dateDiff('month', CAST(day AS DateTime64(6)), addMonths(CAST(day AS DateTime64(6)), 1)) = 1, 0) > throwIf(ifNull(not(dateDiff('month', CAST(day AS DateTime64(6)), addMonths(CAST(day AS DateTime64(6)), 1)) = 1), 0), 'A date or time beyond the years of its type'), addMonths(CAST(day AS DateTime64(6)), 1), NULL) AS x FROM t",
      oracle:
        "SELECT CAST(CAST(least(add_months(trunc(day, 'DD'), 1), add_months(trunc(day, 'MM'), 1) + EXTRACT(DAY FROM day) - 1) AS TIMESTAMP(6)) + (CAST(day AS TIMESTAMP(6)) - CAST(trunc(day, 'DD') AS TIMESTAMP(6))) AS TIMESTAMP(6)) AS x FROM t",
      postgres: "SELECT day + INTERVAL '1 months' AS x FROM t",
      doris: "SELECT DATE_ADD(CAST(day AS DATETIME(6)), INTERVAL 1 MONTH) AS x FROM t",
      duckdb: "SELECT day + INTERVAL '1 months' AS x FROM t",
      mysql:
        "SELECT CASE WHEN DATE_ADD(CAST(day AS DATETIME(6)), INTERVAL 1 MONTH) IS NOT NULL THEN DATE_ADD(CAST(day AS DATETIME(6)), INTERVAL 1 MONTH) WHEN exp(1000 + octet_length(CAST(day AS DATETIME(6)))) IS NOT NULL THEN NULL END AS x FROM t",
      mssql: "SELECT DATEADD(MONTH, 1, CAST(day AS DATETIME2(6))) AS x FROM t",
      snowflake: "SELECT DATEADD(month, 1, CAST(DAY AS TIMESTAMP_NTZ)) AS x FROM T AS t",
      spark: "SELECT timestampadd(MONTH, 1, CAST(day AS TIMESTAMP_NTZ)) AS x FROM t",
      redshift: "SELECT DATEADD(MONTH, 1, CAST(day AS TIMESTAMP)) AS x FROM t",
      trino: "SELECT date_add('month', 1, CAST(day AS TIMESTAMP(6))) AS x FROM t",
    },
  ],
  [
    "an interval as a value",
    "SELECT INTERVAL '1 day' AS x FROM t",
    {
      bigquery: { refused: "an interval as a value" },
      clickhouse: { refused: "an interval as a value" },
      oracle: { refused: "an interval as a value" },
      postgres: "SELECT INTERVAL '1 days' AS x FROM t",
      doris: { refused: "an interval as a value" },
      duckdb: "SELECT INTERVAL '1 days' AS x FROM t",
      mysql: { refused: "an interval as a value" },
      mssql: { refused: "an interval as a value" },
      snowflake: { refused: "an interval as a value" },
      spark: { refused: "an interval as a value" },
      redshift: { refused: "an interval as a value" },
      trino: { refused: "an interval as a value" },
    },
  ],
  [
    "TRY_CAST",
    "SELECT TRY_CAST(s AS integer) AS x FROM t",
    {
      bigquery:
        "SELECT CASE WHEN REGEXP_CONTAINS(s, '\\\\A\\\\s*[-+]?[0-9]+\\\\s*\\\\z') THEN CASE WHEN SAFE_CAST(trim(s) AS INT64) BETWEEN -2147483648 AND 2147483647 THEN SAFE_CAST(trim(s) AS INT64) END END AS x FROM t",
      clickhouse:
        "SELECT CAST(CASE WHEN match(s, '(?s)\\\\A[ \\\\t\\\\n\\\\r\\\\x0b\\\\f]*[-+]?[0-9]{1,38}[ \\\\t\\\\n\\\\r\\\\x0b\\\\f]*\\\\z') THEN accurateCastOrNull(toInt128(trimBoth(s, ' \\t\\n\\r\\v\\f')), 'Int32') END AS Int32) AS x FROM t",
      oracle:
        "SELECT CASE WHEN CAST(CASE WHEN REGEXP_LIKE(s, '^ *[-+]?[0-9]+ *$', 'cn') THEN s END AS INTEGER) BETWEEN -2147483648 AND 2147483647 THEN CAST(CASE WHEN REGEXP_LIKE(s, '^ *[-+]?[0-9]+ *$', 'cn') THEN s END AS INTEGER) END AS x FROM t",
      postgres:
        "SELECT CASE WHEN s ~ '^\\s*[-+]?[0-9]{1,30}\\s*$' THEN CASE WHEN CAST(s AS NUMERIC) BETWEEN -2147483648 AND 2147483647 THEN CAST(s AS INTEGER) END END AS x FROM t",
      doris: "SELECT TRY_CAST(s AS INT) AS x FROM t",
      duckdb: "SELECT TRY_CAST(translate(s, '._eExXbBoO', '??????????') AS INTEGER) AS x FROM t",
      mysql:
        "SELECT CASE WHEN CASE WHEN (s REGEXP '^[[:space:]]*[-+]?[0-9]{1,30}[[:space:]]*$') THEN CAST(s AS DECIMAL(65, 0)) BETWEEN -2147483648 AND 2147483647 END THEN CAST(CAST(s AS DECIMAL(65, 0)) AS SIGNED) END AS x FROM t",
      mssql: "SELECT TRY_CAST(CASE WHEN s LIKE '%[0-9]%' THEN s END AS INT) AS x FROM t",
      snowflake:
        "SELECT CASE WHEN REGEXP_LIKE(S, '\\\\s*[-+]?[0-9]+\\\\s*', 's') THEN CASE WHEN TRY_CAST(trim(S) AS INTEGER) BETWEEN -2147483648 AND 2147483647 THEN TRY_CAST(trim(S) AS INTEGER) END END AS x FROM T AS t",
      spark: "SELECT TRY_CAST(s AS INT) AS x FROM (SELECT CAST(_s.s AS STRING) AS s FROM t AS _s) AS t",
      redshift: { refused: "TRY_CAST of a text" },
      trino: "SELECT TRY_CAST(s AS INTEGER) AS x FROM t",
    },
  ],
  [
    "ILIKE",
    "SELECT i FROM t WHERE s ILIKE 'A%'",
    {
      bigquery: "SELECT i FROM t WHERE lower(s) LIKE lower('A%')",
      clickhouse: "SELECT i FROM t WHERE lowerUTF8(translateUTF8(s, 'İΣ', 'iσ')) LIKE lowerUTF8('A%')",
      oracle: "SELECT i FROM t WHERE lower(s) LIKE lower('A%')",
      postgres: "SELECT i FROM t WHERE s ILIKE 'A%'",
      doris: "SELECT i FROM t WHERE lower(s) LIKE lower('A%')",
      duckdb: "SELECT i FROM t WHERE s ILIKE 'A%'",
      mysql: "SELECT i FROM t WHERE CONVERT(lower(s) USING utf8mb4) COLLATE EXACT LIKE lower('A%')",
      mssql: "SELECT i FROM t WHERE (lower(s + '.')) COLLATE EXACT LIKE lower('A%.')",
      snowflake: "SELECT I AS i FROM T AS t WHERE S ILIKE 'A%'",
      spark:
        "SELECT i FROM (SELECT CAST(_s.s AS STRING) AS s, _s.i AS i FROM t AS _s) AS t WHERE lower(s) LIKE lower('A%')",
      redshift: "SELECT i FROM t WHERE COLLATE(lower(s || '.'), 'case_sensitive') LIKE lower('A%.')",
      trino: "SELECT i FROM t WHERE lower(s) LIKE lower('A%')",
    },
  ],
  [
    "SIMILAR TO",
    "SELECT i FROM t WHERE s SIMILAR TO '(a|b)%'",
    {
      bigquery: "SELECT i FROM t WHERE regexp_contains(s, '(?s)^(?:(a|b).*)$')",
      clickhouse: "SELECT i FROM t WHERE match(s, '(?s)^(?:(a|b).*)$')",
      oracle: "SELECT i FROM t WHERE REGEXP_LIKE(s, '^((a|b).*)$', 'cn')",
      postgres: "SELECT i FROM t WHERE s SIMILAR TO '(a|b)%'",
      doris: "SELECT i FROM t WHERE (s REGEXP '(?s)^(?:(a|b).*)\\\\z')",
      duckdb: "SELECT i FROM t WHERE regexp_full_match(s, '(a|b).*', 's')",
      mysql: "SELECT i FROM t WHERE (CONVERT(s USING utf8mb4) COLLATE EXACT REGEXP '(?s)^(?:(a|b).*)\\\\z')",
      mssql: "SELECT i FROM t WHERE (s + '.') COLLATE EXACT LIKE 'a%.' OR (s + '.') COLLATE EXACT LIKE 'b%.'",
      snowflake: "SELECT I AS i FROM T AS t WHERE REGEXP_LIKE(S, '(a|b).*', 's')",
      spark:
        "SELECT i FROM (SELECT CAST(_s.s AS STRING) AS s, _s.i AS i FROM t AS _s) AS t WHERE regexp_like(s, '(?s)\\\\A(?:(a|b).*)\\\\z')",
      redshift: "SELECT i FROM t WHERE s ~ '^((a|b).*)$'",
      trino: "SELECT i FROM t WHERE regexp_like(s, '(?s)\\A(?:(a|b).*)\\z')",
    },
  ],
  [
    "BETWEEN SYMMETRIC",
    "SELECT i FROM t WHERE i BETWEEN SYMMETRIC 3 AND 1",
    {
      bigquery: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      clickhouse: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      oracle: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      postgres: "SELECT i FROM t WHERE i BETWEEN SYMMETRIC 3 AND 1",
      doris: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      duckdb: "SELECT i FROM t WHERE i BETWEEN 3 AND 1 OR i BETWEEN 1 AND 3",
      mysql: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      mssql: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      snowflake: "SELECT I AS i FROM T AS t WHERE I >= 3 AND I <= 1 OR I >= 1 AND I <= 3",
      spark: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      redshift: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
      trino: "SELECT i FROM t WHERE i >= 3 AND i <= 1 OR i >= 1 AND i <= 3",
    },
  ],
  [
    "IS DISTINCT FROM",
    "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
    {
      bigquery: "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
      clickhouse: "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
      oracle: "SELECT i FROM t WHERE CASE WHEN i = 1 THEN CAST(0 AS NUMBER(1)) ELSE CAST(1 AS NUMBER(1)) END = 1",
      postgres: "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
      doris: "SELECT i FROM t WHERE NOT (i <=> 1)",
      duckdb: "SELECT i FROM t WHERE NOT (i IS NOT DISTINCT FROM 1)",
      mysql: "SELECT i FROM t WHERE NOT (i <=> 1)",
      mssql: "SELECT i FROM t WHERE CASE WHEN i = 1 THEN CAST(0 AS BIT) ELSE CAST(1 AS BIT) END = 1",
      snowflake: "SELECT I AS i FROM T AS t WHERE I IS DISTINCT FROM 1",
      spark: "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
      redshift: "SELECT i FROM t WHERE CASE WHEN i = 1 THEN FALSE ELSE TRUE END",
      trino: "SELECT i FROM t WHERE i IS DISTINCT FROM 1",
    },
  ],
  [
    "rows beside each other",
    "SELECT i FROM t WHERE (i, d) = (1, 2)",
    {
      bigquery: "SELECT i FROM t WHERE i = 1 AND d = 2",
      clickhouse: "SELECT i FROM t WHERE i = 1 AND d = 2",
      oracle: "SELECT i FROM t WHERE i = 1 AND d = 2",
      postgres: "SELECT i FROM t WHERE (i, d) = (1, 2)",
      doris: "SELECT i FROM t WHERE i = 1 AND d = 2",
      duckdb: "SELECT i FROM t WHERE i = 1 AND d = 2",
      mysql: "SELECT i FROM t WHERE (i, d) = (1, 2)",
      mssql: "SELECT i FROM t WHERE i = 1 AND d = 2",
      snowflake: "SELECT I AS i FROM T AS t WHERE I = 1 AND D = 2",
      spark: "SELECT i FROM t WHERE i = 1 AND d = 2",
      redshift: "SELECT i FROM t WHERE i = 1 AND d = 2",
      trino: "SELECT i FROM t WHERE i = 1 AND d = 2",
    },
  ],
  [
    "ANY of an array",
    "SELECT i FROM t WHERE i = ANY (ARRAY[1, 2])",
    {
      bigquery: "SELECT i FROM t WHERE i IN (1, 2)",
      clickhouse: "SELECT i FROM t WHERE i = 1 OR i = 2",
      oracle: "SELECT i FROM t WHERE i = 1 OR i = 2",
      postgres: "SELECT i FROM t WHERE i = ANY (ARRAY[1, 2])",
      doris: "SELECT i FROM t WHERE i = 1 OR i = 2",
      duckdb: "SELECT i FROM t WHERE i = ANY (ARRAY[1, 2])",
      mysql: "SELECT i FROM t WHERE i = 1 OR i = 2",
      mssql: "SELECT i FROM t WHERE i = 1 OR i = 2",
      snowflake: "SELECT I AS i FROM T AS t WHERE I = 1 OR I = 2",
      spark: "SELECT i FROM t WHERE i = 1 OR i = 2",
      redshift: "SELECT i FROM t WHERE i = 1 OR i = 2",
      trino: "SELECT i FROM t WHERE i = 1 OR i = 2",
    },
  ],
  [
    "an element of an array",
    "SELECT (ARRAY[1, 2])[1] AS x FROM t",
    {
      bigquery: "SELECT ARRAY[1, 2][SAFE_ORDINAL(1)] AS x FROM t",
      clickhouse: "SELECT arrayElementOrNull([1, 2], 1) AS x FROM t",
      oracle:
        "SELECT (SELECT _elements.v AS x FROM (SELECT COALESCE(CASE WHEN k = 'number' AND v = TRUNC(v) THEN v END, CASE k WHEN 'null' THEN NULL ELSE TO_NUMBER('!' || k) END) AS v, n AS n FROM JSON_TABLE(JSON_ARRAY(1, 2 NULL ON NULL RETURNING CLOB), '$[*]' COLUMNS (n FOR ORDINALITY, k VARCHAR2(20) PATH '$.type()', v NUMBER PATH '$')) _json) _elements WHERE _elements.n = 1) AS x FROM t",
      postgres: "SELECT (ARRAY[1, 2])[1] AS x FROM t",
      doris: "SELECT ELEMENT_AT(ARRAY(1, 2), 1) AS x FROM t",
      duckdb: "SELECT (ARRAY[1, 2])[1] AS x FROM t",
      mysql: "SELECT 1 AS x FROM t",
      mssql:
        "SELECT (SELECT _elements.v AS x FROM (SELECT CASE WHEN type IN (0, 2) THEN CAST(value AS INT) ELSE CAST(LEFT('no number' + value, 9) AS INT) END AS v, CAST(key AS BIGINT) + 1 AS n FROM openjson(('[' + (CAST(1 AS NVARCHAR(MAX)) + ',' + CAST(2 AS NVARCHAR(MAX))) + ']')) AS _json) AS _elements WHERE _elements.n = 1) AS x FROM t",
      snowflake: "SELECT CAST(GET(ARRAY_CONSTRUCT(1, 2), 0) AS BIGINT) AS x FROM T AS t",
      spark: "SELECT try_element_at(array(1, 2), 1) AS x FROM t",
      redshift: { refused: "an element of this" },
      trino: "SELECT element_at(ARRAY[1, 2], 1) AS x FROM t",
    },
  ],
  [
    "a regular expression",
    "SELECT i FROM t WHERE s ~ '^a+$'",
    {
      bigquery: "SELECT i FROM t WHERE regexp_contains(s, '(?s)^a+$')",
      clickhouse: "SELECT i FROM t WHERE match(s, '(?s)^a+$')",
      oracle: "SELECT i FROM t WHERE REGEXP_LIKE(s, '^a+$', 'cn')",
      postgres: "SELECT i FROM t WHERE s ~ '^a+$'",
      doris: "SELECT i FROM t WHERE (s REGEXP '(?s)^a+\\\\z')",
      duckdb: "SELECT i FROM t WHERE regexp_matches(s, '^a+$', 's')",
      mysql: "SELECT i FROM t WHERE (CONVERT(s USING utf8mb4) COLLATE EXACT REGEXP '(?s)^a+\\\\z')",
      mssql: "SELECT i FROM t WHERE (s + '.') COLLATE EXACT LIKE 'a%.' AND (s + '.') COLLATE EXACT NOT LIKE '%[^a]%.'",
      snowflake: "SELECT I AS i FROM T AS t WHERE regexp_instr(S, '^a+$', 1, 1, 0, 's') > 0",
      spark:
        "SELECT i FROM (SELECT CAST(_s.s AS STRING) AS s, _s.i AS i FROM t AS _s) AS t WHERE regexp_like(s, '(?s)\\\\Aa+\\\\z')",
      redshift: "SELECT i FROM t WHERE s ~ '^a+$'",
      trino: "SELECT i FROM t WHERE regexp_like(s, '(?s)\\Aa+\\z')",
    },
  ],
  [
    "to_char",
    "SELECT to_char(at, 'YYYY-MM') AS x FROM t",
    {
      bigquery: "SELECT FORMAT_DATETIME('%E4Y-%m', at) AS x FROM t",
      clickhouse:
        "SELECT concat(formatDateTime(CAST(at AS DateTime64(6)), '%Y'), '-', formatDateTime(CAST(at AS DateTime64(6)), '%m')) AS x FROM t",
      oracle: "SELECT TO_CHAR(CAST(at AS TIMESTAMP(6)), 'YYYY-MM') AS x FROM t",
      postgres: "SELECT to_char(at, 'YYYY-MM') AS x FROM t",
      doris: "SELECT date_format(at, '%Y-%m') AS x FROM t",
      duckdb: "SELECT CASE WHEN isfinite(at) THEN strftime(at, '%Y-%m') END AS x FROM t",
      mysql: "SELECT date_format(at, '%Y-%m') AS x FROM t",
      mssql: "SELECT format(at, 'yyyy', 'en-US') + '-' + format(at, 'MM', 'en-US') AS x FROM t",
      snowflake: "SELECT TO_CHAR(AT, 'YYYY-MM') AS x FROM T AS t",
      spark: "SELECT date_format(at, 'yyyy\\'-\\'MM') AS x FROM t",
      redshift: "SELECT to_char(at, 'YYYY-MM') AS x FROM t",
      trino: "SELECT date_format(at, '%Y-%m') AS x FROM t",
    },
  ],
  [
    "date_trunc",
    "SELECT date_trunc('month', at) AS x FROM t",
    {
      bigquery: "SELECT DATETIME_TRUNC(at, MONTH) AS x FROM t",
      clickhouse: "SELECT CAST(toStartOfMonth(CAST(at AS DateTime64(6))) AS DateTime64(6)) AS x FROM t",
      oracle: "SELECT CAST(trunc(at, 'MM') AS TIMESTAMP(6)) AS x FROM t",
      postgres: "SELECT date_trunc('month', at) AS x FROM t",
      doris: "SELECT date_trunc(at, 'month') AS x FROM t",
      duckdb: "SELECT CAST(date_trunc('month', at) AS TIMESTAMP) AS x FROM t",
      mysql: "SELECT CAST(date_format(at, '%Y-%m-01') AS DATETIME(6)) AS x FROM t",
      mssql: "SELECT CAST(datefromparts(DATEPART(YEAR, at), DATEPART(MONTH, at), 1) AS DATETIME2(6)) AS x FROM t",
      snowflake: "SELECT DATE_TRUNC('month', AT) AS x FROM T AS t",
      spark: "SELECT CAST(date_trunc('MONTH', at) AS TIMESTAMP_NTZ) AS x FROM t",
      redshift: "SELECT date_trunc('month', at) AS x FROM t",
      trino: "SELECT date_trunc('month', at) AS x FROM t",
    },
  ],
  [
    "date_diff",
    "SELECT date_diff('day', day, at) AS x FROM t",
    {
      bigquery:
        "SELECT DATETIME_DIFF(DATETIME_TRUNC(at, DAY), DATETIME_TRUNC(CAST(day AS DATETIME), DAY), DAY) AS x FROM t",
      clickhouse: "SELECT dateDiff('day', CAST(day AS DateTime64(6)), CAST(at AS DateTime64(6))) AS x FROM t",
      oracle: "SELECT trunc(at, 'DD') - trunc(day, 'DD') AS x FROM t",
      postgres: "SELECT CAST(CAST(at AS DATE) - CAST(day AS DATE) AS BIGINT) AS x FROM t",
      doris: "SELECT datediff(at, day) AS x FROM t",
      duckdb: "SELECT date_diff('day', day, at) AS x FROM t",
      mysql: "SELECT datediff(at, day) AS x FROM t",
      mssql: "SELECT DATEDIFF_BIG(DAY, day, at) AS x FROM t",
      snowflake: "SELECT DATEDIFF(day, CAST(DAY AS TIMESTAMP_NTZ), AT) AS x FROM T AS t",
      spark: "SELECT timestampdiff(DAY, date_trunc('DAY', day), date_trunc('DAY', at)) AS x FROM t",
      redshift: "SELECT DATEDIFF(DAY, CAST(day AS TIMESTAMP), at) AS x FROM t",
      trino:
        "SELECT date_diff('day', date_trunc('day', CAST(day AS TIMESTAMP(6))), date_trunc('day', CAST(at AS TIMESTAMP(6)))) AS x FROM t",
    },
  ],
  [
    "EXTRACT",
    "SELECT extract(isodow FROM day) AS x FROM t",
    {
      bigquery: "SELECT mod(EXTRACT(DAYOFWEEK FROM day) + 5, 7) + 1 AS x FROM t",
      clickhouse: "SELECT toDayOfWeek(CAST(day AS DateTime64(6))) AS x FROM t",
      oracle: "SELECT trunc(day, 'DD') - trunc(day, 'IW') + 1 AS x FROM t",
      postgres: "SELECT CAST(EXTRACT(ISODOW FROM day) AS BIGINT) AS x FROM t",
      doris: "SELECT CAST(weekday(CAST(day AS DATETIME(6))) + 1 AS BIGINT) AS x FROM t",
      duckdb: "SELECT EXTRACT(ISODOW FROM day) AS x FROM t",
      mysql: "SELECT weekday(day) + 1 AS x FROM t",
      mssql: "SELECT CAST((DATEDIFF_BIG(DAY, CAST('1900-01-01' AS DATE), day) % 7 + 7) % 7 + 1 AS BIGINT) AS x FROM t",
      snowflake: "SELECT DATE_PART(dayofweekiso, DAY) AS x FROM T AS t",
      spark: "SELECT weekday(day) + 1 AS x FROM t",
      redshift: "SELECT CAST((EXTRACT(DOW FROM CAST(day AS TIMESTAMP)) + 6) % 7 + 1 AS BIGINT) AS x FROM t",
      trino: "SELECT day_of_week(day) AS x FROM t",
    },
  ],
  [
    "joined texts",
    "SELECT s || '-' || i AS x FROM t",
    {
      bigquery: "SELECT s || '-' || CAST(i AS STRING) AS x FROM t",
      clickhouse: "SELECT concat(concat(s, '-'), CAST(i AS String)) AS x FROM t",
      oracle: "SELECT CASE WHEN s IS NOT NULL AND i IS NOT NULL THEN s || '-' || to_char(i) END AS x FROM t",
      postgres: "SELECT s || '-' || CAST(i AS TEXT) AS x FROM t",
      doris: "SELECT CONCAT(CONCAT(s, '-'), CAST(i AS STRING)) AS x FROM t",
      duckdb: "SELECT s || '-' || CAST(i AS TEXT) AS x FROM t",
      mysql: "SELECT CONCAT(CONCAT(s, '-'), CAST(i AS CHAR)) AS x FROM t",
      mssql: "SELECT CAST(s AS NVARCHAR(MAX)) + '-' + CAST(i AS NVARCHAR(MAX)) AS x FROM t",
      snowflake: "SELECT S || '-' || CAST(I AS VARCHAR) AS x FROM T AS t",
      spark:
        "SELECT s || '-' || CAST(i AS STRING) AS x FROM (SELECT CAST(_s.s AS STRING) AS s, _s.i AS i FROM t AS _s) AS t",
      redshift: "SELECT s || '-' || CAST(i AS VARCHAR(65535)) AS x FROM t",
      trino: "SELECT s || '-' || CAST(i AS VARCHAR) AS x FROM t",
    },
  ],
  [
    "texts in a list",
    "SELECT string_agg(s, ',' ORDER BY i) AS x FROM t",
    {
      bigquery: "SELECT string_agg(s, ',' ORDER BY i IS NULL, i) AS x FROM t",
      clickhouse:
        "SELECT CASE WHEN notEmpty(arrayMap(_t -> tupleElement(_t, 3), arraySort(groupArray(tuple(i IS NULL, i, s)) FILTER (WHERE s IS NOT NULL)))) THEN arrayStringConcat(arrayMap(_t -> tupleElement(_t, 3), arraySort(groupArray(tuple(i IS NULL, i, s)) FILTER (WHERE s IS NOT NULL))), ',') END AS x FROM t",
      oracle: "SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY i) AS x FROM t",
      postgres: "SELECT string_agg(s, ',' ORDER BY i) AS x FROM t",
      doris: "SELECT GROUP_CONCAT(s, ',' ORDER BY i NULLS LAST) AS x FROM t",
      duckdb: "SELECT string_agg(s, ',' ORDER BY i) AS x FROM t",
      mysql: "SELECT GROUP_CONCAT(s ORDER BY i IS NULL, i SEPARATOR ',') AS x FROM t",
      mssql:
        "SELECT string_agg(CAST(s AS NVARCHAR(MAX)), ',') WITHIN GROUP (ORDER BY CAST(CASE WHEN i IS NULL THEN 1 ELSE 0 END AS BIT), i) AS x FROM t",
      snowflake:
        "SELECT CASE WHEN count(S) > 0 THEN listagg(S, ',') WITHIN GROUP (ORDER BY I NULLS LAST) END AS x FROM T AS t",
      spark:
        "SELECT CASE WHEN size(array_sort(collect_list(named_struct('v', s, 'k0', i)) FILTER (WHERE s IS NOT NULL), (_l, _r) -> CASE WHEN _l.k0 IS NULL AND _r.k0 IS NOT NULL THEN 1 WHEN _l.k0 IS NOT NULL AND _r.k0 IS NULL THEN -1 WHEN _l.k0 < _r.k0 THEN -1 WHEN _l.k0 > _r.k0 THEN 1 ELSE 0 END).v) > 0 THEN array_join(array_sort(collect_list(named_struct('v', s, 'k0', i)) FILTER (WHERE s IS NOT NULL), (_l, _r) -> CASE WHEN _l.k0 IS NULL AND _r.k0 IS NOT NULL THEN 1 WHEN _l.k0 IS NOT NULL AND _r.k0 IS NULL THEN -1 WHEN _l.k0 < _r.k0 THEN -1 WHEN _l.k0 > _r.k0 THEN 1 ELSE 0 END).v, ',') END AS x FROM (SELECT CAST(_s.s AS STRING) AS s, _s.i AS i FROM t AS _s) AS t",
      redshift: "SELECT substring(listagg(',' || s) WITHIN GROUP (ORDER BY i), 2) AS x FROM t",
      trino: "SELECT array_join(array_agg(s ORDER BY i) FILTER (WHERE s IS NOT NULL), ',') AS x FROM t",
    },
  ],
  [
    "generate_series",
    "SELECT n FROM generate_series(1, 3) AS g(n)",
    {
      bigquery:
        "SELECT g.n FROM UNNEST(ARRAY(SELECT AS STRUCT _e AS n FROM UNNEST(CASE WHEN 1 <= 3 THEN GENERATE_ARRAY(1, 3, 1) END) AS _e WITH OFFSET AS _o ORDER BY _o)) AS g",
      clickhouse:
        "SELECT g.n FROM (SELECT arrayJoin(arrayMap(_i -> plus(1, 1 * toInt64(_i)), range(toUInt64(greatest(0, intDiv(minus(toInt128(3), 1), 1) + 1))))) AS n) AS g",
      oracle:
        "WITH g_series(n) AS (SELECT CAST(CAST(1 AS INTEGER) AS INTEGER) AS n FROM SYS.DUAL UNION ALL SELECT CAST(g_series.n + 1 AS INTEGER) AS n FROM g_series WHERE g_series.n + 1 <= 3) SELECT g.n FROM (SELECT g_series.n AS n FROM g_series WHERE g_series.n <= 3) g",
      postgres: "SELECT g.n FROM generate_series(1, 3) AS g(n)",
      doris: `SELECT g.n FROM (SELECT CAST(1 AS BIGINT) + _n.number * 1 AS n FROM numbers(number = 3) AS _n) AS g`,
      duckdb: "SELECT g.n FROM generate_series(1, 3) AS g(n)",
      mysql:
        "SELECT g.n FROM (WITH RECURSIVE g_series(n) AS (SELECT CAST(1 AS SIGNED) AS n UNION ALL SELECT g_series.n + 1 AS n FROM g_series WHERE g_series.n + 1 <= 3) SELECT g_series.n AS n FROM g_series WHERE g_series.n <= 3) AS g",
      mssql:
        "WITH g_series(n) AS (SELECT CAST(CAST(1 AS BIGINT) AS BIGINT) AS n UNION ALL SELECT CAST(g_series.n + 1 AS BIGINT) AS n FROM g_series WHERE g_series.n + 1 <= 3) SELECT g.n FROM (SELECT g_series.n AS n FROM g_series WHERE g_series.n <= 3) AS g OPTION (MAXRECURSION 0)",
      snowflake:
        "SELECT g.n FROM (SELECT CAST(_r.VALUE AS BIGINT) AS n FROM TABLE(FLATTEN(INPUT => ARRAY_GENERATE_RANGE(1, 3 + 1, 1))) AS _r) AS g",
      spark: "SELECT g.n FROM explode(CASE WHEN 1 <= 3 THEN sequence(1, 3, 1) END) AS g(n)",
      redshift:
        "WITH RECURSIVE g_series(n) AS (SELECT CAST(CAST(1 AS BIGINT) AS BIGINT) AS n UNION ALL SELECT CAST(g_series.n + 1 AS BIGINT) AS n FROM g_series WHERE g_series.n + 1 <= 3) SELECT g.n FROM (SELECT g_series.n AS n FROM g_series WHERE g_series.n <= 3) AS g",
      trino: "SELECT g.n FROM UNNEST(CASE WHEN 1 <= 3 THEN sequence(1, 3, 1) END) AS g(n)",
    },
  ],
  [
    "unnest",
    "SELECT x FROM unnest(ARRAY[1, 2]) AS u(x)",
    {
      bigquery:
        "SELECT u.x FROM UNNEST(ARRAY(SELECT AS STRUCT _e AS x FROM UNNEST(ARRAY[1, 2]) AS _e WITH OFFSET AS _o ORDER BY _o)) AS u",
      clickhouse: "SELECT u.x FROM (SELECT arrayJoin([1, 2]) AS x) AS u",
      oracle: "SELECT u.x FROM (SELECT 1 AS x FROM SYS.DUAL UNION ALL SELECT 2 AS x FROM SYS.DUAL) u",
      postgres: "SELECT u.x FROM unnest(ARRAY[1, 2]) AS u(x)",
      doris: "SELECT u.x FROM (SELECT 1 AS x UNION ALL SELECT 2 AS x) AS u",
      duckdb: "SELECT u.x FROM unnest(ARRAY[1, 2]) AS u(x)",
      mysql: "SELECT u.x FROM (SELECT 1 AS x UNION ALL SELECT 2 AS x) AS u",
      mssql: "SELECT u.x FROM (SELECT 1 AS x UNION ALL SELECT 2 AS x) AS u",
      snowflake: "SELECT u.x FROM (SELECT 1 AS x UNION ALL SELECT 2 AS x) AS u",
      spark: "SELECT u.x FROM explode(array(1, 2)) AS u(x)",
      redshift: "SELECT u.x FROM (SELECT 1 AS x UNION ALL SELECT 2 AS x) AS u",
      trino: "SELECT u.x FROM UNNEST(ARRAY[1, 2]) AS u(x)",
    },
  ],
];

describe.each(CONSTRUCTS)("%s", (_, sql, said) => {
  const ofMembers = Object.entries(MEMBERS).map(([member, root]) => [member, said[root]]);
  const all: Readonly<Partial<Record<PlannedSource, Expected>>> = { ...Object.fromEntries(ofMembers), ...said };

  test.each(Object.entries(all) as [PlannedSource, Expected][])("on %s", (source, expected) => {
    const plan = () => plain(planned(sql, manifest, { source }).sql);
    if (typeof expected === "string") expect(plan()).toBe(expected);
    else {
      const message = `not supported on ${targetOf(source).product}: ${expected.refused}`;
      expect(plan).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }));
    }
  });
});
