/** Places for work that takes memory and a thread of its own, given out in the order they were asked for. */
import { ConnectorFailure } from "../src/connectors/failure.ts";

export class Slots {
  readonly #waitMs: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** `waitMs`: whoever has no place by then is told to come back. */
  constructor(places: number, waitMs: number) {
    this.#free = places;
    this.#waitMs = waitMs;
  }

  /** Resolves to the function that gives the place back (idempotent). Fails with `OVERLOADED`, or with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        const place = this.#waiting.indexOf(enter);
        if (place >= 0) this.#waiting.splice(place, 1);
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      const abort = (): void => {
        leave();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        leave();
        const message = `All places for statements were taken for ${this.#waitMs} ms.`;
        reject(new ConnectorFailure("OVERLOADED", message, { retryAfter: 1 }));
      }, this.#waitMs);
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(enter);
    });
  }
}
