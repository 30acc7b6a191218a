/**
 * Comparisons with a date that the target cannot hold, such as `infinity`, or 9999-12-31 on ClickHouse: every date of the target is
 * before it. `day <= coalesce(ends, 'infinity')`, which asks for a period without an end, becomes
 * `coalesce(day <= ends, CASE WHEN day IS NOT NULL THEN TRUE END)`.
 */
import { isNullable } from "../../binding/nullability.ts";
import { functionName } from "../../functions/calls.ts";
import { call, comparison, inPlaceOf, isNull, logical, not, typed, values, when } from "../../syntax/build.ts";
import { FLIPPED, isComparison } from "../../syntax/comparisons.ts";
import type { Between, Binary, ComparisonOperator, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";

/** The first and the last year of all dates that a target can hold; it has no `infinity`. */
export interface FiniteDates {
  readonly first: number;
  readonly last: number;
}

/** No infinite dates, and all years that a literal can name. */
export const EVERY_YEAR: FiniteDates = { first: 0, last: 9999 };

/** The bound expression itself if it compares with no such date. */
export function withoutFarDates(node: Expression, dates: FiniteDates | undefined): Expression {
  if (dates === undefined) return node;
  if (node.kind === "binary") return nearComparison(node, dates) ?? node;
  return node.kind === "between" ? (nearBetween(node, dates) ?? node) : node;
}

function nearComparison(node: Binary, dates: FiniteDates): Expression | undefined {
  const { left, operator, right } = node;
  if (!isComparison(operator)) return undefined;
  return compared(left, operator, right, node, dates) ?? compared(right, FLIPPED[operator], left, node, dates);
}

/** `day BETWEEN begins AND coalesce(ends, 'infinity')` as two comparisons. */
function nearBetween(node: Between, dates: FiniteDates): Expression | undefined {
  const { operand, low, high, symmetric, negated } = node;
  if (symmetric || !isShort(operand)) return undefined;
  const [above, below] = [compared(operand, ">=", low, node, dates), compared(operand, "<=", high, node, dates)];
  if (above === undefined && below === undefined) return undefined;
  const both = logical(
    "and",
    [above ?? comparison(operand, ">=", low, node), below ?? comparison(operand, "<=", high, node)],
    node,
  );
  return negated ? not(both) : both;
}

function compared(
  value: Expression,
  operator: ComparisonOperator,
  other: Expression,
  node: Expression,
  dates: FiniteDates,
): Expression | undefined {
  if (!isDate(value) || !isShort(value) || sideOf(value, dates) !== undefined) return undefined;
  const side = sideOf(other, dates);
  if (side !== undefined) return settled(value, operator, side, node);
  if (other.kind !== "call" || functionName(other) !== "coalesce") return undefined;
  const options = values(other);
  const last = options.at(-1);
  const end = last && sideOf(last, dates);
  const [first, ...more] = options.slice(0, -1);
  if (end === undefined || first === undefined) return undefined;
  const known = more.length === 0 ? first : call("coalesce", [first, ...more], inPlaceOf(first));
  return call(
    "coalesce",
    [comparison(value, operator, known, node), settled(value, operator, end, node)],
    typed(BOOLEAN, node),
  );
}

/** The same for every value but NULL. */
function settled(
  value: Expression,
  operator: ComparisonOperator,
  side: "before" | "after",
  node: Expression,
): Expression {
  const holds = operator === "<>" || operator.startsWith(side === "after" ? "<" : ">");
  const truth: Expression = { kind: "boolean", value: holds, span: node.span, type: BOOLEAN };
  if (!isNullable(value)) return truth;
  return when(isNull(value, true), truth, undefined, typed(BOOLEAN, node));
}

/** Where a literal is if no date of the target is equal to it. */
function sideOf(node: Expression, { first, last }: FiniteDates): "before" | "after" | undefined {
  const text =
    node.kind === "typed"
      ? node.value
      : node.kind === "cast" && node.operand.kind === "string"
        ? node.operand.value
        : undefined;
  if (text === undefined || !isDate(node)) return undefined;
  const [, sign, endless, year] = /^\s*([+-]?)(?:(infinity)|(\d{4})-)/i.exec(text) ?? [];
  if (endless !== undefined) return sign === "-" ? "before" : "after";
  if (year === undefined) return undefined;
  if (Number(year) > last) return "after";
  return Number(year) < first ? "before" : undefined;
}

function isDate(node: Expression): boolean {
  const { kind } = typeOrUnknown(node);
  return kind === "date" || kind === "timestamp";
}

/** Repeated without harm. */
const isShort = (node: Expression): boolean =>
  node.kind === "bound" ||
  node.kind === "typed" ||
  (node.kind === "cast" && (node.operand.kind === "bound" || node.operand.kind === "string"));
