/** Result streams for tests: from rows, with a record of what the reader did to them. */
import { streamOf } from "../../src/result/encode/byte-stream.ts";
import type { EncodeOptions, Encoder } from "../../src/result/encode/encoder.ts";
import type { Batch, Column, LogicalType, ResultStream, Row } from "../../src/result/types.ts";

export interface RecordedStream extends ResultStream {
  /** How often a batch was asked for, the ask that found none left included. */
  readonly pulls: () => number;
  readonly closes: () => number;
}

/** Batches, in order; a function among them is called in its turn, to throw or to make rows late. */
export function resultOf(
  columns: readonly Column[],
  batches: readonly (Batch | (() => Batch | Promise<Batch>))[],
): RecordedStream {
  let pulls = 0;
  let closes = 0;
  let left = [...batches];
  const iterator: AsyncIterableIterator<Batch> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      pulls++;
      const next = left.shift();
      if (next === undefined) return { done: true, value: undefined };
      return { done: false, value: typeof next === "function" ? await next() : next };
    },
    async return() {
      left = [];
      closes++;
      return { done: true, value: undefined };
    },
  };
  return {
    columns,
    batches: iterator,
    async close() {
      left = [];
      closes++;
    },
    pulls: () => pulls,
    closes: () => closes,
  };
}

/** Columns named a, b, c … */
export function columnsOf(...types: readonly LogicalType[]): readonly Column[] {
  return types.map((type, index) => ({ name: String.fromCharCode(97 + index), type }));
}

/** Yields batches of `size` rows without end, made when they are pulled. */
export function manyRows(
  columns: readonly Column[],
  rows: number,
  size: number,
  row: (index: number) => Row,
): RecordedStream {
  const batches: (() => Batch)[] = [];
  for (let from = 0; from < rows; from += size) {
    batches.push(() => Array.from({ length: Math.min(size, rows - from) }, (_, index) => row(from + index)));
  }
  return resultOf(columns, batches);
}

export async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

export async function rowsOf(stream: ResultStream): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of stream.batches) rows.push(...batch);
  return rows;
}

/** The text that arrived and the error that ended it, if one did. */
export async function readUntilError(
  stream: ReadableStream<Uint8Array>,
): Promise<{ readonly text: string; readonly error: unknown }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

/** A small deterministic generator (mulberry32): numbers from 0 to below 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An answer as the stream that a client reads when it is too long to be sent whole. */
export function encode(encoder: Encoder, stream: ResultStream, options: EncodeOptions): ReadableStream<Uint8Array> {
  return streamOf(encoder.begin(stream, options));
}
