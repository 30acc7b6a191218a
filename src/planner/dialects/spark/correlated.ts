/**
 * Subqueries that name columns of the query around them. What is refused here was seen on Spark 4.0.1, over rows that it answers
 * rightly otherwise: another row, or an error of its optimiser.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { isCorrelated, refuseFarColumns } from "../../lowering/correlation.ts";
import type { Expression, Query, ScalarQuery, Select, TableExpression } from "../../syntax/tree.ts";
import { someExpression, walk } from "../../syntax/walk.ts";

export function refuseUnknownCorrelation(statement: Query): void {
  refuseFarColumns(statement);
  const common = commonTablesOf(statement);
  walk(statement, (node) => {
    if (node.kind === "select") refuseCut(node, common);
    if (node.kind === "scalar-query" && isCorrelated(node.query)) refuseNested(node.query);
    return true;
  });
}

/** By name: in a statement that is lowered no two are called alike. */
type CommonTables = ReadonlyMap<string, Query>;

function commonTablesOf(statement: Query): CommonTables {
  const found = new Map<string, Query>();
  walk(statement, (node) => {
    if (node.kind === "query") for (const { name, query } of node.with?.tables ?? []) found.set(name.name, query);
    return true;
  });
  return found;
}

/** A value that is asked for each row of the query. */
function correlatedIn({ items }: Select): ScalarQuery | undefined {
  for (const item of items) {
    if (item.kind !== "item") continue;
    let found: ScalarQuery | undefined;
    someExpression(item.expression, (each) => {
      if (each.kind === "scalar-query" && isCorrelated(each.query)) found = each;
      return found !== undefined;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The order of a table that is cut by LIMIT or OFFSET is lost there: other rows would be left of it. */
function refuseCut(select: Select, common: CommonTables): void {
  const asked = correlatedIn(select);
  const [table] = select.from;
  if (asked === undefined || table === undefined || select.from.length > 1 || !isCut(table, common)) return;
  throw unsupported(
    "a subquery for each row of a table that ORDER BY and LIMIT cut",
    asked.span,
    "Join the tables, or number the rows with row_number() and keep the first.",
  );
}

function isCut(table: TableExpression, common: CommonTables): boolean {
  const isCommon = table.kind === "bound-common";
  const query = isCommon ? common.get(table.table.printedName) : table.kind === "derived" ? table.query : undefined;
  if (query === undefined) return false;
  if (query.orderBy.length > 0 && (query.limit !== undefined || query.offset !== undefined)) return true;
  const [inner, ...others] = query.body.kind === "select" ? query.body.from : [];
  return inner !== undefined && others.length === 0 && isCut(inner, common);
}

/** "None.get", "Cannot generate code for expression: outer(…)". */
function refuseNested({ body }: Query): void {
  if (body.kind !== "select") return;
  for (const item of body.items) {
    if (item.kind !== "item") continue;
    someExpression(item.expression, (each) => {
      if (each.kind !== "call" || !isAggregateCall(each, findFunction(functionName(each)))) return false;
      const parts = [...each.arguments.map(({ value }) => value), ...(each.filter === undefined ? [] : [each.filter])];
      if (!parts.some((part) => someExpression(part, hasCorrelatedQuery))) return false;
      throw unsupported(
        "a correlated subquery in an aggregate of another one",
        each.span,
        "Join the tables in one subquery.",
      );
    });
  }
}

const hasCorrelatedQuery = (each: Expression): boolean =>
  (each.kind === "scalar-query" || each.kind === "exists" || each.kind === "in-query") && isCorrelated(each.query);
