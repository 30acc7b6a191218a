/**
 * The frames: the format of canonical results between Worker and sidecar and in the cache
 * (docs/decisions/0027-one-connector-for-both.md, docs/decisions/0032-cache.md).
 *
 * A stream is a sequence of frames `[payload length: u32][type: u8][payload]`, all numbers big-endian:
 *
 * preamble  heartbeat*  columns  (batch | heartbeat)*  end      a result
 * preamble  heartbeat*  report                                  the answer of a dry run or the catalogue, as JSON
 *
 * An `error` frame may replace any frame after the preamble and is then the last one. A stream that stops before `end`, `report`
 * or `error` is broken, and no frame may follow these three.
 */
import { ByteWriter } from "./bytes.ts";

export const FRAME = { preamble: 0, columns: 1, batch: 2, end: 3, error: 4, heartbeat: 5, report: 6 } as const;
export type FrameType = (typeof FRAME)[keyof typeof FRAME];

/** `SISKIN` and the version of the format; a reader rejects any other version. */
export const PREAMBLE: readonly number[] = [0x53, 0x49, 0x53, 0x4b, 0x49, 0x4e, 1];

export const HEADER_BYTES = 5;

/** A reader rejects a frame that announces more, so that a broken or hostile peer cannot make it allocate memory. */
export const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** Batches are cut so that no payload is larger, except where a single row is. */
export const TARGET_PAYLOAD_BYTES = 1024 * 1024;

/** Bounds the rows of a frame where rows take no bytes: PostgreSQL's `SELECT FROM t` has no columns. */
export const MAX_ROWS_PER_FRAME = 65_536;

export type FrameErrorCode =
  /** Not frames, or frames of another version. */
  | "VERSION"
  /** The bytes ended, or the transport failed, before the last frame. */
  | "TRUNCATED"
  /** A frame announces more than `MAX_PAYLOAD_BYTES`. */
  | "TOO_LARGE"
  | "UNKNOWN_TYPE"
  /** A frame at a position where the format does not allow it. */
  | "UNEXPECTED_FRAME"
  /** A payload that does not match the type of its frame. */
  | "CORRUPT"
  /** Bytes after the last frame. */
  | "DATA_AFTER_END"
  /** The count in `end` differs from the number of rows received. */
  | "ROW_COUNT";

/** The stream was not written by our writer, or is incomplete. Messages contain no data of the stream. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly code: FrameErrorCode;

  constructor(code: FrameErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The first frame of every stream. */
export function preambleFrame(): Uint8Array {
  return frame(FRAME.preamble, Uint8Array.from(PREAMBLE));
}

/** Keep-alive; proxies cut connections that are silent for about 100 s. */
export function heartbeatFrame(): Uint8Array {
  return frame(FRAME.heartbeat, new Uint8Array(0));
}

/** The last frame of a result with `rows` rows. */
export function endFrame(rows: number): Uint8Array {
  const payload = new ByteWriter();
  payload.float64(rows);
  return frame(FRAME.end, payload.bytes());
}

/** The last frame of a stream that failed; both ends agree on the meaning of `failure`. */
export function errorFrame(failure: object): Uint8Array {
  return jsonFrame(FRAME.error, failure);
}

/** The complete answer of a call that returns no rows. */
export function reportFrame(report: unknown): Uint8Array {
  return jsonFrame(FRAME.report, report);
}

export function jsonFrame(type: FrameType, value: unknown): Uint8Array {
  return frame(type, new TextEncoder().encode(JSON.stringify(value)));
}

function frame(type: FrameType, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  writeHeader(bytes, type, payload.length);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

export function writeHeader(target: Uint8Array, type: FrameType, payloadBytes: number): void {
  const view = new DataView(target.buffer, target.byteOffset, HEADER_BYTES);
  view.setUint32(0, payloadBytes);
  view.setUint8(4, type);
}
