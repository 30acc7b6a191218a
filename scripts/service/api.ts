/**
 * The Workers in workerd: built, started with their settings, kept running, and ended. The API, the connectors and the MCP Worker
 * share one process; the files Worker has its own.
 */
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEFAULT_HEAP_MIB } from "../../src/config.ts";
import { apiProcess, filesProcess, WorkerSockets } from "../../supervisor/api-processes.ts";
import type { ProcessOutput } from "../../supervisor/process-output.ts";
import { Supervised, type Supervision } from "../../supervisor/supervised.ts";
import { freshExplorer } from "./explorer-bundle.ts";
import { filesOfFilesWorker, freshFilesWorker, freshWorkers, WORKERS } from "./worker-bundle.ts";
import { compatibilityOf, filesConfiguration, type Network, serviceConfiguration, workerdBinary } from "./workerd.ts";

const WRANGLER_TOML = fileURLToPath(new URL("../../wrangler.toml", import.meta.url));

export interface ApiOptions {
  readonly host: string;
  readonly port: number;
  /** `host:port` */
  readonly sidecar: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The files Worker is bound. */
  readonly hasFilesWorker?: boolean;
  /** Setting `PROJECTS_DIRECTORY`. */
  readonly projects?: string | undefined;
  /** workerd opens its inspector, on loopback. */
  readonly isInspected?: boolean;
  /** Without it the processes are not probed, and are started again without a pause. */
  readonly supervision?: Supervision;
  /** Limit of JavaScript's heap in each Worker, in MiB. */
  readonly heapMib?: number;
  /** Takes the output of a process, by its name. */
  readonly words: (process: string) => ProcessOutput;
  /** `host:port` of `GET /metrics`. */
  readonly metricsAddress?: string | undefined;
}

const UNSUPERVISED: Supervision = { probeIntervalMs: 0, longestPauseMs: 0, report: () => undefined };

export class Api {
  readonly #options: ApiOptions;
  readonly #directory = mkdtempSync(join(tmpdir(), "siskin-api-"));
  readonly #sockets = new WorkerSockets();
  /** In the order in which they are ended. */
  #processes: readonly Supervised[] = [];
  #isEnding = false;
  #port: number;
  #inspectorPort = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#port = options.port;
    process.once("exit", () => rmSync(this.#directory, { recursive: true, force: true }));
  }

  /** Address of the inspector, where there is one. */
  get inspector(): string | undefined {
    // The path is the service's name in the configuration.
    return this.#options.isInspected === true ? `ws://127.0.0.1:${this.#inspectorPort}/api` : undefined;
  }

  /** Its port, when it listens. Rejects with what keeps it from starting. */
  async start(): Promise<number> {
    const {
      host,
      sidecar,
      settings,
      hasFilesWorker = false,
      projects,
      isInspected = false,
      heapMib = DEFAULT_HEAP_MIB,
      words,
      metricsAddress,
    } = this.#options;
    const supervision = this.#options.supervision ?? UNSUPERVISED;
    const { api, files } = await this.#written(hasFilesWorker);
    // A copy: another start that builds the page anew replaces its directory.
    const explorer = join(this.#directory, "explorer");
    cpSync(await freshExplorer(), explorer, { recursive: true });
    if (this.#isEnding) throw new Error("The service ends.");
    // A group of its own would outlive a supervisor that is killed (`start.mjs` kills the group of what it started).
    const workerd = { binary: workerdBinary(), heapMib, isGroup: false, words };
    const processes = [
      new Supervised({
        ...supervision,
        ...apiProcess({
          ...workerd,
          configuration: api,
          sockets: this.#sockets,
          environment: settings,
          address: () => `${host}:${this.#port}`,
          metricsAddress,
          arguments: [
            `--external-addr=sidecar=${sidecar}`,
            `--directory-path=explorer=${explorer}`,
            ...(projects === undefined ? [] : [`--directory-path=projects=${projects}`]),
            ...(isInspected ? [`--inspector-addr=127.0.0.1:${this.#inspectorPort}`] : []),
          ],
          hasFilesWorker,
          isInspected,
          onReady: (ports) => {
            this.#port = ports.get("http") ?? this.#port;
            this.#inspectorPort = ports.get("listen-inspector") ?? 0;
          },
        }),
      }),
    ];
    if (files !== undefined) {
      const { ALLOW_PRIVATE_HOSTS } = settings;
      const environment = { ALLOW_PRIVATE_HOSTS };
      const process = filesProcess({ ...workerd, configuration: files, sockets: this.#sockets, environment });
      processes.push(new Supervised({ ...supervision, ...process }));
    }
    this.#processes = processes;
    await Promise.all(processes.map((process) => process.start()));
    return this.#port;
  }

  /** Lets running requests end for `grace` milliseconds, then ends it. Resolves when it is gone. */
  async stop(grace: number): Promise<void> {
    this.#isEnding = true;
    // Requests that end may still ask the files Worker.
    for (const process of this.#processes) await process.stop(grace);
    this.#sockets.remove();
  }

  /** The configurations, with what they embed beside them. */
  async #written(hasFilesWorker: boolean): Promise<{ readonly api: string; readonly files: string | undefined }> {
    const directory = this.#directory;
    const built = await freshWorkers();
    const workers = { api: WORKERS.api.file, connectors: WORKERS.connectors.file, mcp: WORKERS.mcp.file };
    copyFileSync(built.api, join(directory, workers.api));
    copyFileSync(built.connectors, join(directory, workers.connectors));
    copyFileSync(built.mcp, join(directory, workers.mcp));
    const compatibility = await compatibilityOf(WRANGLER_TOML);
    const networks: readonly Network[] = isOn(this.#options.settings["ALLOW_PRIVATE_HOSTS"])
      ? ["public", "private", "local"]
      : ["public"];
    const hasProjects = this.#options.projects !== undefined;
    const api = join(directory, "workerd.capnp");
    writeFileSync(api, serviceConfiguration({ workers, hasFilesWorker, hasProjects, compatibility, networks }));
    if (!hasFilesWorker) return { api, files: undefined };
    cpSync(await freshFilesWorker(), join(directory, "files"), { recursive: true });
    const files = join(directory, "files.capnp");
    const embedded = filesOfFilesWorker(directory, "files");
    writeFileSync(files, filesConfiguration({ files: embedded, compatibility, networks }));
    return { api, files };
  }
}

const isOn = (flag: string | undefined): boolean => flag === "true" || flag === "1";
