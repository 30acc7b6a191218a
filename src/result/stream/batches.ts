/** Batches by two functions. */
import type { Batch } from "../types.ts";

/** A class: for a literal with a computed member V8 leaves its fast paths, for each stream around a stream. */
export class Batches implements AsyncIterableIterator<Batch> {
  readonly next: () => Promise<IteratorResult<Batch>>;
  readonly #stop: () => unknown;

  /** `stop` is called when the reader ends before the batches do. */
  constructor(next: () => Promise<IteratorResult<Batch>>, stop: () => unknown) {
    this.next = next;
    this.#stop = stop;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async return(): Promise<IteratorResult<Batch>> {
    await this.#stop();
    return { done: true, value: undefined };
  }
}
