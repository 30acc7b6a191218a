/**
 * Speed and memory of the encoders: 1,000,000 rows × 10 columns of the common types, to a fast reader and to one that
 * lets the event loop turn after every chunk. CPU time of the whole process, garbage collection included; the time it
 * takes to make the rows is measured first and taken off. Says nothing of sources, networks, or workerd.
 *
 *     node --expose-gc --disable-warning=ExperimentalWarning bench/encode.ts [rows]
 */
import { setImmediate } from "node:timers/promises";
import { encoders } from "../src/result/encode/encoders.ts";
import { readFrames } from "../src/result/encode/frames/reader.ts";
import { frameStream } from "../src/result/encode/frames/writer.ts";
import type { Batch, Column, ResultStream, Row } from "../src/result/types.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const BATCH_ROWS = 1_000;
const CHUNKS_PER_SAMPLE = 256;

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

const comments: readonly string[] = [
  "blithely final requests sleep",
  "carefully ironic deposits — slyly",
  'quickly "express" pinto beans',
  "furiously regular accounts among the even packages",
];

function row(index: number): Row {
  return [
    index,
    9_007_199_254_740_993n + BigInt(index),
    `${index % 100_000}.${String(index % 100).padStart(2, "0")}`,
    index / 7,
    index % 3 === 0 ? null : index % 2 === 0,
    `Customer#${String(index).padStart(9, "0")}`,
    comments[index % comments.length] ?? null,
    8_000 + (index % 2_500),
    1_704_153_599_000_000n + BigInt(index) * 1_234_567n,
    1_720_000_000_000_000n + BigInt(index) * 7_654_321n,
  ];
}

function source(): ResultStream {
  async function* batches(): AsyncGenerator<Batch> {
    for (let from = 0; from < ROWS; from += BATCH_ROWS) {
      yield Array.from({ length: Math.min(BATCH_ROWS, ROWS - from) }, (_, index) => row(from + index));
    }
  }
  return { columns, batches: batches(), close: async () => {} };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

interface Figures {
  readonly cpu: number;
  readonly bytes: number;
  readonly chunks: number;
  /** Highest heap seen, garbage included, and highest heap right after a collection. */
  readonly peakHeap: number;
  readonly peakLive: number;
}

async function drain(stream: ReadableStream<Uint8Array>, slow: boolean): Promise<Figures> {
  globalThis.gc?.();
  const before = cpuSeconds();
  const figures = { bytes: 0, chunks: 0, peakHeap: 0, peakLive: 0 };
  for await (const chunk of stream) {
    figures.bytes += chunk.length;
    figures.chunks++;
    if (!slow) continue;
    await setImmediate();
    if (figures.chunks % CHUNKS_PER_SAMPLE !== 0) continue;
    figures.peakHeap = Math.max(figures.peakHeap, process.memoryUsage().heapUsed);
    globalThis.gc?.();
    figures.peakLive = Math.max(figures.peakLive, process.memoryUsage().heapUsed);
  }
  return { cpu: cpuSeconds() - before, ...figures };
}

async function makingRows(): Promise<number> {
  const before = cpuSeconds();
  for await (const batch of source().batches) if (batch.length === 0) throw new Error("An empty batch.");
  return cpuSeconds() - before;
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

function report(name: string, figures: Figures, taken: number, slow: boolean): void {
  const rate = Math.round(ROWS / (figures.cpu - taken) / 1000);
  const size = `${mebibytes(figures.bytes)} MiB in ${figures.chunks} chunks`;
  const heap = `, heap ${mebibytes(figures.peakHeap)} MiB, after collection ${mebibytes(figures.peakLive)} MiB`;
  console.log(`${name}: ${slow ? "" : `${rate}k rows/s, `}${size}${slow ? heap : ""}`);
}

await makingRows();
const rowsTime = await makingRows();
console.log(`node ${process.version}; ${ROWS} rows × ${columns.length} columns take ${rowsTime.toFixed(2)} s to make`);
const describeFailure = (): object => ({});

for (const slow of [false, true]) {
  console.log(slow ? "slow reader" : "fast reader");
  for (const profile of ["modern", "classic"] as const) {
    for (const [name, encoder] of Object.entries(encoders)) {
      const figures = await drain(encoder.encode(source(), { profile, describeFailure }), slow);
      report(`  ${name} ${profile}`, figures, rowsTime, slow);
    }
  }
  report(
    "  frames",
    await drain(frameStream({ kind: "result", stream: source() }, { describeFailure }), slow),
    rowsTime,
    slow,
  );
}

const written = frameStream({ kind: "result", stream: source() }, { describeFailure });
const before = cpuSeconds();
const answer = await readFrames(written, { revive: (failure) => failure });
let rows = 0;
if (answer.kind === "result") for await (const batch of answer.stream.batches) rows += batch.length;
const rate = Math.round(rows / (cpuSeconds() - before - rowsTime) / 1000);
console.log(`frames written and read again: ${rate}k rows/s (${rows} rows)`);
