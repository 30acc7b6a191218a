/**
 * Open connections, kept for the next request with the same identity: logging in takes ten times as long as a small
 * query. Works for anything that can be opened, reset, checked and closed. A connection returned in an unknown state is
 * closed.
 *
 * A slot in the pool belongs to a live caller. A client that silently closed its connection looks like one that waits
 * for its answer. So no caller takes the last slot of an identity while it holds another, and a request without
 * progress makes way while others wait.
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
  /** A request without progress keeps its slot this long while others wait. */
  readonly holdMs: number;
  /** A connection unused for this long is closed. */
  readonly idleMs: number;
  /** A connection unused for this long is checked before its next use. */
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
  /** Closed because the server closed them, or because they failed. */
  readonly broken: number;
  /** Closed because they were returned in an unclean state, or not reset in time. */
  readonly unclean: number;
  /** Broken connections replaced by another during a request. */
  readonly replaced: number;
  /** Requests that found all slots taken, by `waiting` or by `waitMs`. */
  readonly refused: number;
}

/** A reset or check that takes longer counts as failed: requests may wait for the connection, and a new login is faster. */
const ANSWER_MS = 2000;
/** Interval of expiry checks. */
const SWEEP_MS = 1000;
/** Interval at which waiting requests look for one that must make way. */
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

/** A slot in the pool: an idle connection, or the right to open one. */
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

  /** Closes idle connections now and lent ones on return. Resolves when all closing connections are closed. */
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
   * An idle connection, or the right to open one; `undefined` if there is neither, if the last slot is not for this
   * user, or if a connection is about to return: a reset takes a tenth of a login. `ahead` requests are before this
   * one.
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

  /** The last waiting request of the caller with the most of them, if `user` has fewer including this one. */
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

  /** Ends as many requests without progress as others wait. */
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

  /**
   * Closes idle connections of other identities for requests that wait for a slot of the pool, the longest idle first.
   */
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

  /** Serves waiting requests: callers that hold fewer slots first, then in order of arrival. */
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
    // A request may be waiting for this connection instead of opening another.
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

  /** The event that broke one connection has probably broken the others. */
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

  /** The slot is free when the connection is closed: the source counts it until then. */
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

/** Whether `work` succeeds in time. */
async function inTime(work: Promise<void>): Promise<boolean> {
  try {
    await waitFor(work, { milliseconds: ANSWER_MS }, () => new ConnectorFailure("UPSTREAM_PROTOCOL", "No answer."));
    return true;
  } catch {
    return false;
  }
}
