/** Dates, times and intervals. Trino adds a number of units. */

import { unsupported } from "../../diagnostics.ts";
import { asLong } from "../../lowering/numbers/long-decimals.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { isDateOrTimestamp, isDay, step, timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { call, cases, cast, comparison, inPlaceOf, integer, text, typed, values } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, NUMERIC, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { isZoneName } from "../../zone-names.ts";
import { microsecondsOf } from "./casts.ts";
import { inUtc } from "./zones.ts";

export function timeSum(node: Binary): Expression | undefined {
  return timeArithmetic({ ...node, left: inUtc(node.left), right: inUtc(node.right) });
}

/** AT TIME ZONE: from a local time to the instant, or back. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span } = node;
  const type = typeOrUnknown(operand);
  if (zone.kind !== "string" || !isZoneName(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("the time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
  }
  if (type.kind === "timestamp" && type.zoned) {
    return cast(call("at_timezone", [operand, zone], inPlaceOf(operand)), "timestamp", typed(TIMESTAMP, node));
  }
  // A day begins in the session's zone.
  if (isDay(operand)) {
    if (!isUtc(zone.value)) throw unsupported("a date at a time zone", span, "Cast it to a timestamp.");
    return cast(operand, "timestamp", typed(TIMESTAMP, node));
  }
  return instantOf(operand, zone, node);
}

/**
 * PostgreSQL takes the later instant of a local time that occurs twice; `with_timezone` takes the earlier. Three hours later the
 * clocks have been set back: if three hours before that is the same local time, it is the later instant. It is converted to UTC,
 * because a local time and a zone would not tell which instant it is.
 */
function instantOf(hands: Expression, zone: Expression, at: AtTimeZone): Expression {
  const place = inPlaceOf(at);
  const inZone = (value: Expression): Expression => call("with_timezone", [value, zone], place);
  if (zone.kind === "string" && isUtc(zone.value)) return inZone(hands);
  const hours = (count: number, value: Expression): Expression =>
    call("date_add", [value, step(integer(count, at), "hour")], typed(typeOrUnknown(value), at));
  const later = hours(-3, inZone(hours(3, hands)));
  const isLater = comparison(cast(later, "timestamp", typed(TIMESTAMP, at)), "=", hands, at);
  const instant = cases([{ when: isLater, then: later }], inZone(hands), place);
  return call("at_timezone", [instant, text("UTC", at)], place);
}

const isUtc = (zone: string): boolean => /^(UTC|GMT)$/.test(zone);

const UNITS: ReadonlySet<string> = new Set("year quarter month week day hour minute second millisecond".split(" "));

const unitOf = (name: string): string => name.toLowerCase().replace(/s$/, "");

/** Start of the unit as a timestamp. */
export function truncated(node: Call): Expression {
  const [unit, value, ...others] = values(node);
  if (unit?.kind !== "string" || value === undefined || others.length > 0 || !isDateOrTimestamp(value)) {
    throw unsupported(
      "date_trunc of this",
      node.span,
      "Write the unit as a literal, and truncate dates or timestamps.",
    );
  }
  const name = unitOf(unit.value);
  if (!UNITS.has(name)) {
    throw unsupported(
      `date_trunc to ${name}`,
      unit.span,
      "Use year, quarter, month, week, day, hour, minute or second.",
    );
  }
  const start = startOf(name, isDay(value) ? cast(value, "timestamp", typed(TIMESTAMP, value)) : value);
  return { ...start, type: node.type ?? TIMESTAMP };
}

function startOf(unit: string, value: Expression): Call {
  return call("date_trunc", [text(unit, value), inUtc(value)], inPlaceOf(value));
}

/** Counts the boundaries of the unit from the first to the second; Trino counts full units. */
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
  const name = unitOf(unit.value);
  if (!UNITS.has(name)) {
    throw unsupported(
      `date_diff in ${name}s`,
      unit.span,
      "Use year, quarter, month, week, day, hour, minute or second.",
    );
  }
  const starts = [from, to].map((each) => startOf(name, cast(inUtc(each), "timestamp", typed(TIMESTAMP, each))));
  return call("date_diff", [text(name, node), ...starts], inPlaceOf(node));
}

const fullMonths = (
  from: string,
  to: string,
): string => `year(${to}) * 12 + month(${to}) - (year(${from}) * 12 + month(${from}))
  - CASE WHEN day(${to}) < day(${from}) OR (day(${to}) = day(${from}) AND CAST(${to} AS time) < CAST(${from} AS time))
    THEN 1 ELSE 0 END`;

const MONTHS_BETWEEN = sql(
  `CASE WHEN $2 >= $1 THEN ${fullMonths("$1", "$2")} WHEN $2 < $1 THEN -(${fullMonths("$2", "$1")}) END`,
  { type: BIGINT },
);

/** The full months of an age, which is negative as a whole. */
export const monthsBetween = (from: Expression, to: Expression, at: Expression): Expression =>
  spelled(
    MONTHS_BETWEEN,
    [from, to].map((each) => cast(inUtc(each), "timestamp", typed(TIMESTAMP, at))),
    at,
  );

const DAYS_SINCE_1970 = words("date_diff('day', DATE '1970-01-01', $1)", { type: BIGINT });
const SECONDS_SINCE_1970 = words(
  "date_diff('second', TIMESTAMP '1970-01-01 00:00:00.000000', date_trunc('second', $1))",
  { type: BIGINT },
);
const EPOCH_OF_DAY = sql("$1 * 86400", { type: BIGINT });
const EPOCH = sql("$1 + CAST($2 AS numeric(19, 0)) * 0.000001", { type: NUMERIC, scale: 6 });

/** Seconds since 1970, with their fraction. */
export function epochOf(value: Expression, at: Expression): Expression {
  if (typeOrUnknown(value).kind === "date") {
    return spelled(EPOCH_OF_DAY, [spelled(DAYS_SINCE_1970, [value], at)], at);
  }
  const local = cast(inUtc(value), "timestamp", typed(TIMESTAMP, at));
  return spelled(EPOCH, [spelled(SECONDS_SINCE_1970, [local], at), microsecondsOf(local)], at);
}

const NANOSECONDS = sql("from_unixtime_nanos(CAST($1 * 1000000000 AS numeric(38, 0)))");

/** Seconds since 1970 as an instant. */
export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  if (seconds === undefined || !["integer", "decimal"].includes(typeOrUnknown(seconds).kind)) {
    throw unsupported("to_timestamp of this", node.span, "Give it an integer number of seconds.");
  }
  return cast(spelled(NANOSECONDS, [asLong(seconds)], node), "timestamp with time zone", inPlaceOf(node));
}

export const now = (node: Call): Expression => call("current_timestamp", [integer(6, node)], inPlaceOf(node));
export const localNow = (node: Call): Expression => call("localtimestamp", [integer(6, node)], typed(TIMESTAMP, node));
