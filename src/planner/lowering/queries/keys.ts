/**
 * Keys for sorting, grouping and distinguishing rows, for targets that treat equal values as different: quotients of decimals are
 * doubles on DuckDB, where 0.7 / 7 and 0.1 / 1 differ. Every clause that compares rows uses the key, including references of a
 * grouped query to its keys. Explicit comparisons are rewritten by the target.
 */
import { ExpressionMap } from "../../binding/same.ts";
import { type ChildMapper, expressionsOnly, mapBody, mapExpression } from "../../syntax/rewrite.ts";
import type { Call, Expression, Query, QueryBody, Select, SortItem, Window } from "../../syntax/tree.ts";
import { groupedByAll } from "../../syntax/walk.ts";

/** The key by which rows are compared; the value itself if the target compares it correctly. */
export type KeyOf = (expression: Expression) => Expression;

/** Keys for distinguishing rows, and for sorting them. */
export interface Keys {
  readonly keyOf: KeyOf;
  readonly sortOf: KeyOf;
}

/** Rewrites one level of a query, bound and not lowered yet. */
export function withKeys(query: Query, keys: Keys): Query {
  const { keyOf, sortOf } = keys;
  const { body, orderBy } = query;
  if (body.kind !== "select") {
    // Positions sort by the columns of the branches.
    const keyed = branch(body, orderBy.length > 0, keys);
    return keyed === body ? query : { ...query, body: keyed };
  }
  const naming = namingKeys(body, keyOf);
  const sorted = orderBy.map((item) => sortKey(naming === undefined ? item : sortKey(item, naming), sortOf));
  const select = selectWithKeys(body, false, keys, naming);
  const isSame = select === body && sorted.every((item, index) => item === orderBy[index]);
  return isSame ? query : { ...query, body: select, orderBy: sorted };
}

/** The keys of an aggregate or window function; distinct arguments are compared too. */
export function callWithKeys(call: Call, keys: Keys): Call {
  const { keyOf, sortOf } = keys;
  const { over, distinct } = call;
  if (!distinct && over === undefined && call.orderBy.length === 0 && call.withinGroup.length === 0) return call;
  return {
    ...call,
    arguments: distinct ? call.arguments.map((each) => ({ ...each, value: keyOf(each.value) })) : call.arguments,
    orderBy: call.orderBy.map((item) => sortKey(item, sortOf)),
    withinGroup: call.withinGroup.map((item) => sortKey(item, sortOf)),
    over: over && windowKeys(over, keys),
  };
}

/** The columns of a query as keys, for a comparison with its rows. */
export function columnsAsKeys(body: QueryBody, keyOf: KeyOf): QueryBody {
  switch (body.kind) {
    case "select":
      return itemsAsKeys(body, keyOf);
    case "values": {
      const rows = body.rows.map((row) => mapped(row, keyOf));
      return rows.every((row, index) => row === body.rows[index]) ? body : { ...body, rows };
    }
    case "set": {
      const [left, right] = [columnsAsKeys(body.left, keyOf), columnsAsKeys(body.right, keyOf)];
      return left === body.left && right === body.right ? body : { ...body, left, right };
    }
    case "nested": {
      const inner = columnsAsKeys(body.query.body, keyOf);
      return inner === body.query.body ? body : { ...body, query: { ...body.query, body: inner } };
    }
    default:
      return body satisfies never;
  }
}

function mapped(expressions: readonly Expression[], keyOf: KeyOf): readonly Expression[] {
  const keys = expressions.map(keyOf);
  return keys.every((key, index) => key === expressions[index]) ? expressions : keys;
}

function branch(body: QueryBody, isCompared: boolean, keys: Keys): QueryBody {
  const { keyOf } = keys;
  switch (body.kind) {
    case "select":
      return selectWithKeys(body, isCompared, keys, namingKeys(body, keyOf));
    case "set": {
      const compares = isCompared || body.operator !== "union" || !body.all;
      const [left, right] = [branch(body.left, compares, keys), branch(body.right, compares, keys)];
      return left === body.left && right === body.right ? body : { ...body, left, right };
    }
    case "values":
    case "nested":
      // Nested queries are rewritten when they are lowered.
      return isCompared ? columnsAsKeys(body, keyOf) : body;
    default:
      return body satisfies never;
  }
}

function selectWithKeys(select: Select, isCompared: boolean, keys: Keys, naming: KeyOf | undefined): Select {
  const { keyOf } = keys;
  const isPlain = naming === undefined && !isCompared && select.distinct === undefined && select.windows.length === 0;
  if (isPlain) return select;
  const grouped = naming === undefined ? select : grouping(select, naming);
  const windows = grouped.windows.map((named) => ({ ...named, window: windowKeys(named.window, keys) }));
  const isDistinct = grouped.distinct !== undefined && grouped.distinct.length === 0;
  const keyed: Select = {
    ...(isCompared || isDistinct ? itemsAsKeys(grouped, keyOf) : grouped),
    windows: grouped.windows.length === 0 ? grouped.windows : windows,
    distinct: grouped.distinct && mapped(grouped.distinct, keyOf),
  };
  const isSame = keyed.items === select.items && keyed.distinct === select.distinct && windows.length === 0;
  return isSame && grouped === select ? select : keyed;
}

function itemsAsKeys(select: Select, keyOf: KeyOf): Select {
  let isSame = true;
  const items = select.items.map((item) => {
    if (item.kind !== "item") return item;
    const expression = keyOf(item.expression);
    if (expression === item.expression) return item;
    isSame = false;
    return { ...item, expression };
  });
  return isSame ? select : { ...select, items };
}

/** Replaces each grouping expression by its key; `undefined` if no grouping needs one. */
function namingKeys(select: Select, keyOf: KeyOf): KeyOf | undefined {
  if (select.groupBy === undefined) return undefined;
  let keys: ExpressionMap<Expression> | undefined;
  for (const expression of groupedByAll(select.groupBy)) {
    const key = keyOf(expression);
    if (key === expression) continue;
    keys ??= new ExpressionMap();
    keys.add(expression, key);
    keys.add(key, key);
  }
  if (keys === undefined) return undefined;
  const named = keys;
  const name: KeyOf = (expression) => named.get(expression) ?? mapExpression(expression, expressionsOnly(name));
  return name;
}

function grouping(select: Select, naming: KeyOf): Select {
  const named = mapBody({ ...select, where: undefined, from: [] }, mapperOf(naming));
  return named.kind === "select" ? { ...named, where: select.where, from: select.from } : select;
}

function mapperOf(expression: KeyOf): ChildMapper {
  return {
    ...expressionsOnly(expression),
    item: (item) => (item.kind === "item" ? { ...item, expression: expression(item.expression) } : item),
  };
}

function windowKeys(window: Window, { keyOf, sortOf }: Keys): Window {
  return {
    ...window,
    partitionBy: mapped(window.partitionBy, keyOf),
    orderBy: window.orderBy.map((item) => sortKey(item, sortOf)),
  };
}

function sortKey(item: SortItem, keyOf: KeyOf): SortItem {
  const expression = keyOf(item.expression);
  return expression === item.expression ? item : { ...item, expression };
}
