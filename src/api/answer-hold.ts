/** Limits how much of an answer is held before its status is sent, and the sum of all held answers of an isolate. */

export interface HoldLimits {
  /** Milliseconds after the first row. */
  readonly milliseconds: number;
  /** Maximum bytes of one answer. */
  readonly bytes: number;
}

/** Maximum bytes of all answers that an isolate holds at once. */
const MOST_BYTES = 8 * 1024 * 1024;

export class AnswerHolds {
  readonly limits: HoldLimits;
  #left = MOST_BYTES;

  constructor(limits: HoldLimits) {
    this.limits = limits;
  }

  /** Reserves room for one answer; without room the answer is streamed. */
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
