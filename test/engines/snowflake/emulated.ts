/** Statements that fakesnow answers differently, with the reason why the statement is right. */

const REPLACED = "fakesnow has no REGEXP_REPLACE from a start, of one match or with options";
const FORMATS = "fakesnow leaves the format of to_char away";
const MEMBERS = "fakesnow reads GET of GET, or a name with $ in it, as something else";
const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Snowflake";
const COMPACT = "fakesnow does not know what ARRAY_CONSTRUCT_COMPACT makes";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on Snowflake";
const TRIMMED = "fakesnow leaves the characters away that LTRIM and RTRIM are given";
const ANY = "any value is any: the greatest here";
const BYTES = "DuckDB has no octet_length of a text";
const DIGITS = "DuckDB rounds to a constant count of digits only, and Snowflake's manual allows a computed scale";
const TIMES_OF_DAY = "DuckDB casts no time of day to a timestamp";
const NANOSECONDS = "the nanoseconds of a time hold its seconds on DuckDB, and its fraction alone on Snowflake";
const REVERSED = "DuckDB turns letters around with their accents, and Snowflake and PostgreSQL character by character";

const QUOTED = "fakesnow casts an element of an array to a text with its quotes";
const SKIPPED = "fakesnow's ARRAY_AGG in an order keeps NULLs";
const UNTYPED = "fakesnow reads a text beside an array as json";
const COUNTED = "fakesnow has no range up to the size of an array";

/** By the name of an analyst query, or by what is asked. */
export const EMULATED_OTHERWISE: Readonly<Record<string, string>> = {
  "SELECT id, regexp_replace(s, '[^a-z]', '', 'g') AS a, regexp_replace(s, '\\s+', '-', 'g') AS b, regexp_replace(s, 'o.*$', '!') AS c FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) ORDER BY id":
    REPLACED,
  "SELECT id, c::text AS a, CAST(c AS varchar(5)) AS b FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    FORMATS,
  "SELECT id, extract(hour FROM c) AS a, extract(minute FROM c) AS b, extract(second FROM c) AS e, extract(milliseconds FROM c) AS f, extract(microseconds FROM c) AS g FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, extract(epoch FROM c) AS a FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, c + INTERVAL '1 hour 30 minutes' AS a, c - INTERVAL '10:30:00.000001' AS b, INTERVAL '1 day 25 hours' + c AS e, c - INTERVAL '1 month 2 days' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, c + id * INTERVAL '7 hours' AS a, c - (id * 1000) * INTERVAL '1 minute' AS b, c + (id - 3) * INTERVAL '1 second' AS e, c + id * INTERVAL '1 day' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, c - TIME '12:00' AS a, extract(epoch FROM c - TIME '12:00') AS b, extract(hour FROM TIME '12:00' - c) AS e, c - TIME '10:00' > INTERVAL '2 minutes' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT x << 1 AS a, x << 4 AS b, x >> 1 AS c, x::smallint << 3 AS e, x::smallint >> 2 AS f, x::bigint << 40 AS g FROM (VALUES (1), (0), (NULL), (1000)) AS t(x)":
    "fakesnow leaves the brackets of & away",
  "SELECT (x & 7) << 2 AS a, (x >> 4) & 15 AS b, ~(x >> 1) AS c FROM (VALUES (1), (-7), (NULL), (255)) AS t(x)":
    "fakesnow leaves the brackets of & away",
  "SELECT (j -> 'n')::integer AS a, (j -> 'f')::numeric(6,2) AS b, (j -> 'b')::boolean AS c, (j -> 'n')::float8 AS e, (j -> 'missing')::integer AS g FROM (SELECT '{\"n\":7,\"f\":1.25,\"b\":true}'::jsonb AS j) AS t":
    MEMBERS,
  "SELECT (j -> 'z')::integer AS a FROM (SELECT '{\"z\":null}'::jsonb AS j) AS t": MEMBERS,
  "SELECT x, array_position(ARRAY['G', 'PG', 'it''s'], x) AS a FROM (VALUES ('PG'), (NULL), ('z'), ('it''s')) AS t(x)":
    QUOTED,
  "SELECT json_object_agg(k, v ORDER BY k), jsonb_object_agg(k, v ORDER BY k) FROM (VALUES ('a',1),('b',NULL)) t(k,v)":
    "jsonb is written without blanks on DuckDB",
  "SELECT id, to_char(d, 'Month') AS a, to_char(d, 'FMDay') AS b, to_char(d, 'IYYY-IW') AS c, to_char(ts, 'HH12:MI AM') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(d, 'Day') AS a, to_char(d, 'DAY') AS b, to_char(ts, 'FMday, DD.MM.') AS c, to_char(d, 'dy') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(d, 'WW') AS a, to_char(ts, 'W DDD D ID') AS b, to_char(d, 'IYYY-\"W\"IW-ID') AS c, to_char(d, 'FMIW FMDDD') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(ts, 'HH12:MI:SS am') AS a, to_char(ts, 'FMHH12 P.M.') AS b, to_char(ts, 'SSSS MS US') AS c, to_char(d, 'HH24:MI AM') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(d, 'FMDDth \"of\" FMMonth') AS a, to_char(ts, 'Q \"it''s\" YY, CC') AS b, to_char(ts, '\"only text\"') AS c FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT t, to_char(t, 'HH24:MI') AS a, to_char(t, 'HH12:MI:SS AM') AS b FROM (VALUES (TIME '00:05:00'), ('12:00:01'), ('23:59:59'), (NULL)) AS v(t) ORDER BY t":
    TIMES_OF_DAY,
  "SELECT id, to_timestamp(to_char(ts, 'YYYY-MM-DD HH24:MI:SS'), 'YYYY-MM-DD HH24:MI:SS') AS a, to_timestamp(to_char(ts, 'DD/MM/YYYY HH24:MI'), 'DD/MM/YYYY HH24:MI') AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT to_timestamp(to_char(t, 'YYYY-MM-DD'), 'YYYY-MM-DD'), to_date(to_char(t, 'DD.MM.YYYY'), 'DD.MM.YYYY'), to_date(concat('2024-', '02-03'), 'YYYY-MM-DD'), to_date(substring('x2024-02-03' FROM 2), 'YYYY-MM-DD') FROM (VALUES (TIMESTAMP '2024-03-31 12:34:56'),(NULL)) v(t)":
    FORMATS,
  "SELECT to_char(t, 'HH24:MI'), to_char(t, 'HH24:MI:SS.US') FROM (VALUES (TIME '00:05:00'),(TIME '23:59:59.123456'),(NULL)) v(t)":
    TIMES_OF_DAY,
  "SELECT id, to_char(c, 'HH24:MI:SS.MS') AS a, to_char(c, 'FMHH12:MI AM, SSSS') AS b, to_char(c, '\"at\" US') AS e FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, ts + TIME '10:30' AS a, ts - TIME '23:59:59.999999' AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    NANOSECONDS,
  Q16: REPLACED,
  "SELECT regexp_replace('a-b-c', '-', '') AS a, regexp_replace('a-b-c', '-', '', 'g') AS b, regexp_replace('aXbx', 'x', '_', 'gi') AS c":
    REPLACED,
  "SELECT id, regexp_replace(s, '[aeiou]', '*', 'g') AS a FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) ORDER BY id":
    REPLACED,
  Q24: FORMATS,
  "SELECT id, d::text AS a, ts::text AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(d, 'YYYY-MM-DD') AS a, to_char(ts, 'HH24:MI:SS') AS b, to_char(d, 'YYYY\"Q\"Q') AS c FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(ts, 'ß DD ŉ') AS a FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  Q29: FORMATS,
  Q36: DIGITS,
  Q27: MEMBERS,
  "SELECT json_extract_path_text(j, 'a', 'b') AS a, json_array_length(j -> 't') AS b, json_typeof(j -> 'n') AS c FROM (SELECT '{\"a\":{\"b\":\"x\"},\"n\":1,\"t\":[1,2,3]}'::json AS j) AS t":
    MEMBERS,
  "SELECT j ->> 'a.b' AS a, j ->> '$x' AS b, j ->> '0' AS c FROM (SELECT '{\"a.b\":1,\"$x\":2,\"0\":3}'::json AS j) AS t":
    MEMBERS,
  "SELECT json_extract_path('{\"a\":{\"b\":1}}'::json, 'a', 'b') AS a, json_extract_path_text('{\"a\":{\"b\":\"x\"}}'::json, 'a', 'b') AS b, json_typeof('[1]'::json) AS c":
    MEMBERS,
  "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)":
    AVERAGES,
  "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b":
    AVERAGES,
  "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)":
    AVERAGES,
  'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)':
    AVERAGES,
  "SELECT id, concat('<', s, '>') AS a, concat_ws('-', 'a', s, 'b') AS b FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) ORDER BY id":
    COMPACT,
  "SELECT concat(NULL, NULL) AS a, concat_ws(',', NULL, NULL) AS b": COMPACT,
  "SELECT concat_ws(',', x, 'a'), concat_ws(NULL, 'a', 'b'), concat_ws(',', NULL, NULL), starts_with(x, 'a'), starts_with(x, ''), ascii(x) FROM (VALUES ('abcab'),(''),(NULL),('😀b')) t(x)":
    COMPACT,
  "SELECT concat_ws(',', TIMESTAMP '2024-01-02 03:04:05')": COMPACT,
  "SELECT id, d + 1 AS a, d - 60 AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    DAYS,
  "SELECT DATE '2024-02-28' + 2 AS a, 3 + DATE '2024-02-28' AS b": DAYS,
  "SELECT id, d + (id * 10) AS a FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    DAYS,
  "SELECT lpad('5', 3, '0') AS a, lpad('12345', 3) AS b, rpad('a', 3) || '|' AS c, ltrim('xxa', 'x') AS e, rtrim('axx', 'x') AS f, btrim('  a ') AS g":
    TRIMMED,
  "SELECT ltrim(x), rtrim(x), btrim(x), ltrim(x,'xy'), rtrim(x, 'xy'), btrim(x, 'xy'), btrim(x,'') FROM (VALUES ('  abc  '),('xyabcxy'),(''),(NULL),(chr(9)||'a'||chr(9)), (chr(160)||'a')) t(x)":
    TRIMMED,
  "SELECT ltrim(x), rtrim(x), btrim(x), trim(x), ltrim(x,'xy') FROM (VALUES ('  abc  '),('xyabcxy'),(''),(NULL),(chr(9)||'a'||chr(9)), (chr(160)||'a')) t(x)":
    TRIMMED,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)": ANY,
  "SELECT octet_length('aß'), octet_length('\\x0102'::bytea)": BYTES,
  "SELECT reverse(x) FROM (VALUES ('abc'),(''),(NULL),('e'||chr(769)||'z'), (chr(10)||'b')) t(x)": REVERSED,
  Q52: QUOTED,
  "SELECT array_agg(n ORDER BY id) AS a, cardinality(array_agg(n)) AS b FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f)":
    SKIPPED,
  "SELECT cardinality(ARRAY[1, 2, 3]) AS a, array_length(ARRAY[1, 2], 1) AS b, array_position(ARRAY['a', 'b'], 'b') AS c, array_position(ARRAY['a'], 'z') AS e":
    UNTYPED,
  "SELECT array_contains(ARRAY[1, NULL], 2) AS a, array_contains(a, 1) AS b, NOT (1 = ANY (a)) AS c, 1 <> ALL (a) AS e FROM (VALUES (ARRAY[1]), (NULL), (ARRAY[2, NULL])) AS t(a)":
    UNTYPED,
  "SELECT id, unnest(a) AS e FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z', 'b', 'c'])) AS t(id, a) ORDER BY id DESC LIMIT 2":
    COUNTED,
  "SELECT id, unnest(a) AS e, row_number() OVER (ORDER BY id) AS r FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z']), (3, NULL)) AS t(id, a) ORDER BY r, e":
    COUNTED,
  "SELECT first(x ORDER BY y) FROM (VALUES ('a', 1),('b', 3)) t(x,y)": QUOTED,
  "SELECT array_to_string(string_to_array('a,b,c', ','), '|') AS a, regexp_like('abc', 'B', 'i') AS b, regexp_replace('aXbX', 'x', '-', 'gi') AS c, decode('YWJj', 'base64') = 'abc'::bytea AS d":
    REPLACED,
};
