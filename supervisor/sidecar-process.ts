/** The sidecar as a supervised process. The probe is a message that its event loop sends back. */
import { fileURLToPath } from "node:url";
import { startChild } from "./child.ts";
import type { ProcessOutput } from "./process-output.ts";
import type { RunningProcess } from "./supervised.ts";

const MAIN = fileURLToPath(new URL("../sidecar/main.ts", import.meta.url));

/**
 * Runs in the sidecar before anything else. It sends probes back, and it ends the sidecar with its supervisor, even where that
 * is killed and can end nothing.
 */
const ATTENDANT = `data:text/javascript,${encodeURIComponent(`
  process.on("message", (probe) => process.connected && process.send(probe, () => undefined));
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
`)}`;

export interface SidecarProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options of Node, before the program. */
  readonly words: readonly string[];
  readonly output: ProcessOutput;
}

export interface SidecarProcess extends RunningProcess {
  /** The port that it listens on. */
  readonly ready: Promise<number>;
}

export function startSidecarProcess({ environment, words, output }: SidecarProcessOptions): SidecarProcess {
  const { promise: ready, resolve } = Promise.withResolvers<number>();
  let isListening = false;
  const child = startChild({
    command: process.execPath,
    words: [
      "--experimental-strip-types",
      "--disable-warning=ExperimentalWarning",
      `--import=${ATTENDANT}`,
      ...words,
      MAIN,
    ],
    environment,
    channel: "ipc",
    isGroup: true,
    // It has engines to end and a directory to remove.
    atExit: "SIGTERM",
    onOutput: (line) => {
      output.log(line);
      const port = isListening ? undefined : listeningPort(line);
      if (port === undefined) return;
      isListening = true;
      output.serves();
      resolve(port);
    },
    onErrorOutput: output.message,
  });
  void child.ended.then(() => output.ended());
  return {
    ended: child.ended,
    signal: child.signal,
    ready,
    probe: (answered, signal) => {
      const process = child.process;
      const hear = (): void => answered();
      process.once("message", hear);
      signal.addEventListener("abort", () => process.off("message", hear), { once: true });
      // A full or closed channel does not count as an answer.
      if (process.connected) process.send("probe", () => undefined);
    },
  };
}

function listeningPort(line: string): number | undefined {
  try {
    const entry = JSON.parse(line) as { readonly event?: unknown; readonly port?: unknown };
    return entry.event === "listening" && typeof entry.port === "number" ? entry.port : undefined;
  } catch {
    return undefined;
  }
}
