/** From frames to a result. */
import { type ByteSource, ChunkReader } from "../../stream/chunk-reader.ts";
import type { Batch, Column } from "../../types.ts";
import { ByteReader } from "./bytes.ts";
import { columnsFromJson } from "./columns.ts";
import { FRAME, FrameError, HEADER_BYTES, MAX_PAYLOAD_BYTES, PREAMBLE } from "./format.ts";
import { checkedBatch } from "./frame-batch.ts";
import { valueCodec } from "./values.ts";
import type { FrameAnswer, RelayedAnswer, ReportAnswer } from "./writer.ts";

export interface ReadFramesOptions {
  /** What to throw for an error frame: the other end's failure, from the JSON its `describeFailure` gave. */
  readonly revive: (failure: unknown) => unknown;
}

/**
 * Reads the answer of a stream of frames. Resolves when the columns, or a report to its end, have arrived; batches are
 * read as they are pulled, and closing the result cancels the stream.
 *
 * @throws FrameError for a stream that is not whole or not ours, here or from a pull; and what `revive` returns. The
 * stream is cancelled in either case.
 */
export function readFrames(
  stream: ReadableStream<Uint8Array> | ByteSource,
  options: ReadFramesOptions,
): Promise<FrameAnswer> {
  return readFrom("getReader" in stream ? new ChunkReader(stream) : stream, options);
}

/** The same of bytes that are all there: a stream around them costs more than reading a short answer. */
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
    const columns = decode(() => columnsFromJson(parseJson(first.payload)));
    const read = batchFrameReader(columns);
    const batches = batchesOf(frames, ({ bytes }) => {
      const batch = read(bytes);
      return { rows: batch.length, batch };
    });
    return { kind: "result", stream: { columns, batches, close: () => frames.close() } };
  });
}

/**
 * The same with the rows left in their frames, for a process that passes an answer on and needs no value of it. That the
 * stream is whole, of this version and has as many rows as it counts is checked all the same; what is inside the frames
 * of columns and rows is not looked at.
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

/** What `read` makes of each frame of rows, and how many it has. */
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
  /** With its header. Nobody writes to these bytes any more. */
  readonly bytes: Uint8Array;
}

const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(FRAME));

/** Cuts a byte stream into frames, whatever its chunks; passes over heartbeats, and turns error frames into errors. */
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
      // The stream had failed already; whoever reads it has been told.
    }
  }

  /** The next frame that is neither heartbeat nor preamble. */
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

  /** Undefined when `close` was called while it waited: the cut is then our own doing. */
  async nextUnlessClosed(): Promise<Frame | undefined> {
    try {
      return await this.next();
    } catch (error) {
      if (this.#closed) return undefined;
      throw error;
    }
  }

  /** What has ended is whole, so a transport that breaks instead of ending does no harm; more bytes would. */
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
    // Checked first, or text of another protocol, read as a length, would be called too large.
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

  /** Adds the next chunk that holds anything; false at the end of the stream. */
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

  /** A chunk is used where it lies until another has to be joined to what is left of it: it has no room for more. */
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

/** Reads a whole payload: what is left over belongs to no value. */
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
