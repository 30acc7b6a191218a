/**
 * Set-returning functions in FROM whose list comes from another table of the query. DuckDB joins `t, unnest(t.a)` by a hash join, which
 * gives each list from its end (`string_agg(u, ',')` was `c,b,a`), and computes the list before WHERE, so that an error over rows that
 * WHERE leaves out is raised. Seen on 1.4.4; shown for 0.7 in https://github.com/duckdb/duckdb/issues/7416 and not called a defect there:
 * lists in a select list are joined by no hash join (https://github.com/duckdb/duckdb/pull/6035). So the tables to the left become a
 * derived table that holds the list in its select list: `(SELECT t.id AS c1, unnest(t.a) AS c2 FROM t WHERE …) AS _l1`.
 */
import { holdsQuery } from "../../../lowering/templates/template.ts";
import {
  all,
  call,
  columnOf,
  exactName,
  inPlaceOf,
  integer,
  logical,
  queryOf,
  selectItem,
  selectOf,
  values,
  when,
} from "../../../syntax/build.ts";
import { transformQuery } from "../../../syntax/rewrite.ts";
import { NOWHERE } from "../../../syntax/spans.ts";
import type {
  DerivedTable,
  Expression,
  Query,
  Select,
  Span,
  TableExpression,
  TableFunction,
} from "../../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, someExpression, someNode } from "../../../syntax/walk.ts";
import { BIGINT, typeOrUnknown } from "../../../types.ts";
import { elementOf } from "../calls.ts";
import { nameOf, namesOf } from "../printed-names.ts";

export function withOrderedLists(statement: Query): Query {
  let count = 0;
  const fresh = (): string => `_l${++count}`;
  return transformQuery(statement, {
    query: (query) => (query.body.kind === "select" ? withListsInside(query, query.body, fresh) : query),
    body: (body) => {
      if (body.kind !== "set") return body;
      const [left, right] = [body.left, body.right].map((side) =>
        side.kind === "select" ? withListsInside(queryOf(side), side, fresh).body : side,
      );
      return left === body.left && right === body.right
        ? body
        : { ...body, left: left ?? body.left, right: right ?? body.right };
    },
  });
}

function withListsInside(query: Query, select: Select, fresh: () => string): Query {
  let current = query;
  let body = select;
  for (;;) {
    const found = firstList(body);
    const next = found && withList(current, body, found, fresh);
    if (next === undefined || next.body.kind !== "select") return withGuardedErrors(current, body);
    current = next;
    body = next.body;
  }
}

/** Members of jsonb, which need a query of their own: no error over rows that the conditions of WHERE leave out. */
function withGuardedErrors(query: Query, select: Select): Query {
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  if (conditions.length === 0 || !select.from.some(mayRaise)) return query;
  const tables = new Set<string>();
  const isKnown = (node: Expression): boolean => tables.has(nameOf(node)?.table ?? "");
  const guarded = (table: TableExpression): TableExpression => {
    if (table.kind === "join" && table.join !== "right" && table.join !== "full") {
      return { ...table, left: guarded(table.left), right: guarded(table.right) };
    }
    const known = conditions.filter((each) => isOver(each, isKnown));
    const isGuarded = mayRaise(table) && known.length > 0;
    for (const name of namesOf(table)) tables.add(name);
    return isGuarded && table.kind === "derived" ? { ...table, query: withErrorsWhere(known, table.query) } : table;
  };
  return { ...query, body: { ...select, from: select.from.map(guarded) } };
}

function mayRaise(table: TableExpression): boolean {
  if (table.kind === "join") return mayRaise(table.left) || mayRaise(table.right);
  return table.kind === "derived" && table.lateral && someNode(table.query, isError);
}

const isError = (node: SyntaxNode): boolean =>
  (node.kind === "call" && node.name[0]?.name === "error") || (node.kind === "spelled" && node.template.raises);

function withErrorsWhere(conditions: readonly Expression[], query: Query): Query {
  return transformQuery(query, {
    expression: (node) =>
      isError(node) ? when(logical("and", conditions, node), node, undefined, inPlaceOf(node)) : node,
  });
}

/** Lists side by side in FROM, and the tables to their left. */
interface FoundList {
  readonly index: number;
  readonly table: TableFunction | DerivedTable;
  readonly lists: readonly Expression[];
  readonly left: TableExpression | undefined;
  /** Every row of the left has one of the list, whatever that holds. */
  readonly keepsLeft: boolean;
  readonly on: Expression | undefined;
  readonly around: (table: TableExpression) => TableExpression;
}

function firstList({ from }: Select): FoundList | undefined {
  for (const [index, table] of from.entries()) {
    const found = listIn(table, index);
    if (found !== undefined) return index === 0 && found.left === undefined ? undefined : found;
  }
  return undefined;
}

function listIn(table: TableExpression, index: number): FoundList | undefined {
  const only = listsOf(table);
  if (only !== undefined) {
    return { ...only, index, left: undefined, keepsLeft: false, on: undefined, around: (made) => made };
  }
  if (table.kind !== "join" || table.join === "right" || table.join === "full") return undefined;
  const deeper = listIn(table.left, index);
  if (deeper !== undefined) return { ...deeper, around: (made) => ({ ...table, left: deeper.around(made) }) };
  const { left, right, on, join } = table;
  const lists = listsOf(right);
  const keepsLeft = join === "left";
  if (lists === undefined || (keepsLeft && !isTrue(on))) return undefined;
  return { ...lists, index, left, keepsLeft, on: keepsLeft ? undefined : on, around: (made) => made };
}

/** The lists of `unnest(list)`, or of `LATERAL (SELECT unnest(a), unnest(b))`, of which one names a column. */
function listsOf(table: TableExpression): Pick<FoundList, "table" | "lists"> | undefined {
  if ((table.kind !== "function" && table.kind !== "derived") || table.alias === undefined) return undefined;
  const lists = table.kind === "function" ? listsOfCall(table.call) : listsOfQuery(table);
  const isLateral = lists?.some((list) => someExpression(list, (node) => nameOf(node) !== undefined));
  return lists === undefined || isLateral !== true ? undefined : { table, lists };
}

function listsOfCall(node: Expression): readonly Expression[] | undefined {
  const isList = node.kind === "call" && node.name[0]?.name === "unnest" && node.arguments.length === 1;
  return isList ? values(node) : undefined;
}

function listsOfQuery({ query, alias }: DerivedTable): readonly Expression[] | undefined {
  const { body } = query;
  const isBare = query.with === undefined && query.orderBy.length === 0 && query.limit === undefined;
  if (!isBare || body.kind !== "select" || body.from.length > 0 || body.where !== undefined) return undefined;
  const lists = body.items.flatMap((item) => (item.kind === "item" ? (listsOfCall(item.expression) ?? []) : []));
  return lists.length > 0 && lists.length === body.items.length && alias?.columns.length === lists.length
    ? lists
    : undefined;
}

const isTrue = (on: Expression | undefined): boolean => on === undefined || (on.kind === "boolean" && on.value);

// ------------------------------------------------------------------------------------------------- the derived table

function withList(query: Query, select: Select, found: FoundList, fresh: () => string): Query | undefined {
  const { index, table, lists, left, keepsLeft, on } = found;
  const inside = [...select.from.slice(0, index), ...(left === undefined ? [] : [left])];
  const after = select.from.slice(index + 1);
  const tables = new Set(inside.flatMap(namesOf));
  const own = table.alias?.name.name ?? "";
  const alias = fresh();
  if (tables.size === 0 || inside.some(isNameless)) return undefined;
  const isInner = (node: Expression): boolean => tables.has(nameOf(node)?.table ?? "");
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  const [moved, kept] = [
    conditions.filter((each) => isOver(each, isInner)),
    conditions.filter((each) => !isOver(each, isInner)),
  ];
  const rest: Query = {
    ...query,
    body: {
      ...select,
      items: select.items.map((item) => (item.kind === "item" ? namedItem(item) : item)),
      // Its query is known when all columns are.
      from: [found.around(tableOf(EMPTY, alias, table)), ...after],
      where: all([...kept, ...(on === undefined || isTrue(on) ? [] : conjuncts(on))], select),
    },
  };
  if (someNode(rest, isUnreadable)) return undefined;
  const columns = new Map<string, { readonly expression: Expression; readonly name: string }>();
  const columnFor = (node: Expression): Expression => {
    const key = JSON.stringify(nameOf(node));
    const known = columns.get(key) ?? { expression: node, name: `c${columns.size + 1}` };
    columns.set(key, known);
    return columnOf(alias, known.name, inPlaceOf(node));
  };
  const listColumns = table.alias?.columns.map(({ name }) => name) ?? [];
  const replaced = transformQuery(rest, {
    expression: (node) => {
      const name = nameOf(node);
      if (name === undefined) return node;
      if (tables.has(name.table)) return columnFor(node);
      if (name.table !== own) return node;
      return columnOf(alias, listName(Math.max(0, listColumns.indexOf(name.column))), inPlaceOf(node));
    },
  });
  const source = selectOf({ items: [], from: inside, where: all(moved, select) }, table);
  const made = listTable({ source, lists, table, keepsLeft }, [...columns.values()]);
  return withTable(replaced, alias, made);
}

const listName = (index: number): string => `l${index + 1}`;

/** `SELECT columns, unnest(list) AS l1, …`; a list is computed once where its elements are numbered. */
function listTable(
  { source, lists, table, keepsLeft }: Pick<FoundList, "lists" | "table" | "keepsLeft"> & { readonly source: Select },
  columns: readonly { readonly expression: Expression; readonly name: string }[],
): Query {
  const { span } = table;
  const named = (expression: Expression, name: string) => selectItem(expression, exactName(name, span), table);
  const rows = (list: Expression, index: number): Expression =>
    call("unnest", [keepsLeft && index === 0 ? neverEmpty(list) : list], { span, type: elementOf(list) });
  const items = columns.map(({ expression, name }) => named(expression, name));
  if (table.kind === "derived" || !table.ordinality) {
    return queryOf({
      ...source,
      items: [...items, ...lists.map((list, index) => named(rows(list, index), listName(index)))],
    });
  }
  const inner = queryOf({ ...source, items: [...items, ...lists.map((list, index) => named(list, listName(index)))] });
  const [list] = lists;
  const own = columnOf(INNER, listName(0), { span, type: list?.type });
  const numbers = call("generate_series", [integer(1, table), call("len", [own], { span, type: BIGINT })], {
    span,
    type: { kind: "array", element: BIGINT },
  });
  const outer = [
    ...columns.map(({ expression, name }) => named(columnOf(INNER, name, inPlaceOf(expression)), name)),
    named(rows(own, 0), listName(0)),
    named(call("unnest", [numbers], { span, type: BIGINT }), listName(1)),
  ];
  return queryOf(selectOf({ items: outer, from: [tableOf(inner, INNER, table)] }, table));
}

const INNER = "_a";

/** `coalesce(nullif(list, []), [NULL])` */
function neverEmpty(list: Expression): Expression {
  const at = { span: list.span, type: typeOrUnknown(list) };
  const none: Expression = { kind: "array", elements: [], ...at };
  const missing: Expression = {
    kind: "array",
    elements: [{ kind: "null", span: list.span, type: elementOf(list) }],
    ...at,
  };
  return call("coalesce", [call("nullif", [list, none], at), missing], at);
}

function tableOf(query: Query, alias: string, { span }: { readonly span: Span }): DerivedTable {
  return { kind: "derived", query, lateral: false, alias: { name: exactName(alias, span), columns: [] }, span };
}

const EMPTY = queryOf(selectOf({ items: [] }, { span: NOWHERE }));

function withTable(query: Query, alias: string, made: Query): Query {
  const place = (table: TableExpression): TableExpression => {
    if (table.kind === "join") return { ...table, left: place(table.left) };
    return table.kind === "derived" && table.alias?.name.name === alias ? { ...table, query: made } : table;
  };
  const { body } = query;
  return body.kind === "select" ? { ...query, body: { ...body, from: body.from.map(place) } } : query;
}

// --------------------------------------------------------------------------------------------------------- names

/** Whether a condition is about the inner tables alone. Queries in it stay where they are. */
function isOver(condition: Expression, isInner: (node: Expression) => boolean): boolean {
  let names = 0;
  const isOther = (node: Expression): boolean => {
    if (QUERIES.has(node.kind) || holdsQuery(node) || isUnreadable(node)) return true;
    if (nameOf(node) === undefined) return node.kind === "column";
    names++;
    return !isInner(node);
  };
  return !someExpression(condition, isOther) && names > 0;
}

const QUERIES: ReadonlySet<Expression["kind"]> = new Set([
  ...(["scalar-query", "in-query", "exists", "quantified", "array-query"] as const),
]);

/** Nodes that name columns invisibly: native SQL, and stars. */
function isUnreadable(node: SyntaxNode): boolean {
  return node.kind === "star" || (node.kind === "opaque" && node.owner !== undefined);
}

function isNameless(table: TableExpression): boolean {
  return table.kind === "join" ? isNameless(table.left) || isNameless(table.right) : namesOf(table).length === 0;
}

/** A column without an alias keeps its name. */
function namedItem<Item extends Select["items"][number] & { kind: "item" }>(item: Item): Item {
  const name = item.alias === undefined ? nameOf(item.expression)?.column : undefined;
  return name === undefined ? item : { ...item, alias: exactName(name, item.span) };
}
