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
  "AT TIME ZONE, timestamptz/literals": ZONES,
  "AT TIME ZONE, timestamptz/named-zone-in-literal": ZONES,
  "arrays/slice-from-minus": "DuckDB's own plan refuses it",
  "functions/date-trunc-in-zones": ZONES,
  Q27: "sqlglot leaves RETURNING as it is",
  "times of day/union": SECONDS,
  "times of day/cast-from-timestamp": SECONDS,
  "times of day/cast-of-literals": SECONDS,
  "to_char, to_date, to_timestamp/number": NUMBERED,
  "clocks of named zones around their changes/four-zones": ZONES,
  "clocks of named zones around their changes/by-day": ZONES,
  "clocks of named zones around their changes/parts-and-texts": ZONES,
  "LATERAL over rows/first-with-ties": TIES,
  "to_char of numbers/sum-and-count": NUMBERED,
  "to_char of numbers/max-and-count": NUMBERED,
  "functions/date-trunc-date-diff-now": SECONDS,
  "functions/json-object-agg": "jsonb is written without blanks on DuckDB",
  "to_char of numbers/columns": "sqlglot reads a format of numbers as one of times",
  "to_char by parts, to_date of computed texts/weeks":
    "the text of a whole double has a point on DuckDB, and Oracle's NUMBER has none",
  "decimal /, avg(decimal)/divided-in-between": AVERAGES,
  "decimal /, avg(decimal)/round-avg-decimal": AVERAGES,
  "round(x, n)/avg-sum-count": AVERAGES,
  "round(x, n)/round-avg-pg-catalog": AVERAGES,
  "concat, concat_ws/nulls": EMPTY,
  "length, substring, left, right, position, reverse/substring-from-column": EMPTY,
  "LIMIT, OFFSET, FETCH/ties": TIES,
  "LIMIT, OFFSET, FETCH/offset-ties": TIES,
  "WITH RECURSIVE/growing-decimals": "DuckDB itself is not asked this: its recursive tables round decimals",
  "windows/lag-with-default": DIGITS,
  "subqueries/row-not-in": "DuckDB finds (2, NULL) unknown beside (1, 2), and Oracle and PostgreSQL do not: 2 is not 1",
  "decimals of different scales in one column/coalesce": DIGITS,
  "decimals of different scales in one column/union": DIGITS,
  "decimals of different scales in one column/case-mod-greatest": DIGITS,
  "decimals of different scales in one column/in-query": DIGITS,
  "functions/count-sum-avg": "any value is any: the greatest here",
  "functions/regressions-of-one": NAN,
  "functions/corr-of-one-x": NAN,
  "functions/corr-of-one-y": NAN,
  "functions/corr-of-one-y-again": NAN,
  "functions/corr-regr-slope-of-one": NAN,
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
