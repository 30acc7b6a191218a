/** Frames by hand, and byte streams cut where a test wants them cut. */
import { FRAME } from "../../../../src/result/encode/frames/format.ts";

export function frame(type: number, payload: Uint8Array | string = new Uint8Array(0)): Uint8Array {
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const whole = new Uint8Array(5 + bytes.length);
  new DataView(whole.buffer).setUint32(0, bytes.length);
  whole[4] = type;
  whole.set(bytes, 5);
  return whole;
}

export const PREAMBLE_FRAME = frame(FRAME.preamble, "SISKIN\u0001");

/** One column `a` of int32. */
export const COLUMNS_FRAME = frame(FRAME.columns, '{"columns":[{"name":"a","type":{"kind":"int32"}}]}');

/** Rows of one int32 each. */
export function int32Batch(...values: readonly number[]): Uint8Array {
  const payload = new DataView(new ArrayBuffer(4 + values.length * 5));
  payload.setUint32(0, values.length);
  values.forEach((value, index) => {
    payload.setUint8(4 + index * 5, 1);
    payload.setInt32(5 + index * 5, value);
  });
  return frame(FRAME.batch, new Uint8Array(payload.buffer));
}

export function endOf(rows: number): Uint8Array {
  const payload = new DataView(new ArrayBuffer(8));
  payload.setFloat64(0, rows);
  return frame(FRAME.end, new Uint8Array(payload.buffer));
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The bytes in chunks of the lengths that `next` gives; empty chunks included. */
export function chunked(bytes: Uint8Array, next: () => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const length = Math.min(next(), bytes.length - from);
    chunks.push(bytes.slice(from, from + length));
    from += length;
  }
  return chunks;
}

export interface RecordedBytes {
  readonly stream: ReadableStream<Uint8Array>;
  readonly pulls: () => number;
  readonly cancels: () => number;
}

/** Chunks given one by one as they are asked for; a function in their place may throw or wait. */
export function bytesOf(chunks: readonly (Uint8Array | (() => Promise<Uint8Array> | Uint8Array))[]): RecordedBytes {
  let pulls = 0;
  let cancels = 0;
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pulls++;
        const next = left.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(typeof next === "function" ? await next() : next);
      },
      cancel() {
        cancels++;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, pulls: () => pulls, cancels: () => cancels };
}

export async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The types of the frames in some bytes. */
export function frameTypes(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const types: number[] = [];
  for (let at = 0; at < bytes.length; at += 5 + view.getUint32(at)) types.push(view.getUint8(at + 4));
  return types;
}
