/**
 * Quotients and averages of decimals, which DuckDB computes as doubles, where two of them meet: sums and differences are
 * taken of their digits, for in a difference the error of a double may be all that is left (0.7 / 7 - 0.1 is not 0),
 * and what is compared is compared by them (docs/decisions/0043-quotients.md).
 */
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { columnsAsKeys } from "../../lowering/queries/keys.ts";
import { cast, inPlaceOf, values, withArguments } from "../../syntax/build.ts";
import type { Binary, Call, Case, Expression, InQuery, Quantified } from "../../syntax/tree.ts";
import { refuseJson } from "./json.ts";
import { lengthOf } from "./quirks/interval-lengths.ts";
import { exactDigits, nearestDigits } from "./significant-digits.ts";

/** Digits after the point of a sum, which leaves 18 before it: what is larger is an error. */
const SCALE = 20;

/** Sums as they are before they become doubles, so that a chain of them is one. */
const EXACT_SUMS = new WeakMap<Expression, Expression>();

/** `a + b`, `a - b` by the digits of both; `undefined` where DuckDB computes with decimals anyway. */
export function sumOfDigits(node: Binary): Expression | undefined {
  if (node.type?.kind !== "decimal") return undefined;
  if (!isInexactDecimal(node.left) && !isInexactDecimal(node.right)) return undefined;
  const sum = { ...node, left: addend(node.left), right: addend(node.right) };
  const result = cast(sum, "double precision", inPlaceOf(node));
  EXACT_SUMS.set(result, sum);
  return result;
}

function addend(expression: Expression): Expression {
  const sum = EXACT_SUMS.get(expression);
  if (sum !== undefined) return sum;
  if (isInexactDecimal(expression)) return exactDigits(expression, SCALE);
  return cast(expression, "numeric", { span: expression.span, type: { kind: "decimal" } }, [38, SCALE]);
}

/** `CASE x WHEN y` compares. */
export function nearestCase(node: Case): Case {
  const { operand, branches } = node;
  if (operand !== undefined) refuseJson(operand);
  if (operand === undefined || ![operand, ...branches.map((each) => each.when)].some(isInexactDecimal)) return node;
  return {
    ...node,
    operand: nearestDigits(operand),
    branches: branches.map((each) => ({ ...each, when: nearestDigits(each.when) })),
  };
}

/** Functions that compare their arguments. */
export function nearestArguments(node: Call): Call {
  const before = values(node);
  return before.some(isInexactDecimal) ? withArguments(node, before.map(nearestDigits)) : node;
}

const comparedBy = (value: Expression): Expression =>
  value.type?.kind === "interval" ? lengthOf(value) : nearestDigits(value);

export function nearestInQuery(node: InQuery): InQuery {
  refuseJson(node.operand);
  const operand: Expression =
    node.operand.kind === "row"
      ? { ...node.operand, elements: node.operand.elements.map(comparedBy) }
      : comparedBy(node.operand);
  return { ...node, operand, query: { ...node.query, body: columnsAsKeys(node.query.body, comparedBy) } };
}

export function nearestQuantified(node: Quantified): Quantified {
  const { operand, query, array } = node;
  refuseJson(operand);
  return {
    ...node,
    operand: comparedBy(operand),
    query: query && { ...query, body: columnsAsKeys(query.body, comparedBy) },
    array: array?.kind === "array" ? { ...array, elements: array.elements.map(comparedBy) } : array,
  };
}
