import type { ReasonedRefusals } from "./refusals.ts";

/**
 * Constructs and functions of the parity suites that the planner rejects on BigQuery: intervals, JSON and arrays as
 * results, texts of doubles, features that GoogleSQL's evaluator lacks, and features not implemented yet.
 */
export const REFUSED_BY_BIGQUERY: ReasonedRefusals = {
  acceptance: [],
  corpus: {},
  casts: {
    integer: "char(3) bytea bit(3)",
    bigint: "char(3) bytea bit(3)",
    decimal: "char(3)",
    float: "text varchar(2) char(3)",
    real: "text varchar(2) char(3)",
    word: "char(3) bytea",
    "text of integers": "real char(3) interval bytea json jsonb",
    "text of decimals": "real char(3) interval bytea json jsonb",
    "text of booleans": "char(3) bytea",
    "text of a date": "char(3) timestamp(0) bytea",
    "text of a timestamp": "char(3) timetz timestamp(0) bytea",
    "text of a time": "char(3) timetz interval bytea",
    "text of a uuid": "char(3) bytea uuid",
    "text of json": "char(3) bytea json jsonb",
    "text of an interval": "char(3) interval bytea",
    date: "timestamp(0)",
    time: "timetz interval",
    timestamp: "timestamp(0)",
    instant: "timetz timestamp(0)",
    interval: "text varchar(2) char(3) time interval",
    bytes: "smallint integer bigint text varchar(2) char(3)",
    uuid: "text varchar(2) char(3) uuid",
    json: "text varchar(2) char(3)",
    "number in json": "smallint integer bigint numeric numeric(10,1) real float8 text varchar(2) char(3)",
    "boolean in json": "boolean text varchar(2) char(3)",
    array: "text varchar(2) char(3) integer[] text[]",
    "array of texts": "text varchar(2) char(3) integer[] text[]",
    row: "text varchar(2) char(3)",
    bits: "integer bigint text varchar(2) char(3) bit(3)",
  },
  raisingCasts: {
    "text of a timestamp": "date time",
  },
  constructs: {
    "SELECT round((x * y)::numeric, 2) AS a, round(sum(x)::numeric, 3) AS b FROM (VALUES (1.1::real, 2.2::real), (3.3, 1)) AS t(x, y) GROUP BY 1 ORDER BY 1":
      "a real beside a value of another type",
    "SELECT array_replace(a, 1, 9) AS a, array_replace(a, NULL, 0) AS b, array_replace(a, 2, NULL) AS c FROM (VALUES (ARRAY[1, 2, 1]), (NULL), (ARRAY[2, NULL])) AS t(a)":
      "an array that is changed",
    "SELECT x, round(x::numeric, 6) AS a, x::numeric(20,8) AS b FROM (VALUES (0.1::real), (1.015625), (1.046875), (-1.015625), (1234565), (1234575), (16777216), (0), (NULL), (3.14159274), (0.000123456)) AS t(x) ORDER BY x":
      "a real beside a value of another type",
    "SELECT x::numeric + 0.5 AS a, x::numeric(8,3) = 0.1 AS b FROM (VALUES (0.1::real), (NULL), (2.5)) AS t(x)":
      "a real beside a value of another type",
    "SELECT TIME '24:00' AS a, TIME '24:00' > TIME '23:59:59.999999' AS b, extract(hour FROM TIME '24:00') AS e, to_char(TIME '24:00', 'HH24 AM') AS f":
      "the end of a day",
    "SELECT TIME '24:00' + INTERVAL '1 second' AS a, TIME '24:00' - INTERVAL '0 hours' AS b, DATE '2024-02-28' + TIME '24:00' AS e":
      "the end of a day",
    "SELECT upper(regexp_split_to_table('a1b2c', '[0-9]')) AS part ORDER BY 1": "a function that makes rows as a value",
    "SELECT round(2.345::float8, 2) AS a, round(1234.567, -2) AS b, round(12, 1) AS c": "round of a double to digits",
    "SELECT 1.5::float8::text AS a, 1::float8::text AS b, 1e20::float8::text AS c, 0.1::float8::text AS d, 1e-5::float8::text AS e":
      "a cast from float to text",
    "SELECT 'NaN'::float8::text AS a, 'Infinity'::float8::text AS b": "NaN",
    "SELECT (10.0 / 3)::text AS a": "the text of a quotient, an average or decimals of several scales",
    "SELECT (INTERVAL '3 days')::text AS a": "a cast from interval to text",
    "SELECT x FROM (VALUES (1.5::float8), ('NaN'), ('-Infinity'), ('inf'), (NULL)) AS t(x) ORDER BY x DESC": "NaN",
    "SELECT 'abab' ~ '(ab)\\1' AS a": '"\\1" in a regular expression',
    "SELECT extract(century FROM DATE '2024-05-01') AS a, extract(decade FROM DATE '2024-05-01') AS b, extract(day FROM INTERVAL '3 days 04:00:00') AS c":
      "day of interval",
    "SELECT extract(year FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS a, extract(month FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS b, extract(day FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS c":
      "day of interval",
    "SELECT extract(month FROM age(DATE '2024-03-31', DATE '2024-02-29')) AS a, extract(day FROM age(DATE '2024-03-31', DATE '2024-02-29')) AS b":
      "day of interval",
    "SELECT array_agg(n ORDER BY id) AS a, cardinality(array_agg(n)) AS b FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f)":
      "an array as a column of the answer, where it may be NULL or hold one",
    "SELECT string_agg(s, ',') AS a, array_agg(s) AS b FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) WHERE FALSE":
      "an array as a column of the answer, where it may be NULL or hold one",
    'SELECT j -> \'a\' ->> \'b\' AS a, j ->> \'n\' AS b, j ->> \'missing\' AS c, j #>> \'{t,0}\' AS e, j ->> \'nul\' AS f FROM (SELECT \'{"a":{"b":"x"},"n":1.5,"t":["p","q"],"nul":null}\'::json AS j) AS t':
      "a path into json of computed steps, or of positions",
    "SELECT (j ->> 'n')::numeric(5,2) + 1 AS a, j -> 't' ->> -1 AS b, j -> 't' -> 5 IS NULL AS c FROM (SELECT '{\"n\":1.5,\"t\":[\"p\",\"q\"]}'::json AS j) AS t":
      "a computed step into json, or one from the end",
    "SELECT 2 = ANY (ARRAY[1, 2]) AS a, 3 = ANY (ARRAY[1, 2]) AS b, 3 > ALL (ARRAY[1, 2]) AS c, array_contains(ARRAY[1, 2], 2) AS e":
      "> ALL",
    "SELECT cardinality(string_to_array(s, ',')) AS a, array_to_string(ARRAY[]::int[], ',') AS b, ARRAY[1, 2] || 3 AS c, 0 || ARRAY[1] AS e, NULL::int[] || ARRAY[1] AS f FROM (VALUES ('a,b'), (''), (NULL)) AS t(s) ORDER BY s":
      "a cast from array to array",
    "SELECT string_agg(DISTINCT lower(x), ', ') FILTER (WHERE k < 3) AS a FROM (VALUES (1, 'b'), (1, 'B'), (1, 'a'), (2, NULL), (2, 'b'), (3, NULL), (1, 'b')) AS t(k, x)":
      "DISTINCT beside an order by something else",
    "SELECT a && b AS x, b && a AS y FROM (VALUES (1, ARRAY[1, 2], ARRAY[2, 3]), (2, ARRAY[1, NULL], ARRAY[NULL, 3]), (3, NULL, ARRAY[1]), (4, ARRAY[1], ARRAY[NULL]::int[]), (5, ARRAY[NULL, 2], ARRAY[NULL, 2]), (6, ARRAY[]::int[], ARRAY[1])) AS t(i, a, b) ORDER BY i":
      "an array in another",
    "SELECT a && ARRAY['vip', 'new'] AS x, NOT (ARRAY['b'] && a) AS y, ARRAY['a', NULL] && ARRAY['b'] AS z FROM (VALUES (1, ARRAY['a', 'vip']), (2, ARRAY['b', NULL]), (3, NULL), (4, ARRAY['new', NULL])) AS t(i, a) ORDER BY i":
      "an array in another",
    "SELECT ARRAY[1, NULL] @> ARRAY[NULL]::int[] AS a, ARRAY[1, 2] <@ ARRAY[1, 2, 3] AS b, NULL::int[] @> ARRAY[1] AS c, ARRAY[NULL]::int[] && ARRAY[NULL]::int[] AS e":
      "a cast from array to array",
    "SELECT (ARRAY[1, 2, 3])[2:3] AS a, (ARRAY[1, 2, 3])[:2] AS b, (ARRAY[1, 2, 3])[0:2] AS c, (ARRAY[1, 2, 3])[3:2] AS e":
      "a slice of an array",
    "SELECT (ARRAY[1, 2, 3])[-1:2] AS a": "a slice of an array",
    "SELECT ascii('€') AS a, chr(8364) AS b, md5('a') AS c, to_hex(255) AS e, starts_with('abc', 'ab') AS f, overlay('abcdef' PLACING 'XX' FROM 2 FOR 3) AS g":
      "to_hex of a number",
    "SELECT to_hex(x) AS a, to_hex(x::bigint) AS b FROM (VALUES (-1), (255), (NULL)) AS t(x)": "to_hex of a number",
    "SELECT gcd(12, 18) AS a, lcm(4, 6) AS b, div(7, 2) AS c, div(-7, 2) AS e, degrees(pi()) AS f, cbrt(27) AS g":
      "the called function",
    "SELECT x FROM (VALUES (1, 2), (2, NULL)) AS t(x, y) WHERE (x, y) NOT IN (SELECT 1, 2)":
      "a row that is compared with those of a subquery",
  },
  functions: {
    "SELECT sqrt(x), cbrt(x), exp(x), ln(x), log(x), log10(x) FROM (VALUES (1.0),(2.25),(NULL),(100)) t(x)":
      "the called function",
    "SELECT sqrt(x), cbrt(x), exp(x), ln(x), log(x), log10(x) FROM (VALUES (1.0::float8),(2.25),(NULL),(100)) t(x)":
      "the called function",
    "SELECT gcd(12, 18), lcm(4, 6), gcd(0,0), gcd(-12,18), lcm(-4,6), lcm(0,3)": "gcd with these arguments",
    "SELECT make_date(NULL, 2, 2), make_timestamp(2024, 2, 29, 1, 2, NULL)": "make_date with these arguments",
    "SELECT extract(year FROM age(x, y)), extract(month FROM age(x,y)), extract(day FROM age(x,y)), extract(hour FROM age(x,y)) FROM (VALUES (TIMESTAMP '2024-03-01', TIMESTAMP '2024-01-31 13:00:00'),(TIMESTAMP '2024-01-31', TIMESTAMP '2024-03-01 13:00:00'),(TIMESTAMP '2024-02-29', TIMESTAMP '2023-02-28'),(TIMESTAMP '2023-02-28', TIMESTAMP '2020-02-29 01:00:00')) t(x,y)":
      "day of interval",
    "SELECT to_hex(255), to_hex(-1), to_hex(9223372036854775807)": "to_hex of a number",
    "SELECT approx_count_distinct(x) FROM (VALUES (1),(2),(2)) t(x)": "an estimated count",
    "SELECT json_build_object('a', 1, 'b', 'x', 'c', NULL, 'd', true, 'e', 1.50, 'f', DATE '2024-01-02', 'g', TIMESTAMP '2024-01-02 03:04:05.5', 'h', 2.0::float8)::text":
      "json of type float",
    "SELECT json_agg(DISTINCT x) FROM (VALUES (1),(2),(1)) t(x)": "json of rows with DISTINCT or over a window",
    "SELECT json_agg(x) FILTER (WHERE x > 1) FROM (VALUES (1),(2)) t(x)": "FILTER of json_agg",
    "SELECT x, width_bucket(x, 0, 42, 8), width_bucket(x::numeric(8,2), 0, 42, 8), width_bucket(x::float8, 0, 42, 8) FROM generate_series(-3, 50) t(x) ORDER BY x":
      "width_bucket with these arguments",
    "SELECT sum(x) = interval '1 month 1 day 2 hours' FROM (VALUES (interval '1 day 2 hours'),(interval '1 month'), (NULL)) t(x)":
      "an interval as a value",
    "SELECT extract(epoch FROM sum(x)) FROM (VALUES (interval '1 day 2 hours 3.5 seconds'),(interval '-5 minutes')) t(x)":
      "epoch of interval",
    "SELECT make_interval(years => 1, days => 2) = interval '1 year 2 days', make_interval(1,2,3,4,5,6,7.5) = interval '1 year 2 mons 25 days 05:06:07.5', DATE '2024-01-01' + make_interval(months => x) FROM (VALUES (1),(2)) t(x)":
      "an interval as a value",
    "SELECT quote_literal('o''k') AS a, quote_nullable(NULL) AS b, (array_replace(ARRAY[1, 2], 1, 3))[1] AS c":
      "quote_nullable with these arguments",
    "SELECT justify_hours(interval '50 hours') AS a, justify_days(interval '-70 days') AS b, justify_interval(interval '1 mon -1 hour') AS c":
      "an interval as a value",
    "SELECT cardinality(array_remove(ARRAY[1,2,NULL,1], 1)), cardinality(array_remove(ARRAY[1,1], 1)), array_upper(ARRAY[1,2], 1), array_lower(ARRAY[1,2],1), cardinality(array_cat(ARRAY[1],ARRAY[2])), (array_prepend(0, ARRAY[1]))[1], array_lower(ARRAY[]::int[], 1), array_upper(NULL::int[], 1), array_lower(NULL::int[], 1)":
      "an array that is changed",
    "SELECT regexp_substr('foobarbaz', 'b..', 1, 2), regexp_substr('foobarbaz', '(b)(..)', 1, 1, 'i', 2), regexp_count('foobar', 'o', 1, 'i'), regexp_substr('x', 'y', 1, 1), regexp_substr('aXbX','x',1,2,'i')":
      "regexp_substr from a start, of a count or with flags",
    "SELECT array_to_string(regexp_split_to_array('a, b,c', ',\\s*'), '|'), array_to_string(regexp_split_to_array(',a,', ','), '|')":
      "a split by a regular expression",
    "SELECT max_by(x, y), min_by(x, y), arg_max(x, y) FROM (VALUES ('a', 1),('b', 3),(NULL, 9),('d', NULL)) t(x,y)":
      "max_by",
    "SELECT iif(1 > 2, 'a', 'b'), factorial(5), asinh(1), bit_length('aß'), length('\\x0102'::bytea), make_time(1,2,3.5), isfinite(DATE '2024-01-01')":
      "make_time",
    "SELECT json_agg(x) OVER (ORDER BY x) FROM (VALUES (1),(2)) t(x)": "json of rows with DISTINCT or over a window",
    "SELECT array_append(ARRAY[1,2], 3) AS a, array_append(NULL::int[], 3) AS b, array_append(ARRAY[1], NULL) AS c, array_length(ARRAY[1,2], 1) AS d, cardinality(ARRAY[]::int[]) AS e":
      "an array that is changed",
    "SELECT array_position(ARRAY[1,2,3], 2) AS a, array_position(ARRAY[1,2], 5) AS b, array_contains(ARRAY[1,2], 2) AS c, array_to_string(ARRAY[1,2], ',') AS d":
      "the text of an array",
    "SELECT to_json(1) AS a, to_json(1.50) AS b, to_json(true) AS c, to_json(ARRAY[1,2]) AS d, to_jsonb(NULL::int) AS e, to_jsonb(12345678901234567890.12::numeric(30,2)) AS f":
      "json of type array",
    "SELECT json_build_object('x', sum(x), 'a\"b', 'c\"d', 'n', NULL) AS a, jsonb_build_array(1, 'a') AS b FROM (VALUES (12345678901234567.25::numeric(20,2)), (1)) t(x)":
      "the text of a quotient, an average or decimals of several scales",
    "SELECT string_agg(x, ',' ORDER BY x) AS a, array_agg(x ORDER BY x) AS b, any_value(1) AS c FROM (VALUES ('a'), ('b')) t(x)":
      "an array as a column of the answer, where it may be NULL or hold one",
    "SELECT to_char(DATE '2024-01-02', 'YYYY') AS a, to_date('2024-01-02', 'YYYY-MM-DD') AS b, gen_random_uuid() IS NOT NULL AS c":
      "a random uuid",
    "SELECT extract(day FROM age(DATE '2024-03-01', DATE '2024-01-31')) AS a, acosh(2) AS b, atanh(0.5) AS c":
      "day of interval",
    "SELECT t.a, e.value, e.n FROM (VALUES (1,'[1,null,\"a\",{\"x\":1},[1,2],true]'),(2,'[]'),(3,NULL)) t(a,j) LEFT JOIN LATERAL json_array_elements(t.j::json) WITH ORDINALITY AS e(value, n) ON TRUE ORDER BY 1, 3":
      "json that is computed",
    "SELECT t.a, e.value, e.n FROM (VALUES (1,'[1,null,\"a\",{\"x\":1},[1,2],true]'),(2,'[]'),(3,NULL)) t(a,j), jsonb_array_elements_text(t.j::jsonb) WITH ORDINALITY AS e(value, n) ORDER BY 1, 3":
      "json that is computed",
    "SELECT a, (SELECT sum(e::int) FROM json_array_elements_text(j::json) AS e) FROM (VALUES (1,'[1,2]'),(2,'[]')) t(a,j) ORDER BY a":
      "json that is computed",
    "SELECT e.value ->> 'k' AS k FROM (VALUES ('[{\"k\":1},{\"k\":2}]')) t(j) CROSS JOIN LATERAL jsonb_array_elements(t.j::jsonb) AS e ORDER BY 1":
      "json that is computed",
    "SELECT jsonb_array_elements_text(j::jsonb) AS v FROM (VALUES ('[\"x\",\"y\"]'),('[]'),(NULL)) t(j) ORDER BY 1":
      "json that is computed",
    "SELECT json_array_elements(j::json) AS v FROM (VALUES ('[\"x\"]'),('[]'),(NULL)) t(j)": "json that is computed",
    'SELECT a, key, value, n FROM (VALUES (1,\'{"bb":1,"a":"x","bb":null,"":[1],"é":{"q":2}}\'),(2,\'{}\'),(3,NULL)) t(a,j) LEFT JOIN LATERAL json_each(t.j::json) WITH ORDINALITY AS e(key, value, n) ON TRUE ORDER BY a, n':
      "json that is computed",
    'SELECT a, key, value, n FROM (VALUES (1,\'{"bb":1,"a":"x","bb":null,"":[1],"é":{"q":2},"b":true}\'),(2,\'{}\'),(3,NULL)) t(a,j) LEFT JOIN LATERAL jsonb_each_text(t.j::jsonb) WITH ORDINALITY AS e(key, value, n) ON TRUE ORDER BY a, n':
      "json that is computed",
    'SELECT key, value FROM json_each_text(\'{"a":1,"b":null}\'::json) ORDER BY key': "rows that are made of json",
    'SELECT e.* FROM jsonb_each(\'{"a":1,"b":null,"a":2}\'::jsonb) AS e ORDER BY 1': "rows that are made of json",
    'SELECT t.a, k, n FROM (VALUES (1,\'{"bb":1,"a":2,"bb":3,"é":0}\'),(2,\'{}\'),(3,NULL)) t(a,j) LEFT JOIN LATERAL jsonb_object_keys(t.j::jsonb) WITH ORDINALITY AS u(k, n) ON TRUE ORDER BY 1, 3':
      "json that is computed",
    'SELECT json_object_keys FROM json_object_keys(\'{"b":1,"a":2,"b":3}\'::json) ORDER BY 1':
      "a name that comes twice in an object of json",
    'SELECT k FROM jsonb_object_keys(\'{"b":1,"a":2,"b":3}\'::jsonb) AS k ORDER BY k': "rows that are made of json",
    "SELECT t.s, p, n FROM (VALUES ('a, b;c'),(''),(NULL),(',')) t(s) LEFT JOIN LATERAL regexp_split_to_table(t.s, '[,;]\\s*') WITH ORDINALITY AS u(p, n) ON TRUE ORDER BY 1, 3":
      "a function that makes rows as a value",
    "SELECT regexp_split_to_array(x, '\\s+'), regexp_split_to_array(x, '[,;]') FROM (VALUES ('a  b'||chr(9)||'c,d'),(' x '),(''),(NULL)) t(x)":
      "a split by a regular expression",
    "SELECT regexp_split_to_array('aXbxc', 'x', 'i')": "a split by a regular expression",
    "SELECT t.s, m, n FROM (VALUES ('a1b22'),('zz'),(''),(NULL)) t(s) LEFT JOIN LATERAL regexp_matches(t.s, '([a-z])(\\d+)', 'g') WITH ORDINALITY AS u(m, n) ON TRUE ORDER BY 1, 3":
      "every match of a regular expression as a row",
    "SELECT t.s, m[1] FROM (VALUES ('#1 and #22'),('none')) t(s), regexp_matches(t.s, '#([0-9]+)', 'g') AS m ORDER BY 1, 2":
      "every match of a regular expression as a row",
    "SELECT t.s, m FROM (VALUES ('Ab1b22'),('zz'),(NULL)) t(s), regexp_matches(t.s, 'B\\d', 'i') AS u(m) ORDER BY 1":
      "every match of a regular expression as a row",
    "SELECT t.i, x, y, n FROM (VALUES (1, ARRAY[1,2], ARRAY['a']),(2, NULL, ARRAY['b']),(3, ARRAY[]::int[], ARRAY[]::text[])) t(i,a,b) LEFT JOIN LATERAL unnest(t.a, t.b) WITH ORDINALITY AS u(x, y, n) ON TRUE ORDER BY 1, 4":
      "a cast from array to array",
    "SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b','c']) AS u(x, y) ORDER BY y": "the elements of several arrays",
    "SELECT count(*) FROM json_each('{\"a\":1}'::json) e JOIN json_each('{\"a\":2}'::json) f ON e.key = f.key":
      "rows that are made of json",
  },
};
