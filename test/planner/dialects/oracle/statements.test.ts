/** Constructs of the input language as Oracle says them, by the manual; what it cannot say is refused. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "NUMBER(10)",
  i: "INTEGER",
  s: "VARCHAR2(40 CHAR)",
  u: "VARCHAR2(40)",
  n: "NUMBER(12,2)",
  f: "BINARY_DOUBLE",
  b: "BOOLEAN",
  d: "date32",
  dt: "DATE",
  ts: "TIMESTAMP(6)",
  tz: "TIMESTAMP WITH TIME ZONE",
  j: "JSON",
});

function said(sql: string): string {
  return planned(sql, manifest, { source: "oracle" })
    .sql.replaceAll('"t" "t"', "t")
    .replaceAll('"t".', "")
    .replaceAll(/"(\w+)"/g, (_, name: string) => name.toLowerCase())
    .replaceAll(/\b(\w+) AS \1\b/g, "$1");
}

function refusal(sql: string): string {
  try {
    return said(sql);
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") {
      return error.message.replace("not supported on Oracle: ", "");
    }
    throw error;
  }
}

describe("conditions and values", () => {
  test.each([
    ["SELECT id FROM t WHERE NOT b OR TRUE", "SELECT id FROM t WHERE NOT (b = 1) OR 1 = 1"],
    ["SELECT TRUE AS x FROM t", "SELECT CAST(1 AS NUMBER(1)) AS x FROM t"],
    ["SELECT id IS NULL AS x FROM t", "SELECT CAST(CASE WHEN id IS NULL THEN 1 ELSE 0 END AS NUMBER(1)) AS x FROM t"],
    ["SELECT bool_or(b) AS x FROM t", "SELECT max(b) AS x FROM t"],
    [
      "SELECT s ~ 'a' AS x FROM t WHERE s !~* '^b+$'",
      expect.stringMatching(/WHERE NOT REGEXP_LIKE\(s, '\^b\+\$', 'in'\)$/),
    ],
    ["SELECT id FROM t WHERE (id, n) IN ((1, 2))", "SELECT id FROM t WHERE id = 1 AND n = 2"],
  ])("%s", (sql, text) => expect(said(sql)).toEqual(text));
});

describe("regular expressions", () => {
  test.each([
    ["regexp_replace(s, '(a+)-(b|c)', '\\2 \\1')", "regexp_replace(s, '(a+)-(b|c)', '\\2 \\1', 1, 1, 'cn')"],
    ["regexp_replace(s, '\\D', '', 'g')", "regexp_replace(s, '[^0-9]', NULL, 1, 0, 'cn')"],
    ["regexp_substr(s, '(?:a|bc)\\.')", "regexp_substr(s, '(a|bc)\\.', 1, 1, 'cn')"],
    ["substring(s FROM 'a+')", "regexp_substr(s, 'a+', 1, 1, 'cn')"],
    ["(regexp_match(s, '(a+)-(b+)', 'i'))[2]", "regexp_substr(s, '(a+)-(b+)', 1, 1, 'in', 2)"],
  ])("%s", (expression, text) => expect(said(`SELECT ${expression} AS x FROM t`)).toBe(`SELECT ${text} AS x FROM t`));

  test.each([
    ["s ~ '(?:ab)+[\\d.]'", "REGEXP_LIKE(s, '(ab)+[0-9.]', 'cn')"],
    ["s ~ 'é\\t'", "REGEXP_LIKE(s, 'é\t', 'cn')"],
    ["s NOT SIMILAR TO '[A-Z]{3}_%'", "NOT REGEXP_LIKE(s, '^([A-Z]{3}..*)$', 'cn')"],
  ])("%s", (condition, text) =>
    expect(said(`SELECT id FROM t WHERE ${condition}`)).toBe(`SELECT id FROM t WHERE ${text}`),
  );
});

describe("an empty text, which is NULL there,", () => {
  test.each([
    // NULL where one of them is, though Oracle's own operator takes it for an empty text.
    ["SELECT s || u AS x FROM t", "SELECT CASE WHEN s IS NOT NULL AND u IS NOT NULL THEN s || u END AS x FROM t"],
    ["SELECT concat(s, '-', u) AS x FROM t", "SELECT ((s) || '-' || (u)) AS x FROM t"],
    ["SELECT coalesce(s, '') || '-' AS x FROM t", "SELECT ((s) || '-') AS x FROM t"],
    [
      "SELECT id FROM t WHERE trim(s) <> 'a'",
      "SELECT id FROM t WHERE CASE WHEN s IS NOT NULL THEN '.' || TRIM(s) END <> '.a'",
    ],
    ["SELECT id FROM t WHERE trim(s) IS NULL", "SELECT id FROM t WHERE s IS NULL"],
    [
      "SELECT length(trim(s)) AS x FROM t",
      "SELECT length(CASE WHEN s IS NOT NULL THEN '.' || TRIM(s) END) - 1 AS x FROM t",
    ],
    ["SELECT coalesce(nullif(trim(s), ''), 'none') AS x FROM t", "SELECT coalesce(TRIM(s), 'none') AS x FROM t"],
    ["SELECT replace(s, '-', '') AS x FROM t", "SELECT replace(s, '-') AS x FROM t"],
    // No shorter than one letter, as s itself.
    [
      "SELECT substring(s, 1, 3) AS x, count(*) AS n FROM t GROUP BY substring(s, 1, 3)",
      "SELECT SUBSTR(s, 1, 3) AS x, count(*) AS n FROM t GROUP BY SUBSTR(s, 1, 3)",
    ],
  ])("is told apart: %s", (sql, text) => expect(said(sql)).toBe(text));

  test.each([
    ["SELECT '' AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT coalesce(s, '') AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT id FROM t WHERE s = ''", "a comparison with ''"],
    ["SELECT id FROM t WHERE s IN ('a', '')", "a comparison with ''"],
    ["SELECT trim(s) AS x, count(*) AS n FROM t GROUP BY trim(s)", "an empty text that must differ from NULL"],
    ["SELECT DISTINCT trim(s) AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT id FROM t ORDER BY trim(s)", "an empty text that must differ from NULL"],
    ["SELECT min(trim(s)) AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT coalesce(trim(s), u) AS x FROM t", "an empty text that must differ from NULL"],
    ["SELECT trim(s) AS x FROM t UNION SELECT u FROM t", "an empty text that must differ from NULL"],
    // A column of another query tells no longer which of the two it is.
    ["SELECT q.x FROM (SELECT trim(s) AS x FROM t) AS q WHERE q.x IS NULL", "an empty text that must differ from NULL"],
    ["SELECT string_agg(trim(s), ',') AS x FROM t", "an empty text that must differ from NULL"],
  ])("is refused: %s", (sql, why) => expect(refusal(sql)).toBe(why));
});

test("a literal with a blank at its end is no CHAR", () => {
  expect(said("SELECT id FROM t WHERE s = 'a '")).toBe("SELECT id FROM t WHERE s = CAST('a ' AS VARCHAR2(2))");
});

describe("numbers", () => {
  test.each([
    ["SELECT i / 2 AS x FROM t", "SELECT trunc(i / 2) AS x FROM t"],
    ["SELECT n / i AS x FROM t", "SELECT n / i AS x FROM t"],
    ["SELECT i % 3 AS x FROM t", "SELECT mod(i, 3) AS x FROM t"],
    // MOD by zero is no error there, a quotient is.
    ["SELECT n % i AS x FROM t", "SELECT mod(n, i) + 0 / i AS x FROM t"],
    ["SELECT n::text AS x FROM t", "SELECT to_char(n, 'FM99999999999999999999999999999999999990.00') AS x FROM t"],
    [
      "SELECT f::numeric AS x FROM t",
      "SELECT to_number(to_char(f, '9.99999999999999EEEE'), '9.99999999999999EEEE') AS x FROM t",
    ],
    [
      "SELECT greatest(i, n) AS x FROM t",
      "SELECT CASE WHEN i IS NULL THEN n WHEN n IS NULL THEN i WHEN i >= n THEN i ELSE n END AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("times", () => {
  test.each([
    // A column of the type DATE has a time of day.
    ["SELECT extract(hour FROM dt) AS x FROM t", "SELECT EXTRACT(HOUR FROM CAST(dt AS TIMESTAMP(6))) AS x FROM t"],
    ["SELECT dt::date AS x FROM t", "SELECT trunc(dt, 'DD') AS x FROM t"],
    ["SELECT date_trunc('week', ts) AS x FROM t", "SELECT CAST(trunc(ts, 'IW') AS TIMESTAMP(6)) AS x FROM t"],
    ["SELECT d + 7 AS x FROM t", "SELECT (trunc(d, 'DD') + 7) AS x FROM t"],
    ["SELECT d - DATE '2024-01-31' AS x FROM t", "SELECT (trunc(d, 'DD') - DATE '2024-01-31') AS x FROM t"],
    [
      "SELECT ts + INTERVAL '90 minutes' AS x FROM t",
      "SELECT (CAST(ts AS TIMESTAMP(6)) + numtodsinterval(5400, 'SECOND')) AS x FROM t",
    ],
    [
      // From a last day of a month ADD_MONTHS goes to a last day.
      "SELECT DATE '2023-02-28' + INTERVAL '1 month' AS x FROM t",
      "SELECT CAST(least(add_months(trunc(CAST(DATE '2023-02-28' AS TIMESTAMP(6)), 'DD'), 1), add_months(trunc(CAST(DATE '2023-02-28' AS TIMESTAMP(6)), 'MM'), 1) + EXTRACT(DAY FROM CAST(DATE '2023-02-28' AS TIMESTAMP(6))) - 1) AS TIMESTAMP(6)) AS x FROM t",
    ],
    ["SELECT tz::timestamp AS x FROM t", "SELECT sys_extract_utc(tz) AS x FROM t"],
    [
      "SELECT id FROM t WHERE tz > TIMESTAMPTZ '2024-01-31 12:00+02'",
      "SELECT id FROM t WHERE tz > from_tz(TIMESTAMP '2024-01-31 10:00:00', '+00:00')",
    ],
    [
      "SELECT to_char(ts, 'FMDD. Month') AS x FROM t",
      "SELECT TO_CHAR(CAST(ts AS TIMESTAMP(6)), 'FMDDFM. Month') AS x FROM t",
    ],
    [
      "SELECT ts::text AS x FROM t",
      "SELECT RTRIM(RTRIM(TO_CHAR(CAST(ts AS TIMESTAMP(6)), 'YYYY-MM-DD HH24:MI:SS.FF6'), '0'), '.') AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toEqual(text));
});

describe("queries", () => {
  test.each([
    ["SELECT 1 AS x", "SELECT 1 AS x FROM sys.dual"],
    ["SELECT id FROM t LIMIT 3 OFFSET 2", "SELECT id FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY"],
    ["SELECT id FROM t EXCEPT SELECT i FROM t", "SELECT id FROM t MINUS SELECT i FROM t"],
    ["SELECT row_number() OVER () AS x FROM t", "SELECT row_number() OVER (ORDER BY NULL) AS x FROM t"],
    [
      "SELECT first_value(id IGNORE NULLS) OVER (ORDER BY i) AS x FROM t",
      "SELECT first_value(id) IGNORE NULLS OVER (ORDER BY i) AS x FROM t",
    ],
    [
      "SELECT grouping(id, i) AS x FROM t GROUP BY CUBE (id, i)",
      "SELECT grouping_id(id, i) AS x FROM t GROUP BY CUBE (id, i)",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));

  test("lists of more than a thousand values are several", () => {
    const list = Array.from({ length: 1001 }, (_, index) => index).join(", ");
    expect(said(`SELECT id FROM t WHERE id NOT IN (${list})`)).toMatch(/999\) AND id NOT IN \(1000\)$/);
  });
});

test.each([
  ["SELECT id FROM t INTERSECT ALL SELECT i FROM t", "INTERSECT ALL"],
  ["SELECT j -> 'a' AS x FROM t", "a member of json as json"],
  ["SELECT j FROM t GROUP BY j", "a comparison of json"],
  ["SELECT 12345678901234567890123456789012345678.5 AS x FROM t", "a number of more than 38 digits"],
  ["SELECT s ~ '(?=a)' AS x FROM t", '"(?=" in a regular expression'],
  ["SELECT s ~ '\\w' AS x FROM t", "the regular expression"],
  ["SELECT regexp_replace(s, '(a|ab)(c|bcd)?', '\\1') AS x FROM t", "a pattern that may match more or less of a text"],
  ["SELECT regexp_replace(s, '(a)b', '\\2') AS x FROM t", "regexp_replace with these arguments"],
  ["SELECT regexp_replace(s, '(a)b', '\\&') AS x FROM t", "regexp_replace with these arguments"],
  ["SELECT regexp_replace(s, 'a*', 'x') AS x FROM t", "a match or a group that may be empty"],
  ["SELECT (regexp_match(s, 'a(b*)'))[1] AS x FROM t", "a match or a group that may be empty"],
  [
    "SELECT max(f) FILTER (WHERE b) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '1 day' PRECEDING AND CURRENT ROW) AS x FROM t",
    "a RANGE frame with a distance in time",
  ],
])("%s is refused", (sql, why) => expect(refusal(sql)).toBe(why));

test("a name with a quote cannot be written", () => {
  expect(() => said('SELECT id AS "a""b" FROM t')).toThrow('a name with the character "');
});

/** GREATEST and LEAST are NULL on Oracle where an argument is, so the start needs no CASE, in which a text may not be empty. */
describe("parts of texts from a start that may be NULL", () => {
  test.each([
    ["substring(s FROM i)", "SUBSTR(s, greatest(i, 1))"],
    ["substring(s FROM i FOR 2)", "SUBSTR(s, greatest(i, 1), greatest(2 + least(i - 1, 0), 0))"],
    ["ltrim(substring(s FROM i))", "ltrim(SUBSTR(s, greatest(i, 1)))"],
    [
      "'x' || left(ltrim(substring(s FROM i)), 1)",
      "CASE WHEN s IS NOT NULL AND greatest(i, 1) IS NOT NULL THEN 'x' || SUBSTR(ltrim(SUBSTR(s, greatest(i, 1))), 1, 1) END",
    ],
  ])("%s", (sql, expected) => {
    expect(said(`SELECT ${sql} AS x FROM t`)).toBe(`SELECT ${expected} AS x FROM t`);
  });
});

/** PostgreSQL reads no number in an empty text, which would be NULL there: a sign behind it is no number on Oracle either. */
describe("numbers and days in texts that may be empty", () => {
  const DIGITS = "'^ *[-+]?[0-9]+ *$', 'cn'";
  const ofDigits = (value: string): string =>
    `CAST(CASE WHEN REGEXP_LIKE(${value}, ${DIGITS}) THEN ${value} ELSE CASE WHEN s IS NOT NULL THEN ${value} || '!' END END AS INTEGER)`;
  test.each([
    ["substring(s FROM 2)::int", ofDigits("SUBSTR(s, 2)")],
    ["regexp_replace(s, '[^0-9]', '', 'g')::int", ofDigits("regexp_replace(s, '[^0-9]', NULL, 1, 0, 'cn')")],
    [
      "trim(s)::date",
      "to_date(CASE WHEN REGEXP_LIKE(TRIM(s), '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'cn') THEN TRIM(s) ELSE CASE WHEN s IS NOT NULL THEN TRIM(s) || '!' END END, 'YYYY-MM-DD')",
    ],
  ])("%s", (sql, expected) => {
    expect(said(`SELECT ${sql} AS x FROM t`)).toBe(`SELECT ${expected} AS x FROM t`);
  });
});
