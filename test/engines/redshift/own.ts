/** Redshift, as the suites of sources that are not run want it. */
import { REFUSED_BY_REDSHIFT } from "../../parity/refused/redshift.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

export const REDSHIFT: Unexecuted = { source: "redshift", ownType: (type) => type, schema: "public" };

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Redshift";
const CAPITALS = "sqlglot says initcap of an empty text for DuckDB so that it is NULL";
const ARRAYS = "DuckDB has no such functions and rows of arrays: arrays.test.ts says them otherwise";
const DIGITS = "beside a sum DuckDB rounds to the digits of the sum; Redshift takes those of the longer of the two";

const TIMES_OF_DAY = "DuckDB casts no time of day to a timestamp, of which sqlglot asks the difference";
const TIMES = "DuckDB casts no time of day to a timestamp";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  Q27: "DuckDB has no json_typeof",
  "SELECT 'a\nb' ~ 'a.b' AS a, 'abc' ~ '^b' AS b, '2024-01' ~ '^\\d{4}-\\d\\d$' AS c":
    "a point is no line break in DuckDB's patterns",
  "SELECT id, extract(hour FROM c) AS a, extract(minute FROM c) AS b, extract(second FROM c) AS e, extract(milliseconds FROM c) AS f, extract(microseconds FROM c) AS g FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, extract(epoch FROM c) AS a FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, to_char(c, 'HH24:MI:SS.MS') AS a, to_char(c, 'FMHH12:MI AM, SSSS') AS b, to_char(c, '\"at\" US') AS e FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, c + id * INTERVAL '7 hours' AS a, c - (id * 1000) * INTERVAL '1 minute' AS b, c + (id - 3) * INTERVAL '1 second' AS e, c + id * INTERVAL '1 day' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, d + TIME '10:30:00.25' AS a, TIME '10:30' + d AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    TIMES,
  "SELECT id, ts + TIME '10:30' AS a, ts - TIME '23:59:59.999999' AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    TIMES,
  "SELECT TIME '24:00' AS a, TIME '24:00' > TIME '23:59:59.999999' AS b, extract(hour FROM TIME '24:00') AS e, to_char(TIME '24:00', 'HH24 AM') AS f":
    TIMES,
  "SELECT TIME '24:00' + INTERVAL '1 second' AS a, TIME '24:00' - INTERVAL '0 hours' AS b, DATE '2024-02-28' + TIME '24:00' AS e":
    TIMES,
  "SELECT id, to_char(ts, 'HH12:MI:SS am') AS a, to_char(ts, 'FMHH12 P.M.') AS b, to_char(ts, 'SSSS MS US') AS c, to_char(d, 'HH24:MI AM') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    "sqlglot leaves MS and US out of a format",
  "SELECT CASE WHEN TRUE THEN 0.125 ELSE sum(d) END AS a, sum(d) % 0.125 AS b, greatest(sum(d), 100.135) AS c, sum(d) > 100.125 AS e FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT json_object_agg(k, v ORDER BY k), jsonb_object_agg(k, v ORDER BY k) FROM (VALUES ('a',1),('b',NULL)) t(k,v)":
    "jsonb is written without blanks on DuckDB",
  "SELECT jsonb_agg(x ORDER BY x) AS a, json_agg(s ORDER BY s) AS b, json_agg(d ORDER BY d) AS c FROM (VALUES (1.5, 'a\"b', DATE '2024-01-02'), (NULL, NULL, NULL)) t(x, s, d)":
    "DuckDB has no JSON_SERIALIZE",
  "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)":
    AVERAGES,
  "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b":
    AVERAGES,
  "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)":
    AVERAGES,
  'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)':
    AVERAGES,
  "SELECT id, upper(s) AS a, lower(s) AS b, initcap(s) AS c, length(trim(s)) AS e FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) ORDER BY id":
    CAPITALS,
  "SELECT upper(x) AS a, lower(x) AS b, length(x) AS c, initcap(x) AS d, md5(x) AS e, octet_length(x) AS f FROM (VALUES ('aBc d'), (''), (NULL), ('éA')) t(x)":
    CAPITALS,
  "SELECT coalesce(sum(d), 0.125) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) WHERE d > 1000": DIGITS,
  "SELECT sum(d) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) UNION ALL SELECT sum(d * d) FROM (VALUES (100.13::decimal(15,2))) AS t(d) ORDER BY 1":
    DIGITS,
  "SELECT sum(d) IN (SELECT 100.125) AS a, 100.125 IN (SELECT sum(d) FROM (VALUES (100.13::decimal(15,2))) AS u(d)) AS b FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)":
    "any value is any: the greatest here",
  "SELECT cardinality(ARRAY[1, 2, 3]) AS a, array_length(ARRAY[1, 2], 1) AS b, array_position(ARRAY['a', 'b'], 'b') AS c, array_position(ARRAY['a'], 'z') AS e":
    ARRAYS,
  "SELECT (ARRAY[1, 2, 3])[2:3] AS a, (ARRAY[1, 2, 3])[:2] AS b, (ARRAY[1, 2, 3])[0:2] AS c, (ARRAY[1, 2, 3])[3:2] AS e":
    ARRAYS,
  "SELECT id, unnest(a) AS e FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z', 'b', 'c'])) AS t(id, a) ORDER BY id DESC LIMIT 2":
    ARRAYS,
  "SELECT string_agg(s, ',') AS a, array_agg(s) AS b FROM (VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s) WHERE FALSE":
    ARRAYS,
  "SELECT string_agg(x, ',' ORDER BY x) AS a, array_agg(x ORDER BY x) AS b, any_value(1) AS c FROM (VALUES ('a'), ('b')) t(x)":
    ARRAYS,
  "SELECT array_contains(ARRAY[1, NULL], 2) AS a, array_contains(a, 1) AS b, NOT (1 = ANY (a)) AS c, 1 <> ALL (a) AS e FROM (VALUES (ARRAY[1]), (NULL), (ARRAY[2, NULL])) AS t(a)":
    ARRAYS,
  "SELECT (ARRAY[1, 2, 3])[-1:2] AS a": ARRAYS,
  "SELECT id, unnest(a) AS e, row_number() OVER (ORDER BY id) AS r FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z']), (3, NULL)) AS t(id, a) ORDER BY r, e":
    ARRAYS,
  "SELECT TIME '10:00' - TIME '09:30' AS a": TIMES_OF_DAY,
  "SELECT id, c::text AS a, CAST(c AS varchar(5)) AS b FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, c + INTERVAL '1 hour 30 minutes' AS a, c - INTERVAL '10:30:00.000001' AS b, INTERVAL '1 day 25 hours' + c AS e, c - INTERVAL '1 month 2 days' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT id, c - TIME '12:00' AS a, extract(epoch FROM c - TIME '12:00') AS b, extract(hour FROM TIME '12:00' - c) AS e, c - TIME '10:00' > INTERVAL '2 minutes' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES_OF_DAY,
  "SELECT t, to_char(t, 'HH24:MI') AS a, to_char(t, 'HH12:MI:SS AM') AS b FROM (VALUES (TIME '00:05:00'), ('12:00:01'), ('23:59:59'), (NULL)) AS v(t) ORDER BY t":
    TIMES_OF_DAY,
  "SELECT to_char(t, 'HH24:MI'), to_char(t, 'HH24:MI:SS.US') FROM (VALUES (TIME '00:05:00'),(TIME '23:59:59.123456'),(NULL)) v(t)":
    TIMES_OF_DAY,
  "cinema/concessions/monthly-growth":
    "a product of a smallint and a number that fits one is a smallint on DuckDB, and an integer on Redshift",
  "hospital/dates/add-months":
    "DuckDB takes a month and thirty days for one interval (src/planner/dialects/duckdb/equal-intervals.ts)",
  "hr/payroll/first-and-last": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "saas/subscriptions/mrr-by-month": AVERAGES,
};

const script = new URL("read_back.py", import.meta.url);

export const REDSHIFT_READ_BACK: ReadBack = {
  own: REDSHIFT,
  suites: suitesOf(REDSHIFT, REFUSED_BY_REDSHIFT, script),
  script,
  different: DIFFERENT,
};
