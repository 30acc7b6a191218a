/** Aggregates and window functions that SQL Server says otherwise. https://learn.microsoft.com/en-us/sql/t-sql/queries/select-over-clause-transact-sql */

import { unsupported } from "../../diagnostics.ts";
import { sumOfReals } from "../../lowering/numbers/reals.ts";
import { regressionBy } from "../../lowering/numbers/regression.ts";
import { neighbourBy, orderedBy } from "../../lowering/queries/ordered-windows.ts";
import { anyOrder } from "../../lowering/queries/tops.ts";
import { call, cast, renamed, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, INTEGER, NUMERIC, typeOrUnknown } from "../../types.ts";
import { asWideAs, declaredSum, scaleOf } from "./decimals.ts";

/** The sum of whole numbers is no wider than they are there, and their average is one. */
export const ofWide =
  (name: "sum" | "avg") =>
  (node: Call): Expression | undefined => {
    const [value] = values(node);
    const type = value && typeOrUnknown(value);
    if (value === undefined) return undefined;
    if (type?.kind === "decimal") return name === "sum" ? declaredSum(node, value) : undefined;
    // The sum of reals is a double there.
    if (name === "sum" && type?.kind === "float" && type.bits === 32) return sumOfReals(node);
    if (type?.kind !== "integer") return undefined;
    if (name === "sum" && type.bits < 64) return withArguments(node, [cast(value, "bigint", typed(BIGINT, value))]);
    const widened = cast(value, "numeric", typed({ kind: "decimal", precision: 38, scale: 0 }, value), [38, 0]);
    const found = withArguments(node, [widened]);
    return name === "sum" ? declaredSum(found, widened) : found;
  };

export const ofBooleans =
  (name: "min" | "max") =>
  (node: Call): Expression => {
    const [value] = values(node);
    if (value === undefined) return node;
    const number = cast(value, "integer", typed(INTEGER, value));
    const found: Call = { ...withArguments(renamed(node, name), [number]), type: INTEGER };
    return cast(found, "boolean", typed(BOOLEAN, node));
  };

export function counted(node: Call): Call {
  if (node.distinct && node.over !== undefined) throw unsupported("count(DISTINCT …) over a window", node.span);
  if (node.distinct && node.arguments.length !== 1) throw unsupported("count(DISTINCT …) of several values", node.span);
  return renamed(node, "count_big");
}

export const plainAggregate =
  (name: string) =>
  (node: Call): Call => {
    if (node.distinct) throw unsupported(`${name} of different values`, node.span, "Use a subquery with DISTINCT.");
    return renamed(node, name);
  };

/** The default for absent rows gets the type of the others. */
export const neighbour = neighbourBy(asWideAs, anyOrder);
export const ordered = orderedBy(anyOrder);

const regression = regressionBy({
  ofNumber: (value) => cast(value, "numeric", typed(NUMERIC, value), [18 + (scaleOf(value) ?? 0), scaleOf(value) ?? 0]),
  sum: (value, at) => call("sum", [value], at),
  count: "count_big",
});

/** Digits cut off a product of more digits would be missing in a difference of such sums. */
export function ofShortNumbers(node: Call): Expression {
  const scales = values(node).map(scaleOf);
  if (scales.every((scale) => scale !== undefined && scale <= 3)) return regression(node);
  throw unsupported("a regression or correlation of more than three digits behind the point", node.span, "Round them.");
}
