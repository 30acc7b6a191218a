/**
 * Plain `workerd` with a configuration of ours: no proxy, no reload, no log collector in front of the Worker, as there
 * would be in `wrangler dev` and in Miniflare.
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { compatibilityText, quoted, workerdBinary } from "../../scripts/service/workerd.ts";
import { listening } from "../../supervisor/workerd.ts";
import type { Run } from "../subject.ts";
import { end } from "./end-process.ts";

export interface WorkerdWorker {
  readonly name: string;
  readonly file: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** The file of the Worker of the connectors, to bind it to. */
  readonly connectors?: string;
  /** Gives the Worker a loader of further Workers as `LOADER`, and this file's text as `CODE`. */
  readonly loads?: string;
}

export interface RunningWorkerd {
  readonly pid: number;
  /** Worker → its base address. */
  readonly urls: Readonly<Record<string, string>>;
  /** Base address of the inspector. */
  readonly inspector: string | undefined;
  readonly spawnedAt: number;
  stop(): Promise<void>;
}

export interface WorkerdOptions {
  readonly inspector?: boolean;
  /** Most megabytes V8 may use for the heap of an isolate; more ends the process. V8's own choice without. */
  readonly maxHeap?: number;
}

/** Resolves when every Worker listens; `workerd` has compiled them and run their modules by then. */
export async function startWorkerd(
  run: Run,
  workers: readonly WorkerdWorker[],
  options: WorkerdOptions = {},
): Promise<RunningWorkerd> {
  const directory = mkdtempSync(join(run.directory, "workerd-"));
  writeFileSync(join(directory, "config.capnp"), configuration(run, workers, directory, options));
  const spawnedAt = performance.now();
  const child = spawn(
    workerdBinary(),
    [
      "serve",
      "--experimental",
      "--control-fd=3",
      ...(options.inspector === true ? ["--inspector-addr=127.0.0.1:0"] : []),
      join(directory, "config.capnp"),
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  run.onEnd(() => end(child));
  const died = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`workerd ended with ${code} before it listened.`)));
  });
  const count = options.inspector === true ? workers.length + 1 : workers.length;
  const ports = await Promise.race([listening(child.stdio[3] as Readable, count), died]);
  const address = (name: string): string => `http://127.0.0.1:${ports.get(name)}`;
  return {
    pid: child.pid ?? 0,
    urls: Object.fromEntries(workers.map(({ name }) => [name, address(name)])),
    inspector: options.inspector === true ? address(INSPECTOR) : undefined,
    spawnedAt,
    stop: () => end(child),
  };
}

/** The name under which workerd reports the inspector's port. */
const INSPECTOR = "listen-inspector";

/** Cap'n Proto text; the strings in it have JSON's escapes, files are named relative to it. */
function configuration(
  run: Run,
  workers: readonly WorkerdWorker[],
  directory: string,
  { maxHeap }: WorkerdOptions,
): string {
  const compatibility = compatibilityText({ date: run.bundle.compatibilityDate, flags: run.bundle.compatibilityFlags });
  const services = workers.flatMap(({ name, file, variables = {}, connectors, loads }) => {
    copyFileSync(file, join(directory, `${name}.js`));
    if (connectors !== undefined) copyFileSync(connectors, join(directory, `${name}-connectors.js`));
    if (loads !== undefined) copyFileSync(loads, join(directory, `${name}-loads.txt`));
    const bindings = [
      ...(connectors === undefined
        ? []
        : [`(name = "CONNECTORS", service = (name = ${quoted(`${name}-connectors`)}, entrypoint = "Connectors"))`]),
      ...Object.entries(variables).map(([key, value]) => `(name = ${quoted(key)}, text = ${quoted(value)})`),
      ...(loads === undefined
        ? []
        : [`(name = "LOADER", workerLoader = ())`, `(name = "CODE", text = embed ${quoted(`${name}-loads.txt`)})`]),
    ];
    const service = (of: string, bound: readonly string[]): string => `(name = ${quoted(of)}, worker = (
      modules = [(name = ${quoted(`${of}.js`)}, esModule = embed ${quoted(`${of}.js`)})],
      ${compatibility},
      bindings = [${bound.join(", ")}],
    ))`;
    return [service(name, bindings), ...(connectors === undefined ? [] : [service(`${name}-connectors`, [])])];
  });
  const sockets = workers.map(
    ({ name }) => `(name = ${quoted(name)}, address = "127.0.0.1:0", service = ${quoted(name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "internet", network = (allow = ["public", "private", "local"])),
    ${services.join(",\n    ")}
  ],
  sockets = [${sockets.join(", ")}],
  v8Flags = [${maxHeap === undefined ? "" : quoted(`--max-heap-size=${maxHeap}`)}],
);
`;
}
