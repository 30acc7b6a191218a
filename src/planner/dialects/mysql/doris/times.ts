/**
 * Dates and times, in a session in UTC, where instants and local times have the same values.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/date-trunc
 */

import { unsupported } from "../../../diagnostics.ts";
import { spelled, sql, words } from "../../../lowering/templates/template.ts";
import { type DateFormats, dateText, renderedBy } from "../../../lowering/times/date-texts.ts";
import { readDate } from "../../../lowering/times/literal-dates.ts";
import { PERCENT_FORMATS } from "../../../lowering/times/percent-formats.ts";
import { isDateOrTimestamp, isDay } from "../../../lowering/times/time-arithmetic.ts";
import { typedLiteral } from "../../../lowering/times/typed-literals.ts";
import { call, cast, inPlaceOf, integer, text, typed, values } from "../../../syntax/build.ts";
import type { AtTimeZone, Call, Expression, Template, TypedLiteral } from "../../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, TEXT, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../../types.ts";
import { isOldZoneName } from "../../../zone-names.ts";
import { BETWEEN, concat, MYSQL_INSTANT } from "../templates.ts";

export const asTimestamp = (value: Expression): Expression =>
  isDay(value) ? cast(value, "timestamp", typed(TIMESTAMP, value)) : value;

/** A cast of a text, which MySQL and Doris read in the same way. */
export function literalTime(node: TypedLiteral): Expression {
  const read = typedLiteral(node);
  const { kind } = typeOrUnknown(node);
  if (kind !== "date" && kind !== "timestamp") throw unsupported(`a literal of type ${kind}`, node.span);
  return cast(text(read.value, node), kind, inPlaceOf(node));
}

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/convert-tz */
const IN_ZONE = words("CONVERT_TZ($1, '+00:00', $2)", { type: TIMESTAMP });

const OF_ZONE = words(MYSQL_INSTANT, { type: TIMESTAMPTZ });

/** Which instant Doris takes for a local time that occurs twice is not documented. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span, type } = node;
  const from = typeOrUnknown(operand);
  if (zone.kind === "string" && from.kind === "timestamp" && from.zoned && isOldZoneName(zone.value)) {
    const isUtc = /^(UTC|GMT)$/.test(zone.value);
    return isUtc ? { ...operand, span, ...(type && { type }) } : spelled(IN_ZONE, [operand, zone], node);
  }
  const isLocal = from.kind === "timestamp" && !from.zoned;
  if (zone.kind === "string" && isLocal && isOldZoneName(zone.value) && !/^(UTC|GMT)$/.test(zone.value)) {
    return spelled(OF_ZONE, [operand, zone], node);
  }
  if (zone.kind !== "string" || !/^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
  }
  return { ...asTimestamp(operand), span, ...(type && { type }) };
}

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/now */
export const currentTimestamp = (node: Call): Expression => call("now", [integer(6, node)], inPlaceOf(node));

export const currentDate = (node: Call): Expression => cast(currentTimestamp(node), "date", typed(DATE, node));

const UNITS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;

function unitOf(unit: Expression | undefined, what: string, node: Call): (typeof UNITS)[number] {
  const name = unit?.kind === "string" ? unit.value.toLowerCase().replace(/s$/, "") : "";
  const found = UNITS.find((each) => each === name);
  if (found !== undefined) return found;
  throw unsupported(what, node.span, `Use a literal of ${UNITS.join(", ")}.`);
}

/** Weeks begin on Monday. The start of a date would be a date, so the date becomes its midnight. */
const start = (unit: string, value: Expression, at: Expression): Expression =>
  call("date_trunc", [asTimestamp(value), text(unit, value)], inPlaceOf(at));

export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  if (value === undefined || !isDateOrTimestamp(value)) {
    throw unsupported("date_trunc of this", node.span, "Truncate dates or timestamps.");
  }
  return start(unitOf(unit, "date_trunc with these arguments", node), value, node);
}

/** A part of a time. The manual names no error for those up to the minute. */
const partTemplate = (unit: string, neverFails: boolean): Template =>
  words(`EXTRACT(${unit} FROM $1)`, { type: INTEGER, neverFails });

const PARTS = {
  year: partTemplate("YEAR", true),
  quarter: partTemplate("QUARTER", true),
  month: partTemplate("MONTH", true),
  day: partTemplate("DAY", true),
  hour: partTemplate("HOUR", true),
  minute: partTemplate("MINUTE", true),
  second: partTemplate("SECOND", false),
  microsecond: partTemplate("MICROSECOND", false),
} as const;

export const part = (field: keyof typeof PARTS, value: Expression): Expression => spelled(PARTS[field], [value], value);

const MINUS = sql("$2 - $1", { type: BIGINT });
/** Years and other parts of two times. */
const MONTHS = sql("$3 * 12 + $4 - ($1 * 12 + $2)");
const QUARTERS = sql("$3 * 4 + $4 - ($1 * 4 + $2)");
const WEEKS = sql("datediff($2, $1) // 7");

/** Counts the boundaries of the unit between two times. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (from === undefined || to === undefined || !isDateOrTimestamp(from) || !isDateOrTimestamp(to)) {
    throw unsupported("date_diff of this", node.span, "Compare dates or timestamps.");
  }
  const name = unitOf(unit, "date_diff with these arguments", node);
  const starts = (): readonly Expression[] => [from, to].map((each) => start(name, each, { ...each, type: TIMESTAMP }));
  switch (name) {
    case "year":
      return spelled(MINUS, [part(name, from), part(name, to)], node);
    case "quarter":
    case "month": {
      const parts = [from, to].flatMap((each) => [part("year", each), part(name, each)]);
      return spelled(name === "month" ? MONTHS : QUARTERS, parts, node);
    }
    case "day":
      return call("datediff", [to, from], inPlaceOf(node));
    case "week":
      return spelled(WEEKS, starts(), node);
    default:
      return spelled(BETWEEN[name], starts(), node);
  }
}

const MICROSECONDS = sql("$1 * 1000000 + ($3 - $2)", { type: BIGINT });

/** The difference of two clocks in microseconds. */
export function microsecondsBetween(from: Expression, to: Expression): Expression {
  const [first, last] = [asTimestamp(from), asTimestamp(to)];
  const seconds = [first, last].map((each) => start("second", each, { ...each, type: TIMESTAMP }));
  const parts = [first, last].map((each) => part("microsecond", each));
  return spelled(MICROSECONDS, [spelled(BETWEEN.second, seconds, to), ...parts], to);
}

/** Years and months of the two times, how far they are in their months, and the times. */
const WHOLE_MONTHS = sql(
  `CASE WHEN $8 >= $7 THEN $3 * 12 + $4 - ($1 * 12 + $2) - CASE WHEN $6 < $5 THEN 1 ELSE 0 END
    WHEN $8 < $7 THEN $3 * 12 + $4 - ($1 * 12 + $2) + CASE WHEN $5 < $6 THEN 1 ELSE 0 END END`,
  { type: BIGINT },
);
const INTO_MONTH = sql("$1 * 86400000000 + $2", { type: BIGINT });

/** Full months from one time to another, as an age has them: none from 31 January to 29 February. */
export function wholeMonths(from: Expression, to: Expression): Expression {
  const isOfDays = isDay(from) && isDay(to);
  const ends = isOfDays ? [from, to] : [from, to].map(asTimestamp);
  const months = ends.flatMap((each) => [part("year", each), part("month", each)]);
  const into = ends.map((each) =>
    isOfDays ? part("day", each) : spelled(INTO_MONTH, [part("day", each), sinceMidnight(each)], each),
  );
  return spelled(WHOLE_MONTHS, [...months, ...into, ...ends], to);
}

/** In seconds, which 32 bits hold, and the digits behind them. */
const SINCE_MIDNIGHT = words(
  "(CAST(EXTRACT(HOUR FROM $1) * 3600 + EXTRACT(MINUTE FROM $1) * 60 + EXTRACT(SECOND FROM $1) AS BIGINT) * 1000000" +
    " + EXTRACT(MICROSECOND FROM $1))",
);

/** The microseconds since midnight of a timestamp. */
export const sinceMidnight = (timestamp: Expression): Expression =>
  spelled(SINCE_MIDNIGHT, [timestamp], typed(BIGINT, timestamp));

export const lastDay = (node: Call): Expression => call("last_day", values(node), inPlaceOf(node));

const DECLARE_DAY = "Declare the column as a date, or cast it in the model's own SQL.";

export function dateByFormat(node: Call): Expression {
  if (node.arguments.length > 1) return literalTime(readDate(node, DECLARE_DAY));
  throw unsupported("to_timestamp of a number", node.span, "Add seconds to TIMESTAMP '1970-01-01 00:00:00'.");
}

/** Specifiers that mean what MySQL's do: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/date-format */
const SHARED: ReadonlySet<string> = new Set(
  "YYYY YY MM Mon FMMonth DD DDD Dy FMDay HH24 HH12 HH MI SS AM PM".split(" "),
);

const DATES: DateFormats = {
  tokens: {
    ...Object.fromEntries(Object.entries(PERCENT_FORMATS.tokens).filter(([token]) => SHARED.has(token))),
    US: "%f",
  },
  literal: PERCENT_FORMATS.literal,
  values: { Q: (value, at) => cast(part("quarter", value), "text", typed(TEXT, at)) },
  joined: (parts, at) => concat(parts, at),
};

export const TIME_PATTERNS = renderedBy(DATES);

export const formatted = (node: Call): Expression => dateText(node, DATES);
