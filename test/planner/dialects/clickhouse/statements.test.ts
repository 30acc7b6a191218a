/** Constructs of the input language as ClickHouse says them; what it would mean by them is seen in `test/engines`. */
import { describe, expect, test } from "vitest";
import { OF_EVERY_STATEMENT, valueForAll } from "../../../../src/connectors/clickhouse/settings.ts";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../../src/planner/index.ts";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
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

const said = (sql: string): string =>
  planned(sql, manifest, { source: "clickhouse" })
    .sql.replaceAll('"t" AS "t"', "t")
    .replaceAll(/"(\w+)"/g, "$1")
    .replaceAll("t.", "");

describe("numbers are computed where they have room, and come back by casts that fail", () => {
  test.each([
    ["SELECT id + 1 AS x FROM t", "SELECT accurateCast(toInt128(id) + toInt128(1), 'Int64') AS x FROM t"],
    ["SELECT id / 2 AS x FROM t", "SELECT accurateCast(intDiv(toInt128(id), toInt128(2)), 'Int64') AS x FROM t"],
    ["SELECT id + CAST(NULL AS integer) AS x FROM t", "SELECT CAST(NULL AS Int64) AS x FROM t"],
    ["SELECT NULL * id AS x FROM t", "SELECT CAST(NULL AS Int64) AS x FROM t"],
    ["SELECT f / 2 AS x FROM t", "SELECT f / 2 AS x FROM t"],
    ["SELECT -5 AS x FROM t", "SELECT -5 AS x FROM t"],
    ["SELECT sum(id) AS x FROM t", "SELECT accurateCast(sum(toInt128(id)), 'Int64') AS x FROM t"],
    ["SELECT sum(big) AS x FROM t", "SELECT CAST(sum(toDecimal256(big, 0)) AS Decimal(38, 0)) AS x FROM t"],
    ["SELECT n FROM t WHERE n > 0.05", "SELECT n FROM t WHERE n > CAST('0.05' AS Decimal(38, 2))"],
    [
      "SELECT n * 1.1 AS x FROM t",
      "SELECT CAST(toDecimal256(n, 2) * toDecimal256(CAST('1.1' AS Decimal(38, 1)), 1) AS Decimal(38, 3)) AS x FROM t",
    ],
    ["SELECT CAST(big AS integer) AS x FROM t", "SELECT accurateCast(big, 'Int32') AS x FROM t"],
    ["SELECT CAST(n AS integer) AS x FROM t", "SELECT accurateCast(round(n, 0), 'Int32') AS x FROM t"],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("NULL is what it is elsewhere", () => {
  test.each([
    ["SELECT id FROM t WHERE id IN (1, NULL)", "SELECT id FROM t WHERE id = 1 OR id = NULL"],
    ["SELECT CASE s WHEN 'a' THEN 1 END AS x FROM t", "SELECT CASE WHEN s = 'a' THEN 1 END AS x FROM t"],
    ["SELECT concat(s, 'x') AS x FROM t", "SELECT concat(ifNull(s, ''), 'x') AS x FROM t"],
    ["SELECT lag(id) OVER (ORDER BY id) AS x FROM t", "SELECT lag(toNullable(id)) OVER (ORDER BY id) AS x FROM t"],
    [
      "SELECT first_value(id) OVER (ORDER BY id) AS x FROM t",
      "SELECT first_value(toNullable(id)) RESPECT NULLS OVER (ORDER BY id) AS x FROM t",
    ],
    ["SELECT id FROM t WHERE b IS NOT TRUE", "SELECT id FROM t WHERE NOT ifNull(b, FALSE)"],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("texts, times and answers", () => {
  test.each([
    ["SELECT length(s) AS x FROM t", "SELECT toInt64(lengthUTF8(s)) AS x FROM t"],
    ["SELECT id FROM t WHERE s LIKE 'a!%b\\_' ESCAPE '!'", "SELECT id FROM t WHERE s LIKE 'a\\\\%b\\\\\\\\_'"],
    ["SELECT s FROM t ORDER BY s", "SELECT s FROM t ORDER BY CAST(s AS String)"],
    [
      "SELECT d + 1 AS x FROM t",
      "SELECT if(ifNull(dateDiff('day', d, CAST(CAST(addDays(toDate32(d), 1) AS String) AS Date32)) = 1, 0) > throwIf(ifNull(not(dateDiff('day', d, CAST(CAST(addDays(toDate32(d), 1) AS String) AS Date32)) = 1), 0), 'A date or time beyond the years of its type'), addDays(toDate32(d), 1), NULL) AS x FROM t",
    ],
    [
      "SELECT date_trunc('week', ts) AS x FROM t",
      "SELECT CAST(toStartOfWeek(CAST(ts AS DateTime64(6)), 1) AS DateTime64(6)) AS x FROM t",
    ],
    ["SELECT id > 1 AS x FROM t", "SELECT CAST(id > 1 AS Bool) AS x FROM t"],
    ["SELECT count(*) AS x FROM t", "SELECT count(*) AS x FROM t"],
    [
      "SELECT count(*) + 1 AS x FROM t",
      "SELECT accurateCast(toInt128(toInt64(count(*))) + toInt128(1), 'Int64') AS x FROM t",
    ],
    [
      "SELECT id FROM t UNION SELECT big FROM t LIMIT 1",
      "SELECT _s1.id FROM (SELECT id FROM t UNION SELECT big FROM t) AS _s1 LIMIT 1",
    ],
    ["SELECT DISTINCT id FROM t ORDER BY id", "SELECT _s1.id FROM (SELECT DISTINCT id FROM t) AS _s1 ORDER BY _s1.id"],
    [
      "SELECT id FROM t UNION SELECT 1 EXCEPT SELECT 2",
      "(SELECT id FROM t UNION SELECT 1 AS column1) EXCEPT SELECT 2 AS column1",
    ],
    // An alias is what it stands for wherever something is read under its name.
    [
      "WITH x AS (SELECT 1 AS id) SELECT x.id FROM t AS x CROSS JOIN x AS y",
      "WITH x_cte AS (SELECT 1 AS id) SELECT x.id AS id FROM t AS x CROSS JOIN x_cte AS y",
    ],
    ["WITH x AS (SELECT 1 AS id) SELECT id FROM x", "WITH x AS (SELECT 1 AS id) SELECT x.id FROM x"],
    // The two zeros of a double are one value.
    [
      "SELECT f, count(*) AS n FROM t GROUP BY f",
      "SELECT f + CAST(0 AS Float64) AS f, count(*) AS n FROM t GROUP BY f + CAST(0 AS Float64)",
    ],
    // Behind WITH its grammar has no parenthesis.
    [
      "WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION ALL SELECT id FROM t UNION ALL SELECT big FROM t",
      "WITH c AS (SELECT 1 AS x) SELECT c.x FROM c UNION ALL SELECT id FROM t UNION ALL SELECT big FROM t",
    ],
    [
      "WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION SELECT id FROM t EXCEPT SELECT big FROM t",
      "WITH c AS (SELECT 1 AS x) SELECT * FROM ((SELECT c.x FROM c UNION SELECT id FROM t) EXCEPT SELECT big FROM t)",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("differences of times are its intervals of microseconds, and hands of a clock are microseconds", () => {
  test.each([
    [
      "SELECT ts - d AS x FROM t",
      "SELECT toIntervalMicrosecond(toUnixTimestamp64Micro(CAST(ts AS DateTime64(6))) - toUnixTimestamp64Micro(CAST(d AS DateTime64(6)))) AS x FROM t",
    ],
    [
      "SELECT id FROM t WHERE ts - ts > INTERVAL '1 day 01:00'",
      "SELECT id FROM t WHERE toIntervalMicrosecond(toUnixTimestamp64Micro(CAST(ts AS DateTime64(6))) - toUnixTimestamp64Micro(CAST(ts AS DateTime64(6)))) > toIntervalMicrosecond(90000000000)",
    ],
    ["SELECT id FROM t WHERE tm >= '10:00'", "SELECT id FROM t WHERE tm >= toTime64('10:00:00', 6)"],
    ["SELECT id FROM t WHERE tm IN ('10:00')", "SELECT id FROM t WHERE tm IN (toTime64('10:00:00', 6))"],
    ["SELECT ts::time AS x FROM t", "SELECT CAST(ts AS Time64(6)) AS x FROM t"],
    [
      "SELECT tm + INTERVAL '30 minutes' AS x FROM t",
      "SELECT CAST(CAST(fromUnixTimestamp64Micro(CAST(toDecimal256(CAST(toDecimal256(accurateCast(toInt128(accurateCast(toInt128(CAST(CAST(tm AS Decimal(18, 6)) * 1000000 AS Int64)) + toInt128(1800000000), 'Int64')) % toInt128(86400000000), 'Int64'), 0) * toDecimal256(CAST('0.000001' AS Decimal(38, 6)), 6) AS Decimal(38, 6)), 6) * 1000000 AS Int64), 'UTC') AS DateTime64(6)) AS Time64(6)) AS x FROM t",
    ],
    [
      "SELECT lag(id, 1, 0) OVER (ORDER BY id) AS x FROM t",
      "SELECT CASE WHEN lag(toNullable(1), 1) OVER (ORDER BY id) IS NULL THEN 0 ELSE lag(toNullable(id), 1) OVER (ORDER BY id) END AS x FROM t",
    ],
    ["SELECT count(DISTINCT (id, s)) AS x FROM t", "SELECT count(DISTINCT tuple(id, s)) AS x FROM t"],
    [
      "SELECT n % 0.7 AS x FROM t",
      "SELECT CAST(modulo(toDecimal256(n, 2), toDecimal256(CAST('0.7' AS Decimal(38, 1)), 2)) AS Decimal(38, 2)) AS x FROM t",
    ],
    [
      "SELECT (regexp_match(s, '([a-z])-([0-9])'))[2] AS x FROM t",
      "SELECT CASE WHEN match(s, '(?s)([a-z])-([0-9])') THEN regexpExtract(s, '(?s)([a-z])-([0-9])', 2) END AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("joins, orders and parts", () => {
  test.each([
    [
      "SELECT a.id FROM t AS a LEFT JOIN t AS x ON a.big < x.big",
      "SELECT a.id AS id FROM t AS a LEFT JOIN t AS x ON ignore(a.big) = ignore(x.big) AND a.big < x.big",
    ],
    [
      "SELECT a.id FROM t AS a LEFT JOIN t AS x ON a.big = x.big AND a.id < x.id",
      "SELECT a.id AS id FROM t AS a LEFT JOIN t AS x ON a.big = x.big AND a.id < x.id",
    ],
    ["SELECT u FROM t ORDER BY u", "SELECT u FROM t ORDER BY CAST(u AS String)"],
    [
      "SELECT split_part(s, '-', 1) AS x FROM t",
      "SELECT if(isNull(s), NULL, arrayElement(splitByString('-', s), 1)) AS x FROM t",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

describe("subqueries of a row", () => {
  test.each([
    // Beside its columns, which would be gone otherwise; in groups of its own, which no duplicates around multiply.
    [
      "SELECT (SELECT count(*) FROM t AS x WHERE x.big = u.big) AS m FROM t AS u",
      "SELECT ifNull(tupleElement(tuple((SELECT any(_q._v) FROM (SELECT x.big AS _k0, toInt64(count(*)) AS _v FROM t AS x GROUP BY x.big) AS _q WHERE _q._k0 = u.big), u.big), 1), 0) AS m FROM t AS u",
    ],
    // Operands that may be NULL, and rows selected by IN, are looked up in a set.
    [
      "SELECT u.id FROM t AS u WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.big = u.big AND x.s = u.s AND x.id > 1)",
      "SELECT u.id FROM t AS u WHERE u.big IS NOT NULL AND u.s IS NOT NULL AND tuple(u.big, u.s) IN (SELECT x.big, x.s FROM t AS x WHERE x.id > 1 AND x.big IS NOT NULL AND x.s IS NOT NULL)",
    ],
    [
      "SELECT id FROM t WHERE big NOT IN (SELECT id FROM t)",
      "SELECT id FROM t WHERE NOT CASE WHEN ifNull(big IN (SELECT t_2.id FROM t AS t_2), FALSE) THEN TRUE WHEN (SELECT count(*) FROM (SELECT t_2.id FROM t AS t_2) AS _q) = 0 THEN FALSE WHEN big IS NULL OR (SELECT count(*) FILTER (WHERE _q.id IS NULL) FROM (SELECT t_2.id FROM t AS t_2) AS _q) > 0 THEN NULL ELSE FALSE END",
    ],
  ])("%s", (sql, text) => expect(said(sql)).toBe(text));
});

/** A full join keeps subqueries in their place that become joins elsewhere. */
describe("what it would take for something else is refused", () => {
  test.each([
    ["SELECT id FROM t WHERE (id, big) NOT IN (SELECT id, big FROM t)", "NULL"],
    [
      "SELECT (SELECT max(x.id) FROM t AS x WHERE x.big = t.big) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
      "read again",
    ],
    [
      "SELECT (SELECT sum(x.id) FROM t AS x WHERE x.big < u.big) AS m FROM t AS u FULL JOIN t AS f ON f.id = u.id",
      "a correlated subquery of that form",
    ],
    ["SELECT (SELECT x.id FROM t AS x WHERE x.big = u.big) AS m FROM t AS u", "a correlated subquery of that form"],
    [
      "SELECT (SELECT coalesce(sum(x.id), 0) FROM t AS x WHERE x.big = u.big) AS m FROM t AS u FULL JOIN t AS f ON f.id = u.id",
      "a correlated subquery of that form",
    ],
    [
      "SELECT u.id FROM t AS u FULL JOIN t AS f ON f.id = u.id WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.big < abs(u.big))",
      "may be NULL",
    ],
    [
      "SELECT id FROM t AS u WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.big = u.big AND EXISTS (SELECT 1 FROM t AS y WHERE y.big = u.big AND y.id < x.id))",
      "nested correlated subqueries",
    ],
    [
      "SELECT u.id FROM t AS u FULL JOIN t AS f ON f.id = u.id WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.id < u.id AND x.id IN (SELECT id FROM t))",
      "IN a query",
    ],
    ["SELECT j FROM t ORDER BY j", "json"],
    ["SELECT id FROM t ORDER BY iv", "interval"],
    ["SELECT count(DISTINCT iv) FROM t", "interval"],
    ["SELECT id FROM t WHERE iv > INTERVAL '1 day'", "interval"],
    ["SELECT iv FROM t", "interval"],
    ["SELECT INTERVAL '1 day' AS x FROM t", "interval"],
    ["SELECT extract(day FROM iv) AS x FROM t", "interval"],
    ["SELECT avg(ts - d) AS x FROM t", "average"],
    ["SELECT regexp_match(s, '(a)(b)') AS x FROM t", "match"],
    ["SELECT tm::timetz AS x FROM t", "time"],
    ["SELECT DISTINCT j FROM t", "json"],
    ["SELECT count(*) FROM t GROUP BY j", "json"],
    ["SELECT count(DISTINCT j) FROM t", "json"],
    ["SELECT j FROM t UNION SELECT j FROM t", "json"],
    [
      "SELECT sum((SELECT count(*) FROM t AS x WHERE x.big = u.big)) AS m FROM t AS u FULL JOIN t AS f ON f.id = u.id",
      "subquery of each row",
    ],
    ["WITH RECURSIVE r AS (SELECT 1 AS i UNION SELECT i + 1 FROM r WHERE i < 3) SELECT i FROM r", "distinct rows"],
    [
      "SELECT sum(id) OVER (ORDER BY big RANGE UNBOUNDED PRECEDING) AS x, sum(id) OVER (ORDER BY big RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) AS y FROM t",
      "RANGE frame",
    ],
    ["SELECT CAST(n / 3 AS text) AS x FROM t", "the text of a quotient"],
    ["SELECT s ~ s AS x FROM t", "computed regular expression"],
    [
      "SELECT s IN (SELECT 'a') AS x, array_agg(id) AS y FROM t GROUP BY s HAVING array_agg(id) IS NULL",
      "whether an array is NULL",
    ],
    ["SELECT y FROM (SELECT array_agg(id) AS y FROM t) AS d", "array_agg without GROUP BY"],
    ["SELECT count(*) AS n FROM t GROUP BY string_to_array(s, ',')", "a comparison of arrays"],
    ['SELECT s FROM t ORDER BY s COLLATE "de_DE"', "COLLATE"],
    ["SELECT long + 1 AS x FROM t", "digits are not known"],
    ["SELECT o || 'x' AS x FROM t", "the text of opaque"],
    ["SELECT s ~ '(a)\\1' AS x FROM t", "regular expression"],
    ["SELECT DATE '1850-01-01' AS x", "1850"],
    ["SELECT toTypeName(id) FROM t", "totypename"],
    ["SELECT url('http://x')", "url"],
  ])("%s", (sql, what) => {
    const plan = () => planned(sql, manifest, { source: "clickhouse" });
    expect(plan).toThrow(PlannerError);
    expect(plan).toThrow(what);
  });
});

const OWN_ROW = "OVER (ROWS BETWEEN CURRENT ROW AND CURRENT ROW)";

test.each([
  [
    "SELECT i FROM ruled",
    `SELECT "ruled"."i" FROM (SELECT "_f"."i" FROM (SELECT any("_b"."i") ${OWN_ROW} AS "i" FROM "t" AS "_b" WHERE "_b"."i" > 1) AS "_f") AS "ruled"`,
  ],
  [
    "SELECT n FROM ruled WHERE i < 3",
    `SELECT "ruled"."n" FROM (SELECT "_f"."i", toInt64(lengthUTF8("_f"."s")) AS "n" FROM (SELECT any("_b"."i") ${OWN_ROW} AS "i", any("_b"."s") ${OWN_ROW} AS "s" FROM "t" AS "_b" WHERE "_b"."i" > 1) AS "_f") AS "ruled" WHERE "ruled"."i" < 3`,
  ],
  [
    "SELECT count(*) AS c FROM ruled",
    'SELECT count(*) AS "c" FROM (SELECT 1 AS "_x" FROM (SELECT toInt64(row_number() OVER ()) AS "_n" FROM "t" AS "_b" WHERE "_b"."i" > 1 LIMIT 9223372036854775807) AS "_f" WHERE "_f"."_n" > 0) AS "ruled"',
  ],
])("over rows with a rule: %s", (sql, said) => {
  expect(planned(sql, ruledTable("ruled"), { source: "clickhouse" }).sql).toBe(said);
});

describe("an alias that is a table's name", () => {
  test.each([
    "SELECT i FROM t",
    "SELECT a.i FROM t AS a JOIN t ON a.i = t.i",
    "SELECT i FROM t WHERE i IN (SELECT i FROM t)",
    "SELECT i, (SELECT max(z.i) FROM t AS z) AS x FROM t",
  ])("hides none of a model's: %s", (sql) => {
    expect(planned(sql, ruledTable("t"), { source: "clickhouse" }).sql).toContain('FROM "t" AS "_b"');
  });

  test.each([
    "SELECT t.i FROM ruled AS t JOIN other ON other.i = t.i",
    "SELECT t.i FROM ruled AS t WHERE t.i < (SELECT max(other.i) FROM other)",
    "SELECT t.i, (SELECT max(other.i) FROM other) AS x FROM ruled AS t",
  ])("is refused where that is looked up: %s", (sql) => {
    expect(() => planned(sql, ruledTable("ruled"), { source: "clickhouse" })).toThrow('the alias "t" beside a table');
  });
});

/** A model with a rule, and another of the same table without one. */
function ruledTable(name: string): Manifest {
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

test("no connection may set otherwise what plans rest on, and no plan what every statement has", () => {
  const { session } = planned("SELECT 1", manifest, { source: "clickhouse" });
  const names = new Set(OF_EVERY_STATEMENT.map(({ name }) => name));
  for (const { name, value } of session) {
    expect([name, valueForAll(name)]).toEqual([name, value]);
    expect(names.has(name)).toBe(false);
  }
});
