/**
 * Bodies on their way in, counted apart from the requests that run: a sender that drips costs room here and nothing else,
 * and makes way for whoever comes when there is none left. One arrival never touches another's timers or streams, which a
 * Worker forbids: it marks the other one, and that one looks after itself.
 */
export interface ArrivalLimits {
  /** Bodies that arrive or wait for a place at once. */
  readonly bodies: number;
  /** Bytes of them that are held together. */
  readonly bytes: number;
  /** Bytes per second that a body must come with, on the average after `GRACE_MS`; 0 for any. */
  readonly bytesPerSecond: number;
}

export interface Arrival {
  /** Resolves when the body has to be given up: its time is over, or it comes too slowly or others need its room. Never rejects. */
  readonly stopped: Promise<"late" | "slow">;
  /**
   * It comes in one piece of so many bytes, which is seen when it is there: its room is taken at once, and it counts as slow
   * when all of it is overdue. False when there is no room.
   */
  expects(bytes: number): boolean;
  /** Notes bytes that came and are kept or thrown away; false when there is no room to keep them. */
  received(bytes: number, kept: boolean): boolean;
  /** The body is there: it is not hurried any more, and its room is its own until `end`. */
  complete(): void;
  /** Gives the room back. Idempotent. */
  end(): void;
}

/** Time that every body has before its pace counts: for a handshake, a lost packet, a sender that begins slowly. */
export const GRACE_MS = 5000;
/** A body that has been on its way for less makes no way for others: bodies in good health take less. */
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

  /** `undefined` when there is no room, and none to be made. `timeoutMs` is for all of the body. */
  begin(timeoutMs = Number.POSITIVE_INFINITY): Arrival | undefined {
    if (this.#entries.size >= this.#limits.bodies && !this.#giveUp((a, b) => a.since < b.since)) return undefined;
    const entry: Entry = { since: this.#now(), bytes: 0, received: 0, state: "arriving" };
    this.#entries.add(entry);
    const { promise: stopped, resolve } = Promise.withResolvers<"late" | "slow">();
    let timer: ReturnType<typeof setTimeout>;
    // One timer for pace and time (decisions S209).
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
    // Its room is somebody else's already.
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

  /** Gives up the one that comes first by `before` of those that had time; false without any. */
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
