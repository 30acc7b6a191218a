/** Statements for SQL Server, by its manual. */
import { manifestOfTable } from "../../support/plan.ts";
import { conditions, over, values } from "./group.ts";

export const MSSQL_TABLE = manifestOfTable({
  id: "INT",
  s: "NVARCHAR",
  n: "DECIMAL(12,2)",
  f: "FLOAT",
  b: "BIT",
  d: "DATE",
  ts: "DATETIME2",
  tz: "DATETIMEOFFSET",
  j: "JSON",
  version: "TIMESTAMP",
});

export const MSSQL_160_TABLE = manifestOfTable({ id: "integer", n: "integer", at: "timestamp" });

/** Supported from database level 160 on (SQL Server 2022), and refused below. */
export const MSSQL_160: readonly string[] = [
  "SELECT id, last_value(n) IGNORE NULLS OVER (ORDER BY id) AS last FROM t",
  "SELECT date_trunc('millisecond', at) AS at FROM t",
  "SELECT date_trunc('microseconds', at) AS at FROM t",
  "SELECT t.id, s.i FROM t CROSS JOIN LATERAL generate_series(t.id, t.n) AS s(i)",
  "SELECT t.id, s.i FROM t LEFT JOIN LATERAL generate_series(t.n, 1, -1) AS s(i) ON TRUE",
];

export const MSSQL = [
  ...over(MSSQL_TABLE, {
    "conditions and values": [
      "SELECT b FROM t WHERE b",
      "SELECT id FROM t WHERE NOT b OR TRUE",
      "SELECT TRUE AS x FROM t",
      "SELECT id IS NULL AS x FROM t",
      "SELECT id > 1 AS x FROM t",
      "SELECT id FROM t WHERE b IS NOT TRUE",
      "SELECT id FROM t WHERE b IS UNKNOWN",
      "SELECT CASE WHEN b THEN 1 END AS x FROM t",
      "SELECT bool_or(b) AS x FROM t",
    ],
    "a key of GROUP BY within a cast": ["SELECT extract(year FROM d)::int AS x FROM t GROUP BY extract(year FROM d)"],
    "bits, and integers beyond 32 bits, whose literals are decimals": values([
      "id # 3",
      "(id & 3) + (id | 4)",
      "5000000000 / id",
      "id::bigint & -5000000000",
      "id >> 4",
    ]),
    "limits and orders": [
      "SELECT id FROM t LIMIT 3",
      "SELECT id FROM t LIMIT 0 OFFSET 2",
      "SELECT id FROM t OFFSET 2",
      "SELECT id FROM t LIMIT 3 OFFSET 2",
      "SELECT id FROM t ORDER BY id DESC",
      "SELECT q.id FROM (SELECT id FROM t ORDER BY id) AS q",
      "SELECT DISTINCT id FROM t LIMIT 2",
      "SELECT row_number() OVER () AS x FROM t",
      "SELECT sum(id) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
    ],
    texts: [
      "SELECT id FROM t WHERE s = 'a'",
      "SELECT id FROM t WHERE s = 'é'",
      "SELECT id FROM t WHERE s <> 'a'",
      "SELECT id FROM t WHERE s LIKE '[!]%'",
      "SELECT id FROM t WHERE s LIKE 'a%'",
      "SELECT count(DISTINCT s) AS x FROM t",
      "SELECT DISTINCT s FROM t",
      "SELECT id FROM t WHERE n IS DISTINCT FROM NULL",
      "SELECT count(*) FILTER (WHERE n IS DISTINCT FROM id) AS x FROM t",
      "SELECT id FROM t WHERE s IS NOT DISTINCT FROM 'a'",
      "SELECT s || 'x' AS x FROM t",
      "SELECT CAST(s AS int) AS x FROM t",
    ],
    "conditions with a regular expression": conditions([
      "s ~ '[0-9]'",
      "s !~ '^é'",
      "regexp_like(s, 'é-', 'i')",
      "s ~ '^\\d+$'",
      "s ~ '(a|b)$'",
      "s SIMILAR TO '[A-Z]{3}[0-9]'",
    ]),
    "values of a regular expression": values([
      "regexp_replace(s, '-', '', 'g')",
      "regexp_replace(s, '[abc]', '*', 'g')",
      "regexp_replace(s, '\\D', '', 'g')",
      "regexp_replace(s, '[ab]+', '-', 'g')",
      "regexp_replace(s, ' +', ' ', 'g')",
      // the first match
      "regexp_replace(s, 'a\\d$', 'b')",
      // a part of the first match
      "substring(s FROM '#([0-9]+)')",
    ]),
    "numbers and times": [
      "SELECT id / 2 AS x FROM t",
      "SELECT sum(n) + 0.125 AS x FROM t",
      "SELECT sum(n) / id AS x FROM t GROUP BY id",
      "SELECT lag(n, 1, 0.125) OVER (ORDER BY id) AS x FROM t",
      "SELECT extract(year FROM d) / 10 AS x FROM t",
      "SELECT (n * n * n * n) AS x FROM t",
      "SELECT stddev(n) / avg(n) AS x FROM t",
      "SELECT n / (SELECT sum(n) FROM t) AS x FROM t",
      "SELECT avg(id::numeric) AS x FROM t",
      "SELECT f::numeric(12,2) AS x FROM t",
      "SELECT ts + INTERVAL '1 day 01:00:00.5' AS x FROM t",
      "SELECT n / id AS x FROM t",
      "SELECT avg(id) AS x FROM t",
      "SELECT CAST(n AS int) AS x FROM t",
      "SELECT d + INTERVAL '1 month' AS x FROM t",
      "SELECT ts + INTERVAL '1 hour' AS x FROM t",
      "SELECT extract(hour FROM tz) AS x FROM t",
      "SELECT date_diff('day', d, ts) AS x FROM t",
      "SELECT d - DATE '2024-01-31' AS x FROM t",
    ],
    "parts of texts and documents": [
      "SELECT j ->> 'a' AS x FROM t",
      "SELECT id FROM t WHERE starts_with(s, 'a_')",
      "SELECT split_part(s, '-', 1) AS x FROM t",
      "SELECT octet_length(s) AS x FROM t",
      "SELECT repeat(s, id) AS x FROM t",
      "SELECT concat(b, 'x') AS x FROM t",
      "SELECT id FROM t WHERE (id, s) > (1, 'a')",
      "SELECT extract(day FROM ts - d) AS x FROM t",
      "SELECT TIME '10:00:00' AS x, ts::time AS y FROM t",
      "SELECT to_timestamp(id) AS x FROM t",
    ],
    tables: [
      "SELECT q.n FROM (WITH x AS (SELECT id AS n FROM t) SELECT n FROM x) AS q",
      "SELECT q.n FROM t LEFT JOIN LATERAL (SELECT t.id + 1 AS n) AS q ON q.n > 2",
      "WITH RECURSIVE x(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, s || 'b' FROM x WHERE n < 3) SELECT n, s FROM x",
      "SELECT id FROM t UNION SELECT 2",
      "SELECT s, id FROM t EXCEPT SELECT 'x', 1",
      "SELECT q.n FROM t, LATERAL (SELECT t.id AS n) AS q",
      "SELECT * FROM (VALUES (1), (2)) AS v(a)",
    ],
  }),
  ...over(MSSQL_160_TABLE, {
    "supported from level 160 on": MSSQL_160,
    "not supported on any level": [
      "SELECT s.i FROM t CROSS JOIN LATERAL generate_series(t.n, 2, t.n) AS s(i)",
      "SELECT s.i FROM t CROSS JOIN LATERAL generate_series(t.at, t.at, INTERVAL '1 day') AS s(i)",
      "SELECT nth_value(n, 2) IGNORE NULLS OVER (ORDER BY id) AS a FROM t",
      "SELECT date_trunc('fortnight', at) AS at FROM t",
    ],
  }),
];
