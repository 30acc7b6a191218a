import { expect, it } from "vitest";
import type { StoredFooter } from "../../../../src/connectors/files/parquet/footer.ts";
import { FooterCache } from "../../../../src/connectors/files/parquet/footer-cache.ts";

/** Part of what was read. */
const footer = (length: number): StoredFooter => ({ bytes: new Uint8Array(1000).subarray(10, 10 + length), start: 4 });
const object = (key: string, etag = '"1"', size = 100) => ({ key, etag, size });

it("has an entry for one connection, object and version", () => {
  const cache = new FooterCache(1000);
  cache.set("a", object("k"), footer(10));
  expect(cache.get("a", object("k"))).toEqual({ bytes: new Uint8Array(10), start: 4 });
  // The rest of what was read is not held by it.
  expect(cache.get("a", object("k"))?.bytes.buffer.byteLength).toBe(10);
  expect(cache.get("b", object("k"))).toBeUndefined();
  expect(cache.get("a", object("l"))).toBeUndefined();
  expect(cache.get("a", object("k", '"2"'))).toBeUndefined();
  expect(cache.get("a", object("k", '"1"', 99))).toBeUndefined();
});

it("forgets what was used longest ago when it is full, and takes nothing larger than itself", () => {
  const known = JSON.stringify(["a", ...Object.values({ key: "k", etag: '"1"', size: 100 })]).length;
  const cache = new FooterCache(2 * (known + 10) + 5);
  for (const key of ["k", "l"]) cache.set("a", object(key), footer(10));
  cache.get("a", object("k"));
  cache.set("a", object("m"), footer(10));
  expect(["k", "l", "m"].map((key) => cache.get("a", object(key)) !== undefined)).toEqual([true, false, true]);
  cache.set("a", object("n"), footer(2 * (known + 10) + 6 - known));
  expect(["k", "m", "n"].map((key) => cache.get("a", object(key)) !== undefined)).toEqual([true, true, false]);
});
