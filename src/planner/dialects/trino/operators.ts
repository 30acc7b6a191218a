/** Rules for the operators on Trino. Seen on Trino 476. */

import { containment, joined } from "../../lowering/arrays/arrays.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { comparisonOfSides, equalBy, joinedSides, ofBits, overlap, sumOfSides } from "../../lowering/operator-sides.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../lowering/rules.ts";
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

/** Rows with NULLs cannot be put in order on Trino. */
const comparison = comparisonOfSides(({ left, right }) => refuseJson(left, right));

function distinctness({ left, right }: Binary): undefined {
  refuseJson(left, right);
}

export const trinoOperators = (): Rules<Binary> =>
  operatorRules(["%"], {
    ...MOST_LACK_OPERATORS,
    "+": sum,
    "-": sum,
    "*": product,
    "/": quotient,
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "^": (node) => call("power", [asDouble(node.left), asDouble(node.right)], inPlaceOf(node)),
    "||": sides,
    "&": ofBits("bitwise_and"),
    "|": ofBits("bitwise_or"),
    "#": ofBits("bitwise_xor"),
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
