/** Rows that are made in FROM: of arrays, and series as the elements of one. */
import { intervalParts } from "../../intervals.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, cast, comparison, exactName, inPlaceOf, integer, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { split } from "./arrays.ts";
import { countOf } from "./decimals.ts";
import { regexpParts } from "./regular-expressions.ts";

/** UNNEST, whose columns have no names of their own. */
function elementsOf(table: TableFunction, arrays: readonly Expression[]): TableExpression {
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

/** `sequence` turns around where the end is before the start, and has ten thousand values at most. */
export function seriesRows(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined) throw unsupported("this series", table.span);
  const isOfTimes = ["date", "timestamp"].includes(typeOrUnknown(from).kind);
  if (!isOfTimes && [from, to, step].some((each) => typeOrUnknown(each).kind !== "integer")) {
    throw unsupported("a series of fractions", table.span, "Divide a series of whole numbers.");
  }
  if (isOfTimes) refuseLongMonths(from, step);
  const forwards = isForwards(step, table);
  const [start, stop] = [from, to].map((each) => (isOfTimes ? cast(each, "timestamp", typed(TIMESTAMP, each)) : each));
  if (start === undefined || stop === undefined) throw new TypeError("a series has two ends");
  const list = call("sequence", [start, stop, step], inPlaceOf(table.call));
  const isThere = comparison(start, forwards ? "<=" : ">=", stop, table);
  return elementsOf(table, [when(isThere, list, undefined, inPlaceOf(table.call))]);
}

/** PostgreSQL goes on from the last value: from the 31st by the 28th of February, and with the 28th then. */
function refuseLongMonths(from: Expression, step: Expression): void {
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  if (typeOrUnknown(from).kind === "timestamp" && from.type?.kind === "timestamp" && from.type.zoned) {
    throw unsupported("a series of instants", from.span, "Write it over timestamps without a zone.");
  }
  if (parts === undefined || parts.months === 0) return;
  const isFirst = from.kind === "call" && from.name[0]?.name === "date_trunc";
  const isEarly = from.kind === "typed" && /^\d+-\d\d-(0\d|1\d|2[0-8])/.test(from.value);
  if (
    isFirst ||
    isEarly ||
    (from.kind === "cast" && from.operand.kind === "typed" && refuseLongMonths(from.operand, step) === undefined)
  )
    return;
  throw unsupported(
    "a series of months from a day that some do not have",
    from.span,
    "Begin it at date_trunc('month', …).",
  );
}

function isForwards(step: Expression, { span }: TableFunction): boolean {
  const count = countOf(step);
  if (count !== undefined && count !== 0) return count > 0;
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  const amounts = parts === undefined ? [] : [parts.months, parts.days, Number(parts.microseconds)];
  // Months and days are two types of intervals there.
  if (amounts.filter((each) => each !== 0).length === 1) return amounts.every((each) => each >= 0);
  throw unsupported("a series with this step", span, "Write the step as a literal of one unit that is not zero.");
}
