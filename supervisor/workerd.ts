/** workerd as a supervised process: its command, the sockets that it reports, and a probe over one of them. */
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { startChild } from "./child.ts";
import type { ProcessOutput } from "./process-output.ts";
import type { RunningProcess } from "./supervised.ts";
import { withoutSecrets } from "./words.ts";

export interface WorkerdOptions {
  readonly binary: string;
  readonly configuration: string;
  /** Further words of its command line. */
  readonly words: readonly string[];
  /** Sockets that it listens on, and its inspector. */
  readonly sockets: number;
  /** The Unix socket and the path of the probe. */
  readonly probe: { readonly socket: string; readonly path: string };
  /** Paths of all its Unix sockets: one that an earlier process has left would keep it from listening. */
  readonly unixSockets: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isGroup: boolean;
  /** Takes the Workers' log, and messages of workerd itself, which are never about a request. */
  readonly output: ProcessOutput;
}

export interface Workerd extends RunningProcess {
  /** Socket → port. */
  readonly ready: Promise<ReadonlyMap<string, number>>;
}

/** workerd prints these lines at every start, or with addresses of its own program that have no symbols. */
const NOISE = /became the default as of|^stack: /;

export function startWorkerd(options: WorkerdOptions): Workerd {
  for (const path of options.unixSockets) rmSync(path, { force: true });
  const child = startChild({
    command: options.binary,
    words: ["serve", options.configuration, "--control-fd=3", ...options.words],
    environment: options.environment,
    channel: "pipe",
    isGroup: options.isGroup,
    atExit: "SIGKILL",
    onOutput: options.output.log,
    onErrorOutput: (line) => {
      if (!NOISE.test(line)) options.output.message(withoutSecrets(line, options.environment));
    },
  });
  const { socket, path } = options.probe;
  const ready = listening(child.control, options.sockets);
  void ready.then(() => options.output.serves());
  void child.ended.then(() => options.output.ended());
  return {
    ...child,
    ready,
    probe: (answered, signal) => askOnce(socket, path, answered, signal),
  };
}

/** Reads descriptor 3 of the process, `--control-fd=3`: which socket listens where, until there are `count`. */
export function listening(control: Readable, count: number): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>();
  return new Promise((resolve) => {
    createInterface({ input: control }).on("line", (line) => {
      const told = JSON.parse(line) as { readonly event: string; readonly socket?: string; readonly port: number };
      ports.set(told.socket ?? told.event, told.port);
      if (ports.size === count) resolve(ports);
    });
  });
}

/** One request and the first line of its answer: an HTTP client would double what the supervisor keeps in memory. */
function askOnce(socket: string, path: string, answered: () => void, signal: AbortSignal): void {
  const connection = connect({ path: socket, signal });
  let text = "";
  connection.on("connect", () => {
    connection.write(`GET ${path} HTTP/1.1\r\nhost: probe\r\nconnection: close\r\n\r\n`);
  });
  connection.on("data", (chunk) => {
    text += chunk.toString("latin1");
    if (!text.includes("\r\n")) return;
    connection.destroy();
    // Any answer proves that the event loop runs; `/ready` reports other faults.
    if (text.startsWith("HTTP/1.1 ")) answered();
  });
  connection.on("error", () => connection.destroy());
}
