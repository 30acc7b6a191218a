/** The body of an answer that fails when nothing comes for too long while somebody waits, and when the call is given up. */
import type { ByteSource } from "../../result/stream/chunk-reader.ts";

export interface WatchOptions {
  /** A slow reader is no silence: only time in which a read waits counts. */
  readonly silenceMs: number;
  readonly onSilence: (milliseconds: number) => Error;
  /** Aborted: the body fails with the signal's reason and its connection is given up, whatever the platform's `fetch` does. */
  readonly signal: AbortSignal;
}

/** No stream of its own over the platform's: each costs workerd as much as a small answer, and cuts it into 4 KiB. */
export class WatchedBody implements ByteSource {
  readonly #reader: ByteSource;
  readonly #options: WatchOptions;
  readonly #giveUp = (): void => this.#fail(this.#options.signal.reason);
  #failure: { readonly error: unknown } | undefined;
  /** Ends the read that waits. */
  #reject: ((error: unknown) => void) | undefined;
  #waitsSince = 0;
  /** Set once, and again only when it goes off: a read is too short for a timer of its own. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: ByteSource, options: WatchOptions) {
    this.#reader = source;
    this.#options = options;
    const { signal } = options;
    if (signal.aborted) this.#giveUp();
    else signal.addEventListener("abort", this.#giveUp, { once: true });
  }

  read(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure.error);
        return;
      }
      this.#reject = reject;
      this.#waitsSince = Date.now();
      if (this.#timer === undefined) this.#watch(this.#options.silenceMs);
      this.#reader.read().then(
        (bytes) => {
          this.#reject = undefined;
          if (bytes === undefined) this.#end();
          resolve(bytes);
        },
        (error) => this.#fail(error),
      );
    });
  }

  cancel(): Promise<void> {
    this.#end();
    return this.#reader.cancel();
  }

  #watch(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#reject === undefined) return;
      const { silenceMs, onSilence } = this.#options;
      const silent = Date.now() - this.#waitsSince;
      // Timers may go off a little early.
      if (silent >= silenceMs - 1) this.#fail(onSilence(silenceMs));
      else this.#watch(silenceMs - silent);
    }, milliseconds);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end();
    // Nobody waits for the rest.
    this.#reader.cancel().catch(() => undefined);
    this.#reject?.(this.#failure.error);
    this.#reject = undefined;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#options.signal.removeEventListener("abort", this.#giveUp);
  }
}
