import { describe, expect, test } from "vitest";
import { FRAME, FrameError } from "../../../../src/result/encode/frames/format.ts";
import { readFrames } from "../../../../src/result/encode/frames/reader.ts";
import type { FrameAnswer } from "../../../../src/result/encode/frames/writer.ts";
import { rowsOf, seededRandom } from "../../streams.ts";
import { bytesOf, COLUMNS_FRAME, chunked, endOf, frame, int32Batch, join, PREAMBLE_FRAME } from "./frame-bytes.ts";

class Revived extends Error {
  readonly failure: unknown;
  constructor(failure: unknown) {
    super("revived");
    this.failure = failure;
  }
}
const revive = (failure: unknown): Error => new Revived(failure);

/** Reads everything an answer has. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<unknown> {
  const answer = await readFrames(stream, { revive });
  return answer.kind === "report" ? answer.report : rowsOf(answer.stream);
}

const WHOLE = join(PREAMBLE_FRAME, COLUMNS_FRAME, int32Batch(1, 2), int32Batch(-3), endOf(3));
const HEARTBEAT = frame(FRAME.heartbeat);

describe("what is read", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 64, 1000])("a result in chunks of %i bytes", async (size) => {
    const source = bytesOf(chunked(WHOLE, () => size));
    expect(await readAll(source.stream)).toEqual([[1], [2], [-3]]);
    expect(source.cancels()).toBe(0);
  });

  test("chunks may be empty, the last one too", async () => {
    const empty = new Uint8Array(0);
    expect(await readAll(bytesOf([empty, WHOLE.slice(0, 9), empty, WHOLE.slice(9), empty]).stream)).toHaveLength(3);
  });

  test("heartbeats stand anywhere", async () => {
    const parts = [PREAMBLE_FRAME, HEARTBEAT, HEARTBEAT, COLUMNS_FRAME, HEARTBEAT, int32Batch(1), HEARTBEAT, endOf(1)];
    expect(await readAll(bytesOf(parts).stream)).toEqual([[1]]);
  });

  test("a report", async () => {
    const report = frame(FRAME.report, '{"bytes":"12","tables":[1,null]}');
    expect(await readAll(bytesOf([PREAMBLE_FRAME, HEARTBEAT, report]).stream)).toEqual({
      bytes: "12",
      tables: [1, null],
    });
  });

  test("an error in place of the columns, of a batch, of the end", async () => {
    const error = frame(FRAME.error, '{"reason":"STATEMENT_TIMEOUT"}');
    for (const before of [[], [COLUMNS_FRAME], [COLUMNS_FRAME, int32Batch(1)]]) {
      const source = bytesOf([PREAMBLE_FRAME, ...before, error]);
      const reading = readAll(source.stream);
      await expect(reading).rejects.toBeInstanceOf(Revived);
      await expect(reading).rejects.toMatchObject({ failure: { reason: "STATEMENT_TIMEOUT" } });
      expect(source.cancels()).toBe(1);
    }
  });

  test("an end that arrived whole is believed, even if the connection then breaks", async () => {
    const broken = (): never => {
      throw new Error("reset");
    };
    expect(await readAll(bytesOf([WHOLE, broken]).stream)).toEqual([[1], [2], [-3]]);
  });
});

describe("what is refused", () => {
  async function codeOf(...parts: readonly Uint8Array[]): Promise<string> {
    const source = bytesOf(parts);
    try {
      await readAll(source.stream);
      return "read";
    } catch (error) {
      return error instanceof FrameError ? error.code : String(error);
    }
  }

  test("every stream that stops early", async () => {
    for (let length = 0; length < WHOLE.length; length++) {
      expect(await codeOf(WHOLE.slice(0, length))).toBe("TRUNCATED");
    }
  });

  test("a transport that breaks before the end", async () => {
    const cause = new Error("reset");
    const source = bytesOf([
      WHOLE.slice(0, -1),
      () => {
        throw cause;
      },
    ]);
    await expect(readAll(source.stream)).rejects.toMatchObject({ code: "TRUNCATED", cause });
  });

  const badBatch = (...bytes: number[]): Uint8Array => frame(FRAME.batch, Uint8Array.from(bytes));
  const columns = (json: string): Uint8Array => frame(FRAME.columns, json);
  const typed = (type: string): Uint8Array => columns(`{"columns":[{"name":"a","type":${type}}]}`);
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const nested = `${'{"kind":"list","element":'.repeat(100)}{"kind":"int32"}${"}".repeat(100)}`;

  test.each<[string, string, readonly Uint8Array[]]>([
    ["an HTML page", "VERSION", [text("<html><body>502 Bad Gateway</body></html>")]],
    ["a short text", "TRUNCATED", [text("no")]],
    ["another version", "VERSION", [frame(FRAME.preamble, "SISKIN\u0002"), COLUMNS_FRAME, endOf(0)]],
    ["another magic", "VERSION", [frame(FRAME.preamble, "SISKON\u0001"), COLUMNS_FRAME, endOf(0)]],
    ["no preamble", "VERSION", [COLUMNS_FRAME, endOf(0)]],
    ["a second preamble", "UNEXPECTED_FRAME", [PREAMBLE_FRAME, PREAMBLE_FRAME, COLUMNS_FRAME, endOf(0)]],
    ["a batch before the columns", "UNEXPECTED_FRAME", [PREAMBLE_FRAME, int32Batch(1), endOf(1)]],
    ["an end before the columns", "UNEXPECTED_FRAME", [PREAMBLE_FRAME, endOf(0)]],
    ["columns twice", "UNEXPECTED_FRAME", [PREAMBLE_FRAME, COLUMNS_FRAME, COLUMNS_FRAME, endOf(0)]],
    ["a report among rows", "UNEXPECTED_FRAME", [PREAMBLE_FRAME, COLUMNS_FRAME, frame(FRAME.report, "{}")]],
    ["an unknown type", "UNKNOWN_TYPE", [PREAMBLE_FRAME, frame(7), COLUMNS_FRAME, endOf(0)]],
    ["an unknown type among rows", "UNKNOWN_TYPE", [PREAMBLE_FRAME, COLUMNS_FRAME, frame(255)]],
    ["a frame of 64 MiB and one byte", "TOO_LARGE", [PREAMBLE_FRAME, Uint8Array.of(4, 0, 0, 1, FRAME.columns)]],
    ["a frame of 4 GiB", "TOO_LARGE", [PREAMBLE_FRAME, COLUMNS_FRAME, Uint8Array.of(255, 255, 255, 255, 2)]],
    ["bytes after the end", "DATA_AFTER_END", [WHOLE, Uint8Array.of(0)]],
    ["a frame after the end", "DATA_AFTER_END", [WHOLE, HEARTBEAT]],
    ["bytes after a report", "DATA_AFTER_END", [PREAMBLE_FRAME, frame(FRAME.report, "1"), Uint8Array.of(0)]],
    ["fewer rows than the end counts", "ROW_COUNT", [PREAMBLE_FRAME, COLUMNS_FRAME, int32Batch(1), endOf(2)]],
    ["more rows than the end counts", "ROW_COUNT", [PREAMBLE_FRAME, COLUMNS_FRAME, int32Batch(1, 2), endOf(1)]],
    ["an end that counts no number", "ROW_COUNT", [PREAMBLE_FRAME, COLUMNS_FRAME, endOf(Number.NaN)]],
    ["an end without a count", "CORRUPT", [PREAMBLE_FRAME, COLUMNS_FRAME, frame(FRAME.end)]],
    ["a heartbeat that carries something", "CORRUPT", [PREAMBLE_FRAME, frame(FRAME.heartbeat, "x")]],
    ["a batch without a count", "CORRUPT", [PREAMBLE_FRAME, COLUMNS_FRAME, badBatch(0, 0)]],
    ["a batch of fewer rows", "CORRUPT", [PREAMBLE_FRAME, COLUMNS_FRAME, badBatch(0, 0, 0, 2, 1, 0, 0, 0, 1)]],
    ["a batch of more bytes", "CORRUPT", [PREAMBLE_FRAME, COLUMNS_FRAME, badBatch(0, 0, 0, 1, 1, 0, 0, 0, 1, 0)]],
    ["an unknown tag", "CORRUPT", [PREAMBLE_FRAME, COLUMNS_FRAME, badBatch(0, 0, 0, 1, 9, 0, 0, 0, 1)]],
    ["rows without end", "CORRUPT", [PREAMBLE_FRAME, columns('{"columns":[]}'), badBatch(255, 255, 255, 255)]],
    ["an int8 beyond its range", "CORRUPT", [PREAMBLE_FRAME, typed('{"kind":"int8"}'), int32Batch(128)]],
    [
      "text that is no UTF-8",
      "CORRUPT",
      [PREAMBLE_FRAME, typed('{"kind":"string"}'), badBatch(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 255)],
    ],
    [
      "a list of more elements than bytes",
      "CORRUPT",
      [
        PREAMBLE_FRAME,
        typed('{"kind":"list","element":{"kind":"int32"}}'),
        badBatch(0, 0, 0, 1, 1, 255, 255, 255, 255),
      ],
    ],
    [
      "binary longer than the payload",
      "CORRUPT",
      [PREAMBLE_FRAME, typed('{"kind":"binary"}'), badBatch(0, 0, 0, 1, 1, 0, 0, 0, 9, 1)],
    ],
    ["columns that are no JSON", "CORRUPT", [PREAMBLE_FRAME, columns("{")]],
    ["columns that are no list", "CORRUPT", [PREAMBLE_FRAME, columns('{"columns":{}}')]],
    ["columns that are null", "CORRUPT", [PREAMBLE_FRAME, columns("null")]],
    ["a column without a name", "CORRUPT", [PREAMBLE_FRAME, columns('{"columns":[{"type":{"kind":"int32"}}]}')]],
    ["an unknown kind of type", "CORRUPT", [PREAMBLE_FRAME, typed('{"kind":"int128"}')]],
    ["a kind from the prototype", "CORRUPT", [PREAMBLE_FRAME, typed('{"kind":"constructor"}')]],
    ["an unknown unit", "CORRUPT", [PREAMBLE_FRAME, typed('{"kind":"time","unit":"h"}')]],
    ["a zone that is no text", "CORRUPT", [PREAMBLE_FRAME, typed('{"kind":"timestamp","unit":"s","zone":1}')]],
    ["a precision that is no integer", "CORRUPT", [PREAMBLE_FRAME, typed('{"kind":"decimal","precision":"x"}')]],
    ["types nested without end", "CORRUPT", [PREAMBLE_FRAME, typed(nested)]],
    ["an error that is no JSON", "CORRUPT", [PREAMBLE_FRAME, frame(FRAME.error, "oops")]],
  ])("%s", async (_, code, parts) => {
    expect(await codeOf(...parts)).toBe(code);
    expect(await codeOf(...chunked(join(...parts), () => 1))).toBe(code);
  });

  test("and the stream is cancelled", async () => {
    const source = bytesOf([PREAMBLE_FRAME, COLUMNS_FRAME, frame(99), HEARTBEAT]);
    await expect(readAll(source.stream)).rejects.toMatchObject({ code: "UNKNOWN_TYPE" });
    expect(source.cancels()).toBe(1);
  });

  test("whatever bytes are damaged, it is a FrameError or a readable answer", async () => {
    const random = seededRandom(3);
    for (let round = 0; round < 3000; round++) {
      const damaged = WHOLE.slice();
      for (let flips = 0; flips <= random() * 3; flips++) {
        damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      }
      const outcome = await codeOf(damaged);
      expect(outcome).toMatch(/^(?:read|Error: revived|[A-Z_]+)$/);
    }
  });
});

describe("the pace is the reader's", () => {
  async function result(
    stream: ReadableStream<Uint8Array>,
  ): Promise<Extract<FrameAnswer, { kind: "result" }>["stream"]> {
    const answer = await readFrames(stream, { revive });
    if (answer.kind !== "result") throw new Error("A report came.");
    return answer.stream;
  }
  const parts = [PREAMBLE_FRAME, COLUMNS_FRAME, int32Batch(1), int32Batch(2), int32Batch(3), endOf(3)];

  test("no chunk is asked for before a batch is", async () => {
    const source = bytesOf(parts);
    const stream = await result(source.stream);
    expect(source.pulls()).toBe(2);
    await new Promise(setImmediate);
    expect(source.pulls()).toBe(2);
    expect([...(await stream.batches.next()).value]).toEqual([[1]]);
    await new Promise(setImmediate);
    expect(source.pulls()).toBe(3);
    await stream.close();
  });

  test("closing cancels the stream once; what was asked for ends", async () => {
    const late = Promise.withResolvers<Uint8Array>();
    const source = bytesOf([...parts.slice(0, 3), () => late.promise]);
    const stream = await result(source.stream);
    await stream.batches.next();
    const pending = stream.batches.next();
    await new Promise(setImmediate);
    await stream.close();
    await stream.close();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await stream.batches.next()).toEqual({ done: true, value: undefined });
    expect(source.cancels()).toBe(1);
    late.resolve(HEARTBEAT);
  });

  test("breaking out of the batches cancels the stream", async () => {
    const source = bytesOf(parts);
    for await (const batch of (await result(source.stream)).batches) {
      expect([...batch]).toEqual([[1]]);
      break;
    }
    expect(source.cancels()).toBe(1);
  });

  test("closing before the first batch cancels it as well", async () => {
    const source = bytesOf(parts);
    const stream = await result(source.stream);
    await stream.close();
    expect(source.cancels()).toBe(1);
    expect(await rowsOf(stream)).toEqual([]);
  });
});
