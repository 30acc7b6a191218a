/** Dates, times and intervals: what is added is a number of units. Times of day there are none. */
import { unsupported } from "../../diagnostics.ts";
import { dateDifferenceArguments, unitOf } from "../../lowering/date-differences.ts";
import { isDateOrTimestamp, isDay, timeArithmetic } from "../../lowering/time-arithmetic.ts";
import {
  binary,
  call,
  cases,
  cast,
  comparison,
  decimal,
  inPlaceOf,
  integer,
  text,
  typed,
  values,
} from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, type SqlType, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";

const isZoned = ({ type }: { readonly type?: SqlType }): boolean => type?.kind === "timestamp" && type.zoned;

export function timeSum(node: Binary): Expression | undefined {
  return timeArithmetic(node);
}

/** From the hands of a clock to the instant, or back. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span } = node;
  if (
    zone.kind !== "string" ||
    !/^(UTC|GMT|[A-Z][A-Za-z_]+(\/[A-Za-z_]+)+)$/.test(zone.value) ||
    !isDateOrTimestamp(operand)
  ) {
    throw unsupported("the time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
  }
  if (isZoned(operand)) {
    return cast(
      call("from_utc_timestamp", [operand, zone], typed(TIMESTAMPTZ, operand)),
      "timestamp",
      typed(TIMESTAMP, node),
    );
  }
  if (/^(UTC|GMT)$/.test(zone.value)) {
    if (isDay(operand)) return cast(operand, "timestamp", typed(TIMESTAMP, node));
    return cast(operand, "timestamp with time zone", typed(TIMESTAMPTZ, node));
  }
  // PostgreSQL takes the second of two hours with the same local time.
  throw unsupported("the instant of a clock in another zone than UTC", span, "Store instants, or clocks in UTC.");
}

const UNITS: ReadonlySet<string> = new Set(
  "year quarter month week day hour minute second millisecond microsecond".split(" "),
);

const NO_UNIT = "Use year, quarter, month, week, day, hour, minute or second.";

/** Start of the unit as a timestamp. */
export function truncated(node: Call): Expression {
  const [unit, value, ...others] = values(node);
  if (unit?.kind !== "string" || value === undefined || others.length > 0 || !isDateOrTimestamp(value)) {
    const hint = "Write the unit as a literal, and truncate dates or timestamps.";
    throw unsupported("date_trunc of this", node.span, hint);
  }
  const name = unitOf(unit.value);
  if (!UNITS.has(name)) throw unsupported(`date_trunc to ${name}`, unit.span, NO_UNIT);
  return startOf(name, value, node);
}

/** An instant there, whatever is cut; the hands of a clock are those of UTC. */
function startOf(unit: string, value: Expression, at: Expression): Expression {
  const start = call("date_trunc", [text(unit.toUpperCase(), at), value], typed(TIMESTAMPTZ, at));
  return isZoned(at) ? start : cast(start, "timestamp", typed(TIMESTAMP, at));
}

/** Boundaries of the unit that are crossed from the first to the second; Spark counts whole units. */
export function dateDifference(node: Call): Expression {
  const { unit, from, to } = dateDifferenceArguments(node, UNITS, NO_UNIT);
  const start = (each: Expression): Expression =>
    call("date_trunc", [text(unit.toUpperCase(), node), each], typed(TIMESTAMPTZ, node));
  const starts = [start(from), start(to)];
  return call(`units between: ${unit}`, starts, inPlaceOf(node));
}

const instant = (value: Expression): Expression =>
  isZoned(value) ? value : cast(value, "timestamp with time zone", typed(TIMESTAMPTZ, value));

/** Microseconds since 1970. */
const microsecondsSince = (value: Expression, at: Expression): Expression =>
  call("unix_micros", [instant(value)], typed(BIGINT, at));

/** Whole months of an age, which is negative as a whole. */
export function monthsBetween(first: Expression, second: Expression, at: Expression): Expression {
  const place = typed(BIGINT, at);
  const part = (name: string, of: Expression): Expression => call(name, [of], typed(INTEGER, at));
  const count = (of: Expression): Expression =>
    binary(binary(part("year", of), "*", integer(12, at), place), "+", part("month", of), place);
  /** How far into its month. */
  const into = (of: Expression): Expression => {
    const start = call("date_trunc", [text("MONTH", at), of], typed(TIMESTAMPTZ, at));
    return binary(microsecondsSince(of, at), "-", microsecondsSince(start, at), place);
  };
  const full = (earlier: Expression, later: Expression): Expression => {
    const isShort = comparison(into(later), "<", into(earlier), at);
    const less = cases([{ when: isShort, then: integer(1, at) }], integer(0, at), place);
    return binary(binary(count(later), "-", count(earlier), place), "-", less, place);
  };
  const negated: Expression = {
    kind: "unary",
    operator: "-",
    operand: full(second, first),
    span: at.span,
    type: BIGINT,
  };
  return cases(
    [
      { when: comparison(second, ">=", first, at), then: full(first, second) },
      { when: comparison(second, "<", first, at), then: negated },
    ],
    undefined,
    place,
  );
}

const MICROSECOND = "0.000001";

/** Seconds of microseconds, with their fraction. */
export function secondsOf(microseconds: Expression, at: Expression): Expression {
  const exact = cast(microseconds, "numeric", typed(NUMERIC, at), [19, 0]);
  return binary(exact, "*", decimal(MICROSECOND, at), typed(NUMERIC, at));
}

/** Seconds since 1970, with their fraction. */
export function epochOf(value: Expression, at: Expression): Expression {
  if (!isDay(value)) return secondsOf(microsecondsSince(value, at), at);
  const days = call("unix_date", [value], typed(INTEGER, at));
  return binary(cast(days, "bigint", typed(BIGINT, at)), "*", integer(86_400, at), typed(BIGINT, at));
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
  const whole = cast(
    call("round", [microseconds, integer(0, node)], typed(NUMERIC, node)),
    "bigint",
    typed(BIGINT, node),
  );
  return call("timestamp_micros", [whole], inPlaceOf(node));
}

/** Microseconds from one time to another. */
export function microsecondsBetween(from: Expression, to: Expression, at: Expression): Expression {
  return binary(microsecondsSince(to, at), "-", microsecondsSince(from, at), typed(BIGINT, at));
}
