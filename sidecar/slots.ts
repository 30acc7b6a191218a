/**
 * Slots for work that takes memory and a thread, given out in order of arrival. A holder without progress must make way
 * while others wait: a caller that silently closed its connection looks like one that waits for its answer.
 */
import { ConnectorFailure } from "../src/connectors/failure.ts";
import { Watch } from "../src/connectors/watch.ts";

export interface SlotLimits {
  readonly places: number;
  /** A request without a slot by then gets a retry error. */
  readonly waitMs: number;
  /** A slot without progress is kept this long while others wait. */
  readonly holdMs: number;
}

export interface Slot {
  /** The source answered, or the client read a part of the answer. */
  moved(): void;
  /** Idempotent. */
  giveBack(): void;
}

interface Holder {
  movedAt: number;
  isLeaving: boolean;
  readonly makeWay: (failure: ConnectorFailure) => void;
}

const LOOK_MS = 250;
/** Seconds: a caller that had to make way would meet the same load if it returned at once. */
const RETRY_AFTER_MAKING_WAY = 10;

export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: (() => void)[] = [];
  /** In the order they came in. */
  readonly #holders = new Set<Holder>();
  #free: number;
  #look: ReturnType<typeof setInterval> | undefined;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#free = limits.places;
  }

  get counts(): { readonly places: number; readonly taken: number; readonly waiting: number } {
    return { places: this.#limits.places, taken: this.#limits.places - this.#free, waiting: this.#waiting.length };
  }

  /** Fails with `OVERLOADED`, or with the signal's reason. `makeWay` is called at most once, and has to end in `giveBack`. */
  async take(signal: AbortSignal, makeWay: Holder["makeWay"]): Promise<Slot> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    const holder: Holder = { movedAt: Date.now(), isLeaving: false, makeWay };
    this.#holders.add(holder);
    return {
      moved: () => {
        holder.movedAt = Date.now();
      },
      giveBack: () => {
        if (!this.#holders.delete(holder)) return;
        const next = this.#waiting.shift();
        if (next === undefined) this.#free++;
        else next();
      },
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { waitMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const watch = new Watch({ signal, milliseconds: waitMs }, (ending) => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        const message = `All places for statements were taken for ${waitMs} ms.`;
        reject(ending === "aborted" ? signal.reason : new ConnectorFailure("OVERLOADED", message, { retryAfter: 1 }));
      });
      const enter = (): void => {
        watch.end();
        resolve();
      };
      this.#waiting.push(enter);
      this.#look ??= setInterval(() => this.#askForWay(), LOOK_MS);
    });
  }

  /** Ends as many holders as requests wait, the longest idle first. */
  #askForWay(): void {
    if (this.#waiting.length === 0) {
      clearInterval(this.#look);
      this.#look = undefined;
      return;
    }
    const { holdMs } = this.#limits;
    const leaving = [...this.#holders].filter(({ isLeaving }) => isLeaving).length;
    const still = [...this.#holders]
      .filter(({ isLeaving, movedAt }) => !isLeaving && Date.now() - movedAt >= holdMs)
      .sort((a, b) => a.movedAt - b.movedAt);
    for (const holder of still.slice(0, Math.max(0, this.#waiting.length - leaving))) {
      holder.isLeaving = true;
      const message = `Nothing came of the statement for ${holdMs / 1000} seconds, and other statements wait.`;
      holder.makeWay(new ConnectorFailure("OVERLOADED", message, { retryAfter: RETRY_AFTER_MAKING_WAY }));
    }
  }
}
