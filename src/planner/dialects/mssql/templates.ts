/**
 * SQL Server's own words for parts of times and differences of two.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/date-and-time-data-types-and-functions-transact-sql
 */
import { spelled, words } from "../../lowering/templates/template.ts";
import type { Place } from "../../syntax/build.ts";
import type { Expression, Template } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIMESTAMP } from "../../types.ts";

const SECONDS = "DATEPART(SECOND, $1) * 1000000 + DATEPART(MICROSECOND, $1)";

/** SQL Server documents no error of these parts of a date or timestamp. */
const PART = { type: INTEGER, neverFails: true } as const;

/** Fields of a date or timestamp. DATEPART has 32 bits. */
export const PARTS = {
  year: words("DATEPART(YEAR, $1)", PART),
  quarter: words("DATEPART(QUARTER, $1)", PART),
  month: words("DATEPART(MONTH, $1)", PART),
  day: words("DATEPART(DAY, $1)", PART),
  hour: words("DATEPART(HOUR, $1)", PART),
  minute: words("DATEPART(MINUTE, $1)", PART),
  doy: words("DATEPART(DAYOFYEAR, $1)", { type: INTEGER }),
  week: words("DATEPART(ISO_WEEK, $1)", { type: INTEGER }),
  /** The year of the Thursday of the week. */
  isoyear: words("DATEPART(YEAR, DATEADD(DAY, 26 - DATEPART(ISO_WEEK, $1), $1))", { type: INTEGER }),
  century: words("(DATEPART(YEAR, $1) + 99) / 100", { type: INTEGER }),
  decade: words("(DATEPART(YEAR, $1) + 0) / 10", { type: INTEGER }),
  millennium: words("(DATEPART(YEAR, $1) + 999) / 1000", { type: INTEGER }),
  second: words(`(${SECONDS}) * 0.000001`, { type: NUMERIC, scale: 6 }),
  milliseconds: words(`(${SECONDS}) * 0.001`, { type: NUMERIC, scale: 3 }),
  microseconds: words(SECONDS, { type: BIGINT }),
} as const satisfies Readonly<Record<string, Template>>;

export const part = (field: keyof typeof PARTS, value: Expression): Expression => spelled(PARTS[field], [value], value);

/** Boundaries of the unit between two times, in 64 bits: the 32 of DATEDIFF overflow after 36 minutes of microseconds. */
const BETWEEN = {
  year: words("DATEDIFF_BIG(YEAR, $1, $2)"),
  quarter: words("DATEDIFF_BIG(QUARTER, $1, $2)"),
  month: words("DATEDIFF_BIG(MONTH, $1, $2)"),
  day: words("DATEDIFF_BIG(DAY, $1, $2)"),
  hour: words("DATEDIFF_BIG(HOUR, $1, $2)"),
  minute: words("DATEDIFF_BIG(MINUTE, $1, $2)"),
  second: words("DATEDIFF_BIG(SECOND, $1, $2)"),
  microsecond: words("DATEDIFF_BIG(MICROSECOND, $1, $2)"),
} as const satisfies Readonly<Record<string, Template>>;

export type Unit = keyof typeof BETWEEN;

export const isUnit = (name: string): name is Exclude<Unit, "microsecond"> =>
  Object.hasOwn(BETWEEN, name) && name !== "microsecond";

export const unitsBetween = (unit: Unit, from: Expression, to: Expression, at: Place): Expression =>
  spelled(BETWEEN[unit], [from, to], at);

/** With all digits that a time may have: DATETRUNC refuses a time with fewer digits than the unit. */
export const TRUNCATED = {
  millisecond: words("DATETRUNC(MILLISECOND, CAST($1 AS DATETIME2(7)))", { type: TIMESTAMP }),
  microsecond: words("DATETRUNC(MICROSECOND, CAST($1 AS DATETIME2(7)))", { type: TIMESTAMP }),
} as const satisfies Readonly<Record<string, Template>>;

/** A text in a collation of UTF-8. */
export const UTF_8 = words("CAST($1 AS VARCHAR(MAX))");

/** A date as YYYY-MM-DD. */
export const ISO_DAY = words("CONVERT(NVARCHAR(10), $1, 23)");
