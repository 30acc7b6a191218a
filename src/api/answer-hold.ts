/** How much of an answer is held back before its status goes out, and what all held answers of an isolate come to. */

export interface HoldLimits {
  /** Milliseconds from the first row. */
  readonly milliseconds: number;
  /** Bytes of one answer. */
  readonly bytes: number;
}

/** Bytes of all answers that an isolate holds at once. */
const MOST_BYTES = 8 * 1024 * 1024;

export class AnswerHolds {
  readonly limits: HoldLimits;
  #left = MOST_BYTES;

  constructor(limits: HoldLimits) {
    this.limits = limits;
  }

  /** Room for one answer; without room it is sent as it comes. */
  begin(): AnswerHold | undefined {
    const { bytes } = this.limits;
    if (bytes === 0 || bytes > this.#left) return undefined;
    this.#left -= bytes;
    let isReleased = false;
    return {
      limits: this.limits,
      release: () => {
        if (!isReleased) this.#left += bytes;
        isReleased = true;
      },
    };
  }
}

export interface AnswerHold {
  readonly limits: HoldLimits;
  release(): void;
}
