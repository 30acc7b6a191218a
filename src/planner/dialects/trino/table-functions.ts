/** Rows that are made in FROM: of arrays, and series as the elements of one. */

import { unsupported } from "../../diagnostics.ts";
import { seriesOf } from "../../lowering/arrays/array-series.ts";
import { split } from "../../lowering/arrays/arrays.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, cast, exactName, inPlaceOf, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { TIMESTAMP } from "../../types.ts";
import { regexpParts } from "./regular-expressions.ts";
import { inUtc } from "./zones.ts";

/** UNNEST, whose columns have no names of their own. */
export function elementsOf(table: TableFunction, arrays: readonly Expression[]): TableExpression {
  const { alias, ordinality, span } = table;
  const called = alias?.name ?? exactName(table.call.name[0]?.name ?? "", span);
  const written = alias?.columns ?? [];
  const names = arrays.map((_, index) => written[index] ?? (arrays.length === 1 ? called : exactName("unnest", span)));
  const position = ordinality ? [written[arrays.length] ?? exactName("ordinality", span)] : [];
  return {
    ...table,
    lateral: false,
    call: call("unnest", arrays, inPlaceOf(table.call)),
    alias: { name: called, columns: [...names, ...position] },
  };
}

export function arrayRows(table: TableFunction): TableExpression {
  const arrays = values(table.call);
  const isOfRows = arrays.some(({ type }) => type?.kind === "array" && type.element.kind === "row");
  // Their members would be columns.
  if (isOfRows) throw unsupported("the elements of an array of rows", table.span);
  return elementsOf(table, arrays);
}

const textRows =
  (partsOf: (node: Call) => Expression) =>
  (table: TableFunction): TableExpression =>
    elementsOf(table, [partsOf(table.call)]);

export const splitRows = textRows(split);
export const matchedRows = textRows(regexpParts);

const IN_UTC = words("transform($1, _e -> with_timezone(_e, 'UTC'))");

export const seriesRows = (table: TableFunction): TableExpression =>
  elementsOf(table, [
    seriesOf(table, {
      clockOf: (value) => cast(inUtc(value), "timestamp", typed(TIMESTAMP, value)),
      instantsOf: (clocks) => spelled(IN_UTC, [clocks], clocks),
    }),
  ]);
