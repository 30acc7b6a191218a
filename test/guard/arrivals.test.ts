import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Arrival, Arrivals, GRACE_MS, YOUNG_MS } from "../../src/guard/arrivals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether each was told to stop by now. */
async function stopped(...arrivals: readonly (Arrival | undefined)[]): Promise<boolean[]> {
  const told = arrivals.map(() => false);
  arrivals.forEach((arrival, i) => {
    void arrival?.stopped.then(() => {
      told[i] = true;
    });
  });
  await vi.advanceTimersByTimeAsync(300);
  return told;
}

describe("the number of bodies", () => {
  it("is bounded while all of them are young: the newcomer has to go", () => {
    const arrivals = new Arrivals({ bodies: 2, bytes: 100, bytesPerSecond: 0 });
    arrivals.begin();
    const second = arrivals.begin();
    expect(arrivals.begin()).toBeUndefined();
    second?.end();
    second?.end();
    expect(arrivals.bodies).toBe(1);
    expect(arrivals.begin()).toBeDefined();
  });

  it("makes the oldest go that had its time, and only that one", async () => {
    const arrivals = new Arrivals({ bodies: 2, bytes: 100, bytesPerSecond: 0 });
    const first = arrivals.begin();
    await vi.advanceTimersByTimeAsync(10);
    const second = arrivals.begin();
    await vi.advanceTimersByTimeAsync(YOUNG_MS);
    const third = arrivals.begin();
    expect(third).toBeDefined();
    expect(arrivals.bodies).toBe(2);
    expect(await stopped(first, second, third)).toEqual([true, false, false]);
  });

  it("leaves those alone that are there and wait", async () => {
    const arrivals = new Arrivals({ bodies: 1, bytes: 100, bytesPerSecond: 1000 });
    const first = arrivals.begin();
    first?.complete();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(arrivals.begin()).toBeUndefined();
    expect(await stopped(first)).toEqual([false]);
    first?.end();
    expect(arrivals.begin()).toBeDefined();
  });
});

describe("the bytes held", () => {
  it("are bounded together, and those thrown away do not count", () => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 100, bytesPerSecond: 0 });
    const first = arrivals.begin();
    const second = arrivals.begin();
    expect(first?.received(60, true)).toBe(true);
    expect(second?.received(50, true)).toBe(false);
    expect(second?.received(50, false)).toBe(true);
    expect(second?.received(40, true)).toBe(true);
    first?.end();
    expect(arrivals.bytes).toBe(40);
  });

  it("make the largest go that had its time", async () => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 100, bytesPerSecond: 0 });
    const small = arrivals.begin();
    const large = arrivals.begin();
    small?.received(10, true);
    large?.received(80, true);
    await vi.advanceTimersByTimeAsync(YOUNG_MS);
    const young = arrivals.begin();
    expect(young?.received(90, true)).toBe(true);
    expect(await stopped(small, large, young)).toEqual([false, true, false]);
    // Later bytes of the request are dropped.
    expect(large?.received(50, true)).toBe(true);
    expect(arrivals.bytes).toBe(100);
    large?.end();
    expect(arrivals.bytes).toBe(100);
  });

  it("of a body that is too large for all of it make nobody go in vain twice", () => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 100, bytesPerSecond: 0 });
    expect(arrivals.begin()?.received(101, true)).toBe(false);
    expect(arrivals.bytes).toBe(0);
  });
});

describe("the pace", () => {
  it.each<[name: string, bytesPerSecond: number, perSecond: number, ends: boolean]>([
    ["nothing at all", 1000, 0, true],
    ["a byte a second", 1000, 1, true],
    ["enough", 1000, 1001, false],
    ["anything, where none is asked", 0, 0, false],
  ])("%s", async (_, bytesPerSecond, perSecond, ends) => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 1e9, bytesPerSecond });
    const arrival = arrivals.begin();
    let isStopped = false;
    void arrival?.stopped.then(() => {
      isStopped = true;
    });
    for (let second = 0; second * 1000 < GRACE_MS; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      arrival?.received(perSecond, true);
    }
    expect(isStopped).toBe(false);
    for (let second = 0; second < 20; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      arrival?.received(perSecond, true);
    }
    expect(isStopped).toBe(ends);
    expect(arrivals.bodies).toBe(ends ? 0 : 1);
  });

  it("of a body that is seen in one piece is taken to be kept until all of it is overdue", async () => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 10_000, bytesPerSecond: 1000 });
    const arrival = arrivals.begin();
    expect(arrival?.expects(3000)).toBe(true);
    expect(arrivals.bytes).toBe(3000);
    await vi.advanceTimersByTimeAsync(GRACE_MS + 2500);
    expect(await stopped(arrival)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(500);
    expect(await stopped(arrival)).toEqual([true]);
    expect(arrivals.bytes).toBe(0);
  });

  it.each([
    ["its time is over", 100, 100, ["late"]],
    ["its time is not over", 100, 99, []],
    ["its time is over, whatever its pace", 60_000, 60_000, ["late"]],
    ["it is too slow before that", 60_000, 59_000, ["slow"]],
  ] as const)("of a body says why it is given up: %s", async (what, timeoutMs, milliseconds, expected) => {
    const bytesPerSecond = what === "it is too slow before that" ? 1 : 0;
    const arrivals = new Arrivals({ bodies: 9, bytes: 100, bytesPerSecond });
    const told: string[] = [];
    void arrivals.begin(timeoutMs)?.stopped.then((because) => told.push(because));
    await vi.advanceTimersByTimeAsync(milliseconds);
    expect(told).toEqual(expected);
    expect(arrivals.bodies).toBe(1 - expected.length);
  });

  it("of a body in one piece begins with room for it", () => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 100, bytesPerSecond: 0 });
    expect(arrivals.begin()?.expects(101)).toBe(false);
  });

  it("leaves no timer behind", () => {
    const arrivals = new Arrivals({ bodies: 9, bytes: 100, bytesPerSecond: 1 });
    arrivals.begin()?.end();
    arrivals.begin()?.complete();
    expect(vi.getTimerCount()).toBe(0);
  });
});
