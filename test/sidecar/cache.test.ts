/** The store behind the sidecar: its own paths under the same signatures, and a real Valkey or Redis. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RedisStore, redisStore } from "../../sidecar/cache/redis-store.ts";
import { createSidecarServer, type SidecarServer } from "../../sidecar/server.ts";
import { CACHE_PATHS, readCacheOperation, writeCacheOperation } from "../../src/cache/sidecar-protocol.ts";
import { sidecarStore } from "../../src/cache/sidecar-store.ts";
import type { CacheStore } from "../../src/cache/store.ts";
import { PROTOCOL_VERSION } from "../../src/connectors/remote/protocol.ts";
import { signedFetch } from "../../src/connectors/remote/signed-fetch.ts";
import { eventually } from "../support/eventually.ts";
import { REDIS_SERVER, startRedis, type TestRedis, WITHOUT_REDIS } from "../support/redis.ts";
import { endOfSidecar, SECRET } from "./process.ts";

const SIGNAL = new AbortController().signal;
const NAME = `siskin:1:${"a".repeat(64)}`;
const OTHER = `siskin:1:${"b".repeat(64)}`;
const VALUE = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);

const running: SidecarServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ drain }) => drain(0)));
});

async function serve(cache?: CacheStore): Promise<{ readonly url: string; readonly store: CacheStore }> {
  const sidecar = createSidecarServer({
    secrets: [SECRET],
    maxInFlight: 8,
    open: () => Promise.reject(new Error("nobody asks for a connector")),
    log: () => undefined,
    ...(cache !== undefined && { cache }),
  });
  running.push(sidecar);
  sidecar.server.listen(0, "127.0.0.1");
  await once(sidecar.server, "listening");
  const url = `http://127.0.0.1:${(sidecar.server.address() as AddressInfo).port}`;
  return { url, store: sidecarStore(signedFetch({ url, secret: SECRET, fetch })) };
}

describe("the paths of the cache", () => {
  const held: CacheStore = { get: async () => VALUE, put: async () => undefined };

  it("are not there without a store", async () => {
    const { store } = await serve();
    await expect(store.get(NAME, SIGNAL)).rejects.toThrow("404");
  });

  it("answer nobody without the secret", async () => {
    const { url } = await serve(held);
    const response = await fetch(url + CACHE_PATHS.get, {
      method: "POST",
      body: NAME,
      headers: { "x-siskin-protocol": PROTOCOL_VERSION },
    });
    expect(response.status).toBe(401);
    const stranger = sidecarStore(signedFetch({ url, secret: `${SECRET}!`, fetch }));
    await expect(stranger.get(NAME, SIGNAL)).rejects.toThrow("401");
  });

  it.each(["session:42", "siskin:1:short", `siskin:1:${"A".repeat(64)}`, `${NAME}\n`, "", "*"])(
    "take no names but ours: %j",
    async (name) => {
      const { store } = await serve(held);
      await expect(store.get(name, SIGNAL)).rejects.toThrow("400");
      await expect(store.put(name, VALUE, 60, SIGNAL)).rejects.toThrow("400");
    },
  );

  it("say 503 for a store that fails, and do not say why", async () => {
    const fails = (): Promise<never> => Promise.reject(new Error("redis://user:hunter2@host"));
    const { store } = await serve({ get: fails, put: fails });
    await expect(store.get(NAME, SIGNAL)).rejects.toThrow(/^The sidecar's store answered 503.$/);
    await expect(store.put(NAME, VALUE, 60, SIGNAL)).rejects.toThrow("503");
  });
});

describe("what is asked of the store", () => {
  it("reads back as it was written", () => {
    for (const value of [VALUE, new Uint8Array(0)]) {
      const put = { name: "put", key: NAME, value, ttlSeconds: 300 } as const;
      expect(readCacheOperation("put", writeCacheOperation(put))).toEqual(put);
    }
    expect(readCacheOperation("get", writeCacheOperation({ name: "get", key: NAME }))).toEqual({
      name: "get",
      key: NAME,
    });
  });

  it("is nothing when it is cut, or lives for no time", () => {
    const whole = writeCacheOperation({ name: "put", key: NAME, value: VALUE, ttlSeconds: 300 });
    for (let length = 0; length < 8 + NAME.length; length++) {
      expect(readCacheOperation("put", whole.subarray(0, length))).toBeUndefined();
    }
    const dead = writeCacheOperation({ name: "put", key: NAME, value: VALUE, ttlSeconds: 0 });
    expect(readCacheOperation("put", dead)).toBeUndefined();
  });
});

it("a CACHE_URL that is no address stops the start, and is not repeated", async () => {
  for (const url of ["http://user:hunter2@host", "redis://user:hunter2@host:port"]) {
    const { code, stderr } = await endOfSidecar({ CACHE_URL: url });
    expect([code, stderr]).toEqual([78, expect.stringContaining("CACHE_URL")]);
    expect(stderr).not.toContain("hunter2");
  }
});

describe.skipIf(REDIS_SERVER === undefined)(`with ${REDIS_SERVER ?? `a real server (${WITHOUT_REDIS})`}`, () => {
  let redis: TestRedis;
  let behind: RedisStore;
  const changes: string[] = [];
  beforeAll(async () => {
    redis = await startRedis(["--maxmemory", "8mb", "--maxmemory-policy", "noeviction"]);
    behind = redisStore({
      url: redis.url,
      connectTimeoutMs: 1_000,
      onChange: (state, because) => changes.push(`${state} ${because}`.trim()),
    });
    await eventually(() => expect(changes).toEqual(["connected"]));
  });
  afterAll(async () => {
    behind.close();
    await redis.stop();
  });

  it("keeps bytes as they are, for as long as they may live", async () => {
    const { store } = await serve(behind);
    expect(await store.get(NAME, SIGNAL)).toBeUndefined();
    await store.put(NAME, VALUE, 60, SIGNAL);
    expect(await store.get(NAME, SIGNAL)).toEqual(VALUE);
    await store.put(OTHER, VALUE, 1, SIGNAL);
    await eventually(async () => expect(await store.get(OTHER, SIGNAL)).toBeUndefined());
  });

  it("is shared by all sidecars that use it", async () => {
    const [one, another] = await Promise.all([serve(behind), serve(behind)]);
    await one.store.put(NAME, new Uint8Array([1]), 60, SIGNAL);
    await another.store.put(NAME, new Uint8Array([2]), 60, SIGNAL);
    expect(await one.store.get(NAME, SIGNAL)).toEqual(new Uint8Array([2]));
  });

  it("refuses what it has no memory for, and goes on", async () => {
    const { store } = await serve(behind);
    const fill = async (): Promise<void> => {
      for (let index = 0; index < 20; index++) {
        const name = `siskin:1:${String(index).padStart(64, "0")}`;
        await store.put(name, new Uint8Array(1_000_000).fill(index), 60, SIGNAL);
      }
    };
    await expect(fill()).rejects.toThrow("503");
    expect(await store.get(NAME, SIGNAL)).toEqual(new Uint8Array([2]));
  });

  it("is found again after it was away; meanwhile questions fail at once", async () => {
    const { store } = await serve(behind);
    await redis.stop();
    await eventually(() => expect(changes.at(-1)).toMatch(/^lost/));
    await expect(store.get(NAME, SIGNAL)).rejects.toThrow("503");
    redis = await startRedis([], redis.port);
    await eventually(async () => expect(await store.get(NAME, SIGNAL)).toBeUndefined());
    expect(changes.filter((change) => change === "connected")).toHaveLength(2);
    expect(changes.join()).not.toContain("127.0.0.1");
  });
});
