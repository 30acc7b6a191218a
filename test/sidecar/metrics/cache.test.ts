/** Metrics of the query cache's store, through requests like a Worker's. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { sidecarMetrics } from "../../../sidecar/metrics/sidecar-metrics.ts";
import { createSidecarServer } from "../../../sidecar/server.ts";
import { MemoryStore } from "../../../src/cache/memory-store.ts";
import { sidecarStore } from "../../../src/cache/sidecar-store.ts";
import type { CacheStore } from "../../../src/cache/store.ts";
import { signedFetch } from "../../../src/connectors/remote/signed-fetch.ts";

const SECRET = "the secret of the tests, long enough";

it("operations of the store are counted by how they end", async () => {
  const { metrics, requests } = sidecarMetrics();
  const memory = new MemoryStore({ maxBytes: 1_000_000, now: Date.now });
  let isAway = false;
  const cache: CacheStore = {
    get: (key) => (isAway ? Promise.reject(new Error("away")) : memory.get(key)),
    put: (key, value, ttlSeconds) => memory.put(key, value, ttlSeconds),
  };
  const sidecar = createSidecarServer({
    secrets: [SECRET],
    maxInFlight: 4,
    open: () => Promise.reject(new Error("nobody asks")),
    log: () => undefined,
    cache,
    metrics: requests,
  });
  sidecar.server.listen(0, "127.0.0.1");
  await once(sidecar.server, "listening");
  try {
    const url = `http://127.0.0.1:${(sidecar.server.address() as AddressInfo).port}`;
    const store = sidecarStore(signedFetch({ url, secret: SECRET, fetch }));
    const { signal } = new AbortController();
    const name = `siskin:1:${"a".repeat(64)}`;
    expect(await store.get(name, signal)).toBeUndefined();
    await store.put(name, new Uint8Array([1]), 60, signal);
    expect(await store.get(name, signal)).toEqual(new Uint8Array([1]));
    isAway = true;
    await expect(store.get(name, signal)).rejects.toThrow();
  } finally {
    await sidecar.drain(0);
  }
  const counted = metrics
    .text()
    .split("\n")
    .filter((line) => line.startsWith("siskin_cache_operations_total{"));
  expect(counted).toEqual([
    'siskin_cache_operations_total{operation="get",outcome="miss"} 1',
    'siskin_cache_operations_total{operation="put",outcome="stored"} 1',
    'siskin_cache_operations_total{operation="get",outcome="hit"} 1',
    'siskin_cache_operations_total{operation="get",outcome="failed"} 1',
  ]);
});
