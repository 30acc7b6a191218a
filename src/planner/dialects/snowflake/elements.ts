/**
 * `unnest` in FROM. An element that is missing is a NULL, for which FLATTEN may have no row: it gives a number for each place of an array
 * here, and GET what stands there. Its columns have names of their own, so that those of `unnest` are written out where they are named.
 * https://docs.snowflake.com/en/sql-reference/functions/flatten, https://docs.snowflake.com/en/sql-reference/functions/get
 */
import { unsupported } from "../../diagnostics.ts";
import { isArrayOf, isRepeatable } from "../../lowering/arrays/array-values.ts";
import { withElementColumns } from "../../lowering/arrays/element-columns.ts";
import { columnNamesOf, elementRows } from "../../lowering/arrays/set-returning.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { binary, call, exactName, integer, typed, values } from "../../syntax/build.ts";
import type { BoundColumn, Expression, Join, Query, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { type SyntaxNode, someExpression } from "../../syntax/walk.ts";
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
export const withElements = (statement: Query): Query =>
  withElementColumns(statement, {
    isMade: isFlattened,
    refusePlace(table, isFirst) {
      if (!isFirst) return;
      throw unsupported("elements of an array as the first table of a join", table.span, "Begin with the table.");
    },
    refuseJoin: refuseConditions,
    columnsOf: (rows) => ({
      rows,
      place: columnOfRows(rows, "INDEX", BIGINT),
      value: columnOfRows(rows, "VALUE", UNKNOWN),
    }),
    element({ rows, place, value }, at) {
      const [array] = values(rows.call);
      const isOfArray = array !== undefined && rows.call.name[0]?.name === PLACES;
      return isOfArray ? spelled(ELEMENT, [array, place], at) : spelled(PART, [value], at);
    },
    position: ({ place }, at) => binary(place, "+", integer(1, at), typed(BIGINT, at)),
    rows: (rows) => ({ ...rows, ordinality: false, ...(rows.alias && { alias: { ...rows.alias, columns: [] } }) }),
    select: (select) => ({ ...select, from: select.from.map(withoutConditions) }),
  });

function columnOfRows(rows: TableFunction, printedName: string, type: SqlType): BoundColumn {
  const relation = { printedAlias: rows.alias?.name.name ?? "" };
  return { kind: "bound", column: { relation, printedName }, span: rows.span, type };
}

function withoutConditions(table: TableExpression): TableExpression {
  if (table.kind !== "join") return table;
  const [left, right] = [withoutConditions(table.left), withoutConditions(table.right)];
  const bare = isFlattened(right) && table.join === "inner" ? ({ join: "cross", on: undefined } as const) : {};
  return { ...table, ...bare, left, right };
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
