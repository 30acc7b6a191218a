/**
 * Intervals that DuckDB takes for one. It compares them by their length, a month being thirty days, and looks so for expressions
 * that occur twice: of `SELECT t + INTERVAL '1 month', t + INTERVAL '30 days' FROM (VALUES (TIMESTAMP '2024-01-31 00:00:00')) v(t)` it
 * computes the first alone, and so in WHERE and in a window. Seen on 1.4.4; not reported. Where a statement holds two that are of one
 * length and not the same, months are looked up in a subquery, which is no constant and equal to nothing else.
 */

import { type IntervalParts, intervalParts, parseInterval } from "../../../intervals.ts";
import { countStep } from "../../../plan-budget.ts";
import { queryOf, selectItem, selectOf } from "../../../syntax/build.ts";
import { mapCall, transformExpression, transformQuery } from "../../../syntax/rewrite.ts";
import type { Binary, Expression, Query } from "../../../syntax/tree.ts";
import { forEachChild, type SyntaxNode } from "../../../syntax/walk.ts";
import { INTERVAL } from "../../../types.ts";

/** Months as far as they are known, and the length with thirty days in each of them. */
interface Length {
  readonly months: number | undefined;
  readonly microseconds: number;
}

const DAY = 86_400_000_000;
const MONTH = 30 * DAY;

export function withDifferentIntervals(statement: Query): Query {
  if (!holdsEqualIntervals(statement)) return statement;
  const lookedUp = new Map<Expression, Expression>();
  return transformQuery(statement, {
    expression: (node) => {
      if (!isIntervalLiteral(node) || (lengthOf(node)?.months ?? 0) === 0) return node;
      const subquery = lookUp(node);
      lookedUp.set(subquery, node);
      return subquery;
    },
    // No subquery may stand among the arguments of a table function, and no other expression is looked for there.
    table: (table) => (table.kind === "function" ? { ...table, call: mapCall(table.call, restored) } : table),
  });

  function restored(argument: Expression): Expression {
    return transformExpression(argument, { expression: (node) => lookedUp.get(node) ?? node });
  }
}

function lookUp(literal: Expression): Expression {
  const query = queryOf(selectOf({ items: [selectItem(literal, undefined, literal)] }, literal));
  return { kind: "scalar-query", query, span: literal.span, type: INTERVAL };
}

function holdsEqualIntervals(statement: Query): boolean {
  const monthsByLength = new Map<number, number | undefined>();
  // Not by recursion: how deep a statement is, the printer says with a position.
  const nodes: SyntaxNode[] = [statement];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    forEachChild(node, (child) => nodes.push(child));
    const length = lengthOf(node);
    if (length === undefined) continue;
    const { months, microseconds } = length;
    const isKnown = monthsByLength.has(microseconds);
    if (isKnown && (months === undefined || monthsByLength.get(microseconds) !== months)) return true;
    monthsByLength.set(microseconds, months);
  }
  return false;
}

export const isIntervalLiteral = (node: SyntaxNode): boolean =>
  node.kind === "interval" ||
  (node.kind === "cast" && node.operand.kind === "string" && node.type?.kind === "interval");

/** The length of an interval that is a literal, or computed from literals and numbers alone. */
function lengthOf(node: SyntaxNode): Length | undefined {
  countStep();
  switch (node.kind) {
    case "interval":
      return lengthOfParts(intervalParts(node));
    case "cast":
      if (node.type?.kind !== "interval" || node.operand.kind !== "string") return undefined;
      return lengthOfParts(parseInterval(node.operand.value));
    case "unary": {
      const length = node.operator === "-" ? lengthOf(node.operand) : undefined;
      return length && times(length, -1);
    }
    case "binary":
      return lengthOfBinary(node);
    default:
      return undefined;
  }
}

function lengthOfParts(parts: IntervalParts | undefined): Length | undefined {
  if (parts === undefined) return undefined;
  const { months, days, microseconds } = parts;
  return { months, microseconds: months * MONTH + days * DAY + Number(microseconds) };
}

function lengthOfBinary({ operator, left, right, type }: Binary): Length | undefined {
  if (type?.kind !== "interval") return undefined;
  const [a, b] = [lengthOf(left), lengthOf(right)];
  if ((operator === "+" || operator === "-") && a !== undefined && b !== undefined) {
    const subtracted = operator === "+" ? b : times(b, -1);
    const months = a.months === undefined || subtracted.months === undefined ? undefined : a.months + subtracted.months;
    return { months, microseconds: a.microseconds + subtracted.microseconds };
  }
  const [length, factor] = a === undefined ? [b, numberOf(left)] : [a, numberOf(right)];
  if (length === undefined || factor === undefined) return undefined;
  if (operator === "*") return times(length, factor);
  return operator === "/" && b === undefined ? times(length, 1 / factor) : undefined;
}

/** A fraction of a month becomes days. */
function times({ months, microseconds }: Length, factor: number): Length {
  const isKnown = months === 0 || Number.isInteger(factor);
  return { months: isKnown && months !== undefined ? months * factor : undefined, microseconds: microseconds * factor };
}

/** Lowered, a number that is a factor is cast to a double. */
function numberOf(node: Expression): number | undefined {
  if (node.kind === "cast") return numberOf(node.operand);
  return node.kind === "number" ? Number(node.text) : undefined;
}
