/**
 * `unnest` in FROM by LATERAL VIEW, which stands behind one table and sees no other: the rows of an array are made behind the table
 * whose columns it is made of. https://doris.apache.org/docs/dev/query-data/lateral-view
 */
import { unsupported } from "../../../diagnostics.ts";
import { isArrayOf } from "../../../lowering/arrays/array-values.ts";
import { columnNamesOf, elementRows } from "../../../lowering/arrays/set-returning.ts";
import { call, exactName, inPlaceOf, values } from "../../../syntax/build.ts";
import { QUERY_PRINTERS } from "../../../syntax/print-queries.ts";
import type { NodePrinter } from "../../../syntax/printer.ts";
import { transformQuery } from "../../../syntax/rewrite.ts";
import type { Expression, Join, Query, Select, TableExpression, TableFunction } from "../../../syntax/tree.ts";
import { type SyntaxNode, someNode, walk } from "../../../syntax/walk.ts";
import { asRows, MADE, split } from "./made-arrays.ts";

const EXPLODED = "rows of an array";

/** Rows of columns; literals alone make a derived table. */
export function arrayRows(table: TableFunction): TableExpression {
  const [array, ...others] = values(table.call);
  if (array === undefined || array.kind === "array" || others.length > 0 || !isArrayOf(array, MADE)) {
    return elementRows(table);
  }
  return exploded(table, asRows(array));
}

export const splitRows = (table: TableFunction): TableExpression => exploded(table, asRows(split(table.call)));

function exploded(table: TableFunction, array: Expression): TableExpression {
  if (tablesIn(array).size === 0) return elementRows(table);
  const { alias, span } = table;
  const [element = "unnest", position = "ordinality"] = columnNamesOf(table);
  const names = table.ordinality ? [element, position] : [element];
  return {
    ...table,
    call: call(EXPLODED, [array], inPlaceOf(table.call)),
    lateral: false,
    alias: { name: alias?.name ?? exactName(element, span), columns: names.map((each) => exactName(each, span)) },
  };
}

function isExploded(node: SyntaxNode | undefined): node is TableFunction {
  return node?.kind === "function" && node.call.name[0]?.name === EXPLODED;
}

/** The names of the tables whose columns an expression reads. */
function tablesIn(expression: Expression): ReadonlySet<string> {
  const found = new Set<string>();
  walk(expression, (node) => {
    if (node.kind === "bound") found.add(node.column.relation.printedAlias);
    else if (node.kind === "column" && node.parts.length > 1) found.add(node.parts[0]?.name ?? "");
    return true;
  });
  return found;
}

/** The lowered statement: each LATERAL VIEW is joined to its table. */
export function withLateralViews(statement: Query): Query {
  if (!someNode(statement, isExploded)) return statement;
  return transformQuery(statement, { body: (body) => (body.kind === "select" ? withPlacedViews(body) : body) });
}

function withPlacedViews(select: Select): Select {
  const placed: TableExpression[] = [];
  for (const table of select.from) {
    if (isExploded(table)) placeAmong(placed, table, "cross");
    else {
      const rest = withoutViews(table, placed);
      if (rest !== undefined) placed.push(rest);
    }
  }
  return { ...select, from: placed };
}

type Kept = "cross" | "left";

function placeAmong(tables: TableExpression[], view: TableFunction, join: Kept): void {
  for (const [index, table] of tables.entries()) {
    const found = placed(table, view, join);
    if (found === undefined) continue;
    tables[index] = found;
    return;
  }
  throw unsupported(
    "the elements of an array of several tables, or of a query around",
    view.span,
    "Join the table of the array in this FROM: FROM t, unnest(t.a) AS e.",
  );
}

/** The table without the views on the right of its joins, each of which is placed within it or in the tables before. */
function withoutViews(table: TableExpression, before: TableExpression[]): TableExpression | undefined {
  if (table.kind !== "join") return table;
  const left = isExploded(table.left) ? undefined : withoutViews(table.left, before);
  if (left === undefined) {
    throw unsupported("elements of an array as the first table of a join", table.left.span, "Begin with the table.");
  }
  const { right } = table;
  if (!isExploded(right)) {
    const own = withoutViews(right, [left, ...before]);
    return left === table.left && own === right ? table : { ...table, left, right: own ?? right };
  }
  const join = keptBy(table, right);
  const within = placed(left, right, join);
  if (within !== undefined) return within;
  placeAmong(before, right, join);
  return left;
}

function keptBy({ join, on, natural, using }: Join, { span }: TableFunction): Kept {
  if (natural || using.length > 0) {
    throw unsupported("a join by the name of an element", span, "Write the condition in WHERE.");
  }
  if (on !== undefined && !(on.kind === "boolean" && on.value)) {
    throw unsupported("a condition beside the elements of an array", on.span, "Write it in WHERE.");
  }
  if (join === "inner" || join === "cross") return "cross";
  if (join === "left") return "left";
  throw unsupported(
    "an outer join with the elements of an array",
    span,
    "Join them on the right: LEFT JOIN … ON TRUE.",
  );
}

/** The table with the view behind the part that its array is made of; `undefined` if that is not here. */
function placed(table: TableExpression, view: TableFunction, join: Kept): TableExpression | undefined {
  const given = new Set(namesBeside(table));
  const wanted = [...tablesIn(view.call)];
  if (wanted.length > 0 && given.size > 0 && wanted.every((name) => given.has(name))) return beside(table, view, join);
  if (table.kind !== "join" || isExploded(table.right)) return undefined;
  if (table.natural || table.using.some(({ name }) => isNamed(view, name))) return undefined;
  const left = table.join === "right" || table.join === "full" ? undefined : placed(table.left, view, join);
  if (left !== undefined) return { ...table, left };
  const right = table.join === "left" || table.join === "full" ? undefined : placed(table.right, view, join);
  return right && { ...table, right };
}

const isNamed = ({ alias }: TableFunction, name: string): boolean =>
  alias?.columns.some((column) => column.name === name) === true;

const beside = (left: TableExpression, right: TableFunction, join: Kept): Join => ({
  kind: "join",
  join,
  natural: false,
  left,
  right,
  on: undefined,
  using: [],
  span: right.span,
});

/** The names of a table and of the views behind it; none if no view may stand there. */
function namesBeside(table: TableExpression): readonly string[] {
  switch (table.kind) {
    case "physical-table":
    case "derived":
      return table.alias === undefined || (table.kind === "derived" && table.lateral) ? [] : [table.alias.name.name];
    case "bound-common":
      return [table.alias?.name.name ?? table.table.printedName];
    case "join": {
      if (!isExploded(table.right)) return [];
      return [...namesBeside(table.left), table.right.alias?.name.name ?? ""];
    }
    default:
      return [];
  }
}

/** `t LATERAL VIEW EXPLODE(t.a, …) e AS x, n`. */
export const printJoin: NodePrinter<"join"> = (printer, node) => {
  const { left, right, join } = node;
  if (!isExploded(right)) return QUERY_PRINTERS.join(printer, node);
  const [array] = values(right.call);
  if (array === undefined || right.alias === undefined) throw new TypeError("rows of an array have a name");
  printer.table(left);
  printer.write(` LATERAL VIEW EXPLODE${join === "left" ? "_OUTER" : ""}(`);
  printer.expression(array);
  if (right.ordinality) {
    printer.write(", ARRAY_ENUMERATE(");
    printer.expression(array);
    printer.write(")");
  }
  printer.write(") ");
  printer.name(right.alias.name);
  printer.write(" AS ");
  printer.each(right.alias.columns, (name) => printer.name(name));
};
