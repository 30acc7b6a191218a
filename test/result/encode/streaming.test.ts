import { describe, expect, test, vi } from "vitest";
import type { EncodeEnd } from "../../../src/result/encode/encoder.ts";
import { encoders } from "../../../src/result/encode/encoders.ts";
import { prefetch } from "../../../src/result/stream/prefetch.ts";
import type { Batch, LogicalType, ResultStream } from "../../../src/result/types.ts";
import { columnsOf, encode, manyRows, readUntilError, resultOf, textOf } from "../streams.ts";

const INT32: LogicalType = { kind: "int32" };
const STRING: LogicalType = { kind: "string" };
const LOST = new Error("connection lost");
const profile = "modern";

function lost(): never {
  throw LOST;
}

/** Batches of 1,000 numbers, then a failure. */
function failingAfter(rows: number): ReturnType<typeof resultOf> {
  const batches: (Batch | (() => Batch))[] = [];
  for (let from = 0; from < rows; from += 1000) {
    batches.push(() => Array.from({ length: Math.min(1000, rows - from) }, (_, index) => [from + index]));
  }
  return resultOf(columnsOf(INT32), [...batches, lost]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("failure after the first byte", () => {
  describe.each([0, 1, 500_000])("after %i rows", (rows) => {
    test("JSON ends with the error and without its closing brace, and the stream errors", async () => {
      const source = failingAfter(rows);
      const onEnd = vi.fn<(end: EncodeEnd) => void>();
      const describeFailure = (error: unknown) => ({ errorCode: "X", message: (error as Error).message });
      const stream = encode(encoders.json, source, { profile, describeFailure, onEnd });
      const { text, error } = await readUntilError(stream);
      expect(error).toBe(LOST);
      const data = Array.from({ length: rows }, (_, index) => `[${index}]`).join(",");
      const end = '],"error":{"errorCode":"X","message":"connection lost"}';
      expect(text === `{"columns":["a"],"data":[${data}${end}`).toBe(true);
      expect(isJson(text)).toBe(false);
      expect(isJson(`${text}}`)).toBe(true);
      expect(source.closes()).toBe(1);
      expect(onEnd.mock.calls).toEqual([[{ outcome: "failed", rows, bytes: text.length, error: LOST }]]);
    });

    test("NDJSON ends with an error line in place of the end", async () => {
      const source = failingAfter(rows);
      const onEnd = vi.fn<(end: EncodeEnd) => void>();
      const describeFailure = (error: unknown) => ({ errorCode: "X", message: (error as Error).message });
      const text = await textOf(encode(encoders.ndjson, source, { profile, describeFailure, onEnd }));
      const lines = text.split("\n");
      expect(lines.length).toBe(rows + 3);
      expect(lines[0]).toBe('{"columns":["a"],"dtypes":{"a":"int32"}}');
      expect(rows === 0 || lines[rows] === `[${rows - 1}]`).toBe(true);
      expect(lines.slice(rows + 1)).toEqual(['{"error":{"errorCode":"X","message":"connection lost"}}', ""]);
      expect(text).not.toContain('"end"');
      expect(source.closes()).toBe(1);
      expect(onEnd.mock.calls).toEqual([[{ outcome: "failed", rows, bytes: text.length, error: LOST }]]);
    });
  });

  test("the rows before the failure reach the reader before the error does", async () => {
    const reader = encode(encoders.json, failingAfter(1), { profile, describeFailure: () => ({}) }).getReader();
    let broken = false;
    const closed = reader.closed.catch(() => {
      broken = true;
    });
    const first = await reader.read();
    await new Promise(setImmediate);
    expect(new TextDecoder().decode(first.value)).toBe('{"columns":["a"],"data":[[0]],"error":{}');
    expect(broken).toBe(false);
    await expect(reader.read()).rejects.toBe(LOST);
    await closed;
    expect(broken).toBe(true);
  });

  test("a value that cannot be written leaves no half row behind", async () => {
    const source = resultOf(columnsOf(INT32, INT32), [[[1, 2]], [[3, "x"]]]);
    const text = await textOf(encode(encoders.ndjson, source, { profile, describeFailure: () => ({ at: "row" }) }));
    expect(text.split("\n").slice(1)).toEqual(["[1,2]", '{"error":{"at":"row"}}', ""]);
    expect(source.closes()).toBe(1);
  });

  test("a failure that cannot be described breaks NDJSON off as well", async () => {
    const source = failingAfter(1);
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const stream = encode(encoders.ndjson, source, {
      profile,
      describeFailure: () => {
        throw new Error("no words");
      },
      onEnd,
    });
    const { text, error } = await readUntilError(stream);
    expect(error).toMatchObject({ message: "no words" });
    expect(text).not.toContain("end");
    expect(source.closes()).toBe(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});

describe("the end", () => {
  test("is reported once, with rows and bytes, after the source is closed", async () => {
    const source = resultOf(columnsOf(STRING), [[["ä"]], [["b"], ["c"]]]);
    const ends: unknown[] = [];
    const onEnd = (end: EncodeEnd): void => {
      ends.push([end, source.closes()]);
    };
    const text = await textOf(encode(encoders.json, source, { profile, describeFailure: () => ({}), onEnd }));
    const bytes = new TextEncoder().encode(text).length;
    expect(bytes).toBe(text.length + 1);
    expect(ends).toEqual([[{ outcome: "complete", rows: 3, bytes }, 1]]);
  });

  test("a source that fails to close does not spoil a whole answer", async () => {
    const source: ResultStream = {
      ...resultOf(columnsOf(INT32), [[[1]]]),
      close: () => Promise.reject(new Error("already gone")),
    };
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const text = await textOf(encode(encoders.json, source, { profile, describeFailure: () => ({}), onEnd }));
    expect(JSON.parse(text).data).toEqual([[1]]);
    expect(onEnd.mock.calls[0]?.[0].outcome).toBe("complete");
  });
});

describe("the reader sets the pace", () => {
  /** About 200 KiB of text each. */
  const bigBatches = (): ReturnType<typeof resultOf> =>
    manyRows(columnsOf(STRING), 20_000, 2000, (index) => [`${String(index).padStart(6, "0")}${"x".repeat(94)}`]);

  test.each(["json", "ndjson", "csv"] as const)("%s asks for nothing before it is read", async (format) => {
    const source = bigBatches();
    const stream = encode(encoders[format], source, { profile, describeFailure: () => ({}) });
    await new Promise(setImmediate);
    expect(source.pulls()).toBe(0);
    await stream.cancel();
  });

  test("one batch at a time, only as far as the chunks need it", async () => {
    const source = bigBatches();
    const reader = encode(encoders.json, source, { profile, describeFailure: () => ({}) }).getReader();
    const pulls: number[] = [];
    for (let chunk = 0; chunk < 12; chunk++) {
      await reader.read();
      await new Promise(setImmediate);
      pulls.push(source.pulls());
    }
    // A batch is 210,000 characters, a chunk 64 Ki: three of them, and a rest that begins the next batch's first chunk.
    // The second batch's rest has grown to more than 16 Ki and is a chunk of its own.
    expect(pulls).toEqual([1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4]);
    await reader.cancel();
    expect(source.pulls()).toBe(4);
    expect(source.closes()).toBe(1);
  });

  test("chunks are 16 to 64 KiB, but for the last", async () => {
    const sizes: number[] = [];
    const source = manyRows(columnsOf(INT32), 50_000, 7, (index) => [index]);
    for await (const chunk of encode(encoders.ndjson, source, { profile, describeFailure: () => ({}) })) {
      sizes.push(chunk.length);
    }
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(16 * 1024);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024);
  });

  test("cancelling closes the source once, and asks for nothing more", async () => {
    const source = bigBatches();
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const reader = encode(encoders.json, source, { profile, describeFailure: () => ({}), onEnd }).getReader();
    await reader.read();
    await reader.cancel();
    await new Promise(setImmediate);
    expect(source.closes()).toBe(1);
    expect(source.pulls()).toBe(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ outcome: "cancelled" });
  });

  test("cancelling while a batch is awaited closes the source at once, and the late batch is dropped", async () => {
    const late = Promise.withResolvers<Batch>();
    const source = resultOf(columnsOf(INT32), [() => late.promise, [[2]]]);
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const reader = encode(encoders.json, source, { profile, describeFailure: () => ({}), onEnd }).getReader();
    const pending = reader.read();
    await new Promise(setImmediate);
    await reader.cancel();
    expect(source.closes()).toBe(1);
    late.resolve([[1]]);
    expect(await pending).toEqual({ done: true, value: undefined });
    await new Promise(setImmediate);
    expect(source.pulls()).toBe(1);
    expect(onEnd.mock.calls).toEqual([[{ outcome: "cancelled", rows: 0, bytes: 0 }]]);
  });

  test("cancelling while the finished source is being closed changes nothing", async () => {
    const closing = Promise.withResolvers<void>();
    let closes = 0;
    const source: ResultStream = {
      ...resultOf(columnsOf(INT32), []),
      close() {
        closes++;
        return closing.promise;
      },
    };
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const reader = encode(encoders.json, source, { profile, describeFailure: () => ({}), onEnd }).getReader();
    await reader.read();
    const cancelled = reader.cancel();
    closing.resolve();
    await cancelled;
    await new Promise(setImmediate);
    expect(closes).toBe(1);
    expect(onEnd.mock.calls.map(([end]) => end.outcome)).toEqual(["complete"]);
  });

  test("a failure after cancelling is nobody's", async () => {
    const late = Promise.withResolvers<Batch>();
    const source = resultOf(columnsOf(INT32), [() => late.promise]);
    const describeFailure = vi.fn(() => ({}));
    const reader = encode(encoders.ndjson, source, { profile, describeFailure }).getReader();
    const pending = reader.read();
    await new Promise(setImmediate);
    await reader.cancel();
    late.reject(LOST);
    expect((await pending).done).toBe(true);
    await new Promise(setImmediate);
    expect(describeFailure).not.toHaveBeenCalled();
    expect(source.closes()).toBe(1);
  });
});

test("after prefetch, the whole answer is the same", async () => {
  const source = manyRows(columnsOf(INT32), 10, 4, (index) => [index]);
  const options = { profile, describeFailure: (): object => ({}) } as const;
  const text = await textOf(encode(encoders.json, await prefetch(source), options));
  expect(JSON.parse(text).data.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(source.closes()).toBe(1);
});
