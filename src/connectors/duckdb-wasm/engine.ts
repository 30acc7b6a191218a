/**
 * The engine of an isolate, which one statement at a time has for itself: memory is for one, and what JavaScript waits for
 * within a statement must not meet another. Each begins with a database and files of its own.
 */
import type { CallOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { Watch } from "../watch.ts";
import type { WasmInstance } from "./instance.ts";

export interface EngineSettings {
  readonly start: () => Promise<WasmInstance>;
  /** Statements that wait for the one that runs. */
  readonly mostWaiting: number;
}

/** How long a statement may go on holding the engine after its time, in milliseconds. */
const GRACE_MS = 5000;

type Wish = Pick<CallOptions, "signal" | "timeoutMs">;

/** The engine, until `end`. */
export interface Turn {
  readonly instance: WasmInstance;
  /** What is left of the statement's time behind its wait for others, in milliseconds. */
  readonly timeoutMs: number;
  /** `isBroken`: nothing is known of its state, and nobody gets this one again. Idempotent. */
  end(isBroken: boolean): void;
}

export class WasmEngine {
  readonly #settings: EngineSettings;
  readonly #waiting: (() => void)[] = [];
  /** Until when whoever has it may have it; undefined: nobody does. */
  #heldUntil: number | undefined;
  #holder = 0;
  #instance: Promise<WasmInstance> | undefined;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /** Fails with `OVERLOADED`, or after an abort as `cancelled` says. */
  async enter({ signal, timeoutMs }: Wish): Promise<Turn> {
    if (signal.aborted) throw cancelled(signal);
    // A request that the platform ended has nobody left who would give the engine back.
    if (this.#heldUntil !== undefined && Date.now() > this.#heldUntil) this.#release(this.#holder, true);
    const begun = performance.now();
    if (this.#heldUntil !== undefined) await this.#queue({ signal, timeoutMs });
    const holder = ++this.#holder;
    const leftMs = Math.max(1, timeoutMs - Math.floor(performance.now() - begun));
    this.#heldUntil = Date.now() + leftMs + GRACE_MS;
    try {
      this.#instance ??= this.#settings.start();
      const instance = await this.#instance;
      // Starting takes seconds on a busy machine, and is not of the statement's time.
      if (holder === this.#holder) this.#heldUntil = Date.now() + leftMs + GRACE_MS;
      let hasEnded = false;
      const end = (isBroken: boolean): void => {
        if (!hasEnded) this.#release(holder, isBroken);
        hasEnded = true;
      };
      return { instance, timeoutMs: leftMs, end };
    } catch (error) {
      this.#release(holder, true);
      throw new ConnectorFailure("SOURCE_CRASHED", "The engine of the files Worker does not start.", { cause: error });
    }
  }

  #queue({ signal, timeoutMs }: Wish): Promise<void> {
    if (this.#waiting.length >= this.#settings.mostWaiting) {
      throw new ConnectorFailure("OVERLOADED", "Too many statements wait for the files Worker.", { retryAfter: 5 });
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        watch.end();
        resolve();
      };
      // Without a timer of its own workerd takes a request for hung that waits for another.
      const watch = new Watch({ signal, milliseconds: timeoutMs }, (ending) => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        const late = () =>
          new ConnectorFailure("STATEMENT_TIMEOUT", `The statement waited longer than ${timeoutMs} ms.`);
        reject(ending === "aborted" ? cancelled(signal) : late());
      });
      this.#waiting.push(enter);
    });
  }

  #release(holder: number, isBroken: boolean): void {
    if (holder !== this.#holder || this.#heldUntil === undefined) return;
    if (isBroken) this.#instance = undefined;
    const next = this.#waiting.shift();
    // Handed over without a gap: nobody who comes in between takes it.
    this.#heldUntil = next === undefined ? undefined : Date.now() + GRACE_MS;
    next?.();
  }
}
