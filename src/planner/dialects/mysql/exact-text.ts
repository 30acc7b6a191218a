/**
 * Texts compared letter by letter. A column's own collation folds case, accents and blanks at the end, as most do, and what
 * it is nobody says; so every comparison is made in one that folds nothing, beside the plain one where an index may answer
 * that (docs/spec/language.md#text).
 */

import { refuseStructures, rejectUnknownType } from "../../lowering/comparable.ts";
import { patternOf } from "../../lowering/patterns/like-patterns.ts";
import { columnsAsKeys } from "../../lowering/queries/keys.ts";
import {
  caseOf,
  type ExactTexts,
  inListOf,
  isLiteral,
  isText,
  mayUseIndex,
  nullIfBy,
} from "../../lowering/texts/text-equality.ts";
import { uuidInOrder } from "../../lowering/uuids.ts";
import { binary, call, exactName, logical } from "../../syntax/build.ts";
import type { Binary, Call, Case, Expression, InList, InQuery, Like, Row, SetOperation } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";

/** Printed as the collation of code points of either engine (`print.ts`). */
export const CODE_POINTS = "code points";

/** The text in the collation that folds nothing; what it is compared with follows it. */
export function exact(operand: Expression): Expression {
  if (!isText(operand) || operand.kind === "collate") return operand;
  const { span } = operand;
  return { kind: "collate", operand, collation: [exactName(CODE_POINTS, span)], span, type: TEXT };
}

/** The key that rows are distinguished by. */
export function textKey(expression: Expression): Expression {
  // A position, of a constant (`binding/select.ts`).
  if (expression.kind === "number") return expression;
  rejectUnknownType(expression);
  return isLiteral(expression) ? expression : exact(expression);
}

/** Texts are sorted as the source sorts them. */
export function sortKey(expression: Expression): Expression {
  refuseStructures(expression);
  return uuidInOrder(expression);
}

/**
 * The columns of a set operation must have one collation there, and nobody says what those of tables are. A computed text is
 * said in the one that folds nothing, which wins over a column's own.
 */
export function oneCollation(node: SetOperation): SetOperation {
  const computed = (item: Expression): Expression =>
    isText(item) && item.kind !== "bound" && !isLiteral(item) ? exact(item) : item;
  const [left, right] = [columnsAsKeys(node.left, computed), columnsAsKeys(node.right, computed)];
  return left === node.left && right === node.right ? node : { ...node, left, right };
}

/** Both sides, one of them exact where they are texts; rows element by element. */
function exactSides(left: Expression, right: Expression): readonly [Expression, Expression] {
  for (const side of [left, right]) if (side.kind !== "row") rejectUnknownType(side);
  if (left.kind === "row" && right.kind === "row") {
    const pairs = left.elements.map((each, index) => exactSides(each, right.elements[index] ?? each));
    return [
      withElements(
        left,
        pairs.map(([each]) => each),
      ),
      withElements(
        right,
        pairs.map(([, each]) => each),
      ),
    ];
  }
  if (!isText(left) && !isText(right)) {
    const [first = left, second = right] = MIXED_NUMBERS.together([left, right]);
    return [first, second];
  }
  if (isLiteral(left)) return [left, exact(right)];
  return [exact(left), isLiteral(right) ? right : exact(right)];
}

function withElements(row: Row, elements: readonly Expression[]): Row {
  return { ...row, elements };
}

/** `a = b` and its kin. */
export function equality(node: Binary): Expression | undefined {
  const [left, right] = exactSides(node.left, node.right);
  if (left === node.left && right === node.right) return undefined;
  const same: Binary = { ...node, left, right };
  const areTexts = isText(node.left) || isText(node.right);
  if (!areTexts || node.operator !== "=" || !mayUseIndex(node.left, node.right)) return same;
  return logical("and", [node, same], node);
}

/** `a < b` is in the order of the source's collation (docs/spec/language.md); what cannot be compared is refused. */
export function inequality(node: Binary): Expression | undefined {
  for (const side of [node.left, node.right]) if (side.kind !== "row") rejectUnknownType(side);
  const [left = node.left, right = node.right] = MIXED_NUMBERS.together([node.left, node.right]);
  return left === node.left && right === node.right ? undefined : { ...node, left, right };
}

export const compared = (node: Binary): Expression | undefined =>
  node.operator === "=" || node.operator === "<>" ? equality(node) : inequality(node);

/** MySQL's own operator is NULL-safe equality. */
export function distinctness(node: Binary): Expression {
  const [left, right] = exactSides(node.left, node.right);
  const same = binary(left, "is not distinct from", right, { span: node.span, type: BOOLEAN });
  return node.operator === "is not distinct from"
    ? same
    : { kind: "unary", operator: "not", operand: same, span: node.span, type: BOOLEAN };
}

export function inList(node: InList): Expression | undefined {
  const { operand, list } = node;
  if (operand.kind === "row") {
    const parts = list.map((each) => binary(operand, "=", each, { span: each.span, type: BOOLEAN }));
    const any = logical(
      "or",
      parts.map((each) => equality(each) ?? each),
      node,
    );
    return node.negated ? { kind: "unary", operator: "not", operand: any, span: node.span, type: BOOLEAN } : any;
  }
  const [value = operand, ...values] = MIXED_NUMBERS.together([operand, ...list]);
  return inListOf({ ...node, operand: value, list: values }, EXACT) ?? { ...node, operand: value, list: values };
}

export function inQuery(asked: InQuery): Expression {
  const node = MIXED_NUMBERS.among(asked);
  const { operand, query } = node;
  const key: Expression =
    operand.kind === "row" ? withElements(operand, operand.elements.map(textKey)) : textKey(operand);
  return { ...node, operand: key, query: { ...query, body: columnsAsKeys(query.body, textKey) } };
}

const EXACT: ExactTexts = { exact, keyOf: textKey };

export function exactCase(node: Case): Expression | undefined {
  const { operand, branches } = node;
  if (operand === undefined) return undefined;
  const [value, ...values] = MIXED_NUMBERS.together([operand, ...branches.map(({ when }) => when)]);
  const among = {
    ...node,
    operand: value,
    branches: branches.map((each, at) => ({ ...each, when: values[at] ?? each.when })),
  };
  return caseOf(among, EXACT) ?? among;
}

export const nullIf = (node: Call): Expression | undefined =>
  nullIfBy(node, (left, right) => binary(exact(left), "=", textKey(right), { span: node.span, type: BOOLEAN }));

/** LIKE and ILIKE; `similar` is a regular expression (`regular-expressions.ts`). */
export function like(node: Like): Expression {
  const folded = node.operator === "ilike";
  const lower = (value: Expression): Expression =>
    folded ? call("lower", [value], { span: value.span, type: TEXT }) : value;
  const { pattern, escape } = patternOf(node);
  const same: Like = {
    ...node,
    operator: "like",
    operand: exact(lower(node.operand)),
    pattern: lower(pattern),
    escape,
  };
  const isPrefix = pattern.kind === "string" && /^[^%_|]/.test(pattern.value);
  if (folded || node.negated || node.operand.kind !== "bound" || !isPrefix) return same;
  return logical("and", [{ ...node, pattern, escape }, same], node);
}
