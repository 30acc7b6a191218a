/** Aggregates that Trino lacks, or has with other results. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/numbers/long-decimals.ts";
import { percentileArguments } from "../../lowering/numbers/percentiles.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { all, call, inPlaceOf, isNull, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, type SqlType, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

/** `array_agg` of the values that are not NULL, in their order: what is joined or looked up among them. */
function collected(node: Call, value: Expression, type: SqlType): Call {
  const filter = all([...(node.filter === undefined ? [] : [node.filter]), isNull(value, true)], node);
  return {
    ...call("array_agg", [value], typed({ kind: "array", element: type }, node)),
    distinct: node.distinct,
    filter: node.filter !== undefined || isNullable(value) ? filter : undefined,
  };
}

export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined || node.over !== undefined) {
    throw unsupported("string_agg over a window", node.span, "Group the rows in a subquery.");
  }
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  const texts: Call = { ...collected(node, textOf(value, value), { kind: "text" }), orderBy: node.orderBy };
  return call("array_join", [texts, text(separator.value, separator)], inPlaceOf(node));
}

const elementAt = (place: string): string => `element_at(_a, ${place})`;
const ofSorted = (body: string) => words(`element_at(transform(ARRAY[$1], _a -> ${body}), 1)`);

/** $1 has the sorted values, $2 is the fraction. Without values the array is NULL, and a lookup in it returns NULL. */
const ONE = ofSorted(elementAt("greatest(CAST(ceiling($2 * cardinality(_a)) AS BIGINT), 1)"));
const PLACE = "($2 * (cardinality(_a) - 1))";
const [LOW, HIGH] = [elementAt(`CAST(floor${PLACE} AS BIGINT) + 1`), elementAt(`CAST(ceiling${PLACE} AS BIGINT) + 1`)];
const BETWEEN_TWO = ofSorted(`${LOW} + (${HIGH} - ${LOW}) * (${PLACE} - floor${PLACE})`);

/** The entry of the map with the greatest count, and of several the one whose key is first. */
const mostFrequentBy = (first: "<" | ">") =>
  ofSorted(
    `element_at(array_sort(map_entries(_a), (_b, _c) -> CASE WHEN _b[2] > _c[2] THEN -1 WHEN _b[2] < _c[2] THEN 1 ` +
      `WHEN _b[1] ${first} _c[1] THEN -1 WHEN _b[1] = _c[1] THEN 0 ELSE 1 END), 1)[1]`,
  );
const MOST_FREQUENT = { asc: mostFrequentBy("<"), desc: mostFrequentBy(">") } as const;

/** Trino's own percentiles are approximate: the values are collected in their order. */
export function percentile(node: Call): Expression {
  const { isContinuous, fraction, sort } = percentileArguments(node);
  const value = isContinuous ? asDouble(sort.expression) : sort.expression;
  const sorted: Call = {
    ...collected(node, value, typeOrUnknown(value)),
    orderBy: [{ ...sort, expression: value, nulls: undefined }],
  };
  const share: Expression = { ...fraction, text: `${fraction.text}e0`, type: DOUBLE };
  return spelled(isContinuous ? BETWEEN_TWO : ONE, [sorted, share], node);
}

/** The most frequent value, and of several the first in their order. */
export function mostFrequent(node: Call): Expression {
  const [sort] = node.withinGroup;
  if (sort === undefined || node.over !== undefined) throw unsupported("mode with these arguments", node.span);
  const counts: Call = {
    ...call("histogram", [sort.expression], inPlaceOf(node)),
    filter: node.filter,
  };
  return spelled(MOST_FREQUENT[sort.direction ?? "asc"], [counts], node);
}

/** The greatest or least of the values that are not NULL: Trino's own are NULL with any. */
export const extreme =
  (name: keyof typeof EXTREMES) =>
  (node: Call): Expression => {
    const list = values(node);
    if (!list.some(isNullable)) return node;
    const [only] = list;
    if (only !== undefined && list.length === 1) return only;
    return spelled(EXTREMES[name], list, node);
  };

const EXTREMES = {
  greatest: words("array_max(filter(ARRAY[$*], _e -> _e IS NOT NULL))"),
  least: words("array_min(filter(ARRAY[$*], _e -> _e IS NOT NULL))"),
} as const;
