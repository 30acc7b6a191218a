/** SQL for Redshift where its manual gives PostgreSQL's words another meaning, and rejected constructs. */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "INTEGER",
  big: "BIGINT",
  s: "VARCHAR",
  n: "DECIMAL(12,2)",
  any_digits: "DECIMAL",
  f: "DOUBLE",
  b: "BOOLEAN",
  d: "DATE",
  ts: "TIMESTAMP",
  tz: "TIMESTAMPTZ",
  j: "SUPER",
  v: "VARBYTE",
});

const said = (sql: string): string =>
  planned(sql, manifest, { source: "redshift" })
    .sql.replaceAll("t AS t", "t")
    .replaceAll(/\bt\./g, "")
    .replaceAll(/COLLATE\(([^()]*), 'case_sensitive'\)/g, "exact($1)");

const refusal = (sql: string) => () => planned(sql, manifest, { source: "redshift" });

test("a statement brings the settings that its meaning rests on", () => {
  expect(planned("SELECT id FROM t", manifest, { source: "redshift" }).session).toEqual([
    { name: "enable_case_sensitive_identifier", value: "true" },
    { name: "enable_numeric_rounding", value: "on" },
  ]);
});

test("words that Redshift alone reserves are names in quotes", () => {
  expect(said("SELECT open.id AS top, open.b AS old, open.d AS day FROM t AS open")).toBe(
    'SELECT "open".id AS "top", "open".b AS "old", "open".d AS day FROM t AS "open"',
  );
});

test("what rows are grouped by stays as it is within a cast", () => {
  const key = "CAST(EXTRACT(YEAR FROM CAST(d AS TIMESTAMP)) AS BIGINT)";
  expect(said("SELECT extract(year FROM d)::int AS x FROM t GROUP BY extract(year FROM d)")).toBe(
    `SELECT CAST(${key} AS INTEGER) AS x FROM t GROUP BY ${key}`,
  );
});

describe("texts, where blanks at the end are none and a column may fold case", () => {
  test.each([
    ["SELECT id FROM t WHERE s = 'a '", "SELECT id FROM t WHERE s = 'a ' AND exact(s || '.') = 'a .'"],
    ["SELECT id FROM t WHERE s <> 'a'", "SELECT id FROM t WHERE exact(s || '.') <> 'a.'"],
    [
      "SELECT id FROM t WHERE s IN ('a', 'b')",
      "SELECT id FROM t WHERE s IN ('a', 'b') AND exact(s || '.') IN ('a.', 'b.')",
    ],
    [
      "SELECT x.id FROM t AS x JOIN t AS y ON x.s = y.s",
      "SELECT x.id FROM t AS x JOIN t AS y ON x.s = y.s AND exact(x.s || '.') = exact(y.s || '.')",
    ],
    [
      "SELECT s, count(*) AS n FROM t GROUP BY s",
      "SELECT exact(s) AS s, count(*) AS n FROM t GROUP BY exact(s), len(exact(s))",
    ],
    ["SELECT DISTINCT s FROM t", "SELECT exact(s) AS s FROM t GROUP BY exact(s), len(exact(s))"],
    ["SELECT count(DISTINCT s) AS n FROM t", "SELECT count(DISTINCT exact(s || '.')) AS n FROM t"],
    [
      "SELECT row_number() OVER (PARTITION BY s ORDER BY id) AS n FROM t",
      "SELECT row_number() OVER (PARTITION BY exact(s), len(exact(s)) ORDER BY id) AS n FROM t",
    ],
    ["SELECT id FROM t WHERE s LIKE 'a_'", "SELECT id FROM t WHERE exact(s || '.') LIKE 'a_.'"],
    [
      "SELECT nullif(s, 'a') AS x FROM t",
      "SELECT CASE WHEN s = 'a' AND exact(s || '.') = 'a.' THEN NULL ELSE s END AS x FROM t",
    ],
    ["SELECT 'a\\b' || s AS x FROM t", "SELECT 'a\\\\b' || s AS x FROM t"],
    ["SELECT CAST(id AS text) AS x FROM t", "SELECT CAST(id AS VARCHAR(65535)) AS x FROM t"],
    ["SELECT CAST(s AS varchar(3)) AS x FROM t", "SELECT left(s, 3) AS x FROM t"],
    [
      "SELECT concat(s, NULL, b) AS x FROM t",
      "SELECT coalesce(s, '') || coalesce(NULL, '') || coalesce(CASE WHEN b THEN 't' ELSE CASE WHEN NOT b THEN 'f' END END, '') AS x FROM t",
    ],
    [
      "SELECT string_agg(s, '; ' ORDER BY id) AS x FROM t",
      "SELECT substring(listagg('; ' || s) WITHIN GROUP (ORDER BY id), 3) AS x FROM t",
    ],
    ["SELECT id FROM t WHERE s ~* 'ab+'", "SELECT id FROM t WHERE s ~ '[Aa][Bb]+'"],
    ["SELECT id FROM t WHERE s ~* '(?:é|[a-c\\d.])\\.'", "SELECT id FROM t WHERE s ~ '([éÉ]|[a-c0-9A-C.])[.]'"],
    ["SELECT id FROM t WHERE s !~ '^\\d{5}$'", "SELECT id FROM t WHERE s !~ '^[0-9]{5}$'"],
    ["SELECT id FROM t WHERE regexp_like(s, '(?i)a')", "SELECT id FROM t WHERE s ~ '[aA]'"],
    ["SELECT id FROM t WHERE s SIMILAR TO '[A-Z]{3}_%'", "SELECT id FROM t WHERE s ~ '^([A-Z]{3}..*)$'"],
    ["SELECT regexp_replace(s, '\\D', '', 'g') AS x FROM t", "SELECT regexp_replace(s, '[^0-9]', '') AS x FROM t"],
    // One match at most.
    ["SELECT regexp_replace(s, 'a+\\.$', 'b') AS x FROM t", "SELECT regexp_replace(s, 'a+[.]$', 'b') AS x FROM t"],
    [
      "SELECT regexp_replace(s, 'a', 'b') AS x FROM t",
      "SELECT regexp_replace(s, '(?s)^(.*?)(a)', '$1b', 1, 'p') AS x FROM t",
    ],
    [
      "SELECT regexp_replace(s, '^(a+)-(.*)$', '\\2 \\1') AS x FROM t",
      "SELECT regexp_replace(s, '(?s)^(a+)-(.*)(?!.)', '$2 $1', 1, 'p') AS x FROM t",
    ],
    [
      "SELECT regexp_substr(s, '\\d+') AS x FROM t",
      "SELECT CASE WHEN s ~ '[0-9]+' THEN regexp_substr(s, '[0-9]+') END AS x FROM t",
    ],
    ["SELECT regexp_count(s, '\\d+') AS x FROM t", "SELECT regexp_count(s, '[0-9]+') AS x FROM t"],
    [
      "SELECT substring(s FROM '#(\\d+)') AS x FROM t",
      "SELECT CASE WHEN s ~ '#([0-9]+)' THEN regexp_substr(s, '#([0-9]+)', 1, 1, 'e') END AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("numbers, whose quotients, averages and casts lose digits", () => {
  test.each([
    ["SELECT id / 2 AS x FROM t", "SELECT id / 2 AS x FROM t"],
    ["SELECT n / id AS x FROM t", "SELECT CAST(n AS DECIMAL(20, 2)) / CAST(id AS DECIMAL(17, 0)) AS x FROM t"],
    ["SELECT f / n AS x FROM t", "SELECT f / n AS x FROM t"],
    ["SELECT avg(id) AS x FROM t", "SELECT avg(CAST(id AS DECIMAL(38, 18))) AS x FROM t"],
    ["SELECT avg(f) AS x FROM t", "SELECT avg(f) AS x FROM t"],
    ["SELECT sum(big) AS x FROM t", "SELECT sum(big) AS x FROM t"],
    ["SELECT CAST(n AS integer) AS x FROM t", "SELECT CAST(round(n, 0) AS INTEGER) AS x FROM t"],
    [
      "SELECT CAST(f AS numeric(10, 2)) AS x FROM t",
      "SELECT CAST(round(CAST(ROUND(CAST(f AS DECIMAL(38, 18)), COALESCE(CAST(LEAST(14 - FLOOR(LOG(ABS(NULLIF(f, 0)))), 18) AS INTEGER), 0)) AS DECIMAL(38, 18)), 2) AS DECIMAL(10, 2)) AS x FROM t",
    ],
    [
      "SELECT CAST(s AS numeric(10, 2)) AS x FROM t",
      "SELECT CAST(round(CAST(REGEXP_SUBSTR(s, '^[-+]?([0-9]{1,20}[.]?|[0-9]{0,20}[.][0-9]{1,18})$') AS DECIMAL(38, 18)), 2) AS DECIMAL(10, 2)) AS x FROM t",
    ],
    [
      "SELECT CAST(s AS date) AS x FROM t",
      "SELECT CAST(REGEXP_SUBSTR(s, '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$') AS DATE) AS x FROM t",
    ],
    ["SELECT CAST(n AS numeric(10, 1)) AS x FROM t", "SELECT CAST(round(n, 1) AS DECIMAL(10, 1)) AS x FROM t"],
    ["SELECT CAST(n AS numeric(14, 3)) AS x FROM t", "SELECT CAST(n AS DECIMAL(14, 3)) AS x FROM t"],
    ["SELECT CAST(id AS numeric) AS x FROM t", "SELECT CAST(id AS DECIMAL(10, 0)) AS x FROM t"],
    [
      "SELECT round(avg(n), 2) AS x FROM t",
      "SELECT CAST(round(avg(CAST(n AS DECIMAL(38, 18))), 2) AS DECIMAL(38, 2)) AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("windows, whose frames are of rows", () => {
  test.each([
    ["SELECT sum(id) OVER (PARTITION BY b) AS x FROM t", "SELECT sum(id) OVER (PARTITION BY b) AS x FROM t"],
    [
      "SELECT d, sum(sum(n)) OVER (ORDER BY d) AS x FROM t GROUP BY d",
      "SELECT d, sum(sum(n)) OVER (ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM t GROUP BY d",
    ],
    [
      "SELECT first_value(id) OVER (ORDER BY d) AS x FROM t",
      "SELECT first_value(id) OVER (ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM t",
    ],
    [
      "SELECT lag(id, 2, 0) OVER (ORDER BY d) AS x FROM t",
      "SELECT CASE WHEN lag(1, 2) OVER (ORDER BY d) IS NULL THEN 0 ELSE lag(id, 2) OVER (ORDER BY d) END AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("times", () => {
  test.each([
    ["SELECT d + 1 AS x FROM t", "SELECT CAST(DATEADD(DAY, 1, d) AS DATE) AS x FROM t"],
    ["SELECT ts + INTERVAL '1 month 2 days' AS x FROM t", "SELECT DATEADD(DAY, 2, DATEADD(MONTH, 1, ts)) AS x FROM t"],
    [
      "SELECT extract(hour FROM tz) AS x FROM t",
      "SELECT CAST(EXTRACT(HOUR FROM tz AT TIME ZONE 'UTC') AS BIGINT) AS x FROM t",
    ],
    [
      "SELECT extract(second FROM ts) AS x FROM t",
      "SELECT DATEDIFF(MICROSECOND, date_trunc('minute', ts), ts) * 0.000001 AS x FROM t",
    ],
    ["SELECT now() AS x FROM t", "SELECT SYSDATE AT TIME ZONE 'UTC' AS x FROM t"],
    [
      "SELECT TIMESTAMPTZ '2024-01-01 12:00+02' AS x FROM t",
      "SELECT CAST('2024-01-01 10:00:00' AS TIMESTAMP) AT TIME ZONE 'UTC' AS x FROM t",
    ],
    [
      "SELECT f::int AS x FROM t",
      "SELECT CAST(CASE WHEN ABS(f - TRUNC(f)) = 0.5 THEN ROUND(f / 2) * 2 ELSE ROUND(f) END AS INTEGER) AS x FROM t",
    ],
    [
      "SELECT any_digits / id AS x FROM t",
      "SELECT CAST(ROUND(CAST(CAST(any_digits AS DOUBLE PRECISION) / CAST(id AS DOUBLE PRECISION) AS DECIMAL(38, 18)), COALESCE(CAST(LEAST(14 - FLOOR(LOG(ABS(NULLIF(CAST(any_digits AS DOUBLE PRECISION) / CAST(id AS DOUBLE PRECISION), 0)))), 18) AS INTEGER), 0)) AS DECIMAL(38, 18)) AS x FROM t",
    ],
    ["SELECT n % 2 AS x FROM t", "SELECT mod(CAST(n AS DECIMAL(22, 2)), CAST(2 AS DECIMAL(22, 2))) AS x FROM t"],
    [
      "SELECT left(s, id) AS x FROM t",
      "SELECT LEFT(s, CASE WHEN id >= 0 THEN id WHEN LEN(s) + id > 0 THEN LEN(s) + id ELSE 0 * id END) AS x FROM t",
    ],
    ["SELECT repeat(s, id) AS x FROM t", "SELECT repeat(s, CASE WHEN id < 0 THEN 0 ELSE id END) AS x FROM t"],
    [
      "SELECT round(n, 1)::text AS x FROM t",
      "SELECT CAST(CAST(round(n, 1) AS DECIMAL(38, 1)) AS VARCHAR(65535)) AS x FROM t",
    ],
    [
      "SELECT to_timestamp(id) AS x FROM t",
      "SELECT (TIMESTAMP '1970-01-01 00:00:00' + id * INTERVAL '1 second') AT TIME ZONE 'UTC' AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

test.each([
  ["SELECT (1 + n / any_digits) / any_digits AS x FROM t", "a division whose digits are unknown, or many"],
  ["SELECT (f::int * f)::int AS x FROM t", "a cast from a long expression of doubles to an integer"],
  ["SELECT round(f) AS x FROM t", "round of a float"],
  ["SELECT CAST(ts AS text) AS x FROM t", "the text of a value of type timestamp"],
  ["SELECT avg(id) OVER (ORDER BY d) AS x FROM t", "a window up to rows that are equal in its order"],
  ["SELECT last_value(id) OVER (ORDER BY d) AS x FROM t", "a window up to rows that are equal in its order"],
  ["SELECT sum(sum(n)) OVER (ORDER BY d) AS x FROM t GROUP BY d, b", "a window up to rows that are equal in its order"],
  ["SELECT id FROM t ORDER BY avg(id) OVER (ORDER BY d)", "a window function in ORDER BY"],
  ["SELECT rank() OVER () AS x FROM t", "rank without an order"],
  ["SELECT id FROM t WHERE s ~ 'a\\w'", "the regular expression"],
  ["SELECT id FROM t WHERE s ~ 'a\\^'", "the regular expression"],
  ["SELECT id FROM t WHERE s ~ 'a*?b'", "the regular expression"],
  ["SELECT id FROM t WHERE s ~* '[à-ü]'", "the regular expression"],
  ["SELECT regexp_replace(s, 'a*', 'b') AS x FROM t", "regexp_replace of what may be empty"],
  ["SELECT regexp_replace(s, 'a', '5') AS x FROM t", "the replacement text of a regular expression"],
  ["SELECT regexp_replace(s, 'a', '$') AS x FROM t", "the replacement text of a regular expression"],
  ["SELECT (regexp_match(s, '(a)(b)'))[2] AS x FROM t", "another group of a match than the first"],
  ["SELECT regexp_match(s, '(a)(b)') AS x FROM t", "all groups of a match"],
  ["SELECT j -> 'a' AS x FROM t", "a member of json as json"],
  ["SELECT id FROM t WHERE n > ALL (SELECT u.n FROM t AS u WHERE u.id = t.id)", "> ALL of a query"],
  ["SELECT id FROM t WHERE s > ALL (SELECT s FROM t)", "> ALL of a query"],
  ["SELECT max(b) AS x FROM t", "the least or greatest boolean"],
  ["SELECT ARRAY[id > 1] AS x FROM t", "arrays"],
  ["SELECT ts AT TIME ZONE 'Mars/Olympus' AS x FROM t", "another time zone than UTC"],
  ["SELECT sum(ts - tz) AS x FROM t", "an interval as a value"],
  ["SELECT id FROM t LIMIT (SELECT 1)", "a computed LIMIT or OFFSET"],
])("%s is refused", (sql, what) => {
  expect(refusal(sql)).toThrow(
    expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: `not supported on Redshift: ${what}` }),
  );
});

test("functions that nobody has looked at do not pass", () => {
  expect(refusal("SELECT pg_last_query_id() AS x FROM t")).toThrow();
  expect(refusal("SELECT my_lambda(s) AS x FROM t")).toThrow();
});
