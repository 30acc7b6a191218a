/** The memory that all answers on their way into the cache may take together, in one isolate. */
export class MemoryBudget {
  readonly #maxBytes: number;
  #taken = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes nothing when there is not room for all of it. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#maxBytes) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
