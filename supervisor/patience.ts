/** When a process counts as hung, and how long the supervisor waits before it starts one again. No clock, no process. */

/** Unanswered probes, one after the other, that end a process. */
export const MOST_MISSES = 3;

/** The end of one probe's interval. */
export interface ProbeOutcome {
  /** The process had reported that it serves before the interval began. */
  readonly isReady: boolean;
  readonly hasAnswered: boolean;
  /** The supervisor's own timer rang late: the supervisor did not run for a while, and perhaps neither did the machine. */
  readonly isLate: boolean;
}

/** Counts the missed probes of one process. */
export class ProbeCount {
  readonly #mostStarting: number;
  #misses = 0;
  #starting = 0;
  #isAfterPause = false;

  /** `mostStarting`: intervals that a process may take until it serves. */
  constructor(mostStarting: number) {
    this.#mostStarting = mostStarting;
  }

  /** Whether the process counts as hung now. */
  isHungAfter({ isReady, hasAnswered, isLate }: ProbeOutcome): boolean {
    // A probe during a pause proves nothing, and neither does the first one after it: the process may have been paused too.
    const counts = !isLate && !this.#isAfterPause;
    this.#isAfterPause = isLate;
    if (hasAnswered) {
      this.#misses = 0;
      return false;
    }
    if (!counts) return false;
    return isReady ? ++this.#misses >= MOST_MISSES : ++this.#starting >= this.#mostStarting;
  }
}

const FIRST_PAUSE_MS = 100;
/** A process that ran for this long did not die because of how it was started. */
export const STEADY_MS = 60_000;

/** Milliseconds until a process is started again that has died `deaths` times before, one after the other. */
export function pauseAfter(deaths: number, longest: number): number {
  return Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(deaths, 30));
}
