/**
 * `generate_series` in FROM by the table function `numbers`, whose count is a literal:
 * https://doris.apache.org/docs/sql-manual/sql-functions/table-valued-functions/numbers
 */
import { parseDateTime } from "../../../datetimes.ts";
import { unsupported } from "../../../diagnostics.ts";
import { intervalParts } from "../../../intervals.ts";
import { columnNamesOf } from "../../../lowering/arrays/set-returning.ts";
import { countOf } from "../../../lowering/numbers/written-counts.ts";
import { step as stepOf } from "../../../lowering/times/time-arithmetic.ts";
import {
  binary,
  call,
  cast,
  columnOf,
  exactName,
  integer,
  queryOf,
  selectItem,
  selectOf,
  text,
  typed,
  values,
} from "../../../syntax/build.ts";
import type { Expression, IntervalUnit, TableExpression, TableFunction } from "../../../syntax/tree.ts";
import { BIGINT, BOOLEAN, TIMESTAMP, UNKNOWN } from "../../../types.ts";

export const NUMBERS = "rows of numbers";

const HINT = "Write both ends and the step as literals, or make the rows in a table.";

export function seriesRows(table: TableFunction): TableExpression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined || table.ordinality) {
    throw unsupported("generate_series with these arguments", table.span);
  }
  const numbers = [from, to, step].map(countOf);
  if (numbers.every((each) => each !== undefined)) return ofIntegers(table, numbers);
  return ofTimes(table, from, to, step);
}

function ofIntegers(table: TableFunction, [from = 0, to = 0, step = 1]: readonly number[]): TableExpression {
  if (step === 0) throw unsupported("a series with this step", table.span, "Write a step that is not zero.");
  const count = Math.floor((to - from) / step) + 1;
  const place = typed(BIGINT, table);
  const passed = binary(position(table), "*", integer(step, table), place);
  return rowsOf(table, count, binary(cast(integer(from, table), "bigint", place), "+", passed, place));
}

/** A step of one unit; months from a day that each of them has. */
function ofTimes(table: TableFunction, from: Expression, to: Expression, step: Expression): TableExpression {
  const [start, end] = [momentOf(from), momentOf(to)];
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  if (start === undefined || end === undefined || parts === undefined) {
    throw unsupported("a series with computed ends", table.span, HINT);
  }
  const { months, days, microseconds } = parts;
  const isWhole = microseconds % 1_000_000n === 0n;
  const steps: readonly (readonly [size: number, unit: IntervalUnit, count: number])[] = [
    [months, "month", wholeSteps(start.months, end.months, months, end.rest < start.rest ? 1 : 0)],
    [days, "day", wholeSteps(start.milliseconds, end.milliseconds, days * 86_400_000, 0)],
    [
      Number(microseconds) / (isWhole ? 1_000_000 : 1),
      isWhole ? "second" : "microsecond",
      wholeSteps(start.milliseconds, end.milliseconds, Number(microseconds) / 1000, 0),
    ],
  ];
  const [only, ...others] = steps.filter(([size]) => size !== 0);
  if (only === undefined || others.length > 0) throw unsupported("a series with this step", step.span, HINT);
  const [size, unit, count] = only;
  if (unit === "month" && (size < 0 || start.day > 28)) {
    const hint = "Begin it on one of the first 28 days of a month.";
    throw unsupported("a series of months from a day that some do not have", from.span, hint);
  }
  const place = typed(TIMESTAMP, table);
  const passed = binary(position(table), "*", integer(size, table), typed(BIGINT, table));
  return rowsOf(table, count, call("date_add", [cast(from, "timestamp", place), stepOf(passed, unit)], place));
}

/** The number of rows; `missing` steps do not fit into the last unit. */
const wholeSteps = (from: number, to: number, step: number, missing: number): number =>
  step === 0 ? 0 : Math.floor((to - missing - from) / step) + 1;

interface Moment {
  readonly milliseconds: number;
  readonly months: number;
  readonly day: number;
  /** Milliseconds since the start of the month. */
  readonly rest: number;
}

/** A literal date or timestamp, which is in UTC. */
function momentOf(written: Expression): Moment | undefined {
  let literal = written;
  while (literal.kind === "cast") literal = literal.operand;
  const read = literal.kind === "string" ? parseDateTime(literal.value) : undefined;
  if (read === undefined || read.zone !== undefined) return undefined;
  const time = read.time ?? "00:00:00";
  const milliseconds = Date.parse(`${read.date}T${time}Z`);
  // Microseconds beyond the third digit would be lost.
  if (Number.isNaN(milliseconds) || /\.\d{3}\d*[1-9]/.test(time)) return undefined;
  const date = new Date(milliseconds);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return { milliseconds, months, day: date.getUTCDate(), rest: milliseconds - start };
}

const ROWS = "_n";

const position = (at: TableFunction): Expression => columnOf(ROWS, "number", typed(BIGINT, at));

function rowsOf(table: TableFunction, count: number, value: Expression): TableExpression {
  const { alias, span } = table;
  const [name = "generate_series"] = columnNamesOf(table);
  const rows: TableFunction = {
    ...table,
    call: call(NUMBERS, [text(String(Math.max(count, 1)), table)], typed(UNKNOWN, table)),
    lateral: false,
    alias: { name: exactName(ROWS, span), columns: [] },
  };
  const nothing: Expression = { kind: "boolean", value: false, span, type: BOOLEAN };
  const items = [selectItem(value, exactName(name, span), table)];
  const select = selectOf({ items, from: [rows], ...(count < 1 && { where: nothing }) }, table);
  const own = alias?.name ?? exactName(name, span);
  return { kind: "derived", query: queryOf(select), lateral: false, alias: { name: own, columns: [] }, span };
}
