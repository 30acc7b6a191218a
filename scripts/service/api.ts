/** The Workers in workerd: built, started with its settings, and ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { FILES_WORKER, freshFilesWorker, freshWorkers, WORKERS } from "./worker-bundle.ts";
import { compatibilityOf, listening, serviceConfiguration, workerdBinary } from "./workerd.ts";

const WRANGLER_TOML = fileURLToPath(new URL("../../wrangler.toml", import.meta.url));

export interface ApiOptions {
  readonly host: string;
  readonly port: number;
  /** `host:port` */
  readonly sidecar: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The files Worker is bound. */
  readonly hasFilesWorker?: boolean;
  /** workerd opens its inspector, on loopback. */
  readonly isInspected?: boolean;
  /** The Worker's log, line by line. */
  readonly onLog: (line: string) => void;
  /** What workerd itself has to say, which is never about a request. */
  readonly onWord: (line: string) => void;
  /** Called once when it ends, and not because of `stop`. */
  readonly onDeath: (how: string) => void;
}

/** Said at every start of any Worker, or addresses in a program that nobody here can read. */
const NOISE = /became the default as of|^stack: /;

export class Api {
  readonly #options: ApiOptions;
  readonly #directory = mkdtempSync(join(tmpdir(), "siskin-api-"));
  #child: ChildProcess | undefined;
  #isEnding = false;
  #inspector: string | undefined;

  constructor(options: ApiOptions) {
    this.#options = options;
    process.once("exit", () => {
      this.#child?.kill("SIGKILL");
      rmSync(this.#directory, { recursive: true, force: true });
    });
  }

  /** Address of the inspector, where there is one. */
  get inspector(): string | undefined {
    return this.#inspector;
  }

  /** Its port, when it listens. Rejects with what keeps it from starting. */
  async start(): Promise<number> {
    const {
      host,
      port,
      sidecar,
      settings,
      hasFilesWorker = false,
      isInspected = false,
      onLog,
      onWord,
      onDeath,
    } = this.#options;
    const built = await freshWorkers();
    const workers = { api: WORKERS.api.file, connectors: WORKERS.connectors.file };
    copyFileSync(built.api, join(this.#directory, workers.api));
    copyFileSync(built.connectors, join(this.#directory, workers.connectors));
    const configuration = join(this.#directory, "workerd.capnp");
    writeFileSync(
      configuration,
      serviceConfiguration({
        workers,
        files: hasFilesWorker ? await filesWorkerIn(this.#directory) : undefined,
        compatibility: await compatibilityOf(WRANGLER_TOML),
        networks: isOn(settings["ALLOW_PRIVATE_HOSTS"]) ? ["public", "private", "local"] : ["public"],
      }),
    );
    if (this.#isEnding) throw new Error("The service ends.");
    const child = spawn(
      workerdBinary(),
      [
        "serve",
        configuration,
        "--control-fd=3",
        `--socket-addr=http=${host}:${port}`,
        `--external-addr=sidecar=${sidecar}`,
        ...(isInspected ? ["--inspector-addr=127.0.0.1:0"] : []),
      ],
      { env: { ...settings }, stdio: ["ignore", "pipe", "pipe", "pipe"] },
    );
    this.#child = child;
    createInterface({ input: child.stdout as Readable }).on("line", onLog);
    createInterface({ input: child.stderr as Readable }).on("line", (line) => {
      if (!NOISE.test(line)) onWord(line);
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`));
    });
    const ports = await Promise.race([listening(child.stdio[3] as Readable, isInspected ? 2 : 1), ended]);
    if (typeof ports === "string") throw new Error(`The Worker did not start (${ports}).`);
    // The path is the service's name in the configuration.
    if (isInspected) this.#inspector = `ws://127.0.0.1:${ports.get("listen-inspector")}/api`;
    void ended.then((how) => {
      if (!this.#isEnding) onDeath(how);
    });
    return ports.get("http") ?? port;
  }

  /** Lets running requests end for half of `grace` (milliseconds), then ends it. Resolves when it is gone. */
  async stop(grace: number): Promise<void> {
    this.#isEnding = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), grace / 2);
    await exited;
    clearTimeout(patience);
  }
}

/** What workerd embeds lies beside its configuration. */
async function filesWorkerIn(directory: string): Promise<readonly [string, ...string[]]> {
  const built = await freshFilesWorker();
  cpSync(built, join(directory, "files"), { recursive: true });
  const modules = readdirSync(built).filter((name) => name.endsWith(".wasm"));
  return [`files/${FILES_WORKER.file}`, ...modules.map((name) => `files/${name}`)];
}

const isOn = (flag: string | undefined): boolean => flag === "true" || flag === "1";
