/**
 * `unnest` in FROM by a path behind a comma: `t, t.a AS e AT i`. Its rows are the elements, counted from 0; the joins before it end with
 * their tables. https://docs.aws.amazon.com/redshift/latest/dg/query-super.html
 */
import { unsupported } from "../../../diagnostics.ts";
import { elementTypeOf, isArrayOf } from "../../../lowering/arrays/array-values.ts";
import { withElementColumns } from "../../../lowering/arrays/element-columns.ts";
import { columnNamesOf } from "../../../lowering/arrays/set-returning.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { all, call, exactName, inPlaceOf, values } from "../../../syntax/build.ts";
import { QUERY_PRINTERS } from "../../../syntax/print-queries.ts";
import type { NodePrinter } from "../../../syntax/printer.ts";
import type { Expression, Join, Query, Select, TableExpression, TableFunction } from "../../../syntax/tree.ts";
import { type SyntaxNode, someExpression } from "../../../syntax/walk.ts";
import { BIGINT, BOOLEAN, type SqlType } from "../../../types.ts";
import { ELEMENTS, typedElement } from "./arrays.ts";

const ITERATED = "elements of a path";

/** The rows of a column; `undefined` for other arrays. */
export function columnRows(table: TableFunction): TableExpression | undefined {
  const [array, ...others] = values(table.call);
  if (array?.kind !== "bound" || others.length > 0 || !isArrayOf(array, ELEMENTS)) return undefined;
  const { alias, span } = table;
  const [element = "unnest", position = "ordinality"] = columnNamesOf(table);
  const names = table.ordinality ? [element, position] : [element];
  return {
    ...table,
    call: call(ITERATED, [array], inPlaceOf(table.call)),
    lateral: false,
    alias: { name: alias?.name ?? exactName(element, span), columns: names.map((each) => exactName(each, span)) },
  };
}

function isIterated(node: SyntaxNode): node is TableFunction {
  return node.kind === "function" && node.call.name[0]?.name === ITERATED;
}

const named = (name: string, type: SqlType, { span }: Expression): Expression => ({
  kind: "column",
  parts: [exactName(name, span)],
  span,
  type,
});

const aliasOf = ({ alias }: TableFunction): string => alias?.name.name ?? "";
/** Names that no column has, because they stand alone. */
const elementOf = (rows: TableFunction): string => `_unnest_${aliasOf(rows)}`;
const placeOf = (rows: TableFunction): string => `${elementOf(rows)}_at`;
const arrayOf = ({ call: made }: TableFunction): Expression => {
  const [array] = values(made);
  if (array === undefined) throw new TypeError("rows of an array are of one");
  return array;
};

const PLACE = words("(CAST($1 AS BIGINT) + 1)", { type: BIGINT });

/** The manual does not say which rows NULL has: https://docs.aws.amazon.com/redshift/latest/dg/r_is_array.html */
const IS_ARRAY = words("IS_ARRAY($1)", { type: BOOLEAN });

/** The columns of `unnest` as expressions over elements and places. */
export const withElements = (statement: Query): Query =>
  withElementColumns(statement, {
    isMade: isIterated,
    refusePlace(table, isFirst) {
      if (!isFirst) return;
      throw unsupported("elements of an array as the first table of a join", table.span, "Begin with the table.");
    },
    refuseJoin,
    columnsOf: (rows) => rows,
    element(rows, at) {
      const type = elementTypeOf(arrayOf(rows));
      return typedElement(named(elementOf(rows), type, at), type, at);
    },
    position: (rows, at) => spelled(PLACE, [named(placeOf(rows), BIGINT, at)], at),
    rows: (rows) => rows,
    select: withRowsLast,
  });

/** SUPER and its aliases are not in right and full joins: https://docs.aws.amazon.com/redshift/latest/dg/limitations-super.html */
function refuseJoin({ left, right, join, on, natural, using }: Join): void {
  const rows = [left, right].find(isIterated);
  if (rows === undefined) return;
  if (natural || using.length > 0) {
    throw unsupported("a join by the name of an element", rows.span, "Write the condition in WHERE.");
  }
  if (join !== "inner" && join !== "cross") {
    throw unsupported("an outer join with the elements of an array", rows.span, "Join them, and add the other rows.");
  }
  if (on !== undefined && !(on.kind === "boolean" && on.value === true)) {
    throw unsupported("a condition beside the elements of an array", on.span, "Write it in WHERE.");
  }
}

function withRowsLast(select: Select): Select {
  const made: TableFunction[] = [];
  const tables = select.from.flatMap((table) => without(table, made) ?? []);
  if (made.length === 0) return select;
  for (const rows of made) {
    const [name] = namesIn(arrayOf(rows));
    if (tables.some((table) => holds(table, name ?? ""))) continue;
    throw unsupported(
      "the elements of an array of a query around",
      rows.span,
      "Join the table of the array in this FROM: FROM t, unnest(t.a) AS e.",
    );
  }
  const arrays = made.map((rows) => spelled(IS_ARRAY, [arrayOf(rows)], rows));
  const where = all([...arrays, ...(select.where ? [select.where] : [])], select);
  return { ...select, from: [...tables, ...made], ...(where && { where }) };
}

/** The table without the rows of arrays in its joins, which stand behind all tables. */
function without(table: TableExpression, made: TableFunction[]): TableExpression | undefined {
  if (isIterated(table)) {
    made.push(table);
    return undefined;
  }
  if (table.kind !== "join") return table;
  const before = made.length;
  const left = without(table.left, made);
  if (left === undefined) throw new TypeError("a join begins with a table");
  if (made.length > before) refuseLater(table, made.slice(before), table.join === "left");
  const inLeft = made.length;
  const right = without(table.right, made);
  if (right === undefined) return left;
  if (made.length > inLeft) refuseLater(table, made.slice(inLeft), false);
  return left === table.left && right === table.right ? table : { ...table, left, right };
}

/** A join whose rows are the same if those of arrays are made behind it. */
function refuseLater({ join, on, span }: Join, made: readonly TableFunction[], isKept: boolean): void {
  const names = made.flatMap((rows) => [elementOf(rows), placeOf(rows)]);
  const isNamed = on !== undefined && someExpression(on, (node) => namesIn(node).some((name) => names.includes(name)));
  if ((join === "inner" || join === "cross" || isKept) && !isNamed) return;
  const hint = "Join the elements in a subquery, or write the condition in WHERE.";
  throw unsupported("a join on the elements of an array", span, hint);
}

/** The tables whose columns an expression is, and names that stand alone. */
function namesIn(node: Expression): readonly string[] {
  if (node.kind === "bound") return [node.column.relation.printedAlias];
  return node.kind === "column" ? node.parts.slice(0, 1).map(({ name }) => name) : [];
}

/** Whether a table of this name is there whose columns may be walked through. */
function holds(table: TableExpression, name: string): boolean {
  if (table.kind === "join") {
    const { join, left, right } = table;
    if (join === "right" || join === "full") return false;
    return holds(left, name) || (join !== "left" && holds(right, name));
  }
  return (table.kind === "physical-table" || table.kind === "derived") && table.alias?.name.name === name;
}

export const printRows: NodePrinter<"function"> = (printer, node) => {
  if (!isIterated(node) || node.alias === undefined) return QUERY_PRINTERS.function(printer, node);
  printer.expression(arrayOf(node));
  printer.write(" AS ");
  printer.name(exactName(elementOf(node), node.span));
  if (!node.ordinality) return;
  printer.write(" AT ");
  printer.name(exactName(placeOf(node), node.span));
};
