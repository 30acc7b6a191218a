/**
 * GROUPING SETS, ROLLUP and CUBE as one SELECT per set, combined by UNION ALL in a derived table. Clauses over groups (HAVING,
 * windows, DISTINCT, ORDER BY) are computed around it, over the rows of all sets.
 */
import { hasGroupingSets } from "../../binding/grouping.ts";
import { isNullable } from "../../binding/nullability.ts";
import { ExpressionSet, sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { all, call, integer, queryOf, selectItem, selectOf, values } from "../../syntax/build.ts";
import { mapBody, mapExpression, transformQuery } from "../../syntax/rewrite.ts";
import type {
  Call,
  DerivedTable,
  Expression,
  GroupingElement,
  Query,
  QueryBody,
  Select,
  SelectItem,
} from "../../syntax/tree.ts";
import { children, groupedBy, groupedByAll, someExpression, someNode } from "../../syntax/walk.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import type { Grammar } from "../grammar.ts";
import type { ClauseFacts } from "./clauses.ts";
import { DerivedRows } from "./derived-rows.ts";
import { outputColumnsOf } from "./output-columns.ts";

/** Each set reads the tables once more. */
const MAX_SETS = 64;

/** The query with a plain SELECT over a derived table called `alias` in place of one with grouping sets. */
export function withoutGroupingSets(query: Query, alias: string): Query {
  const { body } = query;
  if (body.kind !== "select" || body.groupBy === undefined || !hasGroupingSets(body)) return query;
  const keys = groupedByAll(body.groupBy);
  const position = keys.find(isPosition);
  if (position !== undefined) throw unsupported("a constant as a key of grouping sets", position.span);
  const rows = new GroupedRows(alias, keys, true);
  return overGroups(query, body, rows, () => rows.table(setsOf(body.groupBy ?? [], body), body));
}

/**
 * The query over a derived table of its grouping sets, if it sorts, filters or correlates subqueries by expressions that it does
 * not select.
 */
export function withGroupingSetsApart(query: Query, alias: () => string): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || body.groupBy === undefined || !hasGroupingSets(body)) return query;
  const keys = groupedByAll(body.groupBy);
  const set = new ExpressionSet(keys);
  const selected = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  const shown = new ExpressionSet(selected);
  const isSeen = (each: Expression): boolean =>
    shown.has(each) || !someExpression(each, ({ kind }) => kind === "bound");
  const isApart =
    selected.some((each) => asksByKey(each, set)) ||
    (body.having !== undefined && !isSeen(body.having)) ||
    !orderBy.every(({ expression }) => isSeen(expression));
  if (!isApart) return query;
  const rows = new GroupedRows(alias(), keys, true);
  return overGroups(query, body, rows, () => rows.tableOfSets(body));
}

/** Whether each key is a plain column. */
export function groupsByColumns({ body }: Query): boolean {
  if (body.kind !== "select" || body.groupBy === undefined) return true;
  return groupedByAll(body.groupBy).every(({ kind }) => kind === "bound");
}

export interface GroupsApart {
  readonly grammar: Grammar;
  /** Functions that the target computes by subqueries. */
  readonly asQueries: ReadonlySet<string>;
  readonly clauses: (query: Query) => ClauseFacts;
  readonly alias: () => string;
}

/**
 * The query over a derived table of its groups, if it computes windows or subqueries over them: MySQL 9.7 gives a subquery the
 * key of another row, and MariaDB 10.11 loses rows when windows are present. Neither resolves computed grouping keys in HAVING.
 */
export function withGroupsApart(query: Query, over: GroupsApart): Query {
  const { grammar, clauses, alias } = over;
  const { body } = query;
  if (body.kind !== "select" || body.groupBy === undefined || hasGroupingSets(body)) return query;
  // A constant does not distinguish groups, and its position would be another column of the derived table.
  const keys = groupedByAll(body.groupBy).filter((key) => !isPosition(key));
  if (keys.length === 0) return query;
  const isApart =
    (mayComputeOverGroups(over, clauses(query)) && computesOverKeys(query, body, keys, over)) ||
    (!grammar.sortsBesideWindows && clauses(query).hasWindows && sortsByGroups(query, body, keys)) ||
    (!grammar.havingNamesKeys && body.having !== undefined && namesKey(body.having, new ExpressionSet(keys))) ||
    (!grammar.repeatsKeys && repeatsComputedKey(query, body, keys));
  if (!isApart) return query;
  const rows = new GroupedRows(alias(), keys, false);
  return overGroups(query, body, rows, () => rows.table([keys], body));
}

/** Without the constructs that a grouped query lacks there is nothing to look for. */
function mayComputeOverGroups({ grammar, asQueries }: GroupsApart, facts: ClauseFacts): boolean {
  if (grammar.computesOverGroups === true) return false;
  if (facts.hasSubqueries) return true;
  return grammar.computesOverGroups === false && (facts.hasWindows || asQueries.size > 0);
}

function computesOverKeys(query: Query, body: Select, keys: readonly Expression[], over: GroupsApart): boolean {
  const { grammar, asQueries } = over;
  const set = new ExpressionSet(keys);
  const isComputed = (each: Expression): boolean =>
    grammar.computesOverGroups === false ? isComputedOfGroups(each, set, asQueries) : asksByKey(each, set);
  return (
    body.items.some((item) => item.kind === "item" && isComputed(item.expression)) ||
    (body.having !== undefined && isComputed(body.having)) ||
    (body.qualify !== undefined && isComputed(body.qualify)) ||
    query.orderBy.some(({ expression }) => isComputed(expression))
  );
}

const isPosition = ({ kind }: Expression): boolean => kind === "number";

/** Keys, and the arguments of aggregates, are computed over rows. */
function isComputedOfGroups(each: Expression, keys: ExpressionSet, asQueries: ReadonlySet<string>): boolean {
  if (keys.has(each)) return false;
  if (each.kind === "call" && asQueries.has(functionName(each))) return true;
  if (/^(scalar-query|exists|in-query|quantified)$/.test(each.kind)) return true;
  if (each.kind === "call" && each.over !== undefined) return true;
  return !isAggregate(each) && children(each).some((child) => isComputedOfGroups(child, keys, asQueries));
}

/** A subquery for a value that refers to a key. */
function asksByKey(each: Expression, keys: ExpressionSet): boolean {
  if (keys.has(each)) return false;
  if (each.kind === "scalar-query" || each.kind === "quantified") {
    return someNode(each, (inner) => inner.kind === "bound" && keys.has(inner));
  }
  return !isAggregate(each) && children(each).some((child) => asksByKey(child, keys));
}

function namesKey(each: Expression, keys: ExpressionSet): boolean {
  return keys.has(each) || (!isAggregate(each) && children(each).some((child) => namesKey(child, keys)));
}

/** By an aggregate or a computed key that is not selected. */
function sortsByGroups({ orderBy }: Query, { items }: Select, keys: readonly Expression[]): boolean {
  const selected = new ExpressionSet(items.flatMap((item) => (item.kind === "item" ? [item.expression] : [])));
  const computed = new ExpressionSet(keys.filter(({ kind }) => kind !== "bound"));
  const isOfGroups = (each: Expression): boolean => isAggregate(each) || computed.has(each);
  return orderBy.some(({ expression }) => !selected.has(expression) && someExpression(expression, isOfGroups));
}

/** Anywhere except in items that are exactly the key. */
function repeatsComputedKey({ orderBy }: Query, body: Select, keys: readonly Expression[]): boolean {
  const computed = keys.filter(({ kind }) => kind !== "bound");
  if (computed.length === 0) return false;
  const set = new ExpressionSet(computed);
  const items = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  const others = [...items.filter((each) => !set.has(each)), body.having, body.qualify];
  const named = body.windows.flatMap(({ window }) => [
    ...window.partitionBy,
    ...window.orderBy.map(({ expression }) => expression),
  ]);
  return [...others, ...named, ...orderBy.map(({ expression }) => expression)].some(
    (each) => each !== undefined && namesKey(each, set),
  );
}

/**
 * Replaces by positions the keys that are computed select items, and columns of a table whose name a column of the query hides.
 */
export function groupedByPositions(query: Query): Query {
  const { body } = query;
  if (body.kind !== "select" || body.groupBy === undefined) return query;
  const names = new Set(outputColumnsOf(body).map(({ name }) => name.toLowerCase()));
  const positioned = (element: GroupingElement): GroupingElement => {
    if (element.kind !== "expression") return element;
    const { expression } = element;
    const isColumn = expression.kind === "bound";
    if (isColumn && !names.has(expression.column.relation.printedAlias.toLowerCase())) return element;
    const at = body.items.findIndex((item) => item.kind === "item" && sameExpression(item.expression, expression));
    if (at >= 0) return { ...element, expression: integer(at + 1, expression) };
    if (!isColumn) return element;
    const hint = "Give the table another alias.";
    throw unsupported("a group by a table that has the name of a column", expression.span, hint);
  };
  return { ...query, body: { ...body, groupBy: body.groupBy.map(positioned) } };
}

function isAggregate(each: Expression): boolean {
  return each.kind === "call" && isAggregateCall(each, findFunction(functionName(each)));
}

function overGroups(query: Query, body: Select, rows: GroupedRows, table: () => DerivedTable): Query {
  const outside = rows.outside;
  const clauses = mapBody(
    { ...body, from: [], where: undefined, groupBy: undefined, having: undefined },
    { ...rows.mapper, item: (item) => outsideItem(item, outside) },
  );
  if (clauses.kind !== "select") throw new TypeError("a select stays a select");
  const having = body.having && outside(body.having);
  const orderBy = query.orderBy.map((item) => ({ ...item, expression: outside(item.expression) }));
  const from = [table()];
  return { ...query, body: { ...clauses, from, where: all(having === undefined ? [] : [having], body) }, orderBy };
}

function outsideItem(item: SelectItem, outside: (expression: Expression) => Expression): SelectItem {
  return item.kind === "item" ? { ...item, expression: outside(item.expression) } : item;
}

class GroupedRows {
  readonly #rows: DerivedRows;
  readonly #keys: ExpressionSet;

  readonly #hasLevels: boolean;

  /** `hasLevels`: in rows above its own level, any key is NULL. */
  constructor(alias: string, keys: readonly Expression[], hasLevels: boolean) {
    this.#rows = new DerivedRows(alias);
    this.#keys = new ExpressionSet(keys);
    this.#hasLevels = hasLevels;
  }

  /** Converts an expression over the groups to one over the derived table. */
  readonly outside = (expression: Expression): Expression => {
    if (this.#keys.has(expression)) return this.#key(expression);
    if (isAggregate(expression)) {
      return this.#rows.holding(expression, nameOf(expression, "a"));
    }
    return mapExpression(expression, this.mapper);
  };

  readonly mapper = {
    expression: this.outside,
    // Inner queries refer to keys of their own group.
    query: (query: Query): Query =>
      transformQuery(query, {
        expression: (each) => (each.kind === "bound" && this.#keys.has(each) ? this.#key(each) : each),
      }),
    body: (body: QueryBody): QueryBody => body,
    table: <T>(table: T): T => table,
    item: <T>(item: T): T => item,
  };

  #key(expression: Expression): Expression {
    const nullable = this.#hasLevels || isNullable(expression);
    return this.#rows.holding(expression, nameOf(expression, "k"), nullable);
  }

  table(sets: readonly (readonly Expression[])[], select: Select): DerivedTable {
    // Without an aggregate, the empty set would not produce exactly one row.
    const count: Call = { ...call("count", [], { span: select.span, type: BIGINT }), star: true };
    if (!this.#rows.items.some(({ expression }) => this.#isAggregate(expression))) this.#rows.holding(count, "n");
    const [first, ...others] = sets.map((set) => this.#groupedBy(set, select));
    if (first === undefined) throw new TypeError("a grouping has at least one set");
    const union = others.reduce<QueryBody>(
      (left, right) => ({ kind: "set", operator: "union", all: true, left, right, span: select.span }),
      first,
    );
    return this.#rows.table(queryOf(union));
  }

  /** Grouped by its original sets. */
  tableOfSets({ from, where, groupBy, span }: Select): DerivedTable {
    const items = this.#rows.items.map(({ expression, alias }) => selectItem(expression, alias, expression));
    return this.#rows.table(queryOf(selectOf({ items, from, where, groupBy }, { span })));
  }

  #isAggregate(expression: Expression): boolean {
    return !this.#keys.has(expression) && !isGrouping(expression);
  }

  #groupedBy(set: readonly Expression[], { from, where, span }: Select): Select {
    const has = (key: Expression): boolean => set.some((each) => sameExpression(each, key));
    const items = this.#rows.items.map(({ expression, alias }) => {
      if (isGrouping(expression)) return selectItem(missingBits(expression, has), alias, expression);
      if (!this.#keys.has(expression) || has(expression)) return selectItem(expression, alias, expression);
      const type = typeOrUnknown(expression);
      return selectItem({ kind: "null", span: expression.span, type }, alias, expression);
    });
    const groupBy =
      set.length === 0 ? undefined : set.map((expression) => ({ kind: "expression", expression }) as const);
    return selectOf({ items, from, where, groupBy }, { span });
  }
}

function isGrouping(expression: Expression): expression is Call {
  return expression.kind === "call" && functionName(expression) === "grouping";
}

/** `grouping(a, b)`: a bit for each argument that is not a key of the set; the last argument is the lowest bit. */
function missingBits(node: Call, has: (key: Expression) => boolean): Expression {
  return integer(
    values(node).reduce((bits, key) => bits * 2 + (has(key) ? 0 : 1), 0),
    node,
  );
}

function nameOf(expression: Expression, otherwise: string): string {
  return expression.kind === "bound" ? expression.column.printedName : otherwise;
}

function setsOf(elements: readonly GroupingElement[], at: Select): readonly (readonly Expression[])[] {
  let sets: readonly (readonly Expression[])[] = [[]];
  for (const element of elements) {
    const added = setsOfElement(element, at);
    if (sets.length * added.length > MAX_SETS) throw tooMany(at);
    sets = sets.flatMap((set) => added.map((more) => [...set, ...more]));
  }
  return sets;
}

function setsOfElement(element: GroupingElement, at: Select): readonly (readonly Expression[])[] {
  switch (element.kind) {
    case "expression":
    case "empty":
    case "keys":
      return [groupedBy(element)];
    case "sets":
      return element.elements.flatMap((inner) => setsOfElement(inner, at));
    case "rollup":
      return element.elements
        .map((_, index, units) => units.slice(0, units.length - index).flatMap(groupedBy))
        .concat([[]]);
    case "cube":
      if (2 ** element.elements.length > MAX_SETS) throw tooMany(at);
      return element.elements.reduceRight<readonly (readonly Expression[])[]>(
        (sets, unit) => [true, false].flatMap((has) => sets.map((set) => (has ? [...groupedBy(unit), ...set] : set))),
        [[]],
      );
    default:
      return element satisfies never;
  }
}

function tooMany({ span }: Select) {
  return unsupported(`more than ${MAX_SETS} grouping sets`, span, "Ask for fewer levels at once.");
}
