/** One DuckDB in a process of its own, as the sidecar sees it. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { EngineSettings } from "../duckdb/engine.ts";
import { limited } from "./limits.ts";
import {
  type EngineCall,
  type EngineDescribing,
  type EngineProcessSettings,
  type EngineReady,
  FRAMES_DESCRIPTOR,
} from "./messages.ts";
import type { ProcessEnd } from "./process-end.ts";

export interface ProcessSettings extends EngineSettings, Pick<EngineProcessSettings, "root"> {
  /** Exists; each process has its own directory below it. */
  readonly temporaryDirectory: string;
}

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

/** Of what a process wrote to its standard error so much is kept. */
const COMPLAINT_LENGTH = 4096;

export class EngineProcess {
  /** Resolves when an engine is open; rejects with an `Error` when the process ended before. */
  readonly ready: Promise<EngineReady>;
  /** Resolves when the process and its files are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  #hasEnded = false;
  #describing: string | undefined;

  private constructor(child: ChildProcess, directory: string) {
    this.#child = child;
    const gone = endOf(child);
    this.ended = gone.then(async (end) => {
      this.#hasEnded = true;
      await rm(directory, { recursive: true, force: true }).catch(() => undefined);
      return end;
    });
    this.ready = new Promise((resolve, reject) => {
      child.once("message", (message) => resolve(message as EngineReady));
      void gone.then(({ code, signal, complaint }) => {
        reject(new Error(`An engine's process ended before it was ready (${signal ?? code}). ${complaint}`.trim()));
      });
    });
    child.on("message", (message: EngineReady | EngineDescribing) => {
      if ("describing" in message) this.#describing = message.describing;
    });
    // Of a process that nobody waits for.
    this.ready.catch(() => undefined);
  }

  static start({ temporaryDirectory, ...settings }: ProcessSettings): EngineProcess {
    const directory = join(temporaryDirectory, `engine-${randomUUID()}`);
    mkdirSync(directory, { mode: 0o700 });
    const given: EngineProcessSettings = { ...settings, temporaryDirectory: directory };
    const { program, args } = limited(settings, [
      process.execPath,
      "--experimental-strip-types",
      "--disable-warning=ExperimentalWarning",
      // Rows pass through in batches: a heap that grows further holds something else.
      "--max-old-space-size=512",
      // Threads of V8's own; the work is the engine's.
      "--v8-pool-size=1",
      CHILD,
      JSON.stringify(given),
    ]);
    const child = spawn(program, args, {
      cwd: settings.root.path,
      // No setting of the sidecar: its secret is none of theirs.
      env: { UV_THREADPOOL_SIZE: "4", NODE_COMPILE_CACHE: join(temporaryDirectory, "compiled") },
      // What an engine prints goes nowhere: a statement can make it print.
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
      // Ctrl-C in the terminal is for the sidecar, which lets running statements finish.
      detached: true,
    });
    return new EngineProcess(child, directory);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The table of a directory that it looked at last. */
  get describing(): string | undefined {
    return this.#describing;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Asks the one thing that it may be asked, when it is ready; the answer's frames, read at the reader's pace. */
  ask(call: EngineCall): ReadableStream<Uint8Array> {
    // When the process has ended meanwhile, so has the stream.
    this.#child.send(call, () => undefined);
    return bytesOf(this.#child.stdio[FRAMES_DESCRIPTOR] as Readable);
  }

  /** At once, whatever it does. Idempotent. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString("latin1")).slice(-COMPLAINT_LENGTH);
  });
  child.on("error", () => undefined);
  for (const stream of child.stdio) stream?.on("error", () => undefined);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, complaint: error.message });
    });
    child.once("exit", (code, signal) => resolve({ code, signal, complaint }));
  });
}

/** The bytes that a process writes, and their end however it comes: whether all of them came is for the frames to tell. */
function bytesOf(source: Readable): ReadableStream<Uint8Array> {
  let wake = (): void => undefined;
  let hasEnded = source.destroyed;
  const end = (): void => {
    hasEnded = true;
    wake();
  };
  source.on("readable", () => wake());
  source.once("end", end).once("close", end);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const chunk = source.read() as Uint8Array | null;
          if (chunk !== null) return controller.enqueue(chunk);
          if (hasEnded) return controller.close();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
