/**
 * Compares texts exactly where a source's collations fold case, accents or blanks: each side becomes an exact key, in addition to
 * the plain comparison if an index may answer that (docs/spec/language.md#text).
 */
import { binary, inPlaceOf, logical, not, typed, when } from "../../syntax/build.ts";
import type { Between, Call, Case, Expression, InList } from "../../syntax/tree.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";
import { rejectUnknownType } from "../comparable.ts";

/** How a target makes an exact key of a text. */
export interface ExactTexts {
  readonly exact: (operand: Expression) => Expression;
  /** The key of the other operand: a literal may adopt the collation of the first. */
  readonly keyOf: (operand: Expression) => Expression;
}

export const isText = (expression: Expression): boolean => typeOrUnknown(expression).kind === "text";

/** Literals take the collation of the other side. */
export const isLiteral = ({ kind }: Expression): boolean => kind === "string" || kind === "null";

/**
 * A column compared with a literal or a column, for which an index or a join may be used. If the plain comparison is not true,
 * the exact one is not true either.
 */
export function mayUseIndex(left: Expression, right: Expression): boolean {
  const isColumn = ({ kind }: Expression): boolean => kind === "bound";
  return (isColumn(left) && (isColumn(right) || isLiteral(right))) || (isLiteral(left) && isColumn(right));
}

/** `x IN (…)` of values that are not rows. */
export function inListOf(node: InList, { exact, keyOf }: ExactTexts): Expression | undefined {
  const { operand, list } = node;
  rejectUnknownType(operand);
  if (!isText(operand) && !list.some(isText)) return undefined;
  const same: InList = { ...node, operand: exact(operand), list: list.map(keyOf) };
  if (node.negated || operand.kind !== "bound" || !list.every(isLiteral)) return same;
  return logical("and", [node, same], node);
}

/** `CASE x WHEN …`. */
export function caseOf(node: Case, { exact, keyOf }: ExactTexts): Expression | undefined {
  const { operand, branches } = node;
  if (operand === undefined) return undefined;
  rejectUnknownType(operand);
  if (!isText(operand) && !branches.some((each) => isText(each.when))) return undefined;
  return {
    ...node,
    operand: exact(operand),
    branches: branches.map((each) => ({ ...each, when: keyOf(each.when) })),
  };
}

/** NULLIF, by the comparison that distinguishes texts. */
export function nullIfBy(
  node: Call,
  equal: (left: Expression, right: Expression) => Expression,
): Expression | undefined {
  const [first, second] = node.arguments.map(({ value }) => value);
  if (first === undefined || second === undefined || !(isText(first) || isText(second))) return undefined;
  const none: Expression = { kind: "null", span: node.span, type: typeOrUnknown(node) };
  return when(equal(first, second), none, first, inPlaceOf(node));
}

/** `x BETWEEN SYMMETRIC a AND b`: between the two in either order. */
export function symmetricAsRanges(node: Between): Expression | undefined {
  if (!node.symmetric) return undefined;
  const { operand, low, high } = node;
  const at = typed(BOOLEAN, node);
  const between = (from: Expression, to: Expression): Expression =>
    logical("and", [binary(operand, ">=", from, at), binary(operand, "<=", to, at)], node);
  const found = logical("or", [between(low, high), between(high, low)], node);
  return node.negated ? not(found) : found;
}
