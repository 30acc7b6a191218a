/** Answers as byte streams: pulled by the reader, one batch at a time, with one account of how they ended. */
import type { ResultStream } from "../types.ts";
import type { EncodeEnd, EncodeOptions } from "./encoder.ts";

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

/** The contract is `Encoder.encode`'s. */
export function encodeBytes(
  source: ResultStream,
  chunks: ChunkSource,
  options: Pick<EncodeOptions, "onEnd">,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  let ended = false;
  let brokenBy: { readonly error: unknown } | undefined;

  function send(controller: ReadableStreamDefaultController<Uint8Array>, chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    bytes += chunk.length;
    controller.enqueue(chunk);
  }

  async function end(outcome: EncodeEnd["outcome"], error?: unknown): Promise<void> {
    if (ended) return;
    ended = true;
    const { rows } = chunks;
    chunks.stop();
    try {
      await source.close();
    } catch {
      // How the answer ended is already decided, and a source that fails to close cannot change it.
    }
    options.onEnd?.(outcome === "failed" ? { outcome, rows, bytes, error } : { outcome, rows, bytes });
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (brokenBy !== undefined) {
      controller.error(brokenBy.error);
      return;
    }
    try {
      const chunk = await chunks.next();
      if (ended) return;
      send(controller, chunk.bytes);
      if (!chunk.isLast) return;
      await end("complete");
      controller.close();
    } catch (error) {
      await fail(controller, error);
    }
  }

  async function fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): Promise<void> {
    if (ended) return;
    try {
      const last = chunks.broken(error);
      if (!last.isOver) brokenBy = { error };
      send(controller, last.bytes);
    } finally {
      await end("failed", error);
    }
    // Erroring a stream throws away what it still holds. An answer that is to break off therefore errors on the next pull,
    // after the rows before the failure: a body that stops within its rows cannot be taken for an empty one.
    if (brokenBy === undefined) controller.close();
    else if (bytes === 0) controller.error(error);
  }

  return new ReadableStream<Uint8Array>(
    { pull, cancel: () => end("cancelled") },
    // The default would pull once before anybody reads.
    { highWaterMark: 0 },
  );
}
