/** An answer as a stream of frames. */
import { type ByteSource, readableOf } from "../../stream/chunk-reader.ts";
import type { ResultStream } from "../../types.ts";
import type { EncodeOptions } from "../encoder.ts";
import { endFrame, errorFrame, heartbeatFrame, preambleFrame, reportFrame } from "./format.ts";
import { resultFramer } from "./framer.ts";

/** What a stream of frames carries. */
export type FrameAnswer = { readonly kind: "result"; readonly stream: ResultStream } | ReportAnswer;

export interface ReportAnswer {
  readonly kind: "report";
  /** Any JSON value; a `bigint` is none and has to be text. */
  readonly report: unknown;
}

/** A result that is in frames already: another process of ours made them, and they go on as they are. */
export interface RelayedAnswer {
  readonly kind: "relayed";
  readonly stream: RelayedResult;
}

export interface RelayedResult {
  /** The whole frame. */
  readonly columns: Uint8Array;
  /** Each a whole frame, and the rows in it. Throws what ended them when they are not complete. */
  readonly batches: AsyncIterableIterator<{ readonly frame: Uint8Array; readonly rows: number }>;
  close(): Promise<void>;
}

/** One interval of the host's clock: nothing in `result/` knows time. */
export interface HeartbeatInterval {
  readonly passed: Promise<void>;
  /** Ends the wait early; `passed` may then stay pending. */
  cancel(): void;
}

export interface FrameStreamOptions extends Pick<EncodeOptions, "onEnd"> {
  /** The payload of the error frame; must hold nothing that the other end may not see. */
  readonly describeFailure: (error: unknown) => object;
  /** Starts an interval after whose silence a heartbeat is due; without it none is sent. */
  readonly startInterval?: (() => HeartbeatInterval) | undefined;
}

/** As `answerFrames`, as a stream of the platform's. */
export function frameStream(
  answer: FrameAnswer | RelayedAnswer | Promise<FrameAnswer | RelayedAnswer>,
  options: FrameStreamOptions,
): ReadableStream<Uint8Array> {
  return readableOf(answerFrames(answer, options));
}

/**
 * An answer as frames, made as they are read. The preamble goes out at once, before the answer is there, and
 * heartbeats while it or the next batch is waited for; they too are only made when the reader asks, so a reader that
 * stopped reading is not buried in them.
 *
 * A rejected answer and a failing source become an error frame. Cancelling closes the source; when the answer is not
 * there yet, `onEnd` tells the host at once, and the source is closed as soon as it arrives. Reading fails only as
 * `describeFailure` does.
 */
export function answerFrames(
  answer: FrameAnswer | RelayedAnswer | Promise<FrameAnswer | RelayedAnswer>,
  options: FrameStreamOptions,
): ByteSource {
  let bytes = 0;
  let rows = 0;
  let ended = false;
  let source: Pick<ResultStream, "close"> | undefined;
  let interval: HeartbeatInterval | undefined;
  const steps = framesOf();

  async function end(outcome: "complete" | "failed" | "cancelled", error?: unknown): Promise<void> {
    if (ended) return;
    ended = true;
    interval?.cancel();
    try {
      await source?.close();
    } catch {
      // How the answer ended is already decided, and a source that fails to close cannot change it.
    }
    options.onEnd?.(outcome === "failed" ? { outcome, rows, bytes, error } : { outcome, rows, bytes });
  }

  /** Waits for `wanted`, yielding a heartbeat for every interval that passes before. */
  async function* awaited<T>(wanted: Promise<T>): AsyncGenerator<Uint8Array, T, void> {
    if (options.startInterval === undefined) return await wanted;
    for (;;) {
      interval = options.startInterval();
      try {
        const first = await Promise.race([wanted.then((value) => ({ value })), interval.passed.then(() => undefined)]);
        if (first !== undefined) return first.value;
      } finally {
        interval.cancel();
      }
      yield heartbeatFrame();
    }
  }

  async function* framesOf(): AsyncGenerator<Uint8Array, void, void> {
    yield preambleFrame();
    const arrived = yield* awaited(arriving);
    if (arrived.kind === "report") {
      yield reportFrame(arrived.report);
      return;
    }
    if (arrived.kind === "relayed") {
      yield* relayed(arrived.stream);
      return;
    }
    const { columns, batches } = arrived.stream;
    const framer = resultFramer(columns);
    yield framer.columns();
    for (;;) {
      const next = yield* awaited(batches.next());
      if (next.done) break;
      yield* framer.batch(next.value);
      rows += next.value.length;
    }
    yield framer.end();
  }

  async function* relayed({ columns, batches }: RelayedResult): AsyncGenerator<Uint8Array, void, void> {
    yield columns;
    for (;;) {
      const next = yield* awaited(batches.next());
      if (next.done) break;
      rows += next.value.rows;
      yield next.value.frame;
    }
    yield endFrame(rows);
  }

  const arriving = Promise.resolve(answer).then((arrived) => {
    if (arrived.kind !== "report") {
      source = arrived.stream;
      // Cancelled before it was there: nobody else will close it.
      if (ended) return source.close().then(() => arrived);
    }
    return arrived;
  });
  // Handled by the first pull, which may come later than the rejection.
  arriving.catch(() => {});

  async function nextFrame(): Promise<Uint8Array | undefined> {
    if (ended) return undefined;
    try {
      const step = await steps.next();
      if (ended) return undefined;
      if (step.done) {
        await end("complete");
        return undefined;
      }
      bytes += step.value.length;
      return step.value;
    } catch (error) {
      if (ended) return undefined;
      try {
        const frame = errorFrame(options.describeFailure(error));
        bytes += frame.length;
        return frame;
      } finally {
        await end("failed", error);
      }
    }
  }

  /** Ends the read that waits. */
  let stop: (() => void) | undefined;

  return {
    read: () =>
      new Promise((resolve, reject) => {
        stop = () => resolve(undefined);
        nextFrame().then(resolve, reject);
      }),
    cancel() {
      stop?.();
      return end("cancelled");
    },
  };
}
