/** Memory of the Worker, and of the sidecar, while a million rows go through them to a reader that takes its time. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "../../test/support/inspector.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { mebibytes, median, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { type Call, type Reading, read } from "../rig/http-client.ts";
import { type Sample, sample } from "../rig/memory.ts";
import { ALL_ROWS, COLUMNS, fillPostgres, ROWS, readingsManifest, writeParquet } from "../rig/readings.ts";
import { type RunningSidecar, startSidecar } from "../rig/sidecar.ts";
import { startWorkerd, type WorkerdOptions } from "../rig/workerd.ts";
import type { Run, Section } from "../subject.ts";

const BYTES_PER_SECOND = 20 * 2 ** 20;
const PAUSE_MS = 2_000;
const SAMPLE_MS = 100;
const COLLECT_MS = 500;
const HEAP_BUDGET_MB = 64;
/** Points in time a table shows. */
const SHOWN = 8;

interface Source {
  readonly source: string;
  readonly manifestStr: string;
  readonly connectionInfo: Readonly<Record<string, string>>;
  /** Where the Worker is to send it; without one it dials the source itself. */
  readonly sidecar?: RunningSidecar;
}

interface Streamed {
  readonly worker: readonly Sample[];
  readonly sidecar: readonly Sample[];
  readonly bytes: number;
  readonly seconds: number;
  /** Heap right after collections, in the middle of them. */
  readonly live: number;
  /** Highest heap when V8 may not use more than the budget; undefined when it did not get to the end. */
  readonly limited: number | undefined;
}

export async function streamingMemory(run: Run): Promise<Section> {
  const files = join(run.directory, "files");
  mkdirSync(files);
  await writeParquet(join(files, "readings.parquet"));
  const sidecar = await startSidecar(run, { FILE_ROOT: files });
  const database = await startPostgres();
  run.onEnd(() => database.stop());
  await fillPostgres(await database.connect());

  const postgres = await stream(run, {
    source: "postgres",
    manifestStr: readingsManifest({ schema: "public", table: "readings" }),
    connectionInfo: { connectionUrl: database.url },
  });
  const localFile = await stream(run, {
    source: "local_file",
    manifestStr: readingsManifest({ table: "readings.parquet" }),
    connectionInfo: { url: "/", format: "parquet" },
    sidecar,
  });
  return {
    title: "Memory while streaming",
    budgets: [...budgets("from PostgreSQL", postgres), ...budgets("from a Parquet file by the sidecar", localFile)],
    text: [
      `\`POST /v3/connector/…/query\` with \`${ALL_ROWS}\` (${whole(ROWS)} rows × ${COLUMNS} columns), answered as JSON by plain workerd to a reader that takes ${BYTES_PER_SECOND / 2 ** 20} MiB a second and, half-way, nothing at all for ${PAUSE_MS / 1000} s. Every ${SAMPLE_MS} ms the heap is asked for over the inspector (\`Runtime.getHeapUsage\`, garbage included) and the resident size of the process is read from \`/proc\`. Every row of the tables is the highest of its stretch of time, *—* when the inspector did not come to answer in it; MiB.`,
      "Two more streams of each: one to a reader that takes what comes, with a collection of garbage before each look (*live*, the middle one), and one to the slow reader with V8 held to a heap of the budget's size: a stream that needs more ends the process.",
      `### From PostgreSQL over a socket\n\n${outcome(postgres)}\n\n${overTime(postgres, false)}`,
      `### From a Parquet file, by DuckDB in the sidecar\n\n${outcome(localFile)}\n\n${overTime(localFile, true)}`,
      "Of workerd's resident size about 50 MiB are the program itself. Not shown: several streams at once in one isolate, and Cloudflare's own limit (128 MB per isolate), which workerd does not enforce: without one, V8 lets garbage lie until it is worth its while, which on a machine of this size can be past the budget with a few MiB alive.",
    ].join("\n\n"),
  };
}

/** Without a bound V8 collects when it sees fit, so that the heap's height says how it is tuned and not what is needed. */
function budgets(from: string, { limited }: Streamed): Section["budgets"] {
  return [
    {
      what: `Heap of the Worker, ${whole(ROWS)} rows × ${COLUMNS} ${from} to a slow reader, V8 held to ${HEAP_BUDGET_MB} MB`,
      target: `gets to the end below ${HEAP_BUDGET_MB} MB`,
      measured: limited === undefined ? "ran out of memory" : `at most ${megabytes(limited)} MB`,
      met: limited !== undefined && limited < HEAP_BUDGET_MB * 1e6,
      reason: "something keeps the rows that have been sent",
    },
  ];
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

async function stream(run: Run, source: Source): Promise<Streamed> {
  const free = await watched(run, source, {}, async ({ call, samples }) => {
    // Fast, to learn the size, and so that nothing of the first request is in the figures.
    const { bytes } = await read(call);
    const { reading, worker, sidecar } = await samples(SAMPLE_MS, false, () => readSlowly(call, bytes));
    const live = await samples(COLLECT_MS, true, () => read(call));
    return {
      worker,
      sidecar,
      bytes,
      seconds: reading.milliseconds / 1000,
      live: median(live.worker.map(({ used }) => used)),
    };
  });
  const limited = await watched(run, source, { maxHeap: HEAP_BUDGET_MB }, async ({ call, samples }) => {
    const { worker } = await samples(SAMPLE_MS, false, () => readSlowly(call, free.bytes));
    return highest(worker, ({ used }) => used);
  }).catch(() => undefined);
  return { ...free, limited };
}

async function readSlowly(call: Call, expectedBytes: number): Promise<Reading> {
  const pace = { bytesPerSecond: BYTES_PER_SECOND, pauseAt: 0.5, expectedBytes, pauseMs: PAUSE_MS };
  const reading = await read(call, pace);
  if (reading.bytes !== expectedBytes) throw new Error(`The answer is broken off: …${reading.tail}`);
  return reading;
}

interface Watch {
  readonly call: Call;
  /** Watches both processes while `work` runs. */
  samples(
    everyMs: number,
    collects: boolean,
    work: () => Promise<Reading>,
  ): Promise<{
    readonly reading: Reading;
    readonly worker: readonly Sample[];
    readonly sidecar: readonly Sample[];
  }>;
}

/** A Worker of its own for `work`, ended afterwards. */
async function watched<T>(
  run: Run,
  { source, manifestStr, connectionInfo, sidecar }: Source,
  options: WorkerdOptions,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  const place =
    sidecar === undefined
      ? { ALLOW_PRIVATE_HOSTS: "true" }
      : { SIDECAR_URL: sidecar.url, SIDECAR_SECRET: sidecar.secret };
  const worker = await startWorkerd(
    run,
    [
      {
        name: "main",
        file: run.bundle.file,
        ...(sidecar === undefined && { connectors: run.bundle.connectors }),
        variables: { AUTH: "none", ...place },
      },
    ],
    { ...options, inspector: true },
  );
  const isolate = await inspect(worker.inspector ?? "", "main");
  const node = sidecar === undefined ? undefined : await inspect(sidecar.inspector);
  try {
    return await work({
      call: {
        url: `${worker.urls["main"]}/v3/connector/${source}/query`,
        body: JSON.stringify({ sql: ALL_ROWS, manifestStr, connectionInfo }),
      },
      async samples(everyMs, collects, streaming) {
        const ofWorker = sample(worker.pid, isolate, everyMs, collects);
        const ofSidecar = node && sidecar && sample(sidecar.pid, node, everyMs, collects);
        const reading = await streaming();
        return { reading, worker: await ofWorker.stop(), sidecar: (await ofSidecar?.stop()) ?? [] };
      },
    });
  } finally {
    isolate.close();
    node?.close();
    await worker.stop();
  }
}

function outcome({ bytes, seconds, worker, live, limited }: Streamed): string {
  const peak = highest(worker, ({ used }) => used);
  const held = limited === undefined ? "ran out of memory" : `at most ${mebibytes(limited)} MiB`;
  return `${mebibytes(bytes)} MiB in ${seconds.toFixed(1)} s. Worker heap: at most ${mebibytes(peak)} MiB with garbage, ${mebibytes(live)} MiB live; with V8 held to ${HEAP_BUDGET_MB} MB ${held}.`;
}

function overTime({ worker, sidecar }: Streamed, both: boolean): string {
  const end = worker.at(-1)?.at ?? 0;
  const rows = Array.from({ length: SHOWN }, (_, index) => {
    const [from, to] = [(end * index) / SHOWN, (end * (index + 1)) / SHOWN];
    const within = (samples: readonly Sample[]): readonly Sample[] =>
      samples.filter(({ at }) => at >= from && at <= to);
    const cells = (samples: readonly Sample[]): readonly string[] =>
      samples.length === 0
        ? ["—", "—", "—"]
        : [
            highest(samples, ({ used }) => used),
            highest(samples, ({ buffers }) => buffers),
            highest(samples, ({ resident }) => resident),
          ].map(mebibytes);
    return [
      `${(from / 1000).toFixed(1)}–${(to / 1000).toFixed(1)}`,
      ...cells(within(worker)),
      ...(both ? cells(within(sidecar)) : []),
    ];
  });
  const head = (of: string): readonly string[] => [`${of} heap`, "buffers", "resident"];
  return table(["Seconds", ...head("Worker"), ...(both ? head("sidecar") : [])], rows);
}

function highest(samples: readonly Sample[], of: (sample: Sample) => number): number {
  return samples.reduce((most, each) => Math.max(most, of(each)), 0);
}
