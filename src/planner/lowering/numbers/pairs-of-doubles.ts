/** Correlation and regression in double precision, as SQL over aggregates of the pairs of which no value is NULL. */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { call, integer, isNull, logical, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, INTEGER } from "../../types.ts";
import { spelled, words } from "../templates/template.ts";
import { asDouble } from "./long-decimals.ts";

/** Names of the target's aggregates. */
export interface PairWords {
  readonly variance: string;
  readonly covariance: string;
  readonly correlation: string;
  readonly sampleCovariance?: string;
  /** The cast of a value; otherwise a double is not cast. */
  readonly toDouble?: (value: Expression) => Expression;
  /** Its aggregates of two values do not skip rows where one of them is NULL. */
  readonly skipsNoNulls?: true;
}

const OWN_NAMES: PairWords = { variance: "var_pop", covariance: "covar_pop", correlation: "corr" };

/** `{n}`, `{avg x}`, `{var y}` and `{covar}` in a text stand for aggregates. */
interface Result {
  readonly template: Template;
  readonly names: readonly string[];
}

function readResult(text: string): Result {
  const names = [...new Set([...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name))];
  return { template: words(text.replaceAll(/\{([^{}]+)\}/g, (_, name) => `$${names.indexOf(name) + 1}`)), names };
}

/** The function's result by its text; the call itself is a text of one aggregate. */
export function pairsBy(
  texts: Readonly<Record<string, string>>,
  own: PairWords = OWN_NAMES,
): (node: Call) => Expression {
  const results = new Map(Object.entries(texts).map(([name, text]) => [name, readResult(text)]));
  return (node) => {
    const [y, x] = values(node);
    const name = functionName(node);
    const result = results.get(name);
    if (x === undefined || y === undefined || result === undefined || node.distinct) {
      throw unsupported(`${name} with these arguments`, node.span);
    }
    const parts = result.names.map((each) => aggregate(each, y, x, node, own));
    const [only] = parts;
    if (result.template.text === "$1" && only !== undefined) return { ...only, ...(node.type && { type: node.type }) };
    return spelled(result.template, parts, typed(DOUBLE, node));
  };
}

function aggregate(name: string, y: Expression, x: Expression, node: Call, own: PairWords): Call {
  const at = typed(DOUBLE, node);
  const { toDouble = asDouble } = own;
  const both = logical("and", [isNull(y, true), isNull(x, true)], node);
  const paired = (value: Expression): Expression => when(both, toDouble(value), undefined, at);
  const of = (aggregate: string, list: readonly Expression[], place = at): Call => ({
    ...call(aggregate, list, place),
    filter: node.filter,
    over: node.over,
  });
  const value = name.endsWith(" y") ? y : x;
  const sides = own.skipsNoNulls === true ? [paired(y), paired(x)] : [toDouble(y), toDouble(x)];
  switch (name) {
    case "n": {
      const one = when(both, integer(1, node), undefined, typed(INTEGER, node));
      return of("count", [own.skipsNoNulls === true ? paired(x) : one], typed(BIGINT, node));
    }
    case "avg x":
    case "avg y":
      return of("avg", [paired(value)]);
    case "var x":
    case "var y":
      return of(own.variance, [paired(value)]);
    case "covar":
      return of(own.covariance, sides);
    case "sample covar":
      return of(own.sampleCovariance ?? own.covariance, sides);
    case "corr":
      return of(own.correlation, sides);
    default:
      throw new TypeError(`no aggregate is called ${name}`);
  }
}

const unlessFlat = (text: string): string => `CASE WHEN {var x} = 0 THEN NULL ELSE ${text} END`;

/** For targets that lack these functions, or return another result for identical values. */
export const ofPairs = pairsBy({
  regr_count: "{n}",
  regr_avgx: "{avg x}",
  regr_avgy: "{avg y}",
  regr_sxx: "{n} * {var x}",
  regr_syy: "{n} * {var y}",
  regr_sxy: "{n} * {covar}",
  regr_slope: unlessFlat("{covar} / {var x}"),
  regr_intercept: unlessFlat("{avg y} - {covar} / {var x} * {avg x}"),
  corr: "CASE WHEN {var x} = 0 OR {var y} = 0 THEN NULL ELSE {corr} END",
  // 1 if all values of y are equal, but not those of x.
  regr_r2: "CASE WHEN {var x} = 0 THEN NULL WHEN {var y} = 0 THEN 1e0 ELSE {corr} * {corr} END",
});
