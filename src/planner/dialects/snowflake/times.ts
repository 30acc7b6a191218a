/**
 * Dates, times and intervals: what is added is a number of units, and what lies between is counted by boundaries. Where weeks begin is
 * for an account to say, so they are counted from ISO's day of the week.
 * https://docs.snowflake.com/en/sql-reference/functions-date-time
 */

import { unsupported } from "../../diagnostics.ts";
import { hasWholeMonths } from "../../lowering/arrays/array-series.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { dateDifferenceArguments, unitOf } from "../../lowering/times/date-differences.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { readDate } from "../../lowering/times/literal-dates.ts";
import { isDateOrTimestamp, isDay, step } from "../../lowering/times/time-arithmetic.ts";
import { wholeMonthsBy } from "../../lowering/times/whole-months.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIME, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";
import { asClock, asInstant, inUtc } from "./zones.ts";

const UNITS: ReadonlySet<string> = new Set(
  "year quarter month week day hour minute second millisecond microsecond".split(" "),
);

/** Units whose starts and parts no date or timestamp makes fail. */
const SURE: ReadonlySet<string> = new Set(["year", "quarter", "month", "day", "hour", "minute"]);

/** A template for each word of the grammar, made when it is first used. */
function byWord(make: (word: string) => Template): (word: string) => Template {
  const made = new Map<string, Template>();
  return (word) => {
    const template = made.get(word) ?? make(word);
    made.set(word, template);
    return template;
  };
}

const START_OF = byWord((unit) =>
  words(`DATE_TRUNC('${unit}', $1)`, {
    type: TIMESTAMP,
    neverFails: SURE.has(unit),
    isStartOfMonths: hasWholeMonths(unit),
  }),
);
const UNITS_BETWEEN = byWord((unit) => words(`DATEDIFF(${unit}, $1, $2)`, { type: BIGINT }));
const PART = byWord((name) => words(`DATE_PART(${name}, $1)`, { neverFails: SURE.has(name) }));

export const part = (name: string, value: Expression, at: Expression): Expression =>
  spelled(PART(name), [value], typed(INTEGER, at));

const NO_UNIT = "Use year, quarter, month, week, day, hour, minute or second.";

/** The start of a unit of local time. */
function startOf(unit: string, value: Expression): Expression {
  const at = typed(TIMESTAMP, value);
  const clock = asClock(value);
  if (unit !== "week") return spelled(START_OF(unit), [clock], value);
  const passed = binary(integer(1, value), "-", part("dayofweekiso", clock, value), typed(INTEGER, value));
  return call("date_add", [spelled(START_OF("day"), [clock], value), step(passed, "day")], at);
}

/** Start of the unit as a timestamp. */
export function truncated(node: Call): Expression {
  const [unit, value, ...others] = values(node);
  if (unit?.kind !== "string" || value === undefined || others.length > 0 || !isDateOrTimestamp(value)) {
    const hint = "Write the unit as a literal, and truncate dates or timestamps.";
    throw unsupported("date_trunc of this", node.span, hint);
  }
  const name = unitOf(unit.value);
  if (!UNITS.has(name)) throw unsupported(`date_trunc to ${name}`, unit.span, NO_UNIT);
  const start = startOf(name, value);
  return isZoned(node) ? asInstant(start) : start;
}

export const unitsBetween = (unit: string, from: Expression, to: Expression, at: Expression): Expression =>
  spelled(UNITS_BETWEEN(unit), [from, to], at);

/** Boundaries of the unit that are crossed from the first to the second. */
export function dateDifference(node: Call): Expression {
  const { unit, from, to } = dateDifferenceArguments(node, UNITS, NO_UNIT);
  if (unit !== "week") return unitsBetween(unit, asClock(from), asClock(to), node);
  const days = unitsBetween("day", startOf("week", from), startOf("week", to), node);
  return cast(binary(days, "/", integer(7, node), typed(NUMERIC, node)), "bigint", inPlaceOf(node));
}

export const microsecondsBetween = (from: Expression, to: Expression, at: Expression): Expression =>
  unitsBetween("microsecond", asClock(from), asClock(to), at);

/** Seconds of microseconds, with their fraction. */
export const secondsOf = (microseconds: Expression, at: Expression): Expression =>
  binary(microseconds, "*", decimal("0.000001", at), typed(NUMERIC, at));

/** Seconds since 1970, with their fraction. */
export function epochOf(value: Expression, at: Expression): Expression {
  if (isDay(value)) return part("epoch_second", value, at);
  return secondsOf(spelled(PART("epoch_microsecond"), [asClock(value)], typed(BIGINT, at)), at);
}

const OF_SECONDS = words("TO_TIMESTAMP_NTZ($1)", { type: TIMESTAMP });
const OF_MICROSECONDS = words("TO_TIMESTAMP_NTZ($1, 6)", { type: TIMESTAMP });

/** Seconds since 1970 as an instant. */
function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  const kind = seconds && typeOrUnknown(seconds).kind;
  if (seconds === undefined || (kind !== "integer" && kind !== "decimal")) {
    throw unsupported("to_timestamp of this", node.span, "Give it an integer number of seconds.");
  }
  if (kind === "integer") return asInstant(spelled(OF_SECONDS, [seconds], node));
  const microseconds = binary(seconds, "*", integer(1_000_000, node), typed(NUMERIC, node));
  return asInstant(spelled(OF_MICROSECONDS, [cast(microseconds, "bigint", typed(BIGINT, node))], node));
}

export const toTimestamp = (node: Call): Expression => (node.arguments.length > 1 ? readDate(node) : ofEpoch(node));

/** See `lowering/times/whole-months.ts`. */
export const wholeMonths = wholeMonthsBy(asClock);

const NOW = words("CAST(CURRENT_TIMESTAMP() AS TIMESTAMP_TZ)", { type: TIMESTAMPTZ });
export const now = (node: Call): Expression => spelled(NOW, [], node);
export const localNow = (node: Call): Expression => inUtc(now(node));
export const today = (node: Call): Expression => cast(localNow(node), "date", inPlaceOf(node));
export const timeNow = (node: Call): Expression => cast(localNow(node), "time", typed(TIME, node));
