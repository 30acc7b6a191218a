/** The sidecar's handle of one DuckDB process. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { EngineSettings } from "../duckdb/engine.ts";
import { AnswerPipe } from "./answer-pipe.ts";
import { limited } from "./limits.ts";
import {
  type EngineCall,
  type EngineProcessSettings,
  type EngineReady,
  type EngineWord,
  FRAMES_DESCRIPTOR,
} from "./messages.ts";
import type { ProcessEnd } from "./process-end.ts";

export interface ProcessSettings extends EngineSettings, Pick<EngineProcessSettings, "root"> {
  /** Exists; each process has its own directory below it. */
  readonly temporaryDirectory: string;
}

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

/** Maximum length kept of a process's standard error. */
const COMPLAINT_LENGTH = 4096;

export class EngineProcess {
  /** Resolves when the process and its files are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #answers: AnswerPipe;
  readonly #gone: Promise<ProcessEnd>;
  #ready: Promise<EngineReady>;
  #isReady: (ready: EngineReady) => void = () => undefined;
  #isAnswered: (bytes: number) => void = () => undefined;
  #calls = 0;
  #answered = 0;
  #hasEnded = false;
  #describing: string | undefined;

  private constructor(child: ChildProcess, directory: string) {
    this.#child = child;
    this.#answers = new AnswerPipe(child.stdio[FRAMES_DESCRIPTOR] as Readable);
    this.#gone = endOf(child);
    this.ended = this.#gone.then(async (end) => {
      this.#hasEnded = true;
      await rm(directory, { recursive: true, force: true }).catch(() => undefined);
      return end;
    });
    this.#ready = this.#untilReady();
    child.on("message", (message) => this.#hear(message as EngineWord));
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
      env: environment(temporaryDirectory),
      // The engine's standard output is dropped: a statement can make it print.
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
      // Ctrl-C in the terminal is for the sidecar, which lets running statements finish.
      detached: true,
    });
    return new EngineProcess(child, directory);
  }

  /** Resolves when an engine is open that has run nothing; rejects with an `Error` when the process ended before. */
  get ready(): Promise<EngineReady> {
    return this.#ready;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The table of a directory that it looked at last in this call. */
  get describing(): string | undefined {
    return this.#describing;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Number of calls sent to it. */
  get calls(): number {
    return this.#calls;
  }

  /** Whether every answer was complete and left no state: the process may then serve the same owner again. */
  get isClean(): boolean {
    return !this.#hasEnded && this.#answered === this.#calls;
  }

  /** Sends the call when the process is ready. Returns the frames of the answer, read at the pace of the reader. */
  ask(call: EngineCall): ReadableStream<Uint8Array> {
    this.#calls++;
    this.#describing = undefined;
    const length = new Promise<number>((resolve) => {
      this.#isAnswered = resolve;
    });
    // When the process has ended meanwhile, so has the stream.
    this.#child.send(call, () => undefined);
    return this.#answers.answer(length);
  }

  /** At once, whatever it does. Idempotent. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #hear(word: EngineWord): void {
    switch (word.kind) {
      case "ready":
        this.#isReady(word);
        break;
      case "answered":
        this.#answered++;
        this.#ready = this.#untilReady();
        this.#isAnswered(word.bytes);
        break;
      case "describing":
        this.#describing = word.path;
        break;
      default:
        word satisfies never;
    }
  }

  #untilReady(): Promise<EngineReady> {
    const ready = new Promise<EngineReady>((resolve, reject) => {
      this.#isReady = resolve;
      void this.#gone.then(({ code, signal, complaint }) => {
        reject(new Error(`An engine's process ended before it was ready (${signal ?? code}). ${complaint}`.trim()));
      });
    });
    // Handles the rejection of a process that no code awaits.
    ready.catch(() => undefined);
    return ready;
  }
}

/** No setting of the sidecar: its secret is none of theirs. */
function environment(temporaryDirectory: string): NodeJS.ProcessEnv {
  return {
    UV_THREADPOOL_SIZE: "4",
    NODE_COMPILE_CACHE: join(temporaryDirectory, "compiled"),
    // Returns freed memory to the system. Otherwise each engine adds addresses that count for the limit: 350 MB were
    // kept after ten small statements, with these settings 40 MB. The first is the C library's, the second the
    // engine's.
    MALLOC_ARENA_MAX: "1",
    DUCKDB_JE_MALLOC_CONF: "retain:false",
  };
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
