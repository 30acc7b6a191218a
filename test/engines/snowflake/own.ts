/** Snowflake, as the suites of sources that are not run want it. */
import { REFUSED_BY_SNOWFLAKE } from "../../parity/refused/snowflake.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

/** Where Snowflake has the type under another name. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  timestamptz: "TIMESTAMP_TZ",
  json: "VARIANT",
  jsonb: "VARIANT",
  bytea: "BINARY",
};

export const SNOWFLAKE: Unexecuted = {
  source: "snowflake",
  ownType: (type) => OWN_TYPES[type] ?? type,
  schema: "public",
};

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Snowflake";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on Snowflake";
const DIGITS = "beside a sum DuckDB rounds to the digits of the sum; Snowflake takes those of the longer of the two";
const ANY = "any value is any: the greatest here";
const REVERSED = "DuckDB turns letters around with their accents, and Snowflake and PostgreSQL character by character";
const LONG_SUMS =
  "whole numbers have 64 bits on Snowflake by every name, so that a sum of them is a decimal, and so is its quotient";
const SMALL =
  "a product of a smallint and a number that fits one is a smallint on DuckDB, and a number of any length on Snowflake";
const EPOCHS = "sqlglot leaves TO_TIMESTAMP_NTZ of seconds that are computed as it is";
const LENGTHS = "DuckDB takes no number of 64 bits as a length";
const DOCUMENTS = "DuckDB's own plan refuses it";
const TIMES = "DuckDB casts no time of day to a timestamp";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "SELECT x << 1 AS a, x << 4 AS b, x >> 1 AS c, x::smallint << 3 AS e, x::smallint >> 2 AS f, x::bigint << 40 AS g FROM (VALUES (1), (0), (NULL), (1000)) AS t(x)":
    "sqlglot leaves the brackets of & away",
  "SELECT (x & 7) << 2 AS a, (x >> 4) & 15 AS b, ~(x >> 1) AS c FROM (VALUES (1), (-7), (NULL), (255)) AS t(x)":
    "sqlglot leaves the brackets of & away",
  Q36: "DuckDB rounds to a constant count of digits only",
  "SELECT id, extract(hour FROM c) AS a, extract(minute FROM c) AS b, extract(second FROM c) AS e, extract(milliseconds FROM c) AS f, extract(microseconds FROM c) AS g FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, extract(epoch FROM c) AS a FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, to_char(c, 'HH24:MI:SS.MS') AS a, to_char(c, 'FMHH12:MI AM, SSSS') AS b, to_char(c, '\"at\" US') AS e FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, c + INTERVAL '1 hour 30 minutes' AS a, c - INTERVAL '10:30:00.000001' AS b, INTERVAL '1 day 25 hours' + c AS e, c - INTERVAL '1 month 2 days' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, c + id * INTERVAL '7 hours' AS a, c - (id * 1000) * INTERVAL '1 minute' AS b, c + (id - 3) * INTERVAL '1 second' AS e, c + id * INTERVAL '1 day' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT id, ts + TIME '10:30' AS a, ts - TIME '23:59:59.999999' AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    "a fraction of a second has the whole seconds on DuckDB",
  "SELECT id, c - TIME '12:00' AS a, extract(epoch FROM c - TIME '12:00') AS b, extract(hour FROM TIME '12:00' - c) AS e, c - TIME '10:00' > INTERVAL '2 minutes' AS f FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) ORDER BY id":
    TIMES,
  "SELECT t, to_char(t, 'HH24:MI') AS a, to_char(t, 'HH12:MI:SS AM') AS b FROM (VALUES (TIME '00:05:00'), ('12:00:01'), ('23:59:59'), (NULL)) AS v(t) ORDER BY t":
    TIMES,
  "SELECT json_object_agg(k, v ORDER BY k), jsonb_object_agg(k, v ORDER BY k) FROM (VALUES ('a',1),('b',NULL)) t(k,v)":
    "jsonb is written without blanks on DuckDB",
  "SELECT to_char(t, 'HH24:MI'), to_char(t, 'HH24:MI:SS.US') FROM (VALUES (TIME '00:05:00'),(TIME '23:59:59.123456'),(NULL)) v(t)":
    "DuckDB casts no time of day to a timestamp",
  "SELECT (ARRAY[1, 2, 3])[-1:2] AS a": "DuckDB counts negative bounds from the end",
  "sensors/readings/same-moment": "DuckDB rounds to a constant count of digits only",
  "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)":
    AVERAGES,
  "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b":
    AVERAGES,
  "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)":
    AVERAGES,
  'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)':
    AVERAGES,
  "SELECT id, d + 1 AS a, d - 60 AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    DAYS,
  "SELECT DATE '2024-02-28' + 2 AS a, 3 + DATE '2024-02-28' AS b": DAYS,
  "SELECT id, d + (id * 10) AS a FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    DAYS,
  "SELECT coalesce(sum(d), 0.125) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) WHERE d > 1000": DIGITS,
  "SELECT sum(d) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) UNION ALL SELECT sum(d * d) FROM (VALUES (100.13::decimal(15,2))) AS t(d) ORDER BY 1":
    DIGITS,
  "SELECT CASE WHEN TRUE THEN 0.125 ELSE sum(d) END AS a, sum(d) % 0.125 AS b, greatest(sum(d), 100.135) AS c, sum(d) > 100.125 AS e FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT sum(d) IN (SELECT 100.125) AS a, 100.125 IN (SELECT sum(d) FROM (VALUES (100.13::decimal(15,2))) AS u(d)) AS b FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)": ANY,
  "SELECT reverse(x) FROM (VALUES ('abc'),(''),(NULL),('e'||chr(769)||'z'), (chr(10)||'b')) t(x)": REVERSED,
  "freight/items/price-vs-category": AVERAGES,
  "hospital/stays/cost-per-night": AVERAGES,
  "hr/payroll/first-and-last": AVERAGES,
  "league/matches/attendance-trend": AVERAGES,
  "league/questions/lowest-wage-scorer": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "saas/subscriptions/mrr-by-month": AVERAGES,
  "hr/style/constant-only": DAYS,
  "cinema/films/genre-text":
    "DuckDB's text of an array without elements is NULL, and an empty one in Snowflake's manual",
  "freight/planning/due-date-shift": DAYS,
  "freight/tariffs/next-anniversary": DAYS,
  "hospital/dates/add-months": DAYS,
  "hospital/dates/week-starting-sunday": DAYS,
  "realty/prices/validity": DAYS,
  "saas/invoices/rate-validity": DAYS,
  "freight/planning/nullif-zero-chain": LONG_SUMS,
  "cinema/concessions/monthly-growth": SMALL,
  "sensors/readings/epoch-bins": EPOCHS,
  "events/traffic/exact-duplicates": DOCUMENTS,
  "school/reports/age-pyramid": LENGTHS,
};

const script = new URL("read_back.py", import.meta.url);

export const SNOWFLAKE_READ_BACK: ReadBack = {
  own: SNOWFLAKE,
  suites: suitesOf(SNOWFLAKE, REFUSED_BY_SNOWFLAKE, script),
  script,
  different: DIFFERENT,
};
