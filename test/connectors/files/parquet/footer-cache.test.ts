import { expect, it } from "vitest";
import type { Footer } from "../../../../src/connectors/files/parquet/footer.ts";
import { FooterCache } from "../../../../src/connectors/files/parquet/footer-cache.ts";

const footer = (length: number): Footer => ({ fields: new Map(), start: 4, length, columns: [], rowGroups: [] });
const object = (key: string, etag = '"1"', size = 100) => ({ key, etag, size });

it("has an entry for one connection, object and version", () => {
  const cache = new FooterCache(1000);
  const one = footer(10);
  cache.set("a", object("k"), one);
  expect(cache.get("a", object("k"))).toBe(one);
  expect(cache.get("b", object("k"))).toBeUndefined();
  expect(cache.get("a", object("l"))).toBeUndefined();
  expect(cache.get("a", object("k", '"2"'))).toBeUndefined();
  expect(cache.get("a", object("k", '"1"', 99))).toBeUndefined();
});

it("forgets what was used longest ago when it is full, and takes nothing larger than itself", () => {
  const cache = new FooterCache(25);
  for (const key of ["k", "l"]) cache.set("a", object(key), footer(10));
  cache.get("a", object("k"));
  cache.set("a", object("m"), footer(10));
  expect(["k", "l", "m"].map((key) => cache.get("a", object(key)) !== undefined)).toEqual([true, false, true]);
  cache.set("a", object("n"), footer(26));
  expect(["k", "m", "n"].map((key) => cache.get("a", object(key)) !== undefined)).toEqual([true, true, false]);
});
