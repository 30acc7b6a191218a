/** SQL Server, as the suites of sources that are not run want it. */
import { REFUSED_BY_MSSQL } from "../../parity/refused/mssql.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

/** Where SQL Server has the type under another name; its TIMESTAMP is the version of a row. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: "BIT",
  boolean: "BIT",
  DOUBLE: "FLOAT",
  "double precision": "FLOAT",
  json: "JSON",
  jsonb: "JSON",
  text: "NVARCHAR",
  TIMESTAMP: "DATETIME2",
  timestamp: "DATETIME2",
  timestamptz: "DATETIMEOFFSET",
  uuid: "UNIQUEIDENTIFIER",
};

export const MSSQL: Unexecuted = { source: "mssql", ownType: (type) => OWN_TYPES[type] ?? type, schema: "dbo" };

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on SQL Server";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on SQL Server";
const LENGTHS = "a difference is a number of microseconds, because SQL Server has no columns of intervals";
const PATTERNS = "sqlglot leaves patterns of format() as they are that DuckDB writes otherwise";
const SMALL = "a product of a smallint and a number that fits one is a smallint on DuckDB, and an int on SQL Server";
const FORMATS = "sqlglot translates FORMAT by halves";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "SELECT id, extract(epoch FROM (SELECT avg(t.ts - TIMESTAMP '2024-01-01') FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) WHERE id < 3)) AS a FROM (VALUES (1, TRUE), (2, FALSE), (3, NULL)) AS t(id, b) ORDER BY id":
    "DuckDB has 18 digits for a decimal without a length",
  "SELECT id, to_char(d, 'Mon DD, YYYY') AS a, to_char(d, 'MON') AS b, to_char(d, 'FMMonth FMDD') AS c, to_char(d, 'Dy') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(d, 'Month') AS a, to_char(d, 'FMDay') AS b, to_char(d, 'IYYY-IW') AS c, to_char(ts, 'HH12:MI AM') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT id, to_char(ts, 'HH12:MI:SS am') AS a, to_char(ts, 'FMHH12 P.M.') AS b, to_char(ts, 'SSSS MS US') AS c, to_char(d, 'HH24:MI AM') AS e FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    FORMATS,
  "SELECT (ARRAY[1, 2, 3])[2:3] AS a, (ARRAY[1, 2, 3])[:2] AS b, (ARRAY[1, 2, 3])[0:2] AS c, (ARRAY[1, 2, 3])[3:2] AS e":
    "a list is a text of JSON, which the connector reads",
  "SELECT (ARRAY[1, 2, 3])[-1:2] AS a": "DuckDB's own plan refuses it",
  "SELECT json_object_agg(k, v ORDER BY k), jsonb_object_agg(k, v ORDER BY k) FROM (VALUES ('a',1),('b',NULL)) t(k,v)":
    "jsonb is written without blanks on DuckDB",
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
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)":
    "any value is any: the greatest here",
  "SELECT substring(s FROM n FOR 2) AS a FROM (VALUES ('hello', 1), ('hello', 0), ('hello', -1), ('hello', NULL)) AS t(s, n) ORDER BY n":
    "a start before the text is counted from its end on DuckDB",
  "cinema/concessions/dash-product": "sqlglot takes a sum of texts for one of numbers",
  "cinema/concessions/monthly-growth": SMALL,
  "freight/items/price-vs-category": AVERAGES,
  "freight/planning/due-date-shift": DAYS,
  "freight/planning/status-history": AVERAGES,
  "freight/shipments/weekday-profile": PATTERNS,
  "freight/tariffs/next-anniversary": DAYS,
  "hospital/dates/add-months": DAYS,
  "hospital/dates/week-starting-sunday": DAYS,
  "hr/payroll/first-and-last": AVERAGES,
  "hr/style/constant-only": DAYS,
  "realty/prices/validity": DAYS,
  "saas/invoices/rate-validity": DAYS,
  "school/attendance/by-weekday": PATTERNS,
  "school/attendance/midnight-scans": PATTERNS,
  "sensors/maintenance/total-planned": LENGTHS,
};

/** Queries that the grammar wrongly rejects. */
export const WRONGLY_REJECTED: Readonly<Record<string, string>> = {
  "realty/tags/intersect-tags": "a set operation in parentheses within the table of a query",
};

const script = new URL("read_back.py", import.meta.url);

export const MSSQL_READ_BACK: ReadBack = {
  own: MSSQL,
  suites: suitesOf(MSSQL, REFUSED_BY_MSSQL, script),
  script,
  different: DIFFERENT,
};
