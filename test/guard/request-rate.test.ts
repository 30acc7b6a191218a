import { describe, expect, it } from "vitest";
import type { Caller } from "../../src/guard/caller.ts";
import { createRequestRate, rateLimiterIn } from "../../src/guard/request-rate.ts";

const caller = (id: string, requestsPerMinute?: number): Caller => ({
  id,
  claims: new Map(),
  bound: new Set(),
  connections: "all",
  ownConnections: true,
  limits: requestsPerMinute === undefined ? {} : { requestsPerMinute },
});

describe("requests a minute", () => {
  it("come at once up to the number, and then one by one", async () => {
    let now = 0;
    const rate = createRequestRate(undefined, () => now);
    const ask = () => rate.waitOf(caller("ann", 3));
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([undefined, undefined, undefined, 20]);
    now = 10_000;
    expect(await ask()).toBe(10);
    now = 20_000;
    expect([await ask(), await ask()]).toEqual([undefined, 20]);
    now = 3_600_000;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([undefined, undefined, undefined, 20]);
  });

  it("have no limit where none is set", async () => {
    const rate = createRequestRate(undefined, () => 0);
    for (let count = 0; count < 1000; count++) expect(await rate.waitOf(caller("ann"))).toBeUndefined();
  });

  it("are remembered of the last ten thousand callers", async () => {
    const rate = createRequestRate(undefined, () => 0);
    await rate.waitOf(caller("first", 1));
    for (let count = 0; count < 9_999; count++) await rate.waitOf(caller(`c${count}`, 1));
    expect(await rate.waitOf(caller("first", 1))).toBe(60);
    await rate.waitOf(caller("new", 1));
    expect(await rate.waitOf(caller("first", 1))).toBe(60);
    expect(await rate.waitOf(caller("c0", 1))).toBeUndefined();
  });
});

describe("the platform's counter", () => {
  /** A fake of Cloudflare's binding. */
  const counter = (limit: (options: { key: string }) => Promise<{ success: boolean }>) =>
    createRequestRate(rateLimiterIn({ RATE_LIMITER: { limit } }), () => 0);

  it("is asked for every caller, by name", async () => {
    const asked: string[] = [];
    const rate = counter(async ({ key }) => ({ success: asked.push(key) < 2 }));
    expect([await rate.waitOf(caller("ann")), await rate.waitOf(caller("bob"))]).toEqual([undefined, 10]);
    expect(asked).toEqual(["ann", "bob"]);
  });

  it("turns nobody away when it does not answer, and our own counts on", async () => {
    const rate = counter(() => Promise.reject(new Error("gone")));
    expect([await rate.waitOf(caller("ann", 1)), await rate.waitOf(caller("ann", 1))]).toEqual([undefined, 60]);
  });

  it.each([[{}], [{ RATE_LIMITER: "text" }], [{ RATE_LIMITER: null }]])("is none in %j", (environment) => {
    expect(rateLimiterIn(environment)).toBeUndefined();
  });
});
