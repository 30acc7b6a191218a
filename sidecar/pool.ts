/**
 * Open connections, kept for the next request with the same identity: logging in takes ten times as long as a small query.
 * Of anything that can be opened, reset, checked and closed. Whoever returns one that is not known to be clean loses it.
 *
 * A place in the pool belongs to a live caller. A client that closes its connection in silence is not told apart from one that
 * waits for its answer, so no caller takes the last place of an identity beside another of its own, and a request that has
 * nothing to show for its place makes way while others wait.
 */
import { hash, randomBytes } from "node:crypto";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import type { ConnectionPool, Loan, Reusable } from "../src/connectors/pooling.ts";
import { Watch, waitFor } from "../src/connectors/watch.ts";
import { type Lent, type PoolUser, PoolUsers, type UsedPlaces } from "./pool-users.ts";

export interface PoolLimits {
  /** Open connections of one identity, those included that are being opened or reset. */
  readonly perIdentity: number;
  /** Open connections in all. */
  readonly total: number;
  /** Requests of one identity that wait for a connection at once; more are refused. */
  readonly waiting: number;
  readonly waitMs: number;
  /** A request keeps its place for so long without anything moving while others wait. */
  readonly holdMs: number;
  /** A connection that nobody has used for so long is closed. */
  readonly idleMs: number;
  /** A connection that nobody has used for so long is asked whether it still lives before somebody gets it. */
  readonly checkMs: number;
  /** No connection is kept for longer: what servers and balancers forget about, and what sessions gather, ends with it. */
  readonly lifetimeMs: number;
}

/** Since the process began, but for the first three. */
export interface PoolCounters {
  /** Connections now, at work or not. */
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for a connection now. */
  readonly waiting: number;
  readonly opened: number;
  /** Requests that were served by a connection that had been open. */
  readonly reused: number;
  readonly closed: number;
  /** Of those closed: by the other side, or found broken. */
  readonly broken: number;
  /** Of those closed: given back in a state that nobody else may see, or not reset in time. */
  readonly unclean: number;
  /** Broken ones that another took the place of while a request had them. */
  readonly replaced: number;
  /** Requests that found every place taken, by `waiting` or by `waitMs`. */
  readonly refused: number;
}

/** A reset or a check that takes longer has failed: perhaps somebody waits for it, and logging in takes less. */
const ANSWER_MS = 2000;
/** How often expiry is looked at. */
const SWEEP_MS = 1000;
/** How often requests that wait look for one that has to make way. */
const LOOK_MS = 250;

interface Entry {
  readonly key: string;
  readonly connection: Reusable;
  readonly openedAt: number;
  idleSince: number;
}

interface Waiter {
  readonly key: string;
  readonly user: PoolUser | undefined;
  readonly enter: (place: Place) => void;
  readonly refuse: (failure: ConnectorFailure) => void;
}

/** A place in the pool: an idle connection or, without, the right to open one. */
interface Place {
  readonly entry: Entry | undefined;
  readonly lent: Lent;
}

type Counts = { -readonly [name in keyof PoolCounters as Exclude<name, "open" | "idle" | "waiting">]: number };

export class Pool implements ConnectionPool {
  readonly #limits: PoolLimits;
  /** Keys hold passwords, so that a changed one does not meet an old login: kept as digests that mean nothing elsewhere. */
  readonly #digestKey = randomBytes(32).toString("hex");
  /** Per identity: places taken, by connections or by the right to open one. */
  readonly #taken = new Map<string, number>();
  #total = 0;
  /** Places that will be free when a connection is closed. */
  #leaving = 0;
  /** Per identity: connections that are being reset. */
  readonly #returning = new Map<string, number>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Entry>();
  readonly #waiting = new Set<Waiter>();
  readonly #users: PoolUsers;
  #looking: ReturnType<typeof setInterval> | undefined;
  /** Connections on their way back or out. */
  readonly #settling = new Set<Promise<void>>();
  readonly #counts: Counts = { opened: 0, reused: 0, closed: 0, broken: 0, unclean: 0, replaced: 0, refused: 0 };
  #sweeping: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
    this.#users = new PoolUsers(limits.holdMs);
  }

  /** The pool as one request sees it. */
  for(user: PoolUser): ConnectionPool {
    return { borrow: (identity, open, signal) => this.borrow(identity, open, signal, user) };
  }

  get counters(): PoolCounters {
    return { open: this.#total, idle: this.#idle.size, waiting: this.#waiting.size, ...this.#counts };
  }

  async borrow<T extends Reusable>(
    identity: string,
    open: () => Promise<T>,
    signal: AbortSignal,
    user?: PoolUser,
  ): Promise<Loan<T>> {
    const key = hash("sha256", this.#digestKey + identity, "base64");
    signal.throwIfAborted();
    for (;;) {
      const { entry, lent } = this.#place(key, this.#ahead(key), user) ?? (await this.#wait(key, signal, user));
      if (entry === undefined) return this.#lendNew(lent, open);
      const usable = await this.#usable(entry);
      if (signal.aborted) {
        this.#users.end(lent);
        if (usable) this.#keep(entry);
        throw signal.reason;
      }
      if (!usable) {
        this.#users.end(lent);
        continue;
      }
      this.#counts.reused++;
      // Connections of one identity are of one kind.
      return this.#loan(entry.connection as T, entry, lent, open, true);
    }
  }

  /** Closes what is idle, and what is lent when it is given back. Resolves when all that is on its way out is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of this.#idle) this.#discard(entry);
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
    clearInterval(this.#looking);
    this.#looking = undefined;
    while (this.#settling.size > 0) await Promise.allSettled([...this.#settling]);
  }

  #ahead(key: string): number {
    let count = 0;
    for (const waiter of this.#waiting) if (waiter.key === key) count++;
    return count;
  }

  #usedPlaces(key: string): UsedPlaces {
    const idle = [...this.#idle].filter((one) => one.key === key).length;
    return {
      freeOfKey: this.#limits.perIdentity - ((this.#taken.get(key) ?? 0) - idle),
      perIdentity: this.#limits.perIdentity,
      free: this.#limits.total - (this.#total - this.#idle.size),
      total: this.#limits.total,
    };
  }

  /**
   * An idle connection, or the right to open one; `undefined` when there is neither, when the last place is not for this user,
   * and when a connection is about to come back: a reset takes a tenth of a login. `ahead` as many are before us.
   */
  #place(key: string, ahead: number, user: PoolUser | undefined): Place | undefined {
    if (!this.#users.mayTake(key, user, this.#usedPlaces(key))) return undefined;
    // The last one used: the others come nearer to their end.
    const entry = [...this.#idle].findLast((one) => one.key === key);
    if (entry !== undefined) {
      this.#idle.delete(entry);
      return { entry, lent: this.#users.begin(key, user) };
    }
    if (ahead < (this.#returning.get(key) ?? 0)) return undefined;
    if ((this.#taken.get(key) ?? 0) >= this.#limits.perIdentity || this.#total >= this.#limits.total) return undefined;
    count(this.#taken, key, 1);
    this.#total++;
    return { entry: undefined, lent: this.#users.begin(key, user) };
  }

  #wait(key: string, signal: AbortSignal, user: PoolUser | undefined): Promise<Place> {
    const { waiting, waitMs } = this.#limits;
    const isReturning = this.#ahead(key) < (this.#returning.get(key) ?? 0);
    if (!isReturning && this.#ahead(key) >= waiting) {
      const full = this.#refuse("and as many requests as may wait for one do");
      const last = this.#lastOfMany(key, user);
      if (last === undefined) throw full;
      last.refuse(full);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        key,
        user,
        enter: (place) => {
          watch.end();
          this.#waiting.delete(waiter);
          resolve(place);
        },
        refuse: (failure) => {
          watch.end();
          this.#waiting.delete(waiter);
          reject(failure);
        },
      };
      const watch = new Watch({ signal, milliseconds: waitMs }, (ending) => {
        this.#waiting.delete(waiter);
        reject(ending === "aborted" ? signal.reason : this.#refuse(`and none was given back for ${waitMs} ms`));
      });
      this.#waiting.add(waiter);
      this.#looking ??= setInterval(() => this.#askForWay(), Math.min(LOOK_MS, this.#limits.holdMs)).unref();
      this.#makeRoom();
    });
  }

  /** The last request in line of the caller that has most of them there, where `user` has fewer with this one. */
  #lastOfMany(key: string, user: PoolUser | undefined): Waiter | undefined {
    if (user?.caller === undefined) return undefined;
    const lines = Map.groupBy(
      [...this.#waiting].filter((waiter) => waiter.key === key),
      (waiter) => waiter.user?.caller,
    );
    const [longest = []] = [...lines.values()].sort((a, b) => b.length - a.length);
    const own = lines.get(user.caller)?.length ?? 0;
    return longest.length > own + 1 ? longest.at(-1) : undefined;
  }

  /** As many as wait end those whose place shows nothing. */
  #askForWay(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    for (const [key, waiters] of Map.groupBy(this.#waiting, (waiter) => waiter.key)) {
      this.#users.askForWay(key, waiters.length, this.#usedPlaces(key));
    }
  }

  /** Idle connections of others make way for those that wait for a place alone, the longest idle first. */
  #makeRoom(): void {
    if (this.#total < this.#limits.total) return;
    const wanted = [...this.#waiting].filter(
      ({ key }) => (this.#taken.get(key) ?? 0) < this.#limits.perIdentity,
    ).length;
    for (const entry of this.#idle) {
      if (wanted <= this.#leaving) return;
      this.#discard(entry);
    }
  }

  #refuse(detail: string): ConnectorFailure {
    this.#counts.refused++;
    return new ConnectorFailure("OVERLOADED", `All connections to this data source are in use, ${detail}.`, {
      hint: "Try again, or raise POOL_PER_CONNECTION or POOL_TOTAL of the sidecar as far as the source has room.",
      retryAfter: 1,
    });
  }

  /** Whoever can be served now: callers that hold fewer places first, then in the order they came. */
  #serveWaiting(): void {
    const passed = new Map<string, number>();
    for (let left = [...this.#waiting]; left.length > 0; ) {
      const waiter = this.#users.next(left);
      left = left.filter((each) => each !== waiter);
      const ahead = passed.get(waiter.key) ?? 0;
      const place = this.#place(waiter.key, ahead, waiter.user);
      if (place === undefined) passed.set(waiter.key, ahead + 1);
      else waiter.enter(place);
    }
    this.#makeRoom();
  }

  async #lendNew<T extends Reusable>(lent: Lent, open: () => Promise<T>): Promise<Loan<T>> {
    const { key } = lent;
    let connection: T;
    try {
      connection = await open();
    } catch (error) {
      this.#users.end(lent);
      this.#leave(key);
      throw error;
    }
    this.#counts.opened++;
    const now = Date.now();
    const entry: Entry = { key, connection, openedAt: now, idleSince: now };
    void connection.ended.then(() => {
      if (!this.#idle.has(entry)) return;
      this.#counts.broken++;
      this.#discard(entry);
    });
    return this.#loan(connection, entry, lent, open, false);
  }

  #loan<T extends Reusable>(
    connection: T,
    entry: Entry,
    lent: Lent,
    open: () => Promise<T>,
    isReused: boolean,
  ): Loan<T> {
    let isOver = false;
    return {
      connection,
      isReused,
      replace: async () => {
        if (isOver) throw new ConnectorFailure("CANCELLED", "The connection has been given back.");
        isOver = true;
        this.#counts.replaced++;
        this.#counts.broken++;
        this.#discardIdle(entry.key);
        await connection.close();
        this.#counts.closed++;
        return this.#lendNew(lent, open);
      },
      end: async () => {
        if (isOver) return;
        isOver = true;
        this.#users.end(lent);
        this.#settle(this.#takeBack(entry));
      },
    };
  }

  async #takeBack(entry: Entry): Promise<void> {
    const { connection } = entry;
    if (connection.isUsable && !this.#isClosed && !this.#isOld(entry)) {
      count(this.#returning, entry.key, 1);
      const isClean = await inTime(connection.reset());
      count(this.#returning, entry.key, -1);
      if (isClean) return this.#keep(entry);
      this.#counts.unclean++;
    } else if (!connection.isUsable) this.#counts.unclean++;
    this.#discard(entry);
    // Somebody may have waited for this one rather than open another.
    this.#serveWaiting();
  }

  #keep(entry: Entry): void {
    if (!entry.connection.isUsable || this.#isClosed) {
      this.#discard(entry);
      return;
    }
    entry.idleSince = Date.now();
    this.#idle.add(entry);
    this.#sweeping ??= setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#limits.idleMs)).unref();
    this.#serveWaiting();
  }

  async #usable(entry: Entry): Promise<boolean> {
    const { connection, idleSince } = entry;
    let lives = connection.isUsable && !this.#isOld(entry);
    if (lives && Date.now() - idleSince >= this.#limits.checkMs) {
      lives = await inTime(connection.check());
      if (!lives) {
        this.#counts.broken++;
        this.#discardIdle(entry.key);
      }
    }
    if (!lives) this.#discard(entry);
    return lives;
  }

  /** What broke one has broken the others. */
  #discardIdle(key: string): void {
    for (const entry of this.#idle) if (entry.key === key) this.#discard(entry);
  }

  #isOld({ openedAt }: Entry): boolean {
    return Date.now() - openedAt >= this.#limits.lifetimeMs;
  }

  #sweep(): void {
    const now = Date.now();
    for (const entry of this.#idle) {
      if (now - entry.idleSince >= this.#limits.idleMs || this.#isOld(entry)) this.#discard(entry);
    }
    if (this.#idle.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  /** The place is free when the connection is closed: the source counts it until then. */
  #discard(entry: Entry): void {
    this.#idle.delete(entry);
    this.#leaving++;
    this.#settle(
      entry.connection.close().then(() => {
        this.#leaving--;
        this.#counts.closed++;
        this.#leave(entry.key);
      }),
    );
  }

  #leave(key: string): void {
    count(this.#taken, key, -1);
    this.#total--;
    this.#serveWaiting();
  }

  #settle(work: Promise<void>): void {
    this.#settling.add(work);
    void work.finally(() => this.#settling.delete(work));
  }
}

/** Adds to a count that is kept while it is not 0. */
function count(counts: Map<string, number>, key: string, change: number): void {
  const sum = (counts.get(key) ?? 0) + change;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}

/** Whether `work` succeeds before it has taken too long. */
async function inTime(work: Promise<void>): Promise<boolean> {
  try {
    await waitFor(work, { milliseconds: ANSWER_MS }, () => new ConnectorFailure("UPSTREAM_PROTOCOL", "No answer."));
    return true;
  } catch {
    return false;
  }
}
