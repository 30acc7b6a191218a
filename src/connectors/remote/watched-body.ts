/** The body of an answer that fails when nothing comes for too long while somebody waits, and when the call is given up. */
import type { ByteSource } from "../../result/stream/chunk-reader.ts";
import { Watch } from "../watch.ts";
import type { Patience } from "./patience.ts";

export interface WatchOptions {
  /** A slow reader is no silence: only time in which a read waits counts. */
  readonly silenceMs: number;
  readonly onSilence: (milliseconds: number) => Error;
  /** Of the call, which waits for nothing else meanwhile. */
  readonly patience: Patience;
  /** Aborted: the body fails with the signal's reason and its connection is given up, whatever the platform's `fetch` does. */
  readonly signal: AbortSignal;
}

/** No stream of its own over the platform's: each costs workerd as much as a small answer, and cuts it into 4 KiB. */
export class WatchedBody implements ByteSource {
  readonly #reader: ByteSource;
  readonly #options: WatchOptions;
  readonly #watch: Watch;
  #failure: { readonly error: unknown } | undefined;
  /** Ends the read that waits. */
  #reject: ((error: unknown) => void) | undefined;

  constructor(source: ByteSource, options: WatchOptions) {
    this.#reader = source;
    this.#options = options;
    const { signal } = options;
    this.#watch = new Watch({ signal }, () => this.#fail(signal.reason));
  }

  read(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure.error);
        return;
      }
      this.#reject = reject;
      const { patience, silenceMs, onSilence } = this.#options;
      patience.begin(silenceMs, () => this.#fail(onSilence(silenceMs)));
      this.#reader.read().then(
        (bytes) => {
          this.#reject = undefined;
          patience.end();
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

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end();
    // Nobody waits for the rest.
    this.#reader.cancel().catch(() => undefined);
    this.#reject?.(this.#failure.error);
    this.#reject = undefined;
  }

  #end(): void {
    this.#options.patience.stop();
    this.#watch.end();
  }
}
