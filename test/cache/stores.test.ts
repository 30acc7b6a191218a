import { describe, expect, it } from "vitest";
import { isKvNamespace, type KvNamespace, kvStore } from "../../src/cache/kv-store.ts";
import { MemoryStore } from "../../src/cache/memory-store.ts";

const SIGNAL = new AbortController().signal;
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(1);

describe("the memory of an isolate", () => {
  it("keeps a value until its time is over", async () => {
    let now = 0;
    const store = new MemoryStore({ maxBytes: 10_000, now: () => now });
    await store.put("a", bytes(3), 60);
    now = 59_999;
    expect(await store.get("a")).toEqual(bytes(3));
    now = 60_000;
    expect(await store.get("a")).toBeUndefined();
    expect(store.bytes).toBe(0);
  });

  it("drops what was not asked for longest when it is full, and never holds more than it may", async () => {
    const store = new MemoryStore({ maxBytes: 4_000, now: () => 0 });
    for (const name of ["a", "b", "c"]) await store.put(name, bytes(1_000), 60);
    await store.get("a");
    await store.put("d", bytes(1_000), 60);
    expect(store.bytes).toBeLessThanOrEqual(4_000);
    const kept = await Promise.all(["a", "b", "c", "d"].map(async (name) => (await store.get(name)) !== undefined));
    expect(kept).toEqual([true, false, true, true]);
  });

  it("does not take what is larger than all of it, nor keeps what that was to replace", async () => {
    const store = new MemoryStore({ maxBytes: 2_000, now: () => 0 });
    await store.put("a", bytes(10), 60);
    await store.put("a", bytes(5_000), 60);
    expect(await store.get("a")).toBeUndefined();
    expect(store.bytes).toBe(0);
  });

  it("stays bounded with empty values", async () => {
    const store = new MemoryStore({ maxBytes: 10_000, now: () => 0 });
    for (let index = 0; index < 1_000; index++) await store.put(String(index), bytes(0), 60);
    expect(store.bytes).toBeLessThanOrEqual(10_000);
  });
});

describe("Workers KV", () => {
  function namespace(): KvNamespace & { readonly puts: { key: string; ttl: number }[] } {
    const values = new Map<string, Uint8Array>();
    const puts: { key: string; ttl: number }[] = [];
    return {
      puts,
      get: async (key) => values.get(key)?.slice().buffer ?? null,
      put: async (key, value, { expirationTtl }) => {
        puts.push({ key, ttl: expirationTtl });
        values.set(key, value as Uint8Array);
      },
    };
  }

  it("is told for how long, which is never less than KV takes", async () => {
    const kv = namespace();
    const store = kvStore(kv);
    await store.put("a", bytes(3), 300.2, SIGNAL);
    await store.put("b", bytes(3), 5, SIGNAL);
    expect(kv.puts.map(({ ttl }) => ttl)).toEqual([301, 60]);
    expect(await store.get("a", SIGNAL)).toEqual(bytes(3));
    expect(await store.get("nothing", SIGNAL)).toBeUndefined();
  });

  it("is not asked to take more than it takes", async () => {
    const kv = namespace();
    await kvStore(kv).put("a", new Uint8Array(25 * 1024 * 1024 + 1), 60, SIGNAL);
    expect(kv.puts).toEqual([]);
  });

  it("is told from other bindings", () => {
    expect(isKvNamespace(namespace())).toBe(true);
    for (const other of [undefined, null, "text", {}, { get: 1 }]) expect(isKvNamespace(other)).toBe(false);
  });
});
