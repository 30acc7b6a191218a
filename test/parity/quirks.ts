/**
 * Defects of engines that `src/planner/dialects/<engine>/quirks/` plans around, one statement or more for each file, as the engine
 * itself takes it. A row fails once the installed engine answers rightly: then the file may go, unless a supported version needs it.
 */
export type QuirkyEngine = "duckdb" | "mysql" | "mariadb" | "clickhouse" | "trino" | "spark";

export interface Quirk {
  /** Below `src/planner/dialects/`. */
  readonly file: string;
  readonly engine: QuirkyEngine;
  /** Statements before it that make tables, which no other row names. */
  readonly tables?: readonly string[];
  readonly sql: string;
  /** The same question in PostgreSQL's words, where it has others. */
  readonly postgres?: string;
  /** Rows as `1,NULL; 2,x`, or words of an error. */
  readonly wrong: string | { readonly error: string };
  /** How often it is asked at most, if it is wrong by chance. */
  readonly attempts?: number;
  readonly right: string;
}

const MAY_BE_MISSING = "CREATE TABLE missing (a BIGINT, b BIGINT)";
const MISSING_ROWS = "INSERT INTO missing VALUES (123, 456), (123, 789), (5, 123), (6, NULL)";
const OF_MISSING =
  "SELECT count(*) FROM missing t LEFT JOIN (SELECT a AS x, 42 AS y FROM missing) d ON t.b = d.x WHERE 1 = (SELECT 1 FROM missing WHERE d.y IS NOT NULL LIMIT 1)";

const outerJoin = (engine: "mysql" | "mariadb"): Quirk => ({
  file: "mysql/quirks/outer-joins.ts",
  engine,
  tables: [MAY_BE_MISSING, MISSING_ROWS],
  sql: OF_MISSING,
  postgres: `WITH missing(a, b) AS (VALUES (123, 456), (123, 789), (5, 123), (6, NULL)) ${OF_MISSING}`,
  wrong: "5",
  right: "2",
});

const THREE_ROWS = "(SELECT 3 AS x, 1 AS y UNION ALL SELECT 2, 2 UNION ALL SELECT 1, 1) t";

/** Whether each row has a number of its own. */
const NUMBERED =
  "(SELECT count(DISTINCT k) = count(*) FROM (SELECT i, row_number() OVER () AS k FROM (SELECT i FROM generate_series(1, 200000) a(i) UNION ALL SELECT i FROM generate_series(1, 200000) a(i)) u) o JOIN (VALUES (1), (2)) b(c) ON o.i % 2 + 1 = b.c)";

export const QUIRKS: readonly Quirk[] = [
  {
    file: "duckdb/quirks/distinct-in-exists.ts",
    engine: "duckdb",
    sql: "SELECT x FROM (VALUES (1), (NULL)) t(x) WHERE EXISTS (SELECT 1 FROM (VALUES (2)) u(y) WHERE u.y IS DISTINCT FROM t.x) ORDER BY x NULLS LAST",
    wrong: "1",
    right: "1; NULL",
  },
  {
    file: "duckdb/quirks/empty-frames.ts",
    engine: "duckdb",
    sql: "SELECT count(*) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND 3 PRECEDING) FROM (VALUES (1), (2), (3)) t(x) ORDER BY x",
    wrong: "0; 0; -1",
    right: "0; 0; 0",
  },
  {
    file: "duckdb/quirks/equal-intervals.ts",
    engine: "duckdb",
    sql: "SELECT CAST(t + INTERVAL '1 month' AS date) - CAST(t + INTERVAL '30 days' AS date) FROM (VALUES (TIMESTAMP '2024-01-31 00:00:00')) v(t)",
    wrong: "0",
    right: "-1",
  },
  {
    file: "duckdb/quirks/frames-at-zero.ts",
    engine: "duckdb",
    sql: "SELECT count(*) OVER (ORDER BY x RANGE BETWEEN 0 FOLLOWING AND 0 FOLLOWING) AS n FROM (VALUES (1), (1)) t(x) ORDER BY n",
    wrong: "1; 2",
    right: "2; 2",
  },
  {
    file: "duckdb/quirks/interval-lengths.ts",
    engine: "duckdb",
    sql: "SELECT CAST(INTERVAL '2 days' - INTERVAL '1 hour' > INTERVAL '47:30:00' AS integer)",
    wrong: "1",
    right: "0",
  },
  {
    file: "duckdb/quirks/long-literals.ts",
    engine: "duckdb",
    sql: "SELECT CAST(0.015095650969126519 = CAST('0.015095650969126519' AS double precision) AS integer)",
    wrong: "0",
    right: "1",
  },
  {
    file: "duckdb/quirks/outer-joins.ts",
    engine: "duckdb",
    sql: "SELECT a.x, b.y FROM (VALUES (1), (2)) a(x) LEFT JOIN (VALUES (1)) b(y) ON a.x IN (SELECT 1) ORDER BY a.x",
    wrong: { error: "Cannot perform non-inner join on subquery" },
    right: "1,1; 2,NULL",
  },
  {
    file: "duckdb/quirks/outer-joins.ts",
    engine: "duckdb",
    sql: "SELECT o.k, (SELECT count(b.y) FROM (VALUES (1), (2)) a(x) LEFT JOIN (VALUES (1)) b(y) ON b.y = o.k) FROM (VALUES (1), (2)) o(k) ORDER BY o.k",
    wrong: { error: "Non-inner join on correlated columns not supported" },
    right: "1,2; 2,0",
  },
  {
    file: "duckdb/quirks/empty-sets.ts",
    engine: "duckdb",
    sql: "SELECT count(*) FROM (SELECT 1 FROM (VALUES (1)) u(x) WHERE x > 1 GROUP BY GROUPING SETS ((), ())) q",
    wrong: "1",
    right: "2",
  },
  {
    file: "duckdb/quirks/outer-sets.ts",
    engine: "duckdb",
    sql: "SELECT (SELECT count(*) FROM (SELECT 1 FROM (VALUES (1)) u(x) WHERE x > a GROUP BY GROUPING SETS ((), (), (a))) q) FROM (VALUES (1)) t(a)",
    wrong: "1",
    right: "2",
  },
  {
    file: "duckdb/quirks/rows-of-lists.ts",
    engine: "duckdb",
    sql: "SELECT string_agg(u, '') FROM (VALUES (ARRAY['a', 'b', 'c'])) t(a), unnest(t.a) x(u)",
    wrong: "cba",
    right: "abc",
  },
  {
    file: "duckdb/quirks/rows-of-lists.ts",
    engine: "duckdb",
    sql: "SELECT u FROM (VALUES (1, ARRAY['1']), (2, ARRAY['x'])) t(k, a), unnest(list_transform(t.a, lambda y: CAST(y AS integer))) x(u) WHERE k = 1",
    postgres:
      "SELECT CAST(u AS integer) FROM (VALUES (1, ARRAY['1']), (2, ARRAY['x'])) t(k, a), unnest(t.a) x(u) WHERE k = 1",
    wrong: { error: "Could not convert string 'x' to INT32" },
    right: "1",
  },
  {
    file: "duckdb/quirks/series.ts",
    engine: "duckdb",
    // The order of the rows is not known: the one of 200 that has a series is hardly the first.
    sql: "SELECT count(*) FROM (SELECT TIMESTAMP '2024-01-01 00:00:00' + abs(i - 100) * INTERVAL '1 day' AS a FROM generate_series(1, 200) r(i)) t, generate_series(t.a, TIMESTAMP '2024-01-01 00:00:00', INTERVAL '1 day') s(g)",
    wrong: "0",
    right: "1",
  },
  {
    file: "duckdb/quirks/streamed-windows.ts",
    engine: "duckdb",
    sql: `SELECT CAST(${NUMBERED} AS integer)`,
    attempts: 100,
    wrong: "0",
    right: "1",
  },
  {
    file: "duckdb/quirks/streamed-windows.ts",
    engine: "duckdb",
    sql: "SELECT x, first_value(x) OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS f FROM (VALUES (1), (2)) t(x) ORDER BY x",
    wrong: "1,1; 2,1",
    right: "1,1; 2,2",
  },
  {
    file: "mysql/quirks/bare-windows.ts",
    engine: "mariadb",
    sql: `SELECT x, sum(x) OVER () AS a, sum(x) OVER (ORDER BY x) AS b, sum(x) OVER (PARTITION BY y) AS c FROM ${THREE_ROWS} ORDER BY x`,
    wrong: "1,6,1,1; 2,6,3,2; 3,6,6,3",
    right: "1,6,1,4; 2,6,3,2; 3,6,6,4",
  },
  {
    file: "mysql/quirks/distinct-queries.ts",
    engine: "mysql",
    tables: ["CREATE TABLE nulls (n INT)", "INSERT INTO nulls VALUES (NULL), (1)"],
    sql: "SELECT count(DISTINCT (SELECT n FROM nulls WHERE n IS NULL)) FROM nulls",
    postgres: "WITH d(n) AS (VALUES (NULL), (1)) SELECT count(DISTINCT (SELECT n FROM d WHERE n IS NULL)) FROM d",
    wrong: "1",
    right: "0",
  },
  {
    file: "mysql/quirks/document-conditions.ts",
    engine: "mysql",
    tables: [
      "CREATE TABLE documents (id INT PRIMARY KEY, j JSON)",
      "INSERT INTO documents WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 300) SELECT i, CASE i % 2 WHEN 0 THEN '[\"x\"]' ELSE '[\"y\"]' END FROM r",
    ],
    sql: "SELECT count(*) FROM documents WHERE NOT EXISTS (SELECT 1 FROM JSON_TABLE(documents.j, '$[*]' COLUMNS (v LONGTEXT PATH '$')) e WHERE e.v = 'x')",
    postgres:
      "SELECT count(*) FROM generate_series(1, 300) t(i) WHERE NOT EXISTS (SELECT 1 FROM unnest(ARRAY[CASE i % 2 WHEN 0 THEN 'x' ELSE 'y' END]) e(v) WHERE e.v = 'x')",
    wrong: "300",
    right: "150",
  },
  {
    file: "mysql/quirks/keys-beside-doubles.ts",
    engine: "mysql",
    tables: [
      "CREATE TABLE big (d BIGINT, f DOUBLE, KEY (d))",
      "INSERT INTO big VALUES (9007199254740993, 9007199254740992)",
    ],
    sql: "SELECT count(*) FROM big a JOIN big b ON a.d = b.f",
    postgres:
      "WITH big(d, f) AS (VALUES (9007199254740993, CAST(9007199254740992 AS double precision))) SELECT count(*) FROM big a JOIN big b ON a.d = b.f",
    wrong: "0",
    right: "1",
  },
  {
    file: "mysql/quirks/keys-beside-doubles.ts",
    engine: "mariadb",
    tables: [
      "CREATE TABLE big (id INT PRIMARY KEY, d BIGINT, f DOUBLE, KEY (d))",
      "INSERT INTO big VALUES (1, 9007199254740993, 9007199254740992), (2, 9007199254740992, 1), (3, 3, 3)",
    ],
    sql: "SELECT id FROM big WHERE d IN (SELECT f FROM big) ORDER BY id",
    postgres:
      "WITH big(id, d, f) AS (VALUES (1, 9007199254740993, CAST(9007199254740992 AS double precision)), (2, 9007199254740992, 1), (3, 3, 3)) SELECT id FROM big WHERE d IN (SELECT f FROM big) ORDER BY id",
    wrong: "2; 3",
    right: "1; 2; 3",
  },
  outerJoin("mysql"),
  outerJoin("mariadb"),
  {
    file: "mysql/quirks/prepared-subqueries.ts",
    engine: "mariadb",
    tables: ["CREATE TABLE prepared (id INT)", "INSERT INTO prepared VALUES (1), (2)"],
    sql: "WITH w AS (SELECT id FROM prepared) SELECT (SELECT w.id + 1) FROM w",
    postgres: "WITH w AS (SELECT id FROM (VALUES (1), (2)) p(id)) SELECT (SELECT w.id + 1) FROM w",
    wrong: "NULL; NULL",
    right: "2; 3",
  },
  {
    file: "mysql/quirks/prepared-subqueries.ts",
    engine: "mariadb",
    tables: ["CREATE TABLE cut (id INT)", "INSERT INTO cut VALUES (1), (2)"],
    sql: "SELECT (SELECT d.x + 1) FROM (SELECT id AS x FROM cut LIMIT 10 OFFSET 0) d",
    postgres: "SELECT (SELECT d.x + 1) FROM (SELECT x FROM (VALUES (1), (2)) c(x) LIMIT 10 OFFSET 0) d",
    wrong: { error: "Unknown table 'd'" },
    right: "2; 3",
  },
  {
    file: "mysql/quirks/replaced-texts.ts",
    engine: "mysql",
    sql: "SELECT DISTINCT replace(s, 'x', 'it''s') FROM (SELECT 'x' AS s UNION ALL SELECT 'y') t ORDER BY 1",
    wrong: "it'; y",
    right: "it's; y",
  },
  {
    file: "mysql/quirks/shared-tables.ts",
    engine: "mysql",
    sql: "WITH c AS (SELECT 5 AS d UNION ALL SELECT 3 UNION ALL SELECT 5) SELECT d, count(*) FROM c WHERE NOT EXISTS (SELECT 1 FROM c AS m WHERE m.d = 7) GROUP BY d ORDER BY d",
    wrong: "5,1; 3,1; 5,1",
    right: "3,1; 5,2",
  },
  {
    file: "mysql/quirks/unsigned-members.ts",
    engine: "mariadb",
    tables: [
      "CREATE TABLE members (id INT PRIMARY KEY, n BIGINT UNSIGNED NULL)",
      "INSERT INTO members VALUES (1, 5), (2, NULL), (3, 7)",
    ],
    sql: "SELECT count(id - 5 NOT IN (SELECT n FROM members)) FROM members",
    postgres:
      "WITH members(id, n) AS (VALUES (1, 5), (2, NULL), (3, 7)) SELECT count(id - 5 NOT IN (SELECT n FROM members)) FROM members",
    wrong: "3",
    right: "0",
  },
  {
    file: "clickhouse/quirks/constant-keys.ts",
    engine: "clickhouse",
    sql: "SELECT count(*) FROM (SELECT 1 AS k FROM (SELECT 1 AS x) a CROSS JOIN (SELECT 2 AS y) b) q LEFT JOIN (SELECT 1 AS k) c ON q.k = c.k",
    wrong: { error: "Cannot determine join keys in JOIN ON expression" },
    right: "1",
  },
  {
    file: "spark/quirks/cut-tables.ts",
    engine: "spark",
    sql: "SELECT d.x, (SELECT max(y) FROM (VALUES (1), (2)) AS u(y) WHERE u.y = d.x) AS n FROM (SELECT x FROM (VALUES (2), (1)) AS t(x) ORDER BY x LIMIT 1) AS d",
    wrong: "2,2",
    right: "1,1",
  },
  {
    file: "spark/quirks/nested-aggregates.ts",
    engine: "spark",
    sql: "SELECT (SELECT max((SELECT max(z) FROM (VALUES (1)) AS w(z) WHERE w.z = u.y)) FROM (VALUES (1)) AS u(y) WHERE u.y = t.x) AS n FROM (VALUES (1)) AS t(x)",
    wrong: { error: "Cannot generate code for expression: outer(" },
    right: "1",
  },
  {
    file: "spark/quirks/null-aware.ts",
    engine: "spark",
    sql: "SELECT x, x IN (SELECT y FROM (VALUES (1), (NULL)) AS u(y)) AS a FROM (VALUES (1), (2)) AS t(x) ORDER BY x",
    wrong: "1,true; 2,false",
    right: "1,true; 2,NULL",
  },
  {
    file: "trino/quirks/early-times.ts",
    engine: "trino",
    sql: "SELECT CAST(CAST(TIMESTAMP '1969-12-31 10:20:30.25' AS time(2)) AS varchar)",
    wrong: "10:20:29.25",
    right: "10:20:30.25",
  },
  {
    file: "trino/quirks/ends-of-texts.ts",
    engine: "trino",
    sql: "SELECT s, regexp_like(s, 'b?\\z') FROM (VALUES 'ab', 'é') AS t(s) ORDER BY s",
    postgres: "SELECT s, s ~ 'b?$' FROM (VALUES ('ab'), ('é')) AS t(s) ORDER BY s COLLATE \"C\"",
    wrong: "ab,true; é,false",
    right: "ab,true; é,true",
  },
];

export const quirksOf = (engine: QuirkyEngine): readonly Quirk[] => QUIRKS.filter((quirk) => quirk.engine === engine);
