/** The pool by itself, over connections that are played; `test/connectors/postgres/pooled.test.ts` has real ones. */
import { describe, expect, it, vi } from "vitest";
import { Pool, type PoolLimits } from "../../sidecar/pool.ts";
import type { PoolUser } from "../../sidecar/pool-users.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Reusable } from "../../src/connectors/pooling.ts";
import { eventually } from "../support/eventually.ts";

const LIMITS: PoolLimits = {
  perIdentity: 2,
  total: 3,
  waiting: 2,
  waitMs: 10_000,
  holdMs: 60_000,
  idleMs: 60_000,
  checkMs: 60_000,
  lifetimeMs: 60_000,
};

class Played implements Reusable {
  isUsable = true;
  resets = 0;
  checks = 0;
  isClosed = false;
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;
  /** Behaviour of `reset` and `check`. */
  answers: () => Promise<void> = () => Promise.resolve();

  reset(): Promise<void> {
    this.resets++;
    return this.answers();
  }

  check(): Promise<void> {
    this.checks++;
    return this.answers();
  }

  async close(): Promise<void> {
    this.isUsable = false;
    this.isClosed = true;
    this.#end.resolve();
  }

  /** The other side ends it. */
  breaks(): void {
    this.isUsable = false;
    this.#end.resolve();
  }
}

function pooled(limits: Partial<PoolLimits> = {}) {
  const pool = new Pool({ ...LIMITS, ...limits });
  const opened: Played[] = [];
  const open = async (): Promise<Played> => {
    const connection = new Played();
    opened.push(connection);
    return connection;
  };
  const borrow = (identity = "a", signal = new AbortController().signal) => pool.borrow(identity, open, signal);
  const user = (caller: string | undefined): PoolUser & { readonly ended: Promise<ConnectorFailure> } => {
    const { promise: ended, resolve } = Promise.withResolvers<ConnectorFailure>();
    return { caller, movedAt: Date.now(), makeWay: resolve, ended };
  };
  const borrowFor = (who: PoolUser, identity = "a", signal = new AbortController().signal) =>
    pool.for(who).borrow(identity, open, signal);
  const idle = (count: number) => eventually(() => expect(pool.counters.idle).toBe(count));
  return { pool, opened, borrow, borrowFor, user, idle };
}

describe("a connection", () => {
  it("serves the next request of the same identity when it has been reset, and no other identity", async () => {
    const { pool, opened, borrow, idle } = pooled();
    const first = await borrow("a");
    expect(first.isReused).toBe(false);
    await first.end();
    await idle(1);
    expect(opened[0]?.resets).toBe(1);
    const second = await borrow("a");
    expect(second.connection).toBe(first.connection);
    expect(second.isReused).toBe(true);
    const other = await borrow("b");
    expect(other.connection).not.toBe(first.connection);
    expect(pool.counters).toMatchObject({ open: 2, idle: 0, opened: 2, reused: 1 });
  });

  it("is given back once, however often its end is told", async () => {
    const { pool, borrow, idle } = pooled();
    const loan = await borrow();
    await Promise.all([loan.end(), loan.end()]);
    await idle(1);
    await loan.end();
    const again = await borrow();
    await loan.end();
    expect(pool.counters).toMatchObject({ open: 1, idle: 0 });
    await again.end();
  });

  it.each([
    ["is not usable", (one: Played) => one.breaks()],
    [
      "cannot be reset",
      (one: Played) => {
        one.answers = () => Promise.reject(new Error("no"));
      },
    ],
  ])("that %s is closed and not lent again", async (_, spoil) => {
    const { pool, opened, borrow } = pooled();
    const loan = await borrow();
    spoil(loan.connection);
    await loan.end();
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, closed: 1, unclean: 1 }));
    expect(opened[0]?.isClosed).toBe(true);
    expect((await borrow()).isReused).toBe(false);
  });

  it("that does not come back from its reset is closed", async () => {
    vi.useFakeTimers();
    try {
      const { pool, borrow } = pooled();
      const loan = await borrow();
      loan.connection.answers = () => new Promise(() => {});
      await loan.end();
      await vi.advanceTimersByTimeAsync(5000);
      expect(pool.counters).toMatchObject({ open: 0, unclean: 1 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("that ends while nobody uses it is forgotten", async () => {
    const { pool, opened, borrow, idle } = pooled();
    await (await borrow()).end();
    await idle(1);
    opened[0]?.breaks();
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, broken: 1 }));
  });

  it("is closed when nobody has used it for long", async () => {
    const { pool, borrow, idle } = pooled({ idleMs: 5 });
    await (await borrow()).end();
    await idle(0);
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, closed: 1 }));
  });

  it("is not used beyond its lifetime", async () => {
    const { pool, borrow } = pooled({ lifetimeMs: 0 });
    await (await borrow()).end();
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, closed: 1, unclean: 0 }));
  });

  it("that was idle for long is asked whether it lives, and one that is silent takes its like with it", async () => {
    const { pool, opened, borrow, idle } = pooled({ checkMs: 0 });
    const both = [await borrow(), await borrow()];
    for (const loan of both) await loan.end();
    await idle(2);
    expect((await borrow()).isReused).toBe(true);
    expect(opened.map(({ checks }) => checks)).toEqual([0, 1]);
    await both[1]?.end();
    const [first] = opened;
    if (first !== undefined) first.answers = () => Promise.reject(new Error("silence"));
    expect((await borrow()).isReused).toBe(false);
    expect(pool.counters.broken).toBe(1);
  });
});

describe("a broken connection", () => {
  it("is replaced in its place, and those idle beside it go, too", async () => {
    const { pool, opened, borrow, idle } = pooled();
    const loans = [await borrow(), await borrow()];
    for (const loan of loans) await loan.end();
    await idle(2);
    const loan = await borrow();
    loan.connection.breaks();
    const replaced = await loan.replace();
    expect(replaced.isReused).toBe(false);
    expect(opened).toHaveLength(3);
    await eventually(() => expect(pool.counters).toMatchObject({ open: 1, idle: 0, replaced: 1 }));
    await loan.end();
    expect(pool.counters.open).toBe(1);
  });

  it("whose replacement cannot be opened leaves its place", async () => {
    const pool = new Pool(LIMITS);
    const answers = [async () => new Played(), () => Promise.reject(new ConnectorFailure("HOST_UNREACHABLE", "down"))];
    const open = () => (answers.shift() as () => Promise<Played>)();
    const loan = await pool.borrow("a", open, new AbortController().signal);
    await expect(loan.replace()).rejects.toMatchObject({ reason: "HOST_UNREACHABLE" });
    expect(pool.counters.open).toBe(0);
  });
});

describe("when all are in use", () => {
  it("requests wait in the order they came", async () => {
    const { borrow } = pooled({ perIdentity: 1 });
    const loan = await borrow();
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      const next = await borrow();
      order.push(n);
      await next.end();
    });
    await loan.end();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  it("more than may wait are refused at once, of that identity alone", async () => {
    const { pool, borrow } = pooled({ perIdentity: 1, waiting: 1 });
    const loan = await borrow();
    const waits = borrow();
    await expect(borrow()).rejects.toMatchObject({ reason: "OVERLOADED", retryAfter: 1 });
    await (await borrow("b")).end();
    expect(pool.counters.refused).toBe(1);
    await loan.end();
    await (await waits).end();
  });

  it("who has waited for long is refused, and leaves the line", async () => {
    const { pool, borrow } = pooled({ perIdentity: 1, waitMs: 1 });
    const loan = await borrow();
    await expect(borrow()).rejects.toMatchObject({ reason: "OVERLOADED", retryAfter: 1 });
    expect(pool.counters).toMatchObject({ waiting: 0, refused: 1 });
    await loan.end();
  });

  it("who gives up leaves the line, and takes no connection along", async () => {
    const { pool, borrow, idle } = pooled({ perIdentity: 1 });
    const loan = await borrow();
    const leaver = new AbortController();
    const waits = borrow("a", leaver.signal);
    leaver.abort(new Error("gone"));
    await expect(waits).rejects.toThrow("gone");
    await loan.end();
    await idle(1);
    expect(pool.counters).toMatchObject({ open: 1, waiting: 0 });
  });

  it("an idle connection of another identity makes way", async () => {
    const { pool, opened, borrow, idle } = pooled();
    const held = [await borrow("a"), await borrow("b")];
    await (await borrow("c")).end();
    await idle(1);
    const loan = await borrow("d");
    expect(opened[2]?.isClosed).toBe(true);
    expect(pool.counters).toMatchObject({ open: 3, idle: 0 });
    for (const one of [...held, loan]) await one.end();
  });

  it("one that is given back makes way for another identity that waits", async () => {
    const { pool, opened, borrow } = pooled({ total: 1, perIdentity: 1 });
    const loan = await borrow("a");
    const waits = borrow("b");
    await loan.end();
    const other = await waits;
    expect(opened[0]?.isClosed).toBe(true);
    expect(pool.counters.open).toBe(1);
    await other.end();
  });

  it("a connection that cannot be opened lets the next one try", async () => {
    const pool = new Pool({ ...LIMITS, perIdentity: 1 });
    const gate = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const failing = pool.borrow(
      "a",
      async () => {
        await gate.promise;
        throw new ConnectorFailure("HOST_UNREACHABLE", "down");
      },
      signal,
    );
    const next = pool.borrow("a", async () => new Played(), signal);
    gate.resolve();
    await expect(failing).rejects.toMatchObject({ reason: "HOST_UNREACHABLE" });
    expect((await next).isReused).toBe(false);
    expect(pool.counters.open).toBe(1);
  });
});

it("two at once with one identity have two connections", async () => {
  const { borrow } = pooled();
  const [one, two] = await Promise.all([borrow(), borrow()]);
  expect(one.connection).not.toBe(two.connection);
});

it("closes what is idle at once, and what is lent when it comes back", async () => {
  const { pool, opened, borrow, idle } = pooled();
  const lent = await borrow();
  await (await borrow()).end();
  await idle(1);
  await pool.close();
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  await lent.end();
  await eventually(() => expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]));
  expect(opened[0]?.resets).toBe(0);
  expect(pool.counters.open).toBe(0);
});

it("stays within its bounds and lends nothing twice, whoever comes and goes", async () => {
  const { pool, opened, borrow } = pooled({ waiting: 1000 });
  const inUse = new Set<Played>();
  let most = 0;
  const visitor = async (n: number): Promise<void> => {
    const loan = await borrow(["a", "b", "c"][n % 3]);
    expect(inUse.has(loan.connection)).toBe(false);
    inUse.add(loan.connection);
    most = Math.max(most, pool.counters.open);
    await Promise.resolve();
    if (n % 7 === 0) loan.connection.breaks();
    inUse.delete(loan.connection);
    await loan.end();
  };
  await Promise.all(Array.from({ length: 300 }, (_, n) => visitor(n)));
  expect(most).toBeLessThanOrEqual(LIMITS.total);
  await pool.close();
  expect(pool.counters.open).toBe(0);
  expect(opened.every(({ isClosed }) => isClosed)).toBe(true);
});

describe("callers", () => {
  it("leave the last place of an identity to those that hold none", async () => {
    const { pool, borrowFor, user } = pooled({ perIdentity: 3, total: 10 });
    const [ann, bob] = [user("ann"), user("bob")];
    await borrowFor(ann);
    await borrowFor(ann);
    const third = borrowFor(ann);
    await eventually(() => expect(pool.counters.waiting).toBe(1));
    const ofBob = await borrowFor(bob);
    expect(pool.counters).toMatchObject({ open: 3, waiting: 1 });
    await ofBob.end();
    await eventually(() => expect(pool.counters.idle).toBe(1));
    expect(pool.counters.waiting).toBe(1);
    const again = await borrowFor(bob);
    expect(again.isReused).toBe(true);
    void third.catch(() => undefined);
  });

  it("leave the last place of the pool, too", async () => {
    const { pool, borrowFor, user } = pooled({ perIdentity: 3, total: 3 });
    const ann = user("ann");
    await borrowFor(ann, "a");
    await borrowFor(ann, "b");
    const third = borrowFor(ann, "c");
    await eventually(() => expect(pool.counters.waiting).toBe(1));
    expect((await borrowFor(user("bob"), "d")).isReused).toBe(false);
    void third.catch(() => undefined);
  });

  it("have the one place of a pool that has no more", async () => {
    const { borrowFor, user } = pooled({ perIdentity: 1, total: 1 });
    expect((await borrowFor(user("ann"))).isReused).toBe(false);
  });

  it("that hold fewer places are served first", async () => {
    const { pool, borrowFor, user } = pooled({ perIdentity: 3, total: 10 });
    const ann = user("ann");
    const first = await borrowFor(ann);
    await borrowFor(ann);
    const ofBob = await borrowFor(user("bob"));
    const order: string[] = [];
    const more = borrowFor(ann).then(() => order.push("ann"));
    const carl = borrowFor(user("carl")).then(() => order.push("carl"));
    await eventually(() => expect(pool.counters.waiting).toBe(2));
    await ofBob.end();
    await carl;
    expect(order).toEqual(["carl"]);
    await first.end();
    void more.catch(() => undefined);
  });

  it("that fill the line make way in it", async () => {
    const { pool, borrowFor, user } = pooled({ perIdentity: 1, total: 2, waiting: 3 });
    const ann = user("ann");
    const held = await borrowFor(ann);
    const line = Array.from({ length: 3 }, () => borrowFor(ann));
    await eventually(() => expect(pool.counters.waiting).toBe(3));
    const bob = borrowFor(user("bob"));
    await expect(line[2]).rejects.toMatchObject({ reason: "OVERLOADED" });
    await held.end();
    expect((await bob).isReused).toBe(true);
    for (const waiting of line) void waiting.catch(() => undefined);
  });

  it("whose requests show nothing end one of them while others wait", async () => {
    const { borrowFor, user } = pooled({ perIdentity: 2, total: 3, holdMs: 20 });
    const [ann, bob] = [user("ann"), user("bob")];
    const still = await borrowFor(ann);
    const moving = await borrowFor(bob);
    const keepMoving = setInterval(() => {
      bob.movedAt = Date.now();
    }, 2);
    try {
      const carl = borrowFor(user("carl"));
      expect(await ann.ended).toMatchObject({ reason: "OVERLOADED", retryAfter: 10 });
      await still.end();
      expect((await carl).isReused).toBe(true);
    } finally {
      clearInterval(keepMoving);
      await moving.end();
    }
  });

  it("keep their places for as long as nobody waits", async () => {
    const { borrowFor, user } = pooled({ perIdentity: 3, total: 3, holdMs: 1 });
    const ann = user("ann");
    await borrowFor(ann);
    await borrowFor(user("bob"));
    const isEnded = await Promise.race([ann.ended.then(() => true), borrowFor(user("carl")).then(() => false)]);
    expect(isEnded).toBe(false);
  });

  it("that give up leave the line at once", async () => {
    const { pool, borrowFor, user } = pooled({ perIdentity: 1, total: 1 });
    await borrowFor(user("ann"));
    const gone = new AbortController();
    const waiting = borrowFor(user("bob"), "a", gone.signal);
    await eventually(() => expect(pool.counters.waiting).toBe(1));
    gone.abort(new ConnectorFailure("CANCELLED", "gone"));
    await expect(waiting).rejects.toMatchObject({ reason: "CANCELLED" });
    expect(pool.counters.waiting).toBe(0);
  });
});
