/** SQL for Trino, construct by construct; `test/engines/trino-parity.test.ts` verifies the answers. */
import { describe, expect, test } from "vitest";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
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

/** `x` is the column `x` of the table. */
const sqlOf = (sql: string): string => planned(sql, manifest, { source: "trino" }).sql.replaceAll('"t"."', '"');

const STATEMENTS: readonly (readonly [sql: string, said: string])[] = [
  [
    "SELECT nullif(r, 0.1) AS a, nullif(i, 1) AS b FROM t",
    'SELECT CASE WHEN CAST("r" AS DOUBLE) = CAST(0.1 AS DOUBLE) THEN NULL ELSE "r" END AS "a", nullif("i", 1) AS "b" FROM "t" AS "t"',
  ],
  [
    "SELECT i / 2 AS q, d / 3 AS r, f / 2 AS s, i / f AS u FROM t",
    'SELECT "i" / 2 AS "q", CAST("d" AS DECIMAL(38, 18)) / 3 AS "r", "f" / 2 AS "s", CAST("i" AS DOUBLE) / "f" AS "u" FROM "t" AS "t"',
  ],
  [
    "SELECT d / 3 * 100.00 AS a, d / i * (d / 7) AS b FROM t",
    'SELECT CAST(CAST("d" AS DECIMAL(38, 18)) / 3 * 100.00 AS DECIMAL(38, 18)) AS "a", CAST(CAST(CAST("d" AS DECIMAL(38, 18)) / "i" AS DOUBLE) * CAST(CAST("d" AS DECIMAL(38, 18)) / 7 AS DOUBLE) AS DECIMAL(38, 18)) AS "b" FROM "t" AS "t"',
  ],
  [
    "SELECT sum(l) AS a, avg(i) AS b, avg(d) AS c, avg(r) AS e FROM t",
    'SELECT sum(CAST("l" AS DECIMAL(38, 0))) AS "a", avg(CAST("i" AS DECIMAL(38, 18))) AS "b", avg(CAST("d" AS DECIMAL(38, 18))) AS "c", avg(CAST("r" AS DOUBLE)) AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT round(d, 1) AS a, round(i) AS b, round(f) AS c, trunc(d, -1) AS e, ceil(i) AS g FROM t",
    'SELECT CAST("d" AS DECIMAL(38, 1)) AS "a", CAST("i" AS DOUBLE) AS "b", CASE WHEN abs("f" - truncate("f")) = 0.5e0 THEN round("f" / 2e0) * 2e0 ELSE round("f") END AS "c", CAST(truncate("d", -1) AS DECIMAL(38, 0)) AS "e", ceil(CAST("i" AS DOUBLE)) AS "g" FROM "t" AS "t"',
  ],
  [
    "SELECT 12345678901234567890 AS a, 1.5e3 AS b, 1e-3 AS c FROM t",
    'SELECT 12345678901234567890. AS "a", 1500. AS "b", 0.001 AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT CAST(f AS integer) AS a, CAST(d AS integer) AS b, CAST(s AS integer) AS c FROM t",
    'SELECT CAST(CASE WHEN abs("f" - truncate("f")) = 0.5e0 THEN round("f" / 2e0) * 2e0 ELSE round("f") END AS INTEGER) AS "a", CAST("d" AS INTEGER) AS "b", CAST("s" AS INTEGER) AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT CAST(d AS text) AS a, CAST(at AS text) AS b, CAST(seen AS text) AS c, CAST(b AS text) AS e FROM t",
    'SELECT CAST("d" AS VARCHAR) AS "a", regexp_replace(CAST(CAST("at" AS TIMESTAMP(6)) AS VARCHAR), \'[.]?0+$\', \'\') AS "b", regexp_replace(CAST(CAST(at_timezone("seen", \'UTC\') AS TIMESTAMP(6)) AS VARCHAR), \'[.]?0+$\', \'\') || \'+00\' AS "c", CAST("b" AS VARCHAR) AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT CAST(s AS double precision) AS a, TRY_CAST(s AS date) AS b FROM t",
    'SELECT CASE WHEN regexp_like("s", \'\\A(\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,4})?\\s*|NaN|-?Infinity)\\z\') THEN CAST(trim("s") AS DOUBLE) WHEN "s" IS NOT NULL THEN fail(\'A text cannot be read as a value of another type\') END AS "a", CASE WHEN regexp_like("s", \'\\A[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\\z\') THEN TRY_CAST("s" AS DATE) END AS "b" FROM "t" AS "t"',
  ],
  [
    "SELECT CAST(seen AS date) AS a, extract(hour FROM seen) AS b, date_trunc('day', seen) AS c FROM t",
    'SELECT CAST(at_timezone("seen", \'UTC\') AS DATE) AS "a", hour(at_timezone("seen", \'UTC\')) AS "b", date_trunc(\'day\', at_timezone("seen", \'UTC\')) AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT s || i AS a, concat(s, b) AS c FROM t",
    'SELECT "s" || CAST("i" AS VARCHAR) AS "a", coalesce("s", \'\') || coalesce(CASE WHEN "b" THEN \'t\' WHEN NOT "b" THEN \'f\' END, \'\') AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT i FROM t WHERE s LIKE 'a\\_%' AND s ILIKE 'A%' AND s NOT LIKE '%x'",
    'SELECT "i" FROM "t" AS "t" WHERE "s" LIKE \'a|_%\' ESCAPE \'|\' AND lower("s") LIKE lower(\'A%\') AND "s" NOT LIKE \'%x\'',
  ],
  [
    "SELECT i FROM t WHERE s ~ '^\\d+$' AND s !~* 'x|y'",
    'SELECT "i" FROM "t" AS "t" WHERE regexp_like("s", \'(?s)\\A[0-9]+\\z\') AND NOT regexp_like("s", \'(?is)x|y\')',
  ],
  [
    "SELECT regexp_replace(s, '(a)b', '\\1$') AS a, regexp_replace(s, 'x', '', 'g') AS b FROM t",
    'SELECT regexp_replace("s", \'(?s)\\A(.*?)((a)b)\', \'$1$3\\$\') AS "a", regexp_replace("s", \'(?s)x\', \'\') AS "b" FROM "t" AS "t"',
  ],
  [
    "SELECT b IS TRUE AS a, b IS NOT FALSE AS c, b IS UNKNOWN AS e FROM t",
    'SELECT coalesce("b", FALSE) AS "a", NOT coalesce(NOT "b", FALSE) AS "c", "b" IS NULL AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT (i, d) < (1, 2.5) AS a, (i, d) IS NULL AS c, (i, l) IN ((1, 2)) AS e FROM t",
    'SELECT "i" < 1 OR "i" = 1 AND "d" < 2.5 AS "a", "i" IS NULL AND "d" IS NULL AS "c", "i" = 1 AND "l" = 2 AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT greatest(i, 3) AS a, least(1, 2) AS c FROM t",
    'SELECT array_max(filter(ARRAY["i", 3], _e -> _e IS NOT NULL)) AS "a", least(1, 2) AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT left(s, 2) AS a, right(s, -1) AS c, substring(s, 0, 3) AS e, btrim(s) AS g FROM t",
    'SELECT substr("s", 1, 2) AS "a", substr("s", 1 + 1) AS "c", CASE WHEN 0 IS NOT NULL AND 3 IS NOT NULL THEN substr("s", greatest(0, 1), greatest(3 + least(0 - 1, 0), 0)) END AS "e", rtrim(ltrim("s", \' \'), \' \') AS "g" FROM "t" AS "t"',
  ],
  [
    "SELECT day + 1 AS a, day - DATE '2024-01-01' AS c, at + INTERVAL '1 month 2 days' AS e, day + i * INTERVAL '1 week' AS g FROM t",
    'SELECT date_add(\'day\', 1, "day") AS "a", date_diff(\'day\', DATE \'2024-01-01\', "day") AS "c", date_add(\'day\', 2, date_add(\'month\', 1, "at")) AS "e", date_add(\'day\', "i" * 7, CAST("day" AS TIMESTAMP(6))) AS "g" FROM "t" AS "t"',
  ],
  [
    "SELECT date_diff('month', day, at) AS a, extract(dow FROM day) AS c, extract(second FROM at) AS e FROM t",
    'SELECT date_diff(\'month\', date_trunc(\'month\', CAST("day" AS TIMESTAMP(6))), date_trunc(\'month\', CAST("at" AS TIMESTAMP(6)))) AS "a", day_of_week("day") % 7 AS "c", second("at") + CAST(CAST(substr(CAST(CAST("at" AS TIMESTAMP(6)) AS VARCHAR), -6) AS BIGINT) AS DECIMAL(19, 0)) * 0.000001 AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT extract(epoch FROM at - seen) AS a FROM t",
    "SELECT date_diff('second', TIMESTAMP '1970-01-01 00:00:00.000000', date_trunc('second', CAST(\"at\" AS TIMESTAMP(6)))) + CAST(CAST(substr(CAST(CAST(CAST(\"at\" AS TIMESTAMP(6)) AS TIMESTAMP(6)) AS VARCHAR), -6) AS BIGINT) AS DECIMAL(19, 0)) * 0.000001 - (date_diff('second', TIMESTAMP '1970-01-01 00:00:00.000000', date_trunc('second', CAST(at_timezone(at_timezone(\"seen\", 'UTC'), 'UTC') AS TIMESTAMP(6)))) + CAST(CAST(substr(CAST(CAST(CAST(at_timezone(at_timezone(\"seen\", 'UTC'), 'UTC') AS TIMESTAMP(6)) AS TIMESTAMP(6)) AS VARCHAR), -6) AS BIGINT) AS DECIMAL(19, 0)) * 0.000001) AS \"a\" FROM \"t\" AS \"t\"",
  ],
  [
    "SELECT to_char(at, 'YYYY-MM-DD HH24:MI') AS a, to_char(day, '\"Q\"Q') AS c FROM t",
    'SELECT date_format("at", \'%Y-%m-%d %H:%i\') AS "a", date_format("day", \'Q\') || CAST(quarter("day") AS VARCHAR) AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT TIMESTAMP '2024-01-01 10:00:00' AS a, TIMESTAMP WITH TIME ZONE '2024-01-01 10:00:00+02' AS c, TIME '10:00' AS e FROM t",
    'SELECT TIMESTAMP \'2024-01-01 10:00:00.000000\' AS "a", TIMESTAMP \'2024-01-01 08:00:00.000000 UTC\' AS "c", TIME \'10:00:00.000000\' AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT string_agg(s, ',' ORDER BY i) AS a, array_agg(i ORDER BY i) AS c FROM t",
    'SELECT array_join(array_agg("s" ORDER BY "i") FILTER (WHERE "s" IS NOT NULL), \',\') AS "a", array_agg("i" ORDER BY "i") FILTER (WHERE "i" IS NOT NULL) AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d) AS a, percentile_disc(0.9) WITHIN GROUP (ORDER BY s DESC) AS c, mode() WITHIN GROUP (ORDER BY i) AS e FROM t",
    'SELECT element_at(transform(ARRAY[array_agg(CAST("d" AS DOUBLE) ORDER BY CAST("d" AS DOUBLE)) FILTER (WHERE CAST("d" AS DOUBLE) IS NOT NULL)], _a -> element_at(_a, CAST(floor(0.5e0 * (cardinality(_a) - 1)) AS BIGINT) + 1) + (element_at(_a, CAST(ceiling(0.5e0 * (cardinality(_a) - 1)) AS BIGINT) + 1) - element_at(_a, CAST(floor(0.5e0 * (cardinality(_a) - 1)) AS BIGINT) + 1)) * ((0.5e0 * (cardinality(_a) - 1)) - floor(0.5e0 * (cardinality(_a) - 1)))), 1) AS "a", element_at(transform(ARRAY[array_agg("s" ORDER BY "s" DESC) FILTER (WHERE "s" IS NOT NULL)], _a -> element_at(_a, greatest(CAST(ceiling(0.9e0 * cardinality(_a)) AS BIGINT), 1))), 1) AS "c", element_at(transform(ARRAY[histogram("i")], _a -> element_at(array_sort(map_entries(_a), (_b, _c) -> CASE WHEN _b[2] > _c[2] THEN -1 WHEN _b[2] < _c[2] THEN 1 WHEN _b[1] < _c[1] THEN -1 WHEN _b[1] = _c[1] THEN 0 ELSE 1 END), 1)[1]), 1) AS "e" FROM "t" AS "t"',
  ],
  ["SELECT count(*) FILTER (WHERE b) AS a FROM t", 'SELECT count(*) FILTER (WHERE "b") AS "a" FROM "t" AS "t"'],
  [
    "SELECT sum(i) FILTER (WHERE b) OVER (ORDER BY i) AS a FROM t",
    'SELECT sum(CASE WHEN "b" THEN "i" END) OVER (ORDER BY "i") AS "a" FROM "t" AS "t"',
  ],
  [
    "SELECT i, count(*) AS n FROM t GROUP BY ROLLUP (i)",
    'SELECT "i", count(*) AS "n" FROM "t" AS "t" GROUP BY ROLLUP ("i")',
  ],
  [
    "SELECT i + 1 AS k, count(*) AS n FROM t GROUP BY GROUPING SETS ((i + 1), ())",
    'SELECT "_g1"."k", "_g1"."a" AS "n" FROM (SELECT "i" + 1 AS "k", count(*) AS "a" FROM "t" AS "t" GROUP BY "i" + 1 UNION ALL SELECT NULL AS "k", count(*) AS "a" FROM "t" AS "t") AS "_g1"',
  ],
  [
    "SELECT DISTINCT ON (s) s, i FROM t ORDER BY s, i DESC",
    'SELECT "_q"."s", "_q"."i" FROM (SELECT "s" AS "s", "i" AS "i", row_number() OVER (PARTITION BY "s" ORDER BY "s", "i" DESC) = 1 AS "_w1" FROM "t" AS "t") AS "_q" WHERE "_q"."_w1" ORDER BY "_q"."s", "_q"."i" DESC',
  ],
  [
    "SELECT i FROM t QUALIFY row_number() OVER (PARTITION BY s ORDER BY i) = 1",
    'SELECT "_q"."i" FROM (SELECT "i" AS "i", row_number() OVER (PARTITION BY "s" ORDER BY "i") = 1 AS "_w1" FROM "t" AS "t") AS "_q" WHERE "_q"."_w1"',
  ],
  [
    "SELECT i FROM t ORDER BY i DESC NULLS FIRST, s LIMIT 5 OFFSET 2",
    'SELECT "i" FROM "t" AS "t" ORDER BY "i" DESC NULLS FIRST, "s" OFFSET 2 LIMIT 5',
  ],
  [
    "SELECT i FROM t ORDER BY i FETCH FIRST 2 ROWS WITH TIES",
    'SELECT "i" FROM "t" AS "t" ORDER BY "i" FETCH FIRST 2 ROWS WITH TIES',
  ],
  [
    "SELECT rank() OVER (ORDER BY i ROWS UNBOUNDED PRECEDING) AS a, lag(i) IGNORE NULLS OVER (ORDER BY l) AS c FROM t",
    'SELECT rank() OVER (ORDER BY "i") AS "a", lag("i") IGNORE NULLS OVER (ORDER BY "l") AS "c" FROM "t" AS "t"',
  ],
  [
    "SELECT g FROM generate_series(1, 5) AS g ORDER BY g",
    'SELECT "g"."g" FROM UNNEST(CASE WHEN 1 <= 5 THEN sequence(1, 5, 1) END) AS "g"("g") ORDER BY 1',
  ],
  [
    "SELECT u.v FROM t, unnest(t.a) WITH ORDINALITY AS u(v, n)",
    'SELECT "u"."v" FROM "t" AS "t", UNNEST("a") WITH ORDINALITY AS "u"("v", "n")',
  ],
  [
    "SELECT t.i, x.m FROM t CROSS JOIN LATERAL (SELECT max(t2.l) AS m FROM t AS t2 WHERE t2.i = t.i) AS x",
    'SELECT "_l1"."i", "_l1"."m" FROM (SELECT "_o1"."i", max("_x1"."l") AS "m" FROM (SELECT "i", row_number() OVER () AS "k" FROM "t" AS "t") AS "_o1" LEFT JOIN (SELECT "t2"."l", "t2"."i" FROM "t" AS "t2") AS "_x1" ON "_x1"."i" = "_o1"."i" GROUP BY "_o1"."k", "_o1"."i") AS "_l1"',
  ],
  [
    "WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT n FROM c",
    'WITH RECURSIVE "c"("n") AS (SELECT 1 AS "n" UNION ALL SELECT "c"."n" + 1 AS "column1" FROM "c" WHERE "c"."n" < 5) SELECT "c"."n" FROM "c"',
  ],
  [
    "WITH c AS MATERIALIZED (SELECT i FROM t) SELECT i FROM c",
    'WITH "c" AS (SELECT "i" FROM "t" AS "t") SELECT "c"."i" FROM "c"',
  ],
  [
    "SELECT a[1] AS x, a[i] AS y, a[2:3] AS z, 3 = ANY (a) AS w FROM t",
    'SELECT element_at("a", 1) AS "x", element_at("a", nullif(greatest("i", 0), 0)) AS "y", slice("a", 2, 2) AS "z", contains("a", 3) AS "w" FROM "t" AS "t"',
  ],
  [
    "SELECT j ->> 'k' AS a, j -> 0 AS c, j #>> '{a,b}' AS e FROM t",
    'SELECT CASE WHEN regexp_like(json_format(json_extract("j", \'$["k"]\')), \'(?s)\\A(["tfn].*|-?[0-9]+([.][0-9]*[1-9])?)\\z\') THEN json_extract_scalar(json_extract("j", \'$["k"]\'), \'$\') WHEN json_extract("j", \'$["k"]\') IS NOT NULL THEN fail(\'not supported on this source: the text of a json object, array or long number\') END AS "a", CASE WHEN json_array_length("j") IS NOT NULL THEN json_extract("j", \'$[0]\') END AS "c", CASE WHEN regexp_like(json_format(json_extract(json_extract("j", \'$["a"]\'), \'$["b"]\')), \'(?s)\\A(["tfn].*|-?[0-9]+([.][0-9]*[1-9])?)\\z\') THEN json_extract_scalar(json_extract(json_extract("j", \'$["a"]\'), \'$["b"]\'), \'$\') WHEN json_extract(json_extract("j", \'$["a"]\'), \'$["b"]\') IS NOT NULL THEN fail(\'not supported on this source: the text of a json object, array or long number\') END AS "e" FROM "t" AS "t"',
  ],
  [
    "SELECT at AT TIME ZONE 'Europe/Berlin' AS a, seen AT TIME ZONE 'UTC' AS c FROM t",
    "SELECT at_timezone(CASE WHEN CAST(date_add('hour', -3, with_timezone(date_add('hour', 3, \"at\"), 'Europe/Berlin')) AS TIMESTAMP(6)) = \"at\" THEN date_add('hour', -3, with_timezone(date_add('hour', 3, \"at\"), 'Europe/Berlin')) ELSE with_timezone(\"at\", 'Europe/Berlin') END, 'UTC') AS \"a\", CAST(at_timezone(\"seen\", 'UTC') AS TIMESTAMP(6)) AS \"c\" FROM \"t\" AS \"t\"",
  ],
  [
    "SELECT now() AS a, current_date AS c, localtimestamp AS e FROM t",
    'SELECT current_timestamp(6) AS "a", current_date AS "c", localtimestamp(6) AS "e" FROM "t" AS "t"',
  ],
  [
    "VALUES (1), ((SELECT max(i) FROM t))",
    'SELECT 1 AS "column1" UNION ALL SELECT (SELECT max("i") AS "max" FROM "t" AS "t") AS "column1"',
  ],
  [
    "SELECT ln(f) AS a, i % 3 AS c, i ^ 2 AS e, -i AS g FROM t",
    'SELECT CASE WHEN "f" > 0 THEN ln("f") WHEN "f" IS NOT NULL THEN fail(\'A number is out of range\') END AS "a", "i" % 3 AS "c", power(CAST("i" AS DOUBLE), CAST(2 AS DOUBLE)) AS "e", -"i" AS "g" FROM "t" AS "t"',
  ],
  [
    "SELECT initcap(s) AS a, md5(s) AS c, split_part(s, ',', -1) AS e, to_hex(i) AS g FROM t",
    'SELECT regexp_replace(lower("s"), \'([\\p{L}\\p{N}])([\\p{L}\\p{N}]*)\', _m -> upper(_m[1]) || _m[2]) AS "a", lower(to_hex(md5(to_utf8("s")))) AS "c", CASE WHEN "s" IS NOT NULL THEN coalesce(element_at(split("s", \',\'), -1), \'\') END AS "e", to_base(bitwise_and("i", 4294967295), 16) AS "g" FROM "t" AS "t"',
  ],
];

test.each(STATEMENTS)("%s", (sql, said) => expect(sqlOf(sql)).toBe(said));

describe("refused", () => {
  test.each<[sql: string, what: string]>([
    ["SELECT CAST(r AS text) AS x FROM t", "the text of a real"],
    [
      "SELECT u.x FROM t JOIN unnest(ARRAY[1, 2]) AS u(x) ON t.i = u.x",
      "rows of a function that are joined on a condition",
    ],
    ["SELECT u.x FROM t LEFT JOIN unnest(t.a) AS u(x) ON u.x > 1", "rows of a function that are joined on a condition"],
    [
      "SELECT g.x FROM t JOIN generate_series(1, 3) AS g(x) ON t.i = g.x",
      "rows of a function that are joined on a condition",
    ],
    ["SELECT CAST(d / 3 AS text) AS x FROM t", "the text of a quotient, an average or decimals of several scales"],
    [
      "SELECT CAST(coalesce(d, 0.125) AS text) AS x FROM t",
      "the text of a quotient, an average or decimals of several scales",
    ],
    ["SELECT sum(at - seen) AS x FROM t", "an interval as a value"],
    ["SELECT unnest(a) AS x, unnest(a || 1) AS y FROM t", "a function that makes rows as a value"],
    ["SELECT j = j AS x FROM t", "a comparison of json"],
    ["SELECT i FROM t WHERE s ~ u", "a computed regular expression"],
    ["SELECT i FROM t LIMIT 1 + 1", "a computed LIMIT or OFFSET"],
    ["SELECT i FROM t WHERE (i, l) NOT IN (SELECT i, l FROM t)", "a row that is compared with those of a subquery"],
    ["SELECT lag(i) OVER () AS x FROM t", "lag of rows in no order"],
    ["SELECT x.i FROM t LEFT JOIN LATERAL (SELECT t.i) AS x ON x.i > 0", "LATERAL that is joined on a condition"],
    ["SELECT sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS x FROM t", "a frame of GROUPS"],
    ["SELECT date_trunc('microsecond', at) AS x FROM t", "date_trunc to microsecond"],
    ["SELECT at AT TIME ZONE s AS x FROM t", "the time zone"],
    ["SELECT CAST('{\"a\": 1.50}' AS json) AS x FROM t", "the number 1.50 in json"],
    [
      "SELECT g.d FROM generate_series(TIMESTAMP '2024-01-31', TIMESTAMP '2024-06-01', INTERVAL '1 month') AS g(d)",
      "a series of months from a day that some do not have",
    ],
    [
      "WITH RECURSIVE g(n, v) AS (SELECT 1, 100.0 UNION ALL SELECT n + 1, v * 1.05 FROM g WHERE n < 5) SELECT n, v FROM g",
      "a recursive table whose decimals grow",
    ],
    ["SELECT CAST(s AS timetz) AS x FROM t", "a time of day with a zone"],
    ["SELECT CAST(d AS numeric(40, 2)) AS x FROM t", "numeric(40, 2)"],
    ["SELECT 1 << i AS x FROM t", "shifted bits"],
    ["SELECT i + 1 AS k, grouping(i + 1) AS g FROM t GROUP BY i + 1", "grouping() of an expression"],
    ["SELECT i FROM t LIMIT 2.5", "a number of rows with a fraction"],
    ["SELECT CAST('1' AS jsonb) -> 0 AS x FROM t", "the first element of what may be a plain value"],
  ])("%s", (sql, what) => {
    expect(() => sqlOf(sql)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: `not supported on Trino: ${what}` }),
    );
  });
});

/** `row_number() OVER ()` above 0 around the rule; what is computed stands above that (docs/reference/access-rules.md). */
test.each<[sql: string, said: string]>([
  [
    "SELECT i FROM ruled",
    'SELECT "ruled"."i" FROM (SELECT "_f"."i" FROM (SELECT "_b"."i", row_number() OVER () AS "_n" FROM "t" AS "_b" WHERE "_b"."i" > 1 LIMIT 9223372036854775807) AS "_f" WHERE "_f"."_n" > 0) AS "ruled"',
  ],
  [
    "SELECT q FROM ruled WHERE q > 2",
    'SELECT "ruled"."q" FROM (SELECT 10 / "_f"."i" AS "q" FROM (SELECT "_b"."i", row_number() OVER () AS "_n" FROM "t" AS "_b" WHERE "_b"."i" > 1 LIMIT 9223372036854775807) AS "_f" WHERE "_f"."_n" > 0) AS "ruled" WHERE "ruled"."q" > 2',
  ],
  [
    "SELECT count(*) AS c FROM ruled",
    'SELECT count(*) AS "c" FROM (SELECT 1 AS "_x" FROM (SELECT row_number() OVER () AS "_n" FROM "t" AS "_b" WHERE "_b"."i" > 1 LIMIT 9223372036854775807) AS "_f" WHERE "_f"."_n" > 0) AS "ruled"',
  ],
])("over rows with a rule: %s", (sql, said) => {
  const ruled = manifestOf({
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
  });
  expect(planned(sql, ruled, { source: "trino" }).sql).toBe(said);
});
