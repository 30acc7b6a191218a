/**
 * `npm run soak:memory` asks `npm start`'s service mixed questions for twenty minutes, `SOAK_MINUTES` for another time, and writes the
 * resident memory of its processes to docs/evidence/memory.md. Four clients ask at once; each asks over a connection of its own, leaves
 * after some questions, and another one takes its place. Ends with 1 when an answer was wrong.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { randomNumbers } from "../api/random.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import { descendantsOf, startService } from "../support/service.ts";
import { FORMATS, type Format, isRight } from "./answers.ts";
import { answerOf } from "./asking.ts";
import { FILES, fillDirectory, fillPostgres, MANIFESTS, manifestOver, QUESTIONS } from "./questions.ts";
import { resident, slopeOf } from "./samples.ts";

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 20);
const CLIENTS = 4;
const QUESTIONS_OF_A_CLIENT = 25;
const SAMPLE_MS = 5_000;
const POINTS = 11;
/** MiB of the processes of workerd together. */
const GOAL = 256;

/** Processes by a part of their command. */
const KINDS = {
  "API and connectors (workerd)": /workerd.*serve|workerd\.capnp/,
  Sidecar: /sidecar\/main\.ts/,
  "DuckDB's processes": /engine-process\/child\.ts/,
  "`npm start` itself, which supervises": /./,
} as const;
type Kind = keyof typeof KINDS;
const [WORKERD] = Object.keys(KINDS) as [Kind];

interface Sample {
  readonly at: number;
  readonly memory: Readonly<Record<Kind, number>>;
}

function sample(service: number, at: number): Sample {
  const memory = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const { pid, command } of [{ pid: service, command: "npm start" }, ...descendantsOf(service)]) {
    const kind =
      (Object.keys(KINDS) as Kind[]).find((each) => KINDS[each].test(command)) ??
      "`npm start` itself, which supervises";
    memory[kind] += resident(pid);
  }
  return { at, memory };
}

const directory = mkdtempSync(join(tmpdir(), "siskin-soak-"));
const server = await startPostgresServer();
const { host, port, user, password } = server;
const client = new pg.Client({ host, port, user, password, database: "postgres", ssl: false });
await client.connect();
await fillDirectory(directory);
await fillPostgres(client);
await client.end();
const service = await startService({ FILE_ROOT: directory, TMPDIR: directory, ALLOWED_HOSTS: "127.0.0.0/8" });

const SOURCES = [
  {
    source: "postgres",
    manifestStr: MANIFESTS.postgres,
    connectionInfo: { host, port, user, password, database: "postgres", kwargs: { sslmode: "disable" } },
  },
  ...Object.entries(FILES).map(([format, file]) => ({
    source: "local_file",
    manifestStr: manifestOver(file),
    connectionInfo: { url: "/", format },
  })),
];
const random = randomNumbers(31);
const began = Date.now();
const isOver = (): boolean => Date.now() - began >= MINUTES * 60_000;
const faults: string[] = [];
const counts = new Map<string, number>();
let clients = 0;

function chosen<T>(of: readonly T[]): T {
  return of[Math.floor(random() * of.length)] as T;
}

async function askAsClient(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  clients++;
  for (let left = QUESTIONS_OF_A_CLIENT; left > 0 && !isOver(); left--) {
    const { source, manifestStr, connectionInfo } = chosen(SOURCES);
    const format = chosen(Object.keys(FORMATS) as Format[]);
    const question = chosen(QUESTIONS);
    const headers = { accept: FORMATS[format], "content-type": "application/json" };
    const body = JSON.stringify({ sql: question.sql, manifestStr, connectionInfo });
    const { status, bytes, broken, wasClosed } = await answerOf(
      `${service.url}/v3/connector/${source}/query`,
      headers,
      body,
      agent,
      undefined,
    );
    // A kept connection that workerd closed before the request was on it.
    if (wasClosed) continue;
    const kind = `${source} ${source === "postgres" ? "" : Object(connectionInfo).format}`.trim();
    if (broken !== undefined || status !== 200)
      faults.push(`${kind} ${format}: ${broken ?? bytes.toString().slice(0, 300)}`);
    else if (!isRight(question, format, bytes)) faults.push(`wrong: ${kind} ${format} ${question.sql}`);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  agent.destroy();
}

async function askInTurn(): Promise<void> {
  while (!isOver()) await askAsClient();
}

const samples: Sample[] = [sample(service.pid, 0)];
async function look(): Promise<void> {
  while (!isOver()) {
    await after(SAMPLE_MS);
    samples.push(sample(service.pid, (Date.now() - began) / 1000));
  }
}

try {
  await Promise.all([...Array.from({ length: CLIENTS }, askInTurn), look()]);
} finally {
  await service.stop();
  await server.stop();
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}

const second = samples.filter(({ at }) => at >= (MINUTES * 60) / 2);
const rows = (Object.keys(KINDS) as Kind[]).map((kind) => {
  const values = second.map(({ memory }) => memory[kind]).sort((a, b) => a - b);
  const points = second.map(({ at, memory }) => ({ at, value: memory[kind] }));
  const growth = slopeOf(points) * MINUTES * 30;
  const median = values[Math.floor(values.length / 2)] ?? 0;
  const most = Math.max(...samples.map(({ memory }) => memory[kind]));
  return { kind, median, most, growth };
});
const shown = Array.from(
  { length: POINTS },
  (_, point) => samples[Math.round((point * (samples.length - 1)) / (POINTS - 1))] as Sample,
);
const workerd = rows.find(({ kind }) => kind === WORKERD)?.median ?? 0;
const page = [
  "# Memory of a running service",
  "",
  "`npm start` under mixed questions whose rows are known, over PostgreSQL and over Parquet, CSV and JSON files, as JSON, NDJSON, CSV and Arrow.",
  `${CLIENTS} clients ask at once without a pause; each leaves after ${QUESTIONS_OF_A_CLIENT} questions, and another one takes its place.`,
  "Every answer is compared with its rows.",
  "",
  `Written by \`SOAK_MINUTES=${MINUTES} npm run soak:memory\` on ${new Date().toISOString().slice(0, 10)}: **${MINUTES} minutes**, ${clients} clients, ${[...counts.values()].reduce((sum, count) => sum + count, 0)} answers, ${faults.length} wrong or failed, Node ${process.versions.node}.`,
  "",
  `Resident memory in MiB, from ${samples.length} samples. Growth is that of the straight line through the second half. The goal for API and connectors is ${GOAL} MiB: **${workerd <= GOAL ? "met" : "not met"}**.`,
  "",
  "| Processes | Median of the second half | Most | Growth |",
  "|---|---|---|---|",
  ...rows.map(({ kind, median, most, growth }) => `| ${kind} | ${median} | ${most} | ${growth.toFixed(1)} |`),
  "",
  `| After seconds | ${shown.map(({ at }) => Math.round(at)).join(" | ")} |`,
  `|---|${"---|".repeat(POINTS)}`,
  ...rows.map(({ kind }) => `| ${kind} | ${shown.map(({ memory }) => memory[kind]).join(" | ")} |`),
  "",
  "| Questions | Answers |",
  "|---|---|",
  ...[...counts].sort().map(([kind, count]) => `| ${kind} | ${count} |`),
  "",
].join("\n");
if (faults.length === 0) writeFileSync(new URL("../../docs/evidence/memory.md", import.meta.url), page);
else console.error(page);
for (const fault of faults.slice(0, 30)) console.error(fault.slice(0, 500));
process.exitCode = faults.length === 0 ? 0 : 1;
