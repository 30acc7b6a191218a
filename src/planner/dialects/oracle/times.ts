/**
 * Dates and timestamps on Oracle, whose DATE has a time of day. A date of the language is a DATE at midnight. A column that the
 * manifest declares as `timestamp` may be a DATE, of which EXTRACT has no hour, so it is cast to TIMESTAMP first.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
 */
import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { isDateOrTimestamp, isDay, step } from "../../lowering/times/time-arithmetic.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { wholeMonthsBy } from "../../lowering/times/whole-months.ts";
import { instantSql } from "../../lowering/times/zone-instants.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, text, typed, typeName, values } from "../../syntax/build.ts";
import type { AtTimeZone, Call, Expression, Extract, TypedLiteral } from "../../syntax/tree.ts";
import {
  BIGINT,
  DATE,
  INTEGER,
  INTERVAL,
  NUMERIC,
  type SqlType,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeOrUnknown,
} from "../../types.ts";
import { isZoneName } from "../../zone-names.ts";

const isZoned = (type: SqlType): boolean => type.kind === "timestamp" && type.zoned;

/** The local time in UTC. */
export const timeInUtc = (value: Expression): Expression =>
  isZoned(typeOrUnknown(value)) ? call("sys_extract_utc", [value], typed(TIMESTAMP, value)) : value;

/** A TIMESTAMP, whatever a column of times is. */
export function stamp(value: Expression): Expression {
  const shown = timeInUtc(value);
  const isOne =
    shown !== value ||
    (value.kind === "cast" && value.typeName.name === "timestamp") ||
    (value.kind === "typed" && typeOrUnknown(value).kind === "timestamp");
  return isOne ? shown : cast(value, "timestamp", typed(TIMESTAMP, value));
}

/** The instant at which the clocks of UTC show it. */
const zoned = (value: Expression, at: Expression): Expression =>
  call("from_tz", [stamp(value), text("+00:00", at)], typed(TIMESTAMPTZ, at));

export const asResult = (value: Expression, at: Expression): Expression =>
  isZoned(typeOrUnknown(at)) && !isZoned(typeOrUnknown(value)) ? zoned(value, at) : value;

export function literalTime(node: TypedLiteral): Expression {
  const read = typedLiteral(node);
  if (!isZoned(typeOrUnknown(node))) return read;
  return zoned({ ...read, typeName: typeName("timestamp", node), type: TIMESTAMP }, node);
}

/** https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Datetime-Expressions.html */
const IN_ZONE = words("CAST($1 AT TIME ZONE $2 AS TIMESTAMP(6))", { type: TIMESTAMP });

const OF_ZONE = words(
  instantSql({
    inZone: (time) => `CAST(FROM_TZ(${time}, '+00:00') AT TIME ZONE $2 AS TIMESTAMP(6))`,
    days: (time, days) => `(${time} + NUMTODSINTERVAL(${days}, 'DAY'))`,
    minus: (time, from, to) => `(${time} - (${to} - ${from}))`,
  }),
  { type: TIMESTAMP },
);

const isUtc = (zone: string): boolean => /^(UTC|GMT)$/.test(zone);

/** For a local time that occurs twice Oracle takes the instant that a setting of the session says. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone } = node;
  if (zone.kind === "string" && isZoned(typeOrUnknown(operand)) && isZoneName(zone.value) && !isUtc(zone.value)) {
    return spelled(IN_ZONE, [operand, zone], node);
  }
  if (
    zone.kind === "string" &&
    isZoneName(zone.value) &&
    !isUtc(zone.value) &&
    isDateOrTimestamp(operand) &&
    !isDay(operand)
  ) {
    return zoned(spelled(OF_ZONE, [stamp(operand), zone], node), node);
  }
  if (zone.kind !== "string" || !/^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
  }
  return isZoned(typeOrUnknown(operand)) ? timeInUtc(operand) : zoned(operand, node);
}

/** One time for a whole statement. */
const now = (at: Expression): Expression =>
  cast(call("sys_extract_utc", [call("now", [], typed(TIMESTAMPTZ, at))], typed(TIMESTAMP, at)), "timestamp", {
    span: at.span,
    type: TIMESTAMP,
  });

export const currentTimestamp = (node: Call): Expression => asResult(now(node), node);

/** The midnight before, a DATE. */
export const dayOf = (value: Expression): Expression =>
  isDay(value) && value.kind !== "bound" ? value : cutTo(value, "DD");

export const currentDate = (node: Call): Expression => dayOf(now(node));

const cutTo = (value: Expression, format: string): Call =>
  call("trunc", [timeInUtc(value), text(format, value)], typed(DATE, value));

const SECONDS: Readonly<Record<string, number>> = { hour: 3600, minute: 60, second: 1 };

const over = (value: Expression, operator: "*" | "/" | "+" | "-", by: number): Expression =>
  binary(value, operator, integer(by, value), typed(NUMERIC, value));

/** A part as Oracle's own EXTRACT has it; of seconds with their fraction. */
export function part(field: string, value: Expression): Expression {
  const ofClock = Object.hasOwn(SECONDS, field);
  if (ofClock && isDay(value)) return integer(0, value);
  const operand = ofClock ? stamp(value) : timeInUtc(value);
  const node: Extract = { kind: "extract", field, operand, span: value.span, type: ofClock ? NUMERIC : INTEGER };
  return node;
}

/** Days from one midnight to another, as DATEs. */
const daysBetween = (from: Expression, to: Expression): Expression =>
  binary(dayOf(to), "-", dayOf(from), typed(INTEGER, to));

const dateOf = (day: string, at: Expression): Expression => ({
  kind: "typed",
  typeName: typeName("date", at),
  value: day,
  span: at.span,
  type: DATE,
});

/** Seconds since the clocks of UTC showed the beginning of 1970, with their fraction. */
export function epochOf(value: Expression): Expression {
  const at = typed(NUMERIC, value);
  const days = binary(daysBetween(dateOf("1970-01-01", value), value), "*", integer(86_400, value), at);
  if (isDay(value)) return days;
  return ["hour", "minute", "second"].reduce<Expression>(
    (sum, field) =>
      binary(
        sum,
        "+",
        field === "second" ? part(field, value) : over(part(field, value), "*", SECONDS[field] ?? 1),
        at,
      ),
    days,
  );
}

/** Monday is 0. */
export const weekday = (value: Expression): Expression =>
  binary(dayOf(value), "-", cutTo(value, "IW"), typed(INTEGER, value));

const FORMATS: Readonly<Record<string, string>> = {
  year: "YYYY",
  quarter: "Q",
  month: "MM",
  week: "IW",
  day: "DD",
  hour: "HH24",
  minute: "MI",
};

const unitOf = (unit: Expression | undefined): string =>
  unit?.kind === "string" ? unit.value.toLowerCase().replace(/s$/, "") : "";

/** Start of the unit as a timestamp; weeks begin on Monday. */
export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  const name = unitOf(unit);
  const format = FORMATS[name];
  if (value === undefined || !isDateOrTimestamp(value) || (format === undefined && name !== "second")) {
    const hint = "Use year, quarter, month, week, day, hour, minute or second, of dates or timestamps.";
    throw unsupported("date_trunc of this", node.span, hint);
  }
  if (format !== undefined) return asResult(stamp(cutTo(value, format)), node);
  const minute = stamp(cutTo(value, "MI"));
  const seconds = call("floor", [part("second", value)], typed(INTEGER, node));
  return asResult(call("date_add", [minute, step(seconds, "second")], typed(TIMESTAMP, node)), node);
}

export function monthsBetween(from: Expression, to: Expression): Expression {
  const at = typed(INTEGER, to);
  const months = (value: Expression): Expression =>
    binary(binary(part("year", value), "*", integer(12, value), at), "+", part("month", value), at);
  return binary(months(to), "-", months(from), at);
}

/** True for a multiple of `by`. */
const whole = (value: Expression, by: number): Expression =>
  binary(value, "/", integer(by, value), typed(BIGINT, value));

/** Boundaries of the unit that are crossed from the first to the second. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  const name = unitOf(unit);
  if (from === undefined || to === undefined || !isDateOrTimestamp(from) || !isDateOrTimestamp(to)) {
    throw unsupported("date_diff of this", node.span, "Write the unit as a literal, and compare dates or timestamps.");
  }
  const at = typed(BIGINT, node);
  switch (name) {
    case "year":
      return binary(part("year", to), "-", part("year", from), at);
    case "quarter":
      return whole(monthsBetween(cutTo(from, "Q"), cutTo(to, "Q")), 3);
    case "month":
      return monthsBetween(from, to);
    case "week":
      return whole(binary(cutTo(to, "IW"), "-", cutTo(from, "IW"), at), 7);
    case "day":
      return daysBetween(from, to);
    case "hour":
    case "minute":
    case "second": {
      const count = (value: Expression): Expression =>
        call("floor", [over(epochOf(value), "/", SECONDS[name] ?? 1)], at);
      return binary(count(to), "-", count(from), at);
    }
    default:
      throw unsupported(
        "date_diff in this unit",
        node.span,
        "Use year, quarter, month, week, day, hour, minute or second.",
      );
  }
}

export const lastDay = (node: Call): Expression => call("last_day", values(node).map(dayOf), inPlaceOf(node));

export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  if (seconds === undefined || !["integer", "decimal"].includes(typeOrUnknown(seconds).kind)) {
    throw unsupported("to_timestamp of this", node.span, "Give the seconds as an exact number.");
  }
  const at = typed(TIMESTAMP, node);
  const start: Expression = {
    ...dateOf("1970-01-01 00:00:00", node),
    type: TIMESTAMP,
    typeName: typeName("timestamp", node),
  } as TypedLiteral;
  return asResult(call("date_add", [start, step(seconds, "second")], at), node);
}

/** See `lowering/times/whole-months.ts`. */
export const wholeMonths = wholeMonthsBy(timeInUtc);

// ------------------------------------------------------------------------------------------- what is spelled when printed

/**
 * `n` months later, on the last day of the month where it has fewer days: ADD_MONTHS by itself goes from a last day to a last day,
 * from 28 February to 31 March. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ADD_MONTHS.html
 */
function monthsLater(base: Expression, count: Expression): Expression {
  const at = typed(DATE, base);
  const day = dayOf(base);
  const first = call("add_months", [cutTo(base, "MM"), count], at);
  const within = binary(binary(first, "+", part("day", base), at), "-", integer(1, base), at);
  const later = call("least", [call("add_months", [day, count], at), within], at);
  if (isDay(base) || isMidnight(base)) return later;
  const passed = binary(stamp(base), "-", stamp(day), typed(INTERVAL, base));
  return binary(stamp(later), "+", passed, typed(TIMESTAMP, base));
}

/** A day that is cast to a timestamp. */
const isMidnight = (value: Expression): boolean =>
  value.kind === "cast" &&
  (isDay(value.operand) || (value.operand.kind === "call" && value.operand.name[0]?.name === "trunc"));

const MONTHS: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };
const UNITS: Readonly<Record<string, readonly [unit: string, by: string]>> = {
  week: ["DAY", "7"],
  day: ["DAY", "1"],
  hour: ["HOUR", "1"],
  minute: ["MINUTE", "1"],
  second: ["SECOND", "1"],
  millisecond: ["SECOND", "0.001"],
  microsecond: ["SECOND", "0.000001"],
};

/** `date_add` of a day and whole units, or of a time. */
export function moved({ arguments: [base, interval], type }: Call): Expression {
  if (base === undefined || interval?.value.kind !== "interval")
    throw new TypeError("a time is shifted by an interval");
  const { value, unit = "day" } = interval.value;
  const start = base.value;
  const times = (count: Expression, by: string): Expression =>
    by === "1" ? count : binary(count, "*", decimal(by, count), typed(NUMERIC, count));
  const months = MONTHS[unit];
  const isOfDays = type?.kind === "date";
  if (months !== undefined) {
    const later = monthsLater(start, times(value, String(months)));
    return isOfDays ? later : stamp(later);
  }
  const [word, by] = UNITS[unit] ?? ["DAY", "1"];
  if (isOfDays) return binary(dayOf(start), "+", times(value, by), typed(DATE, start));
  const added = call("numtodsinterval", [times(value, by), text(word, start)], typed(INTERVAL, start));
  return binary(stamp(start), "+", added, typed(TIMESTAMP, start));
}
