/**
 * Subqueries that name columns of the query around them. Snowflake makes joins of them, and documents which it has
 * (https://docs.snowflake.com/en/user-guide/querying-subqueries): those of one row by what they compute, without LIMIT, and EXISTS and IN in
 * WHERE. A scalar subquery that is no aggregate is made one, which raises where it has more than a row. What else is known to be refused
 * there ("Unsupported subquery type cannot be evaluated") is refused here, with what to write instead.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { isCorrelated, outerColumns, refuseFarColumns } from "../../lowering/queries/correlation.ts";
import { call, comparison, integer, text, typed, when } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { BoundColumn, Expression, Query, Select, SelectItem } from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, someExpression, walk } from "../../syntax/walk.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";

const WITH_A_JOIN = "Join the tables, and group or number the rows where some of them are wanted.";

type Position = "scalar-query" | "exists" | "in-query" | "lateral";

/** For a statement with subqueries. */
export function withKnownCorrelation(statement: Query): Query {
  const rewritten = transformQuery(statement, {
    expression: (node) => (node.kind === "scalar-query" ? { ...node, query: ofOneRow(node.query) } : node),
  });
  refuseFarColumns(rewritten);
  walk(rewritten, (node: SyntaxNode) => {
    if (node.kind === "select") refuseValues(node);
    if (node.kind === "join" && node.join !== "inner" && node.join !== "cross") refuseOuterLateral(node.right);
    if (node.kind === "derived" && node.lateral) refuseQuery(node.query, "lateral");
    if (node.kind === "exists" || node.kind === "scalar-query" || node.kind === "in-query")
      refuseQuery(node.query, node.kind);
    return true;
  });
  return rewritten;
}

const isAggregate = (each: Expression): boolean =>
  each.kind === "call" &&
  each.over === undefined &&
  (OWN.has(functionName(each)) || isAggregateCall(each, findFunction(functionName(each))));

/** Aggregates by their names there. */
export const OWN: ReadonlySet<string> = new Set(
  "listagg booland_agg boolor_agg bitand_agg bitor_agg bitxor_agg any_value count sum avg min max".split(" "),
);

function ofOneRow(query: Query): Query {
  const { body, limit, offset, with: common } = query;
  if (!isCorrelated(query) || body.kind !== "select" || limit !== undefined || offset !== undefined) return query;
  const [item, ...others] = body.items;
  const isPlain = body.groupBy === undefined && body.having === undefined && body.qualify === undefined;
  if (item?.kind !== "item" || others.length > 0 || !isPlain || body.distinct !== undefined || common !== undefined)
    return query;
  if (body.from.length === 0 || someExpression(item.expression, isAggregate)) return query;
  if (someExpression(item.expression, (each) => each.kind === "call" && each.over !== undefined)) return query;
  return { ...query, body: { ...body, items: [onlyOne(item)] }, orderBy: [] };
}

function onlyOne(item: SelectItem & { readonly kind: "item" }): SelectItem {
  const { expression } = item;
  const type = typeOrUnknown(expression);
  const count = call("count", [], typed(BIGINT, item));
  const isOne = comparison({ ...count, star: true }, "<=", integer(1, item), item);
  const value = call("any_value", [expression], typed(type, item));
  const none = call(
    "fail",
    [text("A subquery has more than one row", item), { ...count, star: true }],
    typed(type, item),
  );
  return { ...item, expression: when(isOne, value, none, typed(type, item)) };
}

function refused(what: string, { span }: BoundColumn) {
  return unsupported(`${what} in a subquery that names columns of the query around it`, span, WITH_A_JOIN);
}

function refuseQuery(query: Query, position: Position): void {
  const outer = new Set(outerColumns(query));
  const [first] = outer;
  if (first === undefined) return;
  const { body, limit, offset } = query;
  if (body.kind !== "select") throw refused("a set operation", first);
  if (limit !== undefined || offset !== undefined) throw refused("LIMIT or OFFSET", first);
  if (body.groupBy !== undefined || body.distinct !== undefined || body.qualify !== undefined) {
    throw refused("GROUP BY, DISTINCT or QUALIFY", first);
  }
  const items = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  if (items.some((each) => someExpression(each, (part) => part.kind === "call" && part.over !== undefined))) {
    throw refused("a window function", first);
  }
  if (position === "lateral" && body.from.length === 0 && body.where === undefined) return;
  refuseElsewhere(body, outer, position);
  if (position === "scalar-query" && !items.every((each) => someExpression(each, isAggregate))) {
    throw refused("a value of no aggregate", first);
  }
}

/** Columns of the query around stand in WHERE, each compared with what is the subquery's own. */
function refuseElsewhere(body: Select, outer: ReadonlySet<BoundColumn>, position: Position): void {
  const isOuter = (each: Expression): boolean => each.kind === "bound" && outer.has(each);
  const seen = new Set<SyntaxNode>();
  for (const condition of body.where === undefined ? [] : conjuncts(body.where)) {
    if (!someExpression(condition, isOuter)) continue;
    const isKnown =
      condition.kind === "binary" &&
      (position === "exists" || position === "in-query" ? COMPARISONS : EQUALITY).has(condition.operator) &&
      isApart(condition.left, condition.right, isOuter);
    if (!isKnown) throw refused("a condition but the comparison of two columns", firstIn(condition, outer));
    walk(condition, (node) => seen.add(node) !== undefined);
  }
  const other = [...outer].find((column) => !seen.has(column));
  if (other !== undefined) throw refused("a value computed with these", other);
}

const EQUALITY: ReadonlySet<string> = new Set(["="]);
const COMPARISONS: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** One side is of the query around alone, and the other of the subquery. */
function isApart(left: Expression, right: Expression, isOuter: (each: Expression) => boolean): boolean {
  const isInner = (each: Expression): boolean => each.kind === "bound" && !isOuter(each);
  const of = (own: Expression, other: Expression): boolean =>
    someExpression(own, isOuter) &&
    !someExpression(own, isInner) &&
    someExpression(other, isInner) &&
    !someExpression(other, isOuter);
  return of(left, right) || of(right, left);
}

function firstIn(condition: Expression, outer: ReadonlySet<BoundColumn>): BoundColumn {
  const [first] = outer;
  let found = first;
  walk(condition, (node) => {
    if (node.kind === "bound" && outer.has(node)) found = node;
    return true;
  });
  if (found === undefined) throw new TypeError("a condition names a column of the query around");
  return found;
}

/** EXISTS and IN of the rows around are conditions there, and no values. */
function refuseValues({ items, groupBy }: Select): void {
  const isValue = (each: Expression): boolean =>
    (each.kind === "exists" || each.kind === "in-query") && isCorrelated(each.query);
  for (const item of items) {
    if (item.kind !== "item" || !someExpression(item.expression, isValue)) continue;
    throw unsupported(
      "EXISTS or IN of the rows around it as a value",
      item.span,
      "Use it in WHERE, or join the tables.",
    );
  }
  for (const element of groupBy ?? []) {
    if (element.kind !== "expression" || !someExpression(element.expression, isValue)) continue;
    throw unsupported("EXISTS or IN of the rows around it as a key", element.expression.span, WITH_A_JOIN);
  }
}

function refuseOuterLateral(right: SyntaxNode): void {
  if (right.kind !== "derived" || !right.lateral) return;
  throw unsupported(
    "LATERAL in an outer join",
    right.span,
    "Join the query on its condition, or use a subquery in the select list.",
  );
}
