/** ANY and ALL of a query, for targets without them: by its least or greatest value, and whether there is a NULL. */

import { unsupported } from "../../diagnostics.ts";
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
import type { ComparisonOperator, DerivedTable, Expression, Quantified, Query } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, type SqlType, UNKNOWN } from "../../types.ts";
import { withNamesInside } from "./column-names.ts";
import { isCorrelated } from "./correlation.ts";
import { outputColumnsOf } from "./output-columns.ts";

const ALIAS = "_q";
const COLUMN = "_v";

/** Which value all others stand behind, by operator. */
const DECIDING: Readonly<Record<string, readonly [all: string, any: string]>> = {
  ">": ["max", "min"],
  ">=": ["max", "min"],
  "<": ["min", "max"],
  "<=": ["min", "max"],
};

/** Types of which every engine has the same least and greatest value. */
const ORDERED: ReadonlySet<SqlType["kind"]> = new Set(["integer", "decimal", "date", "timestamp"]);

/** For engines that decorrelate no aggregates of a derived table, and order texts or doubles by themselves. */
export function byExtremeOfValues(node: Quantified, query: Query): Expression {
  const [column] = outputColumnsOf(query.body);
  const isOrdered = [node.operand.type, column?.type].every((type) => type !== undefined && ORDERED.has(type.kind));
  if (isOrdered && !isCorrelated(query)) return byExtreme(node, query, withNamesInside);
  const hint = "Compare with min or max of the query, or write EXISTS.";
  throw unsupported(`${node.operator} ${node.quantifier.toUpperCase()} of a query`, node.span, hint);
}

/** `derived` changes the derived table whose alias names the column, for targets without such aliases. */
export function byExtreme(
  node: Quantified,
  query: Query,
  derived: (table: DerivedTable) => DerivedTable = (table) => table,
): Expression {
  const { operand, operator, quantifier, span } = node;
  if (operand.kind === "row") throw unsupported("ANY or ALL of rows", span, "Use EXISTS.");
  const isAll = quantifier === "all";
  const membership = { kind: "in-query", operand, query, span, type: BOOLEAN } as const;
  if (operator === "=" && !isAll) return { ...membership, negated: false };
  if (operator === "<>" && isAll) return { ...membership, negated: true };
  const deciding = DECIDING[operator];
  if (deciding === undefined)
    throw unsupported(`${operator} ${quantifier.toUpperCase()} of a query`, span, "Use EXISTS.");
  const type = outputColumnsOf(query.body)[0]?.type ?? UNKNOWN;
  const table = derived(tableOf(query, node));
  const of = (name: string, of: SqlType, isOfRows = false): Expression =>
    aggregateOf(table, name, type, of, isOfRows, node);
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
const tableOf = (query: Query, { span }: Expression): DerivedTable => ({
  kind: "derived",
  query,
  lateral: false,
  alias: { name: exactName(ALIAS, span), columns: [exactName(COLUMN, span)] },
  span,
});

function aggregateOf(
  table: DerivedTable,
  name: string,
  element: SqlType,
  type: SqlType,
  isOfRows: boolean,
  at: Expression,
): Expression {
  const place = { span: at.span };
  const column = columnOf(ALIAS, COLUMN, typed(element, place));
  const counted = { ...call(name, isOfRows ? [] : [column], typed(type, place)), star: isOfRows };
  const body = selectOf({ items: [selectItem(counted, undefined, place)], from: [table] }, place);
  return { kind: "scalar-query", query: queryOf(body), span: at.span, type };
}
