/** Rules for the operators on Spark. Seen on Spark 4.0.1. */

import { unsupported } from "../../diagnostics.ts";
import { containment, joined } from "../../lowering/arrays/arrays.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import {
  comparisonOfSides,
  equalBy,
  joinedSides,
  kindsOf,
  ofBits,
  overlap,
  sumOfSides,
} from "../../lowering/operator-sides.ts";
import { comparisonRules, operatorRules, patternRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary } from "../../syntax/tree.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { textOf } from "./casts.ts";
import { product, quotient, wholeQuotient } from "./decimals.ts";
import { member, memberText, path, pathText, refuseJson } from "./json.ts";
import { matching } from "./regular-expressions.ts";
import { timeSum } from "./times.ts";

const sum = sumOfSides(timeSum);
const sides = joinedSides(textOf, (node) => joined(node.left, node.right, node));

const comparison = comparisonOfSides((node) => {
  refuseJson(node.left, node.right);
  if (kindsOf(node).includes("interval")) {
    throw unsupported("a comparison of intervals", node.span, "Compare the dates.");
  }
});

function distinctness({ left, right }: Binary): undefined {
  refuseJson(left, right);
}

export const sparkOperators = (): Rules<Binary> =>
  operatorRules(["%"], {
    ...MOST_LACK_OPERATORS,
    "+": sum,
    "-": sum,
    "*": product,
    "/": quotient,
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "^": (node) => call("power", [asDouble(node.left), asDouble(node.right)], inPlaceOf(node)),
    "||": sides,
    ...sameRule("& | #", ofBits()),
    "^@": (node) => call("starts_with", [node.left, node.right], inPlaceOf(node)),
    ...patternRules(matching),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "@>": (node) => containment(node, node.right, node.left),
    "<@": (node) => containment(node, node.left, node.right),
    "&&": overlap,
    ...comparisonRules(comparison, comparison, distinctness),
  });

export const equal = equalBy(comparison);
