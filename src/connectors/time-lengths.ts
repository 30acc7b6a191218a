/**
 * Intervals of sources that have none: the plan computes a difference of timestamps as a number of microseconds
 * (`planner/lowering/times/time-lengths.ts`). PostgreSQL's difference has days of 24 hours and the rest as a time, with one sign.
 */
import type { Batch, Column, IntervalValue, ResultStream, Row, Value } from "../result/types.ts";
import type { Statement } from "./connector.ts";

const MICROSECONDS_OF_DAY = 86_400_000_000n;

const NUMBERS: ReadonlySet<string> = new Set(["int64", "int32", "int16", "int8", "decimal"]);

/** The stream, with intervals in columns that the plan calls intervals and the source calls numbers. */
export function withIntervals(stream: ResultStream, meant: Statement["columns"]): ResultStream {
  const isLength = stream.columns.map(
    ({ type }, index) => meant[index]?.type.kind === "interval" && NUMBERS.has(type.kind),
  );
  if (!isLength.includes(true)) return stream;
  const columns = stream.columns.map(
    (column, index): Column => (isLength[index] === true ? { ...column, type: { kind: "interval" } } : column),
  );
  const read = (row: Row): Row => row.map((value, index) => (isLength[index] === true ? intervalOf(value) : value));
  async function* batches(): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of stream.batches) yield Array.from(batch, read);
  }
  return { ...stream, columns, batches: batches(), close: () => stream.close() };
}

function intervalOf(value: Value): IntervalValue | null {
  if (value === null) return null;
  if (typeof value !== "bigint" && typeof value !== "number" && typeof value !== "string") {
    throw new TypeError("a length of time is a number");
  }
  const microseconds = BigInt(value);
  return {
    months: 0,
    days: Number(microseconds / MICROSECONDS_OF_DAY),
    microseconds: microseconds % MICROSECONDS_OF_DAY,
  };
}
