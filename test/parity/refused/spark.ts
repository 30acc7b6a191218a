import type { ReasonedRefusals } from "./refusals.ts";
import { BEYOND_SPARK, CORPUS_REFUSED_BY_SPARK } from "./spark-corpus.ts";

/**
 * Constructs and functions of the parity suites that the planner rejects on Spark: those without an exact form
 * (intervals, times of day, JSON as results, recursion), and features not implemented yet.
 */
export const REFUSED_BY_SPARK: ReasonedRefusals = {
  corpus: CORPUS_REFUSED_BY_SPARK,
  beyond: BEYOND_SPARK,
  acceptance: [],
  casts: {
    integer: "char(3) bytea bit(3)",
    bigint: "char(3) bytea bit(3)",
    decimal: "char(3)",
    float: "char(3)",
    real: "text varchar(2) char(3)",
    word: "char(3) bytea",
    "text of integers": "char(3) interval bytea json jsonb",
    "text of decimals": "char(3) interval bytea json jsonb",
    "text of booleans": "char(3) bytea",
    "text of a date": "char(3) timestamp(0) bytea",
    "text of a timestamp": "char(3) timetz timestamp(0) bytea",
    "text of a time": "char(3) timetz interval bytea",
    "text of a uuid": "char(3) bytea",
    "text of json": "char(3) bytea json jsonb",
    "text of an interval": "char(3) interval bytea",
    date: "timestamp(0)",
    time: "char(3) timetz interval",
    timestamp: "timestamp(0)",
    instant: "timetz timestamp(0)",
    interval: "text varchar(2) char(3) time interval",
    bytes: "smallint integer bigint text varchar(2) char(3)",
    json: "text varchar(2) char(3)",
    "number in json": "smallint integer bigint numeric numeric(10,1) real float8 text varchar(2) char(3) json jsonb",
    "boolean in json": "boolean text varchar(2) char(3) json jsonb",
    array: "text varchar(2) char(3) text[]",
    "array of texts": "text varchar(2) char(3) integer[]",
    row: "text varchar(2) char(3)",
    bits: "integer bigint text varchar(2) char(3) bit(3)",
  },
  raisingCasts: { "text of a timestamp": "date time" },
  constructs: {
    "SELECT (j -> 't' -> 1)::integer AS a FROM (SELECT '{\"t\":[1,2]}'::jsonb AS j) AS t":
      "a cast from json to integer",
    "SELECT (j -> 'z')::integer AS a FROM (SELECT '{\"z\":null}'::jsonb AS j) AS t": "a cast from json to integer",
    "SELECT (j -> 'n')::integer AS a, (j -> 'f')::numeric(6,2) AS b, (j -> 'b')::boolean AS c, (j -> 'n')::float8 AS e, (j -> 'missing')::integer AS g FROM (SELECT '{\"n\":7,\"f\":1.25,\"b\":true}'::jsonb AS j) AS t":
      "a cast from json to integer",
    "SELECT a.id FROM (VALUES (1, 1, 'x', 10), (2, 2, 'y', NULL), (2, 2, 'y', NULL), (3, NULL, 'n', 40), (4, 4, NULL, 5), (5, 2, 'z', 20), (6, 9, 'X', 0)) AS a(id, k, s, v) ORDER BY (SELECT count(*) FROM (VALUES (1, 1, 10, 'x'), (2, 1, 20, 'q'), (3, 2, NULL, 'y'), (4, 2, 5, NULL), (5, NULL, 7, 'n'), (6, 1, 20, 'X'), (7, 4, 50, 'z'), (8, 2, 15, 'y')) AS b(id, k, v, s) WHERE b.k = a.k) DESC, a.id":
      "a sort key beside a subquery that is one",
    "SELECT mode() WITHIN GROUP (ORDER BY s) AS a, mode() WITHIN GROUP (ORDER BY v DESC) AS b FROM (VALUES ('x', 1), ('y', 2), ('y', 2), ('x', 1), ('z', 3)) AS t(s, v)":
      "mode with these arguments",
    "SELECT round(2.345::float8, 2) AS a, round(1234.567, -2) AS b, round(12, 1) AS c": "round of a double to digits",
    "SELECT (10.0 / 3)::text AS a": "the text of a quotient, an average or decimals of several scales",
    "SELECT (INTERVAL '3 days')::text AS a": "a cast from interval to text",
    "SELECT 'abab' ~ '(ab)\\1' AS a": '"\\1" in a regular expression',
    "SELECT extract(century FROM DATE '2024-05-01') AS a, extract(decade FROM DATE '2024-05-01') AS b, extract(day FROM INTERVAL '3 days 04:00:00') AS c":
      "day of interval",
    "SELECT extract(year FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS a, extract(month FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS b, extract(day FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS c":
      "day of interval",
    "SELECT extract(month FROM age(DATE '2024-03-31', DATE '2024-02-29')) AS a, extract(day FROM age(DATE '2024-03-31', DATE '2024-02-29')) AS b":
      "day of interval",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT n FROM c ORDER BY n":
      "a common table that names itself",
    "WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f WHERE b < 50) SELECT max(a) AS m FROM f":
      "a common table that names itself",
    "WITH RECURSIVE t AS (SELECT 1 AS id, NULL::int AS parent UNION ALL SELECT id + 1, id FROM t WHERE id < 3) SELECT * FROM t ORDER BY id":
      "a common table that names itself",
    "WITH RECURSIVE g(n, v) AS (SELECT 1, 100.0 UNION ALL SELECT n + 1, v * 1.05 FROM g WHERE n < 5) SELECT n, v FROM g ORDER BY n":
      "a common table that names itself",
    "WITH RECURSIVE g(n, v) AS (SELECT 1, 100::numeric(20,6) UNION ALL SELECT n + 1, CAST(v * 1.05 AS numeric(20,6)) FROM g WHERE n < 5) SELECT n, v FROM g ORDER BY n":
      "a common table that names itself",
    'SELECT j -> \'a\' ->> \'b\' AS a, j ->> \'n\' AS b, j ->> \'missing\' AS c, j #>> \'{t,0}\' AS e, j ->> \'nul\' AS f FROM (SELECT \'{"a":{"b":"x"},"n":1.5,"t":["p","q"],"nul":null}\'::json AS j) AS t':
      "a path into json of computed steps, or of positions",
    "SELECT (j ->> 'n')::numeric(5,2) + 1 AS a, j -> 't' ->> -1 AS b, j -> 't' -> 5 IS NULL AS c FROM (SELECT '{\"n\":1.5,\"t\":[\"p\",\"q\"]}'::json AS j) AS t":
      "a computed step into json, or one from the end",
    "SELECT json_extract_path_text(j, 'a', 'b') AS a, json_array_length(j -> 't') AS b, json_typeof(j -> 'n') AS c FROM (SELECT '{\"a\":{\"b\":\"x\"},\"n\":1,\"t\":[1,2,3]}'::json AS j) AS t":
      "a key or containment operator of json",
    "SELECT ARRAY[1, NULL] @> ARRAY[NULL]::int[] AS a, ARRAY[1, 2] <@ ARRAY[1, 2, 3] AS b, NULL::int[] @> ARRAY[1] AS c, ARRAY[NULL]::int[] && ARRAY[NULL]::int[] AS e":
      "an array in another",
    "SELECT x FROM (VALUES (1, 2), (2, NULL)) AS t(x, y) WHERE (x, y) NOT IN (SELECT 1, 2)":
      "a row that is compared with those of a subquery",
    "SELECT sum(d) IN (SELECT 100.125) AS a, 100.125 IN (SELECT sum(d) FROM (VALUES (100.13::decimal(15,2))) AS u(d)) AS b FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
      "IN (query) as a value where something may be NULL",
  },
  functions: {
    "SELECT gcd(12, 18), lcm(4, 6), gcd(0,0), gcd(-12,18), lcm(-4,6), lcm(0,3)": "gcd with these arguments",
    "SELECT make_date(NULL, 2, 2), make_timestamp(2024, 2, 29, 1, 2, NULL)": "make_date with these arguments",
    "SELECT percentile_disc(0) WITHIN GROUP (ORDER BY x), percentile_disc(1) WITHIN GROUP (ORDER BY x DESC), percentile_disc(0.25) WITHIN GROUP (ORDER BY x), percentile_disc(0.5) WITHIN GROUP (ORDER BY x DESC), mode() WITHIN GROUP (ORDER BY x DESC) FROM (VALUES (1),(3),(4),(8)) t(x)":
      "mode with these arguments",
    "SELECT extract(year FROM age(x, y)), extract(month FROM age(x,y)), extract(day FROM age(x,y)), extract(hour FROM age(x,y)) FROM (VALUES (TIMESTAMP '2024-03-01', TIMESTAMP '2024-01-31 13:00:00'),(TIMESTAMP '2024-01-31', TIMESTAMP '2024-03-01 13:00:00'),(TIMESTAMP '2024-02-29', TIMESTAMP '2023-02-28'),(TIMESTAMP '2023-02-28', TIMESTAMP '2020-02-29 01:00:00')) t(x,y)":
      "day of interval",
    "SELECT json_build_object('a', 1, 'b', 'x', 'c', NULL, 'd', true, 'e', 1.50, 'f', DATE '2024-01-02', 'g', TIMESTAMP '2024-01-02 03:04:05.5', 'h', 2.0::float8)::text":
      "json of type float",
    "SELECT json_agg(DISTINCT x) FROM (VALUES (1),(2),(1)) t(x)": "json of rows with DISTINCT or over a window",
    "SELECT x, width_bucket(x, 0, 42, 8), width_bucket(x::numeric(8,2), 0, 42, 8), width_bucket(x::float8, 0, 42, 8) FROM generate_series(-3, 50) t(x) ORDER BY x":
      "width_bucket with these arguments",
    "SELECT sum(x) = interval '1 month 1 day 2 hours' FROM (VALUES (interval '1 day 2 hours'),(interval '1 month'), (NULL)) t(x)":
      "a comparison of intervals",
    "SELECT extract(epoch FROM sum(x)) FROM (VALUES (interval '1 day 2 hours 3.5 seconds'),(interval '-5 minutes')) t(x)":
      "epoch of interval",
    "SELECT make_interval(years => 1, days => 2) = interval '1 year 2 days', make_interval(1,2,3,4,5,6,7.5) = interval '1 year 2 mons 25 days 05:06:07.5', DATE '2024-01-01' + make_interval(months => x) FROM (VALUES (1),(2)) t(x)":
      "an interval as a value",
    "SELECT quote_literal('o''k') AS a, quote_nullable(NULL) AS b, (array_replace(ARRAY[1, 2], 1, 3))[1] AS c":
      "quote_nullable with these arguments",
    "SELECT justify_hours(interval '50 hours') AS a, justify_days(interval '-70 days') AS b, justify_interval(interval '1 mon -1 hour') AS c":
      "an interval as a value",
    "SELECT iif(1 > 2, 'a', 'b'), factorial(5), asinh(1), bit_length('aß'), length('\\x0102'::bytea), make_time(1,2,3.5), isfinite(DATE '2024-01-01')":
      "inverse hyperbolic functions",
    "SELECT json_agg(x) OVER (ORDER BY x) FROM (VALUES (1),(2)) t(x)": "json of rows with DISTINCT or over a window",
    "SELECT to_json(1) AS a, to_json(1.50) AS b, to_json(true) AS c, to_json(ARRAY[1,2]) AS d, to_jsonb(NULL::int) AS e, to_jsonb(12345678901234567890.12::numeric(30,2)) AS f":
      "json of type array",
    "SELECT json_build_object('x', sum(x), 'a\"b', 'c\"d', 'n', NULL) AS a, jsonb_build_array(1, 'a') AS b FROM (VALUES (12345678901234567.25::numeric(20,2)), (1)) t(x)":
      "the text of a quotient, an average or decimals of several scales",
    "SELECT json_extract_path('{\"a\":{\"b\":1}}'::json, 'a', 'b') AS a, json_extract_path_text('{\"a\":{\"b\":\"x\"}}'::json, 'a', 'b') AS b, json_typeof('[1]'::json) AS c":
      "a key or containment operator of json",
    "SELECT extract(day FROM age(DATE '2024-03-01', DATE '2024-01-31')) AS a, acosh(2) AS b, atanh(0.5) AS c":
      "day of interval",
    "SELECT t.a, e.value, e.n FROM (VALUES (1,'[1,null,\"a\",{\"x\":1},[1,2],true]'),(2,'[]'),(3,NULL)) t(a,j) LEFT JOIN LATERAL json_array_elements(t.j::json) WITH ORDINALITY AS e(value, n) ON TRUE ORDER BY 1, 3":
      "json that is computed",
    "SELECT t.a, e.value, e.n FROM (VALUES (1,'[1,null,\"a\",{\"x\":1},[1,2],true]'),(2,'[]'),(3,NULL)) t(a,j), jsonb_array_elements_text(t.j::jsonb) WITH ORDINALITY AS e(value, n) ORDER BY 1, 3":
      "json that is computed",
    "SELECT a, (SELECT sum(e::int) FROM json_array_elements_text(j::json) AS e) FROM (VALUES (1,'[1,2]'),(2,'[]')) t(a,j) ORDER BY a":
      "json that is computed",
    'SELECT * FROM jsonb_array_elements(\'[{"k":1},{"k":2}]\'::jsonb) WITH ORDINALITY': "jsonb",
    "SELECT e.value ->> 'k' AS k FROM (VALUES ('[{\"k\":1},{\"k\":2}]')) t(j) CROSS JOIN LATERAL jsonb_array_elements(t.j::jsonb) AS e ORDER BY 1":
      "json that is computed",
    "SELECT jsonb_array_elements_text(j::jsonb) AS v FROM (VALUES ('[\"x\",\"y\"]'),('[]'),(NULL)) t(j) ORDER BY 1":
      "json that is computed",
    "SELECT json_array_elements(j::json) AS v FROM (VALUES ('[\"x\"]'),('[]'),(NULL)) t(j)": "json that is computed",
    'SELECT a, key, value, n FROM (VALUES (1,\'{"bb":1,"a":"x","bb":null,"":[1],"é":{"q":2}}\'),(2,\'{}\'),(3,NULL)) t(a,j) LEFT JOIN LATERAL json_each(t.j::json) WITH ORDINALITY AS e(key, value, n) ON TRUE ORDER BY a, n':
      "json that is computed",
    'SELECT a, key, value, n FROM (VALUES (1,\'{"bb":1,"a":"x","bb":null,"":[1],"é":{"q":2},"b":true}\'),(2,\'{}\'),(3,NULL)) t(a,j) LEFT JOIN LATERAL jsonb_each_text(t.j::jsonb) WITH ORDINALITY AS e(key, value, n) ON TRUE ORDER BY a, n':
      "json that is computed",
    'SELECT e.* FROM jsonb_each(\'{"a":1,"b":null,"a":2}\'::jsonb) AS e ORDER BY 1': "jsonb",
    'SELECT t.a, k, n FROM (VALUES (1,\'{"bb":1,"a":2,"bb":3,"é":0}\'),(2,\'{}\'),(3,NULL)) t(a,j) LEFT JOIN LATERAL jsonb_object_keys(t.j::jsonb) WITH ORDINALITY AS u(k, n) ON TRUE ORDER BY 1, 3':
      "json that is computed",
    'SELECT k FROM jsonb_object_keys(\'{"b":1,"a":2,"b":3}\'::jsonb) AS k ORDER BY k': "jsonb",
    "SELECT t.s, m, n FROM (VALUES ('a1b22'),('zz'),(''),(NULL)) t(s) LEFT JOIN LATERAL regexp_matches(t.s, '([a-z])(\\d+)', 'g') WITH ORDINALITY AS u(m, n) ON TRUE ORDER BY 1, 3":
      "every match of a regular expression as a row",
    "SELECT t.s, m[1] FROM (VALUES ('#1 and #22'),('none')) t(s), regexp_matches(t.s, '#([0-9]+)', 'g') AS m ORDER BY 1, 2":
      "every match of a regular expression as a row",
    "SELECT t.s, m FROM (VALUES ('Ab1b22'),('zz'),(NULL)) t(s), regexp_matches(t.s, 'B\\d', 'i') AS u(m) ORDER BY 1":
      "every match of a regular expression as a row",
    "SELECT t.i, x, y, n FROM (VALUES (1, ARRAY[1,2], ARRAY['a']),(2, NULL, ARRAY['b']),(3, ARRAY[]::int[], ARRAY[]::text[])) t(i,a,b) LEFT JOIN LATERAL unnest(t.a, t.b) WITH ORDINALITY AS u(x, y, n) ON TRUE ORDER BY 1, 4":
      "positions beside several arrays",
  },
};
