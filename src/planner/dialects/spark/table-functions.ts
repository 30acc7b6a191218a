/** Rows that are made in FROM: of arrays, and series as the elements of one. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { seriesOf } from "../../lowering/arrays/array-series.ts";
import { split } from "../../lowering/arrays/arrays.ts";
import { arrayOf } from "../../lowering/numbers/named-casts.ts";
import { call, exactName, inPlaceOf, values } from "../../syntax/build.ts";
import type { Call, Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { typeOrUnknown } from "../../types.ts";
import { regexpParts } from "./regular-expressions.ts";

/** Rows of an array with their places, once they are lowered. */
export const NUMBERED = "numbered rows";

/** `explode` of one array; with a position, or of several side by side, their members as rows of structs. */
export function elementsOf(table: TableFunction, arrays: readonly Expression[]): TableExpression {
  const { alias, ordinality, span } = table;
  const called = alias?.name ?? exactName(table.call.name[0]?.name ?? "", span);
  const written = alias?.columns ?? [];
  const names = arrays.map(
    (_, index) => written[index] ?? (arrays.length === 1 ? called : exactName(`unnest_${index}`, span)),
  );
  const position = ordinality ? [written[arrays.length] ?? exactName("ordinality", span)] : [];
  const [only] = arrays;
  if (ordinality && arrays.length > 1)
    throw unsupported("positions beside several arrays", span, "Unnest one of them.");
  const isPlain = only !== undefined && arrays.length === 1 && !ordinality;
  const made = isPlain
    ? call("explode", [only], inPlaceOf(table.call))
    : call(ordinality ? NUMBERED : "rows side by side", arrays.map(present), inPlaceOf(table.call));
  const isSideways = arrays.some((array) => someExpression(array, ({ kind }) => kind === "bound" || kind === "column"));
  return {
    ...table,
    lateral: isSideways,
    ordinality: false,
    call: made,
    alias: { name: called, columns: [...names, ...position] },
  };

  /** Beside another one it has no elements, where it alone makes no rows. */
  function present(array: Expression): Expression {
    if (arrays.length === 1 || !isNullable(array)) return array;
    return call("coalesce", [array, arrayOf(typeOrUnknown(array), array)], inPlaceOf(array));
  }
}

export function arrayRows(table: TableFunction): TableExpression {
  const arrays = values(table.call);
  if (arrays.some(({ type }) => type?.kind === "array" && type.element.kind === "row")) {
    throw unsupported("the elements of an array of rows", table.span);
  }
  return elementsOf(table, arrays);
}

const textRows =
  (partsOf: (node: Call) => Expression) =>
  (table: TableFunction): TableExpression =>
    elementsOf(table, [partsOf(table.call)]);

export const splitRows = textRows(split);
export const matchedRows = textRows(regexpParts);

export const seriesRows = (table: TableFunction): TableExpression => elementsOf(table, [seriesOf(table)]);
