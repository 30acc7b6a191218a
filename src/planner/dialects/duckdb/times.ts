import { unsupported } from "../../diagnostics.ts";
import { binary, call, cases, cast, inPlaceOf, interval, logical, type Place, typed } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Expression } from "../../syntax/tree.ts";
import {
  BIGINT,
  BOOLEAN,
  INTEGER,
  INTERVAL,
  type SqlType,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeOrUnknown,
} from "../../types.ts";
import { refuseEndless } from "./endless.ts";
import { mayBeMixed } from "./interval-lengths.ts";
import { minutesOfAbbreviation } from "./zone-abbreviations.ts";

/** `+` and `-` of a date, a time or an interval; `undefined` for what DuckDB says the same way. */
export function lowerTimeArithmetic(node: Binary): Expression | undefined {
  const [a, b] = [typeOrUnknown(node.left), typeOrUnknown(node.right)];
  const { operator, span } = node;
  if (operator === "-" && a.kind !== "interval" && b.kind !== "interval") refuseEndless([node.left, node.right]);
  const asTimestamp = (value: Expression): Expression => cast(value, "timestamp", { span, type: TIMESTAMP });
  if (a.kind === "time" && b.kind === "time") {
    const micros = (value: Expression): Expression => call("epoch_us", [value], { span, type: BIGINT });
    return call(
      "to_microseconds",
      [binary(micros(node.left), "-", micros(node.right), { span, type: BIGINT })],
      typed(INTERVAL, node),
    );
  }
  const zoned = inUtc(node, [a, b]);
  if (zoned !== undefined) return zoned;
  if (a.kind === "timestamp" && b.kind === "time") return { ...node, right: asInterval(node.right) };
  if (a.kind === "time" && b.kind === "timestamp") return { ...node, left: asInterval(node.left) };
  if (a.kind === "date" && b.kind === "time" && operator === "-")
    return { ...node, left: asTimestamp(node.left), right: asInterval(node.right) };
  if (a.kind === "date" && b.kind === "timestamp" && operator === "-") return { ...node, left: asTimestamp(node.left) };
  if (a.kind === "timestamp" && b.kind === "date" && operator === "-")
    return { ...node, right: asTimestamp(node.right) };
  if (a.kind === "date" && b.kind === "integer") return { ...node, right: asDays(node.right) };
  if (a.kind === "integer" && b.kind === "date") return { ...node, left: asDays(node.left) };
  return undefined;
}

/** DuckDB adds months to a zoned timestamp last where the interval has a negative rest; to one without a zone it adds them first. */
function inUtc(node: Binary, [a, b]: readonly [SqlType, SqlType]): Expression | undefined {
  const isZoned = (type: SqlType): boolean => type.kind === "timestamp" && type.zoned;
  const clock = (value: Expression): Expression => timeInUtc(value, { span: value.span, type: TIMESTAMP });
  const type = TIMESTAMP;
  if (isZoned(a) && mayBeMixed(node.right))
    return instantOfUtc({ ...node, left: clock(node.left), type }, inPlaceOf(node));
  if (isZoned(b) && mayBeMixed(node.left))
    return instantOfUtc({ ...node, right: clock(node.right), type }, inPlaceOf(node));
  return undefined;
}

function asInterval(time: Expression): Expression {
  const { span } = time;
  return call("to_microseconds", [call("epoch_us", [time], { span, type: BIGINT })], { span, type: INTERVAL });
}

/** PostgreSQL counts the days between two dates in 32 bits. DuckDB counts them in 64, and adds those to no date. */
function asDays(days: Expression): Expression {
  if (days.kind === "number" || days.kind === "cast") return days;
  return cast(days, "integer", { span: days.span, type: INTEGER });
}

/**
 * The local time in UTC at an instant. Plans ask for that zone, in which the cast is what AT TIME ZONE is, and which alone an
 * engine has that has no zones.
 */
export function timeInUtc(instant: Expression, at: Place): Expression {
  return cast(instant, "timestamp", at);
}

/** The other way. */
export function instantOfUtc(clock: Expression, at: Place): Expression {
  return cast(clock, "timestamptz", at);
}

/** DuckDB takes a zone by its name only, and a time of day in UTC. */
export function lowerAtTimeZone(written: AtTimeZone): Expression | undefined {
  const node = withOffset(written);
  const { operand, zone, span } = node;
  const type = typeOrUnknown(operand);
  if (typeOrUnknown(zone).kind === "interval") {
    if (type.kind !== "timestamp") throw unsupported("an interval as the zone of this", zone.span, "Name the zone.");
    const at = { span, type: node.type ?? TIMESTAMP };
    // East of UTC clocks are ahead.
    if (type.zoned) return binary(timeInUtc(operand, at), "+", zone, inPlaceOf(node));
    return instantOfUtc(binary(operand, "-", zone, { span, type: TIMESTAMP }), at);
  }
  const isUtc = zone.kind === "string" && /^UTC$/i.test(zone.value);
  if (type.kind === "date") {
    // A day begins in the session's zone.
    const start = cast(operand, "timestamptz", { span, type: TIMESTAMPTZ });
    return isUtc ? timeInUtc(start, inPlaceOf(node)) : { ...node, operand: start };
  }
  if (type.kind === "timestamp" && isUtc) {
    return type.zoned ? timeInUtc(operand, inPlaceOf(node)) : instantOfUtc(operand, inPlaceOf(node));
  }
  if (type.kind !== "time") return node === written ? undefined : node;
  if (zone.kind === "string" && /^(UTC|GMT|Z)$/i.test(zone.value))
    return cast(operand, "time with time zone", inPlaceOf(node));
  throw unsupported("the zone of a time of day", zone.span, "Use a timestamp, or the zone 'UTC'.");
}

/** An abbreviation of a zone as the offset that it means. */
function withOffset(node: AtTimeZone): AtTimeZone {
  const { zone } = node;
  const minutes = zone.kind === "string" ? minutesOfAbbreviation(zone.value) : undefined;
  const isTime = typeOrUnknown(node.operand).kind === "timestamp";
  return minutes === undefined || minutes === 0 || !isTime
    ? node
    : { ...node, zone: interval(`${minutes} minutes`, zone) };
}

/** A period of two rows of (start, end) or (start, length), as PostgreSQL orders it: an end may be missing. */
interface Period {
  /** The earlier end, or the only one. */
  readonly low: Expression;
  /** The later end; NULL where one is missing. */
  readonly high: Expression;
}

/**
 * `(a, b) OVERLAPS (c, d)`. The periods are half-open, a moment holds itself, ends come in any order, and where one is
 * missing the other decides as far as it can.
 */
export function lowerOverlaps(node: Binary): Expression {
  const [one, other] = [periodOf(node.left), periodOf(node.right)];
  const at = { span: node.span, type: BOOLEAN };
  const less = (a: Expression, b: Expression): Expression => binary(a, "<", b, at);
  const either = (a: Expression, b: Expression): Expression => logical("or", [a, b], at);
  const isWhole = ({ low, high }: Period): Expression => binary(high, ">=", low, at);
  const reach = either(less(one.low, other.high), less(one.high, other.low));
  const reached = either(less(other.low, one.high), less(other.high, one.low));
  return cases(
    [
      { when: less(other.low, one.low), then: reach },
      { when: less(one.low, other.low), then: reached },
      { when: binary(one.low, "=", other.low, at), then: logical("and", [isWhole(one), isWhole(other)], at) },
    ],
    undefined,
    at,
  );
}

const MOMENTS: ReadonlySet<SqlType["kind"]> = new Set(["date", "timestamp", "time", "null"]);

function periodOf(side: Expression): Period {
  const [start, second] = side.kind === "row" ? side.elements : [];
  const kind = start && typeOrUnknown(start).kind;
  if (start === undefined || second === undefined || kind === undefined || !MOMENTS.has(kind)) {
    throw unsupported("OVERLAPS of this", side.span, "Write (start, end) of dates or timestamps on both sides.");
  }
  const { span } = side;
  const moved = (): Expression => {
    const sum = binary(start, "+", second, { span, type: kind === "date" ? TIMESTAMP : typeOrUnknown(start) });
    return lowerTimeArithmetic(sum) ?? sum;
  };
  const end = typeOrUnknown(second).kind === "interval" ? moved() : second;
  if (!MOMENTS.has(typeOrUnknown(end).kind)) {
    throw unsupported("OVERLAPS of this", end.span, "Write the end as a date, a timestamp or an interval.");
  }
  const at = { span, type: BOOLEAN };
  return {
    low: call("least", [start, end], { span, type: typeOrUnknown(end) }),
    high: cases(
      [
        { when: binary(start, "<=", end, at), then: end },
        { when: binary(end, "<", start, at), then: start },
      ],
      undefined,
      { span, type: typeOrUnknown(end) },
    ),
  };
}
