/** Answers as byte streams: the reader pulls them one batch at a time, and their end is reported once. */
import type { ResultStream } from "../types.ts";
import type { EncodedAnswer, EncodeEnd, EncodeOptions } from "./encoder.ts";

/** Makes the bytes of a format when the reader pulls. */
export interface ChunkSource {
  /** The next bytes; `isLast` when they complete the answer. Throws the source's errors. */
  next(): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }>;
  /** Called after `next` has thrown: returns the last bytes to send. The stream errors after them unless `isOver`. */
  broken(error: unknown): { readonly bytes: Uint8Array; readonly isOver: boolean };
  /** The reader has stopped: releases held resources and drops pending work. */
  stop(): void;
  /** Rows in the bytes that were handed out or will be next. */
  readonly rows: number;
}

/** See `Encoder.begin` for the contract. */
export function encodeBytes(
  source: ResultStream,
  chunks: ChunkSource,
  options: Pick<EncodeOptions, "onEnd">,
): EncodedAnswer {
  let bytes = 0;
  let ended: Promise<void> | undefined;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let isBroken = false;

  function end(outcome: EncodeEnd["outcome"], error?: unknown): Promise<void> {
    ended ??= finish(outcome, error);
    return ended;
  }

  async function finish(outcome: EncodeEnd["outcome"], error: unknown): Promise<void> {
    const { rows } = chunks;
    chunks.stop();
    try {
      await source.close();
    } catch {
      // The outcome is already decided; a source that fails to close cannot change it.
    }
    options.onEnd?.(outcome === "failed" ? { outcome, rows, bytes, error } : { outcome, rows, bytes });
  }

  async function read(): Promise<Uint8Array | undefined> {
    if (ended !== undefined) {
      await ended;
      if (isBroken) throw failure?.error;
      return undefined;
    }
    try {
      for (;;) {
        const chunk = await chunks.next();
        // The reader cancelled during the wait.
        if (ended !== undefined) return undefined;
        bytes += chunk.bytes.length;
        if (chunk.isLast) {
          isOver = true;
          void end("complete");
        }
        if (chunk.bytes.length > 0) return chunk.bytes;
        if (chunk.isLast) return undefined;
      }
    } catch (error) {
      return ended === undefined ? lastWords(error) : undefined;
    }
  }

  function lastWords(error: unknown): Uint8Array | undefined {
    failure = { error };
    try {
      const last = chunks.broken(error);
      isOver = last.isOver;
      isBroken = !last.isOver;
      bytes += last.bytes.length;
      if (last.bytes.length > 0) return last.bytes;
    } finally {
      void end("failed", error);
    }
    throw error;
  }

  return {
    get isOver() {
      return isOver;
    },
    get failure() {
      return failure;
    },
    read,
    cancel: () => end("cancelled"),
  };
}

/** The part of an answer that was read before its stream begins: complete chunks, and a pending read. */
export interface Begun {
  readonly held: readonly Uint8Array[];
  readonly reading?: Promise<Uint8Array | undefined>;
}

/** `answer` as a `ReadableStream`, which starts with the chunks that were already read. */
export function streamOf(
  answer: EncodedAnswer,
  begun: Begun = { held: [] },
  onRead?: () => void,
): ReadableStream<Uint8Array> {
  const held = [...begun.held];
  let next = begun.reading;
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      /** The last bytes of a failed answer are sent before the stream errors: erroring discards the stream's queue. */
      async pull(controller) {
        onRead?.();
        const piece = held.shift();
        if (piece !== undefined) return controller.enqueue(piece);
        const bytes = await (next ?? answer.read());
        next = undefined;
        if (isCancelled) return;
        if (bytes !== undefined) controller.enqueue(bytes);
        if (bytes !== undefined && !answer.isOver) return;
        await answer.read();
        if (!isCancelled) controller.close();
      },
      cancel() {
        isCancelled = true;
        return answer.cancel();
      },
    },
    // The default would pull once before the first read.
    { highWaterMark: 0 },
  );
}
