/** Rules for the operators on Spark. Seen on Spark 4.0.1. */

import { unsupported } from "../../diagnostics.ts";
import { containment, joined } from "../../lowering/arrays.ts";
import { asDouble } from "../../lowering/long-decimals.ts";
import { rowsCompared } from "../../lowering/row-comparisons.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../lowering/rules.ts";
import { binary, call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { textOf } from "./casts.ts";
import { product, quotient, wholeQuotient } from "./decimals.ts";
import { member, memberText, path, pathText, refuseJson } from "./json.ts";
import { matching } from "./regular-expressions.ts";
import { timeSum } from "./times.ts";

const kinds = ({ left, right }: Binary): readonly string[] => [left, right].map((side) => typeOrUnknown(side).kind);

function sum(node: Binary): Expression | undefined {
  if (kinds(node).includes("json")) throw unsupported("json without a member", node.span);
  return timeSum(node);
}

function joinedSides(node: Binary): Expression | undefined {
  const both = kinds(node);
  if (both.includes("array")) return joined(node.left, node.right, node);
  if (both.includes("json")) throw unsupported("|| of json", node.span);
  if (both.includes("binary")) return undefined;
  return { ...node, left: textOf(node.left, node.left), right: textOf(node.right, node.right) };
}

function ofBits(node: Binary): undefined {
  if (kinds(node).some((kind) => kind !== "integer"))
    throw unsupported(`operator ${node.operator} over this`, node.span);
}

function comparison(node: Binary): Expression | undefined {
  const { left, right } = node;
  refuseJson(left, right);
  if (kinds(node).includes("interval")) throw unsupported("a comparison of intervals", node.span, "Compare the dates.");
  if (left.kind === "row" && right.kind === "row")
    return rowsCompared(node, left, right, (each) => comparison(each) ?? each);
  if (left.kind === "row" || right.kind === "row") {
    throw unsupported("a comparison of a row with a subquery", node.span, "Compare column by column.");
  }
  return undefined;
}

function distinctness(node: Binary): undefined {
  refuseJson(node.left, node.right);
}

function overlap(node: Binary): Expression {
  if (kinds(node).some((kind) => kind !== "array")) throw unsupported("operator && over this", node.span);
  // Arrays with NULLs would make it unknown.
  const isKnown = (side: Expression): boolean =>
    side.kind === "array" && side.elements.every((each) => each.kind !== "null");
  if (!isKnown(node.left) || !isKnown(node.right)) {
    throw unsupported("whether arrays overlap", node.span, "Write 'a' = ANY (x) OR 'b' = ANY (x).");
  }
  return call("arrays_overlap", [node.left, node.right], inPlaceOf(node));
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
    "||": joinedSides,
    "&": ofBits,
    "|": ofBits,
    "#": ofBits,
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

export const equal = (left: Expression, right: Expression, at: Expression): Expression => {
  const node = binary(left, "=", right, { span: at.span, type: { kind: "boolean" } });
  return comparison(node) ?? node;
};
