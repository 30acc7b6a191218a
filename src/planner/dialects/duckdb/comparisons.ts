/** Comparisons that DuckDB decides otherwise: over rows with NULLs, and over decimals that it computes as doubles. */
import { isInexactDecimal, nearestDigits } from "../../lowering/inexact.ts";
import { unsupported } from "../../lowering/target.ts";
import { binary, isNull, not } from "../../syntax/build.ts";
import type { Between, Binary, BinaryOperator, Expression, InList, InQuery, Is, Row, Span } from "../../syntax/tree.ts";
import { BOOLEAN } from "../../types.ts";
import { refuseJson } from "./json.ts";

/** A quotient or average of decimals is compared by its digits: `0.7 / 7 = 0.1` holds, and does not for doubles. */
export function lowerComparison(node: Binary): Expression | undefined {
  const { left, right, operator } = node;
  if (left.kind === "row" && right.kind === "row" && !operator.startsWith("is "))
    return rowsCompared(node, left, right);
  refuseJson(left);
  refuseJson(right);
  if (!isInexactDecimal(left) && !isInexactDecimal(right)) return undefined;
  return { ...node, left: nearestDigits(left), right: nearestDigits(right) };
}

/** Element by element, from the left: DuckDB takes NULL for a value that equals itself and exceeds all others. */
function rowsCompared(node: Binary, left: Row, right: Row): Expression {
  const { operator, span } = node;
  const pairs = left.elements.map((element, index) => [element, right.elements[index] ?? element] as const);
  const compared = (each: BinaryOperator, [a, b]: readonly [Expression, Expression]): Expression => {
    const comparison = binary(a, each, b, { span, type: BOOLEAN });
    return lowerComparison(comparison) ?? comparison;
  };
  if (operator === "=" || operator === "<>") {
    return joined(
      operator === "=" ? "and" : "or",
      pairs.map((pair) => compared(operator, pair)),
      span,
    );
  }
  const strict: BinaryOperator = operator === "<=" ? "<" : operator === ">=" ? ">" : operator;
  // a < x OR a = x AND (b < y OR b = y AND …)
  return (
    pairs.reduceRight<Expression | undefined>((rest, pair) => {
      if (rest === undefined) return compared(operator, pair);
      return joined("or", [compared(strict, pair), joined("and", [compared("=", pair), rest], span)], span);
    }, undefined) ?? node
  );
}

function joined(operator: "and" | "or", operands: readonly Expression[], span: Span): Expression {
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return only;
  return { kind: "logical", operator, operands, span, type: BOOLEAN };
}

/** Without SYMMETRIC, which DuckDB does not know. */
export function lowerBetween(node: Between): Expression | undefined {
  const { operand, low, high, span } = node;
  if (node.symmetric) {
    const range = (from: Expression, to: Expression): Expression => {
      const plain: Between = { ...node, low: from, high: to, symmetric: false, negated: false };
      return lowerBetween(plain) ?? plain;
    };
    const either = joined("or", [range(low, high), range(high, low)], span);
    return node.negated ? not(either) : either;
  }
  if (![operand, low, high].some(isInexactDecimal)) return undefined;
  return { ...node, operand: nearestDigits(operand), low: nearestDigits(low), high: nearestDigits(high) };
}

export function lowerInList(node: InList): Expression | undefined {
  const { operand, list, span } = node;
  if (operand.kind === "row") {
    const equal = list.map((item) => {
      const comparison = binary(operand, "=", item, { span, type: BOOLEAN });
      return lowerComparison(comparison) ?? comparison;
    });
    const any = joined("or", equal, span);
    return node.negated ? not(any) : any;
  }
  for (const each of [operand, ...list]) refuseJson(each);
  if (![operand, ...list].some(isInexactDecimal)) return undefined;
  return { ...node, operand: nearestDigits(operand), list: list.map(nearestDigits) };
}

/** A row IS NULL when all of it is, and IS NOT NULL when none of it is. */
export function lowerIs(node: Is): Expression | undefined {
  const { operand, negated, span } = node;
  if (operand.kind !== "row" || node.test !== "null") return undefined;
  return joined(
    "and",
    operand.elements.map((element) => isNull(element, negated)),
    span,
  );
}

/** Rows with a NULL in them are left out whatever the other elements say. */
export function refuseRowNotInQuery(node: InQuery): undefined {
  if (!node.negated || node.operand.kind !== "row") return;
  throw unsupported("NOT IN of a row", node.span, "Write NOT EXISTS with the comparisons you need.");
}
