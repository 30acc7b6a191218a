/**
 * Whoever waits for a source waits until the caller has gone or time is over. Both are watched here and nowhere else, with
 * one listener and one timer for a wait: a short request has few enough of them to be counted (decisions S209).
 */

/** Why a wait ended before what was waited for: the signal fired, or the time was over. */
export type Ending = "aborted" | "late";

export interface Bounds {
  readonly signal?: AbortSignal | undefined;
  /** No end without. */
  readonly milliseconds?: number | undefined;
}

/** Calls `over` once, never after `end`, and never before the constructor has returned. */
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

  /** What was waited for has come. Idempotent. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

/** `work`, or a rejection with what `failure` says of the ending that came before it. The work itself goes on. */
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
 * As `waitFor`, for work that can be told: its signal fires with the failure. Whether it then ends is its own affair;
 * resolving a name, for one, cannot be broken off. After an abort the work is not begun.
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

/** Resolves after so many milliseconds, or rejects with the signal's reason when it fires first. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    new Watch({ signal, milliseconds }, (ending) => {
      if (ending === "late") resolve();
      else reject(signal.reason);
    });
  });
}
