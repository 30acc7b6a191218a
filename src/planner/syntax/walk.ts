/**
 * Children of nodes, and rewrites that keep a node's identity when nothing below it changed. The shape of every node is
 * written down once, in `mapExpression`, `mapQuery`, `mapBody`, `mapTable` and `mapItem`; everything else is built on them.
 */
import type {
  Call,
  Expression,
  Frame,
  FrameBound,
  GroupingElement,
  Query,
  QueryBody,
  SelectItem,
  SortItem,
  TableExpression,
  Window,
  With,
} from "./tree.ts";

export type SyntaxNode = Expression | Query | QueryBody | TableExpression | SelectItem;

/**
 * What becomes of each kind of child. Parts without a kind of their own (sort items, windows, grouping elements, common
 * tables, the call of a table function) are looked through: their expressions and queries count as children of the node.
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
    case "collate":
      return update(node, { operand: map(node.operand) });
    case "binary":
      return update(node, { left: map(node.left), right: map(node.right) });
    case "logical":
      return update(node, { operands: mapList(node.operands, map) });
    case "like":
      return update(node, {
        operand: map(node.operand),
        pattern: map(node.pattern),
        escape: mapOptional(node.escape, map),
      });
    case "between":
      return update(node, { operand: map(node.operand), low: map(node.low), high: map(node.high) });
    case "in-list":
      return update(node, { operand: map(node.operand), list: mapList(node.list, map) });
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
    case "scalar-query":
      return update(node, { query: mapper.query(node.query) });
    case "case":
      return update(node, {
        operand: mapOptional(node.operand, map),
        branches: mapList(node.branches, (branch) =>
          update(branch, { when: map(branch.when), then: map(branch.then) }),
        ),
        otherwise: mapOptional(node.otherwise, map),
      });
    case "call":
      return mapCall(node, map);
    case "array":
    case "row":
      return update(node, { elements: mapList(node.elements, map) });
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
  const mapped = mapList(node.arguments, (argument) => update(argument, { value: map(argument.value) }));
  const isPlain = node.orderBy.length + node.withinGroup.length === 0 && !node.filter && !node.over;
  if (isPlain) return mapped === node.arguments ? node : { ...node, arguments: mapped };
  return update(node, {
    arguments: mapped,
    orderBy: mapSort(node.orderBy, map),
    withinGroup: mapSort(node.withinGroup, map),
    filter: mapOptional(node.filter, map),
    over: mapOptional(node.over, (window) => mapWindow(window, map)),
  });
}

function mapSort(items: readonly SortItem[], map: (child: Expression) => Expression): readonly SortItem[] {
  return mapList(items, (item) => update(item, { expression: map(item.expression) }));
}

export function mapWindow(window: Window, map: (child: Expression) => Expression): Window {
  return update(window, {
    partitionBy: mapList(window.partitionBy, map),
    orderBy: mapSort(window.orderBy, map),
    frame: mapOptional(window.frame, (frame) => mapFrame(frame, map)),
  });
}

function mapFrame(frame: Frame, map: (child: Expression) => Expression): Frame {
  const mapBound = (bound: FrameBound): FrameBound =>
    bound.kind === "preceding" || bound.kind === "following" ? update(bound, { offset: map(bound.offset) }) : bound;
  return update(frame, { start: mapBound(frame.start), end: mapOptional(frame.end, mapBound) });
}

/** The query with its common tables, body, sort keys and limits mapped. */
export function mapQuery(node: Query, mapper: ChildMapper): Query {
  const mapWith = (common: With): With =>
    update(common, {
      tables: mapList(common.tables, (table) => update(table, { query: mapper.query(table.query) })),
    });
  return update(node, {
    with: mapOptional(node.with, mapWith),
    body: mapper.body(node.body),
    orderBy: mapSort(node.orderBy, mapper.expression),
    limit: mapOptional(node.limit, (limit) => update(limit, { count: mapper.expression(limit.count) })),
    offset: mapOptional(node.offset, mapper.expression),
  });
}

export function mapBody(node: QueryBody, mapper: ChildMapper): QueryBody {
  const map = mapper.expression;
  switch (node.kind) {
    case "select":
      return update(node, {
        distinct: mapOptional(node.distinct, (keys) => mapList(keys, map)),
        items: mapList(node.items, mapper.item),
        from: mapList(node.from, mapper.table),
        where: mapOptional(node.where, map),
        groupBy: mapOptional(node.groupBy, (elements) => mapList(elements, (element) => mapGrouping(element, map))),
        having: mapOptional(node.having, map),
        windows: mapList(node.windows, (named) => update(named, { window: mapWindow(named.window, map) })),
        qualify: mapOptional(node.qualify, map),
      });
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

function mapGrouping(element: GroupingElement, map: (child: Expression) => Expression): GroupingElement {
  switch (element.kind) {
    case "expression":
      return update(element, { expression: map(element.expression) });
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

/** What rows are grouped by, in the order in which it is written. */
export function groupedBy(element: GroupingElement): readonly Expression[] {
  switch (element.kind) {
    case "expression":
      return [element.expression];
    case "empty":
      return [];
    case "keys":
      return element.expressions;
    case "sets":
    case "rollup":
    case "cube":
      return element.elements.flatMap(groupedBy);
    default:
      return element satisfies never;
  }
}

export function mapTable(node: TableExpression, mapper: ChildMapper): TableExpression {
  switch (node.kind) {
    case "table":
    case "bound-model":
    case "bound-common":
    case "physical-table":
    case "opaque-table":
      return node;
    case "derived":
      return update(node, { query: mapper.query(node.query) });
    case "function":
      return update(node, { call: mapCall(node.call, mapper.expression) });
    case "join":
      return update(node, {
        left: mapper.table(node.left),
        right: mapper.table(node.right),
        on: mapOptional(node.on, mapper.expression),
      });
    case "aliased-join":
      return update(node, { join: mapper.table(node.join) });
    default:
      return node satisfies never;
  }
}

function mapItem(node: SelectItem, mapper: ChildMapper): SelectItem {
  switch (node.kind) {
    case "item":
      return update(node, { expression: mapper.expression(node.expression) });
    case "star":
      return update(node, {
        replace: mapList(node.replace, (part) => update(part, { expression: mapper.expression(part.expression) })),
      });
    default:
      return node satisfies never;
  }
}

/** The node itself when every change is what it already holds. */
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

/** A rewrite of each kind of node; what is absent stays. Every node comes with its children rewritten already. */
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

/** As `transformQuery`, for an expression and the queries inside it. */
export function transformExpression(expression: Expression, rewrite: Rewrite): Expression {
  return transformer(rewrite).expression(expression);
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

// --------------------------------------------------------------------------------------------------- reading

/** As `forEachChild`, made once for all the nodes of a tree. */
export function childReader(visit: (child: SyntaxNode) => void): (node: SyntaxNode) => void {
  const see = <N extends SyntaxNode>(child: N): N => {
    visit(child);
    return child;
  };
  const mapper: ChildMapper = { expression: see, query: see, body: see, table: see, item: see };
  return (node) => void mapNode(node, mapper);
}

function mapNode(node: SyntaxNode, mapper: ChildMapper): SyntaxNode {
  switch (node.kind) {
    case "query":
      return mapQuery(node, mapper);
    case "select":
    case "set":
    case "values":
    case "nested":
      return mapBody(node, mapper);
    case "table":
    case "bound-model":
    case "bound-common":
    case "physical-table":
    case "derived":
    case "function":
    case "join":
    case "aliased-join":
    case "opaque-table":
      return mapTable(node, mapper);
    case "item":
    case "star":
      return mapItem(node, mapper);
    default:
      return mapExpression(node, mapper);
  }
}

/** Calls `visit` for each direct child of `node`, in the order of the text. */
export function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  childReader(visit)(node);
}

/** Visits a node and everything below it, outermost first; returning `false` leaves out what is below. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => boolean | undefined): void {
  const see = (each: SyntaxNode): void => {
    if (visit(each) !== false) readChildren(each);
  };
  const readChildren = childReader(see);
  see(node);
}

/** The expressions directly below an expression; queries inside it have a scope of their own and are left out. */
export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    // The most frequent ones, for which a mapper is a lot of work.
    case "bound":
    case "number":
    case "string":
    case "typed":
      return [];
    case "column":
      return [];
    case "binary":
      return [expression.left, expression.right];
    case "logical":
      return expression.operands;
    default:
      break;
  }
  const found: Expression[] = [];
  const mapper = expressionsOnly((child) => {
    found.push(child);
    return child;
  });
  mapExpression(expression, mapper);
  return found;
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

/** Whether `test` holds for the expression or anything below it, queries inside it left out. */
export function someExpression(expression: Expression, test: (expression: Expression) => boolean): boolean {
  return test(expression) || children(expression).some((child) => someExpression(child, test));
}

/** The parts of an AND chain. */
export function conjuncts(expression: Expression): readonly Expression[] {
  return expression.kind === "logical" && expression.operator === "and"
    ? expression.operands.flatMap(conjuncts)
    : [expression];
}
