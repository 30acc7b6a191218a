import { unsupported } from "../../diagnostics.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { binary, cast, inPlaceOf, interval, type Place } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER, INTERVAL, type SqlType, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";
import { refuseEndless } from "./endless.ts";
import { mayBeMixed } from "./quirks/interval-lengths.ts";
import { minutesOfAbbreviation } from "./zone-abbreviations.ts";

const BETWEEN_CLOCKS = sql("to_microseconds(epoch_us($1) - epoch_us($2))", { type: INTERVAL });
const SINCE_MIDNIGHT = sql("to_microseconds(epoch_us($1))", { type: INTERVAL });

/** `+` and `-` of a date, a time or an interval; `undefined` for what DuckDB says the same way. */
export function lowerTimeArithmetic(node: Binary): Expression | undefined {
  const [a, b] = [typeOrUnknown(node.left), typeOrUnknown(node.right)];
  const { operator, span } = node;
  if (operator === "-" && a.kind !== "interval" && b.kind !== "interval") refuseEndless([node.left, node.right]);
  const asTimestamp = (value: Expression): Expression => cast(value, "timestamp", { span, type: TIMESTAMP });
  if (a.kind === "time" && b.kind === "time") return spelled(BETWEEN_CLOCKS, [node.left, node.right], node);
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

const asInterval = (time: Expression): Expression => spelled(SINCE_MIDNIGHT, [time], time);

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
 * `(a, b) OVERLAPS (c, d)` over the low and the high end of both periods. The periods are half-open, a moment holds itself, ends come
 * in any order, and where one is missing the other decides as far as it can.
 */
const OVERLAPS = sql(
  `CASE WHEN $3 < $1 THEN $1 < $4 OR $2 < $3 WHEN $1 < $3 THEN $3 < $2 OR $4 < $1
    WHEN $1 = $3 THEN $2 >= $1 AND $4 >= $3 END`,
  { type: BOOLEAN },
);

export function lowerOverlaps({ left, right, span }: Binary): Expression {
  const [one, other] = [periodOf(left), periodOf(right)];
  return spelled(OVERLAPS, [one.low, one.high, other.low, other.high], { span });
}

const LOW = sql("least($1, $2)");
const HIGH = sql("CASE WHEN $1 <= $2 THEN $2 WHEN $2 < $1 THEN $1 END");

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
  const ends = [start, end];
  return { low: spelled(LOW, ends, inPlaceOf(end)), high: spelled(HIGH, ends, inPlaceOf(end)) };
}
