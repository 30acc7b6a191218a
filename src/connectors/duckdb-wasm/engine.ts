/**
 * The engine of an isolate. One statement at a time has it, because its memory is for one and JavaScript that waits within a
 * statement must not meet another. An instance holds data of one owner for as long as it lives: the next owner gets another
 * instance, and the memory of the one before is left to the garbage collector (decisions S610).
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
/** A spare takes 28 MB, 16 of them memory of the engine. Beside an instance that has more than this there is no room for one. */
const MOST_BESIDE_SPARE = 40 * 1024 * 1024;

type Times = Pick<CallOptions, "signal" | "timeoutMs">;

/** The engine, until `end`. */
export interface Turn {
  readonly instance: WasmInstance;
  /** Milliseconds that are left of the statement's time after its wait for others. */
  readonly timeoutMs: number;
  /** `isBroken`: the state of the instance is unknown, and no statement gets it again. Idempotent. */
  end(isBroken: boolean): void;
}

/** An instance, and whose data it holds. */
interface Owned {
  readonly owner: string;
  readonly instance: Promise<WasmInstance>;
  /** The instance, once it has started. */
  started: WasmInstance | undefined;
}

export class WasmEngine {
  readonly #settings: EngineSettings;
  readonly #waiting: (() => void)[] = [];
  /** Until when the holder may have the engine; undefined while nobody has it. */
  #heldUntil: number | undefined;
  #holder = 0;
  #owned: Owned | undefined;
  /** An instance that has held no data and waits for the next owner. */
  #spare: WasmInstance | undefined;
  /** Owners have come in turn, so a spare is worth its memory. */
  #hasSeveralOwners = false;
  #isPreparing = false;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /**
   * `owner` is equal for two statements exactly when one instance may hold data of both. Fails with `OVERLOADED`, or after an
   * abort as `cancelled` says.
   */
  async enter(owner: string, { signal, timeoutMs }: Times): Promise<Turn> {
    if (signal.aborted) throw cancelled(signal);
    // A request that the platform ended has nobody left who would give the engine back.
    if (this.#heldUntil !== undefined && Date.now() > this.#heldUntil) this.#release(this.#holder, true);
    const begun = performance.now();
    if (this.#heldUntil !== undefined) await this.#queue({ signal, timeoutMs });
    const holder = ++this.#holder;
    const leftMs = Math.max(1, timeoutMs - Math.floor(performance.now() - begun));
    this.#heldUntil = Date.now() + leftMs + GRACE_MS;
    try {
      const instance = await this.#instanceOf(owner);
      // Starting takes seconds on a busy machine and does not count as the statement's time.
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
   * Starts a spare where owners come in turn, nobody has the engine and there is room for one. Never fails: without a spare the
   * next owner waits for its instance to start.
   */
  async prepareSpare(): Promise<void> {
    if (!this.#hasSeveralOwners || this.#spare !== undefined || this.#isPreparing) return;
    this.#isPreparing = true;
    try {
      // The end of the answer before goes out first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#heldUntil !== undefined || !this.#hasRoomForSpare()) return;
      const spare = await this.#settings.start();
      if (this.#hasRoomForSpare()) this.#spare = spare;
    } catch {
      // The next owner learns why an instance does not start.
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
      // workerd takes a request that waits for another one for hung unless it has a timer of its own.
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
    // The engine passes to the next one without a gap: a statement that arrives now does not take it.
    this.#heldUntil = next === undefined ? undefined : Date.now() + GRACE_MS;
    next?.();
  }
}
