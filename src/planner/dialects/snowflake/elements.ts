/**
 * `unnest` in FROM. An element that is missing is a NULL, for which FLATTEN may have no row: it gives a number for each place of an array
 * here, and GET what stands there. Its columns have names of their own, so that those of `unnest` are written out where they are named.
 * https://docs.snowflake.com/en/sql-reference/functions/flatten, https://docs.snowflake.com/en/sql-reference/functions/get
 */
import { unsupported } from "../../diagnostics.ts";
import { isArrayOf, isRepeatable } from "../../lowering/array-values.ts";
import { columnNamesOf, elementRows } from "../../lowering/set-returning.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { binary, call, exactName, integer, typed, values } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type {
  BoundColumn,
  Expression,
  Join,
  Query,
  QueryBody,
  Select,
  SelectItem,
  TableExpression,
  TableFunction,
} from "../../syntax/tree.ts";
import { type SyntaxNode, someExpression, someNode } from "../../syntax/walk.ts";
import { BIGINT, type SqlType, TEXT, UNKNOWN } from "../../types.ts";
import { split, splitParts } from "./made-arrays.ts";

/** The rows of FLATTEN, one for each place in an array. */
export const PLACES = "places of an array";

/** The rows of FLATTEN, one for each part of a text. An empty text has none. */
export const PARTS = "parts of a text";

/** They need no other table. */
export const PARTS_ALONE = "parts of a text alone";

const ELEMENT = words("CAST(GET($1, $2) AS VARCHAR)", { type: TEXT });
const PART = words("CAST($1 AS VARCHAR)", { type: TEXT });

/** Rows of texts; literals alone make a derived table. */
export function arrayRows(table: TableFunction): TableExpression {
  const [array, ...others] = values(table.call);
  if (array === undefined || array.kind === "array" || others.length > 0) return elementRows(table);
  const parts = splitParts(array);
  if (parts !== undefined) return partRows(table, parts);
  if (!isArrayOf(array, ["text"]) || !isRepeatable(array) || !someExpression(array, isColumn))
    return elementRows(table);
  return flattened(table, PLACES, [array]);
}

export function splitRows(table: TableFunction): TableExpression {
  const parts = splitParts(split(table.call));
  if (parts === undefined) throw new TypeError("a text is split");
  return partRows(table, parts);
}

function partRows(table: TableFunction, parts: readonly Expression[]): TableFunction {
  if (parts.some((each) => someExpression(each, isColumn))) return flattened(table, PARTS, parts);
  return { ...flattened(table, PARTS_ALONE, parts), lateral: false };
}

const isColumn = ({ kind }: Expression): boolean => kind === "bound" || kind === "column";

function flattened(table: TableFunction, name: string, given: readonly Expression[]): TableFunction {
  const { alias, span } = table;
  return {
    ...table,
    call: call(name, given, typed(UNKNOWN, table)),
    lateral: true,
    alias: {
      name: alias?.name ?? exactName(table.call.name[0]?.name ?? "", span),
      columns: columnNamesOf(table).map((each) => exactName(each, span)),
    },
  };
}

function isFlattened(node: SyntaxNode): node is TableFunction {
  const name = node.kind === "function" ? node.call.name[0]?.name : undefined;
  return name === PLACES || name === PARTS || name === PARTS_ALONE;
}

/** The columns of `unnest` as expressions over the rows of FLATTEN. */
export function withElements(statement: Query): Query {
  if (!someNode(statement, isFlattened)) return statement;
  return transformQuery(statement, { query: ofQuery });
}

function ofQuery(query: Query): Query {
  const { body } = query;
  if (body.kind !== "select") {
    const branches = ofBranches(body);
    return branches === body ? query : { ...query, body: branches };
  }
  const made = madeIn(body);
  return made.size === 0 ? query : written({ ...query, body: withNames(body, made) }, made);
}

function ofBranches(body: QueryBody): QueryBody {
  if (body.kind === "set") {
    const [left, right] = [ofBranches(body.left), ofBranches(body.right)];
    return left === body.left && right === body.right ? body : { ...body, left, right };
  }
  if (body.kind !== "select") return body;
  const made = madeIn(body);
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
  return written(query, made).body;
}

/** FLATTEN, and its columns. */
interface Flattened {
  readonly rows: TableFunction;
  readonly place: BoundColumn;
  readonly value: BoundColumn;
}

type Made = ReadonlyMap<string, Flattened>;

function columnsOf(rows: TableFunction): Flattened {
  const relation = { printedAlias: rows.alias?.name.name ?? "" };
  const own = (printedName: string, type: SqlType): BoundColumn => ({
    kind: "bound",
    column: { relation, printedName },
    span: rows.span,
    type,
  });
  return { rows, place: own("INDEX", BIGINT), value: own("VALUE", UNKNOWN) };
}

function madeIn({ from }: Select): Made {
  const made = new Map<string, Flattened>();
  const visit = (table: TableExpression, isFirst: boolean): void => {
    if (table.kind === "join") {
      visit(table.left, isFirst);
      visit(table.right, false);
      refuseConditions(table);
    }
    if (!isFlattened(table)) return;
    if (isFirst)
      throw unsupported("elements of an array as the first table of a join", table.span, "Begin with the table.");
    made.set(table.alias?.name.name ?? "", columnsOf(table));
  };
  for (const table of from) visit(table, table.kind === "join");
  return made;
}

/** FLATTEN takes no condition: https://docs.snowflake.com/en/release-notes/bcr-bundles/2023_04/bcr-1057 */
function refuseConditions({ left, right, join, on, natural, using }: Join): void {
  const sides = [left, right].filter(isFlattened);
  const names = sides.flatMap(({ alias }) => alias?.columns.map(({ name }) => name) ?? []);
  const [first] = sides;
  if (first === undefined) return;
  if (natural || using.some(({ name }) => names.includes(name))) {
    throw unsupported("a join by the name of an element", first.span, "Write the condition in WHERE.");
  }
  if (!isFlattened(right)) return;
  if (join !== "inner" && join !== "cross") {
    throw unsupported("an outer join with the elements of an array", right.span, "Join them, and add the other rows.");
  }
  if (on !== undefined && !isTrue(on)) {
    throw unsupported("a condition beside the elements of an array", on.span, "Write it in WHERE.");
  }
}

const isTrue = (condition: Expression): boolean => condition.kind === "boolean" && condition.value === true;

/** A column that is named in the select list is the name of its item. */
function withNames(body: Select, made: Made): Select {
  const items = body.items.map((item): SelectItem => {
    if (item.kind !== "item" || item.alias !== undefined) return item;
    const [, name] = namedBy(item.expression) ?? [];
    return name === undefined || sourceOf(item.expression, made) === undefined
      ? item
      : { ...item, alias: exactName(name, item.span) };
  });
  return { ...body, items };
}

function written(query: Query, made: Made): Query {
  return transformQuery(query, {
    expression: (node) => sourceOf(node, made) ?? node,
    table: (table) => (table.kind === "join" ? withoutCondition(table) : plain(table, made)),
  });
}

const withoutCondition = (table: Join): Join =>
  isFlattened(table.right) && table.join === "inner" ? { ...table, join: "cross", on: undefined } : table;

function plain(table: TableExpression, made: Made): TableExpression {
  if (!isFlattened(table) || table.alias === undefined || !made.has(table.alias.name.name)) return table;
  return { ...table, ordinality: false, alias: { ...table.alias, columns: [] } };
}

/** The table and the column that an expression names. */
function namedBy(node: Expression): readonly [table: string, column: string] | undefined {
  if (node.kind === "bound") return [node.column.relation.printedAlias, node.column.printedName];
  // Lowering names columns of tables that it made.
  if (node.kind !== "column") return undefined;
  const [table, column, ...others] = node.parts;
  return table === undefined || column === undefined || others.length > 0 ? undefined : [table.name, column.name];
}

function sourceOf(node: Expression, made: Made): Expression | undefined {
  const [table = "", column] = namedBy(node) ?? [];
  const found = made.get(table);
  if (found?.rows.alias === undefined) return undefined;
  const { rows, place, value } = found;
  const [element, position = "ordinality"] = rows.alias?.columns.map(({ name }) => name) ?? [];
  if (column !== element) {
    if (!rows.ordinality || column !== position) return undefined;
    return binary(place, "+", integer(1, node), typed(BIGINT, node));
  }
  const [array] = values(rows.call);
  const isOfArray = array !== undefined && rows.call.name[0]?.name === PLACES;
  return isOfArray ? spelled(ELEMENT, [array, place], node) : spelled(PART, [value], node);
}
