/** Set-returning functions in FROM: a derived table that selects the elements of an array, one per row. */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { isCorrelated } from "../../lowering/queries/correlation.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import {
  call,
  exactName,
  inPlaceOf,
  integer,
  queryOf,
  selectItem,
  selectOf,
  typed,
  values,
} from "../../syntax/build.ts";
import type { Expression, TableExpression, TableFunction, Template } from "../../syntax/tree.ts";
import { someExpression, someNode } from "../../syntax/walk.ts";
import { BIGINT, type SqlType, TIMESTAMP, typeOrUnknown, UNKNOWN } from "../../types.ts";
import { arrayJoin } from "./array-joins.ts";
import { nullableSubject, split } from "./arrays.ts";
import { listOf } from "./document-arrays.ts";
import { counted, isWhole } from "./numbers.ts";
import { regexpParts } from "./regular-expressions.ts";
import { isStartOfMonth, toTimestamp } from "./times.ts";

const POSITIONS = words("arrayMap(_i -> toInt64(_i), arrayEnumerate($1))");
const UNLESS_NULL = words("if(isNull($1), [], $2)");
interface Series {
  readonly plain: Template;
  /** The same where an end may be NULL, which would be an error within the array. */
  readonly ofColumns: Template;
}

/** The values between the ends `$1` and `$2`, by the step `$3`. */
const series = (text: string, type?: SqlType): Series => {
  const ofOnce = text.replaceAll("$1", "assumeNotNull(_f)").replaceAll("$2", "assumeNotNull(_l)");
  const whereNone = `if(isNull(_f) OR isNull(_l), [], ${ofOnce})`;
  const facts = type === undefined ? {} : { type };
  return {
    plain: words(text, facts),
    ofColumns: words(`arrayElement(arrayMap((_f, _l) -> ${whereNone}, [$1], [$2]), 1)`, facts),
  };
};

/**
 * The numbers of the values, from 0 on. `greatest(0, …)` would count wrongly: ClickHouse compiles an expression after three runs, and the
 * compiled one compares numbers of 128 bits without their sign. Seen on 26.7; not reported.
 */
const numbersOf = (hasValues: string, steps: string): string => `range(toUInt64(if(${hasValues}, ${steps} + 1, 0)))`;

const upAndDown = (
  text: (hasValues: string) => string,
  type?: SqlType,
): { readonly up: Series; readonly down: Series } => ({
  up: series(text("$2 >= $1"), type),
  down: series(text("$2 <= $1"), type),
});

const SERIES = upAndDown(
  (hasValues) =>
    `arrayMap(_i -> plus($1, $3 * toInt64(_i)), ${numbersOf(hasValues, "intDiv(minus(toInt128($2), $1), $3)")})`,
);
const MICROSECONDS_BETWEEN = "toUnixTimestamp64Micro($2) - toUnixTimestamp64Micro($1)";
const SERIES_OF_TIMES = upAndDown(
  (hasValues) =>
    "arrayMap(_i -> fromUnixTimestamp64Micro(toUnixTimestamp64Micro($1) + $3 * toInt64(_i), 'UTC'), " +
    `${numbersOf(hasValues, `intDiv(${MICROSECONDS_BETWEEN}, $3)`)})`,
  TIMESTAMP,
);
const SERIES_OF_MONTHS = series(
  `arrayMap(_i -> addMonths($1, $3 * toInt64(_i)), ${numbersOf("$2 >= $1", "intDiv(age('month', $1, $2), $3)")})`,
  TIMESTAMP,
);

/** Whether an array names columns of the tables before it, and not only those of a query within it. */
function isOfRow(array: Expression): boolean {
  if (someExpression(array, (each) => each.kind === "scalar-query" && isCorrelated(each.query))) {
    throw unsupported("a series for each row", array.span, "Join a table that holds it.");
  }
  return someExpression(array, ({ kind }) => kind === "bound");
}

/** Arrays of one length, a column of each; behind the tables whose columns they name. */
export function rowsOf(
  table: TableFunction,
  arrays: readonly Expression[],
  types: readonly SqlType[],
): TableExpression {
  const { alias, ordinality, span, call: made } = table;
  const [first] = arrays;
  if (first === undefined) throw new TypeError("rows are of an array");
  if (arrays.some(isOfRow)) {
    return arrayJoin(table, ordinality ? [...arrays, spelled(POSITIONS, [first], first)] : arrays);
  }
  const called = alias?.name ?? exactName(made.name[0]?.name ?? "", span);
  const written = alias?.columns ?? [];
  const all = ordinality ? [...arrays, call("arrayEnumerate", [first], typed(BIGINT, made))] : arrays;
  const isOne = all.length === 1;
  const rows = isOne ? first : call("arrayZip", all, inPlaceOf(first));
  const row = call("arrayJoin", [rows], typed(types[0] ?? UNKNOWN, made));
  const items = all.map((_, index) => {
    const isPosition = index === arrays.length;
    const type = isPosition ? BIGINT : (types[index] ?? UNKNOWN);
    const value = isOne ? row : call("tupleElement", [row, integer(index + 1, table)], typed(type, made));
    const name = written[index] ?? (isPosition ? exactName("ordinality", span) : called);
    return selectItem(isPosition ? counted(value, typed(BIGINT, made)) : value, name, table);
  });
  const query = queryOf(selectOf({ items }, table));
  return { kind: "derived", query, lateral: false, alias: { name: called, columns: [] }, span };
}

/** An array of what may be NULL has no rows then. */
function rowsOfArray(table: TableFunction, array: Expression): TableExpression {
  const subject = nullableSubject(array);
  const present = subject === undefined ? array : spelled(UNLESS_NULL, [subject, array], array);
  return rowsOf(table, [present], [elementOf(array)]);
}

const elementOf = (array: Expression): SqlType => {
  const type = typeOrUnknown(array);
  return type.kind === "array" ? type.element : type;
};

export function arrayRows(table: TableFunction): TableExpression {
  const [array, ...others] = values(table.call);
  if (array === undefined || others.length > 0) throw unsupported("the elements of several arrays", table.span);
  return rowsOfArray(table, listOf(array));
}

export const splitRows = (table: TableFunction): TableExpression => rowsOfArray(table, split(table.call));
export const matchedRows = (table: TableFunction): TableExpression => rowsOfArray(table, regexpParts(table.call));

/** Integers with a step; or times with a step of days, of a time, or of months from a day that every month has. */
export function seriesRows(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined) throw unsupported("generate_series with these arguments", table.span);
  if ([from, to, step].every(isWhole)) {
    const count = countOf(step);
    if (count === undefined || count === 0) throw unsupported("a series with this step", table.span);
    return seriesOf(table, count < 0 ? SERIES.down : SERIES.up, [from, to, integer(count, table)], BIGINT);
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
    const ends = [toTimestamp(from), toTimestamp(to)];
    return seriesOf(table, SERIES_OF_MONTHS, [...ends, integer(parts.months, table)], TIMESTAMP);
  }
  const size = BigInt(parts.days) * 86_400_000_000n + parts.microseconds;
  const text = { kind: "number", text: String(size < 0n ? -size : size), span: table.span, type: BIGINT } as const;
  const own: Expression =
    size < 0n ? { kind: "unary", operator: "-", operand: text, span: table.span, type: BIGINT } : text;
  const way = size < 0n ? SERIES_OF_TIMES.down : SERIES_OF_TIMES.up;
  return seriesOf(table, way, [toTimestamp(from), toTimestamp(to), own], TIMESTAMP);
}

function seriesOf(table: TableFunction, { plain, ofColumns }: Series, parts: readonly Expression[], type: SqlType) {
  const isConstant = !parts.some((part) => someNode(part, ({ kind }) => kind === "bound" || kind === "column"));
  return rowsOf(table, [spelled(isConstant ? plain : ofColumns, parts, typed(type, table.call))], [type]);
}

function isEarly(from: Expression): boolean {
  if (from.kind === "cast") return isEarly(from.operand);
  if (from.kind === "typed") return /^\d+-\d\d-(0\d|1\d|2[0-8])/.test(from.value);
  return isStartOfMonth(from);
}
