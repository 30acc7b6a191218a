/**
 * Rewrites that keep a node's identity when nothing below it changed. This file maps the children of each kind of node;
 * walk.ts only reads them. A plan does either some dozen times for each of its nodes.
 */
import { countStep } from "../plan-budget.ts";
import type {
  Call,
  Expression,
  Frame,
  FrameBound,
  GroupingElement,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SortItem,
  TableExpression,
  Window,
  With,
} from "./tree.ts";

/**
 * Mappers for each kind of child. Parts without a kind of their own (sort items, windows, grouping elements, common
 * tables, the call of a table function) are transparent: their expressions and queries count as children of the node.
 */
export interface ChildMapper {
  readonly expression: (child: Expression) => Expression;
  readonly query: (child: Query) => Query;
  readonly body: (child: QueryBody) => QueryBody;
  readonly table: (child: TableExpression) => TableExpression;
  readonly item: (child: SelectItem) => SelectItem;
}

/** The expression with its children mapped; the same object when every child is the same. */
export function mapExpression(node: Expression, mapper: ChildMapper): Expression {
  countStep();
  const map = mapper.expression;
  switch (node.kind) {
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "bits":
    case "typed":
    case "column":
    case "session":
    case "bound":
    case "opaque":
      return node;
    case "interval":
      return update(node, { value: map(node.value) });
    case "unary":
    case "is":
    case "cast":
    case "extract":
    case "field":
    case "collate": {
      const operand = map(node.operand);
      return operand === node.operand ? node : { ...node, operand };
    }
    case "binary": {
      const left = map(node.left);
      const right = map(node.right);
      return left === node.left && right === node.right ? node : { ...node, left, right };
    }
    case "logical": {
      const operands = mapList(node.operands, map);
      return operands === node.operands ? node : { ...node, operands };
    }
    case "like": {
      const operand = map(node.operand);
      const pattern = map(node.pattern);
      const escape = mapOptional(node.escape, map);
      const isSame = operand === node.operand && pattern === node.pattern && escape === node.escape;
      return isSame ? node : { ...node, operand, pattern, escape };
    }
    case "between": {
      const operand = map(node.operand);
      const low = map(node.low);
      const high = map(node.high);
      const isSame = operand === node.operand && low === node.low && high === node.high;
      return isSame ? node : { ...node, operand, low, high };
    }
    case "in-list": {
      const operand = map(node.operand);
      const list = mapList(node.list, map);
      return operand === node.operand && list === node.list ? node : { ...node, operand, list };
    }
    case "in-query":
      return update(node, { operand: map(node.operand), query: mapper.query(node.query) });
    case "quantified":
      return update(node, {
        operand: map(node.operand),
        query: mapOptional(node.query, mapper.query),
        array: mapOptional(node.array, map),
      });
    case "exists":
    case "array-query":
    case "scalar-query": {
      const query = mapper.query(node.query);
      return query === node.query ? node : { ...node, query };
    }
    case "case": {
      const operand = mapOptional(node.operand, map);
      const branches = mapList(node.branches, (branch) => {
        const when = map(branch.when);
        const then = map(branch.then);
        return when === branch.when && then === branch.then ? branch : { ...branch, when, then };
      });
      const otherwise = mapOptional(node.otherwise, map);
      const isSame = operand === node.operand && branches === node.branches && otherwise === node.otherwise;
      return isSame ? node : { ...node, operand, branches, otherwise };
    }
    case "call":
      return mapCall(node, map);
    case "array":
    case "row":
      return update(node, { elements: mapList(node.elements, map) });
    case "spelled": {
      const parts = mapList(node.parts, map);
      return parts === node.parts ? node : { ...node, parts };
    }
    case "subscript":
      return update(node, { operand: map(node.operand), index: map(node.index) });
    case "slice":
      return update(node, {
        operand: map(node.operand),
        from: mapOptional(node.from, map),
        to: mapOptional(node.to, map),
      });
    case "at-time-zone":
      return update(node, { operand: map(node.operand), zone: map(node.zone) });
    default:
      return node satisfies never;
  }
}

/** A call with its arguments, sort keys, filter and window mapped. */
export function mapCall(node: Call, map: (child: Expression) => Expression): Call {
  const mapped = mapList(node.arguments, (argument) => {
    const value = map(argument.value);
    return value === argument.value ? argument : { ...argument, value };
  });
  const isPlain = node.orderBy.length + node.withinGroup.length === 0 && !node.filter && !node.over;
  if (isPlain) return mapped === node.arguments ? node : { ...node, arguments: mapped };
  const orderBy = mapSort(node.orderBy, map);
  const withinGroup = mapSort(node.withinGroup, map);
  const filter = mapOptional(node.filter, map);
  const over = node.over && mapWindow(node.over, map);
  const isSame =
    mapped === node.arguments &&
    orderBy === node.orderBy &&
    withinGroup === node.withinGroup &&
    filter === node.filter &&
    over === node.over;
  return isSame ? node : { ...node, arguments: mapped, orderBy, withinGroup, filter, over };
}

function mapSort(items: readonly SortItem[], map: (child: Expression) => Expression): readonly SortItem[] {
  return mapList(items, (item) => {
    const expression = map(item.expression);
    return expression === item.expression ? item : { ...item, expression };
  });
}

export function mapWindow(window: Window, map: (child: Expression) => Expression): Window {
  const partitionBy = mapList(window.partitionBy, map);
  const orderBy = mapSort(window.orderBy, map);
  const frame = mapOptional(window.frame, (each) => mapFrame(each, map));
  const isSame = partitionBy === window.partitionBy && orderBy === window.orderBy && frame === window.frame;
  return isSame ? window : { ...window, partitionBy, orderBy, frame };
}

function mapFrame(frame: Frame, map: (child: Expression) => Expression): Frame {
  const mapBound = (bound: FrameBound): FrameBound =>
    bound.kind === "preceding" || bound.kind === "following" ? update(bound, { offset: map(bound.offset) }) : bound;
  return update(frame, { start: mapBound(frame.start), end: mapOptional(frame.end, mapBound) });
}

/** The query with its common tables, body, sort keys and limits mapped. */
export function mapQuery(node: Query, mapper: ChildMapper): Query {
  countStep();
  const mapWith = (common: With): With =>
    update(common, {
      tables: mapList(common.tables, (table) => update(table, { query: mapper.query(table.query) })),
    });
  const { body, orderBy } = node;
  const common = mapOptional(node.with, mapWith);
  const mappedBody = mapper.body(body);
  const mappedOrder = mapSort(orderBy, mapper.expression);
  const limit = mapOptional(node.limit, (each) => update(each, { count: mapper.expression(each.count) }));
  const offset = mapOptional(node.offset, mapper.expression);
  const isSame =
    mappedBody === body &&
    mappedOrder === orderBy &&
    common === node.with &&
    limit === node.limit &&
    offset === node.offset;
  return isSame ? node : { ...node, with: common, body: mappedBody, orderBy: mappedOrder, limit, offset };
}

export function mapBody(node: QueryBody, mapper: ChildMapper): QueryBody {
  countStep();
  const map = mapper.expression;
  switch (node.kind) {
    case "select":
      return mapSelect(node, mapper);
    case "set":
      return update(node, { left: mapper.body(node.left), right: mapper.body(node.right) });
    case "values":
      return update(node, { rows: mapList(node.rows, (row) => mapList(row, map)) });
    case "nested":
      return update(node, { query: mapper.query(node.query) });
    default:
      return node satisfies never;
  }
}

function mapSelect(node: Select, mapper: ChildMapper): Select {
  const map = mapper.expression;
  const distinct = mapOptional(node.distinct, (keys) => mapList(keys, map));
  const items = mapList(node.items, mapper.item);
  const from = mapList(node.from, mapper.table);
  const where = mapOptional(node.where, map);
  const groupBy = mapOptional(node.groupBy, (elements) => mapList(elements, (element) => mapGrouping(element, map)));
  const having = mapOptional(node.having, map);
  const windows = mapList(node.windows, (named) => update(named, { window: mapWindow(named.window, map) }));
  const qualify = mapOptional(node.qualify, map);
  const isSame =
    items === node.items &&
    from === node.from &&
    where === node.where &&
    groupBy === node.groupBy &&
    having === node.having &&
    distinct === node.distinct &&
    windows === node.windows &&
    qualify === node.qualify;
  return isSame ? node : { ...node, distinct, items, from, where, groupBy, having, windows, qualify };
}

function mapGrouping(element: GroupingElement, map: (child: Expression) => Expression): GroupingElement {
  switch (element.kind) {
    case "expression": {
      const expression = map(element.expression);
      return expression === element.expression ? element : { ...element, expression };
    }
    case "keys":
      return update(element, { expressions: mapList(element.expressions, map) });
    case "empty":
      return element;
    case "sets":
    case "rollup":
    case "cube":
      return update(element, { elements: mapList(element.elements, (inner) => mapGrouping(inner, map)) });
    default:
      return element satisfies never;
  }
}

export function mapTable(node: TableExpression, mapper: ChildMapper): TableExpression {
  countStep();
  switch (node.kind) {
    case "table":
    case "bound-model":
    case "bound-common":
    case "physical-table":
    case "opaque-table":
      return node;
    case "derived": {
      const query = mapper.query(node.query);
      return query === node.query ? node : { ...node, query };
    }
    case "function":
      return update(node, { call: mapCall(node.call, mapper.expression) });
    case "join": {
      const left = mapper.table(node.left);
      const right = mapper.table(node.right);
      const on = mapOptional(node.on, mapper.expression);
      return left === node.left && right === node.right && on === node.on ? node : { ...node, left, right, on };
    }
    case "ruled":
      return update(node, {
        items: mapList(node.items, (item) => update(item, { expression: mapper.expression(item.expression) })),
        from: mapper.table(node.from),
        where: mapList(node.where, mapper.expression),
        pushed: mapList(node.pushed, mapper.expression),
      });
    case "aliased-join":
      return update(node, { join: mapper.table(node.join) });
    default:
      return node satisfies never;
  }
}

function mapItem(node: SelectItem, mapper: ChildMapper): SelectItem {
  countStep();
  switch (node.kind) {
    case "item": {
      const expression = mapper.expression(node.expression);
      return expression === node.expression ? node : { ...node, expression };
    }
    case "star":
      return update(node, {
        replace: mapList(node.replace, (part) => update(part, { expression: mapper.expression(part.expression) })),
      });
    default:
      return node satisfies never;
  }
}

/** Returns the node itself when the changes equal its current members. */
function update<N extends object>(node: N, changes: Partial<N>): N {
  for (const key in changes) {
    if (changes[key] !== node[key]) {
      return { ...node, ...changes };
    }
  }
  return node;
}

/** The list itself when every element maps to itself. */
function mapList<T>(list: readonly T[], map: (element: T) => T): readonly T[] {
  let result: T[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const element = list[i] as T;
    const mapped = map(element);
    if (result === undefined && mapped !== element) {
      result = list.slice(0, i);
    }
    result?.push(mapped);
  }
  return result ?? list;
}

function mapOptional<T>(value: T | undefined, map: (value: T) => T): T | undefined {
  return value === undefined ? undefined : map(value);
}

// ------------------------------------------------------------------------------------------------- rewriting

/**
 * A rewrite for each kind of node; kinds without one stay unchanged. Each rewrite receives a node whose children have
 * been rewritten.
 */
export interface Rewrite {
  readonly expression?: (node: Expression) => Expression;
  readonly query?: (node: Query) => Query;
  readonly body?: (node: QueryBody) => QueryBody;
  readonly table?: (node: TableExpression) => TableExpression;
  readonly item?: (node: SelectItem) => SelectItem;
}

/** The query with every node below it rewritten, innermost first; the same object when no rewrite changed anything. */
export function transformQuery(query: Query, rewrite: Rewrite): Query {
  return transformer(rewrite).query(query);
}

/** Like `transformQuery`, for an expression and the queries inside it. */
export function transformExpression(expression: Expression, rewrite: Rewrite): Expression {
  return transformer(rewrite).expression(expression);
}

/** Like `transformQuery`, for a table and everything inside it. */
export function transformTable(table: TableExpression, rewrite: Rewrite): TableExpression {
  return transformer(rewrite).table(table);
}

function transformer(rewrite: Rewrite): ChildMapper {
  const same = <N>(node: N): N => node;
  const { expression = same, query = same, body = same, table = same, item = same } = rewrite;
  const mapper: ChildMapper = {
    expression: (node) => expression(mapExpression(node, mapper)),
    query: (node) => query(mapQuery(node, mapper)),
    body: (node) => body(mapBody(node, mapper)),
    table: (node) => table(mapTable(node, mapper)),
    item: (node) => item(mapItem(node, mapper)),
  };
  return mapper;
}

/** Leaves queries as they are: their names have a scope of their own. */
export function expressionsOnly(expression: (child: Expression) => Expression): ChildMapper {
  return {
    expression,
    query: (child) => child,
    body: (child) => child,
    table: (child) => child,
    item: (child) => child,
  };
}
