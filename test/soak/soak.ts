/**
 * The service for a long time under mixed work: queries of PostgreSQL and of files in every format, with the cache and
 * without, callers that go at any moment, statements that run out of their time, a restart of PostgreSQL and one of the
 * sidecar. Every answer is compared with rows that are known, and every failure has to be one that was to be expected.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { randomNumbers } from "../api/random.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { descendantsOf, isRunning } from "../support/service.ts";
import { FORMATS, type Format, isRight } from "./answers.ts";
import { answerOf, type Leaving } from "./asking.ts";
import { liveHeaps } from "./heaps.ts";
import { ENDLESS, fillDirectory, fillPostgres, MANIFESTS, QUESTIONS, type Question, type Source } from "./questions.ts";
import { connectionsIn, isLongEnough, MEASURES, type Measure, type Sample, sampleOf, trendOf } from "./samples.ts";
import { type SoakedService, startSoakedService } from "./service.ts";

export interface SoakOptions {
  /** How far it is, from 0 to 1, after so many requests and milliseconds; at 1 it ends. */
  readonly progress: (requests: number, milliseconds: number) => number;
  readonly callers: number;
  readonly sampleMs: number;
  readonly seed: number;
}

/** Events of the time, and the failures that they excuse. */
export interface Window {
  readonly name: string;
  readonly began: number;
  ended: number;
  /** Reasons that requests may fail with that ran while it lasted. */
  readonly reasons: ReadonlySet<string>;
}

export interface SoakReport {
  /** `postgres json` → how often it was right. */
  readonly right: ReadonlyMap<string, number>;
  readonly hits: number;
  readonly left: number;
  readonly timeOuts: number;
  /** Requests that met a connection which was closed meanwhile, never reached the service, and were sent again. */
  readonly closed: number;
  /** By what was going on, how often a request failed with which reason. */
  readonly excused: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly windows: readonly Window[];
  readonly samples: readonly Sample[];
  readonly milliseconds: readonly number[];
  readonly faults: readonly string[];
}

/** The sidecar is away, or says that it goes; what it was doing may be cut. */
const WITHOUT_SIDECAR = ["SIDECAR_UNREACHABLE", "SIDECAR_REFUSED", "UPSTREAM_PROTOCOL"];
/** The source is away, refuses logins while it starts or stops, or ends what it was doing. */
const WITHOUT_POSTGRES = ["HOST_UNREACHABLE", "OVERLOADED", "UPSTREAM_PROTOCOL"];
/** Requests that begin shortly after may still get what broke. */
const AFTERMATH_MS = 2000;
const PAUSE_MS = 200;
const LOOKS_PER_HEAP = 8;
const ASKED_TIME_SECONDS = 1;
/** Statements of callers that left without a word end with this. */
const STATEMENT_MS = 15_000;

/** Lines of `npm run serve` about the restart, and of workerd about callers that left: nobody took their answer. */
const EXPECTED = /^The sidecar has ended \(code 0\) and is started again|disconnected: write\(\)/;
/** Long enough that callers wait for a place instead of being refused: what is tested is what runs. */
const SETTINGS = {
  AUTH: "none",
  CACHE_STORE: "memory",
  CACHE_MEMORY_BYTES: "8388608",
  CACHE_TTL_SECONDS: "60",
  ALLOWED_HOSTS: "127.0.0.0/8",
  STATEMENT_TIMEOUT_MS: String(STATEMENT_MS),
  CONNECT_TIMEOUT_MS: "60000",
  POOL_WAIT_MS: "60000",
  PLACE_WAIT_MS: "60000",
  DUCKDB_STATEMENTS: "4",
  DUCKDB_MEMORY: "256MB",
};

interface Asked {
  readonly question: Question;
  readonly source: Source;
  readonly format: Format;
  readonly isCached: boolean;
  readonly leaves?: Leaving;
  /** Over a connection of its own, because the kept one was closed. */
  readonly isAgain?: boolean;
}

interface Failed {
  readonly asked: Asked;
  readonly id: string;
  readonly began: number;
  readonly ended: number;
  /** 0 where the connection broke before an answer began. */
  readonly status: number;
  /** The code in the body; after the status has gone out the body has no room for it. */
  readonly errorCode: string | undefined;
  readonly reason: string | undefined;
  readonly message: string;
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-soak-"));
  const server = await startPostgresServer();
  try {
    await fillDirectory(directory);
    const client = await watcherOf(server);
    await fillPostgres(client);
    await client.end();
    const service = await startSoakedService({ ...SETTINGS, FILE_ROOT: directory, TMPDIR: directory });
    try {
      return await run(options, server, service);
    } finally {
      await service.stop();
    }
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function watcherOf({ host, port, user, password }: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, password, database: "postgres", ssl: false });
  // A restart ends it.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function run(options: SoakOptions, server: PostgresServer, service: SoakedService): Promise<SoakReport> {
  const random = randomNumbers(options.seed);
  // workerd ends connections that are idle for 5 s, as docs/reference/operations.md tells clients.
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: 30_000 });
  const { host, port, user, password } = server;
  const connections: Readonly<Record<Source, object>> = {
    postgres: { host, port, user, password, database: "postgres", kwargs: { sslmode: "disable" } },
    local_file: { url: "/", format: "parquet" },
  };
  const began = Date.now();
  const right = new Map<string, number>();
  const failures: Failed[] = [];
  const windows: Window[] = [];
  const samples: Sample[] = [];
  const milliseconds: number[] = [];
  const faults: string[] = [];
  const closed: string[] = [];
  let requests = 0;
  let hits = 0;
  let left = 0;
  const progress = (): number => options.progress(requests, Date.now() - began);

  async function ask(asked: Asked): Promise<void> {
    const { question, source, format, isCached, leaves } = asked;
    const id = randomUUID();
    const started = Date.now();
    const body = JSON.stringify({
      sql: question.sql,
      manifestStr: MANIFESTS[source],
      connectionInfo: connections[source],
    });
    const path = `/v3/connector/${source}/query${isCached ? "?cacheEnable=true" : ""}`;
    const headers = {
      accept: FORMATS[format],
      "content-type": "application/json",
      "x-correlation-id": id,
      ...(question === ENDLESS && { "x-wren-db-statement_timeout": String(ASKED_TIME_SECONDS) }),
    };
    const by = asked.isAgain ? false : agent;
    const { status, bytes, hit, broken, wasClosed, gone } = await answerOf(
      `${service.url}${path}`,
      headers,
      body,
      by,
      leaves,
    );
    if (wasClosed && !gone) {
      closed.push(id);
      return ask({ ...asked, isAgain: true });
    }
    requests++;
    if (gone) {
      left++;
      return;
    }
    const failed = (message: string, told: Told = {}): void =>
      void failures.push({
        asked,
        id,
        began: started,
        ended: Date.now(),
        status,
        errorCode: told.errorCode,
        reason: told.metadata?.reason,
        message,
      });
    if (broken !== undefined) return failed(broken);
    if (status !== 200) return failed(bytes.toString().slice(0, 300), toldBy(bytes));
    milliseconds.push(Date.now() - started);
    if (hit) hits++;
    try {
      if (question === ENDLESS) faults.push(`answered without an end: ${source}`);
      else if (!isRight(question, format, bytes)) faults.push(`wrong: ${source} ${format} ${question.sql}`);
      right.set(`${source} ${format}`, (right.get(`${source} ${format}`) ?? 0) + 1);
    } catch (error) {
      // NDJSON tells in its last line why it ends.
      failed(`${format}: ${error}`);
    }
  }

  async function call(): Promise<void> {
    while (progress() < 1) {
      const chosen = random();
      const question = chosen < 0.02 ? ENDLESS : (QUESTIONS[Math.floor(random() * QUESTIONS.length)] ?? ENDLESS);
      const formats = Object.keys(FORMATS) as Format[];
      const format = formats[Math.floor(random() * formats.length)] ?? "json";
      const leaves = { after: random() * 200, by: random() < 0.5 ? "reset" : "end" } as const;
      const failed = failures.length;
      await ask({
        question,
        source: random() < 0.75 ? "postgres" : "local_file",
        format,
        isCached: random() < 0.4,
        ...(chosen > 0.95 && { leaves }),
      });
      // A refused caller waits a little, as clients do.
      if (failures.length > failed) await after(PAUSE_MS);
    }
  }

  async function during(name: string, reasons: readonly string[], work: () => Promise<void>): Promise<void> {
    const window: Window = { name, began: Date.now(), ended: Number.POSITIVE_INFINITY, reasons: new Set(reasons) };
    windows.push(window);
    await work();
    window.ended = Date.now() + AFTERMATH_MS;
  }

  async function disturb(): Promise<void> {
    while (progress() < 0.2) await after(50);
    await during("PostgreSQL restarts", WITHOUT_POSTGRES, () => server.restart());
    while (progress() < 0.35) await after(50);
    await during("The sidecar restarts", WITHOUT_SIDECAR, () => service.restartSidecar());
  }

  async function look(): Promise<void> {
    let watcher = await watcherOf(server);
    for (let looks = 0; progress() < 1; looks++) {
      await after(options.sampleMs);
      // The other looks see what the engines do by themselves.
      const live = looks % LOOKS_PER_HEAP === 0 ? await liveHeaps(service).catch(() => undefined) : undefined;
      try {
        const seen = sampleOf(service.pid, (Date.now() - began) / 1000, await connectionsIn(watcher));
        samples.push({ ...seen, ...live });
      } catch {
        // It restarts.
        watcher = await watcherOf(server).catch(() => watcher);
      }
    }
    await watcher.end().catch(() => {});
  }

  await Promise.all([...Array.from({ length: options.callers }, call), disturb(), look()]);
  agent.destroy();
  const judged = judge(failures, windows, service.reasons);
  faults.push(
    ...judged.faults,
    ...closed.filter((id) => service.logged.has(id)).map((id) => `broke off without an answer: ${id}`),
    ...service.complaints.filter((line) => !EXPECTED.test(line)),
    ...(await leftovers(server, service)),
  );
  for (const measure of isLongEnough(samples) ? (Object.keys(MEASURES) as Measure[]) : []) {
    const { growth, bound } = trendOf(samples, measure);
    if (growth > bound) faults.push(`${MEASURES[measure].title} grew by ${growth.toFixed(1)}, more than ${bound}`);
  }
  const { timeOuts, excused } = judged;
  return { right, hits, left, timeOuts, closed: closed.length, excused, windows, samples, milliseconds, faults };
}

interface Told {
  readonly errorCode?: string;
  readonly metadata?: { readonly reason?: string };
}

function toldBy(bytes: Buffer): Told {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return {};
  }
}

type Judgement = Pick<SoakReport, "timeOuts" | "excused" | "faults">;

/** A time-out that was asked for is right; anything else needs a window that excuses it. */
function judge(
  failures: readonly Failed[],
  windows: readonly Window[],
  reasons: ReadonlyMap<string, string>,
): Judgement {
  const excused = new Map<string, Map<string, number>>();
  const faults: string[] = [];
  let timeOuts = 0;
  for (const { asked, id, began, ended, status, errorCode, message, ...told } of failures) {
    const reason = (status === 200 ? reasons.get(id) : told.reason) ?? "untyped";
    if (asked.question === ENDLESS && reason === "STATEMENT_TIMEOUT" && errorCode === "DATABASE_TIMEOUT") {
      timeOuts++;
      continue;
    }
    const window = windows.find((each) => began <= each.ended && ended >= each.began && each.reasons.has(reason));
    if (window === undefined || (status !== 200 && errorCode === undefined)) {
      const { source, format, question } = asked;
      faults.push(
        `${new Date(ended).toISOString()} ${source} ${format} ${question.sql}: ${status} ${reason} ${message}`,
      );
      continue;
    }
    const counts = excused.get(window.name) ?? new Map<string, number>();
    excused.set(window.name, counts.set(reason, (counts.get(reason) ?? 0) + 1));
  }
  return { timeOuts, excused, faults };
}

/** Statements that still run on PostgreSQL when their time is over, and what is left of the service when it has ended. */
async function leftovers(server: PostgresServer, service: SoakedService): Promise<readonly string[]> {
  const watcher = await watcherOf(server);
  const found: string[] = [];
  const running = async (): Promise<number> => {
    const { rows } = await watcher.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
    );
    return rows[0].n as number;
  };
  const until = Date.now() + 2 * STATEMENT_MS;
  while ((await running()) > 0 && Date.now() < until) await after(100);
  if ((await running()) > 0) found.push(`${await running()} statements still run on PostgreSQL`);
  const family = descendantsOf(service.pid);
  await service.stop();
  for (let patience = 50; patience > 0 && (await connectionsIn(watcher)) > 0; patience--) await after(100);
  if ((await connectionsIn(watcher)) > 0) found.push("connections to PostgreSQL outlive the service");
  found.push(...family.filter(({ pid }) => isRunning(pid)).map(({ command }) => `outlives the service: ${command}`));
  await watcher.end();
  return found;
}
