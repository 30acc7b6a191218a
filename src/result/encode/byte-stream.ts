/** Answers as byte streams: pulled by the reader, one batch at a time, with one account of how they ended. */
import type { ResultStream } from "../types.ts";
import type { EncodedAnswer, EncodeEnd, EncodeOptions } from "./encoder.ts";

/** What makes a format's bytes, asked for when the reader wants more. */
export interface ChunkSource {
  /** The next bytes; `isLast` when the answer is whole with them. Throws what the source throws. */
  next(): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }>;
  /** After `next` has thrown: what is left to say. If the answer does not end in its own way then, the stream errors. */
  broken(error: unknown): { readonly bytes: Uint8Array; readonly isOver: boolean };
  /** Nobody reads on: what is held is let go, and what is still awaited is dropped. */
  stop(): void;
  /** Rows that are in the bytes handed out, or soon will be. */
  readonly rows: number;
}

/** The contract is `Encoder.begin`'s. */
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
      // How the answer ended is already decided, and a source that fails to close cannot change it.
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
        // Cancelled while it waited.
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

/** What was read of an answer before its stream begins: whole pieces, and a read that is still running. */
export interface Begun {
  readonly held: readonly Uint8Array[];
  readonly reading?: Promise<Uint8Array | undefined>;
}

/** `answer` as a stream of the platform's, behind what has been read of it already. */
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
      /** Whatever a failure leaves to say goes out before the stream errors: erroring throws away what it still holds. */
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
    // The default would pull once before anybody reads.
    { highWaterMark: 0 },
  );
}
