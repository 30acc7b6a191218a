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
  "averages and sums of differences of times in subqueries/avg-in-scalar-query":
    "DuckDB has 18 digits for a decimal without a length",
  "to_char, to_date, to_timestamp/names-of-months": FORMATS,
  "to_char, to_date, to_timestamp/names-of-days": FORMATS,
  "to_char by parts, to_date of computed texts/hours-and-fractions": FORMATS,
  "arrays/slices": "a list is a text of JSON, which the connector reads",
  "arrays/slice-from-minus": "DuckDB's own plan refuses it",
  "functions/json-object-agg": "jsonb is written without blanks on DuckDB",
  "decimal /, avg(decimal)/divided-in-between": AVERAGES,
  "decimal /, avg(decimal)/round-avg-decimal": AVERAGES,
  "round(x, n)/avg-sum-count": AVERAGES,
  "round(x, n)/round-avg-pg-catalog": AVERAGES,
  "date ± integer/columns": DAYS,
  "date ± integer/literals": DAYS,
  "date ± integer/computed": DAYS,
  "functions/count-sum-avg": "any value is any: the greatest here",
  "length, substring, left, right, position, reverse/substring-from-column":
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
