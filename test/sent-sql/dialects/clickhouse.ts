/** Statements for ClickHouse, where its own operators, joins and names have another meaning than PostgreSQL's. */
import type { Manifest } from "../../../src/planner/index.ts";
import { manifestOf, manifestOfTable } from "../../support/plan.ts";
import { over, within } from "./group.ts";

export const CLICKHOUSE_TABLE = manifestOfTable({
  id: "Int32",
  big: "Int64",
  s: "LowCardinality(Nullable(String))",
  c: "FixedString(4)",
  o: "Point",
  n: "Decimal(12, 2)",
  long: "Decimal",
  f: "Float64",
  b: "Bool",
  u: "UUID",
  d: "Date",
  j: "json",
  iv: "interval",
  tm: "Time64(6)",
  ts: "DateTime",
});

/** A model with an access rule, and another of the same table without one. */
export function ruledTable(name: string): Manifest {
  const table = { tableReference: { table: "t" } };
  const plain = [
    { name: "i", type: "Int32" },
    { name: "s", type: "String" },
  ];
  const n = { name: "n", type: "Int32", isCalculated: true, expression: "length(s)" };
  const rowLevelAccessControls = [{ name: "own", requiredProperties: [], condition: "i > 1" }];
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      { name, ...table, columns: [...plain, n], rowLevelAccessControls },
      { name: "other", ...table, columns: plain },
    ],
  });
}

export const CLICKHOUSE = [
  ...over(CLICKHOUSE_TABLE, {
    "numbers have a wider type while they are computed, and are cast back by casts that fail": [
      "SELECT id + 1 AS x FROM t",
      "SELECT id / 2 AS x FROM t",
      "SELECT id + CAST(NULL AS integer) AS x FROM t",
      "SELECT NULL * id AS x FROM t",
      "SELECT f / 2 AS x FROM t",
      "SELECT -5 AS x FROM t",
      "SELECT sum(id) AS x FROM t",
      "SELECT sum(big) AS x FROM t",
      "SELECT n FROM t WHERE n > 0.05",
      "SELECT n * 1.1 AS x FROM t",
      "SELECT CAST(big AS integer) AS x FROM t",
      "SELECT CAST(n AS integer) AS x FROM t",
    ],
    NULL: [
      "SELECT id FROM t WHERE id IN (1, NULL)",
      "SELECT CASE s WHEN 'a' THEN 1 END AS x FROM t",
      "SELECT concat(s, 'x') AS x FROM t",
      "SELECT lag(id) OVER (ORDER BY id) AS x FROM t",
      "SELECT first_value(id) OVER (ORDER BY id) AS x FROM t",
      "SELECT id FROM t WHERE b IS NOT TRUE",
    ],
    "texts, times and results": [
      "SELECT length(s) AS x FROM t",
      "SELECT id FROM t WHERE s LIKE 'a!%b\\_' ESCAPE '!'",
      "SELECT s FROM t ORDER BY s",
      "SELECT d + 1 AS x FROM t",
      "SELECT date_trunc('week', ts) AS x FROM t",
      "SELECT id > 1 AS x FROM t",
      "SELECT count(*) AS x FROM t",
      "SELECT count(*) + 1 AS x FROM t",
      "SELECT id FROM t UNION SELECT big FROM t LIMIT 1",
      "SELECT DISTINCT id FROM t ORDER BY id",
      "SELECT id FROM t UNION SELECT 1 EXCEPT SELECT 2",
      // ClickHouse resolves an alias wherever its name is read.
      "WITH x AS (SELECT 1 AS id) SELECT x.id FROM t AS x CROSS JOIN x AS y",
      "WITH x AS (SELECT 1 AS id) SELECT id FROM x",
      // The two zeros of a double are one value.
      "SELECT f, count(*) AS n FROM t GROUP BY f",
      // ClickHouse's grammar allows no parenthesis after WITH.
      "WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION ALL SELECT id FROM t UNION ALL SELECT big FROM t",
      "WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION SELECT id FROM t EXCEPT SELECT big FROM t",
    ],
    "differences of times are microseconds, and so are times of day": [
      "SELECT ts - d AS x FROM t",
      "SELECT id FROM t WHERE ts - ts > INTERVAL '1 day 01:00'",
      "SELECT id FROM t WHERE tm >= '10:00'",
      "SELECT id FROM t WHERE tm IN ('10:00')",
      "SELECT ts::time AS x FROM t",
      "SELECT tm + INTERVAL '30 minutes' AS x FROM t",
      "SELECT lag(id, 1, 0) OVER (ORDER BY id) AS x FROM t",
      "SELECT count(DISTINCT (id, s)) AS x FROM t",
      "SELECT n % 0.7 AS x FROM t",
      "SELECT (regexp_match(s, '([a-z])-([0-9])'))[2] AS x FROM t",
    ],
    "joins, orders and parts of texts": [
      "SELECT a.id FROM t AS a LEFT JOIN t AS x ON a.big < x.big",
      "SELECT a.id FROM t AS a LEFT JOIN t AS x ON a.big = x.big AND a.id < x.id",
      "SELECT u FROM t ORDER BY u",
      "SELECT split_part(s, '-', 1) AS x FROM t",
    ],
    "correlated subqueries": [
      // The subquery keeps its columns beside the value, and its own groups, so that duplicates of the outer query do not multiply.
      "SELECT (SELECT count(*) FROM t AS x WHERE x.big = u.big) AS m FROM t AS u",
      // Operands that may be NULL, and rows selected by IN, are looked up in a set.
      "SELECT u.id FROM t AS u WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.big = u.big AND x.s = u.s AND x.id > 1)",
      "SELECT id FROM t WHERE big NOT IN (SELECT id FROM t)",
    ],
  }),
  ...over(ruledTable("ruled"), {
    "over rows with an access rule": [
      "SELECT i FROM ruled",
      "SELECT n FROM ruled WHERE i < 3",
      "SELECT count(*) AS c FROM ruled",
    ],
  }),
  ...over(ruledTable("t"), {
    "a model that is named like its table": [
      "SELECT i FROM t",
      "SELECT a.i FROM t AS a JOIN t ON a.i = t.i",
      "SELECT i FROM t WHERE i IN (SELECT i FROM t)",
      "SELECT i, (SELECT max(z.i) FROM t AS z) AS x FROM t",
    ],
  }),
  ...over(manifestOfTable({ o: "INTEGER", p: "VARCHAR", n: "INTEGER" }), {
    "chains of inner joins that become cross joins": within("SELECT count(*) FROM ", "", [
      "t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o AND b.p < c.p",
      "t a JOIN t b ON a.n < b.n JOIN t c ON a.o = c.o AND b.o = c.o",
      "t a JOIN t b ON a.p <> b.p JOIN t c ON a.o = c.o JOIN t d ON d.p = b.p AND d.n = c.n",
      "t a JOIN t b ON a.p < b.p AND a.o > 3 JOIN t c ON a.o = c.o AND b.o = c.o WHERE a.n / b.n > 1",
      "t a JOIN t b ON a.n < b.n AND a.p IS NOT NULL JOIN t c ON a.p = c.p AND b.p = c.p",
      // conditions of WHERE follow those of the joins
      "t a JOIN t b ON a.n < b.n JOIN t c ON a.o = c.o AND b.o = c.o WHERE c.n > 1",
    ]),
    "chains of inner joins that stay as they are": within("SELECT count(*) FROM ", "", [
      // two tables
      "t a JOIN t b ON a.p < b.p",
      // an equality in each ON
      "t a JOIN t b ON a.o = b.o AND a.p < b.p JOIN t c ON b.o = c.o AND b.p < c.p",
      // no equality at all
      "t a JOIN t b ON a.p < b.p JOIN t c ON b.p < c.p",
      // an equality of other tables
      "t a JOIN t b ON a.p < b.p JOIN t c ON c.o = a.o",
      // an outer join
      "t a JOIN t b ON a.p < b.p LEFT JOIN t c ON a.o = c.o AND b.o = c.o",
      // a condition that may fail
      "t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o AND 1 / c.n > 0",
      // an equality of one table
      "t a JOIN t b ON a.p < b.p JOIN t c ON a.o = a.n AND b.o = c.o",
    ]),
    "chains of inner joins in common tables and subqueries": [
      "WITH x AS (SELECT a.o FROM t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o) SELECT o FROM x WHERE o IN (SELECT a.o FROM t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o)",
    ],
  }),
];
