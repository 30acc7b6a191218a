import { describe, expect, test, vi } from "vitest";
import type { EncodeEnd } from "../../../../src/result/encode/encoder.ts";
import { FRAME } from "../../../../src/result/encode/frames/format.ts";
import { readFrames } from "../../../../src/result/encode/frames/reader.ts";
import { type FrameAnswer, frameStream, type HeartbeatInterval } from "../../../../src/result/encode/frames/writer.ts";
import type { Batch } from "../../../../src/result/types.ts";
import { columnsOf, manyRows, resultOf, rowsOf } from "../../streams.ts";
import { collect, frameTypes } from "./frame-bytes.ts";

const COLUMNS = columnsOf({ kind: "int32" });
const describeFailure = (error: unknown): object => ({ message: (error as Error).message });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock whose intervals pass when the test says so. */
function manualClock(): { startInterval: () => HeartbeatInterval; pass: () => void; running: () => number } {
  let current: (() => void) | undefined;
  let running = 0;
  return {
    startInterval() {
      const { promise, resolve } = Promise.withResolvers<void>();
      let open = true;
      running++;
      current = resolve;
      return {
        passed: promise,
        cancel() {
          if (open) running--;
          open = false;
        },
      };
    },
    pass: () => current?.(),
    running: () => running,
  };
}

describe("what is written", () => {
  test("a result: preamble, columns, batches, end", async () => {
    const stream = manyRows(COLUMNS, 5, 2, (index) => [index]);
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const bytes = await collect(frameStream({ kind: "result", stream }, { describeFailure, onEnd }));
    expect(frameTypes(bytes)).toEqual([
      FRAME.preamble,
      FRAME.columns,
      FRAME.batch,
      FRAME.batch,
      FRAME.batch,
      FRAME.end,
    ]);
    expect(stream.closes()).toBe(1);
    expect(onEnd.mock.calls).toEqual([[{ outcome: "complete", rows: 5, bytes: bytes.length }]]);
  });

  test("a report: preamble, report", async () => {
    const bytes = await collect(frameStream({ kind: "report", report: { ok: true } }, { describeFailure }));
    expect(frameTypes(bytes)).toEqual([FRAME.preamble, FRAME.report]);
  });

  test("an answer that fails before it is there: preamble, error", async () => {
    const answer = Promise.reject<FrameAnswer>(new Error("refused"));
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const stream = frameStream(answer, { describeFailure, onEnd });
    await turn();
    const revive = (failure: unknown): unknown => failure;
    await expect(readFrames(stream, { revive })).rejects.toEqual({ message: "refused" });
    expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ outcome: "failed", rows: 0 });
  });

  test("a source that fails late: an error frame in place of the end", async () => {
    const source = resultOf(COLUMNS, [
      [[1]],
      () => {
        throw new Error("lost");
      },
    ]);
    const bytes = await collect(frameStream({ kind: "result", stream: source }, { describeFailure }));
    expect(frameTypes(bytes)).toEqual([FRAME.preamble, FRAME.columns, FRAME.batch, FRAME.error]);
    expect(source.closes()).toBe(1);
  });

  test("a report that is no JSON becomes an error", async () => {
    const bytes = await collect(frameStream({ kind: "report", report: { bytes: 1n } }, { describeFailure }));
    expect(frameTypes(bytes)).toEqual([FRAME.preamble, FRAME.error]);
  });
});

describe("heartbeats", () => {
  test("one for every interval in which nothing else could be sent, before the answer and between batches", async () => {
    const clock = manualClock();
    const answer = Promise.withResolvers<FrameAnswer>();
    const batch = Promise.withResolvers<Batch>();
    const source = resultOf(COLUMNS, [() => batch.promise]);
    const reader = frameStream(answer.promise, { describeFailure, startInterval: clock.startInterval }).getReader();
    const next = async (): Promise<number[]> => {
      const { value } = await reader.read();
      return value === undefined ? [] : frameTypes(value);
    };
    expect(await next()).toEqual([FRAME.preamble]);
    for (let beat = 0; beat < 2; beat++) {
      const reading = next();
      await turn();
      clock.pass();
      expect(await reading).toEqual([FRAME.heartbeat]);
    }
    answer.resolve({ kind: "result", stream: source });
    expect(await next()).toEqual([FRAME.columns]);
    const reading = next();
    await turn();
    clock.pass();
    expect(await reading).toEqual([FRAME.heartbeat]);
    batch.resolve([[7]]);
    expect(await next()).toEqual([FRAME.batch]);
    expect(await next()).toEqual([FRAME.end]);
    expect(await next()).toEqual([]);
    expect(source.pulls()).toBe(2);
    expect(clock.running()).toBe(0);
  });

  test("none piles up while nobody reads", async () => {
    const clock = manualClock();
    const stream = frameStream(new Promise<FrameAnswer>(() => {}), { describeFailure, ...clock });
    clock.pass();
    await turn();
    expect(clock.running()).toBe(0);
    await stream.cancel();
  });

  test("a failure while they are sent is an error frame", async () => {
    const clock = manualClock();
    const answer = Promise.withResolvers<FrameAnswer>();
    const reader = frameStream(answer.promise, { describeFailure, startInterval: clock.startInterval }).getReader();
    await reader.read();
    const reading = reader.read();
    await turn();
    clock.pass();
    await reading;
    answer.reject(new Error("refused"));
    await turn();
    const { value } = await reader.read();
    expect(frameTypes(value ?? new Uint8Array(0))).toEqual([FRAME.error]);
  });
});

describe("the reader sets the pace", () => {
  test("one frame a pull, one batch at a time", async () => {
    const source = manyRows(COLUMNS, 10, 2, (index) => [index]);
    const reader = frameStream({ kind: "result", stream: source }, { describeFailure }).getReader();
    const pulls: number[] = [];
    for (let index = 0; index < 4; index++) {
      await reader.read();
      await turn();
      pulls.push(source.pulls());
    }
    expect(pulls).toEqual([0, 0, 1, 2]);
    await reader.cancel();
    await turn();
    expect(source.pulls()).toBe(2);
    expect(source.closes()).toBe(1);
  });

  test("cancelling while a batch is awaited closes the source at once, and stops the clock", async () => {
    const clock = manualClock();
    const batch = Promise.withResolvers<Batch>();
    const source = resultOf(COLUMNS, [() => batch.promise]);
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const options = { describeFailure, onEnd, startInterval: clock.startInterval };
    const reader = frameStream({ kind: "result", stream: source }, options).getReader();
    await reader.read();
    await reader.read();
    const pending = reader.read();
    await turn();
    expect(clock.running()).toBe(1);
    await reader.cancel();
    expect(source.closes()).toBe(1);
    expect(clock.running()).toBe(0);
    expect((await pending).done).toBe(true);
    batch.reject(new Error("aborted"));
    await turn();
    expect(onEnd.mock.calls.map(([end]) => end.outcome)).toEqual(["cancelled"]);
  });

  test("cancelling while the finished source is being closed changes nothing", async () => {
    const closing = Promise.withResolvers<void>();
    const close = vi.fn(() => closing.promise);
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const stream = { ...resultOf(COLUMNS, []), close };
    const reader = frameStream({ kind: "result", stream }, { describeFailure, onEnd }).getReader();
    for (let frames = 0; frames < 3; frames++) await reader.read();
    const last = reader.read();
    await turn();
    const cancelled = reader.cancel();
    closing.resolve();
    await cancelled;
    await last;
    await turn();
    expect(close).toHaveBeenCalledTimes(1);
    expect(onEnd.mock.calls.map(([end]) => end.outcome)).toEqual(["complete"]);
  });

  test("cancelled before the answer is there, the host is told at once and the answer closed when it comes", async () => {
    const answer = Promise.withResolvers<FrameAnswer>();
    const source = resultOf(COLUMNS, [[[1]]]);
    const onEnd = vi.fn<(end: EncodeEnd) => void>();
    const reader = frameStream(answer.promise, { describeFailure, onEnd }).getReader();
    await reader.read();
    await reader.cancel();
    expect(onEnd.mock.calls.map(([end]) => end.outcome)).toEqual(["cancelled"]);
    answer.resolve({ kind: "result", stream: source });
    await turn();
    expect(source.closes()).toBe(1);
    expect(source.pulls()).toBe(0);
  });

  test("closing the result that is read from the frames closes the one they were made of", async () => {
    const source = manyRows(COLUMNS, 10, 2, (index) => [index]);
    const frames = frameStream({ kind: "result", stream: source }, { describeFailure });
    const answer = await readFrames(frames, { revive: (failure) => failure });
    if (answer.kind !== "result") throw new Error("A report came.");
    for await (const _ of answer.stream.batches) break;
    await answer.stream.close();
    expect(source.closes()).toBe(1);
    expect(await rowsOf(answer.stream)).toEqual([]);
  });
});
