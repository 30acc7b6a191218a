/**
 * Equal questions at once run one query: the first leads, the others follow. What they get is plain bytes, since neither
 * streams nor sockets of one request may be touched by another one in a Worker. A follower never depends on the leader's
 * good fortune: whatever happens to it, the follower asks on its own behalf.
 */
import type { CacheEntry } from "./sealing.ts";

export type FlightEnd =
  | { readonly kind: "entry"; readonly entry: CacheEntry }
  /** The leader went away; somebody else may lead. */
  | { readonly kind: "cancelled" }
  /** There is no answer that could be shared: everybody runs the query. */
  | { readonly kind: "alone" };

/** The platform ends a request's work when its client has gone, without a word to us: a leader says that it lives. */
const BEAT_MS = 2_000;
const DEAD_AFTER_MS = 3 * BEAT_MS;

export class Flight {
  /** Another one began later, in order to replace what this one brings. */
  superseded = false;
  /** Milliseconds since 1970: what it brings is no older, unless it was found in the store. */
  readonly startedAt: number;
  readonly #now: () => number;
  readonly #end = Promise.withResolvers<FlightEnd>();
  #beat: ReturnType<typeof setInterval> | undefined;
  #aliveAt: number;
  #landed = false;

  constructor(now: () => number) {
    this.#now = now;
    this.startedAt = now();
    this.#aliveAt = this.startedAt;
  }

  /** The query runs from now on. Asking the store takes no longer than a beat, or it is given up. */
  depart(): void {
    this.#aliveAt = this.#now();
    this.#beat = setInterval(() => {
      this.#aliveAt = this.#now();
    }, BEAT_MS);
  }

  #isDead(): boolean {
    return !this.#landed && this.#now() - this.#aliveAt > DEAD_AFTER_MS;
  }

  /** The first call counts. */
  land(end: FlightEnd): void {
    this.#landed = true;
    clearInterval(this.#beat);
    this.#end.resolve(end);
  }

  /** Also resolves when the leader is dead. */
  async ended(): Promise<FlightEnd> {
    // Whoever comes later need not find out anew.
    if (this.#isDead()) return { kind: "cancelled" };
    let timer: ReturnType<typeof setInterval> | undefined;
    const died = new Promise<FlightEnd>((resolve) => {
      timer = setInterval(() => {
        if (this.#isDead()) resolve({ kind: "cancelled" });
      }, BEAT_MS);
    });
    try {
      return await Promise.race([this.#end.promise, died]);
    } finally {
      clearInterval(timer);
    }
  }
}

export class Flights {
  readonly #now: () => number;
  readonly #flights = new Map<string, Flight>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(name: string): Flight | undefined {
    return this.#flights.get(name);
  }

  /** Takes the place of one that is under way: whoever comes from now on follows this one. */
  begin(name: string): Flight {
    const previous = this.#flights.get(name);
    if (previous !== undefined) previous.superseded = true;
    const flight = new Flight(this.#now);
    this.#flights.set(name, flight);
    return flight;
  }

  /** Nobody follows it any more. */
  remove(name: string, flight: Flight): void {
    if (this.#flights.get(name) === flight) this.#flights.delete(name);
  }
}
