/**
 * Subqueries of the rows around them, and IN. ClickHouse joins the rows around with what they have in common, every one of
 * them, and groups by it: sums and counts are multiplied by the rows that have the same. What is NULL meets nothing there,
 * and where nothing is met it says NULL. Seen on ClickHouse 26.7.
 */
import { isNullable } from "../../binding/nullability.ts";
import type { RelationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../diagnostics.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import {
  all,
  call,
  cases,
  columnOf,
  comparison,
  exactName,
  inPlaceOf,
  integer,
  isNull,
  logical,
  not,
  queryOf,
  selectItem,
  selectOf,
  typed,
  values,
} from "../../syntax/build.ts";
import type {
  BoundColumn,
  Exists,
  Expression,
  Identifier,
  InQuery,
  PrintableColumn,
  Query,
  QueryBody,
  ScalarQuery,
  Select,
} from "../../syntax/tree.ts";
import { conjuncts, groupedBy, type SyntaxNode, someExpression, walk } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, type SqlType, typeOrUnknown, UNKNOWN } from "../../types.ts";
import { PRECISION, scaleOf } from "./numbers.ts";

/** What is not found among NULLs is unknown, and false there. */
export function inQuery(node: InQuery): Expression {
  const { operand, query, onlyTruth, negated, span } = node;
  if (isCorrelated(query)) throw unsupported("IN with a query of this row", span, "Use EXISTS.");
  const operands = operand.kind === "row" ? operand.elements : [operand];
  const items = itemsOf(query.body);
  const hasNulls = items.length !== operands.length || items.some((item) => item === undefined || isNullable(item));
  const plain: InQuery =
    operand.kind === "row" ? { ...node, operand: call("tuple", operands, inPlaceOf(operand)) } : node;
  const isOpen = operands.some(isNullable);
  if ((!hasNulls && !isOpen) || (onlyTruth === true && !negated)) return plain;
  if (operand.kind === "row") throw unsupported("a row IN a query, which may hold NULL", span, "Use EXISTS.");
  const at = typed(BOOLEAN, node);
  const found = call(
    "ifnull",
    [
      { ...plain, negated: false },
      { kind: "boolean", value: false, span, type: BOOLEAN },
    ],
    at,
  );
  const none = comparison(rowsOf(query, "all", node), "=", integer(0, node), node);
  const unknown = [
    ...(isOpen ? [isNull(operand, false)] : []),
    ...(hasNulls ? [comparison(rowsOf(query, "of NULL", node), ">", integer(0, node), node)] : []),
  ];
  const branches = [
    { when: found, then: truth(true, node) },
    { when: none, then: truth(false, node) },
    { when: logical("or", unknown, node), then: { kind: "null", span, type: BOOLEAN } as const },
  ];
  const known = cases(branches, truth(false, node), at);
  return negated ? not(known) : known;
}

const truth = (value: boolean, { span }: Expression): Expression => ({ kind: "boolean", value, span, type: BOOLEAN });

function itemsOf(body: QueryBody): readonly (Expression | undefined)[] {
  return body.kind === "select"
    ? body.items.map((item) => (item.kind === "item" ? item.expression : undefined))
    : [undefined];
}

const ROWS = "_q";

/** An aggregate of the only column of a query of its own: of all its rows, or how many there are. */
export function ofColumn(
  query: Query,
  at: Expression,
  type: SqlType,
  of: (value: Expression) => Expression,
): ScalarQuery {
  const { span } = at;
  const [column] = outputColumnsOf(query.body);
  if (column === undefined) throw unsupported("such a subquery", span);
  const table = {
    kind: "derived",
    query,
    lateral: false,
    alias: { name: exactName(ROWS, span), columns: [] },
    span,
  } as const;
  const value = columnOf(ROWS, column.name, typed(column.type ?? UNKNOWN, at));
  const items = [selectItem(of(value), undefined, at)];
  return { kind: "scalar-query", query: queryOf(selectOf({ items, from: [table] }, at)), span, type };
}

export function rowsOf(query: Query, which: "all" | "of NULL", at: Expression): ScalarQuery {
  const count = { ...call("count", [], typed(BIGINT, at)), star: true };
  return ofColumn(query, at, BIGINT, (value) => (which === "all" ? count : { ...count, filter: isNull(value, false) }));
}

/** Whether something in it is of a query around it. */
export const isCorrelated = (query: Query): boolean => outerColumns(query).length > 0;

/** Aliases differ from all that are around them. */
function aliasesOf(query: Query): ReadonlySet<string> {
  const own = new Set<string>();
  walk(query, (node) => {
    if ("alias" in node && node.alias !== undefined && "name" in node.alias) {
      const { name } = node.alias;
      own.add(typeof name === "string" ? name : name.name);
    }
    // Without an alias it is called as it is.
    if (node.kind === "bound-common" && node.alias === undefined) own.add(node.table.printedName);
    return true;
  });
  return own;
}

function outerColumns(query: Query): readonly BoundColumn[] {
  const own = aliasesOf(query);
  const found: BoundColumn[] = [];
  walk(query, (node: SyntaxNode) => {
    if (node.kind === "bound" && !own.has((node.column as RelationColumn).relation.printedAlias)) found.push(node);
    return true;
  });
  return found;
}

function tableNames(query: Query): ReadonlySet<string> {
  const names = new Set<string>();
  walk(query, (node) => {
    if (node.kind === "bound-common") names.add(node.table.printedName);
    if (node.kind === "physical-table") names.add(node.name.at(-1)?.name ?? "");
    return true;
  });
  return names;
}

/** A SELECT whose columns of the rows around are never NULL, or are compared by WHERE, which then lets no row through. */
function joinable({ query, span }: Exists | ScalarQuery): Select {
  const { body, limit, offset, with: common } = query;
  if (body.kind !== "select" || limit || offset || common || body.distinct || body.windows.length > 0) {
    throw unsupported("such a subquery of this row", span, "Join a derived table.");
  }
  const { where } = body;
  const outer = outerColumns(query);
  const inner = tableNames(query);
  const captured = outer.find(({ column }) => inner.has((column as RelationColumn).relation.printedAlias));
  // A table goes by its name, whatever its alias is.
  if (captured !== undefined)
    throw unsupported("a table of this row that is read again", captured.span, "Give it an alias.");
  const open = outer.find((each) => isNullable(each) && !(where && rejectsNull(where, each.column)));
  if (open === undefined) return body;
  throw unsupported("a subquery of a value of this row that may be NULL", open.span, "Join a derived table.");
}

/** Whether no row is left where the column is NULL. */
function rejectsNull(condition: Expression, column: PrintableColumn): boolean {
  const isIt = (side: Expression): boolean => side.kind === "bound" && side.column === column;
  switch (condition.kind) {
    case "logical":
      return condition.operator === "and"
        ? condition.operands.some((each) => rejectsNull(each, column))
        : condition.operands.every((each) => rejectsNull(each, column));
    case "binary":
      return /^([<>]=?|=|<>)$/.test(condition.operator) && (isIt(condition.left) || isIt(condition.right));
    case "between":
      return isIt(condition.operand);
    default:
      return false;
  }
}

const isCall = (node: Expression, names: RegExp): boolean =>
  node.kind === "call" && node.over === undefined && names.test(node.name[0]?.name ?? "");

const AGGREGATE = /^(sum|min|max|avg|any_value|any|(stddev|var)\w+Stable)$/;
const COUNT = /^count$/;
/** What a NULL among their arguments does not make NULL. */
const NOT_STRICT = /^(coalesce|ifnull|greatest|least|count.*|array.*|is there|tuple.*|not ?empty)$/i;

/** Whether it is NULL where there are no rows. */
function isNothing(value: Expression): boolean {
  switch (value.kind) {
    case "call": {
      const [first, ...others] = values(value);
      if (isCall(value, AGGREGATE)) return true;
      if (isCall(value, /^nullif$/) && first !== undefined) return isCall(first, COUNT) || isNothing(first);
      return !isCall(value, NOT_STRICT) && [...(first ? [first] : []), ...others].some(isNothing);
    }
    case "binary":
      return isNothing(value.left) || isNothing(value.right);
    case "cast":
    case "unary":
      return isNothing(value.operand);
    case "case":
      return value.otherwise === undefined && value.branches.every(({ then }) => isNothing(then));
    default:
      return false;
  }
}

/** One row whatever is in its groups. What it says of no rows must stand around it. */
export function scalarQuery(node: ScalarQuery): Expression {
  if (!isCorrelated(node.query)) return node;
  const select = joinable(node);
  const [item] = select.items;
  const isOfGroups = select.groupBy === undefined && select.having === undefined;
  const found = item?.kind === "item" && isOfGroups ? item.expression : undefined;
  if (found === undefined || typeOrUnknown(node).kind === "boolean") throw notJoined(node);
  const isCount = isCall(found, /^count in 64 bits$/) || isCall(found, COUNT);
  if (!isCount && !isNothing(found)) throw notJoined(node);
  const grouped = groupedInside(select, found, node);
  const isMultiplied = someExpression(found, (each) => isCall(each, /^(sum|count|(stddev|var)SampStable)$/));
  if (grouped === undefined && isMultiplied) throw notJoined(node);
  const joined = besideItsColumns(grouped ?? node);
  return isCount ? call("ifnull", [joined, integer(0, node)], inPlaceOf(node)) : joined;
}

/** Its groups in a derived table of their own, where one side of each condition is of the rows around and the other is not. */
function groupedInside(select: Select, found: Expression, node: ScalarQuery): ScalarQuery | undefined {
  const own = aliasesOf(node.query);
  const { span } = node;
  const isOf = (side: SyntaxNode, outer: boolean): boolean => {
    let is = false;
    walk(side, (each) => {
      is ||= each.kind === "bound" && own.has((each.column as RelationColumn).relation.printedAlias) !== outer;
      return !is;
    });
    return is;
  };
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  const uncorrelated = conditions.filter((each) => !isOf(each, true));
  const pairs = conditions
    .filter((each) => isOf(each, true))
    .map((each) => {
      if (each.kind !== "binary" || each.operator !== "=") return undefined;
      const sides = isOf(each.left, true) ? [each.right, each.left] : [each.left, each.right];
      const [inner, outer] = sides;
      return inner && outer && isOf(inner, false) && !isOf(inner, true) && !isOf(outer, false)
        ? { inner, outer }
        : undefined;
    });
  const isOutside = isOf({ ...select, where: undefined }, true);
  if (isOutside || pairs.some((pair) => pair === undefined)) return undefined;
  const keys = pairs.filter((pair) => pair !== undefined);
  const name = (at: number): Identifier => exactName(`_k${at}`, span);
  const value = exactName("_v", span);
  const groups = selectOf(
    {
      items: [...keys.map(({ inner }, at) => selectItem(inner, name(at), node)), selectItem(found, value, node)],
      from: select.from,
      where: all(uncorrelated, node),
      groupBy: keys.map(({ inner }) => ({ kind: "expression", expression: inner })),
    },
    node,
  );
  const alias = { name: exactName(ROWS, span), columns: [] };
  const table = { kind: "derived", query: queryOf(groups), lateral: false, alias, span } as const;
  const met = keys.map(({ inner, outer }, at) =>
    comparison(columnOf(ROWS, name(at).name, typed(typeOrUnknown(inner), node)), "=", outer, node),
  );
  const scale = scaleOf(found);
  const shown = typeOrUnknown(found);
  const type: SqlType =
    shown.kind === "decimal" && scale !== undefined ? { kind: "decimal", precision: PRECISION, scale } : shown;
  const only = call("any_value", [columnOf(ROWS, value.name, typed(type, node))], typed(type, node));
  const query = queryOf(
    selectOf({ items: [selectItem(only, undefined, node)], from: [table], where: all(met, node) }, node),
  );
  return { ...node, query };
}

const notJoined = ({ span }: Expression) =>
  unsupported("such a subquery of this row", span, "Join a derived table that is grouped by what they share.");

/** EXISTS over a row is a join there. */
export function exists(node: Exists): Expression | undefined {
  if (!isCorrelated(node.query)) return undefined;
  joinable(node);
  return besideItsColumns(node);
}

/** Columns that are named in it alone are gone by the time it is joined. */
function besideItsColumns(node: Exists | ScalarQuery): Expression {
  const columns = [...new Map(outerColumns(node.query).map((each) => [each.column, each])).values()];
  return call(OF_THIS_ROW, [node, ...columns], inPlaceOf(node));
}

const OF_THIS_ROW = "of this row";
const isOfThisRow = (node: Expression): boolean => isCall(node, /^of this row$/);

/** Aggregates of what is found for each row cannot be computed there. */
export function refuseAggregated(statement: Query): Query {
  walk(statement, (node) => {
    if (node.kind === "select") {
      const key = (node.groupBy ?? []).flatMap(groupedBy).find((each) => someExpression(each, isOfThisRow));
      if (key !== undefined)
        throw unsupported("groups by a subquery of each row", key.span, "Compute it in a derived table.");
    }
    if (node.kind !== "call") return true;
    const isAggregate = node.over !== undefined || node.filter !== undefined || isCall(node, AGGREGATES);
    const inside = [
      ...values(node),
      ...(node.filter ? [node.filter] : []),
      ...(node.over?.partitionBy ?? []),
      ...(node.over?.orderBy ?? []).map((each) => each.expression),
    ];
    if (isAggregate && inside.some((each) => someExpression(each, isOfThisRow))) {
      throw unsupported("an aggregate of a subquery of each row", node.span, "Compute it in a derived table.");
    }
    return true;
  });
  return statement;
}

const AGGREGATES = new RegExp(
  `${AGGREGATE.source}|^(count|group\\w+|quantile.*|exact quantile|arg\\w+|corr\\w*|covar\\w*)$`,
);
