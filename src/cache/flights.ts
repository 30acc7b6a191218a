/**
 * Equal questions at once run one query: the first leads, the others follow. What they share is plain data, since no
 * request may touch streams, sockets, timers or promises of another one in a Worker: each follower looks by itself how it
 * stands with the flight. It never depends on the leader's good fortune: whatever happens to it, the follower asks on its
 * own behalf.
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
/** A follower looks after 1, 2, 4 … ms: it waits about as long again at most, and never longer than this. */
const LONGEST_TURN_MS = 16;

export class Flight {
  /** Another one began later, in order to replace what this one brings. */
  superseded = false;
  /** Milliseconds since 1970: what it brings is no older, unless it was found in the store. */
  readonly startedAt: number;
  readonly #now: () => number;
  #end: FlightEnd | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #aliveAt: number;

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
    return this.#now() - this.#aliveAt > DEAD_AFTER_MS;
  }

  /** The first call counts. */
  land(end: FlightEnd): void {
    this.#end ??= end;
    clearInterval(this.#beat);
  }

  /** Also resolves when the leader is dead, and when `signal` has fired: whoever follows has gone then. */
  async ended(signal: AbortSignal): Promise<FlightEnd> {
    for (let turn = 1; ; turn = Math.min(2 * turn, LONGEST_TURN_MS)) {
      if (this.#end !== undefined) return this.#end;
      if (signal.aborted || this.#isDead()) return { kind: "cancelled" };
      await new Promise((resolve) => setTimeout(resolve, turn));
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
