/** Oracle, for the suites that judge sources without running them. */
import { REFUSED_BY_ORACLE } from "../../parity/refused/oracle.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

/** Where Oracle has the type under another name; its DATE has a time, and `date32` is a day. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  DATE: "date32",
  date: "date32",
  DOUBLE: "BINARY_DOUBLE",
  "double precision": "BINARY_DOUBLE",
  text: "VARCHAR2",
  timestamptz: "TIMESTAMP WITH TIME ZONE",
};

export const ORACLE: Unexecuted = { source: "oracle", ownType: (type) => OWN_TYPES[type] ?? type, schema: "SHOP" };

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and NUMBERs of 38 digits on Oracle";
const DIGITS = "beside a sum DuckDB rounds to the digits of the sum; a NUMBER has all of its own";
const EMPTY = "an empty text that is computed is NULL in an answer of Oracle's";
const HELD = "the rows that are read hold empty texts, which no table of Oracle's does";
const NAN = "DuckDB has NaN where Oracle, as PostgreSQL, has NULL";
const SMALL = "a product of a smallint and a number that fits one is a smallint on DuckDB, and a NUMBER on Oracle";
const TIES = "sqlglot leaves WITH TIES out";
const SECONDS = "sqlglot reads SSSSS as the minutes, and FF6 not at all";
const NUMBERED = "sqlglot reads a format of numbers as one of times";
const ZONES = "sqlglot reads a timestamp in a zone as a local one";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "SELECT TIMESTAMP '2024-07-01 12:00:00' AT TIME ZONE 'America/New_York' AS a, TIMESTAMP WITH TIME ZONE '2024-07-01 12:00:00+02' AT TIME ZONE 'UTC' AS b":
    ZONES,
  "SELECT TIMESTAMP WITH TIME ZONE '2024-01-15 23:00:00 America/New_York' AS a, CAST('2024-07-15 23:00:00 America/New_York' AS timestamp with time zone) AS b":
    ZONES,
  "SELECT (ARRAY[1, 2, 3])[-1:2] AS a": "DuckDB's own plan refuses it",
  "SELECT date_trunc('day', t, 'Asia/Kolkata'), date_trunc('month', t, 'Europe/Berlin'), date_trunc('week', t, 'America/New_York') FROM (VALUES (TIMESTAMPTZ '2024-03-31 22:34:56+00'),(TIMESTAMPTZ '2024-10-27 01:30:00+00'),(NULL)) v(t)":
    ZONES,
  Q27: "sqlglot leaves RETURNING as it is",
  "SELECT DISTINCT c AS a FROM (VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c) UNION SELECT ts::time FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) UNION ALL SELECT NULL ORDER BY 1":
    SECONDS,
  "SELECT id, ts::time AS a, max(CAST(ts AS time)) OVER () AS b, ts::time < '12:00' AS e, NULL::time AS f FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    SECONDS,
  "SELECT TIMESTAMPTZ '2024-03-10 23:30:00.000001+05' ::time AS a, TIMESTAMP '1965-03-10 23:30:00.000001'::time AS b, '10:30 PM'::time AS e":
    SECONDS,
  "SELECT to_char(1234.5, '9999.99') AS a": NUMBERED,
  "SELECT i, t AT TIME ZONE 'Europe/Berlin' AS a, t AT TIME ZONE 'America/New_York' AS b, t AT TIME ZONE 'Australia/Lord_Howe' AS c, t AT TIME ZONE 'Asia/Kolkata' AS e FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) ORDER BY i":
    ZONES,
  "SELECT date_trunc('day', t AT TIME ZONE 'Europe/Berlin') AS d, count(*) AS n FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) GROUP BY 1 ORDER BY 1":
    ZONES,
  "SELECT i, extract(hour FROM t AT TIME ZONE 'America/New_York') AS h, to_char(t AT TIME ZONE 'Europe/Berlin', 'Day HH24:MI') AS s, (t AT TIME ZONE 'Australia/Lord_Howe')::date AS d FROM (VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t) ORDER BY i":
    ZONES,
  "SELECT a.id, n.id AS part FROM (VALUES (1, 1, 'x', 10), (2, 2, 'y', NULL), (2, 2, 'y', NULL), (3, NULL, 'n', 40), (4, 4, NULL, 5), (5, 2, 'z', 20), (6, 9, 'X', 0)) AS a(id, k, s, v) CROSS JOIN LATERAL (SELECT b.id FROM (VALUES (1, 1, 10, 'x'), (2, 1, 20, 'q'), (3, 2, NULL, 'y'), (4, 2, 5, NULL), (5, NULL, 7, 'n'), (6, 1, 20, 'X'), (7, 4, 50, 'z'), (8, 2, 15, 'y')) AS b(id, k, v, s) WHERE b.k = a.k ORDER BY b.v DESC NULLS LAST FETCH FIRST 1 ROW WITH TIES) AS n ORDER BY 1, 2":
    TIES,
  "SELECT to_char(sum(d), '9G999D0PR') AS a, to_char(-count(*), '000MI') AS b FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f)":
    NUMBERED,
  "SELECT to_char(max(n), 'S9999999999') AS a, to_char(count(n), '000') AS b FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f) WHERE id < 5":
    NUMBERED,
  "SELECT date_trunc('month', TIMESTAMP '2024-02-29 10:11:12') AS a, date_diff('day', DATE '2024-01-01', DATE '2024-03-01') AS b, now() = current_timestamp AS c, current_date = localtimestamp::date AS d, transaction_timestamp() = now() AS e, localtime IS NOT NULL AS f":
    SECONDS,
  "SELECT json_object_agg(k, v ORDER BY k), jsonb_object_agg(k, v ORDER BY k) FROM (VALUES ('a',1),('b',NULL)) t(k,v)":
    "jsonb is written without blanks on DuckDB",
  "SELECT id, to_char(d, 'FM9,999,990.00') AS a, to_char(d, '999.9') AS b, to_char(n, 'S99G999') AS c, to_char(n, 'FM9999999990') AS e FROM (VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f) ORDER BY id":
    "sqlglot reads a format of numbers as one of times",
  "SELECT id, to_char(d, 'WW') AS a, to_char(ts, 'W DDD D ID') AS b, to_char(d, 'IYYY-\"W\"IW-ID') AS c, to_char(d, 'FMIW FMDDD') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    "the text of a whole double has a point on DuckDB, and Oracle's NUMBER has none",
  "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)":
    AVERAGES,
  "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b":
    AVERAGES,
  "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)":
    AVERAGES,
  'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)':
    AVERAGES,
  "SELECT concat(NULL, NULL) AS a, concat_ws(',', NULL, NULL) AS b": EMPTY,
  "SELECT substring(s FROM n FOR 2) AS a FROM (VALUES ('hello', 1), ('hello', 0), ('hello', -1), ('hello', NULL)) AS t(s, n) ORDER BY n":
    EMPTY,
  "SELECT x FROM (VALUES (1), (2), (2), (3)) AS t(x) ORDER BY x FETCH FIRST 2 ROWS WITH TIES": TIES,
  "SELECT x FROM (VALUES (1), (2), (2), (3)) AS t(x) ORDER BY x OFFSET 1 ROW FETCH NEXT 1 ROW WITH TIES": TIES,
  "WITH RECURSIVE g(n, v) AS (SELECT 1, 100.0 UNION ALL SELECT n + 1, v * 1.05 FROM g WHERE n < 5) SELECT n, v FROM g ORDER BY n":
    "DuckDB itself is not asked this: its recursive tables round decimals",
  "SELECT lag(d, 1, 0.125) OVER (ORDER BY d) AS a, lag(i, 1, 0.5) OVER (ORDER BY d) AS b FROM (VALUES (100.13::decimal(15,2), 5), (200.00, 6)) AS t(d, i) ORDER BY d":
    DIGITS,
  "SELECT x FROM (VALUES (1, 2), (2, NULL)) AS t(x, y) WHERE (x, y) NOT IN (SELECT 1, 2)":
    "DuckDB finds (2, NULL) unknown beside (1, 2), and Oracle and PostgreSQL do not: 2 is not 1",
  "SELECT coalesce(sum(d), 0.125) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) WHERE d > 1000": DIGITS,
  "SELECT sum(d) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) UNION ALL SELECT sum(d * d) FROM (VALUES (100.13::decimal(15,2))) AS t(d) ORDER BY 1":
    DIGITS,
  "SELECT CASE WHEN TRUE THEN 0.125 ELSE sum(d) END AS a, sum(d) % 0.125 AS b, greatest(sum(d), 100.135) AS c, sum(d) > 100.125 AS e FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT sum(d) IN (SELECT 100.125) AS a, 100.125 IN (SELECT sum(d) FROM (VALUES (100.13::decimal(15,2))) AS u(d)) AS b FROM (VALUES (100.13::decimal(15,2))) AS t(d)":
    DIGITS,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)":
    "any value is any: the greatest here",
  "SELECT corr(x,y), covar_pop(x,y), covar_samp(x,y), regr_slope(y,x), regr_intercept(y,x), regr_r2(y,x), regr_avgx(y,x), regr_avgy(y,x), regr_sxx(y,x), regr_syy(y,x), regr_sxy(y,x), regr_count(y,x) FROM (VALUES (1,2.5)) t(x,y)":
    NAN,
  "SELECT corr(x,y), regr_r2(y,x), regr_slope(y,x), regr_sxx(y,x) FROM (VALUES (1,2.5),(1,3.5)) t(x,y)": NAN,
  "SELECT corr(y,x), regr_r2(y,x), regr_slope(y,x) FROM (VALUES (1,2),(2,2)) t(x,y)": NAN,
  "SELECT corr(x,y), regr_slope(y,x) FROM (VALUES (1,2.5)) t(x,y)": NAN,
  "cinema/films/genre-text": EMPTY,
  "cinema/films/slug": EMPTY,
  "events/sessions/campaign-length": EMPTY,
  "saas/accounts/tags-text": EMPTY,
  "webshop/products/tags-text": EMPTY,
  "cinema/sales/double-booked": "a time of day is a text in the tables of Oracle's, and a TIME in DuckDB's",
  "freight/carriers/clean-phones": EMPTY,
  "hr/projects/titles-with-marks": EMPTY,
  "bank/reports/list-of-clients-per-branch": HELD,
  "freight/carriers/empty-as-null": HELD,
  "freight/shipments/null-notes": HELD,
  "hospital/labs/remarks": HELD,
  "hospital/logic/coalesce-chain": HELD,
  "webshop/customers/greeting-lines": HELD,
  "webshop/text/concat-ws-address": HELD,
  "webshop/text/min-max-texts": HELD,
  "freight/items/price-vs-category": AVERAGES,
  "freight/planning/status-history": AVERAGES,
  "hr/payroll/first-and-last": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "saas/subscriptions/mrr-by-month": AVERAGES,
  "cinema/concessions/monthly-growth": SMALL,
};

/** Queries that a grammar wrongly rejects. */
export const WRONGLY_REJECTED: Readonly<Record<string, string>> = {
  "cinema/calendar/next-holiday": "a difference that begins with a query, in parentheses",
  "freight/planning/thirty-sixty-ninety": "a difference that begins with a query, in parentheses",
};

/** Queries that only sqlfluff wrongly rejects; it does not check every suite (`ORACLE_SAMPLE`). */
export const WRONGLY_REJECTED_BY_SQLFLUFF: Readonly<Record<string, string>> = {
  "realty/prices/odd-prices": "CASE over mod(…), which it takes for an operator there",
};

const script = new URL("read_back.py", import.meta.url);

export const ORACLE_READ_BACK: ReadBack = {
  own: ORACLE,
  suites: suitesOf(ORACLE, REFUSED_BY_ORACLE, script),
  script,
  different: DIFFERENT,
};

/** One in eight of TPC-DS, whose statements are the longest; `READ_BACK=all` asks all of them. */
export const ORACLE_SAMPLE: ReadBack =
  process.env["READ_BACK"] === "all"
    ? ORACLE_READ_BACK
    : {
        ...ORACLE_READ_BACK,
        suites: ORACLE_READ_BACK.suites.map((suite) =>
          suite.name === "TPC-DS"
            ? { ...suite, questions: suite.questions.filter((_, index) => index % 8 === 0) }
            : suite,
        ),
      };
