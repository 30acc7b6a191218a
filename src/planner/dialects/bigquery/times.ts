/** Dates, times and intervals: what is added is a number of units, and what lies between is counted by boundaries. */

import { unsupported } from "../../diagnostics.ts";
import { dateDifferenceArguments, unitOf } from "../../lowering/times/date-differences.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { isDateOrTimestamp, isDay } from "../../lowering/times/time-arithmetic.ts";
import {
  binary,
  call,
  cases,
  cast,
  comparison,
  decimal,
  inPlaceOf,
  integer,
  typed,
  values,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIME, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { SHORT_NUMERIC } from "./decimals.ts";
import { asClock, asInstant } from "./zones.ts";

const UNITS: ReadonlySet<string> = new Set(
  "year quarter month week day hour minute second millisecond microsecond".split(" "),
);

/** A unit is a word of the grammar: `start of week`, `units between: week`. */
export const START_OF = "start of ";
export const BETWEEN = "units between: ";
export const TIME_UNITS: readonly string[] = [...UNITS];

const NO_UNIT = "Use year, quarter, month, week, day, hour, minute or second.";

function startOf(unit: string, value: Expression): Expression {
  return call(START_OF + unit, [asClock(value)], typed(TIMESTAMP, value));
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

/** Boundaries of the unit that are crossed from the first to the second. */
export function dateDifference(node: Call): Expression {
  const { unit, from, to } = dateDifferenceArguments(node, UNITS, NO_UNIT);
  return call(BETWEEN + unit, [startOf(unit, to), startOf(unit, from)], inPlaceOf(node));
}

/** Microseconds since 1970 of a timestamp. */
const microsecondsSince = (value: Expression, at: Expression): Expression =>
  call("unix_micros", [asInstant(value)], typed(BIGINT, at));

export const microsecondsBetween = (from: Expression, to: Expression, at: Expression): Expression =>
  binary(microsecondsSince(to, at), "-", microsecondsSince(from, at), typed(BIGINT, at));

/** Seconds of microseconds, with their fraction. */
export function secondsOf(microseconds: Expression, at: Expression): Expression {
  const exact = cast(microseconds, SHORT_NUMERIC, typed(NUMERIC, at));
  return binary(exact, "*", decimal("0.000001", at), typed(NUMERIC, at));
}

/** Seconds since 1970, with their fraction. */
export function epochOf(value: Expression, at: Expression): Expression {
  if (!isDay(value)) return secondsOf(microsecondsSince(value, at), at);
  const days = call("unix_date", [value], typed(BIGINT, at));
  return binary(days, "*", integer(86_400, at), typed(BIGINT, at));
}

/** Seconds since 1970 as an instant. */
export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  const kind = seconds && typeOrUnknown(seconds).kind;
  if (seconds === undefined || (kind !== "integer" && kind !== "decimal")) {
    throw unsupported("to_timestamp of this", node.span, "Give it an integer number of seconds.");
  }
  if (kind === "integer") return call("timestamp_seconds", [seconds], inPlaceOf(node));
  const microseconds = binary(seconds, "*", integer(1_000_000, node), typed(NUMERIC, node));
  return call("timestamp_micros", [cast(microseconds, "bigint", typed(BIGINT, node))], inPlaceOf(node));
}

/** Whole months of an age, which is negative as a whole. */
export function monthsBetween(first: Expression, second: Expression, at: Expression): Expression {
  const place = typed(BIGINT, at);
  const [from, to] = [asClock(first), asClock(second)];
  const part = (name: string, of: Expression): Expression => call(`part: ${name}`, [of], typed(INTEGER, at));
  const count = (of: Expression): Expression =>
    binary(binary(part("year", of), "*", integer(12, at), place), "+", part("month", of), place);
  /** How far into its month. */
  const into = (of: Expression): Expression => microsecondsBetween(startOf("month", of), of, at);
  const full = (earlier: Expression, later: Expression): Expression => {
    const isShort = comparison(into(later), "<", into(earlier), at);
    const less = cases([{ when: isShort, then: integer(1, at) }], integer(0, at), place);
    return binary(binary(count(later), "-", count(earlier), place), "-", less, place);
  };
  const negated: Expression = { kind: "unary", operator: "-", operand: full(to, from), span: at.span, type: BIGINT };
  return cases(
    [
      { when: comparison(to, ">=", from, at), then: full(from, to) },
      { when: comparison(to, "<", from, at), then: negated },
    ],
    undefined,
    place,
  );
}

export const now = (node: Call): Expression => call("current instant", [], inPlaceOf(node));
export const localNow = (node: Call): Expression => call("current clock", [], typed(TIMESTAMP, node));
export const timeNow = (node: Call): Expression => cast(localNow(node), "time", typed(TIME, node));
