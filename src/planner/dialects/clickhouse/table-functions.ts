/** Set-returning functions in FROM: a derived table that selects the elements of an array, one per row. */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { countOf } from "../../lowering/written-counts.ts";
import { call, exactName, integer, queryOf, selectItem, selectOf, typed, values } from "../../syntax/build.ts";
import type { Expression, TableExpression, TableFunction } from "../../syntax/tree.ts";
import { someNode } from "../../syntax/walk.ts";
import { BIGINT, type SqlType, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { split } from "./arrays.ts";
import { counted, isWhole } from "./numbers.ts";
import { regexpParts } from "./regular-expressions.ts";
import { isStartOfMonth, toTimestamp } from "./times.ts";

const NUMBERED = words("arrayZip($1, arrayEnumerate($1))");
const SERIES = words(
  "arrayMap(_i -> plus($1, $3 * toInt64(_i)), range(toUInt64(greatest(0, intDiv(minus(toInt128($2), $1), $3) + 1))))",
);
const SERIES_OF_TIMES = words(
  "arrayMap(_i -> fromUnixTimestamp64Micro(toUnixTimestamp64Micro($1) + $3 * toInt64(_i), 'UTC'), " +
    "range(toUInt64(greatest(0, intDiv(toUnixTimestamp64Micro($2) - toUnixTimestamp64Micro($1), $3) + 1))))",
  { type: TIMESTAMP },
);
const SERIES_OF_MONTHS = words(
  "arrayMap(_i -> addMonths($1, $3 * toInt64(_i)), " +
    "range(toUInt64(greatest(0, if($2 < $1, -1, intDiv(age('month', $1, $2), $3)) + 1))))",
  { type: TIMESTAMP },
);

function rowsOf(table: TableFunction, array: Expression, type: SqlType): TableExpression {
  const { alias, ordinality, span, call: made } = table;
  if (someNode(array, ({ kind }) => kind === "bound"))
    throw unsupported("elements for each row", span, "Join a table that holds them.");
  const called = alias?.name ?? exactName(made.name[0]?.name ?? "", span);
  const [name = called, position = exactName("ordinality", span)] = alias?.columns ?? [];
  const row = call("arrayJoin", [ordinality ? spelled(NUMBERED, [array], array) : array], typed(type, made));
  const member = (at: number, of: SqlType): Expression =>
    call("tupleElement", [row, integer(at, table)], typed(of, made));
  const items = ordinality
    ? [
        selectItem(member(1, type), name, table),
        selectItem(counted(member(2, BIGINT), typed(BIGINT, made)), position, table),
      ]
    : [selectItem(row, name, table)];
  const query = queryOf(selectOf({ items }, table));
  return { kind: "derived", query, lateral: false, alias: { name: called, columns: [] }, span };
}

const elementOf = (array: Expression): SqlType => {
  const type = typeOrUnknown(array);
  return type.kind === "array" ? type.element : type;
};

export function arrayRows(table: TableFunction): TableExpression {
  const [array, ...others] = values(table.call);
  if (array === undefined || others.length > 0) throw unsupported("the elements of several arrays", table.span);
  return rowsOf(table, array, elementOf(array));
}

export const splitRows = (table: TableFunction): TableExpression => {
  const array = split(table.call);
  return rowsOf(table, array, elementOf(array));
};

export const matchedRows = (table: TableFunction): TableExpression => {
  const array = regexpParts(table.call);
  return rowsOf(table, array, elementOf(array));
};

/** Integers with a step; or times with a step of days, of a time, or of months from a day that every month has. */
export function seriesRows(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined) throw unsupported("generate_series with these arguments", table.span);
  if ([from, to, step].every(isWhole)) {
    const count = countOf(step);
    if (count === undefined || count === 0) throw unsupported("a series with this step", table.span);
    return rowsOf(table, spelled(SERIES, [from, to, integer(count, table)], table.call), BIGINT);
  }
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  const amounts = parts === undefined ? [] : [parts.months, parts.days, Number(parts.microseconds)];
  const isOfTimes = ["date", "timestamp"].includes(typeOrUnknown(from).kind);
  const isZoned = [from, to].some(({ type }) => type?.kind === "timestamp" && type.zoned);
  if (parts === undefined || !isOfTimes || isZoned || amounts.filter((each) => each !== 0).length !== 1) {
    throw unsupported("a series with this step", table.span, "Write the step as a literal of one unit.");
  }
  if (parts.months !== 0) {
    if (!isEarly(from) || parts.months < 0) {
      const hint = "Begin it at date_trunc('month', …).";
      throw unsupported("a series of months from a day that some do not have", from.span, hint);
    }
    const months = spelled(SERIES_OF_MONTHS, [toTimestamp(from), toTimestamp(to), integer(parts.months, table)], table);
    return rowsOf(table, months, TIMESTAMP);
  }
  const size = BigInt(parts.days) * 86_400_000_000n + parts.microseconds;
  const text = { kind: "number", text: String(size < 0n ? -size : size), span: table.span, type: BIGINT } as const;
  const own: Expression =
    size < 0n ? { kind: "unary", operator: "-", operand: text, span: table.span, type: BIGINT } : text;
  return rowsOf(table, spelled(SERIES_OF_TIMES, [toTimestamp(from), toTimestamp(to), own], table), TIMESTAMP);
}

function isEarly(from: Expression): boolean {
  if (from.kind === "cast") return isEarly(from.operand);
  if (from.kind === "typed") return /^\d+-\d\d-(0\d|1\d|2[0-8])/.test(from.value);
  return isStartOfMonth(from);
}
