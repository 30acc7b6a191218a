import { expect, test } from "vitest";
import { withTimes } from "../../src/connectors/numbered-times.ts";
import type { Batch, LogicalType, ResultStream, Row, Value } from "../../src/result/types.ts";

function streamOf(type: LogicalType, rows: readonly Row[]): ResultStream {
  async function* batches(): AsyncGenerator<Batch> {
    yield rows;
  }
  return { columns: [{ name: "at", type }], batches: batches(), close: async () => {} };
}

async function times(type: LogicalType, ...values: readonly Value[]): Promise<readonly Value[]> {
  const meant = [{ name: "at", type: { kind: "time", zoned: false }, nullable: true }] as const;
  const read: Value[] = [];
  const stream = withTimes(
    streamOf(
      type,
      values.map((value) => [value]),
    ),
    meant,
  );
  expect(stream.columns[0]?.type).toMatchObject({ kind: "time", unit: "us" });
  for await (const batch of stream.batches) for (const [value = null] of batch) read.push(value);
  return read;
}

test("a number of microseconds is a time of day", async () => {
  expect(await times({ kind: "int64" }, 0n, 36_306_500_000n, 86_400_000_000n, null)).toEqual([
    0,
    36_306_500_000,
    86_400_000_000,
    null,
  ]);
});

test("sources whose integers are decimals or small numbers give the same times", async () => {
  expect(await times({ kind: "decimal", precision: 38, scale: 0 }, "86399999999")).toEqual([86_399_999_999]);
  expect(await times({ kind: "int32" }, 1_000_000)).toEqual([1_000_000]);
});

test("times of the source stay", async () => {
  expect(await times({ kind: "time", unit: "us" }, 7)).toEqual([7]);
});

test.each([[-1n], [86_400_000_001n]])("%s is no time of day", async (value) => {
  await expect(times({ kind: "int64" }, value)).rejects.toMatchObject({
    message: 'Column "at" holds a value that cannot be represented: a number that is no time of day.',
  });
});
