/** Batches that are made as they are pulled: what every source of them has in common. */

const END = { done: true, value: undefined } as const;

/**
 * Whoever pulls ahead gets the batches in order. The first `undefined` is the end, and so is the first failure; a pull that
 * closing interrupts ends as well, since what its reader gave up did not fail.
 */
export class PulledBatches<B> implements AsyncIterableIterator<B> {
  readonly #pull: () => Promise<B | undefined>;
  readonly #stop: () => Promise<void>;
  #isOver = false;
  #pulls = 0;
  #last: Promise<unknown> | undefined;
  #stopped: Promise<void> | undefined;

  /**
   * @param pull The next batch; not asked again after the last, nor before it has answered.
   * @param stop Called once, when the reader closes, whether or not the end had been reached.
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
    // Without a detour where nobody pulls ahead, which is nearly always.
    const batch = this.#pulls++ === 0 || this.#last === undefined ? take() : this.#last.then(take, take);
    this.#last = batch;
    return batch;
  }

  async return(): Promise<IteratorResult<B, undefined>> {
    await this.close();
    return END;
  }

  /** Ends a pull that waits, too. */
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
