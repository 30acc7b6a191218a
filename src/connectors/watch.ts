/**
 * Every wait for a source ends when the caller disconnects or a time limit passes. This module watches both, with one listener and
 * one timer per wait: a short request has so few of them that each counts
 * (docs/decisions/0053-the-api-starts-without-drivers.md#decision).
 */

/** The reason why a wait ended early: the signal fired, or the time was over. */
export type Ending = "aborted" | "late";

export interface Bounds {
  readonly signal?: AbortSignal | undefined;
  /** Unlimited if absent. */
  readonly milliseconds?: number | undefined;
}

/** Calls `over` at most once, never after `end`, and never before the constructor has returned. */
export class Watch {
  readonly #signal: AbortSignal | undefined;
  readonly #over: (ending: Ending) => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor({ signal, milliseconds }: Bounds, over: (ending: Ending) => void) {
    this.#signal = signal;
    this.#over = over;
    if (signal?.aborted) {
      queueMicrotask(this.#onAbort);
      return;
    }
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (milliseconds !== undefined) this.#timer = setTimeout(this.#onTime, milliseconds);
  }

  readonly #onAbort = (): void => {
    if (this.#isOver) return;
    this.end();
    this.#over("aborted");
  };

  readonly #onTime = (): void => {
    this.end();
    this.#over("late");
  };

  /** Ends the watch, because the wait is over. Idempotent. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

/** Settles as `work`, or rejects with the result of `failure` for the ending that came first. The work itself continues. */
export function waitFor<T>(work: Promise<T>, bounds: Bounds, failure: (ending: Ending) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = new Watch(bounds, (ending) => reject(failure(ending)));
    work.then(
      (value) => {
        watch.end();
        resolve(value);
      },
      (error) => {
        watch.end();
        reject(error);
      },
    );
  });
}

/**
 * `waitFor` for work that takes a signal, which fires with the failure. The work may ignore the signal: resolving a name, for
 * example, cannot be interrupted. After an abort the work is not started.
 */
export async function within<T>(
  bounds: Bounds,
  failure: (ending: Ending) => unknown,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (bounds.signal?.aborted) throw failure("aborted");
  const controller = new AbortController();
  return waitFor(work(controller.signal), bounds, (ending) => {
    const reason = failure(ending);
    controller.abort(reason);
    return reason;
  });
}

/** Resolves after `milliseconds`, or rejects with the signal's reason when it fires first. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    new Watch({ signal, milliseconds }, (ending) => {
      if (ending === "late") resolve();
      else reject(signal.reason);
    });
  });
}
