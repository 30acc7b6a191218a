import { expect, test } from "vitest";
import { withIntervals } from "../../src/connectors/time-lengths.ts";
import type { Batch, LogicalType, ResultStream, Row, Value } from "../../src/result/types.ts";

function streamOf(type: LogicalType, rows: readonly Row[]): ResultStream {
  async function* batches(): AsyncGenerator<Batch> {
    yield rows;
  }
  return { columns: [{ name: "took", type }], batches: batches(), close: async () => {} };
}

async function intervals(type: LogicalType, ...values: readonly Value[]): Promise<readonly Value[]> {
  const meant = [{ name: "took", type: { kind: "interval" }, nullable: true }] as const;
  const read: Value[] = [];
  const stream = withIntervals(
    streamOf(
      type,
      values.map((value) => [value]),
    ),
    meant,
  );
  expect(stream.columns[0]?.type).toEqual({ kind: "interval" });
  for await (const batch of stream.batches) for (const [value = null] of batch) read.push(value);
  return read;
}

test("a number of microseconds is an interval of days and a time with one sign", async () => {
  expect(await intervals({ kind: "int64" }, 86_400_000_001n, -90_000_000_000n, 0n, null)).toEqual([
    { months: 0, days: 1, microseconds: 1n },
    { months: 0, days: -1, microseconds: -3_600_000_000n },
    { months: 0, days: 0, microseconds: 0n },
    null,
  ]);
});

test("sources whose integers are decimals or small numbers give the same intervals", async () => {
  const hour = { months: 0, days: 0, microseconds: 3_600_000_000n };
  expect(await intervals({ kind: "decimal", precision: 38, scale: 0 }, "3600000000")).toEqual([hour]);
  expect(await intervals({ kind: "int32" }, 1_000_000)).toEqual([{ months: 0, days: 0, microseconds: 1_000_000n }]);
});

test("intervals of the source stay", async () => {
  const value = { months: 1, days: 0, microseconds: 0n };
  expect(await intervals({ kind: "interval" }, value)).toEqual([value]);
});
