/** The query cache: what a question finds, and what becomes of an answer that is collected (decisions C10, docs/cache.md). */
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
  /** The second one is read with during a rotation. */
  readonly secrets: readonly [current: string, previous?: string | undefined];
  /** What tells this deployment from others that use the same store and secret. */
  readonly deployment: readonly string[];
  readonly ttlSeconds: number;
  /** An older entry is still answered with for so long, while a new one is made. */
  readonly staleSeconds: number;
  /** Longest wait for the store before the query runs without it. */
  readonly waitMs: number;
  /** Largest entry. */
  readonly maxBytes: number;
  /** Memory of all answers that are collected at once. */
  readonly workBytes: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** One question. */
export interface CacheQuestion {
  /** Everything that its answer depends on, apart from the deployment. */
  readonly parts: readonly string[];
  /** Run it anyway, and replace what is there. */
  readonly override: boolean;
  /** Seconds; nothing older will do. 0 runs it. */
  readonly maxAge: number | undefined;
  /** Of the call: whoever leads takes in no end that came after it fired. */
  readonly signal: AbortSignal;
  /** Fails when the call's time is up. */
  readonly race: <T>(work: Promise<T>) => Promise<T>;
}

export type CacheAnswer =
  | {
      readonly kind: "hit";
      readonly rows: ResultStream;
      readonly createdAt: number;
      /** Seconds for which it is fresh; negative when it is not any more. */
      readonly ttl: number;
      /** Another request's query was waited for. */
      readonly collapsed: boolean;
      /** To be taken when the entry is to be made anew behind the answer. */
      readonly refresh: Lead | undefined;
    }
  | {
      readonly kind: "run";
      readonly because: "miss" | "stale" | "request";
      /** The entry that `override` replaces. */
      readonly replaces: number | undefined;
      /** Absent where nothing of this answer will be kept. */
      readonly lead: Lead | undefined;
      readonly detail: "store-unavailable" | "too-large" | "not-shared" | undefined;
    };

/** Who runs a query for the cache: it has to call one of the two. */
export interface Lead {
  /** Milliseconds since 1970: what the entry will say of its age. */
  readonly createdAt: number;
  /** Takes the source's rows over. `saved` resolves when the entry lies in the store, or will not. */
  collect(source: ResultStream): { readonly rows: ResultStream; readonly saved: Promise<void> };
  /** There is nothing to collect: the query failed, or its caller went. */
  abandon(because: "failed" | "cancelled"): void;
}

export interface QueryCache {
  /** Fails only as `race` does: whatever is wrong with the store, the answer is to run the query. */
  find(question: CacheQuestion): Promise<CacheAnswer>;
  /** Whether the store answers, in the time that a query would give it. */
  isReachable(): Promise<boolean>;
}

/** Clocks of two machines that use one store may differ by so much. */
const SKEW_MS = 60_000;
/** Longest time an entry may take on its way into the store. */
const PUT_WAIT_MS = 10_000;
/** Questions whose answers turned out too large are known for a while, and not collected again. */
const OVERSIZED_KNOWN = 1_000;
/** At once, of entries that are made anew behind stale answers. */
const MOST_REFRESHES = 8;
/** The platform gives work behind an answer 30 s, and ends it without a word: after so long another one may try. */
const REFRESH_LOST_MS = 60_000;

export function createQueryCache(options: QueryCacheOptions): QueryCache {
  return new StoredAnswers(options);
}

interface Names {
  readonly current: string;
  readonly previous: string | undefined;
}

/** What the store says. */
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
  /** Nobody follows these: they know since when they run, and whether a run that began later will replace what they bring. */
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
    // Whoever wants it newer than any entry can be has nothing to look for.
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

  /** Asks the store, on behalf of all who come while it is asked. */
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

  /** What is there is looked for all the same: the answer says how old it was. */
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

  /** Never fails, and waits no longer than it may. */
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
      // An entry from the future would never grow old.
      if (entry === undefined || entry.createdAt > this.#now() + SKEW_MS) return { kind: "nothing" };
      return { kind: "entry", entry };
    } catch {
      return { kind: "unavailable" };
    }
  }

  /** `undefined` when the entry is too old for the question, or is none after all. */
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
      // Sealed by us, and of another version of the frames.
      return undefined;
    }
  }

  #age(createdAt: number): number {
    return Math.max(0, this.#now() - createdAt);
  }

  /** Milliseconds. A caller that says how old an answer may be gets no stale one. */
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

  /** Beside the flights: while it runs, the stale entry is what others get. */
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
    // The caller's time may be up before the refresh is done.
    return new Leading(name, flight, new AbortController().signal, this.#now(), this.#work, done);
  }

  readonly #work: LeadersWork = {
    collect: (source, signal) => collect(source, { ...this.#options, budget: this.#budget, signal }),
    save: async (name, end, createdAt) => {
      // Sealing makes copies of it.
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
        // The store is down or slow: the answer is out already, and the next one asks the source again.
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
        // What was to be replaced must not be answered with again: these bytes cannot be opened.
        await this.#put(name, new Uint8Array(0));
      } catch {
        // As above.
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

/** What leaders leave to the cache. */
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

  /** The query is going to run. */
  depart(): this {
    this.#work.departed(this.#name);
    this.#flight.depart();
    return this;
  }

  /** Clients compare the two times (contract §4.3). */
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
      // Until then others may follow: the store does not have it yet.
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

/** Fails when the time is up, whether or not `work` heeds its signal. */
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
    // It may fail when nobody waits for it any more.
    working.catch(() => undefined);
    return await Promise.race([working, timedOut.promise]);
  } finally {
    clearTimeout(timer);
  }
}
