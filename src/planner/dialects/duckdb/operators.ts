/** Rules for the operators on DuckDB. Measured on DuckDB 1.4.5. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { re2Test } from "../../lowering/patterns/regular-expressions.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { binary, call, cast, inPlaceOf, not, text } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BOOLEAN, isUnknown, type SqlType, typeOrUnknown } from "../../types.ts";
import { lowerArrayJoin, lowerContainment } from "./arrays.ts";
import { lowerComparison } from "./comparisons.ts";
import { alignedRemainder } from "./decimals.ts";
import { inFullWidth } from "./integers.ts";
import { lowerIntervalFactor } from "./intervals.ts";
import { elementsOf, hasKey, hasKeys, jsonStep, lowerJsonPath } from "./json.ts";
import { jsonContainment } from "./json-constants.ts";
import { joinedJson, withoutMembers } from "./json-edits.ts";
import { textWithin } from "./json-texts.ts";
import { sumOfDigits } from "./quotients.ts";
import { re2Options } from "./regular-expression-options.ts";
import { lowerOverlaps, lowerTimeArithmetic } from "./times.ts";

const sidesOf = ({ left, right }: Binary): readonly [SqlType, SqlType] => [typeOrUnknown(left), typeOrUnknown(right)];

// --------------------------------------------------------------------------------------------------------- numbers

/** PostgreSQL shifts by the count modulo the bits of the number. */
function shifted(node: Binary): Expression | undefined {
  const { left, right } = node;
  const bits = left.type?.kind === "integer" ? BigInt(Math.max(32, left.type.bits)) : undefined;
  const sign = right.kind === "unary" && right.operator === "-" ? -1n : 1n;
  const literal = right.kind === "unary" ? right.operand : right;
  if (bits === undefined || literal.kind !== "number" || !/^\d+$/.test(literal.text)) return undefined;
  const count = BigInt.asUintN(64, BigInt(literal.text) * sign) % bits;
  return { ...node, right: { ...literal, text: String(count) } };
}

/** `/` is never integer division in DuckDB, so the types must be known. */
function quotient(node: Binary): Expression | undefined {
  const [a, b] = sidesOf(node);
  if (a.kind === "integer" && b.kind === "integer") return { ...node, operator: "//" };
  if (isUnknown(a) || isUnknown(b)) {
    throw unsupported(
      "a division whose types are unknown",
      node.span,
      "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.",
    );
  }
  return lowerIntervalFactor(node);
}

function wholeQuotient(node: Binary): Expression | undefined {
  const [a, b] = sidesOf(node);
  if (a.kind === "integer" && b.kind === "integer") return undefined;
  return call("trunc", [binary(node.left, "/", node.right, inPlaceOf(node))], inPlaceOf(node));
}

function sum(node: Binary): Expression | undefined {
  if (typeOrUnknown(node.left).kind === "json") return withoutMembers(node);
  return lowerTimeArithmetic(node) ?? sumOfDigits(node) ?? inFullWidth(node);
}

// ----------------------------------------------------------------------------------------------------------- texts

/** DuckDB's `~` matches the whole text; ours, as PostgreSQL's, any part of it. */
const matches =
  (flags: string, negated: boolean) =>
  (node: Binary): Expression => {
    const options = text(re2Options(flags) ?? "", node);
    const found = call("regexp_matches", [node.left, re2Test(node.right), options], {
      span: node.span,
      type: BOOLEAN,
    });
    return negated ? not(found) : found;
  };

function joined(node: Binary): Expression | undefined {
  if (typeOrUnknown(node).kind === "json") return joinedJson(node);
  const [a, b] = sidesOf(node);
  if (a.kind === "array" || b.kind === "array") return lowerArrayJoin(node, a, b);
  if (typeOrUnknown(node).kind !== "text" || ![node.left, node.right].some(isFolded)) return undefined;
  const folded = cast(node, "text", inPlaceOf(node));
  FOLDED.add(folded);
  return folded;
}

/**
 * DuckDB makes a NULL without a type of what it finds to be one beforehand, and a column of it is of integers. What has been
 * joined is known: each part of a chain is looked at once.
 */
function isFolded(side: Expression): boolean {
  if (FOLDED.has(side)) return true;
  if (side.kind === "binary" && side.operator === "||") return false;
  return someExpression(side, (each) => isNullable(each) && !someExpression(each, isOfRows));
}

const FOLDED = new WeakSet<Expression>();

/** Values that no statement knows beforehand. */
const isOfRows = ({ kind }: Expression): boolean =>
  ["bound", "column", "opaque", "scalar-query", "in-query", "session"].includes(kind);

// ------------------------------------------------------------------------------------------------- JSON and arrays

function member(node: Binary): Expression {
  return jsonStep(elementsOf(node.left, node.right), node.right, "json_extract", inPlaceOf(node));
}

function memberText(node: Binary): Expression {
  const document = elementsOf(node.left, node.right);
  return textWithin(typeOrUnknown(node.left), (name, at) => jsonStep(document, node.right, name, at), node);
}

const containment =
  (contained: "left" | "right") =>
  (node: Binary): Expression | undefined => {
    const [a, b] = sidesOf(node);
    if (a.kind === "array" || b.kind === "array") return lowerContainment(node, node[contained]);
    if (a.kind === "json" || b.kind === "json") return jsonContainment(node);
    throw unsupported(`operator ${node.operator} over ${a.kind}`, node.span);
  };

function overlap(node: Binary): undefined {
  const [a, b] = sidesOf(node);
  if (a.kind !== "array" && b.kind !== "array")
    throw unsupported(`operator ${node.operator} over ${a.kind}`, node.span);
}

/** A function of these two arguments. */
const named =
  (name: string) =>
  (node: Binary): Expression =>
    call(name, [node.left, node.right], inPlaceOf(node));

export const duckdbOperators = (): Rules<Binary> =>
  operatorRules(["& |"], {
    "<<": shifted,
    ">>": shifted,
    "+": sum,
    "-": sum,
    "*": (node) => lowerIntervalFactor(node) ?? inFullWidth(node),
    "/": quotient,
    "//": wholeQuotient,
    "%": alignedRemainder,
    "^": named("power"),
    "#": named("xor"),
    "||": joined,
    "^@": named("starts_with"),
    ...patternRules(matches),
    "->": member,
    "->>": memberText,
    "#>": lowerJsonPath,
    "#>>": lowerJsonPath,
    "#-": UNSUPPORTED.jsonRemoval,
    "?": hasKey,
    "?|": hasKeys,
    "?&": hasKeys,
    "@>": containment("right"),
    "<@": containment("left"),
    "&&": overlap,
    overlaps: lowerOverlaps,
    ...comparisonRules(lowerComparison),
  });
