/** Constructs of the input language as SQL Server says them, by the manual; what it cannot say is refused. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
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

function said(sql: string): string {
  return planned(sql, manifest, { source: "mssql" })
    .sql.replaceAll("Latin1_General_100_BIN2_UTF8", "EXACT")
    .replaceAll("[t] AS [t]", "[t]")
    .replaceAll("[t].", "")
    .replaceAll(/\[(\w+)\]/g, "$1");
}

describe("conditions and values", () => {
  test.each([
    ["SELECT b FROM t WHERE b", "SELECT b FROM t WHERE b = 1"],
    ["SELECT id FROM t WHERE NOT b OR TRUE", "SELECT id FROM t WHERE NOT (b = 1) OR 1 = 1"],
    ["SELECT TRUE AS x FROM t", "SELECT CAST(1 AS BIT) AS x FROM t"],
    ["SELECT id IS NULL AS x FROM t", "SELECT CAST(CASE WHEN id IS NULL THEN 1 ELSE 0 END AS BIT) AS x FROM t"],
    [
      "SELECT id > 1 AS x FROM t",
      "SELECT CAST(CASE WHEN id > 1 THEN 1 WHEN NOT (id > 1) THEN 0 END AS BIT) AS x FROM t",
    ],
    ["SELECT id FROM t WHERE b IS NOT TRUE", "SELECT id FROM t WHERE CASE WHEN b = 1 THEN 1 ELSE 0 END = 0"],
    ["SELECT id FROM t WHERE b IS UNKNOWN", "SELECT id FROM t WHERE b IS NULL"],
    ["SELECT CASE WHEN b THEN 1 END AS x FROM t", "SELECT CASE WHEN b = 1 THEN 1 END AS x FROM t"],
    ["SELECT bool_or(b) AS x FROM t", "SELECT CAST(max(CAST(b AS INT)) AS BIT) AS x FROM t"],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

test("what rows are grouped by stays as it is within a cast", () => {
  expect(said("SELECT extract(year FROM d)::int AS x FROM t GROUP BY extract(year FROM d)")).toBe(
    "SELECT CAST(CAST(DATEPART(YEAR, d) AS BIGINT) AS INT) AS x FROM t GROUP BY CAST(DATEPART(YEAR, d) AS BIGINT)",
  );
});

describe("bits, and integers beyond 32 bits, whose literals are decimals", () => {
  test.each([
    ["id # 3", "id ^ 3"],
    ["(id & 3) + (id | 4)", "(id & 3) + (id | 4)"],
    ["5000000000 / id", "CAST(5000000000 AS BIGINT) / id"],
    ["id::bigint & -5000000000", "CAST(id AS BIGINT) & CAST(-5000000000 AS BIGINT)"],
    ["id >> 4", "(id & -16) / 16"],
  ])("%s", (sql, text) => expect(said(`SELECT ${sql} AS x FROM t`)).toBe(`SELECT ${text} AS x FROM t`));
});

describe("limits and orders", () => {
  test.each([
    ["SELECT id FROM t LIMIT 3", "SELECT TOP (3) id FROM t"],
    ["SELECT id FROM t LIMIT 0 OFFSET 2", "SELECT TOP (0) id FROM t"],
    ["SELECT id FROM t OFFSET 2", "SELECT id FROM t ORDER BY (SELECT NULL) OFFSET 2 ROWS"],
    [
      "SELECT id FROM t LIMIT 3 OFFSET 2",
      "SELECT id FROM t ORDER BY (SELECT NULL) OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
    ],
    ["SELECT id FROM t ORDER BY id DESC", "SELECT id FROM t ORDER BY id DESC"],
    ["SELECT q.id FROM (SELECT id FROM t ORDER BY id) AS q", "SELECT q.id FROM (SELECT id FROM t) AS q"],
    ["SELECT DISTINCT id FROM t LIMIT 2", "SELECT TOP (2) _s1.id FROM (SELECT DISTINCT id FROM t) AS _s1"],
    ["SELECT row_number() OVER () AS x FROM t", "SELECT row_number() OVER (ORDER BY (SELECT NULL)) AS x FROM t"],
    [
      "SELECT sum(id) OVER w AS x FROM t WINDOW w AS (PARTITION BY b)",
      "SELECT sum(CAST(id AS BIGINT)) OVER (PARTITION BY b) AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("texts", () => {
  test.each([
    ["SELECT id FROM t WHERE s = 'a'", "SELECT id FROM t WHERE s = 'a' AND (s + '.') COLLATE EXACT = 'a.'"],
    ["SELECT id FROM t WHERE s = 'é'", "SELECT id FROM t WHERE s = N'é' AND (s + '.') COLLATE EXACT = N'é.'"],
    ["SELECT id FROM t WHERE s <> 'a'", "SELECT id FROM t WHERE (s + '.') COLLATE EXACT <> 'a.'"],
    ["SELECT id FROM t WHERE s LIKE '[!]%'", "SELECT id FROM t WHERE (s + '.') COLLATE EXACT LIKE '|[!]%.' ESCAPE '|'"],
    ["SELECT id FROM t WHERE s LIKE 'a%'", "SELECT id FROM t WHERE s LIKE 'a%' AND (s + '.') COLLATE EXACT LIKE 'a%.'"],
    ["SELECT count(DISTINCT s) AS x FROM t", "SELECT count_big(DISTINCT (s + '.') COLLATE EXACT) AS x FROM t"],
    [
      "SELECT DISTINCT s FROM t",
      "SELECT (s) COLLATE EXACT AS s FROM t GROUP BY (s) COLLATE EXACT, datalength((s) COLLATE EXACT)",
    ],
    ["SELECT id FROM t WHERE n IS DISTINCT FROM NULL", "SELECT id FROM t WHERE n IS NOT NULL"],
    [
      "SELECT count(*) FILTER (WHERE n IS DISTINCT FROM id) AS x FROM t",
      "SELECT count_big(CASE WHEN CASE WHEN n = id THEN CAST(0 AS BIT) WHEN n IS NULL AND id IS NULL THEN CAST(0 AS BIT) ELSE CAST(1 AS BIT) END = 1 THEN 1 END) AS x FROM t",
    ],
    [
      "SELECT id FROM t WHERE s IS NOT DISTINCT FROM 'a'",
      "SELECT id FROM t WHERE CASE WHEN (s + '.') COLLATE EXACT = 'a.' THEN CAST(1 AS BIT) ELSE CAST(0 AS BIT) END = 1",
    ],
    ["SELECT s || 'x' AS x FROM t", "SELECT CAST(s AS NVARCHAR(MAX)) + 'x' AS x FROM t"],
    [
      "SELECT CAST(s AS int) AS x FROM t",
      "SELECT CAST(CASE WHEN s LIKE '%[0-9]%' THEN s ELSE s + '!' END AS INT) AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

/** `test/engines/like-classes.test.ts` compares the patterns with PostgreSQL's. */
describe("regular expressions", () => {
  test.each([
    ["s ~ '[0-9]'", "(s + '.') COLLATE EXACT LIKE '%[0-9]%.'"],
    ["s !~ '^é'", "NOT ((s + '.') COLLATE EXACT LIKE N'é%.')"],
    ["regexp_like(s, 'é-', 'i')", "(s + '.') COLLATE EXACT LIKE N'%[éÉ]-%.'"],
    ["s ~ '^\\d+$'", "(s + '.') COLLATE EXACT LIKE '[0-9]%.' AND (s + '.') COLLATE EXACT NOT LIKE '%[^0-9]%.'"],
    ["s ~ '(a|b)$'", "(s + '.') COLLATE EXACT LIKE '%a.' OR (s + '.') COLLATE EXACT LIKE '%b.'"],
    ["s SIMILAR TO '[A-Z]{3}[0-9]'", "(s + '.') COLLATE EXACT LIKE '[A-Z][A-Z][A-Z][0-9].'"],
  ])("%s", (condition, text) =>
    expect(said(`SELECT id FROM t WHERE ${condition}`)).toBe(`SELECT id FROM t WHERE ${text}`),
  );

  const TEXT = "(CAST(s AS NVARCHAR(MAX))) COLLATE EXACT";
  const DIGITS = `replace((translate(${TEXT}, '0123456789', '0000000000')) COLLATE EXACT, '0', '') + '~'`;
  const SAME = `translate(${TEXT}, ${DIGITS}, replicate(CAST('~' AS NVARCHAR(MAX)), len((${DIGITS}) COLLATE EXACT)))`;

  test.each([
    ["regexp_replace(s, '-', '', 'g')", `replace(${TEXT}, '-', '')`],
    ["regexp_replace(s, '[abc]', '*', 'g')", `replace((translate(${TEXT}, 'abc', 'aaa')) COLLATE EXACT, 'a', '*')`],
    ["regexp_replace(s, '\\D', '', 'g')", `replace((${SAME}) COLLATE EXACT, '~', '')`],
    [
      "regexp_replace(s, '[ab]+', '-', 'g')",
      `replace((replace((replace((translate(${TEXT}, 'ab', 'aa')) COLLATE EXACT, 'a', 'ab')) COLLATE EXACT, 'ba', '')) COLLATE EXACT, 'ab', '-')`,
    ],
    [
      "regexp_replace(s, ' +', ' ', 'g')",
      `replace((replace((replace((replace((replace(${TEXT}, '!', '!a')) COLLATE EXACT, ' ', ' !b')) COLLATE EXACT, '!b ', '')) COLLATE EXACT, ' !b', ' ')) COLLATE EXACT, '!a', '!')`,
    ],
  ])("%s", (expression, text) => {
    expect(said(`SELECT ${expression} AS x FROM t`)).toBe(`SELECT (${text}) COLLATE DATABASE_DEFAULT AS x FROM t`);
  });

  test("the first match", () => {
    expect(said("SELECT regexp_replace(s, 'a\\d$', 'b') AS x FROM t")).toBe(
      "SELECT (CASE WHEN (CAST(s AS NVARCHAR(MAX)) + '.') COLLATE EXACT LIKE '%a[0-9].' THEN left((CAST(s AS NVARCHAR(MAX))) COLLATE EXACT, patindex('%a[0-9].', (CAST(s AS NVARCHAR(MAX)) + '.') COLLATE EXACT) - 1) + 'b' + substring((CAST(s AS NVARCHAR(MAX))) COLLATE EXACT, patindex('%a[0-9].', (CAST(s AS NVARCHAR(MAX)) + '.') COLLATE EXACT) + 2, 2147483647) ELSE (CAST(s AS NVARCHAR(MAX))) COLLATE EXACT END) COLLATE DATABASE_DEFAULT AS x FROM t",
    );
  });

  test("a part of the first match", () => {
    const [exact, ended] = [
      "(CAST(s AS NVARCHAR(MAX))) COLLATE EXACT",
      "(CAST(s AS NVARCHAR(MAX)) + '.') COLLATE EXACT",
    ];
    const place = `patindex('%#[0-9]%.', ${ended})`;
    const rest = `(substring(${exact}, ${place} + 2, 2147483647) + '~') COLLATE EXACT`;
    expect(said("SELECT substring(s FROM '#([0-9]+)') AS x FROM t")).toBe(
      `SELECT (CASE WHEN ${ended} LIKE '%#[0-9]%.' THEN substring(${exact}, ${place} + 1, patindex('%[^0-9]%', ${rest}) - 1 + 1) END) COLLATE DATABASE_DEFAULT AS x FROM t`,
    );
  });

  test.each([
    ["s ~ '\\w'", "the regular expression"],
    ["s ~ '^.$'", "the regular expression"],
    ["s ~ s", "the regular expression"],
    ["regexp_replace(s, '(a)', '\\1') = ''", "a match in its own replacement"],
    ["regexp_replace(s, '[^a]', '-', 'g') = ''", "regexp_replace of this pattern"],
    ["regexp_replace(s, 'ab', '-', 'g') = ''", "regexp_replace of this pattern"],
    ["regexp_replace(s, 'a|b', '-') = ''", "regexp_replace of this pattern"],
    ["regexp_replace(s, 'a+?', '-') = ''", "regexp_replace of this pattern"],
    ["regexp_substr(s, 'a|b') = ''", "the match of this regular expression"],
  ])("%s is refused", (condition, why) => expect(() => said(`SELECT id FROM t WHERE ${condition}`)).toThrow(why));
});

describe("numbers and times", () => {
  test.each([
    ["SELECT id / 2 AS x FROM t", "SELECT id / 2 AS x FROM t"],
    ["SELECT sum(n) + 0.125 AS x FROM t", "SELECT CAST(sum(n) AS DECIMAL(24, 2)) + 0.125 AS x FROM t"],
    [
      "SELECT sum(n) / id AS x FROM t GROUP BY id",
      "SELECT CAST(sum(n) AS DECIMAL(20, 2)) / CAST(id AS DECIMAL(18, 0)) AS x FROM t GROUP BY id",
    ],
    [
      "SELECT lag(n, 1, 0.125) OVER (ORDER BY id) AS x FROM t",
      "SELECT lag(CAST(n AS DECIMAL(21, 3)), 1, 0.125) OVER (ORDER BY CAST(CASE WHEN id IS NULL THEN 1 ELSE 0 END AS BIT), id) AS x FROM t",
    ],
    [
      "SELECT extract(year FROM d) / 10 AS x FROM t",
      "SELECT CAST(CAST(CAST(DATEPART(YEAR, d) AS BIGINT) AS DECIMAL(19, 0)) AS DECIMAL(18, 0)) / CAST(10 AS DECIMAL(18, 0)) AS x FROM t",
    ],
    [
      "SELECT (n * n * n * n) AS x FROM t",
      "SELECT CAST(n * n * n AS DECIMAL(20, 6)) * CAST(n AS DECIMAL(16, 2)) AS x FROM t",
    ],
    ["SELECT stddev(n) / avg(n) AS x FROM t", "SELECT stdev(n) / avg(n) AS x FROM t"],
    [
      "SELECT n / (SELECT sum(n) FROM t) AS x FROM t",
      "SELECT CAST(n AS DECIMAL(20, 2)) / CAST((SELECT CAST(sum(t_2.n) AS DECIMAL(24, 2)) AS sum FROM t AS t_2) AS DECIMAL(20, 2)) AS x FROM t",
    ],
    ["SELECT avg(id::numeric) AS x FROM t", "SELECT avg(CAST(id AS DECIMAL(10, 0))) AS x FROM t"],
    [
      "SELECT f::numeric(12,2) AS x FROM t",
      "SELECT CAST(CAST(format(f, '0.##################', 'en-US') AS DECIMAL(38, 18)) AS DECIMAL(12, 2)) AS x FROM t",
    ],
    [
      "SELECT ts + INTERVAL '1 day 01:00:00.5' AS x FROM t",
      "SELECT DATEADD(MICROSECOND, 500000, DATEADD(SECOND, 3600, DATEADD(DAY, 1, ts))) AS x FROM t",
    ],
    ["SELECT n / id AS x FROM t", "SELECT CAST(n AS DECIMAL(20, 2)) / CAST(id AS DECIMAL(18, 0)) AS x FROM t"],
    ["SELECT avg(id) AS x FROM t", "SELECT avg(CAST(id AS DECIMAL(38, 0))) AS x FROM t"],
    ["SELECT CAST(n AS int) AS x FROM t", "SELECT CAST(round(n, 0) AS INT) AS x FROM t"],
    ["SELECT d + INTERVAL '1 month' AS x FROM t", "SELECT DATEADD(MONTH, 1, CAST(d AS DATETIME2(6))) AS x FROM t"],
    ["SELECT ts + INTERVAL '1 hour' AS x FROM t", "SELECT DATEADD(SECOND, 3600, ts) AS x FROM t"],
    [
      "SELECT extract(hour FROM tz) AS x FROM t",
      "SELECT CAST(DATEPART(HOUR, CAST(switchoffset(tz, '+00:00') AS DATETIME2(6))) AS BIGINT) AS x FROM t",
    ],
    ["SELECT date_diff('day', d, ts) AS x FROM t", "SELECT DATEDIFF_BIG(DAY, d, ts) AS x FROM t"],
    ["SELECT d - DATE '2024-01-31' AS x FROM t", "SELECT DATEDIFF(DAY, CAST('2024-01-31' AS DATE), d) AS x FROM t"],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("parts of texts and documents", () => {
  test.each([
    [
      "SELECT j ->> 'a' AS x FROM t",
      `SELECT CASE WHEN json_query(j, '$."a"') IS NOT NULL THEN CAST(CAST(left(json_query(j, '$."a"'), 1) AS INT) AS NVARCHAR(MAX)) WHEN datalength(j) > 8000 AND json_value(j, '$."a"') IS NULL THEN json_value(j, 'strict $."a"') ELSE json_value(j, '$."a"') END AS x FROM t`,
    ],
    [
      "SELECT id FROM t WHERE starts_with(s, 'a_')",
      "SELECT id FROM t WHERE s LIKE 'a|_%' ESCAPE '|' AND (s + '.') COLLATE EXACT LIKE 'a|_%.' ESCAPE '|'",
    ],
    [
      "SELECT split_part(s, '-', 1) AS x FROM t",
      "SELECT (left((CAST(s AS NVARCHAR(MAX))) COLLATE EXACT, charindex('-', (CAST(s AS NVARCHAR(MAX))) COLLATE EXACT + '-') - 1)) COLLATE DATABASE_DEFAULT AS x FROM t",
    ],
    ["SELECT octet_length(s) AS x FROM t", "SELECT datalength(CAST((s) COLLATE EXACT AS VARCHAR(MAX))) AS x FROM t"],
    [
      "SELECT repeat(s, id) AS x FROM t",
      "SELECT replicate(CAST(s AS NVARCHAR(MAX)), CASE WHEN id < 0 THEN 0 ELSE id END) AS x FROM t",
    ],
    [
      "SELECT concat(b, 'x') AS x FROM t",
      "SELECT concat(CAST(CASE WHEN b = 1 THEN 't' WHEN NOT (b = 1) THEN 'f' END AS NVARCHAR(MAX)), 'x') AS x FROM t",
    ],
    ["SELECT id FROM t WHERE (id, s) > (1, 'a')", "SELECT id FROM t WHERE id > 1 OR id = 1 AND s > 'a'"],
    [
      "SELECT extract(day FROM ts - d) AS x FROM t",
      "SELECT DATEDIFF_BIG(MICROSECOND, d, ts) / 86400000000 AS x FROM t",
    ],
    [
      "SELECT TIME '10:00:00' AS x, ts::time AS y FROM t",
      "SELECT CAST('10:00:00' AS TIME(6)) AS x, CAST(ts AS TIME(6)) AS y FROM t",
    ],
    [
      "SELECT to_timestamp(id) AS x FROM t",
      "SELECT todatetimeoffset(DATEADD(SECOND, id % 86400, DATEADD(DAY, id / 86400, CAST('1970-01-01' AS DATETIME2(6)))), '+00:00') AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("tables", () => {
  test.each([
    [
      "SELECT q.n FROM (WITH x AS (SELECT id AS n FROM t) SELECT n FROM x) AS q",
      "WITH x AS (SELECT id AS n FROM t) SELECT q.n FROM (SELECT x.n FROM x) AS q",
    ],
    [
      "SELECT q.n FROM t LEFT JOIN LATERAL (SELECT t.id + 1 AS n) AS q ON q.n > 2",
      "SELECT q.n FROM t OUTER APPLY (SELECT * FROM (SELECT id + 1 AS n) AS q WHERE q.n > 2) AS q",
    ],
    [
      "WITH RECURSIVE x(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, s || 'b' FROM x WHERE n < 3) SELECT n, s FROM x",
      "WITH x(n, s) AS (SELECT CAST(1 AS INT) AS column1, CAST('a' AS NVARCHAR(MAX)) AS column2 UNION ALL SELECT CAST(x.n + 1 AS INT) AS column1, CAST(CAST(x.s AS NVARCHAR(MAX)) + 'b' AS NVARCHAR(MAX)) AS column2 FROM x WHERE x.n < 3) SELECT x.n, x.s FROM x OPTION (MAXRECURSION 0)",
    ],
    ["SELECT id FROM t UNION SELECT 2", "SELECT id FROM t UNION SELECT 2 AS column1"],
    [
      "SELECT s, id FROM t EXCEPT SELECT 'x', 1",
      "SELECT (left(_k.c1, len(_k.c1) - 1)) COLLATE EXACT AS s, _k.c2 AS id FROM (SELECT (CAST(_k.c1 AS NVARCHAR(MAX)) + '.') COLLATE EXACT AS s, _k.c2 AS id FROM (SELECT (s) COLLATE EXACT AS s, id FROM t) AS _k(c1, c2) EXCEPT SELECT (CAST(_k.c1 AS NVARCHAR(MAX)) + '.') COLLATE EXACT AS column1, _k.c2 AS column2 FROM (SELECT 'x' AS column1, 1 AS column2) AS _k(c1, c2)) AS _k(c1, c2)",
    ],
    ["SELECT q.n FROM t, LATERAL (SELECT t.id AS n) AS q", "SELECT q.n FROM t CROSS APPLY (SELECT id AS n) AS q"],
    ["SELECT * FROM (VALUES (1), (2)) AS v(a)", "SELECT v.a FROM (SELECT 1 AS column1 UNION ALL SELECT 2) AS v(a)"],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("refused", () => {
  test.each([
    ["SELECT id FROM t INTERSECT ALL SELECT id FROM t", "INTERSECT ALL"],
    ["SELECT id FROM t WHERE (id, n) NOT IN (SELECT id, n FROM t)", "IN over rows"],
    ["SELECT (f::int * f)::int AS x FROM t", "a cast from a long expression of doubles to an integer"],
    ["SELECT n::text || (n + 1)::text AS x FROM t", "the text of a number that is computed"],
    ["SELECT s LIKE s AS x FROM t", "LIKE with a computed pattern"],
    ["SELECT sum(ts - ts) AS x FROM t", "an interval as a value"],
    ["SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n * (SELECT 1)) AS x FROM t", "a percentile of groups"],
    ["SELECT sum(n) OVER (ORDER BY id RANGE 1 PRECEDING) AS x FROM t", "a RANGE frame with a distance"],
    [
      "WITH RECURSIVE x AS (SELECT 1 AS n UNION SELECT n + 1 FROM x WHERE n < 3) SELECT n FROM x",
      "a common table that names itself but by UNION ALL",
    ],
    [
      "WITH RECURSIVE x AS (SELECT id AS n FROM t UNION ALL SELECT t.id FROM t LEFT JOIN x ON t.id = x.n) SELECT n FROM x",
      "a common table that names itself in an outer join, a subquery or a grouped query",
    ],
    [
      "WITH RECURSIVE x AS (SELECT n FROM t UNION ALL SELECT n * 1.05 FROM x) SELECT n FROM x",
      "a recursive table whose decimals grow",
    ],
    ["SELECT j -> 'a' AS x FROM t", "a member of json as json"],
    ["SELECT j #>> '{a,0}' AS x FROM t", "a path into json with positions or computed steps"],
    ["SELECT split_part(s, s, 1) AS x FROM t", "split_part with these arguments"],
    ["SELECT id FROM t WHERE (s, id) > ('a', 1)", "> of rows with a text before others"],
    ["SELECT TIME '24:00:00' AS x FROM t", "the end of a day"],
    ["SELECT sum((SELECT 1)) AS x FROM t", "an aggregate over a subquery"],
    ["SELECT sum(CASE WHEN id IN (SELECT id FROM t) THEN 1 END) AS x FROM t", "an aggregate over a subquery"],
    ["SELECT count(*) AS x FROM t GROUP BY (SELECT t.id)", "groups by a subquery"],
    ["SELECT 'Infinity'::float8 AS x FROM t", "'Infinity' as a number"],
    [
      "SELECT (SELECT q.m FROM (WITH x AS (SELECT t.id AS m) SELECT m FROM x) AS q) AS y FROM t",
      "a common table with columns of a query around it",
    ],
  ])("%s: %s", (sql, what) => {
    expect(() => said(sql)).toThrow(PlannerError);
    expect(() => said(sql)).toThrow(`not supported on SQL Server: ${what}`);
  });
});
