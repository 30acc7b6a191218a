/** Rules of operators that Spark, Trino, BigQuery and Snowflake share, by the kinds of their sides. */
import { isNullable } from "../binding/nullability.ts";
import { unsupported } from "../diagnostics.ts";
import { binary, call, comparison, inPlaceOf, integer, typed } from "../syntax/build.ts";
import type { Binary, Call, Expression } from "../syntax/tree.ts";
import { BIGINT, BOOLEAN, NULL_TYPE, typeOrUnknown } from "../types.ts";
import { arrayOf } from "./numbers/named-casts.ts";
import { rowsCompared } from "./queries/row-comparisons.ts";

type Rewrite = (node: Binary) => Expression | undefined;

export const kindsOf = ({ left, right }: Binary): readonly string[] =>
  [left, right].map((side) => typeOrUnknown(side).kind);

/** `+` and `-`, which change no JSON on these targets. */
export const sumOfSides =
  (sum: Rewrite): Rewrite =>
  (node) => {
    if (kindsOf(node).includes("json")) throw unsupported("json without a member", node.span);
    return sum(node);
  };

/** `||` of texts and bytes; `ofArrays` joins arrays where the target can. */
export const joinedSides =
  (textOf: (value: Expression, at: Expression) => Expression, ofArrays?: Rewrite): Rewrite =>
  (node) => {
    const kinds = kindsOf(node);
    if (kinds.includes("array")) {
      if (ofArrays !== undefined) return ofArrays(node);
      throw unsupported("|| of arrays", node.span);
    }
    if (kinds.includes("json")) throw unsupported("|| of json", node.span);
    if (kinds.includes("binary")) return undefined;
    return { ...node, left: textOf(node.left, node.left), right: textOf(node.right, node.right) };
  };

/** A comparison of two rows is one of their members; `refuse` checks both sides, and `otherwise` compares values. */
export function comparisonOfSides(refuse: (node: Binary) => void, otherwise: Rewrite = () => undefined): Rewrite {
  const comparison: Rewrite = (node) => {
    const { left, right } = node;
    refuse(node);
    if (left.kind === "row" && right.kind === "row") {
      return rowsCompared(node, left, right, (each) => comparison(each) ?? each);
    }
    if (left.kind === "row" || right.kind === "row") {
      throw unsupported("a comparison of a row with a subquery", node.span, "Compare column by column.");
    }
    return otherwise(node);
  };
  return comparison;
}

export const equalBy =
  (comparison: Rewrite) =>
  (left: Expression, right: Expression, at: Expression): Expression => {
    const node = binary(left, "=", right, typed(BOOLEAN, at));
    return comparison(node) ?? node;
  };

/** Operators of bits, by functions of these names or as they are. */
export const ofBits =
  (name?: string): Rewrite =>
  (node) => {
    if (kindsOf(node).some((kind) => kind !== "integer")) {
      throw unsupported(`operator ${node.operator} over this`, node.span);
    }
    return name === undefined ? undefined : call(name, [node.left, node.right], inPlaceOf(node));
  };

/** `^@`, by the target's rule for `starts_with`. */
export const startingWith =
  (startsWith: (node: Call) => Expression): Rewrite =>
  (node) =>
    startsWith(call("starts_with", [node.left, node.right], inPlaceOf(node)));

/** Types whose values are equal to the same ones on every target; decimals may have several lengths, and doubles a NaN. */
const COMPARED = new Set(["text", "integer", "boolean", "date", "timestamp", "uuid", "null"]);

/**
 * `&&`: whether the arrays have a common element. NULLs never match, but `arrays_overlap` is NULL beside them, so the common elements
 * are counted, without the NULL that both may have.
 */
export function overlap(node: Binary): Expression {
  const { left, right } = node;
  const elements = [left, right].map((side) => {
    const type = typeOrUnknown(side);
    return type.kind === "array" ? type.element : undefined;
  });
  if (elements.includes(undefined)) throw unsupported("operator && over this", node.span);
  const hasNoNulls = (side: Expression): boolean => side.kind === "array" && !side.elements.some(isNullable);
  const isFlat = elements.every((element) => element?.kind !== "array");
  if (isFlat && hasNoNulls(left) && hasNoNulls(right)) return call("arrays_overlap", [left, right], inPlaceOf(node));
  if (!elements.every((element) => COMPARED.has(element?.kind ?? ""))) {
    throw unsupported("whether arrays overlap", node.span);
  }
  const own = typeOrUnknown(left);
  const common = call("array_intersect", [left, right], typed(own, node));
  const nothing = arrayOf(own, node, [{ kind: "null", span: node.span, type: NULL_TYPE }]);
  const found =
    hasNoNulls(left) || hasNoNulls(right) ? common : call("array_except", [common, nothing], typed(own, node));
  const count = call("cardinality", [found], typed(BIGINT, node));
  return comparison(count, ">", integer(0, node), node);
}
