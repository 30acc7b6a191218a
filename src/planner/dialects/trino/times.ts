/** Dates, times and intervals: what is added is a number of units. */

import { unsupported } from "../../diagnostics.ts";
import { asLong } from "../../lowering/long-decimals.ts";
import { isDateOrTimestamp, isDay, step, timeArithmetic } from "../../lowering/time-arithmetic.ts";
import {
  binary,
  call,
  cases,
  cast,
  comparison,
  inPlaceOf,
  integer,
  text,
  typed,
  typeName,
  values,
} from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DATE, INTEGER, NUMERIC, TIME, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { microsecondsOf, secondsAnd } from "./casts.ts";
import { inUtc } from "./zones.ts";

export function timeSum(node: Binary): Expression | undefined {
  return timeArithmetic({ ...node, left: inUtc(node.left), right: inUtc(node.right) });
}

/** From the hands of a clock to the instant, or back. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span } = node;
  const type = typeOrUnknown(operand);
  if (
    zone.kind !== "string" ||
    !/^(UTC|GMT|[A-Z][A-Za-z_]+(\/[A-Za-z_]+)+)$/.test(zone.value) ||
    !isDateOrTimestamp(operand)
  ) {
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
 * Hands that a zone's clocks show twice are of the later instant, as in PostgreSQL; `with_timezone` takes the earlier. Three hours
 * on the clocks have been set back: whoever comes back from there to the same hands comes to the later one. It is shown in UTC, since
 * hands and the name of their zone would not tell which it is.
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

/** Boundaries of the unit that are crossed from the first to the second; Trino counts whole units. */
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

/** Whole months of an age, which is negative as a whole. */
export function monthsBetween(first: Expression, second: Expression, at: Expression): Expression {
  const place = typed(BIGINT, at);
  const [from, to] = [first, second].map((each) => cast(inUtc(each), "timestamp", typed(TIMESTAMP, at)));
  if (from === undefined || to === undefined) throw new TypeError("an age has two ends");
  const part = (name: string, of: Expression): Expression => call(name, [of], typed(INTEGER, at));
  const count = (of: Expression): Expression =>
    binary(binary(part("year", of), "*", integer(12, at), place), "+", part("month", of), place);
  const clock = (of: Expression): Expression => cast(of, "time", typed(TIME, at));
  const full = (earlier: Expression, later: Expression): Expression => {
    const [day, other] = [part("day", later), part("day", earlier)];
    const isShort: Expression = {
      kind: "logical",
      operator: "or",
      operands: [
        comparison(day, "<", other, at),
        {
          kind: "logical",
          operator: "and",
          operands: [comparison(day, "=", other, at), comparison(clock(later), "<", clock(earlier), at)],
          span: at.span,
          type: BOOLEAN,
        },
      ],
      span: at.span,
      type: BOOLEAN,
    };
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

/** Seconds since 1970, with their fraction. */
export function epochOf(value: Expression, at: Expression): Expression {
  const day = typeOrUnknown(value).kind === "date";
  const start: Expression = {
    kind: "typed",
    typeName: typeName(day ? "date" : "timestamp", at),
    value: day ? "1970-01-01" : "1970-01-01 00:00:00",
    span: at.span,
    type: day ? DATE : TIMESTAMP,
  };
  if (day) {
    const days = call("date_diff", [text("day", at), start, value], typed(BIGINT, at));
    return binary(days, "*", integer(86_400, at), typed(BIGINT, at));
  }
  const local = cast(inUtc(value), "timestamp", typed(TIMESTAMP, at));
  const whole = call("date_diff", [text("second", at), start, startOf("second", local)], typed(BIGINT, at));
  return secondsAnd(whole, microsecondsOf(local), at);
}

/** Seconds since 1970 as an instant. */
export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  if (seconds === undefined || !["integer", "decimal"].includes(typeOrUnknown(seconds).kind)) {
    throw unsupported("to_timestamp of this", node.span, "Give it an integer number of seconds.");
  }
  const nanoseconds = binary(asLong(seconds), "*", integer(1_000_000_000, node), typed(NUMERIC, node));
  const rounded = cast(nanoseconds, "numeric", typed(NUMERIC, node), [38, 0]);
  return cast(call("from_unixtime_nanos", [rounded], inPlaceOf(node)), "timestamp with time zone", inPlaceOf(node));
}

export const now = (node: Call): Expression => call("current_timestamp", [integer(6, node)], inPlaceOf(node));
export const localNow = (node: Call): Expression => call("localtimestamp", [integer(6, node)], typed(TIMESTAMP, node));
