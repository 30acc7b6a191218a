/** Rows that are made in FROM: elements of an array, as members of structs, so that they have a table's and a column's name. */
import { unsupported } from "../../diagnostics.ts";
import { seriesOf } from "../../lowering/arrays/array-series.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, exactName, inPlaceOf, text, values } from "../../syntax/build.ts";
import type { Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { split } from "./texts.ts";
import { asClock } from "./zones.ts";

export const ROWS_OF = "rows of";

export function elementsOf(table: TableFunction, array: Expression): TableExpression {
  const { alias, ordinality, span } = table;
  const called = alias?.name ?? exactName(table.call.name[0]?.name ?? "", span);
  const [name = called, position = exactName("ordinality", span)] = alias?.columns ?? [];
  const names = [text(name.name, table), ...(ordinality ? [text(position.name, table)] : [])];
  return {
    ...table,
    lateral: false,
    ordinality: false,
    call: call(ROWS_OF, [array, ...names], inPlaceOf(table.call)),
    alias: { name: called, columns: [] },
  };
}

export function arrayRows(table: TableFunction): TableExpression {
  const [array, ...others] = values(table.call);
  if (array === undefined || others.length > 0) throw unsupported("the elements of several arrays", table.span);
  if (array.type?.kind === "array" && array.type.element.kind === "row") {
    throw unsupported("the elements of an array of rows", table.span);
  }
  return elementsOf(table, array);
}

export const splitRows = (table: TableFunction): TableExpression => elementsOf(table, split(table.call));

const IN_UTC = words("ARRAY(SELECT TIMESTAMP(_e, 'UTC') FROM UNNEST($1) AS _e WITH OFFSET AS _o ORDER BY _o)");

export const seriesRows = (table: TableFunction): TableExpression =>
  elementsOf(table, seriesOf(table, { clockOf: asClock, instantsOf: (clocks) => spelled(IN_UTC, [clocks], clocks) }));
