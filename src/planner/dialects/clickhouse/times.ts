/**
 * Dates and times. ClickHouse's `Date` begins in 1970 and silently clamps to its range, so wider types are used for computations.
 */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { farShifts } from "../../lowering/times/shift-range.ts";
import { isDateOrTimestamp, isDay, timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { literalToEndOfDay } from "../../lowering/times/typed-literals.ts";
import { instantSql } from "../../lowering/times/zone-instants.ts";
import { call, cast, comparison, inPlaceOf, integer, isNull, text, typed, values } from "../../syntax/build.ts";
import type {
  AtTimeZone,
  Binary,
  Call,
  Expression,
  Extract,
  FrameBound,
  IntervalLiteral,
  Template,
  TypedLiteral,
  Window,
} from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DATE, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { isZoneName } from "../../zone-names.ts";
import { differenceOf } from "./differences.ts";
import { scaleOf } from "./numbers.ts";
import { orRaise } from "./raising.ts";
import { timeOfDayDifference } from "./times-of-day.ts";

const UNITS = "second minute hour day week month quarter year".split(" ");

const isTime = (node: Expression): boolean =>
  ["date", "time", "timestamp", "interval"].includes(typeOrUnknown(node).kind);

/** A date becomes its midnight. */
export const toTimestamp = (node: Expression): Expression => cast(node, "timestamp", typed(TIMESTAMP, node));

/** Checks the range of ClickHouse's types. */
export function literal(node: TypedLiteral): TypedLiteral {
  const read = literalToEndOfDay(node);
  const year = Number(/^\d{4}/.exec(read.value)?.[0] ?? 0);
  const type = typeOrUnknown(read);
  if (type.kind === "time" && !type.zoned) return read;
  if (type.kind === "time") throw unsupported("a time with a zone", node.span);
  if (year < 1900 || year > 2299)
    throw unsupported(`the year ${year}`, node.span, "ClickHouse's dates are of 1900 to 2299.");
  return read;
}

export function timesOf(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (!isTime(left) && !isTime(right)) return undefined;
  const found = timeOfDayDifference(node) ?? timeArithmetic(node);
  const difference = found && differenceOf(found, toTimestamp);
  if (difference !== undefined) return difference;
  const shifts = found && farShifts(found);
  if (found === undefined || shifts === undefined) return found;
  return shifts.steps.reduce(
    (base, step) => withinYears(call("date_add", [base, step], inPlaceOf(found)), base, step),
    shifts.base,
  );
}

/**
 * Beyond the range of a type ClickHouse returns, or shows, the type's last value: so the distance must equal the number of added
 * units. ClickHouse's dates continue beyond the range of their texts.
 */
function withinYears(shift: Call, base: Expression, { value, unit = "day" }: IntervalLiteral): Expression {
  const shown = (day: Expression): Expression => cast(cast(day, "text", typed(TEXT, day)), "date", typed(DATE, day));
  const end = isDay(base) ? shown(shift) : shift;
  const passed = call("datediff", [text(unit, shift), base, end], typed(BIGINT, shift));
  return orRaise(comparison(passed, "=", value, shift), shift, "A date or time beyond the years of its type");
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const START: ReadonlyMap<string, Template> = new Map(
  ["millisecond", ...UNITS].map((unit) => [
    unit,
    words(`toStartOf${capital(unit)}(${unit === "week" ? "$1, 1" : "$1"})`),
  ]),
);

/** Whether the value is the start of a month, quarter or year. */
export const isStartOfMonth = (value: Expression): boolean =>
  ["month", "quarter", "year"].some((unit) => value.kind === "spelled" && value.template === START.get(unit));

export function truncated(node: Call): Expression {
  const [unit, value, ...others] = values(node);
  const name = unit?.kind === "string" ? unit.value.toLowerCase() : "";
  const start = START.get(name);
  if (value === undefined || others.length > 0 || start === undefined || !isDateOrTimestamp(value)) {
    throw unsupported(
      "date_trunc with these arguments",
      node.span,
      "Truncate a date or timestamp to a second, minute, … or year.",
    );
  }
  return cast(spelled(start, [toTimestamp(value)], node), "timestamp", inPlaceOf(node));
}

export function difference(node: Call): Expression {
  const [unit, from, to] = values(node);
  const name = unit?.kind === "string" ? unit.value.toLowerCase() : "";
  if (
    from === undefined ||
    to === undefined ||
    !isDateOrTimestamp(from) ||
    !isDateOrTimestamp(to) ||
    !UNITS.includes(name)
  ) {
    throw unsupported(
      "date_diff with these arguments",
      node.span,
      "Count seconds, minutes, … or years between dates or timestamps.",
    );
  }
  return call("datediff", [text(name, node), toTimestamp(from), toTimestamp(to)], typed(BIGINT, node));
}

/** A function of a date or timestamp. */
export const part =
  (template: Template) =>
  (node: Extract): Expression => {
    const { operand } = node;
    const { kind } = typeOrUnknown(operand);
    if (kind !== "date" && kind !== "timestamp") throw unsupported(`${node.field} of ${kind}`, node.span);
    return spelled(template, [toTimestamp(operand)], node);
  };

const LOCAL_TIME = words("toDateTime64(toString(toTimeZone($1, $2)), 6, 'UTC')");

const OF_ZONE = words(
  instantSql({
    inZone: (time) => `toDateTime64(toString(toTimeZone(${time}, $2)), 6, 'UTC')`,
    days: (time, days) => `addDays(${time}, ${days})`,
    minus: (time, from, to) => `subtractSeconds(${time}, dateDiff('second', ${from}, ${to}))`,
  }),
);

/** At the ends of its years a type returns its last value for others. */
const IN_RANGE = words("$1 BETWEEN '1900-01-03 00:00:00' AND '2299-12-29 00:00:00'", { type: BOOLEAN });

/** Converts between a local time and its instant. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span } = node;
  const type = typeOrUnknown(operand);
  if (zone.kind !== "string" || !isZoneName(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("the time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
  }
  if (/^(UTC|GMT)$/.test(zone.value)) {
    const name = type.kind === "timestamp" && type.zoned ? "timestamp" : "timestamp with time zone";
    return cast(operand, name, inPlaceOf(node));
  }
  if (type.kind === "timestamp" && type.zoned) return spelled(LOCAL_TIME, [operand, zone], node);
  if (isDay(operand)) throw unsupported("a date at a time zone", span, "Cast it to a timestamp.");
  const inUtc = spelled(OF_ZONE, [toTimestamp(operand), zone], typed(TIMESTAMP, node));
  const checked = orRaise(spelled(IN_RANGE, [operand], node), inUtc, "A date or time beyond the years of its type");
  return cast(checked, "timestamp with time zone", inPlaceOf(node));
}

const OF_SECONDS = words("fromUnixTimestamp64Micro(multiply($1, 1000000), 'UTC')");
const OF_DECIMAL_SECONDS = words("fromUnixTimestamp64Micro(CAST(toDecimal256($1, 6) * 1000000 AS Int64), 'UTC')");

/** Seconds since 1970 as an instant. */
export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  const scale = seconds && scaleOf(seconds);
  if (seconds === undefined || scale === undefined || scale > 6) {
    throw unsupported("to_timestamp of this", node.span, "Give it an integer number of seconds.");
  }
  const isWhole = typeOrUnknown(seconds).kind === "integer";
  return spelled(isWhole ? OF_SECONDS : OF_DECIMAL_SECONDS, [seconds], node);
}

const INTEGER_KEY = words("ifNull(toInt64($1), 0)", { type: BIGINT, nulls: "unknown" });
const DAY_KEY = words("ifNull(toInt32($1), 0)", { type: BIGINT, nulls: "unknown" });
const TIME_KEY = words("ifNull(toUnixTimestamp64Micro($1), 0)", { type: BIGINT, nulls: "unknown" });

/** A distance between dates or times becomes one between their numbers: of days, or of microseconds. */
export function plainWindow(window: Window): Window {
  const { frame, orderBy } = window;
  const bounds = [frame?.start, frame?.end];
  if (frame?.unit !== "range" || !bounds.some((bound) => bound !== undefined && "offset" in bound)) return window;
  const [key] = orderBy;
  const isOfTimes = key !== undefined && isDateOrTimestamp(key.expression);
  const isOfNumbers = key !== undefined && typeOrUnknown(key.expression).kind === "integer";
  // A NULL would count as zero: it is apart from other values if no bound is unbounded.
  const hasNulls = key !== undefined && isNullable(key.expression);
  const isOpen = window.base !== undefined || bounds.some((bound) => bound?.kind.startsWith("unbounded"));
  if (key === undefined || (hasNulls && isOpen) || orderBy.length > 1 || (!isOfTimes && !isOfNumbers)) {
    throw unsupported("a RANGE frame with a distance", frame.span, "Join the table with itself on a range.");
  }
  const number = !isOfTimes ? INTEGER_KEY : isDay(key.expression) ? DAY_KEY : TIME_KEY;
  const expression = spelled(number, [key.expression], key.expression);
  const bound = (each: FrameBound): FrameBound =>
    "offset" in each ? { ...each, offset: distance(each.offset, key.expression) } : each;
  return {
    ...window,
    partitionBy: hasNulls ? [...window.partitionBy, isNull(key.expression, false)] : window.partitionBy,
    orderBy: [{ ...key, expression }],
    frame: { ...frame, start: bound(frame.start), end: frame.end && bound(frame.end) },
  };
}

function distance(offset: Expression, key: Expression): Expression {
  if (offset.kind === "number" && /^\d+$/.test(offset.text)) return offset;
  const parts = offset.kind === "interval" && isDateOrTimestamp(key) ? intervalParts(offset) : undefined;
  const isWhole = parts !== undefined && parts.months === 0 && parts.days >= 0 && parts.microseconds >= 0n;
  if (!isWhole || (isDay(key) && parts.microseconds !== 0n)) {
    throw unsupported("the distance of a RANGE frame", offset.span, "Write a number of days or seconds.");
  }
  if (isDay(key)) return integer(parts.days, offset);
  const size = BigInt(parts.days) * 86_400_000_000n + parts.microseconds;
  if (size >= 2n ** 31n) throw unsupported("a RANGE frame of more than half an hour", offset.span, "Use days.");
  return { kind: "number", text: String(size), span: offset.span, type: BIGINT };
}
