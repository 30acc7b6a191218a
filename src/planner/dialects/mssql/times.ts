/**
 * Dates and times: DATE, DATETIME2 without a zone, and DATETIMEOFFSET, which is taken to UTC before its parts are asked for.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/date-and-time-data-types-and-functions-transact-sql
 */
import { unsupported } from "../../diagnostics.ts";
import { spelled } from "../../lowering/templates/template.ts";
import { isDateOrTimestamp, isDay, negated, step } from "../../lowering/times/time-arithmetic.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { wholeMonthsBy } from "../../lowering/times/whole-months.ts";
import { binary, call, cast, inPlaceOf, integer, text, typed, values } from "../../syntax/build.ts";
import type { AtTimeZone, Call, Expression, TypedLiteral } from "../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, type SqlType, TEXT, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";
import { isUnit, part, TRUNCATED, unitsBetween } from "./templates.ts";

const isZoned = (type: SqlType): boolean => type.kind === "timestamp" && type.zoned;

export const atMidnight = (value: Expression): Expression =>
  isDay(value) ? cast(value, "timestamp", typed(TIMESTAMP, value)) : value;

/** The local time in UTC. */
export function timeInUtc(value: Expression): Expression {
  if (!isZoned(typeOrUnknown(value))) return value;
  const inUtc = call("switchoffset", [value, text("+00:00", value)], typed(TIMESTAMPTZ, value));
  return cast(inUtc, "timestamp", typed(TIMESTAMP, value));
}

/** The instant at which the clocks of UTC show it. */
export function zoned(value: Expression, at: Expression): Expression {
  return call("todatetimeoffset", [value, text("+00:00", at)], typed(TIMESTAMPTZ, at));
}

/** Dates and times are texts that are cast. */
export function literalTime(node: TypedLiteral): Expression {
  const read = typedLiteral(node);
  const type = typeOrUnknown(node);
  const at = isZoned(type) ? typed(TIMESTAMP, node) : inPlaceOf(node);
  const value = cast(text(read.value.replace(" ", "T"), node), type.kind, at);
  return isZoned(type) ? zoned(value, node) : value;
}

const asResult = (value: Expression, at: Expression): Expression =>
  isZoned(typeOrUnknown(at)) ? zoned(value, at) : value;

export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone } = node;
  if (zone.kind !== "string" || !/^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
  }
  if (isZoned(typeOrUnknown(operand))) return timeInUtc(operand);
  return zoned(atMidnight(operand), node);
}

const now = (at: Expression): Expression => call("sysutcdatetime", [], typed(TIMESTAMP, at));

export const currentTimestamp = (node: Call): Expression =>
  isZoned(typeOrUnknown(node)) ? zoned(now(node), node) : now(node);

export const currentDate = (node: Call): Expression => cast(now(node), "date", typed(DATE, node));

function constantDay(day: string, at: Expression): Expression {
  return cast(text(day, at), "date", typed(DATE, at));
}

/** Days from a Monday or a Sunday on, as 0 to 6, whatever the session calls the first day of a week. */
export function weekday(value: Expression, first: "monday" | "sunday"): Expression {
  const at = typed(INTEGER, value);
  const days = unitsBetween("day", constantDay(first === "monday" ? "1900-01-01" : "1899-12-31", value), value, at);
  const seven = integer(7, value);
  return binary(binary(binary(days, "%", seven, at), "+", seven, at), "%", seven, at);
}

/** Start of the unit as a timestamp; weeks begin on Monday. */
export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  if (unit?.kind !== "string" || value === undefined || !isDateOrTimestamp(value)) {
    const hint = "Write the unit as a literal, and truncate dates or timestamps.";
    throw unsupported("date_trunc of this", node.span, hint);
  }
  const start = startOf(unit.value.toLowerCase().replace(/s$/, ""), timeInUtc(value), node);
  return asResult(start, node);
}

/** DATETRUNC, of what no other level has a word for. */
export function truncatedToPart(unit: "millisecond" | "microsecond", node: Call): Expression {
  const [, value] = values(node);
  if (value === undefined || !isDateOrTimestamp(value)) throw unsupported("date_trunc of this", node.span);
  return asResult(spelled(TRUNCATED[unit], [timeInUtc(value)], node), node);
}

function startOf(unit: string, value: Expression, at: Expression): Expression {
  const timestamp = (of: Expression): Expression => cast(of, "timestamp", typed(TIMESTAMP, at));
  const one = integer(1, at);
  const day = isDay(value) ? value : cast(value, "date", typed(DATE, at));
  const fromParts = (month: Expression): Expression =>
    timestamp(call("datefromparts", [part("year", value), month, one], typed(DATE, at)));
  const whole = typed(INTEGER, at);
  switch (unit) {
    case "year":
      return fromParts(one);
    case "quarter": {
      const last = binary(part("quarter", value), "*", integer(3, at), whole);
      return fromParts(binary(last, "-", integer(2, at), whole));
    }
    case "month":
      return fromParts(part("month", value));
    case "week":
      return timestamp(call("date_add", [day, step(negated(weekday(value, "monday")), "day")], typed(DATE, at)));
    case "day":
      return timestamp(day);
    case "hour":
    case "minute":
    case "second": {
      const midnight = timestamp(day);
      const passed = unitsBetween(unit, midnight, value, whole);
      return call("date_add", [midnight, step(passed, unit)], typed(TIMESTAMP, at));
    }
    default:
      throw unsupported(
        `date_trunc to ${unit}`,
        at.span,
        "Use year, quarter, month, week, day, hour, minute or second.",
      );
  }
}

/** Boundaries of the unit that are crossed from the first to the second, as DATEDIFF counts them; its weeks begin on Sunday. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (
    unit?.kind !== "string" ||
    from === undefined ||
    to === undefined ||
    !isDateOrTimestamp(from) ||
    !isDateOrTimestamp(to)
  ) {
    throw unsupported("date_diff of this", node.span, "Write the unit as a literal, and compare dates or timestamps.");
  }
  const name = unit.value.toLowerCase().replace(/s$/, "");
  if (name === "week") {
    const week = (value: Expression): Expression => startOf("week", timeInUtc(value), node);
    return binary(
      unitsBetween("day", week(from), week(to), typed(BIGINT, node)),
      "/",
      integer(7, node),
      inPlaceOf(node),
    );
  }
  if (!isUnit(name)) {
    throw unsupported(
      `date_diff in ${name}s`,
      unit.span,
      "Use year, quarter, month, week, day, hour, minute or second.",
    );
  }
  return unitsBetween(name, timeInUtc(from), timeInUtc(to), inPlaceOf(node));
}

/** The unfilled names of months and days are in English. */
export const formatted = (value: Expression, format: string, at: Expression): Expression =>
  call("format", [value, text(format, at), text("en-US", at)], typed(TEXT, at));

/** The last day of its month. */
export const lastDay = (node: Call): Expression => call("eomonth", values(node).map(timeInUtc), inPlaceOf(node));

/** Whole days and seconds are added one after the other, for the number that is added has 32 bits. */
export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  if (seconds === undefined || typeOrUnknown(seconds).kind !== "integer") {
    throw unsupported("to_timestamp of a fraction", node.span, "Round the seconds to an integer.");
  }
  const at = typed(TIMESTAMP, node);
  const start = cast(text("1970-01-01", node), "timestamp", at);
  const perDay = integer(86_400, node);
  const part = (operator: "/" | "%"): Expression => binary(seconds, operator, perDay, typed(BIGINT, node));
  const day = call("date_add", [start, step(part("/"), "day")], at);
  return asResult(call("date_add", [day, step(part("%"), "second")], at), node);
}

/** See `lowering/times/whole-months.ts`. */
export const wholeMonths = wholeMonthsBy(timeInUtc);
