/** The same node over other children: the one place that knows every node's shape for a rewrite. */
import type { Call, Expression, FrameBound, GroupingElement, Query, SortItem, Window } from "../syntax/tree.ts";

export interface ChildRewrites {
  readonly expression: (child: Expression) => Expression;
  readonly sortItem: (item: SortItem) => SortItem;
  readonly query: (query: Query) => Query;
}

export function rebuildChildren(node: Expression, rewrite: ChildRewrites): Expression {
  const on = rewrite.expression;
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
      return { ...node, value: on(node.value) };
    case "unary":
    case "is":
    case "cast":
    case "extract":
    case "field":
    case "collate":
      return { ...node, operand: on(node.operand) };
    case "binary":
      return { ...node, left: on(node.left), right: on(node.right) };
    case "logical":
      return { ...node, operands: node.operands.map(on) };
    case "like":
      return { ...node, operand: on(node.operand), pattern: on(node.pattern), escape: node.escape && on(node.escape) };
    case "between":
      return { ...node, operand: on(node.operand), low: on(node.low), high: on(node.high) };
    case "in-list":
      return { ...node, operand: on(node.operand), list: node.list.map(on) };
    case "in-query":
      return { ...node, operand: on(node.operand), query: rewrite.query(node.query) };
    case "quantified":
      return {
        ...node,
        operand: on(node.operand),
        query: node.query && rewrite.query(node.query),
        array: node.array && on(node.array),
      };
    case "exists":
    case "array-query":
    case "scalar-query":
      return { ...node, query: rewrite.query(node.query) };
    case "case":
      return {
        ...node,
        operand: node.operand && on(node.operand),
        branches: node.branches.map((branch) => ({ when: on(branch.when), then: on(branch.then) })),
        otherwise: node.otherwise && on(node.otherwise),
      };
    case "call":
      return rebuildCall(node, rewrite);
    case "array":
    case "row":
      return { ...node, elements: node.elements.map(on) };
    case "subscript":
      return { ...node, operand: on(node.operand), index: on(node.index) };
    case "slice":
      return { ...node, operand: on(node.operand), from: node.from && on(node.from), to: node.to && on(node.to) };
    case "at-time-zone":
      return { ...node, operand: on(node.operand), zone: on(node.zone) };
    default:
      return node satisfies never;
  }
}

export function rebuildCall(call: Call, rewrite: ChildRewrites): Call {
  return {
    ...call,
    arguments: call.arguments.map((argument) => ({ ...argument, value: rewrite.expression(argument.value) })),
    orderBy: call.orderBy.map(rewrite.sortItem),
    // The order of an ordered-set aggregate ignores NULLs; only the values matter.
    withinGroup: call.withinGroup.map((item) => ({
      ...item,
      nulls: undefined,
      expression: rewrite.expression(item.expression),
    })),
    filter: call.filter && rewrite.expression(call.filter),
    over: call.over && rebuildWindow(call.over, rewrite),
  };
}

export function rebuildWindow(window: Window, rewrite: Omit<ChildRewrites, "query">): Window {
  const bound = (each: FrameBound): FrameBound =>
    "offset" in each ? { ...each, offset: rewrite.expression(each.offset) } : each;
  const { frame } = window;
  return {
    ...window,
    partitionBy: window.partitionBy.map(rewrite.expression),
    orderBy: window.orderBy.map(rewrite.sortItem),
    frame: frame && { ...frame, start: bound(frame.start), end: frame.end && bound(frame.end) },
  };
}

export function rebuildGrouping(element: GroupingElement, on: (expression: Expression) => Expression): GroupingElement {
  switch (element.kind) {
    case "empty":
      return element;
    case "expression":
      return { ...element, expression: on(element.expression) };
    case "keys":
      return { ...element, expressions: element.expressions.map(on) };
    case "sets":
    case "rollup":
    case "cube":
      return { ...element, elements: element.elements.map((each) => rebuildGrouping(each, on)) };
    default:
      return element satisfies never;
  }
}
