/** The service as `npm run serve` starts it, for hours: of its logs only what went wrong is kept. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { descendantsOf, startOf } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");

export interface SoakedService {
  readonly url: string;
  readonly pid: number;
  /** By correlation id, why a request was refused or broke off; lines come a moment after the answer. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Correlation ids of all requests that reached the Worker. */
  readonly logged: ReadonlySet<string>;
  /** Lines that tell of a fault of ours, and words of the processes that are no log lines. */
  readonly complaints: readonly string[];
  /** Addresses of the debuggers' protocol; the sidecar has another one after each restart. */
  inspectors(): { readonly api: string; readonly sidecar: string };
  /** Restarts as the supervisor does: it drains, ends, and is started again. Resolves when the new one listens. */
  restartSidecar(): Promise<void>;
  stop(): Promise<void>;
}

/** Lines that Node prints beside the address. */
const OF_THE_DEBUGGER = /^(?:For help, see: |Debugger (?:attached|ending)|Starting inspector|Waiting for the debugger)/;

/** Resolves when it serves; rejects with what it says instead. */
export async function startSoakedService(settings: Readonly<Record<string, string>>): Promise<SoakedService> {
  const [program = "", ...words] = [...startOf(ROOT), "serve", "--inspect"];
  const child: ChildProcess = spawn(program, words, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const reasons = new Map<string, string>();
  const logged = new Set<string>();
  const complaints: string[] = [];
  let apiInspector = "";
  let sidecarInspector = "";
  let listening = Promise.withResolvers<void>();
  const { promise: serving, resolve, reject } = Promise.withResolvers<string>();
  void exited.then(() => reject(new Error(complaints.join("\n"))));
  /** Words of Node and workerd. An answer that breaks off is one of the faults that this makes, and workerd names it. */
  const onMessage = (message: string): void => {
    const [, debuggedAt] = /^Debugger listening on (ws:\S+)/.exec(message) ?? [];
    if (debuggedAt !== undefined) sidecarInspector = debuggedAt;
    else if (!OF_THE_DEBUGGER.test(message) && !message.includes("BrokenAnswer")) complaints.push(message);
  };
  const onEntry = (entry: Readonly<Record<string, unknown>>): void => {
    if (entry["event"] === "serving") {
      apiInspector = String(entry["inspector"]);
      resolve(String(entry["url"]));
    }
    if (entry["event"] === "listening") listening.resolve();
    if (entry["event"] === "request") logged.add(String(entry["correlationId"]));
    if (entry["event"] === "request" && entry["reason"] !== undefined) {
      reasons.set(String(entry["correlationId"]), String(entry["reason"]));
    }
    if (entry["event"] === "message") {
      onMessage(String(entry["message"]));
      return;
    }
    const isFault = entry["level"] === "error" && entry["event"] !== "request";
    if (isFault || entry["fault"] !== undefined) complaints.push(JSON.stringify(entry));
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream as Readable }).on("line", (line) => {
      if (line.startsWith("{")) onEntry(JSON.parse(line));
      else onMessage(line);
    });
  }
  const url = await serving;
  const pid = child.pid ?? 0;
  const sidecarPid = (): number =>
    descendantsOf(pid).find(({ command }) => command.includes("sidecar/main.ts"))?.pid ?? 0;
  return {
    url,
    pid,
    reasons,
    logged,
    complaints,
    inspectors: () => ({ api: apiInspector, sidecar: sidecarInspector }),
    restartSidecar: async () => {
      listening = Promise.withResolvers<void>();
      process.kill(sidecarPid(), "SIGTERM");
      await listening.promise;
    },
    stop: async () => {
      child.kill("SIGINT");
      await exited;
    },
  };
}
