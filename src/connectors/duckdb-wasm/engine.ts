/**
 * The engine of an isolate. Only one statement at a time uses it, because its memory is enough for one, and because JavaScript that
 * waits within a statement must not be re-entered. An instance holds data of one owner during its whole life: the next owner gets
 * another instance, and the garbage collector frees the memory of the previous one
 * (docs/decisions/0055-one-owner-per-engine.md#decision).
 */
import type { CallOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { Watch } from "../watch.ts";
import type { WasmInstance } from "./instance.ts";

export interface EngineSettings {
  readonly start: () => Promise<WasmInstance>;
  /** Maximum number of waiting statements. */
  readonly mostWaiting: number;
}

/** Extra milliseconds for which a statement may hold the engine after its time-out. */
const GRACE_MS = 5000;
/**
 * A spare takes 28 MB, of which 16 MB are memory of the engine. An instance with more memory than this leaves no room for a
 * spare.
 */
const MOST_BESIDE_SPARE = 40 * 1024 * 1024;

type Times = Pick<CallOptions, "signal" | "timeoutMs">;

/** Use of the engine until `end`. */
export interface Turn {
  readonly instance: WasmInstance;
  /** Milliseconds that remain of the statement's time after its wait for others. */
  readonly timeoutMs: number;
  /** `isBroken`: the state of the instance is unknown, and no statement uses it again. Idempotent. */
  end(isBroken: boolean): void;
}

/** An instance and the owner of its data. */
interface Owned {
  readonly owner: string;
  readonly instance: Promise<WasmInstance>;
  /** The instance after its start. */
  started: WasmInstance | undefined;
}

export class WasmEngine {
  readonly #settings: EngineSettings;
  readonly #waiting: (() => void)[] = [];
  /** End of the current holder's time; undefined while the engine is free. */
  #heldUntil: number | undefined;
  #holder = 0;
  #owned: Owned | undefined;
  /** An instance that has held no data and waits for the next owner. */
  #spare: WasmInstance | undefined;
  /** Owners have alternated, so a spare is worth its memory. */
  #hasSeveralOwners = false;
  #isPreparing = false;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /**
   * `owner` is equal for two statements exactly when one instance may hold data of both. Rejects with `OVERLOADED`, or after an
   * abort with the result of `cancelled`.
   */
  async enter(owner: string, { signal, timeoutMs }: Times): Promise<Turn> {
    if (signal.aborted) throw cancelled(signal);
    // A request that the platform has ended can no longer release the engine.
    if (this.#heldUntil !== undefined && Date.now() > this.#heldUntil) this.#release(this.#holder, true);
    const begun = performance.now();
    if (this.#heldUntil !== undefined) await this.#queue({ signal, timeoutMs });
    const holder = ++this.#holder;
    const leftMs = Math.max(1, timeoutMs - Math.floor(performance.now() - begun));
    this.#heldUntil = Date.now() + leftMs + GRACE_MS;
    try {
      const instance = await this.#instanceOf(owner);
      // The start takes seconds on a busy machine, and does not count as the statement's time.
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

  /**
   * Starts a spare if owners alternate, the engine is free and there is room for one. Never rejects: without a spare the next
   * owner waits for the start of its instance.
   */
  async prepareSpare(): Promise<void> {
    if (!this.#hasSeveralOwners || this.#spare !== undefined || this.#isPreparing) return;
    this.#isPreparing = true;
    try {
      // Lets the end of the previous answer be sent first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#heldUntil !== undefined || !this.#hasRoomForSpare()) return;
      const spare = await this.#settings.start();
      if (this.#hasRoomForSpare()) this.#spare = spare;
    } catch {
      // The next owner gets the error when its own instance does not start.
    } finally {
      this.#isPreparing = false;
    }
  }

  /** Bytes of the spare's memory. */
  get spareMemory(): number {
    return this.#spare?.memory ?? 0;
  }

  #hasRoomForSpare(): boolean {
    return this.#owned === undefined || (this.#owned.started?.memory ?? 0) <= MOST_BESIDE_SPARE;
  }

  async #instanceOf(owner: string): Promise<WasmInstance> {
    if (this.#owned !== undefined && this.#owned.owner !== owner) {
      this.#hasSeveralOwners = true;
      this.#owned = undefined;
    }
    this.#owned ??= this.#take(owner);
    const owned = this.#owned;
    const instance = await owned.instance;
    owned.started = instance;
    instance.onGrowth = (bytes) => {
      if (this.#owned === owned && bytes > MOST_BESIDE_SPARE) this.#spare = undefined;
    };
    return instance;
  }

  #take(owner: string): Owned {
    const spare = this.#spare;
    this.#spare = undefined;
    return { owner, instance: spare === undefined ? this.#settings.start() : Promise.resolve(spare), started: spare };
  }

  #queue({ signal, timeoutMs }: Times): Promise<void> {
    if (this.#waiting.length >= this.#settings.mostWaiting) {
      throw new ConnectorFailure("OVERLOADED", "Too many statements wait for the files Worker.", { retryAfter: 5 });
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        watch.end();
        resolve();
      };
      // workerd considers a request that waits for another as hung, unless it has its own timer.
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
    if (isBroken) this.#owned = undefined;
    const next = this.#waiting.shift();
    // The engine passes directly to the next waiting statement: a new statement cannot take it first.
    this.#heldUntil = next === undefined ? undefined : Date.now() + GRACE_MS;
    next?.();
  }
}
