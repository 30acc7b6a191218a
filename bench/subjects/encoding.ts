/** Speed and memory of the encoders, to a reader that takes what comes and to one that lets others go first after every chunk. */
import { setImmediate } from "node:timers/promises";
import { loadArrowEncoder } from "../../src/result/encode/arrow/arrow.ts";
import { streamOf } from "../../src/result/encode/byte-stream.ts";
import { encoders } from "../../src/result/encode/encoders.ts";
import { readFrames } from "../../src/result/encode/frames/reader.ts";
import { frameStream } from "../../src/result/encode/frames/writer.ts";
import type { Batch, Column, ResultStream, Row } from "../../src/result/types.ts";
import { mebibytes, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import type { Section } from "../subject.ts";

const ROWS = 500_000;
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

const describeFailure = (): object => ({});

export async function encoding(): Promise<Section> {
  await makingRows();
  const making = await makingRows();
  const rows: string[][] = [];
  const measure = async (name: string, encode: () => ReadableStream<Uint8Array>): Promise<void> => {
    const fast = await drain(encode(), false);
    const slow = await drain(encode(), true);
    rows.push([
      name,
      whole(ROWS / (fast.cpu - making)),
      mebibytes(fast.bytes),
      whole(fast.bytes / fast.chunks),
      mebibytes(slow.peakHeap),
      mebibytes(slow.peakLive),
    ]);
  };
  for (const profile of ["modern", "classic"] as const) {
    for (const name of ["json", "ndjson"] as const) {
      await measure(`${name}, ${profile}`, () =>
        streamOf(encoders[name].begin(source(), { profile, describeFailure })),
      );
    }
  }
  const others = { csv: encoders.csv, arrow: await loadArrowEncoder() };
  for (const [name, encoder] of Object.entries(others)) {
    await measure(name, () => streamOf(encoder.begin(source(), { profile: "modern", describeFailure })));
  }
  const frames = (): ReadableStream<Uint8Array> =>
    frameStream({ kind: "result", stream: source() }, { describeFailure });
  await measure("frames", frames);
  rows.push(["frames, written and read again", whole(ROWS / ((await readAgain(frames())) - making)), "", "", "", ""]);
  return {
    title: "Encoding",
    budgets: [],
    text: [
      `${whole(ROWS)} rows × ${columns.length} columns of the common types, made in memory in batches of ${whole(BATCH_ROWS)} and encoded in Node. Rows per second of CPU time (of the whole process, the garbage collector's included), the time it takes to make the rows taken off (${making.toFixed(2)} s). Heap in MiB, with the slow reader, looked at every ${CHUNKS_PER_SAMPLE} chunks: *peak* with garbage, *live* right after a collection.`,
      table(["Encoder", "rows per second", "MiB", "bytes per chunk", "peak heap", "live"], rows),
      "Not shown: sources, networks, workerd.",
    ].join("\n\n"),
  };
}

/** CPU seconds of writing and reading. */
async function readAgain(written: ReadableStream<Uint8Array>): Promise<number> {
  const before = cpuSeconds();
  const answer = await readFrames(written, { revive: (failure) => failure });
  let rows = 0;
  if (answer.kind === "result") for await (const batch of answer.stream.batches) rows += batch.length;
  if (rows !== ROWS) throw new Error(`${rows} rows came back.`);
  return cpuSeconds() - before;
}
