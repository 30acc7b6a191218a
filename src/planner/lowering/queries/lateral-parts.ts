/** The parts of a lateral table, for the ways in which it becomes a join. */
import { type PlannerError, unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall, makesRows } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { binary, call, comparison, integer, logical } from "../../syntax/build.ts";
import type {
  Call,
  DerivedTable,
  Expression,
  Join,
  Query,
  Select,
  SelectExpression,
  SortItem,
  TableExpression,
  Window,
} from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, someExpression, someNode } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN } from "../../types.ts";

/** A lateral table on the right side of a join, which names columns of the left side and no others around it. */
export interface Lateral {
  readonly join: Join;
  readonly table: DerivedTable;
  readonly alias: string;
  /** The columns of the left side. */
  readonly isOuter: (node: SyntaxNode) => boolean;
  readonly isLeftJoin: boolean;
  /** The condition of the join, unless it is always true. */
  readonly on: Expression | undefined;
}

/** A lateral table that reads tables of its own. */
export interface LateralSelect extends Lateral {
  readonly body: Select;
  readonly items: readonly SelectExpression[];
  /** The conditions that name columns of the left side, and the others. */
  readonly correlated: readonly Expression[];
  readonly local: readonly Expression[];
  readonly isAggregated: boolean;
  readonly limit: RowNumbers | undefined;
}

/** Which rows LIMIT and OFFSET keep, by their numbers. */
export interface RowNumbers {
  readonly function: "row_number" | "rank";
  readonly after: number;
  readonly last: number | undefined;
}

/** Makes a name with this prefix that nothing else in the statement has. */
export type Fresh = (prefix: string) => string;

const HINT = "Join the query on its condition, or use a subquery in the select list.";

export function refused(what: string, { span }: Pick<SyntaxNode, "span">): PlannerError {
  return unsupported(`LATERAL with ${what}`, span, HINT);
}

/** The aliases of the tables in one FROM item, without those inside its derived tables. */
export function aliasesIn(table: TableExpression): readonly string[] {
  switch (table.kind) {
    case "join":
      return [...aliasesIn(table.left), ...aliasesIn(table.right)];
    case "bound-model":
      return [table.relation.printedAlias];
    case "bound-common":
      return [table.alias?.name.name ?? table.table.printedName];
    case "derived":
    case "function":
    case "physical-table":
    case "opaque-table":
    case "ruled":
      return table.alias === undefined ? [] : [table.alias.name.name];
    default:
      return [];
  }
}

/** The items of FROM as one, in which a later table may be joined on columns of all others. */
export function inOneItem([first, ...others]: readonly TableExpression[]): TableExpression {
  if (first === undefined) throw new TypeError("FROM has a table");
  return others.reduce(behind, first);
}

/** `left` crossed with the first table of `item`: the joins of a chain stay around it. */
function behind(left: TableExpression, item: TableExpression): TableExpression {
  if (item.kind === "join" && item.join !== "right" && item.join !== "full")
    return { ...item, left: behind(left, item.left) };
  return { kind: "join", join: "cross", natural: false, left, right: item, on: undefined, using: [], span: item.span };
}

export const holdsQuery = (node: SyntaxNode): boolean => someNode(node, ({ kind }) => kind === "query");

export const isAggregate = (node: Expression): node is Call =>
  node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)));

/** Another value wherever it is computed again; what the catalogue lacks may be. */
export function isByChance(node: SyntaxNode): boolean {
  if (node.kind !== "call") return false;
  const { safety } = findFunction(node.name.at(-1)?.name ?? "") ?? {};
  return safety === undefined || safety === "random";
}

/** Throws UNSUPPORTED_ON_SOURCE for what neither way has. */
export function selectOfLateral(lateral: Lateral, body: Select): LateralSelect {
  const { isOuter, table } = lateral;
  const { query } = table;
  const items = body.items.filter((item) => item.kind === "item");
  const values = [...items, ...query.orderBy].map(({ expression }) => expression);
  const conditions = body.where === undefined ? [] : conjuncts(body.where);
  const isWindow = (node: SyntaxNode): boolean => node.kind === "call" && node.over !== undefined;
  if (body.windows.length > 0 || body.qualify !== undefined || values.some((each) => someExpression(each, isWindow)))
    throw refused("a window function", table);
  if (values.some((each) => someExpression(each, makesRows)))
    throw refused("a function that makes rows in the select list", table);
  const beside = body.from.find((each) => someNode(each, isOuter));
  if (beside !== undefined) throw refused("a table or a join that names the tables before it", beside);
  if (query.with?.tables.some((each) => someNode(each.query, isOuter)) === true)
    throw refused("a common table that names the tables before it", table);
  const correlated = conditions.filter((each) => someNode(each, isOuter));
  const withQuery = correlated.find(holdsQuery);
  if (withQuery !== undefined) throw refused("a subquery in a condition on the tables before it", withQuery);
  const isAggregated = body.groupBy === undefined && computesGroups(body, query.orderBy);
  if (isAggregated && body.having !== undefined) throw refused("HAVING without GROUP BY", body.having);
  return {
    ...lateral,
    body,
    items,
    correlated,
    local: conditions.filter((each) => !correlated.includes(each)),
    isAggregated,
    limit: isAggregated ? limitOfOne(query) : limitOf(query),
  };
}

const holdsAggregate = (expression: Expression): boolean => someExpression(expression, isAggregate);

/** Whether the SELECT computes of groups, or of all its rows as one: only aggregates and keys are computed for each row. */
export function computesGroups({ groupBy, having, items }: Select, orderBy: readonly SortItem[]): boolean {
  const values = [...items.flatMap((item) => (item.kind === "item" ? [item] : [])), ...orderBy];
  return groupBy !== undefined || having !== undefined || values.some(({ expression }) => holdsAggregate(expression));
}

/** One row is always there, which LIMIT 1 keeps. */
function limitOfOne(query: Query): undefined {
  const limit = limitOf(query);
  if (limit === undefined || (limit.after === 0 && (limit.last ?? 1) > 0)) return undefined;
  throw refused("LIMIT or OFFSET of one row", query);
}

function limitOf({ limit, offset, orderBy }: Query): RowNumbers | undefined {
  if (limit === undefined && offset === undefined) return undefined;
  const after = offset === undefined ? 0 : countOf(offset);
  const last = limit === undefined ? undefined : after + countOf(limit.count);
  if (limit?.withTies !== true || orderBy.length === 0) return { function: "row_number", after, last };
  if (offset !== undefined) throw refused("OFFSET and WITH TIES", offset);
  return { function: "rank", after, last };
}

function countOf(count: Expression): number {
  const value = count.kind === "number" ? Number(count.text) : Number.NaN;
  if (Number.isInteger(value) && value < 2 ** 30) return value;
  throw refused("a computed LIMIT or OFFSET", count);
}

/** A position in the select list would be a constant in a window. */
export function writtenOut(orderBy: readonly SortItem[], items: readonly SelectExpression[]): readonly SortItem[] {
  return orderBy.map((item) => {
    const { expression } = item;
    if (expression.kind !== "number") return item;
    return { ...item, expression: items[Number(expression.text) - 1]?.expression ?? expression };
  });
}

export function numberOver(
  name: RowNumbers["function"],
  partitionBy: readonly Expression[],
  orderBy: readonly SortItem[],
  { span }: Pick<SyntaxNode, "span">,
): Call {
  const over: Window = { base: undefined, named: false, partitionBy, orderBy, frame: undefined, span };
  return { ...call(name, [], { span, type: BIGINT }), over };
}

/** Whether a row with this number is kept. */
export function isKept(number: Call, { after, last }: RowNumbers): Expression {
  const at = { span: number.span };
  const conditions = [
    ...(after > 0 ? [comparison(number, ">", integer(after, at), at)] : []),
    ...(last === undefined ? [] : [comparison(number, "<=", integer(last, at), at)]),
  ];
  return conditions.length === 0 ? comparison(number, ">", integer(0, at), at) : logical("and", conditions, at);
}

/** The first row of each group of equal keys. */
export function isFirst(partitionBy: readonly Expression[], orderBy: readonly SortItem[], at: SyntaxNode): Expression {
  const { span } = at;
  return binary(numberOver("row_number", partitionBy, orderBy, at), "=", integer(1, at), { span, type: BOOLEAN });
}
