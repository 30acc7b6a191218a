/** ANY and ALL, which Spark has not: of a query by its least or greatest value, and whether there is a NULL. */

import { unsupported } from "../../diagnostics.ts";
import { quantified as ofArray } from "../../lowering/arrays.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import {
  call,
  cases,
  columnOf,
  comparison,
  exactName,
  integer,
  not,
  queryOf,
  selectItem,
  selectOf,
  typed,
} from "../../syntax/build.ts";
import type { ComparisonOperator, Expression, Quantified, Query } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, type SqlType, UNKNOWN } from "../../types.ts";

const ALIAS = "_q";
const COLUMN = "_v";

/** Which value all others stand behind, by operator. */
const DECIDING: Readonly<Record<string, readonly [all: string, any: string]>> = {
  ">": ["max", "min"],
  ">=": ["max", "min"],
  "<": ["min", "max"],
  "<=": ["min", "max"],
};

export function quantified(node: Quantified): Expression | undefined {
  const { operand, operator, quantifier, query, span } = node;
  if (query === undefined) return ofArray(node);
  if (operand.kind === "row") throw unsupported("ANY or ALL of rows", span, "Use EXISTS.");
  const isAll = quantifier === "all";
  const membership = { kind: "in-query", operand, query, span, type: BOOLEAN } as const;
  if (operator === "=" && !isAll) return { ...membership, negated: false };
  if (operator === "<>" && isAll) return { ...membership, negated: true };
  const deciding = DECIDING[operator];
  if (deciding === undefined)
    throw unsupported(`${operator} ${quantifier.toUpperCase()} of a query`, span, "Use EXISTS.");
  const type = outputColumnsOf(query.body)[0]?.type ?? UNKNOWN;
  const of = (name: string, of: SqlType, isOfRows = false): Expression =>
    aggregateOf(query, name, type, of, isOfRows, node);
  const found = comparison(operand, operator as ComparisonOperator, of(deciding[isAll ? 0 : 1], type), node);
  const truth = (value: boolean): Expression => ({ kind: "boolean", value, span, type: BOOLEAN });
  const hasNull = comparison(of("count", BIGINT, true), ">", of("count", BIGINT), node);
  const branches = [
    { when: comparison(of("count", BIGINT, true), "=", integer(0, node), node), then: truth(isAll) },
    { when: isAll ? not(found) : found, then: truth(!isAll) },
    { when: hasNull, then: { kind: "null", span, type: BOOLEAN } as const },
  ];
  return cases(branches, found, typed(BOOLEAN, node));
}

/** A common table that is printed several times would need one name each; a derived table has its own. */
function aggregateOf(
  query: Query,
  name: string,
  element: SqlType,
  type: SqlType,
  isOfRows: boolean,
  at: Expression,
): Expression {
  const place = { span: at.span };
  const column = columnOf(ALIAS, COLUMN, typed(element, place));
  const counted = { ...call(name, isOfRows ? [] : [column], typed(type, place)), star: isOfRows };
  const table = {
    kind: "derived",
    query,
    lateral: false,
    alias: { name: exactName(ALIAS, at.span), columns: [exactName(COLUMN, at.span)] },
    span: at.span,
  } as const;
  const body = selectOf({ items: [selectItem(counted, undefined, place)], from: [table] }, place);
  return { kind: "scalar-query", query: queryOf(body), span: at.span, type };
}
