/** Reads a result from frames. */
import { type ByteSource, ChunkReader } from "../../stream/chunk-reader.ts";
import type { Batch, Column } from "../../types.ts";
import { ByteReader } from "./bytes.ts";
import { columnsFromJson, warningsFromJson } from "./columns.ts";
import { FRAME, FrameError, HEADER_BYTES, MAX_PAYLOAD_BYTES, PREAMBLE } from "./format.ts";
import { checkedBatch } from "./frame-batch.ts";
import { valueCodec } from "./values.ts";
import type { FrameAnswer, RelayedAnswer, ReportAnswer } from "./writer.ts";

export interface ReadFramesOptions {
  /** Converts an error frame, written by the other end's `describeFailure`, into the value to throw. */
  readonly revive: (failure: unknown) => unknown;
}

/**
 * Reads a stream of frames. Resolves when the columns, or a complete report, have arrived. Batches are read as they are pulled,
 * and closing the result cancels the stream.
 *
 * @throws FrameError, here or from a pull, for a stream that is incomplete or was not written by our writer; and the value that
 * `revive` returns. The stream is cancelled in either case.
 */
export function readFrames(
  stream: ReadableStream<Uint8Array> | ByteSource,
  options: ReadFramesOptions,
): Promise<FrameAnswer> {
  return readFrom("getReader" in stream ? new ChunkReader(stream) : stream, options);
}

/** `readFrames` for bytes in memory: a stream around them costs more than reading a short answer. */
export function readFrameBytes(bytes: Uint8Array, options: ReadFramesOptions): Promise<FrameAnswer> {
  let left: Uint8Array | undefined = bytes;
  const read = async (): Promise<Uint8Array | undefined> => {
    const chunk = left;
    left = undefined;
    return chunk;
  };
  return readFrom({ read, cancel: async () => undefined }, options);
}

function readFrom(chunks: ByteSource, options: ReadFramesOptions): Promise<FrameAnswer> {
  return answerOf(chunks, options, (frames, first) => {
    const [columns, warnings] = decode(() => {
      const json = parseJson(first.payload);
      return [columnsFromJson(json), warningsFromJson(json)] as const;
    });
    const read = batchFrameReader(columns);
    const batches = batchesOf(frames, ({ bytes }) => {
      const batch = read(bytes);
      return { rows: batch.length, batch };
    });
    return { kind: "result", stream: { columns, warnings, batches, close: () => frames.close() } };
  });
}

/**
 * `readFrames` that leaves the rows in their frames, for a process that forwards an answer and needs no value of it. It still
 * checks that the stream is complete, has this version and contains as many rows as it counts. It does not check the contents of
 * the frames of columns and rows.
 */
export function relayFrames(
  stream: ReadableStream<Uint8Array>,
  options: ReadFramesOptions,
): Promise<RelayedAnswer | ReportAnswer> {
  return answerOf(new ChunkReader(stream), options, (frames, first) => {
    const batches = batchesOf(frames, ({ payload, bytes }) => {
      const rows = new ByteReader(payload).uint32();
      return { rows, batch: { frame: bytes, rows } };
    });
    return { kind: "relayed", stream: { columns: first.bytes, batches, close: () => frames.close() } };
  });
}

async function answerOf<Result>(
  chunks: ByteSource,
  options: ReadFramesOptions,
  resultOf: (frames: FrameSource, first: Frame) => Result,
): Promise<Result | ReportAnswer> {
  const frames = new FrameSource(chunks, options);
  try {
    const first = await frames.next();
    switch (first.type) {
      case FRAME.columns:
        return resultOf(frames, first);
      case FRAME.report: {
        const report = decode(() => parseJson(first.payload));
        await frames.expectEnd();
        return { kind: "report", report };
      }
      default:
        throw new FrameError("UNEXPECTED_FRAME", "Rows or an end came before the columns.");
    }
  } catch (error) {
    await frames.close();
    throw error;
  }
}

/** Reads each frame of rows with `read`, and counts the rows. */
async function* batchesOf<B>(
  frames: FrameSource,
  read: (frame: Frame) => { readonly rows: number; readonly batch: B },
): AsyncGenerator<B, void, void> {
  let rows = 0;
  try {
    for (;;) {
      if (frames.closed) return;
      const frame = await frames.nextUnlessClosed();
      if (frame === undefined) return;
      switch (frame.type) {
        case FRAME.batch: {
          const next = decode(() => read(frame));
          rows += next.rows;
          yield next.batch;
          break;
        }
        case FRAME.end: {
          const counted = decode(() => whole(frame.payload, (bytes) => bytes.float64()));
          if (counted !== rows) throw new FrameError("ROW_COUNT", `${rows} rows arrived of ${counted} sent.`);
          await frames.expectEnd();
          return;
        }
        default:
          throw new FrameError("UNEXPECTED_FRAME", "Columns or a report came among the rows.");
      }
    }
  } finally {
    await frames.close();
  }
}

/** Reads single frames of rows with these columns. */
export function batchFrameReader(columns: readonly Column[]): (frame: Uint8Array) => Batch {
  const codecs = columns.map((column) => valueCodec(column.type, column.name));
  return (frame) => checkedBatch(columns, codecs, frame);
}

interface Frame {
  readonly type: number;
  readonly payload: Uint8Array;
  /** With its header. The bytes are never written again. */
  readonly bytes: Uint8Array;
}

const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(FRAME));

/** Splits a byte stream into frames, skips heartbeats, and throws error frames as errors. */
class FrameSource {
  readonly #reader: ByteSource;
  readonly #revive: (failure: unknown) => unknown;
  #buffer: Uint8Array = new Uint8Array(0);
  #from = 0;
  #to = 0;
  #greeted = false;
  #closed = false;

  constructor(chunks: ByteSource, options: ReadFramesOptions) {
    this.#reader = chunks;
    this.#revive = options.revive;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#buffer = new Uint8Array(0);
    this.#from = 0;
    this.#to = 0;
    try {
      await this.#reader.cancel();
    } catch {
      // The stream has already failed; its reader has the error.
    }
  }

  /** The next frame except heartbeats and the preamble. */
  async next(): Promise<Frame> {
    for (;;) {
      const frame = await this.#nextFrame();
      if (!this.#greeted) {
        if (!isPreamble(frame)) throw new FrameError("VERSION", "Not frames of this version.");
        this.#greeted = true;
        continue;
      }
      if (!KNOWN_TYPES.has(frame.type)) throw new FrameError("UNKNOWN_TYPE", `Frame type ${frame.type} is unknown.`);
      if (frame.type === FRAME.preamble) throw new FrameError("UNEXPECTED_FRAME", "A second preamble.");
      if (frame.type === FRAME.error) throw this.#revive(decode(() => parseJson(frame.payload)));
      if (frame.type !== FRAME.heartbeat) return frame;
      if (frame.payload.length > 0) throw new FrameError("CORRUPT", "A heartbeat carries nothing.");
    }
  }

  /** Undefined when `close` was called during the wait: the truncation is then intended. */
  async nextUnlessClosed(): Promise<Frame | undefined> {
    try {
      return await this.next();
    } catch (error) {
      if (this.#closed) return undefined;
      throw error;
    }
  }

  /** The answer is complete, so a transport that breaks after it is ignored; further bytes are an error. */
  async expectEnd(): Promise<void> {
    let more = this.#to > this.#from;
    try {
      more ||= await this.#more();
    } catch {
      return;
    }
    if (more) throw new FrameError("DATA_AFTER_END", "Bytes follow the last frame.");
  }

  async #nextFrame(): Promise<Frame> {
    await this.#fill(HEADER_BYTES);
    const header = new DataView(this.#buffer.buffer, this.#buffer.byteOffset + this.#from, HEADER_BYTES);
    const length = header.getUint32(0);
    const type = header.getUint8(4);
    // Checked first: otherwise text of another protocol, read as a length, would be reported as too large.
    if (!this.#greeted && length !== PREAMBLE.length) throw new FrameError("VERSION", "Not frames of this version.");
    if (length > MAX_PAYLOAD_BYTES) throw new FrameError("TOO_LARGE", "A frame is larger than frames may be.");
    await this.#fill(HEADER_BYTES + length);
    const bytes = this.#buffer.subarray(this.#from, this.#from + HEADER_BYTES + length);
    this.#from += bytes.length;
    return { type, payload: bytes.subarray(HEADER_BYTES), bytes };
  }

  async #fill(bytes: number): Promise<void> {
    while (this.#to - this.#from < bytes) {
      if (!(await this.#more())) throw new FrameError("TRUNCATED", "The stream ended before its last frame.");
    }
  }

  /** Adds the next chunk that is not empty; false at the end of the stream. */
  async #more(): Promise<boolean> {
    for (;;) {
      const chunk = await this.#read();
      if (chunk === undefined) return false;
      if (chunk.length === 0) continue;
      this.#append(chunk);
      return true;
    }
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return await this.#reader.read();
    } catch (error) {
      throw new FrameError("TRUNCATED", "The stream broke before its last frame.", error);
    }
  }

  /** Uses a chunk in place until another must be joined to the rest of it: the chunk has no spare capacity. */
  #append(chunk: Uint8Array): void {
    const held = this.#to - this.#from;
    if (held === 0) {
      this.#buffer = chunk;
      this.#from = 0;
      this.#to = chunk.length;
      return;
    }
    if (this.#to + chunk.length > this.#buffer.length) {
      const joined = new Uint8Array(Math.max(held + chunk.length, held * 2));
      joined.set(this.#buffer.subarray(this.#from, this.#to));
      this.#buffer = joined;
      this.#from = 0;
      this.#to = held;
    }
    this.#buffer.set(chunk, this.#to);
    this.#to += chunk.length;
  }
}

function isPreamble(frame: Frame): boolean {
  return frame.type === FRAME.preamble && PREAMBLE.every((byte, index) => frame.payload[index] === byte);
}

function parseJson(payload: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(payload));
}

/** Reads a whole payload; bytes left over are an error. */
function whole<T>(payload: Uint8Array, read: (bytes: ByteReader) => T): T {
  const bytes = new ByteReader(payload);
  const result = read(bytes);
  if (bytes.remaining > 0) throw new RangeError("More bytes than the payload needs.");
  return result;
}

function decode<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new FrameError("CORRUPT", "A frame's payload cannot be read.", error);
  }
}
