/**
 * The engines' processes: how many work at once, and some that are ready before a call needs one, since starting one takes
 * longer than most statements. A process serves one owner, which is one connection of one caller under one set of session
 * values: it waits for the next call of that owner, or is ended (docs/decisions/0055-one-owner-per-engine.md#decision).
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Slots } from "../slots.ts";
import { EngineProcess, type ProcessSettings } from "./engine-process.ts";
import type { EngineReady } from "./messages.ts";

export interface EnginePoolOptions {
  readonly processes: ProcessSettings;
  /** Number of idle processes kept: unused ones, and ones that have served an owner. */
  readonly spares: number;
  /** Time that a process waits for the next call of its owner, `IDLE_MS` by default. */
  readonly idleMs?: number;
  /** Maximum number of calls per process, `CALLS_PER_PROCESS` by default. */
  readonly callsPerProcess?: number;
  readonly slots: Slots;
  /** Called for each process that could not be started or did not open another engine. */
  readonly onFailure: (error: Error) => void;
}

/** Callers send several statements in a row; a later one finds a spare. */
const IDLE_MS = 30_000;

/**
 * Bounds the memory that a process accumulates over its calls, in our code or in the engine. A start costs as much as
 * five calls.
 */
const CALLS_PER_PROCESS = 100;

/** An engine that opens for so long does not open any more: DuckDB 1.4.4 sometimes waits for itself. */
const READY_MS = 10_000;

/** A process at work for one call, in one of the places. */
export interface EngineLease {
  readonly process: EngineProcess;
  /** The process answered, or the client read a part of the answer. */
  readonly moved: () => void;
  /** For a call that has its whole answer: the process may wait for the next call of its owner. Resolves when it does, or is gone. */
  giveBack(): Promise<void>;
}

/** A process that waits for the next call of the owner that it has served. */
interface Kept {
  readonly process: EngineProcess;
  readonly owner: string;
  readonly timer: NodeJS.Timeout;
}

/** Processes, those that wait for any statement and those that wait for one of their owner, and places for statements. */
export interface EngineCounts {
  readonly processes: number;
  readonly spare: number;
  readonly kept: number;
  readonly places: number;
  readonly taken: number;
  readonly waiting: number;
}

export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #all = new Set<EngineProcess>();
  /** Unused processes, in start order. */
  readonly #spares: EngineProcess[] = [];
  /** In the order they were given back. */
  #kept: readonly Kept[] = [];
  #isFilling = false;
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
  }

  /** Current counts. */
  get counts(): EngineCounts {
    const { slots } = this.#options;
    return {
      ...slots.counts,
      processes: this.#all.size,
      spare: this.#spares.length,
      kept: this.#kept.length,
    };
  }

  /** Starts the first process: rejects with an `Error` when none can be. */
  async open(): Promise<EngineReady> {
    const first = this.#start();
    this.#spares.push(first);
    return first.ready;
  }

  /**
   * Returns a process that has served only `owner`, or nobody if `owner` is undefined; its slot is free again when the
   * process has ended or is given back. Fails with `OVERLOADED`, also when no process can be started, or with the
   * signal's reason. `makeWay` is called when the process must end for others.
   */
  async take(
    owner: string | undefined,
    signal: AbortSignal,
    makeWay: (failure: ConnectorFailure) => void,
  ): Promise<EngineLease> {
    const { giveBack: leave, moved } = await this.#options.slots.take(signal, makeWay);
    try {
      const kept = owner === undefined ? undefined : await this.#takeKept(owner);
      const process = kept ?? this.#spares.shift() ?? this.#start();
      void process.ended.then(leave);
      await readyInTime(process);
      const giveBack = async (): Promise<void> => {
        if (owner !== undefined && this.#keep(owner, process)) return leave();
        process.kill();
        await process.ended;
      };
      return { process, moved, giveBack };
    } catch (error) {
      // Without a process whose end frees it, the slot is freed at once.
      leave();
      this.#failed(error);
      throw new ConnectorFailure("OVERLOADED", "No process could be started for the statement.", { retryAfter: 1 });
    }
  }

  /** Makes up for the spares that were taken: when the statement that took one has had the processor, rather than before. */
  async refill(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      while (!this.#isClosed && this.#spares.length < this.#options.spares) {
        const spare = this.#start();
        this.#spares.push(spare);
        await spare.ready;
      }
    } catch (error) {
      // The next call that needs a process tries again.
      this.#failed(error);
    } finally {
      this.#isFilling = false;
    }
  }

  /** Ends all of them, at work or not. */
  close(): void {
    this.#isClosed = true;
    for (const process of this.#all) process.kill();
  }

  /** The last that was given back: the others come nearer to their end. */
  async #takeKept(owner: string): Promise<EngineProcess | undefined> {
    for (;;) {
      const kept = this.#kept.findLast((one) => one.owner === owner);
      if (kept === undefined) return undefined;
      this.#forget(kept.process);
      const isReady = await readyInTime(kept.process).then(
        () => true,
        (error) => {
          this.#failed(error);
          return false;
        },
      );
      if (isReady) return kept.process;
    }
  }

  #keep(owner: string, process: EngineProcess): boolean {
    const { spares, idleMs = IDLE_MS, callsPerProcess = CALLS_PER_PROCESS } = this.#options;
    if (this.#isClosed || spares === 0 || !process.isClean || process.calls >= callsPerProcess) return false;
    const timer = setTimeout(() => this.#drop(process), idleMs).unref();
    this.#kept = [...this.#kept, { process, owner, timer }];
    const [oldest] = this.#kept;
    if (oldest !== undefined && this.#kept.length > spares) this.#drop(oldest.process);
    return true;
  }

  #drop(process: EngineProcess): void {
    this.#forget(process);
    process.kill();
  }

  #forget(process: EngineProcess): void {
    for (const one of this.#kept) if (one.process === process) clearTimeout(one.timer);
    this.#kept = this.#kept.filter((one) => one.process !== process);
  }

  #start(): EngineProcess {
    const process = EngineProcess.start(this.#options.processes);
    this.#all.add(process);
    void process.ended.then(() => {
      this.#all.delete(process);
      this.#forget(process);
      const place = this.#spares.indexOf(process);
      if (place >= 0) this.#spares.splice(place, 1);
    });
    return process;
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return;
    this.#options.onFailure(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Rejects, with the process ended, when it is not ready in time. */
async function readyInTime(process: EngineProcess): Promise<void> {
  const late = setTimeout(() => process.kill(), READY_MS);
  try {
    await process.ready;
  } finally {
    clearTimeout(late);
  }
}
