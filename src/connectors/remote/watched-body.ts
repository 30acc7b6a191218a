/** A response body that fails after too long a silence during a read, and when the call is aborted. */
import type { ByteSource } from "../../result/stream/chunk-reader.ts";
import { Watch } from "../watch.ts";
import type { Patience } from "./patience.ts";

export interface WatchOptions {
  /** A slow reader does not count as silence: only the time of a pending read counts. */
  readonly silenceMs: number;
  readonly onSilence: (milliseconds: number) => Error;
  /** The call's timer; the call has no other wait in the meantime. */
  readonly patience: Patience;
  /**
   * When aborted, the body fails with the signal's reason and the connection is dropped, whatever the platform's `fetch` does.
   */
  readonly signal: AbortSignal;
}

/** No additional stream around the platform's: each costs workerd as much as a small answer, and splits it into 4 KiB chunks. */
export class WatchedBody implements ByteSource {
  readonly #reader: ByteSource;
  readonly #options: WatchOptions;
  readonly #watch: Watch;
  #failure: { readonly error: unknown } | undefined;
  /** Rejects the pending read. */
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
    // The rest is not needed.
    this.#reader.cancel().catch(() => undefined);
    this.#reject?.(this.#failure.error);
    this.#reject = undefined;
  }

  #end(): void {
    this.#options.patience.stop();
    this.#watch.end();
  }
}
