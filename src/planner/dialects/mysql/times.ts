/** Dates, times and intervals. A timestamp is DATETIME or TIMESTAMP, which are alike in a session in UTC. */

import { type DateTime, isUtc, parseDateTime, parseTimeOfDay } from "../../datetimes.ts";
import { intervalParts } from "../../intervals.ts";
import { unsupported } from "../../lowering/target.ts";
import { binary, call, cast, inPlaceOf, integer, text, typeName, values } from "../../syntax/build.ts";
import type {
  AtTimeZone,
  Binary,
  Call,
  Expression,
  IntervalLiteral,
  IntervalUnit,
  TypedLiteral,
} from "../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, INTERVAL, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";

const isDay = (value: Expression): boolean => typeOrUnknown(value).kind === "date";
const isMoment = (value: Expression): boolean => ["date", "timestamp"].includes(typeOrUnknown(value).kind);
const isTime = (value: Expression): boolean =>
  ["date", "timestamp", "time", "interval"].includes(typeOrUnknown(value).kind);

/** `+` and `-` where a date, a time or an interval is one side; `undefined` for numbers. */
export function timeArithmetic(node: Binary): Expression | undefined {
  const { left, right, operator } = node;
  if (!isTime(left) && !isTime(right)) return undefined;
  const [a, b] = [typeOrUnknown(left).kind, typeOrUnknown(right).kind];
  if (operator === "+" && a === "interval" && b !== "interval")
    return timeArithmetic({ ...node, left: right, right: left });
  if (operator === "+" && a === "integer" && b === "date") return plusDays(right, left, "+", node);
  if (a === "date" && b === "integer") return plusDays(left, right, operator, node);
  if (b === "interval" && isMoment(left)) return shifted(left, right, operator === "-", node);
  if (operator === "-" && a === "date" && b === "date") return call("datediff", [left, right], inPlaceOf(node));
  if (operator === "-" && isMoment(left) && isMoment(right))
    return call("time between", [right, left], inPlaceOf(node));
  throw unsupported(`${a} ${operator} ${b}`, node.span, "Use dates or timestamps, and intervals written as literals.");
}

function plusDays(day: Expression, count: Expression, operator: string, node: Binary): Expression {
  const days = operator === "-" ? negated(count) : count;
  return call("date_add", [day, step(days, "day")], { span: node.span, type: DATE });
}

const negated = (count: Expression): Expression => ({
  kind: "unary",
  operator: "-",
  operand: count,
  span: count.span,
  type: typeOrUnknown(count),
});

function step(value: Expression, unit: IntervalUnit): IntervalLiteral {
  return { kind: "interval", value, unit, toUnit: undefined, span: value.span, type: INTERVAL };
}

/** Months first, then days, then the clock, as PostgreSQL adds them; of a day its midnight. */
function shifted(base: Expression, interval: Expression, isBack: boolean, node: Binary): Expression {
  if (interval.kind !== "interval") {
    throw unsupported(
      "an interval that is computed",
      interval.span,
      "Write it as a literal, or a number times a literal.",
    );
  }
  const at = { span: node.span, type: node.type ?? TIMESTAMP };
  const start = isDay(base) ? cast(base, "timestamp", at) : base;
  const sign = isBack ? -1 : 1;
  const parts = intervalParts(interval);
  if (parts === undefined) {
    const [count, unit] = countOf(interval);
    return call("date_add", [start, step(isBack ? negated(count) : count, unit)], at);
  }
  const { months, days, microseconds } = parts;
  const seconds = microseconds % 1_000_000n === 0n;
  const clock = Number(seconds ? microseconds / 1_000_000n : microseconds);
  const steps = [
    [months, "month"],
    [days, "day"],
    [clock, seconds ? "second" : "microsecond"],
  ] as const;
  return steps.reduce<Expression>(
    (moved, [amount, unit]) =>
      amount === 0 ? moved : call("date_add", [moved, step(integer(sign * amount, interval), unit)], at),
    start,
  );
}

/** A computed number of units, whole. */
function countOf({ value, unit = "day", span }: IntervalLiteral): readonly [Expression, IntervalUnit] {
  if (!["integer", "null"].includes(typeOrUnknown(value).kind)) {
    throw unsupported("an interval of a computed fraction", span, "Use a whole number of a smaller unit.");
  }
  if (unit !== "millisecond") return [value, unit];
  return [binary(value, "*", integer(1000, value), { span, type: BIGINT }), "microsecond"];
}

/** `n * INTERVAL '1 day'`: so many of its one unit. */
export function intervalFactor(node: Binary): Expression | undefined {
  const { left, right } = node;
  const [interval, factor] = left.kind === "interval" ? [left, right] : [right, left];
  if (interval.kind !== "interval") return undefined;
  const parts = intervalParts(interval);
  const single = parts && unitOf(parts);
  if (node.operator !== "*" || single === undefined || typeOrUnknown(factor).kind !== "integer") {
    throw unsupported("this of an interval", node.span, "Multiply an interval of one unit by a whole number.");
  }
  const [amount, unit] = single;
  const count = amount === 1 ? factor : binary(factor, "*", integer(amount, node), { span: node.span, type: BIGINT });
  return step(count, unit);
}

function unitOf({ months, days, microseconds }: NonNullable<ReturnType<typeof intervalParts>>) {
  if (microseconds === 0n && days === 0) return [months, "month"] as const;
  if (microseconds === 0n && months === 0) return [days, "day"] as const;
  if (months !== 0 || days !== 0) return undefined;
  if (microseconds % 1_000_000n === 0n) return [Number(microseconds / 1_000_000n), "second"] as const;
  return [Number(microseconds), "microsecond"] as const;
}

/** All sessions are in UTC, and names of other zones are in tables that a server need not have. */
export function atTimeZone({ operand, zone, span }: AtTimeZone): Expression {
  if (zone.kind === "string" && /^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) && isMoment(operand)) {
    return isDay(operand) ? cast(operand, "timestamp", { span, type: TIMESTAMP }) : operand;
  }
  throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
}

/** A literal as MySQL reads it: in one form, and in UTC. */
export function typedLiteral(node: TypedLiteral): TypedLiteral {
  const { kind } = typeOrUnknown(node);
  const read =
    kind === "time" ? parseTimeOfDay(node.value) : kind === "interval" ? undefined : parseDateTime(node.value);
  if (read === undefined || (kind !== "date" && kind !== "time" && kind !== "timestamp")) {
    throw unsupported(`this literal of type ${kind}`, node.span, "Write it as YYYY-MM-DD HH:MM:SS.");
  }
  if (!("date" in read)) return { ...node, typeName: typeName("time", node), value: read.time };
  if (kind === "date") return { ...node, typeName: typeName("date", node), value: read.day };
  return { ...node, typeName: typeName("timestamp", node), value: inUtc(read, node) };
}

function inUtc({ date, time = "00:00:00", zone }: DateTime, node: TypedLiteral): string {
  const type = typeOrUnknown(node);
  // Of a timestamp without one PostgreSQL does not read the zone.
  const minutes = type.kind === "timestamp" && type.zoned && zone !== undefined && !isUtc(zone) ? minutesOf(zone) : 0;
  if (minutes === undefined) {
    throw unsupported("the name of a time zone in a literal", node.span, "Write the offset: +02:00.");
  }
  const fraction = time.slice("00:00:00".length);
  const moment = new Date(`${date}T${time.slice(0, "00:00:00".length)}Z`);
  moment.setUTCMinutes(moment.getUTCMinutes() - minutes);
  return moment.toISOString().slice(0, "2000-01-01T00:00:00".length).replace("T", " ") + fraction;
}

function minutesOf(zone: string): number | undefined {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone) ?? [];
  if (hours === undefined) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Start of the unit as a timestamp; weeks begin on Monday. */
export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  if (unit?.kind !== "string" || value === undefined || !isMoment(value)) {
    throw unsupported(
      "date_trunc of this",
      node.span,
      "Write the unit as a literal, and truncate dates or timestamps.",
    );
  }
  return startOf(unit.value.toLowerCase().replace(/s$/, ""), value, node);
}

const FORMATS: Readonly<Record<string, string>> = {
  year: "%Y-01-01",
  month: "%Y-%m-01",
  day: "%Y-%m-%d",
  hour: "%Y-%m-%d %H:00:00",
  minute: "%Y-%m-%d %H:%i:00",
  second: "%Y-%m-%d %H:%i:%s",
};

/** That of `date_trunc`; of a part of `date_diff` it is no matter. */
const resultOf = (at: Expression): SqlType => (typeOrUnknown(at).kind === "timestamp" ? typeOrUnknown(at) : TIMESTAMP);

function startOf(unit: string, value: Expression, at: Expression): Expression {
  const { span } = at;
  const place = { span, type: TIMESTAMP };
  const asTimestamp = (of: Expression): Expression => cast(of, "timestamp", { span, type: resultOf(at) });
  const format = FORMATS[unit];
  if (format !== undefined) return asTimestamp(call("date_format", [value, text(format, at)], { span, type: TEXT }));
  if (unit === "microsecond") return isDay(value) ? asTimestamp(value) : value;
  const day = cast(value, "date", { span, type: DATE });
  if (unit === "week") {
    const weekday = call("weekday", [value], { span, type: INTEGER });
    return asTimestamp(call("date_add", [day, step(negated(weekday), "day")], place));
  }
  if (unit === "quarter") {
    const first = call("makedate", [call("year", [value], { span, type: INTEGER }), integer(1, at)], {
      span,
      type: DATE,
    });
    const quarters = binary(call("quarter", [value], { span, type: INTEGER }), "-", integer(1, at), {
      span,
      type: INTEGER,
    });
    return asTimestamp(call("date_add", [first, step(quarters, "quarter")], place));
  }
  throw unsupported(`date_trunc to ${unit}`, at.span, "Use year, quarter, month, week, day, hour, minute or second.");
}

/** Boundaries of the unit that are crossed from the first to the second. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (unit?.kind !== "string" || from === undefined || to === undefined || !isMoment(from) || !isMoment(to)) {
    throw unsupported("date_diff of this", node.span, "Write the unit as a literal, and compare dates or timestamps.");
  }
  const { span } = node;
  const name = unit.value.toLowerCase().replace(/s$/, "");
  const part = (field: string, of: Expression): Expression => call(field, [of], { span, type: INTEGER });
  const minus = (a: Expression, b: Expression): Expression => binary(a, "-", b, { span, type: BIGINT });
  const scaled = (of: Expression, perYear: number, field: string): Expression =>
    binary(binary(part("year", of), "*", integer(perYear, node), { span, type: BIGINT }), "+", part(field, of), {
      span,
      type: BIGINT,
    });
  switch (name) {
    case "year":
      return minus(part("year", to), part("year", from));
    case "quarter":
    case "month": {
      const perYear = name === "quarter" ? 4 : 12;
      return minus(scaled(to, perYear, name), scaled(from, perYear, name));
    }
    case "week": {
      const days = call("datediff", [startOf("week", to, to), startOf("week", from, from)], { span, type: BIGINT });
      return binary(days, "//", integer(7, node), { span, type: BIGINT });
    }
    case "day":
      return call("datediff", [to, from], inPlaceOf(node));
    case "hour":
    case "minute":
    case "second":
      return call(`${name}s between`, [startOf(name, from, from), startOf(name, to, to)], inPlaceOf(node));
    default:
      throw unsupported(
        `date_diff in ${name}s`,
        unit.span,
        "Use year, quarter, month, week, day, hour, minute or second.",
      );
  }
}

export const utcTimestamp = (node: Call): Expression => call("utc_timestamp", [integer(6, node)], inPlaceOf(node));

/** Years and months of it can be asked for (`fields.ts`). */
export function ageOf(node: Call): Expression {
  const [to, from] = values(node);
  if (to !== undefined && from !== undefined && isMoment(to) && isMoment(from)) {
    return call("age between", [from, to], inPlaceOf(node));
  }
  throw unsupported("this age", node.span, "Use date_diff('day', a, b).");
}
