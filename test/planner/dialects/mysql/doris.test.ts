/** SQL for Doris where its manual gives words of PostgreSQL or MySQL another meaning, and rejected constructs. */
import { describe, expect, test } from "vitest";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "INT",
  tiny: "TINYINT",
  big: "BIGINT",
  large: "LARGEINT",
  s: "STRING",
  n: "DECIMALV3(12,2)",
  any_digits: "DECIMAL",
  f: "DOUBLE",
  r: "FLOAT",
  b: "BOOLEAN",
  d: "DATEV2",
  ts: "DATETIMEV2(6)",
  tz: "TIMESTAMPTZ",
  j: "VARIANT",
  l: "ARRAY<INT>",
  sketch: "HLL",
});

const said = (sql: string): string =>
  planned(sql, manifest, { source: "doris" })
    .sql.replaceAll("`", "")
    .replaceAll("t AS t", "t")
    .replaceAll(/\bt\./g, "");

const refusal = (sql: string) => () => planned(sql, manifest, { source: "doris" });

test("a statement brings the settings that its meaning rests on", () => {
  const { session } = planned("SELECT id FROM t", manifest, { source: "doris" });
  expect(Object.fromEntries(session.map(({ name, value }) => [name, value]))).toEqual({
    time_zone: "+00:00",
    sql_mode: "ONLY_FULL_GROUP_BY",
    enable_strict_cast: "1",
    enable_decimal256: "1",
    decimal_overflow_scale: "30",
    check_overflow_for_decimal: "1",
  });
});

describe("numbers, of which one beyond its type is not documented", () => {
  test.each([
    ["id + 1", "CAST(id AS BIGINT) + 1"],
    ["id * tiny", "CAST(id AS BIGINT) * CAST(tiny AS BIGINT)"],
    ["big + 1", "CAST(CAST(big AS LARGEINT) + 1 AS BIGINT)"],
    [
      "id * id * id",
      "CAST(CAST(CAST(id AS BIGINT) * CAST(id AS BIGINT) AS LARGEINT) * CAST(id AS LARGEINT) AS BIGINT)",
    ],
    ["count(*) * 2", "CAST(CAST(count(*) AS LARGEINT) * 2 AS BIGINT)"],
    ["2000000000 + 2000000000", "CAST(2000000000 AS BIGINT) + 2000000000"],
    ["id / 2", "id DIV 2"],
    ["big / id", "CAST(CAST(big AS LARGEINT) DIV CAST(id AS LARGEINT) AS BIGINT)"],
    ["n / 3", "CAST(n AS DECIMAL(38, 12)) / CAST(3 AS DECIMAL(28, 0))"],
    ["f / n", "f / CAST(n AS DOUBLE)"],
    ["r + f", "CAST(r AS DOUBLE) + f"],
    ["n * n", "n * n"],
    ["id ^ 2", "pow(CAST(id AS DOUBLE), 2)"],
    ["sum(big)", "CAST(sum(CAST(big AS LARGEINT)) AS DECIMAL(39, 0))"],
    ["sum(n)", "CAST(sum(n) AS DECIMAL(38, 2))"],
    ["avg(id)", "avg(CAST(id AS DECIMAL(50, 18)))"],
    ["round(n, 1)", "CAST(round(n, 1) AS DECIMAL(50, 1))"],
    ["n::int", "CAST(round(n, 0) AS INT)"],
    ["s::int", "CAST(s AS INT)"],
    ["large", "large"],
    ["n % 2", "CAST(n AS DECIMAL(50, 2)) % CAST(2 AS DECIMAL(50, 2))"],
    ["f::int", "CAST(CASE WHEN ABS(f - TRUNCATE(f, 0)) = 0.5 THEN ROUND(f / 2) * 2 ELSE ROUND(f) END AS INT)"],
    [
      "any_digits / 3",
      "CAST(ROUND(CAST(CAST(any_digits AS DOUBLE) / CAST(3 AS DOUBLE) AS DECIMAL(38, 18)), COALESCE(CAST(LEAST(14 - FLOOR(LOG10(ABS(NULLIF(CAST(any_digits AS DOUBLE) / CAST(3 AS DOUBLE), 0)))), 18) AS INTEGER), 0)) AS DECIMAL(38, 18))",
    ],
    // Beside a decimal it would be a double, which is another number.
    ["coalesce(r, n)", "coalesce(r, CAST(n AS FLOAT))"],
    ["CASE WHEN b THEN r ELSE n END", "CASE WHEN b THEN r ELSE CAST(n AS FLOAT) END"],
    ["coalesce(r, n, f)", "coalesce(r, n, f)"],
  ])("%s", (sql, sent) => expect(said(`SELECT ${sql} AS x FROM t`)).toBe(`SELECT ${sent} AS x FROM t`));

  test.each([
    ["sqrt(f)", "a root"],
    ["round(f)", "round of a float"],
    ["f ^ 0.5", "a power"],
    ["n % id", "the remainder of fractions"],
    ["(f::int * f)::int", "a cast from a long expression of doubles"],
    ["try_cast(s AS float8)", "TRY_CAST of a text"],
    ["f::text", "the text of a value of type float"],
    ["id << n", "shifted bits"],
  ])("%s is refused", (sql, what) => expect(refusal(`SELECT ${sql} AS x FROM t`)).toThrow(what));
});

describe("bits, beginnings and rows", () => {
  test.each([
    ["id & 1", "bitand(id, 1)"],
    ["id | 1", "bitor(id, 1)"],
    ["id # 1", "bitxor(id, 1)"],
    ["~id", "bitnot(id)"],
    ["s ^@ 'ab'", "left(s, 2) = 'ab'"],
    ["(id, s) IN ((1, 'a'), (2, 'b'))", "id = 1 AND s = 'a' OR id = 2 AND s = 'b'"],
  ])("%s", (sql, expected) => expect(said(`SELECT ${sql} AS x FROM t`)).toBe(`SELECT ${expected} AS x FROM t`));
});

describe("texts and times", () => {
  test.each([
    ["s || id", "CONCAT(s, CAST(id AS STRING))"],
    ["concat(s, b)", "concat(coalesce(s, ''), coalesce(CASE WHEN b THEN 't' WHEN NOT b THEN 'f' END, ''))"],
    ["length(s)", "char_length(s)"],
    ["s ~ '^a\\d$'", "(s REGEXP '(?s)^a\\\\d\\\\z')"],
    ["s ~ '[a[]$'", "(s REGEXP '(?s)[a[]\\\\z')"],
    ["s ~ '[[:alpha:]$]$'", "(s REGEXP '(?s)[\\\\pL$]\\\\z')"],
    ["s ~ '[^]$]$'", "(s REGEXP '(?s)[^]$]\\\\z')"],
    ["s !~* '[$]b|c'", "NOT (s REGEXP '(?is)[$]b|c')"],
    ["s SIMILAR TO 'a%'", "(s REGEXP '(?s)^(?:a.*)\\\\z')"],
    ["regexp_replace(s, '(a)b', '\\1')", "REGEXP_REPLACE_ONE(s, '(?s)(a)b', '\\\\1')"],
    ["regexp_replace(s, '[0-9]+', '', 'gi')", "REGEXP_REPLACE(s, '(?is)[0-9]+', '')"],
    ["regexp_substr(s, '[0-9]+')", "REGEXP_EXTRACT_OR_NULL(s, '(?s)[0-9]+', 0)"],
    ["repeat(s, id)", "repeat(s, CASE WHEN id < 0 THEN 0 ELSE id END)"],
    ["initcap(s)", "initcap(s)"],
    ["substring(s FROM id)", "substring(s, greatest(id, 1))"],
    [
      "make_date(id, 1, 2)",
      "CAST(CONCAT(LPAD(CAST(id AS STRING), 4, '0'), '-', CAST(1 AS STRING), '-', CAST(2 AS STRING)) AS DATE)",
    ],
    ["octet_length(s)", "LENGTH(s)"],
    ["position('a' in s)", "locate('a', s)"],
    ["trim(s)", "trim(s, ' ')"],
    ["s LIKE 'a\\_b%'", "s LIKE 'a|_b%' ESCAPE '|'"],
    ["s = 'it''s \\'", "s = 'it''s \\\\'"],
    ["b::text", "CASE b WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END"],
    ["string_agg(DISTINCT s, ', ')", "GROUP_CONCAT(DISTINCT s, ', ' ORDER BY s ASC NULLS LAST)"],
    ["bool_and(b)", "min(CAST(b AS INT)) = 1"],
    ["d + 1", "DAYS_ADD(d, 1)"],
    ["ts + interval '1.5 seconds'", "MICROSECONDS_ADD(ts, 1500000)"],
    ["ts - interval '2 months'", "DATE_ADD(ts, INTERVAL -2 MONTH)"],
    ["date_trunc('week', d)", "date_trunc(CAST(d AS DATETIME(6)), 'week')"],
    ["tz AT TIME ZONE 'UTC'", "tz"],
    ["tz AT TIME ZONE 'Europe/Berlin'", "CONVERT_TZ(tz, '+00:00', 'Europe/Berlin')"],
    ["now()", "now(6)"],
    ["s::date", "CAST(REGEXP_EXTRACT(s, '(^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$)', 1) AS DATE)"],
    ["s IS NOT DISTINCT FROM 'a'", "s <=> 'a'"],
  ])("%s", (sql, sent) => expect(said(`SELECT ${sql} AS x FROM t`)).toBe(`SELECT ${sent} AS x FROM t`));

  test.each([
    ["s ~ '(a)\\1'", "in a regular expression"],
    ["s ~ s", "a computed regular expression"],
    ["s::timestamptz", "a computed text as an instant"],
    ["ts::text", "the text of a value of type timestamp"],
    ["ts AT TIME ZONE 'Mars/Olympus'", "another time zone than UTC"],
    ["tz AT TIME ZONE 'Mars/Olympus'", "another time zone than UTC"],
    ["j = j", "a comparison of json"],
    ["l = l", "a comparison of json"],
    ["sketch = sketch", "a comparison of values whose type is unknown"],
    ["(id, s) IN (SELECT id, s FROM t)", "IN of rows"],
    ["avg(n) OVER (ORDER BY id)", "a window up to rows that are equal in its order"],
  ])("%s is refused", (sql, what) => expect(refusal(`SELECT ${sql} AS x FROM t`)).toThrow(what));

  test.each(["sleep(1)", "encryptkeyref('k')", "some_function(id)"])("%s is no function of the language", (sql) => {
    expect(refusal(`SELECT ${sql} AS x FROM t`)).toThrow();
  });

  test.each(["s3('uri')", "query('catalog')", "backends()", "numbers(10)"])("%s is no table", (sql) => {
    expect(refusal(`SELECT * FROM ${sql} AS x`)).toThrow();
  });
});

test("ORDER BY behind a set operation stands around it", () => {
  expect(said("SELECT id FROM t UNION SELECT big FROM t ORDER BY 1 LIMIT 3")).toBe(
    "SELECT _s1.id FROM (SELECT id FROM t UNION SELECT big FROM t) AS _s1 ORDER BY _s1.id NULLS LAST LIMIT 3",
  );
});

test("an expression that can fail is refused over a model with rules", () => {
  const guarded = manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "t",
        tableReference: { table: "t" },
        columns: [{ name: "id", type: "INT" }],
        rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "id = 1" }],
      },
    ],
  });
  expect(planned("SELECT id FROM t", guarded, { source: "doris" }).sql).toContain("WHERE `_b`.`id` = 1) AS `t`");
  expect(() => planned("SELECT 1 / id AS n FROM t", guarded, { source: "doris" })).toThrow("not supported on Doris");
});

describe("generate_series has a literal count", () => {
  const rows = (value: string, count: number, where = "") =>
    `SELECT g.g FROM (SELECT ${value} AS g FROM numbers("number" = "${count}") AS _n${where}) AS g`;
  const day = (date: string) => `CAST(CAST('${date}' AS DATE) AS DATETIME(6))`;
  test.each<readonly [series: string, sent: string]>([
    ["0, 5, 2", rows("CAST(0 AS BIGINT) + _n.number * 2", 3)],
    ["5, 1, -2", rows("CAST(5 AS BIGINT) + _n.number * -2", 3)],
    ["5, 1", rows("CAST(5 AS BIGINT) + _n.number * 1", 1, " WHERE FALSE")],
    [
      "DATE '2024-02-26', DATE '2024-03-03', INTERVAL '1 day'",
      rows(`DATE_ADD(${day("2024-02-26")}, INTERVAL _n.number * 1 DAY)`, 7),
    ],
    [
      "DATE '2024-01-15', DATE '2024-06-14', INTERVAL '1 month'",
      rows(`DATE_ADD(${day("2024-01-15")}, INTERVAL _n.number * 1 MONTH)`, 5),
    ],
    [
      "DATE '2024-01-15', DATE '2024-06-15', INTERVAL '1 month'",
      rows(`DATE_ADD(${day("2024-01-15")}, INTERVAL _n.number * 1 MONTH)`, 6),
    ],
    [
      "DATE '2024-01-01', DATE '2024-01-02', INTERVAL '30 minutes'",
      rows(`DATE_ADD(${day("2024-01-01")}, INTERVAL _n.number * 1800 SECOND)`, 49),
    ],
  ])("of %s", (series, sent) => expect(said(`SELECT g FROM generate_series(${series}) AS g`)).toBe(sent));

  test.each<readonly [series: string, what: string]>([
    ["DATE '2024-01-31', DATE '2024-06-14', INTERVAL '1 month'", "a series of months from a day that some do not have"],
    ["DATE '2024-01-01', (SELECT max(d) FROM t), INTERVAL '1 day'", "a series with computed ends"],
    ["DATE '2024-01-01', DATE '2024-03-01', INTERVAL '1 month 1 day'", "a series with this step"],
  ])("%s is refused", (series, what) => {
    expect(refusal(`SELECT g FROM generate_series(${series}) AS g`)).toThrow(what);
  });
});
