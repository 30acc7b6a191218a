/** Batches that are made as they are pulled: shared by every source of them. */

const END = { done: true, value: undefined } as const;

/**
 * Concurrent pulls get the batches in order. The first `undefined` or failure is the end. A pull that `close` interrupts also
 * ends without an error: its reader has stopped, and nothing failed.
 */
export class PulledBatches<B> implements AsyncIterableIterator<B> {
  readonly #pull: () => Promise<B | undefined>;
  readonly #stop: () => Promise<void>;
  #isOver = false;
  #pulls = 0;
  #last: Promise<unknown> | undefined;
  #stopped: Promise<void> | undefined;

  /**
   * @param pull The next batch; calls do not overlap, and none follows the last batch.
   * @param stop Called once, when the reader closes, even after the end.
   */
  constructor(pull: () => Promise<B | undefined>, stop: () => Promise<void>) {
    this.#pull = pull;
    this.#stop = stop;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<B, undefined>> {
    const take = () => this.#take();
    // Without a promise chain when pulls do not overlap, the usual case.
    const batch = this.#pulls++ === 0 || this.#last === undefined ? take() : this.#last.then(take, take);
    this.#last = batch;
    return batch;
  }

  async return(): Promise<IteratorResult<B, undefined>> {
    await this.close();
    return END;
  }

  /** Also ends a pending pull. */
  close(): Promise<void> {
    this.#isOver = true;
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #take(): Promise<IteratorResult<B, undefined>> {
    if (this.#isOver) return END;
    try {
      const value = await this.#pull();
      if (this.#isOver || value === undefined) {
        this.#isOver = true;
        return END;
      }
      return { done: false, value };
    } catch (error) {
      if (this.#isOver) return END;
      this.#isOver = true;
      throw error;
    } finally {
      this.#pulls--;
    }
  }
}
