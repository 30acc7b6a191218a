/** Aggregates that Trino lacks, or has with other results. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { asDouble } from "../../lowering/long-decimals.ts";
import { percentileArguments } from "../../lowering/percentiles.ts";
import {
  all,
  binary,
  call,
  cases,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  logical,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, INTEGER, type SqlType, typeOrUnknown } from "../../types.ts";
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

/** Trino's own are approximate: the values are collected in their order. */
export function percentile(node: Call): Expression {
  const { isContinuous, fraction, sort } = percentileArguments(node);
  const value = isContinuous ? asDouble(sort.expression) : sort.expression;
  const sorted: Call = {
    ...collected(node, value, typeOrUnknown(value)),
    orderBy: [{ ...sort, expression: value, nulls: undefined }],
  };
  const share: Expression = { ...fraction, text: `${fraction.text}e0`, type: DOUBLE };
  return call(isContinuous ? "between two of" : "one of", [sorted, share], inPlaceOf(node));
}

/** The most frequent value, and of several the first in their order. */
export function mostFrequent(node: Call): Expression {
  const [sort] = node.withinGroup;
  if (sort === undefined || node.over !== undefined) throw unsupported("mode with these arguments", node.span);
  const counts: Call = {
    ...call("histogram", [sort.expression], inPlaceOf(node)),
    filter: node.filter,
  };
  return call(
    sort.direction === "desc" ? "most frequent, greatest" : "most frequent, least",
    [counts],
    inPlaceOf(node),
  );
}

/** Only pairs without NULL count. Of the aggregates of regressions Trino has `regr_slope` and `regr_intercept` alone. */
export function ofPairs(node: Call): Expression {
  const [y, x] = values(node);
  if (x === undefined || y === undefined) return node;
  const at = typed(DOUBLE, node);
  const both = logical("and", [isNull(y, true), isNull(x, true)], node);
  const paired = (value: Expression): Expression => when(both, asDouble(value), undefined, at);
  const of = (name: string, list: readonly Expression[]): Call => ({
    ...call(name, list, at),
    filter: node.filter,
    over: node.over,
  });
  const count = of("count", [when(both, integer(1, node), undefined, typed(INTEGER, node))]);
  const sumOf = (square: Call): Expression => binary(count, "*", square, inPlaceOf(node));
  const spread = (value: Expression): Call => of("var_pop", [paired(value)]);
  const none = (value: Expression): Expression => comparison(spread(value), "=", integer(0, node), node);
  switch (node.name[0]?.name) {
    case "regr_count":
      return { ...count, ...(node.type && { type: node.type }) };
    case "regr_avgx":
      return of("avg", [paired(x)]);
    case "regr_avgy":
      return of("avg", [paired(y)]);
    case "regr_sxx":
      return sumOf(spread(x));
    case "regr_syy":
      return sumOf(spread(y));
    case "regr_sxy":
      return sumOf(of("covar_pop", [asDouble(y), asDouble(x)]));
    default: {
      const correlation = of("corr", [asDouble(y), asDouble(x)]);
      const branches = [
        { when: none(x), then: { kind: "null", span: node.span, type: DOUBLE } as const },
        { when: none(y), then: { kind: "number", text: "1e0", span: node.span, type: DOUBLE } as const },
      ];
      return cases(branches, binary(correlation, "*", correlation, at), at);
    }
  }
}

/** The greatest or least of the values that are not NULL: Trino's own are NULL with any. */
export function extreme(node: Call): Expression {
  const list = values(node);
  if (!list.some(isNullable)) return node;
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  return call(node.name[0]?.name === "greatest" ? "greatest of" : "least of", list, inPlaceOf(node));
}
