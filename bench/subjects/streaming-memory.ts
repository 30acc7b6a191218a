/** Memory of the Worker, and of the sidecar, while a million rows go through them to a reader that takes its time. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../../test/support/postgres.ts";
import { mebibytes, median, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { type Call, read } from "../rig/http-client.ts";
import { inspect, type Sample, sample } from "../rig/memory.ts";
import { ALL_ROWS, COLUMNS, fillPostgres, ROWS, readingsManifest, writeParquet } from "../rig/readings.ts";
import { type RunningSidecar, startSidecar } from "../rig/sidecar.ts";
import { startWorkerd } from "../rig/workerd.ts";
import type { Run, Section } from "../subject.ts";

const BYTES_PER_SECOND = 20 * 2 ** 20;
const PAUSE_MS = 2_000;
const SAMPLE_MS = 100;
const COLLECT_MS = 1_000;
const HEAP_BUDGET = 64 * 2 ** 20;
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
  /** While garbage was collected before every look. */
  readonly workerLive: readonly Sample[];
  readonly sidecar: readonly Sample[];
  readonly bytes: number;
  readonly seconds: number;
}

export async function streamingMemory(run: Run): Promise<Section> {
  const files = join(run.directory, "files");
  mkdirSync(files);
  await writeParquet(join(files, "readings.parquet"));
  const sidecar = await startSidecar(run, files);
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
  const budget = (from: string, { worker }: Streamed): Section["budgets"][number] => {
    const peak = highest(worker, ({ used }) => used);
    return {
      what: `Heap of the Worker, ${whole(ROWS)} rows × ${COLUMNS} ${from} to a slow reader`,
      target: `< ${mebibytes(HEAP_BUDGET)} MiB`,
      measured: `${mebibytes(peak)} MiB`,
      met: peak < HEAP_BUDGET,
    };
  };
  return {
    title: "Memory while streaming",
    budgets: [budget("from PostgreSQL", postgres), budget("from a Parquet file by the sidecar", localFile)],
    text: [
      `\`POST /v3/connector/…/query\` with \`${ALL_ROWS}\` (${whole(ROWS)} rows × ${COLUMNS} columns), answered as JSON by plain workerd to a reader that takes ${BYTES_PER_SECOND / 2 ** 20} MiB a second and, half-way, nothing at all for ${PAUSE_MS / 1000} s. Every ${SAMPLE_MS} ms the heap is asked for over the inspector (\`Runtime.getHeapUsage\`, garbage included) and the resident size of the process is read from \`/proc\`. *Live* is a second run in which garbage is collected before each look. Every row of the tables is the highest of its stretch of time, *—* when the inspector did not come to answer in it; MiB.`,
      `### From PostgreSQL over a socket\n\n${outcome(postgres)}\n\n${overTime(postgres, false)}`,
      `### From a Parquet file, by DuckDB in the sidecar\n\n${outcome(localFile)}\n\n${overTime(localFile, true)}`,
      "The process of workerd is about 50 MiB before it has a Worker, most of it the program itself. Not shown: several streams at once in one isolate, and Cloudflare's limit of 128 MB, which workerd does not enforce: without it the engine lets garbage lie longer than it would there.",
    ].join("\n\n"),
  };
}

async function stream(run: Run, { source, manifestStr, connectionInfo, sidecar }: Source): Promise<Streamed> {
  const place =
    sidecar === undefined
      ? { ALLOW_PRIVATE_HOSTS: "true" }
      : { SIDECAR_URL: sidecar.url, SIDECAR_SECRET: sidecar.secret };
  const worker = await startWorkerd(
    run,
    [{ name: "main", file: run.bundle.file, variables: { AUTH: "none", ...place } }],
    { inspector: true },
  );
  const url = worker.urls["main"] ?? "";
  const call: Call = {
    url: `${url}/v3/connector/${source}/query`,
    body: JSON.stringify({ sql: ALL_ROWS, manifestStr, connectionInfo }),
  };
  // Fast, to learn the size, and so that nothing of the first request is in the figures.
  const { bytes } = await read(call);
  const isolate = await inspect(worker.inspector ?? "", "main");
  const node = sidecar === undefined ? undefined : await inspect(sidecar.inspector);
  const slowly = { bytesPerSecond: BYTES_PER_SECOND, pauseAt: 0.5, expectedBytes: bytes, pauseMs: PAUSE_MS };
  try {
    const ofWorker = sample(worker.pid, isolate, SAMPLE_MS);
    const ofSidecar = node && sidecar && sample(sidecar.pid, node, SAMPLE_MS);
    const reading = await read(call, slowly);
    const workerSamples = await ofWorker.stop();
    const sidecarSamples = (await ofSidecar?.stop()) ?? [];
    if (!reading.tail.trimEnd().endsWith("}")) throw new Error(`The answer is broken off: …${reading.tail}`);
    const live = sample(worker.pid, isolate, COLLECT_MS, true);
    await read(call, slowly);
    return {
      worker: workerSamples,
      workerLive: await live.stop(),
      sidecar: sidecarSamples,
      bytes: reading.bytes,
      seconds: reading.milliseconds / 1000,
    };
  } finally {
    isolate.close();
    node?.close();
    await worker.stop();
  }
}

function outcome({ bytes, seconds, worker, workerLive }: Streamed): string {
  const peak = highest(worker, ({ used }) => used);
  const live = median(workerLive.map(({ used }) => used));
  return `${mebibytes(bytes)} MiB in ${seconds.toFixed(1)} s. Worker heap: ${mebibytes(peak)} MiB at most with garbage, ${mebibytes(live)} MiB live (the median look).`;
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
