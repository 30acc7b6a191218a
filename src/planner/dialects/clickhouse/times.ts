/** Dates and times. ClickHouse's `Date` begins in 1970 and silently stays within its years, so wider types compute. */

import { unsupported } from "../../lowering/target.ts";
import { timeArithmetic } from "../../lowering/time-arithmetic.ts";
import { typedLiteral } from "../../lowering/typed-literals.ts";
import { call, cast, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Extract, TypedLiteral } from "../../syntax/tree.ts";
import { BIGINT, TIMESTAMP, typeOrUnknown } from "../../types.ts";

const UNITS = "second minute hour day week month quarter year".split(" ");

const isTime = (node: Expression): boolean =>
  ["date", "time", "timestamp", "interval"].includes(typeOrUnknown(node).kind);

/** Of a date the midnight that begins it. */
export const moment = (node: Expression): Expression => cast(node, "timestamp", typed(TIMESTAMP, node));

/** The years that its types hold. */
export function literal(node: TypedLiteral): TypedLiteral {
  const read = typedLiteral(node);
  const year = Number(/^\d{4}/.exec(read.value)?.[0] ?? 0);
  if (typeOrUnknown(read).kind === "time") throw unsupported("a time of day", node.span);
  if (year < 1900 || year > 2299) throw unsupported(`the year ${year}`, node.span, "Dates are of 1900 to 2299 there.");
  return read;
}

export function timesOf(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (!isTime(left) && !isTime(right)) return undefined;
  return timeArithmetic(node);
}

export function truncated(node: Call): Expression {
  const [unit, value, ...others] = values(node);
  const name = unit?.kind === "string" ? unit.value.toLowerCase() : "";
  const kind = value && typeOrUnknown(value).kind;
  if (value === undefined || others.length > 0 || !UNITS.includes(name) || (kind !== "date" && kind !== "timestamp")) {
    throw unsupported("this date_trunc", node.span, "Truncate a date or timestamp to a second, minute, … or year.");
  }
  return moment(call(`start of ${name}`, [moment(value)], inPlaceOf(node)));
}

export function difference(node: Call): Expression {
  const [unit, from, to] = values(node);
  const name = unit?.kind === "string" ? unit.value.toLowerCase() : "";
  const areMoments = [from, to].every((each) => each && ["date", "timestamp"].includes(typeOrUnknown(each).kind));
  if (from === undefined || to === undefined || !areMoments || !UNITS.includes(name)) {
    throw unsupported("this date_diff", node.span, "Count seconds, minutes, … or years between dates or timestamps.");
  }
  return call("datediff", [text(name, node), moment(from), moment(to)], typed(BIGINT, node));
}

/** A function of a date or timestamp. */
export const part =
  (name: string) =>
  (node: Extract): Expression => {
    const { kind } = typeOrUnknown(node.operand);
    if (kind !== "date" && kind !== "timestamp") throw unsupported(`${node.field} of ${kind}`, node.span);
    return call(name, [moment(node.operand)], inPlaceOf(node));
  };
