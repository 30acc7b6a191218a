/** The processes of the API: workerd with the API and the connectors, and workerd with the files Worker. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { socketDirectory } from "./socket-directory.ts";
import type { SupervisedOptions } from "./supervised.ts";
import { startWorkerd, type WorkerdOptions } from "./workerd.ts";

/** Unix sockets between the processes, and from their supervisor to them. They go with the supervisor. */
export class WorkerSockets {
  readonly #directory = socketDirectory();
  readonly probe = join(this.#directory, "api.sock");
  readonly files = join(this.#directory, "files.sock");

  constructor() {
    process.once("exit", () => this.remove());
  }

  /** Idempotent. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

type Shared = Pick<WorkerdOptions, "binary" | "configuration" | "environment" | "isGroup" | "onLog" | "onWord"> & {
  readonly sockets: WorkerSockets;
};

/** The file of the image that holds the API's configuration: workerd has no conditions, so each combination has a file. */
export function apiConfigurationName(parts: {
  readonly hasFilesWorker: boolean;
  readonly isSidecarSecure: boolean;
}): string {
  return `workerd${parts.hasFilesWorker ? "-with-files" : ""}${parts.isSidecarSecure ? "-tls" : ""}.capnp`;
}

/** `SIDECAR_URL` is https. */
export const isSecureSidecar = (sidecarUrl: string | undefined): boolean =>
  sidecarUrl !== undefined && sidecarUrl !== "" && new URL(sidecarUrl).protocol === "https:";

export interface ApiProcessOptions extends Shared {
  /** Where it listens, asked before each start. Undefined where `words` say it. */
  readonly address?: () => string;
  readonly words: readonly string[];
  readonly hasFilesWorker: boolean;
  /** `words` open the inspector: the process stands still in a debugger, so it is not probed. */
  readonly isInspected?: boolean;
  readonly onReady?: (ports: ReadonlyMap<string, number>) => void;
}

type Definition = Pick<SupervisedOptions, "name" | "start" | "isProbed">;

export function apiProcess(options: ApiProcessOptions): Definition {
  const { sockets, words, address, hasFilesWorker, isInspected = false, onReady } = options;
  return {
    name: "The API",
    isProbed: !isInspected,
    start: () => {
      const started = startWorkerd({
        ...options,
        words: [
          ...(address === undefined ? [] : [`--socket-addr=http=${address()}`]),
          `--socket-addr=probe=unix:${sockets.probe}`,
          ...(hasFilesWorker ? [`--external-addr=files=unix:${sockets.files}`] : []),
          ...words,
        ],
        sockets: isInspected ? 3 : 2,
        probe: { socket: sockets.probe, path: "/" },
        unixSockets: [sockets.probe],
      });
      return { ...started, ready: started.ready.then((ports) => onReady?.(ports)) };
    },
  };
}

export function filesProcess(options: Shared): Definition {
  const { files } = options.sockets;
  return {
    name: "The files Worker",
    start: () =>
      startWorkerd({
        ...options,
        words: [`--socket-addr=files=unix:${files}`],
        sockets: 1,
        probe: { socket: files, path: "/ready" },
        unixSockets: [files],
      }),
  };
}
