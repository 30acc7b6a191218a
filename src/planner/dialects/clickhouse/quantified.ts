/** ANY and ALL. ClickHouse replaces them by the minimum or maximum, even if values are NULL or missing. */

import { unsupported } from "../../diagnostics.ts";
import { isCorrelated } from "../../lowering/queries/correlation.ts";
import { quantifiedWithoutArrays } from "../../lowering/queries/quantified.ts";
import { call, cases, comparison, integer, isNull, logical, not, typed } from "../../syntax/build.ts";
import { isComparison } from "../../syntax/comparisons.ts";
import type { ComparisonOperator, Expression, Quantified } from "../../syntax/tree.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";
import { quantifiedOfArray } from "./arrays.ts";
import { ofColumn } from "./columns-of-queries.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import { comparedBy } from "./operators.ts";
import { inQuery, rowsOf } from "./subqueries.ts";
import { inOrder } from "./texts.ts";

/** min or max, whichever decides the comparison, and the other end, beyond which the result is unknown. */
const ENDS: Readonly<Record<ComparisonOperator, readonly ["min" | "max", "min" | "max"] | undefined>> = {
  "<": ["min", "max"],
  "<=": ["min", "max"],
  ">": ["max", "min"],
  ">=": ["max", "min"],
  "=": undefined,
  "<>": undefined,
};

export function quantified(asked: Quantified): Expression {
  const node = MIXED_NUMBERS.among(asked);
  const { query, operand, operator, quantifier, span } = node;
  if (query === undefined) {
    const ofArray = quantifiedOfArray(node);
    if (ofArray !== undefined) return ofArray;
    return quantifiedWithoutArrays(node, { keyOf: (each) => each, compare: comparedBy });
  }
  const isAll = quantifier === "all";
  if ((operator === "=" && !isAll) || (operator === "<>" && isAll)) {
    return inQuery({ kind: "in-query", negated: isAll, operand, query, span, type: BOOLEAN });
  }
  if (operand.kind === "row" || !isComparison(operator) || isCorrelated(query)) {
    throw unsupported(
      "ANY or ALL with that comparison",
      span,
      "Use EXISTS, or compare with the least or greatest value.",
    );
  }
  const value = inOrder(operand);
  const type = typeOrUnknown(operand);
  const end = (name: "min" | "max"): Expression =>
    comparison(
      value,
      operator,
      ofColumn(query, node, type, (each) => call(name, [inOrder(each)], typed(type, node))),
      node,
    );
  const ends = ENDS[operator];
  const each = ends === undefined ? [end("min"), end("max")] : [end(ends[isAll ? 0 : 1])];
  const truth = (what: boolean): Expression => ({ kind: "boolean", value: what, span, type: BOOLEAN });
  const none = comparison(rowsOf(query, "all", node), "=", integer(0, node), node);
  const nulls = comparison(rowsOf(query, "of NULL", node), ">", integer(0, node), node);
  const decided = isAll
    ? { when: not(logical("and", each, node)), then: truth(false) }
    : { when: logical("or", each, node), then: truth(true) };
  const unknown = {
    when: logical("or", [isNull(operand, false), nulls], node),
    then: { kind: "null", span, type: BOOLEAN } as const,
  };
  return cases([{ when: none, then: truth(isAll) }, decided, unknown], truth(isAll), typed(BOOLEAN, node));
}
