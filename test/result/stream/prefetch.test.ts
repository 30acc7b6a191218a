import { expect, test } from "vitest";
import { prefetch } from "../../../src/result/stream/prefetch.ts";
import type { LogicalType } from "../../../src/result/types.ts";
import { columnsOf, manyRows, resultOf, rowsOf } from "../streams.ts";

const COLUMNS = columnsOf({ kind: "int32" } satisfies LogicalType);

test("pulls one batch and no more", async () => {
  const source = manyRows(COLUMNS, 6, 2, (index) => [index]);
  const stream = await prefetch(source);
  expect(source.pulls()).toBe(1);
  expect(stream.columns).toBe(COLUMNS);
  expect(await rowsOf(stream)).toEqual([[0], [1], [2], [3], [4], [5]]);
});

test("passes over empty batches, which promise nothing", async () => {
  const source = resultOf(COLUMNS, [[], [], [[1]], []]);
  const stream = await prefetch(source);
  expect(source.pulls()).toBe(3);
  expect(await rowsOf(stream)).toEqual([[1]]);
});

test("a result without rows is known to be one", async () => {
  const source = resultOf(COLUMNS, []);
  const stream = await prefetch(source);
  expect(source.pulls()).toBe(1);
  expect(await rowsOf(stream)).toEqual([]);
});

test("an early failure is thrown, and the source closed", async () => {
  const failure = new Error("division by zero");
  const source = resultOf(COLUMNS, [
    [],
    () => {
      throw failure;
    },
  ]);
  await expect(prefetch(source)).rejects.toBe(failure);
  expect(source.closes()).toBe(1);
});

test("closing before the first batch is read closes the source and drops the batch", async () => {
  const source = manyRows(COLUMNS, 4, 2, (index) => [index]);
  const stream = await prefetch(source);
  await stream.close();
  expect(source.closes()).toBe(1);
  expect(await rowsOf(stream)).toEqual([]);
});

test("breaking out of the batches closes the source", async () => {
  const source = manyRows(COLUMNS, 4, 2, (index) => [index]);
  const stream = await prefetch(source);
  for await (const batch of stream.batches) {
    expect(batch).toEqual([[0], [1]]);
    break;
  }
  expect(source.closes()).toBe(1);
  expect(source.pulls()).toBe(1);
});
