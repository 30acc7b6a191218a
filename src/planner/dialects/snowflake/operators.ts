/** Rules for the operators on Snowflake (https://docs.snowflake.com/en/sql-reference/operators). */

import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { refuseTextsBesideReals } from "../../lowering/numbers/rounded-reals.ts";
import { equalBy, joinedSides, ofBits, sumOfSides } from "../../lowering/operator-sides.ts";
import { rowsCompared } from "../../lowering/queries/row-comparisons.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../lowering/rules.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { emptiness, holdsAll, shares } from "./arrays.ts";
import { REALS, textOf } from "./casts.ts";
import { product, quotient, remainder, wholeQuotient } from "./decimals.ts";
import { member, memberText, path, pathText, refuseStructures } from "./json.ts";
import { joinedOperands } from "./made-arrays.ts";
import { matching } from "./regular-expressions.ts";
import { asInstant, timeSum } from "./zones.ts";

const sum = sumOfSides(timeSum);

/** An instant beside what clocks show is compared in UTC. */
export function toInstants(sides: readonly Expression[]): readonly Expression[] {
  if (!sides.some(isZoned)) return sides;
  return sides.map((side) => (["date", "timestamp"].includes(typeOrUnknown(side).kind) ? asInstant(side) : side));
}

function comparison(node: Binary): Expression | undefined {
  const { left, right } = node;
  const found = emptiness(node);
  if (found !== undefined) return found;
  refuseTextsBesideReals([left, right]);
  refuseStructures(left, right);
  if (left.kind === "row" && right.kind === "row") {
    return rowsCompared(node, left, right, (each) => comparison(each) ?? each);
  }
  if (left.kind === "row" || right.kind === "row") {
    throw unsupported("a comparison of a row with a subquery", node.span, "Compare column by column.");
  }
  const [a = left, b = right] = toInstants([left, right]);
  return a === left && b === right ? undefined : { ...node, left: a, right: b };
}

export const equal = equalBy(comparison);

/** Two reals give a real. */
const ofReals =
  (rule: (node: Binary) => Expression | undefined) =>
  (node: Binary): Expression | undefined => {
    const found = rule(node);
    return isReal(node.type) ? REALS.rounded(found ?? node) : found;
  };

export const snowflakeOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    "+": ofReals(sum),
    "-": ofReals(sum),
    "*": ofReals(product),
    "/": ofReals(quotient),
    "//": (node) => wholeQuotient(node.left, node.right, inPlaceOf(node)),
    "%": remainder,
    "^": (node) => call("power", [asDouble(node.left), asDouble(node.right)], inPlaceOf(node)),
    "||": joinedSides(textOf, joinedOperands),
    "&": ofBits("bitand"),
    "|": ofBits("bitor"),
    "#": ofBits("bitxor"),
    "^@": (node) => call("startswith", [node.left, node.right], inPlaceOf(node)),
    ...patternRules(matching),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "@>": (node) => holdsAll(node, node.left, node.right),
    "<@": (node) => holdsAll(node, node.right, node.left),
    "&&": shares,
    ...comparisonRules(comparison),
  });
