/**
 * Encoding speed and memory of the text formats and of frames: 1,000,000 rows × 10 columns of the common types.
 *
 *   node --expose-gc bench/encode.ts [rows]
 */
import { setImmediate } from "node:timers/promises";
import { encoders } from "../src/result/encode/encoders.ts";
import type { Batch, Column, ResultStream, Row } from "../src/result/types.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const BATCH_ROWS = 1_000;

const columns: readonly Column[] = [
  { name: "id", type: { kind: "int32" } },
  { name: "big", type: { kind: "int64" } },
  { name: "price", type: { kind: "decimal", precision: 15, scale: 2 } },
  { name: "ratio", type: { kind: "float64" } },
  { name: "flag", type: { kind: "boolean" } },
  { name: "name", type: { kind: "string" } },
  { name: "comment", type: { kind: "string" } },
  { name: "day", type: { kind: "date" } },
  { name: "at", type: { kind: "timestamp", unit: "us", zone: undefined } },
  { name: "seen", type: { kind: "timestamp", unit: "us", zone: "UTC" } },
];

function row(index: number): Row {
  return [
    index,
    9_007_199_254_740_993n + BigInt(index),
    `${index % 100_000}.${String(index % 100).padStart(2, "0")}`,
    index / 7,
    index % 3 === 0 ? null : index % 2 === 0,
    `Customer#${String(index).padStart(9, "0")}`,
    'blithely final "requests" sleep — slyly',
    8_000 + (index % 2_500),
    1_704_153_599_000_000n + BigInt(index) * 1_234_567n,
    1_720_000_000_000_000n + BigInt(index) * 7_654_321n,
  ];
}

function source(rows: number): ResultStream {
  async function* batches(): AsyncGenerator<Batch> {
    for (let from = 0; from < rows; from += BATCH_ROWS) {
      const batch: Row[] = [];
      for (let index = from; index < Math.min(rows, from + BATCH_ROWS); index++) batch.push(row(index));
      yield batch;
    }
  }
  return { columns, batches: batches(), close: async () => {} };
}

interface Figures {
  readonly seconds: number;
  readonly bytes: number;
  readonly chunks: number;
  readonly peakHeap: number;
}

/** Reads a stream to its end; a slow reader lets the event loop turn after every chunk and samples the heap. */
async function read(stream: ReadableStream<Uint8Array>, slow: boolean): Promise<Figures> {
  const started = performance.now();
  let bytes = 0;
  let chunks = 0;
  let peakHeap = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    chunks++;
    if (slow) {
      await setImmediate();
      if (chunks % 64 === 0) peakHeap = Math.max(peakHeap, process.memoryUsage().heapUsed);
    }
  }
  return { seconds: (performance.now() - started) / 1000, bytes, chunks, peakHeap };
}

async function generation(): Promise<number> {
  const started = performance.now();
  for await (const batch of source(ROWS).batches) if (batch.length === 0) throw new Error("An empty batch.");
  return (performance.now() - started) / 1000;
}

const base = await generation();
console.log(
  `node ${process.version}, ${ROWS} rows × ${columns.length} columns; making the rows takes ${base.toFixed(2)} s`,
);
const options = { describeFailure: () => ({}) };
for (const profile of ["modern", "classic"] as const) {
  for (const [name, encoder] of Object.entries(encoders)) {
    for (const slow of [false, true]) {
      globalThis.gc?.();
      const figures = await read(encoder.encode(source(ROWS), { ...options, profile }), slow);
      const net = figures.seconds - base;
      console.log(
        `${name} ${profile}${slow ? " slow reader" : ""}: ${figures.seconds.toFixed(2)} s, ` +
          `${Math.round(ROWS / net / 1000)}k rows/s without making them, ${(figures.bytes / 2 ** 20).toFixed(0)} MiB in ` +
          `${figures.chunks} chunks${slow ? `, peak heap ${(figures.peakHeap / 2 ** 20).toFixed(1)} MiB` : ""}`,
      );
    }
  }
}
