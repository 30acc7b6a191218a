/** Text formats: converts rows to text, and collects text in chunks. */
import type { Batch, ResultStream, Row } from "../types.ts";
import { type ChunkSource, encodeBytes } from "./byte-stream.ts";
import type { EncodedAnswer, EncodeOptions } from "./encoder.ts";
import type { ByteReader } from "./frames/bytes.ts";
import { FrameBatch } from "./frames/frame-batch.ts";
import { JsonOutput } from "./json-bytes/output.ts";
import type { FrameRowWriter } from "./json-bytes/row-writer.ts";

/**
 * A chunk is sent at this many characters; ASCII text makes chunks of about 64 KiB. Each chunk costs workerd one turn and one
 * write: chunks of half the size were a good part of its work for 1,000 rows.
 */
const CHUNK_LENGTH = 64 * 1024;

/** At the end of a batch, a shorter chunk waits for the next batch: sources with small batches would send tiny chunks. */
const SMALLEST_CHUNK_LENGTH = 16 * 1024;

export interface TextFormat {
  readonly head: string;
  /** `index` counts rows from 0. */
  readonly row: (row: Row, index: number) => string;
  /** Writes rows in frames; without it they are decoded first. */
  readonly frameRows?: () => FrameRowWriter;
  /** Called after the last of `rows` rows. */
  readonly end: (rows: number) => string;
  /** The last bytes after a late failure, and whether they end the answer; otherwise the stream errors after them. */
  readonly failure: (error: unknown) => { readonly bytes: Uint8Array; readonly isOver: boolean };
}

/** See `Encoder.begin` for the contract. */
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
  /** Output of rows in frames; `#text` follows it. */
  #out: JsonOutput | undefined;
  #text: string;
  #frameRows: FrameRowWriter | undefined;
  /** The rows of the current batch: one member for a frame, the other for any other batch. */
  #frame: { readonly values: ByteReader; left: number } | undefined;
  #rows: Iterator<Row> | undefined;
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
    this.#frame = undefined;
    this.#rows = undefined;
  }

  /** Adds rows until a chunk is full (true) or the source has no more (false). */
  async #fill(): Promise<boolean> {
    for (;;) {
      this.#addRows();
      if (this.#length >= SMALLEST_CHUNK_LENGTH) return true;
      const next = await this.#source.batches.next();
      if (this.#stopped) return true;
      if (next.done) return false;
      this.#begin(next.value);
    }
  }

  #begin(batch: Batch): void {
    const { frameRows } = this.#format;
    if (frameRows !== undefined && batch instanceof FrameBatch && batch.isFor(this.#source.columns)) {
      this.#frameRows ??= frameRows();
      this.#frame = { values: batch.values(), left: batch.length };
    } else {
      this.#rows = batch[Symbol.iterator]();
    }
  }

  /** Adds rows of the current batch until the chunk is full. */
  #addRows(): void {
    if (this.#frame !== undefined && this.#frameRows !== undefined) this.#addFrameRows(this.#frame, this.#frameRows);
    for (let step = this.#rows?.next(); step !== undefined; step = this.#rows?.next()) {
      if (step.done) {
        this.#rows = undefined;
        return;
      }
      this.#text += this.#format.row(step.value, this.rows);
      this.rows++;
      if (this.#length >= CHUNK_LENGTH) return;
    }
  }

  #addFrameRows(frame: { readonly values: ByteReader; left: number }, writer: FrameRowWriter): void {
    const out = this.#output();
    let sound = out.length;
    try {
      while (frame.left > 0 && sound < CHUNK_LENGTH) {
        writer.write(frame.values, out, this.rows);
        sound = out.length;
        frame.left--;
        this.rows++;
      }
    } catch (error) {
      // The description of a failure follows complete rows.
      out.truncate(sound);
      throw error;
    }
    if (frame.left === 0) this.#frame = undefined;
  }

  /** The output buffer, after moving the pending text into it. */
  #output(): JsonOutput {
    this.#out ??= new JsonOutput();
    this.#out.text(this.#text);
    this.#text = "";
    return this.#out;
  }

  get #length(): number {
    return this.#text.length + (this.#out?.length ?? 0);
  }

  #taken(): Uint8Array {
    if (this.#out !== undefined && this.#out.length > 0) return this.#output().take();
    const bytes = this.#utf8.encode(this.#text);
    this.#text = "";
    return bytes;
  }
}
