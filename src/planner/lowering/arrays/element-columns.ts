/**
 * Columns of `unnest` in FROM that are written out where they are named, for targets whose rows of an array have other columns: the
 * element and its position become expressions over those.
 */
import { exactName } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type {
  Expression,
  Join,
  Query,
  QueryBody,
  Select,
  SelectItem,
  TableExpression,
  TableFunction,
} from "../../syntax/tree.ts";
import { type SyntaxNode, someNode } from "../../syntax/walk.ts";

/** How a target says the rows of an array. */
export interface ElementRows<Columns> {
  readonly isMade: (node: SyntaxNode) => node is TableFunction;
  /** Refuses a place where the rows cannot stand; `isFirst` in a join. */
  readonly refusePlace: (table: TableFunction, isFirst: boolean) => void;
  readonly refuseJoin: (join: Join) => void;
  /** The columns of the rows, which are the same ones wherever they are named. */
  readonly columnsOf: (rows: TableFunction) => Columns;
  readonly element: (columns: Columns, at: Expression) => Expression;
  /** Counted from 1. */
  readonly position: (columns: Columns, at: Expression) => Expression;
  /** The rows without the columns of `unnest`. */
  readonly rows: (rows: TableFunction) => TableFunction;
  /** The query once its columns are written out, with its rows in their places. */
  readonly select: (select: Select) => Select;
}

interface Named<Columns> {
  readonly rows: TableFunction;
  readonly columns: Columns;
}

type Made<Columns> = ReadonlyMap<string, Named<Columns>>;

export function withElementColumns<Columns>(statement: Query, ways: ElementRows<Columns>): Query {
  if (!someNode(statement, ways.isMade)) return statement;
  return transformQuery(statement, { query: (query) => ofQuery(query, ways) });
}

function ofQuery<Columns>(query: Query, ways: ElementRows<Columns>): Query {
  const { body } = query;
  if (body.kind !== "select") {
    const branches = ofBranches(body, ways);
    return branches === body ? query : { ...query, body: branches };
  }
  const made = madeIn(body, ways);
  return made.size === 0 ? query : written({ ...query, body: withNames(body, made) }, made, ways);
}

function ofBranches<Columns>(body: QueryBody, ways: ElementRows<Columns>): QueryBody {
  if (body.kind === "set") {
    const [left, right] = [ofBranches(body.left, ways), ofBranches(body.right, ways)];
    return left === body.left && right === body.right ? body : { ...body, left, right };
  }
  if (body.kind !== "select") return body;
  const made = madeIn(body, ways);
  if (made.size === 0) return body;
  const query: Query = {
    kind: "query",
    with: undefined,
    body: withNames(body, made),
    orderBy: [],
    limit: undefined,
    offset: undefined,
    span: body.span,
  };
  return written(query, made, ways).body;
}

function madeIn<Columns>({ from }: Select, ways: ElementRows<Columns>): Made<Columns> {
  const { isMade, refusePlace, refuseJoin, columnsOf } = ways;
  const made = new Map<string, Named<Columns>>();
  const visit = (table: TableExpression, isFirst: boolean): void => {
    if (table.kind === "join") {
      visit(table.left, isFirst);
      visit(table.right, false);
      refuseJoin(table);
    }
    if (!isMade(table)) return;
    refusePlace(table, isFirst);
    made.set(table.alias?.name.name ?? "", { rows: table, columns: columnsOf(table) });
  };
  for (const table of from) visit(table, table.kind === "join");
  return made;
}

/** A column that is named in the select list is the name of its item. */
function withNames<Columns>(body: Select, made: Made<Columns>): Select {
  const items = body.items.map((item): SelectItem => {
    if (item.kind !== "item" || item.alias !== undefined) return item;
    const [table = "", column] = namedBy(item.expression) ?? [];
    return column === undefined || partOf(made.get(table)?.rows, column) === undefined
      ? item
      : { ...item, alias: exactName(column, item.span) };
  });
  return { ...body, items };
}

function written<Columns>(query: Query, made: Made<Columns>, ways: ElementRows<Columns>): Query {
  const said = transformQuery(query, {
    expression: (node) => sourceOf(node, made, ways) ?? node,
    table: (table) => (ways.isMade(table) && made.has(table.alias?.name.name ?? "") ? ways.rows(table) : table),
  });
  return said.body.kind === "select" ? { ...said, body: ways.select(said.body) } : said;
}

/** The table and the column that an expression names. */
function namedBy(node: Expression): readonly [table: string, column: string] | undefined {
  if (node.kind === "bound") return [node.column.relation.printedAlias, node.column.printedName];
  // Lowering names columns of tables that it made.
  if (node.kind !== "column") return undefined;
  const [table, column, ...others] = node.parts;
  return table === undefined || column === undefined || others.length > 0 ? undefined : [table.name, column.name];
}

function partOf(rows: TableFunction | undefined, column: string): "element" | "position" | undefined {
  if (rows?.alias === undefined) return undefined;
  const [element, position = "ordinality"] = rows.alias.columns.map(({ name }) => name);
  if (column === element) return "element";
  return rows.ordinality && column === position ? "position" : undefined;
}

function sourceOf<Columns>(node: Expression, made: Made<Columns>, ways: ElementRows<Columns>): Expression | undefined {
  const [table = "", column = ""] = namedBy(node) ?? [];
  const found = made.get(table);
  const part = partOf(found?.rows, column);
  if (found === undefined || part === undefined) return undefined;
  return part === "element" ? ways.element(found.columns, node) : ways.position(found.columns, node);
}
