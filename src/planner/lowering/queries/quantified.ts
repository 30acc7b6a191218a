/**
 * ANY and ALL for targets without arrays, where texts are compared by exact keys: equality compares exact-text keys, and ordering
 * uses the source's collation, as everywhere (docs/spec/language.md#text, text order).
 */

import { unsupported } from "../../diagnostics.ts";
import { comparison, logical } from "../../syntax/build.ts";
import { isComparison } from "../../syntax/comparisons.ts";
import type { Binary, ComparisonOperator, Expression, Quantified } from "../../syntax/tree.ts";
import { BOOLEAN } from "../../types.ts";
import { rejectUnknownType } from "../comparable.ts";
import { columnsAsKeys, type KeyOf } from "./keys.ts";

/** How a target distinguishes texts, and compares them. */
export interface Comparisons {
  readonly keyOf: KeyOf;
  /** `undefined`: unchanged. */
  readonly compare: (node: Binary) => Expression | undefined;
}

/** Keeps a query, and expands a list to separate comparisons. Throws UNSUPPORTED_ON_SOURCE. */
export function quantifiedWithoutArrays(node: Quantified, { keyOf, compare }: Comparisons): Expression {
  const { operand, operator, quantifier, query, array, span } = node;
  if (!isComparison(operator)) throw unsupported(`${operator} ANY`, span);
  const isEquality = operator === "=" || operator === "<>";
  if (operand.kind !== "row") rejectUnknownType(operand);
  if (query !== undefined) {
    if (!isEquality) return node;
    return { ...node, operand: keyOf(operand), query: { ...query, body: columnsAsKeys(query.body, keyOf) } };
  }
  if (array?.kind !== "array" || array.written !== undefined) {
    throw unsupported("ANY or ALL of an array", span, "Use IN (…) with the values.");
  }
  const parts = array.elements.map((element) => {
    if (element.kind !== "row") rejectUnknownType(element);
    const compared = comparison(operand, operator as ComparisonOperator, element, node);
    return compare(compared) ?? compared;
  });
  if (parts.length === 0) return { kind: "boolean", value: quantifier === "all", span, type: BOOLEAN };
  return logical(quantifier === "any" ? "or" : "and", parts, node);
}
