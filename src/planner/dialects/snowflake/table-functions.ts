/**
 * Series in FROM, as the elements of an array: recursion ends after a hundred steps on most accounts. A subquery cannot name other tables
 * in FLATTEN (https://docs.snowflake.com/en/user-guide/querying-subqueries), so one for each row is refused.
 * https://docs.snowflake.com/en/sql-reference/functions/array_generate_range
 */
import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { isForwards, refuseLongMonths } from "../../lowering/arrays/array-series.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { step as stepOf } from "../../lowering/times/time-arithmetic.ts";
import {
  binary,
  call,
  cast,
  columnOf,
  comparison,
  exactName,
  integer,
  queryOf,
  selectItem,
  selectOf,
  typed,
  values,
} from "../../syntax/build.ts";
import type { Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, TIMESTAMP, typeOrUnknown, UNKNOWN } from "../../types.ts";
import { wholeQuotient } from "./decimals.ts";
import { unitsBetween } from "./times.ts";
import { asClock, asInstant } from "./zones.ts";

export const RANGE_ROWS = "rows of a range";

/** The table whose rows are elements. */
const ROWS = "_r";

export function seriesRows(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined || table.ordinality)
    throw unsupported("generate_series with these arguments", table.span);
  if ([from, to, step].some((each) => someExpression(each, ({ kind }) => kind === "bound"))) {
    throw unsupported("a series for each row", table.span, "Make one series and join it on a condition.");
  }
  const forwards = isForwards(step, table);
  return ["date", "timestamp"].includes(typeOrUnknown(from).kind)
    ? ofTimes(table, from, to, step, forwards)
    : ofNumbers(table, from, to, step, forwards);
}

const plus = (value: Expression, by: number): Expression =>
  binary(value, by < 0 ? "-" : "+", integer(Math.abs(by), value), typed(BIGINT, value));

/** The end of a range is not in it. */
function ofNumbers(table: TableFunction, from: Expression, to: Expression, step: Expression, forwards: boolean) {
  if ([from, to, step].some((each) => typeOrUnknown(each).kind !== "integer")) {
    throw unsupported("a series of fractions", table.span, "Divide a series of integers.");
  }
  const range = call(RANGE_ROWS, [from, plus(to, forwards ? 1 : -1), step], typed(UNKNOWN, table));
  return rowsOf(table, range, elementOf(table), undefined);
}

/** So many steps from the start on, as long as they are not behind the end. Instants are counted as local times in UTC. */
function ofTimes(table: TableFunction, from: Expression, to: Expression, step: Expression, forwards: boolean) {
  refuseLongMonths(from, step);
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  if (parts === undefined) throw unsupported("a series with this step", step.span);
  const { months, days, microseconds } = parts;
  const [size, unit] =
    months !== 0
      ? ([months, "month"] as const)
      : days !== 0
        ? ([days, "day"] as const)
        : ([Number(microseconds), "microsecond"] as const);
  const [start, end] = [asClock(from), asClock(to)];
  const distance = unitsBetween(unit, start, end, table.call);
  const count = plus(wholeQuotient(distance, integer(size, table), typed(BIGINT, table)), 1);
  const range = call(RANGE_ROWS, [integer(0, table), count, integer(1, table)], typed(UNKNOWN, table));
  const passed = binary(elementOf(table), "*", integer(size, table), typed(BIGINT, table));
  const value = call("date_add", [start, stepOf(passed, unit)], typed(TIMESTAMP, table));
  const isWithin = comparison(value, forwards ? "<=" : ">=", end, typed(BOOLEAN, table));
  return rowsOf(table, range, isZoned(from) ? asInstant(value) : value, isWithin);
}

const elementOf = (at: TableFunction): Expression =>
  cast(columnOf(ROWS, "VALUE", typed(BIGINT, at)), "bigint", typed(BIGINT, at));

function rowsOf(
  table: TableFunction,
  range: Expression,
  value: Expression,
  where: Expression | undefined,
): TableExpression {
  const { alias, span } = table;
  const own = alias?.name ?? exactName(table.call.name[0]?.name ?? "", span);
  const [name = own] = alias?.columns ?? [];
  if (range.kind !== "call") throw new TypeError("a range is a call");
  const rows: TableFunction = {
    ...table,
    call: range,
    lateral: false,
    alias: { name: exactName(ROWS, span), columns: [] },
  };
  const select = selectOf({ items: [selectItem(value, name, table)], from: [rows], where }, table);
  return { kind: "derived", query: queryOf(select), lateral: false, alias: { name: own, columns: [] }, span };
}
