/** The sidecar's process: settings → sources → server. Wiring only. */
import { mkdirSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { CacheStore } from "../src/cache/store.ts";
import { WRONG_SETTINGS } from "../src/config/exit-code.ts";
import { readSidecarSettings, type SidecarSettings } from "../src/config.ts";
import { FooterCache } from "../src/connectors/files/parquet/footer-cache.ts";
import { faultOf } from "../src/guard/request-log.ts";
import { machinesAwsCredentials } from "./aws-credentials.ts";
import { type FileRoot, openFileRoot } from "./duckdb/file-root.ts";
import { EnginePool } from "./engine-process/engine-pool.ts";
import { gathered, logEvent } from "./log.ts";
import { listenForMetrics } from "./metrics/listen.ts";
import { measureEngines, measurePool, sidecarMetrics } from "./metrics/sidecar-metrics.ts";
import { ByteBudget } from "./object-files/byte-budget.ts";
import { Pool } from "./pool.ts";
import { privateDirectory } from "./private-directory.ts";
import { createSidecarServer, type SidecarServer } from "./server.ts";
import { Slots } from "./slots.ts";
import { sidecarSources } from "./sources.ts";

const { log, flush } = gathered((text) => void process.stdout.write(text));
// A closed log reader is no reason to stop serving.
process.stdout.on("error", () => undefined);

/** Removes engine files that must not outlive the process; idempotent. */
let leaveNothing = (): void => undefined;
process.once("exit", () => {
  flush();
  leaveNothing();
});

/** Ends the process with one sentence that names the fix. */
function refuse(sentence: string): never {
  process.stderr.write(`The sidecar does not start: ${sentence}\n`);
  process.exit(WRONG_SETTINGS);
}

/** Footers of some thousand files of a common width. */
const FOOTER_CACHE_BYTES = 16 * 1024 * 1024;

const outcome = readSidecarSettings(process.env);
if (!outcome.ok) refuse(`${outcome.problems.join("; ")}.`);
const { settings } = outcome;

const engines = await enginePool(settings);
const pool = connectionPool(settings);
const cache = await cacheStore(settings);
const { metrics, requests } = sidecarMetrics();
if (settings.FILE_ROOT !== undefined) measureEngines(metrics, engines.pool);
if (pool !== undefined) measurePool(metrics, pool);
const sidecar = createSidecarServer({
  secrets: [settings.SIDECAR_SECRET, settings.SIDECAR_SECRET_PREVIOUS].filter((secret) => secret !== undefined),
  maxInFlight: settings.MAX_IN_FLIGHT,
  open: sidecarSources({
    allowedHosts: settings.ALLOWED_HOSTS,
    connectTimeoutMs: settings.CONNECT_TIMEOUT_MS,
    awsCredentials: settings.LEND_AWS_CREDENTIALS ? machinesAwsCredentials : undefined,
    pool,
    engines: settings.FILE_ROOT === undefined ? undefined : engines.pool,
    stores: {
      engines: engines.pool,
      budget: new ByteBudget({ perStatement: settings.STORE_STATEMENT_BYTES, total: settings.STORE_BYTES }),
      footers: new FooterCache(FOOTER_CACHE_BYTES),
      temporaryDirectory: engines.temporaryDirectory,
    },
  }),
  log,
  cache,
  metrics: requests,
});
endWithSignals(sidecar, pool, settings);
process.on("uncaughtException", (error) => {
  logEvent(log, "error", "fault", { fault: faultOf(error) });
  endAtOnce();
});
const metricsPort = await metricsAddress(settings);
const refuseToListen = (error: NodeJS.ErrnoException): never => refuse(listenProblem(error, settings));
sidecar.server.once("error", refuseToListen);
sidecar.server.listen(settings.PORT, settings.HOST, () => {
  sidecar.server.off("error", refuseToListen);
  const { address, port } = sidecar.server.address() as AddressInfo;
  logEvent(log, "info", "listening", {
    address,
    port,
    files: settings.FILE_ROOT !== undefined,
    ...(metricsPort !== undefined && { metricsPort }),
    // The memory limit that the system enforces on DuckDB's processes: only Linux has an effective one.
    ...(settings.FILE_ROOT !== undefined && { engineMemoryLimit: engines.memoryLimit ?? "none" }),
  });
});

/** The store may be unavailable when the sidecar starts: until it is up, Workers run without it. */
async function cacheStore(given: SidecarSettings): Promise<CacheStore | undefined> {
  if (given.CACHE_URL === undefined) return undefined;
  const { redisStore } = await import("./cache/redis-store.ts");
  try {
    return redisStore({
      url: given.CACHE_URL,
      connectTimeoutMs: given.CONNECT_TIMEOUT_MS,
      onChange: (state, because) => logEvent(log, state === "lost" ? "error" : "info", "cache", { state, because }),
    });
  } catch {
    refuse("CACHE_URL cannot be read; write redis://user:password@host:6379/0, percent-encoded.");
  }
}

interface Engines {
  readonly pool: EnginePool;
  readonly temporaryDirectory: string;
  /** Known once a process has been started. */
  readonly memoryLimit: number | undefined;
}

async function enginePool(given: SidecarSettings): Promise<Engines> {
  try {
    const temporaryDirectory = privateDirectory();
    leaveNothing = () => rmSync(temporaryDirectory, { recursive: true, force: true });
    const { root, configured } = await rootOfFiles(given, temporaryDirectory);
    const pool = new EnginePool({
      processes: {
        root: { path: root.path, configured },
        memory: given.DUCKDB_MEMORY,
        threads: given.DUCKDB_THREADS,
        temporaryDirectory,
        temporaryLimit: given.DUCKDB_SPILL,
      },
      spares: given.DUCKDB_SPARES,
      slots: new Slots({
        places: given.DUCKDB_STATEMENTS,
        waitMs: given.CONNECT_TIMEOUT_MS,
        holdMs: given.PLACE_HOLD_MS,
      }),
      onFailure: ({ message }) => logEvent(log, "error", "engine", { problem: message }),
    });
    leaveNothing = () => {
      // First: one that is still starting would make the directory of its compiled code again.
      pool.close();
      // An engine that is ending may still write to the directory.
      rmSync(temporaryDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    };
    // Without local files, no spare process is started in advance: buckets wait for the first process.
    if (given.FILE_ROOT === undefined) return { pool, temporaryDirectory, memoryLimit: undefined };
    // Rather now than with the first statement.
    const { memoryLimit } = await pool.open();
    void pool.refill();
    return { pool, temporaryDirectory, memoryLimit };
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

function connectionPool(given: SidecarSettings): Pool | undefined {
  if (given.POOL_PER_CONNECTION === 0) return undefined;
  return new Pool({
    perIdentity: given.POOL_PER_CONNECTION,
    total: given.POOL_TOTAL,
    waiting: given.POOL_WAITING,
    waitMs: given.POOL_WAIT_MS,
    holdMs: given.PLACE_HOLD_MS,
    idleMs: given.POOL_IDLE_MS,
    checkMs: given.POOL_CHECK_MS,
    lifetimeMs: given.POOL_LIFETIME_MS,
  });
}

/** The port that metrics are at. */
async function metricsAddress({
  METRICS_HOST: host,
  METRICS_PORT: port,
}: SidecarSettings): Promise<number | undefined> {
  if (port === undefined) return undefined;
  try {
    const server = await listenForMetrics(metrics, host, port);
    return (server.address() as AddressInfo).port;
  } catch (error) {
    refuse(`METRICS_PORT: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Without `FILE_ROOT` an empty directory: calls on buckets bring roots of their own. */
async function rootOfFiles(
  { FILE_ROOT: configured }: SidecarSettings,
  temporaryDirectory: string,
): Promise<{ readonly root: FileRoot; readonly configured: string }> {
  if (configured !== undefined) return { root: await openFileRoot(configured), configured };
  const empty = join(temporaryDirectory, "nothing");
  mkdirSync(empty, { mode: 0o700 });
  return { root: await openFileRoot(empty), configured: empty };
}

/** Ends without waiting for running calls. */
function endAtOnce(): void {
  flush();
  leaveNothing();
  process.kill(process.pid, "SIGKILL");
}

/** The first signal lets running requests finish, the second does not. */
function endWithSignals({ drain }: SidecarServer, connections: Pool | undefined, given: SidecarSettings): void {
  let isEnding = false;
  const end = (signal: string): void => {
    if (isEnding) endAtOnce();
    isEnding = true;
    logEvent(log, "info", "draining", { signal });
    void drain(given.DRAIN_TIMEOUT_MS, given.DRAIN_DELAY_MS).then(async () => {
      await connections?.close();
      logEvent(log, "info", "stopped");
      process.exit(0);
    });
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}

function listenProblem(error: NodeJS.ErrnoException, { HOST, PORT }: SidecarSettings): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `port ${PORT} of ${HOST} is in use; set PORT to another one.`;
    case "EACCES":
      return `port ${PORT} needs more rights; set PORT to one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${HOST} is no address of this machine; set HOST to one that is.`;
    default:
      return `it cannot listen on port ${PORT} of ${HOST} (${error.code ?? error.message}).`;
  }
}
