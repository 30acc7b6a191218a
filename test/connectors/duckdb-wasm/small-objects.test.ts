/** A small object of a bucket is one request, however often a statement reads in it. */
import { expect, test } from "vitest";
import { fetchSmall, MOST_SMALL_BYTES, SmallObjects } from "../../../src/connectors/duckdb-wasm/small-objects.ts";
import type { FoundFile } from "../../../src/connectors/duckdb-wasm/view.ts";
import type { ObjectStore, StoredObject } from "../../../src/connectors/files/object-store.ts";

const signal = new AbortController().signal;

function storeOf(requests: string[], fails: () => boolean = () => false): ObjectStore {
  return {
    root: "s3://bucket/",
    list: async function* () {},
    head: async () => undefined,
    read: async ({ key }, start, end) => {
      requests.push(`${key} ${start}-${end}`);
      if (fails()) throw new Error("busy");
      const bytes = Uint8Array.from({ length: end - start }, (_, index) => (start + index) % 251);
      return new Response(bytes).body as ReadableStream<Uint8Array>;
    },
  };
}

const object = (key: string, size: number): StoredObject => ({ key, size, etag: '"1"' });

async function bytesOf(store: ObjectStore, one: StoredObject, start: number, end: number): Promise<readonly number[]> {
  return [...new Uint8Array(await new Response(await store.read(one, start, end, signal)).arrayBuffer())];
}

test("reads of a small object, one after the other and at the same time, are one request", async () => {
  const requests: string[] = [];
  const store = new SmallObjects().over(storeOf(requests));
  const small = object("a", 1000);
  const [one, other] = await Promise.all([bytesOf(store, small, 0, 3), bytesOf(store, small, 400, 402)]);
  expect([one, other]).toEqual([
    [0, 1, 2],
    [400 % 251, 401 % 251],
  ]);
  expect(await bytesOf(store, small, 998, 1000)).toEqual([998 % 251, 999 % 251]);
  expect(requests).toEqual(["a 0-1000"]);
});

test("a larger object is read by ranges", async () => {
  const requests: string[] = [];
  const store = new SmallObjects().over(storeOf(requests));
  await bytesOf(store, object("a", MOST_SMALL_BYTES + 1), 5, 7);
  expect(requests).toEqual(["a 5-7"]);
});

test("what is held is limited", async () => {
  const requests: string[] = [];
  const store = new SmallObjects().over(storeOf(requests));
  for (let index = 0; index < 65; index++) await bytesOf(store, object(`${index}`, MOST_SMALL_BYTES), 0, 1);
  expect(requests.slice(63)).toEqual([`63 0-${MOST_SMALL_BYTES}`, "64 0-1"]);
});

test("a failed request is repeated by the next read", async () => {
  const requests: string[] = [];
  let isBusy = true;
  const store = new SmallObjects().over(storeOf(requests, () => isBusy));
  const small = object("a", 10);
  await expect(bytesOf(store, small, 0, 1)).rejects.toThrow("busy");
  isBusy = false;
  expect(await bytesOf(store, small, 0, 1)).toEqual([0]);
  expect(requests).toHaveLength(2);
});

test("at most six small files are fetched at a time, and larger ones are left alone", async () => {
  let open = 0;
  let most = 0;
  const read: string[] = [];
  const files = Array.from(
    { length: 20 },
    (_, index): FoundFile => ({
      name: `${index}`,
      size: index === 3 ? MOST_SMALL_BYTES + 1 : 10,
      read: async () => {
        read.push(`${index}`);
        most = Math.max(most, ++open);
        await Promise.resolve();
        open--;
        return new Uint8Array(1);
      },
      footer: () => Promise.reject(new Error("no footer")),
    }),
  );
  await fetchSmall(files, signal);
  expect([most, read.length, read.includes("3")]).toEqual([6, 19, false]);
});
