/**
 * Times of day of sources that have no type for them: the plan computes a time as a number of microseconds since midnight
 * (`planner/lowering/times/numbered-times.ts`).
 */
import type { Batch, Column, ResultStream, Row, Value } from "../result/types.ts";
import type { Statement } from "./connector.ts";
import { failureOfColumn, UnreadableValue } from "./unreadable-value.ts";

/** A time of day may be 24:00:00. */
const MICROSECONDS_OF_DAY = 86_400_000_000;

const NUMBERS: ReadonlySet<string> = new Set(["int64", "int32", "int16", "int8", "decimal"]);

/** The stream, with times of day in columns that the plan calls times and the source calls numbers. */
export function withTimes(stream: ResultStream, meant: Statement["columns"]): ResultStream {
  const isNumber = stream.columns.map(
    ({ type }, index) => meant[index]?.type.kind === "time" && NUMBERS.has(type.kind),
  );
  if (!isNumber.includes(true)) return stream;
  const columns = stream.columns.map(
    (column, index): Column => (isNumber[index] === true ? { ...column, type: { kind: "time", unit: "us" } } : column),
  );
  const read = (row: Row): Row =>
    row.map((value, index) => (isNumber[index] === true ? timeOf(value, columns[index]?.name ?? "") : value));
  async function* batches(): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of stream.batches) yield Array.from(batch, read);
  }
  return { ...stream, columns, batches: batches(), close: () => stream.close() };
}

function timeOf(value: Value, column: string): number | null {
  if (value === null) return null;
  const microseconds = Number(value);
  if (Number.isInteger(microseconds) && microseconds >= 0 && microseconds <= MICROSECONDS_OF_DAY) return microseconds;
  throw failureOfColumn(column, new UnreadableValue("a number that is no time of day"), "text");
}
