/**
 * The engines' processes: how many work at once, and some that are ready before they are asked for, since starting one
 * takes longer than most questions. A process serves one call and is gone with it.
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Slots } from "../slots.ts";
import { EngineProcess, type ProcessSettings } from "./engine-process.ts";
import type { EngineReady } from "./messages.ts";

export interface EnginePoolOptions {
  readonly processes: ProcessSettings;
  /** Processes that wait, ready, for a statement. */
  readonly spares: number;
  readonly slots: Slots;
  /** Told of each process that could not be started. */
  readonly onFailure: (error: Error) => void;
}

export interface TakenProcess {
  readonly process: EngineProcess;
  /** It answered, or somebody read some of the answer. */
  readonly moved: () => void;
}

export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #all = new Set<EngineProcess>();
  /** Nobody's yet, in the order they were started. */
  readonly #spares: EngineProcess[] = [];
  #isFilling = false;
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
  }

  /** Starts the first process: rejects with an `Error` when none can be. */
  async open(): Promise<EngineReady> {
    const first = this.#start();
    this.#spares.push(first);
    return first.ready;
  }

  /**
   * A process that has served nobody; its place is free again when it has ended. Fails with `OVERLOADED`, also when no
   * process can be started, or with the signal's reason. `makeWay` is called when the process is to be ended for others.
   */
  async take(signal: AbortSignal, makeWay: (failure: ConnectorFailure) => void): Promise<TakenProcess> {
    const { giveBack, moved } = await this.#options.slots.take(signal, makeWay);
    const process = this.#spares.shift() ?? this.#start();
    void process.ended.then(giveBack);
    try {
      await process.ready;
      return { process, moved };
    } catch (error) {
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
      // Whoever needs one tries again.
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

  #start(): EngineProcess {
    const process = EngineProcess.start(this.#options.processes);
    this.#all.add(process);
    void process.ended.then(() => {
      this.#all.delete(process);
      const place = this.#spares.indexOf(process);
      if (place >= 0) this.#spares.splice(place, 1);
    });
    return process;
  }

  #failed(error: unknown): void {
    this.#options.onFailure(error instanceof Error ? error : new Error(String(error)));
  }
}
