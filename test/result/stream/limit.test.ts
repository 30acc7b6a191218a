import { describe, expect, test } from "vitest";
import { limitStream, type StreamLimits, valueBytes } from "../../../src/result/stream/limit.ts";
import { prefetch } from "../../../src/result/stream/prefetch.ts";
import type { Value } from "../../../src/result/types.ts";
import { columnsOf, manyRows, resultOf, rowsOf } from "../streams.ts";

const COLUMNS = columnsOf({ kind: "int32" });

class TooMuch extends Error {
  readonly which: string;
  readonly limit: number;
  constructor(which: string, limit: number) {
    super("too much");
    this.which = which;
    this.limit = limit;
  }
}
const exceeded = (which: keyof StreamLimits, limit: number): Error => new TooMuch(which, limit);

describe("limitStream", () => {
  test("without limits it is the source", () => {
    const source = resultOf(COLUMNS, []);
    expect(limitStream(source, {}, exceeded)).toBe(source);
    expect(limitStream(source, { rows: undefined, bytes: undefined }, exceeded)).toBe(source);
  });

  test.each<[StreamLimits]>([[{ rows: 6 }], [{ bytes: 48 }], [{ rows: 6, bytes: 48 }]])(
    "what just fits in %j passes",
    async (limits) => {
      const source = manyRows(COLUMNS, 6, 2, (index) => [index]);
      expect(await rowsOf(limitStream(source, limits, exceeded))).toHaveLength(6);
    },
  );

  test.each<[StreamLimits, string, number]>([
    [{ rows: 5 }, "rows", 5],
    [{ bytes: 47 }, "bytes", 47],
    [{ rows: 0 }, "rows", 0],
  ])("what exceeds %j is an error, and closes the source", async (limits, which, limit) => {
    const source = manyRows(COLUMNS, 6, 2, (index) => [index]);
    await expect(rowsOf(limitStream(source, limits, exceeded))).rejects.toMatchObject({ which, limit });
    expect(source.closes()).toBe(1);
  });

  test("an answer of no rows fits a limit of none", async () => {
    expect(await rowsOf(limitStream(resultOf(COLUMNS, []), { rows: 0 }, exceeded))).toEqual([]);
  });

  test("a first batch over the limit fails before the status is out", async () => {
    const source = manyRows(COLUMNS, 6, 6, (index) => [index]);
    await expect(prefetch(limitStream(source, { rows: 5 }, exceeded))).rejects.toBeInstanceOf(TooMuch);
  });
});

test.each<[Value, number]>([
  [null, 1],
  [true, 1],
  [5, 8],
  [5n, 8],
  ["abc", 3],
  [new Uint8Array(10), 10],
  [{ months: 1, days: 1, microseconds: 1n }, 24],
  [["ab", null, ["c"]], 8 + 2 + 1 + 8 + 1],
  [[], 8],
])("case %#: weighs %2$i", (value, bytes) => {
  expect(valueBytes(value)).toBe(bytes);
});
