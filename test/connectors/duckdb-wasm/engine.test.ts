/** Whose data an instance of the engine holds. The instances are not real: each remembers who worked with it. */
import { expect, it, vi } from "vitest";
import { type Turn, WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import type { WasmInstance } from "../../../src/connectors/duckdb-wasm/instance.ts";

const MIB = 1024 * 1024;

interface FakeInstance {
  readonly number: number;
  memory: number;
  onGrowth: (bytes: number) => void;
  readonly owners: Set<string>;
}

/** `failing`: the starts, by their numbers, that fail. */
function engineOf({ mostWaiting = 100, failing = [] as readonly number[] } = {}) {
  const started: FakeInstance[] = [];
  let starts = 0;
  const engine = new WasmEngine({
    start: async () => {
      const number = ++starts;
      await Promise.resolve();
      if (failing.includes(number)) throw new Error("no memory");
      const instance: FakeInstance = { number, memory: 16 * MIB, onGrowth: () => undefined, owners: new Set() };
      started.push(instance);
      return instance as unknown as WasmInstance;
    },
    mostWaiting,
  });
  const enter = async (
    owner: string,
    signal = new AbortController().signal,
  ): Promise<Turn & { fake: FakeInstance }> => {
    const turn = await engine.enter(owner, { signal, timeoutMs: 10_000 });
    const fake = turn.instance as unknown as FakeInstance;
    fake.owners.add(owner);
    return { ...turn, fake };
  };
  /** The number of the instance that a statement got. */
  const ask = async (owner: string, isBroken = false): Promise<number> => {
    const { fake, end } = await enter(owner);
    end(isBroken);
    return fake.number;
  };
  return { engine, started, enter, ask, starts: () => starts };
}

async function inTurn(ask: (owner: string) => Promise<number>, owners: string): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (const owner of owners) numbers.push(await ask(owner));
  return numbers;
}

it.each([
  ["aaaa", [1, 1, 1, 1]],
  ["abab", [1, 2, 3, 4]],
  ["aabba", [1, 1, 2, 2, 3]],
])("statements of %s get the instances %j", async (owners, numbers) => {
  const { ask, starts } = engineOf();
  expect(await inTurn(ask, owners)).toEqual(numbers);
  expect(starts()).toBe(Math.max(...numbers));
});

it("gives an instance that broke to nobody", async () => {
  const { ask } = engineOf();
  expect(await ask("a", true)).toBe(1);
  expect(await ask("a")).toBe(2);
  expect(await ask("b", true)).toBe(3);
  expect(await ask("a")).toBe(4);
});

it("gives statements that wait for each other an instance for each owner", async () => {
  const { ask, started } = engineOf();
  await Promise.all([..."aabbabbba"].map((owner) => ask(owner)));
  expect(started.map(({ owners }) => [...owners].join())).toEqual(["a", "b", "a", "b", "a"]);
});

it("gives no other owner an instance whose statement was aborted while it waited or while it ran", async () => {
  const { enter, ask, started } = engineOf();
  const first = await enter("a");
  const control = new AbortController();
  const waiting = enter("b", control.signal);
  control.abort();
  await expect(waiting).rejects.toMatchObject({ reason: "CANCELLED" });
  first.end(true);
  await ask("b");
  await ask("a");
  expect(started.map(({ owners }) => [...owners].join())).toEqual(["a", "b", "a"]);
});

it("takes the engine from a statement that has outlived its time, and its instance with it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const { enter, ask } = engineOf();
    const lost = await enter("a");
    vi.setSystemTime(Date.now() + 60_000);
    expect(await ask("a")).toBe(2);
    // The platform may let it go on after all.
    lost.end(false);
    expect(await ask("a")).toBe(2);
    expect(await ask("b")).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

it("fails for an instance that does not start, and starts another for the next statement", async () => {
  const { ask } = engineOf({ failing: [2] });
  await ask("a");
  await expect(ask("b")).rejects.toMatchObject({ reason: "SOURCE_CRASHED" });
  expect(await ask("b")).toBe(3);
});

it("prepares no spare for one owner", async () => {
  const { engine, ask, starts } = engineOf();
  await inTurn(ask, "aaa");
  await engine.prepareSpare();
  expect([starts(), engine.spareMemory]).toEqual([1, 0]);
});

it("gives the spare, which has held nothing, to the next owner", async () => {
  const { engine, ask, started } = engineOf();
  await inTurn(ask, "ab");
  await Promise.all([engine.prepareSpare(), engine.prepareSpare()]);
  expect(engine.spareMemory).toBe(16 * MIB);
  expect(started[2]?.owners).toEqual(new Set());
  expect(await ask("b")).toBe(2);
  expect(await ask("c")).toBe(3);
  expect(await ask("d")).toBe(4);
  expect(started.map(({ owners }) => [...owners].join())).toEqual(["a", "b", "c", "d"]);
});

it("prepares no spare while somebody has the engine, nor beside a large instance", async () => {
  const { engine, enter, ask, started } = engineOf();
  await inTurn(ask, "ab");
  const { end, fake } = await enter("b");
  await engine.prepareSpare();
  expect(engine.spareMemory).toBe(0);
  fake.memory = 41 * MIB;
  end(false);
  await engine.prepareSpare();
  expect(engine.spareMemory).toBe(0);
  expect(started).toHaveLength(2);
});

it("gives the spare up when the instance that works needs its room", async () => {
  const { engine, enter, ask, started } = engineOf();
  await inTurn(ask, "ab");
  await engine.prepareSpare();
  const { fake, end } = await enter("b");
  fake.onGrowth(40 * MIB);
  expect(engine.spareMemory).toBe(16 * MIB);
  fake.onGrowth(41 * MIB);
  expect(engine.spareMemory).toBe(0);
  end(false);
  expect(await ask("c")).toBe(4);
  expect(started[2]?.owners).toEqual(new Set());
});

it("prepares a spare anew after one that did not start", async () => {
  const { engine, ask } = engineOf({ failing: [3] });
  await inTurn(ask, "ab");
  await engine.prepareSpare();
  expect(engine.spareMemory).toBe(0);
  await engine.prepareSpare();
  expect(engine.spareMemory).toBe(16 * MIB);
});

it("holds data of one owner in each instance, whatever statements do", async () => {
  const { engine, enter, started } = engineOf();
  let seed = 7;
  const drawn = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const statement = async (): Promise<void> => {
    const control = new AbortController();
    const turning = enter("abcd"[drawn(4)] ?? "", control.signal);
    if (drawn(5) === 0) control.abort();
    const turn = await turning.catch(() => undefined);
    if (drawn(3) === 0) turn?.fake.onGrowth(drawn(80) * MIB);
    if (drawn(4) === 0) await Promise.resolve();
    turn?.end(drawn(6) === 0);
    if (drawn(3) === 0) await engine.prepareSpare();
  };
  for (let round = 0; round < 200; round++) await Promise.all(Array.from({ length: 1 + drawn(6) }, statement));
  expect(started.length).toBeGreaterThan(100);
  expect(started.filter(({ owners }) => owners.size > 1)).toEqual([]);
});
