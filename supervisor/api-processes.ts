/** The processes of the API: workerd with the API and the connectors, and workerd with the files Worker. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SupervisorSettings } from "../src/config.ts";
import { IMPORTS, withLimitedHeap } from "./limited-heap.ts";
import type { ProcessOutput } from "./process-output.ts";
import { socketDirectory } from "./socket-directory.ts";
import type { SupervisedOptions } from "./supervised.ts";
import { startWorkerd, type WorkerdOptions } from "./workerd.ts";

/** Unix sockets between the processes, and from their supervisor to them. They go with the supervisor. */
export class WorkerSockets {
  readonly #directory = socketDirectory();
  readonly probe = join(this.#directory, "api.sock");
  /** The numbers of the API, where no port is set for them: workerd listens on every socket of its configuration. */
  readonly metrics = join(this.#directory, "metrics.sock");
  readonly files = join(this.#directory, "files.sock");

  constructor() {
    process.once("exit", () => this.remove());
  }

  /** See `withLimitedHeap`: the configuration is in the directory of the sockets and is deleted with it. */
  limited(configuration: string, heapMib: number): string {
    return withLimitedHeap(configuration, heapMib, this.#directory);
  }

  /** Idempotent. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

type Shared = Pick<WorkerdOptions, "binary" | "configuration" | "environment" | "isGroup"> & {
  readonly sockets: WorkerSockets;
  /** Limit of JavaScript's heap in each Worker, in MiB. */
  readonly heapMib: number;
  readonly words: (process: string) => ProcessOutput;
};

/** The file of the image that holds the API's configuration: workerd has no conditions, so each combination has a file. */
export function apiConfigurationName(parts: {
  readonly hasFilesWorker: boolean;
  readonly isSidecarSecure: boolean;
  readonly hasProjects?: boolean;
}): string {
  return `workerd${parts.hasFilesWorker ? "-with-files" : ""}${parts.isSidecarSecure ? "-tls" : ""}${parts.hasProjects ? "-projects" : ""}.capnp`;
}

/** `SIDECAR_URL` is https. */
export const isSecureSidecar = (sidecarUrl: string | undefined): boolean =>
  sidecarUrl !== undefined && sidecarUrl !== "" && new URL(sidecarUrl).protocol === "https:";

export const metricsAddressOf = ({
  API_METRICS_HOST: host,
  API_METRICS_PORT: port,
}: Pick<SupervisorSettings, "API_METRICS_HOST" | "API_METRICS_PORT">): string | undefined =>
  port === undefined ? undefined : `${host}:${port}`;

export interface ApiProcessOptions extends Shared {
  /** Returns the listen address before each start; undefined if `arguments` contain it. */
  readonly address?: () => string;
  readonly arguments: readonly string[];
  /** `host:port` of `GET /metrics`. */
  readonly metricsAddress?: string | undefined;
  readonly hasFilesWorker: boolean;
  /** `arguments` open the inspector: the process stands still in a debugger, so it is not probed. */
  readonly isInspected?: boolean;
  readonly onReady?: (ports: ReadonlyMap<string, number>) => void;
}

type Definition = Pick<SupervisedOptions, "name" | "start" | "isProbed">;

export function apiProcess(options: ApiProcessOptions): Definition {
  const { sockets, address, metricsAddress, hasFilesWorker, isInspected = false, onReady } = options;
  const name = "The API";
  const words = options.words(name);
  return {
    name,
    isProbed: !isInspected,
    start: () => {
      const started = startWorkerd({
        ...options,
        configuration: sockets.limited(options.configuration, options.heapMib),
        output: words,
        words: [
          IMPORTS,
          ...(address === undefined ? [] : [`--socket-addr=http=${address()}`]),
          `--socket-addr=probe=unix:${sockets.probe}`,
          `--socket-addr=metrics=${metricsAddress ?? `unix:${sockets.metrics}`}`,
          ...(hasFilesWorker ? [`--external-addr=files=unix:${sockets.files}`] : []),
          ...options.arguments,
        ],
        sockets: isInspected ? 4 : 3,
        probe: { socket: sockets.probe, path: "/" },
        unixSockets: [sockets.probe, sockets.metrics],
      });
      return { ...started, ready: started.ready.then((ports) => onReady?.(ports)) };
    },
  };
}

export function filesProcess(options: Shared): Definition {
  const { files } = options.sockets;
  const name = "The files Worker";
  const output = options.words(name);
  return {
    name,
    start: () =>
      startWorkerd({
        ...options,
        configuration: options.sockets.limited(options.configuration, options.heapMib),
        output,
        words: [IMPORTS, `--socket-addr=files=unix:${files}`],
        sockets: 1,
        probe: { socket: files, path: "/ready" },
        unixSockets: [files],
      }),
  };
}
