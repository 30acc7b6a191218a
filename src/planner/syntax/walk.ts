/** Reads trees: the children of each kind of node, in the order of the text. rewrite.ts changes trees. */
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
} from "./tree.ts";

export type SyntaxNode = Expression | Query | QueryBody | TableExpression | SelectItem;

type Test<N extends SyntaxNode> = (child: N) => boolean;

/**
 * Whether `test` holds for a direct child of `node`; stops at the first match. Parts without a kind of their own (sort
 * items, windows, grouping elements, common tables, the call of a table function) are transparent: their expressions
 * and queries count as children of the node.
 */
export function someChild(node: SyntaxNode, test: Test<SyntaxNode>): boolean {
  countStep();
  switch (node.kind) {
    case "query":
      return (
        (node.with?.tables.some(({ query }) => test(query)) ?? false) ||
        test(node.body) ||
        someSorted(node.orderBy, test) ||
        (node.limit !== undefined && test(node.limit.count)) ||
        (node.offset !== undefined && test(node.offset))
      );
    case "select":
      return someOfSelect(node, test);
    case "set":
      return test(node.left) || test(node.right);
    case "values":
      return node.rows.some((row) => some(row, test));
    case "nested":
    case "derived":
      return test(node.query);
    case "table":
    case "bound-model":
    case "bound-common":
    case "physical-table":
    case "opaque-table":
      return false;
    case "function":
      return someOfCall(node.call, test);
    case "join":
      return test(node.left) || test(node.right) || (node.on !== undefined && test(node.on));
    case "ruled":
      return some(node.items, test) || test(node.from) || some(node.where, test) || some(node.pushed, test);
    case "aliased-join":
      return test(node.join);
    case "item":
      return test(node.expression);
    case "star":
      return node.replace.some(({ expression }) => test(expression));
    default:
      return someOfExpression(node, test);
  }
}

function someOfExpression(node: Expression, test: Test<Expression | Query>): boolean {
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
      return false;
    case "interval":
      return test(node.value);
    case "unary":
    case "is":
    case "cast":
    case "extract":
    case "field":
    case "collate":
      return test(node.operand);
    case "binary":
      return test(node.left) || test(node.right);
    case "logical":
      return some(node.operands, test);
    case "like":
      return test(node.operand) || test(node.pattern) || (node.escape !== undefined && test(node.escape));
    case "between":
      return test(node.operand) || test(node.low) || test(node.high);
    case "in-list":
      return test(node.operand) || some(node.list, test);
    case "in-query":
      return test(node.operand) || test(node.query);
    case "quantified":
      return (
        test(node.operand) ||
        (node.query !== undefined && test(node.query)) ||
        (node.array !== undefined && test(node.array))
      );
    case "exists":
    case "array-query":
    case "scalar-query":
      return test(node.query);
    case "case":
      return (
        (node.operand !== undefined && test(node.operand)) ||
        node.branches.some((branch) => test(branch.when) || test(branch.then)) ||
        (node.otherwise !== undefined && test(node.otherwise))
      );
    case "call":
      return someOfCall(node, test);
    case "array":
    case "row":
      return some(node.elements, test);
    case "spelled":
      return some(node.parts, test);
    case "subscript":
      return test(node.operand) || test(node.index);
    case "slice":
      return (
        test(node.operand) || (node.from !== undefined && test(node.from)) || (node.to !== undefined && test(node.to))
      );
    case "at-time-zone":
      return test(node.operand) || test(node.zone);
    default:
      return node satisfies never;
  }
}

function someOfSelect(node: Select, test: Test<SyntaxNode>): boolean {
  return (
    (node.distinct !== undefined && some(node.distinct, test)) ||
    some(node.items, test) ||
    some(node.from, test) ||
    (node.where !== undefined && test(node.where)) ||
    (node.groupBy?.some((element) => someGrouped(element, test)) ?? false) ||
    (node.having !== undefined && test(node.having)) ||
    node.windows.some(({ window }) => someOfWindow(window, test)) ||
    (node.qualify !== undefined && test(node.qualify))
  );
}

function someOfCall(node: Call, test: Test<Expression>): boolean {
  for (const { value } of node.arguments) if (test(value)) return true;
  return (
    someSorted(node.orderBy, test) ||
    someSorted(node.withinGroup, test) ||
    (node.filter !== undefined && test(node.filter)) ||
    (node.over !== undefined && someOfWindow(node.over, test))
  );
}

function someOfWindow({ partitionBy, orderBy, frame }: Window, test: Test<Expression>): boolean {
  return some(partitionBy, test) || someSorted(orderBy, test) || (frame !== undefined && someOfFrame(frame, test));
}

function someOfFrame({ start, end }: Frame, test: Test<Expression>): boolean {
  return someOfBound(start, test) || (end !== undefined && someOfBound(end, test));
}

function someOfBound(bound: FrameBound, test: Test<Expression>): boolean {
  return "offset" in bound && test(bound.offset);
}

function someSorted(items: readonly SortItem[], test: Test<Expression>): boolean {
  for (const { expression } of items) if (test(expression)) return true;
  return false;
}

function someGrouped(element: GroupingElement, test: Test<Expression>): boolean {
  switch (element.kind) {
    case "expression":
      return test(element.expression);
    case "empty":
      return false;
    case "keys":
      return some(element.expressions, test);
    case "sets":
    case "rollup":
    case "cube":
      return element.elements.some((each) => someGrouped(each, test));
    default:
      return element satisfies never;
  }
}

/** `Array.some` as a plain loop: a tree has many short lists. */
function some<N extends SyntaxNode>(nodes: readonly N[], test: Test<N>): boolean {
  for (const node of nodes) if (test(node)) return true;
  return false;
}

/** Calls `visit` for each direct child of `node`, in the order of the text. */
export function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  someChild(node, (child) => {
    visit(child);
    return false;
  });
}

/** Visits a node and everything below it, outermost first; returning `false` leaves out what is below. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => boolean | undefined): void {
  const see = (each: SyntaxNode): false => {
    if (visit(each) !== false) someChild(each, see);
    return false;
  };
  see(node);
}

/** Whether `test` holds for the node or anything below it, the queries in it included. */
export function someNode(node: SyntaxNode, test: (node: SyntaxNode) => boolean): boolean {
  const see = (each: SyntaxNode): boolean => test(each) || someChild(each, see);
  return see(node);
}

/** The expressions directly below an expression, without queries, which have a scope of their own. */
export function children(expression: Expression): readonly Expression[] {
  const found: Expression[] = [];
  countStep();
  someOfExpression(expression, (child) => {
    if (child.kind !== "query") found.push(child);
    return false;
  });
  return found;
}

/** Whether `test` holds for the expression or anything below it, without the queries inside it. */
export function someExpression(expression: Expression, test: (expression: Expression) => boolean): boolean {
  const see = (each: Expression | Query): boolean => {
    countStep();
    return each.kind !== "query" && (test(each) || someOfExpression(each, see));
  };
  return see(expression);
}

/** The grouping keys, in the order in which they are written. */
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

/** The keys of all elements of a GROUP BY. `flatMap` is slow in V8, and most queries are asked for these several times. */
export function groupedByAll(elements: readonly GroupingElement[]): readonly Expression[] {
  const keys: Expression[] = [];
  for (const element of elements) {
    if (element.kind === "expression") keys.push(element.expression);
    else keys.push(...groupedBy(element));
  }
  return keys;
}

/** The parts of an AND chain. */
export function conjuncts(expression: Expression): readonly Expression[] {
  if (expression.kind !== "logical" || expression.operator !== "and") return [expression];
  const { operands } = expression;
  return operands.some(({ kind }) => kind === "logical") ? operands.flatMap(conjuncts) : operands;
}
