/**
 * Bodies that are arriving, counted separately from the requests that run. A slow sender only takes room for bodies, and loses it
 * to new bodies when none is left. One arrival never uses timers or streams of another, which a Worker forbids: it marks the
 * other, and that one polls its own state.
 */
export interface ArrivalLimits {
  /** Bodies that arrive or wait for a slot at once. */
  readonly bodies: number;
  /** Total bytes held for them. */
  readonly bytes: number;
  /** Minimum average rate of a body in bytes per second after `GRACE_MS`; 0 for no minimum. */
  readonly bytesPerSecond: number;
}

export interface Arrival {
  /** Resolves when the body must be abandoned: it is late, it is too slow, or others need its room. Never rejects. */
  readonly stopped: Promise<"late" | "slow">;
  /**
   * Announces a body that arrives in one piece of this size. Its room is reserved at once, and it counts as slow when the whole
   * body is overdue. False when there is no room.
   */
  expects(bytes: number): boolean;
  /** Counts received bytes, kept or discarded; false when there is no room to keep them. */
  received(bytes: number, kept: boolean): boolean;
  /** The body has arrived: its rate no longer counts, and it keeps its room until `end`. */
  complete(): void;
  /** Releases the room. Idempotent. */
  end(): void;
}

/** Time before the rate of a body counts: for a handshake, a lost packet, a sender that starts slowly. */
export const GRACE_MS = 5000;
/** A younger body is not abandoned for others: normal bodies take less time. */
export const YOUNG_MS = 1000;
const LOOK_MS = 250;

interface Entry {
  readonly since: number;
  bytes: number;
  received: number;
  state: "arriving" | "complete" | "given up";
}

export class Arrivals {
  readonly #limits: ArrivalLimits;
  readonly #now: () => number;
  readonly #entries = new Set<Entry>();
  #bytes = 0;

  constructor(limits: ArrivalLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  get bodies(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `undefined` when there is no room and none can be freed. `timeoutMs` limits the whole body. */
  begin(timeoutMs = Number.POSITIVE_INFINITY): Arrival | undefined {
    if (this.#entries.size >= this.#limits.bodies && !this.#giveUp((a, b) => a.since < b.since)) return undefined;
    const entry: Entry = { since: this.#now(), bytes: 0, received: 0, state: "arriving" };
    this.#entries.add(entry);
    const { promise: stopped, resolve } = Promise.withResolvers<"late" | "slow">();
    let timer: ReturnType<typeof setTimeout>;
    // One timer for rate and time-out (docs/decisions/0053-the-api-starts-without-drivers.md#decision).
    const look = (): void => {
      const left = timeoutMs - (this.#now() - entry.since);
      if (this.#isSlow(entry) || left <= 0) this.#remove(entry, "given up");
      if (entry.state === "given up") resolve(left <= 0 ? "late" : "slow");
      else timer = setTimeout(look, Math.min(LOOK_MS, left));
    };
    timer = setTimeout(look, Math.min(LOOK_MS, timeoutMs));
    return {
      stopped,
      expects: (bytes) => {
        entry.received = bytes;
        return this.#keep(entry, bytes);
      },
      received: (bytes, kept) => {
        entry.received += bytes;
        return !kept || this.#keep(entry, bytes);
      },
      complete: () => {
        clearTimeout(timer);
        if (entry.state === "arriving") entry.state = "complete";
      },
      end: () => {
        clearTimeout(timer);
        this.#remove(entry, entry.state);
      },
    };
  }

  #keep(entry: Entry, bytes: number): boolean {
    // Its room already belongs to another body.
    if (entry.state === "given up") return true;
    while (this.#bytes + bytes > this.#limits.bytes) {
      if (!this.#giveUp((a, b) => a.bytes > b.bytes, entry)) return false;
    }
    entry.bytes += bytes;
    this.#bytes += bytes;
    return true;
  }

  #isSlow({ since, received, state }: Entry): boolean {
    const counted = this.#now() - since - GRACE_MS;
    return state === "arriving" && counted > 0 && received < (this.#limits.bytesPerSecond * counted) / 1000;
  }

  /** Abandons the first body by `before` among those older than `YOUNG_MS`; false if there is none. */
  #giveUp(before: (a: Entry, b: Entry) => boolean, except?: Entry): boolean {
    let chosen: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry === except || entry.state !== "arriving" || this.#now() - entry.since < YOUNG_MS) continue;
      if (chosen === undefined || before(entry, chosen)) chosen = entry;
    }
    if (chosen === undefined) return false;
    this.#remove(chosen, "given up");
    return true;
  }

  #remove(entry: Entry, state: Entry["state"]): void {
    entry.state = state;
    if (!this.#entries.delete(entry)) return;
    this.#bytes -= entry.bytes;
  }
}
