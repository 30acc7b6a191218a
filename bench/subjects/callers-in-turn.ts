/** Callers in turn: each has an engine of its own, in the files Worker an instance and in the sidecar a process. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { unstable_startWorker } from "wrangler";
import { writeEngineParts } from "../../scripts/service/engine-parts.ts";
import { parseLocalFileConnection } from "../../src/connectors/connection/local-file.ts";
import { nodeSidecar } from "../../src/connectors/node-sidecar/node-sidecar.ts";
import type { FilesAnswer, FilesCall } from "../../test/connectors/duckdb-wasm/worker.ts";
import { startS3Server } from "../../test/support/s3-server.ts";
import { median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { startSidecar } from "../rig/sidecar.ts";
import type { Run, Section } from "../subject.ts";

const ROUNDS = 5;
const CALLS_PER_ROUND = 2;
const CALLERS = 3;
/** In which a spare gets ready. */
const REST_MS = 1500;

const FILE = "numbers.csv";
const CONTENT = "n\n1\n2\n3\n";
const SQL = `SELECT sum(n) AS total FROM "${FILE}"`;

/** One statement of the caller. */
type Ask = (caller: string) => Promise<void>;

const KINDS = {
  same: "one caller, who asked before",
  rested: "a new caller, 1.5 s after another one",
  next: "the same, its next statement",
  first: "a new caller, right after another one",
  turns: `${CALLERS} callers in turn, a statement each`,
} as const;
type Kind = keyof typeof KINDS;

export async function callersInTurn(run: Run): Promise<Section> {
  const places = { "files Worker": await filesWorker(run), sidecar: await sidecar(run) };
  const measured: Record<string, Readonly<Record<Kind, readonly number[]>>> = {};
  for (const [place, ask] of Object.entries(places)) measured[place] = await measure(ask);
  const rows = Object.entries(KINDS).map(([kind, what]) => [
    what,
    ...Object.values(measured).flatMap((times) => {
      const time = median(times[kind as Kind]);
      return [milliseconds(time), (time / median(times.same)).toFixed(1)];
    }),
  ]);
  const heads = Object.keys(places).flatMap((place) => [`${place}, ms`, "of the first row"]);
  return {
    title: "Callers in turn",
    budgets: [],
    text: [
      `An engine's memory never holds data of two callers, so a new caller gets another instance of DuckDB's WASM or another process. One small statement (\`${SQL}\`, ${CONTENT.length} bytes of CSV); medians of ${ROUNDS} rounds, in which the kinds alternate, so their ratios hold where the milliseconds do not. The sidecar has its standard \`DUCKDB_SPARES=2\`.`,
      table(["Who asks", ...heads], rows),
      "A new caller finds a spare where one is ready: the files Worker prepares one after an answer once callers have come in turn, the sidecar after it lent one. Callers who come faster than that wait for a start. More than `DUCKDB_SPARES` callers in turn take each other's kept processes; a larger number keeps one for each. Not shown: the memory of an instance that was given up, which V8 collects when it has gathered some (in workerd on this machine after seven or eight).",
    ].join("\n\n"),
  };
}

async function measure(ask: Ask): Promise<Readonly<Record<Kind, readonly number[]>>> {
  const times: Record<Kind, number[]> = { same: [], rested: [], next: [], first: [], turns: [] };
  const timed = async (kind: Kind, caller: string): Promise<void> => {
    const started = performance.now();
    await ask(caller);
    times[kind].push(performance.now() - started);
  };
  let callers = 0;
  const another = (): string => `caller ${callers++}`;
  // Code that runs for the first time is compiled; owners have come in turn.
  for (let call = 0; call < 2 * CALLS_PER_ROUND; call++) await ask(another());
  for (let round = 0; round < ROUNDS; round++) {
    const steady = another();
    await ask(steady);
    for (let call = 0; call < CALLS_PER_ROUND; call++) await timed("same", steady);
    await after(REST_MS);
    const rested = another();
    await timed("rested", rested);
    await timed("next", rested);
    for (let call = 0; call < CALLS_PER_ROUND; call++) await timed("first", another());
    const several = Array.from({ length: CALLERS }, another);
    for (const caller of several) await ask(caller);
    for (let call = 0; call < CALLS_PER_ROUND; call++) for (const caller of several) await timed("turns", caller);
  }
  return times;
}

async function filesWorker(run: Run): Promise<Ask> {
  const store = await startS3Server();
  run.onEnd(() => store.close());
  store.objects.set(FILE, Buffer.from(CONTENT));
  await writeEngineParts();
  const worker = await unstable_startWorker({
    config: fileURLToPath(new URL("../../test/connectors/duckdb-wasm/wrangler.toml", import.meta.url)),
    dev: {
      // Other processes write the engine's parts, too; a reload would end the requests that run.
      watch: false,
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      logLevel: "none",
    },
  });
  run.onEnd(() => worker.dispose());
  await worker.ready;
  const url = await worker.url;
  await fetch(url);
  const connectionInfo = store.connectionInfo();
  return async (isolation) => {
    const call: FilesCall = { connectionInfo, names: [FILE], sql: SQL, isolation };
    const answer = (await (await fetch(url, { method: "POST", body: JSON.stringify(call) })).json()) as FilesAnswer;
    if (!answer.ok) throw new Error(answer.message);
  };
}

async function sidecar(run: Run): Promise<Ask> {
  const directory = join(run.directory, "files");
  mkdirSync(directory);
  writeFileSync(join(directory, FILE), CONTENT);
  const started = await startSidecar(run, { FILE_ROOT: directory });
  const { info } = parseLocalFileConnection({ url: "/", format: "csv" });
  const open = nodeSidecar({ ...started, connectTimeoutMs: 10_000, fetch });
  const reads = [{ model: "numbers", columns: [], physical: { table: FILE } }];
  const statement = { sql: SQL, columns: [], session: [], reads };
  return async (isolation) => {
    const { signal } = new AbortController();
    const connector = await open(info, { signal, correlationId: "bench" });
    const { batches } = await connector.query(statement, { signal, timeoutMs: 60_000, isolation });
    let rows = 0;
    for await (const batch of batches) rows += batch.length;
    if (rows !== 1) throw new Error(`${rows} rows came.`);
    await connector.close();
  };
}
