/**
 * Subqueries that name columns of the query around them. Trino makes joins of them, and has none for many ("Given correlated
 * subquery is not supported"): each of these was seen to be its error on 476, and is refused with what to write instead.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { outerColumns, refuseFarColumns } from "../../lowering/queries/correlation.ts";
import type { BoundColumn, Expression, Join, Query, Select, TableExpression } from "../../syntax/tree.ts";
import { conjuncts, groupedBy, type SyntaxNode, someExpression, walk } from "../../syntax/walk.ts";

const WITH_A_JOIN = "Join the tables, and group or number the rows where some of them are wanted.";

/** For a statement with subqueries. */
export function refuseUnknownCorrelation(statement: Query): void {
  refuseFarColumns(statement);
  refuseIn(statement);
}

function refuseIn(query: Query): void {
  walk(query, (node: SyntaxNode) => {
    if (node.kind === "join") refuseJoin(node);
    if (node.kind === "derived" && node.lateral) refuseSubquery(node.query, node.kind);
    if (node.kind === "exists" || node.kind === "scalar-query" || node.kind === "in-query") {
      refuseSubquery(node.query, node.kind);
    }
    return true;
  });
}

interface Position {
  readonly kind: "derived" | "exists" | "scalar-query" | "in-query";
  /** A derived table of such a query, and all that it reads. */
  readonly isInner: boolean;
}

function refuseSubquery(query: Query, kind: Position["kind"]): void {
  const outer = new Set(outerColumns(query));
  const [first] = outer;
  if (first !== undefined) refuseQuery(query, { kind, isInner: false }, outer, first);
}

function refuseQuery(query: Query, position: Position, outer: ReadonlySet<BoundColumn>, first: BoundColumn): void {
  const { body, limit, offset } = query;
  if (body.kind !== "select") throw refused("a set operation", first);
  if (offset !== undefined) throw refused("OFFSET", first);
  if (limit !== undefined) refuseLimit(body, position, outer, first);
  refuseElements(body, position, outer);
  refuseGroups(body, position, outer);
  for (const table of body.from) refuseDerived(table, position, body.from.length === 1, outer);
  const isValueless = position.kind === "exists" && !position.isInner;
  for (const { expression } of itemsOf(body)) {
    if (!isValueless) refuseValue(expression, body, outer);
    if (someExpression(expression, (each) => each.kind === "call" && each.over !== undefined))
      throw refused("a window function", first);
  }
  refuseNested(query, body, isValueless);
}

const itemsOf = ({ items }: Select) => items.filter((item) => item.kind === "item");

function refuseDerived(
  table: TableExpression,
  { kind }: Position,
  isAlone: boolean,
  outer: ReadonlySet<BoundColumn>,
): void {
  const position = { kind, isInner: true };
  if (table.kind === "join") {
    refuseDerived(table.left, position, false, outer);
    refuseDerived(table.right, position, false, outer);
  } else if (table.kind === "derived" && !table.lateral) {
    const named = outerColumns(table.query).find((column) => outer.has(column));
    if (named === undefined) return;
    if (!isAlone) throw refused("a derived table beside others", named);
    refuseQuery(table.query, position, outer, named);
  }
}

/** Rows may be grouped, but not for IN, and all of them as one group only where it is kept whatever HAVING says of it. */
function refuseGroups(body: Select, { kind }: Position, outer: ReadonlySet<BoundColumn>): void {
  const { having, groupBy, distinct } = body;
  const rows: readonly SyntaxNode[] = [...body.from, ...itemsOf(body), ...present(body.where)];
  const named = rows.flatMap(columnsOf).find((column) => outer.has(column));
  if (named === undefined) return;
  const isGrouped = groupBy !== undefined && groupBy.length > 0;
  const isAggregated = itemsOf(body).some(({ expression }) => someExpression(expression, isAggregate));
  if (having !== undefined && !isGrouped) throw refused("HAVING without GROUP BY", named);
  if (kind === "in-query" && (isGrouped || isAggregated || distinct !== undefined)) {
    throw refused("groups of rows of IN", named);
  }
}

/** A subquery of its WHERE or of a join's condition is one more join; Trino has none for one that a value is made of. */
function refuseNested({ orderBy }: Query, body: Select, isValueless: boolean): void {
  const values: Expression[] = isValueless ? [] : itemsOf(body).map(({ expression }) => expression);
  values.push(...(body.groupBy ?? []).flatMap(groupedBy), ...present(body.having));
  values.push(...orderBy.map(({ expression }) => expression));
  for (const value of values) {
    walk(value, (node) => {
      if (node.kind === "scalar-query" && body.from.length === 0) return false;
      const isJoined = node.kind === "exists" && outerColumns(node.query).length > 0;
      if (isJoined || node.kind === "scalar-query" || node.kind === "in-query")
        throw refused("a value of a subquery", node);
      return true;
    });
  }
}

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

const refused = (what: string, { span }: SyntaxNode) =>
  unsupported(`${what} in a subquery that names columns of the query around it`, span, WITH_A_JOIN);

/** Rows are counted for each value that a column is compared with by `=`. */
function refuseLimit({ where }: Select, position: Position, outer: ReadonlySet<BoundColumn>, first: BoundColumn): void {
  if (position.isInner) throw refused("LIMIT of a derived table", first);
  const isOuter = (each: Expression): boolean => each.kind === "bound" && outer.has(each);
  const met = (where === undefined ? [] : conjuncts(where)).filter((each) => someExpression(each, isOuter));
  const isEquality = (each: Expression): boolean => {
    if (each.kind !== "binary" || each.operator !== "=") return false;
    const [inner, other] = someExpression(each.left, isOuter) ? [each.right, each.left] : [each.left, each.right];
    const isAllOuter = !someExpression(other, (part) => part.kind === "bound" && !outer.has(part));
    return inner.kind === "bound" && !outer.has(inner) && isAllOuter;
  };
  const counted = new Set<SyntaxNode>();
  for (const each of met) walk(each, (node) => counted.add(node) !== undefined);
  const elsewhere = [...outer].some((column) => !counted.has(column));
  if (elsewhere || !met.every(isEquality)) throw refused("LIMIT", first);
}

/** The elements of an array of the row around are joined to it as they are: all of them, and by themselves. */
function refuseElements(
  { from, where, groupBy, having, distinct, items }: Select,
  position: Position,
  outer: ReadonlySet<BoundColumn>,
): void {
  const named = from.flatMap((table) => columnsOfFunctions(table)).find((column) => outer.has(column));
  if (named === undefined) return;
  const isFiltered = [where, groupBy, having, distinct].some((clause) => clause !== undefined);
  const hasFilter = items.some(
    (item) =>
      item.kind === "item" &&
      someExpression(item.expression, (each) => each.kind === "call" && each.filter !== undefined),
  );
  const isAlone =
    from.length === 1 && from[0]?.kind === "function" && position.kind !== "in-query" && !position.isInner;
  if (!isAlone || isFiltered || hasFilter) throw refused("some elements of an array", named);
}

function columnsOfFunctions(table: TableExpression): readonly BoundColumn[] {
  const found: BoundColumn[] = [];
  walk(table, (node) => {
    if (node.kind === "function") found.push(...columnsOf(node.call));
    return node.kind !== "query";
  });
  return found;
}

function columnsOf(part: SyntaxNode): readonly BoundColumn[] {
  const found: BoundColumn[] = [];
  walk(part, (each) => each.kind !== "bound" || found.push(each) > 0);
  return found;
}

/** A value may be computed with them from what an aggregate gives, and of nothing else. */
function refuseValue(value: Expression, { from }: Select, outer: ReadonlySet<BoundColumn>): void {
  const names = (each: Expression): boolean => each.kind === "bound" && outer.has(each);
  if (from.length === 0 || !someExpression(value, names)) return;
  const isOfGroup = (each: Expression): boolean => isAggregate(each) && !someExpression(each, names);
  const [first] = outer;
  if (first !== undefined && !someExpression(value, isOfGroup)) throw refused("a value computed with these", first);
}

const isAggregate = (each: Expression): boolean =>
  each.kind === "call" && isAggregateCall(each, findFunction(functionName(each)));

/** A row of aggregates is always there: on what condition, Trino does not know. */
function refuseJoin({ right, on }: Join): void {
  if (right.kind !== "derived" || !right.lateral || on === undefined || on.kind === "boolean") return;
  const { body } = right.query;
  if (body.kind !== "select" || body.groupBy !== undefined || outerColumns(right.query).length === 0) return;
  if (!body.items.some((item) => item.kind === "item" && someExpression(item.expression, isAggregate))) return;
  throw unsupported(
    "a condition of JOIN LATERAL beside aggregates",
    on.span,
    "Write ON TRUE, and the condition into WHERE.",
  );
}
