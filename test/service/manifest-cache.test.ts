import { describe, expect, it } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Manifest, Outcome } from "../../src/planner/index.ts";
import { createManifestCache } from "../../src/service/manifest-cache.ts";
import { manifestNamed } from "./in-memory.ts";

function counting(options: { maxLength?: number; maxEntries?: number; fails?: boolean } = {}) {
  const loads: string[] = [];
  const load = (text: string): Outcome<Manifest> => {
    loads.push(text);
    if (options.fails === true) return { ok: false, error: new PlannerError("MANIFEST_JSON", "not JSON") };
    return { ok: true, value: manifestNamed(text) };
  };
  const cache = createManifestCache({
    maxLength: options.maxLength ?? 100,
    maxEntries: options.maxEntries ?? 10,
    load,
  });
  return { cache, loads };
}

describe("the manifest cache", () => {
  it("decodes one text once", async () => {
    const { cache, loads } = counting();
    const [first, second] = [await cache.get("aaa"), await cache.get("aaa")];
    expect(loads).toEqual(["aaa"]);
    expect(second).toBe(first);
  });

  it("decodes one text once when several requests bring it at the same time", async () => {
    const { cache, loads } = counting();
    await Promise.all([cache.get("aaa"), cache.get("aaa"), cache.get("aaa")]);
    expect(loads).toEqual(["aaa"]);
  });

  it("never takes one text for another", async () => {
    const { cache } = counting();
    expect(await cache.get("aaa")).toMatchObject({ value: { catalog: "aaa" } });
    expect(await cache.get("aab")).toMatchObject({ value: { catalog: "aab" } });
  });

  it("keeps no failure", async () => {
    const { cache, loads } = counting({ fails: true });
    await cache.get("aaa");
    await cache.get("aaa");
    expect(loads).toHaveLength(2);
  });

  it.each([
    ["entries", { maxEntries: 2 }],
    ["length", { maxLength: 6 }],
  ])("drops the one that was not used for longest when it is over its budget of %s", async (_what, budget) => {
    const { cache, loads } = counting(budget);
    await cache.get("aaa");
    await cache.get("bbb");
    await cache.get("aaa");
    await cache.get("ccc");
    await cache.get("aaa");
    expect(loads).toEqual(["aaa", "bbb", "ccc"]);
    await cache.get("bbb");
    expect(loads).toEqual(["aaa", "bbb", "ccc", "bbb"]);
  });

  it("does not empty itself for a text that is larger than the budget", async () => {
    const { cache, loads } = counting({ maxLength: 6 });
    await cache.get("aaa");
    await cache.get("a".repeat(7));
    await cache.get("aaa");
    expect(loads).toHaveLength(2);
  });

  it("can be turned off", async () => {
    const { cache, loads } = counting({ maxEntries: 0 });
    await cache.get("aaa");
    await cache.get("aaa");
    expect(loads).toHaveLength(2);
  });
});
