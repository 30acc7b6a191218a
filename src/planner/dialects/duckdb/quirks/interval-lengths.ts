/**
 * Intervals whose parts have different signs. DuckDB compares them part by part: `2 days - 1 hour` is more than `47:30:00`. Seen on
 * 1.4.4; reported for 1.5.4 as https://github.com/duckdb/duckdb/issues/24631, mended after that by
 * https://github.com/duckdb/duckdb/pull/24704. PostgreSQL compares their lengths, a month being thirty days, which `epoch_us` gives.
 */
import { unsupported } from "../../../diagnostics.ts";
import { intervalParts } from "../../../intervals.ts";
import { call, inPlaceOf, withArguments } from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { BIGINT } from "../../../types.ts";

/** Whether `value` is an interval whose parts may have different signs. */
export function mayBeMixed(value: Expression): boolean {
  if (value.type?.kind !== "interval") return false;
  const parts = value.kind === "interval" ? intervalParts(value) : undefined;
  if (parts === undefined) return value.kind !== "null" && !isDifference(value);
  const signs = [parts.months, parts.days, Number(parts.microseconds)].map(Math.sign);
  return signs.includes(1) && signs.includes(-1);
}

const isOneSign = (value: Expression): boolean => value.type?.kind === "interval" && !mayBeMixed(value);

/** The parts of a difference of times have one sign, and so have its multiples and those of a constant. */
function isDifference(value: Expression): boolean {
  if (value.kind === "cast" || value.kind === "unary") return isDifference(value.operand) || isOneSign(value.operand);
  if (value.kind !== "binary") return false;
  const lengths = [value.left, value.right].filter((side) => side.type?.kind === "interval");
  if (value.operator === "-") return lengths.length === 0;
  // A number times an interval.
  return (value.operator === "*" || value.operator === "/") && lengths.every(isOneSign);
}

/** `coalesce(nullif(to_microseconds(epoch_us(i)), i), i)`: of intervals of one length DuckDB takes those of one sign for equal. */
export function keyOfInterval(value: Expression): Expression {
  const at = inPlaceOf(value);
  const inOneUnit = call("to_microseconds", [lengthOf(value)], at);
  return call("coalesce", [call("nullif", [inOneUnit, value], at), value], at);
}

export function refuseMixed(node: Call): Call {
  const mixed = node.arguments.find((argument) => mayBeMixed(argument.value));
  if (mixed === undefined) return node;
  throw unsupported(
    `${node.name[0]?.name ?? ""} of intervals`,
    mixed.value.span,
    "Compare them in CASE, or take the difference of two timestamps.",
  );
}

/** The key that an interval is compared by; other values are compared unchanged. */
export function lengthOf(value: Expression): Expression {
  return value.type?.kind === "interval" ? call("epoch_us", [value], { span: value.span, type: BIGINT }) : value;
}

/** `min` and `max` of intervals by their lengths. */
export function extremeByLength(name: "arg_min" | "arg_max"): (node: Call) => Expression {
  return (node) => {
    const [value] = node.arguments.map((argument) => argument.value);
    if (value === undefined || !mayBeMixed(value)) return node;
    const [identifier] = node.name;
    const by = withArguments(node, [value, lengthOf(value)]);
    return { ...by, distinct: false, name: [{ quoted: false, span: node.span, ...identifier, name }] };
  };
}
