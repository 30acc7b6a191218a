/**
 * Correlated subqueries, and IN. ClickHouse joins every outer row with the subquery by the correlated columns, and groups by
 * these: sums and counts are multiplied by the number of outer rows with the same values
 * (https://github.com/ClickHouse/ClickHouse/issues/101863, mended after 26.7 by https://github.com/ClickHouse/ClickHouse/pull/110311). A
 * NULL key matches no row; without a match the result is NULL, of count too (https://github.com/ClickHouse/ClickHouse/issues/111615). Seen
 * on ClickHouse 26.7.
 */

import { isNullable } from "../../binding/nullability.ts";
import type { RelationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../diagnostics.ts";
import { expressionsOfColumn } from "../../lowering/numbers/mixed-numbers.ts";
import { aliasesOf, isCorrelated, outerColumns } from "../../lowering/queries/correlation.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { countStep } from "../../plan-budget.ts";
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
import { groupedBy, someExpression, walk } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, type SqlType, typeOrUnknown } from "../../types.ts";
import { columnsMapped, ofColumn, ROWS, rows } from "./columns-of-queries.ts";
import { equalitiesOf, tableNames } from "./correlation.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import { areCut, inAllDigits, PRECISION, SIGNED_COUNT, scaleOf } from "./numbers.ts";
import { withOneZero } from "./zeros.ts";

/** A value not found among NULLs is unknown in SQL, and false on ClickHouse. */
export function inQuery(asked: InQuery): Expression {
  const node = MIXED_NUMBERS.among(asked);
  const { operand, onlyTruth, negated, span } = node;
  if (isCorrelated(node.query)) throw unsupported("IN with a query of this row", span, "Use EXISTS.");
  const operands = operand.kind === "row" ? operand.elements : [operand];
  const items = itemsOf(node.query.body);
  const hasNulls = items.length !== operands.length || items.some((item) => item === undefined || isNullable(item));
  // ClickHouse compares rows by their bits, and converts the searched values to their types, with or without loss of digits.
  const cut = operands.map((each, index) => areCut([each, ...expressionsOfColumn(node.query.body, index)]));
  const asRows = (each: Expression, index: number): Expression => (cut[index] ? inAllDigits(each) : withOneZero(each));
  const met = operands.map(asRows);
  const [only] = met;
  const query = columnsMapped(node.query, asRows);
  const together = operand.kind === "row" || only === undefined ? call("tuple", met, inPlaceOf(operand)) : only;
  const plain: InQuery = { ...node, operand: together, query };
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

export function rowsOf(query: Query, which: "all" | "of NULL", at: Expression): ScalarQuery {
  const count = { ...call("count", [], typed(BIGINT, at)), star: true };
  return ofColumn(query, at, BIGINT, (value) => (which === "all" ? count : { ...count, filter: isNull(value, false) }));
}

/** A SELECT whose outer columns are never NULL, or are compared by WHERE, which then rejects all rows for NULL. */
function joinable({ query, span }: Exists | ScalarQuery): Select {
  const { body, limit, offset, with: common } = query;
  if (body.kind !== "select" || limit || offset || common || body.distinct || body.windows.length > 0) {
    throw unsupported("a correlated subquery of that form", span, "Join a derived table.");
  }
  const { where } = body;
  const outer = outerColumns(query);
  refuseDeeper(body, query);
  const inner = tableNames(query);
  const captured = outer.find(({ column }) => inner.has((column as RelationColumn).relation.printedAlias));
  // ClickHouse resolves a table by its name, whatever its alias.
  if (captured !== undefined)
    throw unsupported("a table of this row that is read again", captured.span, "Give it an alias.");
  const open = outer.find((each) => isNullable(each) && !(where && rejectsNull(where, each.column)));
  if (open === undefined) return body;
  throw unsupported("a subquery of a value of this row that may be NULL", open.span, "Join a derived table.");
}

/** A nested subquery is joined with the rows of this one, and cannot refer to rows further out. */
function refuseDeeper(body: Select, query: Query): void {
  const own = aliasesOf(query);
  walk(body, (node) => {
    const inner = node.kind === "exists" || node.kind === "scalar-query" ? outerColumns(node.query) : [];
    const beyond = inner.find(({ column }) => !own.has((column as RelationColumn).relation.printedAlias));
    if (beyond === undefined) return true;
    throw unsupported("nested correlated subqueries", beyond.span, "Join a derived table.");
  });
}

/** Whether the condition removes every row if the column is NULL. */
function rejectsNull(condition: Expression, column: PrintableColumn): boolean {
  countStep();
  const isIt = (side: Expression): boolean => {
    if (side.kind === "cast") return isIt(side.operand);
    if (side.kind === "binary") return /^[-+*]$/.test(side.operator) && (isIt(side.left) || isIt(side.right));
    return side.kind === "bound" && side.column === column;
  };
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
/** Functions whose result is not always NULL for a NULL argument. */
const NOT_STRICT = /^(coalesce|ifnull|greatest|least|count.*|array.*|tuple.*|notempty)$/i;

/** Whether the value is NULL over no rows. */
function isNothing(value: Expression): boolean {
  countStep();
  switch (value.kind) {
    case "call": {
      const [first, ...others] = values(value);
      if (isCall(value, AGGREGATE)) return true;
      if (isCall(value, /^nullif$/) && first !== undefined) return isCall(first, COUNT) || isNothing(first);
      return !isCall(value, NOT_STRICT) && [...(first ? [first] : []), ...others].some(isNothing);
    }
    case "spelled": {
      const { nulls } = value.template;
      return nulls !== "never" && nulls !== "unknown" && value.parts.some(isNothing);
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

/** A scalar subquery of one group has one row in any case. Its result for no rows must be computed outside of it. */
export function scalarQuery(node: ScalarQuery): Expression {
  if (!isCorrelated(node.query)) return node;
  const select = joinable(node);
  const [item] = select.items;
  const isOfGroups = select.groupBy === undefined && select.having === undefined;
  const found = item?.kind === "item" && isOfGroups ? item.expression : undefined;
  if (found === undefined || typeOrUnknown(node).kind === "boolean") throw notJoined(node);
  const isCount = isSpelled(found, SIGNED_COUNT) || isCall(found, COUNT);
  if (!isCount && !isNothing(found)) throw notJoined(node);
  const grouped = groupedInside(select, found, node);
  const isMultiplied = someExpression(found, (each) => isCall(each, /^(sum|count|(stddev|var)SampStable)$/));
  if (grouped === undefined && (isMultiplied || hasQueryIn(select))) throw notJoined(node);
  const joined = besideItsColumns(grouped ?? node);
  return isCount ? call("ifnull", [joined, integer(0, node)], inPlaceOf(node)) : joined;
}

/** Moves the groups into a derived table, if each condition has outer columns on exactly one side. */
function groupedInside(select: Select, found: Expression, node: ScalarQuery): ScalarQuery | undefined {
  const { span } = node;
  const equalities = equalitiesOf(select, node.query);
  if (equalities === undefined) return undefined;
  const { met: keys, others } = equalities;
  const name = (at: number): Identifier => exactName(`_k${at}`, span);
  const value = exactName("_v", span);
  const groups = selectOf(
    {
      items: [...keys.map(({ inner }, at) => selectItem(inner, name(at), node)), selectItem(found, value, node)],
      from: select.from,
      where: all(others, node),
      groupBy: keys.map(({ inner }) => ({ kind: "expression", expression: inner })),
    },
    node,
  );
  const table = rows(queryOf(groups), node);
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
  unsupported("a correlated subquery of that form", span, "Join a derived table that is grouped by what they share.");

/** EXISTS of a correlated subquery is a join on ClickHouse, which cannot be combined with IN, and matches no NULLs. */
export function exists(node: Exists): Expression | undefined {
  const { query, span } = node;
  if (!isCorrelated(query)) return undefined;
  const { body } = query;
  const isOpen = outerColumns(query).some(isNullable);
  const isIn = body.kind === "select" && hasQueryIn(body);
  if (isOpen || isIn) {
    const found = isPlain(query) && body.kind === "select" ? amongRows(body, node) : undefined;
    if (found !== undefined) return found;
  }
  if (isIn) throw unsupported("IN a query, in a subquery of this row", span, "Join a derived table.");
  joinable(node);
  return besideItsColumns(node);
}

const isPlain = ({ body, limit, offset, with: common }: Query): boolean =>
  body.kind === "select" && !limit && !offset && !common && body.groupBy === undefined && body.having === undefined;

/** Whether the values of the outer row, none of which is NULL, are those of an inner row. */
function amongRows(select: Select, node: Exists): Expression | undefined {
  const equalities = equalitiesOf(select, node.query);
  if (equalities === undefined || equalities.met.length === 0 || isAggregated(select)) return undefined;
  const { met, others } = equalities;
  if (met.some(({ inner, outer }) => !meetsInSets(inner, outer))) return undefined;
  const at = typed(BOOLEAN, node);
  const known = met.flatMap(({ inner }) => (isNullable(inner) ? [isNull(inner, true)] : []));
  const rows = selectOf(
    {
      items: met.map(({ inner }) => selectItem(inner, undefined, node)),
      from: select.from,
      where: all([...others, ...known], node),
    },
    node,
  );
  const [only, ...more] = met.map(({ outer }) => outer);
  if (only === undefined) return undefined;
  const operand = more.length === 0 ? only : call("tuple", [only, ...more], at);
  const among: InQuery = {
    kind: "in-query",
    negated: false,
    operand,
    query: queryOf(rows),
    span: node.span,
    type: BOOLEAN,
  };
  return logical("and", [...met.flatMap(({ outer }) => (isNullable(outer) ? [isNull(outer, true)] : [])), among], node);
}

const isAggregated = ({ items }: Select): boolean =>
  items.some((item) => item.kind === "item" && someExpression(item.expression, (each) => isCall(each, AGGREGATES)));

/** ClickHouse converts the values of a set to the type of the searched one, and drops a value that does not fit. */
function meetsInSets(inner: Expression, outer: Expression): boolean {
  const [{ kind }, other] = [typeOrUnknown(inner), typeOrUnknown(outer)];
  return kind === other.kind && ["integer", "text", "date", "timestamp", "uuid", "boolean"].includes(kind);
}

/** Within a derived table it has no effect. */
function hasQueryIn(select: Select): boolean {
  let has = false;
  walk(select, (node) => {
    has ||= node.kind === "in-query";
    return !has && !["derived", "exists", "scalar-query"].includes(node.kind);
  });
  return has;
}

/** Otherwise columns that only the subquery uses would be removed before the join. */
function besideItsColumns(node: Exists | ScalarQuery): Expression {
  const columns = [...new Map(outerColumns(node.query).map((each) => [each.column, each])).values()];
  return spelled(OF_THIS_ROW, [node, ...columns], node);
}

const OF_THIS_ROW = words("tupleElement(tuple($*), 1)", { scale: "of the first" });

/** Whether it is a correlated subquery. */
export const isOfThisRow = (node: Expression): boolean => isSpelled(node, OF_THIS_ROW);

/** ClickHouse cannot aggregate results of correlated subqueries. */
export function refuseAggregated(statement: Query): void {
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
}

const AGGREGATES = new RegExp(`${AGGREGATE.source}|^(count|group\\w+|quantile.*|arg\\w+|corr\\w*|covar\\w*)$`);
