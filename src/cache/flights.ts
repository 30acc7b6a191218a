/**
 * Concurrent requests with the same question run one query: the first request leads, the others follow. They share only plain
 * data, because in a Worker no request may use streams, sockets, timers or promises of another. Each follower therefore polls the
 * state of the flight. A follower never depends on its leader: whatever happens to the leader, the follower can run the query
 * itself.
 */
import type { CacheEntry } from "./sealing.ts";

export type FlightEnd =
  | { readonly kind: "entry"; readonly entry: CacheEntry }
  /** The leader's request ended; another request may lead. */
  | { readonly kind: "cancelled" }
  /** The answer cannot be shared: every request runs the query. */
  | { readonly kind: "alone" };

/** The platform ends a request's work without notice when its client disconnects, so a leader sends heartbeats. */
const BEAT_MS = 2_000;
const DEAD_AFTER_MS = 3 * BEAT_MS;
/** A follower polls after 1, 2, 4 … ms: it overshoots by at most the time already waited, and by at most this interval. */
const LONGEST_TURN_MS = 16;

export class Flight {
  /** A newer flight will replace the result of this one. */
  superseded = false;
  /** Milliseconds since 1970. The result is not older than this, unless it was found in the store. */
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

  /** The query starts now. Before, the flight only reads the store, which is limited to less than a heartbeat. */
  depart(): void {
    this.#aliveAt = this.#now();
    this.#beat = setInterval(() => {
      this.#aliveAt = this.#now();
    }, BEAT_MS);
  }

  #isDead(): boolean {
    return this.#now() - this.#aliveAt > DEAD_AFTER_MS;
  }

  /** Only the first call has an effect. */
  land(end: FlightEnd): void {
    this.#end ??= end;
    clearInterval(this.#beat);
  }

  /** Also resolves when the leader is dead, and when `signal` has fired: the follower's request has then ended. */
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

  /** Replaces a flight in progress: later requests follow the new one. */
  begin(name: string): Flight {
    const previous = this.#flights.get(name);
    if (previous !== undefined) previous.superseded = true;
    const flight = new Flight(this.#now);
    this.#flights.set(name, flight);
    return flight;
  }

  /** Ends following: later requests do not find the flight. */
  remove(name: string, flight: Flight): void {
    if (this.#flights.get(name) === flight) this.#flights.delete(name);
  }
}
