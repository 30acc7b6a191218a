/** Writes an answer as a stream of frames. */
import { type ByteSource, readableOf } from "../../stream/chunk-reader.ts";
import type { ResultStream } from "../../types.ts";
import type { EncodeOptions } from "../encoder.ts";
import { endFrame, errorFrame, heartbeatFrame, preambleFrame, reportFrame } from "./format.ts";
import { resultFramer } from "./framer.ts";

/** The contents of a stream of frames. */
export type FrameAnswer = { readonly kind: "result"; readonly stream: ResultStream } | ReportAnswer;

export interface ReportAnswer {
  readonly kind: "report";
  /** Any JSON value; a `bigint` must be converted to text. */
  readonly report: unknown;
}

/** A result that another of our processes has already written as frames; they are forwarded unchanged. */
export interface RelayedAnswer {
  readonly kind: "relayed";
  readonly stream: RelayedResult;
}

export interface RelayedResult {
  /** The whole frame. */
  readonly columns: Uint8Array;
  /** Each batch is a whole frame with its row count. Throws the failure when the batches are incomplete. */
  readonly batches: AsyncIterableIterator<{ readonly frame: Uint8Array; readonly rows: number }>;
  close(): Promise<void>;
}

/** One interval of the host's clock: `result/` has no timers. */
export interface HeartbeatInterval {
  readonly passed: Promise<void>;
  /** Ends the wait early; `passed` may then stay pending. */
  cancel(): void;
}

export interface FrameStreamOptions extends Pick<EncodeOptions, "onEnd"> {
  /** The payload of the error frame; must not contain anything that the other end may not see. */
  readonly describeFailure: (error: unknown) => object;
  /** Starts an interval; a heartbeat is sent if nothing was sent until it passes. Without it no heartbeats are sent. */
  readonly startInterval?: (() => HeartbeatInterval) | undefined;
}

/** `answerFrames` as a `ReadableStream`. */
export function frameStream(
  answer: FrameAnswer | RelayedAnswer | Promise<FrameAnswer | RelayedAnswer>,
  options: FrameStreamOptions,
): ReadableStream<Uint8Array> {
  return readableOf(answerFrames(answer, options));
}

/**
 * Writes an answer as frames, made as they are read. The preamble is sent at once, before the answer arrives, and heartbeats are
 * sent during the wait for the answer or the next batch. Heartbeats too are made only when the reader pulls, so that they do not
 * pile up for a reader that has stopped.
 *
 * A rejected answer and a failing source become an error frame. Cancelling closes the source; if the answer has not arrived yet,
 * `onEnd` is called at once, and the source is closed when it arrives. Reading fails only if `describeFailure` throws.
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
      // The outcome is already decided; a source that fails to close cannot change it.
    }
    options.onEnd?.(outcome === "failed" ? { outcome, rows, bytes, error } : { outcome, rows, bytes });
  }

  /** Waits for `wanted`, and yields a heartbeat for every interval that passes before. */
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
    const { columns, warnings, batches } = arrived.stream;
    const framer = resultFramer(columns, warnings);
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
      // The reader cancelled before the answer arrived, so it must be closed here.
      if (ended) return source.close().then(() => arrived);
    }
    return arrived;
  });
  // The first pull handles the rejection, and may come after it.
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

  /** Ends the pending read. */
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
