/** Doris, as the suites of sources that are not run want it. */
import { REFUSED_BY_DORIS } from "../../parity/refused/doris.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

export const DORIS: Unexecuted = { source: "doris", ownType: (type) => type, schema: "main" };

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Doris";
const SEPARATOR = "sqlglot takes the separator behind DISTINCT for a second value, as MySQL does";
const ARRAYS = "DuckDB has no such functions and rows of arrays: arrays.test.ts says them otherwise";
const DIGITS = "beside a sum DuckDB has 38 digits in all, and rounds to those of the sum; Doris has 76";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "SELECT TIMESTAMP '2024-07-01 12:00:00' AT TIME ZONE 'America/New_York' AS a, TIMESTAMP WITH TIME ZONE '2024-07-01 12:00:00+02' AT TIME ZONE 'UTC' AS b":
    "DuckDB knows no zone +00:00",
  "SELECT TIMESTAMP WITH TIME ZONE '2024-01-15 23:00:00 America/New_York' AS a, CAST('2024-07-15 23:00:00 America/New_York' AS timestamp with time zone) AS b":
    "DuckDB knows no zone +00:00",
  "SELECT id, n & 12 AS a, n | 12 AS b, n # 12 AS c, ~n AS e FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f) ORDER BY id":
    "DuckDB has no bitand and bitor",
  "SELECT id, n >> 1 AS a, n >> 30 AS b, n::bigint >> 40 AS c FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f) ORDER BY id":
    "DuckDB has no bitand and bitor",
  "SELECT x << 1 AS a, x << 4 AS b, x >> 1 AS c, x::smallint << 3 AS e, x::smallint >> 2 AS f, x::bigint << 40 AS g FROM (VALUES (1), (0), (NULL), (1000)) AS t(x)":
    "DuckDB has no bitand and bitor",
  "SELECT (x & 7) << 2 AS a, (x >> 4) & 15 AS b, ~(x >> 1) AS c FROM (VALUES (1), (-7), (NULL), (255)) AS t(x)":
    "DuckDB has no bitand and bitor",
  "SELECT 1 + 2 || 'x' AS a, 5 & 3 | 8 AS b": "DuckDB has no bitand and bitor",
  "SELECT generate_series(1, 3) AS a": "DuckDB has no numbers()",
  "SELECT date_trunc('day', t, 'Asia/Kolkata'), date_trunc('month', t, 'Europe/Berlin'), date_trunc('week', t, 'America/New_York') FROM (VALUES (TIMESTAMPTZ '2024-03-31 22:34:56+00'),(TIMESTAMPTZ '2024-10-27 01:30:00+00'),(NULL)) v(t)":
    "DuckDB knows no zone +00:00",
  Q16: "DuckDB has no regexp_replace_one",
  Q27: "sqlglot takes a cast in JSON for a number",
  Q32: "DuckDB has no numbers()",
  Q52: ARRAYS,
  "SELECT regexp_replace('a-b-c', '-', '') AS a, regexp_replace('a-b-c', '-', '', 'g') AS b, regexp_replace('aXbx', 'x', '_', 'gi') AS c":
    "DuckDB has no regexp_replace_one",
  "SELECT i, t AT TIME ZONE 'Europe/Berlin' AS a, t AT TIME ZONE 'America/New_York' AS b, t AT TIME ZONE 'Australia/Lord_Howe' AS c, t AT TIME ZONE 'Asia/Kolkata' AS e FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) ORDER BY i":
    "DuckDB knows no zone +00:00",
  "SELECT i, extract(hour FROM t AT TIME ZONE 'America/New_York') AS h, to_char(t AT TIME ZONE 'Europe/Berlin', 'Day HH24:MI') AS s, (t AT TIME ZONE 'Australia/Lord_Howe')::date AS d FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) ORDER BY i":
    "DuckDB knows no zone +00:00",
  "SELECT k, string_agg(DISTINCT upper(x), '/' ORDER BY upper(x)) AS a, string_agg(DISTINCT x, '+' ORDER BY x DESC) AS b, count(DISTINCT x) AS n, count(*) AS c FROM (VALUES (1, 'b'), (1, 'B'), (1, 'a'), (2, NULL), (2, 'b'), (3, NULL), (1, 'b')) AS t(k, x) GROUP BY k ORDER BY k":
    "DuckDB orders distinct texts by themselves alone",
  "SELECT string_agg(DISTINCT lower(x), ', ') FILTER (WHERE k < 3) AS a FROM (VALUES (1, 'b'), (1, 'B'), (1, 'a'), (2, NULL), (2, 'b'), (3, NULL), (1, 'b')) AS t(k, x)":
    "DuckDB orders distinct texts by themselves alone",
  "SELECT id, upper(s) AS a, lower(s) AS b, initcap(s) AS c, length(trim(s)) AS e FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) ORDER BY id":
    "sqlglot says INITCAP by lists, which are NULL of an empty text",
  "SELECT DISTINCT generate_series(1, 5) % 2 AS g ORDER BY g": "DuckDB has no numbers()",
  "SELECT unnest(ARRAY[1, 2]) AS a UNION ALL SELECT generate_series(5, 6) ORDER BY 1": "DuckDB has no numbers()",
  "SELECT CASE WHEN TRUE THEN 0.125 ELSE sum(d) END AS a, sum(d) % 0.125 AS b, greatest(sum(d), 100.135) AS c, sum(d) > 100.125 AS e FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT x::date AS d FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-03-01', '1 month') AS g(x)":
    "DuckDB has no numbers()",
  "SELECT date_trunc('day', t AT TIME ZONE 'Europe/Berlin') AS d, count(*) AS n FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) GROUP BY 1 ORDER BY 1":
    "DuckDB has no zone +00:00",
  "SELECT generate_series(1, 3) AS a, generate_series(1, 3) * 10 AS b ORDER BY 1": "DuckDB has no numbers()",
  "SELECT json_object_agg(k, v ORDER BY k), jsonb_object_agg(k, v ORDER BY k) FROM (VALUES ('a',1),('b',NULL)) t(k,v)":
    "jsonb is written without blanks on DuckDB",
  "SELECT date_trunc('week', t AT TIME ZONE 'Australia/Lord_Howe') AS w, date_trunc('month', t AT TIME ZONE 'America/New_York') AS m, count(*) AS n FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) GROUP BY 1, 2 ORDER BY 1, 2":
    "DuckDB knows no zone +00:00",
  "SELECT g FROM generate_series(1, 5, 2) AS g ORDER BY g": "DuckDB has no numbers()",
  "SELECT d FROM generate_series(DATE '2024-01-30', DATE '2024-02-02', INTERVAL '1 day') AS g(d) ORDER BY d":
    "DuckDB has no numbers()",
  "SELECT t FROM generate_series(TIMESTAMPTZ '2024-01-30 12:00:00+00', TIMESTAMPTZ '2024-02-02 12:00:00+00', INTERVAL '1 day') AS g(t) ORDER BY t":
    "DuckDB has no numbers()",
  "SELECT t, t + INTERVAL '1 month' AS next, extract(hour FROM t) AS h FROM generate_series(TIMESTAMPTZ '2024-01-01 00:00:00+00', TIMESTAMPTZ '2024-04-15 00:00:00+00', INTERVAL '1 month') AS g(t) WHERE t < TIMESTAMPTZ '2024-03-15 00:00:00+00' ORDER BY t":
    "DuckDB has no numbers()",
  "SELECT t FROM generate_series(TIMESTAMPTZ '2024-03-31 06:00:00+05', TIMESTAMPTZ '2024-03-30 20:30:00+00', INTERVAL '-90 minutes') AS g(t) ORDER BY t":
    "DuckDB has no numbers()",
  "SELECT count(*) AS n, min(t) AS first FROM generate_series(TIMESTAMPTZ '2024-01-02 00:00:00+00', TIMESTAMPTZ '2024-01-01 00:00:00+00', INTERVAL '1 day') AS g(t)":
    "DuckDB has no numbers()",
  "SELECT generate_series(DATE '2024-01-30', DATE '2024-02-02', INTERVAL '1 day')::date AS d ORDER BY d DESC LIMIT 2":
    "DuckDB has no numbers()",
  "SELECT cardinality(ARRAY[1, 2, 3]) AS a, array_length(ARRAY[1, 2], 1) AS b, array_position(ARRAY['a', 'b'], 'b') AS c, array_position(ARRAY['a'], 'z') AS e":
    "CARDINALITY is of maps on DuckDB",
  "SELECT (ARRAY[1, 2, 3])[2:3] AS a, (ARRAY[1, 2, 3])[:2] AS b, (ARRAY[1, 2, 3])[0:2] AS c, (ARRAY[1, 2, 3])[3:2] AS e":
    "sqlglot takes the length of a slice for its last place",
  "SELECT id, unnest(a) AS e FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z', 'b', 'c'])) AS t(id, a) ORDER BY id DESC LIMIT 2":
    "sqlglot knows EXPLODE of one array alone",
  "SELECT array_agg(n ORDER BY id) AS a, cardinality(array_agg(n)) AS b FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f)":
    ARRAYS,
  "SELECT string_agg(s, ',') AS a, array_agg(s) AS b FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) WHERE FALSE":
    ARRAYS,
  "SELECT string_agg(x, ',' ORDER BY x) AS a, array_agg(x ORDER BY x) AS b, any_value(1) AS c FROM (VALUES ('a'), ('b')) t(x)":
    ARRAYS,
  "SELECT a && ARRAY['vip', 'new'] AS x, NOT (ARRAY['b'] && a) AS y, ARRAY['a', NULL] && ARRAY['b'] AS z FROM (VALUES (1, ARRAY['a', 'vip']), (2, ARRAY['b', NULL]), (3, NULL), (4, ARRAY['new', NULL])) AS t(i, a) ORDER BY i":
    ARRAYS,
  "SELECT (ARRAY[1, 2, 3])[-1:2] AS a": ARRAYS,
  "SELECT first(x ORDER BY y) FROM (VALUES ('a', 1),('b', 3)) t(x,y)": ARRAYS,
  "SELECT t.s, p, n FROM (VALUES ('a,b,,c'),(''),(NULL)) t(s) LEFT JOIN LATERAL string_to_table(t.s, ',') WITH ORDINALITY AS u(p, n) ON TRUE ORDER BY 1, 3":
    ARRAYS,
  "SELECT regexp_replace('12-34', '^([0-9]+)-([0-9]+)$', '\\2-\\1') AS a, regexp_replace('abc', 'b', '[\\&]') AS b":
    "DuckDB has no REGEXP_REPLACE_ONE",
  "SELECT id, regexp_replace(s, '[^a-z]', '', 'g') AS a, regexp_replace(s, '\\s+', '-', 'g') AS b, regexp_replace(s, 'o.*$', '!') AS c FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) ORDER BY id":
    "DuckDB has no REGEXP_REPLACE_ONE",
  "bank/balances/products-matrix": SEPARATOR,
  "cinema/screens/program": SEPARATOR,
  "freight/shipments/carriers-per-lane": SEPARATOR,
  "hospital/labs/test-pairs": SEPARATOR,
  "hr/payroll/first-and-last": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "school/reports/string-agg-distinct": SEPARATOR,
  "webshop/orders/coupon-usage": SEPARATOR,
  "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)":
    AVERAGES,
  "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b":
    AVERAGES,
  "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)":
    AVERAGES,
  'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)':
    AVERAGES,
  "SELECT string_agg(DISTINCT x, ',' ORDER BY x) AS a FROM (VALUES ('b'), ('a'), ('b'), (NULL)) AS t(x)": SEPARATOR,
  "SELECT coalesce(sum(d), 0.125) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) WHERE d > 1000": DIGITS,
  "SELECT sum(d) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) UNION ALL SELECT sum(d * d) FROM (VALUES (100.13::decimal(15,2))) AS t(d) ORDER BY 1":
    DIGITS,
  "SELECT sum(d) IN (SELECT 100.125) AS a, 100.125 IN (SELECT sum(d) FROM (VALUES (100.13::decimal(15,2))) AS u(d)) AS b FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)":
    "any value is any: the greatest here",
};

const script = new URL("read_back.py", import.meta.url);

export const DORIS_READ_BACK: ReadBack = {
  own: DORIS,
  suites: suitesOf(DORIS, REFUSED_BY_DORIS, script),
  script,
  different: DIFFERENT,
};
