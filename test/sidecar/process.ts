/** The sidecar as it is deployed: a process of its own on a port of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Connector } from "../../src/connectors/connector.ts";
import { nodeSidecar } from "../../src/connectors/node-sidecar/node-sidecar.ts";
import { parseConnection } from "../../src/connectors/sources.ts";
import type { DataSource } from "../../src/planner/plan.ts";

export const SECRET = "the secret of the tests, long enough";
/** Correlation id of `connectorIn`'s requests. */
export const CORRELATION_ID = "0b5c2a3e-7d51-4f0e-9d5c-5a1f6a3c9e10";

const MAIN = fileURLToPath(new URL("../../sidecar/main.ts", import.meta.url));
const BUNDLED_NODE = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));

export interface SidecarProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Lines of the log so far, as they were written and as what they say. */
  readonly lines: readonly string[];
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

/** Output of a process until its end, for processes that must not start. */
export interface EndedProcess {
  readonly code: number | null;
  readonly stderr: string;
}

function spawnSidecar(settings: Readonly<Record<string, string>>): ChildProcess {
  const node = existsSync(BUNDLED_NODE) ? BUNDLED_NODE : process.execPath;
  return spawn(node, ["--experimental-strip-types", "--disable-warning=ExperimentalWarning", MAIN], {
    env: { PATH: process.env.PATH, PORT: "0", SIDECAR_SECRET: SECRET, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Resolves when it listens; rejects with its message when it ends before. */
export async function startSidecar(settings: Readonly<Record<string, string>> = {}): Promise<SidecarProcess> {
  // Killed, it leaves its own temporary directory behind.
  const temporary = mkdtempSync(join(tmpdir(), "siskin-test-sidecar-"));
  const child = spawnSidecar({ TMPDIR: temporary, ...settings });
  const lines: string[] = [];
  const log: Readonly<Record<string, unknown>>[] = [];
  const exited = once(child, "exit").then(([code]) => code as number | null);
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    lines.push(line);
    const entry = JSON.parse(line) as Record<string, unknown>;
    log.push(entry);
    if (entry.event === "listening") resolve(Number(entry.port));
  });
  void exited.then((code) => reject(new Error(`The sidecar ended with ${code}: ${complaint}`)));
  const port = await listening;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid as number,
    child,
    lines,
    log,
    exited,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      // Its engines, which end with it, may still write there.
      await rm(temporary, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

export async function endOfSidecar(settings: Readonly<Record<string, string>>): Promise<EndedProcess> {
  const child = spawnSidecar(settings);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout?.resume();
  const [code] = await once(child, "close");
  return { code, stderr };
}

export function connectorIn(
  sidecar: Pick<SidecarProcess, "url">,
  source: DataSource,
  connectionInfo: unknown,
  settings: { secret?: string; connectTimeoutMs?: number; fetch?: typeof globalThis.fetch } = {},
): Promise<Connector> {
  const open = nodeSidecar({
    url: sidecar.url,
    secret: SECRET,
    connectTimeoutMs: 5000,
    fetch,
    ...settings,
  });
  const { info } = parseConnection(source, connectionInfo);
  return open(info, { signal: new AbortController().signal, correlationId: CORRELATION_ID });
}
