/** Memory limit of one isolate for all answers that are being collected for the cache. */
export class MemoryBudget {
  readonly #maxBytes: number;
  #taken = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Reserves all of `bytes`, or nothing if they do not fit. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#maxBytes) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
