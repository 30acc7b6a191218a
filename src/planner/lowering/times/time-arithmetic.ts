/**
 * Dates, times and intervals for targets without an interval type: a number of units is added. The targets render these internal
 * calls: `date_add` of a time and an interval, and `datediff` of the later and the earlier day.
 */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { binary, call, cast, inPlaceOf, integer } from "../../syntax/build.ts";
import type { Binary, Expression, IntervalLiteral, IntervalUnit } from "../../syntax/tree.ts";
import { BIGINT, DATE, INTERVAL, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { isSpelled, noValue, spelled } from "../templates/template.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";

export const isDay = (value: Expression): boolean => typeOrUnknown(value).kind === "date";
export const isDateOrTimestamp = (value: Expression): boolean =>
  ["date", "timestamp"].includes(typeOrUnknown(value).kind);
const isTime = (value: Expression): boolean =>
  ["date", "timestamp", "time", "interval"].includes(typeOrUnknown(value).kind);

const TIME_BETWEEN = noValue({
  refused: UNSUPPORTED.intervals.refused,
  hint: "Use date_diff('day', a, b), or extract(epoch FROM a - b).",
});

/** A difference of two times, whose ends `endsOf` gives. */
export const timeBetween = (from: Expression, to: Expression, node: Binary): Expression =>
  spelled(TIME_BETWEEN, [from, to], node);

/** The earlier and the later end of a difference of two times. */
export function endsOf(node: Expression): readonly [from: Expression, to: Expression] | undefined {
  const [from, to] = isSpelled(node, TIME_BETWEEN) ? node.parts : [];
  return from && to && [from, to];
}

/** `+` and `-` with a date, a time or an interval on one side; `undefined` for numbers. */
export function timeArithmetic(node: Binary): Expression | undefined {
  const { left, right, operator } = node;
  if (!isTime(left) && !isTime(right)) return undefined;
  const [a, b] = [typeOrUnknown(left).kind, typeOrUnknown(right).kind];
  if (operator === "+" && a === "interval" && b !== "interval")
    return timeArithmetic({ ...node, left: right, right: left });
  if (operator === "+" && a === "integer" && b === "date") return plusDays(right, left, "+", node);
  if (a === "date" && b === "integer") return plusDays(left, right, operator, node);
  if (b === "interval" && isDateOrTimestamp(left)) return shifted(left, right, operator === "-", node);
  if (operator === "-" && a === "date" && b === "date") return call("datediff", [left, right], inPlaceOf(node));
  if (operator === "-" && isDateOrTimestamp(left) && isDateOrTimestamp(right)) return timeBetween(right, left, node);
  throw unsupported(`${a} ${operator} ${b}`, node.span, "Use dates or timestamps, and intervals written as literals.");
}

function plusDays(day: Expression, count: Expression, operator: string, node: Binary): Expression {
  const days = operator === "-" ? negated(count) : count;
  return call("date_add", [day, step(days, "day")], { span: node.span, type: DATE });
}

export const negated = (count: Expression): Expression => ({
  kind: "unary",
  operator: "-",
  operand: count,
  span: count.span,
  type: typeOrUnknown(count),
});

export function step(value: Expression, unit: IntervalUnit): IntervalLiteral {
  return { kind: "interval", value, unit, toUnit: undefined, span: value.span, type: INTERVAL };
}

/** Adds months first, then days, then the time, as PostgreSQL does; a date becomes its midnight. */
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

/** A computed number of units, which must be an integer. */
function countOf({ value, unit = "day", span }: IntervalLiteral): readonly [Expression, IntervalUnit] {
  if (!["integer", "null"].includes(typeOrUnknown(value).kind)) {
    throw unsupported("an interval of a computed fraction", span, "Use an integer of a smaller unit.");
  }
  if (unit !== "millisecond") return [value, unit];
  return [binary(value, "*", integer(1000, value), { span, type: BIGINT }), "microsecond"];
}

/** `n * INTERVAL '1 day'`: multiplies the interval's only unit. */
export function intervalFactor(node: Binary): Expression | undefined {
  const { left, right } = node;
  const [interval, factor] = left.kind === "interval" ? [left, right] : [right, left];
  if (interval.kind !== "interval") return undefined;
  const parts = intervalParts(interval);
  const single = parts && unitOf(parts);
  if (node.operator !== "*" || single === undefined || typeOrUnknown(factor).kind !== "integer") {
    throw unsupported("multiplying a compound interval", node.span, "Multiply an interval of one unit by an integer.");
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
