/** An iterator of batches made of two functions. */
import type { Batch } from "../types.ts";

/** A class, because V8 leaves its fast paths for an object literal with a computed member, once per wrapped stream. */
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
