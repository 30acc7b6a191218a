/** Rewrites for PostgreSQL: constructs that it lacks, or that mean something else. Seen on PostgreSQL 15 and 18. */

import { intervalParts, intervalText } from "../../intervals.ts";
import { castsOfAllKinds } from "../../lowering/casts.ts";
import { expressionRules, fieldRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { binary, exactName, inPlaceOf, interval, text, values, withArguments } from "../../syntax/build.ts";
import type { Expression, IntervalLiteral, Subscript, TableFunction } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { asTimestamp } from "./calls.ts";
import { lowerCast } from "./casts.ts";
import { withIntegerParts } from "./date-parts.ts";
import { postgresFunctions } from "./functions.ts";
import { postgresOperators } from "./operators.ts";
import { withOuterKeys } from "./outer-joins.ts";
import { withoutStatistics } from "./statistics.ts";

/** `j['a']` exists for jsonb only; `->` for both. */
function lowerSubscript(node: Subscript): Expression | undefined {
  const type = typeOrUnknown(node.operand);
  return type.kind === "json" && !type.binary ? binary(node.operand, "->", node.index, inPlaceOf(node)) : undefined;
}

/** One text form for every spelling; a computed amount multiplies its unit. */
function lowerInterval(node: IntervalLiteral): Expression | undefined {
  const parts = intervalParts(node);
  if (parts !== undefined)
    return { ...node, value: text(intervalText(parts), node), unit: undefined, toUnit: undefined };
  if (node.unit === undefined) return undefined;
  const unit = node.unit === "quarter" ? "3 months" : `1 ${node.unit}`;
  return binary(node.value, "*", interval(unit, node), inPlaceOf(node));
}

/** A series of dates would be one of timestamps with time zone. */
function series(table: TableFunction): TableFunction {
  return { ...table, call: withArguments(table.call, values(table.call).map(asTimestamp)) };
}

export const postgresRewrites = (): Rewrites => ({
  expressions: expressionRules(
    [
      "number string boolean null bits typed column session unary logical like between in-list in-query quantified exists",
      "is case array-query slice field row scalar-query at-time-zone bound opaque",
    ],
    {
      array: (node) =>
        node.written === undefined ? undefined : { ...text(node.written, node), type: typeOrUnknown(node) },
      collate: (node) => ({ ...node, collation: [exactName("C", node.span)] }),
      interval: lowerInterval,
      subscript: lowerSubscript,
    },
  ),
  operators: postgresOperators(),
  casts: castsOfAllKinds(lowerCast),
  fields: fieldRules(
    [
      "dow doy isodow isoyear julian week century day decade epoch millennium month quarter year",
      "hour microseconds milliseconds minute second timezone timezone_hour timezone_minute",
    ],
    {},
  ),
  functions: postgresFunctions(),
  tableFunctions: new Map([["generate_series", series]]),
  join: withOuterKeys,
  besideRules: withoutStatistics,
  statement: withIntegerParts,
  bindsOperands: "by a subquery",
});
