/** The query cache: looks up questions and stores collected answers (docs/decisions/0032-cache.md, docs/reference/cache.md). */
import type { ResultStream } from "../result/types.ts";
import { type CollectionEnd, collect } from "./collection.ts";
import { Flight, Flights } from "./flights.ts";
import type { Frames } from "./frames.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { type CacheEntry, createSealer, type Sealer } from "./sealing.ts";
import type { CacheStore } from "./store.ts";

export interface QueryCacheOptions {
  readonly frames: Frames;
  readonly store: CacheStore;
  /** The previous secret is used to read entries during a rotation. */
  readonly secrets: readonly [current: string, previous?: string | undefined];
  /** Distinguishes this deployment from others that use the same store and secret. */
  readonly deployment: readonly string[];
  readonly ttlSeconds: number;
  /** After its time to live, an entry may be served this much longer while a new one is made. */
  readonly staleSeconds: number;
  /** Longest wait for the store before the query runs without it. */
  readonly waitMs: number;
  /** Maximum size of an entry. */
  readonly maxBytes: number;
  /** Memory limit for all answers that are collected at once. */
  readonly workBytes: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** One question. */
export interface CacheQuestion {
  /** Every input that the answer depends on, apart from the deployment. */
  readonly parts: readonly string[];
  /** Runs the query in any case and replaces the entry. */
  readonly override: boolean;
  /** Maximum age in seconds; 0 runs the query. */
  readonly maxAge: number | undefined;
  /** Signal of the call: the leader ignores an end that arrives after it fired. */
  readonly signal: AbortSignal;
  /** Rejects when the call times out. */
  readonly race: <T>(work: Promise<T>) => Promise<T>;
}

export type CacheAnswer =
  | {
      readonly kind: "hit";
      readonly rows: ResultStream;
      readonly createdAt: number;
      /** Seconds of remaining freshness; negative for a stale entry. */
      readonly ttl: number;
      /** The answer comes from another request's query. */
      readonly collapsed: boolean;
      /** Present when the entry should be refreshed after the answer. */
      readonly refresh: Lead | undefined;
    }
  | {
      readonly kind: "run";
      readonly because: "miss" | "stale" | "request";
      /** Creation time of the entry that `override` replaces. */
      readonly replaces: number | undefined;
      /** Absent when this answer will not be cached. */
      readonly lead: Lead | undefined;
      readonly detail: "store-unavailable" | "too-large" | "not-shared" | undefined;
    };

/** Held by the request that runs the query; it must call `collect` or `abandon`. */
export interface Lead {
  /** Milliseconds since 1970; the age of the entry counts from this time. */
  readonly createdAt: number;
  /** Takes ownership of the source's rows. `saved` resolves when the entry is stored, or will not be. */
  collect(source: ResultStream): { readonly rows: ResultStream; readonly saved: Promise<void> };
  /** There is no answer to collect: the query failed or was cancelled. */
  abandon(because: "failed" | "cancelled"): void;
}

export interface QueryCache {
  /** Rejects only as `race` does: if the store fails, the answer is to run the query. */
  find(question: CacheQuestion): Promise<CacheAnswer>;
  /** Whether the store answers within the time limit of a lookup. */
  isReachable(): Promise<boolean>;
}

/** Maximum difference between the clocks of two machines that share a store. */
const SKEW_MS = 60_000;
/** Maximum time for writing an entry to the store. */
const PUT_WAIT_MS = 10_000;
/** Number of remembered questions whose answers were too large; these are not collected again for a while. */
const OVERSIZED_KNOWN = 1_000;
/** Maximum number of concurrent refreshes of stale entries. */
const MOST_REFRESHES = 8;
/** The platform limits work after an answer to 30 s and ends it without notice; after this time another request may try. */
const REFRESH_LOST_MS = 60_000;

export function createQueryCache(options: QueryCacheOptions): QueryCache {
  return new StoredAnswers(options);
}

interface Names {
  readonly current: string;
  readonly previous: string | undefined;
}

/** The result of a lookup in the store. */
type Found =
  | { readonly kind: "entry"; readonly entry: CacheEntry }
  | { readonly kind: "nothing" }
  | { readonly kind: "unavailable" };

class StoredAnswers implements QueryCache {
  readonly #options: QueryCacheOptions;
  readonly #now: () => number;
  readonly #sealers: readonly [Sealer, Sealer?];
  readonly #flights: Flights;
  readonly #budget: MemoryBudget;
  readonly #oversized = new Map<string, number>();
  /** These flights have no followers; they record when a refresh started and whether a newer run will replace its result. */
  readonly #refreshing = new Map<string, Flight>();

  constructor(options: QueryCacheOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const [current, previous] = options.secrets;
    this.#sealers = previous === undefined ? [createSealer(current)] : [createSealer(current), createSealer(previous)];
    this.#flights = new Flights(this.#now);
    this.#budget = new MemoryBudget(options.workBytes);
  }

  async find(question: CacheQuestion): Promise<CacheAnswer> {
    const names = await this.#namesOf(question);
    if (question.override) return this.#override(names, question);
    if (this.#isOversized(names.current)) return run("miss", undefined, "too-large");
    // No entry can be new enough, so the store is not read.
    if (question.maxAge === 0) return run("request", this.#lead(names.current, question).depart());
    for (;;) {
      const flight = this.#flights.get(names.current);
      if (flight === undefined || this.#age(flight.startedAt) > this.#oldest(question)) break;
      const end = await question.race(flight.ended(question.signal));
      if (end.kind === "alone") return run("miss", undefined, "not-shared");
      if (end.kind === "cancelled") {
        this.#flights.remove(names.current, flight);
        continue;
      }
      const hit = await this.#answer(end.entry, question, { collapsed: true, refresh: undefined });
      if (hit !== undefined) return hit;
      break;
    }
    return this.#look(names, question);
  }

  async isReachable(): Promise<boolean> {
    const name = await this.#sealers[0].nameOf([...this.#options.deployment, "readiness"]);
    const asked = within(this.#options.waitMs, (signal) => this.#options.store.get(name, signal));
    return asked.then(
      () => true,
      () => false,
    );
  }

  /** Reads the store for all requests that arrive in the meantime. */
  async #look(names: Names, question: CacheQuestion): Promise<CacheAnswer> {
    const lead = this.#lead(names.current, question);
    try {
      const found = await question.race(this.#read(names));
      if (found.kind === "unavailable") return run("miss", lead.depart(), "store-unavailable");
      if (found.kind === "nothing") return run("miss", lead.depart());
      const { entry } = found;
      const isStale = this.#age(entry.createdAt) > this.#options.ttlSeconds * 1000;
      const refresh = isStale ? this.#refresh(names.current, question) : undefined;
      const hit = await this.#answer(entry, question, { collapsed: false, refresh });
      if (hit === undefined) {
        refresh?.abandon("cancelled");
        return run("stale", lead.depart());
      }
      lead.found(entry);
      return hit;
    } catch (error) {
      lead.abandon("cancelled");
      throw error;
    }
  }

  /** Reads the store even so: the answer reports the age of the replaced entry. */
  async #override(names: Names, question: CacheQuestion): Promise<CacheAnswer> {
    const lead = this.#lead(names.current, question);
    try {
      const found = await question.race(this.#read(names));
      const replaces = found.kind === "entry" ? found.entry.createdAt : undefined;
      if (replaces !== undefined) lead.replaces(replaces);
      const detail = found.kind === "unavailable" ? "store-unavailable" : undefined;
      const because = replaces === undefined ? "miss" : "request";
      return { kind: "run", because, replaces, lead: lead.depart(), detail };
    } catch (error) {
      lead.abandon("cancelled");
      throw error;
    }
  }

  async #namesOf({ parts }: CacheQuestion): Promise<Names> {
    const [current, previous] = this.#sealers;
    const whole = [...this.#options.deployment, ...parts];
    return { current: await current.nameOf(whole), previous: await previous?.nameOf(whole) };
  }

  /** Never rejects, and waits at most `waitMs`. */
  async #read(names: Names): Promise<Found> {
    const [current, previous] = this.#sealers;
    const read = async (sealer: Sealer, name: string): Promise<CacheEntry | undefined> => {
      const value = await within(this.#options.waitMs, (signal) => this.#options.store.get(name, signal));
      return value === undefined ? undefined : sealer.open(name, value);
    };
    try {
      const [found, older] = await Promise.all([
        read(current, names.current),
        previous !== undefined && names.previous !== undefined ? read(previous, names.previous) : undefined,
      ]);
      const entry = found ?? older;
      // An entry with a creation time in the future would never expire.
      if (entry === undefined || entry.createdAt > this.#now() + SKEW_MS) return { kind: "nothing" };
      return { kind: "entry", entry };
    } catch {
      return { kind: "unavailable" };
    }
  }

  /** `undefined` when the entry is too old for the question, or cannot be read. */
  async #answer(
    { createdAt, frames }: CacheEntry,
    question: CacheQuestion,
    rest: { readonly collapsed: boolean; readonly refresh: Lead | undefined },
  ): Promise<Extract<CacheAnswer, { kind: "hit" }> | undefined> {
    const age = this.#age(createdAt);
    if (age > this.#oldest(question)) return undefined;
    try {
      const answer = await this.#options.frames.read(frames, { revive: () => new Error("An entry holds rows.") });
      if (answer.kind !== "result") return undefined;
      const ttl = Math.floor(this.#options.ttlSeconds - age / 1000);
      return { kind: "hit", rows: answer.stream, createdAt, ttl, ...rest };
    } catch {
      // Sealed by this deployment, but with another version of the frames.
      return undefined;
    }
  }

  #age(createdAt: number): number {
    return Math.max(0, this.#now() - createdAt);
  }

  /** Maximum age in milliseconds. A request with `max-age` never gets a stale answer. */
  #oldest({ maxAge }: CacheQuestion): number {
    const { ttlSeconds, staleSeconds } = this.#options;
    return (maxAge === undefined ? ttlSeconds + staleSeconds : Math.min(ttlSeconds, maxAge)) * 1000;
  }

  #isOversized(name: string): boolean {
    const until = this.#oversized.get(name);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#oversized.delete(name);
    return false;
  }

  #lead(name: string, question: CacheQuestion): Leading {
    const flight = this.#flights.begin(name);
    return new Leading(name, flight, question.signal, this.#now(), this.#work);
  }

  /** Starts no flight: while the refresh runs, other requests get the stale entry. */
  #refresh(name: string, question: CacheQuestion): Lead | undefined {
    if (question.maxAge !== undefined) return undefined;
    for (const [other, { startedAt }] of this.#refreshing) {
      if (this.#now() - startedAt > REFRESH_LOST_MS) this.#refreshing.delete(other);
    }
    if (this.#refreshing.size >= MOST_REFRESHES || this.#refreshing.has(name)) return undefined;
    const flight = new Flight(this.#now);
    this.#refreshing.set(name, flight);
    const done = (): void => {
      if (this.#refreshing.get(name) === flight) this.#refreshing.delete(name);
    };
    // The refresh may outlast the caller's time limit.
    return new Leading(name, flight, new AbortController().signal, this.#now(), this.#work, done);
  }

  readonly #work: LeadersWork = {
    collect: (source, signal) => collect(source, { ...this.#options, budget: this.#budget, signal }),
    save: async (name, end, createdAt) => {
      // Sealing makes copies of the frames.
      const copies = 2 * end.frames.length;
      try {
        if (!this.#budget.take(copies)) return;
        try {
          const value = await this.#sealers[0].seal(name, { createdAt, frames: end.frames });
          await this.#put(name, value);
        } finally {
          this.#budget.give(copies);
        }
      } catch {
        // The store is down or slow. The answer has already been sent, and the next request asks the source again.
      } finally {
        end.release();
      }
    },
    oversized: async (name, replaces) => {
      const [oldest] = this.#oversized.keys();
      if (oldest !== undefined && this.#oversized.size >= OVERSIZED_KNOWN) this.#oversized.delete(oldest);
      this.#oversized.set(name, this.#now() + this.#options.ttlSeconds * 1000);
      if (!replaces) return;
      try {
        // The replaced entry must not be served again: these bytes cannot be opened.
        await this.#put(name, new Uint8Array(0));
      } catch {
        // The store is down or slow.
      }
    },
    departed: (name) => {
      const refresh = this.#refreshing.get(name);
      if (refresh !== undefined) refresh.superseded = true;
    },
    landed: (name, flight) => this.#flights.remove(name, flight),
  };

  #put(name: string, value: Uint8Array): Promise<void> {
    const { ttlSeconds, staleSeconds, store } = this.#options;
    return within(PUT_WAIT_MS, (signal) => store.put(name, value, ttlSeconds + staleSeconds, signal));
  }
}

/** The operations of the cache that leaders use. */
interface LeadersWork {
  readonly collect: (source: ResultStream, signal: AbortSignal) => ReturnType<typeof collect>;
  readonly save: (name: string, end: Extract<CollectionEnd, { kind: "complete" }>, createdAt: number) => Promise<void>;
  readonly oversized: (name: string, replaces: boolean) => Promise<void>;
  readonly departed: (name: string) => void;
  readonly landed: (name: string, flight: Flight) => void;
}

class Leading implements Lead {
  readonly #name: string;
  readonly #flight: Flight;
  readonly #signal: AbortSignal;
  readonly #work: LeadersWork;
  readonly #done: () => void;
  #createdAt: number;
  #replaces = false;

  constructor(
    name: string,
    flight: Flight,
    signal: AbortSignal,
    now: number,
    work: LeadersWork,
    done: () => void = () => undefined,
  ) {
    this.#name = name;
    this.#flight = flight;
    this.#signal = signal;
    this.#createdAt = now;
    this.#work = work;
    this.#done = done;
  }

  get createdAt(): number {
    return this.#createdAt;
  }

  /** The query starts. */
  depart(): this {
    this.#work.departed(this.#name);
    this.#flight.depart();
    return this;
  }

  /** Clients compare the two times (docs/spec/contract.md#cache-headers). */
  replaces(createdAt: number): void {
    this.#replaces = true;
    this.#createdAt = Math.max(this.#createdAt, createdAt + 1);
  }

  found(entry: CacheEntry): void {
    this.#land({ kind: "entry", entry });
    this.#forget();
  }

  abandon(because: "failed" | "cancelled"): void {
    this.#land({ kind: because === "failed" ? "alone" : "cancelled" });
    this.#forget();
  }

  collect(source: ResultStream): { readonly rows: ResultStream; readonly saved: Promise<void> } {
    const { rows, end } = this.#work.collect(source, this.#signal);
    return { rows, saved: end.then((outcome) => this.#settle(outcome)) };
  }

  async #settle(end: CollectionEnd): Promise<void> {
    try {
      switch (end.kind) {
        case "complete":
          this.#land({ kind: "entry", entry: { createdAt: this.#createdAt, frames: end.frames } });
          if (this.#flight.superseded) end.release();
          else await this.#work.save(this.#name, end, this.#createdAt);
          return;
        case "too large":
          this.#land({ kind: "alone" });
          await this.#work.oversized(this.#name, this.#replaces);
          return;
        case "no room":
        case "unfit":
        case "failed":
          this.#land({ kind: "alone" });
          return;
        case "cancelled":
          this.#land({ kind: "cancelled" });
          return;
        default:
          end satisfies never;
      }
    } finally {
      // Until now others could follow, because the store did not have the entry.
      this.#forget();
    }
  }

  #land(end: Parameters<Flight["land"]>[0]): void {
    this.#flight.land(end);
  }

  #forget(): void {
    this.#work.landed(this.#name, this.#flight);
    this.#done();
  }
}

function run(
  because: "miss" | "stale" | "request",
  lead: Lead | undefined,
  detail?: Extract<CacheAnswer, { kind: "run" }>["detail"],
): CacheAnswer {
  return { kind: "run", because, replaces: undefined, lead, detail };
}

/** Rejects on time-out, even if `work` ignores its signal. */
async function within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController();
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error("The store did not answer in time.");
    control.abort(error);
    timedOut.reject(error);
  }, milliseconds);
  try {
    const working = work(control.signal);
    // It may reject after the time-out, when no code awaits it.
    working.catch(() => undefined);
    return await Promise.race([working, timedOut.promise]);
  } finally {
    clearTimeout(timer);
  }
}
