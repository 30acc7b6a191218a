/** Text formats as byte streams: pulled by the reader, one batch at a time. */
import { ResultError } from "../failure.ts";
import type { Batch, ResultStream, Row } from "../types.ts";
import type { EncodeEnd, EncodeOptions } from "./encoder.ts";

/** A chunk is sent at this many characters; ASCII text makes chunks of about 32 KiB. */
const CHUNK_LENGTH = 32 * 1024;

/** At the end of a batch, less than this waits for the next one: sources with small batches would send crumbs. */
const SMALLEST_CHUNK_LENGTH = 16 * 1024;

export interface TextFormat {
  readonly head: string;
  /** `index` counts rows from 0. */
  readonly row: (row: Row, index: number) => string;
  /** After the last of `rows` rows. */
  readonly end: (rows: number) => string;
  /** The text a late failure ends with; without it the text stops where it is and the stream errors. */
  readonly failure: ((error: unknown) => string) | undefined;
}

/** The contract is `Encoder.encode`'s. */
export function encodeText(
  source: ResultStream,
  format: TextFormat,
  options: Pick<EncodeOptions, "onEnd">,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  let text = format.head;
  let batch: Batch = [];
  let position = 0;
  let rows = 0;
  let bytes = 0;
  let ended = false;
  let brokenBy: { readonly error: unknown } | undefined;

  function send(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (text === "") return;
    const chunk = utf8.encode(text);
    text = "";
    bytes += chunk.length;
    controller.enqueue(chunk);
  }

  async function end(outcome: EncodeEnd["outcome"], error?: unknown): Promise<void> {
    if (ended) return;
    ended = true;
    batch = [];
    try {
      await source.close();
    } catch {
      // How the answer ended is already decided, and a source that fails to close cannot change it.
    }
    options.onEnd?.(outcome === "failed" ? { outcome, rows, bytes, error } : { outcome, rows, bytes });
  }

  /** Adds rows until a chunk is full (true) or the source has no more (false). */
  async function fill(): Promise<boolean> {
    for (;;) {
      while (position < batch.length) {
        const row = batch[position];
        if (row === undefined) throw new ResultError("VALUE_MISMATCH", "A batch lacks a row.");
        text += format.row(row, rows);
        position++;
        rows++;
        if (text.length >= CHUNK_LENGTH) return true;
      }
      if (text.length >= SMALLEST_CHUNK_LENGTH) return true;
      const next = await source.batches.next();
      if (ended) return true;
      if (next.done) return false;
      batch = next.value;
      position = 0;
    }
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (brokenBy !== undefined) {
      controller.error(brokenBy.error);
      return;
    }
    try {
      const more = await fill();
      if (ended) return;
      if (more) {
        send(controller);
        return;
      }
      text += format.end(rows);
      send(controller);
      await end("complete");
      controller.close();
    } catch (error) {
      await fail(controller, error);
    }
  }

  async function fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): Promise<void> {
    if (ended) return;
    try {
      if (format.failure !== undefined) text += format.failure(error);
      else brokenBy = { error };
      send(controller);
    } finally {
      await end("failed", error);
    }
    // Erroring a stream throws away what it still holds. A text that is to break off therefore errors on the next pull,
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
