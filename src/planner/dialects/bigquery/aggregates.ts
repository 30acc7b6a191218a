/** Aggregates that BigQuery lacks, or has with other results. What is looked up in an order is collected in it. */
import { isNullable } from "../../binding/nullability.ts";
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { percentileArguments } from "../../lowering/numbers/percentiles.ts";
import { call, inPlaceOf, text, typed, values, when, withArguments } from "../../syntax/build.ts";
import type { Call, Expression, SortItem } from "../../syntax/tree.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

/** Values that are NULL are left out, so their own key needs no place for NULLs; DISTINCT would refuse one. */
function sortKeys(node: Call, value: Expression): readonly SortItem[] {
  return node.orderBy.filter(
    ({ expression }) => !(expression.kind === "is" && sameExpression(expression.operand, value)),
  );
}

/** The texts are sorted by other values than they are made of, where those are no texts. */
function refuseOtherOrder(node: Call, value: Expression): void {
  if (!node.distinct || sortKeys(node, value).every(({ expression }) => sameExpression(expression, value))) return;
  throw unsupported("DISTINCT beside an order by something else", node.span, "Make the rows distinct in a subquery.");
}

export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined) return node;
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  refuseOtherOrder(node, value);
  const shown = textOf(value, value);
  if (node.distinct && shown !== value && node.orderBy.length > 0) {
    throw unsupported("DISTINCT texts in the order of other values", node.span, "Cast them in a subquery.");
  }
  return { ...withArguments(node, [shown, separator]), orderBy: sortKeys(node, value) };
}

/** NULL where nothing was collected, as `string_agg`; NULLs are skipped (docs/spec/language.md). */
export function gathered(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (typeOrUnknown(value).kind === "array") throw unsupported("an array of arrays", node.span);
  if (node.over !== undefined) throw unsupported("array_agg over a window", node.span);
  refuseOtherOrder(node, value);
  return { ...node, nulls: "ignore", orderBy: sortKeys(node, value) };
}

/** Its own may be a NULL. */
export function anyValue(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (node.over !== undefined) throw unsupported("any_value over a window", node.span, "Use min or max.");
  return isNullable(value) ? call("any of", [value], inPlaceOf(node)) : node;
}

/** Its own counts over windows alone: the values are collected in their order. */
export function percentile(node: Call): Expression {
  const { isContinuous, fraction, sort } = percentileArguments(node);
  // FILTER has become a CASE, which is no column.
  const value = isContinuous ? asDouble(sort.expression) : sort.expression;
  const chosen =
    node.filter === undefined ? value : when(node.filter, value, undefined, typed(typeOrUnknown(value), value));
  const sorted = call("array_agg", [chosen], typed({ kind: "array", element: typeOrUnknown(value) }, node));
  const list: Call = {
    ...sorted,
    nulls: "ignore",
    orderBy: [{ ...sort, expression: chosen, nulls: undefined }],
  };
  const count = call("count", [chosen], typed(BIGINT, node));
  const share = text(`${fraction.text}${/[.e]/i.test(fraction.text) ? "" : ".0"}`, fraction);
  return call(isContinuous ? "between two of" : "one of", [list, count, share], inPlaceOf(node));
}

/** The greatest or least of the values that are not NULL. BigQuery's GREATEST is NULL if any value is. */
export function extreme(node: Call): Expression {
  const list = values(node);
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  if (!list.some(isNullable)) return node;
  const present = list.map((each) =>
    call("first present", [each, ...list.filter((other) => other !== each)], inPlaceOf(node)),
  );
  return call(node.name[0]?.name === "greatest" ? "greatest of" : "least of", present, inPlaceOf(node));
}
