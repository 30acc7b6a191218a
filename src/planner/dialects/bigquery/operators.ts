/** Rules for the operators on BigQuery. Seen on GoogleSQL's evaluator. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { refuseTextsBesideReals } from "../../lowering/numbers/rounded-reals.ts";
import { equalBy, joinedSides, ofBits, sumOfSides } from "../../lowering/operator-sides.ts";
import { rowsCompared } from "../../lowering/queries/row-comparisons.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../lowering/rules.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { call, cast, inPlaceOf, isNull, when } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { REALS, textOf } from "./casts.ts";
import { exactSides, product, quotient, remainder, wholeQuotient } from "./decimals.ts";
import { member, memberText, path, pathText } from "./json.ts";
import { matching } from "./regular-expressions.ts";
import { asInstant, timeSum } from "./zones.ts";

const sum = sumOfSides((node) => timeSum(node) ?? exactSides(node));

export function refuseUncompared(...sides: readonly Expression[]): void {
  for (const { type, span } of sides) {
    if (type?.kind === "json") throw unsupported("a comparison of json", span, "Compare texts: j ->> 'key'.");
    if (type?.kind === "array") throw unsupported("a comparison of arrays", span, "Compare their elements.");
  }
}

/** An instant beside what clocks show is compared in UTC. */
export function toInstants(sides: readonly Expression[]): readonly Expression[] {
  if (!sides.some(isZoned)) return sides;
  return sides.map((side) => (["date", "timestamp"].includes(typeOrUnknown(side).kind) ? asInstant(side) : side));
}

function comparison(node: Binary): Expression | undefined {
  const { left, right } = node;
  refuseTextsBesideReals([left, right]);
  refuseUncompared(left, right);
  if (left.kind === "row" && right.kind === "row") {
    return rowsCompared(node, left, right, (each) => comparison(each) ?? each);
  }
  if (left.kind === "null" || right.kind === "null") return besideNull(node);
  if (left.kind === "row" || right.kind === "row") {
    throw unsupported("a comparison of a row with a subquery", node.span, "Compare column by column.");
  }
  const [a = left, b = right] = toInstants([left, right]);
  return a === left && b === right ? undefined : { ...node, left: a, right: b };
}

/** A NULL that is written out is no operand there. */
function besideNull({ left, operator, right, span, ...node }: Binary): Expression {
  const other = left.kind === "null" ? right : left;
  if (operator.endsWith("distinct from")) return isNull(other, operator === "is distinct from");
  return cast({ kind: "null", span, type: BOOLEAN }, "boolean", inPlaceOf({ span, ...node }));
}

/** The result is unknown if the array is NULL. */
export function inArray(value: Expression, array: Expression, at: Expression): Expression {
  refuseUncompared(value);
  const found = call("in array", [value, array], inPlaceOf(at));
  return isNullable(array) ? when(isNull(array, true), found, undefined, inPlaceOf(at)) : found;
}

const NO_SETS = { refused: "an array in another", hint: "Use x = ANY (a) for each element." };

/** Two reals give a real. */
const ofReals =
  (rule: (node: Binary) => Expression | undefined) =>
  (node: Binary): Expression | undefined => {
    const found = rule(node);
    return isReal(node.type) ? REALS.rounded(found ?? node) : found;
  };

export const bigqueryOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    "+": ofReals(sum),
    "-": ofReals(sum),
    "*": ofReals(product),
    "/": ofReals(quotient),
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "%": remainder,
    "^": (node) => call("pow", [asDouble(node.left), asDouble(node.right)], inPlaceOf(node)),
    "||": joinedSides(textOf),
    "&": ofBits(),
    "|": ofBits(),
    "#": ofBits(),
    "^@": (node) => call("starts_with", [node.left, node.right], inPlaceOf(node)),
    ...patternRules(matching),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "@>": NO_SETS,
    "<@": NO_SETS,
    "&&": NO_SETS,
    ...comparisonRules(comparison),
  });

export const equal = equalBy(comparison);
