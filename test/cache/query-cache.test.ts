import { describe, expect, it } from "vitest";
import { type CacheAnswer, type CacheQuestion, createQueryCache, type Lead } from "../../src/cache/query-cache.ts";
import type { CacheStore } from "../../src/cache/store.ts";
import { FRAMES } from "./frames.ts";
import { allOf, rows, Source } from "./source.ts";

/** `stored`: until when nothing gets into the store. */
function testCache({ workBytes = 1_000_000, staleSeconds = 0, now = Date.now, stored = Promise.resolve() } = {}) {
  const values = new Map<string, Uint8Array>();
  const store: CacheStore = {
    get: async (name) => values.get(name),
    put: async (name, value) => {
      await stored;
      values.set(name, value);
    },
  };
  const cache = createQueryCache({
    frames: FRAMES,
    store,
    secrets: ["the secret of the tests, long enough"],
    deployment: [],
    ttlSeconds: 300,
    staleSeconds,
    now,
    waitMs: 1_000,
    maxBytes: 100_000,
    workBytes,
  });
  const find = (question: Partial<CacheQuestion> = {}): Promise<CacheAnswer> =>
    cache.find({
      parts: ["q"],
      override: false,
      maxAge: undefined,
      signal: new AbortController().signal,
      race: (work) => work,
      ...question,
    });
  return { find, values };
}

function leadOf(answer: CacheAnswer): Lead {
  if (answer.kind !== "run" || answer.lead === undefined) throw new Error(`No lead: ${answer.kind}`);
  return answer.lead;
}

async function rowsOf(answer: CacheAnswer) {
  if (answer.kind !== "hit") throw new Error(`No hit: ${answer.kind}`);
  return allOf(answer.rows);
}

it("an override is not undone by a run that began before it and ends after it", async () => {
  const { find } = testCache();
  const slow = new Source();
  const older = leadOf(await find()).collect(slow);
  const newer = leadOf(await find({ override: true })).collect(new Source().give(rows(2)).finish());
  await newer.saved;
  slow.give(rows(1)).finish();
  await older.saved;
  expect(await rowsOf(await find())).toEqual([[2]]);
});

it("an override is not undone by a refresh that began before it and ends after it", async () => {
  let time = Date.now();
  const { find } = testCache({ staleSeconds: 600, now: () => time });
  await leadOf(await find()).collect(new Source().give(rows(0)).finish()).saved;
  time += 400_000;
  const stale = await find();
  if (stale.kind !== "hit" || stale.refresh === undefined) throw new Error(`No refresh: ${stale.kind}`);
  const slow = new Source();
  const older = stale.refresh.collect(slow);
  await leadOf(await find({ override: true })).collect(new Source().give(rows(2)).finish()).saved;
  slow.give(rows(1)).finish();
  await older.saved;
  expect(await rowsOf(await find())).toEqual([[2]]);
});

it("who asks while an answer is on its way into the store gets it", async () => {
  const { promise: stored, resolve } = Promise.withResolvers<void>();
  const { find, values } = testCache({ stored });
  const { saved } = leadOf(await find()).collect(new Source().give(rows(1)).finish());
  const answer = await find();
  expect(values.size).toBe(0);
  expect(await rowsOf(answer)).toEqual([[1]]);
  resolve();
  await saved;
  expect(values.size).toBe(1);
});

it("who gives up waiting for another's query leaves it as it is", async () => {
  const { find } = testCache();
  const source = new Source();
  const { saved } = leadOf(await find()).collect(source);
  const impatient = find({ race: () => Promise.reject(new Error("time is up")) });
  await expect(impatient).rejects.toThrow("time is up");
  source.give(rows(1)).finish();
  await saved;
  expect(await rowsOf(await find())).toEqual([[1]]);
});

it("who gives up while the store is asked leaves the lead to the next one", async () => {
  const { find } = testCache();
  await expect(find({ race: () => Promise.reject(new Error("time is up")) })).rejects.toThrow("time is up");
  expect((await find()).kind).toBe("run");
});

describe("memory", () => {
  it("of all answers that are collected is bounded, and free again afterwards", async () => {
    const { find, values } = testCache({ workBytes: 3_000 });
    const many = (from: number): Source => new Source().give(rows(...Array.from({ length: 150 }, (_, n) => from + n)));
    const first = many(0);
    const second = many(1);
    const leads = [await find({ parts: ["a"] }), await find({ parts: ["b"] })].map(leadOf);
    const [one, two] = [leads[0]!.collect(first), leads[1]!.collect(second)];
    first.give(rows(...Array.from({ length: 150 }, () => 1)));
    first.finish();
    second.finish();
    await Promise.all([one.saved, two.saved]);
    expect(values.size).toBeLessThan(2);
    await Promise.all([one.rows.close(), two.rows.close()]);
    const again = leadOf(await find({ parts: ["c"] })).collect(new Source().give(rows(1)).finish());
    await again.saved;
    expect((await find({ parts: ["c"] })).kind).toBe("hit");
  });
});
