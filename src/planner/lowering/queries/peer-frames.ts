/**
 * Windows up to the last row that is equal in their order (its peers), for targets whose frames count rows alone. A frame of rows is the
 * same where the order tells all rows apart. Elsewhere a derived table numbers the rows of each group of peers and aggregates the group:
 * its first row has the value of the group and all others have NULL, so that a frame of rows up to any of them holds the whole group.
 */
import { sameExpression } from "../../binding/same.ts";
import { isVolatile } from "../../binding/volatility.ts";
import { functionName, isAggregateCall, makesRows } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import {
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  queryOf,
  renamed,
  selectOf,
  typed,
  when,
  withArguments,
} from "../../syntax/build.ts";
import { expressionsOnly, mapBody, mapExpression } from "../../syntax/rewrite.ts";
import type { Call, Expression, Frame, FrameBound, Query, Select, SortItem, Window } from "../../syntax/tree.ts";
import { someExpression, someNode } from "../../syntax/walk.ts";
import { BIGINT, NUMERIC, typeOrUnknown } from "../../types.ts";
import { isCorrelated } from "./correlation.ts";
import { DerivedRows } from "./derived-rows.ts";
import { replaced } from "./output-columns.ts";
import { hasFrame } from "./row-frames.ts";
import { withWrittenWindows } from "./written-windows.ts";

/** Whether a frame ends or begins at peers. */
const endsAtPeers = (frame: Frame | undefined): boolean =>
  frame === undefined ||
  (frame.unit === "range" && ![frame.start, frame.end].some((bound) => bound !== undefined && "offset" in bound));

type WindowCall = Call & { readonly over: Window };

const isOfPeers = (node: Expression): node is WindowCall =>
  node.kind === "call" &&
  node.over !== undefined &&
  node.over.orderBy.length > 0 &&
  endsAtPeers(node.over.frame) &&
  hasFrame(node);

/** The query whose windows count rows where their order tells the rows apart: `isUnique` knows it of a SELECT without groups. */
export function withFramesOfRows(query: Query, isUnique: (window: Window, select: Select) => boolean): Query {
  if (query.body.kind !== "select") return query;
  const { body: select } = query;
  const isCounted = ({ over }: WindowCall, written: Select): boolean =>
    tellsGroupsApart(over, written) || isUnique(over, select);
  const written = withWrittenWindows(query);
  const { body } = written;
  if (body.kind !== "select" || !someOutside(written, isOfPeers)) return query;
  return mapExpressions(written, (node) => (isOfPeers(node) && isCounted(node, body) ? inRows(node) : node));
}

/** Whether an expression that runs after FROM and WHERE is one, outside of subqueries. */
function someOutside({ body, orderBy }: Query, test: (node: Expression) => boolean): boolean {
  if (body.kind !== "select") return false;
  const items = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  const clauses = [...items, ...orderBy.map(({ expression }) => expression)];
  return [...clauses, ...(body.qualify ? [body.qualify] : [])].some((each) => someExpression(each, test));
}

function inRows(node: WindowCall): Call {
  const { start, end } = boundsOf(node.over);
  const frame: Frame = { unit: "rows", start, end, exclude: node.over.frame?.exclude, span: node.over.span };
  return { ...node, over: { ...node.over, frame } };
}

const boundsOf = ({ frame }: Window): { readonly start: FrameBound; readonly end: FrameBound } => ({
  start: frame?.start ?? { kind: "unbounded-preceding" },
  end: frame?.end ?? { kind: "current-row" },
});

/** Bottom-up, without the expressions of subqueries. */
function mapExpressions(query: Query, change: (node: Expression) => Expression): Query {
  const expression = (node: Expression): Expression => change(mapExpression(node, mapper));
  const mapper = {
    ...expressionsOnly(expression),
    item: (item: Select["items"][number]) =>
      item.kind === "item" ? { ...item, expression: expression(item.expression) } : item,
  };
  const orderBy = query.orderBy.map((item) => ({ ...item, expression: expression(item.expression) }));
  return { ...query, body: mapBody(query.body, mapper), orderBy };
}

/** All keys of a group together distinguish it from other groups. */
function tellsGroupsApart({ partitionBy, orderBy }: Window, { groupBy, items }: Select): boolean {
  if (groupBy === undefined) return false;
  const told = [...partitionBy, ...orderBy.map(({ expression }) => expression)];
  return groupBy.every((element) => {
    if (element.kind !== "expression") return false;
    const item = element.expression.kind === "number" ? items[Number(element.expression.text) - 1] : undefined;
    const grouped = item?.kind === "item" ? item.expression : element.expression;
    return told.some((key) => sameExpression(key, grouped));
  });
}

/** The query whose running aggregates up to peers count the rows of a derived table; it has no groups. */
export function withPeersNumbered(query: Query, fresh: (prefix: string) => string): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || !someOutside(query, isRunning) || !isPlain(query, body)) return query;
  const peers = new Peers(fresh("_p"));
  const items = body.items.map((item) =>
    item.kind === "item" ? replaced(item, peers.outside(item.expression)) : item,
  );
  const outside: Select = {
    ...body,
    items,
    from: [],
    where: undefined,
    qualify: body.qualify && peers.outside(body.qualify),
  };
  const sorted = orderBy.map((item): SortItem => ({ ...item, expression: peers.outside(item.expression) }));
  return { ...query, body: { ...outside, from: [peers.table(body)] }, orderBy: sorted };
}

/** Aggregates whose value for many rows follows from their values for parts of these rows. */
const IN_PARTS: ReadonlySet<string> = new Set(["sum", "count", "min", "max"]);

function isRunning(node: Expression): node is WindowCall {
  if (!isOfPeers(node) || !IN_PARTS.has(functionName(node))) return false;
  const { start, end } = boundsOf(node.over);
  const { kind, bits } = { bits: undefined, ...typeOrUnknown(node) };
  if (node.over.frame?.exclude !== undefined || (kind === "float" && bits === 32)) return false;
  return start.kind === "unbounded-preceding" && end.kind === "current-row";
}

function isPlain(query: Query, select: Select): boolean {
  const isOther = (node: Expression): boolean =>
    (node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)))) || makesRows(node);
  return (
    select.groupBy === undefined &&
    select.having === undefined &&
    select.windows.length === 0 &&
    (select.distinct === undefined || select.distinct.length === 0) &&
    select.from.length > 0 &&
    select.items.every(({ kind }) => kind === "item") &&
    !someOutside(query, (node) => isOther(node) || isVolatile(node)) &&
    !someOutside(query, (each) => someNode(each, ({ kind }) => kind === "query")) &&
    !isCorrelated(query)
  );
}

/** The rows of a SELECT with the group of peers of each. */
class Peers {
  readonly #rows: DerivedRows;

  constructor(alias: string) {
    this.#rows = new DerivedRows(alias);
  }

  /** The expression over the numbered rows. */
  readonly outside = (expression: Expression): Expression => {
    if (isRunning(expression)) return this.#running(expression);
    if (expression.kind === "bound") return this.#rows.holding(expression, expression.column.printedName);
    return mapExpression(expression, this.#mapper);
  };

  readonly #mapper = expressionsOnly(this.outside);

  #running(node: WindowCall): Expression {
    const { over, span } = node;
    const partitionBy = [...over.partitionBy, ...over.orderBy.map(({ expression }) => expression)];
    const window: Window = { base: undefined, named: false, partitionBy, orderBy: [], frame: undefined, span };
    const group = this.#rows.holding({ ...node, over: window }, "g");
    const numbered = { ...call("row_number", [], typed(BIGINT, node)), over: { ...window, orderBy: over.orderBy } };
    const number = this.#rows.holding(numbered, "r", false);
    const isFirst = comparison(number, "=", integer(1, node), node);
    const once = when(isFirst, group, undefined, inPlaceOf(group));
    const place: SortItem = { expression: number, direction: undefined, nulls: undefined, span };
    const running: Window = {
      ...window,
      partitionBy: over.partitionBy.map(this.outside),
      orderBy: [...over.orderBy.map((item) => ({ ...item, expression: this.outside(item.expression) })), place],
      frame: { unit: "rows", ...boundsOf(over), exclude: undefined, span },
    };
    const name = functionName(node);
    const outer = withArguments({ ...node, star: false, filter: undefined, over: running }, [once]);
    if (name !== "count" && typeOrUnknown(node).kind !== "integer") return outer;
    if (name === "min" || name === "max") return outer;
    return cast({ ...renamed(outer, "sum"), type: NUMERIC }, "bigint", typed(BIGINT, node));
  }

  table({ from, where, span }: Select) {
    return this.#rows.table(queryOf(selectOf({ items: this.#rows.items, from, where }, { span })));
  }
}
