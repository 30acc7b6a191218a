/**
 * Durations of the phases of a request, in milliseconds. On Cloudflare the clock advances only with I/O and not while code runs,
 * so `plan`, which does no I/O, is always zero on Cloudflare.
 */

/** In order: credentials, body, slot, plan, the query cache, connection, first batch of rows, the others. */
export type Phase = "authenticate" | "body" | "queue" | "plan" | "cache" | "connect" | "firstRow" | "lastRow";

export type PhaseTimes = Readonly<Partial<Record<Phase, number>>>;

export class Phases {
  readonly #now: () => number;
  readonly #begun = new Map<Phase, number>();
  readonly #times = new Map<Phase, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(phase: Phase): void {
    this.#begun.set(phase, this.#now());
  }

  /** Does nothing for a phase that was not started. */
  end(phase: Phase): void {
    const since = this.#begun.get(phase);
    if (since === undefined) return;
    this.#begun.delete(phase);
    this.#times.set(phase, (this.#times.get(phase) ?? 0) + this.#now() - since);
  }

  async during<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    this.begin(phase);
    try {
      return await work();
    } finally {
      this.end(phase);
    }
  }

  /** Ends the phases that are still running: a failed request counts the time until its failure. */
  finish(): PhaseTimes {
    for (const phase of [...this.#begun.keys()]) this.end(phase);
    return Object.fromEntries([...this.#times].map(([phase, time]) => [phase, Math.round(time * 10) / 10]));
  }
}
