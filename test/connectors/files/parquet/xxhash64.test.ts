import { expect, it } from "vitest";
import { xxHash64 } from "../../../../src/connectors/files/parquet/xxhash64.ts";

it.each([
  ["", "ef46db3751d8e999"],
  ["a", "d24ec4f1a98c6e5b"],
  ["as", "1c330fb2d66be179"],
  ["asd", "631c37ce72a97393"],
  ["asdf", "415872f599cea71e"],
  // Each length of what is left behind stripes has its own way.
  ["Call me Ishmael. Some years ago--never mind how long precisely-", "02a2e85470d6fd96"],
])("of %j", (text, hash) => {
  const padded = new TextEncoder().encode(`#${text}`);
  expect(xxHash64(padded.subarray(1)).toString(16).padStart(16, "0")).toBe(hash);
});
