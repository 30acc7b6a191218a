/** Text formats: rows become text, and text chunks of a size worth sending. */
import { ResultError } from "../failure.ts";
import type { Batch, ResultStream, Row } from "../types.ts";
import { type ChunkSource, encodeBytes } from "./byte-stream.ts";
import type { EncodedAnswer, EncodeOptions } from "./encoder.ts";

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
  /** What a late failure adds, and whether the answer is over with it; otherwise the stream errors after it. */
  readonly failure: (error: unknown) => { readonly bytes: Uint8Array; readonly isOver: boolean };
}

/** The contract is `Encoder.begin`'s. */
export function encodeText(
  source: ResultStream,
  format: TextFormat,
  options: Pick<EncodeOptions, "onEnd">,
): EncodedAnswer {
  return encodeBytes(source, new TextChunks(source, format), options);
}

class TextChunks implements ChunkSource {
  rows = 0;
  readonly #source: ResultStream;
  readonly #format: TextFormat;
  readonly #utf8 = new TextEncoder();
  #text: string;
  #batch: Batch = [];
  #position = 0;
  #stopped = false;

  constructor(source: ResultStream, format: TextFormat) {
    this.#source = source;
    this.#format = format;
    this.#text = format.head;
  }

  async next(): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
    const isLast = !(await this.#fill());
    if (isLast) this.#text += this.#format.end(this.rows);
    return { bytes: this.#taken(), isLast };
  }

  broken(error: unknown): { readonly bytes: Uint8Array; readonly isOver: boolean } {
    const { bytes, isOver } = this.#format.failure(error);
    const before = this.#taken();
    const all = new Uint8Array(before.length + bytes.length);
    all.set(before);
    all.set(bytes, before.length);
    return { bytes: all, isOver };
  }

  stop(): void {
    this.#stopped = true;
    this.#batch = [];
  }

  /** Adds rows until a chunk is full (true) or the source has no more (false). */
  async #fill(): Promise<boolean> {
    for (;;) {
      while (this.#position < this.#batch.length) {
        const row = this.#batch[this.#position];
        if (row === undefined) throw new ResultError("VALUE_MISMATCH", "A batch lacks a row.");
        this.#text += this.#format.row(row, this.rows);
        this.#position++;
        this.rows++;
        if (this.#text.length >= CHUNK_LENGTH) return true;
      }
      if (this.#text.length >= SMALLEST_CHUNK_LENGTH) return true;
      this.#batch = [];
      const next = await this.#source.batches.next();
      if (this.#stopped) return true;
      if (next.done) return false;
      this.#batch = next.value;
      this.#position = 0;
    }
  }

  #taken(): Uint8Array {
    const bytes = this.#utf8.encode(this.#text);
    this.#text = "";
    return bytes;
  }
}
