/**
 * LATERAL for targets without it. A lateral table becomes a plain one that is joined on its conditions (`lateral-joins.ts`), or, where it
 * computes with the rows before it, a derived table takes the place of the join (`lateral-rows.ts`, `lateral-values.ts`). The leftmost
 * lateral table is the first, so that a later one that names its columns names those of a plain table.
 */
import { PlannerError } from "../../diagnostics.ts";
import { all } from "../../syntax/build.ts";
import { mapBody, type Rewrite, transformExpression, transformQuery } from "../../syntax/rewrite.ts";
import type {
  BoundColumn,
  DerivedTable,
  Expression,
  Join,
  Query,
  QueryBody,
  Select,
  TableExpression,
} from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, someNode, walk } from "../../syntax/walk.ts";
import { aliasOf, outerColumns } from "./correlation.ts";
import { asJoin } from "./lateral-joins.ts";
import {
  aliasesIn,
  type Fresh,
  holdsQuery,
  inOneItem,
  isByChance,
  type Lateral,
  refused,
  selectOfLateral,
} from "./lateral-parts.ts";
import { type LateralRows, RowsOfLateral } from "./lateral-rows.ts";
import { RowsOfValues, writtenRows } from "./lateral-values.ts";
import { replaced } from "./output-columns.ts";

/** The query without lateral tables in its FROM. Throws UNSUPPORTED_ON_SOURCE for those that become no join. */
export function withoutLateral(query: Query, fresh: Fresh): Query {
  let made = query;
  for (;;) {
    const { body } = made;
    const place = body.kind === "select" ? firstIn(body) : undefined;
    if (place === undefined) return made;
    made = withoutFirst({ ...made, body: place.select }, place, fresh);
  }
}

/** The same, and the query as it is where one of them becomes no join. */
export function withFewerLateral(query: Query, fresh: Fresh): Query {
  try {
    return withoutLateral(query, fresh);
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") return query;
    throw error;
  }
}

interface Place {
  /** The SELECT with the lateral table and all tables before it in one item of FROM. */
  readonly select: Select;
  readonly table: DerivedTable;
  /** The join whose right side the lateral table is. */
  readonly join: Join | undefined;
  /** A condition on the left side of the join may be tested before the join. */
  readonly isFirstTested: boolean;
}

function firstIn(select: Select): Place | undefined {
  const index = select.from.findIndex((table) => lateralIn(table, true) !== undefined);
  const item = select.from[index];
  if (item === undefined) return undefined;
  const from = inOneItem([...select.from.slice(0, index), item]);
  const found = lateralIn(from, true);
  return found && { ...found, select: { ...select, from: [from, ...select.from.slice(index + 1)] } };
}

/** The first lateral table. */
function lateralIn(table: TableExpression, isFirstTested: boolean): Omit<Place, "select"> | undefined {
  if (table.kind === "derived" && table.lateral) return { table, join: undefined, isFirstTested };
  if (table.kind !== "join") return undefined;
  const isInner = table.join === "inner" || table.join === "cross";
  const { left, right } = table;
  const first = lateralIn(left, isFirstTested && (isInner || table.join === "left"));
  if (first !== undefined) return first;
  if (right.kind === "derived" && right.lateral) return { table: right, join: table, isFirstTested };
  return lateralIn(right, isFirstTested && isInner);
}

function withoutFirst(query: Query, place: Place, fresh: Fresh): Query {
  const { select, table } = place;
  const named = outerColumns(table.query);
  if (named.length === 0) {
    const plain: DerivedTable = { ...table, lateral: false };
    return { ...query, body: withTable(select, table, plain) };
  }
  const lateral = lateralOf(place, named);
  const rows = writtenRows(lateral);
  if (rows !== undefined) return withRows(query, place, lateral, new RowsOfValues(lateral, rows, fresh));
  const parts = selectOfLateral(lateral, bodyOf(table));
  const joined = asJoin(parts, fresh);
  if (joined !== undefined) return { ...query, body: withTable(select, lateral.join, joined) };
  return withRows(query, place, lateral, new RowsOfLateral(parts, fresh));
}

function lateralOf({ select, table, join }: Place, named: readonly BoundColumn[]): Lateral {
  const aliases = new Set(join === undefined ? [] : aliasesIn(join.left));
  const isOuter = (node: SyntaxNode): boolean => node.kind === "bound" && aliases.has(aliasOf(node));
  const far = named.find((column) => !isOuter(column));
  if (far !== undefined) throw refused("a column of a query around its own, or of a table in other parentheses", far);
  if (join === undefined || join.join === "right" || join.join === "full" || table.alias === undefined)
    throw refused("a right join", table);
  if (select.from.some(hasFullJoin)) throw refused("a full join beside it", table);
  if (someNode(table.query, isByChance)) throw refused("a random value", table);
  const { on } = join;
  const isAlways = on === undefined || (on.kind === "boolean" && on.value);
  const isLeftJoin = join.join === "left";
  return { join, table, alias: table.alias.name.name, isOuter, isLeftJoin, on: isAlways ? undefined : on };
}

const hasFullJoin = (table: TableExpression): boolean =>
  table.kind === "join" && (table.join === "full" || hasFullJoin(table.left) || hasFullJoin(table.right));

function bodyOf({ query }: DerivedTable): Select {
  if (query.body.kind === "select") return query.body;
  throw refused("a set operation", query.body);
}

/** The SELECT with `made` in the place of one of its tables. */
function withTable(select: Select, table: TableExpression, made: TableExpression): Select {
  const inside = (each: TableExpression): TableExpression => {
    if (each === table) return made;
    return each.kind === "join" ? { ...each, left: inside(each.left), right: inside(each.right) } : each;
  };
  return { ...select, from: select.from.map(inside) };
}

/** The query with a derived table in the place of the join, and its columns in the place of those of both sides. */
function withRows(query: Query, { select, isFirstTested }: Place, lateral: Lateral, rows: LateralRows): Query {
  const { join, isOuter, alias } = lateral;
  refuseSettled(select, join, (node) => isOuter(node) || (node.kind === "bound" && aliasOf(node) === alias));
  const conditions = select.where === undefined ? [] : conjuncts(select.where);
  const before = isFirstTested ? conditions.filter((each) => isOfLeft(each, lateral)) : [];
  const after = conditions.filter((each) => !before.includes(each));
  const rewrite: Rewrite = {
    expression: (node) => (node.kind === "bound" ? (rows.column(node) ?? node) : node),
  };
  const expression = (each: Expression): Expression => transformExpression(each, rewrite);
  const table = (each: TableExpression): TableExpression => {
    if (each === join) return each;
    if (each.kind === "join")
      return { ...each, left: table(each.left), right: table(each.right), on: each.on && expression(each.on) };
    if (each.kind === "derived") return each.lateral ? { ...each, query: transformQuery(each.query, rewrite) } : each;
    if (each.kind !== "function") return each;
    const call = expression(each.call);
    return call.kind === "call" ? { ...each, call } : each;
  };
  const body: QueryBody = mapBody(
    { ...select, where: all(after, select) },
    {
      expression,
      query: (each) => each,
      body: (each) => each,
      table,
      item: (item) => {
        const changed = item.kind === "item" ? expression(item.expression) : undefined;
        return item.kind !== "item" || changed === undefined || changed === item.expression
          ? item
          : replaced(item, changed);
      },
    },
  );
  if (body.kind !== "select") throw new TypeError("a select stays a select");
  const orderBy = query.orderBy.map((item) => ({ ...item, expression: expression(item.expression) }));
  return { ...query, body: withTable(body, join, rows.table(before)), orderBy };
}

/** A condition that can be tested on the rows of the left side. */
function isOfLeft(condition: Expression, { isOuter }: Lateral): boolean {
  const isOther = (node: SyntaxNode): boolean => (node.kind === "bound" && !isOuter(node)) || isByChance(node);
  return someNode(condition, isOuter) && !someNode(condition, isOther) && !holdsQuery(condition);
}

/** Common tables and full joins are known by their nodes, which must stay the same. */
function refuseSettled(select: Select, join: Join, isChanged: (node: SyntaxNode) => boolean): void {
  walk(select, (node) => {
    if (node === join) return false;
    const isCommon =
      node.kind === "query" && node.with?.tables.some(({ query }) => someNode(query, isChanged)) === true;
    const isFull = node.kind === "join" && node.join === "full" && someNode(node, isChanged);
    if (isCommon || isFull) throw refused("a common table or a full join that names its columns", node);
    return true;
  });
}
