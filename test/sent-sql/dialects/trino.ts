/** Statements for Trino, Athena and Canner; `test/engines/trino-parity.test.ts` and `trino-members.test.ts` verify the answers. */
import { manifestOf, manifestOfTable } from "../../support/plan.ts";
import { over } from "./group.ts";

export const TRINO_TABLE = manifestOfTable({
  i: "INTEGER",
  l: "BIGINT",
  d: "DECIMAL(10,2)",
  f: "DOUBLE",
  r: "REAL",
  s: "VARCHAR",
  u: "VARCHAR",
  b: "BOOLEAN",
  day: "DATE",
  at: "TIMESTAMP",
  seen: "TIMESTAMPTZ",
  j: "JSON",
  a: "ARRAY<INTEGER>",
});

/** Two tables, one of which has an array. */
export const TRINO_TABLES = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "l",
      tableReference: { table: "l" },
      columns: [
        { name: "a", type: "INTEGER" },
        { name: "k", type: "INTEGER" },
        { name: "arr", type: "ARRAY(INTEGER)" },
      ],
    },
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "x", type: "INTEGER" },
        { name: "k", type: "INTEGER" },
      ],
    },
  ],
});

export const TRINO_TIMES = manifestOfTable({
  i: "INTEGER",
  s: "VARCHAR",
  day: "DATE",
  at: "TIMESTAMP",
  seen: "TIMESTAMPTZ",
  a: "ARRAY<INTEGER>",
  r: "ROW(x INTEGER)",
  m: "MAP(VARCHAR, INTEGER)",
});

export const TRINO = [
  ...over(TRINO_TABLE, {
    statements: [
      "SELECT nullif(r, 0.1) AS a, nullif(i, 1) AS b FROM t",
      "SELECT i / 2 AS q, d / 3 AS r, f / 2 AS s, i / f AS u FROM t",
      "SELECT d / 3 * 100.00 AS a, d / i * (d / 7) AS b FROM t",
      "SELECT sum(l) AS a, avg(i) AS b, avg(d) AS c, avg(r) AS e FROM t",
      "SELECT round(d, 1) AS a, round(i) AS b, round(f) AS c, trunc(d, -1) AS e, ceil(i) AS g FROM t",
      "SELECT 12345678901234567890 AS a, 1.5e3 AS b, 1e-3 AS c FROM t",
      "SELECT CAST(f AS integer) AS a, CAST(d AS integer) AS b, CAST(s AS integer) AS c FROM t",
      "SELECT CAST(d AS text) AS a, CAST(at AS text) AS b, CAST(seen AS text) AS c, CAST(b AS text) AS e FROM t",
      "SELECT CAST(s AS double precision) AS a, TRY_CAST(s AS date) AS b FROM t",
      "SELECT CAST(seen AS date) AS a, extract(hour FROM seen) AS b, date_trunc('day', seen) AS c FROM t",
      "SELECT s || i AS a, concat(s, b) AS c FROM t",
      "SELECT i FROM t WHERE s LIKE 'a\\_%' AND s ILIKE 'A%' AND s NOT LIKE '%x'",
      "SELECT i FROM t WHERE s ~ '^\\d+$' AND s !~* 'x|y'",
      "SELECT regexp_replace(s, '(a)b', '\\1$') AS a, regexp_replace(s, 'x', '', 'g') AS b FROM t",
      "SELECT b IS TRUE AS a, b IS NOT FALSE AS c, b IS UNKNOWN AS e FROM t",
      "SELECT (i, d) < (1, 2.5) AS a, (i, d) IS NULL AS c, (i, l) IN ((1, 2)) AS e FROM t",
      "SELECT greatest(i, 3) AS a, least(1, 2) AS c FROM t",
      "SELECT left(s, 2) AS a, right(s, -1) AS c, substring(s, 0, 3) AS e, btrim(s) AS g FROM t",
      "SELECT day + 1 AS a, day - DATE '2024-01-01' AS c, at + INTERVAL '1 month 2 days' AS e, day + i * INTERVAL '1 week' AS g FROM t",
      "SELECT date_diff('month', day, at) AS a, extract(dow FROM day) AS c, extract(second FROM at) AS e FROM t",
      "SELECT extract(epoch FROM at - seen) AS a FROM t",
      "SELECT to_char(at, 'YYYY-MM-DD HH24:MI') AS a, to_char(day, '\"Q\"Q') AS c FROM t",
      "SELECT TIMESTAMP '2024-01-01 10:00:00' AS a, TIMESTAMP WITH TIME ZONE '2024-01-01 10:00:00+02' AS c, TIME '10:00' AS e FROM t",
      "SELECT string_agg(s, ',' ORDER BY i) AS a, array_agg(i ORDER BY i) AS c FROM t",
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d) AS a, percentile_disc(0.9) WITHIN GROUP (ORDER BY s DESC) AS c, mode() WITHIN GROUP (ORDER BY i) AS e FROM t",
      "SELECT count(*) FILTER (WHERE b) AS a FROM t",
      "SELECT sum(i) FILTER (WHERE b) OVER (ORDER BY i) AS a FROM t",
      "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
      "SELECT i + 1 AS k, count(*) AS n FROM t GROUP BY GROUPING SETS ((i + 1), ())",
      "SELECT DISTINCT ON (s) s, i FROM t ORDER BY s, i DESC",
      "SELECT i FROM t QUALIFY row_number() OVER (PARTITION BY s ORDER BY i) = 1",
      "SELECT i FROM t ORDER BY i DESC NULLS FIRST, s LIMIT 5 OFFSET 2",
      "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
      "SELECT rank() OVER (ORDER BY i ROWS UNBOUNDED PRECEDING) AS a, lag(i) IGNORE NULLS OVER (ORDER BY l) AS c FROM t",
      "SELECT g FROM generate_series(1, 5) AS g ORDER BY g",
      "SELECT u.v FROM t, unnest(t.a) WITH ORDINALITY AS u(v, n)",
      "SELECT t.i, x.m FROM t CROSS JOIN LATERAL (SELECT max(t2.l) AS m FROM t AS t2 WHERE t2.i = t.i) AS x",
      "WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT n FROM c",
      "WITH c AS MATERIALIZED (SELECT i FROM t) SELECT i FROM c",
      "SELECT a[1] AS x, a[i] AS y, a[2:3] AS z, 3 = ANY (a) AS w FROM t",
      "SELECT j ->> 'k' AS a, j -> 0 AS c, j #>> '{a,b}' AS e FROM t",
      "SELECT at AT TIME ZONE 'Europe/Berlin' AS a, seen AT TIME ZONE 'UTC' AS c FROM t",
      "SELECT now() AS a, current_date AS c, localtimestamp AS e FROM t",
      "VALUES (1), ((SELECT max(i) FROM t))",
      "SELECT ln(f) AS a, i % 3 AS c, i ^ 2 AS e, -i AS g FROM t",
      "SELECT initcap(s) AS a, md5(s) AS c, split_part(s, ',', -1) AS e, to_hex(i) AS g FROM t",
    ],
  }),
  // The filter on `row_number() OVER ()` is a fence around the rule, and values are computed above it (docs/reference/access-rules.md).
  ...over(
    manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "ruled",
          tableReference: { table: "t" },
          columns: [
            { name: "i", type: "INTEGER" },
            { name: "q", type: "INTEGER", isCalculated: true, expression: "10 / i" },
          ],
          rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "i > 1" }],
        },
      ],
    }),
    {
      "over rows with an access rule": [
        "SELECT i FROM ruled",
        "SELECT q FROM ruled WHERE q > 2",
        "SELECT count(*) AS c FROM ruled",
      ],
    },
  ),
  ...over(TRINO_TABLES, {
    "correlated subqueries that Trino plans": [
      "SELECT l.a, (SELECT x FROM t WHERE t.k = l.k + 1 AND x > 1 ORDER BY x LIMIT 1) FROM l",
      "SELECT l.a, d.x FROM l LEFT JOIN LATERAL (SELECT x FROM t WHERE t.k = l.k ORDER BY x LIMIT 2) d ON TRUE",
      "SELECT l.a, (SELECT max(x) + l.a FROM t WHERE t.k = l.k AND x > l.a) FROM l",
      "SELECT l.a FROM l WHERE EXISTS (SELECT l.a FROM t WHERE t.k = l.k)",
      "SELECT l.a, (SELECT sum(e) FROM unnest(l.arr) AS u(e)) FROM l",
      "SELECT l.a, d.m FROM l JOIN LATERAL (SELECT min(x) AS m FROM t WHERE t.k = l.k) d ON TRUE",
      "SELECT l.a, (SELECT sum(x) FROM t WHERE t.k = l.k GROUP BY t.k HAVING sum(x) > 2) FROM l",
      "SELECT l.a, (SELECT sum(x) FROM t HAVING sum(x) > l.a) FROM l",
      "SELECT l.a FROM l WHERE 6 IN (SELECT x + 1 FROM t WHERE t.k < l.k)",
      "SELECT l.a, (SELECT sum(x) FROM t WHERE t.k = l.k AND x > (SELECT max(a) FROM l AS u WHERE u.a = x)) FROM l",
      "SELECT l.a, (SELECT l.a + (SELECT max(x) FROM t)) FROM l",
      "SELECT l.a, (SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM l AS u)) FROM t WHERE t.k = l.k) FROM l",
    ],
  }),
  // Functions that use the session's time zone on Trino are planned for UTC on Athena and Canner, where nothing is set for a statement.
  ...over(TRINO_TIMES, {
    "times with a zone": [
      "SELECT CAST(seen AS timestamp) AS x FROM t",
      "SELECT CAST(at AS timestamptz) AS x, CAST(s AS timestamptz) AS y, TRY_CAST(s AS timestamptz) AS z FROM t",
      "SELECT current_date AS x FROM t",
      "SELECT localtimestamp AS x FROM t",
      "SELECT i FROM t WHERE at < seen AND day BETWEEN seen AND now()",
      "SELECT coalesce(seen, at) AS x, CASE WHEN i > 1 THEN day ELSE seen END AS y FROM t",
      "SELECT max_by(at, seen) AS x FROM t",
    ],
  }),
];
